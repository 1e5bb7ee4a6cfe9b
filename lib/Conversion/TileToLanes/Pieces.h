// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the fragments of a tile and the pieces that memory instructions move. An instruction moves a power
// of two of elements, whose places among a lane's registers the layout decides; a fragment is a run of
// consecutive registers.
#ifndef LOWP_CONVERSION_TILETOLANES_PIECES_H
#define LOWP_CONVERSION_TILETOLANES_PIECES_H

#include "Lanes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace lowp::tile {

class Pieces {
public:
  /// `vectorBits`: the register bits that vary inside a piece, lowest first.
  Pieces(mlir::RankedTensorType type, llvm::ArrayRef<unsigned> vectorBits);

  /// What a memory instruction takes or gives: an integer of up to 32 bits, or a vector of i32.
  mlir::Type pieceType() const;
  unsigned pieceBits() const { return pieceBits_; }
  /// Register index of the first element of each piece, in order.
  llvm::SmallVector<int32_t> firstRegisters() const;

  /// The tile's fragments from its pieces, in the order of firstRegisters().
  llvm::SmallVector<mlir::Value> toFragments(mlir::OpBuilder &builder, mlir::Location loc,
                                             llvm::ArrayRef<mlir::Value> pieces) const;
  llvm::SmallVector<mlir::Value> fromFragments(mlir::OpBuilder &builder, mlir::Location loc,
                                               mlir::ValueRange fragments) const;

private:
  /// Place of register `reg`: its piece (index into firstRegisters()) and the position inside.
  std::pair<unsigned, unsigned> place(int32_t reg) const;
  mlir::VectorType vectorOfUnits(unsigned bits) const;

  FragmentType fragment_;
  llvm::SmallVector<unsigned> vectorBits_;
  unsigned registers_, elementBits_, pieceBits_, fragmentElements_;
  unsigned unitElements_; ///< consecutive registers that stay together on both sides and fit 32 bits
  mlir::IntegerType unit_;
};

} // namespace lowp::tile

#endif // LOWP_CONVERSION_TILETOLANES_PIECES_H
