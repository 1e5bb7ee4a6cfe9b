// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f32 and f64 arithmetic, and the instructions of the division sequence. fract never gives 1 (LLVM's
// definition of llvm.amdgcn.fract: the largest value below 1 at most). frexp of 0 has exponent 0.

#include "FloatBits.h"

using namespace lowp::sim::reference;

namespace {

constexpr auto b32 = f32Bits;
constexpr auto b64 = f64Bits;

template <typename T> T fraction(T x) {
  T below = std::nextafter(T(1), T(0));
  T r = x - std::floor(x);
  return r > below ? below : r;
}
i32 frexpExponent(double x) {
  int e = 0;
  if (std::isfinite(x))
    (void)std::frexp(x, &e);
  return e;
}
template <typename T> T frexpMantissa(T x) {
  int e = 0;
  return std::isfinite(x) ? std::frexp(x, &e) : x;
}
template <typename T> T scaleBy(T x, u32 exponent) {
  int e = i32(exponent);
  return std::ldexp(x, e < -10000 ? -10000 : e > 10000 ? 10000 : e);
}
/// v_div_fixup's cases in order; S0 quotient, S1 denominator, S2 numerator.
u64 fixup(const FloatFormat &b, u64 q, u64 den, u64 num, int smallest) {
  u64 r;
  u64 sign = (den ^ num) & b.signBit();
  auto exponent = [&](u64 x) { return int(b.magnitude(x) >> b.mantissa); };
  if (b.nan(num))
    r = b.quieted(num);
  else if (b.nan(den))
    r = b.quieted(den);
  else if ((b.zero(den) && b.zero(num)) || (b.infinite(den) && b.infinite(num)))
    r = b.signBit() | b.quieted(b.infinity());
  else if (b.zero(den) || b.infinite(num))
    r = sign | b.infinity();
  else if (b.infinite(den) || b.zero(num))
    r = sign;
  else if (smallest && exponent(num) - exponent(den) < smallest)
    r = sign;        // the manual's UNDERFLOW value; rounding to nearest makes it a zero
  else if (b.nan(q)) // not in the manual: an expanded division whose quotient overflows has to give infinity
    r = sign | b.infinity();
  else
    r = sign | b.magnitude(q);
  return r;
}

} // namespace

Rows lowp::sim::reference::floatRows() {
  return {
      {"v_add_f32", "f:ff", [](Lane &l) { l.setF(l.f(0) + l.f(1)); }},
      {"v_sub_f32", "f:ff", [](Lane &l) { l.setF(l.f(0) - l.f(1)); }},
      {"v_subrev_f32", "f:ff", [](Lane &l) { l.setF(l.f(1) - l.f(0)); }},
      {"v_mul_f32", "f:ff", [](Lane &l) { l.setF(l.f(0) * l.f(1)); }},
      {"v_mul_legacy_f32", "f:ff",
       [](Lane &l) { l.setF(l.f(0) == 0 || l.f(1) == 0 ? 0.0f : l.f(0) * l.f(1)); }, Vop3Only},
      {"v_min_f32", "f:ff", [](Lane &l) { l.set(b32.min(l.s[0][0], l.s[1][0])); }},
      {"v_max_f32", "f:ff", [](Lane &l) { l.set(b32.max(l.s[0][0], l.s[1][0])); }},
      {"v_fmac_f32", "f:ff", [](Lane &l) { l.setF(std::fma(l.f(0), l.f(1), bitCast<float>(l.d[0]))); },
       ReadsDst},
      {"v_fmamk_f32", "f:ff", [](Lane &l) { l.setF(std::fma(l.f(0), bitCast<float>(l.immediate), l.f(1))); },
       OnlyShort | HasImmediate},
      {"v_fmaak_f32", "f:ff", [](Lane &l) { l.setF(std::fma(l.f(0), l.f(1), bitCast<float>(l.immediate))); },
       OnlyShort | HasImmediate},
      {"v_fma_f32", "f:fff", [](Lane &l) { l.setF(std::fma(l.f(0), l.f(1), l.f(2))); }, Vop3Only},
      {"v_min3_f32", "f:fff", [](Lane &l) { l.set(b32.min(b32.min(l.s[0][0], l.s[1][0]), l.s[2][0])); },
       Vop3Only},
      {"v_max3_f32", "f:fff", [](Lane &l) { l.set(b32.max(b32.max(l.s[0][0], l.s[1][0]), l.s[2][0])); },
       Vop3Only},
      {"v_med3_f32", "f:fff",
       [](Lane &l) {
         l.skip = b32.bothZeros(l.s[0][0], l.s[1][0], l.s[2][0]);
         l.set(b32.median(l.s[0][0], l.s[1][0], l.s[2][0]));
       },
       Vop3Only},
      {"v_minimum3_f32", "f:fff",
       [](Lane &l) { l.set(b32.chooseNan(b32.chooseNan(l.s[0][0], l.s[1][0], true), l.s[2][0], true)); },
       Vop3Only | Gfx950},
      {"v_maximum3_f32", "f:fff",
       [](Lane &l) { l.set(b32.chooseNan(b32.chooseNan(l.s[0][0], l.s[1][0], false), l.s[2][0], false)); },
       Vop3Only | Gfx950},
      {"v_fract_f32", "f:f", [](Lane &l) { l.setF(fraction(l.f(0))); }},
      {"v_trunc_f32", "f:f", [](Lane &l) { l.setF(std::trunc(l.f(0))); }},
      {"v_ceil_f32", "f:f", [](Lane &l) { l.setF(std::ceil(l.f(0))); }},
      {"v_rndne_f32", "f:f", [](Lane &l) { l.setF(std::nearbyint(l.f(0))); }},
      {"v_floor_f32", "f:f", [](Lane &l) { l.setF(std::floor(l.f(0))); }},
      {"v_frexp_exp_i32_f32", "i:f", [](Lane &l) { l.set(u32(frexpExponent(l.f(0)))); }},
      {"v_frexp_mant_f32", "f:f", [](Lane &l) { l.setF(frexpMantissa(l.f(0))); }},
      {"v_ldexp_f32", "f:fn", [](Lane &l) { l.setF(scaleBy(l.f(0), l.s[1][0])); }, Vop3Only},
      {"v_div_fixup_f32", "f:fff",
       [](Lane &l) { l.set(u32(fixup(b32, l.s[0][0], l.s[1][0], l.s[2][0], -150))); }, Vop3Only},
      {"v_div_fmas_f32", "f:fff",
       [](Lane &l) {
         float r = std::fma(l.f(0), l.f(1), l.f(2));
         unsigned exponent = l.s[2][0] >> 23 & 255;
         l.setF(l.carryIn ? std::ldexp(r, exponent > 127 ? 64 : -64) : r);
       },
       Vop3Only | NoVcc},
  };
}

