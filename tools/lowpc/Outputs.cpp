// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All outputs are made in memory first, so that a failure leaves none of them half done.

#include "Outputs.h"
#include "lowp/CodeGen/OutputFile.h"
#include "lowp/CodeObject/LaunchStub.h"
#include "lowp/CodeObject/OffloadBundle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace lowp;

namespace {

struct File {
  std::string path;
  std::vector<char> bytes;
};

std::vector<char> bytesOf(llvm::StringRef text) { return {text.begin(), text.end()}; }

/// A C identifier from a file's name.
std::string identifier(llvm::StringRef stem) {
  std::string result;
  for (char c : stem)
    result += llvm::isAlnum(c) ? c : '_';
  return result.empty() || llvm::isDigit(result[0]) ? "lowp_" + result : result;
}

} // namespace

llvm::Error lowp::writeOutputs(const OutputOptions &options, llvm::ArrayRef<CompileResult> results) {
  llvm::SmallString<128> base(options.path);
  llvm::sys::path::replace_extension(base, "");
  bool several = results.size() > 1;
  auto wants = [&](Emit kind) { return llvm::is_contained(options.kinds, kind); };
  std::vector<File> files;
  if (options.bundle && wants(Emit::Hsaco)) {
    std::vector<BundledCodeObject> parts;
    for (const CompileResult &result : results)
      parts.push_back({result.manifest.target, result.hsaco});
    llvm::Expected<std::vector<char>> bundle = writeOffloadBundle(parts);
    if (!bundle)
      return bundle.takeError();
    files.push_back({options.path, std::move(*bundle)});
  }
  for (const CompileResult &result : results) {
    std::string name = several ? (base + "." + result.manifest.target).str() : base.str().str();
    if (wants(Emit::Hsaco) && !options.bundle)
      files.push_back({several ? name + ".hsaco" : options.path, result.hsaco});
    if (wants(Emit::Asm))
      files.push_back({name + ".s", bytesOf(result.assembly)});
    if (wants(Emit::LLVM))
      files.push_back({name + ".ll", bytesOf(result.llvmIR)});
    if (wants(Emit::C)) {
      llvm::StringRef stem = llvm::sys::path::filename(name);
      llvm::Expected<LaunchStub> stub = emitLaunchStub(result.manifest, result.hsaco, identifier(stem));
      if (!stub)
        return stub.takeError();
      std::string directory = llvm::sys::path::parent_path(name).str();
      llvm::SmallString<128> header(directory), source(directory);
      llvm::sys::path::append(header, identifier(stem) + ".h");
      llvm::sys::path::append(source, identifier(stem) + ".c");
      files.push_back({header.str().str(), bytesOf(stub->header)});
      files.push_back({source.str().str(), bytesOf(stub->source)});
    }
  }
  if (wants(Emit::Manifest)) {
    std::string text = results.front().manifest.toText();
    if (several) {
      llvm::json::Array all;
      for (const CompileResult &result : results)
        all.push_back(result.manifest.toJSON());
      text = llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all))).str();
    }
    files.push_back({(base + ".json").str(), bytesOf(text)});
  }
  for (const File &file : files)
    if (llvm::Error error = writeFileAtomically(file.path, llvm::ArrayRef<char>(file.bytes)))
      return error;
  return llvm::Error::success();
}
