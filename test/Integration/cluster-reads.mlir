// Few large products: a cluster reads several tiles in one stretch, and the barrier behind it counts how many reads were issued after
// the one that it waits for. LLVM may not change their order.
// RUN: lowpc %s --target=gfx950 --verify --variant=custom --size=arg0.0=83 --size=arg0.1=384 --size=arg1.0=212 | FileCheck %s
// CHECK: gfx950 gemm {{.*}}variant 'custom': ok; {{.*}} integers exact
func.func @gemm(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>) -> tensor<?x?xbf16> {
  %d = lowp.matmul %a, %b transpose_b schedules = [
      #lowp.schedule<tile = [128, 256, 64], waves = [4, 2, 1], instruction = [32, 32, 64], parts = [1, 2], steps = 2, order = interleave,
                     stages = 4, staging = direct, access = 16, whole_k = true>]
      : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN> -> tensor<?x?xbf16>
  return %d : tensor<?x?xbf16>
}
