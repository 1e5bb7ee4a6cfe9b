// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowpc: MLIR in, code objects out, ahead of time. Exit codes: 0 done; 1 a file, its IR, a check or a
// verification is at fault; 2 the command line is.

#include "Outputs.h"
#include "lowp/CodeObject/OutputFile.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Dialect/Tile/IR/Tile.h"
#include "lowp/Driver/CommandLine.h"
#include "lowp/Driver/KernelReport.h"
#include "lowp/Driver/ScheduleReport.h"
#include "lowp/Driver/Verify.h"
#include "lowp/Pipeline/Compile.h"
#include "lowp/Pipeline/Registration.h"
#include "lowp/Target/Target.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace lowp;
namespace cl = llvm::cl;

namespace {

/// Constructed in main(), when LLVM's own options of the same names are gone.
struct Options {
  cl::OptionCategory category{"lowpc options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("IN.mlir"), cl::Required, cl::cat(category)};
  cl::list<std::string> targets{"target", cl::CommaSeparated, cl::value_desc("CHIP[,CHIP]"),
                                cl::desc("the chips to compile for"), cl::cat(category)};
  cl::opt<std::string> output{
      "o", cl::value_desc("FILE"),
      cl::desc("the code object, or with --stop-after=STAGE the text; - is standard output"),
      cl::cat(category)};
  cl::list<std::string> emit{
      "emit", cl::CommaSeparated, cl::value_desc("KIND"), cl::cat(category),
      cl::desc("what to write, of hsaco, asm (NAME.s), llvm (optimised LLVM IR, NAME.ll), c (a launch stub "
               "with the code object inside, NAME.h and NAME.c) and manifest (NAME.json); default: "
               "hsaco,manifest")};
  cl::opt<bool> bundle{"bundle", cl::desc("one offload bundle for all targets"), cl::cat(category)};
  cl::opt<std::string> stopAfter{"stop-after", cl::value_desc("STAGE"),
                                 cl::desc("write the IR of this stage instead"), cl::cat(category)};
  cl::list<std::string> printAfter{"print-after", cl::CommaSeparated, cl::value_desc("STAGE"),
                                   cl::desc("print the IR of these stages to standard error"),
                                   cl::cat(category)};
  cl::opt<bool> verify{"verify",
                       cl::desc("run the code object on the simulator and compare with the reference"),
                       cl::cat(category)};
  cl::list<std::string> sizes{"size", cl::value_desc("ARG.DIM=VALUE"),
                              cl::desc("a dynamic dimension for --verify; several are tried when not given"),
                              cl::cat(category)};
  cl::opt<std::string> variant{"variant", cl::value_desc("NAME"),
                               cl::desc("the variant that --verify runs, or all (default: the chooser's)"),
                               cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::init(1), cl::desc("of the data that --verify runs on"),
                         cl::cat(category)};
  cl::opt<std::string> report{
      "report", cl::ValueOptional, cl::value_desc("FORMAT"), cl::cat(category),
      cl::desc("print what each kernel takes and what its hot loop does, as text (default) or json")};
  cl::opt<std::string> explainSchedule{
      "explain-schedule", cl::ValueOptional, cl::value_desc("FORMAT"), cl::cat(category),
      cl::desc("print the schedules that each product could have with what they cost, and which it gets, as "
               "text (default) or json")};
  cl::list<std::string> schedules{
      "schedule", cl::CommaSeparated, cl::value_desc("NAME"), cl::cat(category),
      cl::desc("the candidates of these names, in this order, instead of the cheapest; --explain-schedule "
               "lists them")};
  cl::opt<bool> allowSpills{"allow-spills", cl::desc("spills and private arrays in a kernel are no error"),
                            cl::cat(category)};
  cl::opt<bool> debugInfo{"g", cl::desc("keep line tables"), cl::cat(category)};
};

constexpr int done = 0, inputFault = 1, usageFault = 2;

int usage(const Twine &message) {
  llvm::errs() << "lowpc: " << message << "\n";
  return usageFault;
}

/// What the command line asks for, checked before anything is read.
struct Request {
  std::vector<CompileOptions> compilations; // one per target
  OutputOptions outputs;
  std::vector<SizeBinding> sizes;
  std::vector<Stage> printed;
  Stage last = Stage::Hsaco;
  bool report = false, reportAsJson = false;
  bool explain = false, explainAsJson = false;
};

/// --emit, --bundle and -o.
int parseOutputs(const Options &o, Request &request) {
  OutputOptions &outputs = request.outputs;
  outputs.path = o.output;
  outputs.bundle = o.bundle;
  for (const std::string &word : o.emit) {
    std::optional<Emit> kind = parseEmit(word);
    if (!kind)
      return usage("unknown output '" + word + "' in --emit; accepted are " + emitNames());
    if (!llvm::is_contained(outputs.kinds, *kind))
      outputs.kinds.push_back(*kind);
  }
  if (o.emit.empty())
    outputs.kinds = {Emit::Hsaco, Emit::Manifest};
  if (!o.emit.empty() || o.bundle) {
    StringRef option = o.bundle ? "--bundle" : "--emit";
    if (request.last != Stage::Hsaco)
      return usage(option + " chooses among files that --stop-after=" + o.stopAfter + " does not reach");
    if (o.output.empty())
      return usage(option + " needs -o FILE");
  }
  if (o.bundle && !llvm::is_contained(outputs.kinds, Emit::Hsaco))
    return usage("--bundle bundles code objects, but --emit leaves them out");
  if (o.output.empty() || o.output == "-")
    return done;
  OutputOptions checked = outputs;
  if (request.last != Stage::Hsaco) { // one text
    checked.kinds = {Emit::Hsaco};
    checked.bundle = true;
  }
  if (llvm::Error error = checkOutputs(checked, o.targets, o.input))
    return usage(llvm::toString(std::move(error)));
  return done;
}

/// Whether `option` says json, or text, as it does by default; -1 if it is neither.
int parseFormat(const cl::opt<std::string> &option) {
  return option == "json" ? 1 : option.empty() || option == "text" ? 0 : -1;
}

/// --report and --explain-schedule.
int parseReports(const Options &o, Request &request) {
  request.report = o.report.getNumOccurrences() > 0;
  request.explain = o.explainSchedule.getNumOccurrences() > 0;
  for (const cl::opt<std::string> *option : {&o.report, &o.explainSchedule})
    if (parseFormat(*option) < 0)
      return usage("unknown format '" + *option + "' in --" + option->ArgStr + "; accepted are text, json");
  request.reportAsJson = request.report && parseFormat(o.report) == 1;
  request.explainAsJson = request.explain && parseFormat(o.explainSchedule) == 1;
  if (request.report && request.last != Stage::Hsaco)
    return usage("--report needs the code object, which --stop-after=" + o.stopAfter + " does not reach");
  if (request.explain && request.last < Stage::Scheduled)
    return usage("--explain-schedule needs the schedules, which --stop-after=" + o.stopAfter +
                 " does not reach");
  if (request.reportAsJson && o.verify)
    return usage("--report=json and --verify both write to standard output");
  if (request.explainAsJson && (o.verify || request.report || (!o.stopAfter.empty() && o.output.empty())))
    return usage("--explain-schedule=json has standard output to itself");
  return done;
}

int parseRequest(const Options &o, Request &request) {
  if (o.targets.empty())
    return usage("no target: give --target=CHIP; accepted are " + llvm::join(Target::chips(), ", "));
  if (!o.stopAfter.empty()) {
    std::optional<Stage> stage = parseStage(o.stopAfter);
    if (!stage)
      return usage("unknown stage '" + o.stopAfter + "' in --stop-after; accepted are " + stageNames());
    request.last = *stage;
    if (o.targets.size() > 1)
      return usage("--stop-after writes the text of one target, but --target names " +
                   Twine(o.targets.size()));
    if (o.verify && request.last != Stage::Hsaco)
      return usage("--verify needs the code object, which --stop-after=" + o.stopAfter + " does not reach");
  }
  for (const std::string &text : o.printAfter) {
    std::optional<Stage> stage = parseStage(text);
    if (!stage)
      return usage("unknown stage '" + text + "' in --print-after; accepted are " + stageNames());
    request.printed.push_back(*stage);
  }
  if (int code = parseReports(o, request))
    return code;
  bool nothing = o.output.empty() && request.last == Stage::Hsaco && !o.verify && !request.report;
  if (nothing && !request.explain)
    return usage("no output: give -o FILE, --stop-after=STAGE, --report, --explain-schedule or --verify");
  if (o.output == "-" && request.last == Stage::Hsaco)
    return usage("a code object is not written to standard output: give -o FILE");
  for (const std::string &text : o.sizes) {
    llvm::Expected<SizeBinding> binding = parseSizeBinding(text);
    if (!binding)
      return usage(llvm::toString(binding.takeError()));
    request.sizes.push_back(*binding);
  }
  for (auto [option, given] : {std::pair<StringRef, int>{"size", o.sizes.getNumOccurrences()},
                               {"variant", o.variant.getNumOccurrences()},
                               {"seed", o.seed.getNumOccurrences()}})
    if (given > 0 && !o.verify)
      return usage("--" + option + " is for --verify");
  std::vector<std::string> seen;
  for (const std::string &target : o.targets) {
    if (!Target::get(target))
      return usage("unknown target '" + target + "'; accepted are " + llvm::join(Target::chips(), ", "));
    if (llvm::is_contained(seen, target))
      return usage("--target names '" + target + "' twice");
    seen.push_back(target);
  }
  if (int code = parseOutputs(o, request))
    return code;
  for (const std::string &target : o.targets) {
    CompileOptions options;
    options.target = target;
    options.stopAfter = nothing ? Stage::Scheduled : request.last;
    options.keep = request.printed;
    options.keep.push_back(request.last);
    if (llvm::is_contained(request.outputs.kinds, Emit::Asm))
      options.keep.push_back(Stage::Asm);
    options.keepLLVMIR = llvm::is_contained(request.outputs.kinds, Emit::LLVM);
    options.allowSpills = o.allowSpills;
    options.schedules.assign(o.schedules.begin(), o.schedules.end());
    options.debugInfo = o.debugInfo;
    request.compilations.push_back(std::move(options));
  }
  return done;
}

SmallVector<func::FuncOp> entriesOf(ModuleOp module) {
  return llvm::to_vector(llvm::make_filter_range(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return function.isPublic() && !function.isDeclaration();
  }));
}

bool hasArgument(func::FuncOp entry, StringRef name) {
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    if (argumentName(entry, i) == name)
      return true;
  return false;
}

/// Every entry of the module on the simulator; a line each.
LogicalResult verifyAll(const Options &o, ModuleOp module, const CompileResult &result,
                        const Request &request) {
  llvm::Expected<std::unique_ptr<Launcher>> launcher = Launcher::create(result.manifest, result.hsaco);
  if (!launcher)
    return module.emitError() << llvm::toString(launcher.takeError());
  // A size is that of every entry that has the argument.
  for (const SizeBinding &binding : request.sizes)
    if (llvm::none_of(entriesOf(module), [&](func::FuncOp e) { return hasArgument(e, binding.argument); }))
      return module.emitError() << "size of '" << binding.argument << "." << binding.dim
                                << "' is given, but no entry has an argument of that name";
  VerifyOptions options;
  options.seed = o.seed;
  options.variant = o.variant;
  bool passed = true;
  for (func::FuncOp entry : entriesOf(module)) {
    FailureOr<Verifier> verifier = Verifier::create(entry, **launcher);
    if (failed(verifier))
      return failure();
    std::vector<SizeBinding> sizes;
    for (const SizeBinding &binding : request.sizes)
      if (hasArgument(entry, binding.argument))
        sizes.push_back(binding);
    FailureOr<std::vector<VerifyRun>> runs = verifier->runAll(sizes, options);
    if (failed(runs))
      return failure();
    for (const VerifyRun &run : *runs) {
      llvm::outs() << result.manifest.target << " " << entry.getSymName() << " " << run.text() << "\n";
      for (const std::string &failed : run.failures)
        llvm::errs() << "  " << failed << "\n";
      passed &= run.passed();
    }
  }
  return success(passed);
}

/// The reports of all kernels of all targets, on standard output.
llvm::Error printReports(const Request &request, ModuleOp module, llvm::ArrayRef<CompileResult> results) {
  llvm::json::Array all;
  for (const CompileResult &result : results) {
    llvm::Expected<std::vector<KernelReport>> reports = reportKernels(module, result.manifest, result.hsaco);
    if (!reports)
      return reports.takeError();
    for (KernelReport &report : *reports) {
      auto conflicts = result.ldsConflicts.find(report.kernel);
      if (conflicts != result.ldsConflicts.end()) {
        report.readConflicts = conflicts->second.reads;
        report.writeConflicts = conflicts->second.writes;
      }
      if (request.reportAsJson)
        all.push_back(report.toJSON());
      else
        llvm::outs() << report.text();
    }
  }
  if (request.reportAsJson)
    llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all)));
  return llvm::Error::success();
}

