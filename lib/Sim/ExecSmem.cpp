// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar memory loads, stores and atomics. A dword whose first byte lies in a buffer may reach past its end:
// compilers load the dword around a narrower value, and scalar memory is read in dwords. Scratch forms
// address memory like the others, by a base that the kernel has. CDNA3 ISA manual section 8.

#include "AtomicOps.h"
#include "OpTable.h"
#include "ScalarMemory.h"

using namespace llvm;
using namespace lowp::sim;

static void loadDword(Engine &engine, Wave &wave, const Inst &inst, uint64_t address, unsigned reg) {
  wave.s[reg] = 0;
  const Region *region = lookUp(engine, wave, address, 1);
  if (!region) {
    engine.report(FindingKind::OutOfBounds, wave, inst, wave.exec(), [&] {
      return "loads 4 bytes outside every buffer: " + engine.memory.describe(address, 4);
    });
    return;
  }
  unsigned size = std::min<uint64_t>(4, region->end - address);
  std::memcpy(&wave.s[reg], region->at(address), size);
  engine.traffic.add(address, size, region->index, /*read=*/true, /*write=*/false);
  if (engine.checking() && !region->anyInitialised(address, size))
    wave.ss[reg].valid = false;
}

static void load(Engine &engine, Wave &wave, const Inst &inst) {
  ScalarAddress place(wave, inst, 0);
  if (place.misaligned)
    engine.report(FindingKind::Misaligned, wave, inst, wave.exec(), [] {
      return "the address of a scalar load is not a multiple of 4; the hardware drops its low bits";
    });
  for (unsigned i = 0; i < (inst.op->param & 0xff); ++i) {
    if (place.inRange(i)) {
      loadDword(engine, wave, inst, place.address + 4 * i, inst.dst.reg + i);
      continue;
    }
    wave.s[inst.dst.reg + i] = 0;
    ++engine.maskedBufferLanes;
  }
}

static void store(Engine &engine, Wave &wave, const Inst &inst) {
  ScalarAddress place(wave, inst, 1);
  for (unsigned i = 0; i < (inst.op->param & 0xff); ++i) {
    if (!place.inRange(i)) {
      ++engine.maskedBufferLanes;
      continue;
    }
    const Region *region;
    uint64_t address = place.address + 4 * i;
    if (uint8_t *to = accessGlobal(engine, wave, inst, 0, address, 4, true, region)) {
      std::memcpy(to, &wave.s[inst.src[0].reg + i], 4);
      region->markInitialised(address, 4);
    }
  }
}

/// The old value replaces the data with glc. cmpswap: the new value, then the one to compare with.
static void atomic(Engine &engine, Wave &wave, const Inst &inst) {
  ScalarAddress place(wave, inst, 1);
  Atomic kind = atomicOf(inst.op->param);
  bool is64 = inst.op->param & atomicWide;
  unsigned reg = inst.src[0].reg, dwords = is64 ? 2 : 1;
  auto value = [&](unsigned at) { return is64 ? wave.pair(at) : wave.s[at]; };
  if (!place.inRange(dwords - 1)) {
    ++engine.maskedBufferLanes;
    return;
  }
  std::lock_guard<std::mutex> hold(engine.memory.atomics);
  const Region *region;
  uint8_t *at = accessGlobal(engine, wave, inst, 0, place.address, 4 * dwords, true, region);
  if (!at)
    return;
  uint64_t second = kind == Atomic::CmpSwap ? value(reg + dwords) : 0;
  uint64_t old = updateAtomic(at, kind, is64, value(reg), second, flushOfMemory);
  engine.memoryChanged |= std::memcmp(at, &old, 4 * dwords) != 0;
  region->markInitialised(place.address, 4 * dwords);
  if (!inst.sc0)
    return;
  wave.s[reg] = uint32_t(old);
  if (is64)
    wave.s[reg + 1] = uint32_t(old >> 32);
}

/// Engine clocks, four to an issue slot; the real-time counter runs at 100 MHz, here a twenty-first of that.
/// Without checks nobody counts the slots: then time goes on as it is read, so that a wait for it ends.
static void time(Engine &engine, Wave &wave, const Inst &inst) {
  if (!engine.checking())
    wave.clock += 16;
  uint64_t clocks = uint64_t(wave.clock) * 4;
  wave.setPair(inst.dst.reg, inst.op->param ? clocks / 21 : clocks);
}

ArrayRef<OpEntry> lowp::sim::smemOps() {
  struct TableMaker : OpTable {
    void add(const std::string &name, Handler handler, uint8_t dsts, uint32_t flags, uint16_t param) {
      OpTable::add(name, {nullptr, handler, Unit::Smem, dsts, Undefined::Report, flags, param});
    }
  };
  static const TableMaker table = [] {
    TableMaker maker;
    struct Space {
      const char *prefix;
      ScalarSpace space;
    };
    for (const Space &space :
         {Space{"s_", ScalarGlobal}, Space{"s_buffer_", ScalarBuffer}, Space{"s_scratch_", ScalarScratch}}) {
      std::string prefix = space.prefix;
      for (unsigned count : {1, 2, 4, 8, 16}) {
        std::string width = count == 1 ? "dword" : "dwordx" + std::to_string(count);
        if (count <= 4 || space.space != ScalarScratch)
          maker.add(prefix + "load_" + width, load, 1, 0, count | space.space);
        if (count <= 4)
          maker.add(prefix + "store_" + width, store, 0, 0, count | space.space);
      }
      if (space.space == ScalarScratch)
        continue;
      for (const NamedAtomic &op : integerAtomics())
        for (bool wide : {false, true})
          maker.add(prefix + "atomic_" + op.name + (wide ? "_x2" : ""), atomic, 0, ReturnsToData,
                    uint16_t(op.kind) | (wide ? atomicWide : 0) | space.space);
    }
    maker.add("s_memtime", time, 1, 0, 0);
    maker.add("s_memrealtime", time, 1, 0, 1);
    return maker;
  }();
  return table.entries;
}
