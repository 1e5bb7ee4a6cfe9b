// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workgroups are independent as a rule: a host thread runs one to its end, then the next. Those of persistent
// kernels, stream-K and the like wait for others, by reading memory again and again. A workgroup that does so
// for long is suspended, and the thread starts another one, up to as many as the chip has room for; from then
// on the suspended ones take turns in short slices. When each of them is proven to repeat itself with memory
// as it is, none can ever go on: a deadlock, on the hardware too.

#include "Scheduler.h"
#include "Workgroup.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <condition_variable>
#include <deque>
#include <numeric>
#include <thread>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

using Outcome = WorkgroupRunner::Outcome;
using Budget = WorkgroupRunner::Budget;

/// The first slice of a workgroup, and the following ones. Kernels that cannot see others' stores before they
/// end are left to run for longer.
static constexpr Budget firstSlice = {uint64_t(1) << 18, uint64_t(1) << 15},
                        laterSlice = {uint64_t(1) << 14, uint64_t(1) << 12},
                        independentSlice = {uint64_t(1) << 26, uint64_t(1) << 26};
/// Slices without progress after which a workgroup is suspected to be stuck.
static constexpr unsigned suspectAfter = 8;
/// Host memory for workgroups in progress.
static constexpr uint64_t residentBytes = uint64_t(1) << 30;

/// The instructions that a kernel can come to; all of them when it jumps to addresses in registers.
static std::vector<uint32_t> reachable(const Program &program, uint32_t entry) {
  std::vector<uint32_t> found, work = {entry};
  std::vector<bool> seen(program.insts.size());
  while (!work.empty()) {
    uint32_t i = work.back();
    work.pop_back();
    if (i >= program.insts.size() || seen[i] || !program.insts[i].op)
      continue;
    seen[i] = true;
    found.push_back(i);
    const Inst &inst = program.insts[i];
    StringRef name = inst.op->name;
    if (name.starts_with("s_setpc") || name.starts_with("s_swappc")) {
      found.resize(program.insts.size());
      std::iota(found.begin(), found.end(), 0);
      return found;
    }
    if (inst.op->unit == Unit::Branch)
      work.push_back(inst.target);
    if (name != "s_endpgm" && name != "s_branch")
      work.push_back(inst.next);
  }
  return found;
}

/// Whether the kernel has any means to see what other workgroups store: atomics, loads that go past the
/// caches of a compute unit, or their invalidation.
static bool maySeeOthers(const Program &program, uint32_t entry) {
  for (uint32_t i : reachable(program, entry)) {
    const Inst &inst = program.insts[i];
    if (!inst.op)
      continue;
    StringRef name = inst.op->name;
    if (inst.op->unit == Unit::Atomic || (inst.op->flags & (ResultWithSc0 | ReturnsToData)) ||
        name == "buffer_inv" || name == "s_dcache_inv" || name == "s_sleep" ||
        StringRef(program.texts[i]).contains(" sc1"))
      return true;
  }
  return false;
}

/// How many workgroups the chip holds at a time: by LDS, by waves and registers (512 registers a lane and
/// eight waves for each of the four SIMDs of a compute unit).
static unsigned chipHolds(const Dispatch &dispatch, const Program &program) {
  constexpr unsigned simds = 4, maxWaves = 8, registers = 512, maxWorkgroups = 32;
  const ChipFacts &chip = program.chip;
  unsigned perUnit = maxWorkgroups;
  if (uint32_t lds = dispatch.ldsSize())
    perUnit = std::min<unsigned>(perUnit, chip.ldsBytes / alignTo(lds, chip.ldsGranule));
  unsigned waves = std::min(maxWaves, registers / std::max(1u, dispatch.kernel().allocatedRegisters()));
  unsigned rows = divideCeil(dispatch.waves(), simds); // waves of one workgroup on a SIMD
  if (dispatch.waves() >= simds)
    perUnit = std::min(perUnit, waves / rows);
  else
    perUnit = std::min(perUnit, waves * simds / dispatch.waves());
  return std::max(1u, perUnit) * chip.computeUnits;
}

