// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectorising a memory access by algebra: compose the register layout with the inverse of the memory layout
// and look which of the offset's lowest bits are single register bits. If offset bit i is register bit r
// alone, and nothing else moves offset bits 0..i, then the registers that differ in those bits are neighbours
// in memory, aligned to their number.

#include "lowp/Layout/TileLayouts.h"

#include "llvm/ADT/STLExtras.h"

using namespace lowp;

uint32_t AccessPlan::variableBits() const {
  uint32_t bits = 0;
  for (uint32_t offset : laneOffsets)
    bits |= offset;
  for (uint32_t offset : waveOffsets)
    bits |= offset;
  return bits;
}

uint32_t AccessPlan::offset(uint32_t reg, uint32_t lane, uint32_t wave) const {
  auto sum = [](llvm::ArrayRef<uint32_t> offsets, uint32_t value) {
    uint32_t result = 0;
    for (auto [bit, offset] : llvm::enumerate(offsets))
      result ^= value >> bit & 1 ? offset : 0;
    return result;
  };
  return sum(registerOffsets, reg) ^ sum(laneOffsets, lane) ^ sum(waveOffsets, wave);
}

AccessPlan lowp::planAccess(const LinearLayout &registers, const LinearLayout &memory, unsigned elementBits,
                            unsigned maxBits) {
  AccessPlan plan;
  std::optional<LinearLayout> offsets = registers.invertAndCompose(memory);
  if (!offsets || offsets->rank() != 1)
    return plan;
  auto contributions = [&](llvm::StringRef input) {
    llvm::SmallVector<uint32_t> result;
    for (unsigned bit = 0; bit < offsets->inputBits(input); ++bit)
      result.push_back(offsets->basis(input, bit).front());
    return result;
  };
  plan.registerOffsets = contributions("register");
  plan.laneOffsets = contributions("lane");
  plan.waveOffsets = contributions("wave");

  plan.bits = elementBits;
  uint32_t variable = plan.variableBits();
  for (uint32_t unit = 1; 2 * plan.bits <= maxBits && !(variable & unit); unit <<= 1) {
    auto moves = [&](uint32_t offset) { return offset & unit; };
    const auto *it = llvm::find(plan.registerOffsets, unit);
    if (it == plan.registerOffsets.end() || llvm::count_if(plan.registerOffsets, moves) != 1)
      break;
    plan.vectorBits.push_back(it - plan.registerOffsets.begin());
    plan.bits *= 2;
  }
  for (unsigned bit = 0; bit < plan.registerOffsets.size(); ++bit)
    if (!llvm::is_contained(plan.vectorBits, bit))
      plan.iterationBits.push_back(bit);
  return plan;
}

VectorAccess lowp::widestAccess(const LinearLayout &registers, const LinearLayout &memory,
                                unsigned elementBits, unsigned maxBits) {
  AccessPlan plan = planAccess(registers, memory, elementBits, maxBits);
  return {plan.bits, plan.vectorBits};
}
