// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels for any host, and the choice.

#include "MfmaKernels.h"
#include "Half.h"

using namespace lowp::sim;

namespace {

template <class T> void dot(const T *a, const T *b, T *d, unsigned size, unsigned k) {
  for (unsigned i = 0; i < size; ++i)
    for (unsigned n = 0; n < k; ++n) {
      T left = a[n * size + i];
      for (unsigned j = 0; j < size; ++j)
        d[i * size + j] += left * b[n * size + j];
    }
}

void dotFloat(const float *a, const float *b, const uint32_t *const *c, uint32_t *const *d, unsigned size,
              unsigned k, bool) {
  for (unsigned i = 0; i < size; ++i) {
    float row[32];
    for (unsigned j = 0; j < size; ++j)
      row[j] = asFloat(c[i][j]);
    for (unsigned n = 0; n < k; ++n) {
      float left = a[n * size + i];
      for (unsigned j = 0; j < size; ++j)
        row[j] += left * b[n * size + j];
    }
    for (unsigned j = 0; j < size; ++j)
      d[i][j] = row[j] == row[j] ? asBits(row[j]) : matrixNan;
  }
}

float decodeNarrow(const NarrowCodec &codec, uint32_t code) {
  uint32_t magnitude = code & codec.magnitudeMask, sign = (code ^ magnitude) << codec.signShift;
  uint32_t bits = magnitude < codec.firstNormal ? asBits(codec.subnormals[magnitude & 7])
                                                : (magnitude << codec.mantissaShift) + codec.exponentAdd;
  if (magnitude >= codec.firstSpecial)
    bits |= 0x7f800000;
  if (code == codec.nanCode)
    bits |= 0x7fc00000;
  return asFloat(bits | sign);
}

/// Elements one by one: value(code) for each.
template <unsigned FixedBits, class T, class Decode>
void unpack(unsigned bits, const TileShape &shape, const uint32_t (*registers)[64], T *tile, Decode decode) {
  if (FixedBits)
    bits = FixedBits;
  uint32_t mask = (1u << bits) - 1;
  for (unsigned set = 0; set < 64 / shape.size; ++set)
    for (unsigned j = 0; j < shape.elements; ++j) {
      unsigned bit = j * bits, shift = bit % 32;
      const uint32_t *low = registers[bit / 32] + set * shape.size;
      const uint32_t *high = shift + bits > 32 ? low + 64 : low;
      T *to = tile + (shape.row(set, j / shape.run * shape.run) + j % shape.run) * shape.size;
      for (unsigned row = 0; row < shape.size; ++row)
        to[row] = decode(uint32_t((uint64_t(high[row]) << 32 | low[row]) >> shift) & mask);
    }
}

template <class T>
void narrow(const NarrowCodec &codec, const TileShape &shape, const uint32_t (*registers)[64], T *tile) {
  unpack<0>(codec.bits, shape, registers, tile, [&](uint32_t code) { return decodeNarrow(codec, code); });
}

template <class T> void half(bool bf16, const TileShape &shape, const uint32_t (*registers)[64], T *tile) {
  if (bf16)
    unpack<16>(16, shape, registers, tile, [](uint32_t code) { return asFloat(code << 16); });
  else
    unpack<16>(16, shape, registers, tile, [](uint32_t code) { return toFloat(Half{uint16_t(code)}); });
}

} // namespace

const MatrixKernels &lowp::sim::portableKernels() {
  static constexpr MatrixKernels kernels = {"portable",    dotFloat,       dot<double>, dot<uint32_t>,
                                            narrow<float>, narrow<double>, half<float>, half<double>};
  return kernels;
}

const MatrixKernels &lowp::sim::hostKernels() {
  static const MatrixKernels &kernels = avx2Kernels() ? *avx2Kernels() : portableKernels();
  return kernels;
}
