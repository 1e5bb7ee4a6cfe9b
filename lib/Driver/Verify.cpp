// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two runs and their comparison. Results are compared in pieces of some 100000 elements, so that the
// reference's sets of values never need much memory; above 2^28 multiply-adds (verification_v2) only rows and
// columns at the edges of the variant's tiles and some more.
#include "lowp/Driver/Verify.h"

#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Numerics/Fill.h"
#include "lowp/Numerics/Reference.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace lowp;

std::string VerifyRun::verdict() const {
  if (failures.empty())
    return "ok";
  StringRef first = failures.front();
  return first.take_until([](char c) { return c == ':'; }).str();
}

std::string VerifyRun::text() const {
  std::string line;
  llvm::raw_string_ostream os(line);
  os << (sizes.empty() ? "static sizes" : sizes) << ", variant '" << (variant ? variant->name : "?") << "': ";
  os << verdict();
  if (random.compared > 0)
    os << llvm::formatv("; error {0:e2} within {1:e2} ({2:p1} of the bound)", random.maxError,
                        random.boundOfMaxError, random.worstShare);
  if (exact.compared > 0)
    os << llvm::formatv("; {0} of {1} integers exact", exact.compared - exact.failures, exact.compared);
  if (leftOut > 0)
    os << ", " << leftOut << " left out";
  if (random.compared > 0 && share < 1)
    os << llvm::formatv("; {0:p2} of the elements compared", share);
  os << llvm::formatv("; {0} MFMA, {1} bank conflict cycles, {2} instructions", counters.mfma,
                      counters.bankConflicts, counters.instructions);
  return line;
}

FailureOr<Verifier> Verifier::create(func::FuncOp entry, Launcher &launcher) {
  FailureOr<EntrySizes> sizes = EntrySizes::create(entry);
  if (failed(sizes))
    return failure();
  return Verifier(entry, launcher, std::move(*sizes));
}

//===-- What to compare
//-----------------------------------------------------------------------------------===//

/// The schedule of a variant; null if it has none that parses.
static ScheduleAttr scheduleOf(func::FuncOp entry, const Variant &variant) {
  if (variant.schedule.empty())
    return {};
  // A text that is no attribute is no error of the user's.
  ScopedDiagnosticHandler quiet(entry.getContext(), [](Diagnostic &) { return success(); });
  return dyn_cast_or_null<ScheduleAttr>(parseAttribute(variant.schedule, entry.getContext()));
}

/// verification_v5: additions that join partial sums of K, of waves and of workgroups.
static int64_t joinsOf(func::FuncOp entry, const Variant &variant) {
  if (ScheduleAttr schedule = scheduleOf(entry, variant))
    return schedule.getWaves()[2] * schedule.getSplits() - 1;
  int64_t waves = 1;
  for (const Launch &launch : variant.launches)
    waves = std::max<int64_t>(waves, int64_t(launch.block[0]) * launch.block[1] * launch.block[2] / 64);
  return waves - 1;
}

static Selection chooseElements(func::FuncOp entry, const Variant &variant, const HostTensor &result,
                                int64_t work, uint64_t seed) {
  Selection selection;
  ScheduleAttr schedule = scheduleOf(entry, variant);
  size_t rank = result.shape.size();
  for (size_t dim = 0; dim < rank; ++dim) {
    if (work <= maxReferenceWork) {
      selection.push_back(allIndices(result.shape[dim]));
      continue;
    }
    bool matrix = dim + 2 >= rank;
    // A batch has no tiles: its ends and some between.
    int64_t tile = !matrix ? result.shape[dim] : schedule ? schedule.getTile()[dim + 2 - rank] : 64;
    selection.push_back(sampleIndices(result.shape[dim], tile, matrix ? 16 : 2, hashWord(seed, dim)));
  }
  return selection;
}

/// Calls `function` with parts of the selection that together are all of it.
static LogicalResult forEachPiece(const Selection &whole,
                                  llvm::function_ref<LogicalResult(const Selection &)> function) {
  constexpr size_t pieceElements = 1 << 17;
  size_t rank = whole.size();
  if (rank < 2)
    return function(whole);
  const std::vector<int64_t> &rows = whole[rank - 2];
  size_t step = std::max<size_t>(1, pieceElements / std::max<size_t>(whole[rank - 1].size(), 1));
  for (int64_t batch : rank == 3 ? whole[0] : std::vector<int64_t>{0})
    for (size_t row = 0; row < rows.size(); row += step) {
      Selection piece;
      if (rank == 3)
        piece.push_back({batch});
      piece.emplace_back(rows.begin() + row, rows.begin() + std::min(row + step, rows.size()));
      piece.push_back(whole[rank - 1]);
      if (failed(function(piece)))
        return failure();
    }
  return success();
}

