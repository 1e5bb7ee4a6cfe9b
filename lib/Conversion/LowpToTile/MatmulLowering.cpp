// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowp.matmul as an entry. Its iteration space has the axes batch, row (m), column (n) and depth (k);
// operands, captures and the result are tensors over some of them. A workgroup computes one tile of the
// result: a loop over k of loads and products, then the scales, the epilogue on the whole tile, the store.
//
// The tile may be computed in parts, each with operands and sums of its own, and a trip of the loop may take
// several steps of k; how the resulting products are ordered is the pipeliner's.
//
// Where waves split K, the products have a leading dimension, one index per group of waves: in each step
// group w takes the w-th slice of k, and the sums are added after the loop. Where workgroups split K as well,
// they store these sums, and a second kernel does the rest (MatmulSplit.cpp).
#include "MatmulLowering.h"
#include "RegionToTile.h"
#include "lowp/Conversion/LowpToTile/WorkgroupGrid.h"
#include "lowp/Dialect/Lowp/IR/ScheduleRequirements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace lowp {

//===-- Operands and dimensions
//--------------------------------------------------------------------------------------===//

FailureOr<const AbiTensor *> MatmulLowering::inputTensor(Value value, StringRef what) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument)
    return abi.input(argument.getArgNumber());
  InFlightDiagnostic diagnostic = op.emitOpError()
                                  << "expected " << what << " to be an argument of the entry";
  diagnostic.attachNote(value.getLoc()) << "it is computed here";
  return diagnostic;
}

LogicalResult MatmulLowering::findOperands() {
  auto find = [&](Value value, StringRef what, SmallVector<unsigned> axes,
                  Operand &operand) -> LogicalResult {
    FailureOr<const AbiTensor *> tensor = inputTensor(value, what);
    if (failed(tensor))
      return failure();
    operand = {*tensor, std::move(axes)};
    return success();
  };
  auto withBatch = [](RankedTensorType type, SmallVector<unsigned> axes) {
    if (type.getRank() == 3)
      axes.insert(axes.begin(), batchAxis);
    return axes;
  };
  SmallVector<unsigned> aAxes{rowAxis, depthAxis}, bAxes{depthAxis, columnAxis};
  if (op.getTransposeA())
    std::swap(aAxes[0], aAxes[1]);
  if (op.getTransposeB())
    std::swap(bAxes[0], bAxes[1]);
  if (failed(find(op.getA(), "a", withBatch(op.getAType(), aAxes), a)) ||
      failed(find(op.getB(), "b", withBatch(op.getBType(), bAxes), b)))
    return failure();
  result = {&abi.result(0), withBatch(op.getResultType(), {rowAxis, columnAxis})};
  for (auto [value, what] : {std::pair(op.getScaleA(), "scale_a"), std::pair(op.getScaleB(), "scale_b")})
    if (value && failed(find(value, what, {}, scales.emplace_back())))
      return failure();
  for (auto [number, value] : llvm::enumerate(op.getCaptures())) {
    Capture &capture = captures.emplace_back();
    SmallVector<unsigned> axes;
    for (AffineExpr coordinate : op.getCaptureMap(number).getResults())
      axes.push_back(result.axes[cast<AffineDimExpr>(coordinate).getPosition()]);
    if (failed(find(value, "capture " + std::to_string(number), axes, capture.operand)))
      return failure();
    if (!capture.operand.tensor)
      capture.scalar = abi.scalar(cast<BlockArgument>(value).getArgNumber());
  }
  return success();
}

SmallVector<const Operand *> MatmulLowering::tensors() const {
  SmallVector<const Operand *> list{&a, &b, &result};
  for (const Operand &scale : scales)
    list.push_back(&scale);
  for (const Capture &capture : captures)
    if (capture.operand.tensor)
      list.push_back(&capture.operand);
  return list;
}

