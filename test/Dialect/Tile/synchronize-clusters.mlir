// RUN: lowp-opt %s --tile-synchronize --tile-verify-synchronization | FileCheck %s
// Barriers that tile-pipeline has left in clusters: what each has to wait for is found, and those that nothing needs go. A copy and a
// read of these tiles are one instruction a wave each; writes are not counted.

#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 64]>
#rows = #tile.linear<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], wave = [[0, 0], [0, 0]], shape = [16, 64], fragment = 16>
!one = !tile.local<16x64xf8E4M3FN, stages = 1, #lds>
!two = !tile.local<16x64xf8E4M3FN, stages = 2, #lds>
!three = !tile.local<16x64xf8E4M3FN, stages = 3, #lds>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
!tile = tensor<16x64xf8E4M3FN, #rows>

// One cluster a trip, its barrier between everything and everything: the copy for the next trip is waited for and not the one behind
// it; what was read is overwritten at once. Nothing is written before the loop but what its barrier waits for.
// CHECK-LABEL: tile.kernel @one_cluster
// CHECK: tile.async_copy
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.wait copies(1)
// CHECK-NEXT: tile.barrier local(15)
// CHECK-NEXT: scf.for
// CHECK: tile.cluster interleave
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.wait copies(1)
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.yield
// CHECK: tile.wait copies(0)
// CHECK-NEXT: tile.return
tile.kernel @one_cluster(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !three
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !three
  tile.async_copy %A[%c0, %c1], %r[%c1] : !view, !three
  tile.barrier local(15) {tile.derived}
  scf.for %t = %c0 to %k step %c1 {
    %t2 = arith.addi %t, %c2 : index
    %x = tile.cluster interleave -> !tile {
      %y = tile.local_load %r[%t] : !three -> !tile
      tile.async_copy %A[%c0, %t2], %r[%t2] : !view, !three
      tile.barrier local(15) {tile.derived}
      tile.yield %y : !tile
    }
    tile.store %x, %D[%c0, %t] : !tile, !view
  }
  tile.return
}

// What is behind the loop and needs copies or reads of it done waits there: the loop's barrier leaves as much in flight as above.
// CHECK-LABEL: tile.kernel @written_behind_the_loop
// CHECK: scf.for
// CHECK: tile.cluster interleave
// CHECK: tile.wait copies(1)
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.yield
// CHECK: tile.wait copies(0)
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.local_store
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.local_load
// CHECK-NOT: tile.wait
// CHECK: tile.return
tile.kernel @written_behind_the_loop(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc at 0 : !three
  %s = tile.alloc at 0 : !one
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !three
  tile.async_copy %A[%c0, %c1], %r[%c1] : !view, !three
  tile.barrier local(15) {tile.derived}
  scf.for %t = %c0 to %k step %c1 {
    %t2 = arith.addi %t, %c2 : index
    %x = tile.cluster interleave -> !tile {
      %y = tile.local_load %r[%t] : !three -> !tile
      tile.async_copy %A[%c0, %t2], %r[%t2] : !view, !three
      tile.barrier local(15) {tile.derived}
      tile.yield %y : !tile
    }
    tile.store %x, %D[%c0, %t] : !tile, !view
  }
  %z = arith.constant dense<0.0> : !tile
  tile.local_store %z, %s[%c0] : !tile, !one
  %w = tile.local_load %s[%c0] : !one -> !tile
  tile.store %w, %D[%c0, %k] : !tile, !view
  tile.return
}

