// RUN: lowp-opt %s --tile-to-lanes=target=gfx950 --canonicalize --cse | FileCheck %s

// LDS: stores, loads, copies, waits, barriers. Each kernel shows the rule that it is named after.

// 16 rows of 64 bytes; chunks of 16 bytes are xored with two bits of the row.
#swizzled = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 16], [4, 32], [8, 0]], shape = [16, 64]>
#plain = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 64]>
// A lane holds 16 bytes of a row, lanes run along the row.
#rows = #tile.linear<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], wave = [], shape = [16, 64], fragment = 16>
// A lane holds 2 times 8 bytes of a row, lanes run down the rows.
#columns = #tile.linear<register = [[0, 1], [0, 2], [0, 4], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 8], [0, 16]], wave = [], shape = [16, 64], fragment = 8>

// CHECK: llvm.mlir.global internal @widths_and_swizzled_addresses.lds() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<3072 x i8>
// CHECK-LABEL: llvm.func @widths_and_swizzled_addresses(
// CHECK-DAG: %[[LDS:.+]] = llvm.mlir.addressof @widths_and_swizzled_addresses.lds : !llvm.ptr<3>
// CHECK: %[[LANE:.+]] = arith.andi %{{.+}}, %c63_i32
//   What lane and wave contribute is computed once, at the top, and opaque: LLVM must not fold other places into it.
//   Of the lane bits 0 to 2 are the low ones in order; 3 and 4 select rows 2 and 4, whose chunks are xored with 16 and 32.
// CHECK: %[[LOW:.+]] = arith.andi %[[LANE]], %c7_i32
// CHECK: %[[CHUNK:.+]] = arith.shli %[[LOW]], %c4_i32
// CHECK: %[[UP3:.+]] = arith.shli %[[LANE]], %c28_i32
// CHECK: %[[BIT3:.+]] = arith.shrsi %[[UP3]], %c31_i32
// CHECK: %[[ROW2:.+]] = arith.andi %[[BIT3]], %c144_i32
// CHECK: %[[A1:.+]] = arith.xori %[[CHUNK]], %[[ROW2]]
// CHECK: %[[UP4:.+]] = arith.shli %[[LANE]], %c27_i32
// CHECK: %[[BIT4:.+]] = arith.shrsi %[[UP4]], %c31_i32
// CHECK: %[[ROW4:.+]] = arith.andi %[[BIT4]], %c288_i32
// CHECK: %[[A2:.+]] = arith.xori %[[A1]], %[[ROW4]]
// CHECK: %[[BIT5:.+]] = arith.andi %[[LANE]], %c32_i32
// CHECK: %[[ROW8:.+]] = arith.shli %[[BIT5]], %c4_i32
// CHECK: %[[A:.+]] = arith.xori %[[A2]], %[[ROW8]]
// CHECK: %[[PLAIN:.+]] = llvm.getelementptr %[[LDS]][%[[A]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK: %[[P:.+]] = llvm.inline_asm "", "=v,0" %[[PLAIN]] : (!llvm.ptr<3>) -> !llvm.ptr<3>
//   The other layout has 8 bytes together; its second access, which is made first, is 32 further, a bit that rows move too: xored, not
//   added.
// CHECK: %[[CROSSED:.+]] = arith.xori %[[OFFSET:.+]], %c32_i32
// CHECK: %[[PLAIN32:.+]] = llvm.getelementptr %[[LDS]][%[[CROSSED]]]
// CHECK: %[[Q32:.+]] = llvm.inline_asm "", "=v,0" %[[PLAIN32]]
// CHECK: %[[PLAINQ:.+]] = llvm.getelementptr %[[LDS]][%[[OFFSET]]] :
// CHECK: %[[Q:.+]] = llvm.inline_asm "", "=v,0" %[[PLAINQ]]
//   The ring's place is a constant, hence in the instructions' offset.
// CHECK: %[[T:.+]] = rocdl.raw.ptr.buffer.load {{.*}} : vector<4xi32>
// CHECK: %[[TO:.+]] = llvm.getelementptr inbounds %[[P]][2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: llvm.store %[[T]], %[[TO]] {alignment = 16 : i64, noalias_scopes = [#[[$SCOPE:.+]]]} : vector<4xi32>, !llvm.ptr<3>
// CHECK: %[[FROM32:.+]] = llvm.getelementptr inbounds %[[Q32]][2048]
// CHECK: llvm.load %[[FROM32]] {alignment = 8 : i64, noalias_scopes = [#[[$SCOPE]]]} : !llvm.ptr<3> -> vector<2xi32>
// CHECK: %[[FROM:.+]] = llvm.getelementptr inbounds %[[Q]][2048]
// CHECK: llvm.load %[[FROM]] {alignment = 8 : i64, {{.*}}} : !llvm.ptr<3> -> vector<2xi32>
tile.kernel @widths_and_swizzled_addresses(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x64xf8E4M3FN, vector = 16>
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<16x64xf8E4M3FN, vector = 16>
  %b = tile.alloc at 2048 : !tile.local<16x64xf8E4M3FN, stages = 1, #swizzled>
  %t = tile.load %X[%c0, %c0] in_bounds [true, true] : !tile.view<16x64xf8E4M3FN, vector = 16> -> tensor<16x64xf8E4M3FN, #rows>
  tile.local_store %t, %b[%c0] : tensor<16x64xf8E4M3FN, #rows>, !tile.local<16x64xf8E4M3FN, stages = 1, #swizzled>
  %u = tile.local_load %b[%c0] : !tile.local<16x64xf8E4M3FN, stages = 1, #swizzled> -> tensor<16x64xf8E4M3FN, #columns>
  tile.store %u, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x64xf8E4M3FN, #columns>, !tile.view<16x64xf8E4M3FN, vector = 16>
  tile.return
}

