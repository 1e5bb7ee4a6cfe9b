// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proofs that nothing is left out: every mnemonic the simulator knows is compared with a reference by some
// test of this program, and every mnemonic of the published kernels is known.

#include "Inst.h"
#include "Reference/Covered.h"
#include "gtest/gtest.h"
#include <fstream>
#include <sstream>

using namespace lowp::sim;

namespace {

std::set<std::string> knownNames() {
  std::vector<std::string> names = knownMnemonics();
  return std::set<std::string>(names.begin(), names.end());
}

/// What has no reference, and why. A line that is no longer true fails the test, too.
const std::pair<const char *, const char *> withoutReference[] = {
    {"ds_append", "which bits of M0 are its address is not documented alike everywhere"},
    {"ds_consume", "as ds_append"},
    {"s_scratch_load_dword", "how scalar offsets count into the wave's scratch memory is not documented"},
    {"s_scratch_load_dwordx2", "as s_scratch_load_dword"},
    {"s_scratch_load_dwordx4", "as s_scratch_load_dword"},
    {"s_scratch_store_dword", "as s_scratch_load_dword"},
    {"s_scratch_store_dwordx2", "as s_scratch_load_dword"},
    {"s_scratch_store_dwordx4", "as s_scratch_load_dword"},
};

TEST(Completeness, EveryMnemonicHasAReference) {
  const std::set<std::string> &covered = reference::coveredMnemonics();
  const std::set<std::string> known = knownNames();
  std::set<std::string> excepted;
  for (auto [name, reason] : withoutReference) {
    EXPECT_TRUE(known.count(name) && !covered.count(name)) << name << ": " << reason << ", but it is not so";
    excepted.insert(name);
  }
  for (const std::string &name : known)
    EXPECT_TRUE(covered.count(name) || excepted.count(name)) << name << " is compared with no reference";
}

TEST(Completeness, PublishedKernelsUseKnownMnemonics) {
  std::set<std::string> known = knownNames();
  std::ifstream file(LOWP_SIM_TEST_DATA "/published_mnemonics.txt");
  unsigned count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::string mnemonic;
    std::istringstream(line) >> mnemonic;
    EXPECT_TRUE(known.count(mnemonic)) << line;
    ++count;
  }
  EXPECT_EQ(count, 173u);
}

} // namespace
