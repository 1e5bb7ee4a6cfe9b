// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small operations; lowp.matmul is in MatmulOp.cpp.

#include "lowp/Dialect/Lowp/IR/Lowp.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lowp;

//===-- lowp.index
//----------------------------------------------------------------------------------------===//

LogicalResult IndexOp::verify() {
  int64_t rank = cast<MatmulOp>((*this)->getParentOp()).getResultType().getRank();
  if (getDim() >= uint32_t(rank))
    return emitOpError() << "dimension must be less than the rank of the result, '" << rank << "', but got '"
                         << getDim() << "'";
  return success();
}

//===-- lowp.cast
//-----------------------------------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  auto from = dyn_cast<RankedTensorType>(getSource().getType());
  auto to = dyn_cast<RankedTensorType>(getResult().getType());
  if (bool(from) != bool(to) ||
      (from && (from.getShape() != to.getShape() || from.getEncoding() != to.getEncoding())))
    return emitOpError() << "source and result must have the same shape and storage, but got "
                         << getSource().getType() << " and " << getResult().getType();
  Type source = getElementTypeOrSelf(getSource().getType()),
       result = getElementTypeOrSelf(getResult().getType());
  if (!source.isF32() && !source.isBF16() && !source.isF16())
    return emitOpError() << "source must have element type f32, bf16 or f16, but got " << source;
  if (result.getIntOrFloatBitWidth() >= source.getIntOrFloatBitWidth())
    return emitOpError() << "result must have an element type of fewer bits than " << source << ", but got "
                         << result;
  if (!isa<Float8E4M3FNType, Float8E5M2Type, Float8E4M3FNUZType, Float8E5M2FNUZType, Float6E2M3FNType,
           Float6E3M2FNType, Float4E2M1FNType, BFloat16Type, Float16Type>(result))
    return emitOpError() << "result has element type " << result
                         << "; accepted are f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, f6E2M3FN, f6E3M2FN, "
                            "f4E2M1FN, bf16, f16";
  return success();
}

//===-- lowp.broadcast
//------------------------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  auto like = cast<RankedTensorType>(getLike().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  Type sourceType = getSource().getType();
  auto source = dyn_cast<RankedTensorType>(sourceType);
  if (!source && !sourceType.isIntOrFloat())
    return emitOpError() << "source must be a scalar or a ranked tensor, but got " << sourceType;
  if (getElementTypeOrSelf(sourceType) != result.getElementType())
    return emitOpError() << "source and result must have the same element type, but got "
                         << getElementTypeOrSelf(sourceType) << " and " << result.getElementType();
  if (like.getShape() != result.getShape())
    return emitOpError() << "result must have the shape of " << like << ", but got " << result;
  int64_t sourceRank = source ? source.getRank() : 0;
  if (int64_t(getDims().size()) != sourceRank)
    return emitOpError() << "needs one dimension of the result for each of the source's, which has rank '"
                         << sourceRank << "', but got '" << int64_t(getDims().size()) << "'";
  llvm::SmallBitVector used(result.getRank());
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    if (dim < 0 || dim >= result.getRank())
      return emitOpError() << "dims must be less than the rank of the result, '" << result.getRank()
                           << "', but got '" << dim << "'";
    if (used.test(dim))
      return emitOpError() << "dims must be different, but got '" << dim << "' twice";
    used.set(dim);
    int64_t from = source.getDimSize(i), to = result.getDimSize(dim);
    if (!ShapedType::isDynamic(from) && !ShapedType::isDynamic(to) && from != to)
      return emitOpError() << "dimension " << int64_t(i) << " of the source must have the size of dimension "
                           << dim << " of the result, '" << to << "', but got '" << from << "'";
  }
  return success();
}
