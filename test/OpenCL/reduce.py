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


def cases(chip, draw):
    # Integers, so that float sums are exact in any order.
    numbers = draw.integers(-50, 50, 3000).astype(np.float32)
    padded = np.concatenate([numbers, np.zeros(3072 - 3000, np.float32)]).reshape(-1, 3, 256)
    keys = draw.integers(-1000, 1000, (3, 700)).astype(np.int32)
    words = draw.integers(-1 << 20, 1 << 20, (3, 128)).astype(np.int32)
    longs = draw.integers(-1 << 50, 1 << 50, (2, 256))
    letters = draw.integers(0, 256, 2500).astype(np.uint8) & 0x3F
    unsorted = draw.integers(-1 << 31, 1 << 31, (3, 256)).astype(np.int32)
    return [
        Case("sum_tree", (3,), (256,), [In(numbers), Out(padded.sum((0, 2), np.float32)), np.uint32(3000)]),
        Case("argmax", (3,), (256,), [In(keys), Out(np.stack([keys.max(1), keys.argmax(1)], 1).astype(np.int32)), np.uint32(700)]),
        Case("scan_hillis_steele", (3,), (128,), [In(words), Out(words.cumsum(1, dtype=np.int32))]),
        Case("scan_blelloch", (2,), (128,), [In(longs), Out(longs.cumsum(1) - longs)]),
        Case("histogram", (2,), (256,), [In(letters), Out(np.bincount(letters, minlength=256).astype(np.uint32),
                                                           initial=np.zeros(256, np.uint32)), np.uint32(2500)]),
        Case("bitonic_sort", (3,), (128,), [Out(np.sort(unsorted, 1), initial=unsorted)]),
    ]


main(__file__.replace(".py", ".cl"), cases)
