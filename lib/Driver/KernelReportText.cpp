// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report for people, and the JSON for programs. One list of kinds makes both.

#include "lowp/Driver/KernelReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace lowp;
using sim::InstructionKind;

namespace {

struct KindName {
  InstructionKind kind;
  llvm::StringLiteral text, key;
};

} // namespace

/// In the order of the report.
static constexpr KindName kindNames[] = {
    {InstructionKind::Matrix, "matrix", "matrix"},
    {InstructionKind::LdsRead, "LDS reads", "lds_reads"},
    {InstructionKind::LdsWrite, "LDS writes", "lds_writes"},
    {InstructionKind::LdsDma, "copies to LDS", "lds_dma"},
    {InstructionKind::VmemLoad, "loads", "vmem_loads"},
    {InstructionKind::VmemStore, "stores", "vmem_stores"},
    {InstructionKind::Atomic, "atomics", "atomics"},
    {InstructionKind::Valu, "vector ALU", "valu"},
    {InstructionKind::Transcendental, "transcendental", "transcendental"},
    {InstructionKind::AccumulatorCopy, "v_accvgpr", "accvgpr_copies"},
    {InstructionKind::Salu, "scalar ALU", "salu"},
    {InstructionKind::Smem, "scalar loads", "smem"},
    {InstructionKind::Branch, "branches", "branches"},
    {InstructionKind::Wait, "waits", "waits"},
    {InstructionKind::Barrier, "barriers", "barriers"},
    {InstructionKind::Nop, "s_nop", "nops"},
    {InstructionKind::Scratch, "scratch", "scratch"},
    {InstructionKind::Other, "other", "other"},
};
static_assert(std::size(kindNames) == sim::numInstructionKinds);

/// " vmcnt(8) 2 times, vmcnt(4) once", the longest wait first.
static std::string waitsText(const LoopCounts &loop) {
  std::string text;
  for (auto [name, waits] : {std::pair("vmcnt", &loop.vmcnt), std::pair("lgkmcnt", &loop.lgkmcnt)})
    for (auto [value, times] : *waits)
      text += (text.empty() ? "" : ", ") + std::string(name) + "(" + std::to_string(value) + ") " +
              (times == 1 ? "once" : std::to_string(times) + " times");
  return text.empty() ? "none" : text;
}

std::string KernelReport::text() const {
  std::string result;
  llvm::raw_string_ostream os(result);
  auto row = [&](llvm::StringRef name) -> llvm::raw_ostream & {
    return os << "  " << llvm::left_justify(name, 16);
  };
  os << "kernel " << kernel << " on " << target << ": entry '" << entry << "', variant '" << variant << "'\n";
  row("registers") << vgprs << " VGPRs, " << agprs << " AGPRs, " << resources.sgprs << " SGPRs; "
                   << vgprSpills << " and " << sgprSpills << " spilled, " << resources.scratch
                   << " bytes of scratch\n";
  row("LDS") << resources.lds << " bytes";
  if (readConflicts && writeConflicts)
    os << "; bank conflicts: " << *readConflicts << " extra clocks a read, " << *writeConflicts << " a write";
  os << "\n";
  row("occupancy") << resources.wavesPerSimd << " waves on a SIMD, limited by " << resources.limit()
                   << " (registers allow " << resources.wavesByRegisters << ", LDS " << resources.wavesByLds
                   << "); " << resources.wavesPerWorkgroup << " waves in a workgroup\n";
  if (!loop) {
    row("hot loop") << "none: no loop has matrix instructions\n";
  } else {
    row("hot loop") << "0x" << llvm::utohexstr(loop->first, true) << " to 0x"
                    << llvm::utohexstr(loop->last, true) << ", depth " << loop->depth
                    << "; of one wave and trip:\n";
    for (const KindName &kind : kindNames)
      if (unsigned count = loop->of(kind.kind))
        row("  " + kind.text.str()) << llvm::right_justify(std::to_string(count), 5) << "\n";
    row("  in all") << llvm::right_justify(std::to_string(loop->instructions), 5) << "\n";
    row("longest run") << loop->longestRun << " instructions without a matrix instruction\n";
    row("waits") << waitsText(*loop) << "\n";
    row("wait states") << loop->waitStates << " of s_nop\n";
    row("clocks") << matrixClocks() << " matrix core, " << valuClocks() << " vector ALU of a SIMD, "
                  << ldsClocks() << " LDS; matrix " << llvm::format("%.0f", 100 * matrixShare())
                  << " % of the busiest\n";
    row("overhead") << llvm::format("%.1f", loop->overhead())
                    << " instructions other than matrix ones for 2^20 multiply-adds\n";
  }
  if (const LoadCounts *counts = loads(); counts && counts->bytes)
    row("from memory") << counts->bytes << " bytes a wave" << (loop ? " and trip" : "") << ", "
                       << llvm::format("%.1f", counts->instructionsPerKiB())
                       << " instructions a KiB; in flight at waits at " << (loop ? "least " : "most ")
                       << counts->inFlight << " a wave, " << counts->inFlight * resources.wavesPerWorkgroup
                       << " a workgroup, " << counts->inFlight * wavesOnUnit() << " a compute unit\n";
  for (const std::string &line : advice())
    os << "  " << (place.empty() ? "" : place + ": ") << "advice: " << line << "\n";
  return result;
}

