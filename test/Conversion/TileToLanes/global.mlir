// RUN: lowp-opt %s --tile-to-lanes=target=gfx950 --canonicalize --cse | FileCheck %s

// Global memory: views, loads, stores. Each kernel shows the rule that it is named after.

// 8 registers of 4 bytes along memory and a promise of 16 bytes: two accesses of 16 bytes, the second by a constant offset.
#row16 = #tile.linear<register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 8], [0, 16]], wave = [], shape = [16, 32], fragment = 4>
// CHECK-LABEL: llvm.func @vectors_as_wide_as_promised(
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[C16:.+]] = arith.constant 16 : i32
// CHECK: %[[ID:.+]] = rocdl.workitem.id.x : i32
// CHECK: %[[LANE:.+]] = arith.andi %[[ID]], %c63_i32 : i32
// CHECK: %[[LD:.+]] = arith.trunci %arg3 : i64 to i32
// CHECK: %[[X:.+]] = rocdl.make.buffer.rsrc %arg0
// CHECK: %[[ROW:.+]] = arith.andi %[[LANE]], %c15_i32
// CHECK: %[[DOWN:.+]] = arith.muli %[[ROW]], %[[LD]]
// CHECK: %[[HIGH:.+]] = arith.andi %[[LANE]], %c48_i32
// CHECK: %[[COLUMN:.+]] = arith.shrui %[[HIGH]], %c1_i32
// CHECK: %[[BITS:.+]] = arith.muli %[[COLUMN]], %c32_i32
// CHECK: %[[BYTES:.+]] = arith.shrui %[[BITS]], %c3_i32
// CHECK: %[[AT:.+]] = arith.addi %[[DOWN]], %[[BYTES]]
// CHECK: rocdl.raw.ptr.buffer.load %[[X]], %[[AT]], %[[ZERO]], %[[ZERO]] : vector<4xi32>
// CHECK: %[[AT16:.+]] = arith.addi %[[AT]], %[[C16]]
// CHECK: rocdl.raw.ptr.buffer.load %[[X]], %[[AT16]], %[[ZERO]], %[[ZERO]] : vector<4xi32>
// CHECK-NOT: buffer.load
// CHECK: %[[Y:.+]] = rocdl.make.buffer.rsrc %arg1
// CHECK: rocdl.raw.ptr.buffer.store %{{.+}}, %[[Y]], %[[AT]], %[[ZERO]], %[[ZERO]] : vector<2xi32>
// CHECK: %[[AT8:.+]] = arith.addi %[[AT]], %c8_i32
// CHECK: rocdl.raw.ptr.buffer.store %{{.+}}, %[[Y]], %[[AT8]], {{.*}} : vector<2xi32>
// CHECK: rocdl.raw.ptr.buffer.store %{{.+}}, %[[Y]], %[[AT16]], {{.*}} : vector<2xi32>
// CHECK: %[[AT24:.+]] = arith.addi %[[AT]], %c24_i32
// CHECK: rocdl.raw.ptr.buffer.store %{{.+}}, %[[Y]], %[[AT24]], {{.*}} : vector<2xi32>
// CHECK-NEXT: llvm.return
tile.kernel @vectors_as_wide_as_promised(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %m: i32, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %M = arith.index_cast %m : i32 to index
  %X = tile.view %x sizes(%M) strides(%ld) : !tile.view<?x32xf32, vector = 16>
  %Y = tile.view %y sizes(%M) strides(%ld) : !tile.view<?x32xf32, vector = 8>
  %t = tile.load %X[%c0, %c0] in_bounds [false, true] : !tile.view<?x32xf32, vector = 16> -> tensor<16x32xf32, #row16>
  tile.store %t, %Y[%c0, %c0] in_bounds [false, true] : tensor<16x32xf32, #row16>, !tile.view<?x32xf32, vector = 8>
  tile.return
}

