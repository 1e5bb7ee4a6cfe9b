// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-assign-layouts: from tiles without layouts to tiles whose type says which register of which lane of
// which wave holds which element. In: kernels of element-wise operations, control flow and tile operations on
// tensors without encoding. Out: every tensor has a `#tile.linear`; loads with a staging go through LDS; what
// convert_layout is left moves elements between the registers of one lane. Still sequential: one stage, slot
// 0, no waits.

#include "lowp/Dialect/Tile/Transforms/Passes.h"

#include "AssignLayouts.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace lowp::tile {
#define GEN_PASS_DEF_TILEASSIGNLAYOUTS
#include "lowp/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace lowp::tile

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

static Type withLayout(Type type, LinearAttr layout) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(), layout);
}

//===-- Preparation
//--------------------------------------------------------------------------------------------------===//

/// Values that cost nothing in any layout get one definition a use, so that they tie no groups together.
static void cloneCheapValues(KernelOp kernel) {
  SmallVector<Operation *> cheap;
  kernel.getBody().walk([&](Operation *op) {
    bool constant = op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()) &&
                    matchPattern(op, m_Constant());
    if (constant || isa<SplatOp, CoordinateOp>(op))
      cheap.push_back(op);
  });
  for (Operation *op : cheap) {
    if (op->use_empty())
      continue;
    OpBuilder builder(op);
    for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(op->getUses())))
      use.set(builder.clone(*op)->getResult(0));
  }
}

/// A load whose elements are the same along some dimensions loads them once.
static void splitBroadcastLoads(KernelOp kernel) {
  kernel.getBody().walk([](LoadOp load) {
    AffineMap map = load.getIndexMap();
    if (load.getStaging().value_or(Staging::None) != Staging::None)
      return;
    auto type = cast<RankedTensorType>(load.getType());
    SmallVector<int64_t> dims, shape;
    SmallVector<AffineExpr> renamed;
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim) {
      renamed.push_back(getAffineDimExpr(dims.size(), load.getContext()));
      if (!map.isFunctionOfDim(dim))
        continue;
      dims.push_back(dim);
      shape.push_back(type.getDimSize(dim));
    }
    if (dims.size() == map.getNumDims())
      return;
    OpBuilder builder(load);
    AffineMap smaller = map.replaceDimsAndSymbols(renamed, {}, dims.size(), 0);
    Value tile = LoadOp::create(builder, load.getLoc(), RankedTensorType::get(shape, type.getElementType()),
                                load.getView(), load.getOffsets(),
                                smaller.isIdentity() ? AffineMapAttr() : AffineMapAttr::get(smaller),
                                load.getInBoundsAttr(), /*staging=*/StagingAttr());
    load.replaceAllUsesWith(BroadcastOp::create(builder, load.getLoc(), type, tile, dims).getResult());
    load.erase();
  });
}

//===-- Rewrite
//------------------------------------------------------------------------------------------------------===//

static void setLayout(Value value, LinearAttr layout) {
  value.setType(withLayout(value.getType(), layout));
  // A constant's attribute has its type.
  Operation *op = value.getDefiningOp();
  if (!op || !op->hasTrait<OpTrait::ConstantLike>())
    return;
  for (NamedAttribute attribute : op->getAttrs())
    if (auto elements = dyn_cast<DenseElementsAttr>(attribute.getValue()))
      op->setAttr(attribute.getName(), elements.reshape(cast<ShapedType>(value.getType())));
}

