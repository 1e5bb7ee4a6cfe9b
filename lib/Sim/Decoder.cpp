// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes -> MCInst -> printed text -> operands and modifiers with their roles -> the family table's handler.
// Dispatch is on the printed mnemonic: it is documented and the same for all encodings of an operation, which
// LLVM's opcode names are not. Instructions that no table knows are collected and reported together before
// anything runs.

#include "Decoder.h"
#include "Disassemble.h"
#include "InstText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

Expected<ChipFacts> ChipFacts::get(StringRef chip) {
  AMDGPU::IsaVersion isa = AMDGPU::getIsaVersion(chip);
  ChipFacts facts;
  if (isa.Major == 9 && isa.Minor == 4 && isa.Stepping == 2) {
    facts.fnuz = true;
    facts.ldsBytes = 64 * 1024;
    facts.mfmaRule = true; // MMA-Sim, arXiv 2511.10909
    facts.transCycles = 16;
    facts.computeUnits = 304; // AMD CDNA3 white paper: eight dies of 38
    facts.ldsGranule = 512;
  } else if (isa.Major == 9 && isa.Minor == 5) {
    facts.ldsBytes = 160 * 1024;
    facts.lateMatrixResults = true;
    facts.wideLdsBanks = true;
    facts.halfRateF64 = true;
    facts.transCycles = 8;
    facts.computeUnits = 256; // AMD CDNA4 white paper: eight dies of 32
    facts.ldsGranule = 1280;  // CDNA4 ISA manual section 3.6.5
  } else {
    return createStringError(inconvertibleErrorCode(), "the simulator does not know the chip '" + chip + "'");
  }
  return facts;
}

namespace {

/// LLVM's MC objects for one chip.
class McLayer {
public:
  static Expected<std::unique_ptr<McLayer>> create(StringRef chip) {
    static const bool registered = [] {
      LLVMInitializeAMDGPUTargetInfo();
      LLVMInitializeAMDGPUTargetMC();
      LLVMInitializeAMDGPUDisassembler();
      return true;
    }();
    (void)registered;
    auto mc = std::make_unique<McLayer>();
    std::string error;
    Triple triple("amdgcn-amd-amdhsa");
    const Target *target = TargetRegistry::lookupTarget(triple, error);
    if (!target)
      return createStringError(inconvertibleErrorCode(), error);
    MCTargetOptions options;
    mc->registers.reset(target->createMCRegInfo(triple));
    mc->asmInfo.reset(target->createMCAsmInfo(*mc->registers, triple, options));
    mc->subtarget.reset(target->createMCSubtargetInfo(triple, chip, ""));
    mc->instructions.reset(target->createMCInstrInfo());
    mc->context =
        std::make_unique<MCContext>(triple, mc->asmInfo.get(), mc->registers.get(), mc->subtarget.get());
    mc->disassembler.reset(target->createMCDisassembler(*mc->subtarget, *mc->context));
    mc->printer.reset(
        target->createMCInstPrinter(triple, 0, *mc->asmInfo, *mc->instructions, *mc->registers));
    if (!mc->disassembler || !mc->printer)
      return createStringError(inconvertibleErrorCode(), "LLVM has no AMDGPU disassembler");
    mc->printer->setPrintImmHex(true);
    return std::move(mc);
  }

  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> asmInfo;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
};

class ProgramDecoder {
public:
  ProgramDecoder(const HsaCodeObject &object, McLayer &mc)
      : object(object), mc(mc), printer(*mc.printer, *mc.subtarget), image(object.imageAt(0)) {}

  Error decodeRange(Program &program, uint64_t begin, uint64_t end);
  Error finish(Program &program);

private:
  bool decodeOne(Program &program, const MCInst &inst, uint64_t pc, uint64_t size);
  bool bindOperands(Inst &result, const MCInst &inst, const InstText &text);
  void noteImplicit(Inst &result, const MCInst &inst) const;
  bool isFunctionCode(uint64_t pc) const {
    for (const CodeSymbol &symbol : object.functions())
      if (pc >= symbol.address && pc < symbol.address + symbol.size)
        return true;
    return false;
  }

  const HsaCodeObject &object;
  McLayer &mc;
  TextPrinter printer;
  std::vector<uint8_t> image;
  std::vector<std::pair<uint64_t, std::string>> unknown;
};

} // namespace

/// Signed displacement of a branch, in bytes from the following instruction.
static int64_t branchBytes(uint32_t simm) { return int64_t(int16_t(simm)) * 4; }

