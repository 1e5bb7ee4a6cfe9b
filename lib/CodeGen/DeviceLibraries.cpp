// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ROCm's device libraries: ocml.bc (mathematics) and ockl.bc (the rest). Only what is called is linked. The
// libraries are configured by constants named __oclc_*; ROCm has a bitcode file for each value, but older
// ones know neither chip, so the constants are defined here ("OCLC - Open Compute Library Controls" in the
// libraries' own documentation).
#include "CodeGenImpl.h"
#include "lowp/Target/Target.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#ifndef LOWP_DEVICE_LIB_DIR
#define LOWP_DEVICE_LIB_DIR ""
#endif

using namespace llvm;

namespace lowp {
namespace {

struct Library {
  StringLiteral prefix, file;
};
// ocml calls ockl, so ockl comes last.
constexpr Library libraries[] = {{"__ocml_", "ocml.bc"}, {"__ockl_", "ockl.bc"}};

/// The subdirectories of `path`, sorted.
std::vector<std::string> subdirectories(const Twine &path) {
  std::vector<std::string> result;
  std::error_code error;
  for (sys::fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
    result.push_back(it->path());
  llvm::sort(result);
  return result;
}

/// Clang's resource directories below `llvmRoot` keep the libraries in one of two places.
void addResourceDirectories(const std::string &llvmRoot, std::vector<std::string> &places) {
  for (const std::string &version : subdirectories(llvmRoot + "/lib/clang"))
    for (const char *below : {"/lib/amdgcn/bitcode", "/amdgcn/bitcode"})
      places.push_back(version + below);
}

bool callsInto(const Module &module, StringRef prefix) {
  for (const Function &function : module)
    if (function.isDeclaration() && !function.use_empty() && function.getName().starts_with(prefix))
      return true;
  return false;
}

Expected<std::string> findLibrary(const Library &library, const CodeGenOptions &options) {
  std::vector<std::string> places = options.deviceLibraryPaths;
  std::vector<std::string> more = deviceLibraryPlaces();
  places.insert(places.end(), more.begin(), more.end());
  for (const std::string &place : places) {
    std::string path = place + "/" + library.file.str();
    if (sys::fs::is_regular_file(path))
      return path;
  }
  return createStringError(formatv("the kernels call functions '{0}*' of ROCm's device libraries, but '{1}' "
                                   "is not found: install the package "
                                   "rocm-device-libs (Debian 12) or rocm-device-libs-17 (Debian 13), or set "
                                   "LOWP_DEVICE_LIB_PATH to its "
                                   "directory",
                                   library.prefix, library.file)
                               .str());
}

Error linkLibrary(Module &module, const std::string &path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError("'" + path + "': " + buffer.getError().message());
  auto library = getOwningLazyBitcodeModule(std::move(*buffer), module.getContext());
  if (!library)
    return createStringError("'" + path + "': " + toString(library.takeError()));
  // The module's own triple, layout and flags are those that count.
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  for (const char *name : {"llvm.module.flags", "llvm.ident", "opencl.ocl.version", "opencl.spir.version"})
    if (NamedMDNode *node = (*library)->getNamedMetadata(name))
      (*library)->eraseNamedMetadata(node);
  StringSet<> before;
  for (const Function &function : module)
    if (!function.isDeclaration())
      before.insert(function.getName());
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    return createStringError("'" + path + "' cannot be linked to the kernels");
  // The libraries leave the mode of denormals and the chip to their user; ours is the default mode and our
  // chip.
  for (Function &function : module) {
    if (function.isDeclaration() || before.contains(function.getName()))
      continue;
    for (const char *name : {"denormal-fp-math", "denormal-fp-math-f32", "uniform-work-group-size",
                             "amdgpu-flat-work-group-size", "amdgpu-waves-per-eu", "no-trapping-math"})
      function.removeFnAttr(name);
  }
  return Error::success();
}

Error defineControls(Module &module, const Target &target) {
  struct Control {
    StringLiteral name;
    uint64_t value;
  };
  const Control controls[] = {
      {"__oclc_ISA_version", target.isaVersion()},
      {"__oclc_ABI_version", 500},
      {"__oclc_wavefrontsize64", target.waveSize() == 64},
      {"__oclc_finite_only_opt", 0},
      {"__oclc_unsafe_math_opt", 0},
      {"__oclc_daz_opt", 0},
      {"__oclc_correctly_rounded_sqrt32", 1},
  };
  for (GlobalVariable &global : module.globals()) {
    if (!global.isDeclaration() || !global.getName().starts_with("__oclc_"))
      continue;
    const Control *control = find_if(controls, [&](const Control &c) { return c.name == global.getName(); });
    if (control == std::end(controls) || !global.getValueType()->isIntegerTy())
      return createStringError(
          formatv("the device libraries' control '{0}' is not known to this version of lowp",
                  global.getName())
              .str());
    global.setInitializer(ConstantInt::get(global.getValueType(), control->value));
    global.setConstant(true);
    global.setVisibility(GlobalValue::DefaultVisibility);
    global.setLinkage(GlobalValue::InternalLinkage);
  }
  return Error::success();
}

} // namespace

std::vector<std::string> deviceLibraryPlaces() {
  std::vector<std::string> places;
  if (std::optional<std::string> path = sys::Process::GetEnv("LOWP_DEVICE_LIB_PATH"))
    places.push_back(*path);
  if (StringRef(LOWP_DEVICE_LIB_DIR) != "")
    places.push_back(LOWP_DEVICE_LIB_DIR);
  std::vector<std::string> roots;
  if (std::optional<std::string> path = sys::Process::GetEnv("ROCM_PATH"))
    roots.push_back(*path);
  roots.push_back("/opt/rocm");
  for (const std::string &root : roots) {
    places.push_back(root + "/amdgcn/bitcode");
    addResourceDirectories(root + "/lib/llvm", places);
  }
  // Debian: rocm-device-libs (12), rocm-device-libs-17 and later ones.
  places.push_back("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode");
  places.push_back("/usr/lib/amdgcn/bitcode");
  for (const std::string &directory : subdirectories("/usr/lib"))
    if (sys::path::filename(directory).starts_with("llvm-"))
      addResourceDirectories(directory, places);
  addResourceDirectories("/usr", places);
  return places;
}

Error linkDeviceLibraries(Module &module, const CodeGenOptions &options) {
  bool linked = false;
  for (const Library &library : libraries) {
    if (!callsInto(module, library.prefix))
      continue;
    Expected<std::string> path = findLibrary(library, options);
    if (!path)
      return path.takeError();
    if (Error error = linkLibrary(module, *path))
      return error;
    linked = true;
  }
  return linked ? defineControls(module, *options.target) : Error::success();
}

} // namespace lowp
