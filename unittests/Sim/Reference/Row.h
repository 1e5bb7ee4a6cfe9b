// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row of a reference table: a mnemonic, its operands, and a plain function of one lane. Nothing here and
// in the references includes anything of the simulator. Unless a reference says otherwise, its source is the
// instruction's pseudocode in AMD's "Instinct MI300" (CDNA3) and "CDNA4" ISA manuals, chapter "Instructions".
#ifndef LOWP_UNITTESTS_SIM_REFERENCE_ROW_H
#define LOWP_UNITTESTS_SIM_REFERENCE_ROW_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace lowp::sim::reference {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// What an instruction sees and gives in one lane. The driver has applied the modifiers of sources (neg, abs,
/// sub-dword selections, DPP) and applies those of results (omod, clamp, destination selections) afterwards;
/// packed operations choose their halves themselves.
struct Lane {
  u32 s[3][32];
  u32 d[32]; ///< before: what the destination holds
  bool carryIn = false, mask = false;
  unsigned lane = 0;
  unsigned opSel = 0, opSelHi = 7, negLo = 0, negHi = 0;
  bool clamp = false;
  bool ocp = false;      ///< the chip's FP8 is OCP's
  bool saturate = false; ///< MODE's FP16_OVFL
  u32 immediate = 0;     ///< fmaak's constant, bitop3's table
  // What a reference may say besides its result.
  bool skip = false;           ///< the documents do not define the result for these sources
  bool hasAlternative = false; ///< a second result is right, too (stochastic rounding of subnormals)
  u32 alternative = 0;
  unsigned choice = 0; ///< width of fields of which each may be that of `d` or that of `choices`
  u32 choices[6] = {};
  double allowed = 0; ///< absolute error of an f32 result, where the order of sums is not documented

  u64 q(unsigned i, unsigned at = 0) const { return s[i][at] | u64(s[i][at + 1]) << 32; }
  float f(unsigned i, unsigned at = 0) const { return bitCast<float>(s[i][at]); }
  double lf(unsigned i) const { return bitCast<double>(q(i)); }
  void set(u32 value) { d[0] = value; }
  void setF(float value) { d[0] = bitCast<u32>(value); }
  void setQ(u64 value) {
    d[0] = u32(value);
    d[1] = u32(value >> 32);
  }
  void setD(double value) { setQ(bitCast<u64>(value)); }
};

using Reference = void (*)(Lane &);

/// What an operand is, one letter each; in a signature the destination comes first: "f:ff".
///   f d h b  f32, f64, f16 and bf16 (of one half)     F  pair of f32       i l s  integers of 32, 64 and 16
///   bits P H B  pairs of i16, f16, bf16         e  a scale (f32)     u      128 bits 6 x y Y z  6 dwords, 16
///   f32, 16 pairs of f16 or bf16, 32 f32       m      mask: a bit of each lane n      shift count or the
///   like (a small integer)
/// Destinations of 16 bits: h and s clear the other half, H.. write both, k keeps the other half.
struct Row {
  std::string name, signature;
  Reference reference;
  unsigned flags = 0;
  double tolerance = 0; ///< in units of the last place; results that are 0, infinite or NaN must be exact
  unsigned selects = 0; ///< with OwnHalves: the bits of OPSEL that it takes
};

enum RowFlags : unsigned {
  Vop3Only = 1,   ///< no short encoding, no suffix
  OnlyShort = 2,  ///< no VOP3 form
  Packed = 4,     ///< VOP3P: op_sel, op_sel_hi, neg_lo, neg_hi
  ReadsDst = 8,   ///< reads its destination; it must be initialised
  Gfx950 = 16,    ///< not on the other chip
  OwnHalves = 32, ///< takes op_sel itself, sources are whole dwords
  HasImmediate = 64,
  Table = 128,         ///< bitop3
  IntegerClamp = 256,  ///< the reference obeys clamp itself
  OnlyBytes = 512,     ///< SDWA selects bytes or everything
  OnlyWords = 1 << 17, ///< SDWA selects halves or everything
  OwnSigns = 1 << 18,  ///< obeys negLo and negHi as neg and abs itself (fma_mix)
  Gfx942 = 2048,
  MaskIn = 4096,          ///< the last source is a mask (VCC in short encodings)
  MaskOut = 8192,         ///< gives a mask besides its vector result
  FirstIsAnother = 32768, ///< source 0 is the same as source 1 or 2 (div_scale)
  HalfResult = 65536,     ///< the destination k is an f16
  NoVcc = 16384,          ///< the mask source is VCC though not written in the text (div_fmas)
};

using Rows = std::vector<Row>;

inline std::vector<std::string> namesOf(const Rows &rows) {
  std::vector<std::string> names;
  for (const Row &row : rows)
    names.push_back(row.name);
  return names;
}

Rows integerRows();
Rows integer16Rows();
Rows wideIntegerRows();
Rows floatRows();
Rows halfRows();
Rows doubleRows();
Rows divideRows();
Rows transRows();
Rows convertRows();
Rows narrowConvertRows();
Rows scaledConvertRows();
Rows compareRows();
Rows packedRows();
Rows dotRows();
Rows imageRows();
Rows trigRows();

} // namespace lowp::sim::reference

#endif // LOWP_UNITTESTS_SIM_REFERENCE_ROW_H
