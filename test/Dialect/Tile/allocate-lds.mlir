// RUN: lowp-opt %s --tile-allocate-lds=target=gfx950 | FileCheck %s
// Places of rings in LDS: largest first, each where no ring of an overlapping lifetime stands.

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
#s = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [1, 0]], shape = [2, 8]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 3, #k>
!small = !tile.local<2x8xf8E4M3FN, stages = 1, #s>
!wide = !tile.local<16x32xf32, stages = 1, #k>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>

// CHECK-LABEL: tile.kernel @copies_start_at_1024
// CHECK: tile.alloc at 1536 : <16x32xf8E4M3FN, stages = 1
// CHECK: tile.alloc at 0 : <16x32xf8E4M3FN, stages = 3
// CHECK: tile.alloc at 2048 : <16x32xf8E4M3FN, stages = 3
// CHECK: tile.alloc at 3584 : <2x8xf8E4M3FN
tile.kernel @copies_start_at_1024(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %one = tile.alloc : !tile.local<16x32xf8E4M3FN, stages = 1, #k>
  %stored = tile.alloc : !ring
  %copied = tile.alloc : !ring
  %small = tile.alloc : !small
  %x = tile.load %A[%c0, %c0] : !view -> tensor<16x32xf8E4M3FN>
  %y = tile.load %A[%c0, %c0] : !view -> tensor<2x8xf8E4M3FN>
  tile.local_store %x, %stored[%c0] : tensor<16x32xf8E4M3FN>, !ring
  tile.async_copy %A[%c0, %c0], %copied[%c0] : !view, !ring
  tile.local_store %x, %one[%c0] : tensor<16x32xf8E4M3FN>, !tile.local<16x32xf8E4M3FN, stages = 1, #k>
  tile.local_store %y, %small[%c0] : tensor<2x8xf8E4M3FN>, !small
  %u = tile.local_load %stored[%c0] : !ring -> tensor<16x32xf8E4M3FN>
  %v = tile.local_load %copied[%c0] : !ring -> tensor<16x32xf8E4M3FN>
  %w = tile.local_load %one[%c0] : !tile.local<16x32xf8E4M3FN, stages = 1, #k> -> tensor<16x32xf8E4M3FN>
  %z = tile.local_load %small[%c0] : !small -> tensor<2x8xf8E4M3FN>
  tile.return
}

// A ring that is used after the loop takes the place of one that is used in it; two rings of one loop do not share.
// CHECK-LABEL: tile.kernel @lifetimes
// CHECK: tile.alloc at 0 : <16x32xf32
// CHECK: tile.alloc at 0 : <16x32xf8E4M3FN
// CHECK: tile.alloc at 1536 : <16x32xf8E4M3FN
tile.kernel @lifetimes(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %after = tile.alloc : !wide
  %first = tile.alloc : !ring
  %second = tile.alloc : !ring
  scf.for %i = %c0 to %k step %c1 {
    %x = tile.load %A[%c0, %i] : !view -> tensor<16x32xf8E4M3FN>
    tile.local_store %x, %first[%i] : tensor<16x32xf8E4M3FN>, !ring
    %u = tile.local_load %first[%i] : !ring -> tensor<16x32xf8E4M3FN>
    tile.local_store %u, %second[%i] : tensor<16x32xf8E4M3FN>, !ring
    %v = tile.local_load %second[%i] : !ring -> tensor<16x32xf8E4M3FN>
  }
  %ones = arith.constant dense<1.0> : tensor<16x32xf32>
  tile.local_store %ones, %after[%c0] : tensor<16x32xf32>, !wide
  %w = tile.local_load %after[%c0] : !wide -> tensor<16x32xf32>
  tile.return
}

// Rings that are used one after the other take turns: each goes where the bytes have been unused longest, within what the two
// rings of the loop need anyway.
// CHECK-LABEL: tile.kernel @turns
// CHECK: tile.alloc at 0 : <16x32xf8E4M3FN, stages = 3
// CHECK: tile.alloc at 1536 : <16x32xf8E4M3FN, stages = 3
// CHECK: tile.alloc at 0 : <16x32xf8E4M3FN, stages = 1
// CHECK: tile.alloc at 512 : <16x32xf8E4M3FN, stages = 1
// CHECK: tile.alloc at 1024 : <16x32xf8E4M3FN, stages = 1
tile.kernel @turns(%n: i32) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tile.alloc : !ring
  %second = tile.alloc : !ring
  %one = tile.alloc : !tile.local<16x32xf8E4M3FN, stages = 1, #k>
  %two = tile.alloc : !tile.local<16x32xf8E4M3FN, stages = 1, #k>
  %three = tile.alloc : !tile.local<16x32xf8E4M3FN, stages = 1, #k>
  scf.for %i = %c0 to %k step %c1 {
    %u = tile.local_load %first[%i] : !ring -> tensor<16x32xf8E4M3FN>
    tile.local_store %u, %second[%i] : tensor<16x32xf8E4M3FN>, !ring
  }
  %x = arith.constant dense<1.0> : tensor<16x32xf8E4M3FN>
  tile.local_store %x, %one[%c0] : tensor<16x32xf8E4M3FN>, !tile.local<16x32xf8E4M3FN, stages = 1, #k>
  %a = tile.local_load %one[%c0] : !tile.local<16x32xf8E4M3FN, stages = 1, #k> -> tensor<16x32xf8E4M3FN>
  tile.local_store %a, %two[%c0] : tensor<16x32xf8E4M3FN>, !tile.local<16x32xf8E4M3FN, stages = 1, #k>
  %b = tile.local_load %two[%c0] : !tile.local<16x32xf8E4M3FN, stages = 1, #k> -> tensor<16x32xf8E4M3FN>
  tile.local_store %b, %three[%c0] : tensor<16x32xf8E4M3FN>, !tile.local<16x32xf8E4M3FN, stages = 1, #k>
  %c = tile.local_load %three[%c0] : !tile.local<16x32xf8E4M3FN, stages = 1, #k> -> tensor<16x32xf8E4M3FN>
  tile.return
}