bool ProgramDecoder::bindOperands(Inst &result, const MCInst &inst, const InstText &text) {
  const OpEntry &op = *result.op;
  bool wide = text.mnemonic.contains("64");
  SmallVector<Operand, 8> operands;
  for (unsigned i = 0; i < text.operands.size(); ++i) {
    Operand operand;
    bool constant = false;
    if (!parseOperand(text.operands[i], operand, constant))
      return false;
    if (constant) {
      int64_t value;
      StringRef digits = withoutModifiers(text.operands[i]);
      if (digits.consume_front("lit("))
        digits.consume_back(")");
      if (!wide && !digits.getAsInteger(0, value))
        operand.imm = uint64_t(value);
      else if (!printer.constantValue(inst, result.pc, i, operand.imm))
        return false;
    }
    operands.push_back(operand);
  }
  unsigned dsts = op.dsts;
  if ((op.flags & ResultWithSc0) && !result.sc0)
    dsts = 0;
  if (result.lds && StringRef(op.name).starts_with("buffer"))
    dsts = 0;
  if (operands.size() < dsts || operands.size() - dsts > std::size(result.src))
    return false;
  if (dsts > 0)
    result.dst = operands[0];
  if (dsts > 1)
    result.sdst = operands[1];
  for (unsigned i = dsts; i < operands.size(); ++i) {
    uint8_t select = result.src[i - dsts].select; // set by a modifier
    result.src[i - dsts] = operands[i];
    result.src[i - dsts].select = select;
  }
  result.sources = operands.size() - dsts;
  if (op.flags & TiedSource)
    result.src[result.sources++] = result.dst;
  return true;
}

/// Whether results of the unit, if there are any, come later than the next instruction.
static bool isLate(Unit unit) {
  switch (unit) {
  case Unit::Smem:
  case Unit::VmemLoad:
  case Unit::Atomic:
  case Unit::Flat:
  case Unit::Scratch:
  case Unit::DsRead:
  case Unit::DsLane:
    return true;
  default:
    return false;
  }
}

void lowp::sim::noteRegisters(Inst &result) {
  const OpEntry &op = *result.op;
  result.vreads.clear();
  result.vwrites.clear();
  result.sreads.clear();
  result.swrites.clear();
  result.topArch = result.topAcc = 0;
  auto add = [&](const Operand &operand, bool write) {
    if (operand.kind == Operand::Vgpr) {
      if (write)
        result.vwrites.push_back({operand.reg, operand.count});
      else
        result.vreads.push_back({operand.reg, operand.count});
      unsigned top = operand.reg + operand.count;
      if (operand.reg >= firstAcc)
        result.topAcc = std::max<unsigned>(result.topAcc, top - firstAcc);
      else
        result.topArch = std::max(result.topArch, uint16_t(top));
    } else if (operand.kind == Operand::Sgpr) {
      if (write)
        result.swrites.push_back({operand.reg, operand.count});
      else
        result.sreads.push_back({operand.reg, operand.count});
    }
  };
  add(result.dst, true);
  add(result.sdst, true);
  for (unsigned i = 0; i < result.sources; ++i) {
    Operand source = result.src[i];
    bool low = result.opSel >> i & 1, high = result.opSelHi >> i & 1;
    if ((op.flags & PairSelect) && source.count == 2 && low == high) { // the other register is not looked at
      source.reg += low;
      source.count = 1;
    }
    add(source, false);
  }
  if (op.flags & ReadsDst)
    add(result.dst, false);
  if ((op.flags & ReturnsToData) && result.sc0)
    add(result.src[0], true); // the old value replaces the data
  if (op.flags & ReadsVcc)
    result.sreads.push_back({Vcc, 2});
  if (result.lds)
    result.sreads.push_back({M0, 1});
  auto addImplicit = [](uint8_t set, auto &ranges) {
    for (auto [bit, reg, count] : {std::tuple<uint8_t, uint16_t, uint16_t>{ImplicitScc, Scc, 1},
                                   {ImplicitVcc, Vcc, 2},
                                   {ImplicitM0, M0, 1},
                                   {ImplicitExec, ExecReg, 2}})
      if ((set & bit) &&
          llvm::none_of(ranges, [&, reg = reg](const RegRange &range) { return range.reg == reg; }))
        ranges.push_back({reg, count});
  };
  addImplicit(result.implicitReads, result.sreads);
  addImplicit(result.implicitWrites, result.swrites);

  RegisterSet all;
  auto insert = [&](const RegRange &range, unsigned first) {
    for (unsigned i = 0; i < range.count; ++i)
      all.insert(first + range.reg + i);
  };
  for (ArrayRef<RegRange> ranges : {ArrayRef(result.vreads), ArrayRef(result.vwrites)})
    for (const RegRange &range : ranges)
      insert(range, 0);
  for (ArrayRef<RegRange> ranges : {ArrayRef(result.sreads), ArrayRef(result.swrites)})
    for (const RegRange &range : ranges)
      insert(range, RegisterSet::scalar(0));
  for (unsigned i = 0; i < result.sources; ++i)
    if (const Operand &source = result.src[i]; source.isVgpr() || source.isSgpr())
      insert({source.reg, source.count}, source.isVgpr() ? 0 : RegisterSet::scalar(0));
  result.registers = all.parts();
  result.lateResult = isLate(op.unit) && !(result.vwrites.empty() && result.swrites.empty());
}

