# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton kernels: softmax of rows, a pipelined product, and attention with a running softmax."""

import triton
import triton.language as tl


@triton.jit
def softmax(y, x, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * n + i, e / tl.sum(e, 0), mask=i < n)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """C = A B, row by row; the grid runs over the columns of tiles first."""
    tiles = tl.cdiv(N, BN)
    rows = tl.program_id(0) // tiles * BM + tl.arange(0, BM)
    columns = tl.program_id(0) % tiles * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=ACC)
    for i in range(0, tl.cdiv(K, BK)):
        x = tl.load(a + rows[:, None] * K + (i * BK + k)[None, :], mask=(rows < M)[:, None] & (i * BK + k < K)[None, :], other=0.0)
        y = tl.load(b + (i * BK + k)[:, None] * N + columns[None, :], mask=(i * BK + k < K)[:, None] & (columns < N)[None, :], other=0.0)
        acc = tl.dot(x, y, acc)
    tl.store(c + rows[:, None] * N + columns[None, :], acc, mask=(rows < M)[:, None] & (columns < N)[None, :])


@triton.jit
def attention(q, k, v, o, S, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """One head: softmax(Q K^T scale) V over S rows of D, BM rows of Q a program, BN rows of K and V a step."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    x = tl.load(q + rows[:, None] * D + d[None, :], mask=(rows < S)[:, None], other=0.0)
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, S, BN):
        j = start + tl.arange(0, BN)
        y = tl.load(k + j[None, :] * D + d[:, None], mask=(j < S)[None, :], other=0.0)
        s = tl.where((j < S)[None, :], tl.dot(x, y) * scale, -float("inf"))
        now = tl.maximum(top, tl.max(s, 1))
        p = tl.exp(s - now[:, None])
        shrink = tl.exp(top - now)
        z = tl.load(v + j[:, None] * D + d[None, :], mask=(j < S)[:, None], other=0.0)
        acc = tl.dot(p.to(z.dtype), z, acc * shrink[:, None])
        total = total * shrink + tl.sum(p, 1)
        top = now
    tl.store(o + rows[:, None] * D + d[None, :], acc / total[:, None], mask=(rows < S)[:, None])
