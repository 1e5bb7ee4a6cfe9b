// RUN: lowp-opt %s --verify-roundtrip | FileCheck %s

// Every operation, type and attribute, as it is written and as it is printed. Conditions have their sets as
// strings, since the parser takes the '>' of '>=' inside an attribute for its end; aliases of sets are read too.

// Layouts get names of their own by what they are of.
// CHECK-DAG: #[[LAYOUT:layout.*]] = #tile.linear<register = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 4>
// CHECK-DAG: #[[ROW:layout.*]] = #tile.linear<register = [], lane = {{\[\[}}1], [2], [4], [8], [0], [0]], wave = [], shape = [16]>
// CHECK-DAG: #[[LDS:lds.*]] = #tile.linear<offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 4], [4, 8], [8, 0]], shape = [16, 16]>
#l = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 4>
#turned = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
#row = #tile.linear<register = [], lane = [[1], [2], [4], [8], [0], [0]], wave = [], shape = [16], fragment = 1>
#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 4], [4, 8], [8, 0]], shape = [16, 16]>

// CHECK-DAG: #[[SIZES:.+]] = affine_map<()[s0, s1, s2, s3, s4, s5, s6] -> (s3, 16)>
// CHECK-DAG: #[[GRID:.+]] = affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7] -> (s3 ceildiv 16, s7, 1)>
// CHECK-DAG: #[[BYTES:.+]] = affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7] -> (s3 * s7)>
#aligned = affine_set<()[x, alpha, d, m, ld, w, t] : (x mod 16 == 0)>

