// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses a layout for every tile of a kernel. Values that control flow hands on, an accumulator and its
// result, and the operands and results of element-wise operations form groups. A group takes its layout from
// the first of these that speaks: a product whose accumulator it holds, a reduction or broadcast next to it,
// a product whose operand it is, the memory that it comes from or goes to. Where a group meets another layout
// later, the operation states a demand, and the pass converts.

#include "AssignLayouts.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

static RankedTensorType tileType(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

static bool touchesTiles(Operation *op) {
  return llvm::any_of(op->getOperands(), tileType) || llvm::any_of(op->getResults(), tileType);
}

LinearAttr LayoutGroups::layoutOf(Value value) const { return layouts.lookup(leaderOf(value)); }

void LayoutGroups::join(Value first, Value second) {
  unsigned a = leaderOf(first), b = leaderOf(second);
  LinearAttr ours = layouts.lookup(a), theirs = layouts.lookup(b);
  if (a == b || (ours && theirs && ours != theirs))
    return;
  unsigned leader = classes.join(a, b);
  if (LinearAttr layout = ours ? ours : theirs)
    layouts[leader] = layout;
}

bool LayoutGroups::anchor(Value value, LinearAttr layout) {
  return layouts.try_emplace(leaderOf(value), layout).second;
}

LogicalResult LayoutGroups::assign() {
  if (failed(number()))
    return failure();
  joinFlow();
  if (failed(anchorProducts()))
    return failure();
  joinElementwise();
  spreadSlices();
  anchorOperands();
  spreadSlices();
  while (anchorOneByMemory())
    spreadSlices();
  return success();
}

//===-- Groups
//-------------------------------------------------------------------------------------------------------===//

/// Numbers the tiles of the kernel in program order and refuses operations that have no rule.
LogicalResult LayoutGroups::number() {
  auto add = [&](Value value, Operation *op) -> LogicalResult {
    auto type = tileType(value);
    if (!type)
      return success();
    for (int64_t size : type.getShape())
      if (size <= 0 || !llvm::isPowerOf2_64(size) || size > (int64_t(1) << 30))
        return op->emitError() << "tile dimensions must be powers of two, but got '" << size << "' in "
                               << type;
    numbers[value] = values.size();
    values.push_back(value);
    return success();
  };
  WalkResult result = kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (failed(add(argument, op)))
          return WalkResult::interrupt();
    for (Value value : op->getResults())
      if (failed(add(value, op)))
        return WalkResult::interrupt();
    bool known = isElementwise(op) || op->hasTrait<OpTrait::ConstantLike>() ||
                 isa_and_present<TileDialect>(op->getDialect()) ||
                 isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(op);
    if (known || !touchesTiles(op))
      return WalkResult::advance();
    op->emitError() << "'" << op->getName()
                    << "' cannot be given layouts: it is neither element-wise, nor control flow, nor a tile "
                    << "operation";
    return WalkResult::interrupt();
  });
  classes.grow(values.size());
  // What is written down already stands.
  for (auto [index, value] : llvm::enumerate(values))
    if (LinearAttr layout = LinearAttr::of(value.getType()))
      layouts[index] = layout;
  return failure(result.wasInterrupted());
}

/// Values that are one value in every lane: handed on by control flow, or updated by a product.
void LayoutGroups::joinFlow() {
  kernel.getBody().walk([&](Operation *op) {
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
      RegionBranchSuccessorMapping mapping;
      branch.getSuccessorOperandInputMapping(mapping);
      for (auto &[operand, inputs] : mapping)
        for (Value input : inputs)
          if (tileType(input))
            join(operand->get(), input);
    }
    if (auto mma = dyn_cast<MmaOp>(op))
      join(mma.getAcc(), mma.getResult());
  });
}

