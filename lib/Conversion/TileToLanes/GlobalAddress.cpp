// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses in global memory. The resource is rebased for each access, so tensors may be larger than 4 GiB;
// only what one tile reaches, at most 2^31 bytes by the entry's conditions, has to fit the lane's 32-bit
// offset. A load's place in the rows is the instruction's scalar offset and the resource reaches to their
// ends: a loop along the rows then changes one scalar register. What lies behind the end of a row is
// compared, or behind the resource where there is one row. Range check of raw buffers (CDNA4 ISA manual,
// buffer addressing): an access is in range when its offset plus its size stays within num_records, the
// scalar offset included; reads beyond give 0, writes are dropped, LDS-DMA writes 0.

#include "GlobalAddress.h"
#include "lowp/Layout/TileLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/AffineExpr.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

/// Coefficient of each tile dimension and the constant of one linear expression.
static void flatten(AffineExpr expr, int64_t factor, MutableArrayRef<int64_t> coefficients,
                    int64_t &constant) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    coefficients[dim.getPosition()] += factor;
  } else if (auto value = dyn_cast<AffineConstantExpr>(expr)) {
    constant += factor * value.getValue();
  } else {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    if (binary.getKind() == AffineExprKind::Add) {
      flatten(binary.getLHS(), factor, coefficients, constant);
      flatten(binary.getRHS(), factor, coefficients, constant);
    } else { // Mul, by a constant: the verifier admits nothing else
      bool right = isa<AffineConstantExpr>(binary.getRHS());
      AffineExpr scale = right ? binary.getRHS() : binary.getLHS();
      flatten(right ? binary.getLHS() : binary.getRHS(), factor * cast<AffineConstantExpr>(scale).getValue(),
              coefficients, constant);
    }
  }
}

static SmallVector<SmallVector<int64_t>> coefficientsOf(AffineMap map, SmallVectorImpl<int64_t> &constants) {
  SmallVector<SmallVector<int64_t>> result;
  constants.assign(map.getNumResults(), 0);
  for (auto [index, expr] : llvm::enumerate(map.getResults()))
    flatten(expr, 1, result.emplace_back(map.getNumDims(), 0), constants[index]);
  return result;
}

SmallVector<unsigned> lowp::tile::globalVectorBits(const Access &access) {
  if (access.type.getRank() == 0)
    return {};
  SmallVector<int64_t> constants;
  SmallVector<SmallVector<int64_t>> coefficients = coefficientsOf(access.map, constants);
  ArrayRef<int64_t> inner = coefficients.back();
  unsigned maxElements = access.type.getVector() * 8 / access.elementBits;
  // One tile dimension runs along memory; what else moves the innermost coordinate must do so by whole
  // vectors.
  auto along = llvm::find(inner, 1);
  if (along == inner.end())
    return {};
  unsigned dim = along - inner.begin();
  int64_t others = constants.back();
  for (auto [index, coefficient] : llvm::enumerate(inner))
    if (index != dim)
      others |= coefficient;
  for (unsigned index = 0; index + 1 < coefficients.size(); ++index)
    if (coefficients[index][dim] != 0)
      return {};
  if (others)
    maxElements = std::min<int64_t>(maxElements, others & -others);
  // Memory in which dimension `dim` is the contiguous one.
  ArrayRef<int32_t> shape = access.layout.outSizes();
  unsigned rank = shape.size();
  LinearLayout memory = LinearLayout::identity("offset", shape[dim], dim, rank);
  for (unsigned other = 0; other < rank; ++other)
    if (other != dim)
      memory = memory * LinearLayout::identity("offset", shape[other], other, rank);
  return planAccess(access.layout, memory, access.elementBits, maxElements * access.elementBits).vectorBits;
}

