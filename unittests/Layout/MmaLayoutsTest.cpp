// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of matrix instructions element by element: CDNA3's against AMD's calculator (unittests/data),
// gfx950's own against the published formulas, written out here a second time. Then whole tiles, by
// multiplying matrices with the instruction as a black box on registers.

#include "lowp/Layout/TileLayouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace lowp;

using Coords = llvm::SmallVector<int32_t>;

static Coords at(const LinearLayout &layout, int32_t reg, int32_t lane, int32_t wave = 0) {
  return layout.apply({{"register", reg}, {"lane", lane}, {"wave", wave}});
}

TEST(MfmaLayouts, Cdna3IsTheCalculators) {
  auto file = llvm::MemoryBuffer::getFile(LOWP_TEST_DATA "/mfma_layout_cdna3.txt", /*IsText=*/true);
  ASSERT_TRUE(bool(file)) << file.getError().message();
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, false);

  llvm::StringSet<> checked;
  size_t elements = 0;
  for (llvm::StringRef chip : Target::chips()) {
    for (const MfmaInstruction &mfma : Target::get(chip)->mfmas()) {
      const LinearLayout a = mfmaOperandA(mfma), b = mfmaOperandB(mfma), d = mfmaResult(mfma);
      bool mine = false;
      for (llvm::StringRef line : lines) {
        llvm::SmallVector<llvm::StringRef> words;
        line.split(words, ' ', -1, false);
        if (words[0] == "instructions") {
          mine = llvm::is_contained(words, mfma.name);
          if (mine)
            checked.insert((chip + " " + mfma.name).str());
        }
        if (!mine || words[0].size() != 1 || words[0] == "#")
          continue;
        SCOPED_TRACE(mfma.name.str() + ": " + line.str());
        const LinearLayout &layout = words[0] == "A" ? a : words[0] == "B" ? b : d;
        int32_t lane;
        ASSERT_FALSE(words[1].getAsInteger(10, lane));
        ASSERT_EQ(words.size() - 2, size_t(layout.inputSize("register")));
        for (auto [element, word] : llvm::enumerate(llvm::ArrayRef(words).drop_front(2))) {
          auto [row, column] = word.split(',');
          Coords expected(2);
          ASSERT_FALSE(row.getAsInteger(10, expected[0]) || column.getAsInteger(10, expected[1]));
          EXPECT_EQ(at(layout, element, lane), expected);
          ++elements;
        }
      }
    }
  }
  // Ten instructions on two chips, 16 * 16 * (K + K + 16) or 32 * 32 * 16 and so on elements each.
  EXPECT_EQ(checked.size(), 20u);
  EXPECT_EQ(elements,
            2u * (2 * 3 * 256 + 3 * (512 + 512 + 256) + 3 * (512 + 512 + 1024) + 2 * (256 + 256 + 1024)));
}

// AMD's "Matrix Core Programming on CDNA3 and CDNA4" and composable_kernel's mx_mfma_op: the k of element j
// of lane l.
static int kOf(const MfmaInstruction &mfma, Format format, int l, int j) {
  int group = l / int(mfma.m);
  if (mfma.f8f6f4 && (format == Format::F8E4M3FN || format == Format::F8E5M2))
    return j < 16 ? 16 * group + j : int(mfma.k) / 2 + 16 * group + (j - 16);
  if (mfma.f8f6f4)
    return 32 * group + j;
  int perLane = mfma.m * mfma.k / 64;
  return perLane * group + j;
}

TEST(MfmaLayouts, FormulasOfCdna4) {
  unsigned wide = 0;
  for (const MfmaInstruction &mfma : Target::get("gfx950")->mfmas()) {
    SCOPED_TRACE(mfma.name.str() + " " + std::to_string(int(mfma.a)) + " " + std::to_string(int(mfma.b)));
    wide += mfma.f8f6f4;
    const LinearLayout a = mfmaOperandA(mfma), b = mfmaOperandB(mfma), d = mfmaResult(mfma);
    int perLane = mfma.m * mfma.k / 64, m = mfma.m;
    ASSERT_EQ(a.inputSize("register"), perLane);
    ASSERT_EQ(b.inputSize("register"), perLane);
    for (int l = 0; l < 64; ++l) {
      for (int j = 0; j < perLane; ++j) {
        ASSERT_EQ(at(a, j, l), (Coords{l % m, kOf(mfma, mfma.a, l, j)})) << l << ' ' << j;
        ASSERT_EQ(at(b, j, l), (Coords{kOf(mfma, mfma.b, l, j), l % m})) << l << ' ' << j;
      }
      for (int i = 0; i < m * m / 64; ++i) {
        int row = m == 16 ? 4 * (l / 16) + i : 8 * (i / 4) + 4 * (l / 32) + i % 4;
        ASSERT_EQ(at(d, i, l), (Coords{row, l % m})) << l << ' ' << i;
      }
    }
  }
  EXPECT_EQ(wide, 50u);
}

