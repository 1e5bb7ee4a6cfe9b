// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preconditions as integer sets over the arguments' symbols. Affine simplification decides what is statically
// true: it folds constants and knows the divisors of products, so "64 * s mod 16 = 0" vanishes here.
#include "Conditions.h"

using namespace mlir;

namespace lowp {

void Conditions::require(AffineExpr expr, bool equality, const Twine &text) {
  unsigned symbols = 0;
  expr.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      symbols = std::max(symbols, symbol.getPosition() + 1);
  });
  expr = simplifyAffineExpr(expr, 0, symbols);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    bool holds = equality ? constant.getValue() == 0 : constant.getValue() >= 0;
    if (!holds && broken.empty())
      broken = text.str();
    return;
  }
  Condition condition{expr, equality, text.str()};
  if (llvm::none_of(list, [&](const Condition &other) {
        return other.sameSet(condition) && other.text == condition.text;
      }))
    list.push_back(std::move(condition));
}

void Conditions::requireAtLeast(AffineExpr value, int64_t least, const Twine &text) {
  require(value - least, /*equality=*/false, text);
}

void Conditions::requireAtMost(AffineExpr value, int64_t most, const Twine &text) {
  require(getAffineConstantExpr(most, context) - value, /*equality=*/false, text);
}

void Conditions::requireEqual(AffineExpr a, AffineExpr b, const Twine &text) {
  require(a - b, /*equality=*/true, text);
}

void Conditions::requireMultiple(AffineExpr value, int64_t divisor, const Twine &text) {
  require(value % divisor, /*equality=*/true, text);
}

void Conditions::append(const Conditions &others) {
  if (broken.empty())
    broken = others.broken;
  list.append(others.without(*this).list);
}

Conditions Conditions::without(const Conditions &others) const {
  Conditions rest(context);
  rest.list = llvm::filter_to_vector(list, [&](const Condition &condition) {
    return llvm::none_of(others.list, [&](const Condition &other) { return other.sameSet(condition); });
  });
  return rest;
}

SmallVector<tile::ConditionAttr> Conditions::get(unsigned symbols) const {
  return llvm::map_to_vector(list, [&](const Condition &condition) {
    auto set = IntegerSet::get(0, symbols, {condition.expr}, {condition.equality});
    return tile::ConditionAttr::get(context, condition.text, set);
  });
}

} // namespace lowp