/// Every dimension on an axis has one size: a static one if any is, else the first. The others have to be
/// equal to it.
void MatmulLowering::unify(Conditions &conditions) {
  auto dimension = [](const Operand *operand, unsigned dim) {
    return "dimension " + std::to_string(dim) + " of " + operand->tensor->name;
  };
  for (unsigned axis = 0; axis < axisCount; ++axis) {
    SmallVector<std::pair<const Operand *, unsigned>> dims;
    for (const Operand *operand : tensors())
      for (auto [dim, dimAxis] : llvm::enumerate(operand->axes))
        if (dimAxis == axis)
          dims.push_back({operand, dim});
    auto sizeOf = [](std::pair<const Operand *, unsigned> dim) {
      return dim.first->tensor->sizes[dim.second];
    };
    AffineExpr chosen;
    std::string rule;
    for (auto dim : dims) {
      AffineExpr size = sizeOf(dim);
      if (!size || (chosen && !(isa<AffineConstantExpr>(size) && !isa<AffineConstantExpr>(chosen))))
        continue;
      chosen = size;
      auto constant = dyn_cast<AffineConstantExpr>(size);
      rule = constant ? std::to_string(constant.getValue()) : "equal " + dimension(dim.first, dim.second);
      if (constant)
        rule = "be " + rule;
    }
    for (auto dim : dims) {
      if (AffineExpr size = sizeOf(dim); size && size != chosen)
        conditions.requireEqual(size, chosen, dimension(dim.first, dim.second) + " must " + rule);
      abi.setSize(*dim.first->tensor, dim.second, chosen);
    }
    sizes[axis] = chosen;
  }
}

LogicalResult MatmulLowering::analyse(Conditions &conditions) {
  if (failed(findOperands()))
    return failure();
  unify(conditions);
  return success();
}

//===-- Conditions and grid
//------------------------------------------------------------------------------------------===//

/// What one lane may move at once: as the schedule says for operands, and for the result and what has its
/// rank.
unsigned MatmulLowering::vectorBytes(const Operand &operand, ScheduleAttr schedule) const {
  int64_t access = 0;
  if (&operand == &a || &operand == &b)
    access = schedule.getAccess();
  else if (operand.axes.size() == result.axes.size())
    access = schedule.getResultAccess();
  return std::max<int64_t>(access, llvm::divideCeil(operand.tensor->elementBits(), 8));
}

void MatmulLowering::addConditions(ScheduleAttr schedule, Conditions &conditions) {
  using Kind = ScheduleRequirement::Kind;
  for (const ScheduleRequirement &requirement : scheduleRequirements(op, schedule)) {
    auto argument = dyn_cast<BlockArgument>(requirement.tensor);
    const AbiTensor &tensor = argument ? *abi.input(argument.getArgNumber()) : *result.tensor;
    std::string dimension = "dimension " + std::to_string(requirement.dim) + " of " + tensor.name;
    std::string multiple = " must be a multiple of " + std::to_string(requirement.multiple);
    switch (requirement.kind) {
    case Kind::PointerMultiple:
      conditions.requireMultiple(abi.symbol(tensor.pointer), requirement.multiple,
                                 tensor.name + " must be aligned to " + Twine(requirement.multiple) +
                                     " bytes");
      break;
    case Kind::StrideMultiple:
      conditions.requireMultiple(tensor.strides[requirement.dim], requirement.multiple,
                                 "stride " + Twine(requirement.dim) + " of " + tensor.name + multiple);
      break;
    case Kind::SizeMultiple:
      conditions.requireMultiple(tensor.sizes[requirement.dim], requirement.multiple, dimension + multiple);
      break;
    case Kind::SizeRange:
      conditions.requireAtLeast(tensor.sizes[requirement.dim], requirement.lo,
                                dimension + " must be at least " + Twine(requirement.lo));
      if (requirement.hi != 0)
        conditions.requireAtMost(tensor.sizes[requirement.dim], requirement.hi,
                                 dimension + " must be at most " + Twine(requirement.hi));
      break;
    }
  }
}

