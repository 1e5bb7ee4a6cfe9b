// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kernel.co; NAME.bin, a buffer before the first launch; NAME.after-I.bin, what launch I leaves for the next
// one; NAME.out.bin, a result of the last launch, to be compared with NAME.expected.bin.

#include "lowp/Driver/LaunchRecorder.h"
#include "lowp/CodeObject/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace lowp;
using llvm::StringRef;

static llvm::ArrayRef<char> bytesOf(const sim::Buffer &buffer) {
  return {static_cast<const char *>(buffer.data), size_t(buffer.bytes)};
}

std::string LaunchRecorder::path(StringRef name) const {
  llvm::SmallString<256> full(folder);
  llvm::sys::path::append(full, name);
  return full.str().str();
}

llvm::Error LaunchRecorder::begin(StringRef variant) {
  llvm::SmallString<256> full(directory);
  llvm::sys::path::append(full, variant);
  folder = full.str().str();
  if (std::error_code failure = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError(failure,
                                   "cannot make the directory '" + folder + "': " + failure.message());
  results.clear();
  return writeFileAtomically(path("kernel.co"), codeObject);
}

static llvm::json::Array kernargToJson(const PreparedLaunch &launch) {
  const sim::Kernarg &kernarg = launch.config->kernarg;
  llvm::json::Array entries;
  std::vector<uint8_t> raw = kernarg.covered;
  for (const PreparedLaunch::Pointer &pointer : launch.pointers) {
    std::fill_n(raw.begin() + pointer.offset, 8, 0);
    llvm::json::Object entry{{"offset", pointer.offset}, {"buffer", launch.buffers[pointer.buffer].name}};
    if (pointer.add)
      entry["add"] = pointer.add;
    entries.push_back(std::move(entry));
  }
  for (size_t begin = 0; begin < raw.size();) {
    size_t end = begin;
    while (end < raw.size() && raw[end])
      ++end;
    if (end > begin)
      entries.push_back(llvm::json::Object{
          {"offset", begin},
          {"bytes", llvm::toHex(llvm::ArrayRef(kernarg.bytes).slice(begin, end - begin), true)}});
    begin = end + 1;
  }
  return entries;
}

llvm::Error LaunchRecorder::add(const PreparedLaunch &launch) {
  using Access = sim::Buffer::Access;
  bool first = launch.number == 0, last = launch.number + 1 == launch.count;
  auto afterwards = [](StringRef name, unsigned number) {
    return (name + ".after-" + llvm::Twine(number) + ".bin").str();
  };
  llvm::json::Object buffers, outputs;
  for (const sim::Buffer &buffer : launch.buffers) {
    bool fixed = buffer.access == Access::Read, scratch = !buffer.initialised;
    std::string initial = buffer.name + ".bin";
    if (first && !scratch)
      if (llvm::Error error = writeFileAtomically(path(initial), bytesOf(buffer)))
        return error;
    if (first && scratch)
      initial = "uninitialised";
    else if (!first && !fixed)
      initial = afterwards(buffer.name, launch.number);
    buffers[buffer.name] = llvm::json::Object{{"bytes", buffer.bytes},
                                              {"init", initial},
                                              {"access", fixed                            ? "read"
                                                         : buffer.access == Access::Write ? "write"
                                                                                          : "readwrite"},
                                              {"align", buffer.align}};
    if (!fixed && !last)
      outputs[buffer.name] = afterwards(buffer.name, launch.number + 1);
    else if (!fixed && !scratch)
      outputs[buffer.name] = buffer.name + ".out.bin";
    if (last && !fixed && !scratch)
      results.push_back(buffer);
  }
  const sim::LaunchConfig &config = *launch.config;
  llvm::json::Value file =
      llvm::json::Object{{"code_object", "kernel.co"},
                         {"kernel", config.kernel},
                         {"grid", llvm::json::Array{config.grid[0], config.grid[1], config.grid[2]}},
                         {"block", llvm::json::Array{config.block[0], config.block[1], config.block[2]}},
                         {"dynamic_lds", config.dynamicLds},
                         {"buffers", std::move(buffers)},
                         {"kernarg", kernargToJson(launch)},
                         {"outputs", std::move(outputs)}};
  return writeFileAtomically(path(("launch-" + llvm::Twine(launch.number + 1) + ".json").str()),
                             StringRef(llvm::formatv("{0:2}\n", file).str()));
}

llvm::Error LaunchRecorder::finish() {
  for (const sim::Buffer &buffer : results)
    if (llvm::Error error = writeFileAtomically(path(buffer.name + ".expected.bin"), bytesOf(buffer)))
      return error;
  return llvm::Error::success();
}
