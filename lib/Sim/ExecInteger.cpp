// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector integer and bit operations of 16 and 32 bits. CDNA3 ISA manual sections 16.7 to 16.10.

#include "Lanes.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace llvm;
using namespace lowp::sim;

using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

/// neg and abs apply, as to a float.
static RawFloat mov(RawFloat a) { return a; }
static u32 addU32(u32 a, u32 b) { return a + b; }
static u32 subU32(u32 a, u32 b) { return a - b; }
static u32 subrevU32(u32 a, u32 b) { return b - a; }
static u32 addI32(u32 a, u32 b) { return a + b; }
static u32 andB32(u32 a, u32 b) { return a & b; }
static u32 orB32(u32 a, u32 b) { return a | b; }
static u32 xorB32(u32 a, u32 b) { return a ^ b; }
static u32 xnorB32(u32 a, u32 b) { return ~(a ^ b); }
static u32 notB32(u32 a) { return ~a; }
static u32 lshlrev(u32 a, u32 b) { return b << (a & 31); }
static u32 lshrrev(u32 a, u32 b) { return b >> (a & 31); }
static u32 ashrrev(u32 a, i32 b) { return u32(b >> (a & 31)); }
static u32 minU32(u32 a, u32 b) { return std::min(a, b); }
static u32 maxU32(u32 a, u32 b) { return std::max(a, b); }
static i32 minI32(i32 a, i32 b) { return std::min(a, b); }
static i32 maxI32(i32 a, i32 b) { return std::max(a, b); }
static u32 mulLo(u32 a, u32 b) { return a * b; }
static u32 mulHiU32(u32 a, u32 b) { return u32(u64(a) * b >> 32); }
static u32 mulHiI32(i32 a, i32 b) { return u32(u64(i64(a) * b) >> 32); }
static i32 low24(i32 a) { return i32(u32(a) << 8) >> 8; }
static u32 mulI24(i32 a, i32 b) { return u32(i64(low24(a)) * low24(b)); }
static u32 mulHiI24(i32 a, i32 b) { return u32(u64(i64(low24(a)) * low24(b)) >> 32); }
static u32 mulU24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
static u32 mulHiU24(u32 a, u32 b) { return u32(u64(a & 0xffffff) * (b & 0xffffff) >> 32); }
static u32 madU24(u32 a, u32 b, u32 c) { return mulU24(a, b) + c; }
static u32 madI24(i32 a, i32 b, i32 c) { return mulI24(a, b) + u32(c); }
static u32 add3(u32 a, u32 b, u32 c) { return a + b + c; }
static u32 lshlAdd(u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; }
static u32 addLshl(u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }
static u32 lshlOr(u32 a, u32 b, u32 c) { return a << (b & 31) | c; }
static u32 andOr(u32 a, u32 b, u32 c) { return (a & b) | c; }
static u32 or3(u32 a, u32 b, u32 c) { return a | b | c; }
static u32 xad(u32 a, u32 b, u32 c) { return (a ^ b) + c; }
static u32 bfeU32(u32 a, u32 b, u32 c) { return a >> (b & 31) & ((1u << (c & 31)) - 1); }
static u32 bfeI32(u32 a, u32 b, u32 c) {
  u32 width = c & 31;
  if (!width)
    return 0;
  u32 field = u32(i32(a) >> (b & 31)); // a field that reaches beyond bit 31 goes on with the sign
  return u32(i32(field << (32 - width)) >> (32 - width));
}
static u32 bfi(u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }
static u32 bfm(u32 a, u32 b) { return ((1u << (a & 31)) - 1) << (b & 31); }
static u32 alignbit(u32 a, u32 b, u32 c) { return u32((u64(a) << 32 | b) >> (c & 31)); }
static u32 alignbyte(u32 a, u32 b, u32 c) { return u32((u64(a) << 32 | b) >> 8 * (c & 3)); }
static u32 perm(u32 a, u32 b, u32 c) {
  u64 both = u64(a) << 32 | b;
  u32 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    u32 select = c >> 8 * i & 0xff, byte;
    if (select < 8)
      byte = u32(both >> 8 * select) & 0xff;
    else if (select < 12) // the sign of one of the four words
      byte = both >> (16 * (select - 8) + 15) & 1 ? 0xff : 0;
    else
      byte = select == 12 ? 0 : 0xff;
    result |= byte << 8 * i;
  }
  return result;
}
static u32 bfrev(u32 a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(a);
}
static u32 ffbhU32(u32 a) { return a ? u32(countl_zero(a)) : ~0u; }
static u32 ffbhI32(u32 a) {
  u32 x = i32(a) < 0 ? ~a : a;
  return x ? u32(countl_zero(x)) : ~0u;
}
static u32 ffblB32(u32 a) { return a ? u32(countr_zero(a)) : ~0u; }
static u32 bcnt(u32 a, u32 b) { return u32(popcount(a)) + b; }
template <class T> static T med3(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}
template <class T> static T min3(T a, T b, T c) { return std::min(std::min(a, b), c); }
template <class T> static T max3(T a, T b, T c) { return std::max(std::max(a, b), c); }
static u32 ashrPk(i32 a, i32 b, u32 c, i32 low, i32 high) {
  i32 x = std::clamp(a >> (c & 31), low, high), y = std::clamp(b >> (c & 31), low, high);
  return (u32(x) & 0xff) | (u32(y) & 0xff) << 8;
}
static u16 ashrPkI8(i32 a, i32 b, u32 c) { return u16(ashrPk(a, b, c, -128, 127)); }
static u16 ashrPkU8(i32 a, i32 b, u32 c) { return u16(ashrPk(a, b, c, 0, 255)); }
static u32 prng(u32 x) { return (x << 1) ^ (x >> 31 ? 197 : 0); }

