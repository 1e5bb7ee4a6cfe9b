// The loop of the large candidate for each class of operands, counted in the assembly: full-rate matrix instructions, what feeds them, and
// nothing else: no vector ALU instruction, no copy between the halves of the register file, no scratch, and waits that leave most of
// what is under way. Then what the whole computes on sizes that no tile divides, and what the simulator counts. loop.sed prints the
// mnemonics of the first loop, of waits the first counter too.
// RUN: split-file %s %t

// Eight waves, two steps of K in four products each: 4 x 2 matrix instructions a product. Copies are waited for once in two products, and
// six of them stay in flight.
// RUN: sed s/TYPE/f8E4M3FN/g %t/gemm.mlir > %t/fp8.mlir
// RUN: lowpc %t/fp8.mlir --target=gfx950 --schedule=large --stop-after=asm -o %t/fp8.s
// RUN: sed -nEf %t/loop.sed %t/fp8.s | sort | uniq -c \
// RUN:     | FileCheck %s --check-prefix=FP8 --implicit-check-not=' v_' --implicit-check-not=vmcnt --implicit-check-not=' ds_' --implicit-check-not='{{scratch|buffer}}'
// RUN: FileCheck %s --check-prefix=WHOLE < %t/fp8.s
// RUN: lowpc %t/fp8.mlir --target=gfx950 --schedule=large --verify | FileCheck %s --check-prefix=RUN-FP8
// FP8: {{^ *}}16 buffer_load_dwordx4 lds{{$}}
// FP8: {{^ *}}48 ds_read_b128{{$}}
// FP8: {{^ *}}4 s_barrier{{$}}
// FP8: {{^ *}}4 s_waitcnt vmcnt(6){{$}}
// FP8: {{^ *}}64 v_mfma_f32_16x16x128_f8f6f4{{$}}
// RUN-FP8: gfx950 gemm {{.*}}variant 'large': ok; error {{.*}} integers exact; {{.*}}24576 MFMA, 0 bank conflict cycles

// The same tile on four waves: 4 x 4 matrix instructions a product.
// RUN: lowpc %t/fp8.mlir --target=gfx950 --schedule=large4 --stop-after=asm -o %t/fp8x4.s
// RUN: sed -nEf %t/loop.sed %t/fp8x4.s | sort | uniq -c \
// RUN:     | FileCheck %s --check-prefix=FP8X4 --implicit-check-not=' v_' --implicit-check-not=vmcnt --implicit-check-not=' ds_' --implicit-check-not='{{scratch|buffer}}'
// RUN: FileCheck %s --check-prefix=WHOLE < %t/fp8x4.s
// RUN: lowpc %t/fp8.mlir --target=gfx950 --schedule=large4 --verify | FileCheck %s --check-prefix=RUN-FP8X4
// FP8X4: {{^ *}}32 buffer_load_dwordx4 lds{{$}}
// FP8X4: {{^ *}}64 ds_read_b128{{$}}
// FP8X4: {{^ *}}4 s_barrier{{$}}
// FP8X4: {{^ *}}4 s_waitcnt vmcnt(12){{$}}
// FP8X4: {{^ *}}128 v_mfma_f32_16x16x128_f8f6f4{{$}}
// RUN-FP8X4: gfx950 gemm {{.*}}variant 'large4': ok; error {{.*}} integers exact; {{.*}}24576 MFMA, 0 bank conflict cycles

