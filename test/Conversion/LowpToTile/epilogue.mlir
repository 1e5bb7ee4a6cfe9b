// RUN: lowp-opt %s -lowp-tile-to-workgroups -canonicalize -cse -mlir-print-local-scope | FileCheck %s

// Epilogues on whole tiles: captures by their maps, scalars, constants, coordinates, casts.

#any = #lowp.schedule<name = "any", tile = [64, 32, 32], waves = [2, 1, 1], instruction = [32, 32, 16], stages = 2,
                      staging = registers, result_access = 8>

// A vector along n, a residual in transposed order, a scalar in memory and one by value; a constant.
// CHECK-LABEL: tile.kernel @captures.any(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A3:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A4:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A5:[a-z0-9_]+]]: f32,
// CHECK-SAME: %[[A6:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly}) waves(2) {
// CHECK-DAG:   %[[C128_I64:[a-z0-9_]+]] = arith.constant 128 : i64
// CHECK-DAG:   %[[CST:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
// CHECK-DAG:   %[[C64_I64:[a-z0-9_]+]] = arith.constant 64 : i64
// CHECK-DAG:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG:   %[[C32:[a-z0-9_]+]] = arith.constant 32 : index
// CHECK:        %[[V0:[a-z0-9_]+]] = tile.workgroup_id 0
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = arith.muli %[[V0]], %[[C32]] : index
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = tile.view %[[A0]] sizes() strides(%[[C64_I64]]) : <64x32xbf16, vector = 2>
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = tile.view %[[A1]] sizes() strides(%[[C64_I64]]) : <32x32xbf16, vector = 2>
// CHECK-NEXT:   %[[V4:[a-z0-9_]+]] = tile.load %[[V2]][%[[C0]], %[[C0]]] in_bounds [true, true] staging(registers) : <64x32xbf16, vector = 2> -> tensor<64x32xbf16>
// CHECK-NEXT:   %[[V5:[a-z0-9_]+]] = tile.load %[[V3]][%[[C0]], %[[V1]]] in_bounds [true, true] staging(registers) : <32x32xbf16, vector = 2> -> tensor<32x32xbf16>
// CHECK-NEXT:   %[[V6:[a-z0-9_]+]] = tile.mma %[[V4]], %[[V5]], %[[CST]] instruction [32, 32, 16] waves [2, 1, 1] : tensor<64x32xbf16>, tensor<32x32xbf16>, tensor<64x32xf32>
// CHECK-NEXT:   %[[V7:[a-z0-9_]+]] = tile.view %[[A2]] sizes() strides() : <32xbf16, vector = 2>
// CHECK-NEXT:   %[[V8:[a-z0-9_]+]] = tile.load %[[V7]][%[[V1]]] map affine_map<(d0, d1) -> (d1)> in_bounds [true] : <32xbf16, vector = 2> -> tensor<64x32xbf16>
// CHECK-NEXT:   %[[V9:[a-z0-9_]+]] = tile.view %[[A3]] sizes() strides(%[[C128_I64]]) : <32x64xf16, vector = 8>
// CHECK-NEXT:   %[[V10:[a-z0-9_]+]] = tile.load %[[V9]][%[[V1]], %[[C0]]] map affine_map<(d0, d1) -> (d1, d0)> in_bounds [true, true] : <32x64xf16, vector = 8> -> tensor<64x32xf16>
// CHECK-NEXT:   %[[V11:[a-z0-9_]+]] = tile.view %[[A4]] sizes() strides() : <f32, vector = 4>
// CHECK-NEXT:   %[[V12:[a-z0-9_]+]] = tile.load %[[V11]][] map affine_map<(d0, d1) -> ()> : <f32, vector = 4> -> tensor<64x32xf32>
// CHECK-NEXT:   %[[V13:[a-z0-9_]+]] = tile.splat %[[A5]] : f32 -> tensor<64x32xf32>
// CHECK-NEXT:   %[[V14:[a-z0-9_]+]] = arith.extf %[[V8]] : tensor<64x32xbf16> to tensor<64x32xf32>
// CHECK-NEXT:   %[[V15:[a-z0-9_]+]] = arith.truncf %[[V6]] : tensor<64x32xf32> to tensor<64x32xbf16>
// CHECK-NEXT:   %[[V16:[a-z0-9_]+]] = arith.extf %[[V15]] : tensor<64x32xbf16> to tensor<64x32xf32>
// CHECK-NEXT:   %[[V17:[a-z0-9_]+]] = math.fma %[[V16]], %[[V13]], %[[V14]] : tensor<64x32xf32>
// CHECK-NEXT:   %[[V18:[a-z0-9_]+]] = arith.extf %[[V10]] : tensor<64x32xf16> to tensor<64x32xf32>
// CHECK-NEXT:   %[[V19:[a-z0-9_]+]] = arith.addf %[[V17]], %[[V18]] : tensor<64x32xf32>
// CHECK-NEXT:   %[[V20:[a-z0-9_]+]] = arith.maximumf %[[V19]], %[[CST]] : tensor<64x32xf32>
// CHECK-NEXT:   %[[V21:[a-z0-9_]+]] = arith.mulf %[[V20]], %[[V12]] : tensor<64x32xf32>
// CHECK-NEXT:   %[[V22:[a-z0-9_]+]] = tile.view %[[A6]] sizes() strides(%[[C128_I64]]) : <64x32xf32, vector = 8>
// CHECK-NEXT:   tile.store %[[V21]], %[[V22]][%[[C0]], %[[V1]]] in_bounds [true, true] : tensor<64x32xf32>, <64x32xf32, vector = 8>
// CHECK-NEXT:   tile.return
// CHECK-NEXT: }
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
// CHECK-LABEL: tile.kernel @coordinates.any(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly},
// CHECK-SAME: %[[A3:[a-z0-9_]+]]: i32) waves(2) {
// CHECK-DAG:   %[[C0_I32:[a-z0-9_]+]] = arith.constant 0 : i32
// CHECK-DAG:   %[[C128_I64:[a-z0-9_]+]] = arith.constant 128 : i64
// CHECK-DAG:   %[[CST:[a-z0-9_]+]] = arith.constant dense<20> : tensor<64x32xi32>
// CHECK-DAG:   %[[CST_0:[a-z0-9_]+]] = arith.constant dense<5000000000> : tensor<64x32xi64>
// CHECK-DAG:   %[[CST_1:[a-z0-9_]+]] = arith.constant dense<100000> : tensor<64x32xi64>
// CHECK-DAG:   %[[CST_2:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
// CHECK-DAG:   %[[C64_I64:[a-z0-9_]+]] = arith.constant 64 : i64
// CHECK-DAG:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG:   %[[C64:[a-z0-9_]+]] = arith.constant 64 : index
// CHECK:        %[[V0:[a-z0-9_]+]] = tile.workgroup_id 0
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = arith.index_castui %[[A3]] : i32 to index
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = tile.workgroup_id 1
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = arith.muli %[[V0]], %[[C64]] : index
// CHECK-NEXT:   %[[V4:[a-z0-9_]+]] = arith.extui %[[A3]] : i32 to i64
// CHECK-NEXT:   %[[V5:[a-z0-9_]+]] = arith.muli %[[V4]], %[[C64_I64]] : i64
// CHECK-NEXT:   %[[V6:[a-z0-9_]+]] = tile.view %[[A0]] sizes(%[[V1]]) strides(%[[V5]], %[[C64_I64]]) : <3x?x32xbf16, vector = 2>
// CHECK-NEXT:   %[[V7:[a-z0-9_]+]] = tile.view %[[A1]] sizes() strides(%[[C64_I64]]) : <32x32xbf16, vector = 2>
// CHECK-NEXT:   %[[V8:[a-z0-9_]+]] = tile.load %[[V6]][%[[V3]], %[[V2]], %[[C0]]] map affine_map<(d0, d1) -> (0, d0, d1)> in_bounds [true, false, true] staging(registers) : <3x?x32xbf16, vector = 2> -> tensor<64x32xbf16>
// CHECK-NEXT:   %[[V9:[a-z0-9_]+]] = tile.load %[[V7]][%[[C0]], %[[C0]]] in_bounds [true, true] staging(registers) : <32x32xbf16, vector = 2> -> tensor<32x32xbf16>
// CHECK-NEXT:   %[[V10:[a-z0-9_]+]] = tile.mma %[[V8]], %[[V9]], %[[CST_2]] instruction [32, 32, 16] waves [2, 1, 1] : tensor<64x32xbf16>, tensor<32x32xbf16>, tensor<64x32xf32>
// CHECK-NEXT:   %[[V11:[a-z0-9_]+]] = arith.index_cast %[[V3]] : index to i32
// CHECK-NEXT:   %[[V12:[a-z0-9_]+]] = tile.splat %[[V11]] : i32 -> tensor<64x32xi32>
// CHECK-NEXT:   %[[V13:[a-z0-9_]+]] = arith.extui %[[V12]] : tensor<64x32xi32> to tensor<64x32xi64>
// CHECK-NEXT:   %[[V14:[a-z0-9_]+]] = arith.index_cast %[[V2]] : index to i32
// CHECK-NEXT:   %[[V15:[a-z0-9_]+]] = tile.splat %[[V14]] : i32 -> tensor<64x32xi32>
// CHECK-NEXT:   %[[V16:[a-z0-9_]+]] = tile.coordinate 0 : tensor<64x32xi32>
// CHECK-NEXT:   %[[V17:[a-z0-9_]+]] = arith.addi %[[V15]], %[[V16]] : tensor<64x32xi32>
// CHECK-NEXT:   %[[V18:[a-z0-9_]+]] = arith.extui %[[V17]] : tensor<64x32xi32> to tensor<64x32xi64>
// CHECK-NEXT:   %[[V19:[a-z0-9_]+]] = tile.splat %[[C0_I32]] : i32 -> tensor<64x32xi32>
// CHECK-NEXT:   %[[V20:[a-z0-9_]+]] = tile.coordinate 1 : tensor<64x32xi32>
// CHECK-NEXT:   %[[V21:[a-z0-9_]+]] = arith.addi %[[V19]], %[[V20]] : tensor<64x32xi32>
// CHECK-NEXT:   %[[V22:[a-z0-9_]+]] = arith.extui %[[V21]] : tensor<64x32xi32> to tensor<64x32xi64>
// CHECK-NEXT:   %[[V23:[a-z0-9_]+]] = arith.addi %[[V13]], %[[V18]] : tensor<64x32xi64>
// CHECK-NEXT:   %[[V24:[a-z0-9_]+]] = arith.muli %[[V23]], %[[CST_1]] : tensor<64x32xi64>
// CHECK-NEXT:   %[[V25:[a-z0-9_]+]] = arith.addi %[[V24]], %[[V22]] : tensor<64x32xi64>
// CHECK-NEXT:   %[[V26:[a-z0-9_]+]] = arith.cmpi slt, %[[V25]], %[[CST_0]] : tensor<64x32xi64>
// CHECK-NEXT:   %[[V27:[a-z0-9_]+]] = arith.cmpi slt, %[[V21]], %[[CST]] : tensor<64x32xi32>
// CHECK-NEXT:   %[[V28:[a-z0-9_]+]] = arith.andi %[[V26]], %[[V27]] : tensor<64x32xi1>
// CHECK-NEXT:   %[[V29:[a-z0-9_]+]] = arith.select %[[V28]], %[[V10]], %[[CST_2]] : tensor<64x32xi1>, tensor<64x32xf32>
// CHECK-NEXT:   %[[V30:[a-z0-9_]+]] = arith.muli %[[V4]], %[[C128_I64]] : i64
// CHECK-NEXT:   %[[V31:[a-z0-9_]+]] = tile.view %[[A2]] sizes(%[[V1]]) strides(%[[V30]], %[[C128_I64]]) : <3x?x32xf32, vector = 8>
// CHECK-NEXT:   tile.store %[[V29]], %[[V31]][%[[V3]], %[[V2]], %[[C0]]] map affine_map<(d0, d1) -> (0, d0, d1)> in_bounds [true, false, true] : tensor<64x32xf32>, <3x?x32xf32, vector = 8>
// CHECK-NEXT:   tile.return
// CHECK-NEXT: }
func.func @coordinates(%a: tensor<3x?x32xbf16>, %b: tensor<32x32xbf16>) -> tensor<3x?x32xf32> {
  %d = lowp.matmul %a, %b schedules = [#any] : tensor<3x?x32xbf16>, tensor<32x32xbf16> -> tensor<3x?x32xf32>
      epilogue(%acc: f32) {
    %zero = arith.constant 0.0 : f32
    %width = arith.constant 100000 : index
    %b0 = lowp.index 0
    %m = lowp.index 1
    %n = lowp.index 2
    %row = arith.addi %b0, %m : index
    %start = arith.muli %row, %width : index
    %place = arith.addi %start, %n : index
    %bound = arith.constant 5000000000 : index
    %limit = arith.constant 20 : i32
    %column = arith.index_cast %n : index to i32
    %inside = arith.cmpi slt, %place, %bound : index
    %low = arith.cmpi slt, %column, %limit : i32
    %both = arith.andi %inside, %low : i1
    %r = arith.select %both, %acc, %zero : f32
    lowp.yield %r : f32
  }
  return %d : tensor<3x?x32xf32>
}
