// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transcendental functions. The hardware is within 1 ulp (exp, log, rcp, rsq, sqrt); here they are rounded
// from double. The f32 forms flush denormal arguments and results: LLVM scales around them for that reason.

#include "Lanes.h"

using namespace llvm;
using namespace lowp::sim;

static float flushed(double x) { return flushDenormal(float(x)); }
static float in(float x) { return flushDenormal(x); }

static float exp2F(float a) { return flushed(std::exp2(double(in(a)))); }
static float log2F(float a) { return flushed(std::log2(double(in(a)))); }
static float rcpF(float a) { return flushed(1.0 / double(in(a))); }
static float rsqF(float a) { return flushed(1.0 / std::sqrt(double(in(a)))); }
static float sqrtF(float a) { return flushed(std::sqrt(double(in(a)))); }
// Arguments in turns. Whole and quarter turns are exact.
static double sinTurns(double a) {
  if (a == 0)
    return a;
  double quarters = 4 * std::fmod(a, 1.0), nearest = std::nearbyint(quarters),
         angle = (quarters - nearest) * 1.57079632679489661923;
  switch (int(nearest) & 3) {
  case 0:
    return std::sin(angle) + 0.0;
  case 1:
    return std::cos(angle);
  case 2:
    return 0.0 - std::sin(angle);
  default:
    return -std::cos(angle);
  }
}
static double cosTurns(double a) {
  double quarters = 4 * std::fmod(std::fabs(a), 1.0), nearest = std::nearbyint(quarters),
         angle = (quarters - nearest) * 1.57079632679489661923;
  switch (int(nearest) & 3) {
  case 0:
    return std::cos(angle);
  case 1:
    return 0.0 - std::sin(angle);
  case 2:
    return -std::cos(angle);
  default:
    return std::sin(angle) + 0.0;
  }
}
static float sinF(float a) { return std::isfinite(a) ? flushed(sinTurns(in(a))) : a - a; }
static float cosF(float a) { return std::isfinite(a) ? flushed(cosTurns(in(a))) : a - a; }

static double wide(Half h) { return toFloat(h); }
static Half exp2H(Half a) { return toHalf(std::exp2(wide(a))); }
static Half log2H(Half a) { return toHalf(std::log2(wide(a))); }
static Half rcpH(Half a) { return toHalf(1.0 / wide(a)); }
static Half rsqH(Half a) { return toHalf(1.0 / std::sqrt(wide(a))); }
static Half sinH(Half a) { return toHalf(std::isfinite(wide(a)) ? sinTurns(wide(a)) : wide(a) - wide(a)); }
static Half cosH(Half a) { return toHalf(std::isfinite(wide(a)) ? cosTurns(wide(a)) : wide(a) - wide(a)); }
static Half sqrtH(Half a) { return toHalf(std::sqrt(wide(a))); }

ArrayRef<OpEntry> lowp::sim::transOps() {
  static constexpr Unit T = Unit::Trans;
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"v_exp_f32", lanes<exp2F>, T, 1, R, FloatClamp},
      {"v_log_f32", lanes<log2F>, T, 1, R, FloatClamp},
      {"v_rcp_f32", lanes<rcpF>, T, 1, R, FloatClamp},
      {"v_rcp_iflag_f32", lanes<rcpF>, T, 1, R, FloatClamp},
      {"v_rsq_f32", lanes<rsqF>, T, 1, R, FloatClamp},
      {"v_sqrt_f32", lanes<sqrtF>, T, 1, R, FloatClamp},
      {"v_sin_f32", lanes<sinF>, T, 1, R, FloatClamp},
      {"v_cos_f32", lanes<cosF>, T, 1, R, FloatClamp},
      {"v_exp_legacy_f32", lanes<exp2F>, T, 1, R, FloatClamp},
      {"v_log_legacy_f32", lanes<log2F>, T, 1, R, FloatClamp},
      {"v_sin_f16", lanes<sinH>, T, 1, R, FloatClamp},
      {"v_cos_f16", lanes<cosH>, T, 1, R, FloatClamp},
      {"v_exp_f16", lanes<exp2H>, T, 1, R, FloatClamp},
      {"v_log_f16", lanes<log2H>, T, 1, R, FloatClamp},
      {"v_rcp_f16", lanes<rcpH>, T, 1, R, FloatClamp},
      {"v_rsq_f16", lanes<rsqH>, T, 1, R, FloatClamp},
      {"v_sqrt_f16", lanes<sqrtH>, T, 1, R, FloatClamp},
  };
  return table;
}
