// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chips that Target::get knows, one file each.
#ifndef LOWP_LIB_TARGET_CHIPS_H
#define LOWP_LIB_TARGET_CHIPS_H

#include "lowp/Target/Target.h"

namespace lowp {
const Target &gfx942();
const Target &gfx950();
} // namespace lowp

#endif // LOWP_LIB_TARGET_CHIPS_H
