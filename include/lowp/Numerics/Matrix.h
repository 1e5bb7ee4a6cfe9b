// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices in plain memory: where an element of any format lies, and access to single elements. Strides count
// bits, because a packed row of a sub-byte format starts on a whole byte, which need not be a whole number of
// elements (5 elements of 6 bits take 4 bytes). Little-endian bit order throughout: element i of a row
// occupies the bits [i * width, (i + 1) * width), counted from bit 0 of byte 0 (FP4: low nibble first; FP6:
// four elements in three bytes).
#ifndef LOWP_NUMERICS_MATRIX_H
#define LOWP_NUMERICS_MATRIX_H

#include "lowp/Numerics/Format.h"
#include <cstdint>

namespace lowp {

/// The code of element `index` of the row that starts at `base`; touches only the bytes that hold it.
uint32_t loadCode(Format format, const uint8_t *base, int64_t index);
/// Writes the code and leaves the neighbours that share its bytes as they are.
void storeCode(Format format, uint8_t *base, int64_t index, uint32_t code);

/// The same at a bit offset, which must be a multiple of 8 for formats of 8 bits and more.
uint32_t loadCodeAtBit(Format format, const uint8_t *base, int64_t bit);
void storeCodeAtBit(Format format, uint8_t *base, int64_t bit, uint32_t code);

/// A batch of rows x cols matrices of one format, with any strides (0 and negative included).
struct MatrixLayout {
  Format format = Format::F32;
  int64_t rows = 0, cols = 0, batches = 1;
  int64_t rowBits = 0, colBits = 0, batchBits = 0; ///< distance of neighbours, in bits

  /// Row-major, each row on a whole byte; `ld` in elements, 0 for packed rows.
  static MatrixLayout rowMajor(Format format, int64_t rows, int64_t cols, int64_t ld = 0,
                               int64_t batches = 1);
  /// Column-major, each column on a whole byte.
  static MatrixLayout colMajor(Format format, int64_t rows, int64_t cols, int64_t ld = 0,
                               int64_t batches = 1);
  /// Any strides, in elements.
  static MatrixLayout strided(Format format, int64_t rows, int64_t cols, int64_t rowStride, int64_t colStride,
                              int64_t batches = 1, int64_t batchStride = 0);

  MatrixLayout transposed() const;
  int64_t bitOffset(int64_t batch, int64_t row, int64_t col) const {
    return batch * batchBits + row * rowBits + col * colBits;
  }
  /// Bytes from element (0, 0, 0) to the end of the last one, for non-negative strides; 0 if there is no
  /// element.
  int64_t spanBytes() const;
};

/// A layout with its memory, read only.
struct MatrixView {
  MatrixLayout layout;
  const uint8_t *data = nullptr; ///< element (0, 0, 0)

  MatrixView transposed() const { return {layout.transposed(), data}; }
  uint32_t code(int64_t batch, int64_t row, int64_t col) const {
    return loadCodeAtBit(layout.format, data, layout.bitOffset(batch, row, col));
  }
  double value(int64_t batch, int64_t row, int64_t col) const {
    return decode(layout.format, code(batch, row, col));
  }
};

} // namespace lowp

#endif // LOWP_NUMERICS_MATRIX_H
