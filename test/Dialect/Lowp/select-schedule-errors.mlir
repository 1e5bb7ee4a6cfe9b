// RUN: lowp-opt %s --lowp-select-schedule=target=gfx942 --split-input-file --verify-diagnostics
// RUN: not lowp-opt %s --lowp-select-schedule=target=gfx90a --split-input-file 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lowp-opt %s --lowp-select-schedule --split-input-file 2>&1 | FileCheck %s --check-prefix=NONE

// UNKNOWN: error: unknown target 'gfx90a'; known are gfx942, gfx950
// NONE: error: unknown target ''; known are gfx942, gfx950

func.func @type_that_the_chip_lacks(%a: tensor<8x64xf8E4M3FN>, %b: tensor<64x32xf8E5M2>) -> tensor<8x32xf32> {
  // expected-error@+2 {{'lowp.matmul' op operand 'a' has element type 'f8E4M3FN', which gfx942's matrix cores lack; accepted are f8E4M3FNUZ, f8E5M2FNUZ, bf16, f16}}
  // expected-note@+1 {{gfx950's matrix cores have it}}
  %d = lowp.matmul %a, %b : tensor<8x64xf8E4M3FN>, tensor<64x32xf8E5M2> -> tensor<8x32xf32>
  return %d : tensor<8x32xf32>
}

// -----

func.func @no_such_instruction(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' asks for an instruction of 32x32x16 on 'bf16' and 'bf16', which gfx942 has not; it has 16x16x16, 32x32x8}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [256, 256, 32], waves = [2, 4, 1], instruction = [32, 32, 16], stages = 2, staging = registers>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

func.func @who_takes_turns(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' asks for order 'pingpong' with '4' waves, which must be '8', two on each SIMD of gfx942}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [128, 128, 32], waves = [2, 2, 1], instruction = [16, 16, 16], parts = [2, 2], order = pingpong, stages = 1, staging = registers, access = 16>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

// Two steps of a trip, each with a ring of two stages: twice what the same in order `interleave` takes.
func.func @rings_of_the_steps(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' needs '131072' bytes of LDS, but gfx942 has '65536'}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [128, 128, 64], waves = [2, 2, 1], instruction = [16, 16, 16], steps = 2, stages = 2, staging = registers, access = 16>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

func.func @tile_is_no_multiple(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' has a tile of '32' along n, which must be a multiple of '64', the waves times the instruction's}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [64, 32, 32], waves = [2, 4, 1], instruction = [16, 16, 16], stages = 2, staging = registers>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

func.func @tile_is_no_multiple_along_k(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' has a tile of '8' along k, which must be a multiple of '16', the instruction's}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [64, 64, 8], waves = [2, 2, 1], instruction = [16, 16, 16], stages = 2, staging = registers>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

func.func @no_direct_copies(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' asks for staging 'direct', but gfx942 cannot copy 16 bytes a lane straight to LDS; accepted are 'none' and 'registers'}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [16, 16, 16], stages = 2, staging = direct, access = 16>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

func.func @too_many_waves(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' needs '32' waves in a workgroup, but gfx942 has '16'}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [128, 128, 32], waves = [4, 8, 1], instruction = [16, 16, 16], stages = 2, staging = registers>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

// 256 x 256 sums over 8 waves are 128 registers a lane; a K step of 128 takes (128 + 64) * 256 / 256 more for operands.
func.func @too_many_registers(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' needs '472' registers a lane (128 for sums, 192 for operands, 128 for staging, 24 for the rest), but gfx942 has '256' with 2 waves on a SIMD}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [256, 256, 128], waves = [2, 4, 1], instruction = [16, 16, 16], stages = 2, staging = registers>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

// Three stages of 2 x 256 x 32 elements of 2 bytes.
func.func @too_much_lds(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' needs '98304' bytes of LDS, but gfx942 has '65536'}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [256, 256, 32], waves = [2, 4, 1], instruction = [16, 16, 16], stages = 3, staging = registers>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

// Four waves that split K have 4 x 128 x 64 sums of 4 bytes to add up.
func.func @too_much_lds_for_the_sums(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' needs '131072' bytes of LDS, but gfx942 has '65536'}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [128, 64, 16], waves = [1, 1, 4], instruction = [16, 16, 16]>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

func.func @name_of_the_last_variant(%a: tensor<?x64xbf16>, %b: tensor<512x64xbf16>) -> tensor<?x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'any' has preconditions, but this name is that of the variant without any}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [16, 16, 16], access = 16>]
      : tensor<?x64xbf16>, tensor<512x64xbf16> -> tensor<?x512xf32>
  return %d : tensor<?x512xf32>
}

// -----

// Each of two parts has at least one instruction for each of two waves.
func.func @parts_finer_than_the_waves(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' has a tile of '32' along n, which must be a multiple of '64', the parts times the waves times the instruction's}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [64, 32, 32], waves = [2, 2, 1], instruction = [16, 16, 16], parts = [2, 2]>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

// Two steps are in LDS at a time, in one product each.
func.func @too_few_products_in_turn(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' asks for order 'interleave' of '2' products (parts times stages), which must be at least '4'}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [16, 16, 16], order = interleave, stages = 2, staging = registers>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}

// -----

// LDS holds the parts of all stages, whatever a trip takes of them.
func.func @lds_of_all_stages(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  // expected-error@+1 {{'lowp.matmul' op schedule 'x' needs '131072' bytes of LDS, but gfx942 has '65536'}}
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "x", tile = [128, 128, 32], waves = [2, 2, 1], instruction = [16, 16, 16], parts = [2, 2], steps = 8, order = interleave, stages = 8, staging = registers>]
      : tensor<512x512xbf16>, tensor<512x512xbf16> -> tensor<512x512xf32>
  return %d : tensor<512x512xf32>
}
