// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move elements between registers, or combine them over registers and lanes: reductions,
// broadcasts, conversions of layout within a lane.

#include "Lanes.h"
#include "lowp/Dialect/Formats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <map>
#include <set>

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

namespace {

/// All elements that a lane holds, as scalars in register order.
SmallVector<Value> toScalars(OpBuilder &builder, Location loc, RankedTensorType type, ValueRange fragments) {
  FragmentType fragmentType = FragmentType::of(type);
  SmallVector<Value> scalars;
  for (Value fragment : fragments) {
    Value natural = castVector(builder, loc, fragment, fragmentType.natural);
    for (int64_t i = 0; i < fragmentType.natural.getNumElements(); ++i)
      scalars.push_back(vector::ExtractOp::create(builder, loc, natural, i));
  }
  return scalars;
}

SmallVector<Value> toFragments(OpBuilder &builder, Location loc, RankedTensorType type,
                               ArrayRef<Value> scalars) {
  FragmentType fragmentType = FragmentType::of(type);
  unsigned elements = fragmentType.natural.getNumElements();
  SmallVector<Value> fragments;
  for (unsigned i = 0; i < fragmentType.count; ++i) {
    Value natural = vector::FromElementsOp::create(builder, loc, fragmentType.natural,
                                                   scalars.slice(i * elements, elements));
    fragments.push_back(castVector(builder, loc, natural, fragmentType.carrier));
  }
  return fragments;
}

/// Coordinates without those dimensions of the result that the source lacks.
std::vector<int32_t> project(ArrayRef<int32_t> coordinates, ArrayRef<int64_t> dims) {
  std::vector<int32_t> result;
  for (int64_t dim : dims)
    result.push_back(coordinates[dim]);
  return result;
}

/// Gives each register of `to` the source's register at the same place, where dimension i of the source is
/// dimension dims[i] of the result. Lanes and waves have to be at the same places on both sides.
FailureOr<SmallVector<Value>> moveRegisters(Operation *op, RankedTensorType from, RankedTensorType to,
                                            ArrayRef<int64_t> dims, ArrayRef<Value> scalars) {
  const LinearLayout &source = LinearAttr::of(from).getLayout(), &result = LinearAttr::of(to).getLayout();
  for (StringRef input : {"lane", "wave"})
    for (unsigned bit = 0; bit < std::max(source.inputBits(input), result.inputBits(input)); ++bit) {
      std::vector<int32_t> zero(dims.size(), 0);
      std::vector<int32_t> here = bit < source.inputBits(input) ? source.basis(input, bit).vec() : zero;
      std::vector<int32_t> there =
          bit < result.inputBits(input) ? project(result.basis(input, bit), dims) : zero;
      if (here != there)
        return op->emitError() << "'" << op->getName() << "' moves elements between " << input << "s: bit "
                               << bit
                               << " of the layouts differs; tile-assign-layouts goes through LDS for that";
    }
  std::map<std::vector<int32_t>, Value> places;
  for (auto [reg, scalar] : llvm::enumerate(scalars)) {
    SmallVector<int32_t> coordinates = registerCoordinates(source, reg);
    places.try_emplace(std::vector<int32_t>(coordinates.begin(), coordinates.end()), scalar);
  }
  SmallVector<Value> moved;
  for (int32_t reg = 0; reg < result.inputSize("register"); ++reg) {
    auto it = places.find(project(registerCoordinates(result, reg), dims));
    if (it == places.end())
      return op->emitError() << "'" << op->getName() << "' register " << reg
                             << " of the result is in no register of the source's lane";
    moved.push_back(it->second);
  }
  return moved;
}

struct LowerConvertLayout : LanePattern<ConvertLayoutOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(op.getSource().getType()), to = cast<RankedTensorType>(op.getType());
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, from.getRank()));
    FailureOr<SmallVector<Value>> moved =
        moveRegisters(op, from, to, dims, toScalars(rewriter, op.getLoc(), from, adaptor.getSource()));
    if (failed(moved))
      return failure();
    rewriter.replaceOpWithMultiple(op, {toFragments(rewriter, op.getLoc(), to, *moved)});
    return success();
  }
};

struct LowerBroadcast : LanePattern<BroadcastOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(op.getSource().getType()), to = cast<RankedTensorType>(op.getType());
    FailureOr<SmallVector<Value>> moved = moveRegisters(
        op, from, to, op.getDims(), toScalars(rewriter, op.getLoc(), from, adaptor.getSource()));
    if (failed(moved))
      return failure();
    rewriter.replaceOpWithMultiple(op, {toFragments(rewriter, op.getLoc(), to, *moved)});
    return success();
  }
};

struct LowerReduce : LanePattern<ReduceOp> {
  using LanePattern::LanePattern;

