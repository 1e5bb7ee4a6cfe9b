// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every format against ml_dtypes, through the tables that unittests/data/make_format_tables.py wrote. Where
// lowp differs on purpose (docs/spec/numerics.md, N7 and N9) the difference is asserted too.
#include "lowp/Numerics/Format.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace lowp;
using llvm::StringRef;

namespace {

struct Table {
  Format format;
  unsigned step;
  std::vector<uint32_t> decoded; ///< f32 bits
  struct Entry {
    float input;
    uint32_t plus, minus;
  };
  std::vector<Entry> encoded;
};

uint32_t hex(StringRef text) {
  uint32_t value = 0;
  EXPECT_FALSE(text.getAsInteger(16, value)) << text.str();
  return value;
}

std::vector<Table> readTables() {
  std::vector<Table> tables;
  auto file = llvm::MemoryBuffer::getFile(LOWP_TEST_DATA "/format_tables.txt", /*IsText=*/true);
  EXPECT_TRUE(bool(file)) << "cannot read format_tables.txt";
  if (!file)
    return tables;
  llvm::SmallVector<StringRef, 0> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  bool decoding = false;
  for (StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    llvm::SmallVector<StringRef, 12> words;
    line.split(words, ' ', -1, false);
    if (words[0] == "format") {
      tables.push_back({parseFormat(words[1]).value(), unsigned(std::stoul(words[3].str())), {}, {}});
      continue;
    }
    if (words[0] == "decode" || words[0] == "encode") {
      decoding = words[0] == "decode";
      continue;
    }
    for (StringRef word : words) {
      if (decoding) {
        tables.back().decoded.push_back(hex(word));
        continue;
      }
      auto [input, codes] = word.split(':');
      auto [plus, minus] = codes.split(':');
      tables.back().encoded.push_back({llvm::bit_cast<float>(hex(input)), hex(plus), hex(minus)});
    }
  }
  return tables;
}

/// What lowp gives for an input whose ml_dtypes result is `theirs`.
uint32_t expected(Format format, double input, uint32_t theirs) {
  if (std::isnan(input) && !hasNaN(format)) // ml_dtypes: a zero of the other sign
    return encode(format, std::copysign(largestFinite(format), input), Overflow::Native);
  if (input == 0 && format == Format::F8E8M0FNU) { // ml_dtypes: NaN
    EXPECT_EQ(theirs, 0xffu);
    return 0;
  }
  // The one input where ml_dtypes 0.6 is not nearest: an f32 subnormal just below the tie of 2^-127 and
  // 2^-126.
  if (input == double(std::nextafter(0x1.8p-127f, 0.0f)) && format == Format::F8E8M0FNU) {
    EXPECT_EQ(theirs, 1u);
    return 0;
  }
  return theirs;
}

} // namespace

TEST(FormatTables, DecodeMatchesMlDtypes) {
  std::vector<Table> tables = readTables();
  ASSERT_EQ(tables.size(), 10u);
  for (const Table &table : tables) {
    uint32_t codes = uint32_t(1) << bitWidth(table.format);
    ASSERT_EQ(table.decoded.size(), (codes + table.step - 1) / table.step) << name(table.format).str();
    for (size_t i = 0; i < table.decoded.size(); ++i) {
      float theirs = llvm::bit_cast<float>(table.decoded[i]);
      double ours = decode(table.format, uint32_t(i * table.step));
      if (std::isnan(theirs))
        EXPECT_TRUE(std::isnan(ours)) << name(table.format).str() << " " << i * table.step;
      else
        EXPECT_EQ(llvm::bit_cast<uint64_t>(ours), llvm::bit_cast<uint64_t>(double(theirs)))
            << name(table.format).str() << " " << i * table.step;
    }
  }
}

TEST(FormatTables, EncodeMatchesMlDtypes) {
  for (const Table &table : readTables()) {
    ASSERT_GT(table.encoded.size(), 30u);
    for (const Table::Entry &entry : table.encoded) {
      EXPECT_EQ(encode(table.format, entry.input, Overflow::Native),
                expected(table.format, entry.input, entry.plus))
          << name(table.format).str() << " " << entry.input;
      EXPECT_EQ(encode(table.format, -entry.input, Overflow::Native),
                expected(table.format, -entry.input, entry.minus))
          << name(table.format).str() << " " << -entry.input;
    }
  }
}
