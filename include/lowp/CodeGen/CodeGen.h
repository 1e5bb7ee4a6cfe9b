// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an LLVM module with kernels (calling convention amdgpu_kernel) to a code object, in process: ROCm's
// device libraries where they are called, LLVM's O3 pipeline, the AMDGPU back end, lld. Any number of threads
// may compile at once. Whatever goes wrong, the back end's fatal errors included, comes back as an
// llvm::Error; nothing is printed.
#ifndef LOWP_CODEGEN_CODEGEN_H
#define LOWP_CODEGEN_CODEGEN_H

#include "lowp/CodeObject/HsaCodeObject.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace lowp {

class Target;

struct CodeGenOptions {
  const Target *target = nullptr;
  unsigned optLevel = 3;    ///< 0 to 3, for the optimiser and the back end
  bool unrollLoops = true;  ///< a loop may still say llvm.loop.unroll.disable
  bool debugInfo = false;   ///< keep the module's line tables
  bool allowSpills = false; ///< spills and private arrays are errors otherwise
  /// Kernels that are reported, instead of being an error, if they spill or have private arrays.
  std::vector<std::string> droppable;
  bool keepLLVMIR = false;   ///< fill CodeGenResult::llvmIR
  bool keepAssembly = false; ///< fill CodeGenResult::assembly
  /// Where ocml.bc and ockl.bc are looked for before the places that deviceLibraryPlaces() lists.
  std::vector<std::string> deviceLibraryPaths;
};

/// A kernel that spills or has private arrays.
struct SpillingKernel {
  std::string name, reason; ///< "spills 6 vector and 0 scalar registers and ..."
};

struct CodeGenResult {
  std::string llvmIR; ///< after optimisation
  std::string assembly;
  std::vector<char> object; ///< relocatable
  std::vector<char> hsaco;  ///< linked
  std::vector<KernelInfo> kernels;
  std::vector<SpillingKernel> spilling; ///< of the droppable ones
  std::vector<std::string> warnings;    ///< the back end's, and the frames of kernels with real calls
};

/// The module is not changed: a copy of it is compiled in a context of its own. Equal modules and options
/// give equal bytes.
llvm::Expected<CodeGenResult> generateCode(const llvm::Module &module, const CodeGenOptions &options);

/// The directories where ROCm's device libraries are looked for, in order: $LOWP_DEVICE_LIB_PATH, the one
/// that CMake found (LOWP_DEVICE_LIB_DIR), those of $ROCM_PATH, of Debian's packages and of /opt/rocm.
std::vector<std::string> deviceLibraryPlaces();

} // namespace lowp

#endif // LOWP_CODEGEN_CODEGEN_H
