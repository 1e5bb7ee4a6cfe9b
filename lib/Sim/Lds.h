// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared memory (LDS) of one workgroup, with what the checks need to know of each dword: which of its
// bytes were written, who wrote and read it since the last barrier, and how many copies from global memory
// are on their way to it.
#ifndef LOWP_LIB_SIM_LDS_H
#define LOWP_LIB_SIM_LDS_H

#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <cstring>
#include <vector>

namespace lowp::sim {

struct LdsCell {
  uint32_t writeEpoch = 0, readEpoch = 0; ///< of the last access
  uint16_t readers = 0;                   ///< waves that read it in readEpoch
  uint8_t writerAndBytes = 0; ///< low half: last writer, high half: bytes written in this workgroup
  uint8_t pendingCopies = 0;  ///< direct copies from global memory that have not landed
};

/// 256 bytes of LDS, for the common case that what is read was written before the last barrier.
struct LdsBlock {
  static constexpr unsigned shift = 8;
  uint32_t cleanEpoch = 0;    ///< epoch in which all of it is known to be defined, and nothing changes it
  uint32_t triedEpoch = 0;    ///< when that was looked up last
  uint32_t deferredEpoch = 0; ///< epoch in which reads of it are noted in Lds::deferred only
};

/// A read of 64 lanes whose cells do not know of it yet.
struct LdsDeferredRead {
  uint8_t wave, dwords;
  uint32_t addresses[64];

  LdsDeferredRead(unsigned wave, unsigned dwords, const uint32_t *from)
      : wave(uint8_t(wave)), dwords(uint8_t(dwords)) {
    std::memcpy(addresses, from, sizeof(addresses));
  }
};

/// Of a dword that was accessed in parts: who accessed which byte, and who parts only.
struct LdsBytes {
  uint32_t writeEpoch[4] = {}, readEpoch[4] = {};
  uint32_t partialWriteEpoch = 0, partialReadEpoch = 0;
  uint16_t readers[4] = {}, partialReaders = 0;
  uint8_t writer[4] = {}, partialWriter = 0;
};

/// Waves that updated a dword atomically in an epoch.
struct LdsAtomic {
  uint32_t epoch = 0;
  uint16_t waves = 0;
};

struct Inst;
/// An atomic update and a read that race, unless the reader updates the dword, too, before the next barrier.
/// Such updates are noted in Lds::lastUpdate.
struct LdsSuspect {
  uint32_t address;
  const Inst *inst; ///< the later of the two
  uint8_t actor, reader, other, lane;
  uint32_t time; ///< as in Lds::time
};

class Lds {
public:
  /// A fresh workgroup: content is poison, nothing is initialised. Cells need no clearing: epochs only grow.
  void reset(uint32_t size) {
    bytes.assign(size + 16, 0xcd);
    limit = size;
    if (cells.size() < (size + 19) / 4)
      cells.resize((size + 19) / 4);
    if (blocks.size() <= (size + 19) >> LdsBlock::shift)
      blocks.resize(((size + 19) >> LdsBlock::shift) + 1);
    firstEpoch = ++epoch;
    deferred.clear();
    parts.clear();
    atomics.clear();
    suspects.clear();
    lastUpdate.clear();
  }
  void barrier() {
    ++epoch;
    deferred.clear();
  }
  uint32_t size() const { return limit; }
  bool fits(uint32_t address, uint32_t count) const { return address <= limit && count <= limit - address; }
  uint8_t *at(uint32_t address) { return bytes.data() + address; }

  LdsCell &cell(uint32_t address) { return cells[address / 4]; }
  bool initialised(const LdsCell &cell, unsigned byteMask) const {
    return cell.writeEpoch >= firstEpoch && (cell.writerAndBytes >> 4 & byteMask);
  }

  // Reads are many, and few of them meet a write in the same epoch. So a read of clean blocks is only put on
  // a list; the cells learn of it when something changes one of these blocks before the next barrier.

  /// Notes a read of all lanes; false when some block is not clean, and nothing is noted.
  bool deferRead(unsigned wave, unsigned dwords, const uint32_t *addresses);
  /// To be called before a write, a copy or an atomic update changes cells in [address, address + size).
  void beforeChange(uint32_t address, uint32_t size) {
    LdsBlock &first = blocks[address >> LdsBlock::shift],
             &last = blocks[(address + size - 1) >> LdsBlock::shift];
    if (first.deferredEpoch == epoch || last.deferredEpoch == epoch)
      settle();
    first.cleanEpoch = last.cleanEpoch = 0;
  }

  /// Whether what the cell says is a conflict for these bytes of its dword, too.
  bool conflictsInBytes(const LdsCell &cell, uint32_t address, unsigned byteMask, unsigned wave,
                        bool write) const;
  void noteBytes(uint32_t address, unsigned byteMask, unsigned wave, bool write);

  uint32_t epoch = 1, firstEpoch = 1;
  std::vector<LdsAtomic> atomics; ///< by dword; empty before the first atomic update
  std::vector<LdsSuspect> suspects;
  uint32_t time = 0;                             ///< counts atomic updates while there are suspects
  llvm::DenseMap<uint64_t, uint32_t> lastUpdate; ///< by dword and wave
  static uint64_t updateKey(uint32_t address, unsigned wave) { return uint64_t(address) << 4 | wave; }

private:
  bool clean(uint32_t block);
  /// Brings the cells up to date.
  void settle();

  std::vector<LdsBlock> blocks;
  std::vector<LdsDeferredRead> deferred;
  std::vector<uint8_t> bytes;
  std::vector<LdsCell> cells;
  uint32_t limit = 0;
  llvm::DenseMap<uint32_t, LdsBytes> parts; ///< by dword; of those accessed in parts
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_LDS_H
