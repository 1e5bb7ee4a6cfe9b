// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions: who holds which element, against the listing of AMD's matrix instruction calculator,
// and the values of the f8f6f4 family against sums formed element by element from the documented layouts.

#include "Reference/Covered.h"
#include "TestKernel.h"
#include "lowp/Numerics/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <map>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim::test;

namespace {

struct Place {
  unsigned lane, element;
};
struct Layout {
  std::vector<std::string> instructions;
  std::map<std::pair<unsigned, unsigned>, Place> of[3]; ///< A, B, D by (row, column)
};

std::vector<Layout> readLayouts() {
  std::vector<Layout> layouts;
  auto text = MemoryBuffer::getFile(LOWP_TEST_DATA "/mfma_layout_cdna3.txt");
  if (!text)
    return layouts;
  SmallVector<StringRef, 0> lines;
  (*text)->getBuffer().split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    SmallVector<StringRef, 32> words;
    line.split(words, ' ', -1, false);
    if (words[0] == "instructions") {
      layouts.emplace_back();
      for (StringRef name : ArrayRef(words).drop_front())
        layouts.back().instructions.push_back(name.str());
      continue;
    }
    unsigned matrix = words[0] == "A" ? 0 : words[0] == "B" ? 1 : 2, lane = 0;
    words[1].getAsInteger(10, lane);
    for (unsigned i = 2; i < words.size(); ++i) {
      auto [row, column] = words[i].split(',');
      unsigned r = 0, c = 0;
      row.getAsInteger(10, r);
      column.getAsInteger(10, c);
      layouts.back().of[matrix][{r, c}] = {lane, i - 2};
    }
  }
  return layouts;
}

/// Small integers in a format's code: distinct enough to tell elements apart, exact in every type.
uint32_t codeOf(Format format, int value) {
  if (format == Format::I8)
    return uint32_t(value) & 0xff;
  return encode(format, value, Overflow::Saturate);
}

using Rows = std::vector<std::vector<uint32_t>>;
void put(Rows &rows, unsigned base, Place place, unsigned bits, uint32_t code) {
  unsigned bit = place.element * bits;
  for (unsigned i = 0; i < bits; ++i)
    if (code >> i & 1)
      rows[base + (bit + i) / 32][place.lane] |= 1u << (bit + i) % 32;
}

Format operandFormat(StringRef name, bool second) {
  if (name.ends_with("bf16"))
    return Format::BF16;
  if (name.ends_with("f16"))
    return Format::F16;
  if (name.ends_with("i8"))
    return Format::I8;
  SmallVector<StringRef, 8> parts;
  name.split(parts, '_');
  return parts[parts.size() - (second ? 1 : 2)] == "bf8" ? Format::F8E5M2FNUZ : Format::F8E4M3FNUZ;
}

TEST(Mfma, LayoutsAsTheCalculatorPrintsThem) {
  std::vector<Layout> layouts = readLayouts();
  ASSERT_GE(layouts.size(), 4u);
  for (const Layout &layout : layouts)
    for (const std::string &name : layout.instructions) {
      unsigned m = 0, k = 0;
      for (const auto &[index, place] : layout.of[0]) {
        m = std::max(m, index.first + 1);
        k = std::max(k, index.second + 1);
      }
      Format fa = operandFormat(name, false), fb = operandFormat(name, true);
      unsigned bits = bitWidth(fa), dwords = m * k * bits / 64 / 32, results = m * m / 64;
      Rows in(2 * dwords + results, std::vector<uint32_t>(64));
      std::vector<double> a(m * k), b(k * m), c(m * m);
      for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < k; ++j) {
          a[i * k + j] = int(i * 5 + j * 3) % 7 - 3;
          b[j * m + i] = int(i * 3 + j * 5) % 5 - 2;
          put(in, 0, layout.of[0].at({i, j}), bits, codeOf(fa, int(a[i * k + j])));
          put(in, dwords, layout.of[1].at({j, i}), bits, codeOf(fb, int(b[j * m + i])));
        }
      bool integer = fa == Format::I8;
      for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < m; ++j) {
          c[i * m + j] = double(i * 100 + j);
          float value = float(c[i * m + j]);
          uint32_t code = uint32_t(i * 100 + j);
          if (!integer)
            std::memcpy(&code, &value, 4);
          put(in, 2 * dwords, layout.of[2].at({i, j}), 32, code);
        }
      auto span = [](unsigned first, unsigned count) {
        return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
      };
      std::string body = "s_nop 4\n" + name + " " + span(40, results) + ", " + span(10, dwords) + ", " +
                         span(10 + dwords, dwords) + ", " + span(10 + 2 * dwords, results) + "\ns_nop 15\n";
      RowsResult result = runRows("gfx942", body, in, results);
      for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < m; ++j) {
          double want = c[i * m + j];
          for (unsigned n = 0; n < k; ++n)
            want += a[i * k + n] * b[n * m + j];
          Place place = layout.of[2].at({i, j});
          uint32_t got = result.rows[place.element][place.lane];
          float value;
          std::memcpy(&value, &got, 4);
          ASSERT_EQ(integer ? double(int32_t(got)) : double(value), want) << name << " " << i << "," << j;
        }
    }
}

const sim::reference::Covers covers({"v_mfma_f32_16x16x128_f8f6f4", "v_mfma_f32_32x32x64_f8f6f4",
                                     "v_mfma_scale_f32_16x16x128_f8f6f4", "v_mfma_scale_f32_32x32x64_f8f6f4",
                                     "v_mfma_ld_scale_b32"}); // the last: MfmaRuleTest

