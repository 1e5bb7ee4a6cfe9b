// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published rule of CDNA3's matrix core, bit for bit, against a second statement of it: MMA-Sim's TR_FDPA
// and GTR_FDPA in the words of its source, on real numbers. Doubles serve as real numbers here: significands
// are cut to 32 fraction bits at most and stay below 2^8, so that every step is exact. And the two other
// modes against the sums that they promise.

#include "MfmaReference.h"
#include "TestKernel.h"
#include <cmath>
#include <random>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

float asFloat(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, 4);
  return x;
}
uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return x != x ? 0x7fc00000 : bits;
}

struct Number { // significand * 2^exponent
  double significand;
  int exponent;
};

Number normalised(double x, int subnormalExponent) {
  if (x == 0)
    return {0, subnormalExponent};
  int e;
  double s = std::frexp(x, &e) * 2;
  --e;
  if (e < subnormalExponent)
    return {std::ldexp(s, e - subnormalExponent), subnormalExponent};
  return {s, e};
}

double cut(double x, int bits) { return std::ldexp(std::trunc(std::ldexp(x, bits)), -bits); }
double cutDown(double x, int bits) { return std::ldexp(std::floor(std::ldexp(x, bits)), -bits); }

Number truncatedSum(ArrayRef<Number> products, unsigned first, unsigned stride) {
  Number sum = {0, -999};
  for (unsigned i = first; i < products.size(); i += stride)
    sum.exponent = std::max(sum.exponent, products[i].exponent);
  for (unsigned i = first; i < products.size(); i += stride)
    sum.significand += cut(std::ldexp(products[i].significand, products[i].exponent - sum.exponent), 24);
  return sum;
}

float group(ArrayRef<double> a, ArrayRef<double> b, float c, int minA, int minB, bool eightBits) {
  SmallVector<Number, 16> products;
  double special = c - c; // infinities and NaN, summed as such
  bool any = !std::isfinite(c);
  if (any)
    special = c;
  for (unsigned i = 0; i < a.size(); ++i) {
    Number x = normalised(a[i], minA), y = normalised(b[i], minB);
    double product = a[i] * b[i];
    if (!std::isfinite(product) || std::fabs(product) >= 0x1p128) {
      special += std::isnan(product) ? NAN : std::copysign(INFINITY, product);
      any = true;
    }
    products.push_back({x.significand * y.significand, x.exponent + y.exponent});
    if (products.back().significand == 0)
      products.back().exponent = -999;
  }
  if (any)
    return float(special);
  Number dot;
  if (eightBits) {
    Number even = truncatedSum(products, 0, 2), odd = truncatedSum(products, 1, 2);
    dot.exponent = std::max(even.exponent, odd.exponent);
    dot.significand = cutDown(std::ldexp(even.significand, even.exponent - dot.exponent), 24) +
                      cutDown(std::ldexp(odd.significand, odd.exponent - dot.exponent), 24);
  } else {
    dot = truncatedSum(products, 0, 1);
  }
  Number acc = normalised(c, -126);
  int top = std::max(dot.exponent, acc.exponent);
  double left = cutDown(std::ldexp(dot.significand, dot.exponent - top), 32);
  double right = cutDown(std::ldexp(acc.significand, acc.exponent - top), 24);
  if (eightBits && acc.exponent < top - 25)
    right = 0;
  Number sum = normalised(std::ldexp(left + right, top), -126);
  float result = float(std::ldexp(cutDown(sum.significand, 31), sum.exponent));
  return result == 0 ? 0.0f : result;
}

int minExponent(Format format) {
  return format == Format::F8E4M3FNUZ   ? -7
         : format == Format::F8E5M2FNUZ ? -15
         : format == Format::F16        ? -14
                                        : -126;
}

double decodeInput(const MatrixForm &form, Format format, uint32_t code) {
  if (form.xf32)
    return asFloat(code & ~0x1fffu);
  return form.bitsA == 32 ? asFloat(code) : decode(format, code);
}

