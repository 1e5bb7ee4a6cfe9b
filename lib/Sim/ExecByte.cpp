// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of absolute differences of bytes and words, and other operations on the bytes of a dword. CDNA3 ISA
// manual section 12.11.

#include "Lanes.h"
#include <algorithm>

using namespace llvm;
using namespace lowp::sim;

using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i64 = int64_t;

static u32 byteOf(u64 x, unsigned i) { return u32(x >> 8 * i) & 0xff; }
static u32 difference(u32 a, u32 b) { return a > b ? a - b : b - a; }

/// Of four bytes; with Masked, bytes of b that are zero do not count.
template <bool Masked> u32 sumOfBytes(u32 a, u32 b) {
  u32 sum = 0;
  for (unsigned i = 0; i < 4; ++i)
    if (!Masked || byteOf(b, i))
      sum += difference(byteOf(a, i), byteOf(b, i));
  return sum;
}
static u32 sumOfWords(u32 a, u32 b) {
  return difference(a & 0xffff, b & 0xffff) + difference(a >> 16, b >> 16);
}

static i64 exactSadU8(u32 a, u32 b, u32 c) { return i64(sumOfBytes<false>(a, b)) + c; }
static i64 exactMsadU8(u32 a, u32 b, u32 c) { return i64(sumOfBytes<true>(a, b)) + c; }
static i64 exactSadHiU8(u32 a, u32 b, u32 c) { return i64(sumOfBytes<false>(a, b) << 16) + c; }
static i64 exactSadU16(u32 a, u32 b, u32 c) { return i64(sumOfWords(a, b)) + c; }
static i64 exactSadU32(u32 a, u32 b, u32 c) { return i64(difference(a, b)) + c; }
template <i64 (*Exact)(u32, u32, u32)> u32 wrapped(u32 a, u32 b, u32 c) { return u32(Exact(a, b, c)); }

/// Four sums at the four byte positions of an eight-byte source, each with an addend of its own; the
/// destination holds four words or four dwords.
template <bool Masked, unsigned Bits> void fourSums(Engine &, Wave &wave, const Inst &inst) {
  constexpr unsigned dwords = Bits * 4 / 32;
  Source<u64> a{{&wave, &inst, 0}};
  Source<u32> b{{&wave, &inst, 1}};
  alignas(64) u32 tmp[dwords][64], out[dwords][64];
  const u32 *c[dwords];
  for (unsigned i = 0; i < dwords; ++i)
    c[i] = fetch(wave, inst, 2, i, Reading::Int32, tmp[i]);
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned i = 0; i < dwords; ++i)
      out[i][lane] = 0;
    for (unsigned i = 0; i < 4; ++i) {
      unsigned dword = i * Bits / 32, shift = i * Bits % 32;
      u64 addend = Bits == 32 ? c[dword][lane] : c[dword][lane] >> shift & 0xffff;
      u64 sum = addend + sumOfBytes<Masked>(u32(a[lane] >> 8 * i), b[lane]), limit = (u64(1) << Bits) - 1;
      out[dword][lane] |= u32(inst.clamp ? std::min(sum, limit) : sum & limit) << shift;
    }
  }
  for (unsigned i = 0; i < dwords; ++i)
    storeLanes(wave, inst.dst.reg + i, out[i], wave.exec());
}

/// Means of bytes, rounded up where the third source's byte is odd.
static u32 lerpU8(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (unsigned i = 0; i < 4; ++i)
    r |= (byteOf(a, i) + byteOf(b, i) + (byteOf(c, i) & 1)) >> 1 << 8 * i;
  return r;
}

static u16 satPkU8I16(u32 a) {
  auto narrow = [](u32 word) { return u32(std::clamp<int>(i16(word), 0, 255)); };
  return u16(narrow(a) | narrow(a >> 16) << 8);
}

/// Fractional bits of 2 / pi, the first in the top bit of the first word.
static constexpr u64 twoOverPi[19] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

/// 53 bits of 2 / pi, from the place that the segment number says and beyond what multiplies to whole turns
/// for an argument of this size.
static double trigPreop(RawDouble x, u32 segment) {
  int exponent = int(x.bits >> 52 & 2047), shift = int(segment & 31) * 53 + std::max(0, exponent - 1077);
  u64 bits = 0;
  for (int i = shift; i < shift + 53; ++i)
    bits = bits << 1 | (i < 1201 ? twoOverPi[i / 64] >> (63 - i % 64) & 1 : 0);
  return std::ldexp(double(bits), -53 - shift + (exponent >= 1968 ? 128 : 0));
}

ArrayRef<OpEntry> lowp::sim::byteOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined M = Undefined::Merge;
  static const OpEntry table[] = {
      {"v_sad_u8", clampable<wrapped<exactSadU8>, u32, exactSadU8>, V, 1, M, AnyClamp},
      {"v_sad_hi_u8", clampable<wrapped<exactSadHiU8>, u32, exactSadHiU8>, V, 1, M, AnyClamp},
      {"v_sad_u16", clampable<wrapped<exactSadU16>, u32, exactSadU16>, V, 1, M, AnyClamp},
      {"v_sad_u32", clampable<wrapped<exactSadU32>, u32, exactSadU32>, V, 1, M, AnyClamp},
      {"v_msad_u8", clampable<wrapped<exactMsadU8>, u32, exactMsadU8>, V, 1, M, AnyClamp},
      {"v_qsad_pk_u16_u8", fourSums<false, 16>, V, 1, Undefined::Report, AnyClamp},
      {"v_mqsad_pk_u16_u8", fourSums<true, 16>, V, 1, Undefined::Report, AnyClamp},
      {"v_mqsad_u32_u8", fourSums<true, 32>, V, 1, Undefined::Report, AnyClamp},
      {"v_lerp_u8", lanes<lerpU8>, V, 1, M},
      {"v_sat_pk_u8_i16", lanes<satPkU8I16>, V, 1, M},
      {"v_trig_preop_f64", lanes<trigPreop>, V, 1, Undefined::Report, FloatClamp},
  };
  return table;
}
