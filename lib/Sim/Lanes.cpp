// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands with modifiers: DPP (lanes moved within rows of 16), SDWA (parts of dwords), op_sel, neg, abs.
// CDNA3 ISA manual sections 6.1 to 6.5 and 12.

#include "Lanes.h"

using namespace lowp::sim;

/// The lane that lane `lane` reads under DPP, or -1 when it lies outside.
static int dppSource(const Inst &inst, int lane) {
  int row = lane & ~15, within = lane & 15, n = inst.dppValue;
  switch (inst.dpp) {
  case Dpp::None:
    return lane;
  case Dpp::QuadPerm:
    return (lane & ~3) | (n >> 2 * (lane & 3) & 3);
  case Dpp::RowShl:
    return within + n < 16 ? lane + n : -1;
  case Dpp::RowShr:
    return within - n >= 0 ? lane - n : -1;
  case Dpp::RowRor:
    return row | ((within - n) & 15);
  case Dpp::RowNewBcast:
    return row | (n & 15);
  case Dpp::WaveShl:
    return lane + 1 < 64 ? lane + 1 : -1;
  case Dpp::WaveRol:
    return (lane + 1) & 63;
  case Dpp::WaveShr:
    return lane - 1;
  case Dpp::WaveRor:
    return (lane - 1) & 63;
  case Dpp::RowMirror:
    return row | (15 - within);
  case Dpp::RowHalfMirror:
    return (lane & ~7) | (7 - (lane & 7));
  case Dpp::RowBcast15: // last lane of each row to the next row
    return lane < 16 ? -1 : row - 1;
  case Dpp::RowBcast31: // lane 31 to rows 2 and 3
    return lane < 32 ? -1 : 31;
  }
  return lane;
}

uint64_t lowp::sim::dppLanes(const Wave &wave, const Inst &inst) {
  uint64_t exec = wave.exec(), result = 0;
  for (int lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1) || !(inst.rowMask >> lane / 16 & 1) || !(inst.bankMask >> (lane & 15) / 4 & 1))
      continue;
    int from = dppSource(inst, lane);
    bool valid = from >= 0 && (exec >> from & 1);
    if (valid || inst.boundCtrl)
      result |= uint64_t(1) << lane;
  }
  return result;
}

static uint32_t selectPart(uint32_t x, uint8_t select, bool sext) {
  switch (select) {
  case SelByte0:
  case SelByte1:
  case SelByte2:
  case SelByte3: {
    uint32_t byte = x >> 8 * (select - SelByte0) & 0xff;
    return sext ? uint32_t(int32_t(int8_t(byte))) : byte;
  }
  case SelWord0:
  case SelWord1: {
    uint32_t word = x >> 16 * (select - SelWord0) & 0xffff;
    return sext ? uint32_t(int32_t(int16_t(word))) : word;
  }
  default:
    return x;
  }
}

/// Clears one dword of doubles that are denormal; both dwords decide.
static void flushDoubles(const Wave &wave, const Inst &inst, unsigned k, unsigned dword, uint32_t *tmp) {
  alignas(64) uint32_t other[64];
  fetchSlow(wave, inst, k, 1 - dword, Reading::Raw64, other);
  const uint32_t *high = dword ? tmp : other;
  for (unsigned lane = 0; lane < 64; ++lane)
    if (!(high[lane] & 0x7ff00000))
      tmp[lane] = dword ? high[lane] & 0x80000000 : 0;
}

const uint32_t *lowp::sim::fetchSlow(const Wave &wave, const Inst &inst, unsigned k, unsigned dword,
                                     Reading reading, uint32_t *tmp) {
  const Operand &operand = inst.src[k];
  if (operand.kind == Operand::Vgpr)
    std::memcpy(tmp, wave.v[operand.reg + dword], 256);
  else
    splat(tmp,
          operand.kind == Operand::Sgpr ? wave.s[operand.reg + dword] : uint32_t(operand.imm >> 32 * dword));
  if (k == 0 && inst.dpp != Dpp::None) {
    uint32_t copy[64];
    std::memcpy(copy, tmp, 256);
    uint64_t exec = wave.exec();
    for (int lane = 0; lane < 64; ++lane) {
      int from = dppSource(inst, lane);
      tmp[lane] = from >= 0 && (exec >> from & 1) ? copy[from] : 0;
    }
  }
  bool sixteen = reading == Reading::Int16 || reading == Reading::Float16 || reading == Reading::Raw16;
  if (inst.sdwa && (operand.select != SelDword || operand.sext)) {
    for (unsigned lane = 0; lane < 64; ++lane)
      tmp[lane] = selectPart(tmp[lane], operand.select, operand.sext);
  } else if (sixteen && (inst.opSel >> k & 1)) {
    for (unsigned lane = 0; lane < 64; ++lane)
      tmp[lane] >>= 16;
  }
  uint32_t sign = 0;
  bool wide = reading == Reading::Float64 || reading == Reading::Raw64;
  if (reading == Reading::Float32 || reading == Reading::Raw32 || (wide && dword == 1))
    sign = 0x80000000;
  else if (reading == Reading::Float16 || reading == Reading::Raw16)
    sign = 0x8000;
  if (operand.abs)
    for (unsigned lane = 0; lane < 64; ++lane)
      tmp[lane] &= ~sign;
  if (operand.neg)
    for (unsigned lane = 0; lane < 64; ++lane)
      tmp[lane] ^= sign;
  if (reading == Reading::Float32 && wave.flushF32)
    for (unsigned lane = 0; lane < 64; ++lane)
      tmp[lane] = asBits(flushDenormal(asFloat(tmp[lane])));
  if (reading == Reading::Float16 && wave.flushF16)
    for (unsigned lane = 0; lane < 64; ++lane)
      if (!(tmp[lane] & 0x7c00))
        tmp[lane] &= 0x8000;
  if (reading == Reading::Float64 && wave.flushF16)
    flushDoubles(wave, inst, k, dword, tmp);
  return tmp;
}

void lowp::sim::storePartial(Wave &wave, const Inst &inst, const uint32_t *values, uint64_t lanes,
                             bool sixteen) {
  uint32_t *to = wave.v[inst.dst.reg];
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    uint32_t value = values[lane], old = to[lane];
    if (!inst.sdwa) { // op_sel: bit 3, or the bit after the sources, chooses the half; the other half is kept
      bool high = inst.opSel >> (inst.sources == 3 ? 3 : inst.opSel >= 8 ? 3 : inst.sources) & 1;
      to[lane] = high ? (old & 0xffff) | value << 16 : (old & 0xffff0000) | (value & 0xffff);
      continue;
    }
    unsigned shift = 0, width = 32;
    if (inst.dstSel >= SelByte0 && inst.dstSel <= SelByte3) {
      shift = 8 * (inst.dstSel - SelByte0);
      width = 8;
    } else if (inst.dstSel >= SelWord0) {
      shift = 16 * (inst.dstSel - SelWord0);
      width = 16;
    }
    if (width == 32) {
      to[lane] = sixteen ? value & 0xffff : value;
      continue;
    }
    uint32_t mask = ((1u << width) - 1) << shift, placed = value << shift & mask;
    if (inst.dstUnused == UnusedPreserve)
      to[lane] = (old & ~mask) | placed;
    else if (inst.dstUnused == UnusedSext)
      to[lane] = uint32_t(int32_t(placed << (32 - shift - width)) >> (32 - shift - width));
    else
      to[lane] = placed;
  }
}
