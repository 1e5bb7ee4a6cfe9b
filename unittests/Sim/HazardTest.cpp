// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wait states: for each rule code with one too few, the message it gives, and the same code with just enough.
// `@` in a body stands for the wait states in between.

#include "TestKernel.h"

using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

constexpr const char *f16 = "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], 0\n@";
constexpr const char *f64 = "v_mfma_f64_16x16x4_f64 v[8:15], v[4:5], v[6:7], 0\n@";
constexpr const char *f64Small = "v_mfma_f64_4x4x4_4b_f64 v[8:9], v[4:5], v[6:7], 0\n@";
constexpr const char *f32 = "v_mfma_f32_16x16x4_f32 v[8:11], v4, v6, 0\n@";

struct Case {
  const char *name;
  const char *producer, *consumer;
  unsigned needed942, needed950; ///< 0: not on this chip
  const char *message;           ///< # stands for the number needed, $ for one less
};

const Case cases[] = {
    {"MatrixToValu", f16, "v_add_f32 v3, v8, v8", 7, 8,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"MatrixToStore", f16, "global_store_dword v1, v8, s[6:7]", 7, 8,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"MatrixToLdsWrite", f16, "ds_write_b32 v1, v8", 7, 8,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"MatrixOverwritten", f16, "v_mov_b32 v9, 0", 7, 8,
     "overwriting the matrix result v9 needs # wait states, but there are $"},
    {"MatrixOverwrittenByLoad", f16, "global_load_dword v9, v1, s[4:5]", 7, 8,
     "overwriting the matrix result v9 needs # wait states, but there are $"},
    {"MatrixToA", f16, "v_mfma_f32_16x16x16_f16 v[12:15], v[8:9], v[6:7], 0", 7, 8,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"MatrixToOverlappingC", f16, "v_mfma_f32_16x16x16_f16 v[12:15], v[4:5], v[6:7], v[10:13]", 5, 6,
     "reading the matrix result v10 needs # wait states, but there are $"},
    {"AccumulatorOverwritten", "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], v[12:15]\n@",
     "v_mov_b32 v12, 0", 3, 3,
     "overwriting the accumulator operand of a running matrix instruction: that many more for v12 needs 1 "
     "wait "
     "states, but there are 0"},
    {"SingleMatrixToValu", f32, "v_add_f32 v3, v8, v8", 10, 10,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"SingleMatrixToOverlappingC", f32, "v_mfma_f32_16x16x4_f32 v[12:15], v4, v6, v[10:13]", 8, 8,
     "reading the matrix result v10 needs # wait states, but there are $"},
    {"DoubleMatrixToValu", f64, "v_add_f32 v3, v8, v8", 11, 19,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"DoubleMatrixToStore", f64, "global_store_dword v1, v8, s[6:7]", 18, 18,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"DoubleMatrixToA", f64, "v_mfma_f64_16x16x4_f64 v[16:23], v[8:9], v[6:7], 0", 11, 19,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"SmallDoubleMatrixToValu", f64Small, "v_add_f32 v3, v8, v8", 6, 6,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"SmallDoubleMatrixToStore", f64Small, "global_store_dword v1, v8, s[6:7]", 9, 9,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"SmallDoubleMatrixToC", f64Small, "v_mfma_f64_4x4x4_4b_f64 v[10:11], v[4:5], v[6:7], v[8:9]", 4, 4,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"DoubleMatrixToFma", f64, "v_fma_f64 v[20:21], v[4:5], v[6:7], v[6:7]", 2, 2,
     "v_fma_f64 after a matrix instruction on f64 needs # wait states, but there are $"},
    {"ShortMatrixToC", "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[4:5], v[6:7], 0\n@",
     "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[4:5], v[6:7], v[8:11]", 2, 2,
     "reading the matrix result v8 needs # wait states, but there are $"},
    {"ValuToMatrix", "v_mov_b32 v4, 0\n@", "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], 0", 2, 2,
     "a matrix operand just written by a vector instruction: v4 needs # wait states, but there are $"},
    {"TransToValu", "v_exp_f32 v3, v4\n@", "v_add_f32 v8, v3, v3", 1, 1,
     "using the result of a transcendental instruction: v3 needs # wait states, but there are $"},
    {"PartToValu", "v_cvt_pk_fp8_f32 v4, v5, v6 op_sel:[0,0,1]\n@", "v_add_f32 v8, v4, v4", 1, 1,
     "using a register of which a part was just written: v4 needs # wait states, but there are $"},
    {"DotToValu", "v_dot2_f32_f16 v8, v4, v5, v6\n@", "v_add_f32 v9, v8, v8", 3, 3,
     "using the result of a dot product: v8 needs # wait states, but there are $"},
    {"DotToOwnA", "v_dot2_f32_f16 v8, v4, v5, v6\n@", "v_dot2_f32_f16 v9, v8, v5, v6", 3, 3,
     "using the result of a dot product: v8 needs # wait states, but there are $"},
    {"DotOverwritten", "v_dot2_f32_f16 v8, v4, v5, v6\n@", "v_mov_b32 v8, 0", 3, 3,
     "overwriting the result of a dot product: v8 needs # wait states, but there are $"},
    {"ValuToReadlane", "v_mov_b32 v8, 0\n@", "v_readfirstlane_b32 s20, v8", 1, 1,
     "reading across lanes what was just written: v8 needs # wait states, but there are $"},
    {"ValuToDpp", "v_mov_b32 v8, 0\n@", "v_mov_b32_dpp v9, v8 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
     2, 2, "reading by DPP what was just written: v8 needs # wait states, but there are $"},
    {"ValuToPermlane", "v_mov_b32 v4, 0\n@", "v_permlane32_swap_b32 v4, v5", 0, 2,
     "reading across lanes what was just written: v4 needs # wait states, but there are $"},
    {"ScalarToVmem", "v_readfirstlane_b32 s6, v16\n@", "global_store_dword v1, v4, s[6:7]", 5, 5,
     "a vector memory instruction that uses an SGPR written by a vector instruction needs # wait states, but "
     "there are $"},
    {"ScalarToValu", "v_readfirstlane_b32 s20, v4\n@", "v_add_u32 v8, s20, v4", 2, 2,
     "a vector instruction that uses an SGPR written by a vector instruction needs # wait states, but there "
     "are "
     "$"},
    {"CompareToSelect", "v_cmp_eq_u32 vcc, v4, v5\n@", "v_cndmask_b32 v8, v4, v5, vcc", 2, 2,
     "a vector instruction that uses an SGPR written by a vector instruction needs # wait states, but there "
     "are "
     "$"},
    {"ScalarToLaneSelect", "v_readfirstlane_b32 s20, v4\n@", "v_readlane_b32 s21, v5, s20", 4, 4,
     "a lane select written by a vector instruction needs # wait states, but there are $"},
    {"ScalarToWritelaneSelect", "v_readfirstlane_b32 s20, v4\n@", "v_writelane_b32 v5, 1, s20", 4, 4,
     "a lane select written by a vector instruction needs # wait states, but there are $"},
    {"CompareToDivFmas", "v_cmp_eq_u32 vcc, v4, v5\n@", "v_div_fmas_f32 v8, v4, v5, v6", 4, 4,
     "v_div_fmas after a vector instruction wrote vcc needs # wait states, but there are $"},
    {"ExecToDpp", "v_cmpx_eq_u32 vcc, v4, v4\n@",
     "v_mov_b32_dpp v9, v5 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", 5, 5,
     "DPP after a vector instruction wrote exec needs # wait states, but there are $"},
    {"ExecToReadlane", "v_cmpx_eq_u32 vcc, v4, v4\n@", "v_readfirstlane_b32 s20, v5", 4, 4,
     "access to single lanes after a vector instruction wrote exec needs # wait states, but there are $"},
    {"ExecToMatrix", "v_cmpx_eq_u32 vcc, v4, v4\n@", "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], 0", 4,
     4, "a matrix instruction after a vector instruction wrote exec needs # wait states, but there are $"},
    {"ExecToPermlane", "v_cmpx_eq_u32 vcc, v4, v4\n@", "v_permlane32_swap_b32 v4, v5", 0, 4,
     "permlane after a vector instruction wrote exec needs # wait states, but there are $"},
    {"M0ToLoadToLds", "s_mov_b32 m0, 0\n@", "global_load_lds_dword v1, s[4:5]", 1, 1,
     "a load to LDS after m0 was written needs # wait states, but there are $"},
    {"M0ToMovrel", "s_mov_b32 m0, 0\n@", "s_movrels_b32 s20, s4", 1, 1,
     "a use of m0 after it was written needs # wait states, but there are $"},
    {"SetRegisterToGetRegister", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 0\n@",
     "s_getreg_b32 s20, hwreg(HW_REG_MODE)", 2, 2,
     "access to a hardware register that was just set needs # wait states, but there are $"},
    {"SkipToVector", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0\n@", "v_mov_b32 v8, 0", 2, 2,
     "a vector instruction after skipping was switched needs # wait states, but there are $"},
    {"WideStoreOverwritten", "global_store_dwordx4 v1, v[4:7], s[6:7]\n@", "v_mov_b32 v5, 0", 2, 2,
     "overwriting the data of a wide store: v5 needs # wait states, but there are $"},
    // LLVM 22 leaves this one out.
    {"WideBufferStoreOverwritten", "buffer_store_dwordx4 v[4:7], v1, s[12:15], s16 offen\n@",
     "v_mov_b32 v5, 0", 2, 2,
     "overwriting the data of a wide buffer store with an SGPR offset (compilers miss this): v5 needs # wait "
     "states, but there are $"},
};

