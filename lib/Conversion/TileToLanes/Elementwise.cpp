// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element-wise operations work fragment by fragment: layouts of operands and result are equal, so the same
// register of the same lane holds corresponding elements.

#include "Lanes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

namespace {

/// Any arith or math operation with the Elementwise trait.
struct LowerElementwise : ConversionPattern {
  LowerElementwise(TypeConverter &converter, LaneContext &context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context.lane.getContext()) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1 ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "not an element-wise operation on tiles");
    FragmentType result = FragmentType::of(cast<RankedTensorType>(op->getResult(0).getType()));
    SmallVector<Value> fragments;
    for (unsigned i = 0; i < result.count; ++i) {
      SmallVector<Value> inputs;
      for (auto [operand, values] : llvm::zip(op->getOperands(), operands)) {
        auto tile = dyn_cast<RankedTensorType>(operand.getType());
        if (!tile) { // a scalar among tiles: arith.select's condition
          inputs.push_back(values.front());
          continue;
        }
        FragmentType type = FragmentType::of(tile);
        if (LinearAttr::of(tile) != LinearAttr::of(op->getResult(0).getType()))
          return op->emitError() << "'" << op->getName() << "' operands and result must have one layout";
        inputs.push_back(castVector(rewriter, op->getLoc(), values[i], type.natural));
      }
      OperationState state(op->getLoc(), op->getName(), inputs, TypeRange{result.natural}, op->getAttrs());
      fragments.push_back(
          castVector(rewriter, op->getLoc(), rewriter.create(state)->getResult(0), result.carrier));
    }
    rewriter.replaceOpWithMultiple(op, {fragments});
    return success();
  }
};

/// f32 to bf16 on chips without an instruction for it, two elements a word: add half of the last place, and
/// one more where that is odd, then keep the upper half. NaN becomes -1, a NaN that is a constant of every
/// instruction; LLVM's own expansion keeps its upper bits, at one instruction more.
struct LowerRoundToBf16 : LanePattern<arith::TruncFOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = dyn_cast<RankedTensorType>(op.getIn().getType());
    if (!from || context.target->convertsToBf16() || op.getRoundingmode())
      return failure();
    auto to = cast<RankedTensorType>(op.getType());
    FragmentType source = FragmentType::of(from), result = FragmentType::of(to);
    int64_t elements = source.natural.getNumElements();
    if (!from.getElementType().isF32() || !to.getElementType().isBF16() || elements % 2 != 0)
      return rewriter.notifyMatchFailure(op, "not pairs of f32 to bf16");
    Location loc = op.getLoc();
    auto words = VectorType::get({elements}, rewriter.getI32Type());
    auto splat = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(words, value));
    };
    auto halves = VectorType::get({2 * elements}, rewriter.getI16Type());
    SmallVector<int64_t> upper;
    for (int64_t i = 0; i < elements; ++i)
      upper.push_back(2 * i + 1);

    SmallVector<Value> fragments;
    for (Value fragment : adaptor.getIn()) {
      Value x = castVector(rewriter, loc, fragment, source.natural);
      Value bits = castVector(rewriter, loc, x, words);
      Value last = arith::ShRUIOp::create(rewriter, loc, bits, splat(16));
      last = arith::AndIOp::create(rewriter, loc, last, splat(1));
      Value sum = arith::AddIOp::create(rewriter, loc, bits, last);
      sum = arith::AddIOp::create(rewriter, loc, sum, splat(0x7fff));
      Value isNan = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UNO, x, x);
      sum = arith::SelectOp::create(rewriter, loc, isNan, splat(-1), sum);
      Value parts = castVector(rewriter, loc, sum, halves);
      Value rounded = vector::ShuffleOp::create(rewriter, loc, parts, parts, upper);
      fragments.push_back(castVector(rewriter, loc, rounded, result.carrier));
    }
    rewriter.replaceOpWithMultiple(op, {fragments});
    return success();
  }
};

struct LowerConstant : LanePattern<arith::ConstantOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = dyn_cast<RankedTensorType>(op.getType());
    if (!tile)
      return failure();
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!splat)
      return op.emitOpError("must be a splat to become lane values");
    FragmentType type = FragmentType::of(tile);
    Value fragment = arith::ConstantOp::create(
        rewriter, op.getLoc(), DenseElementsAttr::get(type.natural, splat.getSplatValue<Attribute>()));
    rewriter.replaceOpWithMultiple(
        op, {SmallVector<Value>(type.count, castVector(rewriter, op.getLoc(), fragment, type.carrier))});
    return success();
  }
};

struct LowerSplat : LanePattern<SplatOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(SplatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FragmentType type = FragmentType::of(cast<RankedTensorType>(op.getType()));
    Value fragment = vector::BroadcastOp::create(rewriter, op.getLoc(), type.natural, adaptor.getValue());
    rewriter.replaceOpWithMultiple(
        op, {SmallVector<Value>(type.count, castVector(rewriter, op.getLoc(), fragment, type.carrier))});
    return success();
  }
};

struct LowerCoordinate : LanePattern<CoordinateOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(CoordinateOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getType());
    const LinearLayout &layout = LinearAttr::of(tile).getLayout();
    Location loc = op.getLoc();
    FragmentType type = FragmentType::of(tile);
    Value lane = emitLaneAndWave(rewriter, loc, context, basesAlong(layout, "lane", op.getDim()),
                                 basesAlong(layout, "wave", op.getDim()));
    Value base =
        vector::BroadcastOp::create(rewriter, loc, type.natural, lane ? lane : constantI32(rewriter, loc, 0));
    SmallVector<Value> fragments;
    unsigned elements = type.natural.getNumElements();
    for (unsigned i = 0; i < type.count; ++i) {
      SmallVector<int32_t> offsets;
      for (unsigned reg = i * elements; reg < (i + 1) * elements; ++reg)
        offsets.push_back(registerCoordinates(layout, reg)[op.getDim()]);
      Value constant = arith::ConstantOp::create(
          rewriter, loc, DenseElementsAttr::get(type.natural, ArrayRef<int32_t>(offsets)));
      fragments.push_back(arith::XOrIOp::create(rewriter, loc, base, constant));
    }
    rewriter.replaceOpWithMultiple(op, {fragments});
    return success();
  }
};

} // namespace

void lowp::tile::populateElementwisePatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                             LaneContext &context) {
  patterns.add<LowerElementwise, LowerConstant, LowerSplat, LowerCoordinate>(converter, context);
  patterns.add<LowerRoundToBf16>(converter, context, /*benefit=*/2);
}
