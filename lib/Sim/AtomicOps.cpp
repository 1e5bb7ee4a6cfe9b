// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CDNA3 ISA manual sections 9.2, 10 and 11 and the instruction definitions of chapter 12. Floating-point
// atomics round to nearest even; those of f16 and f64 keep denormals.

#include "AtomicOps.h"
#include "Half.h"
#include <algorithm>
#include <cstring>

using namespace lowp::sim;

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

static float withoutDenormals(float x, bool flush) {
  return flush && std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}

u64 lowp::sim::applyAtomic(Atomic kind, bool is64, u64 old, u64 data, u64 second, bool flushF32) {
  auto asSigned = [&](u64 x) { return is64 ? i64(x) : i64(i32(u32(x))); };
  auto single = [&](u64 x) { return withoutDenormals(asFloat(u32(x)), flushF32); };
  auto pairOf = [&](auto add) {
    return u64(add(old & 0xffff, data & 0xffff)) | u64(add(old >> 16 & 0xffff, data >> 16 & 0xffff)) << 16;
  };
  switch (kind) {
  case Atomic::Swap:
    return data;
  case Atomic::CmpSwap:
    return old == second ? data : old;
  case Atomic::Add:
    return old + data;
  case Atomic::Sub:
    return old - data;
  case Atomic::RSub:
    return data - old;
  case Atomic::SMin:
    return asSigned(old) < asSigned(data) ? old : data;
  case Atomic::UMin:
    return std::min(old, data);
  case Atomic::SMax:
    return asSigned(old) > asSigned(data) ? old : data;
  case Atomic::UMax:
    return std::max(old, data);
  case Atomic::And:
    return old & data;
  case Atomic::Or:
    return old | data;
  case Atomic::Xor:
    return old ^ data;
  case Atomic::MskOr:
    return (old & ~data) | second;
  case Atomic::Inc:
    return old >= data ? 0 : old + 1;
  case Atomic::Dec:
    return old == 0 || old > data ? data : old - 1;
  case Atomic::Wrap:
    return old >= data ? old - data : old + second;
  case Atomic::AddF32:
    return asBits(withoutDenormals(single(old) + single(data), flushF32));
  case Atomic::MinF32:
    return asBits(std::fmin(asFloat(u32(old)), asFloat(u32(data))));
  case Atomic::MaxF32:
    return asBits(std::fmax(asFloat(u32(old)), asFloat(u32(data))));
  case Atomic::CmpSwapF32:
    return asFloat(u32(old)) == asFloat(u32(second)) ? data : old;
  case Atomic::CmpSwapF64:
    return asDouble(old) == asDouble(second) ? data : old;
  case Atomic::AddF64:
    return asBits64(asDouble(old) + asDouble(data));
  case Atomic::MinF64:
    return asBits64(std::fmin(asDouble(old), asDouble(data)));
  case Atomic::MaxF64:
    return asBits64(std::fmax(asDouble(old), asDouble(data)));
  case Atomic::PkAddF16:
    return pairOf([](u64 a, u64 b) {
      return toHalf(double(toFloat(Half{uint16_t(a)})) + toFloat(Half{uint16_t(b)})).bits;
    });
  case Atomic::PkAddBF16:
    return pairOf([](u64 a, u64 b) {
      return toBFloat(toFloat(BFloat{uint16_t(a)}) + toFloat(BFloat{uint16_t(b)})).bits;
    });
  }
  return old;
}

u64 lowp::sim::updateAtomic(uint8_t *at, Atomic kind, bool is64, u64 data, u64 second, bool flushF32) {
  u64 old = 0;
  unsigned size = is64 ? 8 : 4;
  std::memcpy(&old, at, size);
  u64 value = applyAtomic(kind, is64, old, data, second, flushF32);
  std::memcpy(at, &value, size);
  return old;
}

llvm::ArrayRef<NamedAtomic> lowp::sim::integerAtomics() {
  static constexpr NamedAtomic table[] = {
      {"swap", Atomic::Swap}, {"cmpswap", Atomic::CmpSwap}, {"add", Atomic::Add},   {"sub", Atomic::Sub},
      {"smin", Atomic::SMin}, {"umin", Atomic::UMin},       {"smax", Atomic::SMax}, {"umax", Atomic::UMax},
      {"and", Atomic::And},   {"or", Atomic::Or},           {"xor", Atomic::Xor},   {"inc", Atomic::Inc},
      {"dec", Atomic::Dec}};
  return table;
}
