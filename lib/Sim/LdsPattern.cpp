// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LdsPattern.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace lowp::sim;

void LdsPattern::set(const uint32_t *addresses, uint64_t active, unsigned dwords) {
  uint32_t base = baseOf(addresses), any = 0;
  int32_t least = INT32_MAX, largest = INT32_MIN;
  for (unsigned lane = 0; lane < 64; ++lane) {
    relative[lane] = addresses[lane] - base;
    any |= relative[lane];
    least = std::min(least, int32_t(relative[lane]));
    largest = std::max(largest, int32_t(relative[lane]));
  }
  filled = true;
  lanes = active;
  low = least;
  end = int64_t(largest) + 4 * dwords;
  unsigned alignment = dwords == 3 ? 4 : 4 * dwords;
  aligned = active == ~uint64_t(0) && any % alignment == 0;
  parts.clear();
  if (!aligned)
    return;
  for (uint32_t address : relative)
    for (unsigned i = 0; i < dwords; ++i) {
      int32_t at = int32_t(address + 4 * i), block = at >> Log2_32(unit);
      auto known = find_if(reverse(parts), [&](const Part &part) { return part.block == block; });
      Part &part = known == parts.rend() ? parts.emplace_back(Part{block, 0}) : *known;
      part.dwords |= uint64_t(1) << (at / 4 & 63);
    }
}
