// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One small kernel per check: what it must report, and its correct twin, which must stay silent.

#include "TestKernel.h"

using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

struct Broken {
  const char *name;
  const char *kind;
  const char *wrong; ///< body of a kernel with two buffers, "in" (read) and "out" (write), of 1024 bytes each
  const char *right; ///< empty: no twin
  KernelShape shape = {};
};

std::string prologue(const std::string &body) {
  return "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_and_b32 v2, 63, v0\nv_lshlrev_b32 v1, 2, v2\n"
         "s_waitcnt lgkmcnt(0)\n" +
         body;
}

Report runBody(const char *chip, const std::string &body, const KernelShape &shape) {
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(chip, prologue(body), shape));
  if (!simulator)
    return {};
  std::vector<uint32_t> in(256), out(256);
  for (unsigned i = 0; i < 256; ++i)
    in[i] = i * 3;
  std::vector<Buffer> buffers = {{"in", in.data(), 1024, Buffer::Access::Read},
                                 {"out", out.data(), 1024, Buffer::Access::Write, false}};
  return runKernel(*simulator, buffers, shape);
}

KernelShape withLds(unsigned bytes, unsigned block = 64) {
  KernelShape shape;
  shape.lds = bytes;
  shape.block = block;
  return shape;
}
KernelShape withRegisters(unsigned vgprs, unsigned agprs) {
  KernelShape shape;
  shape.vgprs = vgprs;
  shape.agprs = agprs;
  return shape;
}

