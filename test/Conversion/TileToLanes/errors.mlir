// RUN: lowp-opt %s --tile-to-lanes=target=gfx950 -split-input-file -verify-diagnostics

// What an earlier pass must not have left. All of it is reported by the lowering itself, none by a verifier before.

tile.kernel @waves() waves(3) { // expected-error {{'tile.kernel' op must have a power of two of waves, but got '3'}}
  tile.return
}

// -----

//===-- Element by element -------------------------------------------------------------------------------------------===//

// Where the verifiers of arith and math do not ask for one type.
#l0 = #tile.linear<register = [[1]], lane = [[2], [4], [8], [16], [32], [64]], wave = [], shape = [128], fragment = 2>
#l1 = #tile.linear<register = [[64]], lane = [[1], [2], [4], [8], [16], [32]], wave = [], shape = [128], fragment = 2>
tile.kernel @layouts_that_differ(%v: f32, %n: i32) waves(1) {
  %s = tile.splat %v : f32 -> tensor<128xf32, #l0>
  %i = tile.splat %n : i32 -> tensor<128xi32, #l1>
  // expected-error@+2 {{'math.fpowi' operands and result must have one layout}}
  // expected-error@+1 {{failed to legalize operation 'math.fpowi' that was explicitly marked illegal}}
  %t = math.fpowi %s, %i : tensor<128xf32, #l0>, tensor<128xi32, #l1>
  tile.return
}

// -----

#l = #tile.linear<register = [[1]], lane = [], wave = [], shape = [2], fragment = 2>
tile.kernel @constant() waves(1) {
  // expected-error@+2 {{'arith.constant' op must be a splat to become lane values}}
  // expected-error@+1 {{failed to legalize operation 'arith.constant' that was explicitly marked illegal}}
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32, #l>
  tile.return
}

// -----

//===-- Memory -------------------------------------------------------------------------------------------------------===//

#l = #tile.linear<register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], wave = [], shape = [2, 64], fragment = 2>
tile.kernel @load_of_half_a_byte(%x: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<2x64xf4E2M1FN, vector = 16>
  // expected-error@+2 {{'tile.load' op would need accesses of 4 bits; the least is a byte}}
  // expected-error@+1 {{failed to legalize operation 'tile.load' that was explicitly marked illegal}}
  %t = tile.load %X[%c0, %c0] : !tile.view<2x64xf4E2M1FN, vector = 16> -> tensor<2x64xf4E2M1FN, #l>
  tile.return
}

// -----

#l = #tile.linear<register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], wave = [], shape = [2, 64], fragment = 2>
tile.kernel @store_of_half_a_byte(%x: !llvm.ptr<1>, %ld: i64, %v: f4E2M1FN) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<2x64xf4E2M1FN, vector = 16>
  %t = tile.splat %v : f4E2M1FN -> tensor<2x64xf4E2M1FN, #l>
  // expected-error@+2 {{'tile.store' op would need accesses of 4 bits; the least is a byte}}
  // expected-error@+1 {{failed to legalize operation 'tile.store' that was explicitly marked illegal}}
  tile.store %t, %X[%c0, %c0] : tensor<2x64xf4E2M1FN, #l>, !tile.view<2x64xf4E2M1FN, vector = 16>
  tile.return
}

// -----

#lds = #tile.linear<offset = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], shape = [2, 64]>
#l = #tile.linear<register = [[0, 1]], lane = [[1, 0], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], wave = [], shape = [2, 64], fragment = 2>
!ring = !tile.local<2x64xf4E2M1FN, stages = 1, #lds>
tile.kernel @local_load_of_half_a_byte() waves(1) {
  %c0 = arith.constant 0 : index
  %b = tile.alloc at 0 : !ring
  // expected-error@+2 {{'tile.local_load' would need LDS accesses of 4 bits; accepted are 8, 16, 32, 64 and 128}}
  // expected-error@+1 {{failed to legalize operation 'tile.local_load' that was explicitly marked illegal}}
  %t = tile.local_load %b[%c0] : !ring -> tensor<2x64xf4E2M1FN, #l>
  tile.return
}

// -----

#lds = #tile.linear<offset = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], shape = [2, 64]>
#l = #tile.linear<register = [[0, 1]], lane = [[1, 0], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], wave = [], shape = [2, 64], fragment = 2>
!ring = !tile.local<2x64xf4E2M1FN, stages = 1, #lds>
tile.kernel @local_store_of_half_a_byte(%v: f4E2M1FN) waves(1) {
  %c0 = arith.constant 0 : index
  %b = tile.alloc at 0 : !ring
  %t = tile.splat %v : f4E2M1FN -> tensor<2x64xf4E2M1FN, #l>
  // expected-error@+2 {{'tile.local_store' would need LDS accesses of 4 bits; accepted are 8, 16, 32, 64 and 128}}
  // expected-error@+1 {{failed to legalize operation 'tile.local_store' that was explicitly marked illegal}}
  tile.local_store %t, %b[%c0] : tensor<2x64xf4E2M1FN, #l>, !ring
  tile.return
}

