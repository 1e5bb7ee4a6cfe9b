// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decoded instruction, ready to execute: handler, operands, modifiers, and what the checks need to know of
// it.
#ifndef LOWP_LIB_SIM_INST_H
#define LOWP_LIB_SIM_INST_H

#include "Registers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace lowp::sim {

struct Engine;
struct Wave;
struct Inst;
using Handler = void (*)(Engine &, Wave &, const Inst &);

struct Operand {
  enum Kind : uint8_t { None, Vgpr, Sgpr, Imm };
  Kind kind = None;
  uint8_t count = 1; ///< dwords
  uint16_t reg = 0;
  bool neg = false, abs = false, sext = false;
  uint8_t select = 0; ///< sub-dword selection: see Select
  uint64_t imm = 0;

  bool isVgpr() const { return kind == Vgpr; }
  bool isSgpr() const { return kind == Sgpr; }
};

/// SDWA's sub-dword selections.
enum Select : uint8_t { SelDword, SelByte0, SelByte1, SelByte2, SelByte3, SelWord0, SelWord1 };
enum DstUnused : uint8_t { UnusedPad, UnusedSext, UnusedPreserve };

enum class Dpp : uint8_t {
  None,
  QuadPerm,
  RowShl,
  RowShr,
  RowRor,
  RowNewBcast,
  WaveShl,
  WaveRol,
  WaveShr,
  WaveRor,
  RowMirror,
  RowHalfMirror,
  RowBcast15,
  RowBcast31
};

/// Which unit executes it; counters and waits go by this.
enum class Unit : uint8_t {
  Salu,
  Valu,
  Trans,
  Mfma,
  Smem,
  VmemLoad,
  VmemStore,
  Atomic,
  Flat,
  Scratch,
  DsRead,
  DsWrite,
  DsLane,
  Branch,
  Wait,
  Barrier,
  Other
};

/// Which of MODE's two rounding modes the results obey.
enum class RoundingClass : uint8_t { None, Single, HalfAndDouble };
RoundingClass roundingClass(llvm::StringRef mnemonic);

/// What an instruction does with sources that hold no defined value.
enum class Undefined : uint8_t {
  Report,   ///< using it is a finding
  Merge,    ///< the result is undefined where any source is (moves and bit operations)
  PerDword, ///< dword k of the result is where dword k of a source is
  Upward,   ///< dword k of the result is where a dword up to k of a source is (additions, left shifts)
  Ignore,   ///< the handler looks itself
};

/// One line of a family's table.
struct OpEntry {
  const char *name; ///< printed mnemonic without encoding suffix
  Handler exec;
  Unit unit;
  uint8_t dsts = 1; ///< leading operands that are written
  Undefined undefined = Undefined::Report;
  uint32_t flags = 0;
  uint16_t param = 0; ///< for the handler
};

enum OpFlags : uint32_t {
  ReadsDst = 1,         ///< the destination is a source too
  PartialDst = 2,       ///< some bits of the destination are kept
  FloatClamp = 4,       ///< clamp and omod are the float ones
  ReadsVcc = 8,         ///< though not printed
  AnyClamp = 16,        ///< the handler obeys clamp
  LaneCrossing = 32,    ///< reads other lanes of its vector source (readlane, permlane)
  WholeDst = 64,        ///< writes lanes that are not active (writelane)
  KeepsHigh = 128,      ///< a 16-bit operation that keeps the other half of its destination
  WritesExec = 512,     ///< v_cmpx
  TiedSource = 256,     ///< the destination is the last source, too (fmac)
  PairSelect = 1024,    ///< op_sel and op_sel_hi choose a register of each pair of sources for either result
  ResultWithSc0 = 2048, ///< an atomic, which has a result only with sc0 (glc)
  ReturnsToData = 4096, ///< and puts it into the registers of its data
};

/// Scalar registers that an instruction uses without naming them, as LLVM's instruction descriptions say.
enum Implicit : uint8_t { ImplicitScc = 1, ImplicitVcc = 2, ImplicitM0 = 4, ImplicitExec = 8 };

/// What the wait state rules distinguish beyond the unit.
enum HazardClass : uint16_t {
  HazardDot = 1,
  HazardDivFmas = 2,
  HazardReadlane = 4,
  HazardWritelane = 8,
  HazardPermlane = 16,
  HazardFma64 = 32,
  HazardUsesM0 = 64,
  HazardGetRegister = 128,
  HazardSetRegister = 256,
  HazardSkip = 512,
  HazardMatrixF64 = 1024,
  HazardMatrixF32 = 2048,
  HazardAfterVector = 4096, ///< keeps a distance from whatever vector instruction wrote its sources
};

struct Inst {
  Handler exec = nullptr;
  const OpEntry *op = nullptr;
  uint64_t pc = 0;     ///< in the image
  uint32_t next = 0;   ///< index of the following instruction
  uint32_t target = 0; ///< index a branch goes to
  uint8_t size = 4;

