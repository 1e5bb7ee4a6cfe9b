// RUN: lowp-opt %s --tile-to-lanes=target=gfx950 --canonicalize --cse | FileCheck %s

// Products: which fragments meet in which instruction. The accumulators are zero, and operands are told apart by the offsets from which
// they are loaded. Each kernel shows the rule that it is named after.

!va = !tile.view<16x32xbf16, vector = 16>
!vd = !tile.view<16x16xf32, vector = 16>

// 16x16x16: a lane holds 4 of k; two of them along k, one after the other on one accumulator.
#a = #tile.linear<register = [[0, 1], [0, 2], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [16, 32], fragment = 4>
#b = #tile.linear<register = [[1, 0], [2, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [32, 16], fragment = 4>
// The instruction's own result: 4 rows a lane, columns along the lanes.
#own = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
// Its transpose: 4 columns a lane.
#turned = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 4>

// CHECK-LABEL: llvm.func @operands_in_order(
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK: %[[X:.+]] = rocdl.make.buffer.rsrc %arg0
// CHECK: %[[A0W:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[AT:.+]], %c0_i32, %c0_i32 : vector<2xi32>
// CHECK: %[[AT16:.+]] = arith.addi %[[AT]], %c32_i32
// CHECK: %[[A1W:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[AT16]],
// CHECK: %[[Y:.+]] = rocdl.make.buffer.rsrc %arg1
// CHECK: %[[B0W:.+]] = rocdl.raw.ptr.buffer.load %[[Y]], %[[AT]],
// CHECK: %[[B1W:.+]] = rocdl.raw.ptr.buffer.load %[[Y]], %[[AT16]],
// CHECK: %[[A0:.+]] = vector.bitcast %[[A0W]] : vector<2xi32> to vector<4xbf16>
// CHECK: %[[B0:.+]] = vector.bitcast %[[B0W]]
// CHECK: %[[R0:.+]] = amdgpu.mfma 16x16x16 %[[A0]] * %[[B0]] + %[[ZERO]] blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
// CHECK: %[[A1:.+]] = vector.bitcast %[[A1W]]
// CHECK: %[[B1:.+]] = vector.bitcast %[[B1W]]
// CHECK: %[[R1:.+]] = amdgpu.mfma 16x16x16 %[[A1]] * %[[B1]] + %[[R0]]
// CHECK: %[[R:.+]] = vector.bitcast %[[R1]] : vector<4xf32> to vector<4xi32>
// CHECK: rocdl.raw.ptr.buffer.store %[[R]]
tile.kernel @operands_in_order(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %d: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !va
  %Y = tile.view %y sizes() strides(%ld) : !va
  %D = tile.view %d sizes() strides(%ld) : !vd
  %a = tile.load %X[%c0, %c0] in_bounds [true, true] : !va -> tensor<16x32xbf16, #a>
  %b = tile.load %Y[%c0, %c0] map affine_map<(k, n) -> (n, k)> in_bounds [true, true] : !va -> tensor<32x16xbf16, #b>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #own>
  %r = tile.mma %a, %b, %zero instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x32xbf16, #a>, tensor<32x16xbf16, #b>, tensor<16x16xf32, #own>
  tile.store %r, %D[%c0, %c0] map affine_map<(m, n) -> (n, m)> in_bounds [true, true] : tensor<16x16xf32, #own>, !vd
  tile.return
}

// CHECK-LABEL: llvm.func @operands_swapped_for_the_transpose(
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK: %[[X:.+]] = rocdl.make.buffer.rsrc %arg0
// CHECK: %[[A0W:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[AT:.+]], %c0_i32, %c0_i32 : vector<2xi32>
// CHECK: %[[AT16:.+]] = arith.addi %[[AT]], %c32_i32
// CHECK: %[[A1W:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[AT16]],
// CHECK: %[[Y:.+]] = rocdl.make.buffer.rsrc %arg1
// CHECK: %[[B0W:.+]] = rocdl.raw.ptr.buffer.load %[[Y]], %[[AT]],
// CHECK: %[[B1W:.+]] = rocdl.raw.ptr.buffer.load %[[Y]], %[[AT16]],
// CHECK: %[[A0:.+]] = vector.bitcast %[[A0W]] : vector<2xi32> to vector<4xbf16>
// CHECK: %[[B0:.+]] = vector.bitcast %[[B0W]]
// CHECK: %[[R0:.+]] = amdgpu.mfma 16x16x16 %[[B0]] * %[[A0]] + %[[ZERO]]
// CHECK: %[[A1:.+]] = vector.bitcast %[[A1W]]
// CHECK: %[[B1:.+]] = vector.bitcast %[[B1W]]
// CHECK: %[[R1:.+]] = amdgpu.mfma 16x16x16 %[[B1]] * %[[A1]] + %[[R0]]
tile.kernel @operands_swapped_for_the_transpose(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %d: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !va
  %Y = tile.view %y sizes() strides(%ld) : !va
  %D = tile.view %d sizes() strides(%ld) : !vd
  %a = tile.load %X[%c0, %c0] in_bounds [true, true] : !va -> tensor<16x32xbf16, #a>
  %b = tile.load %Y[%c0, %c0] map affine_map<(k, n) -> (n, k)> in_bounds [true, true] : !va -> tensor<32x16xbf16, #b>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #turned>
  %r = tile.mma %a, %b, %zero instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x32xbf16, #a>, tensor<32x16xbf16, #b>, tensor<16x16xf32, #turned>
  tile.store %r, %D[%c0, %c0] in_bounds [true, true] : tensor<16x16xf32, #turned>, !vd
  tile.return
}

