// RUN: lowp-opt %s --tile-to-lanes=target=gfx950 --canonicalize --cse | FileCheck %s

// Reductions, broadcasts, conversions of layout. Each kernel shows the rule that it is named after.

!x = !tile.view<16x16xf32, vector = 4>
!y = !tile.view<16xf32, vector = 4>
#in = #tile.linear<register = [[0, 1], [1, 0]], lane = [[2, 0], [4, 0], [8, 0], [0, 2], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 2>
#row = #tile.linear<register = [[1]], lane = [[2], [4], [8], [0], [0], [0]], wave = [], shape = [16], fragment = 2>
#column = #tile.linear<register = [[1]], lane = [[0], [0], [0], [2], [4], [8]], wave = [], shape = [16], fragment = 2>

// CHECK-LABEL: llvm.func @registers_first_then_lanes(
// CHECK: %[[LANE:.+]] = arith.andi %{{.+}}, %c63_i32
// CHECK: %[[E00:.+]] = vector.extract %[[ROW0:.+]][0] : f32
// CHECK: %[[E01:.+]] = vector.extract %[[ROW0]][1] : f32
// CHECK: %[[E10:.+]] = vector.extract %[[ROW1:.+]][0] : f32
// CHECK: %[[E11:.+]] = vector.extract %[[ROW1]][1] : f32
// CHECK: %[[A:.+]] = arith.maximumf %[[E00]], %[[E01]]
// CHECK: %[[B:.+]] = arith.maximumf %[[E10]], %[[E11]]
// CHECK: %[[WITH8:.+]] = arith.xori %[[LANE]], %c8_i32
// CHECK: %[[AT8:.+]] = arith.shli %[[WITH8]], %c2_i32
// CHECK: %[[WA1:.+]] = arith.bitcast %[[A]] : f32 to i32
// CHECK: %[[GA1:.+]] = rocdl.ds_bpermute %[[AT8]], %[[WA1]] : (i32, i32) -> i32
// CHECK: %[[OA1:.+]] = arith.bitcast %[[GA1]] : i32 to f32
// CHECK: %[[A1:.+]] = arith.maximumf %[[A]], %[[OA1]]
// CHECK: %[[WB1:.+]] = arith.bitcast %[[B]] : f32 to i32
// CHECK: %[[GB1:.+]] = rocdl.ds_bpermute %[[AT8]], %[[WB1]]
// CHECK: %[[OB1:.+]] = arith.bitcast %[[GB1]] : i32 to f32
// CHECK: %[[B1:.+]] = arith.maximumf %[[B]], %[[OB1]]
// CHECK: %[[WITH16:.+]] = arith.xori %[[LANE]], %c16_i32
// CHECK: %[[AT16:.+]] = arith.shli %[[WITH16]], %c2_i32
// CHECK: %[[WA2:.+]] = arith.bitcast %[[A1]] : f32 to i32
// CHECK: %[[GA2:.+]] = rocdl.ds_bpermute %[[AT16]], %[[WA2]] : (i32, i32) -> i32
// CHECK: %[[OA2:.+]] = arith.bitcast %[[GA2]] : i32 to f32
// CHECK: %[[A2:.+]] = arith.maximumf %[[A1]], %[[OA2]]
// CHECK: %[[WB2:.+]] = arith.bitcast %[[B1]] : f32 to i32
// CHECK: %[[GB2:.+]] = rocdl.ds_bpermute %[[AT16]], %[[WB2]]
// CHECK: %[[OB2:.+]] = arith.bitcast %[[GB2]] : i32 to f32
// CHECK: %[[B2:.+]] = arith.maximumf %[[B1]], %[[OB2]]
// CHECK: %[[WITH32:.+]] = arith.xori %[[LANE]], %c32_i32
// CHECK: %[[AT32:.+]] = arith.shli %[[WITH32]], %c2_i32
// CHECK: %[[WA3:.+]] = arith.bitcast %[[A2]] : f32 to i32
// CHECK: %[[GA3:.+]] = rocdl.ds_bpermute %[[AT32]], %[[WA3]] : (i32, i32) -> i32
// CHECK: %[[OA3:.+]] = arith.bitcast %[[GA3]] : i32 to f32
// CHECK: %[[A3:.+]] = arith.maximumf %[[A2]], %[[OA3]]
// CHECK: %[[WB3:.+]] = arith.bitcast %[[B2]] : f32 to i32
// CHECK: %[[GB3:.+]] = rocdl.ds_bpermute %[[AT32]], %[[WB3]]
// CHECK: %[[OB3:.+]] = arith.bitcast %[[GB3]] : i32 to f32
// CHECK: %[[B3:.+]] = arith.maximumf %[[B2]], %[[OB3]]
// CHECK-NOT: ds_bpermute
// CHECK: vector.from_elements %[[A3]], %[[B3]] : vector<2xf32>
tile.kernel @registers_first_then_lanes(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !x
  %Y = tile.view %y sizes() strides() : !y
  %t = tile.load %X[%c0, %c0] in_bounds [true, true] : !x -> tensor<16x16xf32, #in>
  %r = tile.reduce max %t dim 1 : tensor<16x16xf32, #in> -> tensor<16xf32, #row>
  tile.store %r, %Y[%c0] in_bounds [true] : tensor<16xf32, #row>, !y
  tile.return
}

