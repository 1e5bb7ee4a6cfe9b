// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test data themselves: exact, deterministic, and made so that mistakes show.
#include "lowp/Numerics/Fill.h"
#include "lowp/Numerics/Reference.h"

#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace lowp;

static std::vector<uint8_t> integers(const MatrixLayout &layout, uint64_t seed, int64_t limit,
                                     double density = 1) {
  std::vector<uint8_t> bytes(layout.spanBytes(), 0xff);
  fillIntegers(layout, bytes.data(), seed, limit, density);
  return bytes;
}

static std::vector<uint8_t> random(const MatrixLayout &layout, uint64_t seed) {
  std::vector<uint8_t> bytes(layout.spanBytes(), 0xff);
  fillRandom(layout, bytes.data(), seed);
  return bytes;
}

TEST(Fill, HashIsSplitMix64) {
  // The first outputs of the published generator for seed 0.
  EXPECT_EQ(hashWord(0, 0), 0xe220a8397b1dcdafull);
  EXPECT_EQ(hashWord(0, 1), 0x6e789e6aa1b965f4ull);
  EXPECT_EQ(hashWord(0, 2), 0x06c45d188009454full);
}

// verification_v9
TEST(Fill, IntegerLimitKeepsSumsExact) {
  for (int64_t k : {1, 2, 77, 4096, 65536, 1 << 20, (1 << 23) - 1}) {
    double limit = double(integerLimit(k));
    EXPECT_LT(limit * limit * double(k), exactSumLimit) << k;
    EXPECT_GE((limit + 1) * (limit + 1) * double(k), exactSumLimit - 1) << k;
  }
  EXPECT_EQ(integerLimit(int64_t(1) << 40), 1);
}

TEST(Fill, IntegersAreNonzeroExactAndVaried) {
  for (Format format : allFormats())
    for (int64_t limit : {1, 3, 15, 200}) {
      MatrixLayout layout = MatrixLayout::rowMajor(format, 19, 23);
      std::vector<uint8_t> bytes = integers(layout, 5, limit);
      MatrixView view{layout, bytes.data()};
      std::set<double> values;
      for (int r = 0; r < 19; ++r)
        for (int c = 0; c < 23; ++c) {
          double value = view.value(0, r, c);
          ASSERT_TRUE(value == std::nearbyint(value) && value != 0 && std::fabs(value) <= double(limit))
              << name(format).str() << " " << value;
          values.insert(value);
        }
      size_t leastVariety = format == Format::F8E8M0FNU ? limit >= 3 ? 2 : 1 : limit >= 3 ? 6 : 2;
      EXPECT_GE(values.size(), leastVariety) << name(format).str() << " " << limit;
    }
}

TEST(Fill, EveryIntegerOfFp4IsUsed) {
  MatrixLayout layout = MatrixLayout::rowMajor(Format::F4E2M1FN, 32, 32);
  std::vector<uint8_t> bytes = integers(layout, 1, 100);
  std::set<double> values;
  for (int i = 0; i < 1024; ++i)
    values.insert(decode(Format::F4E2M1FN, loadCode(Format::F4E2M1FN, bytes.data(), i)));
  EXPECT_EQ(values, (std::set<double>{-6, -4, -3, -2, -1, 1, 2, 3, 4, 6}));
}

// verification_v3, verification_v9
TEST(Fill, IntegerProductsShowEveryLossAndSwap) {
  constexpr int64_t k = 131;
  MatrixLayout la = MatrixLayout::rowMajor(Format::F8E4M3FN, 9, k),
               lb = MatrixLayout::rowMajor(Format::BF16, k, 5);
  std::vector<uint8_t> a = integers(la, 1, integerLimit(k)), b = integers(lb, 2, integerLimit(k));
  Sums sums = referenceMatmulAll({la, a.data()}, {lb, b.data()});
  for (double magnitude : sums.absSum)
    EXPECT_LT(magnitude, exactSumLimit);
  // Losing the last k changes every element of the result.
  MatrixLayout shorter = la, shorterB = lb;
  shorter.cols = shorterB.rows = k - 1;
  Sums lost = referenceMatmulAll({shorter, a.data()}, {shorterB, b.data()});
  for (size_t i = 0; i < sums.sum.size(); ++i)
    EXPECT_GE(std::fabs(lost.sum[i] - sums.sum[i]), 1) << i;
  // No two rows of the result are the same.
  for (size_t i = 0; i < 9; ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(sums.value(i, 0), sums.value(j, 0)) << i << " " << j;
}

// verification_v10
TEST(Fill, DensityKeepsItsShare) {
  MatrixLayout layout = MatrixLayout::rowMajor(Format::I8, 100, 100);
  std::vector<uint8_t> bytes = integers(layout, 3, 1, 0.25);
  int64_t nonzero = 10000 - std::count(bytes.begin(), bytes.end(), 0);
  EXPECT_GT(nonzero, 2200);
  EXPECT_LT(nonzero, 2800);
}

// verification_v11
TEST(Fill, DataDependOnCoordinatesAndSeedOnly) {
  MatrixLayout rows = MatrixLayout::rowMajor(Format::F6E2M3FN, 11, 9, 12, 2);
  MatrixLayout cols = MatrixLayout::colMajor(Format::F6E2M3FN, 11, 9, 0, 2);
  std::vector<uint8_t> a = random(rows, 42), b = random(cols, 42);
  for (int batch = 0; batch < 2; ++batch)
    for (int r = 0; r < 11; ++r)
      for (int c = 0; c < 9; ++c)
        EXPECT_EQ(MatrixView({rows, a.data()}).code(batch, r, c),
                  MatrixView({cols, b.data()}).code(batch, r, c));
  EXPECT_NE(random(rows, 42), random(rows, 43));
  size_t half = a.size() / 2;
  EXPECT_FALSE(std::equal(a.begin(), a.begin() + half, a.begin() + half)); // batches differ
}

// verification_v12
TEST(Fill, RandomValuesAreFiniteAndOfUnequalRows) {
  for (Format format : allFormats()) {
    MatrixLayout layout = MatrixLayout::rowMajor(format, 24, 400);
    std::vector<uint8_t> bytes = random(layout, 9);
    MatrixView view{layout, bytes.data()};
    std::vector<double> sizes;
    for (int r = 0; r < 24; ++r) {
      double size = 0;
      for (int c = 0; c < 400; ++c) {
        ASSERT_TRUE(std::isfinite(view.value(0, r, c))) << name(format).str();
        size += std::fabs(view.value(0, r, c)) / 400;
      }
      EXPECT_GT(size, 0);
      sizes.push_back(size);
    }
    if (format != Format::F8E8M0FNU) {
      auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
      EXPECT_GT(*most, 2.5 * *least) << name(format).str();
    }
  }
}
