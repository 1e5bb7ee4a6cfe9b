// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics on global memory and LDS, with the old value returned and without. All work-items of a kernel meet in 8 cells.
#include "device.h"

#define ADD(p, v, s) __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, s)
#define SUB(p, v, s) __scoped_atomic_fetch_sub(p, v, __ATOMIC_RELAXED, s)
#define AND(p, v, s) __scoped_atomic_fetch_and(p, v, __ATOMIC_RELAXED, s)
#define OR(p, v, s) __scoped_atomic_fetch_or(p, v, __ATOMIC_RELAXED, s)
#define XOR(p, v, s) __scoped_atomic_fetch_xor(p, v, __ATOMIC_RELAXED, s)
#define MIN(p, v, s) __scoped_atomic_fetch_min(p, v, __ATOMIC_RELAXED, s)
#define MAX(p, v, s) __scoped_atomic_fetch_max(p, v, __ATOMIC_RELAXED, s)
#define SWAP(p, v, s) __scoped_atomic_exchange_n(p, v, __ATOMIC_ACQ_REL, s)
#define INC(p, v, s) __builtin_amdgcn_atomic_inc32(p, v, __ATOMIC_RELAXED, "agent")
#define DEC(p, v, s) __builtin_amdgcn_atomic_dec32(p, v, __ATOMIC_RELAXED, "agent")

#define KERNELS(name, T, OP)                                                                       \
  kernel void name##_global(global T *cells, global const T *in) {                                 \
    (void)OP(&cells[GLOBAL_ID(x) & 7], in[GLOBAL_ID(x)], __MEMORY_SCOPE_DEVICE);                   \
  }                                                                                                \
  kernel void name##_global_old(global T *cells, global const T *in, global T *old) {              \
    old[GLOBAL_ID(x)] = OP(&cells[GLOBAL_ID(x) & 7], in[GLOBAL_ID(x)], __MEMORY_SCOPE_DEVICE);     \
  }                                                                                                \
  GROUP_OF(128) kernel void name##_local(global T *cells, global const T *in) {                    \
    local T own[8];                                                                                \
    if (LOCAL_ID(x) < 8)                                                                           \
      own[LOCAL_ID(x)] = cells[LOCAL_ID(x)];                                                       \
    sync();                                                                                        \
    (void)OP(&own[LOCAL_ID(x) & 7], in[LOCAL_ID(x)], __MEMORY_SCOPE_WRKGRP);                       \
    sync();                                                                                        \
    if (LOCAL_ID(x) < 8)                                                                           \
      cells[LOCAL_ID(x)] = own[LOCAL_ID(x)];                                                       \
  }                                                                                                \
  GROUP_OF(128) kernel void name##_local_old(global T *cells, global const T *in, global T *old) { \
    local T own[8];                                                                                \
    if (LOCAL_ID(x) < 8)                                                                           \
      own[LOCAL_ID(x)] = cells[LOCAL_ID(x)];                                                       \
    sync();                                                                                        \
    old[LOCAL_ID(x)] = OP(&own[LOCAL_ID(x) & 7], in[LOCAL_ID(x)], __MEMORY_SCOPE_WRKGRP);          \
    sync();                                                                                        \
    if (LOCAL_ID(x) < 8)                                                                           \
      cells[LOCAL_ID(x)] = own[LOCAL_ID(x)];                                                       \
  }
#define BITS(name, T) KERNELS(name##_and, T, AND) KERNELS(name##_or, T, OR) KERNELS(name##_xor, T, XOR)
#define NUMBERS(name, T)                                                                           \
  KERNELS(name##_add, T, ADD) KERNELS(name##_min, T, MIN) KERNELS(name##_max, T, MAX)
NUMBERS(i32, int)
NUMBERS(u32, uint)
NUMBERS(i64, long)
NUMBERS(u64, ulong)
NUMBERS(f32, float)
NUMBERS(f64, double)
BITS(u32, uint)
BITS(u64, ulong)
KERNELS(i32_sub, int, SUB)
KERNELS(i64_sub, long, SUB)
KERNELS(u32_swap, uint, SWAP)
KERNELS(u64_swap, ulong, SWAP)
KERNELS(u32_inc, uint, INC)
KERNELS(u32_dec, uint, DEC)

// A product by compare-and-swap loops, of 32 and 64 bits.
kernel void product32(global uint *cell, global const uint *in) {
  uint seen = *cell, factor = in[GLOBAL_ID(x)];
  while (!__scoped_atomic_compare_exchange_n(cell, &seen, seen * factor, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
                                             __MEMORY_SCOPE_DEVICE))
    ;
}
kernel void product64(global ulong *cell, global const ulong *in) {
  ulong seen = *cell, factor = in[GLOBAL_ID(x)];
  while (!__scoped_atomic_compare_exchange_n(cell, &seen, seen * factor, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
                                             __MEMORY_SCOPE_DEVICE))
    ;
}
GROUP_OF(128) kernel void product_local(global ulong *cell, global const ulong *in) {
  local ulong own;
  if (LOCAL_ID(x) == 0)
    own = *cell;
  sync();
  ulong seen = 1, factor = in[LOCAL_ID(x)];
  while (!__scoped_atomic_compare_exchange_n(&own, &seen, seen * factor, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
                                             __MEMORY_SCOPE_WRKGRP))
    ;
  sync();
  if (LOCAL_ID(x) == 0)
    *cell = own;
}
