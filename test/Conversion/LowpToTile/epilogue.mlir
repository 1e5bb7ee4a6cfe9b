// RUN: lowp-opt %s -lowp-tile-to-workgroups -canonicalize -cse -mlir-print-local-scope | FileCheck %s

// Epilogues on whole tiles: captures by their maps, scalars, constants, coordinates, casts.

#any = #lowp.schedule<name = "any", tile = [64, 32, 32], waves = [2, 1, 1], instruction = [32, 32, 16], stages = 2,
                      staging = registers, result_access = 8>

// A vector along n, a residual in transposed order, a scalar in memory and one by value; a constant.
// @@captures
func.func @captures(%a: tensor<64x32xbf16>, %b: tensor<32x32xbf16>, %bias: tensor<32xbf16>, %res: tensor<32x64xf16>,
                    %s: tensor<f32>, %alpha: f32) -> tensor<64x32xf32> {
  %d = lowp.matmul %a, %b schedules = [#any] : tensor<64x32xbf16>, tensor<32x32xbf16> -> tensor<64x32xf32>
      epilogue(%acc: f32, %x: bf16 = %bias[n] : tensor<32xbf16>, %r: f16 = %res[n, m] : tensor<32x64xf16>,
               %t: f32 = %s[] : tensor<f32>, %al: f32 = %alpha : f32) {
    %zero = arith.constant 0.0 : f32
    %0 = arith.extf %x : bf16 to f32
    %1 = lowp.cast %acc rounding(nearest_even) overflow(native) : f32 to bf16
    %2 = arith.extf %1 : bf16 to f32
    %3 = math.fma %2, %al, %0 : f32
    %4 = arith.extf %r : f16 to f32
    %5 = arith.addf %3, %4 : f32
    %6 = arith.maximumf %5, %zero : f32
    %7 = arith.mulf %6, %t : f32
    lowp.yield %7 : f32
  }
  return %d : tensor<64x32xf32>
}

// Coordinates are 64 bits wide in arithmetic: m * 100000 + n may not fit 32.
// @@coordinates
func.func @coordinates(%a: tensor<3x?x32xbf16>, %b: tensor<32x32xbf16>, %keep: i32) -> tensor<3x?x32xf32> {
  %d = lowp.matmul %a, %b schedules = [#any] : tensor<3x?x32xbf16>, tensor<32x32xbf16> -> tensor<3x?x32xf32>
      epilogue(%acc: f32, %limit: i32 = %keep : i32) {
    %zero = arith.constant 0.0 : f32
    %width = arith.constant 100000 : index
    %b0 = lowp.index 0
    %m = lowp.index 1
    %n = lowp.index 2
    %row = arith.addi %b0, %m : index
    %start = arith.muli %row, %width : index
    %place = arith.addi %start, %n : index
    %bound = arith.index_cast %limit : i32 to index
    %column = arith.index_cast %n : index to i32
    %inside = arith.cmpi slt, %place, %bound : index
    %low = arith.cmpi slt, %column, %limit : i32
    %both = arith.andi %inside, %low : i1
    %r = arith.select %both, %acc, %zero : f32
    lowp.yield %r : f32
  }
  return %d : tensor<3x?x32xf32>
}