/// SCC, VCC, M0 and EXEC, where they are not printed. Every vector instruction reads EXEC; that is left out.
/// Of M0 only s_movrel's use is real: LDS instructions of these chips do not look at it, though LLVM's
/// descriptions of their encodings, shared with older chips, say so.
void ProgramDecoder::noteImplicit(Inst &result, const MCInst &inst) const {
  const MCInstrDesc &description = mc.instructions->get(inst.getOpcode());
  auto bitOf = [&](MCPhysReg reg) -> uint8_t {
    return StringSwitch<uint8_t>(mc.registers->getName(reg))
        .Case("SCC", ImplicitScc)
        .Cases({"VCC", "VCC_LO", "VCC_HI"}, ImplicitVcc)
        .StartsWith("M0", ImplicitM0)
        .Cases({"EXEC", "EXEC_LO", "EXEC_HI"}, ImplicitExec)
        .Default(0);
  };
  for (MCPhysReg reg : description.implicit_uses())
    result.implicitReads |= bitOf(reg);
  for (MCPhysReg reg : description.implicit_defs())
    result.implicitWrites |= bitOf(reg);
  result.implicitReads &= ~ImplicitExec;
  if (result.op->unit != Unit::Salu)
    result.implicitReads &= ~ImplicitM0;
}

bool ProgramDecoder::decodeOne(Program &program, const MCInst &inst, uint64_t pc, uint64_t size) {
  std::string printed = printer.print(inst, pc);
  InstText text = splitInstText(printed);
  const OpEntry *op = findOp(text.mnemonic);
  Inst result;
  result.pc = pc;
  result.size = size;
  bool known = op != nullptr;
  if (known) {
    result.op = op;
    result.exec = op->exec;
    result.rounding = roundingClass(op->name);
    bool packed = text.mnemonic.starts_with("v_pk_") || text.mnemonic.starts_with("v_dot");
    if (packed)
      result.opSelHi = 7; // the default of packed operations, and what the printer leaves out
    result.sdwa = text.encoding == "sdwa";
    Unit unit = result.op->unit;
    if (unit == Unit::Branch || unit == Unit::Wait || unit == Unit::Other || unit == Unit::Barrier) {
      // SOPP and the like: one immediate, whatever it prints as; register operands as usual.
      SmallVector<uint32_t, 2> immediates;
      for (unsigned i = 0; i < inst.getNumOperands(); ++i)
        if (inst.getOperand(i).isImm())
          immediates.push_back(uint32_t(inst.getOperand(i).getImm()));
      // The mode of s_set_gpr_idx_on follows its index, which may be a constant.
      bool indexOn = text.mnemonic == "s_set_gpr_idx_on";
      if (!immediates.empty())
        result.simm = indexOn ? immediates.back() : immediates.front();
      for (StringRef piece : text.operands) {
        // A hardware register that LLVM has no name for is none of this chip.
        if (piece.consume_front("hwreg(") && !piece.empty() && isDigit(piece[0]))
          known = false;
        Operand operand;
        bool constant;
        if (!parseOperand(piece, operand, constant) || operand.kind == Operand::None)
          continue;
        if (constant && indexOn) {
          operand.imm = immediates.front();
        } else if (constant) { // the value of s_setreg_imm32; the other immediate names the register
          uint32_t value;
          if (immediates.size() < 2 || piece.getAsInteger(0, value))
            continue;
          operand.imm = value;
          result.simm = immediates[immediates[0] == value];
        }
        if (result.op->dsts && result.dst.kind == Operand::None)
          result.dst = operand;
        else if (result.sources < std::size(result.src))
          result.src[result.sources++] = operand;
      }
    } else {
      for (StringRef modifier : text.modifiers) {
        if (modifier.starts_with("offset:swizzle(")) {
          for (unsigned i = 0; i < inst.getNumOperands(); ++i)
            if (inst.getOperand(i).isImm() && inst.getOperand(i).getImm() > 1)
              result.offset = inst.getOperand(i).getImm();
          continue;
        }
        known &= applyModifier(modifier, result);
      }
      known = known && bindOperands(result, inst, text);
      known &= !result.gds;
      if (known && unit == Unit::Mfma) {
        result.passes = mfmaPasses(result, program.chip);
        known = mfmaModifiersKnown(result);
      }
      if (text.mnemonic.contains("_load_lds"))
        result.lds = true;
      // v_pk_fmac_f16 exists with SDWA and DPP, but its handler takes whole registers of its own lane.
      known &= !text.mnemonic.starts_with("v_pk_") || (!result.sdwa && result.dpp == Dpp::None);
      known &= !result.clamp || (result.op->flags & (FloatClamp | AnyClamp));
    }
  }
  if (known) {
    result.plain = !result.sdwa && result.dpp == Dpp::None && !result.clamp && !result.omod && !result.opSel;
    for (unsigned i = 0; i < result.sources; ++i)
      result.plain &= !result.src[i].neg && !result.src[i].abs;
    noteImplicit(result, inst);
    classifyHazards(result);
    noteRegisters(result);
  } else if (isFunctionCode(pc)) {
    unknown.push_back({pc, printed});
  }
  program.indexAt[(pc - program.codeBegin) / 4] = program.insts.size();
  program.insts.push_back(std::move(result));
  program.texts.push_back(std::move(printed));
  return known;
}

