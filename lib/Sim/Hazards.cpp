// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wait states that software must keep because the hardware does not check: how many issue slots have to lie
// between a producer and a consumer. The numbers are those that LLVM 22's hazard recogniser inserts for the
// two chips (read back from compiled code). One instruction is one slot, s_nop N is N + 1; a matrix
// instruction waits for the matrix core, which one instruction occupies for as many slots as it has passes.

#include "Engine.h"

using namespace llvm;
using namespace lowp::sim;

namespace {
/// Required wait states, by producer and consumer.
enum WaitStates : unsigned {
  ValuToMatrix = 2,     // VALU write -> A, B, C or scale of a matrix instruction
  TransToValu = 1,      // v_exp and the like -> another VALU instruction
  PartialToValu = 1,    // write of a part of a register (op_sel, SDWA) -> VALU
  ValuToReadlane = 1,   // VALU write -> v_readlane, v_readfirstlane
  ValuToDpp = 2,        // VALU write -> DPP source
  ValuToPermlane = 2,   // VALU write -> v_permlane*_swap
  ValuSgprToVmem = 5,   // VALU write of an SGPR -> address or descriptor of a vector memory instruction
  ValuSgprToValu = 2,   // VALU write of an SGPR or VCC -> VALU
  ValuSgprToSelect = 4, // VALU write of an SGPR -> lane select of v_readlane
  ValuVccToDivFmas = 4, // VALU write of VCC -> v_div_fmas
  ExecToDpp = 5,        // v_cmpx -> DPP
  ExecToPermlane = 4,   // v_cmpx -> v_permlane*_swap
  M0ToDirectCopy = 1,   // s_mov m0 -> a load to LDS
  WideStoreToValu = 2,  // store of more than 64 bits a lane -> VALU write of its data
};
} // namespace

static bool isVector(Unit unit) { return unit == Unit::Valu || unit == Unit::Trans; }

