// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The addresses of an LDS instruction, and what follows from them. Most instructions repeat theirs, from a
// base that moves, so that all this is worked out once for many executions.
#ifndef LOWP_LIB_SIM_LDSPATTERN_H
#define LOWP_LIB_SIM_LDSPATTERN_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace lowp::sim {

struct LdsPattern {
  /// Bases are multiples of it; of the banks, and of the blocks of LDS (LdsBlock).
  static constexpr uint32_t unit = 256;
  static uint32_t baseOf(const uint32_t *addresses) { return addresses[0] / unit * unit; }

  /// Whether these are the same addresses but for the base.
  bool matches(const uint32_t *addresses, uint64_t active) const {
    uint32_t base = baseOf(addresses), different = 0;
    for (unsigned lane = 0; lane < 64; ++lane)
      different |= relative[lane] ^ (addresses[lane] - base);
    return !different && filled && lanes == active;
  }
  /// Takes these addresses of accesses to so many dwords; the rest is for the caller to fill in.
  void set(const uint32_t *addresses, uint64_t active, unsigned dwords);
  /// Whether all lanes access whole dwords, aligned to the access and inside an allocation of this size.
  bool allFit(uint32_t base, uint32_t size) const {
    return aligned && int64_t(base) + low >= 0 && int64_t(base) + end <= int64_t(size);
  }

  bool filled = false, aligned = false; ///< aligned: and all lanes active
  uint32_t cycles = 0;                  ///< lost to bank conflicts
  int64_t low = 0, end = 0;             ///< of all lanes, from the base
  uint64_t lanes = 0;
  uint32_t relative[64]; ///< to the base

  /// The dwords of one block that the lanes access, when they are aligned.
  struct Part {
    int32_t block; ///< from that of the base
    uint64_t dwords;
  };
  llvm::SmallVector<Part, 16> parts;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_LDSPATTERN_H
