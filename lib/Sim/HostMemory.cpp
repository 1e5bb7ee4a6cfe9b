// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An empty mapping does not exist, so that empty buffers have no pages at all.

#include "lowp/Sim/HostMemory.h"
#include "llvm/ADT/ScopeExit.h"

using namespace llvm;
using namespace lowp::sim;

Expected<HostMemory> HostMemory::zeros(uint64_t bytes) {
  HostMemory memory;
  memory.bytes = bytes;
  if (!bytes)
    return std::move(memory);
  std::error_code failure;
  memory.block = sys::OwningMemoryBlock(sys::Memory::allocateMappedMemory(
      bytes, nullptr, sys::Memory::MF_READ | sys::Memory::MF_WRITE, failure));
  if (failure)
    return createStringError(failure,
                             "cannot have " + Twine(bytes) + " bytes of memory: " + failure.message());
  return std::move(memory);
}

Expected<HostMemory> HostMemory::mapFile(StringRef path, uint64_t bytes) {
  Expected<sys::fs::file_t> opened = sys::fs::openNativeFileForRead(path);
  if (!opened)
    return opened.takeError();
  scope_exit close([&] { (void)sys::fs::closeFile(*opened); });
  sys::fs::file_status status;
  if (std::error_code failure = sys::fs::status(*opened, status))
    return createStringError(failure, failure.message());
  if (!sys::fs::is_regular_file(status))
    return createStringError(inconvertibleErrorCode(), "it is not a regular file");
  if (status.getSize() != bytes)
    return createStringError(inconvertibleErrorCode(),
                             "it holds " + Twine(status.getSize()) + " bytes, not " + Twine(bytes));
  HostMemory memory;
  memory.bytes = bytes;
  if (!bytes)
    return std::move(memory);
  std::error_code failure;
  memory.file = sys::fs::mapped_file_region(*opened, sys::fs::mapped_file_region::priv, bytes, 0, failure);
  if (failure)
    return createStringError(failure, failure.message());
  return std::move(memory);
}
