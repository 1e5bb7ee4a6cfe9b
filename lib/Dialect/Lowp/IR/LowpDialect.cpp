// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself, the storage attribute, and the attributes that other operations may carry:
// `lowp.device` on functions, `lowp.name` on their arguments and results.

#include "lowp/Dialect/Lowp/IR/Lowp.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace lowp;

#include "lowp/Dialect/Lowp/IR/LowpDialect.cpp.inc"
#include "lowp/Dialect/Lowp/IR/LowpEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "lowp/Dialect/Lowp/IR/LowpAttrs.cpp.inc"

void LowpDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "lowp/Dialect/Lowp/IR/LowpOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lowp/Dialect/Lowp/IR/LowpAttrs.cpp.inc"
      >();
}

//===-- Storage
//-------------------------------------------------------------------------------------------===//

bool StorageAttr::isStrided(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto storage = tensor ? dyn_cast_or_null<StorageAttr>(tensor.getEncoding()) : StorageAttr();
  return storage && storage.getOrder() == StorageOrder::Strided;
}

LogicalResult StorageAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                          function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.empty())
    return emitError() << "'#lowp.storage<" << stringifyStorageOrder(getOrder())
                       << ">' needs a tensor of rank 1 or more, but got rank 0";
  return success();
}

//===-- Attributes on other operations
//--------------------------------------------------------------------===//

LogicalResult LowpDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != "lowp.device")
    return op->emitOpError() << "has the attribute '" << attribute.getName().getValue()
                             << "', which the lowp dialect does not know; accepted is 'lowp.device'";
  if (!isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError() << "attribute 'lowp.device' must be a unit attribute, but got '"
                             << attribute.getValue() << "'";
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError() << "attribute 'lowp.device' must be on a function";
  return success();
}

static LogicalResult verifyName(Operation *op, NamedAttribute attribute, StringRef what, unsigned index) {
  if (attribute.getName() != "lowp.name")
    return op->emitOpError() << what << " " << index << " has the attribute '"
                             << attribute.getName().getValue()
                             << "', which the lowp dialect does not know; accepted is 'lowp.name'";
  // "a.0" and "a.stride.0" are a's size and stride, and command lines write NAME=VALUE.
  auto name = dyn_cast<StringAttr>(attribute.getValue());
  if (!name || name.empty() || llvm::isDigit(name.getValue().front()) ||
      !llvm::all_of(name.getValue(), [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return op->emitOpError() << what << " " << index
                             << " attribute 'lowp.name' must be letters, digits and '_' and not begin with "
                                "a digit, but got '"
                             << attribute.getValue() << "'";
  return success();
}

LogicalResult LowpDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                    NamedAttribute attribute) {
  return verifyName(op, attribute, "argument", argument);
}

LogicalResult LowpDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned result,
                                                       NamedAttribute attribute) {
  return verifyName(op, attribute, "result", result);
}
