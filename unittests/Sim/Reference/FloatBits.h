// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IEEE 754 formats as bits: what f16, f32 and f64 operations that only look or choose (comparisons, minimum,
// median, class) have in common; and conversions to and from f16 and bf16 through llvm::APFloat.
#ifndef LOWP_UNITTESTS_SIM_REFERENCE_FLOATBITS_H
#define LOWP_UNITTESTS_SIM_REFERENCE_FLOATBITS_H

#include "Row.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

namespace lowp::sim::reference {

struct FloatFormat {
  unsigned width, mantissa;

  u64 signBit() const { return u64(1) << (width - 1); }
  u64 magnitude(u64 x) const { return x & (signBit() - 1); }
  u64 infinity() const { return (signBit() - 1) >> mantissa << mantissa; }
  bool sign(u64 x) const { return x & signBit(); }
  bool nan(u64 x) const { return magnitude(x) > infinity(); }
  bool quiet(u64 x) const { return nan(x) && x >> (mantissa - 1) & 1; }
  bool signalling(u64 x) const { return nan(x) && !quiet(x); }
  bool zero(u64 x) const { return magnitude(x) == 0; }
  bool infinite(u64 x) const { return magnitude(x) == infinity(); }
  bool denormal(u64 x) const { return magnitude(x) && magnitude(x) < u64(1) << mantissa; }
  u64 quieted(u64 x) const { return x | u64(1) << (mantissa - 1); }
  /// Orders numbers; both zeros are 0.
  i64 key(u64 x) const { return sign(x) ? -i64(magnitude(x)) : i64(magnitude(x)); }
  bool less(u64 a, u64 b) const { return !nan(a) && !nan(b) && key(a) < key(b); }
  bool equal(u64 a, u64 b) const { return !nan(a) && !nan(b) && key(a) == key(b); }

  /// v_min and v_max with IEEE mode on: a signalling NaN gives a quiet one, else the number wins over NaN;
  /// -0 is less than 0.
  u64 min(u64 a, u64 b) const { return choose(a, b, true); }
  u64 max(u64 a, u64 b) const { return choose(a, b, false); }
  u64 choose(u64 a, u64 b, bool least) const {
    if (signalling(a))
      return quieted(a);
    if (signalling(b))
      return quieted(b);
    if (nan(a))
      return b;
    if (nan(b))
      return a;
    if (zero(a) && zero(b))
      return (sign(a) == least) ? a : b;
    return less(a, b) == least ? a : b;
  }
  /// minimum, maximum: NaN wins.
  u64 chooseNan(u64 a, u64 b, bool least) const {
    if (nan(a) || nan(b))
      return quieted(nan(a) ? a : b);
    return choose(a, b, least);
  }
  u64 median(u64 a, u64 b, u64 c) const {
    if (nan(a) || nan(b) || nan(c))
      return min(min(a, b), c);
    u64 greatest = max(max(a, b), c);
    if (equal(greatest, a))
      return max(b, c);
    if (equal(greatest, b))
      return max(a, c);
    return max(a, b);
  }
  /// Whether a median that is a zero may have either sign: the manual's pseudocode compares zeros as equal.
  bool bothZeros(u64 a, u64 b, u64 c) const {
    bool positive = a == 0 || b == 0 || c == 0;
    return positive && (a == signBit() || b == signBit() || c == signBit());
  }
  /// The bit of v_cmp_class's second operand that decides.
  unsigned classOf(u64 x) const {
    if (nan(x))
      return quiet(x) ? 1 : 0;
    bool s = sign(x);
    if (infinite(x))
      return s ? 2 : 9;
    if (zero(x))
      return s ? 5 : 6;
    return denormal(x) ? (s ? 4 : 7) : (s ? 3 : 8);
  }
};

constexpr FloatFormat f16Bits{16, 10}, bf16Bits{16, 7}, f32Bits{32, 23}, f64Bits{64, 52};

inline double halfToDouble(u16 bits) {
  static const std::vector<double> values = [] {
    std::vector<double> table(65536);
    for (u32 i = 0; i < 65536; ++i) {
      llvm::APFloat x(llvm::APFloat::IEEEhalf(), llvm::APInt(16, i));
      bool lost;
      x.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
      table[i] = x.convertToDouble();
    }
    return table;
  }();
  return values[bits];
}

inline u16 roundTo(const llvm::fltSemantics &format, double value,
                   llvm::RoundingMode mode = llvm::RoundingMode::NearestTiesToEven) {
  llvm::APFloat x(value);
  bool lost;
  x.convert(format, mode, &lost);
  return u16(x.bitcastToAPInt().getZExtValue());
}
inline u16 doubleToHalf(double value) { return roundTo(llvm::APFloat::IEEEhalf(), value); }
inline u16 doubleToBfloat(double value) { return roundTo(llvm::APFloat::BFloat(), value); }
inline float bfloatToFloat(u32 bits) { return bitCast<float>(bits << 16); }

inline u16 halfFma(u16 a, u16 b, u16 c) {
  auto make = [](u16 x) { return llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, x)); };
  llvm::APFloat r = make(a);
  r.fusedMultiplyAdd(make(b), make(c), llvm::APFloat::rmNearestTiesToEven);
  return u16(r.bitcastToAPInt().getZExtValue());
}

} // namespace lowp::sim::reference

#endif // LOWP_UNITTESTS_SIM_REFERENCE_FLOATBITS_H
