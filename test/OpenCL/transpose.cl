// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes through LDS, for elements of 1 to 8 bytes; the last one has its tile in dynamic LDS.
#include "device.h"

#define TRANSPOSE(name, T)                                                                         \
  __attribute__((always_inline, reqd_work_group_size(32, 8, 1))) kernel void name(                                \
      global const T *in, global T *out, uint rows, uint columns) {                                \
    local T tile[32][33];                                                                          \
    uint x = LOCAL_ID(x), y = LOCAL_ID(y), column = GROUP_ID(x) * 32, row = GROUP_ID(y) * 32;      \
    for (uint i = y; i < 32; i += 8)                                                               \
      if (row + i < rows && column + x < columns)                                                  \
        tile[i][x] = in[(row + i) * columns + column + x];                                         \
    sync();                                                                                        \
    for (uint i = y; i < 32; i += 8)                                                               \
      if (column + i < columns && row + x < rows)                                                  \
        out[(column + i) * rows + row + x] = tile[x][i];                                           \
  }
TRANSPOSE(transpose_byte, uchar)
TRANSPOSE(transpose_half, half)
TRANSPOSE(transpose_float, float)
TRANSPOSE(transpose_double, double)

GROUP_OF(64) kernel void transpose_dynamic(global const uint *in, global uint *out, local uint *tile, uint n) {
  uint t = LOCAL_ID(x);
  for (uint i = 0; i < n; ++i)
    tile[t * (n + 1) + i] = in[t * n + i];
  sync();
  for (uint i = 0; i < n; ++i)
    out[i * 64 + t] = tile[t * (n + 1) + i];
}
