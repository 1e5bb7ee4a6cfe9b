// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes from the tile dialect to lane code.
#ifndef LOWP_CONVERSION_TILETOLANES_PASSES_H
#define LOWP_CONVERSION_TILETOLANES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace lowp::tile {
#define GEN_PASS_DECL
#include "lowp/Conversion/TileToLanes/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lowp/Conversion/TileToLanes/Passes.h.inc"
} // namespace lowp::tile

#endif // LOWP_CONVERSION_TILETOLANES_PASSES_H
