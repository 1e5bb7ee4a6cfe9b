# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random schedules, compiled, run on the simulator with all checks, and compared with the reference.

    sweep.py LOWP-OPT LOWPC DIRECTORY --chip CHIP [--count N] [--seed S]

Draws schedules and problems for them, sizes that the tile divides only where the schedule asks for it, until N are legal: what
lowp-select-schedule refuses does not count. A legal schedule has to compile without spills and scratch, to end without a
finding, and to give the right result. Prints a table, one row a schedule, with the counts of its loop as `lowpc --report` has
them: of one wave and one trip; the least `vmcnt`; extra clocks of bank conflicts in the whole run. Whatever fails stays in
DIRECTORY with the command that repeats it. The exit code is 1 then.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys

# A kernel that compiles and runs takes seconds; one that takes so long hangs.
TIMEOUT = 300
FP8 = {"gfx942": ("f8E4M3FNUZ", "f8E5M2FNUZ"), "gfx950": ("f8E4M3FN", "f8E5M2")}
# M, N, K of matrix instructions by bytes of an element.
INSTRUCTIONS = {
    ("gfx942", 1): [(16, 16, 32), (32, 32, 16)],
    ("gfx942", 2): [(16, 16, 16), (32, 32, 8)],
    ("gfx950", 1): [(16, 16, 128), (32, 32, 64), (16, 16, 32), (32, 32, 16)],
    ("gfx950", 2): [(16, 16, 32), (32, 32, 16), (16, 16, 16), (32, 32, 8)],
}
KINDS = ["matrix", "lds_reads", "lds_writes", "lds_dma", "vmem_loads", "valu", "salu", "waits", "barriers", "accvgpr_copies"]
HEADING = ["", "problem", "schedule", "verdict", "VGPR+AGPR", "MFMA", "LDS reads", "writes", "DMA", "loads", "VALU", "SALU", "waits",
           "barriers", "copies", "least vmcnt", "spills", "scratch", "conflicts"]


