// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions: D = C + A B for one block or several, on the 64 lanes of a wave, whatever EXEC says.
// Operands become tiles of rows (MfmaForms.cpp says which lane holds what), all of them before D is written,
// so that registers may overlap in any way.
//
// Sparse forms (v_smfmac): of each four k of A only two are stored; a lane's index register names them, two
// bits each, for the groups of four that the lane holds, from the lowest bits up. Registers with more than
// one set of indices: abid chooses when cbsz is 0, else the first is taken (MLIR's amdgpu.sparse_mfma and its
// verifier; AMD's fpsan, amdgcn_smfmac.hpp). C is D.
//
// f8f6f4: cbsz and blgp give the formats of A and B: 0 fp8, 1 bf8, 2 fp6 (e2m3), 3 bf6 (e3m2), 4 fp4. With
// scales, one E8M0 byte per 32 consecutive k: lane l supplies it for row l % size and block l / size; op_sel
// and op_sel_hi choose the byte.
//
// Sums: Exact in double from the accumulator on, k ascending, rounded once; Fast the same in float; Cdna3 by
// the published rule of that chip's matrix core (MfmaRule.cpp). f64 is a chain of fused multiply-adds, k
// ascending, in each. Denormals are kept, but for those of A and B of the f32 forms, which follow MODE (CDNA4
// ISA manual, section 7). xf32 operands are cut to ten fraction bits (MMA-Sim). NaN results are 0x7fc00000.

#include "Engine.h"
#include "Half.h"
#include "MfmaForms.h"
#include "MfmaKernels.h"
#include "MfmaRule.h"
#include "NarrowFormats.h"
#include <array>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

namespace {

using Rows = const uint32_t (*)[64];
constexpr unsigned maxElements = 2048; ///< of an operand, over all blocks

/// The registers of an operand, with the lanes permuted as blgp of the older forms says. The permutations are
/// those of AMD's matrix instruction calculator.
struct PermutedRows {
  uint32_t copy[2][64];
  Rows rows;

  PermutedRows(const Wave &wave, const Operand &operand, unsigned registers, unsigned pattern) {
    rows = wave.v + operand.reg;
    if (!pattern)
      return;
    for (unsigned r = 0; r < registers && r < 2; ++r)
      for (unsigned lane = 0; lane < 64; ++lane) {
        unsigned from = pattern == 1   ? lane % 32
                        : pattern == 2 ? lane % 32 + 32
                        : pattern == 3 ? (lane + 16) % 64
                                       : lane % 16 + 16 * (pattern - 4);
        copy[r][lane] = wave.v[operand.reg + r][from];
      }
    rows = copy;
  }
};

template <class T> T fromBits(MfmaType type, uint32_t bits, bool flush) {
  if constexpr (std::is_same_v<T, uint32_t>)
    return bits;
  if (type == MfmaType::XF32)
    bits &= ~uint32_t(0x1fff);
  if (flush && !(bits & 0x7f800000))
    bits &= 0x80000000;
  return T(asFloat(bits));
}

/// Elements that are whole registers or signed bytes.
template <class T> void unpackPlain(const TileShape &shape, MfmaType type, bool flush, Rows rows, T *tile) {
  for (unsigned set = 0; set < 64 / shape.size; ++set)
    for (unsigned j = 0; j < shape.elements; ++j) {
      unsigned row = shape.row(set, j / shape.run * shape.run) + j % shape.run;
      T *to = tile + row * shape.size;
      const uint32_t *from = rows[type == MfmaType::I8 ? j / 4 : j] + set * shape.size;
      if (type == MfmaType::I8)
        for (unsigned i = 0; i < shape.size; ++i)
          to[i] = T(int32_t(int8_t(from[i] >> 8 * (j % 4))));
      else
        for (unsigned i = 0; i < shape.size; ++i)
          to[i] = fromBits<T>(type, from[i], flush);
    }
}

template <class T>
void unpack(const Wave &wave, const MfmaForm &form, MfmaType type, const MfmaPacking &packing, Rows rows,
            T *tile) {
  TileShape shape = {form.size, form.blocks, form.groups(), packing.elements, packing.run};
  if constexpr (!std::is_same_v<T, uint32_t>) {
    const MatrixKernels &kernels = hostKernels();
    bool half = packing.bits == 16, narrow = packing.bits <= 8;
    if constexpr (std::is_same_v<T, float>) {
      if (half)
        return kernels.halfToFloat(type == MfmaType::BF16, shape, rows, tile);
      if (narrow)
        return kernels.narrowToFloat(narrowCodec(packing.format), shape, rows, tile);
    } else {
      if (half)
        return kernels.halfToDouble(type == MfmaType::BF16, shape, rows, tile);
      if (narrow)
        return kernels.narrowToDouble(narrowCodec(packing.format), shape, rows, tile);
    }
  }
  unpackPlain(shape, type, wave.flushF32 && type == MfmaType::F32, rows, tile);
}

/// An operand as registers and as elements. Kernels hold fragments of A and B in registers for several
/// products, so that most unpacking has been done a few instructions ago.
template <class T> struct CachedTile {
  const MfmaForm *form = nullptr;
  unsigned second = 0, selector = 0;
  uint32_t registers[8][64];
  alignas(64) T tile[maxElements];
};

} // namespace

