// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds hold for what devices do (sums in any order, truncated), are tight where data are exact, and see
// mistakes.
#include "lowp/Numerics/Bound.h"

#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace lowp;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double quietNaN = std::numeric_limits<double>::quiet_NaN();

double uniform(std::mt19937_64 &words, double lo, double hi) {
  return lo + (hi - lo) * double(words() >> 11) * 0x1p-53;
}

/// The f32 towards zero.
double truncateToF32(double value) {
  float nearest = float(value);
  if (std::fabs(double(nearest)) > std::fabs(value))
    nearest = std::nextafter(nearest, 0.0f);
  return nearest;
}

/// An f32 of the set, by chance one of its ends.
float pick(std::mt19937_64 &words, const Approx &set) {
  unsigned choice = words() % 4;
  float value = float(choice == 0 ? set.lo : choice == 1 ? set.hi : uniform(words, set.lo, set.hi));
  return std::fmin(std::fmax(value, float(set.lo)), float(set.hi));
}

/// A set of f32 values around a random one; `exact` makes it a single value.
Approx randomSet(std::mt19937_64 &words, double lo, double hi, bool exact) {
  double value = float(uniform(words, lo, hi));
  Approx set = Approx::within(value, exact ? 0 : std::fabs(value) * uniform(words, 0, 0.1) + 1e-6);
  return approx::roundTo(Format::F32, set, Overflow::Native);
}

using Unary = Approx (*)(const Approx &);
using Binary = Approx (*)(const Approx &, const Approx &);

} // namespace

TEST(Ulp, OfEveryKind) {
  EXPECT_EQ(ulp(Format::F32, 1.0), 0x1p-23);
  EXPECT_EQ(ulp(Format::F32, -1.75), 0x1p-23);
  EXPECT_EQ(ulp(Format::F32, 0.0), 0x1p-149);
  EXPECT_EQ(ulp(Format::F32, 0x1.fffffffp0), 0x1p-23); // rounds up to 2, but lies in the binade of 1
  EXPECT_EQ(ulp(Format::BF16, 3.0), 0x1p-6);
  EXPECT_EQ(ulp(Format::F8E4M3FN, 448.0), 32);
  EXPECT_EQ(ulp(Format::F8E4M3FN, 1e9), 32);
  EXPECT_EQ(halfUlp(Format::F8E4M3FNUZ, 0.0), 0x1p-11);
  EXPECT_EQ(halfUlp(Format::F4E2M1FN, 5.0), 1);
  EXPECT_EQ(ulp(Format::F8E8M0FNU, 3.0), 2);
  EXPECT_EQ(ulp(Format::F8E8M0FNU, 0.0), 0x1p-127);
  EXPECT_EQ(halfUlp(Format::I32, 1e6), 0.5);
}

TEST(Ulp, HalfBoundsTheRoundingError) {
  std::mt19937_64 words(1);
  for (Format format : allFormats()) {
    double top = std::min(largestFinite(format), 1e6);
    for (int i = 0; i < 20000; ++i) {
      double value =
          uniform(words, format == Format::F8E8M0FNU ? 0 : -top, top) * std::ldexp(1.0, -int(words() % 12));
      double error = std::fabs(roundTo(format, value, Overflow::Saturate) - value);
      ASSERT_LE(error, halfUlp(format, value)) << name(format).str() << " " << value;
    }
  }
}

// verification_v4, verification_v5
TEST(AccumulationBound, HoldsForTruncatedSumsInAnyOrder) {
  std::mt19937_64 words(2);
  double worst = 0;
  for (int round = 0; round < 300; ++round) {
    int64_t n = 1 + int64_t(words() % 700);
    std::vector<double> products(n);
    double sum = 0, absSum = 0, chain = 0;
    bool positive = round % 3 == 0; // the worst case for truncation
    for (double &product : products) {
      product = float(uniform(words, positive ? 0 : -1, 1) * std::ldexp(1.0, -int(words() % 8)));
      sum += product;
      absSum += std::fabs(product);
    }
    // One chain, or a tree of 16 chains as a K split makes.
    std::vector<double> partial(round % 2 ? 16 : 1, 0.0);
    for (int64_t i = 0; i < n; ++i)
      partial[i % partial.size()] = truncateToF32(partial[i % partial.size()] + products[i]);
    for (double p : partial)
      chain = truncateToF32(chain + p);
    double bound = accumulationBound(n + int64_t(partial.size()), absSum);
    EXPECT_LE(std::fabs(chain - sum), bound);
    EXPECT_TRUE(approx::accumulated(sum, absSum, n + int64_t(partial.size())).contains(chain));
    worst = std::max(worst, std::fabs(chain - sum) / bound);
  }
  EXPECT_GT(worst, 0.05); // a bound thousands of times too wide would hide mistakes
}

