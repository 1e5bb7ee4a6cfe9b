// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each tensor value has one node per dimension; operations join nodes. Static sizes then spread over their
// classes, and two different ones in one class are an error at the operation that joined them.
#include "lowp/Driver/Sizes.h"

#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace lowp;

static std::string nameOr(StringAttr given, const Twine &otherwise) {
  return given ? given.getValue().str() : otherwise.str();
}

std::string lowp::argumentName(func::FuncOp entry, unsigned argument) {
  return nameOr(entry.getArgAttrOfType<StringAttr>(argument, "lowp.name"), "arg" + Twine(argument));
}

std::string lowp::resultName(func::FuncOp entry, unsigned result) {
  return nameOr(entry.getResultAttrOfType<StringAttr>(result, "lowp.name"), "result" + Twine(result));
}

llvm::Expected<SizeBinding> lowp::parseSizeBinding(StringRef text) {
  SizeBinding binding;
  auto [left, right] = text.split('=');
  auto [argument, dim] = left.rsplit('.');
  binding.argument = argument.str();
  if (argument.empty() || dim.getAsInteger(10, binding.dim) || right.getAsInteger(10, binding.value))
    return llvm::createStringError("expected a size ARG.DIM=VALUE such as a.0=33, but got '" + text + "'");
  if (binding.value < 1 || binding.value > INT32_MAX)
    return llvm::createStringError("size '" + text + "' must be at least 1 and below 2147483648");
  return binding;
}

//===-- Analysis
//------------------------------------------------------------------------------------------===//

namespace lowp {

class SizeAnalysis {
public:
  explicit SizeAnalysis(func::FuncOp entry) { sizes.entry = entry; }

  FailureOr<EntrySizes> run() {
    for (Value argument : sizes.entry.getArguments())
      add(argument);
    for (Operation &op : sizes.entry.getBody().front()) {
      for (Value result : op.getResults())
        add(result);
      if (failed(visit(&op)))
        return failure();
    }
    name();
    return std::move(sizes);
  }

private:
  struct Node {
    unsigned parent;
    int64_t size; ///< of the class, at its root
    bool batch = false;
  };

  static RankedTensorType tensorOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

  void add(Value value) {
    auto type = tensorOf(value);
    if (!type)
      return;
    first[value] = nodes.size();
    order.push_back(value);
    for (int64_t size : type.getShape())
      nodes.push_back({unsigned(nodes.size()), size});
  }

  unsigned find(unsigned node) {
    while (nodes[node].parent != node)
      node = nodes[node].parent = nodes[nodes[node].parent].parent;
    return node;
  }

  LogicalResult join(Operation *op, Value x, unsigned xDim, Value y, unsigned yDim) {
    unsigned a = find(first.lookup(x) + xDim), b = find(first.lookup(y) + yDim);
    if (a == b)
      return success();
    int64_t &size = nodes[a].size, other = nodes[b].size;
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(other) && size != other)
      return op->emitError() << "needs two dimensions of equal size, but one is '" << size
                             << "' and the other is '" << other << "'";
    if (ShapedType::isDynamic(size))
      size = other;
    nodes[b].parent = a;
    nodes[a].batch |= nodes[b].batch;
    return success();
  }

  LogicalResult joinAll(Operation *op, Value x, Value y) {
    for (int64_t dim = 0; dim < tensorOf(x).getRank(); ++dim)
      if (failed(join(op, x, dim, y, dim)))
        return failure();
    return success();
  }

  LogicalResult visitMatmul(MatmulOp op) {
    Value a = op.getA(), b = op.getB(), result = op.getResult();
    unsigned rank = op.getResultType().getRank();
    if (failed(join(op, a, op.getADepthDim(), b, op.getBDepthDim())) ||
        failed(join(op, a, op.getARowDim(), result, rank - 2)) ||
        failed(join(op, b, op.getBColumnDim(), result, rank - 1)))
      return failure();
    for (Value operand : {a, b})
      if (tensorOf(operand).getRank() == 3) {
        if (failed(join(op, operand, 0, result, 0)))
          return failure();
        nodes[find(first.lookup(result))].batch = true;
      }
    for (auto [i, capture] : llvm::enumerate(op.getCaptures()))
      for (auto [dim, expr] : llvm::enumerate(op.getCaptureMap(i).getResults()))
        if (failed(join(op, capture, dim, result, cast<AffineDimExpr>(expr).getPosition())))
          return failure();
    return success();
  }

