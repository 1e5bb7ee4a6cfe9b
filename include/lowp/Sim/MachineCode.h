// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be said of a code object's instructions without running them: which unit executes each, for how
// long it is busy, and what a wait waits for. The classes are those of a run's counters.
#ifndef LOWP_SIM_MACHINECODE_H
#define LOWP_SIM_MACHINECODE_H

#include "lowp/CodeObject/HsaCodeObject.h"
#include "lowp/Sim/ReportParts.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace lowp::sim {

enum class InstructionKind : uint8_t {
  Matrix,
  Valu,
  Transcendental,
  AccumulatorCopy, ///< v_accvgpr_read, _write and _mov
  Salu,
  Smem,
  LdsRead, ///< exchanges between lanes too
  LdsWrite,
  LdsDma, ///< from memory straight into LDS
  VmemLoad,
  VmemStore,
  Atomic,
  Scratch,
  Branch,
  Wait,
  Barrier,
  Nop,
  Other,
};
constexpr unsigned numInstructionKinds = unsigned(InstructionKind::Other) + 1;

struct InstructionFacts {
  InstructionKind kind = InstructionKind::Other;
  /// Engine clocks for which a wave keeps the vector ALU or the matrix core of its SIMD busy.
  unsigned clocks = 0;
  double multiplyAdds = 0;                ///< of a matrix instruction
  unsigned ldsBits = 0;                   ///< that one lane moves from or to LDS in one access
  unsigned ldsAccesses = 0;               ///< two, of the forms with two addresses
  unsigned loadedBytes = 0;               ///< that one lane loads from memory, to registers or LDS
  unsigned waitStates = 0;                ///< of s_nop
  std::optional<unsigned> vmcnt, lgkmcnt; ///< of s_waitcnt, where it waits for them
};

struct MachineFunction {
  CodeFunction code;
  std::vector<InstructionFacts> facts; ///< one for each line
};

/// The functions of a code object, by address. An error names the instructions that the simulator does not
/// know.
llvm::Expected<std::vector<MachineFunction>> disassemble(const HsaCodeObject &object);

/// What a workgroup of `workItems` takes, and how many waves a SIMD holds then. There is no grid in it.
llvm::Expected<LaunchFacts> kernelResources(const HsaCodeObject &object, const KernelInfo &kernel,
                                            unsigned workItems, uint32_t dynamicLds = 0);

} // namespace lowp::sim

#endif // LOWP_SIM_MACHINECODE_H
