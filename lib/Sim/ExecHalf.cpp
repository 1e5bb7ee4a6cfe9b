// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector operations on f16 (one per lane) and f64. f16 is computed in double, which holds every intermediate
// result exactly enough for one rounding to be right.

#include "Lanes.h"

using namespace llvm;
using namespace lowp::sim;

static double wide(Half h) { return toFloat(h); }
static Half add(Half a, Half b) { return toHalf(wide(a) + wide(b)); }
static Half sub(Half a, Half b) { return toHalf(wide(a) - wide(b)); }
static Half subrev(Half a, Half b) { return toHalf(wide(b) - wide(a)); }
static Half mul(Half a, Half b) { return toHalf(wide(a) * wide(b)); }
static Half fmaH(Half a, Half b, Half c) { return toHalf(wide(a) * wide(b) + wide(c)); }
static bool isNan(Half h) { return (h.bits & 0x7fff) > 0x7c00; }
static bool less(Half a, Half b) {
  float x = toFloat(a), y = toFloat(b);
  return x < y || (x == 0 && y == 0 && a.bits == 0x8000 && b.bits == 0);
}
static bool isSignalling(Half h) { return isNan(h) && !(h.bits & 0x200); }
static Half quiet(Half h) { return {uint16_t(h.bits | 0x200)}; }
/// Of operands of which one is NaN. With `Ieee`, a signalling NaN gives its quiet form.
template <bool Ieee> Half ofNan(Half a, Half b) {
  if (Ieee && isSignalling(a))
    return quiet(a);
  if (Ieee && isSignalling(b))
    return quiet(b);
  return isNan(a) ? b : a;
}
template <bool I> Half minH(Half a, Half b) {
  return isNan(a) || isNan(b) ? ofNan<I>(a, b) : less(b, a) ? b : a;
}
template <bool I> Half maxH(Half a, Half b) {
  return isNan(a) || isNan(b) ? ofNan<I>(a, b) : less(a, b) ? b : a;
}
template <bool I> Half min3(Half a, Half b, Half c) { return minH<I>(minH<I>(a, b), c); }
template <bool I> Half max3(Half a, Half b, Half c) { return maxH<I>(maxH<I>(a, b), c); }
template <bool I> Half med3(Half a, Half b, Half c) {
  if (isNan(a) || isNan(b) || isNan(c))
    return min3<I>(a, b, c);
  return maxH<I>(minH<I>(a, b), minH<I>(maxH<I>(a, b), c));
}
static Half floorH(Half a) { return toHalf(std::floor(wide(a))); }
static Half ceilH(Half a) { return toHalf(std::ceil(wide(a))); }
static Half truncH(Half a) { return toHalf(std::trunc(wide(a))); }
static Half rndneH(Half a) { return toHalf(std::nearbyint(wide(a))); }
static Half ldexpH(Half a, int16_t b) { return toHalf(std::ldexp(wide(a), b < -60 ? -60 : b > 60 ? 60 : b)); }

ArrayRef<OpEntry> lowp::sim::halfOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"v_add_f16", lanes<add>, V, 1, R, FloatClamp},
      {"v_sub_f16", lanes<sub>, V, 1, R, FloatClamp},
      {"v_subrev_f16", lanes<subrev>, V, 1, R, FloatClamp},
      {"v_mul_f16", lanes<mul>, V, 1, R, FloatClamp},
      {"v_fma_f16", lanes<fmaH>, V, 1, R, FloatClamp | KeepsHigh | PartialDst},
      {"v_min_f16", byIeee<minH<false>, minH<true>>, V, 1, R, FloatClamp},
      {"v_max_f16", byIeee<maxH<false>, maxH<true>>, V, 1, R, FloatClamp},
      {"v_min3_f16", byIeee<min3<false>, min3<true>>, V, 1, R, FloatClamp | KeepsHigh | PartialDst},
      {"v_max3_f16", byIeee<max3<false>, max3<true>>, V, 1, R, FloatClamp | KeepsHigh | PartialDst},
      {"v_med3_f16", byIeee<med3<false>, med3<true>>, V, 1, R, FloatClamp | KeepsHigh | PartialDst},
      {"v_floor_f16", lanes<floorH>, V, 1, R, FloatClamp},
      {"v_ceil_f16", lanes<ceilH>, V, 1, R, FloatClamp},
      {"v_trunc_f16", lanes<truncH>, V, 1, R, FloatClamp},
      {"v_rndne_f16", lanes<rndneH>, V, 1, R, FloatClamp},
      {"v_ldexp_f16", lanes<ldexpH>, V, 1, R, FloatClamp},
  };
  return table;
}

