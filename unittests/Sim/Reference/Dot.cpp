// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot products. Integers: exact, modulo 2^32, or saturated with clamp. Floats: in which order and width the
// three summands are added is not documented; the result may be off by two roundings of the largest sum.
// Whether subnormal factors count is not documented either.

#include "FloatBits.h"
#include <algorithm>

using namespace lowp::sim::reference;

namespace {

i64 field(u32 x, unsigned i, unsigned width, bool isSigned) {
  i64 value = x >> i * width & ((1u << width) - 1);
  return isSigned && value >> (width - 1) ? value - (i64(1) << width) : value;
}
template <unsigned width, bool isSigned, bool accumulate> void integerDot(Lane &l) {
  u32 addend = accumulate ? l.d[0] : l.s[2][0];
  i64 sum = isSigned ? i64(i32(addend)) : i64(addend);
  u32 a = l.s[0][0], b = l.s[1][0];
  if (width == 16 && !accumulate) { // halves chosen by op_sel
    auto choose = [&](unsigned i) {
      u32 x = l.s[i][0];
      u32 low = l.opSel >> i & 1 ? x >> 16 : x & 0xffff, high = l.opSelHi >> i & 1 ? x >> 16 : x & 0xffff;
      return low | high << 16;
    };
    a = choose(0);
    b = choose(1);
  }
  for (unsigned i = 0; i < 32 / width; ++i)
    sum += field(a, i, width, isSigned) * field(b, i, width, isSigned);
  if (l.clamp)
    sum = isSigned ? std::clamp<i64>(sum, INT32_MIN, INT32_MAX) : std::clamp<i64>(sum, 0, UINT32_MAX);
  l.set(u32(sum));
}
template <bool brain, bool accumulate> void floatDot(Lane &l) {
  auto value = [&](unsigned i, bool high) {
    bool upper = accumulate ? high : (high ? l.opSelHi : l.opSel) >> i & 1;
    u16 bits = u16(upper ? l.s[i][0] >> 16 : l.s[i][0]);
    if (!accumulate && (high ? l.negHi : l.negLo) >> i & 1)
      bits ^= 0x8000;
    return brain ? double(bfloatToFloat(bits)) : halfToDouble(bits);
  };
  u32 addend = accumulate ? l.d[0] : l.s[2][0];
  if (!accumulate && l.negLo >> 2 & 1)
    addend ^= 0x80000000;
  double c = bitCast<float>(addend);
  double low = value(0, false) * value(1, false), high = value(0, true) * value(1, true);
  double sum = low + high + c;
  // A partial sum may be too large where the whole is not.
  if (std::fabs(low) > 3e38 || std::fabs(high) > 3e38 || std::fabs(c) > 3e38)
    l.skip |= std::isfinite(sum) || !(std::isinf(low) || std::isinf(high) || std::isinf(c));
  // Subnormal factors, products and sums may be flushed.
  auto tiny = [&](unsigned i, bool high) {
    double x = std::fabs(value(i, high));
    return x != 0 && x < (brain ? 0x1p-126 : 0x1p-14);
  };
  l.allowed = (std::fabs(low) + std::fabs(high) + std::fabs(c)) * 0x1p-23 + 0x1p-124;
  for (auto [product, isHigh] : {std::pair(low, false), std::pair(high, true)})
    if (tiny(0, isHigh) || tiny(1, isHigh)) {
      l.allowed += std::fabs(product);
      l.skip |= std::isinf(product); // or 0 times infinity
    }
  l.setF(float(sum));
}

} // namespace

Rows lowp::sim::reference::dotRows() {
  constexpr unsigned p = Vop3Only | Packed;
  return {
      {"v_dot2_f32_f16", "f:HHf", floatDot<false, false>, p | OwnHalves},
      {"v_dot2_f32_bf16", "f:BBf", floatDot<true, false>, p | OwnHalves | Gfx950},
      {"v_dot2_i32_i16", "i:PPi", integerDot<16, true, false>, p | IntegerClamp},
      {"v_dot2_u32_u16", "i:PPi", integerDot<16, false, false>, p | IntegerClamp},
      {"v_dot4_i32_i8", "i:iii", integerDot<8, true, false>, p | IntegerClamp},
      {"v_dot4_u32_u8", "i:iii", integerDot<8, false, false>, p | IntegerClamp},
      {"v_dot8_i32_i4", "i:iii", integerDot<4, true, false>, p | IntegerClamp},
      {"v_dot8_u32_u4", "i:iii", integerDot<4, false, false>, p | IntegerClamp},
      {"v_dot2c_f32_f16", "f:HH", floatDot<false, true>, ReadsDst},
      {"v_dot2c_f32_bf16", "f:BB", floatDot<true, true>, ReadsDst | Gfx950},
      {"v_dot2c_i32_i16", "i:PP", integerDot<16, true, true>, ReadsDst | IntegerClamp},
      {"v_dot4c_i32_i8", "i:ii", integerDot<8, true, true>, ReadsDst | IntegerClamp},
      {"v_dot8c_i32_i4", "i:ii", integerDot<4, true, true>, ReadsDst | IntegerClamp},
  };
}
