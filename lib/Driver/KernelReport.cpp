// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings together what the manifest, the code object and the source know of a kernel, and judges it.

#include "lowp/Driver/KernelReport.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Driver/SourcePlace.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace lowp;
using sim::InstructionKind;

static std::string placeOf(mlir::ModuleOp module, llvm::StringRef entry) {
  mlir::Operation *symbol = mlir::SymbolTable::lookupSymbolIn(module, entry);
  if (!symbol)
    return "";
  llvm::SmallVector<MatmulOp> products;
  symbol->walk([&](MatmulOp product) { products.push_back(product); });
  return sourcePlace(products.size() == 1 ? products.front()->getLoc() : symbol->getLoc());
}

llvm::Expected<std::vector<KernelReport>> lowp::reportKernels(mlir::ModuleOp module, const Manifest &manifest,
                                                              llvm::ArrayRef<char> hsaco) {
  const Target *target = Target::get(manifest.target);
  if (!target)
    return llvm::createStringError("unknown target '" + manifest.target + "'");
  llvm::Expected<HsaCodeObject> object =
      HsaCodeObject::create({llvm::StringRef(hsaco.data(), hsaco.size()), "code object"});
  if (!object)
    return object.takeError();
  llvm::Expected<std::vector<sim::MachineFunction>> functions = sim::disassemble(*object);
  if (!functions)
    return functions.takeError();
  std::vector<KernelReport> reports;
  for (const Entry &entry : manifest.entries)
    for (const Variant &variant : entry.variants)
      for (const Launch &launch : variant.launches) {
        const KernelInfo *info = object->find(launch.kernel);
        if (!info)
          return llvm::createStringError("the code object has no kernel '" + launch.kernel + "'");
        KernelReport report;
        report.target = manifest.target;
        report.entry = entry.name;
        report.variant = variant.name;
        report.kernel = launch.kernel;
        report.place = placeOf(module, entry.name);
        report.agprs = info->agprs;
        report.vgprs = info->vgprs - std::min(info->vgprs, info->agprs); // the metadata counts both
        report.vgprSpills = info->vgprSpills;
        report.sgprSpills = info->sgprSpills;
        if (llvm::Error error =
                sim::kernelResources(*object, *info, launch.block[0] * launch.block[1] * launch.block[2],
                                     launch.dynamicLds)
                    .moveInto(report.resources))
          return std::move(error);
        for (const sim::MachineFunction &function : *functions)
          if (function.code.address == info->entry) {
            report.loop = countHotLoop(function, *target);
            if (!report.loop)
              report.straightLoads = countStraightLoads(function);
          }
        reports.push_back(std::move(report));
      }
  return reports;
}

double KernelReport::matrixShare() const {
  uint64_t busiest = std::max({matrixClocks(), valuClocks(), ldsClocks()});
  return busiest ? double(matrixClocks()) / double(busiest) : 0;
}

/// "1 wait", "2 waits".
static std::string amount(uint64_t count, llvm::StringRef one, llvm::StringRef many) {
  return std::to_string(count) + " " + (count == 1 ? one : many).str();
}

std::vector<std::string> KernelReport::advice() const {
  std::vector<std::string> list;
  if (vgprSpills || sgprSpills)
    list.push_back(amount(vgprSpills, "vector register", "vector registers") + " and " +
                   amount(sgprSpills, "scalar register", "scalar registers") +
                   " are spilled: a smaller tile or fewer stages need less");
  else if (resources.scratch)
    list.push_back(amount(resources.scratch, "byte", "bytes") + " of scratch a lane");
  if (readConflicts.value_or(0) || writeConflicts.value_or(0))
    list.push_back("LDS accesses meet bank conflicts: a read takes up to " +
                   amount(readConflicts.value_or(0), "extra clock", "extra clocks") + ", a write up to " +
                   std::to_string(writeConflicts.value_or(0)));
  if (!loop)
    return list;
  auto inLoop = [&](uint64_t count, llvm::StringRef one, llvm::StringRef many, llvm::StringRef why) {
    if (count)
      list.push_back(amount(count, one, many) + " in the loop: " + why.str());
  };
  auto drains = loop->vmcnt.find(0);
  inLoop(drains == loop->vmcnt.end() ? 0 : drains->second, "wait at vmcnt(0)", "waits at vmcnt(0)",
         "nothing stays in flight across it; more stages keep loads on their way");
  inLoop(loop->of(InstructionKind::AccumulatorCopy), "v_accvgpr copy", "v_accvgpr copies",
         "values move between the two halves of the register file");
  inLoop(loop->of(InstructionKind::Scratch), "scratch access", "scratch accesses",
         "spilled values go to memory");
  inLoop(loop->waitStates, "wait state of s_nop", "wait states of s_nop",
         "dependent instructions stand too close to each other");
  auto above = [&](uint64_t clocks, llvm::StringRef unit) {
    if (clocks > matrixClocks())
      list.push_back("a trip takes " + std::to_string(clocks) + " clocks of the " + unit.str() +
                     ", more than the " + std::to_string(matrixClocks()) + " of the matrix core");
  };
  above(ldsClocks(), "LDS");
  above(valuClocks(), "vector ALU");
  return list;
}
