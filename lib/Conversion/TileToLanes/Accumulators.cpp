// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lanes-place-accumulators: which registers hold the sums of a loop. A SIMD's registers are shared between
// vector and accumulation registers (AGPRs). LLVM 22 selects one form of all matrix instructions of a
// function: sums in either, by the function attribute amdgpu-agpr-alloc.
//
// With sums in vector registers the allocator gives a matrix instruction's result other registers than its
// accumulator and pays with copies, or spills, where hardly any are left. With sums in AGPRs it finds the
// perfect packing, on two conditions seen on LLVM 22:
//   no vector instruction may see a sum in between: an empty assembly statement with an "a" constraint on the
//   initial value (a constant there would be split into scalars) and on the loop's result keeps the whole
//   cycle in AGPRs, at no cost;
//   a trip adds to each sum twice at most: longer chains are copied.
// So sums go to AGPRs where they take half of the registers and these conditions hold.

#include "Lanes.h"
#include "lowp/Conversion/TileToLanes/Passes.h"
#include "lowp/Target/Target.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"

namespace lowp::tile {
#define GEN_PASS_DEF_LANESPLACEACCUMULATORS
#include "lowp/Conversion/TileToLanes/Passes.h.inc"
} // namespace lowp::tile

using namespace mlir;
using namespace lowp;

namespace {

constexpr unsigned longestChain = 2;
constexpr StringLiteral agprAlloc = "amdgpu-agpr-alloc", inAgprs = "=a,0";

/// How many matrix instructions take the carried value number `index` of `loop` from one trip to the next, if
/// nothing else does anything with it.
std::optional<unsigned> chainLength(scf::ForOp loop, unsigned index) {
  Value value = loop.getRegionIterArg(index);
  for (unsigned length = 0;; ++length) {
    if (!value.hasOneUse())
      return std::nullopt;
    OpOperand &use = *value.getUses().begin();
    if (isa<scf::YieldOp>(use.getOwner()))
      return use.getOperandNumber() == index && length > 0 ? std::optional<unsigned>(length) : std::nullopt;
    auto mfma = dyn_cast<amdgpu::MFMAOp>(use.getOwner());
    if (!mfma || use.get() != mfma.getDestC())
      return std::nullopt;
    value = mfma.getResult();
  }
}

/// Registers of the sums of `loop`, which has `matrix` matrix instructions, if all of them may be AGPRs, else
/// 0.
unsigned accumulatorRegisters(scf::ForOp loop, unsigned matrix, SmallVectorImpl<unsigned> &sums) {
  unsigned registers = 0, onChains = 0;
  for (unsigned index = 0; index < loop.getInitArgs().size(); ++index)
    if (std::optional<unsigned> length = chainLength(loop, index)) {
      if (*length > longestChain)
        return 0;
      onChains += *length;
      sums.push_back(index);
      auto type = cast<VectorType>(loop.getRegionIterArg(index).getType());
      registers += type.getNumElements() * type.getElementTypeBitWidth() / 32;
    }
  return matrix == onChains ? registers : 0;
}

void setAgprs(LLVM::LLVMFuncOp function, unsigned registers) {
  Builder builder(function.getContext());
  SmallVector<Attribute> attributes;
  for (Attribute attribute : function.getPassthroughAttr().getValue()) {
    auto pair = dyn_cast<ArrayAttr>(attribute);
    bool old = pair && pair.size() == 2 && cast<StringAttr>(pair[0]).getValue() == agprAlloc;
    attributes.push_back(old ? builder.getStrArrayAttr({agprAlloc, std::to_string(registers)}) : attribute);
  }
  function.setPassthroughAttr(builder.getArrayAttr(attributes));
}

struct LanesPlaceAccumulatorsPass : lowp::tile::impl::LanesPlaceAccumulatorsBase<LanesPlaceAccumulatorsPass> {
  using Base::Base;

  void runOnOperation() override {
    const Target *chip = Target::get(target);
    if (!chip) {
      getOperation().emitError() << "unknown target '" << target << "'; accepted are "
                                 << llvm::join(Target::chips(), ", ");
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr("rocdl.kernel"))
        place(function, *chip);
  }

private:
  void place(LLVM::LLVMFuncOp function, const Target &chip) {
    auto threads = function->getAttrOfType<DenseI32ArrayAttr>("rocdl.reqd_work_group_size");
    if (!threads)
      return;
    unsigned waves = llvm::divideCeil(threads[0], chip.waveSize());
    unsigned available = chip.registersPerWave(llvm::divideCeil(waves, chip.simdsPerCU()));
    // One form for the whole function: one loop has all matrix instructions.
    scf::ForOp loop;
    unsigned matrix = 0;
    WalkResult inOneLoop = function.walk([&](amdgpu::MFMAOp mfma) {
      auto parent = dyn_cast<scf::ForOp>(mfma->getParentOp());
      if (!parent || (loop && parent != loop))
        return WalkResult::interrupt();
      loop = parent;
      ++matrix;
      return WalkResult::advance();
    });
    if (inOneLoop.wasInterrupted() || !loop)
      return;
    SmallVector<unsigned> sums;
    unsigned registers = accumulatorRegisters(loop, matrix, sums);
    if (registers == 0 || 2 * registers < available)
      return;
    OpBuilder builder(loop);
    for (unsigned index : sums) {
      OpOperand &init = loop.getInitArgsMutable()[index];
      init.set(tile::anchor(builder, loop.getLoc(), init.get(), inAgprs));
    }
    builder.setInsertionPointAfter(loop);
    for (unsigned index : sums) {
      Value result = loop.getResult(index);
      Value pinned = tile::anchor(builder, loop.getLoc(), result, inAgprs);
      result.replaceAllUsesExcept(pinned, pinned.getDefiningOp());
    }
    setAgprs(function, registers);
  }
};

} // namespace
