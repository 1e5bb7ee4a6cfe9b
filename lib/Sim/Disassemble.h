// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 22's disassembler, kept from what it does not survive: encodings with reserved fields that it accepts
// and then cannot print (it runs into llvm_unreachable), literals behind the last byte that it is given,
// about which it complains through a null pointer, and constants that it takes for the codes of sources.
#ifndef LOWP_LIB_SIM_DISASSEMBLE_H
#define LOWP_LIB_SIM_DISASSEMBLE_H

#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>

namespace lowp::sim {

/// VOP3 and VOP3P; fields by the CDNA3 ISA manual, chapter "Microcode formats", as below.
inline bool isReservedVop3(uint32_t first, uint32_t second) {
  constexpr uint32_t literal = 255;
  uint32_t opcode = first >> 16 & 0x3ff,
           sources[] = {second & 0x1ff, second >> 9 & 0x1ff, second >> 18 & 0x1ff};
  // No source can be a literal, nor can the mask of a comparison or the destination of v_readlane_b32.
  bool toScalar = opcode < 0x100 || opcode == 0x289;
  if (std::count(sources, sources + 3, literal) || (toScalar && (first & 0xff) == literal))
    return true;
  // The matrices A and B lie in vector registers; v_accvgpr_read and v_accvgpr_write are not of these.
  bool matrix = opcode == 0x3ad || opcode == 0x3ae || (opcode >= 0x3c0 && opcode != 0x3d8 && opcode != 0x3d9);
  return matrix && !(sources[0] & sources[1] & 0x100);
}

/// The first 16 bytes, of which as many count as the encoding has.
inline bool isReservedEncoding(const uint8_t *bytes) {
  constexpr uint32_t sdwa = 249, literal = 255, vopc = 0x3e, scale = 0xd3ac;
  auto word = [&](unsigned i) { return llvm::support::endian::read32le(bytes + 4 * i); };
  uint32_t first = word(0), second = word(1), family = first >> 26;
  // VOP1, VOP2, VOPC with SDWA: there is no selection 7 and no treatment 3 of the unused part.
  if (!(first >> 31) && (first & 0x1ff) == sdwa)
    return (second >> 16 & 7) == 7 || (second >> 24 & 7) == 7 ||
           (first >> 25 != vopc && ((second >> 8 & 7) == 7 || (second >> 11 & 3) == 3));
  // v_readfirstlane_b32: no literal as the destination.
  if ((first & 0xfffffe00) == 0x7ffe0400)
    return true;
  // v_fmamk_f32, v_fmaak_f32, v_madmk_f16, v_madak_f16: LLVM reads these constants as it reads a source.
  uint32_t vop2 = first >> 25;
  if (vop2 == 0x17 || vop2 == 0x18 || vop2 == 0x24 || vop2 == 0x25)
    return (second >= 128 && second <= 208) || (second >= 240 && second <= 248) || second == literal;
  // A scaled matrix instruction is two of VOP3P.
  if (family == 0x34)
    return isReservedVop3(first, second) || (first >> 16 == scale && isReservedVop3(word(2), word(3)));
  // MUBUF, MTBUF: the scalar offset cannot be a literal.
  return (family == 0x38 || family == 0x3a) && second >> 24 == literal;
}

/// Decodes the instruction that `code` begins with. Returns its size in bytes, 0 where there is none.
inline uint64_t disassemble(const llvm::MCDisassembler &disassembler, llvm::ArrayRef<uint8_t> code,
                            uint64_t pc, llvm::MCInst &inst) {
  uint8_t bytes[16] = {};
  std::memcpy(bytes, code.data(), std::min(code.size(), sizeof(bytes)));
  uint64_t size = 0;
  if (isReservedEncoding(bytes) ||
      disassembler.getInstruction(inst, size, bytes, pc, llvm::nulls()) != llvm::MCDisassembler::Success)
    return 0;
  return size % 4 || size > code.size() ? 0 : size;
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_DISASSEMBLE_H
