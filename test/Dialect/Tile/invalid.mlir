// RUN: lowp-opt %s -split-input-file -verify-diagnostics

// The whole text of every diagnostic of the dialect: its layouts, types and operations.

//===-- Layouts ----------------------------------------------------------------------------------------------===//

// expected-error@+1 {{shape must have powers of two only, but got '12'}}
#l = #tile.linear<register = [[1]], shape = [12]>

// -----

// expected-error@+1 {{a basis of 'lane' must have 2 coordinates, but got 1}}
#l = #tile.linear<lane = [[1]], shape = [16, 16]>

// -----

// expected-error@+1 {{a basis of 'lane' leaves the shape: coordinate '16' in a dimension of 16}}
#l = #tile.linear<lane = [[1], [16]], shape = [16]>

// -----

// expected-error@+1 {{a basis of 'wave' leaves the shape: coordinate '-1' in a dimension of 16}}
#l = #tile.linear<wave = [[-1]], shape = [16]>

// -----

// expected-error@+1 {{fragment must be a power of two, but got '3'}}
#l = #tile.linear<register = [[1], [2]], shape = [16], fragment = 3>

// -----

// expected-error@+1 {{fragment must be a power of two, but got '0'}}
#l = #tile.linear<register = [[1], [2]], shape = [16], fragment = 0>

// -----

// expected-error@+1 {{fragment must be at most the 4 registers, but got '8'}}
#l = #tile.linear<register = [[1], [2]], shape = [16], fragment = 8>

// -----

#l = #tile.linear<register = [[1, 0]], shape = [16, 8]>
tile.kernel @k(%f: f32) waves(1) {
  // expected-error@+1 {{layout is of shape [16, 8], but the tensor is of shape [8, 16]}}
  %t = tile.splat %f : f32 -> tensor<8x16xf32, #l>
  tile.return
}

// -----

//===-- Types ------------------------------------------------------------------------------------------------===//

// expected-error@+1 {{element type 'f64' is none of lowp's formats}}
func.func private @f(!tile.view<16xf64, vector = 8>)

// -----

// expected-error@+1 {{vector must be a power of two from 2 to 16 bytes, but got '1'}}
func.func private @f(!tile.view<16xbf16, vector = 1>)

// -----

// expected-error@+1 {{vector must be a power of two from 1 to 16 bytes, but got '12'}}
func.func private @f(!tile.view<16xf8E4M3FN, vector = 12>)

// -----

// expected-error@+1 {{vector must be a power of two from 1 to 16 bytes, but got '32'}}
func.func private @f(!tile.view<16xf4E2M1FN, vector = 32>)

// -----

