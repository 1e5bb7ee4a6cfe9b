// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation: stage by stage through MLIR, then LLVM IR, machine code and the manifest.

#include "lowp/Pipeline/Compile.h"
#include "lowp/CodeGen/CodeGen.h"
#include "lowp/CodeObject/ManifestSection.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Pipeline/ManifestBuilder.h"
#include "lowp/Target/Target.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;
using namespace lowp;

namespace {

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

/// Of the generic form without locations: comments, names of values and the place in a file change nothing.
std::string hashOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().printGenericOpForm().enableDebugInfo(false).useLocalScope());
  llvm::BLAKE3 hash;
  hash.update(text);
  return llvm::toHex(hash.result<16>(), /*LowerCase=*/true);
}

class Compilation {
public:
  Compilation(ModuleOp module, const CompileOptions &options) : options(options), module(module.clone()) {}

  FailureOr<CompileResult> run() {
    const Target *target = Target::get(options.target);
    if (!target)
      return module->emitError() << "unknown target '" << options.target << "'; accepted are "
                                 << llvm::join(Target::chips(), ", ");
    result.manifest.compiler = versionString();
    result.manifest.target = options.target;
    result.manifest.inputHash = hashOf(*module);
    PipelineOptions pipeline;
    pipeline.target = options.target;
    pipeline.schedules = options.schedules;
    for (Stage stage : allStages()) {
      if (stage == Stage::Asm)
        break;
      if (stage == Stage::Scheduled)
        noteChosen();
      PassManager manager(module->getContext());
      buildStage(manager, stage, pipeline);
      if (failed(manager.run(*module)))
        return failure();
      if (llvm::is_contained(options.keep, stage))
        result.stages[stage] = print(*module);
      if (stage == Stage::Tiled) {
        FailureOr<std::vector<Entry>> entries = buildEntries(*module);
        if (failed(entries))
          return failure();
        result.manifest.entries = std::move(*entries);
      }
      if (stage == Stage::LaidOut)
        noteConflicts();
      if (stage == options.stopAfter)
        return std::move(result);
    }
    if (failed(emit(*target)))
      return failure();
    return std::move(result);
  }

private:
  LogicalResult report(llvm::Error error) { return module->emitError() << llvm::toString(std::move(error)); }

  /// Where lowp chooses the schedules: the products that have none yet.
  void noteChosen() {
    module->walk([&](MatmulOp op) {
      auto entry = op->getParentOfType<SymbolOpInterface>();
      if (entry && op.getScheduleList().empty() && options.schedules.empty())
        chosen.try_emplace(entry.getName(), op.getLoc());
    });
  }

  /// Kernels of variants that may go if they spill: lowp chose them, and another one follows.
  std::vector<std::string> droppableKernels() {
    std::vector<std::string> list;
    for (const Entry &entry : result.manifest.entries)
      if (chosen.contains(entry.name))
        for (const Variant &variant : llvm::ArrayRef(entry.variants).drop_back())
          for (const Launch &launch : variant.launches)
            list.push_back(launch.kernel);
    return list;
  }

  void dropVariants(const std::vector<DroppedKernel> &dropped) {
    for (const DroppedKernel &kernel : dropped)
      for (Entry &entry : result.manifest.entries)
        llvm::erase_if(entry.variants, [&](const Variant &variant) {
          bool uses = llvm::any_of(variant.launches,
                                   [&](const Launch &launch) { return launch.kernel == kernel.name; });
          if (uses)
            emitWarning(chosen.at(entry.name))
                << "variant '" << variant.name << "' of entry '" << entry.name
                << "' is left out, and the next one takes its sizes: its kernel " << kernel.reason
                << "; its schedule was " << variant.schedule;
          return uses;
        });
  }

  /// The layouts of tiles in LDS are chosen with their conflicts; later stages drop the note.
  void noteConflicts() {
    for (auto kernel : module->getOps<tile::KernelOp>()) {
      LdsConflicts &worst = result.ldsConflicts[kernel.getSymName().str()];
      kernel.walk([&](tile::AllocOp alloc) {
        auto extra = [&](StringRef name) -> unsigned {
          auto attribute = alloc->getAttrOfType<IntegerAttr>(name);
          return attribute ? attribute.getInt() : 0;
        };
        worst.reads = std::max(worst.reads, extra("tile.read_conflicts"));
        worst.writes = std::max(worst.writes, extra("tile.write_conflicts"));
      });
    }
  }

  /// What no pass knew how to lower: the translation to LLVM IR would speak of its own innards.
  LogicalResult checkLowered() {
    WalkResult result = module->walk([&](Operation *op) {
      if (isa<ModuleOp>(op) || isa_and_nonnull<LLVM::LLVMDialect, ROCDL::ROCDLDialect>(op->getDialect()))
        return WalkResult::advance();
      InFlightDiagnostic diagnostic = op->emitError() << "'" << op->getName() << "'";
      if (op->getNumOperands() == 1 && op->getNumResults() == 1)
        diagnostic << " from " << op->getOperand(0).getType() << " to " << op->getResult(0).getType();
      else if (op->getNumResults() > 0)
        diagnostic << " on " << op->getResult(0).getType();
      diagnostic << " cannot be lowered for " << options.target;
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult emit(const Target &target) {
    if (failed(checkLowered()))
      return failure();
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(*module, context, "lowp");
    if (!llvmModule)
      return failure();
    CodeGenOptions codegen;
    codegen.target = &target;
    codegen.allowSpills = options.allowSpills;
    codegen.debugInfo = options.debugInfo;
    codegen.droppable = droppableKernels();
    codegen.keepLLVMIR = options.keepLLVMIR;
    codegen.keepAssembly = options.stopAfter == Stage::Asm || llvm::is_contained(options.keep, Stage::Asm);
    codegen.deviceLibraryPaths = options.deviceLibraryPaths;
    llvm::Expected<CodeGenResult> code = generateCode(*llvmModule, codegen);
    if (!code)
      return report(code.takeError());
    dropVariants(code->dropped);
    for (const std::string &warning : code->warnings)
      module->emitWarning() << warning;
    result.llvmIR = std::move(code->llvmIR);
    result.assembly = std::move(code->assembly);
    if (codegen.keepAssembly)
      result.stages[Stage::Asm] = result.assembly;
    llvm::Expected<HsaCodeObject> object =
        HsaCodeObject::create({StringRef(code->hsaco.data(), code->hsaco.size()), "code object"});
    if (!object)
      return report(object.takeError());
    if (llvm::Error error = addKernelFacts(result.manifest.entries, *object))
      return report(std::move(error));
    llvm::Expected<std::vector<char>> withManifest =
        addManifestSection(code->hsaco, result.manifest.toText());
    if (!withManifest)
      return report(withManifest.takeError());
    result.hsaco = std::move(*withManifest);
    return success();
  }

  const CompileOptions &options;
  OwningOpRef<ModuleOp> module;
  CompileResult result;
  llvm::StringMap<Location> chosen; ///< by entry, the place of the product whose schedules lowp chose
};

} // namespace

FailureOr<CompileResult> lowp::compile(ModuleOp module, const CompileOptions &options) {
  return Compilation(module, options).run();
}

std::string lowp::versionString() { return "lowp " LOWP_VERSION " (LLVM " LLVM_VERSION_STRING ")"; }
