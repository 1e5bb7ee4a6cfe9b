// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of kernels, from the type of a function; see EntryAbi.h for their order and names.
#include "EntryAbi.h"
#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace lowp {

//===-- AbiTensor
//----------------------------------------------------------------------------------------------------===//

AffineExpr AbiTensor::rowBytes() const {
  AffineExpr one = getAffineConstantExpr(1, type.getContext());
  AffineExpr elements = sizes.empty() ? one : sizes.back();
  return (elements * elementBits()).ceilDiv(8);
}

AffineExpr AbiTensor::strideBytes(unsigned dim) const {
  if (strided)
    return elementBits() % 8 == 0 ? strides[dim] * (elementBits() / 8)
                                  : (strides[dim] * elementBits()).floorDiv(8);
  AffineExpr bytes = rowBytes();
  for (unsigned inner = dim + 1; inner + 1 < sizes.size(); ++inner)
    bytes = bytes * sizes[inner];
  return bytes;
}

//===-- EntryAbi
//-----------------------------------------------------------------------------------------------------===//

/// What a kernel takes by value.
static bool isScalarArgument(Type type) {
  return type.isF32() || type.isBF16() || type.isF16() || type.isInteger(32) || type.isInteger(64);
}

unsigned EntryAbi::add(tile::ArgumentKind kind, const Twine &name, Type type, Type kernelType) {
  attributes.push_back(tile::ArgumentAttr::get(context, kind, name.str(), type, AffineMapAttr()));
  types.push_back(kernelType);
  return types.size() - 1;
}

/// The entry's name goes into ELF symbols, where '@' begins a version and NUL ends the name, into the
/// manifest, which is UTF-8, and into LLVM IR, which keeps "llvm." for itself.
static LogicalResult checkEntryName(func::FuncOp func) {
  StringRef name = func.getName();
  if (!name.empty() && llvm::json::isUTF8(name) && !name.starts_with("llvm.") &&
      llvm::all_of(name, [](unsigned char c) { return c >= ' ' && c != 0x7f && c != '@'; }))
    return success();
  std::string shown;
  llvm::raw_string_ostream(shown).write_escaped(name);
  return func.emitOpError()
         << "the name of an entry must be UTF-8 without control characters and '@' and not "
            "begin with 'llvm.', but got '"
         << shown << "'";
}

