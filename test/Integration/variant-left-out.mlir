// Twelve captured matrices need more registers after the loop than the large tile leaves. A schedule that lowp chose is left out then, with
// a warning that names it, and the next cheapest is taken; one that somebody asked for is an error.
// RUN: lowpc %s --target=gfx950 -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: FileCheck %s --check-prefix=MANIFEST < %t.json
// RUN: lowpc %s --target=gfx950 --report | FileCheck %s --check-prefix=REPORT
// RUN: not lowpc %s --target=gfx950 --schedule=large -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=ASKED
// CHOSEN: variant-left-out.mlir:[[@LINE+23]]:8: warning: schedule 'large' is left out of entry 'gemm': its kernel spills {{[0-9]+}} vector and 0 scalar registers and has {{[0-9]+}} bytes of scratch a lane; it was #lowp.schedule<name = "large", {{.*}}>
// CHOSEN-NOT: error
// MANIFEST: "variants": [
// MANIFEST-NOT: large
// MANIFEST: "name": "{{tall|wide|square|square_deep|small}}"
// MANIFEST: "name": "any"
// REPORT-NOT: gemm.large
// REPORT: kernel gemm.any on gfx950: entry 'gemm', variant 'any'
// ASKED: error: kernel 'gemm.large' spills {{[0-9]+}} vector and 0 scalar registers and has {{[0-9]+}} bytes of scratch a lane, but must have none unless spills are allowed (--allow-spills)

func.func @gemm(%a: tensor<4096x4096xf8E4M3FN>, %b: tensor<4096x4096xf8E4M3FN>,
                %c0: tensor<4096x4096xf32>,
                %c1: tensor<4096x4096xf32>,
                %c2: tensor<4096x4096xf32>,
                %c3: tensor<4096x4096xf32>,
                %c4: tensor<4096x4096xf32>,
                %c5: tensor<4096x4096xf32>,
                %c6: tensor<4096x4096xf32>,
                %c7: tensor<4096x4096xf32>,
                %c8: tensor<4096x4096xf32>,
                %c9: tensor<4096x4096xf32>,
                %c10: tensor<4096x4096xf32>,
                %c11: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %d = lowp.matmul %a, %b transpose_b : tensor<4096x4096xf8E4M3FN>, tensor<4096x4096xf8E4M3FN> -> tensor<4096x4096xf32>
      epilogue(%acc: f32,
                 %e0: f32 = %c0[m, n] : tensor<4096x4096xf32>,
                 %e1: f32 = %c1[m, n] : tensor<4096x4096xf32>,
                 %e2: f32 = %c2[m, n] : tensor<4096x4096xf32>,
                 %e3: f32 = %c3[m, n] : tensor<4096x4096xf32>,
                 %e4: f32 = %c4[m, n] : tensor<4096x4096xf32>,
                 %e5: f32 = %c5[m, n] : tensor<4096x4096xf32>,
                 %e6: f32 = %c6[m, n] : tensor<4096x4096xf32>,
                 %e7: f32 = %c7[m, n] : tensor<4096x4096xf32>,
                 %e8: f32 = %c8[m, n] : tensor<4096x4096xf32>,
                 %e9: f32 = %c9[m, n] : tensor<4096x4096xf32>,
                 %e10: f32 = %c10[m, n] : tensor<4096x4096xf32>,
                 %e11: f32 = %c11[m, n] : tensor<4096x4096xf32>) {
    %x0 = arith.mulf %acc, %e0 : f32
    %y0 = arith.addf %x0, %e1 : f32
    %x1 = arith.mulf %y0, %e1 : f32
    %y1 = arith.addf %x1, %e4 : f32
    %x2 = arith.mulf %y1, %e2 : f32
    %y2 = arith.addf %x2, %e7 : f32
    %x3 = arith.mulf %y2, %e3 : f32
    %y3 = arith.addf %x3, %e10 : f32
    %x4 = arith.mulf %y3, %e4 : f32
    %y4 = arith.addf %x4, %e1 : f32
    %x5 = arith.mulf %y4, %e5 : f32
    %y5 = arith.addf %x5, %e4 : f32
    %x6 = arith.mulf %y5, %e6 : f32
    %y6 = arith.addf %x6, %e7 : f32
    %x7 = arith.mulf %y6, %e7 : f32
    %y7 = arith.addf %x7, %e10 : f32
    %x8 = arith.mulf %y7, %e8 : f32
    %y8 = arith.addf %x8, %e1 : f32
    %x9 = arith.mulf %y8, %e9 : f32
    %y9 = arith.addf %x9, %e4 : f32
    %x10 = arith.mulf %y9, %e10 : f32
    %y10 = arith.addf %x10, %e7 : f32
    %x11 = arith.mulf %y10, %e11 : f32
    %y11 = arith.addf %x11, %e10 : f32
    lowp.yield %y11 : f32
  }
  return %d : tensor<4096x4096xf32>
}
