// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables are made once per format from Numerics' exact decoding.

#include "NarrowFormats.h"
#include <array>
#include <cmath>

using namespace lowp;
using namespace lowp::sim;

static constexpr unsigned formatCount = 13;

const float *lowp::sim::floatTable(Format format) {
  static const auto tables = [] {
    std::array<std::array<float, 256>, formatCount> all{};
    for (unsigned f = 0; f < formatCount; ++f) {
      unsigned bits = bitWidth(Format(f));
      if (bits <= 8)
        for (unsigned code = 0; code < 1u << bits; ++code)
          all[f][code] = float(decode(Format(f), code));
    }
    return all;
  }();
  return tables[unsigned(format)].data();
}

uint32_t lowp::sim::encodeNarrow(Format format, float value, Overflow overflow) {
  return encode(format, double(value), overflow);
}

/// Bits of the fraction, and the exponent of the smallest normal number.
static void shape(Format format, int &fraction, int &minExponent) {
  switch (format) {
  case Format::F8E4M3FN:
    fraction = 3, minExponent = -6;
    break;
  case Format::F8E4M3FNUZ:
    fraction = 3, minExponent = -7;
    break;
  case Format::F8E5M2:
    fraction = 2, minExponent = -14;
    break;
  case Format::F8E5M2FNUZ:
    fraction = 2, minExponent = -15;
    break;
  case Format::F6E2M3FN:
    fraction = 3, minExponent = 0;
    break;
  case Format::F6E3M2FN:
    fraction = 2, minExponent = -2;
    break;
  default: // F4E2M1FN
    fraction = 1, minExponent = 0;
    break;
  }
}

uint32_t lowp::sim::encodeStochastic(Format format, double value, uint32_t random, Overflow overflow,
                                     unsigned sourceFraction) {
  if (!std::isfinite(value) || value == 0)
    return encode(format, value, overflow);
  int fraction, minExponent;
  shape(format, fraction, minExponent);
  int exponent = std::max(std::ilogb(value), minExponent);
  double quantum = std::ldexp(1.0, exponent - fraction);
  int dropped = int(sourceFraction) - fraction;
  double noise = std::ldexp(double(random >> (32 - dropped)), -dropped);
  double magnitude = std::floor(std::fabs(value) / quantum + noise) * quantum;
  return encode(format, std::copysign(magnitude, value), overflow);
}
