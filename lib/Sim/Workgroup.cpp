// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over instructions, and the turns of the waves of one workgroup.

#include "Workgroup.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <numeric>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

/// Instructions of a turn. Serial runs still need one, for waves that wait for each other through memory.
static constexpr uint64_t interleavedQuantum = 192, serialQuantum = uint64_t(1) << 16;

bool RunLimits::account(Engine &engine, Wave &wave, uint64_t executed) {
  if (stop)
    return false;
  uint64_t total = instructions += executed;
  if (options.progress)
    options.progress->instructions += executed;
  auto exceeded = [&](FindingKind kind, const std::string &message) {
    const std::vector<Inst> &insts = engine.program.insts;
    const Inst &at = wave.pc < insts.size() && insts[wave.pc].op ? insts[wave.pc] : insts.front();
    engine.report(kind, wave, at, wave.exec(), [&] { return message; });
    end(message);
    return false;
  };
  if (options.instructionLimit && total > options.instructionLimit)
    return exceeded(FindingKind::Limit, "the run executed more than " +
                                            std::to_string(options.instructionLimit) + " wave instructions");
  if (options.cancel && *options.cancel) {
    end("the run was cancelled");
    return false;
  }
  if (options.timeLimit > 0 &&
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > options.timeLimit) {
    std::string limit;
    raw_string_ostream(limit) << format("%g", options.timeLimit);
    return exceeded(FindingKind::TimeLimit, "the run took longer than " + limit + " seconds");
  }
  return true;
}

void WorkgroupRunner::begin(Workgroup &group, uint32_t linear) {
  group.linear = linear;
  group.slices = group.idleSlices = 0;
  group.stuckAt = Workgroup::never;
  std::seed_seq seed{uint32_t(engine.options.seed), uint32_t(engine.options.seed >> 32), linear};
  if (engine.options.waves == WaveOrder::Shuffled)
    group.random.seed(seed);
  while (group.waves.size() < dispatch.waves())
    group.waves.push_back(std::make_unique<Wave>());
  group.lds.reset(dispatch.ldsSize());
  enter(group);
  for (unsigned i = 0; i < group.waves.size(); ++i)
    dispatch.initialise(engine, *group.waves[i], i, linear);
  bool watched = engine.checking() && group.waves.size() > 1;
  for (auto &wave : group.waves) {
    wave->stores.resize(watched ? 64 : 0);
    for (StoreInFlight &store : wave->stores)
      store.seq = 0;
    wave->ldsReads.assign(watched ? 32 : 0, LdsRead());
    wave->lastStore = wave->vmDoneAtBarrier = wave->vmIssuedAtBarrier = 0;
  }
  leave(group);
  ++engine.workgroups;
  engine.waveCount += group.waves.size();
}

void WorkgroupRunner::enter(Workgroup &group) {
  std::swap(group.lds, engine.lds);
  engine.linearWorkgroup = group.linear;
  engine.xcd = group.linear % xcds;
  if (engine.traffic.log)
    engine.traffic.log->begin(group.linear);
  dispatch.position(group.linear, engine.workgroup);
  engine.waves.clear();
  for (auto &wave : group.waves)
    engine.waves.push_back(wave.get());
}

WorkgroupRunner::Outcome WorkgroupRunner::runSlice(Workgroup &group, Budget budget) {
  enter(group);
  // Whatever a workgroup stored in its first slice counts as a change of memory.
  engine.watchStores = group.slices != 0;
  engine.memoryChanged = !engine.watchStores;
  ++group.slices;
  std::vector<unsigned> order(group.waves.size());
  std::iota(order.begin(), order.end(), 0);
  bool shuffled = engine.options.waves == WaveOrder::Shuffled;
  uint64_t quantum = engine.options.waves == WaveOrder::Serial ? serialQuantum : interleavedQuantum;
  uint64_t used = 0, progressAt = 0, progress = engine.progress;
  Outcome outcome = Outcome::Suspended;
  while (true) {
    if (shuffled)
      std::shuffle(order.begin(), order.end(), group.random);
    bool ran = false, allYield = true;
    for (unsigned i : order) {
      Wave &wave = *group.waves[i];
      if (wave.done || wave.atBarrier)
        continue;
      ran = true;
      wave.yielded = false;
      // Shuffled turns differ in length, too.
      uint64_t turn = shuffled ? 1 + group.random() % (2 * quantum) : quantum;
      uint64_t executed = runTurn(wave, turn);
      allYield &= wave.yielded;
      used += executed;
      if (!limits.account(engine, wave, executed)) {
        leave(group);
        return Outcome::Stopped;
      }
    }
    if (!ran) {
      if (openBarrier(group))
        continue;
      outcome = Outcome::Finished;
      break;
    }
    if (engine.progress != progress) {
      progress = engine.progress;
      progressAt = used;
    }
    if (allYield || used > budget.instructions || used - progressAt > budget.idle)
      break;
  }
  group.idleSlices = engine.memoryChanged || progressAt ? 0 : group.idleSlices + 1;
  leave(group);
  return outcome;
}

