// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wait states that software must keep because the hardware does not check: how many issue slots have to lie
// between a producer and a consumer. One instruction is one slot, s_nop N is N + 1; a matrix instruction
// waits for the matrix core, which one instruction occupies for as many slots as it has passes.
//
// The rules are those of LLVM 22's hazard recogniser for the two chips (GCNHazardRecognizer.cpp), the numbers
// of matrix results read back from code that it compiled; LLVM leaves out one case, wide buffer stores with
// an SGPR offset, which corrupt memory on the hardware (llvm-project pull request 197267). Moves to skipping
// mode: CDNA3 ISA manual section 4.5.

#include "Engine.h"

using namespace llvm;
using namespace lowp::sim;

namespace {
/// Required wait states, by producer and consumer.
enum WaitStates : unsigned {
  ValuToMatrix = 2,     // VALU write -> A, B, C or scale of a matrix instruction
  TransToValu = 1,      // v_exp and the like -> another VALU instruction
  PartialToValu = 1,    // write of a part of a register (op_sel, SDWA) -> VALU
  DotToOther = 3,       // v_dot result -> anything but the accumulator of the same operation
  ValuToReadlane = 1,   // VALU write -> v_readlane, v_readfirstlane
  ValuToDpp = 2,        // VALU write -> DPP source
  ValuToPermlane = 2,   // VALU write -> v_permlane*_swap
  ValuSgprToVmem = 5,   // VALU write of an SGPR -> address or descriptor of a vector memory instruction
  ValuSgprToValu = 2,   // VALU write of an SGPR or VCC -> VALU
  ValuSgprToSelect = 4, // VALU write of an SGPR -> lane select of v_readlane, v_writelane
  ValuVccToDivFmas = 4, // VALU write of VCC -> v_div_fmas
  ExecToDpp = 5,        // v_cmpx -> DPP
  ExecToPermlane = 4,   // v_cmpx -> v_permlane*_swap
  ExecToLane = 4,       // v_cmpx -> v_readlane, v_readfirstlane, v_writelane
  ExecToMatrix = 4,     // v_cmpx -> matrix instruction
  M0ToUser = 1,         // s_mov m0 -> a load to LDS, s_movrel, s_sendmsg, ds_*_addtid
  WideStoreToValu = 2,  // store of more than 64 bits a lane -> VALU write of its data
  SetRegister = 2,      // s_setreg -> s_getreg or s_setreg of the same register
  SkipToVector = 2,     // s_setreg of MODE's VSKIP, s_setvskip -> vector instruction
  DoubleMatrixToFma = 2 // matrix instruction on f64 -> v_fma_f64
};

/// What HazardAfterVector asks for at most.
constexpr unsigned afterVector = 2;
static_assert(afterVector >= ValuToMatrix && afterVector >= ValuToReadlane && afterVector >= ValuToDpp &&
              afterVector >= ValuToPermlane);
/// No rule looks further back than this.
constexpr unsigned longestWait = 20;

enum class Use : uint8_t { MatrixC, MatrixOther, Valu, Memory, Overwrite };
} // namespace

static bool isVector(Unit unit) { return unit == Unit::Valu || unit == Unit::Trans; }

static bool isVectorMemory(Unit unit) {
  return unit == Unit::VmemLoad || unit == Unit::VmemStore || unit == Unit::Atomic || unit == Unit::Flat ||
         unit == Unit::Scratch;
}

static bool isLds(Unit unit) { return unit == Unit::DsRead || unit == Unit::DsWrite || unit == Unit::DsLane; }

void lowp::sim::classifyHazards(Inst &inst) {
  StringRef name = inst.op->name;
  unsigned set = 0;
  if (name.starts_with("v_dot"))
    set |= HazardDot;
  if (name.starts_with("v_div_fmas"))
    set |= HazardDivFmas;
  if (name.starts_with("v_readlane") || name.starts_with("v_readfirstlane"))
    set |= HazardReadlane;
  if (name.starts_with("v_writelane"))
    set |= HazardWritelane;
  if (name.starts_with("v_permlane"))
    set |= HazardPermlane;
  if (name.starts_with("v_fma_f64") || name.starts_with("v_fmac_f64"))
    set |= HazardFma64;
  if (inst.lds || inst.gds || name.starts_with("s_movrel") || name.starts_with("s_sendmsg") ||
      name == "s_ttracedata" || name.ends_with("addtid_b32"))
    set |= HazardUsesM0;
  if (name == "s_getreg_b32")
    set |= HazardGetRegister;
  if (name.starts_with("s_setreg"))
    set |= HazardSetRegister;
  if (name == "s_setvskip")
    set |= HazardSkip;
  constexpr unsigned mode = 1, skipBit = 28;
  if ((set & HazardSetRegister) && (inst.simm & 63) == mode) {
    unsigned offset = inst.simm >> 6 & 31, width = (inst.simm >> 11 & 31) + 1;
    if (offset <= skipBit && skipBit < offset + width)
      set |= HazardSkip;
  }
  if (inst.op->unit == Unit::Mfma) {
    if (name.starts_with("v_mfma_f64"))
      set |= HazardMatrixF64;
    else if (name.ends_with("_f32")) // not xf32
      set |= HazardMatrixF32;
  }
  if (inst.op->unit == Unit::Mfma || inst.dpp != Dpp::None || (set & (HazardReadlane | HazardPermlane)))
    set |= HazardAfterVector;
  inst.hazards = set;
}

