// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FP8 and BF8 conversions without scale, and stochastic rounding: the random number's high bits are added
// below the mantissa that is kept, and the rest is cut off. For results that are subnormal the manual does
// not say where they are added: either neighbour is right.

#include "Narrow.h"

using namespace lowp::sim::reference;

namespace {

template <Narrow format> void widen(Lane &l) { l.setF(float(decode(format, l.ocp, l.s[0][0]))); }
template <Narrow format> void widenPair(Lane &l) {
  l.d[0] = bitCast<u32>(float(decode(format, l.ocp, l.s[0][0])));
  l.d[1] = bitCast<u32>(float(decode(format, l.ocp, l.s[0][0] >> 8)));
}
template <Narrow format> void narrowPair(Lane &l) {
  unsigned at = (l.opSel >> 3 & 1) * 16;
  u32 pair = encode(l, format, l.ocp, l.f(0)) | encode(l, format, l.ocp, l.f(1)) << 8;
  l.set((l.d[0] & ~(0xffffu << at)) | pair << at);
}
/// Adds the random bits to the bits below the kept mantissa of an f32 and cuts.
float addBelow(float x, u32 random, unsigned kept) {
  u32 bits = bitCast<u32>(x);
  if (!std::isfinite(x))
    return x;
  bits += random >> (9 + kept); // of 23 bits of mantissa, 23 - kept are below
  return bitCast<float>(bits >> (23 - kept) << (23 - kept));
}
template <Narrow format> void stochastic(Lane &l) {
  constexpr unsigned kept = format == Narrow::Fp8 ? 3 : 2;
  unsigned at = (l.opSel >> 2 & 3) * 8;
  float x = l.f(0);
  u32 rest = l.d[0] & ~(255u << at), away;
  u32 below = neighbours(format, l.ocp, x, away);
  const llvm::fltSemantics &target = semantics(format, l.ocp);
  double smallestNormal = llvm::APFloat::getSmallestNormalized(target).convertToDouble();
  double largest = llvm::APFloat::getLargest(target).convertToDouble();
  if (std::isnan(x) || std::isinf(x)) {
    l.set(rest | encode(l, format, l.ocp, x) << at);
  } else if (std::fabs(x) >= smallestNormal && std::fabs(x) <= largest) {
    l.set(rest | encode(l, format, l.ocp, addBelow(x, l.s[1][0], kept)) << at);
  } else if (std::fabs(x) < smallestNormal) {
    l.set(rest | below << at);
    l.hasAlternative = true;
    l.alternative = rest | away << at;
  } else {
    l.set(rest | encode(l, format, l.ocp, std::copysign(l.saturate ? largest : INFINITY, x)) << at);
    l.hasAlternative = true; // just beyond the largest it may be cut to it
    l.alternative = rest | encode(l, format, l.ocp, addBelow(x, l.s[1][0], kept)) << at;
  }
}

/// f16 and bf16 results.
template <unsigned kept> void stochastic16(Lane &l) {
  unsigned at = (l.opSel >> 3 & 1) * 16;
  u32 rest = l.d[0] & ~(0xffffu << at);
  float x = l.f(0);
  auto round = [](double v) { return u32(kept == 7 ? doubleToBfloat(v) : doubleToHalf(v)); };
  float cut = addBelow(x, l.s[1][0], kept);
  l.set(rest | round(cut) << at);
  if (kept == 10 && std::isfinite(x) && (std::fabs(x) < 0x1p-14f || std::fabs(x) > 65504.0f)) {
    u32 below = roundTo(llvm::APFloat::IEEEhalf(), x, llvm::RoundingMode::TowardZero);
    if (halfToDouble(u16(below)) == x) {
      l.set(rest | below << at);
      return;
    }
    l.set(rest | below << at);
    l.hasAlternative = true;
    l.alternative = rest | (below + 1) << at;
  }
}

} // namespace

Rows lowp::sim::reference::narrowConvertRows() {
  return {
      {"v_cvt_f32_fp8", "f:i", widen<Narrow::Fp8>, OnlyBytes},
      {"v_cvt_f32_bf8", "f:i", widen<Narrow::Bf8>, OnlyBytes},
      {"v_cvt_pk_f32_fp8", "F:i", widenPair<Narrow::Fp8>, OnlyWords},
      {"v_cvt_pk_f32_bf8", "F:i", widenPair<Narrow::Bf8>, OnlyWords},
      {"v_cvt_pk_fp8_f32", "i:ff", narrowPair<Narrow::Fp8>, Vop3Only | OwnHalves | ReadsDst, 0, 8},
      {"v_cvt_pk_bf8_f32", "i:ff", narrowPair<Narrow::Bf8>, Vop3Only | OwnHalves | ReadsDst, 0, 8},
      {"v_cvt_sr_fp8_f32", "i:fi", stochastic<Narrow::Fp8>, Vop3Only | OwnHalves | ReadsDst, 0, 12},
      {"v_cvt_sr_bf8_f32", "i:fi", stochastic<Narrow::Bf8>, Vop3Only | OwnHalves | ReadsDst, 0, 12},
      {"v_cvt_sr_f16_f32", "i:fi", stochastic16<10>, Vop3Only | OwnHalves | ReadsDst | Gfx950, 0, 8},
      {"v_cvt_sr_bf16_f32", "i:fi", stochastic16<7>, Vop3Only | OwnHalves | ReadsDst | Gfx950, 0, 8},
  };
}
