// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed operations (VOP3P): two 16-bit operations in one register, or two f32 operations in a register pair.
// op_sel chooses the half that feeds the low result, op_sel_hi the one for the high result; neg_lo and neg_hi
// likewise. CDNA3 ISA manual sections 6.6 and 16.11.

#include "FusedMultiplyAdd.h"
#include "Lanes.h"
#include <algorithm>

using namespace llvm;
using namespace lowp::sim;

using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;

/// Dword of source k for lane access without modifiers.
static const u32 *raw(const Wave &wave, const Inst &inst, unsigned k, unsigned dword, u32 *tmp) {
  const Operand &operand = inst.src[k];
  if (operand.isVgpr())
    return wave.v[operand.reg + dword];
  // Constants are 32 bits; for pairs of f32 both are the same. Of 16-bit operations integers are extended
  // with their sign, and floats have a zero upper half (LLVM's getInlineEncodingV216).
  splat(tmp, operand.isSgpr() ? wave.s[operand.reg + dword] : u32(operand.imm));
  return tmp;
}

template <class T> static T half(const Wave &wave, const Inst &inst, u32 bits, unsigned k, bool high) {
  bool upper = (high ? inst.opSelHi : inst.opSel) >> k & 1;
  u16 part = u16(upper ? bits >> 16 : bits);
  if constexpr (std::is_same_v<T, Half>) {
    if ((high ? inst.negHi : inst.negLo) >> k & 1)
      part ^= 0x8000;
    return wave.flushF16 ? flushDenormal(Half{part}) : Half{part};
  } else {
    return T(part);
  }
}
static u16 bitsOf(Half h) { return h.bits; }
static u16 bitsOf(u16 x) { return x; }
static u16 bitsOf(i16 x) { return u16(x); }

template <auto Fn, class R, class... A, size_t... K>
static void runPacked(Wave &wave, const Inst &inst, R (*)(A...), std::index_sequence<K...>) {
  alignas(64) u32 tmp[3][64], out[64];
  const u32 *p[3] = {};
  for (unsigned k = 0; k < sizeof...(A); ++k)
    p[k] = raw(wave, inst, k, 0, tmp[k]);
  for (unsigned lane = 0; lane < 64; ++lane) {
    u16 result[2];
    for (unsigned high = 0; high < 2; ++high) {
      R value = Fn(half<A>(wave, inst, p[K][lane], K, high)...);
      if constexpr (std::is_same_v<R, Half>)
        value = finishHalf(wave, inst, value);
      result[high] = bitsOf(value);
    }
    out[lane] = result[0] | u32(result[1]) << 16;
  }
  storeLanes(wave, inst.dst.reg, out, wave.exec());
}
template <auto Fn, class R, class... A> static void deducePacked(Wave &wave, const Inst &inst, R (*)(A...)) {
  runPacked<Fn>(wave, inst, Fn, std::index_sequence_for<A...>{});
}
template <auto Fn> static void packed(Engine &, Wave &wave, const Inst &inst) {
  deducePacked<Fn>(wave, inst, Fn);
}

template <auto Plain, auto Ieee> static void packedByIeee(Engine &engine, Wave &wave, const Inst &inst) {
  wave.ieee ? packed<Ieee>(engine, wave, inst) : packed<Plain>(engine, wave, inst);
}
/// Integer operations that saturate with clamp, as `clampable` is for one per lane.
template <auto Plain, class R, auto Exact>
static void packedClampable(Engine &engine, Wave &wave, const Inst &inst) {
  inst.clamp ? packed<saturating<R, Exact>(Exact)>(engine, wave, inst) : packed<Plain>(engine, wave, inst);
}

