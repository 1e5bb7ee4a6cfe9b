// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element-wise operations of the reference interpreter. Floats: an f32 operation is that of Bound.h. On bf16
// and f16 the f32 operation and one rounding more give the correctly rounded result of + - * / and the square
// root, because 24 bits of significand are at least twice 11 plus 2; operations for which that does not hold
// are known in f32 only. Integers wrap at their width. Flags that allow other results than the plain
// operation (fastmath) are refused: nothing would be derived any more.
#include "Elements.h"

#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace lowp;

Elements Elements::gather(const std::vector<size_t> &index) const {
  if (size() == 1)
    return *this;
  return std::visit(
      [&](const auto &list) {
        std::decay_t<decltype(list)> result;
        result.reserve(index.size());
        for (size_t i : index)
          result.push_back(list[i]);
        return Elements{std::move(result)};
      },
      data);
}

FailureOr<Elements> lowp::constantElement(Operation *op, Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    if (formatOf(number.getType()))
      return Elements::uniform(Approx::exact(number.getValueAsDouble()));
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (integer.getType().isInteger(1))
      return Elements::uniform(integer.getValue().isZero() ? Truth::False : Truth::True);
    if (integer.getValue().getBitWidth() <= 64)
      return Elements::uniform(integer.getValue().getSExtValue());
  }
  return op->emitError() << "the reference interpreter does not know constants of type "
                         << cast<TypedAttr>(value).getType();
}

namespace {

class Applier {
public:
  Applier(Operation *op, ArrayRef<const Elements *> operands) : op(op), operands(operands) {
    type = getElementTypeOrSelf(op->getResult(0).getType());
    format = formatOf(type);
    for (const Elements *operand : operands)
      if (operand->size() != 1)
        count = operand->size();
  }

  FailureOr<Elements> run();

private:
  InFlightDiagnostic unknown(const Twine &reason = "") {
    InFlightDiagnostic diagnostic = op->emitError();
    diagnostic << "the reference interpreter does not know '" << op->getName() << "'";
    if (!reason.isTriviallyEmpty())
      diagnostic << ' ' << reason;
    return diagnostic;
  }
  InFlightDiagnostic unknownType() {
    return unknown("on " + std::string(isa<FloatType>(type) ? "this float type" : "this type"))
           << ", " << type;
  }

  /// result[i] = function(i).
  template <typename T, typename F> Elements make(F function) {
    std::vector<T> result;
    result.reserve(count);
    for (size_t i = 0; i < count; ++i)
      result.push_back(function(i));
    return Elements{std::move(result)};
  }
  const Approx &number(unsigned operand, size_t i) const { return operands[operand]->at<Approx>(i); }
  int64_t integer(unsigned operand, size_t i) const { return operands[operand]->at<int64_t>(i); }
  Truth truth(unsigned operand, size_t i) const { return operands[operand]->at<Truth>(i); }

  /// Of f32 values, rounded to the type of the result.
  using Unary = Approx (*)(const Approx &);
  using Binary = Approx (*)(const Approx &, const Approx &);
  FailureOr<Elements> unary(Unary function, bool onlyF32 = false);
  FailureOr<Elements> binary(Binary function);
  FailureOr<Elements> library(Unary function) { return unary(function, /*onlyF32=*/true); }
  /// A rounding to integral values: exact and monotone.
  FailureOr<Elements> integral(double (*function)(double));
  FailureOr<Elements> convert(Overflow overflow) {
    if (!format || !operands[0]->isFloat())
      return unknownType();
    return make<Approx>([&](size_t i) { return approx::roundTo(*format, number(0, i), overflow); });
  }

  template <typename F> FailureOr<Elements> integerOp(F function, bool nonZeroDivisor = false);
  FailureOr<Elements> logic(Truth (*function)(Truth, Truth), int64_t (*bits)(int64_t, int64_t));
  FailureOr<Elements> compare(arith::CmpFPredicate predicate);
  FailureOr<Elements> compare(arith::CmpIPredicate predicate);
  FailureOr<Elements> select();
  FailureOr<Elements> widen(bool isSigned);
  FailureOr<Elements> toFloat(bool isSigned);

