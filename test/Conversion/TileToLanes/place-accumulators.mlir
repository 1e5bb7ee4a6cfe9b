// RUN: lowp-opt %s --lanes-place-accumulators=target=gfx950 | FileCheck %s
// RUN: not lowp-opt %s --lanes-place-accumulators 2>&1 | FileCheck %s --check-prefix=NONE
// Sums in accumulation registers: where they are half of a wave's registers (here of 128, 16 waves share 4 SIMDs) and where nothing but
// two products at most touches them in a trip. Elsewhere nothing changes.
// NONE: error: unknown target ''; accepted are gfx942, gfx950

// CHECK-LABEL: llvm.func @pinned(
// CHECK-SAME: %[[A:[a-z0-9]+]]: vector<8xf16>, %[[ZERO:[a-z0-9]+]]: vector<16xf32>
// CHECK-SAME: ["amdgpu-waves-per-eu", "4"], ["amdgpu-agpr-alloc", "64"]
// CHECK: %[[I0:.+]] = llvm.inline_asm "", "=a,0" %[[ZERO]] : (vector<16xf32>) -> vector<16xf32>
// CHECK: %[[I1:.+]] = llvm.inline_asm "", "=a,0" %[[ZERO]] : (vector<16xf32>) -> vector<16xf32>
// CHECK: %[[I2:.+]] = llvm.inline_asm "", "=a,0" %[[ZERO]] : (vector<16xf32>) -> vector<16xf32>
// CHECK: %[[I3:.+]] = llvm.inline_asm "", "=a,0" %[[ZERO]] : (vector<16xf32>) -> vector<16xf32>
// CHECK-NEXT: %[[R:.+]]:4 = scf.for {{.*}} iter_args(%{{.+}} = %[[I0]], %{{.+}} = %[[I1]], %{{.+}} = %[[I2]], %{{.+}} = %[[I3]])
// CHECK-NOT: llvm.inline_asm
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: %[[O0:.+]] = llvm.inline_asm "", "=a,0" %[[R]]#0
// CHECK-NEXT: %[[O1:.+]] = llvm.inline_asm "", "=a,0" %[[R]]#1
// CHECK-NEXT: %[[O2:.+]] = llvm.inline_asm "", "=a,0" %[[R]]#2
// CHECK-NEXT: %[[O3:.+]] = llvm.inline_asm "", "=a,0" %[[R]]#3
// CHECK-NEXT: llvm.store %[[O0]]
// CHECK-NEXT: llvm.store %[[O1]]
// CHECK-NEXT: llvm.store %[[O2]]
// CHECK-NEXT: llvm.store %[[O3]]
llvm.func @pinned(%a: vector<8xf16>, %zero: vector<16xf32>, %n: i32, %o: !llvm.ptr<3>)
    attributes {passthrough = [["amdgpu-waves-per-eu", "4"], ["amdgpu-agpr-alloc", "0"]], rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) : i32 {
    %p00 = amdgpu.mfma 32x32x16 %a * %a + %s0 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p01 = amdgpu.mfma 32x32x16 %a * %a + %p00 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p10 = amdgpu.mfma 32x32x16 %a * %a + %s1 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p11 = amdgpu.mfma 32x32x16 %a * %a + %p10 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p20 = amdgpu.mfma 32x32x16 %a * %a + %s2 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p30 = amdgpu.mfma 32x32x16 %a * %a + %s3 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p31 = amdgpu.mfma 32x32x16 %a * %a + %p30 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    scf.yield %p01, %p11, %p20, %p31 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  llvm.store %r#0, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#1, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#2, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#3, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.return
}

// Three products in a row would be copied.
// CHECK-LABEL: llvm.func @three_in_a_row(
// CHECK-SAME: ["amdgpu-agpr-alloc", "0"]
// CHECK-NOT: inline_asm
// CHECK: llvm.return
llvm.func @three_in_a_row(%a: vector<8xf16>, %zero: vector<16xf32>, %n: i32, %o: !llvm.ptr<3>)
    attributes {passthrough = [["amdgpu-waves-per-eu", "4"], ["amdgpu-agpr-alloc", "0"]], rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) : i32 {
    %p00 = amdgpu.mfma 32x32x16 %a * %a + %s0 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p01 = amdgpu.mfma 32x32x16 %a * %a + %p00 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p10 = amdgpu.mfma 32x32x16 %a * %a + %s1 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p11 = amdgpu.mfma 32x32x16 %a * %a + %p10 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p20 = amdgpu.mfma 32x32x16 %a * %a + %s2 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p21 = amdgpu.mfma 32x32x16 %a * %a + %p20 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p22 = amdgpu.mfma 32x32x16 %a * %a + %p21 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p30 = amdgpu.mfma 32x32x16 %a * %a + %s3 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p31 = amdgpu.mfma 32x32x16 %a * %a + %p30 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    scf.yield %p01, %p11, %p22, %p31 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  llvm.store %r#0, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#1, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#2, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#3, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.return
}

