// RUN: lowp-opt %s --tile-assign-layouts=target=gfx950 -split-input-file | FileCheck %s

// Without an anchor a group follows the memory that it meets: 8 bf16 a lane, lanes along the rows, then the waves.
// A splat takes whatever layout is asked for; control flow hands layouts on.

// CHECK-DAG: #[[$T:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 4], [32, 0]], lane = {{\[}}[0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], wave = {{\[}}[16, 0]], shape = [64, 32], fragment = 8>
// CHECK-DAG: #[[$U:.+]] = #tile.linear<register = {{\[}}[1]], lane = {{\[}}[2], [4], [8], [16], [32], [64]], wave = {{\[}}[128]], shape = [256], fragment = 2>
// CHECK-LABEL: tile.kernel @memory
tile.kernel @memory(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>, %flag: i1, %n: i32) waves(2) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<64x32xbf16, vector = 16>
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<64x32xf32, vector = 4>
  %Z = tile.view %z sizes() strides() : !tile.view<256xi32, vector = 8>
  // CHECK: tile.splat %{{.*}} : i32 -> tensor<64x32xi32, #[[$T]]>
  %t = tile.load %X[%c0, %c0] : !tile.view<64x32xbf16, vector = 16> -> tensor<64x32xbf16>
  %f = arith.extf %t : tensor<64x32xbf16> to tensor<64x32xf32>
  %s = tile.splat %n : i32 -> tensor<64x32xi32>
  %column = tile.coordinate 1 : tensor<64x32xi32>
  %mask = arith.cmpi slt, %column, %s : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xi1, #[[$T]]>, tensor<64x32xf32, #[[$T]]>
  %g = arith.select %mask, %f, %zero : tensor<64x32xi1>, tensor<64x32xf32>
  // CHECK: scf.for {{.*}} -> (tensor<64x32xf32, #[[$T]]>)
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%c = %zero) -> (tensor<64x32xf32>) {
    // CHECK: scf.if {{.*}} -> (tensor<64x32xf32, #[[$T]]>)
    %h = scf.if %flag -> (tensor<64x32xf32>) {
      %d = arith.addf %c, %g : tensor<64x32xf32>
      scf.yield %d : tensor<64x32xf32>
    } else {
      scf.yield %c : tensor<64x32xf32>
    }
    scf.yield %h : tensor<64x32xf32>
  }
  // CHECK: tile.store %{{.*}} : tensor<64x32xf32, #[[$T]]>
  tile.store %r, %Y[%c0, %c0] : tensor<64x32xf32>, !tile.view<64x32xf32, vector = 4>
  // CHECK: tile.splat %{{.*}} : i32 -> tensor<256xi32, #[[$U]]>
  %sz = tile.splat %n : i32 -> tensor<256xi32>
  tile.store %sz, %Z[%c0] : tensor<256xi32>, !tile.view<256xi32, vector = 8>
  tile.return
}

// -----

// One splat used by two groups becomes two.
// CHECK-DAG: #[[$B:.+]] = #tile.linear<{{.*}}lane = {{\[}}[0, 1], [0, 2], [0, 4], [1, 0]{{.*}}shape = [16, 8]
// CHECK-DAG: #[[$C:.+]] = #tile.linear<{{.*}}lane = {{\[}}[1, 0], [2, 0], [4, 0], [8, 0]{{.*}}shape = [16, 8]
// CHECK-LABEL: tile.kernel @clone
// CHECK-DAG: tile.splat %{{.*}} : f32 -> tensor<16x8xf32, #[[$B]]>
// CHECK-DAG: tile.splat %{{.*}} : f32 -> tensor<16x8xf32, #[[$C]]>
// CHECK-NOT: tile.convert_layout
tile.kernel @clone(%x: !llvm.ptr<1>, %v: f32) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<64x16xf32, vector = 4>
  %s = tile.splat %v : f32 -> tensor<16x8xf32>
  tile.store %s, %X[%c0, %c0] : tensor<16x8xf32>, !tile.view<64x16xf32, vector = 4>
  tile.store %s, %X[%c0, %c0] map affine_map<(i, j) -> (j, i)> : tensor<16x8xf32>, !tile.view<64x16xf32, vector = 4>
  tile.return
}

// -----

