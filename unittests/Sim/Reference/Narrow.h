// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats of 8, 6 and 4 bits by llvm::APFloat: FP8 and BF8 are FNUZ's on CDNA3 and OCP's on CDNA4 under the
// same mnemonics (manuals, section "Data formats"). Too large: NaN in e4m3, infinity in e5m2, the largest
// value in the formats without either.
#ifndef LOWP_UNITTESTS_SIM_REFERENCE_NARROW_H
#define LOWP_UNITTESTS_SIM_REFERENCE_NARROW_H

#include "FloatBits.h"

namespace lowp::sim::reference {

enum class Narrow { Fp8, Bf8, Fp6, Bf6, Fp4 };

inline const llvm::fltSemantics &semantics(Narrow format, bool ocp) {
  switch (format) {
  case Narrow::Fp8:
    return ocp ? llvm::APFloat::Float8E4M3FN() : llvm::APFloat::Float8E4M3FNUZ();
  case Narrow::Bf8:
    return ocp ? llvm::APFloat::Float8E5M2() : llvm::APFloat::Float8E5M2FNUZ();
  case Narrow::Fp6:
    return llvm::APFloat::Float6E2M3FN();
  case Narrow::Bf6:
    return llvm::APFloat::Float6E3M2FN();
  case Narrow::Fp4:
    break;
  }
  return llvm::APFloat::Float4E2M1FN();
}
inline unsigned widthOf(Narrow format) {
  return format == Narrow::Fp4 ? 4 : format == Narrow::Fp6 || format == Narrow::Bf6 ? 6 : 8;
}
inline double decode(Narrow format, bool ocp, u32 code) {
  unsigned width = widthOf(format);
  llvm::APFloat x(semantics(format, ocp), llvm::APInt(width, code & ((1u << width) - 1)));
  bool lost;
  x.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return x.convertToDouble();
}
inline u32 encode(Narrow format, bool ocp, double value,
                  llvm::RoundingMode mode = llvm::RoundingMode::NearestTiesToEven) {
  llvm::APFloat x(value);
  bool lost;
  x.convert(semantics(format, ocp), mode, &lost);
  u32 code = u32(x.bitcastToAPInt().getZExtValue());
  bool hasNan = widthOf(format) == 8;
  if (std::isnan(value) && format == Narrow::Bf8 && ocp) // without payload
    return std::signbit(value) ? 0xfe : 0x7e;
  if (hasNan && std::isinf(value)) // e4m3 has no infinity and none of FNUZ's formats has.
    return format == Narrow::Bf8 && ocp ? code : std::signbit(value) && ocp ? 0xff : ocp ? 0x7f : 0x80;
  if (!hasNan && std::isinf(value)) {
    u32 largest = (1u << (widthOf(format) - 1)) - 1;
    return largest | (std::signbit(value) ? largest + 1 : 0);
  }
  return code;
}

/// As MODE's FP16_OVFL says: too large becomes the largest value. What infinity becomes then is not
/// documented.
inline u32 encode(Lane &l, Narrow format, bool ocp, double value) {
  if (!l.saturate)
    return encode(format, ocp, value);
  l.skip |= std::isinf(value);
  double largest = llvm::APFloat::getLargest(semantics(format, ocp)).convertToDouble();
  return encode(format, ocp, std::fabs(value) > largest ? std::copysign(largest, value) : value);
}

/// Rounding by a random number: what lies between two codes becomes either; what a code stands for exactly
/// stays. Returns the code toward zero, `away` the other one.
inline u32 neighbours(Narrow format, bool ocp, double value, u32 &away) {
  u32 below = encode(format, ocp, value, llvm::RoundingMode::TowardZero);
  away = below;
  if (std::isfinite(value) && decode(format, ocp, below) != value)
    away = (below == 0 && value < 0 ? 0x80 : below) + 1; // FNUZ has no -0
  return below;
}

} // namespace lowp::sim::reference

#endif // LOWP_UNITTESTS_SIM_REFERENCE_NARROW_H