static llvm::json::Object waitsJSON(const std::map<unsigned, unsigned> &waits) {
  llvm::json::Object object;
  for (auto [value, times] : waits)
    object[std::to_string(value)] = times;
  return object;
}

llvm::json::Value KernelReport::toJSON() const {
  llvm::json::Value loopJSON = nullptr;
  if (loop) {
    llvm::json::Object kinds;
    for (const KindName &kind : kindNames)
      kinds[kind.key] = loop->of(kind.kind);
    loopJSON = llvm::json::Object{{"first", loop->first},
                                  {"last", loop->last},
                                  {"depth", loop->depth},
                                  {"instructions", loop->instructions},
                                  {"by_kind", std::move(kinds)},
                                  {"longest_run", loop->longestRun},
                                  {"wait_states", loop->waitStates},
                                  {"vmcnt", waitsJSON(loop->vmcnt)},
                                  {"lgkmcnt", waitsJSON(loop->lgkmcnt)},
                                  {"matrix_clocks", matrixClocks()},
                                  {"valu_clocks", valuClocks()},
                                  {"lds_clocks", ldsClocks()},
                                  {"matrix_share", matrixShare()},
                                  {"multiply_adds", loop->multiplyAdds},
                                  {"other_per_2_20_multiply_adds", loop->overhead()}};
  }
  auto known = [](std::optional<unsigned> value) {
    return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
  };
  llvm::json::Value loadsJSON = nullptr;
  if (const LoadCounts *counts = loads())
    loadsJSON = llvm::json::Object{{"bytes", counts->bytes},
                                   {"instructions_per_kib", counts->instructionsPerKiB()},
                                   {"in_flight_wave", counts->inFlight},
                                   {"in_flight_workgroup", counts->inFlight * resources.wavesPerWorkgroup},
                                   {"in_flight_unit", counts->inFlight * wavesOnUnit()}};
  return llvm::json::Object{{"target", target},
                            {"entry", entry},
                            {"variant", variant},
                            {"kernel", kernel},
                            {"place", place},
                            {"vgprs", vgprs},
                            {"agprs", agprs},
                            {"sgprs", resources.sgprs},
                            {"vgpr_spills", vgprSpills},
                            {"sgpr_spills", sgprSpills},
                            {"scratch_bytes", resources.scratch},
                            {"lds_bytes", resources.lds},
                            {"lds_read_conflicts", known(readConflicts)},
                            {"lds_write_conflicts", known(writeConflicts)},
                            {"waves_per_workgroup", resources.wavesPerWorkgroup},
                            {"waves_by_registers", resources.wavesByRegisters},
                            {"waves_by_lds", resources.wavesByLds},
                            {"waves_per_simd", resources.wavesPerSimd},
                            {"limit", resources.limit()},
                            {"loop", std::move(loopJSON)},
                            {"loads", std::move(loadsJSON)},
                            {"advice", llvm::json::Array(advice())}};
}