Error ProgramDecoder::decodeRange(Program &program, uint64_t begin, uint64_t end) {
  ArrayRef<uint8_t> bytes(image);
  for (uint64_t pc = begin; pc + 4 <= end;) {
    MCInst inst;
    uint64_t size = disassemble(*mc.disassembler, bytes.slice(pc, end - pc), pc, inst);
    if (size == 0) {
      if (isFunctionCode(pc))
        unknown.push_back({pc, "(not an instruction of this chip)"});
      pc += 4;
      continue;
    }
    decodeOne(program, inst, pc, size);
    pc += size;
  }
  return Error::success();
}

Error ProgramDecoder::finish(Program &program) {
  if (!unknown.empty()) {
    std::string list;
    raw_string_ostream stream(list);
    StringMap<unsigned> seen;
    for (auto &[pc, printed] : unknown) {
      StringRef mnemonic = StringRef(printed).split(' ').first;
      if (seen[mnemonic]++ < 3)
        stream << "\n  " << utohexstr(pc, true) << ": " << printed;
    }
    return createStringError(inconvertibleErrorCode(), "the simulator does not know " +
                                                           Twine(unknown.size()) +
                                                           " instructions of this code object:" + list);
  }
  for (Inst &inst : program.insts) {
    uint64_t following = inst.pc + inst.size;
    inst.next = program.indexOf(following);
    if (inst.op && inst.op->unit == Unit::Branch)
      inst.target = program.indexOf(following + branchBytes(inst.simm));
  }
  return Error::success();
}

Expected<Program> lowp::sim::decodeProgram(const HsaCodeObject &object) {
  Expected<ChipFacts> chip = ChipFacts::get(object.chip());
  if (!chip)
    return chip.takeError();
  Expected<std::unique_ptr<McLayer>> mc = McLayer::create(object.chip());
  if (!mc)
    return mc.takeError();
  Program program;
  program.chip = *chip;
  uint64_t begin = ~uint64_t(0), end = 0;
  for (const ImageRange &range : object.ranges())
    if (range.executable) {
      begin = std::min(begin, range.address);
      end = std::max(end, range.address + range.size);
    }
  if (begin >= end)
    return createStringError(inconvertibleErrorCode(), "the code object holds no code");
  program.codeBegin = begin & ~uint64_t(3);
  program.indexAt.assign((end - program.codeBegin + 3) / 4, -1);
  ProgramDecoder decoder(object, **mc);
  for (const ImageRange &range : object.ranges())
    if (range.executable)
      if (Error error =
              decoder.decodeRange(program, (range.address + 3) & ~uint64_t(3), range.address + range.size))
        return std::move(error);
  if (Error error = decoder.finish(program))
    return std::move(error);
  return std::move(program);
}
