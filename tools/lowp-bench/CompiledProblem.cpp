// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each problem has a context of its own, so that several can be compiled and run at the same time.
#include "CompiledProblem.h"

#include "lowp/Dialect/Lowp/Transforms/ScheduleCandidates.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleLegality.h"
#include "lowp/Numerics/Fill.h"
#include "lowp/Pipeline/Registration.h"
#include "lowp/Target/Target.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace lowp;

/// Collects diagnostics with the lines of the generated text that they speak of.
class CompiledProblem::Handler {
public:
  Handler(MLIRContext *context, std::string &text, const std::string &source) : os(text) {
    manager.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(source, "lowp-bench.mlir"), llvm::SMLoc());
    handler.emplace(manager, context, os);
  }
  llvm::SourceMgr &sources() { return manager; }

private:
  llvm::SourceMgr manager;
  llvm::raw_string_ostream os;
  std::optional<SourceMgrDiagnosticHandler> handler;
};

static DialectRegistry dialects() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

CompiledProblem::CompiledProblem() : context(dialects(), MLIRContext::Threading::DISABLED) {
  context.printOpOnDiagnostic(false);
}
CompiledProblem::~CompiledProblem() = default;

bool CompiledProblem::parse(const HipblasltProblem &problem) {
  source = toRowMajor(problem).mlir;
  handler = std::make_unique<Handler>(&context, diagnostics, source);
  module = parseSourceFile<ModuleOp>(handler->sources(), ParserConfig(&context));
  return static_cast<bool>(module);
}

bool CompiledProblem::compile(const HipblasltProblem &problem, StringRef target,
                              std::vector<std::string> schedules) {
  scheduleNames = std::move(schedules);
  return parse(problem) && compile(target);
}

bool CompiledProblem::compileDrawn(const HipblasltProblem &problem, StringRef target, uint64_t seed) {
  if (!parse(problem))
    return false;
  const Target &chip = *Target::get(target);
  std::vector<std::string> legal;
  module->walk([&](MatmulOp op) {
    for (ScheduleAttr schedule : scheduleCandidates(op, chip))
      if (scheduleFault(op, schedule, chip).empty())
        legal.push_back(schedule.getName().str());
  });
  for (unsigned i = 0; i < 3 && !legal.empty(); ++i) {
    auto drawn = legal.begin() + hashWord(seed, i) % legal.size();
    scheduleNames.push_back(*drawn);
    legal.erase(drawn);
  }
  return compile(target);
}

bool CompiledProblem::compile(StringRef target) {
  CompileOptions options;
  options.target = target.str();
  options.schedules = scheduleNames;
  FailureOr<CompileResult> compiled = lowp::compile(*module, options);
  if (failed(compiled))
    return false;
  result = std::move(*compiled);
  llvm::Expected<std::unique_ptr<Launcher>> created = Launcher::create(result.manifest, result.hsaco);
  if (!created) {
    module->emitError() << llvm::toString(created.takeError());
    return false;
  }
  launcher = std::move(*created);
  FailureOr<Verifier> made = Verifier::create(*module->getOps<func::FuncOp>().begin(), *launcher);
  if (failed(made))
    return false;
  verifier.emplace(std::move(*made));
  return true;
}

bool CompiledProblem::run(const HipblasltProblem &problem, const VerifyOptions &options,
                          std::vector<VerifyRun> &runs) {
  RowMajorProblem rowMajor = toRowMajor(problem);
  llvm::Expected<SizeValues> values = verifier->sizes().bind(rowMajor.sizes);
  if (!values) {
    module->emitError() << llvm::toString(values.takeError());
    return false;
  }
  VerifyOptions own = options;
  own.placement = rowMajor.placement;
  own.numbers = rowMajor.numbers;
  FailureOr<std::vector<VerifyRun>> done = verifier->run(*values, own);
  if (failed(done))
    return false;
  runs = std::move(*done);
  return true;
}
