// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lanes-order-by-demand: straight-line lane code in the order in which its stores need it.
//
// tile-to-lanes lowers one operation on whole tiles after the other, so an epilogue first loads every element
// of a residual, then computes on all accumulators, then stores them: everything is alive at once, and a tile
// that fills the registers spills. Here a few stores at a time get what they need: their loads together, then
// each store's computation and the store. LLVM's scheduler can still move loads up where there is room, but
// it cannot make room.
//
// Behind a kernel's last loop the same holds for stores to LDS, through which results leave, and loads from
// it: between two barriers none conflicts with another, or tile-synchronize would have put a barrier between
// them. In front of loops and in them accesses of LDS keep their places, which the pipeliner has chosen.

#include "Mover.h"
#include "lowp/Conversion/TileToLanes/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace lowp::tile {
#define GEN_PASS_DEF_LANESORDERBYDEMAND
#include "lowp/Conversion/TileToLanes/Passes.h.inc"
} // namespace lowp::tile

using namespace mlir;
using namespace lowp::tile;

namespace {

/// Stores whose loads are issued together: their latencies overlap, and 8 times 16 bytes a lane are 32
/// registers.
constexpr unsigned storesTogether = 8;

bool isLds(Value pointer) { return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == 3; }

bool isLdsLoad(Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return load && isLds(load.getAddr());
}

bool isLdsStore(Operation *op) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store && isLds(store.getAddr());
}

bool isStore(Operation *op) { return isa<ROCDL::RawPtrBufferStoreOp>(op) || isLdsStore(op); }

/// Whether a load is from memory that the kernel does not write: its pointer is an argument marked so.
bool isReadOnlyLoad(Operation *op) {
  auto load = dyn_cast<ROCDL::RawPtrBufferLoadOp>(op);
  if (!load)
    return false;
  Value pointer = load.getRsrc();
  while (Operation *producer = pointer.getDefiningOp()) {
    if (!isa<ROCDL::MakeBufferRsrcOp, LLVM::GEPOp>(producer))
      return false;
    pointer = producer->getOperand(0);
  }
  auto argument = cast<BlockArgument>(pointer);
  auto function = dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock() &&
         function.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getReadonlyAttrName()) &&
         function.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getNoAliasAttrName());
}

/// May change places with anything but what it depends on.
bool isMovable(Operation *op) {
  auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
  return isReadOnlyLoad(op) || (assembly && !assembly.getHasSideEffects()) ||
         (op->getNumRegions() == 0 && isPure(op) && !op->hasTrait<OpTrait::IsTerminator>());
}

/// One run of movable operations and stores, put into a new order in front of `end`.
class Run {
public:
  Run(ArrayRef<Operation *> members, Operation *end) : members(members), mover(members, end) {}

  void order() {
    SmallVector<Operation *> stores;
    llvm::copy_if(members, std::back_inserter(stores), isStore);
    if (stores.size() < 2)
      return;
    // What no store needs is used behind the run, if at all: it keeps its place before all of it.
    llvm::SetVector<Operation *> needed;
    for (Operation *store : stores)
      mover.collect(store, needed);
    for (Operation *op : members)
      if (!needed.contains(op))
        mover.move(op);
    for (size_t first = 0; first < stores.size(); first += storesTogether) {
      ArrayRef<Operation *> group =
          ArrayRef(stores).slice(first, std::min<size_t>(storesTogether, stores.size() - first));
      llvm::SetVector<Operation *> slice;
      for (Operation *store : group)
        mover.collect(store, slice);
      for (Operation *op : slice)
        if (isa<ROCDL::RawPtrBufferLoadOp>(op) || isLdsLoad(op))
          mover.move(op);
      for (Operation *store : group)
        mover.move(store);
    }
  }

private:
  ArrayRef<Operation *> members;
  Mover mover;
};

class LanesOrderByDemandPass : public lowp::tile::impl::LanesOrderByDemandBase<LanesOrderByDemandPass> {
  void runOnOperation() override {
    getOperation().walk([](Block *block) {
      Operation *lastLoop = nullptr;
      for (Operation &op : *block)
        if (op.getNumRegions() != 0)
          lastLoop = &op;
      bool behindLoops = isa<LLVM::LLVMFuncOp>(block->getParentOp()) && !lastLoop;
      SmallVector<Operation *> run;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        bool isLdsAccess = isLdsLoad(&op) || isLdsStore(&op);
        if (isLdsAccess ? behindLoops : isStore(&op) || isMovable(&op)) {
          run.push_back(&op);
          continue;
        }
        Run(run, &op).order();
        run.clear();
        behindLoops |= &op == lastLoop && isa<LLVM::LLVMFuncOp>(block->getParentOp());
      }
    });
  }
};

} // namespace
