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
