// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared memory (LDS) of one workgroup, with what the checks need to know of each dword: which of its
// bytes were written, who wrote and read it since the last barrier, and how many copies from global memory
// are on their way to it.
#ifndef LOWP_LIB_SIM_LDS_H
#define LOWP_LIB_SIM_LDS_H

#include "LdsPattern.h"
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

/// 256 bytes of LDS, for the common case that waves which access the same dwords have a barrier in between,
/// and all of the dwords hold data. Masks have a bit for each dword.
struct LdsBlock {
  static constexpr unsigned shift = 8;
  /// Known to hold data in all bytes, with no copy on its way to them; of this workgroup if lookedUp is.
  uint64_t defined = 0;
  uint64_t read = 0, written = 0;    ///< in deferredEpoch, by accesses in Lds::deferred
  uint16_t readers = 0, writers = 0; ///< the waves that did
  uint32_t deferredEpoch = 0;
  uint32_t lookedUp = 0;             ///< epoch in which `defined` was last brought up to date
  uint32_t touched = 0, changed = 0; ///< epochs of the last access and the last change that cells know of
};
static_assert(1u << LdsBlock::shift == LdsPattern::unit);

/// An access of 64 lanes whose cells do not know of it yet.
struct LdsDeferred {
  uint8_t wave, dwords;
  bool write;
  uint32_t addresses[64];

  LdsDeferred(unsigned wave, unsigned dwords, bool write, const uint32_t *from)
      : wave(uint8_t(wave)), dwords(uint8_t(dwords)), write(write) {
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
    carried = false;
    deferred.clear();
    parts.clear();
    atomics.clear();
    suspects.clear();
    lastUpdate.clear();
  }
  void barrier() {
    ++epoch;
    carried = false;
    deferred.clear();
  }
  uint32_t size() const { return limit; }
  bool fits(uint32_t address, uint32_t count) const { return address <= limit && count <= limit - address; }
  uint8_t *at(uint32_t address) { return bytes.data() + address; }

  LdsCell &cell(uint32_t address) { return cells[address / 4]; }
  bool initialised(const LdsCell &cell, unsigned byteMask) const {
    return cell.writeEpoch >= firstEpoch && (cell.writerAndBytes >> 4 & byteMask);
  }

  // Accesses are many, and few of them meet another wave's in the same epoch. So a read, or a write of data
  // where there are data already, is only put on a list when its blocks rule that out. The cells learn of it
  // when another access looks at them before the next barrier; after that barrier it does not matter to them
  // any more.

  /// Puts an access of all lanes on the list, if a write then of defined data; false when cells have to be
  /// looked at. The pattern fits.
  bool defer(unsigned wave, const LdsPattern &pattern, const uint32_t *addresses, unsigned dwords,
             bool write);
  /// To be called before the cells of [address, address + size) are looked at for an access, or changed by a
  /// write, a copy or an atomic update.
  void touch(uint32_t address, uint32_t size, bool change) {
    touchBlock(blockOf(address), change);
    touchBlock(blockOf(address + size - 1), change);
  }
  void touchAll(const LdsPattern &pattern, const uint32_t *addresses, bool change) {
    for (const LdsPattern::Part &part : pattern.parts)
      touchBlock(blockOf(LdsPattern::baseOf(addresses) + part.block * LdsPattern::unit), change);
  }
  /// To be called when some of these may no longer hold data, or a copy to them is issued.
  void undefine(uint32_t address, uint32_t size) {
    blockOf(address).defined = blockOf(address + size - 1).defined = 0;
  }

  /// Whether what the cell says is a conflict for these bytes of its dword, too.
  bool conflictsInBytes(const LdsCell &cell, uint32_t address, unsigned byteMask, unsigned wave,
                        bool write) const;
  void noteBytes(uint32_t address, unsigned byteMask, unsigned wave, bool write);

  uint32_t epoch = 1, firstEpoch = 1;
  bool carried = false;           ///< some reads of this epoch are from before the barrier
  std::vector<LdsAtomic> atomics; ///< by dword; empty before the first atomic update
  std::vector<LdsSuspect> suspects;
  uint32_t time = 0;                             ///< counts atomic updates while there are suspects
  llvm::DenseMap<uint64_t, uint32_t> lastUpdate; ///< by dword and wave
  static uint64_t updateKey(uint32_t address, unsigned wave) { return uint64_t(address) << 4 | wave; }

private:
  LdsBlock &blockOf(uint32_t address) { return blocks[address >> LdsBlock::shift]; }
  void touchBlock(LdsBlock &block, bool change) {
    if (block.deferredEpoch == epoch && (change || block.writers))
      settle();
    block.touched = epoch;
    if (change)
      block.changed = epoch;
  }
  /// Brings LdsBlock::defined up to date.
  void lookUp(uint32_t block);
  /// Brings the cells up to date.
  void settle();

  std::vector<LdsBlock> blocks;
  std::vector<LdsDeferred> deferred;
  std::vector<uint8_t> bytes;
  std::vector<LdsCell> cells;
  uint32_t limit = 0;
  llvm::DenseMap<uint32_t, LdsBytes> parts; ///< by dword; of those accessed in parts
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_LDS_H
