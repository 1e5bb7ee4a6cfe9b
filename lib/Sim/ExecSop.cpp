// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar arithmetic (SOP1, SOP2, SOPK, SOPC). CDNA3 ISA manual sections 5 and 16.1 to 16.4.

#include "Engine.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace lowp::sim;

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

static u32 read32(const Wave &wave, const Operand &operand) {
  return operand.isSgpr() ? wave.s[operand.reg] : u32(operand.imm);
}
static u64 read64(const Wave &wave, const Operand &operand) {
  return operand.isSgpr() ? wave.pair(operand.reg) : operand.imm;
}

// A scalar operation: the result, and SCC through the reference where it writes it.
template <u32 (*Fn)(u32, u32, bool &)> static void binary(Engine &, Wave &wave, const Inst &inst) {
  bool scc = wave.scc();
  u32 result = Fn(read32(wave, inst.src[0]), read32(wave, inst.src[1]), scc);
  wave.s[inst.dst.reg] = result;
  wave.setScc(scc);
}
template <u64 (*Fn)(u64, u64, bool &)> static void binary64(Engine &, Wave &wave, const Inst &inst) {
  bool scc = wave.scc();
  u64 result = Fn(read64(wave, inst.src[0]), read64(wave, inst.src[1]), scc);
  wave.setPair(inst.dst.reg, result);
  wave.setScc(scc);
}
template <u64 (*Fn)(u64, u64, bool &)> static void shift64(Engine &, Wave &wave, const Inst &inst) {
  bool scc = wave.scc();
  u64 result = Fn(read64(wave, inst.src[0]), read32(wave, inst.src[1]), scc);
  wave.setPair(inst.dst.reg, result);
  wave.setScc(scc);
}
template <u32 (*Fn)(u32, bool &)> static void unary(Engine &, Wave &wave, const Inst &inst) {
  bool scc = wave.scc();
  wave.s[inst.dst.reg] = Fn(read32(wave, inst.src[0]), scc);
  wave.setScc(scc);
}
template <u64 (*Fn)(u64, bool &)> static void unary64(Engine &, Wave &wave, const Inst &inst) {
  bool scc = wave.scc();
  wave.setPair(inst.dst.reg, Fn(read64(wave, inst.src[0]), scc));
  wave.setScc(scc);
}
template <u32 (*Fn)(u64, bool &)> static void unary64To32(Engine &, Wave &wave, const Inst &inst) {
  bool scc = wave.scc();
  wave.s[inst.dst.reg] = Fn(read64(wave, inst.src[0]), scc);
  wave.setScc(scc);
}
template <bool (*Fn)(u32, u32)> static void compare(Engine &, Wave &wave, const Inst &inst) {
  wave.setScc(Fn(read32(wave, inst.src[0]), read32(wave, inst.src[1])));
}
template <bool (*Fn)(u32, u32)> static void compareK(Engine &, Wave &wave, const Inst &inst) {
  bool isSigned = StringRef(inst.op->name).ends_with("i32");
  u32 k = isSigned ? u32(i32(int16_t(inst.src[1].imm))) : u32(uint16_t(inst.src[1].imm));
  wave.setScc(Fn(read32(wave, inst.src[0]), k));
}
/// EXEC and its old value: s_<op>_saveexec_b64.
template <u64 (*Fn)(u64, u64)> static void saveExec(Engine &, Wave &wave, const Inst &inst) {
  u64 old = wave.exec(), source = read64(wave, inst.src[0]);
  wave.setPair(inst.dst.reg, old);
  wave.setPair(ExecReg, Fn(source, old));
  wave.setScc(wave.exec() != 0);
}

