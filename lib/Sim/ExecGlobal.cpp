// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores by 64-bit addresses: global, flat (which may mean LDS or the work-item's private memory,
// by the upper half of the address), and scratch (private memory by offset). CDNA3 ISA manual section 10.

#include "OpTable.h"
#include "PrivateMemory.h"
#include "VmemBulk.h"

using namespace llvm;
using namespace lowp::sim;

/// A lane's address: 64 bits in a register pair, or a scalar base and a 32-bit offset.
static uint64_t addressOf(const Wave &wave, const Inst &inst, const Operand &scalar, unsigned lane) {
  const Operand &vector = inst.src[0];
  uint64_t offset = uint64_t(int64_t(inst.offset));
  if (scalar.isSgpr())
    return wave.pair(scalar.reg) + wave.v[vector.reg][lane] + offset;
  return (wave.v[vector.reg][lane] | uint64_t(wave.v[vector.reg + 1][lane]) << 32) + offset;
}

static void addressesOf(const Wave &wave, const Inst &inst, const Operand &scalar, uint64_t *addresses) {
  const uint32_t (*rows)[64] = wave.v + inst.src[0].reg;
  uint64_t base = uint64_t(int64_t(inst.offset)) + (scalar.isSgpr() ? wave.pair(scalar.reg) : 0);
  if (scalar.isSgpr())
    for (unsigned lane = 0; lane < 64; ++lane)
      addresses[lane] = base + rows[0][lane];
  else
    for (unsigned lane = 0; lane < 64; ++lane)
      addresses[lane] = base + (rows[0][lane] | uint64_t(rows[1][lane]) << 32);
}

static void load(Engine &engine, Wave &wave, const Inst &inst) {
  unsigned size = vmemSize(inst);
  uint64_t exec = wave.exec();
  if (exec == ~uint64_t(0) && size >= 4 && inst.op->param == size) {
    uint64_t addresses[64];
    addressesOf(wave, inst, inst.src[1], addresses);
    if (loadBulk(engine, wave, inst, addresses, size))
      return;
  }
  LoadedLanes loaded;
  for (unsigned lane = 0; lane < 64; ++lane)
    if (exec >> lane & 1)
      loadLane(engine, wave, inst, lane, addressOf(wave, inst, inst.src[1], lane), size, loaded);
  if (inst.op->param & VmemLds)
    landInLds(engine, wave, inst, loaded);
  else
    landInRegisters(wave, inst, loaded);
}

static void store(Engine &engine, Wave &wave, const Inst &inst) {
  unsigned size = vmemSize(inst);
  uint64_t exec = wave.exec();
  if (exec == ~uint64_t(0) && size >= 4 && inst.op->param == size) {
    uint64_t addresses[64];
    addressesOf(wave, inst, inst.src[2], addresses);
    if (storeBulk(engine, wave, inst, inst.src[1].reg, addresses, size))
      return;
  }
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    uint32_t data[4];
    gatherData(wave, inst, inst.src[1], lane, data);
    storeLane(engine, wave, inst, lane, addressOf(wave, inst, inst.src[2], lane), size, data);
  }
}

// -- private memory
// --------------------------------------------------------------------------------------------------

static void loadPrivate(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint64_t address,
                        unsigned size, LoadedLanes &to) {
  uint8_t *shadow;
  to.data[lane][0] = 0;
  const uint8_t *from = privateAt(engine, wave, inst, lane, address, size, shadow);
  if (!from)
    return to.zero(lane);
  std::memcpy(to.data[lane], from, size);
  for (unsigned i = 0; i * 4 < size; ++i) {
    bool any = false;
    for (unsigned byte = 4 * i; byte < std::min(size, 4 * i + 4); ++byte)
      any |= shadow[byte];
    if (!any)
      to.undefined[i] |= uint64_t(1) << lane;
  }
}

static void storePrivate(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint64_t address,
                         unsigned size, const Operand &source, const uint32_t *data) {
  uint8_t *shadow;
  uint8_t *to = privateAt(engine, wave, inst, lane, address, size, shadow);
  if (!to)
    return;
  std::memcpy(to, data, size);
  for (unsigned i = 0; i * 4 < size; ++i)
    std::memset(shadow + 4 * i, wave.vs[source.reg + i].valid >> lane & 1, std::min(4u, size - 4 * i));
}

static uint64_t scratchAddress(const Wave &wave, const Inst &inst, const Operand &scalar, unsigned lane) {
  uint32_t address = uint32_t(inst.offset);
  if (inst.src[0].isVgpr())
    address += wave.v[inst.src[0].reg][lane];
  if (scalar.isSgpr())
    address += wave.s[scalar.reg];
  return address;
}

static void scratchLoad(Engine &engine, Wave &wave, const Inst &inst) {
  uint64_t exec = wave.exec();
  LoadedLanes loaded;
  for (unsigned lane = 0; lane < 64; ++lane)
    if (exec >> lane & 1)
      loadPrivate(engine, wave, inst, lane, scratchAddress(wave, inst, inst.src[1], lane), vmemSize(inst),
                  loaded);
  if (inst.op->param & VmemLds)
    landInLds(engine, wave, inst, loaded);
  else
    landInRegisters(wave, inst, loaded);
}

static void scratchStore(Engine &engine, Wave &wave, const Inst &inst) {
  uint64_t exec = wave.exec();
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    uint32_t data[4];
    gatherData(wave, inst, inst.src[1], lane, data);
    storePrivate(engine, wave, inst, lane, scratchAddress(wave, inst, inst.src[2], lane), vmemSize(inst),
                 inst.src[1], data);
  }
}

