// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// s_getreg and s_setreg. The immediate is id | offset << 6 | (width - 1) << 11. Numbers and fields: LLVM's
// SIDefines.h, CDNA3 ISA manual sections 3.5 to 3.12, and the kernel driver's trap handler for GPR_ALLOC and
// LDS_ALLOC. What has no counterpart here has a fixed value: no exceptions, no trap handler, placement by the
// workgroup's number. Only MODE can be written; user code's writes to the others are dropped.

#include "Engine.h"

using namespace llvm;
using namespace lowp::sim;

namespace {
enum HardwareRegister {
  ModeId = 1,
  StatusId = 2,
  TrapStatusId = 3,
  HwIdId = 4,
  GprAllocId = 5,
  LdsAllocId = 6,
  InstructionBufferId = 7,
  MemoryBasesId = 15,
  XccIdId = 20,
};
} // namespace

/// SCC 0, USER_PRIO 4:3, EXECZ 9, VCCZ 10, IN_TG 11, VALID 16, SCRATCH_EN is left out.
static uint32_t status(const Engine &engine, const Wave &wave) {
  return uint32_t(wave.scc()) | uint32_t(wave.priority) << 3 | uint32_t(!wave.exec()) << 9 |
         uint32_t(!wave.pair(Vcc)) << 10 | uint32_t(engine.waves.size() > 1) << 11 | 1u << 16;
}

/// WAVE_ID 3:0, SIMD_ID 5:4, CU_ID 11:8, SE_ID 14:13: waves fill the four SIMDs in turn, the workgroups of an
/// XCD its 32 compute units.
static uint32_t placement(const Engine &engine, const Wave &wave) {
  uint32_t unit = engine.linearWorkgroup / 8 % 32;
  return wave.id / 4 % 16 | wave.id % 4 << 4 | unit % 8 << 8 | unit / 8 % 4 << 13;
}

/// LDS_BASE 8:0, LDS_SIZE 21:12, in units of 64 dwords.
static uint32_t ldsAllocation(const Engine &engine) { return (engine.lds.size() + 255) / 256 << 12; }

/// VM_CNT 23:22 and 3:0, LGKM_CNT 11:8: what has not been waited for.
static uint32_t counters(const Wave &wave) {
  uint32_t vm = std::min(wave.vmIssued - wave.vmDone, 63u),
           lgkm = std::min(wave.dsIssued - wave.dsDone + wave.smemIssued - wave.smemDone, 15u);
  return (vm & 15) | lgkm << 8 | vm >> 4 << 22;
}

static uint32_t valueOf(const Engine &engine, const Wave &wave, unsigned id) {
  switch (id) {
  case ModeId:
    return wave.mode;
  case StatusId:
    return status(engine, wave);
  case HwIdId:
    return placement(engine, wave);
  case GprAllocId:
    return wave.gprAlloc;
  case LdsAllocId:
    return ldsAllocation(engine);
  case InstructionBufferId:
    return counters(wave);
  case MemoryBasesId: // upper halves of the upper halves of the apertures: PRIVATE_BASE 15:0, SHARED_BASE
                      // 31:16
    return uint32_t(privateAperture >> 48) | uint32_t(sharedAperture >> 48) << 16;
  case XccIdId:
    return engine.xcd;
  default: // TRAPSTS, TBA, TMA, performance snapshots
    return 0;
  }
}

static uint32_t fieldMask(uint32_t simm) { return uint32_t((uint64_t(1) << ((simm >> 11 & 31) + 1)) - 1); }

static void getRegister(Engine &engine, Wave &wave, const Inst &inst) {
  wave.s[inst.dst.reg] =
      valueOf(engine, wave, inst.simm & 63) >> (inst.simm >> 6 & 31) & fieldMask(inst.simm);
}

static void setRegister(Engine &, Wave &wave, const Inst &inst) {
  if ((inst.simm & 63) != ModeId)
    return;
  uint32_t value = inst.src[0].isSgpr() ? wave.s[inst.src[0].reg] : uint32_t(inst.src[0].imm);
  unsigned offset = inst.simm >> 6 & 31;
  uint32_t mask = fieldMask(inst.simm) << offset;
  wave.setMode((wave.mode & ~mask) | (value << offset & mask));
}

ArrayRef<OpEntry> lowp::sim::hardwareRegisterOps() {
  static const OpEntry table[] = {
      {"s_getreg_b32", getRegister, Unit::Other, 1},
      {"s_setreg_b32", setRegister, Unit::Other, 0},
      {"s_setreg_imm32_b32", setRegister, Unit::Other, 0},
  };
  return table;
}
