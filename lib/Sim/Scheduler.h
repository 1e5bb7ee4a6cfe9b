// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the workgroups of a dispatch on some host threads.
#ifndef LOWP_LIB_SIM_SCHEDULER_H
#define LOWP_LIB_SIM_SCHEDULER_H

#include "Dispatch.h"

namespace lowp::sim {

/// The engines hold counters and findings afterwards. Gives why the run ended early; nothing when every wave
/// reached its end.
std::string runAll(const Dispatch &dispatch, const Program &program, const Options &options,
                   const std::string &kernel, std::vector<std::unique_ptr<Engine>> &engines);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_SCHEDULER_H
