# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s | FileCheck %s
# REQUIRES: python
"""The package compiles, shows its stages, runs on the simulator, and turns diagnostics into exceptions."""

import lowp
import ml_dtypes
import numpy as np

TEXT = """
func.func @gemm(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %alpha: f32) -> tensor<?x?xf32> {
  %d = lowp.matmul %a, %b : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
       epilogue(%acc: f32, %s: f32 = %alpha : f32) {
    %r = arith.mulf %acc, %s : f32
    lowp.yield %r : f32
  }
  return %d : tensor<?x?xf32>
}
"""

kernel = lowp.compile(TEXT, target="gfx942")
# CHECK: entry gemm for gfx942
print("entry", kernel.manifest["entries"][0]["name"], "for", kernel.manifest["target"])
# CHECK: tile.kernel
print(kernel.stages["tiled"])
# CHECK: s_endpgm
print(kernel.asm)

rng = np.random.default_rng(7)
a = rng.integers(-4, 5, (37, 45)).astype(ml_dtypes.bfloat16)
b = rng.integers(-4, 5, (45, 29)).astype(ml_dtypes.bfloat16)
d = kernel.run(a, b, 0.5)
# CHECK: equal True (37, 29) float32
print("equal", np.array_equal(d, 0.5 * (a.astype(np.float64) @ b.astype(np.float64))), d.shape, d.dtype)

# Two launches and a workspace are no business of the caller's.
SPLIT = '#lowp.schedule<name = "split", tile = [16, 32, 32], waves = [1, 1, 2], instruction = [16, 16, 16], splits = 3>'
split = lowp.compile(TEXT.replace("%b :", f"%b schedules = [{SPLIT}] :", 1), target="gfx942")
d = split.run(a, b, 0.5)
# CHECK: split True, 2 launches
print("split", np.array_equal(d, 0.5 * (a.astype(np.float64) @ b.astype(np.float64))), end=", ")
print(len(split.last_reports), "launches")

# CHECK: f8E4M3FN
try:
    lowp.compile(TEXT.replace("bf16", "f8E4M3FN"), target="gfx942")
except lowp.Error as error:
    print(error)
# CHECK: must have dtype bfloat16, but has float32
try:
    kernel.run(a.astype(np.float32), b, 0.5)
except lowp.Error as error:
    print(error)
# CHECK: done
print("done")