template <bool Checks, bool ToBackwardBranch>
uint64_t WorkgroupRunner::runTurnAs(Wave &wave, uint64_t quantum) {
  const std::vector<Inst> &insts = engine.program.insts;
  uint64_t executed = 0;
  while (executed < quantum && !wave.pauses()) {
    if (wave.pc >= insts.size() || !insts[wave.pc].op) {
      offTheCode(wave);
      break;
    }
    const Inst &inst = insts[wave.pc];
    ++engine.counts[wave.pc];
    if (wave.exec() != ~uint64_t(0))
      engine.idleLanes[wave.pc] += 64 - __builtin_popcountll(wave.exec());
    ++executed;
    last = &inst;
    if (wave.unusual) {
      uint32_t at = wave.pc;
      executeUnusual(engine, wave, inst);
      if (ToBackwardBranch && inst.op->unit == Unit::Branch && wave.pc <= at)
        break;
      continue;
    }
    if (Checks)
      checkBefore(engine, wave, inst);
    noteIssue(engine, wave, inst);
    uint32_t at = wave.pc;
    wave.pc = inst.next;
    inst.exec(engine, wave, inst);
    if (ToBackwardBranch && inst.op->unit == Unit::Branch && wave.pc <= at)
      break;
  }
  return executed;
}

void WorkgroupRunner::offTheCode(Wave &wave) {
  const Inst &at = last ? *last : engine.program.insts.front();
  engine.fault(FindingKind::BadControlFlow, wave, at,
               [] { return std::string("continues where no known instruction begins"); });
}

/// False when all waves have ended.
bool WorkgroupRunner::openBarrier(Workgroup &group) {
  const Wave *first = nullptr;
  bool divergent = false;
  for (auto &wave : group.waves)
    if (wave->atBarrier && !wave->done) {
      wave->atBarrier = false;
      divergent |= first && first->pc != wave->pc;
      first = wave.get();
    }
  engine.divergentBarriers += divergent;
  endLdsEpoch(engine);
  return first;
}

// In rounds of one iteration for each wave, so that loops of different lengths come round together; the state
// of the whole workgroup has to be the same as some rounds before.
bool WorkgroupRunner::repeatsItself(Workgroup &group) {
  constexpr unsigned rounds = 64;
  enter(group);
  engine.watchStores = true;
  engine.memoryChanged = false;
  auto digest = [&] {
    uint64_t sum = xxh3_64bits(ArrayRef<uint8_t>(engine.lds.at(0), engine.lds.size()));
    for (auto &wave : group.waves) {
      auto add = [&](const void *data, size_t size) {
        sum = sum * 31 + xxh3_64bits(ArrayRef<uint8_t>(static_cast<const uint8_t *>(data), size));
      };
      add(wave->v, sizeof(wave->v));
      add(wave->s, sizeof(wave->s));
      add(wave->scratch.data(), wave->scratch.size());
      uint32_t rest[] = {wave->pc, wave->mode, wave->done, wave->atBarrier};
      add(rest, sizeof(rest));
    }
    return sum;
  };
  bool repeats = false;
  uint64_t before = digest();
  for (unsigned round = 1; round <= rounds && !repeats; ++round) {
    bool ran = false;
    for (auto &wave : group.waves) {
      if (wave->done || wave->atBarrier)
        continue;
      ran = true;
      wave->yielded = false;
      uint64_t executed = runTurn(*wave, interleavedQuantum, /*toBackwardBranch=*/true);
      if (!limits.account(engine, *wave, executed))
        break;
    }
    if (limits.stop || engine.memoryChanged || (!ran && !openBarrier(group)))
      break;
    uint64_t now = digest();
    repeats = now == before;
    if (isPowerOf2_32(round))
      before = now;
  }
  leave(group);
  return repeats;
}
