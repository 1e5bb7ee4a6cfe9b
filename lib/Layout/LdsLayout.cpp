// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LDS order with a derived swizzle. A row keeps its place; inside row r, unit u stands at place u ^ S r,
// where S is a matrix over F2 from row bits to unit bits. The order stays linear, stays a bijection, and a
// global access along one row stays within the same lines.
//
// When is a read free of conflicts? The lanes of one phase are a coset of a linear subspace V of the lane
// bits (so are all published phases: {0-3,12-15,20-27} are the lanes l with l2+l3+l4 even). The map from V to
// the bank bits of the address is linear, and each bank holds as many distinct dwords as the elements of V
// that this map sends to the same bank, up to those of equal address: none collide iff the bank bits separate
// all that the address separates, a rank condition on S. Each column of S (one row bit) can add at most one
// to the rank.
//
// The search follows that: columns in turn, for each the value that lowers the conflicts most (the plainest
// of equals), and back if the last column leaves conflicts. The measure is the real one, counted on the
// addresses of an instruction, so that the element sizes that are no power of two (6 bits) need no theory of
// their own. A conflict-free S is found on the first descent for all of the usual tiles; where there is none,
// `budget` ends the search.

#include "lowp/Layout/TileLayouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace lowp;

unsigned lowp::bankConflicts(llvm::ArrayRef<uint32_t> addresses, LdsAccess access, const Target &target) {
  LdsPhases phases = target.ldsPhases(access);
  unsigned bytes = accessBits(access) / 8, extra = 0;
  llvm::SmallVector<uint32_t, 128> dwords;
  llvm::SmallVector<unsigned, 64> load(phases.banks);
  for (uint64_t mask : phases.laneMasks) {
    dwords.clear();
    for (auto [lane, address] : llvm::enumerate(addresses))
      if (mask >> lane & 1)
        for (uint32_t dword = address / 4; dword <= (address + bytes - 1) / 4; ++dword)
          dwords.push_back(dword);
    llvm::sort(dwords);
    dwords.erase(std::unique(dwords.begin(), dwords.end()), dwords.end());
    llvm::fill(load, 0u);
    for (uint32_t dword : dwords)
      ++load[dword % phases.banks];
    if (!dwords.empty())
      extra += *llvm::max_element(load) - 1;
  }
  return extra;
}

namespace {

/// The kind of instruction for an access; narrower ones than a dword move within one dword.
LdsAccess kindOf(unsigned bits, bool write) {
  if (bits > 96)
    return write ? LdsAccess::Write128 : LdsAccess::Read128;
  if (bits > 64)
    return write ? LdsAccess::Write96 : LdsAccess::Read96;
  if (bits > 32)
    return write ? LdsAccess::Write64 : LdsAccess::Read64;
  return write ? LdsAccess::Write32 : LdsAccess::Read32;
}

/// One swizzle: the columns of S.
using Columns = llvm::SmallVector<uint32_t>;

/// The tile's order without a swizzle, and what swizzles do to it. Offsets are [row | unit | element] from
/// the top.
struct Rows {
  LinearLayout plain;
  unsigned contiguous;
  unsigned elementBitCount,
      unitBitCount; ///< offset bits that are the element within a unit, the unit within a row

  unsigned firstRowBit() const { return elementBitCount + unitBitCount; }

  LinearLayout swizzled(const Columns &s) const {
    std::vector<LinearLayout::Input> inputs = plain.inputs().vec();
    for (auto [bit, column] : llvm::enumerate(s))
      inputs.front().bases[firstRowBit() + bit][contiguous] ^= column << elementBitCount;
    return LinearLayout(std::move(inputs), plain.outSizes().vec());
  }
  uint32_t swizzle(uint32_t offset, const Columns &s) const {
    for (auto [bit, column] : llvm::enumerate(s))
      if (offset >> (firstRowBit() + bit) & 1)
        offset ^= column << elementBitCount;
    return offset;
  }
};

/// The accesses of one side, reader or writer, and their cost under a swizzle.
class Accesses {
public:
  Accesses(const AccessPlan &plan, unsigned elementBits, bool write, const Target &target)
      : elementBits(elementBits), kind(kindOf(plan.bits, write)), target(target) {
    // With a power of two of bits all instructions meet the same conflicts: they differ by a constant xored
    // to every address. Other sizes are counted instruction by instruction, and the worst is what counts.
    unsigned iterations =
        llvm::isPowerOf2_32(elementBits) ? 0 : std::min<unsigned>(plan.iterationBits.size(), 6);
    for (unsigned i = 0; i < 1u << iterations; ++i) {
      uint32_t reg = 0;
      for (unsigned bit = 0; bit < iterations; ++bit)
        if (i >> bit & 1)
          reg |= 1u << plan.iterationBits[bit];
      std::vector<uint32_t> lanes(target.waveSize());
      for (auto [lane, offset] : llvm::enumerate(lanes))
        offset = plan.offset(reg, lane, 0);
      offsets.push_back(std::move(lanes));
    }
    for (uint32_t offset : plan.laneOffsets)
      laneBits |= offset;
  }

