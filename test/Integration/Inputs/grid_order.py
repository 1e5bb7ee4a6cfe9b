# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of docs/grid-order.md: how many cache lines each die has to fetch, by the order of workgroups.

    grid_order.py LOWPC LOWP-RUN DIRECTORY DOCUMENT

Compares the model with what the simulator counts in compiled kernels, die by die and round by round, and the table of the document
with the model. The order is written here a second time, from its definition.
"""

import json
import pathlib
import subprocess
import sys

DIES, LINE = 8, 128


def tile_of(number, tiles_m, tiles_n, xcds, group):
    """The tile of a workgroup. Dies take workgroups in turn; with `xcds` each gets one stretch of the order of tiles, the first
    ones a tile more where they do not divide. The order goes column by column through groups of rows."""
    if xcds > 1:
        tiles = tiles_m * tiles_n
        stretches, begin = [], 0
        for die in range(xcds):
            stretches.append(begin)
            begin += tiles // xcds + (die < tiles % xcds)
        number = stretches[number % xcds] + number // xcds
    first = number // (group * tiles_n) * group
    rows = min(group, tiles_m - first)
    inside = number - first * tiles_n
    return first + inside % rows, inside // rows


def lines(m, n, row_bytes, tile, xcds, group, resident):
    """Distinct lines by round and die: the rows of A and columns of B that its tiles need, row_bytes of K each."""
    tiles_m, tiles_n = -(-m // tile[0]), -(-n // tile[1])
    rounds = []
    for begin in range(0, tiles_m * tiles_n, resident):
        dies = [(set(), set()) for _ in range(DIES)]
        for number in range(begin, min(begin + resident, tiles_m * tiles_n)):
            row, column = tile_of(number, tiles_m, tiles_n, xcds, group)
            dies[number % DIES][0].add(row)
            dies[number % DIES][1].add(column)
        rounds.append([(sum(min(tile[0], m - row * tile[0]) for row in rows) +
                        sum(min(tile[1], n - column * tile[1]) for column in columns)) * row_bytes // LINE for rows, columns in dies])
    return rounds


SOURCE = """func.func @gemm(%a: tensor<{m}x{k}x{t}>, %b: tensor<{n}x{k}x{t}>) -> tensor<{m}x{n}xf32> {{
  %d = lowp.matmul %a, %b transpose_b schedules = [#lowp.schedule<
      tile = [{tm}, {tn}, {tk}], waves = [1, 2, 1], instruction = [16, 16, {tk}], stages = 2, staging = registers, access = 16,
      result_access = 4, xcds = {xcds}, group = {group}>]
    : tensor<{m}x{k}x{t}>, tensor<{n}x{k}x{t}> -> tensor<{m}x{n}xf32>
  return %d : tensor<{m}x{n}xf32>
}}
"""
# Chip, M, N, K in bytes, xcds, group, workgroups of a round; tiles of 32 x 64. Tiles that 8, the group and the round divide; all
# kinds of remainders; fewer tiles than dies; one row, one column of tiles.
CASES = [
    ("gfx950", 512, 1024, 256, 1, 1, 64), ("gfx950", 512, 1024, 256, 8, 1, 64), ("gfx950", 512, 1024, 256, 8, 8, 64),
    ("gfx942", 600, 815, 128, 1, 1, 56), ("gfx942", 600, 815, 128, 8, 1, 56), ("gfx942", 600, 815, 128, 8, 4, 56),
    ("gfx942", 601, 812, 384, 2, 3, 304), ("gfx950", 65, 66, 128, 8, 8, 256), ("gfx950", 30, 2300, 128, 8, 8, 16),
    ("gfx942", 1200, 60, 128, 8, 8, 16),
]


def counted(lowpc, lowp_run, directory, chip, m, n, row_bytes, xcds, group, resident):
    source, code, report = (directory / name for name in ("in.mlir", "out.hsaco", "report.json"))
    kind, depth = ("f8E4M3FN", 128) if chip == "gfx950" else ("f8E4M3FNUZ", 32)
    source.write_text(SOURCE.format(m=m, n=n, k=row_bytes, t=kind, tm=32, tn=64, tk=depth, xcds=xcds, group=group))
    subprocess.run([lowpc, source, f"--target={chip}", "-o", code], check=True)
    subprocess.run([lowp_run, code, "--variant=custom", f"--l2-lines={resident}", f"--report={report}"], check=True,
                   stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())["l2_lines"]["rounds"]


def table():
    """What the orders cost: 256 x 256 tiles of fp8, K = 4096, one workgroup on each compute unit."""
    rows = ["| M x N | chip | tiles | rounds | in turn, row by row | a stretch for each die | groups of 4 | groups of 8 | groups of 16 |",
            "|---|---|---|---|---|---|---|---|---|"]
    for m, n in ((4096, 4096), (8192, 8192), (4096, 14336), (16384, 2304), (5120, 6400)):
        for chip, resident in (("gfx942", 304), ("gfx950", 256)):
            cells = []
            for xcds, group in ((1, 1), (8, 1), (8, 4), (8, 8), (8, 16)):
                rounds = lines(m, n, 4096, (256, 256), xcds, group, resident)
                cells.append(sum(map(sum, rounds)) / 2**20)
            tiles = f"{-(-m // 256)} x {-(-n // 256)}"
            shares = " | ".join(f"{cell / cells[0]:.2f}" for cell in cells[1:])
            rows.append(f"| {m} x {n} | {chip} | {tiles} | {len(rounds)} | {cells[0]:.2f} M | {shares} |")
    return rows


def main():
    lowpc, lowp_run, directory, document = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    directory.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for case in CASES:
        chip, m, n, row_bytes, xcds, group, resident = case
        model = lines(m, n, row_bytes, (32, 64), xcds, group, resident)
        found = counted(lowpc, lowp_run, directory, *case)
        wrong += model != found
        print(case, "lines", sum(map(sum, found)), "as the model says" if model == found else f"but the model says {model} and not {found}")
    missing = [row for row in table() if row not in document.read_text().splitlines()]
    for row in missing:
        print(f"{document} has no line\n{row}")
    print(f"{len(CASES)} cases, {wrong} wrong; {len(missing)} lines of the table wrong")
    sys.exit(1 if wrong or missing else 0)


if __name__ == "__main__":
    main()
