// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 32-bit integer and bit operations of the vector unit. Integer clamp saturates additions, subtractions and
// multiply-adds (manual, section "Output modifiers"): to 0 and 2^32-1 unsigned, to the range of i32 signed.

#include "Row.h"
#include <algorithm>

using namespace lowp::sim::reference;

namespace {

u32 saturateU(Lane &l, i64 exact) {
  if (!l.clamp)
    return u32(exact);
  return u32(std::clamp<i64>(exact, 0, 0xffffffffll));
}
u32 saturateI(Lane &l, i64 exact) {
  if (!l.clamp)
    return u32(exact);
  return u32(i32(std::clamp<i64>(exact, -0x80000000ll, 0x7fffffffll)));
}
i64 i24(u32 x) {
  i64 low = x & 0xffffff;
  return low >= 0x800000 ? low - 0x1000000 : low;
}
u64 u24(u32 x) { return x & 0xffffff; }
u32 low(u32 x, unsigned bits) { return u32((u64(1) << bits) - 1) & x; }
u32 byteOf(u32 x, unsigned i) { return x / (1u << 8 * i) % 256; }
u32 absDiff(u32 a, u32 b) { return a > b ? a - b : b - a; }
u32 sadU8(u32 a, u32 b, u32 c, bool masked = false) {
  for (unsigned i = 0; i < 4; ++i)
    if (!masked || byteOf(b, i))
      c += absDiff(byteOf(a, i), byteOf(b, i));
  return c;
}
template <typename T> T median(T a, T b, T c) {
  T x[3] = {a, b, c};
  std::sort(x, x + 3);
  return x[1];
}
u32 population(u32 x) {
  u32 n = 0;
  for (; x; x &= x - 1)
    ++n;
  return n;
}
u32 signExtend(u32 x, unsigned width) {
  if (width == 0 || width >= 32)
    return width ? x : 0;
  u32 sign = 1u << (width - 1);
  return (low(x, width) ^ sign) - sign;
}

} // namespace

