// A hand-written program without products, as a router over experts has it: the softmax (to base 2) of each token's logits, written
// transposed, and for each block of 32 tokens the load of every expert, the sum of its probabilities.
//
//   y[n, m] = 2^x[m, n] / sum over n of 2^x[m, n];  load[b, n] = sum over the tokens m of block b of y[n, m]
//
// Two loops over the experts: the first carries the running maxima and sums of the rows, the second uses them. Nothing in it names a
// layout, but the loops want different ones, for sums along the rows and along the columns, so maxima and sums go through LDS. Sizes
// are any, and nothing is aligned to more than an element.
// unittests/Pipeline/HandWrittenTest.cpp runs this text.

// RUN: lowpc %s --target=gfx942 --stop-after=laid-out | FileCheck %s --check-prefix=LAID
// RUN: lowpc %s --target=gfx942 --stop-after=pipelined | FileCheck %s --check-prefix=PIPELINED
// RUN: lowpc %s --target=gfx942 -o %t.hsaco
// RUN: lowp-run %t.hsaco --size=x.0=37 --size=x.1=301 | FileCheck %s --check-prefix=RAN
// RAN: any: 2 workgroups,

// The rows of the first loop's tile are shared by the waves, so that a lane runs along a row; the second loop's tile has all rows in each
// wave, so that a lane can add them up. The statistics, of 32 rows, go between the two by LDS.
// LAID-DAG: #[[FIRST:.+]] = #tile.linear<register = {{\[\[}}0, 64], [1, 0], [2, 0], [4, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], wave = {{\[\[}}8, 0], [16, 0]], shape = [32, 128]>
// LAID-DAG: #[[SECOND:.+]] = #tile.linear<register = {{\[\[}}2, 0], [4, 0], [8, 0], [16, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0]], wave = {{\[\[}}0, 32], [0, 64]], shape = [32, 128]>
// LAID-DAG: #[[PERROW:.+]] = #tile.linear<register = {{\[\[}}1], [2], [4]], lane = {{\[\[}}0], [0], [0], [0], [0], [0]], wave = {{\[\[}}8], [16]], shape = [32]>
// LAID-DAG: #[[CARRIED:.+]] = #tile.linear<register = {{\[\[}}2], [4], [8], [16]], lane = {{\[\[}}0], [0], [0], [0], [0], [1]], wave = {{\[\[}}0], [0]], shape = [32]>
// LAID-LABEL: tile.kernel @router.any
// LAID: %[[RING:.+]] = tile.alloc {{.*}} : <32xf32, stages = 1,
// LAID: scf.for {{.*}} -> (tensor<32xf32, #[[CARRIED]]>, tensor<32xf32, #[[CARRIED]]>)
// LAID: %[[HERE:.+]] = tile.reduce max %{{.+}} dim 1 : tensor<32x128xf32, #[[FIRST]]> -> tensor<32xf32, #[[PERROW]]>
// LAID-NEXT: tile.local_store %[[HERE]], %[[RING]][%c0]
// LAID-NEXT: tile.local_load %[[RING]][%c0] : {{.*}} -> tensor<32xf32, #[[CARRIED]]>
// LAID: scf.for
// LAID: tile.reduce add %{{.+}} dim 0 : tensor<32x128xf32, #[[SECOND]]>

// The tile of the next step is loaded during this one. No ring needs more than one stage, and each reading waits for its writing.
// PIPELINED-LABEL: tile.kernel @router.any
// PIPELINED: %[[FIRST:.+]] = tile.load
// PIPELINED: scf.for {{.*}} iter_args({{.*}}, %[[NOW:.+]] = %[[FIRST]]) ->
// PIPELINED: arith.extf %[[NOW]]
// PIPELINED-NEXT: tile.load
// PIPELINED: tile.local_store %{{.+}}, %[[RING:.+]][%c0]
// PIPELINED-NEXT: tile.barrier
// PIPELINED-NEXT: tile.local_load %[[RING]][%c0]
// PIPELINED: tile.return

#rows = affine_set<()[x, y, l, m, n] : (m - 1 >= 0)>
#columns = affine_set<()[x, y, l, m, n] : (n - 1 >= 0)>
#aligned_x = affine_set<()[x, y, l, m, n] : (x mod 2 == 0)>
#aligned_y = affine_set<()[x, y, l, m, n] : (y mod 2 == 0)>
#aligned_load = affine_set<()[x, y, l, m, n] : (l mod 4 == 0)>

