// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The annotated listing. Columns stand in front of the instruction, because that is what varies in length;
// a gutter between them draws the loops. Numbers that are the same for every execution of an instruction
// (lanes, cache lines, conflict cycles) are given for one.

#include "lowp/Sim/ReportText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace llvm;
using namespace lowp::sim;

static constexpr unsigned width = 140;

namespace {
using CountsByPc = DenseMap<uint64_t, const PcCount *>;
} // namespace

static CountsByPc byAddress(const Counters &counters) {
  CountsByPc map;
  for (const PcCount &count : counters.byPc)
    map[count.pc] = &count;
  return map;
}

/// Whether the line closes a loop; a call that goes back repeats nothing.
static bool isBackward(const CodeFunction &function, const CodeLine &line) {
  return line.target != CodeLine::noTarget && line.target <= line.pc && line.target >= function.address &&
         !StringRef(line.text).starts_with("s_call");
}

/// By header, with the depths; of the lines that `counted` holds for.
static std::vector<CodeLoop> loopsOf(const CodeFunction &function,
                                     function_ref<bool(const CodeLine &)> counted) {
  std::map<uint64_t, CodeLoop> byHeader;
  for (const CodeLine &line : function.lines) {
    if (!isBackward(function, line) || !counted(line))
      continue;
    CodeLoop &loop = byHeader[line.target];
    loop.first = line.target;
    loop.last = std::max(loop.last, line.pc);
  }
  std::vector<CodeLoop> loops;
  for (auto &[header, loop] : byHeader) {
    for (const CodeLoop &outer : loops)
      loop.depth += outer.first <= loop.first && loop.last <= outer.last;
    loops.push_back(loop);
  }
  return loops;
}

std::vector<CodeLoop> lowp::sim::findLoops(const CodeFunction &function) {
  return loopsOf(function, [](const CodeLine &) { return true; });
}

std::vector<CodeLoop> lowp::sim::findLoops(const CodeFunction &function, const Counters &counters) {
  CountsByPc counts = byAddress(counters);
  DenseMap<uint64_t, uint64_t> repeated;
  std::vector<CodeLoop> loops = loopsOf(function, [&](const CodeLine &line) {
    const PcCount *count = counts.lookup(line.pc);
    if (count)
      repeated[line.target] += count->taken;
    return count != nullptr;
  });
  for (CodeLoop &loop : loops) {
    const PcCount *count = counts.lookup(loop.first);
    loop.iterations = count ? count->executions : 0;
    loop.entries = loop.iterations - std::min(loop.iterations, repeated.lookup(loop.first));
  }
  return loops;
}

/// At most six characters.
static std::string compact(uint64_t value) {
  if (value < 100000)
    return std::to_string(value);
  for (const char *unit : {"k", "M", "G", "T"}) {
    value /= 1000;
    if (value < 10000)
      return std::to_string(value) + unit;
  }
  return std::to_string(value / 1000) + "P";
}

static std::string perExecution(uint64_t total, uint64_t executions) {
  if (!total)
    return "";
  if (total % executions == 0)
    return std::to_string(total / executions);
  std::string text;
  raw_string_ostream(text) << format("%.1f", double(total) / double(executions));
  return text;
}

namespace {

class Listing {
public:
  explicit Listing(const Report &report) : report(report), counts(byAddress(report.counters)), os(text) {}