std::string filled(std::string text, unsigned needed) {
  for (size_t at; (at = text.find('#')) != std::string::npos;)
    text.replace(at, 1, std::to_string(needed));
  for (size_t at; (at = text.find('$')) != std::string::npos;)
    text.replace(at, 1, std::to_string(needed - 1));
  return text;
}

/// s_nop of that many wait states.
std::string waits(unsigned count) {
  std::string text;
  for (; count; count -= std::min(count, 8u))
    text += "s_nop " + std::to_string(std::min(count, 8u) - 1) + "\n";
  return text;
}

Report runWith(const char *chip, const Case &one, unsigned count) {
  std::string producer = one.producer;
  producer.replace(producer.find('@'), 1, waits(count));
  std::string text = "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 4, v0\ns_mov_b32 s16, 0\n"
                     "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\nv_mov_b32 v10, 0\n"
                     "v_mov_b32 v11, 0\nv_mov_b32 v12, 0\nv_mov_b32 v13, 0\nv_mov_b32 v14, 0\nv_mov_b32 v15, "
                     "0\ns_waitcnt lgkmcnt(0)\ns_mov_b64 s[12:13], s[6:7]\ns_movk_i32 s14, 0x1000\n"
                     "s_mov_b32 s15, 0x27000\nv_mov_b32 v16, s6\ns_nop 15\n" +
                     producer + one.consumer + "\ns_nop 15\ns_nop 15\n";
  KernelShape shape;
  shape.lds = 4096;
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(chip, text, shape));
  if (!simulator)
    return {};
  std::vector<uint32_t> in(1024), out(1024);
  std::vector<Buffer> buffers = {{"in", in.data(), 4096, Buffer::Access::Read},
                                 {"out", out.data(), 4096, Buffer::Access::Write}};
  return runKernel(*simulator, buffers, shape);
}

