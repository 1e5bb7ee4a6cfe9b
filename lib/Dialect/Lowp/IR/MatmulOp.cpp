// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowp.matmul: assembly and verifier. The rules C1, C2, ... are those of docs/spec/matmul.md; each is checked
// at the comment that names it. Rules about the operands are checked before the region's (verifyRegions), so
// that the region's may rely on them.

#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace lowp;

//===-- Assembly
//------------------------------------------------------------------------------------------===//

/// The names of the result's coordinates; empty for a rank that no product has.
static ArrayRef<StringLiteral> coordinateNames(Type result) {
  static constexpr StringLiteral names[] = {"b", "m", "n"};
  auto tensor = dyn_cast<RankedTensorType>(result);
  if (!tensor || tensor.getRank() < 2 || tensor.getRank() > 3)
    return {};
  return ArrayRef(names).take_back(tensor.getRank());
}

/// `[m, n]`, or nothing for a scalar.
static ParseResult parseCoordinates(OpAsmParser &parser, Type result, AffineMap &map) {
  ArrayRef<StringLiteral> names = coordinateNames(result);
  SmallVector<AffineExpr> exprs;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    auto *it = llvm::find(names, name);
    if (it == names.end())
      return parser.emitError(loc) << "unknown coordinate '" << name << "' of a result of type " << result;
    exprs.push_back(getAffineDimExpr(it - names.begin(), parser.getContext()));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalSquare, parseOne))
    return failure();
  map = AffineMap::get(names.size(), 0, exprs, parser.getContext());
  return success();
}

/// epilogue(%acc: f32, %x: bf16 = %bias[n] : tensor<64xbf16>) { ... }, or nothing.
static ParseResult parseEpilogue(OpAsmParser &parser, Region &region,
                                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &captures,
                                 SmallVectorImpl<Type> &captureTypes, ArrayAttr &maps, Type result) {
  SmallVector<AffineMap> captureMaps;
  if (succeeded(parser.parseOptionalKeyword("epilogue"))) {
    SmallVector<OpAsmParser::Argument> arguments;
    auto parseOne = [&]() -> ParseResult {
      if (parser.parseArgument(arguments.emplace_back(), /*allowType=*/true))
        return failure();
      if (arguments.size() == 1)
        return success();
      return failure(parser.parseEqual() || parser.parseOperand(captures.emplace_back()) ||
                     parseCoordinates(parser, result, captureMaps.emplace_back()) ||
                     parser.parseColonType(captureTypes.emplace_back()));
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne) ||
        parser.parseRegion(region, arguments))
      return failure();
  }
  maps = parser.getBuilder().getAffineMapArrayAttr(captureMaps);
  return success();
}

static void printEpilogue(OpAsmPrinter &printer, MatmulOp op, Region &region, OperandRange captures,
                          TypeRange captureTypes, ArrayAttr maps, Type result) {
  if (region.empty())
    return;
  ArrayRef<StringLiteral> names = coordinateNames(result);
  // On a line of its own, a little in.
  printer.increaseIndent();
  printer.increaseIndent();
  printer.printNewline();
  printer << "epilogue(";
  Block &block = region.front();
  for (auto [i, argument] : llvm::enumerate(block.getArguments())) {
    if (i > 0)
      printer << ", ";
    printer.printRegionArgument(argument);
    if (i == 0)
      continue;
    printer << " = " << captures[i - 1];
    if (isa<RankedTensorType>(captureTypes[i - 1])) {
      printer << '[';
      llvm::interleaveComma(
          cast<AffineMapAttr>(maps[i - 1]).getValue().getResults(), printer,
          [&](AffineExpr expr) { printer << names[cast<AffineDimExpr>(expr).getPosition()]; });
      printer << ']';
    }
    printer << " : " << captureTypes[i - 1];
  }
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
  printer.decreaseIndent();
  printer.decreaseIndent();
}

//===-- Questions
//-----------------------------------------------------------------------------------------===//

static int64_t known(int64_t one, int64_t other) { return ShapedType::isDynamic(one) ? other : one; }

