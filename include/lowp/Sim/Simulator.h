// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulator: runs a kernel of any code object for the supported chips on the host, one instruction at a
// time, and checks while it runs: accesses outside buffers and shared memory (LDS), registers and bytes used
// before they are written, missing waits, LDS races, missing wait states, registers beyond the allocation.
// What the kernel does wrong is a finding of the report and the run goes on; an error means that the launch
// itself makes no sense.
#ifndef LOWP_SIM_SIMULATOR_H
#define LOWP_SIM_SIMULATOR_H

#include "lowp/CodeObject/HsaCodeObject.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lowp::sim {

/// One allocation of global memory. The bytes stay the caller's and are read and written in place.
struct Buffer {
  enum class Access { Read, Write, ReadWrite };
  std::string name;
  void *data = nullptr;
  uint64_t bytes = 0;
  Access access = Access::ReadWrite; ///< Read: a store into it is a finding
  bool initialised = true;           ///< false: a byte that is used before it was written is a finding
  uint64_t align = 256;              ///< a power of two: the address is a multiple of it and of no larger one
};

/// The addresses that kernels see. They depend on the list only, and lie so far apart that no 32-bit offset
/// leads from one buffer into another.
std::vector<uint64_t> guestAddresses(llvm::ArrayRef<Buffer> buffers);

/// The kernel arguments as bytes. What nobody sets is uninitialised: loading it is fine, using it is a
/// finding.
struct Kernarg {
  std::vector<uint8_t> bytes, covered;

  void set(uint32_t offset, const void *data, uint32_t size) {
    if (bytes.size() < uint64_t(offset) + size) {
      bytes.resize(uint64_t(offset) + size);
      covered.resize(uint64_t(offset) + size);
    }
    if (size) {
      std::memcpy(bytes.data() + offset, data, size);
      std::memset(covered.data() + offset, 1, size);
    }
  }
  template <typename T> void set(uint32_t offset, T value) { set(offset, &value, sizeof(T)); }
};

struct LaunchConfig {
  std::string kernel;            ///< with or without ".kd"
  uint32_t grid[3] = {1, 1, 1};  ///< workgroups
  uint32_t block[3] = {1, 1, 1}; ///< work-items of a workgroup
  uint32_t dynamicLds = 0;       ///< bytes, after the kernel's own
  Kernarg kernarg;               ///< hidden arguments are filled in from the metadata
};

/// Exact: each matrix instruction sums in double and rounds once. Fast: sums in float.
enum class MfmaMode { Exact, Fast };

/// How the waves of a workgroup take turns. Interleaved: round robin, a few instructions each. Serial: each
/// runs to its next barrier. Shuffled: as interleaved, in an order drawn from the seed.
enum class WaveOrder { Interleaved, Serial, Shuffled };

struct Options {
  MfmaMode mfma = MfmaMode::Exact;
  WaveOrder waves = WaveOrder::Interleaved;
  uint64_t seed = 0;
  unsigned threads = 2;                      ///< over workgroups; 0: as many as the machine has
  uint64_t instructionLimit = 0;             ///< wave instructions of the whole run; 0: no limit
  double timeLimit = 0;                      ///< seconds of the whole run; 0: no limit
  const std::atomic<bool> *cancel = nullptr; ///< ends the run when it becomes true; may be set by a signal
  /// Workgroups that are in progress at one time when some wait for others; 0: as many as the chip holds.
  unsigned residentWorkgroups = 0;
  bool checks = true;
};

/// Something the kernel did that it must not do. Equal kinds at one instruction are merged, the first one is
/// described.
struct Finding {
  std::string kind; ///< "out-of-bounds", "missing-wait", ...
  std::string message;
  std::string kernel;
  uint64_t pc = 0; ///< in the image
  std::string disassembly;
  uint32_t workgroup[3] = {0, 0, 0};
  unsigned wave = 0;
  uint64_t lanes = 0; ///< the lanes concerned
  uint64_t count = 0; ///< how often

  std::string text() const;
};

struct PcCount {
  uint64_t pc = 0, executions = 0, conflictCycles = 0;
  std::string disassembly;
};

/// What the run did, over all waves. Instructions are counted per wave.
struct Counters {
  uint64_t workgroups = 0, waves = 0, instructions = 0;
  uint64_t mfma = 0, mfmaCycles = 0, valu = 0, trans = 0, salu = 0, smem = 0, branches = 0, waits = 0,
           barriers = 0;
  uint64_t vmemLoads = 0, vmemStores = 0, ldsDma = 0, atomics = 0, scratch = 0, ldsReads = 0, ldsWrites = 0;
  uint64_t ldsConflictCycles = 0; ///< extra cycles by the chip's bank phases
  uint64_t maskedBufferLanes = 0; ///< dwords that the buffer range check dropped
  uint64_t globalBytesRead = 0, globalBytesWritten = 0;
  unsigned maxVmInFlight = 0; ///< vector memory instructions in flight in one wave
  std::map<std::string, uint64_t> byMnemonic;
  std::vector<PcCount> byPc; ///< executed instructions only, by address
};

struct Report {
  bool completed = false; ///< every wave reached its end
  std::string reason;     ///< why not: a limit, a cancellation, or the text of the finding that ended the run
  std::vector<Finding> findings;
  Counters counters;
  double seconds = 0;

  llvm::json::Value toJSON() const;
};

class Simulator {
public:
  /// Decodes the whole code object; an error lists the instructions that the simulator does not know.
  static llvm::Expected<std::unique_ptr<Simulator>> create(llvm::MemoryBufferRef codeObject);
  ~Simulator();

  const HsaCodeObject &codeObject() const;
  /// Runs one kernel to its end. Launches of one simulator must not overlap in time.
  llvm::Expected<Report> run(const LaunchConfig &launch, llvm::ArrayRef<Buffer> buffers,
                             const Options &options = {});

private:
  struct Impl;
  explicit Simulator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace lowp::sim

#endif // LOWP_SIM_SIMULATOR_H
