// RUN: lowp-opt %s --target=gfx950 --stop-after=lanes | FileCheck %s --check-prefix=LONG
// RUN: lowp-bench -m 256 -n 256 -k 4096 --transA T --a_type f8_fnuz_r --b_type f8_fnuz_r --d_type bf16_r --target gfx942 --emit=mlir > %t.short.mlir
// RUN: lowp-opt %t.short.mlir --target=gfx942 --stop-after=lanes | FileCheck %s --check-prefix=SHORT

// A matrix instruction of 16 passes needs 20 wait states on gfx950, one more than LLVM 22 looks back: they are written once,
// behind the loop, and nothing is scheduled into them.
// LONG: scf.for
// LONG: amdgpu.mfma 32x32x64
// LONG-NOT: rocdl.s.nop
// LONG: scf.yield
// LONG: rocdl.sched.barrier 0
// LONG-NEXT: rocdl.s.nop 15
// LONG-NEXT: rocdl.s.nop 3
// LONG-NEXT: rocdl.sched.barrier 0
// LONG: arith.truncf

// Where LLVM sees far enough nothing is added.
// SHORT: amdgpu.mfma
// SHORT-NOT: rocdl.s.nop

// The wait stands behind the loop, not before the first reader: the loads of a residual come after it, where they can be put in the
// order of the stores, and the kernel keeps within its registers.
// RUN: lowp-bench -m 224 -n 272 -k 384 --transA T --transB T --a_type bf8_r --b_type f8_r --d_type f16_r --ldc 240 --beta 1 --dynamic --target gfx950 --emit=mlir > %t.residual.mlir
// RUN: lowpc %t.residual.mlir --target=gfx950 --schedule=plain32_256x256 --stop-after=lanes | FileCheck %s --check-prefix=RESIDUAL
// RUN: lowpc %t.residual.mlir --target=gfx950 --schedule=plain32_256x256 --stop-after=asm -o %t.residual.s
// RESIDUAL-LABEL: llvm.func @gemm.plain32_256x256
// RESIDUAL: scf.yield
// RESIDUAL-NOT: rocdl.raw.ptr.buffer.load
// RESIDUAL: rocdl.s.nop 3
// RESIDUAL: rocdl.raw.ptr.buffer.load

func.func @gemm(%a: tensor<256x4096xf8E4M3FN>, %b: tensor<256x4096xf8E4M3FN>) -> tensor<256x256xbf16> {
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "long", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [32, 32, 64], stages = 4, staging = direct,
                     access = 16, result_access = 8, whole_k = true>]
      : tensor<256x4096xf8E4M3FN>, tensor<256x4096xf8E4M3FN> -> tensor<256x256xbf16>
  return %d : tensor<256x256xbf16>
}
