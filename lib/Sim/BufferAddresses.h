// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of the lanes of a buffer instruction. An element is in range iff its last byte, at the 32-bit sum
// of the lane's offset and the immediate plus soffset, lies below num_records; with an index and a stride the
// index is checked instead, and with the lane as the only index nothing is. Swizzled addresses keep elements
// of four bytes together for as many records as the descriptor says. CDNA4 ISA manual section 9.1.5.
#ifndef LOWP_LIB_SIM_BUFFERADDRESSES_H
#define LOWP_LIB_SIM_BUFFERADDRESSES_H

#include "Buffers.h"

namespace lowp::sim {

class BufferAddresses {
public:
  /// `first` is the position of the lane address among the sources; descriptor and soffset follow it.
  BufferAddresses(const Wave &wave, const Inst &inst, unsigned first)
      : wave(wave), inst(inst), address(inst.src[first]), descriptor(wave, inst.src[first + 1].reg) {
    const Operand &scalar = inst.src[first + 2];
    soffset = scalar.isSgpr() ? wave.s[scalar.reg] : uint32_t(scalar.imm);
    indexed = inst.idxen && descriptor.stride;
    unchecked = descriptor.addsLane && !inst.idxen;
  }

  struct Place {
    uint64_t address; ///< of the first byte
    uint64_t checked; ///< the offset that the range check sees
    uint32_t offset, index;
    bool indexOk;
  };
  Place of(unsigned lane) const {
    Place place = {0, 0, uint32_t(inst.offset), 0, true};
    unsigned reg = address.reg;
    if (inst.idxen)
      place.index = wave.v[reg++][lane];
    if (inst.offen)
      place.offset += wave.v[reg][lane];
    place.indexOk = !indexed || place.index < descriptor.records;
    if (descriptor.addsLane)
      place.index += lane;
    place.checked = uint64_t(place.offset) + soffset;
    place.address = addressAt(place, 0);
    return place;
  }
  /// The address of the byte `from` of this lane's access.
  uint64_t addressAt(const Place &place, unsigned from) const {
    uint64_t offset = uint64_t(place.offset) + from;
    if (descriptor.swizzled && descriptor.stride) {
      constexpr uint64_t element = 4;
      uint64_t group = place.index / descriptor.indexStride, within = place.index % descriptor.indexStride;
      offset = (group * descriptor.stride + offset / element * element) * descriptor.indexStride +
               within * element + offset % element;
    } else {
      offset += uint64_t(place.index) * descriptor.stride;
    }
    return descriptor.base + soffset + offset;
  }
  /// Whether an access of this size lies in one piece.
  bool contiguous(unsigned size) const { return size <= 4 || !descriptor.swizzled; }
  /// Whether bytes [from, from + size) of this lane's access are in range.
  bool inRange(const Place &place, unsigned from, unsigned size) const {
    return unchecked || (place.indexOk && (indexed || place.checked + from + size <= descriptor.records));
  }

  /// The addresses of all lanes, when each access of this size lies in range and in one piece.
  bool all(unsigned size, uint64_t *addresses) const {
    if (!contiguous(size))
      return false;
    bool good = true;
    for (unsigned lane = 0; lane < 64; ++lane) {
      Place place = of(lane);
      good &= inRange(place, 0, size);
      addresses[lane] = place.address;
    }
    return good;
  }

private:
  const Wave &wave;
  const Inst &inst;
  const Operand &address;
  BufferDescriptor descriptor;
  uint32_t soffset = 0;
  bool indexed = false, unchecked = false;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_BUFFERADDRESSES_H
