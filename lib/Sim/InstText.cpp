// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax is that of LLVM's "Syntax of AMDGPU Instruction Operands" and "... Modifiers".

#include "InstText.h"
#include "Inst.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace lowp::sim;

InstText lowp::sim::splitInstText(StringRef text) {
  InstText result;
  text = text.trim();
  auto [name, rest] = text.split(' ');
  result.mnemonic = name;
  for (StringRef suffix : {"_e32", "_e64", "_dpp", "_sdwa"})
    if (result.mnemonic.consume_back(suffix)) {
      result.encoding = suffix.drop_front();
      break;
    }
  int depth = 0;
  bool operand = true, bars = false;
  size_t begin = 0;
  auto finish = [&, rest = rest](size_t end) {
    StringRef piece = rest.slice(begin, end).trim();
    if (!piece.empty())
      (operand ? result.operands : result.modifiers).push_back(piece);
  };
  for (size_t i = 0; i < rest.size(); ++i) {
    char c = rest[i];
    if (c == '[' || c == '(')
      ++depth;
    else if (c == ']' || c == ')')
      --depth;
    else if (c == '|')
      bars = !bars;
    if (depth || bars || (c != ',' && c != ' '))
      continue;
    if (c == ' ' && rest.slice(begin, i).trim().empty()) {
      begin = i + 1;
      continue;
    }
    finish(i);
    operand = c == ',';
    begin = i + 1;
  }
  finish(rest.size());
  return result;
}

StringRef lowp::sim::withoutModifiers(StringRef text) {
  if (text.size() > 1 && text[0] == '-' && !isDigit(text[1]))
    text = text.drop_front();
  for (StringRef function : {"neg(", "abs(", "sext("})
    if (text.consume_front(function))
      text.consume_back(")");
  if (text.consume_front("|"))
    text.consume_back("|");
  return text;
}

std::string TextPrinter::print(const MCInst &inst, uint64_t pc) const {
  std::string text;
  raw_string_ostream stream(text);
  printer.printInst(&inst, pc, "", subtarget, stream);
  return StringRef(text).trim().str();
}

bool TextPrinter::constantValue(const MCInst &inst, uint64_t pc, unsigned index, uint64_t &value) const {
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    if (!inst.getOperand(i).isImm())
      continue;
    // Two small integers, for the case that the constant is the first of them already.
    for (int64_t probe : {7, 11}) {
      MCInst changed = inst;
      changed.getOperand(i).setImm(probe);
      std::string text = print(changed, pc);
      InstText pieces = splitInstText(text);
      uint64_t shown;
      if (index >= pieces.operands.size() ||
          withoutModifiers(pieces.operands[index]).getAsInteger(0, shown) || shown != uint64_t(probe))
        break;
      if (probe == 11) {
        value = inst.getOperand(i).getImm();
        return true;
      }
    }
  }
  return false;
}

/// "3" or "[4:7]" after the register's letter.
static bool parseSpan(StringRef text, Operand &operand, unsigned base, unsigned limit) {
  unsigned first, last;
  if (text.consume_front("[")) {
    auto [a, b] = text.split(':');
    if (!b.consume_back("]") || a.getAsInteger(10, first) || b.getAsInteger(10, last))
      return false;
  } else {
    if (text.getAsInteger(10, first))
      return false;
    last = first;
  }
  if (last < first || last >= limit || last - first > 63)
    return false;
  operand.reg = base + first;
  operand.count = last - first + 1;
  return true;
}

