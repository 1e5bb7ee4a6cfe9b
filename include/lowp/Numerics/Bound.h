// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a correct kernel may give: derived bounds, never tuned tolerances (docs/spec/verification.md has the
// derivation). An Approx is the set of values that a correct device can have at some point of a computation;
// the functions of `lowp::approx` carry such sets through the operations of an f32 epilogue. Operations that
// IEEE 754 rounds correctly map f32 sets to f32 sets without loss, so exact data stay exact and are compared
// bit for bit; library functions add their stated ulps.
#ifndef LOWP_NUMERICS_BOUND_H
#define LOWP_NUMERICS_BOUND_H

#include "lowp/Numerics/Format.h"
#include <cstdint>

namespace lowp {

/// Distance of neighbours in the binade of `value` (of the subnormals, below the smallest normal value); 1 in
/// integers.
double ulp(Format format, double value);
/// The largest error of one rounding to nearest of a value in the binade of `value`.
double halfUlp(Format format, double value);

/// Relative error of one f32 addition that may truncate, as CDNA3's matrix cores do.
constexpr double accumulationUnit = 0x1p-23;

/// |computed - exact| for a chain of n products summed in f32 in any order: n * u / (1 - n * u) * sum |a *
/// b|, and one smallest subnormal per product. Infinite where n * u >= 1.
double accumulationBound(int64_t n, double absSum);

/// The values a correct device can have: all numbers in [lo, hi] (none if lo > hi), and NaN if `nan`.
struct Approx {
  double value = 0; ///< the result with no rounding at all; may lie outside [lo, hi]
  double lo = 0, hi = 0;
  bool nan = false;

  static Approx exact(double value);
  static Approx within(double value, double error);
  /// Nothing is known.
  static Approx anything(double value);

  /// The largest distance of an allowed value from `value`.
  double error() const;
  bool contains(double actual) const;
  bool empty() const { return !(lo <= hi); }
};

/// The answer of a comparison of two sets.
enum class Truth : uint8_t { False, True, Unknown };

namespace approx {

/// An f32 accumulator after n products with the given sum and sum of magnitudes.
Approx accumulated(double sum, double absSum, int64_t n);

/// One rounding to `format`.
Approx roundTo(Format format, const Approx &x, Overflow overflow);
/// All values of both.
Approx hull(const Approx &a, const Approx &b);

// Correctly rounded f32 operations, each rounded by itself (no contraction).
Approx add(const Approx &a, const Approx &b);
Approx sub(const Approx &a, const Approx &b);
Approx mul(const Approx &a, const Approx &b);
Approx div(const Approx &a, const Approx &b);
Approx fma(const Approx &a, const Approx &b, const Approx &c);
Approx sqrt(const Approx &a);

// Exact operations.
Approx neg(const Approx &a);
Approx abs(const Approx &a);
Approx maximum(const Approx &a, const Approx &b); ///< NaN if either is
Approx minimum(const Approx &a, const Approx &b);
Approx maxnum(const Approx &a, const Approx &b); ///< the other one if one is NaN
Approx minnum(const Approx &a, const Approx &b);

// f32 functions of the device library. Their ulps are OpenCL's full-profile limits (OpenCL SPIR-V Environment
// Specification, "ULP Values for Math Instructions"): exp, exp2, log, log2 3; rsqrt 2; tanh 5; erf 16.
Approx exp(const Approx &a);
Approx exp2(const Approx &a);
Approx log(const Approx &a);
Approx log2(const Approx &a);
Approx erf(const Approx &a);
Approx tanh(const Approx &a);
Approx rsqrt(const Approx &a);

// Ordered comparisons: false with NaN.
Truth less(const Approx &a, const Approx &b);
Truth lessEqual(const Approx &a, const Approx &b);
Truth equal(const Approx &a, const Approx &b);
/// Whether either is NaN.
Truth unordered(const Approx &a, const Approx &b);

Truth logicalNot(Truth a);
Truth logicalAnd(Truth a, Truth b);
Truth logicalOr(Truth a, Truth b);
/// `a` or `b`, or all values of both where the condition is unknown.
Approx select(Truth condition, const Approx &a, const Approx &b);

} // namespace approx

/// Sums up the comparison of many elements.
struct Comparison {
  int64_t compared = 0, failures = 0;
  int64_t firstFailure = -1;  ///< the index given to add()
  double maxError = 0;        ///< the largest |actual - value|, and
  double boundOfMaxError = 0; ///< the bound of that element
  double worstShare = 0;      ///< the largest |actual - value| / bound (0 / 0 counts as 0)

  void add(int64_t index, const Approx &expected, double actual);
  void merge(const Comparison &other);
  bool passed() const { return failures == 0; }
};

} // namespace lowp

#endif // LOWP_NUMERICS_BOUND_H
