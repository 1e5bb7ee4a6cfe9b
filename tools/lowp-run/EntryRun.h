// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an entry of one of our own code objects, from its manifest alone: arguments come from files, or are
// generated.
#ifndef LOWP_TOOLS_LOWP_RUN_ENTRYRUN_H
#define LOWP_TOOLS_LOWP_RUN_ENTRYRUN_H

#include "lowp/Driver/Launcher.h"

namespace lowp {

struct EntryRunOptions {
  std::string entry;                    ///< empty: the only one
  std::string variant;                  ///< empty: the chooser's
  std::map<std::string, int64_t> sizes; ///< "a.0" -> 33
  std::map<std::string, std::string>
      inputs; ///< argument -> file of its packed bytes, or the value of a scalar
  std::map<std::string, std::string> outputs; ///< result -> file
  uint64_t seed = 1;
  sim::Options simulator;
};

/// The code object carries its manifest. Dynamic sizes have to be given.
llvm::Expected<LaunchOutcome> runEntry(llvm::ArrayRef<char> codeObject, const Manifest &manifest,
                                       const EntryRunOptions &options);

/// The manifest inside a code object, an error if there is none.
llvm::Expected<Manifest> manifestOf(llvm::ArrayRef<char> codeObject);

} // namespace lowp

#endif // LOWP_TOOLS_LOWP_RUN_ENTRYRUN_H
