// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scheduler of tile-pipeline: gives each operation of a loop's body a stage and a place in the steady
// state. It changes no operation but clones address arithmetic, once per stage that uses it.
#ifndef LOWP_LIB_DIALECT_TILE_TRANSFORMS_PIPELINESCHEDULE_H
#define LOWP_LIB_DIALECT_TILE_TRANSFORMS_PIPELINESCHEDULE_H

#include "lowp/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace lowp::tile {

/// What is asked of the schedule of one loop.
struct PipelineRequest {
  unsigned slots = 1;     ///< of a rotating ring
  bool readAhead = false; ///< a tile read from a rotating ring is used one trip later
  /// With an order, each product of the body begins a cluster, and accesses are dealt out over the clusters.
  std::optional<Order> order;
};

struct PipelineSchedule {
  /// The operations of the body in the order of the steady state, each with its stage.
  std::vector<std::pair<mlir::Operation *, unsigned>> order;
  unsigned lastStage = 0;
  /// With an order: the cluster of each operation of the steady state.
  llvm::DenseMap<mlir::Operation *, unsigned> cluster;
  /// The rings that get one slot per stage.
  llvm::SetVector<AllocOp> rotating;
};

/// Schedules `loop` as `request` says. On failure the body is unchanged in meaning, and `reason` says why,
/// with the operation at fault in `culprit` where there is one.
mlir::FailureOr<PipelineSchedule> scheduleLoop(mlir::scf::ForOp loop, const PipelineRequest &request,
                                               std::string &reason, mlir::Operation *&culprit);

} // namespace lowp::tile

#endif // LOWP_LIB_DIALECT_TILE_TRANSFORMS_PIPELINESCHEDULE_H
