// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways through LDS. A staged load becomes a buffer whose order is derived from who reads it, and either
// LDS-DMA in that order or a load and a store by layouts made for the two. A conversion between lanes or
// waves becomes a store in the one layout and a load in the other. All in program order; rings, waits and
// addresses are later passes'.

#include "AssignLayouts.h"

#include "lowp/Dialect/Formats.h"
#include "lowp/Layout/LoadLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

/// What one lane moves to or from LDS at once.
static constexpr unsigned widestBits = 128;

Value LocalMemory::slot() {
  if (!zero) {
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    zero = arith::ConstantIndexOp::create(builder, kernel.getLoc(), 0);
    last = zero.getDefiningOp();
  }
  return zero;
}

AllocOp LocalMemory::allocate(Location loc, RankedTensorType tile, const LdsLayout &order) {
  slot();
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointAfter(last);
  LinearAttr layout = LinearAttr::get(kernel.getContext(), order.layout, 1);
  auto type =
      LocalType::get(kernel.getContext(), tile.getShape(), tile.getElementType(), /*stages=*/1, layout);
  AllocOp alloc = AllocOp::create(builder, loc, type, /*offset=*/IntegerAttr());
  alloc->setAttr("tile.read_conflicts", builder.getI32IntegerAttr(order.readConflicts));
  alloc->setAttr("tile.write_conflicts", builder.getI32IntegerAttr(order.writeConflicts));
  if (report) {
    InFlightDiagnostic remark = emitRemark(loc);
    remark << type.getStageBytes() << " bytes of LDS: reads of " << order.readBits << " bits take "
           << order.readConflicts << " extra cycles";
    if (order.writeBits)
      remark << ", writes of " << order.writeBits << " bits " << order.writeConflicts;
  }
  last = alloc;
  return alloc;
}

//===-- Staged loads
//-------------------------------------------------------------------------------------------------===//

/// The dimension along which a lane's first registers run: the k of an operand.
static unsigned firstRegisterDim(const LinearLayout &layout) {
  if (layout.inputBits("register") > 0)
    for (auto [dim, coordinate] : llvm::enumerate(layout.basis("register", 0)))
      if (coordinate != 0)
        return dim;
  return layout.rank() - 1;
}

/// Checks what LDS-DMA needs: 16 bytes of every lane land behind each other.
static LogicalResult checkDirect(LoadOp load, std::optional<MemoryRun> run, unsigned dim, unsigned waves,
                                 const Target &target) {
  auto type = cast<RankedTensorType>(load.getType());
  unsigned bits = bitWidth(*formatOf(type.getElementType()));
  if (!(target.directToLdsBytes() >> 16 & 1))
    return load.emitOpError() << "cannot be staged directly: " << target.chip()
                              << " has no copies of 16 bytes a lane to LDS";
  if (load.getView().getType().getVector() < 16)
    return load.emitOpError()
           << "cannot be staged directly: the view must promise vectors of 16 bytes, but promises "
           << load.getView().getType().getVector();
  if (!run || run->dim != dim)
    return load.emitOpError() << "cannot be staged directly: memory must run along dimension " << dim
                              << " of the tile, as its reader does";
  if (type.getDimSize(dim) * bits < widestBits)
    return load.emitOpError() << "cannot be staged directly: dimension " << dim
                              << " must hold at least 16 bytes, but is " << type.getDimSize(dim) << " x "
                              << type.getElementType();
  int64_t bytes = type.getNumElements() * bits / 8, least = int64_t(waves) * target.waveSize() * 16;
  if (bytes < least)
    return load.emitOpError() << "cannot be staged directly: the tile must have at least " << least
                              << " bytes, 16 for every lane of " << waves << " waves, but has " << bytes;
  return success();
}

/// The layout with the lowest `by` bits of its coordinate `dim` moved above the others.
static LinearLayout rotateDim(const LinearLayout &layout, unsigned dim, unsigned by) {
  std::vector<LinearLayout::Input> inputs = layout.inputs().vec();
  int32_t size = layout.outSizes()[dim];
  for (LinearLayout::Input &input : inputs)
    for (std::vector<int32_t> &basis : input.bases)
      basis[dim] = basis[dim] >> by | (basis[dim] & ((1 << by) - 1)) * (size >> by);
  return LinearLayout(std::move(inputs), layout.outSizes().vec());
}