// Registers 2 and 3 hold what 0 and 1 hold: a sum takes each element once.
#doubled = #tile.linear<register = [[0, 1], [0, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], wave = [], shape = [64, 2], fragment = 2>
#single = #tile.linear<register = [], lane = [[1], [2], [4], [8], [16], [32]], wave = [], shape = [64]>
// CHECK-LABEL: llvm.func @copies_are_counted_once(
// CHECK: %[[E0:.+]] = vector.extract %{{.+}}[0] : f32
// CHECK: %[[E1:.+]] = vector.extract %{{.+}}[1] : f32
// CHECK: %[[SUM:.+]] = arith.addf %[[E0]], %[[E1]] : f32
// CHECK-NOT: arith.addf
// CHECK: rocdl.raw.ptr.buffer.store
tile.kernel @copies_are_counted_once(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 8 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<64x2xf32, vector = 4>
  %Y = tile.view %y sizes() strides() : !tile.view<64xf32, vector = 4>
  %t = tile.load %X[%c0, %c0] in_bounds [true, true] : !tile.view<64x2xf32, vector = 4> -> tensor<64x2xf32, #doubled>
  %r = tile.reduce add %t dim 1 : tensor<64x2xf32, #doubled> -> tensor<64xf32, #single>
  tile.store %r, %Y[%c0] in_bounds [true] : tensor<64xf32, #single>, !tile.view<64xf32, vector = 4>
  tile.return
}

#pair = #tile.linear<register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], wave = [], shape = [64, 2], fragment = 2>
// CHECK-LABEL: llvm.func @kinds(
// CHECK: arith.minimumf %{{.+}}, %{{.+}} : f32
// CHECK: %[[I:.+]] = rocdl.raw.ptr.buffer.load
// CHECK: %[[J:.+]] = rocdl.raw.ptr.buffer.load
// CHECK: arith.addi %[[I]], %[[J]] : i32
// CHECK: arith.maxsi %[[I]], %[[J]] : i32
// CHECK: arith.minsi %[[I]], %[[J]] : i32
tile.kernel @kinds(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %i: !llvm.ptr<1>, %j: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 8 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<64x2xf32, vector = 4>
  %Y = tile.view %y sizes() strides() : !tile.view<64xf32, vector = 4>
  %t = tile.load %X[%c0, %c0] in_bounds [true, true] : !tile.view<64x2xf32, vector = 4> -> tensor<64x2xf32, #pair>
  %min = tile.reduce min %t dim 1 : tensor<64x2xf32, #pair> -> tensor<64xf32, #single>
  tile.store %min, %Y[%c0] in_bounds [true] : tensor<64xf32, #single>, !tile.view<64xf32, vector = 4>
  %I = tile.view %i sizes() strides(%ld) : !tile.view<64x2xi32, vector = 4>
  %J = tile.view %j sizes() strides() : !tile.view<64xi32, vector = 4>
  %u = tile.load %I[%c0, %c0] in_bounds [true, true] : !tile.view<64x2xi32, vector = 4> -> tensor<64x2xi32, #pair>
  %iadd = tile.reduce add %u dim 1 : tensor<64x2xi32, #pair> -> tensor<64xi32, #single>
  %imax = tile.reduce max %u dim 1 : tensor<64x2xi32, #pair> -> tensor<64xi32, #single>
  %imin = tile.reduce min %u dim 1 : tensor<64x2xi32, #pair> -> tensor<64xi32, #single>
  %s = arith.addi %iadd, %imax : tensor<64xi32, #single>
  %v = arith.addi %s, %imin : tensor<64xi32, #single>
  tile.store %v, %J[%c0] in_bounds [true] : tensor<64xi32, #single>, !tile.view<64xi32, vector = 4>
  tile.return
}

