// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CDNA4's conversions with scale. The scale is the exponent field of an f32 and stands for 2^(field - 127),
// as E8M0 does; narrowing divides by it, widening multiplies. One rounding from the exact value. NaN has no
// code in the formats of 6 and 4 bits and the manual names none: those lanes are skipped. Where a result
// rounded at random lies between two codes either is right: the manual does not say to which bits the number
// is added after scaling.

#include "Narrow.h"

using namespace lowp::sim::reference;

namespace {

enum class Wide { F32, F16, Bf16 };

double scaleOf(Lane &l, unsigned i) {
  unsigned field = l.s[i][0] >> 23 & 255;
  if (field == 255)
    l.skip = true;
  return std::ldexp(1.0, int(field) - 127);
}
double element(Lane &l, unsigned i, Wide wide, unsigned at) {
  if (wide == Wide::F32)
    return l.f(i, at);
  u32 bits = l.s[i][at / 2] >> at % 2 * 16 & 0xffff;
  return wide == Wide::F16 ? halfToDouble(u16(bits)) : bfloatToFloat(bits);
}
void setElement(Lane &l, Wide wide, unsigned at, double value) {
  if (wide == Wide::F32) {
    l.d[at] = bitCast<u32>(float(value));
    return;
  }
  u32 bits = wide == Wide::F16 ? doubleToHalf(value) : doubleToBfloat(value);
  l.d[at / 2] = (l.d[at / 2] & ~(0xffffu << at % 2 * 16)) | bits << at % 2 * 16;
}
u32 code(Lane &l, Narrow format, double value) {
  if (std::isnan(value) && widthOf(format) < 8) {
    l.skip = true;
    return 0;
  }
  return encode(l, format, true, value);
}
u32 packedCode(const u32 *dwords, unsigned width, unsigned at) {
  unsigned bit = width * at;
  u64 both = dwords[bit / 32] | (bit / 32 < 5 ? u64(dwords[bit / 32 + 1]) << 32 : 0);
  return u32(both >> bit % 32) & ((1u << width) - 1);
}
void setPacked(u32 *dwords, unsigned width, unsigned at, u32 value) {
  for (unsigned i = 0; i < width; ++i) {
    unsigned bit = width * at + i;
    dwords[bit / 32] = (dwords[bit / 32] & ~(1u << bit % 32)) | (value >> i & 1) << bit % 32;
  }
}

/// Two elements of 8 bits into a half, of 4 bits into a byte. F32 elements are in two operands.
template <Narrow format, Wide wide> void narrowPair(Lane &l) {
  double scale = scaleOf(l, wide == Wide::F32 ? 2 : 1);
  double a = element(l, 0, wide, 0), b = wide == Wide::F32 ? element(l, 1, wide, 0) : element(l, 0, wide, 1);
  unsigned width = widthOf(format), at = width == 8 ? (l.opSel >> 3 & 1) * 16 : (l.opSel >> 2 & 3) * 8;
  u32 mask = (1u << 2 * width) - 1, pair = code(l, format, a / scale) | code(l, format, b / scale) << width;
  l.set((l.d[0] & ~(mask << at)) | pair << at);
}
template <Narrow format, Wide wide> void widenPair(Lane &l) {
  double scale = scaleOf(l, 1);
  unsigned width = widthOf(format), at = width == 8 ? (l.opSel & 1) * 16 : (l.opSel & 3) * 8;
  u32 source = l.s[0][0] >> at;
  setElement(l, wide, 0, decode(format, true, source) * scale);
  setElement(l, wide, 1, decode(format, true, source >> width) * scale);
}
template <Narrow format, Wide wide> void widenOne(Lane &l) {
  double scale = scaleOf(l, 1);
  double value = decode(format, true, l.s[0][0] >> (l.opSel & 3) * 8) * scale;
  setElement(l, wide, wide == Wide::F16 ? l.opSel >> 3 & 1 : 0, value);
}
template <Narrow format, Wide wide> void widen32(Lane &l) {
  double scale = scaleOf(l, 1);
  for (unsigned i = 0; i < 32; ++i)
    setElement(l, wide, i, decode(format, true, packedCode(l.s[0], 6, i)) * scale);
}
template <Narrow format, Wide wide> void narrow32(Lane &l) {
  double scale = scaleOf(l, 1);
  for (unsigned i = 0; i < 32; ++i)
    setPacked(l.d, 6, i, code(l, format, element(l, 0, wide, i) / scale));
}
template <Narrow format> void narrowTwo16(Lane &l) {
  double scale = scaleOf(l, 2);
  for (unsigned i = 0; i < 32; ++i)
    setPacked(l.d, 6, i, code(l, format, l.f(i % 2, i / 2) / scale));
}
template <Narrow format, Wide wide> void stochasticOne(Lane &l) {
  double scale = scaleOf(l, 2), value = element(l, 0, wide, 0) / scale;
  unsigned at = (l.opSel >> 2 & 3) * 8;
  u32 rest = l.d[0] & ~(255u << at), away;
  double largest = llvm::APFloat::getLargest(semantics(format, true)).convertToDouble();
  if (std::fabs(value) > largest) { // Rounding up from the largest is too large.
    l.set(rest | encode(l, format, true, std::copysign(l.saturate ? largest : INFINITY, value)) << at);
    l.hasAlternative = std::isfinite(value);
    l.alternative = rest | encode(format, true, std::copysign(largest, value)) << at;
    return;
  }
  l.set(rest | neighbours(format, true, value, away) << at);
  l.hasAlternative = true;
  l.alternative = rest | away << at;
}
/// Many results at random: each is one of its two neighbours.
template <Wide wide> void stochasticFp4(Lane &l) {
  double scale = scaleOf(l, 2);
  unsigned at = (l.opSel >> 2 & 3) * 8;
  u32 rest = l.d[0] & ~(255u << at), a[2], b[2];
  for (unsigned i = 0; i < 2; ++i) {
    double value = element(l, 0, wide, i) / scale;
    if (std::isnan(value))
      l.skip = true;
    a[i] = std::fabs(value) >= 6 ? code(l, Narrow::Fp4, value) : neighbours(Narrow::Fp4, true, value, b[i]);
    if (std::fabs(value) >= 6)
      b[i] = a[i];
  }
  l.set(rest | (a[0] | a[1] << 4) << at);
  l.choice = 4;
  l.choices[0] = rest | (b[0] | b[1] << 4) << at;
}
template <Narrow format, Wide wide> void stochastic32(Lane &l) {
  double scale = scaleOf(l, 2);
  double largest = llvm::APFloat::getLargest(semantics(format, true)).convertToDouble();
  l.choice = 6;
  for (unsigned i = 0; i < 32; ++i) {
    double value = element(l, 0, wide, i) / scale;
    u32 away, below;
    if (std::fabs(value) >= largest || std::isnan(value))
      below = away = code(l, format, value);
    else
      below = neighbours(format, true, value, away);
    setPacked(l.d, 6, i, below);
    setPacked(l.choices, 6, i, away);
  }
}

constexpr unsigned narrowing = Vop3Only | OwnHalves | ReadsDst | Gfx950,
                   widening = Vop3Only | OwnHalves | Gfx950;

} // namespace