static bool isVectorMemory(Unit unit) {
  return unit == Unit::VmemLoad || unit == Unit::VmemStore || unit == Unit::Atomic || unit == Unit::Flat ||
         unit == Unit::Scratch;
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

static void checkMatrixResult(Engine &engine, Wave &wave, const Inst &inst, unsigned reg, bool overwrite) {
  const VectorState &state = wave.vs[reg];
  unsigned slots = slotsSince(wave, state.writtenAt),
           needed = state.passes + engine.program.chip.mfmaResultWaits;
  if (slots >= needed)
    return;
  if (inst.op->unit == Unit::Mfma) {
    if (overwrite)
      return; // the matrix core keeps its own order
    const Operand &c = inst.accumulator();
    bool isC = c.isVgpr() && reg >= c.reg && reg < unsigned(c.reg + c.count);
    bool isAB = false;
    for (unsigned k = 0; k < inst.sources; ++k)
      if (&inst.src[k] != &c && inst.src[k].isVgpr() && reg >= inst.src[k].reg &&
          reg < unsigned(inst.src[k].reg + inst.src[k].count))
        isAB = true;
    if (isC && !isAB) {
      // The same registers as accumulator are forwarded; overlapping ones are not.
      if (state.mfmaFirst == c.reg)
        return;
      needed -= 2;
      if (slots >= needed)
        return;
    }
  }
  complain(engine, wave, inst, needed, slots,
           overwrite ? "overwriting the matrix result" : "reading the matrix result", reg);
}

static void checkVectorSource(Engine &engine, Wave &wave, const Inst &inst, unsigned reg) {
  const VectorState &state = wave.vs[reg];
  if (state.writer == Writer::None || state.writer == Writer::Memory)
    return;
  if (state.writer == Writer::Mfma)
    return checkMatrixResult(engine, wave, inst, reg, false);
  unsigned slots = slotsSince(wave, state.writtenAt);
  if (slots >= 2)
    return;
  auto need = [&](unsigned needed, const char *what) {
    if (slots < needed)
      complain(engine, wave, inst, needed, slots, what, reg);
  };
  if (inst.op->unit == Unit::Mfma)
    return need(ValuToMatrix, "a matrix operand just written by a vector instruction:");
  if (!isVector(inst.op->unit))
    return;
  if (state.writer == Writer::Trans && inst.op->unit != Unit::Trans)
    need(TransToValu, "using the result of a transcendental instruction:");
  if (state.writer == Writer::Partial)
    need(PartialToValu, "using a register of which a part was just written:");
  if (inst.op->flags & LaneCrossing)
    need(inst.dst.isSgpr() ? ValuToReadlane : ValuToPermlane, "reading across lanes what was just written:");
  if (inst.dpp != Dpp::None && inst.src[0].isVgpr() && inst.src[0].reg == reg)
    need(ValuToDpp, "reading by DPP what was just written:");
}

static void checkScalarSource(Engine &engine, Wave &wave, const Inst &inst, unsigned reg) {
  const ScalarState &state = wave.ss[reg];
  if (!state.valuAt)
    return;
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
  if (inst.op->flags & ReadsVcc && reg >= Vcc)
    return need(ValuVccToDivFmas, "v_div_fmas after a vector instruction wrote vcc");
  if ((inst.op->flags & LaneCrossing) && inst.sources > 1 && inst.src[1].isSgpr() && inst.src[1].reg == reg)
    return need(ValuSgprToSelect, "a lane select written by a vector instruction");
  need(ValuSgprToValu, "a vector instruction that uses an SGPR written by a vector instruction");
}

void lowp::sim::checkHazards(Engine &engine, Wave &wave, const Inst &inst) {
  Unit unit = inst.op->unit;
  if (unit == Unit::Salu || unit == Unit::Branch || unit == Unit::Wait || unit == Unit::Smem ||
      unit == Unit::Other)
    return;
  if (unit == Unit::Mfma && wave.clock < wave.matrixFreeAt)
    wave.clock = wave.matrixFreeAt;
  for (const RegRange &range : inst.vreads)
    for (unsigned i = 0; i < range.count; ++i)
      checkVectorSource(engine, wave, inst, range.reg + i);
  for (const RegRange &range : inst.sreads)
    for (unsigned i = 0; i < range.count; ++i)
      checkScalarSource(engine, wave, inst, range.reg + i);
  if (isVector(unit)) {
    for (const RegRange &range : inst.vwrites)
      for (unsigned reg = range.reg; reg < unsigned(range.reg + range.count); ++reg) {
        if (wave.vs[reg].writer == Writer::Mfma)
          checkMatrixResult(engine, wave, inst, reg, true);
        if (wave.clock < wave.vs[reg].accumulatorUntil)
          complain(engine, wave, inst, wave.vs[reg].accumulatorUntil - wave.clock, 0,
                   "overwriting the accumulator operand of a running matrix instruction: that many more for",
                   reg);
        if (reg >= wave.wideStore.reg && reg < unsigned(wave.wideStore.reg + wave.wideStore.count) &&
            wave.wideStoreAt && slotsSince(wave, wave.wideStoreAt) < WideStoreToValu)
          complain(
              engine, wave, inst, WideStoreToValu, slotsSince(wave, wave.wideStoreAt),
              wave.wideStoreSoffset
                  ? "overwriting the data of a wide buffer store with an SGPR offset (compilers miss this):"
                  : "overwriting the data of a wide store:",
              reg);
      }
    if (wave.execByValuAt) {
      unsigned slots = slotsSince(wave, wave.execByValuAt);
      if (inst.dpp != Dpp::None && slots < ExecToDpp)
        complain(engine, wave, inst, ExecToDpp, slots, "DPP after a vector instruction wrote exec", ~0u);
      if ((inst.op->flags & LaneCrossing) && !inst.dst.isSgpr() && slots < ExecToPermlane)
        complain(engine, wave, inst, ExecToPermlane, slots, "permlane after a vector instruction wrote exec",
                 ~0u);
    }
  }
  if (inst.lds && wave.m0BySaluAt && slotsSince(wave, wave.m0BySaluAt) < M0ToDirectCopy)
    complain(engine, wave, inst, M0ToDirectCopy, 0, "a load to LDS after m0 was written", ~0u);
}

void lowp::sim::noteHazards(Engine &engine, Wave &wave, const Inst &inst) {
  Unit unit = inst.op->unit;
  if (unit == Unit::Salu || unit == Unit::Smem) {
    for (const RegRange &range : inst.swrites) {
      for (unsigned i = 0; i < range.count; ++i)
        wave.ss[range.reg + i].valuAt = 0;
      if (range.reg == M0)
        wave.m0BySaluAt = wave.clock;
    }
    return;
  }
  if (unit == Unit::Mfma) {
    wave.matrixFreeAt = wave.clock + inst.passes;
    for (unsigned i = 0; i < inst.dst.count; ++i) {
      VectorState &state = wave.vs[inst.dst.reg + i];
      state.writer = Writer::Mfma;
      state.writtenAt = wave.clock;
      state.passes = inst.resultPasses;
      state.mfmaFirst = inst.dst.reg;
    }
    const Operand &c = inst.accumulator();
    if (c.isVgpr() && c.reg != inst.dst.reg)
      for (unsigned i = 0; i < c.count; ++i) // passes - 1 slots have to lie between
        wave.vs[c.reg + i].accumulatorUntil = wave.clock + inst.passes;
    return;
  }
  if (isVector(unit)) {
    bool partial = (inst.op->flags & PartialDst && inst.opSel) || (inst.sdwa && inst.dstSel != SelDword);
    Writer writer = unit == Unit::Trans ? Writer::Trans : partial ? Writer::Partial : Writer::Valu;
    for (const RegRange &range : inst.vwrites)
      for (unsigned i = 0; i < range.count; ++i) {
        wave.vs[range.reg + i].writer = writer;
        wave.vs[range.reg + i].writtenAt = wave.clock;
      }
    for (const RegRange &range : inst.swrites)
      for (unsigned i = 0; i < range.count; ++i)
        wave.ss[range.reg + i].valuAt = wave.clock;
    if (inst.op->flags & WritesExec)
      wave.execByValuAt = wave.clock;
    return;
  }
  for (const RegRange &range : inst.vwrites)
    for (unsigned i = 0; i < range.count; ++i)
      wave.vs[range.reg + i].writer = Writer::Memory;
  if (unit == Unit::VmemStore && (inst.op->param & 0xff) > 8) {
    bool buffer = StringRef(inst.op->name).starts_with("buffer");
    const Operand &data = inst.src[buffer ? 0 : 1];
    wave.wideStore = {data.reg, data.count};
    wave.wideStoreAt = wave.clock;
    wave.wideStoreSoffset = buffer && inst.src[3].isSgpr();
  }
}
