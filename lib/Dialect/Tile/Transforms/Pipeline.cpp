// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-pipeline: schedules each marked loop (PipelineSchedule.cpp), lets upstream's expansion cut it into a
// prologue and a steady state, and gives the rotating rings their slots. There is no epilogue: the steady
// state makes as many trips as the source, earlier stages run beyond the end, and what they bring is not
// used. So any trip count from 1 up is right, and so is 0 for a loop that hands on its initial values.
//
// The slot of an access is the number of the iteration it belongs to: a constant in the prologue, the trip
// number plus a constant in the steady state. It is written here, not derived from the expanded arithmetic.
#include "LdsAccess.h"
#include "PipelineSchedule.h"

#include "lowp/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace lowp::tile {
#define GEN_PASS_DEF_TILEPIPELINE
#include "lowp/Dialect/Tile/Transforms/Passes.h.inc"

namespace {

constexpr llvm::StringLiteral kStages = "tile.stages", kReadAhead = "tile.read_ahead", kOrder = "tile.order";
/// On an access of a rotating ring, while the loop is expanded: its stage.
constexpr llvm::StringLiteral kAccessStage = "tile.access_stage";
/// On an operation of the body, while the loop is expanded: its cluster.
constexpr llvm::StringLiteral kCluster = "tile.in_cluster";

/// The trip number of `loop`, as index, at the start of its body.
Value tripNumber(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  builder.setInsertionPointToStart(loop.getBody());
  Value trip = loop.getInductionVar();
  if (getConstantIntValue(loop.getLowerBound()) != 0)
    trip = arith::SubIOp::create(builder, loc, trip, loop.getLowerBound());
  if (getConstantIntValue(loop.getStep()) != 1)
    trip = arith::DivUIOp::create(builder, loc, trip, loop.getStep());
  if (!trip.getType().isIndex())
    trip = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), trip);
  return trip;
}

/// Value `value` of the loop's body with the induction variable replaced; made anew as far as it depends on
/// it.
Value withInductionVariable(OpBuilder &builder, scf::ForOp loop, Value value, Value replacement) {
  if (value == loop.getInductionVar())
    return replacement;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || !isPure(op) || op->getNumRegions() != 0)
    return value;
  IRMapping mapping;
  bool changed = false;
  for (Value operand : op->getOperands()) {
    Value mapped = withInductionVariable(builder, loop, operand, replacement);
    changed |= mapped != operand;
    mapping.map(operand, mapped);
  }
  return changed ? builder.clone(*op, mapping)->getResult(cast<OpResult>(value).getResultNumber()) : value;
}

/// Loads and copies that will run ahead of the loop stay at its last iteration instead of passing the end:
/// what they bring there is not used, but their claims to be in bounds must stay true.
void clampAccesses(scf::ForOp loop) {
  SmallVector<Operation *> accesses;
  for (Operation &op : loop.getBody()->without_terminator())
    if (isa<LoadOp, AsyncCopyOp>(op))
      accesses.push_back(&op);
  if (accesses.empty())
    return;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), step = loop.getStep();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(step.getType(), value));
  };
  Value length = arith::SubIOp::create(builder, loc, loop.getUpperBound(), lower);
  Value trips =
      arith::DivUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, length, constant(1)), step);
  Value last = arith::AddIOp::create(builder, loc, lower, arith::MulIOp::create(builder, loc, trips, step));
  for (Operation *access : accesses) {
    builder.setInsertionPoint(access);
    Value clamped = arith::MinUIOp::create(builder, loc, loop.getInductionVar(), last);
    MutableOperandRange offsets = isa<LoadOp>(access) ? cast<LoadOp>(access).getOffsetsMutable()
                                                      : cast<AsyncCopyOp>(access).getOffsetsMutable();
    for (OpOperand &offset : offsets)
      offset.set(withInductionVariable(builder, loop, offset.get(), clamped));
    if (clamped.use_empty())
      clamped.getDefiningOp()->erase();
  }
}

