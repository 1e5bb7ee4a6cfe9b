// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a schedule costs on a chip, in engine clocks: named terms, the longest of which decides. A model for
// choosing, not a simulator; docs/schedules.md has the formulas and what they leave out.
#ifndef LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECOST_H
#define LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECOST_H

#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Target/Target.h"

namespace lowp {

/// The sizes of a product where all are known.
struct ProblemSize {
  double rows, columns, depth, batch = 1; ///< doubles: products of sizes do not overflow
};

/// Clocks of one step of K of all workgroups that share a compute unit. They pass at the same time, so the
/// longest is what the step takes.
struct StepCost {
  double matrix = 0; ///< of the matrix core of a SIMD
  double lds = 0;    ///< of LDS, reads and writes
  double l1 = 0;     ///< of L1, or of the path of LDS-DMA
  double l2 = 0;     ///< of the compute unit's share of its die's L2
  double flight = 0; ///< until what is under way has arrived: latency for so many bytes at a time
  double issue = 0;  ///< of a SIMD's turns for everything but matrix instructions
  double chain = 0;  ///< of one workgroup alone, from its reads of LDS to the end of its products
  double longest() const;
  llvm::StringRef longestName() const;
};

struct ScheduleCost {
  double workgroups = 0; ///< of the whole grid
  double resident = 0;   ///< workgroups that a compute unit holds at a time
  double rounds = 0;     ///< in which the compute unit with most of them works them off
  double steps = 0;      ///< steps of K of a workgroup
  StepCost step;         ///< in a full round
  double prologue = 0;   ///< of a round, until the first products
  double epilogue = 0;   ///< of a full round, after the last products
  double compute = 0;    ///< of all rounds: of the compute unit with most of them
  double memory = 0;     ///< of the whole chip: what its L2s have to fetch, and the result
  double power = 0;      ///< of the whole chip: all matrix instructions at the clock that it sustains
  double traffic = 0;    ///< in which LDS, L1 and L2 of that compute unit move data
  double launch = 0;     ///< of all launches
  /// All of it: the launches, the longest of compute, memory and power, and a part of the traffic.
  double clocks() const;
  /// What decides: "launch", "memory", "power", "ends" (prologue and epilogue), or the longest term of a
  /// step.
  llvm::StringRef bound() const;
};

/// The cost of the product `op` by a schedule that is legal, for these sizes.
ScheduleCost scheduleCost(MatmulOp op, ScheduleAttr schedule, const ProblemSize &size, const Target &target);

} // namespace lowp

#endif // LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECOST_H
