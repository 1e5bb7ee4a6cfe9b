// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every scalar arithmetic instruction against the references: destination, SCC and EXEC, with sources from
// registers, VCC, M0, SCC, inline constants and literals. Each workgroup has data of its own.

#include "Reference/Scalar.h"
#include "Inst.h"
#include "Reference/Covered.h"
#include "TestKernel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <functional>
#include <random>

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;
using namespace lowp::sim::reference;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using Random = std::mt19937_64;

const Covers covers = [] {
  std::vector<std::string> names;
  for (const ScalarRow &row : scalarRows())
    names.push_back(row.name);
  return Covers(names);
}();

/// s16-s47 of one workgroup. s16-s23 words, s[24:31] pairs, s32-s35 counts, s36-s39 fields, s[40:41] what
/// destinations hold, s42 SCC, s[44:45] EXEC, s[46:47] VCC; M0 is s43.
struct Data {
  u32 s[32];
  u32 word(unsigned reg) const { return s[reg - 16]; }
  u64 pair(unsigned reg) const { return word(reg) | u64(word(reg + 1)) << 32; }
};
Data makeData(Random &random) {
  auto value = [&]() -> u64 {
    static const u64 edges[] = {0,
                                1,
                                2,
                                0x7f,
                                0x80,
                                0xff,
                                0x7fff,
                                0x8000,
                                0xffff,
                                0x7fffffff,
                                0x80000000,
                                0xffffffff,
                                0x100000000,
                                0x7fffffffffffffff,
                                0x8000000000000000,
                                ~u64(0),
                                0x00ff00ff00ff00ff};
    return random() % 3 ? random() >> random() % 64 : edges[random() % 17];
  };
  Data data;
  for (unsigned i = 0; i < 8; ++i)
    data.s[i] = u32(value());
  for (unsigned i = 8; i < 16; i += 2) {
    u64 x = value();
    data.s[i] = u32(x);
    data.s[i + 1] = u32(x >> 32);
  }
  for (unsigned i = 16; i < 20; ++i)
    data.s[i] = random() % 4 ? u32(random() % 66) : u32(random());
  for (unsigned i = 20; i < 24; ++i)
    data.s[i] = random() % 4 ? u32(random() % 64) | u32(random() % 66) << 16 : u32(random());
  for (unsigned i = 24; i < 32; ++i)
    data.s[i] = u32(random());
  data.s[26] &= 1;
  if (random() % 8 == 0)
    data.s[28] = data.s[29] = 0;
  return data;
}

struct Operand {
  std::string text;
  std::function<u64(const Data &)> value;
};
std::string pairText(unsigned reg) { return formatv("s[{0}:{1}]", reg, reg + 1); }

