// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of tiles as index arithmetic. Everything is unsigned and stays below 2^32 for sizes below 2^31.
#include "lowp/Conversion/LowpToTile/WorkgroupGrid.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace lowp {
namespace {

/// Index arithmetic that folds as it is written: with static sizes no trace of it is left.
struct Index {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }
  Value sub(Value a, Value b) { return builder.createOrFold<arith::SubIOp>(loc, a, b); }
  Value mul(Value a, Value b) { return builder.createOrFold<arith::MulIOp>(loc, a, b); }
  Value div(Value a, Value b) { return builder.createOrFold<arith::DivUIOp>(loc, a, b); }
  Value rem(Value a, Value b) { return builder.createOrFold<arith::RemUIOp>(loc, a, b); }
  Value min(Value a, Value b) { return builder.createOrFold<arith::MinUIOp>(loc, a, b); }
};

/// XCD x runs the workgroups x, x + xcds, ...: it gets the tiles from x * (tiles / xcds) on, and the first
/// tiles % xcds of them one tile more than the others.
Value remapToXcds(Index index, Value id, Value tiles, unsigned xcds) {
  Value count = index.constant(xcds);
  Value share = index.div(tiles, count), remainder = index.rem(tiles, count);
  Value xcd = index.rem(id, count), turn = index.div(id, count);
  Value more = index.min(xcd, remainder);
  Value start = index.add(index.mul(xcd, share), more);
  return index.add(start, turn);
}

} // namespace

Value createTileCount(OpBuilder &builder, Location loc, Value size, int64_t tile) {
  Index index{builder, loc};
  Value divisor = index.constant(tile);
  return index.div(index.add(size, index.constant(tile - 1)), divisor);
}

TilePosition createTilePosition(OpBuilder &builder, Location loc, Value id, Value tilesM, Value tilesN,
                                GridOrder order) {
  Index index{builder, loc};
  if (order.xcds > 1)
    id = remapToXcds(index, id, index.mul(tilesM, tilesN), order.xcds);
  if (getConstantIntValue(tilesM) == 1)
    return {index.constant(0), id};
  if (order.group <= 1)
    return {index.div(id, tilesN), index.rem(id, tilesN)};
  Value group = index.constant(order.group);
  Value groupTiles = index.mul(group, tilesN);
  Value first = index.mul(index.div(id, groupTiles), group);
  Value inside = index.rem(id, groupTiles);
  Value rows = index.min(index.sub(tilesM, first), group); // the last group may have fewer
  return {index.add(first, index.rem(inside, rows)), index.div(inside, rows)};
}

} // namespace lowp