/// The buffer descriptor of a tile begins at the tile; offsets in it are 32 bits wide and signed.
void MatmulLowering::addReach(ScheduleAttr schedule, Conditions &conditions) {
  constexpr int64_t maxOffset = std::numeric_limits<int32_t>::max();
  int64_t extents[axisCount] = {1, schedule.getTile()[0], schedule.getTile()[1], schedule.stepDepth(), 1};
  SmallVector<const Operand *> operands = tensors();
  AbiTensor partials;
  Operand workspace;
  if (schedule.getSplits() > 1) {
    partials = partialSums(schedule);
    workspace = {&partials, partialAxes()};
    operands.push_back(&workspace);
  }
  for (const Operand *operand : operands) {
    const AbiTensor &tensor = *operand->tensor;
    AffineExpr reach = tensor.rowBytes();
    std::string what = tensor.name;
    for (unsigned dim = 0; dim + 1 < operand->axes.size(); ++dim) {
      int64_t extent = extents[operand->axes[dim]];
      if (extent == 1)
        continue;
      reach = reach + tensor.strideBytes(dim) * (extent - 1);
      what = std::to_string(extent) + " rows of " + tensor.name;
    }
    conditions.requireAtMost(reach, maxOffset, what + " must span less than 2147483648 bytes");
  }
  // A dispatch counts work-items, in 32 bits.
  for (const KernelPlan &plan : launches(schedule))
    conditions.requireAtMost(plan.grid[0] * (plan.waves * 64), std::numeric_limits<uint32_t>::max(),
                             "the tiles of " + result.tensor->name +
                                 " must need less than 4294967296 work-items");
}

SmallVector<KernelPlan> MatmulLowering::launches(ScheduleAttr schedule) {
  AffineExpr tiles =
      sizes[rowAxis].ceilDiv(schedule.getTile()[0]) * sizes[columnAxis].ceilDiv(schedule.getTile()[1]);
  KernelPlan product;
  product.waves = schedule.waveCount();
  product.grid = {tiles, batches(), getAffineConstantExpr(schedule.getSplits(), context)};
  product.createBody = [this, schedule](tile::KernelOp kernel, OpBuilder &builder) {
    return createProduct(schedule, kernel, builder);
  };
  SmallVector<KernelPlan> list{std::move(product)};
  if (schedule.getSplits() > 1)
    list.push_back(reduction(schedule));
  return list;
}

//===-- The kernel
//---------------------------------------------------------------------------------------------------===//

bool MatmulLowering::isWhole(unsigned axis, int64_t tile) const {
  auto size = dyn_cast<AffineConstantExpr>(sizes[axis]);
  return size && size.getValue() % tile == 0;
}

static Value createZero(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  return arith::ConstantOp::create(builder, loc, SplatElementsAttr::get(type, builder.getF32FloatAttr(0)));
}

/// The order in which the products of one step follow each other: along columns forth and back, so that each
/// has an operand of the one before.
static SmallVector<std::pair<unsigned, unsigned>> productOrder(const TileParts &parts) {
  SmallVector<std::pair<unsigned, unsigned>> order;
  unsigned columns = parts.columns.size();
  for (unsigned row = 0; row < parts.rows.size(); ++row)
    for (unsigned column = 0; column < columns; ++column)
      order.push_back({row, row % 2 ? columns - 1 - column : column});
  return order;
}

/// Trips that a tile lives through, that of its use included. Of `staging = none` the registers hold all
/// stages ahead: a tile is loaded into those that its predecessor has left.
static int64_t pipelineStages(ScheduleAttr schedule) {
  if (schedule.getStaging() == Staging::None)
    return schedule.getStages() / schedule.getSteps() + 1;
  return schedule.getOrder() == Order::Plain ? schedule.getStages()
                                             : schedule.getStages() / schedule.getSteps();
}

