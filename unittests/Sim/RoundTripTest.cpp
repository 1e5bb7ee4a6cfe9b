// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every instruction of both chips: LLVM's assembler makes of its text what it was printed from; the simulator
// takes the text apart without loss; and the simulator decodes it, or it stands in
// data/Simulator/unsupported.txt with a reason.

#include "../../lib/Sim/Inst.h"
#include "../../lib/Sim/InstText.h"
#include "Encodings.h"
#include "TestKernel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <map>
#include <random>
#include <set>

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

/// Of immediates the low half: the other half of a literal of 16 bits is not used, and one that is used is
/// printed.
bool sameOperands(const MCInst &a, const MCInst &b) {
  if (a.getOpcode() != b.getOpcode() || a.getNumOperands() != b.getNumOperands())
    return false;
  for (unsigned i = 0; i < a.getNumOperands(); ++i) {
    const MCOperand &x = a.getOperand(i), &y = b.getOperand(i);
    if (x.isReg() != y.isReg() || x.isImm() != y.isImm() || (x.isReg() && x.getReg() != y.getReg()) ||
        (x.isImm() && ((x.getImm() ^ y.getImm()) & 0xffff)))
      return false;
  }
  return true;
}

StringRef plainMnemonic(const Encoded &encoded) { return splitInstText(encoded.text).mnemonic; }

/// Lines of data/Simulator/FILE: "NAME [CHIP]"; what follows # is a comment.
std::set<std::string> listed(StringRef file, StringRef chip) {
  std::set<std::string> names;
  auto buffer = MemoryBuffer::getFile(std::string(LOWP_TEST_DATA "/Simulator/") + file.str());
  EXPECT_TRUE(bool(buffer)) << file.str();
  if (!buffer)
    return names;
  SmallVector<StringRef, 0> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (StringRef line : lines) {
    SmallVector<StringRef, 2> words;
    line.split('#').first.split(words, ' ', -1, false);
    if (!words.empty() && (words.size() == 1 || words[1] == chip))
      names.insert(words[0].str());
  }
  return names;
}

std::string missing(const std::set<std::string> &from, const std::set<std::string> &in) {
  std::string text;
  for (const std::string &name : from)
    if (!in.count(name))
      text += " " + name;
  return text;
}

class RoundTrip : public testing::TestWithParam<const char *> {
protected:
  RoundTrip() : disassembler(GetParam()) {}
  static const std::vector<Encoded> &encodings(const char *chip) {
    static std::map<std::string, std::vector<Encoded>> cache;
    std::vector<Encoded> &entry = cache[chip];
    if (entry.empty())
      entry = allEncodings(Disassembler(chip));
    return entry;
  }
  const std::vector<Encoded> &encodings() const { return encodings(GetParam()); }
  Disassembler disassembler;
};

TEST_P(RoundTrip, TheAssemblerGivesTheSameInstruction) {
  std::vector<std::string> lines, failed;
  StringMap<const Encoded *> byText;
  for (const Encoded &encoded : encodings()) {
    lines.push_back(encoded.text);
    byText[encoded.text] = &encoded;
  }
  std::vector<uint8_t> code = assembleLines(GetParam(), lines, failed);
  std::set<std::string> failedNames;
  std::map<std::string, std::string> examples;
  for (const std::string &line : failed) {
    failedNames.insert(splitInstText(line).mnemonic.str());
    examples[splitInstText(line).mnemonic.str()] = line;
  }
  std::set<std::string> expected = listed("not-assembled.txt", GetParam());
  std::string news;
  for (const auto &[name, line] : examples)
    if (!expected.count(name))
      news += "\n  " + line;
  EXPECT_EQ(news, "") << "the assembler does not take what the printer prints";
  EXPECT_EQ(missing(expected, failedNames), "") << "not-assembled.txt: these do assemble";

  std::set<std::string> lossy;
  unsigned identical = 0, unused = 0;
  size_t at = 0;
  for (const std::string &line : lines) {
    const Encoded &original = *byText[line];
    Words words;
    for (unsigned i = 0; i < 4 && at + 4 * i + 4 <= code.size(); ++i)
      words.push_back(support::endian::read32le(&code[at + 4 * i]));
    Encoded again;
    Words padded = words;
    padded.append(2, 0);
    ASSERT_TRUE(disassembler.decode(padded, again)) << line;
    ASSERT_EQ(again.text, original.text);
    // Bits that differ are bits that the instruction does not look at: everything decoded is the same.
    if (!sameOperands(again.inst, original.inst))
      lossy.insert(splitInstText(line).mnemonic.str());
    (again.words == original.words ? identical : unused) += 1;
    at += 4 * again.words.size();
  }
  EXPECT_EQ(at, code.size());
  std::set<std::string> expectedLossy = listed("not-printed.txt", GetParam());
  EXPECT_EQ(missing(lossy, expectedLossy), "") << "the text does not say all of these";
  EXPECT_EQ(missing(expectedLossy, lossy), "") << "not-printed.txt: the text says all of these";
  // The others have bits that nothing looks at, such as the fields of operands that they do not have.
  EXPECT_GT(identical, 25000u) << unused << " with unused bits";
}

