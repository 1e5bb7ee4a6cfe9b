// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocked, threaded reference product against three plain loops over single elements.
#include "lowp/Numerics/Reference.h"
#include "lowp/Numerics/Fill.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace lowp;

namespace {

struct Filled {
  MatrixLayout layout;
  std::vector<uint8_t> bytes;
  Filled(const MatrixLayout &layout, uint64_t seed) : layout(layout), bytes(layout.spanBytes(), 0xff) {
    fillRandom(layout, bytes.data(), seed);
  }
  MatrixView view() const { return {layout, bytes.data()}; }
};

void expectPlainLoops(const MatrixView &a, const MatrixView &b, const Sums &sums,
                      llvm::ArrayRef<int64_t> rows, llvm::ArrayRef<int64_t> cols, int64_t batch) {
  ASSERT_EQ(sums.sum.size(), rows.size() * cols.size());
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t j = 0; j < cols.size(); ++j) {
      double sum = 0, magnitude = 0;
      for (int64_t k = 0; k < a.layout.cols; ++k) {
        double product = a.value(a.layout.batches == 1 ? 0 : batch, rows[i], k) *
                         b.value(b.layout.batches == 1 ? 0 : batch, k, cols[j]);
        sum += product;
        magnitude += std::fabs(product);
      }
      ASSERT_EQ(sums.value(i, j), sum) << i << " " << j;
      ASSERT_EQ(sums.magnitude(i, j), magnitude) << i << " " << j;
    }
}

} // namespace

// verification_v1
TEST(Reference, EveryFormatPairAndTranspose) {
  uint64_t seed = 1;
  for (Format fa : allFormats())
    for (Format fb : {Format::F8E4M3FN, Format::F4E2M1FN, Format::F6E3M2FN, Format::BF16})
      for (int transposes = 0; transposes < 4; ++transposes) {
        auto make = transposes & 1 ? MatrixLayout::colMajor : MatrixLayout::rowMajor;
        auto makeB = transposes & 2 ? MatrixLayout::colMajor : MatrixLayout::rowMajor;
        Filled a(make(fa, 5, 13, 0, 1), ++seed), b(makeB(fb, 13, 7, 16, 1), ++seed);
        Sums sums = referenceMatmulAll(a.view(), b.view());
        expectPlainLoops(a.view(), b.view(), sums, allIndices(5), allIndices(7), 0);
      }
}

TEST(Reference, SizesAcrossTheBlocks) {
  Filled a(MatrixLayout::rowMajor(Format::F8E5M2, 131, 517, 520), 1);
  Filled b(MatrixLayout::colMajor(Format::F16, 517, 259), 2);
  std::vector<int64_t> rows = {130, 0, 127, 128, 64, 130}, cols = {258, 255, 256, 0, 17};
  expectPlainLoops(a.view(), b.view(), referenceMatmul(a.view(), b.view(), rows, cols), rows, cols, 0);

  Sums one = referenceMatmulAll(a.view(), b.view(), 0, /*threads=*/1);
  for (unsigned threads : {2u, 5u}) {
    Sums more = referenceMatmulAll(a.view(), b.view(), 0, threads);
    EXPECT_EQ(more.sum, one.sum);
    EXPECT_EQ(more.absSum, one.absSum);
  }
  EXPECT_EQ(one.value(130, 258), referenceMatmul(a.view(), b.view(), {130}, {258}).value(0, 0));
}

TEST(Reference, BatchesAndSharedOperands) {
  Filled a(MatrixLayout::rowMajor(Format::F6E2M3FN, 3, 9, 0, 4), 1);
  Filled b(MatrixLayout::rowMajor(Format::F32, 9, 2), 2);
  for (int64_t batch = 0; batch < 4; ++batch)
    expectPlainLoops(a.view(), b.view(), referenceMatmulAll(a.view(), b.view(), batch), allIndices(3),
                     allIndices(2), batch);
  EXPECT_NE(referenceMatmulAll(a.view(), b.view(), 0).sum, referenceMatmulAll(a.view(), b.view(), 3).sum);
}

TEST(Reference, NaNAndInfinityReachTheirRowOnly) {
  Filled a(MatrixLayout::rowMajor(Format::F8E5M2, 3, 4), 1),
      b(MatrixLayout::rowMajor(Format::F8E4M3FN, 4, 2), 2);
  storeCode(Format::F8E5M2, a.bytes.data(), 1 * 4 + 2, 0x7e); // NaN
  storeCode(Format::F8E5M2, a.bytes.data(), 2 * 4 + 0, 0x7c); // infinity
  storeCode(Format::F8E4M3FN, b.bytes.data(), 0, 0x38);       // 1
  Sums sums = referenceMatmulAll(a.view(), b.view());
  EXPECT_TRUE(std::isfinite(sums.value(0, 0)));
  EXPECT_TRUE(std::isnan(sums.value(1, 0)) && std::isnan(sums.value(1, 1)));
  EXPECT_TRUE(std::isinf(sums.value(2, 0)));
}

TEST(Reference, EmptySums) {
  Filled a(MatrixLayout::rowMajor(Format::BF16, 2, 0), 1), b(MatrixLayout::rowMajor(Format::BF16, 0, 3), 2);
  EXPECT_EQ(referenceMatmulAll(a.view(), b.view()).sum, std::vector<double>(6, 0.0));
  EXPECT_TRUE(referenceMatmul(a.view(), b.view(), {}, {0, 1}).sum.empty());
}

// verification_v2
TEST(Reference, SampledIndicesHoldEveryTileEdge) {
  std::vector<int64_t> indices = sampleIndices(300, 128, 5, 7);
  for (int64_t edge : {0, 127, 128, 255, 256, 299})
    EXPECT_TRUE(std::binary_search(indices.begin(), indices.end(), edge)) << edge;
  EXPECT_GT(indices.size(), 6u);
  EXPECT_LE(indices.size(), 11u);
  EXPECT_TRUE(std::is_sorted(indices.begin(), indices.end()));
  EXPECT_EQ(indices, sampleIndices(300, 128, 5, 7));
  EXPECT_NE(indices, sampleIndices(300, 128, 5, 8));
  EXPECT_EQ(sampleIndices(1, 16, 3, 0), std::vector<int64_t>{0});
  EXPECT_TRUE(sampleIndices(0, 16, 3, 0).empty());
}
