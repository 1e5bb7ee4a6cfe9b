// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operation from its text to a code object that can be run and checked.
#ifndef LOWP_TOOLS_LOWP_BENCH_COMPILEDPROBLEM_H
#define LOWP_TOOLS_LOWP_BENCH_COMPILEDPROBLEM_H

#include "lowp/Driver/Hipblaslt.h"
#include "lowp/Driver/Verify.h"
#include "lowp/Pipeline/Compile.h"
#include "mlir/IR/OwningOpRef.h"

namespace lowp {

class CompiledProblem {
public:
  CompiledProblem();
  ~CompiledProblem();

  /// With the candidates called `schedules`, or the cheapest. Diagnostics, as text with source lines, go to
  /// messages(). False if there was an error.
  bool compile(const HipblasltProblem &problem, llvm::StringRef target, std::vector<std::string> schedules);
  /// With three legal candidates that `seed` draws.
  bool compileDrawn(const HipblasltProblem &problem, llvm::StringRef target, uint64_t seed);
  /// Runs a problem of the same operation. False if it could not be run.
  bool run(const HipblasltProblem &problem, const VerifyOptions &options, std::vector<VerifyRun> &runs);

  llvm::ArrayRef<char> codeObject() const { return result.hsaco; }
  const std::string &messages() const { return diagnostics; }
  /// The names of the candidates that were asked for or drawn.
  llvm::ArrayRef<std::string> schedules() const { return scheduleNames; }

private:
  class Handler;
  bool parse(const HipblasltProblem &problem);
  bool compile(llvm::StringRef target);
  mlir::MLIRContext context;
  std::string source, diagnostics;
  std::vector<std::string> scheduleNames;
  std::unique_ptr<Handler> handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  CompileResult result;
  std::unique_ptr<Launcher> launcher;
  std::optional<Verifier> verifier;
};

} // namespace lowp

#endif // LOWP_TOOLS_LOWP_BENCH_COMPILEDPROBLEM_H
