// RUN: lowp-opt %s --split-input-file --verify-diagnostics

// Functions @matmul_cN show the rule CN of docs/spec/matmul.md.

func.func @matmul_c1(%a: tensor<64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op operand 'a' must have rank 2, or 3 with a batch, but got 'tensor<64xbf16>'}}
  %d = lowp.matmul %a, %b : tensor<64xbf16>, tensor<64x32xbf16> -> tensor<64x32xf32>
  return
}

// -----

func.func @matmul_c1_rank_4(%a: tensor<8x64xbf16>, %b: tensor<2x2x64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op operand 'b' must have rank 2, or 3 with a batch, but got 'tensor<2x2x64x32xbf16>'}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<2x2x64x32xbf16> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c2(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>) {
  // expected-error@+1 {{'lowp.matmul' op operand 'a' has element type 'f32'; accepted are f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, bf16, f16}}
  %d = lowp.matmul %a, %b : tensor<8x64xf32>, tensor<64x32xf32> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c2_not_yet(%a: tensor<8x64xbf16>, %b: tensor<64x32xf4E2M1FN>) {
  // expected-error@+1 {{'lowp.matmul' op operand 'b' has element type 'f4E2M1FN', which is not supported yet; accepted are f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, bf16, f16}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xf4E2M1FN> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c2_integers(%a: tensor<8x64xi8>, %b: tensor<64x32xi8>) {
  // expected-error@+1 {{'lowp.matmul' op operand 'a' has element type 'i8', which is not supported yet; accepted are f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, bf16, f16}}
  %d = lowp.matmul %a, %b : tensor<8x64xi8>, tensor<64x32xi8> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c3(%a: tensor<8x0xbf16>, %b: tensor<0x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op 'a' must have no dimension of size 0, but got 'tensor<8x0xbf16>'}}
  %d = lowp.matmul %a, %b : tensor<8x0xbf16>, tensor<0x32xbf16> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c3_encoding(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16, "blocked">) {
  // expected-error@+1 {{'lowp.matmul' op 'b' has the encoding '"blocked"'; accepted are none and #lowp.storage<...>}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16, "blocked"> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c4(%a: tensor<8x64xf8E4M3FN>, %b: tensor<64x32xf8E5M2FNUZ>) {
  // expected-error@+1 {{'lowp.matmul' op cannot multiply 'f8E4M3FN' by 'f8E5M2FNUZ'; accepted are f8E4M3FN and f8E5M2 with each other, f8E4M3FNUZ and f8E5M2FNUZ with each other, bf16 with bf16, f16 with f16}}
  %d = lowp.matmul %a, %b : tensor<8x64xf8E4M3FN>, tensor<64x32xf8E5M2FNUZ> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c4_widths(%a: tensor<8x64xbf16>, %b: tensor<64x32xf16>) {
  // expected-error@+1 {{'lowp.matmul' op cannot multiply 'bf16' by 'f16'; accepted are f8E4M3FN and f8E5M2 with each other, f8E4M3FNUZ and f8E5M2FNUZ with each other, bf16 with bf16, f16 with f16}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xf16> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c5(%a: tensor<8x64xbf16>, %b: tensor<63x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op operands must have the same K, but got '64' in dimension 1 of 'a' and '63' in dimension 0 of 'b'}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<63x32xbf16> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c5_transposed(%a: tensor<3x64x8xbf16>, %b: tensor<32x65xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op operands must have the same K, but got '64' in dimension 1 of 'a' and '65' in dimension 1 of 'b'}}
  %d = lowp.matmul %a, %b transpose_a transpose_b : tensor<3x64x8xbf16>, tensor<32x65xbf16> -> tensor<3x8x32xf32>
  return
}

// -----

func.func @matmul_c6(%a: tensor<3x8x64xbf16>, %b: tensor<4x64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op operands must have the same batch, but got '3' in 'a' and '4' in 'b'}}
  %d = lowp.matmul %a, %b : tensor<3x8x64xbf16>, tensor<4x64x32xbf16> -> tensor<3x8x32xf32>
  return
}

// -----

func.func @matmul_c7_rank(%a: tensor<3x8x64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op result must have rank '3', as the operands say, but got 'tensor<8x32xf32>'}}
  %d = lowp.matmul %a, %b : tensor<3x8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c7_batch(%a: tensor<3x8x64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op dimension 0 of the result must be the batch of 'a', '3', but got '2'}}
  %d = lowp.matmul %a, %b : tensor<3x8x64xbf16>, tensor<64x32xbf16> -> tensor<2x8x32xf32>
  return
}

