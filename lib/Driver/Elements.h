// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of one SSA value over a selection of coordinates, and the element-wise operations on them. What
// is the same everywhere (constants, scalars) is stored once.
#ifndef LOWP_LIB_DRIVER_ELEMENTS_H
#define LOWP_LIB_DRIVER_ELEMENTS_H

#include "lowp/Numerics/Bound.h"
#include "mlir/IR/Operation.h"
#include <variant>
#include <vector>

namespace lowp {

/// Floats are sets of values, integers (and indices) exact and sign extended, i1 may be unknown.
struct Elements {
  std::variant<std::vector<Approx>, std::vector<int64_t>, std::vector<Truth>> data;

  bool isFloat() const { return data.index() == 0; }
  bool isInteger() const { return data.index() == 1; }
  bool isTruth() const { return data.index() == 2; }
  size_t size() const {
    return std::visit([](const auto &list) { return list.size(); }, data);
  }
  template <typename T> const T &at(size_t i) const {
    const std::vector<T> &list = std::get<std::vector<T>>(data);
    return list[list.size() == 1 ? 0 : i];
  }
  /// Element i of the new list is element index[i] of this one.
  Elements gather(const std::vector<size_t> &index) const;

  template <typename T> static Elements uniform(T value) { return {std::vector<T>{value}}; }
};

/// The elements of a number as an attribute (FloatAttr, IntegerAttr) of the given element type.
mlir::FailureOr<Elements> constantElement(mlir::Operation *op, mlir::Attribute value);

/// One element-wise operation of arith or math, or lowp.cast, on scalars or tensors alike.
mlir::FailureOr<Elements> applyElementwise(mlir::Operation *op, llvm::ArrayRef<const Elements *> operands);

} // namespace lowp

#endif // LOWP_LIB_DRIVER_ELEMENTS_H
