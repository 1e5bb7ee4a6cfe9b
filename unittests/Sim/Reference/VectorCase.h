// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One vector instruction in one form: its text, its operands, its modifiers, and what it gives by the
// manual's description of sources, DPP, SDWA, op_sel, omod and clamp around the row's reference.
#ifndef LOWP_UNITTESTS_SIM_REFERENCE_VECTORCASE_H
#define LOWP_UNITTESTS_SIM_REFERENCE_VECTORCASE_H

#include "Row.h"
#include <functional>
#include <map>
#include <random>

namespace lowp::sim::reference {

using Random = std::mt19937_64;

/// The registers that hold one data set: rows of 64 lanes in v8 and on, scalars in s16-s47.
struct Bank {
  static constexpr unsigned firstVector = 8, vectors = 132, firstScalar = 16, scalars = 32;
  u32 v[vectors][64];
  u32 s[scalars];

  u32 vector(unsigned reg, unsigned lane) const { return v[reg - firstVector][lane]; }
  u32 scalar(unsigned reg) const { return s[reg - firstScalar]; }
  u64 scalarPair(unsigned reg) const { return scalar(reg) | u64(scalar(reg + 1)) << 32; }
};
Bank makeBank(Random &random);
constexpr unsigned execMasks[] = {38, 40}, laneMasks[] = {42, 44};

struct Source {
  enum Kind { Vector, Scalar, Constant } kind = Vector;
  std::string text;
  unsigned reg = 0;
  u64 constant = 0;
  bool neg = false, abs = false, sext = false;
  unsigned select = 6; ///< SDWA: bytes 0-3, words 4 and 5, 6: everything
};

struct DppControl {
  std::string text;
  std::function<int(int)> sourceLane; ///< -1: none
};

struct VectorCase {
  const Row *row = nullptr;
  std::string text;
  Source source[3];
  unsigned sources = 0;
  unsigned execMask = 0; ///< register, 0: all lanes
  unsigned maskIn = 0;   ///< register of the mask source
  bool usesVcc = false;
  std::string maskOut; ///< "vcc" or "s[50:51]"
  bool clamp = false;
  unsigned omod = 0; ///< 1 *2, 2 *4, 3 /2
  unsigned opSel = 0, opSelHi = 7, negLo = 0, negHi = 0;
  u32 immediate = 0;
  bool sdwa = false;
  unsigned dstSel = 6, dstUnused = 0;
  bool dpp = false;
  DppControl control;
  unsigned rowMask = 15, bankMask = 15;
  bool boundCtrl = false;
  unsigned firstRow = 0; ///< of the results

  bool writesMask() const { return row->signature[0] == 'm' || row->flags & MaskOut; }
  bool writesExec() const { return row->name.compare(0, 7, "v_cmpx_") == 0; }
  unsigned resultDwords() const;
};

/// Where the rows of an operand kind are, and how many dwords it has.
struct KindInfo {
  unsigned firstReg, count, dwords;
};
KindInfo kindInfo(char kind);

/// Every form to try; LLVM's assembler decides which of them exist.
std::vector<VectorCase> makeCases(const Row &row, Random &random, unsigned repeats);

/// What the case must give in a lane.
struct Outcome {
  Lane lane;           ///< `d` and `mask`
  bool written = true; ///< false: the lane keeps what it has, its mask bit is 0
  bool exec = true;    ///< for v_cmpx
};
Outcome evaluate(const VectorCase &one, const Bank &bank, unsigned lane, bool ocp, bool saturate = false);
/// The lanes in which it may write, by EXEC.
u64 activeLanes(const VectorCase &one, const Bank &bank);

} // namespace lowp::sim::reference

#endif // LOWP_UNITTESTS_SIM_REFERENCE_VECTORCASE_H
