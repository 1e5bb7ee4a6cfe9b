// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every vector instruction, in every form the assembler knows, against the references: one kernel for a
// family, one workgroup for a data set. LOWP_LONG=1 runs many more data sets; LOWP_SEED chooses others.

#include "Reference/Covered.h"
#include "Reference/FloatBits.h"
#include "Reference/VectorCase.h"
#include "TestKernel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;
using namespace lowp::sim::reference;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;

u64 seedOfRun() {
  const char *text = std::getenv("LOWP_SEED");
  return text ? std::strtoull(text, nullptr, 0) : 20261130;
}
bool longRun() { return std::getenv("LOWP_LONG") != nullptr; }

/// The forms of the rows that the chip's assembler takes. Every row of the chip has at least one.
std::vector<VectorCase> existingCases(StringRef chip, const Rows &rows, Random &random) {
  std::vector<VectorCase> all;
  for (const Row &row : rows)
    for (VectorCase &one : makeCases(row, random, longRun() ? 4 : 1))
      all.push_back(std::move(one));
  std::string text;
  for (const VectorCase &one : all)
    text += one.text + "\n";
  std::set<unsigned> rejected = rejectedLines(chip, text);
  std::vector<VectorCase> cases;
  std::map<const Row *, unsigned> forms;
  for (unsigned i = 0; i < all.size(); ++i)
    if (!rejected.count(i + 1)) {
      ++forms[all[i].row];
      cases.push_back(std::move(all[i]));
    }
  for (const Row &row : rows) {
    bool exists = !(row.flags & Gfx950 && chip == "gfx942") && !(row.flags & Gfx942 && chip == "gfx950");
    EXPECT_EQ(forms.count(&row), exists ? 1u : 0u) << chip.str() << ": forms of " << row.name;
  }
  return cases;
}

constexpr unsigned bankBytes = 256 * (1 + Bank::vectors);

std::string kernelOf(std::vector<VectorCase> &cases, unsigned &rows) {
  rows = 0;
  unsigned stored = 0;
  std::string body;
  raw_string_ostream out(body);
  auto store = [&](unsigned reg) {
    if (stored && stored % 16 == 0)
      out << "v_add_u32 v1, 0x1000, v1\n";
    out << "global_store_dword v1, v" << reg << ", s[6:7] offset:" << 256 * (stored++ % 16) << "\n";
    ++rows;
  };
  for (VectorCase &one : cases) {
    one.firstRow = rows;
    KindInfo info = kindInfo(one.row->signature[0]);
    for (unsigned i = 0; i < info.dwords; ++i)
      out << "v_mov_b32 v" << 200 + i << ", v" << info.firstReg + i << "\n";
    if (one.usesVcc)
      out << "s_mov_b64 vcc, s[" << laneMasks[0] << ":" << laneMasks[0] + 1 << "]\n";
    if (one.execMask)
      out << "s_mov_b64 exec, s[" << one.execMask << ":" << one.execMask + 1 << "]\n";
    out << "s_nop 1\n" << one.text << "\n";
    if (one.writesExec())
      out << "s_mov_b64 s[52:53], exec\n";
    if (one.execMask || one.writesExec())
      out << "s_mov_b64 exec, -1\n";
    out << "s_nop 3\n"; // dot products need most
    for (unsigned i = 0; i < info.dwords; ++i)
      store(200 + i);
    if (one.writesMask()) {
      out << "v_cndmask_b32_e64 v199, 0, 1, " << one.maskOut << "\n";
      store(199);
    }
    if (one.writesExec()) {
      out << "v_cndmask_b32_e64 v199, 0, 1, s[52:53]\n";
      store(199);
    }
  }
  std::string prologue;
  raw_string_ostream start(prologue);
  start << "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n";
  for (auto [pair, bytes] : {std::pair(4u, bankBytes), std::pair(6u, 256 * rows)})
    start << "s_mul_i32 s8, s2, 0x" << utohexstr(bytes) << "\ns_add_u32 s" << pair << ", s" << pair
          << ", s8\ns_addc_u32 s" << pair + 1 << ", s" << pair + 1 << ", 0\n";
  start << "s_load_dwordx16 s[16:31], s[4:5], 0x0\ns_load_dwordx16 s[32:47], s[4:5], 0x40\n"
        << "v_lshlrev_b32 v1, 2, v0\nv_mov_b32 v2, v1\n";
  for (unsigned i = 0; i < Bank::vectors; ++i) {
    unsigned row = i + 1;
    if (row % 16 == 0)
      start << "v_add_u32 v2, 0x1000, v2\n";
    start << "global_load_dword v" << Bank::firstVector + i << ", v2, s[4:5] offset:" << 256 * (row % 16)
          << "\n";
  }
  start << "s_waitcnt vmcnt(0) lgkmcnt(0)\n";
  return prologue + body;
}

