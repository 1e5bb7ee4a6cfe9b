// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel may not do, seen operand by operand: use a register that holds nothing or whose load has not
// been waited for, overtake another wave in shared memory. Waits follow the CDNA4 ISA manual sections 4.4
// and 10.2: vector memory and LDS operations return in order each, scalar loads in any order, so only
// lgkmcnt(0) waits for them.
//
// Not findings: stores that a buffer's range check drops, by which kernels mask lanes on purpose (counted);
// waves that wait at different s_barrier instructions, or end before others reach one, as the hardware only
// counts arrivals (Engine::divergentBarriers); parts of masks of lanes that nobody set.

#include "Engine.h"

using namespace llvm;
using namespace lowp::sim;

const char *lowp::sim::name(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBounds:
    return "out-of-bounds";
  case FindingKind::ReadOnlyStore:
    return "read-only-store";
  case FindingKind::LdsOutOfBounds:
    return "lds-out-of-bounds";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::UninitialisedRegister:
    return "uninitialised-register";
  case FindingKind::UninitialisedMemory:
    return "uninitialised-memory";
  case FindingKind::MissingWait:
    return "missing-wait";
  case FindingKind::LdsRace:
    return "lds-race";
  case FindingKind::WorkgroupConflict:
    return "workgroup-conflict";
  case FindingKind::BarrierWithoutWait:
    return "barrier-without-wait";
  case FindingKind::WaitStates:
    return "wait-states";
  case FindingKind::RegisterBeyondAllocation:
    return "register-beyond-allocation";
  case FindingKind::PartialExec:
    return "partial-exec";
  case FindingKind::BadControlFlow:
    return "bad-control-flow";
  case FindingKind::Trap:
    return "trap";
  case FindingKind::Limit:
    return "instruction-limit";
  case FindingKind::TimeLimit:
    return "time-limit";
  case FindingKind::Deadlock:
    return "deadlock";
  }
  return "unknown";
}

void Engine::report(FindingKind kind, const Wave &wave, const Inst &inst, uint64_t lanes,
                    function_ref<std::string()> message) {
  Found &found = findings[{inst.pc, kind}];
  // The first one of the lowest workgroup is described, in whatever order workgroups take their turns.
  if (found.finding.count++ && linearWorkgroup >= found.linearWorkgroup)
    return;
  Finding &finding = found.finding;
  found.linearWorkgroup = linearWorkgroup;
  finding.kind = name(kind);
  finding.message = message();
  finding.kernel = kernelName;
  finding.pc = inst.pc;
  finding.disassembly = program.texts[indexOf(inst)];
  for (unsigned i = 0; i < 3; ++i)
    finding.workgroup[i] = workgroup[i];
  finding.wave = wave.id;
  finding.lanes = lanes;
}

static std::string vectorName(unsigned reg) {
  return (reg >= firstAcc ? "a" : "v") + std::to_string(reg >= firstAcc ? reg - firstAcc : reg);
}

static std::string scalarName(unsigned reg) {
  switch (reg) {
  case Vcc:
  case Vcc + 1:
    return "vcc";
  case ExecReg:
  case ExecReg + 1:
    return "exec";
  case M0:
    return "m0";
  case Scc:
    return "scc";
  default:
    return "s" + std::to_string(reg);
  }
}

static void checkVectorArrived(Engine &engine, Wave &wave, const Inst &inst, unsigned reg, const char *use) {
  VectorState &state = wave.vs[reg];
  if (state.vmSeq > wave.vmDone) {
    engine.report(FindingKind::MissingWait, wave, inst, wave.exec(), [&] {
      return std::string(use) + " " + vectorName(reg) + " before s_waitcnt vmcnt(" +
             std::to_string(wave.vmIssued - state.vmSeq) + ") for the load that writes it";
    });
    state.vmSeq = 0;
  }
  if (state.dsSeq > wave.dsDone) {
    engine.report(FindingKind::MissingWait, wave, inst, wave.exec(), [&] {
      return std::string(use) + " " + vectorName(reg) + " before s_waitcnt lgkmcnt(" +
             std::to_string(wave.dsIssued - state.dsSeq) + ") for the LDS read that writes it";
    });
    state.dsSeq = 0;
  }
}

