// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LOWP_DRIVER_SOURCEPLACE_H
#define LOWP_DRIVER_SOURCEPLACE_H

#include "mlir/IR/Location.h"
#include <string>

namespace lowp {

/// "file:line:column", from whatever the location is made of; empty if it names no file.
std::string sourcePlace(mlir::Location location);

} // namespace lowp

#endif // LOWP_DRIVER_SOURCEPLACE_H
