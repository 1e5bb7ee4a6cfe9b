// RUN: lowp-opt %s --lowp-select-schedule=target=gfx950 --split-input-file --verify-diagnostics

func.func @type_that_the_chip_lacks(%a: tensor<8x64xf8E4M3FNUZ>, %b: tensor<64x32xf8E5M2FNUZ>) -> tensor<8x32xf32> {
  // expected-error@+2 {{'lowp.matmul' op operand 'a' has element type 'f8E4M3FNUZ', which gfx950's matrix cores lack; accepted are f8E4M3FN, f8E5M2, bf16, f16}}
  // expected-note@+1 {{gfx942's matrix cores have it}}
  %d = lowp.matmul %a, %b : tensor<8x64xf8E4M3FNUZ>, tensor<64x32xf8E5M2FNUZ> -> tensor<8x32xf32>
  return %d : tensor<8x32xf32>
}

// -----

func.func @direct_needs_wide_access(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' asks for staging 'direct', which needs 'access = 16', but got '8'}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [16, 16, 32], stages = 2, staging = direct, access = 8>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

func.func @direct_cannot_transpose(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' asks for staging 'direct', which cannot transpose, but operand 'b' is not contiguous along K; accepted are 'none' and 'registers'}}
  %d = lowp.matmul %a, %b schedules = [
      #lowp.schedule<name = "x", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [16, 16, 32], stages = 2, staging = direct, access = 16>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

// Four waves copy 4096 bytes at once; 32 rows of 64 bytes are 2048.
func.func @direct_copies_whole_tiles(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' asks for staging 'direct' of parts of 'a' of '2048' bytes, which must be a multiple of '4096', what 4 waves copy at once}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [32, 64, 32], waves = [2, 2, 1], instruction = [16, 16, 32], stages = 2, staging = direct, access = 16>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

// The tile is large enough, its halves are not: each part of an operand is copied on its own.
func.func @direct_copies_whole_parts(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' asks for staging 'direct' of parts of 'b' of '2048' bytes, which must be a multiple of '4096', what 4 waves copy at once}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [16, 16, 32], parts = [1, 2], order = interleave, stages = 2, staging = direct, access = 16>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}
