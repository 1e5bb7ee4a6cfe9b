// RUN: lowp-opt %s --lowp-fuse-epilogue --split-input-file | FileCheck %s
// Fusing what is fused changes nothing:
// RUN: lowp-opt %s --lowp-fuse-epilogue --split-input-file -o %t.once
// RUN: lowp-opt %t.once --lowp-fuse-epilogue --split-input-file -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK-LABEL: func.func @bias_relu_cast(
// CHECK-SAME: %[[A:.*]]: tensor<?x64xf8E4M3FN>, %[[W:.*]]: tensor<96x64xf8E4M3FN>, %[[BIAS:.*]]: tensor<96xbf16>
// CHECK-NEXT: %[[D:.*]] = lowp.matmul %[[A]], %[[W]] transpose_b : {{.*}} -> tensor<?x96xbf16>
// CHECK-NEXT: epilogue(%[[ACC:.*]]: f32, %[[B:.*]]: bf16 = %[[BIAS]][n] : tensor<96xbf16>) {
// CHECK-NEXT: %[[B32:.*]] = arith.extf %[[B]] : bf16 to f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[ACC]], %[[B32]] : f32
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[RELU:.*]] = arith.maximumf %[[SUM]], %[[ZERO]] : f32
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[RELU]] : f32 to bf16
// CHECK-NEXT: lowp.yield %[[R]] : bf16
// CHECK-NEXT: }
// CHECK-NEXT: return %[[D]] : tensor<?x96xbf16>
func.func @bias_relu_cast(%a: tensor<?x64xf8E4M3FN>, %w: tensor<96x64xf8E4M3FN>, %bias: tensor<96xbf16>) -> tensor<?x96xbf16> {
  %d = lowp.matmul %a, %w transpose_b : tensor<?x64xf8E4M3FN>, tensor<96x64xf8E4M3FN> -> tensor<?x96xf32>
  %bias32 = arith.extf %bias : tensor<96xbf16> to tensor<96xf32>
  %b = lowp.broadcast %bias32, %d dims [1] : tensor<96xf32>, tensor<?x96xf32> -> tensor<?x96xf32>
  %e = arith.addf %d, %b : tensor<?x96xf32>
  %zero = arith.constant 0.0 : f32
  %z = lowp.broadcast %zero, %d dims [] : f32, tensor<?x96xf32> -> tensor<?x96xf32>
  %r = arith.maximumf %e, %z : tensor<?x96xf32>
  %f = arith.truncf %r : tensor<?x96xf32> to tensor<?x96xbf16>
  return %f : tensor<?x96xbf16>
}

// -----

// The sum is rounded to bf16 before the residual is added, as it was before.
// CHECK-LABEL: func.func @residual_of_a_narrow_result(
// CHECK-SAME: %[[RES:[^:]*]]: tensor<33x96xbf16>)
// CHECK: epilogue(%[[ACC:.*]]: f32, %[[R:.*]]: bf16 = %[[RES]][m, n] : tensor<33x96xbf16>) {
// CHECK-NEXT: %[[T:.*]] = arith.truncf %[[ACC]] : f32 to bf16
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[R]], %[[T]] : bf16
// CHECK-NEXT: lowp.yield %[[S]] : bf16
func.func @residual_of_a_narrow_result(%a: tensor<33x64xbf16>, %w: tensor<64x96xbf16>, %res: tensor<33x96xbf16>)
    -> tensor<33x96xbf16> {
  %d = lowp.matmul %a, %w : tensor<33x64xbf16>, tensor<64x96xbf16> -> tensor<33x96xbf16>
  %e = arith.addf %res, %d : tensor<33x96xbf16>
  return %e : tensor<33x96xbf16>
}

// -----

