// RUN: lowp-opt %s -lowp-tile-to-workgroups -canonicalize -cse -mlir-print-local-scope | FileCheck %s

// K split over workgroups: two launches, a workspace as the last argument, slices of K, and the kernel that adds.

#split = #lowp.schedule<name = "split", tile = [16, 32, 128], waves = [1, 1, 4], instruction = [16, 16, 128], access = 16, result_access = 8, splits = 3>
#whole = #lowp.schedule<name = "whole", tile = [16, 32, 128], waves = [1, 1, 1], instruction = [16, 16, 128], steps = 2, stages = 2, access = 16, whole_k = true, splits = 4>
#any = #lowp.schedule<name = "any", tile = [64, 64, 128], waves = [2, 2, 1], instruction = [16, 16, 128], stages = 2, staging = registers>

// Dynamic sizes: what the launcher gets to know.
// CHECK: tile.entry @dynamic arguments [
// CHECK-SAME: #tile.argument<dimension "b.2" : i32>, #tile.argument<workspace "workspace" : i64>]
// CHECK-SAME: #tile.variant<"split",
// CHECK-SAME: <"16 rows of workspace must span less than 2147483648 bytes", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : ((s8 ceildiv 32) * -2048 + 2147483647 >= 0)>">
// CHECK-SAME: <"the tiles of result0 must need less than 4294967296 work-items", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (((s5 ceildiv 16) * (s8 ceildiv 32)) * -256 + 4294967295 >= 0)>">
// CHECK-SAME: <"the tiles of result0 must need less than 4294967296 work-items", "affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : ((s5 * (s8 ceildiv 256)) * -64 + 4294967295 >= 0)>">
// CHECK-SAME: launches = [<@dynamic.split, affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11] -> ((s5 ceildiv 16) * (s8 ceildiv 32), s4, 3)>>,
// CHECK-SAME: <@dynamic.split.reduce, affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11] -> (s5 * (s8 ceildiv 256), s4, 1)>>],
// CHECK-SAME: workspace = affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11] -> ((((s8 ceildiv 32) * s4) * s5) * 384)>>,
// CHECK-SAME: #tile.variant<"any", {{.*}} launches = [<@dynamic.any, affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11] -> ((s5 ceildiv 64) * (s8 ceildiv 64), s4, 1)>>]>]

// Trips of 512 are dealt out: the first trips % 3 slices get one more. A slice has 1 element of K at least, which may lie behind its end.
// CHECK-LABEL: tile.kernel @dynamic.split(
// CHECK-SAME: %[[W:[a-z0-9]+]]: !llvm.ptr<1> {llvm.noalias}) waves(4)
// CHECK: %[[ID:.+]] = tile.workgroup_id 0
// CHECK: %[[BATCH:.+]] = tile.workgroup_id 1
// CHECK: %[[ROW:.+]] = arith.muli %{{.+}}, %c16
// CHECK: %[[COLUMN:.+]] = arith.muli %{{.+}}, %c32
// CHECK: %[[A:.+]] = tile.view %arg0
// CHECK: %[[B:.+]] = tile.view %arg1
// CHECK: %[[SPLIT:.+]] = tile.workgroup_id 2
// CHECK: %[[UP:.+]] = arith.addi %[[K:.+]], %c511
// CHECK: %[[TRIPS:.+]] = arith.divui %[[UP]], %c512
// CHECK: %[[SHARE:.+]] = arith.divui %[[TRIPS]], %c3
// CHECK: %[[MORE:.+]] = arith.remui %[[TRIPS]], %c3
// CHECK: %[[BEFORE:.+]] = arith.muli %[[SPLIT]], %[[SHARE]]
// CHECK: %[[EXTRA:.+]] = arith.minui %[[SPLIT]], %[[MORE]]
// CHECK: %[[FIRST:.+]] = arith.addi %[[BEFORE]], %[[EXTRA]]
// CHECK: %[[LONGER:.+]] = arith.cmpi ult, %[[SPLIT]], %[[MORE]]
// CHECK: %[[ONE:.+]] = arith.index_castui %[[LONGER]] : i1 to index
// CHECK: %[[LENGTH:.+]] = arith.addi %[[SHARE]], %[[ONE]]
// CHECK: %[[ORIGIN:.+]] = arith.muli %[[FIRST]], %c512
// CHECK: %[[SIZE:.+]] = arith.muli %[[LENGTH]], %c512
// CHECK: %[[UPPER:.+]] = arith.maxsi %[[SIZE]], %c1
// CHECK: %[[SUMS:.+]] = scf.for %[[I:.+]] = %c0 to %[[UPPER]] step %c512
// CHECK:   %[[DEPTH:.+]] = arith.addi %[[ORIGIN]], %[[I]]
// CHECK:   tile.load %[[A]][%[[BATCH]], %[[ROW]], %[[DEPTH]]] map affine_map<(d0, d1, d2) -> (0, d1, d0 * 128 + d2)> in_bounds [true, false, false]
// CHECK:   tile.load %[[B]][%[[BATCH]], %[[COLUMN]], %[[DEPTH]]]
// CHECK: } {tile.stages = 2 : i32}
// CHECK: %[[SUM:.+]] = tile.reduce add %[[SUMS]] dim 0
// CHECK: %[[COLUMNS:.+]] = arith.muli %{{.+}}, %c32
// CHECK: %[[WV:.+]] = tile.view %[[W]] sizes(%{{.+}}, %{{.+}}, %[[COLUMNS]]) strides(%{{.+}}, %{{.+}}, %{{.+}}) : <3x?x?x?xf32, vector = 16>
// CHECK: tile.store %[[SUM]], %[[WV]][%[[SPLIT]], %[[BATCH]], %[[ROW]], %[[COLUMN]]] map affine_map<(d0, d1) -> (0, 0, d0, d1)> in_bounds [true, true, false, true]
// CHECK-NEXT: tile.return

