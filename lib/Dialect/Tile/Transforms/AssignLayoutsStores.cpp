// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where results leave through LDS. A matrix instruction gives a lane four neighbours of a row, and
// neighbouring lanes hold different rows: stored as they are, narrow elements make narrow stores that touch a
// part of many cache lines each. Where memory promises more than that, the value is cut off the group of its
// accumulators by a conversion; behind the cut its layout comes from memory, in whole lines, and the
// conversion becomes a trip through LDS like any other.
//
// The cut is either at the end, where elements are smallest, or in front of the element-wise operations,
// where tiles that these load, such as a residual, are then loaded in whole lines as well. The cheaper of the
// two is taken. The unit of cost is 128 bytes: what LDS moves in a clock (CDNA 3 ISA manual, 2.1: 32 banks of
// 4 bytes), and a line of the vector cache, each of which an access that touches it has to look up.

#include "AssignLayouts.h"

#include "lowp/Dialect/Formats.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

namespace {

constexpr unsigned costBytes = 128;

/// What a stored value is computed from by element-wise operations.
struct Computation {
  SetVector<Operation *> operations;
  SetVector<Value> sums; ///< values with a layout of their own: no operation makes them in any other
  SetVector<Operation *> loads;
};

class StoreWidener {
public:
  StoreWidener(unsigned waves, const LayoutGroups &groups, const Target &target)
      : waves(waves), groups(groups), target(target) {}

  /// Whether a conversion was needed for `store`.
  bool widen(StoreOp store);

private:
  void collect(Value value, Computation &computation) const;
  bool fitsLds(Value value) const;
  uint64_t ldsCost(Value value) const;
  uint64_t accessCost(const LinearLayout &layout, const MemoryRun &run) const;

  unsigned waves;
  const LayoutGroups &groups;
  const Target &target;
};

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

unsigned elementBits(RankedTensorType type) {
  std::optional<Format> format = formatOf(type.getElementType());
  return format ? bitWidth(*format) : 0;
}

unsigned elementsAtOnce(const LinearLayout &layout, const MemoryRun &run) {
  LinearLayout memory = tileOrder(layout.outSizes(), run.dim);
  return widestAccess(layout, memory, run.bits, run.elements * run.bits).bits / run.bits;
}

void StoreWidener::collect(Value value, Computation &computation) const {
  Operation *op = value.getDefiningOp();
  if (!isa<RankedTensorType>(value.getType()) || (op && op->hasTrait<OpTrait::ConstantLike>()) ||
      isa_and_present<SplatOp, CoordinateOp, BroadcastOp>(op))
    return;
  if (isa_and_present<LoadOp>(op)) {
    computation.loads.insert(op);
  } else if (!op || !isElementwise(op)) {
    computation.sums.insert(value);
  } else if (computation.operations.insert(op)) {
    for (Value operand : op->getOperands())
      collect(operand, computation);
  }
}

bool StoreWidener::fitsLds(Value value) const {
  unsigned bits = elementBits(typeOf(value));
  return llvm::isPowerOf2_32(bits) && typeOf(value).getNumElements() * bits / 8 <= target.ldsBytes();
}

/// One trip through LDS, there and back.
uint64_t StoreWidener::ldsCost(Value value) const {
  return 2 * llvm::divideCeil(typeOf(value).getNumElements() * elementBits(typeOf(value)) / 8, costBytes);
}

/// The lines that all accesses of the tile touch, each counted by itself. Rows are taken to begin with a
/// line.
uint64_t StoreWidener::accessCost(const LinearLayout &layout, const MemoryRun &run) const {
  std::set<std::vector<int32_t>> lines;
  for (unsigned lane = 0; lane < target.waveSize(); ++lane) {
    SmallVector<int32_t> place = layout.apply({{"lane", lane}});
    place[run.dim] = int64_t(place[run.dim]) * run.bits / (8 * costBytes);
    lines.emplace(place.begin(), place.end());
  }
  return uint64_t(waves) * layout.inputSize("register") / elementsAtOnce(layout, run) * lines.size();
}

bool StoreWidener::widen(StoreOp store) {
  Value value = store.getValue();
  RankedTensorType type = typeOf(value);
  std::optional<MemoryRun> run = memoryRun(store.getView().getType(), store.getIndexMap());
  LinearAttr layout = groups.layoutOf(value);
  if (!run || !fitsLds(value))
    return false;
  LinearLayout wide = layoutByMemory(type, *run, waves);
  if (elementsAtOnce(layout.getLayout(), *run) >= elementsAtOnce(wide, *run))
    return false;

  Computation computation;
  collect(value, computation);
  uint64_t late = ldsCost(value), early = 0;
  bool possible = !computation.operations.empty();
  for (Value sum : computation.sums) {
    possible &= fitsLds(sum);
    early += ldsCost(sum);
  }
  for (Operation *op : computation.loads) {
    auto load = cast<LoadOp>(op);
    std::optional<MemoryRun> from = memoryRun(load.getView().getType(), load.getIndexMap());
    if (!from)
      continue;
    late += accessCost(layout.getLayout(), *from);
    early += accessCost(wide, *from);
  }
  // In front of the operations: all of them stand where the store does.
  for (Operation *op : computation.operations)
    possible &= op->getBlock() == store->getBlock();

  OpBuilder builder(store);
  if (!possible || late <= early) {
    store.getValueMutable().assign(ConvertLayoutOp::create(builder, store.getLoc(), type, value));
    return true;
  }
  for (Value sum : computation.sums) {
    Operation *first = nullptr;
    auto isOurs = [&](OpOperand &use) { return computation.operations.contains(use.getOwner()); };
    for (OpOperand &use : sum.getUses())
      if (isOurs(use) && (!first || use.getOwner()->isBeforeInBlock(first)))
        first = use.getOwner();
    builder.setInsertionPoint(first);
    Value there = ConvertLayoutOp::create(builder, sum.getLoc(), sum.getType(), sum);
    sum.replaceUsesWithIf(there, isOurs);
  }
  return true;
}

} // namespace

bool tile::widenStores(KernelOp kernel, const LayoutGroups &groups, const Target &target) {
  SmallVector<StoreOp> stores;
  kernel.getBody().walk([&](StoreOp store) { stores.push_back(store); });
  StoreWidener widener(kernel.getWaves(), groups, target);
  bool changed = false;
  for (StoreOp store : stores)
    changed |= widener.widen(store);
  return changed;
}
