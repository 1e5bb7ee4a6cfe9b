// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has to hold of the operands before a kernel made by a schedule may run: the one place that knows. The
// passes that choose schedules use it to drop variants that can never run; the one that makes entries turns
// each requirement into a condition over the entry's arguments.
#ifndef LOWP_DIALECT_LOWP_IR_SCHEDULEREQUIREMENTS_H
#define LOWP_DIALECT_LOWP_IR_SCHEDULEREQUIREMENTS_H

#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include <string>

namespace lowp {

/// One requirement on one tensor: an operand or a capture of the operation, or its result.
struct ScheduleRequirement {
  enum class Kind {
    PointerMultiple, ///< the address is a multiple of `multiple` bytes
    StrideMultiple,  ///< the stride of dimension `dim` is a multiple of `multiple` elements (strided storage
                     ///< only)
    SizeMultiple,    ///< the size of dimension `dim` is a multiple of `multiple`
    SizeRange,       ///< the size of dimension `dim` is from `lo` to `hi`; hi = 0: no upper end
  };
  Kind kind;
  mlir::Value tensor;
  unsigned dim = 0;
  int64_t multiple = 1;
  int64_t lo = 1, hi = 0;

  /// What the types alone say: true or false, or nothing when it is known at launch only.
  std::optional<bool> holds() const;
  /// The rule in a user's words about the tensor called `name`: "a.1 must be a multiple of 16".
  std::string text(llvm::StringRef name) const;
};

/// All requirements of `schedule` on `op`, those that always hold left out. A size that one type knows and
/// another does not is asked of the tensor that knows it.
llvm::SmallVector<ScheduleRequirement> scheduleRequirements(MatmulOp op, ScheduleAttr schedule);

/// Whether one of them is false whatever the arguments are.
bool canNeverHold(llvm::ArrayRef<ScheduleRequirement> requirements);

} // namespace lowp

#endif // LOWP_DIALECT_LOWP_IR_SCHEDULEREQUIREMENTS_H
