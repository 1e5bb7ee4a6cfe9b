// RUN: lowp-opt %s --lanes-order-by-demand | FileCheck %s

// Results on their way through LDS: behind the last loop each store to LDS has its computation in front of it, and loads from LDS go to the
// stores that need them. In front of the loop, accesses of LDS stay where they are.
// CHECK-LABEL: llvm.func @throughLds
// CHECK: llvm.store %{{.*}}, %[[P:.+]] : i32, !llvm.ptr<3>
// CHECK-NEXT: %[[X:.+]] = llvm.load %[[P]]
// CHECK-NEXT: %[[Y:.+]] = llvm.load %[[P]]
// CHECK-NEXT: arith.addi %[[X]]
// CHECK-NEXT: rocdl.raw.ptr.buffer.store
// CHECK-NEXT: arith.addi %[[Y]]
// CHECK: scf.for
// CHECK: %[[Z:.+]] = llvm.load %[[P]]
// CHECK-NEXT: rocdl.raw.ptr.buffer.store %[[Z]]
// CHECK-NEXT: %[[A:.+]] = arith.muli
// CHECK-NEXT: llvm.store %[[A]]
// CHECK-NEXT: %[[B:.+]] = arith.muli
// CHECK-NEXT: llvm.store %[[B]]
// CHECK-NEXT: rocdl.s.barrier
llvm.func @throughLds(%d: !llvm.ptr<1>, %p: !llvm.ptr<3>, %q: !llvm.ptr<3>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %stride = arith.constant 0 : i16
  %bytes = arith.constant 4096 : i64
  %flags = arith.constant 159744 : i32
  %D = rocdl.make.buffer.rsrc %d, %stride, %bytes, %flags : !llvm.ptr<1> to <8>
  llvm.store %v, %p : i32, !llvm.ptr<3>
  %x = llvm.load %p : !llvm.ptr<3> -> i32
  %y = llvm.load %p : !llvm.ptr<3> -> i32
  %x2 = arith.addi %x, %x : i32
  %y2 = arith.addi %y, %y : i32
  rocdl.raw.ptr.buffer.store %x2, %D, %zero, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y2, %D, %zero, %zero, %zero : i32
  scf.for %i = %c0 to %c1 step %c1 {
    rocdl.s.barrier
  }
  %z = llvm.load %p : !llvm.ptr<3> -> i32
  %a = arith.muli %v, %v : i32
  %b = arith.muli %v, %x : i32
  rocdl.raw.ptr.buffer.store %z, %D, %zero, %zero, %zero : i32
  llvm.store %a, %q : i32, !llvm.ptr<3>
  llvm.store %b, %q : i32, !llvm.ptr<3>
  rocdl.s.barrier
  llvm.return
}

// The loads of eight stores come together, then those stores; the ninth load waits until then.
// CHECK-LABEL: llvm.func @eightAtATime
// CHECK-COUNT-8: rocdl.raw.ptr.buffer.load
// CHECK-NOT: rocdl.raw.ptr.buffer.load
// CHECK-COUNT-8: rocdl.raw.ptr.buffer.store
// CHECK-NOT: rocdl.raw.ptr.buffer.store
// CHECK: rocdl.raw.ptr.buffer.load
// CHECK: rocdl.raw.ptr.buffer.store
llvm.func @eightAtATime(%a: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %d: !llvm.ptr<1>) {
  %zero = arith.constant 0 : i32
  %stride = arith.constant 0 : i16
  %bytes = arith.constant 4096 : i64
  %flags = arith.constant 159744 : i32
  %A = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr<1> to <8>
  %D = rocdl.make.buffer.rsrc %d, %stride, %bytes, %flags : !llvm.ptr<1> to <8>
  %o0 = arith.constant 4 : i32
  %x0 = rocdl.raw.ptr.buffer.load %A, %o0, %zero, %zero : i32
  %o1 = arith.constant 8 : i32
  %x1 = rocdl.raw.ptr.buffer.load %A, %o1, %zero, %zero : i32
  %o2 = arith.constant 12 : i32
  %x2 = rocdl.raw.ptr.buffer.load %A, %o2, %zero, %zero : i32
  %o3 = arith.constant 16 : i32
  %x3 = rocdl.raw.ptr.buffer.load %A, %o3, %zero, %zero : i32
  %o4 = arith.constant 20 : i32
  %x4 = rocdl.raw.ptr.buffer.load %A, %o4, %zero, %zero : i32
  %o5 = arith.constant 24 : i32
  %x5 = rocdl.raw.ptr.buffer.load %A, %o5, %zero, %zero : i32
  %o6 = arith.constant 28 : i32
  %x6 = rocdl.raw.ptr.buffer.load %A, %o6, %zero, %zero : i32
  %o7 = arith.constant 32 : i32
  %x7 = rocdl.raw.ptr.buffer.load %A, %o7, %zero, %zero : i32
  %o8 = arith.constant 36 : i32
  %x8 = rocdl.raw.ptr.buffer.load %A, %o8, %zero, %zero : i32
  %y0 = arith.addi %x0, %x0 : i32
  %y1 = arith.addi %x1, %x1 : i32
  %y2 = arith.addi %x2, %x2 : i32
  %y3 = arith.addi %x3, %x3 : i32
  %y4 = arith.addi %x4, %x4 : i32
  %y5 = arith.addi %x5, %x5 : i32
  %y6 = arith.addi %x6, %x6 : i32
  %y7 = arith.addi %x7, %x7 : i32
  %y8 = arith.addi %x8, %x8 : i32
  rocdl.raw.ptr.buffer.store %y0, %D, %o0, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y1, %D, %o1, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y2, %D, %o2, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y3, %D, %o3, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y4, %D, %o4, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y5, %D, %o5, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y6, %D, %o6, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y7, %D, %o7, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y8, %D, %o8, %zero, %zero : i32
  llvm.return
}

