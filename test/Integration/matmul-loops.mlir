// The loop of the large variant: full-rate matrix instructions, no scratch, several stages in flight (no full drain), and what the
// simulator counts.
// RUN: split-file %s %t
// RUN: lowpc %t/fp8.mlir --target=gfx950 --stop-after=asm -o %t/fp8.s
// RUN: FileCheck %s --check-prefix=GFX950 < %t/fp8.s
// RUN: lowpc %t/fp8.mlir --target=gfx950 --verify | FileCheck %s --check-prefix=RUN950
// RUN: lowpc %t/fnuz.mlir --target=gfx942 --stop-after=asm -o %t/fnuz.s
// RUN: FileCheck %s --check-prefix=GFX942 < %t/fnuz.s
// RUN: lowpc %t/fnuz.mlir --target=gfx942 --verify | FileCheck %s --check-prefix=RUN942

// GFX950-LABEL: gemm.large:
// GFX950: [[LOOP:\.LBB0_[0-9]+]]:
// GFX950-NOT: vmcnt(0)
// GFX950-NOT: scratch_
// GFX950-NOT: v_accvgpr
// GFX950: s_waitcnt vmcnt(8)
// GFX950: s_barrier
// GFX950-NOT: vmcnt(0)
// GFX950: buffer_load_dwordx4 {{.*}} lds
// GFX950-NOT: vmcnt(0)
// GFX950: ds_read_b128
// GFX950-NOT: vmcnt(0)
// GFX950: v_mfma_f32_32x32x64_f8f6f4
// GFX950: s_cbranch_{{.*}} [[LOOP]]
// GFX950: .amdhsa_group_segment_fixed_size 131072
// GFX950: .amdhsa_private_segment_fixed_size 0

// 4 workgroups of 8 waves, 64 steps of k, 8 products each; on integers and on random data; no bank conflict.
// RUN950: gfx950 gemm {{.*}}variant 'large': ok; error {{.*}} integers exact; {{.*}}16384 MFMA, 0 bank conflict cycles

// GFX942-LABEL: gemm.large:
// GFX942: [[LOOP:\.LBB0_[0-9]+]]:
// GFX942-NOT: scratch_
// GFX942-NOT: v_accvgpr
// GFX942: buffer_load_dwordx4
// GFX942: v_mfma_f32_{{16x16x32|32x32x16}}_fp8_fp8
// GFX942: s_cbranch_{{.*}} [[LOOP]]
// GFX942: .amdhsa_private_segment_fixed_size 0
// RUN942: gfx942 gemm {{.*}}variant 'large': ok; error {{.*}} integers exact; {{.*}} MFMA, 0 bank conflict cycles

//--- fp8.mlir
func.func @gemm(%a: tensor<512x4096xf8E4M3FN>, %b: tensor<512x4096xf8E4M3FN>) -> tensor<512x512xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<512x4096xf8E4M3FN>, tensor<512x4096xf8E4M3FN> -> tensor<512x512xbf16>
  return %d : tensor<512x512xbf16>
}

//--- fnuz.mlir
func.func @gemm(%a: tensor<512x4096xf8E4M3FNUZ>, %b: tensor<512x4096xf8E4M3FNUZ>) -> tensor<512x512xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<512x4096xf8E4M3FNUZ>, tensor<512x4096xf8E4M3FNUZ> -> tensor<512x512xbf16>
  return %d : tensor<512x512xbf16>
}
