// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64 fused multiply-adds in f32, by the host's instruction where there is one.
#ifndef LOWP_LIB_SIM_FUSEDMULTIPLYADD_H
#define LOWP_LIB_SIM_FUSEDMULTIPLYADD_H

#include <cstdint>

namespace lowp::sim {

void fusedMultiplyAdd(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *out);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_FUSEDMULTIPLYADD_H