static u32 addU32(u32 a, u32 b, bool &scc) {
  u32 r = a + b;
  scc = r < a;
  return r;
}
static u32 subU32(u32 a, u32 b, bool &scc) {
  scc = b > a;
  return a - b;
}
static u32 addI32(u32 a, u32 b, bool &scc) {
  i32 r;
  scc = __builtin_add_overflow(i32(a), i32(b), &r);
  return u32(r);
}
static u32 subI32(u32 a, u32 b, bool &scc) {
  i32 r;
  scc = __builtin_sub_overflow(i32(a), i32(b), &r);
  return u32(r);
}
static u32 addcU32(u32 a, u32 b, bool &scc) {
  u64 r = u64(a) + b + scc;
  scc = r >> 32;
  return u32(r);
}
static u32 subbU32(u32 a, u32 b, bool &scc) {
  u64 take = u64(b) + scc;
  scc = take > a;
  return u32(a - take);
}
static u32 mulI32(u32 a, u32 b, bool &) { return a * b; }
static u32 mulHiU32(u32 a, u32 b, bool &) { return u32(u64(a) * b >> 32); }
static u32 mulHiI32(u32 a, u32 b, bool &) { return u32(i64(i32(a)) * i32(b) >> 32); }
static u32 minI32(u32 a, u32 b, bool &scc) { return (scc = i32(a) < i32(b)) ? a : b; }
static u32 minU32(u32 a, u32 b, bool &scc) { return (scc = a < b) ? a : b; }
// Of equal operands the first is taken: SCC is set (CDNA4 ISA manual, S_MAX_I32).
static u32 maxI32(u32 a, u32 b, bool &scc) { return (scc = i32(a) >= i32(b)) ? a : b; }
static u32 maxU32(u32 a, u32 b, bool &scc) { return (scc = a >= b) ? a : b; }
static u32 select32(u32 a, u32 b, bool &scc) { return scc ? a : b; }
static u64 select64(u64 a, u64 b, bool &scc) { return scc ? a : b; }

// Logic: SCC = result is not zero.
template <class T, T (*Fn)(T, T)> static T logic(T a, T b, bool &scc) {
  T r = Fn(a, b);
  scc = r != 0;
  return r;
}
template <class T> static T andOp(T a, T b) { return a & b; }
template <class T> static T orOp(T a, T b) { return a | b; }
template <class T> static T xorOp(T a, T b) { return a ^ b; }
template <class T> static T andn2Op(T a, T b) { return a & ~b; }
template <class T> static T orn2Op(T a, T b) { return a | ~b; }
template <class T> static T nandOp(T a, T b) { return ~(a & b); }
template <class T> static T norOp(T a, T b) { return ~(a | b); }
template <class T> static T xnorOp(T a, T b) { return ~(a ^ b); }
template <class T> static T andn1Op(T a, T b) { return ~a & b; }
template <class T> static T orn1Op(T a, T b) { return ~a | b; }
template <class T> static T shlOp(T a, T b) { return a << (b & (sizeof(T) * 8 - 1)); }
template <class T> static T shrOp(T a, T b) { return a >> (b & (sizeof(T) * 8 - 1)); }
static u32 ashr32(u32 a, u32 b) { return u32(i32(a) >> (b & 31)); }
static u64 ashr64(u64 a, u64 b) { return u64(i64(a) >> (b & 63)); }

template <unsigned Shift> static u32 shlAdd(u32 a, u32 b, bool &scc) {
  u64 r = (u64(a) << Shift) + b;
  scc = r >> 32;
  return u32(r);
}
static u32 bfm32(u32 a, u32 b, bool &) { return ((1u << (a & 31)) - 1) << (b & 31); }
static u64 bfm64(u64 a, u64 b, bool &) { return ((u64(1) << (a & 63)) - 1) << (b & 63); }
static u32 bfeU32(u32 a, u32 b, bool &scc) {
  u32 offset = b & 31, width = b >> 16 & 127;
  u32 r = width == 0 ? 0 : width >= 32 ? a >> offset : a >> offset & ((1u << width) - 1);
  scc = r != 0;
  return r;
}
static u32 bfeI32(u32 a, u32 b, bool &scc) {
  u32 offset = b & 31, width = b >> 16 & 127;
  u32 r = 0;
  if (width) {
    width = std::min(width, 32 - offset);
    r = u32(i32(a << (32 - offset - width)) >> (32 - width));
  }
  scc = r != 0;
  return r;
}
static u64 bfeU64(u64 a, u64 b, bool &scc) {
  u64 offset = b & 63, width = b >> 16 & 127;
  u64 r = width == 0 ? 0 : width >= 64 ? a >> offset : a >> offset & ((u64(1) << width) - 1);
  scc = r != 0;
  return r;
}
static u64 bfeI64(u64 a, u64 b, bool &scc) {
  u64 offset = b & 63, width = b >> 16 & 127, r = 0;
  if (width) {
    width = std::min(width, 64 - offset);
    r = u64(i64(a << (64 - offset - width)) >> (64 - width));
  }
  scc = r != 0;
  return r;
}
static u32 packLL(u32 a, u32 b, bool &) { return (a & 0xffff) | b << 16; }
static u32 packLH(u32 a, u32 b, bool &) { return (a & 0xffff) | (b & 0xffff0000); }
static u32 packHH(u32 a, u32 b, bool &) { return a >> 16 | (b & 0xffff0000); }
static u32 absdiff(u32 a, u32 b, bool &scc) {
  i32 d = i32(a - b);
  u32 r = d < 0 ? u32(-i64(d)) : u32(d);
  scc = r != 0;
  return r;
}

