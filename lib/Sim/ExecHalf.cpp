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
static Half minH(Half a, Half b) { return isNan(a) ? b : isNan(b) ? a : less(b, a) ? b : a; }
static Half maxH(Half a, Half b) { return isNan(a) ? b : isNan(b) ? a : less(a, b) ? b : a; }
static Half min3(Half a, Half b, Half c) { return minH(minH(a, b), c); }
static Half max3(Half a, Half b, Half c) { return maxH(maxH(a, b), c); }
static Half med3(Half a, Half b, Half c) {
  if (isNan(a) || isNan(b) || isNan(c))
    return min3(a, b, c);
  return maxH(minH(a, b), minH(maxH(a, b), c));
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
      {"v_fmac_f16", lanes<fmaH>, V, 1, R, FloatClamp | TiedSource},
      {"v_min_f16", lanes<minH>, V, 1, R, FloatClamp},
      {"v_max_f16", lanes<maxH>, V, 1, R, FloatClamp},
      {"v_min3_f16", lanes<min3>, V, 1, R, FloatClamp | KeepsHigh | PartialDst},
      {"v_max3_f16", lanes<max3>, V, 1, R, FloatClamp | KeepsHigh | PartialDst},
      {"v_med3_f16", lanes<med3>, V, 1, R, FloatClamp | KeepsHigh | PartialDst},
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
static double minD(double a, double b) { return std::fmin(a, b); }
static double maxD(double a, double b) { return std::fmax(a, b); }
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
      {"v_min_f64", lanes<minD>, V, 1, R, FloatClamp},
      {"v_max_f64", lanes<maxD>, V, 1, R, FloatClamp},
      {"v_floor_f64", lanes<floorD>, V, 1, R, FloatClamp},
      {"v_ceil_f64", lanes<ceilD>, V, 1, R, FloatClamp},
      {"v_trunc_f64", lanes<truncD>, V, 1, R, FloatClamp},
      {"v_rndne_f64", lanes<rndneD>, V, 1, R, FloatClamp},
      {"v_fract_f64", lanes<fractD>, V, 1, R, FloatClamp},
      {"v_ldexp_f64", lanes<ldexpD>, V, 1, R, FloatClamp},
      {"v_rcp_f64", lanes<rcpD>, Unit::Trans, 1, R, FloatClamp},
      {"v_rsq_f64", lanes<rsqD>, Unit::Trans, 1, R, FloatClamp},
      {"v_sqrt_f64", lanes<sqrtD>, Unit::Trans, 1, R, FloatClamp},
      {"v_frexp_mant_f64", lanes<frexpMantD>, V, 1, R},
      {"v_frexp_exp_i32_f64", lanes<frexpExpD>, V, 1, R},
  };
  return table;
}