  std::string write() {
    os << "address  executed  lanes   bytes  lines  extra  (lanes, cache lines and extra LDS cycles: of one "
          "execution)\n";
    for (const CodeFunction &function : report.code)
      writeFunction(function);
    bool first = true;
    for (size_t i = 0; i < report.findings.size(); ++i) {
      if (shown.count(i))
        continue;
      if (first)
        os << "\nelsewhere:\n";
      first = false;
      writeFinding(report.findings[i]);
    }
    return std::move(text);
  }

private:
  void writeFunction(const CodeFunction &function) {
    std::vector<CodeLoop> loops = findLoops(function, report.counters);
    std::map<uint64_t, std::string> labels;
    for (const CodeLine &line : function.lines)
      if (line.target != CodeLine::noTarget && line.target > function.address &&
          line.target <= function.lines.back().pc)
        labels[line.target];
    unsigned number = 0;
    for (auto &[address, label] : labels)
      label = "L" + std::to_string(++number);
    labels[function.address] = function.name;
    for (const CodeFunction &other : report.code)
      labels.insert({other.address, other.name});

    os << "\n" << function.name << ":\n";
    for (const CodeLine &line : function.lines) {
      for (const CodeLoop &loop : loops)
        if (loop.first == line.pc)
          os.indent(columns) << gutter(loops, line.pc, true) << "loop " << labels[line.pc] << ", depth "
                             << loop.depth << ": " << loop.iterations << " iterations, entered "
                             << loop.entries << " times, "
                             << perExecution(loop.iterations, std::max<uint64_t>(loop.entries, 1))
                             << " each\n";
      auto label = labels.find(line.pc);
      if (label != labels.end() && line.pc != function.address)
        os.indent(columns) << gutter(loops, line.pc, true) << label->second << ":\n";
      writeLine(line, loops, labels);
    }
  }

  void writeLine(const CodeLine &line, const std::vector<CodeLoop> &loops,
                 const std::map<uint64_t, std::string> &labels) {
    os << format("%7llx  ", (unsigned long long)line.pc);
    const PcCount *count = counts.lookup(line.pc);
    if (count) {
      uint64_t n = count->executions;
      os << right_justify(compact(n), 8) << right_justify(perExecution(count->activeLanes, n), 7)
         << right_justify(count->bytes ? compact(count->bytes) : "", 8)
         << right_justify(perExecution(count->cacheLines, n), 7)
         << right_justify(perExecution(count->conflictCycles, n), 7) << "  ";
    } else {
      os << right_justify("-", 8) << std::string(columns - 17, ' ');
    }
    os << gutter(loops, line.pc, false) << "  " << line.text;
    if (line.target != CodeLine::noTarget) {
      auto label = labels.find(line.target);
      os << "  -> " << (label != labels.end() ? label->second : utohexstr(line.target, true));
      if (count)
        os << ", taken " << count->taken << " of " << count->executions;
    }
    if (count && count->waited)
      os << "  ; waited " << count->waited << " of " << count->executions << ", last for "
         << utohexstr(count->waitedFor, true);
    os << "\n";
    for (size_t i = 0; i < report.findings.size(); ++i)
      if (report.findings[i].pc == line.pc && shown.insert(i).second)
        writeFinding(report.findings[i]);
  }

  /// Two characters for each loop around the instruction, from the outermost; `above`: a line before it.
  static std::string gutter(const std::vector<CodeLoop> &loops, uint64_t pc, bool above) {
    std::string text;
    for (const CodeLoop &loop : loops) {
      if (pc < loop.first || pc > loop.last || (above && pc == loop.first))
        continue;
      text += pc == loop.first && pc == loop.last ? "* "
              : pc == loop.first                  ? "/ "
              : pc == loop.last && !above         ? "\\ "
                                                  : "| ";
    }
    return text;
  }

  void writeFinding(const Finding &finding) {
    std::string whole = "! " + finding.kind + ", " + std::to_string(finding.count) +
                        (finding.count == 1 ? " time" : " times") + ", workgroup " +
                        std::to_string(finding.workgroup[0]) + "," + std::to_string(finding.workgroup[1]) +
                        "," + std::to_string(finding.workgroup[2]) + " wave " + std::to_string(finding.wave) +
                        " lanes 0x" + utohexstr(finding.lanes, true) + ": " + finding.message;
    StringRef rest = whole;
    constexpr unsigned indent = 17;
    for (bool first = true; !rest.empty(); first = false) {
      size_t room = width - indent - (first ? 0 : 2);
      StringRef line = rest;
      if (rest.size() > room) {
        size_t cut = rest.rfind(' ', room);
        line = rest.take_front(cut == StringRef::npos || cut == 0 ? room : cut);
      }
      os.indent(indent + (first ? 0 : 2)) << line << "\n";
      rest = rest.drop_front(line.size()).ltrim();
    }
  }

  static constexpr unsigned columns = 48;
  const Report &report;
  CountsByPc counts;
  std::set<size_t> shown;
  std::string text;
  raw_string_ostream os;
};

} // namespace

std::string lowp::sim::annotate(const Report &report) { return Listing(report).write(); }
