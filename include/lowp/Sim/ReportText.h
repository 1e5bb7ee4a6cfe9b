// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run's report for reading.
#ifndef LOWP_SIM_REPORTTEXT_H
#define LOWP_SIM_REPORTTEXT_H

#include "lowp/Sim/Simulator.h"

namespace lowp::sim {

/// A span of code that a branch at its end repeats.
struct CodeLoop {
  uint64_t first = 0, last = 0;         ///< addresses of its first and last instruction
  unsigned depth = 1;                   ///< 1: in no other loop
  uint64_t entries = 0, iterations = 0; ///< of all waves
};

/// The loops of one function, by address, the outer before the inner. Nothing says how often they run.
std::vector<CodeLoop> findLoops(const CodeFunction &function);
/// Those that ran.
std::vector<CodeLoop> findLoops(const CodeFunction &function, const Counters &counters);

/// A page of what ran, how much, and what limits it.
std::string statistics(const Report &report);

/// The executed functions, each instruction with its counters, loops and findings.
std::string annotate(const Report &report);

} // namespace lowp::sim

#endif // LOWP_SIM_REPORTTEXT_H
