// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch stub: C source with the code object in it that chooses a variant and launches it through HIP's
// module API. It depends on the C library alone: HIP is opened at run time (dlopen), so neither building nor
// linking needs ROCm. The chooser comes out of the manifest's own expressions (Expr::toC) and takes the
// variant that chooseVariant takes.
#ifndef LOWP_CODEOBJECT_LAUNCHSTUB_H
#define LOWP_CODEOBJECT_LAUNCHSTUB_H

#include "lowp/CodeObject/Manifest.h"

namespace lowp {

struct LaunchStub {
  std::string header; ///< `NAME.h`
  std::string source; ///< `NAME.c`, which includes "NAME.h"
};

/// `codeObject` is an HSACO or an offload bundle with one of this manifest's target. Every identifier starts
/// with `name`, with what C does not allow in identifiers replaced by '_'.
llvm::Expected<LaunchStub> emitLaunchStub(const Manifest &manifest, llvm::ArrayRef<char> codeObject,
                                          llvm::StringRef name);

} // namespace lowp

#endif // LOWP_CODEOBJECT_LAUNCHSTUB_H
