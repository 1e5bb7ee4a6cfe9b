// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of loads on their way to LDS: every element is held, by one lane unless the tile is too small, and
// both accesses get their vectors.

#include "lowp/Layout/LoadLayouts.h"
#include "RandomLayout.h"
#include "lowp/Layout/TileLayouts.h"

#include <gtest/gtest.h>

using namespace lowp;

TEST(LoadLayouts, DealtFollowsMemory) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    LinearLayout memory = randomBijection(random, {64, 32, 4});
    for (unsigned waves : {1, 2, 4}) {
      LinearLayout layout = dealtLayout(memory, 8, waves);
      EXPECT_EQ(layout.inputSize("register"), int32_t(8192 / 64 / waves));
      for (uint32_t offset : {0u, 1u, 7u, 8u, 511u, 512u, 1234u, 8191u}) {
        int32_t lane = offset / 8 % 64, wave = offset / 512 % waves;
        int32_t reg = offset % 8 + offset / 512 / waves * 8;
        EXPECT_EQ(layout.apply({{"register", reg}, {"lane", lane}, {"wave", wave}}),
                  memory.apply({{"offset", int32_t(offset)}}));
      }
    }
  }
}

TEST(LoadLayouts, DealtSmallTileLeavesCopies) {
  LinearLayout layout = dealtLayout(tileOrder({4, 8}, 1), 4, 4);
  EXPECT_EQ(layout.str(),
            "{register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [0, 0], [0, 0], [0, 0]], "
            "wave = [[0, 0], [0, 0]]} -> [4, 8]");
}

TEST(LoadLayouts, TransposedHasBothVectors) {
  struct Case {
    std::vector<int32_t> shape;
    unsigned from, to, fromRun, waves, fromBits, toBits; ///< what each access has to reach, 8-bit elements
  };
  for (const Case &c : {Case{{128, 256}, 1, 0, 256, 8, 32, 128}, Case{{128, 256}, 0, 1, 128, 8, 32, 128},
                        Case{{64, 256}, 1, 0, 64, 8, 32, 64}, Case{{64, 64}, 1, 0, 64, 8, 32, 16},
                        Case{{4, 64, 128}, 2, 1, 128, 4, 32, 128}, Case{{16, 16}, 0, 1, 16, 4, 8, 8},
                        Case{{2, 512}, 0, 1, 2, 1, 32, 64}}) {
    LinearLayout layout = transposedLoadLayout(c.shape, c.from, c.to, 4, 16, c.fromRun, c.waves);
    SCOPED_TRACE(layout.str());
    EXPECT_TRUE(layout.isSurjective());
    uint64_t elements = 1;
    for (int32_t size : c.shape)
      elements *= size;
    EXPECT_EQ(uint64_t(layout.inputSize("register")), std::max<uint64_t>(1, elements / (64 * c.waves)));
    EXPECT_EQ(widestAccess(layout, tileOrder(c.shape, c.from), 8, 32).bits, c.fromBits);
    EXPECT_EQ(widestAccess(layout, tileOrder(c.shape, c.to), 8, 128).bits, c.toBits);
  }
}

/// The lanes of a wave lie next to each other along memory as far as `fromRun`.
TEST(LoadLayouts, TransposedRuns) {
  LinearLayout layout = transposedLoadLayout({128, 256}, 1, 0, 4, 16, 64, 4);
  EXPECT_EQ(layout.str(), "{register = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [0, 128]], lane = "
                          "[[0, 4], [0, 8], [0, 16], "
                          "[0, 32], [16, 0], [32, 0]], wave = [[64, 0], [0, 64]]} -> [128, 256]");
}
