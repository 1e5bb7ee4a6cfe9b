// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled matrix instructions: all 25 pairs of formats with all byte selects, scales that differ between rows,
// blocks of 32 k, bytes and operands, so that one that is taken from elsewhere shows; the scales at the ends
// of E8M0; NaN and infinities. Against D = C + sum over blocks of scaleA scaleB (sum over 32 k of a b), as
// the OCP Microscaling specification (5.3, 6.2) and the CDNA4 ISA manual (section 7) have it.

#include "MatrixKernel.h"
#include <cmath>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

constexpr const char *shapes[] = {"v_mfma_scale_f32_16x16x128_f8f6f4", "v_mfma_scale_f32_32x32x64_f8f6f4"};
constexpr unsigned formatCount = 5;
constexpr unsigned fp8 = 0, bf8 = 1, bf6 = 3, fp4 = 4; // as cbsz and blgp name them

struct Selects {
  unsigned a, b; ///< bytes of the scale registers
};

std::string modifiers(Selects s, unsigned cbsz, unsigned blgp) {
  auto bit = [](unsigned x, unsigned n) { return std::to_string(x >> n & 1); };
  return "op_sel:[" + bit(s.a, 0) + "," + bit(s.b, 0) + ",0] op_sel_hi:[" + bit(s.a, 1) + "," + bit(s.b, 1) +
         ",0] cbsz:" + std::to_string(cbsz) + " blgp:" + std::to_string(blgp);
}

long double scaleValue(uint32_t word, unsigned byte) {
  int code = word >> 8 * byte & 0xff;
  return code == 255 ? (long double)NAN : std::ldexp(1.0L, code - 127);
}

struct Seen {
  unsigned nans = 0, infinities = 0, subnormals = 0, others = 0;
};

/// Compares each element with its exact sum. `steps` roundings of relative size `unit` are granted to the
/// sum, then one to f32; where no such error can change that one, the bits must agree.
void check(Operands &p, const std::vector<uint32_t> &got, Selects selects, double unit, Seen &seen) {
  const MatrixForm &form = p.form;
  std::vector<double> a, b;
  for (uint32_t code : p.codesA)
    a.push_back(decode(form.a, code));
  for (uint32_t code : p.codesB)
    b.push_back(decode(form.b, code));
  for (unsigned i = 0; i < form.m; ++i)
    for (unsigned j = 0; j < form.m; ++j) {
      long double want = asFloat(p.c(0, i, j)), magnitude = std::fabs(want);
      for (unsigned block = 0; block < form.k / 32; ++block) {
        long double sum = 0, sizes = 0;
        for (unsigned k = 32 * block; k < 32 * block + 32; ++k) {
          double product = a[i * form.k + k] * b[k * form.m + j];
          sum += product;
          sizes += std::fabs(product);
        }
        long double scale = scaleValue(p.words[0][form.scaleLane(i, block)], selects.a) *
                            scaleValue(p.words[1][form.scaleLane(j, block)], selects.b);
        want += sum * scale;
        magnitude += sizes * scale;
      }
      uint32_t bits = got[i * form.m + j];
      float value = asFloat(bits);
      if (want != want) {
        ASSERT_EQ(bits, 0x7fc00000u) << i << "," << j;
        ++seen.nans;
        continue;
      }
      long double error = std::isinf(want) ? 0.0L : (form.k + 1) * unit * magnitude;
      ASSERT_GE(value, float(want - error)) << i << "," << j;
      ASSERT_LE(value, float(want + error)) << i << "," << j;
      ++(std::isinf(value)                            ? seen.infinities
         : value != 0 && std::fabs(value) < 0x1p-126f ? seen.subnormals
                                                      : seen.others);
    }
}

/// Numbers of moderate size.
void fillC(Operands &p, std::mt19937 &random) {
  for (uint32_t &code : p.codesC)
    code = bitsOf(std::ldexp(float(int(random())), -25 - int(random() % 8)));
}

void fillScales(Operands &p) {
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned byte = 0; byte < 4; ++byte) {
      unsigned row = lane % p.form.m, block = lane / p.form.m;
      p.words[0][lane] |= (121 + (7 * row + 11 * block + 17 * byte) % 13) << 8 * byte;
      p.words[1][lane] |= (122 + (5 * row + 3 * block + 19 * byte) % 11) << 8 * byte;
    }
}

