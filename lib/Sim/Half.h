// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IEEE half and bfloat16 as the vector instructions see them: computed in a wider type, rounded once.
#ifndef LOWP_LIB_SIM_HALF_H
#define LOWP_LIB_SIM_HALF_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace lowp::sim {

inline float asFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
inline uint32_t asBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
inline double asDouble(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  return value;
}
inline uint64_t asBits64(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}

struct Half {
  uint16_t bits = 0;
};
struct BFloat {
  uint16_t bits = 0;
};

inline float toFloat(BFloat b) { return asFloat(uint32_t(b.bits) << 16); }

inline float toFloat(Half h) {
  uint32_t sign = uint32_t(h.bits & 0x8000) << 16, exponent = h.bits >> 10 & 31, fraction = h.bits & 0x3ff;
  if (exponent == 31)
    return asFloat(sign | 0x7f800000 | fraction << 13);
  if (exponent)
    return asFloat(sign | (exponent + 112) << 23 | fraction << 13);
  float value = float(fraction) * 0x1p-24f;
  return sign ? -value : value;
}

/// Nearest, ties to even.
inline BFloat toBFloat(float value) {
  uint32_t bits = asBits(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return {uint16_t(bits >> 16 | 0x40)};
  return {uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

/// What an f16 result becomes that is too large: infinity or the largest value, by the rounding mode in force
/// and MODE's FP16_OVFL (Rounding.h).
uint16_t halfOverflow(bool negative);

/// One rounding of the exact value of a double, in the host's rounding mode: adding 1.5 * 2^52 units of the
/// result's last place, with its sign, rounds to that place, and leaves the number of units in the low bits.
inline Half toHalf(double value) {
  uint64_t bits = asBits64(value);
  uint16_t sign = bits >> 48 & 0x8000;
  int exponent = int(bits >> 52 & 2047) - 1023;
  if (exponent >= 16) {
    uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
    if (exponent == 1024)
      return {uint16_t(sign | 0x7c00 | (fraction ? 0x200 | fraction >> 42 : 0))};
    return {halfOverflow(sign)};
  }
  exponent = exponent < -14 ? -14 : exponent;
  uint64_t magic = (bits & uint64_t(1) << 63) | uint64_t(exponent + 42 + 1023) << 52 | uint64_t(1) << 51;
  uint64_t units = asBits64(value + asDouble(magic)) - magic;
  // The implicit bit carries into the exponent field.
  uint64_t code = (uint64_t(exponent + 14) << 10) + units;
  return {code >= 0x7c00 ? halfOverflow(sign) : uint16_t(sign | code)};
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_HALF_H