// Registers down the rows: nothing follows in memory, one access an element.
#down = #tile.linear<register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 4>
// CHECK-LABEL: llvm.func @one_element_across_memory(
// CHECK: %[[LD:.+]] = arith.trunci %arg2 : i64 to i32
// CHECK: %[[AT:.+]] = arith.addi
// CHECK: %[[X:.+]] = rocdl.make.buffer.rsrc %arg0
// CHECK: %[[E0:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[R0:[0-9]+]], %{{.+}}, %{{.+}} : i16
// CHECK: %[[R1:.+]] = arith.addi %[[R0]], %[[LD]] : i32
// CHECK: %[[E1:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[R1]], %{{.+}}, %{{.+}} : i16
// CHECK: %[[LD2:.+]] = arith.muli %[[LD]], %c2_i32
// CHECK: %[[R2:.+]] = arith.addi %[[R0]], %[[LD2]] : i32
// CHECK: %[[E2:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[R2]], %{{.+}}, %{{.+}} : i16
// CHECK: %[[LD3:.+]] = arith.muli %[[LD]], %c3_i32
// CHECK: %[[R3:.+]] = arith.addi %[[R0]], %[[LD3]] : i32
// CHECK: %[[E3:.+]] = rocdl.raw.ptr.buffer.load %[[X]], %[[R3]], %{{.+}}, %{{.+}} : i16
// CHECK: %[[V:.+]] = vector.from_elements %[[E0]], %[[E1]], %[[E2]], %[[E3]] : vector<4xi16>
// CHECK: %[[WORDS:.+]] = vector.bitcast %[[V]] : vector<4xi16> to vector<2xi32>
// CHECK: rocdl.raw.ptr.buffer.store %[[WORDS]], {{.*}} : vector<2xi32>
// CHECK-NOT: buffer.store
tile.kernel @one_element_across_memory(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x16xbf16, vector = 16>
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<16x16xbf16, vector = 16>
  %t = tile.load %X[%c0, %c0] in_bounds [true, true] : !tile.view<16x16xbf16, vector = 16> -> tensor<16x16xbf16, #down>
  tile.store %t, %Y[%c0, %c0] map affine_map<(i, j) -> (j, i)> in_bounds [true, true] : tensor<16x16xbf16, #down>, !tile.view<16x16xbf16, vector = 16>
  tile.return
}

