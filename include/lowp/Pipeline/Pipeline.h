// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of a kernel as named stages. All tools compile through here, so all compile alike.
#ifndef LOWP_PIPELINE_PIPELINE_H
#define LOWP_PIPELINE_PIPELINE_H

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace lowp {

/// In order. Up to LLVM a stage's text is MLIR; Asm is assembly, Hsaco has no text.
enum class Stage { Input, Fused, Scheduled, Tiled, LaidOut, Pipelined, Lanes, LLVM, Asm, Hsaco };

llvm::ArrayRef<Stage> allStages();
llvm::StringRef name(Stage stage); ///< "input", "laid-out", ...
std::optional<Stage> parseStage(llvm::StringRef name);
/// "input, fused, ...": for messages.
std::string stageNames();

struct PipelineOptions {
  std::string target; ///< chip
  /// Names of the candidate schedules that products without schedules get; empty: the cheapest.
  std::vector<std::string> schedules;
};

/// Adds the passes that lead from the stage before to `stage`; none for Input and for those behind MLIR.
void buildStage(mlir::OpPassManager &manager, Stage stage, const PipelineOptions &options);

/// All passes from the input up to and including `last`; the IR after each stage of `printed` goes to
/// standard error.
void buildPipeline(mlir::OpPassManager &manager, Stage last, const PipelineOptions &options,
                   llvm::ArrayRef<Stage> printed = {});

/// Registers `--lowp-pipeline="target=... stop-after=..."` for the opt tool.
void registerPipelines();

} // namespace lowp

#endif // LOWP_PIPELINE_PIPELINE_H