// 2 tiles of m, k in two steps: k is the outer loop, so that two products on one accumulator stand apart.
#a2 = #tile.linear<register = [[0, 1], [0, 2], [0, 16], [16, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [32, 32], fragment = 4>
#acc2 = #tile.linear<register = [[0, 1], [0, 2], [16, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [32, 16], fragment = 4>
// CHECK-LABEL: llvm.func @accumulators_in_turn(
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK: %[[A00:.+]] = rocdl.raw.ptr.buffer.load %[[X:.+]], %[[AT:[0-9]+]],
// CHECK: %[[K1:.+]] = arith.addi %[[AT]], %c32_i32
// CHECK: %[[A01:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[K1]],
// CHECK: %[[M1:.+]] = arith.addi %[[AT]], %c1024_i32
// CHECK: %[[A10:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[M1]],
// CHECK: %[[M1K1:.+]] = arith.addi %[[AT]], %c1056_i32
// CHECK: %[[A11:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[M1K1]],
// CHECK: %[[B0:.+]] = rocdl.raw.ptr.buffer.load %[[Y:.+]], %[[AT]],
// CHECK: %[[B1:.+]] = rocdl.raw.ptr.buffer.load %[[Y]], %[[K1]],
// CHECK: %[[A00V:.+]] = vector.bitcast %[[A00]]
// CHECK: %[[B0V:.+]] = vector.bitcast %[[B0]]
// CHECK: %[[R0:.+]] = amdgpu.mfma 16x16x16 %[[B0V]] * %[[A00V]] + %[[ZERO]]
// CHECK: %[[A10V:.+]] = vector.bitcast %[[A10]]
// CHECK: %[[R1:.+]] = amdgpu.mfma 16x16x16 %[[B0V]] * %[[A10V]] + %[[ZERO]]
// CHECK: %[[A01V:.+]] = vector.bitcast %[[A01]]
// CHECK: %[[B1V:.+]] = vector.bitcast %[[B1]]
// CHECK: %[[S0:.+]] = amdgpu.mfma 16x16x16 %[[B1V]] * %[[A01V]] + %[[R0]]
// CHECK: %[[A11V:.+]] = vector.bitcast %[[A11]]
// CHECK: %[[S1:.+]] = amdgpu.mfma 16x16x16 %[[B1V]] * %[[A11V]] + %[[R1]]
tile.kernel @accumulators_in_turn(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %d: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<32x32xbf16, vector = 16>
  %Y = tile.view %y sizes() strides(%ld) : !va
  %D = tile.view %d sizes() strides(%ld) : !tile.view<32x16xf32, vector = 16>
  %a = tile.load %X[%c0, %c0] in_bounds [true, true] : !tile.view<32x32xbf16, vector = 16> -> tensor<32x32xbf16, #a2>
  %b = tile.load %Y[%c0, %c0] map affine_map<(k, n) -> (n, k)> in_bounds [true, true] : !va -> tensor<32x16xbf16, #b>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32, #acc2>
  %r = tile.mma %a, %b, %zero instruction [16, 16, 16] waves [1, 1, 1] : tensor<32x32xbf16, #a2>, tensor<32x16xbf16, #b>, tensor<32x16xf32, #acc2>
  tile.store %r, %D[%c0, %c0] in_bounds [true, true] : tensor<32x16xf32, #acc2>, !tile.view<32x16xf32, vector = 16>
  tile.return
}