float expected(const MatrixForm &form, MfmaMode mode, ArrayRef<double> a, ArrayRef<double> b, float c) {
  if (mode == MfmaMode::Exact) {
    double sum = c;
    for (unsigned k = 0; k < a.size(); ++k)
      sum += a[k] * b[k];
    return float(sum);
  }
  if (mode == MfmaMode::Fast) {
    volatile float sum = c;
    for (unsigned k = 0; k < a.size(); ++k) {
      volatile float product = float(a[k]) * float(b[k]);
      sum = sum + product;
    }
    return sum;
  }
  if (form.bitsA == 32 && !form.xf32) {
    for (unsigned k = 0; k < a.size(); ++k)
      c = std::fma(float(a[k]), float(b[k]), c);
    return c;
  }
  unsigned size = form.bitsA == 8 ? 16 : form.xf32 ? 4 : 8;
  for (unsigned from = 0; from < a.size(); from += size) {
    unsigned count = std::min<unsigned>(size, a.size() - from);
    c = group(a.slice(from, count), b.slice(from, count), c, minExponent(form.a), minExponent(form.b),
              form.bitsA == 8);
  }
  return c;
}

/// Codes of a kind: 0 any bits, 1 of like size, 2 sums that cancel, 3 wide apart, 4 small ones.
uint32_t draw(std::mt19937 &random, unsigned bits, unsigned kind, unsigned k) {
  uint32_t code = random() & (bits == 32 ? ~0u : (1u << bits) - 1);
  unsigned fraction = bits == 32 ? 23 : bits == 16 ? 10 : 3, exponentBits = bits - 1 - fraction;
  uint32_t low = code & ((1u << fraction) - 1), sign = code >> (bits - 1) << (bits - 1);
  uint32_t middle = 1u << (exponentBits - 1);
  switch (kind) {
  case 0:
    return code;
  case 1:
    return sign | (middle - random() % 3) << fraction | low;
  case 2: // the sign alternates, the size hardly changes
    return (k % 2) << (bits - 1) | middle << fraction | (low & 3);
  case 3:
    return sign | (random() % (1u << exponentBits)) << fraction | low;
  default:
    return sign | (random() % 2) << fraction | low;
  }
}

class MatrixSums : public testing::TestWithParam<MfmaMode> {};
std::string modeName(const testing::TestParamInfo<MfmaMode> &info) {
  return info.param == MfmaMode::Exact ? "Exact" : info.param == MfmaMode::Fast ? "Fast" : "Cdna3";
}
INSTANTIATE_TEST_SUITE_P(Modes, MatrixSums, testing::Values(MfmaMode::Exact, MfmaMode::Fast, MfmaMode::Cdna3),
                         modeName);

TEST_P(MatrixSums, BitForBit) {
  constexpr unsigned seed = 7;
  std::mt19937 random(seed);
  Options options;
  options.mfma = GetParam();
  for (const std::string &name : matrixForms("gfx942")) {
    MatrixForm form(name, "gfx942");
    if (form.sparse || form.integer || form.f64)
      continue;
    unsigned m = form.m, registersA = form.registersA(), registersB = form.registersB();
    for (unsigned kind = 0; kind < 5; ++kind) {
      std::vector<std::vector<uint32_t>> rows(registersA + registersB + form.registersD(),
                                              std::vector<uint32_t>(64));
      std::vector<double> a(m * form.k * form.blocks), b(a.size());
      std::vector<float> c(m * m * form.blocks);
      auto fill = [&](unsigned base, unsigned bits, Place place, uint32_t code) {
        rows[base + place.element * bits / 32][place.lane] |= code << place.element * bits % 32;
      };
      for (unsigned block = 0; block < form.blocks; ++block)
        for (unsigned i = 0; i < m; ++i) {
          for (unsigned k = 0; k < form.k; ++k) {
            uint32_t x = draw(random, form.bitsA, kind, k), y = draw(random, form.bitsB, kind ? 1 : 0, 0);
            fill(0, form.bitsA, form.input(block, i, k, false), x);
            fill(registersA, form.bitsB, form.input(block, i, k, true), y);
            a[(block * m + i) * form.k + k] = decodeInput(form, form.a, x);
            b[(block * m + i) * form.k + k] = decodeInput(form, form.b, y);
          }
          for (unsigned j = 0; j < m; ++j) {
            uint32_t z = kind == 4 && random() % 2 ? 0 : draw(random, 32, random() % 4 ? 1 : kind, j);
            fill(registersA + registersB, 32, form.output(block, i, j), z);
            c[(block * m + i) * m + j] = asFloat(z);
          }
        }
      auto span = [](unsigned first, unsigned count) {
        return count == 1 ? "v" + std::to_string(first)
                          : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
      };
      KernelShape shape;
      shape.vgprs = 256;
      std::string body = "s_nop 4\n";
      for (unsigned i = 0; i < rows.size(); ++i) // even registers for pairs
        body += "v_mov_b32 v" +
                std::to_string((i < registersA                ? 100 + i
                                : i < registersA + registersB ? 110 + i - registersA
                                                              : 120 + i - registersA - registersB)) +
                ", v" + std::to_string(10 + i) + "\n";
      body += "s_nop 1\n" + name + " " + span(40, form.registersD()) + ", " + span(100, registersA) + ", " +
              span(110, registersB) + ", " + span(120, form.registersD()) + "\ns_nop 15\ns_nop 15\n";
      RowsResult result = runRows("gfx942", body, rows, form.registersD(), true, shape, options);
      for (unsigned block = 0; block < form.blocks; ++block)
        for (unsigned i = 0; i < m; ++i)
          for (unsigned j = 0; j < m; ++j) {
            Place place = form.output(block, i, j);
            float want =
                expected(form, GetParam(), ArrayRef(a).slice((block * m + i) * form.k, form.k),
                         ArrayRef(b).slice((block * m + j) * form.k, form.k), c[(block * m + i) * m + j]);
            ASSERT_EQ(result.rows[place.element][place.lane], bitsOf(want))
                << name << " kind " << kind << " seed " << seed << " block " << block << " " << i << "," << j;
          }
    }
  }
}

