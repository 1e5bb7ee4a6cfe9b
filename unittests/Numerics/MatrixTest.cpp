// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packing of elements into bytes, and layouts with padding, transposition and batches.
#include "lowp/Numerics/Matrix.h"

#include "gtest/gtest.h"
#include <vector>

using namespace lowp;

// numerics_n11
TEST(Packing, Fp4TakesTheLowNibbleFirst) {
  uint8_t bytes[2] = {0x21, 0x43};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(loadCode(Format::F4E2M1FN, bytes, i), uint32_t(i + 1));
}

TEST(Packing, FourFp6InThreeBytes) {
  // 0b000001, 0b110010, 0b101011, 0b111100, little-endian bit order.
  uint32_t word = 0x01 | 0x32 << 6 | 0x2b << 12 | 0x3c << 18;
  uint8_t bytes[3] = {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16)};
  const uint32_t expected[] = {0x01, 0x32, 0x2b, 0x3c};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(loadCode(Format::F6E2M3FN, bytes, i), expected[i]);
    EXPECT_EQ(loadCode(Format::F6E3M2FN, bytes, i), expected[i]);
  }
}

TEST(Packing, WideElementsAreLittleEndian) {
  uint8_t bytes[8] = {0, 0, 0x80, 0x3f, 0x34, 0x12, 0xcd, 0xab};
  EXPECT_EQ(loadCode(Format::F32, bytes, 0), 0x3f800000u);
  EXPECT_EQ(loadCode(Format::BF16, bytes, 1), 0x3f80u);
  EXPECT_EQ(loadCode(Format::I32, bytes, 1), 0xabcd1234u);
  EXPECT_EQ(loadCode(Format::I8, bytes, 4), 0x34u);
}

TEST(Packing, StoresLeaveTheNeighboursAlone) {
  for (Format format : allFormats()) {
    uint32_t mask = bitWidth(format) == 32 ? ~0u : (1u << bitWidth(format)) - 1;
    constexpr int count = 13; // odd: the last element of the sub-byte formats shares its byte with padding
    size_t size = (count * bitWidth(format) + 7) / 8;
    for (uint8_t background : {0x00, 0xff}) {
      // Exactly as many bytes as needed: the sanitizers see an access beyond.
      std::vector<uint8_t> bytes(size, background);
      std::vector<uint32_t> expected(count, background ? mask : 0);
      for (int i : {7, 0, 12, 3, 4, 11, 1, 7}) {
        expected[i] = (0x9e3779b9u * (i + 1) + bytes[0]) & mask;
        storeCode(format, bytes.data(), i, expected[i] | ~mask); // bits above the width are ignored
        for (int j = 0; j < count; ++j)
          ASSERT_EQ(loadCode(format, bytes.data(), j), expected[j])
              << name(format).str() << " " << i << " " << j;
      }
      unsigned used = count * bitWidth(format) % 8;
      if (used != 0) {
        EXPECT_EQ(bytes.back() >> used, background >> used) << "padding of " << name(format).str();
      }
    }
  }
}

// numerics_n12
TEST(MatrixLayout, PackedRowsStartOnAWholeByte) {
  MatrixLayout fp6 = MatrixLayout::rowMajor(Format::F6E2M3FN, 3, 5); // 30 bits take 4 bytes
  EXPECT_EQ(fp6.rowBits, 32);
  EXPECT_EQ(fp6.colBits, 6);
  EXPECT_EQ(fp6.batchBits, 96);
  EXPECT_EQ(fp6.spanBytes(), 12);
  MatrixLayout fp4 = MatrixLayout::rowMajor(Format::F4E2M1FN, 2, 3, /*ld=*/6, /*batches=*/2);
  EXPECT_EQ(fp4.bitOffset(1, 1, 2), 2 * 24 + 24 + 8);
  EXPECT_EQ(fp4.spanBytes(), 11); // up to the last element, not to the end of its row
  EXPECT_EQ(MatrixLayout::rowMajor(Format::F32, 0, 5).spanBytes(), 0);
}

TEST(MatrixLayout, TransposedViewsSeeTheSameElements) {
  MatrixLayout layout = MatrixLayout::rowMajor(Format::F6E3M2FN, 4, 7, 8, 2);
  std::vector<uint8_t> bytes(layout.spanBytes());
  for (int b = 0; b < 2; ++b)
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 7; ++c)
        storeCodeAtBit(layout.format, bytes.data(), layout.bitOffset(b, r, c), (28 * b + 7 * r + c) & 63);
  MatrixView view{layout, bytes.data()}, transposed = view.transposed();
  EXPECT_EQ(transposed.layout.rows, 7);
  for (int b = 0; b < 2; ++b)
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 7; ++c) {
        EXPECT_EQ(view.code(b, r, c), uint32_t(28 * b + 7 * r + c) & 63);
        EXPECT_EQ(transposed.code(b, c, r), view.code(b, r, c));
      }
}

TEST(MatrixLayout, StridesOfAnySign) {
  const float values[] = {0, 1, 2, 3, 4, 5};
  auto *last = reinterpret_cast<const uint8_t *>(&values[5]);
  MatrixView reversed{MatrixLayout::strided(Format::F32, 2, 3, -3, -1), last};
  EXPECT_EQ(reversed.value(0, 0, 0), 5);
  EXPECT_EQ(reversed.value(0, 1, 2), 0);
  MatrixView broadcast{MatrixLayout::strided(Format::F32, 4, 3, 0, 2),
                       reinterpret_cast<const uint8_t *>(values)};
  EXPECT_EQ(broadcast.value(0, 3, 2), 4);
}