static u32 mov32(u32 a, bool &) { return a; }
static u64 mov64(u64 a, bool &) { return a; }
static u32 not32(u32 a, bool &scc) {
  scc = ~a != 0;
  return ~a;
}
static u64 not64(u64 a, bool &scc) {
  scc = ~a != 0;
  return ~a;
}
static u32 brev32(u32 a, bool &) {
  u32 r = 0;
  for (unsigned i = 0; i < 32; ++i)
    r |= (a >> i & 1) << (31 - i);
  return r;
}
static u64 brev64(u64 a, bool &scc) { return u64(brev32(u32(a), scc)) << 32 | brev32(u32(a >> 32), scc); }
static u32 bcnt1_32(u32 a, bool &scc) {
  u32 r = popcount(a);
  scc = r != 0;
  return r;
}
static u32 bcnt1_64(u64 a, bool &scc) {
  u32 r = popcount(a);
  scc = r != 0;
  return r;
}
static u32 bcnt0_32(u32 a, bool &scc) { return bcnt1_32(~a, scc); }
static u32 bcnt0_64(u64 a, bool &scc) { return bcnt1_64(~a, scc); }
static u32 ff1_32(u32 a, bool &) { return a ? countr_zero(a) : ~0u; }
static u32 ff1_64(u64 a, bool &) { return a ? countr_zero(a) : ~0u; }
static u32 ff0_32(u32 a, bool &scc) { return ff1_32(~a, scc); }
static u32 ff0_64(u64 a, bool &scc) { return ff1_64(~a, scc); }
static u32 flbit32(u32 a, bool &) { return a ? countl_zero(a) : ~0u; }
static u32 flbit64(u64 a, bool &) { return a ? countl_zero(a) : ~0u; }
static u32 flbitI32(u32 a, bool &scc) {
  u32 x = i32(a) < 0 ? ~a : a;
  return flbit32(x, scc);
}
static u32 flbitI64(u64 a, bool &scc) {
  u64 x = i64(a) < 0 ? ~a : a;
  return flbit64(x, scc);
}
static u32 sext8(u32 a, bool &) { return u32(i32(int8_t(a))); }
static u32 sext16(u32 a, bool &) { return u32(i32(int16_t(a))); }
static u32 abs32(u32 a, bool &scc) {
  u32 r = i32(a) < 0 ? 0 - a : a;
  scc = r != 0;
  return r;
}

/// Groups of four bits: one bit for each that has any set.
template <class T> static T quadmask(T a, bool &scc) {
  T r = 0;
  for (unsigned i = 0; i < sizeof(T) * 2; ++i)
    r |= T((a >> 4 * i & 15) != 0) << i;
  scc = r != 0;
  return r;
}
/// Whole quads: all four bits of each group that has any set.
template <class T> static T wholeQuads(T a, bool &scc) {
  T r = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; i += 4)
    r |= T((a >> i & 15) != 0 ? 15 : 0) << i;
  scc = r != 0;
  return r;
}
static u64 bitreplicate(u32 a) {
  u64 r = 0;
  for (unsigned i = 0; i < 32; ++i)
    r |= u64(a >> i & 1 ? 3 : 0) << 2 * i;
  return r;
}
static void bitreplicate64(Engine &, Wave &wave, const Inst &inst) {
  wave.setPair(inst.dst.reg, bitreplicate(read32(wave, inst.src[0])));
}
/// EXEC and its new value: s_<op>_wrexec_b64.
template <u64 (*Fn)(u64, u64)> static void writeExec(Engine &, Wave &wave, const Inst &inst) {
  wave.setPair(ExecReg, Fn(read64(wave, inst.src[0]), wave.exec()));
  wave.setPair(inst.dst.reg, wave.exec());
  wave.setScc(wave.exec() != 0);
}