// A load of memory that may be written stays where it is.
// CHECK-LABEL: llvm.func @otherLoadsStay
// CHECK-COUNT-9: rocdl.raw.ptr.buffer.load
// CHECK-NOT: rocdl.raw.ptr.buffer.load
// CHECK-COUNT-9: rocdl.raw.ptr.buffer.store
llvm.func @otherLoadsStay(%a: !llvm.ptr<1> {llvm.noalias}, %d: !llvm.ptr<1>) {
  %zero = arith.constant 0 : i32
  %stride = arith.constant 0 : i16
  %bytes = arith.constant 4096 : i64
  %flags = arith.constant 159744 : i32
  %A = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr<1> to <8>
  %D = rocdl.make.buffer.rsrc %d, %stride, %bytes, %flags : !llvm.ptr<1> to <8>
  %o0 = arith.constant 4 : i32
  %x0 = rocdl.raw.ptr.buffer.load %A, %o0, %zero, %zero : i32
  %o1 = arith.constant 8 : i32
  %x1 = rocdl.raw.ptr.buffer.load %A, %o1, %zero, %zero : i32
  %o2 = arith.constant 12 : i32
  %x2 = rocdl.raw.ptr.buffer.load %A, %o2, %zero, %zero : i32
  %o3 = arith.constant 16 : i32
  %x3 = rocdl.raw.ptr.buffer.load %A, %o3, %zero, %zero : i32
  %o4 = arith.constant 20 : i32
  %x4 = rocdl.raw.ptr.buffer.load %A, %o4, %zero, %zero : i32
  %o5 = arith.constant 24 : i32
  %x5 = rocdl.raw.ptr.buffer.load %A, %o5, %zero, %zero : i32
  %o6 = arith.constant 28 : i32
  %x6 = rocdl.raw.ptr.buffer.load %A, %o6, %zero, %zero : i32
  %o7 = arith.constant 32 : i32
  %x7 = rocdl.raw.ptr.buffer.load %A, %o7, %zero, %zero : i32
  %o8 = arith.constant 36 : i32
  %x8 = rocdl.raw.ptr.buffer.load %A, %o8, %zero, %zero : i32
  %y0 = arith.addi %x0, %x0 : i32
  %y1 = arith.addi %x1, %x1 : i32
  %y2 = arith.addi %x2, %x2 : i32
  %y3 = arith.addi %x3, %x3 : i32
  %y4 = arith.addi %x4, %x4 : i32
  %y5 = arith.addi %x5, %x5 : i32
  %y6 = arith.addi %x6, %x6 : i32
  %y7 = arith.addi %x7, %x7 : i32
  %y8 = arith.addi %x8, %x8 : i32
  rocdl.raw.ptr.buffer.store %y0, %D, %o0, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y1, %D, %o1, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y2, %D, %o2, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y3, %D, %o3, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y4, %D, %o4, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y5, %D, %o5, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y6, %D, %o6, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y7, %D, %o7, %zero, %zero : i32
  rocdl.raw.ptr.buffer.store %y8, %D, %o8, %zero, %zero : i32
  llvm.return
}
