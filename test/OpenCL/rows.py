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

U = 2.0**-24  # unit roundoff of float
# OpenCL C 2.0, section 7.4: errors of exp and log, 3 ulp, which is at most 6 U.
MATH = 6 * U


def softmax(x):
    """The exact value and a bound: the subtraction is off by U of its result, which exp turns into a relative error;
    then exp, at most n additions, exp and the division."""
    distance = x - x.max(1, keepdims=True)
    e = np.exp(distance)
    value = e / e.sum(1, keepdims=True)
    return value, value * (2 * np.abs(distance).max() * U + 2 * MATH + (x.shape[1] + 2) * U) + 1e-37


def layer_norm(x, gain, bias, epsilon):
    n = x.shape[1]
    mean, variance = x.mean(1, keepdims=True), x.var(1, keepdims=True)
    scale = 1 / np.sqrt(variance + epsilon)
    value = (x - mean) * scale * gain + bias
    # The mean is off by n U of the mean magnitude, each square by twice that relative to the deviation; half of the
    # relative error of the variance goes into the scale.
    off = n * U * np.abs(x).mean(1, keepdims=True)
    relative = (n + 8) * U + 2 * off * np.abs(x - mean).mean(1, keepdims=True) / variance + off**2 / variance
    return value, (np.abs(x - mean) * relative + off) * scale * np.abs(gain) * 1.01 + 4 * U * np.abs(value) + 2 * U * np.abs(bias)


def cases(chip, draw):
    x = draw.normal(0, 3, (3, 700)).astype(np.float32)
    gain, bias = draw.normal(1, 0.2, 700).astype(np.float32), draw.normal(0, 1, 700).astype(np.float32)
    halves = draw.normal(0, 2, (2, 512)).astype(np.float16)
    exact = x.astype(float)
    normed, norm_bound = layer_norm(exact, gain.astype(float), bias.astype(float), float(np.float32(1e-5)))
    scaled = halves.astype(float) / np.sqrt((halves.astype(float) ** 2).mean(1, keepdims=True))
    flat = draw.normal(0, 8, 256).astype(np.float32)
    silu = flat.astype(float) / (1 + np.exp(-flat.astype(float)))
    positive = np.exp(draw.normal(0, 20, 256)).astype(np.float32)
    logarithm = np.log(positive.astype(float))
    value, bound = softmax(exact)
    return [
        Case("softmax", (3,), (256,), [In(x), Out(value.astype(np.float32), bound + U * value), np.uint32(700)]),
        Case("layer_norm", (3,), (256,), [In(x), In(gain), In(bias), Out(normed.astype(np.float32), norm_bound + U * np.abs(normed)),
                                          np.uint32(700), np.float32(1e-5)]),
        # Rounded to half: half a unit in its last place, and the float error far below that.
        Case("rms_norm_half", (2,), (64,), [In(halves), Out(scaled.astype(np.float16), np.abs(scaled) * 2.0**-10 + 2.0**-24), np.uint32(128)]),
        Case("silu", (4,), (64,), [In(flat), Out(silu.astype(np.float32), np.abs(silu) * (MATH + 4 * U))]),
        Case("logarithm", (4,), (64,), [In(positive), Out(logarithm.astype(np.float32), np.abs(logarithm) * MATH + U * np.abs(logarithm))]),
    ]


main(__file__.replace(".py", ".cl"), cases)