/// Whether vector source range number `index` may hold undefined lanes without a finding here.
static bool toleratesUndefined(const Inst &inst, unsigned index) {
  const OpEntry &op = *inst.op;
  switch (op.undefined) {
  case Undefined::Report:
    return false;
  case Undefined::Ignore:
    // Memory operations: addresses must be defined, data may be anything where the memory remembers that.
    if (op.unit == Unit::DsWrite)
      return index > 0;
    if (op.unit == Unit::Scratch)
      return inst.src[0].kind == Operand::Vgpr ? index > 0 : true;
    return true;
  default:
    return true;
  }
}

static void checkVectorReads(Engine &engine, Wave &wave, const Inst &inst) {
  bool matrix = inst.op->unit == Unit::Mfma;
  uint64_t exec = matrix ? ~uint64_t(0) : wave.exec();
  for (unsigned index = 0; index < inst.vreads.size(); ++index) {
    const RegRange &range = inst.vreads[index];
    bool tolerant = toleratesUndefined(inst, index);
    for (unsigned reg = range.reg; reg < unsigned(range.reg + range.count); ++reg) {
      if (!wave.unsettled.contains(reg))
        continue;
      VectorState &state = wave.vs[reg];
      if (state.vmSeq > wave.vmDone || state.dsSeq > wave.dsDone)
        checkVectorArrived(engine, wave, inst, reg, "reads");
      if (!tolerant && (exec & ~state.valid)) {
        engine.report(FindingKind::UninitialisedRegister, wave, inst, exec & ~state.valid, [&] {
          return "uses " + vectorName(reg) + ", which holds no defined value in these lanes";
        });
        state.valid |= exec;
      }
      if (state.valid == ~uint64_t(0) && state.vmSeq <= wave.vmDone && state.dsSeq <= wave.dsDone)
        wave.unsettled.erase(reg);
    }
  }
}

static void checkScalarReads(Engine &engine, Wave &wave, const Inst &inst) {
  // What is moved may be undefined, which lane it is must not.
  bool selectsLane = (inst.op->flags & LaneCrossing) && inst.dst.isSgpr();
  bool tolerant = inst.op->undefined != Undefined::Report && !selectsLane &&
                  (inst.op->unit == Unit::Salu || inst.op->unit == Unit::Valu);
  for (const RegRange &range : inst.sreads)
    for (unsigned reg = range.reg; reg < unsigned(range.reg + range.count); ++reg) {
      if (!wave.unsettled.contains(RegisterSet::scalar(reg)))
        continue;
      ScalarState &state = wave.ss[reg];
      if (state.smemSeq > wave.smemDone) {
        engine.report(FindingKind::MissingWait, wave, inst, wave.exec(), [&] {
          return "reads " + scalarName(reg) +
                 " before s_waitcnt lgkmcnt(0) for the scalar load that writes it";
        });
        state.smemSeq = 0;
      }
      if (!state.valid && (!tolerant || reg == Scc)) {
        engine.report(FindingKind::UninitialisedRegister, wave, inst, wave.exec(),
                      [&] { return "uses " + scalarName(reg) + ", which holds no defined value"; });
        state.valid = true;
      }
      if (state.valid && state.smemSeq <= wave.smemDone)
        wave.unsettled.erase(RegisterSet::scalar(reg));
    }
}

