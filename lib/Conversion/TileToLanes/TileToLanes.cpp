// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-to-lanes: the program of a workgroup becomes the program of one lane.
//
// Invariants in: every tensor of a kernel has a #tile.linear encoding, LDS rings have offsets, waits and
// barriers are written. Invariants out: no tensor and no tile operation but tile.cluster is left; each kernel
// is an llvm.func over vectors, LLVM pointers and scalars, marked as a kernel, with its LDS as one LLVM
// global.

#include "Lanes.h"
#include "lowp/Conversion/TileToLanes/Passes.h"
#include "lowp/Target/Target.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

namespace lowp::tile {
#define GEN_PASS_DEF_TILETOLANES
#include "lowp/Conversion/TileToLanes/Passes.h.inc"
} // namespace lowp::tile

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

namespace {

struct LowerReturn : LanePattern<ReturnOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(ReturnOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

struct LowerWorkgroupId : LanePattern<WorkgroupIdOp> {
  using LanePattern::LanePattern;
  LogicalResult matchAndRewrite(WorkgroupIdOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type i32 = rewriter.getI32Type();
    Location loc = op.getLoc();
    Value id = op.getAxis() == 0   ? ROCDL::BlockIdXOp::create(rewriter, loc, i32).getResult()
               : op.getAxis() == 1 ? ROCDL::BlockIdYOp::create(rewriter, loc, i32).getResult()
                                   : ROCDL::BlockIdZOp::create(rewriter, loc, i32).getResult();
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(op, rewriter.getIndexType(), id);
    return success();
  }
};

/// How far LLVM 22's hazard recogniser looks back, in wait states.
constexpr unsigned hazardLookahead = 19;

/// The wait states that a result of `op` needs before a vector instruction reads it.
unsigned resultWaitStates(MmaOp op, const Target &target) {
  const MfmaInstruction *mfma = mfmaOf(op, target);
  return mfma ? mfma->cycles / 4 + target.mfmaResultDelay() : 0;
}

/// The values, `value` and those that loops and further products make of it, that something reads other than
/// as an accumulator.
void findReadResults(Value value, llvm::SetVector<Value> &read, llvm::DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (auto mma = dyn_cast<MmaOp>(user); mma && use.get() == mma.getAcc()) {
      findReadResults(mma.getResult(), read, seen);
    } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
      findReadResults(loop.getTiedLoopRegionIterArg(&use), read, seen);
      findReadResults(loop.getTiedLoopResult(&use), read, seen);
    } else if (auto yield = dyn_cast<scf::YieldOp>(user); yield && isa<scf::ForOp>(yield->getParentOp())) {
      auto loop = cast<scf::ForOp>(yield->getParentOp());
      findReadResults(loop.getResult(use.getOperandNumber()), read, seen);
      findReadResults(loop.getRegionIterArg(use.getOperandNumber()), read, seen);
    } else {
      read.insert(value);
    }
  }
}

/// LLVM pads between a matrix instruction and the first reader of its result, but does not see an instruction
/// that lies further back than it looks. Where a result needs longer than that, the wait is written here:
/// once behind a loop, where it costs some twenty clocks. It follows what makes the value and not what reads
/// it, so that the loads of an epilogue stand behind it, where lanes-order-by-demand may move them.
void padLongResults(KernelOp kernel, const Target &target) {
  llvm::SetVector<Value> read;
  llvm::DenseSet<Value> seen;
  unsigned states = 0;
  kernel.walk([&](MmaOp mma) {
    unsigned needed = resultWaitStates(mma, target);
    if (needed <= hazardLookahead)
      return;
    states = std::max(states, needed);
    findReadResults(mma.getResult(), read, seen);
  });
  // A loop or product has one wait, however many results; so has a block for its arguments.
  llvm::DenseSet<void *> padded;
  for (Value value : read) {
    Operation *producer = value.getDefiningOp();
    if (!padded.insert(producer ? static_cast<void *>(producer) : value.getParentBlock()).second)
      continue;
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfterValue(value);
    Location loc = value.getLoc();
    // Nothing may move into or out of the wait.
    ROCDL::SchedBarrier::create(builder, loc, 0);
    for (unsigned left = states; left > 0;) {
      unsigned part = std::min(left, 16u); // s_nop N waits N + 1 states, N up to 15
      ROCDL::SNopOp::create(builder, loc, part - 1);
      left -= part;
    }
    ROCDL::SchedBarrier::create(builder, loc, 0);
  }
}

