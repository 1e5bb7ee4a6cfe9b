// RUN: lowp-opt %s --tile-verify-synchronization=slack | FileCheck %s
// What the proof stands without is marked, each part on its own. A copy of these tiles is one instruction a wave.

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 3, #k>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>

// Nothing may be weaker but the last wait, which s_endpgm does as well.
// CHECK-LABEL: tile.kernel @exact
// CHECK: scf.for
// CHECK: tile.wait copies(1){{$}}
// CHECK-NEXT: tile.barrier{{$}}
// CHECK: tile.wait copies(0) {tile.slack = ["copies"]}
tile.kernel @exact(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !ring
  tile.async_copy %A[%c0, %c0], %r[%c1] : !view, !ring
  scf.for %i = %c0 to %k step %c1 {
    %ahead = arith.addi %i, %c2 : index
    tile.wait copies(1)
    tile.barrier
    %x = tile.local_load %r[%i] : !ring -> tensor<16x32xf8E4M3FN>
    tile.async_copy %A[%c0, %c0], %r[%ahead] : !view, !ring
    tile.store %x, %D[%c0, %i] : tensor<16x32xf8E4M3FN>, !view
  }
  tile.wait copies(0)
  tile.return
}

// A wait for more than is needed, and two barriers of which either one would do.
// CHECK-LABEL: tile.kernel @more_than_needed
// CHECK: tile.wait copies(0) {tile.slack = ["copies"]}
// CHECK-NEXT: tile.barrier {tile.slack = ["barrier", "local"]}
// CHECK-NEXT: tile.barrier {tile.slack = ["barrier", "local"]}
tile.kernel @more_than_needed(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !ring
  tile.async_copy %A[%c0, %c0], %r[%c1] : !view, !ring
  scf.for %i = %c0 to %k step %c1 {
    %ahead = arith.addi %i, %c2 : index
    tile.wait copies(0)
    tile.barrier
    tile.barrier
    %x = tile.local_load %r[%i] : !ring -> tensor<16x32xf8E4M3FN>
    tile.async_copy %A[%c0, %c0], %r[%ahead] : !view, !ring
    tile.store %x, %D[%c0, %i] : tensor<16x32xf8E4M3FN>, !view
  }
  tile.wait copies(0)
  tile.return
}
