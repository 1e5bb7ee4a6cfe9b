// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published bit-exact rule of the matrix core of CDNA3.
#ifndef LOWP_LIB_SIM_MFMARULE_H
#define LOWP_LIB_SIM_MFMARULE_H

#include <cstdint>

namespace lowp::sim {

/// One operand tile with its elements taken apart: (-1)^sign significand 2^(exponent - fractionBits).
struct RuleTile {
  static constexpr int zeroExponent = -1000000; ///< of zeros: below every other one
  enum Special : uint8_t { Finite, Infinite, NaN };

  unsigned fractionBits = 0;
  bool anySpecial = false;
  int32_t significand[2048 + 16]; ///< sixteen are read at a time, beyond the last block of 4 x 4, too
  int32_t exponent[2048 + 16];
  Special special[2048];

  void set(unsigned index, float value, int minExponent);
  /// Zeros from `index` on.
  void clear(unsigned index) {
    for (unsigned i = index; i < index + 16; ++i) {
      significand[i] = 0;
      exponent[i] = zeroExponent;
    }
  }
};

/// How products meet.
struct RuleOrder {
  unsigned groupSize; ///< k that are summed at once; the groups follow each other through f32
  bool evenOdd;       ///< even and odd k apart (8-bit floats)
};

/// d[i][j] from rows of `size` elements, as the hardware forms it.
void ruleDot(const RuleTile &a, const RuleTile &b, unsigned firstA, unsigned firstB, float *d, unsigned size,
             unsigned k, RuleOrder order);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_MFMARULE_H
