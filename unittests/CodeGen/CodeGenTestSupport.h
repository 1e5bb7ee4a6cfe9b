// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LOWP_UNITTESTS_CODEGEN_CODEGENTESTSUPPORT_H
#define LOWP_UNITTESTS_CODEGEN_CODEGENTESTSUPPORT_H

#include "lowp/CodeGen/CodeGen.h"
#include "lowp/Target/Target.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace lowp {

inline CodeGenOptions optionsFor(llvm::StringRef chip) {
  CodeGenOptions options;
  options.target = Target::get(chip);
  return options;
}

inline llvm::Expected<CodeGenResult> compile(llvm::StringRef ir, const CodeGenOptions &options) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(ir, diagnostic, context);
  if (!module)
    return llvm::createStringError("test input: " + diagnostic.getMessage());
  return generateCode(*module, options);
}

/// The error's text, or "" after success.
inline std::string failure(llvm::StringRef ir, const CodeGenOptions &options) {
  llvm::Expected<CodeGenResult> result = compile(ir, options);
  return result ? "" : llvm::toString(result.takeError());
}

} // namespace lowp

#endif // LOWP_UNITTESTS_CODEGEN_CODEGENTESTSUPPORT_H
