// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference interpreter: what an entry computes, taken from the IR as the user wrote it. It shares no
// code with the passes, so a mistake of theirs cannot hide in the expected values. Values are sets of what a
// correct device may give
// (`Approx`, docs/spec/verification.md); data whose sums are exact give sets of one value.
//
// Only the elements that are asked for are computed: a selection names indices of each dimension of the
// result, and operations are evaluated for a whole selection at a time, operands by need.
#ifndef LOWP_DRIVER_EVALUATE_H
#define LOWP_DRIVER_EVALUATE_H

#include "lowp/Driver/HostTensor.h"
#include "lowp/Numerics/Bound.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <memory>
#include <vector>

namespace lowp {

/// What the caller passes for one argument of an entry.
struct ArgumentValue {
  const HostTensor *tensor = nullptr; ///< null for scalars
  double number = 0;                  ///< of a floating-point scalar
  int64_t integer = 0;                ///< of an integer scalar
};

/// Indices per dimension, outermost first; stands for all their combinations, the last dimension running
/// fastest.
using Selection = std::vector<std::vector<int64_t>>;
size_t selectionSize(const Selection &selection);

struct EvaluateOptions {
  /// The data are integers: a sum whose magnitudes stay below 2^24 has one value; others are unknown.
  bool exactSums = false;
  /// Additions that join partial sums where K is split (verification_v5).
  int64_t joins = 0;
  unsigned threads = 2;
};

class Evaluator {
public:
  /// `arguments` are those of the function, in order.
  Evaluator(mlir::func::FuncOp entry, std::vector<ArgumentValue> arguments,
            const EvaluateOptions &options = {});
  ~Evaluator();

  /// The chosen elements of a result. Reports an operation that it does not know at its location.
  mlir::FailureOr<std::vector<Approx>> evaluate(unsigned result, const Selection &selection);

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace lowp

#endif // LOWP_DRIVER_EVALUATE_H
