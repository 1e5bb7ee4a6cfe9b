// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the grid, by running the emitted index arithmetic for every workgroup: each tile is computed
// exactly once, whatever the counts; and what the order is for: each XCD gets one contiguous stretch, groups
// are walked column by column.

#include "lowp/Conversion/LowpToTile/WorkgroupGrid.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace mlir;
using namespace lowp;

namespace {

using Tile = std::pair<int64_t, int64_t>;

/// The arithmetic as a function of (id, tilesM, tilesN), interpreted by folding each operation with constant
/// operands. With `counts` it is written for those, as constants.
class GridFunction {
public:
  explicit GridFunction(GridOrder order, std::optional<Tile> counts = std::nullopt) : builder(&context) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect>();
    Location loc = builder.getUnknownLoc();
    module = ModuleOp::create(builder, loc);
    builder.setInsertionPointToStart(module->getBody());
    Type index = builder.getIndexType();
    func = func::FuncOp::create(builder, loc, "grid",
                                builder.getFunctionType({index, index, index}, {index, index}));
    builder.setInsertionPointToStart(func.addEntryBlock());
    Value tilesM = func.getArgument(1), tilesN = func.getArgument(2);
    if (counts) {
      tilesM = arith::ConstantIndexOp::create(builder, loc, counts->first);
      tilesN = arith::ConstantIndexOp::create(builder, loc, counts->second);
    }
    TilePosition position = createTilePosition(builder, loc, func.getArgument(0), tilesM, tilesN, order);
    func::ReturnOp::create(builder, loc, ValueRange{position.m, position.n});
  }

  Tile operator()(int64_t id, int64_t tilesM, int64_t tilesN) {
    llvm::DenseMap<Value, Attribute> values;
    const int64_t arguments[] = {id, tilesM, tilesN};
    for (auto [argument, value] : llvm::zip(func.getArguments(), arguments))
      values[argument] = builder.getIndexAttr(value);
    for (Operation &op : func.getBody().front().without_terminator()) {
      SmallVector<Attribute> operands;
      for (Value operand : op.getOperands())
        operands.push_back(values.lookup(operand));
      SmallVector<OpFoldResult> results;
      if (failed(op.fold(operands, results)) || results.size() != 1) {
        ADD_FAILURE() << "no value for " << op.getName().getStringRef().str();
        return {-1, -1};
      }
      Value folded = dyn_cast_if_present<Value>(results[0]);
      values[op.getResult(0)] = folded ? values.lookup(folded) : cast<Attribute>(results[0]);
    }
    Operation *terminator = func.getBody().front().getTerminator();
    auto number = [&](unsigned i) {
      return cast<IntegerAttr>(values.lookup(terminator->getOperand(i))).getInt();
    };
    return {number(0), number(1)};
  }

private:
  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  func::FuncOp func;
};

constexpr GridOrder orders[] = {{1, 1}, {8, 1}, {1, 4}, {8, 8}, {8, 4}, {4, 3}, {2, 16}};
constexpr Tile counts[] = {{1, 1}, {1, 7},  {7, 1},  {2, 3},   {8, 8},   {9, 7},  {5, 13},
                           {3, 3}, {17, 5}, {16, 4}, {13, 31}, {64, 24}, {31, 1}, {1, 100}};

void expectEveryTileOnce(GridFunction &grid, Tile count, GridOrder order) {
  std::set<Tile> seen;
  for (int64_t id = 0; id < count.first * count.second; ++id) {
    Tile tile = grid(id, count.first, count.second);
    EXPECT_TRUE(tile.first >= 0 && tile.first < count.first && tile.second >= 0 && tile.second < count.second)
        << "workgroup " << id << " of " << count.first << " x " << count.second << ", xcds " << order.xcds
        << ", group " << order.group << ": tile " << tile.first << ", " << tile.second;
    seen.insert(tile);
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(count.first * count.second))
      << count.first << " x " << count.second << ", xcds " << order.xcds << ", group " << order.group;
}

TEST(WorkgroupGrid, EveryTileOnce) {
  for (GridOrder order : orders) {
    GridFunction grid(order);
    for (Tile count : counts)
      expectEveryTileOnce(grid, count, order);
  }
}

TEST(WorkgroupGrid, EveryTileOnceWithStaticCounts) {
  for (GridOrder order : {GridOrder{1, 1}, GridOrder{8, 4}})
    for (Tile count : counts) {
      GridFunction grid(order, count);
      expectEveryTileOnce(grid, count, order);
    }
}

TEST(WorkgroupGrid, PlainOrderIsRowByRow) {
  GridFunction grid({1, 1});
  for (int64_t id = 0; id < 5 * 3; ++id)
    EXPECT_EQ(grid(id, 5, 3), Tile(id / 3, id % 3));
}

TEST(WorkgroupGrid, GroupsAreWalkedColumnByColumn) {
  GridFunction grid({1, 4});
  // Six rows of tiles: a group of four, then one of two.
  EXPECT_EQ(grid(0, 6, 3), Tile(0, 0));
  EXPECT_EQ(grid(3, 6, 3), Tile(3, 0));
  EXPECT_EQ(grid(4, 6, 3), Tile(0, 1));
  EXPECT_EQ(grid(11, 6, 3), Tile(3, 2));
  EXPECT_EQ(grid(12, 6, 3), Tile(4, 0));
  EXPECT_EQ(grid(13, 6, 3), Tile(5, 0));
  EXPECT_EQ(grid(14, 6, 3), Tile(4, 1));
  EXPECT_EQ(grid(17, 6, 3), Tile(5, 2));
}

/// The tiles of one XCD follow each other in the order without remapping, and no XCD has two more than
/// another.
TEST(WorkgroupGrid, EachXcdHasOneStretch) {
  constexpr int64_t xcds = 8;
  for (unsigned group : {1, 4}) {
    GridFunction plain({1, group}), remapped({xcds, group});
    for (auto [tilesM, tilesN] : counts) {
      std::map<Tile, int64_t> place;
      for (int64_t id = 0; id < tilesM * tilesN; ++id)
        place[plain(id, tilesM, tilesN)] = id;
      int64_t next = 0, least = tilesM * tilesN, most = 0;
      for (int64_t xcd = 0; xcd < xcds; ++xcd) {
        int64_t size = 0;
        for (int64_t id = xcd; id < tilesM * tilesN; id += xcds, ++size)
          EXPECT_EQ(place.at(remapped(id, tilesM, tilesN)), next++);
        least = std::min(least, size);
        most = std::max(most, size);
      }
      EXPECT_LE(most - least, 1);
    }
  }
}

TEST(WorkgroupGrid, TileCountRoundsUp) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module(ModuleOp::create(builder, loc));
  builder.setInsertionPointToStart(module->getBody());
  for (auto [size, tile, count] : {std::tuple<int64_t, int64_t, int64_t>{1, 256, 1},
                                   {256, 256, 1},
                                   {257, 256, 2},
                                   {2147483647, 16, 134217728}}) {
    Value value = createTileCount(builder, loc, arith::ConstantIndexOp::create(builder, loc, size), tile);
    EXPECT_EQ(getConstantIntValue(value), count) << size << " by " << tile;
  }
}

} // namespace
