// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on the tile dialect, in the order in which a kernel meets them: layouts, pipelining, LDS
// addresses, synchronisation and its proof.
#ifndef LOWP_DIALECT_TILE_TRANSFORMS_PASSES_H
#define LOWP_DIALECT_TILE_TRANSFORMS_PASSES_H

#include "lowp/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace lowp::tile {

#define GEN_PASS_DECL
#include "lowp/Dialect/Tile/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lowp/Dialect/Tile/Transforms/Passes.h.inc"

} // namespace lowp::tile

#endif // LOWP_DIALECT_TILE_TRANSFORMS_PASSES_H
