// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages are the solution of a system of differences: an edge (from, to, distance) asks that `to` runs at
// least `distance` trips after `from`. Operation o of iteration i runs in trip i + stage(o), so:
//   value defined by d, used by u          stage(u) >= stage(d) + latency(d, u)
//   carried value: next one by d, used by u  stage(u) >= stage(d), the use is one iteration later
//   rotating ring of S slots               stage(read) = stage(write) + S - 1: data have S - 1 trips to
//   arrive,
//                                          and the slot is written again in the trip after the read
//   memory that is not rotated             all accesses in one stage, in program order
// The earliest solution gives the number of stages, the latest one within it is taken: whatever feeds no
// access of memory ends up in the last stage, where it runs exactly as often as in the source. Earlier stages
// run beyond the last iteration; only operations that may do so get there.
#include "PipelineScheduler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace lowp::tile {
namespace {

/// The pointer behind a view, null when it is not known.
Value baseOf(Value view) {
  auto op = view.getDefiningOp<ViewOp>();
  return op ? op.getBase() : Value();
}

/// Calls `visit` for the operands of `op` and those of its regions that come from outside of it.
void forEachOperand(Operation *op, function_ref<void(Value)> visit) {
  for (Value operand : op->getOperands())
    visit(operand);
  visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *operand) { visit(operand->get()); });
}

Footprint footprintOf(Operation *op) {
  Footprint footprint;
  op->walk([&](Operation *nested) {
    if (std::optional<LdsAccess> access = LdsAccess::of(nested))
      footprint.lds.push_back(*access);
    if (auto load = dyn_cast<LoadOp>(nested))
      footprint.globalReads.push_back(baseOf(load.getView()));
    else if (auto copy = dyn_cast<AsyncCopyOp>(nested))
      footprint.globalReads.push_back(baseOf(copy.getView()));
    else if (auto store = dyn_cast<StoreOp>(nested))
      footprint.globalWrites.push_back(baseOf(store.getView()));
    else if (!LdsAccess::of(nested) && !nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
             !isMemoryEffectFree(nested))
      footprint.unknown = nested;
  });
  return footprint;
}

/// Whether `op` may run for iterations beyond the last one. Views are bounded, so that loads and copies may.
bool mayRunBeyond(scf::ForOp loop, Operation *op) {
  return !op->walk([&](Operation *nested) {
              if (isa<StoreOp>(nested))
                return WalkResult::interrupt();
              if (isa<LoadOp, AsyncCopyOp, LocalLoadOp, LocalStoreOp>(nested) || isSpeculatable(nested))
                return WalkResult::advance();
              if (nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  nested->hasTrait<OpTrait::IsTerminator>())
                return WalkResult::advance();
              // A division by what the loop does not change has been carried out by the first iteration.
              bool division = isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp,
                                  arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(nested);
              if (division && nested == op && loop.isDefinedOutsideOfLoop(nested->getOperand(1)))
                return WalkResult::advance();
              return WalkResult::interrupt();
            }).wasInterrupted();
}

} // namespace

LogicalResult Scheduler::collect() {
  for (Value yielded : body.getTerminator()->getOperands()) {
    Operation *def = yielded.getDefiningOp();
    if (!def || def->getBlock() != &body)
      return fail("a carried value is handed on without being computed in the loop", body.getTerminator());
  }
  collectAddressArithmetic();
  for (Operation &op : body.without_terminator()) {
    if (address.contains(&op))
      continue;
    index[&op] = nodes.size();
    nodes.push_back(&op);
    Footprint footprint = footprintOf(&op);
    if (footprint.unknown)
      return fail("the effects of an operation are not known", footprint.unknown);
    footprints[&op] = std::move(footprint);
  }
  return success();
}

/// Address arithmetic depends on nothing but the induction variable and values from outside. It costs less to
/// repeat than to carry.
void Scheduler::collectAddressArithmetic() {
  for (Operation &op : body.without_terminator()) {
    auto scalar = [](Type type) { return !isa<ShapedType>(type); };
    auto known = [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      return operand == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(operand) ||
             (def && address.contains(def));
    };
    bool yielded = llvm::is_contained(op.getUsers(), body.getTerminator());
    if (op.getNumRegions() == 0 && isMemoryEffectFree(&op) && mayRunBeyond(loop, &op) && !yielded &&
        llvm::all_of(op.getResultTypes(), scalar) && llvm::all_of(op.getOperands(), known))
      address.insert(&op);
  }
}

