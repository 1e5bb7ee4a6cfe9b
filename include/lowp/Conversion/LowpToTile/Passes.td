// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_LOWPTOTILE_PASSES
#define LOWP_LOWPTOTILE_PASSES

include "mlir/Pass/PassBase.td"

def LowpTileToWorkgroups : Pass<"lowp-tile-to-workgroups", "::mlir::ModuleOp"> {
  let summary = "makes every entry a list of kernels, each the program of one workgroup";
  let description = [{
    Requires: every public `func.func` with a body, unless it is a device function (`lowp.device`), returns the results of
    one operation of the lowp dialect on its arguments, and that operation has its schedules: run `lowp-fuse-epilogue` and
    `lowp-select-schedule` before.

    Ensures: each such function is replaced by one `tile.entry` of its name and by one `tile.kernel` for every launch of every
    schedule: `@<entry>.<schedule>`, and `@<entry>.<schedule>.reduce` where `splits` is more than 1. The kernels' arguments are the inputs as written (tensors as pointers), the results as pointers,
    an i32 for every dynamic dimension of an input, an i64 stride for every dimension but the innermost of tensors with
    `#lowp.storage<strided>`, the pointer to the workspace if a variant has one. They are named by the attribute `lowp.name` of the function's arguments and results, else
    "arg0", "arg1", ... and "result0"; "a.0" is dimension 0 of a, "a.stride.0" its stride. Results must not overlap inputs.
    Dynamic dimensions of results follow from the inputs; the entry says how, and asks that dimensions which have to be equal
    are.
    A variant's conditions are what its schedule relies on and the types do not show. A variant whose conditions never hold
    is left out, and so is every variant after one whose conditions always hold. What the last variant needs of sizes and
    strides to reach its elements by 32-bit offsets is asked of the entry.
    With `splits` of more than 1, the third coordinate of a workgroup says which slice of k it sums up. Slices are whole trips of
    the loop, which are dealt out evenly; one without any adds zeros. The sums go to the workspace, f32 of splits x batch x rows x
    columns, the columns filled up to whole tiles. The second kernel adds them in the order of k, then come scales, epilogue, store.
    Tensors in kernels have static shapes of powers of two and no layout yet.

    Before:
    ```mlir
    func.func @f(%a: tensor<?x64xbf16>, %b: tensor<48x64xbf16>) -> tensor<?x48xf32> {
      %d = lowp.matmul %a, %b transpose_b schedules = [#lowp.schedule<name = "any", tile = [64, 64, 32], ...>]
          : tensor<?x64xbf16>, tensor<48x64xbf16> -> tensor<?x48xf32>
      return %d : tensor<?x48xf32>
    }
    ```
    After:
    ```mlir
    tile.entry @f arguments [#tile.argument<input "arg0" : tensor<?x64xbf16>>, ..., #tile.argument<dimension "arg0.0" : i32>]
        conditions [...] variants [#tile.variant<"any", schedule = ..., conditions = [],
                                                 launches = [#tile.launch<@f.any, affine_map<()[...] -> (s3 ceildiv 64, 1, 1)>>]>]
    tile.kernel @f.any(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %m: i32) waves(4) {
      ...
      %sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        %ta = tile.load %A[%m0, %k] in_bounds [false, true] staging(registers) : ... -> tensor<64x32xbf16>
        %tb = tile.load %B[%n0, %k] map affine_map<(k, n) -> (n, k)> ... -> tensor<32x64xbf16>
        %r = tile.mma %ta, %tb, %c ...
        scf.yield %r : tensor<64x64xf32>
      } {tile.stages = 2 : i32}
      tile.store %sum, %D[%m0, %n0] : ...
      tile.return
    }
    ```
  }];
  let dependentDialects = ["::lowp::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

#endif // LOWP_LOWPTOTILE_PASSES