// verification_v4: a step of gfx942's matrix cores on 16 f8 products as MMA-Sim (arXiv 2511.10909) describes
// it.
static double matrixCoreStep(const double *products, double c) {
  auto exponentOf = [](double x) { return x == 0 ? -126 : std::ilogb(x); };
  double half[2] = {0, 0};
  int exponent[2] = {-200, -200};
  for (int h = 0; h < 2; ++h) {
    for (int i = h; i < 16; i += 2)
      exponent[h] = std::max(exponent[h], exponentOf(products[i]));
    for (int i = h; i < 16; i += 2)
      half[h] += std::trunc(std::ldexp(products[i], 24 - exponent[h]));
    half[h] = std::ldexp(half[h], exponent[h] - 24);
  }
  int both = std::max(exponent[0], exponent[1]), all = std::max(both, exponentOf(c));
  auto floorAt = [](double x, int bits) { return std::ldexp(std::floor(std::ldexp(x, bits)), -bits); };
  double sum = floorAt(floorAt(half[0], 24 - both) + floorAt(half[1], 24 - both), 31 - all);
  return float(sum + floorAt(c, 24 - all));
}

TEST(AccumulationBound, HoldsForGfx942Steps) {
  std::mt19937_64 words(5);
  double worst = 0;
  for (int round = 0; round < 400; ++round) {
    int steps = 1 + int(words() % 40);
    double sum = 0, absSum = 0, c = 0;
    for (int step = 0; step < steps; ++step) {
      double products[16];
      for (double &product : products) {
        double range = std::ldexp(1.0, int(words() % (round % 2 ? 24 : 3)) - 12);
        double a = roundTo(Format::F8E4M3FNUZ, uniform(words, round % 3 ? -8 : 0, 8), Overflow::Saturate);
        double b = roundTo(Format::F8E4M3FNUZ, uniform(words, 0, 8) * range, Overflow::Saturate);
        product = a * b;
        sum += product;
        absSum += std::fabs(product);
      }
      c = matrixCoreStep(products, c);
    }
    ASSERT_LE(std::fabs(c - sum), accumulationBound(16 * steps, absSum));
    worst = std::max(worst, std::fabs(c - sum) / accumulationBound(16 * steps, absSum));
  }
  EXPECT_GT(worst, 0.01);
}

TEST(AccumulationBound, KnownValues) {
  EXPECT_NEAR(accumulationBound(1024, 1.0), 0x1p-13, 0x1p-25);
  EXPECT_EQ(accumulationBound(0, 5.0), 0);
  EXPECT_EQ(accumulationBound(int64_t(1) << 23, 1.0), infinity);
}

// verification_v6
TEST(Approx, RoundingKeepsExactDataExact) {
  Approx sum = Approx::exact(257);
  Approx rounded = approx::roundTo(Format::BF16, sum, Overflow::Native);
  EXPECT_TRUE(rounded.contains(256)); // the tie goes to even
  EXPECT_FALSE(rounded.contains(258));
  EXPECT_EQ(rounded.error(), 1); // against the unrounded 257
  EXPECT_EQ(approx::roundTo(Format::F32, sum, Overflow::Native).error(), 0);
}

TEST(Approx, RoundingOfSets) {
  Approx set = approx::roundTo(Format::F8E4M3FN, Approx::within(17.1, 0.05), Overflow::Saturate);
  EXPECT_TRUE(set.contains(18)); // 17.1 is nearer to 18, whatever its error
  EXPECT_FALSE(set.contains(16));
  set = approx::roundTo(Format::F8E4M3FN, Approx::within(17.1, 0.2), Overflow::Saturate);
  EXPECT_TRUE(set.contains(16) && set.contains(18));
  EXPECT_FALSE(set.contains(20));
}

TEST(Approx, RoundingAtTheEndOfTheRange) {
  Approx saturated = approx::roundTo(Format::F8E4M3FN, Approx::within(5000, 10), Overflow::Saturate);
  EXPECT_EQ(saturated.error(), 0);
  EXPECT_TRUE(saturated.contains(448) && !saturated.contains(416) && !saturated.contains(quietNaN));
  Approx overflowed = approx::roundTo(Format::F8E4M3FN, Approx::within(5000, 10), Overflow::Native);
  EXPECT_TRUE(overflowed.contains(quietNaN) && !overflowed.contains(448));
  Approx either = approx::roundTo(Format::F8E4M3FN, Approx::within(464, 1), Overflow::Native);
  EXPECT_TRUE(either.contains(quietNaN) && either.contains(448));
  Approx infinite = approx::roundTo(Format::BF16, Approx::within(-1e39, 1e30), Overflow::Native);
  EXPECT_TRUE(infinite.contains(-infinity) && !infinite.contains(-largestFinite(Format::BF16)));
  Approx noNaN = approx::roundTo(Format::F4E2M1FN, Approx::exact(quietNaN), Overflow::Saturate);
  EXPECT_TRUE(noNaN.contains(6) && !noNaN.contains(0));
}

