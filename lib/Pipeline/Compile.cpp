// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation: stage by stage through MLIR, then LLVM IR, machine code and the manifest.

#include "lowp/Pipeline/Compile.h"
#include "lowp/CodeGen/CodeGen.h"
#include "lowp/CodeObject/ManifestSection.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleChoice.h"
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
#include <set>

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
  Compilation(ModuleOp module, const CompileOptions &options) : options(options), input(module) {}

  /// A schedule that lowp chose and whose kernel spills is refused from then on: the next attempt has the
  /// next cheapest.
  FailureOr<CompileResult> run() {
    while (true) {
      size_t refused = leftOut.size();
      FailureOr<CompileResult> result = attempt();
      if (failed(result) || leftOut.size() == refused)
        return result;
    }
  }

private:
  FailureOr<CompileResult> attempt() {
    module = input.clone();
    result = {};
    chosen.clear();
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
        prepareChoice();
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

  LogicalResult report(llvm::Error error) { return module->emitError() << llvm::toString(std::move(error)); }

  /// Where lowp chooses the schedules: the products that have none yet. Tells it which ones spilled before.
  void prepareChoice() {
    module->walk([&](MatmulOp op) {
      auto entry = op->getParentOfType<SymbolOpInterface>();
      if (!entry || !op.getScheduleList().empty() || !options.schedules.empty())
        return;
      chosen.try_emplace(entry.getName(), op.getLoc());
      SmallVector<StringRef> names;
      for (const auto &[entryName, schedule] : leftOut)
        if (entryName == entry.getName())
          names.push_back(schedule);
      if (!names.empty())
        op->setAttr(leftOutAttrName, Builder(op.getContext()).getStrArrayAttr(names));
    });
  }

  /// Kernels of variants that may go if they spill: lowp chose them, and the last variant stays.
  std::vector<std::string> droppableKernels() {
    std::vector<std::string> list;
    for (const Entry &entry : result.manifest.entries)
      if (chosen.contains(entry.name))
        for (const Variant &variant : llvm::ArrayRef(entry.variants).drop_back())
          for (const Launch &launch : variant.launches)
            list.push_back(launch.kernel);
    return list;
  }

  void leaveOut(const SpillingKernel &kernel) {
    for (const Entry &entry : result.manifest.entries)
      for (const Variant &variant : entry.variants) {
        auto uses = [&](const Launch &launch) { return launch.kernel == kernel.name; };
        if (llvm::none_of(variant.launches, uses) || !leftOut.insert({entry.name, variant.name}).second)
          continue;
        emitWarning(chosen.at(entry.name))
            << "schedule '" << variant.name << "' is left out of entry '" << entry.name << "': its kernel "
            << kernel.reason << "; it was " << variant.schedule;
      }
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
    for (const SpillingKernel &kernel : code->spilling)
      leaveOut(kernel);
    if (!code->spilling.empty())
      return success(); // another attempt follows
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
  ModuleOp input;
  OwningOpRef<ModuleOp> module;
  CompileResult result;
  llvm::StringMap<Location> chosen; ///< by entry, the place of the product whose schedules lowp chooses
  std::set<std::pair<std::string, std::string>> leftOut; ///< entries and names of schedules that spilled
};

} // namespace

FailureOr<CompileResult> lowp::compile(ModuleOp module, const CompileOptions &options) {
  return Compilation(module, options).run();
}

std::string lowp::versionString() { return "lowp " LOWP_VERSION " (LLVM " LLVM_VERSION_STRING ")"; }