// CHECK-LABEL: llvm.func @registers_are_immediate_offsets(
// CHECK: %[[PLAIN:.+]] = llvm.getelementptr %[[LDS:.+]][%{{.+}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK: %[[P:.+]] = llvm.inline_asm "", "=v,0" %[[PLAIN]]
//   The last register first: who waits for the first one then has all.
// CHECK: %[[P32:.+]] = llvm.getelementptr inbounds %[[P]][32] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK-NEXT: llvm.load %[[P32]] {alignment = 8 : i64, {{.*}}} : !llvm.ptr<3> -> vector<2xi32>
// CHECK-NEXT: llvm.load %[[P]]
tile.kernel @registers_are_immediate_offsets(%y: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %ld = arith.constant 64 : i64
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<16x64xf8E4M3FN, vector = 16>
  %b = tile.alloc at 0 : !tile.local<16x64xf8E4M3FN, stages = 1, #plain>
  %u = tile.local_load %b[%c0] : !tile.local<16x64xf8E4M3FN, stages = 1, #plain> -> tensor<16x64xf8E4M3FN, #columns>
  tile.store %u, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x64xf8E4M3FN, #columns>, !tile.view<16x64xf8E4M3FN, vector = 16>
  tile.return
}

// CHECK: llvm.mlir.global internal @the_slot_goes_round_the_ring.lds() {{.*}} : !llvm.array<3584 x i8>
// CHECK-LABEL: llvm.func @the_slot_goes_round_the_ring(
// CHECK: %[[LANE:.+]] = arith.andi %{{.+}}, %c63_i32
// CHECK: %[[STAGE:.+]] = arith.remui %{{.+}}, %c3_i32
// CHECK: %[[BYTES:.+]] = arith.muli %[[STAGE]], %c1024_i32
// CHECK: %[[START:.+]] = arith.addi %[[BYTES]], %c512_i32
// CHECK: %[[OWN:.+]] = arith.shli %[[LANE]], %c4_i32
// CHECK: %[[A:.+]] = arith.addi %[[START]], %[[OWN]]
// CHECK: %[[P:.+]] = llvm.getelementptr %{{.+}}[%[[A]]]
// CHECK: llvm.load %[[P]] {alignment = 16 : i64, {{.*}}} : !llvm.ptr<3> -> vector<4xi32>
tile.kernel @the_slot_goes_round_the_ring(%y: !llvm.ptr<1>, %i: i32) waves(1) {
  %c0 = arith.constant 0 : index
  %slot = arith.index_cast %i : i32 to index
  %ld = arith.constant 64 : i64
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<16x64xf8E4M3FN, vector = 16>
  %b = tile.alloc at 512 : !tile.local<16x64xf8E4M3FN, stages = 3, #plain>
  %u = tile.local_load %b[%slot] : !tile.local<16x64xf8E4M3FN, stages = 3, #plain> -> tensor<16x64xf8E4M3FN, #rows>
  tile.store %u, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x64xf8E4M3FN, #rows>, !tile.view<16x64xf8E4M3FN, vector = 16>
  tile.return
}

