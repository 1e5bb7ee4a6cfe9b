// RUN: lowp-opt %s --verify-roundtrip | FileCheck %s
// RUN: lowp-opt %s --mlir-print-op-generic | lowp-opt --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @plain
// CHECK: lowp.matmul %{{.*}}, %{{.*}} : tensor<33x77xf8E4M3FN>, tensor<77x100xf8E5M2> -> tensor<33x100xf32>
func.func @plain(%a: tensor<33x77xf8E4M3FN>, %b: tensor<77x100xf8E5M2>) -> tensor<33x100xf32> {
  %d = lowp.matmul %a, %b : tensor<33x77xf8E4M3FN>, tensor<77x100xf8E5M2> -> tensor<33x100xf32>
  return %d : tensor<33x100xf32>
}

// CHECK-LABEL: func.func @transposes
// CHECK: lowp.matmul %{{.*}}, %{{.*}} transpose_a : tensor<77x33xbf16>
// CHECK: lowp.matmul %{{.*}}, %{{.*}} transpose_a transpose_b : tensor<77x33xbf16>
func.func @transposes(%a: tensor<77x33xbf16>, %b: tensor<77x100xbf16>, %bt: tensor<100x77xbf16>)
    -> (tensor<33x100xbf16>, tensor<33x100xbf16>) {
  %d = lowp.matmul %a, %b transpose_a : tensor<77x33xbf16>, tensor<77x100xbf16> -> tensor<33x100xbf16>
  %e = lowp.matmul %a, %bt transpose_a transpose_b : tensor<77x33xbf16>, tensor<100x77xbf16> -> tensor<33x100xbf16>
  return %d, %e : tensor<33x100xbf16>, tensor<33x100xbf16>
}

// CHECK-LABEL: func.func @batch_scales_epilogue(
// CHECK-SAME: tensor<?x?x64xf8E4M3FNUZ, #lowp.storage<strided>> {lowp.name = "a"}
// CHECK: lowp.matmul %{{.*}}, %{{.*}} transpose_b scale_a(%{{.*}} : tensor<f32>) scale_b(%{{.*}} : tensor<f32>)
// CHECK-SAME: : tensor<?x?x64xf8E4M3FNUZ, #lowp.storage<strided>>, tensor<96x64xf8E5M2FNUZ> -> tensor<?x?x96xbf16>
// CHECK-NEXT: epilogue(%[[ACC:.*]]: f32, %[[B:.*]]: bf16 = %{{.*}}[n] : tensor<96xbf16>,
// CHECK-SAME: %{{.*}}: f32 = %{{.*}}[b, m, n] : tensor<?x?x96xf32>, %{{.*}}: f32 = %{{.*}}[] : tensor<f32>,
// CHECK-SAME: %{{.*}}: f32 = %{{.*}} : f32) {
// CHECK: lowp.index 2
// CHECK: lowp.yield %{{.*}} : bf16
func.func @batch_scales_epilogue(%a: tensor<?x?x64xf8E4M3FNUZ, #lowp.storage<strided>> {lowp.name = "a"},
                                 %w: tensor<96x64xf8E5M2FNUZ>, %sa: tensor<f32>, %sb: tensor<f32>,
                                 %bias: tensor<96xbf16>, %res: tensor<?x?x96xf32>, %alpha: f32)
    -> (tensor<?x?x96xbf16> {lowp.name = "d"}) {
  %d = lowp.matmul %a, %w transpose_b scale_a(%sa : tensor<f32>) scale_b(%sb : tensor<f32>)
      : tensor<?x?x64xf8E4M3FNUZ, #lowp.storage<strided>>, tensor<96x64xf8E5M2FNUZ> -> tensor<?x?x96xbf16>
      epilogue(%acc: f32, %b: bf16 = %bias[n] : tensor<96xbf16>, %r: f32 = %res[b, m, n] : tensor<?x?x96xf32>,
               %s: f32 = %sa[] : tensor<f32>, %al: f32 = %alpha : f32) {
    %n = lowp.index 2
    %i = arith.index_cast %n : index to i32
    %f = arith.sitofp %i : i32 to f32
    %0 = arith.extf %b : bf16 to f32
    %1 = arith.mulf %acc, %al : f32
    %2 = arith.addf %0, %1 : f32
    %3 = math.fma %r, %s, %2 : f32
    %4 = arith.addf %3, %f : f32
    %5 = arith.truncf %4 : f32 to bf16
    lowp.yield %5 : bf16
  }
  return %d : tensor<?x?x96xbf16>
}

