// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's options are global objects; being registered is all that ties them to a command line.

#include "lowp/Driver/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace cl = llvm::cl;

/// All but those named.
static void unregister(llvm::ArrayRef<llvm::StringRef> kept) {
  std::vector<cl::Option *> options;
  for (auto &entry : cl::getRegisteredOptions())
    if (!llvm::is_contained(kept, entry.first))
      options.push_back(entry.second);
  for (cl::Option *option : options)
    option->removeArgument();
}

void lowp::removeLibraryOptions() { unregister({"help", "version"}); }

bool lowp::parseCommandLine(int argc, char **argv, llvm::StringRef overview) {
  bool parsed = cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs());
  unregister({});
  return parsed;
}