  unsigned width(Type integer) const { return integer.isIndex() ? 64 : integer.getIntOrFloatBitWidth(); }
  int64_t wrap(uint64_t value) const { return llvm::SignExtend64(value, width(type)); }
  uint64_t zeroExtended(unsigned operand, size_t i) const {
    unsigned bits = width(getElementTypeOrSelf(op->getOperand(operand).getType()));
    return uint64_t(integer(operand, i)) & llvm::maskTrailingOnes<uint64_t>(bits);
  }

  Operation *op;
  ArrayRef<const Elements *> operands;
  Type type;
  std::optional<Format> format;
  size_t count = 1;
};

FailureOr<Elements> Applier::unary(Unary function, bool onlyF32) {
  if (!format || !operands[0]->isFloat() || (*format != Format::F32 && (onlyF32 || bitWidth(*format) != 16)))
    return unknownType();
  return make<Approx>([&](size_t i) {
    Approx result = function(number(0, i));
    return *format == Format::F32 ? result : approx::roundTo(*format, result, Overflow::Native);
  });
}

FailureOr<Elements> Applier::binary(Binary function) {
  if (!format || !operands[0]->isFloat() || (*format != Format::F32 && bitWidth(*format) != 16))
    return unknownType();
  return make<Approx>([&](size_t i) {
    Approx result = function(number(0, i), number(1, i));
    return *format == Format::F32 ? result : approx::roundTo(*format, result, Overflow::Native);
  });
}

FailureOr<Elements> Applier::integral(double (*function)(double)) {
  if (!format || !operands[0]->isFloat())
    return unknownType();
  return make<Approx>([&](size_t i) {
    Approx x = number(0, i);
    return Approx{function(x.value), x.empty() ? x.lo : function(x.lo), x.empty() ? x.hi : function(x.hi),
                  x.nan};
  });
}

template <typename F> FailureOr<Elements> Applier::integerOp(F function, bool nonZeroDivisor) {
  if (!operands[0]->isInteger())
    return unknownType();
  if (nonZeroDivisor)
    for (size_t i = 0; i < operands[1]->size(); ++i)
      if (integer(1, i) == 0)
        return unknown("with a divisor of 0");
  return make<int64_t>([&](size_t i) { return wrap(function(i)); });
}

FailureOr<Elements> Applier::logic(Truth (*function)(Truth, Truth), int64_t (*bits)(int64_t, int64_t)) {
  if (operands[0]->isTruth())
    return make<Truth>([&](size_t i) { return function(truth(0, i), truth(1, i)); });
  return integerOp([&](size_t i) { return uint64_t(bits(integer(0, i), integer(1, i))); });
}

/// arith.cmpf: an ordered relation, its unordered twin being the negation of the opposite ordered one.
FailureOr<Elements> Applier::compare(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  if (!operands[0]->isFloat())
    return unknownType();
  auto decide = [predicate](const Approx &a, const Approx &b) {
    switch (predicate) {
    case P::AlwaysFalse:
      return Truth::False;
    case P::AlwaysTrue:
      return Truth::True;
    case P::OEQ:
      return approx::equal(a, b);
    case P::OLT:
      return approx::less(a, b);
    case P::OLE:
      return approx::lessEqual(a, b);
    case P::OGT:
      return approx::less(b, a);
    case P::OGE:
      return approx::lessEqual(b, a);
    case P::ONE:
      return approx::logicalNot(approx::logicalOr(approx::equal(a, b), approx::unordered(a, b)));
    case P::ORD:
      return approx::logicalNot(approx::unordered(a, b));
    case P::UNO:
      return approx::unordered(a, b);
    case P::UEQ:
      return approx::logicalOr(approx::equal(a, b), approx::unordered(a, b));
    case P::ULT:
      return approx::logicalNot(approx::lessEqual(b, a));
    case P::ULE:
      return approx::logicalNot(approx::less(b, a));
    case P::UGT:
      return approx::logicalNot(approx::lessEqual(a, b));
    case P::UGE:
      return approx::logicalNot(approx::less(a, b));
    case P::UNE:
      return approx::logicalNot(approx::equal(a, b));
    }
    return Truth::Unknown;
  };
  return make<Truth>([&](size_t i) { return decide(number(0, i), number(1, i)); });
}

FailureOr<Elements> Applier::compare(arith::CmpIPredicate predicate) {
  if (!operands[0]->isInteger())
    return unknownType();
  unsigned bits = width(getElementTypeOrSelf(op->getOperand(0).getType()));
  return make<Truth>([&](size_t i) {
    APInt a(64, uint64_t(integer(0, i))), b(64, uint64_t(integer(1, i)));
    bool holds = arith::applyCmpPredicate(predicate, a.trunc(bits), b.trunc(bits));
    return holds ? Truth::True : Truth::False;
  });
}

FailureOr<Elements> Applier::select() {
  if (operands[1]->isFloat())
    return make<Approx>([&](size_t i) { return approx::select(truth(0, i), number(1, i), number(2, i)); });
  if (operands[1]->isTruth())
    return make<Truth>([&](size_t i) {
      Truth a = truth(1, i), b = truth(2, i);
      return truth(0, i) == Truth::True ? a : truth(0, i) == Truth::False || a == b ? b : Truth::Unknown;
    });
  for (size_t i = 0; i < operands[0]->size(); ++i)
    if (truth(0, i) == Truth::Unknown)
      return unknown("of integers by a condition that rounding decides");
  return make<int64_t>([&](size_t i) { return integer(truth(0, i) == Truth::True ? 1 : 2, i); });
}

FailureOr<Elements> Applier::widen(bool isSigned) {
  if (operands[0]->isTruth()) {
    for (size_t i = 0; i < operands[0]->size(); ++i)
      if (truth(0, i) == Truth::Unknown)
        return unknown("of a condition that rounding decides");
    return make<int64_t>(
        [&](size_t i) -> int64_t { return truth(0, i) == Truth::True ? (isSigned ? -1 : 1) : 0; });
  }
  if (type.isInteger(1))
    return make<Truth>([&](size_t i) { return (integer(0, i) & 1) ? Truth::True : Truth::False; });
  return integerOp([&](size_t i) { return isSigned ? uint64_t(integer(0, i)) : zeroExtended(0, i); });
}

FailureOr<Elements> Applier::toFloat(bool isSigned) {
  if (!format || operands[0]->isFloat())
    return unknownType();
  if (operands[0]->isTruth())
    return make<Approx>([&](size_t i) {
      return approx::select(truth(0, i), Approx::exact(isSigned ? -1 : 1), Approx::exact(0));
    });
  for (size_t i = 0; i < operands[0]->size(); ++i)
    if (std::abs(double(integer(0, i))) > 0x1p53 || (!isSigned && zeroExtended(0, i) > uint64_t(1) << 53))
      return unknown("of integers beyond 2^53");
  return make<Approx>([&](size_t i) {
    double value = isSigned ? double(integer(0, i)) : double(zeroExtended(0, i));
    return approx::roundTo(*format, Approx::exact(value), Overflow::Native);
  });
}

FailureOr<Elements> Applier::run() {
  if (auto flags = dyn_cast<arith::ArithFastMathInterface>(op))
    if (arith::FastMathFlagsAttr attribute = flags.getFastMathFlagsAttr();
        attribute && attribute.getValue() != arith::FastMathFlags::none)
      return unknown("with fastmath flags");
  auto andTruth = [](Truth a, Truth b) { return approx::logicalAnd(a, b); };
  auto orTruth = [](Truth a, Truth b) { return approx::logicalOr(a, b); };
  auto xorTruth = [](Truth a, Truth b) {
    return a == Truth::Unknown || b == Truth::Unknown ? Truth::Unknown : a == b ? Truth::False : Truth::True;
  };
  using Result = FailureOr<Elements>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddFOp) { return binary(approx::add); })
      .Case([&](arith::SubFOp) { return binary(approx::sub); })
      .Case([&](arith::MulFOp) { return binary(approx::mul); })
      .Case([&](arith::DivFOp) { return binary(approx::div); })
      .Case([&](arith::MaximumFOp) { return binary(approx::maximum); })
      .Case([&](arith::MinimumFOp) { return binary(approx::minimum); })
      .Case([&](arith::MaxNumFOp) { return binary(approx::maxnum); })
      .Case([&](arith::MinNumFOp) { return binary(approx::minnum); })
      .Case([&](arith::NegFOp) { return unary(approx::neg); })
      .Case([&](math::AbsFOp) { return unary(approx::abs); })
      .Case([&](math::SqrtOp) { return unary(approx::sqrt); })
      .Case([&](math::RsqrtOp) { return library(approx::rsqrt); })
      .Case([&](math::ExpOp) { return library(approx::exp); })
      .Case([&](math::Exp2Op) { return library(approx::exp2); })
      .Case([&](math::LogOp) { return library(approx::log); })
      .Case([&](math::Log2Op) { return library(approx::log2); })
      .Case([&](math::ErfOp) { return library(approx::erf); })
      .Case([&](math::TanhOp) { return library(approx::tanh); })
      .Case([&](math::FloorOp) { return integral(std::floor); })
      .Case([&](math::CeilOp) { return integral(std::ceil); })
      .Case([&](math::TruncOp) { return integral(std::trunc); })
      .Case([&](math::RoundEvenOp) { return integral(std::nearbyint); })
      .Case([&](math::FmaOp) -> Result {
        if (format != Format::F32)
          return unknownType();
        return make<Approx>([&](size_t i) { return approx::fma(number(0, i), number(1, i), number(2, i)); });
      })
      .Case([&](arith::ExtFOp) -> Result {
        if (!format)
          return unknownType();
        return *operands[0];
      })
      .Case([&](arith::TruncFOp truncation) -> Result {
        if (auto mode = truncation.getRoundingmode(); mode && *mode != arith::RoundingMode::to_nearest_even)
          return unknown("with a rounding mode other than to_nearest_even");
        return convert(Overflow::Native);
      })
      .Case([&](CastOp cast) {
        return convert(cast.getOverflow() == OverflowMode::Saturate ? Overflow::Saturate : Overflow::Native);
      })
      .Case([&](arith::CmpFOp compared) { return compare(compared.getPredicate()); })
      .Case([&](arith::CmpIOp compared) { return compare(compared.getPredicate()); })
      .Case([&](arith::SelectOp) { return select(); })
      .Case([&](arith::SIToFPOp) { return toFloat(true); })
      .Case([&](arith::UIToFPOp) { return toFloat(false); })
      .Case([&](arith::ExtSIOp) { return widen(true); })
      .Case([&](arith::ExtUIOp) { return widen(false); })
      .Case([&](arith::IndexCastOp) { return widen(true); })
      .Case([&](arith::IndexCastUIOp) { return widen(false); })
      .Case([&](arith::TruncIOp) { return widen(true); })
      .Case([&](arith::AddIOp) {
        return integerOp([&](size_t i) { return uint64_t(integer(0, i)) + uint64_t(integer(1, i)); });
      })
      .Case([&](arith::SubIOp) {
        return integerOp([&](size_t i) { return uint64_t(integer(0, i)) - uint64_t(integer(1, i)); });
      })
      .Case([&](arith::MulIOp) {
        return integerOp([&](size_t i) { return uint64_t(integer(0, i)) * uint64_t(integer(1, i)); });
      })
      .Case([&](arith::DivUIOp) {
        return integerOp([&](size_t i) { return zeroExtended(0, i) / zeroExtended(1, i); }, true);
      })
      .Case([&](arith::RemUIOp) {
        return integerOp([&](size_t i) { return zeroExtended(0, i) % zeroExtended(1, i); }, true);
      })
      .Case([&](arith::AndIOp) { return logic(andTruth, [](int64_t a, int64_t b) { return a & b; }); })
      .Case([&](arith::OrIOp) { return logic(orTruth, [](int64_t a, int64_t b) { return a | b; }); })
      .Case([&](arith::XOrIOp) { return logic(xorTruth, [](int64_t a, int64_t b) { return a ^ b; }); })
      .Default([&](Operation *) -> Result { return unknown(); });
}

} // namespace

FailureOr<Elements> lowp::applyElementwise(Operation *op, ArrayRef<const Elements *> operands) {
  if (op->getNumResults() != 1 || operands.empty())
    return op->emitError() << "the reference interpreter does not know '" << op->getName() << "'";
  return Applier(op, operands).run();
}
