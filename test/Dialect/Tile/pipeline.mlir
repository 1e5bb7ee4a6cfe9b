// RUN: lowp-opt %s --tile-pipeline | FileCheck %s
// Prologue and steady state of loops over their dependence graph: each kernel shows one rule.

#ka = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
#kb = #tile.linear<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [0, 4], [0, 8]], shape = [32, 16]>
#kp = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 16]>
!ringA = !tile.local<16x32xf8E4M3FN, stages = 1, #ka>
!ringB = !tile.local<32x16xf8E4M3FN, stages = 1, #kb>
!ringP = !tile.local<16x16xf16, stages = 1, #kp>
!ringV = !tile.local<16x16xf16, stages = 1, #kp>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
!view16 = !tile.view<?x?xf16, vector = 16>
!out = !tile.view<?x?xf32, vector = 4>
#t = affine_map<(k, n) -> (n, k)>

// Copies run two iterations ahead of three slots; reads come before the copies that refill a slot; the slot is the number
// of the iteration. What runs ahead stays at the last iteration instead of passing the end.
// CHECK-LABEL: tile.kernel @direct_ring
// CHECK: %[[RA:.+]] = tile.alloc : <16x32xf8E4M3FN, stages = 3
// CHECK: %[[RB:.+]] = tile.alloc : <32x16xf8E4M3FN, stages = 3
// CHECK: %[[TRIPS:.+]] = arith.divui %{{.+}}, %c32
// CHECK: %[[LAST:.+]] = arith.muli %[[TRIPS]], %c32
// CHECK: tile.async_copy %{{.+}}[%c0, %c0], %[[RA]][%c0]
// CHECK: tile.async_copy %{{.+}}[%c0, %c0], %[[RB]][%c0]
// CHECK: %[[SECOND:.+]] = arith.minui %[[LAST]], %c32
// CHECK: tile.async_copy %{{.+}}[%c0, %[[SECOND]]], %[[RA]][%c1]
// CHECK: tile.async_copy %{{.+}}[%c0, %[[SECOND]]], %[[RB]][%c1]
// CHECK: scf.for %[[K:.+]] = %c0 to %{{.+}} step %c32
// CHECK-DAG: %[[TRIP:.+]] = arith.divui %[[K]], %c32
// CHECK-DAG: %[[AHEAD:.+]] = arith.addi %[[TRIP]], %c2
// CHECK-DAG: %[[THIRD:.+]] = arith.addi %[[K]], %c64
// CHECK-DAG: %[[NEXT:.+]] = arith.minui %[[THIRD]], %[[LAST]]
// CHECK: %[[A:.+]] = tile.local_load %[[RA]][%[[TRIP]]]
// CHECK: %[[B:.+]] = tile.local_load %[[RB]][%[[TRIP]]]
// CHECK: tile.async_copy %{{.+}}[%c0, %[[NEXT]]], %[[RA]][%[[AHEAD]]]
// CHECK: tile.async_copy %{{.+}}[%c0, %[[NEXT]]], %[[RB]][%[[AHEAD]]]
// CHECK: tile.mma %[[A]], %[[B]]
// CHECK-NOT: tile.stages
tile.kernel @direct_ring(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %mi: i32, %ki: i32, %ld: i64) waves(4) {
  %m = arith.index_castui %mi : i32 to index
  %k = arith.index_castui %ki : i32 to index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%m, %k) strides(%ld) : !view
  %B = tile.view %b sizes(%m, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%m, %m) strides(%ld) : !out
  %ra = tile.alloc : !ringA
  %rb = tile.alloc : !ringB
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> tensor<16x16xf32> {
    tile.async_copy %A[%c0, %i], %ra[%c0] : !view, !ringA
    %x = tile.local_load %ra[%c0] : !ringA -> tensor<16x32xf8E4M3FN>
    tile.async_copy %B[%c0, %i], %rb[%c0] map #t : !view, !ringB
    %y = tile.local_load %rb[%c0] : !ringB -> tensor<32x16xf8E4M3FN>
    %n = tile.mma %x, %y, %acc instruction [16, 16, 32] waves [1, 1, 1] : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<16x16xf32>
    scf.yield %n : tensor<16x16xf32>
  } {tile.stages = 3 : i32}
  tile.store %r, %D[%c0, %c0] : tensor<16x16xf32>, !out
  tile.return
}

