// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters keep their region through tile-to-lanes, with one lane's values in place of tiles.
// lanes-order-clusters then takes the region apart: instruction by instruction in the written order, with
// scheduling barriers between, so that LLVM keeps it.
//
// Interleave: n matrix instructions, and m instructions of a kind of access, of which number i stands behind
// matrix instruction i (n - 2) / m. Writes to LDS stand behind the first ones, one each, and reads behind
// them, so that a wait can tell them apart. The wait and the barrier at the end stand in front of the last
// two matrix instructions. Computation follows what it needs; what needs nothing of the matrix instructions
// and feeds an access or one of them goes in front of that.
//
// Ping-pong: accesses, writes and then transfers dealt out between the reads; the wait and the barrier in
// front of the matrix instructions; the matrix instructions at priority 1, so that they win over the accesses
// of the other half of the waves; the barrier at the end stands in front of the last two, which have
// priority 2.

#include "Lanes.h"
#include "Mover.h"
#include "lowp/Conversion/TileToLanes/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lowp::tile {
#define GEN_PASS_DEF_CARRYLOOPANNOTATIONS
#define GEN_PASS_DEF_LANESORDERCLUSTERS
#include "lowp/Conversion/TileToLanes/Passes.h.inc"
} // namespace lowp::tile

using namespace mlir;
using namespace lowp::tile;

namespace {

struct LowerCluster : LanePattern<ClusterOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(ClusterOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    SmallVector<size_t> counts;
    for (Type type : op.getResultTypes()) {
      size_t before = types.size();
      if (failed(getTypeConverter()->convertType(type, types)))
        return failure();
      counts.push_back(types.size() - before);
    }
    auto cluster = ClusterOp::create(rewriter, op.getLoc(), types, op.getOrder());
    rewriter.inlineRegionBefore(op.getBody(), cluster.getBody(), cluster.getBody().end());
    SmallVector<SmallVector<Value>> values;
    ValueRange rest = cluster.getResults();
    for (size_t count : counts) {
      values.emplace_back(rest.take_front(count));
      rest = rest.drop_front(count);
    }
    rewriter.replaceOpWithMultiple(op, values);
    return success();
  }
};

struct LowerYield : LanePattern<YieldOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(YieldOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    for (ValueRange parts : adaptor.getValues())
      llvm::append_range(values, parts);
    rewriter.replaceOpWithNewOp<YieldOp>(op, values);
    return success();
  }
};

enum class Kind { Matrix, Read, Write, Transfer, Sync, Other };