// verification_v7
TEST(Approx, CorrectlyRoundedOperationsHoldEveryOutcome) {
  std::mt19937_64 words(3);
  const Binary operations[] = {approx::add, approx::sub, approx::mul, approx::div};
  for (int i = 0; i < 40000; ++i) {
    bool exact = i % 2;
    Approx a = randomSet(words, -10, 10, exact), b = randomSet(words, i % 3 ? 0.5 : -8, 8, exact);
    Approx c = randomSet(words, -5, 5, exact);
    float x = pick(words, a), y = pick(words, b), z = pick(words, c);
    const float results[] = {x + y, x - y, x * y, x / y};
    for (int op = 0; op < 4; ++op) {
      Approx set = operations[op](a, b);
      ASSERT_TRUE(set.contains(results[op])) << op << ": " << x << " " << y;
      if (exact) { // one f32 value: neighbours are refused
        ASSERT_EQ(set.lo, set.hi);
        ASSERT_FALSE(set.contains(std::nextafter(results[op], 1e30f)));
      }
    }
    ASSERT_TRUE(approx::fma(a, b, c).contains(std::fma(x, y, z)));
    ASSERT_TRUE(approx::maximum(a, b).contains(std::fmax(x, y)));
    ASSERT_TRUE(approx::minimum(a, b).contains(std::fmin(x, y)));
    ASSERT_TRUE(approx::abs(a).contains(std::fabs(x)));
    ASSERT_TRUE(approx::neg(a).contains(-x));
    ASSERT_TRUE(approx::sqrt(b).contains(std::sqrt(y)));
  }
}

TEST(Approx, LibraryFunctionsHoldWithinTheirUlps) {
  struct Function {
    Unary set;
    double (*exact)(double);
    double ulps, lo, hi;
  };
  const Function functions[] = {
      {approx::exp, std::exp, 3, -80, 80},
      {approx::exp2, std::exp2, 3, -120, 120},
      {approx::log, std::log, 3, 1e-3, 50},
      {approx::log2, std::log2, 3, 1e-3, 50},
      {approx::erf, std::erf, 16, -4, 4},
      {approx::tanh, std::tanh, 5, -6, 6},
      {approx::rsqrt, [](double x) { return 1 / std::sqrt(x); }, 2, 1e-3, 90},
  };
  std::mt19937_64 words(4);
  for (const Function &f : functions)
    for (int i = 0; i < 5000; ++i) {
      Approx a = randomSet(words, f.lo, f.hi, i % 2);
      double x = pick(words, a), y = f.exact(x);
      Approx set = f.set(a);
      for (double direction : {-1.0, 0.0, 1.0}) { // a device as wrong as it may be
        double limit = y + direction * f.ulps * ulp(Format::F32, y);
        float result = float(limit);
        if (direction * (double(result) - limit) > 0)
          result = std::nextafter(result, float(-direction * infinity));
        ASSERT_TRUE(set.contains(result)) << x;
      }
      if (i % 2) { // a single input: not much wider than that
        ASSERT_LE(set.error(), (f.ulps + 2) * ulp(Format::F32, y)) << x;
      }
    }
}

