// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that change how others execute: VSKIP, register indexing, hardware registers, relative moves.

#include "TestKernel.h"

using namespace lowp::sim;
using namespace lowp::sim::test;

using u32 = uint32_t;

namespace {

std::vector<u32> row(u32 first) {
  std::vector<u32> values(64);
  for (unsigned lane = 0; lane < 64; ++lane)
    values[lane] = first + lane;
  return values;
}

TEST(Control, VskipSkipsVectorInstructionsOnly) {
  for (llvm::StringRef chip : bothChips) {
    RowsResult result =
        runRows(chip,
                "v_mov_b32 v40, 1\nv_mov_b32 v3, 0\nds_write_b32 v3, v40\n"
                "s_waitcnt lgkmcnt(0)\ns_mov_b32 s20, 2\ns_setvskip s20, 1\ns_nop 1\n" // bit 1 of 2
                "v_mov_b32 v40, 2\nds_write_b32 v3, v10\nglobal_load_dword v40, v1, s[4:5]\n"
                "v_mfma_f32_16x16x16_f16 v[40:43], v[10:11], v[10:11], 0\n"
                "s_mov_b32 s21, 7\ns_setvskip 0, 0\ns_nop 1\n"
                // Nothing is in flight: no counter moved.
                "v_mov_b32 v41, s21\nds_read_b32 v42, v3\ns_waitcnt lgkmcnt(0)\n",
                {row(100)}, 3, true, [] {
                  KernelShape shape;
                  shape.lds = 256;
                  return shape;
                }());
    for (unsigned lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(result.rows[0][lane], 1u);
      EXPECT_EQ(result.rows[1][lane], 7u);
      EXPECT_EQ(result.rows[2][lane], 1u);
    }
  }
}

TEST(Control, IndexingMovesTheOperandsThatItsModeSays) {
  for (llvm::StringRef chip : bothChips) {
    RowsResult result =
        runRows(chip,
                "v_mov_b32 v40, 0\nv_mov_b32 v41, 0\nv_mov_b32 v42, 0\nv_mov_b32 v43, 0\nv_mov_b32 v44, 0\n"
                "v_mov_b32 v45, 0\nv_accvgpr_write_b32 a2, v10\nv_mov_b32 v50, 0\nv_mov_b32 v52, 5\ns_nop 1\n"
                "s_set_gpr_idx_on 2, gpr_idx(SRC0)\nv_mov_b32 v40, v10\n"         // v12
                "s_nop 1\nv_accvgpr_read_b32 v41, a0\n"                           // a2
                "v_sub_u32 v42, v10, v11\n"                                       // v12 - v11
                "s_set_gpr_idx_mode gpr_idx(SRC1,DST)\nv_sub_u32 v41, v10, v11\n" // v43 = v10 - v13
                "s_mov_b32 s20, 1\ns_set_gpr_idx_idx s20\ns_set_gpr_idx_mode gpr_idx(DST)\n"
                "v_mov_b32 v43, 9\n" // v44
                "s_set_gpr_idx_off\nv_mov_b32 v45, v10\n"
                "s_mov_b32 m0, 0\n",
                {row(100), row(1000), row(20), row(3)}, 6);
    for (unsigned lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(result.rows[0][lane], 20 + lane) << lane;
      EXPECT_EQ(result.rows[1][lane], 100 + lane) << lane;
      EXPECT_EQ(result.rows[2][lane], 20u - 1000u) << lane;
      EXPECT_EQ(result.rows[3][lane], 97u) << lane;
      EXPECT_EQ(result.rows[4][lane], 9u) << lane;
      EXPECT_EQ(result.rows[5][lane], 100 + lane) << lane;
    }
  }
}

TEST(Control, ATiedSourceMovesWithTheDestination) {
  // v_fmac's addend is its destination: both are v42 with an index of 2.
  RowsResult result =
      runRows("gfx942",
              "v_mov_b32 v40, 1.0\nv_mov_b32 v41, 1.0\nv_mov_b32 v42, 4.0\n"
              "s_set_gpr_idx_on 2, gpr_idx(DST)\nv_fmac_f32 v40, v41, v41\ns_set_gpr_idx_off\n",
              {row(0)}, 3);
  EXPECT_EQ(result.rows[0][0], 0x3f800000u);
  EXPECT_EQ(result.rows[2][0], 0x40a00000u); // 1 * 1 + 4
}

TEST(Control, AnIndexBeyondTheRegistersIsAFinding) {
  std::unique_ptr<Simulator> simulator = makeSimulator(
      kernelText("gfx950", "s_set_gpr_idx_on 0xff, gpr_idx(SRC0)\nv_mov_b32 v2, v1\ns_set_gpr_idx_off\n"));
  ASSERT_TRUE(simulator);
  EXPECT_TRUE(hasFinding(runKernel(*simulator, {}), "register-beyond-allocation"));
}

TEST(Control, HardwareRegisters) {
  for (llvm::StringRef chip : bothChips) {
    KernelShape shape;
    shape.lds = 1000;
    RowsResult result =
        runRows(chip,
                "s_getreg_b32 s20, hwreg(HW_REG_MODE, 4, 4)\n" // both denormal modes
                "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3\ns_nop 1\ns_mov_b32 s21, 1\n"
                "s_setreg_b32 hwreg(HW_REG_MODE, 2, 2), s21\ns_nop 1\n"
                "s_getreg_b32 s22, hwreg(HW_REG_MODE, 0, 4)\n"
                "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\ns_nop 1\n"
                "s_getreg_b32 s23, hwreg(HW_REG_LDS_ALLOC, 12, 10)\n"
                "s_getreg_b32 s24, hwreg(HW_REG_GPR_ALLOC, 12, 6)\ns_setprio 2\ns_cmp_eq_u32 s20, s20\n"
                "s_getreg_b32 s25, hwreg(HW_REG_STATUS)\ns_getreg_b32 s26, hwreg(HW_REG_XCC_ID)\n"
                "v_mov_b32 v40, s20\nv_mov_b32 v41, s22\nv_mov_b32 v42, s23\nv_mov_b32 v43, s24\n"
                "v_mov_b32 v44, s25\nv_mov_b32 v45, s26\n",
                {row(0)}, 6, true, shape);
    EXPECT_EQ(result.rows[0][0], 15u);
    EXPECT_EQ(result.rows[1][0], 3u | 1u << 2);
    EXPECT_EQ(result.rows[2][0], 4u);           // in units of 256 bytes
    EXPECT_EQ(result.rows[3][0], 128u / 4 - 1); // where the accumulation registers begin
    EXPECT_EQ(result.rows[4][0] & 0x1ffff & ~(1u << 10), 1u | 2u << 3 | 1u << 16); // SCC, priority, VALID
    EXPECT_EQ(result.rows[5][0], 0u);
  }
}

TEST(Control, HardwareRegistersThatAreNoneAreRefused) {
  std::vector<char> code = kernelText("gfx950", "s_getreg_b32 s3, hwreg(30)\n");
  auto simulator =
      Simulator::create(llvm::MemoryBufferRef(llvm::StringRef(code.data(), code.size()), "test"));
  ASSERT_FALSE(bool(simulator));
  EXPECT_NE(llvm::toString(simulator.takeError()).find("s_getreg_b32"), std::string::npos);
}

TEST(Control, RelativeMoves) {
  RowsResult result =
      runRows("gfx942",
              "s_mov_b64 s[20:21], 0x11\ns_mov_b64 s[22:23], 0x22\ns_mov_b32 m0, 2\ns_nop 1\n"
              "s_movrels_b32 s30, s20\ns_movreld_b32 s31, 0x77\n" // s22; s33
              "s_movrels_b64 s[34:35], s[20:21]\n"
              "v_mov_b32 v40, s30\nv_mov_b32 v41, s33\nv_mov_b32 v42, s34\nv_mov_b32 v43, s35\n",
              {row(0)}, 4);
  EXPECT_EQ(result.rows[0][0], 0x22u);
  EXPECT_EQ(result.rows[1][0], 0x77u);
  EXPECT_EQ(result.rows[2][0], 0x22u);
  EXPECT_EQ(result.rows[3][0], 0u);
}

TEST(Control, ScalarMasks) {
  RowsResult result =
      runRows("gfx950",
              "s_mov_b32 s20, 0x80100201\ns_quadmask_b32 s21, s20\ns_wqm_b32 s22, s20\n"
              "s_bitreplicate_b64_b32 s[24:25], s20\n"
              "s_mov_b64 s[26:27], exec\ns_mov_b64 s[28:29], 0xf\n"
              "s_andn1_wrexec_b64 s[30:31], s[28:29]\n" // ~0xf & exec
              "s_mov_b64 exec, s[26:27]\n"
              "v_mov_b32 v40, s21\nv_mov_b32 v41, s22\nv_mov_b32 v42, s24\nv_mov_b32 v43, s25\n"
              "v_mov_b32 v44, s30\n",
              {row(0)}, 5);
  EXPECT_EQ(result.rows[0][0], 0xa5u);
  EXPECT_EQ(result.rows[1][0], 0xf0f00f0fu);
  EXPECT_EQ(result.rows[2][0], 0x000c0003u);
  EXPECT_EQ(result.rows[3][0], 0xc0000300u);
  EXPECT_EQ(result.rows[4][0], 0xfffffff0u);
}

TEST(Control, SetkillEndsTheWave) {
  std::vector<u32> out(64, 5);
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(
      "gfx942", "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n"
                "s_setkill 1\nglobal_store_dword v1, v1, s[4:5]\n"));
  ASSERT_TRUE(simulator);
  Report report = runKernel(*simulator, {{"out", out.data(), 256, Buffer::Access::ReadWrite}});
  EXPECT_TRUE(report.completed);
  EXPECT_EQ(out, std::vector<u32>(64, 5));
}

} // namespace
