// RUN: lowp-opt %s --tile-assign-layouts=target=gfx950 -split-input-file | FileCheck %s

// Direct staging: LDS keeps 16-byte units of k together, swizzled by the row; the accumulator is the loop's layout, with
// n over the registers, and the epilogue and the store follow it.
// CHECK-DAG: #[[$ACC:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 8], [0, 16]], lane = {{\[}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], wave = {{\[}}[0, 32], [32, 0]], shape = [64, 64], fragment = 16>
// CHECK-DAG: #[[$OA:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 32]], lane = {{\[}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 16]], wave = {{\[}}[0, 0], [32, 0]], shape = [64, 64], fragment = 32>
// CHECK-DAG: #[[$OB:.+]] = #tile.linear<register = {{\[}}[1, 0], [2, 0], [4, 0], [8, 0], [32, 0]], lane = {{\[}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [16, 0]], wave = {{\[}}[0, 32], [0, 0]], shape = [64, 64], fragment = 32>
// CHECK-DAG: #[[$LA:.+]] = #tile.linear<offset = {{\[}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, {{[0-9]+}}],
// CHECK-DAG: #[[$LB:.+]] = #tile.linear<offset = {{\[}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [{{[0-9]+}}, 1],
// CHECK-LABEL: tile.kernel @direct
tile.kernel @direct(%a: !llvm.ptr<1>, %w: !llvm.ptr<1>, %d: !llvm.ptr<1>, %m: i32, %ld: i64) waves(4) {
  // CHECK: %[[ZERO:.+]] = arith.constant 0 : index
  // CHECK: %[[RA:.+]] = tile.alloc {tile.read_conflicts = 0 : i32, tile.write_conflicts = 0 : i32} : <64x64xf8E4M3FN, stages = 1, #[[$LA]]>
  // CHECK: %[[RB:.+]] = tile.alloc {tile.read_conflicts = 0 : i32, tile.write_conflicts = 0 : i32} : <64x64xf8E4M3FN, stages = 1, #[[$LB]]>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %M = arith.index_cast %m : i32 to index
  %A = tile.view %a sizes(%M) strides(%ld) : !tile.view<?x512xf8E4M3FN, vector = 16>
  %W = tile.view %w sizes() strides(%ld) : !tile.view<192x512xf8E4M3FN, vector = 16>
  %D = tile.view %d sizes(%M) strides(%ld) : !tile.view<?x192xbf16, vector = 8>
  // CHECK: arith.constant dense<0.000000e+00> : tensor<64x64xf32, #[[$ACC]]>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: scf.for {{.*}} -> (tensor<64x64xf32, #[[$ACC]]>)
  %acc = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
    // CHECK: tile.async_copy %{{.*}}[%{{.*}}, %[[K:.+]]], %[[RA]][%[[ZERO]]] in_bounds [false, true] :
    // CHECK: %[[A:.+]] = tile.local_load %[[RA]][%[[ZERO]]] : {{.*}} -> tensor<64x64xf8E4M3FN, #[[$OA]]>
    %ta = tile.load %A[%c0, %k] in_bounds [false, true] staging(direct) : !tile.view<?x512xf8E4M3FN, vector = 16> -> tensor<64x64xf8E4M3FN>
    // CHECK: tile.async_copy %{{.*}}[%{{.*}}, %[[K]]], %[[RB]][%[[ZERO]]] map #{{.*}} :
    // CHECK: %[[B:.+]] = tile.local_load %[[RB]][%[[ZERO]]] : {{.*}} -> tensor<64x64xf8E4M3FN, #[[$OB]]>
    %tb = tile.load %W[%c0, %k] map affine_map<(k, n) -> (n, k)> staging(direct) : !tile.view<192x512xf8E4M3FN, vector = 16> -> tensor<64x64xf8E4M3FN>
    // CHECK: tile.mma %[[A]], %[[B]], %{{.*}} instruction [32, 32, 64] waves [2, 2, 1]
    %r = tile.mma %ta, %tb, %c instruction [32, 32, 64] waves [2, 2, 1] : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf32>
    scf.yield %r : tensor<64x64xf32>
    // CHECK: tile.stages = 3
  } {tile.stages = 3 : i32}
  // CHECK: tile.store %{{.*}} : tensor<64x64xbf16, #[[$ACC]]>
  %o = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %o, %D[%c0, %c0] : tensor<64x64xbf16>, !tile.view<?x192xbf16, vector = 8>
  tile.return
}

// -----

