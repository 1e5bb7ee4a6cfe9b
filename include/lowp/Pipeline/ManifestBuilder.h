// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From tile.entry to the manifest. What the IR knows (arguments, conditions, grids) is taken from the
// operation; what only the machine code shows (registers, LDS, scratch) comes from the code object, which is
// checked against the first part.
#ifndef LOWP_PIPELINE_MANIFESTBUILDER_H
#define LOWP_PIPELINE_MANIFESTBUILDER_H

#include "lowp/CodeObject/HsaCodeObject.h"
#include "lowp/CodeObject/Manifest.h"
#include "lowp/Dialect/Tile/IR/Tile.h"
#include "mlir/IR/BuiltinOps.h"

namespace lowp {

/// An affine expression over the symbols called `names`.
mlir::FailureOr<Expr> exprFromAffine(mlir::AffineExpr expr, llvm::ArrayRef<std::string> names);

/// The entry, with the workgroup sizes of those kernels that are tile.kernel still. Reports at `op`.
mlir::FailureOr<Entry> buildEntry(tile::EntryOp op);

/// All entries of a module, in order.
mlir::FailureOr<std::vector<Entry>> buildEntries(mlir::ModuleOp module);

/// Fills in what the code object says of the entries' kernels. An error if a kernel is missing, or if its
/// arguments do not lie where the entry says, or if it is made for another workgroup size.
llvm::Error addKernelFacts(llvm::MutableArrayRef<Entry> entries, const HsaCodeObject &codeObject);

} // namespace lowp

#endif // LOWP_PIPELINE_MANIFESTBUILDER_H
