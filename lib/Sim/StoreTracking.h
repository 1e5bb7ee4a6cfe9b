// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was stored to global memory: the stores of a wave that other waves may not rely on yet, and all stores
// of a run, to find bytes that two workgroups write.
#ifndef LOWP_LIB_SIM_STORETRACKING_H
#define LOWP_LIB_SIM_STORETRACKING_H

#include "lowp/Sim/Simulator.h"
#include <cstring>

namespace lowp::sim {

struct Engine;
struct Inst;
struct Wave;
class Dispatch;
struct Program;

/// One store instruction of a wave.
struct StoreInFlight {
  uint32_t seq = 0; ///< among the vector memory operations of the wave
  const Inst *inst = nullptr;
  uint64_t low = ~uint64_t(0), high = 0; ///< of all lanes
  uint64_t lanes = 0;
  uint64_t from[64], to[64];

  void begin(uint32_t number, const Inst &by) {
    seq = number;
    inst = &by;
    low = ~uint64_t(0);
    high = lanes = 0;
  }
  void add(unsigned lane, uint64_t address, unsigned size) {
    bool fresh = !(lanes >> lane & 1);
    from[lane] = fresh ? address : std::min(from[lane], address);
    to[lane] = fresh ? address + size : std::max(to[lane], address + size);
    lanes |= uint64_t(1) << lane;
    low = std::min(low, address);
    high = std::max(high, address + size);
  }
  /// The same for all lanes, of which there are none yet; they lie in [least, most).
  void addAll(const uint64_t *addresses, unsigned size, uint64_t least, uint64_t most) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      from[lane] = addresses[lane];
      to[lane] = addresses[lane] + size;
    }
    lanes = ~uint64_t(0);
    low = least;
    high = most;
  }
};

/// All stores of the workgroups that one host thread runs, with their data.
class StoreLog {
public:
  struct Piece {
    uint64_t address;
    uint32_t size, inst; ///< index of the instruction
    uint32_t workgroup;
    uint8_t wave, lane;
    uint64_t data; ///< place in `bytes`
  };
  /// Beyond this the check gives up: it would cost too much memory.
  static constexpr uint64_t maxBytes = uint64_t(256) << 20;

  void add(uint64_t address, const void *data, unsigned size, uint32_t inst, uint32_t workgroup, uint8_t wave,
           uint8_t lane) {
    total += size;
    if (total > maxBytes)
      return;
    Piece *last = pieces.empty() ? nullptr : &pieces.back();
    if (last && last->address + last->size == address && last->inst == inst && last->workgroup == workgroup &&
        last->size < (1u << 30))
      last->size += size;
    else
      pieces.push_back({address, size, inst, workgroup, wave, lane, bytes.size()});
    const uint8_t *from = static_cast<const uint8_t *>(data);
    bytes.insert(bytes.end(), from, from + size);
  }

  std::vector<Piece> pieces;
  std::vector<uint8_t> bytes;
  uint64_t total = 0;
};

/// Different values that two workgroups stored to one byte, one finding for each instruction. The same
/// whatever the number of threads.
std::vector<Finding> findWorkgroupConflicts(const Dispatch &dispatch, const Program &program,
                                            const std::string &kernel,
                                            llvm::ArrayRef<std::unique_ptr<Engine>> engines);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_STORETRACKING_H