// 48 registers are less than half.
// CHECK-LABEL: llvm.func @few_sums(
// CHECK-SAME: ["amdgpu-agpr-alloc", "0"]
// CHECK-NOT: inline_asm
// CHECK: llvm.return
llvm.func @few_sums(%a: vector<8xf16>, %zero: vector<16xf32>, %n: i32, %o: !llvm.ptr<3>)
    attributes {passthrough = [["amdgpu-waves-per-eu", "4"], ["amdgpu-agpr-alloc", "0"]], rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) : i32 {
    %p00 = amdgpu.mfma 32x32x16 %a * %a + %s0 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p01 = amdgpu.mfma 32x32x16 %a * %a + %p00 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p10 = amdgpu.mfma 32x32x16 %a * %a + %s1 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p11 = amdgpu.mfma 32x32x16 %a * %a + %p10 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p20 = amdgpu.mfma 32x32x16 %a * %a + %s2 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p21 = amdgpu.mfma 32x32x16 %a * %a + %p20 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    scf.yield %p01, %p11, %p21 : vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  llvm.store %r#0, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#1, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#2, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.return
}

// Eight waves have 256 registers each.
// CHECK-LABEL: llvm.func @fewer_waves(
// CHECK-SAME: ["amdgpu-agpr-alloc", "0"]
// CHECK-NOT: inline_asm
// CHECK: llvm.return
llvm.func @fewer_waves(%a: vector<8xf16>, %zero: vector<16xf32>, %n: i32, %o: !llvm.ptr<3>)
    attributes {passthrough = [["amdgpu-waves-per-eu", "4"], ["amdgpu-agpr-alloc", "0"]], rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 512, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) : i32 {
    %p00 = amdgpu.mfma 32x32x16 %a * %a + %s0 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p01 = amdgpu.mfma 32x32x16 %a * %a + %p00 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p10 = amdgpu.mfma 32x32x16 %a * %a + %s1 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p11 = amdgpu.mfma 32x32x16 %a * %a + %p10 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p20 = amdgpu.mfma 32x32x16 %a * %a + %s2 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p21 = amdgpu.mfma 32x32x16 %a * %a + %p20 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p30 = amdgpu.mfma 32x32x16 %a * %a + %s3 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p31 = amdgpu.mfma 32x32x16 %a * %a + %p30 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    scf.yield %p01, %p11, %p21, %p31 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  llvm.store %r#0, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#1, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#2, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#3, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.return
}

// What reads a sum in the loop takes it out of the accumulation registers; then so are the products on it.
// CHECK-LABEL: llvm.func @read_in_between(
// CHECK-SAME: ["amdgpu-agpr-alloc", "0"]
// CHECK-NOT: inline_asm
// CHECK: llvm.return
llvm.func @read_in_between(%a: vector<8xf16>, %zero: vector<16xf32>, %n: i32, %o: !llvm.ptr<3>)
    attributes {passthrough = [["amdgpu-waves-per-eu", "4"], ["amdgpu-agpr-alloc", "0"]], rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:5 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero, %s4 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) : i32 {
    %p00 = amdgpu.mfma 32x32x16 %a * %a + %s0 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p01 = amdgpu.mfma 32x32x16 %a * %a + %p00 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p10 = amdgpu.mfma 32x32x16 %a * %a + %s1 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p11 = amdgpu.mfma 32x32x16 %a * %a + %p10 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p20 = amdgpu.mfma 32x32x16 %a * %a + %s2 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p21 = amdgpu.mfma 32x32x16 %a * %a + %p20 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p30 = amdgpu.mfma 32x32x16 %a * %a + %s3 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p31 = amdgpu.mfma 32x32x16 %a * %a + %p30 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p40 = amdgpu.mfma 32x32x16 %a * %a + %s4 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p41 = amdgpu.mfma 32x32x16 %a * %a + %p40 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    llvm.store %p00, %o : vector<16xf32>, !llvm.ptr<3>
    scf.yield %p01, %p11, %p21, %p31, %p41 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  llvm.store %r#0, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#1, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#2, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#3, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#4, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.return
}

// The same of what the trip hands on.
// CHECK-LABEL: llvm.func @read_at_the_end(
// CHECK-SAME: ["amdgpu-agpr-alloc", "0"]
// CHECK-NOT: inline_asm
// CHECK: llvm.return
llvm.func @read_at_the_end(%a: vector<8xf16>, %zero: vector<16xf32>, %n: i32, %o: !llvm.ptr<3>)
    attributes {passthrough = [["amdgpu-waves-per-eu", "4"], ["amdgpu-agpr-alloc", "0"]], rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:5 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero, %s4 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) : i32 {
    %p00 = amdgpu.mfma 32x32x16 %a * %a + %s0 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p01 = amdgpu.mfma 32x32x16 %a * %a + %p00 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p10 = amdgpu.mfma 32x32x16 %a * %a + %s1 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p11 = amdgpu.mfma 32x32x16 %a * %a + %p10 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p20 = amdgpu.mfma 32x32x16 %a * %a + %s2 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p21 = amdgpu.mfma 32x32x16 %a * %a + %p20 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p30 = amdgpu.mfma 32x32x16 %a * %a + %s3 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p31 = amdgpu.mfma 32x32x16 %a * %a + %p30 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p40 = amdgpu.mfma 32x32x16 %a * %a + %s4 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p41 = amdgpu.mfma 32x32x16 %a * %a + %p40 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    llvm.store %p01, %o : vector<16xf32>, !llvm.ptr<3>
    scf.yield %p01, %p11, %p21, %p31, %p41 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  llvm.store %r#0, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#1, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#2, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#3, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#4, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.return
}