  Operand dst, sdst, src[6];
  uint8_t sources = 0;
  bool clamp = false, offen = false, idxen = false, lds = false, gds = false, sc0 = false, saddrOff = false;
  bool plain = true;          ///< no source modifier, DPP or SDWA anywhere
  bool fetchInactive = false; ///< reads inactive lanes, too (permlane)
  RoundingClass rounding = RoundingClass::None;
  uint8_t omod = 0; ///< 0 none, 1 *2, 2 *4, 3 /2
  uint8_t opSel = 0, opSelHi = 0, negLo = 0,
          negHi = 0; ///< bit i for operand i; opSel bit 3 (or after the sources) for the destination
  int32_t offset = 0, offset1 = 0;
  uint32_t simm = 0; ///< the 16-bit immediate of SOPP and SOPK, cbsz | abid << 4 | blgp << 8, bitop3's table
  uint16_t swizzle = 0;

  Dpp dpp = Dpp::None;
  uint8_t dppValue = 0, rowMask = 0xf, bankMask = 0xf;
  bool boundCtrl = false, sdwa = false;
  uint8_t dstSel = SelDword, dstUnused = UnusedPad;

  // For the checks.
  uint16_t hazards = 0;                          ///< HazardClass
  uint8_t implicitReads = 0, implicitWrites = 0; ///< Implicit
  llvm::SmallVector<RegRange, 4> vreads, sreads;
  llvm::SmallVector<RegRange, 2> vwrites, swrites;
  llvm::SmallVector<RegisterSet::Part, 4> registers; ///< all of these, and the rest of the operands
  bool lateResult = false;                           ///< a load; its result comes when a wait says so
  uint16_t topArch = 0, topAcc = 0; ///< one more than the highest register of either kind, 0: none
  uint16_t passes = 0;              ///< of a matrix instruction

  /// C of a matrix instruction.
  const Operand &accumulator() const { return op->flags & ReadsDst ? dst : src[2]; }
  uint8_t cbsz() const { return simm & 15; }
  uint8_t abid() const { return simm >> 4 & 15; }
  uint8_t blgp() const { return simm >> 8 & 15; }
};

struct ChipFacts;
/// Of a matrix instruction: passes of four clocks that it occupies the matrix core, whether its modifiers are
/// ones that the simulator knows, and whether the bits of its sums are published for the chips that have a
/// published rule at all.
unsigned mfmaPasses(const Inst &inst, const ChipFacts &chip);
bool mfmaModifiersKnown(const Inst &inst);
bool mfmaRulePublished(const Inst &inst);

/// Fills in which rules of wait states concern the instruction.
void classifyHazards(Inst &inst);

/// The families' tables.
llvm::ArrayRef<OpEntry> sop1Ops();
llvm::ArrayRef<OpEntry> sop2Ops();
llvm::ArrayRef<OpEntry> sopcOps();
llvm::ArrayRef<OpEntry> soppOps();
llvm::ArrayRef<OpEntry> smemOps();
llvm::ArrayRef<OpEntry> integerOps();
llvm::ArrayRef<OpEntry> wideIntegerOps();
llvm::ArrayRef<OpEntry> floatOps();
llvm::ArrayRef<OpEntry> divideOps();
llvm::ArrayRef<OpEntry> halfOps();
llvm::ArrayRef<OpEntry> doubleOps();
llvm::ArrayRef<OpEntry> transOps();
llvm::ArrayRef<OpEntry> convertOps();
llvm::ArrayRef<OpEntry> narrowConvertOps();
llvm::ArrayRef<OpEntry> scaledConvertOps();
llvm::ArrayRef<OpEntry> compareOps();
llvm::ArrayRef<OpEntry> packedOps();
llvm::ArrayRef<OpEntry> dotOps();
llvm::ArrayRef<OpEntry> laneOps();
llvm::ArrayRef<OpEntry> mfmaOps();
llvm::ArrayRef<OpEntry> dsOps();
llvm::ArrayRef<OpEntry> dsAtomicOps();
llvm::ArrayRef<OpEntry> dsExchangeOps();
llvm::ArrayRef<OpEntry> hardwareRegisterOps();
llvm::ArrayRef<OpEntry> byteOps();
llvm::ArrayRef<OpEntry> halfExtraOps();
llvm::ArrayRef<OpEntry> normConvertOps();
llvm::ArrayRef<OpEntry> bufferOps();
llvm::ArrayRef<OpEntry> globalOps();
llvm::ArrayRef<OpEntry> atomicOps();

/// All of them.
std::vector<llvm::ArrayRef<OpEntry>> opTables();
/// The printed mnemonics, without encoding suffixes, that the simulator executes where the chip has them.
std::vector<std::string> knownMnemonics();
/// Null when no table knows it.
const OpEntry *findOp(llvm::StringRef mnemonic);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_INST_H
