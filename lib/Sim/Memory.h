// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global memory as kernels see it: named regions in an address space of our own, backed by the caller's
// bytes. A region may carry one shadow byte per byte that says whether it was written.
#ifndef LOWP_LIB_SIM_MEMORY_H
#define LOWP_LIB_SIM_MEMORY_H

#include "lowp/Sim/HostMemory.h"
#include "lowp/Sim/Simulator.h"
#include <mutex>

namespace lowp::sim {

struct Region {
  std::string name;
  uint64_t base = 0, end = 0; ///< guest addresses
  uint8_t *host = nullptr;
  uint8_t *shadow = nullptr; ///< 1: initialised; null: everything is
  bool writable = false;
  unsigned index = 0; ///< in the order of the calls of add

  bool contains(uint64_t address, uint64_t size) const {
    return address >= base && address <= end && size <= end - address;
  }
  uint8_t *at(uint64_t address) const { return host + (address - base); }
  /// How many of these bytes were written before.
  bool anyInitialised(uint64_t address, unsigned size) const {
    if (!shadow)
      return true;
    const uint8_t *s = shadow + (address - base);
    for (unsigned i = 0; i < size; ++i)
      if (s[i])
        return true;
    return false;
  }
  void markInitialised(uint64_t address, unsigned size) const {
    if (shadow)
      std::memset(shadow + (address - base), 1, size);
  }
};

/// Where things lie: the image, the kernel arguments, the dispatch packet, the queue, then the buffers, each
/// far from the next. The apertures are above every address of a buffer.
constexpr uint64_t imageBase = uint64_t(2) << 32, kernargBase = uint64_t(3) << 32,
                   packetBase = uint64_t(4) << 32, queueBase = uint64_t(5) << 32,
                   buffersBase = uint64_t(1) << 40, bufferSpacing = uint64_t(1) << 36;
constexpr uint64_t sharedAperture = uint64_t(1) << 48, privateAperture = uint64_t(2) << 48,
                   apertureSize = uint64_t(1) << 32;

class Memory {
public:
  void add(Region region) {
    region.index = unsigned(regions.size());
    regions.push_back(std::move(region));
  }
  size_t regionCount() const { return regions.size(); }
  /// Allocates a shadow of `size` bytes, none of them initialised, that lives as long as this object.
  llvm::Expected<uint8_t *> makeShadow(uint64_t size) {
    llvm::Expected<HostMemory> shadow = HostMemory::zeros(size);
    if (!shadow)
      return shadow.takeError();
    shadows.push_back(std::move(*shadow));
    return shadows.back().data();
  }
  void sort();
  /// The region that holds all these bytes, or null.
  const Region *find(uint64_t address, uint64_t size) const;
  /// "64 bytes after 'A' (4096 bytes at 0x...)".
  std::string describe(uint64_t address, uint64_t size) const;

  mutable std::mutex atomics; ///< held for each atomic instruction

private:
  std::vector<Region> regions;
  std::vector<HostMemory> shadows;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_MEMORY_H