/// Function attributes that the back end needs to make a good kernel; each was found to matter on LLVM 22.
void setKernelAttributes(LLVM::LLVMFuncOp function, unsigned waves, const Target &target) {
  Builder builder(function.getContext());
  unsigned threads = waves * target.waveSize();
  std::string size = (Twine(threads) + "," + Twine(threads)).str();
  auto passthrough = [&](StringRef key, StringRef value) -> Attribute {
    return builder.getStrArrayAttr({key, value});
  };
  unsigned wavesPerSimd = llvm::divideCeil(waves, target.simdsPerCU());
  function->setAttr("rocdl.kernel", builder.getUnitAttr());
  function->setAttr("rocdl.reqd_work_group_size",
                    builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  function->setAttr("rocdl.flat_work_group_size", builder.getStringAttr(size));
  function.setPassthroughAttr(builder.getArrayAttr({
      passthrough("amdgpu-waves-per-eu", std::to_string(wavesPerSimd)),
      passthrough("uniform-work-group-size", "true"),
      // Sums in vector registers, unless lanes-place-accumulators finds the others better.
      passthrough("amdgpu-agpr-alloc", "0"),
  }));
}

class TileToLanesPass : public lowp::tile::impl::TileToLanesBase<TileToLanesPass> {
public:
  using TileToLanesBase::TileToLanesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Target *chip = Target::get(target);
    if (!chip) {
      module.emitError() << "unknown target '" << target << "'; accepted are "
                         << llvm::join(Target::chips(), ", ");
      return signalPassFailure();
    }
    for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
      if (failed(lower(kernel, *chip)))
        return signalPassFailure();
    // What launchers have to know of the kernels was for the manifest, which is made before.
    for (EntryOp entry : llvm::make_early_inc_range(module.getOps<EntryOp>()))
      entry.erase();
  }

private:
  /// Declares the kernel's LDS, as large as its rings reach; nothing when it has none.
  StringAttr declareLds(KernelOp kernel) {
    int64_t bytes = 0;
    kernel.walk([&](AllocOp alloc) {
      LocalType type = alloc.getType();
      bytes =
          std::max(bytes, int64_t(alloc.getOffset().value_or(0)) + type.getStages() * type.getStageBytes());
    });
    if (bytes == 0)
      return {};
    OpBuilder builder(kernel);
    auto name = builder.getStringAttr(kernel.getSymName() + ".lds");
    LLVM::GlobalOp::create(builder, kernel.getLoc(), LLVM::LLVMArrayType::get(builder.getI8Type(), bytes),
                           /*isConstant=*/false, LLVM::Linkage::Internal, name, /*value=*/Attribute(),
                           /*alignment=*/1024, /*addrSpace=*/3);
    return name;
  }

  /// Lane and wave of this thread, at the kernel's start.
  void identify(LLVM::LLVMFuncOp function, LaneContext &context) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    Location loc = function.getLoc();
    Type i32 = builder.getI32Type();
    unsigned waveSize = context.target->waveSize();
    // Stands for the place behind what is computed here; erased once the kernel is lowered.
    context.entry = LLVM::UndefOp::create(builder, loc, i32);
    builder.setInsertionPoint(context.entry);
    Value thread = ROCDL::ThreadIdXOp::create(builder, loc, i32);
    context.lane = arith::AndIOp::create(builder, loc, thread, constantI32(builder, loc, waveSize - 1));
    if (context.waves == 1) {
      context.wave = constantI32(builder, loc, 0);
      return;
    }
    Value wave =
        arith::ShRUIOp::create(builder, loc, thread, constantI32(builder, loc, llvm::Log2_32(waveSize)));
    // Makes the wave's number scalar, and with it every address that depends on it alone.
    context.wave = ROCDL::ReadfirstlaneOp::create(builder, loc, i32, wave);
  }

  LogicalResult lower(KernelOp kernel, const Target &chip) {
    if (!llvm::isPowerOf2_32(kernel.getWaves()))
      return kernel.emitOpError() << "must have a power of two of waves, but got '" << kernel.getWaves()
                                  << "'";
    LaneContext context;
    context.target = &chip;
    context.waves = kernel.getWaves();
    context.ldsSymbol = declareLds(kernel);
    MLIRContext *mlir = kernel.getContext();
    auto domain = LLVM::AliasScopeDomainAttr::get(mlir, StringAttr::get(mlir, kernel.getSymName() + ".lds"));
    context.copyScope = LLVM::AliasScopeAttr::get(domain, StringAttr::get(mlir, "copies"));

    padLongResults(kernel, chip);
    OpBuilder builder(kernel);
    auto type =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(mlir), kernel.getFunctionType().getInputs());
    auto function = LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), kernel.getSymName(), type);
    if (ArrayAttr attributes = kernel.getArgAttrsAttr())
      function.setAllArgAttrs(attributes);
    function.getBody().takeBody(kernel.getBody());
    kernel.erase();
    setKernelAttributes(function, context.waves, chip);
    identify(function, context);

    LaneTypeConverter converter;
    RewritePatternSet patterns(mlir);
    patterns.add<LowerReturn, LowerWorkgroupId>(converter, context);
    populateElementwisePatterns(converter, patterns, context);
    populateShapePatterns(converter, patterns, context);
    populateGlobalPatterns(converter, patterns, context);
    populateLocalPatterns(converter, patterns, context);
    populateMmaPatterns(converter, patterns, context);
    populateClusterPatterns(converter, patterns, context);
    ConversionTarget legal(*mlir);
    legal.addIllegalDialect<TileDialect>();
    legal.addDynamicallyLegalOp<ClusterOp, YieldOp>([&](Operation *op) {
      return converter.isLegal(op->getOperandTypes()) && converter.isLegal(op->getResultTypes());
    });
    legal.markUnknownOpDynamicallyLegal([&](Operation *op) {
      return converter.isLegal(op->getOperandTypes()) && converter.isLegal(op->getResultTypes());
    });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, legal);
    if (failed(applyPartialConversion(function, legal, std::move(patterns))))
      return failure();
    separateBehindLoops(function, context);
    context.entry->erase();
    return success();
  }
};

} // namespace
