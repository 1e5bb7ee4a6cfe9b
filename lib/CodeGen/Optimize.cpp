// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's optimiser as a library: no command-line flag takes part. The vectorisers are off: lowp has laid out
// the data of each lane already, and a pair of f32 sums that SLP makes a v_pk_add_f32 cannot run beside an
// MFMA. PassBuilder itself calls TargetMachine::registerPassBuilderCallbacks, which brings the AMDGPU passes,
// AMDGPUAttributor among them: without it each kernel reserves registers for work-item and dispatch data that
// it does not use.
#include "CodeGenImpl.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace lowp {

static bool isKernel(const GlobalValue &value) {
  auto *function = dyn_cast<Function>(&value);
  return function && function->getCallingConv() == CallingConv::AMDGPU_KERNEL;
}

/// The function in which the user stands, looking through constants.
static StringRef userName(const User &user) {
  if (auto *instruction = dyn_cast<Instruction>(&user))
    return instruction->getFunction()->getName();
  for (const User *next : user.users())
    if (StringRef name = userName(*next); !name.empty())
      return name;
  return "";
}

Error internalizeAndCheckCalls(Module &module) {
  bool any = false;
  for (const Function &function : module)
    any |= isKernel(function) && !function.isDeclaration();
  if (!any)
    return createStringError("the module has no kernel");
  internalizeModule(module, isKernel);
  for (const Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty())
      continue;
    return createStringError(
        formatv("function '{0}', used in '{1}', has no body: every call must be resolved when code "
                "is generated",
                function.getName(), userName(**function.user_begin()))
            .str());
  }
  for (const GlobalVariable &global : module.globals()) {
    // A declaration in LDS of size 0 is the dynamic LDS of the launch.
    constexpr unsigned ldsSpace = 3;
    if (!global.isDeclaration() || global.use_empty() || global.getAddressSpace() == ldsSpace)
      continue;
    return createStringError(
        formatv("variable '{0}', used in '{1}', has no value: it must be defined when code is generated",
                global.getName(), userName(**global.user_begin()))
            .str());
  }
  return Error::success();
}

void keepLoops(Module &module, const StringSet<> &kernels) {
  for (Function &function : module) {
    if (function.isDeclaration() || !kernels.contains(function.getName()))
      continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder())
      addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
  }
}

void optimize(Module &module, TargetMachine &machine, const CodeGenOptions &options) {
  PipelineTuningOptions tuning;
  tuning.SLPVectorization = false;
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.LoopUnrolling = options.unrollLoops;

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager callGraph;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);

  const OptimizationLevel levels[] = {OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
                                      OptimizationLevel::O3};
  OptimizationLevel level = levels[std::min(options.optLevel, 3u)];
  ModulePassManager passes = level == OptimizationLevel::O0 ? builder.buildO0DefaultPipeline(level)
                                                            : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
}

StringSet<> kernelsWithCalls(const Module &module) {
  StringSet<> result;
  for (const Function &function : module) {
    if (!isKernel(function))
      continue;
    for (const Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm())
        continue;
      const Function *callee = call->getCalledFunction();
      if (!callee || !callee->isIntrinsic())
        result.insert(function.getName());
    }
  }
  return result;
}

} // namespace lowp