static void complain(Engine &engine, Wave &wave, const Inst &inst, unsigned needed, unsigned found,
                     const char *what, unsigned reg) {
  engine.report(FindingKind::WaitStates, wave, inst, wave.exec(), [&] {
    std::string name =
        reg == ~0u ? std::string() : (reg >= firstAcc ? " a" : " v") + std::to_string(reg % firstAcc);
    return std::string(what) + name + " needs " + std::to_string(needed) + " wait states, but there are " +
           std::to_string(found);
  });
}

/// Slots between the producer issued at `at` and the instruction that issues now.
static unsigned slotsSince(const Wave &wave, uint32_t at) { return wave.clock - at - 1; }

/// Wait states after a matrix instruction until its result may be used. It is of one of three classes: those
/// on f64 (with 4 passes, or 8 and 16 by chip), those on f32, and all others.
static unsigned matrixResultWaits(const Engine &engine, const VectorState &state, const Inst &inst, Use use,
                                  unsigned reg) {
  bool late = engine.program.chip.lateMatrixResults;
  unsigned passes = state.passes, more = late && passes != 2;
  bool f64 = state.writer == Writer::MatrixF64, f32 = state.writer == Writer::MatrixF32, small = passes == 4;
  if (use == Use::MatrixC) {
    const Operand &c = inst.accumulator();
    bool whole = state.mfmaFirst == c.reg && state.mfmaCount == c.count;
    bool consumerF64 = inst.hazards & HazardMatrixF64;
    bool consumerXdl = !(inst.hazards & (HazardMatrixF64 | HazardMatrixF32));
    if (whole) // forwarded, but for the shortest
      return f64 && small && consumerF64 && inst.passes == 4 ? 4 : passes == 2 ? 2 : 0;
    if (f64)
      return consumerXdl ? 0 : small ? 4 : late ? 17 : 9;
    if (f32)
      return consumerXdl ? 0 : passes;
    return passes + 1 + late;
  }
  if (f64)
    return small ? (use == Use::Memory ? 9 : 6) : use == Use::Memory ? 18 : late ? 19 : 11;
  return f32 ? passes + 2 : passes + 3 + more;
}

static void checkMatrixResult(Engine &engine, Wave &wave, const Inst &inst, unsigned reg, Use use) {
  const VectorState &state = wave.vs[reg];
  unsigned slots = slotsSince(wave, state.writtenAt);
  unsigned needed = matrixResultWaits(engine, state, inst, use, reg);
  if (slots < needed)
    complain(engine, wave, inst, needed, slots,
             use == Use::Overwrite ? "overwriting the matrix result" : "reading the matrix result", reg);
}

static bool isMatrix(Writer writer) { return writer >= Writer::Mfma; }

static bool covers(const Operand &operand, unsigned reg) {
  return operand.isVgpr() && reg >= operand.reg && reg < unsigned(operand.reg + operand.count);
}

