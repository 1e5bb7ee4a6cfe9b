// RUN: lowp-opt %s --lanes-order-clusters | FileCheck %s
// The written order of instructions in clusters; LLVM keeps it because of the scheduling barriers.

// Six matrix instructions: the write comes behind the first, reads behind it, spread as the transfers are between those in front of the
// last two; before these stand the wait and the barrier. What feeds an access goes in front of it, what is computed from products
// behind all of them. What the cluster yields is handed on.
// CHECK-LABEL: llvm.func @interleave(
// CHECK-SAME: %[[A:[a-z0-9]+]]: vector<8xf16>, %[[C0:[a-z0-9]+]]: vector<4xf32>, %[[C1:[a-z0-9]+]]: vector<4xf32>,
// CHECK: rocdl.sched.barrier 0
// CHECK-NEXT: %[[P0:.+]] = amdgpu.mfma {{.*}} + %[[C0]]
// CHECK-NEXT: %[[TO:.+]] = llvm.getelementptr
// CHECK-NEXT: llvm.store %{{.+}}, %[[TO]]
// CHECK-NEXT: rocdl.raw.ptr.buffer.load.lds
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: %[[P1:.+]] = amdgpu.mfma {{.*}} + %[[C1]]
// CHECK-NEXT: %[[R0:.+]] = llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<3>
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: %[[P2:.+]] = amdgpu.mfma {{.*}} + %[[P0]]
// CHECK-NEXT: %[[AT:.+]] = llvm.getelementptr
// CHECK-NEXT: %[[R1:.+]] = llvm.load %[[AT]]
// CHECK-NEXT: rocdl.raw.ptr.buffer.load %
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: %[[P3:.+]] = amdgpu.mfma {{.*}} + %[[P1]]
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.waitcnt 3952
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: %[[P4:.+]] = amdgpu.mfma {{.*}} + %[[P2]]
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: %[[P5:.+]] = amdgpu.mfma {{.*}} + %[[P3]]
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[P4]], %[[P5]]
// CHECK-NOT: tile.
// CHECK: llvm.call @use(%[[R0]], %[[R1]], %[[SUM]])
llvm.func @use(vector<4xi32>, vector<4xi32>, vector<4xf32>)
llvm.func @interleave(%a: vector<8xf16>, %c0: vector<4xf32>, %c1: vector<4xf32>, %v: vector<4xi32>, %p: !llvm.ptr<3>, %q: !llvm.ptr<3>, %x: !llvm.ptr<8>) {
  %zero = arith.constant 0 : i32
  %width = arith.constant 16 : i32
  %r:3 = tile.cluster interleave -> vector<4xi32>, vector<4xi32>, vector<4xf32> {
    %to = llvm.getelementptr %q[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %at = llvm.getelementptr %p[32] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %l0 = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
    %l1 = llvm.load %at {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
    llvm.store %v, %to {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    rocdl.raw.ptr.buffer.load.lds %x, %q, %width, %zero, %zero, %zero, %zero
    %g = rocdl.raw.ptr.buffer.load %x, %zero, %zero, %zero : vector<4xi32>
    %p0 = amdgpu.mfma 16x16x32 %a * %a + %c0 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p1 = amdgpu.mfma 16x16x32 %a * %a + %c1 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p2 = amdgpu.mfma 16x16x32 %a * %a + %p0 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p3 = amdgpu.mfma 16x16x32 %a * %a + %p1 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p4 = amdgpu.mfma 16x16x32 %a * %a + %p2 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p5 = amdgpu.mfma 16x16x32 %a * %a + %p3 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %sum = arith.addf %p4, %p5 : vector<4xf32>
    rocdl.s.waitcnt 3952
    rocdl.s.barrier
    tile.yield %l0, %l1, %sum : vector<4xi32>, vector<4xi32>, vector<4xf32>
  }
  llvm.call @use(%r#0, %r#1, %r#2) : (vector<4xi32>, vector<4xi32>, vector<4xf32>) -> ()
  llvm.return
}

// Taking turns: reads, the write, transfers, each kind spread, and each transfer behind the write whose registers it may fill; then the
// wait and the barrier that stood before the first product, and the matrix instructions, of which the last two come behind the barrier at
// the end.
// CHECK-LABEL: llvm.func @pingpong(
// CHECK-SAME: %[[A:[a-z0-9]+]]: vector<8xf16>, %[[C0:[a-z0-9]+]]: vector<4xf32>, %[[C1:[a-z0-9]+]]: vector<4xf32>,
// CHECK: rocdl.sched.barrier 0
// CHECK-NEXT: %[[R0:.+]] = llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<3>
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.raw.ptr.buffer.load.lds
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: %[[AT:.+]] = llvm.getelementptr
// CHECK-NEXT: %[[R1:.+]] = llvm.load %[[AT]]
// CHECK-NEXT: %[[TO:.+]] = llvm.getelementptr
// CHECK-NEXT: llvm.store %{{.+}}, %[[TO]]
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.raw.ptr.buffer.load %
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.waitcnt 3952
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.setprio 1
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: %[[P0:.+]] = amdgpu.mfma {{.*}} + %[[C0]]
// CHECK-NEXT: %[[P1:.+]] = amdgpu.mfma {{.*}} + %[[C1]]
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.setprio 2
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: %[[P2:.+]] = amdgpu.mfma {{.*}} + %[[P0]]
// CHECK-NEXT: %[[P3:.+]] = amdgpu.mfma {{.*}} + %[[P1]]
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.setprio 0
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[P2]], %[[P3]]
// CHECK-NEXT: llvm.call @use(%[[R0]], %[[R1]], %[[SUM]])
llvm.func @pingpong(%a: vector<8xf16>, %c0: vector<4xf32>, %c1: vector<4xf32>, %v: vector<4xi32>, %p: !llvm.ptr<3>, %q: !llvm.ptr<3>, %x: !llvm.ptr<8>) {
  %zero = arith.constant 0 : i32
  %width = arith.constant 16 : i32
  %r:3 = tile.cluster pingpong -> vector<4xi32>, vector<4xi32>, vector<4xf32> {
    %to = llvm.getelementptr %q[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %at = llvm.getelementptr %p[32] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %l0 = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
    %l1 = llvm.load %at {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
    llvm.store %v, %to {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    rocdl.raw.ptr.buffer.load.lds %x, %q, %width, %zero, %zero, %zero, %zero
    %g = rocdl.raw.ptr.buffer.load %x, %zero, %zero, %zero : vector<4xi32>
    rocdl.s.waitcnt 3952
    rocdl.s.barrier
    %p0 = amdgpu.mfma 16x16x32 %a * %a + %c0 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p1 = amdgpu.mfma 16x16x32 %a * %a + %c1 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p2 = amdgpu.mfma 16x16x32 %a * %a + %p0 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p3 = amdgpu.mfma 16x16x32 %a * %a + %p1 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %sum = arith.addf %p2, %p3 : vector<4xf32>
    rocdl.s.barrier
    tile.yield %l0, %l1, %sum : vector<4xi32>, vector<4xi32>, vector<4xf32>
  }
  llvm.call @use(%r#0, %r#1, %r#2) : (vector<4xi32>, vector<4xi32>, vector<4xf32>) -> ()
  llvm.return
}

// Without products the order stays, each access fenced off from the next.
// CHECK-LABEL: llvm.func @without_products(
// CHECK: rocdl.sched.barrier 0
// CHECK-NEXT: %[[L:.+]] = llvm.load
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.store {{.*}} : vector<4x{{.*}}>, !llvm.ptr<3>
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.raw.ptr.buffer.load.lds
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.waitcnt 3952
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.return %[[L]]
llvm.func @without_products(%v: vector<4xi32>, %p: !llvm.ptr<3>, %q: !llvm.ptr<3>, %x: !llvm.ptr<8>) -> vector<4xi32> {
  %zero = arith.constant 0 : i32
  %width = arith.constant 16 : i32
  %r = tile.cluster interleave -> vector<4xi32> {
    %l = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
    llvm.store %v, %q {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    rocdl.raw.ptr.buffer.load.lds %x, %q, %width, %zero, %zero, %zero, %zero
    rocdl.s.waitcnt 3952
    rocdl.s.barrier
    tile.yield %l : vector<4xi32>
  }
  llvm.return %r : vector<4xi32>
}

// One product: the access comes behind it, and the barrier behind the access. A write that takes a product comes behind all of them.
// CHECK-LABEL: llvm.func @one_product(
// CHECK: amdgpu.mfma
// CHECK-NEXT: llvm.load
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.return
llvm.func @one_product(%a: vector<8xf16>, %c: vector<4xf32>, %p: !llvm.ptr<3>) -> vector<4xf32> {
  %r = tile.cluster interleave -> vector<4xf32> {
    %l = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
    %p0 = amdgpu.mfma 16x16x32 %a * %a + %c blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    rocdl.s.barrier
    tile.yield %p0 : vector<4xf32>
  }
  llvm.return %r : vector<4xf32>
}

// CHECK-LABEL: llvm.func @a_product_is_written(
// CHECK-COUNT-3: amdgpu.mfma
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: scf.if
// CHECK-NEXT: llvm.store {{.*}} : vector<4x{{.*}}>, !llvm.ptr<3>
// CHECK-NEXT: }
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.return
llvm.func @a_product_is_written(%a: vector<8xf16>, %c: vector<4xf32>, %p: !llvm.ptr<3>, %first: i1) -> vector<4xf32> {
  %r = tile.cluster interleave -> vector<4xf32> {
    %p0 = amdgpu.mfma 16x16x32 %a * %a + %c blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    scf.if %first {
      llvm.store %p0, %p {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
    }
    %p1 = amdgpu.mfma 16x16x32 %a * %a + %p0 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p2 = amdgpu.mfma 16x16x32 %a * %a + %p1 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    rocdl.s.barrier
    tile.yield %p2 : vector<4xf32>
  }
  llvm.return %r : vector<4xf32>
}

// More writes than there are products in front of the barrier: they share them, and no read slips behind the barrier, which counts
// the reads behind each write: none of them moves.
// CHECK-LABEL: llvm.func @many_writes(
// CHECK: amdgpu.mfma
// CHECK-NEXT: llvm.store {{.*}}{alignment = 16
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.store {{.*}}{alignment = 8
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: amdgpu.mfma
// CHECK-NEXT: llvm.store {{.*}}{alignment = 4
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.load {{.*}}{alignment = 16
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.load {{.*}}{alignment = 8
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: amdgpu.mfma
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: amdgpu.mfma
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: llvm.return
llvm.func @many_writes(%a: vector<8xf16>, %c: vector<4xf32>, %v: vector<4xi32>, %p: !llvm.ptr<3>, %q: !llvm.ptr<3>) -> vector<4xf32> {
  %r = tile.cluster interleave -> vector<4xf32> {
    llvm.store %v, %q {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    llvm.store %v, %q {alignment = 8 : i64} : vector<4xi32>, !llvm.ptr<3>
    llvm.store %v, %q {alignment = 4 : i64} : vector<4xi32>, !llvm.ptr<3>
    %l0 = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
    %l1 = llvm.load %p {alignment = 8 : i64} : !llvm.ptr<3> -> vector<4xi32>
    %p0 = amdgpu.mfma 16x16x32 %a * %a + %c blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p1 = amdgpu.mfma 16x16x32 %a * %a + %p0 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p2 = amdgpu.mfma 16x16x32 %a * %a + %p1 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    %p3 = amdgpu.mfma 16x16x32 %a * %a + %p2 blgp = none : vector<8xf16>, vector<8xf16>, vector<4xf32>
    rocdl.s.barrier
    tile.yield %p3 : vector<4xf32>
  }
  llvm.return %r : vector<4xf32>
}

// LLVM must not unroll a loop of clusters; others are its own business.
// CHECK-LABEL: llvm.func @loops(
// CHECK: scf.for
// CHECK-NOT: tile.
// CHECK: {llvm.loop_annotation = #[[$WHOLE:.+]]}
// CHECK: scf.for
// CHECK: }{{$}}
llvm.func @loops(%p: !llvm.ptr<3>, %v: vector<4xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  scf.for %i = %c0 to %c9 step %c1 : i32 {
    tile.cluster interleave {
      llvm.store %v, %p {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
      tile.yield
    }
  }
  scf.for %i = %c0 to %c9 step %c1 : i32 {
    llvm.store %v, %p {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
  }
  llvm.return
}
