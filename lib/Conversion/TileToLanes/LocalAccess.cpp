// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LDS rings: loads and stores as wide as the two layouts allow. An element's place is the xor of what its
// register, lane and wave contribute; a register's part that meets no lane bit is added instead and becomes
// the instruction's offset.

#include "LocalAddress.h"
#include "Pieces.h"
#include "lowp/Layout/TileLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

Value lowp::tile::ldsPointer(OpBuilder &builder, Location loc, const LaneContext &context, Value byteOffset) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base = LLVM::AddressOfOp::create(builder, loc, pointer, context.ldsSymbol);
  return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{byteOffset});
}

Value lowp::tile::stageOffset(OpBuilder &builder, Location loc, Value ring, LocalType type, Value slot) {
  if (type.getStages() == 1)
    return ring;
  Value index = arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(), slot);
  index = arith::RemUIOp::create(builder, loc, index, constantI32(builder, loc, type.getStages()));
  Value bytes = arith::MulIOp::create(builder, loc, index, constantI32(builder, loc, type.getStageBytes()));
  return arith::AddIOp::create(builder, loc, ring, bytes);
}

namespace {

/// Addresses of the pieces of a tile in one stage of a ring.
class LocalAddresses {
public:
  LocalAddresses(const AccessPlan &plan, unsigned elementBits, Value stage, const LaneContext &context)
      : plan(plan), elementBits(elementBits), stage(stage), context(context) {}

  Value pointer(OpBuilder &builder, Location loc, int32_t reg) {
    uint32_t offset = plan.offset(reg, /*lane=*/0, /*wave=*/0);
    uint32_t crossing = offset & plan.variableBits();
    Value &base = bases[crossing];
    if (!base)
      base = emitBase(builder, loc, crossing);
    Value pointer = ldsPointer(builder, loc, context, base);
    if (uint32_t rest = offset ^ crossing)
      pointer = LLVM::GEPOp::create(builder, loc, pointer.getType(), builder.getI8Type(), pointer,
                                    ArrayRef<LLVM::GEPArg>{int32_t(rest * elementBits / 8)},
                                    LLVM::GEPNoWrapFlags::inbounds);
    return pointer;
  }

private:
  Value emitBase(OpBuilder &builder, Location loc, uint32_t crossing) {
    auto bases = [](ArrayRef<uint32_t> offsets) {
      return SmallVector<int32_t>(offsets.begin(), offsets.end());
    };
    Value offset = emitLaneAndWave(builder, loc, context, bases(plan.laneOffsets), bases(plan.waveOffsets));
    if (!offset)
      return stage;
    if (crossing)
      offset = arith::XOrIOp::create(builder, loc, offset, constantI32(builder, loc, crossing));
    Value bytes =
        elementBits >= 8
            ? arith::MulIOp::create(builder, loc, offset, constantI32(builder, loc, elementBits / 8))
                  .getResult()
            : arith::ShRUIOp::create(
                  builder, loc,
                  arith::MulIOp::create(builder, loc, offset, constantI32(builder, loc, elementBits)),
                  constantI32(builder, loc, 3))
                  .getResult();
    return arith::AddIOp::create(builder, loc, stage, bytes);
  }

  const AccessPlan &plan;
  unsigned elementBits;
  Value stage;
  const LaneContext &context;
  llvm::SmallDenseMap<uint32_t, Value> bases;
};

/// The widest access that both layouts and the hardware have: 8, 16, 32, 64 or 128 bits.
FailureOr<AccessPlan> planLocalAccess(Operation *op, RankedTensorType tile, LocalType ring) {
  AccessPlan plan = planAccess(LinearAttr::of(tile).getLayout(), ring.getLayout().getLayout(),
                               tile.getElementTypeBitWidth(), 128);
  if (!llvm::is_contained({8u, 16u, 32u, 64u, 128u}, plan.bits))
    return op->emitError() << "'" << op->getName() << "' would need LDS accesses of " << plan.bits
                           << " bits; accepted are 8, 16, 32, 64 and 128";
  return plan;
}

struct LowerAlloc : LanePattern<AllocOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(AllocOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    if (!op.getOffset())
      return op.emitOpError("has no offset; tile-allocate-lds must run before");
    rewriter.replaceOp(op, constantI32(rewriter, op.getLoc(), *op.getOffset()));
    return success();
  }
};

