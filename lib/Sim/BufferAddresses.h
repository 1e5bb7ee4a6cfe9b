// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of the lanes of a buffer instruction. An element is in range iff its last byte, at the 32-bit sum
// of the lane's offset and the immediate plus soffset, lies below num_records; with an index and a stride the
// index is checked instead. CDNA3 ISA manual section 9.1.5.
#ifndef LOWP_LIB_SIM_BUFFERADDRESSES_H
#define LOWP_LIB_SIM_BUFFERADDRESSES_H

#include "Buffers.h"
#include "Engine.h"

namespace lowp::sim {

class BufferAddresses {
public:
  /// `first` is the position of the lane address among the sources; descriptor and soffset follow it.
  BufferAddresses(Engine &engine, Wave &wave, const Inst &inst, unsigned first)
      : wave(wave), inst(inst), address(inst.src[first]), descriptor(wave, inst.src[first + 1].reg) {
    const Operand &scalar = inst.src[first + 2];
    soffset = scalar.isSgpr() ? wave.s[scalar.reg] : uint32_t(scalar.imm);
    indexed = inst.idxen && descriptor.stride;
    unsupported = descriptor.unsupported();
    if (unsupported)
      engine.fault(FindingKind::Unsupported, wave, inst, [&] {
        return std::string("the buffer descriptor asks for ") + unsupported +
               ", which the simulator does not model (it models linear addresses)";
      });
  }
  /// False after a finding.
  bool good() const { return !unsupported; }

  struct Place {
    uint64_t address;
    uint64_t offset; ///< what the range check sees
    bool indexOk;
  };
  Place of(unsigned lane) const {
    uint32_t index = 0, offset = uint32_t(inst.offset);
    unsigned reg = address.reg;
    if (inst.idxen)
      index = wave.v[reg++][lane];
    if (inst.offen)
      offset += wave.v[reg][lane];
    uint64_t within = uint64_t(offset) + soffset;
    if (indexed)
      return {descriptor.base + within + uint64_t(index) * descriptor.stride, 0, index < descriptor.records};
    return {descriptor.base + within, within, true};
  }
  /// Whether bytes [from, from + size) of this lane's access are in range.
  bool inRange(const Place &place, unsigned from, unsigned size) const {
    return place.indexOk && (indexed || place.offset + from + size <= descriptor.records);
  }

private:
  const Wave &wave;
  const Inst &inst;
  const Operand &address;
  BufferDescriptor descriptor;
  uint32_t soffset = 0;
  bool indexed = false;
  const char *unsupported = nullptr;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_BUFFERADDRESSES_H
