// RUN: lowp-opt %s --tile-pipeline | FileCheck %s
// The schedule by clusters: each product of a trip with the reads that later ones need, the refills of slots that are read, and a
// barrier, whose waits tile-synchronize finds. Marks of rejected loops are in pipeline-errors.mlir.

#ka = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
#kb = #tile.linear<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [0, 4], [0, 8]], shape = [32, 16]>
!ringA = !tile.local<16x32xf8E4M3FN, stages = 1, #ka>
!ringB = !tile.local<32x16xf8E4M3FN, stages = 1, #kb>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
!out = !tile.view<?x?xf32, vector = 4>
!a = tensor<16x32xf8E4M3FN>
!b = tensor<32x16xf8E4M3FN>
!c = tensor<16x16xf32>
#t = affine_map<(k, n) -> (n, k)>

// By copies, two slots: four rings, one read in each cluster, one cluster before its first use; a slot is refilled three clusters after
// its read at the least, hence most of what is copied belongs to the trip after the next.
// CHECK-LABEL: tile.kernel @direct(
// CHECK: %[[RA0:.+]] = tile.alloc : <16x32xf8E4M3FN, stages = 2
// CHECK: %[[RA1:.+]] = tile.alloc : <16x32xf8E4M3FN, stages = 2
// CHECK: %[[RB0:.+]] = tile.alloc : <32x16xf8E4M3FN, stages = 2
// CHECK: %[[RB1:.+]] = tile.alloc : <32x16xf8E4M3FN, stages = 2
// CHECK: %[[LAST:.+]] = arith.muli %{{.+}}, %c32
//   The prologue, in the order of the steady state, in clusters so that this order stays.
// CHECK: tile.cluster interleave
// CHECK-NEXT: tile.async_copy %{{.+}}[%c0, %c0], %[[RB0]][%c0]
// CHECK-NEXT: tile.yield
// CHECK: tile.cluster interleave
// CHECK-NEXT: tile.async_copy %{{.+}}[%c0, %c0], %[[RA0]][%c0]
// CHECK-NEXT: tile.yield
// CHECK: tile.cluster interleave
// CHECK-NEXT: tile.async_copy %{{.+}}[%c16, %c0], %[[RB1]][%c0]
// CHECK-NEXT: tile.yield
// CHECK: %[[SECOND:.+]] = arith.minui %[[LAST]], %c32
// CHECK: tile.cluster interleave
// CHECK-NEXT: tile.async_copy %{{.+}}[%c16, %c0], %[[RA1]][%c0]
// CHECK-NEXT: tile.yield
// CHECK: tile.cluster interleave
// CHECK-NEXT: tile.async_copy %{{.+}}[%c0, %[[SECOND]]], %[[RB0]][%c1]
// CHECK-NEXT: tile.yield
// CHECK: %[[FIRSTB:.+]] = tile.cluster interleave
// CHECK-NEXT: %[[X:.+]] = tile.local_load %[[RB0]][%c0]
// CHECK-NEXT: tile.async_copy %{{.+}}[%c0, %[[SECOND]]], %[[RA0]][%c1]
// CHECK-NEXT: tile.yield
// CHECK: %[[FIRSTA:.+]] = tile.cluster interleave
// CHECK-NEXT: %[[X:.+]] = tile.local_load %[[RA0]][%c0]
// CHECK-NEXT: tile.async_copy %{{.+}}[%c16, %[[SECOND]]], %[[RB1]][%c1]
// CHECK-NEXT: tile.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: %{{.+}} = scf.for %[[K:.+]] = %c0 to %{{.+}} step %c32 iter_args(%[[S00:.+]] = %{{.+}}, %[[S01:.+]] = %{{.+}}, %[[S10:.+]] = %{{.+}}, %[[S11:.+]] = %{{.+}}, %[[A0:.+]] = %[[FIRSTA]], %[[B0:.+]] = %[[FIRSTB]])
// CHECK-DAG: %[[TRIP:.+]] = arith.divui %[[K]], %c32
// CHECK-DAG: %[[NEXT:.+]] = arith.addi %[[TRIP]], %c1
// CHECK-DAG: %[[AFTER:.+]] = arith.addi %[[TRIP]], %c2
// CHECK-DAG: %[[K2:.+]] = arith.addi %[[K]], %c64
// CHECK-DAG: %[[TWOAHEAD:.+]] = arith.minui %[[K2]], %[[LAST]]
// CHECK-DAG: %[[K1:.+]] = arith.addi %[[K]], %c32
// CHECK-DAG: %[[ONEAHEAD:.+]] = arith.minui %[[K1]], %[[LAST]]
// CHECK: %[[C0:.+]]:2 = tile.cluster interleave
// CHECK-NEXT: %[[X0:.+]] = tile.local_load %[[RB1]][%[[TRIP]]]
// CHECK-NEXT: tile.async_copy %{{.+}}[%c16, %[[ONEAHEAD]]], %[[RA1]][%[[NEXT]]]
// CHECK-NEXT: %[[P0:.+]] = tile.mma %[[A0]], %[[B0]], %[[S00]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: tile.yield %[[X0]], %[[P0]]
// CHECK: %[[C1:.+]]:2 = tile.cluster interleave
// CHECK-NEXT: %[[X1:.+]] = tile.local_load %[[RA1]][%[[TRIP]]]
// CHECK-NEXT: tile.async_copy %{{.+}}[%c0, %[[TWOAHEAD]]], %[[RB0]][%[[AFTER]]]
// CHECK-NEXT: %[[P1:.+]] = tile.mma %[[A0]], %[[C0]]#0, %[[S01]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: tile.yield %[[X1]], %[[P1]]
// CHECK: %[[C2:.+]]:2 = tile.cluster interleave
// CHECK-NEXT: %[[X2:.+]] = tile.local_load %[[RB0]][%[[NEXT]]]
// CHECK-NEXT: tile.async_copy %{{.+}}[%c0, %[[TWOAHEAD]]], %[[RA0]][%[[AFTER]]]
// CHECK-NEXT: %[[P2:.+]] = tile.mma %[[C1]]#0, %[[C0]]#0, %[[S11]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: tile.yield %[[X2]], %[[P2]]
// CHECK: %[[C3:.+]]:2 = tile.cluster interleave
// CHECK-NEXT: %[[X3:.+]] = tile.local_load %[[RA0]][%[[NEXT]]]
// CHECK-NEXT: tile.async_copy %{{.+}}[%c16, %[[TWOAHEAD]]], %[[RB1]][%[[AFTER]]]
// CHECK-NEXT: %[[P3:.+]] = tile.mma %[[C1]]#0, %[[B0]], %[[S10]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: tile.yield %[[X3]], %[[P3]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[C0]]#1, %[[C1]]#1, %[[C3]]#1, %[[C2]]#1, %[[C3]]#0, %[[C2]]#0
// CHECK-NOT: tile.order
// CHECK-NOT: tile.stages
tile.kernel @direct(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %mi: i32, %ki: i32, %ld: i64) waves(4) {
  %m = arith.index_castui %mi : i32 to index
  %k = arith.index_castui %ki : i32 to index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%m, %k) strides(%ld) : !view
  %B = tile.view %b sizes(%m, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%m, %m) strides(%ld) : !out
  %ra0 = tile.alloc : !ringA
  %ra1 = tile.alloc : !ringA
  %rb0 = tile.alloc : !ringB
  %rb1 = tile.alloc : !ringB
  %zero = arith.constant dense<0.0> : !c
  %r:4 = scf.for %i = %c0 to %k step %c32 iter_args(%s00 = %zero, %s01 = %zero, %s10 = %zero, %s11 = %zero) -> (!c, !c, !c, !c) {
    tile.async_copy %A[%c0, %i], %ra0[%c0] : !view, !ringA
    %a0 = tile.local_load %ra0[%c0] : !ringA -> !a
    tile.async_copy %A[%c16, %i], %ra1[%c0] : !view, !ringA
    %a1 = tile.local_load %ra1[%c0] : !ringA -> !a
    tile.async_copy %B[%c0, %i], %rb0[%c0] map #t : !view, !ringB
    %b0 = tile.local_load %rb0[%c0] : !ringB -> !b
    tile.async_copy %B[%c16, %i], %rb1[%c0] map #t : !view, !ringB
    %b1 = tile.local_load %rb1[%c0] : !ringB -> !b
    %n00 = tile.mma %a0, %b0, %s00 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    %n01 = tile.mma %a0, %b1, %s01 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    %n11 = tile.mma %a1, %b1, %s11 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    %n10 = tile.mma %a1, %b0, %s10 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    scf.yield %n00, %n01, %n10, %n11 : !c, !c, !c, !c
  } {tile.stages = 2 : i32, tile.order = 1 : i32}
  tile.store %r#0, %D[%c0, %c0] : !c, !out
  tile.store %r#1, %D[%c0, %c16] : !c, !out
  tile.store %r#2, %D[%c16, %c0] : !c, !out
  tile.store %r#3, %D[%c16, %c16] : !c, !out
  tile.return
}

