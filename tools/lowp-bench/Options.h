// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of lowp-bench.
#ifndef LOWP_TOOLS_LOWP_BENCH_OPTIONS_H
#define LOWP_TOOLS_LOWP_BENCH_OPTIONS_H

#include "lowp/Driver/Hipblaslt.h"
#include "lowp/Driver/Problem.h"
#include "lowp/Sim/Simulator.h"

namespace lowp {

struct BenchOptions {
  HipblasltProblem problem; ///< complete
  std::string target;
  DataKind data = DataKind::Random;
  std::string variant;
  std::vector<std::string> schedules; ///< names of candidates; empty: the cheapest
  uint64_t seed = 1;
  unsigned random = 0; ///< number of random problems; 0: the one above
  bool verify = false, emitMlir = false;
  sim::MfmaMode mfma = sim::MfmaMode::Exact;
  std::string launchFolder; ///< where to write the launches as launch files; empty: nowhere
};

/// What is wrong with the command line is an error that names the option.
llvm::Expected<BenchOptions> parseBenchOptions(int argc, char **argv);

} // namespace lowp

#endif // LOWP_TOOLS_LOWP_BENCH_OPTIONS_H