// Staging through registers. Where memory runs along k, lanes load in LDS order, 16 bytes each; nothing changes where
// the view promises single elements only.
// CHECK-DAG: #[[$W:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 4], [0, 8], [32, {{[0-9]+}}]], lane = {{\[}}[0, 16], [0, 32], [1, {{[0-9]+}}], [2, {{[0-9]+}}], [4, {{[0-9]+}}], [8, {{[0-9]+}}]], wave = {{\[}}[16, {{[0-9]+}}]], shape = [64, 64], fragment = 16>
// Where it runs along n, a lane holds 4 n by 8 k: loads of 4 bytes next to each other, stores of 8 bytes.
// CHECK-DAG: #[[$X:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], lane = {{\[}}[0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0]], wave = {{\[}}[32, 0]], shape = [64, 64], fragment = 32>
// CHECK-LABEL: tile.kernel @registers
tile.kernel @registers(%a: !llvm.ptr<1>, %w: !llvm.ptr<1>, %d: !llvm.ptr<1>, %ld: i64) waves(2) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<64x64xf8E5M2, vector = 1>
  %W = tile.view %w sizes() strides(%ld) : !tile.view<64x64xf8E4M3FN, vector = 4>
  %D = tile.view %d sizes() strides(%ld) : !tile.view<64x64xf32, vector = 4>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: %[[A:.+]] = tile.load %{{.*}} : <64x64xf8E5M2, vector = 1> -> tensor<64x64xf8E5M2, #[[$W]]>
  // CHECK: tile.local_store %[[A]], %[[RA:.+]][%{{.*}}]
  // CHECK: tile.local_load %[[RA]]
  %ta = tile.load %A[%c0, %c0] staging(registers) : !tile.view<64x64xf8E5M2, vector = 1> -> tensor<64x64xf8E5M2>
  // CHECK: %[[B:.+]] = tile.load %{{.*}} : <64x64xf8E4M3FN, vector = 4> -> tensor<64x64xf8E4M3FN, #[[$X]]>
  // CHECK: tile.local_store %[[B]], %[[RB:.+]][%{{.*}}]
  // CHECK: tile.local_load %[[RB]]
  %tb = tile.load %W[%c0, %c0] staging(registers) : !tile.view<64x64xf8E4M3FN, vector = 4> -> tensor<64x64xf8E4M3FN>
  %r = tile.mma %ta, %tb, %zero instruction [32, 32, 64] waves [1, 2, 1] : tensor<64x64xf8E5M2>, tensor<64x64xf8E4M3FN>, tensor<64x64xf32>
  tile.store %r, %D[%c0, %c0] : tensor<64x64xf32>, !tile.view<64x64xf32, vector = 4>
  tile.return
}

// -----

// Waves that share k: every wave owns one index of the leading dimension. Operands without staging are loaded as the
// instruction wants them; the sum over the waves goes through LDS, and the rest of the kernel follows the store.
// CHECK-DAG: #[[$ACC:.+]] = #tile.linear<{{.*}}wave = {{\[}}[1, 0, 0], [2, 0, 0]], shape = [4, 16, 32], fragment = 4>
// CHECK-DAG: #[[$OA:.+]] = #tile.linear<register = {{\[}}[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8]],{{.*}}shape = [4, 16, 64], fragment = 8>
// CHECK-DAG: #[[$MOVED:.+]] = #tile.linear<register = {{\[}}[0, 0, 1], [1, 0, 0], [2, 0, 0]], lane = {{\[}}[0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 0, 16], [0, 1, 0], [0, 2, 0]], wave = {{\[}}[0, 4, 0], [0, 8, 0]], shape = [4, 16, 32], fragment = 2>
// CHECK-DAG: #[[$SUM:.+]] = #tile.linear<register = {{\[}}[0, 1]], lane = {{\[}}[0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], wave = {{\[}}[4, 0], [8, 0]], shape = [16, 32], fragment = 2>
// CHECK-LABEL: tile.kernel @waves_share_k
tile.kernel @waves_share_k(%a: !llvm.ptr<1>, %w: !llvm.ptr<1>, %d: !llvm.ptr<1>, %ld: i64) waves(4) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<16x1024xf8E4M3FN, vector = 16>
  %W = tile.view %w sizes() strides(%ld) : !tile.view<96x1024xf8E4M3FN, vector = 16>
  %D = tile.view %d sizes() strides(%ld) : !tile.view<16x96xbf16, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<4x16x32xf32>
  %acc = scf.for %k = %c0 to %c1024 step %c256 iter_args(%c = %zero) -> (tensor<4x16x32xf32>) {
    // CHECK: tile.load {{.*}} -> tensor<4x16x64xf8E4M3FN, #[[$OA]]>
    %ta = tile.load %A[%c0, %k] map affine_map<(w, m, k) -> (m, w * 64 + k)> staging(none) : !tile.view<16x1024xf8E4M3FN, vector = 16> -> tensor<4x16x64xf8E4M3FN>
    %tb = tile.load %W[%c0, %k] map affine_map<(w, k, n) -> (n, w * 64 + k)> : !tile.view<96x1024xf8E4M3FN, vector = 16> -> tensor<4x64x32xf8E4M3FN>
    // CHECK-NOT: tile.local
    %r = tile.mma %ta, %tb, %c instruction [16, 16, 32] waves [1, 1, 4] : tensor<4x16x64xf8E4M3FN>, tensor<4x64x32xf8E4M3FN>, tensor<4x16x32xf32>
    // CHECK: scf.yield %{{.*}} : tensor<4x16x32xf32, #[[$ACC]]>
    scf.yield %r : tensor<4x16x32xf32>
  }
  // CHECK: tile.local_store
  // CHECK: %[[MOVED:.+]] = tile.local_load {{.*}} -> tensor<4x16x32xf32, #[[$MOVED]]>
  // CHECK: tile.reduce add %[[MOVED]] dim 0 : tensor<4x16x32xf32, #[[$MOVED]]> -> tensor<16x32xf32, #[[$SUM]]>
  %s = tile.reduce add %acc dim 0 : tensor<4x16x32xf32> -> tensor<16x32xf32>
  %o = arith.truncf %s : tensor<16x32xf32> to tensor<16x32xbf16>
  // CHECK: tile.store %{{.*}} : tensor<16x32xbf16, #[[$SUM]]>
  tile.store %o, %D[%c0, %c0] : tensor<16x32xbf16>, !tile.view<16x96xbf16, vector = 16>
  tile.return
}