struct LowerLocalLoad : LanePattern<LocalLoadOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(LocalLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getType());
    FailureOr<AccessPlan> plan = planLocalAccess(op, tile, op.getBuffer().getType());
    if (failed(plan))
      return failure();
    Location loc = op.getLoc();
    Pieces pieces(tile, plan->vectorBits);
    Value stage =
        stageOffset(rewriter, loc, adaptor.getBuffer(), op.getBuffer().getType(), adaptor.getSlot());
    LocalAddresses addresses(*plan, tile.getElementTypeBitWidth(), stage, context);
    SmallVector<Value> values;
    for (int32_t reg : pieces.firstRegisters()) {
      auto load = LLVM::LoadOp::create(rewriter, loc, pieces.pieceType(),
                                       addresses.pointer(rewriter, loc, reg), plan->bits / 8);
      // LDS-DMA is waited for by tile.wait, so LLVM need not (and would, with a full drain).
      load.setNoaliasScopesAttr(rewriter.getArrayAttr(context.copyScope));
      values.push_back(load);
    }
    rewriter.replaceOpWithMultiple(op, {pieces.toFragments(rewriter, loc, values)});
    return success();
  }
};

struct LowerLocalStore : LanePattern<LocalStoreOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(LocalStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getValue().getType());
    FailureOr<AccessPlan> plan = planLocalAccess(op, tile, op.getBuffer().getType());
    if (failed(plan))
      return failure();
    Location loc = op.getLoc();
    Pieces pieces(tile, plan->vectorBits);
    Value stage = stageOffset(rewriter, loc, adaptor.getBuffer().front(), op.getBuffer().getType(),
                              adaptor.getSlot().front());
    SmallVector<Value> values = pieces.fromFragments(rewriter, loc, adaptor.getValue());
    // Of several lanes that hold the same elements one writes.
    if (Value first = emitIsFirstCopy(rewriter, loc, context, LinearAttr::of(tile).getLayout())) {
      auto branch = scf::IfOp::create(rewriter, loc, first, /*withElseRegion=*/false);
      rewriter.setInsertionPointToStart(branch.thenBlock());
    }
    LocalAddresses addresses(*plan, tile.getElementTypeBitWidth(), stage, context);
    llvm::SmallDenseSet<uint32_t> written;
    for (auto [reg, value] : llvm::zip(pieces.firstRegisters(), values)) {
      if (!written.insert(plan->offset(reg, /*lane=*/0, /*wave=*/0)).second)
        continue; // registers that hold copies
      auto store =
          LLVM::StoreOp::create(rewriter, loc, value, addresses.pointer(rewriter, loc, reg), plan->bits / 8);
      store.setNoaliasScopesAttr(rewriter.getArrayAttr(context.copyScope));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// s_waitcnt's immediate on these chips: a counter left at its maximum is not waited for (LLVM's AMDGPU usage
/// guide).
int32_t waitcntImmediate(unsigned vmcnt, unsigned lgkmcnt) {
  return (vmcnt & 15) | 7 << 4 | lgkmcnt << 8 | (vmcnt >> 4) << 14;
}

struct LowerWait : LanePattern<WaitOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(WaitOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    // The counter has 6 bits; waiting for fewer outstanding is always right.
    rewriter.replaceOpWithNewOp<ROCDL::SWaitcntOp>(
        op, waitcntImmediate(std::min<unsigned>(op.getCopies(), 63), 15));
    return success();
  }
};

struct LowerBarrier : LanePattern<BarrierOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(BarrierOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // s_barrier waits for no memory: what this wave has in flight in LDS must be done before. A fence would
    // drain vmcnt too.
    ROCDL::SWaitcntOp::create(rewriter, loc, waitcntImmediate(63, 0));
    // LLVM's MachineSink moves LDS reads over s_barrier but not over what may write memory: this costs no
    // instruction.
    LLVM::InlineAsmOp::create(
        rewriter, loc, TypeRange(), ValueRange(), "", "~{memory}", /*has_side_effects=*/true,
        /*is_align_stack=*/false, LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
    ROCDL::SBarrierOp::create(rewriter, loc);
    // The schedulers may not move accesses over it either way; the waits are counted for this order.
    ROCDL::SchedBarrier::create(rewriter, loc, 0);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lowp::tile::populateLocalPatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                       LaneContext &context) {
  patterns.add<LowerAlloc, LowerLocalLoad, LowerLocalStore, LowerWait, LowerBarrier>(converter, context);
}