/// A kernel of these instructions; the error of the simulator, empty when it decodes all of them.
std::string decodeError(const char *chip, ArrayRef<const Encoded *> insts) {
  std::string body;
  for (const Encoded *encoded : insts)
    for (uint32_t word : encoded->words)
      body += ".long 0x" + utohexstr(word) + "\n";
  std::vector<char> code = kernelText(chip, body);
  auto simulator = Simulator::create(MemoryBufferRef(StringRef(code.data(), code.size()), "test"));
  return simulator ? "" : toString(simulator.takeError());
}

TEST_P(RoundTrip, WhatTheSimulatorDoesNotKnowIsListed) {
  std::map<std::string, std::vector<const Encoded *>> byName;
  for (const Encoded &encoded : encodings())
    byName[plainMnemonic(encoded).str()].push_back(&encoded);
  // All at once: the error gives each mnemonic with up to three of its forms and their addresses.
  std::vector<const Encoded *> all;
  for (const auto &[name, forms] : byName)
    all.insert(all.end(), forms.begin(), forms.end());
  std::string error = decodeError(GetParam(), all);
  std::set<std::string> unknown, known;
  std::map<std::string, std::string> forms;
  SmallVector<StringRef, 0> lines;
  StringRef(error).split(lines, '\n');
  for (StringRef line : ArrayRef(lines).drop_front()) {
    auto [address, text] = line.trim().split(": ");
    uint64_t value;
    EXPECT_FALSE(address.getAsInteger(16, value)) << line.str();
    std::string name = splitInstText(text).mnemonic.str();
    EXPECT_TRUE(byName.count(name)) << line.str();
    unknown.insert(name);
    forms.insert({name, text.str()});
  }
  // "NAME" when no form is known, "NAME:some" when the simulator executes it in other forms.
  const std::vector<std::string> mnemonics = knownMnemonics();
  std::set<std::string> found;
  for (const std::string &name : unknown)
    found.insert(is_contained(mnemonics, name) ? name + ":some" : name);
  std::set<std::string> expected = listed("unsupported.txt", GetParam());
  std::string news;
  for (const std::string &entry : found)
    if (!expected.count(entry))
      news += "\n  " + entry + "  (" + forms[StringRef(entry).split(':').first.str()] + ")";
  EXPECT_EQ(news, "") << "not in unsupported.txt, and the simulator does not know these";
  EXPECT_EQ(missing(expected, found), "") << "in unsupported.txt, but the simulator knows these";
  // The other way round: a mnemonic of our tables that no chip has is a slip of the pen.
  if (StringRef(GetParam()) == bothChips[1]) {
    std::string strange;
    std::set<std::string> real;
    for (const char *chip : bothChips)
      for (const Encoded &encoded : encodings(chip))
        real.insert(plainMnemonic(encoded).str());
    for (const std::string &name : mnemonics)
      if (!real.count(name))
        strange += " " + name;
    EXPECT_EQ(strange, "") << "mnemonics of the simulator's tables that neither chip has";
  }
}

// -- The simulator's own reading of the text
// --------------------------------------------------------------------------------------