/// The loop over k: one sum for each part, rows outside. `frame` has the origin of the batch.
SmallVector<Value> MatmulLowering::createSums(ScheduleAttr schedule, OpBuilder &builder,
                                              KernelArguments &arguments, const TileParts &parts,
                                              TileFrame frame) {
  Location loc = op.getLoc();
  int64_t k = schedule.getTile()[2], slices = schedule.getWaves()[2];
  Value aView = arguments.view(*a.tensor, vectorBytes(a, schedule));
  Value bView = arguments.view(*b.tensor, vectorBytes(b, schedule));
  SmallVector<int64_t> leading;
  if (slices > 1)
    leading.push_back(slices);
  auto shapeOf = [&](int64_t rows, int64_t columns) {
    SmallVector<int64_t> shape = leading;
    shape.append({rows, columns});
    return shape;
  };

  Value zero = createZero(builder, loc, shapeOf(parts.rowSize, parts.columnSize));
  Value lower = arith::ConstantIndexOp::create(builder, loc, 0);
  DepthSlice slice = createSlice(schedule, builder, arguments);
  Value trip = arith::ConstantIndexOp::create(builder, loc, schedule.tripDepth());
  SmallVector<Value> zeros(parts.rows.size() * parts.columns.size(), zero);
  auto loop = scf::ForOp::create(builder, loc, lower, slice.size, trip, zeros);
  loop->setAttr("tile.stages", builder.getI32IntegerAttr(pipelineStages(schedule)));
  if (schedule.getOrder() != Order::Plain)
    loop->setAttr("tile.order", tile::OrderAttr::get(context, static_cast<tile::Order>(schedule.getOrder())));

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  AffineExpr first = builder.getAffineDimExpr(leading.size()),
             second = builder.getAffineDimExpr(leading.size() + 1);
  auto depthOf = [&](AffineExpr inner) {
    return slices > 1 ? builder.getAffineDimExpr(0) * k + inner : inner;
  };
  TileAxis &depth = frame.axes[depthAxis];
  depth.whole = slice.whole;
  auto staging = static_cast<tile::Staging>(schedule.getStaging());
  bool wholeRows = isWhole(rowAxis, schedule.getTile()[0]),
       wholeColumns = isWhole(columnAxis, schedule.getTile()[1]);

  SmallVector<Value> sums(loop.getRegionIterArgs());
  for (int64_t step = 0; step < schedule.getSteps(); ++step) {
    depth.origin = loop.getInductionVar();
    if (slice.origin)
      depth.origin = arith::AddIOp::create(builder, loc, slice.origin, depth.origin);
    if (step > 0)
      depth.origin =
          arith::AddIOp::create(builder, loc, depth.origin,
                                arith::ConstantIndexOp::create(builder, loc, step * schedule.stepDepth()));
    SmallVector<Value> aTiles, bTiles;
    frame.shape = shapeOf(parts.rowSize, k);
    depth.coordinate = depthOf(second);
    for (Value origin : parts.rows) {
      frame.axes[rowAxis] = {origin, first, wholeRows};
      aTiles.push_back(createLoad(builder, loc, aView, a.axes, frame, staging));
    }
    frame.shape = shapeOf(k, parts.columnSize);
    depth.coordinate = depthOf(first);
    for (Value origin : parts.columns) {
      frame.axes[columnAxis] = {origin, second, wholeColumns};
      bTiles.push_back(createLoad(builder, loc, bView, b.axes, frame, staging));
    }
    for (auto [row, column] : productOrder(parts)) {
      Value &sum = sums[row * parts.columns.size() + column];
      sum = tile::MmaOp::create(builder, loc, zero.getType(), aTiles[row], bTiles[column], sum,
                                schedule.getInstruction(), schedule.getWaves());
    }
  }
  scf::YieldOp::create(builder, loc, sums);
  return SmallVector<Value>(loop.getResults());
}

/// (sum * scale_a) * scale_b, in f32.
Value MatmulLowering::createScaled(OpBuilder &builder, KernelArguments &arguments, const TileFrame &frame,
                                   Value sum) {
  Location loc = op.getLoc();
  for (const Operand &scale : scales) {
    Value view = arguments.view(*scale.tensor, scale.tensor->elementBits() / 8);
    Value factor = createLoad(builder, loc, view, scale.axes, frame);
    sum = arith::MulFOp::create(builder, loc, sum, factor);
  }
  return sum;
}

FailureOr<Value> MatmulLowering::createEpilogue(ScheduleAttr schedule, OpBuilder &builder,
                                                KernelArguments &arguments, const TileFrame &frame,
                                                Value sum) {
  Location loc = op.getLoc();
  Block *block = op.getEpilogueBlock();
  if (!block)
    return createFloatConversion(builder, loc, sum, op.getResultType().getElementType());

  SmallVector<Value> values{sum};
  for (const Capture &capture : captures) {
    if (const AbiTensor *tensor = capture.operand.tensor) {
      Value view = arguments.view(*tensor, vectorBytes(capture.operand, schedule));
      values.push_back(createLoad(builder, loc, view, capture.operand.axes, frame));
      continue;
    }
    Value scalar = arguments.argument(capture.scalar);
    auto type = RankedTensorType::get(frame.shape, scalar.getType());
    values.push_back(tile::SplatOp::create(builder, loc, type, scalar));
  }

  auto coordinate = [&](unsigned dim) -> Value {
    const TileAxis &axis = frame.axes[result.axes[dim]];
    auto type = RankedTensorType::get(frame.shape, builder.getI32Type());
    Value origin = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), axis.origin);
    Value tile = tile::SplatOp::create(builder, loc, type, origin);
    if (auto along = dyn_cast_or_null<AffineDimExpr>(axis.coordinate)) {
      Value inside = tile::CoordinateOp::create(builder, loc, type, along.getPosition());
      tile = arith::AddIOp::create(builder, loc, tile, inside);
    }
    return arith::ExtUIOp::create(builder, loc, type.clone(builder.getI64Type()), tile);
  };
  return createOnTile(builder, *block, values, frame.shape, coordinate);
}

