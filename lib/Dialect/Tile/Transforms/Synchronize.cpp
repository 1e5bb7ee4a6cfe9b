// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-synchronize: a forward data-flow over the structured kernel. The state holds the LDS accesses that
// this or another wave may not have finished, each with how many instructions of its counter were issued
// since. An access that conflicts with one of them needs
//   this wave's part to be done (tile.wait for copies, the barrier's own wait for accesses by registers),
//   then a tile.barrier, so that the other waves' parts are done as well.
// Where tile-pipeline has left a barrier between the two on every path, the pass only finds out how much that
// barrier has to wait for: the count of what was issued after the earlier access when the barrier is reached.
// Elsewhere it writes a wait and a barrier before the later access.
//
// Where half of the waves are one barrier behind the others (tile.stagger), the later access of those in
// front may run beside the earlier one of those behind unless there are two barriers in between, and the
// earlier access must be done at the first of them.
//
// Slots are linear functions of a loop's trip number. They are moved to the next trip at the back edge, so
// that "slot t + 2, copied in the trip before" is known to be slot t + 1 of this trip. Joins take the union
// of the accesses and the least number of instructions issued since, so counts hold on every path.
//
// Loops are iterated to a fixpoint without writing anything, the whole kernel until no barrier has to wait
// for more, then it is walked once more to write.
#include "LdsAccess.h"

#include "lowp/Dialect/Tile/Transforms/Passes.h"

#include <map>
#include <tuple>

using namespace mlir;

namespace lowp::tile {
#define GEN_PASS_DEF_TILESYNCHRONIZE
#include "lowp/Dialect/Tile/Transforms/Passes.h.inc"

namespace {

/// coefficient * trip + constant, modulo the stages of the ring; a plain constant when `loop` is null.
struct Slot {
  bool known = false;
  Value loop; ///< the induction variable
  int64_t coefficient = 0, constant = 0;

  static Slot of(const LdsAccess &access) {
    int64_t stages = access.stages();
    if (stages == 1)
      return {true, Value(), 0, 0};
    std::optional<TripFunction> function = TripFunction::of(access.slot->get(), stages);
    if (!function || function->terms.size() > 1)
      return {};
    Slot slot{true, Value(), 0, function->constant};
    if (!function->terms.empty())
      std::tie(slot.loop, slot.coefficient) = function->terms.front();
    return slot.reduced(stages);
  }
  Slot reduced(int64_t stages) const {
    Slot slot = *this;
    slot.constant = ((constant % stages) + stages) % stages;
    return slot;
  }
  bool mayEqual(const Slot &other) const {
    return !known || !other.known || loop != other.loop || coefficient != other.coefficient ||
           constant == other.constant;
  }
};

struct Key {
  AllocOp ring;
  unsigned stages;
  Slot slot;
  AccessKind kind;

  bool operator<(const Key &other) const {
    auto tuple = [](const Key &key) {
      return std::make_tuple(key.ring.getAsOpaquePointer(), key.kind, key.slot.known,
                             key.slot.loop.getAsOpaquePointer(), key.slot.coefficient, key.slot.constant);
    };
    return tuple(*this) < tuple(other);
  }
  bool conflicts(const Key &other) const {
    if (kind == AccessKind::Read && other.kind == AccessKind::Read)
      return false;
    if (ring && ring == other.ring)
      return slot.mayEqual(other.slot);
    return mayOverlap(ring, other.ring);
  }
};

/// Barriers that an access and a later one may need in between: one, and one more where waves are staggered.
constexpr unsigned mostBarriers = 2;

/// How far an access is known to be: finished in this wave, and where all waves have met since.
struct Progress {
  bool inFlight = true;     ///< this wave's part may not be done
  unsigned issuedSince = 0; ///< instructions of the access's counter
  unsigned met = 0;         ///< barriers since this wave's part is done
  unsigned passed = 0;      ///< derived barriers since, on the path with the fewest; `mostBarriers` or more
  /// The last derived barrier on each path, and the one before it, with `issuedSince` there.
  std::map<Operation *, unsigned> barriers[mostBarriers];

