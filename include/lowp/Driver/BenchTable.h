// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CSV table of lowp-bench: hipblaslt-bench's columns that describe the problem, then what lowp knows of
// the kernel and of its run. Times are left out: there is no device.
#ifndef LOWP_DRIVER_BENCHTABLE_H
#define LOWP_DRIVER_BENCHTABLE_H

#include "lowp/Driver/Hipblaslt.h"
#include "lowp/Driver/Verify.h"
#include <string>

namespace lowp {

/// Both end in a newline.
std::string benchHeader();
/// `verified` is false if the results were not compared.
std::string benchRow(const HipblasltProblem &problem, llvm::StringRef target, const VerifyRun &run,
                     bool verified);

} // namespace lowp

#endif // LOWP_DRIVER_BENCHTABLE_H
