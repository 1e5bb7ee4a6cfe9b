// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every format against llvm::APFloat, over all codes, all 16-bit inputs and seeded random ones; ties and
// double rounding against their definition. The rules are those of docs/spec/numerics.md.
#include "lowp/Numerics/Format.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace lowp;
using llvm::APFloat;

namespace {

struct Case {
  Format format;
  const llvm::fltSemantics &semantics;
};

std::vector<Case> floatCases() {
  return {{Format::F8E4M3FN, APFloat::Float8E4M3FN()},
          {Format::F8E5M2, APFloat::Float8E5M2()},
          {Format::F8E4M3FNUZ, APFloat::Float8E4M3FNUZ()},
          {Format::F8E5M2FNUZ, APFloat::Float8E5M2FNUZ()},
          {Format::F6E2M3FN, APFloat::Float6E2M3FN()},
          {Format::F6E3M2FN, APFloat::Float6E3M2FN()},
          {Format::F4E2M1FN, APFloat::Float4E2M1FN()},
          {Format::F8E8M0FNU, APFloat::Float8E8M0FNU()},
          {Format::BF16, APFloat::BFloat()},
          {Format::F16, APFloat::IEEEhalf()},
          {Format::F32, APFloat::IEEEsingle()}};
}

uint64_t bitsOf(double value) { return llvm::bit_cast<uint64_t>(value); }

uint32_t codeOf(const APFloat &value) { return uint32_t(value.bitcastToAPInt().getZExtValue()); }

/// The expected code by APFloat, for any input but NaN and, in formats that have neither NaN nor infinity,
/// infinity.
uint32_t expectedCode(const Case &c, double value, Overflow overflow) {
  if (c.format == Format::F8E8M0FNU && value < 0)
    return 0xff; // APFloat of LLVM 22 gives NaN for some negative values and drops the sign of others
  APFloat converted(value);
  bool losesInfo;
  APFloat::opStatus status = converted.convert(c.semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  bool tooLarge = std::isinf(value) || (status & APFloat::opOverflow) || !converted.isFinite();
  if (overflow == Overflow::Saturate && tooLarge)
    return codeOf(APFloat::getLargest(c.semantics, std::signbit(value)));
  return codeOf(converted);
}

/// NaN as the format should have it: quiet, without payload, sign kept where there is a place for it.
void expectNaN(const Case &c, double input) {
  for (Overflow overflow : {Overflow::Saturate, Overflow::Native}) {
    uint32_t code = encode(c.format, input, overflow);
    if (!hasNaN(c.format)) {
      EXPECT_EQ(decode(c.format, code), std::copysign(largestFinite(c.format), input))
          << name(c.format).str();
      continue;
    }
    EXPECT_TRUE(std::isnan(decode(c.format, code))) << name(c.format).str();
    bool unsignedNaN =
        c.format == Format::F8E8M0FNU || c.format == Format::F8E4M3FNUZ || c.format == Format::F8E5M2FNUZ;
    EXPECT_EQ(code, codeOf(APFloat::getQNaN(c.semantics, !unsignedNaN && std::signbit(input))))
        << name(c.format).str();
  }
}

/// Counts differences instead of reporting each, so that a broken format stays readable.
void checkEncode(const Case &c, double value, int &failures) {
  if (std::isnan(value) || (std::isinf(value) && !hasNaN(c.format)))
    return; // expectNaN and Infinities
  for (Overflow overflow : {Overflow::Saturate, Overflow::Native}) {
    uint32_t expected = expectedCode(c, value, overflow), actual = encode(c.format, value, overflow);
    if (expected == actual || ++failures > 3)
      continue;
    ADD_FAILURE() << name(c.format).str() << ": " << value
                  << (overflow == Overflow::Saturate ? " saturating" : "") << " gave " << actual
                  << ", expected " << expected;
  }
}

float f32(uint32_t bits) { return llvm::bit_cast<float>(bits); }

} // namespace

// numerics_n1
TEST(Format, NamesAndWidths) {
  const std::pair<const char *, unsigned> expected[] = {
      {"f8E4M3FN", 8}, {"f8E5M2", 8},   {"f8E4M3FNUZ", 8}, {"f8E5M2FNUZ", 8}, {"f6E2M3FN", 6},
      {"f6E3M2FN", 6}, {"f4E2M1FN", 4}, {"f8E8M0FNU", 8},  {"bf16", 16},      {"f16", 16},
      {"f32", 32},     {"i8", 8},       {"i32", 32}};
  ASSERT_EQ(allFormats().size(), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(static_cast<size_t>(allFormats()[i]), i);
    EXPECT_EQ(name(allFormats()[i]), expected[i].first);
    EXPECT_EQ(bitWidth(allFormats()[i]), expected[i].second);
    EXPECT_EQ(parseFormat(expected[i].first), allFormats()[i]);
  }
  EXPECT_EQ(parseFormat("f8e4m3fn"), std::nullopt);
  EXPECT_EQ(parseFormat(""), std::nullopt);
}

// numerics_n2, numerics_n3
TEST(Format, DecodeMatchesAPFloatOnEveryCode) {
  for (const Case &c : floatCases()) {
    unsigned width = bitWidth(c.format);
    uint64_t step = width == 32 ? 65521 : 1; // a prime: all exponents, many mantissas
    for (uint64_t code = 0; code < uint64_t(1) << width; code += step) {
      APFloat expected(c.semantics, llvm::APInt(width, code));
      double value = decode(c.format, uint32_t(code));
      if (expected.isNaN()) {
        ASSERT_TRUE(std::isnan(value)) << name(c.format).str() << " " << code;
        continue;
      }
      bool losesInfo;
      expected.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
      ASSERT_FALSE(losesInfo);
      ASSERT_EQ(bitsOf(value), bitsOf(expected.convertToDouble())) << name(c.format).str() << " " << code;
    }
    EXPECT_EQ(decode(c.format, codeOf(APFloat::getLargest(c.semantics))), largestFinite(c.format));
  }
}

TEST(Format, DecodeIgnoresBitsAboveTheWidth) {
  EXPECT_EQ(decode(Format::F4E2M1FN, 0xf7), 6.0);
  EXPECT_EQ(decode(Format::F6E2M3FN, 0xc8), 1.0);
  EXPECT_EQ(decode(Format::I8, 0x1ff), -1.0);
}

TEST(Format, EncodeIsTheInverseOfDecode) {
  for (Format format : allFormats()) {
    uint64_t step = bitWidth(format) == 32 ? 65521 : 1;
    for (uint64_t code = 0; code < uint64_t(1) << bitWidth(format); code += step) {
      double value = decode(format, uint32_t(code));
      if (std::isnan(value))
        continue;
      ASSERT_EQ(encode(format, value, Overflow::Native), code) << name(format).str();
      if (!std::isinf(value)) {
        ASSERT_EQ(encode(format, value, Overflow::Saturate), code) << name(format).str();
      }
    }
  }
}

TEST(Format, EncodeMatchesAPFloatOnAll16BitInputs) {
  for (const Case &c : floatCases()) {
    int failures = 0;
    for (uint32_t code = 0; code < 65536; ++code) {
      checkEncode(c, f32(code << 16), failures); // bf16
      checkEncode(c, APFloat(APFloat::IEEEhalf(), llvm::APInt(16, code)).convertToFloat(), failures);
    }
    EXPECT_EQ(failures, 0) << name(c.format).str();
  }
}

TEST(Format, EncodeMatchesAPFloatOnRandomF32) {
  std::mt19937_64 words(20260);
  std::vector<uint32_t> inputs(1000000);
  for (uint32_t &input : inputs)
    input = uint32_t(words());
  for (const Case &c : floatCases()) {
    int failures = 0;
    for (uint32_t input : inputs)
      checkEncode(c, f32(input), failures);
    EXPECT_EQ(failures, 0) << name(c.format).str();
  }
}

TEST(Format, EncodeMatchesAPFloatOnRandomDoublesInRange) {
  // All 53 bits set at random, exponents where the formats have their binades: one rounding, not two over
  // f32.
  std::mt19937_64 words(20261);
  for (const Case &c : floatCases()) {
    int failures = 0;
    for (int i = 0; i < 40000; ++i) {
      double significand = 1 + double(words() >> 12) * 0x1p-52;
      checkEncode(c, std::ldexp(words() & 1 ? significand : -significand, int(words() % 40) - 24), failures);
      checkEncode(c, std::ldexp(significand, int(words() % 300) - 160), failures);
    }
    EXPECT_EQ(failures, 0) << name(c.format).str();
  }
}

// numerics_n5
TEST(Format, TiesGoToEvenAndRoundOnce) {
  for (const Case &c : floatCases()) {
    if (c.format == Format::F8E8M0FNU || c.format == Format::F32)
      continue;
    for (uint32_t code = 0; decode(c.format, code) < largestFinite(c.format); ++code) {
      double low = decode(c.format, code), high = decode(c.format, code + 1), tie = (low + high) / 2;
      uint32_t even = code & 1 ? code + 1 : code;
      for (Overflow overflow : {Overflow::Saturate, Overflow::Native}) {
        ASSERT_EQ(encode(c.format, tie, overflow), even) << name(c.format).str();
        ASSERT_EQ(encode(c.format, std::nextafter(tie, 0.0), overflow), code) << name(c.format).str();
        ASSERT_EQ(encode(c.format, std::nextafter(tie, 1e300), overflow), code + 1) << name(c.format).str();
      }
    }
  }
}

// numerics_n9
TEST(Format, ScaleTiesGoUp) {
  // The significand of a power of two is 1, which is odd: half way to the next one the even neighbour is the
  // upper.
  for (int exponent = -127; exponent < 127; ++exponent) {
    double low = std::ldexp(1.0, exponent);
    EXPECT_EQ(encode(Format::F8E8M0FNU, 1.5 * low, Overflow::Native), uint32_t(exponent + 128));
    EXPECT_EQ(encode(Format::F8E8M0FNU, std::nextafter(1.5 * low, 0.0), Overflow::Native),
              uint32_t(exponent + 127));
  }
}

TEST(Format, ScaleHasNoSignAndNoZero) {
  for (Overflow overflow : {Overflow::Saturate, Overflow::Native}) {
    EXPECT_EQ(encode(Format::F8E8M0FNU, 0.0, overflow), 0u);
    EXPECT_EQ(encode(Format::F8E8M0FNU, -0.0, overflow), 0u);
    EXPECT_EQ(encode(Format::F8E8M0FNU, 0x1p-149, overflow), 0u);
    EXPECT_EQ(encode(Format::F8E8M0FNU, 5e-324, overflow), 0u);
    EXPECT_EQ(encode(Format::F8E8M0FNU, -1.0, overflow), 255u);
    EXPECT_EQ(encode(Format::F8E8M0FNU, -5e-324, overflow), 255u);
    EXPECT_EQ(encode(Format::F8E8M0FNU, -std::numeric_limits<double>::infinity(), overflow), 255u);
  }
  EXPECT_EQ(encode(Format::F8E8M0FNU, 0x1.8p127, Overflow::Saturate), 254u);
  EXPECT_EQ(encode(Format::F8E8M0FNU, 0x1.8p127, Overflow::Native), 255u);
}

// numerics_n6
TEST(Format, Infinities) {
  double infinity = std::numeric_limits<double>::infinity();
  for (const Case &c : floatCases())
    for (double value : {infinity, -infinity}) {
      bool negative = value < 0;
      if (c.format == Format::F8E8M0FNU && negative)
        continue;
      uint32_t largest = codeOf(APFloat::getLargest(c.semantics, negative));
      EXPECT_EQ(encode(c.format, value, Overflow::Saturate), largest) << name(c.format).str();
      double native = decode(c.format, encode(c.format, value, Overflow::Native));
      if (hasInfinity(c.format))
        EXPECT_EQ(native, value) << name(c.format).str();
      else if (hasNaN(c.format))
        EXPECT_TRUE(std::isnan(native)) << name(c.format).str();
      else
        EXPECT_EQ(native, decode(c.format, largest)) << name(c.format).str();
    }
}

// numerics_n7
TEST(Format, NaNs) {
  for (const Case &c : floatCases())
    for (uint64_t bits :
         {0x7ff8000000000000ull, 0xfff8000000000000ull, 0x7ff0000000000001ull, 0xffffffffffffffffull})
      expectNaN(c, llvm::bit_cast<double>(bits));
}

// numerics_n8
TEST(Format, SignedZeros) {
  for (const Case &c : floatCases()) {
    if (c.format == Format::F8E8M0FNU)
      continue;
    bool fnuz = c.format == Format::F8E4M3FNUZ || c.format == Format::F8E5M2FNUZ;
    uint32_t negativeZero = fnuz ? 0 : uint32_t(1) << (bitWidth(c.format) - 1);
    for (double value : {-0.0, -5e-324, -1e-300}) // what rounds to -0 is -0
      EXPECT_EQ(encode(c.format, value, Overflow::Native), negativeZero) << name(c.format).str();
    EXPECT_EQ(encode(c.format, 0.0, Overflow::Native), 0u);
    EXPECT_EQ(std::isnan(decode(c.format, uint32_t(1) << (bitWidth(c.format) - 1))), fnuz);
  }
}

// numerics_n6
TEST(Format, OverflowStartsHalfAStepAboveTheLargestValue) {
  // The tie goes to the even neighbour: the largest value where its mantissa is even, beyond it otherwise.
  EXPECT_EQ(encode(Format::F8E4M3FN, 464.0, Overflow::Native), 0x7eu);
  EXPECT_EQ(encode(Format::F8E4M3FN, 464.0001, Overflow::Native), 0x7fu);
  EXPECT_EQ(encode(Format::F8E4M3FN, -464.0001, Overflow::Native), 0xffu);
  EXPECT_EQ(encode(Format::F8E5M2, 61439.0, Overflow::Native), 0x7bu);
  EXPECT_EQ(encode(Format::F8E5M2, 61440.0, Overflow::Native), 0x7cu);
  EXPECT_EQ(encode(Format::F8E4M3FNUZ, 247.9, Overflow::Native), 0x7fu);
  EXPECT_EQ(encode(Format::F8E4M3FNUZ, 248.0, Overflow::Native), 0x80u);
  EXPECT_EQ(encode(Format::F8E4M3FNUZ, -248.0, Overflow::Saturate), 0xffu);
  EXPECT_EQ(encode(Format::F4E2M1FN, 7.0, Overflow::Native), 0x7u);
  EXPECT_EQ(encode(Format::F16, 65519.999, Overflow::Native), 0x7bffu);
  EXPECT_EQ(encode(Format::F16, 65520.0, Overflow::Native), 0x7c00u);
  EXPECT_EQ(encode(Format::F32, 0x1.ffffffp127, Overflow::Native), 0x7f800000u);
  EXPECT_EQ(encode(Format::F32, 1e300, Overflow::Saturate), 0x7f7fffffu);
}

TEST(Format, F32MatchesTheHost) {
  std::mt19937_64 words(20262);
  for (int i = 0; i < 200000; ++i) {
    double value = llvm::bit_cast<double>(words());
    if (i & 1) // most random exponents overflow
      value = std::ldexp(1 + double(words() >> 12) * 0x1p-52, int(words() % 320) - 170);
    if (!std::isnan(value)) {
      ASSERT_EQ(encode(Format::F32, value, Overflow::Native), llvm::bit_cast<uint32_t>(float(value)))
          << value;
    }
  }
}

// numerics_n10
TEST(Format, Integers) {
  for (int v = -128; v < 128; ++v)
    EXPECT_EQ(encode(Format::I8, v, Overflow::Native), uint32_t(v) & 0xff);
  EXPECT_EQ(decode(Format::I8, encode(Format::I8, 2.5, Overflow::Native)), 2);
  EXPECT_EQ(decode(Format::I8, encode(Format::I8, 3.5, Overflow::Native)), 4);
  EXPECT_EQ(decode(Format::I8, encode(Format::I8, -0.5, Overflow::Native)), 0);
  EXPECT_EQ(decode(Format::I8, encode(Format::I8, 200, Overflow::Native)), 127);
  EXPECT_EQ(decode(Format::I8, encode(Format::I8, -1e300, Overflow::Saturate)), -128);
  EXPECT_EQ(encode(Format::I8, std::nan(""), Overflow::Saturate), 0u);
  EXPECT_EQ(encode(Format::I32, 3e9, Overflow::Native), 0x7fffffffu);
  EXPECT_EQ(encode(Format::I32, -2147483648.0, Overflow::Native), 0x80000000u);
  EXPECT_EQ(decode(Format::I32, 0xfffffffe), -2);
  EXPECT_EQ(largestFinite(Format::I8), 127);
}

// numerics_n4
TEST(Format, SmallFormatsAreExactInBf16) {
  for (Format format : allFormats()) {
    for (uint32_t code = 0; bitWidth(format) <= 8 && code < (1u << bitWidth(format)); ++code) {
      double value = decode(format, code);
      if (!std::isnan(value)) {
        EXPECT_EQ(roundTo(Format::BF16, value, Overflow::Native), value) << name(format).str();
      }
    }
  }
}

TEST(Format, DecodeTables) {
  for (Format format : allFormats()) {
    llvm::ArrayRef<float> table = decodeTable(format);
    if (bitWidth(format) > 8) {
      EXPECT_TRUE(table.empty());
      continue;
    }
    ASSERT_EQ(table.size(), size_t(1) << bitWidth(format));
    for (uint32_t code = 0; code < table.size(); ++code) {
      double value = decode(format, code);
      ASSERT_TRUE(std::isnan(value) ? std::isnan(table[code]) : bitsOf(table[code]) == bitsOf(value))
          << name(format).str() << " " << code;
    }
  }
}
