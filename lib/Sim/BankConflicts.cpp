// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extra cycles of LDS accesses. An access is served in phases, each a fixed set of lanes; within a phase
// every bank serves one dword a cycle, and lanes that want the same dword share it. Phases and banks: AMD's
// blog on bank conflicts in CK-Tile and HipKittens' measurements (bank = dword address modulo 32; 64 on reads
// of the later chip).

#include "Engine.h"

using namespace lowp::sim;

namespace {

using LaneSet = uint64_t;

constexpr LaneSet range(unsigned first, unsigned count) {
  return (count == 64 ? ~LaneSet(0) : (LaneSet(1) << count) - 1) << first;
}

struct Phases {
  LaneSet sets[8];
  unsigned count;
  unsigned banks;
};

constexpr LaneSet a = range(0, 4) | range(20, 4), b = range(4, 4) | range(16, 4),
                  c = range(8, 4) | range(28, 4), d = range(12, 4) | range(24, 4);
constexpr LaneSet wideA = range(0, 4) | range(12, 4) | range(20, 8),
                  wideB = range(4, 8) | range(16, 4) | range(28, 4);

constexpr Phases halves32 = {{range(0, 32), range(32, 32)}, 2, 32};
constexpr Phases one64 = {{range(0, 64)}, 1, 64};
constexpr Phases quarters32 = {{range(0, 16), range(16, 16), range(32, 16), range(48, 16)}, 4, 32};
constexpr Phases halves64 = {{range(0, 32), range(32, 32)}, 2, 64};
constexpr Phases eights32 = {{a, b, c, d, a << 32, b << 32, c << 32, d << 32}, 8, 32};
constexpr Phases four64 = {{wideA, wideB, wideA << 32, wideB << 32}, 4, 64};
constexpr Phases straight32 = {{range(0, 8), range(8, 8), range(16, 8), range(24, 8), range(32, 8),
                                range(40, 8), range(48, 8), range(56, 8)},
                               8,
                               32};

const Phases &phasesOf(LdsWidth width, bool write, bool wideBanks) {
  switch (width) {
  case LdsWidth::B32:
    return write || !wideBanks ? halves32 : one64;
  case LdsWidth::B64:
    return write || !wideBanks ? quarters32 : halves64;
  case LdsWidth::B96:
    return write ? straight32 : eights32;
  case LdsWidth::B128:
    return write ? straight32 : wideBanks ? four64 : eights32;
  }
  return halves32;
}

unsigned dwordsOf(LdsWidth width) { return unsigned(width) + 1; }

unsigned extraCycles(const uint32_t *addresses, uint64_t lanes, unsigned dwords, const Phases &phases) {
  unsigned extra = 0;
  for (unsigned phase = 0; phase < phases.count; ++phase) {
    uint64_t active = phases.sets[phase] & lanes;
    // Distinct dwords per bank: at most 32 lanes times 4 dwords.
    uint32_t wanted[64][16];
    uint8_t counts[64] = {};
    unsigned worst = 1;
    for (unsigned lane = 0; lane < 64; ++lane) {
      if (!(active >> lane & 1))
        continue;
      for (unsigned i = 0; i < dwords; ++i) {
        uint32_t dword = addresses[lane] / 4 + i;
        unsigned bank = dword % phases.banks;
        unsigned known = 0;
        while (known < counts[bank] && wanted[bank][known] != dword)
          ++known;
        if (known == counts[bank] && known < 16)
          wanted[bank][counts[bank]++] = dword;
        worst = std::max<unsigned>(worst, counts[bank]);
      }
    }
    extra += worst - 1;
  }
  return extra;
}

} // namespace

const LdsPattern &lowp::sim::countConflicts(Engine &engine, const Inst &inst, const uint32_t *addresses,
                                            uint64_t lanes, LdsWidth width, bool write, unsigned part) {
  uint32_t index = engine.indexOf(inst);
  if (engine.ldsPatterns.empty())
    engine.ldsPatterns.resize(2 * engine.program.insts.size());
  std::unique_ptr<LdsPattern> &pattern = engine.ldsPatterns[2 * index + part];
  if (!pattern)
    pattern = std::make_unique<LdsPattern>();
  if (!pattern->matches(addresses, lanes)) {
    pattern->set(addresses, lanes, dwordsOf(width));
    const Phases &phases = phasesOf(width, write, engine.program.chip.wideLdsBanks);
    pattern->cycles = extraCycles(addresses, lanes, dwordsOf(width), phases);
  }
  engine.conflictCycles[index] += pattern->cycles;
  return *pattern;
}
