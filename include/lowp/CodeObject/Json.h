// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON from files that anybody may have written. LLVM's parser recurses once for each level of nesting, so a
// file of brackets would end the process.
#ifndef LOWP_CODEOBJECT_JSON_H
#define LOWP_CODEOBJECT_JSON_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace lowp {

/// As llvm::json::parse, but more than 200 levels of nesting are an error.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace lowp

#endif // LOWP_CODEOBJECT_JSON_H
