// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on global memory and LDS. Those on global memory hold one lock per instruction, so that
// workgroups on several host threads see them whole. CDNA3 ISA manual sections 9.1, 10 and 11.

#include "AtomicOps.h"
#include "BufferAddresses.h"
#include "LdsAccess.h"
#include "MemAccess.h"
#include "OpTable.h"
#include "PrivateMemory.h"

using namespace llvm;
using namespace lowp::sim;

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

namespace {

u64 laneData(const Wave &wave, unsigned reg, unsigned lane, bool is64) {
  u64 low = wave.v[reg][lane];
  return is64 ? low | u64(wave.v[reg + 1][lane]) << 32 : low;
}

void setResult(Wave &wave, const Operand &dst, unsigned lane, u64 old, bool is64) {
  wave.v[dst.reg][lane] = u32(old);
  if (is64)
    wave.v[dst.reg + 1][lane] = u32(old >> 32);
}

/// What one lane of an instruction brings. cmpswap: the new value, then the one to compare with.
struct LaneOperands {
  u64 value, second;
  LaneOperands(const Wave &wave, const Operand &data, unsigned lane, Atomic kind, bool is64)
      : value(laneData(wave, data.reg, lane, is64)),
        second(kind == Atomic::CmpSwap ? laneData(wave, data.reg + (is64 ? 2 : 1), lane, is64) : 0) {}
};

/// One lane's update of global memory. False after a finding.
bool updateGlobal(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, u64 at,
                  const LaneOperands &operands, u64 &old) {
  bool is64 = inst.op->param & atomicWide;
  const Region *region;
  uint8_t *host = accessGlobal(engine, wave, inst, lane, at, is64 ? 8 : 4, true, region);
  if (!host)
    return false;
  if (engine.checking() && at % (is64 ? 8 : 4))
    engine.report(FindingKind::Misaligned, wave, inst, u64(1) << lane, [&] {
      return "updates " + std::to_string(is64 ? 8 : 4) +
             " bytes atomically that are not aligned: " + engine.memory.describe(at, is64 ? 8 : 4);
    });
  old = updateAtomic(host, atomicOf(inst.op->param), is64, operands.value, operands.second, flushOfMemory);
  engine.memoryChanged |= std::memcmp(host, &old, is64 ? 8 : 4) != 0;
  region->markInitialised(at, is64 ? 8 : 4);
  return true;
}

/// One lane's update of LDS, where floats are flushed as MODE says.
bool updateLds(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, u32 address, u64 value,
               u64 second, u64 &old) {
  bool is64 = inst.op->param & atomicWide;
  if (!ldsInBounds(engine, wave, inst, lane, address, is64 ? 8 : 4))
    return false;
  // Atomics of several waves on one dword are no race among themselves; the value must have been set before.
  if (engine.checking()) {
    checkLdsAlignment(engine, wave, inst, lane, address, is64 ? 8 : 4);
    checkLdsAtomic(engine, wave, inst, lane, address, is64 ? 8 : 4);
    if (!engine.lds.initialised(engine.lds.cell(address), 15))
      engine.report(FindingKind::UninitialisedMemory, wave, inst, u64(1) << lane, [&] {
        return "updates LDS byte " + std::to_string(address) + ", which was never written";
      });
  }
  AtomicFlush flush = {wave.flushF32, wave.flushF32Out, wave.flushF16, wave.flushF16Out, wave.flushF16};
  old = updateAtomic(engine.lds.at(address), atomicOf(inst.op->param), is64, value, second, flush);
  return true;
}

void globalAtomic(Engine &engine, Wave &wave, const Inst &inst) {
  const Operand &vector = inst.src[0], &scalar = inst.src[2];
  Atomic kind = atomicOf(inst.op->param);
  bool is64 = inst.op->param & atomicWide;
  std::lock_guard<std::mutex> hold(engine.memory.atomics);
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(wave.exec() >> lane & 1))
      continue;
    u64 at = u64(i64(inst.offset)), old;
    if (scalar.isSgpr())
      at += wave.pair(scalar.reg) + wave.v[vector.reg][lane];
    else
      at += laneData(wave, vector.reg, lane, true);
    if (updateGlobal(engine, wave, inst, lane, at, {wave, inst.src[1], lane, kind, is64}, old) && inst.sc0)
      setResult(wave, inst.dst, lane, old, is64);
  }
}

