// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report for people, and the JSON for programs. One list of terms makes both.

#include "lowp/Driver/ScheduleReport.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleLegality.h"
#include "lowp/Driver/SourcePlace.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace lowp;

namespace {
/// One number of a cost: its heading in the table, its key in the JSON.
struct Term {
  StringLiteral heading, key;
  double (*of)(const ScheduleCost &);
};
} // namespace

static constexpr Term terms[] = {
    {"clocks", "clocks", [](const ScheduleCost &c) { return c.clocks(); }},
    {"launch", "launch", [](const ScheduleCost &c) { return c.launch; }},
    {"compute", "compute", [](const ScheduleCost &c) { return c.compute; }},
    {"memory", "memory", [](const ScheduleCost &c) { return c.memory; }},
    {"power", "power", [](const ScheduleCost &c) { return c.power; }},
    {"traffic", "traffic", [](const ScheduleCost &c) { return c.traffic; }},
    {"groups", "workgroups", [](const ScheduleCost &c) { return c.workgroups; }},
    {"resident", "resident", [](const ScheduleCost &c) { return c.resident; }},
    {"rounds", "rounds", [](const ScheduleCost &c) { return c.rounds; }},
    {"begin", "prologue", [](const ScheduleCost &c) { return c.prologue; }},
    {"steps", "steps", [](const ScheduleCost &c) { return c.steps; }},
    {"end", "epilogue", [](const ScheduleCost &c) { return c.epilogue; }},
    {"matrix", "step_matrix", [](const ScheduleCost &c) { return c.step.matrix; }},
    {"LDS", "step_lds", [](const ScheduleCost &c) { return c.step.lds; }},
    {"L1", "step_l1", [](const ScheduleCost &c) { return c.step.l1; }},
    {"L2", "step_l2", [](const ScheduleCost &c) { return c.step.l2; }},
    {"latency", "step_latency", [](const ScheduleCost &c) { return c.step.flight; }},
    {"issue", "step_issue", [](const ScheduleCost &c) { return c.step.issue; }},
    {"chain", "step_chain", [](const ScheduleCost &c) { return c.step.chain; }},
};

static std::string number(double value) { return std::to_string(int64_t(std::min(std::round(value), 9e18))); }

