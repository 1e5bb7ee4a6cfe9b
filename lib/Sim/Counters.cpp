// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything here runs once, after the kernel. Shapes of matrix instructions and widths of LDS accesses are
// read from the mnemonics: MxNxK[_BLOCKSb] and the number behind the last "b", "u" or "i".

#include "Counters.h"
#include "VectorMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

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

/// Branches and calls whose target is in the instruction.
static bool isDirectBranch(const Inst &inst) {
  StringRef name = inst.op->name;
  return inst.op->unit == Unit::Branch &&
         (name.starts_with("s_branch") || name.starts_with("s_cbranch") || name.starts_with("s_call"));
}

static bool isUnconditional(const Inst &inst) {
  StringRef name = inst.op->name;
  return name.starts_with("s_branch") || name.starts_with("s_call");
}

double lowp::sim::matrixFlops(StringRef mnemonic) {
  SmallVector<StringRef, 8> parts;
  mnemonic.split(parts, '_');
  for (unsigned i = 0; i < parts.size(); ++i) {
    SmallVector<StringRef, 4> sizes;
    parts[i].split(sizes, 'x');
    uint64_t m, n, k, blocks = 1;
    if (sizes.size() != 3 || sizes[0].getAsInteger(10, m) || sizes[1].getAsInteger(10, n))
      continue;
    StringRef depth = sizes[2].take_while(isDigit); // older names run on into the types: 32x32x1f32
    if (depth.getAsInteger(10, k))
      continue;
    StringRef next = i + 1 < parts.size() ? parts[i + 1] : StringRef();
    if (next.consume_back("b") && next.getAsInteger(10, blocks))
      blocks = 1;
    return 2.0 * m * n * k * blocks;
  }
  return 0;
}

unsigned lowp::sim::ldsLaneBytes(StringRef mnemonic) {
  bool two = mnemonic.contains("read2") || mnemonic.contains("write2") || mnemonic.contains("_pk_");
  SmallVector<StringRef, 8> parts;
  mnemonic.split(parts, '_');
  unsigned bits = 0;
  for (StringRef part : parts) {
    unsigned value;
    if (part.size() > 1 && StringRef("buif").contains(part[0]) &&
        !part.drop_front().getAsInteger(10, value)) {
      bits = value; // ds_read_b64_tr_b16: the access is the first one
      break;
    }
  }
  return (two ? 2 : 1) * bits / 8;
}

/// Bytes of an instruction that the traffic counter does not see: LDS and private memory.
static uint64_t laneBytes(const Inst &inst) {
  switch (inst.op->unit) {
  case Unit::DsRead:
  case Unit::DsWrite:
    return ldsLaneBytes(inst.op->name);
  case Unit::Scratch:
    return vmemSize(inst);
  default:
    return 0;
  }
}

static bool isVector(Unit unit) {
  switch (unit) {
  case Unit::Salu:
  case Unit::Smem:
  case Unit::Branch:
  case Unit::Wait:
  case Unit::Barrier:
  case Unit::Other:
    return false;
  default:
    return true;
  }
}

static L2Lines gatherLines(ArrayRef<std::unique_ptr<Engine>> engines) {
  L2Lines result;
  LineLog::Sets all;
  for (const auto &engine : engines) {
    if (!engine->traffic.log)
      continue;
    result.resident = engine->traffic.log->resident;
    for (const auto &[key, lines] : engine->traffic.log->sets)
      all[key].insert(lines.begin(), lines.end());
  }
  for (const auto &[key, lines] : all) {
    auto [round, xcd] = key;
    result.rounds.resize(std::max<size_t>(result.rounds.size(), round + 1));
    result.rounds[round].resize(xcds);
    result.rounds[round][xcd] = lines.size();
  }
  return result;
}

Counters lowp::sim::gatherCounters(const Program &program, ArrayRef<std::unique_ptr<Engine>> engines,
                                   ArrayRef<Buffer> buffers, unsigned firstBuffer) {
  Counters counters;
  for (const auto &engine : engines) {
    counters.workgroups += engine->workgroups;
    counters.waves += engine->waveCount;
    counters.maskedBufferLanes += engine->maskedBufferLanes;
    counters.maxVmInFlight = std::max(counters.maxVmInFlight, engine->maxVmInFlight);
  }
  for (unsigned i = 0; i < buffers.size(); ++i) {
    BufferTraffic traffic{buffers[i].name, buffers[i].bytes};
    for (const auto &engine : engines) {
      traffic.read += engine->traffic.byRegion[firstBuffer + i].read;
      traffic.written += engine->traffic.byRegion[firstBuffer + i].written;
    }
    counters.globalBytesRead += traffic.read;
    counters.globalBytesWritten += traffic.written;
    counters.buffers.push_back(std::move(traffic));
  }
  counters.l2 = gatherLines(engines);
  std::map<std::string, MatrixKind> matrix;
  for (size_t i = 0; i < program.insts.size(); ++i) {
    PcCount count;
    uint64_t idle = 0;
    WaitCount wait;
    for (const auto &engine : engines) {
      count.executions += engine->counts[i];
      count.conflictCycles += engine->conflictCycles[i];
      count.bytes += engine->traffic.byInstruction[i].bytes;
      count.cacheLines += engine->traffic.byInstruction[i].lines;
      count.taken += engine->taken[i];
      idle += engine->idleLanes[i];
      wait.merge(engine->waitCounts[i]);
    }
    if (!count.executions)
      continue;
    const Inst &inst = program.insts[i];
    count.pc = inst.pc;
    count.disassembly = program.texts[i];
    count.waited = wait.waited;
    count.waitedFor = wait.lastFor ? wait.lastFor->pc : 0;
    if (isVector(inst.op->unit)) // matrix instructions do not look at EXEC
      count.activeLanes = 64 * count.executions - (inst.op->unit == Unit::Mfma ? 0 : idle);
    count.bytes += laneBytes(inst) * count.activeLanes;
    if (inst.op->unit == Unit::Branch && isUnconditional(inst))
      count.taken = count.executions;
    counters.instructions += count.executions;
    counters.ldsConflictCycles += count.conflictCycles;
    addClass(counters, inst, count.executions);
    counters.byMnemonic[inst.op->name] += count.executions;
    if (inst.op->unit == Unit::Mfma) {
      MatrixKind &kind = matrix[inst.op->name];
      kind.mnemonic = inst.op->name;
      kind.executions += count.executions;
      kind.passes += count.executions * inst.passes;
    }
    counters.byPc.push_back(std::move(count));
  }
  for (auto &[mnemonic, kind] : matrix) {
    kind.flops = matrixFlops(mnemonic) * double(kind.executions);
    counters.matrixFlops += kind.flops;
    counters.matrix.push_back(std::move(kind));
  }
  return counters;
}