struct lowp::sim::MfmaTiles {
  static constexpr unsigned slots = 8;
  std::vector<CachedTile<float>> floats;
  std::vector<CachedTile<double>> doubles;

  CachedTile<float> &slot(unsigned index, float) {
    if (floats.empty())
      floats.resize(slots);
    return floats[index % slots];
  }
  CachedTile<double> &slot(unsigned index, double) {
    if (doubles.empty())
      doubles.resize(slots);
    return doubles[index % slots];
  }
};

namespace {

/// The elements of A or B: unpacked into `room`, or as they were unpacked from equal registers before.
template <class T>
const T *operandTile(Engine &engine, const Wave &wave, const Inst &inst, const MfmaForm &form, bool second,
                     T *room) {
  bool formats = form.a == MfmaType::F8f6f4;
  unsigned selector = formats ? second ? inst.blgp() : inst.cbsz() : 0;
  unsigned permutation = second && !formats && !form.sparse ? inst.blgp() : 0;
  MfmaType type = second ? form.b : form.a;
  const Operand &operand = inst.src[second];
  MfmaPacking packing = mfmaPacking(form, second, selector, engine.program.chip.fnuz);
  if constexpr (!std::is_same_v<T, uint32_t>)
    if (packing.bits <= 16 && !permutation) {
      if (!engine.mfmaTiles)
        engine.mfmaTiles = std::make_shared<MfmaTiles>();
      unsigned count = packing.registers(), bytes = count * sizeof(wave.v[0]);
      CachedTile<T> &cached = engine.mfmaTiles->slot(operand.reg / count * 2 + second, T());
      if (cached.form == &form && cached.second == unsigned(second) && cached.selector == selector &&
          !std::memcmp(cached.registers, wave.v[operand.reg], bytes))
        return cached.tile;
      cached.form = &form;
      cached.second = second;
      cached.selector = selector;
      std::memcpy(cached.registers, wave.v[operand.reg], bytes);
      unpack(wave, form, type, packing, cached.registers, cached.tile);
      return cached.tile;
    }
  PermutedRows source(wave, operand, packing.registers(), permutation);
  unpack(wave, form, type, packing, source.rows, room);
  return room;
}

/// Each element times the scale of its row and its block of 32.
template <class T>
void applyScales(const Wave &wave, const Operand &scale, unsigned byte, const MfmaForm &form, const T *from,
                 T *to) {
  unsigned size = form.size;
  for (unsigned block = 0; block < unsigned(form.k) / 32; ++block) {
    T factors[32];
    for (unsigned row = 0; row < size; ++row) {
      uint32_t code = wave.v[scale.reg][block * size + row] >> 8 * byte & 0xff;
      factors[row] = code == 0xff ? T(NAN) : T(asDouble(uint64_t(code + 1023 - 127) << 52));
    }
    for (unsigned k = 32 * block; k < 32 * block + 32; ++k)
      for (unsigned row = 0; row < size; ++row)
        to[k * size + row] = from[k * size + row] * factors[row];
  }
}

unsigned scaleByte(const Inst &inst, unsigned operand) {
  return (inst.opSelHi >> operand & 1) << 1 | (inst.opSel >> operand & 1);
}

/// Whether products of scaled elements stay far from the ends of f32's range.
bool scalesAreModerate(const Wave &wave, const Inst &inst) {
  for (unsigned operand = 0; operand < 2; ++operand) {
    const uint32_t *codes = wave.v[inst.src[3 + operand].reg];
    unsigned shift = 8 * scaleByte(inst, operand), bad = 0;
    for (unsigned lane = 0; lane < 64; ++lane)
      bad |= (codes[lane] >> shift & 0xff) - (127 - 40) > 80;
    if (bad)
      return false;
  }
  return true;
}

/// Where the rows of C and D lie, block by block.
const MfmaRow *resultRows(const Inst &inst) {
  static const auto tables = [] {
    std::vector<std::array<MfmaRow, 64>> all(mfmaForms().size());
    for (size_t f = 0; f < all.size(); ++f)
      for (unsigned row = 0; row < unsigned(mfmaForms()[f].size * mfmaForms()[f].blocks); ++row)
        all[f][row] = mfmaResultRow(mfmaForms()[f], row / mfmaForms()[f].size, row % mfmaForms()[f].size);
    return all;
  }();
  return tables[inst.op->param].data();
}

template <class T> T accumulatorValue(uint32_t bits) {
  if constexpr (std::is_same_v<T, uint32_t>)
    return bits;
  else
    return T(asFloat(bits));
}

template <class T> void loadAccumulator(const Wave &wave, const Inst &inst, const MfmaForm &form, T *d) {
  const Operand &c = inst.accumulator();
  unsigned rows = form.size * form.blocks;
  if (!c.isVgpr())
    return std::fill(d, d + rows * form.size, accumulatorValue<T>(uint32_t(c.imm)));
  const MfmaRow *places = resultRows(inst);
  for (unsigned row = 0; row < rows; ++row, d += form.size) {
    const uint32_t *from = wave.v[c.reg + places[row].reg] + places[row].lane;
    for (unsigned column = 0; column < form.size; ++column)
      d[column] = accumulatorValue<T>(from[column]);
  }
}

uint32_t resultBits(uint32_t x) { return x; }
uint32_t resultBits(float x) { return x == x ? asBits(x) : matrixNan; }
uint32_t resultBits(double x) { return resultBits(float(x)); }

template <class T> void storeResult(Wave &wave, const Inst &inst, const MfmaForm &form, const T *d) {
  const MfmaRow *places = resultRows(inst);
  for (unsigned row = 0; row < unsigned(form.size * form.blocks); ++row, d += form.size) {
    uint32_t *to = wave.v[inst.dst.reg + places[row].reg] + places[row].lane;
    for (unsigned column = 0; column < form.size; ++column)
      to[column] = resultBits(d[column]);
  }
}

void dotBlock(const double *a, const double *b, double *d, const MfmaForm &form) {
  hostKernels().dotDouble(a, b, d, form.size, form.k);
}
void dotBlock(const uint32_t *a, const uint32_t *b, uint32_t *d, const MfmaForm &form) {
  hostKernels().dotInt(a, b, d, form.size, form.k);
}

/// The stored half of A meets the rows of B that the indices name.
template <unsigned size, class T>
void dotSparseRows(const Wave &wave, const Inst &inst, const MfmaForm &form, const T *a, const T *b, T *d) {
  unsigned stored = form.k / 2, perLane = stored / form.groups(), setBits = 2 * perLane;
  unsigned sets = 32 / setBits, shift = inst.cbsz() ? 0 : inst.abid() % sets * setBits;
  const uint32_t *indices = wave.v[inst.src[2].reg];
  for (unsigned i = 0; i < size; ++i) {
    T sums[size];
    std::memcpy(sums, d + i * size, sizeof(sums));
    for (unsigned c = 0; c < stored; ++c) {
      uint32_t index = indices[c / perLane * size + i] >> shift >> 2 * (c % perLane) & 3;
      const T *row = b + (c / 2 * 4 + index) * size;
      T left = a[c * size + i];
      for (unsigned j = 0; j < size; ++j)
        sums[j] += left * row[j];
    }
    std::memcpy(d + i * size, sums, sizeof(sums));
  }
}
template <class T>
void dotSparse(const Wave &wave, const Inst &inst, const MfmaForm &form, const T *a, const T *b, T *d) {
  form.size == 16 ? dotSparseRows<16>(wave, inst, form, a, b, d)
                  : dotSparseRows<32>(wave, inst, form, a, b, d);
}

/// The block of A that a block of the result takes: cbsz and abid broadcast.
unsigned sourceBlock(const Inst &inst, const MfmaForm &form, unsigned block) {
  if (form.blocks == 1)
    return 0;
  return (block >> inst.cbsz() << inst.cbsz()) + inst.abid();
}

/// Whether the registers of C are others than those of D, but not all of them.
bool overlapsResult(const Operand &c, const Operand &d) {
  return c.reg != d.reg && c.reg < d.reg + d.count && d.reg < c.reg + c.count;
}

/// Sums in float of rows where they are: C and D are used in place.
void dotInPlace(Wave &wave, const Inst &inst, const MfmaForm &form, const float *a, const float *b) {
  const Operand &c = inst.accumulator();
  const MfmaRow *places = resultRows(inst);
  const uint32_t *from[64];
  uint32_t *to[64], constant[32], copy[32][64];
  const uint32_t (*registers)[64] = wave.v + c.reg;
  if (!c.isVgpr()) {
    std::fill(constant, constant + 32, uint32_t(c.imm));
  } else if (overlapsResult(c, inst.dst)) {
    std::memcpy(copy, registers, c.count * sizeof(copy[0]));
    registers = copy;
  }
  for (unsigned row = 0; row < unsigned(form.size * form.blocks); ++row) {
    from[row] = c.isVgpr() ? registers[places[row].reg] + places[row].lane : constant;
    to[row] = wave.v[inst.dst.reg + places[row].reg] + places[row].lane;
  }
  bool exact = form.a != MfmaType::BF16 && form.a != MfmaType::F32 && form.a != MfmaType::XF32;
  unsigned tile = form.size * form.k;
  for (unsigned block = 0; block < form.blocks; ++block)
    hostKernels().dotFloat(a + sourceBlock(inst, form, block) * tile, b + block * tile,
                           from + block * form.size, to + block * form.size, form.size, form.k, exact);
}

template <class T> void multiply(Engine &engine, Wave &wave, const Inst &inst, const MfmaForm &form) {
  alignas(64) T roomA[maxElements], roomB[maxElements], d[maxElements];
  const T *a = operandTile(engine, wave, inst, form, false, roomA);
  const T *b = operandTile(engine, wave, inst, form, true, roomB);
  if constexpr (!std::is_same_v<T, uint32_t>)
    if (form.scaled) {
      applyScales(wave, inst.src[3], scaleByte(inst, 0), form, a, roomA);
      applyScales(wave, inst.src[4], scaleByte(inst, 1), form, b, roomB);
      a = roomA;
      b = roomB;
    }
  if constexpr (std::is_same_v<T, float>)
    if (!form.sparse)
      return dotInPlace(wave, inst, form, a, b);
  loadAccumulator(wave, inst, form, d);
  unsigned tile = form.size * form.k, square = form.size * form.size;
  if (form.sparse)
    dotSparse(wave, inst, form, a, b, d);
  else if constexpr (!std::is_same_v<T, float>)
    for (unsigned block = 0; block < form.blocks; ++block)
      dotBlock(a + sourceBlock(inst, form, block) * tile, b + block * tile, d + block * square, form);
  storeResult(wave, inst, form, d);
}

/// f32 and f64: fused multiply-adds, k ascending.
template <class T> void fusedChain(const T *a, const T *b, T *d, unsigned size, unsigned k) {
  for (unsigned i = 0; i < size; ++i)
    for (unsigned j = 0; j < size; ++j)
      for (unsigned n = 0; n < k; ++n)
        d[i * size + j] = std::fma(a[n * size + i], b[n * size + j], d[i * size + j]);
}

void multiplyF64(Engine &, Wave &wave, const Inst &inst) {
  const MfmaForm &form = mfmaForm(inst);
  double a[64], b[64], d[256];
  auto value = [&](const Operand &operand, unsigned reg, unsigned lane, unsigned negBit) {
    uint64_t bits = operand.imm;
    if (operand.isVgpr())
      bits = wave.v[operand.reg + 2 * reg][lane] | uint64_t(wave.v[operand.reg + 2 * reg + 1][lane]) << 32;
    return asDouble(bits ^ uint64_t(inst.negLo >> negBit & 1) << 63);
  };
  // One element a lane: lane = block * size + k * size * blocks + row, both for A and B.
  TileShape shape = {form.size, form.blocks, form.groups(), 1, 1};
  for (unsigned lane = 0; lane < 64; ++lane) {
    unsigned at = shape.row(lane / form.size, 0) * form.size + lane % form.size;
    a[at] = value(inst.src[0], 0, lane, 0);
    b[at] = value(inst.src[1], 0, lane, 1);
  }
  const MfmaRow *places = resultRows(inst);
  unsigned rows = form.size * form.blocks, tile = form.size * form.k, square = form.size * form.size;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < form.size; ++column)
      d[row * form.size + column] = value(inst.src[2], places[row].reg, places[row].lane + column, 2);
  for (unsigned block = 0; block < form.blocks; ++block)
    fusedChain(a + block * tile, b + block * tile, d + block * square, form.size, form.k);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < form.size; ++column) {
      double x = d[row * form.size + column];
      uint64_t bits = x == x ? asBits64(x) : 0x7ff8000000000000;
      unsigned reg = inst.dst.reg + 2 * places[row].reg, lane = places[row].lane + column;
      wave.v[reg][lane] = uint32_t(bits);
      wave.v[reg + 1][lane] = uint32_t(bits >> 32);
    }
}

