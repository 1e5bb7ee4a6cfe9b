// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the elements of a tensor lie. Strides count elements here and bits below (MatrixLayout), because a
// packed row of a sub-byte format need not be a whole number of elements long.
#include "lowp/Driver/HostTensor.h"

#include <cstring>

using namespace lowp;

MatrixLayout HostTensor::layout() const {
  size_t rank = shape.size();
  MatrixLayout layout;
  layout.format = format;
  layout.cols = rank > 0 ? shape[rank - 1] : 1;
  layout.rows = rank > 1 ? shape[rank - 2] : 1;
  layout.batches = 1;
  for (size_t dim = 0; dim + 2 < rank; ++dim)
    layout.batches *= shape[dim];
  int64_t width = bitWidth(format);
  layout.colBits = width;
  layout.rowBits = (layout.cols * width + 7) / 8 * 8;
  if (!strides.empty() && rank > 1)
    layout.rowBits = strides[rank - 2] * width;
  layout.batchBits = layout.rows * layout.rowBits;
  if (!strides.empty() && rank > 2)
    layout.batchBits = strides[rank - 3] * width;
  return layout;
}

int64_t HostTensor::elements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

double HostTensor::value(llvm::ArrayRef<int64_t> coordinates) const {
  size_t rank = coordinates.size();
  MatrixView matrix = view();
  return matrix.value(rank > 2 ? coordinates[rank - 3] : 0, rank > 1 ? coordinates[rank - 2] : 0,
                      rank > 0 ? coordinates[rank - 1] : 0);
}

void HostTensor::allocate(uint64_t misalignment, uint8_t filling) {
  offset = misalignment;
  bytes.assign(misalignment + layout().spanBytes(), filling);
}

int64_t HostTensor::firstChangedPadding(uint8_t filling) const {
  MatrixLayout matrix = layout();
  std::vector<bool> owned(bytes.size());
  for (int64_t batch = 0; batch < matrix.batches; ++batch)
    for (int64_t row = 0; row < matrix.rows; ++row) {
      int64_t first = matrix.bitOffset(batch, row, 0), last = first + matrix.cols * matrix.colBits;
      for (int64_t byte = first / 8; byte < (last + 7) / 8; ++byte)
        owned[offset + byte] = true;
    }
  for (size_t byte = 0; byte < bytes.size(); ++byte)
    if (!owned[byte] && bytes[byte] != filling)
      return byte;
  return -1;
}
