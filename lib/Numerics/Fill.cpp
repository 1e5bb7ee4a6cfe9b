// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeded test data. The generator is splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", OOPSLA 2014), read at any place: no state runs through the elements. Only +, *, shifts and
// exact powers of two are used, so every platform makes the same bytes.
#include "lowp/Numerics/Fill.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <vector>

using namespace lowp;

uint64_t lowp::hashWord(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// verification_v9
int64_t lowp::integerLimit(int64_t k) {
  int64_t product = (int64_t(exactSumLimit) - 1) / std::max<int64_t>(k, 1);
  int64_t limit = 1;
  while ((limit + 1) * (limit + 1) <= product)
    ++limit;
  return limit;
}

namespace {

/// A number in [0, 1) from the upper bits of a word.
double unit(uint64_t word) { return double(word >> 11) * 0x1p-53; }

/// verification_v11: stores code(word, row, col) everywhere, where `word` is the element's own random word;
/// elements are visited along the dimension that is contiguous in memory.
void fill(const MatrixLayout &layout, uint8_t *data, uint64_t seed,
          llvm::function_ref<uint32_t(uint64_t word, int64_t row, int64_t col)> code) {
  std::vector<uint64_t> rowSeeds(std::max<int64_t>(layout.rows, 0));
  for (int64_t batch = 0; batch < layout.batches; ++batch) {
    uint64_t batchSeed = hashWord(seed, uint64_t(batch));
    for (int64_t row = 0; row < layout.rows; ++row)
      rowSeeds[row] = hashWord(batchSeed, uint64_t(row));
    auto store = [&](int64_t row, int64_t col) {
      uint32_t element = code(hashWord(rowSeeds[row], uint64_t(col)), row, col);
      storeCodeAtBit(layout.format, data, layout.bitOffset(batch, row, col), element);
    };
    if (layout.colBits <= layout.rowBits) {
      for (int64_t row = 0; row < layout.rows; ++row)
        for (int64_t col = 0; col < layout.cols; ++col)
          store(row, col);
      continue;
    }
    for (int64_t col = 0; col < layout.cols; ++col)
      for (int64_t row = 0; row < layout.rows; ++row)
        store(row, col);
  }
}

/// The codes of all integers v of the format with 0 < |v| <= limit.
llvm::SmallVector<uint32_t, 0> integerCodes(Format format, int64_t limit) {
  llvm::SmallVector<uint32_t, 0> codes;
  // Wider formats have more integers than test data need.
  for (int64_t v = std::min<int64_t>(limit, 4096); v > 0; --v)
    for (double signedValue : {double(v), -double(v)}) {
      uint32_t code = encode(format, signedValue, Overflow::Saturate);
      if (decode(format, code) == signedValue)
        codes.push_back(code);
    }
  return codes;
}

} // namespace

// verification_v9, verification_v10
void lowp::fillIntegers(const MatrixLayout &layout, uint8_t *data, uint64_t seed, int64_t limit,
                        double density) {
  llvm::SmallVector<uint32_t, 0> codes = integerCodes(layout.format, std::max<int64_t>(limit, 1));
  uint32_t zero = encode(layout.format, 0.0, Overflow::Saturate);
  fill(layout, data, seed, [&](uint64_t word, int64_t, int64_t) {
    if (density < 1.0 && unit(hashWord(word, 0)) >= density)
      return zero;
    return codes[word % codes.size()];
  });
}

// verification_v12
void lowp::fillRandom(const MatrixLayout &layout, uint8_t *data, uint64_t seed) {
  Format format = layout.format;
  // The sub-byte formats have few values near zero: draw them larger.
  bool narrow = bitWidth(format) < 8;
  double top = format == Format::I8    ? 127.99
               : format == Format::I32 ? 1e6
               : narrow                ? largestFinite(format)
                                       : 4.0;
  auto scales = [](int64_t extent, uint64_t seed, unsigned choices) {
    std::vector<double> result;
    for (int64_t i = 0; i < extent; ++i)
      result.push_back(1.0 / double(1 << hashWord(seed, uint64_t(i)) % choices));
    return result;
  };
  std::vector<double> rowScale = scales(layout.rows, seed ^ 0x526f77, 3),
                      colScale = scales(layout.cols, ~seed, 2);
  fill(layout, data, seed, [&](uint64_t word, int64_t row, int64_t col) -> uint32_t {
    if (format == Format::F8E8M0FNU)
      return 127 - 4 + word % 9;
    if (!isInteger(format) && hashWord(word, 0) % 64 == 0) {
      // A zero or one of the smallest subnormals of the format.
      double tiny = decode(format, 1) * double(hashWord(word, 1) % 4);
      return encode(format, (word & 1) ? tiny : -tiny, Overflow::Saturate);
    }
    return encode(format, (2 * unit(word) - 1) * top * rowScale[row] * colScale[col], Overflow::Saturate);
  });
}
