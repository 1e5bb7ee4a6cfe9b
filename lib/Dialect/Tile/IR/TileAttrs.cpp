// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the tile dialect: layouts and what an entry tells a launcher.

#include "lowp/Dialect/Tile/IR/Tile.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

llvm::hash_code lowp::hash_value(const LinearLayout &layout) {
  llvm::hash_code hash = llvm::hash_combine_range(layout.outSizes().begin(), layout.outSizes().end());
  for (const LinearLayout::Input &input : layout.inputs()) {
    hash = llvm::hash_combine(hash, input.name);
    for (const std::vector<int32_t> &basis : input.bases)
      hash = llvm::hash_combine(hash, llvm::hash_combine_range(basis.begin(), basis.end()));
  }
  return hash;
}

#include "lowp/Dialect/Tile/IR/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "lowp/Dialect/Tile/IR/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lowp/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
}

//===-- LinearAttr
//---------------------------------------------------------------------------------------------------===//

LinearAttr LinearAttr::of(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LinearAttr>(tensor.getEncoding()) : LinearAttr();
}

LogicalResult LinearAttr::verify(function_ref<InFlightDiagnostic()> emitError, LinearLayout layout,
                                 unsigned fragment) {
  for (int32_t size : layout.outSizes())
    if (size <= 0 || !llvm::isPowerOf2_32(size))
      return emitError() << "shape must have powers of two only, but got '" << size << "'";
  for (const LinearLayout::Input &input : layout.inputs())
    for (const std::vector<int32_t> &basis : input.bases) {
      if (basis.size() != layout.rank())
        return emitError() << "a basis of '" << input.name << "' must have " << layout.rank()
                           << " coordinates, but got " << basis.size();
      for (auto [coordinate, size] : llvm::zip(basis, layout.outSizes()))
        if (coordinate < 0 || coordinate >= size)
          return emitError() << "a basis of '" << input.name << "' leaves the shape: coordinate '"
                             << coordinate << "' in a dimension of " << size;
    }
  if (fragment == 0 || !llvm::isPowerOf2_32(fragment))
    return emitError() << "fragment must be a power of two, but got '" << fragment << "'";
  if (layout.hasInput("register") && fragment > 1u << layout.inputBits("register"))
    return emitError() << "fragment must be at most the " << (1u << layout.inputBits("register"))
                       << " registers, but got '" << fragment << "'";
  return success();
}

LogicalResult LinearAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() == getLayout().rank() &&
      llvm::all_of(llvm::zip(shape, getLayout().outSizes()),
                   [](auto pair) { return std::get<0>(pair) == std::get<1>(pair); }))
    return success();
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "layout is of shape [";
  llvm::interleaveComma(getLayout().outSizes(), diagnostic);
  diagnostic << "], but the tensor is of shape [";
  llvm::interleaveComma(shape, diagnostic);
  return diagnostic << "]";
}

static ParseResult parseNumbers(AsmParser &parser, std::vector<int32_t> &numbers) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(numbers.emplace_back()); });
}

Attribute LinearAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::vector<LinearLayout::Input> inputs;
  std::vector<int32_t> shape;
  unsigned fragment = 1;
  auto parseField = [&]() -> ParseResult {
    std::string key;
    if (parser.parseKeywordOrString(&key) || parser.parseEqual())
      return failure();
    if (key == "shape")
      return parseNumbers(parser, shape);
    if (key == "fragment")
      return parser.parseInteger(fragment);
    LinearLayout::Input &input = inputs.emplace_back();
    input.name = key;
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                          [&] { return parseNumbers(parser, input.bases.emplace_back()); });
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseField))
    return {};
  // The map itself is checked by verify(); building it needs every basis to have the right length.
  for (const LinearLayout::Input &input : inputs)
    for (const std::vector<int32_t> &basis : input.bases)
      if (basis.size() != shape.size()) {
        parser.emitError(loc) << "a basis of '" << input.name << "' must have " << shape.size()
                              << " coordinates, but got " << basis.size();
        return {};
      }
  return LinearAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                                LinearLayout(std::move(inputs), std::move(shape)), fragment);
}

void LinearAttr::print(AsmPrinter &printer) const {
  auto printNumbers = [&](ArrayRef<int32_t> numbers) {
    printer << '[';
    llvm::interleaveComma(numbers, printer);
    printer << ']';
  };
  printer << '<';
  for (const LinearLayout::Input &input : getLayout().inputs()) {
    printer << input.name << " = [";
    llvm::interleaveComma(input.bases, printer, printNumbers);
    printer << "], ";
  }
  printer << "shape = ";
  printNumbers(getLayout().outSizes());
  if (getFragment() != 1)
    printer << ", fragment = " << getFragment();
  printer << '>';
}

//===-- Entries
//------------------------------------------------------------------------------------------------------===//

// A set is written as a string: the parser of nested attributes takes the '>' of '>=' for a closing bracket.
// An alias of a set has no such sign and is accepted too.
Attribute ConditionAttr::parse(AsmParser &parser, Type) {
  std::string text, quoted;
  IntegerSetAttr set;
  if (parser.parseLess() || parser.parseString(&text) || parser.parseComma())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalString(&quoted))) {
    if (parser.parseAttribute(set))
      return {};
  } else if (!(set = dyn_cast_or_null<IntegerSetAttr>(parseAttribute(quoted, parser.getContext())))) {
    parser.emitError(loc) << "expected an integer set in the string, but got '" << quoted << "'";
    return {};
  }
  if (parser.parseGreater())
    return {};
  return ConditionAttr::get(parser.getContext(), text, set.getValue());
}

void ConditionAttr::print(AsmPrinter &printer) const {
  std::string set;
  llvm::raw_string_ostream(set) << IntegerSetAttr::get(getSet());
  printer << '<';
  printer.printString(getText());
  printer << ", ";
  printer.printString(set);
  printer << '>';
}

Attribute LaunchAttr::parse(AsmParser &parser, Type) {
  FlatSymbolRefAttr kernel;
  AffineMapAttr grid;
  if (parser.parseLess() || parser.parseAttribute(kernel) || parser.parseComma() ||
      parser.parseAttribute(grid) || parser.parseGreater())
    return {};
  return LaunchAttr::get(parser.getContext(), kernel, grid.getValue());
}

void LaunchAttr::print(AsmPrinter &printer) const {
  printer << '<' << getKernel() << ", " << AffineMapAttr::get(getGrid()) << '>';
}
