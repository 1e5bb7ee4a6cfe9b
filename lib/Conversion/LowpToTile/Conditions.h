// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preconditions of entries and variants while they are collected: what holds for every argument is dropped,
// what holds for none is remembered as the contradiction.
#ifndef LOWP_LIB_CONVERSION_LOWPTOTILE_CONDITIONS_H
#define LOWP_LIB_CONVERSION_LOWPTOTILE_CONDITIONS_H

#include "lowp/Dialect/Tile/IR/Tile.h"

namespace lowp {

class Conditions {
public:
  /// Expressions range over `symbols` symbols, one for each argument of the entry.
  Conditions(mlir::MLIRContext *context, unsigned symbols) : context(context), symbols(symbols) {}

  void requireAtLeast(mlir::AffineExpr value, int64_t least, const llvm::Twine &text);
  void requireAtMost(mlir::AffineExpr value, int64_t most, const llvm::Twine &text);
  void requireEqual(mlir::AffineExpr a, mlir::AffineExpr b, const llvm::Twine &text);
  void requireMultiple(mlir::AffineExpr value, int64_t divisor, const llvm::Twine &text);
  /// `expr` is 0 (equality) or at least 0.
  void require(mlir::AffineExpr expr, bool equality, const llvm::Twine &text);

  void append(const Conditions &others);

  /// The text of the first condition that no arguments fulfil, empty if there is none.
  llvm::StringRef contradiction() const { return broken; }
  llvm::ArrayRef<tile::ConditionAttr> get() const { return list; }
  /// Those that are not among `others` as well.
  llvm::SmallVector<tile::ConditionAttr> without(const Conditions &others) const;

private:
  mlir::MLIRContext *context;
  unsigned symbols;
  std::string broken;
  llvm::SmallVector<tile::ConditionAttr> list;
};

} // namespace lowp

#endif // LOWP_LIB_CONVERSION_LOWPTOTILE_CONDITIONS_H
