// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest as JSON, and the choice of a variant. The text is the same for the same manifest: llvm::json
// prints the keys of an object in sorted order.
#include "lowp/CodeObject/Manifest.h"
#include "ManifestKinds.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace lowp {

static json::Value toJSON(const Condition &condition) {
  return json::Object{{"expr", condition.expr.toJSON()},
                      {"test", condition.equality ? equalityTest : atLeastTest},
                      {"text", json::fixUTF8(condition.text)}};
}

static json::Value toJSON(const Argument &argument) {
  StringRef kind;
  for (const ArgumentKindName &name : argumentKinds)
    if (name.kind == argument.kind)
      kind = name.name;
  json::Array sizes;
  for (const Expr &size : argument.sizes)
    sizes.push_back(size.toJSON());
  return json::Object{{"kind", kind},
                      {"name", json::fixUTF8(argument.name)},
                      {"type", json::fixUTF8(argument.type)},
                      {"shape", json::Array(argument.shape)},
                      {"sizes", std::move(sizes)},
                      {"strided", argument.strided},
                      {"offset", argument.offset},
                      {"size", argument.size}};
}

static json::Value toJSON(const Launch &launch) {
  return json::Object{
      {"kernel", json::fixUTF8(launch.kernel)},
      {"grid", json::Array{launch.grid[0].toJSON(), launch.grid[1].toJSON(), launch.grid[2].toJSON()}},
      {"block", json::Array{launch.block[0], launch.block[1], launch.block[2]}},
      {"dynamicLds", launch.dynamicLds},
      {"vgprs", launch.vgprs},
      {"agprs", launch.agprs},
      {"sgprs", launch.sgprs},
      {"lds", launch.lds},
      {"scratch", launch.scratch},
      {"vgprSpills", launch.vgprSpills},
      {"sgprSpills", launch.sgprSpills}};
}

template <typename T> static json::Array listToJSON(const std::vector<T> &list) {
  json::Array result;
  for (const T &element : list)
    result.push_back(toJSON(element));
  return result;
}

static json::Value toJSON(const Variant &variant) {
  return json::Object{{"name", json::fixUTF8(variant.name)},
                      {"schedule", json::fixUTF8(variant.schedule)},
                      {"conditions", listToJSON(variant.conditions)},
                      {"launches", listToJSON(variant.launches)},
                      {"workspaceBytes", variant.workspaceBytes.toJSON()}};
}

static json::Value toJSON(const Entry &entry) {
  return json::Object{{"name", json::fixUTF8(entry.name)},
                      {"arguments", listToJSON(entry.arguments)},
                      {"conditions", listToJSON(entry.conditions)},
                      {"variants", listToJSON(entry.variants)},
                      {"problem", json::fixUTF8(entry.problem)}};
}

json::Value Manifest::toJSON() const {
  return json::Object{{"formatVersion", formatVersion},
                      {"compiler", json::fixUTF8(compiler)},
                      {"target", json::fixUTF8(target)},
                      {"inputHash", json::fixUTF8(inputHash)},
                      {"entries", listToJSON(entries)}};
}

std::string Manifest::toText() const { return formatv("{0:2}\n", toJSON()).str(); }

const Entry *Manifest::find(StringRef entry) const {
  for (const Entry &candidate : entries)
    if (candidate.name == entry)
      return &candidate;
  return nullptr;
}

Expected<bool> holds(const Condition &condition, const Expr::Values &values) {
  Expected<int64_t> value = condition.expr.evaluate(values);
  if (!value)
    return value.takeError();
  return condition.equality ? *value == 0 : *value >= 0;
}

Expected<const Variant *> chooseVariant(const Entry &entry, const Expr::Values &values) {
  for (const Condition &condition : entry.conditions) {
    Expected<bool> result = holds(condition, values);
    if (!result)
      return createStringError(formatv("entry '{0}', condition '{1}': {2}", entry.name, condition.text,
                                       toString(result.takeError()))
                                   .str());
    if (!*result)
      return createStringError(formatv("entry '{0}': {1}", entry.name, condition.text).str());
  }
  const Condition *lastBroken = nullptr;
  for (const Variant &variant : entry.variants) {
    bool all = true;
    for (const Condition &condition : variant.conditions) {
      Expected<bool> result = holds(condition, values);
      if (!result)
        return createStringError(formatv("entry '{0}', variant '{1}', condition '{2}': {3}", entry.name,
                                         variant.name, condition.text, toString(result.takeError()))
                                     .str());
      if (!*result) {
        all = false;
        lastBroken = &condition;
        break;
      }
    }
    if (all)
      return &variant;
  }
  if (!lastBroken)
    return createStringError(formatv("entry '{0}' has no variants", entry.name).str());
  return createStringError(
      formatv("entry '{0}' has no variant for these arguments; the last one, '{1}', wants: {2}", entry.name,
              entry.variants.back().name, lastBroken->text)
          .str());
}

} // namespace lowp
