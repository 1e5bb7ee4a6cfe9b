// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what a kernel computes to how a workgroup computes it.
#ifndef LOWP_CONVERSION_LOWPTOTILE_PASSES_H
#define LOWP_CONVERSION_LOWPTOTILE_PASSES_H

#include "lowp/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace lowp {

#define GEN_PASS_DECL
#include "lowp/Conversion/LowpToTile/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lowp/Conversion/LowpToTile/Passes.h.inc"

} // namespace lowp

#endif // LOWP_CONVERSION_LOWPTOTILE_PASSES_H