#line = #tile.linear<offset = [[1], [2], [4], [8], [16], [32]], shape = [64]>
#copies = #tile.linear<register = [[1], [0]], lane = [[2], [4], [8], [16], [32], [0]], wave = [[0]], shape = [64], fragment = 2>
// CHECK-LABEL: llvm.func @copies_are_stored_once(
// CHECK: %[[LANE:.+]] = arith.andi %{{.+}}, %c63_i32
// CHECK: %[[WAVE:.+]] = rocdl.readfirstlane
// CHECK: %[[LANECOPY:.+]] = arith.andi %[[LANE]], %c32_i32
// CHECK: %[[LANEFIRST:.+]] = arith.cmpi eq, %[[LANECOPY]], %c0_i32
// CHECK: %[[WAVECOPY:.+]] = arith.andi %[[WAVE]], %c1_i32
// CHECK: %[[WAVEFIRST:.+]] = arith.cmpi eq, %[[WAVECOPY]], %c0_i32
// CHECK: %[[FIRST:.+]] = arith.andi %[[LANEFIRST]], %[[WAVEFIRST]]
// CHECK: scf.if %[[FIRST]] {
// CHECK: llvm.store {{.*}} : vector<2xi32>, !llvm.ptr<3>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @copies_are_stored_once(%v: f32) waves(2) {
  %c0 = arith.constant 0 : index
  %t = tile.splat %v : f32 -> tensor<64xf32, #copies>
  %b = tile.alloc at 0 : !tile.local<64xf32, stages = 1, #line>
  tile.local_store %t, %b[%c0] : tensor<64xf32, #copies>, !tile.local<64xf32, stages = 1, #line>
  tile.return
}

