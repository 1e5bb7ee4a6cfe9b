// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about the chips, as data with a source each. Everything outside this folder asks the questions below
// and never compares chip names.
#ifndef LOWP_TARGET_TARGET_H
#define LOWP_TARGET_TARGET_H

#include "lowp/Numerics/Format.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace lowp {

/// One matrix instruction: D (M x N) += A (M x K) * B (K x N), one block, on one wave of 64 lanes.
struct MfmaInstruction {
  llvm::StringLiteral name; ///< assembler mnemonic, "v_mfma_f32_16x16x32_fp8_fp8"
  llvm::StringLiteral op;   ///< ROCDL operation, "rocdl.mfma.f32.16x16x32.fp8.fp8"
  Format a, b, acc;
  unsigned m, n, k;
  /// Consecutive k that one lane holds of A (of B) in one run; the runs of the lane groups interleave:
  /// element j of lane group g stands for k = (j / run) * run * groups + g * run + j % run, groups = 64 / M
  /// (64 / N). The two differ where an 8-bit operand meets a smaller one.
  unsigned aRun, bRun;
  unsigned cycles; ///< engine clocks between independent issues on one SIMD
  bool f8f6f4;     ///< of the family with formats as immediates and optional block scales
};

/// The shared memory (LDS) access kinds whose bank phases are known.
enum class LdsAccess { Read32, Read64, Read96, Read128, Write32, Write64, Write96, Write128 };

/// Bits that one lane moves.
unsigned accessBits(LdsAccess access);

/// Lanes served in the same cycle group, as a list of lane sets, and the number of 4-byte banks seen by that
/// access.
struct LdsPhases {
  llvm::ArrayRef<uint64_t> laneMasks; ///< one 64-bit lane mask a phase
  unsigned banks;
};

/// What memory gives and what it costs, in engine clocks at the chip's peak clock. These rank schedules: they
/// are what others measured under load, rounded, and no promise.
struct MemoryRates {
  unsigned l1Bytes;       ///< a clock, from the L1 of a compute unit
  unsigned l2Bytes;       ///< a clock, from the L2 of a die, to all of its compute units
  unsigned memoryBytes;   ///< a clock, from behind the L2s, to the whole chip
  unsigned latency;       ///< clocks from a load to its data while memory is busy
  unsigned bytesInFlight; ///< of the loads of a compute unit, at most
  unsigned ldsLatency;    ///< clocks from a read of LDS to its data
  unsigned launch;        ///< clocks that a launch takes before its first and after its last instruction
};

class Target {
public:
  /// Null when `chip` is not a supported chip.
  static const Target *get(llvm::StringRef chip);
  static llvm::ArrayRef<llvm::StringRef> chips();

  virtual ~Target() = default;
  virtual llvm::StringRef chip() const = 0; ///< as LLVM's -mcpu
  virtual unsigned isaVersion() const = 0;  ///< as the device libraries' __oclc_ISA_version: 9402, 9500
  virtual unsigned computeUnits() const = 0;
  virtual unsigned xcds() const = 0;
  virtual unsigned ldsBytes() const = 0;
  virtual unsigned ldsGranule() const = 0;
  unsigned waveSize() const { return 64; }
  unsigned simdsPerCU() const { return 4; }
  unsigned maxWavesPerWorkgroup() const { return 16; }
  /// Registers (VGPR and AGPR together) that a wave may use when `wavesPerSimd` waves share a SIMD; 0 when so
  /// many cannot.
  unsigned registersPerWave(unsigned wavesPerSimd) const;

  /// Every matrix instruction, the ones with the larger k first.
  virtual llvm::ArrayRef<MfmaInstruction> mfmas() const = 0;
  /// The instruction for these operand types and shape; k = 0 takes the fastest. Null if there is none.
  const MfmaInstruction *mfmaFor(Format a, Format b, unsigned m, unsigned n, unsigned k = 0) const;
  /// Whether the matrix cores take this operand type in some instruction.
  bool hasMfmaOperand(Format format) const;

  /// Wait states between a matrix instruction and a vector instruction that reads its result, in 4-clock
  /// passes of the instruction plus this (CDNA3: 3, CDNA4: 4; LLVM 22's hazard recogniser pads by the same).
  virtual unsigned mfmaResultDelay() const = 0;

  /// Whether f32 is rounded to bf16 by an instruction (CDNA4 ISA manual: V_CVT_PK_BF16_F32; CDNA3's has
  /// none).
  virtual bool convertsToBf16() const = 0;

  /// Bytes one lane may copy from global memory straight into LDS by one instruction: bit i set = i bytes
  /// allowed.
  virtual uint32_t directToLdsBytes() const = 0;
  virtual LdsPhases ldsPhases(LdsAccess access) const = 0;
  /// Bytes that LDS moves in a clock by accesses of this kind without conflicts.
  unsigned ldsBytesPerClock(LdsAccess access) const;
  virtual MemoryRates memoryRates() const = 0;
  /// Percent of the peak clock that the chip holds while all of its matrix cores multiply.
  virtual unsigned sustainedClock() const = 0;
};

} // namespace lowp

#endif // LOWP_TARGET_TARGET_H
