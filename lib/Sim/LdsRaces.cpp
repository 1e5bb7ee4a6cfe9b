// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races in LDS beyond whole dwords: waves that use different bytes of one dword do not race; atomic updates
// race with plain accesses of other waves, but not among each other. A plain read of what others update is
// forgiven when the reading wave updates it too before the next barrier: compilers begin a loop of
// compare-and-swap by a plain read. What a kernel polls by plain reads while another wave sets it is a race
// by this rule, even if it means to be an atomic load: the machine code of the two is the same.
//
// A barrier does not wait for LDS reads. One that its wave has not waited for (lgkmcnt) when it reaches the
// barrier may be served after it, so it counts as a read of the next epoch, too.

#include "Engine.h"

using namespace llvm;
using namespace lowp::sim;

static uint16_t bitOf(const Wave &wave) { return uint16_t(1u << wave.id); }

static std::string place(uint32_t address) { return "LDS byte " + std::to_string(address); }

void Lds::lookUp(uint32_t index) {
  LdsBlock &block = blocks[index];
  if (block.lookedUp == epoch)
    return;
  block.lookedUp = epoch;
  block.defined = 0;
  constexpr uint32_t dwords = 1u << (LdsBlock::shift - 2);
  uint32_t first = index * dwords, end = std::min((limit + 3) / 4, first + dwords);
  for (uint32_t i = first; i < end; ++i) {
    const LdsCell &cell = cells[i];
    bool defined = !cell.pendingCopies && cell.writerAndBytes >= 0xf0 && cell.writeEpoch >= firstEpoch;
    block.defined |= uint64_t(defined) << (i - first);
  }
}

bool Lds::defer(unsigned wave, const LdsPattern &pattern, const uint32_t *addresses, unsigned dwords,
                bool write) {
  constexpr size_t most = 512;
  if (deferred.size() == most)
    settle();
  uint16_t own = uint16_t(1u << wave), others = uint16_t(~own);
  uint32_t base = LdsPattern::baseOf(addresses) >> LdsBlock::shift;
  for (const LdsPattern::Part &part : pattern.parts) {
    LdsBlock &block = blocks[base + part.block];
    if ((write ? block.touched : block.changed) == epoch)
      return false;
    if (block.lookedUp < firstEpoch || (part.dwords & ~block.defined)) {
      lookUp(base + part.block);
      if (part.dwords & ~block.defined)
        return false;
    }
    if (block.deferredEpoch != epoch) {
      block.deferredEpoch = epoch;
      block.read = block.written = 0;
      block.readers = block.writers = 0;
    }
    if (((block.writers & others) && (block.written & part.dwords)) ||
        (write && (block.readers & others) && (block.read & part.dwords)))
      return false;
    (write ? block.written : block.read) |= part.dwords;
    (write ? block.writers : block.readers) |= own;
  }
  deferred.emplace_back(wave, dwords, write, addresses);
  return true;
}

void Lds::settle() {
  for (const LdsDeferred &access : deferred)
    for (uint32_t address : access.addresses)
      for (unsigned i = 0; i < access.dwords; ++i) {
        LdsCell &cell = cells[address / 4 + i];
        if (access.write) {
          cell.writerAndBytes = uint8_t(access.wave | 0xf0);
          cell.writeEpoch = epoch;
        } else {
          cell.readers = uint16_t((cell.readEpoch == epoch ? cell.readers : 0) | 1u << access.wave);
          cell.readEpoch = epoch;
        }
      }
  deferred.clear();
}

