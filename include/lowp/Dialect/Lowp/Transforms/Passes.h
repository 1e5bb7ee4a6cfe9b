// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on the lowp dialect.
#ifndef LOWP_DIALECT_LOWP_TRANSFORMS_PASSES_H
#define LOWP_DIALECT_LOWP_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace lowp {
#define GEN_PASS_DECL
#include "lowp/Dialect/Lowp/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lowp/Dialect/Lowp/Transforms/Passes.h.inc"
} // namespace lowp

#endif // LOWP_DIALECT_LOWP_TRANSFORMS_PASSES_H