  unsigned conflicts(const Rows &rows, const Columns &s) const {
    unsigned worst = 0;
    llvm::SmallVector<uint32_t, 64> addresses;
    for (const std::vector<uint32_t> &lanes : offsets) {
      addresses.clear();
      for (uint32_t offset : lanes)
        addresses.push_back(uint64_t(rows.swizzle(offset, s)) * elementBits / 8);
      worst = std::max(worst, bankConflicts(addresses, kind, target));
    }
    return worst;
  }

  uint32_t laneBits = 0; ///< plain offset bits in which lanes differ

private:
  unsigned elementBits;
  LdsAccess kind;
  const Target &target;
  std::vector<std::vector<uint32_t>> offsets; ///< per instruction, per lane, in the plain order
};

/// Search over the columns of S; see the top of the file.
class Search {
public:
  Search(const Rows &rows, const Accesses &reader, const Accesses *writer)
      : rows(rows), reader(reader), writer(writer),
        current(rows.plain.inputBits("offset") - rows.firstRowBit(), 0) {
    // Rows in which no lanes of one instruction differ have no bearing.
    uint32_t moving = reader.laneBits | (writer ? writer->laneBits : 0);
    for (unsigned bit = 0; bit < current.size(); ++bit)
      if (moving >> (rows.firstRowBit() + bit) & 1)
        columns.push_back(bit);
    best = current;
    bestCost = cost();
  }

  Columns run() {
    descend(0);
    return best;
  }

private:
  using Cost = std::pair<unsigned, unsigned>; // reads first

  Cost cost() {
    --budget;
    return {reader.conflicts(rows, current), writer ? writer->conflicts(rows, current) : 0};
  }
  bool done() const { return budget <= 0 || bestCost == Cost(0, 0); }

  void descend(unsigned index) {
    if (done() || index == columns.size())
      return;
    uint32_t &column = current[columns[index]];
    std::vector<std::pair<Cost, uint32_t>> candidates;
    for (uint32_t value = 0; value < 1u << rows.unitBitCount && !done(); ++value) {
      column = value;
      Cost now = cost();
      if (now < bestCost) {
        best = current;
        bestCost = now;
      }
      candidates.push_back({now, value});
    }
    llvm::sort(candidates);
    for (auto [unused, value] : candidates) {
      column = value;
      descend(index + 1);
      if (done())
        break;
    }
    column = 0;
  }

  const Rows &rows;
  const Accesses &reader, *writer;
  Columns current, best;
  Cost bestCost;
  llvm::SmallVector<unsigned> columns; ///< the row bits that matter, lowest first
  int budget = 4096;
};

} // namespace

LdsLayout lowp::ldsLayout(llvm::ArrayRef<int32_t> shape, unsigned contiguous, unsigned elementBits,
                          unsigned unitBits, const LinearLayout &reader, const LinearLayout *writer,
                          const Target &target, unsigned widest) {
  LinearLayout plain = tileOrder(shape, contiguous);
  AccessPlan read = planAccess(reader, plain, elementBits, widest), write;
  if (writer)
    write = planAccess(*writer, plain, elementBits, widest);

  unsigned rowBits = llvm::Log2_32(shape[contiguous]);
  unsigned element = std::max<unsigned>(read.vectorBits.size(), write.vectorBits.size());
  if (unitBits > elementBits)
    element = std::max(element, llvm::Log2_32(unitBits / elementBits));
  element = std::min(element, rowBits);
  Rows rows{plain, contiguous, element, rowBits - element};

  Accesses reads(read, elementBits, /*write=*/false, target);
  std::optional<Accesses> writes;
  if (writer)
    writes.emplace(write, elementBits, /*write=*/true, target);
  Columns s = Search(rows, reads, writes ? &*writes : nullptr).run();
  return {rows.swizzled(s), read.bits, write.bits, reads.conflicts(rows, s),
          writes ? writes->conflicts(rows, s) : 0};
}
