// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of one instruction: sources from vector and scalar registers, inline constants and literals;
// every modifier of VOP1, VOP2, VOP3, VOP3P, SDWA and DPP; partial EXEC. Forms that do not exist are left in:
// the assembler takes them out.

#include "FloatBits.h"
#include "VectorCase.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lowp::sim::reference;

namespace {

std::string range(char file, unsigned reg, unsigned dwords) {
  return dwords == 1 ? formatv("{0}{1}", file, reg).str()
                     : formatv("{0}[{1}:{2}]", file, reg, reg + dwords - 1).str();
}
Source vectorSource(char kind, Random &random) {
  KindInfo info = kindInfo(kind);
  Source source;
  source.reg = info.firstReg + info.dwords * unsigned(random() % info.count);
  source.text = range('v', source.reg, info.dwords);
  return source;
}
Source scalarSource(char kind, Random &random) {
  static const std::map<char, std::vector<unsigned>> registers = {{'i', {16, 17, 18, 19}},
                                                                  {'f', {20, 21, 22, 23}},
                                                                  {'h', {24, 25}},
                                                                  {'H', {24, 25}},
                                                                  {'l', {26, 28}},
                                                                  {'d', {30, 32}},
                                                                  {'b', {34}},
                                                                  {'B', {34}},
                                                                  {'e', {35}},
                                                                  {'n', {36}},
                                                                  {'s', {37}},
                                                                  {'P', {37}},
                                                                  {'F', {20, 22}},
                                                                  {'M', {21, 24}}};
  Source source;
  auto found = registers.find(kind);
  if (found == registers.end())
    return vectorSource(kind, random);
  source.kind = Source::Scalar;
  source.reg = found->second[random() % found->second.size()];
  source.text = range('s', source.reg, kindInfo(kind).dwords);
  return source;
}
Source integerConstant(char kind, Random &random) {
  Source source;
  if (StringRef("xyYz6uFM").contains(kind))
    return vectorSource(kind, random);
  i64 value = i64(random() % 81) - 16;
  source.kind = Source::Constant;
  source.constant = u64(value);
  source.text = std::to_string(value);
  return source;
}
Source floatConstant(char kind, Random &random) {
  static const std::pair<const char *, double> values[] = {
      {"0.5", 0.5}, {"-0.5", -0.5}, {"1.0", 1},
      {"-1.0", -1}, {"2.0", 2},     {"-2.0", -2},
      {"4.0", 4},   {"-4.0", -4},   {"0.15915494309189532", 0}};
  if (!StringRef("fdhHei").contains(kind))
    return integerConstant(kind, random);
  auto [text, value] = values[random() % 9];
  Source source;
  source.kind = Source::Constant;
  source.text = text;
  if (kind == 'd')
    source.constant = value ? bitCast<u64>(value) : 0x3fc45f306dc9c882;
  else if (kind == 'h' || kind == 'H')
    source.constant = value ? doubleToHalf(value) : 0x3118;
  else
    source.constant = value ? bitCast<u32>(float(value)) : 0x3e22f983;
  return source;
}
Source literal(char kind, Random &random) {
  Source source;
  source.kind = Source::Constant;
  source.constant =
      StringRef("hsb").contains(kind) ? 0x1234 + random() % 0x4000 : 0x12345678 + random() % 0x60000000;
  source.text = formatv("{0:x8}", source.constant);
  if (kindInfo(kind).dwords != 1 || StringRef("HPBM").contains(kind))
    return vectorSource(kind, random);
  return source;
}

std::vector<DppControl> controls(Random &random) {
  std::vector<DppControl> list;
  int n = 1 + int(random() % 15), p[4];
  for (int &x : p)
    x = int(random() % 4);
  auto inRow = [](int lane, int at) { return at < 0 || at > 15 ? -1 : lane / 16 * 16 + at; };
  list.push_back({formatv("quad_perm:[{0},{1},{2},{3}]", p[0], p[1], p[2], p[3]),
                  [a = std::vector<int>(p, p + 4)](int l) { return l / 4 * 4 + a[l % 4]; }});
  list.push_back({formatv("row_shl:{0}", n), [=](int l) { return inRow(l, l % 16 + n); }});
  list.push_back({formatv("row_shr:{0}", n), [=](int l) { return inRow(l, l % 16 - n); }});
  list.push_back({formatv("row_ror:{0}", n), [=](int l) { return inRow(l, (l % 16 - n + 16) % 16); }});
  list.push_back({formatv("row_newbcast:{0}", n), [=](int l) { return inRow(l, n); }});
  list.push_back({"row_mirror", [=](int l) { return inRow(l, 15 - l % 16); }});
  list.push_back({"row_half_mirror", [](int l) { return l / 8 * 8 + 7 - l % 8; }});
  list.push_back({"row_bcast:15", [](int l) { return l / 16 * 16 - 1; }});
  list.push_back({"row_bcast:31", [](int l) { return l < 32 ? -1 : 31; }});
  list.push_back({"wave_shl:1", [](int l) { return l == 63 ? -1 : l + 1; }});
  list.push_back({"wave_rol:1", [](int l) { return (l + 1) % 64; }});
  list.push_back({"wave_shr:1", [](int l) { return l - 1; }});
  list.push_back({"wave_ror:1", [](int l) { return (l + 63) % 64; }});
  return list;
}

constexpr const char *selectNames[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
constexpr const char *unusedNames[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
constexpr const char *omodNames[] = {"", " mul:2", " mul:4", " div:2"};

/// Integer clamp means something where the sum can overflow only.
bool hasClamp(const Row &row) {
  for (const char *name : {"v_cvt_pk", "v_div_scale", "v_pack"}) // of these the simulator refuses it
    if (row.name.compare(0, std::strlen(name), name) == 0)
      return false;
  return row.flags & IntegerClamp || StringRef("fdhFH").contains(row.signature[0]) || row.flags & HalfResult;
}

/// The bits of OPSEL (3: destination) that mean something.
unsigned selectableBits(const Row &row) {
  if (row.flags & OwnHalves)
    return row.selects;
  unsigned bits = 0;
  for (unsigned i = 2; i < row.signature.size(); ++i)
    if (StringRef("hsb").contains(row.signature[i]))
      bits |= 1u << (i - 2);
  return bits | (StringRef("hsk").contains(row.signature[0]) ? 8 : 0);
}

enum class Encoding { Short, Long, Sdwa, Dpp };

class Forms {
public:
  Forms(const Row &row, Random &random) : row(row), random(random) {}
  std::vector<VectorCase> cases;

  VectorCase blank() {
    VectorCase one;
    one.row = &row;
    one.sources = unsigned(row.signature.size()) - 2 - (row.flags & MaskIn ? 1 : 0);
    for (unsigned i = 0; i < one.sources; ++i)
      one.source[i] = vectorSource(row.signature[2 + i], random);
    if (row.flags & HasImmediate)
      one.immediate =
          row.signature[0] == 'h' ? 0x3000 + random() % 0x1000 : 0x3e000000 + u32(random() % 0x2000000);
    if (row.flags & Table)
      one.immediate = random() % 256;
    if (row.name.find("fma_mix") != std::string::npos || row.flags & OwnSigns)
      one.opSelHi = 0;
    return one;
  }

  void add(VectorCase one, Encoding encoding, const std::string &opSelText = "") {
    if (row.flags & FirstIsAnother)
      one.source[0] = one.source[1 + random() % 2];
    bool vccOnly = encoding != Encoding::Long;
    std::string text = row.name;
    if (!(row.flags & Vop3Only))
      text += encoding == Encoding::Short ? "_e32" : encoding == Encoding::Long ? "_e64" : "";
    if (row.flags & OnlyShort && encoding == Encoding::Short)
      text = row.name;
    text += encoding == Encoding::Sdwa ? "_sdwa" : encoding == Encoding::Dpp ? "_dpp" : "";
    std::vector<std::string> operands;
    if (row.signature[0] != 'm')
      operands.push_back(range('v', 200, one.resultDwords()));
    if (one.writesMask()) {
      one.maskOut = vccOnly || random() % 4 == 0 ? "vcc" : "s[50:51]";
      if (encoding == Encoding::Sdwa && row.signature[0] == 'm' && random() % 2)
        one.maskOut = "s[50:51]";
      operands.push_back(one.maskOut);
    }
    for (unsigned i = 0; i < one.sources; ++i) {
      const Source &source = one.source[i];
      std::string operand = source.text;
      if (source.sext)
        operand = "sext(" + operand + ")";
      if (source.abs)
        operand = "|" + operand + "|";
      operands.push_back((source.neg ? "-" : "") + operand);
      if (i == 0 && row.flags & HasImmediate && row.name.find("mk") != std::string::npos)
        operands.push_back(formatv("{0:x}", one.immediate));
    }
    if (row.flags & HasImmediate && row.name.find("ak") != std::string::npos)
      operands.push_back(formatv("{0:x}", one.immediate));
    if (row.flags & MaskIn) {
      one.usesVcc = vccOnly || random() % 3 == 0;
      one.maskIn = one.usesVcc ? laneMasks[0] : laneMasks[1];
      operands.push_back(one.usesVcc ? "vcc" : range('s', one.maskIn, 2));
    }
    if (row.flags & NoVcc) {
      one.usesVcc = true;
      one.maskIn = laneMasks[0];
    }
    text += " " + join(operands, ", ") + opSelText;
    if (row.flags & Table)
      text += formatv(" bitop3:{0:x}", one.immediate);
    text += (one.clamp ? " clamp" : "") + std::string(omodNames[one.omod]);
    if (encoding == Encoding::Sdwa) {
      if (row.signature[0] != 'm')
        text += formatv(" dst_sel:{0} dst_unused:{1}", selectNames[one.dstSel], unusedNames[one.dstUnused]);
      for (unsigned i = 0; i < one.sources; ++i)
        text += formatv(" src{0}_sel:{1}", i, selectNames[one.source[i].select]);
    }
    if (encoding == Encoding::Dpp)
      text += formatv(" {0} row_mask:{1:x} bank_mask:{2:x}{3}", one.control.text, one.rowMask, one.bankMask,
                      one.boundCtrl ? " bound_ctrl:0" : "");
    one.sdwa = encoding == Encoding::Sdwa;
    one.dpp = encoding == Encoding::Dpp;
    one.text = text;
    cases.push_back(std::move(one));
  }

  void plain() {
    for (Encoding encoding : {Encoding::Short, Encoding::Long}) {
      if (!exists(encoding))
        continue;
      add(blank(), encoding);
      for (unsigned mask : execMasks) {
        VectorCase one = blank();
        one.execMask = mask;
        add(one, encoding);
      }
      for (unsigned i = 0; i < blank().sources; ++i)
        for (auto make : {scalarSource, integerConstant, floatConstant, literal}) {
          VectorCase one = blank();
          one.source[i] = make(row.signature[2 + i], random);
          add(one, encoding);
        }
    }
  }
  void signs() {
    for (unsigned i = 0; i < 6; ++i) {
      VectorCase one = blank();
      for (unsigned k = 0; k < one.sources; ++k) {
        if (!takesSigns(k))
          continue;
        one.source[k].neg = random() & 1;
        one.source[k].abs = random() & 1;
      }
      one.clamp = i == 4 && hasClamp(row);
      add(one, Encoding::Long, row.flags & Packed && row.flags & OwnSigns ? mixSelect(one) : "");
    }
    for (unsigned i = 0; i < 2; ++i) { // one source at a time: not all of an instruction's take signs
      for (unsigned k = 0; k < blank().sources; ++k) {
        VectorCase one = blank();
        if (!takesSigns(k))
          continue;
        (i ? one.source[k].neg : one.source[k].abs) = true;
        add(one, Encoding::Long);
      }
    }
    for (unsigned omod = 1; omod < 4; ++omod) {
      VectorCase one = blank();
      one.omod = omod;
      one.clamp = omod == 2 && hasClamp(row);
      add(one, Encoding::Long);
    }
    VectorCase one = blank();
    one.clamp = hasClamp(row);
    add(one, Encoding::Long);
  }
  /// Of pairs the signs would be those of either value; the assembler takes them, the manual does not say.
  bool takesSigns(unsigned source) const {
    return !StringRef("FHBPxyYz6u").contains(row.signature[2 + source]);
  }
  std::string bitList(const char *name, unsigned bits, unsigned count) {
    std::string text = formatv(" {0}:[", name);
    for (unsigned i = 0; i < count; ++i)
      text += formatv("{0}{1}", i ? "," : "", bits >> i & 1);
    return text + "]";
  }
  std::string mixSelect(VectorCase &one) {
    one.opSel = random() % 8;
    one.opSelHi = random() % 8;
    return bitList("op_sel", one.opSel, 3) + bitList("op_sel_hi", one.opSelHi, 3);
  }
  void selections() {
    if (row.flags & Packed) {
      for (unsigned i = 0; i < 10; ++i) {
        VectorCase one = blank();
        unsigned all = (1u << one.sources) - 1;
        one.opSel = random() & all;
        one.opSelHi = (random() & all) | (7 & ~all);
        std::string text =
            bitList("op_sel", one.opSel, one.sources) + bitList("op_sel_hi", one.opSelHi, one.sources);
        if (i % 2 && !(row.flags & OwnSigns)) {
          one.negLo = random() & all;
          one.negHi = random() & all;
          text += bitList("neg_lo", one.negLo, one.sources) + bitList("neg_hi", one.negHi, one.sources);
        }
        one.clamp = (i == 7 || i == 8) && hasClamp(row);
        if (i == 9)
          one.execMask = execMasks[0];
        add(one, Encoding::Long, text);
      }
      return;
    }
    // LLVM writes one bit for each source and one for the destination; four where the destination has two.
    for (unsigned bits = 1; bits < 16; ++bits) {
      if (bits & ~selectableBits(row))
        continue;
      VectorCase one = blank();
      one.opSel = bits;
      bool four = one.sources == 3 || selectableBits(row) & 4;
      unsigned listed = four ? bits : (bits & ((1u << one.sources) - 1)) | (bits >> 3) << one.sources;
      add(one, Encoding::Long, bitList("op_sel", listed, four ? 4 : one.sources + 1));
    }
  }
  unsigned sourceSelect() {
    if (row.flags & OnlyBytes)
      return random() % 5 == 4 ? 6 : random() % 4;
    if (row.flags & OnlyWords)
      return 4 + random() % 3;
    return random() % 7;
  }
  void sdwa() {
    for (unsigned i = 0; i < 12; ++i) {
      VectorCase one = blank();
      if (one.sources > 2 || row.signature[0] == 'H') // pairs have no parts
        return;
      one.dstSel = i % 7;
      one.dstUnused = random() % 3;
      for (unsigned k = 0; k < one.sources; ++k) {
        one.source[k].select = sourceSelect();
        one.source[k].sext = i % 4 == 1 && random() % 2;
        one.source[k].neg = i % 4 == 2 && random() % 2 && takesSigns(k);
        one.source[k].abs = i % 4 == 2 && random() % 2 && takesSigns(k);
      }
      if (i == 8)
        one.source[0] = scalarSource(row.signature[2], random), one.source[0].select = sourceSelect();
      one.clamp = i == 9 && hasClamp(row);
      if (i == 10)
        one.execMask = execMasks[0];
      add(one, Encoding::Sdwa);
    }
  }
  void dpp(bool thorough) {
    if (row.signature[0] == 'H') // v_pk_fmac_f16: the simulator refuses it
      return;
    std::vector<DppControl> list = controls(random);
    for (unsigned i = 0; i < (thorough ? 4 * list.size() : 5); ++i) {
      VectorCase one = blank();
      one.control = thorough ? list[i % list.size()] : list[random() % list.size()];
      one.boundCtrl = random() & 1;
      if (i % 3 == 1) {
        one.rowMask = random() % 16;
        one.bankMask = random() % 16;
      }
      if (i % 4 == 3)
        one.execMask = execMasks[0];
      if (i % 5 == 2)
        for (unsigned k = 0; k < one.sources; ++k)
          one.source[k].neg = random() & takesSigns(k), one.source[k].abs = random() & takesSigns(k);
      add(one, Encoding::Dpp);
    }
  }
  bool exists(Encoding encoding) const {
    return encoding == Encoding::Short ? !(row.flags & Vop3Only) : !(row.flags & OnlyShort);
  }

private:
  const Row &row;
  Random &random;
};

} // namespace

std::vector<VectorCase> lowp::sim::reference::makeCases(const Row &row, Random &random, unsigned repeats) {
  Forms forms(row, random);
  for (unsigned i = 0; i < repeats; ++i) {
    forms.plain();
    if (!(row.flags & OnlyShort)) {
      forms.signs();
      forms.selections();
    }
    if (!(row.flags & Vop3Only)) {
      forms.sdwa();
      forms.dpp(row.name == "v_mov_b32" || row.name == "v_add_f32" || row.name == "v_max_u16");
    }
  }
  return std::move(forms.cases);
}