// All matrix instructions of a function have one form.
// CHECK-LABEL: llvm.func @product_outside(
// CHECK-SAME: ["amdgpu-agpr-alloc", "0"]
// CHECK-NOT: inline_asm
// CHECK: llvm.return
llvm.func @product_outside(%a: vector<8xf16>, %zero: vector<16xf32>, %n: i32, %o: !llvm.ptr<3>)
    attributes {passthrough = [["amdgpu-waves-per-eu", "4"], ["amdgpu-agpr-alloc", "0"]], rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) : i32 {
    %p00 = amdgpu.mfma 32x32x16 %a * %a + %s0 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p01 = amdgpu.mfma 32x32x16 %a * %a + %p00 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p10 = amdgpu.mfma 32x32x16 %a * %a + %s1 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p11 = amdgpu.mfma 32x32x16 %a * %a + %p10 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p20 = amdgpu.mfma 32x32x16 %a * %a + %s2 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p21 = amdgpu.mfma 32x32x16 %a * %a + %p20 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p30 = amdgpu.mfma 32x32x16 %a * %a + %s3 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p31 = amdgpu.mfma 32x32x16 %a * %a + %p30 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    scf.yield %p01, %p11, %p21, %p31 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  llvm.store %r#0, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#1, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#2, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#3, %o : vector<16xf32>, !llvm.ptr<3>
  %outside = amdgpu.mfma 32x32x16 %a * %a + %zero blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
  llvm.store %outside, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.return
}

// A product whose accumulator is new in each trip is none of the sums.
// CHECK-LABEL: llvm.func @no_sum_in_a_cycle(
// CHECK-SAME: ["amdgpu-agpr-alloc", "0"]
// CHECK-NOT: inline_asm
// CHECK: llvm.return
llvm.func @no_sum_in_a_cycle(%a: vector<8xf16>, %zero: vector<16xf32>, %n: i32, %o: !llvm.ptr<3>)
    attributes {passthrough = [["amdgpu-waves-per-eu", "4"], ["amdgpu-agpr-alloc", "0"]], rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) : i32 {
    %p00 = amdgpu.mfma 32x32x16 %a * %a + %s0 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p01 = amdgpu.mfma 32x32x16 %a * %a + %p00 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p10 = amdgpu.mfma 32x32x16 %a * %a + %s1 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p11 = amdgpu.mfma 32x32x16 %a * %a + %p10 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p20 = amdgpu.mfma 32x32x16 %a * %a + %s2 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p21 = amdgpu.mfma 32x32x16 %a * %a + %p20 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p30 = amdgpu.mfma 32x32x16 %a * %a + %s3 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p31 = amdgpu.mfma 32x32x16 %a * %a + %p30 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %fresh = amdgpu.mfma 32x32x16 %a * %a + %zero blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    llvm.store %fresh, %o : vector<16xf32>, !llvm.ptr<3>
    scf.yield %p01, %p11, %p21, %p31 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  llvm.store %r#0, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#1, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#2, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#3, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.return
}

// Not a kernel.
// CHECK-LABEL: llvm.func @no_kernel(
// CHECK-SAME: ["amdgpu-agpr-alloc", "0"]
// CHECK-NOT: inline_asm
// CHECK: llvm.return
llvm.func @no_kernel(%a: vector<8xf16>, %zero: vector<16xf32>, %n: i32, %o: !llvm.ptr<3>)
    attributes {passthrough = [["amdgpu-waves-per-eu", "4"], ["amdgpu-agpr-alloc", "0"]], rocdl.reqd_work_group_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) : i32 {
    %p00 = amdgpu.mfma 32x32x16 %a * %a + %s0 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p01 = amdgpu.mfma 32x32x16 %a * %a + %p00 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p10 = amdgpu.mfma 32x32x16 %a * %a + %s1 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p11 = amdgpu.mfma 32x32x16 %a * %a + %p10 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p20 = amdgpu.mfma 32x32x16 %a * %a + %s2 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p21 = amdgpu.mfma 32x32x16 %a * %a + %p20 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p30 = amdgpu.mfma 32x32x16 %a * %a + %s3 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    %p31 = amdgpu.mfma 32x32x16 %a * %a + %p30 blgp = none : vector<8xf16>, vector<8xf16>, vector<16xf32>
    scf.yield %p01, %p11, %p21, %p31 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  llvm.store %r#0, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#1, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#2, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.store %r#3, %o : vector<16xf32>, !llvm.ptr<3>
  llvm.return
}
