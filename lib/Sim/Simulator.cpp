// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public face: load and decode once, run launches, gather counters and findings of all threads.

#include "lowp/Sim/Simulator.h"
#include "Counters.h"
#include "Scheduler.h"
#include "lowp/CodeObject/CrashGuard.h"
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
  // LLVM's readers and its disassembler trust their input more than files of unknown origin deserve.
  auto impl = std::make_unique<Impl>();
  bool crashed = false;
  Error error = runGuarded("reading the code object", crashed, [&]() -> Error {
    if (Error broken = HsaCodeObject::create(codeObject).moveInto(impl->object))
      return broken;
    if (Error broken = decodeProgram(impl->object).moveInto(impl->program))
      return broken;
    impl->image = impl->object.imageAt(imageBase);
    return Error::success();
  });
  if (crashed)
    (void)impl.release(); // in any state
  if (error)
    return std::move(error);
  return std::unique_ptr<Simulator>(new Simulator(std::move(impl)));
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

/// Whether the sums of the program's matrix instructions follow a published rule.
static Error checkRule(const Program &program, StringRef chip) {
  for (size_t i = 0; i < program.insts.size(); ++i) {
    const Inst &inst = program.insts[i];
    if (!inst.op || inst.op->unit != Unit::Mfma || (program.chip.mfmaRule && mfmaRulePublished(inst)))
      continue;
    return createStringError(inconvertibleErrorCode(),
                             "'" + program.texts[i] + "': no bit-exact rule of its sums on " + chip +
                                 " is public; run it with exact or fast sums instead");
  }
  return Error::success();
}

Expected<Report> Simulator::run(const LaunchConfig &launch, ArrayRef<Buffer> buffers,
                                const Options &options) {
  if (options.mfma == MfmaMode::Cdna3)
    if (Error error = checkRule(impl->program, impl->object.chip()))
      return std::move(error);
  auto dispatch =
      Dispatch::create(impl->object, impl->program, impl->image, launch, buffers, options.preloadArguments);
  if (!dispatch)
    return dispatch.takeError();
  auto start = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Engine>> engines;
  const KernelInfo &kernel = (*dispatch)->kernel();
  Report report;
  report.reason = runAll(**dispatch, impl->program, options, kernel.name, engines);
  report.completed = report.reason.empty();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.launch = launchFacts(**dispatch, impl->program, impl->object.chip(), launch);
  report.counters = gatherCounters(impl->program, engines, buffers, (*dispatch)->firstBuffer);
  report.code = listCode(impl->object, impl->program, report.counters);
  report.findings = gatherFindings(engines);
  llvm::append_range(report.findings,
                     findWorkgroupConflicts(**dispatch, impl->program, kernel.name, engines));
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