// -- relative moves: M0 is added to the register number, for 64 bits as well
enum Relative : uint16_t { RelativeSource = 1, RelativeWide = 2 };
static void moveRelative(Engine &engine, Wave &wave, const Inst &inst) {
  // The destination is an operand like the source: it is not what is written.
  bool fromRelative = inst.op->param & RelativeSource, wide = inst.op->param & RelativeWide;
  const Operand &target = inst.src[0], &source = inst.src[1];
  u32 base = fromRelative ? source.reg : target.reg;
  u64 reg = u64(base) + wave.s[M0];
  if (reg + wide > Vcc + 1)
    return engine.fault(FindingKind::RegisterBeyondAllocation, wave, inst, [&] {
      return "s" + std::to_string(base) + " and m0 = " + std::to_string(wave.s[M0]) +
             " name a register beyond the last scalar register";
    });
  if (wide && reg % 2)
    engine.report(FindingKind::Misaligned, wave, inst, wave.exec(), [&] {
      return "moves the pair that begins at s" + std::to_string(reg) + "; pairs begin at even registers";
    });
  for (unsigned i = 0; i <= unsigned(wide); ++i) {
    unsigned to = (fromRelative ? target.reg : reg) + i, from = (fromRelative ? reg : source.reg) + i;
    bool constant = !fromRelative && !source.isSgpr();
    wave.s[to] = constant ? u32(source.imm >> 32 * i) : wave.s[from];
    wave.ss[to].valid = constant || wave.ss[from].valid;
    wave.unsettled.insert(RegisterSet::scalar(to));
  }
}

/// VSKIP: bit S1 of S0.
static void setVskip(Engine &, Wave &wave, const Inst &inst) {
  u32 bit = read32(wave, inst.src[0]) >> (read32(wave, inst.src[1]) & 31) & 1;
  wave.setMode((wave.mode & ~(1u << 28)) | bit << 28);
}

static bool eq(u32 a, u32 b) { return a == b; }
static bool lg(u32 a, u32 b) { return a != b; }
static bool gtI(u32 a, u32 b) { return i32(a) > i32(b); }
static bool geI(u32 a, u32 b) { return i32(a) >= i32(b); }
static bool ltI(u32 a, u32 b) { return i32(a) < i32(b); }
static bool leI(u32 a, u32 b) { return i32(a) <= i32(b); }
static bool gtU(u32 a, u32 b) { return a > b; }
static bool geU(u32 a, u32 b) { return a >= b; }
static bool ltU(u32 a, u32 b) { return a < b; }
static bool leU(u32 a, u32 b) { return a <= b; }
static bool bit1(u32 a, u32 b) { return a >> (b & 31) & 1; }
static bool bit0(u32 a, u32 b) { return !bit1(a, b); }

static void cmpU64(Engine &, Wave &wave, const Inst &inst) {
  bool equal = read64(wave, inst.src[0]) == read64(wave, inst.src[1]);
  wave.setScc(equal == (inst.op->param == 0));
}
static void bitcmp64(Engine &, Wave &wave, const Inst &inst) {
  wave.setScc((read64(wave, inst.src[0]) >> (read32(wave, inst.src[1]) & 63) & 1) == inst.op->param);
}
static void cmov32(Engine &, Wave &wave, const Inst &inst) {
  if (wave.scc())
    wave.s[inst.dst.reg] = read32(wave, inst.src[0]);
}
static void cmov64(Engine &, Wave &wave, const Inst &inst) {
  if (wave.scc())
    wave.setPair(inst.dst.reg, read64(wave, inst.src[0]));
}
static void bitset32(Engine &, Wave &wave, const Inst &inst) {
  u32 bit = 1u << (read32(wave, inst.src[0]) & 31);
  wave.s[inst.dst.reg] = inst.op->param ? wave.s[inst.dst.reg] | bit : wave.s[inst.dst.reg] & ~bit;
}
static void bitset64(Engine &, Wave &wave, const Inst &inst) {
  u64 bit = u64(1) << (read32(wave, inst.src[0]) & 63), old = wave.pair(inst.dst.reg);
  wave.setPair(inst.dst.reg, inst.op->param ? old | bit : old & ~bit);
}
static u32 simm16(const Inst &inst) { return u32(i32(int16_t(inst.src[0].imm))); }
static void movk(Engine &, Wave &wave, const Inst &inst) { wave.s[inst.dst.reg] = simm16(inst); }
static void cmovk(Engine &, Wave &wave, const Inst &inst) {
  if (wave.scc())
    wave.s[inst.dst.reg] = simm16(inst);
}
static void addk(Engine &, Wave &wave, const Inst &inst) {
  bool scc;
  wave.s[inst.dst.reg] = addI32(wave.s[inst.dst.reg], simm16(inst), scc);
  wave.setScc(scc);
}
static void mulk(Engine &, Wave &wave, const Inst &inst) { wave.s[inst.dst.reg] *= simm16(inst); }