std::string registerText(const Operand &operand) {
  struct Special {
    uint16_t reg;
    const char *name;
    bool halves;
  };
  static constexpr Special specials[] = {{Vcc, "vcc", true},
                                         {ExecReg, "exec", true},
                                         {FlatScratch, "flat_scratch", true},
                                         {XnackMask, "xnack_mask", true},
                                         {SharedBase, "src_shared_base", false},
                                         {SharedLimit, "src_shared_limit", false},
                                         {PrivateBase, "src_private_base", false},
                                         {PrivateLimit, "src_private_limit", false}};
  unsigned reg = operand.reg;
  std::string letter = "v";
  if (operand.isSgpr()) {
    if (reg == M0)
      return "m0";
    if (reg == Scc)
      return "src_scc";
    for (const Special &special : specials)
      if (reg == special.reg || reg == special.reg + 1u)
        return special.name + std::string(operand.count == 2 || !special.halves ? ""
                                          : reg == special.reg                  ? "_lo"
                                                                                : "_hi");
    letter = "s";
    if (reg >= Ttmp && reg < Ttmp + 16) {
      letter = "ttmp";
      reg -= Ttmp;
    }
  } else if (reg >= firstAcc) {
    letter = "a";
    reg -= firstAcc;
  }
  if (operand.count == 1)
    return letter + std::to_string(reg);
  return letter + "[" + std::to_string(reg) + ":" + std::to_string(reg + operand.count - 1) + "]";
}

/// The operand as LLVM prints it.
std::string operandText(const Operand &operand) {
  std::string text = registerText(operand);
  if (operand.sext)
    text = "sext(" + text + ")";
  if (operand.abs)
    text = "|" + text + "|";
  return operand.neg ? "-" + text : text;
}

TEST_P(RoundTrip, OperandsAreReadWithoutLoss) {
  StringSet<> done;
  for (const Encoded &encoded : encodings()) {
    if (!findOp(plainMnemonic(encoded)))
      continue;
    for (StringRef text : splitInstText(encoded.text).operands) {
      if (!done.insert(text).second)
        continue;
      Operand operand;
      bool constant = false;
      if (!parseOperand(text, operand, constant)) {
        // hwreg(...), sendmsg(...), gpr_idx(...), names of waits: immediates that the decoder takes from the
        // MCInst.
        EXPECT_TRUE(text.contains('(') || text.contains("cnt") || isDigit(text.back())) << encoded.text;
        continue;
      }
      if (!constant && operand.kind != Operand::None) {
        EXPECT_EQ(operandText(operand), text.str()) << encoded.text;
      }
    }
  }
  EXPECT_GT(done.size(), 100u);
}

/// What the modifier means to the simulator, as LLVM prints it; empty when it means nothing.
std::string modifierText(StringRef key, StringRef value, const Inst &inst) {
  auto bits = [&](unsigned set) {
    std::string text = key.str() + ":[";
    for (unsigned i = 0; i < value.count(',') + 1; ++i)
      text += (i ? "," : "") + std::to_string(set >> i & 1);
    return text + "]";
  };
  auto number = [&](int64_t n) { return key.str() + ":" + std::to_string(n); };
  auto hex = [&](uint64_t n) { return key.str() + ":0x" + utohexstr(n, true); };
  static const char *const selects[] = {"DWORD", "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1"};
  static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
  static const char *const dpps[] = {
      "",         "quad_perm", "row_shl",  "row_shr",    "row_ror",         "row_newbcast", "wave_shl",
      "wave_rol", "wave_shr",  "wave_ror", "row_mirror", "row_half_mirror", "row_bcast",    "row_bcast"};
  if (key == "op_sel")
    return bits(inst.opSel);
  if (key == "op_sel_hi")
    return bits(inst.opSelHi);
  if (key == "neg_lo" || key == "neg")
    return bits(inst.negLo);
  if (key == "neg_hi")
    return bits(inst.negHi);
  if (key == "offset" || key == "offset0")
    return value.starts_with("0x") ? hex(uint32_t(inst.offset)) : number(inst.offset);
  if (key == "offset1")
    return number(inst.offset1);
  if (key == "cbsz")
    return number(inst.cbsz());
  if (key == "abid")
    return number(inst.abid());
  if (key == "blgp")
    return number(inst.blgp());
  if (key == "bitop3")
    return inst.simm < 10 ? number(inst.simm) : hex(inst.simm);
  if (key == "row_mask")
    return hex(inst.rowMask);
  if (key == "bank_mask")
    return hex(inst.bankMask);
  if (key == "bound_ctrl")
    return number(inst.boundCtrl);
  if (key == "mul" || key == "div")
    return inst.omod == 3 ? "div:2" : "mul:" + std::to_string(inst.omod * 2);
  if (key == "dst_sel")
    return key.str() + ":" + selects[inst.dstSel];
  if (key == "src0_sel")
    return key.str() + ":" + selects[inst.src[0].select];
  if (key == "src1_sel")
    return key.str() + ":" + selects[inst.src[1].select];
  if (key == "dst_unused")
    return key.str() + ":" + unused[inst.dstUnused];
  if (inst.dpp == Dpp::QuadPerm)
    return "quad_perm:[" + std::to_string(inst.dppValue & 3) + "," + std::to_string(inst.dppValue >> 2 & 3) +
           "," + std::to_string(inst.dppValue >> 4 & 3) + "," + std::to_string(inst.dppValue >> 6 & 3) + "]";
  if (inst.dpp == Dpp::RowBcast15 || inst.dpp == Dpp::RowBcast31)
    return inst.dpp == Dpp::RowBcast15 ? "row_bcast:15" : "row_bcast:31";
  if (inst.dpp != Dpp::None)
    return dpps[unsigned(inst.dpp)] + (value.empty() ? "" : ":" + std::to_string(inst.dppValue));
  for (auto [set, name] : {std::pair<bool, const char *>{inst.lds, "lds"},
                           {inst.gds, "gds"},
                           {inst.clamp, "clamp"},
                           {inst.offen, "offen"},
                           {inst.idxen, "idxen"},
                           {inst.sc0, key == "glc" ? "glc" : "sc0"}})
    if (set)
      return name;
  return "";
}

