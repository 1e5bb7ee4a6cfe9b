// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MODE can change in how instructions execute, apart from the common path: VSKIP drops vector
// instructions, which then do not count in the wait counters either; GPR_IDX_EN adds M0[7:0] to the register
// numbers of vector operands that M0[15:12] (destination, src2, src1, src0) selects; other rounding modes.
// CDNA3 ISA manual sections 3.5 and 6.6.

#include "Engine.h"
#include "Rounding.h"

using namespace llvm;
using namespace lowp::sim;

static bool isSkipped(Unit unit) {
  switch (unit) {
  case Unit::Valu:
  case Unit::Trans:
  case Unit::Mfma:
  case Unit::VmemLoad:
  case Unit::VmemStore:
  case Unit::Atomic:
  case Unit::Flat:
  case Unit::Scratch:
  case Unit::DsRead:
  case Unit::DsWrite:
  case Unit::DsLane:
    return true;
  default:
    return false;
  }
}

static void execute(Engine &engine, Wave &wave, const Inst &inst) {
  if (engine.checking())
    checkBefore(engine, wave, inst);
  noteIssue(engine, wave, inst);
  wave.pc = inst.next;
  RoundingScope rounding(wave, inst);
  inst.exec(engine, wave, inst);
}

static void executeIndexed(Engine &engine, Wave &wave, const Inst &inst) {
  Inst shifted = inst;
  unsigned index = wave.s[M0] & 0xff, mode = wave.s[M0] >> 12 & 15;
  bool good = true;
  auto shift = [&](Operand &operand) {
    if (!operand.isVgpr())
      return;
    unsigned bank = operand.reg / firstAcc;
    good &= operand.reg + index + operand.count <= (bank + 1) * firstAcc;
    operand.reg += index;
  };
  // A destination that is a source too moves with the destination (CDNA4 ISA manual section 6.6.2).
  bool tied = inst.op->flags & TiedSource;
  for (unsigned k = 0; k < 3 && k < inst.sources; ++k) {
    unsigned bit = tied && k + 1 == inst.sources ? 3 : k;
    if (mode >> bit & 1)
      shift(shifted.src[k]);
  }
  if (mode & 8)
    shift(shifted.dst);
  if (!good)
    return engine.fault(FindingKind::RegisterBeyondAllocation, wave, inst, [&] {
      return "register index " + std::to_string(index) + " leads beyond the last register";
    });
  noteRegisters(shifted);
  execute(engine, wave, shifted);
}

void lowp::sim::executeUnusual(Engine &engine, Wave &wave, const Inst &inst) {
  Unit unit = inst.op->unit;
  if (wave.vskip && isSkipped(unit))
    wave.pc = inst.next;
  else if (wave.indexing && (unit == Unit::Valu || unit == Unit::Trans))
    executeIndexed(engine, wave, inst);
  else
    execute(engine, wave, inst);
}