const Broken cases[] = {
    {"LoadOutside", "out-of-bounds", "global_load_dword v3, v1, s[4:5] offset:800\ns_waitcnt vmcnt(0)",
     "global_load_dword v3, v1, s[4:5] offset:768\ns_waitcnt vmcnt(0)"},
    {"StoreOutside", "out-of-bounds", "global_store_dword v1, v0, s[6:7] offset:-4",
     "global_store_dword v1, v0, s[6:7] offset:4"},
    {"StoreIntoReadOnly", "read-only-store", "global_store_dword v1, v0, s[4:5]",
     "global_store_dword v1, v0, s[6:7]"},
    {"UninitialisedVector", "uninitialised-register", "v_add_f32 v3, v9, v0",
     "v_mov_b32 v9, 0\nv_add_f32 v3, v9, v0"},
    {"UninitialisedAccumulator", "uninitialised-register",
     "v_accvgpr_read_b32 v3, a3\nglobal_store_dword v1, v3, s[6:7]",
     "v_accvgpr_write_b32 a3, v0\nv_accvgpr_read_b32 v3, a3\nglobal_store_dword v1, v3, s[6:7]"},
    {"UninitialisedScalar", "uninitialised-register", "s_add_u32 s20, s21, 1",
     "s_mov_b32 s21, 4\ns_add_u32 s20, s21, 1"},
    {"UninitialisedLaneSelect", "uninitialised-register", "v_readlane_b32 s20, v0, s21",
     "s_mov_b32 s21, 3\nv_readlane_b32 s20, v0, s21"},
    {"UninitialisedScc", "uninitialised-register", "s_cselect_b32 s20, 1, 0",
     "s_cmp_eq_u32 s4, 0\ns_cselect_b32 s20, 1, 0"},
    {"SccOfAnUndefinedComparison", "uninitialised-register",
     "s_and_b32 s20, s21, 1\ns_cbranch_scc1 .Lx\n.Lx:", "s_and_b32 s20, s4, 1\ns_cbranch_scc1 .Lx\n.Lx:"},
    {"UninitialisedVcc", "uninitialised-register",
     "s_cbranch_vccz .Lx\n.Lx:", "s_mov_b64 vcc, 0\ns_cbranch_vccz .Lx\n.Lx:"},
    {"UninitialisedM0", "uninitialised-register", "s_nop 0\nglobal_load_lds_dword v1, s[4:5]",
     "s_mov_b32 m0, 0\ns_nop 0\nglobal_load_lds_dword v1, s[4:5]", withLds(256)},
    {"UninitialisedGlobal", "uninitialised-register",
     "global_load_dword v3, v1, s[6:7]\ns_waitcnt vmcnt(0)\nv_cvt_f32_u32 v3, v3",
     "global_store_dword v1, v0, s[6:7]\ns_waitcnt vmcnt(0)\nglobal_load_dword v3, v1, s[6:7]\ns_waitcnt "
     "vmcnt(0)\n"
     "v_cvt_f32_u32 v3, v3"},
    {"UninitialisedLds", "uninitialised-register",
     "ds_read_b32 v3, v1\ns_waitcnt lgkmcnt(0)\nv_cvt_f32_u32 v3, v3",
     "ds_write_b32 v1, v0\nds_read_b32 v3, v1\ns_waitcnt lgkmcnt(0)\nv_cvt_f32_u32 v3, v3", withLds(256)},
    {"NoVmcnt", "missing-wait", "global_load_dword v3, v1, s[4:5]\nv_add_u32 v3, v3, v0",
     "global_load_dword v3, v1, s[4:5]\ns_waitcnt vmcnt(0)\nv_add_u32 v3, v3, v0"},
    {"VmcntTooLarge", "missing-wait",
     "global_load_dword v3, v1, s[4:5]\nglobal_load_dword v4, v1, s[4:5]\ns_waitcnt vmcnt(1)\nv_add_u32 v3, "
     "v4, v0",
     "global_load_dword v3, v1, s[4:5]\nglobal_load_dword v4, v1, s[4:5]\ns_waitcnt vmcnt(1)\nv_add_u32 v3, "
     "v3, v0"},
    {"ScalarLoadsReturnInAnyOrder", "missing-wait",
     "s_load_dword s20, s[4:5], 0x0\ns_load_dword s21, s[4:5], 0x4\ns_waitcnt lgkmcnt(1)\ns_add_u32 s22, "
     "s20, 1",
     "s_load_dword s20, s[4:5], 0x0\ns_load_dword s21, s[4:5], 0x4\ns_waitcnt lgkmcnt(0)\ns_add_u32 s22, "
     "s20, 1"},
    {"OverwrittenWhileLoading", "missing-wait", "global_load_dword v3, v1, s[4:5]\nv_mov_b32 v3, 0",
     "global_load_dword v3, v1, s[4:5]\ns_waitcnt vmcnt(0)\nv_mov_b32 v3, 0"},
    {"BarrierBeforeWrite", "barrier-without-wait", "ds_write_b32 v1, v0\ns_barrier",
     "ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier", withLds(256)},
    {"RaceReadAfterWrite", "lds-race",
     "v_lshlrev_b32 v3, 2, v0\nv_xor_b32 v4, 0x100, v3\nds_write_b32 v3, v0\ns_waitcnt lgkmcnt(0)\n"
     "ds_read_b32 v5, v4\ns_waitcnt lgkmcnt(0)",
     "v_lshlrev_b32 v3, 2, v0\nv_xor_b32 v4, 0x100, v3\nds_write_b32 v3, v0\ns_waitcnt "
     "lgkmcnt(0)\ns_barrier\n"
     "ds_read_b32 v5, v4\ns_waitcnt lgkmcnt(0)",
     withLds(512, 128)},
    {"LdsBeyondAllocation", "lds-out-of-bounds", "ds_write_b32 v1, v0 offset:4\ns_waitcnt lgkmcnt(0)",
     "ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)", withLds(256)},
    {"MatrixResultTooEarly", "wait-states",
     "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\ns_nop 1\nv_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[4:5], 0\ns_nop "
     "5\n"
     "v_add_f32 v3, v8, v8",
     "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\ns_nop 1\nv_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[4:5], 0\ns_nop "
     "7\n"
     "v_add_f32 v3, v8, v8"},
    {"MatrixChainIsForwarded", nullptr, nullptr,
     "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\ns_nop 1\nv_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[4:5], 0\n"
     "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[4:5], v[8:11]"},
    {"MatrixOperandTooEarly", "wait-states",
     "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[4:5], 0",
     "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\ns_nop 1\nv_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[4:5], 0"},
    {"ScalarFromVectorToMemory", "wait-states",
     "v_readfirstlane_b32 s20, v0\nbuffer_load_dword v3, v1, s[4:7], s20 offen", ""},
    {"TransResultTooEarly", "wait-states", "v_mov_b32 v4, 1.0\nv_exp_f32 v4, v4\nv_add_f32 v5, v4, v4",
     "v_mov_b32 v4, 1.0\nv_exp_f32 v4, v4\ns_nop 0\nv_add_f32 v5, v4, v4"},
    {"WideStoreOverwritten", "wait-states",
     "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\nv_lshlrev_b32 v1, 4, v2\n"
     "global_store_dwordx4 v1, v[4:7], s[6:7]\nv_mov_b32 v5, 1",
     "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\nv_lshlrev_b32 v1, 4, v2\n"
     "global_store_dwordx4 v1, v[4:7], s[6:7]\ns_nop 1\nv_mov_b32 v5, 1"},
    {"PartialExec", "partial-exec",
     "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\ns_mov_b64 exec, 1\ns_nop 1\n"
     "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[4:5], 0",
     ""},
    {"RegisterBeyondAllocation", "register-beyond-allocation", "v_mov_b32 v40, 0", "v_mov_b32 v39, 0",
     withRegisters(40, 8)},
    {"AccumulatorBeyondAllocation", "register-beyond-allocation", "v_accvgpr_write_b32 a8, 0",
     "v_accvgpr_write_b32 a7, 0", withRegisters(40, 8)},
    {"Trap", "trap", "s_trap 2", ""},
};

