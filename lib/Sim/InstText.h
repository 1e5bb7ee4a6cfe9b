// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printed form of an instruction, taken apart. LLVM's public API gives operand values but not their
// roles; the AMDGPU assembler syntax is documented and says them all, in one order for all encodings.
#ifndef LOWP_LIB_SIM_INSTTEXT_H
#define LOWP_LIB_SIM_INSTTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include <string>

namespace lowp::sim {

struct Inst;
struct Operand;

/// All StringRefs point into the text it was made from.
struct InstText {
  llvm::StringRef mnemonic; ///< without the encoding suffix
  llvm::StringRef encoding; ///< "e32", "e64", "dpp", "sdwa" or empty
  llvm::SmallVector<llvm::StringRef, 6> operands;
  llvm::SmallVector<llvm::StringRef, 6> modifiers; ///< "offset:8", "lds", "op_sel:[1,0]"
};

InstText splitInstText(llvm::StringRef text);

/// "1" of "-|1|".
llvm::StringRef withoutModifiers(llvm::StringRef text);

/// Prints instructions, and finds the exact value of a printed constant.
class TextPrinter {
public:
  TextPrinter(llvm::MCInstPrinter &printer, const llvm::MCSubtargetInfo &subtarget)
      : printer(printer), subtarget(subtarget) {}
  std::string print(const llvm::MCInst &inst, uint64_t pc) const;
  /// The bits of operand number `index` of the text, which is a constant: the immediate operand whose
  /// replacement by another value shows there. False when there is none.
  bool constantValue(const llvm::MCInst &inst, uint64_t pc, unsigned index, uint64_t &value) const;

private:
  llvm::MCInstPrinter &printer;
  const llvm::MCSubtargetInfo &subtarget;
};

/// Parses "-v[0:1]", "|a3|", "sext(v1)", "s[2:3]", "vcc", "off" into `operand`. Constants only set the kind.
/// False when the text is none of these.
bool parseOperand(llvm::StringRef text, Operand &operand, bool &isConstant);

/// Applies one modifier to the instruction. False when it is not known.
bool applyModifier(llvm::StringRef text, Inst &inst);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_INSTTEXT_H
