// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels for x86-64 hosts with AVX2, FMA and F16C, chosen at run time. Products: blocks of four rows and
// two vectors of columns stay in registers over the whole of k. Narrow formats are decoded by shifts and one
// permutation for the subnormals, eight lanes at a time. Every function carries the target attribute, so that
// nothing of this file is used by accident on other hosts.

#include "MfmaKernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

using namespace lowp::sim;

#define LOWP_AVX2 __attribute__((target("avx2,fma,f16c")))
#define LOWP_AVX2_INLINE_MEMBER __attribute__((target("avx2,fma,f16c"), always_inline)) inline
#define LOWP_AVX2_INLINE static LOWP_AVX2_INLINE_MEMBER

namespace {

LOWP_AVX2_INLINE __m256 load(const float *p) { return _mm256_loadu_ps(p); }
LOWP_AVX2_INLINE __m256d load(const double *p) { return _mm256_loadu_pd(p); }
LOWP_AVX2_INLINE __m256i load(const uint32_t *p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p));
}
LOWP_AVX2_INLINE void store(float *p, __m256 x) { _mm256_storeu_ps(p, x); }
LOWP_AVX2_INLINE void store(double *p, __m256d x) { _mm256_storeu_pd(p, x); }
LOWP_AVX2_INLINE void store(uint32_t *p, __m256i x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(p), x);
}
LOWP_AVX2_INLINE __m256 splat(float x) { return _mm256_set1_ps(x); }
LOWP_AVX2_INLINE __m256d splat(double x) { return _mm256_set1_pd(x); }
LOWP_AVX2_INLINE __m256i splat(uint32_t x) { return _mm256_set1_epi32(int(x)); }
template <bool Fused> LOWP_AVX2_INLINE __m256 step(__m256 a, __m256 b, __m256 c) {
  return Fused ? _mm256_fmadd_ps(a, b, c) : _mm256_add_ps(_mm256_mul_ps(a, b), c);
}
template <bool Fused> LOWP_AVX2_INLINE __m256d step(__m256d a, __m256d b, __m256d c) {
  return _mm256_fmadd_pd(a, b, c);
}
template <bool Fused> LOWP_AVX2_INLINE __m256i step(__m256i a, __m256i b, __m256i c) {
  return _mm256_add_epi32(_mm256_mullo_epi32(a, b), c);
}

/// Rows that lie side by side, or anywhere.
template <unsigned Size, class T> struct SideBySide {
  T *rows;
  LOWP_AVX2_INLINE_MEMBER auto get(unsigned i, unsigned j) const { return load(rows + i * Size + j); }
  template <class V> LOWP_AVX2_INLINE_MEMBER void put(unsigned i, unsigned j, V x) const {
    store(rows + i * Size + j, x);
  }
};
struct AnyRows {
  const uint32_t *const *from;
  uint32_t *const *to;
  LOWP_AVX2_INLINE_MEMBER __m256 get(unsigned i, unsigned j) const {
    return _mm256_castsi256_ps(load(from[i] + j));
  }
  LOWP_AVX2_INLINE_MEMBER void put(unsigned i, unsigned j, __m256 x) const {
    __m256 nan = _mm256_cmp_ps(x, x, _CMP_UNORD_Q);
    x = _mm256_blendv_ps(x, _mm256_castsi256_ps(splat(matrixNan)), nan);
    store(to[i] + j, _mm256_castps_si256(x));
  }
};

template <unsigned Size, bool Fused, class T, class Rows>
LOWP_AVX2 void dotBlocks(const T *a, const T *b, Rows d, unsigned k) {
  using V = decltype(load(a));
  constexpr unsigned width = sizeof(V) / sizeof(T), rows = 4;
  for (unsigned j = 0; j < Size; j += 2 * width)
    for (unsigned i = 0; i < Size; i += rows) {
      V acc[rows][2];
      for (unsigned r = 0; r < rows; ++r)
        for (unsigned c = 0; c < 2; ++c)
          acc[r][c] = d.get(i + r, j + c * width);
      for (unsigned n = 0; n < k; ++n) {
        V row0 = load(b + n * Size + j), row1 = load(b + n * Size + j + width);
        for (unsigned r = 0; r < rows; ++r) {
          V left = splat(a[n * Size + i + r]);
          acc[r][0] = step<Fused>(left, row0, acc[r][0]);
          acc[r][1] = step<Fused>(left, row1, acc[r][1]);
        }
      }
      for (unsigned r = 0; r < rows; ++r)
        for (unsigned c = 0; c < 2; ++c)
          d.put(i + r, j + c * width, acc[r][c]);
    }
}