// A by registers: loaded in stage 0, stored in stage 1, used in stage 2. B by copies, as late as that allows. The tile in
// flight is carried in registers.
// CHECK-LABEL: tile.kernel @registers_ring
// CHECK: %[[RA:.+]] = tile.alloc : <16x32xf8E4M3FN, stages = 2
// CHECK: %[[RB:.+]] = tile.alloc : <32x16xf8E4M3FN, stages = 2
// CHECK: %[[A0:.+]] = tile.load %{{.+}}[%c0, %c0]
// CHECK: tile.local_store %[[A0]], %[[RA]][%c0]
// CHECK-DAG: %[[A1:.+]] = tile.load %{{.+}}[%c0, %{{.+}}] staging(registers)
// CHECK-DAG: tile.async_copy %{{.+}}[%c0, %c0], %[[RB]][%c0]
// CHECK: scf.for %[[K:.+]] = %c0 to %{{.+}} step %c32 iter_args(%[[ACC:.+]] = %{{.+}}, %[[FLIGHT:.+]] = %[[A1]])
// CHECK-DAG: %[[TRIP:.+]] = arith.divui %[[K]], %c32
// CHECK-DAG: %[[AHEAD:.+]] = arith.addi %[[TRIP]], %c1
// CHECK: tile.local_load %[[RA]][%[[TRIP]]]
// CHECK: tile.local_load %[[RB]][%[[TRIP]]]
// CHECK: tile.local_store %[[FLIGHT]], %[[RA]][%[[AHEAD]]]
// CHECK: %[[LOADED:.+]] = tile.load
// CHECK: tile.async_copy %{{.+}}, %[[RB]][%[[AHEAD]]]
// CHECK: %[[R:.+]] = tile.mma
// CHECK: scf.yield %[[R]], %[[LOADED]]
tile.kernel @registers_ring(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %mi: i32, %ki: i32, %ld: i64) waves(4) {
  %m = arith.index_castui %mi : i32 to index
  %k = arith.index_castui %ki : i32 to index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%m, %k) strides(%ld) : !view
  %B = tile.view %b sizes(%m, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%m, %m) strides(%ld) : !out
  %ra = tile.alloc : !ringA
  %rb = tile.alloc : !ringB
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> tensor<16x16xf32> {
    %l = tile.load %A[%c0, %i] staging(registers) : !view -> tensor<16x32xf8E4M3FN>
    tile.local_store %l, %ra[%c0] : tensor<16x32xf8E4M3FN>, !ringA
    %x = tile.local_load %ra[%c0] : !ringA -> tensor<16x32xf8E4M3FN>
    tile.async_copy %B[%c0, %i], %rb[%c0] map #t : !view, !ringB
    %y = tile.local_load %rb[%c0] : !ringB -> tensor<32x16xf8E4M3FN>
    %n = tile.mma %x, %y, %acc instruction [16, 16, 32] waves [1, 1, 1] : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<16x16xf32>
    scf.yield %n : tensor<16x16xf32>
  } {tile.stages = 2 : i32}
  tile.store %r, %D[%c0, %c0] : tensor<16x16xf32>, !out
  tile.return
}