/// The lanes in which dword `dword` of the result is defined.
static uint64_t resultLanes(const Wave &wave, const Inst &inst, unsigned dword) {
  uint64_t lanes = ~uint64_t(0);
  for (unsigned k = 0; k < inst.sources; ++k) {
    const Operand &source = inst.src[k];
    unsigned first = 0, last = source.count - 1;
    if (inst.op->undefined == Undefined::PerDword && source.count > 1)
      first = last = std::min<unsigned>(dword, last);
    else if (inst.op->undefined == Undefined::Upward)
      last = std::min(dword, last);
    for (unsigned i = first; i <= last; ++i) {
      if (source.isVgpr())
        lanes &= wave.vs[source.reg + i].valid;
      else if (source.isSgpr() && !wave.ss[source.reg + i].valid)
        lanes = 0;
    }
  }
  return lanes;
}

static void noteWrites(Engine &engine, Wave &wave, const Inst &inst) {
  const OpEntry &op = *inst.op;
  uint64_t exec = op.unit == Unit::Mfma ? ~uint64_t(0) : wave.exec();
  bool merges = op.undefined != Undefined::Report && op.undefined != Undefined::Ignore;
  bool vmResult = op.unit == Unit::VmemLoad || op.unit == Unit::Atomic || op.unit == Unit::Flat ||
                  (op.unit == Unit::Scratch && !inst.vwrites.empty());
  bool dsResult = op.unit == Unit::DsRead || op.unit == Unit::DsLane || op.unit == Unit::Flat;
  bool final = !inst.lateResult && op.undefined != Undefined::Ignore; // the handler has nothing to add
  for (const RegRange &range : inst.vwrites)
    for (unsigned i = 0; i < range.count; ++i) {
      unsigned reg = range.reg + i;
      if (final && !merges && !wave.unsettled.contains(reg))
        continue;
      VectorState &state = wave.vs[reg];
      // Loads of one kind return in order, so only other writers can be overtaken.
      if ((state.vmSeq > wave.vmDone && !vmResult) || (state.dsSeq > wave.dsDone && !dsResult))
        checkVectorArrived(engine, wave, inst, reg, "overwrites");
      state.vmSeq = state.dsSeq = 0;
      if (vmResult)
        state.vmSeq = wave.vmIssued + 1;
      if (dsResult)
        state.dsSeq = wave.dsIssued + 1;
      if (op.flags & WholeDst)
        continue;
      if (merges) {
        uint64_t defined = resultLanes(wave, inst, i);
        state.valid = (state.valid & ~exec) | (defined & exec);
      } else {
        state.valid |= exec;
      }
      wave.unsettled.set(reg, !final || state.valid != ~uint64_t(0));
    }
  for (const RegRange &range : inst.swrites)
    for (unsigned i = 0; i < range.count; ++i) {
      unsigned reg = range.reg + i;
      ScalarState &state = wave.ss[reg];
      if (state.smemSeq > wave.smemDone && op.unit != Unit::Smem)
        engine.report(FindingKind::MissingWait, wave, inst, wave.exec(), [&] {
          return "overwrites " + scalarName(reg) + " while a scalar load to it is under way";
        });
      state.smemSeq = op.unit == Unit::Smem ? wave.smemIssued + 1 : 0;
      // SCC depends on every dword of the result.
      state.valid = !merges || op.unit != Unit::Salu || (resultLanes(wave, inst, reg == Scc ? ~0u : i) & 1);
      wave.unsettled.set(RegisterSet::scalar(reg), !final || !state.valid);
    }
  if (op.flags & WholeDst) // may move what is undefined to its sources, too
    wave.unsettled.insertAll(inst.registers);
}

void lowp::sim::checkBefore(Engine &engine, Wave &wave, const Inst &inst) {
  const OpEntry &op = *inst.op;
  ++wave.clock;
  // What reads and writes settled registers leaves them as they are.
  bool settled = !inst.lateResult && !wave.unsettled.meets(inst.registers);
  if (!settled) {
    checkVectorReads(engine, wave, inst);
    checkScalarReads(engine, wave, inst);
  }
  checkHazards(engine, wave, inst);
  if (op.unit == Unit::Mfma && wave.exec() != ~uint64_t(0))
    engine.report(FindingKind::PartialExec, wave, inst, ~wave.exec(),
                  [] { return "a matrix instruction ignores EXEC, but lanes are inactive"; });
  if (!settled)
    noteWrites(engine, wave, inst);
  noteHazards(engine, wave, inst);
}

