# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles Triton's product for each problem, on two threads, and does nothing with it; benchmarks/compile.py takes the time.

Usage: compile_triton.py [CHIP MxNxKxTYPE...], the types by MLIR's names. Sizes are constants of the kernel. Without arguments it
only imports.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import kernels
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile

TYPES = {"f8E4M3FN": "fp8e4nv", "f8E4M3FNUZ": "fp8e4b8", "bf16": "bf16", "f16": "fp16"}


def compile_one(chip, problem):
    *sizes, kind = problem.split("x")
    constants = {**dict(zip("MNK", map(int, sizes))), "BM": 256, "BN": 256, "BK": 64, "ACC": tl.float32}
    signature = {"a": f"*{TYPES[kind]}", "b": f"*{TYPES[kind]}", "c": "*fp32", **{name: "constexpr" for name in constants}}
    source = ASTSource(fn=kernels.matmul, signature=signature, constexprs=constants)
    assert compile(source, target=GPUTarget("hip", chip, 64), options={"num_warps": 8}).asm["hsaco"]


if len(sys.argv) > 1:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda problem: compile_one(sys.argv[1], problem), sys.argv[2:]))
