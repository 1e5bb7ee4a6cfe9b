// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bf16 product with the exact gelu, x / 2 * (1 + erf(x / sqrt(2))), for any number of rows; erf comes from ROCm's device
// libraries. The rows of A may lie apart (its storage is strided). One source gives several variants: for many rows, for
// few, and for any size and alignment; the launcher picks. Dimension 0 of the argument named "a" is "a.0".
//
//   lowpc bf16-gelu-dynamic.mlir --target=gfx942,gfx950 -o bf16-gelu.hsaco --verify --size=a.0=300

func.func @linear_gelu(%a: tensor<?x512xbf16, #lowp.storage<strided>> {lowp.name = "a"},
                       %w: tensor<384x512xbf16> {lowp.name = "w"}) -> tensor<?x384xbf16> {
  %x = lowp.matmul %a, %w transpose_b
      : tensor<?x512xbf16, #lowp.storage<strided>>, tensor<384x512xbf16> -> tensor<?x384xbf16>
      epilogue(%acc: f32) {
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %rsqrt2 = arith.constant 0.707106769 : f32
    %scaled = arith.mulf %acc, %rsqrt2 : f32
    %erf = math.erf %scaled : f32
    %plus = arith.addf %erf, %one : f32
    %halved = arith.mulf %acc, %half : f32
    %gelu = arith.mulf %halved, %plus : f32
    %r = arith.truncf %gelu : f32 to bf16
    lowp.yield %r : bf16
  }
  return %x : tensor<?x384xbf16>
}