// -----

func.func @matmul_c7_m(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op dimension 0 of the result must be the M of 'a', '8', but got '9'}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<9x32xf32>
  return
}

// -----

func.func @matmul_c7_n(%a: tensor<8x64xbf16>, %b: tensor<32x64xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op dimension 1 of the result must be the N of 'b', '32', but got '64'}}
  %d = lowp.matmul %a, %b transpose_b : tensor<8x64xbf16>, tensor<32x64xbf16> -> tensor<8x64xf32>
  return
}

// -----

func.func @matmul_c8(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op result has element type 'f8E4M3FN', which is not supported yet; accepted are f32, bf16, f16}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf8E4M3FN>
  return
}

// -----

func.func @matmul_c9(%a: tensor<8x64xf8E4M3FN>, %b: tensor<64x32xf8E4M3FN>, %s: tensor<8x1xf32>) {
  // expected-error@+1 {{'lowp.matmul' op operand 'scale_a' must be 'tensor<f32>', one scale for the whole operand, but got 'tensor<8x1xf32>'; other granularities are not supported yet}}
  %d = lowp.matmul %a, %b scale_a(%s : tensor<8x1xf32>) : tensor<8x64xf8E4M3FN>, tensor<64x32xf8E4M3FN> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c9_type(%a: tensor<8x64xf8E4M3FN>, %b: tensor<64x32xf8E4M3FN>, %s: tensor<f8E8M0FNU>) {
  // expected-error@+1 {{'lowp.matmul' op operand 'scale_b' must be 'tensor<f32>', one scale for the whole operand, but got 'tensor<f8E8M0FNU>'; other granularities are not supported yet}}
  %d = lowp.matmul %a, %b scale_b(%s : tensor<f8E8M0FNU>) : tensor<8x64xf8E4M3FN>, tensor<64x32xf8E4M3FN> -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c10(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<32xi32>) {
  // expected-error@+1 {{'lowp.matmul' op capture 0 must be a scalar or a ranked tensor of f32, bf16 or f16, but got 'tensor<32xi32>'}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
      epilogue(%acc: f32, %x: i32 = %c[n] : tensor<32xi32>) {
    lowp.yield %acc : f32
  }
  return
}

// -----

func.func @matmul_c11(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<32x32xf32>) {
  // expected-error@+1 {{'lowp.matmul' op capture 0 must choose its coordinates among the result's 2, each at most once, but got 'affine_map<(d0, d1) -> (d1, d1)>'}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
      epilogue(%acc: f32, %x: f32 = %c[n, n] : tensor<32x32xf32>) {
    lowp.yield %acc : f32
  }
  return
}

// -----

func.func @matmul_c11_rank(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<8x32xf32>) {
  // expected-error@+1 {{'lowp.matmul' op capture 0 of type 'tensor<8x32xf32>' needs one coordinate for each of its 2 dimensions, but got '1'}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
      epilogue(%acc: f32, %x: f32 = %c[n] : tensor<8x32xf32>) {
    lowp.yield %acc : f32
  }
  return
}

// -----

func.func @matmul_c11_count(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<32xf32>) {
  // expected-error@+1 {{'lowp.matmul' op needs one capture map for each of its 1 captures, but got '0'}}
  %d = "lowp.matmul"(%a, %b, %c) <{capture_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> ({
  ^bb0(%acc: f32, %x: f32):
    "lowp.yield"(%x) : (f32) -> ()
  }) : (tensor<8x64xbf16>, tensor<64x32xbf16>, tensor<32xf32>) -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c12(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<31xf32>) {
  // expected-error@+1 {{'lowp.matmul' op dimension 0 of capture 0 must have the size of dimension 1 of the result, '32', but got '31'}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
      epilogue(%acc: f32, %x: f32 = %c[n] : tensor<31xf32>) {
    lowp.yield %acc : f32
  }
  return
}

// -----

func.func @matmul_c13(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<32xf32>) {
  // expected-error@+1 {{'lowp.matmul' op has captures but no epilogue that uses them}}
  %d = "lowp.matmul"(%a, %b, %c) <{capture_maps = [affine_map<(m, n) -> (n)>], operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> ({
  }) : (tensor<8x64xbf16>, tensor<64x32xbf16>, tensor<32xf32>) -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c14(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op argument 0 of the epilogue, the sum, must have type 'f32', but got 'bf16'}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xbf16>
      epilogue(%acc: bf16) {
    lowp.yield %acc : bf16
  }
  return
}

// -----

func.func @matmul_c14_capture(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op argument 1 of the epilogue must have the element type of capture 0, 'bf16', but got 'f32'}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
      epilogue(%acc: f32, %x: f32 = %c[n] : tensor<32xbf16>) {
    lowp.yield %x : f32
  }
  return
}

// -----

func.func @matmul_c14_count(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op epilogue must have an argument for the sum and one for each of the 0 captures, but got '2'}}
  %d = "lowp.matmul"(%a, %b) <{capture_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> ({
  ^bb0(%acc: f32, %x: f32):
    "lowp.yield"(%x) : (f32) -> ()
  }) : (tensor<8x64xbf16>, tensor<64x32xbf16>) -> tensor<8x32xf32>
  return
}

// -----

func.func @matmul_c15(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op epilogue has the operation 'func.call'; accepted are scalar operations of arith and math, lowp.cast and lowp.index}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
      epilogue(%acc: f32) {
    // expected-note@+1 {{see the operation}}
    %x = func.call @f(%acc) : (f32) -> f32
    lowp.yield %x : f32
  }
  return
}
func.func private @f(f32) -> f32

// -----

func.func @matmul_c15_tensor(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op epilogue has the operation 'arith.constant'; accepted are scalar operations of arith and math, lowp.cast and lowp.index}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
      epilogue(%acc: f32) {
    // expected-note@+1 {{see the operation}}
    %x = arith.constant dense<1.0> : tensor<4xf32>
    lowp.yield %acc : f32
  }
  return
}

// -----

func.func @matmul_c16(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op epilogue must end in lowp.yield of the result's element type, 'bf16', but got 'f32'}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xbf16>
      epilogue(%acc: f32) {
    lowp.yield %acc : f32
  }
  return
}

// -----

func.func @matmul_c17(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>) {
  // expected-error@+1 {{'lowp.matmul' op schedules must have different names, but got 'x' twice}}
  %d = lowp.matmul %a, %b schedules = [
      #lowp.schedule<name = "x", tile = [16, 16, 32], waves = [1, 1, 1], instruction = [16, 16, 32]>,
      #lowp.schedule<name = "x", tile = [16, 32, 32], waves = [1, 1, 1], instruction = [16, 16, 32]>]
      : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
  return
}

// -----

func.func @unknown_coordinate(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<32xf32>) {
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
      // expected-error@+1 {{unknown coordinate 'b' of a result of type 'tensor<8x32xf32>'}}
      epilogue(%acc: f32, %x: f32 = %c[b] : tensor<32xf32>) {
    lowp.yield %x : f32
  }
  return
}

// -----

func.func @values_from_above(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %alpha: f32) {
  // expected-note@+1 {{required by region isolation constraints}}
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
      epilogue(%acc: f32) {
    // expected-error@+1 {{'arith.mulf' op using value defined outside the region}}
    %x = arith.mulf %acc, %alpha : f32
    lowp.yield %x : f32
  }
  return
}

// -----

func.func @index_beyond_rank(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>) {
  %d = lowp.matmul %a, %b : tensor<8x64xbf16>, tensor<64x32xbf16> -> tensor<8x32xf32>
      epilogue(%acc: f32) {
    // expected-error@+1 {{'lowp.index' op dimension must be less than the rank of the result, '2', but got '2'}}
    %i = lowp.index 2
    lowp.yield %acc : f32
  }
  return
}

// -----

func.func @cast_shapes(%x: tensor<8xf32>) {
  // expected-error@+1 {{'lowp.cast' op source and result must have the same shape and storage, but got 'tensor<8xf32>' and 'tensor<9xf8E5M2>'}}
  %y = lowp.cast %x rounding(nearest_even) overflow(saturate) : tensor<8xf32> to tensor<9xf8E5M2>
  return
}

// -----

func.func @cast_source(%x: f64) {
  // expected-error@+1 {{'lowp.cast' op source must have element type f32, bf16 or f16, but got 'f64'}}
  %y = lowp.cast %x rounding(nearest_even) overflow(saturate) : f64 to f8E5M2
  return
}

// -----

func.func @cast_widens(%x: bf16) {
  // expected-error@+1 {{'lowp.cast' op result must have an element type of fewer bits than 'bf16', but got 'f16'}}
  %y = lowp.cast %x rounding(nearest_even) overflow(saturate) : bf16 to f16
  return
}

// -----

func.func @cast_result(%x: f32) {
  // expected-error@+1 {{'lowp.cast' op result has element type 'f8E8M0FNU'; accepted are f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, f6E2M3FN, f6E3M2FN, f4E2M1FN, bf16, f16}}
  %y = lowp.cast %x rounding(nearest_even) overflow(saturate) : f32 to f8E8M0FNU
  return
}

// -----

func.func @broadcast_source(%x: vector<4xf32>, %t: tensor<8x4xf32>) {
  // expected-error@+1 {{'lowp.broadcast' op source must be a scalar or a ranked tensor, but got 'vector<4xf32>'}}
  %y = lowp.broadcast %x, %t dims [1] : vector<4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_element_type(%x: tensor<4xbf16>, %t: tensor<8x4xf32>) {
  // expected-error@+1 {{'lowp.broadcast' op source and result must have the same element type, but got 'bf16' and 'f32'}}
  %y = lowp.broadcast %x, %t dims [1] : tensor<4xbf16>, tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_shape(%x: tensor<4xf32>, %t: tensor<?x4xf32>) {
  // expected-error@+1 {{'lowp.broadcast' op result must have the shape of 'tensor<?x4xf32>', but got 'tensor<8x4xf32>'}}
  %y = lowp.broadcast %x, %t dims [1] : tensor<4xf32>, tensor<?x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_dims_count(%x: tensor<4xf32>, %t: tensor<8x4xf32>) {
  // expected-error@+1 {{'lowp.broadcast' op needs one dimension of the result for each of the source's, which has rank '1', but got '2'}}
  %y = lowp.broadcast %x, %t dims [0, 1] : tensor<4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_dims_range(%x: tensor<4xf32>, %t: tensor<8x4xf32>) {
  // expected-error@+1 {{'lowp.broadcast' op dims must be less than the rank of the result, '2', but got '2'}}
  %y = lowp.broadcast %x, %t dims [2] : tensor<4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_dims_twice(%x: tensor<4x4xf32>, %t: tensor<8x4xf32>) {
  // expected-error@+1 {{'lowp.broadcast' op dims must be different, but got '1' twice}}
  %y = lowp.broadcast %x, %t dims [1, 1] : tensor<4x4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_sizes(%x: tensor<4xf32>, %t: tensor<8x4xf32>) {
  // expected-error@+1 {{'lowp.broadcast' op dimension 0 of the source must have the size of dimension 0 of the result, '8', but got '4'}}
  %y = lowp.broadcast %x, %t dims [0] : tensor<4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

// expected-error@+1 {{'#lowp.storage<strided>' needs a tensor of rank 1 or more, but got rank 0}}
func.func @storage_of_rank_0(%x: tensor<f32, #lowp.storage<strided>>) {
  return
}

// -----

// expected-error@+1 {{'func.func' op attribute 'lowp.device' must be a unit attribute, but got 'true'}}
func.func @device_is_a_unit() attributes {lowp.device = true} {
  return
}

// -----

func.func @device_is_for_functions() {
  // expected-error@+1 {{'arith.constant' op attribute 'lowp.device' must be on a function}}
  %c = arith.constant {lowp.device} 1 : i32
  return
}

// -----

// expected-error@+1 {{'func.func' op has the attribute 'lowp.kernel', which the lowp dialect does not know; accepted is 'lowp.device'}}
func.func @unknown_attribute() attributes {lowp.kernel} {
  return
}

// -----

// expected-error@+1 {{'func.func' op argument 0 attribute 'lowp.name' must be letters, digits and '_' and not begin with a digit, but got '1 : i64'}}
func.func @name_is_a_string(%x: f32 {lowp.name = 1}) {
  return
}

// -----

// expected-error@+1 {{'func.func' op result 0 has the attribute 'lowp.label', which the lowp dialect does not know; accepted is 'lowp.name'}}
func.func private @unknown_result_attribute() -> (f32 {lowp.label = "x"})
