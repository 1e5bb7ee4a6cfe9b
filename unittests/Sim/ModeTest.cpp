// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the MODE register does to floating-point instructions: rounding, denormals, signalling NaN, clamp and
// output modifiers, overflow of f16. The expected values follow from the definitions by hand.

#include "TestKernel.h"

using namespace lowp::sim::test;

using u32 = uint32_t;

namespace {

struct Case {
  const char *text; ///< reads v10, v11, writes v40
  u32 a, b;
  u32 expected[4]; ///< by rounding mode: nearest, up, down, zero
};

/// With the wait states that another access to the register needs.
std::string setMode(unsigned offset, unsigned width, unsigned value) {
  return "s_setreg_imm32_b32 hwreg(HW_REG_MODE, " + std::to_string(offset) + ", " + std::to_string(width) +
         "), " + std::to_string(value) + "\ns_nop 1\n";
}

/// One lane's result of an instruction under a mode.
u32 runOne(llvm::StringRef chip, const std::string &mode, const char *text, u32 a, u32 b) {
  RowsResult result = runRows(chip, mode + text + "\n" + setMode(0, 4, 0),
                              {std::vector<u32>(64, a), std::vector<u32>(64, b)}, 1);
  return result.rows.empty() ? 0 : result.rows[0][17];
}

TEST(Mode, Rounding) {
  static const Case cases[] = {
      // 1 and a quarter of its last place; 1 less an eighth of the place below
      {"v_add_f32 v40, v10, v11", 0x3f800000, 0x33000000, {0x3f800000, 0x3f800001, 0x3f800000, 0x3f800000}},
      {"v_add_f32 v40, v10, v11", 0xbf800000, 0xb3000000, {0xbf800000, 0xbf800000, 0xbf800001, 0xbf800000}},
      {"v_add_f32 v40, v10, v11", 0x3f800000, 0xb2000000, {0x3f800000, 0x3f800000, 0x3f7fffff, 0x3f7fffff}},
      {"v_fma_f32 v40, v10, 1.0, v11",
       0x3f800000,
       0x33000000,
       {0x3f800000, 0x3f800001, 0x3f800000, 0x3f800000}},
      {"v_mul_f32 v40, v10, v11", 0x3f800001, 0x3f800001, {0x3f800002, 0x3f800003, 0x3f800002, 0x3f800002}},
      {"v_cvt_f32_u32 v40, v10", 0x01000001, 0, {0x4b800000, 0x4b800001, 0x4b800000, 0x4b800000}},
      {"v_add_f16 v40, v10, v11", 0x3c00, 0x1000, {0x3c00, 0x3c01, 0x3c00, 0x3c00}},
      {"v_add_f16 v40, v10, v11", 0xbc00, 0x9000, {0xbc00, 0xbc00, 0xbc01, 0xbc00}},
      {"v_mul_f16 v40, v10, v11", 0x0400, 0x0400, {0, 1, 0, 0}}, // 2^-28
      {"v_mul_f16 v40, v10, v11", 0x8400, 0x0400, {0x8000, 0x8000, 0x8001, 0x8000}},
      {"v_add_f16 v40, v10, v11", 0x7bff, 0x7bff, {0x7c00, 0x7c00, 0x7bff, 0x7bff}},
      {"v_fma_f16 v40, v10, v11, v10", 0x3c00, 0x1000, {0x3c00, 0x3c01, 0x3c00, 0x3c00}},
      {"v_cvt_f16_f32 v40, v10", 0x3f800001, 0, {0x3c00, 0x3c01, 0x3c00, 0x3c00}},
      {"v_pk_add_f16 v40, v10, v11",
       0xbc003c00,
       0x90001000,
       {0xbc003c00, 0xbc003c01, 0xbc013c00, 0xbc003c00}},
      // These have a rounding of their own.
      {"v_rndne_f32 v40, v10", 0x40200000, 0, {0x40000000, 0x40000000, 0x40000000, 0x40000000}},
      {"v_cvt_i32_f32 v40, v10", 0xc0266666, 0, {~1u, ~1u, ~1u, ~1u}},
      {"v_cvt_pkrtz_f16_f32 v40, v10, v11",
       0x3f800001,
       0xbf800001,
       {0xbc003c00, 0xbc003c00, 0xbc003c00, 0xbc003c00}},
  };
  for (llvm::StringRef chip : bothChips)
    for (const Case &one : cases)
      for (unsigned mode = 0; mode < 4; ++mode)
        EXPECT_EQ(runOne(chip, setMode(0, 4, mode | mode << 2), one.text, one.a, one.b), one.expected[mode])
            << chip.str() << " " << one.text << std::hex << " " << one.a << " " << one.b << " mode " << mode;
}

TEST(Mode, TheTwoRoundingModesAreApart) {
  EXPECT_EQ(runOne("gfx942", setMode(0, 4, 1), "v_add_f16 v40, v10, v11", 0x3c00, 0x1000), 0x3c00u);
  EXPECT_EQ(runOne("gfx942", setMode(0, 4, 1), "v_add_f32 v40, v10, v11", 0x3f800000, 0x33000000),
            0x3f800001u);
  EXPECT_EQ(runOne("gfx942", setMode(0, 4, 4), "v_add_f16 v40, v10, v11", 0x3c00, 0x1000), 0x3c01u);
  EXPECT_EQ(runOne("gfx942", setMode(0, 4, 4), "v_add_f32 v40, v10, v11", 0x3f800000, 0x33000000),
            0x3f800000u);
}

TEST(Mode, DoubleRounding) {
  for (unsigned mode = 0; mode < 4; ++mode) {
    RowsResult result = runRows("gfx950",
                                "v_mov_b32 v20, 0\nv_mov_b32 v21, 0x3ff00000\nv_mov_b32 v22, 0\n"
                                "v_mov_b32 v23, 0x3c800000\n" + // 2^-55
                                    setMode(2, 2, mode) +
                                    "v_add_f64 v[40:41], v[20:21], v[22:23]\n" + setMode(2, 2, 0),
                                {std::vector<u32>(64, 0)}, 2);
    EXPECT_EQ(result.rows[0][0], mode == 1 ? 1u : 0u) << mode;
    EXPECT_EQ(result.rows[1][0], 0x3ff00000u) << mode;
  }
}

TEST(Mode, Denormals) {
  static const Case cases[] = {
      // Denormal source, normal result; the reverse. By mode: 0 flushes both, 1 results, 2 sources, 3
      // neither.
      {"v_mul_f32 v40, v10, v11", 0x00080000, 0x49800000, {0, 0x08800000, 0, 0x08800000}},
      {"v_mul_f32 v40, v10, v11", 0x83800000, 0x3a800000, {0x80000000, 0x80000000, 0x80080000, 0x80080000}},
  };
  for (const Case &one : cases)
    for (unsigned mode = 0; mode < 4; ++mode)
      EXPECT_EQ(runOne("gfx942", setMode(4, 2, mode), one.text, one.a, one.b), one.expected[mode])
          << std::hex << one.a << " mode " << mode;
  static const Case halves[] = {
      {"v_mul_f16 v40, v10, v11", 0x0200, 0x4800, {0, 0x0c00, 0, 0x0c00}}, // 2^-15 * 8
      {"v_mul_f16 v40, v10, v11", 0x8400, 0x3800, {0x8000, 0x8000, 0x8200, 0x8200}},
      {"v_pk_mul_f16 v40, v10, v11",
       0x84000200,
       0x38004800,
       {0x80000000, 0x80000c00, 0x82000000, 0x82000c00}},
      {"v_cvt_f32_f16 v40, v10", 0x0200, 0, {0, 0x38000000, 0, 0x38000000}},
  };
  for (const Case &one : halves)
    for (unsigned mode = 0; mode < 4; ++mode)
      EXPECT_EQ(runOne("gfx950", setMode(6, 2, mode), one.text, one.a, one.b), one.expected[mode])
          << one.text << std::hex << one.a << " mode " << mode;
  // Moves and classes see what is there.
  EXPECT_EQ(runOne("gfx942", setMode(4, 2, 0),
                   "s_mov_b64 s[20:21], 0\nv_cndmask_b32_e64 v40, -v10, v10, s[20:21]", 0x00080000, 0),
            0x80080000u);
}

TEST(Mode, SignallingNan) {
  const u32 signalling = 0x7f800001, one = 0x3f800000;
  for (const char *text : {"v_max_f32 v40, v10, v11", "v_min_f32 v40, v10, v11"}) {
    EXPECT_EQ(runOne("gfx942", setMode(9, 1, 1), text, signalling, one), 0x7fc00001u) << text;
    EXPECT_EQ(runOne("gfx942", setMode(9, 1, 0), text, signalling, one), one) << text;
    EXPECT_EQ(runOne("gfx942", setMode(9, 1, 1), text, 0x7fc00000, one), one) << text;
  }
  EXPECT_EQ(runOne("gfx942", setMode(9, 1, 1), "v_min_f16 v40, v10, v11", 0x7c01, 0x3c00), 0x7e01u);
  EXPECT_EQ(runOne("gfx942", setMode(9, 1, 1), "v_pk_max_f16 v40, v10, v11", 0x7c013c00, 0x40003800),
            0x7e013c00u);
}

TEST(Mode, ClampAndOutputModifiers) {
  EXPECT_EQ(runOne("gfx950", setMode(8, 1, 1), "v_add_f32_e64 v40, v10, v11 clamp", 0x7fc00000, 0), 0u);
  EXPECT_EQ(runOne("gfx950", setMode(8, 1, 0), "v_add_f32_e64 v40, v10, v11 clamp", 0x7fc00000, 0),
            0x7fc00000u);
  // Output modifiers want IEEE off and results flushed.
  const char *doubled = "v_add_f32_e64 v40, v10, v11 mul:2";
  std::string flush = setMode(4, 2, 1);
  EXPECT_EQ(runOne("gfx950", setMode(9, 1, 0) + flush, doubled, 0x3f800000, 0x3f800000), 0x40800000u);
  EXPECT_EQ(runOne("gfx950", setMode(9, 1, 1) + flush, doubled, 0x3f800000, 0x3f800000), 0x40000000u);
  EXPECT_EQ(runOne("gfx950", setMode(9, 1, 0), doubled, 0x3f800000, 0x3f800000), 0x40000000u);
  EXPECT_EQ(runOne("gfx950", setMode(9, 1, 0) + flush, doubled, 0x80000000, 0x80000000), 0u); // no -0
}

TEST(Mode, HalfOverflow) {
  EXPECT_EQ(runOne("gfx942", "", "v_add_f16 v40, v10, v11", 0x7bff, 0x7bff), 0x7c00u);
  EXPECT_EQ(runOne("gfx942", setMode(23, 1, 1), "v_add_f16 v40, v10, v11", 0x7bff, 0x7bff), 0x7bffu);
  EXPECT_EQ(runOne("gfx942", setMode(23, 1, 1), "v_add_f16 v40, v10, v11", 0xfc00, 0x7bff), 0xfc00u);
  EXPECT_EQ(runOne("gfx942", setMode(23, 1, 1), "v_cvt_f16_f32 v40, v10", 0xc7ffffff, 0), 0xfbffu);
}

} // namespace
