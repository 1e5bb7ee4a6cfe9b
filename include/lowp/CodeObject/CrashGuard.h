// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard around those parts of LLVM that take their input for granted: the back end and the linker, the
// readers and disassemblers of code objects of unknown origin.
#ifndef LOWP_CODEOBJECT_CRASHGUARD_H
#define LOWP_CODEOBJECT_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace lowp {

/// Runs `body` with LLVM's fatal errors and crashes turned into an Error. Where it returns with `crashed`
/// set, what the body has built may be in any state: it must be leaked, not destroyed.
llvm::Error runGuarded(llvm::StringRef what, bool &crashed, llvm::function_ref<llvm::Error()> body);

} // namespace lowp

#endif // LOWP_CODEOBJECT_CRASHGUARD_H
