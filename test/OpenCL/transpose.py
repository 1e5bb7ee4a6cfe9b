# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %t sim-test %clang %{seed}
# REQUIRES: sim-test
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from opencl import Case, In, Local, Out, main


def cases(chip, draw):
    result = []
    for name, dtype in (("byte", np.uint8), ("half", np.float16), ("float", np.float32), ("double", np.float64)):
        for rows, columns in ((64, 32), (45, 71)):
            data = draw.integers(0, 200, (rows, columns)).astype(dtype)
            result.append(Case(f"transpose_{name}", ((columns + 31) // 32, (rows + 31) // 32), (32, 8),
                               [In(data), Out(data.T.copy()), np.uint32(rows), np.uint32(columns)], f"{name}{rows}x{columns}"))
    data = draw.integers(0, 1 << 32, (64, 20)).astype(np.uint32)
    return result + [Case("transpose_dynamic", (1,), (64,), [In(data), Out(data.T.copy()), Local(64 * 21 * 4), np.uint32(20)])]


main(__file__.replace(".py", ".cl"), cases)
