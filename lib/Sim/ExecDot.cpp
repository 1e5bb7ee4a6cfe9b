// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short dot products within a lane, mixed-precision fma and packing of halves. CDNA3 ISA manual sections 16.7
// to 16.11.

#include "Lanes.h"
#include <algorithm>

using namespace llvm;
using namespace lowp::sim;

using u32 = uint32_t;
using i32 = int32_t;
using i64 = int64_t;

/// The halves of source k that meet in product `high` of a two-element dot product, with their signs.
static u32 halfOf(const Inst &inst, u32 bits, unsigned k, bool high) {
  bool upper = (high ? inst.opSelHi : inst.opSel) >> k & 1;
  return upper ? bits >> 16 : bits & 0xffff;
}
static double floatOf(Half h) { return toFloat(flushDenormal(h)); }
static double floatOf(BFloat b) { return flushDenormal(toFloat(b)); }

/// T is Half or BFloat. The modifiers do not apply to the addend. Denormals are flushed and rounding is to
/// nearest whatever MODE says (CDNA4 ISA manual section 6.4); one rounding at the end.
template <class T> static void dot2Float(Engine &, Wave &wave, const Inst &inst) {
  Source<u32> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}}, c{{&wave, &inst, 2}};
  alignas(64) u32 out[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    double sum = flushDenormal(asFloat(c[lane]));
    for (bool high : {false, true}) {
      u32 x = halfOf(inst, a[lane], 0, high), y = halfOf(inst, b[lane], 1, high);
      u32 negative = ((high ? inst.negHi : inst.negLo) ^ (high ? inst.negHi : inst.negLo) >> 1) & 1;
      sum += floatOf(T{uint16_t(x)}) * floatOf(T{uint16_t(y ^ negative << 15)});
    }
    out[lane] = asBits(flushDenormal(float(sum)));
  }
  finishFloats(wave, inst, out);
  storeLanes(wave, inst.dst.reg, out, activeLanes(wave, inst));
}

/// T is int16_t or uint16_t; clamp saturates the sum.
template <class T, class R> static void dot2Integer(Engine &, Wave &wave, const Inst &inst) {
  Source<u32> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}};
  Source<R> c{{&wave, &inst, 2}};
  alignas(64) u32 out[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    i64 sum = c[lane];
    for (bool high : {false, true})
      sum += i64(T(halfOf(inst, a[lane], 0, high))) * T(halfOf(inst, b[lane], 1, high));
    if (inst.clamp)
      sum = std::clamp<i64>(sum, std::numeric_limits<R>::min(), std::numeric_limits<R>::max());
    out[lane] = u32(sum);
  }
  storeLanes(wave, inst.dst.reg, out, activeLanes(wave, inst));
}

static i64 exactDot4I8(u32 a, u32 b, i32 c) {
  i64 sum = c;
  for (unsigned i = 0; i < 32; i += 8)
    sum += i32(int8_t(a >> i)) * i32(int8_t(b >> i));
  return sum;
}
static i64 exactDot4U8(u32 a, u32 b, u32 c) {
  i64 sum = c;
  for (unsigned i = 0; i < 32; i += 8)
    sum += (a >> i & 0xff) * (b >> i & 0xff);
  return sum;
}
static i32 nibble(u32 x, unsigned i) { return i32(x >> i << 28) >> 28; }
static i64 exactDot8I4(u32 a, u32 b, i32 c) {
  i64 sum = c;
  for (unsigned i = 0; i < 32; i += 4)
    sum += nibble(a, i) * nibble(b, i);
  return sum;
}
static i64 exactDot8U4(u32 a, u32 b, u32 c) {
  i64 sum = c;
  for (unsigned i = 0; i < 32; i += 4)
    sum += (a >> i & 15) * (b >> i & 15);
  return sum;
}
static u32 dot4I8(u32 a, u32 b, i32 c) { return u32(exactDot4I8(a, b, c)); }
static u32 dot4U8(u32 a, u32 b, u32 c) { return u32(exactDot4U8(a, b, c)); }
static u32 dot8I4(u32 a, u32 b, i32 c) { return u32(exactDot8I4(a, b, c)); }
static u32 dot8U4(u32 a, u32 b, u32 c) { return u32(exactDot8U4(a, b, c)); }

/// v_fma_mix: each source is an f32, or a half of a register when its op_sel_hi bit is set.
static float mixSource(const Wave &wave, const Inst &inst, u32 bits, unsigned k) {
  float value = asFloat(bits);
  if (inst.opSelHi >> k & 1) {
    Half half{uint16_t(inst.opSel >> k & 1 ? bits >> 16 : bits)};
    value = toFloat(wave.flushF16 ? flushDenormal(half) : half);
  } else if (wave.flushF32) {
    value = flushDenormal(value);
  }
  // abs and neg are printed around the operand
  if (inst.src[k].abs)
    value = std::fabs(value);
  return inst.src[k].neg ? -value : value;
}

