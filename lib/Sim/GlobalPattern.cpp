// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GlobalPattern.h"
#include <algorithm>
#include <cstring>

using namespace lowp::sim;

void GlobalPattern::set(const uint64_t *addresses, unsigned size) {
  low = end = 0;
  runs.clear();
  std::memset(lines, 0, sizeof(lines));
  for (unsigned lane = 0; lane < 64; ++lane) {
    relative[lane] = addresses[lane] - addresses[0];
    low = std::min(low, int64_t(relative[lane]));
    end = std::max(end, int64_t(relative[lane]));
    if (lane && addresses[lane] == addresses[lane - 1] + size)
      ++runs.back().count;
    else
      runs.push_back({uint8_t(lane), 1});
  }
  end += size;
}
