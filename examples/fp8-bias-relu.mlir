// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linear layer in FP8: relu(A * W^T * scale_a * scale_w + bias), rounded once to bf16. Sizes are known, so only variants
// that fit them are built. Bias, relu and the rounding become the epilogue of the product.
//
//   lowpc fp8-bias-relu.mlir --target=gfx950 -o fp8-bias-relu.hsaco --verify

func.func @linear(%a: tensor<512x1024xf8E4M3FN>, %w: tensor<768x1024xf8E4M3FN>, %sa: tensor<f32>, %sw: tensor<f32>,
                  %bias: tensor<768xbf16>) -> tensor<512x768xbf16> {
  %d = lowp.matmul %a, %w transpose_b scale_a(%sa : tensor<f32>) scale_b(%sw : tensor<f32>)
      : tensor<512x1024xf8E4M3FN>, tensor<768x1024xf8E4M3FN> -> tensor<512x768xf32>
  %bias32 = arith.extf %bias : tensor<768xbf16> to tensor<768xf32>
  %b = lowp.broadcast %bias32, %d dims [1] : tensor<768xf32>, tensor<512x768xf32> -> tensor<512x768xf32>
  %sum = arith.addf %d, %b : tensor<512x768xf32>
  %zero = arith.constant dense<0.0> : tensor<512x768xf32>
  %relu = arith.maximumf %sum, %zero : tensor<512x768xf32>
  %e = arith.truncf %relu : tensor<512x768xf32> to tensor<512x768xbf16>
  return %e : tensor<512x768xbf16>
}