static double wide(Half h) { return toFloat(h); }
static Half addH(Half a, Half b) { return toHalf(wide(a) + wide(b)); }
static Half mulH(Half a, Half b) { return toHalf(wide(a) * wide(b)); }
static Half fmaH(Half a, Half b, Half c) { return toHalf(wide(a) * wide(b) + wide(c)); }
static bool isNan(Half h) { return (h.bits & 0x7fff) > 0x7c00; }
static Half quiet(Half h) { return {u16(h.bits | 0x200)}; }
/// Of operands of which one is NaN. With `Ieee`, a signalling NaN gives its quiet form.
template <bool Ieee> Half ofNan(Half a, Half b) {
  if (Ieee && isNan(a) && !(a.bits & 0x200))
    return quiet(a);
  if (Ieee && isNan(b) && !(b.bits & 0x200))
    return quiet(b);
  return isNan(a) ? b : a;
}
static bool less(Half a, Half b) {
  float x = toFloat(a), y = toFloat(b);
  return x < y || (x == 0 && y == 0 && a.bits == 0x8000 && b.bits == 0);
}
template <bool I> Half minH(Half a, Half b) {
  return isNan(a) || isNan(b) ? ofNan<I>(a, b) : less(b, a) ? b : a;
}
template <bool I> Half maxH(Half a, Half b) {
  return isNan(a) || isNan(b) ? ofNan<I>(a, b) : less(a, b) ? b : a;
}
// NaN wins, made quiet.
static Half minNan(Half a, Half b) { return isNan(a) ? quiet(a) : isNan(b) ? quiet(b) : minH<false>(a, b); }
static Half maxNan(Half a, Half b) { return isNan(a) ? quiet(a) : isNan(b) ? quiet(b) : maxH<false>(a, b); }
static Half minimum3H(Half a, Half b, Half c) { return minNan(minNan(a, b), c); }
static Half maximum3H(Half a, Half b, Half c) { return maxNan(maxNan(a, b), c); }
static u16 addU(u16 a, u16 b) { return u16(a + b); }
static u16 subU(u16 a, u16 b) { return u16(a - b); }
static u16 mulU(u16 a, u16 b) { return u16(u32(a) * b); }
static u16 madU(u16 a, u16 b, u16 c) { return u16(u32(a) * b + c); }
static u16 minU(u16 a, u16 b) { return std::min(a, b); }
static u16 maxU(u16 a, u16 b) { return std::max(a, b); }
static i16 minI(i16 a, i16 b) { return std::min(a, b); }
static i16 maxI(i16 a, i16 b) { return std::max(a, b); }
static u16 lshlrev(u16 a, u16 b) { return u16(b << (a & 15)); }
static u16 lshrrev(u16 a, u16 b) { return u16(b >> (a & 15)); }
static u16 ashrrev(u16 a, i16 b) { return u16(b >> (a & 15)); }

// What saturates with clamp, in exact arithmetic.
static int64_t exactAddU(u16 a, u16 b) { return int64_t(a) + b; }
static int64_t exactSubU(u16 a, u16 b) { return int64_t(a) - b; }
static int64_t exactMulU(u16 a, u16 b) { return int64_t(a) * b; }
static int64_t exactMadU(u16 a, u16 b, u16 c) { return int64_t(a) * b + c; }
static int64_t exactAddI(i16 a, i16 b) { return int64_t(a) + b; }
static int64_t exactSubI(i16 a, i16 b) { return int64_t(a) - b; }
static int64_t exactMadI(i16 a, i16 b, i16 c) { return int64_t(a) * b + c; }

