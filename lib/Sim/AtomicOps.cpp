// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction definitions of the CDNA3 ISA manual, chapter 12; of floats CDNA4 ISA manual section 9.2:
// additions round to nearest even; minima and maxima order quiet NaN beyond all numbers, so that a number
// wins, make a signalling NaN the result, and compare what is flushed but return what is not.

#include "AtomicOps.h"
#include "Half.h"
#include <algorithm>
#include <cstring>

using namespace lowp::sim;

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

namespace {

template <class T> struct Bits;
template <> struct Bits<float> {
  using type = u32;
  static constexpr u64 quiet = 0x400000;
  static constexpr float smallest = 0x1p-126f;
  static float value(u64 x) { return asFloat(u32(x)); }
  static u64 bits(float x) { return asBits(x); }
};
template <> struct Bits<double> {
  using type = u64;
  static constexpr u64 quiet = u64(1) << 51;
  static constexpr double smallest = 0x1p-1022;
  static double value(u64 x) { return asDouble(x); }
  static u64 bits(double x) { return asBits64(x); }
};

template <class T> T withoutDenormals(T x, bool flush) {
  return flush && std::fabs(x) < Bits<T>::smallest ? std::copysign(T(0), x) : x;
}

template <class T> u64 addFloats(u64 old, u64 data, bool flushIn, bool flushOut) {
  T a = withoutDenormals(Bits<T>::value(old), flushIn), b = withoutDenormals(Bits<T>::value(data), flushIn);
  if (std::isnan(a) || std::isnan(b)) // of two the first, made quiet
    return Bits<T>::bits(std::isnan(a) ? a : b) | Bits<T>::quiet;
  return Bits<T>::bits(withoutDenormals(a + b, flushOut));
}

template <class T> u64 extremum(u64 old, u64 data, bool flush, bool greater) {
  T a = Bits<T>::value(old), b = Bits<T>::value(data);
  for (u64 x : {old, data})
    if (std::isnan(Bits<T>::value(x)) && !(x & Bits<T>::quiet))
      return x | Bits<T>::quiet;
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? data : old;
  T x = withoutDenormals(a, flush), y = withoutDenormals(b, flush);
  bool firstIsLess = x < y || (x == y && std::signbit(a) && !std::signbit(b));
  return firstIsLess != greater ? old : data;
}

template <class T> u64 compareAndSwap(u64 old, u64 data, u64 second, bool flush) {
  auto value = [&](u64 x) { return withoutDenormals(Bits<T>::value(x), flush); };
  u64 result = value(old) == value(second) ? data : old;
  return flush && !std::isnan(Bits<T>::value(result)) ? Bits<T>::bits(value(result)) : result;
}

u32 halfWithoutDenormals(u32 half, u32 exponent, bool flush) {
  return flush && !(half & exponent) ? half & 0x8000 : half;
}

} // namespace

u64 lowp::sim::applyAtomic(Atomic kind, bool is64, u64 old, u64 data, u64 second, const AtomicFlush &flush) {
  auto asSigned = [&](u64 x) { return is64 ? i64(x) : i64(i32(u32(x))); };
  // Both halves, with denormals of f16 or bf16 flushed as asked.
  auto pairOf = [&](u32 exponent, auto add) {
    u64 result = 0;
    for (unsigned shift : {0, 16}) {
      u32 x = halfWithoutDenormals(u32(old >> shift) & 0xffff, exponent, flush.inF16),
          y = halfWithoutDenormals(u32(data >> shift) & 0xffff, exponent, flush.inF16);
      result |= u64(halfWithoutDenormals(add(x, y), exponent, flush.outF16)) << shift;
    }
    return result;
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
    return addFloats<float>(old, data, flush.inF32, flush.outF32);
  case Atomic::AddF64:
    return addFloats<double>(old, data, false, false);
  case Atomic::MinF32:
  case Atomic::MaxF32:
    return extremum<float>(old, data, flush.inF32, kind == Atomic::MaxF32);
  case Atomic::MinF64:
  case Atomic::MaxF64:
    return extremum<double>(old, data, flush.inF64, kind == Atomic::MaxF64);
  case Atomic::CmpSwapF32:
    return compareAndSwap<float>(old, data, second, flush.inF32);
  case Atomic::CmpSwapF64:
    return compareAndSwap<double>(old, data, second, flush.inF64);
  case Atomic::PkAddF16:
    return pairOf(0x7c00, [](u32 a, u32 b) {
      return toHalf(double(toFloat(Half{uint16_t(a)})) + toFloat(Half{uint16_t(b)})).bits;
    });
  case Atomic::PkAddBF16:
    return pairOf(0x7f80, [](u32 a, u32 b) {
      return toBFloat(toFloat(BFloat{uint16_t(a)}) + toFloat(BFloat{uint16_t(b)})).bits;
    });
  }
  return old;
}

u64 lowp::sim::updateAtomic(uint8_t *at, Atomic kind, bool is64, u64 data, u64 second,
                            const AtomicFlush &flush) {
  u64 old = 0;
  unsigned size = is64 ? 8 : 4;
  std::memcpy(&old, at, size);
  u64 value = applyAtomic(kind, is64, old, data, second, flush);
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
