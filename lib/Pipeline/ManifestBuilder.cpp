// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest's entries. Kernel arguments lie one after the other at their natural alignment, as LLVM's
// AMDGPU back end lays out the arguments of a kernel function of the same types ("User Guide for AMDGPU
// Backend", "Kernarg Segment"); addKernelFacts compares with what the back end wrote into the metadata.
#include "lowp/Pipeline/ManifestBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace lowp {

FailureOr<Expr> exprFromAffine(AffineExpr expr, ArrayRef<std::string> names) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constantExpr(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    if (symbol.getPosition() >= names.size())
      return failure();
    return symbolExpr(names[symbol.getPosition()]);
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure(); // a dimension: conditions and grids have symbols only
  FailureOr<Expr> lhs = exprFromAffine(binary.getLHS(), names), rhs = exprFromAffine(binary.getRHS(), names);
  if (failed(lhs) || failed(rhs))
    return failure();
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return std::move(*lhs) + std::move(*rhs);
  case AffineExprKind::Mul:
    return std::move(*lhs) * std::move(*rhs);
  case AffineExprKind::FloorDiv:
    return floorDiv(std::move(*lhs), std::move(*rhs));
  case AffineExprKind::CeilDiv:
    return ceilDiv(std::move(*lhs), std::move(*rhs));
  case AffineExprKind::Mod:
    return mod(std::move(*lhs), std::move(*rhs));
  default:
    return failure();
  }
}

namespace {

std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string textOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

Argument::Kind kindOf(tile::ArgumentKind kind) {
  switch (kind) {
  case tile::ArgumentKind::Input:
    return Argument::Kind::Input;
  case tile::ArgumentKind::Scalar:
    return Argument::Kind::Scalar;
  case tile::ArgumentKind::Result:
    return Argument::Kind::Result;
  case tile::ArgumentKind::Dimension:
    return Argument::Kind::Dimension;
  case tile::ArgumentKind::Stride:
    return Argument::Kind::Stride;
  case tile::ArgumentKind::Workspace:
    break;
  }
  return Argument::Kind::Workspace;
}

class EntryBuilder {
public:
  explicit EntryBuilder(tile::EntryOp op) : op(op) {}
  FailureOr<Entry> run();

private:
  LogicalResult addArguments();
  LogicalResult addConditions(ArrayRef<tile::ConditionAttr> list, std::vector<Condition> &conditions);
  LogicalResult addVariant(tile::VariantAttr attribute);
  FailureOr<Expr> convert(AffineExpr expr, const Twine &where);

  tile::EntryOp op;
  Entry entry;
  std::vector<std::string> names; ///< of the arguments, and "cus"
};

FailureOr<Expr> EntryBuilder::convert(AffineExpr expr, const Twine &where) {
  FailureOr<Expr> result = exprFromAffine(expr, names);
  if (failed(result))
    return op.emitOpError() << where << " has an expression that is not over the arguments";
  return result;
}

LogicalResult EntryBuilder::addArguments() {
  auto attributes = op.getEntryArguments().getAsRange<tile::ArgumentAttr>();
  for (tile::ArgumentAttr attribute : attributes)
    names.push_back(attribute.getName().str());
  names.push_back("cus");

  uint64_t offset = 0;
  for (tile::ArgumentAttr attribute : attributes) {
    Argument argument;
    argument.kind = kindOf(attribute.getKind());
    argument.name = attribute.getName().str();
    Type type = attribute.getType();
    bool pointer = argument.kind == Argument::Kind::Input || argument.kind == Argument::Kind::Result ||
                   argument.kind == Argument::Kind::Workspace;
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      for (int64_t size : tensor.getShape())
        argument.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
      argument.strided = static_cast<bool>(tensor.getEncoding());
      type = tensor.getElementType();
    }
    argument.type = textOf(type);
    if (!pointer && (!type.isIntOrFloat() || !llvm::isPowerOf2_32(type.getIntOrFloatBitWidth()) ||
                     type.getIntOrFloatBitWidth() < 8))
      return op.emitOpError() << "argument '" << argument.name << "' is of type " << type
                              << ", which has no place among kernel arguments";
    if (AffineMapAttr sizes = attribute.getSizes())
      for (AffineExpr size : sizes.getValue().getResults()) {
        FailureOr<Expr> expr = convert(size, "argument '" + argument.name + "'");
        if (failed(expr))
          return failure();
        argument.sizes.push_back(std::move(*expr));
      }
    argument.size = pointer ? 8 : type.getIntOrFloatBitWidth() / 8;
    offset = llvm::alignTo(offset, argument.size);
    argument.offset = offset;
    offset += argument.size;
    entry.arguments.push_back(std::move(argument));
  }
  return success();
}

LogicalResult EntryBuilder::addConditions(ArrayRef<tile::ConditionAttr> list,
                                          std::vector<Condition> &conditions) {
  for (tile::ConditionAttr attribute : list)
    for (unsigned i = 0; i < attribute.getSet().getNumConstraints(); ++i) {
      FailureOr<Expr> expr =
          convert(attribute.getSet().getConstraint(i), "condition '" + attribute.getText() + "'");
      if (failed(expr))
        return failure();
      conditions.push_back({std::move(*expr), attribute.getSet().isEq(i), attribute.getText().str()});
    }
  return success();
}