void takeApart(const MfmaForm &form, const MfmaPacking &packing, const float *tile, RuleTile &parts) {
  FloatShape shape = floatShape(form.a == MfmaType::XF32 ? Format::F32 : packing.format);
  parts.fractionBits = form.a == MfmaType::XF32 ? 10 : shape.fractionBits;
  unsigned count = form.size * form.k * form.blocks;
  for (unsigned i = 0; i < count; ++i)
    parts.set(i, tile[i], shape.minExponent);
  parts.clear(count);
}

void multiplyByRule(Engine &engine, Wave &wave, const Inst &inst, const MfmaForm &form) {
  alignas(64) float roomA[maxElements], roomB[maxElements], d[maxElements];
  const float *a = operandTile(engine, wave, inst, form, false, roomA);
  const float *b = operandTile(engine, wave, inst, form, true, roomB);
  loadAccumulator(wave, inst, form, d);
  unsigned tile = form.size * form.k, square = form.size * form.size;
  if (form.a == MfmaType::F32) {
    for (unsigned block = 0; block < form.blocks; ++block)
      fusedChain(a + sourceBlock(inst, form, block) * tile, b + block * tile, d + block * square, form.size,
                 form.k);
    return storeResult(wave, inst, form, d);
  }
  std::unique_ptr<RuleTile[]> parts(new RuleTile[2]);
  bool fnuz = engine.program.chip.fnuz;
  takeApart(form, mfmaPacking(form, false, 0, fnuz), a, parts[0]);
  takeApart(form, mfmaPacking(form, true, 0, fnuz), b, parts[1]);
  bool eightBits = form.a == MfmaType::Fp8 || form.a == MfmaType::Bf8;
  RuleOrder order = {eightBits ? 16u : form.a == MfmaType::XF32 ? 4u : 8u, eightBits};
  for (unsigned block = 0; block < form.blocks; ++block)
    ruleDot(parts[0], parts[1], sourceBlock(inst, form, block) * tile, block * tile, d + block * square,
            form.size, form.k, order);
  storeResult(wave, inst, form, d);
}