  Value combine(OpBuilder &builder, ReduceOp op, Value left, Value right) const {
    Location loc = op.getLoc();
    bool isFloat = isa<FloatType>(left.getType());
    switch (op.getKind()) {
    case Reduction::Add:
      return isFloat ? arith::AddFOp::create(builder, loc, left, right).getResult()
                     : arith::AddIOp::create(builder, loc, left, right).getResult();
    case Reduction::Max:
      return isFloat ? arith::MaximumFOp::create(builder, loc, left, right).getResult()
                     : arith::MaxSIOp::create(builder, loc, left, right).getResult();
    case Reduction::Min:
      return isFloat ? arith::MinimumFOp::create(builder, loc, left, right).getResult()
                     : arith::MinSIOp::create(builder, loc, left, right).getResult();
    }
    return {};
  }

  LogicalResult matchAndRewrite(ReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(op.getSource().getType()), to = cast<RankedTensorType>(op.getType());
    Type element = from.getElementType();
    if (!element.isF32() && !element.isInteger(32))
      return op.emitOpError() << "reduces elements of " << element << "; accepted are f32 and i32";
    const LinearLayout &source = LinearAttr::of(from).getLayout();
    unsigned dim = op.getDim();
    auto movesAlong = [&](ArrayRef<int32_t> basis) { return basis[dim] != 0; };
    for (unsigned bit = 0; bit < source.inputBits("wave"); ++bit)
      if (movesAlong(source.basis("wave", bit)))
        return op.emitOpError() << "reduces dimension " << dim << ", which wave bit " << bit
                                << " moves along; tile-assign-layouts converts such a layout first";
    SmallVector<int64_t> dims;
    for (int64_t other = 0; other < from.getRank(); ++other)
      if (other != dim)
        dims.push_back(other);

    // First the registers of a lane, those at one place of the result into one.
    Location loc = op.getLoc();
    std::map<std::vector<int32_t>, Value> partial;
    std::map<std::vector<int32_t>, std::set<int32_t>> seen; // registers may hold copies
    for (auto [reg, scalar] : llvm::enumerate(toScalars(rewriter, loc, from, adaptor.getSource()))) {
      SmallVector<int32_t> coordinates = registerCoordinates(source, reg);
      std::vector<int32_t> place = project(coordinates, dims);
      if (!seen[place].insert(coordinates[dim]).second)
        continue;
      Value &sum = partial[place];
      sum = sum ? combine(rewriter, op, sum, scalar) : scalar;
    }
    // Then the lanes, by exchanges that leave the result in all of them.
    for (unsigned bit = 0; bit < source.inputBits("lane"); ++bit) {
      ArrayRef<int32_t> basis = source.basis("lane", bit);
      if (!movesAlong(basis))
        continue;
      for (int64_t other : dims)
        if (basis[other] != 0)
          return op.emitOpError() << "lane bit " << bit << " moves along dimension " << dim
                                  << " and another; a reduction needs them apart";
      Value partner =
          arith::XOrIOp::create(rewriter, loc, context.lane, constantI32(rewriter, loc, 1 << bit));
      Value address = arith::ShLIOp::create(rewriter, loc, partner, constantI32(rewriter, loc, 2));
      for (auto &[place, value] : partial) {
        Type i32 = rewriter.getI32Type();
        Value word =
            value.getType() == i32 ? value : arith::BitcastOp::create(rewriter, loc, i32, value).getResult();
        Value other = ROCDL::DsBpermuteOp::create(rewriter, loc, i32, address, word);
        if (value.getType() != i32)
          other = arith::BitcastOp::create(rewriter, loc, value.getType(), other);
        value = combine(rewriter, op, value, other);
      }
    }
    const LinearLayout &result = LinearAttr::of(to).getLayout();
    SmallVector<Value> scalars;
    for (int32_t reg = 0; reg < result.inputSize("register"); ++reg) {
      SmallVector<int32_t> coordinates = registerCoordinates(result, reg);
      auto it = partial.find(std::vector<int32_t>(coordinates.begin(), coordinates.end()));
      if (it == partial.end())
        return op.emitOpError("result's layout must be the source's without the reduced dimension");
      scalars.push_back(it->second);
    }
    for (StringRef input : {"lane", "wave"})
      for (unsigned bit = 0; bit < source.inputBits(input); ++bit)
        if (project(source.basis(input, bit), dims) != result.basis(input, bit).vec())
          return op.emitOpError("result's layout must be the source's without the reduced dimension");
    rewriter.replaceOpWithMultiple(op, {toFragments(rewriter, loc, to, scalars)});
    return success();
  }
};

} // namespace

void lowp::tile::populateShapePatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                       LaneContext &context) {
  patterns.add<LowerConvertLayout, LowerBroadcast, LowerReduce>(converter, context);
}
