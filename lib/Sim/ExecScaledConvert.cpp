// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// v_cvt_scalef32_*: conversions with a scale, of which only the power of two counts. Narrowing divides by it,
// widening multiplies. Four- and six-bit formats always saturate; eight-bit ones as MODE's FP16_OVFL says.
// op_sel chooses the bytes: the two upper bits those of the destination, the lower ones those of the source.
// Only f32 obeys MODE's denormal control. Stochastic rounding adds as many of the top random bits as the
// source's fraction is longer than the result's, then cuts; several elements draw from v_prng_b32's sequence.
// CDNA4 ISA manual sections 6.7.1 and 12.11; ROCm's amd_hip_ocp_host.hpp, which states the rounding.

#include "Lanes.h"
#include "NarrowFormats.h"
#include "OpTable.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

namespace {

enum Wide : uint8_t { WideF32, WideF16, WideBF16 };

/// A table's param: narrow format, wide type, stochastic.
struct Conversion {
  Format narrow;
  Wide wide;
  bool stochastic = false;
};
uint16_t pack(Conversion c) { return uint16_t(unsigned(c.narrow) | c.wide << 8 | c.stochastic << 12); }
Conversion unpack(uint16_t param) {
  return {Format(param & 0xff), Wide(param >> 8 & 15), (param >> 12) != 0};
}

/// 2^e of a scale's exponent field; infinities and NaN poison.
double factorOf(float scale) {
  unsigned exponent = asBits(scale) >> 23 & 255;
  return exponent == 255 ? NAN : std::ldexp(1.0, int(exponent) - 127);
}

double widen(Wide type, uint32_t bits) {
  return type == WideF32   ? asFloat(bits)
         : type == WideF16 ? toFloat(Half{uint16_t(bits)})
                           : toFloat(BFloat{uint16_t(bits)});
}
uint32_t narrowWide(Wide type, double value) {
  return type == WideF32   ? asBits(float(value))
         : type == WideF16 ? toHalf(value).bits
                           : toBFloat(float(value)).bits;
}

/// v_prng_b32.
uint32_t nextRandom(uint32_t x) { return (x << 1) ^ (x >> 31 ? 197 : 0); }

class Lanes {
public:
  Lanes(Wave &wave, const Inst &inst) : wave(wave), inst(inst), conversion(unpack(inst.op->param)) {}
  uint32_t source(unsigned k, unsigned dword, unsigned lane) const {
    const Operand &operand = inst.src[k];
    uint32_t bits = operand.isVgpr()   ? wave.v[operand.reg + dword][lane]
                    : operand.isSgpr() ? wave.s[operand.reg + dword]
                                       : uint32_t(operand.imm);
    if (operand.abs)
      bits &= 0x7fffffff;
    return operand.neg ? bits ^ 0x80000000 : bits;
  }
  double single(uint32_t bits) const {
    float value = asFloat(bits);
    return wave.flushF32 ? flushDenormal(value) : value;
  }
  /// Half of the first source as a value of 16 bits: its neg and abs are those of that type.
  double signedElement(unsigned lane, unsigned from) const {
    const Operand &operand = inst.src[0];
    uint32_t bits = operand.isVgpr()   ? wave.v[operand.reg][lane]
                    : operand.isSgpr() ? wave.s[operand.reg]
                                       : uint32_t(operand.imm);
    double value = widen(conversion.wide, bits >> from & 0xffff);
    if (operand.abs)
      value = std::fabs(value);
    return operand.neg ? -value : value;
  }
  double scale(unsigned lane) const { return factorOf(asFloat(source(inst.sources - 1, 0, lane))); }
  /// Element i of a source that holds wide values side by side from source k on.
  double wideElement(unsigned k, unsigned i, unsigned lane) const {
    if (conversion.wide == WideF32)
      return single(source(k, i, lane));
    return widen(conversion.wide, source(k, i / 2, lane) >> 16 * (i % 2) & 0xffff);
  }
  uint32_t encodeOne(double value, uint32_t random) const {
    bool eight = bitWidth(conversion.narrow) == 8;
    Overflow overflow = !eight || wave.fp16Overflow() ? Overflow::Saturate : Overflow::Native;
    if (conversion.stochastic) {
      static constexpr unsigned fractions[] = {23, 10, 7};
      return encodeStochastic(conversion.narrow, value, random, overflow, fractions[conversion.wide]);
    }
    return encode(conversion.narrow, value, overflow);
  }
  uint32_t result(double value) const {
    if (conversion.wide != WideF32 || !wave.flushF32Out)
      return narrowWide(conversion.wide, value);
    return asBits(flushDenormal(float(value)));
  }
  void merge(unsigned lane, unsigned shift, unsigned width, uint32_t bits) {
    uint32_t mask = (width == 32 ? ~0u : (1u << width) - 1) << shift;
    uint32_t &to = wave.v[inst.dst.reg][lane];
    to = (to & ~mask) | (bits << shift & mask);
  }
  template <class F> void forEach(F body) {
    uint64_t exec = wave.exec();
    for (unsigned lane = 0; lane < 64; ++lane)
      if (exec >> lane & 1)
        body(lane);
  }