/// By the upper half of the address, LDS or the work-item's private memory instead.
void flatAtomic(Engine &engine, Wave &wave, const Inst &inst) {
  Atomic kind = atomicOf(inst.op->param);
  bool is64 = inst.op->param & atomicWide;
  std::lock_guard<std::mutex> hold(engine.memory.atomics);
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(wave.exec() >> lane & 1))
      continue;
    u64 at = laneData(wave, inst.src[0].reg, lane, true) + u64(i64(inst.offset)), old = 0;
    LaneOperands operands(wave, inst.src[1], lane, kind, is64);
    bool done;
    if (inAperture(at, privateAperture)) {
      uint8_t *shadow, *host = privateAt(engine, wave, inst, lane, u32(at), is64 ? 8 : 4, shadow);
      done = host;
      if (done) {
        old = updateAtomic(host, kind, is64, operands.value, operands.second, flushOfMemory);
        std::memset(shadow, 1, is64 ? 8 : 4);
      }
    } else if (inAperture(at, sharedAperture)) {
      done = updateLds(engine, wave, inst, lane, u32(at), operands.value, operands.second, old);
    } else {
      done = updateGlobal(engine, wave, inst, lane, at, operands, old);
    }
    if (done && inst.sc0)
      setResult(wave, inst.dst, lane, old, is64);
  }
}

void bufferAtomic(Engine &engine, Wave &wave, const Inst &inst) {
  BufferAddresses addresses(wave, inst, 1);
  Atomic kind = atomicOf(inst.op->param);
  bool is64 = inst.op->param & atomicWide;
  std::lock_guard<std::mutex> hold(engine.memory.atomics);
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(wave.exec() >> lane & 1))
      continue;
    BufferAddresses::Place place = addresses.of(lane);
    u64 old = 0;
    if (!addresses.inRange(place, 0, is64 ? 8 : 4)) {
      ++engine.maskedBufferLanes;
      if (inst.sc0) // like a load: zero
        setResult(wave, inst.src[0], lane, 0, is64);
      continue;
    }
    LaneOperands operands(wave, inst.src[0], lane, kind, is64);
    if (updateGlobal(engine, wave, inst, lane, place.address, operands, old) && inst.sc0)
      setResult(wave, inst.src[0], lane, old, is64);
  }
}

bool hasTwoData(Atomic kind) {
  switch (kind) {
  case Atomic::CmpSwap:
  case Atomic::CmpSwapF32:
  case Atomic::CmpSwapF64:
  case Atomic::MskOr:
  case Atomic::Wrap:
    return true;
  default:
    return false;
  }
}

void ldsAtomic(Engine &engine, Wave &wave, const Inst &inst) {
  Atomic kind = atomicOf(inst.op->param);
  bool is64 = inst.op->param & atomicWide, result = inst.op->param & atomicReturns;
  bool compares = hasTwoData(kind) && kind != Atomic::MskOr && kind != Atomic::Wrap;
  uint64_t exec = wave.exec();
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    u32 address = wave.v[inst.src[0].reg][lane] + u32(inst.offset);
    u64 value = laneData(wave, inst.src[1].reg, lane, is64), old;
    u64 second = hasTwoData(kind) ? laneData(wave, inst.src[2].reg, lane, is64) : 0;
    if (compares) // the value to compare with comes first
      std::swap(value, second);
    if (updateLds(engine, wave, inst, lane, address, value, second, old) && result)
      setResult(wave, inst.dst, lane, old, is64);
  }
}

