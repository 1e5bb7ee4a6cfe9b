# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %t sim-test %clang %{seed}
# REQUIRES: sim-test
import fractions
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from opencl import Case, In, Out, main

N = 192  # three waves in one workgroup
INTEGERS = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32, "i64": np.int64,
            "u64": np.uint64}
FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def wrap(values, dtype):
    """Python's integers, modulo the type's range."""
    bits = 8 * np.dtype(dtype).itemsize
    return np.array([int(v) & (1 << bits) - 1 for v in values], f"u{bits // 8}").view(dtype)


def clamp(values, dtype):
    info = np.iinfo(dtype)
    return np.array([min(max(int(v), int(info.min)), int(info.max)) for v in values], dtype)


def toward_zero(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def integers(draw, dtype):
    """Random bits of random lengths, and the ends of the range."""
    info = np.iinfo(dtype)
    bits = [int(draw.integers(0, 1 << 63)) << 1 >> int(draw.integers(0, 64)) for _ in range(N)]
    values = wrap([b if draw.integers(2) else -b for b in bits], dtype)
    values[:4] = [info.min, info.max, 0, 1]
    return values


def integer_cases(name, dtype, draw):
    bits = 8 * np.dtype(dtype).itemsize
    a, b = integers(draw, dtype), integers(draw, dtype)
    b[4:12] = a[4:12]
    divisor = np.where(b == 0, dtype(7), b)
    if np.iinfo(dtype).min < 0:  # the one quotient that does not fit is undefined
        divisor = np.where((divisor == -1) & (a == np.iinfo(dtype).min), dtype(3), divisor)
    pairs = list(zip(a.tolist(), b.tolist()))
    divided = list(zip(a.tolist(), divisor.tolist()))
    logical = [x & (1 << bits) - 1 for x in a.tolist()]

    def two(operation, values, second=b, result=dtype):
        return Case(f"{name}_{operation}", (1,), (N,), [In(a), In(second), Out(wrap(values, result))])

    return [
        two("add", [x + y for x, y in pairs]), two("sub", [x - y for x, y in pairs]), two("mul", [x * y for x, y in pairs]),
        two("div", [toward_zero(x, y) for x, y in divided], divisor),
        two("mod", [x - y * toward_zero(x, y) for x, y in divided], divisor),
        two("shl", [x << (y & bits - 1) for x, y in pairs]), two("shr", [x >> (y & bits - 1) for x, y in pairs]),
        two("less", [x < y for x, y in pairs], result=np.int32),
        two("min", map(min, pairs)), two("max", map(max, pairs)),
        two("add_sat", clamp([x + y for x, y in pairs], dtype)), two("sub_sat", clamp([x - y for x, y in pairs], dtype)),
        Case(f"{name}_bits", (1,), (N,), [In(a), Out(wrap([bin(x).count("1") for x in logical], dtype))]),
        Case(f"{name}_reverse", (1,), (N,), [In(a), Out(wrap([int(f"{x:0{bits}b}"[::-1], 2) for x in logical], dtype))]),
    ]


def bit_cases(draw):
    a, b = integers(draw, np.uint32), integers(draw, np.uint32)
    s, t = a.view(np.int32), b.view(np.int32)
    c = integers(draw, np.uint64)
    zeros = [(32, a, np.uint32), (64, c, np.uint64)]
    result = [Case("u32_mul_high", (1,), (N,), [In(a), In(b), Out(wrap([x * y >> 32 for x, y in zip(a.tolist(), b.tolist())], np.uint32))]),
              Case("i32_mul_high", (1,), (N,), [In(s), In(t), Out(wrap([x * y >> 32 for x, y in zip(s.tolist(), t.tolist())], np.int32))]),
              Case("i32_mul_wide", (1,), (N,), [In(s), In(t), Out(s.astype(np.int64) * t)]),
              Case("i32_abs", (1,), (N,), [In(s[1:].copy()), Out(np.abs(s[1:]))])]
    result[-1].block = (N - 1,)
    for bits, x, dtype in zeros:
        result.append(Case(f"u{bits}_clz", (1,), (N,), [In(x), Out(wrap([bits - (v | 1).bit_length() for v in x.tolist()], dtype))]))
        low = [v | 1 << bits - 1 for v in x.tolist()]
        result.append(Case(f"u{bits}_ctz", (1,), (N,), [In(x), Out(wrap([(v & -v).bit_length() - 1 for v in low], dtype))]))
    return result


def floats(draw, dtype, special=True):
    """Random bits (subnormals, infinities and NaN among them), numbers near one, and the edges."""
    raw = np.dtype(f"u{np.dtype(dtype).itemsize}")
    values = draw.integers(0, 1 << 8 * raw.itemsize, N, dtype=raw if raw.itemsize < 8 else np.uint64).view(dtype)
    values[N // 2:] = draw.normal(0, 2, N - N // 2).astype(dtype)
    info = np.finfo(dtype)
    edges = [0.0, -0.0, 1, -1, info.max, info.tiny, info.smallest_subnormal, info.tiny - info.smallest_subnormal, 0.5, 1.5, 2.5]
    values[: len(edges)] = np.array(edges, dtype)
    if special:
        values[len(edges) : len(edges) + 3] = [np.inf, -np.inf, np.nan]
    else:
        values = np.where(np.isfinite(values), values, dtype(3))
    return values


def exact_fma(a, b, c):
    """Rounded once, by exact fractions; what is not finite by the plain operation."""
    dtype = a.dtype
    result = np.empty_like(a)
    for i, (x, y, z) in enumerate(zip(a, b, c)):
        if not (np.isfinite(x) and np.isfinite(y) and np.isfinite(z)):
            result[i] = float(x) * float(y) + float(z) if dtype != np.float64 else x * y + z
            continue
        exact = fractions.Fraction(float(x)) * fractions.Fraction(float(y)) + fractions.Fraction(float(z))
        result[i] = round_fraction(exact, dtype) if exact else x * y + z
        if not exact:  # the sign of an exact zero
            zero_product = float(x) == 0 or float(y) == 0
            sign = np.signbit(x) ^ np.signbit(y)
            result[i] = -0.0 if sign and np.signbit(z) and (zero_product or z == 0) else 0.0
    return result


def round_fraction(exact, dtype):
    """To the nearest number of the type, ties to even."""
    info = np.finfo(dtype)
    magnitude = abs(exact)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < fractions.Fraction(2) ** exponent:
        exponent -= 1
    unit = fractions.Fraction(2) ** (max(exponent, int(info.minexp)) - int(info.nmant))
    value = round(magnitude / unit) * unit  # round() takes ties to even
    value = float("inf") if value > fractions.Fraction(float(info.max)) else float(value)
    return np.copysign(dtype.type(value), -1 if exact < 0 else 1)


def float_cases(name, dtype, draw):
    a, b, c = (floats(draw, dtype) for _ in range(3))
    b[20:60] = draw.permutation(a[20:60])
    b[60:90] = a[60:90]

    def two(operation, values):
        return Case(f"{name}_{operation}", (1,), (N,), [In(a), In(b), Out(np.asarray(values))])

    def one(operation, values):
        return Case(f"{name}_{operation}", (1,), (N,), [In(a), Out(np.asarray(values))])

    cases = [two("add", a + b), two("sub", a - b), two("mul", a * b), two("div", a / b), one("sqrt", np.sqrt(a)),
             two("less", (a < b).astype(np.int32)), two("equal", (a == b).astype(np.int32)),
             two("unordered", (np.isnan(a) | np.isnan(b)).astype(np.int32)),
             one("negabs", -np.abs(a)), one("floor", np.floor(a)), one("ceil", np.ceil(a)), one("trunc", np.trunc(a)),
             one("rint", np.rint(a)), two("copysign", np.copysign(a, b)),
             Case(f"{name}_fma", (1,), (N,), [In(a), In(b), In(c), Out(exact_fma(a, b, c))])]
    # Which zero is the smaller one is not defined.
    both_zero = (a == 0) & (b == 0)
    b = np.where(both_zero, dtype(1), b)
    return cases + [two("min", np.fmin(a, b)), two("max", np.fmax(a, b))]


def conversion_cases(draw):
    types = {**INTEGERS, **FLOATS}
    result = []
    for pair in ("f16_f32 f16_f64 f32_f16 f32_f64 f64_f32 f64_f16 i16_f16 i32_f32 u32_f32 i64_f32 u64_f32 i32_f64 u32_f64 i64_f64 "
                 "u64_f64 f16_i16 f32_i32 f32_u32 f32_i64 f32_u64 f64_i32 f64_u32 f64_i64 f64_u64").split():
        source, to = pair.split("_")
        if source in INTEGERS:
            values = integers(draw, types[source])
            # Python's integers round to double at once; to float numpy rounds the 64 bits at once too.
            expected = values.astype(types[to])
        elif to in INTEGERS:  # what does not fit is undefined
            info = np.iinfo(types[to])
            values = floats(draw, types[source], special=False)
            exact = np.trunc(values.astype(np.longdouble))
            values = np.where((exact >= info.min) & (exact <= info.max), values, types[source](41.75))
            expected = values.astype(types[to])
        else:
            values = floats(draw, types[source])
            expected = values.astype(types[to])
        result.append(Case(f"{source}_to_{to}", (1,), (N,), [In(values), Out(expected)]))
    return result


def vector_cases(draw):
    half, single = ([floats(draw, t) for _ in range(3)] for t in (np.float16, np.float32))
    short, word, byte = ([integers(draw, t) for _ in range(2)] for t in (np.int16, np.uint16, np.uint8))
    sums = clamp(short[0].astype(int) + short[1], np.int16)
    cases = [("half4_add", half[:2], half[0] + half[1]), ("half4_fma", half, exact_fma(*half)), ("short4_mul", short, short[0] * short[1]),
             ("ushort4_max", word, np.maximum(*word)), ("short4_add_sat", short, sums), ("uchar4_sub", byte, byte[0] - byte[1]),
             ("float4_fma", single, exact_fma(*single))]
    return [Case(name, (1,), (N // 4,), [*map(In, inputs), Out(expected)]) for name, inputs, expected in cases]


def cases(chip, draw):
    result = bit_cases(draw) + conversion_cases(draw) + vector_cases(draw)
    for name, dtype in INTEGERS.items():
        result += integer_cases(name, dtype, draw)
    for name, dtype in FLOATS.items():
        result += float_cases(name, dtype, draw)
    return result


np.seterr(all="ignore")
main(__file__.replace(".py", ".cl"), cases)
