// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions with operands that leave no doubt: with an identity on one side every code of the other
// comes back; with zeros C does; and sums that fit into 53 bits, however they cancel, are rounded once.

#include "MatrixKernel.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

constexpr const char *narrowShapes[] = {"v_mfma_f32_16x16x128_f8f6f4", "v_mfma_f32_32x32x64_f8f6f4",
                                        "v_mfma_scale_f32_16x16x128_f8f6f4",
                                        "v_mfma_scale_f32_32x32x64_f8f6f4"};

struct Named {
  const char *chip;
  MatrixForm form;
  std::string modifiers = "";
};

/// Each instruction of each chip, without f64; those of the f8f6f4 family with each pair of formats, or with
/// each format on both sides.
std::vector<Named> allInstructions(bool allPairs) {
  std::vector<Named> all;
  for (const char *chip : bothChips)
    for (const std::string &name : matrixForms(chip))
      if (MatrixForm form(name, chip); !form.f64)
        all.push_back({chip, form});
  for (const char *name : narrowShapes)
    for (unsigned cbsz = 0; cbsz < 5; ++cbsz)
      for (unsigned blgp = 0; blgp < 5; ++blgp)
        if (allPairs || cbsz == blgp)
          all.push_back({"gfx950", MatrixForm(name, "gfx950", cbsz, blgp),
                         "cbsz:" + std::to_string(cbsz) + " blgp:" + std::to_string(blgp)});
  return all;
}

uint32_t one(Format format) { return format == Format::I8 ? 1 : encode(format, 1.0, Overflow::Saturate); }

double value(const MatrixForm &form, uint32_t code) {
  return form.integer ? double(int32_t(code)) : double(asFloat(code));
}

// Formats of at most eight bits come back whole; of the 16-bit ones every instruction takes a new part.
TEST(MfmaProbe, IdentityGivesTheOtherOperandBack) {
  constexpr unsigned seed = 3;
  std::mt19937 random(seed);
  for (const Named &n : allInstructions(true)) {
    const MatrixForm &form = n.form;
    if (form.sparse || form.bitsA == 32 || (form.scaled && form.a != form.b))
      continue;
    MatrixKernel kernel(n.chip, form, {n.modifiers});
    for (bool second : {false, true}) // which operand is the identity
      for (unsigned offset = 0; offset < form.k; offset += form.m) {
        Operands p(form);
        for (auto &lanes : p.words)
          std::fill(lanes.begin(), lanes.end(), 0x7f); // scales of one
        Format format = second ? form.a : form.b;
        std::vector<uint32_t> codes = finiteCodes(format);
        ASSERT_TRUE(bitWidth(format) > 8 || p.codesB.size() >= codes.size()) << form.name;
        fill(second ? p.codesA : p.codesB, codes, random);
        for (unsigned block = 0; block < form.blocks; ++block)
          for (unsigned i = 0; i < form.m; ++i)
            (second ? p.b(block, (i + offset) % form.k, i) : p.a(block, i, (i + offset) % form.k)) =
                one(second ? form.b : form.a);
        std::vector<uint32_t> got = kernel.run(p)[0];
        for (unsigned block = 0; block < form.blocks; ++block)
          for (unsigned i = 0; i < form.m; ++i)
            for (unsigned j = 0; j < form.m; ++j) {
              uint32_t code =
                  second ? p.a(block, i, (j + offset) % form.k) : p.b(block, (i + offset) % form.k, j);
              ASSERT_EQ(value(form, got[(block * form.m + i) * form.m + j]), decode(format, code))
                  << n.chip << " " << form.name << " " << n.modifiers << " block " << block << " " << i << ","
                  << j << " offset " << offset << " seed " << seed;
            }
      }
  }
}

