// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-synchronize: a forward data-flow over the structured kernel. The state holds the LDS accesses that
// another wave, or a copy in flight, may not have finished; before an access that conflicts with one of them
// the pass writes what is missing:
//   a copy in flight         tile.wait (this wave's part has arrived), then tile.barrier (so have the
//   others') any other access         tile.barrier
// Slots are linear functions of a loop's trip number. They are moved to the next trip at the back edge, so
// that "slot t + 2, copied in the trip before" is known to be slot t + 1 of this trip. Joins take the union
// of the accesses and the least number of copy instructions issued since, so counts hold on every path.
//
// Loops are iterated to a fixpoint without writing anything, then walked once more to write. The state at the
// head only grows; with the barriers of the last walk in place it covers every trip.
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

/// Of a copy: whether this wave's part may be in flight, and the copy instructions issued since.
struct Progress {
  bool inFlight = false;
  unsigned issuedSince = 0;
  bool operator==(const Progress &other) const {
    return inFlight == other.inFlight && issuedSince == other.issuedSince;
  }
};

/// What has to be written before an access.
struct Need {
  bool barrier = false;
  std::optional<unsigned> copies;

  void merge(const Need &other) {
    barrier |= other.barrier;
    if (other.copies)
      copies = copies ? std::min(*copies, *other.copies) : *other.copies;
  }
};

class State {
public:
  void access(const Key &key, unsigned instructions) {
    if (key.kind == AccessKind::Copy)
      for (auto &[other, progress] : pending)
        if (progress.inFlight)
          progress.issuedSince += instructions;
    pending[key] = Progress{key.kind == AccessKind::Copy, 0};
  }
  void wait(unsigned copies) {
    for (auto &[key, progress] : pending)
      progress.inFlight &= progress.issuedSince < copies;
  }
  void barrier() {
    for (auto it = pending.begin(); it != pending.end();)
      it = it->second.inFlight ? std::next(it) : pending.erase(it);
  }
  Need need(const Key &key) const {
    Need need;
    for (auto &[other, progress] : pending)
      if (key.conflicts(other))
        need.merge({true, progress.inFlight ? std::optional<unsigned>(progress.issuedSince) : std::nullopt});
    return need;
  }
  /// What lets every copy arrive.
  std::optional<unsigned> copiesInFlight() const {
    std::optional<unsigned> least;
    for (auto &[key, progress] : pending)
      if (progress.inFlight)
        least = least ? std::min(*least, progress.issuedSince) : progress.issuedSince;
    return least;
  }
  void join(const State &other) {
    for (auto &[key, progress] : other.pending)
      add(key, progress);
  }
  /// The same state with every slot replaced.
  State withSlots(function_ref<Slot(const Key &)> replace) const {
    State result;
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

private:
  void add(const Key &key, const Progress &progress) {
    auto [it, isNew] = pending.insert({key, progress});
    if (isNew || !progress.inFlight)
      return;
    Progress &known = it->second;
    known.issuedSince =
        known.inFlight ? std::min(known.issuedSince, progress.issuedSince) : progress.issuedSince;
    known.inFlight = true;
  }

  std::map<Key, Progress> pending;
};

class Synchronizer {
public:
  explicit Synchronizer(KernelOp kernel) : kernel(kernel) {}

  LogicalResult run() {
    if (!kernel.getBody().hasOneBlock())
      return kernel.emitOpError("must have one block, its control flow structured");
    State state;
    return block(kernel.getBody().front(), state, /*write=*/true);
  }

private:
  LogicalResult block(Block &block, State &state, bool write);
  LogicalResult loop(scf::ForOp loop, State &state, bool write);
  void access(const LdsAccess &access, State &state, bool write);
  Key keyOf(const LdsAccess &access) { return {access.ring, access.stages(), Slot::of(access), access.kind}; }
  unsigned instructions(Operation *op) {
    auto copy = dyn_cast<AsyncCopyOp>(op);
    return copy ? copy.instructionsPerWave(kernel.getWaves()) : 0;
  }

  KernelOp kernel;
};

/// Operations across which needs are gathered: they cost little, so that nothing is lost by waiting before
/// the first of them, and one barrier serves them all.
bool isLight(Operation *op) {
  if (LdsAccess::of(op) || isa<LoadOp, ConvertLayoutOp>(op))
    return true;
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && isMemoryEffectFree(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
}

void Synchronizer::access(const LdsAccess &access, State &state, bool write) {
  Need need = state.need(keyOf(access));
  if (need.barrier || need.copies) {
    for (Operation *next = access.op->getNextNode(); next && isLight(next); next = next->getNextNode())
      if (std::optional<LdsAccess> later = LdsAccess::of(next))
        need.merge(state.need(keyOf(*later)));
    OpBuilder builder(access.op);
    Location loc = access.op->getLoc();
    if (need.copies) {
      state.wait(*need.copies);
      if (write)
        WaitOp::create(builder, loc, *need.copies);
    }
    state.barrier();
    if (write)
      BarrierOp::create(builder, loc);
  }
  state.access(keyOf(access), instructions(access.op));
}

LogicalResult Synchronizer::block(Block &block, State &state, bool write) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (std::optional<LdsAccess> ldsAccess = LdsAccess::of(&op)) {
      access(*ldsAccess, state, write);
    } else if (auto wait = dyn_cast<WaitOp>(op)) {
      state.wait(wait.getCopies());
    } else if (isa<BarrierOp>(op)) {
      state.barrier();
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
      return op.emitOpError("must not access LDS in its regions: only scf.for and scf.if may");
    }
  }
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