Kind kindOf(Operation *op) {
  if (isa<amdgpu::MFMAOp>(op))
    return Kind::Matrix;
  if (isa<LLVM::LoadOp>(op))
    return Kind::Read;
  if (isa<LLVM::StoreOp>(op))
    return Kind::Write;
  if (isa<ROCDL::RawPtrBufferLoadOp, ROCDL::RawPtrBufferLoadLdsOp>(op))
    return Kind::Transfer;
  if (isa<scf::IfOp>(op)) { // a write by some lanes
    bool writes = op->walk([](LLVM::StoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
    return writes ? Kind::Write : Kind::Other;
  }
  if (isa<ROCDL::SWaitcntOp, ROCDL::SBarrierOp, ROCDL::SchedBarrier>(op))
    return Kind::Sync;
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return assembly.getHasSideEffects() ? Kind::Sync : Kind::Other;
  return Kind::Other;
}

/// The last matrix instructions, issued behind the barrier, whose latency they cover.
constexpr size_t behindBarrier = 2;

/// What the orders share: the parts of a cluster, and moving them out of it.
class Writer {
public:
  explicit Writer(ClusterOp cluster)
      : cluster(cluster), builder(cluster), mover(operationsOf(cluster), cluster) {
    for (Operation *op : operationsOf(cluster)) {
      if (kindOf(op) == Kind::Sync)
        (matrix.empty() ? syncsBefore : syncsBehind).push_back(op);
      (kindOf(op) == Kind::Matrix ? matrix : others).push_back(op);
    }
    // Behind one matrix instruction at least, as the accesses are.
    ahead = std::max(matrix.size(), behindBarrier + 1) - behindBarrier;
    writes = accesses(Kind::Write);
    reads = accesses(Kind::Read);
    transfers = accesses(Kind::Transfer);
    noneDepends = writes.size() + reads.size() + transfers.size() == size_t(llvm::count_if(others, isAccess));
  }

protected:
  static SmallVector<Operation *> operationsOf(ClusterOp cluster) {
    return llvm::map_to_vector(cluster.getBody().front().without_terminator(),
                               [](Operation &op) { return &op; });
  }
  static bool isAccess(Operation *op) {
    return llvm::is_contained({Kind::Read, Kind::Write, Kind::Transfer}, kindOf(op));
  }

  /// The accesses of a kind that do not depend on this cluster's products.
  SmallVector<Operation *> accesses(Kind kind) {
    SmallVector<Operation *> found;
    for (Operation *op : others) {
      llvm::SetVector<Operation *> slice;
      if (kindOf(op) == kind)
        mover.collect(op, slice);
      if (!slice.empty() &&
          llvm::none_of(slice, [](Operation *part) { return kindOf(part) == Kind::Matrix; }))
        found.push_back(op);
    }
    return found;
  }

  void move(ArrayRef<Operation *> operations) {
    for (Operation *op : operations)
      mover.move(op);
  }
  /// Several accesses of one stretch, of which the waits count those behind one: of one counter they stay in
  /// this order. A scheduling barrier that lets computation cross was seen to let a read cross as well.
  void moveInOrder(ArrayRef<Operation *> accesses) {
    auto usesLds = [](Operation *op) { return kindOf(op) != Kind::Transfer; }; // and so which counter
    for (auto [i, op] : llvm::enumerate(accesses)) {
      mover.move(op);
      if (i + 1 < accesses.size() && usesLds(op) == usesLds(accesses[i + 1]))
        fence();
    }
  }
  void fence() { ROCDL::SchedBarrier::create(builder, cluster.getLoc(), 0); }

  /// The rest: what depends on products, and what is handed on. Without products, everything as it stands.
  void finish() {
    for (Operation *op : others)
      if (mover.move(op) && kindOf(op) != Kind::Other)
        fence();
    auto yield = cast<YieldOp>(cluster.getBody().front().getTerminator());
    for (auto [result, value] : llvm::zip_equal(cluster.getResults(), yield.getValues()))
      result.replaceAllUsesWith(value);
    cluster.erase();
  }

  ClusterOp cluster;
  OpBuilder builder;
  Mover mover;
  SmallVector<Operation *> matrix, others, syncsBefore, syncsBehind, writes, reads, transfers;
  size_t ahead;     ///< matrix instructions in front of the wait and the barrier at the end
  bool noneDepends; ///< no access on this cluster's products: the barrier comes behind those that do
};

class Interleaver : Writer {
public:
  using Writer::Writer;

  void run() {
    // What does not depend on this cluster's products is dealt out between them, each kind evenly: writes as
    // soon as can be, reads behind them. An access that does comes behind all of them, and the barrier with
    // it.
    deal(writes, 0, std::min(writes.size(), ahead));
    deal(reads, std::min(writes.size(), ahead - 1), ahead);
    deal(transfers, 0, ahead);
    fence();
    for (auto [i, op] : llvm::enumerate(matrix)) {
      if (noneDepends && i == ahead) {
        move(syncsBefore);
        move(syncsBehind);
      }
      mover.move(op);
      moveInOrder(slots.lookup(i));
      fence();
    }
    finish();
  }

private:
  /// Deals `operations` out evenly behind the matrix instructions [from, end).
  void deal(ArrayRef<Operation *> operations, size_t from, size_t end) {
    for (auto [i, op] : llvm::enumerate(operations))
      slots[from + i * (end - from) / operations.size()].push_back(op);
  }

  DenseMap<size_t, SmallVector<Operation *>> slots; ///< accesses by the matrix instruction in front of them
};

class PingPonger : Writer {
public:
  using Writer::Writer;

  void run() {
    fence();
    if (!matrix.empty()) {
      for (size_t i = 0; i < steps(); ++i) {
        move(share(reads, i));
        move(share(writes, i));
        if (!writes.empty()) // a load goes into the registers that the write has read
          fence();
        // In one stretch with a read, M0 is set in front of it, the wait state apart that a transfer needs.
        move(share(transfers, i));
        fence();
      }
      move(syncsBefore);
      priority(1);
      for (auto [i, op] : llvm::enumerate(matrix)) {
        if (noneDepends && i == ahead) {
          priority(2); // the other half's matrix instructions, begun behind the barrier, come after these
          move(syncsBehind);
        }
        mover.move(op);
      }
      priority(0);
    }
    finish();
  }

private:
  size_t steps() { return std::max({reads.size(), writes.size(), transfers.size()}); }
  /// What step `i` has of `operations`, spread over all steps.
  ArrayRef<Operation *> share(ArrayRef<Operation *> operations, size_t i) {
    size_t from = i * operations.size() / steps(), to = (i + 1) * operations.size() / steps();
    return operations.slice(from, to - from);
  }
  void priority(unsigned level) {
    fence();
    ROCDL::SetPrioOp::create(builder, cluster.getLoc(), level);
    fence();
  }
};

void writeOut(ClusterOp cluster) {
  switch (cluster.getOrder()) {
  case Order::Interleave:
    return Interleaver(cluster).run();
  case Order::PingPong:
    return PingPonger(cluster).run();
  }
}

/// The name under which upstream's conversions hand a loop's annotation on.
constexpr StringLiteral kLoopAnnotation = "llvm.loop_annotation";

/// Asks LLVM not to unroll `loop`: in a copy of the last trip, reads for a trip that never comes would be
/// dropped, and the waits count them.
void keepWhole(scf::ForOp loop) {
  loop->setAttr(kLoopAnnotation,
                parseAttribute("#llvm.loop_annotation<unroll = <disable = true>>", loop.getContext()));
}

struct LanesOrderClustersPass : lowp::tile::impl::LanesOrderClustersBase<LanesOrderClustersPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<ClusterOp> clusters;
    getOperation().walk([&](ClusterOp cluster) { clusters.push_back(cluster); });
    for (ClusterOp cluster : clusters) {
      if (auto loop = dyn_cast<scf::ForOp>(cluster->getParentOp()))
        keepWhole(loop);
      writeOut(cluster);
    }
  }
};

struct CarryLoopAnnotationsPass : lowp::tile::impl::CarryLoopAnnotationsBase<CarryLoopAnnotationsPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      auto annotation = op->getAttrOfType<LLVM::LoopAnnotationAttr>(kLoopAnnotation);
      if (!annotation)
        return;
      llvm::TypeSwitch<Operation *>(op).Case<LLVM::BrOp, LLVM::CondBrOp>(
          [&](auto branch) { branch.setLoopAnnotationAttr(annotation); });
      op->removeDiscardableAttr(kLoopAnnotation);
    });
  }
};

} // namespace

void lowp::tile::populateClusterPatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                         LaneContext &context) {
  patterns.add<LowerCluster, LowerYield>(converter, context);
}