// Taking turns, by a schedule written by hand: two barriers and a wait for each of eight products, and twelve copies in flight.
// RUN: lowpc %t/turns.mlir --target=gfx950 --stop-after=asm -o %t/fp8turns.s
// RUN: sed -nEf %t/loop.sed %t/fp8turns.s | sort | uniq -c \
// RUN:     | FileCheck %s --check-prefix=FP8T --implicit-check-not=' v_' --implicit-check-not=vmcnt --implicit-check-not=' ds_' --implicit-check-not='{{scratch|buffer|s_nop}}'
// RUN: FileCheck %s --check-prefix=WHOLE < %t/fp8turns.s
// RUN: lowpc %t/turns.mlir --target=gfx950 --verify | FileCheck %s --check-prefix=RUN-FP8T
// FP8T: {{^ *}}16 buffer_load_dwordx4 lds{{$}}
// FP8T: {{^ *}}48 ds_read_b128{{$}}
// FP8T: {{^ *}}16 s_barrier{{$}}
// FP8T: {{^ *}}24 s_setprio{{$}}
// FP8T: {{^ *}}8 s_waitcnt vmcnt(12){{$}}
// FP8T: {{^ *}}64 v_mfma_f32_16x16x128_f8f6f4{{$}}
// RUN-FP8T: gfx950 gemm {{.*}}variant 'large': ok; error {{.*}} integers exact; {{.*}}24576 MFMA, 0 bank conflict cycles

// Two bytes an element: half of the depth, four times the instructions for it.
// RUN: sed s/TYPE/bf16/g %t/gemm.mlir > %t/bf16.mlir
// RUN: lowpc %t/bf16.mlir --target=gfx950 --schedule=large --stop-after=asm -o %t/bf16.s
// RUN: sed -nEf %t/loop.sed %t/bf16.s | sort | uniq -c \
// RUN:     | FileCheck %s --check-prefix=BF16 --implicit-check-not=' v_' --implicit-check-not=vmcnt --implicit-check-not=' ds_' --implicit-check-not='{{scratch|buffer}}'
// RUN: FileCheck %s --check-prefix=WHOLE < %t/bf16.s
// RUN: lowpc %t/bf16.mlir --target=gfx950 --schedule=large --verify | FileCheck %s --check-prefix=RUN-BF16
// BF16: {{^ *}}16 buffer_load_dwordx4 lds{{$}}
// BF16: {{^ *}}48 ds_read_b128{{$}}
// BF16: {{^ *}}4 s_barrier{{$}}
// BF16: {{^ *}}4 s_waitcnt vmcnt(6){{$}}
// BF16: {{^ *}}128 v_mfma_f32_16x16x32_bf16{{$}}
// RUN-BF16: gfx950 gemm {{.*}}variant 'large': ok; error {{.*}} integers exact; {{.*}}98304 MFMA, 0 bank conflict cycles

// RUN: sed s/TYPE/f16/g %t/gemm.mlir > %t/f16.mlir
// RUN: lowpc %t/f16.mlir --target=gfx950 --schedule=large --stop-after=asm -o %t/f16.s
// RUN: sed -nEf %t/loop.sed %t/f16.s | sort | uniq -c \
// RUN:     | FileCheck %s --check-prefix=F16 --implicit-check-not=' v_' --implicit-check-not=vmcnt --implicit-check-not=' ds_' --implicit-check-not='{{scratch|buffer}}'
// RUN: FileCheck %s --check-prefix=WHOLE < %t/f16.s
// RUN: lowpc %t/f16.mlir --target=gfx950 --schedule=large --verify | FileCheck %s --check-prefix=RUN-F16
// F16: {{^ *}}16 buffer_load_dwordx4 lds{{$}}
// F16: {{^ *}}48 ds_read_b128{{$}}
// F16: {{^ *}}4 s_barrier{{$}}
// F16: {{^ *}}4 s_waitcnt vmcnt(6){{$}}
// F16: {{^ *}}128 v_mfma_f32_16x16x32_f16{{$}}
// RUN-F16: gfx950 gemm {{.*}}variant 'large': ok; error {{.*}} integers exact; {{.*}}98304 MFMA, 0 bank conflict cycles

