// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products: a loop nest over matrix instructions. The layouts of the operands decide which fragments belong
// together; nothing here assumes how they were chosen. What the instruction needs of them is checked: lanes
// of A select rows and lanes of B columns as in the result, and A and B map every register and lane bit of an
// instruction to the same k.

#include "Lanes.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <map>

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

namespace {

using Coordinates = SmallVector<int32_t>;

/// One of a, b, acc seen by its coordinates: rank 2 views of rank 2 or 3 tiles, with the leading dimension
/// apart.
struct Operand {
  LinearAttr attr;
  unsigned rank;
  explicit Operand(Value value)
      : attr(LinearAttr::of(value.getType())), rank(cast<RankedTensorType>(value.getType()).getRank()) {}
  const LinearLayout &layout() const { return attr.getLayout(); }
  int32_t row(ArrayRef<int32_t> c) const { return c[rank - 2]; }
  int32_t column(ArrayRef<int32_t> c) const { return c[rank - 1]; }
  int32_t batch(ArrayRef<int32_t> c) const { return rank == 3 ? c[0] : 0; }
  Coordinates of(int32_t reg) const { return registerCoordinates(layout(), reg); }
};

struct LowerMma : LanePattern<MmaOp> {
  using LanePattern::LanePattern;

  LogicalResult matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto elementOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getElementType(); };
    ArrayRef<int64_t> shape = op.getInstruction();
    const MfmaInstruction *mfma = mfmaOf(op, *context.target);
    if (!mfma)
      return op.emitOpError() << "has operands " << elementOf(op.getA()) << " and " << elementOf(op.getB())
                              << ", for which " << context.target->chip() << " has no matrix instruction "
                              << shape[0] << "x" << shape[1] << "x" << shape[2];
    Operand a(op.getA()), b(op.getB()), acc(op.getAcc());
    bool transposed;
    if (failed(checkLayouts(op, *mfma, a, b, acc, transposed)))
      return failure();

    // Fragments by where they start: A by (batch, m, k), B by (batch, k, n).
    auto index = [](const Operand &operand, ValueRange fragments) {
      std::map<std::array<int32_t, 3>, Value> result;
      for (auto [number, fragment] : llvm::enumerate(fragments)) {
        Coordinates c = operand.of(number * operand.attr.getFragment());
        result.try_emplace({operand.batch(c), operand.row(c), operand.column(c)}, fragment);
      }
      return result;
    };
    auto aFragments = index(a, adaptor.getA()), bFragments = index(b, adaptor.getB());
    std::map<int32_t, bool> kStarts;
    for (auto &[where, fragment] : aFragments)
      kStarts[where[2]] = true;

    Location loc = op.getLoc();
    VectorType aType = FragmentType::of(cast<RankedTensorType>(op.getA().getType())).natural;
    VectorType bType = FragmentType::of(cast<RankedTensorType>(op.getB().getType())).natural;
    SmallVector<Value> results(adaptor.getAcc().begin(), adaptor.getAcc().end());
    // k outside: two instructions on one accumulator are as far apart as they can be.
    for (auto &[k, present] : kStarts)
      for (auto [number, result] : llvm::enumerate(results)) {
        Coordinates c = acc.of(number * acc.attr.getFragment());
        auto aAt = aFragments.find({acc.batch(c), acc.row(c), k}),
             bAt = bFragments.find({acc.batch(c), k, acc.column(c)});
        if (aAt == aFragments.end() || bAt == bFragments.end())
          return op.emitOpError() << "has no operand fragments for the accumulator at (" << acc.row(c) << ", "
                                  << acc.column(c) << "), k " << k;
        Value left = castVector(rewriter, loc, aAt->second, aType),
              right = castVector(rewriter, loc, bAt->second, bType);
        if (transposed)
          std::swap(left, right);
        // With the operands swapped the instruction's first is B.
        result = amdgpu::MFMAOp::create(rewriter, loc, result.getType(), shape[0], shape[1], shape[2],
                                        /*blocks=*/1, left, right, result);
      }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }

private:
  /// Checks what the instruction needs of the layouts and finds out whether it computes the transpose.
  LogicalResult checkLayouts(MmaOp op, const MfmaInstruction &mfma, const Operand &a, const Operand &b,
                             const Operand &acc, bool &transposed) const {
    unsigned perLane = mfma.k * mfma.m / 64, resultPerLane = mfma.m * mfma.n / 64;
    if (a.attr.getFragment() != perLane || b.attr.getFragment() != perLane ||
        acc.attr.getFragment() != resultPerLane)
      return op.emitOpError() << "takes fragments of " << perLane << ", " << perLane << " and gives "
                              << resultPerLane << " elements, but the layouts have fragments of "
                              << a.attr.getFragment() << ", " << b.attr.getFragment() << " and "
                              << acc.attr.getFragment();
    unsigned rowBits = llvm::Log2_32(mfma.m), groupBits = 6 - rowBits;
    // Lanes: the low bits select a row of A (a column of B), the high bits k, alike in both.
    for (unsigned bit = 0; bit < 6; ++bit) {
      ArrayRef<int32_t> la = a.layout().basis("lane", bit), lb = b.layout().basis("lane", bit);
      bool low = bit < rowBits;
      if (low ? (a.column(la) || b.row(lb)) : (a.row(la) || b.column(lb) || a.column(la) != b.row(lb)))
        return op.emitOpError() << "lane bit " << bit << " of operands 'a' and 'b' must "
                                << (low ? "select a row and a column" : "move k alike");
    }
    // Registers inside a fragment: k only, alike in both.
    for (unsigned bit = 0; bit < llvm::Log2_32(perLane); ++bit) {
      ArrayRef<int32_t> ra = a.layout().basis("register", bit), rb = b.layout().basis("register", bit);
      if (a.row(ra) || b.column(rb) || a.column(ra) != b.row(rb))
        return op.emitOpError() << "register bit " << bit
                                << " of operands 'a' and 'b' must move k alike within a fragment";
    }
    // The result (hardware: lane low bits are its column, registers and the high lane bits its row): whose
    // rows are its rows?
    transposed = acc.row(acc.layout().basis("lane", 0)) != 0;
    auto minor = [&](ArrayRef<int32_t> c) { return transposed ? acc.row(c) : acc.column(c); };
    auto major = [&](ArrayRef<int32_t> c) { return transposed ? acc.column(c) : acc.row(c); };
    auto majorOf = [&](unsigned rowBit) { // where bit `rowBit` of the instruction's row lands in the tile
      return transposed ? b.column(b.layout().basis("lane", rowBit))
                        : a.row(a.layout().basis("lane", rowBit));
    };
    auto minorOf = [&](unsigned columnBit) {
      return transposed ? a.row(a.layout().basis("lane", columnBit))
                        : b.column(b.layout().basis("lane", columnBit));
    };
    // Row of the result: register bits 0, 1, then the high lane bits, then the other register bits
    // (hardware's 4-row groups).
    for (unsigned bit = 0; bit < 6; ++bit) {
      ArrayRef<int32_t> basis = acc.layout().basis("lane", bit);
      bool low = bit < rowBits;
      if (low ? (minor(basis) != minorOf(bit) || major(basis))
              : (major(basis) != majorOf(2 + bit - rowBits) || minor(basis)))
        return op.emitOpError() << "lane bit " << bit << " of the accumulator does not match the operands";
    }
    for (unsigned bit = 0; bit < llvm::Log2_32(resultPerLane); ++bit) {
      ArrayRef<int32_t> basis = acc.layout().basis("register", bit);
      if (major(basis) != majorOf(bit < 2 ? bit : bit + groupBits) || minor(basis))
        return op.emitOpError() << "register bit " << bit
                                << " of the accumulator does not match the operands";
    }
    // Waves that share rows (columns, the leading dimension) of the result share them in the operand.
    for (unsigned bit = 0; bit < llvm::Log2_32(context.waves); ++bit) {
      ArrayRef<int32_t> wa = a.layout().basis("wave", bit), wb = b.layout().basis("wave", bit),
                        wc = acc.layout().basis("wave", bit);
      if (a.row(wa) != acc.row(wc) || b.column(wb) != acc.column(wc) || a.batch(wa) != acc.batch(wc) ||
          b.batch(wb) != acc.batch(wc) || a.column(wa) || b.row(wb))
        return op.emitOpError() << "wave bit " << bit << " of the operands does not match the accumulator";
    }
    return success();
  }
};

} // namespace

void lowp::tile::populateMmaPatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                     LaneContext &context) {
  patterns.add<LowerMma>(converter, context);
}
