// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products in the words of hipblaslt-bench, and the one place where its column-major meaning becomes
// the row-major operation of lowp (docs/spec/lowp-bench.md).
//
// hipBLASLt: D = activation(alpha * scaleA * scaleB * op(A) op(B) + beta * C + bias), D of m x n, every
// matrix column-major with leading dimension ld, the bias along m. A column-major matrix is the row-major
// transposed one, and D^T = op(B)^T op(A)^T, so the first operand of lowp.matmul is B and the second one A.
#ifndef LOWP_DRIVER_HIPBLASLT_H
#define LOWP_DRIVER_HIPBLASLT_H

#include "lowp/Driver/Problem.h"
#include "lowp/Driver/Sizes.h"
#include "lowp/Numerics/Format.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>

namespace lowp {

/// "f8_r" is OCP's E4M3 and "bf8_r" its E5M2; "f8_fnuz_r" and "bf8_fnuz_r" are the FNUZ types.
std::optional<Format> parseHipblasltType(llvm::StringRef word);
llvm::StringRef hipblasltType(Format format);

enum class Activation { None, Relu, Gelu, Swish, Clamp };
std::optional<Activation> parseActivation(llvm::StringRef word);
llvm::StringRef name(Activation activation);

/// A leading dimension or batch stride of 0 stands for hipblaslt-bench's default: no gap.
struct HipblasltProblem {
  int64_t m = 128, n = 128, k = 128, batch = 1;
  bool transA = false, transB = false;
  Format a = Format::F16, b = Format::F16, d = Format::F16; ///< C is of D's type
  int64_t lda = 0, ldb = 0, ldc = 0, ldd = 0;
  int64_t strideA = 0, strideB = 0, strideC = 0, strideD = 0;
  float alpha = 1, beta = 0;
  bool scaleA = false, scaleB = false; ///< one f32 for the whole matrix
  std::optional<Format> bias;          ///< its type, if there is one
  Activation activation = Activation::None;
  float activationArg1 = 0, activationArg2 = 0; ///< of clamp: the ends

  // Not hipBLASLt's.
  bool dynamic = false; ///< sizes, leading dimensions and strides are arguments of the kernel, not constants
  std::string schedule; ///< fields of the operation's #lowp.schedule; empty: the compiler chooses
  std::map<std::string, uint64_t> misalignment; ///< bytes, by "a", "b", "c", "d", "bias"

  /// Puts the defaults in; an error names the option that is wrong and what is accepted.
  llvm::Error complete();
  /// The options that make this problem, defaults left out.
  std::string options() const;
};

/// The operation and its operands. Arguments are named as in hipBLASLt: "a", "b", "c", "d", "bias", "scaleA",
/// "alpha", ...
struct RowMajorProblem {
  std::string mlir;                      ///< a module with the entry @gemm
  Placement placement;                   ///< strides of those that have some
  std::vector<SizeBinding> sizes;        ///< of dynamic dimensions
  std::map<std::string, double> numbers; ///< alpha and beta
};

/// `problem` must be complete.
RowMajorProblem toRowMajor(const HipblasltProblem &problem);

} // namespace lowp

#endif // LOWP_DRIVER_HIPBLASLT_H
