// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear algebra over F2 on machine words: a vector is a 64-bit word, addition is xor. A matrix is its list
// of columns.
#ifndef LOWP_LIB_LAYOUT_LINEARMAP_H
#define LOWP_LIB_LAYOUT_LINEARMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace lowp {

/// Gaussian elimination of a matrix of at most 64 columns, kept for solving.
class LinearMap {
public:
  explicit LinearMap(llvm::ArrayRef<uint64_t> columns);

  unsigned rank() const { return pivots.size(); }
  /// A set of columns (bit i = column i) whose sum is `target`; columns that depend on earlier ones are never
  /// used.
  std::optional<uint64_t> solve(uint64_t target) const;

private:
  struct Pivot {
    uint64_t vector;  ///< no later pivot holds its highest bit
    uint64_t columns; ///< the columns whose sum it is
  };
  static void reduce(Pivot &row, llvm::ArrayRef<Pivot> by);
  llvm::SmallVector<Pivot, 16> pivots;
};

} // namespace lowp

#endif // LOWP_LIB_LAYOUT_LINEARMAP_H