// Through registers: eight tiles are loaded, written to LDS a trip later and read; a write waits for its load and leaves seven.
// RUN: sed s/TYPE/f8E4M3FNUZ/g %t/gemm.mlir > %t/oldfp8.mlir
// RUN: lowpc %t/oldfp8.mlir --target=gfx942 --schedule=large --stop-after=asm -o %t/oldfp8.s
// RUN: sed -nEf %t/loop.sed %t/oldfp8.s | sort | uniq -c \
// RUN:     | FileCheck %s --check-prefix=OLDFP8 --implicit-check-not=' v_' --implicit-check-not=vmcnt --implicit-check-not=' ds_' --implicit-check-not='{{scratch|buffer}}'
// RUN: FileCheck %s --check-prefix=WHOLE < %t/oldfp8.s
// RUN: lowpc %t/oldfp8.mlir --target=gfx942 --schedule=large --verify | FileCheck %s --check-prefix=RUN-OLDFP8
// OLDFP8: {{^ *}}8 buffer_load_dwordx4{{$}}
// OLDFP8: {{^ *}}24 ds_read_b128{{$}}
// OLDFP8-NEXT: {{^ *}}8 ds_write_b128{{$}}
// OLDFP8: {{^ *}}4 s_barrier{{$}}
// OLDFP8: {{^ *}}8 s_waitcnt vmcnt(7){{$}}
// OLDFP8: {{^ *}}128 v_mfma_f32_16x16x32_fp8_fp8{{$}}
// RUN-OLDFP8: gfx942 gemm {{.*}}variant 'large': ok; error {{.*}} integers exact; {{.*}}98304 MFMA, 0 bank conflict cycles

// RUN: lowpc %t/oldturns.mlir --target=gfx942 --stop-after=asm -o %t/oldturns.s
// RUN: sed -nEf %t/loop.sed %t/oldturns.s | sort | uniq -c \
// RUN:     | FileCheck %s --check-prefix=OLDT --implicit-check-not=' v_' --implicit-check-not=vmcnt --implicit-check-not=' ds_' --implicit-check-not='{{scratch|buffer|s_nop}}'
// RUN: FileCheck %s --check-prefix=WHOLE < %t/oldturns.s
// RUN: lowpc %t/oldturns.mlir --target=gfx942 --verify | FileCheck %s --check-prefix=RUN-OLDT
// OLDT: {{^ *}}8 buffer_load_dwordx4{{$}}
// OLDT: {{^ *}}24 ds_read_b128{{$}}
// OLDT-NEXT: {{^ *}}8 ds_write_b128{{$}}
// OLDT: {{^ *}}16 s_barrier{{$}}
// OLDT: {{^ *}}8 s_waitcnt lgkmcnt(0){{$}}
// OLDT-NEXT: {{^ *}}8 s_waitcnt vmcnt(7){{$}}
// OLDT: {{^ *}}128 v_mfma_f32_16x16x32_fp8_fp8{{$}}
// RUN-OLDT: gfx942 gemm {{.*}}variant 'large': ok; error {{.*}} integers exact; {{.*}}98304 MFMA, 0 bank conflict cycles

// RUN: sed s/TYPE/bf16/g %t/gemm.mlir > %t/oldbf16.mlir
// RUN: lowpc %t/oldbf16.mlir --target=gfx942 --schedule=large --stop-after=asm -o %t/oldbf16.s
// RUN: sed -nEf %t/loop.sed %t/oldbf16.s | sort | uniq -c \
// RUN:     | FileCheck %s --check-prefix=OLDBF16 --implicit-check-not=' v_' --implicit-check-not=vmcnt --implicit-check-not=' ds_' --implicit-check-not='{{scratch|buffer}}'
// RUN: FileCheck %s --check-prefix=WHOLE < %t/oldbf16.s
// RUN: lowpc %t/oldbf16.mlir --target=gfx942 --schedule=large --verify | FileCheck %s --check-prefix=RUN-OLDBF16
// OLDBF16: {{^ *}}8 buffer_load_dwordx4{{$}}
// OLDBF16: {{^ *}}24 ds_read_b128{{$}}
// OLDBF16-NEXT: {{^ *}}8 ds_write_b128{{$}}
// OLDBF16: {{^ *}}4 s_barrier{{$}}
// OLDBF16: {{^ *}}8 s_waitcnt vmcnt(7){{$}}
// OLDBF16: {{^ *}}128 v_mfma_f32_16x16x16_bf16{{$}}
// RUN-OLDBF16: gfx942 gemm {{.*}}variant 'large': ok; error {{.*}} integers exact; {{.*}}196608 MFMA, 0 bank conflict cycles

