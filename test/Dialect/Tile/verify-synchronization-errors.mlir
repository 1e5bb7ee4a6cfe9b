// RUN: lowp-opt %s --tile-verify-synchronization --split-input-file --verify-diagnostics
// The steady state of synchronize.mlir and others, each with one thing taken away.

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 3, #k>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
tile.kernel @count_too_high(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  // expected-note @+1 {{the other access is here, and 1 copy instructions may be all that is issued after it}}
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !ring
  // expected-note @+1 {{the other access is here, and 1 copy instructions may be all that is issued after it}}
  tile.async_copy %A[%c0, %c0], %r[%c1] : !view, !ring
  scf.for %i = %c0 to %k step %c1 {
    %ahead = arith.addi %i, %c2 : index
    tile.wait copies(2)
    tile.barrier
    // expected-error @+1 {{'tile.local_load' op may read LDS that a copy in flight is still to fill: no tile.wait covers it}}
    %x = tile.local_load %r[%i] : !ring -> tensor<16x32xf8E4M3FN>
    // expected-note @+1 {{the other access is here, and 1 copy instructions may be all that is issued after it}}
    tile.async_copy %A[%c0, %c0], %r[%ahead] : !view, !ring
    tile.store %x, %D[%c0, %i] : tensor<16x32xf8E4M3FN>, !view
  }
  tile.wait copies(0)
  tile.return
}

// -----

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 3, #k>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
// The copies follow the reads of their trip, but go one slot too near: only the third trip and later show it.
tile.kernel @slot_still_read(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %ld: i64) waves(4) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %A = tile.view %a sizes(%c5, %c5) strides(%ld) : !view
  %D = tile.view %d sizes(%c5, %c5) strides(%ld) : !view
  %r = tile.alloc : !ring
  scf.for %i = %c0 to %c5 step %c1 {
    %ahead = arith.addi %i, %c3 : index
    tile.wait copies(0)
    tile.barrier
    // expected-note @+1 {{the other access is here}}
    %x = tile.local_load %r[%i] : !ring -> tensor<16x32xf8E4M3FN>
    // expected-error @+1 {{'tile.async_copy' op may overwrite LDS that another wave is still reading: no tile.barrier in between}}
    tile.async_copy %A[%c0, %c0], %r[%ahead] : !view, !ring
    tile.store %x, %D[%c0, %i] : tensor<16x32xf8E4M3FN>, !view
  }
  tile.wait copies(0)
  tile.return
}

// -----

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 1, #k>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
tile.kernel @no_barrier_after_the_wait(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  // expected-note @+1 {{the other access is here}}
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !ring
  tile.barrier
  tile.wait copies(0)
  // expected-error @+1 {{'tile.local_load' op may read LDS that another wave's part of a copy is still to fill: no tile.barrier follows the tile.wait}}
  %x = tile.local_load %r[%c0] : !ring -> tensor<16x32xf8E4M3FN>
  tile.return
}

// -----

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 1, #k>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
tile.kernel @barrier_in_one_branch(%a: !llvm.ptr<1>, %n: i32, %c: i1, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  %x = tile.load %A[%c0, %c0] : !view -> tensor<16x32xf8E4M3FN>
  // expected-note @+1 {{the other access is here}}
  tile.local_store %x, %r[%c0] : tensor<16x32xf8E4M3FN>, !ring
  scf.if %c {
    tile.barrier
  }
  // expected-error @+1 {{'tile.local_load' op may read LDS that another wave is still writing: no tile.barrier in between}}
  %y = tile.local_load %r[%c0] : !ring -> tensor<16x32xf8E4M3FN>
  tile.return
}

// -----

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 1, #k>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
tile.kernel @copy_at_the_end(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  // expected-note @+1 {{the copy is here}}
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !ring
  // expected-error @+1 {{'tile.return' op may end the kernel with a copy in flight: no tile.wait covers it}}
  tile.return
}
// -----

