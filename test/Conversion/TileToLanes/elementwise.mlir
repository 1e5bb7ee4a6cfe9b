// RUN: lowp-opt %s --tile-to-lanes=target=gfx950 | FileCheck %s

// Element-wise operations, constants, splats, coordinates; types across control flow; the kernel itself. Each kernel shows the rule that
// it is named after.

#l = #tile.linear<register = [[1, 0], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [2, 0], [4, 0], [8, 0], [16, 0]], wave = [], shape = [32, 16], fragment = 4>
!v = !tile.view<32x16xf32, vector = 4>

// CHECK-LABEL: llvm.func @fragment_by_fragment(
// CHECK: %[[S:.+]] = vector.broadcast %arg1 : f32 to vector<4xf32>
// CHECK: %[[ONE:.+]] = arith.constant dense<1.000000e+00> : vector<4xf32>
// CHECK-NEXT: %[[A0:.+]] = arith.addf %[[S]], %[[ONE]] fastmath<contract> : vector<4xf32>
// CHECK-NEXT: %[[A1:.+]] = arith.addf %[[S]], %[[ONE]] fastmath<contract> : vector<4xf32>
// CHECK-NEXT: %[[L0:.+]] = arith.cmpf olt, %[[A0]], %[[ONE]] : vector<4xf32>
// CHECK-NEXT: %[[L1:.+]] = arith.cmpf olt, %[[A1]], %[[ONE]] : vector<4xf32>
// CHECK-NEXT: %[[E0:.+]] = arith.select %[[L0]], %[[A0]], %[[S]] : vector<4xi1>, vector<4xf32>
// CHECK-NEXT: %[[E1:.+]] = arith.select %[[L1]], %[[A1]], %[[S]] : vector<4xi1>, vector<4xf32>
//   One condition for the whole tile stays a scalar.
// CHECK-NEXT: %[[T0:.+]] = arith.select %arg2, %[[E0]], %[[ONE]] : vector<4xf32>
// CHECK-NEXT: %[[T1:.+]] = arith.select %arg2, %[[E1]], %[[ONE]] : vector<4xf32>
tile.kernel @fragment_by_fragment(%x: !llvm.ptr<1>, %v: f32, %flag: i1) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !v
  %s = tile.splat %v : f32 -> tensor<32x16xf32, #l>
  %one = arith.constant dense<1.0> : tensor<32x16xf32, #l>
  %sum = arith.addf %s, %one fastmath<contract> : tensor<32x16xf32, #l>
  %less = arith.cmpf olt, %sum, %one : tensor<32x16xf32, #l>
  %each = arith.select %less, %sum, %s : tensor<32x16xi1, #l>, tensor<32x16xf32, #l>
  %all = arith.select %flag, %each, %one : tensor<32x16xf32, #l>
  tile.store %all, %X[%c0, %c0] in_bounds [true, true] : tensor<32x16xf32, #l>, !v
  tile.return
}

// CHECK-LABEL: llvm.func @small_elements_travel_in_words(
// CHECK: %[[V:.+]] = vector.broadcast %arg1 : bf16 to vector<4xbf16>
// CHECK: %[[S:.+]] = vector.bitcast %[[V]] : vector<4xbf16> to vector<2xi32>
// CHECK: %[[R:.+]]:2 = scf.for {{.*}} iter_args(%[[C0:.+]] = %[[S]], %[[C1:.+]] = %[[S]]) -> (vector<2xi32>, vector<2xi32>) {
// CHECK: %[[X0:.+]] = vector.bitcast %[[C0]] : vector<2xi32> to vector<4xbf16>
// CHECK: %[[Y0:.+]] = vector.bitcast %[[S]] : vector<2xi32> to vector<4xbf16>
// CHECK: %[[D0:.+]] = arith.addf %[[X0]], %[[Y0]] : vector<4xbf16>
// CHECK: %[[W0:.+]] = vector.bitcast %[[D0]] : vector<4xbf16> to vector<2xi32>
// CHECK: %[[X1:.+]] = vector.bitcast %[[C1]]
// CHECK: %[[W1:.+]] = vector.bitcast %{{.+}} : vector<4xbf16> to vector<2xi32>
// CHECK: scf.yield %[[W0]], %[[W1]] : vector<2xi32>, vector<2xi32>
// CHECK: %[[T:.+]]:2 = scf.if %arg3 -> (vector<2xi32>, vector<2xi32>) {
// CHECK: scf.yield %[[R]]#0, %[[R]]#1
// CHECK: scf.yield %[[S]], %[[S]]
// CHECK: vector.bitcast %[[T]]#0 : vector<2xi32> to vector<4xi16>
tile.kernel @small_elements_travel_in_words(%x: !llvm.ptr<1>, %v: bf16, %last: i32, %flag: i1) waves(1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.index_cast %last : i32 to index
  %ld = arith.constant 32 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<32x16xbf16, vector = 2>
  %s = tile.splat %v : bf16 -> tensor<32x16xbf16, #l>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %s) -> (tensor<32x16xbf16, #l>) {
    %d = arith.addf %c, %s : tensor<32x16xbf16, #l>
    scf.yield %d : tensor<32x16xbf16, #l>
  }
  %t = scf.if %flag -> (tensor<32x16xbf16, #l>) {
    scf.yield %r : tensor<32x16xbf16, #l>
  } else {
    scf.yield %s : tensor<32x16xbf16, #l>
  }
  tile.store %t, %X[%c0, %c0] in_bounds [true, true] : tensor<32x16xbf16, #l>, !tile.view<32x16xbf16, vector = 2>
  tile.return
}

