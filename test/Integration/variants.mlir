// Variants of a dynamic entry are right on sizes at and around the edges of their tiles: rows, columns and depths of 1, odd, just below
// and above a tile; on both chips. One of each family of schedules, and those that lowp chooses. The sizes that a variant does not take
// are the others' business.
// RUN: lowpc %s --target=gfx950 --verify --variant=all | FileCheck %s --check-prefix=CHOSEN
// RUN: lowpc %s --target=gfx942 --verify --variant=all | FileCheck %s --check-prefix=CHOSEN
// RUN: lowpc %s --target=gfx950 --schedule=large,small,plain_64x128,skinny_16x32 --verify --variant=all | FileCheck %s --check-prefixes=CHECK,GFX950
// RUN: lowpc %s --target=gfx942 --schedule=large,small,plain_64x128,skinny_16x32 --verify --variant=all | FileCheck %s --check-prefixes=CHECK,GFX942
// RUN: lowpc %s --target=gfx950,gfx942 --schedule=large,small,plain_64x128 --verify --variant=all --size=a.0=271 --size=a.1=640 --size=b.0=264 | FileCheck %s --check-prefix=BIG
// CHOSEN-NOT: wrong
// CHOSEN-NOT: outside
// CHOSEN: gelu a.0=1 a.1=1 b.0=1, variant 'any': ok
// CHOSEN: variant 'skinny_{{.*}}': ok
// CHECK-NOT: wrong
// CHECK-NOT: outside
// GFX950: gfx950 gelu a.0=1 a.1=1 b.0=1, variant 'any': ok
// GFX942: gfx942 gelu a.0=1 a.1=1 b.0=1, variant 'any': ok
// CHECK: variant 'large': ok
// CHECK: variant 'small': ok
// CHECK: variant 'plain_64x128': ok
// CHECK: variant 'skinny_16x32': ok
// BIG: gfx950 gelu {{.*}} variant 'large': ok
// BIG: gfx950 gelu {{.*}} variant 'small': ok
// BIG: gfx950 gelu {{.*}} variant 'plain_64x128': ok
// BIG: gfx950 gelu {{.*}} variant 'any': ok
// BIG: gfx942 gelu {{.*}} variant 'large': ok
// BIG: gfx942 gelu {{.*}} variant 'small': ok
// BIG: gfx942 gelu {{.*}} variant 'plain_64x128': ok
// BIG: gfx942 gelu {{.*}} variant 'any': ok

// The device library's erf ends up in the epilogue.
func.func @gelu(%a: tensor<?x?xbf16> {lowp.name = "a"}, %b: tensor<?x?xbf16> {lowp.name = "b"}) -> tensor<?x?xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
  %root = arith.constant 0.70710678 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %roots = lowp.broadcast %root, %d dims [] : f32, tensor<?x?xf32> -> tensor<?x?xf32>
  %halves = lowp.broadcast %half, %d dims [] : f32, tensor<?x?xf32> -> tensor<?x?xf32>
  %ones = lowp.broadcast %one, %d dims [] : f32, tensor<?x?xf32> -> tensor<?x?xf32>
  %x = arith.mulf %d, %roots : tensor<?x?xf32>
  %e = math.erf %x : tensor<?x?xf32>
  %s = arith.addf %e, %ones : tensor<?x?xf32>
  %h = arith.mulf %d, %halves : tensor<?x?xf32>
  %g = arith.mulf %h, %s : tensor<?x?xf32>
  %r = arith.truncf %g : tensor<?x?xf32> to tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}
