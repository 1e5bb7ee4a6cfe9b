// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters and listings, on kernels whose counts can be told by looking at them.

#include "../../lib/Sim/Counters.h"
#include "TestKernel.h"
#include "lowp/Sim/ReportText.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

const PcCount *countOf(const Report &report, StringRef text) {
  for (const PcCount &count : report.counters.byPc)
    if (StringRef(count.disassembly).starts_with(text))
      return &count;
  ADD_FAILURE() << "not executed: " << text.str();
  static const PcCount none;
  return &none;
}

/// Five times: a load of 64 dwords `stride` bytes apart, by half of the lanes if `half`.
std::string loopBody(unsigned stride, bool half) {
  return "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_mul_u32_u24 v1, " + std::to_string(stride) +
         ", v0\nv_lshlrev_b32 v3, 2, v0\ns_mov_b32 s8, 0\ns_waitcnt lgkmcnt(0)\n" +
         (half ? "s_mov_b32 exec_hi, 0\n" : "") +
         ".Lloop:\nglobal_load_dword v2, v1, s[4:5]\ns_waitcnt vmcnt(0)\ns_add_u32 s8, s8, 1\n"
         "s_cmp_lt_u32 s8, 5\ns_cbranch_scc1 .Lloop\nglobal_store_dword v3, v2, s[6:7]\n";
}

Report runLoop(unsigned stride, bool half, unsigned workgroups, unsigned threads = 2) {
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText("gfx950", loopBody(stride, half)));
  std::vector<uint8_t> in(64 * std::max(stride, 4u)), out(256);
  std::vector<Buffer> buffers = {{"in", in.data(), in.size(), Buffer::Access::Read},
                                 {"out", out.data(), out.size(), Buffer::Access::Write}};
  Options options;
  options.threads = threads;
  return runKernel(*simulator, buffers, {}, options, workgroups);
}

TEST(Report, CountsLanesBytesAndCacheLines) {
  struct {
    unsigned stride;
    bool half;
  } cases[] = {{4, false}, {4, true}, {128, false}, {128, true}, {0, false}, {64, false}};
  for (const auto &c : cases) { // buffers begin at a multiple of 256 bytes: 64 dwords are two lines
    Report report = runLoop(c.stride, c.half, 3);
    const PcCount *load = countOf(report, "global_load_dword");
    uint64_t lanes = c.half ? 32 : 64;
    EXPECT_EQ(load->executions, 15u);
    EXPECT_EQ(load->activeLanes, 15 * lanes);
    EXPECT_EQ(load->bytes, 15 * lanes * 4);
    uint64_t lines = c.stride == 0 ? 1 : (lanes * c.stride + 127) / 128;
    EXPECT_EQ(load->cacheLines, 15 * lines) << c.stride;
    ASSERT_EQ(report.counters.buffers.size(), 2u);
    EXPECT_EQ(report.counters.buffers[0].name, "in");
    EXPECT_EQ(report.counters.buffers[0].read, 15 * lanes * 4);
    EXPECT_EQ(report.counters.buffers[0].written, 0u);
    EXPECT_EQ(report.counters.buffers[1].written, 3 * lanes * 4);
    EXPECT_EQ(report.counters.globalBytesRead, 15 * lanes * 4);
  }
}

TEST(Report, CountsBranchesWaitsAndLoops) {
  Report report = runLoop(4, false, 3);
  const PcCount *branch = countOf(report, "s_cbranch_scc1"), *load = countOf(report, "global_load_dword");
  EXPECT_EQ(branch->executions, 15u);
  EXPECT_EQ(branch->taken, 12u);
  const PcCount *wait = countOf(report, "s_waitcnt vmcnt(0)");
  EXPECT_EQ(wait->waited, 15u);
  EXPECT_EQ(wait->waitedFor, load->pc);
  ASSERT_EQ(report.code.size(), 1u);
  std::vector<CodeLoop> loops = findLoops(report.code[0], report.counters);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].first, load->pc);
  EXPECT_EQ(loops[0].last, branch->pc);
  EXPECT_EQ(loops[0].iterations, 15u);
  EXPECT_EQ(loops[0].entries, 3u);
}

TEST(Report, NestedLoopsHaveDepths) {
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(
      "gfx942", "s_mov_b32 s4, 0\n.Louter:\ns_mov_b32 s5, 0\n.Linner:\ns_add_u32 s5, s5, 1\n"
                "s_cmp_lt_u32 s5, 3\ns_cbranch_scc1 .Linner\ns_add_u32 s4, s4, 1\ns_cmp_lt_u32 s4, 7\n"
                "s_cbranch_scc1 .Louter\n"));
  ASSERT_TRUE(simulator);
  Report report = runKernel(*simulator, {});
  std::vector<CodeLoop> loops = findLoops(report.code[0], report.counters);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].depth, 1u);
  EXPECT_EQ(loops[0].iterations, 7u);
  EXPECT_EQ(loops[0].entries, 1u);
  EXPECT_EQ(loops[1].depth, 2u);
  EXPECT_EQ(loops[1].iterations, 21u);
  EXPECT_EQ(loops[1].entries, 7u);
}

