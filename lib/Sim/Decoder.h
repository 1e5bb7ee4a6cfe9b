// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes a code object once, with LLVM's public MC layer: the program that all waves execute.
#ifndef LOWP_LIB_SIM_DECODER_H
#define LOWP_LIB_SIM_DECODER_H

#include "Inst.h"
#include "lowp/CodeObject/HsaCodeObject.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace lowp::sim {

/// What the simulator has to know of a chip beyond the encoding of its instructions.
struct ChipFacts {
  bool fnuz = false;              ///< 8-bit floats are the FNUZ formats
  unsigned ldsBytes = 0;          ///< limit of a workgroup
  bool lateMatrixResults = false; ///< results of most matrix instructions come one wait state later
  bool wideLdsBanks = false;      ///< 64 banks on reads
  unsigned transCycles = 0;
  unsigned computeUnits = 0, ldsGranule = 0;
  bool mfmaRule = false;    ///< a bit-exact rule of the matrix core's sums is public
  bool halfRateF64 = false; ///< the large f64 matrix instruction takes twice its passes

  static llvm::Expected<ChipFacts> get(llvm::StringRef chip);
};

struct Program {
  std::vector<Inst> insts;
  std::vector<std::string> texts; ///< printed instructions
  std::vector<int32_t> indexAt;   ///< by (address - codeBegin) / 4; -1 where no instruction begins
  uint64_t codeBegin = 0;
  ChipFacts chip;

  static constexpr uint32_t nowhere = ~0u;
  /// The instruction at an address of the image, `nowhere` when there is none.
  uint32_t indexOf(uint64_t address) const {
    uint64_t slot = (address - codeBegin) / 4;
    if (address < codeBegin || address % 4 || slot >= indexAt.size() || indexAt[slot] < 0)
      return nowhere;
    return uint32_t(indexAt[slot]);
  }
};

/// Fills in which registers the instruction reads and writes, from its operands.
void noteRegisters(Inst &inst);

llvm::Expected<Program> decodeProgram(const HsaCodeObject &object);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_DECODER_H
