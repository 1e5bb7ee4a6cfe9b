// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between MLIR's element types and the formats of Numerics.
#ifndef LOWP_DIALECT_FORMATS_H
#define LOWP_DIALECT_FORMATS_H

#include "lowp/Numerics/Format.h"
#include "mlir/IR/Types.h"

namespace lowp {

/// The format of an element type, nothing for types that are no operand of ours (f64, i64, index, ...).
std::optional<Format> formatOf(mlir::Type type);
mlir::Type typeOf(Format format, mlir::MLIRContext *context);

} // namespace lowp

#endif // LOWP_DIALECT_FORMATS_H
