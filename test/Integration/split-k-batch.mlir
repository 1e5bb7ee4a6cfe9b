// K split over 64 workgroups, more than it has steps in most of these sizes, in a batch.
// RUN: lowpc %s --target=gfx950,gfx942 --verify --variant=all | FileCheck %s
// RUN: lowpc %s --target=gfx950,gfx942 --verify --variant=all --size=a.0=3 --size=a.1=3 --size=a.2=1300 --size=b.2=17 | FileCheck %s
// CHECK-NOT: wrong
// CHECK: gfx950 batch {{.*}} variant 'many': ok
// CHECK: gfx942 batch {{.*}} variant 'many': ok

func.func @batch(%a: tensor<?x?x?xbf16> {lowp.name = "a"}, %b: tensor<?x?x?xbf16> {lowp.name = "b"}) -> tensor<?x?x?xf32> {
  %d = lowp.matmul %a, %b
      schedules = [#lowp.schedule<name = "many", tile = [16, 16, 16], waves = [1, 1, 1], instruction = [16, 16, 16], splits = 64>]
      : tensor<?x?x?xbf16>, tensor<?x?x?xbf16> -> tensor<?x?x?xf32>
  return %d : tensor<?x?x?xf32>
}
