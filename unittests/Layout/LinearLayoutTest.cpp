// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algebra's laws on random layouts, each checked point by point against its definition.

#include "RandomLayout.h"

#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <set>

using namespace lowp;

using Coords = llvm::SmallVector<int32_t>;
static constexpr unsigned cases = 200;

/// All points of the layout's inputs, as values in input order.
static std::vector<std::vector<int32_t>> points(const LinearLayout &layout) {
  std::vector<std::vector<int32_t>> result{{}};
  for (const LinearLayout::Input &input : layout.inputs()) {
    std::vector<std::vector<int32_t>> next;
    for (const std::vector<int32_t> &prefix : result)
      for (int32_t value = 0; value < 1 << input.bases.size(); ++value) {
        next.push_back(prefix);
        next.back().push_back(value);
      }
    result = std::move(next);
  }
  return result;
}

static Coords at(const LinearLayout &layout, llvm::ArrayRef<int32_t> values) {
  std::vector<std::pair<llvm::StringRef, int32_t>> point;
  for (auto [input, value] : llvm::zip_equal(layout.inputs(), values))
    point.push_back({input.name, value});
  return layout.apply(point);
}

TEST(LinearLayout, ApplyIsTheXorOfBases) {
  LinearLayout layout({{"register", {{0, 1}, {0, 2}}}, {"lane", {{1, 0}, {2, 3}}}}, {4, 4});
  EXPECT_EQ(layout.apply({{"register", 3}, {"lane", 0}}), (Coords{0, 3}));
  EXPECT_EQ(layout.apply({{"lane", 3}, {"register", 1}}), (Coords{3, 2}));
  EXPECT_EQ(layout.apply({{"lane", 2}, {"wave", 5}}), (Coords{2, 3}));
  EXPECT_EQ(layout.apply({}), (Coords{0, 0}));
  EXPECT_EQ(layout.inputBits("lane"), 2u);
  EXPECT_EQ(layout.inputSize("wave"), 1);
  EXPECT_FALSE(layout.hasInput("wave"));
  EXPECT_EQ(layout.basis("lane", 1), llvm::ArrayRef<int32_t>({2, 3}));
}

TEST(LinearLayout, Prints) {
  LinearLayout layout({{"register", {{0, 1}, {0, 2}}}, {"lane", {{1, 0}}}, {"wave", {}}}, {2, 4});
  EXPECT_EQ(layout.str(), "{register = [[0, 1], [0, 2]], lane = [[1, 0]], wave = []} -> [2, 4]");
  EXPECT_EQ(LinearLayout().str(), "{} -> []");
}

TEST(LinearLayout, IdentityAndZeros) {
  EXPECT_EQ(LinearLayout::identity("lane", 8, 1, 2).str(), "{lane = [[0, 1], [0, 2], [0, 4]]} -> [1, 8]");
  EXPECT_EQ(LinearLayout::zeros("wave", 4, 2).str(), "{wave = [[0, 0], [0, 0]]} -> [1, 1]");
  EXPECT_TRUE(LinearLayout({{"x", {{1, 0}, {2, 0}}}, {"y", {{0, 1}}}}, {4, 2}).isIdentity());
  EXPECT_FALSE(LinearLayout({{"x", {{1, 0}, {3, 0}}}, {"y", {{0, 1}}}}, {4, 2}).isIdentity());
  EXPECT_FALSE(LinearLayout({{"y", {{0, 1}}}, {"x", {{1, 0}, {2, 0}}}}, {4, 2}).isIdentity());
  EXPECT_FALSE(LinearLayout::identity("lane", 8, 1, 2).isIdentity());
}

TEST(LinearLayout, InjectiveAndSurjectiveByCounting) {
  unsigned injective = 0, surjective = 0;
  for (unsigned seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    LinearLayout layout = randomLayout(random, {{"a", below(random, 4)}, {"b", below(random, 4)}},
                                       randomSizes(random, 1 + below(random, 3), 2));
    std::set<std::vector<int32_t>> image;
    size_t inputs = 0, outputs = 1;
    for (const std::vector<int32_t> &point : points(layout)) {
      Coords coords = at(layout, point);
      image.insert(std::vector<int32_t>(coords.begin(), coords.end()));
      ++inputs;
    }
    for (int32_t size : layout.outSizes())
      outputs *= size;
    EXPECT_EQ(layout.isInjective(), image.size() == inputs);
    EXPECT_EQ(layout.isSurjective(), image.size() == outputs);
    injective += layout.isInjective();
    surjective += layout.isSurjective();
  }
  EXPECT_GT(injective, 10u);
  EXPECT_GT(surjective, 10u);
}

TEST(LinearLayout, ProductStacksBits) {
  for (unsigned seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    LinearLayout inner =
        randomLayout(random, {{"a", below(random, 3)}, {"b", below(random, 3)}}, randomSizes(random, 2, 3));
    LinearLayout outer = randomLayout(random, {{"b", 1 + below(random, 3)}, {"c", below(random, 3)}},
                                      randomSizes(random, 2, 3));
    LinearLayout product = inner * outer;
    for (const std::vector<int32_t> &x : points(inner))
      for (const std::vector<int32_t> &y : points(outer)) {
        Coords image = product.apply({{"a", x[0]}, {"b", x[1] | y[0] << inner.inputBits("b")}, {"c", y[1]}});
        Coords low = at(inner, x), high = at(outer, y);
        for (unsigned dim = 0; dim < 2; ++dim)
          EXPECT_EQ(image[dim], low[dim] + inner.outSizes()[dim] * high[dim]);
      }

    // Division undoes it, and notices a product that is none.
    std::optional<LinearLayout> quotient = product.divideLeft(inner);
    ASSERT_TRUE(quotient);
    EXPECT_EQ(*quotient, outer) << quotient->str() << " for " << outer.str();
    std::vector<LinearLayout::Input> spoilt = product.inputs().vec();
    unsigned bit = below(random, product.inputBits("b"));
    unsigned dim = below(random, 2);
    // Any change of a low bit, or of the low part of a high bit.
    int32_t range = bit < inner.inputBits("b") ? product.outSizes()[dim] : inner.outSizes()[dim];
    if (range > 1) {
      spoilt[1].bases[bit][dim] ^= 1 + below(random, range - 1);
      EXPECT_FALSE(LinearLayout(spoilt, product.outSizes().vec()).divideLeft(inner));
    }
  }
}

