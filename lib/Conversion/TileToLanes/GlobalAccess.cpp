// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views, loads and stores of global memory, and LDS-DMA, by buffer instructions.

#include "GlobalAddress.h"
#include "LocalAddress.h"
#include "Pieces.h"
#include "lowp/Dialect/Formats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include <map>
#include <set>

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

namespace {

template <typename Op>
Access accessOf(Op op, ValueRange view, ArrayRef<ValueRange> offsets, LinearLayout layout) {
  Access access;
  access.type = op.getView().getType();
  access.view = view;
  for (ValueRange offset : offsets)
    access.offsets.push_back(offset.front());
  access.map = op.getIndexMap();
  for (unsigned dim = 0; dim < access.type.getRank(); ++dim)
    access.inBounds.push_back(op.isInBounds(dim));
  access.layout = std::move(layout);
  access.elementBits = bitWidth(*formatOf(access.type.getElementType()));
  return access;
}

/// What one buffer instruction moves of a tile.
template <typename Op> FailureOr<Pieces> globalPieces(Op op, RankedTensorType tile, const Access &access) {
  Pieces pieces(tile, globalVectorBits(access));
  if (pieces.pieceBits() < 8)
    return op.emitOpError() << "would need accesses of " << pieces.pieceBits()
                            << " bits; the least is a byte";
  return pieces;
}

/// Loads that refill registers stay where they stand: moved ahead of the last use they need registers of
/// their own, and copies; moved behind later products, as LLVM's scheduler would have them all at the end of
/// the loop, they leave fewer bytes under way. Address arithmetic may pass (LLVM, "User Guide for AMDGPU
/// Backend", llvm.amdgcn.sched.barrier).
void keepInPlace(OpBuilder &builder, LoadOp op) {
  constexpr uint32_t vectorAlu = 0x2, scalarAlu = 0x4;
  if (op->hasAttr("tile.refill"))
    ROCDL::SchedBarrier::create(builder, op.getLoc(), vectorAlu | scalarAlu);
}

struct LowerView : LanePattern<ViewOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(ViewOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values{adaptor.getBase()};
    unsigned dynamic = 0;
    for (int64_t size : op.getType().getShape())
      values.push_back(ShapedType::isDynamic(size)
                           ? adaptor.getSizes()[dynamic++]
                           : arith::ConstantIndexOp::create(rewriter, op.getLoc(), size).getResult());
    llvm::append_range(values, adaptor.getStrides());
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct LowerLoad : LanePattern<LoadOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    Access access = accessOf(op, adaptor.getView(), adaptor.getOffsets(), LinearAttr::of(tile).getLayout());
    FailureOr<Pieces> pieces = globalPieces(op, tile, access);
    if (failed(pieces))
      return failure();
    access.scalarOffset = true;
    keepInPlace(rewriter, op);
    GlobalAddresses addresses(rewriter, loc, access, context);
    Value zero = constantI32(rewriter, loc, 0);
    std::map<std::vector<int32_t>, Value> loaded; // places that several registers share are loaded once
    SmallVector<Value> values;
    for (int32_t reg : pieces->firstRegisters()) {
      SmallVector<int32_t> place = addresses.place(reg);
      Value &value = loaded[std::vector<int32_t>(place.begin(), place.end())];
      if (!value)
        value = ROCDL::RawPtrBufferLoadOp::create(rewriter, loc, pieces->pieceType(), addresses.resource(),
                                                  addresses.offset(reg), addresses.scalarOffset(), zero,
                                                  ArrayAttr(), ArrayAttr(), ArrayAttr());
      values.push_back(value);
    }
    keepInPlace(rewriter, op);
    rewriter.replaceOpWithMultiple(op, {pieces->toFragments(rewriter, loc, values)});
    return success();
  }
};

