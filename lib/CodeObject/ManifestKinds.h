// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of the manifest's JSON that its writer and its reader share.
#ifndef LOWP_LIB_CODEOBJECT_MANIFESTKINDS_H
#define LOWP_LIB_CODEOBJECT_MANIFESTKINDS_H

#include "lowp/CodeObject/Manifest.h"

namespace lowp {

struct ArgumentKindName {
  Argument::Kind kind;
  llvm::StringLiteral name;
};

inline constexpr ArgumentKindName argumentKinds[] = {
    {Argument::Kind::Input, "input"},   {Argument::Kind::Scalar, "scalar"},
    {Argument::Kind::Result, "result"}, {Argument::Kind::Dimension, "dimension"},
    {Argument::Kind::Stride, "stride"}, {Argument::Kind::Workspace, "workspace"},
};

inline constexpr llvm::StringLiteral equalityTest = "== 0";
inline constexpr llvm::StringLiteral atLeastTest = ">= 0";

} // namespace lowp

#endif // LOWP_LIB_CODEOBJECT_MANIFESTKINDS_H
