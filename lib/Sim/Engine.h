// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the handlers work with: one engine per host thread, running one workgroup at a time.
#ifndef LOWP_LIB_SIM_ENGINE_H
#define LOWP_LIB_SIM_ENGINE_H

#include "Decoder.h"
#include "Lds.h"
#include "Memory.h"
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
  BarrierWithoutWait,
  WaitStates,
  RegisterBeyondAllocation,
  PartialExec,
  BadControlFlow,
  Trap,
  Limit,
  Deadlock,
};
const char *name(FindingKind kind);

/// The last access pattern of an LDS instruction and its cost: most instructions repeat theirs.
struct ConflictMemo {
  uint32_t relative[64];
  uint64_t exec = 0;
  uint32_t cycles = 0;
  bool filled = false;
};

struct Engine {
  Engine(const Program &program, const Memory &memory, const Options &options, const std::string &kernel)
      : program(program), memory(memory), options(options), kernelName(kernel), counts(program.insts.size()),
        conflictCycles(program.insts.size()) {}

  const Program &program;
  const Memory &memory;
  const Options &options;
  const std::string &kernelName;
  Lds lds;
  uint32_t workgroup[3] = {0, 0, 0};
  uint32_t linearWorkgroup = 0, xcd = 0;
  std::vector<Wave *> waves; ///< of the workgroup that runs
  std::atomic<bool> *stop = nullptr; ///< set when the run cannot go on

  std::vector<uint64_t> counts, conflictCycles; ///< by instruction
  std::vector<std::unique_ptr<ConflictMemo>> conflictMemos;
  uint64_t maskedBufferLanes = 0, bytesRead = 0, bytesWritten = 0, workgroups = 0, waveCount = 0;
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
    wave.done = true;
    if (stop)
      *stop = true;
  }
  bool checking() const { return options.checks; }
  uint32_t indexOf(const Inst &inst) const { return &inst - program.insts.data(); }
};

// -- Checks.cpp ---------------------------------------------------------------------------------------------------

/// Before each instruction: sources defined and arrived, wait states kept; marks what it writes.
void checkBefore(Engine &engine, Wave &wave, const Inst &inst);
/// Counts memory instructions in flight; before each, with or without checks.
void noteIssue(Engine &engine, Wave &wave, const Inst &inst);
/// The waits of s_waitcnt: counters in its immediate's fields; lands the copies to LDS that they cover.
void waitFor(Engine &engine, Wave &wave, unsigned vm, unsigned lgkm);
/// At s_barrier.
void checkBarrier(Engine &engine, Wave &wave, const Inst &inst);
/// LDS accesses of one lane; `defined` says whether what is written is. Reading returns whether the data are defined.
bool checkLdsRead(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t address, unsigned size);
void checkLdsWrite(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t address, unsigned size,
                   bool defined);
/// Issues a copy to LDS; it lands when the wave waits for it.
void issueDirectCopy(Engine &engine, Wave &wave, DirectCopy copy);

// -- Hazards.cpp --------------------------------------------------------------------------------------------------

void checkHazards(Engine &engine, Wave &wave, const Inst &inst);
/// After the reads: what later instructions must keep their distance from.
void noteHazards(Engine &engine, Wave &wave, const Inst &inst);

// -- BankConflicts.cpp --------------------------------------------------------------------------------------------

enum class LdsWidth : uint8_t { B32, B64, B96, B128 };
/// Adds the extra cycles of an LDS access; `addresses` of the 64 lanes.
void countConflicts(Engine &engine, const Inst &inst, const uint32_t *addresses, uint64_t lanes, LdsWidth width,
                    bool write);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_ENGINE_H
