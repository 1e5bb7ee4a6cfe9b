// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LDS accesses of a whole wave at once, for the common case: all lanes active, aligned, inside the
// allocation, and nothing to report. Each function gives false, with nothing changed that the lane by lane
// path would not change, when the case is another one; that path then finds out what is wrong.
#ifndef LOWP_LIB_SIM_LDSBULK_H
#define LOWP_LIB_SIM_LDSBULK_H

#include "Engine.h"
#include "LaneData.h"
#include "llvm/Support/Compiler.h"
#include <cstddef>

namespace lowp::sim {

/// The half of a cell that the loops below look at at once.
struct LdsCellWord {
  static constexpr uint32_t readers = 0xffff, bytes = 0xf00000, pending = 0xff000000;

  static uint32_t load(const LdsCell &cell) {
    uint32_t word;
    std::memcpy(&word, &cell.readers, sizeof(word));
    return word;
  }
  static void store(LdsCell &cell, uint32_t word) { std::memcpy(&cell.readers, &word, sizeof(word)); }
};
static_assert(offsetof(LdsCell, writerAndBytes) == offsetof(LdsCell, readers) + 2 &&
              offsetof(LdsCell, pendingCopies) == offsetof(LdsCell, readers) + 3);

/// Notes the reads of all lanes; false when one of them is a finding or reads something undefined.
template <unsigned dwords>
inline bool noteLdsReads(Engine &engine, const Wave &wave, const LdsPattern &pattern,
                         const uint32_t *addresses) {
  Lds &lds = engine.lds;
  if (LLVM_UNLIKELY(!lds.atomics.empty()))
    return false; // has more to look at
  if (lds.defer(wave.id, pattern, addresses, dwords, /*write=*/false))
    return true;
  lds.touchAll(pattern, addresses, /*change=*/false);
  const uint32_t epoch = lds.epoch, firstEpoch = lds.firstEpoch, bit = 1u << wave.id;
  // Mostly the data come from before the last barrier.
  uint32_t bad = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    LdsCell *cells = &lds.cell(addresses[lane]);
    for (unsigned i = 0; i < dwords; ++i) {
      LdsCell &cell = cells[i];
      uint32_t word = LdsCellWord::load(cell);
      bad |= (word & LdsCellWord::pending) | uint32_t(cell.writeEpoch - firstEpoch >= epoch - firstEpoch) |
             uint32_t((word & LdsCellWord::bytes) == 0);
      word = (cell.readEpoch == epoch ? word : word & ~LdsCellWord::readers) | bit;
      LdsCellWord::store(cell, word);
      cell.readEpoch = epoch;
    }
  }
  if (LLVM_LIKELY(!bad))
    return true;
  bad = 0;
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned i = 0; i < dwords; ++i) {
      const LdsCell &cell = (&lds.cell(addresses[lane]))[i];
      bad |= cell.pendingCopies | uint32_t(cell.writerAndBytes < 16) |
             uint32_t(cell.writeEpoch < firstEpoch) |
             uint32_t(cell.writeEpoch == epoch && (cell.writerAndBytes & 15u) != wave.id);
    }
  return !bad;
}

template <unsigned dwords>
inline void readLdsRows(Lds &lds, const uint32_t *addresses, uint32_t (*rows)[64]) {
  lanesToRows<dwords>([&](unsigned lane) { return lds.at(addresses[lane]); }, rows);
}

/// Notes writes of defined data; false when one of them is a finding.
template <unsigned dwords>
inline bool noteLdsWrites(Engine &engine, const Wave &wave, const LdsPattern &pattern,
                          const uint32_t *addresses) {
  Lds &lds = engine.lds;
  if (LLVM_UNLIKELY(!lds.atomics.empty()))
    return false;
  if (lds.defer(wave.id, pattern, addresses, dwords, /*write=*/true))
    return true;
  const uint32_t epoch = lds.epoch, others = ~(1u << wave.id);
  lds.touchAll(pattern, addresses, /*change=*/true);
  // Mostly nobody has touched these dwords since the last barrier.
  uint32_t bad = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const LdsCell *cells = &lds.cell(addresses[lane]);
    for (unsigned i = 0; i < dwords; ++i)
      bad |= uint32_t(cells[i].writeEpoch == epoch) | uint32_t(cells[i].readEpoch == epoch) |
             cells[i].pendingCopies;
  }
  if (bad) {
    bad = 0;
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned i = 0; i < dwords; ++i) {
        const LdsCell &cell = (&lds.cell(addresses[lane]))[i];
        bad |= cell.pendingCopies |
               uint32_t(cell.writeEpoch == epoch && (cell.writerAndBytes & 15u) != wave.id) |
               uint32_t(cell.readEpoch == epoch && (cell.readers & others));
      }
    if (bad)
      return false;
  }
  for (unsigned lane = 0; lane < 64; ++lane) {
    LdsCell *cells = &lds.cell(addresses[lane]);
    for (unsigned i = 0; i < dwords; ++i) {
      cells[i].writerAndBytes = uint8_t(wave.id | 0xf0);
      cells[i].writeEpoch = epoch;
    }
  }
  return true;
}

template <unsigned dwords>
inline void writeLdsRows(Lds &lds, const uint32_t *addresses, const uint32_t (*rows)[64]) {
  rowsToLanes<dwords>(rows, [&](unsigned lane) { return lds.at(addresses[lane]); });
}

/// Whether all lanes of these registers hold defined values.
inline bool allDefined(const Wave &wave, unsigned reg, unsigned count) {
  uint64_t lanes = ~uint64_t(0);
  for (unsigned i = 0; i < count; ++i)
    lanes &= wave.vs[reg + i].valid;
  return lanes == ~uint64_t(0);
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_LDSBULK_H
