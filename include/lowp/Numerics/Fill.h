// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test data. Every element is a function of the seed and its own coordinates, so data are the same on every
// machine, in every layout, and element by element. Two kinds: integers whose sums are exact (a lost or
// doubled element, or one in the wrong place, changes the result by at least 1), and random values whose size
// differs from row to row and from column to column (a scale or a layout applied to the wrong dimension
// shows).
#ifndef LOWP_NUMERICS_FILL_H
#define LOWP_NUMERICS_FILL_H

#include "lowp/Numerics/Matrix.h"
#include <cstdint>

namespace lowp {

/// Word `index` of the splitmix64 sequence of `seed`.
uint64_t hashWord(uint64_t seed, uint64_t index);

/// Below this all sums of integers are exact in f32, in whatever order they are formed.
constexpr double exactSumLimit = 1 << 24;

/// The largest |a| = |b| for which k products cannot reach exactSumLimit; at least 1.
int64_t integerLimit(int64_t k);

/// Integers other than 0 with |v| <= limit that the format has exactly (powers of two in f8E8M0FNU), of
/// either sign where there is one. 0 is left out: a lost 0 cannot be seen. For k > 2^23, where even +-1 could
/// reach 2^24, pass the share of elements to keep as `density`; the others are 0.
void fillIntegers(const MatrixLayout &layout, uint8_t *data, uint64_t seed, int64_t limit,
                  double density = 1.0);

/// Random finite values, each about uniform in +-top * 2^-s, where s = 0 ... 3 depends on the row and the
/// column; top is 4, in formats of less than 8 bits the largest value, in i8 127. About one floating-point
/// element in 64 is a zero or one of the smallest subnormals instead. f8E8M0FNU gets 2^-4 ... 2^4.
void fillRandom(const MatrixLayout &layout, uint8_t *data, uint64_t seed);

} // namespace lowp

#endif // LOWP_NUMERICS_FILL_H
