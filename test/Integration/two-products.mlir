// A hand-written program that is no GEMM: attention with a running maximum. Two products in one loop, the first one's row maxima and
// row sums carried from step to step and used to rescale the second one's accumulator. No pass knows of it.
//
//   S = scale Q K^T, -inf where a column is no key; m' = max(m, rowmax S); P = exp2(S - m'); a = exp2(m - m')
//   l = l a + rowsum P; O = O a + bf16(P) V; at the end O / l
//
// 4 waves take 128 queries; a step of the loop takes 64 keys. The number of keys is any: rows beyond the end of K and V read as 0,
// and the mask makes their weights 0. unittests/Pipeline/HandWrittenTest.cpp runs this text, with the types, instructions and
// staging of each chip in the place of the ones below.

// RUN: lowpc %s --target=gfx942 --stop-after=laid-out | FileCheck %s --check-prefix=LAID
// RUN: lowpc %s --target=gfx942 --stop-after=pipelined | FileCheck %s --check-prefix=PIPELINED
// RUN: sed -e 's/!qk = bf16/!qk = f8E4M3FN/; s/ldqk = arith.constant 128/ldqk = arith.constant 64/' -e '/products = /s/32, 32, 8/32, 32, 64/' \
// RUN:     -e '/tk = /s/staging(registers)/staging(direct)/' %s > %t.mlir
// RUN: lowpc %t.mlir --target=gfx950 --stop-after=pipelined | FileCheck %s --check-prefix=DIRECT
// RUN: lowpc %s --target=gfx950 -o %t.hsaco
// RUN: lowp-run %t.hsaco --size=q.0=150 --size=k.0=209 --size=v.0=209 --arg=scale=0.1 | FileCheck %s --check-prefix=RAN

// Keys and values go through LDS in their own ways, the weights from accumulator to operand; the statistics are slices of the first
// accumulator and need no conversion anywhere.
// LAID-DAG: #[[S:.+]] = #tile.linear<register = {{\[\[}}0, 1], [0, 2], [0, 8], [0, 16], [0, 32]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], wave = {{\[\[}}32, 0], [64, 0]], shape = [128, 64], fragment = 16>
// LAID-DAG: #[[ROW:.+]] = #tile.linear<register = [], lane = {{\[\[}}1], [2], [4], [8], [16], [0]], wave = {{\[\[}}32], [64]], shape = [128]>
// LAID-LABEL: tile.kernel @attention.any
// LAID: %[[KRING:.+]] = tile.alloc {{.*}} : <64x64xbf16, stages = 1,
// LAID-NEXT: %[[VRING:.+]] = tile.alloc {{.*}} : <64x64xbf16, stages = 1,
// LAID-NEXT: %[[PRING:.+]] = tile.alloc {{.*}} : <128x64xbf16, stages = 1,
// LAID-NOT: tile.alloc
// LAID-NOT: tile.convert_layout
// LAID: scf.for {{.*}} -> (tensor<128xf32, #[[ROW]]>, tensor<128xf32, #[[ROW]]>, tensor<128x64xf32, #[[S]]>)
// LAID: tile.local_load %[[KRING]]
// LAID: %[[V:.+]] = tile.local_load %[[VRING]]
// LAID: tile.reduce max %{{.+}} dim 1 : tensor<128x64xf32, #[[S]]> -> tensor<128xf32, #[[ROW]]>
// LAID: tile.local_store %{{.+}}, %[[PRING]]
// LAID-NEXT: %[[P:.+]] = tile.local_load %[[PRING]]
// LAID: tile.mma %[[P]], %[[V]],
// LAID: tile.return