FailureOr<EntryAbi> EntryAbi::create(func::FuncOp func) {
  if (failed(checkEntryName(func)))
    return failure();
  EntryAbi abi(func.getContext());
  Type pointer = LLVM::LLVMPointerType::get(func.getContext(), 1);
  auto addTensor = [&](tile::ArgumentKind kind, const Twine &name, RankedTensorType type) -> LogicalResult {
    if (!formatOf(type.getElementType()))
      return func.emitOpError() << "argument '" << name << "' is a tensor of " << type.getElementType()
                                << ", which is no element type of an entry";
    AbiTensor tensor;
    tensor.name = name.str();
    tensor.type = type;
    tensor.result = kind == tile::ArgumentKind::Result;
    tensor.strided = StorageAttr::isStrided(type);
    tensor.pointer = abi.add(kind, name, type, pointer);
    abi.tensors.push_back(std::move(tensor));
    return success();
  };
  auto nameOf = [&](StringAttr given, const Twine &otherwise) {
    return given ? given.getValue().str() : otherwise.str();
  };

  for (auto [number, type] : llvm::enumerate(func.getArgumentTypes())) {
    std::string name = nameOf(func.getArgAttrOfType<StringAttr>(number, "lowp.name"), "arg" + Twine(number));
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      if (failed(addTensor(tile::ArgumentKind::Input, name, tensor)))
        return failure();
    } else if (isScalarArgument(type)) {
      abi.add(tile::ArgumentKind::Scalar, name, type, type);
    } else {
      return func.emitOpError() << "argument '" << name << "' is of type " << type
                                << ", but an entry takes ranked tensors, f32, bf16, f16, i32 and i64";
    }
  }
  abi.firstResult = abi.tensors.size();
  for (auto [number, type] : llvm::enumerate(func.getResultTypes())) {
    std::string name =
        nameOf(func.getResultAttrOfType<StringAttr>(number, "lowp.name"), "result" + Twine(number));
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return func.emitOpError() << "result '" << name << "' is of type " << type
                                << ", but an entry gives ranked tensors";
    if (failed(addTensor(tile::ArgumentKind::Result, name, tensor)))
      return failure();
  }

  Builder builder(func.getContext());
  for (AbiTensor &tensor : abi.tensors)
    for (auto [dim, size] : llvm::enumerate(tensor.type.getShape())) {
      if (!ShapedType::isDynamic(size))
        tensor.sizes.push_back(builder.getAffineConstantExpr(size));
      else if (tensor.result)
        tensor.sizes.push_back(AffineExpr());
      else
        tensor.sizes.push_back(
            abi.symbol(abi.add(tile::ArgumentKind::Dimension, tensor.name + "." + Twine(dim),
                               builder.getI32Type(), builder.getI32Type())));
    }
  for (AbiTensor &tensor : abi.tensors)
    for (int64_t dim = 0; tensor.strided && dim + 1 < tensor.type.getRank(); ++dim)
      tensor.strides.push_back(
          abi.symbol(abi.add(tile::ArgumentKind::Stride, tensor.name + ".stride." + Twine(dim),
                             builder.getI64Type(), builder.getI64Type())));

  llvm::StringSet<> names;
  for (tile::ArgumentAttr argument : abi.attributes)
    if (!names.insert(argument.getName()).second)
      return func.emitOpError() << "names of arguments must be unique, but '" << argument.getName()
                                << "' occurs twice";
  return abi;
}

const AbiTensor *EntryAbi::input(unsigned argument) const {
  for (const AbiTensor &tensor : tensors)
    if (!tensor.result && tensor.pointer == argument)
      return &tensor;
  return nullptr;
}

void EntryAbi::setSize(const AbiTensor &tensor, unsigned dim, AffineExpr size) {
  tensors[&tensor - tensors.data()].sizes[dim] = size;
}

void EntryAbi::addWorkspace() {
  Builder builder(context);
  add(tile::ArgumentKind::Workspace, "workspace", builder.getI64Type(),
      LLVM::LLVMPointerType::get(context, 1));
  hasWorkspace = true;
}

ArrayAttr EntryAbi::arguments() const {
  SmallVector<Attribute> result(attributes.begin(), attributes.end());
  for (const AbiTensor &tensor : tensors) {
    if (!tensor.result || tensor.type.hasStaticShape())
      continue;
    tile::ArgumentAttr bare = attributes[tensor.pointer];
    auto sizes = AffineMapAttr::get(AffineMap::get(0, size(), tensor.sizes, context));
    result[tensor.pointer] =
        tile::ArgumentAttr::get(context, bare.getKind(), bare.getName(), bare.getType(), sizes);
  }
  return ArrayAttr::get(context, result);
}

FunctionType EntryAbi::kernelType() const { return FunctionType::get(context, types, {}); }