LOWP_AVX2 void dotFloat(const float *a, const float *b, const uint32_t *const *c, uint32_t *const *d,
                        unsigned size, unsigned k, bool exact) {
  AnyRows rows = {c, d};
  if (size == 16)
    return exact ? dotBlocks<16, true>(a, b, rows, k) : dotBlocks<16, false>(a, b, rows, k);
  if (size == 32)
    return exact ? dotBlocks<32, true>(a, b, rows, k) : dotBlocks<32, false>(a, b, rows, k);
  portableKernels().dotFloat(a, b, c, d, size, k, exact);
}
LOWP_AVX2 void dotDouble(const double *a, const double *b, double *d, unsigned size, unsigned k) {
  if (size == 16)
    return dotBlocks<16, true>(a, b, SideBySide<16, double>{d}, k);
  if (size == 32)
    return dotBlocks<32, true>(a, b, SideBySide<32, double>{d}, k);
  portableKernels().dotDouble(a, b, d, size, k);
}
LOWP_AVX2 void dotInt(const uint32_t *a, const uint32_t *b, uint32_t *d, unsigned size, unsigned k) {
  if (size == 16)
    return dotBlocks<16, false>(a, b, SideBySide<16, uint32_t>{d}, k);
  if (size == 32)
    return dotBlocks<32, false>(a, b, SideBySide<32, uint32_t>{d}, k);
  portableKernels().dotInt(a, b, d, size, k);
}

