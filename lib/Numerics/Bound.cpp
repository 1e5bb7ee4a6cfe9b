// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals of f32 values. Rounding is monotone, so the image of [lo, hi] under a rounded monotone operation
// is the interval between the rounded images of the ends; for sums, products and quotients the ends are among
// the four combinations. Ends are f32 values after every operation. Sums, products, quotients and square
// roots of f32 values may be rounded to double first and to f32 after: 53 >= 2 * 24 + 2 bits make the result
// the correctly rounded one.
#include "lowp/Numerics/Bound.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

using namespace lowp;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double quietNaN = std::numeric_limits<double>::quiet_NaN();

double lowp::ulp(Format format, double value) {
  if (isInteger(format))
    return 1;
  if (!std::isfinite(value))
    return quietNaN;
  // The step to the next code: away from zero it is the spacing of the value's own binade.
  double magnitude = std::min(std::fabs(value), largestFinite(format));
  uint32_t code = encode(format, magnitude, Overflow::Saturate);
  double below = decode(format, code);
  if (below > magnitude && code != 0)
    below = decode(format, --code);
  if (below == largestFinite(format))
    return below - decode(format, code - 1);
  return decode(format, code + 1) - below;
}

double lowp::halfUlp(Format format, double value) { return ulp(format, value) / 2; }

// verification_v4
double lowp::accumulationBound(int64_t n, double absSum) {
  double nu = double(n) * accumulationUnit;
  if (nu >= 1)
    return infinity;
  return nu / (1 - nu) * absSum + double(n) * 0x1p-149;
}

//===----------------------------------------------------------------------===//
// Approx
//===----------------------------------------------------------------------===//

Approx Approx::exact(double value) {
  if (std::isnan(value))
    return {value, infinity, -infinity, true};
  return {value, value, value, false};
}

Approx Approx::within(double value, double error) {
  if (std::isnan(value))
    return exact(value);
  if (std::isnan(error) || std::isinf(error))
    return anything(value);
  return {value, value - error, value + error, false};
}

Approx Approx::anything(double value) { return {value, -infinity, infinity, true}; }

double Approx::error() const {
  if (empty() || (lo == value && hi == value))
    return 0;
  return std::max(std::fabs(hi - value), std::fabs(value - lo));
}

// verification_v8
bool Approx::contains(double actual) const { return std::isnan(actual) ? nan : lo <= actual && actual <= hi; }

/// The set between the smallest and the largest of `corners`; NaN among them means that anything can be.
static Approx span(double value, std::initializer_list<double> corners, bool nan) {
  for (double corner : corners)
    if (std::isnan(corner))
      return Approx::anything(value);
  return {value, std::min(corners), std::max(corners), nan};
}

/// The set of NaN alone.
static Approx onlyNaN() { return Approx::exact(quietNaN); }

static double toF32(double value) { return lowp::roundTo(Format::F32, value, Overflow::Native); }

/// A correctly rounded f32 operation that is monotone in each operand.
static Approx binary(const Approx &a, const Approx &b, llvm::function_ref<double(double, double)> op) {
  double value = op(a.value, b.value);
  if (a.empty() || b.empty())
    return onlyNaN();
  bool nan = a.nan || b.nan;
  if (a.lo == a.hi && b.lo == b.hi) { // one value each, NaN (inf - inf, 0 * inf) as certain as any other
    double result = toF32(op(a.lo, b.lo));
    if (std::isnan(result))
      return onlyNaN();
    return {value, result, result, nan};
  }
  return span(value,
              {toF32(op(a.lo, b.lo)), toF32(op(a.lo, b.hi)), toF32(op(a.hi, b.lo)), toF32(op(a.hi, b.hi))},
              nan);
}

Approx approx::accumulated(double sum, double absSum, int64_t n) {
  return roundTo(Format::F32, Approx::within(sum, accumulationBound(n, absSum)), Overflow::Native);
}

// verification_v6
Approx approx::roundTo(Format format, const Approx &x, Overflow overflow) {
  auto round = [&](double value) { return lowp::roundTo(format, value, overflow); };
  // The unrounded result of a saturating cast is the clamped one.
  double value = x.value;
  if (overflow == Overflow::Saturate || (!hasNaN(format) && !hasInfinity(format)))
    value = std::isnan(value)
                ? round(value)
                : std::clamp(value, -largestFinite(format) - isInteger(format), largestFinite(format));
  Approx fromNaN = Approx::exact(round(quietNaN));
  if (x.empty())
    return fromNaN;
  double lo = round(x.lo), hi = round(x.hi);
  Approx result{value, lo, hi, false};
  if (std::isnan(lo) && std::isnan(hi))
    result = std::signbit(x.lo) == std::signbit(x.hi) ? onlyNaN() : Approx::anything(value);
  else if (std::isnan(lo) || std::isnan(hi))
    result = Approx::anything(value);
  // A NaN of either sign may have become a value.
  return x.nan ? hull(result, hull(fromNaN, Approx::exact(round(std::copysign(quietNaN, -1.0))))) : result;
}

