// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that lowp's tools know: dialects, their interfaces, passes. One place, so that all tools read
// the same IR.
#ifndef LOWP_PIPELINE_REGISTRATION_H
#define LOWP_PIPELINE_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace lowp {

/// Our dialects and the upstream ones that our IR uses; loaded when first met.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Our passes, and upstream's canonicalize, cse and symbol-dce. Global to the process, as pass registration
/// is: for tools with a command line only.
void registerAllPasses();

} // namespace lowp

#endif // LOWP_PIPELINE_REGISTRATION_H
