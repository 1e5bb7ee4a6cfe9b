// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products with matrix instructions: each wave one tile of D = A B^T, A and B row by row. The numbers that a lane holds are
// those of "Matrix arithmetic instructions" of the CDNA3 and CDNA4 ISA manuals.
#include "device.h"

// A 16 x 16 tile: lane l has row l % 16 of A and of B, from k = part * (l / 16) on.
#define TILE16(name, T, V, part, K, R, R4, MFMA)                                                   \
  GROUP_OF(64) kernel void name(global const T *a, global const T *b, global R *d, uint n, uint k) { \
    uint row = GROUP_ID(y) * 16, column = GROUP_ID(x) * 16, at = part * (lane() / 16);             \
    R4 acc = 0;                                                                                    \
    for (uint i = 0; i < k; i += K) {                                                              \
      V x = *(global const V *)(a + (row + lane() % 16) * k + i + at);                             \
      V y = *(global const V *)(b + (column + lane() % 16) * k + i + at);                          \
      acc = MFMA;                                                                                  \
    }                                                                                              \
    for (uint r = 0; r < 4; ++r)                                                                   \
      d[(row + 4 * (lane() / 16) + r) * n + column + lane() % 16] = acc[r];                        \
  }
// A 32 x 32 tile: lane l has row l % 32, from k = part * (l / 32) on.
#define TILE32(name, T, V, part, K, R, R16, MFMA)                                                  \
  GROUP_OF(64) kernel void name(global const T *a, global const T *b, global R *d, uint n, uint k) { \
    uint row = GROUP_ID(y) * 32, column = GROUP_ID(x) * 32, at = part * (lane() / 32);             \
    R16 acc = 0;                                                                                   \
    for (uint i = 0; i < k; i += K) {                                                              \
      V x = *(global const V *)(a + (row + lane() % 32) * k + i + at);                             \
      V y = *(global const V *)(b + (column + lane() % 32) * k + i + at);                          \
      acc = MFMA;                                                                                  \
    }                                                                                              \
    for (uint r = 0; r < 16; ++r)                                                                  \
      d[(row + 8 * (r / 4) + 4 * (lane() / 32) + r % 4) * n + column + lane() % 32] = acc[r];      \
  }
TILE16(f32_16, float, float, 1, 4, float, float4, __builtin_amdgcn_mfma_f32_16x16x4f32(x, y, acc, 0, 0, 0))
TILE16(f16_16, half, half4, 4, 16, float, float4, __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, acc, 0, 0, 0))
TILE32(f16_32, half, half4, 4, 8, float, float16, __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc, 0, 0, 0))
TILE16(bf16_16, short, short4, 4, 16, float, float4, __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(x, y, acc, 0, 0, 0))
TILE32(bf16_32, short, short4, 4, 8, float, float16, __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(x, y, acc, 0, 0, 0))
TILE16(fp8_16, char, long, 8, 32, float, float4, __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(x, y, acc, 0, 0, 0))
TILE32(fp8_32, char, long, 8, 16, float, float16, __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(x, y, acc, 0, 0, 0))
TILE16(fp8_bf8_16, char, long, 8, 32, float, float4, __builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8(x, y, acc, 0, 0, 0))
TILE16(i8_16, char, long, 8, 32, int, int4, __builtin_amdgcn_mfma_i32_16x16x32_i8(x, y, acc, 0, 0, 0))
TILE32(i8_32, char, long, 8, 16, int, int16, __builtin_amdgcn_mfma_i32_32x32x16_i8(x, y, acc, 0, 0, 0))
#ifdef __gfx942__
TILE16(xf32_16, float, float2, 2, 8, float, float4, __builtin_amdgcn_mfma_f32_16x16x8_xf32(x, y, acc, 0, 0, 0))
#endif
#ifdef __gfx950__
typedef __bf16 bf8 __attribute__((ext_vector_type(8)));
TILE16(f16_16_wide, half, half8, 8, 32, float, float4, __builtin_amdgcn_mfma_f32_16x16x32_f16(x, y, acc, 0, 0, 0))
TILE32(f16_32_wide, half, half8, 8, 16, float, float16, __builtin_amdgcn_mfma_f32_32x32x16_f16(x, y, acc, 0, 0, 0))
TILE16(bf16_16_wide, short, bf8, 8, 32, float, float4, __builtin_amdgcn_mfma_f32_16x16x32_bf16(x, y, acc, 0, 0, 0))
TILE16(i8_16_wide, char, int4, 16, 64, int, int4, __builtin_amdgcn_mfma_i32_16x16x64_i8(x, y, acc, 0, 0, 0))

// Scaled products: a scale byte for 32 elements of a row; scales row by row, k / 32 in each.
GROUP_OF(64) kernel void mx_fp8(global const char *a, global const char *b, global const uchar *sa,
                                global const uchar *sb, global float *d, uint n, uint k) {
  uint row = GROUP_ID(y) * 16 + lane() % 16, column = GROUP_ID(x) * 16 + lane() % 16, group = lane() / 16;
  float4 acc = 0;
  for (uint i = 0; i < k; i += 128) {
    int8 x, y;
    x.lo = *(global const int4 *)(a + row * k + i + 16 * group);
    x.hi = *(global const int4 *)(a + row * k + i + 64 + 16 * group);
    y.lo = *(global const int4 *)(b + column * k + i + 16 * group);
    y.hi = *(global const int4 *)(b + column * k + i + 64 + 16 * group);
    acc = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(x, y, acc, 0, 0, 0, sa[row * (k / 32) + i / 32 + group], 0,
                                                           sb[column * (k / 32) + i / 32 + group]);
  }
  for (uint r = 0; r < 4; ++r)
    d[(GROUP_ID(y) * 16 + 4 * group + r) * n + column] = acc[r];
}
// FP4, two in a byte; the scales of a lane are in byte 2 of their registers.
GROUP_OF(64) kernel void mx_fp4(global const char *a, global const char *b, global const uchar *sa,
                                global const uchar *sb, global float *d, uint n, uint k) {
  uint row = GROUP_ID(y) * 16 + lane() % 16, column = GROUP_ID(x) * 16 + lane() % 16, group = lane() / 16;
  float4 acc = 0;
  for (uint i = 0; i < k; i += 128) {
    int8 x = 0, y = 0;
    x.lo = *(global const int4 *)(a + (row * k + i) / 2 + 16 * group);
    y.lo = *(global const int4 *)(b + (column * k + i) / 2 + 16 * group);
    acc = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(
        x, y, acc, 4, 4, 2, sa[row * (k / 32) + i / 32 + group] << 16, 2, sb[column * (k / 32) + i / 32 + group] << 16 | 0x7f);
  }
  for (uint r = 0; r < 4; ++r)
    d[(GROUP_ID(y) * 16 + 4 * group + r) * n + column] = acc[r];
}
#endif
