// RUN: lowp-opt %s --lowp-select-schedule=target=gfx950 | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: sed -e 's/E4M3FN/E4M3FNUZ/g' -e 's/E5M2/E5M2FNUZ/g' %s | lowp-opt --lowp-select-schedule=target=gfx942 | FileCheck %s --check-prefixes=CHECK,OLD
// Choosing twice is choosing once:
// RUN: lowp-opt %s --lowp-select-schedule=target=gfx950 -o %t.once
// RUN: lowp-opt %t.once --lowp-select-schedule=target=gfx950 | diff %t.once -

// NEW is gfx950, OLD is gfx942 with the FNUZ types.

// M is not known: variants from the most rows down, each from a size on; the last takes all.
// CHECK-LABEL: func.func @unknown_rows
// NEW: schedules = [
// NEW-SAME: #lowp.schedule<name = "large", tile = [256, 256, 128], waves = [2, 4, 1], instruction = [16, 16, 128], parts = [2, 2], steps = 2, order = interleave, stages = 2, staging = direct, access = 16, result_access = 16, whole_k = true, rows = [1025, 0], xcds = 8, group = 8>,
// NEW-SAME: #lowp.schedule<name = "square_deep", tile = [128, 128, 128], waves = [2, 2, 1], instruction = [16, 16, 128], parts = [2, 2], steps = 2, order = interleave, stages = 4, staging = direct, access = 16, result_access = 16, rows = [129, 0], xcds = 8, group = 8>,
// NEW-SAME: #lowp.schedule<name = "tiny", tile = [64, 64, 128], waves = [2, 2, 1], instruction = [16, 16, 128], parts = [2, 2], steps = 2, order = interleave, stages = 4, staging = direct, access = 16, result_access = 8, rows = [65, 0], xcds = 8, group = 8>,
// NEW-SAME: #lowp.schedule<name = "skinny_32x32", tile = [32, 32, 128], waves = [1, 1, 4], instruction = [16, 16, 128], steps = 4, stages = 4, access = 16, result_access = 8, xcds = 8, group = 8>,
// NEW-SAME: #lowp.schedule<name = "any", tile = [64, 64, 128], waves = [2, 2, 1], instruction = [16, 16, 128], stages = 2, staging = registers>]
// OLD: schedules = [
// OLD-SAME: #lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [16, 16, 32], parts = [2, 2], steps = 2, order = interleave, stages = 2, staging = registers, access = 16, result_access = 16, whole_k = true, rows = [1025, 0], xcds = 8, group = 8>,
// OLD-SAME: #lowp.schedule<name = "square", tile = [128, 128, 128], waves = [2, 2, 1], instruction = [16, 16, 32], parts = [2, 2], steps = 2, order = interleave, stages = 2, staging = registers, access = 16, result_access = 16, rows = [257, 0], xcds = 8, group = 8>,
// OLD-SAME: #lowp.schedule<name = "small", tile = [64, 128, 128], waves = [2, 2, 1], instruction = [16, 16, 32], parts = [2, 2], steps = 2, order = interleave, stages = 2, staging = registers, access = 16, result_access = 16, rows = [129, 0], xcds = 8, group = 8>,
// OLD-SAME: #lowp.schedule<name = "skinny_32x32", tile = [32, 32, 64], waves = [1, 1, 4], instruction = [16, 16, 32], steps = 4, stages = 4, access = 16, result_access = 8, xcds = 8, group = 8>,
// OLD-SAME: #lowp.schedule<name = "any", tile = [64, 64, 64], waves = [2, 2, 1], instruction = [16, 16, 32], stages = 2, staging = registers>]
func.func @unknown_rows(%a: tensor<?x4096xf8E4M3FN>, %b: tensor<6144x4096xf8E4M3FN>) -> tensor<?x6144xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<?x4096xf8E4M3FN>, tensor<6144x4096xf8E4M3FN> -> tensor<?x6144xbf16>
  return %d : tensor<?x6144xbf16>
}