TEST(Approx, ImpossibleArguments) {
  EXPECT_TRUE(approx::sqrt(Approx::within(-1, 0.5)).contains(quietNaN));
  EXPECT_FALSE(approx::sqrt(Approx::within(-1, 0.5)).contains(0));
  EXPECT_TRUE(approx::sqrt(Approx::within(0, 0.25)).contains(quietNaN));
  EXPECT_TRUE(approx::sqrt(Approx::within(0, 0.25)).contains(0.5));
  EXPECT_TRUE(approx::log(Approx::exact(0)).contains(-infinity));
  EXPECT_TRUE(approx::log(Approx::within(0.1, 0.5)).contains(quietNaN));
  EXPECT_TRUE(approx::log(Approx::within(0.1, 0.5)).contains(-50));
  EXPECT_FALSE(approx::log(Approx::within(0.6, 0.5)).contains(quietNaN));
  EXPECT_TRUE(approx::log(Approx::exact(-1)).contains(quietNaN) &&
              !approx::log(Approx::exact(-1)).contains(0));
  EXPECT_TRUE(approx::div(Approx::exact(1), Approx::within(0, 1e-3)).contains(-1e9));
  EXPECT_TRUE(approx::div(Approx::exact(1), Approx::exact(0)).contains(infinity));
  EXPECT_FALSE(approx::div(Approx::exact(1), Approx::exact(0)).contains(1));
  Approx zeroTimesInfinity = approx::mul(Approx::exact(0), Approx::exact(infinity));
  EXPECT_TRUE(zeroTimesInfinity.contains(quietNaN) && !zeroTimesInfinity.contains(0));
  EXPECT_TRUE(approx::exp(Approx::exact(1000)).contains(infinity));
  EXPECT_TRUE(approx::exp(Approx::exact(-1000)).contains(0));
  EXPECT_FALSE(approx::exp(Approx::exact(-1000)).contains(-1e-45));
}

TEST(Approx, NaNRules) {
  Approx one = Approx::exact(1), none = Approx::exact(quietNaN);
  EXPECT_TRUE(approx::add(one, none).contains(quietNaN) && !approx::add(one, none).contains(1));
  EXPECT_TRUE(approx::maximum(one, none).contains(quietNaN) && !approx::maximum(none, one).contains(1));
  EXPECT_TRUE(approx::maxnum(one, none).contains(1) && !approx::maxnum(one, none).contains(quietNaN));
  EXPECT_TRUE(approx::minnum(none, one).contains(1) && approx::minnum(none, none).contains(quietNaN));
  Approx maybe = approx::hull(Approx::within(3, 1), none);
  EXPECT_TRUE(approx::maximum(maybe, one).contains(quietNaN) && approx::maximum(maybe, one).contains(3));
  EXPECT_TRUE(approx::maxnum(maybe, one).contains(1) && !approx::maxnum(maybe, one).contains(quietNaN));
  EXPECT_EQ(approx::unordered(one, none), Truth::True);
  EXPECT_EQ(approx::unordered(one, maybe), Truth::Unknown);
  EXPECT_EQ(approx::less(one, none), Truth::False);
  EXPECT_EQ(approx::less(one, maybe), Truth::Unknown);
}

TEST(Approx, ComparisonsAndSelect) {
  Approx one = Approx::exact(1), around = Approx::within(1, 0.5), three = Approx::within(3, 0.5);
  EXPECT_EQ(approx::less(around, three), Truth::True);
  EXPECT_EQ(approx::less(three, around), Truth::False);
  EXPECT_EQ(approx::less(around, one), Truth::Unknown);
  EXPECT_EQ(approx::lessEqual(one, one), Truth::True);
  EXPECT_EQ(approx::less(one, one), Truth::False);
  EXPECT_EQ(approx::equal(one, one), Truth::True);
  EXPECT_EQ(approx::equal(one, three), Truth::False);
  EXPECT_EQ(approx::equal(one, around), Truth::Unknown);
  EXPECT_EQ(approx::logicalAnd(Truth::Unknown, Truth::False), Truth::False);
  EXPECT_EQ(approx::logicalOr(Truth::Unknown, Truth::True), Truth::True);
  EXPECT_EQ(approx::logicalOr(Truth::Unknown, Truth::False), Truth::Unknown);
  EXPECT_TRUE(approx::select(Truth::True, one, three).contains(1));
  EXPECT_FALSE(approx::select(Truth::False, one, three).contains(1));
  Approx either = approx::select(Truth::Unknown, one, three);
  EXPECT_TRUE(either.contains(1) && either.contains(3.5));
}

// verification_v8
TEST(Comparison, CountsAndFindsTheWorst) {
  Comparison all, rest;
  all.add(10, Approx::within(1, 0.5), 1.25);
  all.add(11, Approx::within(1, 0.1), 1.2);
  rest.add(5, Approx::exact(quietNaN), 1);
  rest.add(6, Approx::exact(quietNaN), quietNaN);
  rest.add(7, Approx::exact(4), 4);
  EXPECT_EQ(all.failures, 1);
  EXPECT_EQ(all.firstFailure, 11);
  EXPECT_EQ(all.maxError, 0.25);
  EXPECT_EQ(all.boundOfMaxError, 0.5);
  EXPECT_NEAR(all.worstShare, 2, 1e-9);
  all.merge(rest);
  EXPECT_EQ(all.compared, 5);
  EXPECT_EQ(all.failures, 2);
  EXPECT_EQ(all.firstFailure, 5);
  EXPECT_FALSE(all.passed());
}