  bool operator==(const Progress &other) const {
    return inFlight == other.inFlight && issuedSince == other.issuedSince && met == other.met &&
           passed == other.passed && std::equal(barriers, std::end(barriers), other.barriers);
  }
};

/// What has to be written before an access, or waited for at a derived barrier: at most so many instructions
/// may be outstanding.
struct Need {
  unsigned barriers = 0;
  std::optional<unsigned> copies, local;

  static void lower(std::optional<unsigned> &count, unsigned to) {
    count = count ? std::min(*count, to) : to;
  }
  void merge(const Need &other) {
    barriers = std::max(barriers, other.barriers);
    if (other.copies)
      lower(copies, *other.copies);
    if (other.local)
      lower(local, *other.local);
  }
};

class State {
public:
  void access(const Key &key, unsigned instructions) {
    bool copy = key.kind == AccessKind::Copy;
    for (auto &[other, progress] : pending)
      if (progress.inFlight && (other.kind == AccessKind::Copy) == copy)
        progress.issuedSince += instructions;
    pending[key] = Progress();
  }
  void wait(unsigned copies) {
    for (auto &[key, progress] : pending)
      if (key.kind == AccessKind::Copy)
        progress.inFlight &= progress.issuedSince < copies;
  }
  /// All waves meet, `local` instructions at most outstanding in each.
  void barrier(unsigned local) {
    for (auto it = pending.begin(); it != pending.end();) {
      auto &[key, progress] = *it;
      progress.inFlight &= key.kind == AccessKind::Copy || progress.issuedSince < local;
      progress.met += !progress.inFlight;
      it = progress.met >= barriersBetween() ? pending.erase(it) : std::next(it);
    }
  }
  /// Half of the waves fall one barrier behind, or catch up.
  void stagger(bool begins) {
    behind = begins;
    for (auto it = pending.begin(); it != pending.end();) {
      auto &[key, progress] = *it;
      // A barrier that all waves have passed together counts for two.
      if (begins && progress.passed > 0) {
        progress.passed = mostBarriers;
        progress.barriers[1] = progress.barriers[0];
      }
      it = progress.met >= barriersBetween() ? pending.erase(it) : std::next(it);
    }
  }
  /// A barrier whose waits are to be found: what it does not wait for now could be waited for there.
  void derivedBarrier(Operation *op, Need &need) {
    // A write that passes a barrier unfinished is not seen by whoever reads behind it: writes are few, and
    // early in a cluster, so each barrier waits for them.
    for (auto &[key, progress] : pending)
      if (key.kind == AccessKind::Write && progress.inFlight)
        Need::lower(need.local, progress.issuedSince);
    if (need.copies)
      wait(*need.copies);
    barrier(need.local.value_or(~0u));
    for (auto &[key, progress] : pending) {
      progress.passed = std::min(progress.passed + 1, mostBarriers);
      progress.barriers[1] = std::move(progress.barriers[0]);
      progress.barriers[0] = {{op, progress.issuedSince}};
    }
  }
  /// What an access needs that no derived barrier can give.
  Need need(const Key &key) const {
    Need need;
    for (auto &[other, progress] : pending) {
      if (!key.conflicts(other) || canSettle(progress))
        continue;
      need.barriers = std::max(need.barriers, barriersBetween() - progress.met);
      if (progress.inFlight && other.kind == AccessKind::Copy)
        Need::lower(need.copies, progress.issuedSince);
    }
    return need;
  }
  /// What derived barriers have to wait for so that an access may happen; these conflicts are then settled.
  bool settle(const Key &key, std::map<Operation *, Need> &barriers) {
    bool changed = false;
    for (auto it = pending.begin(); it != pending.end();) {
      auto &[other, progress] = *it;
      if (!key.conflicts(other) || !canSettle(progress)) {
        ++it;
        continue;
      }
      for (auto [barrier, count] : progress.barriers[barriersBetween() - 1]) {
        Need &need = barriers[barrier];
        std::optional<unsigned> &known = other.kind == AccessKind::Copy ? need.copies : need.local;
        std::optional<unsigned> before = known;
        Need::lower(known, count);
        changed |= before != known;
      }
      it = pending.erase(it);
    }
    return changed;
  }
  /// Behind a loop: what is pending there is waited for there, not by barriers in the loop, which would wait
  /// in every trip.
  void leaveLoop() {
    for (auto &[key, progress] : pending) {
      progress.passed = 0;
      for (auto &barriers : progress.barriers)
        barriers.clear();
    }
  }
  /// What lets every copy arrive.
  std::optional<unsigned> copiesInFlight() const {
    std::optional<unsigned> least;
    for (auto &[key, progress] : pending)
      if (progress.inFlight && key.kind == AccessKind::Copy)
        Need::lower(least, progress.issuedSince);
    return least;
  }
  void join(const State &other) {
    for (auto &[key, progress] : other.pending)
      add(key, progress);
  }
  /// The same state with every slot replaced.
  State withSlots(function_ref<Slot(const Key &)> replace) const {
    State result;
    result.behind = behind;
    for (auto &[key, progress] : pending) {
      Key moved = key;
      moved.slot = replace(key);
      if (moved.slot.known)
        moved.slot = moved.slot.reduced(key.stages);
      result.add(moved, progress);
    }
    return result;
  }
  bool operator==(const State &other) const {
    auto equal = [](auto &a, auto &b) {
      return !(a.first < b.first) && !(b.first < a.first) && a.second == b.second;
    };
    return pending.size() == other.pending.size() &&
           std::equal(pending.begin(), pending.end(), other.pending.begin(), equal);
  }

