// K split over workgroups: sizes of 1, odd, not multiples of anything; K shorter than one step, with fewer trips than splits, and long;
// loads straight to registers and by way of LDS; scales, captures and an activation, which come once, after the sum.
// Every run has all of the simulator's checks: the second kernel may read only what the first one wrote.
// RUN: lowpc %s --target=gfx950,gfx942 --verify --variant=all --size=a.0=1 --size=a.1=1 --size=b.0=33 | FileCheck %s
// RUN: lowpc %s --target=gfx950,gfx942 --verify --variant=all --size=a.0=3 --size=a.1=37 --size=b.0=129 | FileCheck %s
// RUN: lowpc %s --target=gfx950,gfx942 --verify --variant=all --size=a.0=17 --size=a.1=1000 --size=b.0=77 | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: lowpc %s --target=gfx950,gfx942 --verify --variant=all --size=a.0=64 --size=a.1=8192 --size=b.0=65 | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: sed -e s/bf16/f8E4M3FN/g -e 's/16, 16, 16/16, 16, 32/' %s | lowpc - --target=gfx950 --verify --variant=all --size=a.0=17 --size=a.1=1008 --size=b.0=129 | FileCheck %s --check-prefixes=FP8
// RUN: sed -e s/bf16/f8E5M2FNUZ/g -e 's/16, 16, 16/16, 16, 32/' %s | lowpc - --target=gfx942 --verify --variant=all --size=a.0=64 --size=a.1=1024 --size=b.0=33 | FileCheck %s --check-prefixes=FP8
// CHECK: gfx950 linear {{.*}} variant 'registers': ok
// CHECK: gfx950 linear {{.*}} variant 'lds': ok
// WIDE: gfx950 linear {{.*}} variant 'wide': ok
// CHECK: gfx942 linear {{.*}} variant 'registers': ok
// CHECK: gfx942 linear {{.*}} variant 'lds': ok
// WIDE: gfx942 linear {{.*}} variant 'wide': ok
// FP8: linear {{.*}} variant 'registers': ok
// FP8: linear {{.*}} variant 'wide': ok

func.func @linear(%a: tensor<?x?xbf16> {lowp.name = "a"}, %b: tensor<?x?xbf16> {lowp.name = "b"}, %s: tensor<f32>, %bias: tensor<?xf32>,
                  %c: tensor<?x?xf16>, %limit: f32) -> tensor<?x?xf16> {
  %d = lowp.matmul %a, %b transpose_b scale_b(%s : tensor<f32>)
      schedules = [#lowp.schedule<name = "registers", tile = [16, 32, 32], waves = [1, 1, 4], instruction = [16, 16, 16], stages = 3, splits = 3>,
                   #lowp.schedule<name = "lds", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [16, 16, 16], stages = 2, staging = registers, xcds = 8, group = 8, splits = 7>,
                   #lowp.schedule<name = "wide", tile = [32, 64, 64], waves = [1, 1, 2], instruction = [16, 16, 16], stages = 2, access = 16, result_access = 2, splits = 5>]
      : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf16>
      epilogue(%sum: f32, %n: f32 = %bias[n] : tensor<?xf32>, %r: f16 = %c[m, n] : tensor<?x?xf16>, %top: f32 = %limit : f32) {
    %r32 = arith.extf %r : f16 to f32
    %x = arith.addf %sum, %n : f32
    %y = arith.addf %x, %r32 : f32
    %z = arith.minimumf %y, %top : f32
    %o = arith.truncf %z : f32 to f16
    lowp.yield %o : f16
  }
  return %d : tensor<?x?xf16>
}
