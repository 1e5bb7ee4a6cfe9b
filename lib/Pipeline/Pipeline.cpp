// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass pipeline as a list. Each stage says what it adds; the passes' own descriptions say what they
// require and ensure.

#include "lowp/Pipeline/Pipeline.h"
#include "lowp/Conversion/LowpToTile/Passes.h"
#include "lowp/Conversion/TileToLanes/Passes.h"
#include "lowp/Dialect/Lowp/Transforms/Passes.h"
#include "lowp/Dialect/Tile/IR/Tile.h"
#include "lowp/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace lowp;

namespace {

struct StageName {
  Stage stage;
  StringLiteral name;
};
constexpr StageName stageTable[] = {
    {Stage::Input, "input"}, {Stage::Fused, "fused"},      {Stage::Scheduled, "scheduled"},
    {Stage::Tiled, "tiled"}, {Stage::LaidOut, "laid-out"}, {Stage::Pipelined, "pipelined"},
    {Stage::Lanes, "lanes"}, {Stage::LLVM, "llvm"},        {Stage::Asm, "asm"},
    {Stage::Hsaco, "hsaco"},
};
constexpr Stage stageList[] = {Stage::Input,     Stage::Fused, Stage::Scheduled, Stage::Tiled, Stage::LaidOut,
                               Stage::Pipelined, Stage::Lanes, Stage::LLVM,      Stage::Asm,   Stage::Hsaco};

/// Indices are 32 bits wide: what exceeds that (tensor sizes in bytes) is i64 in our IR by type.
constexpr unsigned indexBits = 32;

template <typename Options> Options withTarget(const PipelineOptions &options) {
  Options result;
  result.target = options.target;
  return result;
}

void cleanUp(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void buildLLVM(OpPassManager &manager, const PipelineOptions &options) {
  ConvertAMDGPUToROCDLPassOptions amdgpu;
  amdgpu.chipset = options.target;
  manager.addPass(createConvertAMDGPUToROCDLPass(amdgpu));
  ConvertMathToROCDLOptions math;
  math.chipset = options.target;
  manager.addPass(createConvertMathToROCDL(math));
  ConvertMathToLLVMPassOptions mathToLLVM;
  manager.addPass(createConvertMathToLLVMPass(mathToLLVM));
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  ArithToLLVMConversionPassOptions arith;
  arith.indexBitwidth = indexBits;
  manager.addPass(createArithToLLVMConversionPass(arith));
  ConvertControlFlowToLLVMPassOptions controlFlow;
  controlFlow.indexBitwidth = indexBits;
  manager.addPass(createConvertControlFlowToLLVMPass(controlFlow));
  ConvertFuncToLLVMPassOptions function;
  function.indexBitwidth = indexBits;
  manager.addPass(createConvertFuncToLLVMPass(function));
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(tile::createCarryLoopAnnotations());
  cleanUp(manager);
}

struct LowpPipelineOptions : PassPipelineOptions<LowpPipelineOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc("the chip to compile for")};
  Option<std::string> stopAfter{*this, "stop-after", llvm::cl::desc("the last stage"),
                                llvm::cl::init("llvm")};
};

} // namespace

ArrayRef<Stage> lowp::allStages() { return stageList; }

StringRef lowp::name(Stage stage) {
  for (const StageName &entry : stageTable)
    if (entry.stage == stage)
      return entry.name;
  return "";
}

std::optional<Stage> lowp::parseStage(StringRef text) {
  for (const StageName &entry : stageTable)
    if (entry.name == text)
      return entry.stage;
  return std::nullopt;
}

std::string lowp::stageNames() {
  return llvm::join(llvm::map_range(allStages(), [](Stage stage) { return name(stage); }), ", ");
}

void lowp::buildStage(OpPassManager &manager, Stage stage, const PipelineOptions &options) {
  switch (stage) {
  case Stage::Input:
    return;
  case Stage::Fused:
    manager.addPass(createFuseEpilogue());
    return cleanUp(manager);
  case Stage::Scheduled: {
    auto select = withTarget<SelectScheduleOptions>(options);
    select.candidates.assign(options.schedules.begin(), options.schedules.end());
    manager.addPass(createSelectSchedule(select));
    return;
  }
  case Stage::Tiled:
    manager.addPass(createLowpTileToWorkgroups());
    return cleanUp(manager);
  case Stage::LaidOut:
    manager.addNestedPass<tile::KernelOp>(
        tile::createTileAssignLayouts(withTarget<tile::TileAssignLayoutsOptions>(options)));
    return cleanUp(manager);
  case Stage::Pipelined:
    manager.addNestedPass<tile::KernelOp>(tile::createTilePipeline());
    manager.addNestedPass<tile::KernelOp>(
        tile::createTileAllocateLds(withTarget<tile::TileAllocateLdsOptions>(options)));
    cleanUp(manager);
    manager.addNestedPass<tile::KernelOp>(tile::createTileSynchronize());
    manager.addNestedPass<tile::KernelOp>(tile::createTileVerifySynchronization());
    return;
  case Stage::Lanes:
    manager.addPass(tile::createTileToLanes(withTarget<tile::TileToLanesOptions>(options)));
    // Accesses repeat each other's address arithmetic: canonicalising all of it would take twice as long.
    manager.addPass(createCSEPass());
    cleanUp(manager);
    manager.addPass(tile::createLanesOrderClusters());
    manager.addPass(tile::createLanesOrderByDemand());
    manager.addPass(
        tile::createLanesPlaceAccumulators(withTarget<tile::LanesPlaceAccumulatorsOptions>(options)));
    return;
  case Stage::LLVM:
    return buildLLVM(manager, options);
  case Stage::Asm:
  case Stage::Hsaco:
    return;
  }
}

void lowp::buildPipeline(OpPassManager &manager, Stage last, const PipelineOptions &options,
                         ArrayRef<Stage> printed) {
  for (Stage stage : allStages()) {
    buildStage(manager, stage, options);
    if (llvm::is_contained(printed, stage)) {
      PrintIRPassOptions print;
      print.label = ("after stage " + name(stage)).str();
      manager.addPass(createPrintIRPass(print));
    }
    if (stage == last)
      return;
  }
}

void lowp::registerPipelines() {
  PassPipelineRegistration<LowpPipelineOptions>(
      "lowp-pipeline", "from lowp operations to the LLVM dialect",
      [](OpPassManager &manager, const LowpPipelineOptions &options) {
        PipelineOptions pipeline;
        pipeline.target = options.target;
        // An unknown stage runs to the end; lowpc, which knows what comes behind MLIR, refuses it.
        buildPipeline(manager, parseStage(options.stopAfter).value_or(Stage::LLVM), pipeline);
      });
}