// -----

#lds = #tile.linear<offset = [[1], [2], [4], [8]], shape = [16]>
tile.kernel @ring_without_a_place() waves(1) {
  // expected-error@+2 {{'tile.alloc' op has no offset; tile-allocate-lds must run before}}
  // expected-error@+1 {{failed to legalize operation 'tile.alloc' that was explicitly marked illegal}}
  %b = tile.alloc : !tile.local<16xf32, stages = 1, #lds>
  tile.return
}

// -----

#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 64]>
!ring = !tile.local<16x64xf8E4M3FN, stages = 1, #lds>
!view = !tile.view<16x64xf8E4M3FN, vector = 16>
tile.kernel @copy_smaller_than_one_instruction(%x: !llvm.ptr<1>, %ld: i64) waves(2) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !view
  %b = tile.alloc at 0 : !ring
  // expected-error@+2 {{'tile.async_copy' op copies 1024 bytes, but 2 waves copy at least 2048 at once}}
  // expected-error@+1 {{failed to legalize operation 'tile.async_copy' that was explicitly marked illegal}}
  tile.async_copy %X[%c0, %c0], %b[%c0] : !view, !ring
  tile.return
}

// -----

#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 64]>
!ring = !tile.local<16x64xf8E4M3FN, stages = 1, #lds>
!view = !tile.view<16x64xf8E4M3FN, vector = 8>
tile.kernel @copy_of_a_view_that_promises_less(%x: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !view
  %b = tile.alloc at 0 : !ring
  // expected-error@+2 {{'tile.async_copy' op needs 16 consecutive bytes of the view for each 16 bytes of LDS; the view promises 8 and the buffer's order keeps 8 together}}
  // expected-error@+1 {{failed to legalize operation 'tile.async_copy' that was explicitly marked illegal}}
  tile.async_copy %X[%c0, %c0], %b[%c0] : !view, !ring
  tile.return
}

// -----

#lds = #tile.linear<offset = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 4], [0, 8], [0, 16], [0, 32], [4, 0], [8, 0]], shape = [16, 64]>
!ring = !tile.local<16x64xf8E4M3FN, stages = 1, #lds>
!view = !tile.view<16x64xf8E4M3FN, vector = 16>
tile.kernel @copy_into_an_order_that_breaks_it(%x: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !view
  %b = tile.alloc at 0 : !ring
  // expected-error@+2 {{'tile.async_copy' op needs 16 consecutive bytes of the view for each 16 bytes of LDS; the view promises 16 and the buffer's order keeps 4 together}}
  // expected-error@+1 {{failed to legalize operation 'tile.async_copy' that was explicitly marked illegal}}
  tile.async_copy %X[%c0, %c0], %b[%c0] : !view, !ring
  tile.return
}

// -----

//===-- Reductions and changes of layout -----------------------------------------------------------------------------===//

#l0 = #tile.linear<register = [[1]], lane = [[2], [4], [8], [16], [32], [64]], wave = [], shape = [128], fragment = 2>
#l1 = #tile.linear<register = [[1]], lane = [[4], [2], [8], [16], [32], [64]], wave = [], shape = [128], fragment = 2>
tile.kernel @conversion_between_lanes(%v: f32) waves(1) {
  %s = tile.splat %v : f32 -> tensor<128xf32, #l0>
  // expected-error@+2 {{'tile.convert_layout' moves elements between lanes: bit 0 of the layouts differs; tile-assign-layouts goes through LDS for that}}
  // expected-error@+1 {{failed to legalize operation 'tile.convert_layout' that was explicitly marked illegal}}
  %t = tile.convert_layout %s : tensor<128xf32, #l0> -> tensor<128xf32, #l1>
  tile.return
}

// -----

#l0 = #tile.linear<register = [], lane = [[1], [2], [4], [8], [16], [32]], wave = [[64]], shape = [128]>
#l1 = #tile.linear<register = [[64]], lane = [[1], [2], [4], [8], [16], [32]], wave = [[0]], shape = [128]>
tile.kernel @conversion_between_waves(%v: f32) waves(2) {
  %s = tile.splat %v : f32 -> tensor<128xf32, #l0>
  // expected-error@+2 {{'tile.convert_layout' moves elements between waves: bit 0 of the layouts differs; tile-assign-layouts goes through LDS for that}}
  // expected-error@+1 {{failed to legalize operation 'tile.convert_layout' that was explicitly marked illegal}}
  %t = tile.convert_layout %s : tensor<128xf32, #l0> -> tensor<128xf32, #l1>
  tile.return
}

