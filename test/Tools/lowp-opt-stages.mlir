// RUN: lowp-opt %s --target=gfx950 --stop-after=tiled --print-after=fused,scheduled 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=PRINTED < %t
// RUN: not lowp-opt %s --target=gfx950 --stop-after=nowhere 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: not lowp-opt %s --target=gfx90a --stop-after=tiled 2>&1 | FileCheck %s --check-prefix=TARGET
// CHECK: tile.kernel @f.
// PRINTED: after stage fused
// PRINTED: after stage scheduled
// PRINTED: schedules = [
// STAGE: lowp-opt: unknown stage; accepted are input, fused, scheduled, tiled, laid-out, pipelined, lanes, llvm, asm, hsaco
// TARGET: lowp-opt: unknown target 'gfx90a'; accepted are gfx942, gfx950
func.func @f(%a: tensor<64x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<64x64xf32> {
  %d = lowp.matmul %a, %b : tensor<64x128xbf16>, tensor<128x64xbf16> -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}
