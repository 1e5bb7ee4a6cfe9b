// RUN: lowp-opt %s --tile-assign-layouts="target=gfx942 report-conflicts" -split-input-file -verify-diagnostics
// RUN: not lowp-opt %s --tile-assign-layouts=target=gfx9 -split-input-file 2>&1 | FileCheck %s
// CHECK: target 'gfx9' is unknown; known are gfx942, gfx950

// Operands are read 16 bytes at a time although one instruction takes 8: k is permuted. The turned tile is small for 4
// waves, so a lane has 8 k only and writes 8 bytes, two lanes to a bank.
tile.kernel @registers(%a: !llvm.ptr<1>, %w: !llvm.ptr<1>, %d: !llvm.ptr<1>, %ld: i64) waves(4) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<128x64xf8E4M3FNUZ, vector = 16>
  %W = tile.view %w sizes() strides(%ld) : !tile.view<64x128xf8E4M3FNUZ, vector = 16>
  %D = tile.view %d sizes() strides(%ld) : !tile.view<128x128xf32, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  // expected-remark @below {{8192 bytes of LDS: reads of 128 bits take 0 extra cycles}}
  %ta = tile.load %A[%c0, %c0] staging(registers) : !tile.view<128x64xf8E4M3FNUZ, vector = 16> -> tensor<128x64xf8E4M3FNUZ>
  // expected-remark @below {{8192 bytes of LDS: reads of 128 bits take 0 extra cycles, writes of 64 bits 4}}
  %tb = tile.load %W[%c0, %c0] staging(registers) : !tile.view<64x128xf8E4M3FNUZ, vector = 16> -> tensor<64x128xf8E4M3FNUZ>
  %r = tile.mma %ta, %tb, %zero instruction [32, 32, 16] waves [2, 2, 1] : tensor<128x64xf8E4M3FNUZ>, tensor<64x128xf8E4M3FNUZ>, tensor<128x128xf32>
  tile.store %r, %D[%c0, %c0] : tensor<128x128xf32>, !tile.view<128x128xf32, vector = 16>
  tile.return
}

// -----

tile.kernel @direct(%a: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %A = tile.view %a sizes() strides(%ld) : !tile.view<64x64xf8E4M3FNUZ, vector = 16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @below {{cannot be staged directly: gfx942 has no copies of 16 bytes a lane to LDS}}
  %t = tile.load %A[%c0, %c0] staging(direct) : !tile.view<64x64xf8E4M3FNUZ, vector = 16> -> tensor<64x64xf8E4M3FNUZ>
  %r = tile.mma %t, %t, %zero instruction [32, 32, 16] waves [1, 1, 1] : tensor<64x64xf8E4M3FNUZ>, tensor<64x64xf8E4M3FNUZ>, tensor<64x64xf32>
  tile.return
}
