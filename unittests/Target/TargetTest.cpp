// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables against what others publish: AMD's matrix instruction calculator (unittests/data), the peak
// rates of the white papers, MLIR's ROCDL operations, and the inner logic of phases and layouts.

#include "lowp/Target/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace lowp;

static const Target &get(llvm::StringRef chip) { return *Target::get(chip); }

TEST(Target, Registry) {
  ASSERT_EQ(Target::chips().size(), 2u);
  for (llvm::StringRef chip : Target::chips()) {
    ASSERT_NE(Target::get(chip), nullptr) << chip.str();
    EXPECT_EQ(Target::get(chip)->chip(), chip);
  }
  for (llvm::StringRef chip : {"gfx90a", "gfx9500", "gfx95", "GFX950", ""})
    EXPECT_EQ(Target::get(chip), nullptr) << chip.str();
}

TEST(Target, RegistersPerWave) {
  // Occupancy as LLVM reports it: the largest register count for 1 to 8 waves a SIMD.
  const unsigned expected[] = {512, 256, 168, 128, 96, 80, 72, 64};
  for (auto [index, registers] : llvm::enumerate(expected))
    EXPECT_EQ(get("gfx950").registersPerWave(index + 1), registers) << index + 1;
  EXPECT_EQ(get("gfx950").registersPerWave(0), 0u);
  EXPECT_EQ(get("gfx950").registersPerWave(9), 0u);
}

TEST(Target, MemoryFacts) {
  EXPECT_EQ(get("gfx942").ldsBytes(), 65536u);
  EXPECT_EQ(get("gfx950").ldsBytes(), 163840u);
  for (llvm::StringRef chip : Target::chips())
    EXPECT_EQ(get(chip).ldsBytes() % get(chip).ldsGranule(), 0u) << chip.str();
  // 8-byte loads to LDS exist on neither chip.
  EXPECT_EQ(get("gfx942").directToLdsBytes(), 0x00016u);
  EXPECT_EQ(get("gfx950").directToLdsBytes(), 0x11016u);
}

TEST(Target, Cdna3CyclesAreTheCalculators) {
  auto file = llvm::MemoryBuffer::getFile(LOWP_TEST_DATA "/mfma_cycles_cdna3.txt", /*IsText=*/true);
  ASSERT_TRUE(bool(file)) << file.getError().message();
  struct Row {
    unsigned m, n, k, cycles, a, b, d;
  };
  llvm::StringMap<Row> rows;
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    llvm::SmallVector<llvm::StringRef> words;
    line.split(words, ' ', -1, false);
    ASSERT_EQ(words.size(), 8u) << line.str();
    unsigned v[7];
    for (unsigned i = 0; i < 7; ++i)
      ASSERT_FALSE(words[i + 1].getAsInteger(10, v[i])) << line.str();
    rows[words[0]] = {v[0], v[1], v[2], v[3], v[4], v[5], v[6]};
  }
  ASSERT_EQ(rows.size(), 14u);

  auto check = [&](const MfmaInstruction &mfma) {
    const Row &row = rows.find(mfma.name)->second;
    SCOPED_TRACE(mfma.name.str());
    EXPECT_EQ(mfma.m, row.m);
    EXPECT_EQ(mfma.n, row.n);
    EXPECT_EQ(mfma.k, row.k);
    EXPECT_EQ(mfma.cycles, row.cycles);
    EXPECT_EQ(mfma.m * mfma.k * bitWidth(mfma.a) / 64 / 32, row.a);
    EXPECT_EQ(mfma.n * mfma.k * bitWidth(mfma.b) / 64 / 32, row.b);
    EXPECT_EQ(mfma.m * mfma.n * bitWidth(mfma.acc) / 64 / 32, row.d);
  };
  llvm::StringSet<> seen;
  for (const MfmaInstruction &mfma : get("gfx942").mfmas()) {
    ASSERT_TRUE(rows.contains(mfma.name)) << mfma.name.str();
    EXPECT_TRUE(seen.insert(mfma.name).second) << mfma.name.str();
    check(mfma);
  }
  EXPECT_EQ(seen.size(), rows.size());
  // gfx950 kept all of them at the same number of clocks, half its rate.
  seen.clear();
  for (const MfmaInstruction &mfma : get("gfx950").mfmas())
    if (rows.contains(mfma.name)) {
      seen.insert(mfma.name);
      check(mfma);
    }
  EXPECT_EQ(seen.size(), rows.size());
}

