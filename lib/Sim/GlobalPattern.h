// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The addresses of a global load or store of all lanes, and what follows from them: as LdsPattern, worked out
// once for executions that only differ in the base.
#ifndef LOWP_LIB_SIM_GLOBALPATTERN_H
#define LOWP_LIB_SIM_GLOBALPATTERN_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace lowp::sim {

struct GlobalPattern {
  /// Whether these are the same addresses but for the base, that of lane 0.
  bool matches(const uint64_t *addresses) const {
    uint64_t base = addresses[0], different = 0;
    for (unsigned lane = 0; lane < 64; ++lane)
      different |= relative[lane] ^ (addresses[lane] - base);
    return !different && !runs.empty();
  }
  /// Takes these addresses of accesses of `size` bytes.
  void set(const uint64_t *addresses, unsigned size);

  /// Bytes from the lowest address to the end of the highest access.
  uint64_t span() const { return uint64_t(end - low); }

  int64_t low = 0, end = 0; ///< of all lanes, from the base
  uint64_t relative[64];    ///< to the base

  /// Lanes whose accesses follow each other.
  struct Run {
    uint8_t lane, count;
  };
  llvm::SmallVector<Run, 16> runs; ///< none before the first `set`

  /// Distinct cache lines by the place of the base in its line, 0 where nobody counted yet.
  static constexpr unsigned lineBytes = 128;
  uint8_t lines[lineBytes];
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_GLOBALPATTERN_H