TEST(Hazards, OneTooFewIsReportedAndEnoughIsNot) {
  for (const char *chip : bothChips)
    for (const Case &one : cases) {
      unsigned needed = llvm::StringRef(chip) == "gfx942" ? one.needed942 : one.needed950;
      if (!needed)
        continue;
      SCOPED_TRACE(std::string(chip) + " " + one.name);
      Report report = runWith(chip, one, needed - 1);
      EXPECT_TRUE(report.completed) << report.reason;
      EXPECT_EQ(report.findings.size(), 1u) << allFindings(report);
      if (!report.findings.empty()) {
        EXPECT_EQ(report.findings[0].kind, "wait-states");
        EXPECT_EQ(report.findings[0].message, filled(one.message, needed));
      }
      report = runWith(chip, one, needed);
      EXPECT_TRUE(report.findings.empty()) << allFindings(report);
    }
}

// What needs no wait states at all.
TEST(Hazards, ForwardedAndUnrelated) {
  const Case none[] = {
      {"MatrixToSameC", f16, "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], v[8:11]", 0, 0, ""},
      {"DoubleMatrixToSameC", f64, "v_mfma_f64_16x16x4_f64 v[8:15], v[4:5], v[6:7], v[8:15]", 0, 0, ""},
      {"DotToOwnC", "v_dot2_f32_f16 v8, v4, v5, v6\n@", "v_dot2_f32_f16 v8, v4, v5, v8", 0, 0, ""},
      {"ScalarToVmem", "s_mov_b32 s6, s6\n@", "global_store_dword v1, v4, s[6:7]", 0, 0, ""},
      {"ValuToStoreData", "v_mov_b32 v4, 0\n@", "global_store_dword v1, v4, s[6:7]", 0, 0, ""},
      {"TransToTrans", "v_exp_f32 v8, v4\n@", "v_exp_f32 v9, v8", 0, 0, ""},
      {"NarrowStoreOverwritten", "global_store_dwordx2 v1, v[4:5], s[6:7]\n@", "v_mov_b32 v5, 0", 0, 0, ""},
      {"SingleOverwritesC", "v_mfma_f32_16x16x4_f32 v[8:11], v4, v6, v[12:15]\n@", "v_mov_b32 v12, 0", 0, 0,
       ""},
  };
  for (const char *chip : bothChips)
    for (const Case &one : none) {
      SCOPED_TRACE(std::string(chip) + " " + one.name);
      Report report = runWith(chip, one, 0);
      EXPECT_TRUE(report.completed);
      EXPECT_TRUE(report.findings.empty()) << allFindings(report);
    }
}

} // namespace
