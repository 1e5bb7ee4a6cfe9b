// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of memory instructions, on plain bytes: what a load puts into registers, what a store or an
// atomic puts into memory. The forms of addresses are the driver's affair.
#ifndef LOWP_UNITTESTS_SIM_REFERENCE_MEMORY_H
#define LOWP_UNITTESTS_SIM_REFERENCE_MEMORY_H

#include "Row.h"

namespace lowp::sim::reference {

/// A load or store of one lane.
struct Access {
  std::string name; ///< "ubyte_d16_hi", "b64": after the family's prefix
  unsigned bytes;
  bool isSigned = false;
  unsigned half = 0; ///< 1, 2: into, or from, the low or high half; the rest is kept
  unsigned dwords() const { return bytes < 4 ? 1 : bytes / 4; }
};
const std::vector<Access> &vectorLoads();
const std::vector<Access> &vectorStores();
const std::vector<Access> &ldsReads();
const std::vector<Access> &ldsWrites();
void load(const Access &access, const u8 *from, u32 *registers);
void store(const Access &access, const u32 *registers, u8 *to);

/// An atomic on one value: memory before, and the data in the instruction's order of operands.
struct Atomic {
  std::string name;
  unsigned bytes;
  char type;     ///< i integer; f d H B as in Row.h: what memory and data hold
  unsigned data; ///< values of `bytes` that it takes
  u64 (*result)(u64 before, const u64 *data);
};
/// Of buffer_, global_ and flat_ ("add_x2"), and s_ and s_buffer_ for integers; of LDS ("add_u32",
/// "add_rtn_u32").
const std::vector<Atomic> &vectorAtomics();
const std::vector<Atomic> &ldsAtomics();

/// Transposed LDS reads (CDNA4): the 16 lanes of a group bring rows in their order, a matrix of 16 columns;
/// lane l gets column l.
void transposed(unsigned elementBits, unsigned bytes, const u8 *const *from, unsigned lane, u32 *registers);

} // namespace lowp::sim::reference

#endif // LOWP_UNITTESTS_SIM_REFERENCE_MEMORY_H