static u16 addU16(u16 a, u16 b) { return u16(a + b); }
static u16 subU16(u16 a, u16 b) { return u16(a - b); }
static u16 subrevU16(u16 a, u16 b) { return u16(b - a); }
static u16 mulLoU16(u16 a, u16 b) { return u16(u32(a) * b); }
static u16 lshlrev16(u16 a, u16 b) { return u16(b << (a & 15)); }
static u16 lshrrev16(u16 a, u16 b) { return u16(b >> (a & 15)); }
static u16 ashrrev16(u16 a, i16 b) { return u16(b >> (a & 15)); }
static u16 minU16(u16 a, u16 b) { return std::min(a, b); }
static u16 maxU16(u16 a, u16 b) { return std::max(a, b); }
static i16 minI16(i16 a, i16 b) { return std::min(a, b); }
static i16 maxI16(i16 a, i16 b) { return std::max(a, b); }
static u16 madU16(u16 a, u16 b, u16 c) { return u16(u32(a) * b + c); }
static u16 madI16(i16 a, i16 b, i16 c) { return u16(i32(a) * b + c); }

// What saturates with clamp, in exact arithmetic.
static i64 exactAddU32(u32 a, u32 b) { return i64(a) + b; }
static i64 exactSubU32(u32 a, u32 b) { return i64(a) - b; }
static i64 exactSubrevU32(u32 a, u32 b) { return i64(b) - a; }
static i64 exactAddI32(i32 a, i32 b) { return i64(a) + b; }
static i64 exactSubI32(i32 a, i32 b) { return i64(a) - b; }
static i64 exactAddU16(u16 a, u16 b) { return i64(a) + b; }
static i64 exactSubU16(u16 a, u16 b) { return i64(a) - b; }
static i64 exactSubrevU16(u16 a, u16 b) { return i64(b) - a; }
static i64 exactAddI16(i16 a, i16 b) { return i64(a) + b; }
static i64 exactSubI16(i16 a, i16 b) { return i64(a) - b; }
static i64 exactMulU16(u16 a, u16 b) { return i64(a) * b; }
static i64 exactMadU16(u16 a, u16 b, u16 c) { return i64(a) * b + c; }
static i64 exactMadI16(i16 a, i16 b, i16 c) { return i64(a) * b + c; }
static i64 exactMulU24(u32 a, u32 b) { return i64(a & 0xffffff) * (b & 0xffffff); }
static i64 exactMulI24(i32 a, i32 b) { return i64(low24(a)) * low24(b); }
static i64 exactMadU24(u32 a, u32 b, u32 c) { return exactMulU24(a, b) + c; }
static i64 exactMadI24(i32 a, i32 b, i32 c) { return exactMulI24(a, b) + c; }
static i64 exactMadU32U16(u16 a, u16 b, u32 c) { return i64(a) * b + c; }
static i64 exactMadI32I16(i16 a, i16 b, i32 c) { return i64(a) * b + c; }
static u32 madU32U16(u16 a, u16 b, u32 c) { return u32(a) * b + c; }
static u32 madI32I16(i16 a, i16 b, i32 c) { return u32(i32(a) * b) + u32(c); }