/// In units of the last place of the format, infinities counted as one past the largest.
double distance(const FloatFormat &b, u64 x, u64 y) { return std::fabs(double(b.key(x)) - double(b.key(y))); }

struct FormatOf {
  const FloatFormat *format = nullptr;
  unsigned values = 1; ///< in a dword
};
FormatOf formatOf(const Row &row) {
  switch (row.signature[0]) {
  case 'f':
  case 'F':
  case 'z':
    return {&f32Bits};
  case 'h':
    return {&f16Bits};
  case 'k':
    return row.flags & HalfResult ? FormatOf{&f16Bits} : FormatOf{};
  case 'H':
  case 'y':
    return {&f16Bits, 2};
  case 'B':
  case 'Y':
    return {&bf16Bits, 2};
  default:
    return {};
  }
}

bool sameValue(const FloatFormat &b, u64 got, u64 want, double tolerance) {
  if (got == want)
    return true;
  if (b.nan(want))
    return b.quiet(got);
  if (b.nan(got) || b.zero(want) || b.infinite(want) || b.infinite(got))
    return false;
  return distance(b, got, want) <= tolerance;
}

bool sameResult(const VectorCase &one, const Outcome &expected, const u32 *got) {
  const Lane &l = expected.lane;
  unsigned dwords = one.resultDwords();
  if (l.choice) {
    auto field = [&](const u32 *x, unsigned i) {
      unsigned bit = l.choice * i;
      u64 both = x[bit / 32] | (bit / 32 + 1 < dwords ? u64(x[bit / 32 + 1]) << 32 : 0);
      return u32(both >> bit % 32) & ((1u << l.choice) - 1);
    };
    for (unsigned i = 0; i < dwords * 32 / l.choice; ++i)
      if (field(got, i) != field(l.d, i) && field(got, i) != field(l.choices, i))
        return false;
    return true;
  }
  if (l.hasAlternative && got[0] == l.alternative)
    return true;
  if (std::equal(got, got + dwords, l.d))
    return true;
  if (one.row->signature[0] == 'd') {
    u64 x = got[0] | u64(got[1]) << 32, y = l.d[0] | u64(l.d[1]) << 32;
    return sameValue(f64Bits, x, y, one.row->tolerance);
  }
  FormatOf info = formatOf(*one.row);
  if (!info.format || one.dstSel != 6)
    return false;
  if (l.allowed && std::fabs(double(bitCast<float>(got[0])) - bitCast<float>(l.d[0])) <= l.allowed)
    return true;
  for (unsigned i = 0; i < dwords; ++i)
    for (unsigned k = 0; k < info.values; ++k) {
      unsigned at = info.values == 2 ? 16 * k : 0;
      u64 mask = info.values == 2 ? 0xffff : 0xffffffff;
      if (info.format->width == 16 && info.values == 1) { // the other half exactly
        unsigned value = one.opSel >> 3 & 1 ? 16 : 0;
        if ((got[i] ^ l.d[i]) & ~(0xffffu << value))
          return false;
        at = value;
        mask = 0xffff;
      }
      if (!sameValue(*info.format, got[i] >> at & mask, l.d[i] >> at & mask, one.row->tolerance))
        return false;
    }
  return true;
}

std::string hexRow(const u32 *x, unsigned dwords) {
  std::string text;
  for (unsigned i = 0; i < dwords; ++i)
    text += (i ? " " : "") + utohexstr(x[i]);
  return text;
}