// Rows beyond the view lie beyond the resource, which reaches to the ends of rows; columns beyond it are compared, and what fails goes
// to an offset out of range.
// CHECK-LABEL: llvm.func @rows_by_size_columns_by_comparison(
// CHECK-DAG: %[[BEYOND:.+]] = arith.constant -2147483648 : i32
// CHECK-DAG: %[[C16:.+]] = arith.constant 16 : i32
// CHECK: %[[START:.+]] = arith.muli %arg4, %c48_i64
// CHECK: %[[ROWS:.+]] = arith.subi %arg2, %c48_i32
// CHECK: %[[LD:.+]] = arith.trunci %arg4 : i64 to i32
// CHECK: %[[P:.+]] = llvm.getelementptr %arg0[%[[START]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK: %[[BYTES:.+]] = arith.muli %arg3, %c4_i32
// CHECK: %[[SOME:.+]] = arith.cmpi sgt, %[[ROWS]], %c0_i32
// CHECK: %[[LAST:.+]] = arith.subi %arg2, %c49_i32
// CHECK: %[[UPTO:.+]] = arith.minsi %[[LAST]], %c15_i32
// CHECK: %[[SPAN:.+]] = arith.muli %[[UPTO]], %[[LD]]
// CHECK: %[[ALL:.+]] = arith.addi %[[BYTES]], %[[SPAN]]
// CHECK: %[[SIZE:.+]] = arith.select %[[SOME]], %[[ALL]], %c0_i32
// CHECK: %[[RECORDS:.+]] = arith.extui %[[SIZE]] : i32 to i64
// CHECK: %[[X:.+]] = rocdl.make.buffer.rsrc %[[P]], %{{.+}}, %[[RECORDS]], %{{.+}}
// CHECK: %[[COLUMN:.+]] = arith.shrui
// CHECK: %[[IN:.+]] = arith.cmpi slt, %[[COLUMN]], %arg3
// CHECK: %[[AT:.+]] = arith.addi
// CHECK: %[[MASKED:.+]] = arith.select %[[IN]], %[[AT]], %[[BEYOND]]
// CHECK: rocdl.raw.ptr.buffer.load %[[X]], %[[MASKED]]
// CHECK: %[[COLUMN4:.+]] = arith.addi %[[COLUMN]], %c4_i32
// CHECK: %[[IN4:.+]] = arith.cmpi slt, %[[COLUMN4]], %arg3
// CHECK: %[[AT16:.+]] = arith.addi %[[AT]], %[[C16]]
// CHECK: %[[MASKED4:.+]] = arith.select %[[IN4]], %[[AT16]], %[[BEYOND]]
// CHECK: rocdl.raw.ptr.buffer.load %[[X]], %[[MASKED4]]
// CHECK: %[[LEFT:.+]] = arith.subi %arg3, %c48_i32
// CHECK: llvm.getelementptr %arg1[192]
// CHECK: %[[STOREIN:.+]] = arith.cmpi slt, %[[COLUMN]], %[[LEFT]]
// CHECK: %[[STOREAT:.+]] = arith.select %[[STOREIN]], %[[AT]], %[[BEYOND]]
// CHECK: rocdl.raw.ptr.buffer.store %{{.+}}, %{{.+}}, %[[STOREAT]]
tile.kernel @rows_by_size_columns_by_comparison(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %m: i32, %n: i32, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %M = arith.index_cast %m : i32 to index
  %N = arith.index_cast %n : i32 to index
  %X = tile.view %x sizes(%M, %N) strides(%ld) : !tile.view<?x?xf32, vector = 16>
  %t = tile.load %X[%c48, %c0] : !tile.view<?x?xf32, vector = 16> -> tensor<16x32xf32, #row16>
  %Y = tile.view %y sizes(%M, %N) strides(%ld) : !tile.view<?x?xf32, vector = 16>
  tile.store %t, %Y[%c0, %c48] : tensor<16x32xf32, #row16>, !tile.view<?x?xf32, vector = 16>
  tile.return
}

// Of two strided dimensions that vary the outer one is compared too.
#cube = #tile.linear<register = [[0, 0, 1], [0, 0, 2], [1, 0, 0]], lane = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 0, 4], [0, 0, 8], [2, 0, 0]], wave = [], shape = [4, 8, 16], fragment = 4>
// CHECK-LABEL: llvm.func @outer_dimensions_by_comparison(
// CHECK-DAG: %[[BEYOND:.+]] = arith.constant -2147483648 : i32
// CHECK: %[[LDB:.+]] = arith.trunci %arg4
// CHECK: %[[LD:.+]] = arith.trunci %arg5
// CHECK: %[[SOMEB:.+]] = arith.cmpi sgt, %arg2, %c0_i32
// CHECK: %[[OUTER:.+]] = arith.muli %[[LDB]], %c3_i32
// CHECK: %[[FIXED:.+]] = arith.addi %[[OUTER]], %c64_i32
// CHECK: %[[SOMEM:.+]] = arith.cmpi sgt, %arg3, %c0_i32
// CHECK: %[[SOME:.+]] = arith.andi %[[SOMEB]], %[[SOMEM]]
// CHECK: %[[LAST:.+]] = arith.subi %arg3, %c1_i32
// CHECK: %[[UPTO:.+]] = arith.minsi %[[LAST]], %c7_i32
// CHECK: %[[ROWS:.+]] = arith.muli %[[UPTO]], %[[LD]]
// CHECK: %[[ALL:.+]] = arith.addi %[[FIXED]], %[[ROWS]]
// CHECK: %[[SIZE:.+]] = arith.select %[[SOME]], %[[ALL]], %c0_i32
// CHECK: %[[RECORDS:.+]] = arith.extui %[[SIZE]]
// CHECK: %[[X:.+]] = rocdl.make.buffer.rsrc %arg0, %{{.+}}, %[[RECORDS]], %{{.+}}
// CHECK: %[[B:.+]] = arith.shrui
// CHECK: %[[IN:.+]] = arith.cmpi slt, %[[B]], %arg2
// CHECK: %[[AT:.+]] = arith.select %[[IN]], %{{.+}}, %[[BEYOND]]
// CHECK: rocdl.raw.ptr.buffer.load %[[X]], %[[AT]]
// CHECK: %[[B1:.+]] = arith.addi %[[B]], %c1_i32
// CHECK: %[[IN1:.+]] = arith.cmpi slt, %[[B1]], %arg2
// CHECK: %[[AT1:.+]] = arith.select %[[IN1]], %{{.+}}, %[[BEYOND]]
// CHECK: rocdl.raw.ptr.buffer.load %[[X]], %[[AT1]]
// CHECK-NOT: arith.cmpi
// CHECK: llvm.return
tile.kernel @outer_dimensions_by_comparison(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %b: i32, %m: i32, %ldb: i64, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %B = arith.index_cast %b : i32 to index
  %M = arith.index_cast %m : i32 to index
  %X = tile.view %x sizes(%B, %M) strides(%ldb, %ld) : !tile.view<?x?x16xf32, vector = 16>
  %Y = tile.view %y sizes() strides(%ldb, %ld) : !tile.view<4x8x16xf32, vector = 16>
  %t = tile.load %X[%c0, %c0, %c0] in_bounds [false, false, true] : !tile.view<?x?x16xf32, vector = 16> -> tensor<4x8x16xf32, #cube>
  tile.store %t, %Y[%c0, %c0, %c0] in_bounds [true, true, true] : tensor<4x8x16xf32, #cube>, !tile.view<4x8x16xf32, vector = 16>
  tile.return
}