Approx approx::hull(const Approx &a, const Approx &b) {
  if (a.empty() || b.empty()) {
    Approx result = a.empty() ? b : a;
    result.nan = a.nan || b.nan;
    return result;
  }
  return {a.value, std::min(a.lo, b.lo), std::max(a.hi, b.hi), a.nan || b.nan};
}

//===----------------------------------------------------------------------===//
// Correctly rounded and exact operations: verification_v7
//===----------------------------------------------------------------------===//

Approx approx::add(const Approx &a, const Approx &b) {
  return binary(a, b, [](double x, double y) { return x + y; });
}

Approx approx::sub(const Approx &a, const Approx &b) { return add(a, neg(b)); }

Approx approx::mul(const Approx &a, const Approx &b) {
  return binary(a, b, [](double x, double y) { return x * y; });
}

Approx approx::div(const Approx &a, const Approx &b) {
  bool certain = a.lo == a.hi && b.lo == b.hi;
  if (!certain && !a.empty() && b.lo <= 0 && b.hi >= 0)
    return Approx::anything(a.value / b.value);
  return binary(a, b, [](double x, double y) { return x / y; });
}

Approx approx::fma(const Approx &a, const Approx &b, const Approx &c) {
  double value = a.value * b.value + c.value;
  if (a.empty() || b.empty() || c.empty())
    return onlyNaN();
  // Products of f32 values are exact in double; their sum with c is not, and is moved outwards by one step.
  auto op = [](double x, double y, double z, double direction) {
    double sum = std::fma(x, y, z);
    bool exact = sum - z == x * y && sum - x * y == z;
    return toF32(exact ? sum : std::nextafter(sum, direction));
  };
  bool nan = a.nan || b.nan || c.nan;
  double lo = infinity, hi = -infinity;
  for (double x : {a.lo, a.hi})
    for (double y : {b.lo, b.hi})
      for (double z : {c.lo, c.hi}) {
        double down = op(x, y, z, -infinity), up = op(x, y, z, infinity);
        if (std::isnan(down) || std::isnan(up))
          return Approx::anything(value);
        lo = std::min(lo, down);
        hi = std::max(hi, up);
      }
  return {value, lo, hi, nan};
}

Approx approx::sqrt(const Approx &a) {
  double value = std::sqrt(a.value);
  if (a.empty() || a.hi < 0)
    return onlyNaN();
  return {value, toF32(std::sqrt(std::max(a.lo, 0.0))), toF32(std::sqrt(a.hi)), a.nan || a.lo < 0};
}

Approx approx::neg(const Approx &a) { return {-a.value, -a.hi, -a.lo, a.nan}; }

Approx approx::abs(const Approx &a) {
  double value = std::fabs(a.value);
  if (a.empty() || a.lo >= 0)
    return {value, a.lo, a.hi, a.nan};
  return {value, a.hi <= 0 ? -a.hi : 0.0, std::max(-a.lo, a.hi), a.nan};
}

Approx approx::maximum(const Approx &a, const Approx &b) {
  if (a.empty() || b.empty())
    return onlyNaN();
  return {std::max(a.value, b.value), std::max(a.lo, b.lo), std::max(a.hi, b.hi), a.nan || b.nan};
}

Approx approx::minimum(const Approx &a, const Approx &b) { return neg(maximum(neg(a), neg(b))); }

Approx approx::maxnum(const Approx &a, const Approx &b) {
  Approx numbers = maximum(a, b);
  numbers.value = std::fmax(a.value, b.value);
  numbers.nan = a.nan && b.nan;
  Approx result = numbers;
  if (a.nan && !b.empty()) // b is the result where a is NaN
    result = numbers.empty() ? b : hull(numbers, b);
  if (b.nan && !a.empty())
    result = result.empty() ? a : hull(result, a);
  result.value = numbers.value;
  result.nan = numbers.nan;
  return result;
}

Approx approx::minnum(const Approx &a, const Approx &b) { return neg(maxnum(neg(a), neg(b))); }

//===----------------------------------------------------------------------===//
// Library functions: verification_v7
//===----------------------------------------------------------------------===//