// -- carries
// ------------------------------------------------------------------------------------------------------------

enum CarryOp : uint16_t { Add, Sub, SubRev };
/// v_add_co and friends: destination, carry out, two sources, and for addc the carry in as third.
static void withCarry(Engine &, Wave &wave, const Inst &inst) {
  Source<u32> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}};
  u64 exec = activeLanes(wave, inst), carryIn = inst.sources > 2 ? wave.pair(inst.src[2].reg) : 0,
      carryOut = 0;
  u32 out[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    u64 x = a[lane], y = b[lane], carry = carryIn >> lane & 1, r;
    if (inst.op->param == SubRev)
      std::swap(x, y);
    if (inst.op->param == Add)
      r = x + y + carry;
    else
      r = x - y - carry;
    bool over = r >> 32;
    out[lane] = inst.clamp && over ? (inst.op->param == Add ? ~0u : 0) : u32(r);
    carryOut |= u64(over) << lane;
  }
  if (inst.sdwa)
    storePartial(wave, inst, out, exec, false);
  else
    storeLanes(wave, inst.dst.reg, out, exec);
  wave.setPair(inst.sdst.reg, carryOut & exec);
}

static void cndmask(Engine &, Wave &wave, const Inst &inst) {
  Source<RawFloat> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}}; // neg and abs apply as to floats
  alignas(64) u32 out[64];
  u64 mask = wave.pair(inst.src[2].reg);
  for (unsigned lane = 0; lane < 64; ++lane)
    out[lane] = mask >> lane & 1 ? b[lane].bits : a[lane].bits;
  if (inst.sdwa)
    return storePartial(wave, inst, out, activeLanes(wave, inst), false);
  storeLanes(wave, inst.dst.reg, out, activeLanes(wave, inst));
}

/// The truth table: bit (a << 2 | b << 1 | c). T is u32, or u16, which takes op_sel and keeps the other half.
template <typename T> static void bitop3(Engine &, Wave &wave, const Inst &inst) {
  Source<T> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}}, c{{&wave, &inst, 2}};
  u32 out[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    T r = 0;
    for (unsigned row = 0; row < 8; ++row)
      if (inst.simm >> row & 1)
        r |= (row & 4 ? a[lane] : ~a[lane]) & (row & 2 ? b[lane] : ~b[lane]) & (row & 1 ? c[lane] : ~c[lane]);
    out[lane] = r;
  }
  if constexpr (sizeof(T) == 2)
    storePartial(wave, inst, out, wave.exec(), /*sixteen=*/true);
  else
    storeLanes(wave, inst.dst.reg, out, wave.exec());
}

static void swapLanes(Engine &, Wave &wave, const Inst &inst) {
  u64 exec = wave.exec();
  u32 *a = wave.v[inst.dst.reg], *b = wave.v[inst.src[0].reg];
  for (unsigned lane = 0; lane < 64; ++lane)
    if (exec >> lane & 1)
      std::swap(a[lane], b[lane]);
  std::swap(wave.vs[inst.dst.reg].valid, wave.vs[inst.src[0].reg].valid);
}

/// v_clrexcp, too: exceptions are not kept.
static void vectorNop(Engine &, Wave &, const Inst &) {}

static constexpr Unit V = Unit::Valu;
static constexpr Undefined M = Undefined::Merge;

