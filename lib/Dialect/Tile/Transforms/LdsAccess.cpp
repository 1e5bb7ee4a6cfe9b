// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots are written by tile-pipeline as (iv - lower bound) / step + constant, and simplified afterwards by
// whatever folds arithmetic. A slot is therefore read as a linear function over the trip numbers: the
// induction variable is lower bound + step * trip, and a division is exact when every coefficient is a
// multiple of the divisor. What cannot be read this way is an unknown slot, never a guess.
#include "LdsAccess.h"

#include "lowp/Layout/TileLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace lowp::tile {

std::optional<LdsAccess> LdsAccess::of(Operation *op) {
  auto make = [&](AccessKind kind, Value buffer, OpOperand &slot) {
    return LdsAccess{op, kind, buffer.getDefiningOp<AllocOp>(), &slot};
  };
  if (auto load = dyn_cast<LocalLoadOp>(op))
    return make(AccessKind::Read, load.getBuffer(), load.getSlotMutable());
  if (auto store = dyn_cast<LocalStoreOp>(op))
    return make(AccessKind::Write, store.getBuffer(), store.getSlotMutable());
  if (auto copy = dyn_cast<AsyncCopyOp>(op))
    return make(AccessKind::Copy, copy.getBuffer(), copy.getSlotMutable());
  return std::nullopt;
}

unsigned LdsAccess::stages() const {
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<LocalType>(operand.getType()))
      return type.getStages();
  return 1;
}

unsigned countedInstructions(Operation *op, unsigned waves) {
  if (auto copy = dyn_cast<AsyncCopyOp>(op))
    return copy.instructionsPerWave(waves);
  auto load = dyn_cast<LocalLoadOp>(op);
  if (!load)
    return 0;
  constexpr unsigned widest = 128;
  auto type = cast<RankedTensorType>(load.getType());
  LinearAttr layout = LinearAttr::of(type);
  if (!layout)
    return 0;
  unsigned bits = type.getElementTypeBitWidth();
  AccessPlan plan =
      planAccess(layout.getLayout(), load.getBuffer().getType().getLayout().getLayout(), bits, widest);
  // Registers that hold copies may share an access.
  if (plan.bits != widest || llvm::is_contained(plan.registerOffsets, 0u))
    return 0;
  return layout.registers() * bits / widest;
}

bool mayOverlap(AllocOp a, AllocOp b) {
  if (!a || !b || a == b)
    return true;
  if (!a.getOffset() || !b.getOffset())
    return false;
  auto end = [](AllocOp ring) {
    auto type = cast<LocalType>(ring.getResult().getType());
    return int64_t(*ring.getOffset()) + type.getStageBytes() * type.getStages();
  };
  return int64_t(*a.getOffset()) < end(b) && int64_t(*b.getOffset()) < end(a);
}

TripFunction TripFunction::scaledAdd(const TripFunction &other, int64_t factor) const {
  TripFunction sum = *this;
  sum.constant += factor * other.constant;
  for (auto [value, coefficient] : other.terms) {
    auto *known = llvm::find_if(sum.terms, [v = value](auto &term) { return term.first == v; });
    if (known != sum.terms.end())
      known->second += factor * coefficient;
    else
      sum.terms.push_back({value, factor * coefficient});
  }
  llvm::erase_if(sum.terms, [](auto &term) { return term.second == 0; });
  return sum;
}

/// The value itself, as an unknown of its own.
static TripFunction opaque(Value value) {
  TripFunction function;
  function.terms.push_back({value, 1});
  return function;
}

static TripFunction constant(int64_t value) {
  TripFunction function;
  function.constant = value;
  return function;
}

/// Whether every trip gives a number that is not negative: where unsigned and signed arithmetic agree.
static bool isNonNegative(const TripFunction &function) {
  return function.constant >= 0 && llvm::all_of(function.terms, [](auto &term) {
           return term.second >= 0 && scf::getForInductionVarOwner(term.first);
         });
}

/// `dividend` / `divisor`, when it is exact for all trips.
static std::optional<TripFunction> exactQuotient(const TripFunction &dividend, int64_t divisor) {
  if (divisor <= 0 || dividend.constant % divisor || !isNonNegative(dividend))
    return std::nullopt;
  TripFunction result = dividend;
  result.constant /= divisor;
  for (auto &term : result.terms) {
    if (term.second % divisor)
      return std::nullopt;
    term.second /= divisor;
  }
  return result;
}

/// `modulus` is 0 where the value has to be exact, that is below a division.
static TripFunction evaluate(Value value, int64_t modulus, unsigned depth) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return constant(number.getSExtValue());
  if (depth == 0)
    return opaque(value);
  if (scf::ForOp loop = scf::getForInductionVarOwner(value)) {
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (!step)
      return opaque(value);
    TripFunction trip = constant(0);
    trip.terms.push_back({value, *step});
    return evaluate(loop.getLowerBound(), modulus, depth - 1).scaledAdd(trip, 1);
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return opaque(value);
  auto operand = [&](unsigned i) { return evaluate(op->getOperand(i), modulus, depth - 1); };
  auto constantOperand = [&](unsigned i) { return getConstantIntValue(op->getOperand(i)); };

  if (isa<arith::AddIOp>(op))
    return operand(0).scaledAdd(operand(1), 1);
  if (isa<arith::SubIOp>(op))
    return operand(0).scaledAdd(operand(1), -1);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return operand(0);
  if (isa<arith::MulIOp>(op)) {
    for (unsigned i : {0u, 1u})
      if (std::optional<int64_t> factor = constantOperand(i))
        return constant(0).scaledAdd(operand(1 - i), *factor);
    return opaque(value);
  }
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(op)) {
    if (std::optional<int64_t> divisor = constantOperand(1))
      if (auto quotient = exactQuotient(evaluate(op->getOperand(0), 0, depth - 1), *divisor))
        return *quotient;
    return opaque(value);
  }
  if (isa<arith::ShRUIOp>(op)) {
    std::optional<int64_t> shift = constantOperand(1);
    if (shift && *shift >= 0 && *shift < 31)
      if (auto quotient = exactQuotient(evaluate(op->getOperand(0), 0, depth - 1), int64_t(1) << *shift))
        return *quotient;
    return opaque(value);
  }
  // A remainder by a multiple of the modulus changes nothing.
  std::optional<int64_t> divisor;
  if (isa<arith::RemUIOp>(op))
    divisor = constantOperand(1);
  else if (isa<arith::AndIOp>(op))
    if (std::optional<int64_t> mask = constantOperand(1); mask && llvm::isMask_64(*mask))
      divisor = *mask + 1;
  if (divisor && modulus > 0 && *divisor > 0 && *divisor % modulus == 0)
    if (TripFunction dividend = operand(0); isNonNegative(dividend))
      return dividend;
  return opaque(value);
}

std::optional<TripFunction> TripFunction::of(Value value, int64_t modulus) {
  constexpr unsigned maxDepth = 16;
  TripFunction function = evaluate(value, modulus, maxDepth);
  for (auto [term, coefficient] : function.terms)
    if (scf::ForOp loop = scf::getForInductionVarOwner(term); !loop || !getConstantIntValue(loop.getStep()))
      return std::nullopt;
  return function;
}

std::optional<int64_t> constantTripCount(scf::ForOp loop) {
  auto lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  return *upper <= *lower ? 0 : llvm::divideCeil(uint64_t(*upper - *lower), uint64_t(*step));
}

bool accessesLds(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return LdsAccess::of(nested) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace lowp::tile