static constexpr Unit S = Unit::Salu;
static constexpr Undefined U = Undefined::Merge;

ArrayRef<OpEntry> lowp::sim::sop1Ops() {
  static const OpEntry table[] = {
      {"s_mov_b32", unary<mov32>, S, 1, U},
      {"s_mov_b64", unary64<mov64>, S, 1, Undefined::PerDword},
      {"s_cmov_b32", cmov32, S, 1, Undefined::Report, ReadsDst},
      {"s_cmov_b64", cmov64, S, 1, Undefined::Report, ReadsDst},
      {"s_not_b32", unary<not32>, S, 1, U},
      {"s_not_b64", unary64<not64>, S, 1, U},
      {"s_brev_b32", unary<brev32>, S, 1, U},
      {"s_brev_b64", unary64<brev64>, S, 1, U},
      {"s_bcnt0_i32_b32", unary<bcnt0_32>, S},
      {"s_bcnt0_i32_b64", unary64To32<bcnt0_64>, S},
      {"s_bcnt1_i32_b32", unary<bcnt1_32>, S},
      {"s_bcnt1_i32_b64", unary64To32<bcnt1_64>, S},
      {"s_ff0_i32_b32", unary<ff0_32>, S},
      {"s_ff0_i32_b64", unary64To32<ff0_64>, S},
      {"s_ff1_i32_b32", unary<ff1_32>, S},
      {"s_ff1_i32_b64", unary64To32<ff1_64>, S},
      {"s_flbit_i32_b32", unary<flbit32>, S},
      {"s_flbit_i32_b64", unary64To32<flbit64>, S},
      {"s_flbit_i32", unary<flbitI32>, S},
      {"s_flbit_i32_i64", unary64To32<flbitI64>, S},
      {"s_sext_i32_i8", unary<sext8>, S, 1, U},
      {"s_sext_i32_i16", unary<sext16>, S, 1, U},
      {"s_abs_i32", unary<abs32>, S},
      {"s_bitset0_b32", bitset32, S, 1, Undefined::Report, ReadsDst, 0},
      {"s_bitset1_b32", bitset32, S, 1, Undefined::Report, ReadsDst, 1},
      {"s_bitset0_b64", bitset64, S, 1, Undefined::Report, ReadsDst, 0},
      {"s_bitset1_b64", bitset64, S, 1, Undefined::Report, ReadsDst, 1},
      // Compilers merge masks of lanes of which some bits were never set; those of inactive lanes do not
      // count.
      {"s_and_saveexec_b64", saveExec<andOp<u64>>, S, 1, Undefined::Ignore},
      {"s_or_saveexec_b64", saveExec<orOp<u64>>, S, 1, Undefined::Ignore},
      {"s_xor_saveexec_b64", saveExec<xorOp<u64>>, S, 1, Undefined::Ignore},
      {"s_andn2_saveexec_b64", saveExec<andn2Op<u64>>, S, 1, Undefined::Ignore},
      {"s_orn2_saveexec_b64", saveExec<orn2Op<u64>>, S, 1, Undefined::Ignore},
      {"s_nand_saveexec_b64", saveExec<nandOp<u64>>, S, 1, Undefined::Ignore},
      {"s_nor_saveexec_b64", saveExec<norOp<u64>>, S, 1, Undefined::Ignore},
      {"s_xnor_saveexec_b64", saveExec<xnorOp<u64>>, S, 1, Undefined::Ignore},
      {"s_andn1_saveexec_b64", saveExec<andn1Op<u64>>, S, 1, Undefined::Ignore},
      {"s_orn1_saveexec_b64", saveExec<orn1Op<u64>>, S, 1, Undefined::Ignore},
      {"s_andn1_wrexec_b64", writeExec<andn1Op<u64>>, S, 1, Undefined::Ignore},
      {"s_andn2_wrexec_b64", writeExec<andn2Op<u64>>, S, 1, Undefined::Ignore},
      {"s_quadmask_b32", unary<quadmask<u32>>, S, 1, U},
      {"s_quadmask_b64", unary64<quadmask<u64>>, S, 1, U},
      {"s_wqm_b32", unary<wholeQuads<u32>>, S, 1, U},
      {"s_wqm_b64", unary64<wholeQuads<u64>>, S, 1, U},
      {"s_bitreplicate_b64_b32", bitreplicate64, S, 1, U},
      {"s_movrels_b32", moveRelative, S, 0, Undefined::Ignore, 0, RelativeSource},
      {"s_movrels_b64", moveRelative, S, 0, Undefined::Ignore, 0, RelativeSource | RelativeWide},
      {"s_movreld_b32", moveRelative, S, 0, Undefined::Ignore, 0, 0},
      {"s_movreld_b64", moveRelative, S, 0, Undefined::Ignore, 0, RelativeWide},
      {"s_movk_i32", movk, S},
      {"s_cmovk_i32", cmovk, S, 1, Undefined::Report, ReadsDst},
      {"s_addk_i32", addk, S, 1, Undefined::Report, ReadsDst},
      {"s_mulk_i32", mulk, S, 1, Undefined::Report, ReadsDst},
  };
  return table;
}

