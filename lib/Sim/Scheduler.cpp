// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A workgroup is run by one thread. Its waves take turns; a turn ends at s_barrier, at the end of the
// program, or after a quantum of instructions. A barrier opens when every wave that has not ended waits at
// it.

#include "Scheduler.h"
#include <numeric>
#include <random>
#include <thread>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

/// Instructions of a turn. Serial runs still need one, for waves that wait for each other through memory.
static constexpr uint64_t interleavedQuantum = 192, serialQuantum = uint64_t(1) << 20;
/// XCDs take workgroups in turn.
static constexpr unsigned xcds = 8;

namespace {

struct SharedState {
  std::atomic<uint32_t> next{0};
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> instructions{0};
};

class WorkgroupRunner {
public:
  WorkgroupRunner(const Dispatch &dispatch, Engine &engine, SharedState &shared)
      : dispatch(dispatch), engine(engine), shared(shared), random(engine.options.seed) {
    for (unsigned i = 0; i < dispatch.waves(); ++i)
      waves.push_back(std::make_unique<Wave>());
    engine.stop = &shared.stop;
  }

  void run(uint32_t linear) {
    engine.linearWorkgroup = linear;
    engine.xcd = linear % xcds;
    dispatch.position(linear, engine.workgroup);
    engine.lds.reset(dispatch.ldsSize());
    engine.waves.clear();
    for (unsigned i = 0; i < waves.size(); ++i) {
      dispatch.initialise(engine, *waves[i], i, linear);
      engine.waves.push_back(waves[i].get());
    }
    ++engine.workgroups;
    engine.waveCount += waves.size();
    std::vector<unsigned> order(waves.size());
    std::iota(order.begin(), order.end(), 0);
    bool shuffled = engine.options.waves == WaveOrder::Shuffled;
    uint64_t quantum = engine.options.waves == WaveOrder::Serial ? serialQuantum : interleavedQuantum;
    while (!shared.stop) {
      if (shuffled)
        std::shuffle(order.begin(), order.end(), random);
      bool ran = false;
      for (unsigned i : order) {
        Wave &wave = *waves[i];
        if (wave.done || wave.atBarrier)
          continue;
        ran = true;
        // Shuffled turns differ in length, too.
        uint64_t turn = shuffled ? 1 + random() % (2 * quantum) : quantum;
        uint64_t executed = engine.checking() ? runTurn<true>(wave, turn) : runTurn<false>(wave, turn);
        count(wave, executed);
        if (shared.stop)
          return;
      }
      if (!ran && !openBarrier())
        return;
    }
  }

private:
  template <bool Checks> uint64_t runTurn(Wave &wave, uint64_t quantum) {
    const std::vector<Inst> &insts = engine.program.insts;
    uint64_t executed = 0;
    while (executed < quantum && !wave.done && !wave.atBarrier) {
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
        executeUnusual(engine, wave, inst);
        continue;
      }
      if (Checks)
        checkBefore(engine, wave, inst);
      noteIssue(engine, wave, inst);
      wave.pc = inst.next;
      inst.exec(engine, wave, inst);
    }
    return executed;
  }

  void offTheCode(Wave &wave) {
    const Inst &at = last ? *last : engine.program.insts.front();
    engine.fault(FindingKind::BadControlFlow, wave, at,
                 [] { return std::string("continues where no known instruction begins"); });
  }

  void count(Wave &wave, uint64_t executed) {
    uint64_t limit = engine.options.instructionLimit;
    uint64_t total = shared.instructions += executed;
    if (engine.options.progress)
      engine.options.progress->instructions += executed;
    if (limit && total > limit && !shared.stop) {
      const Inst &at = wave.pc < engine.program.insts.size() ? engine.program.insts[wave.pc] : *last;
      engine.fault(FindingKind::Limit, wave, at, [&] {
        return "the run executed more than " + std::to_string(limit) + " wave instructions";
      });
    }
  }

  /// False when all waves have ended.
  bool openBarrier() {
    bool any = false;
    for (auto &wave : waves)
      if (wave->atBarrier && !wave->done) {
        wave->atBarrier = false;
        any = true;
      }
    engine.lds.barrier();
    return any;
  }

  const Dispatch &dispatch;
  Engine &engine;
  SharedState &shared;
  std::mt19937_64 random;
  std::vector<std::unique_ptr<Wave>> waves;
  const Inst *last = nullptr;
};

} // namespace

bool lowp::sim::runAll(const Dispatch &dispatch, const Program &program, const Options &options,
                       const std::string &kernel, std::vector<std::unique_ptr<Engine>> &engines) {
  unsigned threads = options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, dispatch.workgroups());
  SharedState shared;
  if (options.progress)
    options.progress->allWorkgroups = dispatch.workgroups();
  for (unsigned i = 0; i < threads; ++i)
    engines.push_back(std::make_unique<Engine>(program, dispatch.memory, options, kernel));
  auto work = [&](unsigned index) {
    WorkgroupRunner runner(dispatch, *engines[index], shared);
    for (uint32_t linear; !shared.stop && (linear = shared.next++) < dispatch.workgroups();) {
      runner.run(linear);
      if (options.progress)
        ++options.progress->workgroups;
    }
  };
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i)
    pool.emplace_back(work, i);
  work(0);
  for (std::thread &thread : pool)
    thread.join();
  return !shared.stop;
}
