// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowp-run: a kernel of any code object on the simulator. Exit codes: 0 it ran and no check found anything; 1
// a file, the launch or a finding; 2 the command line; 3 a limit ended the run; 130 Ctrl-C did.

#include "EntryRun.h"
#include "Watch.h"
#include "lowp/CodeObject/OutputFile.h"
#include "lowp/Driver/CommandLine.h"
#include "lowp/Sim/LaunchFile.h"
#include "lowp/Sim/ReportText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace lowp;
namespace cl = llvm::cl;

namespace {

/// Constructed in main(), when the options of LLVM's libraries are gone.
struct Options {
  cl::OptionCategory what{"What to run"},
      own{"Arguments of a code object with a manifest (lowpc writes one)"}, how{"How to run it"},
      show{"What to show"};
  cl::opt<std::string> input{cl::Positional, cl::desc("[CODE-OBJECT: one of lowpc's, with a manifest]"),
                             cl::cat(what)};
  cl::opt<std::string> launchFile{
      "launch", cl::value_desc("FILE.json"),
      cl::desc("run what this launch file describes: a kernel of any code object"), cl::cat(what)};

  cl::opt<std::string> entry{"entry", cl::value_desc("NAME"),
                             cl::desc("the entry to run; needed where there are several"), cl::cat(own)};
  cl::opt<std::string> variant{"variant", cl::value_desc("NAME"),
                               cl::desc("the variant (default: the one the manifest chooses)"), cl::cat(own)};
  cl::list<std::string> sizes{"size", cl::value_desc("ARG.DIM=VALUE"),
                              cl::desc("size of a dynamic dimension, as a.0=128"), cl::cat(own)};
  cl::list<std::string> arguments{
      "arg", cl::value_desc("NAME=FILE"),
      cl::desc("a file of a tensor's packed bytes, or the value of a scalar (default: generated; 1)"),
      cl::cat(own)};
  cl::list<std::string> outputs{"out", cl::value_desc("NAME=FILE"),
                                cl::desc("write a result's packed bytes, if the kernel ended properly"),
                                cl::cat(own)};
  cl::opt<uint64_t> seed{"seed", cl::init(1), cl::desc("of generated tensors (default 1)"), cl::cat(own)};

  cl::opt<sim::MfmaMode> mfma{
      "mfma", cl::desc("arithmetic of matrix instructions:"), cl::init(sim::MfmaMode::Exact), cl::cat(how),
      cl::values(
          clEnumValN(sim::MfmaMode::Exact, "exact", "sums in double, rounds once; the reference (default)"),
          clEnumValN(sim::MfmaMode::Fast, "fast",
                     "sums in float; less exact, and faster where the kernel is mostly matrix "
                     "instructions (a product of fp8 matrices: 0.8 of exact)"),
          clEnumValN(sim::MfmaMode::Cdna3, "cdna3",
                     "bit for bit as gfx942, by the published rule; no such rule is public for gfx950 or for "
                     "sparse instructions (a product of fp8 matrices: 12 times exact)"))};
  cl::opt<std::string> waves{
      "waves", cl::init("interleaved"), cl::value_desc("ORDER"),
      cl::desc("how the waves of a workgroup take turns: interleaved (a few instructions each; default), "
               "serial (each to its next barrier), shuffled:SEED (random turns)"),
      cl::cat(how)};
  cl::opt<uint64_t> limit{"limit", cl::value_desc("COUNT"),
                          cl::desc("end the run after so many wave instructions (exit code 3)"),
                          cl::cat(how)};
  cl::opt<double> timeLimit{"time-limit", cl::value_desc("SECONDS"),
                            cl::desc("end the run after so long (exit code 3)"), cl::cat(how)};
  cl::opt<unsigned> threads{
      "threads", cl::init(0),
      cl::desc("threads of the host (default: all); results and reports do not depend on it"), cl::cat(how)};
  cl::opt<bool> noChecks{"no-checks", cl::desc("run without the checks, faster"), cl::cat(how)};
  cl::opt<bool> noPreload{
      "no-preload",
      cl::desc("enter kernels that take arguments in registers as firmware does that cannot preload them"),
      cl::cat(how)};