/// A device function within `ulps` of the exact one, which is monotone on [domainLo, inf) and NaN below. The
/// host's double function is taken as exact but for a millionth of the device's error. Subnormal results may
/// be flushed.
static Approx library(const Approx &a, llvm::function_ref<double(double)> function, double ulps,
                      double domainLo = -infinity) {
  double value = function(a.value);
  if (a.empty() || a.hi < domainLo)
    return onlyNaN();
  double first = function(std::max(a.lo, domainLo)), last = function(a.hi);
  if (first > last)
    std::swap(first, last);
  auto slack = [&](double x) {
    if (std::isinf(x))
      return 0.0;
    constexpr double smallestNormal = 0x1p-126;
    double flushed = x != 0 && std::fabs(x) < 2 * smallestNormal ? smallestNormal : 0.0;
    return ulps * (1 + 0x1p-20) * ulp(Format::F32, x) + flushed;
  };
  double lo = toF32(first - slack(first)), hi = toF32(last + slack(last));
  return {value, lo, hi, a.nan || a.lo < domainLo};
}

Approx approx::exp(const Approx &a) {
  Approx result = library(a, [](double x) { return std::exp(x); }, 3);
  result.lo = std::max(result.lo, 0.0);
  return result;
}

Approx approx::exp2(const Approx &a) {
  Approx result = library(a, [](double x) { return std::exp2(x); }, 3);
  result.lo = std::max(result.lo, 0.0);
  return result;
}

Approx approx::log(const Approx &a) {
  return library(a, [](double x) { return std::log(x); }, 3, 0.0);
}

Approx approx::log2(const Approx &a) {
  return library(a, [](double x) { return std::log2(x); }, 3, 0.0);
}

Approx approx::erf(const Approx &a) {
  return library(a, [](double x) { return std::erf(x); }, 16);
}

Approx approx::tanh(const Approx &a) {
  return library(a, [](double x) { return std::tanh(x); }, 5);
}

Approx approx::rsqrt(const Approx &a) {
  return library(a, [](double x) { return 1 / std::sqrt(x); }, 2, 0.0);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// A relation of numbers that is sure to hold, or sure not to, as an ordered comparison of sets.
static Truth ordered(const Approx &a, const Approx &b, bool always, bool never) {
  if (a.empty() || b.empty() || never)
    return Truth::False;
  return always && !a.nan && !b.nan ? Truth::True : Truth::Unknown;
}

Truth approx::less(const Approx &a, const Approx &b) { return ordered(a, b, a.hi < b.lo, a.lo >= b.hi); }

Truth approx::lessEqual(const Approx &a, const Approx &b) { return ordered(a, b, a.hi <= b.lo, a.lo > b.hi); }

Truth approx::equal(const Approx &a, const Approx &b) {
  bool always = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
  return ordered(a, b, always, a.hi < b.lo || a.lo > b.hi);
}

Truth approx::unordered(const Approx &a, const Approx &b) {
  if (a.empty() || b.empty())
    return Truth::True;
  return a.nan || b.nan ? Truth::Unknown : Truth::False;
}

Truth approx::logicalNot(Truth a) {
  return a == Truth::Unknown ? a : a == Truth::True ? Truth::False : Truth::True;
}

Truth approx::logicalAnd(Truth a, Truth b) {
  if (a == Truth::False || b == Truth::False)
    return Truth::False;
  return a == Truth::True && b == Truth::True ? Truth::True : Truth::Unknown;
}

Truth approx::logicalOr(Truth a, Truth b) { return logicalNot(logicalAnd(logicalNot(a), logicalNot(b))); }

Approx approx::select(Truth condition, const Approx &a, const Approx &b) {
  return condition == Truth::True ? a : condition == Truth::False ? b : hull(a, b);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

void Comparison::add(int64_t index, const Approx &expected, double actual) {
  ++compared;
  if (!expected.contains(actual)) {
    ++failures;
    if (firstFailure < 0)
      firstFailure = index;
  }
  double error = std::fabs(actual - expected.value), bound = expected.error();
  if (!std::isfinite(error)) // infinities and NaN are judged by contains() alone
    return;
  if (error > maxError) {
    maxError = error;
    boundOfMaxError = bound;
  }
  if (error > 0)
    worstShare = std::max(worstShare, bound > 0 ? error / bound : infinity);
}

void Comparison::merge(const Comparison &other) {
  compared += other.compared;
  failures += other.failures;
  if (firstFailure < 0 || (other.firstFailure >= 0 && other.firstFailure < firstFailure))
    firstFailure = other.firstFailure;
  if (other.maxError > maxError) {
    maxError = other.maxError;
    boundOfMaxError = other.boundOfMaxError;
  }
  worstShare = std::max(worstShare, other.worstShare);
}