  bool isStaggered() const { return behind; }

private:
  /// Barriers that conflicting accesses need in between.
  unsigned barriersBetween() const { return behind ? 2 : 1; }
  /// Whether there are enough derived barriers on every path, the first of which could wait.
  bool canSettle(const Progress &progress) const {
    return progress.passed >= barriersBetween() && (progress.inFlight || progress.met > 0);
  }
  void add(const Key &key, const Progress &progress) {
    auto [it, isNew] = pending.insert({key, progress});
    if (isNew)
      return;
    Progress &known = it->second;
    if (progress.inFlight) {
      known.issuedSince =
          known.inFlight ? std::min(known.issuedSince, progress.issuedSince) : progress.issuedSince;
      known.inFlight = true;
    }
    known.met = std::min(known.met, progress.met);
    known.passed = std::min(known.passed, progress.passed);
    for (unsigned back = 0; back < mostBarriers; ++back)
      for (auto [barrier, count] : progress.barriers[back]) {
        auto [at, first] = known.barriers[back].insert({barrier, count});
        if (!first)
          at->second = std::min(at->second, count);
      }
  }

  std::map<Key, Progress> pending;
  bool behind = false; ///< half of the waves are one barrier behind
};

class Synchronizer {
public:
  explicit Synchronizer(KernelOp kernel) : kernel(kernel) {}

  LogicalResult run() {
    if (!kernel.getBody().hasOneBlock())
      return kernel.emitOpError("must have one block, its control flow structured");
    if (failed(derive()) || failed(prune()))
      return failure();
    State state;
    return block(kernel.getBody().front(), state, /*write=*/true);
  }

private:
  /// Finds what derived barriers have to wait for, and how many more barriers it takes.
  LogicalResult derive() {
    derived.clear();
    do {
      changed = false;
      added = 0;
      State state;
      if (failed(block(kernel.getBody().front(), state, /*write=*/false)))
        return failure();
    } while (changed);
    return success();
  }

  /// Drops derived barriers that no access needs, unless one of the others then left less than half as
  /// many copies in flight, or had to wait for all LDS reads, the newest included.
  LogicalResult prune() {
    SmallVector<BarrierOp> barriers;
    kernel.walk([&](BarrierOp barrier) {
      auto cluster = barrier->getParentOfType<ClusterOp>();
      bool takesTurns = cluster && cluster.getOrder() == Order::PingPong;
      if (barrier->hasAttr(kDerivedBarrier) && barrier->getParentOfType<scf::ForOp>() && !takesTurns)
        barriers.push_back(barrier);
    });
    unsigned before = added;
    auto [copies, local] = leastInFlight();
    for (BarrierOp barrier : barriers) {
      superfluous.insert(barrier);
      if (failed(derive()))
        return failure();
      auto [copiesNow, localNow] = leastInFlight();
      if (added > before || 2 * copiesNow < copies || (local > 0 && localNow == 0))
        superfluous.erase(barrier);
    }
    return derive();
  }