// CHECK-LABEL: func.func @gelu_with_splat_constants
// CHECK: epilogue(%[[X:.*]]: f32) {
// CHECK-DAG: %[[C:.*]] = arith.constant 0.707106769 : f32
// CHECK-DAG: %[[SCALED:.*]] = arith.mulf %[[X]], %[[C]] : f32
// CHECK-DAG: %[[ERF:.*]] = math.erf %[[SCALED]] : f32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[SUM:.*]] = arith.addf %[[ERF]], %[[ONE]] : f32
// CHECK-DAG: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG: %[[HX:.*]] = arith.mulf %[[X]], %[[HALF]] : f32
// CHECK-DAG: %[[G:.*]] = arith.mulf %[[HX]], %[[SUM]] : f32
// CHECK: lowp.yield %[[G]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @gelu_with_splat_constants(%a: tensor<33x64xf16>, %w: tensor<64x96xf16>) -> tensor<33x96xf32> {
  %x = lowp.matmul %a, %w : tensor<33x64xf16>, tensor<64x96xf16> -> tensor<33x96xf32>
  %c = arith.constant dense<0.707106769> : tensor<33x96xf32>
  %one = arith.constant dense<1.0> : tensor<33x96xf32>
  %half = arith.constant dense<0.5> : tensor<33x96xf32>
  %0 = arith.mulf %x, %c : tensor<33x96xf32>
  %1 = math.erf %0 : tensor<33x96xf32>
  %2 = arith.addf %1, %one : tensor<33x96xf32>
  %3 = arith.mulf %x, %half : tensor<33x96xf32>
  %4 = arith.mulf %3, %2 : tensor<33x96xf32>
  return %4 : tensor<33x96xf32>
}

// -----

// x * sigmoid(x): both operands come from the product.
// CHECK-LABEL: func.func @both_operands_from_the_product
// CHECK: epilogue(%[[X:.*]]: f32) {
// CHECK: %[[N:.*]] = arith.negf %[[X]] fastmath<nnan> : f32
// CHECK: %[[E:.*]] = math.exp %[[N]] : f32
// CHECK: %[[S:.*]] = arith.addf %[[E]], %{{.*}} : f32
// CHECK: %[[Y:.*]] = arith.divf %[[X]], %[[S]] : f32
// CHECK: lowp.yield %[[Y]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @both_operands_from_the_product(%a: tensor<?x64xf16>, %w: tensor<64x96xf16>) -> tensor<?x96xf32> {
  %x = lowp.matmul %a, %w : tensor<?x64xf16>, tensor<64x96xf16> -> tensor<?x96xf32>
  %c1 = arith.constant 1.0 : f32
  %one = lowp.broadcast %c1, %x dims [] : f32, tensor<?x96xf32> -> tensor<?x96xf32>
  %n = arith.negf %x fastmath<nnan> : tensor<?x96xf32>
  %e = math.exp %n : tensor<?x96xf32>
  %s = arith.addf %e, %one : tensor<?x96xf32>
  %y = arith.divf %x, %s : tensor<?x96xf32>
  return %y : tensor<?x96xf32>
}

// -----

// A scalar argument, a rank-0 tensor, scalar arithmetic, a residual that is widened, a comparison and a select.
// CHECK-LABEL: func.func @scalars_and_masks(
// CHECK-SAME: %[[ALPHA:[^:]*]]: f32, %[[S:[^:]*]]: tensor<f32>, %[[RES:[^:]*]]: tensor<33x96xf16>
// CHECK: epilogue(%[[ACC:.*]]: f32, %[[AL:.*]]: f32 = %[[ALPHA]] : f32, %[[SV:.*]]: f32 = %[[S]][] : tensor<f32>,
// CHECK-SAME: %[[R:.*]]: f16 = %[[RES]][m, n] : tensor<33x96xf16>) {
// CHECK: %[[P:.*]] = arith.mulf %[[AL]], %[[SV]] : f32
// CHECK: %[[Q:.*]] = arith.mulf %[[ACC]], %[[P]] : f32
// CHECK: %[[R32:.*]] = arith.extf %[[R]] : f16 to f32
// CHECK: %[[M:.*]] = arith.cmpf olt, %[[Q]], %[[R32]] : f32
// CHECK: arith.select %[[M]], %[[Q]], %[[R32]] : f32
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @scalars_and_masks(%a: tensor<33x64xf16>, %w: tensor<64x96xf16>, %alpha: f32, %s: tensor<f32>, %res: tensor<33x96xf16>)
    -> tensor<33x96xf32> {
  %x = lowp.matmul %a, %w : tensor<33x64xf16>, tensor<64x96xf16> -> tensor<33x96xf32>
  %s0 = tensor.extract %s[] : tensor<f32>
  %p = arith.mulf %alpha, %s0 : f32
  %pb = lowp.broadcast %p, %x dims [] : f32, tensor<33x96xf32> -> tensor<33x96xf32>
  %q = arith.mulf %x, %pb : tensor<33x96xf32>
  %r = arith.extf %res : tensor<33x96xf16> to tensor<33x96xf32>
  %m = arith.cmpf olt, %q, %r : tensor<33x96xf32>
  %y = arith.select %m, %q, %r : tensor<33x96xi1>, tensor<33x96xf32>
  return %y : tensor<33x96xf32>
}

