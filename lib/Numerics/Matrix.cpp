// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element access by bit offset. Elements of 8 bits and more lie on whole bytes and are little-endian; smaller
// ones may straddle two bytes, of which the second is touched only if part of the element lies there: the
// last element of a buffer never reads past its end.
#include "lowp/Numerics/Matrix.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace lowp;

// numerics_n11
uint32_t lowp::loadCodeAtBit(Format format, const uint8_t *base, int64_t bit) {
  unsigned width = bitWidth(format);
  const uint8_t *byte = base + (bit >> 3);
  unsigned shift = bit & 7;
  uint32_t code = 0;
  for (unsigned i = 0; 8 * i < shift + width; ++i)
    code |= uint32_t(byte[i]) << (8 * i);
  return (code >> shift) & llvm::maskTrailingOnes<uint32_t>(width);
}

void lowp::storeCodeAtBit(Format format, uint8_t *base, int64_t bit, uint32_t code) {
  unsigned width = bitWidth(format);
  uint8_t *byte = base + (bit >> 3);
  unsigned shift = bit & 7;
  uint32_t mask = llvm::maskTrailingOnes<uint32_t>(width);
  uint32_t bits = (code & mask) << shift;
  mask <<= shift;
  for (unsigned i = 0; 8 * i < shift + width; ++i)
    byte[i] = (byte[i] & ~uint8_t(mask >> (8 * i))) | uint8_t(bits >> (8 * i));
}

uint32_t lowp::loadCode(Format format, const uint8_t *base, int64_t index) {
  return loadCodeAtBit(format, base, index * bitWidth(format));
}

void lowp::storeCode(Format format, uint8_t *base, int64_t index, uint32_t code) {
  storeCodeAtBit(format, base, index * bitWidth(format), code);
}

// numerics_n12
MatrixLayout MatrixLayout::rowMajor(Format format, int64_t rows, int64_t cols, int64_t ld, int64_t batches) {
  int64_t width = bitWidth(format);
  int64_t rowBits = (int64_t)llvm::alignTo(uint64_t((ld ? ld : cols) * width), 8);
  return {format, rows, cols, batches, rowBits, width, rows * rowBits};
}

MatrixLayout MatrixLayout::colMajor(Format format, int64_t rows, int64_t cols, int64_t ld, int64_t batches) {
  return rowMajor(format, cols, rows, ld, batches).transposed();
}

MatrixLayout MatrixLayout::strided(Format format, int64_t rows, int64_t cols, int64_t rowStride,
                                   int64_t colStride, int64_t batches, int64_t batchStride) {
  int64_t width = bitWidth(format);
  return {format, rows, cols, batches, rowStride * width, colStride * width, batchStride * width};
}

MatrixLayout MatrixLayout::transposed() const {
  return {format, cols, rows, batches, colBits, rowBits, batchBits};
}

int64_t MatrixLayout::spanBytes() const {
  if (rows <= 0 || cols <= 0 || batches <= 0)
    return 0;
  int64_t lastBit = bitOffset(batches - 1, rows - 1, cols - 1) + bitWidth(format);
  return (lastBit + 7) / 8;
}
