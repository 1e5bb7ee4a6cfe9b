// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16-bit and 64-bit integer operations. Which 16-bit operations clear the other half of their destination
// (the ones GFX8 had) and which keep it (those that came with GFX9): LLVM,
// GCNSubtarget::zeroesHigh16BitsOfDest, and the manual's text of v_mad_u16 and v_mad_legacy_u16.

#include "Row.h"
#include <algorithm>

using namespace lowp::sim::reference;

namespace {

u32 fitU(Lane &l, i64 exact) { return l.clamp ? u32(std::clamp<i64>(exact, 0, 65535)) : u32(exact) & 0xffff; }
u32 fitI(Lane &l, i64 exact) {
  return (l.clamp ? u32(i32(std::clamp<i64>(exact, -32768, 32767))) : u32(exact)) & 0xffff;
}
i64 si(Lane &l, unsigned i) { return i16(l.s[i][0]); }
i64 su(Lane &l, unsigned i) { return u16(l.s[i][0]); }
i64 median(i64 a, i64 b, i64 c) {
  i64 x[3] = {a, b, c};
  std::sort(x, x + 3);
  return x[1];
}

} // namespace

Rows lowp::sim::reference::integer16Rows() {
  return {
      {"v_add_u16", "s:ss", [](Lane &l) { l.set(fitU(l, su(l, 0) + su(l, 1))); }, IntegerClamp},
      {"v_sub_u16", "s:ss", [](Lane &l) { l.set(fitU(l, su(l, 0) - su(l, 1))); }, IntegerClamp},
      {"v_subrev_u16", "s:ss", [](Lane &l) { l.set(fitU(l, su(l, 1) - su(l, 0))); }, IntegerClamp},
      {"v_mul_lo_u16", "s:ss", [](Lane &l) { l.set(fitU(l, su(l, 0) * su(l, 1))); }, IntegerClamp},
      {"v_lshlrev_b16", "s:ns", [](Lane &l) { l.set(u16(su(l, 1) << l.s[0][0] % 16)); }},
      {"v_lshrrev_b16", "s:ns", [](Lane &l) { l.set(u16(su(l, 1) >> l.s[0][0] % 16)); }},
      {"v_ashrrev_i16", "s:ns", [](Lane &l) { l.set(u16(si(l, 1) >> l.s[0][0] % 16)); }},
      {"v_max_u16", "s:ss", [](Lane &l) { l.set(u16(std::max(su(l, 0), su(l, 1)))); }},
      {"v_max_i16", "s:ss", [](Lane &l) { l.set(u16(std::max(si(l, 0), si(l, 1)))); }},
      {"v_min_u16", "s:ss", [](Lane &l) { l.set(u16(std::min(su(l, 0), su(l, 1)))); }},
      {"v_min_i16", "s:ss", [](Lane &l) { l.set(u16(std::min(si(l, 0), si(l, 1)))); }},
      {"v_mad_legacy_u16", "s:sss", [](Lane &l) { l.set(fitU(l, su(l, 0) * su(l, 1) + su(l, 2))); },
       Vop3Only | IntegerClamp},
      {"v_mad_legacy_i16", "s:sss", [](Lane &l) { l.set(fitI(l, si(l, 0) * si(l, 1) + si(l, 2))); },
       Vop3Only | IntegerClamp},
      {"v_mad_u16", "k:sss", [](Lane &l) { l.set(fitU(l, su(l, 0) * su(l, 1) + su(l, 2))); },
       Vop3Only | IntegerClamp},
      {"v_mad_i16", "k:sss", [](Lane &l) { l.set(fitI(l, si(l, 0) * si(l, 1) + si(l, 2))); },
       Vop3Only | IntegerClamp},
      {"v_add_i16", "k:ss", [](Lane &l) { l.set(fitI(l, si(l, 0) + si(l, 1))); }, Vop3Only | IntegerClamp},
      {"v_sub_i16", "k:ss", [](Lane &l) { l.set(fitI(l, si(l, 0) - si(l, 1))); }, Vop3Only | IntegerClamp},
      {"v_min3_i16", "k:sss", [](Lane &l) { l.set(u16(std::min({si(l, 0), si(l, 1), si(l, 2)}))); },
       Vop3Only},
      {"v_max3_i16", "k:sss", [](Lane &l) { l.set(u16(std::max({si(l, 0), si(l, 1), si(l, 2)}))); },
       Vop3Only},
      {"v_med3_i16", "k:sss", [](Lane &l) { l.set(u16(median(si(l, 0), si(l, 1), si(l, 2)))); }, Vop3Only},
      {"v_min3_u16", "k:sss", [](Lane &l) { l.set(u16(std::min({su(l, 0), su(l, 1), su(l, 2)}))); },
       Vop3Only},
      {"v_max3_u16", "k:sss", [](Lane &l) { l.set(u16(std::max({su(l, 0), su(l, 1), su(l, 2)}))); },
       Vop3Only},
      {"v_med3_u16", "k:sss", [](Lane &l) { l.set(u16(median(su(l, 0), su(l, 1), su(l, 2)))); }, Vop3Only},
      {"v_bitop3_b16", "k:sss",
       [](Lane &l) {
         u32 r = 0;
         for (unsigned i = 0; i < 16; ++i) {
           unsigned at = (l.s[0][0] >> i & 1) * 4 + (l.s[1][0] >> i & 1) * 2 + (l.s[2][0] >> i & 1);
           r |= (l.immediate >> at & 1) << i;
         }
         l.set(r);
       },
       Vop3Only | Table | Gfx950},
      {"v_pack_b32_f16", "H:hh", [](Lane &l) { l.set((l.s[0][0] & 0xffff) | l.s[1][0] << 16); }, Vop3Only},
  };
}

