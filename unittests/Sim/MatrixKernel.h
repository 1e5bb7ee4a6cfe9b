// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions as kernels that are assembled once and run on many operands.
#ifndef LOWP_UNITTESTS_SIM_MATRIXKERNEL_H
#define LOWP_UNITTESTS_SIM_MATRIXKERNEL_H

#include "MfmaReference.h"
#include "TestKernel.h"
#include <random>

namespace lowp::sim::test {

/// The operands of one instruction as matrices of codes; zeros at first.
struct Operands {
  MatrixForm form;
  std::vector<uint32_t> codesA, codesB, codesC;
  std::vector<uint32_t> words[2]; ///< by lane: the scales of A and of B; or the indices of sparse forms

  explicit Operands(const MatrixForm &form);

  uint32_t &a(unsigned block, unsigned i, unsigned k) {
    return codesA[(block * form.m + i) * form.storedK() + k];
  }
  uint32_t &b(unsigned block, unsigned k, unsigned j) { return codesB[(block * form.k + k) * form.m + j]; }
  uint32_t &c(unsigned block, unsigned i, unsigned j) { return codesC[(block * form.m + i) * form.m + j]; }

  Rows registers() const;
};

/// All codes that are numbers.
std::vector<uint32_t> finiteCodes(Format format);
/// Each of the codes as often as any other, give or take one, in random order.
void fill(std::vector<uint32_t> &operand, std::vector<uint32_t> codes, std::mt19937 &random);

class MatrixKernel {
public:
  /// One instruction for each string, which holds its modifiers; all take the same operands.
  MatrixKernel(llvm::StringRef chip, const MatrixForm &form, std::vector<std::string> modifiers = {""});

  /// C or D of each instruction, as codes in the order of Operands::codesC.
  std::vector<std::vector<uint32_t>> run(const Operands &operands, MfmaMode mode = MfmaMode::Exact);

private:
  MatrixForm form;
  unsigned instructions;
  std::unique_ptr<Simulator> simulator;
};

float asFloat(uint32_t bits);
uint32_t bitsOf(float value); ///< NaN as the matrix instructions give it

} // namespace lowp::sim::test

#endif // LOWP_UNITTESTS_SIM_MATRIXKERNEL_H
