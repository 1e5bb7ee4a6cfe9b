// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding and encoding of every format, from one table of descriptors. Sources: "OCP 8-bit Floating Point
// Specification (OFP8)" 1.0 for f8E4M3FN and f8E5M2; "OCP Microscaling Formats (MX) Specification" 1.0 for
// the 6- and 4-bit formats and f8E8M0FNU; "8-bit Numerical Formats for Deep Neural Networks" (arXiv
// 2206.02915) for the FNUZ formats; IEEE 754 for f16 and f32; bf16 is the upper half of an f32. All bits
// above the mantissa are one integer, so that a carry out of the mantissa is a step of the exponent: encoding
// never has to renormalise.
#include "lowp/Numerics/Format.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace lowp;

namespace {

/// What stands where IEEE 754 has its infinities and NaNs.
enum class Specials : uint8_t {
  Ieee,      ///< the largest exponent field: infinity (mantissa 0) and NaNs
  OneNaN,    ///< the code of all ones is NaN, with either sign; no infinity
  ZeroIsNaN, ///< what would be -0 is the only NaN; no infinity, no -0
  None,      ///< every code is a finite number
};

struct Descriptor {
  Format format;
  llvm::StringLiteral name;
  uint8_t signBits, exponentBits, mantissaBits; ///< integers: all 0 but `mantissaBits`, the whole width
  int16_t bias;
  Specials specials;
  bool subnormals; ///< exponent field 0 means zero and subnormals

  constexpr bool integer() const { return exponentBits == 0; }
  constexpr unsigned width() const { return signBits + exponentBits + mantissaBits; }
  /// The codes without their sign bit.
  constexpr uint32_t magnitudeMask() const {
    return llvm::maskTrailingOnes<uint32_t>(exponentBits + mantissaBits);
  }
  constexpr uint32_t signMask() const { return signBits ? magnitudeMask() + 1 : 0; }
  /// Exponent of the smallest normal value, whose spacing the subnormals share.
  constexpr int minExponent() const { return (subnormals ? 1 : 0) - bias; }
  constexpr uint32_t infinity() const {
    return llvm::maskTrailingOnes<uint32_t>(exponentBits) << mantissaBits;
  }
  constexpr uint32_t largest() const {
    return specials == Specials::Ieee     ? infinity() - 1
           : specials == Specials::OneNaN ? magnitudeMask() - 1
                                          : magnitudeMask();
  }
};

// numerics_n1
// clang-format off
constexpr Descriptor descriptors[] = {
    // format              name           sign exp mant bias specials            subnormals
    {Format::F8E4M3FN,   {"f8E4M3FN"},   1,  4,  3,   7, Specials::OneNaN,    true},
    {Format::F8E5M2,     {"f8E5M2"},     1,  5,  2,  15, Specials::Ieee,      true},
    {Format::F8E4M3FNUZ, {"f8E4M3FNUZ"}, 1,  4,  3,   8, Specials::ZeroIsNaN, true},
    {Format::F8E5M2FNUZ, {"f8E5M2FNUZ"}, 1,  5,  2,  16, Specials::ZeroIsNaN, true},
    {Format::F6E2M3FN,   {"f6E2M3FN"},   1,  2,  3,   1, Specials::None,      true},
    {Format::F6E3M2FN,   {"f6E3M2FN"},   1,  3,  2,   3, Specials::None,      true},
    {Format::F4E2M1FN,   {"f4E2M1FN"},   1,  2,  1,   1, Specials::None,      true},
    {Format::F8E8M0FNU,  {"f8E8M0FNU"},  0,  8,  0, 127, Specials::OneNaN,    false},
    {Format::BF16,       {"bf16"},       1,  8,  7, 127, Specials::Ieee,      true},
    {Format::F16,        {"f16"},        1,  5, 10,  15, Specials::Ieee,      true},
    {Format::F32,        {"f32"},        1,  8, 23, 127, Specials::Ieee,      true},
    {Format::I8,         {"i8"},         0,  0,  8,   0, Specials::None,      false},
    {Format::I32,        {"i32"},        0,  0, 32,   0, Specials::None,      false},
};
// clang-format on

const Descriptor &describe(Format format) { return descriptors[static_cast<unsigned>(format)]; }

constexpr int doubleMantissaBits = std::numeric_limits<double>::digits - 1;
constexpr int doubleBias = std::numeric_limits<double>::max_exponent - 1;

/// `value` / 2^`bits` to the nearest integer, ties to even.
uint64_t shiftRightNearestEven(uint64_t value, int bits) {
  if (bits > 63)
    return 0; // `value` has at most 53 bits: less than half a unit
  uint64_t quotient = value >> bits;
  uint64_t rest = value & llvm::maskTrailingOnes<uint64_t>(bits);
  uint64_t half = uint64_t(1) << (bits - 1);
  return quotient + (rest > half || (rest == half && (quotient & 1)));
}

/// numerics_n7: the code for NaN of the given sign; formats without NaN take their largest value.
uint32_t encodeNaN(const Descriptor &d, bool negative) {
  uint32_t sign = negative ? d.signMask() : 0;
  switch (d.specials) {
  case Specials::Ieee:
    return sign | d.infinity() | (uint32_t(1) << (d.mantissaBits - 1));
  case Specials::OneNaN:
    return sign | d.magnitudeMask();
  case Specials::ZeroIsNaN:
    return d.signMask();
  case Specials::None:
    break;
  }
  return sign | d.largest();
}

/// numerics_n6
uint32_t encodeOverflow(const Descriptor &d, bool negative, Overflow overflow) {
  uint32_t sign = negative ? d.signMask() : 0;
  if (overflow == Overflow::Saturate || d.specials == Specials::None)
    return sign | d.largest();
  return d.specials == Specials::Ieee ? sign | d.infinity() : encodeNaN(d, negative);
}

uint32_t encodeFloat(const Descriptor &d, double value, Overflow overflow) {
  bool negative = std::signbit(value);
  // numerics_n9: f8E8M0FNU has no negative values.
  if (std::isnan(value) || (negative && !d.signBits && value != 0))
    return encodeNaN(d, negative);
  if (std::isinf(value))
    return encodeOverflow(d, negative, overflow);

  // |value| = significand * 2^(exponent - 52).
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  uint64_t significand = bits & llvm::maskTrailingOnes<uint64_t>(doubleMantissaBits);
  int field = int(bits >> doubleMantissaBits) & 0x7ff;
  int exponent = std::max(field, 1) - doubleBias;
  if (field != 0)
    significand |= uint64_t(1) << doubleMantissaBits;

  // numerics_n5: in units of the last place of the binade [2^binade, 2^(binade + 1)) that holds |value|, or
  // of the smallest one.
  int binade = std::max(exponent, d.minExponent());
  uint64_t units =
      shiftRightNearestEven(significand, doubleMantissaBits - d.mantissaBits + (binade - exponent));
  // The first of a normal binade's units stands for the leading one, which is not stored: it adds 1 to the
  // exponent field, which counts from 1 where there are subnormals (they have no leading one) and from 0
  // otherwise.
  uint64_t magnitude = (uint64_t(binade - d.minExponent()) << d.mantissaBits) + units;
  if (!d.subnormals)
    magnitude -= std::min<uint64_t>(magnitude, uint64_t(1) << d.mantissaBits);

  if (magnitude > d.largest())
    return encodeOverflow(d, negative, overflow);
  if (magnitude == 0 && d.specials == Specials::ZeroIsNaN)
    return 0; // numerics_n8: there is no -0
  return (negative ? d.signMask() : 0) | uint32_t(magnitude);
}

/// numerics_n2, numerics_n3
double decodeFloat(const Descriptor &d, uint32_t code) {
  uint32_t magnitude = code & d.magnitudeMask();
  bool negative = code & d.signMask();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (d.specials == Specials::ZeroIsNaN && negative && magnitude == 0)
    return nan;
  if (magnitude > d.largest()) {
    bool isInfinity = d.specials == Specials::Ieee && magnitude == d.infinity();
    return isInfinity ? (negative ? -infinity : infinity) : nan;
  }
  uint32_t field = magnitude >> d.mantissaBits;
  uint32_t mantissa = magnitude & llvm::maskTrailingOnes<uint32_t>(d.mantissaBits);
  bool normal = field != 0 || !d.subnormals;
  int binade = d.minExponent() + int(field) - (normal && d.subnormals ? 1 : 0);
  double unit = llvm::bit_cast<double>(uint64_t(binade - d.mantissaBits + doubleBias) << doubleMantissaBits);
  double value = ((normal ? uint32_t(1) << d.mantissaBits : 0) + mantissa) * unit;
  return negative ? -value : value;
}

/// numerics_n10
uint32_t encodeInteger(const Descriptor &d, double value) {
  if (std::isnan(value))
    return 0;
  double limit = std::ldexp(1.0, d.width() - 1);
  double rounded = std::clamp(std::nearbyint(value), -limit, limit - 1);
  return uint32_t(int64_t(rounded)) & llvm::maskTrailingOnes<uint32_t>(d.width());
}

struct Tables {
  std::array<std::array<float, 256>, std::size(descriptors)> values = {};
  Tables() {
    for (const Descriptor &d : descriptors)
      for (uint32_t code = 0; d.width() <= 8 && code < (1u << d.width()); ++code)
        values[static_cast<unsigned>(d.format)][code] = static_cast<float>(decode(d.format, code));
  }
};

} // namespace