ArrayRef<OpEntry> lowp::sim::sop2Ops() {
  static const OpEntry table[] = {
      {"s_add_u32", binary<addU32>, S},
      {"s_sub_u32", binary<subU32>, S},
      {"s_add_i32", binary<addI32>, S},
      {"s_sub_i32", binary<subI32>, S},
      {"s_addc_u32", binary<addcU32>, S},
      {"s_subb_u32", binary<subbU32>, S},
      {"s_mul_i32", binary<mulI32>, S},
      {"s_mul_hi_u32", binary<mulHiU32>, S},
      {"s_mul_hi_i32", binary<mulHiI32>, S},
      {"s_min_i32", binary<minI32>, S},
      {"s_min_u32", binary<minU32>, S},
      {"s_max_i32", binary<maxI32>, S},
      {"s_max_u32", binary<maxU32>, S},
      {"s_cselect_b32", binary<select32>, S, 1, U},
      {"s_cselect_b64", binary64<select64>, S, 1, U},
      {"s_and_b32", binary<logic<u32, andOp<u32>>>, S, 1, U},
      {"s_and_b64", binary64<logic<u64, andOp<u64>>>, S, 1, U},
      {"s_or_b32", binary<logic<u32, orOp<u32>>>, S, 1, U},
      {"s_or_b64", binary64<logic<u64, orOp<u64>>>, S, 1, U},
      {"s_xor_b32", binary<logic<u32, xorOp<u32>>>, S, 1, U},
      {"s_xor_b64", binary64<logic<u64, xorOp<u64>>>, S, 1, U},
      {"s_andn2_b32", binary<logic<u32, andn2Op<u32>>>, S, 1, U},
      {"s_andn2_b64", binary64<logic<u64, andn2Op<u64>>>, S, 1, U},
      {"s_orn2_b32", binary<logic<u32, orn2Op<u32>>>, S, 1, U},
      {"s_orn2_b64", binary64<logic<u64, orn2Op<u64>>>, S, 1, U},
      {"s_nand_b32", binary<logic<u32, nandOp<u32>>>, S, 1, U},
      {"s_nand_b64", binary64<logic<u64, nandOp<u64>>>, S, 1, U},
      {"s_nor_b32", binary<logic<u32, norOp<u32>>>, S, 1, U},
      {"s_nor_b64", binary64<logic<u64, norOp<u64>>>, S, 1, U},
      {"s_xnor_b32", binary<logic<u32, xnorOp<u32>>>, S, 1, U},
      {"s_xnor_b64", binary64<logic<u64, xnorOp<u64>>>, S, 1, U},
      {"s_lshl_b32", binary<logic<u32, shlOp<u32>>>, S, 1, U},
      {"s_lshl_b64", shift64<logic<u64, shlOp<u64>>>, S, 1, Undefined::Upward},
      {"s_lshr_b32", binary<logic<u32, shrOp<u32>>>, S, 1, U},
      {"s_lshr_b64", shift64<logic<u64, shrOp<u64>>>, S, 1, U},
      {"s_ashr_i32", binary<logic<u32, ashr32>>, S, 1, U},
      {"s_ashr_i64", shift64<logic<u64, ashr64>>, S, 1, U},
      {"s_lshl1_add_u32", binary<shlAdd<1>>, S},
      {"s_lshl2_add_u32", binary<shlAdd<2>>, S},
      {"s_lshl3_add_u32", binary<shlAdd<3>>, S},
      {"s_lshl4_add_u32", binary<shlAdd<4>>, S},
      {"s_bfm_b32", binary<bfm32>, S},
      {"s_bfm_b64", shift64<bfm64>, S},
      {"s_bfe_u32", binary<bfeU32>, S, 1, U},
      {"s_bfe_i32", binary<bfeI32>, S, 1, U},
      {"s_bfe_u64", shift64<bfeU64>, S, 1, U},
      {"s_bfe_i64", shift64<bfeI64>, S, 1, U},
      {"s_absdiff_i32", binary<absdiff>, S},
      {"s_pack_ll_b32_b16", binary<packLL>, S, 1, U},
      {"s_pack_lh_b32_b16", binary<packLH>, S, 1, U},
      {"s_pack_hh_b32_b16", binary<packHH>, S, 1, U},
  };
  return table;
}

