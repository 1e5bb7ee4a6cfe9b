// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All outputs are made in memory first, so that a failure leaves none of them half done.

#include "Outputs.h"
#include "lowp/CodeObject/LaunchStub.h"
#include "lowp/CodeObject/OffloadBundle.h"
#include "lowp/CodeObject/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace lowp;

namespace {

constexpr std::pair<llvm::StringLiteral, Emit> emitTable[] = {{"hsaco", Emit::Hsaco},
                                                              {"asm", Emit::Asm},
                                                              {"llvm", Emit::LLVM},
                                                              {"c", Emit::C},
                                                              {"manifest", Emit::Manifest}};

/// A C identifier from a file's name.
std::string identifier(llvm::StringRef stem) {
  std::string result;
  for (char c : stem)
    result += llvm::isAlnum(c) ? c : '_';
  return result.empty() || llvm::isDigit(result[0]) ? "lowp_" + result : result;
}

/// The names of all outputs.
class Names {
public:
  Names(const OutputOptions &options, size_t targets)
      : options(options), base(options.path), several(targets > 1) {
    llvm::sys::path::replace_extension(base, "");
  }
  bool wants(Emit kind) const { return llvm::is_contained(options.kinds, kind); }
  std::string hsaco(llvm::StringRef target) const {
    return several && !options.bundle ? of(target) + ".hsaco" : options.path;
  }
  std::string assembly(llvm::StringRef target) const { return of(target) + ".s"; }
  std::string llvmIR(llvm::StringRef target) const { return of(target) + ".ll"; }
  std::string stub(llvm::StringRef target) const { return identifier(llvm::sys::path::filename(of(target))); }
  std::string stubFile(llvm::StringRef target, llvm::StringRef extension) const {
    llvm::SmallString<128> path = llvm::sys::path::parent_path(base);
    llvm::sys::path::append(path, stub(target) + extension);
    return path.str().str();
  }
  std::string manifest() const { return (base + ".json").str(); }

private:
  std::string of(llvm::StringRef target) const {
    return several ? (base + "." + target).str() : base.str().str();
  }

  const OutputOptions &options;
  llvm::SmallString<128> base;
  bool several;
};

OutputFile text(std::string path, llvm::StringRef text) {
  return {std::move(path), std::vector<char>(text.begin(), text.end())};
}

} // namespace

std::optional<Emit> lowp::parseEmit(llvm::StringRef word) {
  for (const auto &[name, kind] : emitTable)
    if (name == word)
      return kind;
  return std::nullopt;
}

std::string lowp::emitNames() {
  return llvm::join(llvm::map_range(emitTable, [](const auto &entry) { return entry.first; }), ", ");
}

llvm::Error lowp::checkOutputs(const OutputOptions &options, llvm::ArrayRef<std::string> targets,
                               llvm::StringRef input) {
  Names names(options, targets.size());
  std::vector<std::string> paths;
  if (names.wants(Emit::Hsaco) && options.bundle)
    paths.push_back(options.path);
  for (const std::string &target : targets) {
    if (names.wants(Emit::Hsaco) && !options.bundle)
      paths.push_back(names.hsaco(target));
    if (names.wants(Emit::Asm))
      paths.push_back(names.assembly(target));
    if (names.wants(Emit::LLVM))
      paths.push_back(names.llvmIR(target));
    if (names.wants(Emit::C)) {
      paths.push_back(names.stubFile(target, ".h"));
      paths.push_back(names.stubFile(target, ".c"));
    }
  }
  if (names.wants(Emit::Manifest))
    paths.push_back(names.manifest());
  for (auto [number, path] : llvm::enumerate(paths)) {
    if (llvm::is_contained(llvm::ArrayRef(paths).take_front(number), path))
      return llvm::createStringError("two outputs have the name '" + path + "'; give -o another extension");
    if (path == input || (llvm::sys::fs::is_regular_file(path) && llvm::sys::fs::equivalent(path, input)))
      return llvm::createStringError("the output '" + path + "' would take the input's place");
  }
  return llvm::Error::success();
}

llvm::Error lowp::writeOutputs(const OutputOptions &options, llvm::ArrayRef<CompileResult> results) {
  Names names(options, results.size());
  std::vector<OutputFile> files;
  if (options.bundle && names.wants(Emit::Hsaco)) {
    std::vector<BundledCodeObject> parts;
    for (const CompileResult &result : results)
      parts.push_back({result.manifest.target, result.hsaco});
    llvm::Expected<std::vector<char>> bundle = writeOffloadBundle(parts);
    if (!bundle)
      return bundle.takeError();
    files.push_back({options.path, std::move(*bundle)});
  }
  for (const CompileResult &result : results) {
    llvm::StringRef target = result.manifest.target;
    if (names.wants(Emit::Hsaco) && !options.bundle)
      files.push_back({names.hsaco(target), result.hsaco});
    if (names.wants(Emit::Asm))
      files.push_back(text(names.assembly(target), result.assembly));
    if (names.wants(Emit::LLVM))
      files.push_back(text(names.llvmIR(target), result.llvmIR));
    if (names.wants(Emit::C)) {
      llvm::Expected<LaunchStub> stub = emitLaunchStub(result.manifest, result.hsaco, names.stub(target));
      if (!stub)
        return stub.takeError();
      files.push_back(text(names.stubFile(target, ".h"), stub->header));
      files.push_back(text(names.stubFile(target, ".c"), stub->source));
    }
  }
  if (names.wants(Emit::Manifest)) {
    std::string manifest = results.front().manifest.toText();
    if (results.size() > 1) {
      llvm::json::Array all;
      for (const CompileResult &result : results)
        all.push_back(result.manifest.toJSON());
      manifest = llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all))).str();
    }
    files.push_back(text(names.manifest(), manifest));
  }
  return writeFilesAtomically(files);
}
