// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How tiles and tensors meet. Dimensions of both stand for axes of the operation's iteration space; a frame
// says where a workgroup's tile lies on each axis and which coordinate of the tile runs along it. The
// offsets, the index map and the bounds of any load or store follow, whatever the tensor's order of
// dimensions.
#ifndef LOWP_LIB_CONVERSION_LOWPTOTILE_TILEACCESS_H
#define LOWP_LIB_CONVERSION_LOWPTOTILE_TILEACCESS_H

#include "lowp/Dialect/Tile/IR/Tile.h"

namespace lowp {

/// One axis as a tile sees it.
struct TileAxis {
  mlir::Value origin;          ///< index: where the tile begins
  mlir::AffineExpr coordinate; ///< over the tile's dimensions; null: one index only
  bool whole = false;          ///< the tile never reaches beyond the end
};

struct TileFrame {
  llvm::SmallVector<int64_t> shape; ///< of the tile
  llvm::SmallVector<TileAxis> axes;
};

/// The tile of `view`, whose dimensions are the axes `dims`.
mlir::Value createLoad(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value view,
                       llvm::ArrayRef<unsigned> dims, const TileFrame &frame,
                       std::optional<tile::Staging> staging = std::nullopt);
void createStore(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value view,
                 llvm::ArrayRef<unsigned> dims, const TileFrame &frame);

} // namespace lowp

#endif // LOWP_LIB_CONVERSION_LOWPTOTILE_TILEACCESS_H