// Rings of two stages, filled a step ahead by what was loaded two steps ahead. One barrier a step keeps the rings apart, one more
// stands between the writing of the weights and their reading; the one at the top also keeps the next weights from these.
// PIPELINED-LABEL: tile.kernel @attention.any
// PIPELINED: %[[KRING:.+]] = tile.alloc at {{.*}} : <64x64xbf16, stages = 2,
// PIPELINED: %[[VRING:.+]] = tile.alloc at {{.*}} : <64x64xbf16, stages = 2,
// PIPELINED: %[[PRING:.+]] = tile.alloc at {{.*}} : <128x64xbf16, stages = 1,
// PIPELINED: tile.local_store %{{.+}}, %[[KRING]][%c0]
// PIPELINED: tile.local_store %{{.+}}, %[[VRING]][%c0]
// PIPELINED: scf.for {{.*}} iter_args({{.*}}, %[[NEXTK:.+]] = %{{.+}}, %[[NEXTV:.+]] = %{{.+}}) ->
// PIPELINED: %[[NOW:.+]] = arith.divui
// PIPELINED: %[[NEXT:.+]] = arith.addi %[[NOW]], %c1
// PIPELINED: tile.barrier
// PIPELINED-NEXT: %[[K:.+]] = tile.local_load %[[KRING]][%[[NOW]]]
// PIPELINED-NEXT: %[[V:.+]] = tile.local_load %[[VRING]][%[[NOW]]]
// PIPELINED-NEXT: tile.local_store %[[NEXTK]], %[[KRING]][%[[NEXT]]]
// PIPELINED-NEXT: tile.local_store %[[NEXTV]], %[[VRING]][%[[NEXT]]]
// PIPELINED-NEXT: tile.load
// PIPELINED-NEXT: tile.load
// PIPELINED-NEXT: tile.mma %{{.+}}, %[[K]],
// PIPELINED: tile.local_store %{{.+}}, %[[PRING]][%c0]
// PIPELINED-NEXT: tile.barrier
// PIPELINED-NEXT: %[[P:.+]] = tile.local_load %[[PRING]][%c0]
// PIPELINED-NOT: tile.barrier
// PIPELINED: tile.mma %[[P]], %[[V]],
// PIPELINED-NEXT: scf.yield
// PIPELINED-NOT: tile.wait
// PIPELINED: tile.return

// By LDS-DMA the keys of the next step are under way during this one, and waited for before it ends.
// DIRECT-LABEL: tile.kernel @attention.any
// DIRECT: %[[KRING:.+]] = tile.alloc at {{.*}} : <64x64xf8E4M3FN, stages = 2,
// DIRECT: tile.async_copy %{{.+}}, %[[KRING]][%c0]
// DIRECT: scf.for
// DIRECT: tile.wait copies(0)
// DIRECT-NEXT: tile.barrier
// DIRECT-NEXT: tile.local_load %[[KRING]][%[[NOW:.+]]]
// DIRECT: tile.async_copy %{{.+}}, %[[KRING]][%[[NEXT:.+]]] map
// DIRECT: tile.mma {{.*}} instruction [32, 32, 64]
// DIRECT: scf.yield
// DIRECT: tile.wait copies(0)
// DIRECT-NEXT: tile.return

// 2 groups of queries, 4 steps of keys, 4 waves, (2 x 8 + 2 x 8) products of either kind.
// RAN: any: 2 workgroups, {{[0-9]+}} instructions, 1024 MFMA, 0 LDS-DMA,

!qk = bf16

#keys_equal = affine_set<()[q, k, v, scale, o, m, n, nv] : (nv - n == 0)>
#has_queries = affine_set<()[q, k, v, scale, o, m, n, nv] : (m - 1 >= 0)>
#has_keys = affine_set<()[q, k, v, scale, o, m, n, nv] : (n - 1 >= 0)>
#aligned_q = affine_set<()[q, k, v, scale, o, m, n, nv] : (q mod 16 == 0)>
#aligned_k = affine_set<()[q, k, v, scale, o, m, n, nv] : (k mod 16 == 0)>
#aligned_v = affine_set<()[q, k, v, scale, o, m, n, nv] : (v mod 16 == 0)>
#aligned_o = affine_set<()[q, k, v, scale, o, m, n, nv] : (o mod 16 == 0)>

