// RUN: lowp-opt %s --tile-pipeline --split-input-file --verify-diagnostics
// A loop that cannot be pipelined stays as it is, with a remark; a mark that means nothing is an error.

tile.kernel @mark_out_of_range(%n: i32) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op 'tile.stages' must be an i32 from 1 to 16, but is 99 : i32}}
  scf.for %i = %c0 to %k step %c1 {
  } {tile.stages = 99 : i32}
  tile.return
}

// -----

tile.kernel @mark_of_another_type(%n: i32) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op 'tile.stages' must be an i32 from 1 to 16, but is "two"}}
  scf.for %i = %c0 to %k step %c1 {
  } {tile.stages = "two"}
  tile.return
}

// -----

tile.kernel @order_of_another_kind(%n: i32) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op 'tile.order' must be 1 : i32 (interleave) or 2 : i32 (pingpong), but is 7 : i32}}
  scf.for %i = %c0 to %k step %c1 {
  } {tile.stages = 2 : i32, tile.order = 7 : i32}
  tile.return
}

// -----

!view = !tile.view<?x?xf32, vector = 4>
tile.kernel @reads_what_it_writes(%a: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  // The load of the next iteration must not pass the store of this one: both go by one pointer.
  // expected-remark @+1 {{loop is not pipelined: its dependences form a cycle with a latency in it}}
  scf.for %i = %c0 to %k step %c16 {
    %x = tile.load %A[%c0, %i] : !view -> tensor<16x16xf32>
    // expected-note @+1 {{see this operation}}
    %y = arith.addf %x, %x : tensor<16x16xf32>
    tile.store %y, %A[%i, %c0] : tensor<16x16xf32>, !view
  } {tile.stages = 2 : i32}
  tile.return
}

// -----

!view = !tile.view<?x?xf32, vector = 4>
tile.kernel @hands_on_what_it_got(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-remark @+1 {{loop is not pipelined: a carried value is handed on without being computed in the loop}}
  %r:2 = scf.for %i = %c0 to %k step %c16 iter_args(%last = %zero, %before = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %x = tile.load %A[%c0, %i] : !view -> tensor<16x16xf32>
    %y = arith.addf %x, %before : tensor<16x16xf32>
    // expected-note @+1 {{see this operation}}
    scf.yield %y, %last : tensor<16x16xf32>, tensor<16x16xf32>
  } {tile.stages = 2 : i32}
  tile.store %r#0, %D[%c0, %c0] : tensor<16x16xf32>, !view
  tile.return
}

// -----

!view = !tile.view<?x?xf32, vector = 4>
tile.kernel @unknown_effects(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  // expected-remark @+1 {{loop is not pipelined: the effects of an operation are not known}}
  scf.for %i = %c0 to %k step %c16 {
    %x = tile.load %A[%c0, %i] : !view -> tensor<16x16xf32>
    // expected-note @+1 {{see this operation}}
    tile.barrier
    tile.store %x, %D[%c0, %i] : tensor<16x16xf32>, !view
  } {tile.stages = 2 : i32}
  tile.return
}

// -----

!view = !tile.view<?x?xf32, vector = 4>
tile.kernel @condition_on_a_store(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %e: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %E = tile.view %e sizes(%k, %k) strides(%ld) : !view
  // The offset of the load comes out of an operation that also stores.
  // expected-remark @+1 {{loop is not pipelined: an operation that must not run beyond the last iteration feeds a copy or load}}
  scf.for %i = %c0 to %k step %c16 {
    %early = arith.cmpi ult, %i, %c16 : index
    %one = arith.constant dense<1.0> : tensor<16x16xf32>
    // expected-note @+1 {{see this operation}}
    %j = scf.if %early -> index {
      tile.store %one, %D[%c0, %i] : tensor<16x16xf32>, !view
      scf.yield %c0 : index
    } else {
      scf.yield %i : index
    }
    %x = tile.load %A[%c0, %j] : !view -> tensor<16x16xf32>
    %y = arith.addf %x, %x : tensor<16x16xf32>
    tile.store %y, %E[%i, %c0] : tensor<16x16xf32>, !view
  } {tile.stages = 2 : i32}
  tile.return
}

// -----

!view = !tile.view<?x?xf32, vector = 4>
tile.kernel @result_computed_too_early(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // The carried offset is computed two stages before its tile is used; with one trip it would be two steps too far.
  // expected-remark @+1 {{loop is not pipelined: a value that leaves the loop is computed more than one stage before the last}}
  %r:2 = scf.for %i = %c0 to %k step %c16 iter_args(%at = %c0, %sum = %zero) -> (index, tensor<16x16xf32>) {
    %x = tile.load %A[%c0, %at] : !view -> tensor<16x16xf32>
    %y = arith.addf %x, %sum : tensor<16x16xf32>
    // expected-note @+1 {{see this operation}}
    %next = arith.addi %at, %c16 : index
    scf.yield %next, %y : index, tensor<16x16xf32>
  } {tile.stages = 3 : i32}
  tile.store %r#1, %D[%c0, %r#0] : tensor<16x16xf32>, !view
  tile.return
}
// -----

