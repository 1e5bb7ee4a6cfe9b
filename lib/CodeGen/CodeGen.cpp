// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// generateCode: the order of the steps, and who owns what. The caller's module goes through bitcode into a
// context of our own, so that threads share nothing, the caller's diagnostics handler stays his, and a back
// end that dies half-way leaves his module alone (ours is leaked then).
#include "CodeGenImpl.h"
#include "lowp/Target/Target.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <mutex>

using namespace llvm;

namespace lowp {
namespace {

constexpr StringLiteral tripleText = "amdgcn-amd-amdhsa";
constexpr unsigned codeObjectVersion = 500; // version 5

/// Keeps what LLVM says. LLVM goes on after an error, so there may be several.
struct Diagnostics : DiagnosticHandler {
  std::vector<std::string> errors, warnings;

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error && info.getSeverity() != DS_Warning)
      return true;
    std::string text;
    raw_string_ostream os(text);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    (info.getSeverity() == DS_Error ? errors : warnings).push_back(StringRef(text).trim().str());
    return true;
  }
};

/// Everything that is leaked if LLVM crashes.
struct Job {
  LLVMContext context;
  Diagnostics *diagnostics = nullptr; // owned by the context
  std::unique_ptr<TargetMachine> machine;
  std::unique_ptr<Module> module;
  SmallString<0> bytes;

  Job() {
    auto handler = std::make_unique<Diagnostics>();
    diagnostics = handler.get();
    context.setDiagnosticHandler(std::move(handler));
  }

  Error takeErrors() {
    if (diagnostics->errors.empty())
      return Error::success();
    return createStringError(join(diagnostics->errors, "\n"));
  }
};

Error createMachine(Job &job, const CodeGenOptions &options) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser(); // inline assembly
  });
  std::string message;
  Triple triple(tripleText);
  const llvm::Target *llvmTarget = TargetRegistry::lookupTarget(triple, message);
  if (!llvmTarget)
    return createStringError(message);
  TargetOptions targetOptions;
  targetOptions.MCOptions.AsmVerbose = true;
  constexpr CodeGenOptLevel levels[] = {CodeGenOptLevel::None, CodeGenOptLevel::Less,
                                        CodeGenOptLevel::Default, CodeGenOptLevel::Aggressive};
  // The chip has to be the machine's own: given to the functions only, the file's header would name another
  // one. No features: xnack and sramecc stay "any".
  job.machine.reset(llvmTarget->createTargetMachine(triple, options.target->chip(), "", targetOptions,
                                                    Reloc::PIC_, std::nullopt,
                                                    levels[std::min(options.optLevel, 3u)]));
  if (!job.machine)
    return createStringError(formatv("LLVM has no back end for '{0}'", options.target->chip()).str());
  return Error::success();
}

Error copyModule(Job &job, const Module &module, const CodeGenOptions &options) {
  std::string text;
  raw_string_ostream os(text);
  if (verifyModule(module, &os))
    return createStringError("broken LLVM IR: " + StringRef(text).trim().str());
  const Triple &triple = module.getTargetTriple();
  if (!triple.empty() && triple.getArch() != Triple::amdgcn)
    return createStringError(
        formatv("the module is for '{0}', but expected '{1}'", triple.str(), tripleText).str());
  SmallString<0> bitcode;
  raw_svector_ostream bitcodeStream(bitcode);
  WriteBitcodeToFile(module, bitcodeStream);
  Expected<std::unique_ptr<Module>> copy = parseBitcodeFile(MemoryBufferRef(bitcode, "kernels"), job.context);
  if (!copy)
    return copy.takeError();
  job.module = std::move(*copy);
  if (!options.debugInfo) {
    StripDebugInfo(*job.module);
    job.module->setSourceFileName("kernels"); // goes into the symbol table
  }
  job.module->setModuleIdentifier("kernels");
  return Error::success();
}

void configureModule(Job &job, const CodeGenOptions &options) {
  Module &module = *job.module;
  module.setTargetTriple(Triple(tripleText));
  module.setDataLayout(job.machine->createDataLayout());
  module.setModuleFlag(Module::Error, "amdhsa_code_object_version", codeObjectVersion);
}

void setChip(Module &module, StringRef chip) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.removeFnAttr("target-features");
    function.addFnAttr("target-cpu", chip);
  }
}

/// As clang does for HIP: a kernel is found by its name, but not replaced by another one of that name.
void protectKernels(Module &module) {
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::AMDGPU_KERNEL && !function.isDeclaration() &&
        !function.hasLocalLinkage())
      function.setVisibility(GlobalValue::ProtectedVisibility);
}

