// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's fmaf is a call per lane; the host's vector instruction does eight lanes.

#include "FusedMultiplyAdd.h"
#include "Half.h"

using namespace lowp::sim;

namespace {
inline __attribute__((always_inline)) void each(const uint32_t *a, const uint32_t *b, const uint32_t *c,
                                                uint32_t *out) {
  for (unsigned lane = 0; lane < 64; ++lane)
    out[lane] = asBits(__builtin_fmaf(asFloat(a[lane]), asFloat(b[lane]), asFloat(c[lane])));
}
#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void withAvx2(const uint32_t *a, const uint32_t *b, const uint32_t *c,
                                                  uint32_t *out) {
  each(a, b, c, out);
}
#endif
} // namespace

void lowp::sim::fusedMultiplyAdd(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *out) {
#if defined(__x86_64__)
  static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (fast)
    return withAvx2(a, b, c, out);
#endif
  each(a, b, c, out);
}