Rows lowp::sim::reference::wideIntegerRows() {
  return {
      {"v_mov_b64", "l:l", [](Lane &l) { l.setQ(l.q(0)); }},
      {"v_lshlrev_b64", "l:nl", [](Lane &l) { l.setQ(l.q(1) << l.s[0][0] % 64); }, Vop3Only},
      {"v_lshrrev_b64", "l:nl", [](Lane &l) { l.setQ(l.q(1) >> l.s[0][0] % 64); }, Vop3Only},
      {"v_ashrrev_i64", "l:nl",
       [](Lane &l) {
         u64 x = l.q(1);
         unsigned n = l.s[0][0] % 64;
         l.setQ(x >> 63 ? ~(~x >> n) : x >> n);
       },
       Vop3Only},
      {"v_lshl_add_u64", "l:lnl",
       [](Lane &l) {
         l.skip = l.s[1][0] % 8 > 4; // the CDNA4 manual gives shifts up to 4 a meaning
         l.setQ((l.q(0) << l.s[1][0] % 8) + l.q(2));
       },
       Vop3Only},
      {"v_mad_u64_u32", "l:iil",
       [](Lane &l) {
         u64 product = u64(l.s[0][0]) * l.s[1][0], sum = product + l.q(2);
         l.mask = sum < product;
         l.setQ(l.clamp && l.mask ? ~u64(0) : sum);
       },
       Vop3Only | MaskOut | IntegerClamp},
      {"v_mad_i64_i32", "l:iil",
       [](Lane &l) {
         // The mask is bit 64 of the sum of the sign-extended summands: the sum's sign.
         i64 product = i64(i32(l.s[0][0])) * i32(l.s[1][0]), addend = i64(l.q(2));
         i64 sum;
         bool overflow = __builtin_add_overflow(product, addend, &sum);
         l.mask = overflow ? product < 0 : sum < 0;
         if (overflow && l.clamp)
           sum = product < 0 ? INT64_MIN : INT64_MAX;
         l.setQ(u64(sum));
       },
       Vop3Only | MaskOut | IntegerClamp},
  };
}