// Through registers, one slot: a write comes two clusters after the slot's last read, at the start of its cluster, and the load of the
// trip after the next goes into the registers that it has freed.
// CHECK-LABEL: tile.kernel @registers(
// CHECK: %[[RA0:.+]] = tile.alloc : <16x32xf8E4M3FN, stages = 1
// CHECK: %[[RA1:.+]] = tile.alloc : <16x32xf8E4M3FN, stages = 1
// CHECK: %[[RB0:.+]] = tile.alloc : <32x16xf8E4M3FN, stages = 1
// CHECK: %[[RB1:.+]] = tile.alloc : <32x16xf8E4M3FN, stages = 1
// CHECK: %[[LAST:.+]] = arith.muli %{{.+}}, %c32
// CHECK: %[[FB0:.+]] = tile.cluster interleave
// CHECK-NEXT: %[[L:.+]] = tile.load %{{.+}}[%c0, %c0]
// CHECK-NEXT: tile.yield
// CHECK: %[[FA0:.+]] = tile.cluster interleave
// CHECK-NEXT: %[[L:.+]] = tile.load %{{.+}}[%c0, %c0]
// CHECK-NEXT: tile.yield
// CHECK: %[[FB1:.+]] = tile.cluster interleave
// CHECK-NEXT: %[[L:.+]] = tile.load %{{.+}}[%c16, %c0]
// CHECK-NEXT: tile.yield
// CHECK: %[[FA1:.+]] = tile.cluster interleave
// CHECK-NEXT: %[[L:.+]] = tile.load %{{.+}}[%c16, %c0]
// CHECK-NEXT: tile.yield
// CHECK: %[[SECOND:.+]] = arith.minui %[[LAST]], %c32
// CHECK: %[[NB0:.+]] = tile.cluster interleave
// CHECK-NEXT: tile.local_store %[[FB0]], %[[RB0]][%c0]
// CHECK-NEXT: %[[L:.+]] = tile.load %{{.+}}[%c0, %[[SECOND]]]
// CHECK-NEXT: tile.yield
// CHECK: %[[NA0:.+]] = tile.cluster interleave
// CHECK-NEXT: tile.local_store %[[FA0]], %[[RA0]][%c0]
// CHECK-NEXT: %[[L:.+]] = tile.load %{{.+}}[%c0, %[[SECOND]]]
// CHECK-NEXT: tile.yield
// CHECK: %[[NB1:.+]]:2 = tile.cluster interleave
// CHECK-NEXT: tile.local_store %[[FB1]], %[[RB1]][%c0]
// CHECK-NEXT: %[[X:.+]] = tile.local_load %[[RB0]][%c0]
// CHECK-NEXT: %[[L:.+]] = tile.load %{{.+}}[%c16, %[[SECOND]]]
// CHECK-NEXT: tile.yield
// CHECK: %[[NA1:.+]]:2 = tile.cluster interleave
// CHECK-NEXT: tile.local_store %[[FA1]], %[[RA1]][%c0]
// CHECK-NEXT: %[[X:.+]] = tile.local_load %[[RA0]][%c0]
// CHECK-NEXT: %[[L:.+]] = tile.load %{{.+}}[%c16, %[[SECOND]]]
// CHECK-NEXT: tile.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: %{{.+}} = scf.for %[[K:.+]] = %c0 to %{{.+}} step %c32 iter_args(%[[S00:.+]] = %{{.+}}, %[[S01:.+]] = %{{.+}}, %[[S10:.+]] = %{{.+}}, %[[S11:.+]] = %{{.+}}, %[[LB0:.+]] = %[[NB0]], %[[A0:.+]] = %[[NA1]]#0, %[[B0:.+]] = %[[NB1]]#0, %[[LA0:.+]] = %[[NA0]], %[[LB1:.+]] = %[[NB1]]#1, %[[LA1:.+]] = %[[NA1]]#1)
// CHECK: %[[AHEAD:.+]] = arith.minui %{{.+}}, %[[LAST]]
// CHECK: %[[C0:.+]]:3 = tile.cluster interleave
// CHECK-NEXT: tile.local_store %[[LB0]], %[[RB0]][%c0]
// CHECK-NEXT: %[[X0:.+]] = tile.local_load %[[RB1]][%c0]
// CHECK-NEXT: %[[Y0:.+]] = tile.load %{{.+}}[%c0, %[[AHEAD]]]
// CHECK-NEXT: %[[P0:.+]] = tile.mma %[[A0]], %[[B0]], %[[S00]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: tile.yield %[[X0]], %[[Y0]], %[[P0]]
// CHECK: %[[C1:.+]]:3 = tile.cluster interleave
// CHECK-NEXT: tile.local_store %[[LA0]], %[[RA0]][%c0]
// CHECK-NEXT: %[[X1:.+]] = tile.local_load %[[RA1]][%c0]
// CHECK-NEXT: %[[Y1:.+]] = tile.load %{{.+}}[%c0, %[[AHEAD]]]
// CHECK-NEXT: %[[P1:.+]] = tile.mma %[[A0]], %[[C0]]#0, %[[S01]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: tile.yield %[[X1]], %[[Y1]], %[[P1]]
// CHECK: %[[C2:.+]]:3 = tile.cluster interleave
// CHECK-NEXT: tile.local_store %[[LB1]], %[[RB1]][%c0]
// CHECK-NEXT: %[[X2:.+]] = tile.local_load %[[RB0]][%c0]
// CHECK-NEXT: %[[Y2:.+]] = tile.load %{{.+}}[%c16, %[[AHEAD]]]
// CHECK-NEXT: %[[P2:.+]] = tile.mma %[[C1]]#0, %[[C0]]#0, %[[S11]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: tile.yield %[[X2]], %[[Y2]], %[[P2]]
// CHECK: %[[C3:.+]]:3 = tile.cluster interleave
// CHECK-NEXT: tile.local_store %[[LA1]], %[[RA1]][%c0]
// CHECK-NEXT: %[[X3:.+]] = tile.local_load %[[RA0]][%c0]
// CHECK-NEXT: %[[Y3:.+]] = tile.load %{{.+}}[%c16, %[[AHEAD]]]
// CHECK-NEXT: %[[P3:.+]] = tile.mma %[[C1]]#0, %[[B0]], %[[S10]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: tile.yield %[[X3]], %[[Y3]], %[[P3]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[C0]]#2, %[[C1]]#2, %[[C3]]#2, %[[C2]]#2, %[[C0]]#1, %[[C3]]#0, %[[C2]]#0, %[[C1]]#1, %[[C2]]#1, %[[C3]]#1
tile.kernel @registers(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %mi: i32, %ki: i32, %ld: i64) waves(4) {
  %m = arith.index_castui %mi : i32 to index
  %k = arith.index_castui %ki : i32 to index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%m, %k) strides(%ld) : !view
  %B = tile.view %b sizes(%m, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%m, %m) strides(%ld) : !out
  %ra0 = tile.alloc : !ringA
  %ra1 = tile.alloc : !ringA
  %rb0 = tile.alloc : !ringB
  %rb1 = tile.alloc : !ringB
  %zero = arith.constant dense<0.0> : !c
  %r:4 = scf.for %i = %c0 to %k step %c32 iter_args(%s00 = %zero, %s01 = %zero, %s10 = %zero, %s11 = %zero) -> (!c, !c, !c, !c) {
    %la0 = tile.load %A[%c0, %i] staging(registers) : !view -> !a
    tile.local_store %la0, %ra0[%c0] : !a, !ringA
    %a0 = tile.local_load %ra0[%c0] : !ringA -> !a
    %la1 = tile.load %A[%c16, %i] staging(registers) : !view -> !a
    tile.local_store %la1, %ra1[%c0] : !a, !ringA
    %a1 = tile.local_load %ra1[%c0] : !ringA -> !a
    %lb0 = tile.load %B[%c0, %i] map #t staging(registers) : !view -> !b
    tile.local_store %lb0, %rb0[%c0] : !b, !ringB
    %b0 = tile.local_load %rb0[%c0] : !ringB -> !b
    %lb1 = tile.load %B[%c16, %i] map #t staging(registers) : !view -> !b
    tile.local_store %lb1, %rb1[%c0] : !b, !ringB
    %b1 = tile.local_load %rb1[%c0] : !ringB -> !b
    %n00 = tile.mma %a0, %b0, %s00 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    %n01 = tile.mma %a0, %b1, %s01 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    %n11 = tile.mma %a1, %b1, %s11 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    %n10 = tile.mma %a1, %b0, %s10 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    scf.yield %n00, %n01, %n10, %n11 : !c, !c, !c, !c
  } {tile.stages = 1 : i32, tile.order = 1 : i32}
  tile.store %r#0, %D[%c0, %c0] : !c, !out
  tile.store %r#1, %D[%c0, %c16] : !c, !out
  tile.store %r#2, %D[%c16, %c0] : !c, !out
  tile.store %r#3, %D[%c16, %c16] : !c, !out
  tile.return
}

