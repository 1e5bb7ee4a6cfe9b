// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what the engines counted to what a report says.
#ifndef LOWP_LIB_SIM_COUNTERS_H
#define LOWP_LIB_SIM_COUNTERS_H

#include "Dispatch.h"

namespace lowp::sim {

/// Sums over all engines; the buffers' regions begin at `firstBuffer`.
Counters gatherCounters(const Program &program, llvm::ArrayRef<std::unique_ptr<Engine>> engines,
                        llvm::ArrayRef<Buffer> buffers, unsigned firstBuffer);

/// The functions in which anything was executed.
std::vector<CodeFunction> listCode(const HsaCodeObject &object, const Program &program,
                                   const Counters &counters);

LaunchFacts launchFacts(const Dispatch &dispatch, const Program &program, llvm::StringRef chip,
                        const LaunchConfig &launch);

/// The part of them that needs no launch: what the kernel takes, and the occupancy that leaves.
LaunchFacts resourceFacts(const KernelInfo &kernel, const ChipFacts &chip, uint32_t lds, unsigned waves);

/// The lines of the function with this number in the code object's list.
CodeFunction listFunction(const HsaCodeObject &object, const Program &program, size_t number);

/// Multiplications and additions of one matrix instruction, by its mnemonic; those with a sparse operand
/// count what the dense product would take.
double matrixFlops(llvm::StringRef mnemonic);

/// Bytes that each lane of an LDS instruction moves, by its mnemonic.
unsigned ldsLaneBytes(llvm::StringRef mnemonic);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_COUNTERS_H
