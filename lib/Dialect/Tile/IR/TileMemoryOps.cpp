// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the tile dialect on memory: views, global accesses and LDS rings.

#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Tile/IR/Tile.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

LogicalResult ViewOp::verify() {
  ViewType view = getType();
  if (getSizes().size() != view.getNumDynamicDims())
    return emitOpError() << "must have a size for each of the " << view.getNumDynamicDims()
                         << " dynamic dimensions, but got " << getSizes().size();
  unsigned strides = view.getRank() == 0 ? 0 : view.getRank() - 1;
  if (getStrides().size() != strides)
    return emitOpError() << "must have a stride for each of the " << strides
                         << " dimensions but the innermost, but got " << getStrides().size();
  return success();
}

//===-- The index function that all accesses share
//-------------------------------------------------------------------===//

static AffineMap indexMap(std::optional<AffineMap> map, unsigned tileRank, MLIRContext *context) {
  return map ? *map : AffineMap::getMultiDimIdentityMap(tileRank, context);
}

AffineMap LoadOp::getIndexMap() { return indexMap(getMap(), getType().getRank(), getContext()); }
AffineMap StoreOp::getIndexMap() { return indexMap(getMap(), getValue().getType().getRank(), getContext()); }
AffineMap AsyncCopyOp::getIndexMap() {
  return indexMap(getMap(), getBuffer().getType().getShape().size(), getContext());
}

/// Whether `expr` is a sum of tile coordinates times constants, and a constant.
static bool isAffineInDims(AffineExpr expr) {
  bool linear = true;
  expr.walk([&](AffineExpr part) {
    linear &= part.getKind() == AffineExprKind::Add || part.getKind() == AffineExprKind::Mul ||
              part.getKind() == AffineExprKind::DimId || part.getKind() == AffineExprKind::Constant;
  });
  return linear;
}

template <typename AccessOp>
static LogicalResult verifyAccess(AccessOp op, ArrayRef<int64_t> tileShape, Type elementType) {
  ViewType view = op.getView().getType();
  if (view.getElementType() != elementType)
    return op.emitOpError() << "view and tile must have one element type, but got " << view.getElementType()
                            << " and " << elementType;
  if (op.getOffsets().size() != view.getRank())
    return op.emitOpError() << "must have an offset for each of the " << view.getRank()
                            << " dimensions of the view, but got " << op.getOffsets().size();
  AffineMap map = op.getIndexMap();
  if (map.getNumDims() != tileShape.size() || map.getNumResults() != view.getRank() ||
      map.getNumSymbols() != 0)
    return op.emitOpError() << "map must take the " << tileShape.size() << " tile coordinates to the "
                            << view.getRank() << " dimensions of the view, but got '"
                            << AffineMapAttr::get(map) << "'";
  if (!llvm::all_of(map.getResults(), isAffineInDims))
    return op.emitOpError() << "map must be linear in the tile coordinates, but got '"
                            << AffineMapAttr::get(map) << "'";
  for (AffineExpr expr : map.getResults()) {
    bool negative = false;
    expr.walk([&](AffineExpr part) {
      if (auto constant = dyn_cast<AffineConstantExpr>(part))
        negative |= constant.getValue() < 0;
    });
    if (negative)
      return op.emitOpError() << "map must have no negative constants, but got '" << AffineMapAttr::get(map)
                              << "'";
  }
  if (op.getInBounds() && op.getInBounds()->size() != view.getRank())
    return op.emitOpError() << "in_bounds must speak of the " << view.getRank()
                            << " dimensions of the view, but has " << op.getInBounds()->size() << " entries";
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, getType().getShape(), cast<ShapedType>(getType()).getElementType());
}

LogicalResult StoreOp::verify() {
  auto type = cast<RankedTensorType>(getValue().getType());
  if (failed(verifyAccess(*this, type.getShape(), type.getElementType())))
    return failure();
  // Two elements of the tile must not go to one place: every coordinate that varies has to appear.
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (size > 1 && !llvm::any_of(getIndexMap().getResults(),
                                  [dim = dim](AffineExpr expr) { return expr.isFunctionOfDim(dim); }))
      return emitOpError() << "map must not drop dimension " << dim
                           << " of the tile, or elements overwrite each other";
  return success();
}

LogicalResult AsyncCopyOp::verify() {
  return verifyAccess(*this, getBuffer().getType().getShape(), getBuffer().getType().getElementType());
}

unsigned AsyncCopyOp::instructionsPerWave(unsigned waves) {
  return llvm::divideCeil(getBuffer().getType().getStageBytes(), int64_t(waves) * 64 * 16);
}

//===-- LDS
//----------------------------------------------------------------------------------------------------------===//

static LogicalResult verifyLocal(Operation *op, LocalType buffer, Type tile) {
  auto type = cast<RankedTensorType>(tile);
  if (buffer.getShape() != type.getShape() || buffer.getElementType() != type.getElementType())
    return op->emitOpError() << "tile and buffer must agree in shape and element type, but got " << type
                             << " and " << buffer;
  return success();
}

LogicalResult LocalStoreOp::verify() {
  return verifyLocal(*this, getBuffer().getType(), getValue().getType());
}
LogicalResult LocalLoadOp::verify() { return verifyLocal(*this, getBuffer().getType(), getType()); }

//===-- Order
//--------------------------------------------------------------------------------------------------------===//

LogicalResult ClusterOp::verify() {
  Block &block = getBody().front();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError() << "must end with 'tile.yield'";
  if (yield.getOperandTypes() != getResultTypes())
    return emitOpError() << "must yield its results, (" << getResultTypes() << "), but yields ("
                         << yield.getOperandTypes() << ")";
  return success();
}
