// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergent control flow, calls, and private memory.
#include "device.h"
#define NOINLINE __attribute__((noinline))

kernel void collatz(global const uint *in, global uint *steps) {
  ulong x = in[GLOBAL_ID(x)];
  uint count = 0;
  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    ++count;
  }
  steps[GLOBAL_ID(x)] = count;
}

kernel void switches(global const int *in, global int *out) {
  int x = in[GLOBAL_ID(x)], y = x >> 4;
  switch (x & 15) {
  case 0: y += 1; break;
  case 1: y -= 17; // falls through
  case 2: y *= 3; break;
  case 3: for (int i = 0; i < (y & 7); ++i) y ^= i << 3; break;
  case 7: y = ~y; break;
  case 8: case 9: y = y & 1 ? y + 100 : y - 100; break;
  case 13: y %= 11; break;
  default: y = -y;
  }
  out[GLOBAL_ID(x)] = y;
}

// Nested loops with break, continue and a return out of both.
kernel void loops(global const int *in, global int *out, int n) {
  int x = in[GLOBAL_ID(x)], sum = 0;
  for (int i = 0; i < n; ++i) {
    if ((x + i) % 5 == 0)
      continue;
    for (int j = i;; ++j) {
      if (((x ^ j) & 7) == 3)
        break;
      sum += j * i;
      if (sum > 400) {
        out[GLOBAL_ID(x)] = -sum;
        return;
      }
    }
  }
  out[GLOBAL_ID(x)] = sum;
}

kernel void gather_scatter(global const uint *to, global const uint *from, global const float *in, global float *out) {
  uint i = GLOBAL_ID(x);
  if (from[i] & 1)
    out[to[i]] = in[from[i]] * 2;
  else if (from[i] % 3)
    out[to[i]] = in[from[i]] + in[i];
  else
    out[to[i]] = -1;
}

kernel void binary_search(global const int *sorted, global const int *wanted, global int *out, int n) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < wanted[GLOBAL_ID(x)])
      low = middle + 1;
    else
      high = middle;
  }
  out[GLOBAL_ID(x)] = low;
}

struct Big {
  int values[12];
  long tail;
};
NOINLINE static struct Big make(int seed) {
  struct Big big;
  for (int i = 0; i < 12; ++i)
    big.values[i] = seed * i ^ i;
  big.tail = (long)seed * 0x100000001;
  return big;
}
// More arguments than registers hold: the rest goes over the stack.
NOINLINE static long many(int16 a, int16 b, struct Big big, long c, int d) {
  long sum = c * d + big.tail;
  for (int i = 0; i < 12; ++i)
    sum += big.values[i] * (i + 1);
  return sum + a.s0 * 3 + a.sf * 5 + b.s7 * 7 + b.se * 11;
}
NOINLINE static int leaf(int x) { return x * x + 1; }
NOINLINE static int branch(int x) { return x & 1 ? leaf(x) - leaf(x + 1) : leaf(x ^ 7); }
kernel void calls(global const int *in, global long *out) {
  int x = in[GLOBAL_ID(x)];
  int16 a = x, b = x + 1;
  a.sf = leaf(x);
  b.se = branch(x);
  long result = many(a, b, make(x), x - 5, x + 5);
  if (x % 3 == 0)
    result += branch(x / 3);
  out[GLOBAL_ID(x)] = result;
}

// An array in private memory, indexed by data.
kernel void insertion_sort(global short *data, int n) {
  short keys[24];
  global short *own = data + GLOBAL_ID(x) * n;
  for (int i = 0; i < n; ++i) {
    short value = own[i];
    int at = i;
    for (; at && keys[at - 1] > value; --at)
      keys[at] = keys[at - 1];
    keys[at] = value;
  }
  for (int i = 0; i < n; ++i)
    own[i] = keys[i];
}

// Fixed-point Mandelbrot: long divergent loops with multiplications of 64 bits.
kernel void mandelbrot(global int *out, int width) {
  long cr = (long)(GLOBAL_ID(x) % width) * (3 << 20) / width - (2 << 20), ci = (long)(GLOBAL_ID(x) / width) * (2 << 20) / width - (1 << 20);
  long zr = 0, zi = 0;
  int i = 0;
  for (; i < 40 && zr * zr + zi * zi < (4l << 40); ++i) {
    long next = ((zr * zr - zi * zi) >> 20) + cr;
    zi = ((2 * zr * zi) >> 20) + ci;
    zr = next;
  }
  out[GLOBAL_ID(x)] = i;
}

// A pointer that is to LDS, private or global memory, by data.
NOINLINE static int through(const int *p) { return p[1] * 2; }
GROUP_OF(64) kernel void generic_pointers(global const int *in, global int *out) {
  local int shared[128];
  int own[2] = {in[GLOBAL_ID(x)], (int)LOCAL_ID(x)};
  shared[2 * LOCAL_ID(x)] = shared[2 * LOCAL_ID(x) + 1] = 1000 + LOCAL_ID(x);
  sync();
  uint kind = (uint)in[GLOBAL_ID(x)] % 3;
  const int *p = kind == 0 ? (const int *)&shared[2 * (63 - LOCAL_ID(x))] : kind == 1 ? (const int *)own : (const int *)(in + GLOBAL_ID(x));
  out[GLOBAL_ID(x)] = through(p);
}
