// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lowp-tile-to-workgroups: entries become kernels. In: functions that return the results of one scheduled
// operation. Out: a tile.entry and its kernels for each. What an operation means is in its EntryLowering;
// here is what all entries share: the function's form, arguments, conditions, the list of variants.
#include "EntryLowering.h"
#include "lowp/Conversion/LowpToTile/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace lowp {

#define GEN_PASS_DEF_LOWPTILETOWORKGROUPS
#include "lowp/Conversion/LowpToTile/Passes.h.inc"

std::unique_ptr<EntryLowering> createEntryLowering(Operation *op, EntryAbi &abi) {
  return TypeSwitch<Operation *, std::unique_ptr<EntryLowering>>(op)
      .Case([&](MatmulOp matmul) { return createMatmulLowering(matmul, abi); })
      .Default([](Operation *) { return nullptr; });
}

namespace {

/// A schedule that can be taken, with what it needs.
struct Candidate {
  ScheduleAttr schedule;
  Conditions conditions, reach;
};

class EntryConversion {
public:
  EntryConversion(func::FuncOp func, SymbolTable &symbols) : func(func), symbols(symbols) {}
  LogicalResult run();

private:
  FailureOr<Operation *> findOperation();
  FailureOr<SmallVector<Candidate>> findCandidates(EntryLowering &lowering, const EntryAbi &abi,
                                                   Operation *op);
  FailureOr<tile::VariantAttr> createVariant(const Candidate &candidate, const Conditions &entryConditions,
                                             EntryLowering &lowering, const EntryAbi &abi,
                                             OpBuilder &builder);
  StringAttr problem();

