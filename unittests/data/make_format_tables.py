#!/usr/bin/env python3
# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes format_tables.txt: what the Python package ml_dtypes (and numpy for f16) makes of every code, and of inputs
around every tie. lowp's formats are tested against this file, so that the test needs no Python package.

    python3 -m venv venv && venv/bin/pip install ml_dtypes numpy
    venv/bin/python make_format_tables.py > format_tables.txt
"""
import ml_dtypes
import numpy as np

# MLIR's name: (numpy type, bits, every how manyth code has its neighbourhood written out)
FORMATS = {
    "f8E4M3FN": (ml_dtypes.float8_e4m3fn, 8, 1),
    "f8E5M2": (ml_dtypes.float8_e5m2, 8, 1),
    "f8E4M3FNUZ": (ml_dtypes.float8_e4m3fnuz, 8, 1),
    "f8E5M2FNUZ": (ml_dtypes.float8_e5m2fnuz, 8, 1),
    "f6E2M3FN": (ml_dtypes.float6_e2m3fn, 6, 1),
    "f6E3M2FN": (ml_dtypes.float6_e3m2fn, 6, 1),
    "f4E2M1FN": (ml_dtypes.float4_e2m1fn, 4, 1),
    "f8E8M0FNU": (ml_dtypes.float8_e8m0fnu, 8, 1),
    "bf16": (ml_dtypes.bfloat16, 16, 97),
    "f16": (np.float16, 16, 97),
}
EXTRA = [0.0, 2.0**-149, 2.0**-127, 2.0**-126, 1e-30, 0.3, 1e6, 3e38, 3.4028234663852886e38, np.inf, np.nan]


def bits(values):
    return np.asarray(values, dtype=np.float32).view(np.uint32)


def encode(values, dtype, width):
    code = np.uint16 if width == 16 else np.uint8
    with np.errstate(all="ignore"):
        return np.asarray(values, dtype=np.float32).astype(dtype).view(code)


def lines(items, per_line):
    for i in range(0, len(items), per_line):
        print(" ".join(items[i : i + per_line]))


def main():
    print(f"# Made by make_format_tables.py with ml_dtypes {ml_dtypes.__version__}, numpy {np.__version__}.")
    print("# format NAME BITS")
    print("# decode: the value of each code in order, as the bits of an f32 (16-bit formats: every 97th code)")
    print("# encode: f32 bits:code of +x:code of -x (no saturation)")
    for name, (dtype, width, step) in FORMATS.items():
        all_codes = np.arange(2**width, dtype=np.uint16 if width == 16 else np.uint8)
        values = all_codes.view(dtype).astype(np.float32)
        print(f"format {name} {width} {step}")
        print("decode")
        lines([f"{b:08x}" for b in bits(values[::step])], 12)

        positive = values[: len(values) // 2] if name != "f8E8M0FNU" else values
        finite = positive[np.isfinite(positive)].astype(np.float64)
        picked = np.arange(0, len(finite) - 1, step)
        low, high = finite[picked], finite[picked + 1]
        middle = ((low + high) / 2).astype(np.float32)
        overflow = np.float32(finite[-1] + (finite[-1] - finite[-2]) / 2) if name != "f8E8M0FNU" else np.float32(np.inf)
        around = []
        for tie in [*middle, overflow]:
            around += [np.nextafter(tie, np.float32(0)), tie, np.nextafter(tie, np.float32(np.inf))]
        inputs = np.array([*finite[picked], finite[-1], *around, *EXTRA], dtype=np.float32)
        plus, minus = encode(inputs, dtype, width), encode(-inputs, dtype, width)
        print("encode")
        lines([f"{b:08x}:{p:x}:{m:x}" for b, p, m in zip(bits(inputs), plus, minus)], 7)


if __name__ == "__main__":
    main()