// M is known: the cheapest, and what takes pointers of any alignment. K steps of 128 and 64 bytes, two of which fill LDS: 64 and 32
// elements of bf16.
// CHECK-LABEL: func.func @large_bf16
// NEW: schedules = [#lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [16, 16, 32], parts = [2, 2], steps = 2, order = interleave, stages = 2, staging = direct, access = 16, result_access = 16, whole_k = true, xcds = 8, group = 8>, #lowp.schedule<name = "any", {{[^>]*}}>] :
// OLD: schedules = [#lowp.schedule<name = "large", tile = [256, 256, 32], waves = [2, 4, 1], instruction = [16, 16, 16], parts = [2, 2], steps = 2, order = interleave, stages = 2, staging = registers, access = 16, result_access = 16, whole_k = true, xcds = 8, group = 8>, #lowp.schedule<name = "any", {{[^>]*}}>] :
func.func @large_bf16(%a: tensor<4096x4096xbf16>, %b: tensor<4096x4096xbf16>) -> tensor<4096x4096xf32> {
  %d = lowp.matmul %a, %b transpose_b : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> -> tensor<4096x4096xf32>
  return %d : tensor<4096x4096xf32>
}

// The same tile would leave most of the chip idle.
// CHECK-LABEL: func.func @smaller_tiles_for_a_smaller_result
// CHECK: schedules = [#lowp.schedule<name = "{{[a-z_]+}}", tile = [{{64|128}}, {{64|128}}, {{[^>]*}}order = interleave, {{[^>]*}}>, #lowp.schedule<name = "any", {{[^>]*}}>] :
func.func @smaller_tiles_for_a_smaller_result(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xf32> {
  %d = lowp.matmul %a, %b transpose_b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16> -> tensor<1024x1024xf32>
  return %d : tensor<1024x1024xf32>
}

// LDS-DMA cannot transpose, and skinny reads along K; without parts, since those need K contiguous.
// CHECK-LABEL: func.func @not_contiguous_along_k
// CHECK-NOT: {{direct|interleave|none}}
// CHECK: schedules = [#lowp.schedule<name = "plain_128x128", {{[^>]*}}staging = registers, access = 16, result_access = 16, rows = [{{[0-9]+}}, 0], xcds = 8, group = 8>, #lowp.schedule<name = "plain_{{[^>]*}}>, #lowp.schedule<name = "any",
func.func @not_contiguous_along_k(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E5M2>) -> tensor<?x?xf32> {
  %d = lowp.matmul %a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2> -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @known_to_be_skinny
// CHECK: schedules = [#lowp.schedule<name = "skinny_16x32", {{[^>]*}}>, #lowp.schedule<name = "any", {{[^>]*}}>] :
func.func @known_to_be_skinny(%a: tensor<8x512xf8E4M3FN>, %b: tensor<6144x512xf8E4M3FN>) -> tensor<8x6144xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<8x512xf8E4M3FN>, tensor<6144x512xf8E4M3FN> -> tensor<8x6144xbf16>
  return %d : tensor<8x6144xbf16>
}

// K of 77 bytes is never aligned: only one element at a time.
// CHECK-LABEL: func.func @known_to_be_unaligned
// CHECK: schedules = [#lowp.schedule<name = "any", {{[^>]*}}>] :
func.func @known_to_be_unaligned(%a: tensor<?x77xf8E4M3FN>, %b: tensor<100x77xf8E4M3FN>) -> tensor<?x100xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<?x77xf8E4M3FN>, tensor<100x77xf8E4M3FN> -> tensor<?x100xbf16>
  return %d : tensor<?x100xbf16>
}

