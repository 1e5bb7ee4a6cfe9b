// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How layouts pass single operations: slices and their inverse for reductions and broadcasts, the matrix
// instruction's operands and result, and which way memory runs through a tile. Everything here is a question
// about linear maps; no rule knows what kernel it is in.

#include "AssignLayouts.h"

#include "lowp/Dialect/Formats.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

LinearAttr tile::makeLinear(MLIRContext *context, LinearLayout layout, unsigned fragment) {
  fragment = std::min<unsigned>(fragment, layout.inputSize("register"));
  return LinearAttr::get(context, std::move(layout), fragment);
}

//===-- Slices
//-------------------------------------------------------------------------------------------------------===//

static bool isZero(ArrayRef<int32_t> basis) {
  return llvm::all_of(basis, [](int32_t coordinate) { return coordinate == 0; });
}

LinearAttr tile::withoutDim(LinearAttr source, unsigned dim) {
  LinearLayout slice = source.getLayout().sliceOutput(dim);
  // The registers of a fragment that are left are its low bits, so they still follow each other.
  unsigned fragment = 1, fragmentBits = llvm::Log2_32(source.getFragment());
  std::vector<LinearLayout::Input> inputs = slice.inputs().vec();
  for (LinearLayout::Input &input : inputs) {
    if (input.name != "register")
      continue;
    std::vector<std::vector<int32_t>> kept;
    for (auto [bit, basis] : llvm::enumerate(input.bases)) {
      if (isZero(basis))
        continue;
      kept.push_back(basis);
      fragment <<= bit < fragmentBits;
    }
    input.bases = std::move(kept);
  }
  return makeLinear(source.getContext(), LinearLayout(std::move(inputs), slice.outSizes().vec()), fragment);
}

LinearAttr tile::withDimInRegisters(LinearAttr source, unsigned dim, int32_t size) {
  std::vector<LinearLayout::Input> inputs = source.getLayout().inputs().vec();
  std::vector<int32_t> sizes = source.getLayout().outSizes().vec();
  sizes.insert(sizes.begin() + dim, size);
  for (LinearLayout::Input &input : inputs) {
    for (std::vector<int32_t> &basis : input.bases)
      basis.insert(basis.begin() + dim, 0);
    if (input.name != "register")
      continue;
    for (int32_t bit = 1; bit < size; bit <<= 1) {
      input.bases.emplace_back(sizes.size(), 0);
      input.bases.back()[dim] = bit;
    }
  }
  return makeLinear(source.getContext(), LinearLayout(std::move(inputs), std::move(sizes)),
                    source.getFragment());
}

LinearAttr tile::reductionSource(LinearAttr result, unsigned dim, int32_t size) {
  constexpr unsigned accessElements = 4; // 16 bytes of the 4-byte elements that are reduced
  int32_t vector = std::clamp<int32_t>(accessElements / result.getFragment(), 1, size);
  LinearAttr vectors = withDimInRegisters(result, dim, vector);
  std::vector<LinearLayout::Input> inputs = vectors.getLayout().inputs().vec();
  std::vector<int32_t> sizes = vectors.getLayout().outSizes().vec();
  int32_t next = vector;
  for (LinearLayout::Input &input : inputs) {
    if (input.name != "lane")
      continue;
    for (std::vector<int32_t> &basis : input.bases)
      if (isZero(basis) && next < size) {
        basis[dim] = next;
        next *= 2;
      }
  }
  for (LinearLayout::Input &input : inputs)
    for (; input.name == "register" && next < size; next *= 2) {
      input.bases.emplace_back(sizes.size(), 0);
      input.bases.back()[dim] = next;
    }
  sizes[dim] = size;
  return makeLinear(result.getContext(), LinearLayout(std::move(inputs), std::move(sizes)),
                    result.getFragment());
}

LinearAttr tile::broadcastSource(LinearAttr result, ArrayRef<int64_t> dims) {
  for (unsigned dim = result.getLayout().rank(); dim-- > 0;)
    if (!llvm::is_contained(dims, dim))
      result = withoutDim(result, dim);
  return result;
}

bool tile::canReduce(LinearAttr source, unsigned dim) {
  for (const LinearLayout::Input &input : source.getLayout().inputs())
    for (const std::vector<int32_t> &basis : input.bases) {
      if (basis[dim] == 0)
        continue;
      unsigned moved = llvm::count_if(basis, [](int32_t coordinate) { return coordinate != 0; });
      if (input.name == "wave" || moved > 1)
        return false;
    }
  return true;
}

bool tile::isRegisterPermutation(LinearAttr from, LinearAttr to) {
  auto sameInput = [&](StringRef name) {
    if (from.getLayout().inputBits(name) != to.getLayout().inputBits(name))
      return false;
    for (unsigned bit = 0; bit < to.getLayout().inputBits(name); ++bit)
      if (from.getLayout().basis(name, bit) != to.getLayout().basis(name, bit))
        return false;
    return true;
  };
  auto registers = [](LinearAttr layout) {
    return layout.getLayout().withoutInput("lane").withoutInput("wave");
  };
  return sameInput("lane") && sameInput("wave") &&
         registers(to).invertAndCompose(registers(from)).has_value();
}

