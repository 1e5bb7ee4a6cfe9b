// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inner loops of matrix instructions: every code of every operand format becomes its value, and the
// kernels of a vector extension give the bits of the portable ones.

#include "../../lib/Sim/MfmaKernels.h"
#include "../../lib/Sim/NarrowFormats.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace lowp;
using namespace lowp::sim;

namespace {

std::vector<const MatrixKernels *> allKernels() {
  std::vector<const MatrixKernels *> all = {&portableKernels()};
  if (avx2Kernels())
    all.push_back(avx2Kernels());
  return all;
}

template <class T> uint64_t bitsOf(T x) {
  uint64_t bits = 0;
  if (x != x) // payloads are made equal when results are stored
    return ~uint64_t(0);
  std::memcpy(&bits, &x, sizeof(T));
  return bits;
}

constexpr Format narrowFormats[] = {Format::F8E4M3FN, Format::F8E4M3FNUZ, Format::F8E5M2,  Format::F8E5M2FNUZ,
                                    Format::F6E2M3FN, Format::F6E3M2FN,   Format::F4E2M1FN};

/// Element j of lane l of one operand without blocks, for 32 elements a lane.
uint32_t codeAt(unsigned lane, unsigned j, unsigned bits) { return (lane * 32 + j) * 37 % (1u << bits); }

TEST(MatrixKernels, NarrowCodesHaveTheirValues) {
  for (const MatrixKernels *kernels : allKernels())
    for (Format format : narrowFormats)
      for (unsigned size : {16u, 32u}) {
        unsigned bits = bitWidth(format), groups = 64 / size;
        TileShape shape = {size, 1, groups, 32, bits == 8 ? 16u : 32u};
        uint32_t registers[9][64] = {};
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned j = 0; j < 32; ++j)
            for (unsigned bit = 0; bit < bits; ++bit)
              registers[(j * bits + bit) / 32][lane] |= (codeAt(lane, j, bits) >> bit & 1)
                                                        << (j * bits + bit) % 32;
        std::vector<float> floats(2048);
        std::vector<double> doubles(2048);
        kernels->narrowToFloat(narrowCodec(format), shape, registers, floats.data());
        kernels->narrowToDouble(narrowCodec(format), shape, registers, doubles.data());
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned j = 0; j < 32; ++j) {
            unsigned g = lane / size, k = bits == 8 ? j / 16 * 16 * groups + 16 * g + j % 16 : 32 * g + j;
            double want = decode(format, codeAt(lane, j, bits));
            ASSERT_EQ(bitsOf(floats[k * size + lane % size]), bitsOf(float(want)))
                << kernels->name << " format " << unsigned(format) << " code " << codeAt(lane, j, bits);
            ASSERT_EQ(bitsOf(doubles[k * size + lane % size]), bitsOf(want)) << kernels->name;
          }
      }
}

TEST(MatrixKernels, HalfCodesHaveTheirValues) {
  for (const MatrixKernels *kernels : allKernels())
    for (bool bf16 : {false, true})
      for (unsigned from = 0; from < 65536; from += 256) {
        TileShape shape = {16, 1, 4, 4, 4};
        uint32_t registers[2][64];
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned r = 0; r < 2; ++r)
            registers[r][lane] = (from + lane * 4 + 2 * r) | (from + lane * 4 + 2 * r + 1) << 16;
        float floats[256];
        double doubles[256];
        kernels->halfToFloat(bf16, shape, registers, floats);
        kernels->halfToDouble(bf16, shape, registers, doubles);
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned j = 0; j < 4; ++j) {
            double want = decode(bf16 ? Format::BF16 : Format::F16, from + lane * 4 + j);
            unsigned at = (lane / 16 * 4 + j) * 16 + lane % 16;
            ASSERT_EQ(bitsOf(floats[at]), bitsOf(float(want))) << kernels->name << from + lane * 4 + j;
            ASSERT_EQ(bitsOf(doubles[at]), bitsOf(want)) << kernels->name << from + lane * 4 + j;
          }
      }
}

template <class T> std::vector<T> randomValues(std::mt19937 &random, unsigned count, unsigned keptBits) {
  std::vector<T> values(count);
  for (T &x : values) {
    float f;
    uint32_t bits = random();
    // Few fraction bits and exponents near zero, and now and then an infinity, a NaN or a zero.
    bits = (bits & 0x807fffff & ~((1u << (23 - keptBits)) - 1)) | (127 - 20 + random() % 40) << 23;
    std::memcpy(&f, &bits, 4);
    unsigned special = random() % 1000;
    x = special == 0 ? T(INFINITY) : special == 1 ? T(NAN) : special < 5 ? T(0) : T(f);
  }
  return values;
}

struct RowPointers {
  std::vector<uint32_t *> pointers;
  RowPointers(std::vector<uint32_t> &values, unsigned size) {
    for (unsigned row = 0; row < size; ++row)
      pointers.push_back(&values[row * size]);
  }
  uint32_t *const *get() const { return pointers.data(); }
};

TEST(MatrixKernels, VectorProductsHaveTheBitsOfPortableOnes) {
  if (!avx2Kernels())
    GTEST_SKIP() << "this host has no AVX2";
  constexpr unsigned seed = 1;
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 60; ++round)
    for (unsigned size : {4u, 16u, 32u}) {
      unsigned k = 1 + random() % 64;
      // Products of eleven-bit significands are exact in f32, others are not.
      bool exact = round % 2;
      auto a = randomValues<float>(random, k * size, exact ? 10 : 23),
           b = randomValues<float>(random, k * size, exact ? 10 : 23),
           d = randomValues<float>(random, size * size, 23);
      std::vector<double> a2(a.begin(), a.end()), b2(b.begin(), b.end()), d2(d.begin(), d.end());
      std::vector<uint32_t> a3(a.size()), b3(b.size()), d3(d.size());
      for (auto *values : {&a3, &b3, &d3})
        for (uint32_t &x : *values)
          x = random();
      auto e2 = d2;
      auto e3 = d3;
      std::vector<uint32_t> sums(d.size()), otherSums(d.size());
      for (unsigned i = 0; i < d.size(); ++i)
        sums[i] = uint32_t(bitsOf(d[i]));
      RowPointers rows(sums, size), otherRows(otherSums, size);
      // One in place, one with C elsewhere.
      avx2Kernels()->dotFloat(a.data(), b.data(), rows.get(), otherRows.get(), size, k, exact);
      portableKernels().dotFloat(a.data(), b.data(), rows.get(), rows.get(), size, k, exact);
      portableKernels().dotDouble(a2.data(), b2.data(), d2.data(), size, k);
      avx2Kernels()->dotDouble(a2.data(), b2.data(), e2.data(), size, k);
      portableKernels().dotInt(a3.data(), b3.data(), d3.data(), size, k);
      avx2Kernels()->dotInt(a3.data(), b3.data(), e3.data(), size, k);
      for (unsigned i = 0; i < size * size; ++i) {
        ASSERT_EQ(sums[i], otherSums[i]) << "size " << size << " k " << k << " seed " << seed;
        ASSERT_EQ(bitsOf(d2[i]), bitsOf(e2[i])) << "size " << size << " k " << k << " seed " << seed;
        ASSERT_EQ(d3[i], e3[i]) << "size " << size << " k " << k << " seed " << seed;
      }
    }
}

} // namespace