// Defaults are left out; the order of the fields does not matter.
// CHECK-LABEL: func.func @schedules
// CHECK: schedules = [#lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [32, 32, 64], stages = 4, staging = direct, access = 16, result_access = 8, whole_k = true, rows = [256, 0], xcds = 8, group = 4>,
// CHECK-SAME: #lowp.schedule<name = "parts", tile = [256, 256, 128], waves = [2, 4, 1], instruction = [16, 16, 128], parts = [2, 2], steps = 2, order = interleave, stages = 4, staging = direct>,
// CHECK-SAME: #lowp.schedule<name = "waves", tile = [64, 64, 128], waves = [1, 1, 1], instruction = [16, 16, 128], parts = [1, 2], order = interleave, stages = 2, staging = registers>,
// CHECK-SAME: #lowp.schedule<name = "split", tile = [16, 32, 128], waves = [1, 1, 4], instruction = [16, 16, 128], access = 16, splits = 12>,
// CHECK-SAME: #lowp.schedule<name = "custom", tile = [16, 16, 128], waves = [1, 1, 1], instruction = [16, 16, 128]>]
func.func @schedules(%a: tensor<512x512xf8E4M3FN>, %b: tensor<512x512xf8E4M3FN>) -> tensor<512x512xf32> {
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<tile = [256, 256, 64], name = "large", waves = [2, 4, 1], instruction = [32, 32, 64], group = 4, xcds = 8,
                     rows = [256, 0], whole_k = true, result_access = 8, access = 16, staging = direct, stages = 4>,
      #lowp.schedule<name = "parts", tile = [256, 256, 128], waves = [2, 4, 1], instruction = [16, 16, 128], staging = direct, stages = 4,
                     order = interleave, steps = 2, parts = [2, 2]>,
      #lowp.schedule<name = "waves", tile = [64, 64, 128], waves = [1, 1, 1], instruction = [16, 16, 128], parts = [1, 2],
                     order = interleave, stages = 2, staging = registers>,
      #lowp.schedule<splits = 12, name = "split", tile = [16, 32, 128], waves = [1, 1, 4], instruction = [16, 16, 128], access = 16>,
      #lowp.schedule<name = "custom", tile = [16, 16, 128], waves = [1, 1, 1], instruction = [16, 16, 128], parts = [1, 1], steps = 1, order = plain, stages = 1, splits = 1,
                     staging = none, access = 0, result_access = 0, whole_k = false, rows = [1, 0], xcds = 1, group = 1>]
      : tensor<512x512xf8E4M3FN>, tensor<512x512xf8E4M3FN> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// CHECK-LABEL: func.func private @elementwise(
// CHECK-SAME: attributes {lowp.device}
func.func private @elementwise(%x: f32, %t: tensor<?x8xf32>, %v: tensor<8xf32>) -> tensor<?x8xf4E2M1FN>
    attributes {lowp.device} {
  // CHECK: lowp.cast %{{.*}} rounding(nearest_even) overflow(native) : f32 to f8E5M2
  %0 = lowp.cast %x rounding(nearest_even) overflow(native) : f32 to f8E5M2
  // CHECK: lowp.broadcast %{{.*}}, %{{.*}} dims [1] : tensor<8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %1 = lowp.broadcast %v, %t dims [1] : tensor<8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  // CHECK: lowp.broadcast %{{.*}}, %{{.*}} dims [] : f32, tensor<?x8xf32> -> tensor<?x8xf32>
  %2 = lowp.broadcast %x, %t dims [] : f32, tensor<?x8xf32> -> tensor<?x8xf32>
  %3 = arith.mulf %1, %2 : tensor<?x8xf32>
  // CHECK: lowp.cast %{{.*}} rounding(nearest_even) overflow(saturate) : tensor<?x8xf32> to tensor<?x8xf4E2M1FN>
  %4 = lowp.cast %3 rounding(nearest_even) overflow(saturate) : tensor<?x8xf32> to tensor<?x8xf4E2M1FN>
  return %4 : tensor<?x8xf4E2M1FN>
}
