// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division in steps, as compilers expand it: v_div_scale moves operands out of the range where the reciprocal
// or the quotient would be denormal, iterations of fma follow, v_div_fmas makes the last of them and undoes
// the scale, and v_div_fixup settles the special cases. CDNA3 ISA manual section 16.10.

#include "Lanes.h"

using namespace llvm;
using namespace lowp::sim;

namespace {

template <class T> struct Traits;
template <> struct Traits<float> {
  static constexpr int fraction = 23, exponentMask = 255, bias = 127, scale = 64, farApart = 96,
                       smallNumerator = 23;
  static constexpr double minNormal = 0x1p-126;
  static uint64_t bits(float x) { return asBits(x); }
};
template <> struct Traits<double> {
  static constexpr int fraction = 52, exponentMask = 2047, bias = 1023, scale = 128, farApart = 768,
                       smallNumerator = 53;
  static constexpr double minNormal = 0x1p-1022;
  static uint64_t bits(double x) { return asBits64(x); }
};

template <class T> int exponentField(T x) {
  return int(Traits<T>::bits(x) >> Traits<T>::fraction) & Traits<T>::exponentMask;
}
template <class T> bool isDenormal(T x) { return x != 0 && std::fabs(x) < Traits<T>::minNormal; }

template <class T> void store(Wave &wave, const Inst &inst, const T (&values)[64]) {
  alignas(64) uint32_t out[64];
  uint64_t exec = wave.exec();
  for (unsigned dword = 0; dword < sizeof(T) / 4; ++dword) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      T value = values[lane];
      if constexpr (sizeof(T) == 8)
        value = finishDouble(wave, inst, value);
      out[lane] = uint32_t(Traits<T>::bits(value) >> 32 * dword);
    }
    if (sizeof(T) == 4)
      finishFloats(wave, inst, out);
    storeLanes(wave, inst.dst.reg + dword, out, exec);
  }
}

/// Sources: the operand to scale, which is one of the others, denominator, numerator.
template <class T> void divScale(Engine &, Wave &wave, const Inst &inst) {
  using Tr = Traits<T>;
  Source<T> s0{{&wave, &inst, 0}}, s1{{&wave, &inst, 1}}, s2{{&wave, &inst, 2}};
  uint64_t scaled = 0;
  T out[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    T x = s0[lane], d = s1[lane], n = s2[lane], r = x;
    bool isD = Tr::bits(x) == Tr::bits(d), isN = Tr::bits(x) == Tr::bits(n), vcc = false;
    bool tinyInverse = isDenormal(T(1) / d), tinyQuotient = isDenormal(n / d);
    if (n == 0 || d == 0) {
      r = T(NAN);
    } else if (exponentField(n) - exponentField(d) >= Tr::farApart) {
      vcc = true;
      if (isD)
        r = std::ldexp(x, Tr::scale);
    } else if (isDenormal(d)) {
      r = std::ldexp(x, Tr::scale);
    } else if (tinyInverse && tinyQuotient) {
      vcc = true;
      if (isD)
        r = std::ldexp(x, -Tr::scale);
    } else if (tinyInverse) {
      r = std::ldexp(x, -Tr::scale);
    } else if (tinyQuotient) {
      vcc = true;
      if (isN)
        r = std::ldexp(x, Tr::scale);
    } else if (exponentField(n) <= Tr::smallNumerator) {
      r = std::ldexp(x, Tr::scale);
    }
    out[lane] = r;
    scaled |= uint64_t(vcc) << lane;
  }
  store(wave, inst, out);
  wave.setPair(inst.sdst.reg, scaled & wave.exec());
}

template <class T> void divFmas(Engine &, Wave &wave, const Inst &inst) {
  Source<T> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}}, c{{&wave, &inst, 2}};
  uint64_t vcc = wave.pair(Vcc);
  T out[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    out[lane] = std::fma(a[lane], b[lane], c[lane]);
    // A large quotient was made small, a small one large.
    if (vcc >> lane & 1)
      out[lane] = std::ldexp(out[lane],
                             exponentField(c[lane]) > Traits<T>::bias ? Traits<T>::scale : -Traits<T>::scale);
  }
  store(wave, inst, out);
}

template <class T> T fixup(T quotient, T d, T n, int tooSmall) {
  bool negative = std::signbit(d) != std::signbit(n);
  T sign = negative ? T(-1) : T(1);
  if (std::isnan(n))
    return n + n; // quiet
  if (std::isnan(d))
    return d + d;
  if ((d == 0 && n == 0) || (std::isinf(d) && std::isinf(n)))
    return T(NAN);
  if (d == 0 || std::isinf(n))
    return sign * T(INFINITY);
  if (std::isinf(d) || n == 0 || exponentField(n) - exponentField(d) < tooSmall)
    return sign * T(0);
  return std::copysign(quotient, sign);
}
// The quotient of numbers is no number where its approximation overflowed and the iterations took infinity
// from infinity; the manual does not say so, but expanded divisions have to give infinity there.
template <class T> T overflowed(T quotient) { return std::isnan(quotient) ? T(INFINITY) : quotient; }
float fixupF32(float q, float d, float n) { return fixup(overflowed(q), d, n, -150); }
double fixupF64(double q, double d, double n) { return fixup(overflowed(q), d, n, -1075); }
Half fixupF16(Half q, Half d, Half n) { return toHalf(fixup(toFloat(q), toFloat(d), toFloat(n), -300)); }

} // namespace

ArrayRef<OpEntry> lowp::sim::divideOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"v_div_scale_f32", divScale<float>, V, 2, R},
      {"v_div_scale_f64", divScale<double>, V, 2, R},
      {"v_div_fmas_f32", divFmas<float>, V, 1, R, FloatClamp | ReadsVcc},
      {"v_div_fmas_f64", divFmas<double>, V, 1, R, FloatClamp | ReadsVcc},
      {"v_div_fixup_f32", lanes<fixupF32>, V, 1, R, FloatClamp},
      {"v_div_fixup_f64", lanes<fixupF64>, V, 1, R, FloatClamp},
      {"v_div_fixup_legacy_f16", lanes<fixupF16>, V, 1, R, FloatClamp},
      {"v_div_fixup_f16", lanes<fixupF16>, V, 1, R, FloatClamp | KeepsHigh | PartialDst},
  };
  return table;
}
