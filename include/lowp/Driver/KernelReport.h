// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compiled kernel takes and what its hot loop does, counted in its machine code; and where it misses
// what a loop of matrix instructions can reach. Nothing is run: waits, barriers and caches have no time here.
#ifndef LOWP_DRIVER_KERNELREPORT_H
#define LOWP_DRIVER_KERNELREPORT_H

#include "lowp/CodeObject/Manifest.h"
#include "lowp/Driver/LoopCounts.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace lowp {

struct KernelReport {
  std::string target, entry, variant, kernel;
  std::string place; ///< in the source, "gemm.mlir:3:8"; empty if unknown
  /// Registers that the kernel uses of a lane, each kind by itself.
  unsigned vgprs = 0, agprs = 0;
  unsigned vgprSpills = 0, sgprSpills = 0;
  sim::LaunchFacts resources; ///< what is allocated, and the occupancy that leaves
  std::optional<LoopCounts> loop;
  /// Without such a loop: of the code up to the last matrix instruction.
  std::optional<LoadCounts> straightLoads;
  /// Extra clocks of one LDS access of the worst tile, by the algebra of layouts; unknown if nobody said.
  std::optional<unsigned> readConflicts, writeConflicts;

  static constexpr unsigned simds = 4; ///< of a compute unit
  /// Waves of one workgroup on one SIMD.
  unsigned wavesOnSimd() const { return (resources.wavesPerWorkgroup + simds - 1) / simds; }
  /// Clocks of one trip of the loop for a whole workgroup: of the matrix core and the vector ALU of a SIMD,
  /// and of the LDS that its waves share.
  uint64_t matrixClocks() const { return loop ? loop->matrixClocks * wavesOnSimd() : 0; }
  uint64_t valuClocks() const { return loop ? loop->valuClocks * wavesOnSimd() : 0; }
  uint64_t ldsClocks() const { return loop ? loop->ldsClocks * resources.wavesPerWorkgroup : 0; }
  /// What the loop, or the code instead of it, loads; null where there are no matrix instructions.
  const LoadCounts *loads() const { return loop ? &loop->loads : straightLoads ? &*straightLoads : nullptr; }
  /// Waves of whole workgroups that a compute unit holds at once.
  unsigned wavesOnUnit() const {
    unsigned group = std::max(resources.wavesPerWorkgroup, 1u);
    return std::max(resources.wavesPerSimd * simds / group, 1u) * group;
  }
  /// The matrix core's part of the clocks of the busiest of the three.
  double matrixShare() const;

  /// Budgets that are missed, a sentence each.
  std::vector<std::string> advice() const;
  /// A page, with the advice at its end.
  std::string text() const;
  llvm::json::Value toJSON() const;
};

/// One for each kernel that the manifest launches, in its order. `module` is the input that was compiled: the
/// places are those of an entry's matrix product, or of the entry if it has several.
llvm::Expected<std::vector<KernelReport>> reportKernels(mlir::ModuleOp module, const Manifest &manifest,
                                                        llvm::ArrayRef<char> hsaco);

} // namespace lowp

#endif // LOWP_DRIVER_KERNELREPORT_H
