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
  explicit Conditions(mlir::MLIRContext *context) : context(context) {}

  void requireAtLeast(mlir::AffineExpr value, int64_t least, const llvm::Twine &text);
  void requireAtMost(mlir::AffineExpr value, int64_t most, const llvm::Twine &text);
  void requireEqual(mlir::AffineExpr a, mlir::AffineExpr b, const llvm::Twine &text);
  void requireMultiple(mlir::AffineExpr value, int64_t divisor, const llvm::Twine &text);
  /// `expr` is 0 (equality) or at least 0.
  void require(mlir::AffineExpr expr, bool equality, const llvm::Twine &text);

  void append(const Conditions &others);

  /// The text of the first condition that no arguments fulfil, empty if there is none.
  llvm::StringRef contradiction() const { return broken; }
  bool empty() const { return list.empty(); }
  /// Only those that are not among `others` as well.
  Conditions without(const Conditions &others) const;
  /// As attributes over `symbols` symbols, one for each argument of the entry.
  llvm::SmallVector<tile::ConditionAttr> get(unsigned symbols) const;

private:
  struct Condition {
    mlir::AffineExpr expr;
    bool equality;
    std::string text;
    bool sameSet(const Condition &other) const { return expr == other.expr && equality == other.equality; }
  };

  mlir::MLIRContext *context;
  std::string broken;
  llvm::SmallVector<Condition> list;
};

} // namespace lowp

#endif // LOWP_LIB_CONVERSION_LOWPTOTILE_CONDITIONS_H
