// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot loop of a kernel, found in its machine code, and what one trip of it costs a wave.
#ifndef LOWP_DRIVER_LOOPCOUNTS_H
#define LOWP_DRIVER_LOOPCOUNTS_H

#include "lowp/Sim/MachineCode.h"
#include "lowp/Target/Target.h"
#include <map>

namespace lowp {

/// What a stretch of code loads from memory, to registers or LDS, as if no lane were masked.
struct LoadCounts {
  unsigned instructions = 0; ///< of all kinds
  uint64_t bytes = 0;        ///< of one wave
  /// Bytes of one wave that are under way when it begins to wait for some of them: the fewest of a loop,
  /// every trip like the one before, and the most of code without a loop.
  uint64_t inFlight = 0;

  double instructionsPerKiB() const { return bytes ? instructions * 1024.0 / double(bytes) : 0; }
};

struct LoopCounts {
  uint64_t first = 0, last = 0; ///< addresses in the image
  unsigned depth = 1;           ///< 1: in no other loop
  unsigned instructions = 0;
  unsigned byKind[sim::numInstructionKinds] = {};
  unsigned waitStates = 0; ///< of s_nop
  /// The most instructions in a row without a matrix instruction, from the loop's end on to its beginning
  /// too.
  unsigned longestRun = 0;
  std::map<unsigned, unsigned> vmcnt, lgkmcnt; ///< how many waits there are for each value
  /// Engine clocks that one wave takes of the matrix core, of the vector ALU (both of its SIMD) and of the
  /// LDS (of the compute unit) if nothing stalls and no access meets a bank conflict.
  uint64_t matrixClocks = 0, valuClocks = 0, ldsClocks = 0;
  double multiplyAdds = 0;
  LoadCounts loads;

  unsigned of(sim::InstructionKind kind) const { return byKind[unsigned(kind)]; }
  unsigned otherThanMatrix() const { return instructions - of(sim::InstructionKind::Matrix); }
  /// Instructions that are no matrix instructions for every 2^20 multiply-adds; what they cost to issue is
  /// comparable between kernels of any tile.
  double overhead() const { return otherThanMatrix() / multiplyAdds * (1 << 20); }
};

/// Of the loops that have matrix instructions and no other such loop in them the one with the most, counted
/// as if every instruction of it were executed once. None if there is no such loop.
std::optional<LoopCounts> countHotLoop(const sim::MachineFunction &function, const Target &target);

/// Of a function without such a loop: up to its last matrix instruction, each instruction executed once. None
/// if it has no matrix instruction.
std::optional<LoadCounts> countStraightLoads(const sim::MachineFunction &function);

} // namespace lowp

#endif // LOWP_DRIVER_LOOPCOUNTS_H
