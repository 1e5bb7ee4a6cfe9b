// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation by need. A selection that is derived from another one (the columns of it, for a bias) is known
// by where it came from, so every value is computed once per selection. The sums of a product come from
// Numerics/Reference; what follows them is f32 arithmetic on sets of values.
#include "lowp/Driver/Evaluate.h"

#include "Elements.h"
#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Numerics/Fill.h"
#include "lowp/Numerics/Reference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include <map>

using namespace mlir;
using namespace lowp;

size_t lowp::selectionSize(const Selection &selection) {
  size_t size = 1;
  for (const std::vector<int64_t> &indices : selection)
    size *= indices.size();
  return size;
}

class Evaluator::Impl {
public:
  Impl(func::FuncOp entry, std::vector<ArgumentValue> arguments, const EvaluateOptions &options)
      : entry(entry), arguments(std::move(arguments)), options(options) {}

  FailureOr<std::vector<Approx>> evaluate(unsigned result, const Selection &selection) {
    selections.assign(1, selection);
    derived.clear();
    memo.clear();
    FailureOr<const Elements *> elements =
        get(entry.getBody().front().getTerminator()->getOperand(result), /*selection=*/0);
    if (failed(elements))
      return failure();
    std::vector<Approx> list;
    size_t size = selectionSize(selection);
    list.reserve(size);
    for (size_t i = 0; i < size; ++i)
      list.push_back((*elements)->at<Approx>(i));
    return list;
  }

private:
  /// The dimensions `dims` of a selection, as a selection.
  unsigned derive(unsigned selection, ArrayRef<int64_t> dims) {
    std::vector<int64_t> key(dims.begin(), dims.end());
    bool same = dims.size() == selections[selection].size();
    for (size_t i = 0; i < dims.size(); ++i)
      same &= dims[i] == int64_t(i);
    if (same)
      return selection;
    auto [it, isNew] = derived.try_emplace({selection, key}, unsigned(selections.size()));
    if (isNew) {
      Selection part;
      for (int64_t dim : dims)
        part.push_back(selections[selection][dim]);
      selections.push_back(std::move(part));
    }
    return it->second;
  }

  /// For each element of `selection`, which element of its derived selection has the same coordinates.
  std::vector<size_t> places(unsigned selection, ArrayRef<int64_t> dims) {
    const Selection &whole = selections[selection];
    std::vector<size_t> step(whole.size(), 0);
    size_t size = 1;
    for (int64_t dim : llvm::reverse(dims)) {
      step[dim] = size;
      size *= whole[dim].size();
    }
    std::vector<size_t> result;
    result.reserve(selectionSize(whole));
    std::vector<size_t> counter(whole.size(), 0);
    for (size_t i = 0, count = selectionSize(whole); i < count; ++i) {
      size_t place = 0;
      for (size_t dim = 0; dim < whole.size(); ++dim)
        place += counter[dim] * step[dim];
      result.push_back(place);
      for (size_t dim = whole.size(); dim-- > 0;) {
        if (++counter[dim] < whole[dim].size())
          break;
        counter[dim] = 0;
      }
    }
    return result;
  }

  /// `value` at the coordinates `dims` of the selection, for every element of the selection.
  FailureOr<Elements> spread(Value value, unsigned selection, ArrayRef<int64_t> dims) {
    FailureOr<const Elements *> source = get(value, derive(selection, dims));
    if (failed(source))
      return failure();
    if ((*source)->size() == 1)
      return **source;
    return (*source)->gather(places(selection, dims));
  }

  FailureOr<const Elements *> get(Value value, unsigned selection) {
    if (!isa<ShapedType>(value.getType()))
      selection = derive(selection, {});
    auto key = std::make_pair(value.getAsOpaquePointer(), selection);
    if (auto it = memo.find(key); it != memo.end())
      return &it->second;
    FailureOr<Elements> elements = compute(value, selection);
    if (failed(elements))
      return failure();
    return &memo.emplace(key, std::move(*elements)).first->second;
  }

