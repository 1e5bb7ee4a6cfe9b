// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f16 arithmetic: sums and products of two f16 are exact in f64 and rounded once. Which operations keep the
// other half of the destination: see Integer16.cpp.

#include "FloatBits.h"

using namespace lowp::sim::reference;

namespace {

constexpr auto b16 = f16Bits;
double h(Lane &l, unsigned i) { return halfToDouble(u16(l.s[i][0])); }
u16 bits(Lane &l, unsigned i) { return u16(l.s[i][0]); }
void fma(Lane &l) { l.set(halfFma(bits(l, 0), bits(l, 1), bits(l, 2))); }
void fixup(Lane &l) {
  u16 q = bits(l, 0), den = bits(l, 1), num = bits(l, 2), sign = (den ^ num) & 0x8000;
  if (b16.nan(num))
    l.set(b16.quieted(num));
  else if (b16.nan(den))
    l.set(b16.quieted(den));
  else if ((b16.zero(den) && b16.zero(num)) || (b16.infinite(den) && b16.infinite(num)))
    l.set(0xfe00);
  else if (b16.zero(den) || b16.infinite(num))
    l.set(sign | 0x7c00);
  else if (b16.infinite(den) || b16.zero(num))
    l.set(sign);
  else
    l.set(sign | (q & 0x7fff));
}
/// mad rounds the product, then the sum.
u16 mad(u16 a, u16 b, u16 c) {
  return doubleToHalf(halfToDouble(doubleToHalf(halfToDouble(a) * halfToDouble(b))) + halfToDouble(c));
}

} // namespace

Rows lowp::sim::reference::halfRows() {
  return {
      {"v_add_f16", "h:hh", [](Lane &l) { l.set(doubleToHalf(h(l, 0) + h(l, 1))); }},
      {"v_sub_f16", "h:hh", [](Lane &l) { l.set(doubleToHalf(h(l, 0) - h(l, 1))); }},
      {"v_subrev_f16", "h:hh", [](Lane &l) { l.set(doubleToHalf(h(l, 1) - h(l, 0))); }},
      {"v_mul_f16", "h:hh", [](Lane &l) { l.set(doubleToHalf(h(l, 0) * h(l, 1))); }},
      {"v_min_f16", "h:hh", [](Lane &l) { l.set(b16.min(bits(l, 0), bits(l, 1))); }},
      {"v_max_f16", "h:hh", [](Lane &l) { l.set(b16.max(bits(l, 0), bits(l, 1))); }},
      {"v_ldexp_f16", "h:hs", [](Lane &l) { l.set(doubleToHalf(std::ldexp(h(l, 0), i16(l.s[1][0])))); }},
      {"v_mac_f16", "h:hh", [](Lane &l) { l.set(mad(bits(l, 0), bits(l, 1), u16(l.d[0]))); }, ReadsDst},
      {"v_madmk_f16", "h:hh", [](Lane &l) { l.set(mad(bits(l, 0), u16(l.immediate), bits(l, 1))); },
       OnlyShort | HasImmediate},
      {"v_madak_f16", "h:hh", [](Lane &l) { l.set(mad(bits(l, 0), bits(l, 1), u16(l.immediate))); },
       OnlyShort | HasImmediate},
      {"v_mad_legacy_f16", "h:hhh", [](Lane &l) { l.set(mad(bits(l, 0), bits(l, 1), bits(l, 2))); },
       Vop3Only},
      {"v_mad_f16", "k:hhh", [](Lane &l) { l.set(mad(bits(l, 0), bits(l, 1), bits(l, 2))); },
       Vop3Only | HalfResult},
      {"v_fma_f16", "k:hhh", fma, Vop3Only | HalfResult},
      {"v_fma_legacy_f16", "h:hhh", fma, Vop3Only},
      {"v_div_fixup_f16", "k:hhh", fixup, Vop3Only | HalfResult},
      {"v_div_fixup_legacy_f16", "h:hhh", fixup, Vop3Only},
      {"v_min3_f16", "k:hhh", [](Lane &l) { l.set(b16.min(b16.min(bits(l, 0), bits(l, 1)), bits(l, 2))); },
       Vop3Only | HalfResult},
      {"v_max3_f16", "k:hhh", [](Lane &l) { l.set(b16.max(b16.max(bits(l, 0), bits(l, 1)), bits(l, 2))); },
       Vop3Only | HalfResult},
      {"v_med3_f16", "k:hhh",
       [](Lane &l) {
         l.skip = b16.bothZeros(bits(l, 0), bits(l, 1), bits(l, 2));
         l.set(b16.median(bits(l, 0), bits(l, 1), bits(l, 2)));
       },
       Vop3Only | HalfResult},
      {"v_floor_f16", "h:h", [](Lane &l) { l.set(doubleToHalf(std::floor(h(l, 0)))); }},
      {"v_ceil_f16", "h:h", [](Lane &l) { l.set(doubleToHalf(std::ceil(h(l, 0)))); }},
      {"v_trunc_f16", "h:h", [](Lane &l) { l.set(doubleToHalf(std::trunc(h(l, 0)))); }},
      {"v_rndne_f16", "h:h", [](Lane &l) { l.set(doubleToHalf(std::nearbyint(h(l, 0)))); }},
      {"v_fract_f16", "h:h",
       [](Lane &l) {
         l.set(doubleToHalf(std::fmin(h(l, 0) - std::floor(h(l, 0)),
                                      std::isfinite(h(l, 0)) ? 0x1.ffcp-1 : h(l, 0) - h(l, 0))));
       }},
      {"v_frexp_exp_i16_f16", "s:h",
       [](Lane &l) {
         int e = 0;
         if (std::isfinite(h(l, 0)))
           (void)std::frexp(h(l, 0), &e);
         l.set(u16(e));
       }},
      {"v_frexp_mant_f16", "h:h",
       [](Lane &l) {
         int e = 0;
         l.set(std::isfinite(h(l, 0)) ? doubleToHalf(std::frexp(h(l, 0), &e)) : bits(l, 0));
       }},
  };
}
