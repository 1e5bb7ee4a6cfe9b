// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LDS reads and writes, lane permutations through the LDS network, and transposing reads. Beyond the
// allocation reads give zero and writes are dropped. CDNA3 ISA manual section 11; the transposing reads:
// CDNA4 ISA manual.

#include "LdsAccess.h"
#include "LdsBulk.h"
#include "llvm/ADT/bit.h"
#include <array>

using namespace llvm;
using namespace lowp::sim;

using u32 = uint32_t;
using u64 = uint64_t;

namespace {
/// How a narrow value lands in its register, beside the size in bytes in the low bits of the table's param.
enum Form : uint16_t { Plain = 0, SignExtend = 0x100, LowHalf = 0x200, HighHalf = 0x400, SixtyFour = 0x800 };

LdsWidth widthOf(unsigned bytes) {
  return bytes >= 16   ? LdsWidth::B128
         : bytes >= 12 ? LdsWidth::B96
         : bytes >= 8  ? LdsWidth::B64
                       : LdsWidth::B32;
}
} // namespace

template <unsigned size> static void read(Engine &engine, Wave &wave, const Inst &inst) {
  u64 exec = wave.exec(), undefined = 0;
  constexpr unsigned dwords = (size + 3) / 4;
  const u32 *base = wave.v[inst.src[0].reg];
  alignas(64) u32 addresses[64];
  for (unsigned lane = 0; lane < 64; ++lane)
    addresses[lane] = base[lane] + u32(inst.offset);
  const LdsPattern &pattern = countConflicts(engine, inst, addresses, exec, widthOf(size), false);
  noteLdsRead(engine, wave, inst, addresses, size);
  if (size >= 4 && pattern.allFit(LdsPattern::baseOf(addresses), engine.lds.size()) &&
      (!engine.checking() || noteLdsReads<dwords>(engine, wave, pattern, addresses)))
    return readLdsRows<dwords>(engine.lds, addresses, wave.v + inst.dst.reg);
  u32 data[64][dwords];
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    data[lane][0] = 0;
    if (!readLds(engine, wave, inst, lane, addresses[lane], size, data[lane]))
      undefined |= u64(1) << lane;
  }
  uint16_t form = inst.op->param;
  for (unsigned i = 0; i < dwords; ++i) {
    u32 *to = wave.v[inst.dst.reg + i];
    for (unsigned lane = 0; lane < 64; ++lane) {
      if (!(exec >> lane & 1))
        continue;
      u32 value = data[lane][i];
      if (size < 4 && form & SignExtend)
        value = size == 1 ? u32(int32_t(int8_t(value))) : u32(int32_t(int16_t(value)));
      if (form & LowHalf)
        value = (to[lane] & 0xffff0000) | (value & 0xffff);
      else if (form & HighHalf)
        value = (to[lane] & 0xffff) | value << 16;
      to[lane] = value;
    }
  }
  if (undefined)
    markUndefined(wave, inst.dst.reg, dwords, undefined);
}

template <unsigned size> static void write(Engine &engine, Wave &wave, const Inst &inst) {
  u64 exec = wave.exec();
  const u32 *base = wave.v[inst.src[0].reg];
  alignas(64) u32 addresses[64];
  for (unsigned lane = 0; lane < 64; ++lane)
    addresses[lane] = base[lane] + u32(inst.offset);
  constexpr unsigned dwords = (size + 3) / 4;
  const Operand &source = inst.src[1];
  const LdsPattern &pattern = countConflicts(engine, inst, addresses, exec, widthOf(size), true);
  if (size >= 4 && source.isVgpr() && pattern.allFit(LdsPattern::baseOf(addresses), engine.lds.size()) &&
      (!engine.checking() ||
       (allDefined(wave, source.reg, dwords) && noteLdsWrites<dwords>(engine, wave, pattern, addresses))))
    return writeLdsRows<dwords>(engine.lds, addresses, wave.v + source.reg);
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    u32 data[4];
    bool defined = gather(wave, inst.src[1], lane, (size + 3) / 4, data);
    if (inst.op->param & HighHalf)
      data[0] >>= 16;
    writeLds(engine, wave, inst, lane, addresses[lane], size, data, defined);
  }
}

