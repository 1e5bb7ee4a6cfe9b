// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, scans, sorting and histograms in LDS.
#include "device.h"

GROUP_OF(256) kernel void sum_tree(global const float *in, global float *out, uint n) {
  local float part[256];
  uint t = LOCAL_ID(x);
  float sum = 0;
  for (uint i = GLOBAL_ID(x); i < n; i += GLOBAL_SIZE(x))
    sum += in[i];
  part[t] = sum;
  sync();
  for (uint step = 128; step; step >>= 1) {
    if (t < step)
      part[t] += part[t + step];
    sync();
  }
  if (t == 0)
    out[GROUP_ID(x)] = part[0];
}

// Each wave reduces by exchanging lanes, the first wave the results of the waves.
GROUP_OF(256) kernel void argmax(global const int *in, global int2 *out, uint n) {
  local int2 part[4];
  int2 best = (int2)(-2147483647 - 1, -1);
  for (uint i = LOCAL_ID(x); i < n; i += 256) {
    int value = in[GROUP_ID(x) * n + i];
    if (value > best.x)
      best = (int2)(value, i);
  }
  for (uint step = 32; step; step >>= 1) {
    int2 other = (int2)(from_lane(best.x, lane() ^ step), from_lane(best.y, lane() ^ step));
    if (other.x > best.x || (other.x == best.x && other.y < best.y))
      best = other;
  }
  if (lane() == 0)
    part[LOCAL_ID(x) / 64] = best;
  sync();
  if (LOCAL_ID(x) == 0) {
    for (uint i = 1; i < 4; ++i)
      if (part[i].x > best.x || (part[i].x == best.x && part[i].y < best.y))
        best = part[i];
    out[GROUP_ID(x)] = best;
  }
}

GROUP_OF(128) kernel void scan_hillis_steele(global const int *in, global int *out) {
  local int buffer[2][128];
  uint t = LOCAL_ID(x), now = 0;
  buffer[0][t] = in[GLOBAL_ID(x)];
  sync();
  for (uint step = 1; step < 128; step <<= 1) {
    int value = buffer[now][t];
    if (t >= step)
      value += buffer[now][t - step];
    now ^= 1;
    buffer[now][t] = value;
    sync();
  }
  out[GLOBAL_ID(x)] = buffer[now][t];
}

GROUP_OF(128) kernel void scan_blelloch(global const long *in, global long *out) {
  local long tree[256];
  uint t = LOCAL_ID(x), base = GROUP_ID(x) * 256, stride = 1;
  tree[2 * t] = in[base + 2 * t];
  tree[2 * t + 1] = in[base + 2 * t + 1];
  for (uint active = 128; active; active >>= 1, stride <<= 1) {
    sync();
    if (t < active)
      tree[stride * (2 * t + 2) - 1] += tree[stride * (2 * t + 1) - 1];
  }
  if (t == 0)
    tree[255] = 0;
  for (uint active = 1; active <= 128; active <<= 1) {
    stride >>= 1;
    sync();
    if (t < active) {
      long kept = tree[stride * (2 * t + 1) - 1];
      tree[stride * (2 * t + 1) - 1] = tree[stride * (2 * t + 2) - 1];
      tree[stride * (2 * t + 2) - 1] += kept;
    }
  }
  sync();
  out[base + 2 * t] = tree[2 * t];
  out[base + 2 * t + 1] = tree[2 * t + 1];
}

GROUP_OF(256) kernel void histogram(global const uchar *in, global uint *bins, uint n) {
  local uint counts[256];
  counts[LOCAL_ID(x)] = 0;
  sync();
  for (uint i = GLOBAL_ID(x); i < n; i += GLOBAL_SIZE(x))
    __scoped_atomic_fetch_add(&counts[in[i]], 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  sync();
  if (counts[LOCAL_ID(x)])
    __scoped_atomic_fetch_add(&bins[LOCAL_ID(x)], counts[LOCAL_ID(x)], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

GROUP_OF(128) kernel void bitonic_sort(global int *data) {
  local int keys[256];
  uint t = LOCAL_ID(x), base = GROUP_ID(x) * 256;
  keys[t] = data[base + t];
  keys[t + 128] = data[base + t + 128];
  for (uint size = 2; size <= 256; size <<= 1)
    for (uint step = size / 2; step; step >>= 1) {
      sync();
      uint a = (t / step) * 2 * step + t % step, b = a + step;
      if ((keys[a] > keys[b]) == ((a & size) == 0)) {
        int kept = keys[a];
        keys[a] = keys[b];
        keys[b] = kept;
      }
    }
  sync();
  data[base + t] = keys[t];
  data[base + t + 128] = keys[t + 128];
}
