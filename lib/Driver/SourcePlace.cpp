// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where something stands in the source, for reports.
#include "lowp/Driver/SourcePlace.h"

std::string lowp::sourcePlace(mlir::Location location) {
  std::string text;
  location->walk([&](mlir::Location part) {
    auto file = llvm::dyn_cast<mlir::FileLineColLoc>(part);
    if (!file)
      return mlir::WalkResult::advance();
    text = file.getFilename().str() + ":" + std::to_string(file.getLine()) + ":" +
           std::to_string(file.getColumn());
    return mlir::WalkResult::interrupt();
  });
  return text;
}