// A map that ignores the rows: 2 registers of 2 rows share one place and are loaded once.
#pairs = #tile.linear<register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4], [0, 8], [2, 0], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 2>
// CHECK-LABEL: llvm.func @shared_places_are_loaded_once(
// CHECK: %[[T:.+]] = rocdl.raw.ptr.buffer.load {{.*}} : vector<2xi32>
// CHECK-NOT: buffer.load
// CHECK: rocdl.raw.ptr.buffer.store %[[T]], %[[Y:.+]], %[[AT:[0-9]+]], {{.*}} : vector<2xi32>
// CHECK: %[[BELOW:.+]] = arith.addi %[[AT]], %c64_i32
// CHECK: rocdl.raw.ptr.buffer.store %[[T]], %[[Y]], %[[BELOW]], {{.*}} : vector<2xi32>
// CHECK-NEXT: llvm.return
tile.kernel @shared_places_are_loaded_once(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i32) waves(1) {
  %c0 = arith.constant 0 : index
  %N = arith.index_cast %n : i32 to index
  %ld = arith.constant 64 : i64
  %X = tile.view %x sizes(%N) strides() : !tile.view<?xf32, vector = 8>
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<16x16xf32, vector = 8>
  %t = tile.load %X[%c0] map affine_map<(i, j) -> (j)> : !tile.view<?xf32, vector = 8> -> tensor<16x16xf32, #pairs>
  tile.store %t, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x16xf32, #pairs>, !tile.view<16x16xf32, vector = 8>
  tile.return
}

