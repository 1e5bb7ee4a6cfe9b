// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of mnemonics that some test compares with a reference. Each test file adds the names of its tables
// when the program starts, and CompletenessTest fails naming every mnemonic of the simulator that nobody
// added:
//
//   static const Covers covers(namesOfMyTable());
#ifndef LOWP_UNITTESTS_SIM_REFERENCE_COVERED_H
#define LOWP_UNITTESTS_SIM_REFERENCE_COVERED_H

#include <set>
#include <string>
#include <vector>

namespace lowp::sim::reference {

inline std::set<std::string> &coveredMnemonics() {
  static std::set<std::string> names;
  return names;
}

struct Covers {
  explicit Covers(const std::vector<std::string> &names) {
    coveredMnemonics().insert(names.begin(), names.end());
  }
};

} // namespace lowp::sim::reference

#endif // LOWP_UNITTESTS_SIM_REFERENCE_COVERED_H
