// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the tile dialect that compute: entries, kernels, products, reductions and changes of shape or
// layout. Verifiers hold what every later pass relies on. The operations on memory are in TileMemoryOps.cpp.

#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Tile/IR/Tile.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

#define GET_OP_CLASSES
#include "lowp/Dialect/Tile/IR/TileOps.cpp.inc"

static RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

//===-- EntryOp
//------------------------------------------------------------------------------------------------------===//

LogicalResult EntryOp::verify() {
  unsigned arguments = getEntryArguments().size();
  bool hasWorkspace = llvm::any_of(getEntryArguments().getAsRange<ArgumentAttr>(), [](ArgumentAttr argument) {
    return argument.getKind() == ArgumentKind::Workspace;
  });
  auto checkCondition = [&](ConditionAttr condition) -> LogicalResult {
    IntegerSet set = condition.getSet();
    if (set.getNumDims() != 0 || set.getNumSymbols() != arguments)
      return emitOpError() << "condition '" << condition.getText() << "' must have no dimension and "
                           << arguments << " symbols, one for each argument, but has " << set.getNumDims()
                           << " and " << set.getNumSymbols();
    return success();
  };
  for (Attribute condition : getConditions())
    if (failed(checkCondition(cast<ConditionAttr>(condition))))
      return failure();
  for (Attribute attribute : getVariants()) {
    auto variant = cast<VariantAttr>(attribute);
    for (ConditionAttr condition : variant.getConditions())
      if (failed(checkCondition(condition)))
        return failure();
    for (LaunchAttr launch : variant.getLaunches()) {
      AffineMap grid = launch.getGrid();
      if (grid.getNumDims() != 0 || grid.getNumSymbols() != arguments + 1 || grid.getNumResults() != 3)
        return emitOpError() << "grid of variant '" << variant.getName() << "' must have 3 results over "
                             << arguments + 1
                             << " symbols (the arguments and the number of compute units), but has "
                             << grid.getNumResults() << " over " << grid.getNumSymbols();
    }
    AffineMapAttr workspace = variant.getWorkspace();
    if (!workspace)
      continue;
    AffineMap bytes = workspace.getValue();
    if (bytes.getNumDims() != 0 || bytes.getNumSymbols() != arguments + 1 || bytes.getNumResults() != 1)
      return emitOpError() << "workspace of variant '" << variant.getName() << "' must be 1 size over "
                           << arguments + 1
                           << " symbols (the arguments and the number of compute units), but has "
                           << bytes.getNumResults() << " over " << bytes.getNumSymbols();
    if (!hasWorkspace)
      return emitOpError() << "variant '" << variant.getName()
                           << "' has a workspace, but the entry has no argument of kind 'workspace'";
  }
  return success();
}

//===-- KernelOp
//-----------------------------------------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                     unsigned waves) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addAttribute(getWavesAttrName(state.name), builder.getI32IntegerAttr(waves));
  Block &entry = state.addRegion()->emplaceBlock();
  for (Type argument : type.getInputs())
    entry.addArgument(argument, state.location);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  int32_t waves;
  Builder &builder = parser.getBuilder();
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true,
                               /*allowAttrs=*/true) ||
      parser.parseKeyword("waves") || parser.parseLParen() || parser.parseInteger(waves) ||
      parser.parseRParen() || parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SmallVector<Type> types;
  for (const OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(types, {})));
  result.addAttribute(getWavesAttrName(result.name), builder.getI32IntegerAttr(waves));
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, {}, getArgAttrsAttrName(result.name),
                                            getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments);
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  call_interface_impl::printFunctionSignature(printer, getArgumentTypes(), getArgAttrsAttr(),
                                              /*isVariadic=*/false, {}, {}, &getBody(),
                                              /*printEmptyResult=*/false);
  printer << " waves(" << getWaves() << ')';
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getFunctionTypeAttrName(), getWavesAttrName(), getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult KernelOp::verify() {
  if (getWaves() < 1 || getWaves() > 16)
    return emitOpError() << "must have 1 to 16 waves, but got '" << getWaves() << "'";
  if (!getFunctionType().getResults().empty())
    return emitOpError() << "must have no results, but got " << getFunctionType().getNumResults();
  for (Type type : getFunctionType().getInputs()) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    if ((pointer && pointer.getAddressSpace() == 1) || type.isIntOrFloat())
      continue;
    return emitOpError() << "arguments must be global pointers (!llvm.ptr<1>), integers or floats, but got "
                         << type;
  }
  return success();
}

//===-- MmaOp
//--------------------------------------------------------------------------------------------------------===//