GlobalAddresses::GlobalAddresses(OpBuilder &builder, Location loc, const Access &access,
                                 const LaneContext &context)
    : builder_(builder), loc_(loc), access_(access), context_(context) {
  coefficients_ = coefficientsOf(access.map, constants_);
  for (unsigned dim = 0; dim < access.layout.rank(); ++dim) {
    Term &term = terms_.emplace_back();
    term.laneBases = basesAlong(access.layout, "lane", dim);
    term.waveBases = basesAlong(access.layout, "wave", dim);
    for (int32_t basis : term.laneBases)
      term.variable |= basis;
    for (int32_t basis : term.waveBases)
      term.variable |= basis;
  }
  unsigned rank = access.type.getRank();
  auto i32 = builder.getI32Type();
  auto i64 = builder.getI64Type();
  Value base = access.view[0];
  // The scalar part: where the tile starts.
  Value start;
  for (unsigned dim = 0; dim < rank; ++dim) {
    Value offset = access.offsets[dim];
    Value wide = arith::IndexCastOp::create(builder, loc, i64, offset);
    Value bytes; // null where the scalar offset has it
    if (dim + 1 < rank)
      bytes = arith::MulIOp::create(builder, loc, wide, access.view[1 + rank + dim]);
    else if (access.scalarOffset) {
      Value narrow = arith::IndexCastOp::create(builder, loc, i32, offset);
      // The check subtracts the scalar offset from num_records, which must not wrap.
      if (!access.inBounds[dim])
        narrow = arith::MinUIOp::create(builder, loc, narrow,
                                        arith::IndexCastOp::create(builder, loc, i32, access.view[1 + dim]));
      scalarOffset_ = bytesOf(builder, loc, narrow, access.elementBits);
    } else {
      bytes = arith::MulIOp::create(
          builder, loc, wide,
          arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(access.elementBits)));
      bytes = arith::ShRUIOp::create(builder, loc, bytes,
                                     arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(3)));
    }
    if (bytes)
      start = start ? arith::AddIOp::create(builder, loc, start, bytes).getResult() : bytes;
    Value size = arith::IndexCastOp::create(builder, loc, i32, access.view[1 + dim]);
    extents_.push_back(
        arith::SubIOp::create(builder, loc, size, arith::IndexCastOp::create(builder, loc, i32, offset)));
    if (dim + 1 < rank)
      strides_.push_back(arith::TruncIOp::create(builder, loc, i32, access.view[1 + rank + dim]));
  }
  if (start)
    base = LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{start});
  resource_ = resourceOf(base);
  if (!scalarOffset_)
    scalarOffset_ = constantI32(builder, loc, 0);
}

Value GlobalAddresses::resourceOf(Value base) {
  unsigned rank = access_.type.getRank();
  Value zero = constantI32(builder_, loc_, 0), one = constantI32(builder_, loc_, 1);
  // How far the tile goes along each dimension of the view, and whether anything moves it there.
  SmallVector<int64_t> reach(rank);
  SmallVector<unsigned> varyingRows;
  compared_.assign(rank, false);
  for (unsigned dim = 0; dim < rank; ++dim) {
    reach[dim] = constants_[dim];
    bool varies = false;
    for (unsigned tileDim = 0; tileDim < terms_.size(); ++tileDim) {
      reach[dim] += coefficient(dim, tileDim) * (access_.layout.outSizes()[tileDim] - 1);
      varies |= coefficient(dim, tileDim) != 0 && access_.layout.outSizes()[tileDim] > 1;
    }
    if (varies && dim + 1 < rank)
      varyingRows.push_back(dim);
  }
  // Of the strided dimensions that vary the last one is covered by the resource's size; the innermost is
  // compared unless there is one row only.
  for (unsigned dim : varyingRows)
    compared_[dim] = dim != varyingRows.back() && !access_.inBounds[dim];
  if (rank > 0)
    compared_[rank - 1] = !varyingRows.empty() && !access_.inBounds[rank - 1];

  Value bytes;
  Value any; // whether the tile meets the view at all
  auto require = [&](Value condition) {
    any = any ? arith::AndIOp::create(builder_, loc_, any, condition).getResult() : condition;
  };
  if (rank == 0) {
    bytes = constantI32(builder_, loc_, llvm::divideCeil(access_.elementBits, 8));
  } else {
    Value inner = constantI32(builder_, loc_, reach.back() + 1);
    if (scalarOffset_) // the resource reaches to the ends of rows
      inner = arith::IndexCastOp::create(builder_, loc_, builder_.getI32Type(), access_.view[rank]);
    if (!access_.inBounds[rank - 1] && !scalarOffset_) {
      inner = arith::MinSIOp::create(builder_, loc_, extents_.back(), inner);
      require(arith::CmpIOp::create(builder_, loc_, arith::CmpIPredicate::sgt, extents_.back(), zero));
    }
    if (access_.elementBits % 8 == 0) { // rows may have 2^31 bytes, but not bits
      bytes = bytesOf(builder_, loc_, inner, access_.elementBits);
    } else {
      bytes = arith::MulIOp::create(builder_, loc_, inner, constantI32(builder_, loc_, access_.elementBits));
      bytes = arith::AddIOp::create(builder_, loc_, bytes, constantI32(builder_, loc_, 7));
      bytes = arith::ShRUIOp::create(builder_, loc_, bytes, constantI32(builder_, loc_, 3));
    }
    for (unsigned dim = 0; dim + 1 < rank; ++dim) {
      bool covered = !varyingRows.empty() && dim == varyingRows.back();
      if (!access_.inBounds[dim])
        require(arith::CmpIOp::create(builder_, loc_, arith::CmpIPredicate::sgt, extents_[dim], zero));
      Value last = constantI32(builder_, loc_, reach[dim]);
      if (covered && !access_.inBounds[dim])
        last = arith::MinSIOp::create(builder_, loc_,
                                      arith::SubIOp::create(builder_, loc_, extents_[dim], one), last);
      bytes = arith::AddIOp::create(builder_, loc_, bytes,
                                    arith::MulIOp::create(builder_, loc_, last, strides_[dim]));
    }
  }
  if (any)
    bytes = arith::SelectOp::create(builder_, loc_, any, bytes, zero);
  Value records = arith::ExtUIOp::create(builder_, loc_, builder_.getI64Type(), bytes);
  auto stride = arith::ConstantOp::create(builder_, loc_, builder_.getI16IntegerAttr(0));
  // Raw 32-bit data format, no swizzle: what MLIR's amdgpu dialect uses for both chips.
  Value flags = constantI32(builder_, loc_, 0x27000);
  return ROCDL::MakeBufferRsrcOp::create(builder_, loc_, LLVM::LLVMPointerType::get(builder_.getContext(), 8),
                                         base, stride, records, flags);
}

