// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedules of a product when nobody wrote any: the cheapest legal candidates. How the choice came about
// is kept, for people to read.
#ifndef LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECHOICE_H
#define LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECHOICE_H

#include "lowp/Dialect/Lowp/Transforms/ScheduleCost.h"

#include <string>
#include <vector>

namespace lowp {

/// One schedule that was considered.
struct ScheduleCandidate {
  ScheduleAttr schedule;
  std::string refused;             ///< why it cannot run; empty if it can
  std::vector<ScheduleCost> costs; ///< for each of the sizes, if it can run
};

struct ScheduleChoice {
  /// The sizes that stand for those that are not known. Those of M ascend; each stands for the ones from
  /// above the size before it, the last for all beyond, too.
  std::vector<ProblemSize> sizes;
  std::vector<ScheduleCandidate> candidates;
  /// For each size the candidate that a launcher takes if it meets the candidate's conditions.
  std::vector<size_t> chosen;
  /// The variants in the order in which a launcher tries them, with ranges of rows; the last has no
  /// preconditions.
  llvm::SmallVector<ScheduleAttr> variants;
};

/// Of a product: the names of candidates that the back end was seen to spill with.
constexpr llvm::StringLiteral leftOutAttrName = "lowp.left_out";

/// The target has an instruction for the operands.
ScheduleChoice chooseSchedules(MatmulOp op, const Target &target);

/// The sizes for which schedules of `op` are weighed.
std::vector<ProblemSize> representativeSizes(MatmulOp op);

} // namespace lowp

#endif // LOWP_DIALECT_LOWP_TRANSFORMS_SCHEDULECHOICE_H