// With tile.read_ahead the product takes what was read from LDS one trip before.
// CHECK-LABEL: tile.kernel @read_ahead
// CHECK: %[[RA:.+]] = tile.alloc : <16x32xf8E4M3FN, stages = 2
// CHECK: tile.async_copy %{{.+}}[%c0, %c0], %[[RA]][%c0]
// CHECK: %[[X0:.+]] = tile.local_load %[[RA]][%c0]
// CHECK: tile.async_copy %{{.+}}, %[[RA]][%c1]
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}, %[[X:.+]] = %[[X0]])
// CHECK: %[[READ:.+]] = tile.local_load
// CHECK: tile.async_copy
// CHECK: %[[R:.+]] = tile.mma %[[X]],
// CHECK: scf.yield %[[R]], %[[READ]]
tile.kernel @read_ahead(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %mi: i32, %ki: i32, %ld: i64) waves(4) {
  %m = arith.index_castui %mi : i32 to index
  %k = arith.index_castui %ki : i32 to index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%m, %k) strides(%ld) : !view
  %B = tile.view %b sizes(%m, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%m, %m) strides(%ld) : !out
  %y = tile.load %B[%c0, %c0] map #t : !view -> tensor<32x16xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %ra = tile.alloc : !ringA
  %r = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> tensor<16x16xf32> {
    tile.async_copy %A[%c0, %i], %ra[%c0] : !view, !ringA
    %x = tile.local_load %ra[%c0] : !ringA -> tensor<16x32xf8E4M3FN>
    %n = tile.mma %x, %y, %acc instruction [16, 16, 32] waves [1, 1, 1] : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<16x16xf32>
    scf.yield %n : tensor<16x16xf32>
  } {tile.stages = 2 : i32, tile.read_ahead}
  tile.store %r, %D[%c0, %c0] : tensor<16x16xf32>, !out
  tile.return
}

// Tiles without staging are loaded stages - 1 iterations ahead and carried in registers, each behind the last use of the one whose
// registers it may have. The lower bound is not a constant, the loop's other attributes stay.
// CHECK-LABEL: tile.kernel @straight_to_registers
// CHECK: %[[LB:.+]] = arith.index_castui %arg3
// CHECK: tile.load {{.*}} map
// CHECK: %[[X0:.+]] = tile.load
// CHECK: %[[X1:.+]] = tile.load
// CHECK: scf.for %{{.+}} = %[[LB]] to {{.*}} iter_args(%{{.+}} = %{{.+}}, %[[A:.+]] = %[[X0]], %[[B:.+]] = %[[X1]])
// CHECK: %[[R:.+]] = tile.mma %[[A]],
// CHECK: %[[X2:.+]] = tile.load
// CHECK: scf.yield %[[R]], %[[B]], %[[X2]]
// CHECK: } {note = "kept"}
tile.kernel @straight_to_registers(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %mi: i32, %ki: i32, %ld: i64) waves(4) {
  %m = arith.index_castui %mi : i32 to index
  %k = arith.index_castui %ki : i32 to index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%m, %k) strides(%ld) : !view
  %B = tile.view %b sizes(%m, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%m, %m) strides(%ld) : !out
  %y = tile.load %B[%c0, %c0] map #t : !view -> tensor<32x16xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = scf.for %i = %m to %k step %c32 iter_args(%acc = %zero) -> tensor<16x16xf32> {
    %x = tile.load %A[%c0, %i] : !view -> tensor<16x32xf8E4M3FN>
    %n = tile.mma %x, %y, %acc instruction [16, 16, 32] waves [1, 1, 1] : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<16x16xf32>
    scf.yield %n : tensor<16x16xf32>
  } {tile.stages = 3 : i32, note = "kept"}
  tile.store %r, %D[%c0, %c0] : tensor<16x16xf32>, !out
  tile.return
}

