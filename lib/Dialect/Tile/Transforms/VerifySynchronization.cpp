// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-verify-synchronization: runs a kernel with concrete slots, trip by trip, under the waits and barriers
// that are written, and knows nothing of how they were found. It follows sets of states (one per path through
// the branches); a loop is run until the set of states at its head repeats at the same phase of all rings,
// which covers every trip count. An access is wrong when some state holds a conflicting one that
//   is a copy which no wait covers on this path, or
//   has no barrier behind it (after its wait, if it is a copy), or only one where half of the waves are one
//   barrier behind the others (tile.stagger).
//
// What the proof stands without is slack. It is marked on request: a count may be one higher, or a barrier be
// left out, and every access is still safe. The reasons are that another wait or barrier comes between as
// well, or that the pass kept a barrier so that others wait for less. For this question more is known than
// the proof needs: the back end waits for a read before a product takes its result, in order with all earlier
// ones, and s_endpgm waits for everything (CDNA3 ISA manual, S_ENDPGM). Less is allowed, too: no write may
// pass a barrier unfinished, needed or not.
#include "LdsAccess.h"

#include "lowp/Dialect/Tile/Transforms/Passes.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <numeric>
#include <set>
#include <tuple>

using namespace mlir;

namespace lowp::tile {
#define GEN_PASS_DEF_TILEVERIFYSYNCHRONIZATION
#include "lowp/Dialect/Tile/Transforms/Passes.h.inc"

namespace {

/// An access that is not yet known to be finished in all waves.
struct Unfinished {
  Operation *op;
  AccessKind kind;
  AllocOp ring;
  int64_t slot;  ///< -1: not known
  bool inFlight; ///< in this wave
  unsigned issuedSince;
  unsigned met = 0; ///< barriers since this wave is done with it
  unsigned age = 0; ///< how often the operation was executed since

  bool operator<(const Unfinished &other) const {
    auto tuple = [](const Unfinished &u) {
      return std::make_tuple(u.op, u.slot, u.inFlight, u.issuedSince, u.met, u.age);
    };
    return tuple(*this) < tuple(other);
  }
};
using State = std::set<Unfinished>;
using States = std::set<State>;

/// Ages stop here, so that states stay finite.
constexpr unsigned oldest = 1 << 6;
/// The executions of reads whose data are in a value: the operation, and how often it was executed since.
using Reads = std::set<std::pair<Operation *, unsigned>>;

/// One thing of one operation that does less than is written.
struct Weakened {
  Operation *op = nullptr;
  enum { Copies, Local, Barrier } part = Copies;

  unsigned copies(WaitOp wait) const { return wait.getCopies() + (wait == op && part == Copies); }
  unsigned local(BarrierOp barrier) const { return barrier.getLocal() + (barrier == op && part == Local); }
  bool isDropped(BarrierOp barrier) const { return barrier == op && part == Barrier; }
};

class Checker {
public:
  explicit Checker(KernelOp kernel) : kernel(kernel) {}
  /// Whether the kernel is right even so; reports nothing.
  static bool standsWithout(KernelOp kernel, Weakened weakened) {
    Checker checker(kernel);
    checker.weakened = weakened;
    return succeeded(checker.run());
  }

  LogicalResult run() {
    if (!kernel.getBody().hasOneBlock())
      return kernel.emitOpError("must have one block, its control flow structured");
    States states = {State()};
    if (failed(block(kernel.getBody().front(), states)))
      return failure();
    return success(reported.empty());
  }

private:
  LogicalResult block(Block &block, States &states);
  LogicalResult loop(scf::ForOp loop, States &states);
  void access(const LdsAccess &access, States &states);
  void report(const LdsAccess &access, const Unfinished &other);
  int64_t slotOf(const LdsAccess &access);
  void atReturn(Operation *op, const States &states);
  void barrier(BarrierOp barrier, States &states);
  LogicalResult stagger(StaggerOp stagger, States &states);
  void follow(Operation &op, States &states);
  void yield(ValueRange from, ValueRange to);
  LogicalResult giveUp(Operation *op, const char *reason) {
    return weakened.op ? failure() : LogicalResult(op->emitError(reason));
  }