#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 64]>
#rows = #tile.linear<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], wave = [[0, 0], [0, 0]], shape = [16, 64], fragment = 16>
!two = !tile.local<16x64xf8E4M3FN, stages = 2, #lds>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
!tile = tensor<16x64xf8E4M3FN, #rows>
// The schedule of synchronize-clusters.mlir, one instruction more in flight than its second cluster may leave.
tile.kernel @count_too_high_in_a_cluster(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r0 = tile.alloc : !two
  %r1 = tile.alloc : !two
  %r2 = tile.alloc : !two
  %r3 = tile.alloc : !two
  tile.async_copy %A[%c0, %c0], %r0[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r1[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r2[%c0] : !view, !two
  // expected-note @+1 {{the other access is here, and 4 copy instructions may be all that is issued after it}}
  tile.async_copy %A[%c0, %c0], %r3[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r0[%c1] : !view, !two
  tile.wait copies(3)
  tile.barrier
  scf.for %t = %c0 to %k step %c1 {
    %t1 = arith.addi %t, %c1 : index
    %t2 = arith.addi %t, %c2 : index
    %x0 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r0[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r1[%t1] : !view, !two
      tile.yield %y : !tile
    }
    %x1 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r1[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r2[%t1] : !view, !two
      tile.wait copies(4)
      tile.barrier local(1)
      tile.yield %y : !tile
    }
    %x2 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r2[%t] : !two -> !tile
      // expected-note @+1 {{the other access is here, and 4 copy instructions may be all that is issued after it}}
      tile.async_copy %A[%c0, %t], %r3[%t1] : !view, !two
      tile.yield %y : !tile
    }
    %x3 = tile.cluster interleave -> !tile {
      // expected-error @+1 {{'tile.local_load' op may read LDS that a copy in flight is still to fill: no tile.wait covers it}}
      %y = tile.local_load %r3[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r0[%t2] : !view, !two
      tile.wait copies(3)
      tile.barrier local(1)
      tile.yield %y : !tile
    }
    tile.store %x0, %D[%c0, %t] : !tile, !view
    tile.store %x1, %D[%c0, %t] : !tile, !view
    tile.store %x2, %D[%c0, %t] : !tile, !view
    tile.store %x3, %D[%c0, %t] : !tile, !view
  }
  tile.wait copies(0)
  tile.return
}

// -----

#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 64]>
#rows = #tile.linear<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], wave = [[0, 0], [0, 0]], shape = [16, 64], fragment = 16>
!two = !tile.local<16x64xf8E4M3FN, stages = 2, #lds>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
!tile = tensor<16x64xf8E4M3FN, #rows>
tile.kernel @no_barrier_in_the_second_cluster(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r0 = tile.alloc : !two
  %r1 = tile.alloc : !two
  %r2 = tile.alloc : !two
  %r3 = tile.alloc : !two
  tile.async_copy %A[%c0, %c0], %r0[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r1[%c0] : !view, !two
  // expected-note @+1 {{the other access is here}}
  tile.async_copy %A[%c0, %c0], %r2[%c0] : !view, !two
  // expected-note @+1 {{the other access is here}}
  tile.async_copy %A[%c0, %c0], %r3[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r0[%c1] : !view, !two
  tile.wait copies(3)
  tile.barrier
  scf.for %t = %c0 to %k step %c1 {
    %t1 = arith.addi %t, %c1 : index
    %t2 = arith.addi %t, %c2 : index
    %x0 = tile.cluster interleave -> !tile {
      // expected-note @+1 {{the other access is here}}
      %y = tile.local_load %r0[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r1[%t1] : !view, !two
      tile.yield %y : !tile
    }
    %x1 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r1[%t] : !two -> !tile
      // expected-note @+1 {{the other access is here}}
      tile.async_copy %A[%c0, %t], %r2[%t1] : !view, !two
      tile.wait copies(3)
      tile.yield %y : !tile
    }
    %x2 = tile.cluster interleave -> !tile {
      // expected-error @+1 {{'tile.local_load' op may read LDS that another wave's part of a copy is still to fill: no tile.barrier follows the tile.wait}}
      %y = tile.local_load %r2[%t] : !two -> !tile
      // expected-note @+2 {{the other access is here}}
      // expected-error @+1 {{'tile.async_copy' op may overwrite LDS that another wave is still reading: no tile.barrier in between}}
      tile.async_copy %A[%c0, %t], %r3[%t1] : !view, !two
      tile.yield %y : !tile
    }
    %x3 = tile.cluster interleave -> !tile {
      // expected-note @+2 {{the other access is here}}
      // expected-error @+1 {{'tile.local_load' op may read LDS that another wave's part of a copy is still to fill: no tile.barrier follows the tile.wait}}
      %y = tile.local_load %r3[%t] : !two -> !tile
      // expected-error @+1 {{'tile.async_copy' op may overwrite LDS that another wave is still reading: no tile.barrier in between}}
      tile.async_copy %A[%c0, %t], %r0[%t2] : !view, !two
      tile.wait copies(3)
      tile.barrier local(1)
      tile.yield %y : !tile
    }
    tile.store %x0, %D[%c0, %t] : !tile, !view
    tile.store %x1, %D[%c0, %t] : !tile, !view
    tile.store %x2, %D[%c0, %t] : !tile, !view
    tile.store %x3, %D[%c0, %t] : !tile, !view
  }
  tile.wait copies(0)
  tile.return
}

// -----

#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 64]>
#rows = #tile.linear<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], wave = [[0, 0], [0, 0]], shape = [16, 64], fragment = 16>
!two = !tile.local<16x64xf8E4M3FN, stages = 2, #lds>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
!tile = tensor<16x64xf8E4M3FN, #rows>
// Of two reads the older one is of what the fourth cluster refills.
tile.kernel @reads_left_outstanding(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r0 = tile.alloc : !two
  %r1 = tile.alloc : !two
  %r2 = tile.alloc : !two
  %r3 = tile.alloc : !two
  tile.async_copy %A[%c0, %c0], %r0[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r1[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r2[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r3[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r0[%c1] : !view, !two
  tile.wait copies(3)
  tile.barrier
  scf.for %t = %c0 to %k step %c1 {
    %t1 = arith.addi %t, %c1 : index
    %t2 = arith.addi %t, %c2 : index
    %x0 = tile.cluster interleave -> !tile {
      // expected-note @+1 {{the other access is here}}
      %y = tile.local_load %r0[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r1[%t1] : !view, !two
      tile.yield %y : !tile
    }
    %x1 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r1[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r2[%t1] : !view, !two
      tile.wait copies(3)
      tile.barrier local(2)
      tile.yield %y : !tile
    }
    %x2 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r2[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r3[%t1] : !view, !two
      tile.yield %y : !tile
    }
    %x3 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r3[%t] : !two -> !tile
      // expected-error @+1 {{'tile.async_copy' op may overwrite LDS that another wave is still reading: no tile.barrier in between}}
      tile.async_copy %A[%c0, %t], %r0[%t2] : !view, !two
      tile.wait copies(3)
      tile.barrier local(1)
      tile.yield %y : !tile
    }
    tile.store %x0, %D[%c0, %t] : !tile, !view
    tile.store %x1, %D[%c0, %t] : !tile, !view
    tile.store %x2, %D[%c0, %t] : !tile, !view
    tile.store %x3, %D[%c0, %t] : !tile, !view
  }
  tile.wait copies(0)
  tile.return
}

// -----

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 1, #k>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
// Half of the waves are one barrier behind: the copy needs a second barrier between the read and itself.
tile.kernel @one_barrier_where_waves_are_staggered(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(8) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !ring
  tile.wait copies(0)
  tile.barrier
  tile.stagger begin
  scf.for %i = %c0 to %k step %c1 {
    // expected-error @+2 {{'tile.local_load' op may read LDS of which another wave, one tile.barrier behind, may not be done: no second tile.barrier in between}}
    // expected-note @+1 {{the other access is here}}
    %x = tile.local_load %r[%c0] : !ring -> tensor<16x32xf8E4M3FN>
    tile.barrier
    // expected-error @+2 {{'tile.async_copy' op may overwrite LDS of which another wave, one tile.barrier behind, may not be done: no second tile.barrier in between}}
    // expected-note @+1 {{the other access is here}}
    tile.async_copy %A[%c0, %i], %r[%c0] : !view, !ring
    tile.wait copies(0)
    tile.barrier
    tile.store %x, %D[%c0, %i] : tensor<16x32xf8E4M3FN>, !view
  }
  tile.stagger end
  // Who was behind has caught up: the one barrier is enough.
  %y = tile.local_load %r[%c0] : !ring -> tensor<16x32xf8E4M3FN>
  tile.store %y, %D[%c0, %c0] : tensor<16x32xf8E4M3FN>, !view
  tile.return
}

// -----

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 1, #k>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
// Caught up, but with no barrier since the read.
tile.kernel @no_barrier_at_the_end_of_a_stagger(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(8) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  %x = tile.load %A[%c0, %c0] : !view -> tensor<16x32xf8E4M3FN>
  tile.local_store %x, %r[%c0] : tensor<16x32xf8E4M3FN>, !ring
  tile.barrier
  tile.stagger begin
  // expected-note @+1 {{the other access is here}}
  %y = tile.local_load %r[%c0] : !ring -> tensor<16x32xf8E4M3FN>
  tile.stagger end
  // expected-error @+1 {{'tile.local_store' op may overwrite LDS that another wave is still reading: no tile.barrier in between}}
  tile.local_store %x, %r[%c0] : tensor<16x32xf8E4M3FN>, !ring
  tile.store %y, %D[%c0, %c0] : tensor<16x32xf8E4M3FN>, !view
  tile.return
}

// -----

tile.kernel @ends_without_a_beginning() waves(8) {
  // expected-error @+1 {{'tile.stagger' op must alternate between 'begin' and 'end'}}
  tile.stagger end
  tile.return
}

// -----

// expected-error @+1 {{tile.stagger must begin and end in one block}}
tile.kernel @begins_without_an_end() waves(8) {
  tile.stagger begin
  tile.return
}
