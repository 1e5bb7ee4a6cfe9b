// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requirements follow from four fields of a schedule. `access` (for the operands) and `result_access` (for
// the result and captures of its rank) ask that every group of so many bytes of a row is aligned and lies
// wholly inside the row: address, strides and innermost size are multiples. `whole_k` asks that K has no
// tail and a trip for every one of the workgroups that split it, `rows` that M is in a range. Packed storage
// has no strides of its own: they are products of the innermost size, which is a multiple already.

#include "lowp/Dialect/Lowp/IR/ScheduleRequirements.h"

#include <algorithm>

using namespace mlir;
using namespace lowp;

using Kind = ScheduleRequirement::Kind;

std::optional<bool> ScheduleRequirement::holds() const {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (kind == Kind::PointerMultiple)
    return std::nullopt;
  if (kind == Kind::StrideMultiple)
    return multiple == 1 ? std::optional<bool>(true) : std::nullopt;
  int64_t size = type.getDimSize(dim);
  if (kind == Kind::SizeMultiple) {
    if (multiple == 1)
      return true;
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    return size % multiple == 0;
  }
  if (ShapedType::isDynamic(size))
    return lo <= 1 && hi == 0 ? std::optional<bool>(true) : std::nullopt;
  return size >= lo && (hi == 0 || size <= hi);
}

std::string ScheduleRequirement::text(llvm::StringRef name) const {
  std::string where = (name + "." + Twine(dim)).str();
  switch (kind) {
  case Kind::PointerMultiple:
    return (name + " must be aligned to " + Twine(multiple) + " bytes").str();
  case Kind::StrideMultiple:
    return (name + ".stride." + Twine(dim) + " must be a multiple of " + Twine(multiple)).str();
  case Kind::SizeMultiple:
    return (where + " must be a multiple of " + Twine(multiple)).str();
  case Kind::SizeRange:
    break;
  }
  if (hi == 0)
    return (where + " must be at least " + Twine(lo)).str();
  return (where + " must be from " + Twine(lo) + " to " + Twine(hi)).str();
}

namespace {
/// A dimension of a tensor.
struct Size {
  Value tensor;
  unsigned dim;
};

class Collector {
public:
  Collector(MatmulOp op) : op(op) {}

  void access(Value tensor, int64_t bytes, Size innermost) {
    auto type = cast<RankedTensorType>(tensor.getType());
    int64_t elements = std::max<int64_t>(1, bytes * 8 / type.getElementTypeBitWidth());
    add({Kind::PointerMultiple, tensor, 0, bytes});
    if (StorageAttr::isStrided(type))
      for (unsigned dim = 0; dim + 1 < type.getRank(); ++dim)
        add({Kind::StrideMultiple, tensor, dim, elements});
    multiple(innermost, elements);
  }
  void multiple(Size size, int64_t divisor) { add({Kind::SizeMultiple, size.tensor, size.dim, divisor}); }
  void range(Size size, int64_t lo, int64_t hi) { add({Kind::SizeRange, size.tensor, size.dim, 1, lo, hi}); }

  // The sizes of the product, asked of the tensor whose type knows it, of an operand if none does.
  Size rows() { return pick({op.getA(), op.getARowDim()}, {op.getResult(), resultRank() - 2}); }
  Size columns() { return pick({op.getB(), op.getBColumnDim()}, {op.getResult(), resultRank() - 1}); }
  Size depth() { return pick({op.getA(), op.getADepthDim()}, {op.getB(), op.getBDepthDim()}); }
  /// Dimension `dim` of the result.
  Size coordinate(unsigned dim) {
    if (dim == resultRank() - 1)
      return columns();
    if (dim == resultRank() - 2)
      return rows();
    Value batched = op.getAType().getRank() == 3 ? op.getA() : op.getB();
    return pick({batched, 0}, {op.getResult(), 0});
  }
  unsigned resultRank() { return op.getResultType().getRank(); }

  SmallVector<ScheduleRequirement> list;

private:
  static Size pick(Size one, Size other) {
    bool unknown = cast<RankedTensorType>(one.tensor.getType()).isDynamicDim(one.dim);
    bool known = !cast<RankedTensorType>(other.tensor.getType()).isDynamicDim(other.dim);
    return unknown && known ? other : one;
  }
  void add(ScheduleRequirement requirement) {
    auto same = [&](const ScheduleRequirement &other) {
      return other.kind == requirement.kind && other.tensor == requirement.tensor &&
             other.dim == requirement.dim && other.multiple == requirement.multiple &&
             other.lo == requirement.lo && other.hi == requirement.hi;
    };
    if (requirement.holds() != std::optional<bool>(true) && llvm::none_of(list, same))
      list.push_back(requirement);
  }

  MatmulOp op;
};
} // namespace

SmallVector<ScheduleRequirement> lowp::scheduleRequirements(MatmulOp op, ScheduleAttr schedule) {
  Collector collector(op);
  if (int64_t bytes = schedule.getAccess()) {
    collector.access(op.getA(), bytes, op.isAContiguousInDepth() ? collector.depth() : collector.rows());
    collector.access(op.getB(), bytes, op.isBContiguousInDepth() ? collector.depth() : collector.columns());
  }
  if (int64_t bytes = schedule.getResultAccess()) {
    unsigned rank = collector.resultRank();
    for (auto [i, capture] : llvm::enumerate(op.getCaptures())) {
      AffineMap map = op.getCaptureMap(i);
      if (isa<RankedTensorType>(capture.getType()) && map.getNumResults() == rank)
        collector.access(capture, bytes, collector.coordinate(map.getDimPosition(rank - 1)));
    }
    collector.access(op.getResult(), bytes, collector.columns());
  }
  if (schedule.getWholeK()) {
    collector.multiple(collector.depth(), schedule.tripDepth());
    if (schedule.getSplits() > 1)
      collector.range(collector.depth(), schedule.getSplits() * schedule.tripDepth(), 0);
  }
  collector.range(collector.rows(), schedule.getMinRows(), schedule.getMaxRows());
  return collector.list;
}

bool lowp::canNeverHold(ArrayRef<ScheduleRequirement> requirements) {
  return llvm::any_of(requirements, [](const ScheduleRequirement &requirement) {
    return requirement.holds() == std::optional<bool>(false);
  });
}
