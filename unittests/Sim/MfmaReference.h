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

/// All but the f8f6f4 family, which MfmaTest covers.
std::vector<std::string> matrixForms(llvm::StringRef chip);

struct MatrixForm {
  MatrixForm(llvm::StringRef name, llvm::StringRef chip);

  std::string name;
  unsigned m = 0, k = 0, blocks = 1;
  bool sparse = false, integer = false, f64 = false, xf32 = false;
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
};

} // namespace lowp::sim::test

#endif // LOWP_UNITTESTS_SIM_MFMAREFERENCE_H