LogicalResult LocalMemory::stage(LoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  LinearAttr reader = LinearAttr::of(type);
  SmallVector<int32_t> shape(type.getShape());
  unsigned bits = bitWidth(*formatOf(type.getElementType())), waves = kernel.getWaves();
  if (!llvm::isPowerOf2_32(bits))
    return load.emitOpError()
           << "cannot be staged: the size of an element must be a power of two of bits, but "
           << type.getElementType() << " has " << bits;
  if (shape.empty())
    return load.emitOpError() << "cannot be staged: the tile has no dimensions";
  unsigned dim = firstRegisterDim(reader.getLayout());
  std::optional<MemoryRun> run = memoryRun(load.getView().getType(), load.getIndexMap());
  bool direct = load.getStaging() == Staging::Direct;
  if (direct && failed(checkDirect(load, run, dim, waves, target)))
    return failure();

  LdsLayout order = ldsLayout(shape, dim, bits, widestBits, reader.getLayout(), /*writer=*/nullptr, target);
  unsigned vector = std::min<unsigned>(widestBits / bits, shape[dim]);
  LinearAttr writer;
  if (!run || run->dim == dim) {
    writer = makeLinear(load.getContext(), dealtLayout(order.layout, vector, waves), vector);
  } else {
    // Four bytes along memory are enough to coalesce. For the sake of the banks, rows that neighbouring lanes
    // hold are tried as neighbours in LDS, and runs of lanes along memory are cut down to 64 bytes.
    unsigned fromVector = std::min(run->elements, std::max(1u, 32 / bits)), leastRun = 512 / bits;
    std::optional<LinearLayout> best;
    for (unsigned fromRun = shape[run->dim]; !best || fromRun >= leastRun; fromRun /= 2) {
      LinearLayout layout = transposedLoadLayout(shape, run->dim, dim, fromVector, vector, fromRun, waves);
      for (unsigned rotation : {0u, llvm::Log2_32(fromVector)}) {
        rotation = std::min(rotation, llvm::Log2_32(shape[run->dim]));
        LinearLayout rotated = rotateDim(layout, run->dim, rotation);
        LdsLayout candidate = ldsLayout(shape, dim, bits, widestBits,
                                        rotateDim(reader.getLayout(), run->dim, rotation), &rotated, target);
        if (best && std::tie(candidate.readConflicts, candidate.writeConflicts) >=
                        std::tie(order.readConflicts, order.writeConflicts))
          continue;
        order = candidate;
        order.layout = rotateDim(candidate.layout, run->dim, llvm::Log2_32(shape[run->dim]) - rotation);
        best = layout;
      }
    }
    writer = makeLinear(load.getContext(), *best, fromVector * vector);
  }

  OpBuilder builder(load);
  AllocOp alloc = allocate(load.getLoc(), type, order);
  if (direct) {
    AsyncCopyOp::create(builder, load.getLoc(), load.getView(), load.getOffsets(), alloc, slot(),
                        load.getMapAttr(), load.getInBoundsAttr());
  } else {
    auto loaded = RankedTensorType::get(type.getShape(), type.getElementType(), writer);
    Value tile = LoadOp::create(builder, load.getLoc(), loaded, load.getView(), load.getOffsets(),
                                load.getMapAttr(), load.getInBoundsAttr(), /*staging=*/StagingAttr());
    LocalStoreOp::create(builder, load.getLoc(), tile, alloc, slot());
  }
  // Whoever wants the tile in a further layout reads it so.
  for (Operation *user : llvm::make_early_inc_range(load->getUsers())) {
    auto convert = dyn_cast<ConvertLayoutOp>(user);
    if (!convert || isRegisterPermutation(reader, LinearAttr::of(convert.getType())))
      continue;
    convert.replaceAllUsesWith(
        LocalLoadOp::create(builder, convert.getLoc(), convert.getType(), alloc, slot()).getResult());
    convert.erase();
  }
  load.replaceAllUsesWith(LocalLoadOp::create(builder, load.getLoc(), type, alloc, slot()).getResult());
  load.erase();
  return success();
}

