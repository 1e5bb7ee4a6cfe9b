// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedules among which lowp chooses: a table of tiles, made into schedules for a product and a chip.
#ifndef LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECANDIDATES_H
#define LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECANDIDATES_H

#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Target/Target.h"

namespace lowp {

/// Stands for an unknown N or K: the middle of models' layers.
constexpr int64_t usualSize = 4096;

/// In the order in which equally cheap ones are preferred; legal or not, for any number of rows. The target
/// has an instruction for the operands.
llvm::SmallVector<ScheduleAttr> scheduleCandidates(MatmulOp op, const Target &target);

/// The schedule without preconditions.
ScheduleAttr scheduleForAnything(MatmulOp op, const Target &target);

} // namespace lowp

#endif // LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECANDIDATES_H
