// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers of a wave by their numbers, and sets of them.
#ifndef LOWP_LIB_SIM_REGISTERS_H
#define LOWP_LIB_SIM_REGISTERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <cstring>

namespace lowp::sim {

/// Scalar registers by their hardware numbers; the constants that operands can name follow after 127.
enum ScalarReg : uint16_t {
  FlatScratch = 102,
  XnackMask = 104,
  Vcc = 106,
  Ttmp = 108,
  M0 = 124,
  ExecReg = 126,
  SharedBase = 128,
  SharedLimit = 130,
  PrivateBase = 132,
  PrivateLimit = 134,
  Scc = 136,
  NumScalars = 138,
};

/// Vector registers: v0-v255, then the accumulation registers a0-a255.
constexpr unsigned firstAcc = 256, numVectors = 512;

/// Registers [reg, reg + count).
struct RegRange {
  uint16_t reg = 0, count = 0;
};

/// Vector registers by their numbers; scalar registers by `scalar`.
class RegisterSet {
public:
  /// Up to 64 registers of an instruction, most of which name few.
  struct Part {
    uint64_t bits;
    uint32_t word;
  };
  static constexpr unsigned scalar(unsigned reg) { return numVectors + reg; }

  void clear() { std::memset(words, 0, sizeof(words)); }
  void fill() { std::memset(words, 0xff, sizeof(words)); }
  void insert(unsigned reg) { words[reg / 64] |= uint64_t(1) << reg % 64; }
  void erase(unsigned reg) { words[reg / 64] &= ~(uint64_t(1) << reg % 64); }
  bool contains(unsigned reg) const { return words[reg / 64] >> reg % 64 & 1; }
  void set(unsigned reg, bool in) { in ? insert(reg) : erase(reg); }
  void insertAll(llvm::ArrayRef<Part> parts) {
    for (const Part &part : parts)
      words[part.word] |= part.bits;
  }
  bool meets(llvm::ArrayRef<Part> parts) const {
    uint64_t common = 0;
    for (const Part &part : parts)
      common |= words[part.word] & part.bits;
    return common;
  }
  /// What is not empty.
  llvm::SmallVector<Part, 4> parts() const {
    llvm::SmallVector<Part, 4> found;
    for (uint32_t i = 0; i < numWords; ++i)
      if (words[i])
        found.push_back({words[i], i});
    return found;
  }

private:
  static constexpr unsigned numWords = (numVectors + NumScalars + 63) / 64;
  uint64_t words[numWords] = {};
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_REGISTERS_H
