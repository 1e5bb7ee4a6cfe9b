// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From decoded instructions to what a static count needs of them.

#include "lowp/Sim/MachineCode.h"
#include "Counters.h"
#include "VectorMemory.h"
#include "WaitCounts.h"
#include "lowp/CodeObject/CrashGuard.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

/// A vector instruction of one wave takes the 16 lanes of its SIMD for four clocks.
static constexpr unsigned valuClocks = 4, passClocks = 4;

static InstructionKind kindOf(const Inst &inst) {
  StringRef name = inst.op->name;
  switch (inst.op->unit) {
  case Unit::Mfma:
    return InstructionKind::Matrix;
  case Unit::Valu:
    return name.starts_with("v_accvgpr") ? InstructionKind::AccumulatorCopy : InstructionKind::Valu;
  case Unit::Trans:
    return InstructionKind::Transcendental;
  case Unit::Salu:
    return InstructionKind::Salu;
  case Unit::Smem:
    return InstructionKind::Smem;
  case Unit::VmemLoad:
    return inst.lds ? InstructionKind::LdsDma : InstructionKind::VmemLoad;
  case Unit::VmemStore:
    return InstructionKind::VmemStore;
  case Unit::Atomic:
    return InstructionKind::Atomic;
  case Unit::Flat:
    return inst.vwrites.empty() ? InstructionKind::VmemStore : InstructionKind::VmemLoad;
  case Unit::Scratch:
    return InstructionKind::Scratch;
  case Unit::DsRead:
  case Unit::DsLane:
    return InstructionKind::LdsRead;
  case Unit::DsWrite:
    return InstructionKind::LdsWrite;
  case Unit::Branch:
    return InstructionKind::Branch;
  case Unit::Wait:
    return InstructionKind::Wait;
  case Unit::Barrier:
    return InstructionKind::Barrier;
  case Unit::Other:
    break;
  }
  return name == "s_nop" ? InstructionKind::Nop : InstructionKind::Other;
}

static InstructionFacts factsOf(const Inst &inst, const ChipFacts &chip) {
  InstructionFacts facts;
  if (!inst.op)
    return facts; // padding between functions
  StringRef name = inst.op->name;
  facts.kind = kindOf(inst);
  switch (facts.kind) {
  case InstructionKind::Matrix:
    facts.clocks = inst.passes * passClocks;
    facts.multiplyAdds = matrixFlops(name) / 2;
    break;
  case InstructionKind::Valu:
  case InstructionKind::AccumulatorCopy:
    facts.clocks = valuClocks;
    break;
  case InstructionKind::Transcendental:
    facts.clocks = chip.transCycles;
    break;
  case InstructionKind::LdsRead:
  case InstructionKind::LdsWrite:
    facts.ldsAccesses = name.contains("read2") || name.contains("write2") ? 2 : 1;
    facts.ldsBits = ldsLaneBytes(name) * 8 / facts.ldsAccesses;
    break;
  case InstructionKind::LdsDma:
    facts.ldsAccesses = 1;
    facts.ldsBits = vmemSize(inst) * 8;
    facts.loadedBytes = vmemSize(inst);
    break;
  case InstructionKind::VmemLoad:
    facts.loadedBytes = vmemSize(inst);
    break;
  case InstructionKind::Nop:
    facts.waitStates = (inst.simm & 15) + 1;
    break;
  case InstructionKind::Wait: {
    WaitCounts counts = waitCounts(inst);
    if (counts.vm < WaitCounts::noVm)
      facts.vmcnt = counts.vm;
    if (counts.lgkm < WaitCounts::noLgkm)
      facts.lgkmcnt = counts.lgkm;
    break;
  }
  default:
    break;
  }
  return facts;
}

Expected<std::vector<MachineFunction>> lowp::sim::disassemble(const HsaCodeObject &object) {
  auto program = std::make_unique<Program>();
  bool crashed = false;
  Error error = runGuarded("reading the code object", crashed,
                           [&]() -> Error { return decodeProgram(object).moveInto(*program); });
  if (crashed)
    (void)program.release(); // in any state
  if (error)
    return std::move(error);
  std::vector<MachineFunction> functions;
  for (size_t number = 0; number < object.functions().size(); ++number) {
    MachineFunction function;
    function.code = listFunction(object, *program, number);
    for (const CodeLine &line : function.code.lines)
      function.facts.push_back(factsOf(program->insts[program->indexOf(line.pc)], program->chip));
    functions.push_back(std::move(function));
  }
  return functions;
}

Expected<LaunchFacts> lowp::sim::kernelResources(const HsaCodeObject &object, const KernelInfo &kernel,
                                                 unsigned workItems, uint32_t dynamicLds) {
  Expected<ChipFacts> chip = ChipFacts::get(object.chip());
  if (!chip)
    return chip.takeError();
  LaunchFacts facts = resourceFacts(kernel, *chip, kernel.lds + dynamicLds, (workItems + 63) / 64);
  facts.chip = object.chip().str();
  facts.block[0] = workItems;
  facts.block[1] = facts.block[2] = 1;
  return facts;
}
