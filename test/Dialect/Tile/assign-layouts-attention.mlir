// RUN: lowp-opt %s --tile-assign-layouts=target=gfx950 | FileCheck %s

// Two products in one loop, with a row maximum and a row sum carried between. The pass knows none of it: the maximum is a
// slice of the first accumulator, so the subtraction needs no conversion; the second accumulator's slice is the same,
// because the waves share m alike; P goes from accumulator to operand through LDS; V is turned on its way into LDS;
// the result leaves through LDS.

// CHECK-DAG: #[[S:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 8], [0, 16], [0, 32]], lane = {{\[}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], wave = {{\[}}[32, 0], [64, 0]], shape = [128, 64], fragment = 16>
// CHECK-DAG: #[[O:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 8], [0, 16], [0, 32], [0, 64]], lane = {{\[}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], wave = {{\[}}[32, 0], [64, 0]], shape = [128, 128], fragment = 16>
// CHECK-DAG: #[[ROW:.+]] = #tile.linear<register = [], lane = {{\[}}[1], [2], [4], [8], [16], [0]], wave = {{\[}}[32], [64]], shape = [128]>
// CHECK-DAG: #[[P:.+]] = #tile.linear<register = {{\[}}[0, 1], [0, 2], [0, 4], [0, 16], [0, 32]], lane = {{\[}}[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 8]], wave = {{\[}}[32, 0], [64, 0]], shape = [128, 64], fragment = 8>
// CHECK-DAG: #[[V:.+]] = #tile.linear<register = {{\[}}[0, 1], [1, 0], [2, 0], [4, 0], [32, 0]], lane = {{\[}}[0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], wave = {{\[}}[8, 0], [16, 0]], shape = [64, 128], fragment = 16>