// -----

// Storage changes by a broadcast along every dimension, or by tensor.cast.
// CHECK-LABEL: func.func @storage(
// CHECK-SAME: %[[RES:[^:]*]]: tensor<?x96xbf16, #lowp.storage<strided>>)
// CHECK: -> tensor<?x96xbf16, #lowp.storage<strided>>
// CHECK: epilogue(%{{.*}}: f32, %{{.*}}: bf16 = %[[RES]][m, n] : tensor<?x96xbf16, #lowp.storage<strided>>) {
// CHECK-NOT: tensor.cast
// CHECK: return
func.func @storage(%a: tensor<?x64xf16>, %w: tensor<64x96xf16>, %res: tensor<?x96xbf16, #lowp.storage<strided>>)
    -> tensor<?x96xbf16, #lowp.storage<strided>> {
  %x = lowp.matmul %a, %w : tensor<?x64xf16>, tensor<64x96xf16> -> tensor<?x96xbf16>
  %r = lowp.broadcast %res, %x dims [0, 1] : tensor<?x96xbf16, #lowp.storage<strided>>, tensor<?x96xbf16> -> tensor<?x96xbf16>
  %y = arith.addf %x, %r : tensor<?x96xbf16>
  %z = tensor.cast %y : tensor<?x96xbf16> to tensor<?x96xbf16, #lowp.storage<strided>>
  return %z : tensor<?x96xbf16, #lowp.storage<strided>>
}

// -----

// CHECK-LABEL: func.func @joins_an_epilogue_that_is_there(
// CHECK: lowp.matmul {{.*}} scale_a(%{{.*}} : tensor<f32>) : {{.*}} -> tensor<2x33x96xf16>
// CHECK-NEXT: epilogue(%[[ACC:.*]]: f32, %[[B:.*]]: f32 = %[[BIAS:.*]][n] : tensor<96xf32>, %[[G:.*]]: f32 = %{{.*}}[b, n] : tensor<2x96xf32>) {
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[ACC]], %[[B]] : f32
// CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[S]], %[[G]] : f32
// CHECK-NEXT: %[[Q2:.*]] = arith.mulf %[[Q]], %[[B]] : f32
// CHECK-NEXT: %[[T:.*]] = lowp.cast %[[Q2]] rounding(nearest_even) overflow(saturate) : f32 to f16
// CHECK-NEXT: lowp.yield %[[T]] : f16
func.func @joins_an_epilogue_that_is_there(%a: tensor<2x33x64xf8E5M2>, %w: tensor<64x96xf8E4M3FN>, %sa: tensor<f32>,
                                           %bias: tensor<96xf32>, %gain: tensor<2x96xf32>) -> tensor<2x33x96xf16> {
  %d = lowp.matmul %a, %w scale_a(%sa : tensor<f32>) : tensor<2x33x64xf8E5M2>, tensor<64x96xf8E4M3FN> -> tensor<2x33x96xf32>
      epilogue(%acc: f32, %b: f32 = %bias[n] : tensor<96xf32>) {
    %s = arith.addf %acc, %b : f32
    lowp.yield %s : f32
  }
  %g = lowp.broadcast %gain, %d dims [0, 2] : tensor<2x96xf32>, tensor<2x33x96xf32> -> tensor<2x33x96xf32>
  %q = arith.mulf %d, %g : tensor<2x33x96xf32>
  // The same capture is used again.
  %b2 = lowp.broadcast %bias, %d dims [2] : tensor<96xf32>, tensor<2x33x96xf32> -> tensor<2x33x96xf32>
  %q2 = arith.mulf %q, %b2 : tensor<2x33x96xf32>
  %t = lowp.cast %q2 rounding(nearest_even) overflow(saturate) : tensor<2x33x96xf32> to tensor<2x33x96xf16>
  return %t : tensor<2x33x96xf16>
}

// -----