// -----

#row = #tile.linear<register = [], lane = [[1], [2], [4], [8], [0], [0]], wave = [], shape = [32]>
#tile = #tile.linear<register = [[16, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2]], wave = [], shape = [32, 4]>
tile.kernel @broadcast_of_what_no_register_has(%v: f32) waves(1) {
  %s = tile.splat %v : f32 -> tensor<32xf32, #row>
  // expected-error@+2 {{'tile.broadcast' register 1 of the result is in no register of the source's lane}}
  // expected-error@+1 {{failed to legalize operation 'tile.broadcast' that was explicitly marked illegal}}
  %t = tile.broadcast %s dims [0] : tensor<32xf32, #row> -> tensor<32x4xf32, #tile>
  tile.return
}

// -----

#tile = #tile.linear<register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], wave = [], shape = [64, 2], fragment = 2>
#row = #tile.linear<register = [], lane = [[1], [2], [4], [8], [16], [32]], wave = [], shape = [64]>
tile.kernel @reduction_of_bf16(%v: bf16) waves(1) {
  %s = tile.splat %v : bf16 -> tensor<64x2xbf16, #tile>
  // expected-error@+2 {{'tile.reduce' op reduces elements of 'bf16'; accepted are f32 and i32}}
  // expected-error@+1 {{failed to legalize operation 'tile.reduce' that was explicitly marked illegal}}
  %t = tile.reduce add %s dim 1 : tensor<64x2xbf16, #tile> -> tensor<64xbf16, #row>
  tile.return
}

// -----

#tile = #tile.linear<register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], wave = [[0, 1]], shape = [64, 2]>
#row = #tile.linear<register = [], lane = [[1], [2], [4], [8], [16], [32]], wave = [[0]], shape = [64]>
tile.kernel @reduction_over_waves(%v: f32) waves(2) {
  %s = tile.splat %v : f32 -> tensor<64x2xf32, #tile>
  // expected-error@+2 {{'tile.reduce' op reduces dimension 1, which wave bit 0 moves along; tile-assign-layouts converts such a layout first}}
  // expected-error@+1 {{failed to legalize operation 'tile.reduce' that was explicitly marked illegal}}
  %t = tile.reduce add %s dim 1 : tensor<64x2xf32, #tile> -> tensor<64xf32, #row>
  tile.return
}

// -----

#tile = #tile.linear<register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 1]], wave = [], shape = [64, 2], fragment = 2>
#row = #tile.linear<register = [], lane = [[1], [2], [4], [8], [16], [32]], wave = [], shape = [64]>
tile.kernel @reduction_along_a_lane_bit_that_moves_twice(%v: f32) waves(1) {
  %s = tile.splat %v : f32 -> tensor<64x2xf32, #tile>
  // expected-error@+2 {{'tile.reduce' op lane bit 5 moves along dimension 1 and another; a reduction needs them apart}}
  // expected-error@+1 {{failed to legalize operation 'tile.reduce' that was explicitly marked illegal}}
  %t = tile.reduce add %s dim 1 : tensor<64x2xf32, #tile> -> tensor<64xf32, #row>
  tile.return
}

// -----

#tile = #tile.linear<register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], wave = [], shape = [64, 2], fragment = 2>
#row = #tile.linear<register = [], lane = [[2], [1], [4], [8], [16], [32]], wave = [], shape = [64]>
tile.kernel @reduction_to_other_lanes(%v: f32) waves(1) {
  %s = tile.splat %v : f32 -> tensor<64x2xf32, #tile>
  // expected-error@+2 {{'tile.reduce' op result's layout must be the source's without the reduced dimension}}
  // expected-error@+1 {{failed to legalize operation 'tile.reduce' that was explicitly marked illegal}}
  %t = tile.reduce add %s dim 1 : tensor<64x2xf32, #tile> -> tensor<64xf32, #row>
  tile.return
}

// -----

#tile = #tile.linear<register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 0]], wave = [], shape = [64, 2], fragment = 2>
#row = #tile.linear<register = [[32]], lane = [[1], [2], [4], [8], [16], [0]], wave = [], shape = [64]>
tile.kernel @reduction_to_registers_that_are_not_there(%v: f32) waves(1) {
  %s = tile.splat %v : f32 -> tensor<64x2xf32, #tile>
  // expected-error@+2 {{'tile.reduce' op result's layout must be the source's without the reduced dimension}}
  // expected-error@+1 {{failed to legalize operation 'tile.reduce' that was explicitly marked illegal}}
  %t = tile.reduce add %s dim 1 : tensor<64x2xf32, #tile> -> tensor<64xf32, #row>
  tile.return
}
