// How results of the large variant leave, counted in the assembly behind the loop: 16 bytes a lane, through LDS, nothing stored or loaded in
// halves of that. Then what the whole computes on sizes that no tile divides, with the waits, barriers and banks that the simulator
// checks and counts. tail.sed prints the mnemonics from the end of the first loop to the end of the kernel.
// RUN: split-file %s %t

// 128 sums a lane, in four parts: for each, 8 writes of 8 bytes (4 elements of bf16), 4 reads of two halves, 4 stores.
// RUN: sed s/TYPE/f8E4M3FN/g %t/gemm.mlir > %t/fp8.mlir
// RUN: lowpc %t/fp8.mlir --target=gfx950 --schedule=large --stop-after=asm -o %t/fp8.s
// RUN: sed -nEf %t/tail.sed %t/fp8.s | sort | uniq -c | FileCheck %s --check-prefix=LATE --implicit-check-not='{{buffer|scratch|ds_|lane_b32}}'
// RUN: lowpc %t/fp8.mlir --target=gfx950 --schedule=large --verify | FileCheck %s --check-prefix=WHOLE
// RUN: lowpc %t/fp8.mlir --target=gfx950 --verify --variant=all > %t/fp8.all && not grep -v 'ok;.* 0 bank conflict cycles' %t/fp8.all
// RUN: sed s/TYPE/f8E4M3FNUZ/g %t/gemm.mlir > %t/oldfp8.mlir
// RUN: lowpc %t/oldfp8.mlir --target=gfx942 --schedule=large --stop-after=asm -o %t/oldfp8.s
// RUN: sed -nEf %t/tail.sed %t/oldfp8.s | sort | uniq -c | FileCheck %s --check-prefix=LATE --implicit-check-not='{{buffer|scratch|ds_|lane_b32}}'
// RUN: lowpc %t/oldfp8.mlir --target=gfx942 --schedule=large --verify | FileCheck %s --check-prefix=WHOLE
// RUN: lowpc %t/oldfp8.mlir --target=gfx942 --verify --variant=all > %t/oldfp8.all && not grep -v 'ok;.* 0 bank conflict cycles' %t/oldfp8.all
// LATE: {{^ *}}16 buffer_store_dwordx4{{$}}
// LATE: {{^ *}}16 ds_read2st64_b64{{$}}
// LATE: {{^ *}}32 ds_write_b64{{$}}

// With a residual the sums go through LDS in f32, and the residual is loaded 16 bytes a lane too; so is a part of the bias.
// RUN: sed s/TYPE/f8E4M3FN/g %t/residual.mlir > %t/fp8r.mlir
// RUN: lowpc %t/fp8r.mlir --target=gfx950 --schedule=large --stop-after=asm -o %t/fp8r.s
// RUN: sed -nEf %t/tail.sed %t/fp8r.s | sort | uniq -c | FileCheck %s --check-prefix=EARLY --implicit-check-not='{{buffer|scratch|ds_|lane_b32}}'
// RUN: lowpc %t/fp8r.mlir --target=gfx950 --schedule=large --verify | FileCheck %s --check-prefix=WHOLE
// RUN: lowpc %t/fp8r.mlir --target=gfx950 --verify --variant=all > %t/fp8r.all && not grep -v 'ok;.* 0 bank conflict cycles' %t/fp8r.all
// RUN: sed s/TYPE/bf16/g %t/residual.mlir > %t/bf16r.mlir
// RUN: lowpc %t/bf16r.mlir --target=gfx942 --schedule=large --stop-after=asm -o %t/bf16r.s
// RUN: sed -nEf %t/tail.sed %t/bf16r.s | sort | uniq -c | FileCheck %s --check-prefix=EARLY --implicit-check-not='{{buffer|scratch|ds_|lane_b32}}'
// RUN: lowpc %t/bf16r.mlir --target=gfx942 --schedule=large --verify | FileCheck %s --check-prefix=WHOLE
// RUN: lowpc %t/bf16r.mlir --target=gfx942 --verify --variant=all > %t/bf16r.all && not grep -v 'ok;.* 0 bank conflict cycles' %t/bf16r.all
// EARLY: {{^ *}}2 buffer_load_dword{{$}}
// EARLY: {{^ *}}20 buffer_load_dwordx4{{$}}
// EARLY: {{^ *}}16 buffer_store_dwordx4{{$}}
// EARLY: {{^ *}}32 ds_read_b128{{$}}
// EARLY: {{^ *}}32 ds_write_b128{{$}}

