// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange between lanes, and operations on bytes and halves of a dword.
#include "device.h"

#define ROW(n, value) out[(n) * 64 + lane()] = (value)
#define DPP(n, control, rows, banks, bound)                                                        \
  ROW(n, __builtin_amdgcn_update_dpp(-7, x, control, rows, banks, bound))

GROUP_OF(64) kernel void dpp(global const int *in, global int *out) {
  int x = in[lane()];
  DPP(0, 0x1b, 15, 15, 0);   // quad_perm:[3,2,1,0]
  DPP(1, 0x93, 15, 15, 0);   // quad_perm:[3,0,1,2]
  DPP(2, 0x101, 15, 15, 0);  // row_shl:1
  DPP(3, 0x103, 15, 15, 1);  // row_shl:3
  DPP(4, 0x112, 15, 15, 0);  // row_shr:2
  DPP(5, 0x11f, 15, 15, 1);  // row_shr:15
  DPP(6, 0x125, 15, 15, 0);  // row_ror:5
  DPP(7, 0x130, 15, 15, 0);  // wave_shl:1
  DPP(8, 0x134, 15, 15, 0);  // wave_rol:1
  DPP(9, 0x138, 15, 15, 1);  // wave_shr:1
  DPP(10, 0x13c, 15, 15, 0); // wave_ror:1
  DPP(11, 0x140, 15, 15, 0); // row_mirror
  DPP(12, 0x141, 15, 15, 0); // row_half_mirror
  DPP(13, 0x142, 10, 15, 0); // row_bcast:15
  DPP(14, 0x143, 12, 15, 0); // row_bcast:31
  DPP(15, 0x153, 15, 15, 0); // row_newbcast:3
  DPP(16, 0x121, 5, 6, 0);   // row_ror:1 of some rows and banks
  DPP(17, 0x111, 15, 15, 0); // row_shr:1
  ROW(18, __builtin_amdgcn_mov_dpp(x, 0x4e, 15, 15, 1));
}

// The same with lanes switched off: what they hold is not to be had.
GROUP_OF(64) kernel void dpp_divergent(global const int *in, global int *out) {
  int x = in[lane()];
  ROW(0, 0);
  ROW(1, 0);
  if (x % 3) {
    DPP(0, 0x112, 15, 15, 0); // row_shr:2
    DPP(1, 0x101, 15, 15, 1); // row_shl:1
  }
}

GROUP_OF(64) kernel void exchange(global const int *in, global const int *index, global int *out) {
  int x = in[lane()], i = index[lane()];
  ROW(0, __builtin_amdgcn_ds_bpermute(i * 4, x));
  ROW(1, __builtin_amdgcn_ds_permute(i * 4, x)); // index is a permutation
  ROW(2, __builtin_amdgcn_ds_swizzle(x, 0x801b)); // quad_perm:[3,2,1,0]
  ROW(3, __builtin_amdgcn_ds_swizzle(x, 0x041f)); // xor 1
  ROW(4, __builtin_amdgcn_ds_swizzle(x, 0x2815)); // and 0x15, xor 10
  ROW(5, __builtin_amdgcn_readlane(x, 37));
  ROW(6, __builtin_amdgcn_readfirstlane(x));
  ROW(7, (int)(__builtin_amdgcn_ballot_w64(x > 0) >> 32));
  ROW(8, (int)__builtin_amdgcn_ballot_w64(x > 0));
  ROW(9, 0);
  if (x > 0)
    ROW(9, __builtin_amdgcn_ds_bpermute(i * 4, x) + 1);
}

// Each distinct value in turn: a loop that the first lane still in it leads.
GROUP_OF(64) kernel void waterfall(global const int *in, global int *out) {
  int x = in[lane()], turn = 0;
  for (;;) {
    int first = __builtin_amdgcn_readfirstlane(x);
    ulong same = __builtin_amdgcn_ballot_w64(first == x); // before the loop is left: behind it the lanes meet again
    if (first == x) {
      ROW(0, turn * 1000 + __builtin_popcountl(same));
      break;
    }
    ++turn;
  }
}

GROUP_OF(64) kernel void bytes(global const uint *in, global const uint *in2, global const uint *in3, global uint *out) {
  uint a = in[lane()], b = in2[lane()], c = in3[lane()];
  ROW(0, __builtin_amdgcn_perm(a, b, c & 0x07070707));
  ROW(1, __builtin_amdgcn_alignbit(a, b, c));
  ROW(2, __builtin_amdgcn_alignbyte(a, b, c));
  ROW(3, __builtin_amdgcn_ubfe(a, b & 31, c & 31));
  ROW(4, __builtin_amdgcn_sbfe(a, b & 31, c & 31));
  ROW(5, __builtin_amdgcn_sad_u8(a, b, c));
  ROW(6, __builtin_amdgcn_lerp(a, b, c));
  ROW(7, __builtin_amdgcn_sdot4(a, b, c, 0));
  ROW(8, __builtin_amdgcn_udot4(a, b, c, 0));
  ROW(9, __builtin_amdgcn_sdot8(a, b, c, 0));
  ROW(10, __builtin_amdgcn_udot8(a, b, c, 0));
  ROW(11, __builtin_amdgcn_sdot2(__builtin_astype(a, short2), __builtin_astype(b, short2), c, 0));
  ROW(12, __builtin_amdgcn_sdot4(a, b, c, 1));
  ROW(13, __builtin_amdgcn_sad_hi_u8(a, b, c));
  ROW(14, __builtin_amdgcn_sad_u16(a, b, c));
  ROW(15, __builtin_bswap32(a));
}

#ifdef __gfx950__
GROUP_OF(64) kernel void permlane_swap(global const uint *in, global uint *out) {
  uint x = in[lane()], y = in[64 + lane()];
  uint2 a = __builtin_amdgcn_permlane32_swap(x, y, false, false), b = __builtin_amdgcn_permlane16_swap(x, y, false, false);
  ROW(0, a.x);
  ROW(1, a.y);
  ROW(2, b.x);
  ROW(3, b.y);
}
#endif
