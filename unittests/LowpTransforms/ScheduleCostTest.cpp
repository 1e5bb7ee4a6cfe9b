// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of schedules: against efficiencies that AMD published, and what has to hold of any product.
#include "lowp/Dialect/Lowp/Transforms/ScheduleCandidates.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleChoice.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleLegality.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace lowp;

namespace {

class ScheduleTest : public testing::Test {
protected:
  ScheduleTest() { context.loadDialect<LowpDialect, func::FuncDialect>(); }

  /// `m`, `n`, `k` as in a type: "?" or a number.
  MatmulOp product(StringRef m, StringRef n, StringRef k, StringRef type,
                   StringRef transposes = "transpose_b") {
    bool a = transposes.contains("transpose_a"), b = transposes.contains("transpose_b");
    std::string typeA = llvm::formatv("tensor<{0}x{1}x{2}>", a ? k : m, a ? m : k, type);
    std::string typeB = llvm::formatv("tensor<{0}x{1}x{2}>", b ? n : k, b ? k : n, type);
    std::string typeD = llvm::formatv("tensor<{0}x{1}xbf16>", m, n);
    std::string text = llvm::formatv("func.func @f(%a: {0}, %b: {1}) -> {2} {{\n"
                                     "  %d = lowp.matmul %a, %b {3} : {0}, {1} -> {2}\n"
                                     "  return %d : {2}\n}",
                                     typeA, typeB, typeD, transposes);
    modules.push_back(parseSourceString<ModuleOp>(text, &context));
    MatmulOp found;
    if (modules.back())
      modules.back()->walk([&](MatmulOp op) { found = op; });
    return found;
  }

  ScheduleAttr tile(int64_t m, int64_t n, int64_t k, int64_t stages) {
    return ScheduleAttr::get(&context, "t", {m, n, k}, {2, 2, 1}, {16, 16, 32}, {2, 2}, 2, Order::Interleave,
                             stages, Staging::Direct, 16, 8, false, 1, 0, 8, 8, /*splits=*/1);
  }

