// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest inside the code object: the text of `NAME.json` as the section .lowp.manifest, which no loader
// maps.
#ifndef LOWP_CODEOBJECT_MANIFESTSECTION_H
#define LOWP_CODEOBJECT_MANIFESTSECTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace lowp {

/// The code object with this manifest in place of any that it had.
llvm::Expected<std::vector<char>> addManifestSection(llvm::ArrayRef<char> hsaco, llvm::StringRef manifest);

/// None if the code object has no manifest; an error if it is no ELF file.
llvm::Expected<std::optional<std::string>> readManifestSection(llvm::ArrayRef<char> hsaco);

} // namespace lowp

#endif // LOWP_CODEOBJECT_MANIFESTSECTION_H
