# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Waits and barriers of a kernel, weakened one by one in its machine code: what survives is what the compiler calls slack.

    slack.py LOWPC DIRECTORY CLASS...

The classes are those of Integration/matmul-loops.mlir, three trips of one tile; the other tools stand beside lowpc. `sim-test mutate` raises each count of each s_waitcnt by one and drops
each s_barrier; `tile-verify-synchronization{slack}` marks the same in the IR. Barriers are matched by their place in the
order, counts by their number: LLVM has waits of its own between the compiler's, and none of them may survive.
"""

import argparse
import pathlib
import re
import subprocess
import sys

SCHEDULE = ("tile = [256, 256, {depth}], waves = [2, {waves}, 1], instruction = [16, 16, {k}], parts = [2, 2], steps = 2, order = {order}, "
            "stages = 2, staging = {staging}, access = 16, result_access = 8, whole_k = true")
# Chip, types of operands and result, order, waves along N, elements of K in a step and of the instruction.
CLASSES = {
    "fp8": ("gfx950", "f8_r", "bf16_r", "interleave", 4, 128, 128), "fp8x4": ("gfx950", "f8_r", "bf16_r", "interleave", 2, 128, 128),
    "fp8-pingpong": ("gfx950", "f8_r", "bf16_r", "pingpong", 4, 128, 128),
    "bf16": ("gfx950", "bf16_r", "bf16_r", "interleave", 4, 64, 32), "f16": ("gfx950", "f16_r", "f16_r", "interleave", 4, 64, 32),
    "old-fp8": ("gfx942", "f8_fnuz_r", "bf16_r", "interleave", 4, 64, 32),
    "old-fp8-pingpong": ("gfx942", "f8_fnuz_r", "bf16_r", "pingpong", 4, 64, 32),
    "old-bf16": ("gfx942", "bf16_r", "bf16_r", "interleave", 4, 32, 16), "old-f16": ("gfx942", "f16_r", "f16_r", "interleave", 4, 32, 16),
}


def options_of(name):
    """lowp-bench's options."""
    chip, operand, result, order, waves, depth, k = CLASSES[name]
    schedule = SCHEDULE.format(order=order, waves=waves, depth=depth, k=k, staging="direct" if chip == "gfx950" else "registers")
    return ["-m", "256", "-n", "256", "-k", str(6 * depth), "--transA", "T", "--a_type", operand, "--b_type", operand, "--d_type", result,
            "--target", chip, "--schedule-fields", schedule]


def marked(bin_folder, folder, options):
    """(whether each barrier is slack, counts of copies that are, counts of LDS accesses that are) in the kernel's IR"""
    source, pipelined = folder / "in.mlir", folder / "pipelined.mlir"
    target = options[options.index("--target") + 1]
    source.write_text(subprocess.run([bin_folder / "lowp-bench", *options, "--emit=mlir"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    subprocess.run([bin_folder / "lowpc", source, f"--target={target}", "--stop-after=pipelined", "-o", pipelined], check=True)
    text = subprocess.run([bin_folder / "lowp-opt", pipelined, "--pass-pipeline=builtin.module(tile.kernel(tile-verify-synchronization{slack=true}))"],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    kernel = text[text.index("tile.kernel @gemm.custom"):]
    kernel = kernel[:kernel.index("\n  }\n")]
    operations = re.findall(r"tile\.(wait|barrier|stagger)\b(.*)", kernel)
    slack = lambda rest: re.findall(r'"(\w+)"', rest)
    # Waves are staggered by a barrier more.
    return (["barrier" in slack(rest) for name, rest in operations if name != "wait"],
            sum("copies" in slack(rest) for name, rest in operations if name == "wait"),
            sum("local" in slack(rest) for name, rest in operations if name == "barrier"))


def survived(bin_folder, folder, options):
    """The same in the machine code, with the texts of the waits."""
    subprocess.run([bin_folder / "lowp-bench", *options, "--variant=custom", f"--emit-launch={folder / 'launch'}"], check=True,
                   stdout=subprocess.DEVNULL)
    text = subprocess.run([bin_folder / "sim-test", "mutate", "--verbose", "--require=barrier,vmcnt,lgkmcnt",
                           folder / "launch/custom/launch-1.json"], stdout=subprocess.PIPE, text=True).stdout
    mutants = [(kind, int(place, 16), verdict == "survived", what) for verdict, kind, place, what in
               re.findall(r"^(survived|noticed): (\w+) at file offset (0x\w+): (.*)", text, re.M)]
    if not mutants:
        raise SystemExit(text)
    print("\n".join(re.findall(r"^(?:barrier|vmcnt|lgkmcnt) .*noticed", text, re.M)))
    of = lambda kind: [(what, lives) for _, lives, what in sorted((place, lives, what) for k, place, lives, what in mutants if k == kind)]
    return [lives for _, lives in of("barrier")], [what for what, lives in of("vmcnt") if lives], [what for what, lives in of("lgkmcnt") if lives]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lowpc", type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("classes", nargs="+", choices=sorted(CLASSES))
    options = parser.parse_args()
    good = True
    for name in options.classes:
        folder = options.directory / name
        folder.mkdir(parents=True, exist_ok=True)
        print(name)
        barriers, copies, local = marked(options.lowpc.parent, folder, options_of(name))
        live_barriers, live_copies, live_local = survived(options.lowpc.parent, folder, options_of(name))
        same = barriers == live_barriers and copies == len(live_copies) and local == len(live_local)
        print(f"slack: {sum(barriers)} of {len(barriers)} barriers, {copies} counts of copies, {local} of LDS accesses")
        print(f"survived: {sum(live_barriers)} of {len(live_barriers)} barriers; vmcnt one higher: {live_copies}; lgkmcnt one higher: {live_local}")
        print(f"{name}: " + ("survivors are the slack" if same else "survivors and slack differ"), flush=True)
        good &= same
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
