// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a caller's tensors to launches. Every tensor is a buffer of its own, so that the simulator sees
// accesses outside of it; a workspace is one more, uninitialised.
#include "lowp/Driver/Launcher.h"

#include "lowp/Target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lowp;
using llvm::Expected;
using llvm::formatv;
using llvm::StringRef;

/// Arguments that fit an entry: the values of its symbols and the bytes behind them.
struct Launcher::Bound {
  const Entry *entry = nullptr;
  std::vector<sim::Buffer> buffers; ///< inputs, results
  std::vector<uint64_t> offsets;    ///< of element 0 in each
  std::map<std::string, size_t> bufferOf;
  std::map<std::string, ScalarValue> scalars;
  Expr::Values values;
};

template <typename... Args> static llvm::Error refuse(const char *text, Args &&...args) {
  return llvm::createStringError(formatv(text, std::forward<Args>(args)...).str());
}

Expected<std::unique_ptr<Launcher>> Launcher::create(const Manifest &manifest,
                                                     llvm::ArrayRef<char> codeObject) {
  std::unique_ptr<Launcher> launcher(new Launcher(manifest));
  launcher->code.assign(codeObject.begin(), codeObject.end());
  auto simulator = sim::Simulator::create(
      llvm::MemoryBufferRef(StringRef(launcher->code.data(), launcher->code.size()), "code object"));
  if (!simulator)
    return simulator.takeError();
  launcher->simulator = std::move(*simulator);
  return std::move(launcher);
}

static std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += (size < 0 ? std::string("?") : std::to_string(size)) + "x";
  return text;
}

static llvm::Error checkTensor(const Argument &argument, const HostTensor &tensor) {
  bool fits = argument.type == name(tensor.format) && argument.shape.size() == tensor.shape.size();
  for (size_t dim = 0; fits && dim < tensor.shape.size(); ++dim)
    fits = argument.shape[dim] < 0 || argument.shape[dim] == tensor.shape[dim];
  if (!fits)
    return refuse("argument '{0}' must be a tensor of {1}{2}, but got {3}{4}", argument.name,
                  shapeText(argument.shape), argument.type, shapeText(tensor.shape), name(tensor.format));
  if (!argument.strided && !tensor.strides.empty())
    return refuse("argument '{0}' must be packed, but got strides", argument.name);
  return llvm::Error::success();
}

