// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of scalar memory instructions: a base in an SGPR pair, or a buffer descriptor in four; an SGPR or
// an immediate; and an immediate beside an SGPR. The two lowest bits of the sum do not count. CDNA3 ISA
// manual section 8.2.
#ifndef LOWP_LIB_SIM_SCALARMEMORY_H
#define LOWP_LIB_SIM_SCALARMEMORY_H

#include "Buffers.h"
#include "MemAccess.h"

namespace lowp::sim {

enum ScalarSpace : uint16_t { ScalarGlobal = 0, ScalarBuffer = 0x1000, ScalarScratch = 0x2000 };
constexpr uint16_t scalarSpaceMask = 0x3000;

class ScalarAddress {
public:
  /// `first` is the position of the base among the sources; the offset follows it.
  ScalarAddress(const Wave &wave, const Inst &inst, unsigned first) {
    const Operand &base = inst.src[first], &operand = inst.src[first + 1];
    uint64_t offset = operand.isSgpr() ? wave.s[operand.reg] : operand.imm;
    if ((inst.op->param & scalarSpaceMask) == ScalarScratch && operand.isSgpr())
      offset *= 64; // in units of a wave's dwords of four lanes
    offset += int64_t(inst.offset);
    if ((inst.op->param & scalarSpaceMask) == ScalarBuffer) {
      BufferDescriptor descriptor(wave, base.reg);
      within = offset & ~uint64_t(3);
      misaligned = (offset | descriptor.base) & 3;
      // The stride takes part in the bound only.
      limit = descriptor.stride ? uint64_t(descriptor.stride) * descriptor.records : descriptor.records;
      address = descriptor.base + within;
      return;
    }
    misaligned = (wave.pair(base.reg) + offset) & 3;
    address = (wave.pair(base.reg) + offset) & ~uint64_t(3);
  }
  uint64_t address = 0;
  bool misaligned = false; ///< the lowest bits were dropped
  /// Dword i of a buffer access: outside the records it is not performed.
  bool inRange(unsigned i) const { return within + 4 * i + 4 <= limit; }

private:
  uint64_t within = 0, limit = ~uint64_t(0);
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_SCALARMEMORY_H
