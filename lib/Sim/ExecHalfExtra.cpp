// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f16 operations beside the usual ones: multiplication and addition with two roundings, the legacy forms that
// clear the upper half, parts of a number. CDNA3 ISA manual sections 12.7, 12.8 and 12.11.

#include "Lanes.h"

using namespace llvm;
using namespace lowp::sim;

static double wide(Half h) { return toFloat(h); }
static Half mad(Half a, Half b, Half c) { return toHalf(wide(toHalf(wide(a) * wide(b))) + wide(c)); }
static Half fmaH(Half a, Half b, Half c) { return toHalf(wide(a) * wide(b) + wide(c)); }

static Half fract(Half a) {
  double x = wide(a), r = x - std::floor(x);
  return toHalf(r >= 1.0 - 0x1p-12 ? 1.0 - 0x1p-11 : r); // below one also after rounding
}
static Half frexpMant(Half a) {
  int exponent;
  float x = toFloat(a);
  return std::isfinite(x) ? toHalf(std::frexp(x, &exponent)) : toHalf(x);
}
static int16_t frexpExp(Half a) {
  int exponent = 0;
  float x = toFloat(a);
  if (std::isfinite(x) && x != 0)
    std::frexp(x, &exponent);
  return int16_t(exponent);
}

ArrayRef<OpEntry> lowp::sim::halfExtraOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"v_mad_f16", lanes<mad>, V, 1, R, FloatClamp | KeepsHigh | PartialDst},
      {"v_mad_legacy_f16", lanes<mad>, V, 1, R, FloatClamp},
      {"v_mac_f16", lanes<mad>, V, 1, R, FloatClamp | TiedSource},
      {"v_madmk_f16", lanes<mad>, V, 1, R, FloatClamp},
      {"v_madak_f16", lanes<mad>, V, 1, R, FloatClamp},
      {"v_fma_legacy_f16", lanes<fmaH>, V, 1, R, FloatClamp},
      {"v_fract_f16", lanes<fract>, V, 1, R, FloatClamp},
      {"v_frexp_mant_f16", lanes<frexpMant>, V, 1, R, FloatClamp},
      {"v_frexp_exp_i16_f16", lanes<frexpExp>, V, 1, R, AnyClamp},
  };
  return table;
}