Expected<Launcher::Bound> Launcher::bind(StringRef entryName, const LaunchArguments &arguments) const {
  Bound bound;
  bound.entry = description->find(entryName);
  if (!bound.entry)
    return refuse("there is no entry '{0}'", entryName);
  std::map<std::string, const HostTensor *> tensors;
  size_t input = 0, result = 0;
  for (const Argument &argument : bound.entry->arguments) {
    if (argument.kind == Argument::Kind::Scalar) {
      auto given = arguments.scalars.find(argument.name);
      if (given == arguments.scalars.end())
        return refuse("argument '{0}', a scalar of {1}, is missing", argument.name, argument.type);
      bound.scalars[argument.name] = given->second;
      bound.values[argument.name] = given->second.integer;
    }
    bool isInput = argument.kind == Argument::Kind::Input;
    if (!isInput && argument.kind != Argument::Kind::Result)
      continue;
    const std::vector<HostTensor *> &list = isInput ? arguments.inputs : arguments.results;
    size_t &next = isInput ? input : result;
    if (next == list.size())
      return refuse("argument '{0}', a tensor of {1}{2}, is missing", argument.name,
                    shapeText(argument.shape), argument.type);
    HostTensor *tensor = list[next++];
    if (llvm::Error error = checkTensor(argument, *tensor))
      return std::move(error);
    sim::Buffer buffer;
    buffer.name = argument.name;
    buffer.data = tensor->bytes.data();
    buffer.bytes = tensor->bytes.size();
    buffer.access = isInput ? sim::Buffer::Access::Read : sim::Buffer::Access::Write;
    bound.bufferOf[argument.name] = bound.buffers.size();
    bound.buffers.push_back(std::move(buffer));
    bound.offsets.push_back(tensor->offset);
    tensors[argument.name] = tensor;
  }
  if (input != arguments.inputs.size() || result != arguments.results.size())
    return refuse("entry '{0}' takes {1} tensors and gives {2}, but got {3} and {4}", entryName, input,
                  result, arguments.inputs.size(), arguments.results.size());

  std::vector<uint64_t> addresses = sim::guestAddresses(bound.buffers);
  for (const auto &[name, index] : bound.bufferOf)
    bound.values[name] = int64_t(addresses[index] + bound.offsets[index]);
  for (const Argument &argument : bound.entry->arguments) {
    bool isStride = argument.kind == Argument::Kind::Stride;
    if (!isStride && argument.kind != Argument::Kind::Dimension)
      continue;
    auto [tensorName, dimText] = StringRef(argument.name).rsplit('.');
    if (isStride)
      tensorName.consume_back(".stride");
    auto tensor = tensors.find(tensorName.str());
    unsigned dim = 0;
    if (tensor == tensors.end() || dimText.getAsInteger(10, dim) ||
        dim + (isStride ? 1 : 0) >= std::max<size_t>(tensor->second->shape.size(), 1))
      return refuse("the manifest's argument '{0}' belongs to no dimension of a tensor", argument.name);
    if (!isStride) {
      bound.values[argument.name] = tensor->second->shape[dim];
    } else if (!tensor->second->strides.empty()) {
      bound.values[argument.name] = tensor->second->strides[dim];
    } else { // packed: whole elements, as strides count them
      int64_t stride = 1;
      for (size_t inner = dim + 1; inner < tensor->second->shape.size(); ++inner)
        stride *= tensor->second->shape[inner];
      bound.values[argument.name] = stride;
    }
  }
  for (const Argument &argument : bound.entry->arguments)
    for (size_t dim = 0; dim < argument.sizes.size(); ++dim) {
      Expected<int64_t> size = argument.sizes[dim].evaluate(bound.values);
      if (!size)
        return size.takeError();
      int64_t got = tensors[argument.name]->shape[dim];
      if (*size != got)
        return refuse("dimension {0} of '{1}' must be {2}, but got {3}", dim, argument.name, *size, got);
    }
  return std::move(bound);
}

/// Null if all hold, else the first that does not.
static Expected<const Condition *> firstBroken(const std::vector<Condition> &conditions,
                                               const Expr::Values &values) {
  for (const Condition &condition : conditions) {
    Expected<bool> result = holds(condition, values);
    if (!result)
      return result.takeError();
    if (!*result)
      return &condition;
  }
  return nullptr;
}

Expected<std::vector<const Variant *>> Launcher::accepted(StringRef entry,
                                                          const LaunchArguments &arguments) const {
  Expected<Bound> bound = bind(entry, arguments);
  if (!bound)
    return bound.takeError();
  Expected<const Variant *> chosen = chooseVariant(*bound->entry, bound->values);
  if (!chosen)
    return chosen.takeError();
  std::vector<const Variant *> list;
  for (const Variant &variant : bound->entry->variants) {
    Expected<const Condition *> broken = firstBroken(variant.conditions, bound->values);
    if (!broken)
      return broken.takeError();
    if (!*broken)
      list.push_back(&variant);
  }
  return list;
}

static Expected<const Variant *> find(const Entry &entry, StringRef name, const Expr::Values &values) {
  if (name.empty())
    return chooseVariant(entry, values);
  const Variant *variant = nullptr;
  for (const Variant &candidate : entry.variants)
    if (candidate.name == name)
      variant = &candidate;
  if (!variant) {
    std::string names;
    for (const Variant &other : entry.variants)
      names += (names.empty() ? "" : ", ") + other.name;
    return refuse("entry '{0}' has no variant '{1}'; it has {2}", entry.name, name, names);
  }
  for (const std::vector<Condition> *list : {&entry.conditions, &variant->conditions}) {
    Expected<const Condition *> broken = firstBroken(*list, values);
    if (!broken)
      return broken.takeError();
    if (*broken)
      return refuse("variant '{0}' of entry '{1}' does not take these arguments: {2}", name, entry.name,
                    (*broken)->text);
  }
  return variant;
}