int64_t MatmulOp::getRows() {
  return known(getAType().getDimSize(getARowDim()),
               getResultType().getDimSize(getResultType().getRank() - 2));
}

int64_t MatmulOp::getColumns() {
  return known(getBType().getDimSize(getBColumnDim()),
               getResultType().getDimSize(getResultType().getRank() - 1));
}

int64_t MatmulOp::getDepth() {
  return known(getAType().getDimSize(getADepthDim()), getBType().getDimSize(getBDepthDim()));
}

int64_t MatmulOp::getBatch() {
  if (!hasBatch())
    return 1;
  int64_t batch = getResultType().getDimSize(0);
  for (RankedTensorType type : {getAType(), getBType()})
    if (type.getRank() == 3)
      batch = known(batch, type.getDimSize(0));
  return batch;
}

SmallVector<ScheduleAttr> MatmulOp::getScheduleList() {
  SmallVector<ScheduleAttr> list;
  if (std::optional<ArrayAttr> schedules = getSchedules())
    llvm::append_range(list, schedules->getAsRange<ScheduleAttr>());
  return list;
}

//===-- Verifier: operands
//--------------------------------------------------------------------------------===//

static bool agree(int64_t one, int64_t other) {
  return ShapedType::isDynamic(one) || ShapedType::isDynamic(other) || one == other;
}

/// Formats that may meet in one product have the same family.
enum class Family { Ocp8, Fnuz8, BFloat16, Float16 };

static std::optional<Family> familyOf(Format format) {
  switch (format) {
  case Format::F8E4M3FN:
  case Format::F8E5M2:
    return Family::Ocp8;
  case Format::F8E4M3FNUZ:
  case Format::F8E5M2FNUZ:
    return Family::Fnuz8;
  case Format::BF16:
    return Family::BFloat16;
  case Format::F16:
    return Family::Float16;
  default:
    return std::nullopt;
  }
}

static constexpr StringLiteral acceptedOperands = "f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, bf16, f16";

static bool isPlanned(Format format) {
  return format == Format::F6E2M3FN || format == Format::F6E3M2FN || format == Format::F4E2M1FN ||
         format == Format::I8;
}

static LogicalResult verifyOperand(MatmulOp op, StringRef name, RankedTensorType type) {
  // matmul_c1
  if (type.getRank() != 2 && type.getRank() != 3)
    return op.emitOpError() << "operand '" << name << "' must have rank 2, or 3 with a batch, but got "
                            << type;
  // matmul_c2
  std::optional<Format> format = formatOf(type.getElementType());
  if (!format || !familyOf(*format))
    return op.emitOpError() << "operand '" << name << "' has element type " << type.getElementType()
                            << (format && isPlanned(*format) ? ", which is not supported yet" : "")
                            << "; accepted are " << acceptedOperands;
  return success();
}

/// matmul_c3, over a tensor of any role.
static LogicalResult verifySizesAndStorage(MatmulOp op, StringRef name, RankedTensorType type) {
  if (llvm::is_contained(type.getShape(), 0))
    return op.emitOpError() << "'" << name << "' must have no dimension of size 0, but got " << type;
  if (type.getEncoding() && !isa<StorageAttr>(type.getEncoding()))
    return op.emitOpError() << "'" << name << "' has the encoding '" << type.getEncoding()
                            << "'; accepted are none and #lowp.storage<...>";
  return success();
}

