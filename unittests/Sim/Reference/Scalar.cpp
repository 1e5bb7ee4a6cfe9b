// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalar unit's arithmetic, by the manuals' pseudocode. Multiplications, moves, selects, bit searches and
// field masks leave SCC alone.

#include "Scalar.h"
#include <algorithm>

using namespace lowp::sim::reference;

namespace {

u64 ones(unsigned n) { return n >= 64 ? ~u64(0) : (u64(1) << n) - 1; }
u64 reversed(u64 x, unsigned width) {
  u64 r = 0;
  for (unsigned i = 0; i < width; ++i)
    r |= (x >> i & 1) << (width - 1 - i);
  return r;
}
unsigned countOnes(u64 x) {
  unsigned n = 0;
  for (; x; x >>= 1)
    n += x & 1;
  return n;
}
u32 firstFromLow(u64 x, unsigned width, bool bit) {
  for (unsigned i = 0; i < width; ++i)
    if ((x >> i & 1) == bit)
      return i;
  return ~0u;
}
u32 firstFromHigh(u64 x, unsigned width) {
  for (unsigned i = 0; i < width; ++i)
    if (x >> (width - 1 - i) & 1)
      return i;
  return ~0u;
}
u32 signRun(u64 x, unsigned width) {
  u64 sign = x >> (width - 1) & 1;
  for (unsigned i = 1; i < width; ++i)
    if ((x >> (width - 1 - i) & 1) != sign)
      return i;
  return ~0u;
}
u64 anyOfFour(u64 x, unsigned width, bool spread) {
  u64 r = 0;
  for (unsigned i = 0; i < width; ++i) {
    bool any = x >> (spread ? i / 4 * 4 : i * 4) & 15;
    if (spread || i < width / 4)
      r |= u64(any) << i;
  }
  return r;
}
void addition(Scalars &v, u64 exact) {
  v.set(u32(exact), false);
  v.scc = exact >> 32;
}
void signedSum(Scalars &v, i64 exact) {
  v.set(u32(exact), false);
  v.scc = exact != i32(exact);
}
u64 shiftRightSigned(u64 x, unsigned n) { return x >> 63 ? ~(~x >> n) : x >> n; }
/// A signed field that reaches beyond the top goes on with the sign.
u64 field(u64 x, u32 descriptor, unsigned width, bool isSigned) {
  unsigned offset = descriptor % width, size = std::min(descriptor >> 16 & 127, width);
  if (isSigned && width == 32)
    x = u64(i64(i32(u32(x))));
  u64 r = (isSigned ? shiftRightSigned(x, offset) : x >> offset) & ones(size);
  if (isSigned && size && r >> (size - 1) & 1)
    r |= ~ones(size);
  return r & ones(width);
}
template <typename F> void saveExec(Scalars &v, F f) {
  u64 old = v.exec;
  v.exec = f(v.s[0], old);
  v.setQ(old, false);
  v.scc = v.exec != 0;
}
void writeExec(Scalars &v, u64 value) {
  v.exec = value;
  v.setQ(value);
}
u32 half(u32 x, bool high) { return high ? x >> 16 : x & 0xffff; }

void addComparisons(std::vector<ScalarRow> &rows) {
  rows.push_back({"eq_i32", "-:ii", [](Scalars &v) { v.scc = v.i(0) == v.i(1); }});
  rows.push_back({"lg_i32", "-:ii", [](Scalars &v) { v.scc = v.i(0) != v.i(1); }});
  rows.push_back({"gt_i32", "-:ii", [](Scalars &v) { v.scc = v.i(0) > v.i(1); }});
  rows.push_back({"ge_i32", "-:ii", [](Scalars &v) { v.scc = v.i(0) >= v.i(1); }});
  rows.push_back({"lt_i32", "-:ii", [](Scalars &v) { v.scc = v.i(0) < v.i(1); }});
  rows.push_back({"le_i32", "-:ii", [](Scalars &v) { v.scc = v.i(0) <= v.i(1); }});
  rows.push_back({"eq_u32", "-:ii", [](Scalars &v) { v.scc = v.u(0) == v.u(1); }});
  rows.push_back({"lg_u32", "-:ii", [](Scalars &v) { v.scc = v.u(0) != v.u(1); }});
  rows.push_back({"gt_u32", "-:ii", [](Scalars &v) { v.scc = v.u(0) > v.u(1); }});
  rows.push_back({"ge_u32", "-:ii", [](Scalars &v) { v.scc = v.u(0) >= v.u(1); }});
  rows.push_back({"lt_u32", "-:ii", [](Scalars &v) { v.scc = v.u(0) < v.u(1); }});
  rows.push_back({"le_u32", "-:ii", [](Scalars &v) { v.scc = v.u(0) <= v.u(1); }});
  std::vector<ScalarRow> both;
  for (ScalarRow row : rows) {
    std::string suffix = row.name;
    row.name = "s_cmp_" + suffix;
    both.push_back(row);
    row.name = "s_cmpk_" + suffix;
    row.signature = suffix[3] == 'u' ? "-:iu" : "-:ik";
    both.push_back(row);
  }
  rows = both;
}

} // namespace

