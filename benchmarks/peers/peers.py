# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the Triton kernels for both chips, without a GPU, runs them with lowp-run and compares with numpy.

Usage: peers.py LOWP-RUN DIRECTORY. The code objects, launch files and reports stay in DIRECTORY. The exit code is 1 when a
kernel has a finding or a wrong result.
"""

import json
import pathlib
import subprocess
import sys

import kernels
import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

CHIPS = ("gfx942", "gfx950")
SEED = 20261130


def bf16(x):
    """Nearest, ties to even: as numbers, and as the 16 bits that hold them."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)
    return bits.view(np.float32), (bits >> 16).astype(np.uint16)


def fp8(chip, x):
    """Small integers as E4M3: FNUZ with a bias of 8 on gfx942, OCP with 7 on gfx950."""
    sign, exact = np.signbit(x), np.abs(x).astype(float)
    mantissa, exponent = np.frexp(np.where(exact == 0, 1, exact))
    code = (exponent - 1 + (8 if chip == "gfx942" else 7) << 3) + ((2 * mantissa - 1) * 8).astype(int)
    return np.where(exact == 0, 0, code | sign.astype(int) << 7).astype(np.uint8)


def softmax_case(chip, draw):
    x = draw.normal(0, 3, (64, 781)).astype(np.float32)
    e = np.exp(x.astype(float) - x.max(1, keepdims=True))
    exact = e / e.sum(1, keepdims=True)
    # Two exponentials of 3 ulp with arguments off by 2^-24 of themselves, 781 additions, a division of 2.5 ulp.
    bound = exact * (2 * (x.max() - x.min()) + 12 + 781 + 6) * 2.0**-24
    return dict(fn=kernels.softmax, signature={"y": "*fp32", "x": "*fp32", "n": "i32"}, constants={"BLOCK": 1024}, grid=64,
                arguments=[("out", exact, np.float32, bound), ("in", x), np.int32(781)])


def matmul_case(kind):
    def case(chip, draw):
        m, n, k = 200, 136, 320
        # Small integers: sums are exact in any order.
        a, b = draw.integers(-4, 5, (m, k)), draw.integers(-4, 5, (k, n))
        encode = {"fp16": lambda x: x.astype(np.float16), "bf16": lambda x: bf16(x)[1], "fp8": lambda x: fp8(chip, x),
                  "i8": lambda x: x.astype(np.int8)}[kind]
        name = {"fp8": "fp8e4b8" if chip == "gfx942" else "fp8e4nv"}.get(kind, kind)
        exact = (a @ b).astype(float)
        return dict(fn=kernels.matmul,
                    signature={"a": f"*{name}", "b": f"*{name}", "c": "*i32" if kind == "i8" else "*fp32", "M": "i32", "N": "i32", "K": "i32"},
                    constants={"BM": 64, "BN": 64, "BK": 64, "ACC": tl.int32 if kind == "i8" else tl.float32}, grid=4 * 3,
                    arguments=[("in", encode(a)), ("in", encode(b)), ("out", exact, np.int32 if kind == "i8" else np.float32, np.zeros_like(exact)),
                               np.int32(m), np.int32(n), np.int32(k)])
    return case