namespace {

/// The workgroups that are in progress, for all threads.
class Pool {
public:
  Pool(const Dispatch &dispatch, const Program &program, const Options &options, unsigned threads)
      : total(dispatch.workgroups()), limits(options),
        independent(!maySeeOthers(program, dispatch.entryIndex())) {
    chip = chipHolds(dispatch, program);
    uint64_t bytes = dispatch.waves() * (sizeof(Wave) + uint64_t(128) * dispatch.kernel().scratch) +
                     uint64_t(4) * dispatch.ldsSize();
    limit = options.residentWorkgroups ? options.residentWorkgroups
                                       : unsigned(std::min<uint64_t>(chip, residentBytes / bytes));
    limit = std::max(limit, threads);
  }

  /// The next workgroup for a thread that has none; null when nothing is left for it.
  std::unique_ptr<Workgroup> take(WorkgroupRunner &runner, std::unique_ptr<Workgroup> spare);
  void finished(Workgroup &group);
  void suspend(std::unique_ptr<Workgroup> group);
  bool canStart() {
    std::lock_guard<std::mutex> hold(lock);
    return next < total && resident.size() < limit;
  }
  /// To be called when `group` was proven to repeat itself with memory as of `version`.
  void stuck(Workgroup &group, uint64_t version);
  std::string describeDeadlock(const Program &program) const;
  void memoryChanged() { ++memoryVersion; }
  void wake() { changed.notify_all(); }

  const uint32_t total;
  RunLimits limits;
  const bool independent;
  std::atomic<uint64_t> memoryVersion{0};
  unsigned limit = 0, chip = 0;
  bool deadlock = false;
  std::deque<std::unique_ptr<Workgroup>> suspended;

private:
  std::mutex lock;
  std::condition_variable changed;
  uint32_t next = 0;
  std::vector<Workgroup *> resident;
};

} // namespace

std::unique_ptr<Workgroup> Pool::take(WorkgroupRunner &runner, std::unique_ptr<Workgroup> spare) {
  std::unique_lock<std::mutex> hold(lock);
  while (!limits.stop) {
    if (next < total && resident.size() < limit) {
      uint32_t linear = next++;
      if (!spare)
        spare = std::make_unique<Workgroup>();
      resident.push_back(spare.get());
      hold.unlock();
      runner.begin(*spare, linear);
      return spare;
    }
    if (!suspended.empty()) {
      std::unique_ptr<Workgroup> group = std::move(suspended.front());
      suspended.pop_front();
      return group;
    }
    if (resident.empty())
      break;
    changed.wait(hold); // others run, and may suspend what they run
  }
  return nullptr;
}

void Pool::finished(Workgroup &group) {
  memoryChanged();
  std::lock_guard<std::mutex> hold(lock);
  llvm::erase(resident, &group);
  if (resident.size() < limit || suspended.empty())
    changed.notify_all();
}

void Pool::suspend(std::unique_ptr<Workgroup> group) {
  std::lock_guard<std::mutex> hold(lock);
  suspended.push_back(std::move(group));
  changed.notify_one();
}

void Pool::stuck(Workgroup &group, uint64_t version) {
  std::lock_guard<std::mutex> hold(lock);
  group.stuckAt = version;
  if (memoryVersion != version || (next < total && resident.size() < limit))
    return;
  for (const Workgroup *other : resident)
    if (other->stuckAt != version)
      return;
  deadlock = true;
  limits.stop = true;
  changed.notify_all();
}

