// RUN: lowp-opt %s --tile-assign-layouts=target=gfx950 -split-input-file -verify-diagnostics

// expected-error @below {{number of waves must be a power of two, but is '3'}}
tile.kernel @waves() waves(3) {
  tile.return
}

// -----

tile.kernel @shape(%v: f32) waves(1) {
  // expected-error @below {{tile dimensions must be powers of two, but got '48' in 'tensor<48xf32>'}}
  %s = tile.splat %v : f32 -> tensor<48xf32>
  tile.return
}

// -----

tile.kernel @operation(%v: f32) waves(1) {
  %s = tile.splat %v : f32 -> tensor<32x16xf32>
  %c0 = arith.constant 0 : index
  // expected-error @below {{'tensor.extract' cannot be given layouts: it is neither element-wise, nor control flow, nor a tile operation}}
  %x = tensor.extract %s[%c0, %c0] : tensor<32x16xf32>
  tile.return
}

// -----

tile.kernel @instruction(%v: bf16) waves(1) {
  %s = tile.splat %v : bf16 -> tensor<32x32xbf16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  // expected-error @below {{has no matrix instruction of 32x32x64 for 'bf16' and 'bf16' on gfx950}}
  %r = tile.mma %s, %s, %zero instruction [32, 32, 64] waves [1, 1, 1] : tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xf32>
  tile.return
}

// -----

tile.kernel @tile_size(%v: bf16) waves(1) {
  %s = tile.splat %v : bf16 -> tensor<16x16xbf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @below {{has no layout: tile size m must be at least 32 (1 waves of instructions of 32), but is 16}}
  %r = tile.mma %s, %s, %zero instruction [32, 32, 16] waves [1, 1, 1] : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
  tile.return
}

// -----

tile.kernel @grid(%v: bf16) waves(4) {
  %s = tile.splat %v : bf16 -> tensor<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @below {{must be shared by all 4 waves of the kernel, but has 2 x 1 x 1}}
  %r = tile.mma %s, %s, %zero instruction [32, 32, 16] waves [2, 1, 1] : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xf32>
  tile.return
}

// -----

tile.kernel @direct_vector(%a: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<64x64xf8E4M3FN, vector = 8>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @below {{cannot be staged directly: the view must promise vectors of 16 bytes, but promises 8}}
  %t = tile.load %A[%c0, %c0] staging(direct) : !tile.view<64x64xf8E4M3FN, vector = 8> -> tensor<64x64xf8E4M3FN>
  %r = tile.mma %t, %t, %zero instruction [32, 32, 64] waves [1, 1, 1] : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf32>
  tile.return
}

// -----

tile.kernel @direct_transposed(%a: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<64x64xf8E4M3FN, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %other = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  // expected-error @below {{cannot be staged directly: memory must run along dimension 1 of the tile, as its reader does}}
  %t = tile.load %A[%c0, %c0] map affine_map<(m, k) -> (k, m)> staging(direct) : !tile.view<64x64xf8E4M3FN, vector = 16> -> tensor<64x64xf8E4M3FN>
  %r = tile.mma %t, %other, %zero instruction [32, 32, 64] waves [1, 1, 1] : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf32>
  tile.return
}

// -----

tile.kernel @direct_small(%a: !llvm.ptr<1>, %ld: i64) waves(8) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<64x64xf8E4M3FN, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %other = arith.constant dense<1.0> : tensor<64x128xf8E4M3FN>
  // expected-error @below {{cannot be staged directly: the tile must have at least 8192 bytes, 16 for every lane of 8 waves, but has 4096}}
  %t = tile.load %A[%c0, %c0] staging(direct) : !tile.view<64x64xf8E4M3FN, vector = 16> -> tensor<64x64xf8E4M3FN>
  %r = tile.mma %t, %other, %zero instruction [32, 32, 64] waves [2, 4, 1] : tensor<64x64xf8E4M3FN>, tensor<64x128xf8E4M3FN>, tensor<64x128xf32>
  tile.return
}

// -----

// Six-bit elements do not fill an access.
tile.kernel @six_bits(%a: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<64x64xf6E2M3FN, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %other = arith.constant dense<1.0> : tensor<64x64xf6E2M3FN>
  // expected-error @below {{cannot be staged: the size of an element must be a power of two of bits, but 'f6E2M3FN' has 6}}
  %t = tile.load %A[%c0, %c0] staging(registers) : !tile.view<64x64xf6E2M3FN, vector = 16> -> tensor<64x64xf6E2M3FN>
  %r = tile.mma %t, %other, %zero instruction [32, 32, 64] waves [1, 1, 1] : tensor<64x64xf6E2M3FN>, tensor<64x64xf6E2M3FN>, tensor<64x64xf32>
  tile.return
}