  Wave &wave;
  const Inst &inst;
  Conversion conversion;
};

/// Two wide values, in two sources (f32) or packed in one, to two codes.
void narrowPair(Engine &, Wave &wave, const Inst &inst) {
  Lanes lanes(wave, inst);
  bool f32 = lanes.conversion.wide == WideF32;
  unsigned bits = bitWidth(lanes.conversion.narrow);
  // The text's op_sel has an element for each source, then the destination's: with two sources it is the
  // third.
  unsigned shift = bits == 4 ? 8 * (inst.opSel >> 2 & 3) : inst.opSel >> (f32 ? 3 : 2) & 1 ? 16 : 0;
  lanes.forEach([&](unsigned lane) {
    double scale = lanes.scale(lane);
    // f32: two sources, or one register pair of the stochastic form.
    bool two = f32 && !lanes.conversion.stochastic;
    double low = lanes.wideElement(0, 0, lane), high = lanes.wideElement(two, two ? 0 : 1, lane);
    uint32_t random = lanes.conversion.stochastic ? lanes.source(1, 0, lane) : 0;
    uint32_t codes = lanes.encodeOne(low / scale, random) | lanes.encodeOne(high / scale, nextRandom(random))
                                                                << bits;
    lanes.merge(lane, shift, 2 * bits, codes);
  });
}

/// Two codes to two wide values.
void widenPair(Engine &, Wave &wave, const Inst &inst) {
  Lanes lanes(wave, inst);
  unsigned bits = bitWidth(lanes.conversion.narrow);
  unsigned shift = bits == 4 ? 8 * (inst.opSel & 3) : inst.opSel & 1 ? 16 : 0;
  lanes.forEach([&](unsigned lane) {
    double scale = lanes.scale(lane);
    uint32_t source = lanes.source(0, 0, lane) >> shift, out[2];
    for (unsigned i = 0; i < 2; ++i)
      out[i] = lanes.result(decode(lanes.conversion.narrow, source >> i * bits & ((1u << bits) - 1)) * scale);
    if (lanes.conversion.wide == WideF32) {
      wave.v[inst.dst.reg][lane] = out[0];
      wave.v[inst.dst.reg + 1][lane] = out[1];
    } else {
      wave.v[inst.dst.reg][lane] = out[0] | out[1] << 16;
    }
  });
}

/// One code to one wide value; an f16 goes to the half that op_sel's top bit chooses.
void widenOne(Engine &, Wave &wave, const Inst &inst) {
  Lanes lanes(wave, inst);
  unsigned shift = 8 * (inst.opSel & 3);
  lanes.forEach([&](unsigned lane) {
    double value =
        decode(lanes.conversion.narrow, lanes.source(0, 0, lane) >> shift & 0xff) * lanes.scale(lane);
    uint32_t out = lanes.result(value);
    if (lanes.conversion.wide == WideF32)
      lanes.merge(lane, 0, 32, out);
    else
      lanes.merge(lane, inst.opSel & 4 ? 16 : 0, 16, out);
  });
}

/// One value to one byte with stochastic rounding.
void narrowOneStochastic(Engine &, Wave &wave, const Inst &inst) {
  Lanes lanes(wave, inst);
  unsigned shift = 8 * (inst.opSel >> 2 & 3);
  lanes.forEach([&](unsigned lane) {
    double value = lanes.conversion.wide == WideF32 ? lanes.single(lanes.source(0, 0, lane))
                                                    : lanes.signedElement(lane, inst.opSel & 1 ? 16 : 0);
    lanes.merge(lane, shift, 8, lanes.encodeOne(value / lanes.scale(lane), lanes.source(1, 0, lane)));
  });
}

/// 32 wide values to 32 six-bit codes; two sources of f32 interleave.
void narrow32(Engine &, Wave &wave, const Inst &inst) {
  Lanes lanes(wave, inst);
  unsigned bits = bitWidth(lanes.conversion.narrow);
  bool two = inst.sources == 3 && !lanes.conversion.stochastic;
  lanes.forEach([&](unsigned lane) {
    double scale = lanes.scale(lane);
    uint32_t out[8] = {}, random = lanes.conversion.stochastic ? lanes.source(1, 0, lane) : 0;
    for (unsigned i = 0; i < 32; ++i, random = nextRandom(random)) {
      double value = two ? lanes.wideElement(i % 2, i / 2, lane) : lanes.wideElement(0, i, lane);
      uint64_t code = uint64_t(lanes.encodeOne(value / scale, random)) << (i * bits % 32);
      out[i * bits / 32] |= uint32_t(code);
      if (code >> 32)
        out[i * bits / 32 + 1] |= uint32_t(code >> 32);
    }
    for (unsigned i = 0; i < bits; ++i)
      wave.v[inst.dst.reg + i][lane] = out[i];
  });
}

void widen32(Engine &, Wave &wave, const Inst &inst) {
  Lanes lanes(wave, inst);
  unsigned bits = bitWidth(lanes.conversion.narrow);
  lanes.forEach([&](unsigned lane) {
    double scale = lanes.scale(lane);
    uint32_t in[9] = {}, out[32] = {};
    for (unsigned i = 0; i < bits; ++i)
      in[i] = lanes.source(0, i, lane);
    for (unsigned i = 0; i < 32; ++i) {
      uint64_t both = uint64_t(in[i * bits / 32 + 1]) << 32 | in[i * bits / 32];
      uint32_t code = uint32_t(both >> (i * bits % 32)) & ((1u << bits) - 1);
      uint32_t value = lanes.result(decode(lanes.conversion.narrow, code) * scale);
      if (lanes.conversion.wide == WideF32)
        out[i] = value;
      else
        out[i / 2] |= value << 16 * (i % 2);
    }
    for (unsigned i = 0; i < inst.dst.count; ++i)
      wave.v[inst.dst.reg + i][lane] = out[i];
  });
}

struct TableMaker : OpTable {
  void add(const std::string &suffix, Handler handler, Conversion conversion, uint32_t flags = 0) {
    OpTable::add("v_cvt_scalef32_" + suffix,
                 {nullptr, handler, Unit::Valu, 1, Undefined::Report, flags, pack(conversion)});
  }
};

} // namespace

