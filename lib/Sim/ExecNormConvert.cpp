// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions to normalised integers, [-1, 1] to 16 signed bits and [0, 1] to 16 unsigned ones, to nearest
// even, and other conversions between floats and small integers. CDNA3 ISA manual section 12.11.

#include "Lanes.h"

using namespace llvm;
using namespace lowp::sim;

using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;
using i32 = int32_t;

static i16 toSnorm(double x) {
  return std::isnan(x) ? 0 : i16(std::nearbyint(std::fmin(std::fmax(x, -1.0), 1.0) * 32767.0));
}
static u16 toUnorm(double x) {
  return std::isnan(x) ? 0 : u16(std::nearbyint(std::fmin(std::fmax(x, 0.0), 1.0) * 65535.0));
}
static u32 pairOf(u32 low, u32 high) { return (low & 0xffff) | high << 16; }

static i16 normI16F16(Half a) { return toSnorm(toFloat(a)); }
static u16 normU16F16(Half a) { return toUnorm(toFloat(a)); }
static u32 pkNormI16F32(float a, float b) { return pairOf(u16(toSnorm(a)), u16(toSnorm(b))); }
static u32 pkNormU16F32(float a, float b) { return pairOf(toUnorm(a), toUnorm(b)); }
static u32 pkNormI16F16(Half a, Half b) { return pairOf(u16(toSnorm(toFloat(a))), u16(toSnorm(toFloat(b)))); }
static u32 pkNormU16F16(Half a, Half b) { return pairOf(toUnorm(toFloat(a)), toUnorm(toFloat(b))); }

/// One byte of the third source is replaced.
static u32 pkU8F32(float a, u32 b, u32 c) {
  unsigned shift = 8 * (b & 3);
  double x = std::isnan(a) ? 0 : std::nearbyint(std::fmin(std::fmax(double(a), 0.0), 255.0));
  return (c & ~(0xffu << shift)) | u32(x) << shift;
}
/// Four signed bits as sixteenths.
static float offF32I4(u32 a) { return float(i32(a << 28) >> 28) / 16.0f; }

ArrayRef<OpEntry> lowp::sim::normConvertOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report, M = Undefined::Merge;
  static const OpEntry table[] = {
      {"v_cvt_norm_i16_f16", lanes<normI16F16>, V, 1, R, AnyClamp},
      {"v_cvt_norm_u16_f16", lanes<normU16F16>, V, 1, R, AnyClamp},
      {"v_cvt_pknorm_i16_f32", lanes<pkNormI16F32>, V, 1, M},
      {"v_cvt_pknorm_u16_f32", lanes<pkNormU16F32>, V, 1, M},
      {"v_cvt_pknorm_i16_f16", lanes<pkNormI16F16>, V, 1, M},
      {"v_cvt_pknorm_u16_f16", lanes<pkNormU16F16>, V, 1, M},
      {"v_cvt_pk_u8_f32", lanes<pkU8F32>, V, 1, M},
      {"v_cvt_pkaccum_u8_f32", lanes<pkU8F32>, V, 1, M, TiedSource},
      {"v_cvt_off_f32_i4", lanes<offF32I4>, V, 1, R, FloatClamp},
  };
  return table;
}
