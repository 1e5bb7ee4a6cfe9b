// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manifest::fromJSON. A launcher trusts what stands here, so nothing is guessed: no default values, no
// unknown fields, no newer format. The text may come from anywhere: its nesting is bounded before LLVM's
// recursive parser sees it.
#include "ManifestReader.h"
#include "ManifestKinds.h"
#include "lowp/CodeObject/Json.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace llvm;

namespace lowp {

bool ManifestReader::fail(const Twine &path, const Twine &message) {
  error = (path + ": " + message).str();
  return false;
}

bool ManifestReader::fail(const Twine &path, const Twine &expected, const json::Value &found) {
  std::string text;
  raw_string_ostream(text) << found;
  if (text.size() > 60)
    text = text.substr(0, 57) + "...";
  return fail(path, "expected " + expected + ", but got " + text);
}

const json::Object *ManifestReader::object(const json::Value &value, ArrayRef<StringRef> keys,
                                           const Twine &path) {
  const json::Object *result = value.getAsObject();
  if (!result) {
    fail(path, "an object", value);
    return nullptr;
  }
  std::vector<StringRef> unknown;
  for (const auto &member : *result)
    if (!is_contained(keys, StringRef(member.first)))
      unknown.push_back(member.first);
  if (!unknown.empty()) { // the map has no order of its own
    fail(path, formatv("unknown field '{0}'", *std::min_element(unknown.begin(), unknown.end())));
    return nullptr;
  }
  return result;
}

template <typename T>
bool ManifestReader::field(const json::Object &object, StringRef key, T &result, const Twine &path) {
  const json::Value *value = object.get(key);
  if (!value)
    return fail(path, formatv("field '{0}' is missing", key));
  return read(*value, result, path + "." + key);
}

template <typename T>
bool ManifestReader::read(const json::Value &value, std::vector<T> &result, const Twine &path) {
  const json::Array *array = value.getAsArray();
  if (!array)
    return fail(path, "an array", value);
  result.resize(array->size());
  for (size_t i = 0; i < array->size(); ++i)
    if (!read((*array)[i], result[i], path + "[" + Twine(i) + "]"))
      return false;
  return true;
}

template <typename T, size_t N>
bool ManifestReader::read(const json::Value &value, T (&result)[N], const Twine &path) {
  const json::Array *array = value.getAsArray();
  if (!array || array->size() != N)
    return fail(path, "an array of " + Twine(N), value);
  for (size_t i = 0; i < N; ++i)
    if (!read((*array)[i], result[i], path + "[" + Twine(i) + "]"))
      return false;
  return true;
}

bool ManifestReader::read(const json::Value &value, std::string &result, const Twine &path) {
  std::optional<StringRef> text = value.getAsString();
  if (!text)
    return fail(path, "a string", value);
  result = text->str();
  return true;
}

bool ManifestReader::read(const json::Value &value, bool &result, const Twine &path) {
  std::optional<bool> flag = value.getAsBoolean();
  if (!flag)
    return fail(path, "true or false", value);
  result = *flag;
  return true;
}

bool ManifestReader::read(const json::Value &value, int64_t &result, const Twine &path) {
  std::optional<int64_t> number = value.getAsInteger();
  if (!number)
    return fail(path, "an integer", value);
  result = *number;
  return true;
}

bool ManifestReader::read(const json::Value &value, unsigned &result, const Twine &path) {
  std::optional<int64_t> number = value.getAsInteger();
  if (!number || *number < 0 || *number > std::numeric_limits<unsigned>::max())
    return fail(path, "an integer from 0 to 4294967295", value);
  result = *number;
  return true;
}

bool ManifestReader::read(const json::Value &value, Argument::Kind &result, const Twine &path) {
  std::optional<StringRef> name = value.getAsString();
  for (const auto &kind : argumentKinds) {
    if (name && kind.name == *name) {
      result = kind.kind;
      return true;
    }
  }
  return fail(path, "'input', 'scalar', 'result', 'dimension', 'stride' or 'workspace'", value);
}

bool ManifestReader::read(const json::Value &value, Condition &result, const Twine &path) {
  const json::Object *o = object(value, {"expr", "test", "text"}, path);
  std::string test;
  if (!o || !field(*o, "expr", result.expr, path) || !field(*o, "test", test, path) ||
      !field(*o, "text", result.text, path))
    return false;
  if (test != equalityTest && test != atLeastTest)
    return fail(path + ".test", "'" + equalityTest + "' or '" + atLeastTest + "'", *o->get("test"));
  result.equality = test == equalityTest;
  return true;
}

bool ManifestReader::read(const json::Value &value, Argument &result, const Twine &path) {
  const json::Object *o =
      object(value, {"kind", "name", "type", "shape", "sizes", "strided", "offset", "size"}, path);
  if (!o || !field(*o, "kind", result.kind, path) || !field(*o, "name", result.name, path) ||
      !field(*o, "type", result.type, path) || !field(*o, "shape", result.shape, path) ||
      !field(*o, "sizes", result.sizes, path) || !field(*o, "strided", result.strided, path) ||
      !field(*o, "offset", result.offset, path) || !field(*o, "size", result.size, path))
    return false;
  for (size_t i = 0; i < result.shape.size(); ++i)
    if (result.shape[i] < -1)
      return fail(path + ".shape[" + Twine(i) + "]", "a size or -1", result.shape[i]);
  if (!result.sizes.empty() && result.sizes.size() != result.shape.size())
    return fail(path + ".sizes",
                formatv("expected none or {0}, but got {1}", result.shape.size(), result.sizes.size()));
  return true;
}

bool ManifestReader::read(const json::Value &value, Launch &result, const Twine &path) {
  const json::Object *o = object(value,
                                 {"kernel", "grid", "block", "dynamicLds", "vgprs", "agprs", "sgprs", "lds",
                                  "scratch", "vgprSpills", "sgprSpills"},
                                 path);
  if (!o || !field(*o, "kernel", result.kernel, path) || !field(*o, "grid", result.grid, path) ||
      !field(*o, "block", result.block, path) || !field(*o, "dynamicLds", result.dynamicLds, path) ||
      !field(*o, "vgprs", result.vgprs, path) || !field(*o, "agprs", result.agprs, path) ||
      !field(*o, "sgprs", result.sgprs, path) || !field(*o, "lds", result.lds, path) ||
      !field(*o, "scratch", result.scratch, path) || !field(*o, "vgprSpills", result.vgprSpills, path) ||
      !field(*o, "sgprSpills", result.sgprSpills, path))
    return false;
  for (unsigned i = 0; i < 3; ++i)
    if (result.block[i] == 0)
      return fail(path + ".block[" + Twine(i) + "]", "a positive size", 0);
  return true;
}

bool ManifestReader::read(const json::Value &value, Variant &result, const Twine &path) {
  const json::Object *o =
      object(value, {"name", "schedule", "conditions", "launches", "workspaceBytes"}, path);
  return o && field(*o, "name", result.name, path) && field(*o, "schedule", result.schedule, path) &&
         field(*o, "conditions", result.conditions, path) && field(*o, "launches", result.launches, path) &&
         field(*o, "workspaceBytes", result.workspaceBytes, path);
}

bool ManifestReader::read(const json::Value &value, Entry &result, const Twine &path) {
  const json::Object *o = object(value, {"name", "arguments", "conditions", "variants", "problem"}, path);
  return o && field(*o, "name", result.name, path) && field(*o, "arguments", result.arguments, path) &&
         field(*o, "conditions", result.conditions, path) && field(*o, "variants", result.variants, path) &&
         field(*o, "problem", result.problem, path);
}

bool ManifestReader::read(const json::Value &value, Manifest &result, const Twine &path) {
  // The version comes first: a newer format may have fields that this one does not know.
  const json::Object *o = value.getAsObject();
  if (!o)
    return fail(path, "an object", value);
  unsigned version = 0;
  if (!field(*o, "formatVersion", version, path))
    return false;
  if (version != Manifest::formatVersion)
    return fail(path + ".formatVersion", formatv("this version of lowp reads format {0}, but got {1}",
                                                 Manifest::formatVersion, version));
  if (!object(value, {"formatVersion", "compiler", "target", "inputHash", "entries"}, path))
    return false;
  if (!field(*o, "compiler", result.compiler, path) || !field(*o, "target", result.target, path) ||
      !field(*o, "inputHash", result.inputHash, path) || !field(*o, "entries", result.entries, path))
    return false;
  for (size_t i = 0; i < result.entries.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (result.entries[i].name == result.entries[j].name)
        return fail(path + ".entries[" + Twine(i) + "].name",
                    formatv("two entries have the name '{0}'", result.entries[i].name));
  return true;
}

Expected<Manifest> Manifest::fromJSON(StringRef text) {
  Expected<json::Value> value = parseJson(text);
  if (!value)
    return createStringError("manifest: " + toString(value.takeError()));
  ManifestReader reader;
  Manifest result;
  if (!reader.read(*value, result, "manifest"))
    return reader.takeError();
  return result;
}

} // namespace lowp
