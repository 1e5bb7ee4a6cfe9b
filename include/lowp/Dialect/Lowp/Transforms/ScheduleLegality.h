// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a schedule needs of a chip, and whether the chip has it. Schedules that were chosen and schedules that
// were written by hand are checked by the same function.
#ifndef LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULELEGALITY_H
#define LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULELEGALITY_H

#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Target/Target.h"

#include <string>

namespace lowp {

/// What one workgroup uses while its loop runs.
struct ScheduleNeeds {
  int64_t accumulators = 0; ///< registers a lane for the sums
  int64_t operands = 0;     ///< registers a lane for operands on their way to the matrix cores
  int64_t staging = 0;      ///< registers a lane for tiles on their way to LDS
  int64_t addresses = 0;    ///< registers a lane for everything else
  int64_t ldsBytes = 0;     ///< of all stages, or of the sum over waves if that is more
  int64_t registers() const { return accumulators + operands + staging + addresses; }
};
ScheduleNeeds scheduleNeeds(MatmulOp op, ScheduleAttr schedule);

/// The first rule that `schedule` breaks, with what it needs and what there is, as it follows the schedule's
/// name in a message: "needs '98304' bytes of LDS, but ...". Empty if it breaks none.
std::string scheduleFault(MatmulOp op, ScheduleAttr schedule, const Target &target);

/// Reports scheduleFault as an error at `op` that names the schedule.
mlir::LogicalResult checkSchedule(MatmulOp op, ScheduleAttr schedule, const Target &target);

} // namespace lowp

#endif // LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULELEGALITY_H