static std::string coordinatesText(const Selection &selection, size_t element) {
  std::string text;
  for (size_t dim = selection.size(); dim-- > 0;) {
    text =
        std::to_string(selection[dim][element % selection[dim].size()]) + (text.empty() ? "" : ", ") + text;
    element /= selection[dim].size();
  }
  return "[" + text + "]";
}

LogicalResult Verifier::compare(const Problem &problem, const VerifyOptions &options, bool exact,
                                VerifyRun &run) {
  EvaluateOptions evaluation;
  evaluation.exactSums = exact;
  evaluation.joins = joinsOf(entry, *run.variant);
  evaluation.threads = options.threads;
  Evaluator evaluator(entry, problem.arguments, evaluation);
  Comparison &comparison = exact ? run.exact : run.random;
  double errorSquares = 0, squares = 0;
  int64_t elements = 0;
  std::string firstFailure;
  for (auto [number, result] : llvm::enumerate(problem.results)) {
    elements += result.elements();
    MatrixView view = result.view();
    Selection selection = chooseElements(entry, *run.variant, result, problem.work, options.seed);
    LogicalResult status = forEachPiece(
        selection, [&, number = number, &result = result](const Selection &piece) -> LogicalResult {
          FailureOr<std::vector<Approx>> expected = evaluator.evaluate(number, piece);
          if (failed(expected))
            return failure();
          static const std::vector<int64_t> only = {0};
          size_t rank = piece.size(), index = 0;
          for (int64_t batch : rank > 2 ? piece[0] : only)
            for (int64_t row : rank > 1 ? piece[rank - 2] : only)
              for (int64_t column : rank > 0 ? piece[rank - 1] : only) {
                const Approx &set = (*expected)[index];
                double actual = view.value(batch, row, column);
                if (exact && set.nan && std::isinf(set.lo) && std::isinf(set.hi)) {
                  ++run.leftOut;
                } else {
                  int64_t before = comparison.failures;
                  comparison.add(comparison.compared, set, actual);
                  if (comparison.failures != before && firstFailure.empty())
                    firstFailure =
                        llvm::formatv("{0}{1} is {2}, but must be {3}", result.name,
                                      coordinatesText(piece, index), llvm::format("%.9g", actual),
                                      set.lo == set.hi && !set.nan
                                          ? llvm::formatv("{0}", llvm::format("%.9g", set.lo)).str()
                                          : llvm::formatv("within {0} and {1}", llvm::format("%.9g", set.lo),
                                                          llvm::format("%.9g", set.hi))
                                                    .str() +
                                                (set.nan ? " or NaN" : ""))
                            .str();
                }
                double error = actual - set.value;
                if (!exact && std::isfinite(error)) {
                  errorSquares += error * error;
                  squares += set.value * set.value;
                }
                ++index;
              }
          return success();
        });
    if (failed(status))
      return failure();
  }
  if (!exact) {
    run.normError = squares > 0 ? std::sqrt(errorSquares / squares) : std::sqrt(errorSquares);
    run.share = elements > 0 ? double(comparison.compared) / double(elements) : 1;
  }
  if (comparison.failures > 0)
    run.failures.push_back(llvm::formatv("{0}: {1} of {2} elements; {3}",
                                         exact ? "wrong integers" : "outside the bound", comparison.failures,
                                         comparison.compared, firstFailure)
                               .str());
  return success();
}

//===-- Running
//-------------------------------------------------------------------------------------------===//

static LaunchArguments launchArguments(Problem &problem) {
  LaunchArguments arguments;
  for (HostTensor &tensor : problem.inputs)
    arguments.inputs.push_back(&tensor);
  for (HostTensor &tensor : problem.results)
    arguments.results.push_back(&tensor);
  for (auto [name, value] : llvm::zip_equal(problem.argumentNames, problem.arguments))
    if (!value.tensor)
      arguments.scalars[name] = {value.number, value.integer};
  return arguments;
}

