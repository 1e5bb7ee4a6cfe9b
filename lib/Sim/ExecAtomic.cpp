// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on global memory and LDS. Those on global memory hold one lock per instruction, so that
// workgroups on several host threads see them whole. CDNA3 ISA manual sections 9.1, 10 and 11.

#include "Half.h"
#include "VectorMemory.h"

using namespace llvm;
using namespace lowp::sim;

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

namespace {

enum Kind : uint16_t {
  Swap,
  CmpSwap,
  Add,
  Sub,
  SMin,
  UMin,
  SMax,
  UMax,
  And,
  Or,
  Xor,
  Inc,
  Dec,
  AddF32,
  AddF64,
  PkAddF16,
  PkAddBF16,
  MinF32,
  MaxF32,
  MinF64,
  MaxF64
};
constexpr uint16_t wide = 0x100, returns = 0x200; // 64 bits; the DS form with a result

u64 apply(Kind kind, bool is64, u64 old, u64 data, u64 compare) {
  auto asSigned = [&](u64 x) { return is64 ? i64(x) : i64(i32(u32(x))); };
  auto pairOf = [&](auto add) {
    return u64(add(old & 0xffff, data & 0xffff)) | u64(add(old >> 16 & 0xffff, data >> 16 & 0xffff)) << 16;
  };
  switch (kind) {
  case Swap:
    return data;
  case CmpSwap:
    return old == compare ? data : old;
  case Add:
    return old + data;
  case Sub:
    return old - data;
  case SMin:
    return asSigned(old) < asSigned(data) ? old : data;
  case UMin:
    return std::min(old, data);
  case SMax:
    return asSigned(old) > asSigned(data) ? old : data;
  case UMax:
    return std::max(old, data);
  case And:
    return old & data;
  case Or:
    return old | data;
  case Xor:
    return old ^ data;
  case Inc:
    return old >= data ? 0 : old + 1;
  case Dec:
    return old == 0 || old > data ? data : old - 1;
  case AddF32:
    return asBits(asFloat(u32(old)) + asFloat(u32(data)));
  case MinF32:
    return asBits(std::fmin(asFloat(u32(old)), asFloat(u32(data))));
  case MaxF32:
    return asBits(std::fmax(asFloat(u32(old)), asFloat(u32(data))));
  case AddF64:
    return asBits64(asDouble(old) + asDouble(data));
  case MinF64:
    return asBits64(std::fmin(asDouble(old), asDouble(data)));
  case MaxF64:
    return asBits64(std::fmax(asDouble(old), asDouble(data)));
  case PkAddF16:
    return pairOf([](u64 a, u64 b) {
      return toHalf(double(toFloat(Half{uint16_t(a)})) + toFloat(Half{uint16_t(b)})).bits;
    });
  case PkAddBF16:
    return pairOf([](u64 a, u64 b) {
      return toBFloat(toFloat(BFloat{uint16_t(a)}) + toFloat(BFloat{uint16_t(b)})).bits;
    });
  }
  return old;
}

u64 laneData(const Wave &wave, unsigned reg, unsigned lane, bool is64) {
  u64 low = wave.v[reg][lane];
  return is64 ? low | u64(wave.v[reg + 1][lane]) << 32 : low;
}

/// One lane at a host address; gives the old value.
u64 update(uint8_t *at, Kind kind, bool is64, u64 data, u64 compare) {
  u64 old = 0;
  unsigned size = is64 ? 8 : 4;
  std::memcpy(&old, at, size);
  u64 value = apply(kind, is64, old, data, compare);
  std::memcpy(at, &value, size);
  return old;
}

void setResult(Wave &wave, const Operand &dst, unsigned lane, u64 old, bool is64) {
  wave.v[dst.reg][lane] = u32(old);
  if (is64)
    wave.v[dst.reg + 1][lane] = u32(old >> 32);
}

template <class AddressOf>
void globalUpdates(Engine &engine, Wave &wave, const Inst &inst, const Operand &data, const Operand &dst,
                   AddressOf address) {
  Kind kind = Kind(inst.op->param & 0xff);
  bool is64 = inst.op->param & wide;
  std::lock_guard<std::mutex> hold(engine.memory.atomics);
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(wave.exec() >> lane & 1))
      continue;
    u64 at;
    if (!address(lane, at))
      continue;
    const Region *region;
    uint8_t *host = accessGlobal(engine, wave, inst, lane, at, is64 ? 8 : 4, true, region);
    if (!host)
      continue;
    // cmpswap: the new value, then the one to compare with.
    u64 value = laneData(wave, data.reg, lane, is64);
    u64 compare = kind == CmpSwap ? laneData(wave, data.reg + (is64 ? 2 : 1), lane, is64) : 0;
    u64 old = update(host, kind, is64, value, compare);
    region->markInitialised(at, is64 ? 8 : 4);
    if (inst.sc0)
      setResult(wave, dst, lane, old, is64);
  }
}