class Draw:
    """One problem with a schedule, as likely legal as is simple."""

    def __init__(self, chip, dice):
        size = dice.choice((1, 1, 2))
        self.a = self.b = dice.choice(("bf16", "f16"))
        if size == 1:
            self.a, self.b = (dice.choice(FP8[chip]) for _ in range(2))
        self.result = dice.choice(("f32", "bf16", "f16"))
        # Operands along K first: the other forms take fewer schedules.
        self.transpose_a, self.transpose_b = dice.choices(((False, True), (False, False), (True, True), (True, False)), (8, 1, 1, 1))[0]
        shape = dice.choice(INSTRUCTIONS[chip, size])
        waves = dice.choices(((1, 1), (1, 2), (2, 1), (2, 2), (1, 4), (4, 1), (2, 4), (4, 2), (4, 4)), (1, 1, 1, 4, 2, 2, 6, 3, 1))[0]
        waves += (dice.choices((1, 2, 4), (8, 1, 1))[0],)
        order = dice.choice(("plain", "interleave", "interleave"))
        parts = dice.choice(((1, 1), (1, 2), (2, 1), (2, 2), (2, 2), (2, 4), (4, 2))) if order != "plain" or dice.random() < 0.2 else (1, 1)
        tile = [min(512, shape[i] * waves[i] * parts[i] * dice.choice((1, 1, 2, 2, 4))) for i in range(2)]
        tile.append(shape[2] * dice.choice((1, 1, 2, 4)))
        steps = dice.choice((1, 2, 4)) if order != "plain" else dice.choice((1, 1, 1, 2))
        staging = dice.choice(("registers", "direct", "none") if order == "plain" else ("registers", "direct"))
        access = 16 if staging == "direct" else dice.choice((16, 16, 8, 4, 0))
        result_access = dice.choice((0, 4, 8, 16))
        whole_k = dice.random() < 0.5
        self.fields = {
            "tile": tile, "waves": waves, "instruction": shape, "parts": parts, "steps": steps, "order": order,
            "stages": steps * dice.choice((1, 1, 2, 3)) if order != "plain" else dice.choice((1, 2, 2, 3, 4)), "staging": staging,
            "access": access, "result_access": result_access, "whole_k": whole_k, "xcds": dice.choice((1, 1, 2, 8)),
            "group": dice.choice((1, 1, 2, 3, 8))}
        self.sizes(dice, size)

    def sizes(self, dice, size):
        """Two or three tiles with a part of one; K of a few trips, a multiple of what the schedule asks for."""
        fields = self.fields
        trip = fields["tile"][2] * fields["waves"][2] * fields["steps"]
        fits = max(1, fields["access"] // size)
        columns = max(1, fields["result_access"] // (4 if self.result == "f32" else 2))
        # The innermost dimension of an operand is whole accesses.
        m = dice.randint(1, 2 * fields["tile"][0] + 30)
        n = dice.randint(1, 2 * fields["tile"][1] + 30)
        k = trip * dice.randint(1, 5) if fields["whole_k"] else dice.randint(1, 4 * trip + 20)
        unit = {"m": fits if self.transpose_a else 1, "n": max(columns, 1 if self.transpose_b else fits),
                "k": 1 if self.transpose_a and not self.transpose_b else fits}
        self.m, self.n, self.k = (-(-value // unit[name]) * unit[name] for name, value in (("m", m), ("n", n), ("k", k)))

    def arguments(self):
        """The sizes as lowpc's options."""
        at = {"arg0.0": self.m, "arg0.1": self.k, "arg1.1": self.n}
        if self.transpose_a:
            at["arg0.0"], at["arg0.1"] = self.k, self.m
        if self.transpose_b:
            at["arg1.0"] = at.pop("arg1.1")
        return [f"--size={name}={value}" for name, value in at.items()]

    def schedule(self):
        def text(value):
            return str(value).lower() if isinstance(value, bool) else "[" + ", ".join(map(str, value)) + "]" if isinstance(value, (list, tuple)) else str(value)
        return "#lowp.schedule<" + ", ".join(f"{name} = {text(value)}" for name, value in self.fields.items()) + ">"

    def brief(self):
        """The schedule in one cell of the table."""
        f = self.fields
        cross = "x".join
        words = [f["order"], f["staging"], cross(map(str, f["tile"])), "waves " + cross(map(str, f["waves"])),
                 cross(map(str, f["instruction"])), "parts " + cross(map(str, f["parts"]))]
        words += [f"{name} {f[name]}" for name in f if isinstance(f[name], int) and not isinstance(f[name], bool)]
        return " ".join(words + (["whole_k"] if f["whole_k"] else []))

    def problem(self):
        transposes = "".join("NT"[flag] for flag in (self.transpose_a, self.transpose_b))
        return f"{self.m}x{self.n}x{self.k} {self.a} {self.b} {self.result} {transposes}"

    def function(self, name):
        """With dynamic sizes: of few trips that are known LLVM would leave no loop."""
        a, b, d = f"tensor<?x?x{self.a}>", f"tensor<?x?x{self.b}>", f"tensor<?x?x{self.result}>"
        flags = " transpose_a" * self.transpose_a + " transpose_b" * self.transpose_b
        return (f"func.func @{name}(%a: {a}, %b: {b}) -> {d} {{\n"
                f"  %d = lowp.matmul %a, %b{flags} schedules = [\n    {self.schedule()}]\n    : {a}, {b} -> {d}\n  return %d : {d}\n}}\n")


def legal(opt, chip, draws):
    """Those that lowp-select-schedule lets through, all asked in one process."""
    text = "// -----\n".join(draw.function(f"draw{number}") for number, draw in enumerate(draws))
    done = subprocess.run([opt, "--split-input-file", f"--lowp-select-schedule=target={chip}", "-"], input=text, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
    passed = [draws[int(number)] for number in re.findall(r"func\.func @draw(\d+)", done.stdout)]
    if done.returncode < 0 or (not passed and "op schedule" not in done.stderr):
        raise SystemExit(f"lowp-opt failed with {done.returncode}: {done.stderr[:2000]}")
    return passed


def run(command):
    """(exit code, standard output, first error)"""
    try:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return -1, "", f"took longer than {TIMEOUT} seconds"
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    error = next((line.split("error: ")[1] for line in lines if "error: " in line), lines[0].strip() if lines else f"exit code {done.returncode}")
    return done.returncode, done.stdout, error


def measure(lowpc, chip, source, sizes):
    """(verdict, cells of the table, None or the command that shows what is wrong)"""
    command = [lowpc, source, f"--target={chip}"]
    code, output, error = run(command + ["--report=json"])
    spilled = code and "unless spills are allowed" in error
    if spilled:
        command.append("--allow-spills")
        code, output, error = run(command + ["--report=json"])
    if code:
        return "refused: " + error, [], command + ["--report"]
    report = next(report for report in json.loads(output) if report["variant"] == "custom")
    loop = report["loop"] or {"by_kind": {}, "vmcnt": {}}
    cells = [f"{report['vgprs']}+{report['agprs']}", *(loop["by_kind"].get(kind, "-") for kind in KINDS),
             min(map(int, loop["vmcnt"]), default="-"), report["vgpr_spills"] + report["sgpr_spills"], report["scratch_bytes"]]
    verify = command + ["--verify", "--variant=custom", *sizes]
    code, output, error = run(verify)
    line = next((line for line in output.splitlines() if "variant 'custom'" in line), "")
    conflicts = re.search(r"(\d+) bank conflict cycles", line)
    cells.append(conflicts[1] if conflicts else "-")
    if code:
        return "wrong: " + error, cells, verify
    if spilled:
        return "spills", cells, command + ["--report"]
    return "ok", cells, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("opt")
    parser.add_argument("lowpc")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--chip", required=True, choices=sorted(FP8))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(f"{options.seed} {options.chip}")
    options.directory.mkdir(parents=True, exist_ok=True)
    draws, drawn = [], 0
    while len(draws) < options.count:
        more = [Draw(options.chip, dice) for _ in range(8 * options.count)]
        drawn += len(more)
        draws += legal(options.opt, options.chip, more)
        if drawn > 1000 * options.count:
            raise SystemExit(f"only {len(draws)} of {drawn} schedules are legal")
    draws = draws[:options.count]
    print("| " + " | ".join(HEADING) + " |\n" + "|---" * len(HEADING) + "|")
    failures = []
    for number, draw in enumerate(draws):
        source = options.directory / f"{options.chip}-{options.seed}-{number}.mlir"
        source.write_text(draw.function("gemm"))
        verdict, cells, command = measure(options.lowpc, options.chip, source, draw.arguments())
        cells += ["-"] * (len(HEADING) - 4 - len(cells))
        print("| " + " | ".join(map(str, [number, draw.problem(), draw.brief(), verdict.split(":")[0], *cells])) + " |", flush=True)
        if command:
            failures.append(f"{number}: {verdict}\n    " + " ".join(map(str, command)))
        else:
            source.unlink()
    print("\n".join(["", *failures]))
    print(f"{options.chip}: {len(draws)} legal schedules of {drawn} drawn with seed {options.seed}, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