// Taking turns: a product's reads stand in its own cluster with a barrier behind them, the second read of the first product one cluster
// before; a slot is refilled one cluster after its read. Half of the waves are behind in the loop.
// CHECK-LABEL: tile.kernel @turns(
// CHECK: %[[RA0:.+]] = tile.alloc : <16x32xf8E4M3FN, stages = 2
// CHECK: %[[RA1:.+]] = tile.alloc : <16x32xf8E4M3FN, stages = 2
// CHECK: %[[RB0:.+]] = tile.alloc : <32x16xf8E4M3FN, stages = 2
// CHECK: %[[RB1:.+]] = tile.alloc : <32x16xf8E4M3FN, stages = 2
// CHECK: %[[FIRSTB:.+]] = tile.cluster pingpong
// CHECK-NEXT: %[[X:.+]] = tile.local_load %[[RB0]][%c0]
// CHECK-NEXT: tile.async_copy %{{.+}}[%c16, %{{.+}}], %[[RA1]][%c1]
// CHECK-NEXT: tile.yield %[[X]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: tile.stagger begin
// CHECK-NEXT: %{{.+}} = scf.for %[[K:.+]] = %c0 to %{{.+}} step %c32 iter_args(%[[S00:.+]] = %{{.+}}, %[[S01:.+]] = %{{.+}}, %[[S10:.+]] = %{{.+}}, %[[S11:.+]] = %{{.+}}, %[[B0:.+]] = %[[FIRSTB]])
// CHECK-DAG: %[[TRIP:.+]] = arith.divui %[[K]], %c32
// CHECK-DAG: %[[NEXT:.+]] = arith.addi %[[TRIP]], %c1
// CHECK-DAG: %[[AFTER:.+]] = arith.addi %[[TRIP]], %c2
// CHECK: %[[C0:.+]]:2 = tile.cluster pingpong
// CHECK-NEXT: %[[A0:.+]] = tile.local_load %[[RA0]][%[[TRIP]]]
// CHECK-NEXT: tile.async_copy %{{.+}}, %[[RB0]][%[[AFTER]]]
// CHECK-NEXT: tile.barrier {tile.derived}
// CHECK-NEXT: %[[P0:.+]] = tile.mma %[[A0]], %[[B0]], %[[S00]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK-NEXT: tile.yield %[[A0]], %[[P0]]
// CHECK: %[[C1:.+]]:2 = tile.cluster pingpong
// CHECK-NEXT: %[[B1:.+]] = tile.local_load %[[RB1]][%[[TRIP]]]
// CHECK-NEXT: tile.async_copy %{{.+}}, %[[RA0]][%[[AFTER]]]
// CHECK-NEXT: tile.barrier {tile.derived}
// CHECK-NEXT: tile.mma %[[C0]]#0, %[[B1]], %[[S01]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK: %[[C2:.+]]:2 = tile.cluster pingpong
// CHECK-NEXT: %[[A1:.+]] = tile.local_load %[[RA1]][%[[TRIP]]]
// CHECK-NEXT: tile.async_copy %{{.+}}, %[[RB1]][%[[AFTER]]]
// CHECK-NEXT: tile.barrier {tile.derived}
// CHECK-NEXT: tile.mma %[[A1]], %[[C1]]#0, %[[S11]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK: %[[C3:.+]]:2 = tile.cluster pingpong
// CHECK-NEXT: %[[NEXTB:.+]] = tile.local_load %[[RB0]][%[[NEXT]]]
// CHECK-NEXT: tile.async_copy %{{.+}}, %[[RA1]][%[[AFTER]]]
// CHECK-NEXT: tile.barrier {tile.derived}
// CHECK-NEXT: tile.mma %[[C2]]#0, %[[B0]], %[[S10]]
// CHECK-NEXT: tile.barrier local(15) {tile.derived}
// CHECK: scf.yield %[[C0]]#1, %[[C1]]#1, %[[C3]]#1, %[[C2]]#1, %[[C3]]#0
// CHECK-NEXT: }
// CHECK-NEXT: tile.stagger end
tile.kernel @turns(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %mi: i32, %ki: i32, %ld: i64) waves(8) {
  %m = arith.index_castui %mi : i32 to index
  %k = arith.index_castui %ki : i32 to index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%m, %k) strides(%ld) : !view
  %B = tile.view %b sizes(%m, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%m, %m) strides(%ld) : !out
  %ra0 = tile.alloc : !ringA
  %ra1 = tile.alloc : !ringA
  %rb0 = tile.alloc : !ringB
  %rb1 = tile.alloc : !ringB
  %zero = arith.constant dense<0.0> : !c
  %r:4 = scf.for %i = %c0 to %k step %c32 iter_args(%s00 = %zero, %s01 = %zero, %s10 = %zero, %s11 = %zero) -> (!c, !c, !c, !c) {
    tile.async_copy %A[%c0, %i], %ra0[%c0] : !view, !ringA
    %a0 = tile.local_load %ra0[%c0] : !ringA -> !a
    tile.async_copy %A[%c16, %i], %ra1[%c0] : !view, !ringA
    %a1 = tile.local_load %ra1[%c0] : !ringA -> !a
    tile.async_copy %B[%c0, %i], %rb0[%c0] map #t : !view, !ringB
    %b0 = tile.local_load %rb0[%c0] : !ringB -> !b
    tile.async_copy %B[%c16, %i], %rb1[%c0] map #t : !view, !ringB
    %b1 = tile.local_load %rb1[%c0] : !ringB -> !b
    %n00 = tile.mma %a0, %b0, %s00 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    %n01 = tile.mma %a0, %b1, %s01 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    %n11 = tile.mma %a1, %b1, %s11 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    %n10 = tile.mma %a1, %b0, %s10 instruction [16, 16, 32] waves [1, 1, 1] : !a, !b, !c
    scf.yield %n00, %n01, %n10, %n11 : !c, !c, !c, !c
  } {tile.stages = 2 : i32, tile.order = 2 : i32}
  tile.store %r#0, %D[%c0, %c0] : !c, !out
  tile.store %r#1, %D[%c0, %c16] : !c, !out
  tile.store %r#2, %D[%c16, %c0] : !c, !out
  tile.store %r#3, %D[%c16, %c16] : !c, !out
  tile.return
}