/// What follows the sums: scales, epilogue, store.
LogicalResult MatmulLowering::storeResult(ScheduleAttr schedule, OpBuilder &builder,
                                          KernelArguments &arguments, const TileFrame &frame, Value sum) {
  sum = createScaled(builder, arguments, frame, sum);
  FailureOr<Value> value = createEpilogue(schedule, builder, arguments, frame, sum);
  if (failed(value))
    return failure();
  Value view = arguments.view(*result.tensor, vectorBytes(result, schedule));
  createStore(builder, op.getLoc(), *value, view, result.axes, frame);
  return success();
}

LogicalResult MatmulLowering::createProduct(ScheduleAttr schedule, tile::KernelOp kernel,
                                            OpBuilder &builder) {
  Location loc = op.getLoc();
  KernelArguments arguments(kernel, builder);
  int64_t m = schedule.getTile()[0], n = schedule.getTile()[1];
  Value id = tile::WorkgroupIdOp::create(builder, loc, 0);
  Value rows = createTileCount(builder, loc, arguments.index(sizes[rowAxis]), m);
  Value columns = createTileCount(builder, loc, arguments.index(sizes[columnAxis]), n);
  GridOrder order{static_cast<unsigned>(schedule.getXcds()), static_cast<unsigned>(schedule.getGroup())};
  TilePosition position = createTilePosition(builder, loc, id, rows, columns, order);
  auto origin = [&](Value number, int64_t tile) -> Value {
    Value size = arith::ConstantIndexOp::create(builder, loc, tile);
    return builder.createOrFold<arith::MulIOp>(loc, number, size);
  };

  TileFrame frame;
  frame.axes.resize(axisCount);
  if (sizes[batchAxis])
    frame.axes[batchAxis] = {tile::WorkgroupIdOp::create(builder, loc, 1), AffineExpr(), true};
  auto partsOf = [&](Value origin, int64_t count, int64_t size) {
    SmallVector<Value> origins;
    for (int64_t part = 0; part < count; ++part)
      origins.push_back(builder.createOrFold<arith::AddIOp>(
          loc, origin, arith::ConstantIndexOp::create(builder, loc, part * size)));
    return origins;
  };
  ArrayRef<int64_t> counts = schedule.getParts();
  TileParts parts;
  parts.rowSize = m / counts[0];
  parts.columnSize = n / counts[1];
  parts.rows = partsOf(origin(position.m, m), counts[0], parts.rowSize);
  parts.columns = partsOf(origin(position.n, n), counts[1], parts.columnSize);

  SmallVector<Value> sums = createSums(schedule, builder, arguments, parts, frame);
  frame.shape = {parts.rowSize, parts.columnSize};
  for (auto [row, rowOrigin] : llvm::enumerate(parts.rows))
    for (auto [column, columnOrigin] : llvm::enumerate(parts.columns)) {
      frame.axes[rowAxis] = {rowOrigin, builder.getAffineDimExpr(0), isWhole(rowAxis, m)};
      frame.axes[columnAxis] = {columnOrigin, builder.getAffineDimExpr(1), isWhole(columnAxis, n)};
      Value sum = sums[row * parts.columns.size() + column];
      if (schedule.getWaves()[2] > 1)
        sum = tile::ReduceOp::create(builder, loc, RankedTensorType::get(frame.shape, builder.getF32Type()),
                                     tile::Reduction::Add, sum, 0);
      if (schedule.getSplits() > 1) {
        storePartialSum(schedule, builder, arguments, frame, sum);
        continue;
      }
      if (failed(storeResult(schedule, builder, arguments, frame, sum)))
        return failure();
    }
  return success();
}

std::unique_ptr<EntryLowering> createMatmulLowering(MatmulOp op, EntryAbi &abi) {
  return std::make_unique<MatmulLowering>(op, abi);
}

} // namespace lowp