void lowp::sim::noteIssue(Engine &engine, Wave &wave, const Inst &inst) {
  auto issueDs = [&] { wave.dsOps[++wave.dsIssued & 63] = &inst; };
  switch (inst.op->unit) {
  case Unit::Flat:
    issueDs();
    [[fallthrough]];
  case Unit::VmemLoad:
  case Unit::VmemStore:
  case Unit::Atomic:
  case Unit::Scratch:
    engine.traffic.begin(engine.indexOf(inst));
    engine.progress += inst.lds || inst.op->unit == Unit::VmemStore;
    wave.vmOps[++wave.vmIssued & 63] = &inst;
    if (inst.op->unit == Unit::VmemStore && !wave.stores.empty()) {
      wave.stores[wave.vmIssued & 63].begin(wave.vmIssued, inst);
      wave.lastStore = wave.vmIssued;
    }
    if (wave.vmIssued - wave.vmDone > 63) // the counter's width: issue stalls
      waitFor(engine, wave, 63, 15);
    engine.maxVmInFlight = std::max(engine.maxVmInFlight, wave.vmIssued - wave.vmDone);
    break;
  case Unit::DsWrite:
    ++engine.progress;
    wave.lastDsWrite = wave.dsIssued + 1;
    issueDs();
    break;
  case Unit::DsRead:
  case Unit::DsLane:
    issueDs();
    break;
  case Unit::Smem:
    engine.traffic.begin(engine.indexOf(inst));
    ++wave.smemIssued;
    wave.lastSmem = &inst;
    break;
  case Unit::Mfma:
    ++engine.progress;
    break;
  default:
    break;
  }
}

void lowp::sim::noteWait(Engine &engine, Wave &wave, const Inst &inst, unsigned vm, unsigned lgkm) {
  const Inst *producer = nullptr;
  if (vm < 63 && wave.vmIssued - wave.vmDone > vm)
    producer = wave.vmOps[(wave.vmIssued - vm) & 63];
  else if (lgkm < 15 && wave.dsIssued - wave.dsDone > lgkm)
    producer = wave.dsOps[(wave.dsIssued - lgkm) & 63];
  else if (lgkm < 15 && wave.smemIssued - wave.smemDone > lgkm)
    producer = wave.lastSmem;
  if (producer)
    engine.waitCounts[engine.indexOf(inst)].add(1, producer, engine.linearWorkgroup);
}

static void land(Engine &engine, Wave &wave, const DirectCopy &copy) {
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(copy.lanes >> lane & 1))
      continue;
    uint32_t address = copy.ldsBase + lane * copy.laneStride;
    if (!engine.lds.fits(address, copy.bytes))
      continue;
    if (engine.checking()) {
      for (uint32_t a = address; a < address + copy.bytes; a += 4)
        if (uint8_t &pending = engine.lds.cell(a).pendingCopies)
          --pending;
      checkLdsWrite(engine, wave, *copy.inst, lane, address, copy.bytes, copy.defined >> lane & 1);
    }
    std::memcpy(engine.lds.at(address), copy.data[lane], copy.bytes);
  }
}

void lowp::sim::waitFor(Engine &engine, Wave &wave, unsigned vm, unsigned lgkm) {
  if (vm < 63 || wave.vmIssued - wave.vmDone > 63) {
    if (wave.vmIssued > vm && wave.vmIssued - vm > wave.vmDone)
      wave.vmDone = wave.vmIssued - vm;
    while (!wave.copies.empty() && wave.copies.front().seq <= wave.vmDone) {
      land(engine, wave, wave.copies.front());
      wave.copies.pop_front();
    }
  }
  if (lgkm < 15 && wave.dsIssued > lgkm && wave.dsIssued - lgkm > wave.dsDone)
    wave.dsDone = wave.dsIssued - lgkm;
  if (lgkm == 0)
    wave.smemDone = wave.smemIssued;
}

