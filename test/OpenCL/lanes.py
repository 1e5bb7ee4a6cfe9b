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

LANE = np.arange(64)


def dpp(x, old, source, valid, bound, rows=15, banks=15, active=None):
    """Lane i takes x[source[i]] where `valid` and that lane is active; else zero with bound_ctrl and the old value without.
    Rows and banks that are masked keep the old value."""
    ok = valid & (active[source % 64] if active is not None else True)
    value = np.where(ok, x[source % 64], 0 if bound else old)
    return np.where((rows >> LANE // 16 & 1) & (banks >> LANE % 16 // 4 & 1), value, old)


def all_dpp(x):
    row, place, old = LANE // 16 * 16, LANE % 16, np.full(64, -7)
    always = np.full(64, True)
    return np.stack([
        dpp(x, old, LANE ^ 3, always, 0),
        dpp(x, old, (LANE & ~3) | np.array([3, 0, 1, 2] * 16), always, 0),
        dpp(x, old, LANE + 1, place + 1 < 16, 0),
        dpp(x, old, LANE + 3, place + 3 < 16, 1),
        dpp(x, old, LANE - 2, place >= 2, 0),
        dpp(x, old, LANE - 15, place >= 15, 1),
        dpp(x, old, row + (place - 5) % 16, always, 0),
        dpp(x, old, LANE + 1, LANE < 63, 0),
        dpp(x, old, (LANE + 1) % 64, always, 0),
        dpp(x, old, LANE - 1, LANE > 0, 1),
        dpp(x, old, (LANE - 1) % 64, always, 0),
        dpp(x, old, row + 15 - place, always, 0),
        dpp(x, old, LANE ^ 7, always, 0),
        dpp(x, old, row - 1, row > 0, 0, rows=10),
        dpp(x, old, np.full(64, 31), LANE >= 32, 0, rows=12),
        dpp(x, old, row + 3, always, 0),
        dpp(x, old, row + (place - 1) % 16, always, 0, rows=5, banks=6),
        dpp(x, old, LANE - 1, place >= 1, 0),
        dpp(x, np.zeros(64, int), LANE ^ 2, always, 1),
    ]).astype(np.int32)


def dpp_divergent(x):
    active, old, place = np.fmod(x, 3) != 0, np.full(64, -7), LANE % 16
    return np.stack([np.where(active, dpp(x, old, LANE - 2, place >= 2, 0, active=active), 0),
                     np.where(active, dpp(x, old, LANE + 1, place < 15, 1, active=active), 0)]).astype(np.int32)


def exchange(x, index):
    permuted = np.zeros(64, np.int64)
    permuted[index] = x
    positive = x > 0
    ballot = sum(1 << int(i) for i in LANE[positive])
    def group(mask_and, mask_xor):
        return x[LANE & 32 | (LANE & 31 & mask_and) ^ mask_xor]
    rows = [x[index], permuted, x[(LANE & ~3) + swizzle_quad(0x801B)], group(0x1F, 1), group(0x15, 0x0A),
            np.full(64, x[37]), np.full(64, x[0]), np.full(64, ballot >> 32), np.full(64, ballot & 0xFFFFFFFF),
            np.where(positive, np.where(positive[index], x[index], 0) + 1, 0)]
    return np.stack([np.asarray(row) & 0xFFFFFFFF for row in rows]).astype(np.uint32).view(np.int32)


def swizzle_quad(control):
    """Quad permute mode of ds_swizzle: two bits for each lane of four."""
    return np.array([control >> 2 * i & 3 for i in range(4)] * 16)


def waterfall(x):
    out, left, turn = np.zeros(64, np.int32), list(range(64)), 0
    while left:
        same = [i for i in left if x[i] == x[left[0]]]
        out[same] = turn * 1000 + len(same)
        left = [i for i in left if i not in same]
        turn += 1
    return out


def byte(value, i):
    return value >> 8 * i & 0xFF


def signed(value, bits):
    value = value & (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def bytes_of(a, b, c):
    """One work-item's results, by the definitions of the instructions in the CDNA3 ISA manual, section 12 (VOP3A, VOP3P)."""
    pair = a << 32 | b

    def dot(part, bits):
        return sum(part(a >> i, bits) * part(b >> i, bits) for i in range(0, 32, bits))

    def unsigned(value, bits):
        return value & (1 << bits) - 1

    width, offset = c & 31, b & 31
    field = a >> offset & (1 << width) - 1
    sad = sum(abs(byte(a, i) - byte(b, i)) for i in range(4))
    return [
        sum(byte(pair, byte(c, i) & 7) << 8 * i for i in range(4)),
        pair >> (c & 31), pair >> 8 * (c & 3), field, signed(signed(a, 32) >> offset, width) if width else 0, sad + c,
        sum(byte(a, i) + byte(b, i) + (byte(c, i) & 1) >> 1 << 8 * i for i in range(4)),
        dot(signed, 8) + signed(c, 32), dot(unsigned, 8) + c, dot(signed, 4) + signed(c, 32), dot(unsigned, 4) + c,
        dot(signed, 16) + signed(c, 32), max(-1 << 31, min((1 << 31) - 1, dot(signed, 8) + signed(c, 32))),
        (sad << 16) + c, abs((a & 0xFFFF) - (b & 0xFFFF)) + abs((a >> 16) - (b >> 16)) + c,
        int.from_bytes(a.to_bytes(4, "little"), "big"),
    ]


def cases(chip, draw):
    x = draw.integers(-1000, 1000, 64).astype(np.int32)
    index = draw.permutation(64).astype(np.int32)
    groups = draw.integers(0, 7, 64).astype(np.int32)
    a, b, c = (draw.integers(0, 1 << 32, 64).astype(np.uint32) for _ in range(3))
    c[:8] = 0x7FFFFFFF - np.arange(8)
    rows = [bytes_of(*(int(v) for v in column)) for column in zip(a, b, c)]
    result = [
        Case("dpp", (1,), (64,), [In(x), Out(all_dpp(x.astype(np.int64)))]),
        Case("dpp_divergent", (1,), (64,), [In(x), Out(dpp_divergent(x.astype(np.int64)))]),
        Case("exchange", (1,), (64,), [In(x), In(index), Out(exchange(x.astype(np.int64), index))]),
        Case("waterfall", (1,), (64,), [In(groups), Out(waterfall(groups))]),
        Case("bytes", (1,), (64,), [In(a), In(b), In(c), Out((np.array(rows, object).T & 0xFFFFFFFF).astype(np.uint32))]),
    ]
    if chip == "gfx950":
        two = draw.integers(0, 1 << 32, (2, 64)).astype(np.uint32)
        half, row = two.reshape(2, 2, 32), two.reshape(2, 2, 2, 16)
        # The second half (odd rows) of the first register changes place with the first half (even rows) of the second.
        swapped = [half[:, 0].ravel(), half[:, 1].ravel()]
        odd = [np.stack([row[0, :, 0], row[1, :, 0]], 1).ravel(), np.stack([row[0, :, 1], row[1, :, 1]], 1).ravel()]
        result.append(Case("permlane_swap", (1,), (64,), [In(two), Out(np.stack(swapped + odd))]))
    return result


main(__file__.replace(".py", ".cl"), cases)