LOWP_AVX2_INLINE void put(float *to, __m256 x) { _mm256_storeu_ps(to, x); }
LOWP_AVX2_INLINE void put(double *to, __m256 x) {
  _mm256_storeu_pd(to, _mm256_cvtps_pd(_mm256_castps256_ps128(x)));
  _mm256_storeu_pd(to + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
}

struct Decoder {
  __m256i magnitudeMask, exponentAdd, lastSubnormal, lastFinite, nanCode;
  __m128i mantissaShift, signShift;
  __m256 subnormals;
};

LOWP_AVX2_INLINE __m256 decode(const Decoder &c, __m256i code) {
  __m256i magnitude = _mm256_and_si256(code, c.magnitudeMask);
  __m256i sign = _mm256_sll_epi32(_mm256_xor_si256(code, magnitude), c.signShift);
  __m256 small = _mm256_permutevar8x32_ps(c.subnormals, magnitude);
  __m256i normal = _mm256_add_epi32(_mm256_sll_epi32(magnitude, c.mantissaShift), c.exponentAdd);
  __m256i isNormal = _mm256_cmpgt_epi32(magnitude, c.lastSubnormal);
  __m256i special = _mm256_and_si256(_mm256_cmpgt_epi32(magnitude, c.lastFinite), splat(0x7f800000u));
  __m256i nan = _mm256_and_si256(_mm256_cmpeq_epi32(code, c.nanCode), splat(0x7fc00000u));
  __m256i value = _mm256_blendv_epi8(_mm256_castps_si256(small), normal, isNormal);
  value = _mm256_or_si256(_mm256_or_si256(value, sign), _mm256_or_si256(special, nan));
  return _mm256_castsi256_ps(value);
}

template <unsigned Bits, class T>
LOWP_AVX2 void narrowBits(const Decoder &decoder, const TileShape &shape, const uint32_t (*registers)[64],
                          T *tile) {
  unsigned size = shape.size;
  const __m256i mask = splat((1u << Bits) - 1);
  for (unsigned set = 0; set < 64 / size; ++set)
    for (unsigned first = 0; first < shape.elements; first += shape.run) {
      T *to = tile + shape.row(set, first) * size;
      for (unsigned j = first; j < first + shape.run; ++j, to += size) {
        unsigned bit = j * Bits, shift = bit % 32;
        const uint32_t *from = registers[bit / 32] + set * size;
        for (unsigned lane = 0; lane < size; lane += 8) {
          __m256i code = _mm256_srl_epi32(load(from + lane), _mm_cvtsi32_si128(int(shift)));
          if (32 % Bits != 0 && shift + Bits > 32)
            code = _mm256_or_si256(
                code, _mm256_sll_epi32(load(from + 64 + lane), _mm_cvtsi32_si128(int(32 - shift))));
          put(to + lane, decode(decoder, _mm256_and_si256(code, mask)));
        }
      }
    }
}

template <class T>
LOWP_AVX2 void narrow(const NarrowCodec &codec, const TileShape &shape, const uint32_t (*registers)[64],
                      T *tile) {
  Decoder decoder;
  decoder.magnitudeMask = splat(codec.magnitudeMask);
  decoder.exponentAdd = splat(codec.exponentAdd);
  decoder.lastSubnormal = splat(codec.firstNormal - 1);
  decoder.lastFinite = splat(codec.firstSpecial - 1);
  decoder.nanCode = splat(codec.nanCode);
  decoder.mantissaShift = _mm_cvtsi32_si128(int(codec.mantissaShift));
  decoder.signShift = _mm_cvtsi32_si128(int(codec.signShift));
  decoder.subnormals = _mm256_loadu_ps(codec.subnormals);
  if (codec.bits == 8)
    return narrowBits<8>(decoder, shape, registers, tile);
  if (codec.bits == 6)
    return narrowBits<6>(decoder, shape, registers, tile);
  narrowBits<4>(decoder, shape, registers, tile);
}

template <class T>
LOWP_AVX2 void half(bool bf16, const TileShape &shape, const uint32_t (*registers)[64], T *tile) {
  unsigned size = shape.size;
  const __m256i lowHalf = splat(0xffffu);
  for (unsigned set = 0; set < 64 / size; ++set)
    for (unsigned first = 0; first < shape.elements; first += shape.run) {
      T *to = tile + shape.row(set, first) * size;
      for (unsigned j = first; j < first + shape.run; j += 2, to += 2 * size) {
        const uint32_t *from = registers[j / 2] + set * size;
        for (unsigned lane = 0; lane < size; lane += 8) {
          __m256i both = load(from + lane);
          __m256i low = _mm256_and_si256(both, lowHalf), high = _mm256_srli_epi32(both, 16);
          if (bf16) {
            put(to + lane, _mm256_castsi256_ps(_mm256_slli_epi32(low, 16)));
            put(to + size + lane, _mm256_castsi256_ps(_mm256_slli_epi32(high, 16)));
            continue;
          }
          // The eight low halves, then the eight high ones.
          __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8);
          put(to + lane, _mm256_cvtph_ps(_mm256_castsi256_si128(packed)));
          put(to + size + lane, _mm256_cvtph_ps(_mm256_extracti128_si256(packed, 1)));
        }
      }
    }
}

// Blocks of 4 x 4 are too small for vectors of eight lanes.
template <class T>
void narrowAny(const NarrowCodec &codec, const TileShape &shape, const uint32_t (*registers)[64], T *tile) {
  narrow<T>(codec, shape, registers, tile);
}
template <class T> void halfAny(bool bf16, const TileShape &shape, const uint32_t (*registers)[64], T *tile) {
  if (shape.size >= 16)
    return half<T>(bf16, shape, registers, tile);
  if constexpr (sizeof(T) == 4)
    portableKernels().halfToFloat(bf16, shape, registers, tile);
  else
    portableKernels().halfToDouble(bf16, shape, registers, tile);
}

} // namespace

const MatrixKernels *lowp::sim::avx2Kernels() {
  static constexpr MatrixKernels kernels = {"avx2",         dotFloat,         dotDouble,
                                            dotInt,         narrowAny<float>, narrowAny<double>,
                                            halfAny<float>, halfAny<double>};
  static const bool has =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  return has ? &kernels : nullptr;
}

#else

const lowp::sim::MatrixKernels *lowp::sim::avx2Kernels() { return nullptr; }

#endif