std::vector<Operand> operandsOf(char kind, Random &random) {
  std::vector<Operand> all;
  bool wide = kind == 'l';
  unsigned reg = wide          ? 24 + 2 * unsigned(random() % 4)
                 : kind == 'n' ? 32 + unsigned(random() % 4)
                 : kind == 'f' ? 36 + unsigned(random() % 4)
                               : 16 + unsigned(random() % 8);
  if (kind == 'k' || kind == 'u') {
    for (unsigned value : {0u, 1u, 0x7fffu, 0x8000u, 0xffffu, unsigned(random() % 65536)})
      all.push_back({formatv("{0:x}", value), [=](const Data &) {
                       return kind == 'u' ? u64(value) : u64(u32(int32_t(int16_t(value))));
                     }});
    return all;
  }
  for (unsigned again = 0; again < 3; ++again) {
    unsigned other = wide ? 24 + 2 * unsigned(random() % 4) : reg / 4 * 4 + unsigned(random() % 4);
    all.push_back({wide ? pairText(other) : "s" + std::to_string(other),
                   [=](const Data &data) { return wide ? data.pair(other) : data.word(other); }});
  }
  for (unsigned again = 0; again < 2; ++again) {
    int64_t value = int64_t(random() % 81) - 16;
    all.push_back({std::to_string(value), [=](const Data &) { return wide ? u64(value) : u64(u32(value)); }});
  }
  u32 literal = 0x10000 + u32(random() % 0x7ffe0000); // the extension to 64 bits does not matter
  all.push_back({formatv("{0:x}", literal), [=](const Data &) { return literal; }});
  if (kind == 'i') {
    all.push_back({"1.0", [](const Data &) { return 0x3f800000; }});
    all.push_back({"-4.0", [](const Data &) { return 0xc0800000; }});
    all.push_back({"vcc_hi", [](const Data &data) { return data.word(47); }});
    all.push_back({"m0", [](const Data &data) { return data.word(43); }});
    all.push_back({"src_scc", [](const Data &data) { return data.word(42); }});
    all.push_back({"exec_lo", [](const Data &data) { return data.word(44); }});
  }
  if (wide) {
    all.push_back({"0.5", [](const Data &) { return 0x3fe0000000000000; }});
    all.push_back({"vcc", [](const Data &data) { return data.pair(46); }});
    all.push_back({"exec", [](const Data &data) { return data.pair(44); }});
  }
  return all;
}

struct Case {
  const ScalarRow *row;
  std::string text;
  std::vector<Operand> operands;
  bool wide;
};

