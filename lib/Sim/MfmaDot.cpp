// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most of a simulation's time is spent here. Blocks of two rows and sixteen columns stay in registers over
// the whole of k. This file may contract products and sums: products of the narrow types are exact in double
// either way.

#include "MfmaDot.h"

using namespace lowp::sim;

namespace {

template <class T> struct VectorOf;
template <> struct VectorOf<double> {
  typedef double type __attribute__((vector_size(32)));
};
template <> struct VectorOf<float> {
  typedef float type __attribute__((vector_size(32)));
};
template <> struct VectorOf<uint32_t> {
  typedef uint32_t type __attribute__((vector_size(32)));
};

template <class T, unsigned Size>
inline __attribute__((always_inline)) void dot(const T *a, const T *b, T *d, unsigned k) {
  using V = typename VectorOf<T>::type;
  constexpr unsigned width = sizeof(V) / sizeof(T), columns = 16 / width, rows = 2;
  for (unsigned j = 0; j < Size; j += 16)
    for (unsigned i = 0; i < Size; i += rows) {
      V acc[rows][columns];
      for (unsigned r = 0; r < rows; ++r)
        for (unsigned c = 0; c < columns; ++c)
          acc[r][c] = *reinterpret_cast<const V *>(d + (i + r) * Size + j + c * width);
      for (unsigned n = 0; n < k; ++n) {
        V row[columns];
        for (unsigned c = 0; c < columns; ++c)
          row[c] = *reinterpret_cast<const V *>(b + n * Size + j + c * width);
        for (unsigned r = 0; r < rows; ++r) {
          T left = a[n * Size + i + r];
          for (unsigned c = 0; c < columns; ++c)
            acc[r][c] += left * row[c];
        }
      }
      for (unsigned r = 0; r < rows; ++r)
        for (unsigned c = 0; c < columns; ++c)
          *reinterpret_cast<V *>(d + (i + r) * Size + j + c * width) = acc[r][c];
    }
}

template <class T>
inline __attribute__((always_inline)) void anySize(const T *a, const T *b, T *d, unsigned size, unsigned k) {
  if (size == 16)
    dot<T, 16>(a, b, d, k);
  else
    dot<T, 32>(a, b, d, k);
}

template <class T> void portable(const T *a, const T *b, T *d, unsigned size, unsigned k) {
  anySize(a, b, d, size, k);
}

#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2,fma"))) void withAvx2(const T *a, const T *b, T *d, unsigned size, unsigned k) {
  anySize(a, b, d, size, k);
}
bool hasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
#endif

template <class T> void dispatch(const T *a, const T *b, T *d, unsigned size, unsigned k) {
#if defined(__x86_64__)
  if (hasAvx2())
    return withAvx2(a, b, d, size, k);
#endif
  portable(a, b, d, size, k);
}

template <unsigned Size, class T>
void unpackSize(const uint32_t (*registers)[64], unsigned elements, unsigned run, const T *table, T *tile) {
  constexpr unsigned groups = 64 / Size;
  // Runs are multiples of four: the bytes of one register are consecutive k.
  for (unsigned j = 0; j < elements; j += 4)
    for (unsigned g = 0; g < groups; ++g) {
      const uint32_t *from = registers[j / 4] + g * Size;
      T *to = tile + (j / run * run * groups + g * run + j % run) * Size;
      for (unsigned row = 0; row < Size; ++row) {
        uint32_t x = from[row];
        to[row] = table[x & 0xff];
        to[Size + row] = table[x >> 8 & 0xff];
        to[2 * Size + row] = table[x >> 16 & 0xff];
        to[3 * Size + row] = table[x >> 24];
      }
    }
}

template <class T>
void unpackAny(const uint32_t (*registers)[64], unsigned elements, unsigned size, unsigned run,
               const T *table, T *tile) {
  if (size == 16)
    unpackSize<16>(registers, elements, run, table, tile);
  else
    unpackSize<32>(registers, elements, run, table, tile);
}

} // namespace

void lowp::sim::matrixDot(const double *a, const double *b, double *d, unsigned size, unsigned k) {
  dispatch(a, b, d, size, k);
}
void lowp::sim::matrixDot(const float *a, const float *b, float *d, unsigned size, unsigned k) {
  dispatch(a, b, d, size, k);
}
void lowp::sim::matrixDot(const uint32_t *a, const uint32_t *b, uint32_t *d, unsigned size, unsigned k) {
  dispatch(a, b, d, size, k);
}
void lowp::sim::unpackBytes(const uint32_t (*registers)[64], unsigned elements, unsigned size, unsigned run,
                            const double *table, double *tile) {
  unpackAny(registers, elements, size, run, table, tile);
}
void lowp::sim::unpackBytes(const uint32_t (*registers)[64], unsigned elements, unsigned size, unsigned run,
                            const float *table, float *tile) {
  unpackAny(registers, elements, size, run, table, tile);
}