Rows lowp::sim::reference::doubleRows() {
  return {
      {"v_add_f64", "d:dd", [](Lane &l) { l.setD(l.lf(0) + l.lf(1)); }, Vop3Only},
      {"v_mul_f64", "d:dd", [](Lane &l) { l.setD(l.lf(0) * l.lf(1)); }, Vop3Only},
      {"v_min_f64", "d:dd", [](Lane &l) { l.setQ(b64.min(l.q(0), l.q(1))); }, Vop3Only},
      {"v_max_f64", "d:dd", [](Lane &l) { l.setQ(b64.max(l.q(0), l.q(1))); }, Vop3Only},
      {"v_fma_f64", "d:ddd", [](Lane &l) { l.setD(std::fma(l.lf(0), l.lf(1), l.lf(2))); }, Vop3Only},
      {"v_fmac_f64", "d:dd",
       [](Lane &l) { l.setD(std::fma(l.lf(0), l.lf(1), bitCast<double>(l.d[0] | u64(l.d[1]) << 32))); },
       ReadsDst},
      {"v_ldexp_f64", "d:dn", [](Lane &l) { l.setD(scaleBy(l.lf(0), l.s[1][0])); }, Vop3Only},
      {"v_trunc_f64", "d:d", [](Lane &l) { l.setD(std::trunc(l.lf(0))); }},
      {"v_ceil_f64", "d:d", [](Lane &l) { l.setD(std::ceil(l.lf(0))); }},
      {"v_rndne_f64", "d:d", [](Lane &l) { l.setD(std::nearbyint(l.lf(0))); }},
      {"v_floor_f64", "d:d", [](Lane &l) { l.setD(std::floor(l.lf(0))); }},
      {"v_fract_f64", "d:d", [](Lane &l) { l.setD(fraction(l.lf(0))); }},
      {"v_frexp_exp_i32_f64", "i:d", [](Lane &l) { l.set(u32(frexpExponent(l.lf(0)))); }},
      {"v_frexp_mant_f64", "d:d", [](Lane &l) { l.setD(frexpMantissa(l.lf(0))); }},
      {"v_div_fixup_f64", "d:ddd", [](Lane &l) { l.setQ(fixup(b64, l.q(0), l.q(1), l.q(2), -1075)); },
       Vop3Only},
      {"v_div_fmas_f64", "d:ddd",
       [](Lane &l) {
         double r = std::fma(l.lf(0), l.lf(1), l.lf(2));
         unsigned exponent = l.s[2][1] >> 20 & 2047;
         l.setD(l.carryIn ? std::ldexp(r, exponent > 1023 ? 128 : -128) : r);
       },
       Vop3Only | NoVcc},
  };
}
