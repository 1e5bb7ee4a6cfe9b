// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of generateCode, one file each, in the order in which they run.
#ifndef LOWP_LIB_CODEGEN_CODEGENIMPL_H
#define LOWP_LIB_CODEGEN_CODEGENIMPL_H

#include "lowp/CodeGen/CodeGen.h"
#include "lowp/CodeObject/CrashGuard.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Target/TargetMachine.h"

namespace lowp {

/// Links what the module calls of ROCm's device libraries into it.
llvm::Error linkDeviceLibraries(llvm::Module &module, const CodeGenOptions &options);

/// Everything but kernels becomes internal; a call to a function without a body is an error that names both.
llvm::Error internalizeAndCheckCalls(llvm::Module &module);

/// Marks the loops of these kernels as not to be unrolled.
void keepLoops(llvm::Module &module, const llvm::StringSet<> &kernels);

/// O0 to O3 of the new pass manager with the AMDGPU back end's own IR passes.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, const CodeGenOptions &options);

/// The kernels that call a function for real, or might (through a pointer), after optimisation.
llvm::StringSet<> kernelsWithCalls(const llvm::Module &module);

/// Runs the back end; the module is spent afterwards.
llvm::Error emit(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type,
                 llvm::SmallVectorImpl<char> &bytes);

/// lld; takes a relocatable object and gives a shared one.
llvm::Expected<std::vector<char>> linkObject(llvm::ArrayRef<char> object);

/// Refuses spills and private arrays; reports those of droppable kernels.
llvm::Error checkResources(CodeGenResult &result, const llvm::StringSet<> &withCalls,
                           const CodeGenOptions &options);

} // namespace lowp

#endif // LOWP_LIB_CODEGEN_CODEGENIMPL_H
