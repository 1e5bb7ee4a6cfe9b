// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of memory accesses against the layouts they come from, and the coalesced distribution.

#include "RandomLayout.h"
#include "lowp/Layout/TileLayouts.h"

#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <set>

using namespace lowp;

using Coords = llvm::SmallVector<int32_t>;

/// Whether the registers of one access are neighbours in memory, aligned to their number.
static void checkPlan(const AccessPlan &plan, const LinearLayout &registers, const LinearLayout &memory) {
  ASSERT_NE(plan.bits, 0u);
  EXPECT_EQ(plan.vectorBits.size() + plan.iterationBits.size(), registers.inputBits("register"));
  for (int32_t reg = 0; reg < registers.inputSize("register"); ++reg)
    for (int32_t lane = 0; lane < registers.inputSize("lane"); ++lane)
      for (int32_t wave = 0; wave < registers.inputSize("wave"); ++wave) {
        uint32_t offset = plan.offset(reg, lane, wave);
        ASSERT_EQ(memory.apply({{"offset", int32_t(offset)}}),
                  registers.apply({{"register", reg}, {"lane", lane}, {"wave", wave}}));
        uint32_t inside = 0, base = reg;
        for (auto [bit, registerBit] : llvm::enumerate(plan.vectorBits)) {
          inside |= (reg >> registerBit & 1) << bit;
          base &= ~(1u << registerBit);
        }
        uint32_t start = plan.offset(base, lane, wave);
        ASSERT_EQ(start % (1u << plan.vectorBits.size()), 0u);
        ASSERT_EQ(offset, start + inside);
      }
}

TEST(AccessPlan, RandomLayouts) {
  unsigned vectors = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    llvm::SmallVector<int32_t> sizes = randomSizes(random, 2, 3);
    LinearLayout memory = randomBijection(random, sizes);
    // Registers that hold some offset bits plainly, in any order, and lanes and waves anywhere; vectors come
    // about.
    unsigned bits = memory.inputBits("offset"), plain = below(random, bits + 1);
    llvm::SmallVector<int32_t> order;
    for (unsigned bit = 0; bit < plain; ++bit)
      order.push_back(1 << bit);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<LinearLayout::Input> inputs{{"register", {}}, {"lane", {}}, {"wave", {}}};
    for (int32_t offset : order)
      inputs[0].bases.push_back({offset});
    for (LinearLayout::Input &input : inputs)
      for (unsigned i = 0; i < below(random, 3); ++i)
        input.bases.push_back(
            {int32_t(below(random, 1 << bits) & ~(below(random, 2) ? (1u << plain) - 1 : 0))});
    LinearLayout registers = LinearLayout(inputs, {1 << bits}).compose(memory);
    AccessPlan plan = planAccess(registers, memory, 8, 64);
    EXPECT_LE(plan.bits, 64u);
    EXPECT_EQ(plan.bits, 8u << plan.vectorBits.size());
    checkPlan(plan, registers, memory);
    vectors += plan.vectorBits.size() > 1;
  }
  EXPECT_GT(vectors, 20u);
}

TEST(AccessPlan, WidthByHand) {
  LinearLayout memory = tileOrder({8, 16}, 1);
  auto width = [&](std::vector<std::vector<int32_t>> reg, std::vector<std::vector<int32_t>> lane,
                   unsigned bits, unsigned maxBits) {
    return widestAccess(LinearLayout({{"register", reg}, {"lane", lane}}, {8, 16}), memory, bits, maxBits);
  };
  // In order, out of order, and cut by the limit.
  EXPECT_EQ(width({{0, 1}, {0, 2}, {0, 4}}, {{1, 0}, {0, 8}}, 8, 128).bits, 64u);
  VectorAccess mixed = width({{0, 2}, {1, 0}, {0, 1}}, {{0, 4}, {2, 0}}, 16, 128);
  EXPECT_EQ(mixed.bits, 64u);
  EXPECT_EQ(mixed.registerBits, (llvm::SmallVector<unsigned>{2, 0}));
  EXPECT_EQ(width({{0, 1}, {0, 2}, {0, 4}}, {}, 32, 128).bits, 128u);
  EXPECT_EQ(width({{0, 1}, {0, 2}, {0, 4}, {0, 8}}, {}, 6, 128).bits, 96u);
  // A lane that moves bit 1, a register bit that is a sum, two register bits that share one: all stop the
  // vector.
  EXPECT_EQ(width({{0, 1}, {0, 2}}, {{1, 2}}, 8, 128).bits, 16u);
  EXPECT_EQ(width({{0, 1}, {1, 2}}, {}, 8, 128).bits, 16u);
  EXPECT_EQ(width({{0, 1}, {0, 2}, {4, 2}}, {}, 8, 128).bits, 16u);
  EXPECT_EQ(width({{0, 2}, {0, 4}}, {}, 8, 128).bits, 8u);
  EXPECT_EQ(width({{0, 1}, {0, 1}}, {}, 8, 128).bits, 8u);
  // Another shape has no plan.
  EXPECT_EQ(planAccess(LinearLayout::identity("register", 8, 0, 2), memory, 8, 128).bits, 0u);
}

