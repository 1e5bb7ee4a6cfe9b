// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors for an entry, as its manifest describes them. Results start as 0xff everywhere; generated inputs
// are those that verification uses.

#include "EntryRun.h"
#include "lowp/CodeObject/ManifestSection.h"
#include "lowp/CodeObject/OutputFile.h"
#include "lowp/Numerics/Fill.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace lowp;

template <typename... Args> static llvm::Error refuse(const char *text, Args &&...args) {
  return llvm::createStringError(llvm::formatv(text, std::forward<Args>(args)...).str());
}

llvm::Expected<Manifest> lowp::manifestOf(llvm::ArrayRef<char> codeObject) {
  llvm::Expected<std::optional<std::string>> text = readManifestSection(codeObject);
  if (!text)
    return text.takeError();
  if (!*text)
    return refuse("the code object carries no manifest; run a kernel of it with --launch");
  return Manifest::fromJSON(**text);
}

static llvm::Expected<const Entry *> chooseEntry(const Manifest &manifest, const std::string &name) {
  if (name.empty() && manifest.entries.size() == 1)
    return &manifest.entries.front();
  if (const Entry *entry = manifest.find(name))
    return entry;
  std::string names =
      llvm::join(llvm::map_range(manifest.entries, [](const Entry &entry) { return entry.name; }), ", ");
  if (name.empty())
    return refuse("the code object has several entries; give --entry, one of {0}", names);
  return refuse("there is no entry '{0}'; the code object has {1}", name, names);
}

/// What the command line names has to be there: a misspelt name would leave its default in place.
static llvm::Error checkNames(const Entry &entry, const EntryRunOptions &options) {
  std::vector<std::string> taken, dimensions;
  for (const Argument &argument : entry.arguments) {
    if (argument.kind == Argument::Kind::Input || argument.kind == Argument::Kind::Scalar)
      taken.push_back(argument.name);
    if (argument.kind == Argument::Kind::Dimension)
      dimensions.push_back(argument.name);
  }
  auto listed = [](const std::vector<std::string> &names) {
    return names.empty() ? std::string("none") : llvm::join(names, ", ");
  };
  for (const auto &[name, path] : options.inputs)
    if (!llvm::is_contained(taken, name))
      return refuse("--arg: there is no argument '{0}' to give; entry '{1}' has {2}", name, entry.name,
                    listed(taken));
  for (const auto &[name, size] : options.sizes)
    if (!llvm::is_contained(dimensions, name))
      return refuse("--size: there is no dynamic dimension '{0}'; entry '{1}' has {2}", name, entry.name,
                    listed(dimensions));
  for (const auto &[name, path] : options.outputs)
    if (llvm::none_of(entry.arguments, [&, &name = name](const Argument &argument) {
          return argument.kind == Argument::Kind::Result && argument.name == name;
        }))
      return refuse("there is no result '{0}'", name);
  return llvm::Error::success();
}

static llvm::Error readInto(HostTensor &tensor, const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return refuse("{0}: {1}", path, file.getError().message());
  if ((*file)->getBufferSize() != tensor.bytes.size())
    return refuse("{0} has {1} bytes, but argument '{2}' takes {3}", path, (*file)->getBufferSize(),
                  tensor.name, tensor.bytes.size());
  std::copy((*file)->getBufferStart(), (*file)->getBufferEnd(), tensor.bytes.begin());
  return llvm::Error::success();
}

llvm::Expected<LaunchOutcome> lowp::runEntry(llvm::ArrayRef<char> codeObject, const Manifest &manifest,
                                             const EntryRunOptions &options) {
  llvm::Expected<const Entry *> entry = chooseEntry(manifest, options.entry);
  if (!entry)
    return entry.takeError();
  if (llvm::Error error = checkNames(**entry, options))
    return std::move(error);
  double allBytes = 0;
  std::vector<HostTensor> inputs, results;
  LaunchArguments arguments;
  Expr::Values sizes;
  for (const auto &[name, value] : options.sizes)
    sizes[name] = value;
  uint64_t seed = options.seed;
  for (const Argument &argument : (*entry)->arguments) {
    auto given = options.inputs.find(argument.name);
    if (argument.kind == Argument::Kind::Scalar) {
      ScalarValue value{1, 1};
      if (given != options.inputs.end()) {
        if (llvm::StringRef(given->second).getAsDouble(value.number))
          return refuse("argument '{0}' must be a number, but got '{1}'", argument.name, given->second);
        value.integer = int64_t(value.number);
      }
      arguments.scalars[argument.name] = value;
      continue;
    }
    bool isInput = argument.kind == Argument::Kind::Input;
    if (!isInput && argument.kind != Argument::Kind::Result)
      continue;
    std::optional<Format> format = parseFormat(argument.type);
    if (!format)
      return refuse("argument '{0}' has the unknown element type '{1}'", argument.name, argument.type);
    HostTensor tensor;
    tensor.name = argument.name;
    tensor.format = *format;
    for (size_t dim = 0; dim < argument.shape.size(); ++dim) {
      int64_t size = argument.shape[dim];
      if (dim < argument.sizes.size()) {
        llvm::Expected<int64_t> computed = argument.sizes[dim].evaluate(sizes);
        if (!computed)
          return computed.takeError();
        size = *computed;
      } else if (size < 0) {
        auto it = sizes.find(argument.name + "." + std::to_string(dim));
        if (it == sizes.end())
          return refuse("dimension {0} of argument '{1}' is dynamic; give --size {1}.{0}=VALUE", dim,
                        argument.name);
        size = it->second;
      }
      if (size < 1 || size > (int64_t(1) << 31))
        return refuse("dimension {0} of argument '{1}' must be from 1 to 2147483648, but is {2}", dim,
                      argument.name, size);
      tensor.shape.push_back(size);
    }
    double elements = 1;
    for (int64_t size : tensor.shape)
      elements *= double(size);
    allBytes += elements * bitWidth(*format) / 8;
    if (allBytes > double(HostTensor::maxBytes))
      return refuse("the tensors need more than {0} bytes", HostTensor::maxBytes);
    tensor.allocate(); // packed: the launcher passes the strides of that to entries that take some
    if (isInput) {
      if (given == options.inputs.end())
        fillRandom(tensor.layout(), tensor.data(), seed++);
      else if (llvm::Error error = readInto(tensor, given->second))
        return std::move(error);
    }
    (isInput ? inputs : results).push_back(std::move(tensor));
  }
  for (HostTensor &tensor : inputs)
    arguments.inputs.push_back(&tensor);
  for (HostTensor &tensor : results)
    arguments.results.push_back(&tensor);
  llvm::Expected<std::unique_ptr<Launcher>> launcher = Launcher::create(manifest, codeObject);
  if (!launcher)
    return launcher.takeError();
  llvm::Expected<LaunchOutcome> outcome =
      (*launcher)->run((*entry)->name, arguments, options.variant, options.simulator);
  if (!outcome)
    return outcome.takeError();
  bool completed = llvm::all_of(outcome->reports, [](const sim::Report &report) { return report.completed; });
  std::vector<StreamedFile> files;
  for (const auto &[name, path] : options.outputs) {
    auto tensor =
        llvm::find_if(results, [&, &name = name](const HostTensor &result) { return result.name == name; });
    files.push_back({path, [&bytes = tensor->bytes](llvm::raw_ostream &os) {
                       os.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
                     }});
  }
  if (completed)
    if (llvm::Error error = writeFilesAtomically(files))
      return std::move(error);
  // The variant is a part of the caller's manifest, so it outlives the launcher.
  return outcome;
}