struct LowerStore : LanePattern<StoreOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getValue().getType());
    Location loc = op.getLoc();
    Access access = accessOf(op, adaptor.getView(), adaptor.getOffsets(), LinearAttr::of(tile).getLayout());
    FailureOr<Pieces> pieces = globalPieces(op, tile, access);
    if (failed(pieces))
      return failure();
    SmallVector<Value> values = pieces->fromFragments(rewriter, loc, adaptor.getValue());
    GlobalAddresses addresses(rewriter, loc, access, context);
    Value first = emitIsFirstCopy(rewriter, loc, context, access.layout);
    // A scalar offset in a wide buffer store meets a hazard that LLVM 22 does not know: it stays a literal 0.
    Value zero = constantI32(rewriter, loc, 0);
    std::set<std::vector<int32_t>> written;
    for (auto [reg, value] : llvm::zip(pieces->firstRegisters(), values)) {
      SmallVector<int32_t> place = addresses.place(reg);
      if (!written.emplace(place.begin(), place.end()).second)
        continue; // registers that hold copies
      ROCDL::RawPtrBufferStoreOp::create(rewriter, loc, value, addresses.resource(),
                                         addresses.offset(reg, first), zero, zero, ArrayAttr(), ArrayAttr(),
                                         ArrayAttr());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerAsyncCopy : LanePattern<AsyncCopyOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(AsyncCopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LocalType ring = op.getBuffer().getType();
    const LinearLayout &order = ring.getLayout().getLayout();
    unsigned elementBits = bitWidth(*formatOf(ring.getElementType()));
    constexpr unsigned bytes = 16;
    if (!(context.target->directToLdsBytes() >> bytes & 1))
      return op.emitOpError() << "copies 16 bytes a lane into LDS, which " << context.target->chip()
                              << " has no instruction for";
    // One instruction of one wave fills 64 x 16 consecutive bytes of LDS: offset bits are, from the lowest,
    // inside the lane's 16 bytes, lane, wave, instruction. The ring's order says which element of the tile
    // belongs there.
    unsigned inside = llvm::Log2_32(bytes * 8 / elementBits), waveBits = llvm::Log2_32(context.waves);
    unsigned bits = order.inputBits("offset");
    if (bits < inside + 6 + waveBits)
      return op.emitOpError() << "copies " << ring.getStageBytes() << " bytes, but " << context.waves
                              << " waves copy at least " << context.waves * 64 * bytes << " at once";
    std::vector<LinearLayout::Input> inputs{{"register", {}}, {"lane", {}}, {"wave", {}}};
    for (unsigned bit = 0; bit < bits; ++bit) {
      ArrayRef<int32_t> basis = order.basis("offset", bit);
      unsigned input = bit < inside ? 0 : bit < inside + 6 ? 1 : bit < inside + 6 + waveBits ? 2 : 0;
      inputs[input].bases.emplace_back(basis.begin(), basis.end());
    }
    Access access = accessOf(op, adaptor.getView(), adaptor.getOffsets(),
                             LinearLayout(std::move(inputs), std::vector<int32_t>(order.outSizes().begin(),
                                                                                  order.outSizes().end())));
    SmallVector<unsigned> vectorBits = globalVectorBits(access);
    bool whole = vectorBits.size() == inside;
    for (unsigned bit = 0; whole && bit < inside; ++bit)
      whole = vectorBits[bit] == bit;
    if (!whole)
      return op.emitOpError()
             << "needs 16 consecutive bytes of the view for each 16 bytes of LDS; the view promises "
             << access.type.getVector() << " and the buffer's order keeps "
             << (elementBits << vectorBits.size()) / 8 << " together";
    Location loc = op.getLoc();
    access.scalarOffset = true;
    GlobalAddresses addresses(rewriter, loc, access, context);
    Value zero = constantI32(rewriter, loc, 0);
    Value start = stageOffset(rewriter, loc, adaptor.getBuffer().front(), ring, adaptor.getSlot().front());
    start = arith::AddIOp::create(
        rewriter, loc, start,
        arith::MulIOp::create(rewriter, loc, context.wave, constantI32(rewriter, loc, 64 * bytes)));
    for (unsigned step = 0; step < 1u << (bits - inside - 6 - waveBits); ++step) {
      Value to = step == 0
                     ? start
                     : arith::AddIOp::create(rewriter, loc, start,
                                             constantI32(rewriter, loc, step * context.waves * 64 * bytes))
                           .getResult();
      Value offset = addresses.offset(step << inside);
      Value size = constantI32(rewriter, loc, bytes);
      Value pointer = ldsPointer(rewriter, loc, context, to);
      auto copy = ROCDL::RawPtrBufferLoadLdsOp::create(rewriter, loc, addresses.resource(), pointer, size,
                                                       offset, addresses.scalarOffset(), zero, zero,
                                                       ArrayAttr(), ArrayAttr(), ArrayAttr());
      copy.setAliasScopesAttr(rewriter.getArrayAttr(context.copyScope));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lowp::tile::populateGlobalPatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                        LaneContext &context) {
  patterns.add<LowerView, LowerLoad, LowerStore, LowerAsyncCopy>(converter, context);
}
