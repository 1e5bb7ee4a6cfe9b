// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VOP3P: pairs of 16-bit values and of f32. op_sel chooses the half of each source for the low result,
// op_sel_hi for the high one; neg_lo and neg_hi negate floats. fma_mix: op_sel_hi says which sources are f16,
// op_sel which half, neg and abs as in VOP3.

#include "FloatBits.h"
#include <algorithm>

using namespace lowp::sim::reference;

namespace {

u16 part(Lane &l, unsigned i, bool high) {
  return u16((high ? l.opSelHi : l.opSel) >> i & 1 ? l.s[i][0] >> 16 : l.s[i][0]);
}
u16 half(Lane &l, unsigned i, bool high) {
  return part(l, i, high) ^ ((high ? l.negHi : l.negLo) >> i & 1 ? 0x8000 : 0);
}
float single(Lane &l, unsigned i, bool high) {
  u32 bits = l.s[i][(high ? l.opSelHi : l.opSel) >> i & 1];
  return bitCast<float>(bits ^ ((high ? l.negHi : l.negLo) >> i & 1 ? 0x80000000u : 0));
}
template <typename F> void integers(Lane &l, F f) {
  u32 r = 0;
  for (bool high : {false, true})
    r |= u32(u16(f(part(l, 0, high), part(l, 1, high), part(l, 2, high)))) << 16 * high;
  l.set(r);
}
template <typename F> void halves(Lane &l, F f) {
  u32 r = 0;
  for (bool high : {false, true})
    r |= u32(u16(f(half(l, 0, high), half(l, 1, high), half(l, 2, high)))) << 16 * high;
  l.set(r);
}
template <typename F> void singles(Lane &l, F f) {
  float low = f(single(l, 0, false), single(l, 1, false), single(l, 2, false));
  float high = f(single(l, 0, true), single(l, 1, true), single(l, 2, true));
  l.d[0] = bitCast<u32>(low);
  l.d[1] = bitCast<u32>(high);
}
i64 fit(Lane &l, bool isSigned, i64 x) {
  return !l.clamp ? x : isSigned ? std::clamp<i64>(x, -32768, 32767) : std::clamp<i64>(x, 0, 65535);
}
float mixed(Lane &l, unsigned i) {
  float x = l.f(i);
  if (l.opSelHi >> i & 1)
    x = float(halfToDouble(u16(l.opSel >> i & 1 ? l.s[i][0] >> 16 : l.s[i][0])));
  if (l.negHi >> i & 1)
    x = std::fabs(x);
  return l.negLo >> i & 1 ? -x : x;
}
float mix(Lane &l) { return std::fma(mixed(l, 0), mixed(l, 1), mixed(l, 2)); }
constexpr auto b16 = f16Bits;
double d(u16 x) { return halfToDouble(x); }
double unit(Lane &l, double x) { return !l.clamp ? x : !(x > 0) ? 0 : x > 1 ? 1 : x; }
/// The manual rounds to f32 and then to f16; rounding the exact sum once would be as good a reading.
void mixHalf(Lane &l, unsigned at) {
  float twice = mix(l);
  l.skip = std::isnan(twice); // which NaN is not documented
  u32 rest = l.d[0] & ~(0xffffu << at);
  l.set(rest | u32(doubleToHalf(unit(l, twice))) << at);
  bool lost;
  auto quad = [&](double x) {
    llvm::APFloat value(x);
    value.convert(llvm::APFloat::IEEEquad(), llvm::APFloat::rmNearestTiesToEven, &lost);
    return value;
  };
  auto once = [&](llvm::RoundingMode last) {
    llvm::APFloat exact = quad(mixed(l, 0));
    exact.fusedMultiplyAdd(quad(mixed(l, 1)), quad(mixed(l, 2)), last);
    exact.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &lost);
    return halfToDouble(u16(exact.bitcastToAPInt().getZExtValue()));
  };
  double below = once(llvm::RoundingMode::TowardNegative), above = once(llvm::RoundingMode::TowardPositive);
  double other = below == halfToDouble(doubleToHalf(twice)) ? above : below;
  l.hasAlternative = true;
  l.alternative = rest | u32(doubleToHalf(unit(l, other))) << at;
}

} // namespace