//===-- Conversions
//--------------------------------------------------------------------------------------------------===//

/// The order in LDS in which a store by `writer` and a load by `reader` cost least.
static LdsLayout cheapestOrder(ArrayRef<int32_t> shape, unsigned bits, const LinearLayout &reader,
                               const LinearLayout &writer, const Target &target) {
  // Bus cycles of all accesses of a lane, and one for the issue of each.
  auto cost = [&](unsigned registers, unsigned accessBits, unsigned conflicts) {
    return uint64_t(registers) * bits / accessBits * (llvm::divideCeil(accessBits, 32) + conflicts + 1);
  };
  auto costOf = [&](const LdsLayout &order) {
    return cost(reader.inputSize("register"), order.readBits, order.readConflicts) +
           cost(writer.inputSize("register"), order.writeBits, order.writeConflicts);
  };
  // Units as wide as the widest access leave narrower ones of the other side too few places; two accesses in
  // units of half of it may cost less. The search for a swizzle takes long, above all where there is none
  // without conflicts: it is made only for orders that could be cheaper.
  std::optional<LdsLayout> best;
  for (unsigned dim = shape.size(); dim-- > 0;)
    for (unsigned widest : {widestBits, widestBits / 2}) {
      LinearLayout plain = tileOrder(shape, dim);
      LdsLayout free{plain, planAccess(reader, plain, bits, widest).bits,
                     planAccess(writer, plain, bits, widest).bits, 0, 0};
      if (best && costOf(free) >= costOf(*best))
        continue;
      LdsLayout order = ldsLayout(shape, dim, bits, std::max(32u, bits), reader, &writer, target, widest);
      if (!best || costOf(order) < costOf(*best))
        best = std::move(order);
    }
  return *best;
}

FailureOr<Value> LocalMemory::throughLds(ConvertLayoutOp convert, Value source, RankedTensorType type) {
  OpBuilder builder(convert);
  Location loc = convert.getLoc();
  Type element = type.getElementType();
  // Masks have no place in memory as they are.
  if (element.isInteger(1)) {
    auto wide = [&](Type tensor) { return cast<RankedTensorType>(tensor).clone(builder.getI8Type()); };
    Value bytes = arith::ExtUIOp::create(builder, loc, wide(source.getType()), source);
    FailureOr<Value> moved = throughLds(convert, bytes, cast<RankedTensorType>(wide(type)));
    if (failed(moved))
      return failure();
    return arith::TruncIOp::create(builder, loc, type, *moved).getResult();
  }
  std::optional<Format> format = formatOf(element);
  if (!format || !llvm::isPowerOf2_32(bitWidth(*format)) || type.getRank() == 0)
    return convert.emitOpError() << "cannot move a tile of " << type
                                 << " between lanes: it must have dimensions, and elements of "
                                 << "lowp's formats with a power of two of bits";
  SmallVector<int32_t> shape(type.getShape());
  auto [known, isNew] = orders.try_emplace({source.getType(), type});
  if (isNew)
    known->second = cheapestOrder(shape, bitWidth(*format), LinearAttr::of(type).getLayout(),
                                  LinearAttr::of(source.getType()).getLayout(), target);
  AllocOp alloc = allocate(loc, type, known->second);
  LocalStoreOp::create(builder, loc, source, alloc, slot());
  return LocalLoadOp::create(builder, loc, type, alloc, slot()).getResult();
}

LogicalResult LocalMemory::expand(ConvertLayoutOp convert) {
  FailureOr<Value> moved =
      throughLds(convert, convert.getSource(), cast<RankedTensorType>(convert.getType()));
  if (failed(moved))
    return failure();
  convert.replaceAllUsesWith(*moved);
  convert.erase();
  return success();
}
