// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier orders waves, not their memory operations: what a wave stored before it is there for others only
// when it waited for vmcnt first (CDNA3 ISA manual section 4.4). And nothing orders the stores of two
// workgroups; that is checked for kernels that have no means to synchronise workgroups at all, so that a
// finding is one. Storing the same value twice is harmless, and tiles that overlap at the end of a matrix do.

#include "StoreTracking.h"
#include "Dispatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

void lowp::sim::checkStoresInFlight(Engine &engine, Wave &wave, const Inst &inst, unsigned lane,
                                    uint64_t address, unsigned size) {
  for (const Wave *other : engine.waves) {
    if (other == &wave || other->stores.empty() ||
        (other->lastStore <= other->vmDone && other->lastStore <= other->vmDoneAtBarrier))
      continue;
    for (const StoreInFlight &store : other->stores) {
      // Under way, or not waited for before the barrier that other waves go by.
      bool open = store.seq > other->vmDone ||
                  (store.seq > other->vmDoneAtBarrier && store.seq <= other->vmIssuedAtBarrier);
      if (!open || !store.lanes || store.low >= address + size || store.high <= address)
        continue;
      for (unsigned from = 0; from < 64; ++from)
        if ((store.lanes >> from & 1) && store.from[from] < address + size && store.to[from] > address) {
          engine.report(FindingKind::MissingWait, wave, inst, uint64_t(1) << lane, [&] {
            return "loads what wave " + std::to_string(other->id) + " stored at 0x" +
                   utohexstr(store.inst->pc, true) +
                   " without s_waitcnt vmcnt before the barrier: " + engine.memory.describe(address, size);
          });
          return;
        }
    }
  }
}

namespace {
/// One piece with its data.
struct Stored {
  const StoreLog::Piece *piece;
  const uint8_t *data;
  uint64_t end() const { return piece->address + piece->size; }
};

struct Conflict {
  const StoreLog::Piece *piece = nullptr, *other = nullptr;
  uint64_t address = 0, count = 0;
};
} // namespace

/// The first byte on which two pieces disagree.
static bool disagree(const Stored &a, const Stored &b, uint64_t &where) {
  uint64_t from = std::max(a.piece->address, b.piece->address), to = std::min(a.end(), b.end());
  if (from >= to)
    return false;
  const uint8_t *x = a.data + (from - a.piece->address), *y = b.data + (from - b.piece->address);
  auto [at, unused] = std::mismatch(x, x + (to - from), y);
  (void)unused;
  where = from + (at - x);
  return where < to;
}

std::vector<Finding> lowp::sim::findWorkgroupConflicts(const Dispatch &dispatch, const Program &program,
                                                       const std::string &kernel,
                                                       ArrayRef<std::unique_ptr<Engine>> engines) {
  uint64_t total = 0;
  std::vector<Stored> all;
  for (const auto &engine : engines)
    if (engine->storeLog)
      total += engine->storeLog->total;
  if (total > StoreLog::maxBytes)
    return {};
  for (const auto &engine : engines)
    if (engine->storeLog)
      for (const StoreLog::Piece &piece : engine->storeLog->pieces)
        all.push_back({&piece, engine->storeLog->bytes.data() + piece.data});
  llvm::sort(all, [](const Stored &a, const Stored &b) {
    return std::tuple(a.piece->address, a.piece->workgroup, a.piece->inst, a.piece->size) <
           std::tuple(b.piece->address, b.piece->workgroup, b.piece->inst, b.piece->size);
  });
  // Sweep; the comparisons are bounded, for kernels all of whose workgroups write everything.
  std::map<uint32_t, Conflict> conflicts; // by instruction
  std::vector<Stored> open;
  uint64_t budget = uint64_t(1) << 22;
  for (const Stored &next : all) {
    llvm::erase_if(open, [&](const Stored &o) { return o.end() <= next.piece->address; });
    for (const Stored &before : open) {
      uint64_t where;
      if (before.piece->workgroup == next.piece->workgroup)
        continue;
      if (!budget--)
        break;
      if (!disagree(before, next, where))
        continue;
      bool later = next.piece->workgroup > before.piece->workgroup;
      const StoreLog::Piece *high = later ? next.piece : before.piece,
                            *low = later ? before.piece : next.piece;
      Conflict &conflict = conflicts[high->inst];
      ++conflict.count;
      if (!conflict.piece ||
          std::tuple(high->workgroup, low->workgroup, where) <
              std::tuple(conflict.piece->workgroup, conflict.other->workgroup, conflict.address)) {
        conflict.piece = high;
        conflict.other = low;
        conflict.address = where;
      }
    }
    if (budget == ~uint64_t(0))
      break;
    open.push_back(next);
  }
  std::vector<Finding> findings;
  for (const auto &[index, conflict] : conflicts) {
    Finding finding;
    finding.kind = name(FindingKind::WorkgroupConflict);
    uint32_t other[3];
    dispatch.position(conflict.other->workgroup, other);
    finding.message = "stores another value than workgroup " + std::to_string(other[0]) + "," +
                      std::to_string(other[1]) + "," + std::to_string(other[2]) + " at 0x" +
                      utohexstr(program.insts[conflict.other->inst].pc, true) + ": " +
                      dispatch.memory.describe(conflict.address, 1);
    finding.kernel = kernel;
    finding.pc = program.insts[index].pc;
    finding.disassembly = program.texts[index];
    dispatch.position(conflict.piece->workgroup, finding.workgroup);
    finding.wave = conflict.piece->wave;
    finding.lanes = uint64_t(1) << conflict.piece->lane;
    finding.count = conflict.count;
    findings.push_back(std::move(finding));
  }
  return findings;
}
