// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/simulator.md shows an example of every check's message. Here are the kernels that give them.

#include "Engine.h"
#include "TestKernel.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

struct Example {
  FindingKind kind;
  const char *body; ///< in s[4:5] and s[6:7] the buffers "in" (read) and "out" (write), in v1 4 x work-item
  unsigned lds = 0, waves = 1, workgroups = 1;
  uint64_t instructionLimit = 0;
  double timeLimit = 0;
};

const Example examples[] = {
    {FindingKind::OutOfBounds, "global_load_dword v3, v1, s[4:5] offset:800\n"},
    {FindingKind::ReadOnlyStore, "global_store_dword v1, v0, s[4:5]\n"},
    {FindingKind::LdsOutOfBounds, "ds_write_b32 v1, v0 offset:4\n", 256},
    {FindingKind::Misaligned,
     "v_mov_b32 v4, 2\nv_mov_b32 v5, 0\nds_write_b64 v1, v[0:1]\nds_add_u32 v4, v5\n", 512},
    {FindingKind::UninitialisedRegister, "v_add_f32 v3, v9, v0\n"},
    {FindingKind::UninitialisedMemory, "ds_add_u32 v1, v0\n", 256},
    {FindingKind::MissingWait, "global_load_dword v3, v1, s[4:5]\nv_add_u32 v3, v3, v0\n"},
    {FindingKind::LdsRace,
     "v_xor_b32 v4, 0x100, v1\nds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\nds_read_b32 v5, v4\n", 512, 2},
    {FindingKind::WorkgroupConflict, "v_mov_b32 v5, s2\nglobal_store_dword v1, v5, s[6:7]\n", 0, 1, 2},
    {FindingKind::BarrierWithoutWait, "ds_write_b32 v1, v0\ns_barrier\n", 256},
    {FindingKind::WaitStates, "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\ns_nop 1\nv_mfma_f32_16x16x16_f16 v[8:11], "
                              "v[4:5], v[4:5], 0\ns_nop 5\n"
                              "v_add_f32 v3, v8, v8\n"},
    {FindingKind::RegisterBeyondAllocation, "v_mov_b32 v200, 0\n"},
    {FindingKind::PartialExec, "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\ns_mov_b64 exec, 1\ns_nop 1\n"
                               "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[4:5], 0\ns_mov_b64 exec, -1\n"},
    {FindingKind::BadControlFlow, "s_mov_b64 s[10:11], 0x1000\ns_setpc_b64 s[10:11]\n"},
    {FindingKind::Trap, "s_trap 2\n"},
    {FindingKind::Limit, ".Lloop:\ns_branch .Lloop\n", 0, 1, 1, 100000},
    {FindingKind::TimeLimit, ".Lloop:\ns_branch .Lloop\n", 0, 1, 1, 0, 0.25},
    {FindingKind::Deadlock,
     ".Lspin:\nglobal_load_dword v3, v1, s[6:7] sc1\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s10, v3\n"
     "s_cmp_lg_u32 s10, 7\ns_cbranch_scc1 .Lspin\n"},
};

std::string contents(const char *path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

TEST(DocumentedChecks, EveryKindHasAnExampleThatIsTrue) {
  std::string page = contents(LOWP_DOCS "/simulator.md");
  ASSERT_FALSE(page.empty());
  unsigned kind = 0;
  for (const Example &example : examples) {
    SCOPED_TRACE(name(example.kind));
    // Kinds in their order and none left out: after the last one, names end.
    EXPECT_EQ(unsigned(example.kind), kind++);
    KernelShape shape;
    shape.lds = example.lds;
    shape.block = 64 * example.waves;
    std::unique_ptr<Simulator> simulator =
        makeSimulator(kernelText("gfx950",
                                 "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 2, v0\n"
                                 "s_waitcnt lgkmcnt(0)\n" +
                                     std::string(example.body) + "s_waitcnt vmcnt(0) lgkmcnt(0)\n",
                                 shape));
    ASSERT_TRUE(simulator);
    std::vector<uint32_t> in(256), out(256);
    std::vector<Buffer> buffers = {{"in", in.data(), 1024, Buffer::Access::Read},
                                   {"out", out.data(), 1024, Buffer::Access::ReadWrite}};
    Options options;
    options.instructionLimit = example.instructionLimit;
    options.timeLimit = example.timeLimit;
    Report report = runKernel(*simulator, buffers, shape, options, example.workgroups);
    ASSERT_FALSE(report.findings.empty());
    for (const Finding &finding : report.findings)
      EXPECT_EQ(finding.kind, name(example.kind)) << finding.text();
    const Finding &last = report.findings.back();
    std::string row = llvm::formatv("| `{0}` | `{1}` |", last.kind, last.message);
    EXPECT_NE(page.find(row), std::string::npos) << "not in docs/simulator.md:\n" << row;
  }
  EXPECT_STREQ(name(FindingKind(kind)), "unknown");
}

} // namespace