enum PairOp : uint16_t { PairAdd, PairMul, PairFma };
static void pairs(Engine &, Wave &wave, const Inst &inst) {
  unsigned sources = inst.op->param == PairFma ? 3 : 2;
  alignas(64) u32 tmp[3][64], negated[3][64], out[2][64];
  for (unsigned high = 0; high < 2; ++high) {
    const u32 *p[3];
    for (unsigned k = 0; k < sources; ++k) {
      bool upper = (high ? inst.opSelHi : inst.opSel) >> k & 1;
      p[k] = raw(wave, inst, k, upper, tmp[k]);
      if ((high ? inst.negHi : inst.negLo) >> k & 1) {
        for (unsigned lane = 0; lane < 64; ++lane)
          negated[k][lane] = p[k][lane] ^ 0x80000000;
        p[k] = negated[k];
      }
      if (wave.flushF32) {
        for (unsigned lane = 0; lane < 64; ++lane)
          negated[k][lane] = asBits(flushDenormal(asFloat(p[k][lane])));
        p[k] = negated[k];
      }
    }
    if (inst.op->param == PairFma) {
      fusedMultiplyAdd(p[0], p[1], p[2], out[high]);
    } else {
      bool multiply = inst.op->param == PairMul;
      for (unsigned lane = 0; lane < 64; ++lane) {
        float a = asFloat(p[0][lane]), b = asFloat(p[1][lane]);
        out[high][lane] = asBits(multiply ? a * b : a + b);
      }
    }
    finishFloats(wave, inst, out[high]);
  }
  storeLanes(wave, inst.dst.reg, out[0], wave.exec());
  storeLanes(wave, inst.dst.reg + 1, out[1], wave.exec());
}

ArrayRef<OpEntry> lowp::sim::packedOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report, M = Undefined::Merge;
  static const OpEntry table[] = {
      {"v_pk_add_f16", packed<addH>, V, 1, M, FloatClamp},
      {"v_pk_mul_f16", packed<mulH>, V, 1, M, FloatClamp},
      {"v_pk_fma_f16", packed<fmaH>, V, 1, M, FloatClamp},
      {"v_pk_fmac_f16", packed<fmaH>, V, 1, M, FloatClamp | TiedSource},
      {"v_pk_min_f16", packedByIeee<minH<false>, minH<true>>, V, 1, M, FloatClamp},
      {"v_pk_max_f16", packedByIeee<maxH<false>, maxH<true>>, V, 1, M, FloatClamp},
      {"v_pk_minimum3_f16", packed<minimum3H>, V, 1, M, FloatClamp},
      {"v_pk_maximum3_f16", packed<maximum3H>, V, 1, M, FloatClamp},
      {"v_pk_add_u16", packedClampable<addU, u16, exactAddU>, V, 1, M, AnyClamp},
      {"v_pk_sub_u16", packedClampable<subU, u16, exactSubU>, V, 1, M, AnyClamp},
      {"v_pk_add_i16", packedClampable<addU, i16, exactAddI>, V, 1, M, AnyClamp},
      {"v_pk_sub_i16", packedClampable<subU, i16, exactSubI>, V, 1, M, AnyClamp},
      {"v_pk_mul_lo_u16", packedClampable<mulU, u16, exactMulU>, V, 1, M, AnyClamp},
      {"v_pk_mad_u16", packedClampable<madU, u16, exactMadU>, V, 1, M, AnyClamp},
      {"v_pk_mad_i16", packedClampable<madU, i16, exactMadI>, V, 1, M, AnyClamp},
      {"v_pk_min_u16", packed<minU>, V, 1, M},
      {"v_pk_max_u16", packed<maxU>, V, 1, M},
      {"v_pk_min_i16", packed<minI>, V, 1, M},
      {"v_pk_max_i16", packed<maxI>, V, 1, M},
      {"v_pk_lshlrev_b16", packed<lshlrev>, V, 1, M},
      {"v_pk_lshrrev_b16", packed<lshrrev>, V, 1, M},
      {"v_pk_ashrrev_i16", packed<ashrrev>, V, 1, M},
      {"v_pk_add_f32", pairs, V, 1, R, FloatClamp | PairSelect, PairAdd},
      {"v_pk_mul_f32", pairs, V, 1, R, FloatClamp | PairSelect, PairMul},
      {"v_pk_fma_f32", pairs, V, 1, R, FloatClamp | PairSelect, PairFma},
  };
  return table;
}
