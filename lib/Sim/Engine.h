// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the handlers work with: one engine per host thread, running one workgroup at a time.
#ifndef LOWP_LIB_SIM_ENGINE_H
#define LOWP_LIB_SIM_ENGINE_H

#include "Decoder.h"
#include "GlobalPattern.h"
#include "Lds.h"
#include "Memory.h"
#include "StoreTracking.h"
#include "Traffic.h"
#include "Wave.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <map>

namespace lowp::sim {

enum class FindingKind : uint8_t {
  OutOfBounds,
  ReadOnlyStore,
  LdsOutOfBounds,
  Misaligned,
  UninitialisedRegister,
  UninitialisedMemory,
  MissingWait,
  LdsRace,
  WorkgroupConflict,
  BarrierWithoutWait,
  WaitStates,
  RegisterBeyondAllocation,
  PartialExec,
  BadControlFlow,
  Trap,
  Limit,
  TimeLimit,
  Deadlock,
};
const char *name(FindingKind kind);

/// What the executions of one wait instruction found outstanding.
struct WaitCount {
  uint64_t waited = 0;           ///< executions that had something to wait for
  const Inst *lastFor = nullptr; ///< whose operation the last of them waited for
  uint32_t workgroup = 0;        ///< of that last one

  void add(uint64_t times, const Inst *producer, uint32_t where) {
    waited += times;
    if (producer && (!lastFor || where >= workgroup)) {
      lastFor = producer;
      workgroup = where;
    }
  }
  /// The same whatever the order in which threads are merged.
  void merge(const WaitCount &other) { add(other.waited, other.lastFor, other.workgroup); }
};

struct MfmaTiles;

struct Engine {
  Engine(const Program &program, const Memory &memory, const Options &options, const std::string &kernel)
      : program(program), memory(memory), options(options), kernelName(kernel), counts(program.insts.size()),
        conflictCycles(program.insts.size()), waitCounts(program.insts.size()),
        idleLanes(program.insts.size()), taken(program.insts.size()),
        traffic(program.insts.size(), memory.regionCount()) {}

  const Program &program;
  const Memory &memory;
  const Options &options;
  const std::string &kernelName;
  Lds lds;
  uint32_t workgroup[3] = {0, 0, 0};
  uint32_t linearWorkgroup = 0, xcd = 0;
  std::vector<Wave *> waves;         ///< of the workgroup that runs
  std::atomic<bool> *stop = nullptr; ///< set when the run cannot go on

  std::vector<uint64_t> counts, conflictCycles; ///< by instruction
  std::vector<WaitCount> waitCounts;            ///< by instruction; of s_waitcnt
  std::vector<uint64_t> idleLanes;              ///< by instruction: lanes that EXEC masked
  std::vector<uint64_t> taken;                  ///< by instruction: branches that went to their target
  TrafficCounter traffic;
  std::vector<std::unique_ptr<GlobalPattern>> globalPatterns; ///< the last ones, by instruction
  std::vector<std::unique_ptr<LdsPattern>> ldsPatterns; ///< the last ones, by instruction and part of it
  std::shared_ptr<MfmaTiles> mfmaTiles;                 ///< operands that matrix instructions unpacked lately
  /// Stores, copies to LDS and matrix instructions: what a wave that only waits for others does not do.
  uint64_t progress = 0;
  bool watchStores = false; ///< note in memoryChanged when a store changes global memory; atomics always do
  bool memoryChanged = false;
  std::unique_ptr<StoreLog> storeLog; ///< null: not kept
  uint64_t divergentBarriers = 0;     ///< opened while waves waited at different instructions
  std::string fatal;                  ///< the finding that ended the run
  uint64_t maskedBufferLanes = 0, workgroups = 0, waveCount = 0;
  unsigned maxVmInFlight = 0;

  struct Found {
    Finding finding;
    uint32_t linearWorkgroup = 0;
  };
  std::map<std::pair<uint64_t, FindingKind>, Found> findings;