Rows lowp::sim::reference::scaledConvertRows() {
  const std::string p = "v_cvt_scalef32_";
  constexpr auto Fp8 = Narrow::Fp8, Bf8 = Narrow::Bf8, Fp6 = Narrow::Fp6, Bf6 = Narrow::Bf6,
                 Fp4 = Narrow::Fp4;
  constexpr auto F32 = Wide::F32, F16 = Wide::F16, Bf16 = Wide::Bf16;
  Rows rows = {
      {p + "pk_fp8_f32", "i:ffe", narrowPair<Fp8, F32>, narrowing},
      {p + "pk_bf8_f32", "i:ffe", narrowPair<Bf8, F32>, narrowing},
      {p + "pk_fp4_f32", "i:ffe", narrowPair<Fp4, F32>, narrowing},
      {p + "pk_fp8_f16", "i:He", narrowPair<Fp8, F16>, narrowing},
      {p + "pk_bf8_f16", "i:He", narrowPair<Bf8, F16>, narrowing},
      {p + "pk_fp4_f16", "i:He", narrowPair<Fp4, F16>, narrowing},
      {p + "pk_fp8_bf16", "i:Be", narrowPair<Fp8, Bf16>, narrowing},
      {p + "pk_bf8_bf16", "i:Be", narrowPair<Bf8, Bf16>, narrowing},
      {p + "pk_fp4_bf16", "i:Be", narrowPair<Fp4, Bf16>, narrowing},
      {p + "pk_f32_fp8", "F:ie", widenPair<Fp8, F32>, widening},
      {p + "pk_f32_bf8", "F:ie", widenPair<Bf8, F32>, widening},
      {p + "pk_f32_fp4", "F:ie", widenPair<Fp4, F32>, widening},
      {p + "pk_f16_fp8", "H:ie", widenPair<Fp8, F16>, widening},
      {p + "pk_f16_bf8", "H:ie", widenPair<Bf8, F16>, widening},
      {p + "pk_f16_fp4", "H:ie", widenPair<Fp4, F16>, widening},
      {p + "pk_bf16_fp8", "B:ie", widenPair<Fp8, Bf16>, widening},
      {p + "pk_bf16_bf8", "B:ie", widenPair<Bf8, Bf16>, widening},
      {p + "pk_bf16_fp4", "B:ie", widenPair<Fp4, Bf16>, widening},
      {p + "f32_fp8", "f:ie", widenOne<Fp8, F32>, widening},
      {p + "f32_bf8", "f:ie", widenOne<Bf8, F32>, widening},
      {p + "f16_fp8", "H:ie", widenOne<Fp8, F16>, widening | ReadsDst},
      {p + "f16_bf8", "H:ie", widenOne<Bf8, F16>, widening | ReadsDst},
      {p + "pk32_f32_fp6", "z:6e", widen32<Fp6, F32>, widening},
      {p + "pk32_f32_bf6", "z:6e", widen32<Bf6, F32>, widening},
      {p + "pk32_f16_fp6", "y:6e", widen32<Fp6, F16>, widening},
      {p + "pk32_f16_bf6", "y:6e", widen32<Bf6, F16>, widening},
      {p + "pk32_bf16_fp6", "Y:6e", widen32<Fp6, Bf16>, widening},
      {p + "pk32_bf16_bf6", "Y:6e", widen32<Bf6, Bf16>, widening},
      {p + "pk32_fp6_f16", "6:ye", narrow32<Fp6, F16>, widening},
      {p + "pk32_bf6_f16", "6:ye", narrow32<Bf6, F16>, widening},
      {p + "pk32_fp6_bf16", "6:Ye", narrow32<Fp6, Bf16>, widening},
      {p + "pk32_bf6_bf16", "6:Ye", narrow32<Bf6, Bf16>, widening},
      {p + "2xpk16_fp6_f32", "6:xxe", narrowTwo16<Fp6>, widening},
      {p + "2xpk16_bf6_f32", "6:xxe", narrowTwo16<Bf6>, widening},
      {p + "sr_fp8_f32", "i:fie", stochasticOne<Fp8, F32>, narrowing},
      {p + "sr_bf8_f32", "i:fie", stochasticOne<Bf8, F32>, narrowing},
      {p + "sr_fp8_f16", "i:hie", stochasticOne<Fp8, F16>, narrowing},
      {p + "sr_bf8_f16", "i:hie", stochasticOne<Bf8, F16>, narrowing},
      {p + "sr_fp8_bf16", "i:bie", stochasticOne<Fp8, Bf16>, narrowing},
      {p + "sr_bf8_bf16", "i:bie", stochasticOne<Bf8, Bf16>, narrowing},
      {p + "sr_pk_fp4_f32", "i:Fie", stochasticFp4<F32>, narrowing},
      {p + "sr_pk_fp4_f16", "i:Hie", stochasticFp4<F16>, narrowing},
      {p + "sr_pk_fp4_bf16", "i:Bie", stochasticFp4<Bf16>, narrowing},
      {p + "sr_pk32_fp6_f32", "6:zie", stochastic32<Fp6, F32>, widening},
      {p + "sr_pk32_bf6_f32", "6:zie", stochastic32<Bf6, F32>, widening},
      {p + "sr_pk32_fp6_f16", "6:yie", stochastic32<Fp6, F16>, widening},
      {p + "sr_pk32_bf6_f16", "6:yie", stochastic32<Bf6, F16>, widening},
      {p + "sr_pk32_fp6_bf16", "6:Yie", stochastic32<Fp6, Bf16>, widening},
      {p + "sr_pk32_bf6_bf16", "6:Yie", stochastic32<Bf6, Bf16>, widening},
  };
  // What op_sel chooses: byte or half of the source (bits 0, 1) and of the destination (bits 2, 3).
  for (Row &row : rows) {
    auto has = [&](const char *text) { return row.name.find(text) != std::string::npos; };
    bool narrows = row.signature[0] == 'i', bytes = has("fp4");
    if (has("pk32") || has("pk16"))
      continue;
    if (narrows)
      row.selects = bytes || has("sr_") ? 12 : 8;
    else
      row.selects = has("_pk_") ? (bytes ? 3 : 1) : (has("scalef32_f16") ? 11 : 3);
  }
  return rows;
}
