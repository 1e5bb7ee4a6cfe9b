// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.h"
#include "FloatBits.h"
#include <algorithm>

using namespace lowp::sim::reference;

const std::vector<Access> &lowp::sim::reference::vectorLoads() {
  static const std::vector<Access> list = {
      {"ubyte", 1},
      {"sbyte", 1, true},
      {"ushort", 2},
      {"sshort", 2, true},
      {"dword", 4},
      {"dwordx2", 8},
      {"dwordx3", 12},
      {"dwordx4", 16},
      {"ubyte_d16", 1, false, 1},
      {"ubyte_d16_hi", 1, false, 2},
      {"sbyte_d16", 1, true, 1},
      {"sbyte_d16_hi", 1, true, 2},
      {"short_d16", 2, false, 1},
      {"short_d16_hi", 2, false, 2},
  };
  return list;
}
const std::vector<Access> &lowp::sim::reference::vectorStores() {
  static const std::vector<Access> list = {
      {"byte", 1},     {"byte_d16_hi", 1, false, 2},
      {"short", 2},    {"short_d16_hi", 2, false, 2},
      {"dword", 4},    {"dwordx2", 8},
      {"dwordx3", 12}, {"dwordx4", 16},
  };
  return list;
}
const std::vector<Access> &lowp::sim::reference::ldsReads() {
  static const std::vector<Access> list = {
      {"b32", 4},
      {"b64", 8},
      {"b96", 12},
      {"b128", 16},
      {"u8", 1},
      {"i8", 1, true},
      {"u16", 2},
      {"i16", 2, true},
      {"u8_d16", 1, false, 1},
      {"u8_d16_hi", 1, false, 2},
      {"i8_d16", 1, true, 1},
      {"i8_d16_hi", 1, true, 2},
      {"u16_d16", 2, false, 1},
      {"u16_d16_hi", 2, false, 2},
  };
  return list;
}
const std::vector<Access> &lowp::sim::reference::ldsWrites() {
  static const std::vector<Access> list = {
      {"b8", 1},
      {"b16", 2},
      {"b8_d16_hi", 1, false, 2},
      {"b16_d16_hi", 2, false, 2},
      {"b32", 4},
      {"b64", 8},
      {"b96", 12},
      {"b128", 16},
  };
  return list;
}

void lowp::sim::reference::load(const Access &access, const u8 *from, u32 *registers) {
  if (access.bytes >= 4) {
    std::memcpy(registers, from, access.bytes);
    return;
  }
  u32 value = from[0] | (access.bytes == 2 ? u32(from[1]) << 8 : 0);
  u32 sign = access.bytes == 2 ? 0x8000 : 0x80;
  if (access.isSigned)
    value = (value ^ sign) - sign;
  if (access.half == 1)
    value = (registers[0] & 0xffff0000) | (value & 0xffff);
  if (access.half == 2)
    value = (registers[0] & 0xffff) | value << 16;
  registers[0] = value;
}

void lowp::sim::reference::store(const Access &access, const u32 *registers, u8 *to) {
  if (access.bytes >= 4) {
    std::memcpy(to, registers, access.bytes);
    return;
  }
  u32 value = registers[0] >> (access.half == 2 ? 16 : 0);
  for (unsigned i = 0; i < access.bytes; ++i)
    to[i] = u8(value >> 8 * i);
}

void lowp::sim::reference::transposed(unsigned elementBits, unsigned bytes, const u8 *const *from,
                                      unsigned lane, u32 *registers) {
  unsigned each = bytes * 8 / elementBits;
  std::fill(registers, registers + bytes / 4, 0);
  for (unsigned row = 0; row < each; ++row) {
    unsigned at = row * 16 + lane % 16;
    const u8 *source = from[at / each];
    for (unsigned i = 0; i < elementBits; ++i) {
      unsigned bit = at % each * elementBits + i, to = row * elementBits + i;
      registers[to / 32] |= u32(source[bit / 8] >> bit % 8 & 1) << to % 32;
    }
  }
}

