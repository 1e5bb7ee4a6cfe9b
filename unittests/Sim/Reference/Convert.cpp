// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between integers, f16, bf16, f32 and f64. To integers: toward zero, saturating, NaN becomes 0
// (manual, v_cvt_u32_f32).

#include "FloatBits.h"
#include <algorithm>

using namespace lowp::sim::reference;

namespace {

i64 toInteger(double x, double least, double most) {
  return std::isnan(x) ? 0 : i64(std::trunc(std::min(std::max(x, least), most)));
}
u32 toI32(double x) { return u32(toInteger(x, -0x1p31, 0x1p31 - 1)); }
u32 toU32(double x) { return u32(toInteger(x, 0, 0x1p32 - 1)); }
u32 norm(double x, bool isSigned) {
  if (std::isnan(x))
    return 0;
  double scale = isSigned ? 32767 : 65535;
  double r = std::nearbyint(std::min(std::max(x, isSigned ? -1.0 : 0.0), 1.0) * scale);
  return u32(i32(r)) & 0xffff;
}
double h(Lane &l, unsigned i) { return halfToDouble(u16(l.s[i][0])); }
u16 towardZero(float x) { return roundTo(llvm::APFloat::IEEEhalf(), x, llvm::RoundingMode::TowardZero); }
u32 toU8(float x) { return u32(toInteger(std::nearbyint(double(x)), 0, 255)); }

} // namespace

Rows lowp::sim::reference::convertRows() {
  return {
      {"v_cvt_i32_f32", "i:f", [](Lane &l) { l.set(toI32(l.f(0))); }},
      {"v_cvt_u32_f32", "i:f", [](Lane &l) { l.set(toU32(l.f(0))); }},
      {"v_cvt_i32_f64", "i:d", [](Lane &l) { l.set(toI32(l.lf(0))); }},
      {"v_cvt_u32_f64", "i:d", [](Lane &l) { l.set(toU32(l.lf(0))); }},
      {"v_cvt_f32_i32", "f:i", [](Lane &l) { l.setF(float(i32(l.s[0][0]))); }},
      {"v_cvt_f32_u32", "f:i", [](Lane &l) { l.setF(float(l.s[0][0])); }},
      {"v_cvt_f64_i32", "d:i", [](Lane &l) { l.setD(i32(l.s[0][0])); }},
      {"v_cvt_f64_u32", "d:i", [](Lane &l) { l.setD(l.s[0][0]); }},
      {"v_cvt_f32_f64", "f:d", [](Lane &l) { l.setF(float(l.lf(0))); }},
      {"v_cvt_f64_f32", "d:f", [](Lane &l) { l.setD(l.f(0)); }},
      {"v_cvt_f16_f32", "h:f", [](Lane &l) { l.set(doubleToHalf(l.f(0))); }},
      {"v_cvt_f32_f16", "f:h",
       [](Lane &l) {
         l.skip = f16Bits.signalling(u16(l.s[0][0])); // whether it is made quiet is not documented
         l.setF(float(h(l, 0)));
       }},
      {"v_cvt_f32_bf16", "f:b", [](Lane &l) { l.setF(bfloatToFloat(l.s[0][0])); }, Gfx950},
      {"v_cvt_rpi_i32_f32", "i:f",
       [](Lane &l) {
         float sum = l.f(0) + 0.5f; // that this sum is rounded is said by the pseudocode only
         l.skip = double(sum) != double(l.f(0)) + 0.5;
         l.set(toI32(std::floor(sum)));
       }},
      {"v_cvt_flr_i32_f32", "i:f", [](Lane &l) { l.set(toI32(std::floor(l.f(0)))); }},
      {"v_cvt_off_f32_i4", "f:i", [](Lane &l) { l.setF(float(int(l.s[0][0] % 16 ^ 8) - 8) / 16); }},
      {"v_cvt_f32_ubyte0", "f:i", [](Lane &l) { l.setF(float(l.s[0][0] % 256)); }},
      {"v_cvt_f32_ubyte1", "f:i", [](Lane &l) { l.setF(float(l.s[0][0] >> 8 & 255)); }},
      {"v_cvt_f32_ubyte2", "f:i", [](Lane &l) { l.setF(float(l.s[0][0] >> 16 & 255)); }},
      {"v_cvt_f32_ubyte3", "f:i", [](Lane &l) { l.setF(float(l.s[0][0] >> 24)); }},
      {"v_cvt_f16_u16", "h:s", [](Lane &l) { l.set(doubleToHalf(u16(l.s[0][0]))); }},
      {"v_cvt_f16_i16", "h:s", [](Lane &l) { l.set(doubleToHalf(i16(l.s[0][0]))); }},
      {"v_cvt_u16_f16", "s:h", [](Lane &l) { l.set(u16(toInteger(h(l, 0), 0, 65535))); }},
      {"v_cvt_i16_f16", "s:h", [](Lane &l) { l.set(u16(toInteger(h(l, 0), -32768, 32767))); }},
      {"v_cvt_norm_i16_f16", "s:h", [](Lane &l) { l.set(norm(h(l, 0), true)); }},
      {"v_cvt_norm_u16_f16", "s:h", [](Lane &l) { l.set(norm(h(l, 0), false)); }},
      {"v_cvt_pkrtz_f16_f32", "H:ff",
       [](Lane &l) { l.set(towardZero(l.f(0)) | u32(towardZero(l.f(1))) << 16); }, Vop3Only},
      {"v_cvt_pk_f16_f32", "H:ff",
       [](Lane &l) { l.set(doubleToHalf(l.f(0)) | u32(doubleToHalf(l.f(1))) << 16); }, Vop3Only | Gfx950},
      {"v_cvt_pk_bf16_f32", "B:ff",
       [](Lane &l) { l.set(doubleToBfloat(l.f(0)) | u32(doubleToBfloat(l.f(1))) << 16); }, Vop3Only | Gfx950},
      {"v_cvt_pknorm_i16_f32", "P:ff", [](Lane &l) { l.set(norm(l.f(0), true) | norm(l.f(1), true) << 16); },
       Vop3Only},
      {"v_cvt_pknorm_u16_f32", "P:ff",
       [](Lane &l) { l.set(norm(l.f(0), false) | norm(l.f(1), false) << 16); }, Vop3Only},
      {"v_cvt_pknorm_i16_f16", "P:hh",
       [](Lane &l) { l.set(norm(h(l, 0), true) | norm(h(l, 1), true) << 16); }, Vop3Only},
      {"v_cvt_pknorm_u16_f16", "P:hh",
       [](Lane &l) { l.set(norm(h(l, 0), false) | norm(h(l, 1), false) << 16); }, Vop3Only},
      {"v_cvt_pk_u8_f32", "i:fni",
       [](Lane &l) {
         unsigned at = l.s[1][0] % 4 * 8;
         l.set((l.s[2][0] & ~(255u << at)) | toU8(l.f(0)) << at);
       },
       Vop3Only},
      {"v_cvt_pkaccum_u8_f32", "i:fn",
       [](Lane &l) {
         unsigned at = l.s[1][0] % 4 * 8;
         l.set((l.d[0] & ~(255u << at)) | toU8(l.f(0)) << at);
       },
       Vop3Only | ReadsDst},
  };
}
