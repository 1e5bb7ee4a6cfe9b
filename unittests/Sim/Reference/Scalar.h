// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of the scalar unit: what SOP1, SOP2, SOPC and SOPK do to their destination, SCC and EXEC.
#ifndef LOWP_UNITTESTS_SIM_REFERENCE_SCALAR_H
#define LOWP_UNITTESTS_SIM_REFERENCE_SCALAR_H

#include "Row.h"

namespace lowp::sim::reference {

struct Scalars {
  u64 s[2] = {}; ///< sources; of SOPK the second is the sign-extended immediate
  u64 d = 0;     ///< before: what the destination holds
  bool scc = false;
  u64 exec = 0;

  u32 u(unsigned i) const { return u32(s[i]); }
  i32 i(unsigned k) const { return i32(u32(s[k])); }
  void set(u32 value, bool writesScc = true) {
    d = value;
    if (writesScc)
      scc = value != 0;
  }
  void setQ(u64 value, bool writesScc = true) {
    d = value;
    if (writesScc)
      scc = value != 0;
  }
};

/// Operand kinds: i and l, 32 and 64 bits; n a shift count or bit number; f a bit field's offset and width; k
/// a 16-bit immediate, u one that is not sign-extended; - no destination.
struct ScalarRow {
  std::string name, signature;
  void (*reference)(Scalars &);
};
std::vector<ScalarRow> scalarRows();

} // namespace lowp::sim::reference

#endif // LOWP_UNITTESTS_SIM_REFERENCE_SCALAR_H