  func::FuncOp func;
  SymbolTable &symbols;
};

/// The one operation whose results the function returns.
FailureOr<Operation *> EntryConversion::findOperation() {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError() << "expected the entry to be one block, but it has control flow";
  Block &body = func.getBody().front();
  auto matmuls = llvm::to_vector(body.getOps<MatmulOp>());
  if (matmuls.empty())
    return func.emitOpError()
           << "expected the entry to return the result of one lowp.matmul, but it has none";
  for (Operation &op : body.without_terminator())
    if (&op != matmuls.front().getOperation())
      return op.emitError() << "expected the entry to return the result of one lowp.matmul, but found '"
                            << op.getName() << "', which lowp-fuse-epilogue could not fuse into it";
  Operation *terminator = body.getTerminator();
  if (!llvm::equal(terminator->getOperands(), matmuls.front()->getResults()))
    return terminator->emitOpError()
           << "expected the entry to return the result of its lowp.matmul and nothing else";
  return matmuls.front().getOperation();
}

FailureOr<SmallVector<Candidate>> EntryConversion::findCandidates(EntryLowering &lowering,
                                                                  const EntryAbi &abi, Operation *op) {
  SmallVector<Candidate> candidates;
  std::string reason;
  for (ScheduleAttr schedule : lowering.schedules()) {
    Conditions none(func.getContext());
    Candidate candidate{schedule, none, none};
    lowering.addConditions(schedule, candidate.conditions);
    lowering.addReach(schedule, candidate.reach);
    bool always = candidate.conditions.empty() && candidate.reach.empty();
    StringRef broken = candidate.conditions.contradiction();
    if (broken.empty())
      broken = candidate.reach.contradiction();
    if (!broken.empty()) {
      reason = ("schedule '" + schedule.getName() + "' needs: " + broken).str();
      continue;
    }
    candidates.push_back(std::move(candidate));
    if (always)
      break; // no launcher would go on
  }
  if (!candidates.empty())
    return candidates;
  if (reason.empty())
    return op->emitOpError() << "has no schedule; lowp-select-schedule chooses them";
  return op->emitOpError() << "has no schedule that fits this problem; " << reason;
}

FailureOr<tile::VariantAttr> EntryConversion::createVariant(const Candidate &candidate,
                                                            const Conditions &entryConditions,
                                                            EntryLowering &lowering, const EntryAbi &abi,
                                                            OpBuilder &builder) {
  MLIRContext *context = func.getContext();
  ScheduleAttr schedule = candidate.schedule;
  // Grids and workspaces have one symbol more than conditions: the number of compute units.
  auto mapOf = [&](ArrayRef<AffineExpr> sizes) { return AffineMap::get(0, abi.size() + 1, sizes, context); };
  SmallVector<tile::LaunchAttr> launches;
  for (const KernelPlan &plan : lowering.launches(schedule)) {
    std::string name = (func.getName() + "." + schedule.getName() + plan.suffix).str();
    auto kernel = tile::KernelOp::create(builder, func.getLoc(), name, abi.kernelType(), plan.waves);
    name = symbols.insert(kernel).str(); // another one if the name is taken
    abi.setArgumentAttributes(kernel);
    OpBuilder body = OpBuilder::atBlockBegin(&kernel.getBody().front());
    if (failed(plan.createBody(kernel, body)))
      return failure();
    tile::ReturnOp::create(body, func.getLoc());
    launches.push_back(
        tile::LaunchAttr::get(context, FlatSymbolRefAttr::get(context, name), mapOf(plan.grid)));
  }
  AffineMapAttr workspace;
  if (AffineExpr bytes = lowering.workspaceBytes(schedule))
    workspace = AffineMapAttr::get(mapOf(bytes));
  Conditions conditions = candidate.conditions.without(entryConditions);
  conditions.append(candidate.reach.without(entryConditions));
  return tile::VariantAttr::get(context, schedule.getName(), schedule, conditions.get(abi.size()), launches,
                                workspace);
}

/// Everything that selects kernels: the function without names and schedules, on one line.
StringAttr EntryConversion::problem() {
  OwningOpRef<func::FuncOp> copy = func.clone();
  copy->setName("problem");
  copy->walk([](MatmulOp op) { op.removeSchedulesAttr(); });
  for (unsigned i = 0; i < copy->getNumArguments(); ++i)
    copy->removeArgAttr(i, "lowp.name");
  for (unsigned i = 0; i < copy->getNumResults(); ++i)
    copy->removeResultAttr(i, StringAttr::get(func.getContext(), "lowp.name"));
  std::string text, line;
  llvm::raw_string_ostream stream(text);
  copy->print(stream, OpPrintingFlags().useLocalScope());
  for (char c : text) {
    bool space = llvm::isSpace(c);
    if (!space || (!line.empty() && line.back() != ' '))
      line += space ? ' ' : c;
  }
  return StringAttr::get(func.getContext(), line);
}

LogicalResult EntryConversion::run() {
  FailureOr<EntryAbi> abi = EntryAbi::create(func);
  FailureOr<Operation *> op = failed(abi) ? FailureOr<Operation *>(failure()) : findOperation();
  if (failed(op))
    return failure();
  std::unique_ptr<EntryLowering> lowering = createEntryLowering(*op, *abi);

  Conditions conditions(func.getContext()), equalities(func.getContext());
  if (failed(lowering->analyse(equalities)))
    return failure();
  abi->addConditions(conditions); // ranges before what is derived from the sizes
  conditions.append(equalities);
  if (!conditions.contradiction().empty())
    return (*op)->emitOpError() << "is never possible: " << conditions.contradiction();
  FailureOr<SmallVector<Candidate>> candidates = findCandidates(*lowering, *abi, *op);
  if (failed(candidates))
    return failure();
  conditions.append(candidates->back().reach);
  if (llvm::any_of(*candidates, [&](const Candidate &candidate) {
        return static_cast<bool>(lowering->workspaceBytes(candidate.schedule));
      }))
    abi->addWorkspace();

  OpBuilder builder(func);
  SmallVector<tile::ConditionAttr> entryConditions = conditions.get(abi->size());
  SmallVector<Attribute> variants;
  auto entry = tile::EntryOp::create(
      builder, func.getLoc(), func.getNameAttr(), abi->arguments(),
      builder.getArrayAttr(SmallVector<Attribute>(entryConditions.begin(), entryConditions.end())),
      builder.getArrayAttr({}), problem());
  for (const Candidate &candidate : *candidates) {
    FailureOr<tile::VariantAttr> variant = createVariant(candidate, conditions, *lowering, *abi, builder);
    if (failed(variant))
      return failure();
    variants.push_back(*variant);
  }
  entry.setVariantsAttr(builder.getArrayAttr(variants));
  func.erase();
  return success();
}

struct LowpTileToWorkgroups : impl::LowpTileToWorkgroupsBase<LowpTileToWorkgroups> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (func.isPublic() && !func.isExternal() && !func->hasAttr("lowp.device") &&
          failed(EntryConversion(func, symbols).run()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace lowp
