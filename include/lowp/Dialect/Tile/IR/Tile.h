// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect: how a workgroup computes.
#ifndef LOWP_DIALECT_TILE_IR_TILE_H
#define LOWP_DIALECT_TILE_IR_TILE_H

#include "lowp/Layout/LinearLayout.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace lowp {
llvm::hash_code hash_value(const LinearLayout &layout);
} // namespace lowp

#include "lowp/Dialect/Tile/IR/TileDialect.h.inc"
#include "lowp/Dialect/Tile/IR/TileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "lowp/Dialect/Tile/IR/TileAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "lowp/Dialect/Tile/IR/TileTypes.h.inc"
#define GET_OP_CLASSES
#include "lowp/Dialect/Tile/IR/TileOps.h.inc"

#endif // LOWP_DIALECT_TILE_IR_TILE_H