// Cases worked out by hand.
TEST(MatrixModes, CutAndKeptBits) {
  std::vector<std::vector<uint32_t>> rows(8, std::vector<uint32_t>(64));
  // Row 0 of A times column 0 of B: 1 * 1 + 2^-12 * 2^-13. The second product is one half of the last kept
  // bit of the first and is cut, although f32 could not hold it anyway; with c = -1 exact sums would show it.
  rows[0][0] = 0x3c00 | 0x0c00u << 16; // k = 0, 1: 1, 2^-12
  rows[2][0] = 0x3c00 | 0x0800u << 16; // 1, 2^-13
  for (unsigned r = 4; r < 8; ++r)
    rows[r].assign(64, 0xbf800000);
  std::string body = "s_nop 4\nv_mfma_f32_16x16x16_f16 v[40:43], v[10:11], v[12:13], v[14:17]\ns_nop 15\n";
  Options options;
  for (MfmaMode mode : {MfmaMode::Exact, MfmaMode::Fast, MfmaMode::Cdna3}) {
    options.mfma = mode;
    RowsResult result = runRows("gfx942", body, rows, 4, true, {}, options);
    // -1 + 1 first, so that nothing is lost, but for the rule, which forms the dot product first.
    EXPECT_EQ(asFloat(result.rows[0][0]), mode == MfmaMode::Cdna3 ? 0.0f : 0x1p-25f);
    EXPECT_EQ(asFloat(result.rows[1][0]), -1.0f);
  }
}

TEST(MatrixModes, RuleIsRefusedWhereNoneIsPublic) {
  Options options;
  options.mfma = MfmaMode::Cdna3;
  struct Case {
    const char *chip, *body, *message;
  };
  for (const Case &c :
       {Case{
            "gfx950", "v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], 0",
            "'v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], 0': no bit-exact rule of its sums on gfx950 is "
            "public; run it with exact or fast sums instead"},
        Case{"gfx942", "v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[8:11], v12",
             "'v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[8:11], v12': no bit-exact rule of its sums on "
             "gfx942 "
             "is public; run it with exact or fast sums instead"}}) {
    std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(c.chip, c.body));
    ASSERT_TRUE(simulator);
    LaunchConfig launch;
    launch.kernel = "test";
    launch.block[0] = 64;
    Expected<Report> report = simulator->run(launch, {}, options);
    ASSERT_FALSE(bool(report));
    EXPECT_EQ(toString(report.takeError()), c.message);
  }
}

TEST(MatrixModes, LoneScaleIsAFinding) {
  std::unique_ptr<Simulator> simulator =
      makeSimulator(kernelText("gfx950", "v_mov_b32 v1, 0\ns_nop 1\nv_mfma_ld_scale_b32 v0, v1\ns_nop 4"));
  ASSERT_TRUE(simulator);
  Report report = runKernel(*simulator, {});
  EXPECT_FALSE(report.completed);
  EXPECT_TRUE(hasFinding(report, "bad-control-flow"));
}

} // namespace
