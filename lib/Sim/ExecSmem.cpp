// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar memory loads. A dword whose first byte lies in a buffer may reach past its end: compilers load the
// dword around a narrower value, and scalar memory is read in dwords. CDNA3 ISA manual section 8.

#include "Buffers.h"
#include "MemAccess.h"

using namespace llvm;
using namespace lowp::sim;

static void loadDword(Engine &engine, Wave &wave, const Inst &inst, uint64_t address, unsigned reg) {
  wave.s[reg] = 0;
  const Region *region = lookUp(engine, wave, address, 1);
  if (!region) {
    engine.report(FindingKind::OutOfBounds, wave, inst, wave.exec(), [&] {
      return "loads 4 bytes outside every buffer: " + engine.memory.describe(address, 4);
    });
    return;
  }
  unsigned size = std::min<uint64_t>(4, region->end - address);
  std::memcpy(&wave.s[reg], region->at(address), size);
  engine.traffic.add(address, size, region->index, /*read=*/true, /*write=*/false);
  if (engine.checking() && !region->anyInitialised(address, size))
    wave.ss[reg].valid = false;
}

static uint64_t offsetOf(const Wave &wave, const Inst &inst) {
  const Operand &operand = inst.src[1];
  uint64_t offset = operand.isSgpr() ? wave.s[operand.reg] : operand.imm;
  return offset + int64_t(inst.offset);
}

static void load(Engine &engine, Wave &wave, const Inst &inst) {
  uint64_t address = (wave.pair(inst.src[0].reg) + offsetOf(wave, inst)) & ~uint64_t(3);
  for (unsigned i = 0; i < inst.op->param; ++i)
    loadDword(engine, wave, inst, address + 4 * i, inst.dst.reg + i);
}

static void bufferLoad(Engine &engine, Wave &wave, const Inst &inst) {
  BufferDescriptor descriptor(wave, inst.src[0].reg);
  uint64_t offset = offsetOf(wave, inst) & ~uint64_t(3);
  for (unsigned i = 0; i < inst.op->param; ++i) {
    if (offset + 4 * i + 4 > descriptor.records) {
      wave.s[inst.dst.reg + i] = 0;
      ++engine.maskedBufferLanes;
      continue;
    }
    loadDword(engine, wave, inst, descriptor.base + offset + 4 * i, inst.dst.reg + i);
  }
}

static void time(Engine &, Wave &wave, const Inst &inst) {
  wave.setPair(inst.dst.reg, uint64_t(wave.clock) * 4);
}

ArrayRef<OpEntry> lowp::sim::smemOps() {
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"s_load_dword", load, Unit::Smem, 1, R, 0, 1},
      {"s_load_dwordx2", load, Unit::Smem, 1, R, 0, 2},
      {"s_load_dwordx4", load, Unit::Smem, 1, R, 0, 4},
      {"s_load_dwordx8", load, Unit::Smem, 1, R, 0, 8},
      {"s_load_dwordx16", load, Unit::Smem, 1, R, 0, 16},
      {"s_buffer_load_dword", bufferLoad, Unit::Smem, 1, R, 0, 1},
      {"s_buffer_load_dwordx2", bufferLoad, Unit::Smem, 1, R, 0, 2},
      {"s_buffer_load_dwordx4", bufferLoad, Unit::Smem, 1, R, 0, 4},
      {"s_buffer_load_dwordx8", bufferLoad, Unit::Smem, 1, R, 0, 8},
      {"s_buffer_load_dwordx16", bufferLoad, Unit::Smem, 1, R, 0, 16},
      {"s_memtime", time, Unit::Smem},
      {"s_memrealtime", time, Unit::Smem},
  };
  return table;
}
