// RUN: lowp-opt %s --tile-allocate-lds=target=gfx942 --split-input-file --verify-diagnostics

#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0]], shape = [256, 64]>
!ring = !tile.local<256x64xf8E4M3FN, stages = 3, #k>

// expected-error @+1 {{'tile.kernel' op needs 98304 bytes of LDS, but gfx942 has 65536 for a workgroup}}
tile.kernel @too_much(%n: i32) waves(4) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{a ring of 49152 bytes}}
  %a = tile.alloc : !ring
  // expected-note @+1 {{a ring of 49152 bytes}}
  %b = tile.alloc : !ring
  %x = tile.local_load %a[%c0] : !ring -> tensor<256x64xf8E4M3FN>
  tile.local_store %x, %b[%c0] : tensor<256x64xf8E4M3FN>, !ring
  %y = tile.local_load %a[%c0] : !ring -> tensor<256x64xf8E4M3FN>
  tile.return
}
