// RUN: lowp-opt %s -lowp-tile-to-workgroups -split-input-file -verify-diagnostics

#any = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16]>
func.func @not_fused(%a: tensor<8x16xbf16>, %b: tensor<16x8xbf16>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %d = lowp.matmul %a, %b schedules = [#any] : tensor<8x16xbf16>, tensor<16x8xbf16> -> tensor<8x8xf32>
  // expected-error @+1 {{expected the entry to return the result of one lowp.matmul, but found 'arith.addf', which lowp-fuse-epilogue could not fuse into it}}
  %e = arith.addf %d, %c : tensor<8x8xf32>
  return %e : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{'func.func' op expected the entry to return the result of one lowp.matmul, but it has none}}
func.func @nothing(%a: tensor<8x16xbf16>) -> tensor<8x16xbf16> {
  return %a : tensor<8x16xbf16>
}

// -----

#any = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16]>
func.func @unused_result(%a: tensor<8x16xbf16>, %b: tensor<16x8xbf16>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %d = lowp.matmul %a, %b schedules = [#any] : tensor<8x16xbf16>, tensor<16x8xbf16> -> tensor<8x8xf32>
  // expected-error @+1 {{'func.return' op expected the entry to return the result of its lowp.matmul and nothing else}}
  return %c : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{'func.func' op expected the entry to be one block, but it has control flow}}
func.func @control_flow(%a: tensor<8x16xbf16>) -> tensor<8x16xbf16> {
  cf.br ^next
^next:
  return %a : tensor<8x16xbf16>
}

// -----

#any = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16]>
func.func @two(%a: tensor<8x8xbf16>, %b: tensor<8x8xbf16>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %d = lowp.matmul %a, %b schedules = [#any] : tensor<8x8xbf16>, tensor<8x8xbf16> -> tensor<8x8xf32>
  // expected-error @+1 {{expected the entry to return the result of one lowp.matmul, but found 'lowp.matmul', which lowp-fuse-epilogue could not fuse into it}}
  %e = lowp.matmul %b, %a schedules = [#any] : tensor<8x8xbf16>, tensor<8x8xbf16> -> tensor<8x8xf32>
  return %d, %e : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// expected-error @+1 {{'func.func' op argument 'n' is of type 'index', but an entry takes ranked tensors, f32, bf16, f16, i32 and i64}}
func.func @index_argument(%n: index {lowp.name = "n"}, %a: tensor<8x16xbf16>) -> tensor<8x16xbf16> {
  return %a : tensor<8x16xbf16>
}

// -----

// expected-error @+1 {{'func.func' op argument 'arg0' is a tensor of 'f64', which is no element type of an entry}}
func.func @element_type(%a: tensor<8x16xf64>) -> tensor<8x16xf64> {
  return %a : tensor<8x16xf64>
}

// -----

// expected-error @+1 {{'func.func' op result 'result0' is of type 'f32', but an entry gives ranked tensors}}
func.func @scalar_result(%a: f32) -> f32 {
  return %a : f32
}

// -----

// expected-error @+1 {{'func.func' op names of arguments must be unique, but 'x' occurs twice}}
func.func @names(%a: tensor<?x16xbf16> {lowp.name = "x"}, %b: f32 {lowp.name = "x"}) -> tensor<8x16xbf16> {
  %0 = arith.constant dense<0.0> : tensor<8x16xbf16>
  return %0 : tensor<8x16xbf16>
}

// -----

func.func @no_schedule(%a: tensor<8x16xbf16>, %b: tensor<16x8xbf16>) -> tensor<8x8xf32> {
  // expected-error @+1 {{'lowp.matmul' op has no schedule; lowp-select-schedule chooses them}}
  %d = lowp.matmul %a, %b : tensor<8x16xbf16>, tensor<16x8xbf16> -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

#wide = #lowp.schedule<name = "wide", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16], access = 16>
func.func @never_fits(%a: tensor<8x15xbf16>, %b: tensor<15x8xbf16>) -> tensor<8x8xf32> {
  // expected-error @+1 {{'lowp.matmul' op has no schedule that fits this problem; schedule 'wide' needs: dimension 1 of arg0 must be a multiple of 8}}
  %d = lowp.matmul %a, %b schedules = [#wide] : tensor<8x15xbf16>, tensor<15x8xbf16> -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

#any = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16]>
func.func @too_far(%a: tensor<100x40000000xbf16>, %b: tensor<8x40000000xbf16>) -> tensor<100x8xf32> {
  // expected-error @+1 {{'lowp.matmul' op has no schedule that fits this problem; schedule 'any' needs: 64 rows of arg0 must span less than 2147483648 bytes}}
  %d = lowp.matmul %a, %b transpose_b schedules = [#any]
      : tensor<100x40000000xbf16>, tensor<8x40000000xbf16> -> tensor<100x8xf32>
  return %d : tensor<100x8xf32>
}

// -----

#any = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16]>
func.func @saturating(%a: tensor<8x16xbf16>, %b: tensor<16x8xbf16>) -> tensor<8x8xf16> {
  %d = lowp.matmul %a, %b schedules = [#any] : tensor<8x16xbf16>, tensor<16x8xbf16> -> tensor<8x8xf16>
      epilogue(%acc: f32) {
    // expected-error @+1 {{expected a cast to f32, bf16 or f16 with overflow(native) in the epilogue, but got one to 'f16' with overflow(saturate)}}
    %0 = lowp.cast %acc rounding(nearest_even) overflow(saturate) : f32 to f16
    lowp.yield %0 : f16
  }
  return %d : tensor<8x8xf16>
}
