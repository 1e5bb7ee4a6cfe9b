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


def where(grid, block):
    """What each work-item of a 3-D launch writes of itself."""
    size = [g * b for g, b in zip(grid, block)]
    z, y, x = np.meshgrid(*(np.arange(s) for s in size[::-1]), indexing="ij")
    ones = np.ones_like(x)
    rows = [x, y, z, x % block[0] | y % block[1] << 8 | z % block[2] << 16,
            ones * (block[0] | block[1] << 8 | block[2] << 16), ones * size[2], *(ones * g for g in grid),
            ones * (3 if size[2] > 1 else 2 if size[1] > 1 else 1), ones * block[0], ones * 0, ones * 0]
    return np.stack(rows, -1).astype(np.uint32)


PACKED = np.dtype([("tag", "u1"), ("a", "i4"), ("b", "u2"), ("c", "f8"), ("d", "i8")])
TABLE = np.array([3, -1, 4, -1, 5, -9, 2, -6, 5], np.int32)


def cases(chip, draw):
    index = draw.integers(0, 1 << 32, 128).astype(np.uint32)
    structs = np.zeros(128, PACKED)
    for field, high in (("tag", 256), ("a", 1 << 30), ("b", 1 << 16), ("c", 1 << 20), ("d", 1 << 60)):
        structs[field] = draw.integers(0, high, 128)
    packed = structs.copy()
    packed["a"] += packed["tag"]
    packed["b"] = ~packed["b"]
    packed["c"] *= 2
    packed["d"] -= packed["a"]
    chars, shorts = draw.integers(-128, 128, 129).astype(np.int8), draw.integers(-1 << 15, 1 << 15, 129).astype(np.int16)
    two = [chars[:-1].astype(np.int16), shorts[:-1]]
    other = [shorts[1:], chars[1:].view(np.uint8).astype(np.int16)]
    x, y = two[0] + other[0] * np.int16(3), two[1] + other[1] * np.int16(5)
    small = (x.astype(np.int32) << 16) ^ y ^ shorts[:-1].view(np.uint16).astype(np.int32) ^ chars[:-1].view(np.uint8)
    triples = draw.integers(-99, 99, (128, 3)).astype(np.float32)
    longs = draw.integers(-1 << 62, 1 << 62, (64, 8))
    # The buffer ends inside the 22nd of 32 pieces of 4 dwords.
    dwords = draw.integers(0, 1 << 32, 128).astype(np.uint32)
    bytes_ = 4 * 86
    seen = np.where(np.arange(160) < 86, np.pad(dwords, (0, 32)), 0).astype(np.uint32)
    at = np.arange(32) * 4
    piece = np.stack([seen[at], seen[at + 1] + seen[at + 4], seen[at + 2] ^ seen[at] >> 8 & 0xFF, seen[at + 3] ^ seen[at] >> 16], 1)
    before = draw.integers(0, 1 << 32, 128).astype(np.uint32)
    buffered = np.where(np.arange(128) < 86, piece.ravel(), before).astype(np.uint32)
    staged = draw.integers(0, 1 << 32, (2, 256)).astype(np.uint32)
    return [
        Case("where", (3, 2, 2), (8, 4, 3), [Out(where((3, 2, 2), (8, 4, 3)))], "where-3"),
        Case("where", (2, 3), (20, 5), [Out(where((2, 3, 1), (20, 5, 1)))], "where-2"),
        Case("where", (5,), (70,), [Out(where((5, 1, 1), (70, 1, 1)))], "where-1"),
        Case("constants", (2,), (64,), [In(index), Out(TABLE[index % 9])]),
        Case("packed", (2,), (64,), [In(structs.view(np.uint8)), Out(packed.view(np.uint8))]),
        Case("small", (2,), (64,), [In(chars), In(shorts), Out(small.astype(np.int32))]),
        Case("vectors", (2,), (64,), [In(triples), Out(triples[:, [2, 0, 1]] * 2 + triples)]),
        Case("wide", (1,), (64,), [In(longs), Out(longs[:, ::-1] + 1)]),
        Case("buffers", (1,), (32,), [In(dwords), Out(buffered, initial=before), np.uint32(bytes_)]),
        Case("direct_to_lds", (2,), (128,), [In(staged), Out(staged[:, ::-1].copy())]),
    ]


main(__file__.replace(".py", ".cl"), cases)
