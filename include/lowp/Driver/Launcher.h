// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an entry of a manifest on the simulator: checks the caller's tensors against the entry's arguments,
// lets the chooser take a variant (or takes the one that the caller names), lays out the kernel arguments and
// launches what the variant lists. What any launcher has to do, in one readable place; the C stub does the
// same.
#ifndef LOWP_DRIVER_LAUNCHER_H
#define LOWP_DRIVER_LAUNCHER_H

#include "lowp/CodeObject/Manifest.h"
#include "lowp/Driver/HostTensor.h"
#include "lowp/Driver/LaunchRecorder.h"
#include "lowp/Sim/Simulator.h"
#include <map>
#include <memory>

namespace lowp {

/// A scalar argument; which of the two counts depends on its type.
struct ScalarValue {
  double number = 0;
  int64_t integer = 0;
};

struct LaunchArguments {
  std::vector<HostTensor *> inputs;           ///< the tensors among the inputs, in order
  std::vector<HostTensor *> results;          ///< in order
  std::map<std::string, ScalarValue> scalars; ///< by name
};

struct LaunchOutcome {
  const Variant *variant = nullptr;
  std::vector<sim::Report>
      reports; ///< one per launch that was begun; a launch that did not complete is the last
};

class Launcher {
public:
  /// The manifest has to outlive the launcher; the code object is copied.
  static llvm::Expected<std::unique_ptr<Launcher>> create(const Manifest &manifest,
                                                          llvm::ArrayRef<char> codeObject);

  /// The variants that these arguments may use, in the chooser's order. An error if the entry refuses them
  /// all.
  llvm::Expected<std::vector<const Variant *>> accepted(llvm::StringRef entry,
                                                        const LaunchArguments &arguments) const;

  /// `variant` is the name of the one to take; empty leaves it to the chooser.
  llvm::Expected<LaunchOutcome> run(llvm::StringRef entry, const LaunchArguments &arguments,
                                    llvm::StringRef variant = "", const sim::Options &options = {},
                                    LaunchRecorder *recorder = nullptr);

  const Manifest &manifest() const { return *description; }

private:
  struct Bound;

  explicit Launcher(const Manifest &manifest) : description(&manifest) {}
  llvm::Expected<Bound> bind(llvm::StringRef entry, const LaunchArguments &arguments) const;

  const Manifest *description;
  std::vector<char> code;
  std::unique_ptr<sim::Simulator> simulator;
};

} // namespace lowp

#endif // LOWP_DRIVER_LAUNCHER_H
