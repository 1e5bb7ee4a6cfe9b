// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a launch to the first instruction: what the kernel finds in memory and in its registers.
#ifndef LOWP_LIB_SIM_DISPATCH_H
#define LOWP_LIB_SIM_DISPATCH_H

#include "Engine.h"

namespace lowp::sim {

/// A launch made ready: memory with the buffers, the arguments and the dispatch packet, and the kernel's
/// facts.
class Dispatch {
public:
  static llvm::Expected<std::unique_ptr<Dispatch>> create(const HsaCodeObject &object, const Program &program,
                                                          const std::vector<uint8_t> &image,
                                                          const LaunchConfig &launch,
                                                          llvm::ArrayRef<Buffer> buffers, bool preload);

  /// The registers of one wave at its first instruction.
  void initialise(Engine &engine, Wave &wave, unsigned waveInGroup, uint32_t linearWorkgroup) const;

  const KernelInfo &kernel() const { return *info; }
  uint32_t workgroups() const { return launch.grid[0] * launch.grid[1] * launch.grid[2]; }
  uint32_t workItems() const { return launch.block[0] * launch.block[1] * launch.block[2]; }
  uint32_t waves() const { return (workItems() + 63) / 64; }
  uint32_t entryIndex() const { return entry; } ///< of the first instruction in Program::insts
  uint32_t ldsSize() const { return info->lds + launch.dynamicLds; }
  void position(uint32_t linear, uint32_t (&out)[3]) const;
  /// Of the launch as the packet and the hidden arguments state it: 1 to 3.
  unsigned dimensions() const;

  Memory memory;
  unsigned firstBuffer = 0; ///< index of the region of the first buffer

private:
  Dispatch(const LaunchConfig &launch) : launch(launch) {}
  llvm::Error checkLaunch(const Program &program) const;
  void fillHiddenArguments();
  void makePacket();
  void makeQueue();

  const LaunchConfig &launch;
  const KernelInfo *info = nullptr;
  std::vector<uint8_t> kernarg, packet, queue, imageBytes;
  uint8_t *kernargShadow = nullptr;
  uint32_t entry = 0;
  bool preload = true; ///< arguments arrive in registers where the kernel asks for that
  unsigned argumentBytes = 0;
};

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_DISPATCH_H
