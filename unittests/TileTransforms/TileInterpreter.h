// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel of the tile dialect in program order on symbolic tiles: a tile is a hash of the operations
// that made it, integers are numbers. Two kernels that print the same trace compute the same.
#ifndef LOWP_UNITTESTS_TILETRANSFORMS_TILEINTERPRETER_H
#define LOWP_UNITTESTS_TILETRANSFORMS_TILEINTERPRETER_H

#include "lowp/Dialect/Tile/IR/Tile.h"

#include <string>
#include <vector>

namespace lowp::tile {

/// The stores to global memory in order, one line each; a line "cannot run ..." where an operation is not
/// known. Integer arguments of the kernel are `integers`, in order.
std::vector<std::string> storesOf(KernelOp kernel, llvm::ArrayRef<int64_t> integers);

} // namespace lowp::tile

#endif // LOWP_UNITTESTS_TILETRANSFORMS_TILEINTERPRETER_H
