#!/usr/bin/python3
# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compiling costs: CPU time and peak memory of whole processes, and other compilers' as ratios within the same run.

    ./benchmarks/compile.py [--build DIR] [--repeat N] [--kernels N] [--peers]

One large product, 4096 x 4096 x 4096: a cold compiler process, the median of N runs; lowp writes all variants of it, the others one
kernel. Then many kernels of different shapes and types in one process on two threads, CPU time of each. Seconds are those of this
machine; ratios compare commands of one run. With --peers Triton and IREE are installed from PyPI into DIR/peers/venv; neither
needs a GPU to compile. Their processes are counted whole, and without what starting and importing costs.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FP8 = {"gfx942": "f8E4M3FNUZ", "gfx950": "f8E4M3FN"}
PEERS = ["triton==3.9.0", "iree-base-compiler==3.13.0", "numpy"]
MATMUL = """func.func @gemm{number}(%a: tensor<{m}x{k}x{t}>, %b: tensor<{n}x{k}x{t}>) -> tensor<{m}x{n}x{d}> {{
  %d = lowp.matmul %a, %b transpose_b : tensor<{m}x{k}x{t}>, tensor<{n}x{k}x{t}> -> tensor<{m}x{n}x{d}>
  return %d : tensor<{m}x{n}x{d}>
}}
"""
IREE = """func.func @gemm{number}(%a: tensor<{m}x{k}x{t}>, %b: tensor<{n}x{k}x{t}>) -> tensor<{m}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}x{n}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%a, %b : tensor<{m}x{k}x{t}>, tensor<{n}x{k}x{t}>) outs(%init : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %d : tensor<{m}x{n}xf32>
}}
"""
LARGE = {"number": "", "m": 4096, "n": 4096, "k": 4096}
# What a process of many kernels runs: the texts are in a folder, one file each.
MANY_LOWP = """
import pathlib, sys
from concurrent.futures import ThreadPoolExecutor
import lowp
texts = [file.read_text() for file in sorted(pathlib.Path(sys.argv[2]).iterdir())]
with ThreadPoolExecutor(2) as pool:
    assert all(kernel.hsaco for kernel in pool.map(lambda text: lowp.compile(text, sys.argv[1]), texts))
"""


def problems(chip, count):
    """Shapes and types that all differ."""
    kinds = [FP8[chip], "bf16", "f16"]
    return [{"number": i, "m": 256 * (1 + i % 16), "n": 128 * (3 + i // 3), "k": 512 * (1 + i % 7), "t": kinds[i % 3]} for i in range(count)]


def cost(command, repeat=1, environment=None):
    """CPU seconds and peak MiB of a process and its children; the median, the largest."""
    times, peak = [], 0
    for _ in range(repeat):
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"failed: {' '.join(map(str, command))}")
        times.append(usage.ru_utime + usage.ru_stime)
        peak = max(peak, usage.ru_maxrss / 1024)
    return statistics.median(times), peak


def write_all(folder, template, chip, count, result):
    folder.mkdir(parents=True)
    for problem in problems(chip, count):
        (folder / f"{problem['number']:03}.mlir").write_text(template.format(**problem, d=result))
    return folder


def install_peers(build):
    python = build / "peers/venv/bin/python3"
    if not python.exists():
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--system-site-packages", build / "peers/venv"], check=True)
    if subprocess.run([python, "-c", "import triton, iree.compiler"], stderr=subprocess.DEVNULL).returncode:
        subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *PEERS], check=True)
    return python


class Lowp:
    name = "lowp"

    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def start(self):
        return [self.options.build / "bin/lowpc", "--version"]

    def large(self, chip, kind):
        source = self.folder / f"large.{kind}.mlir"
        source.write_text(MATMUL.format(**LARGE, t=kind, d="bf16"))
        return [self.options.build / "bin/lowpc", source, f"--target={chip}", "-o", self.folder / "large.hsaco"]

    def many(self, chip, count):
        texts = write_all(self.folder / f"lowp.{chip}.{count}", MATMUL, chip, count, "bf16")
        return ["/usr/bin/python3", "-c", MANY_LOWP, chip, texts]

    def environment(self):
        return {"PYTHONPATH": str(self.options.build / "python")}


