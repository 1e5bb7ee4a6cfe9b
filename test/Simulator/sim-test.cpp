// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs launch files for the tests: as `lowp-run --launch`, but many in one process, and links the simulator
// only.
//
//   sim-test run [--waves=ORDER] [--threads=N] FILE.json...
//     runs each and prints one line of JSON for it: {"file", "completed", "findings": [...], "instructions"}
//     or
//     {"file", "error"}. The exit code is 0 whatever they did.
//   sim-test mutate [--verbose] [--bits=N] [--seed=S] [--require=KIND,...] [--allow=KIND:N]... FILE.json...
//     what the checks notice of changes to a kernel: Mutate.cpp. Fails when of a kind that is required more
//     than N (0) survive
//   sim-test malformed [--count=N] [--seed=S] FILE.json
//     broken code objects and launch files: Malformed.cpp

#include "SimTest.h"
#include "lowp/Sim/LaunchFile.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;

int lowp::sim::test::usage(const Twine &message) {
  errs() << "sim-test: " << message << "\n";
  return badUsage;
}

namespace {

/// Decodes each code object once, whatever the number of launches.
class Runner {
public:
  Expected<Report> run(StringRef path, const Options &options) {
    Expected<std::unique_ptr<LaunchFile>> file = LaunchFile::read(path);
    if (!file)
      return file.takeError();
    Expected<Simulator &> simulator = get((*file)->codeObject);
    if (!simulator)
      return simulator.takeError();
    Expected<Report> report = simulator->run((*file)->launch, (*file)->buffers, options);
    if (report && report->completed)
      if (Error error = (*file)->writeOutputs())
        return std::move(error);
    return report;
  }

private:
  Expected<Simulator &> get(StringRef path) {
    auto [entry, fresh] = loaded.try_emplace(path);
    Loaded &object = entry->second;
    if (fresh) {
      auto code = MemoryBuffer::getFile(path, false, false);
      Expected<std::unique_ptr<Simulator>> created =
          code ? Simulator::create((*code)->getMemBufferRef())
               : createStringError(code.getError(), "cannot read '" + path + "'");
      if (created)
        object.simulator = std::move(*created);
      else
        object.error = toString(created.takeError());
    }
    if (!object.simulator)
      return createStringError(object.error);
    return *object.simulator;
  }

  struct Loaded {
    std::unique_ptr<Simulator> simulator;
    std::string error;
  };
  StringMap<Loaded> loaded;
};

} // namespace

static json::Value runOne(Runner &runner, StringRef file, const Options &options) {
  Expected<Report> report = runner.run(file, options);
  if (!report)
    return json::Object{{"file", file}, {"error", toString(report.takeError())}};
  json::Array findings;
  for (const Finding &finding : report->findings)
    findings.push_back(finding.text());
  return json::Object{{"file", file},
                      {"completed", report->completed},
                      {"findings", std::move(findings)},
                      {"instructions", int64_t(report->counters.instructions)}};
}

static int run(ArrayRef<StringRef> arguments) {
  Runner runner;
  Options options;
  options.instructionLimit = uint64_t(1) << 30;
  for (StringRef argument : arguments) {
    if (argument.consume_front("--waves=")) {
      if (argument == "serial")
        options.waves = WaveOrder::Serial;
      else if (argument.consume_front("shuffled:") && !argument.getAsInteger(10, options.seed))
        options.waves = WaveOrder::Shuffled;
      else
        return usage("--waves takes serial or shuffled:SEED");
    } else if (argument.consume_front("--threads=")) {
      if (argument.getAsInteger(10, options.threads))
        return usage("--threads takes a number");
    } else {
      outs() << runOne(runner, argument, options) << "\n";
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  SmallVector<StringRef> arguments(argv + 1, argv + argc);
  StringRef command = arguments.empty() ? "" : arguments[0];
  ArrayRef<StringRef> rest = ArrayRef(arguments).drop_front(!arguments.empty());
  if (command == "run")
    return run(rest);
  if (command == "mutate")
    return runMutations(rest);
  if (command == "malformed")
    return runMalformed(rest);
  return usage("the first argument must be run, mutate or malformed");
}
