// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowp-fuse-epilogue: element-wise users of a product move into its epilogue.
//
// For one product, the *members* are the element-wise operations that are computed from its result through
// element-wise operations alone. A member may be the *end* of the fusion when everything between the product
// and it has no other use: then the product can yield the end's value instead of its own. The last possible
// end in program order is taken; the product moves there, so that whatever the members use besides dominates
// it.
//
// What members use besides is followed through element-wise producers, broadcasts and casts up to what has to
// be captured: those producers are computed anew per element, which loses nothing, because nothing else could
// compute them. `like` of a broadcast is a use of a shape only and does not keep a value alive, if the
// broadcast dies with the fusion or stands after it.

#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Dialect/Lowp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace lowp {
#define GEN_PASS_DEF_FUSEEPILOGUE
#include "lowp/Dialect/Lowp/Transforms/Passes.h.inc"
} // namespace lowp

using namespace mlir;
using namespace lowp;

using Members = llvm::SmallSetVector<Operation *, 16>;

/// An operation that computes each element of its result from the operands' elements of the same coordinates.
static bool isElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  if (isa<CastOp, tensor::CastOp>(op))
    return isa<RankedTensorType>(op->getOperand(0).getType());
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op) && op->getNumRegions() == 0;
}

static bool isResultElement(Type type) { return type.isF32() || type.isBF16() || type.isF16(); }

static bool canCapture(Value value) {
  Type type = value.getType();
  return isResultElement(getElementTypeOrSelf(type)) &&
         (!isa<ShapedType>(type) || isa<RankedTensorType>(type));
}

/// An operation on scalars that may stand in an epilogue as it is.
static bool isScalarOp(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect, LowpDialect>(op->getDialect()) &&
         !isa<IndexOp>(op) && op->getNumResults() == 1 && op->getResult(0).getType().isIntOrFloat() &&
         isMemoryEffectFree(op) && op->getNumRegions() == 0;
}

static bool isScalarOfTensor(Operation *op) {
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  return extract && extract.getIndices().empty();
}

/// The constant that every element of `value` is, null if there is none.
static TypedAttr splatConstant(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  if (auto splat = dyn_cast<SplatElementsAttr>(constant))
    return dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
  return isa<ShapedType>(value.getType()) ? TypedAttr() : dyn_cast<TypedAttr>(constant);
}

namespace {
/// Whether an epilogue can get the elements of a value that does not come from its product.
class Reach {
public:
  bool operator()(Value value) {
    if (splatConstant(value) || canCapture(value))
      return true;
    if (auto it = known.find(value); it != known.end())
      return it->second;
    bool result = value.getDefiningOp() && producer(value.getDefiningOp());
    return known[value] = result;
  }
  /// Whether the epilogue can compute anew what `op` computes.
  bool producer(Operation *op) {
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      return (*this)(broadcast.getSource());
    if (!isElementwise(op) && !isScalarOp(op) && !isScalarOfTensor(op))
      return false;
    return llvm::all_of(op->getOperands(), [&](Value operand) { return (*this)(operand); });
  }

private:
  DenseMap<Value, bool> known;
};
} // namespace

//===-- What is fused
//-------------------------------------------------------------------------------------===//

namespace {
/// The choice for one product: the end of the fusion and the members up to it.
struct Choice {
  Operation *end = nullptr;
  Members members; ///< in program order, `end` the last
};

class Analysis {
public:
  explicit Analysis(MatmulOp matmul) : matmul(matmul) { collect(); }

  std::optional<Choice> choose() {
    for (Operation *end : llvm::reverse(all))
      if (std::optional<Choice> choice = tryEnd(end))
        return choice;
    return std::nullopt;
  }

private:
  void collect() {
    SmallVector<Operation *> worklist = {matmul};
    while (!worklist.empty())
      for (Operation *user : worklist.pop_back_val()->getUsers())
        if (user->getBlock() == matmul->getBlock() && isElementwise(user) && all.insert(user))
          worklist.push_back(user);
    sortByPosition(all);
  }