// A result's rows that are 6 bytes past a multiple of 8 are stored by elements, of 200 bytes 8 at a time.
// CHECK-LABEL: func.func @result_known_to_be_unaligned
// CHECK: schedules = [#lowp.schedule<name = {{[^>]*}} access = 16, result_access = 2,
// CHECK-LABEL: func.func @result_in_halves
// CHECK: schedules = [#lowp.schedule<name = {{[^>]*}} access = 16, result_access = 8,
func.func @result_known_to_be_unaligned(%a: tensor<?x64xbf16>, %b: tensor<99x64xbf16>) -> tensor<?x99xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<?x64xbf16>, tensor<99x64xbf16> -> tensor<?x99xbf16>
  return %d : tensor<?x99xbf16>
}
func.func @result_in_halves(%a: tensor<?x64xbf16>, %b: tensor<100x64xbf16>) -> tensor<?x100xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<?x64xbf16>, tensor<100x64xbf16> -> tensor<?x100xbf16>
  return %d : tensor<?x100xbf16>
}

// Aligned, but no multiple of what a trip of the large tile's loop takes of K.
// CHECK-LABEL: func.func @k_with_a_tail
// CHECK-NOT: large
// CHECK: schedules = [#lowp.schedule<name = "tall", {{[^>]*}}>, #lowp.schedule<name = "any", {{[^>]*}}>] :
func.func @k_with_a_tail(%a: tensor<4096x4112xf8E4M3FN>, %b: tensor<4096x4112xf8E4M3FN>) -> tensor<4096x4096xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<4096x4112xf8E4M3FN>, tensor<4096x4112xf8E4M3FN> -> tensor<4096x4096xbf16>
  return %d : tensor<4096x4096xbf16>
}

// Whether K is a multiple is seen at launch: if not, the next one takes it, not the last.
// CHECK-LABEL: func.func @k_not_known
// CHECK: schedules = [#lowp.schedule<name = "large", {{[^>]*}}whole_k = true, xcds = 8, group = 8>, #lowp.schedule<name = "tall", {{[^>]*}}>, #lowp.schedule<name = "any", {{[^>]*}}>] :
func.func @k_not_known(%a: tensor<4096x?xf8E4M3FN>, %b: tensor<4096x?xf8E4M3FN>) -> tensor<4096x4096xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<4096x?xf8E4M3FN>, tensor<4096x?xf8E4M3FN> -> tensor<4096x4096xbf16>
  return %d : tensor<4096x4096xbf16>
}

// Written by hand: kept, and followed by the one without preconditions.
// CHECK-LABEL: func.func @by_hand
// CHECK: schedules = [#lowp.schedule<name = "mine", tile = [32, 64, 32], waves = [1, 2, 1], instruction = [16, 16, 16], access = 8>,
// CHECK-SAME: #lowp.schedule<name = "any",
func.func @by_hand(%a: tensor<?x64xf16>, %b: tensor<100x64xf16>) -> tensor<?x100xf16> {
  %d = lowp.matmul %a, %b transpose_b
      schedules = [#lowp.schedule<name = "mine", tile = [32, 64, 32], waves = [1, 2, 1], instruction = [16, 16, 16], access = 8>]
      : tensor<?x64xf16>, tensor<100x64xf16> -> tensor<?x100xf16>
  return %d : tensor<?x100xf16>
}

// CHECK-LABEL: func.func @by_hand_without_preconditions
// CHECK: schedules = [#lowp.schedule<name = "mine", tile = [32, 64, 32], waves = [1, 2, 1], instruction = [16, 16, 16]>] :
func.func @by_hand_without_preconditions(%a: tensor<?x64xf16>, %b: tensor<100x64xf16>) -> tensor<?x100xf16> {
  %d = lowp.matmul %a, %b transpose_b
      schedules = [#lowp.schedule<name = "mine", tile = [32, 64, 32], waves = [1, 2, 1], instruction = [16, 16, 16]>]
      : tensor<?x64xf16>, tensor<100x64xf16> -> tensor<?x100xf16>
  return %d : tensor<?x100xf16>
}
