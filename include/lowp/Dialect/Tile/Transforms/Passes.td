// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_TILE_PASSES
#define LOWP_TILE_PASSES

include "mlir/Pass/PassBase.td"

//===-- Layouts ------------------------------------------------------------------------------------------------------===//

def TileAssignLayouts : Pass<"tile-assign-layouts", "::lowp::tile::KernelOp"> {
  let summary = "gives every tile a layout and every staged tile its way through LDS";
  let description = [{
    Requires: tiles of power-of-two sizes; every `tile.mma` names an instruction that the target has. Encodings that are there
    already are kept.

    Values that flow into each other form groups with one layout: operands and results of element-wise operations, what
    control flow carries, accumulators. A group takes it from the first that speaks: the matrix instruction whose
    accumulator it holds, a reduction (a slice of its source) or broadcast (its source is a slice of the result) next to it,
    the matrix instruction whose operand it is, or the memory that it is loaded from or stored to (coalesced). Constants,
    splats and coordinates are cloned for every use. Where an operation wants another layout, the value is converted.

    A `tile.store` whose view promises wider accesses than its value's group allows, an accumulator's of narrow elements, is cut
    off that group: either its value is converted to a layout that memory suits, or the accumulators are, in front of the
    element-wise operations, where tiles that these load make that cheaper.

    A tile.load with a staging becomes an LDS buffer (`tile.alloc`, one stage, slot 0) whose order is derived from the
    layout of its reader such that bank conflicts are fewest; their number per instruction is left on the alloc as
    `tile.read_conflicts` and `tile.write_conflicts`. Conversions between lanes or waves go through LDS as well; those
    between the registers of a lane stay `tile.convert_layout`. A reduction along a dimension that waves share gets
    its source in a layout in which the waves share the other dimensions.

    Ensures: every tensor has a `#tile.linear` encoding; no `tile.load` has a staging; conversions between lanes or waves go through
    LDS. Program order is still what counts; see `tile-synchronize`.

    Before:
    ```mlir
    %a = tile.load %A[%m0, %k] staging(direct) : <256x4096xf8E4M3FN, vector = 16> -> tensor<256x64xf8E4M3FN>
    %r = tile.mma %a, %b, %c instruction [32, 32, 64] waves [2, 4, 1] : ...
    ```
    After:
    ```mlir
    %ring = tile.alloc : <256x64xf8E4M3FN, stages = 1, #lds>
    tile.async_copy %A[%m0, %k], %ring[%c0] : <256x4096xf8E4M3FN, vector = 16>, <256x64xf8E4M3FN, stages = 1, #lds>
    %a = tile.local_load %ring[%c0] : <256x64xf8E4M3FN, stages = 1, #lds> -> tensor<256x64xf8E4M3FN, #operand_a>
    %r = tile.mma %a, %b, %c instruction [32, 32, 64] waves [2, 4, 1] : ...
    ```
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
    Pipelines every `scf.for` marked `tile.stages = S : i32` with S >= 2. Stages come from the dependence graph of the body:

    | from | to | iterations later |
    |---|---|---|
    | async_copy, local_store into a rotating ring | its local_load | S - 1 (exactly) |
    | tile.load | local_store into a rotating ring | 1 |
    | tile.load | any other use | S - 1 |
    | local_load of a rotating ring | its use | 1 with `tile.read_ahead` on the loop, otherwise 0 |
    | any other value, carried or not | its use | 0 |

    A ring rotates, and gets S slots, if only this loop uses it, each iteration fills it once from global memory, and reads
    it afterwards. Every other access of memory keeps its program order within one stage, and so does what must not run
    too often (`tile.store`, writes to other rings), in the last stage. Scalar arithmetic on the induction variable is repeated
    for each stage. Everything runs as late as the number of stages allows. In the steady state reads of rotating rings come
    first, then what refills them, then the computation in program order.

    The result is right for every trip count: there is no epilogue, earlier stages run beyond the last iteration, where loads
    and copies repeat the last one's (`in_bounds` stays true) and their tiles are not used. A loop that cannot be pipelined stays as it is, with a remark that says why.

    With `tile.order` on the loop (1 `interleave`, 2 `pingpong`), even for S = 1, the unit is not a trip but a product: the steady state
    is one `tile.cluster` for each product of the body, with the reads and refills whose turn it is, and barriers marked `tile.derived`
    whose waits `tile-synchronize` finds. `pingpong` sets the loop between `tile.stagger begin` and `end`.

    Requires: layouts assigned; no waits and barriers in marked loops; different kernel pointers do not overlap where one is
    stored to in a marked loop.
    Ensures: program order means what it meant before; the slots of rotating rings are constants, or the trip number of the
    loop plus a constant; the marks are gone.

    Before:
    ```mlir
    scf.for %k = %c0 to %n step %c32 ... {
      tile.async_copy %A[%m, %k], %ring[%c0]
      %a = tile.local_load %ring[%c0]
      ... tile.mma %a, ...
    } {tile.stages = 3 : i32}
    ```
    After:
    ```mlir
    tile.async_copy %A[%m, %c0], %ring[%c0]
    tile.async_copy %A[%m, %second], %ring[%c1]     // min(%c32, %last)
    scf.for %k = %c0 to %n step %c32 ... {
      %trip = arith.divui %k, %c32
      %ahead = arith.addi %trip, %c2
      %a = tile.local_load %ring[%trip]
      %third = arith.addi %k, %c64
      %next = arith.minui %third, %last
      tile.async_copy %A[%m, %next], %ring[%ahead]
      ... tile.mma %a, ...
    }
    ```
  }];
  let dependentDialects = ["::lowp::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileAllocateLds : Pass<"tile-allocate-lds", "::lowp::tile::KernelOp"> {
  let summary = "gives every ring its place in LDS";
  let description = [{
    Sets the place of each `tile.alloc`: multiples of 1024 bytes where async copies write, of 16 elsewhere. Rings whose
    lifetimes, in operations of the kernel's outermost block, do not overlap may share bytes. Of the places that cost no further
    bytes a ring gets the one that has been unused longest, so that rings used one after the other need few barriers.

    Requires: the number of stages of every ring is final; no synchronisation has been inserted (it looks at the places).
    Ensures: rings with overlapping lifetimes do not overlap; all of them fit the target's LDS, or an error says how much
    is needed and how much there is.

    Before:
    ```mlir
    %a = tile.alloc : !tile.local<256x64xf8E4M3FN, stages = 2, #a>
    %b = tile.alloc : !tile.local<256x64xf8E4M3FN, stages = 2, #a>
    ```
    After:
    ```mlir
    %a = tile.alloc at 0 : !tile.local<256x64xf8E4M3FN, stages = 2, #a>
    %b = tile.alloc at 32768 : !tile.local<256x64xf8E4M3FN, stages = 2, #a>
    ```
  }];
  let options = [Option<"target", "target", "std::string", /*default=*/"", "the chip, as in -mcpu">];
  let dependentDialects = ["::lowp::tile::TileDialect"];
}

def TileSynchronize : Pass<"tile-synchronize", "::lowp::tile::KernelOp"> {
  let summary = "inserts waits and barriers so that waves and copies keep program order";
  let description = [{
    Inserts `tile.barrier` before an access of LDS that conflicts with one since the last barrier (same bytes, one of them a
    write), and `tile.wait` before that barrier where the earlier one is a copy. The count of a wait is the number of copy
    instructions issued after the newest copy that is needed, the least over all paths. Needs of accesses that follow
    each other without computation between them are met together, before the first. All copies are waited for before
    `tile.return`. Kernels of one wave get the same barriers, which cost them nothing.

    A barrier marked `tile.derived` gets the waits that the accesses around it need, beside the `local` that it has, and goes if none
    needs it, except in clusters of order `pingpong`. Between `tile.stagger begin` and `end` conflicting accesses need two barriers
    in between, and the wait stands before the first.

    Slots are compared as constants or linear functions of one loop's trip number, modulo the stages of the ring; a slot that
    is neither conflicts with every slot.

    Requires: control flow is scf.for and scf.if where LDS is accessed, and uniform in the workgroup.
    Ensures: any interleaving of the waves, with copies arriving as late as the waits allow, does what program order says.

    Before:
    ```mlir
    tile.async_copy %A[%m, %k], %ring[%c0]
    tile.async_copy %A[%m, %l], %ring[%c1]
    %a = tile.local_load %ring[%c0]
    ```
    After (one instruction a copy):
    ```mlir
    tile.async_copy %A[%m, %k], %ring[%c0]
    tile.async_copy %A[%m, %l], %ring[%c1]
    tile.wait copies(1)
    tile.barrier
    %a = tile.local_load %ring[%c0]
    ```
  }];
  let dependentDialects = ["::lowp::tile::TileDialect"];
}

def TileVerifySynchronization : Pass<"tile-verify-synchronization", "::lowp::tile::KernelOp"> {
  let summary = "proves the written waits and barriers sufficient";
  let description = [{
    Runs the kernel with concrete slots under the waits and barriers that are written, all paths, each loop until its states
    repeat, and reports every access that another one, or a copy in flight, may still disturb. It changes nothing and shares
    no conclusion with `tile-synchronize`.

    With `slack` it also marks, by the attribute `tile.slack`, what the proof stands without, each on its own: `copies` of a wait and
    `local` of a barrier may be one higher, `barrier`: it may go.

    Requires: as `tile-synchronize`. Ensures: nothing new; errors where the IR is not synchronised.

    Before and after (an error, the barrier being before the wait):
    ```mlir
    tile.async_copy %A[%m, %k], %ring[%c0]
    tile.barrier
    tile.wait copies(0)
    %a = tile.local_load %ring[%c0]
    ```
  }];
  let options = [Option<"slack", "slack", "bool", "false", "mark waits and barriers that may be weaker without harm">];
}

#endif // LOWP_TILE_PASSES
