// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between memory and registers or LDS. A load to LDS writes lane l at M0 + offset + 4 l, or 16 l for three
// and four dwords. CDNA3 ISA manual section 9; CDNA4 ISA manual section 9.1.9.

#include "VectorMemory.h"

using namespace lowp::sim;

void lowp::sim::poisonUnwritten(Engine &engine, const Region &region, unsigned lane, uint64_t address,
                                unsigned size, LoadedLanes &to) {
  const uint8_t *written = region.shadow + (address - region.base);
  uint8_t *bytes = reinterpret_cast<uint8_t *>(to.data[lane]);
  for (unsigned i = 0; i < size; ++i)
    if (!written[i])
      bytes[i] = poisonByte;
  if (!engine.checking())
    return;
  for (unsigned i = 0; i * 4 < size; ++i)
    if (!region.anyInitialised(address + 4 * i, std::min(4u, size - 4 * i)))
      to.undefined[i] |= uint64_t(1) << lane;
}

void lowp::sim::landInRegisters(Wave &wave, const Inst &inst, const LoadedLanes &loaded) {
  uint64_t exec = wave.exec();
  uint16_t form = inst.op->param;
  unsigned size = vmemSize(inst), dwords = (size + 3) / 4;
  for (unsigned i = 0; i < dwords; ++i) {
    uint32_t *to = wave.v[inst.dst.reg + i];
    for (unsigned lane = 0; lane < 64; ++lane) {
      if (!(exec >> lane & 1))
        continue;
      uint32_t value = loaded.data[lane][i];
      if (form & VmemSigned)
        value = size == 1 ? uint32_t(int32_t(int8_t(value))) : uint32_t(int32_t(int16_t(value)));
      if (form & VmemLow)
        value = (to[lane] & 0xffff0000) | (value & 0xffff);
      else if (form & VmemHigh)
        value = (to[lane] & 0xffff) | value << 16;
      to[lane] = value;
    }
    if (loaded.undefined[i])
      wave.vs[inst.dst.reg + i].valid &= ~loaded.undefined[i];
  }
}

void lowp::sim::gatherData(const Wave &wave, const Inst &inst, const Operand &data, unsigned lane,
                           uint32_t *to) {
  for (unsigned i = 0; i < (vmemSize(inst) + 3) / 4; ++i)
    to[i] = wave.v[data.reg + i][lane];
  if (inst.op->param & VmemHigh)
    to[0] >>= 16;
}

void lowp::sim::landInLds(Engine &engine, Wave &wave, const Inst &inst, const LoadedLanes &loaded) {
  DirectCopy copy;
  unsigned size = vmemSize(inst);
  copy.inst = &inst;
  // M0[17:0]; global and scratch forms take it in dwords, M0[17:2] (CDNA4 ISA manual sections 9.1.9
  // and 10.3).
  uint32_t base = wave.s[M0] & (inst.op->param & VmemLds ? 0x3fffcu : 0x3ffffu);
  copy.ldsBase = base + uint32_t(inst.offset);
  copy.bytes = size < 4 ? 4 : size;
  copy.laneStride = size > 4 ? 16 : 4;
  copy.lanes = wave.exec();
  copy.defined = ~(loaded.undefined[0] | loaded.undefined[1] | loaded.undefined[2] | loaded.undefined[3]);
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(copy.lanes >> lane & 1))
      continue;
    std::memcpy(copy.data[lane], loaded.data[lane], copy.bytes);
    if (inst.op->param & VmemSigned) {
      int32_t value = size == 1 ? int8_t(loaded.data[lane][0]) : int16_t(loaded.data[lane][0]);
      std::memcpy(copy.data[lane], &value, 4);
    }
    uint32_t address = copy.ldsBase + lane * copy.laneStride;
    if (!engine.lds.fits(address, copy.bytes))
      engine.report(FindingKind::LdsOutOfBounds, wave, inst, uint64_t(1) << lane, [&] {
        return "copies to LDS byte " + std::to_string(address) + " of an allocation of " +
               std::to_string(engine.lds.size());
      });
    else if (address % 4)
      engine.report(FindingKind::Misaligned, wave, inst, uint64_t(1) << lane, [&] {
        return "copies to LDS byte " + std::to_string(address) + ", which is not a multiple of 4";
      });
  }
  issueDirectCopy(engine, wave, std::move(copy));
}
