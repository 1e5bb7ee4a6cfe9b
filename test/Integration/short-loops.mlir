// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A K loop of 16 steps, few enough for LLVM to unroll it whole; the descriptors of all steps would then be more than the
// scalar registers hold. A kernel that spills is compiled once more with its loops as they are.
//
// REQUIRES: lowpc
// RUN: lowpc %s --target=gfx942,gfx950 --schedule=any --verify -o %t.hsaco | FileCheck %s
// RUN: FileCheck %s --check-prefix=MANIFEST < %t.json
//
// CHECK: gfx942 f static sizes, variant 'any': ok
// CHECK: gfx950 f static sizes, variant 'any': ok
// MANIFEST-COUNT-2: "sgprSpills": 0

func.func @f(%a: tensor<131x512xf16>, %b: tensor<32x512xf16>) -> tensor<131x32xf32> {
  %d = lowp.matmul %a, %b transpose_b : tensor<131x512xf16>, tensor<32x512xf16> -> tensor<131x32xf32>
  return %d : tensor<131x32xf32>
}
