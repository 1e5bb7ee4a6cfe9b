// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowp/Driver/BenchTable.h"
#include "lowp/Driver/RandomProblems.h"
#include "gtest/gtest.h"
#include <set>

using namespace lowp;

TEST(BenchTableTest, RowsHaveAsManyCellsAsTheHeader) {
  HipblasltProblem problem;
  ASSERT_FALSE(bool(problem.complete()));
  VerifyRun run;
  run.failures = {"outside the bound: 3 of 4 elements; d[0, 1] is 2, but must be 1"};
  std::string header = benchHeader(), row = benchRow(problem, "chip", run, true);
  EXPECT_EQ(llvm::StringRef(header).take_front(7), "transA,");
  EXPECT_EQ(llvm::StringRef(header).count(','), llvm::StringRef(row).count(','));
  EXPECT_TRUE(llvm::StringRef(row).ends_with(",outside the bound\n")) << row;
  for (const char *name : {"target", "variant", "vgprs", "agprs", "lds", "spills", "bank_conflicts", "mfma",
                           "error", "bound", "verdict"})
    EXPECT_NE(header.find("," + std::string(name)), std::string::npos) << name;
}

TEST(RandomProblemsTest, CoverWhatTheyShould) {
  for (llvm::StringRef chip : Target::chips()) {
    std::vector<RandomProblem> list = randomProblems(5, 200, *Target::get(chip));
    ASSERT_EQ(list.size(), 200u);
    std::set<std::pair<bool, bool>> transposes;
    std::set<Format> formats;
    unsigned odd = 0, misaligned = 0, large = 0, one = 0, fixed = 0, aligned = 0;
    for (const RandomProblem &random : list) {
      const HipblasltProblem &p = random.problem;
      transposes.insert({p.transA, p.transB});
      formats.insert(p.a);
      EXPECT_TRUE(Target::get(chip)->hasMfmaOperand(p.a));
      odd += p.lda % 2 == 1 && p.lda != (p.transA ? p.k : p.m);
      misaligned += !p.misalignment.empty();
      large += p.m > 300;
      one += p.m == 1 || p.n == 1 || p.k == 1;
      fixed += !p.dynamic;
      aligned += p.misalignment.empty() && p.lda % 16 == 0 && p.ldb % 16 == 0 && p.ldd % 16 == 0;
    }
    EXPECT_EQ(transposes.size(), 4u);
    EXPECT_GE(formats.size(), 3u);
    EXPECT_GT(odd, 10u);
    EXPECT_GT(misaligned, 50u);
    EXPECT_GT(aligned, 60u);
    EXPECT_EQ(large, 5u);
    EXPECT_GT(one, 0u);
    EXPECT_EQ(fixed, 8u);
    // The seed is all that counts.
    EXPECT_EQ(randomProblems(5, 200, *Target::get(chip))[137].problem.options(), list[137].problem.options());
    EXPECT_NE(randomProblems(6, 200, *Target::get(chip))[137].problem.options(), list[137].problem.options());
  }
}
