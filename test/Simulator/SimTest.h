// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of sim-test.
#ifndef LOWP_TEST_SIMULATOR_SIMTEST_H
#define LOWP_TEST_SIMULATOR_SIMTEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace lowp::sim::test {

/// Exit codes: what was asked for holds, does not hold, and a command line that makes no sense.
constexpr int success = 0, failure = 1, badUsage = 2;
int usage(const llvm::Twine &message);

int runMutations(llvm::ArrayRef<llvm::StringRef> arguments);
int runMalformed(llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace lowp::sim::test

#endif // LOWP_TEST_SIMULATOR_SIMTEST_H
