// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every instruction of a chip, as bytes: all opcodes of all encoding families, each with a few choices of its
// operands, filtered by LLVM's disassembler.
#ifndef LOWP_UNITTESTS_SIM_ENCODINGS_H
#define LOWP_UNITTESTS_SIM_ENCODINGS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCInst.h"
#include <memory>
#include <string>
#include <vector>

namespace lowp::sim::test {

using Words = llvm::SmallVector<uint32_t, 4>;

/// One decoded instruction.
struct Encoded {
  Words words;
  llvm::MCInst inst;
  std::string text;
  llvm::StringRef mnemonic() const { return llvm::StringRef(text).split(' ').first; }
};

/// LLVM's disassembler and printer of a chip.
class Disassembler {
public:
  explicit Disassembler(llvm::StringRef chip);
  ~Disassembler();
  /// False when the words are no instruction of the chip; otherwise `result.words` is cut to its length.
  bool decode(const Words &words, Encoded &result) const;

private:
  struct Layer;
  std::unique_ptr<Layer> layer;
};

/// Every instruction in each form that the choices of operands reach; no two print the same.
std::vector<Encoded> allEncodings(const Disassembler &disassembler);

} // namespace lowp::sim::test

#endif // LOWP_UNITTESTS_SIM_ENCODINGS_H
