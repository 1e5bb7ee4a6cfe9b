// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private memory of one lane, and which addresses mean it or LDS.
#ifndef LOWP_LIB_SIM_PRIVATEMEMORY_H
#define LOWP_LIB_SIM_PRIVATEMEMORY_H

#include "Engine.h"

namespace lowp::sim {

/// Null after a finding; `shadow` holds one byte per byte that says whether it was written.
inline uint8_t *privateAt(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint64_t address,
                          unsigned size, uint8_t *&shadow) {
  if (address > wave.scratchSize || size > wave.scratchSize - address) {
    engine.report(FindingKind::OutOfBounds, wave, inst, uint64_t(1) << lane, [&] {
      return "accesses private memory at byte " + std::to_string(int32_t(address)) + " of " +
             std::to_string(wave.scratchSize);
    });
    return nullptr;
  }
  shadow = wave.scratchShadow.data() + size_t(lane) * wave.scratchSize + address;
  return wave.scratch.data() + size_t(lane) * wave.scratchSize + address;
}

inline bool inAperture(uint64_t address, uint64_t base) { return address >> 32 == base >> 32; }

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_PRIVATEMEMORY_H
