// RUN: lowp-opt %s -lowp-tile-to-workgroups -canonicalize -cse -mlir-print-local-scope | FileCheck %s

// One kernel for each variant: what the workgroup computes. The entries are in entry.mlir.

#large = #lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [32, 32, 64], stages = 4,
                        staging = direct, access = 16, result_access = 8, whole_k = true, rows = [256, 0], xcds = 8, group = 4>
#skinny = #lowp.schedule<name = "skinny", tile = [16, 64, 128], waves = [1, 1, 4], instruction = [16, 16, 32], stages = 2,
                         staging = none, access = 16, rows = [1, 16]>
#any = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16], stages = 2,
                      staging = registers>

// Everything is static and divisible: nothing is compared with a bound, and the order of the grid is all constants.
// CHECK-LABEL: tile.kernel @static.large(
// CHECK-SAME: %[[A0:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly}) waves(8) {
// CHECK-DAG:   %[[C1536_I64:.*]] = arith.constant 1536 : i64
// CHECK-DAG:   %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG:   %[[C1024:.*]] = arith.constant 1024 : index
// CHECK-DAG:   %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<256x256xf32>
// CHECK-DAG:   %[[C1024_I64:.*]] = arith.constant 1024 : i64
// CHECK-DAG:   %[[C12:.*]] = arith.constant 12 : index
// CHECK-DAG:   %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:   %[[C6:.*]] = arith.constant 6 : index
// CHECK-DAG:   %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:   %[[C256:.*]] = arith.constant 256 : index
// CHECK:   %[[V0:.*]] = tile.workgroup_id 0
// CHECK:   %[[V1:.*]] = arith.remui %[[V0]], %[[C8]] : index
// CHECK:   %[[V2:.*]] = arith.divui %[[V0]], %[[C8]] : index
// CHECK:   %[[V3:.*]] = arith.minui %[[V1]], %[[C6]] : index
// CHECK:   %[[V4:.*]] = arith.addi %[[V3]], %[[V2]] : index
// CHECK:   %[[V5:.*]] = arith.divui %[[V4]], %[[C12]] : index
// CHECK:   %[[V6:.*]] = arith.muli %[[V5]], %[[C4]] : index
// CHECK:   %[[V7:.*]] = arith.remui %[[V4]], %[[C12]] : index
// CHECK:   %[[V8:.*]] = arith.subi %[[C2]], %[[V6]] : index
// CHECK:   %[[V9:.*]] = arith.minui %[[V8]], %[[C4]] : index
// CHECK:   %[[V10:.*]] = arith.remui %[[V7]], %[[V9]] : index
// CHECK:   %[[V11:.*]] = arith.addi %[[V6]], %[[V10]] : index
// CHECK:   %[[V12:.*]] = arith.divui %[[V7]], %[[V9]] : index
// CHECK:   %[[V13:.*]] = arith.muli %[[V11]], %[[C256]] : index
// CHECK:   %[[V14:.*]] = arith.muli %[[V12]], %[[C256]] : index
// CHECK:   %[[V15:.*]] = tile.view %[[A0]] sizes() strides(%[[C1024_I64]]) : <512x1024xf8E4M3FN, vector = 16>
// CHECK:   %[[V16:.*]] = tile.view %[[A1]] sizes() strides(%[[C1024_I64]]) : <768x1024xf8E4M3FN, vector = 16>
// CHECK:   %[[V17:.*]] = scf.for %[[A3:.*]] = %[[C0]] to %[[C1024]] step %[[C64]] iter_args(%[[A4:.*]] = %[[CST]]) -> (tensor<256x256xf32>) {
// CHECK:     %[[V20:.*]] = tile.load %[[V15]][%[[V13]], %[[A3]]] in_bounds [true, true] staging(direct) : <512x1024xf8E4M3FN, vector = 16> -> tensor<256x64xf8E4M3FN>
// CHECK:     %[[V21:.*]] = tile.load %[[V16]][%[[V14]], %[[A3]]] map affine_map<(d0, d1) -> (d1, d0)> in_bounds [true, true] staging(direct) : <768x1024xf8E4M3FN, vector = 16> -> tensor<64x256xf8E4M3FN>
// CHECK:     %[[V22:.*]] = tile.mma %[[V20]], %[[V21]], %[[A4]] instruction [32, 32, 64] waves [2, 4, 1] : tensor<256x64xf8E4M3FN>, tensor<64x256xf8E4M3FN>, tensor<256x256xf32>
// CHECK:     scf.yield %[[V22]] : tensor<256x256xf32>
// CHECK:   } {tile.stages = 4 : i32}
// CHECK:   %[[V18:.*]] = arith.truncf %[[V17]] : tensor<256x256xf32> to tensor<256x256xbf16>
// CHECK:   %[[V19:.*]] = tile.view %[[A2]] sizes() strides(%[[C1536_I64]]) : <512x768xbf16, vector = 8>
// CHECK:   tile.store %[[V18]], %[[V19]][%[[V13]], %[[V14]]] in_bounds [true, true] : tensor<256x256xbf16>, <512x768xbf16, vector = 8>
// CHECK:   tile.return
// CHECK: }
func.func @static(%a: tensor<512x1024xf8E4M3FN>, %b: tensor<768x1024xf8E4M3FN>) -> tensor<512x768xbf16> {
  %d = lowp.matmul %a, %b transpose_b schedules = [#large]
      : tensor<512x1024xf8E4M3FN>, tensor<768x1024xf8E4M3FN> -> tensor<512x768xbf16>
  return %d : tensor<512x768xbf16>
}

// M and N are known at launch only, K is a multiple of the step by a condition; scales come before the rounding.
// CHECK-LABEL: tile.kernel @dynamic.large(
// CHECK-SAME: %[[A0:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A3:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A4:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly},
// CHECK-SAME: %[[A5:.*]]: i32,
// CHECK-SAME: %[[A6:.*]]: i32,
// CHECK-SAME: %[[A7:.*]]: i32,
// CHECK-SAME: %[[A8:.*]]: i32) waves(8) {
// CHECK-DAG:   %[[C2_I64:.*]] = arith.constant 2 : i64
// CHECK-DAG:   %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<256x256xf32>
// CHECK-DAG:   %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:   %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:   %[[C255:.*]] = arith.constant 255 : index
// CHECK-DAG:   %[[C256:.*]] = arith.constant 256 : index
// CHECK:   %[[V0:.*]] = tile.workgroup_id 0
// CHECK:   %[[V1:.*]] = arith.index_castui %[[A5]] : i32 to index
// CHECK:   %[[V2:.*]] = arith.addi %[[V1]], %[[C255]] : index
// CHECK:   %[[V3:.*]] = arith.divui %[[V2]], %[[C256]] : index
// CHECK:   %[[V4:.*]] = arith.index_castui %[[A7]] : i32 to index
// CHECK:   %[[V5:.*]] = arith.addi %[[V4]], %[[C255]] : index
// CHECK:   %[[V6:.*]] = arith.divui %[[V5]], %[[C256]] : index
// CHECK:   %[[V7:.*]] = arith.muli %[[V3]], %[[V6]] : index
// CHECK:   %[[V8:.*]] = arith.divui %[[V7]], %[[C8]] : index
// CHECK:   %[[V9:.*]] = arith.remui %[[V7]], %[[C8]] : index
// CHECK:   %[[V10:.*]] = arith.remui %[[V0]], %[[C8]] : index
// CHECK:   %[[V11:.*]] = arith.divui %[[V0]], %[[C8]] : index
// CHECK:   %[[V12:.*]] = arith.minui %[[V10]], %[[V9]] : index
// CHECK:   %[[V13:.*]] = arith.muli %[[V10]], %[[V8]] : index
// CHECK:   %[[V14:.*]] = arith.addi %[[V13]], %[[V12]] : index
// CHECK:   %[[V15:.*]] = arith.addi %[[V14]], %[[V11]] : index
// CHECK:   %[[V16:.*]] = arith.muli %[[V6]], %[[C4]] : index
// CHECK:   %[[V17:.*]] = arith.divui %[[V15]], %[[V16]] : index
// CHECK:   %[[V18:.*]] = arith.muli %[[V17]], %[[C4]] : index
// CHECK:   %[[V19:.*]] = arith.remui %[[V15]], %[[V16]] : index
// CHECK:   %[[V20:.*]] = arith.subi %[[V3]], %[[V18]] : index
// CHECK:   %[[V21:.*]] = arith.minui %[[V20]], %[[C4]] : index
// CHECK:   %[[V22:.*]] = arith.remui %[[V19]], %[[V21]] : index
// CHECK:   %[[V23:.*]] = arith.addi %[[V18]], %[[V22]] : index
// CHECK:   %[[V24:.*]] = arith.divui %[[V19]], %[[V21]] : index
// CHECK:   %[[V25:.*]] = arith.muli %[[V23]], %[[C256]] : index
// CHECK:   %[[V26:.*]] = arith.muli %[[V24]], %[[C256]] : index
// CHECK:   %[[V27:.*]] = arith.extui %[[A6]] : i32 to i64
// CHECK:   %[[V28:.*]] = arith.index_castui %[[A6]] : i32 to index
// CHECK:   %[[V29:.*]] = tile.view %[[A0]] sizes(%[[V1]], %[[V28]]) strides(%[[V27]]) : <?x?xf8E4M3FN, vector = 16>
// CHECK:   %[[V30:.*]] = tile.view %[[A1]] sizes(%[[V4]], %[[V28]]) strides(%[[V27]]) : <?x?xf8E5M2, vector = 16>
// CHECK:   %[[V31:.*]] = scf.for %[[A9:.*]] = %[[C0]] to %[[V28]] step %[[C64]] iter_args(%[[A10:.*]] = %[[CST]]) -> (tensor<256x256xf32>) {
// CHECK:     %[[V42:.*]] = tile.load %[[V29]][%[[V25]], %[[A9]]] in_bounds [false, true] staging(direct) : <?x?xf8E4M3FN, vector = 16> -> tensor<256x64xf8E4M3FN>
// CHECK:     %[[V43:.*]] = tile.load %[[V30]][%[[V26]], %[[A9]]] map affine_map<(d0, d1) -> (d1, d0)> in_bounds [false, true] staging(direct) : <?x?xf8E5M2, vector = 16> -> tensor<64x256xf8E5M2>
// CHECK:     %[[V44:.*]] = tile.mma %[[V42]], %[[V43]], %[[A10]] instruction [32, 32, 64] waves [2, 4, 1] : tensor<256x64xf8E4M3FN>, tensor<64x256xf8E5M2>, tensor<256x256xf32>
// CHECK:     scf.yield %[[V44]] : tensor<256x256xf32>
// CHECK:   } {tile.stages = 4 : i32}
// CHECK:   %[[V32:.*]] = tile.view %[[A2]] sizes() strides() : <f32, vector = 4>
// CHECK:   %[[V33:.*]] = tile.load %[[V32]][] map affine_map<(d0, d1) -> ()> : <f32, vector = 4> -> tensor<256x256xf32>
// CHECK:   %[[V34:.*]] = arith.mulf %[[V31]], %[[V33]] : tensor<256x256xf32>
// CHECK:   %[[V35:.*]] = tile.view %[[A3]] sizes() strides() : <f32, vector = 4>
// CHECK:   %[[V36:.*]] = tile.load %[[V35]][] map affine_map<(d0, d1) -> ()> : <f32, vector = 4> -> tensor<256x256xf32>
// CHECK:   %[[V37:.*]] = arith.mulf %[[V34]], %[[V36]] : tensor<256x256xf32>
// CHECK:   %[[V38:.*]] = arith.truncf %[[V37]] : tensor<256x256xf32> to tensor<256x256xf16>
// CHECK:   %[[V39:.*]] = arith.extui %[[A7]] : i32 to i64
// CHECK:   %[[V40:.*]] = arith.muli %[[V39]], %[[C2_I64]] : i64
// CHECK:   %[[V41:.*]] = tile.view %[[A4]] sizes(%[[V1]], %[[V4]]) strides(%[[V40]]) : <?x?xf16, vector = 8>
// CHECK:   tile.store %[[V38]], %[[V41]][%[[V25]], %[[V26]]] : tensor<256x256xf16>, <?x?xf16, vector = 8>
// CHECK:   tile.return
// CHECK: }
func.func @dynamic(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E5M2>, %sa: tensor<f32>, %sb: tensor<f32>)
    -> tensor<?x?xf16> {
  %d = lowp.matmul %a, %b transpose_b scale_a(%sa : tensor<f32>) scale_b(%sb : tensor<f32>) schedules = [#large]
      : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2> -> tensor<?x?xf16>
  return %d : tensor<?x?xf16>
}

// Strides are arguments, in elements; views have them in bytes.
// CHECK-LABEL: tile.kernel @strided.any(
// CHECK-SAME: %[[A0:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly},
// CHECK-SAME: %[[A3:.*]]: i32,
// CHECK-SAME: %[[A4:.*]]: i32,
// CHECK-SAME: %[[A5:.*]]: i64,
// CHECK-SAME: %[[A6:.*]]: i64,
// CHECK-SAME: %[[A7:.*]]: i64) waves(4) {
// CHECK-DAG:   %[[C4_I64:.*]] = arith.constant 4 : i64
// CHECK-DAG:   %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:   %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK-DAG:   %[[C2_I64:.*]] = arith.constant 2 : i64
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[C64:.*]] = arith.constant 64 : index
// CHECK:   %[[V0:.*]] = tile.workgroup_id 0
// CHECK:   %[[V1:.*]] = arith.muli %[[V0]], %[[C64]] : index
// CHECK:   %[[V2:.*]] = arith.muli %[[A5]], %[[C2_I64]] : i64
// CHECK:   %[[V3:.*]] = arith.index_castui %[[A3]] : i32 to index
// CHECK:   %[[V4:.*]] = tile.view %[[A0]] sizes(%[[V3]]) strides(%[[V2]]) : <100x?xbf16, vector = 2>
// CHECK:   %[[V5:.*]] = arith.muli %[[A6]], %[[C2_I64]] : i64
// CHECK:   %[[V6:.*]] = tile.view %[[A1]] sizes(%[[V3]]) strides(%[[V5]]) : <?x33xbf16, vector = 2>
// CHECK:   %[[V7:.*]] = scf.for %[[A8:.*]] = %[[C0]] to %[[V3]] step %[[C32]] iter_args(%[[A9:.*]] = %[[CST]]) -> (tensor<64x64xf32>) {
// CHECK:     %[[V10:.*]] = tile.load %[[V4]][%[[V1]], %[[A8]]] staging(registers) : <100x?xbf16, vector = 2> -> tensor<64x32xbf16>
// CHECK:     %[[V11:.*]] = tile.load %[[V6]][%[[A8]], %[[C0]]] staging(registers) : <?x33xbf16, vector = 2> -> tensor<32x64xbf16>
// CHECK:     %[[V12:.*]] = tile.mma %[[V10]], %[[V11]], %[[A9]] instruction [32, 32, 16] waves [2, 2, 1] : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
// CHECK:     scf.yield %[[V12]] : tensor<64x64xf32>
// CHECK:   } {tile.stages = 2 : i32}
// CHECK:   %[[V8:.*]] = arith.muli %[[A7]], %[[C4_I64]] : i64
// CHECK:   %[[V9:.*]] = tile.view %[[A2]] sizes() strides(%[[V8]]) : <100x33xf32, vector = 4>
// CHECK:   tile.store %[[V7]], %[[V9]][%[[V1]], %[[C0]]] : tensor<64x64xf32>, <100x33xf32, vector = 4>
// CHECK:   tile.return
// CHECK: }
func.func @strided(%a: tensor<100x?xbf16, #lowp.storage<strided>>, %b: tensor<?x33xbf16, #lowp.storage<strided>>)
    -> tensor<100x33xf32, #lowp.storage<strided>> {
  %d = lowp.matmul %a, %b schedules = [#any]
      : tensor<100x?xbf16, #lowp.storage<strided>>, tensor<?x33xbf16, #lowp.storage<strided>>
        -> tensor<100x33xf32, #lowp.storage<strided>>
  return %d : tensor<100x33xf32, #lowp.storage<strided>>
}

// The batch is the grid's second axis; an operand without one is the same for every index.
// CHECK-LABEL: tile.kernel @batched.any(
// CHECK-SAME: %[[A0:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly}) waves(4) {
// CHECK-DAG:   %[[C160_I64:.*]] = arith.constant 160 : i64
// CHECK-DAG:   %[[C16000_I64:.*]] = arith.constant 16000 : i64
// CHECK-DAG:   %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:   %[[C96:.*]] = arith.constant 96 : index
// CHECK-DAG:   %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK-DAG:   %[[C80_I64:.*]] = arith.constant 80 : i64
// CHECK-DAG:   %[[C192_I64:.*]] = arith.constant 192 : i64
// CHECK-DAG:   %[[C19200_I64:.*]] = arith.constant 19200 : i64
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[C64:.*]] = arith.constant 64 : index
// CHECK:   %[[V0:.*]] = tile.workgroup_id 0
// CHECK:   %[[V1:.*]] = arith.muli %[[V0]], %[[C64]] : index
// CHECK:   %[[V2:.*]] = tile.workgroup_id 1
// CHECK:   %[[V3:.*]] = tile.view %[[A0]] sizes() strides(%[[C19200_I64]], %[[C192_I64]]) : <5x100x96xbf16, vector = 2>
// CHECK:   %[[V4:.*]] = tile.view %[[A1]] sizes() strides(%[[C80_I64]]) : <96x40xbf16, vector = 2>
// CHECK:   %[[V5:.*]] = scf.for %[[A3:.*]] = %[[C0]] to %[[C96]] step %[[C32]] iter_args(%[[A4:.*]] = %[[CST]]) -> (tensor<64x64xf32>) {
// CHECK:     %[[V7:.*]] = tile.load %[[V3]][%[[V2]], %[[V1]], %[[A3]]] map affine_map<(d0, d1) -> (0, d0, d1)> in_bounds [true, false, true] staging(registers) : <5x100x96xbf16, vector = 2> -> tensor<64x32xbf16>
// CHECK:     %[[V8:.*]] = tile.load %[[V4]][%[[A3]], %[[C0]]] in_bounds [true, false] staging(registers) : <96x40xbf16, vector = 2> -> tensor<32x64xbf16>
// CHECK:     %[[V9:.*]] = tile.mma %[[V7]], %[[V8]], %[[A4]] instruction [32, 32, 16] waves [2, 2, 1] : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
// CHECK:     scf.yield %[[V9]] : tensor<64x64xf32>
// CHECK:   } {tile.stages = 2 : i32}
// CHECK:   %[[V6:.*]] = tile.view %[[A2]] sizes() strides(%[[C16000_I64]], %[[C160_I64]]) : <5x100x40xf32, vector = 4>
// CHECK:   tile.store %[[V5]], %[[V6]][%[[V2]], %[[V1]], %[[C0]]] map affine_map<(d0, d1) -> (0, d0, d1)> in_bounds [true, false, false] : tensor<64x64xf32>, <5x100x40xf32, vector = 4>
// CHECK:   tile.return
// CHECK: }
func.func @batched(%a: tensor<5x100x96xbf16>, %b: tensor<96x40xbf16>) -> tensor<5x100x40xf32> {
  %d = lowp.matmul %a, %b schedules = [#any]
      : tensor<5x100x96xbf16>, tensor<96x40xbf16> -> tensor<5x100x40xf32>
  return %d : tensor<5x100x40xf32>
}

// Transposes are index maps: the tiles are (m, k) and (k, n) whatever the storage.
// CHECK-LABEL: tile.kernel @transposed.any(
// CHECK-SAME: %[[A0:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly},
// CHECK-SAME: %[[A3:.*]]: i32) waves(4) {
// CHECK-DAG:   %[[C120_I64:.*]] = arith.constant 120 : i64
// CHECK-DAG:   %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:   %[[C77:.*]] = arith.constant 77 : index
// CHECK-DAG:   %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK-DAG:   %[[C60_I64:.*]] = arith.constant 60 : i64
// CHECK-DAG:   %[[C2_I64:.*]] = arith.constant 2 : i64
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[C64:.*]] = arith.constant 64 : index
// CHECK:   %[[V0:.*]] = tile.workgroup_id 0
// CHECK:   %[[V1:.*]] = arith.index_castui %[[A3]] : i32 to index
// CHECK:   %[[V2:.*]] = arith.muli %[[V0]], %[[C64]] : index
// CHECK:   %[[V3:.*]] = arith.extui %[[A3]] : i32 to i64
// CHECK:   %[[V4:.*]] = arith.muli %[[V3]], %[[C2_I64]] : i64
// CHECK:   %[[V5:.*]] = tile.view %[[A0]] sizes(%[[V1]]) strides(%[[V4]]) : <77x?xf16, vector = 2>
// CHECK:   %[[V6:.*]] = tile.view %[[A1]] sizes() strides(%[[C60_I64]]) : <77x30xf16, vector = 2>
// CHECK:   %[[V7:.*]] = scf.for %[[A4:.*]] = %[[C0]] to %[[C77]] step %[[C32]] iter_args(%[[A5:.*]] = %[[CST]]) -> (tensor<64x64xf32>) {
// CHECK:     %[[V9:.*]] = tile.load %[[V5]][%[[A4]], %[[V2]]] map affine_map<(d0, d1) -> (d1, d0)> staging(registers) : <77x?xf16, vector = 2> -> tensor<64x32xf16>
// CHECK:     %[[V10:.*]] = tile.load %[[V6]][%[[A4]], %[[C0]]] staging(registers) : <77x30xf16, vector = 2> -> tensor<32x64xf16>
// CHECK:     %[[V11:.*]] = tile.mma %[[V9]], %[[V10]], %[[A5]] instruction [32, 32, 16] waves [2, 2, 1] : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
// CHECK:     scf.yield %[[V11]] : tensor<64x64xf32>
// CHECK:   } {tile.stages = 2 : i32}
// CHECK:   %[[V8:.*]] = tile.view %[[A2]] sizes(%[[V1]]) strides(%[[C120_I64]]) : <?x30xf32, vector = 4>
// CHECK:   tile.store %[[V7]], %[[V8]][%[[V2]], %[[C0]]] : tensor<64x64xf32>, <?x30xf32, vector = 4>
// CHECK:   tile.return
// CHECK: }
func.func @transposed(%a: tensor<77x?xf16>, %b: tensor<77x30xf16>) -> tensor<?x30xf32> {
  %d = lowp.matmul %a, %b transpose_a schedules = [#any] : tensor<77x?xf16>, tensor<77x30xf16> -> tensor<?x30xf32>
  return %d : tensor<?x30xf32>
}

// Four waves take a slice of k each in every step and add their sums at the end.
// CHECK-LABEL: tile.kernel @skinny.skinny(
// CHECK-SAME: %[[A0:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:.*]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly},
// CHECK-SAME: %[[A3:.*]]: i32,
// CHECK-SAME: %[[A4:.*]]: i32) waves(4) {
// CHECK-DAG:   %[[C400_I64:.*]] = arith.constant 400 : i64
// CHECK-DAG:   %[[C512:.*]] = arith.constant 512 : index
// CHECK-DAG:   %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<4x16x64xf32>
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[C64:.*]] = arith.constant 64 : index
// CHECK:   %[[V0:.*]] = tile.workgroup_id 0
// CHECK:   %[[V1:.*]] = arith.muli %[[V0]], %[[C64]] : index
// CHECK:   %[[V2:.*]] = arith.extui %[[A3]] : i32 to i64
// CHECK:   %[[V3:.*]] = arith.index_castui %[[A3]] : i32 to index
// CHECK:   %[[V4:.*]] = tile.view %[[A0]] sizes(%[[V3]]) strides(%[[V2]]) : <16x?xf8E4M3FNUZ, vector = 16>
// CHECK:   %[[V5:.*]] = tile.view %[[A1]] sizes(%[[V3]]) strides(%[[V2]]) : <100x?xf8E4M3FNUZ, vector = 16>
// CHECK:   %[[V6:.*]] = scf.for %[[A5:.*]] = %[[C0]] to %[[V3]] step %[[C512]] iter_args(%[[A6:.*]] = %[[CST]]) -> (tensor<4x16x64xf32>) {
// CHECK:     %[[V9:.*]] = tile.load %[[V4]][%[[C0]], %[[A5]]] map affine_map<(d0, d1, d2) -> (d1, d0 * 128 + d2)> in_bounds [true, false] staging(none) : <16x?xf8E4M3FNUZ, vector = 16> -> tensor<4x16x128xf8E4M3FNUZ>
// CHECK:     %[[V10:.*]] = tile.load %[[V5]][%[[V1]], %[[A5]]] map affine_map<(d0, d1, d2) -> (d2, d0 * 128 + d1)> staging(none) : <100x?xf8E4M3FNUZ, vector = 16> -> tensor<4x128x64xf8E4M3FNUZ>
// CHECK:     %[[V11:.*]] = tile.mma %[[V9]], %[[V10]], %[[A6]] instruction [16, 16, 32] waves [1, 1, 4] : tensor<4x16x128xf8E4M3FNUZ>, tensor<4x128x64xf8E4M3FNUZ>, tensor<4x16x64xf32>
// CHECK:     scf.yield %[[V11]] : tensor<4x16x64xf32>
// CHECK:   } {tile.stages = 2 : i32}
// CHECK:   %[[V7:.*]] = tile.reduce add %[[V6]] dim 0 : tensor<4x16x64xf32> -> tensor<16x64xf32>
// CHECK:   %[[V8:.*]] = tile.view %[[A2]] sizes() strides(%[[C400_I64]]) : <16x100xf32, vector = 4>
// CHECK:   tile.store %[[V7]], %[[V8]][%[[C0]], %[[V1]]] in_bounds [true, false] : tensor<16x64xf32>, <16x100xf32, vector = 4>
// CHECK:   tile.return
// CHECK: }
func.func @skinny(%a: tensor<16x?xf8E4M3FNUZ>, %b: tensor<100x?xf8E4M3FNUZ>) -> tensor<16x100xf32> {
  %d = lowp.matmul %a, %b transpose_b schedules = [#skinny]
      : tensor<16x?xf8E4M3FNUZ>, tensor<100x?xf8E4M3FNUZ> -> tensor<16x100xf32>
  return %d : tensor<16x100xf32>
}
