// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector operations on f32. Round to nearest even; denormals as MODE says. Minimum and maximum give the other operand
// for a NaN and order -0 below +0, as the IEEE 754-2008 forms do. CDNA3 ISA manual sections 16.7 to 16.10.

#include "FusedMultiplyAdd.h"
#include "Lanes.h"

using namespace llvm;
using namespace lowp::sim;

static float add(float a, float b) { return a + b; }
static float sub(float a, float b) { return a - b; }
static float subrev(float a, float b) { return b - a; }
static float mul(float a, float b) { return a * b; }
static float mulLegacy(float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; }

static float minF(float a, float b) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  if (a == 0 && b == 0)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
static float maxF(float a, float b) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
static float min3(float a, float b, float c) { return minF(minF(a, b), c); }
static float max3(float a, float b, float c) { return maxF(maxF(a, b), c); }
static float med3(float a, float b, float c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c))
    return min3(a, b, c);
  return maxF(minF(a, b), minF(maxF(a, b), c));
}
// NaN wins.
static float minimum(float a, float b) { return std::isnan(a) ? a : std::isnan(b) ? b : minF(a, b); }
static float maximum(float a, float b) { return std::isnan(a) ? a : std::isnan(b) ? b : maxF(a, b); }
static float minimum3(float a, float b, float c) { return minimum(minimum(a, b), c); }
static float maximum3(float a, float b, float c) { return maximum(maximum(a, b), c); }

static float floorF(float a) { return std::floor(a); }
static float ceilF(float a) { return std::ceil(a); }
static float truncF(float a) { return std::trunc(a); }
static float rndne(float a) { return std::nearbyint(a); }
static float fract(float a) {
  float r = a - std::floor(a);
  return r >= 1.0f ? 0x1.fffffep-1f : r;
}
static float ldexpF(float a, int32_t b) { return std::ldexp(a, b < -400 ? -400 : b > 400 ? 400 : b); }
static float frexpMant(float a) {
  int e;
  return std::isfinite(a) ? std::frexp(a, &e) : a;
}
static int32_t frexpExp(float a) {
  int e = 0;
  if (std::isfinite(a) && a != 0)
    std::frexp(a, &e);
  return e;
}

static void fma(Engine &, Wave &wave, const Inst &inst) {
  Source<float> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}}, c{{&wave, &inst, 2}};
  alignas(64) uint32_t out[64];
  fusedMultiplyAdd(a.p, b.p, c.p, out);
  finishFloats(wave, inst, out);
  if (inst.sdwa)
    return storePartial(wave, inst, out, activeLanes(wave, inst), false);
  storeLanes(wave, inst.dst.reg, out, activeLanes(wave, inst));
}

// -- division in steps: scale, iterate with fma, undo the scale, fix the special cases --------------------------------------

static bool isDenormal(float x) { return x != 0 && std::fabs(x) < 0x1p-126f; }
static int exponentField(float x) { return asBits(x) >> 23 & 255; }

static void divScale(Engine &, Wave &wave, const Inst &inst) {
  Source<float> s0{{&wave, &inst, 0}}, s1{{&wave, &inst, 1}}, s2{{&wave, &inst, 2}};
  uint64_t exec = wave.exec(), scaled = 0;
  alignas(64) uint32_t out[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    float x = s0[lane], d = s1[lane], n = s2[lane], r = x;
    bool isD = asBits(x) == asBits(d), isN = asBits(x) == asBits(n), vcc = false;
    bool tinyInverse = isDenormal(float(1.0 / double(d))), tinyQuotient = isDenormal(float(double(n) / double(d)));
    if (n == 0 || d == 0) {
      r = std::nanf("");
    } else if (exponentField(n) - exponentField(d) >= 96) {
      vcc = true;
      if (isD)
        r = std::ldexp(x, 64);
    } else if (isDenormal(d)) {
      r = std::ldexp(x, 64);
    } else if (tinyInverse && tinyQuotient) {
      vcc = true;
      if (isD)
        r = std::ldexp(x, -64);
    } else if (tinyInverse) {
      r = std::ldexp(x, -64);
    } else if (tinyQuotient) {
      vcc = true;
      if (isN)
        r = std::ldexp(x, 64);
    } else if (exponentField(n) <= 23) {
      r = std::ldexp(x, 64);
    }
    out[lane] = asBits(r);
    scaled |= uint64_t(vcc) << lane;
  }
  storeLanes(wave, inst.dst.reg, out, exec);
  wave.setPair(inst.sdst.reg, scaled & exec);
}

