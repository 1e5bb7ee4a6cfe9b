// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is only needed behind a kernel's last loop must not hold registers in it, where they are scarcest.
// Addresses of an epilogue are arithmetic on the lane's number; LLVM computes what of it two places share at
// the first of them, in front of the loop, and keeps it. So behind the loop the lane's number is another
// value, of which LLVM knows the range only, and pointers into LDS that nothing else uses are made from it.

#include "Lanes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

void lowp::tile::separateBehindLoops(LLVM::LLVMFuncOp function, LaneContext &context) {
  Block &block = function.getBody().front();
  scf::ForOp last;
  for (auto loop : block.getOps<scf::ForOp>())
    last = loop;
  if (!last)
    return;
  auto isBehind = [&](Operation *user) {
    Operation *ancestor = block.findAncestorOpInBlock(*user);
    return ancestor && last->isBeforeInBlock(ancestor);
  };

  Location loc = last.getLoc();
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfter(last);
  Value opaque = anchor(builder, loc, context.lane, "=v,0");
  Value lane =
      arith::AndIOp::create(builder, loc, opaque, constantI32(builder, loc, context.target->waveSize() - 1));
  context.lane.replaceUsesWithIf(lane, [&](OpOperand &use) {
    return use.getOwner() != opaque.getDefiningOp() && isBehind(use.getOwner());
  });

  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) {
    return op != context.lane.getDefiningOp() && op != context.wave.getDefiningOp();
  };
  for (auto &[key, base] : context.ldsBases) {
    Operation *first = nullptr;
    bool isNeededBefore = base.use_empty();
    for (Operation *user : base.getUsers()) {
      isNeededBefore |= !isBehind(user);
      Operation *ancestor = block.findAncestorOpInBlock(*user);
      if (!first || ancestor->isBeforeInBlock(first))
        first = ancestor;
    }
    llvm::SetVector<Operation *> slice;
    if (isNeededBefore || failed(getBackwardSlice(base, &slice, options)))
      continue;
    builder.setInsertionPoint(first);
    IRMapping behind;
    behind.map(context.lane, lane);
    for (Operation *op : slice)
      builder.clone(*op, behind);
    base.replaceAllUsesWith(behind.lookup(base));
    base.getDefiningOp()->erase();
  }
}