// CHECK-LABEL: llvm.func @coordinates(
// CHECK: %[[LANE:.+]] = arith.andi %{{.+}}, %c63_i32
//   Lane bits 2 to 5 are rows 2 to 16; registers 0 to 3 are rows 0, 1, 0, 1 and columns 0, 0, 1, 1.
// CHECK: %[[HIGH:.+]] = arith.andi %[[LANE]], %c60_i32
// CHECK: %[[ROW:.+]] = arith.shrui %[[HIGH]], %c1_i32
// CHECK: %[[ROWS:.+]] = vector.broadcast %[[ROW]] : i32 to vector<4xi32>
// CHECK: %[[R0:.+]] = arith.constant dense<[0, 1, 0, 1]> : vector<4xi32>
// CHECK: %[[ROW0:.+]] = arith.xori %[[ROWS]], %[[R0]]
// CHECK: %[[R1:.+]] = arith.constant dense<[0, 1, 0, 1]> : vector<4xi32>
// CHECK: %[[ROW1:.+]] = arith.xori %[[ROWS]], %[[R1]]
// CHECK: %[[LOW:.+]] = arith.andi %[[LANE]], %c3_i32
// CHECK: %[[COLUMN:.+]] = arith.shli %[[LOW]], %c2_i32
// CHECK: %[[COLUMNS:.+]] = vector.broadcast %[[COLUMN]]
// CHECK: %[[C0:.+]] = arith.constant dense<[0, 0, 1, 1]> : vector<4xi32>
// CHECK: %[[COLUMN0:.+]] = arith.xori %[[COLUMNS]], %[[C0]]
// CHECK: %[[C1:.+]] = arith.constant dense<[2, 2, 3, 3]> : vector<4xi32>
// CHECK: %[[COLUMN1:.+]] = arith.xori %[[COLUMNS]], %[[C1]]
// CHECK: arith.muli %[[ROW0]], %[[COLUMN0]] : vector<4xi32>
// CHECK: arith.muli %[[ROW1]], %[[COLUMN1]] : vector<4xi32>
tile.kernel @coordinates(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<32x16xi32, vector = 4>
  %row = tile.coordinate 0 : tensor<32x16xi32, #l>
  %column = tile.coordinate 1 : tensor<32x16xi32, #l>
  %both = arith.muli %row, %column : tensor<32x16xi32, #l>
  tile.store %both, %X[%c0, %c0] in_bounds [true, true] : tensor<32x16xi32, #l>, !tile.view<32x16xi32, vector = 4>
  tile.return
}

#one = #tile.linear<register = [], lane = [[1], [2], [4], [8], [0], [0]], wave = [[0], [0], [0]], shape = [16]>
// CHECK-LABEL: llvm.func @where_the_workgroup_is(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.noalias}) attributes
// CHECK-SAME: passthrough = {{\[\[}}"amdgpu-waves-per-eu", "2"], ["uniform-work-group-size", "true"], ["amdgpu-agpr-alloc", "0"]]
// CHECK-SAME: rocdl.flat_work_group_size = "512,512", rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 512, 1, 1>
// CHECK: %[[X:.+]] = rocdl.workgroup.id.x : i32
// CHECK: %[[A:.+]] = arith.index_castui %[[X]] : i32 to index
// CHECK: %[[Y:.+]] = rocdl.workgroup.id.y : i32
// CHECK: %[[B:.+]] = arith.index_castui %[[Y]]
// CHECK: %[[Z:.+]] = rocdl.workgroup.id.z : i32
// CHECK: %[[C:.+]] = arith.index_castui %[[Z]]
// CHECK: %[[AB:.+]] = arith.addi %[[A]], %[[B]] : index
// CHECK: arith.addi %[[AB]], %[[C]] : index
tile.kernel @where_the_workgroup_is(%x: !llvm.ptr<1> {llvm.noalias}) waves(8) {
  %ld = arith.constant 64 : i64
  %a = tile.workgroup_id 0
  %b = tile.workgroup_id 1
  %c = tile.workgroup_id 2
  %X = tile.view %x sizes() strides() : !tile.view<16xf32, vector = 4>
  %d = arith.addi %a, %b : index
  %e = arith.addi %d, %c : index
  %t = tile.load %X[%e] : !tile.view<16xf32, vector = 4> -> tensor<16xf32, #one>
  tile.store %t, %X[%e] : tensor<16xf32, #one>, !tile.view<16xf32, vector = 4>
  tile.return
}

// What a launcher is told of a function went into the manifest before.
// CHECK-NOT: tile.entry
tile.entry @f arguments [] conditions [] variants []