  cl::opt<std::string> report{"report", cl::value_desc("FILE.json"),
                              cl::desc("write counters and findings (- for standard output)"), cl::cat(show)};
  cl::opt<unsigned> l2Lines{
      "l2-lines", cl::value_desc("WORKGROUPS"), cl::ValueOptional,
      cl::desc("count, for the report, the distinct cache lines that the workgroups of each die load, so "
               "many of the launch at a time (default: as many as the chip holds)"),
      cl::cat(show)};
  cl::opt<bool> stats{"stats", cl::desc("print a summary: occupancy, instructions, traffic by buffer"),
                      cl::cat(show)};
  cl::opt<bool> annotate{
      "annotate", cl::desc("print the code that ran with counters, loops and findings at each instruction"),
      cl::cat(show)};
};

constexpr int done = 0, fault = 1, usageFault = 2, limited = 3, interrupted = 130;

int usage(const llvm::Twine &message) {
  llvm::errs() << "lowp-run: " << message << "\n";
  return usageFault;
}

int fail(llvm::Error error) {
  llvm::errs() << "lowp-run: " << llvm::toString(std::move(error)) << "\n";
  return fault;
}

bool splitPairs(const cl::list<std::string> &texts, std::map<std::string, std::string> &pairs) {
  for (const std::string &text : texts) {
    auto [name, value] = llvm::StringRef(text).split('=');
    if (name.empty() || value.empty())
      return false;
    pairs[name.str()] = value.str();
  }
  return true;
}

/// Whether a limit ended it, which is no fault of the kernel's.
bool hitLimit(const sim::Report &result) {
  return !result.completed && llvm::any_of(result.findings, [](const sim::Finding &finding) {
    return finding.kind == "instruction-limit" || finding.kind == "time-limit";
  });
}

void print(const Options &o, const sim::Report &result, llvm::StringRef what) {
  const sim::Counters &c = result.counters;
  // A report on standard output stands there alone.
  llvm::raw_ostream &os = o.report == "-" ? llvm::errs() : llvm::outs();
  os << llvm::formatv("{0}: {1} workgroups, {2} instructions, {3} MFMA, {4} LDS-DMA, {5} LDS bank "
                      "conflict cycles, {6} barriers, {7:f3} s\n",
                      what, c.workgroups, c.instructions, c.mfma, c.ldsDma, c.ldsConflictCycles, c.barriers,
                      result.seconds);
  if (o.stats)
    os << sim::statistics(result);
  if (o.annotate)
    os << sim::annotate(result);
  os.flush();
  for (const sim::Finding &finding : result.findings)
    llvm::errs() << finding.text() << "\n";
  if (!result.completed)
    llvm::errs() << "lowp-run: the kernel did not end properly"
                 << (result.reason.empty() ? "" : ": " + result.reason) << "\n";
}

int finish(const Options &o, llvm::ArrayRef<sim::Report> reports, llvm::StringRef what, bool wasInterrupted) {
  bool clean = true, completed = true, early = false;
  llvm::json::Array all;
  for (const sim::Report &result : reports) {
    print(o, result, what);
    clean &= result.completed && result.findings.empty();
    completed &= result.completed;
    early |= hitLimit(result);
    all.push_back(result.toJSON());
  }
  if (!o.report.empty()) {
    llvm::json::Value value = all.size() == 1 ? std::move(all[0]) : llvm::json::Value(std::move(all));
    if (llvm::Error error =
            writeFileAtomically(o.report, llvm::StringRef(llvm::formatv("{0:2}\n", value).str())))
      return fail(std::move(error));
  }
  if (!completed && wasInterrupted)
    return interrupted;
  if (early)
    return limited;
  return clean ? done : fault;
}

int run(const Options &o) {
  sim::Options options;
  options.mfma = o.mfma;
  options.threads = o.threads;
  options.instructionLimit = o.limit;
  options.checks = !o.noChecks;
  options.preloadArguments = !o.noPreload;
  options.timeLimit = o.timeLimit;
  options.l2Lines = o.l2Lines.getNumOccurrences() > 0;
  options.residentWorkgroups = o.l2Lines;
  if (!(o.timeLimit >= 0))
    return usage(
        llvm::formatv("--time-limit must be a number of seconds, but got {0}", double(o.timeLimit)).str());
  llvm::StringRef order = o.waves;
  if (order == "serial")
    options.waves = sim::WaveOrder::Serial;
  else if (order.consume_front("shuffled:") && !order.getAsInteger(10, options.seed))
    options.waves = sim::WaveOrder::Shuffled;
  else if (order != "interleaved")
    return usage("unknown order '" + o.waves +
                 "' in --waves; accepted are interleaved, serial and shuffled:SEED");
  if (o.launchFile.empty() == o.input.empty())
    return usage("give either a code object or --launch FILE.json");
  if (!o.launchFile.empty()) {
    if (!o.entry.empty() || !o.variant.empty() || !o.sizes.empty() || !o.arguments.empty() ||
        !o.outputs.empty())
      return usage("--entry, --variant, --size, --arg and --out belong to a code object with a manifest, not "
                   "to --launch");
    Watch watch(options);
    llvm::Expected<sim::Report> result = sim::runLaunchFile(o.launchFile, options);
    bool wasInterrupted = watch.stop();
    if (!result)
      return fail(result.takeError());
    return finish(o, *result, o.launchFile, wasInterrupted);
  }
  EntryRunOptions entryOptions;
  entryOptions.entry = o.entry;
  entryOptions.variant = o.variant;
  entryOptions.seed = o.seed;
  std::map<std::string, std::string> sizePairs;
  if (!splitPairs(o.sizes, sizePairs) || !splitPairs(o.arguments, entryOptions.inputs) ||
      !splitPairs(o.outputs, entryOptions.outputs))
    return usage("--size, --arg and --out take NAME=VALUE");
  for (auto &[name, text] : sizePairs) {
    int64_t value;
    if (llvm::StringRef(text).getAsInteger(10, value) || value < 1)
      return usage("--size " + name + " must be a positive number, but got '" + text + "'");
    entryOptions.sizes[name] = value;
  }
  auto file = llvm::MemoryBuffer::getFile(o.input, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return fail(llvm::createStringError(o.input + ": " + file.getError().message()));
  llvm::ArrayRef<char> bytes((*file)->getBufferStart(), (*file)->getBufferSize());
  llvm::Expected<Manifest> manifest = manifestOf(bytes);
  if (!manifest)
    return fail(llvm::createStringError(o.input + ": " + llvm::toString(manifest.takeError())));
  Watch watch(options);
  entryOptions.simulator = options;
  llvm::Expected<LaunchOutcome> outcome = runEntry(bytes, *manifest, entryOptions);
  bool wasInterrupted = watch.stop();
  if (!outcome)
    return fail(outcome.takeError());
  return finish(o, outcome->reports, outcome->variant->name, wasInterrupted);
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  removeLibraryOptions();
  Options options;
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "lowp " LOWP_VERSION " (LLVM " LLVM_VERSION_STRING ")\n"; });
  if (!parseCommandLine(argc, argv, "lowp-run: kernels for AMD Instinct on the simulator\n"))
    return usageFault;
  return run(options);
}