// The order by products; what it does without them.
!view = !tile.view<?x?xf32, vector = 4>
tile.kernel @order_without_products(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !view
  // expected-remark @+2 {{loop is not pipelined: it has no product, and its order is by products}}
  // expected-note @+1 {{see this operation}}
  scf.for %i = %c0 to %k step %c16 {
    %x = tile.load %A[%c0, %i] : !view -> tensor<16x16xf32>
    tile.store %x, %D[%c0, %i] : tensor<16x16xf32>, !view
  } {tile.stages = 2 : i32, tile.order = 1 : i32}
  tile.return
}

// -----

#ka = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 1, #ka>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
!out = !tile.view<?x?xf32, vector = 4>
// With one product and one slot the read for the next trip and the refill would fall together.
tile.kernel @too_few_products(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !out
  %r = tile.alloc : !ring
  %y = tile.load %A[%c0, %c0] map affine_map<(k, n) -> (n, k)> : !view -> tensor<32x16xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-remark @+1 {{loop is not pipelined: its products are too few for the slots of LDS: a slot would be read and refilled at once}}
  %s = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> tensor<16x16xf32> {
    // expected-note @+1 {{see this operation}}
    tile.async_copy %A[%c0, %i], %r[%c0] : !view, !ring
    %x = tile.local_load %r[%c0] : !ring -> tensor<16x32xf8E4M3FN>
    %n1 = tile.mma %x, %y, %acc instruction [16, 16, 32] waves [1, 1, 1] : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<16x16xf32>
    scf.yield %n1 : tensor<16x16xf32>
  } {tile.stages = 1 : i32, tile.order = 1 : i32}
  tile.store %s, %D[%c0, %c0] : tensor<16x16xf32>, !out
  tile.return
}

// -----

#ka = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 1, #ka>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
!out = !tile.view<?x?xf32, vector = 4>
tile.kernel @brought_for_nobody(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !out
  %r = tile.alloc : !ring
  %x = tile.load %A[%c0, %c0] : !view -> tensor<16x32xf8E4M3FN>
  %y = tile.load %A[%c0, %c0] map affine_map<(k, n) -> (n, k)> : !view -> tensor<32x16xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-remark @+1 {{loop is not pipelined: nothing reads what it brings to LDS}}
  %s = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> tensor<16x16xf32> {
    // expected-note @+1 {{see this operation}}
    tile.async_copy %A[%c0, %i], %r[%c0] : !view, !ring
    %n1 = tile.mma %x, %y, %acc instruction [16, 16, 32] waves [1, 1, 1] : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<16x16xf32>
    scf.yield %n1 : tensor<16x16xf32>
  } {tile.stages = 1 : i32, tile.order = 1 : i32}
  tile.store %s, %D[%c0, %c0] : tensor<16x16xf32>, !out
  tile.return
}

// -----

#ka = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 32]>
!ring = !tile.local<16x32xf8E4M3FN, stages = 1, #ka>
!view = !tile.view<?x?xf8E4M3FN, vector = 16>
!out = !tile.view<?x?xf32, vector = 4>
// The load would run a trip before the addition that says where.
tile.kernel @loads_where_the_last_trip_says(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %ld: i64) waves(4) {
  %k = arith.index_castui %n : i32 to index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %A = tile.view %a sizes(%k, %k) strides(%ld) : !view
  %D = tile.view %d sizes(%k, %k) strides(%ld) : !out
  %r = tile.alloc : !ring
  %y = tile.load %A[%c0, %c0] map affine_map<(k, n) -> (n, k)> : !view -> tensor<32x16xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-remark @+1 {{loop is not pipelined: an operation would run before what it depends on}}
  %s:2 = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero, %at = %c0) -> (tensor<16x16xf32>, index) {
    // expected-note @+1 {{see this operation}}
    %x = tile.load %A[%c0, %at] : !view -> tensor<16x32xf8E4M3FN>
    %n1 = tile.mma %x, %y, %acc instruction [16, 16, 32] waves [1, 1, 1] : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<16x16xf32>
    %next = arith.addi %at, %c32 : index
    scf.yield %n1, %next : tensor<16x16xf32>, index
  } {tile.stages = 2 : i32, tile.order = 1 : i32}
  tile.store %s#0, %D[%c0, %c0] : tensor<16x16xf32>, !out
  tile.return
}
