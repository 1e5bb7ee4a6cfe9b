// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats below 16 bits as tables of float, and roundings to them.
#ifndef LOWP_LIB_SIM_NARROWFORMATS_H
#define LOWP_LIB_SIM_NARROWFORMATS_H

#include "MfmaKernels.h"
#include "lowp/Numerics/Format.h"

namespace lowp::sim {

/// The values of all codes: 256, 64 or 16 of them. Every such value is exact in f32.
const float *floatTable(Format format);

/// Bits of the fraction, and the exponent of the smallest normal number.
struct FloatShape {
  unsigned fractionBits;
  int minExponent;
};
FloatShape floatShape(Format format);

/// For the matrix kernels: decoding by shifts.
const NarrowCodec &narrowCodec(Format format);

/// To nearest even. NaN stays NaN where the format has one.
uint32_t encodeNarrow(Format format, float value, Overflow overflow);

/// Adds the top bits of `random` below the last kept bit and cuts: as many as the source's fraction, of
/// `sourceFraction` bits, is longer than the format's.
uint32_t encodeStochastic(Format format, double value, uint32_t random, Overflow overflow,
                          unsigned sourceFraction = 23);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_NARROWFORMATS_H
