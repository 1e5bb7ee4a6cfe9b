// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each problem has a context of its own, so that several can be compiled and run at the same time.
#include "CompiledProblem.h"

#include "lowp/Pipeline/Registration.h"
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

bool CompiledProblem::compile(const HipblasltProblem &problem, StringRef target) {
  source = toRowMajor(problem).mlir;
  handler = std::make_unique<Handler>(&context, diagnostics, source);
  module = parseSourceFile<ModuleOp>(handler->sources(), ParserConfig(&context));
  if (!module)
    return false;
  CompileOptions options;
  options.target = target.str();
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
