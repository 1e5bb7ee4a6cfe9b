// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The summary for people, and the JSON for programs. Neither says how long the run took on the host, so that
// the same run gives the same bytes.

#include "lowp/Sim/ReportText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace lowp::sim;

static double intensity(const Counters &counters) {
  uint64_t bytes = counters.globalBytesRead + counters.globalBytesWritten;
  return bytes ? counters.matrixFlops / double(bytes) : 0;
}

static std::string triple(const uint32_t (&sizes)[3]) {
  return std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " x " + std::to_string(sizes[2]);
}

std::string lowp::sim::statistics(const Report &report) {
  const Counters &c = report.counters;
  const LaunchFacts &l = report.launch;
  std::string text;
  raw_string_ostream os(text);
  auto row = [&](StringRef name) -> raw_ostream & { return os << "  " << left_justify(name, 14); };
  os << "kernel " << l.kernel << " on " << l.chip << "\n";
  row("launch") << triple(l.grid) << " workgroups of " << triple(l.block) << " work-items; " << c.workgroups
                << " workgroups and " << c.waves << " waves ran\n";
  row("allocation") << l.vgprs << " vector, " << l.agprs << " accumulation and " << l.sgprs
                    << " scalar registers; " << l.lds << " bytes of LDS, " << l.scratch
                    << " bytes of private memory a work-item\n";
  row("occupancy") << l.wavesPerSimd << " waves on a SIMD, limited by " << l.limit() << " (registers allow "
                   << l.wavesByRegisters << ", LDS " << l.wavesByLds << "); " << l.wavesPerWorkgroup
                   << " waves in a workgroup\n";
  row("instructions") << c.instructions << ": " << c.mfma << " matrix, " << c.valu << " vector, " << c.trans
                      << " transcendental, " << c.salu << " scalar, " << c.branches << " branches, "
                      << c.waits << " waits, " << c.barriers << " barriers\n";
  row("memory") << c.vmemLoads << " loads, " << c.ldsDma << " copies to LDS, " << c.vmemStores << " stores, "
                << c.atomics << " atomics, " << c.smem << " scalar loads, " << c.scratch
                << " private; at most " << c.maxVmInFlight << " in flight in a wave\n";
  row("LDS") << c.ldsReads << " reads, " << c.ldsWrites << " writes, " << c.ldsConflictCycles
             << " extra cycles of bank conflicts\n";
  for (const MatrixKind &kind : c.matrix)
    row("matrix") << kind.mnemonic << ": " << kind.executions << " executed, " << kind.passes
                  << " passes of 4 clocks, " << format("%.0f", kind.flops) << " FLOP\n";
  for (const BufferTraffic &buffer : c.buffers)
    row("buffer") << buffer.name << ": " << buffer.bytes << " bytes, " << buffer.read << " read, "
                  << buffer.written << " written\n";
  row("intensity") << format("%.2f", intensity(c)) << " matrix FLOP for each byte moved ("
                   << format("%.0f", c.matrixFlops) << " FLOP, " << c.globalBytesRead << " bytes read, "
                   << c.globalBytesWritten << " written)\n";
  row("findings") << report.findings.size() << "\n";
  return text;
}

static json::Value number(uint64_t x) { return json::Value(x); }

static json::Array findingsToJson(ArrayRef<Finding> findings) {
  json::Array list;
  for (const Finding &finding : findings)
    list.push_back(json::Object{
        {"kind", finding.kind},
        {"message", finding.message},
        {"kernel", finding.kernel},
        {"pc", number(finding.pc)},
        {"disassembly", finding.disassembly},
        {"workgroup", json::Array{finding.workgroup[0], finding.workgroup[1], finding.workgroup[2]}},
        {"wave", finding.wave},
        {"lanes", "0x" + utohexstr(finding.lanes, true)},
        {"count", number(finding.count)}});
  return list;
}