  static void sortByPosition(Members &members) {
    SmallVector<Operation *> sorted = members.takeVector();
    llvm::sort(sorted, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    members.insert(sorted.begin(), sorted.end());
  }

  std::optional<Choice> tryEnd(Operation *end) {
    if (!isResultElement(getElementTypeOrSelf(end->getResult(0).getType())))
      return std::nullopt;
    Choice choice;
    choice.end = end;
    choice.members.insert(end);
    for (unsigned i = 0; i < choice.members.size(); ++i)
      for (Value operand : choice.members[i]->getOperands())
        if (Operation *def = operand.getDefiningOp(); def && all.contains(def))
          choice.members.insert(def);
    sortByPosition(choice.members);

    for (Operation *member : choice.members) {
      for (Value operand : member->getOperands())
        if (!isAvailable(operand, choice))
          return std::nullopt;
      if (member != end && !hasNoOtherUse(member, choice))
        return std::nullopt;
    }
    if (!hasNoOtherUse(matmul, choice))
      return std::nullopt;
    return choice;
  }

  bool isAvailable(Value value, const Choice &choice) {
    Operation *def = value.getDefiningOp();
    return value == matmul.getResult() || (def && choice.members.contains(def)) || reach(value);
  }

  bool hasNoOtherUse(Operation *op, const Choice &choice) {
    return llvm::all_of(op->getResult(0).getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (choice.members.contains(user))
        return true;
      auto broadcast = dyn_cast<BroadcastOp>(user);
      if (!broadcast || use.get() == broadcast.getSource())
        return false;
      return diesWith(user, choice) || canFollow(broadcast, choice);
    });
  }

  /// Whether nothing but the members needs `op`.
  bool diesWith(Operation *op, const Choice &choice) {
    if (!isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() != 0)
      return false;
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return choice.members.contains(user) || diesWith(user, choice);
    });
  }

  /// Whether `broadcast` may take its shape from the end instead.
  bool canFollow(BroadcastOp broadcast, const Choice &choice) {
    auto shape = cast<RankedTensorType>(choice.end->getResult(0).getType()).getShape();
    return broadcast->getBlock() == choice.end->getBlock() && choice.end->isBeforeInBlock(broadcast) &&
           cast<RankedTensorType>(broadcast.getType()).getShape() == shape;
  }

  MatmulOp matmul;
  Reach reach;
  Members all; ///< every operation computed from the product element by element, in program order
};

//===-- The new epilogue
//----------------------------------------------------------------------------------===//

class EpilogueBuilder {
public:
  EpilogueBuilder(MatmulOp matmul, const Choice &choice)
      : builder(choice.end), matmul(matmul), choice(choice), rank(matmul.getResultType().getRank()) {
    llvm::append_range(captures, matmul.getCaptures());
    for (unsigned i = 0; i < captures.size(); ++i)
      maps.push_back(matmul.getCaptureMap(i));
  }

  /// The product with the members inside, at the place of the last of them.
  MatmulOp build() {
    startBlock();
    for (Operation *member : choice.members)
      scalars[{member->getResult(0), identity()}] = clone(member, identity());
    Value last = scalars[{choice.end->getResult(0), identity()}];
    YieldOp::create(builder, choice.end->getLoc(), last);

    builder.setInsertionPoint(choice.end);
    auto fused = MatmulOp::create(builder, matmul.getLoc(), choice.end->getResult(0).getType(), matmul.getA(),
                                  matmul.getB(), matmul.getScaleA(), matmul.getScaleB(), captures,
                                  matmul.getTransposeA(), matmul.getTransposeB(),
                                  builder.getAffineMapArrayAttr(maps), matmul.getSchedulesAttr());
    fused->setDiscardableAttrs(matmul->getDiscardableAttrDictionary());
    fused.getEpilogue().takeBody(region);
    return fused;
  }

private:
  AffineMap identity() { return builder.getMultiDimIdentityMap(rank); }

  /// The old epilogue, or the conversion that the lack of one stands for; its value is the product's.
  void startBlock() {
    Value value;
    if (matmul.getEpilogueBlock()) {
      IRMapping mapping;
      matmul.getEpilogue().cloneInto(&region, mapping);
      block = &region.front();
      auto yield = cast<YieldOp>(block->getTerminator());
      value = yield.getValue();
      yield.erase();
      builder.setInsertionPointToEnd(block);
    } else {
      block = &region.emplaceBlock();
      value = block->addArgument(builder.getF32Type(), matmul.getLoc());
      builder.setInsertionPointToEnd(block);
      Type element = matmul.getResultType().getElementType();
      if (element != value.getType())
        value = arith::TruncFOp::create(builder, matmul.getLoc(), element, value);
    }
    scalars[{matmul.getResult(), identity()}] = value;
  }

