// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowp dialect: what a kernel computes.
#ifndef LOWP_DIALECT_LOWP_IR_LOWP_H
#define LOWP_DIALECT_LOWP_IR_LOWP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "lowp/Dialect/Lowp/IR/LowpDialect.h.inc"
#include "lowp/Dialect/Lowp/IR/LowpEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "lowp/Dialect/Lowp/IR/LowpAttrs.h.inc"
#define GET_OP_CLASSES
#include "lowp/Dialect/Lowp/IR/LowpOps.h.inc"

#endif // LOWP_DIALECT_LOWP_IR_LOWP_H