bool lowp::sim::parseOperand(StringRef text, Operand &operand, bool &isConstant) {
  isConstant = false;
  if (text.size() > 1 && text[0] == '-' && !isDigit(text[1])) {
    operand.neg = true;
    text = text.drop_front();
  }
  if (text.consume_front("neg(")) {
    operand.neg = true;
    text.consume_back(")");
  }
  if (text.size() > 2 && text.front() == '|' && text.back() == '|') {
    operand.abs = true;
    text = text.drop_front().drop_back();
  } else if (text.consume_front("abs(")) {
    operand.abs = true;
    text.consume_back(")");
  }
  if (text.consume_front("sext(")) {
    operand.sext = true;
    text.consume_back(")");
  }
  struct Named {
    const char *name;
    uint16_t reg;
    uint8_t count;
  };
  static constexpr Named named[] = {{"vcc", Vcc, 2},
                                    {"vcc_lo", Vcc, 1},
                                    {"vcc_hi", Vcc + 1, 1},
                                    {"exec", ExecReg, 2},
                                    {"exec_lo", ExecReg, 1},
                                    {"exec_hi", ExecReg + 1, 1},
                                    {"m0", M0, 1},
                                    {"flat_scratch", FlatScratch, 2},
                                    {"flat_scratch_lo", FlatScratch, 1},
                                    {"flat_scratch_hi", FlatScratch + 1, 1},
                                    {"xnack_mask", XnackMask, 2},
                                    {"xnack_mask_lo", XnackMask, 1},
                                    {"xnack_mask_hi", XnackMask + 1, 1},
                                    {"src_scc", Scc, 1},
                                    {"scc", Scc, 1},
                                    {"src_shared_base", SharedBase, 2},
                                    {"src_shared_limit", SharedLimit, 2},
                                    {"src_private_base", PrivateBase, 2},
                                    {"src_private_limit", PrivateLimit, 2}};
  for (const Named &entry : named)
    if (text == entry.name) {
      operand.kind = Operand::Sgpr;
      operand.reg = entry.reg;
      operand.count = entry.count;
      return true;
    }
  if (text == "off" || text == "null") {
    operand.kind = Operand::None;
    return true;
  }
  if (text.empty())
    return false;
  if (isDigit(text[0]) || text[0] == '-' || text.starts_with("lit(") || text.starts_with("lit64(")) {
    isConstant = true;
    operand.kind = Operand::Imm;
    return true;
  }
  if (text.starts_with("ttmp")) {
    operand.kind = Operand::Sgpr;
    return parseSpan(text.drop_front(4), operand, Ttmp, 16);
  }
  switch (text[0]) {
  case 'v':
    operand.kind = Operand::Vgpr;
    return parseSpan(text.drop_front(), operand, 0, 256);
  case 'a':
    operand.kind = Operand::Vgpr;
    return parseSpan(text.drop_front(), operand, firstAcc, 256);
  case 's':
    operand.kind = Operand::Sgpr;
    return parseSpan(text.drop_front(), operand, 0, 102);
  default:
    return false;
  }
}

/// "[1,0,1]" as bits, first element lowest.
static bool parseBits(StringRef text, uint8_t &bits) {
  if (!text.consume_front("[") || !text.consume_back("]"))
    return false;
  SmallVector<StringRef, 4> parts;
  text.split(parts, ',');
  bits = 0;
  for (unsigned i = 0; i < parts.size() && i < 8; ++i)
    if (parts[i].trim() == "1")
      bits |= 1u << i;
  return true;
}

static bool parseSelect(StringRef text, uint8_t &select) {
  int value = StringSwitch<int>(text)
                  .Case("DWORD", SelDword)
                  .Case("BYTE_0", SelByte0)
                  .Case("BYTE_1", SelByte1)
                  .Case("BYTE_2", SelByte2)
                  .Case("BYTE_3", SelByte3)
                  .Case("WORD_0", SelWord0)
                  .Case("WORD_1", SelWord1)
                  .Default(-1);
  if (value < 0)
    return false;
  select = uint8_t(value);
  return true;
}

