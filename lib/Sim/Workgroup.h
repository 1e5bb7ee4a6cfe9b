// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One workgroup in progress, and what runs a slice of it. Its waves take turns; a turn ends at s_barrier, at
// s_sleep, at the end of the program, or after a quantum of instructions. A barrier opens when every wave
// that has not ended waits at it, wherever in the program: the hardware only counts arrivals.
#ifndef LOWP_LIB_SIM_WORKGROUP_H
#define LOWP_LIB_SIM_WORKGROUP_H

#include "Dispatch.h"
#include <chrono>
#include <mutex>
#include <random>

namespace lowp::sim {

struct Workgroup {
  static constexpr uint64_t never = ~uint64_t(0);

  uint32_t linear = 0;
  std::vector<std::unique_ptr<Wave>> waves;
  Lds lds; ///< while it does not run; the engine holds it otherwise
  std::mt19937_64 random;
  unsigned slices = 0, idleSlices = 0; ///< idle: without any progress
  /// The version of global memory with which it was proven to repeat itself for ever.
  std::atomic<uint64_t> stuckAt{never};
};

/// What ends a run early, for all threads.
class RunLimits {
public:
  RunLimits(const Options &options) : options(options) {}

  std::atomic<bool> stop{false};

  /// After each turn; false when the run is over.
  bool account(Engine &engine, Wave &wave, uint64_t executed);
  void end(const std::string &why) {
    std::lock_guard<std::mutex> hold(lock);
    if (reason.empty())
      reason = why;
    stop = true;
  }
  std::string reason; ///< read it when all threads have ended

private:
  const Options &options;
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::atomic<uint64_t> instructions{0};
  std::mutex lock;
};

class WorkgroupRunner {
public:
  WorkgroupRunner(const Dispatch &dispatch, Engine &engine, RunLimits &limits)
      : dispatch(dispatch), engine(engine), limits(limits) {
    engine.stop = &limits.stop;
  }

  enum class Outcome : uint8_t { Finished, Suspended, Stopped };
  struct Budget {
    uint64_t instructions; ///< of all waves
    uint64_t idle;         ///< of these without progress
  };

  /// Registers and LDS as at the first instruction.
  void begin(Workgroup &group, uint32_t linear);
  Outcome runSlice(Workgroup &group, Budget budget);
  /// Whether the workgroup repeats itself for ever as long as nobody else changes memory.
  bool repeatsItself(Workgroup &group);

private:
  void enter(Workgroup &group);
  void leave(Workgroup &group) { std::swap(group.lds, engine.lds); }
  uint64_t runTurn(Wave &wave, uint64_t quantum, bool toBackwardBranch = false) {
    if (toBackwardBranch)
      return engine.checking() ? runTurnAs<true, true>(wave, quantum) : runTurnAs<false, true>(wave, quantum);
    return engine.checking() ? runTurnAs<true, false>(wave, quantum) : runTurnAs<false, false>(wave, quantum);
  }
  template <bool Checks, bool ToBackwardBranch> uint64_t runTurnAs(Wave &wave, uint64_t quantum);
  void offTheCode(Wave &wave);
  bool openBarrier(Workgroup &group);

  const Dispatch &dispatch;
  Engine &engine;
  RunLimits &limits;
  const Inst *last = nullptr;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_WORKGROUP_H