struct TableMaker : OpTable {
  void add(const std::string &name, Handler handler, Unit unit, uint8_t dsts, uint32_t flags,
           uint16_t param) {
    OpTable::add(name, {nullptr, handler, unit, dsts, Undefined::Report, flags, param});
  }
  void addGlobal(const std::string &suffix, Atomic kind, uint16_t width = 0) {
    uint16_t param = uint16_t(kind) | width;
    add("global_atomic_" + suffix, globalAtomic, Unit::Atomic, 1, ResultWithSc0, param);
    add("flat_atomic_" + suffix, flatAtomic, Unit::Flat, 1, ResultWithSc0, param);
    add("buffer_atomic_" + suffix, bufferAtomic, Unit::Atomic, 0, ReturnsToData, param);
  }
  void addDs(const std::string &name, const std::string &type, Atomic kind, uint16_t width = 0) {
    uint16_t param = uint16_t(kind) | width;
    add("ds_" + name + "_" + type, ldsAtomic, Unit::DsWrite, 0, 0, param);
    add("ds_" + name + "_rtn_" + type, ldsAtomic, Unit::DsRead, 1, 0, param | atomicReturns);
  }
};

} // namespace

ArrayRef<OpEntry> lowp::sim::atomicOps() {
  static const TableMaker table = [] {
    TableMaker maker;
    for (const NamedAtomic &op : integerAtomics()) {
      maker.addGlobal(op.name, op.kind);
      maker.addGlobal(std::string(op.name) + "_x2", op.kind, atomicWide);
    }
    maker.addGlobal("add_f32", Atomic::AddF32);
    maker.addGlobal("add_f64", Atomic::AddF64, atomicWide);
    maker.addGlobal("min_f64", Atomic::MinF64, atomicWide);
    maker.addGlobal("max_f64", Atomic::MaxF64, atomicWide);
    maker.addGlobal("pk_add_f16", Atomic::PkAddF16);
    maker.addGlobal("pk_add_bf16", Atomic::PkAddBF16);
    return maker;
  }();
  return table.entries;
}

ArrayRef<OpEntry> lowp::sim::dsAtomicOps() {
  static const TableMaker table = [] {
    TableMaker maker;
    for (bool is64 : {false, true}) {
      uint16_t w = is64 ? atomicWide : 0;
      std::string bits = is64 ? "64" : "32";
      maker.addDs("add", "u" + bits, Atomic::Add, w);
      maker.addDs("sub", "u" + bits, Atomic::Sub, w);
      maker.addDs("rsub", "u" + bits, Atomic::RSub, w);
      maker.addDs("inc", "u" + bits, Atomic::Inc, w);
      maker.addDs("dec", "u" + bits, Atomic::Dec, w);
      maker.addDs("min", "i" + bits, Atomic::SMin, w);
      maker.addDs("max", "i" + bits, Atomic::SMax, w);
      maker.addDs("min", "u" + bits, Atomic::UMin, w);
      maker.addDs("max", "u" + bits, Atomic::UMax, w);
      maker.addDs("and", "b" + bits, Atomic::And, w);
      maker.addDs("or", "b" + bits, Atomic::Or, w);
      maker.addDs("xor", "b" + bits, Atomic::Xor, w);
      maker.addDs("mskor", "b" + bits, Atomic::MskOr, w);
      maker.addDs("cmpst", "b" + bits, Atomic::CmpSwap, w);
      maker.addDs("cmpst", "f" + bits, is64 ? Atomic::CmpSwapF64 : Atomic::CmpSwapF32, w);
      maker.addDs("add", "f" + bits, is64 ? Atomic::AddF64 : Atomic::AddF32, w);
      maker.addDs("min", "f" + bits, is64 ? Atomic::MinF64 : Atomic::MinF32, w);
      maker.addDs("max", "f" + bits, is64 ? Atomic::MaxF64 : Atomic::MaxF32, w);
      maker.add("ds_wrxchg_rtn_b" + bits, ldsAtomic, Unit::DsRead, 1, 0,
                uint16_t(Atomic::Swap) | atomicReturns | w);
    }
    maker.add("ds_wrap_rtn_b32", ldsAtomic, Unit::DsRead, 1, 0, uint16_t(Atomic::Wrap) | atomicReturns);
    maker.addDs("pk_add", "f16", Atomic::PkAddF16);
    maker.addDs("pk_add", "bf16", Atomic::PkAddBF16);
    return maker;
  }();
  return table.entries;
}
