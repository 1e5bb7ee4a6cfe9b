// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elimination that remembers which columns made each pivot. Columns are taken in order and a dependent one is
// dropped, so solutions use the earliest columns that span the image.

#include "LinearMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace lowp;

void LinearMap::reduce(Pivot &row, llvm::ArrayRef<Pivot> by) {
  // A pivot holds no highest bit of an earlier pivot, so one sweep in order clears them all.
  for (const Pivot &pivot : by)
    if (row.vector >> llvm::Log2_64(pivot.vector) & 1) {
      row.vector ^= pivot.vector;
      row.columns ^= pivot.columns;
    }
}

LinearMap::LinearMap(llvm::ArrayRef<uint64_t> columns) {
  for (auto [index, column] : llvm::enumerate(columns)) {
    Pivot row{column, uint64_t(1) << index};
    reduce(row, pivots);
    if (row.vector)
      pivots.push_back(row);
  }
}

std::optional<uint64_t> LinearMap::solve(uint64_t target) const {
  Pivot row{target, 0};
  reduce(row, pivots);
  if (row.vector)
    return std::nullopt;
  return row.columns;
}
