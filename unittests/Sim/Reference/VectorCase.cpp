// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modifiers' meaning, by the manuals' chapter "Vector ALU operations" (input and output modifiers, SDWA,
// DPP): SDWA and op_sel select, then abs, then neg; omod is ignored while denormals are kept or IEEE mode is
// on, as here; clamp takes NaN to 0 (DX10_CLAMP). A DPP source lane that is outside or not active makes the
// lane keep its value, or reads as 0 with bound_ctrl.

#include "VectorCase.h"
#include "FloatBits.h"

using namespace lowp::sim::reference;

namespace {

bool is16(char kind) { return kind == 'h' || kind == 's' || kind == 'b'; }

/// What a lane reads, before selections.
void fetch(const Source &source, const Bank &bank, unsigned lane, unsigned dwords, u32 *out) {
  for (unsigned i = 0; i < dwords; ++i)
    out[i] = source.kind == Source::Vector   ? bank.vector(source.reg + i, lane)
             : source.kind == Source::Scalar ? bank.scalar(source.reg + i)
                                             : u32(source.constant >> 32 * i);
}

u32 selected(u32 x, unsigned select, bool sext) {
  if (select == 6)
    return x;
  bool byte = select < 4;
  u32 part = byte ? x >> 8 * select & 0xff : x >> 16 * (select - 4) & 0xffff;
  if (sext)
    part = byte ? u32(i32(i8(part))) : u32(i32(i16(part)));
  return part;
}

void applySigns(const Source &source, char kind, u32 *x) {
  unsigned dword = kind == 'd' || kind == 'l' ? 1 : 0;
  u32 sign = is16(kind) ? 0x8000 : 0x80000000;
  if (source.abs)
    x[dword] &= ~sign;
  if (source.neg)
    x[dword] ^= sign;
}

u64 clampFloat(const FloatFormat &b, u64 x, u64 one) { return b.nan(x) || b.sign(x) ? 0 : x > one ? one : x; }

/// omod is not applied: denormals are kept and IEEE mode is on in these kernels.
void finishFloat(const VectorCase &one, Lane &l) {
  char kind = one.row->signature[0];
  bool half = kind == 'h' || (kind == 'k' && one.row->flags & HalfResult);
  if (!one.clamp || one.row->flags & IntegerClamp)
    return;
  if (kind == 'f')
    l.d[0] = u32(clampFloat(f32Bits, l.d[0], 0x3f800000));
  if (half)
    l.d[0] = (l.d[0] & 0xffff0000) | u32(clampFloat(f16Bits, l.d[0] & 0xffff, 0x3c00));
  if (kind == 'H')
    l.d[0] = u32(clampFloat(f16Bits, l.d[0] & 0xffff, 0x3c00)) |
             u32(clampFloat(f16Bits, l.d[0] >> 16, 0x3c00)) << 16;
  if (kind == 'F')
    for (unsigned i = 0; i < 2; ++i)
      l.d[i] = u32(clampFloat(f32Bits, l.d[i], 0x3f800000));
  if (kind == 'd')
    l.setQ(clampFloat(f64Bits, l.d[0] | u64(l.d[1]) << 32, 0x3ff0000000000000));
}

u32 placeSdwa(const VectorCase &one, u32 result, u32 old) {
  if (one.dstSel == 6)
    return result;
  bool byte = one.dstSel < 4;
  unsigned at = byte ? 8 * one.dstSel : 16 * (one.dstSel - 4), width = byte ? 8 : 16;
  u32 field = ((1u << width) - 1) << at, part = result << at & field;
  if (one.dstUnused == 2)
    return (old & ~field) | part;
  u32 above = at + width == 32 ? 0 : ~u32(0) << (at + width);
  if (one.dstUnused == 1 && part >> (at + width - 1) & 1)
    part |= above;
  return part;
}

} // namespace

unsigned VectorCase::resultDwords() const { return kindInfo(row->signature[0]).dwords; }

u64 lowp::sim::reference::activeLanes(const VectorCase &one, const Bank &bank) {
  return one.execMask ? bank.scalarPair(one.execMask) : ~u64(0);
}

Outcome lowp::sim::reference::evaluate(const VectorCase &one, const Bank &bank, unsigned lane, bool ocp,
                                       bool saturate) {
  Outcome expected;
  Lane &l = expected.lane;
  const std::string &signature = one.row->signature;
  const char dst = signature[0];
  const u64 active = activeLanes(one, bank);
  u32 old[32];
  KindInfo info = kindInfo(dst);
  for (unsigned i = 0; i < info.dwords; ++i)
    l.d[i] = old[i] = bank.vector(info.firstReg + i, lane);
  expected.written = active >> lane & 1;
  expected.exec = expected.written;
  if (one.dpp && !(one.rowMask >> lane / 16 & 1 && one.bankMask >> lane % 16 / 4 & 1))
    expected.written = false;
  for (unsigned i = 0; i < one.sources; ++i) {
    char kind = signature[2 + i];
    unsigned dwords = kindInfo(kind).dwords, from = lane;
    bool zero = false;
    if (one.dpp && i == 0) {
      int other = one.control.sourceLane(int(lane));
      if (other < 0 || !(active >> other & 1)) {
        zero = true;
        if (!one.boundCtrl)
          expected.written = false;
      } else {
        from = unsigned(other);
      }
    }
    fetch(one.source[i], bank, from, dwords, l.s[i]);
    if (zero)
      std::fill(l.s[i], l.s[i] + dwords, 0);
    if (one.sdwa)
      l.s[i][0] = selected(l.s[i][0], one.source[i].select, one.source[i].sext);
    if (is16(kind) && !(one.row->flags & (OwnHalves | Packed)) && one.opSel >> i & 1)
      l.s[i][0] >>= 16;
    if (!(one.row->flags & OwnSigns))
      applySigns(one.source[i], kind, l.s[i]);
  }
  if (!expected.written)
    return expected;
  l.lane = lane;
  l.ocp = ocp;
  l.saturate = saturate;
  l.clamp = one.clamp;
  l.opSel = one.opSel;
  l.opSelHi = one.opSelHi;
  l.negLo = one.negLo;
  l.negHi = one.negHi;
  if (one.row->flags & OwnSigns)
    for (unsigned i = 0; i < 3; ++i) {
      l.negLo |= one.source[i].neg << i;
      l.negHi |= one.source[i].abs << i;
    }
  l.immediate = one.immediate;
  if (one.maskIn)
    l.carryIn = bank.scalarPair(one.maskIn) >> lane & 1;
  if (dst == 'k' && !(one.row->flags & OwnHalves) && one.opSel >> 3 & 1)
    l.d[0] >>= 16; // what the result is put beside does not matter; a reference that reads it reads its half
  one.row->reference(l);
  finishFloat(one, l);
  if (dst == 'h' || dst == 's' || dst == 'k') {
    u32 result = l.d[0] & 0xffff;
    if (one.sdwa)
      l.d[0] = result;
    else if (one.opSel >> 3 & 1)
      l.d[0] = (old[0] & 0xffff) | result << 16;
    else
      l.d[0] = dst == 'k' ? (old[0] & 0xffff0000) | result : result;
  }
  if (one.sdwa && one.dstSel != 6 && (dst == 'f' ? f32Bits.nan(l.d[0]) : dst == 'h' && f16Bits.nan(l.d[0])))
    l.skip = true; // part of a NaN, of which only that it is one is documented
  if (one.sdwa && dst != 'm')
    l.d[0] = placeSdwa(one, l.d[0], old[0]);
  expected.exec = l.mask;
  return expected;
}