// Not a matmul: two products in one iteration, a row maximum and two accumulators carried, and a tile that changes its layout
// by way of LDS in between (its ring keeps its one slot, and its accesses their order).
// CHECK-LABEL: tile.kernel @two_products_and_a_row_maximum
// CHECK: %[[RK:.+]] = tile.alloc : <32x16xf8E4M3FN, stages = 2
// CHECK: %[[RV:.+]] = tile.alloc : <16x16xf16, stages = 2
// CHECK: %[[RP:.+]] = tile.alloc : <16x16xf16, stages = 1
// CHECK: tile.async_copy %{{.+}}, %[[RK]][%c0]
// CHECK: tile.async_copy %{{.+}}, %[[RV]][%c0]
// CHECK-NOT: tile.local_store
// CHECK: %[[LOOP:.+]]:3 = scf.for {{.*}} iter_args(%[[MAX:.+]] = %{{.+}}, %[[SUM:.+]] = %{{.+}}, %[[O:.+]] = %{{.+}}) ->
// CHECK: %[[K:.+]] = tile.local_load %[[RK]]
// CHECK: %[[V:.+]] = tile.local_load %[[RV]]
// CHECK: tile.async_copy %{{.+}}, %[[RK]]
// CHECK: tile.async_copy %{{.+}}, %[[RV]]
// CHECK: %[[S:.+]] = tile.mma %{{.+}}, %[[K]],
// CHECK: tile.reduce max %[[S]]
// CHECK: %[[NEWMAX:.+]] = arith.maximumf
// CHECK: tile.local_store %{{.+}}, %[[RP]][%c0]
// CHECK: %[[P:.+]] = tile.local_load %[[RP]][%c0]
// CHECK: %[[NEWO:.+]] = tile.mma %[[P]], %[[V]],
// CHECK: scf.yield %[[NEWMAX]], %{{.+}}, %[[NEWO]] :
// CHECK: tile.store %[[LOOP]]#2
tile.kernel @two_products_and_a_row_maximum(%q: !llvm.ptr<1>, %kp: !llvm.ptr<1>, %vp: !llvm.ptr<1>, %d: !llvm.ptr<1>, %mi: i32, %ki: i32, %ld: i64) waves(4) {
  %m = arith.index_castui %mi : i32 to index
  %k = arith.index_castui %ki : i32 to index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %Q = tile.view %q sizes(%m, %k) strides(%ld) : !view
  %K = tile.view %kp sizes(%m, %k) strides(%ld) : !view
  %V = tile.view %vp sizes(%m, %k) strides(%ld) : !view16
  %D = tile.view %d sizes(%m, %m) strides(%ld) : !out
  %qt = tile.load %Q[%c0, %c0] : !view -> tensor<16x32xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %low = arith.constant dense<0xFF800000> : tensor<16xf32>
  %nothing = arith.constant dense<0.0> : tensor<16xf32>
  %r:3 = scf.for %i = %c0 to %k step %c16 iter_args(%max = %low, %sum = %nothing, %o = %zero) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>) {
    // Rings made inside a loop live for the whole kernel all the same.
    %rk = tile.alloc : !ringB
    %rv = tile.alloc : !ringV
    %rp = tile.alloc : !ringP
    tile.async_copy %K[%i, %c0], %rk[%c0] map #t : !view, !ringB
    %kt = tile.local_load %rk[%c0] : !ringB -> tensor<32x16xf8E4M3FN>
    %s = tile.mma %qt, %kt, %zero instruction [16, 16, 32] waves [1, 1, 1] : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<16x16xf32>
    %smax = tile.reduce max %s dim 1 : tensor<16x16xf32> -> tensor<16xf32>
    %newmax = arith.maximumf %max, %smax : tensor<16xf32>
    %change = arith.subf %max, %newmax : tensor<16xf32>
    %scale = math.exp2 %change : tensor<16xf32>
    %wide = tile.broadcast %newmax dims [0] : tensor<16xf32> -> tensor<16x16xf32>
    %shifted = arith.subf %s, %wide : tensor<16x16xf32>
    %p = math.exp2 %shifted : tensor<16x16xf32>
    %psum = tile.reduce add %p dim 1 : tensor<16x16xf32> -> tensor<16xf32>
    %scaled = arith.mulf %sum, %scale : tensor<16xf32>
    %newsum = arith.addf %scaled, %psum : tensor<16xf32>
    %ph = arith.truncf %p : tensor<16x16xf32> to tensor<16x16xf16>
    tile.local_store %ph, %rp[%c0] : tensor<16x16xf16>, !ringP
    %pa = tile.local_load %rp[%c0] : !ringP -> tensor<16x16xf16>
    tile.async_copy %V[%i, %c0], %rv[%c0] : !view16, !ringV
    %vt = tile.local_load %rv[%c0] : !ringV -> tensor<16x16xf16>
    %scales = tile.broadcast %scale dims [0] : tensor<16xf32> -> tensor<16x16xf32>
    %old = arith.mulf %o, %scales : tensor<16x16xf32>
    %newo = tile.mma %pa, %vt, %old instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    scf.yield %newmax, %newsum, %newo : tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>
  } {tile.stages = 2 : i32}
  tile.store %r#2, %D[%c0, %c0] : tensor<16x16xf32>, !out
  %sums = tile.broadcast %r#1 dims [0] : tensor<16xf32> -> tensor<16x16xf32>
  tile.store %sums, %D[%c0, %c16] : tensor<16x16xf32>, !out
  tile.return
}