Rows lowp::sim::reference::integerRows() {
  return {
      {"v_mov_b32", "i:i", [](Lane &l) { l.set(l.s[0][0]); }},
      {"v_not_b32", "i:i", [](Lane &l) { l.set(~l.s[0][0]); }},
      {"v_bfrev_b32", "i:i",
       [](Lane &l) {
         u32 r = 0;
         for (int i = 0; i < 32; ++i)
           r = r * 2 + (l.s[0][0] >> i) % 2;
         l.set(r);
       }},
      {"v_ffbh_u32", "i:i",
       [](Lane &l) {
         u32 r = ~0u;
         for (int i = 31; i >= 0; --i)
           if (l.s[0][0] >> (31 - i) & 1)
             r = i;
         l.set(r);
       }},
      {"v_ffbl_b32", "i:i",
       [](Lane &l) {
         u32 r = ~0u;
         for (int i = 31; i >= 0; --i)
           if (l.s[0][0] >> i & 1)
             r = i;
         l.set(r);
       }},
      {"v_ffbh_i32", "i:i",
       [](Lane &l) {
         u32 r = ~0u;
         for (int i = 31; i >= 1; --i)
           if ((l.s[0][0] >> (31 - i) & 1) != l.s[0][0] >> 31)
             r = i;
         l.set(r);
       }},
      {"v_prng_b32", "i:i", [](Lane &l) { l.set(l.s[0][0] * 2 ^ (l.s[0][0] >> 31) * 197); }, Gfx950},
      {"v_sat_pk_u8_i16", "s:i",
       [](Lane &l) {
         auto saturate = [](u32 x) { return u32(std::clamp<int>(i16(x), 0, 255)); };
         l.set(saturate(l.s[0][0]) | saturate(l.s[0][0] >> 16) << 8);
       }},
      {"v_add_u32", "i:ii", [](Lane &l) { l.set(saturateU(l, i64(l.s[0][0]) + l.s[1][0])); }, IntegerClamp},
      {"v_sub_u32", "i:ii", [](Lane &l) { l.set(saturateU(l, i64(l.s[0][0]) - l.s[1][0])); }, IntegerClamp},
      {"v_subrev_u32", "i:ii", [](Lane &l) { l.set(saturateU(l, i64(l.s[1][0]) - l.s[0][0])); },
       IntegerClamp},
      {"v_min_i32", "i:ii", [](Lane &l) { l.set(std::min(i32(l.s[0][0]), i32(l.s[1][0]))); }},
      {"v_max_i32", "i:ii", [](Lane &l) { l.set(std::max(i32(l.s[0][0]), i32(l.s[1][0]))); }},
      {"v_min_u32", "i:ii", [](Lane &l) { l.set(std::min(l.s[0][0], l.s[1][0])); }},
      {"v_max_u32", "i:ii", [](Lane &l) { l.set(std::max(l.s[0][0], l.s[1][0])); }},
      {"v_lshrrev_b32", "i:ni", [](Lane &l) { l.set(l.s[1][0] >> l.s[0][0] % 32); }},
      {"v_lshlrev_b32", "i:ni", [](Lane &l) { l.set(l.s[1][0] << l.s[0][0] % 32); }},
      {"v_ashrrev_i32", "i:ni", [](Lane &l) { l.set(u32(i64(i32(l.s[1][0])) >> l.s[0][0] % 32)); }},
      {"v_and_b32", "i:ii", [](Lane &l) { l.set(l.s[0][0] & l.s[1][0]); }},
      {"v_or_b32", "i:ii", [](Lane &l) { l.set(l.s[0][0] | l.s[1][0]); }},
      {"v_xor_b32", "i:ii", [](Lane &l) { l.set(l.s[0][0] ^ l.s[1][0]); }},
      {"v_xnor_b32", "i:ii", [](Lane &l) { l.set(~(l.s[0][0] ^ l.s[1][0])); }},
      {"v_mul_i32_i24", "i:ii", [](Lane &l) { l.set(saturateI(l, i24(l.s[0][0]) * i24(l.s[1][0]))); },
       IntegerClamp},
      {"v_mul_hi_i32_i24", "i:ii", [](Lane &l) { l.set(u32((i24(l.s[0][0]) * i24(l.s[1][0])) >> 32)); }},
      {"v_mul_u32_u24", "i:ii", [](Lane &l) { l.set(saturateU(l, i64(u24(l.s[0][0]) * u24(l.s[1][0])))); },
       IntegerClamp},
      {"v_mul_hi_u32_u24", "i:ii", [](Lane &l) { l.set(u32((u24(l.s[0][0]) * u24(l.s[1][0])) >> 32)); }},
      {"v_cndmask_b32", "i:iim", [](Lane &l) { l.set(l.carryIn ? l.s[1][0] : l.s[0][0]); }, MaskIn},
      {"v_add_co_u32", "i:ii",
       [](Lane &l) {
         u64 sum = u64(l.s[0][0]) + l.s[1][0];
         l.mask = sum >> 32;
         l.set(saturateU(l, i64(sum)));
       },
       MaskOut | IntegerClamp},
      {"v_sub_co_u32", "i:ii",
       [](Lane &l) {
         l.mask = l.s[1][0] > l.s[0][0];
         l.set(saturateU(l, i64(l.s[0][0]) - l.s[1][0]));
       },
       MaskOut | IntegerClamp},
      {"v_subrev_co_u32", "i:ii",
       [](Lane &l) {
         l.mask = l.s[0][0] > l.s[1][0];
         l.set(saturateU(l, i64(l.s[1][0]) - l.s[0][0]));
       },
       MaskOut | IntegerClamp},
      {"v_addc_co_u32", "i:iim",
       [](Lane &l) {
         u64 sum = u64(l.s[0][0]) + l.s[1][0] + l.carryIn;
         l.mask = sum >> 32;
         l.set(saturateU(l, i64(sum)));
       },
       MaskIn | MaskOut | IntegerClamp},
      {"v_subb_co_u32", "i:iim",
       [](Lane &l) {
         i64 exact = i64(l.s[0][0]) - l.s[1][0] - l.carryIn;
         l.mask = exact < 0;
         l.set(saturateU(l, exact));
       },
       MaskIn | MaskOut | IntegerClamp},
      {"v_subbrev_co_u32", "i:iim",
       [](Lane &l) {
         i64 exact = i64(l.s[1][0]) - l.s[0][0] - l.carryIn;
         l.mask = exact < 0;
         l.set(saturateU(l, exact));
       },
       MaskIn | MaskOut | IntegerClamp},
      {"v_add_i32", "i:ii", [](Lane &l) { l.set(saturateI(l, i64(i32(l.s[0][0])) + i32(l.s[1][0]))); },
       Vop3Only | IntegerClamp},
      {"v_sub_i32", "i:ii", [](Lane &l) { l.set(saturateI(l, i64(i32(l.s[0][0])) - i32(l.s[1][0]))); },
       Vop3Only | IntegerClamp},
      {"v_mul_lo_u32", "i:ii", [](Lane &l) { l.set(l.s[0][0] * l.s[1][0]); }, Vop3Only},
      {"v_mul_hi_u32", "i:ii", [](Lane &l) { l.set(u32(u64(l.s[0][0]) * l.s[1][0] >> 32)); }, Vop3Only},
      {"v_mul_hi_i32", "i:ii", [](Lane &l) { l.set(u32(u64(i64(i32(l.s[0][0])) * i32(l.s[1][0])) >> 32)); },
       Vop3Only},
      {"v_bcnt_u32_b32", "i:ii", [](Lane &l) { l.set(population(l.s[0][0]) + l.s[1][0]); }, Vop3Only},
      {"v_mbcnt_lo_u32_b32", "i:ii",
       [](Lane &l) {
         u32 below = l.lane >= 32 ? ~0u : low(~0u, l.lane);
         l.set(population(l.s[0][0] & below) + l.s[1][0]);
       },
       Vop3Only},
      {"v_mbcnt_hi_u32_b32", "i:ii",
       [](Lane &l) {
         u32 below = l.lane < 32 ? 0 : low(~0u, l.lane - 32);
         l.set(population(l.s[0][0] & below) + l.s[1][0]);
       },
       Vop3Only},
      {"v_bfm_b32", "i:nn", [](Lane &l) { l.set(low(~0u, l.s[0][0] % 32) << l.s[1][0] % 32); }, Vop3Only},
      {"v_bfe_u32", "i:inn", [](Lane &l) { l.set(low(l.s[0][0] >> l.s[1][0] % 32, l.s[2][0] % 32)); },
       Vop3Only},
      {"v_bfe_i32", "i:inn",
       [](Lane &l) {
         // The field is taken from the sign-extended source.
         u32 shifted = u32(i64(i32(l.s[0][0])) >> l.s[1][0] % 32);
         l.set(signExtend(shifted, l.s[2][0] % 32));
       },
       Vop3Only},
      {"v_bfi_b32", "i:iii", [](Lane &l) { l.set((l.s[0][0] & l.s[1][0]) | (~l.s[0][0] & l.s[2][0])); },
       Vop3Only},
      {"v_lerp_u8", "i:iii",
       [](Lane &l) {
         u32 r = 0;
         for (unsigned i = 0; i < 4; ++i)
           r |= (byteOf(l.s[0][0], i) + byteOf(l.s[1][0], i) + byteOf(l.s[2][0], i) % 2) / 2 << 8 * i;
         l.set(r);
       },
       Vop3Only},
      {"v_alignbit_b32", "i:iin",
       [](Lane &l) { l.set(u32((u64(l.s[0][0]) << 32 | l.s[1][0]) >> l.s[2][0] % 32)); },
       Vop3Only | OwnHalves},
      {"v_alignbyte_b32", "i:iin",
       [](Lane &l) { l.set(u32((u64(l.s[0][0]) << 32 | l.s[1][0]) >> l.s[2][0] % 4 * 8)); },
       Vop3Only | OwnHalves},
      {"v_min3_i32", "i:iii",
       [](Lane &l) { l.set(std::min({i32(l.s[0][0]), i32(l.s[1][0]), i32(l.s[2][0])})); }, Vop3Only},
      {"v_max3_i32", "i:iii",
       [](Lane &l) { l.set(std::max({i32(l.s[0][0]), i32(l.s[1][0]), i32(l.s[2][0])})); }, Vop3Only},
      {"v_med3_i32", "i:iii", [](Lane &l) { l.set(median(i32(l.s[0][0]), i32(l.s[1][0]), i32(l.s[2][0]))); },
       Vop3Only},
      {"v_min3_u32", "i:iii", [](Lane &l) { l.set(std::min({l.s[0][0], l.s[1][0], l.s[2][0]})); }, Vop3Only},
      {"v_max3_u32", "i:iii", [](Lane &l) { l.set(std::max({l.s[0][0], l.s[1][0], l.s[2][0]})); }, Vop3Only},
      {"v_med3_u32", "i:iii", [](Lane &l) { l.set(median(l.s[0][0], l.s[1][0], l.s[2][0])); }, Vop3Only},
      {"v_sad_u8", "i:iii",
       [](Lane &l) { l.set(saturateU(l, i64(sadU8(l.s[0][0], l.s[1][0], 0)) + l.s[2][0])); },
       Vop3Only | IntegerClamp},
      {"v_msad_u8", "i:iii",
       [](Lane &l) { l.set(saturateU(l, i64(sadU8(l.s[0][0], l.s[1][0], 0, true)) + l.s[2][0])); },
       Vop3Only | IntegerClamp},
      {"v_sad_hi_u8", "i:iii",
       [](Lane &l) { l.set(saturateU(l, (i64(sadU8(l.s[0][0], l.s[1][0], 0)) << 16) + l.s[2][0])); },
       Vop3Only | IntegerClamp},
      {"v_sad_u16", "i:iii",
       [](Lane &l) {
         u32 a = l.s[0][0], b = l.s[1][0];
         l.set(saturateU(l, i64(absDiff(a & 0xffff, b & 0xffff)) + absDiff(a >> 16, b >> 16) + l.s[2][0]));
       },
       Vop3Only | IntegerClamp},
      {"v_sad_u32", "i:iii",
       [](Lane &l) { l.set(saturateU(l, i64(absDiff(l.s[0][0], l.s[1][0])) + l.s[2][0])); },
       Vop3Only | IntegerClamp},
      {"v_mad_i32_i24", "i:iii",
       [](Lane &l) { l.set(saturateI(l, i24(l.s[0][0]) * i24(l.s[1][0]) + i32(l.s[2][0]))); },
       Vop3Only | IntegerClamp},
      {"v_mad_u32_u24", "i:iii",
       [](Lane &l) { l.set(saturateU(l, i64(u24(l.s[0][0]) * u24(l.s[1][0]) + l.s[2][0]))); },
       Vop3Only | IntegerClamp},
      {"v_mad_u32_u16", "i:ssi",
       [](Lane &l) { l.set(saturateU(l, i64(u16(l.s[0][0])) * u16(l.s[1][0]) + l.s[2][0])); },
       Vop3Only | IntegerClamp},
      {"v_mad_i32_i16", "i:ssi",
       [](Lane &l) { l.set(saturateI(l, i64(i16(l.s[0][0])) * i16(l.s[1][0]) + i32(l.s[2][0]))); },
       Vop3Only | IntegerClamp},
      {"v_perm_b32", "i:iii",
       [](Lane &l) {
         u64 data = u64(l.s[0][0]) << 32 | l.s[1][0];
         u32 r = 0;
         for (unsigned i = 0; i < 4; ++i) {
           u32 select = byteOf(l.s[2][0], i), b;
           if (select < 8)
             b = u32(data >> 8 * select) & 255;
           else if (select < 12) // The sign of halfword select - 8.
             b = data >> (16 * (select - 8) + 15) & 1 ? 255 : 0;
           else
             b = select == 12 ? 0 : 255;
           r |= b << 8 * i;
         }
         l.set(r);
       },
       Vop3Only},
      {"v_xad_u32", "i:iii", [](Lane &l) { l.set((l.s[0][0] ^ l.s[1][0]) + l.s[2][0]); }, Vop3Only},
      {"v_lshl_add_u32", "i:ini", [](Lane &l) { l.set((l.s[0][0] << l.s[1][0] % 32) + l.s[2][0]); },
       Vop3Only},
      {"v_add_lshl_u32", "i:iin", [](Lane &l) { l.set((l.s[0][0] + l.s[1][0]) << l.s[2][0] % 32); },
       Vop3Only},
      {"v_add3_u32", "i:iii", [](Lane &l) { l.set(l.s[0][0] + l.s[1][0] + l.s[2][0]); }, Vop3Only},
      {"v_lshl_or_b32", "i:ini", [](Lane &l) { l.set((l.s[0][0] << l.s[1][0] % 32) | l.s[2][0]); }, Vop3Only},
      {"v_and_or_b32", "i:iii", [](Lane &l) { l.set((l.s[0][0] & l.s[1][0]) | l.s[2][0]); }, Vop3Only},
      {"v_or3_b32", "i:iii", [](Lane &l) { l.set(l.s[0][0] | l.s[1][0] | l.s[2][0]); }, Vop3Only},
      {"v_bitop3_b32", "i:iii",
       [](Lane &l) {
         u32 r = 0;
         for (unsigned i = 0; i < 32; ++i) {
           unsigned at = (l.s[0][0] >> i & 1) * 4 + (l.s[1][0] >> i & 1) * 2 + (l.s[2][0] >> i & 1);
           r |= (l.immediate >> at & 1) << i;
         }
         l.set(r);
       },
       Vop3Only | Table | Gfx950},
      {"v_ashr_pk_i8_i32", "k:iin",
       [](Lane &l) {
         auto part = [&](unsigned i) {
           return u32(std::clamp<i64>(i64(i32(l.s[i][0])) >> l.s[2][0] % 32, -128, 127)) & 255;
         };
         l.set(part(0) | part(1) << 8);
       },
       Vop3Only | Gfx950 | OwnHalves},
      {"v_ashr_pk_u8_i32", "k:iin",
       [](Lane &l) {
         auto part = [&](unsigned i) {
           return u32(std::clamp<i64>(i64(i32(l.s[i][0])) >> l.s[2][0] % 32, 0, 255));
         };
         l.set(part(0) | part(1) << 8);
       },
       Vop3Only | Gfx950 | OwnHalves},
      {"v_cvt_pk_u16_u32", "P:ii",
       [](Lane &l) { l.set(std::min(l.s[0][0], 65535u) | std::min(l.s[1][0], 65535u) << 16); }, Vop3Only},
      {"v_cvt_pk_i16_i32", "P:ii",
       [](Lane &l) {
         auto part = [&](unsigned i) { return u32(std::clamp(i32(l.s[i][0]), -32768, 32767)) & 0xffff; };
         l.set(part(0) | part(1) << 16);
       },
       Vop3Only},
      {"v_qsad_pk_u16_u8", "l:lil",
       [](Lane &l) {
         u64 r = 0;
         for (unsigned i = 0; i < 4; ++i) {
           u32 sum = sadU8(u32(l.q(0) >> 8 * i), l.s[1][0], u32(l.q(2) >> 16 * i) & 0xffff);
           r |= u64(l.clamp ? std::min(sum, 65535u) : sum & 0xffff) << 16 * i;
         }
         l.setQ(r);
       },
       Vop3Only | IntegerClamp},
      {"v_mqsad_pk_u16_u8", "l:lil",
       [](Lane &l) {
         u64 r = 0;
         for (unsigned i = 0; i < 4; ++i) {
           u32 sum = sadU8(u32(l.q(0) >> 8 * i), l.s[1][0], u32(l.q(2) >> 16 * i) & 0xffff, true);
           r |= u64(l.clamp ? std::min(sum, 65535u) : sum & 0xffff) << 16 * i;
         }
         l.setQ(r);
       },
       Vop3Only | IntegerClamp},
      {"v_mqsad_u32_u8", "u:liu",
       [](Lane &l) {
         for (unsigned i = 0; i < 4; ++i)
           l.d[i] = saturateU(l, i64(sadU8(u32(l.q(0) >> 8 * i), l.s[1][0], 0, true)) + l.s[2][i]);
       },
       Vop3Only | IntegerClamp},
  };
}