  LogicalResult visit(Operation *op) {
    if (auto matmul = dyn_cast<MatmulOp>(op))
      return visitMatmul(matmul);
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      if (failed(joinAll(op, broadcast.getResult(), broadcast.getLike())))
        return failure();
      if (tensorOf(broadcast.getSource()))
        for (auto [i, dim] : llvm::enumerate(broadcast.getDims()))
          if (failed(join(op, broadcast.getSource(), i, broadcast.getResult(), dim)))
            return failure();
      return success();
    }
    bool onTensors = llvm::any_of(op->getResults(), [](Value v) { return bool(tensorOf(v)); });
    if (!onTensors)
      return success(); // scalars, and the return
    if (!isa<CastOp, tensor::CastOp>(op) &&
        !isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()))
      return op->emitError() << "the reference interpreter does not know the operation '" << op->getName()
                             << "'";
    for (Value operand : op->getOperands())
      if (tensorOf(operand) && failed(joinAll(op, op->getResult(0), operand)))
        return failure();
    return success();
  }

  /// Turns classes into sizes and variables; arguments come first and give the names.
  void name() {
    llvm::DenseMap<unsigned, int> variables;
    for (Value value : order) {
      auto &list = sizes.extents[value];
      for (int64_t dim = 0; dim < tensorOf(value).getRank(); ++dim) {
        unsigned root = find(first.lookup(value) + dim);
        if (!ShapedType::isDynamic(nodes[root].size)) {
          list.push_back({nodes[root].size, -1});
          continue;
        }
        auto [it, isNew] = variables.try_emplace(root, int(sizes.names.size()));
        if (isNew) {
          auto argument = dyn_cast<BlockArgument>(value);
          sizes.names.push_back((argument ? argumentName(sizes.entry, argument.getArgNumber()) : "value") +
                                "." + std::to_string(dim));
          sizes.batch.push_back(nodes[root].batch);
        }
        list.push_back({0, it->second});
      }
    }
  }

  EntrySizes sizes;
  std::vector<Node> nodes;
  llvm::DenseMap<Value, unsigned> first;
  std::vector<Value> order;
};

} // namespace lowp

FailureOr<EntrySizes> EntrySizes::create(func::FuncOp entry) {
  if (entry.isExternal())
    return entry.emitOpError() << "has no body, so there is nothing to compare with";
  if (!entry.getBody().hasOneBlock())
    return entry.emitOpError() << "must have one block to be interpreted, but has "
                               << entry.getBody().getBlocks().size();
  return SizeAnalysis(entry).run();
}

//===-- Values
//--------------------------------------------------------------------------------------------===//

llvm::Expected<SizeValues> EntrySizes::bind(ArrayRef<SizeBinding> bindings) const {
  SizeValues values(variables(), 0);
  func::FuncOp func = entry;
  for (const SizeBinding &binding : bindings) {
    std::string text = binding.argument + "." + std::to_string(binding.dim);
    auto refuse = [&](const Twine &reason) {
      return llvm::createStringError("size " + text + "=" + Twine(binding.value) + ": " + reason);
    };
    Value argument;
    std::vector<std::string> known;
    for (BlockArgument candidate : func.getArguments()) {
      std::string name = argumentName(func, candidate.getArgNumber());
      if (name == binding.argument)
        argument = candidate;
      if (isa<RankedTensorType>(candidate.getType()))
        known.push_back(name);
    }
    auto type = argument ? dyn_cast<RankedTensorType>(argument.getType()) : RankedTensorType();
    if (!type)
      return refuse("the entry '" + func.getSymName() + "' has no tensor argument of that name; it has " +
                    (known.empty() ? "none" : llvm::join(known, ", ")));
    if (binding.dim >= type.getRank())
      return refuse("'" + binding.argument + "' has " + Twine(type.getRank()) + " dimensions");
    Extent extent = extents.find(argument)->second[binding.dim];
    int64_t now = extent.variable < 0 ? extent.size : values[extent.variable];
    if (now != 0 && now != binding.value)
      return refuse("must be " + Twine(now) +
                    (extent.variable < 0 ? ", as the types say" : ", as another size says"));
    if (extent.variable >= 0)
      values[extent.variable] = binding.value;
  }
  return values;
}

std::vector<SizeValues> EntrySizes::pick(const SizeValues &bound) const {
  // Each row is one set; variable i takes column i modulo the row's length, batches the last rule.
  static constexpr int64_t choices[][4] = {
      {1, 1, 1, 1},         // the smallest
      {33, 77, 101, 59},    // odd
      {256, 256, 128, 128}, // whole tiles
      {257, 129, 65, 127},  // one more
      {255, 191, 127, 63},  // one less
      {7, 192, 320, 96},    // few rows
  };
  std::vector<SizeValues> sets;
  for (auto [number, choice] : llvm::enumerate(choices)) {
    SizeValues values = bound;
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] == 0)
        values[i] = batch[i] ? 1 + int64_t(number % 3) : choice[i % std::size(choice)];
    if (!llvm::is_contained(sets, values))
      sets.push_back(std::move(values));
  }
  return sets;
}

SmallVector<int64_t, 3> EntrySizes::shapeOf(Value tensor, const SizeValues &values) const {
  SmallVector<int64_t, 3> shape;
  auto it = extents.find(tensor);
  if (it != extents.end())
    for (const Extent &extent : it->second)
      shape.push_back(extent.variable < 0 ? extent.size : values[extent.variable]);
  return shape;
}

SmallVector<int64_t, 3> EntrySizes::resultShape(unsigned result, const SizeValues &values) const {
  func::FuncOp func = entry;
  return shapeOf(func.getBody().front().getTerminator()->getOperand(result), values);
}

std::string EntrySizes::text(const SizeValues &values) const {
  std::string result;
  for (auto [name, value] : llvm::zip_equal(names, values))
    result += (result.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return result;
}