// Lanes 32 to 63, waves 1 and 3, and registers 2 and 3 hold copies: one lane stores, once.
#copies = #tile.linear<register = [[1], [0]], lane = [[2], [4], [8], [16], [32], [0]], wave = [[0], [64]], shape = [128], fragment = 2>
// CHECK-LABEL: llvm.func @copies_are_stored_once(
// CHECK: %[[BEYOND:.+]] = arith.constant -2147483648 : i32
// CHECK: %[[ID:.+]] = rocdl.workitem.id.x
// CHECK: %[[LANE:.+]] = arith.andi %[[ID]], %c63_i32
// CHECK: %[[SHIFTED:.+]] = arith.shrui %[[ID]], %c6_i32
// CHECK: %[[WAVE:.+]] = rocdl.readfirstlane %[[SHIFTED]]
// CHECK: %[[LANECOPY:.+]] = arith.andi %[[LANE]], %c32_i32
// CHECK: %[[LANEFIRST:.+]] = arith.cmpi eq, %[[LANECOPY]], %c0_i32
// CHECK: %[[WAVECOPY:.+]] = arith.andi %[[WAVE]], %c1_i32
// CHECK: %[[WAVEFIRST:.+]] = arith.cmpi eq, %[[WAVECOPY]], %c0_i32
// CHECK: %[[FIRST:.+]] = arith.andi %[[LANEFIRST]], %[[WAVEFIRST]]
// CHECK: %[[AT:.+]] = arith.select %[[FIRST]], %{{.+}}, %[[BEYOND]]
// CHECK: rocdl.raw.ptr.buffer.store %{{.+}}, %{{.+}}, %[[AT]], {{.*}} : vector<2xi32>
// CHECK-NEXT: llvm.return
tile.kernel @copies_are_stored_once(%y: !llvm.ptr<1>, %v: f32) waves(4) {
  %c0 = arith.constant 0 : index
  %Y = tile.view %y sizes() strides() : !tile.view<128xf32, vector = 8>
  %t = tile.splat %v : f32 -> tensor<128xf32, #copies>
  tile.store %t, %Y[%c0] in_bounds [true] : tensor<128xf32, #copies>, !tile.view<128xf32, vector = 8>
  tile.return
}

// No dimensions: one element, whatever the tile.
#flat = #tile.linear<register = [[1]], lane = [[2], [4], [8], [16], [32], [64]], wave = [], shape = [128], fragment = 2>
// CHECK-LABEL: llvm.func @a_scalar_in_memory(
// CHECK: %[[S:.+]] = rocdl.make.buffer.rsrc %arg0, %{{.+}}, %c4_i64, %{{.+}}
// CHECK: %[[V:.+]] = rocdl.raw.ptr.buffer.load %[[S]], %c0_i32, %c0_i32, %c0_i32 : i32
// CHECK: %[[T:.+]] = vector.broadcast %[[V]] : i32 to vector<2xi32>
// CHECK: rocdl.raw.ptr.buffer.store %[[T]]
tile.kernel @a_scalar_in_memory(%s: !llvm.ptr<1>, %y: !llvm.ptr<1>) waves(1) {
  %c0 = arith.constant 0 : index
  %S = tile.view %s sizes() strides() : !tile.view<f32, vector = 4>
  %Y = tile.view %y sizes() strides() : !tile.view<128xf32, vector = 8>
  %t = tile.load %S[] map affine_map<(i) -> ()> : !tile.view<f32, vector = 4> -> tensor<128xf32, #flat>
  tile.store %t, %Y[%c0] in_bounds [true] : tensor<128xf32, #flat>, !tile.view<128xf32, vector = 8>
  tile.return
}

// 4-bit elements: 32 of them are 16 bytes, offsets are halved. A load's place within the rows, known to be inside them, is the scalar
// offset, and the resource reaches to the end of the last row; a store has it in the resource's base.
#nibbles = #tile.linear<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32], [0, 64]], wave = [], shape = [16, 128], fragment = 32>
// CHECK-LABEL: llvm.func @elements_of_half_a_byte(
// CHECK: %[[SIZE:.+]] = arith.addi %{{.+}}, %c128_i32
// CHECK: %[[WIDE:.+]] = arith.extui %[[SIZE]]
// CHECK: %[[X:.+]] = rocdl.make.buffer.rsrc %arg0, %{{.+}}, %[[WIDE]],
// CHECK: %[[COLUMN:.+]] = arith.shli %{{.+}}, %c1_i32
// CHECK: %[[BITS:.+]] = arith.muli %[[COLUMN]], %c4_i32
// CHECK: %[[BYTES:.+]] = arith.shrui %[[BITS]], %c3_i32
// CHECK: %[[FROM:.+]] = arith.addi %{{.+}}, %[[BYTES]]
// CHECK: rocdl.raw.ptr.buffer.load %[[X]], %[[FROM]], %c32_i32, %c0_i32 : vector<4xi32>
// CHECK-NOT: buffer.load
// CHECK: %[[Q:.+]] = llvm.getelementptr %arg1[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
// CHECK: %[[LEFT:.+]] = arith.addi %{{.+}}, %c64_i32
// CHECK: %[[WIDELEFT:.+]] = arith.extui %[[LEFT]]
// CHECK: %[[Y:.+]] = rocdl.make.buffer.rsrc %[[Q]], %{{.+}}, %[[WIDELEFT]],
// CHECK: rocdl.raw.ptr.buffer.store %{{.+}}, %[[Y]], %[[FROM]], %c0_i32, %c0_i32 : vector<4xi32>
// CHECK-NEXT: llvm.return
tile.kernel @elements_of_half_a_byte(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x256xf4E2M1FN, vector = 16>
  %t = tile.load %X[%c0, %c64] in_bounds [true, true] : !tile.view<16x256xf4E2M1FN, vector = 16> -> tensor<16x128xf4E2M1FN, #nibbles>
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<16x256xf4E2M1FN, vector = 16>
  tile.store %t, %Y[%c0, %c64] in_bounds [true, true] : tensor<16x128xf4E2M1FN, #nibbles>, !tile.view<16x256xf4E2M1FN, vector = 16>
  tile.return
}

