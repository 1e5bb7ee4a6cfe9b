// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MODE's rounding modes, by the host's: handlers compute with plain arithmetic, so setting the host's mode
// around one makes it round as MODE says. The common mode needs none of this.
#ifndef LOWP_LIB_SIM_ROUNDING_H
#define LOWP_LIB_SIM_ROUNDING_H

#include "Wave.h"

namespace lowp::sim {

/// Puts MODE's rounding and FP16_OVFL in force for one instruction.
class RoundingScope {
public:
  RoundingScope(const Wave &wave, const Inst &inst);
  ~RoundingScope();
  RoundingScope(const RoundingScope &) = delete;
  RoundingScope &operator=(const RoundingScope &) = delete;

private:
  bool changed = false;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_ROUNDING_H