// The new dimension's registers repeat the source's; lanes that move along it hold copies already.
// CHECK-LABEL: llvm.func @broadcasts_repeat_registers(
// CHECK: %[[ROWS:.+]] = vector.bitcast %{{.+}} : vector<2xi32> to vector<2xf32>
// CHECK: %[[R0:.+]] = vector.extract %[[ROWS]][0]
// CHECK: %[[R1:.+]] = vector.extract %[[ROWS]][1]
// CHECK: %[[V0:.+]] = vector.broadcast %[[R0]] : f32 to vector<2xf32>
// CHECK: %[[V1:.+]] = vector.broadcast %[[R1]] : f32 to vector<2xf32>
// CHECK: %[[COLUMNS:.+]] = vector.bitcast %{{.+}} : vector<2xi32> to vector<2xf32>
// CHECK: arith.addf %[[V0]], %[[COLUMNS]] : vector<2xf32>
// CHECK: arith.addf %[[V1]], %[[COLUMNS]] : vector<2xf32>
// CHECK-NOT: ds_bpermute
// CHECK: llvm.return
tile.kernel @broadcasts_repeat_registers(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !x
  %Y = tile.view %y sizes() strides() : !tile.view<16xf32, vector = 8>
  %t = tile.load %Y[%c0] in_bounds [true] : !tile.view<16xf32, vector = 8> -> tensor<16xf32, #row>
  %r = tile.broadcast %t dims [0] : tensor<16xf32, #row> -> tensor<16x16xf32, #in>
  %Z = tile.view %z sizes() strides() : !tile.view<16xf32, vector = 8>
  %u = tile.load %Z[%c0] in_bounds [true] : !tile.view<16xf32, vector = 8> -> tensor<16xf32, #column>
  %s = tile.broadcast %u dims [1] : tensor<16xf32, #column> -> tensor<16x16xf32, #in>
  %v = arith.addf %r, %s : tensor<16x16xf32, #in>
  tile.store %v, %X[%c0, %c0] in_bounds [true, true] : tensor<16x16xf32, #in>, !x
  tile.return
}

// Register bits change places, and elements their fragments; no lane hears of another.
#other = #tile.linear<register = [[1, 0], [0, 1]], lane = [[2, 0], [4, 0], [8, 0], [0, 2], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 4>
// CHECK-LABEL: llvm.func @conversions_move_registers(
// CHECK: %[[F0:.+]] = vector.bitcast %{{.+}} : vector<2xi32> to vector<2xf32>
// CHECK: %[[F1:.+]] = vector.bitcast %{{.+}} : vector<2xi32> to vector<2xf32>
// CHECK: %[[E00:.+]] = vector.extract %[[F0]][0]
// CHECK: %[[E01:.+]] = vector.extract %[[F0]][1]
// CHECK: %[[E10:.+]] = vector.extract %[[F1]][0]
// CHECK: %[[E11:.+]] = vector.extract %[[F1]][1]
// CHECK: vector.from_elements %[[E00]], %[[E10]], %[[E01]], %[[E11]] : vector<4xf32>
// CHECK-NOT: ds_bpermute
// CHECK: llvm.return
tile.kernel @conversions_move_registers(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xf32, vector = 8>
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<16x16xf32, vector = 8>
  %t = tile.load %X[%c0, %c0] in_bounds [true, true] : !tile.view<16x16xf32, vector = 8> -> tensor<16x16xf32, #in>
  %u = tile.convert_layout %t : tensor<16x16xf32, #in> -> tensor<16x16xf32, #other>
  tile.store %u, %Y[%c0, %c0] map affine_map<(i, j) -> (j, i)> in_bounds [true, true] : tensor<16x16xf32, #other>, !tile.view<16x16xf32, vector = 8>
  tile.return
}
