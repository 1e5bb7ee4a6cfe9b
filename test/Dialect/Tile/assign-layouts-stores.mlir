// RUN: lowp-opt %s --tile-assign-layouts=target=gfx942 -split-input-file | FileCheck %s

// Where results leave through LDS: where the accumulator's layout, four neighbours of a row in a lane, makes stores narrower than the view promises.

// bf16: the value that is stored, after the element-wise operations, where it has 2 bytes an element instead of 4. Behind LDS a lane has
// 16 bytes, and 8 lanes a line of 128.
// CHECK-DAG: #[[$ACC:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 16],
// CHECK-DAG: #[[$ROWS:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = {{\[}}[0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0]], wave = {{\[}}[8, 0], [0, 64]], shape = [64, 128], fragment = 8>
// Units of 8 bytes, not 16: with these, rows that write the same half of a unit would share too few banks.
// CHECK-DAG: #[[$PLACES:.+]] = #tile.linear<offset = {{\[}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, {{[0-9]*[48]}}],
// CHECK-LABEL: tile.kernel @late
// CHECK: %[[RING:.+]] = tile.alloc {tile.read_conflicts = 0 : i32, tile.write_conflicts = 0 : i32} : <64x128xbf16, stages = 1, #[[$PLACES]]>
// CHECK: %[[SUM:.+]] = tile.mma
// CHECK: %[[BIASED:.+]] = arith.addf %[[SUM]], %{{.*}} : tensor<64x128xf32, #[[$ACC]]>
// CHECK: %[[ROUNDED:.+]] = arith.truncf %[[BIASED]] : tensor<64x128xf32, #[[$ACC]]> to tensor<64x128xbf16, #[[$ACC]]>
// CHECK: tile.local_store %[[ROUNDED]], %[[RING]][%{{.*}}]
// CHECK: %[[THERE:.+]] = tile.local_load %[[RING]][%{{.*}}] : {{.*}} -> tensor<64x128xbf16, #[[$ROWS]]>
// CHECK: tile.store %[[THERE]],
tile.kernel @late(%a: !llvm.ptr<1>, %w: !llvm.ptr<1>, %bias: !llvm.ptr<1>, %d: !llvm.ptr<1>, %ld: i64) waves(4) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<64x64xbf16, vector = 16>
  %W = tile.view %w sizes() strides(%ld) : !tile.view<128x64xbf16, vector = 16>
  %B = tile.view %bias sizes() strides() : !tile.view<128xf32, vector = 4>
  %D = tile.view %d sizes() strides(%ld) : !tile.view<64x128xbf16, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %ta = tile.load %A[%c0, %c0] staging(registers) : !tile.view<64x64xbf16, vector = 16> -> tensor<64x64xbf16>
  %tb = tile.load %W[%c0, %c0] map affine_map<(k, n) -> (n, k)> staging(registers) : !tile.view<128x64xbf16, vector = 16> -> tensor<64x128xbf16>
  %r = tile.mma %ta, %tb, %zero instruction [16, 16, 16] waves [2, 2, 1] : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32>
  %b = tile.load %B[%c0] map affine_map<(m, n) -> (n)> : !tile.view<128xf32, vector = 4> -> tensor<64x128xf32>
  %s = arith.addf %r, %b : tensor<64x128xf32>
  %o = arith.truncf %s : tensor<64x128xf32> to tensor<64x128xbf16>
  tile.store %o, %D[%c0, %c0] : tensor<64x128xbf16>, !tile.view<64x128xbf16, vector = 16>
  tile.return
}

// -----