// RUN: sed s/TYPE/f16/g %t/gemm.mlir > %t/oldf16.mlir
// RUN: lowpc %t/oldf16.mlir --target=gfx942 --schedule=large --stop-after=asm -o %t/oldf16.s
// RUN: sed -nEf %t/loop.sed %t/oldf16.s | sort | uniq -c \
// RUN:     | FileCheck %s --check-prefix=OLDF16 --implicit-check-not=' v_' --implicit-check-not=vmcnt --implicit-check-not=' ds_' --implicit-check-not='{{scratch|buffer}}'
// RUN: FileCheck %s --check-prefix=WHOLE < %t/oldf16.s
// RUN: lowpc %t/oldf16.mlir --target=gfx942 --schedule=large --verify | FileCheck %s --check-prefix=RUN-OLDF16
// OLDF16: {{^ *}}8 buffer_load_dwordx4{{$}}
// OLDF16: {{^ *}}24 ds_read_b128{{$}}
// OLDF16-NEXT: {{^ *}}8 ds_write_b128{{$}}
// OLDF16: {{^ *}}4 s_barrier{{$}}
// OLDF16: {{^ *}}8 s_waitcnt vmcnt(7){{$}}
// OLDF16: {{^ *}}128 v_mfma_f32_16x16x16_f16{{$}}
// RUN-OLDF16: gfx942 gemm {{.*}}variant 'large': ok; error {{.*}} integers exact; {{.*}}196608 MFMA, 0 bank conflict cycles

// The kernel has LDS for both steps of both operands, and spills nothing.
// WHOLE-LABEL: gemm.large{{4?}}:
// WHOLE: .amdhsa_group_segment_fixed_size {{131072|65536}}
// WHOLE: .amdhsa_private_segment_fixed_size 0

//--- loop.sed
/Inner Loop Header/,/s_cbranch/{
s/^\t(s_waitcnt [a-z]+\([0-9]+\)).*/\1/p
t
s/^\t([a-z]\w*) .* lds$/\1 lds/p
t
s/^\t([a-z]\w*).*/\1/p
/s_cbranch/q
}

//--- gemm.mlir
func.func @gemm(%a: tensor<500x1536xTYPE>, %b: tensor<776x1536xTYPE>) -> tensor<500x776xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<500x1536xTYPE>, tensor<776x1536xTYPE> -> tensor<500x776xbf16>
  return %d : tensor<500x776xbf16>
}

//--- turns.mlir
func.func @gemm(%a: tensor<500x1536xf8E4M3FN>, %b: tensor<776x1536xf8E4M3FN>) -> tensor<500x776xbf16> {
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "large", tile = [256, 256, 128], waves = [2, 4, 1], instruction = [16, 16, 128], parts = [2, 2], steps = 2,
                     order = pingpong, stages = 2, staging = direct, access = 16, result_access = 8, whole_k = true>]
      : tensor<500x1536xf8E4M3FN>, tensor<776x1536xf8E4M3FN> -> tensor<500x776xbf16>
  return %d : tensor<500x776xbf16>
}

//--- oldturns.mlir
func.func @gemm(%a: tensor<500x1536xf8E4M3FNUZ>, %b: tensor<776x1536xf8E4M3FNUZ>) -> tensor<500x776xbf16> {
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "large", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [16, 16, 32], parts = [2, 2], steps = 2,
                     order = pingpong, stages = 2, staging = registers, access = 16, result_access = 8, whole_k = true>]
      : tensor<500x1536xf8E4M3FNUZ>, tensor<776x1536xf8E4M3FNUZ> -> tensor<500x776xbf16>
  return %d : tensor<500x776xbf16>
}
