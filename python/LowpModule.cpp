// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ half of the Python package: text, bytes and numbers in and out, no IR objects.
// python/lowp/__init__.py makes numpy arrays of them. Whatever goes wrong is a lowp.Error with the
// diagnostics' text.

#include "lowp/Dialect/Formats.h"
#include "lowp/Driver/Launcher.h"
#include "lowp/Driver/Sizes.h"
#include "lowp/Pipeline/Compile.h"
#include "lowp/Pipeline/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace lowp;

namespace {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A tensor as Python hands it over: packed bytes and a shape.
using PackedTensor = std::pair<py::bytes, std::vector<int64_t>>;

class Kernel {
public:
  Kernel(const std::string &text, const std::string &target, bool allowSpills) : context(dialects()) {
    context.printOpOnDiagnostic(false);
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "<string>"), llvm::SMLoc());
    mlir::SourceMgrDiagnosticHandler handler(sources, &context, messages);
    module = mlir::parseSourceFile<mlir::ModuleOp>(sources, mlir::ParserConfig(&context));
    if (!module)
      fail();
    options.target = target;
    options.allowSpills = allowSpills;
    mlir::FailureOr<CompileResult> compiled = compile(*module, options);
    if (mlir::failed(compiled))
      fail();
    result = std::move(*compiled);
  }

  std::string manifest() const { return result.manifest.toText(); }
  py::bytes hsaco() const { return py::bytes(result.hsaco.data(), result.hsaco.size()); }
  /// Compiles once more, for whoever wants to see: the texts are far larger than what comes out.
  std::map<std::string, std::string> stages() {
    mlir::SourceMgrDiagnosticHandler handler(sources, &context, messages);
    CompileOptions keeping = options;
    keeping.keep.assign(allStages().begin(), allStages().end());
    mlir::FailureOr<CompileResult> compiled = compile(*module, keeping);
    if (mlir::failed(compiled))
      fail();
    std::map<std::string, std::string> texts;
    for (auto &[stage, text] : compiled->stages)
      texts[name(stage).str()] = text;
    return texts;
  }

  /// Results as packed bytes with their shapes, and the reports of the launches as JSON.
  std::tuple<std::vector<PackedTensor>, std::string, std::vector<std::string>>
  run(const std::string &entryName, const std::vector<PackedTensor> &tensors,
      const std::map<std::string, std::pair<double, int64_t>> &scalars, const std::string &variant) {
    mlir::SourceMgrDiagnosticHandler handler(sources, &context, messages);
    auto entry = module->lookupSymbol<mlir::func::FuncOp>(entryName);
    if (!entry)
      throw Error("no entry '" + entryName + "'");
    if (!launcher)
      launcher = unwrap(Launcher::create(result.manifest, result.hsaco));
    mlir::FailureOr<EntrySizes> sizes = EntrySizes::create(entry);
    if (mlir::failed(sizes))
      fail();
    // Inputs, and what their sizes say of the results.
    std::vector<HostTensor> inputs, results;
    std::vector<SizeBinding> bindings;
    size_t next = 0;
    for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
      auto type = llvm::dyn_cast<mlir::RankedTensorType>(entry.getArgumentTypes()[i]);
      if (!type)
        continue;
      if (next == tensors.size())
        throw Error("too few tensors for entry '" + entryName + "'");
      const auto &[bytes, shape] = tensors[next++];
      HostTensor tensor = makeTensor(argumentName(entry, i), type, shape);
      std::string data = bytes;
      if (data.size() != tensor.bytes.size())
        throw Error(tensor.name + ": expected " + std::to_string(tensor.bytes.size()) + " bytes, but got " +
                    std::to_string(data.size()));
      std::copy(data.begin(), data.end(), tensor.bytes.begin());
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        bindings.push_back({tensor.name, unsigned(dim), shape[dim]});
      inputs.push_back(std::move(tensor));
    }
    SizeValues values = unwrap(sizes->bind(bindings));
    for (unsigned i = 0; i < entry.getNumResults(); ++i) {
      auto type = llvm::cast<mlir::RankedTensorType>(entry.getResultTypes()[i]);
      auto shape = sizes->resultShape(i, values);
      results.push_back(makeTensor(resultName(entry, i), type, {shape.begin(), shape.end()}));
    }
    LaunchArguments arguments;
    for (HostTensor &tensor : inputs)
      arguments.inputs.push_back(&tensor);
    for (HostTensor &tensor : results)
      arguments.results.push_back(&tensor);
    for (auto &[scalar, value] : scalars)
      arguments.scalars[scalar] = {value.first, value.second};
    std::optional<LaunchOutcome> outcome;
    std::string refused;
    {
      py::gil_scoped_release release;
      llvm::Expected<LaunchOutcome> run = launcher->run(entryName, arguments, variant);
      if (run)
        outcome = std::move(*run);
      else
        refused = llvm::toString(run.takeError());
    }
    if (!outcome)
      throw Error(refused);
    std::vector<std::string> reports;
    for (const sim::Report &report : outcome->reports) {
      std::string text;
      for (const sim::Finding &finding : report.findings)
        text += finding.text() + "\n";
      if (!text.empty() || !report.completed)
        throw Error(text.empty() ? "the kernel did not complete" : text);
      std::string json;
      llvm::raw_string_ostream(json) << report.toJSON();
      reports.push_back(std::move(json));
    }
    std::vector<PackedTensor> packed;
    for (const HostTensor &tensor : results)
      packed.emplace_back(py::bytes(reinterpret_cast<const char *>(tensor.data()), tensor.bytes.size()),
                          std::vector<int64_t>(tensor.shape.begin(), tensor.shape.end()));
    return {std::move(packed), outcome->variant->name, std::move(reports)};
  }

private:
  static mlir::DialectRegistry dialects() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  [[noreturn]] void fail() { throw Error(std::exchange(diagnostics, "")); }

  template <typename T> T unwrap(llvm::Expected<T> value) {
    if (!value)
      throw Error(llvm::toString(value.takeError()));
    return std::move(*value);
  }

  static HostTensor makeTensor(std::string name, mlir::RankedTensorType type,
                               const std::vector<int64_t> &shape) {
    if (static_cast<int64_t>(shape.size()) != type.getRank())
      throw Error(name + ": expected rank " + std::to_string(type.getRank()) + ", but got " +
                  std::to_string(shape.size()));
    HostTensor tensor;
    tensor.name = std::move(name);
    tensor.format = *formatOf(type.getElementType());
    tensor.shape.assign(shape.begin(), shape.end());
    tensor.allocate(); // packed: the launcher passes the strides of that to entries that take some
    return tensor;
  }

  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  std::string diagnostics;
  llvm::raw_string_ostream messages{diagnostics};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  CompileOptions options;
  CompileResult result;
  std::unique_ptr<Launcher> launcher;
};

} // namespace

PYBIND11_MODULE(_lowp, m) {
  py::register_exception<Error>(m, "Error");
  m.def("version", &versionString);
  py::class_<Kernel>(m, "Kernel")
      .def(py::init<const std::string &, const std::string &, bool>(),
           py::call_guard<py::gil_scoped_release>())
      .def("manifest", &Kernel::manifest)
      .def("hsaco", &Kernel::hsaco)
      .def("stages", &Kernel::stages)
      .def("run", &Kernel::run);
}