  /// Counts a finding; the message is only made for the first of its kind at this instruction.
  void report(FindingKind kind, const Wave &wave, const Inst &inst, uint64_t lanes,
              llvm::function_ref<std::string()> message);
  /// A finding after which this run cannot go on.
  void fault(FindingKind kind, Wave &wave, const Inst &inst, llvm::function_ref<std::string()> message) {
    report(kind, wave, inst, wave.exec(), message);
    if (fatal.empty())
      fatal = std::string(name(kind)) + ": " + message();
    wave.done = true;
    if (stop)
      *stop = true;
  }
  bool checking() const { return options.checks; }
  uint32_t indexOf(const Inst &inst) const { return program.indexOf(inst.pc); }
};

// -- Checks.cpp
// ---------------------------------------------------------------------------------------------------

/// Before each instruction: sources defined and arrived, wait states kept; marks what it writes.
void checkBefore(Engine &engine, Wave &wave, const Inst &inst);
/// Counts memory instructions in flight; before each, with or without checks.
void noteIssue(Engine &engine, Wave &wave, const Inst &inst);
/// The waits of s_waitcnt: counters in its immediate's fields; lands the copies to LDS that they cover.
void waitFor(Engine &engine, Wave &wave, unsigned vm, unsigned lgkm);
/// At s_waitcnt, before waitFor: notes what it waits for.
void noteWait(Engine &engine, Wave &wave, const Inst &inst, unsigned vm, unsigned lgkm);
/// One instruction of a wave whose MODE asks for more than the common case: indexed registers, skipped vector
/// instructions, other rounding. Unusual.cpp.
void executeUnusual(Engine &engine, Wave &wave, const Inst &inst);
/// At s_barrier.
void checkBarrier(Engine &engine, Wave &wave, const Inst &inst);
/// An LDS access that races with another wave, or with a copy under way, in these bytes of a dword.
void reportLdsRead(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t address,
                   unsigned byteMask);
void reportLdsWrite(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t address,
                    unsigned byteMask);

// -- LdsRaces.cpp
// ------------------------------------------------------------------------------------------------

/// An access to a part of a dword, or one in a kernel that updates LDS atomically.
void noteLdsDetail(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t address,
                   unsigned byteMask, bool write);
/// One lane updates LDS.
void checkLdsAtomic(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t address,
                    unsigned size);
/// A barrier opens, or the workgroup ends.
void endLdsEpoch(Engine &engine);
/// An LDS read of this wave is issued; `part` of an instruction with two.
void noteLdsRead(const Engine &engine, Wave &wave, const Inst &inst, const uint32_t *addresses,
                 unsigned bytes, unsigned part = 0);

/// Bytes of the dword at `a` that an access of `size` bytes at `address` touches.
inline unsigned ldsByteMask(uint32_t a, uint32_t address, unsigned size) {
  unsigned from = a < address ? address - a : 0, to = address + size - a < 4 ? address + size - a : 4;
  return ((1u << to) - 1) & ~((1u << from) - 1);
}

/// One lane reads; gives whether the data are defined.
inline bool checkLdsRead(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t address,
                         unsigned size) {
  Lds &lds = engine.lds;
  lds.touch(address, size, /*change=*/false);
  bool defined = true;
  for (uint32_t a = address & ~3u; a < address + size; a += 4) {
    LdsCell &cell = lds.cell(a);
    unsigned mask = ldsByteMask(a, address, size);
    defined &= lds.initialised(cell, mask);
    if (cell.pendingCopies || (cell.writeEpoch == lds.epoch && (cell.writerAndBytes & 15) != wave.id))
      reportLdsRead(engine, wave, inst, lane, a, mask);
    if (LLVM_UNLIKELY(mask != 15 || !lds.atomics.empty()))
      noteLdsDetail(engine, wave, inst, lane, a, mask, /*write=*/false);
    uint16_t bit = uint16_t(1u << wave.id);
    cell.readers = cell.readEpoch == lds.epoch ? cell.readers | bit : bit;
    cell.readEpoch = lds.epoch;
  }
  return defined;
}

/// One lane writes; `defined` says whether the data are.
inline void checkLdsWrite(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t address,
                          unsigned size, bool defined) {
  Lds &lds = engine.lds;
  lds.touch(address, size, /*change=*/true);
  if (!defined)
    lds.undefine(address, size);
  for (uint32_t a = address & ~3u; a < address + size; a += 4) {
    LdsCell &cell = lds.cell(a);
    unsigned mask = ldsByteMask(a, address, size);
    if (cell.pendingCopies || (cell.writeEpoch == lds.epoch && (cell.writerAndBytes & 15) != wave.id) ||
        (cell.readEpoch == lds.epoch && (cell.readers & ~(1u << wave.id))))
      reportLdsWrite(engine, wave, inst, lane, a, mask);
    if (LLVM_UNLIKELY(mask != 15 || !lds.atomics.empty()))
      noteLdsDetail(engine, wave, inst, lane, a, mask, /*write=*/true);
    unsigned bytes = cell.writeEpoch >= lds.firstEpoch ? cell.writerAndBytes >> 4 : 0;
    bytes = defined ? bytes | mask : bytes & ~mask;
    cell.writerAndBytes = uint8_t(wave.id | bytes << 4);
    cell.writeEpoch = lds.epoch;
  }
}

/// Issues a copy to LDS; it lands when the wave waits for it.
void issueDirectCopy(Engine &engine, Wave &wave, DirectCopy copy);

// -- StoreTracking.cpp
// -------------------------------------------------------------------------------------------

/// A load of bytes that another wave of the workgroup stores.
void checkStoresInFlight(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint64_t address,
                         unsigned size);

// -- Hazards.cpp
// --------------------------------------------------------------------------------------------------

void checkHazards(Engine &engine, Wave &wave, const Inst &inst);
/// After the reads: what later instructions must keep their distance from.
void noteHazards(Engine &engine, Wave &wave, const Inst &inst);

// -- BankConflicts.cpp
// --------------------------------------------------------------------------------------------

enum class LdsWidth : uint8_t { B32, B64, B96, B128 };
/// Adds the extra cycles of an LDS access; `addresses` of the 64 lanes; `part` of an instruction with two
/// accesses. Gives what is known of the addresses.
const LdsPattern &countConflicts(Engine &engine, const Inst &inst, const uint32_t *addresses, uint64_t lanes,
                                 LdsWidth width, bool write, unsigned part = 0);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_ENGINE_H