/// Why the products have their schedules, for all targets, on standard output.
LogicalResult explainSchedules(const Request &request, ModuleOp module) {
  llvm::json::Array all;
  for (const CompileOptions &options : request.compilations) {
    OwningOpRef<ModuleOp> fused = module.clone();
    PassManager manager(module.getContext());
    PipelineOptions pipeline;
    pipeline.target = options.target;
    buildPipeline(manager, Stage::Fused, pipeline);
    if (failed(manager.run(*fused)))
      return failure();
    fused->walk([&](MatmulOp op) {
      ScheduleReport report(op, *Target::get(options.target));
      if (request.explainAsJson)
        all.push_back(report.toJSON());
      else
        llvm::outs() << report.text();
    });
  }
  if (request.explainAsJson)
    llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all)));
  return success();
}

int run(const Options &o) {
  Request request;
  if (int code = parseRequest(o, request))
    return code;
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(o.input, &error);
  if (!file) {
    llvm::errs() << "lowpc: " << error << "\n";
    return inputFault;
  }
  // MLIR's lexer takes NUL for a blank.
  if (!isBytecode(*file) && file->getBuffer().contains('\0')) {
    llvm::errs() << "lowpc: " << o.input << " is neither MLIR text nor MLIR bytecode\n";
    return inputFault;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false); // a message says what is wrong; the whole operation would bury it
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return inputFault;
  if (entriesOf(*module).empty() && module->getOps<tile::EntryOp>().empty()) {
    module->emitError("expected a public function with a body to compile, but found none");
    return inputFault;
  }

  std::vector<CompileResult> results;
  for (const CompileOptions &options : request.compilations) {
    FailureOr<CompileResult> result = compile(*module, options);
    if (failed(result))
      return inputFault;
    for (Stage stage : request.printed)
      llvm::errs() << "// -- after stage " << name(stage) << ", " << options.target << "\n"
                   << result->stages[stage];
    results.push_back(std::move(*result));
  }
  if (request.explain && failed(explainSchedules(request, *module)))
    return inputFault;
  if (request.compilations.front().stopAfter != request.last) // nothing else was asked for
    return done;
  if (request.last != Stage::Hsaco) {
    const std::string &text = results.front().stages[request.last];
    if (o.output.empty() || o.output == "-") {
      llvm::outs() << text;
      return done;
    }
    if (llvm::Error failed = writeFileAtomically(o.output, StringRef(text))) {
      llvm::errs() << "lowpc: " << llvm::toString(std::move(failed)) << "\n";
      return inputFault;
    }
    return done;
  }
  if (request.report)
    if (llvm::Error failed = printReports(request, *module, results)) {
      llvm::errs() << "lowpc: " << llvm::toString(std::move(failed)) << "\n";
      return inputFault;
    }
  // A code object that fails its verification is not left behind.
  if (o.verify)
    for (const CompileResult &result : results)
      if (failed(verifyAll(o, *module, result, request)))
        return inputFault;
  if (!o.output.empty())
    if (llvm::Error failed = writeOutputs(request.outputs, results)) {
      llvm::errs() << "lowpc: " << llvm::toString(std::move(failed)) << "\n";
      return inputFault;
    }
  return done;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  removeLibraryOptions();
  Options options;
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << versionString() << "\n"; });
  if (!parseCommandLine(argc, argv, "lowpc: kernels for AMD Instinct from MLIR, ahead of time\n"))
    return usageFault;
  return run(options);
}