LogicalResult Verifier::runOne(Problem &problem, const VerifyOptions &options, bool exact, VerifyRun &run) {
  problem.fill(exact ? DataKind::Integers : options.data, hashWord(options.seed, exact), options.numbers);
  sim::Options simulation;
  simulation.threads = options.threads;
  simulation.seed = options.seed;
  simulation.mfma = options.mfma;
  llvm::Expected<LaunchOutcome> outcome =
      launcher->run(entry.getSymName(), launchArguments(problem), run.variant->name, simulation,
                    exact ? nullptr : options.recorder);
  if (!outcome)
    return entry.emitOpError() << llvm::toString(outcome.takeError());
  bool completed = outcome->reports.size() == run.variant->launches.size();
  size_t findings = 0;
  for (const sim::Report &report : outcome->reports) {
    completed &= report.completed;
    run.seconds += report.seconds;
    for (const sim::Finding &finding : report.findings)
      if (findings++ < 8)
        run.failures.push_back(finding.kind + ": " + finding.text());
    if (exact && options.compare)
      continue;
    run.counters.instructions += report.counters.instructions;
    run.counters.mfma += report.counters.mfma;
    run.counters.bankConflicts += report.counters.ldsConflictCycles;
    run.counters.workgroups += report.counters.workgroups;
  }
  if (!completed) {
    run.failures.push_back("incomplete: the kernel did not reach its end");
    return success();
  }
  for (const HostTensor &result : problem.results)
    if (int64_t byte = result.firstChangedPadding(); byte >= 0)
      run.failures.push_back(
          llvm::formatv("padding: byte {0} of '{1}', which is no part of an element, was written",
                        byte - int64_t(result.offset), result.name)
              .str());
  if (!options.compare)
    return success();
  return compare(problem, options, exact, run);
}

FailureOr<std::vector<VerifyRun>> Verifier::run(const SizeValues &values, const VerifyOptions &options) {
  FailureOr<Problem> problem = Problem::create(entry, entrySizes, values, options.placement);
  if (failed(problem))
    return failure();
  problem->fill(DataKind::Zero, 0, options.numbers);
  llvm::Expected<std::vector<const Variant *>> accepted =
      launcher->accepted(entry.getSymName(), launchArguments(*problem));
  if (!accepted)
    return entry.emitOpError() << llvm::toString(accepted.takeError());
  std::vector<const Variant *> chosen = *accepted;
  if (options.variant.empty()) {
    chosen.resize(1);
  } else if (options.variant != "all") {
    llvm::erase_if(chosen, [&](const Variant *variant) { return variant->name != options.variant; });
    if (chosen.empty()) {
      // The launcher says why.
      llvm::Expected<LaunchOutcome> outcome =
          launcher->run(entry.getSymName(), launchArguments(*problem), options.variant);
      return entry.emitOpError() << (outcome ? "variant '" + options.variant + "' is not accepted"
                                             : llvm::toString(outcome.takeError()));
    }
  }
  // verification_v3
  std::vector<VerifyRun> runs;
  for (const Variant *variant : chosen) {
    VerifyRun run;
    run.variant = variant;
    run.sizes = entrySizes.text(values);
    if (failed(runOne(*problem, options, /*exact=*/false, run)))
      return failure();
    if (options.compare && failed(runOne(*problem, options, /*exact=*/true, run)))
      return failure();
    runs.push_back(std::move(run));
  }
  return std::move(runs);
}

FailureOr<std::vector<VerifyRun>> Verifier::runAll(ArrayRef<SizeBinding> bindings,
                                                   const VerifyOptions &options) {
  llvm::Expected<SizeValues> bound = entrySizes.bind(bindings);
  if (!bound)
    return entry.emitOpError() << llvm::toString(bound.takeError());
  static constexpr int64_t gaps[] = {0, 3, 16, 1, 5, 8};
  std::vector<VerifyRun> all;
  for (auto [number, values] : llvm::enumerate(entrySizes.pick(*bound))) {
    VerifyOptions own = options;
    own.placement.padding = gaps[number % std::size(gaps)];
    FailureOr<std::vector<VerifyRun>> runs = run(values, own);
    if (failed(runs))
      return failure();
    all.insert(all.end(), std::make_move_iterator(runs->begin()), std::make_move_iterator(runs->end()));
  }
  return std::move(all);
}