void EntryAbi::setArgumentAttributes(tile::KernelOp kernel) const {
  UnitAttr unit = UnitAttr::get(context);
  for (const AbiTensor &tensor : tensors) {
    kernel.setArgAttr(tensor.pointer, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
    kernel.setArgAttr(tensor.pointer,
                      tensor.result ? LLVM::LLVMDialect::getWriteOnlyAttrName()
                                    : LLVM::LLVMDialect::getReadonlyAttrName(),
                      unit);
  }
  if (hasWorkspace)
    kernel.setArgAttr(workspace(), LLVM::LLVMDialect::getNoAliasAttrName(), unit);
}

void EntryAbi::addConditions(Conditions &conditions) const {
  constexpr int64_t maxSize = std::numeric_limits<int32_t>::max();
  auto dimension = [](const AbiTensor &tensor, unsigned dim) {
    return "dimension " + std::to_string(dim) + " of " + tensor.name;
  };
  for (const AbiTensor &tensor : tensors)
    if (unsigned bytes = tensor.elementBits() / 8; bytes > 1)
      conditions.requireMultiple(symbol(tensor.pointer), bytes,
                                 tensor.name + " must be aligned to " + Twine(bytes) + " bytes");
  // A dimension's own symbol, whatever it is known to equal.
  for (const AbiTensor &tensor : tensors)
    for (auto [dim, size] : llvm::enumerate(tensor.type.getShape())) {
      if (tensor.result && ShapedType::isDynamic(size))
        continue;
      AffineExpr own = getAffineConstantExpr(size, context);
      if (ShapedType::isDynamic(size))
        for (auto [number, argument] : llvm::enumerate(attributes))
          if (argument.getName() == tensor.name + "." + std::to_string(dim))
            own = symbol(number);
      conditions.requireAtLeast(own, 1, dimension(tensor, dim) + " must be at least 1");
      conditions.requireAtMost(own, maxSize, dimension(tensor, dim) + " must be below 2147483648");
    }
  for (const AbiTensor &tensor : tensors)
    for (auto [dim, stride] : llvm::enumerate(tensor.strides)) {
      std::string name = "stride " + std::to_string(dim) + " of " + tensor.name;
      conditions.requireAtLeast(stride, 0, name + " must not be negative");
      if (tensor.elementBits() % 8 != 0)
        conditions.requireMultiple(stride * tensor.elementBits(), 8,
                                   name + " must be a whole number of bytes");
      // Rows of a result that overlap would be written twice; and kernels mask the rows behind the last by
      // the size of the memory that they reach, which needs rows apart. A dimension of one index has no
      // second row.
      if (tensor.result || dim + 2 == tensor.sizes.size())
        conditions.requireAtLeast((tensor.sizes[dim] - 1) * (stride - tensor.sizes.back()), 0,
                                  name + " must be at least " + dimension(tensor, tensor.type.getRank() - 1));
    }
}

//===-- KernelArguments
//----------------------------------------------------------------------------------------------===//

Value KernelArguments::create(AffineExpr expr, Type type) {
  Value &cached = values[{expr, type}];
  if (cached)
    return cached;
  Location loc = kernel.getLoc();
  Value value;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    value = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, constant.getValue()));
  } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    value = argument(symbol.getPosition());
    if (type.isIndex())
      value = arith::IndexCastUIOp::create(builder, loc, type, value);
    else if (value.getType() != type)
      value = arith::ExtUIOp::create(builder, loc, type, value);
  } else {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    Value lhs = create(binary.getLHS(), type), rhs = create(binary.getRHS(), type);
    switch (expr.getKind()) {
    case AffineExprKind::Add:
      value = builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
      break;
    case AffineExprKind::Mul:
      value = builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
      break;
    case AffineExprKind::FloorDiv:
      value = builder.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
      break;
    case AffineExprKind::CeilDiv:
      value = builder.createOrFold<arith::CeilDivUIOp>(loc, lhs, rhs);
      break;
    default:
      value = builder.createOrFold<arith::RemUIOp>(loc, lhs, rhs);
    }
  }
  return values[{expr, type}] = value; // the recursion may have moved the entry
}

Value KernelArguments::view(const AbiTensor &tensor, unsigned vector) {
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes, strides;
  for (auto [dim, size] : llvm::enumerate(tensor.sizes)) {
    auto constant = dyn_cast<AffineConstantExpr>(size);
    shape.push_back(constant ? constant.getValue() : ShapedType::kDynamic);
    if (!constant)
      sizes.push_back(index(size));
    if (dim + 1 < tensor.sizes.size())
      strides.push_back(i64(tensor.strideBytes(dim)));
  }
  auto type = tile::ViewType::get(kernel.getContext(), shape, tensor.type.getElementType(), vector);
  return tile::ViewOp::create(builder, kernel.getLoc(), type, argument(tensor.pointer), sizes, strides);
}

} // namespace lowp
