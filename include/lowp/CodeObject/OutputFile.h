// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output files that are there whole or not at all: written beside their place under a temporary name and
// renamed.
#ifndef LOWP_CODEOBJECT_OUTPUTFILE_H
#define LOWP_CODEOBJECT_OUTPUTFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <string>
#include <vector>

namespace lowp {

struct OutputFile {
  std::string path;
  std::vector<char> bytes;
};

/// A file whose bytes need not lie in memory together.
struct StreamedFile {
  std::string path;
  std::function<void(llvm::raw_ostream &)> write;
};

/// "-" is the standard output. What is no regular file (a device, a pipe) is written in place; a link's
/// target is replaced, not the link. None takes its name before all are whole.
llvm::Error writeFilesAtomically(llvm::ArrayRef<OutputFile> files);
llvm::Error writeFilesAtomically(llvm::ArrayRef<StreamedFile> files);
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::ArrayRef<char> bytes);
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef text);

} // namespace lowp

#endif // LOWP_CODEOBJECT_OUTPUTFILE_H
