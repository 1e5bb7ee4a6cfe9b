// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of tiles from axes. The index map is left out where it is the default (the view's
// dimensions are the tile's), the bounds where nothing is known to lie inside.
#include "TileAccess.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace lowp {
namespace {

struct Access {
  SmallVector<Value> offsets;
  AffineMapAttr map;
  DenseBoolArrayAttr inBounds;
};

Access accessOf(Builder &builder, ArrayRef<unsigned> dims, const TileFrame &frame) {
  Access access;
  SmallVector<AffineExpr> coordinates;
  SmallVector<bool> inBounds;
  for (unsigned axis : dims) {
    const TileAxis &along = frame.axes[axis];
    access.offsets.push_back(along.origin);
    coordinates.push_back(along.coordinate ? along.coordinate : builder.getAffineConstantExpr(0));
    inBounds.push_back(along.whole);
  }
  AffineMap map = AffineMap::get(frame.shape.size(), 0, coordinates, builder.getContext());
  if (!map.isIdentity())
    access.map = AffineMapAttr::get(map);
  if (llvm::is_contained(inBounds, true))
    access.inBounds = builder.getDenseBoolArrayAttr(inBounds);
  return access;
}

} // namespace

Value createLoad(OpBuilder &builder, Location loc, Value view, ArrayRef<unsigned> dims,
                 const TileFrame &frame, std::optional<tile::Staging> staging) {
  Access access = accessOf(builder, dims, frame);
  auto type = RankedTensorType::get(frame.shape, cast<tile::ViewType>(view.getType()).getElementType());
  auto stagingAttr = staging ? tile::StagingAttr::get(builder.getContext(), *staging) : tile::StagingAttr();
  return tile::LoadOp::create(builder, loc, type, view, access.offsets, access.map, access.inBounds,
                              stagingAttr);
}

void createStore(OpBuilder &builder, Location loc, Value value, Value view, ArrayRef<unsigned> dims,
                 const TileFrame &frame) {
  Access access = accessOf(builder, dims, frame);
  tile::StoreOp::create(builder, loc, value, view, access.offsets, access.map, access.inBounds);
}

} // namespace lowp