tile.entry @router arguments [
    #tile.argument<input "x" : tensor<?x?xf16>>,
    #tile.argument<result "y" : tensor<?x?xbf16> sizes affine_map<()[x, y, l, m, n] -> (n, m)>>,
    #tile.argument<result "load" : tensor<?x?xf32> sizes affine_map<()[x, y, l, m, n] -> (m ceildiv 32, n)>>,
    #tile.argument<dimension "x.0" : i32>, #tile.argument<dimension "x.1" : i32>]
  conditions [
    #tile.condition<"dimension 0 of x must be at least 1", #rows>,
    #tile.condition<"dimension 1 of x must be at least 1", #columns>,
    #tile.condition<"x must be aligned to 2 bytes", #aligned_x>, #tile.condition<"y must be aligned to 2 bytes", #aligned_y>,
    #tile.condition<"load must be aligned to 4 bytes", #aligned_load>]
  variants [
    #tile.variant<"any", schedule = "by hand", conditions = [],
      launches = [<@router.any, affine_map<()[x, y, l, m, n, cus] -> (m ceildiv 32, 1, 1)>>]>]

tile.kernel @router.any(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %load: !llvm.ptr<1>, %m: i32, %n: i32) waves(4) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %M = arith.index_cast %m : i32 to index
  %N = arith.index_cast %n : i32 to index
  %m64 = arith.extui %m : i32 to i64
  %n64 = arith.extui %n : i32 to i64
  %ldx = arith.muli %n64, %two : i64
  %ldy = arith.muli %m64, %two : i64
  %ldload = arith.muli %n64, %four : i64
  %X = tile.view %x sizes(%M, %N) strides(%ldx) : !tile.view<?x?xf16, vector = 2>
  %Y = tile.view %y sizes(%N, %M) strides(%ldy) : !tile.view<?x?xbf16, vector = 2>
  %group = tile.workgroup_id 0
  %next = arith.addi %group, %c1 : index
  %LOAD = tile.view %load sizes(%next, %N) strides(%ldload) : !tile.view<?x?xf32, vector = 4>
  %m0 = arith.muli %group, %c32 : index
  %lowest = arith.constant dense<0xFF800000> : tensor<32xf32>
  %nothing = arith.constant dense<0.0> : tensor<32xf32>
  %none = arith.constant dense<0xFF800000> : tensor<32x128xf32>

  %r:2 = scf.for %j = %c0 to %N step %c128 iter_args(%max = %lowest, %sum = %nothing) -> (tensor<32xf32>, tensor<32xf32>) {
    %t = tile.load %X[%m0, %j] : !tile.view<?x?xf16, vector = 2> -> tensor<32x128xf16>
    %wide = arith.extf %t : tensor<32x128xf16> to tensor<32x128xf32>
    %first = arith.index_cast %j : index to i32
    %left = arith.subi %n, %first : i32
    %lefts = tile.splat %left : i32 -> tensor<32x128xi32>
    %columns = tile.coordinate 1 : tensor<32x128xi32>
    %exists = arith.cmpi slt, %columns, %lefts : tensor<32x128xi32>
    %s = arith.select %exists, %wide, %none : tensor<32x128xi1>, tensor<32x128xf32>
    %here = tile.reduce max %s dim 1 : tensor<32x128xf32> -> tensor<32xf32>
    %newmax = arith.maximumf %max, %here : tensor<32xf32>
    %maxima = tile.broadcast %newmax dims [0] : tensor<32xf32> -> tensor<32x128xf32>
    %below = arith.subf %s, %maxima : tensor<32x128xf32>
    %p = math.exp2 %below : tensor<32x128xf32>
    %added = tile.reduce add %p dim 1 : tensor<32x128xf32> -> tensor<32xf32>
    %fall = arith.subf %max, %newmax : tensor<32xf32>
    %rescale = math.exp2 %fall : tensor<32xf32>
    %oldsum = arith.mulf %sum, %rescale : tensor<32xf32>
    %newsum = arith.addf %oldsum, %added : tensor<32xf32>
    scf.yield %newmax, %newsum : tensor<32xf32>, tensor<32xf32>
  } {tile.stages = 2 : i32}

  %m0i = arith.index_cast %m0 : index to i32
  %tokens = arith.subi %m, %m0i : i32
  %counted = tile.splat %tokens : i32 -> tensor<32x128xi32>
  %zero = arith.constant dense<0.0> : tensor<32x128xf32>
  scf.for %j = %c0 to %N step %c128 {
    %t = tile.load %X[%m0, %j] : !tile.view<?x?xf16, vector = 2> -> tensor<32x128xf16>
    %wide = arith.extf %t : tensor<32x128xf16> to tensor<32x128xf32>
    %maxima = tile.broadcast %r#0 dims [0] : tensor<32xf32> -> tensor<32x128xf32>
    %below = arith.subf %wide, %maxima : tensor<32x128xf32>
    %p = math.exp2 %below : tensor<32x128xf32>
    %sums = tile.broadcast %r#1 dims [0] : tensor<32xf32> -> tensor<32x128xf32>
    %quotient = arith.divf %p, %sums : tensor<32x128xf32>
    %narrow = arith.truncf %quotient : tensor<32x128xf32> to tensor<32x128xbf16>
    tile.store %narrow, %Y[%j, %m0] map affine_map<(m, n) -> (n, m)> : tensor<32x128xbf16>, !tile.view<?x?xbf16, vector = 2>
    %rows = tile.coordinate 0 : tensor<32x128xi32>
    %token = arith.cmpi slt, %rows, %counted : tensor<32x128xi32>
    %counts = arith.select %token, %quotient, %zero : tensor<32x128xi1>, tensor<32x128xf32>
    %total = tile.reduce add %counts dim 0 : tensor<32x128xf32> -> tensor<128xf32>
    tile.store %total, %LOAD[%group, %j] map affine_map<(n) -> (0, n)> in_bounds [true, false]
        : tensor<128xf32>, !tile.view<?x?xf32, vector = 4>
  }
  tile.return
}
