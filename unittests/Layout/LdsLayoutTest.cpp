// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derived LDS orders. Conflicts are counted a second time here, address by address from the layouts as they
// are and the published lane sets, for every wave and every instruction; and docs/rationale/Layouts.md's
// table is checked line by line.

#include "lowp/Layout/TileLayouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <set>

using namespace lowp;

using Coords = llvm::SmallVector<int32_t>;
using Shape = std::vector<int32_t>;

namespace {

/// A published phase list: each phase's lanes by ranges; the same 32 lanes on follow.
struct Published {
  std::vector<std::vector<std::pair<unsigned, unsigned>>> phases;
  unsigned banks;
};

Published published(llvm::StringRef chip, unsigned bits, bool write) {
  if (write && bits == 128)
    return {{{{0, 7}}, {{8, 15}}, {{16, 23}}, {{24, 31}}}, 32};
  if (write && bits == 64)
    return {{{{0, 15}}, {{16, 31}}}, 32};
  if (!write && bits == 128 && chip == "gfx950")
    return {{{{0, 3}, {12, 15}, {20, 27}}, {{4, 11}, {16, 19}, {28, 31}}}, 64};
  if (!write && (bits == 128 || (bits == 96 && chip == "gfx950")))
    return {{{{0, 3}, {20, 23}}, {{4, 7}, {16, 19}}, {{8, 11}, {28, 31}}, {{12, 15}, {24, 27}}}, 32};
  if (!write && bits == 64 && chip == "gfx950")
    return {{{{0, 31}}}, 64};
  if (!write && bits == 64)
    return {{{{0, 15}}, {{16, 31}}}, 32};
  return {};
}

/// The most extra cycles any instruction of any wave takes.
unsigned countConflicts(llvm::StringRef chip, const LinearLayout &registers, const LinearLayout &memory,
                        unsigned elementBits, bool write) {
  auto index = [&](const Coords &coords) {
    size_t result = 0;
    for (auto [coord, size] : llvm::zip_equal(coords, memory.outSizes()))
      result = result * size + coord;
    return result;
  };
  std::vector<uint64_t> offsetOf(memory.inputSize("offset"));
  for (int32_t offset = 0; offset < memory.inputSize("offset"); ++offset)
    offsetOf[index(memory.apply({{"offset", offset}}))] = offset;
  AccessPlan plan = planAccess(registers, memory, elementBits, 128);
  Published table = published(chip, plan.bits, write);
  EXPECT_FALSE(table.phases.empty()) << plan.bits;
  unsigned worst = 0;
  for (int32_t wave = 0; wave < registers.inputSize("wave"); ++wave)
    for (int32_t reg = 0; reg < registers.inputSize("register"); ++reg) {
      if (llvm::any_of(plan.vectorBits, [&](unsigned bit) { return reg >> bit & 1; }))
        continue;
      unsigned extra = 0;
      for (int32_t half = 0; half < 64; half += 32)
        for (const auto &ranges : table.phases) {
          std::set<uint64_t> dwords;
          for (auto [first, last] : ranges)
            for (int32_t lane = first; lane <= int32_t(last); ++lane) {
              Coords coords = registers.apply({{"register", reg}, {"lane", lane + half}, {"wave", wave}});
              uint64_t bit = offsetOf[index(coords)] * elementBits;
              for (uint64_t dword = bit / 32; dword < (bit + plan.bits) / 32; ++dword)
                dwords.insert(dword);
            }
          std::vector<unsigned> banks(table.banks);
          unsigned cycles = 1;
          for (uint64_t dword : dwords)
            cycles = std::max(cycles, ++banks[dword % table.banks]);
          extra += cycles - 1;
        }
      worst = std::max(worst, extra);
    }
  return worst;
}

struct Case {
  llvm::StringRef chip;
  Format format;
  unsigned m, instructionK;
  int32_t rows, k;
};

const Format fp8 = Format::F8E4M3FN, fnuz = Format::F8E4M3FNUZ, bf16 = Format::BF16;
const Format fp4 = Format::F4E2M1FN, fp6 = Format::F6E2M3FN;
const Case table[] = {
    {"gfx950", fp8, 16, 128, 256, 128}, {"gfx950", fp8, 16, 128, 128, 128},
    {"gfx950", fp8, 32, 64, 256, 64},   {"gfx950", fp8, 32, 64, 256, 128},
    {"gfx950", fp8, 32, 64, 128, 128},  {"gfx950", fp8, 32, 64, 64, 64},
    {"gfx950", fp8, 16, 32, 256, 64},   {"gfx950", fp8, 16, 32, 64, 64},
    {"gfx950", fp4, 16, 128, 256, 128}, {"gfx950", fp4, 32, 64, 128, 256},
    {"gfx950", fp6, 16, 128, 128, 128}, {"gfx950", bf16, 16, 32, 256, 32},
    {"gfx950", bf16, 16, 32, 128, 64},  {"gfx950", bf16, 16, 32, 64, 64},
    {"gfx950", bf16, 32, 16, 256, 32},  {"gfx950", bf16, 32, 16, 128, 64},
    {"gfx942", fnuz, 16, 32, 256, 64},  {"gfx942", fnuz, 16, 32, 256, 128},
    {"gfx942", fnuz, 16, 32, 128, 128}, {"gfx942", fnuz, 16, 32, 64, 64},
    {"gfx942", fnuz, 32, 16, 256, 64},  {"gfx942", fnuz, 32, 16, 256, 128},
    {"gfx942", fnuz, 32, 16, 128, 128}, {"gfx942", fnuz, 32, 16, 64, 64},
    {"gfx942", bf16, 16, 16, 256, 32},  {"gfx942", bf16, 16, 16, 128, 64},
    {"gfx942", bf16, 16, 16, 64, 64},   {"gfx942", bf16, 32, 8, 256, 32},
    {"gfx942", bf16, 32, 8, 128, 64},
};

const MfmaInstruction &instruction(const Case &c) {
  return *Target::get(c.chip)->mfmaFor(c.format, c.format, c.m, c.m, c.instructionK);
}

std::string title(const Case &c) {
  return llvm::formatv("{0} {1} {2}x{3}", c.chip, instruction(c).name, c.rows, c.k);
}

/// The columns of the swizzle in words: "row 4: k 16" says that row bit 4 flips k bit 16.
std::string describe(const LinearLayout &layout, unsigned row, unsigned k) {
  std::string text;
  for (unsigned bit = 0; bit < layout.inputBits("offset"); ++bit) {
    llvm::ArrayRef<int32_t> basis = layout.basis("offset", bit);
    if (basis[row] && basis[k])
      text +=
          (text.empty() ? "row " : ", row ") + std::to_string(basis[row]) + ": k " + std::to_string(basis[k]);
  }
  return text.empty() ? "none" : text;
}

} // namespace