bool Lds::conflictsInBytes(const LdsCell &cell, uint32_t address, unsigned byteMask, unsigned wave,
                           bool write) const {
  auto it = parts.find(address / 4);
  if (it == parts.end())
    return true;
  const LdsBytes &b = it->second;
  unsigned writer = cell.writerAndBytes & 15;
  uint16_t own = uint16_t(1u << wave);
  if (cell.writeEpoch == epoch && writer != wave) {
    if (b.partialWriteEpoch != epoch || b.partialWriter != writer)
      return true; // it wrote the whole dword
    for (unsigned i = 0; i < 4; ++i)
      if ((byteMask >> i & 1) && b.writeEpoch[i] == epoch && b.writer[i] != wave)
        return true;
  }
  if (write && cell.readEpoch == epoch) {
    uint16_t partial = b.partialReadEpoch == epoch ? b.partialReaders : 0;
    if (cell.readers & ~own & ~partial)
      return true;
    for (unsigned i = 0; i < 4; ++i)
      if ((byteMask >> i & 1) && b.readEpoch[i] == epoch && (b.readers[i] & ~own))
        return true;
  }
  return false;
}

void Lds::noteBytes(uint32_t address, unsigned byteMask, unsigned wave, bool write) {
  LdsBytes &b = parts[address / 4];
  uint16_t own = uint16_t(1u << wave);
  if (write) {
    b.partialWriteEpoch = epoch;
    b.partialWriter = uint8_t(wave);
  } else {
    b.partialReaders = b.partialReadEpoch == epoch ? b.partialReaders | own : own;
    b.partialReadEpoch = epoch;
  }
  for (unsigned i = 0; i < 4; ++i) {
    if (!(byteMask >> i & 1))
      continue;
    if (write) {
      b.writeEpoch[i] = epoch;
      b.writer[i] = uint8_t(wave);
    } else {
      b.readers[i] = b.readEpoch[i] == epoch ? b.readers[i] | own : own;
      b.readEpoch[i] = epoch;
    }
  }
}

static void suspect(Lds &lds, LdsSuspect one) {
  constexpr size_t enough = 4096;
  one.time = lds.time;
  if (lds.suspects.size() < enough)
    lds.suspects.push_back(one);
}

void lowp::sim::noteLdsDetail(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t a,
                              unsigned byteMask, bool write) {
  Lds &lds = engine.lds;
  if (byteMask != 15)
    lds.noteBytes(a, byteMask, wave.id, write);
  if (lds.atomics.empty())
    return;
  const LdsAtomic &atomic = lds.atomics[a / 4];
  uint16_t others = atomic.epoch == lds.epoch ? atomic.waves & ~bitOf(wave) : 0;
  if (!others)
    return;
  unsigned other = llvm::countr_zero(others);
  if (!write)
    return suspect(lds, {a, &inst, uint8_t(wave.id), uint8_t(wave.id), uint8_t(other), uint8_t(lane), 0});
  engine.report(FindingKind::LdsRace, wave, inst, uint64_t(1) << lane, [&] {
    return "writes " + place(a) + ", which wave " + std::to_string(other) +
           " updates atomically since the last barrier";
  });
}

void lowp::sim::checkLdsAtomic(Engine &engine, Wave &wave, const Inst &inst, unsigned lane, uint32_t address,
                               unsigned size) {
  Lds &lds = engine.lds;
  if (lds.atomics.empty())
    lds.atomics.resize((lds.size() + 19) / 4);
  lds.touch(address, size, /*change=*/true);
  for (uint32_t a = address & ~3u; a < address + size; a += 4) {
    LdsCell &cell = lds.cell(a);
    if (cell.pendingCopies || (cell.writeEpoch == lds.epoch && (cell.writerAndBytes & 15) != wave.id))
      engine.report(FindingKind::LdsRace, wave, inst, uint64_t(1) << lane, [&] {
        if (cell.pendingCopies)
          return "updates " + place(a) + ", to which a copy from global memory is under way";
        return "updates " + place(a) + ", which wave " + std::to_string(cell.writerAndBytes & 15) +
               " wrote since the last barrier";
      });
    LdsAtomic &atomic = lds.atomics[a / 4];
    uint16_t updaters = atomic.epoch == lds.epoch ? atomic.waves : 0;
    if (cell.readEpoch == lds.epoch) {
      cell.readers &= ~bitOf(wave); // its own earlier read belongs to this update
      for (uint16_t readers = cell.readers; readers; readers &= readers - 1) {
        unsigned reader = llvm::countr_zero(readers);
        suspect(lds, {a, &inst, uint8_t(wave.id), uint8_t(reader), uint8_t(reader), uint8_t(lane), 0});
      }
    }
    if (!lds.suspects.empty())
      lds.lastUpdate[Lds::updateKey(a, wave.id)] = ++lds.time;
    atomic.epoch = lds.epoch;
    atomic.waves = updaters | bitOf(wave);
  }
}

