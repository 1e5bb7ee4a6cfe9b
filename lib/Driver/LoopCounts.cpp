// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is the span from the target of a backward branch to the branch, so a rarely executed block inside it
// counts like the rest.

#include "lowp/Driver/LoopCounts.h"
#include "lowp/Sim/ReportText.h"
#include <deque>

using namespace lowp;
using namespace lowp::sim;

namespace {

/// The lines of a function that a loop spans.
struct Span {
  size_t begin = 0, end = 0;
  unsigned matrix = 0;
};

} // namespace

static Span spanOf(const MachineFunction &function, const CodeLoop &loop) {
  const std::vector<CodeLine> &lines = function.code.lines;
  Span span;
  while (span.begin < lines.size() && lines[span.begin].pc < loop.first)
    ++span.begin;
  for (span.end = span.begin; span.end < lines.size() && lines[span.end].pc <= loop.last; ++span.end)
    span.matrix += function.facts[span.end].kind == InstructionKind::Matrix;
  return span;
}

/// Clocks for which one access of a wave keeps the LDS busy: one for each phase of its lanes. A narrower
/// access than the tables know takes as long as the narrowest of them.
static unsigned ldsClocks(const Target &target, unsigned bits, bool write) {
  LdsAccess access = bits <= 32   ? (write ? LdsAccess::Write32 : LdsAccess::Read32)
                     : bits <= 64 ? (write ? LdsAccess::Write64 : LdsAccess::Read64)
                     : bits <= 96 ? (write ? LdsAccess::Write96 : LdsAccess::Read96)
                                  : (write ? LdsAccess::Write128 : LdsAccess::Read128);
  return target.ldsPhases(access).laneMasks.size();
}

/// Loads, stores and atomics leave the counter `vmcnt` in the order in which they were issued (LLVM, "User
/// Guide for AMDGPU Backend", memory model), so a queue of them says what a wait leaves under way.
static LoadCounts countLoads(const MachineFunction &function, const Span &span, bool isLoop) {
  constexpr unsigned lanes = 64, maxOutstanding = 64;
  LoadCounts counts;
  std::deque<uint64_t> queue;
  uint64_t underWay = 0;
  std::optional<uint64_t> atWaits;
  auto walk = [&](bool measure) {
    for (size_t i = span.begin; i < span.end; ++i) {
      const InstructionFacts &facts = function.facts[i];
      if (facts.vmcnt && *facts.vmcnt < queue.size()) {
        if (measure)
          atWaits = !atWaits ? underWay
                    : isLoop ? std::min(*atWaits, underWay)
                             : std::max(*atWaits, underWay);
        for (; queue.size() > *facts.vmcnt; queue.pop_front())
          underWay -= queue.front();
      }
      bool counted = facts.loadedBytes || facts.kind == InstructionKind::VmemStore ||
                     facts.kind == InstructionKind::Atomic || facts.kind == InstructionKind::Scratch;
      if (!counted)
        continue;
      uint64_t bytes = uint64_t(facts.loadedBytes) * lanes;
      queue.push_back(bytes);
      underWay += bytes;
      counts.bytes += measure ? bytes : 0;
    }
  };
  counts.instructions = span.end - span.begin;
  // A trip with one access or more fills the counter after so many trips.
  for (unsigned trip = 0; isLoop && trip < maxOutstanding; ++trip)
    walk(/*measure=*/false);
  walk(/*measure=*/true);
  counts.inFlight = atWaits.value_or(0);
  return counts;
}

static LoopCounts countSpan(const MachineFunction &function, const Span &span, const Target &target) {
  LoopCounts counts;
  unsigned run = 0, leading = 0;
  for (size_t i = span.begin; i < span.end; ++i) {
    const InstructionFacts &facts = function.facts[i];
    ++counts.instructions;
    ++counts.byKind[unsigned(facts.kind)];
    counts.waitStates += facts.waitStates;
    counts.multiplyAdds += facts.multiplyAdds;
    (facts.kind == InstructionKind::Matrix ? counts.matrixClocks : counts.valuClocks) += facts.clocks;
    if (facts.ldsAccesses)
      counts.ldsClocks +=
          facts.ldsAccesses * ldsClocks(target, facts.ldsBits, facts.kind != InstructionKind::LdsRead);
    if (facts.vmcnt)
      ++counts.vmcnt[*facts.vmcnt];
    if (facts.lgkmcnt)
      ++counts.lgkmcnt[*facts.lgkmcnt];
    if (facts.kind != InstructionKind::Matrix) {
      ++run;
    } else {
      if (counts.of(InstructionKind::Matrix) == 1)
        leading = run;
      run = 0;
    }
    counts.longestRun = std::max(counts.longestRun, run);
  }
  counts.longestRun = std::max(counts.longestRun, run + leading);
  return counts;
}

std::optional<LoopCounts> lowp::countHotLoop(const MachineFunction &function, const Target &target) {
  std::vector<CodeLoop> loops = findLoops(function.code);
  std::optional<LoopCounts> hot;
  unsigned most = 0;
  // The outer stand before the inner; of loops with equally many the inner one has to win.
  for (size_t i = loops.size(); i-- > 0;) {
    Span span = spanOf(function, loops[i]);
    bool innermost = true;
    for (size_t j = i + 1; j < loops.size() && loops[j].first <= loops[i].last; ++j)
      innermost &= spanOf(function, loops[j]).matrix == 0;
    if (!innermost || span.matrix <= most)
      continue;
    most = span.matrix;
    hot = countSpan(function, span, target);
    hot->loads = countLoads(function, span, /*isLoop=*/true);
    hot->first = loops[i].first;
    hot->last = loops[i].last;
    hot->depth = loops[i].depth;
  }
  return hot;
}

std::optional<LoadCounts> lowp::countStraightLoads(const MachineFunction &function) {
  Span span;
  for (size_t i = 0; i < function.facts.size(); ++i)
    if (function.facts[i].kind == InstructionKind::Matrix)
      span.end = i + 1;
  if (span.end == 0)
    return std::nullopt;
  return countLoads(function, span, /*isLoop=*/false);
}
