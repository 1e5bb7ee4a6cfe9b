// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer expressions of the manifest: evaluation, C and JSON. Evaluation never wraps: a value beyond 64
// bits, a negative dividend or a divisor below 1 is an error, because a launcher that goes on with such a
// value launches a wrong grid.
#include "ManifestReader.h"
#include "lowp/CodeObject/Manifest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lowp {
namespace {

struct Operation {
  Expr::Kind kind;
  StringLiteral name;
};

constexpr Operation operations[] = {
    {Expr::Kind::Add, "add"},         {Expr::Kind::Mul, "mul"}, {Expr::Kind::FloorDiv, "floordiv"},
    {Expr::Kind::CeilDiv, "ceildiv"}, {Expr::Kind::Mod, "mod"},
};

StringRef operationName(Expr::Kind kind) {
  for (const Operation &operation : operations)
    if (operation.kind == kind)
      return operation.name;
  return "";
}

Error overflow(StringRef operation, int64_t a, int64_t b) {
  return createStringError(formatv("{0} of {1} and {2} does not fit 64 bits", operation, a, b).str());
}

Expected<int64_t> apply(Expr::Kind kind, int64_t a, int64_t b) {
  StringRef name = operationName(kind);
  int64_t result = 0;
  switch (kind) {
  case Expr::Kind::Add:
    if (AddOverflow(a, b, result))
      return overflow(name, a, b);
    return result;
  case Expr::Kind::Mul:
    if (MulOverflow(a, b, result))
      return overflow(name, a, b);
    return result;
  case Expr::Kind::FloorDiv:
  case Expr::Kind::CeilDiv:
  case Expr::Kind::Mod:
    if (a < 0)
      return createStringError(
          formatv("{0} of {1} by {2}: the dividend must not be negative", name, a, b).str());
    if (b <= 0)
      return createStringError(formatv("{0} of {1} by {2}: the divisor must be positive", name, a, b).str());
    if (kind == Expr::Kind::Mod)
      return a % b;
    return a / b + (kind == Expr::Kind::CeilDiv && a % b != 0);
  case Expr::Kind::Constant:
  case Expr::Kind::Symbol:
    break;
  }
  return createStringError("not an operation");
}

bool isConstant(const Expr &expr, int64_t value) {
  return expr.kind == Expr::Kind::Constant && expr.constant == value;
}

Expr operation(Expr::Kind kind, Expr a, Expr b) {
  if (a.kind == Expr::Kind::Constant && b.kind == Expr::Kind::Constant) {
    Expected<int64_t> folded = apply(kind, a.constant, b.constant);
    if (folded)
      return constantExpr(*folded);
    consumeError(folded.takeError());
  }
  Expr result;
  result.kind = kind;
  result.operands = {std::move(a), std::move(b)};
  return result;
}

} // namespace

Expr constantExpr(int64_t value) {
  Expr result;
  result.constant = value;
  return result;
}

Expr symbolExpr(StringRef name) {
  Expr result;
  result.kind = Expr::Kind::Symbol;
  result.symbol = name.str();
  return result;
}

Expr operator+(Expr a, Expr b) {
  if (isConstant(a, 0))
    return b;
  if (isConstant(b, 0))
    return a;
  return operation(Expr::Kind::Add, std::move(a), std::move(b));
}

Expr operator-(Expr a, Expr b) { return std::move(a) + std::move(b) * constantExpr(-1); }

Expr operator*(Expr a, Expr b) {
  if (isConstant(a, 1))
    return b;
  if (isConstant(b, 1))
    return a;
  return operation(Expr::Kind::Mul, std::move(a), std::move(b));
}

// Division by 1 stays: it still refuses a negative dividend.
Expr floorDiv(Expr a, Expr b) { return operation(Expr::Kind::FloorDiv, std::move(a), std::move(b)); }
Expr ceilDiv(Expr a, Expr b) { return operation(Expr::Kind::CeilDiv, std::move(a), std::move(b)); }
Expr mod(Expr a, Expr b) { return operation(Expr::Kind::Mod, std::move(a), std::move(b)); }

Expected<int64_t> Expr::evaluate(const Values &values) const {
  if (kind == Kind::Constant)
    return constant;
  if (kind == Kind::Symbol) {
    auto it = values.find(symbol);
    if (it == values.end())
      return createStringError(formatv("no value is given for '{0}'", symbol).str());
    return it->second;
  }
  if (operands.size() != 2)
    return createStringError(
        formatv("'{0}' must have 2 operands, but has {1}", operationName(kind), operands.size()).str());
  Expected<int64_t> a = operands[0].evaluate(values);
  if (!a)
    return a;
  Expected<int64_t> b = operands[1].evaluate(values);
  if (!b)
    return b;
  return apply(kind, *a, *b);
}

void Expr::collectSymbols(SmallVectorImpl<StringRef> &symbols) const {
  if (kind == Kind::Symbol)
    symbols.push_back(symbol);
  for (const Expr &operand : operands)
    operand.collectSymbols(symbols);
}

std::string cSymbol(StringRef symbol) {
  std::string result = "v_";
  for (char c : symbol) {
    if (isAlnum(c))
      result += c;
    else if (c == '_')
      result += "__";
    else if (c == '.')
      result += "_p";
    else
      result += "_x" + toHex(StringRef(&c, 1), /*LowerCase=*/true);
  }
  return result;
}

std::string Expr::toC() const {
  if (kind == Kind::Symbol)
    return cSymbol(symbol);
  if (kind == Kind::Constant) {
    if (constant == std::numeric_limits<int64_t>::min()) // its absolute value is no literal
      return "(-9223372036854775807LL - 1)";
    return constant < 0 ? formatv("({0}LL)", constant).str() : formatv("{0}LL", constant).str();
  }
  std::string text = formatv("lowp_{0}(", operationName(kind)).str();
  for (const Expr &operand : operands)
    text += operand.toC() + ", ";
  return text + "bad)";
}

json::Value Expr::toJSON() const {
  if (kind == Kind::Constant)
    return constant;
  if (kind == Kind::Symbol)
    return json::fixUTF8(symbol);
  json::Array array{operationName(kind)};
  for (const Expr &operand : operands)
    array.push_back(operand.toJSON());
  return array;
}

bool ManifestReader::read(const json::Value &value, Expr &result, const Twine &path) {
  if (std::optional<int64_t> constant = value.getAsInteger()) {
    result = constantExpr(*constant);
    return true;
  }
  if (std::optional<StringRef> symbol = value.getAsString()) {
    if (symbol->empty())
      return fail(path, "a symbol's name", value);
    result = symbolExpr(*symbol);
    return true;
  }
  const json::Array *array = value.getAsArray();
  if (!array || array->empty())
    return fail(path, "an integer, a symbol or an operation", value);
  std::optional<StringRef> name = array->front().getAsString();
  const Operation *found = find_if(operations, [&](const Operation &o) { return name && o.name == *name; });
  if (found == std::end(operations))
    return fail(path + "[0]", "'add', 'mul', 'floordiv', 'ceildiv' or 'mod'", array->front());
  if (array->size() != 3)
    return fail(path, "an operation and 2 operands", value);
  result = Expr();
  result.kind = found->kind;
  result.operands.resize(2);
  return read((*array)[1], result.operands[0], path + "[1]") &&
         read((*array)[2], result.operands[1], path + "[2]");
}

Expected<Expr> Expr::fromJSON(const json::Value &value) {
  ManifestReader reader;
  Expr result;
  if (!reader.read(value, result, "expression"))
    return reader.takeError();
  return result;
}

} // namespace lowp
