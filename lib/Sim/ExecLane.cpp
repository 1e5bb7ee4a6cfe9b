// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations across lanes in registers: readlane and writelane, lane counts, half-wave swaps. CDNA4 ISA
// manual section on v_permlane*_swap.

#include "Lanes.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace lowp::sim;

static uint32_t scalar(const Wave &wave, const Operand &operand) {
  return operand.isSgpr() ? wave.s[operand.reg] : uint32_t(operand.imm);
}

static void readFromLane(Engine &engine, Wave &wave, const Inst &inst, unsigned lane) {
  const Operand &source = inst.src[0];
  if (!source.isVgpr()) {
    wave.s[inst.dst.reg] = scalar(wave, source);
    return;
  }
  wave.s[inst.dst.reg] = wave.v[source.reg][lane];
  if (engine.checking())
    wave.ss[inst.dst.reg].valid = wave.vs[source.reg].valid >> lane & 1;
}
static void readFirstLane(Engine &engine, Wave &wave, const Inst &inst) {
  uint64_t exec = wave.exec();
  readFromLane(engine, wave, inst, exec ? countr_zero(exec) : 0);
}
static void readLane(Engine &engine, Wave &wave, const Inst &inst) {
  readFromLane(engine, wave, inst, scalar(wave, inst.src[1]) & 63);
}
static void writeLane(Engine &, Wave &wave, const Inst &inst) {
  unsigned lane = scalar(wave, inst.src[1]) & 63;
  wave.v[inst.dst.reg][lane] = scalar(wave, inst.src[0]);
  bool defined = !inst.src[0].isSgpr() || wave.ss[inst.src[0].reg].valid;
  uint64_t &valid = wave.vs[inst.dst.reg].valid;
  valid = (valid & ~(uint64_t(1) << lane)) | uint64_t(defined) << lane;
}

static uint32_t maskedCount(uint32_t mask, unsigned lane, bool upper) {
  unsigned below = upper ? (lane > 32 ? lane - 32 : 0) : std::min(lane, 32u);
  uint32_t lanes = below >= 32 ? ~0u : (1u << below) - 1;
  return popcount(mask & lanes);
}
/// Bits of the mask below the own lane, plus the second source.
static void mbcnt(Engine &, Wave &wave, const Inst &inst) {
  Source<uint32_t> mask{{&wave, &inst, 0}}, base{{&wave, &inst, 1}};
  alignas(64) uint32_t out[64];
  for (unsigned lane = 0; lane < 64; ++lane)
    out[lane] = maskedCount(mask[lane], lane, inst.op->param) + base[lane];
  storeLanes(wave, inst.dst.reg, out, wave.exec());
}

/// Half of a swap: lane `to` of register a gets lane `from` of b. An inactive source is read with fi, is zero
/// with bound_ctrl, and else leaves what is there.
static void moveLane(const Wave &wave, const Inst &inst, const uint32_t *b, uint64_t validB, unsigned from,
                     uint32_t *a, uint64_t &validA, unsigned to) {
  uint64_t exec = wave.exec(), bit = uint64_t(1) << to;
  if (!(exec & bit))
    return;
  bool active = inst.fetchInactive || (exec >> from & 1);
  if (!active && !inst.boundCtrl)
    return;
  a[to] = active ? b[from] : 0;
  validA = (validA & ~bit) | (!active || (validB >> from & 1) ? bit : 0);
}
static void swapSomeRows(Wave &wave, const Inst &inst) {
  unsigned width = inst.op->param;
  uint32_t *a = wave.v[inst.dst.reg], *b = wave.v[inst.src[0].reg], oldA[64], oldB[64];
  std::memcpy(oldA, a, 256);
  std::memcpy(oldB, b, 256);
  uint64_t &validA = wave.vs[inst.dst.reg].valid, &validB = wave.vs[inst.src[0].reg].valid;
  uint64_t oldValidA = validA, oldValidB = validB;
  for (unsigned row = 0; row < 64; row += 2 * width)
    for (unsigned lane = row; lane < row + width; ++lane) {
      moveLane(wave, inst, oldB, oldValidB, lane, a, validA, lane + width);
      moveLane(wave, inst, oldA, oldValidA, lane + width, b, validB, lane);
    }
}

/// Rows of `width` lanes: the odd rows of the destination change places with the even rows of the source.
static void swapRows(Engine &, Wave &wave, const Inst &inst) {
  if (wave.exec() != ~uint64_t(0))
    return swapSomeRows(wave, inst);
  unsigned width = inst.op->param;
  uint32_t *a = wave.v[inst.dst.reg], *b = wave.v[inst.src[0].reg];
  uint64_t &validA = wave.vs[inst.dst.reg].valid, &validB = wave.vs[inst.src[0].reg].valid;
  for (unsigned row = 0; row < 64; row += 2 * width)
    for (unsigned lane = row; lane < row + width; ++lane)
      std::swap(a[lane + width], b[lane]);
  // Rows 1 and 3 of a, rows 0 and 2 of b.
  uint64_t even = width == 32 ? 0xffffffffull : 0x0000ffff0000ffffull;
  uint64_t fromB = (validB & even) << width, fromA = validA >> width & even;
  validA = (validA & even) | fromB;
  validB = (validB & ~even) | fromA;
}

ArrayRef<OpEntry> lowp::sim::laneOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined I = Undefined::Ignore;
  static const OpEntry table[] = {
      {"v_readfirstlane_b32", readFirstLane, V, 1, I, LaneCrossing},
      {"v_readlane_b32", readLane, V, 1, I, LaneCrossing},
      {"v_writelane_b32", writeLane, V, 1, I, WholeDst},
      {"v_mbcnt_lo_u32_b32", mbcnt, V, 1, Undefined::Report, 0, 0},
      {"v_mbcnt_hi_u32_b32", mbcnt, V, 1, Undefined::Report, 0, 1},
      {"v_permlane16_swap_b32", swapRows, V, 1, I, LaneCrossing | ReadsDst | WholeDst, 16},
      {"v_permlane32_swap_b32", swapRows, V, 1, I, LaneCrossing | ReadsDst | WholeDst, 32},
  };
  return table;
}