void checkFamily(StringRef chip, const Rows &rows, bool saturate = false) {
  const u64 seed = seedOfRun();
  Random random(seed);
  std::vector<VectorCase> cases = existingCases(chip, rows, random);
  unsigned outRows;
  KernelShape shape;
  shape.vgprs = 256;
  shape.agprs = 0;
  shape.fp16Overflow = saturate;
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(chip, kernelOf(cases, outRows), shape));
  ASSERT_TRUE(simulator);
  const unsigned sets = longRun() ? 64 : 4;
  std::vector<Bank> banks;
  std::vector<u32> in;
  for (unsigned i = 0; i < sets; ++i) {
    banks.push_back(makeBank(random));
    size_t at = in.size();
    in.resize(at + bankBytes / 4);
    std::copy(banks[i].s, banks[i].s + Bank::scalars, in.begin() + at);
    std::copy(&banks[i].v[0][0], &banks[i].v[0][0] + 64 * Bank::vectors, in.begin() + at + 64);
  }
  std::vector<u32> results(size_t(64) * outRows * sets, 0xabababab);
  std::vector<Buffer> buffers = {{"in", in.data(), in.size() * 4, Buffer::Access::Read},
                                 {"out", results.data(), results.size() * 4, Buffer::Access::Write, false}};
  Report report = runKernel(*simulator, buffers, shape, {}, sets);
  EXPECT_TRUE(report.completed);
  EXPECT_TRUE(report.findings.empty()) << allFindings(report);
  std::map<const Row *, unsigned> faults; // a few of each row say enough
  for (unsigned set = 0; set < sets; ++set)
    for (const VectorCase &one : cases) {
      const u32 *first = &results[size_t(64) * (size_t(set) * outRows + one.firstRow)];
      const unsigned dwords = one.resultDwords();
      for (unsigned lane = 0; lane < 64; ++lane) {
        Outcome expected = evaluate(one, banks[set], lane, chip == "gfx950", saturate);
        if (expected.lane.skip)
          continue;
        u32 got[32];
        for (unsigned i = 0; i < dwords; ++i)
          got[i] = first[64 * i + lane];
        bool same = expected.written ? sameResult(one, expected, got)
                                     : std::equal(got, got + dwords, expected.lane.d);
        bool mask = expected.written && expected.lane.mask;
        if (one.writesMask() && first[64 * dwords + lane] != mask)
          same = false;
        if (one.writesExec() && first[64 * (dwords + 1) + lane] != mask)
          same = false;
        if (same)
          continue;
        if (++faults[one.row] > 3)
          break;
        std::string sources;
        for (unsigned i = 0; i < one.sources; ++i)
          sources += " (" + hexRow(expected.lane.s[i], kindInfo(one.row->signature[2 + i]).dwords) + ")";
        ADD_FAILURE() << chip.str() << " " << one.text << (one.execMask ? " [partial exec]" : "") << " lane "
                      << lane << "\n  sources" << sources << " carry " << expected.lane.carryIn
                      << "\n  got      " << hexRow(got, dwords)
                      << (one.writesMask() ? " mask " + std::to_string(first[64 * dwords + lane]) : "")
                      << "\n  expected " << hexRow(expected.lane.d, dwords)
                      << (one.writesMask() ? " mask " + std::to_string(mask) : "") << "\n  seed " << seed
                      << " set " << set;
        break;
      }
    }
  ::testing::Test::RecordProperty("forms_" + chip.str(), int(cases.size()));
}

struct Family {
  const char *name;
  Rows (*rows)();
  unsigned leastForms; ///< on the chip with fewer: a generator that lost its forms is noticed
};
const Family families[] = {
    {"Integer", integerRows, 0},
    {"Integer16", integer16Rows, 0},
    {"WideInteger", wideIntegerRows, 0},
    {"Float", floatRows, 0},
    {"Double", doubleRows, 0},
    {"Divide", divideRows, 0},
    {"Half", halfRows, 0},
    {"Trans", transRows, 0},
    {"Convert", convertRows, 0},
    {"NarrowConvert", narrowConvertRows, 0},
    {"ScaledConvert", scaledConvertRows, 0},
    {"Compare", compareRows, 0},
    {"Packed", packedRows, 0},
    {"Dot", dotRows, 0},
    {"Image", imageRows, 0},
    {"Trig", trigRows, 0},
};

const Covers covers = [] {
  std::vector<std::string> names;
  for (const Family &family : families)
    for (const Row &row : family.rows())
      names.push_back(row.name);
  return Covers(names);
}();

class VectorReference : public ::testing::TestWithParam<std::tuple<Family, const char *>> {};

/// Rows that only one chip has are kept for the other: the assembler must refuse them there.
TEST_P(VectorReference, EveryForm) {
  auto [family, chip] = GetParam();
  checkFamily(chip, family.rows());
}

// FP8 conversions again with MODE's FP16_OVFL.
TEST(VectorReferenceInOtherModes, SaturatingConversions) {
  for (const char *chip : bothChips)
    for (const Rows &rows : {narrowConvertRows(), scaledConvertRows()}) {
      Rows narrowing; // f16 results overflow differently, which is not their subject
      for (const Row &row : rows)
        if ((row.signature[0] == 'i' || row.signature[0] == '6') &&
            row.name.find("f16_f32") == std::string::npos)
          narrowing.push_back(row);
      checkFamily(chip, narrowing, true);
    }
}

INSTANTIATE_TEST_SUITE_P(Families, VectorReference,
                         ::testing::Combine(::testing::ValuesIn(families), ::testing::ValuesIn(bothChips)),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param);
                         });

} // namespace