static bool applyDpp(StringRef key, StringRef value, Inst &inst) {
  Dpp kind = StringSwitch<Dpp>(key)
                 .Case("quad_perm", Dpp::QuadPerm)
                 .Case("row_shl", Dpp::RowShl)
                 .Case("row_shr", Dpp::RowShr)
                 .Case("row_ror", Dpp::RowRor)
                 .Case("row_newbcast", Dpp::RowNewBcast)
                 .Case("wave_shl", Dpp::WaveShl)
                 .Case("wave_rol", Dpp::WaveRol)
                 .Case("wave_shr", Dpp::WaveShr)
                 .Case("wave_ror", Dpp::WaveRor)
                 .Case("row_mirror", Dpp::RowMirror)
                 .Case("row_half_mirror", Dpp::RowHalfMirror)
                 .Case("row_bcast", value == "15" ? Dpp::RowBcast15 : Dpp::RowBcast31)
                 .Default(Dpp::None);
  if (kind == Dpp::None)
    return false;
  inst.dpp = kind;
  if (kind == Dpp::QuadPerm) {
    SmallVector<StringRef, 4> lanes;
    if (!value.consume_front("[") || !value.consume_back("]"))
      return false;
    value.split(lanes, ',');
    unsigned lane;
    for (unsigned i = 0; i < lanes.size() && i < 4; ++i) {
      if (lanes[i].trim().getAsInteger(10, lane))
        return false;
      inst.dppValue |= (lane & 3) << 2 * i;
    }
    return lanes.size() == 4;
  }
  unsigned number = 0;
  if (!value.empty() && value.getAsInteger(0, number))
    return false;
  inst.dppValue = number;
  return true;
}

bool lowp::sim::applyModifier(StringRef text, Inst &inst) {
  auto [key, value] = text.split(':');
  auto number = [&value = value](auto &field) {
    std::remove_reference_t<decltype(field)> parsed;
    if (value.getAsInteger(0, parsed))
      return false;
    field = parsed;
    return true;
  };
  if (value.empty()) {
    if (text == "lds")
      return inst.lds = true;
    if (text == "gds")
      return inst.gds = true;
    if (text == "clamp")
      return inst.clamp = true;
    if (text == "offen")
      return inst.offen = true;
    if (text == "idxen")
      return inst.idxen = true;
    if (text == "sc0")
      return inst.sc0 = true;
    if (text == "glc") // scalar memory's word for it
      return inst.sc0 = true;
    if (text == "nt" || text == "sc1" || text == "slc")
      return true;
    return applyDpp(text, "", inst);
  }
  if (key == "offset" || key == "offset0")
    return number(inst.offset);
  if (key == "offset1")
    return number(inst.offset1);
  if (key == "op_sel")
    return parseBits(value, inst.opSel);
  if (key == "op_sel_hi")
    return parseBits(value, inst.opSelHi);
  if (key == "neg_lo" || key == "neg") // "neg": the operands of f64 matrix instructions
    return parseBits(value, inst.negLo);
  if (key == "neg_hi")
    return parseBits(value, inst.negHi);
  if (key == "mul" || key == "div") {
    inst.omod = text == "mul:2" ? 1 : text == "mul:4" ? 2 : 3;
    return true;
  }
  unsigned field = 0;
  if (key == "cbsz" || key == "abid" || key == "blgp") {
    if (!number(field) || field > 15)
      return false;
    inst.simm |= field << (key == "cbsz" ? 0 : key == "abid" ? 4 : 8);
    return true;
  }
  if (key == "bitop3")
    return number(inst.simm);
  if (key == "row_mask")
    return number(inst.rowMask);
  if (key == "bank_mask")
    return number(inst.bankMask);
  if (key == "bound_ctrl")
    return inst.boundCtrl = true;
  if (key == "fi") {
    inst.fetchInactive = value == "1";
    return true;
  }
  if (key == "dst_sel")
    return parseSelect(value, inst.dstSel);
  if (key == "dst_unused") {
    inst.dstUnused = value == "UNUSED_PAD" ? UnusedPad : value == "UNUSED_SEXT" ? UnusedSext : UnusedPreserve;
    return true;
  }
  if (key == "src0_sel")
    return parseSelect(value, inst.src[0].select);
  if (key == "src1_sel")
    return parseSelect(value, inst.src[1].select);
  return applyDpp(key, value, inst);
}
