// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces and fragments are cut into units, the largest runs of registers that both keep together, and put
// together again. LLVM turns what is left of it (mostly nothing) into moves or v_perm_b32.

#include "Pieces.h"
#include "lowp/Dialect/Formats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

Pieces::Pieces(RankedTensorType type, ArrayRef<unsigned> vectorBits)
    : fragment_(FragmentType::of(type)), vectorBits_(vectorBits.begin(), vectorBits.end()) {
  LinearAttr layout = LinearAttr::of(type);
  registers_ = layout.registers();
  elementBits_ = type.getElementTypeBitWidth();
  fragmentElements_ = layout.getFragment();
  pieceBits_ = elementBits_ << vectorBits_.size();
  // The low vector bits that are the low register bits in order keep their elements together.
  unsigned together = 0;
  while (together < vectorBits_.size() && vectorBits_[together] == together &&
         (2u << together) <= fragmentElements_ && (elementBits_ << (together + 1)) <= 32)
    ++together;
  unitElements_ = 1u << together;
  unit_ = IntegerType::get(type.getContext(), elementBits_ * unitElements_);
}

Type Pieces::pieceType() const {
  if (pieceBits_ <= 32)
    return IntegerType::get(unit_.getContext(), pieceBits_);
  return VectorType::get({pieceBits_ / 32}, IntegerType::get(unit_.getContext(), 32));
}

VectorType Pieces::vectorOfUnits(unsigned bits) const {
  return VectorType::get({bits / unit_.getWidth()}, unit_);
}

SmallVector<int32_t> Pieces::firstRegisters() const {
  int32_t inside = 0;
  for (unsigned bit : vectorBits_)
    inside |= 1 << bit;
  SmallVector<int32_t> result;
  for (unsigned reg = 0; reg < registers_; ++reg)
    if ((reg & inside) == 0)
      result.push_back(reg);
  return result;
}

std::pair<unsigned, unsigned> Pieces::place(int32_t reg) const {
  unsigned position = 0, piece = 0;
  for (auto [index, bit] : llvm::enumerate(vectorBits_))
    position |= ((reg >> bit) & 1) << index;
  for (unsigned bit = 0, to = 0; (1u << bit) < registers_; ++bit)
    if (!llvm::is_contained(vectorBits_, bit))
      piece |= ((reg >> bit) & 1) << to++;
  return {piece, position};
}

SmallVector<Value> Pieces::toFragments(OpBuilder &builder, Location loc, ArrayRef<Value> pieces) const {
  SmallVector<SmallVector<Value>> units;
  for (Value piece : pieces) {
    SmallVector<Value> &parts = units.emplace_back();
    if (piece.getType() == unit_) {
      parts.push_back(piece);
      continue;
    }
    if (!isa<VectorType>(piece.getType()))
      piece = vector::FromElementsOp::create(builder, loc, VectorType::get({1}, piece.getType()), piece);
    piece = castVector(builder, loc, piece, vectorOfUnits(pieceBits_));
    for (int64_t i = 0; i < cast<VectorType>(piece.getType()).getNumElements(); ++i)
      parts.push_back(vector::ExtractOp::create(builder, loc, piece, i));
  }
  SmallVector<Value> fragments;
  for (unsigned first = 0; first < registers_; first += fragmentElements_) {
    SmallVector<Value> parts;
    for (unsigned reg = first; reg < first + fragmentElements_; reg += unitElements_) {
      auto [piece, position] = place(reg);
      parts.push_back(units[piece][position / unitElements_]);
    }
    Value whole =
        vector::FromElementsOp::create(builder, loc, vectorOfUnits(fragmentElements_ * elementBits_), parts);
    fragments.push_back(castVector(builder, loc, whole, fragment_.carrier));
  }
  return fragments;
}

SmallVector<Value> Pieces::fromFragments(OpBuilder &builder, Location loc, ValueRange fragments) const {
  SmallVector<Value> units; // in register order
  for (Value fragment : fragments) {
    Value whole = castVector(builder, loc, fragment, vectorOfUnits(fragmentElements_ * elementBits_));
    for (int64_t i = 0; i < cast<VectorType>(whole.getType()).getNumElements(); ++i)
      units.push_back(vector::ExtractOp::create(builder, loc, whole, i));
  }
  SmallVector<Value> pieces;
  for (int32_t first : firstRegisters()) {
    SmallVector<Value> parts;
    for (unsigned position = 0; position < 1u << vectorBits_.size(); position += unitElements_) {
      int32_t reg = first;
      for (auto [index, bit] : llvm::enumerate(vectorBits_))
        reg |= ((position >> index) & 1) << bit;
      parts.push_back(units[reg / unitElements_]);
    }
    if (parts.size() == 1 && !isa<VectorType>(pieceType())) {
      pieces.push_back(parts.front());
      continue;
    }
    Value whole = vector::FromElementsOp::create(builder, loc, vectorOfUnits(pieceBits_), parts);
    auto vectorType = dyn_cast<VectorType>(pieceType());
    whole = castVector(builder, loc, whole, vectorType ? vectorType : VectorType::get({1}, pieceType()));
    pieces.push_back(vectorType ? whole : vector::ExtractOp::create(builder, loc, whole, 0));
  }
  return pieces;
}
