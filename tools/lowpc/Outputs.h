// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files a compilation leaves, and their names.
#ifndef LOWP_TOOLS_LOWPC_OUTPUTS_H
#define LOWP_TOOLS_LOWPC_OUTPUTS_H

#include "lowp/Pipeline/Compile.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace lowp {

enum class Emit { Hsaco, Asm, LLVM, C, Manifest };

/// From the words of the command line; std::nullopt if it is none of emitNames().
std::optional<Emit> parseEmit(llvm::StringRef word);
std::string emitNames();

struct OutputOptions {
  std::string path; ///< of the code object, as given by -o
  std::vector<Emit> kinds;
  bool bundle = false;
};

/// Before anything is compiled: no output may take the place of another one, or of `input`.
llvm::Error checkOutputs(const OutputOptions &options, llvm::ArrayRef<std::string> targets,
                         llvm::StringRef input);

/// Writes the outputs of all targets to temporary files, which are renamed when all are whole: NAME.hsaco
/// with NAME.json, NAME.s, NAME.ll, NAME.h and NAME.c beside it, where NAME is `path` without its extension.
/// With several targets NAME.CHIP takes NAME's place, but for the manifest, which is one array of all, and
/// with `bundle` one offload bundle at `path`.
llvm::Error writeOutputs(const OutputOptions &options, llvm::ArrayRef<CompileResult> results);

} // namespace lowp

#endif // LOWP_TOOLS_LOWPC_OUTPUTS_H
