// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader of AMD code objects (HSACO): the loaded image, the kernels with their descriptors and metadata,
// and the functions. Whoever built the file, every offset of it is checked; a broken file is an error.
// Layout: LLVM's "User Guide for AMDGPU Backend", sections "Code Object", "Kernel Descriptor" and "Code
// Object Metadata".
#ifndef LOWP_CODEOBJECT_HSACODEOBJECT_H
#define LOWP_CODEOBJECT_HSACODEOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace lowp {

/// One argument of a kernel as the metadata describes it.
struct KernelArgument {
  std::string name;      ///< may be empty
  std::string valueKind; ///< "global_buffer", "by_value", "hidden_block_count_x", ...
  uint32_t offset = 0, size = 0;
};

struct KernelInfo {
  std::string name;   ///< of the function
  std::string symbol; ///< of the descriptor, with ".kd"

  // The kernel descriptor.
  uint64_t descriptorAddress = 0, entry = 0; ///< addresses in the image
  uint32_t lds = 0, scratch = 0;             ///< bytes: of a workgroup, of a work-item
  uint32_t kernargSize = 0;
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  uint16_t codeProperties = 0;
  unsigned preloadDwords = 0, preloadOffset = 0; ///< kernel arguments that arrive in SGPRs, in dwords

  // The metadata.
  std::vector<KernelArgument> arguments;
  uint32_t kernargAlign = 0;
  uint32_t maxWorkgroup = 0;
  uint32_t requiredWorkgroup[3] = {0, 0, 0}; ///< zero: not given
  uint32_t waveSize = 0;
  unsigned sgprs = 0, vgprs = 0,
           agprs = 0; ///< vgprs counts the accumulation registers too, as LLVM writes it
  unsigned sgprSpills = 0, vgprSpills = 0;
  bool dynamicStack = false;

  /// Registers of each lane that the descriptor allocates, and where the accumulation registers begin among
  /// them.
  unsigned allocatedRegisters() const { return ((rsrc1 & 0x3f) + 1) * 8; }
  unsigned accumOffset() const { return ((rsrc3 & 0x3f) + 1) * 4; }
};

/// A function (kernels too) in the image.
struct CodeSymbol {
  std::string name;
  uint64_t address = 0, size = 0;
};

/// A span of the image that is mapped by one segment.
struct ImageRange {
  uint64_t address = 0, size = 0;
  bool executable = false;
};

class HsaCodeObject {
public:
  /// Copies what it needs; `file` may go away.
  static llvm::Expected<HsaCodeObject> create(llvm::MemoryBufferRef file);

  llvm::StringRef chip() const { return chipName; }   ///< as LLVM's -mcpu
  llvm::StringRef targetId() const { return target; } ///< "amdgcn-amd-amdhsa--gfx...:xnack-"; may be empty
  unsigned codeObjectVersion() const { return abiVersion; } ///< 4, 5 or 6
  llvm::ArrayRef<KernelInfo> kernels() const { return kernelList; }
  llvm::ArrayRef<CodeSymbol> functions() const { return functionList; } ///< by address
  llvm::ArrayRef<ImageRange> ranges() const { return rangeList; }
  /// The segments as loaded at address 0, relocations that only need the load address applied for `loadBase`.
  std::vector<uint8_t> imageAt(uint64_t loadBase) const;
  /// By function name or by descriptor symbol; null if there is none.
  const KernelInfo *find(llvm::StringRef name) const;

private:
  struct Relocation {
    uint64_t offset = 0, value = 0;
  };

  llvm::Error readSegments(llvm::MemoryBufferRef file);
  llvm::Error readSymbols(llvm::MemoryBufferRef file);
  llvm::Error readMetadata(llvm::StringRef blob);
  llvm::Error readDescriptor(KernelInfo &kernel, uint64_t address);

  std::string chipName, target;
  unsigned abiVersion = 0;
  std::vector<uint8_t> image;
  std::vector<ImageRange> rangeList;
  std::vector<KernelInfo> kernelList;
  std::vector<CodeSymbol> functionList, objectList;
  std::vector<Relocation> relocations; ///< 64-bit words that hold the load address plus value
};

} // namespace lowp

#endif // LOWP_CODEOBJECT_HSACODEOBJECT_H
