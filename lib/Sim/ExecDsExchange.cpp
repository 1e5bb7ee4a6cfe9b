// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LDS instructions beyond plain reads, writes and atomics of one place: exchanges of two, counters of active
// lanes, addresses by lane. CDNA3 ISA manual chapter 12, DS instructions; M0 as the base of the counters:
// LLVM's SITargetLowering and the code that it makes for them.

#include "LdsAccess.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace lowp::sim;

using u32 = uint32_t;
using u64 = uint64_t;

namespace {
constexpr uint16_t sixtyFour = 0x800; // offsets in units of 64 elements
}

/// ds_wrxchg2: two places each get a value; the old ones come back.
template <unsigned size> static void exchange2(Engine &engine, Wave &wave, const Inst &inst) {
  constexpr unsigned dwords = size / 4;
  unsigned unit = size * (inst.op->param & sixtyFour ? 64 : 1);
  u64 exec = wave.exec(), undefined[2] = {0, 0};
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    u32 base = wave.v[inst.src[0].reg][lane], data[2][2], old[2][2];
    bool defined[2];
    for (unsigned part = 0; part < 2; ++part)
      defined[part] = gather(wave, inst.src[1 + part], lane, dwords, data[part]);
    for (unsigned part = 0; part < 2; ++part) { // both are read before either is written
      u32 address = base + u32(part ? inst.offset1 : inst.offset) * unit;
      if (!readLds(engine, wave, inst, lane, address, size, old[part]))
        undefined[part] |= u64(1) << lane;
    }
    for (unsigned part = 0; part < 2; ++part) {
      u32 address = base + u32(part ? inst.offset1 : inst.offset) * unit;
      writeLds(engine, wave, inst, lane, address, size, data[part], defined[part]);
      for (unsigned i = 0; i < dwords; ++i)
        wave.v[inst.dst.reg + part * dwords + i][lane] = old[part][i];
    }
  }
  for (unsigned part = 0; part < 2; ++part)
    markUndefined(wave, inst.dst.reg + part * dwords, dwords, undefined[part]);
}

/// Two dwords, each replaced by the datum without its top bit if that bit is set.
static void conditionalExchange(Engine &engine, Wave &wave, const Inst &inst) {
  u64 exec = wave.exec();
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    u32 base = (wave.v[inst.src[0].reg][lane] + u32(inst.offset)) & 0xfff8;
    for (unsigned i = 0; i < 2; ++i) {
      u32 datum = wave.v[inst.src[1].reg + i][lane], old;
      readLds(engine, wave, inst, lane, base + 4 * i, 4, &old);
      if (datum >> 31) {
        datum &= 0x7fffffff;
        writeLds(engine, wave, inst, lane, base + 4 * i, 4, &datum, true);
      }
      wave.v[inst.dst.reg + i][lane] = old;
    }
  }
}

/// ds_append, ds_consume: a counter moves by the number of active lanes; all of them get its old value.
static void count(Engine &engine, Wave &wave, const Inst &inst) {
  u64 exec = wave.exec();
  u32 address = (wave.s[M0] & 0x1ffff) + u32(inst.offset), old = 0, lanes = popcount(exec);
  unsigned first = exec ? countr_zero(exec) : 0;
  readLds(engine, wave, inst, first, address, 4, &old);
  u32 value = inst.op->param ? old + lanes : old - lanes;
  writeLds(engine, wave, inst, first, address, 4, &value, true);
  for (unsigned lane = 0; lane < 64; ++lane)
    if (exec >> lane & 1)
      wave.v[inst.dst.reg][lane] = old;
}

static u32 addressByLane(const Wave &wave, const Inst &inst, unsigned lane) {
  return (wave.s[M0] & 0xffff) + u32(inst.offset) + 4 * lane;
}
static void readByLane(Engine &engine, Wave &wave, const Inst &inst) {
  u64 undefined = 0;
  for (unsigned lane = 0; lane < 64; ++lane)
    if ((wave.exec() >> lane & 1) &&
        !readLds(engine, wave, inst, lane, addressByLane(wave, inst, lane), 4, &wave.v[inst.dst.reg][lane]))
      undefined |= u64(1) << lane;
  markUndefined(wave, inst.dst.reg, 1, undefined);
}
static void writeByLane(Engine &engine, Wave &wave, const Inst &inst) {
  for (unsigned lane = 0; lane < 64; ++lane)
    if (wave.exec() >> lane & 1)
      writeLds(engine, wave, inst, lane, addressByLane(wave, inst, lane), 4, &wave.v[inst.src[0].reg][lane],
               wave.vs[inst.src[0].reg].valid >> lane & 1);
}

ArrayRef<OpEntry> lowp::sim::dsExchangeOps() {
  static constexpr Unit Rd = Unit::DsRead;
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"ds_wrxchg2_rtn_b32", exchange2<4>, Rd, 1, R, 0, 0},
      {"ds_wrxchg2_rtn_b64", exchange2<8>, Rd, 1, R, 0, 0},
      {"ds_wrxchg2st64_rtn_b32", exchange2<4>, Rd, 1, R, 0, sixtyFour},
      {"ds_wrxchg2st64_rtn_b64", exchange2<8>, Rd, 1, R, 0, sixtyFour},
      {"ds_condxchg32_rtn_b64", conditionalExchange, Rd, 1, R},
      {"ds_append", count, Rd, 1, R, 0, 1},
      {"ds_consume", count, Rd, 1, R, 0, 0},
      {"ds_read_addtid_b32", readByLane, Rd, 1, R},
      {"ds_write_addtid_b32", writeByLane, Unit::DsWrite, 0, R},
  };
  return table;
}