// A load that repeats its elements loads them once and broadcasts; what lanes and waves repeat are copies.
// CHECK-DAG: #[[$T:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [8, 0], [16, 0]], lane = {{\[}}[0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], wave = [], shape = [32, 32], fragment = 4>
// CHECK-DAG: #[[$N:.+]] = #tile.linear<register = {{\[}}[1], [2]], lane = {{\[}}[4], [8], [16], [0], [0], [0]], wave = [], shape = [32], fragment = 4>
// CHECK-DAG: #[[$M:.+]] = #tile.linear<register = {{\[}}[8], [16]], lane = {{\[}}[0], [0], [0], [1], [2], [4]], wave = [], shape = [32]>
// CHECK-DAG: #[[$S:.+]] = #tile.linear<register = [], lane = {{\[}}[], [], [], [], [], []], wave = [], shape = []>
// CHECK-LABEL: tile.kernel @broadcast
tile.kernel @broadcast(%bias: !llvm.ptr<1>, %scale: !llvm.ptr<1>, %d: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 128 : i64
  %B = tile.view %bias sizes() strides() : !tile.view<32xf32, vector = 4>
  %S = tile.view %scale sizes() strides() : !tile.view<f32, vector = 4>
  %D = tile.view %d sizes() strides(%ld) : !tile.view<32x32xf32, vector = 16>
  // CHECK: %[[N:.+]] = tile.load %{{.*}}[%{{.*}}] : {{.*}} -> tensor<32xf32, #[[$N]]>
  // CHECK: tile.broadcast %[[N]] dims [1] : tensor<32xf32, #[[$N]]> -> tensor<32x32xf32, #[[$T]]>
  %n = tile.load %B[%c0] map affine_map<(m, n) -> (n)> : !tile.view<32xf32, vector = 4> -> tensor<32x32xf32>
  // CHECK: %[[M:.+]] = tile.load %{{.*}}[%{{.*}}] : {{.*}} -> tensor<32xf32, #[[$M]]>
  // CHECK: tile.broadcast %[[M]] dims [0] : tensor<32xf32, #[[$M]]> -> tensor<32x32xf32, #[[$T]]>
  %m = tile.load %B[%c0] map affine_map<(m, n) -> (m)> : !tile.view<32xf32, vector = 4> -> tensor<32x32xf32>
  // CHECK: tile.load %{{.*}}[] : {{.*}} -> tensor<f32, #[[$S]]>
  %s = tile.load %S[] map affine_map<(m, n) -> ()> : !tile.view<f32, vector = 4> -> tensor<32x32xf32>
  %x = arith.mulf %n, %s : tensor<32x32xf32>
  %y = arith.addf %x, %m : tensor<32x32xf32>
  tile.store %y, %D[%c0, %c0] : tensor<32x32xf32>, !tile.view<32x32xf32, vector = 16>
  tile.return
}

// -----

// Waves stay off a dimension that is reduced: the result is a slice, copied over the lanes that shared a row.
// CHECK-DAG: #[[$T:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [4, 0], [8, 0]], lane = {{\[}}[0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], wave = {{\[}}[16, 0], [32, 0]], shape = [64, 64], fragment = 4>
// CHECK-DAG: #[[$R:.+]] = #tile.linear<register = {{\[}}[4], [8]], lane = {{\[}}[0], [0], [0], [0], [1], [2]], wave = {{\[}}[16], [32]], shape = [64]>
// CHECK-LABEL: tile.kernel @rows
// CHECK-NOT: tile.alloc
tile.kernel @rows(%x: !llvm.ptr<1>) waves(4) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 256 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<64x64xf32, vector = 16>
  %t = tile.load %X[%c0, %c0] : !tile.view<64x64xf32, vector = 16> -> tensor<64x64xf32>
  // CHECK: tile.reduce max %{{.*}} dim 1 : tensor<64x64xf32, #[[$T]]> -> tensor<64xf32, #[[$R]]>
  %m = tile.reduce max %t dim 1 : tensor<64x64xf32> -> tensor<64xf32>
  // CHECK: tile.broadcast %{{.*}} dims [0] : tensor<64xf32, #[[$R]]> -> tensor<64x64xf32, #[[$T]]>
  %b = tile.broadcast %m dims [0] : tensor<64xf32> -> tensor<64x64xf32>
  %s = arith.subf %t, %b : tensor<64x64xf32>
  tile.store %s, %X[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32, vector = 16>
  tile.return
}

// -----