void mfma(Engine &engine, Wave &wave, const Inst &inst) {
  const MfmaForm &form = mfmaForm(inst);
  if (form.a == MfmaType::I8)
    return multiply<uint32_t>(engine, wave, inst, form);
  switch (engine.options.mfma) {
  case MfmaMode::Cdna3:
    return multiplyByRule(engine, wave, inst, form);
  case MfmaMode::Fast:
    if (!form.scaled || scalesAreModerate(wave, inst))
      return multiply<float>(engine, wave, inst, form);
    [[fallthrough]];
  case MfmaMode::Exact:
    return multiply<double>(engine, wave, inst, form);
  }
}

/// The first half of a scaled matrix instruction, where the second half does not follow: the decoder makes
/// one instruction of the two.
void loneScale(Engine &engine, Wave &wave, const Inst &inst) {
  engine.fault(FindingKind::BadControlFlow, wave, inst,
               [] { return std::string("no matrix instruction that takes scales follows"); });
}

} // namespace

bool lowp::sim::mfmaRulePublished(const Inst &inst) {
  if (inst.op->unit != Unit::Mfma)
    return true;
  const MfmaForm &form = mfmaForm(inst);
  return form.a == MfmaType::I8 || (!form.sparse && form.a != MfmaType::F8f6f4);
}

ArrayRef<OpEntry> lowp::sim::mfmaOps() {
  static const std::vector<OpEntry> table = [] {
    std::vector<OpEntry> entries;
    ArrayRef<MfmaForm> forms = mfmaForms();
    for (unsigned i = 0; i < forms.size(); ++i)
      entries.push_back({forms[i].name, forms[i].a == MfmaType::F64 ? multiplyF64 : mfma, Unit::Mfma, 1,
                         Undefined::Report, uint16_t(forms[i].sparse ? ReadsDst : OpFlags()), uint16_t(i)});
    entries.push_back({"v_mfma_ld_scale_b32", loneScale, Unit::Valu, 0});
    return entries;
  }();
  return table;
}
