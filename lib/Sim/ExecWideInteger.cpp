// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector integer operations on register pairs. CDNA3 ISA manual section 16.10.

#include "Lanes.h"

using namespace llvm;
using namespace lowp::sim;

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

static RawDouble mov64(RawDouble a) { return a; }
/// Shifts of more than 4 are none (CDNA4 ISA manual, V_LSHL_ADD_U64).
static u64 lshlAdd64(u64 a, u32 b, u64 c) { return ((b & 7) > 4 ? a : a << (b & 7)) + c; }
static u64 lshlrev64(u32 a, u64 b) { return b << (a & 63); }
static u64 lshrrev64(u32 a, u64 b) { return b >> (a & 63); }
static u64 ashrrev64(u32 a, i64 b) { return u64(b >> (a & 63)); }

static void madU64(Engine &, Wave &wave, const Inst &inst) {
  Source<u32> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}};
  Source<u64> c{{&wave, &inst, 2}};
  u64 exec = wave.exec(), carry = 0;
  u32 low[64], high[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    u64 product = u64(a[lane]) * b[lane], sum = product + c[lane];
    carry |= u64(sum < product) << lane;
    if (inst.clamp && sum < product)
      sum = ~u64(0);
    low[lane] = u32(sum);
    high[lane] = u32(sum >> 32);
  }
  storeLanes(wave, inst.dst.reg, low, exec);
  storeLanes(wave, inst.dst.reg + 1, high, exec);
  wave.setPair(inst.sdst.reg, carry & exec);
}

static void madI64(Engine &, Wave &wave, const Inst &inst) {
  Source<i32> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}};
  Source<i64> c{{&wave, &inst, 2}};
  u64 exec = wave.exec(), bit64 = 0;
  u32 low[64], high[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    i64 sum;
    bool over = __builtin_add_overflow(i64(a[lane]) * b[lane], c[lane], &sum);
    bit64 |= u64(over != (sum < 0)) << lane; // of the sum of the sign-extended summands
    if (inst.clamp && over)
      sum = c[lane] < 0 ? INT64_MIN : INT64_MAX;
    low[lane] = u32(u64(sum));
    high[lane] = u32(u64(sum) >> 32);
  }
  storeLanes(wave, inst.dst.reg, low, exec);
  storeLanes(wave, inst.dst.reg + 1, high, exec);
  wave.setPair(inst.sdst.reg, bit64 & exec);
}

/// Two registers of 32 bits, each from either half of its source.
static void pkMov(Engine &, Wave &wave, const Inst &inst) {
  alignas(64) u32 tmp[2][64], out[2][64];
  const u32 *low = fetchSlow(wave, inst, 0, inst.opSel & 1, Reading::Int32, tmp[0]);
  const u32 *high = fetchSlow(wave, inst, 1, inst.opSel >> 1 & 1, Reading::Int32, tmp[1]);
  std::memcpy(out[0], low, 256);
  std::memcpy(out[1], high, 256);
  storeLanes(wave, inst.dst.reg, out[0], wave.exec());
  storeLanes(wave, inst.dst.reg + 1, out[1], wave.exec());
  auto defined = [&](unsigned k) {
    const Operand &source = inst.src[k];
    return source.isVgpr() ? wave.vs[source.reg + (inst.opSel >> k & 1)].valid : ~u64(0);
  };
  u64 valid[2] = {defined(0), defined(1)}, exec = wave.exec();
  for (unsigned k = 0; k < 2; ++k)
    wave.vs[inst.dst.reg + k].valid = (wave.vs[inst.dst.reg + k].valid & ~exec) | (valid[k] & exec);
}

ArrayRef<OpEntry> lowp::sim::wideIntegerOps() {
  static constexpr Unit V = Unit::Valu;
  static const OpEntry table[] = {
      {"v_mov_b64", lanes<mov64>, V, 1, Undefined::PerDword},
      {"v_pk_mov_b32", pkMov, V, 1, Undefined::Ignore, WholeDst},
      {"v_lshl_add_u64", lanes<lshlAdd64>, V, 1, Undefined::Upward},
      {"v_lshlrev_b64", lanes<lshlrev64>, V, 1, Undefined::Upward},
      {"v_lshrrev_b64", lanes<lshrrev64>, V, 1, Undefined::Merge},
      {"v_ashrrev_i64", lanes<ashrrev64>, V, 1, Undefined::Merge},
      {"v_mad_u64_u32", madU64, V, 2, Undefined::Upward, AnyClamp},
      {"v_mad_i64_i32", madI64, V, 2, Undefined::Upward, AnyClamp},
  };
  return table;
}