  MLIRContext context;
  std::vector<OwningOpRef<ModuleOp>> modules;
};

// gfx950-gluon-tutorials, docs/tcp_bound_tile_model.md: matrix efficiency of loops over K = 8192 in f16 by
// four waves, one workgroup on each of 256 compute units. Two points of slack.
TEST_F(ScheduleTest, PublishedEfficiencies) {
  struct Row {
    int64_t m, n;
    double lo, hi;
  };
  for (Row row : {Row{256, 256, 96, 100},
                  {256, 128, 83, 94},
                  {128, 256, 84, 94},
                  {128, 128, 69, 70},
                  {256, 64, 55, 56},
                  {64, 256, 55, 57},
                  {64, 128, 47, 47},
                  {128, 64, 47, 47}}) {
    ProblemSize size;
    size.rows = 16 * row.m;
    size.columns = 16 * row.n;
    size.depth = 8192;
    ScheduleCost cost =
        scheduleCost(product("?", "?", "?", "f16"), tile(row.m, row.n, 64, 4), size, *Target::get("gfx950"));
    double efficiency = 100 * cost.step.matrix / cost.step.longest();
    EXPECT_GE(efficiency, row.lo - 2) << row.m << "x" << row.n;
    EXPECT_LE(efficiency, row.hi + 2) << row.m << "x" << row.n;
  }
}

// A pipeline that does not cover the latency waits for it.
TEST_F(ScheduleTest, StagesCoverLatency) {
  ProblemSize size;
  size.rows = size.columns = 128;
  size.depth = 8192;
  auto latencyOf = [&](int64_t stages) {
    return scheduleCost(product("128", "128", "8192", "bf16"), tile(128, 128, 64, stages), size,
                        *Target::get("gfx950"))
        .step.flight;
  };
  double latency = Target::get("gfx950")->memoryRates().latency;
  EXPECT_EQ(latencyOf(2), latency);
  EXPECT_EQ(latencyOf(3), latency * 128 * 2 * 64 * 2 / Target::get("gfx950")->memoryRates().bytesInFlight);
  EXPECT_EQ(latencyOf(3), latencyOf(4)); // no more than so many bytes are on their way
}

// One workgroup a compute unit more than there are is a second round.
TEST_F(ScheduleTest, Rounds) {
  const Target &target = *Target::get("gfx950");
  MatmulOp op = product("?", "?", "?", "bf16");
  ProblemSize size;
  size.rows = 256 * 16;
  size.columns = 256 * 16;
  size.depth = 4096;
  ScheduleCost one = scheduleCost(op, tile(256, 256, 64, 2), size, target);
  size.columns += 1;
  ScheduleCost two = scheduleCost(op, tile(256, 256, 64, 2), size, target);
  EXPECT_EQ(one.workgroups, 256);
  EXPECT_EQ(one.rounds, 1);
  EXPECT_EQ(two.workgroups, 272);
  EXPECT_EQ(two.rounds, 2);
  EXPECT_EQ(two.compute, 2 * one.compute);
}

// Whatever the operands: what is chosen is legal, ends in what takes everything, has few variants of
// different names, and leaves no row to `any` alone.
TEST_F(ScheduleTest, ChoicesAreLegal) {
  for (StringRef chip : Target::chips())
    for (StringRef type : {"f8E4M3FN", "f8E5M2FNUZ", "bf16", "f16"})
      for (StringRef transposes : {"", "transpose_a", "transpose_b", "transpose_a transpose_b"})
        for (StringRef m : {"?", "1", "17", "4096", "1000000007"})
          for (StringRef n : {"?", "1", "100", "57344"})
            for (StringRef k : {"?", "2880", "8192", "77"}) {
              const Target &target = *Target::get(chip);
              MatmulOp op = product(m, n, k, type, transposes);
              ASSERT_TRUE(op);
              if (scheduleCandidates(op, target).empty())
                continue; // a type of the other chip
              std::string where =
                  llvm::formatv("{0} {1} {2} {3} x {4} x {5}", chip, type, transposes, m, n, k);
              ScheduleChoice choice = chooseSchedules(op, target);
              ASSERT_FALSE(choice.variants.empty()) << where;
              EXPECT_LE(choice.variants.size(), 6u) << where;
              std::vector<StringRef> names;
              for (ScheduleAttr variant : choice.variants) {
                EXPECT_EQ(scheduleFault(op, variant, target), "") << where;
                EXPECT_FALSE(llvm::is_contained(names, variant.getName())) << where;
                names.push_back(variant.getName());
              }
              EXPECT_EQ(names.back(), "any") << where; // pointers may be unaligned
              for (size_t size = 0; size < choice.sizes.size(); ++size)
                for (const ScheduleCandidate &candidate : choice.candidates) {
                  EXPECT_EQ(candidate.costs.size(), candidate.refused.empty() ? choice.sizes.size() : 0)
                      << where;
                  if (candidate.refused.empty()) {
                    EXPECT_TRUE(std::isfinite(candidate.costs[size].clocks())) << where;
                    EXPECT_GT(candidate.costs[size].clocks(), 0) << where;
                  }
                }
            }
}

// More work never costs less by the same schedule.
TEST_F(ScheduleTest, MoreRowsCostNoLess) {
  for (StringRef chip : Target::chips()) {
    const Target &target = *Target::get(chip);
    MatmulOp op = product("?", "4096", "4096", "bf16");
    ScheduleChoice choice = chooseSchedules(op, target);
    for (const ScheduleCandidate &candidate : choice.candidates)
      for (size_t size = 1; size < candidate.costs.size(); ++size)
        EXPECT_GE(candidate.costs[size].clocks(), candidate.costs[size - 1].clocks())
            << chip.str() << " " << candidate.schedule.getName().str() << " " << choice.sizes[size].rows;
  }
}

} // namespace