void checkScalars(StringRef chip) {
  const char *seedText = std::getenv("LOWP_SEED");
  const u64 seed = seedText ? std::strtoull(seedText, nullptr, 0) : 20261130;
  const unsigned sets = std::getenv("LOWP_LONG") ? 1000 : 48;
  Random random(seed);
  std::vector<std::string> names = knownMnemonics();
  std::set<std::string> known(names.begin(), names.end());
  std::vector<ScalarRow> rows = scalarRows();
  std::vector<Case> cases;
  std::string lines;
  for (const ScalarRow &row : rows) {
    if (!known.count(row.name)) // being added
      continue;
    const unsigned sources = unsigned(row.signature.size()) - 2;
    auto add = [&](std::vector<Operand> operands) {
      Case one{&row, row.name + " ", std::move(operands), row.signature[0] == 'l'};
      std::string separator;
      if (row.signature[0] != '-') {
        one.text += one.wide ? "s[50:51]" : "s50";
        separator = ", ";
      }
      for (const Operand &operand : one.operands) {
        one.text += separator + operand.text;
        separator = ", ";
      }
      lines += one.text + "\n";
      cases.push_back(std::move(one));
    };
    // SOPK's register field cannot say SCC, which the assembler does not notice.
    const bool shortForm = row.signature.back() == 'k' || row.signature.back() == 'u';
    for (unsigned varied = 0; varied < sources; ++varied)
      for (const Operand &operand : operandsOf(row.signature[2 + varied], random)) {
        if (shortForm && operand.text == "src_scc")
          continue;
        std::vector<Operand> operands;
        for (unsigned i = 0; i < sources; ++i)
          operands.push_back(i == varied ? operand : operandsOf(row.signature[2 + i], random)[0]);
        add(operands);
      }
  }
  std::set<unsigned> rejected = rejectedLines(chip, lines);
  std::vector<Case> existing;
  std::set<std::string> tested;
  for (unsigned i = 0; i < cases.size(); ++i)
    if (!rejected.count(i + 1)) {
      tested.insert(cases[i].row->name);
      existing.push_back(cases[i]);
    }
  for (const ScalarRow &row : rows)
    if (known.count(row.name)) {
      EXPECT_TRUE(tested.count(row.name)) << chip.str() << " has no " << row.name;
    }
  std::string body;
  raw_string_ostream out(body);
  out << "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n";
  const unsigned outBytes = unsigned(existing.size()) * 24;
  for (auto [pair, bytes] : {std::pair(4u, 128u), std::pair(6u, outBytes)})
    out << "s_mul_i32 s8, s2, 0x" << utohexstr(bytes) << "\ns_add_u32 s" << pair << ", s" << pair
        << ", s8\ns_addc_u32 s" << pair + 1 << ", s" << pair + 1 << ", 0\n";
  out << "s_load_dwordx16 s[16:31], s[4:5], 0x0\ns_load_dwordx16 s[32:47], s[4:5], 0x40\n"
      << "s_waitcnt lgkmcnt(0)\nv_mov_b32 v1, 0\ns_mov_b64 vcc, s[46:47]\ns_mov_b32 m0, s43\n";
  for (const Case &one : existing) {
    out << "s_mov_b64 s[50:51], s[40:41]\ns_mov_b64 exec, s[44:45]\ns_cmp_lg_u32 s42, 0\ns_nop 1\n"
        << one.text << "\ns_cselect_b32 s54, 1, 0\ns_mov_b64 s[52:53], exec\ns_mov_b64 exec, 1\n"
        << "v_mov_b32 v2, s50\nv_mov_b32 v3, s51\nv_mov_b32 v4, s52\nv_mov_b32 v5, s53\nv_mov_b32 v6, s54\n"
        << "global_store_dwordx2 v1, v[2:3], s[6:7]\nglobal_store_dwordx2 v1, v[4:5], s[6:7] offset:8\n"
        << "global_store_dword v1, v6, s[6:7] offset:16\nv_add_u32 v1, 24, v1\n";
  }
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(chip, body));
  ASSERT_TRUE(simulator);
  std::vector<Data> data;
  for (unsigned i = 0; i < sets; ++i)
    data.push_back(makeData(random));
  std::vector<u32> results(size_t(outBytes) / 4 * sets);
  std::vector<Buffer> buffers = {{"in", data.data(), data.size() * sizeof(Data), Buffer::Access::Read},
                                 {"out", results.data(), results.size() * 4, Buffer::Access::Write, false}};
  Report report = runKernel(*simulator, buffers, {}, {}, sets);
  EXPECT_TRUE(report.completed);
  EXPECT_TRUE(report.findings.empty()) << allFindings(report);
  std::map<std::string, unsigned> faults;
  for (unsigned set = 0; set < sets; ++set)
    for (size_t at = 0; at < existing.size(); ++at) {
      const Case &one = existing[at];
      const u32 *got = &results[size_t(outBytes) / 4 * set + 6 * at];
      Scalars want;
      for (unsigned i = 0; i < one.operands.size(); ++i)
        want.s[i] = one.operands[i].value(data[set]);
      const u64 old = data[set].pair(40);
      want.d = one.wide ? old : u32(old);
      want.scc = data[set].word(42);
      want.exec = data[set].pair(44);
      one.row->reference(want);
      u64 d = one.row->signature[0] == '-' ? old : one.wide ? want.d : (old >> 32 << 32) | u32(want.d);
      u64 gotD = got[0] | u64(got[1]) << 32, gotExec = got[2] | u64(got[3]) << 32;
      if (gotD == d && gotExec == want.exec && got[4] == want.scc)
        continue;
      if (++faults[one.row->name] > 3)
        continue;
      ADD_FAILURE() << chip.str() << " " << one.text << " with " << utohexstr(want.s[0]) << " "
                    << utohexstr(want.s[1]) << " scc " << data[set].word(42) << "\n  got      "
                    << utohexstr(gotD) << " scc " << got[4] << " exec " << utohexstr(gotExec)
                    << "\n  expected " << utohexstr(d) << " scc " << want.scc << " exec "
                    << utohexstr(want.exec) << "\n  seed " << seed << " set " << set;
    }
}

TEST(ScalarReference, Gfx942) { checkScalars("gfx942"); }
TEST(ScalarReference, Gfx950) { checkScalars("gfx950"); }

} // namespace