// -----

// One staged tile, read by two products in two layouts: one buffer, two loads. Two products that meet in an element-wise
// operation with accumulators of different instructions: one of them is converted.
// CHECK-DAG: #[[$ACC32:.+]] = #tile.linear<{{.*}}shape = [32, 32], fragment = 16>
// CHECK-DAG: #[[$ACC16:.+]] = #tile.linear<{{.*}}shape = [32, 32], fragment = 4>
// CHECK-LABEL: tile.kernel @two_readers
tile.kernel @two_readers(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<32x32xf16, vector = 16>
  %D = tile.view %d sizes() strides(%ld) : !tile.view<32x32xf32, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  // CHECK: tile.async_copy %{{.*}}, %[[RING:.+]][%{{.*}}] :
  // CHECK: tile.local_load %[[RING]]
  // CHECK: tile.local_load %[[RING]]
  // CHECK-NOT: tile.async_copy
  %t = tile.load %A[%c0, %c0] staging(direct) : !tile.view<32x32xf16, vector = 16> -> tensor<32x32xf16>
  // CHECK: %[[R:.+]] = tile.mma {{.*}} instruction [32, 32, 16] {{.*}}, tensor<32x32xf32, #[[$ACC32]]>
  %r = tile.mma %t, %t, %zero instruction [32, 32, 16] waves [1, 1, 1] : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  // CHECK: %[[S:.+]] = tile.mma {{.*}} instruction [16, 16, 32] {{.*}}, tensor<32x32xf32, #[[$ACC16]]>
  %s = tile.mma %t, %t, %zero instruction [16, 16, 32] waves [1, 1, 1] : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  // CHECK: tile.local_store %[[S]]
  // CHECK: %[[MOVED:.+]] = tile.local_load {{.*}} -> tensor<32x32xf32, #[[$ACC32]]>
  // CHECK: arith.addf %[[R]], %[[MOVED]] : tensor<32x32xf32, #[[$ACC32]]>
  %x = arith.addf %r, %s : tensor<32x32xf32>
  tile.store %x, %D[%c0, %c0] : tensor<32x32xf32>, !tile.view<32x32xf32, vector = 16>
  tile.return
}

// -----

// An accumulator handed on between products of different instructions: the second converts on its way in and out.
// CHECK-DAG: #[[$ACC32:.+]] = #tile.linear<{{.*}}shape = [32, 32], fragment = 16>
// CHECK-DAG: #[[$ACC16:.+]] = #tile.linear<{{.*}}shape = [32, 32], fragment = 4>
// CHECK-LABEL: tile.kernel @chained
tile.kernel @chained(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<32x32xf16, vector = 16>
  %D = tile.view %d sizes() strides(%ld) : !tile.view<32x32xf32, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %t = tile.load %A[%c0, %c0] : !tile.view<32x32xf16, vector = 16> -> tensor<32x32xf16>
  %u = tile.load %A[%c0, %c0] : !tile.view<32x32xf16, vector = 16> -> tensor<32x32xf16>
  %v = tile.load %A[%c0, %c0] : !tile.view<32x32xf16, vector = 16> -> tensor<32x32xf16>
  %w = tile.load %A[%c0, %c0] : !tile.view<32x32xf16, vector = 16> -> tensor<32x32xf16>
  // CHECK: %[[R:.+]] = tile.mma {{.*}} instruction [32, 32, 16] {{.*}}, tensor<32x32xf32, #[[$ACC32]]>
  // CHECK: tile.local_store %[[R]]
  // CHECK: %[[IN:.+]] = tile.local_load {{.*}} -> tensor<32x32xf32, #[[$ACC16]]>
  // CHECK: %[[S:.+]] = tile.mma %{{.*}}, %{{.*}}, %[[IN]] instruction [16, 16, 32] {{.*}}, tensor<32x32xf32, #[[$ACC16]]>
  // CHECK: tile.local_store %[[S]]
  // CHECK: %[[OUT:.+]] = tile.local_load {{.*}} -> tensor<32x32xf32, #[[$ACC32]]>
  // CHECK: tile.store %[[OUT]]
  %r = tile.mma %t, %u, %zero instruction [32, 32, 16] waves [1, 1, 1] : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  %s = tile.mma %v, %w, %r instruction [16, 16, 32] waves [1, 1, 1] : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  tile.store %s, %D[%c0, %c0] : tensor<32x32xf32>, !tile.view<32x32xf32, vector = 16>
  tile.return
}