Value GlobalAddresses::lanePart(unsigned tileDim, int32_t crossing) {
  Value &part = laneParts_[{tileDim, crossing}];
  if (!part) {
    part = emitLaneAndWave(builder_, loc_, context_, terms_[tileDim].laneBases, terms_[tileDim].waveBases);
    if (crossing)
      part = arith::XOrIOp::create(builder_, loc_, part, constantI32(builder_, loc_, crossing));
  }
  return part;
}

std::pair<Value, int64_t> GlobalAddresses::viewCoordinate(unsigned viewDim, int32_t reg) {
  SmallVector<int32_t> coordinates = registerCoordinates(access_.layout, reg);
  Value varying;
  int64_t constant = constants_[viewDim];
  for (unsigned dim = 0; dim < terms_.size(); ++dim) {
    int64_t factor = coefficient(viewDim, dim);
    if (factor == 0)
      continue;
    // A register's part that meets no lane bit is added, the rest xored.
    int32_t crossing = coordinates[dim] & terms_[dim].variable;
    constant += factor * (coordinates[dim] ^ crossing);
    if (!terms_[dim].variable)
      continue;
    Value part = lanePart(dim, crossing);
    if (factor != 1)
      part = arith::MulIOp::create(builder_, loc_, part, constantI32(builder_, loc_, factor));
    varying = varying ? arith::AddIOp::create(builder_, loc_, varying, part).getResult() : part;
  }
  return {varying, constant};
}

Value GlobalAddresses::offset(int32_t reg, Value enabled) {
  unsigned rank = access_.type.getRank();
  Value varying, uniform; // of the lane, and the same for all
  int64_t constant = 0;
  bool comparesRegister = false;
  auto add = [&](Value &sum, Value part) {
    sum = sum ? arith::AddIOp::create(builder_, loc_, sum, part).getResult() : part;
  };
  for (unsigned dim = 0; dim < rank; ++dim) {
    auto [lane, fixed] = viewCoordinate(dim, reg);
    if (compared_[dim]) {
      comparesRegister |= fixed != 0;
      Value coordinate = constantI32(builder_, loc_, fixed);
      if (lane)
        coordinate = fixed ? arith::AddIOp::create(builder_, loc_, lane, coordinate).getResult() : lane;
      Value inside =
          arith::CmpIOp::create(builder_, loc_, arith::CmpIPredicate::slt, coordinate, extents_[dim]);
      enabled = enabled ? arith::AndIOp::create(builder_, loc_, enabled, inside).getResult() : inside;
    }
    if (dim + 1 < rank) {
      if (lane)
        add(varying, arith::MulIOp::create(builder_, loc_, lane, strides_[dim]));
      if (fixed)
        add(uniform,
            arith::MulIOp::create(builder_, loc_, strides_[dim], constantI32(builder_, loc_, fixed)));
    } else {
      constant += fixed * access_.elementBits / 8;
      if (lane) {
        Value bytes =
            arith::MulIOp::create(builder_, loc_, lane, constantI32(builder_, loc_, access_.elementBits));
        add(varying, arith::ShRUIOp::create(builder_, loc_, bytes, constantI32(builder_, loc_, 3)));
      }
    }
  }
  // Outside the view: 2^31 and what is added to it are beyond every resource. Where nothing of the register
  // is compared, accesses that differ by their register alone share the selection.
  auto select = [&] {
    Value inside = varying ? varying : constantI32(builder_, loc_, 0);
    varying =
        arith::SelectOp::create(builder_, loc_, enabled, inside, constantI32(builder_, loc_, INT32_MIN));
  };
  if (enabled && !comparesRegister)
    select();
  if (uniform)
    add(varying, uniform);
  // The constant last: LLVM takes it into the instruction's offset field.
  if (constant || !varying)
    add(varying, constantI32(builder_, loc_, constant));
  if (enabled && comparesRegister)
    select();
  return varying;
}

SmallVector<int32_t> GlobalAddresses::place(int32_t reg) const {
  SmallVector<int32_t> coordinates = registerCoordinates(access_.layout, reg);
  for (unsigned dim = 0; dim < coordinates.size(); ++dim)
    if (llvm::all_of(coefficients_, [&](ArrayRef<int64_t> row) { return row[dim] == 0; }))
      coordinates[dim] = 0;
  return coordinates;
}
