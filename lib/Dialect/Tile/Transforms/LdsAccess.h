// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes of LDS an operation touches: the ring (a tile.alloc), and the slot as a function of the trip
// numbers of the loops around it. The pipeliner, the synchroniser and its verifier share these questions and
// nothing else.
#ifndef LOWP_LIB_DIALECT_TILE_TRANSFORMS_LDSACCESS_H
#define LOWP_LIB_DIALECT_TILE_TRANSFORMS_LDSACCESS_H

#include "lowp/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lowp::tile {

/// On a tile.barrier that tile-pipeline has placed: what it has to wait for is left to tile-synchronize.
constexpr llvm::StringLiteral kDerivedBarrier = "tile.derived";

enum class AccessKind { Read, Write, Copy };

/// One access of LDS. `ring` is null when the buffer is not the result of a tile.alloc.
struct LdsAccess {
  mlir::Operation *op;
  AccessKind kind;
  AllocOp ring;
  mlir::OpOperand *slot;

  /// The access that `op` makes itself (not by its regions).
  static std::optional<LdsAccess> of(mlir::Operation *op);
  unsigned stages() const;
};

/// Instructions that each wave is sure to issue for `op`: of an async_copy those of the copy counter, of LDS
/// accesses by registers those of the LDS counter. Only accesses of 16 bytes a lane are counted, since LLVM
/// may merge narrower ones; a count that is too low makes waits longer, never too short.
unsigned countedInstructions(mlir::Operation *op, unsigned waves);

/// Whether two rings may share bytes: a ring and itself, a buffer of unknown origin and anything, and
/// rings whose places (`tile.alloc at`) overlap.
bool mayOverlap(AllocOp a, AllocOp b);

/// A linear function of trip numbers and other values: sum of coefficient * value + constant. The induction
/// variable of a loop stands for the loop's trip number (0, 1, 2, ...) here, not for its own value.
struct TripFunction {
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> terms;
  int64_t constant = 0;

  /// Nothing when `value` is not of this form. It need only be right modulo `modulus`.
  static std::optional<TripFunction> of(mlir::Value value, int64_t modulus);

  TripFunction scaledAdd(const TripFunction &other, int64_t factor) const;
};

/// The number of trips of `loop` when it is a constant.
std::optional<int64_t> constantTripCount(mlir::scf::ForOp loop);

/// Whether `op` or an operation in its regions accesses LDS.
bool accessesLds(mlir::Operation *op);

} // namespace lowp::tile

#endif // LOWP_LIB_DIALECT_TILE_TRANSFORMS_LDSACCESS_H