/// Gives every value its group's layout and converts where an operation takes or gives another.
static void rewrite(KernelOp kernel, const LayoutGroups &groups) {
  SmallVector<std::pair<OpOperand *, LinearAttr>> demands;
  SmallVector<std::pair<OpResult, LinearAttr>> given;
  kernel.getBody().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      if (LinearAttr demand = groups.demandOf(operand); demand && demand != groups.layoutOf(operand.get()))
        demands.emplace_back(&operand, demand);
    }
    for (OpResult result : op->getResults()) {
      if (!isa<RankedTensorType>(result.getType()))
        continue;
      if (LinearAttr layout = groups.producedBy(result); layout != groups.layoutOf(result))
        given.emplace_back(result, layout);
    }
  });
  for (Value value : groups.getValues())
    setLayout(value, groups.layoutOf(value));

  OpBuilder builder(kernel.getContext());
  llvm::DenseMap<std::pair<Value, Attribute>, Value> converted;
  for (auto [operand, demand] : demands) {
    Value value = operand->get();
    Value &there = converted[{value, demand}];
    if (!there) {
      builder.setInsertionPointAfterValue(value);
      there = ConvertLayoutOp::create(builder, value.getLoc(), withLayout(value.getType(), demand), value);
    }
    operand->set(there);
  }
  for (auto [result, layout] : given) {
    builder.setInsertionPointAfterValue(result);
    auto convert = ConvertLayoutOp::create(builder, result.getLoc(), result.getType(), result);
    result.replaceAllUsesExcept(convert, convert);
    result.setType(withLayout(result.getType(), layout));
  }
  // A conversion of what an operation gave may lead back to it.
  kernel.getBody().walk([](ConvertLayoutOp convert) {
    Value origin = convert.getSource();
    while (auto earlier = origin.getDefiningOp<ConvertLayoutOp>())
      origin = earlier.getSource();
    if (origin.getType() == convert.getType())
      convert.replaceAllUsesWith(origin);
    else
      convert.getSourceMutable().assign(origin);
  });
  SmallVector<ConvertLayoutOp> conversions;
  kernel.getBody().walk([&](ConvertLayoutOp convert) { conversions.push_back(convert); });
  for (ConvertLayoutOp convert : llvm::reverse(conversions))
    if (convert.use_empty())
      convert.erase();
}

static LogicalResult checkLayouts(KernelOp kernel) {
  auto check = [](Operation *op, Value value) -> LogicalResult {
    if (!isa<ShapedType>(value.getType()) || LinearAttr::of(value.getType()))
      return success();
    return op->emitError() << "no layout was found for " << value.getType();
  };
  WalkResult result = kernel.getBody().walk([&](Operation *op) -> WalkResult {
    for (Value value : op->getResults())
      if (failed(check(op, value)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (failed(check(op, argument)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct AssignLayoutsPass : tile::impl::TileAssignLayoutsBase<AssignLayoutsPass> {
  using TileAssignLayoutsBase::TileAssignLayoutsBase;

  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

  LogicalResult run(KernelOp kernel) {
    const Target *chip = Target::get(target);
    if (!chip)
      return kernel.emitOpError() << "target '" << target << "' is unknown; known are "
                                  << llvm::join(Target::chips(), ", ");
    if (!llvm::isPowerOf2_32(kernel.getWaves()))
      return kernel.emitOpError() << "number of waves must be a power of two, but is '" << kernel.getWaves()
                                  << "'";
    cloneCheapValues(kernel);
    splitBroadcastLoads(kernel);
    std::optional<LayoutGroups> groups(std::in_place, kernel, *chip);
    if (failed(groups->assign()))
      return failure();
    if (widenStores(kernel, *groups, *chip) && failed(groups.emplace(kernel, *chip).assign()))
      return failure();
    rewrite(kernel, *groups);

    SmallVector<LoadOp> staged;
    kernel.getBody().walk([&](LoadOp load) {
      if (load.getStaging().value_or(Staging::None) != Staging::None)
        staged.push_back(load);
      else
        load.removeStagingAttr();
    });
    LocalMemory memory(kernel, *chip, reportConflicts);
    for (LoadOp load : staged)
      if (failed(memory.stage(load)))
        return failure();
    SmallVector<ConvertLayoutOp> conversions;
    kernel.getBody().walk([&](ConvertLayoutOp convert) {
      if (!isRegisterPermutation(LinearAttr::of(convert.getSource().getType()),
                                 LinearAttr::of(convert.getType())))
        conversions.push_back(convert);
    });
    for (ConvertLayoutOp convert : conversions)
      if (failed(memory.expand(convert)))
        return failure();
    return checkLayouts(kernel);
  }
};
} // namespace
