// The loop of few rows, K known at launch only, so with its bound: every wait leaves most of four steps under way, nothing is copied or
// spilled, and issuing the loads costs few instructions.
// RUN: lowpc %s --target=gfx950 --report --schedule=skinny_16x32 | FileCheck %s --check-prefixes=CHECK,GFX950
// RUN: sed s/f8E4M3FN/f8E4M3FNUZ/g %s | lowpc - --target=gfx942 --report --schedule=skinny_16x32 | FileCheck %s --check-prefixes=CHECK,GFX942
// RUN: sed s/f8E4M3FN/bf16/g %s | lowpc - --target=gfx950 --report --schedule=skinny_16x32 | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: lowpc %s --target=gfx950 --verify --schedule=skinny_16x32 --variant=skinny_16x32 --size=a.0=1 --size=a.1=16 --size=b.0=4 | FileCheck %s --check-prefix=RIGHT
// RUN: lowpc %s --target=gfx950 --verify --schedule=skinny_16x32 --variant=skinny_16x32 --size=a.0=16 --size=a.1=8192 --size=b.0=100 | FileCheck %s --check-prefix=RIGHT
// RUN: lowpc %s --target=gfx950 --verify --schedule=skinny_16x32 --variant=skinny_16x32 --size=a.0=3 --size=a.1=4112 --size=b.0=36 | FileCheck %s --check-prefix=RIGHT
// RIGHT: variant 'skinny_16x32': ok
// CHECK: kernel gemm.skinny_16x32 on {{.*}}variant 'skinny_16x32'
// CHECK-NEXT: 0 and 0 spilled, 0 bytes of scratch
// CHECK: hot loop
// GFX950-NEXT: matrix 8
// GFX950-NEXT: loads 24
// GFX950-NEXT: vector ALU 24{{$}}
// GFX942-NEXT: matrix 16
// GFX942-NEXT: loads 12
// GFX942-NEXT: vector ALU 12{{$}}
// BF16-NEXT: matrix 8
// BF16-NEXT: loads 12
// BF16-NEXT: vector ALU 12{{$}}
// CHECK-NEXT: scalar ALU
// CHECK-NEXT: branches 1
// CHECK-NEXT: waits {{[48]}}{{$}}
// CHECK: in all
// GFX950: waits vmcnt(18) 4 times, vmcnt(20) 4 times{{$}}
// GFX942: waits vmcnt(9) 4 times, vmcnt(10) 4 times{{$}}
// BF16: waits vmcnt(7) 2 times, vmcnt(9) 2 times{{$}}
// GFX950: from memory 24576 bytes a wave and trip, 3.{{[0-9]}} instructions a KiB; in flight at waits at least 20480 a wave, 81920 a workgroup,
// GFX942: from memory 12288 bytes a wave and trip, 5.{{[0-9]}} instructions a KiB; in flight at waits at least 10240 a wave, 40960 a workgroup,
// BF16: from memory 12288 bytes a wave and trip, {{[45]}}.{{[0-9]}} instructions a KiB; in flight at waits at least 8192 a wave, 32768 a workgroup,
func.func @gemm(%a: tensor<?x?xf8E4M3FN> {lowp.name = "a"}, %b: tensor<?x?xf8E4M3FN> {lowp.name = "b"}) -> tensor<?x?xbf16> {
  %d = lowp.matmul %a, %b transpose_b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN> -> tensor<?x?xbf16>
  return %d : tensor<?x?xbf16>
}
