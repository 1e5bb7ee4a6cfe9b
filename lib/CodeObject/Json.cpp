// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nesting is counted before LLVM's parser sees the text.
#include "lowp/CodeObject/Json.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace lowp {

/// The depth of arrays and objects.
static unsigned nesting(StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!quoted && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return deepest;
}

Expected<json::Value> parseJson(StringRef text) {
  constexpr unsigned maxNesting = 200;
  if (unsigned depth = nesting(text); depth > maxNesting)
    return createStringError(
        formatv("{0} levels of nesting, but at most {1} are accepted", depth, maxNesting).str());
  return json::parse(text);
}

} // namespace lowp
