// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffer resource descriptor in four SGPRs. CDNA3 ISA manual section 9.1.8.
#ifndef LOWP_LIB_SIM_BUFFERS_H
#define LOWP_LIB_SIM_BUFFERS_H

#include "Wave.h"

namespace lowp::sim {

struct BufferDescriptor {
  uint64_t base;
  uint32_t stride, records;
  bool swizzled;        ///< elements of 4 bytes of `indexStride` records lie together
  bool addsLane;        ///< ADD_TID_ENABLE: the lane is added to the index
  uint32_t indexStride; ///< 8, 16, 32 or 64

  BufferDescriptor(const Wave &wave, unsigned reg)
      : base(wave.pair(reg) & ((uint64_t(1) << 48) - 1)), stride(wave.s[reg + 1] >> 16 & 0x3fff),
        records(wave.s[reg + 2]), swizzled(wave.s[reg + 1] >> 31), addsLane(wave.s[reg + 3] >> 23 & 1),
        indexStride(8u << (wave.s[reg + 3] >> 21 & 3)) {
    if (addsLane) // the data format's bits extend the stride
      stride |= (wave.s[reg + 3] >> 15 & 15) << 14;
  }
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_BUFFERS_H