llvm::ArrayRef<Format> lowp::allFormats() {
  static constexpr auto formats = [] {
    std::array<Format, std::size(descriptors)> all = {};
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = descriptors[i].format;
    return all;
  }();
  return formats;
}

unsigned lowp::bitWidth(Format format) { return describe(format).width(); }

llvm::StringRef lowp::name(Format format) { return describe(format).name; }

std::optional<Format> lowp::parseFormat(llvm::StringRef name) {
  for (const Descriptor &d : descriptors)
    if (d.name == name)
      return d.format;
  return std::nullopt;
}

bool lowp::isInteger(Format format) { return describe(format).integer(); }

bool lowp::hasNaN(Format format) { return describe(format).specials != Specials::None; }

bool lowp::hasInfinity(Format format) { return describe(format).specials == Specials::Ieee; }

double lowp::largestFinite(Format format) {
  const Descriptor &d = describe(format);
  return d.integer() ? std::ldexp(1.0, d.width() - 1) - 1 : decodeFloat(d, d.largest());
}

double lowp::decode(Format format, uint32_t code) {
  const Descriptor &d = describe(format);
  return d.integer() ? double(llvm::SignExtend64(code, d.width())) : decodeFloat(d, code);
}

uint32_t lowp::encode(Format format, double value, Overflow overflow) {
  const Descriptor &d = describe(format);
  return d.integer() ? encodeInteger(d, value) : encodeFloat(d, value, overflow);
}

double lowp::roundTo(Format format, double value, Overflow overflow) {
  return decode(format, encode(format, value, overflow));
}

// numerics_n4: exact in f32
llvm::ArrayRef<float> lowp::decodeTable(Format format) {
  static const Tables tables;
  if (bitWidth(format) > 8)
    return {};
  return llvm::ArrayRef(tables.values[static_cast<unsigned>(format)])
      .take_front(size_t(1) << bitWidth(format));
}
