// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_LOWP_PASSES
#define LOWP_LOWP_PASSES

include "mlir/Pass/PassBase.td"

def FuseEpilogue : Pass<"lowp-fuse-epilogue"> {
  let summary = "moves the element-wise users of a product into its epilogue";
  let description = [{
    For each product, finds the last value that is computed from it element by element and is the only one used by others,
    and moves everything on the way there into the epilogue. What is moved: element-wise operations of arith and math on
    ranked tensors, `lowp.cast`, `tensor.cast` and `lowp.broadcast`. What they use besides becomes a capture (tensors of the
    result's shape, sources of broadcasts) or, if constant, a constant in the epilogue. The computation of an element does not
    change, nor does its rounding.

    Not moved: what follows a value that has other uses, and what makes a result type that the product cannot have.

    Requires: stage "input" or "linked".
    Ensures: stage "fused". No result of a product that only one fusable operation uses, unless that one's result type is no
    result type of a product. Running it again changes nothing.

    Before:
    ```mlir
    func.func @gemm(%a: tensor<?x64xf8E4M3FN>, %w: tensor<96x64xf8E4M3FN>, %bias: tensor<96xf32>) -> tensor<?x96xbf16> {
      %d = lowp.matmul %a, %w transpose_b : tensor<?x64xf8E4M3FN>, tensor<96x64xf8E4M3FN> -> tensor<?x96xf32>
      %b = lowp.broadcast %bias, %d dims [1] : tensor<96xf32>, tensor<?x96xf32> -> tensor<?x96xf32>
      %e = arith.addf %d, %b : tensor<?x96xf32>
      %f = arith.truncf %e : tensor<?x96xf32> to tensor<?x96xbf16>
      return %f : tensor<?x96xbf16>
    }
    ```
    After:
    ```mlir
    func.func @gemm(%a: tensor<?x64xf8E4M3FN>, %w: tensor<96x64xf8E4M3FN>, %bias: tensor<96xf32>) -> tensor<?x96xbf16> {
      %d = lowp.matmul %a, %w transpose_b : tensor<?x64xf8E4M3FN>, tensor<96x64xf8E4M3FN> -> tensor<?x96xbf16>
          epilogue(%acc: f32, %b: f32 = %bias[n] : tensor<96xf32>) {
        %e = arith.addf %acc, %b : f32
        %f = arith.truncf %e : f32 to bf16
        lowp.yield %f : bf16
      }
      return %d : tensor<?x96xbf16>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SelectSchedule : Pass<"lowp-select-schedule"> {
  let summary = "gives each product the schedules of its variants";
  let description = [{
    A product without schedules gets an ordered list: the cheapest legal candidates for its types, its sizes and the target (for
    an M that is not known, one for each range of rows), and `any`, which has no precondition, where they have some. With the
    option `candidates` it gets those of these names instead, in this order, for any number of rows. Schedules that are there
    (written by hand) are kept in their order, and followed by `any` where the last of them has preconditions. All are checked:
    the instruction exists, the tile can be shared by the waves, registers and LDS suffice.

    Requires: stage "fused".
    Ensures: stage "scheduled". Every product has schedules that the target can hold; the last one has no preconditions. No
    operand has an element type that the target's matrix cores lack (that is an error).

    Before:
    ```mlir
    %d = lowp.matmul %a, %w transpose_b : tensor<8x64xbf16>, tensor<96x64xbf16> -> tensor<8x96xbf16>
    ```
    After, for a target whose bf16 instruction takes 32 of K:
    ```mlir
    %d = lowp.matmul %a, %w transpose_b schedules = [
          #lowp.schedule<name = "skinny_16x16_8", tile = [16, 16, 32], waves = [1, 1, 8], instruction = [16, 16, 32], stages = 4,
                         access = 16, result_access = 8, xcds = 8, group = 8>,
          #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [16, 16, 32], stages = 2,
                         staging = registers>]
        : tensor<8x64xbf16>, tensor<96x64xbf16> -> tensor<8x96xbf16>
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"\"", "the chip, by LLVM's name">,
                 ListOption<"candidates", "candidates", "std::string", "names of candidates to take instead of the cheapest">];
}

#endif // LOWP_LOWP_PASSES
