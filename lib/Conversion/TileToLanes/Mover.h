// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts operations of lane code into a new order, each behind what it needs.
#ifndef LOWP_CONVERSION_TILETOLANES_MOVER_H
#define LOWP_CONVERSION_TILETOLANES_MOVER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace lowp::tile {

/// Moves `members`, one by one as they are asked for, in front of `end`.
class Mover {
public:
  Mover(llvm::ArrayRef<mlir::Operation *> members, mlir::Operation *end)
      : members(members.begin(), members.end()), end(end) {}

  /// Adds `op` and what it needs of the members, operands first.
  void collect(mlir::Operation *op, llvm::SetVector<mlir::Operation *> &slice) const {
    if (!members.contains(op) || slice.contains(op))
      return;
    op->walk([&](mlir::Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        if (mlir::Operation *producer = operand.getDefiningOp())
          collect(producer, slice);
    });
    slice.insert(op);
  }

  /// Moves `op`, and before it what it needs and has not been moved yet. Whether it was not there already.
  bool move(mlir::Operation *op) {
    if (moved.contains(op))
      return false;
    llvm::SetVector<mlir::Operation *> slice;
    collect(op, slice);
    for (mlir::Operation *part : slice)
      if (moved.insert(part).second)
        part->moveBefore(end);
    return true;
  }

private:
  llvm::DenseSet<mlir::Operation *> members, moved;
  mlir::Operation *end;
};

} // namespace lowp::tile

#endif // LOWP_CONVERSION_TILETOLANES_MOVER_H