//===-- Memory
//-------------------------------------------------------------------------------------------------------===//

/// How far `expr`, linear in its dimensions, moves with dimension `dim`.
static int64_t coefficient(AffineExpr expr, unsigned dim, unsigned dims) {
  auto valueAt = [&](int64_t coordinate) {
    SmallVector<AffineExpr> point(dims, getAffineConstantExpr(0, expr.getContext()));
    point[dim] = getAffineConstantExpr(coordinate, expr.getContext());
    auto value = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(expr.replaceDims(point), dims, 0));
    return value ? value.getValue() : 0;
  };
  return valueAt(1) - valueAt(0);
}

std::optional<MemoryRun> tile::memoryRun(ViewType view, AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  AffineExpr innermost = map.getResults().back();
  for (unsigned dim = map.getNumDims(); dim-- > 0;) {
    if (coefficient(innermost, dim, map.getNumDims()) != 1)
      continue;
    unsigned bits = bitWidth(*formatOf(view.getElementType()));
    return MemoryRun{dim, llvm::bit_floor(std::max(1u, view.getVector() * 8 / bits)), bits};
  }
  return std::nullopt;
}

unsigned tile::laneVector(RankedTensorType type, unsigned elements, unsigned waves) {
  constexpr unsigned lanes = 64;
  Type element = type.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 32;
  return std::min<uint64_t>(
      std::max(1u, elements),
      std::max<uint64_t>({1, llvm::bit_floor(32 / bits), uint64_t(type.getNumElements()) / (lanes * waves)}));
}

LinearLayout tile::layoutByMemory(RankedTensorType type, const MemoryRun &run, unsigned waves) {
  constexpr unsigned lineBits = 128 * 8, lanes = 64;
  SmallVector<int32_t> shape(type.getShape());
  unsigned vector = laneVector(type, run.elements, waves), rank = shape.size();
  int32_t line = std::max<int32_t>(vector, llvm::bit_floor(lineBits / run.bits));
  // All lanes have to find rows.
  int64_t accesses = type.getNumElements() / (vector * lanes);
  int32_t lines = accesses < waves ? 1 : std::clamp<int64_t>(shape[run.dim] / line, 1, accesses);
  int32_t share = std::min<int32_t>(lines, waves);
  shape[run.dim] /= lines;
  return blockedLayout(shape, run.dim, vector, waves / share) *
         LinearLayout::identity("wave", share, run.dim, rank) *
         LinearLayout::identity("register", lines / share, run.dim, rank);
}

//===-- Products
//-----------------------------------------------------------------------------------------------------===//

FailureOr<MmaDemand> tile::mmaDemand(MmaOp op, unsigned kernelWaves, const Target &target) {
  auto a = cast<RankedTensorType>(op.getA().getType()), b = cast<RankedTensorType>(op.getB().getType());
  ArrayRef<int64_t> instruction = op.getInstruction(), waves = op.getWaves();
  if (waves[0] * waves[1] * waves[2] != kernelWaves)
    return op.emitOpError() << "must be shared by all " << kernelWaves << " waves of the kernel, but has "
                            << waves[0] << " x " << waves[1] << " x " << waves[2];
  // The instruction gets b first: its result then has neighbours of one row in one lane.
  const MfmaInstruction *mfma = target.mfmaFor(*formatOf(b.getElementType()), *formatOf(a.getElementType()),
                                               instruction[1], instruction[0], instruction[2]);
  if (!mfma)
    return op.emitOpError() << "has no matrix instruction of " << instruction[0] << "x" << instruction[1]
                            << "x" << instruction[2] << " for " << a.getElementType() << " and "
                            << b.getElementType() << " on " << target.chip();

  unsigned rank = a.getRank();
  int64_t lead = rank == 3 ? a.getDimSize(0) : 1;
  llvm::Expected<MmaLayouts> layouts =
      mmaLayouts(*mfma, a.getDimSize(rank - 2), b.getDimSize(rank - 1), a.getDimSize(rank - 1),
                 WaveGrid{unsigned(waves[0]), unsigned(waves[1]), unsigned(waves[2])}, /*transposed=*/true,
                 /*vectorBits=*/128);
  if (!layouts)
    return op.emitOpError() << "has no layout: " << llvm::toString(layouts.takeError());

  MLIRContext *context = op.getContext();
  MmaDemand demand{makeLinear(context, layouts->a, layouts->aFragment),
                   makeLinear(context, layouts->b, layouts->bFragment),
                   makeLinear(context, layouts->acc, layouts->accFragment)};
  // A leading dimension that no waves share is gone through index by index.
  if (rank == 3 && waves[2] == 1)
    for (LinearAttr *layout : {&demand.a, &demand.b, &demand.acc})
      *layout = withDimInRegisters(*layout, 0, lead);
  return demand;
}

bool tile::isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) || op->hasTrait<OpTrait::Elementwise>() ||
         op->hasTrait<OpTrait::SameOperandsAndResultShape>();
}
