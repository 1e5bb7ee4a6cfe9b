// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a module to a code object with its manifest: what lowpc, lowp-bench and Python call.
#ifndef LOWP_PIPELINE_COMPILE_H
#define LOWP_PIPELINE_COMPILE_H

#include "lowp/CodeObject/Manifest.h"
#include "lowp/Pipeline/Pipeline.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <vector>

namespace lowp {

struct CompileOptions {
  std::string target; ///< chip
  Stage stopAfter = Stage::Hsaco;
  std::vector<std::string> schedules; ///< as PipelineOptions::schedules
  std::vector<Stage> keep;            ///< stages whose text is wanted
  bool allowSpills = false;
  bool debugInfo = false;  ///< -g: line tables
  bool keepLLVMIR = false; ///< optimised LLVM IR
  std::vector<std::string> deviceLibraryPaths;
};

/// Extra clocks of one access to LDS, of the worst tile of a kernel.
struct LdsConflicts {
  unsigned reads = 0, writes = 0;
};

struct CompileResult {
  std::map<Stage, std::string> stages; ///< texts of the stages that were asked for
  std::string llvmIR;
  std::string assembly;
  std::vector<char> hsaco;                          ///< with the manifest as a section
  Manifest manifest;                                ///< complete when the code object was made
  std::map<std::string, LdsConflicts> ldsConflicts; ///< by kernel, from stage laid-out on
};

/// The module is not changed. Errors are diagnostics of its context, at the user's source locations.
mlir::FailureOr<CompileResult> compile(mlir::ModuleOp module, const CompileOptions &options);

/// "lowp 0.1.0 (LLVM 22.1.8)".
std::string versionString();

} // namespace lowp

#endif // LOWP_PIPELINE_COMPILE_H
