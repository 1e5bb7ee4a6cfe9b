// RUN: lowp-opt %s -lowp-tile-to-workgroups -canonicalize -cse -mlir-print-local-scope | FileCheck %s

// One kernel for each variant: what the workgroup computes. The entries are in entry.mlir.

#large = #lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [32, 32, 64], stages = 4,
                        staging = direct, access = 16, result_access = 8, whole_k = true, rows = [256, 0], xcds = 8, group = 4>
#parts = #lowp.schedule<name = "parts", tile = [64, 128, 32], waves = [1, 2, 1], instruction = [16, 16, 32], parts = [2, 2], steps = 2,
                        order = interleave, stages = 4, staging = registers, access = 16, result_access = 16, whole_k = true>
#skinny = #lowp.schedule<name = "skinny", tile = [16, 64, 128], waves = [1, 1, 4], instruction = [16, 16, 32], stages = 2,
                         staging = none, access = 16, rows = [1, 16]>
#any = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16], stages = 2,
                      staging = registers>

// Everything is static and divisible: nothing is compared with a bound, and the order of the grid is all constants.
// CHECK-LABEL: tile.kernel @static.large(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly}) waves(8) {
// CHECK-DAG:   %[[C1536_I64:[a-z0-9_]+]] = arith.constant 1536 : i64
// CHECK-DAG:   %[[C64:[a-z0-9_]+]] = arith.constant 64 : index
// CHECK-DAG:   %[[C1024:[a-z0-9_]+]] = arith.constant 1024 : index
// CHECK-DAG:   %[[CST:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : tensor<256x256xf32>
// CHECK-DAG:   %[[C1024_I64:[a-z0-9_]+]] = arith.constant 1024 : i64
// CHECK-DAG:   %[[C12:[a-z0-9_]+]] = arith.constant 12 : index
// CHECK-DAG:   %[[C4:[a-z0-9_]+]] = arith.constant 4 : index
// CHECK-DAG:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG:   %[[C8:[a-z0-9_]+]] = arith.constant 8 : index
// CHECK-DAG:   %[[C6:[a-z0-9_]+]] = arith.constant 6 : index
// CHECK-DAG:   %[[C2:[a-z0-9_]+]] = arith.constant 2 : index
// CHECK-DAG:   %[[C256:[a-z0-9_]+]] = arith.constant 256 : index
// CHECK:        %[[V0:[a-z0-9_]+]] = tile.workgroup_id 0
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = arith.remui %[[V0]], %[[C8]] : index
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = arith.divui %[[V0]], %[[C8]] : index
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = arith.minui %[[V1]], %[[C6]] : index
// CHECK-NEXT:   %[[V4:[a-z0-9_]+]] = arith.addi %[[V3]], %[[V2]] : index
// CHECK-NEXT:   %[[V5:[a-z0-9_]+]] = arith.divui %[[V4]], %[[C12]] : index
// CHECK-NEXT:   %[[V6:[a-z0-9_]+]] = arith.muli %[[V5]], %[[C4]] : index
// CHECK-NEXT:   %[[V7:[a-z0-9_]+]] = arith.remui %[[V4]], %[[C12]] : index
// CHECK-NEXT:   %[[V8:[a-z0-9_]+]] = arith.subi %[[C2]], %[[V6]] : index
// CHECK-NEXT:   %[[V9:[a-z0-9_]+]] = arith.minui %[[V8]], %[[C4]] : index
// CHECK-NEXT:   %[[V10:[a-z0-9_]+]] = arith.remui %[[V7]], %[[V9]] : index
// CHECK-NEXT:   %[[V11:[a-z0-9_]+]] = arith.addi %[[V6]], %[[V10]] : index
// CHECK-NEXT:   %[[V12:[a-z0-9_]+]] = arith.divui %[[V7]], %[[V9]] : index
// CHECK-NEXT:   %[[V13:[a-z0-9_]+]] = arith.muli %[[V11]], %[[C256]] : index
// CHECK-NEXT:   %[[V14:[a-z0-9_]+]] = arith.muli %[[V12]], %[[C256]] : index
// CHECK-NEXT:   %[[V15:[a-z0-9_]+]] = tile.view %[[A0]] sizes() strides(%[[C1024_I64]]) : <512x1024xf8E4M3FN, vector = 16>
// CHECK-NEXT:   %[[V16:[a-z0-9_]+]] = tile.view %[[A1]] sizes() strides(%[[C1024_I64]]) : <768x1024xf8E4M3FN, vector = 16>
// CHECK-NEXT:   %[[V17:[a-z0-9_]+]] = scf.for %[[A3:[a-z0-9_]+]] = %[[C0]] to %[[C1024]] step %[[C64]] iter_args(%[[A4:[a-z0-9_]+]] = %[[CST]]) -> (tensor<256x256xf32>) {
// CHECK-NEXT:     %[[V20:[a-z0-9_]+]] = tile.load %[[V15]][%[[V13]], %[[A3]]] in_bounds [true, true] staging(direct) : <512x1024xf8E4M3FN, vector = 16> -> tensor<256x64xf8E4M3FN>
// CHECK-NEXT:     %[[V21:[a-z0-9_]+]] = tile.load %[[V16]][%[[V14]], %[[A3]]] map affine_map<(d0, d1) -> (d1, d0)> in_bounds [true, true] staging(direct) : <768x1024xf8E4M3FN, vector = 16> -> tensor<64x256xf8E4M3FN>
// CHECK-NEXT:     %[[V22:[a-z0-9_]+]] = tile.mma %[[V20]], %[[V21]], %[[A4]] instruction [32, 32, 64] waves [2, 4, 1] : tensor<256x64xf8E4M3FN>, tensor<64x256xf8E4M3FN>, tensor<256x256xf32>
// CHECK-NEXT:     scf.yield %[[V22]] : tensor<256x256xf32>
// CHECK-NEXT:   } {tile.stages = 4 : i32}
// CHECK-NEXT:   %[[V18:[a-z0-9_]+]] = arith.truncf %[[V17]] : tensor<256x256xf32> to tensor<256x256xbf16>
// CHECK-NEXT:   %[[V19:[a-z0-9_]+]] = tile.view %[[A2]] sizes() strides(%[[C1536_I64]]) : <512x768xbf16, vector = 8>
// CHECK-NEXT:   tile.store %[[V18]], %[[V19]][%[[V13]], %[[V14]]] in_bounds [true, true] : tensor<256x256xbf16>, <512x768xbf16, vector = 8>
// CHECK-NEXT:   tile.return
// CHECK-NEXT: }
func.func @static(%a: tensor<512x1024xf8E4M3FN>, %b: tensor<768x1024xf8E4M3FN>) -> tensor<512x768xbf16> {
  %d = lowp.matmul %a, %b transpose_b schedules = [#large]
      : tensor<512x1024xf8E4M3FN>, tensor<768x1024xf8E4M3FN> -> tensor<512x768xbf16>
  return %d : tensor<512x768xbf16>
}

// M and N are known at launch only, K is a multiple of the step by a condition; scales come before the rounding. K is 1 at least, by
// the entry's conditions, and the bound of the loop says so.
// CHECK-LABEL: tile.kernel @dynamic.large(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A3:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A4:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly},
// CHECK-SAME: %[[A5:[a-z0-9_]+]]: i32,
// CHECK-SAME: %[[A6:[a-z0-9_]+]]: i32,
// CHECK-SAME: %[[A7:[a-z0-9_]+]]: i32,
// CHECK-SAME: %[[A8:[a-z0-9_]+]]: i32) waves(8) {
// CHECK-DAG:   %[[C2_I64:[a-z0-9_]+]] = arith.constant 2 : i64
// CHECK-DAG:   %[[C64:[a-z0-9_]+]] = arith.constant 64 : index
// CHECK-DAG:   %[[C1:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-DAG:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG:   %[[CST:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : tensor<256x256xf32>
// CHECK-DAG:   %[[C4:[a-z0-9_]+]] = arith.constant 4 : index
// CHECK-DAG:   %[[C8:[a-z0-9_]+]] = arith.constant 8 : index
// CHECK-DAG:   %[[C255:[a-z0-9_]+]] = arith.constant 255 : index
// CHECK-DAG:   %[[C256:[a-z0-9_]+]] = arith.constant 256 : index
// CHECK:        %[[V0:[a-z0-9_]+]] = tile.workgroup_id 0
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = arith.index_castui %[[A5]] : i32 to index
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = arith.addi %[[V1]], %[[C255]] : index
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = arith.divui %[[V2]], %[[C256]] : index
// CHECK-NEXT:   %[[V4:[a-z0-9_]+]] = arith.index_castui %[[A7]] : i32 to index
// CHECK-NEXT:   %[[V5:[a-z0-9_]+]] = arith.addi %[[V4]], %[[C255]] : index
// CHECK-NEXT:   %[[V6:[a-z0-9_]+]] = arith.divui %[[V5]], %[[C256]] : index
// CHECK-NEXT:   %[[V7:[a-z0-9_]+]] = arith.muli %[[V3]], %[[V6]] : index
// CHECK-NEXT:   %[[V8:[a-z0-9_]+]] = arith.divui %[[V7]], %[[C8]] : index
// CHECK-NEXT:   %[[V9:[a-z0-9_]+]] = arith.remui %[[V7]], %[[C8]] : index
// CHECK-NEXT:   %[[V10:[a-z0-9_]+]] = arith.remui %[[V0]], %[[C8]] : index
// CHECK-NEXT:   %[[V11:[a-z0-9_]+]] = arith.divui %[[V0]], %[[C8]] : index
// CHECK-NEXT:   %[[V12:[a-z0-9_]+]] = arith.minui %[[V10]], %[[V9]] : index
// CHECK-NEXT:   %[[V13:[a-z0-9_]+]] = arith.muli %[[V10]], %[[V8]] : index
// CHECK-NEXT:   %[[V14:[a-z0-9_]+]] = arith.addi %[[V13]], %[[V12]] : index
// CHECK-NEXT:   %[[V15:[a-z0-9_]+]] = arith.addi %[[V14]], %[[V11]] : index
// CHECK-NEXT:   %[[V16:[a-z0-9_]+]] = arith.muli %[[V6]], %[[C4]] : index
// CHECK-NEXT:   %[[V17:[a-z0-9_]+]] = arith.divui %[[V15]], %[[V16]] : index
// CHECK-NEXT:   %[[V18:[a-z0-9_]+]] = arith.muli %[[V17]], %[[C4]] : index
// CHECK-NEXT:   %[[V19:[a-z0-9_]+]] = arith.remui %[[V15]], %[[V16]] : index
// CHECK-NEXT:   %[[V20:[a-z0-9_]+]] = arith.subi %[[V3]], %[[V18]] : index
// CHECK-NEXT:   %[[V21:[a-z0-9_]+]] = arith.minui %[[V20]], %[[C4]] : index
// CHECK-NEXT:   %[[V22:[a-z0-9_]+]] = arith.remui %[[V19]], %[[V21]] : index
// CHECK-NEXT:   %[[V23:[a-z0-9_]+]] = arith.addi %[[V18]], %[[V22]] : index
// CHECK-NEXT:   %[[V24:[a-z0-9_]+]] = arith.divui %[[V19]], %[[V21]] : index
// CHECK-NEXT:   %[[V25:[a-z0-9_]+]] = arith.muli %[[V23]], %[[C256]] : index
// CHECK-NEXT:   %[[V26:[a-z0-9_]+]] = arith.muli %[[V24]], %[[C256]] : index
// CHECK-NEXT:   %[[V27:[a-z0-9_]+]] = arith.extui %[[A6]] : i32 to i64
// CHECK-NEXT:   %[[V28:[a-z0-9_]+]] = arith.index_castui %[[A6]] : i32 to index
// CHECK-NEXT:   %[[V29:[a-z0-9_]+]] = tile.view %[[A0]] sizes(%[[V1]], %[[V28]]) strides(%[[V27]]) : <?x?xf8E4M3FN, vector = 16>
// CHECK-NEXT:   %[[V30:[a-z0-9_]+]] = tile.view %[[A1]] sizes(%[[V4]], %[[V28]]) strides(%[[V27]]) : <?x?xf8E5M2, vector = 16>
// CHECK-NEXT:   %[[DEPTH:[a-z0-9_]+]] = arith.maxsi %[[V28]], %[[C1]] : index
// CHECK-NEXT:   %[[V31:[a-z0-9_]+]] = scf.for %[[A9:[a-z0-9_]+]] = %[[C0]] to %[[DEPTH]] step %[[C64]] iter_args(%[[A10:[a-z0-9_]+]] = %[[CST]]) -> (tensor<256x256xf32>) {
// CHECK-NEXT:     %[[V42:[a-z0-9_]+]] = tile.load %[[V29]][%[[V25]], %[[A9]]] in_bounds [false, true] staging(direct) : <?x?xf8E4M3FN, vector = 16> -> tensor<256x64xf8E4M3FN>
// CHECK-NEXT:     %[[V43:[a-z0-9_]+]] = tile.load %[[V30]][%[[V26]], %[[A9]]] map affine_map<(d0, d1) -> (d1, d0)> in_bounds [false, true] staging(direct) : <?x?xf8E5M2, vector = 16> -> tensor<64x256xf8E5M2>
// CHECK-NEXT:     %[[V44:[a-z0-9_]+]] = tile.mma %[[V42]], %[[V43]], %[[A10]] instruction [32, 32, 64] waves [2, 4, 1] : tensor<256x64xf8E4M3FN>, tensor<64x256xf8E5M2>, tensor<256x256xf32>
// CHECK-NEXT:     scf.yield %[[V44]] : tensor<256x256xf32>
// CHECK-NEXT:   } {tile.stages = 4 : i32}
// CHECK-NEXT:   %[[V32:[a-z0-9_]+]] = tile.view %[[A2]] sizes() strides() : <f32, vector = 4>
// CHECK-NEXT:   %[[V33:[a-z0-9_]+]] = tile.load %[[V32]][] map affine_map<(d0, d1) -> ()> : <f32, vector = 4> -> tensor<256x256xf32>
// CHECK-NEXT:   %[[V34:[a-z0-9_]+]] = arith.mulf %[[V31]], %[[V33]] : tensor<256x256xf32>
// CHECK-NEXT:   %[[V35:[a-z0-9_]+]] = tile.view %[[A3]] sizes() strides() : <f32, vector = 4>
// CHECK-NEXT:   %[[V36:[a-z0-9_]+]] = tile.load %[[V35]][] map affine_map<(d0, d1) -> ()> : <f32, vector = 4> -> tensor<256x256xf32>
// CHECK-NEXT:   %[[V37:[a-z0-9_]+]] = arith.mulf %[[V34]], %[[V36]] : tensor<256x256xf32>
// CHECK-NEXT:   %[[V38:[a-z0-9_]+]] = arith.truncf %[[V37]] : tensor<256x256xf32> to tensor<256x256xf16>
// CHECK-NEXT:   %[[V39:[a-z0-9_]+]] = arith.extui %[[A7]] : i32 to i64
// CHECK-NEXT:   %[[V40:[a-z0-9_]+]] = arith.muli %[[V39]], %[[C2_I64]] : i64
// CHECK-NEXT:   %[[V41:[a-z0-9_]+]] = tile.view %[[A4]] sizes(%[[V1]], %[[V4]]) strides(%[[V40]]) : <?x?xf16, vector = 8>
// CHECK-NEXT:   tile.store %[[V38]], %[[V41]][%[[V25]], %[[V26]]] : tensor<256x256xf16>, <?x?xf16, vector = 8>
// CHECK-NEXT:   tile.return
// CHECK-NEXT: }
func.func @dynamic(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E5M2>, %sa: tensor<f32>, %sb: tensor<f32>)
    -> tensor<?x?xf16> {
  %d = lowp.matmul %a, %b transpose_b scale_a(%sa : tensor<f32>) scale_b(%sb : tensor<f32>) schedules = [#large]
      : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2> -> tensor<?x?xf16>
  return %d : tensor<?x?xf16>
}

// Strides are arguments, in elements; views have them in bytes.
// CHECK-LABEL: tile.kernel @strided.any(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly},
// CHECK-SAME: %[[A3:[a-z0-9_]+]]: i32,
// CHECK-SAME: %[[A4:[a-z0-9_]+]]: i32,
// CHECK-SAME: %[[A5:[a-z0-9_]+]]: i64,
// CHECK-SAME: %[[A6:[a-z0-9_]+]]: i64,
// CHECK-SAME: %[[A7:[a-z0-9_]+]]: i64) waves(4) {
// CHECK-DAG:   %[[C4_I64:[a-z0-9_]+]] = arith.constant 4 : i64
// CHECK-DAG:   %[[C32:[a-z0-9_]+]] = arith.constant 32 : index
// CHECK-DAG:   %[[CST:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK-DAG:   %[[C2_I64:[a-z0-9_]+]] = arith.constant 2 : i64
// CHECK-DAG:   %[[C1:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-DAG:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG:   %[[C64:[a-z0-9_]+]] = arith.constant 64 : index
// CHECK:        %[[V0:[a-z0-9_]+]] = tile.workgroup_id 0
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = arith.muli %[[V0]], %[[C64]] : index
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = arith.muli %[[A5]], %[[C2_I64]] : i64
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = arith.index_castui %[[A3]] : i32 to index
// CHECK-NEXT:   %[[V4:[a-z0-9_]+]] = tile.view %[[A0]] sizes(%[[V3]]) strides(%[[V2]]) : <100x?xbf16, vector = 2>
// CHECK-NEXT:   %[[V5:[a-z0-9_]+]] = arith.muli %[[A6]], %[[C2_I64]] : i64
// CHECK-NEXT:   %[[V6:[a-z0-9_]+]] = tile.view %[[A1]] sizes(%[[V3]]) strides(%[[V5]]) : <?x33xbf16, vector = 2>
// CHECK-NEXT:   %[[DEPTH:[a-z0-9_]+]] = arith.maxsi %[[V3]], %[[C1]] : index
// CHECK-NEXT:   %[[V7:[a-z0-9_]+]] = scf.for %[[A8:[a-z0-9_]+]] = %[[C0]] to %[[DEPTH]] step %[[C32]] iter_args(%[[A9:[a-z0-9_]+]] = %[[CST]]) -> (tensor<64x64xf32>) {
// CHECK-NEXT:     %[[V10:[a-z0-9_]+]] = tile.load %[[V4]][%[[V1]], %[[A8]]] staging(registers) : <100x?xbf16, vector = 2> -> tensor<64x32xbf16>
// CHECK-NEXT:     %[[V11:[a-z0-9_]+]] = tile.load %[[V6]][%[[A8]], %[[C0]]] staging(registers) : <?x33xbf16, vector = 2> -> tensor<32x64xbf16>
// CHECK-NEXT:     %[[V12:[a-z0-9_]+]] = tile.mma %[[V10]], %[[V11]], %[[A9]] instruction [32, 32, 16] waves [2, 2, 1] : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
// CHECK-NEXT:     scf.yield %[[V12]] : tensor<64x64xf32>
// CHECK-NEXT:   } {tile.stages = 2 : i32}
// CHECK-NEXT:   %[[V8:[a-z0-9_]+]] = arith.muli %[[A7]], %[[C4_I64]] : i64
// CHECK-NEXT:   %[[V9:[a-z0-9_]+]] = tile.view %[[A2]] sizes() strides(%[[V8]]) : <100x33xf32, vector = 4>
// CHECK-NEXT:   tile.store %[[V7]], %[[V9]][%[[V1]], %[[C0]]] : tensor<64x64xf32>, <100x33xf32, vector = 4>
// CHECK-NEXT:   tile.return
// CHECK-NEXT: }
func.func @strided(%a: tensor<100x?xbf16, #lowp.storage<strided>>, %b: tensor<?x33xbf16, #lowp.storage<strided>>)
    -> tensor<100x33xf32, #lowp.storage<strided>> {
  %d = lowp.matmul %a, %b schedules = [#any]
      : tensor<100x?xbf16, #lowp.storage<strided>>, tensor<?x33xbf16, #lowp.storage<strided>>
        -> tensor<100x33xf32, #lowp.storage<strided>>
  return %d : tensor<100x33xf32, #lowp.storage<strided>>
}

// The batch is the grid's second axis; an operand without one is the same for every index.
// CHECK-LABEL: tile.kernel @batched.any(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly}) waves(4) {
// CHECK-DAG:   %[[C160_I64:[a-z0-9_]+]] = arith.constant 160 : i64
// CHECK-DAG:   %[[C16000_I64:[a-z0-9_]+]] = arith.constant 16000 : i64
// CHECK-DAG:   %[[C32:[a-z0-9_]+]] = arith.constant 32 : index
// CHECK-DAG:   %[[C96:[a-z0-9_]+]] = arith.constant 96 : index
// CHECK-DAG:   %[[CST:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK-DAG:   %[[C80_I64:[a-z0-9_]+]] = arith.constant 80 : i64
// CHECK-DAG:   %[[C192_I64:[a-z0-9_]+]] = arith.constant 192 : i64
// CHECK-DAG:   %[[C19200_I64:[a-z0-9_]+]] = arith.constant 19200 : i64
// CHECK-DAG:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG:   %[[C64:[a-z0-9_]+]] = arith.constant 64 : index
// CHECK:        %[[V0:[a-z0-9_]+]] = tile.workgroup_id 0
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = tile.workgroup_id 1
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = arith.muli %[[V0]], %[[C64]] : index
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = tile.view %[[A0]] sizes() strides(%[[C19200_I64]], %[[C192_I64]]) : <5x100x96xbf16, vector = 2>
// CHECK-NEXT:   %[[V4:[a-z0-9_]+]] = tile.view %[[A1]] sizes() strides(%[[C80_I64]]) : <96x40xbf16, vector = 2>
// CHECK-NEXT:   %[[V5:[a-z0-9_]+]] = scf.for %[[A3:[a-z0-9_]+]] = %[[C0]] to %[[C96]] step %[[C32]] iter_args(%[[A4:[a-z0-9_]+]] = %[[CST]]) -> (tensor<64x64xf32>) {
// CHECK-NEXT:     %[[V7:[a-z0-9_]+]] = tile.load %[[V3]][%[[V2]], %[[V1]], %[[A3]]] map affine_map<(d0, d1) -> (0, d0, d1)> in_bounds [true, false, true] staging(registers) : <5x100x96xbf16, vector = 2> -> tensor<64x32xbf16>
// CHECK-NEXT:     %[[V8:[a-z0-9_]+]] = tile.load %[[V4]][%[[A3]], %[[C0]]] in_bounds [true, false] staging(registers) : <96x40xbf16, vector = 2> -> tensor<32x64xbf16>
// CHECK-NEXT:     %[[V9:[a-z0-9_]+]] = tile.mma %[[V7]], %[[V8]], %[[A4]] instruction [32, 32, 16] waves [2, 2, 1] : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32>
// CHECK-NEXT:     scf.yield %[[V9]] : tensor<64x64xf32>
// CHECK-NEXT:   } {tile.stages = 2 : i32}
// CHECK-NEXT:   %[[V6:[a-z0-9_]+]] = tile.view %[[A2]] sizes() strides(%[[C16000_I64]], %[[C160_I64]]) : <5x100x40xf32, vector = 4>
// CHECK-NEXT:   tile.store %[[V5]], %[[V6]][%[[V2]], %[[V1]], %[[C0]]] map affine_map<(d0, d1) -> (0, d0, d1)> in_bounds [true, false, false] : tensor<64x64xf32>, <5x100x40xf32, vector = 4>
// CHECK-NEXT:   tile.return
// CHECK-NEXT: }
func.func @batched(%a: tensor<5x100x96xbf16>, %b: tensor<96x40xbf16>) -> tensor<5x100x40xf32> {
  %d = lowp.matmul %a, %b schedules = [#any]
      : tensor<5x100x96xbf16>, tensor<96x40xbf16> -> tensor<5x100x40xf32>
  return %d : tensor<5x100x40xf32>
}

// Transposes are index maps: the tiles are (m, k) and (k, n) whatever the storage.
// CHECK-LABEL: tile.kernel @transposed.any(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly},
// CHECK-SAME: %[[A3:[a-z0-9_]+]]: i32) waves(4) {
// CHECK-DAG:   %[[C120_I64:[a-z0-9_]+]] = arith.constant 120 : i64
// CHECK-DAG:   %[[C32:[a-z0-9_]+]] = arith.constant 32 : index
// CHECK-DAG:   %[[C77:[a-z0-9_]+]] = arith.constant 77 : index
// CHECK-DAG:   %[[CST:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK-DAG:   %[[C60_I64:[a-z0-9_]+]] = arith.constant 60 : i64
// CHECK-DAG:   %[[C2_I64:[a-z0-9_]+]] = arith.constant 2 : i64
// CHECK-DAG:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG:   %[[C64:[a-z0-9_]+]] = arith.constant 64 : index
// CHECK:        %[[V0:[a-z0-9_]+]] = tile.workgroup_id 0
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = arith.index_castui %[[A3]] : i32 to index
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = arith.muli %[[V0]], %[[C64]] : index
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = arith.extui %[[A3]] : i32 to i64
// CHECK-NEXT:   %[[V4:[a-z0-9_]+]] = arith.muli %[[V3]], %[[C2_I64]] : i64
// CHECK-NEXT:   %[[V5:[a-z0-9_]+]] = tile.view %[[A0]] sizes(%[[V1]]) strides(%[[V4]]) : <77x?xf16, vector = 2>
// CHECK-NEXT:   %[[V6:[a-z0-9_]+]] = tile.view %[[A1]] sizes() strides(%[[C60_I64]]) : <77x30xf16, vector = 2>
// CHECK-NEXT:   %[[V7:[a-z0-9_]+]] = scf.for %[[A4:[a-z0-9_]+]] = %[[C0]] to %[[C77]] step %[[C32]] iter_args(%[[A5:[a-z0-9_]+]] = %[[CST]]) -> (tensor<64x64xf32>) {
// CHECK-NEXT:     %[[V9:[a-z0-9_]+]] = tile.load %[[V5]][%[[A4]], %[[V2]]] map affine_map<(d0, d1) -> (d1, d0)> staging(registers) : <77x?xf16, vector = 2> -> tensor<64x32xf16>
// CHECK-NEXT:     %[[V10:[a-z0-9_]+]] = tile.load %[[V6]][%[[A4]], %[[C0]]] staging(registers) : <77x30xf16, vector = 2> -> tensor<32x64xf16>
// CHECK-NEXT:     %[[V11:[a-z0-9_]+]] = tile.mma %[[V9]], %[[V10]], %[[A5]] instruction [32, 32, 16] waves [2, 2, 1] : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
// CHECK-NEXT:     scf.yield %[[V11]] : tensor<64x64xf32>
// CHECK-NEXT:   } {tile.stages = 2 : i32}
// CHECK-NEXT:   %[[V8:[a-z0-9_]+]] = tile.view %[[A2]] sizes(%[[V1]]) strides(%[[C120_I64]]) : <?x30xf32, vector = 4>
// CHECK-NEXT:   tile.store %[[V7]], %[[V8]][%[[V2]], %[[C0]]] : tensor<64x64xf32>, <?x30xf32, vector = 4>
// CHECK-NEXT:   tile.return
// CHECK-NEXT: }
func.func @transposed(%a: tensor<77x?xf16>, %b: tensor<77x30xf16>) -> tensor<?x30xf32> {
  %d = lowp.matmul %a, %b transpose_a schedules = [#any] : tensor<77x?xf16>, tensor<77x30xf16> -> tensor<?x30xf32>
  return %d : tensor<?x30xf32>
}

// Four waves take a slice of k each in every step and add their sums at the end.
// CHECK-LABEL: tile.kernel @skinny.skinny(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A1:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %[[A2:[a-z0-9_]+]]: !llvm.ptr<1> {llvm.noalias, llvm.writeonly},
// CHECK-SAME: %[[A3:[a-z0-9_]+]]: i32,
// CHECK-SAME: %[[A4:[a-z0-9_]+]]: i32) waves(4) {
// CHECK-DAG:   %[[C400_I64:[a-z0-9_]+]] = arith.constant 400 : i64
// CHECK-DAG:   %[[C512:[a-z0-9_]+]] = arith.constant 512 : index
// CHECK-DAG:   %[[CST:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : tensor<4x16x64xf32>
// CHECK-DAG:   %[[C1:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-DAG:   %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG:   %[[C64:[a-z0-9_]+]] = arith.constant 64 : index
// CHECK:        %[[V0:[a-z0-9_]+]] = tile.workgroup_id 0
// CHECK-NEXT:   %[[V1:[a-z0-9_]+]] = arith.muli %[[V0]], %[[C64]] : index
// CHECK-NEXT:   %[[V2:[a-z0-9_]+]] = arith.extui %[[A3]] : i32 to i64
// CHECK-NEXT:   %[[V3:[a-z0-9_]+]] = arith.index_castui %[[A3]] : i32 to index
// CHECK-NEXT:   %[[V4:[a-z0-9_]+]] = tile.view %[[A0]] sizes(%[[V3]]) strides(%[[V2]]) : <16x?xf8E4M3FNUZ, vector = 16>
// CHECK-NEXT:   %[[V5:[a-z0-9_]+]] = tile.view %[[A1]] sizes(%[[V3]]) strides(%[[V2]]) : <100x?xf8E4M3FNUZ, vector = 16>
// CHECK-NEXT:   %[[DEPTH:[a-z0-9_]+]] = arith.maxsi %[[V3]], %[[C1]] : index
// CHECK-NEXT:   %[[V6:[a-z0-9_]+]] = scf.for %[[A5:[a-z0-9_]+]] = %[[C0]] to %[[DEPTH]] step %[[C512]] iter_args(%[[A6:[a-z0-9_]+]] = %[[CST]]) -> (tensor<4x16x64xf32>) {
// CHECK-NEXT:     %[[V9:[a-z0-9_]+]] = tile.load %[[V4]][%[[C0]], %[[A5]]] map affine_map<(d0, d1, d2) -> (d1, d0 * 128 + d2)> in_bounds [true, false] staging(none) : <16x?xf8E4M3FNUZ, vector = 16> -> tensor<4x16x128xf8E4M3FNUZ>
// CHECK-NEXT:     %[[V10:[a-z0-9_]+]] = tile.load %[[V5]][%[[V1]], %[[A5]]] map affine_map<(d0, d1, d2) -> (d2, d0 * 128 + d1)> staging(none) : <100x?xf8E4M3FNUZ, vector = 16> -> tensor<4x128x64xf8E4M3FNUZ>
// CHECK-NEXT:     %[[V11:[a-z0-9_]+]] = tile.mma %[[V9]], %[[V10]], %[[A6]] instruction [16, 16, 32] waves [1, 1, 4] : tensor<4x16x128xf8E4M3FNUZ>, tensor<4x128x64xf8E4M3FNUZ>, tensor<4x16x64xf32>
// CHECK-NEXT:     scf.yield %[[V11]] : tensor<4x16x64xf32>
// CHECK-NEXT:   } {tile.stages = 3 : i32}
// CHECK-NEXT:   %[[V7:[a-z0-9_]+]] = tile.reduce add %[[V6]] dim 0 : tensor<4x16x64xf32> -> tensor<16x64xf32>
// CHECK-NEXT:   %[[V8:[a-z0-9_]+]] = tile.view %[[A2]] sizes() strides(%[[C400_I64]]) : <16x100xf32, vector = 4>
// CHECK-NEXT:   tile.store %[[V7]], %[[V8]][%[[C0]], %[[V1]]] in_bounds [true, false] : tensor<16x64xf32>, <16x100xf32, vector = 4>
// CHECK-NEXT:   tile.return
// CHECK-NEXT: }
func.func @skinny(%a: tensor<16x?xf8E4M3FNUZ>, %b: tensor<100x?xf8E4M3FNUZ>) -> tensor<16x100xf32> {
  %d = lowp.matmul %a, %b transpose_b schedules = [#skinny]
      : tensor<16x?xf8E4M3FNUZ>, tensor<100x?xf8E4M3FNUZ> -> tensor<16x100xf32>
  return %d : tensor<16x100xf32>
}

// The tile in four parts, two steps of K a trip: every part of an operand is loaded on its own, the products of a step go along the
// columns forth and back, and each part has a sum, scales and a store of its own. The loop holds stages / steps trips.
// CHECK-LABEL: tile.kernel @parts.parts(
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[C32:.+]] = arith.constant 32 : index
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK-DAG: %[[C128:.+]] = arith.constant 128 : index
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
// CHECK: %[[M0:.+]] = arith.muli %{{.+}}, %[[C64]]
// CHECK: %[[M1:.+]] = arith.addi %[[M0]], %[[C32]]
// CHECK: %[[N0:.+]] = arith.muli %{{.+}}, %[[C128]]
// CHECK: %[[N1:.+]] = arith.addi %[[N0]], %[[C64]]
// CHECK: %[[A:.+]] = tile.view %arg0
// CHECK: %[[B:.+]] = tile.view %arg1
// CHECK: %[[DEPTH:.+]] = arith.maxsi
// CHECK: %[[SUMS:.+]]:4 = scf.for %[[K:.+]] = %[[C0]] to %[[DEPTH]] step %[[C64]] iter_args(%[[S00:.+]] = %[[ZERO]], %[[S01:.+]] = %[[ZERO]], %[[S10:.+]] = %[[ZERO]], %[[S11:.+]] = %[[ZERO]])
// CHECK-NEXT: %[[A0:.+]] = tile.load %[[A]][%[[M0]], %[[K]]] in_bounds [false, true] staging(registers) : {{.*}} -> tensor<32x32xbf16>
// CHECK-NEXT: %[[A1:.+]] = tile.load %[[A]][%[[M1]], %[[K]]] in_bounds [false, true]
// CHECK-NEXT: %[[B0:.+]] = tile.load %[[B]][%[[N0]], %[[K]]] map {{.*}} in_bounds [true, true] {{.*}} -> tensor<32x64xbf16>
// CHECK-NEXT: %[[B1:.+]] = tile.load %[[B]][%[[N1]], %[[K]]]
// CHECK-NEXT: %[[P00:.+]] = tile.mma %[[A0]], %[[B0]], %[[S00]]
// CHECK-NEXT: %[[P01:.+]] = tile.mma %[[A0]], %[[B1]], %[[S01]]
// CHECK-NEXT: %[[P11:.+]] = tile.mma %[[A1]], %[[B1]], %[[S11]]
// CHECK-NEXT: %[[P10:.+]] = tile.mma %[[A1]], %[[B0]], %[[S10]]
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[K]], %[[C32]]
// CHECK-NEXT: %[[A2:.+]] = tile.load %[[A]][%[[M0]], %[[NEXT]]]
// CHECK-NEXT: %[[A3:.+]] = tile.load %[[A]][%[[M1]], %[[NEXT]]]
// CHECK-NEXT: %[[B2:.+]] = tile.load %[[B]][%[[N0]], %[[NEXT]]]
// CHECK-NEXT: %[[B3:.+]] = tile.load %[[B]][%[[N1]], %[[NEXT]]]
// CHECK-NEXT: %[[Q00:.+]] = tile.mma %[[A2]], %[[B2]], %[[P00]]
// CHECK-NEXT: %[[Q01:.+]] = tile.mma %[[A2]], %[[B3]], %[[P01]]
// CHECK-NEXT: %[[Q11:.+]] = tile.mma %[[A3]], %[[B3]], %[[P11]]
// CHECK-NEXT: %[[Q10:.+]] = tile.mma %[[A3]], %[[B2]], %[[P10]]
// CHECK-NEXT: scf.yield %[[Q00]], %[[Q01]], %[[Q10]], %[[Q11]]
// CHECK-NEXT: } {tile.order = 1 : i32, tile.stages = 2 : i32}
// CHECK: %[[D:.+]] = tile.view %arg2
// CHECK-NEXT: tile.store %[[SUMS]]#0, %[[D]][%[[M0]], %[[N0]]] in_bounds [false, true] : tensor<32x64xf32>
// CHECK-NEXT: tile.store %[[SUMS]]#1, %[[D]][%[[M0]], %[[N1]]]
// CHECK-NEXT: tile.store %[[SUMS]]#2, %[[D]][%[[M1]], %[[N0]]]
// CHECK-NEXT: tile.store %[[SUMS]]#3, %[[D]][%[[M1]], %[[N1]]]
// CHECK-NEXT: tile.return
func.func @parts(%a: tensor<?x?xbf16>, %b: tensor<256x?xbf16>) -> tensor<?x256xf32> {
  %d = lowp.matmul %a, %b transpose_b schedules = [#parts] : tensor<?x?xbf16>, tensor<256x?xbf16> -> tensor<?x256xf32>
  return %d : tensor<?x256xf32>
}
