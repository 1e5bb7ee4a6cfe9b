// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lane arithmetic: linear maps over bits become shifts, masks and xors; a tile's type becomes vectors.

#include "Lanes.h"
#include "lowp/Dialect/Formats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

FragmentType FragmentType::of(RankedTensorType type) {
  LinearAttr layout = LinearAttr::of(type);
  unsigned elements = layout.getFragment();
  Type element = type.getElementType();
  FragmentType result;
  result.count = layout.registers() / elements;
  result.natural = VectorType::get({elements}, element);
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 32;
  if (bits >= 32 || bits == 1)
    result.carrier = result.natural;
  else if (elements * bits % 32 == 0)
    result.carrier = VectorType::get({elements * bits / 32}, IntegerType::get(type.getContext(), 32));
  else
    result.carrier = VectorType::get({elements}, IntegerType::get(type.getContext(), bits));
  return result;
}

LaneTypeConverter::LaneTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](RankedTensorType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
    if (!LinearAttr::of(type))
      return failure();
    FragmentType fragment = FragmentType::of(type);
    types.append(fragment.count, fragment.carrier);
    return success();
  });
  addConversion([](ViewType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
    MLIRContext *context = type.getContext();
    types.push_back(LLVM::LLVMPointerType::get(context, 1));
    types.append(type.getRank(), IndexType::get(context));
    types.append(type.getRank() == 0 ? 0 : type.getRank() - 1, IntegerType::get(context, 64));
    return success();
  });
  addConversion([](LocalType type) -> Type { return IntegerType::get(type.getContext(), 32); });
}

Value lowp::tile::castVector(OpBuilder &builder, Location loc, Value value, VectorType type) {
  return value.getType() == type ? value : vector::BitCastOp::create(builder, loc, type, value);
}

Value lowp::tile::anchor(OpBuilder &builder, Location loc, Value value, StringRef constraints) {
  return LLVM::InlineAsmOp::create(builder, loc, TypeRange(value.getType()), ValueRange(value), "",
                                   constraints,
                                   /*has_side_effects=*/false, /*is_align_stack=*/false,
                                   LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

Value lowp::tile::bytesOf(OpBuilder &builder, Location loc, Value elements, unsigned elementBits) {
  Value factor = constantI32(builder, loc, elementBits >= 8 ? elementBits / 8 : elementBits);
  Value product = arith::MulIOp::create(builder, loc, elements, factor);
  if (elementBits >= 8)
    return product;
  return arith::ShRUIOp::create(builder, loc, product, constantI32(builder, loc, 3));
}

Value lowp::tile::constantI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

Value lowp::tile::emitLinear(OpBuilder &builder, Location loc, Value input, ArrayRef<int32_t> bases) {
  Value result;
  auto add = [&](Value part) { result = result ? arith::XOrIOp::create(builder, loc, result, part) : part; };
  for (unsigned bit = 0; bit < bases.size();) {
    if (bases[bit] == 0) {
      ++bit;
      continue;
    }
    // A run of bits that move together by one shift, each to a single bit: one mask and one shift.
    unsigned length = 0;
    if (llvm::isPowerOf2_32(bases[bit]))
      while (bit + length < bases.size() && bases[bit + length] == bases[bit] << length)
        ++length;
    if (length == 0) { // one bit with several images: spread it over the word, then mask
      Value spread = arith::ShLIOp::create(builder, loc, input, constantI32(builder, loc, 31 - bit));
      spread = arith::ShRSIOp::create(builder, loc, spread, constantI32(builder, loc, 31));
      add(arith::AndIOp::create(builder, loc, spread, constantI32(builder, loc, bases[bit])));
      ++bit;
      continue;
    }
    int32_t mask = ((int64_t(1) << length) - 1) << bit;
    Value part = arith::AndIOp::create(builder, loc, input, constantI32(builder, loc, mask));
    unsigned to = llvm::Log2_32(bases[bit]);
    if (to > bit)
      part = arith::ShLIOp::create(builder, loc, part, constantI32(builder, loc, to - bit));
    else if (to < bit)
      part = arith::ShRUIOp::create(builder, loc, part, constantI32(builder, loc, bit - to));
    add(part);
    bit += length;
  }
  return result;
}

Value lowp::tile::emitLaneAndWave(OpBuilder &builder, Location loc, const LaneContext &context,
                                  ArrayRef<int32_t> laneBases, ArrayRef<int32_t> waveBases) {
  Value lane = emitLinear(builder, loc, context.lane, laneBases);
  Value wave = emitLinear(builder, loc, context.wave, waveBases);
  if (lane && wave)
    return arith::XOrIOp::create(builder, loc, lane, wave);
  return lane ? lane : wave;
}

Value lowp::tile::emitIsFirstCopy(OpBuilder &builder, Location loc, const LaneContext &context,
                                  const LinearLayout &layout) {
  Value result;
  auto check = [&](StringRef input, Value id) {
    int32_t copies = 0;
    for (unsigned bit = 0; bit < layout.inputBits(input); ++bit)
      if (llvm::all_of(layout.basis(input, bit), [](int32_t coordinate) { return coordinate == 0; }))
        copies |= 1 << bit;
    if (!copies)
      return;
    Value bits = arith::AndIOp::create(builder, loc, id, constantI32(builder, loc, copies));
    Value first =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, bits, constantI32(builder, loc, 0));
    result = result ? arith::AndIOp::create(builder, loc, result, first) : first;
  };
  check("lane", context.lane);
  check("wave", context.wave);
  return result;
}

SmallVector<int32_t> lowp::tile::basesAlong(const LinearLayout &layout, StringRef input, unsigned dim) {
  SmallVector<int32_t> bases;
  for (unsigned bit = 0; bit < layout.inputBits(input); ++bit)
    bases.push_back(layout.basis(input, bit)[dim]);
  return bases;
}

SmallVector<int32_t> lowp::tile::registerCoordinates(const LinearLayout &layout, int32_t reg) {
  return layout.apply({{"register", reg}});
}

const MfmaInstruction *lowp::tile::mfmaOf(MmaOp op, const Target &target) {
  auto format = [](Value value) {
    return *formatOf(cast<RankedTensorType>(value.getType()).getElementType());
  };
  ArrayRef<int64_t> shape = op.getInstruction();
  return target.mfmaFor(format(op.getA()), format(op.getB()), shape[0], shape[1], shape[2]);
}
