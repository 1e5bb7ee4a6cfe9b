// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One problem for an entry: tensors of given sizes in memory, filled with seeded data. Everything that is no
// element is 0xff, which is NaN in most formats: what a kernel takes from padding shows in the result.
#ifndef LOWP_DRIVER_PROBLEM_H
#define LOWP_DRIVER_PROBLEM_H

#include "lowp/Driver/Evaluate.h"
#include "lowp/Driver/HostTensor.h"
#include "lowp/Driver/Sizes.h"
#include <map>
#include <optional>

namespace lowp {

/// What the elements are. Random and Integers are those of Numerics/Fill.h (verification_v9,
/// verification_v12), the others those of hipblaslt-bench under the same words.
enum class DataKind { Random, Integers, Zero, Normal, Uniform01, Hpl, Special };
std::optional<DataKind> parseDataKind(llvm::StringRef word);
/// "rand, rand_int, ...".
std::string dataKindWords();

/// How tensors lie in memory, by the names of arguments and results.
struct Placement {
  /// In elements, of every dimension but the innermost; for tensors with strides of their own.
  std::map<std::string, llvm::SmallVector<int64_t, 2>> strides;
  /// Elements between the rows of strided tensors that `strides` does not name, and between their matrices.
  int64_t padding = 0;
  /// Bytes by which pointers miss an alignment of 256.
  std::map<std::string, uint64_t> misalignment;
};

class Problem {
public:
  /// Reports at the entry. Sizes that need more memory than `maxBytes` are refused.
  static mlir::FailureOr<Problem> create(mlir::func::FuncOp entry, const EntrySizes &sizes,
                                         const SizeValues &values, const Placement &placement);
  static constexpr int64_t maxBytes = HostTensor::maxBytes;

  Problem(Problem &&) = default;
  Problem &operator=(Problem &&) = default;

  /// New data in all inputs, 0xff in all results. Scalars that `numbers` names get its values.
  void fill(DataKind kind, uint64_t seed, const std::map<std::string, double> &numbers = {});

  std::vector<HostTensor> inputs, results; ///< tensors only, in order
  std::vector<ArgumentValue> arguments;    ///< of the function, in order; points into `inputs`
  std::vector<std::string> argumentNames;
  /// Multiply-adds of all products.
  int64_t work = 0;

private:
  Problem() = default;

  /// What the body does with an argument.
  struct Role {
    int64_t depth = 0; ///< K, if it is an operand of a product
  };
  std::vector<Role> roles; ///< per argument
  std::vector<mlir::Type> argumentTypes;
  int64_t resultBits = 24; ///< significand of the narrowest result
};

} // namespace lowp

#endif // LOWP_DRIVER_PROBLEM_H