Rows lowp::sim::reference::packedRows() {
  constexpr unsigned p = Vop3Only | Packed;
  return {
      {"v_pk_mad_i16", "P:PPP",
       [](Lane &l) {
         integers(l, [&](u16 a, u16 b, u16 c) { return fit(l, true, i64(i16(a)) * i16(b) + i16(c)); });
       },
       p | IntegerClamp},
      {"v_pk_mad_u16", "P:PPP",
       [](Lane &l) { integers(l, [&](u16 a, u16 b, u16 c) { return fit(l, false, i64(a) * b + c); }); },
       p | IntegerClamp},
      {"v_pk_mul_lo_u16", "P:PP", [](Lane &l) { integers(l, [&](u16 a, u16 b, u16) { return i64(a) * b; }); },
       p},
      {"v_pk_add_i16", "P:PP",
       [](Lane &l) { integers(l, [&](u16 a, u16 b, u16) { return fit(l, true, i64(i16(a)) + i16(b)); }); },
       p | IntegerClamp},
      {"v_pk_sub_i16", "P:PP",
       [](Lane &l) { integers(l, [&](u16 a, u16 b, u16) { return fit(l, true, i64(i16(a)) - i16(b)); }); },
       p | IntegerClamp},
      {"v_pk_add_u16", "P:PP",
       [](Lane &l) { integers(l, [&](u16 a, u16 b, u16) { return fit(l, false, i64(a) + b); }); },
       p | IntegerClamp},
      {"v_pk_sub_u16", "P:PP",
       [](Lane &l) { integers(l, [&](u16 a, u16 b, u16) { return fit(l, false, i64(a) - b); }); },
       p | IntegerClamp},
      {"v_pk_lshlrev_b16", "P:PP",
       [](Lane &l) { integers(l, [](u16 n, u16 x, u16) { return x << n % 16; }); }, p},
      {"v_pk_lshrrev_b16", "P:PP",
       [](Lane &l) { integers(l, [](u16 n, u16 x, u16) { return x >> n % 16; }); }, p},
      {"v_pk_ashrrev_i16", "P:PP",
       [](Lane &l) { integers(l, [](u16 n, u16 x, u16) { return i16(x) >> n % 16; }); }, p},
      {"v_pk_max_i16", "P:PP",
       [](Lane &l) { integers(l, [](u16 a, u16 b, u16) { return std::max(i16(a), i16(b)); }); }, p},
      {"v_pk_min_i16", "P:PP",
       [](Lane &l) { integers(l, [](u16 a, u16 b, u16) { return std::min(i16(a), i16(b)); }); }, p},
      {"v_pk_max_u16", "P:PP", [](Lane &l) { integers(l, [](u16 a, u16 b, u16) { return std::max(a, b); }); },
       p},
      {"v_pk_min_u16", "P:PP", [](Lane &l) { integers(l, [](u16 a, u16 b, u16) { return std::min(a, b); }); },
       p},
      {"v_pk_fma_f16", "H:HHH", [](Lane &l) { halves(l, halfFma); }, p},
      {"v_pk_add_f16", "H:HH",
       [](Lane &l) { halves(l, [](u16 a, u16 b, u16) { return doubleToHalf(d(a) + d(b)); }); }, p},
      {"v_pk_mul_f16", "H:HH",
       [](Lane &l) { halves(l, [](u16 a, u16 b, u16) { return doubleToHalf(d(a) * d(b)); }); }, p},
      {"v_pk_min_f16", "H:HH", [](Lane &l) { halves(l, [](u16 a, u16 b, u16) { return b16.min(a, b); }); },
       p},
      {"v_pk_max_f16", "H:HH", [](Lane &l) { halves(l, [](u16 a, u16 b, u16) { return b16.max(a, b); }); },
       p},
      {"v_pk_minimum3_f16", "H:HHH",
       [](Lane &l) {
         halves(l, [](u16 a, u16 b, u16 c) { return b16.chooseNan(b16.chooseNan(a, b, true), c, true); });
       },
       p | Gfx950},
      {"v_pk_maximum3_f16", "H:HHH",
       [](Lane &l) {
         halves(l, [](u16 a, u16 b, u16 c) { return b16.chooseNan(b16.chooseNan(a, b, false), c, false); });
       },
       p | Gfx950},
      {"v_pk_fmac_f16", "H:HH",
       [](Lane &l) {
         u32 r = 0;
         for (unsigned at : {0, 16})
           r |= u32(halfFma(u16(l.s[0][0] >> at), u16(l.s[1][0] >> at), u16(l.d[0] >> at))) << at;
         l.set(r);
       },
       OnlyShort | ReadsDst},
      {"v_pk_fma_f32", "F:FFF",
       [](Lane &l) { singles(l, [](float a, float b, float c) { return std::fma(a, b, c); }); }, p},
      {"v_pk_mul_f32", "F:FF", [](Lane &l) { singles(l, [](float a, float b, float) { return a * b; }); }, p},
      {"v_pk_add_f32", "F:FF", [](Lane &l) { singles(l, [](float a, float b, float) { return a + b; }); }, p},
      {"v_pk_mov_b32", "l:ll",
       [](Lane &l) {
         u32 low = l.s[0][l.opSel & 1], high = l.s[1][l.opSel >> 1 & 1];
         l.d[0] = low;
         l.d[1] = high;
       },
       p},
      {"v_fma_mix_f32", "f:MMM", [](Lane &l) { l.setF(mix(l)); }, p | OwnSigns},
      {"v_fma_mixlo_f16", "i:MMM", [](Lane &l) { mixHalf(l, 0); }, p | OwnSigns | ReadsDst | IntegerClamp},
      {"v_fma_mixhi_f16", "i:MMM", [](Lane &l) { mixHalf(l, 16); }, p | OwnSigns | ReadsDst | IntegerClamp},
  };
}