#lds = #tile.linear<offset = [[1], [2], [4], [8]], shape = [16]>
// expected-error@+1 {{element type 'i64' is none of lowp's formats}}
func.func private @f(!tile.local<16xi64, stages = 1, #lds>)

// -----

#lds = #tile.linear<offset = [[1], [2], [4], [8]], shape = [16]>
// expected-error@+1 {{layout is of shape [16], but the tensor is of shape [32]}}
func.func private @f(!tile.local<32xf32, stages = 1, #lds>)

// -----

#lds = #tile.linear<offset = [[1], [2], [4], [8]], shape = [16]>
// expected-error@+1 {{stages must be at least 1}}
func.func private @f(!tile.local<16xf32, stages = 0, #lds>)

// -----

// It leaves half of the tile out.
#lds = #tile.linear<offset = [[1], [2], [4]], shape = [16]>
// expected-error@+1 {{the layout of an LDS buffer must map 'offset', and nothing else, one to one to the tile}}
func.func private @f(!tile.local<16xf32, stages = 1, #lds>)

// -----

// Two offsets are one element.
#lds = #tile.linear<offset = [[1], [2], [4], [8], [0]], shape = [16]>
// expected-error@+1 {{the layout of an LDS buffer must map 'offset', and nothing else, one to one to the tile}}
func.func private @f(!tile.local<16xf32, stages = 1, #lds>)

// -----

// Lanes have no place in it.
#lds = #tile.linear<offset = [[1], [2], [4]], lane = [[8]], shape = [16]>
// expected-error@+1 {{the layout of an LDS buffer must map 'offset', and nothing else, one to one to the tile}}
func.func private @f(!tile.local<16xf32, stages = 1, #lds>)

// -----

//===-- Entries and kernels ----------------------------------------------------------------------------------===//

#wrong = affine_set<()[s0] : (s0 == 0)>
// expected-error@+1 {{'tile.entry' op condition 'a rule' must have no dimension and 2 symbols, one for each argument, but has 0 and 1}}
tile.entry @f arguments [#tile.argument<input "a" : tensor<16xf32>>, #tile.argument<scalar "s" : f32>]
  conditions [#tile.condition<"a rule", #wrong>] variants []

// -----

#wrong = affine_set<(d0) : (d0 == 0)>
// expected-error@+1 {{'tile.entry' op condition 'a rule' must have no dimension and 1 symbols, one for each argument, but has 1 and 0}}
tile.entry @f arguments [#tile.argument<input "a" : tensor<16xf32>>] conditions []
  variants [#tile.variant<"any", schedule = "", conditions = [<"a rule", #wrong>], launches = []>]

// -----

// expected-error@+1 {{'tile.entry' op grid of variant 'any' must have 3 results over 2 symbols (the arguments and the number of compute units), but has 1 over 2}}
tile.entry @f arguments [#tile.argument<input "a" : tensor<16xf32>>] conditions []
  variants [#tile.variant<"any", schedule = "", conditions = [], launches = [<@f.any, affine_map<()[a, cus] -> (cus)>>]>]

// -----

// expected-error@+1 {{'tile.entry' op workspace of variant 'any' must be 1 size over 2 symbols (the arguments and the number of compute units), but has 2 over 1}}
tile.entry @f arguments [#tile.argument<workspace "w" : i64>] conditions []
  variants [#tile.variant<"any", schedule = "", conditions = [], launches = [], workspace = affine_map<()[w] -> (16, 16)>>]

// -----

// expected-error@+1 {{'tile.entry' op variant 'any' has a workspace, but the entry has no argument of kind 'workspace'}}
tile.entry @f arguments [#tile.argument<input "a" : tensor<16xf32>>] conditions []
  variants [#tile.variant<"any", schedule = "", conditions = [], launches = [], workspace = affine_map<()[a, cus] -> (16)>>]

// -----

// expected-error@+1 {{expected an integer set in the string, but got 'affine_map<() -> (1)>'}}
tile.entry @f arguments [] conditions [#tile.condition<"a rule", "affine_map<() -> (1)>">] variants []

// -----

// expected-error@+1 {{'tile.kernel' op must have 1 to 16 waves, but got '17'}}
tile.kernel @k() waves(17) {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op must have 1 to 16 waves, but got '0'}}
tile.kernel @k() waves(0) {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op must have no results, but got 1}}
"tile.kernel"() <{sym_name = "k", function_type = () -> f32, waves = 1 : i32}> ({
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op arguments must be global pointers (!llvm.ptr<1>), integers or floats, but got '!llvm.ptr<3>'}}
tile.kernel @k(%p: !llvm.ptr<3>) waves(1) {
  tile.return
}

// -----

tile.kernel @k() waves(1) {
  // expected-error@+1 {{'tile.workgroup_id' op attribute 'axis' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 2}}
  %i = tile.workgroup_id 3
  tile.return
}

// -----

//===-- Global memory ----------------------------------------------------------------------------------------===//

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'tile.view' op must have a size for each of the 1 dynamic dimensions, but got 0}}
  %X = tile.view %x sizes() strides(%ld) : !tile.view<?x16xf32, vector = 4>
  tile.return
}

// -----

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'tile.view' op must have a stride for each of the 1 dimensions but the innermost, but got 2}}
  %X = tile.view %x sizes() strides(%ld, %ld) : !tile.view<16x16xf32, vector = 4>
  tile.return
}

// -----

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'tile.view' op must have a stride for each of the 0 dimensions but the innermost, but got 1}}
  %X = tile.view %x sizes() strides(%ld) : !tile.view<f32, vector = 4>
  tile.return
}

// -----

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xf32, vector = 4>
  // expected-error@+1 {{'tile.load' op view and tile must have one element type, but got 'f32' and 'bf16'}}
  %t = tile.load %X[%c0, %c0] : !tile.view<16x16xf32, vector = 4> -> tensor<16x16xbf16>
  tile.return
}

// -----

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xf32, vector = 4>
  // expected-error@+1 {{'tile.load' op must have an offset for each of the 2 dimensions of the view, but got 1}}
  %t = tile.load %X[%c0] : !tile.view<16x16xf32, vector = 4> -> tensor<16x16xf32>
  tile.return
}

// -----

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xf32, vector = 4>
  // expected-error@+1 {{'tile.load' op map must take the 1 tile coordinates to the 2 dimensions of the view, but got 'affine_map<(d0) -> (d0)>'}}
  %t = tile.load %X[%c0, %c0] : !tile.view<16x16xf32, vector = 4> -> tensor<16xf32>
  tile.return
}

// -----

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xf32, vector = 4>
  // expected-error@+1 {{'tile.load' op map must be linear in the tile coordinates, but got 'affine_map<(d0, d1) -> (d0, d1 mod 8)>'}}
  %t = tile.load %X[%c0, %c0] map affine_map<(i, j) -> (i, j mod 8)> : !tile.view<16x16xf32, vector = 4> -> tensor<16x16xf32>
  tile.return
}

// -----

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xf32, vector = 4>
  // expected-error@+1 {{'tile.load' op map must have no negative constants, but got 'affine_map<(d0, d1) -> (d0, d1 - 1)>'}}
  %t = tile.load %X[%c0, %c0] map affine_map<(i, j) -> (i, j - 1)> : !tile.view<16x16xf32, vector = 4> -> tensor<16x16xf32>
  tile.return
}

// -----

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xf32, vector = 4>
  // expected-error@+1 {{'tile.load' op in_bounds must speak of the 2 dimensions of the view, but has 1 entries}}
  %t = tile.load %X[%c0, %c0] in_bounds [true] : !tile.view<16x16xf32, vector = 4> -> tensor<16x16xf32>
  tile.return
}

