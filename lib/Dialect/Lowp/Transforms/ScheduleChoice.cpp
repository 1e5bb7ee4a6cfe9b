// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each number of rows that M may have (powers of two stand for those between them), the cheapest legal
// candidate. Neighbouring sizes share one: a kernel more has to save something, for it costs time to compile.
// Variants are tried from the largest rows down, each from its first size on without an end: so one whose
// conditions do not hold leaves its sizes to the next.

#include "lowp/Dialect/Lowp/Transforms/ScheduleChoice.h"

#include "lowp/Dialect/Lowp/IR/ScheduleRequirements.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleCandidates.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleLegality.h"

#include <algorithm>

using namespace mlir;
using namespace lowp;

/// Of an entry, `any` left out.
static constexpr size_t mostVariants = 4;
/// Costs closer than this factor are equal.
static constexpr double resolution = 1.01;
/// A variant must make some size cheaper than its neighbours would by this factor.
static constexpr double worthAKernel = 1.05;
static constexpr int64_t mostRows = 16384;

std::vector<ProblemSize> lowp::representativeSizes(MatmulOp op) {
  auto known = [](int64_t size, double usual) { return ShapedType::isDynamic(size) ? usual : double(size); };
  ProblemSize size;
  size.columns = known(op.getColumns(), double(usualSize));
  size.depth = known(op.getDepth(), double(usualSize));
  size.batch = known(op.getBatch(), 1); // an unknown batch is one matrix
  std::vector<ProblemSize> sizes;
  if (!ShapedType::isDynamic(op.getRows())) {
    size.rows = double(op.getRows());
    return {size};
  }
  for (int64_t rows = 1; rows <= mostRows; rows *= 2) {
    size.rows = double(rows);
    sizes.push_back(size);
  }
  return sizes;
}

/// Why `schedule` can never run; empty if it can.
static std::string whyRefused(MatmulOp op, ScheduleAttr schedule, const Target &target) {
  std::string fault = scheduleFault(op, schedule, target);
  if (!fault.empty())
    return fault;
  if (auto names = op->getAttrOfType<ArrayAttr>(leftOutAttrName))
    if (llvm::is_contained(names, StringAttr::get(op.getContext(), schedule.getName())))
      return "spills when compiled";
  for (const ScheduleRequirement &requirement : scheduleRequirements(op, schedule))
    if (requirement.holds() == std::optional<bool>(false)) {
      StringRef name = requirement.tensor == op.getA()        ? "a"
                       : requirement.tensor == op.getB()      ? "b"
                       : requirement.tensor == op.getResult() ? "the result"
                                                              : "a captured tensor";
      return requirement.text(name);
    }
  return "";
}

/// Neighbouring sizes that one candidate serves.
namespace {
struct Segment {
  size_t candidate, first, last;
};
} // namespace

static double cost(const ScheduleChoice &choice, size_t candidate, size_t size) {
  return choice.candidates[candidate].costs[size].clocks();
}

/// The cheapest of those that `accept` takes; one must be cheaper than those before it in the table by more
/// than the model can tell.
static std::optional<size_t> cheapest(const ScheduleChoice &choice, size_t size,
                                      llvm::function_ref<bool(ScheduleAttr)> accept) {
  std::optional<size_t> best;
  for (size_t i = 0; i < choice.candidates.size(); ++i)
    if (choice.candidates[i].refused.empty() && accept(choice.candidates[i].schedule) &&
        (!best || cost(choice, i, size) * resolution < cost(choice, *best, size)))
      best = i;
  return best;
}

/// By how much the sizes of `segment` cost more than they have to if `candidate` serves them.
static double loss(const ScheduleChoice &choice, const Segment &segment, size_t candidate) {
  double worst = 1;
  for (size_t size = segment.first; size <= segment.last; ++size) {
    double least = cost(choice, candidate, size);
    for (size_t i = 0; i < choice.candidates.size(); ++i)
      if (choice.candidates[i].refused.empty())
        least = std::min(least, cost(choice, i, size));
    worst = std::max(worst, cost(choice, candidate, size) / least);
  }
  return worst;
}

