// RUN: lowp-opt %s --lowp-select-schedule=target=gfx950 | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: sed -e 's/E4M3FN/E4M3FNUZ/g' -e 's/E5M2/E5M2FNUZ/g' %s | lowp-opt --lowp-select-schedule=target=gfx942 | FileCheck %s --check-prefixes=CHECK,OLD
// Choosing twice is choosing once:
// RUN: lowp-opt %s --lowp-select-schedule=target=gfx950 -o %t.once
// RUN: lowp-opt %t.once --lowp-select-schedule=target=gfx950 | diff %t.once -

// NEW is gfx950, OLD is gfx942 with the FNUZ types.

// CHECK-LABEL: func.func @unknown_rows
// NEW: schedules = [
// NEW-SAME: #lowp.schedule<name = "large", tile = [256, 256, 128], waves = [2, 4, 1], instruction = [16, 16, 128], parts = [2, 2], steps = 2, order = interleave, stages = 2, staging = direct, access = 16, result_access = 8, whole_k = true, rows = [256, 0], xcds = 8, group = 8>,
// NEW-SAME: #lowp.schedule<name = "medium", tile = [64, 128, 128], waves = [2, 2, 1], instruction = [16, 16, 128], stages = 3, staging = direct, access = 16, result_access = 8, rows = [17, 0], xcds = 8, group = 8>,
// NEW-SAME: #lowp.schedule<name = "skinny", tile = [16, 32, 128], waves = [1, 1, 4], instruction = [16, 16, 128], stages = 4, access = 16, result_access = 8, rows = [1, 16]>,
// NEW-SAME: #lowp.schedule<name = "any", tile = [64, 64, 128], waves = [2, 2, 1], instruction = [16, 16, 128], stages = 2, staging = registers>]
// OLD: schedules = [
// OLD-SAME: #lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [16, 16, 32], parts = [2, 2], steps = 2, order = interleave, stages = 2, staging = registers, access = 16, result_access = 8, whole_k = true, rows = [256, 0], xcds = 8, group = 8>,
// OLD-SAME: #lowp.schedule<name = "medium", tile = [64, 128, 64], waves = [2, 2, 1], instruction = [16, 16, 32], stages = 2, staging = registers, access = 16, result_access = 8, rows = [17, 0], xcds = 8, group = 8>,
// OLD-SAME: #lowp.schedule<name = "skinny", tile = [16, 32, 64], waves = [1, 1, 4], instruction = [16, 16, 32], stages = 4, access = 16, result_access = 8, rows = [1, 16]>,
// OLD-SAME: #lowp.schedule<name = "any", tile = [64, 64, 64], waves = [2, 2, 1], instruction = [16, 16, 32], stages = 2, staging = registers>]
func.func @unknown_rows(%a: tensor<?x4096xf8E4M3FN>, %b: tensor<6144x4096xf8E4M3FN>) -> tensor<?x6144xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<?x4096xf8E4M3FN>, tensor<6144x4096xf8E4M3FN> -> tensor<?x6144xbf16>
  return %d : tensor<?x6144xbf16>
}

// K steps of 128 and 64 bytes, two of which fill LDS: 64 and 32 elements of bf16.
// CHECK-LABEL: func.func @large_bf16
// NEW: schedules = [#lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [16, 16, 32], parts = [2, 2], steps = 2, order = interleave, stages = 2, staging = direct, access = 16, result_access = 16
// OLD: schedules = [#lowp.schedule<name = "large", tile = [256, 256, 32], waves = [2, 4, 1], instruction = [16, 16, 16], parts = [2, 2], steps = 2, order = interleave, stages = 2, staging = registers, access = 16, result_access = 16
// CHECK-NOT: skinny
func.func @large_bf16(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xf32> {
  %d = lowp.matmul %a, %b transpose_b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16> -> tensor<1024x1024xf32>
  return %d : tensor<1024x1024xf32>
}

// LDS-DMA cannot transpose, and skinny reads along K; without parts, since those need K contiguous. The first instruction tried would need too many registers on
// the newer chip.
// CHECK-LABEL: func.func @not_contiguous_along_k
// NEW: schedules = [#lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [32, 32, 64], stages = 2, staging = registers,
// OLD: schedules = [#lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [16, 16, 32], stages = 2, staging = registers,
// CHECK-SAME: name = "medium"{{[^>]*}}staging = registers, access = 16, result_access = 16, xcds = 8, group = 8>
// CHECK-NOT: skinny
// CHECK-SAME: name = "any"
func.func @not_contiguous_along_k(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E5M2>) -> tensor<?x?xf32> {
  %d = lowp.matmul %a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2> -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @known_to_be_skinny
// CHECK: schedules = [#lowp.schedule<name = "skinny",
// CHECK-SAME: #lowp.schedule<name = "any",
// CHECK-NOT: large
// CHECK-NOT: medium
func.func @known_to_be_skinny(%a: tensor<8x512xf8E4M3FN>, %b: tensor<6144x512xf8E4M3FN>) -> tensor<8x6144xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<8x512xf8E4M3FN>, tensor<6144x512xf8E4M3FN> -> tensor<8x6144xbf16>
  return %d : tensor<8x6144xbf16>
}

// K of 77 bytes is never aligned: only one element at a time.
// CHECK-LABEL: func.func @known_to_be_unaligned
// CHECK: schedules = [#lowp.schedule<name = "any",
func.func @known_to_be_unaligned(%a: tensor<?x77xf8E4M3FN>, %b: tensor<100x77xf8E4M3FN>) -> tensor<?x100xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<?x77xf8E4M3FN>, tensor<100x77xf8E4M3FN> -> tensor<?x100xbf16>
  return %d : tensor<?x100xbf16>
}

// The same through the result's rows: 6 bytes past a multiple of 8.
// CHECK-LABEL: func.func @result_known_to_be_unaligned
// CHECK: schedules = [#lowp.schedule<name = "any",
func.func @result_known_to_be_unaligned(%a: tensor<?x64xbf16>, %b: tensor<99x64xbf16>) -> tensor<?x99xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<?x64xbf16>, tensor<99x64xbf16> -> tensor<?x99xbf16>
  return %d : tensor<?x99xbf16>
}

// Aligned, but no multiple of what a trip of the large tile's loop takes of K.
// CHECK-LABEL: func.func @k_with_a_tail
// CHECK: schedules = [#lowp.schedule<name = "medium",
func.func @k_with_a_tail(%a: tensor<512x4112xf8E4M3FN>, %b: tensor<512x4112xf8E4M3FN>) -> tensor<512x512xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<512x4112xf8E4M3FN>, tensor<512x4112xf8E4M3FN> -> tensor<512x512xbf16>
  return %d : tensor<512x512xbf16>
}

// CHECK-LABEL: func.func @too_few_columns_for_large
// CHECK: schedules = [#lowp.schedule<name = "medium",
func.func @too_few_columns_for_large(%a: tensor<512x4096xbf16>, %b: tensor<96x4096xbf16>) -> tensor<512x96xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<512x4096xbf16>, tensor<96x4096xbf16> -> tensor<512x96xbf16>
  return %d : tensor<512x96xbf16>
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
