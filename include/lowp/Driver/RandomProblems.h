// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeded lists of matrix products: every combination of transposes and kinds of operands, sizes from 1 to 300
// with a few large ones, odd leading dimensions, misaligned pointers, scales, epilogues, batches.
#ifndef LOWP_DRIVER_RANDOMPROBLEMS_H
#define LOWP_DRIVER_RANDOMPROBLEMS_H

#include "lowp/Driver/Hipblaslt.h"
#include "lowp/Target/Target.h"

namespace lowp {

struct RandomProblem {
  HipblasltProblem problem; ///< complete
  /// Problems of one group are the same operation with dynamic sizes, so one compilation serves all.
  unsigned group = 0;
};

/// Problem i depends on the seed and i alone. Every 25th has static sizes and is a group of its own.
std::vector<RandomProblem> randomProblems(uint64_t seed, unsigned count, const Target &target);

} // namespace lowp

#endif // LOWP_DRIVER_RANDOMPROBLEMS_H