// A load's place in its rows is the scalar offset, at most their ends: the hardware subtracts it from the resource's size. Columns beyond
// the view are compared as before.
// CHECK-LABEL: llvm.func @place_in_rows_is_the_scalar_offset(
// CHECK: %[[AT:.+]] = arith.minui %arg3, %arg2 : i32
// CHECK: %[[PLACE:.+]] = arith.muli %[[AT]], %c4_i32
// CHECK: %[[LEFT:.+]] = arith.subi %arg2, %arg3 : i32
// CHECK: %[[ROW:.+]] = arith.muli %arg2, %c4_i32
// CHECK: %[[X:.+]] = rocdl.make.buffer.rsrc %arg0,
// CHECK: arith.cmpi slt, %{{.+}}, %[[LEFT]]
// CHECK: rocdl.raw.ptr.buffer.load %[[X]], %{{.+}}, %[[PLACE]],
tile.kernel @place_in_rows_is_the_scalar_offset(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %ni: i32, %ki: i32, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %n = arith.index_cast %ni : i32 to index
  %k = arith.index_cast %ki : i32 to index
  %X = tile.view %x sizes(%n) strides(%ld) : !tile.view<16x?xf32, vector = 16>
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<16x32xf32, vector = 16>
  %t = tile.load %X[%c0, %k] in_bounds [true, false] : !tile.view<16x?xf32, vector = 16> -> tensor<16x32xf32, #row16>
  tile.store %t, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x32xf32, #row16>, !tile.view<16x32xf32, vector = 16>
  tile.return
}

// A load that refills registers: only address arithmetic passes it.
// CHECK-LABEL: llvm.func @refills_stay(
// CHECK: rocdl.raw.ptr.buffer.load
// CHECK-NOT: rocdl.sched.barrier
// CHECK: rocdl.raw.ptr.buffer.store
// CHECK: rocdl.sched.barrier 6
// CHECK-COUNT-2: rocdl.raw.ptr.buffer.load
// CHECK: rocdl.sched.barrier 6
tile.kernel @refills_stay(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %ld: i64) waves(1) {
  %c0 = arith.constant 0 : index
  %X = tile.view %x sizes() strides(%ld) : !tile.view<16x32xf32, vector = 16>
  %Y = tile.view %y sizes() strides(%ld) : !tile.view<16x32xf32, vector = 16>
  %s = tile.load %Y[%c0, %c0] in_bounds [true, true] : !tile.view<16x32xf32, vector = 16> -> tensor<16x32xf32, #row16>
  tile.store %s, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x32xf32, #row16>, !tile.view<16x32xf32, vector = 16>
  %t = tile.load %X[%c0, %c0] in_bounds [true, true] {tile.refill} : !tile.view<16x32xf32, vector = 16> -> tensor<16x32xf32, #row16>
  tile.store %t, %Y[%c0, %c0] in_bounds [true, true] : tensor<16x32xf32, #row16>, !tile.view<16x32xf32, vector = 16>
  tile.return
}
