// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the tile dialect: views of global memory and rings of tiles in LDS.

#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Tile/IR/Tile.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

#define GET_TYPEDEF_CLASSES
#include "lowp/Dialect/Tile/IR/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "lowp/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
}

static LogicalResult verifyElement(function_ref<InFlightDiagnostic()> emitError, Type elementType) {
  if (formatOf(elementType))
    return success();
  return emitError() << "element type " << elementType << " is none of lowp's formats";
}

//===-- ViewType
//-----------------------------------------------------------------------------------------------------===//

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                               Type elementType, unsigned vector) {
  if (failed(verifyElement(emitError, elementType)))
    return failure();
  unsigned bits = bitWidth(*formatOf(elementType));
  if (!llvm::isPowerOf2_32(vector) || vector > 16 || vector * 8 < bits)
    return emitError() << "vector must be a power of two from " << llvm::divideCeil(bits, 8)
                       << " to 16 bytes, but got '" << vector << "'";
  return success();
}

Type ViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  unsigned vector;
  if (parser.parseLess() || parser.parseDimensionList(shape) || parser.parseType(elementType) ||
      parser.parseComma() || parser.parseKeyword("vector") || parser.parseEqual() ||
      parser.parseInteger(vector) || parser.parseGreater())
    return {};
  return ViewType::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape, elementType,
                              vector);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << (getShape().empty() ? "" : "x") << getElementType() << ", vector = " << getVector() << '>';
}

//===-- LocalType
//----------------------------------------------------------------------------------------------------===//

LogicalResult LocalType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                Type elementType, unsigned stages, LinearAttr layout) {
  if (failed(verifyElement(emitError, elementType)) ||
      failed(layout.verifyEncoding(shape, elementType, emitError)))
    return failure();
  if (stages == 0)
    return emitError() << "stages must be at least 1";
  const LinearLayout &map = layout.getLayout();
  if (map.inputs().size() != 1 || !map.hasInput("offset") || !map.isSurjective() || !map.isInjective())
    return emitError()
           << "the layout of an LDS buffer must map 'offset', and nothing else, one to one to the tile";
  return success();
}

int64_t LocalType::getStageBytes() const {
  return llvm::divideCeil(ShapedType::getNumElements(getShape()) * bitWidth(*formatOf(getElementType())), 8);
}

Type LocalType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  unsigned stages;
  LinearAttr layout;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() || parser.parseKeyword("stages") ||
      parser.parseEqual() || parser.parseInteger(stages) || parser.parseComma() ||
      parser.parseAttribute(layout) || parser.parseGreater())
    return {};
  return LocalType::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape, elementType,
                               stages, layout);
}

void LocalType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x' << getElementType() << ", stages = " << getStages() << ", " << getLayout() << '>';
}
