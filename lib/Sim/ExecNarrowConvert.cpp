// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between f32 and the 8-bit floats. One chip reads the codes as the FNUZ formats, the other as
// OCP's, under the same mnemonics. What overflows saturates when MODE's FP16_OVFL is set. CDNA3 ISA manual
// section 16.10.

#include "Lanes.h"
#include "NarrowFormats.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

static Format formatOf(const Engine &engine, const Inst &inst) {
  bool bf8 = inst.op->param;
  if (engine.program.chip.fnuz)
    return bf8 ? Format::F8E5M2FNUZ : Format::F8E4M3FNUZ;
  return bf8 ? Format::F8E5M2 : Format::F8E4M3FN;
}

static Overflow overflowOf(const Wave &wave) {
  return wave.fp16Overflow() ? Overflow::Saturate : Overflow::Native;
}

/// Two f32 to two bytes in the half of the destination that op_sel chooses.
static void pack(Engine &engine, Wave &wave, const Inst &inst) {
  Source<float> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}};
  Format format = formatOf(engine, inst);
  Overflow overflow = overflowOf(wave);
  uint64_t exec = wave.exec();
  unsigned shift = inst.opSel & 4 ? 16 : 0;
  uint32_t *to = wave.v[inst.dst.reg];
  for (unsigned lane = 0; lane < 64; ++lane)
    if (exec >> lane & 1) {
      uint32_t pair = encodeNarrow(format, a[lane], overflow) | encodeNarrow(format, b[lane], overflow) << 8;
      to[lane] = (to[lane] & ~(0xffffu << shift)) | pair << shift;
    }
}

/// One f32 to one byte with stochastic rounding; op_sel's upper two bits choose the byte.
static void packStochastic(Engine &engine, Wave &wave, const Inst &inst) {
  Source<float> a{{&wave, &inst, 0}};
  Source<uint32_t> random{{&wave, &inst, 1}};
  Format format = formatOf(engine, inst);
  Overflow overflow = overflowOf(wave);
  uint64_t exec = wave.exec();
  unsigned shift = 8 * (inst.opSel >> 2 & 3);
  uint32_t *to = wave.v[inst.dst.reg];
  for (unsigned lane = 0; lane < 64; ++lane)
    if (exec >> lane & 1) {
      uint32_t code = encodeStochastic(format, a[lane], random[lane], overflow);
      to[lane] = (to[lane] & ~(0xffu << shift)) | code << shift;
    }
}

static void unpackOne(Engine &engine, Wave &wave, const Inst &inst) {
  const float *table = floatTable(formatOf(engine, inst));
  alignas(64) uint32_t tmp[64], out[64];
  // Of SDWA only the selection counts (CDNA4 ISA manual, table 31).
  const uint32_t *a = fetch(wave, inst, 0, 0, Reading::Int32, tmp);
  // VOP3 chooses the byte by op_sel, SDWA by its selection (applied by fetch).
  unsigned shift = inst.sdwa ? 0 : 8 * ((inst.opSel & 1) << 1 | (inst.opSel >> 1 & 1));
  for (unsigned lane = 0; lane < 64; ++lane)
    out[lane] = asBits(table[a[lane] >> shift & 0xff]);
  finishFloats(wave, inst, out);
  storeLanes(wave, inst.dst.reg, out, activeLanes(wave, inst));
}

static void unpackPair(Engine &engine, Wave &wave, const Inst &inst) {
  const float *table = floatTable(formatOf(engine, inst));
  alignas(64) uint32_t tmp[64], out[2][64];
  const uint32_t *a = fetch(wave, inst, 0, 0, Reading::Int32, tmp);
  unsigned shift = !inst.sdwa && (inst.opSel & 1) ? 16 : 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    out[0][lane] = asBits(table[a[lane] >> shift & 0xff]);
    out[1][lane] = asBits(table[a[lane] >> (shift + 8) & 0xff]);
  }
  uint64_t exec = activeLanes(wave, inst);
  storeLanes(wave, inst.dst.reg, out[0], exec);
  storeLanes(wave, inst.dst.reg + 1, out[1], exec);
}

ArrayRef<OpEntry> lowp::sim::narrowConvertOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"v_cvt_pk_fp8_f32", pack, V, 1, R, PartialDst, 0},
      {"v_cvt_pk_bf8_f32", pack, V, 1, R, PartialDst, 1},
      {"v_cvt_sr_fp8_f32", packStochastic, V, 1, R, PartialDst, 0},
      {"v_cvt_sr_bf8_f32", packStochastic, V, 1, R, PartialDst, 1},
      {"v_cvt_f32_fp8", unpackOne, V, 1, R, FloatClamp, 0},
      {"v_cvt_f32_bf8", unpackOne, V, 1, R, FloatClamp, 1},
      {"v_cvt_pk_f32_fp8", unpackPair, V, 1, R, 0, 0},
      {"v_cvt_pk_f32_bf8", unpackPair, V, 1, R, 0, 1},
  };
  return table;
}
