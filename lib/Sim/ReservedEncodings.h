// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodings with reserved fields that LLVM 22's disassembler accepts and then cannot print (it runs into
// llvm_unreachable): they are no instructions of the chip, and must not reach the printer.
#ifndef LOWP_LIB_SIM_RESERVEDENCODINGS_H
#define LOWP_LIB_SIM_RESERVEDENCODINGS_H

#include <cstdint>

namespace lowp::sim {

/// Fields by the CDNA3 ISA manual, chapter "Microcode formats"; `second` is the dword after the first, 0 at
/// the end.
inline bool isReservedEncoding(uint32_t first, uint32_t second) {
  constexpr uint32_t sdwa = 249, literal = 255, vopc = 0x3e;
  // VOP1, VOP2, VOPC with SDWA: there is no selection 7 and no treatment 3 of the unused part.
  if (!(first >> 31) && (first & 0x1ff) == sdwa)
    return (second >> 16 & 7) == 7 || (second >> 24 & 7) == 7 ||
           (first >> 25 != vopc && ((second >> 8 & 7) == 7 || (second >> 11 & 3) == 3));
  // MUBUF, MTBUF: the scalar offset cannot be a literal.
  uint32_t family = first >> 26;
  return (family == 0x38 || family == 0x3a) && second >> 24 == literal;
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_RESERVEDENCODINGS_H
