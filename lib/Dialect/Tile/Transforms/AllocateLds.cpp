// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-allocate-lds: places the rings of a kernel in LDS, largest first, each where no ring of an overlapping
// lifetime stands. A lifetime is a range of operations of the kernel's outermost block, so that a ring used
// inside a loop lives through all of it. Two rings may thus share bytes one after the other; tile-synchronize
// looks at the places and orders the accesses.
//
// Always the lowest free place gives the size. Within it a ring then goes where the bytes have been unused
// longest: rings that are written and read one after the other so take turns, and the barrier between a
// ring's write and its read is also the one that the next ring's write needs.
#include "lowp/Dialect/Tile/Transforms/Passes.h"
#include "lowp/Target/Target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace lowp::tile {
#define GEN_PASS_DEF_TILEALLOCATELDS
#include "lowp/Dialect/Tile/Transforms/Passes.h.inc"

namespace {

/// LDS-DMA of one wave writes 64 lanes of 16 bytes from one base address.
constexpr int64_t kCopyAlignment = 1024;
/// The widest LDS access of a lane.
constexpr int64_t kAlignment = 16;

struct Placement {
  AllocOp ring;
  int64_t bytes, alignment;
  unsigned first, last; ///< lifetime, in operations of the outermost block
  int64_t offset = 0;

  int64_t end() const { return offset + bytes; }
  bool livesWith(const Placement &other) const { return first <= other.last && other.first <= last; }
  bool overlaps(const Placement &other) const { return offset < other.end() && other.offset < end(); }
};

struct TileAllocateLdsPass : impl::TileAllocateLdsBase<TileAllocateLdsPass> {
  using Base::Base;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Target *chip = Target::get(target);
    if (!chip) {
      kernel.emitError() << "unknown target '" << target << "', expected one of "
                         << llvm::join(Target::chips(), ", ");
      return signalPassFailure();
    }
    SmallVector<Placement> rings = collect(kernel);
    llvm::stable_sort(rings, [](const Placement &a, const Placement &b) { return a.bytes > b.bytes; });
    int64_t total = place(rings, lowest);
    SmallVector<Placement> turns = rings;
    if (place(turns, [&](const Placement &ring, ArrayRef<Placement> placed) {
          return longestUnused(ring, placed, total);
        }) <= total)
      rings = std::move(turns);
    if (total > chip->ldsBytes()) {
      InFlightDiagnostic error = kernel.emitOpError() << "needs " << total << " bytes of LDS, but " << target
                                                      << " has " << chip->ldsBytes() << " for a workgroup";
      for (Placement &ring : rings)
        error.attachNote(ring.ring.getLoc()) << "a ring of " << ring.bytes << " bytes";
      return signalPassFailure();
    }
    for (Placement &ring : rings)
      ring.ring.setOffset(ring.offset);
  }

private:
  static SmallVector<Placement> collect(KernelOp kernel) {
    DenseMap<Operation *, unsigned> position;
    Block &block = kernel.getBody().front();
    for (auto [i, op] : llvm::enumerate(block))
      position[&op] = i;
    SmallVector<Placement> rings;
    kernel.walk([&](AllocOp ring) {
      auto type = cast<LocalType>(ring.getResult().getType());
      Placement placement{ring, type.getStageBytes() * type.getStages(), kAlignment,
                          unsigned(position.size()), 0};
      for (Operation *user : ring->getUsers()) {
        if (isa<AsyncCopyOp>(user))
          placement.alignment = kCopyAlignment;
        Operation *ancestor = block.findAncestorOpInBlock(*user);
        bool access = isa<AsyncCopyOp, LocalStoreOp, LocalLoadOp>(user);
        // What is not a plain access in the outermost block's tree may use the ring at any time.
        placement.first = std::min(placement.first, ancestor && access ? position[ancestor] : 0);
        placement.last =
            std::max(placement.last, ancestor && access ? position[ancestor] : unsigned(position.size()));
      }
      rings.push_back(placement);
    });
    return rings;
  }

  using Policy = llvm::function_ref<int64_t(const Placement &ring, ArrayRef<Placement> placed)>;

  /// Places ring by ring; what they take together.
  static int64_t place(MutableArrayRef<Placement> rings, Policy policy) {
    int64_t total = 0;
    for (auto [i, ring] : llvm::enumerate(rings)) {
      ring.offset = policy(ring, rings.take_front(i));
      total = std::max(total, ring.end());
    }
    return total;
  }

  static int64_t lowest(Placement ring, ArrayRef<Placement> placed) {
    ring.offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (const Placement &other : placed)
        if (ring.livesWith(other) && ring.overlaps(other)) {
          ring.offset = llvm::alignTo(other.end(), ring.alignment);
          moved = true;
        }
    }
    return ring.offset;
  }

  /// Of the places at 0 and behind each ring, within `total`, the one whose last user before this ring is the
  /// earliest; the lowest of equals, and outside `total` if there is none.
  static int64_t longestUnused(Placement ring, ArrayRef<Placement> placed, int64_t total) {
    SmallVector<int64_t> candidates{0};
    for (const Placement &other : placed)
      candidates.push_back(llvm::alignTo(other.end(), ring.alignment));
    llvm::sort(candidates);
    int64_t best = total, bestUse = std::numeric_limits<int64_t>::max();
    for (int64_t candidate : candidates) {
      ring.offset = candidate;
      int64_t lastUse = -1;
      bool free = ring.end() <= total;
      for (const Placement &other : placed) {
        if (!ring.overlaps(other))
          continue;
        free &= !ring.livesWith(other);
        if (other.last < ring.first)
          lastUse = std::max<int64_t>(lastUse, other.last);
      }
      if (free && lastUse < bestUse) {
        best = candidate;
        bestUse = lastUse;
      }
    }
    return best;
  }
};

} // namespace
} // namespace lowp::tile