static void checkVectorSource(Engine &engine, Wave &wave, const Inst &inst, unsigned reg) {
  const VectorState &state = wave.vs[reg];
  unsigned slots = slotsSince(wave, state.writtenAt);
  Unit unit = inst.op->unit;
  if (isMatrix(state.writer)) {
    if (unit != Unit::Mfma)
      return checkMatrixResult(engine, wave, inst, reg, isVector(unit) ? Use::Valu : Use::Memory);
    if (covers(inst.accumulator(), reg))
      checkMatrixResult(engine, wave, inst, reg, Use::MatrixC);
    for (unsigned k = 0; k < inst.sources; ++k)
      if (&inst.src[k] != &inst.accumulator() && covers(inst.src[k], reg))
        return checkMatrixResult(engine, wave, inst, reg, Use::MatrixOther);
    return;
  }
  auto need = [&](unsigned needed, const char *what) {
    if (slots < needed)
      complain(engine, wave, inst, needed, slots, what, reg);
  };
  if (state.writer == Writer::Dot) {
    if (unit == Unit::Mfma ||
        (inst.op == state.dot && !covers(inst.src[0], reg) && !covers(inst.src[1], reg)))
      return;
    need(DotToOther, "using the result of a dot product:");
  }
  if (state.writer < Writer::Valu)
    return;
  if (unit == Unit::Mfma)
    return need(ValuToMatrix, "a matrix operand just written by a vector instruction:");
  if (!isVector(unit))
    return;
  if (state.writer == Writer::Trans && unit != Unit::Trans)
    need(TransToValu, "using the result of a transcendental instruction:");
  if (state.writer == Writer::Partial)
    need(PartialToValu, "using a register of which a part was just written:");
  if (inst.hazards & HazardReadlane)
    need(ValuToReadlane, "reading across lanes what was just written:");
  if (inst.hazards & HazardPermlane)
    need(ValuToPermlane, "reading across lanes what was just written:");
  if (inst.dpp != Dpp::None && inst.src[0].isVgpr() && inst.src[0].reg == reg)
    need(ValuToDpp, "reading by DPP what was just written:");
}

static void checkScalarSource(Engine &engine, Wave &wave, const Inst &inst, unsigned reg) {
  const ScalarState &state = wave.ss[reg];
  unsigned slots = slotsSince(wave, state.valuAt);
  auto need = [&](unsigned needed, const char *what) {
    if (slots < needed)
      complain(engine, wave, inst, needed, slots, what, ~0u);
  };
  if (isVectorMemory(inst.op->unit))
    return need(ValuSgprToVmem,
                "a vector memory instruction that uses an SGPR written by a vector instruction");
  if (!isVector(inst.op->unit))
    return;
  if ((inst.hazards & HazardDivFmas) && (reg == Vcc || reg == Vcc + 1))
    return need(ValuVccToDivFmas, "v_div_fmas after a vector instruction wrote vcc");
  if ((inst.hazards & (HazardReadlane | HazardWritelane)) && inst.src[1].isSgpr() && inst.src[1].reg == reg)
    return need(ValuSgprToSelect, "a lane select written by a vector instruction");
  need(ValuSgprToValu, "a vector instruction that uses an SGPR written by a vector instruction");
}

static void checkOverwrite(Engine &engine, Wave &wave, const Inst &inst, unsigned reg) {
  const VectorState &state = wave.vs[reg];
  unsigned slots = slotsSince(wave, state.writtenAt);
  if (slots < longestWait) {
    if (isMatrix(state.writer))
      checkMatrixResult(engine, wave, inst, reg, Use::Overwrite);
    else if (state.writer == Writer::Dot && inst.op != state.dot && slots < DotToOther)
      complain(engine, wave, inst, DotToOther, slots, "overwriting the result of a dot product:", reg);
    else if (state.writer == Writer::Partial && slots < PartialToValu && isVector(inst.op->unit) &&
             (inst.op->flags & (PartialDst | KeepsHigh)))
      complain(engine, wave, inst, PartialToValu, slots,
               "keeping a part of a register of which a part was just written:", reg);
  }
  if (wave.clock < state.accumulatorUntil)
    complain(engine, wave, inst, state.accumulatorUntil - wave.clock, 0,
             "overwriting the accumulator operand of a running matrix instruction: that many more for", reg);
}

/// The data of a wide store, which the store still reads while the next vector instructions issue.
static void checkWideStore(Engine &engine, Wave &wave, const Inst &inst) {
  unsigned slots = slotsSince(wave, wave.wideStoreAt);
  for (const RegRange &range : inst.vwrites)
    for (unsigned reg = range.reg; reg < unsigned(range.reg + range.count); ++reg)
      if (reg >= wave.wideStore.reg && reg < unsigned(wave.wideStore.reg + wave.wideStore.count))
        complain(
            engine, wave, inst, WideStoreToValu, slots,
            wave.wideStoreSoffset
                ? "overwriting the data of a wide buffer store with an SGPR offset (compilers miss this):"
                : "overwriting the data of a wide store:",
            reg);
}

