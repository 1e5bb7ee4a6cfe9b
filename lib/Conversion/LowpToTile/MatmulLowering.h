// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowp.matmul as an entry, shared by the files that lower it: its tensors, sizes and kernels in
// MatmulLowering.cpp, what splitting K over workgroups adds in MatmulSplit.cpp.
#ifndef LOWP_LIB_CONVERSION_LOWPTOTILE_MATMULLOWERING_H
#define LOWP_LIB_CONVERSION_LOWPTOTILE_MATMULLOWERING_H

#include "EntryLowering.h"
#include "TileAccess.h"

namespace lowp {

enum Axis : unsigned { batchAxis, rowAxis, columnAxis, depthAxis, splitAxis, axisCount };

/// A tensor of the operation and the axis of each of its dimensions.
struct Operand {
  const AbiTensor *tensor = nullptr;
  llvm::SmallVector<unsigned> axes;
};

/// A value captured by the epilogue: a tensor, or a scalar argument.
struct Capture {
  Operand operand; ///< without a tensor: a scalar
  unsigned scalar = 0;
};

/// A tile's parts along rows and columns: their sizes, and the origin of each.
struct TileParts {
  llvm::SmallVector<mlir::Value> rows, columns;
  int64_t rowSize, columnSize;
};

/// The part of K that one workgroup sums up: from `origin`, null for 0, at least 1 element. Of a slice that
/// has none they lie behind the end of K, where all is 0.
struct DepthSlice {
  mlir::Value origin, size;
  bool whole; ///< no trip reaches beyond the end of K
};

class MatmulLowering : public EntryLowering {
public:
  MatmulLowering(MatmulOp op, EntryAbi &abi) : op(op), abi(abi), context(op.getContext()) {}

  mlir::LogicalResult analyse(Conditions &conditions) override;
  llvm::SmallVector<ScheduleAttr> schedules() override { return op.getScheduleList(); }
  void addConditions(ScheduleAttr schedule, Conditions &conditions) override;
  void addReach(ScheduleAttr schedule, Conditions &conditions) override;
  mlir::AffineExpr workspaceBytes(ScheduleAttr schedule) override;
  llvm::SmallVector<KernelPlan> launches(ScheduleAttr schedule) override;

private:
  mlir::FailureOr<const AbiTensor *> inputTensor(mlir::Value value, llvm::StringRef what);
  mlir::LogicalResult findOperands();
  void unify(Conditions &conditions);
  llvm::SmallVector<const Operand *> tensors() const;
  unsigned vectorBytes(const Operand &operand, ScheduleAttr schedule) const;
  bool isWhole(unsigned axis, int64_t tile) const;

  mlir::LogicalResult createProduct(ScheduleAttr schedule, tile::KernelOp kernel, mlir::OpBuilder &builder);
  llvm::SmallVector<mlir::Value> createSums(ScheduleAttr schedule, mlir::OpBuilder &builder,
                                            KernelArguments &arguments, const TileParts &parts,
                                            TileFrame frame);
  mlir::Value createScaled(mlir::OpBuilder &builder, KernelArguments &arguments, const TileFrame &frame,
                           mlir::Value sum);
  mlir::FailureOr<mlir::Value> createEpilogue(ScheduleAttr schedule, mlir::OpBuilder &builder,
                                              KernelArguments &arguments, const TileFrame &frame,
                                              mlir::Value sum);
  mlir::LogicalResult storeResult(ScheduleAttr schedule, mlir::OpBuilder &builder, KernelArguments &arguments,
                                  const TileFrame &frame, mlir::Value sum);
  /// How many products there are.
  mlir::AffineExpr batches() const {
    return sizes[batchAxis] ? sizes[batchAxis] : mlir::getAffineConstantExpr(1, context);
  }

  // K split over workgroups (MatmulSplit.cpp).
  AbiTensor partialSums(ScheduleAttr schedule) const;
  llvm::SmallVector<unsigned> partialAxes() const;
  DepthSlice createSlice(ScheduleAttr schedule, mlir::OpBuilder &builder, KernelArguments &arguments);
  void storePartialSum(ScheduleAttr schedule, mlir::OpBuilder &builder, KernelArguments &arguments,
                       TileFrame frame, mlir::Value sum);
  KernelPlan reduction(ScheduleAttr schedule);
  mlir::LogicalResult createReduction(ScheduleAttr schedule, tile::KernelOp kernel, mlir::OpBuilder &builder);

  MatmulOp op;
  EntryAbi &abi;
  mlir::MLIRContext *context;
  Operand a, b, result;
  llvm::SmallVector<Operand> scales; ///< in the order in which they multiply
  llvm::SmallVector<Capture> captures;
  mlir::AffineExpr sizes[axisCount]; ///< null: no such axis (batch)
};

} // namespace lowp

#endif // LOWP_LIB_CONVERSION_LOWPTOTILE_MATMULLOWERING_H