static json::Object countersToJson(const Counters &c) {
  return json::Object{{"workgroups", number(c.workgroups)},
                      {"waves", number(c.waves)},
                      {"instructions", number(c.instructions)},
                      {"mfma", number(c.mfma)},
                      {"mfma_cycles", number(c.mfmaCycles)},
                      {"matrix_flops", c.matrixFlops},
                      {"flops_per_byte", intensity(c)},
                      {"valu", number(c.valu)},
                      {"trans", number(c.trans)},
                      {"salu", number(c.salu)},
                      {"smem", number(c.smem)},
                      {"branches", number(c.branches)},
                      {"waits", number(c.waits)},
                      {"barriers", number(c.barriers)},
                      {"vmem_loads", number(c.vmemLoads)},
                      {"vmem_stores", number(c.vmemStores)},
                      {"lds_dma", number(c.ldsDma)},
                      {"atomics", number(c.atomics)},
                      {"scratch", number(c.scratch)},
                      {"lds_reads", number(c.ldsReads)},
                      {"lds_writes", number(c.ldsWrites)},
                      {"lds_conflict_cycles", number(c.ldsConflictCycles)},
                      {"masked_buffer_lanes", number(c.maskedBufferLanes)},
                      {"global_bytes_read", number(c.globalBytesRead)},
                      {"global_bytes_written", number(c.globalBytesWritten)},
                      {"max_vm_in_flight", c.maxVmInFlight}};
}

static json::Object launchToJson(const LaunchFacts &l) {
  return json::Object{{"kernel", l.kernel},
                      {"chip", l.chip},
                      {"grid", json::Array{l.grid[0], l.grid[1], l.grid[2]}},
                      {"block", json::Array{l.block[0], l.block[1], l.block[2]}},
                      {"vgprs", l.vgprs},
                      {"agprs", l.agprs},
                      {"sgprs", l.sgprs},
                      {"lds_bytes", l.lds},
                      {"private_bytes", l.scratch},
                      {"waves_per_workgroup", l.wavesPerWorkgroup},
                      {"waves_by_registers", l.wavesByRegisters},
                      {"waves_by_lds", l.wavesByLds},
                      {"waves_per_simd", l.wavesPerSimd},
                      {"limit", l.limit()}};
}

json::Value Report::toJSON() const {
  json::Object mnemonics;
  for (const auto &[name, count] : counters.byMnemonic)
    mnemonics[name] = number(count);
  json::Array places, matrix, buffers, loops;
  for (const PcCount &count : counters.byPc)
    places.push_back(json::Object{{"pc", number(count.pc)},
                                  {"disassembly", count.disassembly},
                                  {"executions", number(count.executions)},
                                  {"active_lanes", number(count.activeLanes)},
                                  {"bytes", number(count.bytes)},
                                  {"cache_lines", number(count.cacheLines)},
                                  {"conflict_cycles", number(count.conflictCycles)},
                                  {"taken", number(count.taken)},
                                  {"waited", number(count.waited)},
                                  {"waited_for", count.waited ? number(count.waitedFor) : nullptr}});
  for (const MatrixKind &kind : counters.matrix)
    matrix.push_back(json::Object{{"mnemonic", kind.mnemonic},
                                  {"executions", number(kind.executions)},
                                  {"passes", number(kind.passes)},
                                  {"flops", kind.flops}});
  for (const BufferTraffic &buffer : counters.buffers)
    buffers.push_back(json::Object{{"name", buffer.name},
                                   {"bytes", number(buffer.bytes)},
                                   {"read", number(buffer.read)},
                                   {"written", number(buffer.written)}});
  json::Array rounds;
  for (const std::vector<uint64_t> &round : counters.l2.rounds)
    rounds.push_back(json::Array(map_range(round, number)));
  for (const CodeFunction &function : code)
    for (const CodeLoop &loop : findLoops(function, counters))
      loops.push_back(json::Object{{"function", function.name},
                                   {"first", number(loop.first)},
                                   {"last", number(loop.last)},
                                   {"depth", loop.depth},
                                   {"entries", number(loop.entries)},
                                   {"iterations", number(loop.iterations)}});
  json::Object object{{"schema", 1},
                      {"completed", completed},
                      {"reason", reason},
                      {"launch", launchToJson(launch)},
                      {"findings", findingsToJson(findings)},
                      {"counters", countersToJson(counters)},
                      {"matrix", std::move(matrix)},
                      {"buffers", std::move(buffers)},
                      {"loops", std::move(loops)},
                      {"by_mnemonic", std::move(mnemonics)},
                      {"by_pc", std::move(places)}};
  if (counters.l2.resident)
    object["l2_lines"] = json::Object{{"resident", counters.l2.resident}, {"rounds", std::move(rounds)}};
  return object;
}
