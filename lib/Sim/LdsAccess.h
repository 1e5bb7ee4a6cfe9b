// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes of LDS for one lane, with their checks. Beyond the allocation reads give zero and writes
// are dropped.
#ifndef LOWP_LIB_SIM_LDSACCESS_H
#define LOWP_LIB_SIM_LDSACCESS_H

#include "Engine.h"

namespace lowp::sim {

inline __attribute__((noinline)) bool ldsInBounds(Engine &engine, Wave &wave, const Inst &inst, unsigned lane,
                                                  uint32_t address, unsigned size) {
  if (engine.lds.fits(address, size))
    return true;
  engine.report(FindingKind::LdsOutOfBounds, wave, inst, uint64_t(1) << lane, [&] {
    return "accesses LDS bytes " + std::to_string(address) + " to " +
           std::to_string(uint64_t(address) + size - 1) + " of an allocation of " +
           std::to_string(engine.lds.size());
  });
  return false;
}

/// Plain reads and writes may lie anywhere: the runtime sets the unaligned mode, and LLVM emits ds_read_b128
/// and the like for any alignment. Transposing reads and atomic updates want multiples of their size.
inline void checkLdsAlignment(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t address,
                              unsigned size) {
  unsigned need = size == 12 ? 4 : size;
  if (address % need == 0)
    return;
  engine.report(FindingKind::Misaligned, wave, inst, uint64_t(1) << lane, [&] {
    return "LDS address " + std::to_string(address) + " of a " + std::to_string(size) +
           "-byte access is not a multiple of " + std::to_string(need);
  });
}

/// Reads `size` bytes of one lane into `to`; returns whether they are defined.
inline __attribute__((always_inline)) bool readLds(Engine &engine, Wave &wave, const Inst &inst,
                                                   unsigned lane, uint32_t address, unsigned size, void *to) {
  if (!engine.lds.fits(address, size)) {
    ldsInBounds(engine, wave, inst, lane, address, size);
    std::memset(to, 0, size);
    return true;
  }
  std::memcpy(to, engine.lds.at(address), size);
  if (!engine.checking())
    return true;
  return checkLdsRead(engine, wave, inst, lane, address, size);
}

inline __attribute__((always_inline)) void writeLds(Engine &engine, Wave &wave, const Inst &inst,
                                                    unsigned lane, uint32_t address, unsigned size,
                                                    const void *from, bool defined) {
  if (!engine.lds.fits(address, size)) {
    ldsInBounds(engine, wave, inst, lane, address, size);
    return;
  }
  if (engine.checking()) {
    checkLdsWrite(engine, wave, inst, lane, address, size, defined);
  }
  std::memcpy(engine.lds.at(address), from, size);
}

inline void markUndefined(Wave &wave, unsigned reg, unsigned count, uint64_t lanes) {
  for (unsigned i = 0; i < count; ++i)
    wave.vs[reg + i].valid &= ~lanes;
}

/// Dwords of one lane of a data operand, and whether all of them hold defined values.
inline bool gather(const Wave &wave, const Operand &data, unsigned lane, unsigned dwords, uint32_t *to) {
  bool defined = true;
  for (unsigned i = 0; i < dwords; ++i) {
    to[i] = data.isVgpr() ? wave.v[data.reg + i][lane] : uint32_t(data.imm);
    defined &= !data.isVgpr() || (wave.vs[data.reg + i].valid >> lane & 1);
  }
  return defined;
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_LDSACCESS_H
