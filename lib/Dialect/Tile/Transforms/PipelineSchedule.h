// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scheduler of tile-pipeline: gives each operation of a loop's body a stage and a place in the steady
// state. It changes no operation but clones address arithmetic, once per stage that uses it.
#ifndef LOWP_LIB_DIALECT_TILE_TRANSFORMS_PIPELINESCHEDULE_H
#define LOWP_LIB_DIALECT_TILE_TRANSFORMS_PIPELINESCHEDULE_H

#include "lowp/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace lowp::tile {

struct PipelineSchedule {
  /// The operations of the body in the order of the steady state, each with its stage.
  std::vector<std::pair<mlir::Operation *, unsigned>> order;
  unsigned lastStage = 0;
  /// The rings that get one slot per stage.
  llvm::SetVector<AllocOp> rotating;
};

/// Schedules `loop` for rings of `ringStages` slots; a tile read from a rotating ring is used `readAhead`
/// trips later. On failure the body is unchanged in meaning, and `reason` says why, with the operation at
/// fault in `culprit` where there is one.
mlir::FailureOr<PipelineSchedule> scheduleLoop(mlir::scf::ForOp loop, unsigned ringStages, unsigned readAhead,
                                               std::string &reason, mlir::Operation *&culprit);

} // namespace lowp::tile

#endif // LOWP_LIB_DIALECT_TILE_TRANSFORMS_PIPELINESCHEDULE_H
