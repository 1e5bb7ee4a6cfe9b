// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program control: branches, calls, waits, barriers, hardware registers. CDNA3 ISA manual sections 4
// and 16.5.

#include "Engine.h"
#include "WaitCounts.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace lowp::sim;

static void nothing(Engine &, Wave &, const Inst &) {}
static void endProgram(Engine &engine, Wave &wave, const Inst &) {
  waitFor(engine, wave, 0, 0); // what is still on its way lands
  wave.done = true;
}
static void branch(Engine &, Wave &wave, const Inst &inst) { wave.pc = inst.target; }

enum Condition : uint16_t { Scc0, Scc1, VccZ, VccNz, ExecZ, ExecNz, Debug };
static void conditionalBranch(Engine &engine, Wave &wave, const Inst &inst) {
  bool taken = false;
  switch (inst.op->param) {
  case Scc0:
    taken = !wave.scc();
    break;
  case Scc1:
    taken = wave.scc();
    break;
  case VccZ:
    taken = !wave.pair(Vcc);
    break;
  case VccNz:
    taken = wave.pair(Vcc);
    break;
  case ExecZ:
    taken = !wave.exec();
    break;
  case ExecNz:
    taken = wave.exec();
    break;
  case Debug: // no debugger: its two conditions are off
    break;
  }
  if (taken) {
    wave.pc = inst.target;
    ++engine.taken[engine.indexOf(inst)];
  }
}

static void nop(Engine &, Wave &wave, const Inst &inst) { wave.clock += inst.simm & 15; }

static void waitCounters(Engine &engine, Wave &wave, const Inst &inst) {
  WaitCounts counts = waitCounts(inst);
  noteWait(engine, wave, inst, counts.vm, counts.lgkm);
  waitFor(engine, wave, counts.vm, counts.lgkm);
}

static void barrier(Engine &engine, Wave &wave, const Inst &inst) {
  if (engine.checking())
    checkBarrier(engine, wave, inst);
  wave.atBarrier = true;
}

static void sleep(Engine &, Wave &wave, const Inst &) { wave.yielded = true; }

/// Orders this host thread's memory accesses as the caches' write-back and invalidation order the wave's.
static void orderMemory(Engine &, Wave &, const Inst &) {
  std::atomic_thread_fence(std::memory_order_acq_rel);
}

static void trap(Engine &engine, Wave &wave, const Inst &inst) {
  engine.fault(FindingKind::Trap, wave, inst,
               [&] { return "the kernel stops itself (" + std::to_string(inst.simm) + ")"; });
}

/// Bit 0 clear: the wave goes on.
static void setHalt(Engine &engine, Wave &wave, const Inst &inst) {
  if (inst.simm & 1)
    trap(engine, wave, inst);
}

// -- calls: program counters are image addresses as loaded
// ----------------------------------------------------------

static uint64_t followingAddress(const Inst &inst) { return imageBase + inst.pc + inst.size; }

static void jumpTo(Engine &engine, Wave &wave, const Inst &inst, uint64_t address) {
  wave.pc = engine.program.indexOf(address - imageBase);
  if (wave.pc == Program::nowhere)
    engine.fault(FindingKind::BadControlFlow, wave, inst, [&] {
      bool inImage = address - imageBase < apertureSize; // as program counters are printed, if it is one
      return "jumps to " + std::string(inImage ? "0x" : "memory address 0x") +
             utohexstr(inImage ? address - imageBase : address, true) + ", where no instruction begins";
    });
}

static void getPc(Engine &, Wave &wave, const Inst &inst) {
  wave.setPair(inst.dst.reg, followingAddress(inst));
}
static void setPc(Engine &engine, Wave &wave, const Inst &inst) {
  jumpTo(engine, wave, inst, wave.pair(inst.src[0].reg));
}
static void swapPc(Engine &engine, Wave &wave, const Inst &inst) {
  uint64_t to = wave.pair(inst.src[0].reg);
  wave.setPair(inst.dst.reg, followingAddress(inst));
  jumpTo(engine, wave, inst, to);
}
static void call(Engine &, Wave &wave, const Inst &inst) {
  wave.setPair(inst.dst.reg, followingAddress(inst));
  wave.pc = inst.target;
}

static void setPriority(Engine &, Wave &wave, const Inst &inst) { wave.priority = inst.simm & 3; }
static void setKill(Engine &engine, Wave &wave, const Inst &inst) {
  if (inst.simm & 1)
    endProgram(engine, wave, inst);
}

// -- register indexing: M0 holds the index in its low byte and, in bits 15:12, the operands it applies to;
// MODE's GPR_IDX_EN says that it is in force

