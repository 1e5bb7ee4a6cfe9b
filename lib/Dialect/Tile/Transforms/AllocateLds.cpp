// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-allocate-lds: places the rings of a kernel in LDS, largest first, each at the lowest place that no
// ring of an overlapping lifetime holds. A lifetime is a range of operations of the kernel's outermost block,
// so that a ring used inside a loop lives through all of it. Two rings may thus share bytes one after the
// other; tile-synchronize looks at the places and orders the accesses.
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

  bool livesWith(const Placement &other) const { return first <= other.last && other.first <= last; }
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
    int64_t total = 0;
    for (auto [i, ring] : llvm::enumerate(rings)) {
      place(ring, MutableArrayRef(rings).take_front(i));
      total = std::max(total, ring.offset + ring.bytes);
    }
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

  static void place(Placement &ring, MutableArrayRef<Placement> placed) {
    for (bool moved = true; moved;) {
      moved = false;
      for (Placement &other : placed)
        if (ring.livesWith(other) && ring.offset < other.offset + other.bytes &&
            other.offset < ring.offset + ring.bytes) {
          ring.offset = llvm::alignTo(other.offset + other.bytes, ring.alignment);
          moved = true;
        }
    }
  }
};

} // namespace
} // namespace lowp::tile