LogicalResult MmaOp::verify() {
  RankedTensorType a = tensorType(getA()), b = tensorType(getB()), acc = tensorType(getAcc());
  int64_t rank = a.getRank();
  if (rank != 2 && rank != 3)
    return emitOpError() << "operand 'a' must have rank 2 or 3, but got " << a;
  if (b.getRank() != rank || acc.getRank() != rank)
    return emitOpError() << "operands must have equal rank, but got " << a << ", " << b << " and " << acc;
  int64_t m = a.getDimSize(rank - 2), k = a.getDimSize(rank - 1), n = b.getDimSize(rank - 1);
  if (b.getDimSize(rank - 2) != k)
    return emitOpError() << "operands 'a' and 'b' must agree in k, but got '" << k << "' and '"
                         << b.getDimSize(rank - 2) << "'";
  if (acc.getDimSize(rank - 2) != m || acc.getDimSize(rank - 1) != n)
    return emitOpError() << "accumulator must be " << m << "x" << n << ", but got " << acc;
  if (rank == 3 && (b.getDimSize(0) != a.getDimSize(0) || acc.getDimSize(0) != a.getDimSize(0)))
    return emitOpError() << "operands must agree in the leading dimension, but got " << a << ", " << b
                         << " and " << acc;
  if (!acc.getElementType().isF32() && !acc.getElementType().isInteger(32))
    return emitOpError() << "accumulator must be f32 or i32, but got " << acc.getElementType();
  if (!formatOf(a.getElementType()) || !formatOf(b.getElementType()))
    return emitOpError() << "operands must be of lowp's formats, but got " << a.getElementType() << " and "
                         << b.getElementType();
  if (getInstruction().size() != 3 || llvm::any_of(getInstruction(), [](int64_t size) { return size < 1; }))
    return emitOpError() << "instruction must be three positive sizes m, n, k";
  if (getWaves().size() != 3 || llvm::any_of(getWaves(), [](int64_t count) { return count < 1; }))
    return emitOpError() << "waves must be three positive counts for m, n and the leading dimension";
  if (getWaves()[2] != 1 && (rank != 3 || a.getDimSize(0) != getWaves()[2]))
    return emitOpError() << "the leading dimension must be the '" << getWaves()[2]
                         << "' waves that share it, but the operands are " << a << " and " << b;
  return success();
}

//===-- Reductions and changes of shape
//------------------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  RankedTensorType source = tensorType(getSource()), result = tensorType(getResult());
  if (getDim() >= source.getRank())
    return emitOpError() << "dim must be less than the rank " << source.getRank() << ", but got '" << getDim()
                         << "'";
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + getDim());
  if (result.getShape() != ArrayRef<int64_t>(shape) || result.getElementType() != source.getElementType())
    return emitOpError() << "result must be the source without dimension " << getDim() << ", but got "
                         << result << " for " << source;
  return success();
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = tensorType(getSource()), result = tensorType(getResult());
  if (static_cast<int64_t>(getDims().size()) != source.getRank())
    return emitOpError() << "dims must name one dimension of the result for each of the " << source.getRank()
                         << " of the source, but names " << getDims().size();
  int64_t last = -1;
  for (auto [index, dim] : llvm::enumerate(getDims())) {
    if (dim <= last || dim >= result.getRank())
      return emitOpError() << "dims must be increasing dimensions of the result, but got '" << dim << "'";
    last = dim;
    if (source.getDimSize(index) != result.getDimSize(dim))
      return emitOpError() << "dimension " << index << " of the source is '" << source.getDimSize(index)
                           << "', but dimension " << dim << " of the result is '" << result.getDimSize(dim)
                           << "'";
  }
  if (source.getElementType() != result.getElementType())
    return emitOpError() << "source and result must have one element type, but got " << source << " and "
                         << result;
  return success();
}

LogicalResult SplatOp::verify() {
  if (getValue().getType() != tensorType(getResult()).getElementType())
    return emitOpError() << "value must be of the result's element type, but got " << getValue().getType()
                         << " for " << getResult().getType();
  return success();
}

LogicalResult CoordinateOp::verify() {
  RankedTensorType result = tensorType(getResult());
  if (!result.getElementType().isInteger(32))
    return emitOpError() << "result must have element type i32, but got " << result;
  if (getDim() >= result.getRank())
    return emitOpError() << "dim must be less than the rank " << result.getRank() << ", but got '" << getDim()
                         << "'";
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  RankedTensorType source = tensorType(getSource()), result = tensorType(getResult());
  if (source.getShape() != result.getShape() || source.getElementType() != result.getElementType())
    return emitOpError() << "source and result may differ in their layout only, but got " << source << " and "
                         << result;
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return {};
}