LogicalResult LayoutGroups::anchorProducts() {
  WalkResult result = kernel.getBody().walk([&](MmaOp mma) -> WalkResult {
    FailureOr<MmaDemand> demand = mmaDemand(mma, kernel.getWaves(), target);
    if (failed(demand))
      return WalkResult::interrupt();
    products[mma] = *demand;
    anchor(mma.getResult(), demand->acc);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void LayoutGroups::joinElementwise() {
  kernel.getBody().walk([&](Operation *op) {
    if (!isElementwise(op) || op->getNumResults() == 0 || !tileType(op->getResult(0)))
      return;
    for (Value value :
         llvm::concat<Value>(SmallVector<Value>(op->getResults()), SmallVector<Value>(op->getOperands())))
      if (tileType(value))
        join(op->getResult(0), value);
  });
}

//===-- Layouts
//------------------------------------------------------------------------------------------------------===//

void LayoutGroups::spreadSlices() {
  bool changed = true;
  while (changed) {
    changed = false;
    kernel.getBody().walk([&](Operation *op) {
      if (auto reduce = dyn_cast<ReduceOp>(op)) {
        LinearAttr source = layoutOf(reduce.getSource());
        if (source && canReduce(source, reduce.getDim()))
          changed |= anchor(reduce.getResult(), withoutDim(source, reduce.getDim()));
      } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
        if (LinearAttr result = layoutOf(broadcast.getResult()))
          changed |= anchor(broadcast.getSource(), broadcastSource(result, broadcast.getDims()));
      }
    });
  }
}

void LayoutGroups::anchorOperands() {
  kernel.getBody().walk([&](MmaOp mma) {
    anchor(mma.getA(), products[mma].a);
    anchor(mma.getB(), products[mma].b);
  });
}

/// The first group without a layout, those of the highest rank first, gets one that suits its accesses to
/// global memory.
bool LayoutGroups::anchorOneByMemory() {
  Value chosen;
  for (Value value : values)
    if (!layoutOf(value) && (!chosen || tileType(value).getRank() > tileType(chosen).getRank()))
      chosen = value;
  return chosen && anchor(chosen, blocked(leaderOf(chosen)));
}

LinearAttr LayoutGroups::blocked(unsigned leader) {
  RankedTensorType type = tileType(values[leader]);
  SmallVector<int32_t> shape(type.getShape());
  unsigned waves = kernel.getWaves(), rank = shape.size();
  if (rank == 0) {
    std::vector<std::vector<int32_t>> lanes(6), waveBits(llvm::Log2_32(waves));
    return makeLinear(type.getContext(),
                      LinearLayout({{"register", {}}, {"lane", lanes}, {"wave", waveBits}}, {}), 1);
  }

  // The access that may move most at once decides; a group that meets no memory runs along its last
  // dimension.
  Type element = type.getElementType();
  MemoryRun run{rank - 1, 0, element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 32};
  SmallVector<unsigned> reduced;
  bool gathered = false; // from several waves
  auto consider = [&](Value value, ViewType view, AffineMap map) {
    if (leaderOf(value) != leader)
      return;
    if (std::optional<MemoryRun> other = memoryRun(view, map); other && other->elements > run.elements)
      run = *other;
  };
  kernel.getBody().walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      consider(load.getResult(), load.getView().getType(), load.getIndexMap());
    else if (auto store = dyn_cast<StoreOp>(op))
      consider(store.getValue(), store.getView().getType(), store.getIndexMap());
    auto reduce = dyn_cast<ReduceOp>(op);
    if (!reduce)
      return;
    if (leaderOf(reduce.getSource()) == leader)
      reduced.push_back(reduce.getDim());
    LinearAttr source = layoutOf(reduce.getSource());
    gathered |= leaderOf(reduce.getResult()) == leader && source && !canReduce(source, reduce.getDim());
  });

  unsigned vector = laneVector(type, run.elements, waves);

  // Waves stay off the dimensions that are reduced, so that the reduction need not cross them; if that is
  // all, off the first. Where a reduction gathers from several waves, they share the result first, and the
  // lanes left over share its sources.
  if (llvm::all_of(llvm::seq(rank), [&](unsigned dim) { return llvm::is_contained(reduced, dim); }))
    reduced.resize(1);
  unsigned fragment = std::min<unsigned>(vector, shape[run.dim]);
  if (reduced.empty() && !gathered)
    return makeLinear(type.getContext(), layoutByMemory(type, run, waves), fragment);
  LinearLayout perWave = LinearLayout::zeros("wave", 1, rank);
  unsigned left = waves;
  for (unsigned dim = 0; dim < rank; ++dim) {
    unsigned share = llvm::is_contained(reduced, dim) ? 1 : std::min<unsigned>(left, shape[dim]);
    perWave = perWave * LinearLayout::identity("wave", share, dim, rank);
    shape[dim] /= share;
    left /= share;
  }
  perWave = perWave * LinearLayout::zeros("wave", left, rank);
  LinearLayout layout = blockedLayout(shape, run.dim, vector, /*waves=*/1) * perWave;
  return makeLinear(type.getContext(), std::move(layout), std::min<unsigned>(vector, shape[run.dim]));
}

//===-- Demands
//------------------------------------------------------------------------------------------------------===//

LinearAttr LayoutGroups::demandOf(OpOperand &operand) const {
  Operation *op = operand.getOwner();
  if (auto mma = dyn_cast<MmaOp>(op)) {
    const MmaDemand &demand = products.at(mma);
    return operand == mma.getAMutable() ? demand.a : operand == mma.getBMutable() ? demand.b : demand.acc;
  }
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return broadcastSource(layoutOf(broadcast.getResult()), broadcast.getDims());
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    if (canReduce(layoutOf(reduce.getSource()), reduce.getDim()))
      return {};
    int64_t size = tileType(reduce.getSource()).getDimSize(reduce.getDim());
    return reductionSource(layoutOf(reduce.getResult()), reduce.getDim(), size);
  }
  if (isElementwise(op) && op->getNumResults() != 0 && tileType(op->getResult(0)))
    return layoutOf(op->getResult(0));
  return {};
}

LinearAttr LayoutGroups::producedBy(OpResult result) const {
  if (auto mma = dyn_cast<MmaOp>(result.getOwner()))
    return products.at(mma).acc;
  if (auto reduce = dyn_cast<ReduceOp>(result.getOwner())) {
    LinearAttr source = layoutOf(reduce.getSource());
    if (canReduce(source, reduce.getDim()))
      return withoutDim(source, reduce.getDim());
  }
  return layoutOf(result);
}