// 2 waves copy 2 x 1024 bytes at once, so a tile of 64 x 64 bytes takes two instructions of each. The lane reads from memory what the
// ring's order puts at its 16 bytes: the swizzle is in the global address.
#deep = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], shape = [64, 64]>
#deeprows = #tile.linear<register = [[0, 1], [0, 2], [0, 4], [0, 8], [32, 0]], lane = [[0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], wave = [[16, 0]], shape = [64, 64], fragment = 16>
// CHECK-LABEL: llvm.func @copies_by_lds_dma(
// CHECK-DAG: %[[LDS:.+]] = llvm.mlir.addressof @copies_by_lds_dma.lds : !llvm.ptr<3>
// CHECK-DAG: %[[C16:.+]] = arith.constant 16 : i32
// CHECK: %[[LANE:.+]] = arith.andi %{{.+}}, %c63_i32
// CHECK: %[[WAVE:.+]] = rocdl.readfirstlane
// CHECK: %[[LD:.+]] = arith.trunci %arg2 : i64 to i32
// CHECK: %[[X:.+]] = rocdl.make.buffer.rsrc %arg0
// CHECK: %[[STAGE:.+]] = arith.remui %{{.+}}, %c2_i32
// CHECK: %[[BYTES:.+]] = arith.muli %[[STAGE]], %c4096_i32
// CHECK: %[[START:.+]] = arith.addi %[[BYTES]], %c8192_i32
// CHECK: %[[SHARE:.+]] = arith.muli %[[WAVE]], %c1024_i32
// CHECK: %[[TO:.+]] = arith.addi %[[START]], %[[SHARE]]
// CHECK: %[[LANEROW:.+]] = arith.shrui %{{.+}}, %c2_i32
// CHECK: %[[ONE:.+]] = arith.andi %[[WAVE]], %c1_i32
// CHECK: %[[WAVEROW:.+]] = arith.shli %[[ONE]], %c4_i32
// CHECK: %[[ROW:.+]] = arith.xori %[[LANEROW]], %[[WAVEROW]]
// CHECK: %[[DOWN:.+]] = arith.muli %[[ROW]], %[[LD]]
// CHECK: %[[LOW:.+]] = arith.andi %[[LANE]], %c3_i32
// CHECK: %[[CHUNK:.+]] = arith.shli %[[LOW]], %c4_i32
// CHECK: %[[ROWBITS:.+]] = arith.andi %[[LANE]], %c24_i32
// CHECK: %[[SWIZZLE:.+]] = arith.shli %[[ROWBITS]], %c1_i32
// CHECK: %[[COLUMN:.+]] = arith.xori %[[CHUNK]], %[[SWIZZLE]]
// CHECK: %[[FROM:.+]] = arith.addi %[[DOWN]], %{{.+}}
// CHECK: %[[P:.+]] = llvm.getelementptr %[[LDS]][%[[TO]]]
// CHECK: rocdl.raw.ptr.buffer.load.lds %[[X]], %[[P]], %[[C16]], %[[FROM]], %c0_i32, %c0_i32, %c0_i32 {alias_scopes = [#[[$DMA:.+]]]}
// CHECK: %[[TO2:.+]] = arith.addi %[[TO]], %c2048_i32
// CHECK: %[[LD32:.+]] = arith.muli %[[LD]], %c32_i32
// CHECK: %[[FROM2:.+]] = arith.addi %[[FROM]], %[[LD32]]
// CHECK: %[[P2:.+]] = llvm.getelementptr %[[LDS]][%[[TO2]]]
// CHECK: rocdl.raw.ptr.buffer.load.lds %[[X]], %[[P2]], %[[C16]], %[[FROM2]], {{.*}} {alias_scopes = [#[[$DMA]]]}
// CHECK-NOT: buffer.load.lds
// CHECK: rocdl.s.waitcnt 3952
//   What reads LDS by registers is told that copies write elsewhere, or LLVM would wait for all of them: tile.wait does.
// CHECK: llvm.load %{{.+}} {alignment = 16 : i64, noalias_scopes = [#[[$DMA]]]} : !llvm.ptr<3> -> vector<4xi32>
tile.kernel @copies_by_lds_dma(%x: !llvm.ptr<1>, %m: i32, %ld: i64, %i: i32) waves(2) {
  %c0 = arith.constant 0 : index
  %slot = arith.index_cast %i : i32 to index
  %M = arith.index_cast %m : i32 to index
  %X = tile.view %x sizes(%M) strides(%ld) : !tile.view<?x64xf8E4M3FN, vector = 16>
  %b = tile.alloc at 8192 : !tile.local<64x64xf8E4M3FN, stages = 2, #deep>
  tile.async_copy %X[%c0, %c0], %b[%slot] in_bounds [false, true] : !tile.view<?x64xf8E4M3FN, vector = 16>, !tile.local<64x64xf8E4M3FN, stages = 2, #deep>
  tile.wait copies(0)
  tile.barrier
  %t = tile.local_load %b[%slot] : !tile.local<64x64xf8E4M3FN, stages = 2, #deep> -> tensor<64x64xf8E4M3FN, #deeprows>
  tile.store %t, %X[%c0, %c0] : tensor<64x64xf8E4M3FN, #deeprows>, !tile.view<?x64xf8E4M3FN, vector = 16>
  tile.return
}

// CHECK-LABEL: llvm.func @wait_counts(
//   vmcnt in bits 3:0 and 15:14, expcnt 7 and lgkmcnt 15 are not waited for. 63 would not wait either: 63 and more is waited for as 62.
// CHECK: rocdl.s.waitcnt 3952
// CHECK-NEXT: rocdl.s.waitcnt 3957
// CHECK-NEXT: rocdl.s.waitcnt 20336
// CHECK-NEXT: rocdl.s.waitcnt 53118
// CHECK-NEXT: rocdl.s.waitcnt 53118
// CHECK-NEXT: llvm.return
tile.kernel @wait_counts() waves(1) {
  tile.wait copies(0)
  tile.wait copies(5)
  tile.wait copies(16)
  tile.wait copies(63)
  tile.wait copies(64)
  tile.return
}