// One product's result is a residual of the other, which moves behind it.
// CHECK-LABEL: func.func @two_products
// CHECK: %[[D2:.*]] = lowp.matmul %{{.*}}, %arg2 : tensor<33x64xbf16>
// CHECK-NEXT: %[[D1:.*]] = lowp.matmul %{{.*}}, %arg1 : tensor<33x64xbf16>
// CHECK-NEXT: epilogue(%{{.*}}: f32, %{{.*}}: f32 = %[[D2]][m, n] : tensor<33x96xf32>) {
// CHECK: return %[[D1]]
func.func @two_products(%a: tensor<33x64xbf16>, %w: tensor<64x96xbf16>, %v: tensor<64x96xbf16>) -> tensor<33x96xf32> {
  %d1 = lowp.matmul %a, %w : tensor<33x64xbf16>, tensor<64x96xbf16> -> tensor<33x96xf32>
  %d2 = lowp.matmul %a, %v : tensor<33x64xbf16>, tensor<64x96xbf16> -> tensor<33x96xf32>
  %e = arith.mulf %d1, %d2 : tensor<33x96xf32>
  return %e : tensor<33x96xf32>
}

// -----

// A bias shaped like the first product's result serves both.
// CHECK-LABEL: func.func @shape_of_another_product
// CHECK-NOT: lowp.broadcast
// CHECK: lowp.matmul
// CHECK-NEXT: epilogue(%{{.*}}: f32, %{{.*}}: f32 = %[[BIAS:.*]][n] : tensor<96xf32>) {
// CHECK-NOT: lowp.broadcast
// CHECK: lowp.matmul
// CHECK-NEXT: epilogue(%{{.*}}: f32, %{{.*}}: f32 = %[[BIAS]][n] : tensor<96xf32>) {
// CHECK-NOT: lowp.broadcast
// CHECK: return
func.func @shape_of_another_product(%a: tensor<?x64xbf16>, %w: tensor<64x96xbf16>, %v: tensor<64x96xbf16>, %bias: tensor<96xf32>)
    -> (tensor<?x96xf32>, tensor<?x96xf32>) {
  %d1 = lowp.matmul %a, %w : tensor<?x64xbf16>, tensor<64x96xbf16> -> tensor<?x96xf32>
  %d2 = lowp.matmul %a, %v : tensor<?x64xbf16>, tensor<64x96xbf16> -> tensor<?x96xf32>
  %b = lowp.broadcast %bias, %d1 dims [1] : tensor<96xf32>, tensor<?x96xf32> -> tensor<?x96xf32>
  %e1 = arith.addf %d1, %b : tensor<?x96xf32>
  %e2 = arith.addf %d2, %b : tensor<?x96xf32>
  return %e1, %e2 : tensor<?x96xf32>, tensor<?x96xf32>
}

// -----

// A value with another use ends the fusion; what comes before it is still moved.
// CHECK-LABEL: func.func @stops_at_a_value_with_other_uses
// CHECK: %[[D:.*]] = lowp.matmul
// CHECK: arith.negf %{{.*}} : f32
// CHECK: }
// CHECK-NEXT: %[[E:.*]] = math.exp %[[D]] : tensor<33x96xf32>
// CHECK-NEXT: return %[[D]], %[[E]]
func.func @stops_at_a_value_with_other_uses(%a: tensor<33x64xbf16>, %w: tensor<64x96xbf16>)
    -> (tensor<33x96xf32>, tensor<33x96xf32>) {
  %d = lowp.matmul %a, %w : tensor<33x64xbf16>, tensor<64x96xbf16> -> tensor<33x96xf32>
  %n = arith.negf %d : tensor<33x96xf32>
  %e = math.exp %n : tensor<33x96xf32>
  return %n, %e : tensor<33x96xf32>, tensor<33x96xf32>
}

// -----

// The product itself is returned: nothing moves.
// CHECK-LABEL: func.func @product_with_other_uses
// CHECK-NOT: epilogue
// CHECK: arith.negf %{{.*}} : tensor<33x96xf32>
func.func @product_with_other_uses(%a: tensor<33x64xbf16>, %w: tensor<64x96xbf16>) -> (tensor<33x96xf32>, tensor<33x96xf32>) {
  %d = lowp.matmul %a, %w : tensor<33x64xbf16>, tensor<64x96xbf16> -> tensor<33x96xf32>
  %n = arith.negf %d : tensor<33x96xf32>
  return %d, %n : tensor<33x96xf32>, tensor<33x96xf32>
}

// -----