tile.entry @attention arguments [
    #tile.argument<input "q" : tensor<?x64x!qk>>, #tile.argument<input "k" : tensor<?x64x!qk>>,
    #tile.argument<input "v" : tensor<?x64xbf16>>, #tile.argument<scalar "scale" : f32>,
    #tile.argument<result "o" : tensor<?x64xf32> sizes affine_map<()[q, k, v, scale, o, m, n, nv] -> (m, 64)>>,
    #tile.argument<dimension "q.0" : i32>, #tile.argument<dimension "k.0" : i32>, #tile.argument<dimension "v.0" : i32>]
  conditions [
    #tile.condition<"dimension 0 of q must be at least 1", #has_queries>,
    #tile.condition<"dimension 0 of k must be at least 1", #has_keys>,
    #tile.condition<"dimension 0 of v must equal dimension 0 of k", #keys_equal>,
    #tile.condition<"q must be aligned to 16 bytes", #aligned_q>, #tile.condition<"k must be aligned to 16 bytes", #aligned_k>,
    #tile.condition<"v must be aligned to 16 bytes", #aligned_v>, #tile.condition<"o must be aligned to 16 bytes", #aligned_o>]
  variants [
    #tile.variant<"any", schedule = "by hand", conditions = [],
      launches = [<@attention.any, affine_map<()[q, k, v, scale, o, m, n, nv, cus] -> (m ceildiv 128, 1, 1)>>]>]

tile.kernel @attention.any(%q: !llvm.ptr<1>, %k: !llvm.ptr<1>, %v: !llvm.ptr<1>, %scale: f32, %o: !llvm.ptr<1>,
                           %m: i32, %n: i32, %nv: i32) waves(4) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = arith.index_cast %m : i32 to index
  %N = arith.index_cast %n : i32 to index
  %ldqk = arith.constant 128 : i64
  %ldv = arith.constant 128 : i64
  %ldo = arith.constant 256 : i64
  %Q = tile.view %q sizes(%M) strides(%ldqk) : !tile.view<?x64x!qk, vector = 16>
  %K = tile.view %k sizes(%N) strides(%ldqk) : !tile.view<?x64x!qk, vector = 16>
  %V = tile.view %v sizes(%N) strides(%ldv) : !tile.view<?x64xbf16, vector = 16>
  %O = tile.view %o sizes(%M) strides(%ldo) : !tile.view<?x64xf32, vector = 16>

  %group = tile.workgroup_id 0
  %m0 = arith.muli %group, %c128 : index
  %tq = tile.load %Q[%m0, %c0] in_bounds [false, true] : !tile.view<?x64x!qk, vector = 16> -> tensor<128x64x!qk>
  %scales = tile.splat %scale : f32 -> tensor<128x64xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0xFF800000> : tensor<128x64xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<128xf32>
  %nothing = arith.constant dense<0.0> : tensor<128xf32>

  %r:3 = scf.for %j = %c0 to %N step %c64 iter_args(%max = %lowest, %sum = %nothing, %acc = %zero)
      -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>) {
    %tk = tile.load %K[%j, %c0] map affine_map<(d, n) -> (n, d)> in_bounds [false, true] staging(registers)
        : !tile.view<?x64x!qk, vector = 16> -> tensor<64x64x!qk>
    %tv = tile.load %V[%j, %c0] in_bounds [false, true] staging(registers) : !tile.view<?x64xbf16, vector = 16> -> tensor<64x64xbf16>
    %products = tile.mma %tq, %tk, %zero instruction [32, 32, 8] waves [4, 1, 1]
        : tensor<128x64x!qk>, tensor<64x64x!qk>, tensor<128x64xf32>
    %scaled = arith.mulf %products, %scales : tensor<128x64xf32>

    %first = arith.index_cast %j : index to i32
    %left = arith.subi %n, %first : i32
    %lefts = tile.splat %left : i32 -> tensor<128x64xi32>
    %columns = tile.coordinate 1 : tensor<128x64xi32>
    %exists = arith.cmpi slt, %columns, %lefts : tensor<128x64xi32>
    %s = arith.select %exists, %scaled, %none : tensor<128x64xi1>, tensor<128x64xf32>

    %here = tile.reduce max %s dim 1 : tensor<128x64xf32> -> tensor<128xf32>
    %newmax = arith.maximumf %max, %here : tensor<128xf32>
    %maxima = tile.broadcast %newmax dims [0] : tensor<128xf32> -> tensor<128x64xf32>
    %below = arith.subf %s, %maxima : tensor<128x64xf32>
    %p = math.exp2 %below : tensor<128x64xf32>
    %fall = arith.subf %max, %newmax : tensor<128xf32>
    %rescale = math.exp2 %fall : tensor<128xf32>
    %added = tile.reduce add %p dim 1 : tensor<128x64xf32> -> tensor<128xf32>
    %oldsum = arith.mulf %sum, %rescale : tensor<128xf32>
    %newsum = arith.addf %oldsum, %added : tensor<128xf32>

    %weights = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xbf16>
    %factors = tile.broadcast %rescale dims [0] : tensor<128xf32> -> tensor<128x64xf32>
    %rescaled = arith.mulf %acc, %factors : tensor<128x64xf32>
    %newacc = tile.mma %weights, %tv, %rescaled instruction [32, 32, 8] waves [4, 1, 1]
        : tensor<128x64xbf16>, tensor<64x64xbf16>, tensor<128x64xf32>
    scf.yield %newmax, %newsum, %newacc : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
  } {tile.stages = 2 : i32}

  %sums = tile.broadcast %r#1 dims [0] : tensor<128xf32> -> tensor<128x64xf32>
  %result = arith.divf %r#2, %sums : tensor<128x64xf32>
  tile.store %result, %O[%m0, %c0] in_bounds [false, true] : tensor<128x64xf32>, !tile.view<?x64xf32, vector = 16>
  tile.return
}
