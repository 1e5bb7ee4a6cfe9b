// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a kernel whose numbers are given.

#include "lowp/Driver/KernelReport.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace lowp;
using sim::InstructionKind;

/// Four waves, a loop of 16 products and nothing that is amiss.
static KernelReport cleanReport() {
  KernelReport report;
  report.target = "chip";
  report.entry = "gemm";
  report.variant = "large";
  report.kernel = "gemm.large";
  report.vgprs = 100;
  report.agprs = 28;
  report.readConflicts = report.writeConflicts = 0;
  report.resources.wavesPerWorkgroup = 4;
  report.resources.wavesByRegisters = 4;
  report.resources.wavesByLds = report.resources.wavesPerSimd = 2;
  report.loop.emplace();
  report.loop->first = 0x100;
  report.loop->last = 0x1fc;
  report.loop->instructions = 20;
  report.loop->byKind[unsigned(InstructionKind::Matrix)] = 16;
  report.loop->byKind[unsigned(InstructionKind::LdsRead)] = 4;
  report.loop->longestRun = 2;
  report.loop->matrixClocks = 256;
  report.loop->valuClocks = 256;
  report.loop->ldsClocks = 64;
  report.loop->multiplyAdds = 1 << 18;
  report.loop->vmcnt[6] = 1;
  return report;
}

static std::string adviceOf(const KernelReport &report) { return llvm::join(report.advice(), "\n"); }

TEST(KernelReport, TheTextOfACleanKernelHasNoAdvice) {
  EXPECT_EQ(
      cleanReport().text(),
      "kernel gemm.large on chip: entry 'gemm', variant 'large'\n"
      "  registers       100 VGPRs, 28 AGPRs, 0 SGPRs; 0 and 0 spilled, 0 bytes of scratch\n"
      "  LDS             0 bytes; bank conflicts: 0 extra clocks a read, 0 a write\n"
      "  occupancy       2 waves on a SIMD, limited by LDS (registers allow 4, LDS 2); 4 waves in a "
      "workgroup\n"
      "  hot loop        0x100 to 0x1fc, depth 1; of one wave and trip:\n"
      "    matrix           16\n"
      "    LDS reads         4\n"
      "    in all           20\n"
      "  longest run     2 instructions without a matrix instruction\n"
      "  waits           vmcnt(6) once\n"
      "  wait states     0 of s_nop\n"
      "  clocks          256 matrix core, 256 vector ALU of a SIMD, 256 LDS; matrix 100 % of the busiest\n"
      "  overhead        16.0 instructions other than matrix ones for 2^20 multiply-adds\n");
}

TEST(KernelReport, LoadsOfAWaveAWorkgroupAndAComputeUnit) {
  KernelReport report = cleanReport();
  report.loop->loads = {20, 8192, 6144};
  EXPECT_NE(
      report.text().find("  from memory     8192 bytes a wave and trip, 2.5 instructions a KiB; in flight at "
                         "waits at least 6144 a wave, 24576 a workgroup, 49152 a compute unit\n"),
      std::string::npos)
      << report.text();
  report.loop.reset();
  report.straightLoads = LoadCounts{30, 2048, 1024};
  EXPECT_NE(report.text().find(
                "  from memory     2048 bytes a wave, 15.0 instructions a KiB; in flight at waits at "
                "most 1024 a wave, 4096 a workgroup, 8192 a compute unit\n"),
            std::string::npos)
      << report.text();
  llvm::json::Value json = report.toJSON();
  EXPECT_EQ(json.getAsObject()->getObject("loads")->getInteger("in_flight_unit"), 8192);
}

TEST(KernelReport, ClocksAreThoseOfAWorkgroup) {
  KernelReport report = cleanReport();
  report.resources.wavesPerWorkgroup = 8;
  EXPECT_EQ(report.matrixClocks(), 512u);
  EXPECT_EQ(report.ldsClocks(), 512u);
  report.resources.wavesPerWorkgroup = 1; // one SIMD is busy
  EXPECT_EQ(report.matrixClocks(), 256u);
  EXPECT_EQ(report.ldsClocks(), 64u);
}

TEST(KernelReport, EachMissedBudgetHasItsAdvice) {
  auto with = [](void (*change)(KernelReport &)) {
    KernelReport report = cleanReport();
    change(report);
    return adviceOf(report);
  };
  EXPECT_EQ(with([](KernelReport &r) { r.vgprSpills = 1, r.sgprSpills = 3, r.resources.scratch = 8; }),
            "1 vector register and 3 scalar registers are spilled: a smaller tile or fewer stages need less");
  EXPECT_EQ(with([](KernelReport &r) { r.resources.scratch = 8; }), "8 bytes of scratch a lane");
  EXPECT_EQ(with([](KernelReport &r) { r.writeConflicts = 24; }),
            "LDS accesses meet bank conflicts: a read takes up to 0 extra clocks, a write up to 24");
  EXPECT_EQ(
      with([](KernelReport &r) { r.loop->vmcnt[0] = 2; }),
      "2 waits at vmcnt(0) in the loop: nothing stays in flight across it; more stages keep loads on their "
      "way");
  EXPECT_EQ(with([](KernelReport &r) { r.loop->byKind[unsigned(InstructionKind::AccumulatorCopy)] = 1; }),
            "1 v_accvgpr copy in the loop: values move between the two halves of the register file");
  EXPECT_EQ(with([](KernelReport &r) { r.loop->byKind[unsigned(InstructionKind::Scratch)] = 2; }),
            "2 scratch accesses in the loop: spilled values go to memory");
  EXPECT_EQ(with([](KernelReport &r) { r.loop->waitStates = 5; }),
            "5 wait states of s_nop in the loop: dependent instructions stand too close to each other");
  EXPECT_EQ(with([](KernelReport &r) { r.loop->ldsClocks = 65; }),
            "a trip takes 260 clocks of the LDS, more than the 256 of the matrix core");
  EXPECT_EQ(with([](KernelReport &r) { r.loop->valuClocks = 257; }),
            "a trip takes 257 clocks of the vector ALU, more than the 256 of the matrix core");
}

TEST(KernelReport, UnknownConflictsAndNoLoop) {
  KernelReport report = cleanReport();
  report.readConflicts.reset();
  report.loop.reset();
  EXPECT_NE(report.text().find("  LDS             0 bytes\n"), std::string::npos);
  EXPECT_NE(report.text().find("  hot loop        none: no loop has matrix instructions\n"),
            std::string::npos);
  llvm::json::Value json = report.toJSON();
  EXPECT_TRUE(json.getAsObject()->get("loop")->getAsNull());
  EXPECT_TRUE(json.getAsObject()->get("lds_read_conflicts")->getAsNull());
}

TEST(KernelReport, AdviceStandsAtTheProduct) {
  KernelReport report = cleanReport();
  report.loop->waitStates = 1;
  EXPECT_TRUE(llvm::StringRef(report.text()).contains("\n  advice: 1 wait state of s_nop in the loop"));
  report.place = "gemm.mlir:3:8";
  EXPECT_TRUE(llvm::StringRef(report.text()).contains("\n  gemm.mlir:3:8: advice: 1 wait state of s_nop"));
}