// Both dimensions are reduced, so one reduction crosses waves: its source goes through LDS to where waves share the other
// dimension, and the lanes that this leaves over share the reduced one.
// CHECK-DAG: #[[$T:.+]] = #tile.linear<{{.*}}wave = {{\[}}[8, 0], [16, 0]], shape = [32, 64], fragment = 4>
// CHECK-DAG: #[[$L:.+]] = #tile.linear<register = {{\[}}[1, 0], [2, 0], [16, 0]], lane = {{\[}}[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = {{\[}}[0, 16], [0, 32]], shape = [32, 64]>
// CHECK-DAG: #[[$C:.+]] = #tile.linear<register = [], lane = {{\[}}[1], [2], [4], [8], [0], [0]], wave = {{\[}}[16], [32]], shape = [64]>
// CHECK-LABEL: tile.kernel @columns
// CHECK: %[[RING:.+]] = tile.alloc
tile.kernel @columns(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) waves(4) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 256 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<64x64xf32, vector = 16>
  %Y = tile.view %y sizes() strides() : !tile.view<64xf32, vector = 4>
  // CHECK: %[[T:.+]] = tile.load
  // CHECK: tile.local_store %[[T]], %[[RING]][%{{.*}}] : tensor<32x64xf32, #[[$T]]>
  // CHECK: %[[MOVED:.+]] = tile.local_load %[[RING]][%{{.*}}] : {{.*}} -> tensor<32x64xf32, #[[$L]]>
  // CHECK: tile.reduce add %[[T]] dim 1 : tensor<32x64xf32, #[[$T]]>
  // CHECK: tile.reduce add %[[MOVED]] dim 0 : tensor<32x64xf32, #[[$L]]> -> tensor<64xf32, #[[$C]]>
  %t = tile.load %X[%c0, %c0] : !tile.view<64x64xf32, vector = 16> -> tensor<32x64xf32>
  %r = tile.reduce add %t dim 1 : tensor<32x64xf32> -> tensor<32xf32>
  %c = tile.reduce add %t dim 0 : tensor<32x64xf32> -> tensor<64xf32>
  tile.store %r, %Y[%c0] : tensor<32xf32>, !tile.view<64xf32, vector = 4>
  tile.store %c, %Y[%c0] : tensor<64xf32>, !tile.view<64xf32, vector = 4>
  tile.return
}

// -----

// A layout that is written down stands. Moving registers within a lane stays a conversion; between lanes it becomes a
// trip through LDS, for masks as bytes.
#swapped = #tile.linear<register = [[0, 2], [0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], wave = [], shape = [32, 8]>
#other = #tile.linear<register = [[16, 0], [0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 2], [0, 4]], wave = [], shape = [32, 8]>
// CHECK-DAG: #[[$S:.+]] = #tile.linear<register = {{\[}}[0, 2], [0, 1]],
// CHECK-DAG: #[[$O:.+]] = #tile.linear<register = {{\[}}[16, 0], [0, 1]],
// CHECK-DAG: #[[$T:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2]], lane = {{\[}}[1, 0]
// CHECK-LABEL: tile.kernel @convert
tile.kernel @convert(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 32 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<32x8xf32, vector = 16>
  %t = tile.load %X[%c0, %c0] : !tile.view<32x8xf32, vector = 16> -> tensor<32x8xf32, #swapped>
  // CHECK: tile.convert_layout %{{.*}} : tensor<32x8xf32, #[[$S]]> -> tensor<32x8xf32, #[[$T]]>
  %u = tile.convert_layout %t : tensor<32x8xf32, #swapped> -> tensor<32x8xf32, #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], wave = [], shape = [32, 8]>>
  tile.store %u, %X[%c0, %c0] : tensor<32x8xf32, #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], wave = [], shape = [32, 8]>>, !tile.view<32x8xf32, vector = 16>
  // CHECK: tile.local_store %{{.*}} : tensor<32x8xf32, #[[$S]]>
  // CHECK: tile.local_load %{{.*}} -> tensor<32x8xf32, #[[$O]]>
  %v = tile.convert_layout %t : tensor<32x8xf32, #swapped> -> tensor<32x8xf32, #other>
  tile.store %v, %X[%c0, %c0] : tensor<32x8xf32, #other>, !tile.view<32x8xf32, vector = 16>
  %mask = arith.cmpf olt, %t, %t : tensor<32x8xf32, #swapped>
  // CHECK: %[[BYTES:.+]] = arith.extui %{{.*}} : tensor<32x8xi1, #[[$S]]> to tensor<32x8xi8, #[[$S]]>
  // CHECK: tile.local_store %[[BYTES]]
  // CHECK: %[[MOVED:.+]] = tile.local_load %{{.*}} -> tensor<32x8xi8, #[[$O]]>
  // CHECK: arith.trunci %[[MOVED]] : tensor<32x8xi8, #[[$O]]> to tensor<32x8xi1, #[[$O]]>
  %moved = tile.convert_layout %mask : tensor<32x8xi1, #swapped> -> tensor<32x8xi1, #other>
  %w = arith.select %moved, %v, %v : tensor<32x8xi1, #other>, tensor<32x8xf32, #other>
  tile.store %w, %X[%c0, %c0] : tensor<32x8xf32, #other>, !tile.view<32x8xf32, vector = 16>
  tile.return
}