  FailureOr<Elements> compute(Value value, unsigned selection) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return load(argument, selection);
    Operation *op = value.getDefiningOp();
    if (auto matmul = dyn_cast<MatmulOp>(op))
      return product(matmul, selection);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return constantOf(constant, selection);
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      return spread(broadcast.getSource(), selection, broadcast.getDims());
    if (auto cast = dyn_cast<tensor::CastOp>(op))
      return copyOf(cast.getSource(), selection);
    if (auto extract = dyn_cast<tensor::ExtractOp>(op); extract && extract.getIndices().empty())
      return copyOf(extract.getTensor(), selection);
    if (op->getNumRegions() != 0 ||
        !isa_and_nonnull<arith::ArithDialect, math::MathDialect, LowpDialect>(op->getDialect()))
      return op->emitError() << "the reference interpreter does not know '" << op->getName() << "'";
    SmallVector<const Elements *> operands;
    for (Value operand : op->getOperands()) {
      FailureOr<const Elements *> elements = get(operand, selection);
      if (failed(elements))
        return failure();
      operands.push_back(*elements);
    }
    return applyElementwise(op, operands);
  }

  FailureOr<Elements> copyOf(Value value, unsigned selection) {
    FailureOr<const Elements *> elements = get(value, selection);
    if (failed(elements))
      return failure();
    return **elements;
  }

  FailureOr<Elements> load(BlockArgument argument, unsigned selection) {
    const ArgumentValue &value = arguments[argument.getArgNumber()];
    if (!value.tensor) {
      if (isa<FloatType>(argument.getType()))
        return Elements::uniform(Approx::exact(value.number));
      return Elements::uniform(value.integer);
    }
    const Selection &chosen = selections[selection];
    static const std::vector<int64_t> only = {0};
    size_t rank = chosen.size();
    const std::vector<int64_t> &columns = rank > 0 ? chosen[rank - 1] : only,
                               &rows = rank > 1 ? chosen[rank - 2] : only,
                               &batches = rank > 2 ? chosen[rank - 3] : only;
    MatrixView view = value.tensor->view();
    std::vector<Approx> list;
    list.reserve(selectionSize(chosen));
    for (int64_t batch : batches)
      for (int64_t row : rows)
        for (int64_t column : columns)
          list.push_back(Approx::exact(view.value(batch, row, column)));
    return Elements{std::move(list)};
  }

  FailureOr<Elements> constantOf(arith::ConstantOp op, unsigned selection) {
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!dense)
      return constantElement(op, op.getValue());
    if (dense.isSplat())
      return constantElement(op, dense.getSplatValue<Attribute>());
    return op.emitError() << "the reference interpreter knows constants with equal elements only";
  }

  /// The argument that an operand of a product is.
  const HostTensor *operandOf(MatmulOp op, Value operand, StringRef name) {
    while (auto cast = operand.getDefiningOp<tensor::CastOp>())
      operand = cast.getSource();
    auto argument = dyn_cast<BlockArgument>(operand);
    if (argument && argument.getOwner() == &entry.getBody().front())
      return arguments[argument.getArgNumber()].tensor;
    op.emitOpError() << "operand '" << name
                     << "' must be an argument of the entry for the reference interpreter";
    return nullptr;
  }

  FailureOr<Elements> product(MatmulOp op, unsigned selection) {
    const HostTensor *a = operandOf(op, op.getA(), "a"), *b = a ? operandOf(op, op.getB(), "b") : nullptr;
    if (!b)
      return failure();
    // Copies: evaluating captures may move the list.
    Selection chosen = selections[selection];
    size_t rank = chosen.size();
    MatrixView left = op.getTransposeA() ? a->view().transposed() : a->view();
    MatrixView right = op.getTransposeB() ? b->view().transposed() : b->view();
    int64_t n = left.layout.cols + options.joins;
    std::vector<Approx> sums;
    sums.reserve(selectionSize(chosen));
    for (int64_t batch : rank == 3 ? chosen[0] : std::vector<int64_t>{0}) {
      Sums exact = referenceMatmul(left, right, chosen[rank - 2], chosen[rank - 1], batch, options.threads);
      for (size_t i = 0; i < exact.sum.size(); ++i)
        sums.push_back(accumulated(exact.sum[i], exact.absSum[i], n));
    }
    Elements acc{std::move(sums)};
    // (sum * scale_a) * scale_b, in f32
    for (Value scale : {op.getScaleA(), op.getScaleB()}) {
      if (!scale)
        continue;
      FailureOr<const Elements *> factor = get(scale, derive(selection, {}));
      if (failed(factor))
        return failure();
      for (Approx &element : std::get<std::vector<Approx>>(acc.data))
        element = approx::mul(element, (*factor)->at<Approx>(0));
    }
    return epilogue(op, std::move(acc), selection);
  }

  Approx accumulated(double sum, double absSum, int64_t n) const {
    if (!options.exactSums)
      return approx::accumulated(sum, absSum, n);
    // verification_v9, verification_v10
    return absSum < exactSumLimit ? Approx::exact(sum) : Approx::anything(sum);
  }

  FailureOr<Elements> epilogue(MatmulOp op, Elements acc, unsigned selection) {
    Block *block = op.getEpilogueBlock();
    if (!block) {
      Format format = *formatOf(op.getResultType().getElementType());
      for (Approx &element : std::get<std::vector<Approx>>(acc.data))
        element = approx::roundTo(format, element, Overflow::Native);
      return acc;
    }
    std::map<void *, Elements> scalars;
    scalars.emplace(block->getArgument(0).getAsOpaquePointer(), std::move(acc));
    for (auto [i, capture] : llvm::enumerate(op.getCaptures())) {
      SmallVector<int64_t> dims;
      for (AffineExpr expr : op.getCaptureMap(i).getResults())
        dims.push_back(cast<AffineDimExpr>(expr).getPosition());
      FailureOr<Elements> elements = spread(capture, selection, dims);
      if (failed(elements))
        return failure();
      scalars.emplace(block->getArgument(i + 1).getAsOpaquePointer(), std::move(*elements));
    }
    for (Operation &inner : block->without_terminator()) {
      FailureOr<Elements> elements = scalarOp(inner, scalars, selection);
      if (failed(elements))
        return failure();
      scalars.emplace(inner.getResult(0).getAsOpaquePointer(), std::move(*elements));
    }
    return scalars.at(cast<YieldOp>(block->getTerminator()).getValue().getAsOpaquePointer());
  }

  FailureOr<Elements> scalarOp(Operation &op, const std::map<void *, Elements> &scalars, unsigned selection) {
    if (op.getNumResults() != 1)
      return op.emitError() << "the reference interpreter does not know '" << op.getName() << "'";
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return constantElement(constant, constant.getValue());
    if (auto index = dyn_cast<IndexOp>(op)) {
      int64_t dim = index.getDim();
      Elements coordinates{std::vector<int64_t>(selections[selection][dim])};
      return coordinates.gather(places(selection, {dim}));
    }
    SmallVector<const Elements *> operands;
    for (Value operand : op.getOperands())
      operands.push_back(&scalars.at(operand.getAsOpaquePointer()));
    return applyElementwise(&op, operands);
  }

  func::FuncOp entry;
  std::vector<ArgumentValue> arguments;
  EvaluateOptions options;

  std::vector<Selection> selections;
  std::map<std::pair<unsigned, std::vector<int64_t>>, unsigned> derived;
  std::map<std::pair<const void *, unsigned>, Elements> memo;
};

Evaluator::Evaluator(func::FuncOp entry, std::vector<ArgumentValue> arguments, const EvaluateOptions &options)
    : impl(std::make_unique<Impl>(entry, std::move(arguments), options)) {}

Evaluator::~Evaluator() = default;

FailureOr<std::vector<Approx>> Evaluator::evaluate(unsigned result, const Selection &selection) {
  return impl->evaluate(result, selection);
}
