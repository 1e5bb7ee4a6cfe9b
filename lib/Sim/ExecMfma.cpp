// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions: D (M x M) = C + A (M x K) B (K x M), one block, on the 64 lanes of a wave, whatever
// EXEC says.
//
// Lane l belongs to group g = l / M and holds row m = l % M of A (column of B). Element j of its registers,
// counted from the lowest bits, stands for k = (j / run) run G + g run + j % run with G = 64 / M groups.
// `run` is the number of k that lie side by side in a lane: all of its elements for most instructions, but 16
// for 8-bit operands of the f8f6f4 family, which holds two runs (AMD's matrix instruction calculator for
// CDNA3; AMD's blog "Matrix Core Programming on CDNA3 and CDNA4" and CK's mx_mfma_op test for CDNA4). Element
// i of the result is row 4 g + i, or for 32 x 32 row 8 (i / 4) + 4 g + i % 4, of column l % M.
//
// f8f6f4: cbsz and blgp give the formats of A and B: 0 fp8, 1 bf8, 2 fp6 (e2m3), 3 bf6 (e3m2), 4 fp4. With
// scales, one E8M0 byte per 32 consecutive k: lane l supplies it for row l % M and block l / M; op_sel and
// op_sel_hi choose the byte.
//
// Sums are formed in double from the first product to the accumulator and rounded once (Exact), or in float
// (Fast). The order inside the hardware is not published for all chips; denormals are kept, as the manuals
// say.

#include "Engine.h"
#include "Half.h"
#include "MfmaDot.h"
#include "NarrowFormats.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

