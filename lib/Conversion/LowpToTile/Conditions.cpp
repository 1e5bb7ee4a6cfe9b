// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preconditions as integer sets over the arguments' symbols. Affine simplification decides what is statically
// true: it folds constants and knows the divisors of products, so "64 * s mod 16 = 0" vanishes here.
#include "Conditions.h"

using namespace mlir;

namespace lowp {

void Conditions::require(AffineExpr expr, bool equality, const Twine &text) {
  expr = simplifyAffineExpr(expr, 0, symbols);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    bool holds = equality ? constant.getValue() == 0 : constant.getValue() >= 0;
    if (!holds && broken.empty())
      broken = text.str();
    return;
  }
  auto condition =
      tile::ConditionAttr::get(context, text.str(), IntegerSet::get(0, symbols, {expr}, {equality}));
  if (!llvm::is_contained(list, condition))
    list.push_back(condition);
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
  list.append(others.without(*this));
}

SmallVector<tile::ConditionAttr> Conditions::without(const Conditions &others) const {
  return llvm::filter_to_vector(list, [&](tile::ConditionAttr condition) {
    return llvm::none_of(others.list,
                         [&](tile::ConditionAttr other) { return other.getSet() == condition.getSet(); });
  });
}

} // namespace lowp
