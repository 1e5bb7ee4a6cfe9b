// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowp-bench: one matrix product in hipblaslt-bench's words, or many random ones; compiled, run on the
// simulator, compared with the reference, printed as CSV. docs/spec/lowp-bench.md.

#include "CompiledProblem.h"
#include "Options.h"
#include "lowp/Driver/BenchTable.h"
#include "lowp/Driver/RandomProblems.h"
#include "lowp/Numerics/Fill.h"
#include "lowp/Target/Target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>
#include <mutex>

using namespace lowp;

static int runOne(const BenchOptions &options) {
  CompiledProblem compiled;
  VerifyOptions verification;
  verification.seed = options.seed;
  verification.data = options.data;
  verification.compare = options.verify;
  verification.mfma = options.mfma;
  verification.variant = options.variant;
  std::vector<VerifyRun> runs;
  bool done = compiled.compile(options.problem, options.target, options.schedules);
  LaunchRecorder recorder(options.launchFolder, compiled.codeObject());
  if (!options.launchFolder.empty())
    verification.recorder = &recorder;
  done = done && compiled.run(options.problem, verification, runs);
  llvm::errs() << compiled.messages();
  if (!done)
    return 1;
  llvm::outs() << benchHeader();
  bool passed = true;
  for (const VerifyRun &run : runs) {
    llvm::outs() << benchRow(options.problem, options.target, run, options.verify);
    for (const std::string &failure : run.failures)
      llvm::errs() << "variant '" << run.variant->name << "': " << failure << '\n';
    passed &= run.passed();
  }
  return passed ? 0 : 1;
}

namespace {

/// Random problems: groups are compiled once and run one after the other, two groups at a time.
class RandomRun {
public:
  explicit RandomRun(const BenchOptions &options)
      : options(options),
        problems(randomProblems(options.seed, options.random, *Target::get(options.target))) {}

  int run() {
    auto start = std::chrono::steady_clock::now();
    std::map<unsigned, std::vector<unsigned>> groups;
    for (unsigned i = 0; i < problems.size(); ++i)
      groups[problems[i].group].push_back(i);
    {
      llvm::DefaultThreadPool pool(llvm::hardware_concurrency(2));
      for (const auto &group : groups)
        pool.async([this, &members = group.second] { runGroup(members); });
      pool.wait();
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    unsigned runs = 0;
    for (const auto &[variant, count] : variants)
      runs += count;
    llvm::outs() << llvm::formatv(
        "{0}: {1} random problems with seed {2}, {3} operations, {4} runs: {5} passed, "
        "{6} failed ({7:f1} s); variants:",
        options.target, problems.size(), options.seed, groups.size(), runs, problems.size() - failed, failed,
        seconds);
    for (const auto &[variant, count] : variants)
      llvm::outs() << ' ' << variant << ' ' << count;
    llvm::outs() << '\n';
    return failed == 0 ? 0 : 1;
  }

private:
  void runGroup(const std::vector<unsigned> &members) {
    CompiledProblem compiled;
    // Every second operation is compiled with candidates that are not the cheapest for such small sizes.
    const HipblasltProblem &operation = problems[members.front()].problem;
    bool draws = options.schedules.empty() && problems[members.front()].group % 2 == 1;
    bool compiles = draws ? compiled.compileDrawn(operation, options.target,
                                                  hashWord(options.seed, problems[members.front()].group))
                          : compiled.compile(operation, options.target, options.schedules);
    std::string schedules = llvm::join(compiled.schedules(), ",");
    size_t reported = 0;
    for (unsigned i : members) {
      std::vector<VerifyRun> list;
      VerifyOptions verification;
      verification.seed = options.seed + i;
      verification.data = options.data;
      verification.variant = options.variant;
      verification.threads = 1;
      verification.mfma = options.mfma;
      bool done = compiles && compiled.run(problems[i].problem, verification, list);
      std::string reasons;
      if (!done)
        reasons = "  " + compiled.messages().substr(reported) + "\n";
      reported = compiles ? compiled.messages().size() : reported;
      for (const VerifyRun &run : list)
        for (const std::string &failure : run.failures)
          reasons += "  variant '" + run.variant->name + "': " + failure + "\n";
      std::lock_guard<std::mutex> lock(mutex);
      for (const VerifyRun &run : list)
        ++variants[run.variant->name];
      if (reasons.empty())
        continue;
      ++failed;
      llvm::outs() << "FAILED: lowp-bench " << problems[i].problem.options() << " --target " << options.target
                   << " --seed " << verification.seed << " --verify"
                   << (options.variant.empty() ? "" : " --variant " + options.variant)
                   << (schedules.empty() ? "" : " --schedule " + schedules) << '\n'
                   << reasons;
      llvm::outs().flush();
    }
  }

  const BenchOptions &options;
  std::vector<RandomProblem> problems;
  std::mutex mutex; ///< of the rest, and of standard output
  unsigned failed = 0;
  std::map<std::string, unsigned> variants; ///< runs of each
};

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::Expected<BenchOptions> options = parseBenchOptions(argc, argv);
  if (!options) {
    llvm::errs() << "lowp-bench: " << llvm::toString(options.takeError()) << '\n';
    return 2;
  }
  if (options->emitMlir) {
    llvm::outs() << toRowMajor(options->problem).mlir;
    return 0;
  }
  return options->random > 0 ? RandomRun(*options).run() : runOne(*options);
}