ArrayRef<OpEntry> lowp::sim::scaledConvertOps() {
  static const TableMaker table = [] {
    TableMaker maker;
    struct Narrow {
      const char *name;
      Format format;
    };
    struct WideName {
      const char *name;
      Wide type;
    };
    static constexpr Narrow eights[] = {{"fp8", Format::F8E4M3FN}, {"bf8", Format::F8E5M2}};
    static constexpr Narrow sixes[] = {{"fp6", Format::F6E2M3FN}, {"bf6", Format::F6E3M2FN}};
    static constexpr WideName wides[] = {{"f32", WideF32}, {"f16", WideF16}, {"bf16", WideBF16}};
    auto addPairs = [&](const Narrow &narrow, const WideName &wide) {
      std::string n = narrow.name, w = wide.name;
      maker.add("pk_" + n + "_" + w, narrowPair, {narrow.format, wide.type}, PartialDst);
      maker.add("pk_" + w + "_" + n, widenPair, {narrow.format, wide.type});
    };
    for (const WideName &wide : wides) {
      std::string w = wide.name;
      for (const Narrow &narrow : eights) {
        std::string n = narrow.name;
        addPairs(narrow, wide);
        maker.add("sr_" + n + "_" + w, narrowOneStochastic, {narrow.format, wide.type, true}, PartialDst);
        if (wide.type != WideBF16)
          maker.add(w + "_" + n, widenOne, {narrow.format, wide.type},
                    wide.type == WideF16 ? PartialDst : OpFlags());
      }
      addPairs({"fp4", Format::F4E2M1FN}, wide);
      maker.add("sr_pk_fp4_" + w, narrowPair, {Format::F4E2M1FN, wide.type, true}, PartialDst);
      for (const Narrow &narrow : sixes) {
        std::string n = narrow.name;
        maker.add((wide.type == WideF32 ? "2xpk16_" : "pk32_") + n + "_" + w, narrow32,
                  {narrow.format, wide.type});
        maker.add("sr_pk32_" + n + "_" + w, narrow32, {narrow.format, wide.type, true});
        maker.add("pk32_" + w + "_" + n, widen32, {narrow.format, wide.type});
      }
    }
    return maker;
  }();
  return table.entries;
}
