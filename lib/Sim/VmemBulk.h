// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global loads and stores of a whole wave at once, for the common case: all lanes active, whole dwords, all
// of them in one buffer that may be accessed so. Otherwise the lane by lane path does the work and finds out
// what is wrong.
#ifndef LOWP_LIB_SIM_VMEMBULK_H
#define LOWP_LIB_SIM_VMEMBULK_H

#include "LaneData.h"
#include "VectorMemory.h"

namespace lowp::sim {

/// What is known of the addresses of an instruction.
inline GlobalPattern &patternOf(Engine &engine, const Inst &inst, const uint64_t *addresses, unsigned size) {
  if (engine.globalPatterns.empty())
    engine.globalPatterns.resize(engine.program.insts.size());
  std::unique_ptr<GlobalPattern> &pattern = engine.globalPatterns[engine.indexOf(inst)];
  if (!pattern)
    pattern = std::make_unique<GlobalPattern>();
  if (!pattern->matches(addresses))
    pattern->set(addresses, size);
  return *pattern;
}

/// The buffer that holds every access, or null.
inline const Region *commonRegion(Engine &engine, Wave &wave, const GlobalPattern &pattern, uint64_t base) {
  return lookUp(engine, wave, base + uint64_t(pattern.low), pattern.span());
}

inline void countTraffic(Engine &engine, const Region &region, GlobalPattern &pattern,
                         const uint64_t *addresses, unsigned size, bool write) {
  TrafficCounter &traffic = engine.traffic;
  uint8_t &lines = pattern.lines[addresses[0] % GlobalPattern::lineBytes];
  if (lines && !traffic.log)
    return traffic.addAll(64 * size, lines, region.index, !write, write);
  uint64_t before = traffic.linesOfInstruction();
  for (GlobalPattern::Run run : pattern.runs)
    traffic.add(addresses[run.lane], run.count * size, region.index, !write, write);
  lines = uint8_t(traffic.linesOfInstruction() - before);
}

/// Memory to registers, by as few and large copies as the addresses allow.
template <unsigned dwords>
inline void loadRows(const Region &region, const GlobalPattern &pattern, const uint64_t *addresses,
                     uint32_t (*rows)[64]) {
  if constexpr (dwords > 1)
    return lanesToRows<dwords>([&](unsigned lane) { return region.at(addresses[lane]); }, rows);
  for (GlobalPattern::Run run : pattern.runs)
    std::memcpy(rows[0] + run.lane, region.at(addresses[run.lane]), 4 * run.count);
}

/// Whether a wave of the workgroup has stores under way that others must not rely on.
inline bool anyStoresOpen(const Engine &engine) {
  for (const Wave *wave : engine.waves)
    if (wave->lastStore > wave->vmDone || wave->lastStore > wave->vmDoneAtBarrier)
      return true;
  return false;
}

/// Notes what the lanes store, for the checks: `data` has it lane by lane.
inline void trackStores(Engine &engine, Wave &wave, const Inst &inst, const GlobalPattern &pattern,
                        const uint64_t *addresses, const uint32_t *data, unsigned size) {
  uint64_t low = addresses[0] + uint64_t(pattern.low);
  if (!wave.stores.empty())
    wave.stores[wave.vmIssued & 63].addAll(addresses, size, low, low + pattern.span());
  if (!engine.storeLog)
    return;
  uint32_t index = engine.indexOf(inst);
  for (GlobalPattern::Run run : pattern.runs)
    engine.storeLog->add(addresses[run.lane], data + run.lane * (size / 4), run.count * size, index,
                         engine.linearWorkgroup, uint8_t(wave.id), run.lane);
}

/// Loads whole dwords into registers; false when the case is not the common one.
template <unsigned dwords>
inline bool loadBulkOf(Engine &engine, Wave &wave, const Inst &inst, const uint64_t *addresses) {
  GlobalPattern &pattern = patternOf(engine, inst, addresses, 4 * dwords);
  const Region *region = commonRegion(engine, wave, pattern, addresses[0]);
  if (!region || region->shadow || (region->writable && anyStoresOpen(engine)))
    return false;
  countTraffic(engine, *region, pattern, addresses, 4 * dwords, /*write=*/false);
  loadRows<dwords>(*region, pattern, addresses, wave.v + inst.dst.reg);
  return true;
}

/// Stores registers from `reg` on.
template <unsigned dwords>
inline bool storeBulkOf(Engine &engine, Wave &wave, const Inst &inst, unsigned reg,
                        const uint64_t *addresses) {
  constexpr unsigned size = 4 * dwords;
  GlobalPattern &pattern = patternOf(engine, inst, addresses, size);
  const Region *region = commonRegion(engine, wave, pattern, addresses[0]);
  if (!region || !region->writable || engine.watchStores)
    return false;
  uint32_t room[64][dwords];
  const uint32_t *data = wave.v[reg];
  if constexpr (dwords > 1) {
    rowsToLanes<dwords>(wave.v + reg, [&](unsigned lane) { return room[lane]; });
    data = room[0];
  }
  trackStores(engine, wave, inst, pattern, addresses, data, size);
  countTraffic(engine, *region, pattern, addresses, size, /*write=*/true);
  for (GlobalPattern::Run run : pattern.runs) {
    std::memcpy(region->at(addresses[run.lane]), data + run.lane * dwords, run.count * size);
    region->markInitialised(addresses[run.lane], run.count * size);
  }
  return true;
}

inline bool loadBulk(Engine &engine, Wave &wave, const Inst &inst, const uint64_t *addresses, unsigned size) {
  switch (size) {
  case 4:
    return loadBulkOf<1>(engine, wave, inst, addresses);
  case 8:
    return loadBulkOf<2>(engine, wave, inst, addresses);
  case 12:
    return loadBulkOf<3>(engine, wave, inst, addresses);
  default:
    return loadBulkOf<4>(engine, wave, inst, addresses);
  }
}

inline bool storeBulk(Engine &engine, Wave &wave, const Inst &inst, unsigned reg, const uint64_t *addresses,
                      unsigned size) {
  switch (size) {
  case 4:
    return storeBulkOf<1>(engine, wave, inst, reg, addresses);
  case 8:
    return storeBulkOf<2>(engine, wave, inst, reg, addresses);
  case 12:
    return storeBulkOf<3>(engine, wave, inst, reg, addresses);
  default:
    return storeBulkOf<4>(engine, wave, inst, reg, addresses);
  }
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_VMEMBULK_H