// -- flat
// ------------------------------------------------------------------------------------------------------------

static void flatLoad(Engine &engine, Wave &wave, const Inst &inst) {
  uint64_t exec = wave.exec();
  unsigned size = vmemSize(inst);
  LoadedLanes loaded;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    uint64_t address = addressOf(wave, inst, inst.src[1], lane);
    if (inAperture(address, privateAperture)) {
      loadPrivate(engine, wave, inst, lane, uint32_t(address), size, loaded);
    } else if (inAperture(address, sharedAperture)) {
      loaded.zero(lane);
      if (!engine.lds.fits(uint32_t(address), size))
        engine.report(FindingKind::LdsOutOfBounds, wave, inst, uint64_t(1) << lane,
                      [&] { return "accesses LDS byte " + std::to_string(uint32_t(address)); });
      else {
        std::memcpy(loaded.data[lane], engine.lds.at(uint32_t(address)), size);
        if (engine.checking() && !checkLdsRead(engine, wave, inst, lane, uint32_t(address), size))
          for (uint64_t &lanes : loaded.undefined)
            lanes |= uint64_t(1) << lane;
      }
    } else {
      loadLane(engine, wave, inst, lane, address, size, loaded);
    }
  }
  landInRegisters(wave, inst, loaded);
}

static void flatStore(Engine &engine, Wave &wave, const Inst &inst) {
  uint64_t exec = wave.exec();
  unsigned size = vmemSize(inst);
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    uint32_t data[4];
    gatherData(wave, inst, inst.src[1], lane, data);
    uint64_t address = addressOf(wave, inst, inst.src[2], lane);
    if (inAperture(address, privateAperture)) {
      storePrivate(engine, wave, inst, lane, uint32_t(address), size, inst.src[1], data);
    } else if (inAperture(address, sharedAperture)) {
      if (!engine.lds.fits(uint32_t(address), size)) {
        engine.report(FindingKind::LdsOutOfBounds, wave, inst, uint64_t(1) << lane,
                      [&] { return "accesses LDS byte " + std::to_string(uint32_t(address)); });
        continue;
      }
      if (engine.checking())
        checkLdsWrite(engine, wave, inst, lane, uint32_t(address), size,
                      wave.vs[inst.src[1].reg].valid >> lane & 1);
      std::memcpy(engine.lds.at(uint32_t(address)), data, size);
    } else {
      storeLane(engine, wave, inst, lane, address, size, data);
    }
  }
}

namespace {
/// The widths and forms that global, flat and scratch share.
struct Width {
  const char *name;
  uint16_t param;
};
constexpr Width loads[] = {{"ubyte", 1},
                           {"sbyte", 1 | VmemSigned},
                           {"ushort", 2},
                           {"sshort", 2 | VmemSigned},
                           {"ubyte_d16", 1 | VmemLow},
                           {"ubyte_d16_hi", 1 | VmemHigh},
                           {"sbyte_d16", 1 | VmemSigned | VmemLow},
                           {"sbyte_d16_hi", 1 | VmemSigned | VmemHigh},
                           {"short_d16", 2 | VmemLow},
                           {"short_d16_hi", 2 | VmemHigh},
                           {"dword", 4},
                           {"dwordx2", 8},
                           {"dwordx3", 12},
                           {"dwordx4", 16}};
constexpr Width stores[] = {{"byte", 1},     {"byte_d16_hi", 1 | VmemHigh},
                            {"short", 2},    {"short_d16_hi", 2 | VmemHigh},
                            {"dword", 4},    {"dwordx2", 8},
                            {"dwordx3", 12}, {"dwordx4", 16}};
constexpr Width directLoads[] = {
    {"ubyte", 1}, {"sbyte", 1 | VmemSigned}, {"ushort", 2},  {"sshort", 2 | VmemSigned},
    {"dword", 4}, {"dwordx3", 12},           {"dwordx4", 16}};

struct TableMaker : OpTable {
  void add(const char *prefix, const Width &width, Handler handler, Unit unit, uint8_t dsts,
           Undefined undefined, uint16_t extra = 0) {
    uint16_t flags = width.param & (VmemLow | VmemHigh) ? PartialDst : OpFlags();
    OpTable::add(std::string(prefix) + width.name,
                 {nullptr, handler, unit, dsts, undefined, flags, uint16_t(width.param | extra)});
  }
};
} // namespace

ArrayRef<OpEntry> lowp::sim::globalOps() {
  static const TableMaker table = [] {
    TableMaker maker;
    for (const Width &width : loads) {
      maker.add("global_load_", width, load, Unit::VmemLoad, 1, Undefined::Report);
      maker.add("flat_load_", width, flatLoad, Unit::Flat, 1, Undefined::Report);
      maker.add("scratch_load_", width, scratchLoad, Unit::Scratch, 1, Undefined::Ignore);
    }
    for (const Width &width : stores) {
      maker.add("global_store_", width, store, Unit::VmemStore, 0, Undefined::Report);
      maker.add("flat_store_", width, flatStore, Unit::Flat, 0, Undefined::Report);
      maker.add("scratch_store_", width, scratchStore, Unit::Scratch, 0, Undefined::Ignore);
    }
    for (const Width &width : directLoads) {
      maker.add("global_load_lds_", width, load, Unit::VmemLoad, 0, Undefined::Report, VmemLds);
      if (!StringRef(width.name).starts_with("dwordx")) // from scratch, no chip copies more than a dword
        maker.add("scratch_load_lds_", width, scratchLoad, Unit::Scratch, 0, Undefined::Ignore, VmemLds);
    }
    return maker;
  }();
  return table.entries;
}
