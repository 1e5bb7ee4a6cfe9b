// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch stub's generator. What does not depend on the manifest stands in LaunchStubText.h; here are the
// parts per entry: the arguments' struct, the chooser, the launches. The generated C is C99, holds no global
// state, and does its arithmetic with checks, as Expr::evaluate does.
#include "lowp/CodeObject/LaunchStub.h"
#include "LaunchStubText.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lowp {
namespace {

constexpr unsigned maxKernargBytes = 4096; // what a dispatch packet's users, HIP among them, accept

std::string identifier(StringRef text) {
  std::string result = text.empty() || isDigit(text.front()) ? "_" : "";
  for (char c : text)
    result += isAlnum(c) ? c : '_';
  return result;
}

std::string quoted(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  os << '"';
  os.write_escaped(text);
  os << '"';
  return result;
}

std::string comment(StringRef text) {
  std::string escaped;
  raw_string_ostream(escaped).write_escaped(text);
  for (size_t at; (at = escaped.find("*/")) != std::string::npos;)
    escaped.insert(at + 1, " ");
  return escaped;
}

bool isInteger(const Argument &argument) {
  return argument.kind != Argument::Kind::Scalar || StringRef(argument.type).starts_with("i") ||
         StringRef(argument.type).starts_with("si") || StringRef(argument.type).starts_with("ui");
}

bool isPointer(const Argument &argument) {
  return argument.kind == Argument::Kind::Input || argument.kind == Argument::Kind::Result ||
         argument.kind == Argument::Kind::Workspace;
}

Expected<std::string> cType(const Entry &entry, const Argument &argument) {
  auto wrongSize = [&](StringRef accepted) {
    return createStringError(formatv("entry '{0}', argument '{1}' of type '{2}': {3} bytes, but expected {4}",
                                     entry.name, argument.name, argument.type, argument.size, accepted)
                                 .str());
  };
  if (isPointer(argument)) {
    if (argument.size != 8)
      return wrongSize("8");
    return argument.kind == Argument::Kind::Input ? "const void *" : "void *";
  }
  if (argument.type == "f32" || argument.type == "f64") {
    if (argument.size != (argument.type == "f32" ? 4 : 8))
      return wrongSize(argument.type == "f32" ? "4" : "8");
    return argument.type == "f32" ? "float " : "double ";
  }
  if (!is_contained({1u, 2u, 4u, 8u}, argument.size))
    return wrongSize("1, 2, 4 or 8");
  return formatv("{0}int{1}_t ",
                 isInteger(argument) && argument.type != "i1" && argument.type[0] != 'u' ? "" : "u",
                 argument.size * 8)
      .str();
}

/// Names of an entry's arguments as fields: readable, unique, no keywords.
std::vector<std::string> fieldNames(const Entry &entry) {
  static constexpr StringLiteral keywords[] = {
      "auto",     "break",  "case",    "char",     "const",    "continue",  "default", "do",
      "double",   "else",   "enum",    "extern",   "float",    "for",       "goto",    "if",
      "inline",   "int",    "long",    "register", "return",   "short",     "signed",  "sizeof",
      "static",   "struct", "switch",  "typedef",  "union",    "unsigned",  "void",    "while",
      "volatile", "class",  "private", "public",   "template", "this",      "new",     "delete",
      "bool",     "true",   "false",   "operator", "restrict", "namespace", "linux",   "unix"};
  StringSet<> used;
  for (StringRef keyword : keywords)
    used.insert(keyword);
  std::vector<std::string> names;
  for (const Argument &argument : entry.arguments) {
    std::string name = identifier(argument.name);
    while (!used.insert(name).second)
      name += "_";
    names.push_back(name);
  }
  return names;
}

class StubWriter {
public:
  StubWriter(const Manifest &manifest, ArrayRef<char> codeObject, StringRef name)
      : manifest(manifest), codeObject(codeObject), fileName(name), prefix(identifier(name)) {}

  Expected<LaunchStub> run();

private:
  Error collect();
  Error checkSymbols(const Entry &entry);
  Error writeEntry(const Entry &entry);
  void writeArguments(const Entry &entry, StringRef function, ArrayRef<std::string> fields,
                      ArrayRef<std::string> types);
  void writeChooser(const Entry &entry, StringRef function, ArrayRef<std::string> fields);
  void writeCondition(const Twine &where, const Condition &condition, StringRef otherwise);
  void writeWorkspace(const Entry &entry, StringRef function, ArrayRef<std::string> fields);
  void writeWorkspaceCheck(const Entry &entry, const Variant &variant, ArrayRef<std::string> fields);
  void writeLaunch(const Entry &entry, StringRef function, ArrayRef<std::string> fields);
  void writeSymbols(const Entry &entry, ArrayRef<std::string> fields, ArrayRef<StringRef> symbols,
                    StringRef cus);
  void writeBytes();
  std::string substitute(StringRef text) const;

