// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file with code objects for several chips, in the format of clang-offload-bundler that HIP's
// hipModuleLoadData takes
// ("Clang Offload Bundler", section "Bundled Code Object Layout", in Clang's documentation; uncompressed).
#ifndef LOWP_CODEOBJECT_OFFLOADBUNDLE_H
#define LOWP_CODEOBJECT_OFFLOADBUNDLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace lowp {

struct BundledCodeObject {
  std::string chip; ///< as LLVM's -mcpu
  std::vector<char> hsaco;
};

/// An empty host entry, then one entry a chip, in the order given; a chip must not occur twice.
llvm::Expected<std::vector<char>> writeOffloadBundle(llvm::ArrayRef<BundledCodeObject> codeObjects);

bool isOffloadBundle(llvm::ArrayRef<char> file);

/// The entries of a bundle that hold code for AMD GPUs.
llvm::Expected<std::vector<BundledCodeObject>> readOffloadBundle(llvm::ArrayRef<char> file);

} // namespace lowp

#endif // LOWP_CODEOBJECT_OFFLOADBUNDLE_H