// -----

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xf32, vector = 4>
  %t = tile.splat %h : bf16 -> tensor<16x16xbf16>
  // expected-error@+1 {{'tile.store' op view and tile must have one element type, but got 'f32' and 'bf16'}}
  tile.store %t, %X[%c0, %c0] : tensor<16x16xbf16>, !tile.view<16x16xf32, vector = 4>
  tile.return
}

// -----

tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xf32, vector = 4>
  %t = tile.splat %f : f32 -> tensor<16x16xf32>
  // expected-error@+1 {{'tile.store' op map must not drop dimension 0 of the tile, or elements overwrite each other}}
  tile.store %t, %X[%c0, %c0] map affine_map<(i, j) -> (3, j)> : tensor<16x16xf32>, !tile.view<16x16xf32, vector = 4>
  tile.return
}

// -----

//===-- LDS --------------------------------------------------------------------------------------------------===//

#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 16]>
!ring = !tile.local<16x16xf32, stages = 2, #lds>
tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %b = tile.alloc : !ring
  %t = tile.splat %h : bf16 -> tensor<16x16xbf16>
  // expected-error@+1 {{'tile.local_store' op tile and buffer must agree in shape and element type, but got 'tensor<16x16xbf16>' and '!tile.local<16x16xf32, stages = 2, #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 16]>>'}}
  tile.local_store %t, %b[%c0] : tensor<16x16xbf16>, !ring
  tile.return
}

// -----

#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 16]>
!ring = !tile.local<16x16xf32, stages = 2, #lds>
tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %b = tile.alloc : !ring
  // expected-error@+1 {{'tile.local_load' op tile and buffer must agree in shape and element type, but got 'tensor<16x32xf32>' and '!tile.local<16x16xf32, stages = 2, #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 16]>>'}}
  %t = tile.local_load %b[%c0] : !ring -> tensor<16x32xf32>
  tile.return
}

// -----

#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 16]>
!ring = !tile.local<16x16xf32, stages = 2, #lds>
tile.kernel @k(%x: !llvm.ptr<1>, %ld: i64, %f: f32, %h: bf16) waves(1) {
  %c0 = arith.constant 0 : index
  %b = tile.alloc : !ring
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xbf16, vector = 4>
  // expected-error@+1 {{'tile.async_copy' op view and tile must have one element type, but got 'bf16' and 'f32'}}
  tile.async_copy %X[%c0, %c0], %b[%c0] : !tile.view<16x16xbf16, vector = 4>, !ring
  tile.return
}

// -----

tile.kernel @k() waves(1) {
  // expected-error@+1 {{'tile.wait' op attribute 'copies' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0}}
  tile.wait copies(-1)
  tile.return
}

// -----

//===-- Order ------------------------------------------------------------------------------------------------===//

func.func @barrier_below_zero() {
  // expected-error@+1 {{'tile.barrier' op attribute 'local' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0}}
  tile.barrier local(-1)
  return
}

// -----

func.func @yield_without_cluster(%x: i32) {
  // expected-error@+1 {{'tile.yield' op expects parent op 'tile.cluster'}}
  tile.yield %x : i32
  return
}

// -----

func.func @cluster_with_arguments() {
  // expected-error@+1 {{'tile.cluster' op region should have no arguments}}
  tile.cluster interleave {
  ^bb0(%x: i32):
    tile.yield
  }
  return
}

// -----

func.func @cluster_without_an_order() {
  // expected-error@+1 {{custom op 'tile.cluster' expected string or keyword containing one of the following enum values for attribute 'order' [interleave, pingpong]}}
  tile.cluster plain {
    tile.yield
  }
  return
}

// -----

tile.kernel @cluster_yields_too_little() waves(1) {
  // expected-error@+1 {{'tile.cluster' op must yield its results, ('index'), but yields ()}}
  %r = tile.cluster interleave -> index {
    tile.yield
  }
  tile.return
}

// -----

tile.kernel @cluster_without_yield() waves(1) {
  // expected-error@+1 {{'tile.cluster' op must end with 'tile.yield'}}
  tile.cluster interleave {
    llvm.unreachable
  }
  tile.return
}