// -- f64
// -----------------------------------------------------------------------------------------------------------

static double addD(double a, double b) { return a + b; }
static double mulD(double a, double b) { return a * b; }
static double fmaD(double a, double b, double c) { return std::fma(a, b, c); }
static bool isSignalling(double a) { return std::isnan(a) && !(asBits64(a) >> 51 & 1); }
static double quiet(double a) { return asDouble(asBits64(a) | uint64_t(1) << 51); }
template <bool Ieee> double ofNan(double a, double b) {
  if (Ieee && isSignalling(a))
    return quiet(a);
  if (Ieee && isSignalling(b))
    return quiet(b);
  return std::isnan(a) ? b : a;
}
template <bool I> double minD(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return ofNan<I>(a, b);
  return a == 0 && b == 0 ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
template <bool I> double maxD(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return ofNan<I>(a, b);
  return a == 0 && b == 0 ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
static double floorD(double a) { return std::floor(a); }
static double ceilD(double a) { return std::ceil(a); }
static double truncD(double a) { return std::trunc(a); }
static double rndneD(double a) { return std::nearbyint(a); }
static double fractD(double a) {
  double r = a - std::floor(a);
  return r >= 1.0 ? 0x1.fffffffffffffp-1 : r;
}
static double ldexpD(double a, int32_t b) { return std::ldexp(a, b < -3000 ? -3000 : b > 3000 ? 3000 : b); }
static double rcpD(double a) { return 1.0 / a; }
static double rsqD(double a) { return 1.0 / std::sqrt(a); }
static double sqrtD(double a) { return std::sqrt(a); }
static double frexpMantD(double a) {
  int e;
  return std::isfinite(a) ? std::frexp(a, &e) : a;
}
static int32_t frexpExpD(double a) {
  int e = 0;
  if (std::isfinite(a) && a != 0)
    std::frexp(a, &e);
  return e;
}

ArrayRef<OpEntry> lowp::sim::doubleOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"v_add_f64", lanes<addD>, V, 1, R, FloatClamp},
      {"v_mul_f64", lanes<mulD>, V, 1, R, FloatClamp},
      {"v_fma_f64", lanes<fmaD>, V, 1, R, FloatClamp},
      {"v_fmac_f64", lanes<fmaD>, V, 1, R, FloatClamp | TiedSource},
      {"v_min_f64", byIeee<minD<false>, minD<true>>, V, 1, R, FloatClamp},
      {"v_max_f64", byIeee<maxD<false>, maxD<true>>, V, 1, R, FloatClamp},
      {"v_floor_f64", lanes<floorD>, V, 1, R, FloatClamp},
      {"v_ceil_f64", lanes<ceilD>, V, 1, R, FloatClamp},
      {"v_trunc_f64", lanes<truncD>, V, 1, R, FloatClamp},
      {"v_rndne_f64", lanes<rndneD>, V, 1, R, FloatClamp},
      {"v_fract_f64", lanes<fractD>, V, 1, R, FloatClamp},
      {"v_ldexp_f64", lanes<ldexpD>, V, 1, R, FloatClamp},
      {"v_rcp_f64", lanes<rcpD>, Unit::Trans, 1, R, FloatClamp},
      {"v_rsq_f64", lanes<rsqD>, Unit::Trans, 1, R, FloatClamp},
      {"v_sqrt_f64", lanes<sqrtD>, Unit::Trans, 1, R, FloatClamp},
      {"v_frexp_mant_f64", lanes<frexpMantD>, V, 1, R, FloatClamp},
      {"v_frexp_exp_i32_f64", lanes<frexpExpD>, V, 1, R, AnyClamp},
  };
  return table;
}