static constexpr uint32_t gprIndexEnable = 1u << 27;
static uint32_t indexOf(const Wave &wave, const Inst &inst) {
  return (inst.src[0].isSgpr() ? wave.s[inst.src[0].reg] : uint32_t(inst.src[0].imm)) & 0xff;
}
static void indexOn(Engine &, Wave &wave, const Inst &inst) {
  wave.setMode(wave.mode | gprIndexEnable);
  wave.s[M0] = (wave.s[M0] & 0xffff0f00) | indexOf(wave, inst) | (inst.simm & 15) << 12;
  wave.ss[M0].valid = true;
}
static void indexOff(Engine &, Wave &wave, const Inst &) { wave.setMode(wave.mode & ~gprIndexEnable); }
static void indexValue(Engine &, Wave &wave, const Inst &inst) {
  wave.s[M0] = (wave.s[M0] & 0xffffff00) | indexOf(wave, inst);
}
static void indexMode(Engine &, Wave &wave, const Inst &inst) {
  wave.s[M0] = (wave.s[M0] & 0xffff0fff) | (inst.simm & 15) << 12;
}

ArrayRef<OpEntry> lowp::sim::soppOps() {
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"s_endpgm", endProgram, Unit::Other, 0},
      {"s_nop", nop, Unit::Other, 0},
      {"s_waitcnt", waitCounters, Unit::Wait, 0},
      {"s_barrier", barrier, Unit::Barrier, 0},
      {"s_setprio", setPriority, Unit::Other, 0},
      {"s_setkill", setKill, Unit::Other, 0},
      {"s_sendmsghalt", trap, Unit::Other, 0},
      {"s_wakeup", nothing, Unit::Other, 0},
      {"s_dcache_discard", nothing, Unit::Other, 0},
      {"s_dcache_discard_x2", nothing, Unit::Other, 0},
      {"s_dcache_inv_vol", nothing, Unit::Other, 0},
      {"s_dcache_wb_vol", nothing, Unit::Other, 0},
      {"s_atc_probe", nothing, Unit::Other, 0},
      {"s_atc_probe_buffer", nothing, Unit::Other, 0},
      {"s_sleep", sleep, Unit::Other, 0},
      {"s_sendmsg", nothing, Unit::Other, 0},
      {"s_icache_inv", nothing, Unit::Other, 0},
      {"s_dcache_inv", nothing, Unit::Other, 0},
      {"s_dcache_wb", nothing, Unit::Other, 0},
      {"s_trap", trap, Unit::Other, 0},
      {"s_sethalt", setHalt, Unit::Other, 0},
      {"s_ttracedata", nothing, Unit::Other, 0},
      {"s_incperflevel", nothing, Unit::Other, 0},
      {"s_decperflevel", nothing, Unit::Other, 0},
      {"s_branch", branch, Unit::Branch, 0},
      {"s_cbranch_scc0", conditionalBranch, Unit::Branch, 0, R, 0, Scc0},
      {"s_cbranch_scc1", conditionalBranch, Unit::Branch, 0, R, 0, Scc1},
      {"s_cbranch_vccz", conditionalBranch, Unit::Branch, 0, R, ReadsVcc, VccZ},
      {"s_cbranch_vccnz", conditionalBranch, Unit::Branch, 0, R, ReadsVcc, VccNz},
      {"s_cbranch_execz", conditionalBranch, Unit::Branch, 0, R, 0, ExecZ},
      {"s_cbranch_execnz", conditionalBranch, Unit::Branch, 0, R, 0, ExecNz},
      {"s_cbranch_cdbgsys", conditionalBranch, Unit::Branch, 0, R, 0, Debug},
      {"s_cbranch_cdbguser", conditionalBranch, Unit::Branch, 0, R, 0, Debug},
      {"s_cbranch_cdbgsys_or_user", conditionalBranch, Unit::Branch, 0, R, 0, Debug},
      {"s_cbranch_cdbgsys_and_user", conditionalBranch, Unit::Branch, 0, R, 0, Debug},
      {"s_getpc_b64", getPc, Unit::Branch, 1},
      {"s_setpc_b64", setPc, Unit::Branch, 0},
      {"s_swappc_b64", swapPc, Unit::Branch, 1},
      {"s_call_b64", call, Unit::Branch, 1},
      {"s_set_gpr_idx_on", indexOn, Unit::Other, 0},
      {"s_set_gpr_idx_off", indexOff, Unit::Other, 0},
      {"s_set_gpr_idx_idx", indexValue, Unit::Salu, 0},
      {"s_set_gpr_idx_mode", indexMode, Unit::Other, 0},
      {"buffer_inv", orderMemory, Unit::Other, 0},
      // A write-back counts in vmcnt; it carries no data, so nothing waits for it here.
      {"buffer_wbl2", orderMemory, Unit::Other, 0},
  };
  return table;
}