static LogicalResult verifyShapes(MatmulOp op) {
  RankedTensorType a = op.getAType(), b = op.getBType(), result = op.getResultType();
  // matmul_c5
  int64_t depthA = a.getDimSize(op.getADepthDim()), depthB = b.getDimSize(op.getBDepthDim());
  if (!agree(depthA, depthB))
    return op.emitOpError() << "operands must have the same K, but got '" << depthA << "' in dimension "
                            << op.getADepthDim() << " of 'a' and '" << depthB << "' in dimension "
                            << op.getBDepthDim() << " of 'b'";
  // matmul_c6
  bool batchA = a.getRank() == 3, batchB = b.getRank() == 3;
  if (batchA && batchB && !agree(a.getDimSize(0), b.getDimSize(0)))
    return op.emitOpError() << "operands must have the same batch, but got '" << a.getDimSize(0)
                            << "' in 'a' and '" << b.getDimSize(0) << "' in 'b'";
  // matmul_c7
  int64_t rank = batchA || batchB ? 3 : 2;
  if (result.getRank() != rank)
    return op.emitOpError() << "result must have rank '" << rank << "', as the operands say, but got "
                            << result;
  auto expect = [&](StringRef what, int64_t dim, int64_t size, StringRef operand) -> LogicalResult {
    if (agree(result.getDimSize(dim), size))
      return success();
    return op.emitOpError() << "dimension " << dim << " of the result must be the " << what << " of '"
                            << operand << "', '" << size << "', but got '" << result.getDimSize(dim) << "'";
  };
  if (batchA && failed(expect("batch", 0, a.getDimSize(0), "a")))
    return failure();
  if (batchB && failed(expect("batch", 0, b.getDimSize(0), "b")))
    return failure();
  if (failed(expect("M", rank - 2, a.getDimSize(op.getARowDim()), "a")))
    return failure();
  return expect("N", rank - 1, b.getDimSize(op.getBColumnDim()), "b");
}

static bool isF32Tensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && tensor.getElementType().isF32() && !tensor.getEncoding();
}

static bool isResultElement(Type type) { return type.isF32() || type.isBF16() || type.isF16(); }

static LogicalResult verifyCapture(MatmulOp op, unsigned index) {
  Value capture = op.getCaptures()[index];
  Type type = capture.getType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  // matmul_c10
  if (!isResultElement(getElementTypeOrSelf(type)) || (!tensor && isa<ShapedType>(type)))
    return op.emitOpError() << "capture " << index
                            << " must be a scalar or a ranked tensor of f32, bf16 or f16, but got " << type;
  if (tensor && failed(verifySizesAndStorage(op, ("capture " + Twine(index)).str(), tensor)))
    return failure();
  // matmul_c11
  AffineMap map = op.getCaptureMap(index);
  RankedTensorType result = op.getResultType();
  if (map.getNumDims() != unsigned(result.getRank()) || map.getNumSymbols() != 0 ||
      !map.isProjectedPermutation())
    return op.emitOpError() << "capture " << index << " must choose its coordinates among the result's "
                            << result.getRank() << ", each at most once, but got '" << AffineMapAttr::get(map)
                            << "'";
  if (map.getNumResults() != unsigned(tensor ? tensor.getRank() : 0))
    return op.emitOpError() << "capture " << index << " of type " << type
                            << " needs one coordinate for each of its " << (tensor ? tensor.getRank() : 0)
                            << " dimensions, but got '" << map.getNumResults() << "'";
  // matmul_c12
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    int64_t want = result.getDimSize(map.getDimPosition(dim));
    if (!agree(tensor.getDimSize(dim), want))
      return op.emitOpError() << "dimension " << dim << " of capture " << index
                              << " must have the size of dimension " << map.getDimPosition(dim)
                              << " of the result, '" << want << "', but got '" << tensor.getDimSize(dim)
                              << "'";
  }
  return success();
}

