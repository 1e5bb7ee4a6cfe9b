// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_CONVERSION_TILETOLANES_PASSES
#define LOWP_CONVERSION_TILETOLANES_PASSES

include "mlir/Pass/PassBase.td"

def TileToLanes : Pass<"tile-to-lanes", "::mlir::ModuleOp"> {
  let summary = "turn the program of a workgroup into the program of one lane";
  let description = [{
    Requires: every tensor in a `tile.kernel` has a `#tile.linear` encoding; every `tile.alloc` has an offset; waits and barriers are
    in place (`tile-synchronize`); the kernel has a power of two of waves.

    Ensures: each kernel is an `llvm.func` marked `rocdl.kernel`. A tensor is one vector per fragment of its layout (32-bit words
    for elements below 32 bits), a view is its pointer, sizes and strides, an LDS ring a byte offset into the kernel's LDS, which is one LLVM
    global. Global memory is reached by buffer instructions whose range check does the masking of rows, LDS by the widest accesses
    that the layouts allow, products are `amdgpu.mfma`. `tile.entry` operations, which are for the manifest, are gone.

    Before:
    ```mlir
    tile.kernel @copy(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>) waves(1) {
      %c0 = arith.constant 0 : index
      %A = tile.view %a sizes() strides() : !tile.view<256xf32, vector = 16>
      %D = tile.view %d sizes() strides() : !tile.view<256xf32, vector = 16>
      %t = tile.load %A[%c0] : !tile.view<256xf32, vector = 16> -> tensor<256xf32, #l>
      tile.store %t, %D[%c0] : tensor<256xf32, #l>, !tile.view<256xf32, vector = 16>
      tile.return
    }
    ```
    After (shortened):
    ```mlir
    llvm.func @copy(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>) attributes {rocdl.kernel, ...} {
      %thread = rocdl.workitem.id.x : i32
      %lane = arith.andi %thread, %c63 : i32
      %A = rocdl.make.buffer.rsrc %a, %c0_i16, %bytes, %flags : !llvm.ptr<1> to <8>
      %t = rocdl.raw.ptr.buffer.load %A, %offset, %c0, %c0 : vector<4xi32>
      rocdl.raw.ptr.buffer.store %t, %D, %offset, %c0, %c0 : vector<4xi32>
      llvm.return
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"\"", "the chip to compile for">];
  let dependentDialects = ["::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LanesOrderByDemand : Pass<"lanes-order-by-demand", "::mlir::ModuleOp"> {
  let summary = "put straight-line lane code in the order in which its stores need it";
  let description = [{
    Requires: lane code (`tile-to-lanes`). Only loads through pointer arguments marked `llvm.readonly` and `llvm.noalias` are moved.

    Ensures: between two operations that may not be moved over (waits, barriers, other loads, loops, and in front of or in loops
    LDS accesses), the loads and computation of a few stores at a time stand together in front of those stores, so that few values
    are alive at once. The order of stores, and everything else, is unchanged.

    Before:
    ```mlir
    %a = rocdl.raw.ptr.buffer.load ...
    %b = rocdl.raw.ptr.buffer.load ...   // and so on for a whole tile
    %x = arith.addf %acc0, %a : vector<4xf32>
    %y = arith.addf %acc1, %b : vector<4xf32>
    rocdl.raw.ptr.buffer.store %x, ...
    rocdl.raw.ptr.buffer.store %y, ...
    ```
    After, for groups of one store:
    ```mlir
    %a = rocdl.raw.ptr.buffer.load ...
    %x = arith.addf %acc0, %a : vector<4xf32>
    rocdl.raw.ptr.buffer.store %x, ...
    %b = rocdl.raw.ptr.buffer.load ...
    %y = arith.addf %acc1, %b : vector<4xf32>
    rocdl.raw.ptr.buffer.store %y, ...
    ```
  }];
}

def LanesOrderClusters : Pass<"lanes-order-clusters", "::mlir::ModuleOp"> {
  let summary = "write out the instructions of each tile.cluster in order";
  let description = [{
    Requires: lane code (`tile-to-lanes`), cleaned up: what is dead or common must be gone, since the order counts instructions.

    Ensures: no `tile.cluster` is left. The instructions of each stand where it stood, in its order, with scheduling barriers between
    them: in order `interleave` every matrix instruction is followed by its share of LDS reads, LDS writes and transfers from global
    memory, and a wait and barrier at the end of the cluster stand before the last two matrix instructions. In order `pingpong` the
    LDS reads come first, with writes and transfers between them, then the wait and barrier that stand before the first product, then the
    matrix instructions at a raised priority, the barrier at the end before the last two of them.

    Before:
    ```mlir
    %r:2 = tile.cluster interleave -> vector<4xi32>, vector<4xf32> {
      %b = llvm.load %p {noalias_scopes = [...]} : !llvm.ptr<3> -> vector<4xi32>
      %x = amdgpu.mfma ...
      %y = amdgpu.mfma ...
      %z = amdgpu.mfma ...
      rocdl.s.barrier
      tile.yield %b, %z : vector<4xi32>, vector<4xf32>
    }
    ```
    After:
    ```mlir
    %x = amdgpu.mfma ...
    %b = llvm.load %p {noalias_scopes = [...]} : !llvm.ptr<3> -> vector<4xi32>
    rocdl.sched.barrier 0
    rocdl.s.barrier
    %y = amdgpu.mfma ...
    rocdl.sched.barrier 0
    %z = amdgpu.mfma ...
    rocdl.sched.barrier 0
    ```
  }];
  let dependentDialects = ["::mlir::ROCDL::ROCDLDialect"];
}

def CarryLoopAnnotations : Pass<"llvm-carry-loop-annotations", "::mlir::ModuleOp"> {
  let summary = "give branches the loop annotation that they carry as a mere attribute";
  let description = [{
    Requires: the LLVM dialect. Upstream's conversion from scf takes `llvm.loop_annotation` to the branch that closes the loop, and that
    to the LLVM dialect leaves it there unread.

    Ensures: the annotation is the branch's own, so that it reaches LLVM IR. Other branches are left as they are.

    Before:
    ```mlir
    llvm.br ^header(%next : i32) {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    ```
    After:
    ```mlir
    llvm.br ^header(%next : i32) {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LanesPlaceAccumulators : Pass<"lanes-place-accumulators", "::mlir::ModuleOp"> {
  let summary = "keep the sums of a loop in accumulation registers where that serves";
  let description = [{
    Requires: lane code without `tile.cluster`.

    Ensures: in a kernel whose matrix instructions are those of one loop, whose sums take at least half of a wave's registers and
    are added to at most twice in a trip, the sums enter and leave the loop through empty assembly statements that ask for
    AGPRs, and the function's `amdgpu-agpr-alloc` is their number. Other kernels are left as they are.

    Before:
    ```mlir
    %r = scf.for ... iter_args(%acc = %zero) -> (vector<4xf32>) { ... amdgpu.mfma ... }
    ```
    After:
    ```mlir
    %init = llvm.inline_asm "", "=a,0" %zero : (vector<4xf32>) -> vector<4xf32>
    %r = scf.for ... iter_args(%acc = %init) -> (vector<4xf32>) { ... amdgpu.mfma ... }
    %sum = llvm.inline_asm "", "=a,0" %r : (vector<4xf32>) -> vector<4xf32>
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"\"", "the chip to compile for">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // LOWP_CONVERSION_TILETOLANES_PASSES