def attention_case(chip, draw):
    s, d = 200, 64
    (q, qb), (k, kb), (v, vb) = (bf16(draw.normal(0, 1, (s, d))) for _ in range(3))
    scale = np.float32(d**-0.5)
    score = q.astype(float) @ k.astype(float).T * scale
    p = np.exp(score - score.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    exact = p @ v.astype(float)
    # The probabilities are rounded to bf16 (2^-8 of each), sums of floats are far below that.
    bound = p @ np.abs(v.astype(float)) * (2.0**-8 + 2.0**-14)
    return dict(fn=kernels.attention, signature={**{x: "*bf16" for x in "qkv"}, "o": "*fp32", "S": "i32", "scale": "fp32"},
                constants={"BM": 64, "BN": 64, "D": d}, grid=4,
                arguments=[("in", qb), ("in", kb), ("in", vb), ("out", exact, np.float32, bound), np.int32(s), scale])


CASES = {"softmax fp32": softmax_case, "attention bf16": attention_case,
         **{f"matmul {kind}": matmul_case(kind) for kind in ("fp16", "bf16", "fp8", "i8")}}


def launch(folder, compiled, case):
    """Writes the launch file. Triton's shared memory is dynamic; after the arguments come two pointers to scratch, null."""
    buffers, kernarg, outputs, offset = {}, [], {}, 0
    for number, argument in enumerate(case["arguments"]):
        name = f"b{number}"
        if not isinstance(argument, tuple):
            offset = -(-offset // argument.nbytes) * argument.nbytes
            kernarg.append({"offset": offset, "bytes": argument.tobytes().hex()})
            offset += argument.nbytes
            continue
        if argument[0] == "in":
            (folder / f"{name}.bin").write_bytes(np.ascontiguousarray(argument[1]).tobytes())
            buffers[name] = {"bytes": argument[1].nbytes, "init": f"{name}.bin", "access": "read"}
        else:
            size = argument[1].size * np.dtype(argument[2]).itemsize
            buffers[name] = {"bytes": size, "init": "uninitialised", "access": "write"}
            outputs[name] = f"{name}.out"
        offset = -(-offset // 8) * 8
        kernarg.append({"offset": offset, "buffer": name})
        offset += 8
    kernarg.append({"offset": -(-offset // 8) * 8, "bytes": "00" * 16})
    (folder / "k.co").write_bytes(compiled.asm["hsaco"])
    (folder / "k.json").write_text(json.dumps({
        "code_object": "k.co", "kernel": compiled.metadata.name, "grid": [case["grid"]], "block": [compiled.metadata.num_warps * 64],
        "dynamic_lds": compiled.metadata.shared, "buffers": buffers, "kernarg": kernarg, "outputs": outputs}, indent=1))


def run(lowp_run, folder, case):
    """(findings, whether right, instructions, matrix instructions)"""
    report = folder / "report.json"
    done = subprocess.run([lowp_run, "--launch", folder / "k.json", f"--report={report}"], capture_output=True, text=True)
    if not report.exists():
        return done.stderr.strip() or "no report", False, 0, 0
    result = json.loads(report.read_text())
    findings = ", ".join(sorted({finding["kind"] for finding in result["findings"]})) or "none"
    right = result["completed"]
    for number, argument in enumerate(case["arguments"]):
        if right and isinstance(argument, tuple) and argument[0] == "out":
            got = np.frombuffer((folder / f"b{number}.out").read_bytes(), argument[2]).reshape(argument[1].shape)
            right = bool((np.abs(got - argument[1]) <= argument[3]).all())
    return findings, right, result["counters"]["instructions"], result["counters"]["mfma"]


def main():
    lowp_run, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    print(f"Triton {triton.__version__}, seed {SEED}")
    row = "{:<15} {:<7} {:<9} {:<6} {:>13} {:>8}"
    print(row.format("kernel", "chip", "findings", "right", "instructions", "MFMA"))
    good = True
    for name, make in CASES.items():
        for chip in CHIPS:
            case = make(chip, np.random.default_rng(SEED))
            source = ASTSource(fn=case["fn"], signature={**case["signature"], **{c: "constexpr" for c in case["constants"]}},
                               constexprs=case["constants"])
            compiled = triton.compile(source, target=GPUTarget("hip", chip, 64), options={"num_warps": 4})
            folder = directory / f"{name.replace(' ', '-')}-{chip}"
            folder.mkdir(parents=True, exist_ok=True)
            launch(folder, compiled, case)
            findings, right, instructions, matrix = run(lowp_run, folder, case)
            good &= right and findings == "none"
            print(row.format(name, chip, findings, "yes" if right else "NO", instructions, matrix), flush=True)
    sys.exit(0 if good else 1)


main()
