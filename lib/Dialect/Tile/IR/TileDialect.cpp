// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect: registration of its operations, types and attributes.

#include "lowp/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace lowp::tile;

#include "lowp/Dialect/Tile/IR/TileDialect.cpp.inc"

namespace {
/// Layouts are long and shared by many types: print them once, by a name of their own.
struct TileAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    auto linear = dyn_cast<LinearAttr>(attribute);
    if (!linear)
      return AliasResult::NoAlias;
    os << (linear.getLayout().hasInput("offset") ? "lds" : "layout");
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void TileDialect::initialize() {
  addInterfaces<TileAsmInterface>();
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "lowp/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}
