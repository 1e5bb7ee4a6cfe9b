// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of chips, and the questions whose answers follow from the chips' tables alone. What is common
// to both chips stands here: 64 lanes a wave, four SIMDs a compute unit, one register file of 512 registers a
// lane and SIMD.

#include "Chips.h"

#include "llvm/ADT/STLExtras.h"

using namespace lowp;

unsigned lowp::accessBits(LdsAccess access) {
  switch (access) {
  case LdsAccess::Read32:
  case LdsAccess::Write32:
    return 32;
  case LdsAccess::Read64:
  case LdsAccess::Write64:
    return 64;
  case LdsAccess::Read96:
  case LdsAccess::Write96:
    return 96;
  case LdsAccess::Read128:
  case LdsAccess::Write128:
    return 128;
  }
  return 0;
}

llvm::ArrayRef<llvm::StringRef> Target::chips() {
  static constexpr llvm::StringRef names[] = {"gfx942", "gfx950"};
  return names;
}

const Target *Target::get(llvm::StringRef chip) {
  for (const Target *target : {&gfx942(), &gfx950()})
    if (target->chip() == chip)
      return target;
  return nullptr;
}

// AMDGPUUsage, "gfx90a and later": 512 registers in all, given out in blocks of 8, at most 8 waves a SIMD.
unsigned Target::registersPerWave(unsigned wavesPerSimd) const {
  if (wavesPerSimd == 0 || wavesPerSimd > 8)
    return 0;
  return 512 / wavesPerSimd / 8 * 8;
}

unsigned Target::ldsBytesPerClock(LdsAccess access) const {
  return accessBits(access) / 8 * waveSize() / ldsPhases(access).laneMasks.size();
}

const MfmaInstruction *Target::mfmaFor(Format a, Format b, unsigned m, unsigned n, unsigned k) const {
  const MfmaInstruction *best = nullptr;
  for (const MfmaInstruction &mfma : mfmas()) {
    if (mfma.a != a || mfma.b != b || mfma.m != m || mfma.n != n || (k != 0 && mfma.k != k))
      continue;
    // Work per clock; the earlier row, which has the larger k, wins a tie.
    if (!best || mfma.k * best->cycles > best->k * mfma.cycles)
      best = &mfma;
  }
  return best;
}

bool Target::hasMfmaOperand(Format format) const {
  return llvm::any_of(mfmas(),
                      [&](const MfmaInstruction &mfma) { return mfma.a == format || mfma.b == format; });
}