// Four clusters a trip, each reads one ring and refills another, read three clusters ago. Four barriers would leave four copies and two
// reads in flight; two of them leave three and one, which is enough.
// CHECK-LABEL: tile.kernel @every_second
// CHECK: tile.wait copies(3)
// CHECK-NEXT: tile.barrier local(15)
// CHECK-NEXT: scf.for
// CHECK: tile.cluster
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.yield
// CHECK: tile.cluster
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.wait copies(3)
// CHECK-NEXT: tile.barrier local(1)
// CHECK-NEXT: tile.yield
// CHECK: tile.cluster
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.yield
// CHECK: tile.cluster
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.wait copies(3)
// CHECK-NEXT: tile.barrier local(1)
// CHECK-NEXT: tile.yield
// CHECK: tile.wait copies(0)
// CHECK-NEXT: tile.return
tile.kernel @every_second(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
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
  tile.barrier local(15) {tile.derived}
  scf.for %t = %c0 to %k step %c1 {
    %t1 = arith.addi %t, %c1 : index
    %t2 = arith.addi %t, %c2 : index
    %x0 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r0[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r1[%t1] : !view, !two
      tile.barrier local(15) {tile.derived}
      tile.yield %y : !tile
    }
    %x1 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r1[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r2[%t1] : !view, !two
      tile.barrier local(15) {tile.derived}
      tile.yield %y : !tile
    }
    %x2 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r2[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r3[%t1] : !view, !two
      tile.barrier local(15) {tile.derived}
      tile.yield %y : !tile
    }
    %x3 = tile.cluster interleave -> !tile {
      %y = tile.local_load %r3[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r0[%t2] : !view, !two
      tile.barrier local(15) {tile.derived}
      tile.yield %y : !tile
    }
    tile.store %x0, %D[%c0, %t] : !tile, !view
    tile.store %x1, %D[%c0, %t] : !tile, !view
    tile.store %x2, %D[%c0, %t] : !tile, !view
    tile.store %x3, %D[%c0, %t] : !tile, !view
  }
  tile.return
}

// A write is waited for by the barrier of its own cluster, though it is read two clusters later: here the first barrier could leave the
// read of %t outstanding if it had only the overwriting of %s to guard. The second waits for the read of %u behind the write.
// CHECK-LABEL: tile.kernel @writes
// CHECK: tile.cluster
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.local_store
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.yield
// CHECK: tile.cluster
// CHECK-NEXT: tile.local_store
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.barrier local(1)
// CHECK-NEXT: tile.yield
// CHECK: tile.cluster
// CHECK-NEXT: tile.local_store
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.yield
tile.kernel @writes(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %q = tile.alloc : !one
  %s = tile.alloc : !one
  %t = tile.alloc : !one
  %u = tile.alloc : !one
  %v = tile.load %A[%c0, %c0] : !view -> !tile
  scf.for %i = %c0 to %k step %c1 {
    %x:2 = tile.cluster interleave -> !tile, !tile {
      %y = tile.local_load %s[%c0] : !one -> !tile
      %z = tile.local_load %t[%c0] : !one -> !tile
      tile.local_store %v, %q[%c0] : !tile, !one
      tile.barrier local(15) {tile.derived}
      tile.yield %y, %z : !tile, !tile
    }
    %w:2 = tile.cluster interleave -> !tile, !tile {
      tile.local_store %v, %s[%c0] : !tile, !one
      %y = tile.local_load %u[%c0] : !one -> !tile
      %z = tile.local_load %t[%c0] : !one -> !tile
      tile.barrier local(15) {tile.derived}
      tile.yield %y, %z : !tile, !tile
    }
    %o = tile.cluster interleave -> !tile {
      tile.local_store %v, %u[%c0] : !tile, !one
      %y = tile.local_load %q[%c0] : !one -> !tile
      tile.barrier local(15) {tile.derived}
      tile.yield %y : !tile
    }
    tile.store %x#0, %D[%c0, %i] : !tile, !view
    tile.store %x#1, %D[%c0, %i] : !tile, !view
    tile.store %w#0, %D[%c0, %i] : !tile, !view
    tile.store %w#1, %D[%c0, %i] : !tile, !view
    tile.store %o, %D[%c0, %i] : !tile, !view
  }
  tile.return
}

// Half of the waves are one barrier behind: what is read or refilled in a cluster is waited for two barriers before, in front of the
// products of the cluster before; by then two clusters have issued a copy each behind the one that is needed. None of the barriers goes, though half of them would do: waves take turns at
// them. The barrier before the stagger counts for two.
// CHECK-LABEL: tile.kernel @turns
// CHECK-COUNT-3: tile.async_copy
// CHECK-NEXT: tile.wait copies(2)
// CHECK-NEXT: tile.barrier local(15)
// CHECK-NEXT: tile.stagger begin
// CHECK: scf.for
// CHECK: tile.cluster pingpong
// CHECK: tile.local_load
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.wait copies(2)
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.barrier local(15)
// CHECK-NEXT: tile.yield
// CHECK: tile.cluster pingpong
// CHECK: tile.local_load
// CHECK-NEXT: tile.async_copy
// CHECK-NEXT: tile.wait copies(2)
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.barrier local(15)
// CHECK-NEXT: tile.yield
// CHECK: tile.stagger end
tile.kernel @turns(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %r0 = tile.alloc : !two
  %r1 = tile.alloc : !two
  tile.async_copy %A[%c0, %c0], %r0[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r1[%c0] : !view, !two
  tile.async_copy %A[%c0, %c0], %r0[%c1] : !view, !two
  tile.barrier local(15) {tile.derived}
  tile.stagger begin
  scf.for %t = %c0 to %k step %c1 {
    %t1 = arith.addi %t, %c1 : index
    %t2 = arith.addi %t, %c2 : index
    %x0 = tile.cluster pingpong -> !tile {
      %y = tile.local_load %r0[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r1[%t1] : !view, !two
      tile.barrier {tile.derived}
      tile.barrier local(15) {tile.derived}
      tile.yield %y : !tile
    }
    %x1 = tile.cluster pingpong -> !tile {
      %y = tile.local_load %r1[%t] : !two -> !tile
      tile.async_copy %A[%c0, %t], %r0[%t2] : !view, !two
      tile.barrier {tile.derived}
      tile.barrier local(15) {tile.derived}
      tile.yield %y : !tile
    }
    tile.store %x0, %D[%c0, %t] : !tile, !view
    tile.store %x1, %D[%c0, %t] : !tile, !view
  }
  tile.stagger end
  tile.return
}

// What no barrier of theirs can give is met in front of the cluster.
// CHECK-LABEL: tile.kernel @met_before_the_cluster
// CHECK: tile.async_copy
// CHECK-NEXT: tile.wait copies(0)
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.cluster
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.yield
tile.kernel @met_before_the_cluster(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %r = tile.alloc : !one
  tile.async_copy %A[%c0, %c0], %r[%c0] : !view, !one
  %x = tile.cluster interleave -> !tile {
    %y = tile.local_load %r[%c0] : !one -> !tile
    tile.yield %y : !tile
  }
  tile.store %x, %A[%c0, %c0] : !tile, !view
  tile.return
}
