// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of an entry's tensors. Dimensions that the operations force to be equal (K of both operands, a
// bias and the columns of the result) form one class; a class that no type gives a size is a variable, named
// after the first argument dimension in it ("a.0"). Works on the entry as written, before any pass.
#ifndef LOWP_DRIVER_SIZES_H
#define LOWP_DRIVER_SIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace lowp {

/// The names that callers know: the attribute `lowp.name`, else "arg0", "result0", ...
std::string argumentName(mlir::func::FuncOp entry, unsigned argument);
std::string resultName(mlir::func::FuncOp entry, unsigned result);

/// `ARG.DIM=VALUE` of a command line.
struct SizeBinding {
  std::string argument;
  unsigned dim = 0;
  int64_t value = 0;
};
llvm::Expected<SizeBinding> parseSizeBinding(llvm::StringRef text);

/// One value per variable.
using SizeValues = std::vector<int64_t>;

class EntrySizes {
public:
  /// Reports at the operation that contradicts another one, or whose sizes cannot be followed.
  static mlir::FailureOr<EntrySizes> create(mlir::func::FuncOp entry);

  size_t variables() const { return names.size(); }
  llvm::StringRef name(unsigned variable) const { return names[variable]; }

  /// The values that the bindings give, 0 for variables without one. Bindings of static dimensions have to
  /// agree.
  llvm::Expected<SizeValues> bind(llvm::ArrayRef<SizeBinding> bindings) const;
  /// Sets of values that complete `bound`: all ones, odd ones, the edges of tiles and their neighbours, few
  /// rows. One set if nothing is left open.
  std::vector<SizeValues> pick(const SizeValues &bound) const;

  /// The shape of any tensor of the entry's body.
  llvm::SmallVector<int64_t, 3> shapeOf(mlir::Value tensor, const SizeValues &values) const;
  llvm::SmallVector<int64_t, 3> resultShape(unsigned result, const SizeValues &values) const;
  /// "a.0=33 a.1=77"; empty without variables.
  std::string text(const SizeValues &values) const;

private:
  /// A known size, or a variable.
  struct Extent {
    int64_t size = 0;
    int variable = -1;
  };
  friend class SizeAnalysis;

  mlir::func::FuncOp entry;
  std::vector<std::string> names;
  std::vector<bool> batch; ///< per variable: counts matrices
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Extent, 3>> extents;
};

} // namespace lowp

#endif // LOWP_DRIVER_SIZES_H
