# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Waits and barriers of a kernel, weakened one by one in its machine code: what survives is what the compiler calls slack.

    slack.py LOWPC DIRECTORY VARIANT OPTIONS...

OPTIONS are lowp-bench's for the problem; the other tools stand beside lowpc. `sim-test mutate` raises each count of each s_waitcnt by one and drops
each s_barrier; `tile-verify-synchronization{slack}` marks the same in the IR. Barriers are matched by their place in the
order, counts by their number: LLVM has waits of its own between the compiler's, and none of them may survive.
"""

import pathlib
import re
import subprocess
import sys


def marked(bin_folder, folder, variant, options):
    """(whether each barrier is slack, counts of copies that are, counts of LDS accesses that are) in the kernel's IR"""
    source, pipelined = folder / "in.mlir", folder / "pipelined.mlir"
    target = options[options.index("--target") + 1]
    source.write_text(subprocess.run([bin_folder / "lowp-bench", *options, "--emit=mlir"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    subprocess.run([bin_folder / "lowpc", source, f"--target={target}", "--stop-after=pipelined", "-o", pipelined], check=True)
    text = subprocess.run([bin_folder / "lowp-opt", pipelined, "--pass-pipeline=builtin.module(tile.kernel(tile-verify-synchronization{slack=true}))"],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    kernel = text[text.index(f"tile.kernel @gemm.{variant}"):]
    kernel = kernel[:kernel.index("\n  }\n")]
    operations = re.findall(r"tile\.(wait|barrier)\b(.*)", kernel)
    slack = lambda rest: re.findall(r'"(\w+)"', rest)
    return (["barrier" in slack(rest) for name, rest in operations if name == "barrier"],
            sum("copies" in slack(rest) for name, rest in operations if name == "wait"),
            sum("local" in slack(rest) for name, rest in operations if name == "barrier"))


def survived(bin_folder, folder, variant, options):
    """The same in the machine code, with the texts of the waits."""
    subprocess.run([bin_folder / "lowp-bench", *options, f"--variant={variant}", f"--emit-launch={folder / 'launch'}"], check=True,
                   stdout=subprocess.DEVNULL)
    text = subprocess.run([bin_folder / "sim-test", "mutate", "--verbose", "--require=barrier,vmcnt,lgkmcnt",
                           folder / "launch" / variant / "launch-1.json"], stdout=subprocess.PIPE, text=True).stdout
    mutants = [(kind, int(place, 16), verdict == "survived", what) for verdict, kind, place, what in
               re.findall(r"^(survived|noticed): (\w+) at file offset (0x\w+): (.*)", text, re.M)]
    if not mutants:
        raise SystemExit(text)
    print("\n".join(re.findall(r"^(?:barrier|vmcnt|lgkmcnt) .*noticed", text, re.M)))
    of = lambda kind: [(what, lives) for _, lives, what in sorted((place, lives, what) for k, place, lives, what in mutants if k == kind)]
    return [lives for _, lives in of("barrier")], [what for what, lives in of("vmcnt") if lives], [what for what, lives in of("lgkmcnt") if lives]


def main():
    bin_folder, folder, variant, options = pathlib.Path(sys.argv[1]).parent, pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    folder.mkdir(parents=True, exist_ok=True)
    barriers, copies, local = marked(bin_folder, folder, variant, options)
    live_barriers, live_copies, live_local = survived(bin_folder, folder, variant, options)
    same = barriers == live_barriers and copies == len(live_copies) and local == len(live_local)
    print(f"slack: {sum(barriers)} of {len(barriers)} barriers, {copies} counts of copies, {local} of LDS accesses")
    print(f"survived: {sum(live_barriers)} of {len(live_barriers)} barriers; vmcnt one higher: {live_copies}; lgkmcnt one higher: {live_local}")
    print("survivors are the slack" if same else "survivors and slack differ")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
