// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of one wave: registers, and for the checks what is known of each register. v and a registers are
// one file of 512 rows; whether the kernel's allocation reaches that far is checked apart.
#ifndef LOWP_LIB_SIM_WAVE_H
#define LOWP_LIB_SIM_WAVE_H

#include "Inst.h"
#include "Memory.h"
#include "StoreTracking.h"
#include <cstddef>
#include <deque>
#include <vector>

namespace lowp::sim {

/// What wrote a vector register last; matrix instructions come last.
enum class Writer : uint8_t { None, Memory, Dot, Valu, Trans, Partial, Mfma, MatrixF32, MatrixF64 };

/// What the checks know of a vector register.
struct VectorState {
  uint64_t valid = 0;     ///< lanes that hold a defined value
  uint32_t vmSeq = 0;     ///< number of the vector memory load whose result it awaits
  uint32_t dsSeq = 0;     ///< number of the LDS read
  uint32_t writtenAt = 0; ///< clock of the last write by a vector instruction
  Writer writer = Writer::None;
  uint8_t passes = 0;            ///< of the matrix instruction that wrote it
  uint16_t mfmaFirst = 0;        ///< where that result begins
  uint8_t mfmaCount = 0;         ///< and how many registers it has
  uint32_t accumulatorUntil = 0; ///< clock from which a running matrix instruction no longer reads it
  const OpEntry *dot = nullptr;  ///< the dot product that wrote it
};

struct ScalarState {
  uint32_t smemSeq = 0;
  uint32_t valuAt = 0; ///< clock of the last write by a vector instruction, 0: none
  bool valid = false;
};

/// A copy from global memory to LDS that has been issued but has not landed.
struct DirectCopy {
  uint32_t seq = 0;
  uint32_t ldsBase = 0; ///< of lane 0
  uint32_t laneStride = 4, bytes = 4;
  uint64_t lanes = 0;
  uint64_t defined = 0; ///< lanes that bring defined data
  const Inst *inst = nullptr;
  uint8_t data[64][16];
};

/// The addresses of an LDS read, for as long as it may be under way.
struct LdsRead {
  uint32_t seq = 0; ///< as in Wave::dsIssued; 0: none
  uint32_t instruction = 0;
  uint8_t bytes = 0; ///< of a lane
  uint64_t lanes = 0;
  uint32_t addresses[64];
};

struct Wave {
  alignas(64) uint32_t v[numVectors][64];
  uint32_t s[NumScalars];
  uint32_t pc = 0; ///< index of the next instruction
  unsigned id = 0;
  /// A turn ends when any of these is set; `yielded`: by s_sleep.
  alignas(4) bool done = false;
  bool atBarrier = false, yielded = false, unused = false;
  uint32_t mode = 0;                             ///< the MODE register; the following say what it asks for
  bool indexing = false;                         ///< s_set_gpr_idx_on is in force
  bool vskip = false;                            ///< vector instructions are skipped
  bool unusual = false;                          ///< instructions execute through executeUnusual
  bool ieee = false;                             ///< signalling NaN become quiet; no output modifiers
  bool dx10Clamp = false;                        ///< clamp turns NaN to zero
  bool flushF32 = false, flushF16 = false;       ///< denormal sources become zero; f16 stands for f64 too
  bool flushF32Out = false, flushF16Out = false; ///< denormal results
  uint8_t priority = 0;                          ///< of s_setprio
  uint32_t gprAlloc = 0;                         ///< the hardware register of that name

  // For the checks.
  VectorState vs[numVectors];
  ScalarState ss[NumScalars];
  /// All registers but those that surely hold defined values in all lanes, with no load to them under way.
  RegisterSet unsettled;
  /// All registers that an instruction may have to keep a distance from, but for HazardAfterVector.
  RegisterSet recent;
  uint32_t clock = 0; ///< issue slots and wait states so far
  uint32_t vmIssued = 0, vmDone = 0, dsIssued = 0, dsDone = 0, smemIssued = 0, smemDone = 0;
  /// The instructions of the operations in flight, by the low bits of their numbers.
  const Inst *vmOps[64] = {}, *dsOps[64] = {}, *lastSmem = nullptr;
  /// The last stores, by the low bits of their numbers; empty where nobody could see them too early.
  std::vector<StoreInFlight> stores;
  uint32_t lastStore = 0, vmDoneAtBarrier = 0, vmIssuedAtBarrier = 0;
  /// Both parts of the last 16 LDS operations that read, by the low bits of their numbers; empty where no
  /// other wave could overtake them.
  std::vector<LdsRead> ldsReads;
  uint32_t lastDsWrite = 0;  ///< number of the last LDS write
  uint32_t matrixFreeAt = 0; ///< clock when the matrix core takes the next instruction
  uint32_t valuAt = 0;       ///< clock of the last write by a vector instruction, 0: none
  uint32_t execByValuAt = 0, m0BySaluAt = 0, wideStoreAt = 0, setRegisterAt = 0, skipAt = 0,
           doubleMatrixAt = 0; ///< clocks of the last such event, 0: none
  uint16_t setRegister = 0;    ///< the hardware register that s_setreg set last
  RegRange wideStore;          ///< data of the last store wider than 64 bits
  bool wideStoreSoffset = false;
  std::deque<DirectCopy> copies;
  const Region *lastRegion = nullptr;
  std::vector<uint8_t> scratch, scratchShadow; ///< [lane][byte]
  uint32_t scratchSize = 0;                    ///< of a lane

  bool pauses() const {
    uint32_t flags;
    static_assert(offsetof(Wave, unused) == offsetof(Wave, done) + 3);
    std::memcpy(&flags, &done, sizeof(flags));
    return flags;
  }
  uint64_t exec() const { return pair(ExecReg); }
  uint64_t pair(unsigned reg) const { return s[reg] | uint64_t(s[reg + 1]) << 32; }
  void setPair(unsigned reg, uint64_t value) {
    s[reg] = uint32_t(value);
    s[reg + 1] = uint32_t(value >> 32);
  }
  /// Bits 1:0 and 3:2 rounding of f32 and f16/f64; 5:4 and 7:6 their denormals (lower bit: keeps those of
  /// sources, upper bit: of results); 8 DX10_CLAMP, 9 IEEE, 23 FP16_OVFL, 27 GPR_IDX_EN, 28 VSKIP.
  void setMode(uint32_t value) {
    mode = value;
    flushF32 = !(value >> 4 & 1);
    flushF32Out = !(value >> 5 & 1);
    flushF16 = !(value >> 6 & 1);
    flushF16Out = !(value >> 7 & 1);
    dx10Clamp = value >> 8 & 1;
    ieee = value >> 9 & 1;
    indexing = value >> 27 & 1;
    vskip = value >> 28 & 1;
    unusual = indexing || vskip || (value & 15) || fp16Overflow();
  }
  bool fp16Overflow() const { return mode >> 23 & 1; }
  bool scc() const { return s[Scc]; }
  void setScc(bool value) { s[Scc] = value; }
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_WAVE_H