TEST(AccessPlan, VariableBits) {
  LinearLayout memory = tileOrder({8, 16}, 1);
  LinearLayout registers(
      {{"register", {{0, 1}, {2, 0}, {4, 2}}}, {"lane", {{0, 2}, {1, 0}}}, {"wave", {{0, 0}}}}, {8, 16});
  AccessPlan plan = planAccess(registers, memory, 8, 128);
  EXPECT_EQ(plan.variableBits(), 0x12u);
  EXPECT_EQ(plan.registerOffsets, (llvm::SmallVector<uint32_t>{1, 32, 66}));
  EXPECT_EQ(plan.iterationBits, (llvm::SmallVector<unsigned>{1, 2}));
  EXPECT_EQ(plan.waveOffsets, (llvm::SmallVector<uint32_t>{0}));
}

TEST(TileOrder, OtherDimensionsFromTheLast) {
  EXPECT_EQ(tileOrder({2, 4, 8}, 2).str(),
            "{offset = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [1, 0, 0]]} -> [2, 4, 8]");
  EXPECT_EQ(tileOrder({2, 4, 8}, 1).str(),
            "{offset = [[0, 1, 0], [0, 2, 0], [0, 0, 1], [0, 0, 2], [0, 0, 4], [1, 0, 0]]} -> [2, 4, 8]");
}

TEST(BlockedLayout, DealsOutOffsets) {
  struct Case {
    llvm::SmallVector<int32_t> shape;
    unsigned contiguous, vector, waves;
  };
  const Case table[] = {{{256, 128}, 1, 16, 4}, {{128, 256}, 0, 16, 8}, {{2, 64, 64}, 2, 8, 4},
                        {{16, 16}, 1, 4, 4},    {{8, 4}, 1, 16, 2},     {{64, 1}, 1, 4, 1}};
  for (const Case &c : table) {
    LinearLayout layout = blockedLayout(c.shape, c.contiguous, c.vector, c.waves);
    SCOPED_TRACE(layout.str());
    LinearLayout order = tileOrder(c.shape, c.contiguous);
    ASSERT_EQ(layout.outSizes(), llvm::ArrayRef<int32_t>(c.shape));
    ASSERT_EQ(layout.inputSize("lane"), 64);
    ASSERT_EQ(layout.inputSize("wave"), int32_t(c.waves));
    EXPECT_EQ(layout.inputs()[0].name, "register");
    int32_t vector = std::min<int32_t>(c.vector, c.shape[c.contiguous]);
    int32_t total = order.inputSize("offset");
    for (int32_t reg = 0; reg < layout.inputSize("register"); ++reg)
      for (int32_t lane = 0; lane < 64; ++lane)
        for (int32_t wave = 0; wave < int32_t(c.waves); ++wave) {
          // One instruction of the workgroup covers a piece; what does not fit starts anew.
          int32_t offset = reg % vector + vector * (lane + 64 * (wave + int32_t(c.waves) * (reg / vector)));
          ASSERT_EQ(layout.apply({{"register", reg}, {"lane", lane}, {"wave", wave}}),
                    order.apply({{"offset", offset % total}}));
        }
  }
}
