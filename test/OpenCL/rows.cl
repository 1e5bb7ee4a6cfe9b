// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows: softmax, layer norm, RMS norm to half, activations.
#include "device.h"

static float sum_of_wave(float value) {
  for (uint step = 32; step; step >>= 1)
    value += from_lane_f(value, lane() ^ step);
  return value;
}
static float max_of_wave(float value) {
  for (uint step = 32; step; step >>= 1)
    value = __builtin_fmaxf(value, from_lane_f(value, lane() ^ step));
  return value;
}
static float sum_of_group(float value, local float *part) {
  value = sum_of_wave(value);
  if (lane() == 0)
    part[LOCAL_ID(x) / 64] = value;
  sync();
  value = part[0] + part[1] + part[2] + part[3];
  sync();
  return value;
}

GROUP_OF(256) kernel void softmax(global const float *in, global float *out, uint n) {
  local float part[4];
  global const float *row = in + GROUP_ID(x) * n;
  float top = -__builtin_inff();
  for (uint i = LOCAL_ID(x); i < n; i += 256)
    top = __builtin_fmaxf(top, row[i]);
  top = max_of_wave(top);
  if (lane() == 0)
    part[LOCAL_ID(x) / 64] = top;
  sync();
  top = __builtin_fmaxf(__builtin_fmaxf(part[0], part[1]), __builtin_fmaxf(part[2], part[3]));
  sync();
  float sum = 0;
  for (uint i = LOCAL_ID(x); i < n; i += 256)
    sum += __builtin_expf(row[i] - top);
  sum = sum_of_group(sum, part);
  for (uint i = LOCAL_ID(x); i < n; i += 256)
    out[GROUP_ID(x) * n + i] = __builtin_expf(row[i] - top) / sum;
}

GROUP_OF(256) kernel void layer_norm(global const float *in, global const float *gain, global const float *bias,
                                     global float *out, uint n, float epsilon) {
  local float part[4];
  global const float *row = in + GROUP_ID(x) * n;
  float sum = 0, squares = 0;
  for (uint i = LOCAL_ID(x); i < n; i += 256)
    sum += row[i];
  float mean = sum_of_group(sum, part) / n;
  for (uint i = LOCAL_ID(x); i < n; i += 256)
    squares += (row[i] - mean) * (row[i] - mean);
  float scale = 1 / __builtin_sqrtf(sum_of_group(squares, part) / n + epsilon);
  for (uint i = LOCAL_ID(x); i < n; i += 256)
    out[GROUP_ID(x) * n + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}

GROUP_OF(64) kernel void rms_norm_half(global const half4 *in, global half4 *out, uint n) {
  global const half4 *row = in + GROUP_ID(x) * n;
  float sum = 0;
  for (uint i = LOCAL_ID(x); i < n; i += 64) {
    float4 x = __builtin_convertvector(row[i], float4);
    x *= x;
    sum += x.x + x.y + x.z + x.w;
  }
  float scale = 1 / __builtin_sqrtf(sum_of_wave(sum) / (4 * n));
  for (uint i = LOCAL_ID(x); i < n; i += 64)
    out[GROUP_ID(x) * n + i] = __builtin_convertvector(__builtin_convertvector(row[i], float4) * scale, half4);
}

kernel void silu(global const float *in, global float *out) {
  float x = in[GLOBAL_ID(x)];
  out[GLOBAL_ID(x)] = x / (1 + __builtin_expf(-x));
}

kernel void logarithm(global const float *in, global float *out) {
  out[GLOBAL_ID(x)] = __builtin_logf(in[GLOBAL_ID(x)]);
}