template <typename T> static std::string textOf(const T &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static std::string sizeText(int64_t size) { return ShapedType::isDynamic(size) ? "?" : std::to_string(size); }

ScheduleReport::ScheduleReport(MatmulOp op, const Target &target)
    : target(target.chip().str()), place(sourcePlace(op.getLoc())), choice(chooseSchedules(op, target)) {
  if (auto symbol = op->getParentOfType<SymbolOpInterface>())
    entry = symbol.getName().str();
  problem = "M " + sizeText(op.getRows()) + ", N " + sizeText(op.getColumns()) + ", K " +
            sizeText(op.getDepth()) + ", " + textOf(op.getAType().getElementType()) + " by " +
            textOf(op.getBType().getElementType()) + " to " + textOf(op.getResultType().getElementType());
  for (ScheduleAttr schedule : op.getScheduleList()) {
    ScheduleCandidate &candidate = written.emplace_back();
    candidate.schedule = schedule;
    candidate.refused = scheduleFault(op, schedule, target);
    if (candidate.refused.empty())
      for (const ProblemSize &size : choice.sizes)
        candidate.costs.push_back(scheduleCost(op, schedule, size, target));
  }
}

/// The rows for which `size` stands.
std::string ScheduleReport::range(size_t size) const {
  if (choice.sizes.size() == 1)
    return number(choice.sizes[size].rows);
  std::string first = size == 0 ? "1" : number(choice.sizes[size - 1].rows + 1);
  if (size + 1 == choice.sizes.size())
    return first + " and more";
  std::string last = number(choice.sizes[size].rows);
  return first == last ? first : first + " to " + last;
}

std::string ScheduleReport::text() const {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << "product in '" << entry << "' on " << target << (place.empty() ? "" : ", " + place) << ": " << problem
     << "\n";
  if (!written.empty())
    os << "  its schedules are written by hand; lowp would choose\n";
  size_t width = 9;
  for (const auto *list : {&choice.candidates, &written})
    for (const ScheduleCandidate &candidate : *list)
      width = std::max(width, candidate.schedule.getName().size());
  for (ScheduleAttr variant : choice.variants)
    os << "  variant " << llvm::left_justify(variant.getName(), width) << " " << textOf(variant) << "\n";
  for (const auto *list : {&written, &choice.candidates})
    for (const ScheduleCandidate &candidate : *list)
      if (!candidate.refused.empty())
        os << "  refused " << llvm::left_justify(candidate.schedule.getName(), width) << " "
           << candidate.refused << "\n";

  for (size_t index = 0; index < choice.sizes.size(); ++index) {
    const ProblemSize &size = choice.sizes[index];
    os << "  M " << range(index) << ", weighed as " << number(size.rows) << " x " << number(size.columns)
       << " x " << number(size.depth) << (size.batch > 1 ? ", batch " + number(size.batch) : "")
       << "; in engine clocks, those from matrix on of one step of K:\n";
    os << "    " << llvm::left_justify("candidate", width);
    for (const Term &term : terms)
      os << " " << llvm::right_justify(term.heading, 9);
    os << "  bound\n";
    std::vector<std::pair<const ScheduleCandidate *, bool>> rows;
    for (const ScheduleCandidate &candidate : written)
      if (candidate.refused.empty())
        rows.push_back({&candidate, false});
    for (auto [i, candidate] : llvm::enumerate(choice.candidates))
      if (candidate.refused.empty())
        rows.push_back({&candidate, choice.chosen[index] == i});
    llvm::stable_sort(rows, [&](const auto &x, const auto &y) {
      return x.first->costs[index].clocks() < y.first->costs[index].clocks();
    });
    for (auto [candidate, chosen] : rows) {
      const ScheduleCost &cost = candidate->costs[index];
      os << "  " << (chosen ? "* " : "  ") << llvm::left_justify(candidate->schedule.getName(), width);
      for (const Term &term : terms)
        os << " " << llvm::right_justify(number(term.of(cost)), 9);
      os << "  " << cost.bound() << "\n";
    }
  }
  return result;
}

static llvm::json::Value costJSON(const ScheduleCost &cost) {
  llvm::json::Object object{{"bound", cost.bound()}};
  for (const Term &term : terms)
    object[term.key] = std::round(term.of(cost));
  return object;
}

static llvm::json::Array candidatesJSON(llvm::ArrayRef<ScheduleCandidate> candidates) {
  llvm::json::Array list;
  for (const ScheduleCandidate &candidate : candidates) {
    llvm::json::Array costs;
    for (const ScheduleCost &cost : candidate.costs)
      costs.push_back(costJSON(cost));
    list.push_back(llvm::json::Object{{"name", candidate.schedule.getName()},
                                      {"schedule", textOf(candidate.schedule)},
                                      {"refused", candidate.refused},
                                      {"costs", std::move(costs)}});
  }
  return list;
}

llvm::json::Value ScheduleReport::toJSON() const {
  llvm::json::Array sizes, chosen, variants;
  for (auto [index, size] : llvm::enumerate(choice.sizes)) {
    sizes.push_back(
        llvm::json::Object{{"m", size.rows}, {"n", size.columns}, {"k", size.depth}, {"batch", size.batch}});
    chosen.push_back(choice.candidates[choice.chosen[index]].schedule.getName());
  }
  for (ScheduleAttr variant : choice.variants)
    variants.push_back(textOf(variant));
  return llvm::json::Object{{"target", target},
                            {"entry", entry},
                            {"place", place},
                            {"problem", problem},
                            {"sizes", std::move(sizes)},
                            {"candidates", candidatesJSON(choice.candidates)},
                            {"chosen", std::move(chosen)},
                            {"variants", std::move(variants)},
                            {"by_hand", candidatesJSON(written)}};
}
