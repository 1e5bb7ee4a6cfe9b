// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch files: JSON that describes one launch of one kernel of any code object, whoever compiled it. Paths
// in it are relative to the file.
#ifndef LOWP_SIM_LAUNCHFILE_H
#define LOWP_SIM_LAUNCHFILE_H

#include "lowp/Sim/HostMemory.h"
#include "lowp/Sim/Simulator.h"

namespace lowp::sim {

struct LaunchFile {
  std::string path; ///< of the JSON file
  std::string codeObject;
  LaunchConfig launch;
  std::vector<Buffer> buffers;     ///< their data are in `storage`
  std::vector<HostMemory> storage; ///< by buffer
  std::vector<HostMemory> written; ///< by buffer: which bytes were; empty for those that are initialised
  struct Output {
    unsigned buffer = 0;
    std::string path;
  };
  std::vector<Output> outputs; ///< written after a run that completed

  /// Reads the file and everything it names but the code object.
  static llvm::Expected<std::unique_ptr<LaunchFile>> read(llvm::StringRef path);
  /// Each whole or not at all. Bytes that nobody wrote are poison, as the kernel would have read them.
  llvm::Error writeOutputs() const;
};

/// Runs a launch file, writing its outputs when the kernel ended properly.
llvm::Expected<Report> runLaunchFile(llvm::StringRef path, const Options &options);

} // namespace lowp::sim

#endif // LOWP_SIM_LAUNCHFILE_H
