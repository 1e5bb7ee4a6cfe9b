// RUN: lowp-opt %s -split-input-file -verify-diagnostics

// Diagnostics of the operations that compute; the others are in invalid.mlir.

//===-- Products ---------------------------------------------------------------------------------------------===//

func.func @f(%a: tensor<16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op operand 'a' must have rank 2 or 3, but got 'tensor<16xbf16>'}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
  return
}

// -----

func.func @f(%a: tensor<16x16xbf16>, %b: tensor<2x16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op operands must have equal rank, but got 'tensor<16x16xbf16>', 'tensor<2x16x16xbf16>' and 'tensor<16x16xf32>'}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16>, tensor<2x16x16xbf16>, tensor<16x16xf32>
  return
}

// -----

func.func @f(%a: tensor<16x32xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op operands 'a' and 'b' must agree in k, but got '32' and '16'}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x32xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
  return
}

// -----

func.func @f(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x32xf32>) {
  // expected-error@+1 {{'tile.mma' op accumulator must be 16x16, but got 'tensor<16x32xf32>'}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x32xf32>
  return
}

// -----

func.func @f(%a: tensor<2x16x16xbf16>, %b: tensor<4x16x16xbf16>, %c: tensor<2x16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op operands must agree in the leading dimension, but got 'tensor<2x16x16xbf16>', 'tensor<4x16x16xbf16>' and 'tensor<2x16x16xf32>'}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<2x16x16xbf16>, tensor<4x16x16xbf16>, tensor<2x16x16xf32>
  return
}

// -----

func.func @f(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xbf16>) {
  // expected-error@+1 {{'tile.mma' op accumulator must be f32 or i32, but got 'bf16'}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xbf16>
  return
}

// -----

func.func @f(%a: tensor<16x16xbf16>, %b: tensor<16x16xf64>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op operands must be of lowp's formats, but got 'bf16' and 'f64'}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16>, tensor<16x16xf64>, tensor<16x16xf32>
  return
}

// -----

func.func @f(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op instruction must be three positive sizes m, n, k}}
  %r = tile.mma %a, %b, %c instruction [16, 16] waves [1, 1, 1] : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
  return
}

// -----

func.func @f(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op instruction must be three positive sizes m, n, k}}
  %r = tile.mma %a, %b, %c instruction [16, 0, 16] waves [1, 1, 1] : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
  return
}

// -----

func.func @f(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op waves must be three positive counts for m, n and the leading dimension}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1] : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
  return
}

// -----

func.func @f(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op waves must be three positive counts for m, n and the leading dimension}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, -1] : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
  return
}

// -----

func.func @f(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op the leading dimension must be the '4' waves that share it, but the operands are 'tensor<16x16xbf16>' and 'tensor<16x16xbf16>'}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 4] : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
  return
}

// -----

func.func @f(%a: tensor<2x16x16xbf16>, %b: tensor<2x16x16xbf16>, %c: tensor<2x16x16xf32>) {
  // expected-error@+1 {{'tile.mma' op the leading dimension must be the '4' waves that share it, but the operands are 'tensor<2x16x16xbf16>' and 'tensor<2x16x16xbf16>'}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 4] : tensor<2x16x16xbf16>, tensor<2x16x16xbf16>, tensor<2x16x16xf32>
  return
}

// -----

//===-- Reductions and changes of shape ----------------------------------------------------------------------===//

func.func @f(%t: tensor<16x8xf32>) {
  // expected-error@+1 {{'tile.reduce' op dim must be less than the rank 2, but got '2'}}
  %r = tile.reduce add %t dim 2 : tensor<16x8xf32> -> tensor<16xf32>
  return
}

// -----

func.func @f(%t: tensor<16x8xf32>) {
  // expected-error@+1 {{'tile.reduce' op result must be the source without dimension 0, but got 'tensor<16xf32>' for 'tensor<16x8xf32>'}}
  %r = tile.reduce add %t dim 0 : tensor<16x8xf32> -> tensor<16xf32>
  return
}

// -----

func.func @f(%t: tensor<16x8xf32>) {
  // expected-error@+1 {{'tile.reduce' op result must be the source without dimension 1, but got 'tensor<16xi32>' for 'tensor<16x8xf32>'}}
  %r = tile.reduce add %t dim 1 : tensor<16x8xf32> -> tensor<16xi32>
  return
}

// -----

func.func @f(%t: tensor<16xf32>) {
  // expected-error@+1 {{'tile.broadcast' op dims must name one dimension of the result for each of the 1 of the source, but names 2}}
  %r = tile.broadcast %t dims [0, 1] : tensor<16xf32> -> tensor<16x8xf32>
  return
}

// -----

func.func @f(%t: tensor<16x8xf32>) {
  // expected-error@+1 {{'tile.broadcast' op dims must be increasing dimensions of the result, but got '0'}}
  %r = tile.broadcast %t dims [1, 0] : tensor<16x8xf32> -> tensor<8x16xf32>
  return
}

// -----

func.func @f(%t: tensor<16xf32>) {
  // expected-error@+1 {{'tile.broadcast' op dims must be increasing dimensions of the result, but got '2'}}
  %r = tile.broadcast %t dims [2] : tensor<16xf32> -> tensor<16x8xf32>
  return
}

// -----

func.func @f(%t: tensor<16xf32>) {
  // expected-error@+1 {{'tile.broadcast' op dimension 0 of the source is '16', but dimension 1 of the result is '8'}}
  %r = tile.broadcast %t dims [1] : tensor<16xf32> -> tensor<16x8xf32>
  return
}

// -----

func.func @f(%t: tensor<16xf32>) {
  // expected-error@+1 {{'tile.broadcast' op source and result must have one element type, but got 'tensor<16xf32>' and 'tensor<16x8xbf16>'}}
  %r = tile.broadcast %t dims [0] : tensor<16xf32> -> tensor<16x8xbf16>
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error@+1 {{'tile.splat' op value must be of the result's element type, but got 'f32' for 'tensor<16xbf16>'}}
  %r = tile.splat %f : f32 -> tensor<16xbf16>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'tile.coordinate' op result must have element type i32, but got 'tensor<16xi64>'}}
  %r = tile.coordinate 0 : tensor<16xi64>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'tile.coordinate' op dim must be less than the rank 1, but got '1'}}
  %r = tile.coordinate 1 : tensor<16xi32>
  return
}

// -----

func.func @f(%t: tensor<16x8xf32>) {
  // expected-error@+1 {{'tile.convert_layout' op source and result may differ in their layout only, but got 'tensor<16x8xf32>' and 'tensor<8x16xf32>'}}
  %r = tile.convert_layout %t : tensor<16x8xf32> -> tensor<8x16xf32>
  return
}