/// a * b + c in double, rounded to odd, so that rounding it again to f16 is right.
static double fmaToOdd(float a, float b, float c) {
  double product = double(a) * double(b), addend = c, sum = product + addend;
  double other = sum - product, error = (product - (sum - other)) + (addend - other);
  uint64_t bits = asBits64(sum);
  if (std::isfinite(sum) && error != 0 && !(bits & 1))
    sum = asDouble((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
  return sum;
}

enum MixResult : uint16_t { MixF32, MixLow, MixHigh };
static void mix(Engine &, Wave &wave, const Inst &inst) {
  alignas(64) u32 tmp[3][64];
  const u32 *p[3];
  for (unsigned k = 0; k < 3; ++k) {
    const Operand &operand = inst.src[k];
    if (operand.isVgpr()) {
      p[k] = wave.v[operand.reg];
    } else {
      splat(tmp[k], operand.isSgpr() ? wave.s[operand.reg] : u32(operand.imm));
      p[k] = tmp[k];
    }
  }
  uint64_t exec = wave.exec();
  u32 *to = wave.v[inst.dst.reg];
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    float x = mixSource(wave, inst, p[0][lane], 0), y = mixSource(wave, inst, p[1][lane], 1),
          z = mixSource(wave, inst, p[2][lane], 2);
    if (inst.op->param == MixF32) {
      float result = std::fma(x, y, z);
      if (wave.flushF32Out)
        result = flushDenormal(result);
      to[lane] = asBits(outputModifiers(wave, inst, result, wave.flushF32Out));
      continue;
    }
    u32 half = finishHalf(wave, inst, toHalf(fmaToOdd(x, y, z))).bits;
    to[lane] = inst.op->param == MixLow ? (to[lane] & 0xffff0000) | half : (to[lane] & 0xffff) | half << 16;
  }
}

static void packHalves(Engine &, Wave &wave, const Inst &inst) {
  Source<RawHalf> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}};
  alignas(64) u32 out[64];
  for (unsigned lane = 0; lane < 64; ++lane)
    out[lane] = a[lane].bits | u32(b[lane].bits) << 16;
  storeLanes(wave, inst.dst.reg, out, wave.exec());
}

ArrayRef<OpEntry> lowp::sim::dotOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report, M = Undefined::Merge;
  static const OpEntry table[] = {
      {"v_dot2_f32_f16", dot2Float<Half>, V, 1, R, FloatClamp},
      {"v_dot2_f32_bf16", dot2Float<BFloat>, V, 1, R, FloatClamp},
      {"v_dot2c_f32_f16", dot2Float<Half>, V, 1, R, FloatClamp | TiedSource},
      {"v_dot2c_f32_bf16", dot2Float<BFloat>, V, 1, R, FloatClamp | TiedSource},
      {"v_dot2_i32_i16", dot2Integer<int16_t, i32>, V, 1, R, AnyClamp},
      {"v_dot2_u32_u16", dot2Integer<uint16_t, u32>, V, 1, R, AnyClamp},
      {"v_dot2c_i32_i16", dot2Integer<int16_t, i32>, V, 1, R, AnyClamp | TiedSource},
      {"v_dot4_i32_i8", clampable<dot4I8, i32, exactDot4I8>, V, 1, R, AnyClamp},
      {"v_dot4_u32_u8", clampable<dot4U8, u32, exactDot4U8>, V, 1, R, AnyClamp},
      {"v_dot4c_i32_i8", clampable<dot4I8, i32, exactDot4I8>, V, 1, R, AnyClamp | TiedSource},
      {"v_dot8_i32_i4", clampable<dot8I4, i32, exactDot8I4>, V, 1, R, AnyClamp},
      {"v_dot8_u32_u4", clampable<dot8U4, u32, exactDot8U4>, V, 1, R, AnyClamp},
      {"v_dot8c_i32_i4", clampable<dot8I4, i32, exactDot8I4>, V, 1, R, AnyClamp | TiedSource},
      {"v_fma_mix_f32", mix, V, 1, R, FloatClamp, MixF32},
      {"v_fma_mixlo_f16", mix, V, 1, R, FloatClamp | PartialDst, MixLow},
      {"v_fma_mixhi_f16", mix, V, 1, R, FloatClamp | PartialDst, MixHigh},
      {"v_pack_b32_f16", packHalves, V, 1, M},
  };
  return table;
}