// CHECK-LABEL: tile.kernel @attention
// CHECK: %[[KRING:.+]] = tile.alloc {tile.read_conflicts = 0 : i32, tile.write_conflicts = 0 : i32} : <128x64xbf16,
// CHECK: %[[VRING:.+]] = tile.alloc {tile.read_conflicts = 0 : i32, tile.write_conflicts = 0 : i32} : <64x128xbf16,
// CHECK: %[[PRING:.+]] = tile.alloc {tile.read_conflicts = 0 : i32, tile.write_conflicts = {{[0-9]+}} : i32} : <128x64xbf16,
// CHECK: %[[ORING:.+]] = tile.alloc {tile.read_conflicts = 0 : i32, tile.write_conflicts = 0 : i32} : <128x128xbf16,
// CHECK-NOT: tile.alloc
// CHECK-NOT: tile.convert_layout
tile.kernel @attention(%q: !llvm.ptr<1>, %k: !llvm.ptr<1>, %v: !llvm.ptr<1>, %o: !llvm.ptr<1>) waves(4) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %ld = arith.constant 256 : i64
  %Q = tile.view %q sizes() strides(%ld) : !tile.view<1024x128xbf16, vector = 16>
  %K = tile.view %k sizes() strides(%ld) : !tile.view<1024x128xbf16, vector = 16>
  %V = tile.view %v sizes() strides(%ld) : !tile.view<1024x128xbf16, vector = 16>
  %O = tile.view %o sizes() strides(%ld) : !tile.view<1024x128xbf16, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %zeroO = arith.constant dense<0.0> : tensor<128x128xf32>
  %minf = arith.constant dense<0xFF800000> : tensor<128xf32>
  %zeroL = arith.constant dense<0.0> : tensor<128xf32>
  %tq = tile.load %Q[%c0, %c0] : !tile.view<1024x128xbf16, vector = 16> -> tensor<128x128xbf16>
  // CHECK: scf.for {{.*}} -> (tensor<128xf32, #[[ROW]]>, tensor<128xf32, #[[ROW]]>, tensor<128x128xf32, #[[O]]>)
  %r:3 = scf.for %j = %c0 to %c1024 step %c64 iter_args(%m = %minf, %l = %zeroL, %acc = %zeroO) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>) {
    // CHECK: tile.async_copy %{{.*}}, %[[KRING]]
    // CHECK: tile.local_load %[[KRING]]
    %tk = tile.load %K[%j, %c0] map affine_map<(d, n) -> (n, d)> staging(direct) : !tile.view<1024x128xbf16, vector = 16> -> tensor<128x64xbf16>
    // CHECK: %[[LOADED:.+]] = tile.load {{.*}} -> tensor<64x128xbf16, #[[V]]>
    // CHECK: tile.local_store %[[LOADED]], %[[VRING]]
    // CHECK: %[[VT:.+]] = tile.local_load %[[VRING]]
    %tv = tile.load %V[%j, %c0] staging(registers) : !tile.view<1024x128xbf16, vector = 16> -> tensor<64x128xbf16>
    // CHECK: tile.mma {{.*}}, tensor<128x64xf32, #[[S]]>
    %s = tile.mma %tq, %tk, %zero instruction [32, 32, 16] waves [4, 1, 1] : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
    // CHECK: tile.reduce max %{{.*}} dim 1 : tensor<128x64xf32, #[[S]]> -> tensor<128xf32, #[[ROW]]>
    %mx = tile.reduce max %s dim 1 : tensor<128x64xf32> -> tensor<128xf32>
    %mn = arith.maximumf %m, %mx : tensor<128xf32>
    // CHECK: tile.broadcast %{{.*}} dims [0] : tensor<128xf32, #[[ROW]]> -> tensor<128x64xf32, #[[S]]>
    %mb = tile.broadcast %mn dims [0] : tensor<128xf32> -> tensor<128x64xf32>
    %d = arith.subf %s, %mb : tensor<128x64xf32>
    %e = math.exp2 %d : tensor<128x64xf32>
    %md = arith.subf %m, %mn : tensor<128xf32>
    %alpha = math.exp2 %md : tensor<128xf32>
    %ps = tile.reduce add %e dim 1 : tensor<128x64xf32> -> tensor<128xf32>
    %la = arith.mulf %l, %alpha : tensor<128xf32>
    %ln = arith.addf %la, %ps : tensor<128xf32>
    // CHECK: %[[PACC:.+]] = arith.truncf {{.*}} to tensor<128x64xbf16, #[[S]]>
    // CHECK: tile.local_store %[[PACC]], %[[PRING]]
    // CHECK: %[[POP:.+]] = tile.local_load %[[PRING]]{{.*}} -> tensor<128x64xbf16, #[[P]]>
    %p = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xbf16>
    // CHECK: tile.broadcast %{{.*}} dims [0] : tensor<128xf32, #[[ROW]]> -> tensor<128x128xf32, #[[O]]>
    %ab = tile.broadcast %alpha dims [0] : tensor<128xf32> -> tensor<128x128xf32>
    %as = arith.mulf %acc, %ab : tensor<128x128xf32>
    // CHECK: tile.mma %[[POP]], %[[VT]], %{{.*}} instruction [32, 32, 16] waves [4, 1, 1]
    %on = tile.mma %p, %tv, %as instruction [32, 32, 16] waves [4, 1, 1] : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
    scf.yield %mn, %ln, %on : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
  }
  // CHECK: tile.broadcast %{{.*}} dims [0] : tensor<128xf32, #[[ROW]]> -> tensor<128x128xf32, #[[O]]>
  %lb = tile.broadcast %r#1 dims [0] : tensor<128xf32> -> tensor<128x128xf32>
  %x = arith.divf %r#2, %lb : tensor<128x128xf32>
  %y = arith.truncf %x : tensor<128x128xf32> to tensor<128x128xbf16>
  // CHECK: tile.local_store %{{.*}}, %[[ORING]][%{{.*}}] : tensor<128x128xbf16, #[[O]]>
  // CHECK: %[[OUT:.+]] = tile.local_load %[[ORING]]
  // CHECK: tile.store %[[OUT]],
  tile.store %y, %O[%c0, %c0] : tensor<128x128xbf16>, !tile.view<1024x128xbf16, vector = 16>
  tile.return
}