/// Two reads at offsets in units of the element size, or of 64 elements.
template <unsigned size> static void read2(Engine &engine, Wave &wave, const Inst &inst) {
  u64 exec = wave.exec(), undefined[2] = {0, 0};
  constexpr unsigned dwords = size / 4;
  unsigned unit = size * (inst.op->param & SixtyFour ? 64 : 1);
  alignas(64) u32 addresses[2][64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    addresses[0][lane] = wave.v[inst.src[0].reg][lane] + u32(inst.offset) * unit;
    addresses[1][lane] = wave.v[inst.src[0].reg][lane] + u32(inst.offset1) * unit;
  }
  bool bulk = true;
  for (unsigned part = 0; part < 2; ++part) {
    const LdsPattern &pattern =
        countConflicts(engine, inst, addresses[part], exec, widthOf(size), false, part);
    noteLdsRead(engine, wave, inst, addresses[part], size, part);
    bulk = bulk && pattern.allFit(LdsPattern::baseOf(addresses[part]), engine.lds.size()) &&
           (!engine.checking() || noteLdsReads<dwords>(engine, wave, pattern, addresses[part]));
  }
  if (bulk) {
    for (unsigned part = 0; part < 2; ++part)
      readLdsRows<dwords>(engine.lds, addresses[part], wave.v + inst.dst.reg + part * dwords);
    return;
  }
  u32 data[2][64][2];
  for (unsigned part = 0; part < 2; ++part)
    for (unsigned lane = 0; lane < 64; ++lane)
      if ((exec >> lane & 1) &&
          !readLds(engine, wave, inst, lane, addresses[part][lane], size, data[part][lane]))
        undefined[part] |= u64(1) << lane;
  for (unsigned part = 0; part < 2; ++part) {
    for (unsigned i = 0; i < dwords; ++i)
      for (unsigned lane = 0; lane < 64; ++lane)
        if (exec >> lane & 1)
          wave.v[inst.dst.reg + part * dwords + i][lane] = data[part][lane][i];
    markUndefined(wave, inst.dst.reg + part * dwords, dwords, undefined[part]);
  }
}

template <unsigned size> static void write2(Engine &engine, Wave &wave, const Inst &inst) {
  u64 exec = wave.exec();
  constexpr unsigned dwords = size / 4;
  unsigned unit = size * (inst.op->param & SixtyFour ? 64 : 1);
  alignas(64) u32 addresses[64];
  for (unsigned part = 0; part < 2; ++part) {
    u32 offset = u32(part ? inst.offset1 : inst.offset) * unit;
    for (unsigned lane = 0; lane < 64; ++lane)
      addresses[lane] = wave.v[inst.src[0].reg][lane] + offset;
    const Operand &source = inst.src[1 + part];
    const LdsPattern &pattern = countConflicts(engine, inst, addresses, exec, widthOf(size), true, part);
    if (source.isVgpr() && pattern.allFit(LdsPattern::baseOf(addresses), engine.lds.size()) &&
        (!engine.checking() ||
         (allDefined(wave, source.reg, dwords) && noteLdsWrites<dwords>(engine, wave, pattern, addresses)))) {
      writeLdsRows<dwords>(engine.lds, addresses, wave.v + source.reg);
      continue;
    }
    for (unsigned lane = 0; lane < 64; ++lane) {
      if (!(exec >> lane & 1))
        continue;
      u32 data[2];
      bool defined = gather(wave, inst.src[1 + part], lane, size / 4, data);
      writeLds(engine, wave, inst, lane, addresses[lane], size, data, defined);
    }
  }
}

// -- permutations: no LDS memory takes part
// -----------------------------------------------------------------------------

static void setPermuted(Wave &wave, const Inst &inst, const u32 *out, u64 valid) {
  u64 exec = wave.exec();
  for (unsigned lane = 0; lane < 64; ++lane)
    if (exec >> lane & 1)
      wave.v[inst.dst.reg][lane] = out[lane];
  u64 &state = wave.vs[inst.dst.reg].valid;
  state = (state & ~exec) | (valid & exec);
}

/// Each lane reads the lane it names; inactive lanes give zero.
static void bpermute(Engine &, Wave &wave, const Inst &inst) {
  u64 exec = wave.exec(), valid = 0, source = wave.vs[inst.src[1].reg].valid;
  u32 out[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    unsigned from = (wave.v[inst.src[0].reg][lane] + u32(inst.offset)) >> 2 & 63;
    bool active = exec >> from & 1;
    out[lane] = active ? wave.v[inst.src[1].reg][from] : 0;
    valid |= u64(!active || (source >> from & 1)) << lane;
  }
  setPermuted(wave, inst, out, valid);
}

