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

FloatShape lowp::sim::floatShape(Format format) {
  switch (format) {
  case Format::F8E4M3FN:
    return {3, -6};
  case Format::F8E4M3FNUZ:
    return {3, -7};
  case Format::F8E5M2:
    return {2, -14};
  case Format::F8E5M2FNUZ:
    return {2, -15};
  case Format::F6E2M3FN:
    return {3, 0};
  case Format::F6E3M2FN:
    return {2, -2};
  case Format::F16:
    return {10, -14};
  case Format::BF16:
    return {7, -126};
  case Format::F32:
    return {23, -126};
  default: // F4E2M1FN
    return {1, 0};
  }
}

const NarrowCodec &lowp::sim::narrowCodec(Format format) {
  static const auto codecs = [] {
    std::array<NarrowCodec, formatCount> all{};
    for (unsigned f = 0; f < formatCount; ++f) {
      Format format = Format(f);
      NarrowCodec &codec = all[f];
      codec.bits = bitWidth(format);
      if (codec.bits > 8)
        continue;
      auto [fraction, minExponent] = floatShape(format);
      codec.magnitudeMask = (1u << (codec.bits - 1)) - 1;
      codec.mantissaShift = 23 - fraction;
      codec.exponentAdd = uint32_t(minExponent - 1 + 127) << 23;
      codec.signShift = 32 - codec.bits;
      codec.firstNormal = 1u << fraction;
      codec.firstSpecial = format == Format::F8E4M3FN ? 0x7f : format == Format::F8E5M2 ? 0x7c : 0x7fffffff;
      codec.nanCode = format == Format::F8E4M3FNUZ || format == Format::F8E5M2FNUZ ? 0x80 : ~0u;
      for (unsigned m = 0; m < 8; ++m)
        codec.subnormals[m] = std::ldexp(float(m), minExponent - int(fraction));
    }
    return all;
  }();
  return codecs[unsigned(format)];
}

uint32_t lowp::sim::encodeStochastic(Format format, double value, uint32_t random, Overflow overflow,
                                     unsigned sourceFraction) {
  if (!std::isfinite(value) || value == 0)
    return encode(format, value, overflow);
  FloatShape shape = floatShape(format);
  int fraction = int(shape.fractionBits), minExponent = shape.minExponent;
  int exponent = std::max(std::ilogb(value), minExponent);
  double quantum = std::ldexp(1.0, exponent - fraction);
  int dropped = int(sourceFraction) - fraction;
  double noise = std::ldexp(double(random >> (32 - dropped)), -dropped);
  double magnitude = std::floor(std::fabs(value) / quantum + noise) * quantum;
  return encode(format, std::copysign(magnitude, value), overflow);
}
