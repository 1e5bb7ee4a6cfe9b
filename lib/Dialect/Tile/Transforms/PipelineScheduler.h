// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dependence graph of one loop's body, and the two ways to schedule it: by stages alone
// (PipelineSchedule.cpp) and by clusters (PipelineClusters.cpp).
#ifndef LOWP_LIB_DIALECT_TILE_TRANSFORMS_PIPELINESCHEDULER_H
#define LOWP_LIB_DIALECT_TILE_TRANSFORMS_PIPELINESCHEDULER_H

#include "LdsAccess.h"
#include "PipelineSchedule.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

namespace lowp::tile {

struct Edge {
  unsigned from, to;
  int distance;
};

/// What an operation of the body, with its regions, touches in memory.
struct Footprint {
  llvm::SmallVector<LdsAccess> lds;
  llvm::SmallVector<mlir::Value> globalReads, globalWrites; ///< base pointers, null when unknown
  mlir::Operation *unknown = nullptr;                       ///< an operation whose effects are not known
};

class Scheduler {
public:
  Scheduler(mlir::scf::ForOp loop, const PipelineRequest &request)
      : loop(loop), body(*loop.getBody()), request(request) {}

  mlir::FailureOr<PipelineSchedule> run();
  std::string reason;
  mlir::Operation *culprit = nullptr;

private:
  mlir::LogicalResult fail(const llvm::Twine &why, mlir::Operation *at) {
    reason = why.str();
    culprit = at;
    return mlir::failure();
  }
  mlir::LogicalResult collect();
  void collectAddressArithmetic();
  void findRotatingRings();
  void addValueEdges();
  void addMemoryEdges();
  mlir::LogicalResult solve();
  mlir::LogicalResult checkLastStage();
  void cloneAddressArithmetic();
  void order();
  void refillInPlace();
  int rankInTrip(mlir::Operation *op) const;
  // By clusters.
  mlir::LogicalResult solveByClusters();
  llvm::SmallVector<mlir::Operation *> ringReads(AllocOp ring) const;
  mlir::Operation *ringWriter(AllocOp ring) const;
  void timeComputation();
  void timeReads();
  mlir::LogicalResult timeRefills();

  int latency(mlir::Operation *def, mlir::Operation *user) const;
  bool feedsOnlyRings(mlir::Operation *op) const;
  bool isRotating(mlir::Operation *op) const {
    std::optional<LdsAccess> access = LdsAccess::of(op);
    return access && access->ring && result.rotating.contains(access->ring);
  }
  mlir::Operation *definition(mlir::Value value, bool &carried);
  void edge(mlir::Operation *from, mlir::Operation *to, int distance) {
    edges.push_back({index.lookup(from), index.lookup(to), distance});
  }
  /// Same stage, and `first` before `second` in it.
  void tie(mlir::Operation *first, mlir::Operation *second) {
    if (first == second)
      return;
    edge(first, second, 0);
    edge(second, first, 0);
    before[second].push_back(first);
  }

  mlir::scf::ForOp loop;
  mlir::Block &body;
  const PipelineRequest &request;
  PipelineSchedule result;

  llvm::SmallVector<mlir::Operation *> nodes; ///< operations with a stage of their own
  llvm::DenseMap<mlir::Operation *, unsigned> index;
  llvm::DenseMap<mlir::Operation *, Footprint> footprints;
  llvm::DenseSet<mlir::Operation *>
      address; ///< scalar arithmetic on the induction variable: cloned as needed
  std::vector<Edge> edges;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> before;
  std::vector<int> stage;
  llvm::DenseMap<mlir::Operation *, unsigned> stageOf;
  /// By clusters: when an operation runs, in clusters since its iteration's first product.
  llvm::DenseMap<mlir::Operation *, int> time;
  int clusters = 0; ///< in one trip
  unsigned clusterAt(int when) const { return llvm::mod(when, clusters); }
};

} // namespace lowp::tile

#endif // LOWP_LIB_DIALECT_TILE_TRANSFORMS_PIPELINESCHEDULER_H