struct TilePipelinePass : impl::TilePipelineBase<TilePipelinePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops; // inner ones first
    WalkResult marks = getOperation()->walk([&](scf::ForOp loop) {
      Attribute mark = loop->getAttr(kStages);
      if (!mark)
        return WalkResult::advance();
      auto stages = dyn_cast<IntegerAttr>(mark);
      if (!stages || !stages.getType().isInteger(32) || stages.getInt() < 1 || stages.getInt() > 16) {
        loop.emitOpError() << "'" << kStages << "' must be an i32 from 1 to 16, but is " << mark;
        return WalkResult::interrupt();
      }
      if (Attribute order = loop->getAttr(kOrder); order && !isa<OrderAttr>(order)) {
        loop.emitOpError() << "'" << kOrder << "' must be 1 : i32 (interleave) or 2 : i32 (pingpong), but is "
                           << order;
        return WalkResult::interrupt();
      }
      if (stages.getInt() >= 2 || loop->hasAttr(kOrder))
        loops.push_back(loop);
      else
        loop->removeAttr(kStages);
      return WalkResult::advance();
    });
    if (marks.wasInterrupted())
      return signalPassFailure();
    // Rings live as long as the kernel: none is made anew by an iteration.
    if (loops.empty())
      return;
    Block &kernel = getOperation().getBody().front();
    SmallVector<AllocOp> rings;
    getOperation().walk([&](AllocOp ring) { rings.push_back(ring); });
    for (AllocOp ring : llvm::reverse(rings))
      if (ring->getBlock() != &kernel)
        ring->moveBefore(&kernel, kernel.begin());
    for (scf::ForOp loop : loops)
      if (failed(pipeline(loop)))
        return signalPassFailure();

    RewritePatternSet patterns(&getContext());
    for (StringRef dialect : {"arith", "scf"})
      if (Dialect *loaded = getContext().getLoadedDialect(dialect))
        loaded->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName name : getContext().getRegisteredOperations())
      if (name.getDialectNamespace() == "arith" || name.getDialectNamespace() == "scf")
        name.getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    eliminateCommonSubExpressions(rewriter, getAnalysis<DominanceInfo>(), getOperation());
  }

private:
  LogicalResult pipeline(scf::ForOp loop);
};

/// Puts `members`, operations of one block, into a tile.cluster.
ClusterOp formCluster(Order order, ArrayRef<Operation *> members) {
  Block &around = *members.front()->getBlock();
  DenseSet<Operation *> inside(members.begin(), members.end());
  SetVector<Value> results;
  for (Operation *op : members)
    for (Value value : op->getResults())
      if (llvm::any_of(value.getUsers(), [&](Operation *user) {
            return !inside.contains(around.findAncestorOpInBlock(*user));
          }))
        results.insert(value);
  OpBuilder builder(members.back());
  SmallVector<Value> values = results.takeVector();
  Location loc = members.front()->getLoc();
  auto cluster = ClusterOp::create(builder, loc, TypeRange(ValueRange(values)), order);
  Block *block = builder.createBlock(&cluster.getBody());
  for (Operation *op : members)
    op->moveBefore(block, block->end());
  for (auto [value, result] : llvm::zip_equal(values, cluster.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) { return !cluster->isAncestor(use.getOwner()); });
  builder.setInsertionPointToEnd(block);
  YieldOp::create(builder, loc, values);
  return cluster;
}

/// The clusters of the prologue, then those of the steady state, each with a barrier at its end. What the
/// barriers have to wait for is tile-synchronize's to find. The prologue is in clusters so that its copies
/// and loads stay in this order: waits count them.
///
/// In order `pingpong` there is another barrier in front of the products, which waits for what they read, and
/// the second half of the waves is one barrier behind in the steady state.
void formClusters(scf::ForOp loop, Order order, ArrayRef<SmallVector<Operation *>> prologue,
                  ArrayRef<SmallVector<Operation *>> steady) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto barrier = [&](unsigned local = BarrierOp::noLocalWait) {
    BarrierOp::create(builder, loc, local)->setAttr(kDerivedBarrier, builder.getUnitAttr());
  };
  for (ArrayRef<Operation *> members : prologue)
    if (!members.empty())
      formCluster(order, members);
  barrier();
  if (order == Order::PingPong)
    StaggerOp::create(builder, loc, Stagger::Begin);
  for (ArrayRef<Operation *> members : steady) {
    ClusterOp cluster = formCluster(order, members);
    Block &body = cluster.getBody().front();
    auto *product = llvm::find_if(members, llvm::IsaPred<MmaOp>);
    if (order == Order::PingPong && product != members.end()) {
      builder.setInsertionPoint(*product);
      barrier(/*local=*/0);
    }
    builder.setInsertionPoint(body.getTerminator());
    barrier();
  }
  builder.setInsertionPointAfter(loop);
  if (order == Order::PingPong)
    StaggerOp::create(builder, loc, Stagger::End);
}

