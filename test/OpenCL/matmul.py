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


def small_float(exponent_bits, mantissa_bits, bias, values):
    """Codes of numbers that the format holds exactly."""
    sign, exact = np.signbit(values), np.abs(values).astype(float)
    mantissa, exponent = np.frexp(np.where(exact == 0, 1, exact))  # mantissa in [0.5, 1)
    field = exponent - 1 + bias
    subnormal = field < 1
    fraction = np.where(subnormal, exact * 2.0 ** (bias - 1 + mantissa_bits), (2 * mantissa - 1) * 2**mantissa_bits)
    code = (np.where(subnormal, 0, field) << mantissa_bits) + fraction.astype(int)
    code = np.where(exact == 0, 0, code | sign.astype(int) << exponent_bits + mantissa_bits)
    return code.astype(np.uint8)


def fp8(chip, values):  # FNUZ formats have one more in their bias
    return small_float(4, 3, 8 if chip == "gfx942" else 7, values)


def bf8(chip, values):
    return small_float(5, 2, 16 if chip == "gfx942" else 15, values)


def bf16(values):
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def cases(chip, draw):
    m, n, k = 64, 96, 128
    # Small integers: sums are exact in any order.
    a, b = draw.integers(-4, 5, (m, k)), draw.integers(-4, 5, (n, k))
    product = a @ b.T

    def case(kernel, encode_a, encode_b, out=np.float32):
        tile = 32 if "_32" in kernel.removeprefix("x") else 16
        return Case(kernel, (n // tile, m // tile), (64,), [In(encode_a), In(encode_b), Out(product.astype(out)), np.uint32(n), np.uint32(k)])

    half, short = (a.astype(np.float16), b.astype(np.float16)), (bf16(a), bf16(b))
    single, byte = (a.astype(np.float32), b.astype(np.float32)), (a.astype(np.int8), b.astype(np.int8))
    narrow = fp8(chip, a), fp8(chip, b)
    result = [case("f32_16", *single), case("f16_16", *half), case("f16_32", *half), case("bf16_16", *short), case("bf16_32", *short),
              case("fp8_16", *narrow), case("fp8_32", *narrow), case("fp8_bf8_16", narrow[0], bf8(chip, b)),
              case("i8_16", *byte, np.int32), case("i8_32", *byte, np.int32)]
    if chip == "gfx942":
        return result + [case("xf32_16", *single)]
    result += [case("f16_16_wide", *half), case("f16_32_wide", *half), case("bf16_16_wide", *short), case("i8_16_wide", *byte, np.int32)]
    # Scales of 2^-3 to 2^3, another one for each 32 elements.
    sa, sb = draw.integers(124, 131, (m, k // 32)), draw.integers(124, 131, (n, k // 32))
    fp4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
    codes_a, codes_b = draw.integers(0, 16, (m, k)), draw.integers(0, 16, (n, k))

    def scaled(kernel, x, y, x_bytes, y_bytes):
        exact = np.einsum("mgi,ngi->mng", x.reshape(m, -1, 32), y.reshape(n, -1, 32))
        exact = (exact * 2.0 ** (sa - 127)[:, None, :] * 2.0 ** (sb - 127)[None, :, :]).sum(2)
        return Case(kernel, (n // 16, m // 16), (64,), [In(x_bytes), In(y_bytes), In(sa.astype(np.uint8)), In(sb.astype(np.uint8)),
                                                         Out(exact.astype(np.float32)), np.uint32(n), np.uint32(k)])

    def pack(codes):
        return (codes[:, ::2] | codes[:, 1::2] << 4).astype(np.uint8)

    return result + [scaled("mx_fp8", a, b, *narrow), scaled("mx_fp4", fp4[codes_a], fp4[codes_b], pack(codes_a), pack(codes_b))]


main(__file__.replace(".py", ".cl"), cases)
