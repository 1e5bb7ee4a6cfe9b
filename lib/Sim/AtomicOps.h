// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What atomic operations do to a value, wherever it lies.
#ifndef LOWP_LIB_SIM_ATOMICOPS_H
#define LOWP_LIB_SIM_ATOMICOPS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace lowp::sim {

enum class Atomic : uint8_t {
  Swap,
  CmpSwap,
  Add,
  Sub,
  SMin,
  UMin,
  SMax,
  UMax,
  And,
  Or,
  Xor,
  Inc,
  Dec,
  AddF32,
  AddF64,
  PkAddF16,
  PkAddBF16,
  MinF32,
  MaxF32,
  MinF64,
  MaxF64,
  // Of LDS only:
  RSub,
  MskOr,
  Wrap,
  CmpSwapF32,
  CmpSwapF64,
};

/// A table's param: the operation in the low byte, 64 bits, and for LDS whether there is a result.
constexpr uint16_t atomicWide = 0x100, atomicReturns = 0x200;
inline Atomic atomicOf(uint16_t param) { return Atomic(param & 0xff); }

/// Which denormals become zero; f16 stands for bf16 too.
struct AtomicFlush {
  bool inF32 = false, outF32 = false, inF16 = false, outF16 = false, inF64 = false;
};
/// Of memory: f32 additions flush, nothing else does.
constexpr AtomicFlush flushOfMemory = {true, true, false, false, false};

/// The new value. `second` is what cmpswap compares with, and the second datum of the operations with two.
uint64_t applyAtomic(Atomic kind, bool is64, uint64_t old, uint64_t data, uint64_t second,
                     const AtomicFlush &flush);

/// One value at a host address; gives the old one.
uint64_t updateAtomic(uint8_t *at, Atomic kind, bool is64, uint64_t data, uint64_t second,
                      const AtomicFlush &flush);

struct NamedAtomic {
  const char *name;
  Atomic kind;
};
/// The integer operations of global memory, by the suffix of their mnemonics.
llvm::ArrayRef<NamedAtomic> integerAtomics();

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_ATOMICOPS_H
