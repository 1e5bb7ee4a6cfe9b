// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses in global memory: one buffer resource per access, based at the tile (64-bit, scalar), and per
// lane a 32-bit byte offset within it. Bounds of the one strided dimension that varies come with the
// resource's size, for free; others by comparison.
#ifndef LOWP_CONVERSION_TILETOLANES_GLOBALADDRESS_H
#define LOWP_CONVERSION_TILETOLANES_GLOBALADDRESS_H

#include "Lanes.h"

namespace lowp::tile {

/// What a tile.load, tile.store or tile.async_copy says of its access, with the operands converted.
struct Access {
  ViewType type;
  mlir::ValueRange view;                  ///< base pointer, sizes (index), strides (i64, bytes)
  llvm::SmallVector<mlir::Value> offsets; ///< index
  mlir::AffineMap map;                    ///< tile coordinates to view dimensions
  llvm::SmallVector<bool> inBounds;       ///< per view dimension
  LinearLayout layout;                    ///< register, lane, wave to tile coordinates
  unsigned elementBits;
  bool scalarOffset = false; ///< the place in a row may be the instruction's scalar offset
};

/// The register bits that one memory access of the view's promised width (at most) covers, lowest first.
llvm::SmallVector<unsigned> globalVectorBits(const Access &access);

class GlobalAddresses {
public:
  GlobalAddresses(mlir::OpBuilder &builder, mlir::Location loc, const Access &access,
                  const LaneContext &context);

  mlir::Value resource() const { return resource_; }
  /// Byte offset (i32) of the element in register `reg`; beyond the resource, so that the access gives 0 or
  /// is dropped, when the element is outside the view or `enabled` (i1, may be null) is false.
  mlir::Value offset(int32_t reg, mlir::Value enabled = {});
  /// Bytes (i32), the same for all lanes, to be the instruction's scalar offset.
  mlir::Value scalarOffset() const { return scalarOffset_; }
  /// What two registers share exactly when they are the same place in the view.
  llvm::SmallVector<int32_t> place(int32_t reg) const;

private:
  struct Term { // one tile dimension
    llvm::SmallVector<int32_t> laneBases, waveBases;
    int32_t variable = 0; ///< coordinate bits that depend on lane or wave
  };
  int64_t coefficient(unsigned viewDim, unsigned tileDim) const { return coefficients_[viewDim][tileDim]; }
  mlir::Value resourceOf(mlir::Value base);
  /// Sum over the tile dimensions of coordinate times coefficient, for one view dimension: (varying value or
  /// null, constant).
  std::pair<mlir::Value, int64_t> viewCoordinate(unsigned viewDim, int32_t reg);
  mlir::Value lanePart(unsigned tileDim, int32_t crossing);

  mlir::OpBuilder &builder_;
  mlir::Location loc_;
  const Access &access_;
  const LaneContext &context_;
  llvm::SmallVector<llvm::SmallVector<int64_t>> coefficients_;
  llvm::SmallVector<int64_t> constants_;
  llvm::SmallVector<Term> terms_;
  llvm::SmallVector<mlir::Value> extents_, strides_; ///< i32: what is left of each dimension; byte strides
  llvm::SmallVector<bool> compared_;                 ///< per view dimension
  mlir::Value resource_, scalarOffset_;
  llvm::DenseMap<std::pair<unsigned, int32_t>, mlir::Value> laneParts_;
};

} // namespace lowp::tile

#endif // LOWP_CONVERSION_TILETOLANES_GLOBALADDRESS_H
