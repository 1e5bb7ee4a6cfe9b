// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands: of each type its edges, and random values between.

#include "FloatBits.h"
#include "VectorCase.h"

using namespace lowp::sim::reference;

namespace {

u64 pick(Random &random, const std::vector<u64> &values) { return values[random() % values.size()]; }

u64 floatEdge(Random &random, const FloatFormat &b, int bias) {
  u64 one = u64(bias) << b.mantissa, inf = b.infinity(), ulp = 1, half = u64(1) << (b.mantissa - 1);
  u64 x =
      pick(random,
           {0, 1, half, (u64(1) << b.mantissa) - 1, u64(1) << b.mantissa, // 0, subnormals, least normal
            one, one + ulp, one - ulp, one - (u64(1) << b.mantissa), one + half, // 1, 0.5, 1.5
            one + (u64(1) << b.mantissa) + (half >> 1), inf - 1, inf, inf + 1, inf + half, inf | half | 0x2b,
            u64(bias + 5) << b.mantissa, u64(bias + int(b.mantissa)) << b.mantissa | 1});
  return x | (random() & 1 ? b.signBit() : 0);
}
/// Near 1 so that sums and products are interesting, or any bits.
u64 floatValue(Random &random, const FloatFormat &b) {
  const int bias = (1 << (b.width - b.mantissa - 2)) - 1;
  switch (random() % 4) {
  case 0:
    return floatEdge(random, b, bias);
  case 1:
    return random() & (b.signBit() | (b.signBit() - 1));
  default: {
    int spread = b.width == 16 ? 8 : 20;
    u64 exponent = u64(bias + int(random() % spread) - spread / 2);
    return (random() & 1 ? b.signBit() : 0) | exponent << b.mantissa |
           (random() & ((u64(1) << b.mantissa) - 1));
  }
  }
}
u64 integerValue(Random &random, unsigned width) {
  const u64 all = width == 64 ? ~u64(0) : (u64(1) << width) - 1, top = u64(1) << (width - 1);
  switch (random() % 4) {
  case 0:
    return pick(random, {0, 1, 2, 31, 32, 33, 63, 64, all, all - 1, top, top - 1, top + 1, all / 3,
                         all >> width / 2, (all >> width / 2) + 1, 0xff & all, 0x80}) &
           all;
  case 1:
    return random() % 64;
  case 2:
    return (random() & all) >> random() % width;
  default:
    return random() & all;
  }
}
u32 pairOf(Random &random, u32 (*one)(Random &)) { return one(random) | one(random) << 16; }
u32 half(Random &r) { return u32(floatValue(r, f16Bits)); }
u32 brain(Random &r) { return u32(floatValue(r, bf16Bits)); }
u32 short16(Random &r) { return u32(integerValue(r, 16)); }
u32 single(Random &r) { return u32(floatValue(r, f32Bits)); }
u32 scale(Random &r) {
  u32 field = r() % 8 ? 127 - 12 + u32(r() % 24) : pick(r, {0, 1, 2, 127, 253, 254}) & 255;
  return field << 23 | (r() % 2 ? u32(r()) & 0x807fffff : 0);
}
u32 count(Random &r) { return r() % 8 ? u32(r() % 70) - 3 : u32(r()); }

} // namespace

KindInfo lowp::sim::reference::kindInfo(char kind) {
  static const std::map<char, KindInfo> infos = {
      {'i', {8, 8, 1}},   {'f', {16, 8, 1}},   {'h', {24, 6, 1}},  {'H', {24, 6, 1}},  {'b', {30, 2, 1}},
      {'B', {30, 2, 1}},  {'s', {32, 4, 1}},   {'P', {32, 4, 1}},  {'e', {36, 2, 1}},  {'n', {38, 2, 1}},
      {'d', {40, 4, 2}},  {'l', {48, 4, 2}},   {'F', {16, 4, 2}},  {'x', {64, 2, 16}}, {'z', {64, 1, 32}},
      {'y', {96, 1, 16}}, {'Y', {112, 1, 16}}, {'6', {128, 1, 6}}, {'u', {136, 1, 4}}, {'M', {16, 14, 1}},
      {'k', {32, 4, 1}},  {'m', {0, 0, 0}},
  };
  return infos.at(kind);
}

Bank lowp::sim::reference::makeBank(Random &random) {
  Bank bank;
  auto fill = [&](char kind, u32 (*value)(Random &)) {
    KindInfo info = kindInfo(kind);
    for (unsigned reg = info.firstReg; reg < info.firstReg + info.count * info.dwords; ++reg)
      for (u32 &lane : bank.v[reg - Bank::firstVector])
        lane = value(random);
  };
  for (auto &row : bank.v)
    for (u32 &lane : row)
      lane = u32(random());
  auto word = [](Random &r) { return u32(integerValue(r, 32)); };
  fill('i', word);
  fill('f', single);
  fill('h', [](Random &r) { return pairOf(r, half); });
  fill('b', [](Random &r) { return pairOf(r, brain); });
  fill('s', [](Random &r) { return pairOf(r, short16); });
  fill('e', scale);
  fill('n', count);
  fill('x', single);
  fill('y', [](Random &r) { return pairOf(r, half); });
  fill('Y', [](Random &r) { return pairOf(r, brain); });
  fill('u', word);
  for (char kind : {'d', 'l'}) {
    KindInfo info = kindInfo(kind);
    for (unsigned i = 0; i < info.count; ++i)
      for (unsigned lane = 0; lane < 64; ++lane) {
        u64 x = kind == 'd' ? floatValue(random, f64Bits) : integerValue(random, 64);
        bank.v[info.firstReg + 2 * i - Bank::firstVector][lane] = u32(x);
        bank.v[info.firstReg + 2 * i + 1 - Bank::firstVector][lane] = u32(x >> 32);
      }
  }
  auto set = [&](unsigned reg, u32 value) { bank.s[reg - Bank::firstScalar] = value; };
  auto setPair = [&](unsigned reg, u64 value) {
    set(reg, u32(value));
    set(reg + 1, u32(value >> 32));
  };
  for (unsigned i = 0; i < 4; ++i) {
    set(16 + i, word(random));
    set(20 + i, single(random));
  }
  set(24, pairOf(random, half));
  set(25, pairOf(random, half));
  setPair(26, integerValue(random, 64));
  setPair(28, integerValue(random, 64));
  setPair(30, floatValue(random, f64Bits));
  setPair(32, floatValue(random, f64Bits));
  set(34, pairOf(random, brain));
  set(35, scale(random));
  set(36, count(random));
  set(37, pairOf(random, short16));
  setPair(38, random());
  setPair(40, random() & random() & random()); // few lanes
  setPair(42, random());
  setPair(44, random());
  setPair(46, random());
  return bank;
}
