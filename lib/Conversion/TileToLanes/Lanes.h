// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the patterns of tile-to-lanes share: who this lane is, how a tile's type splits into vectors, and the
// arithmetic of linear maps on lane values.
#ifndef LOWP_CONVERSION_TILETOLANES_LANES_H
#define LOWP_CONVERSION_TILETOLANES_LANES_H

#include "lowp/Dialect/Tile/IR/Tile.h"
#include "lowp/Target/Target.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include <map>

namespace lowp::tile {

/// One kernel on its way to lanes.
struct LaneContext {
  const Target *target = nullptr;
  unsigned waves = 1;
  mlir::Value lane;                 ///< i32, 0..63
  mlir::Value wave;                 ///< i32, the same in all lanes of a wave and known to be so
  mlir::StringAttr ldsSymbol;       ///< the kernel's LDS as an LLVM global; null without LDS
  mlir::Attribute copyScope;        ///< alias scope of everything that LDS-DMA writes
  mlir::Operation *entry = nullptr; ///< what is inserted before it is known in the whole kernel
  /// Lanes' pointers into LDS by what they are made of (LocalAccess.cpp).
  std::map<std::vector<int64_t>, mlir::Value> ldsBases;
};

/// A pattern that knows the kernel it works on.
template <typename Op> struct LanePattern : mlir::OpConversionPattern<Op> {
  LanePattern(mlir::TypeConverter &converter, LaneContext &context, mlir::PatternBenefit benefit = 1)
      : mlir::OpConversionPattern<Op>(converter, context.lane.getContext(), benefit), context(context) {}
  LaneContext &context;
};

/// Tensors become one vector per fragment, views (base pointer, every size, every stride), LDS rings a byte
/// offset.
class LaneTypeConverter : public mlir::TypeConverter {
public:
  LaneTypeConverter();
};

/// How a lane holds one fragment: a vector of the element type as arithmetic sees it ("natural"), and as it
/// travels
/// ("carrier"): 32-bit words for elements below 32 bits, so that no pass or back end splits it into bytes.
struct FragmentType {
  mlir::VectorType natural, carrier;
  unsigned count; ///< fragments in a lane

  static FragmentType of(mlir::RankedTensorType type);
};

/// Bit casts between vectors of equal size; no operation where the types agree.
mlir::Value castVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       mlir::VectorType type);

/// `value` through an empty assembly statement with `constraints`: no instruction, but LLVM knows nothing of
/// the result except the registers that it is in.
mlir::Value anchor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                   llvm::StringRef constraints);

/// Bytes (i32) of so many elements (i32).
mlir::Value bytesOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value elements, unsigned elementBits);

mlir::Value constantI32(mlir::OpBuilder &builder, mlir::Location loc, int64_t value);

/// The xor over the bits of `input` (i32) that are set of their `bases`; null if all bases are 0.
mlir::Value emitLinear(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value input,
                       llvm::ArrayRef<int32_t> bases);

/// emitLinear of lane and wave together; null if nothing depends on them.
mlir::Value emitLaneAndWave(mlir::OpBuilder &builder, mlir::Location loc, const LaneContext &context,
                            llvm::ArrayRef<int32_t> laneBases, llvm::ArrayRef<int32_t> waveBases);

/// Whether this lane is the one of all that hold copies of an element under `layout` that should write it;
/// null if none do.
mlir::Value emitIsFirstCopy(mlir::OpBuilder &builder, mlir::Location loc, const LaneContext &context,
                            const LinearLayout &layout);

/// The bases of one output dimension of an input of a layout, empty when it has no such input.
llvm::SmallVector<int32_t> basesAlong(const LinearLayout &layout, llvm::StringRef input, unsigned dim);

/// The matrix instruction that `op` names, for its operands' types; null if the chip has none.
const MfmaInstruction *mfmaOf(MmaOp op, const Target &target);

/// Coordinates of register `reg` at lane 0 of wave 0.
llvm::SmallVector<int32_t> registerCoordinates(const LinearLayout &layout, int32_t reg);

/// Gives what is computed behind the last loop a lane number of its own (BehindLoops.cpp).
void separateBehindLoops(mlir::LLVM::LLVMFuncOp function, LaneContext &context);

void populateElementwisePatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                                 LaneContext &context);
void populateShapePatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                           LaneContext &context);
void populateGlobalPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                            LaneContext &context);
void populateLocalPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                           LaneContext &context);
void populateClusterPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                             LaneContext &context);
void populateMmaPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                         LaneContext &context);

} // namespace lowp::tile

#endif // LOWP_CONVERSION_TILETOLANES_LANES_H