// WHOLE: variant 'large': ok; error {{.*}} integers exact; {{.*}} 0 bank conflict cycles

// K split over waves, tiles in parts along one dimension, rows of 8 bytes only, halves of the workgroup that take turns: by schedules
// written by hand.
// RUN: lowpc %t/others.mlir --target=gfx950 --verify --variant=all | FileCheck %s --check-prefix=OTHERS
// OTHERS: variant 'split': ok; error {{.*}} integers exact; {{.*}} 0 bank conflict cycles
// OTHERS: variant 'parts': ok; error {{.*}} integers exact; {{.*}} 0 bank conflict cycles
// OTHERS: variant 'narrow': ok; error {{.*}} integers exact; {{.*}} 0 bank conflict cycles
// OTHERS: variant 'turns': ok; error {{.*}} integers exact; {{.*}} 0 bank conflict cycles

//--- tail.sed
/Inner Loop Header/,/s_endpgm/{
/Inner Loop Header/,/s_cbranch/b
s/^\t([a-z]\w*).*/\1/p
/s_endpgm/q
}

//--- gemm.mlir
func.func @gemm(%a: tensor<500x1536xTYPE>, %b: tensor<776x1536xTYPE>) -> tensor<500x776xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<500x1536xTYPE>, tensor<776x1536xTYPE> -> tensor<500x776xbf16>
  return %d : tensor<500x776xbf16>
}

//--- residual.mlir
func.func @gemm(%a: tensor<2x500x512xTYPE>, %b: tensor<2x776x512xTYPE>, %sa: tensor<f32>, %sb: tensor<f32>, %bias: tensor<776xf32>,
                %res: tensor<2x500x776xbf16>) -> tensor<2x500x776xbf16> {
  %d = lowp.matmul %a, %b transpose_b scale_a(%sa : tensor<f32>) scale_b(%sb : tensor<f32>)
      : tensor<2x500x512xTYPE>, tensor<2x776x512xTYPE> -> tensor<2x500x776xbf16>
      epilogue(%acc: f32, %u: f32 = %bias[n] : tensor<776xf32>, %r: bf16 = %res[b, m, n] : tensor<2x500x776xbf16>) {
    %0 = arith.extf %r : bf16 to f32
    %1 = arith.addf %acc, %u : f32
    %2 = arith.addf %1, %0 : f32
    %3 = arith.truncf %2 : f32 to bf16
    lowp.yield %3 : bf16
  }
  return %d : tensor<2x500x776xbf16>
}

//--- others.mlir
func.func @gemm(%a: tensor<100x512xbf16>, %b: tensor<200x512xbf16>) -> tensor<100x200xf16> {
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<name = "split", tile = [64, 128, 32], waves = [2, 1, 2], instruction = [16, 16, 32], stages = 2, staging = registers,
                     access = 16, result_access = 16>,
      #lowp.schedule<name = "parts", tile = [64, 128, 64], waves = [2, 2, 1], instruction = [16, 16, 32], parts = [2, 1], stages = 2,
                     staging = registers, access = 16, result_access = 16>,
      #lowp.schedule<name = "narrow", tile = [64, 128, 64], waves = [2, 2, 1], instruction = [16, 16, 32], stages = 2, staging = registers,
                     access = 16, result_access = 8>,
      #lowp.schedule<name = "turns", tile = [256, 256, 64], waves = [2, 4, 1], instruction = [16, 16, 32], parts = [2, 2], steps = 2,
                     order = pingpong, stages = 2, staging = direct, access = 16, result_access = 16, whole_k = true>]
      : tensor<100x512xbf16>, tensor<200x512xbf16> -> tensor<100x200xf16>
  return %d : tensor<100x200xf16>
}
