# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %t sim-test %clang %{seed}
# REQUIRES: sim-test
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from opencl import Case, In, Out, main

N = 128


def wrap(value, bits=32):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def collatz(x):
    steps = 0
    while x != 1:
        x, steps = (3 * x + 1 if x & 1 else x // 2), steps + 1
    return steps


def remainder(a, b):
    """C's: the sign of the dividend."""
    return abs(a) % b * (-1 if a < 0 else 1)


def switches(x):
    y, kind = x >> 4, x & 15
    if kind == 0:
        y += 1
    elif kind == 1:
        y = (y - 17) * 3
    elif kind == 2:
        y *= 3
    elif kind == 3:
        i = 0
        while i < (y & 7):
            y, i = y ^ i << 3, i + 1
    elif kind == 7:
        y = ~y
    elif kind in (8, 9):
        y = y + 100 if y & 1 else y - 100
    elif kind == 13:
        y = remainder(y, 11)
    else:
        y = -y
    return wrap(y)


def loops(x, n):
    total = 0
    for i in range(n):
        if remainder(x + i, 5) == 0:
            continue
        j = i
        while (x ^ j) & 7 != 3:
            total += j * i
            if total > 400:
                return -total
            j += 1
    return total


def calls(x):
    def leaf(v):
        return wrap(v * v + 1)

    def branch(v):
        return wrap(leaf(v) - leaf(v + 1)) if v & 1 else leaf(v ^ 7)

    values = [wrap(x * i ^ i) for i in range(12)]
    total = (x - 5) * (x + 5) + x * 0x100000001 + sum(wrap(v * (i + 1)) for i, v in enumerate(values))
    # a: x but for its last element; b: x + 1 but for element 14. Products of ints are ints.
    total += wrap(x * 3) + wrap(leaf(x) * 5) + wrap((x + 1) * 7) + wrap(branch(x) * 11)
    if remainder(x, 3) == 0:
        total += branch(int(x / 3))
    return wrap(total, 64)


def mandelbrot(index, width):
    def divide(a, b):
        return abs(a) // b * (-1 if a < 0 else 1)

    cr = divide((index % width) * (3 << 20), width) - (2 << 20)
    ci = divide((index // width) * (2 << 20), width) - (1 << 20)
    zr = zi = i = 0
    while i < 40 and zr * zr + zi * zi < 4 << 40:
        zr, zi, i = (zr * zr - zi * zi >> 20) + cr, (2 * zr * zi >> 20) + ci, i + 1
    return i


def cases(chip, draw):
    small = draw.integers(1, 3000, N).astype(np.uint32)
    words = draw.integers(-5000, 5000, N).astype(np.int32)
    to, source = draw.permutation(N).astype(np.uint32), draw.integers(0, N, N).astype(np.uint32)
    numbers = draw.integers(-100, 100, N).astype(np.float32)
    moved = np.zeros(N, np.float32)
    moved[to] = np.where(source & 1, numbers[source] * 2, np.where(source % 3, numbers[source] + numbers, -1))
    table = np.sort(draw.integers(-1000, 1000, 77)).astype(np.int32)
    wanted = draw.integers(-1100, 1100, N).astype(np.int32)
    shorts = draw.integers(-1 << 15, 1 << 15, (64, 24)).astype(np.int16)
    generic = draw.integers(0, 1 << 20, 65).astype(np.int32)
    lane = np.arange(64)
    through = 2 * np.choose(generic[:64] % 3, [1000 + 63 - lane, lane, generic[1:]])
    return [
        Case("collatz", (2,), (64,), [In(small), Out(np.array([collatz(int(x)) for x in small], np.uint32))]),
        Case("switches", (1,), (N,), [In(words), Out(np.array([switches(int(x)) for x in words], np.int32))]),
        Case("loops", (2,), (64,), [In(words), Out(np.array([loops(int(x), 9) for x in words], np.int32)), np.int32(9)]),
        Case("gather_scatter", (2,), (64,), [In(to), In(source), In(numbers), Out(moved)]),
        Case("binary_search", (2,), (64,), [In(table), In(wanted), Out(np.searchsorted(table, wanted).astype(np.int32)), np.int32(77)]),
        Case("calls", (1,), (N,), [In(words), Out(np.array([calls(int(x)) for x in words], np.int64))]),
        Case("insertion_sort", (1,), (64,), [Out(np.sort(shorts, 1), initial=shorts), np.int32(24)]),
        Case("mandelbrot", (3,), (64,), [Out(np.array([mandelbrot(i, 14) for i in range(192)], np.int32)), np.int32(14)]),
        Case("generic_pointers", (1,), (64,), [In(generic), Out(through.astype(np.int32))]),
    ]


main(__file__.replace(".py", ".cl"), cases)