/// Multiplies tiles through their layouts with the instruction as hardware sees it, and compares with the
/// plain product.
static void multiply(const MfmaInstruction &mfma, unsigned m, unsigned n, unsigned k, WaveGrid grid,
                     bool transposed, unsigned vectorBits) {
  SCOPED_TRACE(mfma.name.str() + " " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) +
               " waves " + std::to_string(grid.m) + "x" + std::to_string(grid.n) + "x" +
               std::to_string(grid.k) + (transposed ? " transposed" : "") + " vector " +
               std::to_string(vectorBits));
  llvm::Expected<MmaLayouts> layouts = mmaLayouts(mfma, m, n, k, grid, transposed, vectorBits);
  ASSERT_TRUE(bool(layouts)) << llvm::toString(layouts.takeError());
  const bool lead = grid.k > 1;
  for (const LinearLayout *layout : {&layouts->a, &layouts->b, &layouts->acc}) {
    ASSERT_EQ(layout->inputs().size(), 3u);
    EXPECT_EQ(layout->inputs()[0].name, "register");
    EXPECT_EQ(layout->inputs()[1].name, "lane");
    EXPECT_EQ(layout->inputs()[2].name, "wave");
    EXPECT_EQ(layout->inputSize("wave"), int32_t(grid.count()));
    EXPECT_TRUE(layout->isSurjective()) << layout->str();
  }
  EXPECT_TRUE(layouts->acc.isInjective());

  auto aValue = [](int b, int i, int p) { return int64_t(1) + b * 7 + i * 131 + p * p * 3; };
  auto bValue = [](int b, int p, int j) { return int64_t(2) + b * 5 + p * 17 + j * j * 11; };
  auto split = [&](llvm::ArrayRef<int32_t> c) {
    return std::array<int, 3>{lead ? c[0] : 0, c[lead], c[lead + 1]};
  };

  const LinearLayout hardwareA = mfmaOperandA(mfma), hardwareB = mfmaOperandB(mfma),
                     hardwareD = mfmaResult(mfma);
  const LinearLayout &first = transposed ? layouts->b : layouts->a,
                     &second = transposed ? layouts->a : layouts->b;
  unsigned firstFragment = transposed ? layouts->bFragment : layouts->aFragment;
  unsigned secondFragment = transposed ? layouts->aFragment : layouts->bFragment;
  ASSERT_EQ(int32_t(firstFragment), hardwareA.inputSize("register"));
  ASSERT_EQ(int32_t(secondFragment), hardwareB.inputSize("register"));
  ASSERT_EQ(int32_t(layouts->accFragment), hardwareD.inputSize("register"));
  // Number of instructions along each side within one wave.
  unsigned mCount = m / grid.m / mfma.m, nCount = n / grid.n / mfma.n, kCount = k / mfma.k;
  unsigned outer = mfma.m, inner = mfma.n, depth = mfma.k;
  ASSERT_EQ(unsigned(layouts->a.inputSize("register")), layouts->aFragment * kCount * mCount);
  ASSERT_EQ(unsigned(layouts->b.inputSize("register")), layouts->bFragment * kCount * nCount);
  ASSERT_EQ(unsigned(layouts->acc.inputSize("register")), layouts->accFragment * nCount * mCount);

  auto value = [&](bool isA, const Coords &coords) {
    auto [b, x, y] = split(coords);
    return isA ? aValue(b, x, y) : bValue(b, x, y);
  };
  for (unsigned wave = 0; wave < grid.count(); ++wave)
    for (unsigned mi = 0; mi < mCount; ++mi)
      for (unsigned ni = 0; ni < nCount; ++ni) {
        std::vector<int64_t> result(outer * inner);
        for (unsigned ki = 0; ki < kCount; ++ki) {
          std::vector<int64_t> x(outer * depth), y(depth * inner);
          for (unsigned lane = 0; lane < 64; ++lane) {
            for (unsigned j = 0; j < firstFragment; ++j) {
              unsigned reg = j + firstFragment * (ki + kCount * (transposed ? ni : mi));
              Coords slot = at(hardwareA, j, lane);
              x[slot[0] * depth + slot[1]] = value(!transposed, at(first, reg, lane, wave));
            }
            for (unsigned j = 0; j < secondFragment; ++j) {
              unsigned reg = j + secondFragment * (ki + kCount * (transposed ? mi : ni));
              Coords slot = at(hardwareB, j, lane);
              y[slot[0] * inner + slot[1]] = value(transposed, at(second, reg, lane, wave));
            }
          }
          for (unsigned i = 0; i < outer; ++i)
            for (unsigned p = 0; p < depth; ++p)
              for (unsigned j = 0; j < inner; ++j)
                result[i * inner + j] += x[i * depth + p] * y[p * inner + j];
        }
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned j = 0; j < layouts->accFragment; ++j) {
            Coords slot = at(hardwareD, j, lane);
            auto [b, row, column] =
                split(at(layouts->acc, j + layouts->accFragment * (ni + nCount * mi), lane, wave));
            int64_t expected = 0;
            for (unsigned p = 0; p < k; ++p)
              expected += aValue(b, row, p) * bValue(b, p, column);
            ASSERT_EQ(result[slot[0] * inner + slot[1]], expected) << "row " << row << " column " << column;
          }
      }
}

