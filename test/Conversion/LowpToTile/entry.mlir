// RUN: lowp-opt %s -lowp-tile-to-workgroups -mlir-print-local-scope | FileCheck %s

// What a launcher gets to know: arguments in their order, conditions, variants. The kernels are in matmul.mlir.

#large = #lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [32, 32, 64], stages = 4,
                        staging = direct, access = 16, result_access = 8, whole_k = true, rows = [256, 0], xcds = 8, group = 4>
#skinny = #lowp.schedule<name = "skinny", tile = [16, 64, 128], waves = [1, 1, 4], instruction = [16, 16, 32], stages = 2,
                         staging = none, access = 16, rows = [1, 16]>
#any = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16], stages = 2,
                      staging = registers>

// Names, the order of arguments, sizes that have to be equal, three variants. A scalar has its place among the inputs;
// a result's dynamic dimensions are no arguments.
// CHECK: tile.entry @dynamic arguments [
// CHECK-SAME: #tile.argument<input "a" : tensor<?x?xf8E4M3FN, #lowp.storage<strided>>>,
// CHECK-SAME: #tile.argument<scalar "alpha" : f32>,
// CHECK-SAME: #tile.argument<input "b" : tensor<?x?xf8E4M3FN>>,
// CHECK-SAME: #tile.argument<input "bias" : tensor<?xbf16>>,
// CHECK-SAME: #tile.argument<result "d" : tensor<?x?xbf16> sizes affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] -> (s5, s7)>>,
// CHECK-SAME: #tile.argument<dimension "a.0" : i32>,
// CHECK-SAME: #tile.argument<dimension "a.1" : i32>,
// CHECK-SAME: #tile.argument<dimension "b.0" : i32>,
// CHECK-SAME: #tile.argument<dimension "b.1" : i32>,
// CHECK-SAME: #tile.argument<dimension "bias.0" : i32>,
// CHECK-SAME: #tile.argument<stride "a.stride.0" : i64>]
// CHECK-SAME: conditions [
// CHECK-SAME: #tile.condition<"bias must be aligned to 2 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s3 mod 2 == 0)>">,
// CHECK-SAME: #tile.condition<"d must be aligned to 2 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s4 mod 2 == 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of a must be at least 1", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s5 - 1 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of a must be below 2147483648", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s5 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 1 of a must be at least 1", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s6 - 1 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 1 of a must be below 2147483648", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s6 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of b must be at least 1", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s7 - 1 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of b must be below 2147483648", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s7 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 1 of b must be at least 1", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s8 - 1 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 1 of b must be below 2147483648", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s8 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of bias must be at least 1", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s9 - 1 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of bias must be below 2147483648", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s9 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"stride 0 of a must not be negative", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s10 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of bias must equal dimension 0 of b", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s7 + s9 == 0)>">,
// CHECK-SAME: #tile.condition<"dimension 1 of b must equal dimension 1 of a", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s6 + s8 == 0)>">,
// CHECK-SAME: #tile.condition<"64 rows of a must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s6 - s10 * 63 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"64 rows of b must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s6 * -64 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"64 rows of d must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s7 * -128 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"bias must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s7 * -2 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"the tiles of d must need less than 4294967296 work-items", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (((s5 ceildiv 64) * (s7 ceildiv 64)) * -256 + 4294967295 >= 0)>">]
// CHECK-SAME: variants [
// CHECK-SAME: #tile.variant<"large", schedule = #lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [32, 32, 64], stages = 4, staging = direct, access = 16, result_access = 8, whole_k = true, rows = [256, 0], xcds = 8, group = 4>,
// CHECK-SAME: conditions = [
// CHECK-SAME: <"a must be aligned to 16 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s0 mod 16 == 0)>">,
// CHECK-SAME: <"stride 0 of a must be a multiple of 16", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s10 mod 16 == 0)>">,
// CHECK-SAME: <"dimension 1 of a must be a multiple of 16", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s6 mod 16 == 0)>">,
// CHECK-SAME: <"b must be aligned to 16 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s2 mod 16 == 0)>">,
// CHECK-SAME: <"d must be aligned to 8 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s4 mod 8 == 0)>">,
// CHECK-SAME: <"dimension 0 of b must be a multiple of 4", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s7 mod 4 == 0)>">,
// CHECK-SAME: <"dimension 1 of a must be a multiple of 64", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s6 mod 64 == 0)>">,
// CHECK-SAME: <"dimension 0 of a must be at least 256", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s5 - 256 >= 0)>">,
// CHECK-SAME: <"256 rows of a must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s6 - s10 * 255 + 2147483647 >= 0)>">,
// CHECK-SAME: <"256 rows of b must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s6 * -256 + 2147483647 >= 0)>">,
// CHECK-SAME: <"256 rows of d must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s7 * -512 + 2147483647 >= 0)>">,
// CHECK-SAME: <"the tiles of d must need less than 4294967296 work-items", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (((s5 ceildiv 256) * (s7 ceildiv 256)) * -512 + 4294967295 >= 0)>">],
// CHECK-SAME: launches = [
// CHECK-SAME: <@dynamic.large, affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11] -> ((s5 ceildiv 256) * (s7 ceildiv 256), 1, 1)>>]>,
// CHECK-SAME: #tile.variant<"skinny", schedule = #lowp.schedule<name = "skinny", tile = [16, 64, 128], waves = [1, 1, 4], instruction = [16, 16, 32], stages = 2, access = 16, rows = [1, 16]>,
// CHECK-SAME: conditions = [
// CHECK-SAME: <"a must be aligned to 16 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s0 mod 16 == 0)>">,
// CHECK-SAME: <"stride 0 of a must be a multiple of 16", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s10 mod 16 == 0)>">,
// CHECK-SAME: <"dimension 1 of a must be a multiple of 16", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s6 mod 16 == 0)>">,
// CHECK-SAME: <"b must be aligned to 16 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s2 mod 16 == 0)>">,
// CHECK-SAME: <"dimension 0 of a must be at most 16", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s5 + 16 >= 0)>">,
// CHECK-SAME: <"16 rows of a must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (-s6 - s10 * 15 + 2147483647 >= 0)>">,
// CHECK-SAME: <"16 rows of d must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s7 * -32 + 2147483647 >= 0)>">,
// CHECK-SAME: <"the tiles of d must need less than 4294967296 work-items", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (((s5 ceildiv 16) * (s7 ceildiv 64)) * -256 + 4294967295 >= 0)>">],
// CHECK-SAME: launches = [
// CHECK-SAME: <@dynamic.skinny, affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11] -> ((s5 ceildiv 16) * (s7 ceildiv 64), 1, 1)>>]>,
// CHECK-SAME: #tile.variant<"any", schedule = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16], stages = 2, staging = registers>,
// CHECK-SAME: conditions = [],
// CHECK-SAME: launches = [
// CHECK-SAME: <@dynamic.any, affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11] -> ((s5 ceildiv 64) * (s7 ceildiv 64), 1, 1)>>]>]
// CHECK-SAME: problem "func.func @problem(%arg0: tensor<?x?xf8E4M3FN, #lowp.storage<strided>>, %arg1: f32, %arg2: tensor<?x?xf8E4M3FN>, %arg3: tensor<?xbf16>) -> tensor<?x?xbf16> { %0 = lowp.matmul %arg0, %arg2 transpose_b : tensor<?x?xf8E4M3FN, #lowp.storage<strided>>, tensor<?x?xf8E4M3FN> -> tensor<?x?xbf16> epilogue(%arg4: f32, %arg5: f32 = %arg1 : f32, %arg6: bf16 = %arg3[n] : tensor<?xbf16>) { %1 = arith.mulf %arg4, %arg5 : f32 %2 = arith.extf %arg6 : bf16 to f32 %3 = arith.addf %1, %2 : f32 %4 = arith.truncf %3 : f32 to bf16 lowp.yield %4 : bf16 } return %0 : tensor<?x?xbf16> }"
func.func @dynamic(%a: tensor<?x?xf8E4M3FN, #lowp.storage<strided>> {lowp.name = "a"}, %alpha: f32 {lowp.name = "alpha"},
                   %b: tensor<?x?xf8E4M3FN> {lowp.name = "b"}, %bias: tensor<?xbf16> {lowp.name = "bias"})
    -> (tensor<?x?xbf16> {lowp.name = "d"}) {
  %d = lowp.matmul %a, %b transpose_b schedules = [#large, #skinny, #any]
      : tensor<?x?xf8E4M3FN, #lowp.storage<strided>>, tensor<?x?xf8E4M3FN> -> tensor<?x?xbf16>
      epilogue(%acc: f32, %s: f32 = %alpha : f32, %x: bf16 = %bias[n] : tensor<?xbf16>) {
    %0 = arith.mulf %acc, %s : f32
    %1 = arith.extf %x : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    lowp.yield %3 : bf16
  }
  return %d : tensor<?x?xbf16>
}

// A static problem: what the types show is no condition, a variant that never fits (M is 300) is left out, and nothing
// comes after a variant that always fits, alignment apart.
// CHECK: tile.entry @static arguments [
// CHECK-SAME: #tile.argument<input "arg0" : tensor<300x1024xf8E4M3FN>>,
// CHECK-SAME: #tile.argument<input "arg1" : tensor<768x1024xf8E4M3FN>>,
// CHECK-SAME: #tile.argument<result "result0" : tensor<300x768xbf16>>]
// CHECK-SAME: conditions [
// CHECK-SAME: #tile.condition<"result0 must be aligned to 2 bytes", "affine_set<()[s0, s1, s2] : (s2 mod 2 == 0)>">]
// CHECK-SAME: variants [
// CHECK-SAME: #tile.variant<"large", schedule = #lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [32, 32, 64], stages = 4, staging = direct, access = 16, result_access = 8, whole_k = true, rows = [256, 0], xcds = 8, group = 4>,
// CHECK-SAME: conditions = [
// CHECK-SAME: <"arg0 must be aligned to 16 bytes", "affine_set<()[s0, s1, s2] : (s0 mod 16 == 0)>">,
// CHECK-SAME: <"arg1 must be aligned to 16 bytes", "affine_set<()[s0, s1, s2] : (s1 mod 16 == 0)>">,
// CHECK-SAME: <"result0 must be aligned to 8 bytes", "affine_set<()[s0, s1, s2] : (s2 mod 8 == 0)>">],
// CHECK-SAME: launches = [
// CHECK-SAME: <@static.large, affine_map<()[s0, s1, s2, s3] -> (6, 1, 1)>>]>,
// CHECK-SAME: #tile.variant<"any", schedule = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16], stages = 2, staging = registers>,
// CHECK-SAME: conditions = [],
// CHECK-SAME: launches = [
// CHECK-SAME: <@static.any, affine_map<()[s0, s1, s2, s3] -> (60, 1, 1)>>]>]
// CHECK-SAME: problem "func.func @problem(%arg0: tensor<300x1024xf8E4M3FN>, %arg1: tensor<768x1024xf8E4M3FN>) -> tensor<300x768xbf16> { %0 = lowp.matmul %arg0, %arg1 transpose_b : tensor<300x1024xf8E4M3FN>, tensor<768x1024xf8E4M3FN> -> tensor<300x768xbf16> return %0 : tensor<300x768xbf16> }"
func.func @static(%a: tensor<300x1024xf8E4M3FN>, %b: tensor<768x1024xf8E4M3FN>) -> tensor<300x768xbf16> {
  %d = lowp.matmul %a, %b transpose_b schedules = [#large, #skinny, #any]
      : tensor<300x1024xf8E4M3FN>, tensor<768x1024xf8E4M3FN> -> tensor<300x768xbf16>
  return %d : tensor<300x768xbf16>
}

// A size that one tensor knows is asked of the others.
// CHECK: tile.entry @partly arguments [
// CHECK-SAME: #tile.argument<input "arg0" : tensor<?x96xbf16>>,
// CHECK-SAME: #tile.argument<input "arg1" : tensor<?x40xbf16>>,
// CHECK-SAME: #tile.argument<result "result0" : tensor<50x?xf32> sizes affine_map<()[s0, s1, s2, s3, s4] -> (50, 40)>>,
// CHECK-SAME: #tile.argument<dimension "arg0.0" : i32>,
// CHECK-SAME: #tile.argument<dimension "arg1.0" : i32>]
// CHECK-SAME: conditions [
// CHECK-SAME: #tile.condition<"arg0 must be aligned to 2 bytes", "affine_set<()[s0, s1, s2, s3, s4] : (s0 mod 2 == 0)>">,
// CHECK-SAME: #tile.condition<"arg1 must be aligned to 2 bytes", "affine_set<()[s0, s1, s2, s3, s4] : (s1 mod 2 == 0)>">,
// CHECK-SAME: #tile.condition<"result0 must be aligned to 4 bytes", "affine_set<()[s0, s1, s2, s3, s4] : (s2 mod 4 == 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of arg0 must be at least 1", "affine_set<()[s0, s1, s2, s3, s4] : (s3 - 1 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of arg0 must be below 2147483648", "affine_set<()[s0, s1, s2, s3, s4] : (-s3 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of arg1 must be at least 1", "affine_set<()[s0, s1, s2, s3, s4] : (s4 - 1 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of arg1 must be below 2147483648", "affine_set<()[s0, s1, s2, s3, s4] : (-s4 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of arg0 must be 50", "affine_set<()[s0, s1, s2, s3, s4] : (s3 - 50 == 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of arg1 must be 96", "affine_set<()[s0, s1, s2, s3, s4] : (s4 - 96 == 0)>">]
// CHECK-SAME: variants [
// CHECK-SAME: #tile.variant<"any", schedule = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16], stages = 2, staging = registers>,
// CHECK-SAME: conditions = [],
// CHECK-SAME: launches = [
// CHECK-SAME: <@partly.any, affine_map<()[s0, s1, s2, s3, s4, s5] -> (1, 1, 1)>>]>]
// CHECK-SAME: problem "func.func @problem(%arg0: tensor<?x96xbf16>, %arg1: tensor<?x40xbf16>) -> tensor<50x?xf32> { %0 = lowp.matmul %arg0, %arg1 : tensor<?x96xbf16>, tensor<?x40xbf16> -> tensor<50x?xf32> return %0 : tensor<50x?xf32> }"
func.func @partly(%a: tensor<?x96xbf16>, %b: tensor<?x40xbf16>) -> tensor<50x?xf32> {
  %d = lowp.matmul %a, %b schedules = [#any] : tensor<?x96xbf16>, tensor<?x40xbf16> -> tensor<50x?xf32>
  return %d : tensor<50x?xf32>
}

// Rows of a strided result may not overlap; the batch is the grid's second axis.
// CHECK: tile.entry @batched arguments [
// CHECK-SAME: #tile.argument<input "arg0" : tensor<?x33x40xbf16>>,
// CHECK-SAME: #tile.argument<input "arg1" : tensor<40x70xbf16>>,
// CHECK-SAME: #tile.argument<result "result0" : tensor<?x33x70xf16, #lowp.storage<strided>> sizes affine_map<()[s0, s1, s2, s3, s4, s5] -> (s3, 33, 70)>>,
// CHECK-SAME: #tile.argument<dimension "arg0.0" : i32>,
// CHECK-SAME: #tile.argument<stride "result0.stride.0" : i64>,
// CHECK-SAME: #tile.argument<stride "result0.stride.1" : i64>]
// CHECK-SAME: conditions [
// CHECK-SAME: #tile.condition<"arg0 must be aligned to 2 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5] : (s0 mod 2 == 0)>">,
// CHECK-SAME: #tile.condition<"arg1 must be aligned to 2 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5] : (s1 mod 2 == 0)>">,
// CHECK-SAME: #tile.condition<"result0 must be aligned to 2 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5] : (s2 mod 2 == 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of arg0 must be at least 1", "affine_set<()[s0, s1, s2, s3, s4, s5] : (s3 - 1 >= 0)>">,
// CHECK-SAME: #tile.condition<"dimension 0 of arg0 must be below 2147483648", "affine_set<()[s0, s1, s2, s3, s4, s5] : (-s3 + 2147483647 >= 0)>">,
// CHECK-SAME: #tile.condition<"stride 0 of result0 must not be negative", "affine_set<()[s0, s1, s2, s3, s4, s5] : (s4 >= 0)>">,
// CHECK-SAME: #tile.condition<"stride 0 of result0 must be at least dimension 2 of result0", "affine_set<()[s0, s1, s2, s3, s4, s5] : ((s3 - 1) * (s4 - 70) >= 0)>">,
// CHECK-SAME: #tile.condition<"stride 1 of result0 must not be negative", "affine_set<()[s0, s1, s2, s3, s4, s5] : (s5 >= 0)>">,
// CHECK-SAME: #tile.condition<"stride 1 of result0 must be at least dimension 2 of result0", "affine_set<()[s0, s1, s2, s3, s4, s5] : (s5 * 32 - 2240 >= 0)>">,
// CHECK-SAME: #tile.condition<"64 rows of result0 must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5] : (s5 * -126 + 2147483507 >= 0)>">]
// CHECK-SAME: variants [
// CHECK-SAME: #tile.variant<"any", schedule = #lowp.schedule<name = "any", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [32, 32, 16], stages = 2, staging = registers>,
// CHECK-SAME: conditions = [],
// CHECK-SAME: launches = [
// CHECK-SAME: <@batched.any, affine_map<()[s0, s1, s2, s3, s4, s5, s6] -> (2, s3, 1)>>]>]
// CHECK-SAME: problem "func.func @problem(%arg0: tensor<?x33x40xbf16>, %arg1: tensor<40x70xbf16>) -> tensor<?x33x70xf16, #lowp.storage<strided>> { %0 = lowp.matmul %arg0, %arg1 : tensor<?x33x40xbf16>, tensor<40x70xbf16> -> tensor<?x33x70xf16, #lowp.storage<strided>> return %0 : tensor<?x33x70xf16, #lowp.storage<strided>> }"
func.func @batched(%a: tensor<?x33x40xbf16>, %b: tensor<40x70xbf16>) -> tensor<?x33x70xf16, #lowp.storage<strided>> {
  %d = lowp.matmul %a, %b schedules = [#any]
      : tensor<?x33x40xbf16>, tensor<40x70xbf16> -> tensor<?x33x70xf16, #lowp.storage<strided>>
  return %d : tensor<?x33x70xf16, #lowp.storage<strided>>
}

// Device functions and declarations are no entries and stay.
// CHECK: func.func @device(
func.func @device(%x: f32) -> f32 attributes {lowp.device} {
  return %x : f32
}
// CHECK: func.func private @helper(
func.func private @helper(%x: f32) -> f32 {
  return %x : f32
}
