// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The immediate of s_waitcnt: how much may be in flight afterwards (CDNA3 ISA manual, s_waitcnt).
#ifndef LOWP_LIB_SIM_WAITCOUNTS_H
#define LOWP_LIB_SIM_WAITCOUNTS_H

#include "Inst.h"

namespace lowp::sim {

struct WaitCounts {
  unsigned vm, lgkm;
  /// The largest values, which are no waits.
  static constexpr unsigned noVm = 63, noLgkm = 15;
};

inline WaitCounts waitCounts(const Inst &inst) {
  return {(inst.simm & 15) | (inst.simm >> 10 & 0x30), inst.simm >> 8 & 15};
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_WAITCOUNTS_H