TEST_P(RoundTrip, ModifiersAreReadWithoutLoss) {
  // Beside the forms as they are, each with one bit changed: what the printer can print of an instruction.
  StringSet<> done;
  std::set<std::string> unread, lost, seen;
  auto look = [&](const Encoded &encoded) {
    InstText text = splitInstText(encoded.text);
    const OpEntry *op = findOp(text.mnemonic);
    // What the printer comments is no instruction; of control instructions the decoder takes the immediate.
    if (!op || StringRef(encoded.text).contains("/*") || op->unit == Unit::Wait || op->unit == Unit::Other ||
        op->unit == Unit::Branch || op->unit == Unit::Barrier)
      return;
    for (StringRef modifier : text.modifiers) {
      if (!done.insert(modifier).second || modifier.starts_with("offset:swizzle("))
        continue;
      Inst inst;
      if (!applyModifier(modifier, inst)) {
        unread.insert(modifier.str() + " of " + encoded.text);
        continue;
      }
      auto [key, value] = modifier.split(':');
      seen.insert(key.str());
      // Hints to caches, and what is read nowhere: they change nothing.
      if (modifier == "nt" || modifier == "sc1" || modifier == "slc" || key == "fi" || key == "format")
        continue;
      if (modifierText(key, value, inst) != modifier)
        lost.insert(modifier.str() + " as '" + modifierText(key, value, inst) + "'");
    }
  };
  StringSet<> changed;
  for (const Encoded &encoded : encodings()) {
    look(encoded);
    // One form of each encoding of a mnemonic is enough for the changes.
    InstText text = splitInstText(encoded.text);
    if (!changed.insert((text.mnemonic + "_" + text.encoding).str()).second)
      continue;
    for (unsigned bit = 0; bit < 32 * encoded.words.size(); ++bit) {
      Words words = encoded.words;
      words[bit / 32] ^= 1u << bit % 32;
      words.append(2, 0);
      Encoded other;
      if (disassembler.decode(words, other))
        look(other);
    }
  }
  auto joined = [](const std::set<std::string> &set) { return join(set, "\n  "); };
  EXPECT_EQ(joined(unread), "");
  EXPECT_EQ(joined(lost), "");
  EXPECT_GT(seen.size(), 25u) << join(seen, " ");
}

TEST_P(RoundTrip, RandomWordsNameNothingElse) {
  if (!std::getenv("LOWP_LONG"))
    GTEST_SKIP() << "in the long form (LOWP_LONG=1)";
  unsigned seed = std::random_device()();
  std::mt19937 draw(seed);
  StringSet<> names;
  for (const Encoded &encoded : encodings())
    names.insert(plainMnemonic(encoded));
  for (unsigned i = 0; i < 3000000; ++i) {
    Words words = {uint32_t(draw()), uint32_t(draw()), uint32_t(draw()), uint32_t(draw())};
    Encoded encoded;
    if (disassembler.decode(words, encoded)) {
      ASSERT_TRUE(names.contains(plainMnemonic(encoded))) << "seed " << seed << ": " << encoded.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, RoundTrip, testing::ValuesIn(bothChips));

} // namespace
