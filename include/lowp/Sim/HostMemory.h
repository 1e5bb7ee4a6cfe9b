// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes behind a large buffer: pages of the operating system, which cost memory only once they are
// touched. A file is mapped as it is and copied page by page where the kernel writes; the file never changes.
#ifndef LOWP_SIM_HOSTMEMORY_H
#define LOWP_SIM_HOSTMEMORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Memory.h"
#include <cstdint>

namespace lowp::sim {

class HostMemory {
public:
  HostMemory() = default;
  static llvm::Expected<HostMemory> zeros(uint64_t bytes);
  /// The whole of a file that has just this size.
  static llvm::Expected<HostMemory> mapFile(llvm::StringRef path, uint64_t bytes);

  uint8_t *data() const {
    return reinterpret_cast<uint8_t *>(file ? const_cast<char *>(file.const_data())
                                            : static_cast<char *>(block.base()));
  }
  uint64_t size() const { return bytes; }

private:
  llvm::sys::OwningMemoryBlock block;
  llvm::sys::fs::mapped_file_region file;
  uint64_t bytes = 0;
};

} // namespace lowp::sim

#endif // LOWP_SIM_HOSTMEMORY_H
