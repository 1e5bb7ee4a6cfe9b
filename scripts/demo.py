# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles, runs and verifies a few problems with lowp-bench and prints one table. Usage: demo.py LOWP-BENCH

The problems are in hipblaslt-bench's words, so column-major: the M of a row-major kernel (tokens) is its n. They are chosen so
that every kind of variant occurs: large and aligned, few rows, and sizes and leading dimensions that nothing divides.
"""

import concurrent.futures
import csv
import io
import os
import subprocess
import sys
import time

E4M3 = {"gfx942": "f8_fnuz_r", "gfx950": "f8_r"}
E5M2 = {"gfx942": "bf8_fnuz_r", "gfx950": "bf8_r"}
BF16 = {"gfx942": "bf16_r", "gfx950": "bf16_r"}

# What it is, types of A and B, type of D, and the rest of the problem. A is the weight.
PROBLEMS = [
    ("fp8 e4m3", E4M3, E4M3, "bf16_r", "-m 512 -n 512 -k 1024 --transA T"),
    ("fp8 e4m3, 16 rows", E4M3, E4M3, "bf16_r", "-m 512 -n 16 -k 2048 --transA T"),
    ("fp8 e4m3, bias, gelu", E4M3, E4M3, "bf16_r",
     "-m 512 -n 256 -k 512 --transA T --bias_vector --activation_type gelu"),
    ("fp8 e5m2 x e4m3, odd", E5M2, E4M3, "f32_r", "-m 333 -n 100 -k 77 --transA T --lda 81 --ldb 79"),
    ("bf16", BF16, BF16, "bf16_r", "-m 512 -n 512 -k 512 --transA T"),
    ("bf16, 1 row", BF16, BF16, "bf16_r", "-m 512 -n 1 -k 1024 --transA T"),
    ("bf16, NN, odd", BF16, BF16, "bf16_r", "-m 129 -n 67 -k 131"),
]

# Heading, column of lowp-bench's CSV.
COLUMNS = [
    ("chip", "target"), ("variant", "variant"), ("VGPRs", "vgprs"), ("AGPRs", "agprs"), ("LDS", "lds"), ("spills", "spills"),
    ("conflicts", "bank_conflicts"), ("MFMAs", "mfma"), ("error", "error"), ("bound", "bound"), ("verdict", "verdict"),
]


class Failure(Exception):
    pass


def command(bench, chip, a, b, d, words):
    types = ["--a_type", a[chip], "--b_type", b[chip], "--c_type", d, "--d_type", d]
    return [bench, *words.split(), *types, "--target", chip, "--verify", "--seed", "1"]


def run(arguments):
    """The row of one problem, by column name. A failed verification still has one; anything else is a Failure."""
    done = subprocess.run(arguments, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    header = next((i for i, line in enumerate(lines) if line.startswith("transA,")), None)
    rows = list(csv.DictReader(io.StringIO("\n".join(lines[header:])))) if header is not None else []
    if not rows:
        raise Failure(f"{' '.join(arguments)}\n  exit code {done.returncode}: {done.stderr.strip() or 'no row of results'}")
    row = rows[-1]
    absent = [column for _, column in COLUMNS if column not in row]
    if absent:
        raise Failure(f"{' '.join(arguments)}\n  no column {', '.join(absent)}")
    if done.returncode and row["verdict"] == "ok":
        raise Failure(f"{' '.join(arguments)}\n  exit code {done.returncode}: {done.stderr.strip()}")
    return row


def cell(column, value):
    if column in ("error", "bound"):
        try:
            return f"{float(value):.2e}"
        except ValueError:
            pass
    return value


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    # Names to the left, numbers to the right.
    left = {0, 1, 2, len(widths) - 1}
    for number, row in enumerate(rows):
        cells = [text.ljust(w) if i in left else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("-" * w for w in widths))


def main(bench):
    start = time.monotonic()
    jobs = [(name, command(bench, chip, *problem)) for chip in ("gfx942", "gfx950") for name, *problem in PROBLEMS]
    rows, failures, bad = [["kernel", *(heading for heading, _ in COLUMNS)]], [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [(name, pool.submit(run, arguments)) for name, arguments in jobs]
        for name, future in futures:
            try:
                row = future.result()
            except Failure as failure:
                failures.append(str(failure))
                continue
            bad += row["verdict"] != "ok"
            rows.append([name, *(cell(column, row[column]) for _, column in COLUMNS)])
    print(f"== compiled, ran on the simulator and compared {len(rows) - 1} kernels ({time.monotonic() - start:.1f} s)\n")
    table(rows)
    print("\nLDS in bytes; conflicts: LDS cycles lost to bank conflicts; MFMAs: executed by all waves; error: largest difference from "
          "the exact result\nas a number, bound: what may be lost there, derived in docs/spec/verification.md.")
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    return 1 if failures or bad else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
