// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A family's table whose mnemonics are put together from parts.
#ifndef LOWP_LIB_SIM_OPTABLE_H
#define LOWP_LIB_SIM_OPTABLE_H

#include "Inst.h"
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace lowp::sim {

struct OpTable {
  std::vector<OpEntry> entries;
  std::deque<std::string> names; ///< which stay where they are when it grows or moves

  /// Adds the entry under this name.
  void add(std::string name, OpEntry entry) {
    names.push_back(std::move(name));
    entry.name = names.back().c_str();
    entries.push_back(entry);
  }
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_OPTABLE_H