/// After v_cmpx.
static void checkAfterExec(Engine &engine, Wave &wave, const Inst &inst) {
  unsigned slots = slotsSince(wave, wave.execByValuAt);
  auto need = [&](bool applies, unsigned needed, const char *what) {
    if (applies && slots < needed)
      complain(engine, wave, inst, needed, slots, what, ~0u);
  };
  need(inst.dpp != Dpp::None, ExecToDpp, "DPP after a vector instruction wrote exec");
  need(inst.hazards & HazardPermlane, ExecToPermlane, "permlane after a vector instruction wrote exec");
  need(inst.hazards & (HazardReadlane | HazardWritelane), ExecToLane,
       "access to single lanes after a vector instruction wrote exec");
  need(inst.op->unit == Unit::Mfma, ExecToMatrix,
       "a matrix instruction after a vector instruction wrote exec");
}

/// Consumers and producers that are scalar instructions.
static void checkScalarHazards(Engine &engine, Wave &wave, const Inst &inst) {
  if ((inst.hazards & HazardUsesM0) && slotsSince(wave, wave.m0BySaluAt) < M0ToUser)
    complain(engine, wave, inst, M0ToUser, 0,
             inst.lds ? "a load to LDS after m0 was written" : "a use of m0 after it was written", ~0u);
  if ((inst.hazards & (HazardGetRegister | HazardSetRegister)) && (inst.simm & 63) == wave.setRegister &&
      slotsSince(wave, wave.setRegisterAt) < SetRegister)
    complain(engine, wave, inst, SetRegister, slotsSince(wave, wave.setRegisterAt),
             "access to a hardware register that was just set", ~0u);
}

/// Forgets that the register is recent when no rule concerns it any more.
static void updateRecent(Wave &wave, unsigned reg) {
  const VectorState &state = wave.vs[reg];
  bool plain = state.writer == Writer::None || state.writer == Writer::Memory || state.writer == Writer::Valu;
  if ((plain || slotsSince(wave, state.writtenAt) >= longestWait) && wave.clock >= state.accumulatorUntil)
    wave.recent.erase(reg);
}

/// The rules of single registers; of those it reads only the recent ones, or all.
static void checkRegisters(Engine &engine, Wave &wave, const Inst &inst, bool all) {
  for (const RegRange &range : inst.vreads)
    for (unsigned reg = range.reg; reg < unsigned(range.reg + range.count); ++reg) {
      if (!all && !wave.recent.contains(reg))
        continue;
      if (slotsSince(wave, wave.vs[reg].writtenAt) < longestWait)
        checkVectorSource(engine, wave, inst, reg);
      updateRecent(wave, reg);
    }
  for (const RegRange &range : inst.sreads)
    for (unsigned reg = range.reg; reg < unsigned(range.reg + range.count); ++reg) {
      if (!wave.recent.contains(RegisterSet::scalar(reg)))
        continue;
      if (slotsSince(wave, wave.ss[reg].valuAt) < ValuSgprToVmem)
        checkScalarSource(engine, wave, inst, reg);
      else
        wave.recent.erase(RegisterSet::scalar(reg));
    }
  if (inst.op->unit != Unit::Mfma)
    for (const RegRange &range : inst.vwrites)
      for (unsigned reg = range.reg; reg < unsigned(range.reg + range.count); ++reg) {
        if (!wave.recent.contains(reg))
          continue;
        if (slotsSince(wave, wave.vs[reg].writtenAt) < longestWait ||
            wave.clock < wave.vs[reg].accumulatorUntil)
          checkOverwrite(engine, wave, inst, reg);
        updateRecent(wave, reg);
      }
}

void lowp::sim::checkHazards(Engine &engine, Wave &wave, const Inst &inst) {
  Unit unit = inst.op->unit;
  if (inst.hazards & (HazardUsesM0 | HazardGetRegister | HazardSetRegister))
    checkScalarHazards(engine, wave, inst);
  bool vector = isVector(unit), memory = isVectorMemory(unit) || isLds(unit);
  if (!vector && !memory && unit != Unit::Mfma)
    return;
  if (unit == Unit::Mfma && wave.clock < wave.matrixFreeAt)
    wave.clock = wave.matrixFreeAt;
  bool all = (inst.hazards & HazardAfterVector) && slotsSince(wave, wave.valuAt) < afterVector;
  if (all || wave.recent.meets(inst.registers))
    checkRegisters(engine, wave, inst, all);
  if (vector && slotsSince(wave, wave.wideStoreAt) < WideStoreToValu)
    checkWideStore(engine, wave, inst);
  if (slotsSince(wave, wave.execByValuAt) < ExecToDpp)
    checkAfterExec(engine, wave, inst);
  if (slotsSince(wave, wave.skipAt) < SkipToVector)
    complain(engine, wave, inst, SkipToVector, slotsSince(wave, wave.skipAt),
             "a vector instruction after skipping was switched", ~0u);
  if ((inst.hazards & HazardFma64) && slotsSince(wave, wave.doubleMatrixAt) < DoubleMatrixToFma)
    complain(engine, wave, inst, DoubleMatrixToFma, slotsSince(wave, wave.doubleMatrixAt),
             "v_fma_f64 after a matrix instruction on f64", ~0u);
}

