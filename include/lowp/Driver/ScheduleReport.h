// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a product has the schedules that it has: every candidate with the terms of its cost, the refused ones
// with the reason, and which is taken for how many rows.
#ifndef LOWP_DRIVER_SCHEDULEREPORT_H
#define LOWP_DRIVER_SCHEDULEREPORT_H

#include "lowp/Dialect/Lowp/Transforms/ScheduleChoice.h"
#include "llvm/Support/JSON.h"

namespace lowp {

class ScheduleReport {
public:
  /// `op` as stage "fused" has it. Schedules that it carries were written by hand: they are what will be
  /// taken, and are weighed beside the candidates.
  ScheduleReport(MatmulOp op, const Target &target);

  std::string text() const;
  llvm::json::Value toJSON() const;

private:
  std::string range(size_t size) const;

  std::string target, entry, place, problem;
  ScheduleChoice choice;
  std::vector<ScheduleCandidate> written; ///< by hand
};

} // namespace lowp

#endif // LOWP_DRIVER_SCHEDULEREPORT_H