// A product cannot have this result type: the operation before is the end.
// CHECK-LABEL: func.func @stops_before_a_result_type_that_no_product_has
// CHECK: arith.negf %{{.*}} : f32
// CHECK: lowp.cast %{{.*}} : tensor<33x96xf32> to tensor<33x96xf8E4M3FN>
func.func @stops_before_a_result_type_that_no_product_has(%a: tensor<33x64xbf16>, %w: tensor<64x96xbf16>) -> tensor<33x96xf8E4M3FN> {
  %d = lowp.matmul %a, %w : tensor<33x64xbf16>, tensor<64x96xbf16> -> tensor<33x96xf32>
  %n = arith.negf %d : tensor<33x96xf32>
  %c = lowp.cast %n rounding(nearest_even) overflow(saturate) : tensor<33x96xf32> to tensor<33x96xf8E4M3FN>
  return %c : tensor<33x96xf8E4M3FN>
}

// -----

// Through such a type and back is fine.
// CHECK-LABEL: func.func @passes_through_a_narrow_type
// CHECK: lowp.cast %{{.*}} : f32 to f8E4M3FN
// CHECK-NEXT: arith.extf %{{.*}} : f8E4M3FN to f32
// CHECK-NEXT: lowp.yield
func.func @passes_through_a_narrow_type(%a: tensor<33x64xbf16>, %w: tensor<64x96xbf16>) -> tensor<33x96xf32> {
  %d = lowp.matmul %a, %w : tensor<33x64xbf16>, tensor<64x96xbf16> -> tensor<33x96xf32>
  %c = lowp.cast %d rounding(nearest_even) overflow(saturate) : tensor<33x96xf32> to tensor<33x96xf8E4M3FN>
  %e = arith.extf %c : tensor<33x96xf8E4M3FN> to tensor<33x96xf32>
  return %e : tensor<33x96xf32>
}

// -----

// A mask that is no capture keeps its user outside.
// CHECK-LABEL: func.func @stops_at_what_cannot_be_captured
// CHECK-NOT: epilogue
// CHECK: arith.select %{{.*}} : tensor<33x96xi1>, tensor<33x96xf32>
func.func @stops_at_what_cannot_be_captured(%a: tensor<33x64xbf16>, %w: tensor<64x96xbf16>, %mask: tensor<33x96xi1>, %other: tensor<33x96xf32>)
    -> tensor<33x96xf32> {
  %d = lowp.matmul %a, %w : tensor<33x64xbf16>, tensor<64x96xbf16> -> tensor<33x96xf32>
  %y = arith.select %mask, %d, %other : tensor<33x96xi1>, tensor<33x96xf32>
  return %y : tensor<33x96xf32>
}

// -----

// A broadcast behind the end takes its shape from the new product.
// CHECK-LABEL: func.func @shape_used_behind_the_end
// CHECK: %[[D:.*]] = lowp.matmul
// CHECK: lowp.broadcast %{{.*}}, %[[D]] dims [1] : tensor<96xf32>, tensor<?x96xbf16> -> tensor<?x96xf32>
func.func @shape_used_behind_the_end(%a: tensor<?x64xbf16>, %w: tensor<64x96xbf16>, %v: tensor<96xf32>)
    -> (tensor<?x96xbf16>, tensor<?x96xf32>) {
  %d = lowp.matmul %a, %w : tensor<?x64xbf16>, tensor<64x96xbf16> -> tensor<?x96xf32>
  %t = arith.truncf %d : tensor<?x96xf32> to tensor<?x96xbf16>
  %b = lowp.broadcast %v, %d dims [1] : tensor<96xf32>, tensor<?x96xf32> -> tensor<?x96xf32>
  return %t, %b : tensor<?x96xbf16>, tensor<?x96xf32>
}

// -----

// Schedules and other attributes stay.
// CHECK-LABEL: func.func @keeps_attributes
// CHECK: lowp.matmul {{.*}} schedules = [#lowp.schedule<name = "mine", {{.*}}>] {tag = 7 : i32} : {{.*}} -> tensor<33x96xbf16>
// CHECK-NEXT: epilogue
func.func @keeps_attributes(%a: tensor<33x64xbf16>, %w: tensor<64x96xbf16>) -> tensor<33x96xbf16> {
  %d = lowp.matmul %a, %w schedules = [#lowp.schedule<name = "mine", tile = [16, 16, 32], waves = [1, 1, 1], instruction = [16, 16, 32]>]
      {tag = 7 : i32} : tensor<33x64xbf16>, tensor<64x96xbf16> -> tensor<33x96xf32>
  %t = arith.truncf %d : tensor<33x96xf32> to tensor<33x96xbf16>
  return %t : tensor<33x96xbf16>
}
