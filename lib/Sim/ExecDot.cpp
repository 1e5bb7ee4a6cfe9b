// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short dot products within a lane, mixed-precision fma and packing of halves. CDNA3 ISA manual sections 16.7
// to 16.11.

#include "Lanes.h"

using namespace llvm;
using namespace lowp::sim;

using u32 = uint32_t;
using i32 = int32_t;

static float dot2F16(u32 a, u32 b, float c) {
  double sum = c;
  for (unsigned i = 0; i < 32; i += 16)
    sum += double(toFloat(Half{uint16_t(a >> i)})) * toFloat(Half{uint16_t(b >> i)});
  return float(sum);
}
static float dot2BF16(u32 a, u32 b, float c) {
  double sum = c;
  for (unsigned i = 0; i < 32; i += 16)
    sum += double(toFloat(BFloat{uint16_t(a >> i)})) * toFloat(BFloat{uint16_t(b >> i)});
  return float(sum);
}
static u32 dot2I16(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 32; i += 16)
    c += u32(i32(int16_t(a >> i)) * i32(int16_t(b >> i)));
  return c;
}
static u32 dot2U16(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 32; i += 16)
    c += (a >> i & 0xffff) * (b >> i & 0xffff);
  return c;
}
static u32 dot4I8(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 32; i += 8)
    c += u32(i32(int8_t(a >> i)) * i32(int8_t(b >> i)));
  return c;
}
static u32 dot4U8(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 32; i += 8)
    c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
}
static i32 nibble(u32 x, unsigned i) { return i32(x >> i << 28) >> 28; }
static u32 dot8I4(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 32; i += 4)
    c += u32(nibble(a, i) * nibble(b, i));
  return c;
}

/// v_fma_mix: each source is an f32, or a half of a register when its op_sel_hi bit is set.
static float mixSource(const Inst &inst, u32 bits, unsigned k) {
  float value = asFloat(bits);
  if (inst.opSelHi >> k & 1)
    value = toFloat(Half{uint16_t(inst.opSel >> k & 1 ? bits >> 16 : bits)});
  // abs and neg are printed around the operand
  if (inst.src[k].abs)
    value = std::fabs(value);
  return inst.src[k].neg ? -value : value;
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
    double exact = std::fma(double(mixSource(inst, p[0][lane], 0)), double(mixSource(inst, p[1][lane], 1)),
                            double(mixSource(inst, p[2][lane], 2)));
    float result = outputModifiers(inst, float(exact));
    if (inst.op->param == MixF32)
      to[lane] = asBits(result);
    else if (inst.op->param == MixLow)
      to[lane] = (to[lane] & 0xffff0000) | toHalf(inst.clamp ? double(result) : exact).bits;
    else
      to[lane] = (to[lane] & 0xffff) | u32(toHalf(inst.clamp ? double(result) : exact).bits) << 16;
  }
}

static void packHalves(Engine &, Wave &wave, const Inst &inst) {
  Source<Half> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}};
  alignas(64) u32 out[64];
  for (unsigned lane = 0; lane < 64; ++lane)
    out[lane] = a[lane].bits | u32(b[lane].bits) << 16;
  storeLanes(wave, inst.dst.reg, out, wave.exec());
}

ArrayRef<OpEntry> lowp::sim::dotOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report, M = Undefined::Merge;
  static const OpEntry table[] = {
      {"v_dot2_f32_f16", lanes<dot2F16>, V, 1, R},
      {"v_dot2_f32_bf16", lanes<dot2BF16>, V, 1, R},
      {"v_dot2c_f32_f16", lanes<dot2F16>, V, 1, R, TiedSource},
      {"v_dot2c_f32_bf16", lanes<dot2BF16>, V, 1, R, TiedSource},
      {"v_dot2_i32_i16", lanes<dot2I16>, V, 1, R},
      {"v_dot2_u32_u16", lanes<dot2U16>, V, 1, R},
      {"v_dot2c_i32_i16", lanes<dot2I16>, V, 1, R, TiedSource},
      {"v_dot4_i32_i8", lanes<dot4I8>, V, 1, R},
      {"v_dot4_u32_u8", lanes<dot4U8>, V, 1, R},
      {"v_dot4c_i32_i8", lanes<dot4I8>, V, 1, R, TiedSource},
      {"v_dot8_i32_i4", lanes<dot8I4>, V, 1, R},
      {"v_dot8c_i32_i4", lanes<dot8I4>, V, 1, R, TiedSource},
      {"v_fma_mix_f32", mix, V, 1, R, FloatClamp, MixF32},
      {"v_fma_mixlo_f16", mix, V, 1, R, FloatClamp | PartialDst, MixLow},
      {"v_fma_mixhi_f16", mix, V, 1, R, FloatClamp | PartialDst, MixHigh},
      {"v_pack_b32_f16", packHalves, V, 1, M},
  };
  return table;
}