// All loads, the sum in the order of K, then what follows a product.
// CHECK-LABEL: tile.kernel @dynamic.split.reduce(
// CHECK-SAME: %[[W:[a-z0-9]+]]: !llvm.ptr<1> {llvm.noalias}) waves(1)
// CHECK: %[[ID:.+]] = tile.workgroup_id 0
// CHECK: %[[UP:.+]] = arith.addi %[[N:.+]], %c255
// CHECK: %[[TILES:.+]] = arith.divui %[[UP]], %c256
// CHECK: %[[ROW:.+]] = arith.divui %[[ID]], %[[TILES]]
// CHECK: %[[NUMBER:.+]] = arith.remui %[[ID]], %[[TILES]]
// CHECK: %[[COLUMN:.+]] = arith.muli %[[NUMBER]], %c256
// CHECK: %[[BATCH:.+]] = tile.workgroup_id 1
// CHECK: %[[WV:.+]] = tile.view %[[W]] sizes({{.*}}) strides({{.*}}) : <3x?x?x?xf32, vector = 16>
// CHECK: %[[T0:.+]] = tile.load %[[WV]][%c0, %[[BATCH]], %[[ROW]], %[[COLUMN]]] map affine_map<(d0, d1) -> (0, 0, d0, d1)> in_bounds [true, true, true, false]
// CHECK: %[[T1:.+]] = tile.load %[[WV]][%c1, %[[BATCH]], %[[ROW]], %[[COLUMN]]]
// CHECK: %[[T2:.+]] = tile.load %[[WV]][%c2, %[[BATCH]], %[[ROW]], %[[COLUMN]]]
// CHECK: %[[S1:.+]] = arith.addf %[[T0]], %[[T1]]
// CHECK: %[[S2:.+]] = arith.addf %[[S1]], %[[T2]]
// CHECK: %[[SCALE:.+]] = tile.load {{.*}} : <f32, vector = 4> -> tensor<1x256xf32>
// CHECK: %[[SCALED:.+]] = arith.mulf %[[S2]], %[[SCALE]]
// CHECK: %[[DOUBLE:.+]] = arith.addf %[[SCALED]], %[[SCALED]]
// CHECK: %[[D:.+]] = arith.truncf %[[DOUBLE]]
// CHECK: tile.store %[[D]], %{{.+}}[%[[BATCH]], %[[ROW]], %[[COLUMN]]]
// CHECK-NEXT: tile.return
func.func @dynamic(%a: tensor<?x?x?xf8E4M3FN> {lowp.name = "a"}, %b: tensor<?x?x?xf8E4M3FN> {lowp.name = "b"}, %s: tensor<f32>) -> tensor<?x?x?xbf16> {
  %d = lowp.matmul %a, %b transpose_b scale_a(%s : tensor<f32>) schedules = [#split, #any] : tensor<?x?x?xf8E4M3FN>, tensor<?x?x?xf8E4M3FN> -> tensor<?x?x?xbf16>
      epilogue(%x: f32) {
    %y = arith.addf %x, %x : f32
    %z = arith.truncf %y : f32 to bf16
    lowp.yield %z : bf16
  }
  return %d : tensor<?x?x?xbf16>
}

// `whole_k` asks for a trip for each slice, and no load has a bound of K. With a static K that has one, none is asked for.
// CHECK: tile.entry @trips
// CHECK-SAME: #tile.variant<"whole", {{.*}} <"dimension 1 of arg0 must be a multiple of 256", {{.*}} <"dimension 1 of arg0 must be at least 1024",
// CHECK-LABEL: tile.kernel @trips.whole(
// CHECK-COUNT-2: tile.load {{.*}} in_bounds [{{true|false}}, true] staging(none)
func.func @trips(%a: tensor<16x?xf8E4M3FN>, %b: tensor<32x?xf8E4M3FN>) -> tensor<16x32xf32> {
  %d = lowp.matmul %a, %b transpose_b schedules = [#whole, #any] : tensor<16x?xf8E4M3FN>, tensor<32x?xf8E4M3FN> -> tensor<16x32xf32>
  return %d : tensor<16x32xf32>
}

// A static K of fewer trips than splits: slices may be empty, so K keeps its bound.
// CHECK-LABEL: tile.kernel @few.split(
// CHECK-COUNT-2: tile.load {{.*}} in_bounds [true, false] staging(none)
func.func @few(%a: tensor<16x1024xf8E4M3FN>, %b: tensor<32x1024xf8E4M3FN>) -> tensor<16x32xf32> {
  %d = lowp.matmul %a, %b transpose_b schedules = [#split] : tensor<16x1024xf8E4M3FN>, tensor<32x1024xf8E4M3FN> -> tensor<16x32xf32>
  return %d : tensor<16x32xf32>
}

// A variant that never holds needs no workspace, so there is none.
// CHECK: tile.entry @never arguments
// CHECK-NOT: workspace
// CHECK-LABEL: tile.kernel @never.any(
func.func @never(%a: tensor<16x512xf8E4M3FN>, %b: tensor<32x512xf8E4M3FN>) -> tensor<16x32xf32> {
  %d = lowp.matmul %a, %b transpose_b schedules = [#whole, #any] : tensor<16x512xf8E4M3FN>, tensor<32x512xf8E4M3FN> -> tensor<16x32xf32>
  return %d : tensor<16x32xf32>
}
