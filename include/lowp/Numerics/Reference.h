// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference product: for chosen elements of A * B the sum over k of a * b, and of |a * b|, in double.
// Products of elements of at most 24 bits of significand are exact in double, and each sum runs over k in
// ascending order in one accumulator, so the result depends neither on the number of threads nor on fused
// multiply-adds of the host. Its own rounding error, k * 2^-53 * sum |a * b|, is 2^-30 of the bound it is
// compared under (docs/spec/verification.md).
#ifndef LOWP_NUMERICS_REFERENCE_H
#define LOWP_NUMERICS_REFERENCE_H

#include "lowp/Numerics/Matrix.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace lowp {

/// Sums for the chosen rows of A and columns of B, rows first.
struct Sums {
  size_t rows = 0, cols = 0;
  std::vector<double> sum;    ///< sum over k of a * b
  std::vector<double> absSum; ///< sum over k of |a * b|

  double value(size_t row, size_t col) const { return sum[row * cols + col]; }
  double magnitude(size_t row, size_t col) const { return absSum[row * cols + col]; }
};

/// Batch `batch` of a (M x K) times b (K x N); `a.layout.cols` and `b.layout.rows` must agree. A batch of a
/// layout that has only one is used for all. `rows` and `cols` name rows of a and columns of b, in any order.
Sums referenceMatmul(const MatrixView &a, const MatrixView &b, llvm::ArrayRef<int64_t> rows,
                     llvm::ArrayRef<int64_t> cols, int64_t batch = 0, unsigned threads = 2);

/// All rows and columns.
Sums referenceMatmulAll(const MatrixView &a, const MatrixView &b, int64_t batch = 0, unsigned threads = 2);

/// 0, 1, ... extent - 1.
std::vector<int64_t> allIndices(int64_t extent);

/// For problems too large to compare whole: the first and last index of every tile of size `tile` (the last
/// index of all among them), and `random` seeded others; ascending, without duplicates.
std::vector<int64_t> sampleIndices(int64_t extent, int64_t tile, unsigned random, uint64_t seed);

/// The largest number of multiply-adds whose whole result is compared.
constexpr int64_t maxReferenceWork = int64_t(1) << 28;

} // namespace lowp

#endif // LOWP_NUMERICS_REFERENCE_H
