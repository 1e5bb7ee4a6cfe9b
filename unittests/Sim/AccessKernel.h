// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of many memory instructions, each on memory of its own, and what each must leave: the driver of
// the memory references. One wave; v10 is a permutation of the lanes times 16, v11 the permutation, v30-v45
// data.
#ifndef LOWP_UNITTESTS_SIM_ACCESSKERNEL_H
#define LOWP_UNITTESTS_SIM_ACCESSKERNEL_H

#include "Reference/Memory.h"
#include "TestKernel.h"
#include <functional>
#include <random>

namespace lowp::sim::test {

class AccessKernel {
public:
  using u8 = uint8_t;
  using u32 = uint32_t;
  using u64 = uint64_t;
  explicit AccessKernel(llvm::StringRef chip);

  static constexpr unsigned slotBytes = 2048,
                            slotBase = 512; ///< addresses are relative to the base in the slot
  const std::string chip;
  u64 seed;
  std::mt19937_64 random;
  unsigned lane16[64], laneIndex[64];
  u32 data[16][64];       ///< v30-v45
  std::vector<u8> memory; ///< before the run; slot 0 is for loads
  std::string body;

  /// The assembler's opinion of a line.
  bool exists(const std::string &line) const { return rejectedLines(chip, line + "\n").empty(); }
  /// A new slot of memory filled with values of a type (Atomic::type, or r: any bits), s[20:21] at its base.
  unsigned newSlot(char type);
  void useSlot(unsigned slot);
  u64 value(char type, unsigned bytes); ///< for slots and data
  /// Emits the instruction under an EXEC mask, and waits.
  void run(const std::string &text, u64 exec = ~u64(0));
  u64 someLanes() { return random() % 3 ? ~u64(0) : random() & random(); }
  void line(const std::string &text) { body += text + "\n"; }
  /// Stores registers v[reg..], and what they must be: expected(lane, dwords).
  void expectRegisters(const std::string &what, unsigned reg, unsigned dwords,
                       std::function<void(unsigned, u32 *)> expected, char type = 'i');
  /// After the run the slot holds what `apply` makes of it.
  void expectSlot(const std::string &what, unsigned slot, std::function<void(u8 *)> apply, char type = 'i');
  void finish();
  u8 *base(unsigned slot) { return memory.data() + size_t(slot) * slotBytes + slotBase; }

private:
  struct RegisterCheck {
    std::string what;
    unsigned row, dwords;
    std::function<void(unsigned, u32 *)> expected;
    char type;
  };
  struct SlotCheck {
    std::string what;
    unsigned slot;
    std::function<void(u8 *)> apply;
    char type;
  };
  unsigned rows = 0;
  std::vector<RegisterCheck> registerChecks;
  std::vector<SlotCheck> slotChecks;
};

} // namespace lowp::sim::test

#endif // LOWP_UNITTESTS_SIM_ACCESSKERNEL_H