TEST(LinearLayout, ProductIsAssociative) {
  for (unsigned seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    LinearLayout layouts[3];
    for (LinearLayout &layout : layouts)
      layout =
          randomLayout(random, {{"a", below(random, 3)}, {"b", below(random, 3)}}, randomSizes(random, 2, 2));
    EXPECT_EQ((layouts[0] * layouts[1]) * layouts[2], layouts[0] * (layouts[1] * layouts[2]));
  }
}

TEST(LinearLayout, ComposeIsApplicationInTurn) {
  for (unsigned seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    unsigned xBits = below(random, 4), yBits = below(random, 4);
    LinearLayout inner =
        randomLayout(random, {{"a", below(random, 4)}, {"b", below(random, 3)}}, {1 << xBits, 1 << yBits});
    LinearLayout outer =
        randomLayout(random, {{"x", xBits + below(random, 2)}, {"y", yBits}}, randomSizes(random, 3, 3));
    LinearLayout both = inner.compose(outer);
    for (const std::vector<int32_t> &point : points(inner))
      EXPECT_EQ(at(both, point), at(outer, at(inner, point)));
  }
}

TEST(LinearLayout, InvertIsARightInverseOfFewBits) {
  unsigned inverted = 0;
  for (unsigned seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    LinearLayout layout = randomLayout(random, {{"a", 2 + below(random, 3)}, {"b", below(random, 5)}},
                                       randomSizes(random, 2, 2));
    std::optional<LinearLayout> inverse = layout.invert({"x", "y"});
    ASSERT_EQ(bool(inverse), layout.isSurjective());
    if (!inverse)
      continue;
    ++inverted;
    Coords used{0, 0};
    for (const std::vector<int32_t> &point : points(*inverse)) {
      Coords preimage = at(*inverse, point);
      EXPECT_EQ(at(layout, preimage), Coords(point.begin(), point.end()));
      used[0] |= preimage[0];
      used[1] |= preimage[1];
    }
    // Each output bit needs one input bit, and no more are used.
    EXPECT_LE(llvm::popcount(uint32_t(used[0])) + llvm::popcount(uint32_t(used[1])),
              int(inverse->inputBits("x") + inverse->inputBits("y")));
    EXPECT_TRUE(inverse->compose(layout).isIdentity());
  }
  EXPECT_GT(inverted, 20u);
}

TEST(LinearLayout, InvertPrefersEarlierBits) {
  LinearLayout copies({{"register", {{1}, {1}, {2}}}, {"lane", {{2}, {4}}}}, {8});
  EXPECT_EQ(copies.invert({"x"})->str(), "{x = [[1, 0], [4, 0], [0, 2]]} -> [8, 4]");
}

TEST(LinearLayout, InvertAndComposeKeepsElements) {
  unsigned found = 0, missing = 0;
  for (unsigned seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    llvm::SmallVector<int32_t> sizes = randomSizes(random, 2, 2);
    LinearLayout from = randomLayout(random, {{"a", below(random, 3)}, {"b", below(random, 3)}}, sizes);
    LinearLayout to = randomLayout(random, {{"c", 1 + below(random, 3)}, {"d", below(random, 3)}}, sizes);
    std::set<std::vector<int32_t>> held;
    for (const std::vector<int32_t> &point : points(to)) {
      Coords coords = at(to, point);
      held.insert(std::vector<int32_t>(coords.begin(), coords.end()));
    }
    bool all = llvm::all_of(points(from), [&](const std::vector<int32_t> &point) {
      Coords coords = at(from, point);
      return held.count(std::vector<int32_t>(coords.begin(), coords.end()));
    });
    std::optional<LinearLayout> map = from.invertAndCompose(to);
    ASSERT_EQ(bool(map), all);
    (map ? found : missing) += 1;
    if (!map)
      continue;
    for (const std::vector<int32_t> &point : points(from))
      EXPECT_EQ(at(to, at(*map, point)), at(from, point));
  }
  EXPECT_GT(found, 20u);
  EXPECT_GT(missing, 20u);
  EXPECT_FALSE(LinearLayout::identity("a", 4, 0, 1).invertAndCompose(LinearLayout::identity("b", 8, 0, 1)));
}

TEST(LinearLayout, SliceAndWithout) {
  LinearLayout layout({{"register", {{0, 1}, {2, 2}}}, {"lane", {{1, 0}}}}, {4, 4});
  EXPECT_EQ(layout.sliceOutput(0).str(), "{register = [[1], [2]], lane = [[0]]} -> [4]");
  EXPECT_EQ(layout.sliceOutput(1).str(), "{register = [[0], [2]], lane = [[1]]} -> [4]");
  EXPECT_EQ(layout.withoutInput("register").str(), "{lane = [[1, 0]]} -> [4, 4]");
  EXPECT_EQ(layout.withoutInput("wave"), layout);
}