TEST(LdsLayout, OperandsMeetNoConflicts) {
  for (const Case &c : table)
    for (bool isB : {false, true})
      for (WaveGrid grid : {WaveGrid{2, 2, 1}, WaveGrid{1, 2, 2}})
        for (bool written : {false, true}) {
          SCOPED_TRACE(title(c) + (isB ? " B" : " A") + (grid.k > 1 ? " wave-k" : "") +
                       (written ? " written" : ""));
          const Target &target = *Target::get(c.chip);
          MmaLayouts mma = llvm::cantFail(mmaLayouts(instruction(c), c.rows, c.rows, c.k, grid, isB, 128));
          const LinearLayout &reader = isB ? mma.b : mma.a;
          unsigned bits = bitWidth(c.format), contiguous = (isB ? 0 : 1) + (grid.k > 1);
          llvm::ArrayRef<int32_t> shape = reader.outSizes();
          LinearLayout writer = blockedLayout(shape, contiguous, 16, grid.count());
          LdsLayout lds =
              ldsLayout(shape, contiguous, bits, 128, reader, written ? &writer : nullptr, target);

          ASSERT_EQ(lds.layout.outSizes(), shape);
          EXPECT_TRUE(lds.layout.isInjective() && lds.layout.isSurjective());
          EXPECT_EQ(lds.readBits, c.format == fp6 ? 96u : 128u);
          EXPECT_EQ(lds.readConflicts, 0u);
          EXPECT_EQ(lds.writeConflicts, 0u);
          EXPECT_EQ(countConflicts(c.chip, reader, lds.layout, bits, false), 0u);
          EXPECT_EQ(widestAccess(reader, lds.layout, bits, 128).bits, lds.readBits);
          if (written && bits == 8) {
            EXPECT_EQ(lds.writeBits, 128u);
            EXPECT_EQ(countConflicts(c.chip, writer, lds.layout, bits, true), 0u);
          }
          // Confined to the row: the order of rows is the plain one.
          LinearLayout plain = tileOrder(shape, contiguous);
          EXPECT_EQ(lds.layout.sliceOutput(contiguous), plain.sliceOutput(contiguous));
        }
}