TEST(Checks, EachReportsItsMistakeAndOnlyThat) {
  for (const char *chip : bothChips)
    for (const Broken &one : cases) {
      SCOPED_TRACE(std::string(chip) + " " + one.name);
      if (one.wrong) {
        Report report = runBody(chip, one.wrong, one.shape);
        EXPECT_TRUE(hasFinding(report, one.kind)) << allFindings(report);
      }
      if (one.right && *one.right) {
        Report report = runBody(chip, one.right, one.shape);
        EXPECT_TRUE(report.completed);
        EXPECT_TRUE(report.findings.empty()) << allFindings(report);
      }
    }
}

TEST(Checks, FindingsNameThePlace) {
  Report report = runBody("gfx942", "global_load_dword v3, v1, s[4:5] offset:800\ns_waitcnt vmcnt(0)", {});
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding &finding = report.findings[0];
  EXPECT_EQ(finding.kernel, "test");
  EXPECT_EQ(finding.count, 8u); // lanes 56 to 63
  EXPECT_EQ(finding.lanes, uint64_t(1) << 56);
  EXPECT_NE(finding.disassembly.find("global_load_dword"), std::string::npos);
  EXPECT_NE(finding.message.find("byte 1024 of 'in' (1024 bytes), 4 bytes past its end"), std::string::npos)
      << finding.message;
}

TEST(Checks, InstructionLimitEndsALoop) {
  KernelShape shape;
  std::unique_ptr<Simulator> simulator =
      makeSimulator(kernelText("gfx950", ".Lloop:\ns_branch .Lloop", shape));
  ASSERT_TRUE(simulator);
  Options options;
  options.instructionLimit = 10000;
  Report report = runKernel(*simulator, {}, shape, options);
  EXPECT_FALSE(report.completed);
  EXPECT_TRUE(hasFinding(report, "instruction-limit"));
}

// Copies to LDS arrive as late as the waits allow: reading before the wait gives the old content, and is
// reported.
TEST(Checks, DirectCopiesLandAtTheirWait) {
  for (bool waits : {false, true}) {
    std::string body =
        "v_mov_b32 v3, 77\nds_write_b32 v1, v3\ns_waitcnt lgkmcnt(0)\ns_mov_b32 m0, 0\ns_nop 0\n"
        "v_mov_b32 v5, 0\nglobal_load_lds_dword v1, s[4:5]\n" +
        std::string(waits ? "s_waitcnt vmcnt(0)\n" : "") +
        "ds_read_b32 v4, v1\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v4, s[6:7]\n";
    KernelShape shape = withLds(256);
    std::unique_ptr<Simulator> simulator = makeSimulator(kernelText("gfx942", prologue(body), shape));
    ASSERT_TRUE(simulator);
    std::vector<uint32_t> in(256, 5), out(256);
    std::vector<Buffer> buffers = {{"in", in.data(), 1024, Buffer::Access::Read},
                                   {"out", out.data(), 1024, Buffer::Access::Write}};
    Report report = runKernel(*simulator, buffers, shape);
    EXPECT_EQ(out[9], waits ? 5u : 77u);
    EXPECT_EQ(hasFinding(report, "lds-race"), !waits) << allFindings(report);
  }
}

} // namespace