// What must not happen too often stays in the last stage: one store an iteration, while loads run ahead. Address arithmetic is
// repeated for each stage rather than carried.
// CHECK-LABEL: tile.kernel @stores_stay_last
// CHECK: %[[X0:.+]] = tile.load %{{.+}}[%c0, %c0]
// CHECK-NOT: tile.store
// CHECK: scf.for %[[I:.+]] = %c0 to %{{.+}} step %c16 iter_args(%[[X:.+]] = %[[X0]]) -> (tensor<16x16xf32>)
// CHECK-DAG: %[[NOW:.+]] = arith.muli %[[I]], %c2
// CHECK-DAG: %[[AFTER:.+]] = arith.addi %[[I]], %c16
// CHECK-DAG: %[[NEXT:.+]] = arith.minui %[[AFTER]],
// CHECK-DAG: %[[THEN:.+]] = arith.muli %[[NEXT]], %c2
// CHECK: %[[Y:.+]] = arith.addf %[[X]], %[[X]]
// CHECK: %[[X1:.+]] = tile.load %{{.+}}[%c0, %[[THEN]]]
// CHECK: tile.store %[[Y]], %{{.+}}[%c0, %[[NOW]]]
// CHECK: scf.yield %[[X1]]
tile.kernel @stores_stay_last(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %mi: i32, %ki: i32, %ld: i64) waves(4) {
  %m = arith.index_castui %mi : i32 to index
  %k = arith.index_castui %ki : i32 to index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %A = tile.view %a sizes(%m, %k) strides(%ld) : !out
  %D = tile.view %d sizes(%m, %k) strides(%ld) : !out
  scf.for %i = %c0 to %k step %c16 {
    %j = arith.muli %i, %c2 : index
    %x = tile.load %A[%c0, %j] : !out -> tensor<16x16xf32>
    %y = arith.addf %x, %x : tensor<16x16xf32>
    tile.store %y, %D[%c0, %j] : tensor<16x16xf32>, !out
  } {tile.stages = 2 : i32}
  tile.return
}

// A loop without the mark, or with one stage, stays as it is.
// CHECK-LABEL: tile.kernel @one_stage
// CHECK: tile.alloc : <16x32xf8E4M3FN, stages = 1
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.kernel @one_stage(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %mi: i32, %ki: i32, %ld: i64) waves(4) {
  %m = arith.index_castui %mi : i32 to index
  %k = arith.index_castui %ki : i32 to index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%m, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%m, %k) strides(%ld) : !view
  %ra = tile.alloc : !ringA
  scf.for %i = %c0 to %k step %c32 {
    tile.async_copy %A[%c0, %i], %ra[%c0] : !view, !ringA
    %x = tile.local_load %ra[%c0] : !ringA -> tensor<16x32xf8E4M3FN>
    tile.store %x, %D[%c0, %i] : tensor<16x32xf8E4M3FN>, !view
  } {tile.stages = 1 : i32}
  tile.return
}