TEST(LdsLayout, DocumentedTable) {
  auto file = llvm::MemoryBuffer::getFile(LOWP_TEST_DATA "/../../docs/rationale/Layouts.md", /*IsText=*/true);
  ASSERT_TRUE(bool(file)) << file.getError().message();
  unsigned lines = 0;
  for (const Case &c : table) {
    MmaLayouts mma = llvm::cantFail(mmaLayouts(instruction(c), c.rows, c.rows, c.k, {}, false, 128));
    unsigned bits = bitWidth(c.format);
    LdsLayout lds = ldsLayout({c.rows, c.k}, 1, bits, 128, mma.a, nullptr, *Target::get(c.chip));
    std::string line = llvm::formatv(
        "| {0} | {1} | {2}x{3} | {4} | {5} | {6} | {7} |", c.chip, instruction(c).name.drop_front(2), c.rows,
        c.k, name(c.format), lds.readBits,
        countConflicts(c.chip, mma.a, tileOrder({c.rows, c.k}, 1), bits, false), describe(lds.layout, 0, 1));
    EXPECT_TRUE((*file)->getBuffer().contains(line + "\n")) << line;
    ++lines;
  }
  // Nor does it list more. Lines of the table, and only they, start with a chip.
  EXPECT_EQ(lines, (*file)->getBuffer().count("\n| gfx"));
}

TEST(LdsLayout, NoSwizzleWithoutNeed) {
  // Every lane reads along one row: the plain order serves.
  LinearLayout reader = blockedLayout({64, 128}, 1, 16, 1);
  LdsLayout lds = ldsLayout({64, 128}, 1, 8, 128, reader, nullptr, *Target::get("gfx950"));
  EXPECT_EQ(lds.layout, tileOrder({64, 128}, 1));
  EXPECT_EQ(lds.readConflicts, 0u);
  EXPECT_EQ(lds.writeBits, 0u);
}

TEST(LdsLayout, ReportsConflictsItCannotAvoid) {
  // Reading one unit wide columns of rows that have one unit: nothing to swizzle, four lanes of a phase meet
  // in a bank.
  LinearLayout reader({{"register", {{0, 1}, {0, 2}, {0, 4}, {0, 8}}},
                       {"lane", {{16, 0}, {32, 0}, {64, 0}, {128, 0}, {1, 0}, {2, 0}}},
                       {"wave", {{4, 0}, {8, 0}}}},
                      {256, 16});
  ASSERT_TRUE(reader.isInjective() && reader.isSurjective());
  LdsLayout lds = ldsLayout({256, 16}, 1, 8, 128, reader, nullptr, *Target::get("gfx950"));
  EXPECT_EQ(lds.layout, tileOrder({256, 16}, 1));
  unsigned counted = countConflicts("gfx950", reader, lds.layout, 8, false);
  EXPECT_GT(counted, 0u);
  EXPECT_EQ(lds.readConflicts, counted);
}

