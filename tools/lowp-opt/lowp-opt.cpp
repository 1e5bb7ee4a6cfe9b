// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowp-opt: runs passes over IR of any stage; with --stop-after, the stages that lowpc runs.

#include "lowp/Driver/CommandLine.h"
#include "lowp/Pipeline/Pipeline.h"
#include "lowp/Pipeline/Registration.h"
#include "lowp/Target/Target.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

namespace cl = llvm::cl;
using namespace lowp;

static int usage(const llvm::Twine &message) {
  llvm::errs() << "lowp-opt: " << message << "\n";
  return 2;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // LLVM's back end has options of these names as well.
  removeLibraryOptions();
  cl::opt<std::string> stopAfter("stop-after", cl::value_desc("STAGE"),
                                 cl::desc("run the stages up to this one"));
  cl::list<std::string> printAfter("print-after", cl::CommaSeparated, cl::value_desc("STAGE"),
                                   cl::desc("print the IR of these stages to standard error"));
  cl::opt<std::string> target("target", cl::value_desc("CHIP"), cl::desc("the chip that the stages are for"));
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  auto [input, output] = mlir::registerAndParseCLIOptions(argc, argv, "lowp optimizer driver\n", registry);
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();

  if (!stopAfter.empty() || !printAfter.empty()) {
    std::optional<Stage> last = stopAfter.empty() ? Stage::LLVM : parseStage(stopAfter);
    std::vector<Stage> printed;
    for (const std::string &text : printAfter)
      if (std::optional<Stage> stage = parseStage(text))
        printed.push_back(*stage);
    if (!last || printed.size() != printAfter.size())
      return usage("unknown stage; accepted are " + stageNames());
    if (*last > Stage::LLVM)
      return usage("stage '" + stopAfter + "' is behind MLIR; lowpc goes there");
    if (!Target::get(target))
      return usage("unknown target '" + target + "'; accepted are " + llvm::join(Target::chips(), ", "));
    PipelineOptions options;
    options.target = target;
    config.setPassPipelineSetupFn([=](mlir::PassManager &manager) {
      buildPipeline(manager, *last, options, printed);
      return mlir::success();
    });
  }
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(input, &error);
  std::unique_ptr<llvm::ToolOutputFile> result = file ? mlir::openOutputFile(output, &error) : nullptr;
  if (!result) {
    llvm::errs() << "lowp-opt: " << error << "\n";
    return 1;
  }
  if (mlir::failed(mlir::MlirOptMain(result->os(), std::move(file), registry, config)))
    return 1;
  result->keep();
  return 0;
}