  static void change(States &states, function_ref<void(State &)> apply) {
    States result;
    for (State state : states) {
      apply(state);
      result.insert(std::move(state));
    }
    states = std::move(result);
  }

  KernelOp kernel;
  Weakened weakened;             ///< nothing, unless the question is what is slack
  DenseMap<Value, Reads> reads;  ///< kept while `weakened` is set
  DenseMap<Value, int64_t> trip; ///< by induction variable: where the walk is
  unsigned behind = 0;           ///< barriers that half of the waves are behind the others, where the walk is
  std::set<std::pair<Operation *, Operation *>> reported;
};

int64_t Checker::slotOf(const LdsAccess &access) {
  int64_t stages = access.stages();
  std::optional<TripFunction> function = TripFunction::of(access.slot->get(), stages);
  if (stages == 1 || !function)
    return stages == 1 ? 0 : -1;
  int64_t slot = function->constant;
  for (auto [value, coefficient] : function->terms)
    slot += coefficient * trip.lookup(value);
  return ((slot % stages) + stages) % stages;
}

void Checker::report(const LdsAccess &access, const Unfinished &other) {
  if (!reported.insert({access.op, other.op}).second || weakened.op)
    return;
  InFlightDiagnostic error = access.op->emitOpError();
  error << (access.kind == AccessKind::Read ? "may read" : "may overwrite") << " LDS ";
  if (other.kind == AccessKind::Copy && other.inFlight)
    error << "that a copy in flight is still to fill: no tile.wait covers it";
  else if (other.met > 0)
    error << "of which another wave, one tile.barrier behind, may not be done: no second tile.barrier in "
             "between";
  else if (other.kind == AccessKind::Copy)
    error << "that another wave's part of a copy is still to fill: no tile.barrier follows the tile.wait";
  else if (other.kind == AccessKind::Write)
    error << "that another wave is still writing: no tile.barrier in between";
  else
    error << "that another wave is still reading: no tile.barrier in between";
  Diagnostic &note = error.attachNote(other.op->getLoc());
  note << "the other access is here";
  if (other.inFlight && other.kind == AccessKind::Copy)
    note << ", and " << other.issuedSince << " copy instructions may be all that is issued after it";
}

void Checker::access(const LdsAccess &access, States &states) {
  bool copies = access.kind == AccessKind::Copy;
  Unfinished self{access.op, access.kind, access.ring, slotOf(access), /*inFlight=*/true, 0};
  auto conflicts = [&](const Unfinished &other) {
    if (self.kind == AccessKind::Read && other.kind == AccessKind::Read)
      return false;
    if (self.ring && self.ring == other.ring)
      return self.slot < 0 || other.slot < 0 || self.slot == other.slot;
    return mayOverlap(self.ring, other.ring);
  };
  unsigned instructions = countedInstructions(access.op, kernel.getWaves());
  change(states, [&](State &state) {
    State next;
    for (Unfinished other : state) {
      if (conflicts(other)) {
        report(access, other);
        continue;
      }
      // A count this large stands for itself and all above it, so that states stay finite.
      constexpr unsigned largest = 1 << 10;
      if (other.inFlight && copies == (other.kind == AccessKind::Copy))
        other.issuedSince = std::min(other.issuedSince + instructions, largest);
      if (weakened.op && other.op == access.op)
        other.age = std::min(other.age + 1, oldest);
      next.insert(other);
    }
    next.insert(self);
    state = std::move(next);
  });
}

/// Which reads the results of an operation come from; products wait for theirs.
void Checker::follow(Operation &op, States &states) {
  if (isa<LocalLoadOp>(op)) {
    for (auto &[value, from] : reads) {
      Reads older;
      for (auto [read, age] : from)
        older.insert({read, std::min(age + (read == &op), oldest)});
      from = std::move(older);
    }
    reads[op.getResult(0)] = {{&op, 0}};
    return;
  }
  Reads all;
  for (Value operand : op.getOperands())
    if (auto known = reads.find(operand); known != reads.end())
      all.insert(known->second.begin(), known->second.end());
  if (!isa<MmaOp>(op)) {
    for (Value result : op.getResults())
      if (!all.empty())
        reads[result] = all;
    return;
  }
  change(states, [&](State &state) {
    std::optional<unsigned> newest;
    for (const Unfinished &other : state)
      if (other.inFlight && all.count({other.op, other.age}))
        newest = std::min(newest.value_or(other.issuedSince), other.issuedSince);
    State next;
    for (Unfinished other : state) {
      bool mine = all.count({other.op, other.age});
      if (other.kind != AccessKind::Copy && newest && (mine || other.issuedSince > *newest))
        other.inFlight = false;
      next.insert(other);
    }
    state = std::move(next);
  });
}

/// The values behind a region, or at the head of the next trip. All are taken before one is replaced.
void Checker::yield(ValueRange from, ValueRange to) {
  if (!weakened.op)
    return;
  SmallVector<Reads> taken;
  for (Value value : from)
    taken.push_back(reads.lookup(value));
  for (auto [value, of] : llvm::zip(to, taken))
    reads[value] = std::move(of);
}

void Checker::atReturn(Operation *op, const States &states) {
  if (weakened.op)
    return;
  for (const State &state : states)
    for (const Unfinished &other : state)
      if (other.inFlight && other.kind == AccessKind::Copy && reported.insert({op, other.op}).second)
        op->emitOpError("may end the kernel with a copy in flight: no tile.wait covers it")
                .attachNote(other.op->getLoc())
            << "the copy is here";
}

void Checker::barrier(BarrierOp barrier, States &states) {
  change(states, [&](State &state) {
    State next;
    for (Unfinished other : state) {
      if (other.kind != AccessKind::Copy && barrier.waitsForLocal() &&
          other.issuedSince >= weakened.local(barrier))
        other.inFlight = false;
      if (weakened.op && other.inFlight && other.kind == AccessKind::Write)
        reported.insert({barrier, other.op});
      // The wait is this wave's own, and stays when the meeting goes.
      if (!other.inFlight && !weakened.isDropped(barrier)) {
        other.issuedSince = 0;
        if (++other.met > behind)
          continue;
      }
      next.insert(other);
    }
    state = std::move(next);
  });
}

LogicalResult Checker::stagger(StaggerOp stagger, States &states) {
  bool begins = stagger.getEnd() == Stagger::Begin;
  if (begins == (behind > 0))
    return stagger.emitOpError() << "must alternate between 'begin' and 'end'";
  behind = begins;
  if (!begins) // who was behind has come to the barrier that the others have passed
    change(states, [](State &state) {
      State next;
      for (const Unfinished &other : state)
        if (other.met == 0)
          next.insert(other);
      state = std::move(next);
    });
  return success();
}

LogicalResult Checker::block(Block &block, States &states) {
  const unsigned before = behind;
  for (Operation &op : block) {
    if (weakened.op && op.getNumRegions() == 0)
      follow(op, states);
    if (std::optional<LdsAccess> ldsAccess = LdsAccess::of(&op)) {
      access(*ldsAccess, states);
    } else if (auto wait = dyn_cast<WaitOp>(op)) {
      change(states, [&](State &state) {
        State next;
        for (Unfinished other : state) {
          if (other.inFlight && other.kind == AccessKind::Copy &&
              other.issuedSince >= weakened.copies(wait)) {
            other.inFlight = false;
            other.issuedSince = 0;
          }
          next.insert(other);
        }
        state = std::move(next);
      });
    } else if (auto barrierOp = dyn_cast<BarrierOp>(op)) {
      barrier(barrierOp, states);
    } else if (auto staggerOp = dyn_cast<StaggerOp>(op)) {
      if (failed(stagger(staggerOp, states)))
        return failure();
    } else if (auto cluster = dyn_cast<ClusterOp>(op)) {
      Block &body = *cluster.getBody().begin();
      if (failed(this->block(body, states)))
        return failure();
      yield(body.getTerminator()->getOperands(), cluster.getResults());
    } else if (auto loopOp = dyn_cast<scf::ForOp>(op)) {
      if (failed(loop(loopOp, states)))
        return failure();
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      States otherwise = states;
      if (failed(this->block(*branch.thenBlock(), states)))
        return failure();
      if (branch.elseBlock() && failed(this->block(*branch.elseBlock(), otherwise)))
        return failure();
      states.insert(otherwise.begin(), otherwise.end());
    } else if (isa<ReturnOp>(op)) {
      atReturn(&op, states);
    } else if (op.getNumRegions() != 0 && accessesLds(&op)) {
      return op.emitOpError("must not access LDS in its regions: only scf.for, scf.if and tile.cluster may");
    }
  }
  if (behind != before)
    return emitError(kernel.getLoc(), "tile.stagger must begin and end in one block");
  constexpr size_t maxStates = 4096;
  if (states.size() > maxStates)
    return giveUp(kernel, "too many different paths to check the synchronisation of");
  return success();
}

LogicalResult Checker::loop(scf::ForOp loop, States &states) {
  std::optional<int64_t> trips = constantTripCount(loop);
  int64_t period = 1; // of the slots of all rings in the loop
  loop.getBody()->walk([&](Operation *op) {
    if (std::optional<LdsAccess> access = LdsAccess::of(op))
      period = std::lcm(period, int64_t(access->stages()));
  });

  States exits;
  std::map<std::pair<int64_t, States>, int64_t> seen;
  constexpr int64_t maxTrips = 1 << 13;
  std::optional<int64_t> remaining = trips;
  int64_t at = 0;
  yield(loop.getInitArgs(), loop.getRegionIterArgs());
  for (;; ++at) {
    if (!trips)
      exits.insert(states.begin(), states.end());
    if (remaining == 0)
      break;
    auto [known, isNew] = seen.insert({{at % period, states}, at});
    if (!isNew) {
      if (!trips)
        break;
      // From here on trips repeat: only what is left of the last turn matters.
      remaining = *remaining % (at - known->second);
      if (remaining == 0)
        break;
    }
    if (at == maxTrips)
      return giveUp(loop, "accesses of LDS in this loop do not settle into a steady state");
    trip[loop.getInductionVar()] = at;
    if (failed(block(*loop.getBody(), states)))
      return failure();
    yield(loop.getBody()->getTerminator()->getOperands(), loop.getRegionIterArgs());
    if (remaining)
      --*remaining;
  }
  if (!trips)
    states = std::move(exits);
  return success();
}

/// On waits and barriers: which of their parts may be weaker.
constexpr StringLiteral kSlack = "tile.slack";

void markSlack(KernelOp kernel) {
  auto mark = [&](Operation *op, ArrayRef<std::pair<StringRef, Weakened>> parts) {
    SmallVector<Attribute> slack;
    for (auto [name, weakened] : parts)
      if (Checker::standsWithout(kernel, weakened))
        slack.push_back(StringAttr::get(op->getContext(), name));
    if (!slack.empty())
      op->setAttr(kSlack, ArrayAttr::get(op->getContext(), slack));
  };
  kernel.walk([&](Operation *op) {
    if (isa<WaitOp>(op))
      mark(op, {{"copies", {op, Weakened::Copies}}});
    if (auto barrier = dyn_cast<BarrierOp>(op)) {
      SmallVector<std::pair<StringRef, Weakened>> parts = {{"barrier", {op, Weakened::Barrier}}};
      if (barrier.waitsForLocal())
        parts.push_back({"local", {op, Weakened::Local}});
      mark(op, parts);
    }
  });
}

struct TileVerifySynchronizationPass : impl::TileVerifySynchronizationBase<TileVerifySynchronizationPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(Checker(getOperation()).run()))
      return signalPassFailure();
    if (slack)
      markSlack(getOperation());
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace lowp::tile
