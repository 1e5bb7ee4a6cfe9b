// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of an entry's kernels, in this order: the inputs as written (a tensor, rank 0 included, as a
// pointer; a scalar by value), the results as pointers, one i32 per dynamic dimension of the inputs, one i64
// stride in elements per dimension but the innermost of strided tensors, the workspace if there is one.
// Dynamic dimensions of results are no arguments: they follow from the inputs, and whoever lowers the entry's
// operation says how (`setSize`).
//
// Names: the argument's (the result's) attribute `lowp.name`, else "arg0", "arg1", ... and "result0", ...;
// "a.0" is dimension 0 of a, "a.stride.0" its stride.
//
// Sizes and strides are affine expressions over the arguments' symbols (s_i is argument i), so that the
// kernel, the grid and the conditions are made from one description.
#ifndef LOWP_LIB_CONVERSION_LOWPTOTILE_ENTRYABI_H
#define LOWP_LIB_CONVERSION_LOWPTOTILE_ENTRYABI_H

#include "Conditions.h"
#include "lowp/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lowp {

/// A tensor behind a pointer argument.
struct AbiTensor {
  std::string name;
  mlir::RankedTensorType type;
  unsigned pointer = 0; ///< the argument's number
  bool result = false, strided = false;
  llvm::SmallVector<mlir::AffineExpr> sizes;   ///< null where a result's is not set yet
  llvm::SmallVector<mlir::AffineExpr> strides; ///< arguments, in elements; empty unless strided

  unsigned elementBits() const { return type.getElementTypeBitWidth(); }
  /// Bytes of a row (of all elements that follow each other), 1 element for rank 0.
  mlir::AffineExpr rowBytes() const;
  /// Bytes from one index of dimension `dim`, which is not the innermost, to the next.
  mlir::AffineExpr strideBytes(unsigned dim) const;
};

class EntryAbi {
public:
  /// Reports at `func` what cannot be an argument.
  static mlir::FailureOr<EntryAbi> create(mlir::func::FuncOp func);

  /// The tensor of an argument or a result of the function; null if it is a scalar.
  const AbiTensor *input(unsigned argument) const;
  const AbiTensor &result(unsigned number) const { return tensors[firstResult + number]; }
  /// The kernel argument that holds a scalar of the function.
  unsigned scalar(unsigned argument) const { return argument; }
  /// Dimension `dim` of `tensor` is known to equal `size`; of a result's dynamic dimension it has to be said.
  void setSize(const AbiTensor &tensor, unsigned dim, mlir::AffineExpr size);
  /// Adds the last argument, the memory that the launches of a variant share.
  void addWorkspace();
  unsigned workspace() const { return types.size() - 1; }

  unsigned size() const { return types.size(); }
  /// Symbol of argument i; `size()` is the number of compute units (in grids only).
  mlir::AffineExpr symbol(unsigned argument) const { return mlir::getAffineSymbolExpr(argument, context); }
  /// Every result's sizes have to be set.
  mlir::ArrayAttr arguments() const;
  mlir::FunctionType kernelType() const;
  /// Sets what the kernel may assume of its pointers.
  void setArgumentAttributes(tile::KernelOp kernel) const;
  /// What the entry asks for whatever its operation: sizes and strides in range.
  void addConditions(Conditions &conditions) const;

private:
  explicit EntryAbi(mlir::MLIRContext *context) : context(context) {}
  unsigned add(tile::ArgumentKind kind, const llvm::Twine &name, mlir::Type type, mlir::Type kernelType);

  mlir::MLIRContext *context;
  llvm::SmallVector<tile::ArgumentAttr> attributes; ///< without the sizes of results
  llvm::SmallVector<mlir::Type> types;              ///< of the kernel's arguments
  llvm::SmallVector<AbiTensor> tensors;             ///< inputs, then results
  unsigned firstResult = 0;
  bool hasWorkspace = false;
};

/// The arguments inside one kernel. Values are made once, at the builder's position of the first request.
class KernelArguments {
public:
  KernelArguments(tile::KernelOp kernel, mlir::OpBuilder &builder) : kernel(kernel), builder(builder) {}

  mlir::Value argument(unsigned number) { return kernel.getBody().getArgument(number); }
  /// The expression as an index, or as an i64.
  mlir::Value index(mlir::AffineExpr expr) { return create(expr, builder.getIndexType()); }
  mlir::Value i64(mlir::AffineExpr expr) { return create(expr, builder.getI64Type()); }
  /// The whole tensor as a view that promises accesses of `vector` bytes.
  mlir::Value view(const AbiTensor &tensor, unsigned vector);

private:
  mlir::Value create(mlir::AffineExpr expr, mlir::Type type);

  tile::KernelOp kernel;
  mlir::OpBuilder &builder;
  llvm::DenseMap<std::pair<mlir::AffineExpr, mlir::Type>, mlir::Value> values;
};

} // namespace lowp

#endif // LOWP_LIB_CONVERSION_LOWPTOTILE_ENTRYABI_H