/// The tile of `load` reaches LDS without any computation: through layout conversions and local stores only.
bool Scheduler::feedsOnlyRings(Operation *op) const {
  return !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
    if (isa<LocalStoreOp>(user))
      return isRotating(user);
    return isa<ConvertLayoutOp>(user) && user->getBlock() == &body && feedsOnlyRings(user);
  });
}

/// A ring rotates when the loop alone uses it and each iteration fills it once, from global memory, and reads
/// it afterwards.
void Scheduler::findRotatingRings() {
  auto fromGlobal = [&](Operation *op) {
    if (isa<AsyncCopyOp>(op))
      return true;
    auto store = dyn_cast<LocalStoreOp>(op);
    if (!store)
      return false;
    Operation *def = store.getValue().getDefiningOp();
    while (auto conversion = dyn_cast_or_null<ConvertLayoutOp>(def))
      def = conversion.getSource().getDefiningOp();
    return isa_and_nonnull<LoadOp>(def) && def->getBlock() == &body;
  };
  llvm::SetVector<AllocOp> rings;
  for (Operation *op : nodes)
    for (LdsAccess &access : footprints[op].lds)
      if (access.ring)
        rings.insert(access.ring);
  for (AllocOp ring : rings) {
    Operation *writer = nullptr;
    bool rotates = cast<LocalType>(ring.getResult().getType()).getStages() == 1;
    for (Operation *user : ring->getUsers()) {
      rotates &= user->getBlock() == &body;
      if (isa<LocalLoadOp>(user))
        continue;
      rotates &= !writer && fromGlobal(user);
      writer = user;
    }
    rotates = rotates && writer && llvm::all_of(ring->getUsers(), [&](Operation *user) {
                return user == writer || writer->isBeforeInBlock(user);
              });
    if (rotates)
      result.rotating.insert(ring);
  }
}

int Scheduler::latency(Operation *def, Operation *user) const {
  if (request.order) // distances are in clusters there
    return 0;
  if (isa<LoadOp>(def)) {
    bool toRing = isRotating(user) || (isa<ConvertLayoutOp>(user) && feedsOnlyRings(user));
    return toRing ? 1 : request.slots - 1;
  }
  if (isa<LocalLoadOp>(def) && isRotating(def))
    return request.readAhead;
  return 0;
}

/// The operation of the body that makes `value`, by way of the yield when it is carried.
Operation *Scheduler::definition(Value value, bool &carried) {
  carried = false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != &body || argument == loop.getInductionVar())
      return nullptr;
    carried = true;
    value = loop.getTiedLoopYieldedValue(argument)->get();
  }
  Operation *def = value.getDefiningOp();
  return def && index.contains(def) ? def : nullptr;
}

void Scheduler::addValueEdges() {
  for (Operation *op : nodes)
    forEachOperand(op, [&](Value operand) {
      bool carried;
      if (Operation *def = definition(operand, carried))
        edge(def, op, carried ? 0 : latency(def, op));
    });
}

void Scheduler::addMemoryEdges() {
  if (!request.order)
    for (AllocOp ring : result.rotating) {
      Operation *writer = ringWriter(ring);
      for (Operation *read : ringReads(ring)) {
        edge(writer, read, request.slots - 1);
        edge(read, writer, -int(request.slots - 1));
      }
    }
  // Everything else keeps program order within one stage. Different base pointers are different memory.
  auto mayAlias = [](Value a, Value b) { return !a || !b || a == b; };
  for (auto [i, second] : llvm::enumerate(nodes))
    for (Operation *first : ArrayRef(nodes).take_front(i)) {
      Footprint &a = footprints[first], &b = footprints[second];
      bool conflict = llvm::any_of(a.lds, [&](LdsAccess &x) {
        return llvm::any_of(b.lds, [&](LdsAccess &y) {
          return mayOverlap(x.ring, y.ring) && !(x.ring && result.rotating.contains(x.ring)) &&
                 !(y.ring && result.rotating.contains(y.ring));
        });
      });
      auto writesInto = [&](ArrayRef<Value> writes, ArrayRef<Value> others) {
        return llvm::any_of(writes, [&](Value write) {
          return llvm::any_of(others, [&](Value other) { return mayAlias(write, other); });
        });
      };
      conflict |= writesInto(a.globalWrites, b.globalReads) || writesInto(a.globalWrites, b.globalWrites) ||
                  writesInto(b.globalWrites, a.globalReads);
      if (conflict)
        tie(first, second);
    }
}