TEST(MfmaProbe, ZerosGiveTheAccumulatorBack) {
  constexpr unsigned seed = 4;
  std::mt19937 random(seed);
  const uint32_t specials[] = {0x00000001, 0x807fffff, 0x00400000, 0x7f800000, 0xff800000,
                               0x7f800001, 0xffc12345, 0x7f7fffff, 0x00800000};
  for (const Named &n : allInstructions(false)) {
    const MatrixForm &form = n.form;
    Operands p(form);
    std::fill(p.codesB.begin(), p.codesB.end(), one(form.b));
    for (auto &lanes : p.words)
      std::fill(lanes.begin(), lanes.end(), 0x7f);
    for (unsigned at = 0; at < p.codesC.size(); ++at)
      p.codesC[at] = random() % 2 ? specials[random() % std::size(specials)] : uint32_t(random());
    MatrixKernel kernel(n.chip, form, {n.modifiers});
    for (MfmaMode mode : {MfmaMode::Exact, MfmaMode::Fast}) {
      std::vector<uint32_t> got = kernel.run(p, mode)[0];
      for (unsigned at = 0; at < p.codesC.size(); ++at)
        ASSERT_EQ(got[at], form.integer ? p.codesC[at] : bitsOf(asFloat(p.codesC[at])))
            << n.chip << " " << form.name << " " << n.modifiers << " seed " << seed;
    }
  }
}

// -- Sums
// ------------------------------------------------------------------------------------------------------

constexpr int unit = -44; // sums are integers of 2^unit

__int128 scaled(double x) { return __int128(std::ldexp(x, -unit)); }

/// The f32 nearest to sum 2^unit, ties to even.
uint32_t rounded(__int128 sum) {
  uint64_t halves[] = {uint64_t(sum), uint64_t(sum >> 64)};
  APFloat x(APFloat::IEEEsingle());
  x.convertFromAPInt(APInt(128, halves), true, APFloat::rmNearestTiesToEven);
  return uint32_t(scalbn(x, unit, APFloat::rmNearestTiesToEven).bitcastToAPInt().getZExtValue());
}

/// Each second k undoes most of the one before it; a number here and there stays.
void fillCancelling(Operands &p, std::mt19937 &random) {
  fill(p.codesA, finiteCodes(p.form.a), random);
  fill(p.codesB, finiteCodes(p.form.b), random);
  for (unsigned k = 0; k < p.form.k; k += 2)
    for (unsigned j = 0; j < p.form.m; ++j)
      if (random() % 8)
        p.b(0, k + 1, j) = p.b(0, k, j);
  uint32_t sign = 1u << (p.form.bitsA - 1);
  for (unsigned s = 0; s + 1 < p.form.storedK(); s += 2)
    for (unsigned i = 0; i < p.form.m; ++i)
      if (random() % 8 && (p.a(0, i, s) & (sign - 1))) // 0x80 alone is NaN on the older chip
        p.a(0, i, s + 1) = p.a(0, i, s) ^ sign;
  for (uint32_t &code : p.codesC)
    code = bitsOf(std::ldexp(float(int(random()) >> 8), -26 + int(random() % 16)));
  for (uint32_t &word : p.words[0])
    word = random();
}

TEST(MfmaProbe, SumsOf53BitsAreRoundedOnce) {
  constexpr unsigned seed = 5;
  std::mt19937 random(seed);
  unsigned differs = 0;
  for (const Named &n : allInstructions(true)) {
    const MatrixForm &form = n.form;
    auto small = [](Format format) {
      return format == Format::F8E4M3FN || format == Format::F8E4M3FNUZ || bitWidth(format) < 8;
    };
    if (form.scaled || form.integer || !small(form.a) || !small(form.b) || form.blocks > 1)
      continue;
    MatrixKernel kernel(n.chip, form, {n.modifiers});
    for (unsigned round = 0; round < 3; ++round) {
      Operands p(form);
      fillCancelling(p, random);
      std::vector<uint32_t> got = kernel.run(p)[0];
      for (unsigned i = 0; i < form.m; ++i)
        for (unsigned j = 0; j < form.m; ++j) {
          __int128 sum = scaled(asFloat(p.c(0, i, j)));
          float inFloat = asFloat(p.c(0, i, j));
          for (unsigned s = 0; s < form.storedK(); ++s) {
            Place place = form.input(0, i, s, false);
            unsigned k = form.sparse ? s / 2 * 4 + (p.words[0][place.lane] >> 2 * place.element & 3) : s;
            double product = decode(form.a, p.a(0, i, s)) * decode(form.b, p.b(0, k, j));
            sum += scaled(product);
            inFloat += float(product);
          }
          uint32_t want = rounded(sum), bits = got[i * form.m + j];
          ASSERT_EQ(bits == 0x80000000 ? 0 : bits, want)
              << n.chip << " " << form.name << " " << n.modifiers << " " << i << "," << j << " seed " << seed;
          differs += bitsOf(inFloat) != want;
        }
    }
  }
  EXPECT_GT(differs, 1000u); // else a sum in float would have passed
}

} // namespace