TEST(MmaLayouts, MultiplyEveryInstruction) {
  for (llvm::StringRef chip : Target::chips())
    for (const MfmaInstruction &mfma : Target::get(chip)->mfmas())
      for (bool transposed : {false, true})
        multiply(mfma, mfma.m * 2, mfma.n, mfma.k * 4, {2, 1, 1}, transposed, 128);
}

TEST(MmaLayouts, MultiplyTiles) {
  const MfmaInstruction &fp8 =
      *Target::get("gfx942")->mfmaFor(Format::F8E4M3FNUZ, Format::F8E4M3FNUZ, 16, 16);
  const MfmaInstruction &bf16 = *Target::get("gfx942")->mfmaFor(Format::BF16, Format::BF16, 32, 32);
  const MfmaInstruction &mixed = *Target::get("gfx950")->mfmaFor(Format::F8E4M3FN, Format::F4E2M1FN, 32, 32);
  for (bool transposed : {false, true})
    for (unsigned vectorBits : {0u, 64u, 128u, 256u}) {
      multiply(fp8, 64, 32, 64, {2, 2, 1}, transposed, vectorBits);
      multiply(fp8, 16, 64, 128, {1, 2, 2}, transposed, vectorBits);
      multiply(bf16, 64, 64, 32, {1, 2, 4}, transposed, vectorBits);
      multiply(mixed, 64, 32, 128, {2, 1, 1}, transposed, vectorBits);
    }
}

TEST(MmaLayouts, WavesOwnContiguousBlocks) {
  const MfmaInstruction &mfma = *Target::get("gfx950")->mfmaFor(Format::F8E4M3FN, Format::F8E4M3FN, 16, 16);
  MmaLayouts layouts = llvm::cantFail(mmaLayouts(mfma, 128, 256, 128, {2, 4, 1}, true, 128));
  for (int wave = 0; wave < 8; ++wave) {
    EXPECT_EQ(at(layouts.acc, 0, 0, wave), (Coords{64 * (wave / 4), 64 * (wave % 4)}));
    EXPECT_EQ(at(layouts.a, 0, 0, wave), (Coords{64 * (wave / 4), 0}));
    EXPECT_EQ(at(layouts.b, 0, 0, wave), (Coords{0, 64 * (wave % 4)}));
  }
  // Transposed: n runs over a lane's registers.
  for (int reg = 0; reg < 4; ++reg)
    EXPECT_EQ(at(layouts.acc, reg, 0), (Coords{0, reg}));
}

