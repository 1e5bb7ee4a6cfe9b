// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector instructions from scalar functions. A handler is `lanes<f>`: the signature of f says how its
// operands are read (float and Half take neg, abs and flushing; Half and uint16_t take op_sel; 64-bit types
// take register pairs) and how its result is written (bool becomes a lane mask). DPP, SDWA, clamp and omod
// apply to all alike.
#ifndef LOWP_LIB_SIM_LANES_H
#define LOWP_LIB_SIM_LANES_H

#include "Engine.h"
#include "Half.h"
#include <limits>
#include <tuple>
#include <utility>

namespace lowp::sim {

/// Raw: bits to which neg and abs apply, but which are not flushed.
enum class Reading : uint8_t { Int32, Float32, Int16, Float16, Int64, Float64, Raw16, Raw32, Raw64 };

/// Floating-point bits as they are.
struct RawHalf {
  uint16_t bits = 0;
};
struct RawFloat {
  uint32_t bits = 0;
};
struct RawDouble {
  uint64_t bits = 0;
};

/// The general case of reading 64 lanes of dword `dword` of source `k`.
const uint32_t *fetchSlow(const Wave &wave, const Inst &inst, unsigned k, unsigned dword, Reading reading,
                          uint32_t *tmp);
/// The lanes that a DPP instruction writes; EXEC for all others.
uint64_t dppLanes(const Wave &wave, const Inst &inst);
/// Writes 32 or 16 bits a lane through SDWA or op_sel destination selection.
void storePartial(Wave &wave, const Inst &inst, const uint32_t *values, uint64_t lanes, bool sixteen);

inline uint64_t activeLanes(const Wave &wave, const Inst &inst) {
  return inst.dpp == Dpp::None ? wave.exec() : dppLanes(wave, inst);
}

inline void splat(uint32_t *tmp, uint32_t value) {
  for (unsigned lane = 0; lane < 64; ++lane)
    tmp[lane] = value;
}

inline const uint32_t *fetch(const Wave &wave, const Inst &inst, unsigned k, unsigned dword, Reading reading,
                             uint32_t *tmp) {
  const Operand &operand = inst.src[k];
  bool flushes = (reading == Reading::Float32 && wave.flushF32) ||
                 ((reading == Reading::Float16 || reading == Reading::Float64) && wave.flushF16);
  if (!inst.plain || flushes)
    return fetchSlow(wave, inst, k, dword, reading, tmp);
  if (operand.kind == Operand::Vgpr)
    return wave.v[operand.reg + dword];
  splat(tmp,
        operand.kind == Operand::Sgpr ? wave.s[operand.reg + dword] : uint32_t(operand.imm >> 32 * dword));
  return tmp;
}

/// Writes dword `dword` of the destination in the given lanes.
inline void storeLanes(Wave &wave, unsigned row, const uint32_t *values, uint64_t lanes) {
  uint32_t *to = wave.v[row];
  if (lanes == ~uint64_t(0)) {
    std::memcpy(to, values, 256);
    return;
  }
  for (unsigned lane = 0; lane < 64; ++lane)
    to[lane] = lanes >> lane & 1 ? values[lane] : to[lane];
}

struct SourceKey {
  const Wave *wave;
  const Inst *inst;
  unsigned k;
};

template <class T> struct Source;

template <class T, Reading R> struct Source32 {
  alignas(64) uint32_t tmp[64];
  const uint32_t *p;
  Source32(SourceKey key) { p = fetch(*key.wave, *key.inst, key.k, 0, R, tmp); }
};
template <> struct Source<uint32_t> : Source32<uint32_t, Reading::Int32> {
  using Source32::Source32;
  uint32_t operator[](unsigned lane) const { return p[lane]; }
};
template <> struct Source<int32_t> : Source32<int32_t, Reading::Int32> {
  using Source32::Source32;
  int32_t operator[](unsigned lane) const { return int32_t(p[lane]); }
};
template <> struct Source<float> : Source32<float, Reading::Float32> {
  using Source32::Source32;
  float operator[](unsigned lane) const { return asFloat(p[lane]); }
};
template <> struct Source<uint16_t> : Source32<uint16_t, Reading::Int16> {
  using Source32::Source32;
  uint16_t operator[](unsigned lane) const { return uint16_t(p[lane]); }
};
template <> struct Source<int16_t> : Source32<int16_t, Reading::Int16> {
  using Source32::Source32;
  int16_t operator[](unsigned lane) const { return int16_t(p[lane]); }
};
template <> struct Source<Half> : Source32<Half, Reading::Float16> {
  using Source32::Source32;
  Half operator[](unsigned lane) const { return {uint16_t(p[lane])}; }
};
template <> struct Source<RawFloat> : Source32<RawFloat, Reading::Raw32> {
  using Source32::Source32;
  RawFloat operator[](unsigned lane) const { return {p[lane]}; }
};
template <> struct Source<RawHalf> : Source32<RawHalf, Reading::Raw16> {
  using Source32::Source32;
  RawHalf operator[](unsigned lane) const { return {uint16_t(p[lane])}; }
};
template <> struct Source<BFloat> : Source32<BFloat, Reading::Float16> {
  using Source32::Source32;
  BFloat operator[](unsigned lane) const { return {uint16_t(p[lane])}; }
};

template <Reading R> struct Source64 {
  alignas(64) uint32_t tmp[2][64];
  const uint32_t *p, *q;
  Source64(SourceKey key) {
    p = fetch(*key.wave, *key.inst, key.k, 0, R, tmp[0]);
    q = fetch(*key.wave, *key.inst, key.k, 1, R, tmp[1]);
  }
  uint64_t bits(unsigned lane) const { return p[lane] | uint64_t(q[lane]) << 32; }
};
template <> struct Source<uint64_t> : Source64<Reading::Int64> {
  using Source64::Source64;
  uint64_t operator[](unsigned lane) const { return bits(lane); }
};
template <> struct Source<int64_t> : Source64<Reading::Int64> {
  using Source64::Source64;
  int64_t operator[](unsigned lane) const { return int64_t(bits(lane)); }
};
template <> struct Source<double> : Source64<Reading::Float64> {
  using Source64::Source64;
  double operator[](unsigned lane) const { return asDouble(bits(lane)); }
};

template <> struct Source<RawDouble> : Source64<Reading::Raw64> {
  using Source64::Source64;
  RawDouble operator[](unsigned lane) const { return {bits(lane)}; }
};

inline double flushDenormal(double x) { return std::fabs(x) < 0x1p-1022 ? std::copysign(0.0, x) : x; }
inline Half flushDenormal(Half h) { return {uint16_t(h.bits & 0x7c00 ? h.bits : h.bits & 0x8000)}; }
inline float flushDenormal(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

/// omod and clamp of one result. omod only works where results are flushed and IEEE is off, and gives no -0
/// (CDNA3 ISA manual section 6.2.2; LLVM's SIFoldOperands relies on the same).
template <class T> T outputModifiers(const Wave &wave, const Inst &inst, T x, bool flushed) {
  if (inst.omod && flushed && !wave.ieee) {
    x *= inst.omod == 1 ? T(2) : inst.omod == 2 ? T(4) : T(0.5);
    x = x == 0 ? T(0) : flushDenormal(x);
  }
  if (inst.clamp && (wave.dx10Clamp || x == x)) // DX10_CLAMP: NaN becomes 0
    x = x > 0 ? (x < 1 ? x : T(1)) : T(0);
  return x;
}
/// All of it for one result.
inline Half finishHalf(const Wave &wave, const Inst &inst, Half value) {
  if (wave.flushF16Out)
    value = flushDenormal(value);
  if (inst.omod || inst.clamp)
    value = toHalf(outputModifiers(wave, inst, toFloat(value), wave.flushF16Out));
  return value;
}
inline double finishDouble(const Wave &wave, const Inst &inst, double value) {
  if (wave.flushF16Out)
    value = flushDenormal(value);
  if (inst.omod || inst.clamp)
    value = outputModifiers(wave, inst, value, wave.flushF16Out);
  return value;
}

/// Flushing, omod and clamp of 64 results.
inline void finishFloats(const Wave &wave, const Inst &inst, uint32_t *out) {
  if (wave.flushF32Out)
    for (unsigned lane = 0; lane < 64; ++lane)
      out[lane] = asBits(flushDenormal(asFloat(out[lane])));
  if (inst.omod || inst.clamp)
    for (unsigned lane = 0; lane < 64; ++lane)
      out[lane] = asBits(outputModifiers(wave, inst, asFloat(out[lane]), wave.flushF32Out));
}

template <class R, auto Fn, class... A, size_t... K>
inline void runLanes(Wave &wave, const Inst &inst, std::index_sequence<K...>) {
  std::tuple<Source<A>...> source{SourceKey{&wave, &inst, K}...};
  uint64_t lanes = activeLanes(wave, inst);
  if constexpr (std::is_same_v<R, bool>) {
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < 64; ++lane)
      mask |= uint64_t(Fn(std::get<K>(source)[lane]...)) << lane;
    wave.setPair(inst.dst.reg, mask & lanes);
  } else if constexpr (sizeof(R) == 8) {
    alignas(64) uint32_t low[64], high[64];
    for (unsigned lane = 0; lane < 64; ++lane) {
      R value = Fn(std::get<K>(source)[lane]...);
      uint64_t bits;
      if constexpr (std::is_same_v<R, double>)
        value = finishDouble(wave, inst, value);
      std::memcpy(&bits, &value, 8);
      low[lane] = uint32_t(bits);
      high[lane] = uint32_t(bits >> 32);
    }
    storeLanes(wave, inst.dst.reg, low, lanes);
    storeLanes(wave, inst.dst.reg + 1, high, lanes);
  } else {
    alignas(64) uint32_t out[64];
    constexpr bool sixteen = sizeof(R) == 2;
    for (unsigned lane = 0; lane < 64; ++lane) {
      R value = Fn(std::get<K>(source)[lane]...);
      if constexpr (std::is_same_v<R, float>)
        out[lane] = asBits(value);
      else if constexpr (std::is_same_v<R, Half> || std::is_same_v<R, BFloat> ||
                         std::is_same_v<R, RawFloat> || std::is_same_v<R, RawHalf>)
        out[lane] = value.bits;
      else if constexpr (sixteen)
        out[lane] = uint16_t(value);
      else
        out[lane] = uint32_t(value);
    }
    if constexpr (std::is_same_v<R, float>)
      finishFloats(wave, inst, out);
    if constexpr (std::is_same_v<R, Half>)
      if (inst.omod || inst.clamp || wave.flushF16Out)
        for (unsigned lane = 0; lane < 64; ++lane)
          out[lane] = finishHalf(wave, inst, Half{uint16_t(out[lane])}).bits;
    if (inst.sdwa || (sixteen && (inst.opSel || (inst.op->flags & KeepsHigh))))
      storePartial(wave, inst, out, lanes, sixteen);
    else
      storeLanes(wave, inst.dst.reg, out, lanes);
  }
}

template <auto Fn, class R, class... A> inline void deduceLanes(Wave &wave, const Inst &inst, R (*)(A...)) {
  runLanes<R, Fn, A...>(wave, inst, std::index_sequence_for<A...>{});
}

/// The handler of a vector instruction that does `Fn` in each lane.
template <auto Fn> void lanes(Engine &, Wave &wave, const Inst &inst) { deduceLanes<Fn>(wave, inst, Fn); }

/// A function for each setting of MODE's IEEE bit: minima and maxima of signalling NaN differ.
template <auto Plain, auto Ieee> void byIeee(Engine &engine, Wave &wave, const Inst &inst) {
  wave.ieee ? lanes<Ieee>(engine, wave, inst) : lanes<Plain>(engine, wave, inst);
}

template <class R, auto Exact, class... A> R saturate(A... a) {
  constexpr int64_t low = std::numeric_limits<R>::min(), high = std::numeric_limits<R>::max();
  int64_t value = Exact(a...);
  return R(value < low ? low : value > high ? high : value);
}
template <class R, auto Exact, class... A> constexpr auto saturating(int64_t (*)(A...)) {
  return &saturate<R, Exact, A...>;
}
/// An integer operation that saturates with clamp: `Exact` gives the result that no width bounds, R is the
/// type it saturates to.
template <auto Plain, class R, auto Exact> void clampable(Engine &engine, Wave &wave, const Inst &inst) {
  inst.clamp ? lanes<saturating<R, Exact>(Exact)>(engine, wave, inst) : lanes<Plain>(engine, wave, inst);
}

/// As `lanes`, for comparisons that set EXEC too.
template <auto Fn> void lanesToExec(Engine &, Wave &wave, const Inst &inst) {
  deduceLanes<Fn>(wave, inst, Fn);
  wave.setPair(ExecReg, wave.pair(inst.dst.reg));
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_LANES_H
