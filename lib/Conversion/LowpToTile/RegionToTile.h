// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region on scalars becomes operations on tiles of one shape: every scalar value becomes the tile of its
// values at all elements. Any pure element-wise operation is taken, whatever its dialect. `index` becomes
// i64.
#ifndef LOWP_LIB_CONVERSION_LOWPTOTILE_REGIONTOTILE_H
#define LOWP_LIB_CONVERSION_LOWPTOTILE_REGIONTOTILE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace lowp {

/// Gives a tile of i64 that holds every element's coordinate along one dimension of the result.
using CoordinateFunction = llvm::function_ref<mlir::Value(unsigned dim)>;

/// Writes the operations of `block` at the builder's position, its arguments replaced by `arguments`, and
/// returns the tile of what it yields. Reports an operation that has no meaning on tiles.
mlir::FailureOr<mlir::Value> createOnTile(mlir::OpBuilder &builder, mlir::Block &block,
                                          mlir::ValueRange arguments, llvm::ArrayRef<int64_t> shape,
                                          CoordinateFunction coordinate);

/// The tile converted to another float type as `arith` does it; itself if it has that type.
mlir::Value createFloatConversion(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tile,
                                  mlir::Type elementType);

} // namespace lowp

#endif // LOWP_LIB_CONVERSION_LOWPTOTILE_REGIONTOTILE_H