/// Whether one candidate serves sizes that do not follow each other.
static bool hasGaps(const std::vector<Segment> &segments) {
  for (size_t i = 0; i < segments.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (segments[i].candidate == segments[j].candidate)
        return true;
  return false;
}

/// Gives the segment that gains least to a neighbour, until each is worth its kernel, they are few, and none
/// has gaps.
static void merge(const ScheduleChoice &choice, std::vector<Segment> &segments) {
  while (segments.size() > 1) {
    size_t least = 0, heir = 0;
    double leastLoss = 0;
    // The largest sizes keep theirs, for most time goes there, and the smallest if that saves anything:
    // tokens are made one after the other.
    for (size_t i = 0; i + 1 < segments.size(); ++i)
      for (size_t neighbour : {i + 1, i - 1}) // the larger rows' first; wraps below zero
        if (neighbour < segments.size()) {
          double lost = loss(choice, segments[i], segments[neighbour].candidate);
          if (i == 0 && lost >= worthAKernel)
            continue;
          if (leastLoss == 0 || lost < leastLoss)
            least = i, heir = neighbour, leastLoss = lost;
        }
    if (leastLoss == 0 ||
        (leastLoss >= worthAKernel && segments.size() <= mostVariants && !hasGaps(segments)))
      return;
    segments[heir].first = std::min(segments[heir].first, segments[least].first);
    segments[heir].last = std::max(segments[heir].last, segments[least].last);
    segments.erase(segments.begin() + least);
    // The neighbours on both sides may be the same candidate now.
    for (size_t i = 1; i < segments.size();)
      if (segments[i].candidate == segments[i - 1].candidate) {
        segments[i - 1].last = segments[i].last;
        segments.erase(segments.begin() + i);
      } else {
        ++i;
      }
  }
}

static ScheduleAttr withRows(ScheduleAttr s, int64_t lo) {
  return ScheduleAttr::get(s.getContext(), s.getName(), s.getTile(), s.getWaves(), s.getInstruction(),
                           s.getParts(), s.getSteps(), s.getOrder(), s.getStages(), s.getStaging(),
                           s.getAccess(), s.getResultAccess(), s.getWholeK(), lo, 0, s.getXcds(),
                           s.getGroup(), s.getSplits());
}

static std::vector<Segment> segmentsOf(const ScheduleChoice &choice) {
  std::vector<Segment> segments;
  for (size_t size = 0; size < choice.sizes.size(); ++size) {
    std::optional<size_t> best = cheapest(choice, size, [](ScheduleAttr) { return true; });
    if (!best)
      return {};
    if (!segments.empty() && segments.back().candidate == *best)
      segments.back().last = size;
    else
      segments.push_back({*best, size, size});
  }
  merge(choice, segments);
  return segments;
}

ScheduleChoice lowp::chooseSchedules(MatmulOp op, const Target &target) {
  ScheduleChoice choice;
  choice.sizes = representativeSizes(op);
  for (ScheduleAttr schedule : scheduleCandidates(op, target)) {
    ScheduleCandidate &candidate = choice.candidates.emplace_back();
    candidate.schedule = schedule;
    candidate.refused = whyRefused(op, schedule, target);
    if (candidate.refused.empty())
      for (const ProblemSize &size : choice.sizes)
        candidate.costs.push_back(scheduleCost(op, schedule, size, target));
  }

  std::vector<Segment> segments = segmentsOf(choice);
  choice.chosen.resize(choice.sizes.size());
  auto wholeKUnknown = [&](ScheduleAttr s) { return s.getWholeK() && ShapedType::isDynamic(op.getDepth()); };
  for (const Segment &segment : llvm::reverse(segments)) {
    // Sizes below the first one are its as well.
    int64_t rows = segment.first == 0 ? 1 : int64_t(choice.sizes[segment.first - 1].rows) + 1;
    choice.variants.push_back(withRows(choice.candidates[segment.candidate].schedule, rows));
    std::fill(choice.chosen.begin() + segment.first, choice.chosen.begin() + segment.last + 1,
              segment.candidate);
  }
  // A K that fits no trip is no reason to go element by element.
  if (!segments.empty() && wholeKUnknown(choice.variants.back()))
    if (std::optional<size_t> other =
            cheapest(choice, segments.front().last, [&](ScheduleAttr s) { return !wholeKUnknown(s); }))
      choice.variants.push_back(choice.candidates[*other].schedule);
  if (choice.variants.empty() || !scheduleRequirements(op, choice.variants.back()).empty()) {
    ScheduleCandidate &any = choice.candidates.emplace_back();
    any.schedule = scheduleForAnything(op, target);
    for (const ProblemSize &size : choice.sizes)
      any.costs.push_back(scheduleCost(op, any.schedule, size, target));
    if (segments.empty())
      std::fill(choice.chosen.begin(), choice.chosen.end(), choice.candidates.size() - 1);
    choice.variants.push_back(any.schedule);
  }
  return choice;
}
