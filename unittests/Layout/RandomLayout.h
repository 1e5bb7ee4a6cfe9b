// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random layouts for property tests. Each case is one seed, which the tests put into their traces.
#ifndef LOWP_UNITTESTS_LAYOUT_RANDOMLAYOUT_H
#define LOWP_UNITTESTS_LAYOUT_RANDOMLAYOUT_H

#include "lowp/Layout/LinearLayout.h"
#include "llvm/Support/MathExtras.h"
#include <random>

namespace lowp {

using Random = std::mt19937;

inline unsigned below(Random &random, unsigned bound) { return random() % bound; }

/// Coordinates with each basis anywhere, zero included; inputs of the given numbers of bits.
inline LinearLayout randomLayout(Random &random, llvm::ArrayRef<std::pair<llvm::StringRef, unsigned>> inputs,
                                 llvm::ArrayRef<int32_t> sizes) {
  std::vector<LinearLayout::Input> result;
  for (auto [name, bits] : inputs) {
    result.push_back({name.str(), {}});
    for (unsigned i = 0; i < bits; ++i) {
      result.back().bases.emplace_back();
      for (int32_t size : sizes)
        result.back().bases.back().push_back(below(random, size));
    }
  }
  return LinearLayout(std::move(result), sizes.vec());
}

inline llvm::SmallVector<int32_t> randomSizes(Random &random, unsigned rank, unsigned maxLog) {
  llvm::SmallVector<int32_t> sizes;
  for (unsigned i = 0; i < rank; ++i)
    sizes.push_back(1 << below(random, maxLog + 1));
  return sizes;
}

/// A bijection from "offset" to a tile of these sizes: random bases until they are independent.
inline LinearLayout randomBijection(Random &random, llvm::ArrayRef<int32_t> sizes) {
  unsigned bits = 0;
  for (int32_t size : sizes)
    bits += llvm::Log2_32(size);
  while (true) {
    LinearLayout layout = randomLayout(random, {{"offset", bits}}, sizes);
    if (layout.isInjective())
      return layout;
  }
}

} // namespace lowp

#endif // LOWP_UNITTESTS_LAYOUT_RANDOMLAYOUT_H
