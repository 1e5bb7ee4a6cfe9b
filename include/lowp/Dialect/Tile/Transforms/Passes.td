// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_TILE_PASSES
#define LOWP_TILE_PASSES

include "mlir/Pass/PassBase.td"

//===-- Layouts ------------------------------------------------------------------------------------------------------===//

def TileAssignLayouts : Pass<"tile-assign-layouts", "::lowp::tile::KernelOp"> {
  let summary = "gives every tile a layout and every staged tile its way through LDS";
  let description = [{
    Values that flow into each other form groups with one layout: operands and results of element-wise operations, what
    control flow carries, accumulators. A group takes it from the first that speaks: the matrix instruction whose
    accumulator it holds, a reduction (a slice of its source) or broadcast (its source is a slice of the result) next to it,
    the matrix instruction whose operand it is, or the memory that it is loaded from or stored to (coalesced). Constants,
    splats and coordinates are cloned for every use. Where an operation wants another layout, the value is converted.

    A tile.load with a staging becomes an LDS buffer (`tile.alloc`, one stage, slot 0) whose order is derived from the
    layout of its reader such that bank conflicts are fewest; their number per instruction is left on the alloc as
    `tile.read_conflicts` and `tile.write_conflicts`. Conversions between lanes or waves go through LDS as well; those
    between the registers of a lane stay `tile.convert_layout`. A reduction along a dimension that waves share gets
    its source with that dimension in registers.

    Afterwards every tensor has a `#tile.linear` encoding. Program order is still what counts; see `tile-synchronize`.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"", "the chip, as in -mcpu">,
    Option<"reportConflicts", "report-conflicts", "bool", /*default=*/"false",
           "remarks on every LDS buffer: accesses and their bank conflicts">];
  let dependentDialects = ["::lowp::tile::TileDialect", "::mlir::arith::ArithDialect"];
}

//===-- Pipelining ---------------------------------------------------------------------------------------------------===//

def TilePipeline : Pass<"tile-pipeline", "::lowp::tile::KernelOp"> {
  let summary = "software-pipelines loops over their dependence graph";
  let description = [{
    (filled in with the pass)
  }];
  let dependentDialects = ["::lowp::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileAllocateLds : Pass<"tile-allocate-lds", "::lowp::tile::KernelOp"> {
  let summary = "gives every ring its place in LDS";
  let description = [{
    (filled in with the pass)
  }];
  let options = [Option<"target", "target", "std::string", /*default=*/"", "the chip, as in -mcpu">];
  let dependentDialects = ["::lowp::tile::TileDialect"];
}

def TileSynchronize : Pass<"tile-synchronize", "::lowp::tile::KernelOp"> {
  let summary = "inserts waits and barriers so that waves and copies keep program order";
  let description = [{
    (filled in with the pass)
  }];
  let dependentDialects = ["::lowp::tile::TileDialect"];
}

def TileVerifySynchronization : Pass<"tile-verify-synchronization", "::lowp::tile::KernelOp"> {
  let summary = "proves the written waits and barriers sufficient";
  let description = [{
    (filled in with the pass)
  }];
}

#endif // LOWP_TILE_PASSES
