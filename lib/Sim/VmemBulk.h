// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global loads and stores of a whole wave at once, for the common case: all lanes active, whole dwords, all
// of them in one buffer that may be accessed so. Otherwise the lane by lane path does the work and finds out
// what is wrong.
#ifndef LOWP_LIB_SIM_VMEMBULK_H
#define LOWP_LIB_SIM_VMEMBULK_H

#include "VectorMemory.h"

namespace lowp::sim {

/// The buffer that holds every access, or null.
inline const Region *commonRegion(Engine &engine, Wave &wave, const uint64_t *addresses, unsigned size) {
  uint64_t least = addresses[0], largest = addresses[0];
  for (unsigned lane = 1; lane < 64; ++lane) {
    least = addresses[lane] < least ? addresses[lane] : least;
    largest = addresses[lane] > largest ? addresses[lane] : largest;
  }
  if (largest - least >= bufferSpacing)
    return nullptr;
  return lookUp(engine, wave, least, largest - least + size);
}

/// Counts the traffic of all lanes; those that follow each other count as one stretch.
inline void countTraffic(Engine &engine, const Region &region, const uint64_t *addresses, unsigned size,
                         bool write) {
  for (unsigned lane = 0; lane < 64;) {
    unsigned next = lane + 1;
    while (next < 64 && addresses[next] == addresses[next - 1] + size)
      ++next;
    engine.traffic.add(addresses[lane], (next - lane) * size, region.index, !write, write);
    lane = next;
  }
}

template <unsigned dwords>
inline void loadRows(const Region &region, const uint64_t *addresses, uint32_t (*rows)[64]) {
  for (unsigned lane = 0; lane < 64; ++lane) {
    uint32_t data[dwords];
    std::memcpy(data, region.at(addresses[lane]), sizeof(data));
    for (unsigned i = 0; i < dwords; ++i)
      rows[i][lane] = data[i];
  }
}

template <unsigned dwords>
inline void storeRows(const Region &region, const uint64_t *addresses, const uint32_t (*rows)[64]) {
  for (unsigned lane = 0; lane < 64; ++lane) {
    uint32_t data[dwords];
    for (unsigned i = 0; i < dwords; ++i)
      data[i] = rows[i][lane];
    std::memcpy(region.at(addresses[lane]), data, sizeof(data));
    if (region.shadow)
      std::memset(region.shadow + (addresses[lane] - region.base), 1, sizeof(data));
  }
}

/// Whether a wave of the workgroup has stores under way that others must not rely on.
inline bool anyStoresOpen(const Engine &engine) {
  for (const Wave *wave : engine.waves)
    if (wave->lastStore > wave->vmDone || wave->lastStore > wave->vmDoneAtBarrier)
      return true;
  return false;
}

/// Notes what the lanes store, for the checks.
inline void trackStores(Engine &engine, Wave &wave, const Inst &inst, const uint64_t *addresses, unsigned reg,
                        unsigned size) {
  if (!wave.stores.empty())
    for (unsigned lane = 0; lane < 64; ++lane)
      wave.stores[wave.vmIssued & 63].add(lane, addresses[lane], size);
  if (!engine.storeLog)
    return;
  uint32_t index = engine.indexOf(inst);
  for (unsigned lane = 0; lane < 64; ++lane) {
    uint32_t data[4];
    for (unsigned i = 0; i < size / 4; ++i)
      data[i] = wave.v[reg + i][lane];
    engine.storeLog->add(addresses[lane], data, size, index, engine.linearWorkgroup, uint8_t(wave.id),
                         uint8_t(lane));
  }
}

/// Loads whole dwords into registers; false when the case is not the common one.
inline bool loadBulk(Engine &engine, Wave &wave, const Inst &inst, const uint64_t *addresses, unsigned size) {
  const Region *region = commonRegion(engine, wave, addresses, size);
  if (!region || region->shadow || (region->writable && anyStoresOpen(engine)))
    return false;
  countTraffic(engine, *region, addresses, size, false);
  uint32_t (*rows)[64] = wave.v + inst.dst.reg;
  switch (size) {
  case 4:
    loadRows<1>(*region, addresses, rows);
    break;
  case 8:
    loadRows<2>(*region, addresses, rows);
    break;
  case 12:
    loadRows<3>(*region, addresses, rows);
    break;
  default:
    loadRows<4>(*region, addresses, rows);
  }
  return true;
}

/// Stores registers from `reg` on.
inline bool storeBulk(Engine &engine, Wave &wave, const Inst &inst, unsigned reg, const uint64_t *addresses,
                      unsigned size) {
  const Region *region = commonRegion(engine, wave, addresses, size);
  if (!region || !region->writable || engine.watchStores)
    return false;
  trackStores(engine, wave, inst, addresses, reg, size);
  countTraffic(engine, *region, addresses, size, true);
  const uint32_t (*rows)[64] = wave.v + reg;
  switch (size) {
  case 4:
    storeRows<1>(*region, addresses, rows);
    break;
  case 8:
    storeRows<2>(*region, addresses, rows);
    break;
  case 12:
    storeRows<3>(*region, addresses, rows);
    break;
  default:
    storeRows<4>(*region, addresses, rows);
  }
  return true;
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_VMEMBULK_H
