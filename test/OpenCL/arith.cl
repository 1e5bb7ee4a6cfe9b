// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer and floating-point arithmetic of every width, one kernel an operation.
#include "device.h"

#define UNARY(name, R, T, expression)                                                              \
  kernel void name(global const T *in, global R *out) {                                            \
    T a = in[GLOBAL_ID(x)];                                                                        \
    out[GLOBAL_ID(x)] = expression;                                                                \
  }
#define BINARY(name, R, T, expression)                                                             \
  kernel void name(global const T *in, global const T *in2, global R *out) {                       \
    T a = in[GLOBAL_ID(x)], b = in2[GLOBAL_ID(x)];                                                 \
    out[GLOBAL_ID(x)] = expression;                                                                \
  }
#define TERNARY(name, T, expression)                                                               \
  kernel void name(global const T *in, global const T *in2, global const T *in3, global T *out) {  \
    T a = in[GLOBAL_ID(x)], b = in2[GLOBAL_ID(x)], c = in3[GLOBAL_ID(x)];                          \
    out[GLOBAL_ID(x)] = expression;                                                                \
  }
#define INTEGERS(t, T)                                                                             \
  BINARY(t##_add, T, T, a + b)                                                                     \
  BINARY(t##_sub, T, T, a - b)                                                                     \
  BINARY(t##_mul, T, T, a *b)                                                                      \
  BINARY(t##_div, T, T, a / b)                                                                     \
  BINARY(t##_mod, T, T, a % b)                                                                     \
  BINARY(t##_shl, T, T, (T)(a << (b & (sizeof(T) * 8 - 1))))                                       \
  BINARY(t##_shr, T, T, (T)(a >> (b & (sizeof(T) * 8 - 1))))                                       \
  BINARY(t##_less, int, T, a < b)                                                                  \
  BINARY(t##_min, T, T, __builtin_elementwise_min(a, b))                                           \
  BINARY(t##_max, T, T, __builtin_elementwise_max(a, b))                                           \
  BINARY(t##_add_sat, T, T, __builtin_elementwise_add_sat(a, b))                                   \
  BINARY(t##_sub_sat, T, T, __builtin_elementwise_sub_sat(a, b))                                   \
  UNARY(t##_bits, T, T, __builtin_elementwise_popcount(a))                                         \
  UNARY(t##_reverse, T, T, __builtin_elementwise_bitreverse(a))
INTEGERS(i8, char)
INTEGERS(u8, uchar)
INTEGERS(i16, short)
INTEGERS(u16, ushort)
INTEGERS(i32, int)
INTEGERS(u32, uint)
INTEGERS(i64, long)
INTEGERS(u64, ulong)
UNARY(u32_clz, uint, uint, __builtin_clz(a | 1))
UNARY(u32_ctz, uint, uint, __builtin_ctz(a | 0x80000000))
UNARY(u64_clz, ulong, ulong, __builtin_clzl(a | 1))
UNARY(u64_ctz, ulong, ulong, __builtin_ctzl(a | 0x8000000000000000))
BINARY(u32_mul_high, uint, uint, (uint)(((ulong)a * b) >> 32))
BINARY(i32_mul_high, int, int, (int)(((long)a * b) >> 32))
BINARY(i32_mul_wide, long, int, (long)a *b)
UNARY(i32_abs, int, int, a < 0 ? -a : a)

#define FLOATS(t, T, SQRT, FMA, MIN, MAX)                                                          \
  BINARY(t##_add, T, T, a + b)                                                                     \
  BINARY(t##_sub, T, T, a - b)                                                                     \
  BINARY(t##_mul, T, T, a *b)                                                                      \
  BINARY(t##_div, T, T, a / b)                                                                     \
  UNARY(t##_sqrt, T, T, SQRT(a))                                                                   \
  TERNARY(t##_fma, T, FMA(a, b, c))                                                                \
  BINARY(t##_min, T, T, MIN(a, b))                                                                 \
  BINARY(t##_max, T, T, MAX(a, b))                                                                 \
  BINARY(t##_less, int, T, a < b)                                                                  \
  BINARY(t##_equal, int, T, a == b)                                                                \
  BINARY(t##_unordered, int, T, __builtin_isunordered(a, b))                                       \
  UNARY(t##_negabs, T, T, -__builtin_elementwise_abs(a))                                           \
  UNARY(t##_floor, T, T, __builtin_elementwise_floor(a))                                           \
  UNARY(t##_ceil, T, T, __builtin_elementwise_ceil(a))                                             \
  UNARY(t##_trunc, T, T, __builtin_elementwise_trunc(a))                                           \
  UNARY(t##_rint, T, T, __builtin_elementwise_roundeven(a))                                        \
  BINARY(t##_copysign, T, T, __builtin_elementwise_copysign(a, b))
FLOATS(f16, half, __builtin_sqrtf16, __builtin_fmaf16, __builtin_fminf16, __builtin_fmaxf16)
FLOATS(f32, float, __builtin_sqrtf, __builtin_fmaf, __builtin_fminf, __builtin_fmaxf)
FLOATS(f64, double, __builtin_sqrt, __builtin_fma, __builtin_fmin, __builtin_fmax)

UNARY(f16_to_f32, float, half, a)
UNARY(f16_to_f64, double, half, a)
UNARY(f32_to_f16, half, float, a)
UNARY(f32_to_f64, double, float, a)
UNARY(f64_to_f32, float, double, a)
UNARY(f64_to_f16, half, double, a)
UNARY(i16_to_f16, half, short, a)
UNARY(i32_to_f32, float, int, a)
UNARY(u32_to_f32, float, uint, a)
UNARY(i64_to_f32, float, long, a)
UNARY(u64_to_f32, float, ulong, a)
UNARY(i32_to_f64, double, int, a)
UNARY(u32_to_f64, double, uint, a)
UNARY(i64_to_f64, double, long, a)
UNARY(u64_to_f64, double, ulong, a)
UNARY(f16_to_i16, short, half, a)
UNARY(f32_to_i32, int, float, a)
UNARY(f32_to_u32, uint, float, a)
UNARY(f32_to_i64, long, float, a)
UNARY(f32_to_u64, ulong, float, a)
UNARY(f64_to_i32, int, double, a)
UNARY(f64_to_u32, uint, double, a)
UNARY(f64_to_i64, long, double, a)
UNARY(f64_to_u64, ulong, double, a)

// Vectors: packed instructions.
BINARY(half4_add, half4, half4, a + b)
TERNARY(half4_fma, half4, __builtin_elementwise_fma(a, b, c))
BINARY(short4_mul, short4, short4, a *b)
BINARY(ushort4_max, ushort4, ushort4, __builtin_elementwise_max(a, b))
BINARY(short4_add_sat, short4, short4, __builtin_elementwise_add_sat(a, b))
BINARY(uchar4_sub, uchar4, uchar4, a - b)
TERNARY(float4_fma, float4, __builtin_elementwise_fma(a, b, c))