void lowp::sim::checkBarrier(Engine &engine, Wave &wave, const Inst &inst) {
  wave.vmDoneAtBarrier = wave.vmDone;
  wave.vmIssuedAtBarrier = wave.vmIssued;
  if (wave.lastDsWrite > wave.dsDone)
    engine.report(FindingKind::BarrierWithoutWait, wave, inst, wave.exec(), [&] {
      return "reaches the barrier with an LDS write under way (s_waitcnt lgkmcnt(" +
             std::to_string(wave.dsIssued - wave.lastDsWrite) + ") is missing)";
    });
}

static std::string ldsPlace(uint32_t address) { return "LDS byte " + std::to_string(address); }

static std::string readByAnother(const Engine &engine) {
  return std::string(", which another wave read since the last barrier") +
         (engine.lds.carried ? ", or before it without s_waitcnt lgkmcnt for the read" : "");
}

void lowp::sim::reportLdsRead(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t a,
                              unsigned mask) {
  const LdsCell &cell = engine.lds.cell(a);
  if (!cell.pendingCopies && !engine.lds.conflictsInBytes(cell, a, mask, wave.id, /*write=*/false))
    return;
  engine.report(FindingKind::LdsRace, wave, inst, uint64_t(1) << lane, [&] {
    if (cell.pendingCopies)
      return "reads " + ldsPlace(a) +
             ", to which a copy from global memory is under way (s_waitcnt vmcnt, and a " +
             "barrier for other waves)";
    return "reads " + ldsPlace(a) + ", which wave " + std::to_string(cell.writerAndBytes & 15) +
           " wrote since the last barrier";
  });
}

void lowp::sim::reportLdsWrite(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t a,
                               unsigned mask) {
  const LdsCell &cell = engine.lds.cell(a);
  if (!cell.pendingCopies && !engine.lds.conflictsInBytes(cell, a, mask, wave.id, /*write=*/true))
    return;
  engine.report(FindingKind::LdsRace, wave, inst, uint64_t(1) << lane, [&] {
    if (cell.pendingCopies)
      return "writes " + ldsPlace(a) + ", to which a copy from global memory is under way";
    if (cell.writeEpoch == engine.lds.epoch && (cell.writerAndBytes & 15) != wave.id)
      return "writes " + ldsPlace(a) + ", which wave " + std::to_string(cell.writerAndBytes & 15) +
             " wrote since the last barrier";
    return "writes " + ldsPlace(a) + readByAnother(engine);
  });
}

void lowp::sim::issueDirectCopy(Engine &engine, Wave &wave, DirectCopy copy) {
  copy.seq = wave.vmIssued;
  for (unsigned lane = 0; lane < 64; ++lane) {
    uint32_t address = copy.ldsBase + lane * copy.laneStride;
    if (!engine.checking() || !(copy.lanes >> lane & 1) || !engine.lds.fits(address, copy.bytes))
      continue;
    engine.lds.touch(address, copy.bytes, /*change=*/true);
    engine.lds.undefine(address, copy.bytes);
    for (uint32_t a = address; a < address + copy.bytes; a += 4) {
      LdsCell &cell = engine.lds.cell(a);
      if (cell.readEpoch == engine.lds.epoch && (cell.readers & ~(1u << wave.id)))
        engine.report(FindingKind::LdsRace, wave, *copy.inst, uint64_t(1) << lane,
                      [&] { return "copies to " + ldsPlace(a) + readByAnother(engine); });
      if (cell.pendingCopies < 255)
        ++cell.pendingCopies;
    }
  }
  wave.copies.push_back(std::move(copy));
}
