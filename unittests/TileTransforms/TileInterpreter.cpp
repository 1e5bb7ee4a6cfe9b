// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer operations are run by their own folders.

#include "TileInterpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/Hashing.h"

#include <map>

using namespace mlir;

namespace lowp::tile {
namespace {

struct Interpreter {
  llvm::DenseMap<Value, uint64_t> tiles;
  llvm::DenseMap<Value, Attribute> integers;
  std::map<std::pair<Operation *, int64_t>, uint64_t> lds;
  std::vector<std::string> stores;

  int64_t number(Value value) { return cast<IntegerAttr>(integers.at(value)).getInt(); }
  uint64_t hash(Value value) {
    auto integer = integers.find(value);
    return integer != integers.end() ? uint64_t(cast<IntegerAttr>(integer->second).getInt())
                                     : tiles.at(value);
  }
  void assign(Value to, Value from) {
    if (integers.contains(from))
      integers[to] = integers[from];
    else
      tiles[to] = tiles.at(from);
  }
  uint64_t hashOf(StringRef what, ValueRange operands, Attribute attribute) {
    uint64_t result = llvm::hash_combine(what, attribute ? attribute.getAsOpaquePointer() : nullptr);
    for (Value operand : operands)
      result = llvm::hash_combine(result, hash(operand));
    return result;
  }
  std::pair<Operation *, int64_t> place(Value buffer, Value slot) {
    return {buffer.getDefiningOp(), number(slot) % cast<LocalType>(buffer.getType()).getStages()};
  }

  void block(Block &block) {
    for (Operation &op : block)
      run(op);
  }

  void run(Operation &op) {
    if (auto store = dyn_cast<StoreOp>(op)) {
      stores.push_back(std::to_string(hashOf("store", op.getOperands(), store.getMapAttr())));
    } else if (auto load = dyn_cast<LoadOp>(op)) {
      tiles[load] = globalTile(load.getView(), load.getOffsets(), load.getMapAttr());
    } else if (auto copy = dyn_cast<AsyncCopyOp>(op)) {
      lds[place(copy.getBuffer(), copy.getSlot())] =
          globalTile(copy.getView(), copy.getOffsets(), copy.getMapAttr());
    } else if (auto store = dyn_cast<LocalStoreOp>(op)) {
      lds[place(store.getBuffer(), store.getSlot())] = hash(store.getValue());
    } else if (auto load = dyn_cast<LocalLoadOp>(op)) {
      tiles[load] = lds[place(load.getBuffer(), load.getSlot())];
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      run(loop);
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      assign(select, number(select.getCondition()) ? select.getTrueValue() : select.getFalseValue());
    } else if (isa<AllocOp, ReturnOp, scf::YieldOp>(op)) {
    } else if (op.getNumRegions() == 0) {
      compute(op);
    } else {
      stores.push_back("cannot run " + op.getName().getStringRef().str());
    }
  }

  uint64_t globalTile(Value view, ValueRange offsets, Attribute map) {
    return llvm::hash_combine(hash(view), hashOf("load", offsets, map));
  }

  void compute(Operation &op) {
    bool scalar = llvm::all_of(op.getResultTypes(), [](Type type) { return type.isIntOrIndex(); });
    if (!scalar) {
      SmallVector<Value> operands(op.getOperands());
      if (op.hasTrait<OpTrait::IsCommutative>())
        llvm::sort(operands, [&](Value a, Value b) { return hash(a) < hash(b); });
      for (OpResult result : op.getResults())
        tiles[result] = llvm::hash_combine(
            hashOf(op.getName().getStringRef(), operands,
                   op.hasTrait<OpTrait::ConstantLike>() ? op.getAttr("value") : Attribute()),
            result.getResultNumber());
      return;
    }
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands())
      operands.push_back(integers.lookup(operand));
    SmallVector<OpFoldResult> results;
    if (failed(op.fold(operands, results)) || results.size() != 1) {
      stores.push_back("cannot run " + op.getName().getStringRef().str());
      return;
    }
    integers[op.getResult(0)] =
        isa<Attribute>(results[0]) ? cast<Attribute>(results[0]) : integers.at(cast<Value>(results[0]));
  }

  void run(scf::ForOp loop) {
    int64_t lower = number(loop.getLowerBound()), upper = number(loop.getUpperBound()),
            step = number(loop.getStep());
    for (auto [argument, init] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getInits()))
      assign(argument, init);
    for (int64_t i = lower; i < upper; i += step) {
      integers[loop.getInductionVar()] = IntegerAttr::get(loop.getInductionVar().getType(), i);
      block(*loop.getBody());
      // All at once: a yielded value may be another argument.
      Interpreter before;
      for (Value value : loop.getBody()->getTerminator()->getOperands()) {
        before.tiles[value] = tiles.lookup(value);
        if (integers.contains(value))
          before.integers[value] = integers[value];
      }
      for (auto [argument, value] :
           llvm::zip_equal(loop.getRegionIterArgs(), loop.getBody()->getTerminator()->getOperands())) {
        if (before.integers.contains(value))
          integers[argument] = before.integers[value];
        else
          tiles[argument] = before.tiles[value];
      }
    }
    for (auto [result, argument] : llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs()))
      assign(result, argument);
  }
};

} // namespace

std::vector<std::string> storesOf(KernelOp kernel, llvm::ArrayRef<int64_t> integers) {
  Interpreter interpreter;
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    if (isa<IntegerType>(argument.getType()) && !integers.empty()) {
      interpreter.integers[argument] = IntegerAttr::get(argument.getType(), integers.front());
      integers = integers.drop_front();
    } else {
      interpreter.tiles[argument] = llvm::hash_combine("argument", argument.getArgNumber());
    }
  }
  interpreter.block(kernel.getBody().front());
  return interpreter.stores;
}

} // namespace lowp::tile
