// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What memory instructions move: bytes by instruction and by buffer, and the distinct cache lines that one
// instruction touches. A line has 128 bytes on both chips (CDNA3 white paper, "L1 vector data cache"; "L2").
// On request also the distinct lines that the workgroups of one die load in a round, which is what its L2 has
// to fetch if it keeps them all.
#ifndef LOWP_LIB_SIM_TRAFFIC_H
#define LOWP_LIB_SIM_TRAFFIC_H

#include "llvm/ADT/DenseSet.h"
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace lowp::sim {

/// Dies with an L2 of their own; they take workgroups in turn (CDNA3 white paper, "XCD").
constexpr unsigned xcds = 8;

/// The distinct lines of buffers that each die loads. A round is as many workgroups as are resident at a
/// time.
class LineLog {
public:
  /// By round and die.
  using Sets = std::map<std::pair<uint32_t, uint32_t>, llvm::DenseSet<uint64_t>>;

  LineLog(unsigned resident, unsigned firstBuffer) : resident(resident), firstBuffer(firstBuffer) {}
  void begin(uint32_t workgroup) { current = &sets[{workgroup / resident, workgroup % xcds}]; }
  void load(uint64_t first, uint64_t final, unsigned region) {
    for (uint64_t line = first; line <= final && region >= firstBuffer; ++line)
      current->insert(line);
  }
  const unsigned resident;
  Sets sets;

private:
  const unsigned firstBuffer;
  llvm::DenseSet<uint64_t> *current = nullptr;
};

class TrafficCounter {
public:
  struct Moved {
    uint64_t bytes = 0, lines = 0;
  };
  struct Direction {
    uint64_t read = 0, written = 0;
  };

  /// By instruction, and by region (Region::index).
  TrafficCounter(size_t instructions, size_t regions) : byInstruction(instructions), byRegion(regions) {}

  /// An execution of a memory instruction begins.
  void begin(uint32_t instruction) {
    current = &byInstruction[instruction];
    last = noLine;
    if (++generation == 0) { // wrapped: entries of the last round would look new
      for (Entry &entry : seen)
        entry.generation = 0;
      generation = 1;
    }
  }

  /// A lane of it moves `size` bytes.
  void add(uint64_t address, unsigned size, unsigned region, bool read, bool write) {
    current->bytes += size;
    byRegion[region].read += read ? size : 0;
    byRegion[region].written += write ? size : 0;
    uint64_t first = address / lineBytes, final = (address + size - 1) / lineBytes;
    if (log && read)
      log->load(first, final, region);
    if (first == last && final == last) // most lanes follow each other
      return;
    for (uint64_t line = first; line <= final; ++line)
      touch(line);
    last = final;
  }

  /// All lanes of it move this many bytes, and touch as many lines.
  void addAll(unsigned bytes, unsigned lines, unsigned region, bool read, bool write) {
    current->bytes += bytes;
    current->lines += lines;
    byRegion[region].read += read ? bytes : 0;
    byRegion[region].written += write ? bytes : 0;
  }
  /// Lines that the current instruction has touched in all executions.
  uint64_t linesOfInstruction() const { return current->lines; }

  std::vector<Moved> byInstruction;
  std::vector<Direction> byRegion;
  std::unique_ptr<LineLog> log; ///< null: not kept

private:
  static constexpr uint64_t lineBytes = 128, noLine = ~uint64_t(0);
  static constexpr unsigned slots = 512; ///< 64 lanes touch at most 128 lines

  struct Entry {
    uint64_t line = 0;
    uint32_t generation = 0;
  };

  void touch(uint64_t line) {
    unsigned slot = unsigned(line * 0x9e3779b97f4a7c15u >> 55); // 9 bits
    while (seen[slot].generation == generation) {
      if (seen[slot].line == line)
        return;
      slot = (slot + 1) % slots;
    }
    seen[slot] = {line, generation};
    ++current->lines;
  }

  Moved none; ///< before the first begin
  Moved *current = &none;
  uint64_t last = noLine;
  uint32_t generation = 0;
  Entry seen[slots];
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_TRAFFIC_H