LogicalResult EntryBuilder::addVariant(tile::VariantAttr attribute) {
  Variant variant;
  variant.name = attribute.getName().str();
  variant.schedule = textOf(attribute.getSchedule());
  variant.workspaceBytes = constantExpr(0);
  if (AffineMapAttr workspace = attribute.getWorkspace()) {
    FailureOr<Expr> bytes =
        convert(workspace.getValue().getResult(0), "workspace of variant '" + variant.name + "'");
    if (failed(bytes))
      return failure();
    variant.workspaceBytes = std::move(*bytes);
  }
  if (failed(addConditions(attribute.getConditions(), variant.conditions)))
    return failure();
  for (tile::LaunchAttr launchAttribute : attribute.getLaunches()) {
    Launch launch;
    launch.kernel = launchAttribute.getKernel().getValue().str();
    for (unsigned axis = 0; axis < 3; ++axis) {
      FailureOr<Expr> count =
          convert(launchAttribute.getGrid().getResult(axis), "grid of variant '" + variant.name + "'");
      if (failed(count))
        return failure();
      launch.grid[axis] = std::move(*count);
    }
    if (auto kernel = SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(op, launchAttribute.getKernel()))
      launch.block[0] = kernel.getWaves() * 64;
    variant.launches.push_back(std::move(launch));
  }
  entry.variants.push_back(std::move(variant));
  return success();
}

FailureOr<Entry> EntryBuilder::run() {
  entry.name = op.getSymName().str();
  entry.problem = op.getProblem().value_or("").str();
  if (failed(addArguments()))
    return failure();
  auto conditions = llvm::to_vector(op.getConditions().getAsRange<tile::ConditionAttr>());
  if (failed(addConditions(conditions, entry.conditions)))
    return failure();
  for (tile::VariantAttr variant : op.getVariants().getAsRange<tile::VariantAttr>())
    if (failed(addVariant(variant)))
      return failure();
  return std::move(entry);
}

/// What the entry and the metadata say of a kernel's arguments must be the same. The metadata goes on with
/// hidden ones.
llvm::Error checkArguments(const Entry &entry, const KernelInfo &kernel) {
  auto wrong = [&](const llvm::Twine &what) {
    return llvm::createStringError("kernel '" + kernel.name + "': " + what);
  };
  for (auto [number, argument] : llvm::enumerate(entry.arguments)) {
    if (number >= kernel.arguments.size())
      return wrong("has " + llvm::Twine(kernel.arguments.size()) + " arguments, but the entry has " +
                   llvm::Twine(entry.arguments.size()));
    const KernelArgument &found = kernel.arguments[number];
    if (found.offset != argument.offset || found.size != argument.size)
      return wrong(
          llvm::formatv("argument '{0}' is expected at offset {1} with {2} bytes, but is at {3} with {4}",
                        argument.name, argument.offset, argument.size, found.offset, found.size));
  }
  for (const KernelArgument &rest : llvm::ArrayRef(kernel.arguments).drop_front(entry.arguments.size()))
    if (!llvm::StringRef(rest.valueKind).starts_with("hidden_"))
      return wrong("has more arguments than the entry's " + llvm::Twine(entry.arguments.size()));
  return llvm::Error::success();
}

llvm::Error addFacts(Launch &launch, const KernelInfo &kernel) {
  uint32_t size =
      kernel.requiredWorkgroup[0] != 0
          ? kernel.requiredWorkgroup[0] * kernel.requiredWorkgroup[1] * kernel.requiredWorkgroup[2]
          : kernel.maxWorkgroup;
  if (launch.block[0] == 1)
    launch.block[0] = size;
  if (launch.block[0] != size)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}' is made for workgroups of {1} work-items, but the entry launches {2}",
                      kernel.name, size, launch.block[0]));
  launch.agprs = kernel.agprs;
  launch.vgprs = kernel.vgprs;
  launch.sgprs = kernel.sgprs;
  launch.lds = kernel.lds;
  launch.scratch = kernel.scratch;
  launch.vgprSpills = kernel.vgprSpills;
  launch.sgprSpills = kernel.sgprSpills;
  return llvm::Error::success();
}

} // namespace

FailureOr<Entry> buildEntry(tile::EntryOp op) { return EntryBuilder(op).run(); }

FailureOr<std::vector<Entry>> buildEntries(ModuleOp module) {
  std::vector<Entry> entries;
  for (tile::EntryOp op : module.getOps<tile::EntryOp>()) {
    FailureOr<Entry> entry = buildEntry(op);
    if (failed(entry))
      return failure();
    entries.push_back(std::move(*entry));
  }
  return entries;
}

llvm::Error addKernelFacts(llvm::MutableArrayRef<Entry> entries, const HsaCodeObject &codeObject) {
  for (Entry &entry : entries)
    for (Variant &variant : entry.variants)
      for (Launch &launch : variant.launches) {
        const KernelInfo *kernel = codeObject.find(launch.kernel);
        if (!kernel)
          return llvm::createStringError("the code object has no kernel '" + launch.kernel + "'");
        if (llvm::Error error = checkArguments(entry, *kernel))
          return error;
        if (llvm::Error error = addFacts(launch, *kernel))
          return error;
      }
  return llvm::Error::success();
}

} // namespace lowp