/// Each lane sends to the lane it names; the highest sender wins, lanes nobody sends to get zero.
static void permute(Engine &, Wave &wave, const Inst &inst) {
  u64 exec = wave.exec(), valid = ~u64(0), source = wave.vs[inst.src[1].reg].valid;
  u32 out[64] = {};
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    unsigned to = (wave.v[inst.src[0].reg][lane] + u32(inst.offset)) >> 2 & 63;
    out[to] = wave.v[inst.src[1].reg][lane];
    valid = (valid & ~(u64(1) << to)) | (source >> lane & 1) << to;
  }
  setPermuted(wave, inst, out, valid);
}

/// Within the 32 lanes of a half: reversed bits as an FFT wants them, rotation, permutation of quads, masks.
static unsigned swizzleSource(u32 offset, unsigned lane) {
  u32 mask = offset & 31, within = lane & 31, half = lane & 32;
  if (offset >= 0xe000) {
    u32 reversed = 0;
    for (unsigned i = 0; i < 5; ++i)
      reversed |= (within >> i & 1) << (4 - i);
    return half | ((reversed >> llvm::popcount(mask)) | (within & mask));
  }
  if (offset >= 0xc000) {
    u32 rotate = offset >> 5 & 31;
    if (offset & 0x400)
      rotate = 32 - rotate;
    return half | (within & mask) | ((within + rotate) & ~mask & 31);
  }
  if (offset & 0x8000) // quad permutation
    return (lane & ~3u) | (offset >> 2 * (lane & 3) & 3);
  unsigned andMask = offset & 31, orMask = offset >> 5 & 31, xorMask = offset >> 10 & 31;
  return (lane & 32) | ((((lane & 31) & andMask) | orMask) ^ xorMask);
}
static void swizzle(Engine &, Wave &wave, const Inst &inst) {
  u64 exec = wave.exec(), valid = 0, source = wave.vs[inst.src[0].reg].valid;
  u32 out[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    unsigned from = swizzleSource(u32(inst.offset), lane);
    bool active = exec >> from & 1;
    out[lane] = active ? wave.v[inst.src[0].reg][from] : 0;
    valid |= u64(!active || (source >> from & 1)) << lane;
  }
  setPermuted(wave, inst, out, valid);
}

// -- transposing reads
// ------------------------------------------------------------------------------------------------ The 16
// lanes of a group read 64 (or 96) bits each. In lane order these are a row-major matrix of R rows and 16
// columns of elements of b bits; lane l receives column l, row 0 in the lowest bits. Confirmed for b16 and b8
// by AMD's own kernels; b4 and b6 follow the same rule.

static void readTransposed(Engine &engine, Wave &wave, const Inst &inst) {
  unsigned bits = inst.op->param & 0xff, bytes = bits == 6 ? 12 : 8, rows = bytes * 8 / bits;
  u64 exec = wave.exec(), undefined = 0;
  if (engine.checking() && exec != ~u64(0))
    engine.report(FindingKind::PartialExec, wave, inst, ~exec,
                  [] { return "a transposing read needs all lanes"; });
  std::array<std::array<uint8_t, 12>, 64> data{};
  alignas(64) u32 addresses[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    addresses[lane] = wave.v[inst.src[0].reg][lane] + u32(inst.offset);
    if (!(exec >> lane & 1))
      continue;
    if (engine.checking())
      checkLdsAlignment(engine, wave, inst, lane, addresses[lane], bytes);
    if (!readLds(engine, wave, inst, lane, addresses[lane], bytes, data[lane].data()))
      undefined |= u64(0xffff) << (lane & ~15u);
  }
  countConflicts(engine, inst, addresses, exec, bits == 6 ? LdsWidth::B96 : LdsWidth::B64, false);
  noteLdsRead(engine, wave, inst, addresses, bytes);
  auto bitAt = [&](unsigned group, unsigned index) {
    unsigned lane = group + index / (bytes * 8), within = index % (bytes * 8);
    return data[lane][within / 8] >> within % 8 & 1;
  };
  u32 out[3][64] = {};
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned bit = 0; bit < bits; ++bit) {
        unsigned value = bitAt(lane & ~15u, (row * 16 + (lane & 15)) * bits + bit), place = row * bits + bit;
        out[place / 32][lane] |= value << place % 32;
      }
  for (unsigned i = 0; i < bytes / 4; ++i)
    for (unsigned lane = 0; lane < 64; ++lane)
      if (exec >> lane & 1)
        wave.v[inst.dst.reg + i][lane] = out[i][lane];
  markUndefined(wave, inst.dst.reg, bytes / 4, undefined);
}