ArrayRef<OpEntry> lowp::sim::integerOps() {
  static const OpEntry table[] = {
      {"v_nop", vectorNop, V, 0},
      {"v_clrexcp", vectorNop, V, 0},
      {"v_mov_b32", lanes<mov>, V, 1, M},
      {"v_accvgpr_read_b32", lanes<mov>, V, 1, M},
      {"v_accvgpr_write_b32", lanes<mov>, V, 1, M},
      {"v_accvgpr_mov_b32", lanes<mov>, V, 1, M},
      {"v_swap_b32", swapLanes, V, 1, Undefined::Ignore, ReadsDst | WholeDst},
      {"v_cndmask_b32", cndmask, V, 1, M},
      {"v_add_u32", clampable<addU32, u32, exactAddU32>, V, 1, M, AnyClamp},
      {"v_sub_u32", clampable<subU32, u32, exactSubU32>, V, 1, M, AnyClamp},
      {"v_subrev_u32", clampable<subrevU32, u32, exactSubrevU32>, V, 1, M, AnyClamp},
      {"v_add_i32", clampable<addI32, i32, exactAddI32>, V, 1, M, AnyClamp},
      {"v_sub_i32", clampable<subU32, i32, exactSubI32>, V, 1, M, AnyClamp},
      {"v_add_co_u32", withCarry, V, 2, M, AnyClamp, Add},
      {"v_sub_co_u32", withCarry, V, 2, M, AnyClamp, Sub},
      {"v_subrev_co_u32", withCarry, V, 2, M, AnyClamp, SubRev},
      {"v_addc_co_u32", withCarry, V, 2, M, AnyClamp, Add},
      {"v_subb_co_u32", withCarry, V, 2, M, AnyClamp, Sub},
      {"v_subbrev_co_u32", withCarry, V, 2, M, AnyClamp, SubRev},
      {"v_and_b32", lanes<andB32>, V, 1, M},
      {"v_or_b32", lanes<orB32>, V, 1, M},
      {"v_xor_b32", lanes<xorB32>, V, 1, M},
      {"v_xnor_b32", lanes<xnorB32>, V, 1, M},
      {"v_not_b32", lanes<notB32>, V, 1, M},
      {"v_lshlrev_b32", lanes<lshlrev>, V, 1, M},
      {"v_lshrrev_b32", lanes<lshrrev>, V, 1, M},
      {"v_ashrrev_i32", lanes<ashrrev>, V, 1, M},
      {"v_min_u32", lanes<minU32>, V, 1, M},
      {"v_max_u32", lanes<maxU32>, V, 1, M},
      {"v_min_i32", lanes<minI32>, V, 1, M},
      {"v_max_i32", lanes<maxI32>, V, 1, M},
      {"v_mul_lo_u32", lanes<mulLo>, V, 1, M},
      {"v_mul_hi_u32", lanes<mulHiU32>, V, 1, M},
      {"v_mul_hi_i32", lanes<mulHiI32>, V, 1, M},
      {"v_mul_i32_i24", clampable<mulI24, i32, exactMulI24>, V, 1, M, AnyClamp},
      {"v_mul_hi_i32_i24", lanes<mulHiI24>, V, 1, M},
      {"v_mul_u32_u24", clampable<mulU24, u32, exactMulU24>, V, 1, M, AnyClamp},
      {"v_mul_hi_u32_u24", lanes<mulHiU24>, V, 1, M},
      {"v_mad_u32_u24", clampable<madU24, u32, exactMadU24>, V, 1, M, AnyClamp},
      {"v_mad_i32_i24", clampable<madI24, i32, exactMadI24>, V, 1, M, AnyClamp},
      {"v_add3_u32", lanes<add3>, V, 1, M},
      {"v_lshl_add_u32", lanes<lshlAdd>, V, 1, M},
      {"v_add_lshl_u32", lanes<addLshl>, V, 1, M},
      {"v_lshl_or_b32", lanes<lshlOr>, V, 1, M},
      {"v_and_or_b32", lanes<andOr>, V, 1, M},
      {"v_or3_b32", lanes<or3>, V, 1, M},
      {"v_xad_u32", lanes<xad>, V, 1, M},
      {"v_bfe_u32", lanes<bfeU32>, V, 1, M},
      {"v_bfe_i32", lanes<bfeI32>, V, 1, M},
      {"v_bfi_b32", lanes<bfi>, V, 1, M},
      {"v_bfm_b32", lanes<bfm>, V, 1, M},
      {"v_alignbit_b32", lanes<alignbit>, V, 1, M},
      {"v_alignbyte_b32", lanes<alignbyte>, V, 1, M},
      {"v_perm_b32", lanes<perm>, V, 1, M},
      {"v_bfrev_b32", lanes<bfrev>, V, 1, M},
      {"v_ffbh_u32", lanes<ffbhU32>, V, 1, M},
      {"v_ffbh_i32", lanes<ffbhI32>, V, 1, M},
      {"v_ffbl_b32", lanes<ffblB32>, V, 1, M},
      {"v_bcnt_u32_b32", lanes<bcnt>, V, 1, M},
      {"v_med3_u32", lanes<med3<u32>>, V, 1, M},
      {"v_med3_i32", lanes<med3<i32>>, V, 1, M},
      {"v_min3_u32", lanes<min3<u32>>, V, 1, M},
      {"v_min3_i32", lanes<min3<i32>>, V, 1, M},
      {"v_max3_u32", lanes<max3<u32>>, V, 1, M},
      {"v_max3_i32", lanes<max3<i32>>, V, 1, M},
      {"v_mad_u32_u16", clampable<madU32U16, u32, exactMadU32U16>, V, 1, M, AnyClamp},
      {"v_mad_i32_i16", clampable<madI32I16, i32, exactMadI32I16>, V, 1, M, AnyClamp},
      {"v_bitop3_b32", bitop3<u32>, V, 1, M},
      {"v_bitop3_b16", bitop3<u16>, V, 1, M, KeepsHigh | PartialDst},
      {"v_ashr_pk_i8_i32", lanes<ashrPkI8>, V, 1, M, KeepsHigh | PartialDst},
      {"v_ashr_pk_u8_i32", lanes<ashrPkU8>, V, 1, M, KeepsHigh | PartialDst},
      {"v_prng_b32", lanes<prng>, V, 1, M},
      {"v_add_u16", clampable<addU16, u16, exactAddU16>, V, 1, M, AnyClamp},
      {"v_sub_u16", clampable<subU16, u16, exactSubU16>, V, 1, M, AnyClamp},
      {"v_subrev_u16", clampable<subrevU16, u16, exactSubrevU16>, V, 1, M, AnyClamp},
      {"v_add_i16", clampable<addU16, i16, exactAddI16>, V, 1, M, AnyClamp | KeepsHigh | PartialDst},
      {"v_sub_i16", clampable<subU16, i16, exactSubI16>, V, 1, M, AnyClamp | KeepsHigh | PartialDst},
      {"v_mul_lo_u16", clampable<mulLoU16, u16, exactMulU16>, V, 1, M, AnyClamp},
      {"v_lshlrev_b16", lanes<lshlrev16>, V, 1, M},
      {"v_lshrrev_b16", lanes<lshrrev16>, V, 1, M},
      {"v_ashrrev_i16", lanes<ashrrev16>, V, 1, M},
      {"v_min_u16", lanes<minU16>, V, 1, M},
      {"v_max_u16", lanes<maxU16>, V, 1, M},
      {"v_min_i16", lanes<minI16>, V, 1, M},
      {"v_max_i16", lanes<maxI16>, V, 1, M},
      {"v_mad_u16", clampable<madU16, u16, exactMadU16>, V, 1, M, AnyClamp | KeepsHigh | PartialDst},
      {"v_mad_i16", clampable<madI16, i16, exactMadI16>, V, 1, M, AnyClamp | KeepsHigh | PartialDst},
      {"v_mad_legacy_u16", clampable<madU16, u16, exactMadU16>, V, 1, M, AnyClamp},
      {"v_mad_legacy_i16", clampable<madI16, i16, exactMadI16>, V, 1, M, AnyClamp},
      {"v_med3_u16", lanes<med3<u16>>, V, 1, M, KeepsHigh | PartialDst},
      {"v_med3_i16", lanes<med3<i16>>, V, 1, M, KeepsHigh | PartialDst},
      {"v_min3_u16", lanes<min3<u16>>, V, 1, M, KeepsHigh | PartialDst},
      {"v_min3_i16", lanes<min3<i16>>, V, 1, M, KeepsHigh | PartialDst},
      {"v_max3_u16", lanes<max3<u16>>, V, 1, M, KeepsHigh | PartialDst},
      {"v_max3_i16", lanes<max3<i16>>, V, 1, M, KeepsHigh | PartialDst},
  };
  return table;
}