std::vector<ScalarRow> lowp::sim::reference::scalarRows() {
  std::vector<ScalarRow> rows;
  addComparisons(rows);
  const std::vector<ScalarRow> more = {
      {"s_cmp_eq_u64", "-:ll", [](Scalars &v) { v.scc = v.s[0] == v.s[1]; }},
      {"s_cmp_lg_u64", "-:ll", [](Scalars &v) { v.scc = v.s[0] != v.s[1]; }},
      {"s_bitcmp0_b32", "-:in", [](Scalars &v) { v.scc = !(v.u(0) >> v.u(1) % 32 & 1); }},
      {"s_bitcmp1_b32", "-:in", [](Scalars &v) { v.scc = v.u(0) >> v.u(1) % 32 & 1; }},
      {"s_bitcmp0_b64", "-:ln", [](Scalars &v) { v.scc = !(v.s[0] >> v.u(1) % 64 & 1); }},
      {"s_bitcmp1_b64", "-:ln", [](Scalars &v) { v.scc = v.s[0] >> v.u(1) % 64 & 1; }},
      {"s_movk_i32", "i:k", [](Scalars &v) { v.set(v.u(0), false); }},
      {"s_cmovk_i32", "i:k",
       [](Scalars &v) {
         if (v.scc)
           v.d = v.u(0);
       }},
      {"s_addk_i32", "i:k", [](Scalars &v) { signedSum(v, i64(i32(v.d)) + v.i(0)); }},
      {"s_mulk_i32", "i:k", [](Scalars &v) { v.set(u32(v.d) * v.u(0), false); }},
      {"s_mov_b32", "i:i", [](Scalars &v) { v.set(v.u(0), false); }},
      {"s_mov_b64", "l:l", [](Scalars &v) { v.setQ(v.s[0], false); }},
      {"s_cmov_b32", "i:i",
       [](Scalars &v) {
         if (v.scc)
           v.d = v.u(0);
       }},
      {"s_cmov_b64", "l:l",
       [](Scalars &v) {
         if (v.scc)
           v.d = v.s[0];
       }},
      {"s_not_b32", "i:i", [](Scalars &v) { v.set(~v.u(0)); }},
      {"s_not_b64", "l:l", [](Scalars &v) { v.setQ(~v.s[0]); }},
      {"s_wqm_b32", "i:i", [](Scalars &v) { v.set(u32(anyOfFour(v.u(0), 32, true))); }},
      {"s_wqm_b64", "l:l", [](Scalars &v) { v.setQ(anyOfFour(v.s[0], 64, true)); }},
      {"s_quadmask_b32", "i:i", [](Scalars &v) { v.set(u32(anyOfFour(v.u(0), 32, false))); }},
      {"s_quadmask_b64", "l:l", [](Scalars &v) { v.setQ(anyOfFour(v.s[0], 64, false)); }},
      {"s_brev_b32", "i:i", [](Scalars &v) { v.set(u32(reversed(v.u(0), 32)), false); }},
      {"s_brev_b64", "l:l", [](Scalars &v) { v.setQ(reversed(v.s[0], 64), false); }},
      {"s_bcnt0_i32_b32", "i:i", [](Scalars &v) { v.set(32 - countOnes(v.u(0))); }},
      {"s_bcnt0_i32_b64", "i:l", [](Scalars &v) { v.set(64 - countOnes(v.s[0])); }},
      {"s_bcnt1_i32_b32", "i:i", [](Scalars &v) { v.set(countOnes(v.u(0))); }},
      {"s_bcnt1_i32_b64", "i:l", [](Scalars &v) { v.set(countOnes(v.s[0])); }},
      {"s_ff0_i32_b32", "i:i", [](Scalars &v) { v.set(firstFromLow(v.u(0), 32, false), false); }},
      {"s_ff0_i32_b64", "i:l", [](Scalars &v) { v.set(firstFromLow(v.s[0], 64, false), false); }},
      {"s_ff1_i32_b32", "i:i", [](Scalars &v) { v.set(firstFromLow(v.u(0), 32, true), false); }},
      {"s_ff1_i32_b64", "i:l", [](Scalars &v) { v.set(firstFromLow(v.s[0], 64, true), false); }},
      {"s_flbit_i32_b32", "i:i", [](Scalars &v) { v.set(firstFromHigh(v.u(0), 32), false); }},
      {"s_flbit_i32_b64", "i:l", [](Scalars &v) { v.set(firstFromHigh(v.s[0], 64), false); }},
      {"s_flbit_i32", "i:i", [](Scalars &v) { v.set(signRun(v.u(0), 32), false); }},
      {"s_flbit_i32_i64", "i:l", [](Scalars &v) { v.set(signRun(v.s[0], 64), false); }},
      {"s_sext_i32_i8", "i:i", [](Scalars &v) { v.set(u32(i32(i8(v.u(0)))), false); }},
      {"s_sext_i32_i16", "i:i", [](Scalars &v) { v.set(u32(i32(i16(v.u(0)))), false); }},
      {"s_bitset0_b32", "i:n", [](Scalars &v) { v.d &= ~(u64(1) << v.u(0) % 32); }},
      {"s_bitset0_b64", "l:n", [](Scalars &v) { v.d &= ~(u64(1) << v.u(0) % 64); }},
      {"s_bitset1_b32", "i:n", [](Scalars &v) { v.d |= u64(1) << v.u(0) % 32; }},
      {"s_bitset1_b64", "l:n", [](Scalars &v) { v.d |= u64(1) << v.u(0) % 64; }},
      {"s_bitreplicate_b64_b32", "l:i",
       [](Scalars &v) {
         u64 r = 0;
         for (unsigned i = 0; i < 64; ++i)
           r |= (v.s[0] >> i / 2 & 1) << i;
         v.setQ(r, false);
       }},
      {"s_abs_i32", "i:i", [](Scalars &v) { v.set(v.i(0) < 0 ? 0 - v.u(0) : v.u(0)); }},
      {"s_and_saveexec_b64", "l:l", [](Scalars &v) { saveExec(v, [](u64 s, u64 e) { return s & e; }); }},
      {"s_or_saveexec_b64", "l:l", [](Scalars &v) { saveExec(v, [](u64 s, u64 e) { return s | e; }); }},
      {"s_xor_saveexec_b64", "l:l", [](Scalars &v) { saveExec(v, [](u64 s, u64 e) { return s ^ e; }); }},
      {"s_andn2_saveexec_b64", "l:l", [](Scalars &v) { saveExec(v, [](u64 s, u64 e) { return s & ~e; }); }},
      {"s_orn2_saveexec_b64", "l:l", [](Scalars &v) { saveExec(v, [](u64 s, u64 e) { return s | ~e; }); }},
      {"s_nand_saveexec_b64", "l:l", [](Scalars &v) { saveExec(v, [](u64 s, u64 e) { return ~(s & e); }); }},
      {"s_nor_saveexec_b64", "l:l", [](Scalars &v) { saveExec(v, [](u64 s, u64 e) { return ~(s | e); }); }},
      {"s_xnor_saveexec_b64", "l:l", [](Scalars &v) { saveExec(v, [](u64 s, u64 e) { return ~(s ^ e); }); }},
      {"s_andn1_saveexec_b64", "l:l", [](Scalars &v) { saveExec(v, [](u64 s, u64 e) { return ~s & e; }); }},
      {"s_orn1_saveexec_b64", "l:l", [](Scalars &v) { saveExec(v, [](u64 s, u64 e) { return ~s | e; }); }},
      {"s_andn1_wrexec_b64", "l:l", [](Scalars &v) { writeExec(v, ~v.s[0] & v.exec); }},
      {"s_andn2_wrexec_b64", "l:l", [](Scalars &v) { writeExec(v, v.s[0] & ~v.exec); }},
      {"s_add_u32", "i:ii", [](Scalars &v) { addition(v, u64(v.u(0)) + v.u(1)); }},
      {"s_addc_u32", "i:ii", [](Scalars &v) { addition(v, u64(v.u(0)) + v.u(1) + v.scc); }},
      {"s_sub_u32", "i:ii",
       [](Scalars &v) {
         v.scc = v.u(1) > v.u(0);
         v.set(v.u(0) - v.u(1), false);
       }},
      {"s_subb_u32", "i:ii",
       [](Scalars &v) {
         u64 subtrahend = u64(v.u(1)) + v.scc;
         v.scc = subtrahend > v.u(0);
         v.set(u32(v.u(0) - subtrahend), false);
       }},
      {"s_add_i32", "i:ii", [](Scalars &v) { signedSum(v, i64(v.i(0)) + v.i(1)); }},
      {"s_sub_i32", "i:ii", [](Scalars &v) { signedSum(v, i64(v.i(0)) - v.i(1)); }},
      {"s_min_i32", "i:ii",
       [](Scalars &v) {
         v.scc = v.i(0) < v.i(1);
         v.set(v.scc ? v.u(0) : v.u(1), false);
       }},
      {"s_min_u32", "i:ii",
       [](Scalars &v) {
         v.scc = v.u(0) < v.u(1);
         v.set(v.scc ? v.u(0) : v.u(1), false);
       }},
      {"s_max_i32", "i:ii",
       [](Scalars &v) {
         v.scc = v.i(0) >= v.i(1);
         v.set(v.scc ? v.u(0) : v.u(1), false);
       }},
      {"s_max_u32", "i:ii",
       [](Scalars &v) {
         v.scc = v.u(0) >= v.u(1);
         v.set(v.scc ? v.u(0) : v.u(1), false);
       }},
      {"s_cselect_b32", "i:ii", [](Scalars &v) { v.set(v.scc ? v.u(0) : v.u(1), false); }},
      {"s_cselect_b64", "l:ll", [](Scalars &v) { v.setQ(v.scc ? v.s[0] : v.s[1], false); }},
      {"s_and_b32", "i:ii", [](Scalars &v) { v.set(v.u(0) & v.u(1)); }},
      {"s_and_b64", "l:ll", [](Scalars &v) { v.setQ(v.s[0] & v.s[1]); }},
      {"s_or_b32", "i:ii", [](Scalars &v) { v.set(v.u(0) | v.u(1)); }},
      {"s_or_b64", "l:ll", [](Scalars &v) { v.setQ(v.s[0] | v.s[1]); }},
      {"s_xor_b32", "i:ii", [](Scalars &v) { v.set(v.u(0) ^ v.u(1)); }},
      {"s_xor_b64", "l:ll", [](Scalars &v) { v.setQ(v.s[0] ^ v.s[1]); }},
      {"s_andn2_b32", "i:ii", [](Scalars &v) { v.set(v.u(0) & ~v.u(1)); }},
      {"s_andn2_b64", "l:ll", [](Scalars &v) { v.setQ(v.s[0] & ~v.s[1]); }},
      {"s_orn2_b32", "i:ii", [](Scalars &v) { v.set(v.u(0) | ~v.u(1)); }},
      {"s_orn2_b64", "l:ll", [](Scalars &v) { v.setQ(v.s[0] | ~v.s[1]); }},
      {"s_nand_b32", "i:ii", [](Scalars &v) { v.set(~(v.u(0) & v.u(1))); }},
      {"s_nand_b64", "l:ll", [](Scalars &v) { v.setQ(~(v.s[0] & v.s[1])); }},
      {"s_nor_b32", "i:ii", [](Scalars &v) { v.set(~(v.u(0) | v.u(1))); }},
      {"s_nor_b64", "l:ll", [](Scalars &v) { v.setQ(~(v.s[0] | v.s[1])); }},
      {"s_xnor_b32", "i:ii", [](Scalars &v) { v.set(~(v.u(0) ^ v.u(1))); }},
      {"s_xnor_b64", "l:ll", [](Scalars &v) { v.setQ(~(v.s[0] ^ v.s[1])); }},
      {"s_lshl_b32", "i:in", [](Scalars &v) { v.set(v.u(0) << v.u(1) % 32); }},
      {"s_lshl_b64", "l:ln", [](Scalars &v) { v.setQ(v.s[0] << v.u(1) % 64); }},
      {"s_lshr_b32", "i:in", [](Scalars &v) { v.set(v.u(0) >> v.u(1) % 32); }},
      {"s_lshr_b64", "l:ln", [](Scalars &v) { v.setQ(v.s[0] >> v.u(1) % 64); }},
      {"s_ashr_i32", "i:in", [](Scalars &v) { v.set(u32(shiftRightSigned(u64(i64(v.i(0))), v.u(1) % 32))); }},
      {"s_ashr_i64", "l:ln", [](Scalars &v) { v.setQ(shiftRightSigned(v.s[0], v.u(1) % 64)); }},
      {"s_bfm_b32", "i:nn", [](Scalars &v) { v.set(u32(ones(v.u(0) % 32) << v.u(1) % 32), false); }},
      {"s_bfm_b64", "l:nn", [](Scalars &v) { v.setQ(ones(v.u(0) % 64) << v.u(1) % 64, false); }},
      {"s_mul_i32", "i:ii", [](Scalars &v) { v.set(v.u(0) * v.u(1), false); }},
      {"s_mul_hi_u32", "i:ii", [](Scalars &v) { v.set(u32(u64(v.u(0)) * v.u(1) >> 32), false); }},
      {"s_mul_hi_i32", "i:ii", [](Scalars &v) { v.set(u32(u64(i64(v.i(0)) * v.i(1)) >> 32), false); }},
      {"s_bfe_u32", "i:if", [](Scalars &v) { v.set(u32(field(v.u(0), v.u(1), 32, false))); }},
      {"s_bfe_i32", "i:if", [](Scalars &v) { v.set(u32(field(v.u(0), v.u(1), 32, true))); }},
      {"s_bfe_u64", "l:lf", [](Scalars &v) { v.setQ(field(v.s[0], v.u(1), 64, false)); }},
      {"s_bfe_i64", "l:lf", [](Scalars &v) { v.setQ(field(v.s[0], v.u(1), 64, true)); }},
      {"s_absdiff_i32", "i:ii",
       [](Scalars &v) {
         u32 difference = v.u(0) - v.u(1);
         v.set(i32(difference) < 0 ? 0 - difference : difference);
       }},
      {"s_lshl1_add_u32", "i:ii", [](Scalars &v) { addition(v, (u64(v.u(0)) << 1) + v.u(1)); }},
      {"s_lshl2_add_u32", "i:ii", [](Scalars &v) { addition(v, (u64(v.u(0)) << 2) + v.u(1)); }},
      {"s_lshl3_add_u32", "i:ii", [](Scalars &v) { addition(v, (u64(v.u(0)) << 3) + v.u(1)); }},
      {"s_lshl4_add_u32", "i:ii", [](Scalars &v) { addition(v, (u64(v.u(0)) << 4) + v.u(1)); }},
      {"s_pack_ll_b32_b16", "i:ii",
       [](Scalars &v) { v.set(half(v.u(0), 0) | half(v.u(1), 0) << 16, false); }},
      {"s_pack_lh_b32_b16", "i:ii",
       [](Scalars &v) { v.set(half(v.u(0), 0) | half(v.u(1), 1) << 16, false); }},
      {"s_pack_hh_b32_b16", "i:ii",
       [](Scalars &v) { v.set(half(v.u(0), 1) | half(v.u(1), 1) << 16, false); }},
  };
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}
