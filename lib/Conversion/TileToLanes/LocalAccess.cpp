// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LDS rings: loads and stores as wide as the two layouts allow. An element's place is the xor of what its
// register, lane and wave contribute; a register's part that meets no lane bit is added instead and becomes
// the instruction's offset.

#include "LocalAddress.h"
#include "Pieces.h"
#include "lowp/Dialect/Formats.h"
#include "lowp/Layout/TileLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

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
  APInt place, number;
  if (matchPattern(ring, m_ConstantInt(&place)) && matchPattern(slot, m_ConstantInt(&number)))
    return constantI32(
        builder, loc, place.getZExtValue() + number.getZExtValue() % type.getStages() * type.getStageBytes());
  Value index = arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(), slot);
  index = arith::RemUIOp::create(builder, loc, index, constantI32(builder, loc, type.getStages()));
  Value bytes = arith::MulIOp::create(builder, loc, index, constantI32(builder, loc, type.getStageBytes()));
  return arith::AddIOp::create(builder, loc, ring, bytes);
}

namespace {

/// Addresses of the pieces of a tile in one stage of a ring.
class LocalAddresses {
public:
  LocalAddresses(const AccessPlan &plan, LocalType ring, Value stage, LaneContext &context)
      : plan(plan), elementBits(bitWidth(*formatOf(ring.getElementType()))), stageBytes(ring.getStageBytes()),
        stage(stage), context(context) {}

  Value pointer(OpBuilder &builder, Location loc, int32_t reg) {
    uint32_t offset = plan.offset(reg, /*lane=*/0, /*wave=*/0);
    uint32_t crossing = offset & plan.variableBits();
    auto [base, constant] = baseOf(builder, loc, crossing);
    constant += int64_t(offset ^ crossing) * elementBits / 8;
    if (constant == 0)
      return base;
    return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(constant)}, LLVM::GEPNoWrapFlags::inbounds);
  }