// CHECK-LABEL: llvm.func @barrier_drains_lds_first(
//   lgkmcnt 0, vmcnt 63: copies may stay in flight over it.
// CHECK: rocdl.s.waitcnt 49279
// CHECK-NEXT: llvm.inline_asm has_side_effects "", "~{memory}"
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.return
tile.kernel @barrier_drains_lds_first() waves(4) {
  tile.barrier
  tile.return
}

// CHECK-LABEL: llvm.func @barrier_with_a_count(
//   lgkmcnt 3; 15 and more is no wait at all.
// CHECK: rocdl.s.waitcnt 50047
// CHECK-NEXT: llvm.inline_asm has_side_effects "", "~{memory}"
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.waitcnt 52863
// CHECK-NEXT: llvm.inline_asm
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.inline_asm
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.return
tile.kernel @barrier_with_a_count() waves(4) {
  tile.barrier local(3)
  tile.barrier local(14)
  tile.barrier local(15)
  tile.return
}

// Two rings and two slots with the same lane part share one pointer: only the constant differs. A place beyond the reach of the
// offset, 64 KiB, has a pointer of its own.
// CHECK-LABEL: llvm.func @places_share_a_pointer(
// CHECK: %[[LDS:.+]] = llvm.mlir.addressof
// CHECK: %[[NEAR:.+]] = llvm.inline_asm "", "=v,0" %{{.+}} : (!llvm.ptr<3>) -> !llvm.ptr<3>
// CHECK: %[[MOVED:.+]] = arith.addi %{{.+}}, %c65536_i32
// CHECK: %[[BEYOND:.+]] = llvm.getelementptr %[[LDS]][%[[MOVED]]]
// CHECK: %[[FAR:.+]] = llvm.inline_asm "", "=v,0" %[[BEYOND]]
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.load %[[NEAR]]
// CHECK: %[[SECOND:.+]] = llvm.getelementptr inbounds %[[NEAR]][1024]
// CHECK: llvm.load %[[SECOND]]
// CHECK: %[[OTHER:.+]] = llvm.getelementptr inbounds %[[NEAR]][4096]
// CHECK: llvm.load %[[OTHER]]
// CHECK: %[[LAST:.+]] = llvm.getelementptr inbounds %[[FAR]][1024]
// CHECK: llvm.load %[[LAST]]
tile.kernel @places_share_a_pointer(%y: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ld = arith.constant 64 : i64
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<16x64xf8E4M3FN, vector = 16>
  %b = tile.alloc at 0 : !tile.local<16x64xf8E4M3FN, stages = 2, #plain>
  %d = tile.alloc at 4096 : !tile.local<16x64xf8E4M3FN, stages = 1, #plain>
  %e = tile.alloc at 66560 : !tile.local<16x64xf8E4M3FN, stages = 1, #plain>
  %t = tile.local_load %b[%c0] : !tile.local<16x64xf8E4M3FN, stages = 2, #plain> -> tensor<16x64xf8E4M3FN, #rows>
  %u = tile.local_load %b[%c1] : !tile.local<16x64xf8E4M3FN, stages = 2, #plain> -> tensor<16x64xf8E4M3FN, #rows>
  %v = tile.local_load %d[%c0] : !tile.local<16x64xf8E4M3FN, stages = 1, #plain> -> tensor<16x64xf8E4M3FN, #rows>
  %w = tile.local_load %e[%c0] : !tile.local<16x64xf8E4M3FN, stages = 1, #plain> -> tensor<16x64xf8E4M3FN, #rows>
  tile.store %t, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x64xf8E4M3FN, #rows>, !tile.view<16x64xf8E4M3FN, vector = 16>
  tile.store %u, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x64xf8E4M3FN, #rows>, !tile.view<16x64xf8E4M3FN, vector = 16>
  tile.store %v, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x64xf8E4M3FN, #rows>, !tile.view<16x64xf8E4M3FN, vector = 16>
  tile.store %w, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x64xf8E4M3FN, #rows>, !tile.view<16x64xf8E4M3FN, vector = 16>
  tile.return
}