TEST(MfmaScaled, EveryPairOfFormatsAndEveryByte) {
  constexpr unsigned seed = 1;
  std::mt19937 random(seed);
  Seen seen;
  for (const char *shape : shapes)
    for (unsigned pair = 0; pair < formatCount * formatCount; ++pair) {
      unsigned cbsz = pair / formatCount, blgp = pair % formatCount;
      MatrixForm form(shape, "gfx950", cbsz, blgp);
      // As many as fit into registers: all 16 pairs of bytes; or four of them, others for the next formats.
      std::vector<Selects> selects;
      std::vector<std::string> texts;
      for (unsigned n = 0; n < (form.m == 16 ? 16u : 4u); ++n) {
        selects.push_back({n % 4, (n / 4 + n + pair) % 4});
        texts.push_back(modifiers(selects.back(), cbsz, blgp));
      }
      Operands p(form);
      fill(p.codesA, finiteCodes(form.a), random);
      fill(p.codesB, finiteCodes(form.b), random);
      fillC(p, random);
      fillScales(p);
      MatrixKernel kernel("gfx950", form, texts);
      auto exact = kernel.run(p, MfmaMode::Exact), fast = kernel.run(p, MfmaMode::Fast);
      for (unsigned n = 0; n < texts.size(); ++n) {
        SCOPED_TRACE(form.name + " " + texts[n] + " seed " + std::to_string(seed));
        check(p, exact[n], selects[n], 0x1p-53, seen);
        if (!HasFatalFailure())
          check(p, fast[n], selects[n], 0x1p-24, seen);
        if (HasFatalFailure())
          return;
      }
    }
  EXPECT_EQ(seen.nans + seen.infinities, 0u);
}

TEST(MfmaScaled, EndsOfTheScale) {
  // 128 (64) products of ones: D[i][j] = k 2^(a + b) with the exponents of the row and of the column.
  constexpr unsigned codes[] = {0, 1, 126, 127, 128, 253, 254, 255};
  for (const char *shape : shapes) {
    MatrixForm form(shape, "gfx950", fp8, fp4);
    Operands p(form);
    std::fill(p.codesA.begin(), p.codesA.end(), 0x38);
    std::fill(p.codesB.begin(), p.codesB.end(), 0x2);
    for (unsigned lane = 0; lane < 64; ++lane) {
      unsigned row = lane % form.m;
      p.words[0][lane] = 0x7f7f7f7f ^ (0x7f ^ codes[row % 8]) << 24;
      p.words[1][lane] = 0x7f7f7f7f ^ (0x7f ^ codes[row / 2 % 8]);
    }
    auto all =
        MatrixKernel("gfx950", form, {modifiers({3, 0}, fp8, fp4), modifiers({1, 2}, fp8, fp4)}).run(p);
    for (unsigned i = 0; i < form.m; ++i)
      for (unsigned j = 0; j < form.m; ++j) {
        unsigned a = codes[i % 8], b = codes[j / 2 % 8];
        float want = a == 255 || b == 255 ? NAN : float(std::ldexp(double(form.k), int(a + b) - 254));
        ASSERT_EQ(all[0][i * form.m + j], bitsOf(want)) << form.name << " " << a << " " << b;
        ASSERT_EQ(asFloat(all[1][i * form.m + j]), float(form.k)) << form.name;
      }
  }
}

TEST(MfmaScaled, NanScaleOfOneBlockReachesItsRowAlone) {
  for (const char *shape : shapes) {
    MatrixForm form(shape, "gfx950", fp4, bf8);
    MatrixKernel kernel("gfx950", form, {modifiers({1, 1}, fp4, bf8)});
    for (bool second : {false, true})
      for (unsigned lane = 0; lane < 64; ++lane) {
        Operands p(form); // zeros: times NaN they are NaN
        std::fill(p.words[0].begin(), p.words[0].end(), 0x7f7f7f7f);
        p.words[1] = p.words[0];
        p.words[second][lane] = 0x7f7fff7f;
        std::vector<uint32_t> got = kernel.run(p)[0];
        for (unsigned i = 0; i < form.m; ++i)
          for (unsigned j = 0; j < form.m; ++j)
            ASSERT_EQ(got[i * form.m + j], (second ? j : i) == lane % form.m ? 0x7fc00000u : 0u)
                << form.name << " lane " << lane << " " << i << "," << j;
      }
  }
}