  const Manifest &manifest;
  ArrayRef<char> codeObject;
  StringRef fileName;
  std::string prefix;
  MapVector<StringRef, unsigned> kernels;
  StringSet<> functions;
  std::string headerText, sourceText;
  raw_string_ostream header{headerText}, source{sourceText};
};

/// Puts the prefix in place of '@'.
std::string StubWriter::substitute(StringRef text) const {
  std::string result;
  for (char c : text) {
    if (c == '@')
      result += prefix;
    else
      result += c;
  }
  return result;
}

Error StubWriter::collect() {
  for (const Entry &entry : manifest.entries)
    for (const Variant &variant : entry.variants)
      for (const Launch &launch : variant.launches)
        kernels.insert({launch.kernel, kernels.size()});
  if (kernels.empty())
    return createStringError(
        formatv("launch stub '{0}': the manifest has no kernel to launch", fileName).str());
  return Error::success();
}

Error StubWriter::checkSymbols(const Entry &entry) {
  SmallVector<StringRef> symbols;
  auto add = [&](ArrayRef<Condition> conditions) {
    for (const Condition &condition : conditions)
      condition.expr.collectSymbols(symbols);
  };
  add(entry.conditions);
  for (const Variant &variant : entry.variants) {
    add(variant.conditions);
    variant.workspaceBytes.collectSymbols(symbols);
    for (const Launch &launch : variant.launches)
      for (const Expr &size : launch.grid)
        size.collectSymbols(symbols);
  }
  for (StringRef symbol : symbols) {
    const Argument *argument =
        find_if(entry.arguments, [&](const Argument &a) { return a.name == symbol; }).base();
    bool found = argument != entry.arguments.data() + entry.arguments.size();
    if (!found && symbol != "cus")
      return createStringError(
          formatv("entry '{0}': '{1}' in an expression is neither an argument nor 'cus'", entry.name, symbol)
              .str());
    if (found && !isInteger(*argument))
      return createStringError(formatv("entry '{0}': '{1}' of type '{2}' in an expression is no integer",
                                       entry.name, symbol, argument->type)
                                   .str());
  }
  return Error::success();
}

void StubWriter::writeArguments(const Entry &entry, StringRef function, ArrayRef<std::string> fields,
                                ArrayRef<std::string> types) {
  header << "\n/* " << comment(entry.name) << " */\ntypedef struct " << function << "_args {\n";
  for (auto [i, argument] : enumerate(entry.arguments)) {
    header << "  " << types[i] << fields[i] << "; /* " << comment(argument.name);
    if (!argument.type.empty() && isPointer(argument) && argument.kind != Argument::Kind::Workspace) {
      header << ": ";
      for (int64_t size : argument.shape)
        header << (size < 0 ? "?" : std::to_string(size)) << "x";
      header << comment(argument.type) << (argument.strided ? ", strided" : "");
    } else if (argument.kind == Argument::Kind::Scalar) {
      header << ": " << comment(argument.type);
    }
    header << " */\n";
  }
  if (entry.arguments.empty())
    header << "  char none;\n";
  header << "} " << function << "_args;\n"
         << "int " << function << "_choose(const " << function
         << "_args *args, long long cus, const char **message);\n"
         << "int " << function << "_workspace(const " << prefix << "_module *module, const " << function
         << "_args *args, long long *bytes, const char **message);\n"
         << "int " << function << "_launch(const " << prefix << "_module *module, const " << function
         << "_args *args, void *stream, const char **message);\n";
}

void StubWriter::writeSymbols(const Entry &entry, ArrayRef<std::string> fields, ArrayRef<StringRef> symbols,
                              StringRef cus) {
  source << "  int flag = 0, *bad = &flag;\n  (void)bad;\n";
  StringSet<> written;
  for (StringRef symbol : symbols) {
    if (!written.insert(symbol).second)
      continue;
    source << "  long long " << cSymbol(symbol) << " = ";
    std::string value = cus.str();
    for (auto [i, argument] : enumerate(entry.arguments))
      if (argument.name == symbol)
        value = (isPointer(argument) ? "(long long)(intptr_t)args->" : "(long long)args->") + fields[i];
    source << value << ";\n";
  }
}

/// A condition that does not hold runs `otherwise`.
void StubWriter::writeCondition(const Twine &where, const Condition &condition, StringRef otherwise) {
  source << "  value = " << condition.expr.toC() << ";\n"
         << "  if (flag)\n    return *message = "
         << quoted((where + ", condition '" + condition.text + "': no value in 64 bits").str()) << ", "
         << prefix << "_ARITHMETIC;\n"
         << "  if (!(value " << (condition.equality ? "== 0" : ">= 0") << "))\n    " << otherwise << "\n";
}

void StubWriter::writeChooser(const Entry &entry, StringRef function, ArrayRef<std::string> fields) {
  source << "\nint " << function << "_choose(const " << function
         << "_args *args, long long cus, const char **message) {\n"
         << "  const char *unused;\n  long long value;\n";
  SmallVector<StringRef> symbols;
  for (const Condition &condition : entry.conditions)
    condition.expr.collectSymbols(symbols);
  for (const Variant &variant : entry.variants)
    for (const Condition &condition : variant.conditions)
      condition.expr.collectSymbols(symbols);
  writeSymbols(entry, fields, symbols, "cus");
  source << "  (void)args, (void)cus, (void)value, (void)flag;\n"
         << "  if (!message)\n    message = &unused;\n  *message = \"\";\n";
  for (const Condition &condition : entry.conditions)
    writeCondition("entry '" + entry.name + "'", condition,
                   "return *message = " + quoted("entry '" + entry.name + "': " + condition.text) + ", " +
                       prefix + "_REFUSED;");
  for (auto [i, variant] : enumerate(entry.variants)) {
    bool always = variant.conditions.empty();
    std::string label = formatv("after_{0}", i);
    for (const Condition &condition : variant.conditions)
      writeCondition("entry '" + entry.name + "', variant '" + variant.name + "'", condition,
                     "goto " + label + ";");
    source << "  return " << i << "; /* " << comment(variant.name) << " */\n";
    if (always) { // what follows is never chosen
      source << "}\n";
      return;
    }
    source << label << ":;\n";
  }
  source << "  *message = " << quoted("entry '" + entry.name + "' has no variant for these arguments")
         << ";\n  return " << prefix << "_NO_VARIANT;\n}\n";
}

void StubWriter::writeWorkspace(const Entry &entry, StringRef function, ArrayRef<std::string> fields) {
  source << "\nint " << function << "_workspace(const " << prefix << "_module *module, const " << function
         << "_args *args, long long *bytes, const char **message) {\n"
         << "  const char *unused;\n  int variant;\n  long long value = 0;\n";
  SmallVector<StringRef> symbols;
  for (const Variant &variant : entry.variants)
    variant.workspaceBytes.collectSymbols(symbols);
  writeSymbols(entry, fields, symbols, "module->cus");
  source << "  if (!message)\n    message = &unused;\n"
         << "  variant = " << function << "_choose(args, module->cus, message);\n"
         << "  if (variant < 0)\n    return variant;\n  switch (variant) {\n";
  for (auto [i, variant] : enumerate(entry.variants))
    source << "  case " << i << ":\n    value = " << variant.workspaceBytes.toC() << ";\n    break;\n";
  source << "  }\n  if (flag || value < 0)\n    return *message = "
         << quoted("entry '" + entry.name + "': the size of the workspace has no value in 64 bits") << ", "
         << prefix << "_ARITHMETIC;\n  *bytes = value;\n  return " << prefix << "_OK;\n}\n";
}

/// Kernels move 16 bytes of a workspace at once.
void StubWriter::writeWorkspaceCheck(const Entry &entry, const Variant &variant,
                                     ArrayRef<std::string> fields) {
  if (variant.workspaceBytes.kind == Expr::Kind::Constant && variant.workspaceBytes.constant == 0)
    return;
  for (auto [i, argument] : enumerate(entry.arguments))
    if (argument.kind == Argument::Kind::Workspace)
      source << "    if (" << variant.workspaceBytes.toC() << " > 0 && (!args->" << fields[i]
             << " || (uintptr_t)args->" << fields[i] << " % 16))\n      return *message = "
             << quoted("entry '" + entry.name + "': variant '" + variant.name +
                       "' needs a workspace, aligned to 16 bytes")
             << ", " << prefix << "_REFUSED;\n";
}

void StubWriter::writeLaunch(const Entry &entry, StringRef function, ArrayRef<std::string> fields) {
  source << "\nint " << function << "_launch(const " << prefix << "_module *module, const " << function
         << "_args *args, void *stream, const char **message) {\n";
  unsigned kernargBytes = 8;
  size_t maxLaunches = 1;
  SmallVector<StringRef> symbols;
  for (const Argument &argument : entry.arguments)
    kernargBytes = std::max(kernargBytes, argument.offset + argument.size);
  for (const Variant &variant : entry.variants) {
    maxLaunches = std::max(maxLaunches, variant.launches.size());
    variant.workspaceBytes.collectSymbols(symbols);
    for (const Launch &launch : variant.launches)
      for (const Expr &size : launch.grid)
        size.collectSymbols(symbols);
  }
  source << "  union {\n    long long aligned;\n    unsigned char bytes[" << alignTo(kernargBytes, 8)
         << "];\n  } kernarg;\n"
         << "  lowp_launch launches[" << maxLaunches << "];\n"
         << "  const char *unused;\n  int variant, count = 0;\n";
  writeSymbols(entry, fields, symbols, "module->cus");
  source << "  if (!message)\n    message = &unused;\n"
         << "  variant = " << function << "_choose(args, module->cus, message);\n"
         << "  if (variant < 0)\n    return variant;\n  switch (variant) {\n";
  for (auto [i, variant] : enumerate(entry.variants)) {
    source << "  case " << i << ": /* " << comment(variant.name) << " */\n";
    writeWorkspaceCheck(entry, variant, fields);
    for (const Launch &launch : variant.launches) {
      source << "    launches[count].kernel = " << kernels.lookup(launch.kernel) << "; /* "
             << comment(launch.kernel) << " */\n";
      for (unsigned d = 0; d < 3; ++d)
        source << "    launches[count].grid[" << d << "] = " << launch.grid[d].toC() << ";\n"
               << "    launches[count].block[" << d << "] = " << launch.block[d] << ";\n";
      source << "    launches[count++].lds = " << launch.dynamicLds << ";\n";
    }
    source << "    break;\n";
  }
  source << "  }\n  if (flag)\n    return *message = "
         << quoted("entry '" + entry.name + "': the grid has no value in 64 bits") << ", " << prefix
         << "_ARITHMETIC;\n"
         << "  memset(&kernarg, 0, sizeof kernarg);\n";
  for (auto [i, argument] : enumerate(entry.arguments))
    source << "  memcpy(kernarg.bytes + " << argument.offset << ", &args->" << fields[i] << ", "
           << argument.size << ");\n";
  source << "  return lowp_run(module, launches, count, kernarg.bytes, " << kernargBytes
         << ", stream, message);\n}\n";
}

Error StubWriter::writeEntry(const Entry &entry) {
  if (Error error = checkSymbols(entry))
    return error;
  std::string function = prefix + "_" + identifier(entry.name);
  while (!functions.insert(function).second)
    function += "_";
  std::vector<std::string> fields = fieldNames(entry), types;
  for (const Argument &argument : entry.arguments) {
    if (argument.offset > maxKernargBytes - 8)
      return createStringError(
          formatv("entry '{0}', argument '{1}': offset {2} is beyond the {3} bytes of arguments", entry.name,
                  argument.name, argument.offset, maxKernargBytes)
              .str());
    Expected<std::string> type = cType(entry, argument);
    if (!type)
      return type.takeError();
    types.push_back(*type);
  }
  writeArguments(entry, function, fields, types);
  writeChooser(entry, function, fields);
  writeWorkspace(entry, function, fields);
  writeLaunch(entry, function, fields);
  return Error::success();
}

void StubWriter::writeBytes() {
  source << "\nLOWP_ALIGNED static const unsigned char lowp_code[" << codeObject.size() << "] = {";
  for (size_t i = 0; i < codeObject.size(); ++i)
    source << (i % 24 == 0 ? "\n" : "") << static_cast<unsigned>(static_cast<unsigned char>(codeObject[i]))
           << ",";
  source << "};\n\nstatic const char *const lowp_kernels[" << kernels.size() << "] = {\n";
  for (auto &[kernel, index] : kernels)
    source << "  " << quoted(kernel) << ",\n";
  source << "};\n\nstruct " << prefix
         << "_module {\n  lowp_hip hip;\n  void *module;\n  long long cus;\n  void *functions["
         << kernels.size() << "];\n};\n";
}

Expected<LaunchStub> StubWriter::run() {
  if (codeObject.empty())
    return createStringError(formatv("launch stub '{0}': the code object is empty", fileName).str());
  if (Error error = collect())
    return std::move(error);
  std::string banner = formatv("/* Made by {0} for {1}. Do not edit. */\n", comment(manifest.compiler),
                               comment(manifest.target));
  header << banner << substitute(stub::headerStart);
  source << banner << "#include " << quoted((fileName + ".h").str()) << "\n" << substitute(stub::sourceStart);
  writeBytes();
  source << substitute(stub::sourceRuntime);
  for (const Entry &entry : manifest.entries)
    if (Error error = writeEntry(entry))
      return std::move(error);
  header << substitute(stub::headerEnd);
  return LaunchStub{headerText, sourceText};
}

} // namespace

Expected<LaunchStub> emitLaunchStub(const Manifest &manifest, ArrayRef<char> codeObject, StringRef name) {
  return StubWriter(manifest, codeObject, name).run();
}

} // namespace lowp
