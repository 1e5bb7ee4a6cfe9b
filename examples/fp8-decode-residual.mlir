// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of decoding: 16 rows against a large weight, with a residual added before the rounding. So few rows take the
// skinny schedule: waves share the work along K and add their sums at the end. FNUZ encodings are those of gfx942; for gfx950
// write f8E4M3FN.
//
//   lowpc fp8-decode-residual.mlir --target=gfx942 -o decode.hsaco --verify

func.func @decode(%a: tensor<16x2048xf8E4M3FNUZ>, %w: tensor<1024x2048xf8E4M3FNUZ>, %s: tensor<f32>,
                  %residual: tensor<16x1024xbf16>) -> tensor<16x1024xbf16> {
  %d = lowp.matmul %a, %w transpose_b scale_a(%s : tensor<f32>)
      : tensor<16x2048xf8E4M3FNUZ>, tensor<1024x2048xf8E4M3FNUZ> -> tensor<16x1024xf32>
  %r = arith.extf %residual : tensor<16x1024xbf16> to tensor<16x1024xf32>
  %sum = arith.addf %d, %r : tensor<16x1024xf32>
  %e = arith.truncf %sum : tensor<16x1024xf32> to tensor<16x1024xbf16>
  return %e : tensor<16x1024xbf16>
}