TEST(LdsLayout, UnitsStayWhole) {
  // 4-byte units asked for, 16-byte reads: the read stays wide. Wider units than the read stay whole too.
  const MfmaInstruction &mfma = *Target::get("gfx942")->mfmaFor(fnuz, fnuz, 16, 16);
  MmaLayouts mma = llvm::cantFail(mmaLayouts(mfma, 64, 64, 128, {}, false, 128));
  LdsLayout lds = ldsLayout({64, 128}, 1, 8, 32, mma.a, nullptr, *Target::get("gfx942"));
  EXPECT_EQ(lds.readBits, 128u);
  EXPECT_EQ(lds.readConflicts, 0u);
  MmaLayouts narrow = llvm::cantFail(mmaLayouts(mfma, 64, 64, 128, {}, false, 0));
  lds = ldsLayout({64, 128}, 1, 8, 64, narrow.a, nullptr, *Target::get("gfx942"));
  EXPECT_EQ(lds.readBits, 64u);
  EXPECT_EQ(lds.readConflicts, 0u);
  EXPECT_EQ(countConflicts("gfx942", narrow.a, lds.layout, 8, false), 0u);
  // 16 lanes of a phase want the same half of a unit: in whole units only half of the banks can be had.
  lds = ldsLayout({64, 128}, 1, 8, 128, narrow.a, nullptr, *Target::get("gfx942"));
  EXPECT_EQ(lds.readConflicts, 4u);
  EXPECT_EQ(countConflicts("gfx942", narrow.a, lds.layout, 8, false), 4u);
  for (unsigned bit = 0; bit < 4; ++bit)
    EXPECT_EQ(lds.layout.basis("offset", bit), llvm::ArrayRef<int32_t>({0, 1 << bit}));
}

TEST(BankConflicts, ByHand) {
  const Target &gfx942 = *Target::get("gfx942"), &gfx950 = *Target::get("gfx950");
  auto strided = [](uint32_t stride) {
    std::vector<uint32_t> addresses;
    for (uint32_t lane = 0; lane < 64; ++lane)
      addresses.push_back(lane * stride);
    return addresses;
  };
  EXPECT_EQ(bankConflicts(strided(4), LdsAccess::Read32, gfx950), 0u);
  EXPECT_EQ(bankConflicts(strided(0), LdsAccess::Read32, gfx950), 0u); // one dword for all
  EXPECT_EQ(bankConflicts(strided(1), LdsAccess::Read32, gfx950), 0u); // four lanes a dword, some across two
  EXPECT_EQ(bankConflicts(strided(256), LdsAccess::Read32, gfx950), 63u);
  EXPECT_EQ(bankConflicts(strided(128), LdsAccess::Read32, gfx950), 31u);
  EXPECT_EQ(bankConflicts(strided(128), LdsAccess::Read32, gfx942), 2u * 31);
  EXPECT_EQ(bankConflicts(strided(16), LdsAccess::Read128, gfx950), 0u);
  EXPECT_EQ(bankConflicts(strided(16), LdsAccess::Write128, gfx950), 0u);
  EXPECT_EQ(bankConflicts(strided(256), LdsAccess::Read128, gfx950), 4u * 15);
  EXPECT_EQ(bankConflicts(strided(128), LdsAccess::Read128, gfx942), 8u * 7);
  EXPECT_EQ(bankConflicts(strided(32), LdsAccess::Write64, gfx950), 4u * 3);
}

// AMD's "CDNA4 GEMM kernels" gives this swizzle for fp8 tiles with rows of 128 bytes; it is known to be free
// of conflicts in 16-byte reads of the 16x16x128 instruction's operands, and the unswizzled tile is known not
// to be.
TEST(BankConflicts, PublishedSwizzle) {
  const Target &gfx950 = *Target::get("gfx950");
  for (uint32_t half : {0u, 64u}) {
    std::vector<uint32_t> swizzled, plain;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      uint32_t offset = lane % 16 * 128 + half + lane / 16 * 16;
      plain.push_back(offset);
      swizzled.push_back(offset ^ ((offset % 2048) >> 8) << 4);
    }
    EXPECT_EQ(bankConflicts(swizzled, LdsAccess::Read128, gfx950), 0u);
    EXPECT_GT(bankConflicts(plain, LdsAccess::Read128, gfx950), 0u);
  }
}
