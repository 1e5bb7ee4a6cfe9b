// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a work-item is, by the registers, the dispatch packet and the implicit arguments; and ways to read memory.
#include "device.h"

kernel void where(global uint *out) {
  uint w = GLOBAL_SIZE(x), h = GLOBAL_SIZE(y);
  global uint *own = out + 13 * ((GLOBAL_ID(z) * h + GLOBAL_ID(y)) * w + GLOBAL_ID(x));
  constant uint *implicit = (constant uint *)__builtin_amdgcn_implicitarg_ptr();
  own[0] = GLOBAL_ID(x);
  own[1] = GLOBAL_ID(y);
  own[2] = GLOBAL_ID(z);
  own[3] = LOCAL_ID(x) | LOCAL_ID(y) << 8 | LOCAL_ID(z) << 16;
  own[4] = LOCAL_SIZE(x) | LOCAL_SIZE(y) << 8 | LOCAL_SIZE(z) << 16;
  own[5] = GLOBAL_SIZE(z);
  own[6] = implicit[0]; // hidden_block_count_x, y, z
  own[7] = implicit[1];
  own[8] = implicit[2];
  own[9] = implicit[16] & 0xffff; // hidden_grid_dims
  own[10] = ((constant ushort *)__builtin_amdgcn_dispatch_ptr())[2]; // workgroup_size_x of the packet
  own[11] = ((constant ushort *)implicit)[9];                        // hidden_remainder_x
  own[12] = *(constant ulong *)(implicit + 10);                      // hidden_global_offset_x
}

constant short table[9] = {3, -1, 4, -1, 5, -9, 2, -6, 5};
kernel void constants(global const uint *in, global int *out) { out[GLOBAL_ID(x)] = table[in[GLOBAL_ID(x)] % 9]; }

struct __attribute__((packed)) Packed {
  uchar tag;
  int a;
  ushort b;
  double c;
  long d;
};
kernel void packed(global const struct Packed *in, global struct Packed *out) {
  struct Packed p = in[GLOBAL_ID(x)];
  p.a += p.tag;
  p.b = ~p.b;
  p.c *= 2;
  p.d -= p.a;
  out[GLOBAL_ID(x)] = p;
}

kernel void small(global const char *bytes, global const short *shorts, global int *out) {
  uint i = GLOBAL_ID(x);
  short2 two = (short2)(bytes[i], shorts[i]), other = (short2)(shorts[i + 1], (uchar)bytes[i + 1]);
  two += other * (short2)(3, 5);
  out[i] = (two.x << 16) ^ two.y ^ (ushort)shorts[i] ^ (uchar)bytes[i];
}

kernel void vectors(global const float *in, global float *out) {
  uint i = GLOBAL_ID(x);
  float3 three = (float3)(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
  global float *to = out + 3 * i;
  three = three.zxy * 2 + three;
  to[0] = three.x;
  to[1] = three.y;
  to[2] = three.z;
}

kernel void wide(global const long8 *in, global long8 *out) {
  out[GLOBAL_ID(x)] = in[GLOBAL_ID(x)].s76543210 + 1;
}

// Buffer instructions: what lies past the end reads as zero and is not written.
kernel void buffers(global const int *in, global int *out, uint bytes) {
  __amdgpu_buffer_rsrc_t from = __builtin_amdgcn_make_buffer_rsrc((global void *)in, 0, bytes, 0x27000);
  __amdgpu_buffer_rsrc_t to = __builtin_amdgcn_make_buffer_rsrc(out, 0, bytes, 0x27000);
  uint at = GLOBAL_ID(x) * 16;
  uint4 value = __builtin_amdgcn_raw_buffer_load_b128(from, at, 0, 0);
  value.y += __builtin_amdgcn_raw_buffer_load_b32(from, at, 16, 0);
  value.z ^= __builtin_amdgcn_raw_buffer_load_b8(from, at + 1, 0, 0);
  value.w ^= __builtin_amdgcn_raw_buffer_load_b16(from, at + 2, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b128(value, to, at, 0, 0);
}

// Global memory to LDS without a register between.
GROUP_OF(128) kernel void direct_to_lds(global const uint *in, global uint *out) {
  local uint staged[256];
  uint wave = LOCAL_ID(x) / 64;
  for (uint i = 0; i < 2; ++i)
    __builtin_amdgcn_global_load_lds(in + GROUP_ID(x) * 256 + i * 128 + LOCAL_ID(x), staged + i * 128 + __builtin_amdgcn_readfirstlane(wave) * 64, 4, 0, 0);
  __builtin_amdgcn_s_waitcnt(0x0f70); // vmcnt(0)
  sync();
  out[GROUP_ID(x) * 256 + LOCAL_ID(x)] = staged[255 - LOCAL_ID(x)];
  out[GROUP_ID(x) * 256 + 128 + LOCAL_ID(x)] = staged[127 - LOCAL_ID(x)];
}