namespace {

enum Type : uint8_t { F16, BF16, Fp8, Bf8, F8f6f4, I8, F32 };

struct Shape {
  const char *name;
  uint8_t size; ///< M = N
  uint8_t k;
  Type a, b;
  uint8_t passes; ///< for f8f6f4 with an 8-bit operand; half of it without
  bool scaled = false;
};

constexpr Shape shapes[] = {
    {"v_mfma_f32_16x16x16_f16", 16, 16, F16, F16, 4},
    {"v_mfma_f32_16x16x16_bf16", 16, 16, BF16, BF16, 4},
    {"v_mfma_f32_32x32x8_f16", 32, 8, F16, F16, 8},
    {"v_mfma_f32_32x32x8_bf16", 32, 8, BF16, BF16, 8},
    {"v_mfma_f32_16x16x32_f16", 16, 32, F16, F16, 4},
    {"v_mfma_f32_16x16x32_bf16", 16, 32, BF16, BF16, 4},
    {"v_mfma_f32_32x32x16_f16", 32, 16, F16, F16, 8},
    {"v_mfma_f32_32x32x16_bf16", 32, 16, BF16, BF16, 8},
    {"v_mfma_f32_16x16x32_fp8_fp8", 16, 32, Fp8, Fp8, 4},
    {"v_mfma_f32_16x16x32_fp8_bf8", 16, 32, Fp8, Bf8, 4},
    {"v_mfma_f32_16x16x32_bf8_fp8", 16, 32, Bf8, Fp8, 4},
    {"v_mfma_f32_16x16x32_bf8_bf8", 16, 32, Bf8, Bf8, 4},
    {"v_mfma_f32_32x32x16_fp8_fp8", 32, 16, Fp8, Fp8, 8},
    {"v_mfma_f32_32x32x16_fp8_bf8", 32, 16, Fp8, Bf8, 8},
    {"v_mfma_f32_32x32x16_bf8_fp8", 32, 16, Bf8, Fp8, 8},
    {"v_mfma_f32_32x32x16_bf8_bf8", 32, 16, Bf8, Bf8, 8},
    {"v_mfma_f32_16x16x128_f8f6f4", 16, 128, F8f6f4, F8f6f4, 8},
    {"v_mfma_f32_32x32x64_f8f6f4", 32, 64, F8f6f4, F8f6f4, 16},
    {"v_mfma_scale_f32_16x16x128_f8f6f4", 16, 128, F8f6f4, F8f6f4, 8, true},
    {"v_mfma_scale_f32_32x32x64_f8f6f4", 32, 64, F8f6f4, F8f6f4, 16, true},
    {"v_mfma_i32_16x16x32_i8", 16, 32, I8, I8, 4},
    {"v_mfma_i32_32x32x16_i8", 32, 16, I8, I8, 8},
    {"v_mfma_i32_16x16x64_i8", 16, 64, I8, I8, 4},
    {"v_mfma_i32_32x32x32_i8", 32, 32, I8, I8, 8},
    {"v_mfma_f32_16x16x4_f32", 16, 4, F32, F32, 8},
    {"v_mfma_f32_32x32x2_f32", 32, 2, F32, F32, 16},
};

/// How one operand is packed: bits of an element, its table for the narrow ones, k that lie side by side.
struct Packing {
  unsigned bits, run;
  Format format;
  bool table;
};

Packing packingOf(const Engine &engine, const Shape &shape, Type type, unsigned selector) {
  bool fnuz = engine.program.chip.fnuz;
  unsigned all = shape.k * shape.size / 64; // elements of one lane
  switch (type) {
  case Fp8:
    return {8, all, fnuz ? Format::F8E4M3FNUZ : Format::F8E4M3FN, true};
  case Bf8:
    return {8, all, fnuz ? Format::F8E5M2FNUZ : Format::F8E5M2, true};
  case F8f6f4: {
    static constexpr Format formats[] = {Format::F8E4M3FN, Format::F8E5M2, Format::F6E2M3FN, Format::F6E3M2FN,
                                         Format::F4E2M1FN};
    Format format = formats[selector < 5 ? selector : 0];
    unsigned bits = bitWidth(format);
    // fp6: 32 side by side, as fp4. Shipped attention kernels with fp6 against fp8 are right only so.
    return {bits, bits == 8 ? 16u : 32u, format, true};
  }
  case I8:
    return {8, all, Format::I8, false};
  case F16:
    return {16, all, Format::F16, false};
  case BF16:
    return {16, all, Format::BF16, false};
  case F32:
    break;
  }
  return {32, all, Format::F32, false};
}

const double *doubleTable(Format format) {
  static const auto tables = [] {
    std::vector<std::vector<double>> all(13);
    for (unsigned f = 0; f < all.size(); ++f)
      if (bitWidth(Format(f)) <= 8)
        all[f].assign(floatTable(Format(f)), floatTable(Format(f)) + 256);
    return all;
  }();
  return tables[unsigned(format)].data();
}
const double *tableOf(Format format, double) { return doubleTable(format); }
const float *tableOf(Format format, float) { return floatTable(format); }
const uint32_t *tableOf(Format, uint32_t) { return nullptr; }

template <class T> T fromBits(const Packing &packing, uint32_t bits) {
  if constexpr (std::is_same_v<T, uint32_t>)
    return uint32_t(int32_t(int8_t(bits)));
  else if (packing.format == Format::F16)
    return toFloat(Half{uint16_t(bits)});
  else if (packing.format == Format::BF16)
    return toFloat(BFloat{uint16_t(bits)});
  else
    return asFloat(bits);
}

/// tile[k][row] of one operand.
template <class T>
void unpack(const Wave &wave, const Operand &operand, const Shape &shape, const Packing &packing, T *tile) {
  unsigned size = shape.size, groups = 64 / size, elements = shape.k / groups, bits = packing.bits;
  const T *table = packing.table ? tableOf(packing.format, T()) : nullptr;
  if constexpr (!std::is_same_v<T, uint32_t>)
    if (bits == 8 && table)
      return unpackBytes(wave.v + operand.reg, elements, size, packing.run, table, tile);
  for (unsigned j = 0; j < elements; ++j) {
    unsigned firstBit = j * bits, reg = operand.reg + firstBit / 32, shift = firstBit % 32;
    for (unsigned g = 0; g < groups; ++g) {
      unsigned k = j / packing.run * packing.run * groups + g * packing.run + j % packing.run;
      const uint32_t *from = wave.v[reg] + g * size;
      T *to = tile + k * size;
      uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
      const uint32_t *following = wave.v[shift + bits > 32 ? reg + 1 : reg] + g * size;
      for (unsigned row = 0; row < size; ++row) {
        uint32_t code = uint32_t((uint64_t(following[row]) << 32 | from[row]) >> shift) & mask;
        to[row] = table ? table[code] : fromBits<T>(packing, code);
      }
    }
  }
}

/// Multiplies each element by the scale of its row and its block of 32.
template <class T>
void applyScales(const Wave &wave, const Operand &scale, unsigned byte, const Shape &shape, T *tile) {
  static_assert(!std::is_same_v<T, uint32_t>);
  unsigned size = shape.size;
  for (unsigned block = 0; block < unsigned(shape.k) / 32; ++block) {
    T factors[32];
    for (unsigned row = 0; row < size; ++row) {
      uint32_t code = wave.v[scale.reg][block * size + row] >> 8 * byte & 0xff;
      factors[row] = code == 0xff ? T(NAN) : T(std::ldexp(1.0, int(code) - 127));
    }
    for (unsigned k = 32 * block; k < 32 * block + 32; ++k)
      for (unsigned row = 0; row < size; ++row)
        tile[k * size + row] *= factors[row];
  }
}

template <class T> T accumulatorValue(uint32_t bits, const Operand &c) {
  if constexpr (std::is_same_v<T, uint32_t>) {
    return bits;
  } else {
    float value = asFloat(bits);
    if (c.abs)
      value = std::fabs(value);
    return c.neg ? -value : value;
  }
}

uint32_t resultBits(double x) { return asBits(float(x)); }
uint32_t resultBits(float x) { return asBits(x); }
uint32_t resultBits(uint32_t x) { return x; }

unsigned resultRow(unsigned size, unsigned group, unsigned i) {
  return size == 16 ? 4 * group + i : 8 * (i / 4) + 4 * group + i % 4;
}

template <class T> void multiply(Engine &engine, Wave &wave, const Inst &inst, const Shape &shape) {
  alignas(64) T a[32 * 64], b[32 * 64], d[32 * 32];
  unsigned size = shape.size, groups = 64 / size, perLane = size * size / 64;
  unpack(wave, inst.src[0], shape, packingOf(engine, shape, shape.a, inst.cbsz()), a);
  unpack(wave, inst.src[1], shape, packingOf(engine, shape, shape.b, inst.blgp()), b);
  if constexpr (!std::is_same_v<T, uint32_t>)
    if (shape.scaled) {
      applyScales(wave, inst.src[3], (inst.opSelHi & 1) << 1 | (inst.opSel & 1), shape, a);
      applyScales(wave, inst.src[4], (inst.opSelHi >> 1 & 1) << 1 | (inst.opSel >> 1 & 1), shape, b);
    }
  const Operand &c = inst.src[2];
  for (unsigned g = 0; g < groups; ++g)
    for (unsigned i = 0; i < perLane; ++i) {
      T *row = d + resultRow(size, g, i) * size;
      for (unsigned column = 0; column < size; ++column) {
        uint32_t bits = c.isVgpr() ? wave.v[c.reg + i][g * size + column] : uint32_t(c.imm);
        row[column] = accumulatorValue<T>(bits, c);
      }
    }
  matrixDot(a, b, d, size, shape.k);
  for (unsigned g = 0; g < groups; ++g)
    for (unsigned i = 0; i < perLane; ++i) {
      const T *row = d + resultRow(size, g, i) * size;
      uint32_t *to = wave.v[inst.dst.reg + i] + g * size;
      for (unsigned column = 0; column < size; ++column)
        to[column] = resultBits(row[column]);
    }
}

void mfma(Engine &engine, Wave &wave, const Inst &inst) {
  const Shape &shape = shapes[inst.op->param];
  if (shape.a == I8)
    multiply<uint32_t>(engine, wave, inst, shape);
  else if (engine.options.mfma == MfmaMode::Fast)
    multiply<float>(engine, wave, inst, shape);
  else
    multiply<double>(engine, wave, inst, shape);
}

} // namespace

unsigned lowp::sim::mfmaPasses(const Inst &inst) {
  const Shape &shape = shapes[inst.op->param];
  bool narrow = shape.a == F8f6f4 && inst.cbsz() >= 2 && inst.blgp() >= 2;
  return narrow ? shape.passes / 2 : shape.passes;
}

bool lowp::sim::mfmaModifiersKnown(const Inst &inst) {
  const Shape &shape = shapes[inst.op->param];
  // Broadcasts and lane permutations of the other families are not simulated.
  return shape.a == F8f6f4 ? inst.cbsz() <= 4 && inst.blgp() <= 4 && inst.abid() == 0 : inst.simm == 0;
}

ArrayRef<OpEntry> lowp::sim::mfmaOps() {
  static const std::vector<OpEntry> table = [] {
    std::vector<OpEntry> entries;
    for (unsigned i = 0; i < std::size(shapes); ++i)
      entries.push_back({shapes[i].name, mfma, Unit::Mfma, 1, Undefined::Report, 0, uint16_t(i)});
    return entries;
  }();
  return table;
}
