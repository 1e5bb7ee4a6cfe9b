// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines of the tools, over llvm::cl in a process that also holds LLVM's libraries with options of
// their own.
#ifndef LOWP_DRIVER_COMMANDLINE_H
#define LOWP_DRIVER_COMMANDLINE_H

#include "llvm/ADT/StringRef.h"

namespace lowp {

/// Takes the options that LLVM's libraries registered for themselves (-stop-after, -print-after and some
/// thousand more) off the command line, so that a tool has its own only, under whatever names. Call before
/// the tool's options are constructed.
void removeLibraryOptions();

/// Parses; false if the command line is wrong, which has been said on standard error then. Afterwards nothing
/// is registered any more: lld, when it links, sets every registered option back to its default.
bool parseCommandLine(int argc, char **argv, llvm::StringRef overview);

} // namespace lowp

#endif // LOWP_DRIVER_COMMANDLINE_H