TEST(Target, PeakRatesAreTheWhitePapers) {
  auto rate = [](llvm::StringRef chip, Format a, Format b, unsigned m) {
    const MfmaInstruction *mfma = get(chip).mfmaFor(a, b, m, m);
    return mfma ? 2 * mfma->m * mfma->n * mfma->k / mfma->cycles * get(chip).simdsPerCU() : 0;
  };
  for (unsigned m : {16u, 32u}) {
    for (Format format : {Format::F16, Format::BF16}) {
      EXPECT_EQ(rate("gfx942", format, format, m), 2048u);
      EXPECT_EQ(rate("gfx950", format, format, m), 4096u);
    }
    EXPECT_EQ(rate("gfx942", Format::I8, Format::I8, m), 4096u);
    EXPECT_EQ(rate("gfx950", Format::I8, Format::I8, m), 8192u);
    for (Format a : {Format::F8E4M3FNUZ, Format::F8E5M2FNUZ})
      for (Format b : {Format::F8E4M3FNUZ, Format::F8E5M2FNUZ})
        EXPECT_EQ(rate("gfx942", a, b, m), 4096u);
    const Format all[] = {Format::F8E4M3FN, Format::F8E5M2, Format::F6E2M3FN, Format::F6E3M2FN,
                          Format::F4E2M1FN};
    for (Format a : all)
      for (Format b : all) {
        EXPECT_EQ(rate("gfx950", a, b, m), bitWidth(a) == 8 || bitWidth(b) == 8 ? 8192u : 16384u);
        EXPECT_EQ(rate("gfx942", a, b, m), 0u);
      }
    EXPECT_EQ(rate("gfx950", Format::F8E4M3FNUZ, Format::F8E4M3FNUZ, m), 0u);
    EXPECT_EQ(rate("gfx950", Format::F8E4M3FN, Format::BF16, m), 0u);
  }
}

TEST(Target, Questions) {
  const Target &gfx950 = get("gfx950");
  EXPECT_EQ(gfx950.mfmaFor(Format::F8E4M3FN, Format::F8E4M3FN, 16, 16)->name, "v_mfma_f32_16x16x128_f8f6f4");
  EXPECT_EQ(gfx950.mfmaFor(Format::F8E4M3FN, Format::F8E5M2, 16, 16, 32)->name,
            "v_mfma_f32_16x16x32_fp8_bf8");
  EXPECT_EQ(gfx950.mfmaFor(Format::BF16, Format::BF16, 32, 32)->name, "v_mfma_f32_32x32x16_bf16");
  EXPECT_EQ(gfx950.mfmaFor(Format::BF16, Format::BF16, 16, 32), nullptr);
  EXPECT_EQ(gfx950.mfmaFor(Format::BF16, Format::BF16, 16, 16, 128), nullptr);
  EXPECT_TRUE(gfx950.hasMfmaOperand(Format::F4E2M1FN));
  EXPECT_FALSE(gfx950.hasMfmaOperand(Format::F8E8M0FNU));
  EXPECT_FALSE(get("gfx942").hasMfmaOperand(Format::F4E2M1FN));
  EXPECT_FALSE(get("gfx942").hasMfmaOperand(Format::F8E4M3FN));
  EXPECT_FALSE(get("gfx942").hasMfmaOperand(Format::F32));
}