// The leading dimension in registers: index by index, each with its own operands.
#a3 = #tile.linear<register = [[0, 0, 1], [0, 0, 2], [1, 0, 0]], lane = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], [0, 0, 4], [0, 0, 8]], wave = [], shape = [2, 16, 16], fragment = 4>
#b3 = #tile.linear<register = [[0, 1, 0], [0, 2, 0], [1, 0, 0]], lane = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 4, 0], [0, 8, 0]], wave = [], shape = [2, 16, 16], fragment = 4>
#acc3 = #tile.linear<register = [[0, 0, 1], [0, 0, 2], [1, 0, 0]], lane = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], [0, 0, 4], [0, 0, 8]], wave = [], shape = [2, 16, 16], fragment = 4>
!vb = !tile.view<2x16x16xbf16, vector = 8>
!vbd = !tile.view<2x16x16xf32, vector = 16>
// CHECK-LABEL: llvm.func @leading_dimension_index_by_index(
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK: %[[A0:.+]] = rocdl.raw.ptr.buffer.load %[[X:.+]], %[[AT:[0-9]+]],
// CHECK: %[[NEXT:.+]] = arith.addi %[[AT]], %c1024_i32
// CHECK: %[[A1:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[NEXT]],
// CHECK: %[[B0:.+]] = rocdl.raw.ptr.buffer.load %[[Y:.+]], %[[AT]],
// CHECK: %[[B1:.+]] = rocdl.raw.ptr.buffer.load %[[Y]], %[[NEXT]],
// CHECK: %[[A0V:.+]] = vector.bitcast %[[A0]]
// CHECK: %[[B0V:.+]] = vector.bitcast %[[B0]]
// CHECK: %[[R0:.+]] = amdgpu.mfma 16x16x16 %[[B0V]] * %[[A0V]] + %[[ZERO]]
// CHECK: %[[A1V:.+]] = vector.bitcast %[[A1]]
// CHECK: %[[B1V:.+]] = vector.bitcast %[[B1]]
// CHECK: %[[R1:.+]] = amdgpu.mfma 16x16x16 %[[B1V]] * %[[A1V]] + %[[ZERO]]
tile.kernel @leading_dimension_index_by_index(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %d: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %ldb = arith.constant 1024 : i64
  %X = tile.view %x sizes() strides(%ldb, %ld) : !vb
  %Y = tile.view %y sizes() strides(%ldb, %ld) : !vb
  %D = tile.view %d sizes() strides(%ldb, %ld) : !vbd
  %a = tile.load %X[%c0, %c0, %c0] in_bounds [true, true, true] : !vb -> tensor<2x16x16xbf16, #a3>
  %b = tile.load %Y[%c0, %c0, %c0] map affine_map<(i, k, n) -> (i, n, k)> in_bounds [true, true, true] : !vb -> tensor<2x16x16xbf16, #b3>
  %zero = arith.constant dense<0.0> : tensor<2x16x16xf32, #acc3>
  %r = tile.mma %a, %b, %zero instruction [16, 16, 16] waves [1, 1, 1] : tensor<2x16x16xbf16, #a3>, tensor<2x16x16xbf16, #b3>, tensor<2x16x16xf32, #acc3>
  tile.store %r, %D[%c0, %c0, %c0] in_bounds [true, true, true] : tensor<2x16x16xf32, #acc3>, !vbd
  tile.return
}

// f8f6f4: 32 elements a lane in two runs of 16 along k. The formats differ, so the order of the operands decides who is whose type.
#a8 = #tile.linear<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 16], [0, 32]], wave = [], shape = [16, 128], fragment = 32>
#b8 = #tile.linear<register = [[1, 0], [2, 0], [4, 0], [8, 0], [64, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [16, 0], [32, 0]], wave = [], shape = [128, 16], fragment = 32>
!v8 = !tile.view<16x128xf8E4M3FN, vector = 16>
!v8b = !tile.view<16x128xf8E5M2, vector = 16>
// CHECK-LABEL: llvm.func @mixed_formats(
// CHECK: %[[A:.+]] = vector.from_elements {{.*}} : vector<8xi32>
// CHECK: %[[B:.+]] = vector.from_elements {{.*}} : vector<8xi32>
// CHECK: %[[AV:.+]] = vector.bitcast %[[A]] : vector<8xi32> to vector<32xf8E4M3FN>
// CHECK: %[[BV:.+]] = vector.bitcast %[[B]] : vector<8xi32> to vector<32xf8E5M2>
// CHECK: amdgpu.mfma 16x16x128 %[[BV]] * %[[AV]] + %{{.+}} blgp = none : vector<32xf8E5M2>, vector<32xf8E4M3FN>, vector<4xf32>
// CHECK-NOT: amdgpu.mfma
tile.kernel @mixed_formats(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %d: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 128 : i64
  %X = tile.view %x sizes() strides(%ld) : !v8
  %Y = tile.view %y sizes() strides(%ld) : !v8b
  %D = tile.view %d sizes() strides(%ld) : !vd
  %a = tile.load %X[%c0, %c0] in_bounds [true, true] : !v8 -> tensor<16x128xf8E4M3FN, #a8>
  %b = tile.load %Y[%c0, %c0] map affine_map<(k, n) -> (n, k)> in_bounds [true, true] : !v8b -> tensor<128x16xf8E5M2, #b8>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #turned>
  %r = tile.mma %a, %b, %zero instruction [16, 16, 128] waves [1, 1, 1] : tensor<16x128xf8E4M3FN, #a8>, tensor<128x16xf8E5M2, #b8>, tensor<16x16xf32, #turned>
  tile.store %r, %D[%c0, %c0] in_bounds [true, true] : tensor<16x16xf32, #turned>, !vd
  tile.return
}