  /// What every derived barrier leaves in flight of copies and of other LDS accesses.
  std::pair<unsigned, unsigned> leastInFlight() {
    constexpr unsigned all = 1 << 20;
    unsigned copies = all, local = all;
    for (auto &[barrier, need] : derived) {
      copies = std::min(copies, need.copies.value_or(all));
      local = std::min(local, need.local.value_or(all));
    }
    return {copies, local};
  }

  LogicalResult block(Block &block, State &state, bool write);
  LogicalResult loop(scf::ForOp loop, State &state, bool write);
  void barrier(BarrierOp barrier, State &state, bool write);
  void meet(Operation *before, const Need &need, State &state, bool write);
  void access(const LdsAccess &access, State &state, bool write);
  Key keyOf(const LdsAccess &access) { return {access.ring, access.stages(), Slot::of(access), access.kind}; }

  KernelOp kernel;
  std::map<Operation *, Need> derived; ///< what derived barriers have to wait for, as far as it is known
  bool changed = false;                ///< whether this walk added to it
  unsigned added = 0;                  ///< barriers that this walk would write, some of them several times
  DenseSet<Operation *> superfluous;   ///< derived barriers that go
};

/// Operations across which needs are gathered: they cost little, so that nothing is lost by waiting before
/// the first of them, and one barrier serves them all.
bool isLight(Operation *op) {
  if (LdsAccess::of(op) || isa<LoadOp, ConvertLayoutOp>(op))
    return true;
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && isMemoryEffectFree(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
}

/// A wait and a barrier before `before`, as `need` says.
void Synchronizer::meet(Operation *before, const Need &need, State &state, bool write) {
  if (need.barriers == 0)
    return;
  added += need.barriers;
  OpBuilder builder(before);
  Location loc = before->getLoc();
  if (need.copies) {
    state.wait(*need.copies);
    if (write)
      WaitOp::create(builder, loc, *need.copies);
  }
  for (unsigned i = 0; i < need.barriers; ++i) {
    state.barrier(0);
    if (write)
      BarrierOp::create(builder, loc);
  }
}

void Synchronizer::access(const LdsAccess &access, State &state, bool write) {
  Need need = state.need(keyOf(access));
  bool inCluster = isa<ClusterOp>(access.op->getParentOp()); // met before the cluster
  if (need.barriers > 0 && !inCluster) {
    for (Operation *next = access.op->getNextNode(); next && isLight(next); next = next->getNextNode())
      if (std::optional<LdsAccess> later = LdsAccess::of(next))
        need.merge(state.need(keyOf(*later)));
    meet(access.op, need, state, write);
  }
  changed |= state.settle(keyOf(access), derived);
  state.access(keyOf(access), countedInstructions(access.op, kernel.getWaves()));
}

void Synchronizer::barrier(BarrierOp barrier, State &state, bool write) {
  if (!barrier->hasAttr(kDerivedBarrier))
    return state.barrier(barrier.waitsForLocal() ? barrier.getLocal() : ~0u);
  if (superfluous.contains(barrier)) {
    if (write)
      barrier->erase();
    return;
  }
  auto [known, isNew] = derived.try_emplace(barrier);
  Need &need = known->second;
  if (isNew && barrier.waitsForLocal())
    need.local = barrier.getLocal();
  state.derivedBarrier(barrier, need);
  if (!write)
    return;
  OpBuilder builder(barrier);
  if (need.copies)
    WaitOp::create(builder, barrier.getLoc(), *need.copies);
  barrier.setLocal(need.local ? std::min(*need.local, BarrierOp::noLocalWait - 1) : BarrierOp::noLocalWait);
  barrier->removeAttr(kDerivedBarrier);
}

LogicalResult Synchronizer::block(Block &block, State &state, bool write) {
  const bool staggered = state.isStaggered();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (std::optional<LdsAccess> ldsAccess = LdsAccess::of(&op)) {
      access(*ldsAccess, state, write);
    } else if (auto wait = dyn_cast<WaitOp>(op)) {
      state.wait(wait.getCopies());
    } else if (auto barrierOp = dyn_cast<BarrierOp>(op)) {
      barrier(barrierOp, state, write);
    } else if (auto stagger = dyn_cast<StaggerOp>(op)) {
      bool begins = stagger.getEnd() == Stagger::Begin;
      if (begins == state.isStaggered())
        return stagger.emitOpError() << "must alternate between 'begin' and 'end'";
      state.stagger(begins);
    } else if (auto cluster = dyn_cast<ClusterOp>(op)) {
      Need need;
      for (Operation &inner : *cluster.getBody().begin())
        if (std::optional<LdsAccess> ldsAccess = LdsAccess::of(&inner))
          need.merge(state.need(keyOf(*ldsAccess)));
      meet(cluster, need, state, write);
      if (failed(this->block(*cluster.getBody().begin(), state, write)))
        return failure();
    } else if (auto loopOp = dyn_cast<scf::ForOp>(op)) {
      if (failed(loop(loopOp, state, write)))
        return failure();
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      State otherwise = state;
      if (failed(this->block(*branch.thenBlock(), state, write)))
        return failure();
      if (branch.elseBlock() && failed(this->block(*branch.elseBlock(), otherwise, write)))
        return failure();
      state.join(otherwise);
    } else if (isa<ReturnOp>(op)) {
      // The next workgroup gets this one's LDS: nothing may arrive there any more.
      if (std::optional<unsigned> copies = state.copiesInFlight()) {
        state.wait(*copies);
        OpBuilder builder(&op);
        if (write)
          WaitOp::create(builder, op.getLoc(), *copies);
      }
    } else if (op.getNumRegions() != 0 && accessesLds(&op)) {
      return op.emitOpError("must not access LDS in its regions: only scf.for, scf.if and tile.cluster may");
    }
  }
  if (staggered != state.isStaggered())
    return kernel.emitOpError("tile.stagger must begin and end in one block");
  return success();
}

LogicalResult Synchronizer::loop(scf::ForOp loop, State &state, bool write) {
  std::optional<int64_t> trips = constantTripCount(loop);
  if (trips == 0)
    return success();
  Value iv = loop.getInductionVar();

  // How the slots of each ring advance by trip: constant slots from before the loop are rewritten in these
  // terms, trip number 0 being known there.
  DenseMap<Operation *, int64_t> coefficients;
  loop.getBody()->walk([&](Operation *op) {
    if (std::optional<LdsAccess> access = LdsAccess::of(op); access && access->ring)
      if (Slot slot = Slot::of(*access); slot.known && slot.loop == iv)
        coefficients[access->ring] = slot.coefficient;
  });
  State entry = state;
  State head = state.withSlots([&](const Key &key) {
    auto advance = key.ring ? coefficients.find(key.ring) : coefficients.end();
    if (!key.slot.known || key.slot.loop || advance == coefficients.end())
      return key.slot;
    return Slot{true, iv, advance->second, key.slot.constant};
  });
  auto nextTrip = [&](const Key &key) {
    Slot slot = key.slot;
    if (slot.known && slot.loop == iv)
      slot.constant -= slot.coefficient;
    return slot;
  };

  constexpr unsigned maxRounds = 4096;
  bool settled = false;
  for (unsigned round = 0; round < maxRounds && !settled; ++round) {
    State end = head;
    if (failed(block(*loop.getBody(), end, /*write=*/false)))
      return failure();
    State next = head;
    next.join(end.withSlots(nextTrip));
    settled = next == head;
    head = std::move(next);
  }
  if (!settled)
    return loop.emitError("accesses of LDS in this loop do not settle into a steady state");

  state = head;
  if (failed(block(*loop.getBody(), state, write)))
    return failure();
  state = state.withSlots(nextTrip).withSlots([&](const Key &key) {
    Slot slot = key.slot;
    if (!slot.known || slot.loop != iv)
      return slot;
    return trips ? Slot{true, Value(), 0, slot.constant + slot.coefficient * *trips} : Slot{};
  });
  if (!trips)
    state.join(entry);
  state.leaveLoop();
  return success();
}

struct TileSynchronizePass : impl::TileSynchronizeBase<TileSynchronizePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(Synchronizer(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace lowp::tile
