// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every matrix instruction of both chips: which lane and register holds which element of A, B, C and D, the
// indices of sparse forms, broadcasts and lane permutations, and every way to name registers and constants.
// Integer data, so that results are exact.

#include "MfmaReference.h"
#include "Reference/Covered.h"
#include "TestKernel.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <random>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim::test;

namespace {

std::vector<std::string> allForms() {
  std::vector<std::string> names;
  for (const char *chip : bothChips)
    for (std::string &name : matrixForms(chip))
      names.push_back(std::move(name));
  return names;
}
const sim::reference::Covers covers(allForms());

uint64_t codeOf(const MatrixForm &form, Format format, int value) {
  if (form.f64) {
    double x = value;
    uint64_t bits;
    std::memcpy(&bits, &x, 8);
    return bits;
  }
  return format == Format::I8 ? uint32_t(value) & 0xff : encode(format, value, Overflow::Saturate);
}

std::string span(char kind, unsigned first, unsigned count) {
  std::string name(1, kind);
  return count == 1 ? name + std::to_string(first)
                    : name + "[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

/// Random operands of one instruction, as matrices and as registers.
struct Problem {
  MatrixForm form;
  std::vector<int> a, b, c, index; ///< [block][row][k], [block][k][column], [block][row][column]
  Rows rows;                       ///< A, B, C, index
  unsigned firstB, firstC, firstIndex;

  Problem(const MatrixForm &form, unsigned seed) : form(form) {
    std::mt19937 random(seed);
    auto small = [&](int limit) { return int(random() % (2 * limit + 1)) - limit; };
    unsigned m = form.m, stored = form.storedK();
    firstB = form.registersA();
    firstC = firstB + form.registersB();
    firstIndex = firstC + form.registersD();
    rows.assign(firstIndex + 1, std::vector<uint32_t>(64));
    for (uint32_t &word : rows[firstIndex])
      word = random();
    for (unsigned block = 0; block < form.blocks; ++block) {
      for (unsigned i = 0; i < m; ++i)
        for (unsigned k = 0; k < stored; ++k) {
          a.push_back(small(3));
          put(rows, 0, form.input(block, i, k, false), form.bitsA, codeOf(form, form.a, a.back()));
        }
      for (unsigned k = 0; k < form.k; ++k)
        for (unsigned j = 0; j < m; ++j) {
          b.push_back(small(3));
          put(rows, firstB, form.input(block, j, k, true), form.bitsB, codeOf(form, form.b, b.back()));
        }
      for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < m; ++j) {
          c.push_back(small(1000));
          uint64_t code = form.integer ? uint32_t(c.back()) : codeOf(form, Format::F32, c.back());
          put(rows, firstC, form.output(block, i, j), form.f64 ? 64 : 32, code);
        }
    }
  }

  int at(unsigned block, unsigned i, unsigned k) const {
    return a[(block * form.m + i) * form.storedK() + k];
  }
  int bt(unsigned block, unsigned k, unsigned j) const { return b[(block * form.k + k) * form.m + j]; }

  /// The k of stored element `stored` of a row, with the index set that starts at bit `shift`.
  unsigned kOf(unsigned row, unsigned stored, unsigned shift) const {
    if (!form.sparse)
      return stored;
    Place place = form.input(0, row, stored, false);
    return stored / 2 * 4 + (rows[firstIndex][place.lane] >> shift >> 2 * place.element & 3);
  }

  double decodeResult(const Rows &result, unsigned block, unsigned i, unsigned j) const {
    Place place = form.output(block, i, j);
    if (form.f64) {
      uint64_t bits =
          result[2 * place.element][place.lane] | uint64_t(result[2 * place.element + 1][place.lane]) << 32;
      double value;
      std::memcpy(&value, &bits, 8);
      return value;
    }
    uint32_t bits = result[place.element][place.lane];
    if (form.integer)
      return int32_t(bits);
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
  }
};

/// How one instruction names its registers.
struct Naming {
  char kind = 'v';           ///< of A, B, C and D
  unsigned a, b, c, d;       ///< first registers
  std::string constant = ""; ///< instead of C
  double constantValue = 0;
  std::string modifiers = "";
};

constexpr unsigned inputs = 10, results = 40; // where runRows has them

/// Runs it, and gives the registers of D. Inputs are copied to where the naming says first.
Rows run(StringRef chip, const Problem &p, const Naming &n) {
  const MatrixForm &form = p.form;
  std::string body = "s_nop 4\n";
  auto copy = [&](unsigned first, unsigned count, unsigned to) {
    for (unsigned i = 0; i < count; ++i)
      body += (n.kind == 'a' ? "v_accvgpr_write_b32 a" : "v_mov_b32 v") + std::to_string(to + i) + ", v" +
              std::to_string(inputs + first + i) + "\n";
  };
  copy(0, form.registersA(), n.a);
  copy(p.firstB, form.registersB(), n.b);
  if (n.constant.empty())
    copy(p.firstC, form.registersD(), form.sparse ? n.d : n.c);
  std::string index = "v" + std::to_string(inputs + p.firstIndex);
  body += "s_nop 1\n" + form.name + " " + span(n.kind, n.d, form.registersD()) + ", " +
          span(n.kind, n.a, form.registersA()) + ", " + span(n.kind, n.b, form.registersB()) + ", " +
          (form.sparse          ? index
           : n.constant.empty() ? span(n.kind, n.c, form.registersD())
                                : n.constant) +
          n.modifiers + "\ns_nop 15\ns_nop 15\n";
  for (unsigned i = 0; i < form.registersD(); ++i)
    body += (n.kind == 'a' ? "v_accvgpr_read_b32 v" : "v_mov_b32 v") + std::to_string(results + i) + ", " +
            n.kind + std::to_string(n.d + i) + "\n";
  KernelShape shape;
  shape.vgprs = 256;
  return runRows(chip, body, p.rows, form.registersD(), true, shape).rows;
}

/// Compares with sums over the matrices; A's blocks and B's lanes may be taken from elsewhere.
void check(const Problem &p, const Rows &got, const Naming &n, function_ref<unsigned(unsigned)> blockOfA,
           function_ref<unsigned(unsigned)> laneOfB, unsigned shift = 0) {
  const MatrixForm &form = p.form;
  // What each lane of B holds, for the permutations.
  std::map<std::pair<unsigned, unsigned>, int> held;
  for (unsigned block = 0; block < form.blocks; ++block)
    for (unsigned k = 0; k < form.k; ++k)
      for (unsigned j = 0; j < form.m; ++j) {
        Place place = form.input(block, j, k, true);
        held[{place.lane, place.element}] = p.bt(block, k, j);
      }
  for (unsigned block = 0; block < form.blocks; ++block)
    for (unsigned i = 0; i < form.m; ++i)
      for (unsigned j = 0; j < form.m; ++j) {
        double want = n.constant.empty() ? p.c[(block * form.m + i) * form.m + j] : n.constantValue;
        for (unsigned s = 0; s < form.storedK(); ++s) {
          Place place = form.input(block, j, p.kOf(i, s, shift), true);
          want += p.at(blockOfA(block), i, s) * held.at({laneOfB(place.lane), place.element});
        }
        ASSERT_EQ(p.decodeResult(got, block, i, j), want)
            << form.name << n.modifiers << " " << n.kind << " block " << block << " " << i << "," << j;
      }
}
unsigned same(unsigned x) { return x; }

class MatrixLayout : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Chips, MatrixLayout, testing::Values("gfx942", "gfx950"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(MatrixLayout, EveryForm) {
  for (const std::string &name : matrixForms(GetParam())) {
    Problem p(MatrixForm(name, GetParam()), 1);
    Naming vectors = {'v', 100, 108, 120, 160};
    check(p, run(GetParam(), p, vectors), vectors, same, same);
    if (HasFatalFailure())
      return;
  }
}

TEST_P(MatrixLayout, AccumulationRegistersAndOverlap) {
  for (const std::string &name : matrixForms(GetParam())) {
    Problem p(MatrixForm(name, GetParam()), 2);
    std::vector<Naming> ways;
    ways.push_back({'a', 0, 8, 16, 64});         // all in a registers
    ways.push_back({'v', 100, 108, 120, 120});   // D is C
    if (!p.form.sparse) {                        // their D is C, which cannot lie where A and B are
      ways.push_back({'v', 100, 108, 160, 100}); // D begins with A
      ways.push_back({'v', 100, 108, 160, 110}); // D lies in B, or begins there
      bool integer = p.form.integer;
      ways.push_back({'v', 100, 108, 0, 120, integer ? "-3" : "4.0", integer ? -3.0 : 4.0});
      ways.push_back({'a', 0, 8, 0, 64, integer ? "33" : "-0.5", integer ? 33.0 : -0.5});
    }
    for (Naming &n : ways) {
      check(p, run(GetParam(), p, n), n, same, same);
      if (HasFatalFailure())
        return;
    }
  }
}

TEST_P(MatrixLayout, BroadcastsAndLanePermutations) {
  for (const std::string &name : matrixForms(GetParam())) {
    MatrixForm form(name, GetParam());
    bool older = form.m * form.k * form.blocks * form.bitsA <= 4096 && form.bitsA < 64 && !form.xf32 &&
                 (form.a != Format::I8 || form.blocks > 1) && form.bitsA * form.bitsB != 64;
    if (form.a == Format::I8 && form.blocks > 1)
      older = true;
    if (form.sparse || !older)
      continue;
    Problem p(form, 3);
    Naming n = {'v', 100, 108, 120, 160};
    for (unsigned cbsz = 0; 1u << cbsz <= form.blocks; ++cbsz)
      for (unsigned abid = 0; abid < 1u << cbsz; abid += cbsz == 4 ? 5 : 1) {
        n.modifiers = " cbsz:" + std::to_string(cbsz) + " abid:" + std::to_string(abid);
        check(
            p, run(GetParam(), p, n), n,
            [&](unsigned block) { return block / (1u << cbsz) * (1u << cbsz) + abid; }, same);
        if (HasFatalFailure())
          return;
      }
    for (unsigned blgp = 1; blgp < 8; ++blgp) {
      n.modifiers = " blgp:" + std::to_string(blgp);
      check(p, run(GetParam(), p, n), n, same, [&](unsigned lane) {
        unsigned of[] = {lane,      lane % 32,      lane % 32 + 32, (lane + 16) % 64,
                         lane % 16, lane % 16 + 16, lane % 16 + 32, lane % 16 + 48};
        return of[blgp];
      });
      if (HasFatalFailure())
        return;
    }
  }
}

TEST_P(MatrixLayout, SetsOfSparseIndices) {
  for (const std::string &name : matrixForms(GetParam())) {
    MatrixForm form(name, GetParam());
    if (!form.sparse)
      continue;
    Problem p(form, 4);
    Naming n = {'v', 100, 108, 120, 160};
    unsigned setBits = form.storedK() * form.m / 64 * 2;
    for (unsigned abid = 0; abid < 32 / setBits; ++abid)
      for (unsigned cbsz : {0, 1}) {
        n.modifiers = " cbsz:" + std::to_string(cbsz) + " abid:" + std::to_string(abid);
        check(p, run(GetParam(), p, n), n, same, same, cbsz ? 0 : abid * setBits);
        if (HasFatalFailure())
          return;
      }
  }
}

TEST_P(MatrixLayout, NegatedDoubles) {
  for (const char *name : {"v_mfma_f64_16x16x4_f64", "v_mfma_f64_4x4x4_4b_f64"})
    for (unsigned neg = 1; neg < 8; ++neg) {
      Problem p(MatrixForm(name, GetParam()), 5 + neg);
      Naming n = {'v', 100, 108, 120, 160};
      n.modifiers = " neg:[" + std::to_string(neg & 1) + "," + std::to_string(neg >> 1 & 1) + "," +
                    std::to_string(neg >> 2) + "]";
      Rows got = run(GetParam(), p, n);
      for (int &x : p.a)
        x *= neg & 1 ? -1 : 1;
      for (int &x : p.b)
        x *= neg & 2 ? -1 : 1;
      for (int &x : p.c)
        x *= neg & 4 ? -1 : 1;
      check(p, got, n, same, same);
    }
}

// The calculator's listings against the equations that the tests above use.
TEST(MatrixReference, AgreesWithTheCalculatorsListings) {
  auto text = MemoryBuffer::getFile(LOWP_TEST_DATA "/mfma_layout_cdna3_blocks.txt");
  ASSERT_TRUE(bool(text));
  SmallVector<StringRef, 0> lines;
  (*text)->getBuffer().split(lines, '\n', -1, false);
  std::unique_ptr<MatrixForm> form;
  unsigned seen = 0;
  for (StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    SmallVector<StringRef, 40> words;
    line.split(words, ' ', -1, false);
    if (words[0] == "instruction") {
      form = std::make_unique<MatrixForm>(words[1], "gfx942");
      continue;
    }
    unsigned lane = 0;
    words[1].getAsInteger(10, lane);
    for (unsigned e = 2; e < words.size(); ++e, ++seen) {
      SmallVector<StringRef, 3> numbers;
      words[e].split(numbers, ',');
      unsigned block = 0, row = 0, column = 0;
      numbers[0].getAsInteger(10, block);
      numbers[1].getAsInteger(10, row);
      numbers[2].getAsInteger(10, column);
      Place place = {lane, e - 2};
      if (words[0] == "D") {
        EXPECT_EQ(form->output(block, row, column), place) << line.str();
      } else if (words[0] == "B") {
        EXPECT_EQ(form->input(block, column, row, true), place) << line.str();
      } else if (form->sparse) {
        EXPECT_EQ(form->input(block, row, column / 2, false), (Place{lane, 2 * (e - 2)})) << line.str();
      } else {
        EXPECT_EQ(form->input(block, row, column, false), place) << line.str();
      }
    }
  }
  EXPECT_EQ(seen, 512u + 1280u + 768u + 1536u + 2304u);
}

} // namespace
