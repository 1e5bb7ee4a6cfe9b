// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of tile-assign-layouts: the rules by which a layout passes one operation
// (AssignLayoutsRules.cpp), the choice for all values of a kernel (AssignLayoutsGroups.cpp) and where stored
// values leave it (AssignLayoutsStores.cpp), the ways through LDS (AssignLayoutsMemory.cpp) and the pass
// itself, which rewrites the kernel (AssignLayouts.cpp).
#ifndef LOWP_LIB_DIALECT_TILE_TRANSFORMS_ASSIGNLAYOUTS_H
#define LOWP_LIB_DIALECT_TILE_TRANSFORMS_ASSIGNLAYOUTS_H

#include "lowp/Dialect/Tile/IR/Tile.h"
#include "lowp/Layout/TileLayouts.h"
#include "lowp/Target/Target.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

namespace lowp::tile {

//===-- Rules
//--------------------------------------------------------------------------------------------------------===//

/// `fragment` is cut to the registers that there are.
LinearAttr makeLinear(mlir::MLIRContext *context, LinearLayout layout, unsigned fragment);

/// The layout without dimension `dim`: lanes and waves that moved along it hold copies, registers that did
/// are dropped.
LinearAttr withoutDim(LinearAttr source, unsigned dim);
/// The layout with a new dimension `dim` of `size`, all of it in further registers of each lane.
LinearAttr withDimInRegisters(LinearAttr source, unsigned dim, int32_t size);
/// A source that a wave can reduce along `dim`, of `size`, to `result`: the new dimension takes registers up
/// to one access of LDS, then the lanes that hold copies of the result, then further registers.
LinearAttr reductionSource(LinearAttr result, unsigned dim, int32_t size);
/// What the source of a broadcast to `result` along the dimensions that are not in `dims` has to be.
LinearAttr broadcastSource(LinearAttr result, llvm::ArrayRef<int64_t> dims);

/// Whether a wave by itself can reduce along `dim`: no wave bit moves along it, and no bit along it and
/// another.
bool canReduce(LinearAttr source, unsigned dim);
/// Whether every lane finds what it needs for `to` in its own registers.
bool isRegisterPermutation(LinearAttr from, LinearAttr to);

/// The tile's dimension along which global memory runs, how many elements one access may move, and the bits
/// of each.
struct MemoryRun {
  unsigned dim;
  unsigned elements;
  unsigned bits;
};
/// Nothing when no dimension of the tile runs along the innermost dimension of the view.
std::optional<MemoryRun> memoryRun(ViewType view, mlir::AffineMap map);

/// Layouts of a product.
struct MmaDemand {
  LinearAttr a, b, acc;
};
mlir::FailureOr<MmaDemand> mmaDemand(MmaOp op, unsigned kernelWaves, const Target &target);

bool isElementwise(mlir::Operation *op);

/// How many of `elements` neighbours in memory a lane holds: a small tile is spread over the lanes rather
/// than held in a few, down to four bytes each.
unsigned laneVector(mlir::RankedTensorType type, unsigned elements, unsigned waves);
/// The layout that suits memory: neighbouring lanes continue along it up to a line of 128 bytes, then go on
/// to other rows, and waves share what is left of the rows before they share the rows. Whole lines are as
/// good as longer runs there, and of lanes in several rows LDS serves more at once.
LinearLayout layoutByMemory(mlir::RankedTensorType type, const MemoryRun &run, unsigned waves);

//===-- Choice
//-------------------------------------------------------------------------------------------------------===//

/// A layout for every tile of a kernel. Values that flow into each other, or meet in an element-wise
/// operation, form groups with one layout.
class LayoutGroups {
public:
  LayoutGroups(KernelOp kernel, const Target &target) : kernel(kernel), target(target) {}
  /// Reports what it cannot handle.
  mlir::LogicalResult assign();

  llvm::ArrayRef<mlir::Value> getValues() const { return values; }
  LinearAttr layoutOf(mlir::Value value) const;
  /// The layout in which the operation wants this operand; null when it takes the value's own.
  LinearAttr demandOf(mlir::OpOperand &operand) const;
  /// The layout in which the operation gives the result, which need not be that of the value's group.
  LinearAttr producedBy(mlir::OpResult result) const;

private:
  mlir::LogicalResult number();
  void joinFlow();
  mlir::LogicalResult anchorProducts();
  void joinElementwise();
  void spreadSlices();
  void anchorOperands();
  bool anchorOneByMemory();

  unsigned leaderOf(mlir::Value value) const { return classes.findLeader(numbers.at(value)); }
  /// No effect when both have layouts, which differ.
  void join(mlir::Value first, mlir::Value second);
  /// Whether this was the group's first layout.
  bool anchor(mlir::Value value, LinearAttr layout);
  LinearAttr blocked(unsigned leader);

  KernelOp kernel;
  const Target &target;
  llvm::SmallVector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::IntEqClasses classes;
  llvm::DenseMap<unsigned, LinearAttr> layouts; ///< by leader
  llvm::DenseMap<mlir::Operation *, MmaDemand> products;
};

/// Cuts stored values off the groups of their accumulators where these make narrow stores, by conversions
/// between types without layouts. Whether there were any; `groups` is then out of date.
bool widenStores(KernelOp kernel, const LayoutGroups &groups, const Target &target);

//===-- Ways through LDS
//---------------------------------------------------------------------------------------------===//

/// Builds LDS buffers of one kernel.
class LocalMemory {
public:
  LocalMemory(KernelOp kernel, const Target &target, bool report)
      : kernel(kernel), target(target), report(report) {}

  /// Replaces a load that has a staging by its way through LDS.
  mlir::LogicalResult stage(LoadOp load);
  /// Replaces a conversion between lanes or waves by a trip through LDS.
  mlir::LogicalResult expand(ConvertLayoutOp convert);

private:
  /// A ring of one stage at the kernel's entry.
  AllocOp allocate(mlir::Location loc, mlir::RankedTensorType tile, const LdsLayout &order);
  /// The constant slot 0.
  mlir::Value slot();
  mlir::FailureOr<mlir::Value> throughLds(ConvertLayoutOp convert, mlir::Value source,
                                          mlir::RankedTensorType type);

  KernelOp kernel;
  const Target &target;
  bool report;
  mlir::Value zero;
  mlir::Operation *last = nullptr; ///< what was put at the kernel's entry last
  /// The orders of conversions, by the types on both sides: the parts of a tile are alike.
  llvm::DenseMap<std::pair<mlir::Type, mlir::Type>, LdsLayout> orders;
};

} // namespace lowp::tile

#endif // LOWP_LIB_DIALECT_TILE_TRANSFORMS_ASSIGNLAYOUTS_H