TEST(Target, TablesAreWellFormed) {
  auto file = llvm::MemoryBuffer::getFile(ROCDL_OPS, /*IsText=*/true);
  ASSERT_TRUE(bool(file)) << ROCDL_OPS;
  llvm::StringRef ops = (*file)->getBuffer();
  for (llvm::StringRef chip : Target::chips()) {
    unsigned lastK = ~0u;
    llvm::SmallVector<std::tuple<Format, Format, unsigned, unsigned>> seen;
    for (const MfmaInstruction &mfma : get(chip).mfmas()) {
      SCOPED_TRACE(chip.str() + " " + mfma.name.str());
      EXPECT_LE(mfma.k, lastK);
      lastK = mfma.k;
      // A lane's elements are a whole number of runs, of the same run on both sides but for mixed widths.
      EXPECT_EQ(mfma.m * mfma.k / 64 % mfma.aRun, 0u);
      EXPECT_EQ(mfma.n * mfma.k / 64 % mfma.bRun, 0u);
      EXPECT_EQ(mfma.aRun, mfma.f8f6f4 ? (bitWidth(mfma.a) == 8 ? 16 : 32) : mfma.m * mfma.k / 64);
      EXPECT_EQ(mfma.bRun, mfma.f8f6f4 ? (bitWidth(mfma.b) == 8 ? 16 : 32) : mfma.n * mfma.k / 64);
      EXPECT_EQ(mfma.acc, mfma.a == Format::I8 ? Format::I32 : Format::F32);
      EXPECT_TRUE(ops.contains(("\"" + mfma.op.drop_front(6) + "\"").str())) << mfma.op.str();
      std::tuple<Format, Format, unsigned, unsigned> key{mfma.a, mfma.b, mfma.m, mfma.k};
      EXPECT_FALSE(llvm::is_contained(seen, key));
      seen.push_back(key);
    }
  }
}

TEST(Target, LdsPhases) {
  using A = LdsAccess;
  for (llvm::StringRef chip : Target::chips())
    for (A access :
         {A::Read32, A::Read64, A::Read96, A::Read128, A::Write32, A::Write64, A::Write96, A::Write128}) {
      SCOPED_TRACE(chip.str() + " access " + std::to_string(int(access)));
      LdsPhases phases = get(chip).ldsPhases(access);
      uint64_t all = 0;
      for (uint64_t mask : phases.laneMasks) {
        EXPECT_EQ(all & mask, 0u);
        all |= mask;
        // A phase can be served in one go, and (but for the 12-byte accesses) fills the banks.
        unsigned dwords = llvm::popcount(mask) * accessBits(access) / 32;
        EXPECT_LE(dwords, phases.banks);
        EXPECT_TRUE(accessBits(access) == 96 || dwords == phases.banks);
        // A coset of a linear subspace: closed under the sum of three.
        for (unsigned x = 0; x < 64; ++x)
          for (unsigned y = 0; y < 64; ++y)
            for (unsigned z = 0; z < 64; ++z)
              ASSERT_TRUE(!(mask >> x & mask >> y & mask >> z & 1) || (mask >> (x ^ y ^ z) & 1))
                  << x << ' ' << y << ' ' << z;
      }
      EXPECT_EQ(all, ~uint64_t(0));
    }
  // The published sets by their numbers.
  auto mask = [](std::initializer_list<std::pair<unsigned, unsigned>> ranges) {
    uint64_t result = 0;
    for (auto [first, last] : ranges)
      for (unsigned lane = first; lane <= last; ++lane)
        result |= uint64_t(1) << lane;
    return result;
  };
  EXPECT_EQ(get("gfx942").ldsPhases(A::Read128).laneMasks[0], mask({{0, 3}, {20, 23}}));
  EXPECT_EQ(get("gfx942").ldsPhases(A::Read128).laneMasks[7], mask({{44, 47}, {56, 59}}));
  EXPECT_EQ(get("gfx950").ldsPhases(A::Read128).laneMasks[0], mask({{0, 3}, {12, 15}, {20, 27}}));
  EXPECT_EQ(get("gfx950").ldsPhases(A::Read128).laneMasks[3], mask({{36, 43}, {48, 51}, {60, 63}}));
}