/// One past the last address of the function with this number; of hand-written code that does not say how
/// long it is, the beginning of the next one.
static uint64_t endOf(const HsaCodeObject &object, size_t number) {
  ArrayRef<CodeSymbol> functions = object.functions();
  if (functions[number].size)
    return functions[number].address + functions[number].size;
  return number + 1 < functions.size() ? functions[number + 1].address : ~uint64_t(0);
}

CodeFunction lowp::sim::listFunction(const HsaCodeObject &object, const Program &program, size_t number) {
  const CodeSymbol &symbol = object.functions()[number];
  CodeFunction function{symbol.name, symbol.address, {}};
  uint64_t end = endOf(object, number);
  for (uint32_t i = program.indexOf(symbol.address); i < program.insts.size(); ++i) {
    const Inst &inst = program.insts[i];
    if (inst.pc >= end)
      break;
    CodeLine line;
    line.pc = inst.pc;
    line.text = program.texts[i];
    if (inst.op && isDirectBranch(inst) && inst.target < program.insts.size())
      line.target = program.insts[inst.target].pc;
    function.lines.push_back(std::move(line));
  }
  return function;
}

std::vector<CodeFunction> lowp::sim::listCode(const HsaCodeObject &object, const Program &program,
                                              const Counters &counters) {
  std::vector<CodeFunction> functions;
  auto executed = counters.byPc.begin();
  for (const auto &[number, symbol] : enumerate(object.functions())) {
    while (executed != counters.byPc.end() && executed->pc < symbol.address)
      ++executed;
    if (executed == counters.byPc.end() || executed->pc >= endOf(object, number))
      continue;
    if (!functions.empty() && functions.back().address == symbol.address)
      continue; // a second name
    functions.push_back(listFunction(object, program, number));
  }
  return functions;
}

// -- occupancy
// ---------------------------------------------------------------------------------------------------------
// 4 SIMDs of at most 8 waves, 512 registers a lane in units of 8 (LLVM's AMDGPU occupancy, "User Guide for
// AMDGPU Backend"); LDS in units of 512 bytes, 1280 on the chip with 160 KB (CDNA4 ISA manual section 3.6.5).

const char *LaunchFacts::limit() const {
  if (wavesByLds == wavesPerSimd && wavesByLds < wavesByRegisters)
    return "LDS";
  return wavesByRegisters < mostWaves ? "registers" : wavesPerSimd < mostWaves ? "LDS" : "the chip";
}

LaunchFacts lowp::sim::resourceFacts(const KernelInfo &kernel, const ChipFacts &chip, uint32_t lds,
                                     unsigned waves) {
  constexpr unsigned simds = 4, registers = 512;
  LaunchFacts facts;
  facts.kernel = kernel.name;
  unsigned total = kernel.allocatedRegisters();
  facts.vgprs = std::min(kernel.accumOffset(), total);
  facts.agprs = total - facts.vgprs;
  facts.sgprs = kernel.sgprs;
  facts.lds = lds;
  facts.scratch = kernel.scratch;
  facts.wavesPerWorkgroup = waves;
  facts.wavesByRegisters = std::min(LaunchFacts::mostWaves, registers / total);
  uint64_t allocated = alignTo(facts.lds, chip.ldsGranule);
  facts.wavesByLds = LaunchFacts::mostWaves;
  if (allocated) // whole workgroups share the SIMDs evenly
    facts.wavesByLds =
        std::min<uint64_t>(LaunchFacts::mostWaves,
                           divideCeil(chip.ldsBytes / allocated * facts.wavesPerWorkgroup, uint64_t(simds)));
  facts.wavesPerSimd = std::min(facts.wavesByRegisters, facts.wavesByLds);
  return facts;
}

LaunchFacts lowp::sim::launchFacts(const Dispatch &dispatch, const Program &program, StringRef chip,
                                   const LaunchConfig &launch) {
  LaunchFacts facts = resourceFacts(dispatch.kernel(), program.chip, dispatch.ldsSize(), dispatch.waves());
  facts.chip = chip.str();
  std::copy(launch.grid, launch.grid + 3, facts.grid);
  std::copy(launch.block, launch.block + 3, facts.block);
  return facts;
}
