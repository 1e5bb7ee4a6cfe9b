// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar regions on tiles. An operation is cloned with its result types made tensors, which the trait
// ElementwiseMappable says is right. Those that name no operand (constants, coordinates) or that have no form
// on i64 (casts from and to index) are written anew.
//
// Why index becomes i64 and not i32, though every coordinate fits 32 bits: what a region computes from
// coordinates, such as m * N + n, need not; where it is only compared or truncated, LLVM narrows it again.
#include "RegionToTile.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace lowp {

Value createFloatConversion(OpBuilder &builder, Location loc, Value tile, Type elementType) {
  auto type = cast<RankedTensorType>(tile.getType());
  unsigned from = type.getElementTypeBitWidth(), to = elementType.getIntOrFloatBitWidth();
  Type result = type.clone(elementType);
  if (type == result)
    return tile;
  if (from < to)
    return arith::ExtFOp::create(builder, loc, result, tile);
  return arith::TruncFOp::create(builder, loc, result, tile);
}

namespace {

class TileWriter {
public:
  TileWriter(OpBuilder &builder, ArrayRef<int64_t> shape, CoordinateFunction coordinate)
      : builder(builder), shape(shape), coordinate(coordinate) {}

  IRMapping mapping;
  LogicalResult write(Operation &op);

private:
  RankedTensorType tileOf(Type scalar) {
    return RankedTensorType::get(shape, scalar.isIndex() ? builder.getI64Type() : scalar);
  }
  LogicalResult writeConstant(arith::ConstantOp op);
  LogicalResult writeCast(CastOp op);
  LogicalResult writeIndexCast(Operation &op, bool isSigned);
  LogicalResult writeElementwise(Operation &op);

  OpBuilder &builder;
  ArrayRef<int64_t> shape;
  CoordinateFunction coordinate;
};

LogicalResult TileWriter::write(Operation &op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return writeConstant(constant);
  if (auto index = dyn_cast<IndexOp>(op)) {
    mapping.map(index.getResult(), coordinate(index.getDim()));
    return success();
  }
  if (auto cast = dyn_cast<CastOp>(op))
    return writeCast(cast);
  if (isa<arith::IndexCastOp>(op))
    return writeIndexCast(op, /*isSigned=*/true);
  if (isa<arith::IndexCastUIOp>(op))
    return writeIndexCast(op, /*isSigned=*/false);
  return writeElementwise(op);
}

LogicalResult TileWriter::writeConstant(arith::ConstantOp op) {
  if (!op.getType().isIntOrIndexOrFloat())
    return op.emitError() << "expected a scalar constant in the epilogue, but got one of type "
                          << op.getType();
  TypedAttr value = op.getValue();
  if (auto index = dyn_cast<IntegerAttr>(value); index && index.getType().isIndex())
    value = builder.getI64IntegerAttr(index.getInt());
  auto splat = SplatElementsAttr::get(tileOf(op.getType()), Attribute(value));
  mapping.map(op.getResult(), arith::ConstantOp::create(builder, op.getLoc(), splat));
  return success();
}

LogicalResult TileWriter::writeCast(CastOp op) {
  Type type = op.getType();
  if (op.getOverflow() != OverflowMode::Native || !(type.isF32() || type.isBF16() || type.isF16()))
    return op.emitError()
           << "expected a cast to f32, bf16 or f16 with overflow(native) in the epilogue, but got one to "
           << type << " with overflow(" << stringifyOverflowMode(op.getOverflow()) << ")";
  mapping.map(op.getResult(),
              createFloatConversion(builder, op.getLoc(), mapping.lookup(op.getSource()), type));
  return success();
}

LogicalResult TileWriter::writeIndexCast(Operation &op, bool isSigned) {
  Value source = mapping.lookup(op.getOperand(0));
  RankedTensorType type = tileOf(op.getResult(0).getType());
  unsigned from = getElementTypeOrSelf(source).getIntOrFloatBitWidth(), to = type.getElementTypeBitWidth();
  Value result = source;
  if (from > to)
    result = arith::TruncIOp::create(builder, op.getLoc(), type, source);
  else if (from < to && isSigned)
    result = arith::ExtSIOp::create(builder, op.getLoc(), type, source);
  else if (from < to)
    result = arith::ExtUIOp::create(builder, op.getLoc(), type, source);
  mapping.map(op.getResult(0), result);
  return success();
}

LogicalResult TileWriter::writeElementwise(Operation &op) {
  if (!op.hasTrait<OpTrait::Elementwise>() || !op.hasTrait<OpTrait::Tensorizable>() ||
      !isMemoryEffectFree(&op) || op.getNumRegions() != 0)
    return op.emitError()
           << "expected element-wise operations without side effects in the epilogue, but got '"
           << op.getName() << "'";
  for (Type type : llvm::concat<Type>(op.getOperandTypes(), op.getResultTypes()))
    if (!type.isIntOrIndexOrFloat())
      return op.emitError() << "expected operations on scalars in the epilogue, but got '" << op.getName()
                            << "' on " << type;
  Operation *clone = builder.clone(op, mapping);
  for (OpResult result : clone->getResults())
    result.setType(tileOf(result.getType()));
  return success();
}

} // namespace

FailureOr<Value> createOnTile(OpBuilder &builder, Block &block, ValueRange arguments, ArrayRef<int64_t> shape,
                              CoordinateFunction coordinate) {
  TileWriter writer(builder, shape, coordinate);
  writer.mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    if (failed(writer.write(op)))
      return failure();
  return writer.mapping.lookup(cast<YieldOp>(block.getTerminator()).getValue());
}

} // namespace lowp