void globalAtomic(Engine &engine, Wave &wave, const Inst &inst) {
  const Operand &vector = inst.src[0], &scalar = inst.src[2];
  globalUpdates(engine, wave, inst, inst.src[1], inst.dst, [&](unsigned lane, u64 &at) {
    at = u64(i64(inst.offset));
    if (scalar.isSgpr())
      at += wave.pair(scalar.reg) + wave.v[vector.reg][lane];
    else
      at += laneData(wave, vector.reg, lane, true);
    return true;
  });
}

void bufferAtomic(Engine &engine, Wave &wave, const Inst &inst) {
  const Operand &vector = inst.src[1], &scalar = inst.src[3];
  BufferDescriptor descriptor(wave, inst.src[2].reg);
  bool is64 = inst.op->param & wide;
  globalUpdates(engine, wave, inst, inst.src[0], inst.src[0], [&](unsigned lane, u64 &at) {
    u32 offset = u32(inst.offset) + (inst.offen ? wave.v[vector.reg + inst.idxen][lane] : 0);
    u64 within = u64(offset) + (scalar.isSgpr() ? wave.s[scalar.reg] : u32(scalar.imm));
    bool indexed = inst.idxen && descriptor.stride;
    u32 index = inst.idxen ? wave.v[vector.reg][lane] : 0;
    if (indexed ? index >= descriptor.records : within + (is64 ? 8 : 4) > descriptor.records) {
      ++engine.maskedBufferLanes;
      return false;
    }
    at = descriptor.base + within + (indexed ? u64(index) * descriptor.stride : 0);
    return true;
  });
}

void ldsAtomic(Engine &engine, Wave &wave, const Inst &inst) {
  Kind kind = Kind(inst.op->param & 0xff);
  bool is64 = inst.op->param & wide, result = inst.op->param & returns;
  unsigned size = is64 ? 8 : 4;
  uint64_t exec = wave.exec();
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(exec >> lane & 1))
      continue;
    u32 address = wave.v[inst.src[0].reg][lane] + u32(inst.offset);
    if (!engine.lds.fits(address, size)) {
      engine.report(FindingKind::LdsOutOfBounds, wave, inst, u64(1) << lane,
                    [&] { return "updates LDS byte " + std::to_string(address); });
      continue;
    }
    // Atomics of several waves on one dword are no race among themselves; the value must have been set
    // before.
    if (engine.checking() && !engine.lds.initialised(engine.lds.cell(address), 15))
      engine.report(FindingKind::UninitialisedMemory, wave, inst, u64(1) << lane, [&] {
        return "updates LDS byte " + std::to_string(address) + ", which was never written";
      });
    u64 value = laneData(wave, inst.src[1].reg, lane, is64), compare = 0;
    if (kind == CmpSwap) { // compare value first, then the new one
      compare = value;
      value = laneData(wave, inst.src[2].reg, lane, is64);
    }
    u64 old = update(engine.lds.at(address), kind, is64, value, compare);
    if (result)
      setResult(wave, inst.dst, lane, old, is64);
  }
}