ArrayRef<OpEntry> lowp::sim::sopcOps() {
  static const OpEntry table[] = {
      {"s_cmp_eq_i32", compare<eq>, S, 0},
      {"s_cmp_lg_i32", compare<lg>, S, 0},
      {"s_cmp_gt_i32", compare<gtI>, S, 0},
      {"s_cmp_ge_i32", compare<geI>, S, 0},
      {"s_cmp_lt_i32", compare<ltI>, S, 0},
      {"s_cmp_le_i32", compare<leI>, S, 0},
      {"s_cmp_eq_u32", compare<eq>, S, 0},
      {"s_cmp_lg_u32", compare<lg>, S, 0},
      {"s_cmp_gt_u32", compare<gtU>, S, 0},
      {"s_cmp_ge_u32", compare<geU>, S, 0},
      {"s_cmp_lt_u32", compare<ltU>, S, 0},
      {"s_cmp_le_u32", compare<leU>, S, 0},
      {"s_setvskip", setVskip, S, 0},
      {"s_cmp_eq_u64", cmpU64, S, 0, Undefined::Report, 0, 0},
      {"s_cmp_lg_u64", cmpU64, S, 0, Undefined::Report, 0, 1},
      {"s_bitcmp0_b32", compare<bit0>, S, 0},
      {"s_bitcmp1_b32", compare<bit1>, S, 0},
      {"s_bitcmp0_b64", bitcmp64, S, 0, Undefined::Report, 0, 0},
      {"s_bitcmp1_b64", bitcmp64, S, 0, Undefined::Report, 0, 1},
      {"s_cmpk_eq_i32", compareK<eq>, S, 0},
      {"s_cmpk_lg_i32", compareK<lg>, S, 0},
      {"s_cmpk_gt_i32", compareK<gtI>, S, 0},
      {"s_cmpk_ge_i32", compareK<geI>, S, 0},
      {"s_cmpk_lt_i32", compareK<ltI>, S, 0},
      {"s_cmpk_le_i32", compareK<leI>, S, 0},
      {"s_cmpk_eq_u32", compareK<eq>, S, 0},
      {"s_cmpk_lg_u32", compareK<lg>, S, 0},
      {"s_cmpk_gt_u32", compareK<gtU>, S, 0},
      {"s_cmpk_ge_u32", compareK<geU>, S, 0},
      {"s_cmpk_lt_u32", compareK<ltU>, S, 0},
      {"s_cmpk_le_u32", compareK<leU>, S, 0},
  };
  return table;
}