LogicalResult TilePipelinePass::pipeline(scf::ForOp loop) {
  PipelineRequest request;
  request.slots = cast<IntegerAttr>(loop->getAttr(kStages)).getInt();
  request.readAhead = loop->hasAttr(kReadAhead);
  if (auto order = loop->getAttrOfType<OrderAttr>(kOrder))
    request.order = order.getValue();
  unsigned slots = request.slots;
  for (StringRef mark : {kStages, kReadAhead, kOrder})
    loop->removeAttr(mark);
  std::string reason;
  Operation *culprit = nullptr;
  clampAccesses(loop);
  FailureOr<PipelineSchedule> schedule = scheduleLoop(loop, request, reason, culprit);
  if (failed(schedule)) {
    // The loop is right as it stands, only slow.
    InFlightDiagnostic remark = loop.emitRemark() << "loop is not pipelined: " << reason;
    if (culprit)
      remark.attachNote(culprit->getLoc()) << "see this operation";
    return success();
  }
  if (schedule->lastStage == 0)
    return success();
  auto attributes = llvm::to_vector(loop->getDiscardableAttrs());

  IRRewriter rewriter(loop);
  for (auto [op, stage] : schedule->order)
    if (auto access = LdsAccess::of(op); access && access->ring && schedule->rotating.contains(access->ring))
      op->setAttr(kAccessStage, rewriter.getI32IntegerAttr(stage));
  unsigned clusterCount = 0;
  for (auto [op, cluster] : schedule->cluster) {
    op->setAttr(kCluster, rewriter.getI32IntegerAttr(cluster));
    clusterCount = std::max(clusterCount, cluster + 1);
  }
  SmallVector<SmallVector<Operation *>> steadyClusters(clusterCount),
      prologueClusters(clusterCount * schedule->lastStage);

  // Accesses of the steady state, with what to add to the trip number.
  SmallVector<std::pair<Operation *, unsigned>> steady;
  scf::PipeliningOption options;
  options.getScheduleFn = [&](scf::ForOp, auto &order) { order = schedule->order; };
  options.peelEpilogue = false;
  options.supportDynamicLoops = true;
  options.predicateFn = [](RewriterBase &, Operation *op, Value) { return op; };
  using Part = scf::PipeliningOption::PipelinerPart;
  options.annotateFn = [&](Operation *op, Part part, unsigned iteration) {
    auto cluster = dyn_cast_or_null<IntegerAttr>(op->removeAttr(kCluster));
    if (cluster && part == Part::Kernel)
      steadyClusters[cluster.getInt()].push_back(op);
    else if (cluster)
      prologueClusters[iteration * clusterCount + cluster.getInt()].push_back(op);
    auto mark = dyn_cast_or_null<IntegerAttr>(op->removeAttr(kAccessStage));
    if (!mark)
      return;
    unsigned stage = mark.getInt();
    if (part == Part::Kernel) {
      steady.push_back({op, schedule->lastStage - stage});
      return;
    }
    OpBuilder builder(op);
    LdsAccess::of(op)->slot->set(
        arith::ConstantIndexOp::create(builder, op->getLoc(), (iteration - stage) % slots));
  };
  bool modified = false;
  Location loc = loop.getLoc();
  FailureOr<scf::ForOp> expanded = scf::pipelineForLoop(rewriter, loop, options, &modified);
  if (failed(expanded))
    return emitError(loc) << "loop could not be expanded into " << schedule->lastStage + 1 << " stages";

  (*expanded)->setDiscardableAttrs(attributes);
  for (AllocOp ring : schedule->rotating) {
    auto type = cast<LocalType>(ring.getResult().getType());
    ring.getResult().setType(
        LocalType::get(type.getContext(), type.getShape(), type.getElementType(), slots, type.getLayout()));
  }
  if (request.order)
    formClusters(*expanded, *request.order, prologueClusters, steadyClusters);
  if (steady.empty() || slots == 1)
    return success();
  OpBuilder builder(*expanded);
  Value trip = tripNumber(builder, *expanded);
  llvm::SmallDenseMap<unsigned, Value> slotOf;
  for (auto [op, ahead] : steady) {
    Value &slot = slotOf[ahead];
    if (!slot)
      slot = ahead == 0 ? trip
                        : arith::AddIOp::create(builder, loc, trip,
                                                arith::ConstantIndexOp::create(builder, loc, ahead));
    LdsAccess::of(op)->slot->set(slot);
  }
  return success();
}

} // namespace
} // namespace lowp::tile