static void nop(Engine &, Wave &, const Inst &) {}

ArrayRef<OpEntry> lowp::sim::dsOps() {
  static constexpr Unit Rd = Unit::DsRead, Wr = Unit::DsWrite, Ln = Unit::DsLane;
  static constexpr Undefined R = Undefined::Report, I = Undefined::Ignore;
  static const OpEntry table[] = {
      {"ds_read_u8", read<1>, Rd, 1, R, 0},
      {"ds_read_i8", read<1>, Rd, 1, R, 0, SignExtend},
      {"ds_read_u16", read<2>, Rd, 1, R, 0},
      {"ds_read_i16", read<2>, Rd, 1, R, 0, SignExtend},
      {"ds_read_u8_d16", read<1>, Rd, 1, R, PartialDst, LowHalf},
      {"ds_read_u8_d16_hi", read<1>, Rd, 1, R, PartialDst, HighHalf},
      {"ds_read_i8_d16", read<1>, Rd, 1, R, PartialDst, SignExtend | LowHalf},
      {"ds_read_i8_d16_hi", read<1>, Rd, 1, R, PartialDst, SignExtend | HighHalf},
      {"ds_read_u16_d16", read<2>, Rd, 1, R, PartialDst, LowHalf},
      {"ds_read_u16_d16_hi", read<2>, Rd, 1, R, PartialDst, HighHalf},
      {"ds_read_b32", read<4>, Rd, 1, R, 0},
      {"ds_read_b64", read<8>, Rd, 1, R, 0},
      {"ds_read_b96", read<12>, Rd, 1, R, 0},
      {"ds_read_b128", read<16>, Rd, 1, R, 0},
      {"ds_read2_b32", read2<4>, Rd, 1, R, 0},
      {"ds_read2_b64", read2<8>, Rd, 1, R, 0},
      {"ds_read2st64_b32", read2<4>, Rd, 1, R, 0, SixtyFour},
      {"ds_read2st64_b64", read2<8>, Rd, 1, R, 0, SixtyFour},
      {"ds_write_b8", write<1>, Wr, 0, I, 0},
      {"ds_write_b8_d16_hi", write<1>, Wr, 0, I, 0, HighHalf},
      {"ds_write_b16", write<2>, Wr, 0, I, 0},
      {"ds_write_b16_d16_hi", write<2>, Wr, 0, I, 0, HighHalf},
      {"ds_write_b32", write<4>, Wr, 0, I, 0},
      {"ds_write_b64", write<8>, Wr, 0, I, 0},
      {"ds_write_b96", write<12>, Wr, 0, I, 0},
      {"ds_write_b128", write<16>, Wr, 0, I, 0},
      {"ds_write2_b32", write2<4>, Wr, 0, I, 0},
      {"ds_write2_b64", write2<8>, Wr, 0, I, 0},
      {"ds_write2st64_b32", write2<4>, Wr, 0, I, 0, SixtyFour},
      {"ds_write2st64_b64", write2<8>, Wr, 0, I, 0, SixtyFour},
      {"ds_bpermute_b32", bpermute, Ln, 1, I},
      {"ds_permute_b32", permute, Ln, 1, I},
      {"ds_swizzle_b32", swizzle, Ln, 1, I},
      {"ds_nop", nop, Ln, 0},
      {"ds_read_b64_tr_b16", readTransposed, Rd, 1, R, 0, 16},
      {"ds_read_b64_tr_b8", readTransposed, Rd, 1, R, 0, 8},
      {"ds_read_b64_tr_b4", readTransposed, Rd, 1, R, 0, 4},
      {"ds_read_b96_tr_b6", readTransposed, Rd, 1, R, 0, 6},
  };
  return table;
}