/// Scales from end to end, and operands with NaN, infinities and many zeros.
void fillWild(Operands &p, std::mt19937 &random) {
  auto operand = [&](std::vector<uint32_t> &codes, Format format) {
    fill(codes, finiteCodes(format), random);
    for (uint32_t &code : codes) {
      unsigned what = random() % 1024;
      if (what < 300)
        code = 0;
      else if (format == Format::F8E5M2 && what < 302)
        code = 0x7c | (what & 1) << 7; // infinity
      else if (bitWidth(format) == 8 && what == 302 && random() % 2)
        code = 0x7f | (random() & 0x80); // NaN in both
    }
  };
  operand(p.codesA, p.form.a);
  operand(p.codesB, p.form.b);
  fillC(p, random);
  for (auto &lanes : p.words)
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned byte = 0; byte < 4; ++byte) {
        constexpr unsigned ends[] = {0, 1, 2, 127, 252, 253, 254};
        unsigned what = random() % 64, code = 20 + random() % 100;
        if (lane % 4 == 0) // rows and columns whose products lie around 2^-149
          code = 40 + random() % 24;
        else if (what < 16)
          code = ends[random() % 7];
        lanes[lane] |= (what == 63 ? 255 : code) << 8 * byte;
      }
  for (unsigned n = 0; n < p.codesC.size(); n += 3) // room for results below 2^-126
    p.codesC[n] = random() % 2 ? 0 : random() & 0x807fffff;
  p.codesC[random() % p.codesC.size()] = 0x7fa00000;
  p.codesC[random() % p.codesC.size()] = 0x7f800000;
  p.codesC[random() % p.codesC.size()] = 0xff800000;
}

TEST(MfmaScaled, NanInfinityAndTheEndsOfF32) {
  constexpr unsigned seed = 2;
  std::mt19937 random(seed);
  for (const char *shape : shapes)
    for (unsigned pair = 0; pair < formatCount * formatCount; ++pair) {
      unsigned cbsz = pair / formatCount, blgp = pair % formatCount;
      MatrixForm form(shape, "gfx950", cbsz, blgp);
      std::vector<Selects> selects = {{pair % 4, pair / 4 % 4}, {pair / 4 % 4, (pair + 1) % 4}};
      MatrixKernel kernel("gfx950", form,
                          {modifiers(selects[0], cbsz, blgp), modifiers(selects[1], cbsz, blgp)});
      Seen seen;
      for (unsigned round = 0; round < 2; ++round) {
        Operands p(form);
        fillWild(p, random);
        // Scales near the ends make Fast sum in double, too.
        for (MfmaMode mode : {MfmaMode::Exact, MfmaMode::Fast}) {
          auto got = kernel.run(p, mode);
          for (unsigned n = 0; n < 2; ++n) {
            SCOPED_TRACE(form.name + " " + modifiers(selects[n], cbsz, blgp) + " seed " +
                         std::to_string(seed));
            check(p, got[n], selects[n], 0x1p-53, seen);
            if (HasFatalFailure())
              return;
          }
        }
      }
      EXPECT_TRUE(seen.nans && seen.infinities && seen.subnormals && seen.others)
          << form.name << " " << seen.nans << " " << seen.infinities << " " << seen.subnormals;
    }
}

TEST(MfmaScaled, SpecialOperandsByCase) {
  struct Case {
    unsigned a, b; ///< codes of bf8 and of bf6 at one k; zeros elsewhere
    float c, want;
  };
  constexpr unsigned inf = 0x7c, minusInf = 0xfc, one = 0x3c, bf6One = 0x0c, bf6Zero = 0, bf6MinusOne = 0x2c;
  const Case cases[] = {{inf, bf6One, 1, INFINITY},
                        {inf, bf6MinusOne, 1, -INFINITY},
                        {minusInf, bf6One, 1, -INFINITY},
                        {inf, bf6Zero, 1, NAN},
                        {minusInf, bf6Zero, 1, NAN},
                        {inf, bf6One, -INFINITY, NAN},
                        {inf, bf6One, INFINITY, INFINITY},
                        {0x7d, bf6Zero, 1, NAN},
                        {0xff, bf6One, 1, NAN},
                        {one, bf6One, INFINITY, INFINITY},
                        {one, bf6One, NAN, NAN},
                        {one, bf6MinusOne, 3, 2}};
  for (const char *shape : shapes) {
    MatrixForm form(shape, "gfx950", bf8, bf6);
    MatrixKernel kernel("gfx950", form, {modifiers({2, 3}, bf8, bf6)});
    for (const Case &c : cases)
      for (MfmaMode mode : {MfmaMode::Exact, MfmaMode::Fast}) {
        Operands p(form);
        std::fill(p.words[0].begin(), p.words[0].end(), 0xff7fffff);
        std::fill(p.words[1].begin(), p.words[1].end(), 0x7fffffff);
        unsigned i = 5, j = 9, k = form.k - 3;
        p.a(0, i, k) = c.a;
        p.b(0, k, j) = c.b;
        p.c(0, i, j) = bitsOf(c.c);
        EXPECT_EQ(kernel.run(p, mode)[0][i * form.m + j], bitsOf(c.want))
            << form.name << " " << c.a << " " << c.b << " " << c.c;
      }
  }
}

} // namespace
