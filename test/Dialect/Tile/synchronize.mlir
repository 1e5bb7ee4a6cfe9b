// RUN: lowp-opt %s --tile-synchronize --tile-verify-synchronization | FileCheck %s
// What is there already is enough for a second run:
// RUN: lowp-opt %s --tile-synchronize --tile-synchronize | FileCheck %s
// Waits and barriers, and no more of them than the rule asks for. A tile of these rings is one copy instruction a wave.

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!one = !tile.local<16x32xf8E4M3FN, stages = 1, #k>
!ring = !tile.local<16x32xf8E4M3FN, stages = 3, #k>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
!tile = tensor<16x32xf8E4M3FN>

// A copy: the wave waits for its part, the barrier for those of the others.
// CHECK-LABEL: tile.kernel @copy_then_read
// CHECK: tile.async_copy
// CHECK-NEXT: tile.wait copies(0)
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.return
tile.kernel @copy_then_read(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !one
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !one
  %x = tile.local_load %r[%c0] : !one -> !tile
  tile.return
}

// Stores by registers and reads before overwriting need the barrier alone. Reads do not hinder each other.
// CHECK-LABEL: tile.kernel @store_read_store
// CHECK: tile.local_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.local_store
// CHECK-NEXT: tile.return
tile.kernel @store_read_store(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !one
  %x = tile.load %A[%c0, %c0] : !view -> !tile
  tile.local_store %x, %r[%c0] : !tile, !one
  %y = tile.local_load %r[%c0] : !one -> !tile
  %z = tile.local_load %r[%c0] : !one -> !tile
  tile.local_store %y, %r[%c0] : !tile, !one
  tile.return
}

// Different slots are different memory, modulo the stages; copies behind the one that is needed may stay in flight.
// CHECK-LABEL: tile.kernel @slots
// CHECK: tile.async_copy %{{.+}}, %{{.+}}[%c0]
// CHECK-NEXT: tile.async_copy %{{.+}}, %{{.+}}[%c1]
// CHECK-NEXT: tile.async_copy %{{.+}}, %{{.+}}[%c2]
// CHECK-NEXT: tile.wait copies(1)
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.local_load %{{.+}}[%c4]
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.local_load %{{.+}}[%c0]
// CHECK-NEXT: tile.wait copies(0)
// CHECK-NEXT: tile.return
tile.kernel @slots(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !ring
  tile.async_copy %A[%c0, %c0], %r[%c1] : !view, !ring
  tile.async_copy %A[%c0, %c0], %r[%c2] : !view, !ring
  %x = tile.local_load %r[%c4] : !ring -> !tile
  tile.store %x, %A[%c0, %c0] : !tile, !view
  %y = tile.local_load %r[%c0] : !ring -> !tile
  tile.return
}

// One barrier a trip serves the read of what was copied two trips ago and the copy into what was read one trip ago.
// CHECK-LABEL: tile.kernel @steady_state
// CHECK: scf.for
// CHECK-NEXT: arith.divui
// CHECK-NEXT: arith.addi
// CHECK-NEXT: tile.wait copies(2)
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
// CHECK-NEXT: tile.wait copies(0)
// CHECK-NEXT: tile.return
tile.kernel @steady_state(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  %q = tile.alloc : !ring
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !ring
  tile.async_copy %A[%c0, %c0], %q[%c0] : !view, !ring
  tile.async_copy %A[%c0, %c0], %r[%c1] : !view, !ring
  tile.async_copy %A[%c0, %c0], %q[%c1] : !view, !ring
  scf.for %i = %c0 to %k step %c32 {
    %trip = arith.divui %i, %c32 : index
    %ahead = arith.addi %trip, %c2 : index
    %x = tile.local_load %r[%trip] : !ring -> !tile
    %y = tile.local_load %q[%trip] : !ring -> !tile
    tile.async_copy %A[%c0, %c0], %r[%ahead] : !view, !ring
    tile.async_copy %A[%c0, %c0], %q[%ahead] : !view, !ring
    tile.store %x, %D[%c0, %i] : !tile, !view
    tile.store %y, %D[%c0, %i] : !tile, !view
  }
  tile.return
}

// A loop inside a loop that fills the ring anew: what the inner one left in flight or read is settled first, though its last
// slot is not known. The lower bound and the step of the inner loop are not 0 and 1.
// CHECK-LABEL: tile.kernel @loop_in_loop
// CHECK: scf.for
// CHECK-NEXT: tile.wait copies(0)
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: scf.for
// CHECK: tile.wait copies(1)
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.async_copy
tile.kernel @loop_in_loop(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  scf.for %o = %c0 to %k step %c1 {
    tile.async_copy %A[%o, %c0], %r[%c0] : !view, !ring
    tile.async_copy %A[%o, %c0], %r[%c1] : !view, !ring
    scf.for %i = %o to %k step %c32 {
      %from = arith.subi %i, %o : index
      %trip = arith.divui %from, %c32 : index
      %ahead = arith.addi %trip, %c2 : index
      %x = tile.local_load %r[%trip] : !ring -> !tile
      tile.async_copy %A[%o, %i], %r[%ahead] : !view, !ring
      tile.store %x, %D[%o, %i] : !tile, !view
    }
  }
  tile.return
}

// A count holds on every path: one branch issues a copy behind the one that is needed, the other none.
// CHECK-LABEL: tile.kernel @branches
// CHECK: scf.if
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: }
// CHECK-NEXT: tile.wait copies(0)
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.local_load
tile.kernel @branches(%a: !llvm.ptr<1>, %n: i32, %c: i1, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !ring
  scf.if %c {
    tile.async_copy %A[%c0, %c0], %r[%c1] : !view, !ring
  }
  %x = tile.local_load %r[%c0] : !ring -> !tile
  tile.return
}

// Rings that share bytes are one memory; rings beside each other are not.
// CHECK-LABEL: tile.kernel @places
// CHECK: tile.local_store
// CHECK-NEXT: tile.local_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.local_store
// CHECK-NEXT: tile.return
tile.kernel @places(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc at 0 : !one
  %beside = tile.alloc at 512 : !one
  %across = tile.alloc at 256 : !one
  %x = tile.load %A[%c0, %c0] : !view -> !tile
  tile.local_store %x, %r[%c0] : !tile, !one
  tile.local_store %x, %beside[%c0] : !tile, !one
  tile.local_store %x, %across[%c0] : !tile, !one
  tile.return
}

// A slot that cannot be analysed may be any.
// CHECK-LABEL: tile.kernel @unknown_slot
// CHECK: tile.async_copy
// CHECK-NEXT: tile.wait copies(0)
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.local_load
tile.kernel @unknown_slot(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !ring
  tile.async_copy %A[%c0, %c0], %r[%k] : !view, !ring
  %x = tile.local_load %r[%c0] : !ring -> !tile
  tile.return
}