static void setScalar(sim::Kernarg &kernarg, const Argument &argument, const ScalarValue &value) {
  uint64_t bits = uint64_t(value.integer);
  std::optional<Format> format = parseFormat(argument.type);
  if (format && !isInteger(*format))
    bits = encode(*format, value.number, Overflow::Native);
  kernarg.set(argument.offset, &bits, argument.size);
}

Expected<LaunchOutcome> Launcher::run(StringRef entry, const LaunchArguments &arguments,
                                      StringRef variantName, const sim::Options &options,
                                      LaunchRecorder *recorder) {
  Expected<Bound> bound = bind(entry, arguments);
  if (!bound)
    return bound.takeError();
  Expected<const Variant *> variant = find(*bound->entry, variantName, bound->values);
  if (!variant)
    return variant.takeError();
  const Target *target = Target::get(description->target);
  if (!target)
    return refuse("the manifest's target '{0}' is unknown", description->target);
  bound->values["cus"] = target->computeUnits();

  std::vector<uint8_t> workspace, workspaceWritten; // what one launch leaves there the next one may use
  Expected<int64_t> workspaceBytes = (*variant)->workspaceBytes.evaluate(bound->values);
  if (!workspaceBytes)
    return workspaceBytes.takeError();
  if (*workspaceBytes > 0) {
    workspace.assign(*workspaceBytes, 0xff);
    workspaceWritten.assign(*workspaceBytes, 0);
    sim::Buffer buffer;
    buffer.name = "workspace";
    buffer.data = workspace.data();
    buffer.bytes = workspace.size();
    buffer.initialised = false;
    buffer.written = workspaceWritten.data();
    bound->buffers.push_back(std::move(buffer));
  }
  std::vector<uint64_t> addresses = sim::guestAddresses(bound->buffers);

  sim::Kernarg kernarg;
  std::vector<PreparedLaunch::Pointer> pointers;
  for (const Argument &argument : bound->entry->arguments)
    switch (argument.kind) {
    case Argument::Kind::Scalar:
      setScalar(kernarg, argument, bound->scalars[argument.name]);
      break;
    case Argument::Kind::Workspace:
      kernarg.set(argument.offset, workspace.empty() ? uint64_t(0) : addresses.back());
      if (!workspace.empty())
        pointers.push_back({argument.offset, unsigned(bound->buffers.size() - 1), 0});
      break;
    case Argument::Kind::Input:
    case Argument::Kind::Result: {
      size_t index = bound->bufferOf[argument.name];
      kernarg.set(argument.offset, addresses[index] + bound->offsets[index]);
      pointers.push_back({argument.offset, unsigned(index), bound->offsets[index]});
      break;
    }
    case Argument::Kind::Dimension:
    case Argument::Kind::Stride: {
      int64_t value = bound->values[argument.name];
      kernarg.set(argument.offset, &value, argument.size);
      break;
    }
    }

  LaunchOutcome outcome;
  outcome.variant = *variant;
  if (recorder)
    if (llvm::Error error = recorder->begin((*variant)->name))
      return std::move(error);
  for (auto [number, launch] : llvm::enumerate((*variant)->launches)) {
    sim::LaunchConfig config;
    config.kernel = launch.kernel;
    config.dynamicLds = launch.dynamicLds;
    config.kernarg = kernarg;
    for (unsigned axis = 0; axis < 3; ++axis) {
      Expected<int64_t> size = launch.grid[axis].evaluate(bound->values);
      if (!size)
        return size.takeError();
      if (*size < 1 || *size > INT32_MAX)
        return refuse("the grid of kernel '{0}' is {1} in axis {2}, which no launch can have", launch.kernel,
                      *size, axis);
      config.grid[axis] = uint32_t(*size);
      config.block[axis] = launch.block[axis];
    }
    if (recorder) {
      PreparedLaunch prepared{&config, bound->buffers, pointers, unsigned(number),
                              unsigned((*variant)->launches.size())};
      if (llvm::Error error = recorder->add(prepared))
        return std::move(error);
    }
    Expected<sim::Report> report = simulator->run(config, bound->buffers, options);
    if (!report)
      return report.takeError();
    outcome.reports.push_back(std::move(*report));
    if (!outcome.reports.back().completed)
      return std::move(outcome);
  }
  if (recorder)
    if (llvm::Error error = recorder->finish())
      return std::move(error);
  return std::move(outcome);
}
