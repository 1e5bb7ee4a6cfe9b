// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of global memory for one lane, with their checks. What fails is a finding; a load then
// gives zero and a store is dropped.
#ifndef LOWP_LIB_SIM_MEMACCESS_H
#define LOWP_LIB_SIM_MEMACCESS_H

#include "Engine.h"

namespace lowp::sim {

inline const Region *lookUp(Engine &engine, Wave &wave, uint64_t address, uint64_t size) {
  if (wave.lastRegion && wave.lastRegion->contains(address, size))
    return wave.lastRegion;
  const Region *region = engine.memory.find(address, size);
  if (region)
    wave.lastRegion = region;
  return region;
}

/// Null after a finding.
inline uint8_t *accessGlobal(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint64_t address,
                             unsigned size, bool write, const Region *&region) {
  region = lookUp(engine, wave, address, size);
  if (!region) {
    engine.report(FindingKind::OutOfBounds, wave, inst, uint64_t(1) << lane, [&] {
      return std::string(write ? "stores " : "loads ") + std::to_string(size) +
             " bytes outside every buffer: " + engine.memory.describe(address, size);
    });
    return nullptr;
  }
  if (write && !region->writable) {
    engine.report(FindingKind::ReadOnlyStore, wave, inst, uint64_t(1) << lane, [&] {
      return "stores into '" + region->name +
             "', which is read only: " + engine.memory.describe(address, size);
    });
    return nullptr;
  }
  engine.traffic.add(address, size, region->index, !write || inst.op->unit == Unit::Atomic, write);
  return region->at(address);
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_MEMACCESS_H
