// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector operations on f32. Rounding and denormals as MODE says. Minimum and maximum give the other operand
// for a NaN and order -0 below +0, as the IEEE 754-2008 forms do. CDNA3 ISA manual sections 16.7
// to 16.10.

#include "FusedMultiplyAdd.h"
#include "Lanes.h"

using namespace llvm;
using namespace lowp::sim;

static float add(float a, float b) { return a + b; }
static float sub(float a, float b) { return a - b; }
static float subrev(float a, float b) { return b - a; }
static float mul(float a, float b) { return a * b; }
static float mulLegacy(float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; }

static bool isSignalling(float a) { return std::isnan(a) && !(asBits(a) & 0x400000); }
static float quiet(float a) { return asFloat(asBits(a) | 0x400000); }

/// With `Ieee`, a signalling NaN gives its quiet form instead of the other operand.
template <bool Ieee> float minF(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) {
    if (Ieee && isSignalling(a))
      return quiet(a);
    if (Ieee && isSignalling(b))
      return quiet(b);
    return std::isnan(a) ? b : a;
  }
  if (a == 0 && b == 0)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <bool Ieee> float maxF(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) {
    if (Ieee && isSignalling(a))
      return quiet(a);
    if (Ieee && isSignalling(b))
      return quiet(b);
    return std::isnan(a) ? b : a;
  }
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <bool I> float min3(float a, float b, float c) { return minF<I>(minF<I>(a, b), c); }
template <bool I> float max3(float a, float b, float c) { return maxF<I>(maxF<I>(a, b), c); }
template <bool I> float med3(float a, float b, float c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c))
    return min3<I>(a, b, c);
  return maxF<I>(minF<I>(a, b), minF<I>(maxF<I>(a, b), c));
}
// NaN wins, made quiet.
static float minimum(float a, float b) {
  return std::isnan(a) ? quiet(a) : std::isnan(b) ? quiet(b) : minF<false>(a, b);
}
static float maximum(float a, float b) {
  return std::isnan(a) ? quiet(a) : std::isnan(b) ? quiet(b) : maxF<false>(a, b);
}
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

// Cube maps: face, coordinates on it, and twice the major axis of (x, y, z).
static int majorAxis(float x, float y, float z) {
  float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  return az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0;
}
static float cubeId(float x, float y, float z) {
  int axis = majorAxis(x, y, z);
  return float(2 * axis + ((axis == 2 ? z : axis == 1 ? y : x) < 0));
}
static float cubeS(float x, float y, float z) {
  int axis = majorAxis(x, y, z);
  return axis == 2 ? (z < 0 ? -x : x) : axis == 1 ? x : x < 0 ? z : -z;
}
static float cubeT(float x, float y, float z) { return majorAxis(x, y, z) == 1 ? (y < 0 ? -z : z) : -y; }
static float cubeMa(float x, float y, float z) {
  int axis = majorAxis(x, y, z);
  return 2 * (axis == 2 ? z : axis == 1 ? y : x);
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

ArrayRef<OpEntry> lowp::sim::floatOps() {
  static constexpr Unit V = Unit::Valu;
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"v_add_f32", lanes<add>, V, 1, R, FloatClamp},
      {"v_sub_f32", lanes<sub>, V, 1, R, FloatClamp},
      {"v_subrev_f32", lanes<subrev>, V, 1, R, FloatClamp},
      {"v_mul_f32", lanes<mul>, V, 1, R, FloatClamp},
      {"v_mul_legacy_f32", lanes<mulLegacy>, V, 1, R, FloatClamp},
      {"v_min_f32", byIeee<minF<false>, minF<true>>, V, 1, R, FloatClamp},
      {"v_max_f32", byIeee<maxF<false>, maxF<true>>, V, 1, R, FloatClamp},
      {"v_min3_f32", byIeee<min3<false>, min3<true>>, V, 1, R, FloatClamp},
      {"v_max3_f32", byIeee<max3<false>, max3<true>>, V, 1, R, FloatClamp},
      {"v_med3_f32", byIeee<med3<false>, med3<true>>, V, 1, R, FloatClamp},
      {"v_minimum3_f32", lanes<minimum3>, V, 1, R, FloatClamp},
      {"v_maximum3_f32", lanes<maximum3>, V, 1, R, FloatClamp},
      {"v_fma_f32", fma, V, 1, R, FloatClamp},
      {"v_fmac_f32", fma, V, 1, R, FloatClamp | TiedSource},
      {"v_fmamk_f32", fma, V, 1, R, FloatClamp},
      {"v_fmaak_f32", fma, V, 1, R, FloatClamp},
      {"v_cubeid_f32", lanes<cubeId>, V, 1, R, FloatClamp},
      {"v_cubesc_f32", lanes<cubeS>, V, 1, R, FloatClamp},
      {"v_cubetc_f32", lanes<cubeT>, V, 1, R, FloatClamp},
      {"v_cubema_f32", lanes<cubeMa>, V, 1, R, FloatClamp},
      {"v_floor_f32", lanes<floorF>, V, 1, R, FloatClamp},
      {"v_ceil_f32", lanes<ceilF>, V, 1, R, FloatClamp},
      {"v_trunc_f32", lanes<truncF>, V, 1, R, FloatClamp},
      {"v_rndne_f32", lanes<rndne>, V, 1, R, FloatClamp},
      {"v_fract_f32", lanes<fract>, V, 1, R, FloatClamp},
      {"v_ldexp_f32", lanes<ldexpF>, V, 1, R, FloatClamp},
      {"v_frexp_mant_f32", lanes<frexpMant>, V, 1, R, FloatClamp},
      {"v_frexp_exp_i32_f32", lanes<frexpExp>, V, 1, R, AnyClamp},
  };
  return table;
}