namespace {

template <typename T> u64 least(u64 old, const u64 *d) { return u64(std::min(T(old), T(d[0]))); }
template <typename T> u64 greatest(u64 old, const u64 *d) { return u64(std::max(T(old), T(d[0]))); }
template <typename T> u64 increment(u64 old, const u64 *d) { return T(old) >= T(d[0]) ? 0 : old + 1; }
template <typename T> u64 decrement(u64 old, const u64 *d) {
  return T(old) == 0 || T(old) > T(d[0]) ? d[0] : old - 1;
}
u64 add(u64 old, const u64 *d) { return old + d[0]; }
u64 subtract(u64 old, const u64 *d) { return old - d[0]; }
u64 reverseSubtract(u64 old, const u64 *d) { return d[0] - old; }
u64 bitAnd(u64 old, const u64 *d) { return old & d[0]; }
u64 bitOr(u64 old, const u64 *d) { return old | d[0]; }
u64 bitXor(u64 old, const u64 *d) { return old ^ d[0]; }
u64 swap(u64, const u64 *d) { return d[0]; }
u64 maskOr(u64 old, const u64 *d) { return (old & ~d[0]) | d[1]; }
u64 wrap(u64 old, const u64 *d) { return u32(old) >= u32(d[0]) ? old - d[0] : old + d[1]; }
/// Vector memory: source, then comparand. LDS: comparand, then source.
u64 compareSwap(u64 old, const u64 *d) { return old == d[1] ? d[0] : old; }
u64 compareStore(u64 old, const u64 *d) { return old == d[0] ? d[1] : old; }
u64 compareStoreF32(u64 old, const u64 *d) {
  return bitCast<float>(u32(old)) == bitCast<float>(u32(d[0])) ? d[1] : old;
}
u64 compareStoreF64(u64 old, const u64 *d) {
  return bitCast<double>(old) == bitCast<double>(d[0]) ? d[1] : old;
}
u64 addF32(u64 old, const u64 *d) {
  return bitCast<u32>(bitCast<float>(u32(old)) + bitCast<float>(u32(d[0])));
}
u64 addF64(u64 old, const u64 *d) { return bitCast<u64>(bitCast<double>(old) + bitCast<double>(d[0])); }
u64 minF32(u64 old, const u64 *d) {
  return bitCast<float>(u32(d[0])) < bitCast<float>(u32(old)) ? d[0] : old;
}
u64 maxF32(u64 old, const u64 *d) {
  return bitCast<float>(u32(d[0])) > bitCast<float>(u32(old)) ? d[0] : old;
}
u64 minF64(u64 old, const u64 *d) { return bitCast<double>(d[0]) < bitCast<double>(old) ? d[0] : old; }
u64 maxF64(u64 old, const u64 *d) { return bitCast<double>(d[0]) > bitCast<double>(old) ? d[0] : old; }
u64 addHalves(u64 old, const u64 *d) {
  u64 r = 0;
  for (unsigned at : {0, 16})
    r |= u64(doubleToHalf(halfToDouble(u16(old >> at)) + halfToDouble(u16(d[0] >> at)))) << at;
  return r;
}
u64 addBrains(u64 old, const u64 *d) {
  u64 r = 0;
  for (unsigned at : {0, 16})
    r |= u64(doubleToBfloat(double(bfloatToFloat(u16(old >> at))) + bfloatToFloat(u16(d[0] >> at)))) << at;
  return r;
}

} // namespace

