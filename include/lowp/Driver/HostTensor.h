// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor in the memory of the host, as an entry's caller holds it: packed or with strides, at any byte of
// an allocation. Bytes outside the elements (between rows, before the first one) are the caller's; kernels
// must neither use nor change them, so verification fills them with 0xff, which is NaN in most formats.
#ifndef LOWP_DRIVER_HOSTTENSOR_H
#define LOWP_DRIVER_HOSTTENSOR_H

#include "lowp/Numerics/Matrix.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>
#include <vector>

namespace lowp {

struct HostTensor {
  /// What the tensors of one run may need together.
  static constexpr int64_t maxBytes = int64_t(1) << 34;

  std::string name; ///< as in the manifest
  Format format = Format::F32;
  llvm::SmallVector<int64_t, 3> shape;
  /// Of every dimension but the innermost, in elements. Empty: packed, row-major, each row on a whole byte.
  llvm::SmallVector<int64_t, 2> strides;
  std::vector<uint8_t> bytes; ///< the whole allocation
  uint64_t offset = 0;        ///< where element 0 lies in it: the misalignment of the pointer

  uint8_t *data() { return bytes.data() + offset; }
  const uint8_t *data() const { return bytes.data() + offset; }

  /// Tensors of rank 0 and 1 are one row; rank 3 is a batch of matrices.
  MatrixLayout layout() const;
  MatrixView view() const { return {layout(), data()}; }
  int64_t elements() const;
  /// By coordinates, outermost first.
  double value(llvm::ArrayRef<int64_t> coordinates) const;

  /// Makes an allocation of just the bytes needed, every one of them `filling`.
  void allocate(uint64_t misalignment = 0, uint8_t filling = 0xff);
  /// The first byte that is no part of an element and differs from `filling`; -1 if there is none.
  int64_t firstChangedPadding(uint8_t filling = 0xff) const;
};

} // namespace lowp

#endif // LOWP_DRIVER_HOSTTENSOR_H
