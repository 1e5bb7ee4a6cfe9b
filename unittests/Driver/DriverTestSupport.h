// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries from text, and the diagnostics that they give.
#ifndef LOWP_UNITTESTS_DRIVER_DRIVERTESTSUPPORT_H
#define LOWP_UNITTESTS_DRIVER_DRIVERTESTSUPPORT_H

#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Driver/Evaluate.h"
#include "lowp/Driver/Problem.h"
#include "lowp/Driver/Sizes.h"
#include "lowp/Numerics/Reference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace lowp {

class DriverTest : public ::testing::Test {
protected:
  DriverTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          messages += (messages.empty() ? "" : "\n") + diagnostic.str();
          return mlir::success();
        }) {
    context.loadDialect<LowpDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::math::MathDialect, mlir::tensor::TensorDialect>();
  }

  /// The only function of the text.
  mlir::func::FuncOp parse(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << messages << "\n" << text.str();
      return {};
    }
    return *module->getOps<mlir::func::FuncOp>().begin();
  }

  /// The whole result 0 of the entry for these sizes.
  std::vector<Approx> evaluateAll(mlir::func::FuncOp entry, Problem &problem,
                                  const EvaluateOptions &options) {
    Selection selection;
    for (int64_t size : problem.results[0].shape)
      selection.push_back(allIndices(size));
    mlir::FailureOr<std::vector<Approx>> values =
        Evaluator(entry, problem.arguments, options).evaluate(0, selection);
    if (mlir::failed(values)) {
      ADD_FAILURE() << messages;
      return {};
    }
    return *values;
  }

  mlir::MLIRContext context;
  std::string messages;
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace lowp

#endif // LOWP_UNITTESTS_DRIVER_DRIVERTESTSUPPORT_H