// A residual of two bytes an element: loads of it in the accumulator's layout would touch more lines than the wider elements cost in LDS.
// CHECK-DAG: #[[$ACC:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 16],
// CHECK-DAG: #[[$ROWS:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = {{\[}}[0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0]],
// CHECK-LABEL: tile.kernel @early
// CHECK: %[[RING:.+]] = tile.alloc {tile.read_conflicts = 0 : i32, tile.write_conflicts = 0 : i32} : <64x128xf32, stages = 1,
// CHECK: %[[SUM:.+]] = tile.mma
// CHECK: tile.load {{.*}} -> tensor<64x128xbf16, #[[$ROWS]]>
// CHECK: tile.local_store %[[SUM]], %[[RING]][%{{.*}}] : tensor<64x128xf32, #[[$ACC]]>
// CHECK: %[[THERE:.+]] = tile.local_load %[[RING]][%{{.*}}] : {{.*}} -> tensor<64x128xf32, #[[$ROWS]]>
// CHECK: arith.addf %[[THERE]],
// CHECK: tile.store %{{.*}} : tensor<64x128xbf16, #[[$ROWS]]>
tile.kernel @early(%a: !llvm.ptr<1>, %w: !llvm.ptr<1>, %c: !llvm.ptr<1>, %d: !llvm.ptr<1>, %ld: i64) waves(4) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<64x64xbf16, vector = 16>
  %W = tile.view %w sizes() strides(%ld) : !tile.view<128x64xbf16, vector = 16>
  %C = tile.view %c sizes() strides(%ld) : !tile.view<64x128xbf16, vector = 16>
  %D = tile.view %d sizes() strides(%ld) : !tile.view<64x128xbf16, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %ta = tile.load %A[%c0, %c0] staging(registers) : !tile.view<64x64xbf16, vector = 16> -> tensor<64x64xbf16>
  %tb = tile.load %W[%c0, %c0] map affine_map<(k, n) -> (n, k)> staging(registers) : !tile.view<128x64xbf16, vector = 16> -> tensor<64x128xbf16>
  %r = tile.mma %ta, %tb, %zero instruction [16, 16, 16] waves [2, 2, 1] : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32>
  %t = tile.load %C[%c0, %c0] : !tile.view<64x128xbf16, vector = 16> -> tensor<64x128xbf16>
  %x = arith.extf %t : tensor<64x128xbf16> to tensor<64x128xf32>
  %s = arith.addf %r, %x : tensor<64x128xf32>
  %o = arith.truncf %s : tensor<64x128xf32> to tensor<64x128xbf16>
  tile.store %o, %D[%c0, %c0] : tensor<64x128xbf16>, !tile.view<64x128xbf16, vector = 16>
  tile.return
}

// -----

// No conversion: memory that promises 8 bytes, f32, which has 16 bytes of it in a lane anyway, and a tile that LDS cannot hold.
// CHECK-LABEL: tile.kernel @no_more_promised
// CHECK-NOT: tile.alloc
tile.kernel @no_more_promised(%d: !llvm.ptr<1>, %ld: i64) waves(4) {
  %c0 = arith.constant 0 : index
  %D = tile.view %d sizes() strides(%ld) : !tile.view<64x128xbf16, vector = 8>
  %a = arith.constant dense<1.0> : tensor<64x64xbf16>
  %b = arith.constant dense<1.0> : tensor<64x128xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %r = tile.mma %a, %b, %zero instruction [16, 16, 16] waves [2, 2, 1] : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32>
  %o = arith.truncf %r : tensor<64x128xf32> to tensor<64x128xbf16>
  tile.store %o, %D[%c0, %c0] : tensor<64x128xbf16>, !tile.view<64x128xbf16, vector = 8>
  tile.return
}

// CHECK-LABEL: tile.kernel @wide_already
// CHECK-NOT: tile.alloc
tile.kernel @wide_already(%d: !llvm.ptr<1>, %ld: i64) waves(4) {
  %c0 = arith.constant 0 : index
  %D = tile.view %d sizes() strides(%ld) : !tile.view<64x128xf32, vector = 16>
  %a = arith.constant dense<1.0> : tensor<64x64xbf16>
  %b = arith.constant dense<1.0> : tensor<64x128xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %r = tile.mma %a, %b, %zero instruction [16, 16, 16] waves [2, 2, 1] : tensor<64x64xbf16>, tensor<64x128xbf16>, tensor<64x128xf32>
  tile.store %r, %D[%c0, %c0] : tensor<64x128xf32>, !tile.view<64x128xf32, vector = 16>
  tile.return
}

// CHECK-LABEL: tile.kernel @does_not_fit
// CHECK-NOT: tile.alloc
// CHECK: tile.return
tile.kernel @does_not_fit(%d: !llvm.ptr<1>, %ld: i64) waves(4) {
  %c0 = arith.constant 0 : index
  %D = tile.view %d sizes() strides(%ld) : !tile.view<256x256xbf16, vector = 16>
  %a = arith.constant dense<1.0> : tensor<256x16xbf16>
  %b = arith.constant dense<1.0> : tensor<16x256xbf16>
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %r = tile.mma %a, %b, %zero instruction [16, 16, 16] waves [2, 2, 1] : tensor<256x16xbf16>, tensor<16x256xbf16>, tensor<256x256xf32>
  %o = arith.truncf %r : tensor<256x256xf32> to tensor<256x256xbf16>
  tile.store %o, %D[%c0, %c0] : tensor<256x256xbf16>, !tile.view<256x256xbf16, vector = 16>
  tile.return
}
