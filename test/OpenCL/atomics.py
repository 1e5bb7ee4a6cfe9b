# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %t sim-test %clang %{seed}
# REQUIRES: sim-test
import collections
import operator
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from opencl import Case, In, Out, main

TYPES = {"i32": np.int32, "u32": np.uint32, "i64": np.int64, "u64": np.uint64, "f32": np.float32, "f64": np.float64}
OPERATIONS = {"add": operator.add, "sub": operator.sub, "min": min, "max": max, "and": operator.and_, "or": operator.or_,
              "xor": operator.xor, "swap": lambda old, value: value, "inc": lambda old, value: 0 if old >= value else old + 1,
              "dec": lambda old, value: value if old == 0 or old > value else old - 1}
KERNELS = ("i32_add i32_min i32_max i32_sub u32_add u32_min u32_max u32_and u32_or u32_xor u32_swap u32_inc u32_dec i64_add i64_min "
           "i64_max i64_sub u64_add u64_min u64_max u64_and u64_or u64_xor u64_swap f32_add f32_min f32_max f64_add f64_min f64_max")


def results(name, initial, values):
    """The final cells; of operations that depend on the order, None."""
    operation, dtype = OPERATIONS[name.split("_")[1]], TYPES[name.split("_")[0]]
    if name.endswith(("swap", "inc", "dec")):
        return None
    cells = initial.tolist()
    for i, value in enumerate(values.tolist()):
        cells[i % 8] = operation(cells[i % 8], value)
    if dtype in (np.float32, np.float64):
        return np.array(cells, dtype)
    bits = 8 * np.dtype(dtype).itemsize
    return np.array([c & (1 << bits) - 1 for c in cells], f"u{bits // 8}").view(dtype)


def chain(name, initial, values):
    """Whatever the order: the operations on a cell lead from its initial to its final value. So the values that they found,
    and the final one, are the initial one and the values that they left."""
    operation, dtype = OPERATIONS[name.split("_")[1]], TYPES[name.split("_")[0]]
    bits = 8 * np.dtype(dtype).itemsize

    def left_by(found, value):
        left = operation(found, value)
        return left & (1 << bits) - 1 if dtype in (np.uint32, np.uint64) else left

    def check(final, old):
        for cell in range(8):
            found, given = old[cell::8].tolist(), values[cell::8].tolist()
            left = [left_by(f, v) for f, v in zip(found, given)]
            if collections.Counter(found + [final[cell].item()]) != collections.Counter([initial[cell].item()] + left):
                return f"the values of cell {cell} do not form a chain"
        return None

    return check


def cases(chip, draw):
    result = []
    for name in KERNELS.split():
        dtype = TYPES[name.split("_")[0]]
        small = name.endswith(("inc", "dec"))
        low = 0 if dtype in (np.uint32, np.uint64) else -(1 << 20)
        values = (draw.integers(2, 9, 256) if small else draw.integers(low, 1 << 20, 256)).astype(dtype)
        if dtype in (np.uint32, np.int64) and name.endswith("add"):
            values <<= dtype(11)
        initial = draw.integers(0, 1 << 20, 8).astype(dtype)
        if small:
            initial %= dtype(5)
        for kind, count, grid in (("global", 256, 4), ("local", 128, 1)):
            block = 128 if kind == "local" else 64
            given = values[:count]
            final = results(name, initial, given)
            if final is not None:
                result.append(Case(f"{name}_{kind}", (grid,), (block,), [Out(final, initial=initial), In(given)]))
            result.append(Case(f"{name}_{kind}_old", (grid,), (block,),
                               [Out(initial, initial=initial), In(given), Out(np.zeros(count, dtype))], check=chain(name, initial, given)))
    for kernel, dtype, count, block in (("product32", np.uint32, 128, 64), ("product64", np.uint64, 128, 64), ("product_local", np.uint64, 128, 128)):
        factors = (draw.integers(0, 1 << 20, count) * 2 + 1).astype(dtype)
        product = np.array([np.prod(factors, dtype=dtype) * dtype(3)])
        result.append(Case(kernel, (count // block,), (block,), [Out(product, initial=np.array([3], dtype)), In(factors)]))
    return result


np.seterr(over="ignore")
main(__file__.replace(".py", ".cl"), cases)