LogicalResult Scheduler::solve() {
  // Earliest stages: relax until nothing moves. More rounds than nodes mean a cycle that cannot be satisfied.
  stage.assign(nodes.size(), 0);
  auto relax = [&](auto step) -> LogicalResult {
    for (size_t round = 0; round <= nodes.size(); ++round) {
      bool moved = false;
      for (Edge &e : edges)
        moved |= step(e);
      if (!moved)
        return success();
    }
    for (Edge &e : edges)
      if (step(e))
        return fail("its dependences form a cycle with a latency in it", nodes[e.to]);
    return success();
  };
  if (failed(relax([&](Edge &e) {
        bool moves = stage[e.to] < stage[e.from] + e.distance;
        stage[e.to] = std::max(stage[e.to], stage[e.from] + e.distance);
        return moves;
      })))
    return failure();
  int last = stage.empty() ? 0 : *llvm::max_element(stage);
  // Latest stages: the same from the other end.
  stage.assign(nodes.size(), last);
  (void)relax([&](Edge &e) {
    bool moves = stage[e.from] > stage[e.to] - e.distance;
    stage[e.from] = std::min(stage[e.from], stage[e.to] - e.distance);
    return moves;
  });
  for (auto [op, s] : llvm::zip_equal(nodes, stage))
    stageOf[op] = s;
  result.lastStage = last;
  return success();
}

LogicalResult Scheduler::checkLastStage() {
  unsigned last = result.lastStage;
  for (Operation *op : nodes) {
    bool oneSlot = llvm::any_of(footprints[op].lds, [&](LdsAccess &access) {
      return !access.ring || !result.rotating.contains(access.ring);
    });
    if (stageOf[op] != last && (oneSlot || !mayRunBeyond(loop, op)))
      return fail("an operation that must not run beyond the last iteration feeds a copy or load", op);
  }
  // The expansion runs stage s of iterations 0 .. last - s - 1 before the loop, however few there are; the
  // value that leaves the loop is right for one iteration already when that is at most iteration 0.
  for (auto [value, yielded] : llvm::zip_equal(loop.getResults(), body.getTerminator()->getOperands()))
    if (!value.use_empty() && stageOf[yielded.getDefiningOp()] + 1 < last)
      return fail("a value that leaves the loop is computed more than one stage before the last",
                  yielded.getDefiningOp());
  return success();
}

void Scheduler::cloneAddressArithmetic() {
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    if (address.contains(&op))
      ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    // Users come later in the block, hence have their stage. Regions count as the operation of the body.
    auto userStage = [&](OpOperand &use) {
      return stageOf.lookup(body.findAncestorOpInBlock(*use.getOwner()));
    };
    llvm::MapVector<unsigned, Operation *> clones;
    for (OpOperand &use : op->getUses()) {
      unsigned s = userStage(use);
      if (!clones.contains(s))
        clones[s] = clones.empty() ? op : nullptr;
    }
    if (clones.empty()) {
      stageOf[op] = result.lastStage;
      continue;
    }
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    for (auto &[s, clone] : clones) {
      if (!clone)
        clone = builder.clone(*op);
      stageOf[clone] = s;
      address.insert(clone);
    }
    for (OpResult value : op->getResults())
      for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
        use.set(clones[userStage(use)]->getResult(value.getResultNumber()));
  }
}