private:
  /// A pointer for this lane and what is still to be added to it.
  std::pair<Value, int64_t> baseOf(OpBuilder &builder, Location loc, uint32_t crossing) {
    APInt place;
    if (!matchPattern(stage, m_ConstantInt(&place))) {
      Value &base = bases[crossing];
      if (!base) {
        Value lane = laneBytes(builder, loc, crossing);
        Value sum = lane ? arith::AddIOp::create(builder, loc, stage, lane).getResult() : stage;
        base = ldsPointer(builder, loc, context, sum);
      }
      return {base, 0};
    }
    // A known place goes into the instructions' offset, which reaches 64 KiB: rings and slots with the same
    // lane part share one register.
    constexpr int64_t offsetReach = 1 << 16;
    int64_t start = place.getZExtValue(), window = start / offsetReach * offsetReach;
    if (start + stageBytes > window + offsetReach)
      window = start;
    std::vector<int64_t> key{int64_t(crossing), int64_t(elementBits), window};
    key.insert(key.end(), plan.laneOffsets.begin(), plan.laneOffsets.end());
    key.push_back(-1);
    key.insert(key.end(), plan.waveOffsets.begin(), plan.waveOffsets.end());
    Value &base = context.ldsBases[key];
    if (!base) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(context.entry);
      Value sum = constantI32(builder, loc, window);
      if (Value lane = laneBytes(builder, loc, crossing))
        sum = arith::AddIOp::create(builder, loc, lane, sum);
      base = ldsPointer(builder, loc, context, sum);
      // Opaque: LLVM would fold the window into every address and, where the sum does not fit the offset
      // field, take a register for each.
      base = anchor(builder, loc, base, "=v,0");
    }
    return {base, start - window};
  }

  /// What lane and wave contribute, in bytes; null if nothing.
  Value laneBytes(OpBuilder &builder, Location loc, uint32_t crossing) {
    auto bases = [](ArrayRef<uint32_t> offsets) {
      return SmallVector<int32_t>(offsets.begin(), offsets.end());
    };
    Value offset = emitLaneAndWave(builder, loc, context, bases(plan.laneOffsets), bases(plan.waveOffsets));
    if (!offset)
      return {};
    if (crossing)
      offset = arith::XOrIOp::create(builder, loc, offset, constantI32(builder, loc, crossing));
    return bytesOf(builder, loc, offset, elementBits);
  }

  const AccessPlan &plan;
  unsigned elementBits;
  int64_t stageBytes;
  Value stage;
  LaneContext &context;
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
    LocalAddresses addresses(*plan, op.getBuffer().getType(), stage, context);
    // Registers are used in order, so the last one is read first: a product that waits for the first then has
    // all of them, and no wait stands between its matrix instructions.
    SmallVector<int32_t> registers(pieces.firstRegisters());
    SmallVector<Value> values(registers.size());
    for (size_t i = registers.size(); i-- > 0;) {
      auto load = LLVM::LoadOp::create(rewriter, loc, pieces.pieceType(),
                                       addresses.pointer(rewriter, loc, registers[i]), plan->bits / 8);
      // LDS-DMA is waited for by tile.wait, so LLVM need not (and would, with a full drain).
      load.setNoaliasScopesAttr(rewriter.getArrayAttr(context.copyScope));
      values[i] = load;
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
    LocalAddresses addresses(*plan, op.getBuffer().getType(), stage, context);
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

/// The largest values of the counters: not waited for.
constexpr unsigned noVmWait = 63, noLgkmWait = BarrierOp::noLocalWait;

/// s_waitcnt's immediate on these chips: a counter left at its maximum is not waited for (LLVM's AMDGPU usage
/// guide).
int32_t waitcntImmediate(unsigned vmcnt, unsigned lgkmcnt) {
  return (vmcnt & 15) | 7 << 4 | lgkmcnt << 8 | (vmcnt >> 4) << 14;
}

struct LowerWait : LanePattern<WaitOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(WaitOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    // Waiting for fewer outstanding is always right.
    rewriter.replaceOpWithNewOp<ROCDL::SWaitcntOp>(
        op, waitcntImmediate(std::min<unsigned>(op.getCopies(), noVmWait - 1), noLgkmWait));
    return success();
  }
};

/// An s_barrier that nothing is moved over.
void createMeeting(OpBuilder &builder, Location loc) {
  // LLVM's MachineSink moves LDS reads over s_barrier but not over what may write memory: this costs no
  // instruction.
  LLVM::InlineAsmOp::create(
      builder, loc, TypeRange(), ValueRange(), "", "~{memory}", /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  ROCDL::SBarrierOp::create(builder, loc);
  // The schedulers may not move accesses over it either way; the waits are counted for this order.
  ROCDL::SchedBarrier::create(builder, loc, 0);
}

struct LowerBarrier : LanePattern<BarrierOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(BarrierOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // s_barrier waits for no memory: what this wave has in flight in LDS must be done before. A fence would
    // drain vmcnt too.
    if (op.waitsForLocal())
      ROCDL::SWaitcntOp::create(rewriter, loc, waitcntImmediate(noVmWait, op.getLocal()));
    createMeeting(rewriter, loc);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerStagger : LanePattern<StaggerOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(StaggerOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    // Wave i runs on SIMD i modulo their number: half of a SIMD's waves are in each half of the workgroup.
    Location loc = op.getLoc();
    bool begins = op.getEnd() == Stagger::Begin;
    Value half = constantI32(rewriter, loc, context.waves / 2);
    Value waits = arith::CmpIOp::create(
        rewriter, loc, begins ? arith::CmpIPredicate::uge : arith::CmpIPredicate::ult, context.wave, half);
    auto branch = scf::IfOp::create(rewriter, loc, waits);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    createMeeting(rewriter, loc);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lowp::tile::populateLocalPatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                       LaneContext &context) {
  patterns.add<LowerAlloc, LowerLocalLoad, LowerLocalStore, LowerWait, LowerBarrier, LowerStagger>(converter,
                                                                                                   context);
}