class Triton:
    """Its matrix product of benchmarks/peers with 256 x 256 x 64 tiles by 8 warps."""
    name = "Triton"
    program = ROOT / "benchmarks/peers/compile_triton.py"

    def __init__(self, python, folder):
        self.python, self.folder, self.runs = python, folder, 0

    def start(self):
        return [self.python, self.program]

    def large(self, chip, kind):
        return [self.python, self.program, chip, f"4096x4096x4096x{kind}"]

    def many(self, chip, count):
        return [self.python, self.program, chip, *("{m}x{n}x{k}x{t}".format(**problem) for problem in problems(chip, count))]

    def environment(self):
        self.runs += 1 # each process its own cache: cold
        return {"TRITON_CACHE_DIR": str(self.folder / f"triton.{self.runs}"), "TRITON_DEFAULT_FP_FUSION": "1"}


class Iree:
    name = "IREE"

    def __init__(self, python, folder):
        self.compiler, self.folder = python.parent / "iree-compile", folder

    def start(self):
        return [self.compiler, "--version"]

    def command(self, chip, source):
        # Two threads, as for the others.
        return ["taskset", "-c", "0,1", self.compiler, "--iree-hal-target-device=hip", f"--iree-rocm-target={chip}", source,
                "-o", self.folder / "out.vmfb"]

    def large(self, chip, kind):
        source = self.folder / f"iree.{kind}.mlir"
        source.write_text(IREE.format(**LARGE, t=kind))
        return self.command(chip, source)

    def many(self, chip, count):
        source = self.folder / f"iree.{chip}.{count}.mlir"
        source.write_text("".join(IREE.format(**problem) for problem in problems(chip, count)))
        return self.command(chip, source)

    def environment(self):
        return {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--kernels", type=int, default=100)
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    if not (options.build / "bin/lowpc").exists():
        parser.error(f"--build: there is no {options.build / 'bin/lowpc'}; ./scripts/build makes it")
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        compilers = [Lowp(options, folder)]
        if options.peers:
            python = install_peers(options.build)
            compilers += [Triton(python, folder), Iree(python, folder)]
        starts = {c.name: cost(c.start(), options.repeat, c.environment())[0] for c in compilers}
        print("| one product, 4096 x 4096 x 4096 | compiler | CPU s | without start | peak MiB | of lowp's | memory of lowp's |\n"
              "|---|---|---|---|---|---|---|")
        for chip in FP8:
            for kind in (FP8[chip], "bf16"):
                own = None
                for compiler in compilers:
                    command = compiler.large(chip, kind)
                    # A cache must be cold in every run.
                    runs = [cost(command, 1, compiler.environment()) for _ in range(options.repeat)]
                    seconds, peak = statistics.median(run[0] for run in runs), max(run[1] for run in runs)
                    own = own or (seconds, peak)
                    print(f"| {kind} for {chip} | {compiler.name} | {seconds:.2f} | {seconds - starts[compiler.name]:.2f} | {peak:.0f} | "
                          f"{seconds / own[0]:.1f} | {peak / own[1]:.1f} |", flush=True)
        print(f"\n| {options.kernels} kernels in one process, two threads | compiler | CPU s of one | peak MiB | of lowp's |\n|---|---|---|---|---|")
        for chip in FP8:
            own = None
            for compiler in compilers:
                seconds, peak = cost(compiler.many(chip, options.kernels), 1, compiler.environment())
                each = seconds / options.kernels
                own = own or each
                print(f"| different shapes and types for {chip} | {compiler.name} | {each:.3f} | {peak:.0f} | {each / own:.1f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
