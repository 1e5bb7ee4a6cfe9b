// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedules of a product when nobody wrote any: a heuristic over the target's facts and the product's
// types.
#ifndef LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECHOICE_H
#define LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECHOICE_H

#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Target/Target.h"

namespace lowp {

/// The variants in the order in which a launcher tries them; the last is `any`. Only legal ones, and none
/// that can never run. The target has an instruction for the operands.
llvm::SmallVector<ScheduleAttr> chooseSchedules(MatmulOp op, const Target &target);

/// The schedule without preconditions.
ScheduleAttr scheduleForAnything(MatmulOp op, const Target &target);

} // namespace lowp

#endif // LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECHOICE_H