// CHECK: tile.entry @entry arguments [
// CHECK-SAME: #tile.argument<input "x" : tensor<?x16xbf16>>,
// CHECK-SAME: #tile.argument<scalar "alpha" : f32>,
// CHECK-SAME: #tile.argument<result "d" : tensor<?x16xf32> sizes #[[SIZES]]>,
// CHECK-SAME: #tile.argument<dimension "x.0" : i32>,
// CHECK-SAME: #tile.argument<stride "x.stride.0" : i64>,
// CHECK-SAME: #tile.argument<workspace "workspace" : i64>,
// CHECK-SAME: #tile.argument<input "t" : tensor<f32>>]
// CHECK-SAME: conditions [#tile.condition<"dimension 0 of x must be at least 1", "affine_set<()[s0, s1, s2, s3, s4, s5, s6] : (s3 - 1 >= 0)>">]
// CHECK-SAME: variants [
// CHECK-SAME: #tile.variant<"aligned", schedule = "by hand", conditions = [<"x must be aligned to 16 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6] : (s0 mod 16 == 0)>">], launches = [<@entry.aligned, #[[GRID]]>]>,
// CHECK-SAME: #tile.variant<"two", schedule = 8 : i64, conditions = [], launches = [<@entry.one, #[[GRID]]>, <@entry.two, #[[GRID]]>], workspace = #[[BYTES]]>,
// CHECK-SAME: #tile.variant<"empty", schedule = 7 : i64, conditions = [], launches = []>]
// CHECK-SAME: problem "an entry" {note = 1 : i64}
tile.entry @entry arguments [
    #tile.argument<input "x" : tensor<?x16xbf16>>, #tile.argument<scalar "alpha" : f32>,
    #tile.argument<result "d" : tensor<?x16xf32> sizes affine_map<()[x, alpha, d, m, ld, w, t] -> (m, 16)>>,
    #tile.argument<dimension "x.0" : i32>, #tile.argument<stride "x.stride.0" : i64>, #tile.argument<workspace "workspace" : i64>,
    #tile.argument<input "t" : tensor<f32>>]
  conditions [#tile.condition<"dimension 0 of x must be at least 1", "affine_set<()[x, alpha, d, m, ld, w, t] : (m - 1 >= 0)>">]
  variants [
    #tile.variant<"aligned", schedule = "by hand", conditions = [<"x must be aligned to 16 bytes", #aligned>],
      launches = [<@entry.aligned, affine_map<()[x, alpha, d, m, ld, w, t, cus] -> (m ceildiv 16, cus, 1)>>]>,
    #tile.variant<"two", schedule = 8, conditions = [],
      launches = [<@entry.one, affine_map<()[x, alpha, d, m, ld, w, t, cus] -> (m ceildiv 16, cus, 1)>>,
                  <@entry.two, affine_map<()[x, alpha, d, m, ld, w, t, cus] -> (m ceildiv 16, cus, 1)>>],
      workspace = affine_map<()[x, alpha, d, m, ld, w, t, cus] -> (m * cus)>>,
    #tile.variant<"empty", schedule = 7, conditions = [], launches = []>]
  problem "an entry" {note = 1}

// No problem.
// CHECK: tile.entry @nothing arguments [] conditions [] variants []{{$}}
tile.entry @nothing arguments [] conditions [] variants []

// CHECK: tile.kernel @entry.aligned(%[[X:.+]]: !llvm.ptr<1> {llvm.noalias}, %[[ALPHA:.+]]: f32, %[[D:.+]]: !llvm.ptr<1>, %[[M:.+]]: i32, %[[STRIDE:.+]]: i64) waves(1) attributes {note = 2 : i64} {
tile.kernel @entry.aligned(%x: !llvm.ptr<1> {llvm.noalias}, %alpha: f32, %d: !llvm.ptr<1>, %m: i32, %ld: i64) waves(1) attributes {note = 2} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[ROWS:.+]] = arith.index_cast
  %rows = arith.index_cast %m : i32 to index
  // CHECK: %[[GROUP:.+]] = tile.workgroup_id 0
  %group = tile.workgroup_id 0
  // CHECK: %[[XV:.+]] = tile.view %[[X]] sizes(%[[ROWS]]) strides(%[[STRIDE]]) : <?x16xbf16, vector = 16>
  %X = tile.view %x sizes(%rows) strides(%ld) : !tile.view<?x16xbf16, vector = 16>
  // CHECK: %[[DV:.+]] = tile.view %[[D]] sizes(%[[ROWS]]) strides(%[[STRIDE]]) : <?x16xf32, vector = 4>
  %D = tile.view %d sizes(%rows) strides(%ld) : !tile.view<?x16xf32, vector = 4>
  // CHECK: %[[SV:.+]] = tile.view %[[D]] sizes() strides() : <f32, vector = 4>
  %S = tile.view %d sizes() strides() : !tile.view<f32, vector = 4>
  // CHECK: %[[RING:.+]] = tile.alloc at 512 : <16x16xbf16, stages = 3, #[[LDS]]>
  %b = tile.alloc at 512 : !tile.local<16x16xbf16, stages = 3, #lds>
  // CHECK: tile.alloc : <16x16xf4E2M1FN, stages = 1, #[[LDS]]>
  %e = tile.alloc : !tile.local<16x16xf4E2M1FN, stages = 1, #lds>
  // CHECK: %[[A:.+]] = tile.load %[[XV]][%[[GROUP]], %c0] : <?x16xbf16, vector = 16> -> tensor<16x16xbf16, #[[LAYOUT]]>
  %a = tile.load %X[%group, %c0] : !tile.view<?x16xbf16, vector = 16> -> tensor<16x16xbf16, #l>
  // CHECK: tile.load %[[XV]][%[[GROUP]], %c0] map #{{.+}} in_bounds [false, true] staging(direct) : <?x16xbf16, vector = 16> -> tensor<16x16xbf16>
  %t = tile.load %X[%group, %c0] map affine_map<(i, j) -> (j + 2, i)> in_bounds [false, true] staging(direct) : !tile.view<?x16xbf16, vector = 16> -> tensor<16x16xbf16>
  // CHECK: tile.load {{.*}} staging(none) :
  %t0 = tile.load %X[%group, %c0] staging(none) : !tile.view<?x16xbf16, vector = 16> -> tensor<16x16xbf16>
  // CHECK: tile.load {{.*}} staging(registers) :
  %t1 = tile.load %X[%group, %c0] staging(registers) : !tile.view<?x16xbf16, vector = 16> -> tensor<16x16xbf16>
  // CHECK: tile.load %[[SV]][] map #{{.+}} : <f32, vector = 4> -> tensor<16xf32>
  %s = tile.load %S[] map affine_map<(i) -> ()> : !tile.view<f32, vector = 4> -> tensor<16xf32>
  // CHECK: tile.local_store %[[A]], %[[RING]][%[[GROUP]]] : tensor<16x16xbf16, #[[LAYOUT]]>, <16x16xbf16, stages = 3, #[[LDS]]>
  tile.local_store %a, %b[%group] : tensor<16x16xbf16, #l>, !tile.local<16x16xbf16, stages = 3, #lds>
  // CHECK: tile.async_copy %[[XV]][%[[GROUP]], %c0], %[[RING]][%c0] : <?x16xbf16, vector = 16>, <16x16xbf16, stages = 3, #[[LDS]]>
  tile.async_copy %X[%group, %c0], %b[%c0] : !tile.view<?x16xbf16, vector = 16>, !tile.local<16x16xbf16, stages = 3, #lds>
  // CHECK: tile.async_copy {{.*}} map #{{.+}} in_bounds [true, false] :
  tile.async_copy %X[%group, %c0], %b[%c0] map affine_map<(i, j) -> (j, i)> in_bounds [true, false] : !tile.view<?x16xbf16, vector = 16>, !tile.local<16x16xbf16, stages = 3, #lds>
  // CHECK: tile.wait copies(2)
  tile.wait copies(2)
  // CHECK: tile.barrier{{$}}
  tile.barrier
  // CHECK-NEXT: tile.barrier{{$}}
  tile.barrier local(0)
  // CHECK-NEXT: tile.barrier local(8) {note = 3 : i64}
  tile.barrier local(8) {note = 3}
  // CHECK: %[[B:.+]] = tile.local_load %[[RING]][%c0] : <16x16xbf16, stages = 3, #[[LDS]]> -> tensor<16x16xbf16, #[[TURNED:.+]]>
  %bt = tile.local_load %b[%c0] : !tile.local<16x16xbf16, stages = 3, #lds> -> tensor<16x16xbf16, #turned>
  // CHECK: %[[ZERO:.+]] = tile.splat %[[ALPHA]] : f32 -> tensor<16x16xf32, #[[LAYOUT]]>
  %zero = tile.splat %alpha : f32 -> tensor<16x16xf32, #l>
  // CHECK: %[[P:.+]] = tile.mma %[[A]], %[[B]], %[[ZERO]] instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16, #[[LAYOUT]]>, tensor<16x16xbf16, #[[TURNED]]>, tensor<16x16xf32, #[[LAYOUT]]>
  %p = tile.mma %a, %bt, %zero instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16, #l>, tensor<16x16xbf16, #turned>, tensor<16x16xf32, #l>
  // CHECK: %[[MAX:.+]] = tile.reduce max %[[P]] dim 1 : tensor<16x16xf32, #[[LAYOUT]]> -> tensor<16xf32, #[[ROW]]>
  %max = tile.reduce max %p dim 1 : tensor<16x16xf32, #l> -> tensor<16xf32, #row>
  // CHECK: tile.reduce min %{{.+}} dim 0 : tensor<16xf32> -> tensor<f32>
  %min = tile.reduce min %s dim 0 : tensor<16xf32> -> tensor<f32>
  // CHECK: tile.reduce add
  %sum = tile.reduce add %p dim 1 : tensor<16x16xf32, #l> -> tensor<16xf32, #row>
  // CHECK: %[[WIDE:.+]] = tile.broadcast %[[MAX]] dims [0] : tensor<16xf32, #[[ROW]]> -> tensor<16x16xf32, #[[LAYOUT]]>
  %wide = tile.broadcast %max dims [0] : tensor<16xf32, #row> -> tensor<16x16xf32, #l>
  // CHECK: tile.broadcast %{{.+}} dims [] : tensor<f32> -> tensor<16x16xf32>
  %all = tile.broadcast %min dims [] : tensor<f32> -> tensor<16x16xf32>
  // CHECK: tile.coordinate 1 : tensor<16x16xi32, #[[LAYOUT]]>
  %j = tile.coordinate 1 : tensor<16x16xi32, #l>
  // CHECK: tile.convert_layout %[[WIDE]] : tensor<16x16xf32, #[[LAYOUT]]> -> tensor<16x16xf32, #[[TURNED]]>
  %u = tile.convert_layout %wide : tensor<16x16xf32, #l> -> tensor<16x16xf32, #turned>
  // CHECK: tile.store %[[WIDE]], %[[DV]][%c0, %c0] in_bounds [false, true] : tensor<16x16xf32, #[[LAYOUT]]>, <?x16xf32, vector = 4>
  tile.store %wide, %D[%c0, %c0] in_bounds [false, true] : tensor<16x16xf32, #l>, !tile.view<?x16xf32, vector = 4>
  // CHECK: tile.store {{.*}} map #{{.+}} : tensor<16x16xf32>, <?x16xf32, vector = 4>
  tile.store %all, %D[%c0, %c0] map affine_map<(i, j) -> (j, i)> : tensor<16x16xf32>, !tile.view<?x16xf32, vector = 4>
  // CHECK: %[[R:.+]]:2 = tile.cluster interleave -> tensor<16x16xf32, #[[LAYOUT]]>, index {
  // CHECK-NEXT: %[[S:.+]] = tile.mma %[[A]], %[[B]], %[[P]]
  // CHECK-NEXT: tile.barrier local(1)
  // CHECK-NEXT: tile.yield %[[S]], %[[GROUP]] : tensor<16x16xf32, #[[LAYOUT]]>, index
  // CHECK-NEXT: } {note = 4 : i64}
  %r:2 = tile.cluster interleave -> tensor<16x16xf32, #l>, index {
    %q = tile.mma %a, %bt, %p instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16, #l>, tensor<16x16xbf16, #turned>, tensor<16x16xf32, #l>
    tile.barrier local(1)
    tile.yield %q, %group : tensor<16x16xf32, #l>, index
  } {note = 4}
  // CHECK-NEXT: tile.cluster interleave {
  // CHECK-NEXT: tile.yield{{$}}
  // CHECK-NEXT: }
  tile.cluster interleave {
    tile.yield
  }
  // CHECK-NEXT: tile.stagger begin
  tile.stagger begin
  // CHECK-NEXT: tile.cluster pingpong {
  // CHECK-NEXT: tile.yield{{$}}
  // CHECK-NEXT: }
  tile.cluster pingpong {
    tile.yield
  }
  // CHECK-NEXT: tile.stagger end {note = 5 : i64}
  tile.stagger end {note = 5}
  // CHECK: tile.return
  tile.return
}