// -- f8f6f4
// --------------------------------------------------------------------------------------------------------------

struct ScaledCase {
  unsigned size, a, b; ///< M, cbsz, blgp
  bool scaled;
};
class ScaledMfma : public testing::TestWithParam<ScaledCase> {};

constexpr Format formats[] = {Format::F8E4M3FN, Format::F8E5M2, Format::F6E2M3FN, Format::F6E3M2FN,
                              Format::F4E2M1FN};

/// k of element j in lane group g: 8-bit operands lie in two runs of 16, the others in one of 32.
unsigned kOf(unsigned bits, unsigned groups, unsigned g, unsigned j) {
  return bits == 8 ? (j < 16 ? 16 * g + j : 16 * groups + 16 * g + j - 16) : 32 * g + j;
}

TEST_P(ScaledMfma, MatchesElementwiseSums) {
  ScaledCase p = GetParam();
  unsigned m = p.size, k = m == 16 ? 128 : 64, groups = 64 / m, results = m * m / 64;
  Format fa = formats[p.a], fb = formats[p.b];
  unsigned bitsA = bitWidth(fa), bitsB = bitWidth(fb);
  Rows in(18, std::vector<uint32_t>(64));
  std::vector<double> a(m * k), b(k * m);
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned j = 0; j < 32; ++j) {
      uint32_t codeA = (lane * 37 + j * 11 + 5) % (1u << bitsA),
               codeB = (lane * 23 + j * 29 + 3) % (1u << bitsB);
      // No NaN or infinity, and moderate sizes.
      if (bitsA == 8)
        codeA = (codeA & 0x83) | 0x30 | (codeA & 4);
      if (bitsB == 8)
        codeB = (codeB & 0x83) | 0x34 | (codeB & 8);
      put(in, 0, {lane, j}, bitsA, codeA);
      put(in, 8, {lane, j}, bitsB, codeB);
      a[(lane % m) * k + kOf(bitsA, groups, lane / m, j)] = decode(fa, codeA);
      b[kOf(bitsB, groups, lane / m, j) * m + lane % m] = decode(fb, codeB);
    }
  // Different scales for every row and block; only the byte that op_sel chooses (A: 1, B: 2) may count.
  for (unsigned lane = 0; lane < 64; ++lane) {
    in[16][lane] = 0x55550055u | (120 + lane * 7 % 13) << 8;
    in[17][lane] = 0x55005555u | (121 + lane * 5 % 11) << 16;
  }
  auto span = [](unsigned first, unsigned bits) {
    return "v[" + std::to_string(first) + ":" + std::to_string(first + bits - 1) + "]";
  };
  std::string shape = m == 16 ? "16x16x128" : "32x32x64";
  std::string body =
      "s_nop 4\nv_mfma_" + std::string(p.scaled ? "scale_" : "") + "f32_" + shape +
      "_f8f6f4 v[40:" + std::to_string(39 + results) + "], " + span(10, bitsA) + ", " + span(18, bitsB) +
      ", 1.0" + (p.scaled ? ", v26, v27 op_sel:[1,0,0] op_sel_hi:[0,1,0]" : "") +
      " cbsz:" + std::to_string(p.a) + " blgp:" + std::to_string(p.b) + "\ns_nop 15\ns_nop 15\n";
  RowsResult result = runRows("gfx950", body, in, results);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < m; ++j) {
      double want = 1.0, magnitude = 1.0;
      for (unsigned n = 0; n < k; ++n) {
        double term = a[i * k + n] * b[n * m + j];
        if (p.scaled)
          term *= std::ldexp(1.0, int(in[16][n / 32 * m + i] >> 8 & 0xff) +
                                      int(in[17][n / 32 * m + j] >> 16 & 0xff) - 254);
        want += term;
        magnitude += std::fabs(term);
      }
      unsigned element = m == 16 ? i % 4 : i / 8 * 4 + i % 4, group = m == 16 ? i / 4 : i / 4 % 2;
      float got;
      std::memcpy(&got, &result.rows[element][group * m + j], 4);
      ASSERT_NEAR(got, want, magnitude * 0x1p-24) << i << "," << j;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, ScaledMfma,
                         testing::Values(ScaledCase{16, 0, 0, false}, ScaledCase{16, 0, 0, true},
                                         ScaledCase{16, 1, 0, true}, ScaledCase{16, 0, 4, true},
                                         ScaledCase{16, 4, 4, true}, ScaledCase{16, 2, 3, true},
                                         ScaledCase{16, 4, 0, false}, ScaledCase{32, 0, 1, true},
                                         ScaledCase{32, 4, 4, true}, ScaledCase{32, 0, 2, true},
                                         ScaledCase{32, 3, 4, false}, ScaledCase{32, 0, 0, false}));

TEST(Mfma, SameCodesDifferByChip) {
  // 0x38 is 1.0 in OCP's e4m3 and 0.5 in the FNUZ one.
  Rows in(4, std::vector<uint32_t>(64, 0x38383838));
  std::string body = "s_nop 4\nv_mfma_f32_16x16x32_fp8_fp8 v[40:43], v[10:11], v[12:13], 0\ns_nop 15\n";
  for (const char *chip : bothChips) {
    RowsResult result = runRows(chip, body, in, 4);
    float got;
    std::memcpy(&got, &result.rows[2][17], 4);
    EXPECT_EQ(got, StringRef(chip) == "gfx942" ? 8.0f : 32.0f);
  }
}

} // namespace