LogicalResult MatmulOp::verify() {
  if (failed(verifyOperand(*this, "a", getAType())) || failed(verifyOperand(*this, "b", getBType())) ||
      failed(verifySizesAndStorage(*this, "a", getAType())) ||
      failed(verifySizesAndStorage(*this, "b", getBType())) ||
      failed(verifySizesAndStorage(*this, "result", getResultType())))
    return failure();
  // matmul_c4
  Type a = getAType().getElementType(), b = getBType().getElementType();
  if (familyOf(*formatOf(a)) != familyOf(*formatOf(b)))
    return emitOpError()
           << "cannot multiply " << a << " by " << b
           << "; accepted are f8E4M3FN and f8E5M2 with each other, f8E4M3FNUZ and f8E5M2FNUZ with each "
              "other, bf16 with bf16, f16 with f16";
  if (failed(verifyShapes(*this)))
    return failure();
  // matmul_c8
  if (!isResultElement(getResultType().getElementType()))
    return emitOpError() << "result has element type " << getResultType().getElementType()
                         << ", which is not supported yet; accepted are f32, bf16, f16";
  // matmul_c9
  for (auto [name, scale] : {std::pair<StringRef, Value>{"scale_a", getScaleA()}, {"scale_b", getScaleB()}})
    if (scale && !isF32Tensor(scale.getType()))
      return emitOpError() << "operand '" << name
                           << "' must be 'tensor<f32>', one scale for the whole operand, but got "
                           << scale.getType() << "; other granularities are not supported yet";
  // matmul_c11
  if (getCaptures().size() != getCaptureMaps().size())
    return emitOpError() << "needs one capture map for each of its " << getCaptures().size()
                         << " captures, but got '" << getCaptureMaps().size() << "'";
  // matmul_c13
  if (getEpilogue().empty() && !getCaptures().empty())
    return emitOpError() << "has captures but no epilogue that uses them";
  for (unsigned i = 0; i < getCaptures().size(); ++i)
    if (failed(verifyCapture(*this, i)))
      return failure();
  // matmul_c17: the names of variants become symbols.
  llvm::StringSet<> names;
  for (ScheduleAttr schedule : getScheduleList())
    if (!names.insert(schedule.getName()).second)
      return emitOpError() << "schedules must have different names, but got '" << schedule.getName()
                           << "' twice";
  return success();
}

//===-- Verifier: epilogue
//--------------------------------------------------------------------------------===//

/// matmul_c15
static LogicalResult verifyEpilogueOp(MatmulOp op, Operation &inner) {
  if (isa<CastOp, IndexOp>(inner)) {
    if (!llvm::any_of(inner.getResultTypes(), llvm::IsaPred<ShapedType>))
      return success();
  } else if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(inner.getDialect())) {
    if (isMemoryEffectFree(&inner) && inner.getNumRegions() == 0 &&
        llvm::all_of(inner.getResultTypes(), [](Type type) { return type.isIntOrIndexOrFloat(); }))
      return success();
  }
  InFlightDiagnostic diagnostic =
      op.emitOpError() << "epilogue has the operation '" << inner.getName()
                       << "'; accepted are scalar operations of arith and math, lowp.cast and lowp.index";
  diagnostic.attachNote(inner.getLoc()) << "see the operation";
  return diagnostic;
}

LogicalResult MatmulOp::verifyRegions() {
  Block *block = getEpilogueBlock();
  if (!block)
    return success();
  // matmul_c14
  if (block->getNumArguments() != getCaptures().size() + 1)
    return emitOpError() << "epilogue must have an argument for the sum and one for each of the "
                         << getCaptures().size() << " captures, but got '" << block->getNumArguments() << "'";
  if (!block->getArgument(0).getType().isF32())
    return emitOpError() << "argument 0 of the epilogue, the sum, must have type 'f32', but got "
                         << block->getArgument(0).getType();
  for (auto [i, capture] : llvm::enumerate(getCaptures())) {
    Type want = getElementTypeOrSelf(capture.getType()), got = block->getArgument(i + 1).getType();
    if (got != want)
      return emitOpError() << "argument " << i + 1
                           << " of the epilogue must have the element type of capture " << i << ", " << want
                           << ", but got " << got;
  }
  for (Operation &inner : block->without_terminator())
    if (failed(verifyEpilogueOp(*this, inner)))
      return failure();
  // matmul_c16
  auto yield = dyn_cast<YieldOp>(block->getTerminator());
  if (!yield || yield.getValue().getType() != getResultType().getElementType()) {
    InFlightDiagnostic diagnostic = emitOpError()
                                    << "epilogue must end in lowp.yield of the result's element type, "
                                    << getResultType().getElementType();
    if (yield)
      diagnostic << ", but got " << yield.getValue().getType();
    else
      diagnostic << ", but got '" << block->getTerminator()->getName() << "'";
    return diagnostic;
  }
  return success();
}

// Of all operations: here, because the assembly of lowp.matmul above is called from it.
#define GET_OP_CLASSES
#include "lowp/Dialect/Lowp/IR/LowpOps.cpp.inc"