struct TableMaker {
  std::vector<OpEntry> entries;
  std::vector<std::unique_ptr<std::string>> names;

  void add(const std::string &name, Handler handler, Unit unit, uint8_t dsts, uint16_t param) {
    names.push_back(std::make_unique<std::string>(name));
    entries.push_back({names.back()->c_str(), handler, unit, dsts, Undefined::Report, 0, param});
  }
  void addGlobal(const std::string &suffix, uint16_t param) {
    add("global_atomic_" + suffix, globalAtomic, Unit::Atomic, 0, param);
    add("flat_atomic_" + suffix, globalAtomic, Unit::Atomic, 0, param);
    add("buffer_atomic_" + suffix, bufferAtomic, Unit::Atomic, 0, param);
  }
  void addDs(const std::string &name, const std::string &type, uint16_t param) {
    add("ds_" + name + "_" + type, ldsAtomic, Unit::DsWrite, 0, param);
    add("ds_" + name + "_rtn_" + type, ldsAtomic, Unit::DsRead, 1, param | returns);
  }
};

} // namespace

ArrayRef<OpEntry> lowp::sim::atomicOps() {
  static const TableMaker table = [] {
    TableMaker maker;
    struct Named {
      const char *name;
      Kind kind;
    };
    for (const Named &op :
         {Named{"swap", Swap}, Named{"cmpswap", CmpSwap}, Named{"add", Add}, Named{"sub", Sub},
          Named{"smin", SMin}, Named{"umin", UMin}, Named{"smax", SMax}, Named{"umax", UMax},
          Named{"and", And}, Named{"or", Or}, Named{"xor", Xor}, Named{"inc", Inc}, Named{"dec", Dec}}) {
      maker.addGlobal(op.name, op.kind);
      maker.addGlobal(std::string(op.name) + "_x2", op.kind | wide);
    }
    maker.addGlobal("add_f32", AddF32);
    maker.addGlobal("add_f64", AddF64 | wide);
    maker.addGlobal("min_f64", MinF64 | wide);
    maker.addGlobal("max_f64", MaxF64 | wide);
    maker.addGlobal("pk_add_f16", PkAddF16);
    maker.addGlobal("pk_add_bf16", PkAddBF16);
    return maker;
  }();
  return table.entries;
}

ArrayRef<OpEntry> lowp::sim::dsAtomicOps() {
  static const TableMaker table = [] {
    TableMaker maker;
    for (bool is64 : {false, true}) {
      uint16_t w = is64 ? wide : 0;
      std::string bits = is64 ? "64" : "32";
      maker.addDs("add", "u" + bits, Add | w);
      maker.addDs("sub", "u" + bits, Sub | w);
      maker.addDs("inc", "u" + bits, Inc | w);
      maker.addDs("dec", "u" + bits, Dec | w);
      maker.addDs("min", "i" + bits, SMin | w);
      maker.addDs("max", "i" + bits, SMax | w);
      maker.addDs("min", "u" + bits, UMin | w);
      maker.addDs("max", "u" + bits, UMax | w);
      maker.addDs("and", "b" + bits, And | w);
      maker.addDs("or", "b" + bits, Or | w);
      maker.addDs("xor", "b" + bits, Xor | w);
      maker.addDs("cmpst", "b" + bits, CmpSwap | w);
    }
    maker.add("ds_wrxchg_rtn_b32", ldsAtomic, Unit::DsRead, 1, Swap | returns);
    maker.add("ds_wrxchg_rtn_b64", ldsAtomic, Unit::DsRead, 1, Swap | returns | wide);
    maker.addDs("add", "f32", AddF32);
    maker.addDs("min", "f32", MinF32);
    maker.addDs("max", "f32", MaxF32);
    maker.addDs("add", "f64", AddF64 | wide);
    maker.addDs("pk_add", "f16", PkAddF16);
    maker.addDs("pk_add", "bf16", PkAddBF16);
    return maker;
  }();
  return table.entries;
}
