// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between integers and f16, bf16, f32, f64. To integers: toward zero, saturating, NaN gives 0.
// CDNA3 ISA manual sections 16.8 and 16.10.

#include "Lanes.h"

using namespace llvm;
using namespace lowp::sim;

using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;
using i32 = int32_t;

template <class T> static T toInteger(double x, double low, double high) {
  if (std::isnan(x))
    return 0;
  x = std::trunc(x);
  return T(x < low ? low : x > high ? high : x);
}
static i32 toI32(double x) { return toInteger<i32>(x, -2147483648.0, 2147483647.0); }
static u32 toU32(double x) { return toInteger<u32>(x, 0, 4294967295.0); }

static float f32I32(i32 a) { return float(a); }
static float f32U32(u32 a) { return float(a); }
static i32 i32F32(float a) { return toI32(a); }
static u32 u32F32(float a) { return toU32(a); }
static i32 rpiI32F32(float a) { return toI32(std::floor(double(a) + 0.5)); }
static i32 flrI32F32(float a) { return toI32(std::floor(double(a))); }
static Half f16F32(float a) { return toHalf(a); }
static float f32F16(Half a) { return toFloat(a); }
static float f32BF16(BFloat a) { return toFloat(a); }
static double f64F32(float a) { return a; }
static float f32F64(double a) { return float(a); }
static double f64I32(i32 a) { return a; }
static double f64U32(u32 a) { return a; }
static i32 i32F64(double a) { return toI32(a); }
static u32 u32F64(double a) { return toU32(a); }
static Half f16U16(u16 a) { return toHalf(a); }
static Half f16I16(i16 a) { return toHalf(a); }
static u16 u16F16(Half a) { return toInteger<u16>(toFloat(a), 0, 65535); }
static i16 i16F16(Half a) { return toInteger<i16>(toFloat(a), -32768, 32767); }
template <unsigned Byte> static float f32Ubyte(u32 a) { return float(a >> 8 * Byte & 0xff); }

static u32 pkBF16F32(float a, float b) { return toBFloat(a).bits | u32(toBFloat(b).bits) << 16; }
static u32 pkF16F32(float a, float b) { return toHalf(a).bits | u32(toHalf(b).bits) << 16; }
static u32 towardZero(float a) {
  Half nearest = toHalf(a);
  // The neighbour towards zero if rounding went away from it; finite values stay finite.
  if (!std::isnan(a) && std::fabs(toFloat(nearest)) > std::fabs(a))
    --nearest.bits;
  return nearest.bits;
}
static u32 pkrtzF16F32(float a, float b) { return towardZero(a) | towardZero(b) << 16; }
static u32 pkU16U32(u32 a, u32 b) { return std::min(a, 65535u) | std::min(b, 65535u) << 16; }
static u32 pkI16I32(i32 a, i32 b) {
  auto narrow = [](i32 x) { return u32(std::min(std::max(x, -32768), 32767)) & 0xffff; };
  return narrow(a) | narrow(b) << 16;
}
/// Stochastic rounding: random bits are added below the kept fraction, then it is cut.
static u16 srBF16(float a, u32 random) {
  u32 bits = asBits(a);
  if ((bits & 0x7f800000) == 0x7f800000)
    return u16(bits >> 16 | (bits & 0x7fffff ? 0x40 : 0));
  return u16((bits + (random >> 16)) >> 16);
}
/// 13 bits of the fraction go; a denormal result loses more, so that fewer random bits reach what is kept.
static u16 srF16(float a, u32 random) {
  u32 bits = asBits(a);
  if ((bits & 0x7f800000) == 0x7f800000 || a == 0)
    return toHalf(a).bits;
  int exponent = std::max(std::ilogb(a), -14);
  double unit = std::ldexp(1.0, exponent - 10), noise = std::ldexp(double(random >> 19), -13);
  double magnitude = std::floor(std::fabs(double(a)) / unit + noise) * unit;
  return toHalf(std::copysign(magnitude, double(a))).bits;
}

ArrayRef<OpEntry> lowp::sim::convertOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report, M = Undefined::Merge;
  static const OpEntry table[] = {
      {"v_cvt_f32_i32", lanes<f32I32>, V, 1, R, FloatClamp},
      {"v_cvt_f32_u32", lanes<f32U32>, V, 1, R, FloatClamp},
      {"v_cvt_i32_f32", lanes<i32F32>, V, 1, R, AnyClamp},
      {"v_cvt_u32_f32", lanes<u32F32>, V, 1, R, AnyClamp},
      {"v_cvt_rpi_i32_f32", lanes<rpiI32F32>, V, 1, R, AnyClamp},
      {"v_cvt_flr_i32_f32", lanes<flrI32F32>, V, 1, R, AnyClamp},
      {"v_cvt_f16_f32", lanes<f16F32>, V, 1, R, FloatClamp},
      {"v_cvt_f32_f16", lanes<f32F16>, V, 1, R, FloatClamp},
      {"v_cvt_f32_bf16", lanes<f32BF16>, V, 1, R, FloatClamp},
      {"v_cvt_f64_f32", lanes<f64F32>, V, 1, R, FloatClamp},
      {"v_cvt_f32_f64", lanes<f32F64>, V, 1, R, FloatClamp},
      {"v_cvt_f64_i32", lanes<f64I32>, V, 1, R, FloatClamp},
      {"v_cvt_f64_u32", lanes<f64U32>, V, 1, R, FloatClamp},
      {"v_cvt_i32_f64", lanes<i32F64>, V, 1, R, AnyClamp},
      {"v_cvt_u32_f64", lanes<u32F64>, V, 1, R, AnyClamp},
      {"v_cvt_f16_u16", lanes<f16U16>, V, 1, R, FloatClamp},
      {"v_cvt_f16_i16", lanes<f16I16>, V, 1, R, FloatClamp},
      {"v_cvt_u16_f16", lanes<u16F16>, V, 1, R, AnyClamp},
      {"v_cvt_i16_f16", lanes<i16F16>, V, 1, R, AnyClamp},
      {"v_cvt_f32_ubyte0", lanes<f32Ubyte<0>>, V, 1, R, FloatClamp},
      {"v_cvt_f32_ubyte1", lanes<f32Ubyte<1>>, V, 1, R, FloatClamp},
      {"v_cvt_f32_ubyte2", lanes<f32Ubyte<2>>, V, 1, R, FloatClamp},
      {"v_cvt_f32_ubyte3", lanes<f32Ubyte<3>>, V, 1, R, FloatClamp},
      {"v_cvt_pk_bf16_f32", lanes<pkBF16F32>, V, 1, M},
      {"v_cvt_pk_f16_f32", lanes<pkF16F32>, V, 1, M},
      {"v_cvt_pkrtz_f16_f32", lanes<pkrtzF16F32>, V, 1, M},
      {"v_cvt_pk_u16_u32", lanes<pkU16U32>, V, 1, M},
      {"v_cvt_pk_i16_i32", lanes<pkI16I32>, V, 1, M},
      {"v_cvt_sr_bf16_f32", lanes<srBF16>, V, 1, M, PartialDst | KeepsHigh},
      {"v_cvt_sr_f16_f32", lanes<srF16>, V, 1, M, PartialDst | KeepsHigh},
  };
  return table;
}
