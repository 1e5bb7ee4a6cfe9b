// RUN: split-file %s %t
// RUN: lowp-opt %t/unknown.mlir --tile-to-lanes=target=gfx90a -verify-diagnostics
// RUN: lowp-opt %t/copy.mlir --tile-to-lanes=target=gfx942 -verify-diagnostics
// RUN: lowp-opt %t/product.mlir --tile-to-lanes=target=gfx942 -verify-diagnostics

// What depends on the chip.

//--- unknown.mlir
// expected-error@+1 {{unknown target 'gfx90a'; accepted are gfx942, gfx950}}
module {
}

//--- copy.mlir
#lds = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 64]>
!ring = !tile.local<16x64xf8E4M3FNUZ, stages = 1, #lds>
!view = !tile.view<16x64xf8E4M3FNUZ, vector = 16>
tile.kernel @copy(%x: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !view
  %b = tile.alloc at 0 : !ring
  // expected-error@+2 {{'tile.async_copy' op copies 16 bytes a lane into LDS, which gfx942 has no instruction for}}
  // expected-error@+1 {{failed to legalize operation 'tile.async_copy' that was explicitly marked illegal}}
  tile.async_copy %X[%c0, %c0], %b[%c0] : !view, !ring
  tile.return
}

//--- product.mlir
#a = #tile.linear<register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 8], [0, 16]], wave = [], shape = [16, 32], fragment = 8>
#b = #tile.linear<register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [8, 0], [16, 0]], wave = [], shape = [32, 16], fragment = 8>
#c = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
tile.kernel @product(%v: bf16) waves(1) {
  %a = tile.splat %v : bf16 -> tensor<16x32xbf16, #a>
  %b = tile.splat %v : bf16 -> tensor<32x16xbf16, #b>
  %c = arith.constant dense<0.0> : tensor<16x16xf32, #c>
  // expected-error@+2 {{'tile.mma' op has operands 'bf16' and 'bf16', for which gfx942 has no matrix instruction 16x16x32}}
  // expected-error@+1 {{failed to legalize operation 'tile.mma' that was explicitly marked illegal}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 32] waves [1, 1, 1] : tensor<16x32xbf16, #a>, tensor<32x16xbf16, #b>, tensor<16x16xf32, #c>
  tile.return
}
