// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffer loads and stores (MUBUF). Out of range loads give zero, to LDS too, and stores are dropped, dword by
// dword. CDNA3 ISA manual section 9.1.

#include "BufferAddresses.h"
#include "VmemBulk.h"

using namespace llvm;
using namespace lowp::sim;

static void load(Engine &engine, Wave &wave, const Inst &inst) {
  BufferAddresses addresses(wave, inst, 0);
  unsigned size = vmemSize(inst);
  uint64_t exec = wave.exec(), all[64];
  if (exec == ~uint64_t(0) && size >= 4 && !inst.lds && addresses.all(size, all) &&
      loadBulk(engine, wave, inst, all, size))
    return;
  LoadedLanes loaded;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    BufferAddresses::Place place = addresses.of(lane);
    if (addresses.inRange(place, 0, size) && addresses.contiguous(size)) {
      loadLane(engine, wave, inst, lane, place.address, size, loaded);
      continue;
    }
    loaded.zero(lane);
    for (unsigned i = 0; i * 4 < size; ++i) {
      unsigned part = std::min(4u, size - 4 * i);
      if (!addresses.inRange(place, 4 * i, part)) {
        ++engine.maskedBufferLanes;
        continue;
      }
      LoadedLanes one;
      loadLane(engine, wave, inst, lane, addresses.addressAt(place, 4 * i), part, one);
      loaded.data[lane][i] = one.data[lane][0];
      loaded.undefined[i] |= one.undefined[0];
    }
  }
  if (inst.lds)
    landInLds(engine, wave, inst, loaded);
  else
    landInRegisters(wave, inst, loaded);
}

static void store(Engine &engine, Wave &wave, const Inst &inst) {
  BufferAddresses addresses(wave, inst, 1);
  unsigned size = vmemSize(inst);
  uint64_t exec = wave.exec(), all[64];
  if (exec == ~uint64_t(0) && size >= 4 && addresses.all(size, all) &&
      storeBulk(engine, wave, inst, inst.src[0].reg, all, size))
    return;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    uint32_t data[4];
    gatherData(wave, inst, inst.src[0], lane, data);
    BufferAddresses::Place place = addresses.of(lane);
    if (addresses.inRange(place, 0, size) && addresses.contiguous(size)) {
      storeLane(engine, wave, inst, lane, place.address, size, data);
      continue;
    }
    for (unsigned i = 0; i * 4 < size; ++i) {
      unsigned part = std::min(4u, size - 4 * i);
      if (addresses.inRange(place, 4 * i, part))
        storeLane(engine, wave, inst, lane, addresses.addressAt(place, 4 * i), part, data + i);
      else
        ++engine.maskedBufferLanes;
    }
  }
}

ArrayRef<OpEntry> lowp::sim::bufferOps() {
  static constexpr Unit L = Unit::VmemLoad, W = Unit::VmemStore;
  static constexpr Undefined R = Undefined::Report;
  static const OpEntry table[] = {
      {"buffer_load_ubyte", load, L, 1, R, 0, 1},
      {"buffer_load_sbyte", load, L, 1, R, 0, 1 | VmemSigned},
      {"buffer_load_ushort", load, L, 1, R, 0, 2},
      {"buffer_load_sshort", load, L, 1, R, 0, 2 | VmemSigned},
      {"buffer_load_ubyte_d16", load, L, 1, R, PartialDst, 1 | VmemLow},
      {"buffer_load_ubyte_d16_hi", load, L, 1, R, PartialDst, 1 | VmemHigh},
      {"buffer_load_sbyte_d16", load, L, 1, R, PartialDst, 1 | VmemSigned | VmemLow},
      {"buffer_load_sbyte_d16_hi", load, L, 1, R, PartialDst, 1 | VmemSigned | VmemHigh},
      {"buffer_load_short_d16", load, L, 1, R, PartialDst, 2 | VmemLow},
      {"buffer_load_short_d16_hi", load, L, 1, R, PartialDst, 2 | VmemHigh},
      {"buffer_load_dword", load, L, 1, R, 0, 4},
      {"buffer_load_dwordx2", load, L, 1, R, 0, 8},
      {"buffer_load_dwordx3", load, L, 1, R, 0, 12},
      {"buffer_load_dwordx4", load, L, 1, R, 0, 16},
      {"buffer_store_byte", store, W, 0, R, 0, 1},
      {"buffer_store_byte_d16_hi", store, W, 0, R, 0, 1 | VmemHigh},
      {"buffer_store_short", store, W, 0, R, 0, 2},
      {"buffer_store_short_d16_hi", store, W, 0, R, 0, 2 | VmemHigh},
      {"buffer_store_dword", store, W, 0, R, 0, 4},
      {"buffer_store_dwordx2", store, W, 0, R, 0, 8},
      {"buffer_store_dwordx3", store, W, 0, R, 0, 12},
      {"buffer_store_dwordx4", store, W, 0, R, 0, 16},
  };
  return table;
}