static void noteMatrix(Wave &wave, const Inst &inst) {
  wave.matrixFreeAt = wave.clock + inst.passes;
  Writer writer = inst.hazards & HazardMatrixF64   ? Writer::MatrixF64
                  : inst.hazards & HazardMatrixF32 ? Writer::MatrixF32
                                                   : Writer::Mfma;
  if (writer == Writer::MatrixF64)
    wave.doubleMatrixAt = wave.clock;
  for (unsigned i = 0; i < inst.dst.count; ++i) {
    VectorState &state = wave.vs[inst.dst.reg + i];
    state.writer = writer;
    state.writtenAt = wave.clock;
    state.passes = inst.passes;
    state.mfmaFirst = inst.dst.reg;
    state.mfmaCount = inst.dst.count;
    wave.recent.insert(inst.dst.reg + i);
  }
  const Operand &c = inst.accumulator();
  if (writer == Writer::Mfma && c.isVgpr() && c.reg != inst.dst.reg)
    for (unsigned i = 0; i < c.count; ++i) { // passes - 1 slots have to lie between
      wave.vs[c.reg + i].accumulatorUntil = wave.clock + inst.passes;
      wave.recent.insert(c.reg + i);
    }
}

void lowp::sim::noteHazards(Engine &engine, Wave &wave, const Inst &inst) {
  Unit unit = inst.op->unit;
  if (inst.hazards & (HazardSetRegister | HazardSkip)) {
    if (inst.hazards & HazardSetRegister) {
      wave.setRegister = inst.simm & 63;
      wave.setRegisterAt = wave.clock;
    }
    if (inst.hazards & HazardSkip)
      wave.skipAt = wave.clock;
    return;
  }
  if (unit == Unit::Salu || unit == Unit::Smem) {
    for (const RegRange &range : inst.swrites) {
      for (unsigned i = 0; i < range.count; ++i)
        wave.ss[range.reg + i].valuAt = 0;
      if (range.reg == M0)
        wave.m0BySaluAt = wave.clock;
    }
    return;
  }
  if (unit == Unit::Mfma)
    return noteMatrix(wave, inst);
  if (isVector(unit)) {
    bool partial = (inst.op->flags & PartialDst && inst.opSel) || (inst.sdwa && inst.dstSel != SelDword);
    Writer writer = unit == Unit::Trans          ? Writer::Trans
                    : partial                    ? Writer::Partial
                    : (inst.hazards & HazardDot) ? Writer::Dot
                                                 : Writer::Valu;
    for (const RegRange &range : inst.vwrites)
      for (unsigned i = 0; i < range.count; ++i) {
        VectorState &state = wave.vs[range.reg + i];
        state.writer = writer;
        state.writtenAt = wave.clock;
        if (writer == Writer::Dot)
          state.dot = inst.op;
        if (writer != Writer::Valu)
          wave.recent.insert(range.reg + i);
      }
    if (!inst.vwrites.empty())
      wave.valuAt = wave.clock;
    for (const RegRange &range : inst.swrites) {
      for (unsigned i = 0; i < range.count; ++i) {
        wave.ss[range.reg + i].valuAt = wave.clock;
        wave.recent.insert(RegisterSet::scalar(range.reg + i));
      }
      if (range.reg == ExecReg)
        wave.execByValuAt = wave.clock;
    }
    if (inst.op->flags & WritesExec)
      wave.execByValuAt = wave.clock;
    return;
  }
  for (const RegRange &range : inst.vwrites)
    for (unsigned i = 0; i < range.count; ++i)
      wave.vs[range.reg + i].writer = Writer::Memory;
  bool atomic = inst.op->flags & (ResultWithSc0 | ReturnsToData);
  bool store = unit == Unit::VmemStore || ((unit == Unit::Flat || unit == Unit::Scratch) &&
                                           inst.vwrites.empty() && !inst.lds && !atomic);
  if (store && (inst.op->param & 0xff) > 8) {
    bool buffer = StringRef(inst.op->name).starts_with("buffer");
    const Operand &data = inst.src[buffer ? 0 : 1];
    wave.wideStore = {data.reg, data.count};
    wave.wideStoreAt = wave.clock;
    wave.wideStoreSoffset = buffer && inst.src[3].isSgpr();
  }
}
