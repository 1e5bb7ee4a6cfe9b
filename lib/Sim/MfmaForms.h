// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of matrix instructions: shape, element types, and which lane and register holds which element.
#ifndef LOWP_LIB_SIM_MFMAFORMS_H
#define LOWP_LIB_SIM_MFMAFORMS_H

#include "Inst.h"
#include "lowp/Numerics/Format.h"

namespace lowp::sim {

enum class MfmaType : uint8_t { F16, BF16, Fp8, Bf8, F8f6f4, I8, F32, XF32, F64 };

/// D (size x size) = C + A (size x k) B (k x size), `blocks` times.
struct MfmaForm {
  const char *name;
  uint8_t size, k, blocks;
  MfmaType a, b;
  uint8_t passes; ///< for f8f6f4 with an 8-bit operand; half of it without
  bool scaled = false, sparse = false;

  unsigned groups() const { return 64 / (size * blocks); } ///< of lanes that hold one row of A
};

llvm::ArrayRef<MfmaForm> mfmaForms();
const MfmaForm &mfmaForm(const Inst &inst);

/// How the elements of one operand lie in the registers of a lane.
struct MfmaPacking {
  unsigned bits = 32;    ///< of an element
  unsigned elements = 1; ///< of a lane
  unsigned run = 1;      ///< k that lie side by side in a lane
  Format format = Format::F32;

  unsigned registers() const { return elements * bits / 32; }
};
/// Of A (the stored half of it, for sparse forms) or of B; `selector` is cbsz or blgp of f8f6f4.
MfmaPacking mfmaPacking(const MfmaForm &form, bool second, unsigned selector, bool fnuz);

/// Where a row of a block of C and D lies: a register (of 32 or 64 bits), and `size` lanes from a first one.
struct MfmaRow {
  uint8_t reg, lane;
};
MfmaRow mfmaResultRow(const MfmaForm &form, unsigned block, unsigned row);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_MFMAFORMS_H
