// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement and search of the regions of global memory.

#include "Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace lowp::sim;

std::vector<uint64_t> lowp::sim::guestAddresses(ArrayRef<Buffer> buffers) {
  std::vector<uint64_t> addresses;
  uint64_t slot = buffersBase;
  for (const Buffer &buffer : buffers) {
    // One alignment unit into the slot: a multiple of `align` and of nothing larger.
    uint64_t align = buffer.align ? buffer.align : 1;
    addresses.push_back(slot + align);
    slot += (buffer.bytes + align) / bufferSpacing * bufferSpacing + bufferSpacing;
  }
  return addresses;
}

void Memory::sort() {
  llvm::sort(regions, [](const Region &a, const Region &b) { return a.base < b.base; });
}

const Region *Memory::find(uint64_t address, uint64_t size) const {
  auto after = llvm::upper_bound(regions, address, [](uint64_t a, const Region &r) { return a < r.base; });
  if (after == regions.begin())
    return nullptr;
  const Region &region = *std::prev(after);
  return region.contains(address, size) ? &region : nullptr;
}

std::string Memory::describe(uint64_t address, uint64_t size) const {
  const Region *nearest = nullptr;
  uint64_t distance = ~uint64_t(0);
  bool before = false;
  for (const Region &region : regions) {
    uint64_t below = region.base > address ? region.base - address : 0;
    uint64_t above = address + size > region.end ? address + size - region.end : 0;
    uint64_t gap = std::max(below, above);
    if (gap < distance) {
      distance = gap;
      nearest = &region;
      before = below != 0;
    }
  }
  std::string text = "address 0x" + utohexstr(address, true) + ", ";
  if (!nearest || distance > bufferSpacing / 2)
    return text + "not near any buffer";
  uint64_t bytes = nearest->end - nearest->base;
  if (before)
    return text + std::to_string(distance) + " bytes before '" + nearest->name + "' (" +
           std::to_string(bytes) + " bytes)";
  text += "byte " + std::to_string(address - nearest->base) + " of '" + nearest->name + "' (" +
          std::to_string(bytes) + " bytes)";
  return distance ? text + ", " + std::to_string(distance) + " bytes past its end" : text;
}