static void divFmas(Engine &, Wave &wave, const Inst &inst) {
  Source<float> a{{&wave, &inst, 0}}, b{{&wave, &inst, 1}}, c{{&wave, &inst, 2}};
  alignas(64) uint32_t out[64];
  uint64_t vcc = wave.pair(Vcc);
  for (unsigned lane = 0; lane < 64; ++lane) {
    double exact = std::fma(double(a[lane]), double(b[lane]), double(c[lane]));
    float r = std::fma(a[lane], b[lane], c[lane]);
    if (vcc >> lane & 1)
      r = float(std::ldexp(exact, exponentField(c[lane]) > 127 ? 64 : -64));
    out[lane] = asBits(r);
  }
  finishFloats(wave, inst, out);
  storeLanes(wave, inst.dst.reg, out, wave.exec());
}

static float divFixup(float quotient, float d, float n) {
  bool negative = std::signbit(d) != std::signbit(n);
  if (std::isnan(n))
    return n;
  if (std::isnan(d))
    return d;
  if ((d == 0 && n == 0) || (std::isinf(d) && std::isinf(n)))
    return std::nanf("");
  if (d == 0 || std::isinf(n))
    return negative ? -INFINITY : INFINITY;
  if (std::isinf(d) || n == 0)
    return negative ? -0.0f : 0.0f;
  if (exponentField(n) - exponentField(d) < -150)
    return negative ? -0.0f : 0.0f;
  if (exponentField(d) == 255)
    return negative ? -INFINITY : INFINITY;
  return negative ? -std::fabs(quotient) : std::fabs(quotient);
}

ArrayRef<OpEntry> lowp::sim::floatOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"v_add_f32", lanes<add>, V, 1, R, FloatClamp},
      {"v_sub_f32", lanes<sub>, V, 1, R, FloatClamp},
      {"v_subrev_f32", lanes<subrev>, V, 1, R, FloatClamp},
      {"v_mul_f32", lanes<mul>, V, 1, R, FloatClamp},
      {"v_mul_legacy_f32", lanes<mulLegacy>, V, 1, R, FloatClamp},
      {"v_min_f32", lanes<minF>, V, 1, R, FloatClamp},
      {"v_max_f32", lanes<maxF>, V, 1, R, FloatClamp},
      {"v_min3_f32", lanes<min3>, V, 1, R, FloatClamp},
      {"v_max3_f32", lanes<max3>, V, 1, R, FloatClamp},
      {"v_med3_f32", lanes<med3>, V, 1, R, FloatClamp},
      {"v_minimum3_f32", lanes<minimum3>, V, 1, R, FloatClamp},
      {"v_maximum3_f32", lanes<maximum3>, V, 1, R, FloatClamp},
      {"v_fma_f32", fma, V, 1, R, FloatClamp},
      {"v_fmac_f32", fma, V, 1, R, FloatClamp | TiedSource},
      {"v_fmamk_f32", fma, V, 1, R, FloatClamp},
      {"v_fmaak_f32", fma, V, 1, R, FloatClamp},
      {"v_floor_f32", lanes<floorF>, V, 1, R, FloatClamp},
      {"v_ceil_f32", lanes<ceilF>, V, 1, R, FloatClamp},
      {"v_trunc_f32", lanes<truncF>, V, 1, R, FloatClamp},
      {"v_rndne_f32", lanes<rndne>, V, 1, R, FloatClamp},
      {"v_fract_f32", lanes<fract>, V, 1, R, FloatClamp},
      {"v_ldexp_f32", lanes<ldexpF>, V, 1, R, FloatClamp},
      {"v_frexp_mant_f32", lanes<frexpMant>, V, 1, R, FloatClamp},
      {"v_frexp_exp_i32_f32", lanes<frexpExp>, V, 1, R},
      {"v_div_scale_f32", divScale, V, 2, R},
      {"v_div_fmas_f32", divFmas, V, 1, R, FloatClamp | ReadsVcc},
      {"v_div_fixup_f32", lanes<divFixup>, V, 1, R, FloatClamp},
  };
  return table;
}
