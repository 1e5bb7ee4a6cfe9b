// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared memory (LDS) of one workgroup, with what the checks need to know of each dword: which of its
// bytes were written, who wrote and read it since the last barrier, and how many copies from global memory
// are on their way to it.
#ifndef LOWP_LIB_SIM_LDS_H
#define LOWP_LIB_SIM_LDS_H

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

class Lds {
public:
  /// A fresh workgroup: content is poison, nothing is initialised. Cells need no clearing: epochs only grow.
  void reset(uint32_t size) {
    bytes.assign(size + 16, 0xcd);
    limit = size;
    if (cells.size() < (size + 19) / 4)
      cells.resize((size + 19) / 4);
    firstEpoch = ++epoch;
  }
  void barrier() { ++epoch; }
  uint32_t size() const { return limit; }
  bool fits(uint32_t address, uint32_t count) const { return address <= limit && count <= limit - address; }
  uint8_t *at(uint32_t address) { return bytes.data() + address; }

  LdsCell &cell(uint32_t address) { return cells[address / 4]; }
  bool initialised(const LdsCell &cell, unsigned byteMask) const {
    return cell.writeEpoch >= firstEpoch && (cell.writerAndBytes >> 4 & byteMask);
  }

  uint32_t epoch = 1, firstEpoch = 1;

private:
  std::vector<uint8_t> bytes;
  std::vector<LdsCell> cells;
  uint32_t limit = 0;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_LDS_H
