// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowp-select-schedule: every product gets the list of its variants, checked against the target. What the
// choice is stands in ScheduleChoice.cpp, what is legal in ScheduleLegality.cpp.

#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Dialect/Lowp/IR/ScheduleRequirements.h"
#include "lowp/Dialect/Lowp/Transforms/Passes.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleCandidates.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleChoice.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleLegality.h"
#include "lowp/Target/Target.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

namespace lowp {
#define GEN_PASS_DEF_SELECTSCHEDULE
#include "lowp/Dialect/Lowp/Transforms/Passes.h.inc"
} // namespace lowp

using namespace mlir;
using namespace lowp;

/// The operand types of products that the target's matrix cores take, for a message.
static std::string acceptedTypes(const Target &target) {
  std::string list;
  for (Format format :
       {Format::F8E4M3FN, Format::F8E5M2, Format::F8E4M3FNUZ, Format::F8E5M2FNUZ, Format::BF16, Format::F16})
    if (target.hasMfmaOperand(format))
      list += (list.empty() ? "" : ", ") + name(format).str();
  return list;
}

static LogicalResult checkOperand(MatmulOp op, StringRef operand, RankedTensorType type,
                                  const Target &target) {
  std::optional<Format> format = formatOf(type.getElementType());
  if (format && target.hasMfmaOperand(*format))
    return success();
  InFlightDiagnostic diagnostic = op.emitOpError()
                                  << "operand '" << operand << "' has element type " << type.getElementType()
                                  << ", which " << target.chip() << "'s matrix cores lack; accepted are "
                                  << acceptedTypes(target);
  for (StringRef chip : Target::chips())
    if (const Target *other = Target::get(chip); format && other && other->hasMfmaOperand(*format))
      diagnostic.attachNote() << chip << "'s matrix cores have it";
  return diagnostic;
}

/// The candidates called `names`.
static FailureOr<SmallVector<ScheduleAttr>> namedCandidates(MatmulOp op, const Target &target,
                                                            ArrayRef<std::string> names) {
  SmallVector<ScheduleAttr> all = scheduleCandidates(op, target), list;
  all.push_back(scheduleForAnything(op, target));
  for (const std::string &name : names) {
    auto *found = llvm::find_if(all, [&](ScheduleAttr schedule) { return schedule.getName() == name; });
    if (found == all.end())
      return op.emitOpError() << "has no candidate schedule '" << name << "' on " << target.chip()
                              << "; it has "
                              << llvm::join(llvm::map_range(all, [](ScheduleAttr s) { return s.getName(); }),
                                            ", ");
    if (!llvm::is_contained(list, *found))
      list.push_back(*found);
  }
  return list;
}

static LogicalResult selectSchedules(MatmulOp op, const Target &target, ArrayRef<std::string> names) {
  if (failed(checkOperand(op, "a", op.getAType(), target)) ||
      failed(checkOperand(op, "b", op.getBType(), target)))
    return failure();
  SmallVector<ScheduleAttr> schedules = op.getScheduleList();
  if (schedules.empty() && names.empty())
    schedules = chooseSchedules(op, target).variants;
  if (schedules.empty()) {
    FailureOr<SmallVector<ScheduleAttr>> named = namedCandidates(op, target, names);
    if (failed(named))
      return failure();
    schedules = std::move(*named);
  }
  if (!scheduleRequirements(op, schedules.back()).empty()) {
    ScheduleAttr any = scheduleForAnything(op, target);
    // A schedule written by hand may have taken the name.
    for (ScheduleAttr other : schedules)
      if (other.getName() == any.getName())
        return op.emitOpError() << "schedule '" << any.getName()
                                << "' has preconditions, but this name is that of the variant without any";
    schedules.push_back(any);
  }
  for (ScheduleAttr schedule : schedules)
    if (failed(checkSchedule(op, schedule, target)))
      return failure();
  op->removeAttr(leftOutAttrName);
  op.setSchedulesAttr(
      ArrayAttr::get(op.getContext(), SmallVector<Attribute>(schedules.begin(), schedules.end())));
  return success();
}

namespace {
class SelectSchedule : public lowp::impl::SelectScheduleBase<SelectSchedule> {
public:
  using SelectScheduleBase::SelectScheduleBase;

  void runOnOperation() override {
    const Target *chip = Target::get(target);
    if (!chip) {
      getOperation()->emitError() << "unknown target '" << target << "'; known are "
                                  << llvm::join(Target::chips(), ", ");
      return signalPassFailure();
    }
    SmallVector<std::string> names(candidates.begin(), candidates.end());
    WalkResult result = getOperation()->walk([&](MatmulOp op) {
      return failed(selectSchedules(op, *chip, names)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
