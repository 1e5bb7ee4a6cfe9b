// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four variants, in the order in which a launcher tries them.
//
// large: 256 x 256 by 8 waves, the tile with which published kernels reach the matrix cores' rate: each byte
//   from LDS feeds the most products, and the sums fill half of the registers. Quarters of the tile are
//   multiplied in turn (order `interleave`), two steps of k a trip, which fill LDS; straight to LDS where the
//   chip copies 16 bytes a lane that way. Operands that this does not serve (not contiguous along k) take the
//   plain order with steps of 64 bytes.
// medium: 64 x 128 by 4 waves: several workgroups share a compute unit, and small M or N wastes less. K may
// have a tail. skinny: M up to 16, both operands contiguous along K; bound by reading B once: no LDS, four
// waves that split K, four steps in flight in each. any: one element at a time, no preconditions.
//
// A variant needs its rows in the range, and N of at least half a tile where N is known; whatever the target
// cannot hold is left out as well. Grid order: the dies (XCDs) have an L2 each, so neighbouring tiles go to
// the same die; groups of 8 rows of tiles were the best published window.

#include "lowp/Dialect/Lowp/Transforms/ScheduleChoice.h"

#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Lowp/IR/ScheduleRequirements.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleLegality.h"

#include <algorithm>

using namespace mlir;
using namespace lowp;

/// Bytes that a lane moves at once in all variants but `any`.
static constexpr int64_t wideAccess = 16;

namespace {
class Chooser {
public:
  Chooser(MatmulOp op, const Target &target)
      : op(op), target(target), a(*formatOf(op.getAType().getElementType())),
        b(*formatOf(op.getBType().getElementType())) {
    depthContiguous = op.isAContiguousInDepth() && op.isBContiguousInDepth();
    direct = depthContiguous && (target.directToLdsBytes() & (1u << wideAccess));
    bits = std::max(op.getAType().getElementTypeBitWidth(), op.getBType().getElementTypeBitWidth());
    // The result's layout gives a lane four neighbours of a row.
    resultAccess = std::min<int64_t>(16, 4 * op.getResultType().getElementTypeBitWidth() / 8);
  }

  ScheduleAttr large() {
    for (ScheduleAttr schedule : {interleaved(), plain(direct ? 32 : 16), plain(direct ? 16 : 32)})
      if (schedule && isLegalSchedule(op, schedule, target))
        return schedule;
    return {};
  }

  ScheduleAttr medium() {
    const MfmaInstruction *mfma = fastest(16);
    if (!mfma)
      return {};
    int64_t depth = std::max<int64_t>(mfma->k, inBytes(direct ? 128 : 64));
    return make("medium", {64, 128, depth}, {2, 2, 1}, *mfma, direct ? 3 : 2,
                direct ? Staging::Direct : Staging::Registers, wideAccess, resultAccess, /*wholeK=*/false,
                depthContiguous ? 17 : 1, 0, target.xcds(), 8);
  }

  ScheduleAttr skinny() {
    const MfmaInstruction *mfma = fastest(16);
    if (!mfma || !depthContiguous)
      return {};
    // Four groups of lanes along K, each with 16 bytes of a row.
    int64_t depth = std::max<int64_t>(mfma->k, inBytes(4 * wideAccess));
    return make("skinny", {16, 32, depth}, {1, 1, 4}, *mfma, 4, Staging::None, wideAccess, resultAccess,
                /*wholeK=*/false, 1, 16, 1, 1);
  }

  ScheduleAttr any() {
    const MfmaInstruction *mfma = fastest(16);
    if (!mfma)
      return {};
    int64_t depth = std::max<int64_t>(mfma->k, inBytes(64));
    return make("any", {64, 64, depth}, {2, 2, 1}, *mfma, 2, Staging::Registers, 0, 0, /*wholeK=*/false, 1, 0,
                1, 1);
  }

private:
  /// The whole of LDS holds two steps; quarters of the tile are multiplied in turn.
  ScheduleAttr interleaved() {
    const MfmaInstruction *mfma = fastest(16);
    if (!mfma || !depthContiguous)
      return {};
    int64_t depth = target.ldsBytes() * 8 / bits / (2 * 512);
    depth = std::max<int64_t>(mfma->k, llvm::bit_floor(uint64_t(std::min<int64_t>(depth, inBytes(128)))));
    return make("large", {256, 256, depth}, {2, 4, 1}, *mfma, 2,
                direct ? Staging::Direct : Staging::Registers, wideAccess, resultAccess, /*wholeK=*/true, 256,
                0, target.xcds(), 8, {2, 2}, 2, Order::Interleave);
  }

  /// All of a step's reads before its products. Through registers the short steps of the small instruction
  /// leave room for the tiles under way; where its K is too long for that, the other one may fit.
  ScheduleAttr plain(unsigned size) {
    const MfmaInstruction *mfma = fastest(size);
    if (!mfma)
      return {};
    int64_t depth = std::max<int64_t>(mfma->k, inBytes(64));
    int64_t stageBytes = 2 * 256 * depth * bits / 8;
    int64_t stages = direct ? std::clamp<int64_t>(target.ldsBytes() / stageBytes, 2, 4) : 2;
    return make("large", {256, 256, depth}, {2, 4, 1}, *mfma, stages,
                direct ? Staging::Direct : Staging::Registers, wideAccess, resultAccess, /*wholeK=*/true, 256,
                0, target.xcds(), 8);
  }

  const MfmaInstruction *fastest(unsigned size) { return target.mfmaFor(a, b, size, size); }
  int64_t inBytes(int64_t bytes) { return bytes * 8 / bits; }

  ScheduleAttr make(StringRef name, ArrayRef<int64_t> tile, ArrayRef<int64_t> waves,
                    const MfmaInstruction &mfma, int64_t stages, Staging staging, int64_t access,
                    int64_t resultAccess, bool wholeK, int64_t minRows, int64_t maxRows, int64_t xcds,
                    int64_t group, ArrayRef<int64_t> parts = {1, 1}, int64_t steps = 1,
                    Order order = Order::Plain) {
    return ScheduleAttr::get(op.getContext(), name, tile, waves, {mfma.m, mfma.n, mfma.k}, parts, steps,
                             order, stages, staging, access, resultAccess, wholeK, minRows, maxRows, xcds,
                             group);
  }

  MatmulOp op;
  const Target &target;
  Format a, b;
  bool depthContiguous, direct;
  int64_t bits, resultAccess;
};
} // namespace

SmallVector<ScheduleAttr> lowp::chooseSchedules(MatmulOp op, const Target &target) {
  Chooser chooser(op, target);
  SmallVector<ScheduleAttr> list;
  int64_t columns = op.getColumns();
  for (ScheduleAttr schedule : {chooser.large(), chooser.medium(), chooser.skinny()}) {
    if (!schedule || !isLegalSchedule(op, schedule, target) ||
        canNeverHold(scheduleRequirements(op, schedule)))
      continue;
    if (!ShapedType::isDynamic(columns) && columns < schedule.getTile()[1] / 2)
      continue;
    list.push_back(schedule);
  }
  list.push_back(chooser.any());
  return list;
}

ScheduleAttr lowp::scheduleForAnything(MatmulOp op, const Target &target) {
  return Chooser(op, target).any();
}
