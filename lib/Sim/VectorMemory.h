// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What vector loads and stores share, whatever computes their addresses: the forms of narrow values in
// registers, and moving one lane's data with all checks.
#ifndef LOWP_LIB_SIM_VECTORMEMORY_H
#define LOWP_LIB_SIM_VECTORMEMORY_H

#include "Buffers.h"
#include "MemAccess.h"

namespace lowp::sim {

/// In a table's param, beside the size in bytes in the low byte.
enum VmemForm : uint16_t { VmemSigned = 0x100, VmemLow = 0x200, VmemHigh = 0x400, VmemLds = 0x800 };
inline unsigned vmemSize(const Inst &inst) { return inst.op->param & 0xff; }

/// The data of 64 lanes on their way to registers.
struct LoadedLanes {
  uint32_t data[64][4];
  uint64_t undefined[4] = {0, 0, 0, 0}; ///< lanes, by dword

  void zero(unsigned lane) { std::memset(data[lane], 0, sizeof(data[lane])); }
};

/// Bytes that nobody wrote become poison: the pages behind them may never have been touched.
void poisonUnwritten(Engine &engine, const Region &region, unsigned lane, uint64_t address, unsigned size,
                     LoadedLanes &to);

/// Reads one lane's bytes at a global address; zero when that is no good.
inline void loadLane(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint64_t address,
                     unsigned size, LoadedLanes &to) {
  const Region *region;
  to.data[lane][0] = 0;
  const uint8_t *from = accessGlobal(engine, wave, inst, lane, address, size, false, region);
  if (!from)
    return to.zero(lane);
  std::memcpy(to.data[lane], from, size);
  if (LLVM_UNLIKELY(region->writable) && engine.waves.size() > 1 && engine.checking())
    checkStoresInFlight(engine, wave, inst, lane, address, size);
  if (region->shadow)
    poisonUnwritten(engine, *region, lane, address, size, to);
}

inline void storeLane(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint64_t address,
                      unsigned size, const uint32_t *data) {
  const Region *region;
  uint8_t *to = accessGlobal(engine, wave, inst, lane, address, size, true, region);
  if (!to)
    return;
  if (LLVM_UNLIKELY(engine.watchStores))
    engine.memoryChanged |= std::memcmp(to, data, size) != 0;
  if (!wave.stores.empty() && inst.op->unit == Unit::VmemStore)
    wave.stores[wave.vmIssued & 63].add(lane, address, size);
  if (engine.storeLog)
    engine.storeLog->add(address, data, size, engine.indexOf(inst), engine.linearWorkgroup, uint8_t(wave.id),
                         uint8_t(lane));
  std::memcpy(to, data, size);
  region->markInitialised(address, size);
}

/// Puts loaded lanes into the destination registers, extended or merged as the instruction's form says.
void landInRegisters(Wave &wave, const Inst &inst, const LoadedLanes &loaded);
/// One lane's data of a store.
void gatherData(const Wave &wave, const Inst &inst, const Operand &data, unsigned lane, uint32_t *to);
/// Sends loaded lanes to LDS, where M0 and the instruction's offset point.
void landInLds(Engine &engine, Wave &wave, const Inst &inst, const LoadedLanes &loaded);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_VECTORMEMORY_H
