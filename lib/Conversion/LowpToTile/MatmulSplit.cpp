// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What splitting K over workgroups adds to a product: the slice of K of each, the workspace for their sums,
// and the second kernel, which adds them and does what else follows a product.
//
// The workspace holds f32 of splits x batch x rows x columns. Columns are filled up to whole tiles: rows then
// begin at multiples of 16 bytes whatever N is, the first kernel writes whatever its tiles have, and both
// move 16 bytes a lane.
//
// The second kernel gives each wave 256 neighbours of one row, 16 bytes of f32 a lane, and all workgroups'
// sums of them are loaded before the first is added: one trip to memory, whatever the number of splits. They
// are added in the order of K, so the same operands give the same bits on every run.
#include "MatmulLowering.h"
#include "lowp/Conversion/LowpToTile/WorkgroupGrid.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace lowp {

/// Bytes that a lane moves of the workspace, and the columns of one wave.
static constexpr unsigned partialBytes = 16;
static constexpr int64_t reducedColumns = 64 * partialBytes / sizeof(float);

AbiTensor MatmulLowering::partialSums(ScheduleAttr schedule) const {
  AbiTensor tensor;
  tensor.name = "workspace";
  tensor.type = RankedTensorType::get(SmallVector<int64_t>(partialAxes().size(), ShapedType::kDynamic),
                                      Float32Type::get(context));
  tensor.pointer = abi.workspace();
  int64_t columns = schedule.getTile()[1];
  for (unsigned axis : partialAxes())
    tensor.sizes.push_back(axis == splitAxis    ? getAffineConstantExpr(schedule.getSplits(), context)
                           : axis == columnAxis ? sizes[axis].ceilDiv(columns) * columns
                                                : sizes[axis]);
  return tensor;
}

SmallVector<unsigned> MatmulLowering::partialAxes() const {
  SmallVector<unsigned> axes{splitAxis};
  if (sizes[batchAxis])
    axes.push_back(batchAxis);
  axes.append({rowAxis, columnAxis});
  return axes;
}

AffineExpr MatmulLowering::workspaceBytes(ScheduleAttr schedule) {
  if (schedule.getSplits() == 1)
    return {};
  return partialSums(schedule).strideBytes(0) * schedule.getSplits();
}

/// Trips of the loop are dealt out evenly, the first slices get one more. A slice without any makes one
/// behind the end of K, which adds zeros.
DepthSlice MatmulLowering::createSlice(ScheduleAttr schedule, OpBuilder &builder,
                                       KernelArguments &arguments) {
  Location loc = op.getLoc();
  int64_t splits = schedule.getSplits(), depth = schedule.tripDepth();
  DepthSlice slice;
  slice.size = arguments.index(sizes[depthAxis]);
  slice.whole = schedule.getWholeK() || isWhole(depthAxis, depth);
  if (splits > 1) {
    // `whole_k` asks for a trip for each slice.
    if (slice.whole && !schedule.getWholeK())
      slice.whole = cast<AffineConstantExpr>(sizes[depthAxis]).getValue() >= splits * depth;
    auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
    Value id = tile::WorkgroupIdOp::create(builder, loc, 2);
    Value trips = createTileCount(builder, loc, slice.size, depth), count = constant(splits);
    Value share = builder.createOrFold<arith::DivUIOp>(loc, trips, count);
    Value more = builder.createOrFold<arith::RemUIOp>(loc, trips, count);
    Value before = builder.createOrFold<arith::MulIOp>(loc, id, share);
    Value extra = builder.createOrFold<arith::MinUIOp>(loc, id, more);
    Value first = builder.createOrFold<arith::AddIOp>(loc, before, extra);
    Value isLonger = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, id, more);
    Value one = builder.createOrFold<arith::IndexCastUIOp>(loc, builder.getIndexType(), isLonger);
    Value length = builder.createOrFold<arith::AddIOp>(loc, share, one);
    Value step = constant(depth);
    slice.origin = builder.createOrFold<arith::MulIOp>(loc, first, step);
    slice.size = builder.createOrFold<arith::MulIOp>(loc, length, step);
  }
  // 1 at least: said so that LLVM sees it, no test guards the loop, and what the prologue issues stays in
  // front of it, in order.
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  slice.size = builder.createOrFold<arith::MaxSIOp>(loc, slice.size, one);
  return slice;
}

void MatmulLowering::storePartialSum(ScheduleAttr schedule, OpBuilder &builder, KernelArguments &arguments,
                                     TileFrame frame, Value sum) {
  frame.axes[splitAxis] = {tile::WorkgroupIdOp::create(builder, op.getLoc(), 2), AffineExpr(), true};
  frame.axes[columnAxis].whole = true;
  Value view = arguments.view(partialSums(schedule), partialBytes);
  createStore(builder, op.getLoc(), sum, view, partialAxes(), frame);
}

KernelPlan MatmulLowering::reduction(ScheduleAttr schedule) {
  KernelPlan plan;
  plan.suffix = ".reduce";
  plan.grid = {sizes[rowAxis] * sizes[columnAxis].ceilDiv(reducedColumns), batches(),
               getAffineConstantExpr(1, context)};
  plan.createBody = [this, schedule](tile::KernelOp kernel, OpBuilder &builder) {
    return createReduction(schedule, kernel, builder);
  };
  return plan;
}

LogicalResult MatmulLowering::createReduction(ScheduleAttr schedule, tile::KernelOp kernel,
                                              OpBuilder &builder) {
  Location loc = op.getLoc();
  KernelArguments arguments(kernel, builder);
  Value id = tile::WorkgroupIdOp::create(builder, loc, 0);
  Value columns = createTileCount(builder, loc, arguments.index(sizes[columnAxis]), reducedColumns);
  Value row = builder.createOrFold<arith::DivUIOp>(loc, id, columns);
  Value column = builder.createOrFold<arith::RemUIOp>(loc, id, columns);
  Value width = arith::ConstantIndexOp::create(builder, loc, reducedColumns);
  column = builder.createOrFold<arith::MulIOp>(loc, column, width);

  TileFrame frame;
  frame.shape = {1, reducedColumns};
  frame.axes.resize(axisCount);
  frame.axes[rowAxis] = {row, builder.getAffineDimExpr(0), true};
  frame.axes[columnAxis] = {column, builder.getAffineDimExpr(1), isWhole(columnAxis, reducedColumns)};
  if (sizes[batchAxis])
    frame.axes[batchAxis] = {tile::WorkgroupIdOp::create(builder, loc, 1), AffineExpr(), true};

  AbiTensor partials = partialSums(schedule);
  Value partialView = arguments.view(partials, partialBytes);
  SmallVector<Value> terms;
  for (int64_t split = 0; split < schedule.getSplits(); ++split) {
    frame.axes[splitAxis] = {arith::ConstantIndexOp::create(builder, loc, split), AffineExpr(), true};
    terms.push_back(createLoad(builder, loc, partialView, partialAxes(), frame));
  }
  Value sum = terms.front();
  for (Value term : llvm::drop_begin(terms))
    sum = arith::AddFOp::create(builder, loc, sum, term);

  return storeResult(schedule, builder, arguments, frame, sum);
}

} // namespace lowp
