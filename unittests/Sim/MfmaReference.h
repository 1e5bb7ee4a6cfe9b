// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests know of matrix instructions, written from documents and without the simulator: the forms of
// each chip, and where their elements lie.
#ifndef LOWP_UNITTESTS_SIM_MFMAREFERENCE_H
#define LOWP_UNITTESTS_SIM_MFMAREFERENCE_H

#include "lowp/Numerics/Format.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace lowp::sim::test {

/// Element `element` of a lane, counted from the lowest bits of its lowest register.
struct Place {
  unsigned lane, element;
  bool operator==(const Place &other) const { return lane == other.lane && element == other.element; }
};

using Rows = std::vector<std::vector<uint32_t>>; ///< registers of 64 lanes

/// Writes an element of `bits` bits into the registers of an operand that begin at rows[base].
void put(Rows &rows, unsigned base, Place place, unsigned bits, uint64_t code);

/// All but the f8f6f4 family, which MfmaTest and MfmaScaledTest cover.
std::vector<std::string> matrixForms(llvm::StringRef chip);

struct MatrixForm {
  /// cbsz and blgp name the formats of the f8f6f4 family and do nothing else.
  MatrixForm(llvm::StringRef name, llvm::StringRef chip, unsigned cbsz = 0, unsigned blgp = 0);

  std::string name;
  unsigned m = 0, k = 0, blocks = 1;
  bool sparse = false, integer = false, f64 = false, xf32 = false, f8f6f4 = false, scaled = false;
  Format a = Format::F32, b = Format::F32;
  unsigned bitsA = 0, bitsB = 0;

  unsigned storedK() const { return sparse ? k / 2 : k; } ///< of A
  unsigned registersA() const { return m * storedK() * blocks * bitsA / 2048; }
  unsigned registersB() const { return m * k * blocks * bitsB / 2048; }
  unsigned registersD() const { return m * m * blocks / 64 * (f64 ? 2 : 1); }

  /// A[row][kIndex] or B[kIndex][row].
  Place input(unsigned block, unsigned row, unsigned kIndex, bool second) const;
  /// C and D[i][j].
  Place output(unsigned block, unsigned i, unsigned j) const;
  /// The lane that supplies the scale of a row of A (column of B) and 32 k from 32 `block` on.
  unsigned scaleLane(unsigned row, unsigned block) const { return m * block + row; }
};

} // namespace lowp::sim::test

#endif // LOWP_UNITTESTS_SIM_MFMAREFERENCE_H
