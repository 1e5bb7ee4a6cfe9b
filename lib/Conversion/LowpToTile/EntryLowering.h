// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every operation that can be an entry has to say: which dimensions of its tensors are equal, and for
// each schedule its conditions, its workspace and its launches, each with the kernel's body. One class per
// operation; the pass does the rest.
#ifndef LOWP_LIB_CONVERSION_LOWPTOTILE_ENTRYLOWERING_H
#define LOWP_LIB_CONVERSION_LOWPTOTILE_ENTRYLOWERING_H

#include "EntryAbi.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include <functional>
#include <memory>

namespace lowp {

/// One launch of a variant.
struct KernelPlan {
  std::string suffix; ///< of the kernel's name, behind the variant's
  unsigned waves = 1;
  /// Three counts of workgroups over the entry's symbols.
  llvm::SmallVector<mlir::AffineExpr> grid;
  /// Fills the kernel's body, but for the return.
  std::function<mlir::LogicalResult(tile::KernelOp kernel, mlir::OpBuilder &builder)> createBody;
};

class EntryLowering {
public:
  virtual ~EntryLowering() = default;

  /// Finds the operation's tensors among the arguments, unifies equal dimensions (EntryAbi::setSize) and adds
  /// the conditions that they are equal. Reports operands that are no arguments.
  virtual mlir::LogicalResult analyse(Conditions &conditions) = 0;
  /// In the order in which they are tried.
  virtual llvm::SmallVector<ScheduleAttr> schedules() = 0;
  /// What a variant relies on beyond the entry's conditions.
  virtual void addConditions(ScheduleAttr schedule, Conditions &conditions) = 0;
  /// What any variant relies on in some degree: sizes within reach of the offsets that it uses. If every
  /// variant has such conditions, the weakest become the entry's.
  virtual void addReach(ScheduleAttr schedule, Conditions &conditions) = 0;
  /// Bytes of memory that the variant's launches share, over the entry's symbols; null if they need none.
  virtual mlir::AffineExpr workspaceBytes(ScheduleAttr schedule) { return {}; }
  /// In their order. What needs the workspace finds it in `abi` by then.
  virtual llvm::SmallVector<KernelPlan> launches(ScheduleAttr schedule) = 0;
};

/// Of the operation whose results a function returns. Null if the operation has none.
std::unique_ptr<EntryLowering> createEntryLowering(mlir::Operation *op, EntryAbi &abi);
std::unique_ptr<EntryLowering> createMatmulLowering(MatmulOp op, EntryAbi &abi);

} // namespace lowp

#endif // LOWP_LIB_CONVERSION_LOWPTOTILE_ENTRYLOWERING_H
