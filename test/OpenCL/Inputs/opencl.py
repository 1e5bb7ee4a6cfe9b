# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs OpenCL C kernels that clang compiled on the simulator and compares what they leave with what numpy computes.

A test calls main(SOURCE, CASES): CASES(chip) gives the launches of one chip, each a Case with the arguments in order.
Every kernel runs as compiled for both chips at -O0, -O1 and -O3. It has to end, without any finding, with the outputs
expected: equal bit by bit, or within the bound that the test derives.

The command line is DIRECTORY SIM-TEST CLANG SEED; the code objects and launch files stay in DIRECTORY, so that a failing
one can be run by hand: lowp-run --launch DIRECTORY/gfx942-O3/NAME.json.
"""

import concurrent.futures
import dataclasses
import json
import pathlib
import subprocess
import sys

import numpy as np

CHIPS = ("gfx942", "gfx950")
LEVELS = ("O0", "O1", "O3")
# The wave orders in turn, so that each is used.
ORDERS = {"O0": [], "O1": ["--waves=shuffled:{seed}"], "O3": ["--waves=serial"]}


@dataclasses.dataclass
class In:
    data: np.ndarray


@dataclasses.dataclass
class Out:
    """A buffer that starts undefined, or with `initial`."""

    expected: np.ndarray
    bound: np.ndarray = None
    initial: np.ndarray = None


@dataclasses.dataclass
class Local:
    """Dynamic LDS: its address is the argument."""

    bytes: int


@dataclasses.dataclass
class Case:
    kernel: str
    grid: tuple
    block: tuple
    arguments: list
    name: str = None  # where a kernel has several cases
    check: object = None  # replaces the comparison: a function of the outputs that says what is wrong, or None


def launch(case, folder, code_object):
    buffers, kernarg, outputs, offset, dynamic = {}, [], {}, 0, 0
    name = case.name or case.kernel
    for number, argument in enumerate(case.arguments):
        label = f"{'abcdefgh'[number]}"
        if isinstance(argument, (In, Out)):
            offset = (offset + 7) // 8 * 8
            data = argument.data if isinstance(argument, In) else argument.initial
            size = (argument.data if isinstance(argument, In) else argument.expected).nbytes
            init = "uninitialised"
            if data is not None:
                init = f"{name}.{label}.bin"
                (folder / init).write_bytes(np.ascontiguousarray(data).tobytes())
            access = "read" if isinstance(argument, In) else "write" if data is None else "readwrite"
            buffers[label] = {"bytes": size, "init": init, "access": access}
            if isinstance(argument, Out):
                outputs[label] = f"{name}.{label}.out"
            kernarg.append({"offset": offset, "buffer": label})
            offset += 8
        elif isinstance(argument, Local):
            kernarg.append({"offset": offset, "type": "u32", "value": dynamic})
            dynamic += argument.bytes
            offset += 4
        else:
            value = np.asarray(argument)
            offset = (offset + value.nbytes - 1) // value.nbytes * value.nbytes
            kernarg.append({"offset": offset, "bytes": value.tobytes().hex()})
            offset += value.nbytes
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"code_object": code_object.name, "kernel": case.kernel, "grid": case.grid, "block": case.block,
                                "dynamic_lds": dynamic, "buffers": buffers, "kernarg": kernarg, "outputs": outputs}))
    return path, outputs


def compare(output, data):
    """What is wrong, or None."""
    if output.bound is None:
        raw = "u%d" % data.itemsize
        wrong = data.view(raw) != output.expected.view(raw) if data.dtype.kind == "f" else data != output.expected
        if data.dtype.kind == "f":  # any NaN is as good as another
            wrong &= ~(np.isnan(data) & np.isnan(output.expected))
    else:
        wrong = ~(np.abs(data.astype(float) - output.expected) <= output.bound)
    if not wrong.any():
        return None
    at = np.unravel_index(np.argmax(wrong), wrong.shape)
    return f"{wrong.sum()} of {wrong.size} values are wrong; at {tuple(map(int, at))} {data[at]!r}, expected {output.expected[at]!r}"


def test(source, cases, chip, level, tools):
    directory, sim_test, clang, seed = tools
    folder = directory / f"{chip}-{level}"
    folder.mkdir(parents=True, exist_ok=True)
    code_object = folder / (source.stem + ".co")
    # Divisions and square roots of floats are to be the exact ones, and atomics on floats single instructions.
    subprocess.run([clang, "--target=amdgcn-amd-amdhsa", "-nogpulib", "-xcl", "-cl-std=CL2.0", f"-mcpu={chip}", f"-{level}",
                    "-cl-fp32-correctly-rounded-divide-sqrt", "-munsafe-fp-atomics", "-ffp-contract=off", "-w",
                    f"-I{source.parent / 'Inputs'}", source, "-o", code_object], check=True)
    launches = [launch(case, folder, code_object) for case in cases]
    order = [option.format(seed=seed) for option in ORDERS[level]]
    run = subprocess.run([sim_test, "run", "--threads=1", *order, *(path for path, _ in launches)], stdout=subprocess.PIPE,
                         text=True, timeout=300)
    results = [json.loads(line) for line in run.stdout.splitlines()]
    faults = [] if run.returncode == 0 and len(results) == len(cases) else [f"sim-test ended with {run.returncode}"]
    instructions = 0
    for case, (path, outputs), result in zip(cases, launches, results):
        wrong = [result["error"]] if "error" in result else list(result["findings"])
        if not wrong and not result["completed"]:
            wrong = ["did not complete"]
        instructions += result.get("instructions", 0)
        if result.get("completed"):
            expected = [argument for argument in case.arguments if isinstance(argument, Out)]
            data = [np.frombuffer((folder / path).read_bytes(), out.expected.dtype).reshape(out.expected.shape)
                    for out, path in zip(expected, outputs.values())]
            wrong += filter(None, [case.check(*data)] if case.check else map(compare, expected, data))
        faults += [f"{chip} -{level} {case.name or case.kernel}: {text}" for text in wrong]
    return faults, len(results), instructions


def main(source, cases, chips=CHIPS, levels=LEVELS):
    directory, sim_test, clang, seed = sys.argv[1:]
    source = pathlib.Path(source)
    tools = (pathlib.Path(directory), sim_test, clang, int(seed))
    of_chip = {chip: cases(chip, np.random.default_rng(int(seed))) for chip in chips}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda config: test(source, of_chip[config[0]], *config, tools),
                             [(chip, level) for chip in chips for level in levels]))
    faults = [fault for part in done for fault in part[0]]
    # One error of a code object concerns every launch.
    faults = list({fault.split(": ", 1)[1]: fault for fault in reversed(faults)}.values())[::-1]
    print("\n".join(faults))
    print(f"{source.name}: seed {seed}, {sum(part[1] for part in done)} launches, {sum(part[2] for part in done)} instructions, "
          f"{len(faults)} faults")
    sys.exit(bool(faults))