TEST(MmaLayouts, LanesHoldWideRuns) {
  struct Case {
    llvm::StringRef chip;
    Format format;
    unsigned m, instructionK, tileK, vectorBits, expected;
  };
  const Case table[] = {
      {"gfx942", Format::F8E4M3FNUZ, 16, 0, 64, 128, 128},
      {"gfx942", Format::F8E4M3FNUZ, 32, 0, 64, 128, 128},
      {"gfx942", Format::F8E4M3FNUZ, 16, 0, 64, 64, 64},
      {"gfx942", Format::F8E4M3FNUZ, 16, 0, 32, 128, 64},
      {"gfx942", Format::BF16, 16, 0, 64, 128, 128},
      {"gfx942", Format::BF16, 32, 0, 8, 128, 64},
      {"gfx950", Format::BF16, 16, 0, 32, 128, 128},
      {"gfx950", Format::BF16, 16, 16, 64, 128, 128},
      {"gfx950", Format::F8E4M3FN, 16, 0, 128, 128, 128},
      {"gfx950", Format::F8E4M3FN, 32, 0, 128, 0, 128},
      {"gfx950", Format::F4E2M1FN, 16, 0, 256, 128, 128},
      {"gfx950", Format::F6E3M2FN, 16, 0, 128, 128, 96},
      {"gfx950", Format::F8E4M3FN, 16, 32, 128, 128, 128},
      {"gfx950", Format::F8E4M3FN, 16, 32, 128, 0, 64},
  };
  for (const Case &c : table) {
    const MfmaInstruction &mfma = *Target::get(c.chip)->mfmaFor(c.format, c.format, c.m, c.m, c.instructionK);
    SCOPED_TRACE(c.chip.str() + " " + mfma.name.str() + " " + std::to_string(c.tileK));
    MmaLayouts layouts = llvm::cantFail(mmaLayouts(mfma, 64, 64, c.tileK, {}, false, c.vectorBits));
    int32_t k = c.tileK;
    EXPECT_EQ(widestAccess(layouts.a, tileOrder({64, k}, 1), bitWidth(c.format), 128).bits, c.expected);
    EXPECT_EQ(widestAccess(layouts.b, tileOrder({k, 64}, 0), bitWidth(c.format), 128).bits, c.expected);
  }
  // The example of two 16x16x32 instructions: lane group g holds k 16 g to 16 g + 15, register bit 3 tells
  // them apart.
  const MfmaInstruction &fp8 =
      *Target::get("gfx942")->mfmaFor(Format::F8E4M3FNUZ, Format::F8E4M3FNUZ, 16, 16);
  MmaLayouts layouts = llvm::cantFail(mmaLayouts(fp8, 16, 16, 64, {}, false, 128));
  EXPECT_EQ(layouts.a.str(),
            "{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], "
            "[0, 16], [0, 32]], wave = []} -> [16, 64]");
}

TEST(MmaLayouts, Errors) {
  const MfmaInstruction &mfma = *Target::get("gfx950")->mfmaFor(Format::F8E4M3FN, Format::F8E4M3FN, 16, 16);
  auto reason = [&](unsigned m, unsigned n, unsigned k, WaveGrid grid) {
    llvm::Expected<MmaLayouts> layouts = mmaLayouts(mfma, m, n, k, grid, false, 128);
    return layouts ? "" : llvm::toString(layouts.takeError());
  };
  EXPECT_EQ(reason(64, 64, 128, {2, 2, 1}), "");
  EXPECT_EQ(reason(32, 64, 128, {4, 1, 1}),
            "tile size m must be at least 64 (4 waves of instructions of 16), but is 32");
  EXPECT_EQ(reason(64, 64, 64, {1, 1, 2}),
            "tile size k must be at least 128 (1 waves of instructions of 128), but is 64");
  EXPECT_EQ(reason(64, 48, 128, {1, 1, 1}), "tile size n must be a power of two, but is 48");
  EXPECT_EQ(reason(0, 64, 128, {1, 1, 1}), "tile size m must be a power of two, but is 0");
  EXPECT_EQ(reason(64, 64, 128, {3, 1, 1}), "number of waves along m must be a power of two, but is 3");
  EXPECT_EQ(reason(64, 64, 128, {1, 1, 0}), "number of waves along k must be a power of two, but is 0");
}
