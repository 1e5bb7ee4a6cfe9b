// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public face: load and decode once, run launches, gather counters and findings of all threads.

#include "lowp/Sim/Simulator.h"
#include "Scheduler.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

struct Simulator::Impl {
  HsaCodeObject object;
  Program program;
  std::vector<uint8_t> image;
};

Simulator::Simulator(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Simulator::~Simulator() = default;

const HsaCodeObject &Simulator::codeObject() const { return impl->object; }

Expected<std::unique_ptr<Simulator>> Simulator::create(MemoryBufferRef codeObject) {
  Expected<HsaCodeObject> object = HsaCodeObject::create(codeObject);
  if (!object)
    return object.takeError();
  Expected<Program> program = decodeProgram(*object);
  if (!program)
    return program.takeError();
  auto impl = std::make_unique<Impl>();
  impl->image = object->imageAt(imageBase);
  impl->object = std::move(*object);
  impl->program = std::move(*program);
  return std::unique_ptr<Simulator>(new Simulator(std::move(impl)));
}

/// The counter that an instruction belongs to.
static void addClass(Counters &counters, const Inst &inst, uint64_t n) {
  switch (inst.op->unit) {
  case Unit::Salu:
    counters.salu += n;
    break;
  case Unit::Valu:
    counters.valu += n;
    break;
  case Unit::Trans:
    counters.trans += n;
    break;
  case Unit::Mfma:
    counters.mfma += n;
    counters.mfmaCycles += n * inst.passes * 4;
    break;
  case Unit::Smem:
    counters.smem += n;
    break;
  case Unit::VmemLoad:
    (inst.lds ? counters.ldsDma : counters.vmemLoads) += n;
    break;
  case Unit::VmemStore:
    counters.vmemStores += n;
    break;
  case Unit::Atomic:
    counters.atomics += n;
    break;
  case Unit::Flat:
    (inst.vwrites.empty() ? counters.vmemStores : counters.vmemLoads) += n;
    break;
  case Unit::Scratch:
    counters.scratch += n;
    break;
  case Unit::DsRead:
  case Unit::DsLane:
    counters.ldsReads += n;
    break;
  case Unit::DsWrite:
    counters.ldsWrites += n;
    break;
  case Unit::Branch:
    counters.branches += n;
    break;
  case Unit::Wait:
    counters.waits += n;
    break;
  case Unit::Barrier:
    counters.barriers += n;
    break;
  case Unit::Other:
    break;
  }
}

static Counters gatherCounters(const Program &program, ArrayRef<std::unique_ptr<Engine>> engines) {
  Counters counters;
  for (const auto &engine : engines) {
    counters.workgroups += engine->workgroups;
    counters.waves += engine->waveCount;
    counters.maskedBufferLanes += engine->maskedBufferLanes;
    counters.globalBytesRead += engine->bytesRead;
    counters.globalBytesWritten += engine->bytesWritten;
    counters.maxVmInFlight = std::max(counters.maxVmInFlight, engine->maxVmInFlight);
  }
  for (size_t i = 0; i < program.insts.size(); ++i) {
    PcCount count;
    for (const auto &engine : engines) {
      count.executions += engine->counts[i];
      count.conflictCycles += engine->conflictCycles[i];
    }
    if (!count.executions)
      continue;
    const Inst &inst = program.insts[i];
    count.pc = inst.pc;
    count.disassembly = program.texts[i];
    counters.instructions += count.executions;
    counters.ldsConflictCycles += count.conflictCycles;
    addClass(counters, inst, count.executions);
    counters.byMnemonic[inst.op->name] += count.executions;
    counters.byPc.push_back(std::move(count));
  }
  return counters;
}

/// Registers that executed instructions name and the descriptor does not allocate.
static void checkAllocation(const Program &program, const KernelInfo &kernel, const Counters &counters,
                            std::vector<Finding> &findings) {
  unsigned total = kernel.allocatedRegisters(), arch = std::min(kernel.accumOffset(), total),
           acc = total - arch;
  for (const PcCount &count : counters.byPc) {
    const Inst &inst = program.insts[program.indexOf(count.pc)];
    if (inst.topArch <= arch && inst.topAcc <= acc)
      continue;
    Finding finding;
    finding.kind = name(FindingKind::RegisterBeyondAllocation);
    finding.message = inst.topArch > arch
                          ? "names v" + std::to_string(inst.topArch - 1) + ", but the kernel has " +
                                std::to_string(arch) + " vector registers"
                          : "names a" + std::to_string(inst.topAcc - 1) + ", but the kernel has " +
                                std::to_string(acc) + " accumulation registers";
    finding.kernel = kernel.name;
    finding.pc = count.pc;
    finding.disassembly = count.disassembly;
    finding.lanes = ~uint64_t(0);
    finding.count = count.executions;
    findings.push_back(std::move(finding));
  }
}

static std::vector<Finding> gatherFindings(ArrayRef<std::unique_ptr<Engine>> engines) {
  std::map<std::pair<uint64_t, FindingKind>, Engine::Found> merged;
  for (const auto &engine : engines)
    for (const auto &[key, found] : engine->findings) {
      auto [it, fresh] = merged.insert({key, found});
      if (fresh)
        continue;
      uint64_t count = it->second.finding.count + found.finding.count;
      if (found.linearWorkgroup < it->second.linearWorkgroup)
        it->second = found;
      it->second.finding.count = count;
    }
  std::vector<Finding> findings;
  for (auto &[key, found] : merged)
    findings.push_back(std::move(found.finding));
  return findings;
}

Expected<Report> Simulator::run(const LaunchConfig &launch, ArrayRef<Buffer> buffers,
                                const Options &options) {
  auto dispatch = Dispatch::create(impl->object, impl->program, impl->image, launch, buffers);
  if (!dispatch)
    return dispatch.takeError();
  auto start = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Engine>> engines;
  const KernelInfo &kernel = (*dispatch)->kernel();
  Report report;
  report.completed = runAll(**dispatch, impl->program, options, kernel.name, engines);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.counters = gatherCounters(impl->program, engines);
  report.findings = gatherFindings(engines);
  if (options.checks)
    checkAllocation(impl->program, kernel, report.counters, report.findings);
  return report;
}

std::string Finding::text() const {
  std::string text = kernel + ": " + kind + " at 0x" + utohexstr(pc, true) + " (" + disassembly +
                     "), workgroup " + std::to_string(workgroup[0]) + "," + std::to_string(workgroup[1]) +
                     "," + std::to_string(workgroup[2]) + " wave " + std::to_string(wave) + " lanes 0x" +
                     utohexstr(lanes, true) + ": " + message;
  if (count > 1)
    text += " (" + std::to_string(count) + " times)";
  return text;
}

json::Value Report::toJSON() const {
  json::Array list;
  for (const Finding &finding : findings)
    list.push_back(json::Object{
        {"kind", finding.kind},
        {"message", finding.message},
        {"kernel", finding.kernel},
        {"pc", int64_t(finding.pc)},
        {"disassembly", finding.disassembly},
        {"workgroup", json::Array{finding.workgroup[0], finding.workgroup[1], finding.workgroup[2]}},
        {"wave", finding.wave},
        {"lanes", "0x" + utohexstr(finding.lanes, true)},
        {"count", int64_t(finding.count)}});
  json::Object mnemonics;
  for (const auto &[name, count] : counters.byMnemonic)
    mnemonics[name] = int64_t(count);
  json::Array places;
  for (const PcCount &count : counters.byPc)
    places.push_back(json::Object{{"pc", int64_t(count.pc)},
                                  {"executions", int64_t(count.executions)},
                                  {"conflict_cycles", int64_t(count.conflictCycles)},
                                  {"disassembly", count.disassembly}});
  auto number = [](uint64_t x) { return json::Value(int64_t(x)); };
  return json::Object{{"completed", completed},
                      {"seconds", seconds},
                      {"findings", std::move(list)},
                      {"counters", json::Object{{"workgroups", number(counters.workgroups)},
                                                {"waves", number(counters.waves)},
                                                {"instructions", number(counters.instructions)},
                                                {"mfma", number(counters.mfma)},
                                                {"mfma_cycles", number(counters.mfmaCycles)},
                                                {"valu", number(counters.valu)},
                                                {"trans", number(counters.trans)},
                                                {"salu", number(counters.salu)},
                                                {"smem", number(counters.smem)},
                                                {"branches", number(counters.branches)},
                                                {"waits", number(counters.waits)},
                                                {"barriers", number(counters.barriers)},
                                                {"vmem_loads", number(counters.vmemLoads)},
                                                {"vmem_stores", number(counters.vmemStores)},
                                                {"lds_dma", number(counters.ldsDma)},
                                                {"atomics", number(counters.atomics)},
                                                {"scratch", number(counters.scratch)},
                                                {"lds_reads", number(counters.ldsReads)},
                                                {"lds_writes", number(counters.ldsWrites)},
                                                {"lds_conflict_cycles", number(counters.ldsConflictCycles)},
                                                {"masked_buffer_lanes", number(counters.maskedBufferLanes)},
                                                {"global_bytes_read", number(counters.globalBytesRead)},
                                                {"global_bytes_written", number(counters.globalBytesWritten)},
                                                {"max_vm_in_flight", number(counters.maxVmInFlight)}}},
                      {"by_mnemonic", std::move(mnemonics)},
                      {"by_pc", std::move(places)}};
}