const std::vector<Atomic> &lowp::sim::reference::vectorAtomics() {
  static const std::vector<Atomic> list = [] {
    std::vector<Atomic> all;
    for (bool wide : {false, true}) {
      auto push = [&](const char *name, u64 (*narrow)(u64, const u64 *), u64 (*wider)(u64, const u64 *),
                      unsigned data = 1) {
        all.push_back(
            {std::string(name) + (wide ? "_x2" : ""), wide ? 8u : 4u, 'i', data, wide ? wider : narrow});
      };
      push("swap", swap, swap);
      push("cmpswap", compareSwap, compareSwap, 2);
      push("add", add, add);
      push("sub", subtract, subtract);
      push("smin", least<i32>, least<i64>);
      push("umin", least<u32>, least<u64>);
      push("smax", greatest<i32>, greatest<i64>);
      push("umax", greatest<u32>, greatest<u64>);
      push("and", bitAnd, bitAnd);
      push("or", bitOr, bitOr);
      push("xor", bitXor, bitXor);
      push("inc", increment<u32>, increment<u64>);
      push("dec", decrement<u32>, decrement<u64>);
    }
    all.push_back({"add_f32", 4, 'f', 1, addF32});
    all.push_back({"pk_add_f16", 4, 'H', 1, addHalves});
    all.push_back({"pk_add_bf16", 4, 'B', 1, addBrains});
    all.push_back({"add_f64", 8, 'd', 1, addF64});
    all.push_back({"min_f64", 8, 'd', 1, minF64});
    all.push_back({"max_f64", 8, 'd', 1, maxF64});
    return all;
  }();
  return list;
}

const std::vector<Atomic> &lowp::sim::reference::ldsAtomics() {
  static const std::vector<Atomic> list = [] {
    std::vector<Atomic> all;
    auto push = [&](const std::string &op, const char *type, unsigned bytes, char kind,
                    u64 (*result)(u64, const u64 *), unsigned data = 1) {
      all.push_back({op + "_" + type, bytes, kind, data, result});
      all.push_back({op + "_rtn_" + type, bytes, kind, data, result});
    };
    for (bool wide : {false, true}) {
      unsigned bytes = wide ? 8 : 4;
      const char *u = wide ? "u64" : "u32", *i = wide ? "i64" : "i32", *b = wide ? "b64" : "b32";
      push("add", u, bytes, 'i', add);
      push("sub", u, bytes, 'i', subtract);
      push("rsub", u, bytes, 'i', reverseSubtract);
      push("inc", u, bytes, 'i', wide ? increment<u64> : increment<u32>);
      push("dec", u, bytes, 'i', wide ? decrement<u64> : decrement<u32>);
      push("min", i, bytes, 'i', wide ? least<i64> : least<i32>);
      push("max", i, bytes, 'i', wide ? greatest<i64> : greatest<i32>);
      push("min", u, bytes, 'i', wide ? least<u64> : least<u32>);
      push("max", u, bytes, 'i', wide ? greatest<u64> : greatest<u32>);
      push("and", b, bytes, 'i', bitAnd);
      push("or", b, bytes, 'i', bitOr);
      push("xor", b, bytes, 'i', bitXor);
      push("mskor", b, bytes, 'i', maskOr, 2);
      push("cmpst", b, bytes, 'i', compareStore, 2);
      all.push_back({std::string("wrxchg_rtn_") + b, bytes, 'i', 1, swap});
    }
    all.push_back({"wrap_rtn_b32", 4, 'i', 2, wrap});
    push("add", "f32", 4, 'f', addF32);
    push("min", "f32", 4, 'f', minF32);
    push("max", "f32", 4, 'f', maxF32);
    push("cmpst", "f32", 4, 'f', compareStoreF32, 2);
    push("add", "f64", 8, 'd', addF64);
    push("min", "f64", 8, 'd', minF64);
    push("max", "f64", 8, 'd', maxF64);
    push("cmpst", "f64", 8, 'd', compareStoreF64, 2);
    for (const char *name : {"pk_add_", "pk_add_rtn_"}) {
      all.push_back({std::string(name) + "f16", 4, 'H', 1, addHalves});
      all.push_back({std::string(name) + "bf16", 4, 'B', 1, addBrains});
    }
    return all;
  }();
  return list;
}