TEST(Report, IsTheSameForAnyNumberOfThreads) {
  std::string first;
  for (unsigned threads : {1u, 2u, 5u}) {
    Report report = runLoop(128, false, 40, threads);
    std::string all = formatv("{0:2}", report.toJSON()).str() + annotate(report) + statistics(report);
    if (first.empty())
      first = all;
    EXPECT_EQ(all, first) << threads << " threads";
  }
}

TEST(Report, FindingsStandAtTheirInstruction) {
  std::unique_ptr<Simulator> simulator =
      makeSimulator(kernelText("gfx950", "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32 v1, 3, v0\n"
                                         "s_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v0, s[4:5]\n"));
  ASSERT_TRUE(simulator);
  std::vector<uint32_t> out(64);
  std::vector<Buffer> buffers = {{"out", out.data(), 256, Buffer::Access::Write}};
  std::string text = annotate(runKernel(*simulator, buffers));
  size_t store = text.find("global_store_dword v1, v0, s[4:5]"),
         finding = text.find("! out-of-bounds, 32 times");
  ASSERT_NE(store, std::string::npos) << text;
  ASSERT_NE(finding, std::string::npos) << text;
  EXPECT_LT(store, finding);
  EXPECT_EQ(StringRef(text).slice(store, finding).count('\n'), 1u) << text;
  for (StringRef rest = text; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    EXPECT_LE(line.size(), 140u) << line.str();
    rest = next;
  }
}

TEST(Report, KnowsTheWorkOfEveryMatrixInstruction) {
  for (const OpEntry &op : mfmaOps())
    if (op.unit == Unit::Mfma) {
      EXPECT_GT(matrixFlops(op.name), 0) << op.name;
    }
  EXPECT_EQ(matrixFlops("v_mfma_f32_16x16x32_fp8_fp8"), 16384);
  EXPECT_EQ(matrixFlops("v_mfma_scale_f32_32x32x64_f8f6f4"), 131072);
  EXPECT_EQ(matrixFlops("v_mfma_f32_4x4x4_16b_f16"), 2048);
  EXPECT_EQ(matrixFlops("v_mfma_f32_32x32x1_2b_f32"), 4096);
  EXPECT_EQ(matrixFlops("v_mfma_f64_16x16x4_f64"), 2048);
  EXPECT_EQ(matrixFlops("v_add_f32"), 0);
}

TEST(Report, KnowsTheBytesOfEveryLdsAccess) {
  for (const OpEntry &op : dsOps())
    if (op.unit == Unit::DsRead || op.unit == Unit::DsWrite) {
      EXPECT_GT(ldsLaneBytes(op.name), 0u) << op.name;
    }
  EXPECT_EQ(ldsLaneBytes("ds_read_b128"), 16u);
  EXPECT_EQ(ldsLaneBytes("ds_read2st64_b64"), 16u);
  EXPECT_EQ(ldsLaneBytes("ds_read_b64_tr_b16"), 8u);
  EXPECT_EQ(ldsLaneBytes("ds_write_b8"), 1u);
  EXPECT_EQ(ldsLaneBytes("ds_read_u16_d16_hi"), 2u);
}

TEST(Report, OccupancyFollowsTheAllocation) {
  struct {
    const char *chip;
    unsigned vgprs, agprs, lds, block, byRegisters, byLds;
    const char *limit;
  } cases[] = {
      // LLVM's table for registers. LDS is given out in units, of 1280 bytes on the later chip: four
      // workgroups of 32768 bytes fit, though 163840 / 32768 is 5.
      {"gfx942", 64, 0, 0, 256, 8, 8, "the chip"},     {"gfx942", 64, 8, 0, 256, 7, 8, "registers"},
      {"gfx950", 128, 128, 0, 256, 2, 8, "registers"}, {"gfx950", 256, 256, 0, 256, 1, 8, "registers"},
      {"gfx942", 64, 0, 16384, 256, 8, 4, "LDS"},      {"gfx942", 64, 0, 16385, 256, 8, 3, "LDS"},
      {"gfx950", 64, 0, 32768, 256, 8, 4, "LDS"},      {"gfx950", 64, 0, 81920, 256, 8, 2, "LDS"},
  };
  for (const auto &c : cases) {
    KernelShape shape;
    shape.vgprs = c.vgprs;
    shape.agprs = c.agprs;
    shape.lds = c.lds;
    shape.block = c.block;
    std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(c.chip, "s_nop 0", shape));
    ASSERT_TRUE(simulator);
    LaunchFacts facts = runKernel(*simulator, {}, shape).launch;
    EXPECT_EQ(facts.wavesByRegisters, c.byRegisters) << c.vgprs << "+" << c.agprs;
    EXPECT_EQ(facts.wavesByLds, c.byLds) << c.lds;
    EXPECT_STREQ(facts.limit(), c.limit) << c.vgprs << "+" << c.agprs << ", " << c.lds;
    EXPECT_EQ(facts.vgprs, c.vgprs);
    EXPECT_EQ(facts.agprs, c.agprs);
  }
}

} // namespace