int Scheduler::rankInTrip(Operation *op) const {
  if (address.contains(op))
    return -1;
  constexpr int kinds = 4;
  // Interleaved, writes come first: the cluster's barrier waits for them, and not for the reads behind them.
  bool writesFirst = request.order == Order::Interleave;
  int read = writesFirst ? 1 : 0, write = writesFirst ? 0 : 1;
  auto kind = [&] {
    if (isRotating(op))
      return isa<LocalLoadOp>(op) ? read : isa<LocalStoreOp>(op) ? write : 2;
    if (isa<LoadOp>(op) || (isa<ConvertLayoutOp>(op) && feedsOnlyRings(op)))
      return isa<LoadOp>(op) ? 2 : write;
    return 3;
  };
  int cluster = clusters ? clusterAt(time.lookup(op)) : 0;
  return cluster * kinds + kind();
}

/// The steady state, or each of its clusters: address arithmetic, then reads of rotating rings, then what
/// refills them, then the computation in program order. With all reads before all refills, one barrier at the
/// top serves both: slots refilled in this trip were read in the one before.
void Scheduler::order() {
  SmallVector<Operation *> waiting;
  for (Operation &op : body.without_terminator())
    waiting.push_back(&op);
  llvm::stable_sort(waiting, [&](Operation *a, Operation *b) { return rankInTrip(a) < rankInTrip(b); });

  DenseSet<Operation *> done;
  auto ready = [&](Operation *op) {
    auto sameStageBefore = [&](Operation *other) {
      return other && other->getBlock() == &body && stageOf[other] == stageOf[op] && !done.contains(other);
    };
    bool blocked = llvm::any_of(before.lookup(op), sameStageBefore);
    forEachOperand(op, [&](Value operand) { blocked |= sameStageBefore(operand.getDefiningOp()); });
    return !blocked;
  };
  while (!waiting.empty()) {
    auto *next = llvm::find_if(waiting, ready);
    Operation *op = *next;
    result.order.push_back({op, stageOf[op]});
    done.insert(op);
    waiting.erase(next);
  }
}

/// A load that runs ahead of what uses it stands behind the last use of the tile before it: the new tile may
/// then have that one's registers, and nothing is copied from trip to trip. The mark keeps it there.
void Scheduler::refillInPlace() {
  DenseMap<Operation *, unsigned> place;
  for (auto [number, entry] : llvm::enumerate(result.order))
    place[entry.first] = number;
  DenseMap<Operation *, SmallVector<Operation *>> behind;
  for (auto [op, s] : result.order) {
    if (!isa<LoadOp>(op) || op->use_empty())
      continue;
    Operation *last = nullptr;
    bool ahead = true;
    for (Operation *user : op->getUsers()) {
      Operation *inBody = body.findAncestorOpInBlock(*user);
      ahead &= place.contains(inBody) && stageOf.lookup(inBody) > s && !isRotating(inBody);
      if (ahead && (!last || place[last] < place[inBody]))
        last = inBody;
    }
    if (!ahead || place[last] < place[op])
      continue;
    behind[last].push_back(op);
    op->setAttr("tile.refill", UnitAttr::get(op->getContext()));
  }
  DenseSet<Operation *> moved;
  for (auto &[last, loads] : behind)
    moved.insert(loads.begin(), loads.end());
  std::vector<std::pair<Operation *, unsigned>> list;
  for (auto entry : result.order) {
    if (!moved.contains(entry.first))
      list.push_back(entry);
    for (Operation *load : behind.lookup(entry.first))
      list.push_back({load, stageOf.lookup(load)});
  }
  result.order = std::move(list);
}

FailureOr<PipelineSchedule> Scheduler::run() {
  if (failed(collect()))
    return failure();
  findRotatingRings();
  addValueEdges();
  addMemoryEdges();
  if (failed(request.order ? solveByClusters() : solve()) || failed(checkLastStage()))
    return failure();
  cloneAddressArithmetic();
  order();
  if (!request.order)
    refillInPlace();
  for (auto [op, when] : time)
    result.cluster[op] = clusterAt(when);
  return std::move(result);
}

FailureOr<PipelineSchedule> scheduleLoop(scf::ForOp loop, const PipelineRequest &request, std::string &reason,
                                         Operation *&culprit) {
  Scheduler scheduler(loop, request);
  FailureOr<PipelineSchedule> schedule = scheduler.run();
  reason = scheduler.reason;
  culprit = scheduler.culprit;
  return schedule;
}

} // namespace lowp::tile
