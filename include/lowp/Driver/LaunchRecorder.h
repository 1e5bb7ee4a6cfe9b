// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the launches of an entry as launch files with all they need, so that any of them can be repeated and
// looked into without the compiler: lowp-run --launch launch-1.json, launch-2.json, ... in order.
#ifndef LOWP_DRIVER_LAUNCHRECORDER_H
#define LOWP_DRIVER_LAUNCHRECORDER_H

#include "lowp/Sim/Simulator.h"
#include <string>
#include <vector>

namespace lowp {

/// One launch of a variant, just before it runs.
struct PreparedLaunch {
  const sim::LaunchConfig *config = nullptr;
  llvm::ArrayRef<sim::Buffer> buffers;
  struct Pointer {
    uint32_t offset = 0; ///< in the kernel arguments
    unsigned buffer = 0;
    uint64_t add = 0;
  };
  llvm::ArrayRef<Pointer> pointers; ///< those of the arguments that are addresses
  unsigned number = 0, count = 1;   ///< of the variant's launches, from 0
};

class LaunchRecorder {
public:
  /// Files go into `directory`/VARIANT, which is made.
  LaunchRecorder(std::string directory, llvm::ArrayRef<char> codeObject)
      : directory(std::move(directory)), codeObject(codeObject) {}

  llvm::Error begin(llvm::StringRef variant);
  llvm::Error add(const PreparedLaunch &launch);
  /// After the last launch: what it left in the results, as NAME.expected.bin.
  llvm::Error finish();

private:
  std::string path(llvm::StringRef name) const;

  std::string directory, folder;
  llvm::ArrayRef<char> codeObject;
  std::vector<sim::Buffer> results;
};

} // namespace lowp

#endif // LOWP_DRIVER_LAUNCHRECORDER_H
