// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files a compilation leaves, and their names.
#ifndef LOWP_TOOLS_LOWPC_OUTPUTS_H
#define LOWP_TOOLS_LOWPC_OUTPUTS_H

#include "lowp/Pipeline/Compile.h"
#include "llvm/Support/Error.h"

namespace lowp {

enum class Emit { Hsaco, Asm, LLVM, C, Manifest };

struct OutputOptions {
  std::string path; ///< of the code object, as given by -o
  std::vector<Emit> kinds;
  bool bundle = false;
};

/// Writes the outputs of all targets, each to a temporary file that is renamed when whole: NAME.hsaco with
/// NAME.json, NAME.s, NAME.ll, NAME.h and NAME.c beside it, where NAME is `path` without its extension. With
/// several targets NAME.CHIP takes NAME's place, but for the manifest, which is one array of all, and with
/// `bundle` one offload bundle at `path`.
llvm::Error writeOutputs(const OutputOptions &options, llvm::ArrayRef<CompileResult> results);

} // namespace lowp

#endif // LOWP_TOOLS_LOWPC_OUTPUTS_H