void lowp::sim::noteLdsRead(const Engine &engine, Wave &wave, const Inst &inst, const uint32_t *addresses,
                            unsigned bytes, unsigned part) {
  if (wave.ldsReads.empty())
    return;
  LdsRead &read = wave.ldsReads[2 * (wave.dsIssued & 15) + part];
  read.seq = wave.dsIssued;
  read.instruction = engine.indexOf(inst);
  read.bytes = uint8_t(bytes);
  read.lanes = wave.exec();
  std::memcpy(read.addresses, addresses, sizeof(read.addresses));
}

/// A read that was issued before the barrier counts as one of the new epoch.
static void carryRead(Engine &engine, const Wave &wave, const LdsRead &read, unsigned part) {
  Lds &lds = engine.lds;
  lds.carried = true;
  const LdsPattern &pattern = *engine.ldsPatterns[2 * read.instruction + part];
  if (lds.atomics.empty() && pattern.matches(read.addresses, read.lanes) &&
      pattern.allFit(LdsPattern::baseOf(read.addresses), lds.size()) &&
      lds.defer(wave.id, pattern, read.addresses, read.bytes / 4, /*write=*/false))
    return;
  for (unsigned lane = 0; lane < 64; ++lane) {
    uint32_t address = read.addresses[lane];
    if (!(read.lanes >> lane & 1) || !lds.fits(address, read.bytes))
      continue;
    lds.touch(address, read.bytes, /*change=*/false);
    for (uint32_t a = address & ~3u; a < address + read.bytes; a += 4) {
      LdsCell &cell = lds.cell(a);
      if (unsigned mask = ldsByteMask(a, address, read.bytes); mask != 15)
        lds.noteBytes(a, mask, wave.id, /*write=*/false);
      cell.readers = cell.readEpoch == lds.epoch ? cell.readers | bitOf(wave) : bitOf(wave);
      cell.readEpoch = lds.epoch;
    }
  }
}

static void carryReads(Engine &engine, const Wave &wave) {
  if (wave.ldsReads.empty() || wave.done)
    return;
  // The counter has four bits: with 15 under way the next one is not issued.
  uint32_t first = std::max(wave.dsDone, wave.dsIssued - std::min(wave.dsIssued, 15u)) + 1;
  for (uint32_t seq = first; seq <= wave.dsIssued; ++seq)
    for (unsigned part = 0; part < 2; ++part)
      if (const LdsRead &read = wave.ldsReads[2 * (seq & 15) + part]; read.seq == seq)
        carryRead(engine, wave, read, part);
}

void lowp::sim::endLdsEpoch(Engine &engine) {
  Lds &lds = engine.lds;
  for (const LdsSuspect &one : lds.suspects) {
    auto update = lds.lastUpdate.find(Lds::updateKey(one.address, one.reader));
    if (update != lds.lastUpdate.end() && update->second > one.time)
      continue; // the reader took part
    const Wave &actor = *engine.waves[one.actor];
    engine.report(FindingKind::LdsRace, actor, *one.inst, uint64_t(1) << one.lane, [&] {
      if (one.actor == one.reader)
        return "reads " + place(one.address) + ", which wave " + std::to_string(one.other) +
               " updates atomically since the last barrier";
      return "updates " + place(one.address) + ", which wave " + std::to_string(one.other) +
             " read since the last barrier";
    });
  }
  lds.suspects.clear();
  lds.lastUpdate.clear();
  lds.barrier();
  for (const Wave *wave : engine.waves)
    carryReads(engine, *wave);
}
