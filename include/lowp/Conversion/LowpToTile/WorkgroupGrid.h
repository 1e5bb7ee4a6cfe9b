// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which workgroup computes which tile of a matrix. The grid is one-dimensional over the tiles; its order
// decides what the workgroups that run at the same time share in the L2 caches.
//
// Workgroups go round robin to the XCDs (dies with an L2 of their own each), so consecutive numbers never
// share an L2. With `xcds` > 1 each XCD gets one contiguous stretch of the tile order instead. In that order
// tiles are visited in groups of `group` rows of tiles, column by column inside a group, so that a stretch is
// a compact rectangle: it reads few different rows of A and columns of B. Counts need not be multiples of
// anything.
#ifndef LOWP_CONVERSION_LOWPTOTILE_WORKGROUPGRID_H
#define LOWP_CONVERSION_LOWPTOTILE_WORKGROUPGRID_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

namespace lowp {

struct GridOrder {
  unsigned xcds = 1;  ///< dies over which the hardware distributes workgroups round robin; 1 = no remapping
  unsigned group = 1; ///< rows of tiles in a group
};

/// The number of a tile in either direction (index values).
struct TilePosition {
  mlir::Value m, n;
};

/// How many tiles of `tile` elements cover `size` elements: (size + tile - 1) / tile.
mlir::Value createTileCount(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value size, int64_t tile);

/// The tile of workgroup `id`, with 0 <= id < tilesM * tilesN: a one to one map. All values are indices.
TilePosition createTilePosition(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value id,
                                mlir::Value tilesM, mlir::Value tilesN, GridOrder order);

} // namespace lowp

#endif // LOWP_CONVERSION_LOWPTOTILE_WORKGROUPGRID_H