  /// The scalar version of an element-wise operation whose coordinates are `map` of the result's.
  Value clone(Operation *op, AffineMap map) {
    if (isa<tensor::CastOp>(op))
      return scalarOf(op->getOperand(0), map, op->getLoc());
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, scalarOf(operand, map, op->getLoc()));
    Operation *scalar = builder.clone(*op, mapping);
    scalar->getResult(0).setType(getElementTypeOrSelf(op->getResult(0).getType()));
    return scalar->getResult(0);
  }

  /// The element of `value` (or the scalar) whose coordinates are `map` of the result's.
  Value scalarOf(Value value, AffineMap map, Location loc) {
    if (!isa<ShapedType>(value.getType()))
      map = AffineMap::get(rank, 0, {}, builder.getContext());
    auto key = std::make_pair(value, map);
    if (Value known = scalars.lookup(key))
      return known;
    Value scalar = createScalar(value, map, loc);
    scalars[key] = scalar;
    return scalar;
  }

  Value createScalar(Value value, AffineMap map, Location loc) {
    if (TypedAttr constant = splatConstant(value))
      return arith::ConstantOp::create(builder, loc, constant);
    Operation *def = value.getDefiningOp();
    if (auto broadcast = dyn_cast_or_null<BroadcastOp>(def)) {
      SmallVector<AffineExpr> exprs;
      for (int64_t dim : broadcast.getDims())
        exprs.push_back(map.getResult(dim));
      return scalarOf(broadcast.getSource(), AffineMap::get(rank, 0, exprs, builder.getContext()), loc);
    }
    if (def && isScalarOfTensor(def))
      return scalarOf(def->getOperand(0), AffineMap::get(rank, 0, {}, builder.getContext()), loc);
    if (def && reach.producer(def))
      return clone(def, map);
    return capture(value, map);
  }

  Value capture(Value value, AffineMap map) {
    for (unsigned i = 0; i < captures.size(); ++i)
      if (captures[i] == value && maps[i] == map)
        return block->getArgument(i + 1);
    captures.push_back(value);
    maps.push_back(map);
    return block->addArgument(getElementTypeOrSelf(value.getType()), value.getLoc());
  }

  OpBuilder builder;
  MatmulOp matmul;
  const Choice &choice;
  unsigned rank;
  Region region;
  Block *block = nullptr;
  SmallVector<Value> captures;
  SmallVector<AffineMap> maps;
  DenseMap<std::pair<Value, AffineMap>, Value> scalars;
  Reach reach;
};
} // namespace

/// Erases operations that nothing needs any more, and then what they alone needed.
static void eraseDead(SmallVector<Operation *> worklist) {
  llvm::SmallPtrSet<Operation *, 16> erased;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (erased.contains(op) || !isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        worklist.push_back(def);
    erased.insert(op);
    op->erase();
  }
}

static bool fuse(MatmulOp matmul) {
  std::optional<Choice> choice = Analysis(matmul).choose();
  if (!choice)
    return false;
  MatmulOp fused = EpilogueBuilder(matmul, *choice).build();
  choice->end->getResult(0).replaceAllUsesWith(fused.getResult());

  // Broadcasts that stand after the fusion take their shape from the new product; those before it die.
  SmallVector<Operation *> dead(choice->members.begin(), choice->members.end());
  dead.insert(dead.begin(), matmul);
  SmallVector<Operation *> shapeUsers;
  for (Operation *op : dead)
    for (Operation *user : op->getUsers())
      if (auto broadcast = dyn_cast<BroadcastOp>(user)) {
        if (fused->getBlock() == user->getBlock() && fused->isBeforeInBlock(user))
          broadcast.getLikeMutable().assign(fused.getResult());
        shapeUsers.push_back(user);
      }
  // What dies with such a broadcast may have no user of its own to start from.
  for (unsigned i = 0; i < shapeUsers.size(); ++i)
    if (!fused->isBeforeInBlock(shapeUsers[i]))
      llvm::append_range(shapeUsers, shapeUsers[i]->getUsers());
  dead.append(shapeUsers);
  eraseDead(std::move(dead));
  return true;
}

namespace {
class FuseEpilogue : public lowp::impl::FuseEpilogueBase<FuseEpilogue> {
public:
  void runOnOperation() override {
    // One product's fusion may free another's. Each removes an operation on tensors, so this ends.
    while (fuseOne())
      continue;
  }

private:
  bool fuseOne() {
    return getOperation()
        ->walk([](MatmulOp matmul) { return fuse(matmul) ? WalkResult::interrupt() : WalkResult::advance(); })
        .wasInterrupted();
  }
};
} // namespace
