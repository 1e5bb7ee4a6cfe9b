// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of a compiled entry: the code object runs on the simulator and its results are compared with
// the reference interpreter's, twice (docs/spec/verification.md): random data within the derived bound,
// integer data exactly. A finding of the simulator's checks and a changed byte between the elements are
// failures as well.
#ifndef LOWP_DRIVER_VERIFY_H
#define LOWP_DRIVER_VERIFY_H

#include "lowp/Driver/Launcher.h"
#include "lowp/Driver/Problem.h"
#include "lowp/Numerics/Bound.h"
#include "lowp/Sim/Simulator.h"
#include <map>
#include <string>
#include <vector>

namespace lowp {

struct VerifyOptions {
  uint64_t seed = 1;
  /// "": the variant that the chooser takes; "all": each that accepts the sizes; else the name of one.
  std::string variant;
  DataKind data = DataKind::Random;      ///< of the first run
  std::map<std::string, double> numbers; ///< values of scalars; drawn otherwise
  Placement placement;
  bool compare = true; ///< false: run only, once
  unsigned threads = 2;
  sim::MfmaMode mfma = sim::MfmaMode::Exact; ///< how matrix instructions sum
  LaunchRecorder *recorder = nullptr;        ///< writes the launches of the first run
};

/// What the simulator counted in one run, summed over the launches.
struct RunCounters {
  uint64_t instructions = 0, mfma = 0, bankConflicts = 0, workgroups = 0;
};

/// One variant on one set of sizes.
struct VerifyRun {
  std::string sizes; ///< "a.0=33 a.1=77"
  const Variant *variant = nullptr;
  Comparison random, exact;
  int64_t leftOut = 0;  ///< elements of the exact run whose sums may have passed 2^24
  double share = 1;     ///< of the result's elements that were compared
  double normError = 0; ///< Frobenius norm of the random run's error over that of its reference
  RunCounters counters; ///< of the random run
  double seconds = 0;   ///< in the simulator, both runs
  /// What is wrong, first things first; empty if nothing is.
  std::vector<std::string> failures;

  bool passed() const { return failures.empty(); }
  /// "ok", or what kind of thing is wrong.
  std::string verdict() const;
  /// One line: sizes, variant, error against bound, share, counters.
  std::string text() const;
};

class Verifier {
public:
  /// `entry` is the function as the user wrote it, and has to outlive the verifier, as has `launcher`.
  /// Reports at the entry.
  static mlir::FailureOr<Verifier> create(mlir::func::FuncOp entry, Launcher &launcher);

  const EntrySizes &sizes() const { return entrySizes; }

  /// One set of sizes; one run per variant. What keeps it from running at all (sizes that the entry refuses,
  /// an operation that the interpreter does not know) is reported at the entry.
  mlir::FailureOr<std::vector<VerifyRun>> run(const SizeValues &values, const VerifyOptions &options);

  /// The sets that the bindings leave open (EntrySizes::pick), tensors with strides getting different gaps in
  /// each.
  mlir::FailureOr<std::vector<VerifyRun>> runAll(llvm::ArrayRef<SizeBinding> bindings,
                                                 const VerifyOptions &options);

private:
  Verifier(mlir::func::FuncOp entry, Launcher &launcher, EntrySizes sizes)
      : entry(entry), launcher(&launcher), entrySizes(std::move(sizes)) {}
  mlir::LogicalResult runOne(Problem &problem, const VerifyOptions &options, bool exact, VerifyRun &run);
  mlir::LogicalResult compare(const Problem &problem, const VerifyOptions &options, bool exact,
                              VerifyRun &run);

  mlir::func::FuncOp entry;
  Launcher *launcher;
  EntrySizes entrySizes;
};

} // namespace lowp

#endif // LOWP_DRIVER_VERIFY_H