/// Who waits where.
std::string Pool::describeDeadlock(const Program &program) const {
  constexpr unsigned shown = 4;
  SmallVector<const Workgroup *> groups(resident.begin(), resident.end());
  llvm::sort(groups, [](const Workgroup *a, const Workgroup *b) { return a->linear < b->linear; });
  std::string text = "no wave can go on:";
  for (unsigned i = 0; i < groups.size() && i < shown; ++i) {
    text += (i ? "; workgroup " : " workgroup ") + std::to_string(groups[i]->linear) + ":";
    for (const auto &wave : groups[i]->waves) {
      if (wave->done)
        continue;
      uint64_t pc = wave->pc < program.insts.size() ? program.insts[wave->pc].pc : 0;
      text += " wave " + std::to_string(wave->id) +
              (wave->atBarrier ? " waits at the barrier before 0x" : " repeats itself around 0x") +
              utohexstr(pc, true);
    }
  }
  if (groups.size() > shown)
    text += "; and " + std::to_string(groups.size() - shown) + " more workgroups";
  if (next < total)
    text += "; " + std::to_string(total - next) + " workgroups have not begun, because " +
            std::to_string(limit) + " in progress at a time are " +
            (limit >= chip ? "all that the chip has room for" : "the limit of this run");
  return text;
}

static void work(Pool &pool, WorkgroupRunner &runner, Engine &engine) {
  std::unique_ptr<Workgroup> spare;
  while (std::unique_ptr<Workgroup> group = pool.take(runner, std::move(spare))) {
    Budget budget = pool.independent ? independentSlice : group->slices ? laterSlice : firstSlice;
    Outcome outcome = runner.runSlice(*group, budget);
    if (outcome == Outcome::Finished) {
      pool.finished(*group);
      if (engine.options.progress)
        ++engine.options.progress->workgroups;
      spare = std::move(group);
      continue;
    }
    if (engine.memoryChanged)
      pool.memoryChanged();
    // Every so often; a proof is not for free.
    if (outcome == Outcome::Suspended && group->idleSlices >= suspectAfter &&
        isPowerOf2_32(group->idleSlices) && !pool.canStart()) {
      uint64_t version = pool.memoryVersion;
      bool repeats = runner.repeatsItself(*group);
      if (engine.memoryChanged)
        pool.memoryChanged();
      else if (repeats)
        pool.stuck(*group, version);
    }
    pool.suspend(std::move(group));
  }
  pool.wake();
}

std::string lowp::sim::runAll(const Dispatch &dispatch, const Program &program, const Options &options,
                              const std::string &kernel, std::vector<std::unique_ptr<Engine>> &engines) {
  unsigned threads = options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, dispatch.workgroups());
  if (options.progress)
    options.progress->allWorkgroups = dispatch.workgroups();
  Pool pool(dispatch, program, options, threads);
  for (unsigned i = 0; i < threads; ++i)
    engines.push_back(std::make_unique<Engine>(program, dispatch.memory, options, kernel));
  if (options.checks && options.workgroupConflicts && pool.independent && dispatch.workgroups() > 1)
    for (auto &engine : engines)
      engine->storeLog = std::make_unique<StoreLog>();
  if (options.l2Lines)
    for (auto &engine : engines)
      engine->traffic.log = std::make_unique<LineLog>(
          options.residentWorkgroups ? options.residentWorkgroups : pool.chip, dispatch.firstBuffer);
  auto start = [&](unsigned index) {
    WorkgroupRunner runner(dispatch, *engines[index], pool.limits);
    work(pool, runner, *engines[index]);
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i)
    others.emplace_back(start, i);
  start(0);
  for (std::thread &thread : others)
    thread.join();
  if (!pool.limits.stop)
    return "";
  if (pool.deadlock) {
    std::string text = pool.describeDeadlock(program);
    Workgroup &group = **llvm::min_element(
        pool.suspended, [](const auto &a, const auto &b) { return a->linear < b->linear; });
    Engine &engine = *engines[0];
    engine.linearWorkgroup = group.linear;
    dispatch.position(group.linear, engine.workgroup);
    for (auto &wave : group.waves)
      if (!wave->done && wave->pc < program.insts.size()) {
        engine.report(FindingKind::Deadlock, *wave, program.insts[wave->pc], wave->exec(),
                      [&] { return text; });
        break;
      }
    return text;
  }
  if (!pool.limits.reason.empty())
    return pool.limits.reason;
  for (const auto &engine : engines)
    if (!engine->fatal.empty())
      return engine->fatal;
  return "the run was stopped";
}