/// The steps; every object that LLVM works on belongs to the job.
Error run(Job &job, const CodeGenOptions &options, const StringSet<> &rolled, CodeGenResult &result,
          StringSet<> &withCalls) {
  Module &module = *job.module;
  configureModule(job, options);
  keepLoops(module, rolled);
  if (Error error = linkDeviceLibraries(module, options))
    return error;
  if (Error error = internalizeAndCheckCalls(module))
    return error;
  setChip(module, options.target->chip());
  protectKernels(module);
  optimize(module, *job.machine, options);
  if (Error error = job.takeErrors())
    return error;
  withCalls = kernelsWithCalls(module);
  if (options.keepLLVMIR)
    raw_string_ostream(result.llvmIR) << module;
  if (options.keepAssembly) { // code generation changes the module: the text comes from a copy
    std::unique_ptr<Module> copy = CloneModule(module);
    if (Error error = emit(*copy, *job.machine, CodeGenFileType::AssemblyFile, job.bytes))
      return error;
    if (Error error = job.takeErrors())
      return error;
    result.assembly.assign(job.bytes.begin(), job.bytes.end());
    job.bytes.clear();
    job.diagnostics->warnings.clear(); // they come again
  }
  if (Error error = emit(module, *job.machine, CodeGenFileType::ObjectFile, job.bytes))
    return error;
  if (Error error = job.takeErrors())
    return error;
  result.object.assign(job.bytes.begin(), job.bytes.end());
  result.warnings = job.diagnostics->warnings;
  return Error::success();
}

/// Machine code of the module; the loops of the kernels in `rolled` are not unrolled.
Error compileAndLink(const Module &module, const CodeGenOptions &options, const StringSet<> &rolled,
                     CodeGenResult &result, StringSet<> &withCalls) {
  auto job = std::make_unique<Job>();
  bool crashed = false;
  Error error = runGuarded("code generation", crashed, [&]() -> Error {
    if (Error error = copyModule(*job, module, options))
      return error;
    if (Error error = createMachine(*job, options))
      return error;
    return run(*job, options, rolled, result, withCalls);
  });
  if (crashed) {
    // The errors that came before say more than the crash that they led to.
    Error earlier = job->takeErrors();
    (void)job.release();
    return joinErrors(std::move(earlier), std::move(error));
  }
  job.reset();
  if (error)
    return error;

  if (Error linkError = runGuarded("link", crashed, [&]() -> Error {
        Expected<std::vector<char>> hsaco = linkObject(result.object);
        if (!hsaco)
          return hsaco.takeError();
        result.hsaco = std::move(*hsaco);
        return Error::success();
      }))
    return linkError;
  MemoryBufferRef buffer(StringRef(result.hsaco.data(), result.hsaco.size()), "kernels");
  Expected<HsaCodeObject> codeObject = HsaCodeObject::create(buffer);
  if (!codeObject)
    return codeObject.takeError();
  result.kernels.assign(codeObject->kernels().begin(), codeObject->kernels().end());
  return Error::success();
}

bool spills(const KernelInfo &kernel) { return kernel.vgprSpills > 0 || kernel.sgprSpills > 0; }

/// What is wrong with a kernel's use of scratch, as it follows its name; empty if nothing is.
std::string scratchFault(const KernelInfo &kernel, const StringSet<> &withCalls) {
  if (spills(kernel))
    return formatv("spills {0} vector and {1} scalar registers and has {2} bytes of scratch a lane",
                   kernel.vgprSpills, kernel.sgprSpills, kernel.scratch);
  if (kernel.scratch > 0 && !withCalls.contains(kernel.name))
    return formatv("has private arrays: {0} bytes of scratch a lane", kernel.scratch);
  return "";
}

} // namespace

Error checkResources(CodeGenResult &result, const StringSet<> &withCalls, const CodeGenOptions &options) {
  Error errors = Error::success();
  for (const KernelInfo &kernel : result.kernels) {
    bool calls = withCalls.contains(kernel.name);
    if (kernel.scratch > 0 && calls)
      result.warnings.push_back(
          formatv("kernel '{0}' makes real calls: {1} bytes of frame a lane", kernel.name, kernel.scratch)
              .str());
    std::string fault = scratchFault(kernel, withCalls);
    if (options.allowSpills || fault.empty())
      continue;
    if (is_contained(options.droppable, kernel.name))
      result.spilling.push_back({kernel.name, fault});
    else
      errors = joinErrors(std::move(errors),
                          createStringError(formatv("kernel '{0}' {1}, but must have none unless spills are "
                                                    "allowed (--allow-spills)",
                                                    kernel.name, fault)));
  }
  return errors;
}

Expected<CodeGenResult> generateCode(const Module &module, const CodeGenOptions &options) {
  if (!options.target)
    return createStringError("no target is given");
  StringSet<> rolled;
  while (true) {
    CodeGenResult result;
    StringSet<> withCalls;
    if (Error error = compileAndLink(module, options, rolled, result, withCalls))
      return std::move(error);
    // LLVM unrolls a loop of few steps without a thought of what its addresses need; rolled it may fit.
    bool again = false;
    for (const KernelInfo &kernel : result.kernels)
      if (spills(kernel) && options.unrollLoops && !options.allowSpills)
        again |= rolled.insert(kernel.name).second;
    if (again)
      continue;
    if (Error error = checkResources(result, withCalls, options))
      return std::move(error);
    return result;
  }
}

} // namespace lowp
