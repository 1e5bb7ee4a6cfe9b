// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector instructions against plain scalar formulas, written from the ISA manuals' descriptions apart from
// the simulator's own: edge values, odd values, modifiers, and partial EXEC.

#include "TestKernel.h"
#include <cmath>
#include <functional>

using namespace lowp::sim::test;

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;

namespace {

float f(u32 bits) {
  float x;
  std::memcpy(&x, &bits, 4);
  return x;
}
u32 b(float x) {
  u32 bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}

/// Integers: edges first, then a sequence without structure.
std::vector<u32> integers(unsigned seed) {
  std::vector<u32> row = {0,          1,          2,      31,      32,     33,        0x7fffffff,
                          0x80000000, 0xffffffff, 0xffff, 0x10000, 0x8000, 0x00ff00ff};
  u64 x = seed * 0x9e3779b97f4a7c15ull + 1;
  // Rotated by the seed so that the edges of two operands meet in different lanes.
  while (row.size() < 64) {
    x = x * 6364136223846793005ull + 1442695040888963407ull;
    row.push_back(u32(x >> 29));
  }
  std::rotate(row.begin(), row.begin() + seed * 5 % 64, row.end());
  return row;
}

std::vector<u32> floats(unsigned seed) {
  std::vector<u32> row = {b(0.0f),     b(-0.0f),    b(1.0f),      b(-1.0f),         b(0.5f),   b(1.5f),
                          b(2.5f),     b(-3.5f),    b(1e-40f),    b(3e38f),         b(-3e38f), b(1e-3f),
                          b(65504.0f), b(INFINITY), b(-INFINITY), b(0x1.fffffep-1f)};
  for (unsigned i = row.size(); i < 64; ++i)
    row.push_back(b((float(i * 7919 % 257) - 128.25f) * std::ldexp(1.0f, int(i * seed % 13) - 6)));
  std::rotate(row.begin(), row.begin() + seed * 7 % 64, row.end());
  return row;
}

struct Case {
  const char *text; ///< reads v10, v11, v12, writes v40
  std::function<u32(u32, u32, u32)> expected;
  bool isFloat = false;
};

void check(llvm::StringRef chip, const std::vector<Case> &cases) {
  for (bool isFloat : {false, true}) {
    std::vector<std::vector<u32>> in;
    for (unsigned i = 1; i <= 3; ++i)
      in.push_back(isFloat ? floats(i) : integers(i));
    std::string body;
    unsigned count = 0;
    for (const Case &one : cases)
      if (one.isFloat == isFloat) {
        std::string text = one.text;
        size_t at = text.find("v40");
        ASSERT_NE(at, std::string::npos);
        body += text.replace(at, 3, "v" + std::to_string(40 + count++)) + "\ns_nop 4\n";
      }
    if (!count)
      continue;
    RowsResult result = runRows(chip, body, in, count);
    ASSERT_EQ(result.rows.size(), count);
    unsigned row = 0;
    for (const Case &one : cases) {
      if (one.isFloat != isFloat)
        continue;
      for (unsigned lane = 0; lane < 64; ++lane) {
        u32 want = one.expected(in[0][lane], in[1][lane], in[2][lane]), got = result.rows[row][lane];
        bool bothNan = isFloat && std::isnan(f(want)) && std::isnan(f(got));
        if (!bothNan) {
          EXPECT_EQ(got, want) << chip.str() << " " << one.text << " lane " << lane << std::hex << ": "
                               << in[0][lane] << " " << in[1][lane] << " " << in[2][lane];
        }
      }
      ++row;
    }
  }
}

TEST(LaneOps, IntegerArithmetic) {
  for (llvm::StringRef chip : bothChips)
    check(chip, {
                    {"v_add_u32 v40, v10, v11", [](u32 a, u32 b, u32) { return a + b; }},
                    {"v_sub_u32 v40, v10, v11", [](u32 a, u32 b, u32) { return a - b; }},
                    {"v_subrev_u32 v40, v10, v11", [](u32 a, u32 b, u32) { return b - a; }},
                    {"v_add_u32_e64 v40, v10, v11 clamp",
                     [](u32 a, u32 b, u32) { return u64(a) + b > 0xffffffffull ? 0xffffffffu : a + b; }},
                    {"v_mul_lo_u32 v40, v10, v11", [](u32 a, u32 b, u32) { return a * b; }},
                    {"v_mul_hi_u32 v40, v10, v11", [](u32 a, u32 b, u32) { return u32(u64(a) * b >> 32); }},
                    {"v_mul_hi_i32 v40, v10, v11",
                     [](u32 a, u32 b, u32) { return u32(u64(int64_t(i32(a)) * i32(b)) >> 32); }},
                    {"v_mad_u32_u24 v40, v10, v11, v12",
                     [](u32 a, u32 b, u32 c) { return (a % (1u << 24)) * (b % (1u << 24)) + c; }},
                    {"v_min_i32 v40, v10, v11", [](u32 a, u32 b, u32) { return i32(a) < i32(b) ? a : b; }},
                    {"v_max_u32 v40, v10, v11", [](u32 a, u32 b, u32) { return a > b ? a : b; }},
                    {"v_add3_u32 v40, v10, v11, v12", [](u32 a, u32 b, u32 c) { return a + b + c; }},
                    {"v_lshl_add_u32 v40, v10, 3, v12", [](u32 a, u32, u32 c) { return a * 8 + c; }},
                    {"v_add_lshl_u32 v40, v10, v11, 2", [](u32 a, u32 b, u32) { return (a + b) * 4; }},
                    {"v_med3_i32 v40, v10, v11, v12",
                     [](u32 a, u32 b, u32 c) {
                       i32 x[3] = {i32(a), i32(b), i32(c)};
                       std::sort(x, x + 3);
                       return u32(x[1]);
                     }},
                    {"v_sad_u8 v40, v10, v11, v12",
                     [](u32 a, u32 b, u32 c) {
                       for (int i = 0; i < 4; ++i)
                         c += std::abs(int(uint8_t(a >> 8 * i)) - int(uint8_t(b >> 8 * i)));
                       return c;
                     }},
                });
}

TEST(LaneOps, Bits) {
  for (llvm::StringRef chip : bothChips)
    check(chip,
          {
              {"v_and_b32 v40, v10, v11", [](u32 a, u32 b, u32) { return a & b; }},
              {"v_xnor_b32 v40, v10, v11", [](u32 a, u32 b, u32) { return ~(a ^ b); }},
              {"v_lshlrev_b32 v40, v10, v11", [](u32 a, u32 b, u32) { return b << a % 32; }},
              {"v_ashrrev_i32 v40, v10, v11", [](u32 a, u32 b, u32) { return u32(i32(b) >> a % 32); }},
              {"v_and_or_b32 v40, v10, v11, v12", [](u32 a, u32 b, u32 c) { return (a & b) | c; }},
              {"v_bfe_u32 v40, v10, 5, 9", [](u32 a, u32, u32) { return a / 32 % 512; }},
              {"v_bfe_i32 v40, v10, 3, 4",
               [](u32 a, u32, u32) {
                 i32 x = a / 8 % 16;
                 return u32(x >= 8 ? x - 16 : x);
               }},
              {"v_bfi_b32 v40, v10, v11, v12", [](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }},
              {"v_alignbit_b32 v40, v10, v11, v12",
               [](u32 a, u32 b, u32 c) { return c % 32 ? b >> c % 32 | a << (32 - c % 32) : b; }},
              {"s_mov_b32 s20, 0x0c070201\nv_perm_b32 v40, v10, v11, s20",
               [](u32 a, u32 b, u32) { return (b >> 8 & 0xff) | (b >> 16 & 0xff) << 8 | (a >> 24) << 16; }},
              {"v_bfrev_b32 v40, v10",
               [](u32 a, u32, u32) {
                 u32 r = 0;
                 for (int i = 0; i < 32; ++i)
                   r = r * 2 + (a >> i & 1);
                 return r;
               }},
              {"v_ffbh_u32 v40, v10",
               [](u32 a, u32, u32) {
                 for (int i = 0; i < 32; ++i)
                   if (a >> (31 - i) & 1)
                     return u32(i);
                 return ~0u;
               }},
              {"v_mul_lo_u16 v40, v10, v11",
               [](u32 a, u32 b, u32) { return (a & 0xffff) * (b & 0xffff) & 0xffff; }},
              {"v_add_u16_sdwa v40, v10, v11 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 "
               "src1_sel:BYTE_2",
               [](u32 a, u32 b, u32) { return ((a >> 16) + (b >> 16 & 0xff)) & 0xffff; }},
              {"v_mov_b32_sdwa v40, sext(v10) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1",
               [](u32 a, u32, u32) { return u32(i32(int8_t(a >> 8))); }},
              {"v_pk_add_u16 v40, v10, v11 op_sel:[1,0] op_sel_hi:[0,1]",
               [](u32 a, u32 b, u32) {
                 return ((a >> 16) + (b & 0xffff)) % 65536 | ((a & 0xffff) + (b >> 16)) << 16;
               }},
              {"v_dot4_i32_i8 v40, v10, v11, v12",
               [](u32 a, u32 b, u32 c) {
                 for (int i = 0; i < 4; ++i)
                   c += u32(int(int8_t(a >> 8 * i)) * int(int8_t(b >> 8 * i)));
                 return c;
               }},
          });
  check("gfx950", {{"v_bitop3_b32 v40, v10, v11, v12 bitop3:0x36", [](u32 a, u32 b, u32 c) {
                      u32 r = 0;
                      for (int i = 0; i < 32; ++i)
                        r |= (0x36u >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
                      return r;
                    }}});
}

TEST(LaneOps, Float32) {
  for (llvm::StringRef chip : bothChips)
    check(chip,
          {
              {"v_add_f32 v40, v10, v11", [](u32 x, u32 y, u32) { return b(f(x) + f(y)); }, true},
              {"v_mul_f32_e64 v40, -v10, |v11|", [](u32 x, u32 y, u32) { return b(-f(x) * std::fabs(f(y))); },
               true},
              {"v_fma_f32 v40, v10, v11, -v12",
               [](u32 x, u32 y, u32 z) { return b(std::fma(f(x), f(y), -f(z))); }, true},
              {"v_sub_f32_e64 v40, v10, v11 clamp",
               [](u32 x, u32 y, u32) {
                 float r = f(x) - f(y);
                 return std::isnan(r) || r <= 0 ? 0u : r > 1 ? b(1.0f) : b(r);
               },
               true},
              {"v_max_f32 v40, v10, v11",
               [](u32 x, u32 y, u32) { return f(x) == f(y) ? x & y : b(std::fmax(f(x), f(y))); }, true},
              {"v_rndne_f32 v40, v10", [](u32 x, u32, u32) { return b(std::rint(f(x))); }, true},
              {"v_floor_f32 v40, v10", [](u32 x, u32, u32) { return b(std::floor(f(x))); }, true},
              {"v_cvt_i32_f32 v40, v10",
               [](u32 x, u32, u32) {
                 double d = std::trunc(double(f(x)));
                 return d >= 2147483647.0 ? 0x7fffffffu : d <= -2147483648.0 ? 0x80000000u : u32(i32(d));
               },
               true},
              {"v_cvt_f32_f16 v40, 0.5", [](u32, u32, u32) { return b(0.5f); }, true},
              {"v_ldexp_f32 v40, v10, 3", [](u32 x, u32, u32) { return b(f(x) * 8.0f); }, true},
          });
}

// DPP moves lanes, which the table above cannot say.
TEST(LaneOps, DppMovesLanesWithinRows) {
  auto in = std::vector<std::vector<u32>>{integers(1)};
  RowsResult result = runRows("gfx942",
                              "v_mov_b32 v40, 0x1234\nv_mov_b32 v41, 0x1234\nv_mov_b32 v42, 0x1234\ns_nop 4\n"
                              "v_mov_b32_dpp v40, v10 row_shr:3 row_mask:0xf bank_mask:0xf\n"
                              "v_mov_b32_dpp v41, v10 quad_perm:[1,0,3,2] row_mask:0xa bank_mask:0xf\n"
                              "v_mov_b32_dpp v42, v10 row_bcast:15 row_mask:0xf bank_mask:0xf bound_ctrl:0\n",
                              in, 3);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(result.rows[0][lane], lane % 16 >= 3 ? in[0][lane - 3] : 0x1234) << lane;
    EXPECT_EQ(result.rows[1][lane], lane / 16 % 2 ? in[0][lane ^ 1] : 0x1234) << lane;
    EXPECT_EQ(result.rows[2][lane], lane < 16 ? 0 : in[0][lane / 16 * 16 - 1]) << lane;
  }
}

TEST(LaneOps, PartialExecKeepsOtherLanes) {
  auto in = std::vector<std::vector<u32>>{integers(2), integers(3)};
  RowsResult result = runRows("gfx950",
                              "v_mov_b32 v40, 7\ns_mov_b32 s10, 0xf0f0f0f0\ns_mov_b32 s11, 0x12345678\n"
                              "s_mov_b64 exec, s[10:11]\nv_add_u32 v40, v10, v11\ns_mov_b64 exec, -1\n",
                              in, 1);
  u64 exec = 0x12345678f0f0f0f0ull;
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(result.rows[0][lane], exec >> lane & 1 ? in[0][lane] + in[1][lane] : 7) << lane;
}

TEST(LaneOps, SixtyFourBitArithmetic) {
  auto in = std::vector<std::vector<u32>>{integers(1), integers(2), integers(3), integers(4)};
  RowsResult result =
      runRows("gfx942",
              "v_lshl_add_u64 v[40:41], v[10:11], 3, v[12:13]\n"
              "v_mad_u64_u32 v[42:43], s[10:11], v10, v11, v[12:13]\n"
              "v_lshrrev_b64 v[44:45], 5, v[10:11]\n"
              "v_add_co_u32 v46, vcc, v10, v12\ns_nop 4\nv_addc_co_u32 v47, vcc, v11, v13, vcc\n",
              in, 8);
  for (unsigned lane = 0; lane < 64; ++lane) {
    u64 x = in[0][lane] | u64(in[1][lane]) << 32, y = in[2][lane] | u64(in[3][lane]) << 32;
    auto pair = [&](unsigned row) { return result.rows[row][lane] | u64(result.rows[row + 1][lane]) << 32; };
    EXPECT_EQ(pair(0), (x << 3) + y) << lane;
    EXPECT_EQ(pair(2), u64(in[0][lane]) * in[1][lane] + y) << lane;
    EXPECT_EQ(pair(4), x >> 5) << lane;
    EXPECT_EQ(pair(6), x + y) << lane;
  }
}

TEST(LaneOps, PermlaneSwaps) {
  auto in = std::vector<std::vector<u32>>{integers(1), integers(2)};
  RowsResult result =
      runRows("gfx950",
              "v_mov_b32 v40, v10\nv_mov_b32 v41, v11\nv_mov_b32 v42, v10\nv_mov_b32 v43, v11\ns_nop 4\n"
              "v_permlane32_swap_b32 v40, v41\nv_permlane16_swap_b32 v42, v43\n",
              in, 4);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(result.rows[0][lane], lane < 32 ? in[0][lane] : in[1][lane - 32]) << lane;
    EXPECT_EQ(result.rows[1][lane], lane < 32 ? in[0][lane + 32] : in[1][lane]) << lane;
    bool odd = lane / 16 % 2;
    EXPECT_EQ(result.rows[2][lane], odd ? in[1][lane - 16] : in[0][lane]) << lane;
    EXPECT_EQ(result.rows[3][lane], odd ? in[1][lane] : in[0][lane + 16]) << lane;
  }
}

} // namespace
