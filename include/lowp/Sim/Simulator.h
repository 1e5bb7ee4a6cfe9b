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
#include "lowp/Sim/ReportParts.h"
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
  /// One byte for each byte of a buffer that is not initialised, nonzero where it was written; the caller's,
  /// when several launches share the buffer or the caller wants to know. Null: each run has its own.
  uint8_t *written = nullptr;
};

/// What kernels read where nobody wrote.
constexpr uint8_t poisonByte = 0xcd;

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

/// How matrix instructions sum. Exact: in double from the accumulator on, k ascending, rounded once. Fast:
/// the same in float. Cdna3: bit for bit as the matrix core of that chip, by a rule that is published for it
/// alone; for other chips, and for its sparse instructions, it is an error of the launch. The first two give
/// the same bits on every host.
enum class MfmaMode { Exact, Fast, Cdna3 };

/// How the waves of a workgroup take turns. Interleaved: round robin, a few instructions each. Serial: each
/// runs to its next barrier. Shuffled: as interleaved, in an order drawn from the seed.
enum class WaveOrder { Interleaved, Serial, Shuffled };

/// How far a run has come, for whoever watches it from another thread.
struct RunProgress {
  std::atomic<uint64_t> workgroups{0}, instructions{0}; ///< ended; executed
  std::atomic<uint64_t> allWorkgroups{0};
};

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
  /// Count the distinct cache lines that the workgroups of each die load, of so many at a time.
  bool l2Lines = false;
  bool checks = true;
  /// Look for bytes that two workgroups store different values to; costs as much memory as is stored.
  bool workgroupConflicts = true;
  /// Kernels that take arguments in registers begin with code that loads them, for firmware that does not
  /// preload. False: enter there.
  bool preloadArguments = true;
  RunProgress *progress = nullptr; ///< may be null
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
  uint64_t activeLanes = 0; ///< of a vector instruction, over all executions
  uint64_t bytes = 0;       ///< moved between registers or LDS and memory, or registers and LDS
  uint64_t cacheLines = 0;  ///< of 128 bytes, distinct within one execution, over all of them
  uint64_t taken = 0;       ///< how often a branch went to its target
  uint64_t waited = 0;      ///< executions of a wait that had something to wait for
  uint64_t waitedFor = 0;   ///< address of the instruction that the last of them waited for
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
  std::vector<MatrixKind> matrix;
  double matrixFlops = 0;             ///< operations of all matrix instructions
  std::vector<BufferTraffic> buffers; ///< in the order of the launch
  L2Lines l2;
};

struct Report {
  bool completed = false; ///< every wave reached its end
  std::string reason;     ///< why not: a limit, a cancellation, or the text of the finding that ended the run
  LaunchFacts launch;
  std::vector<CodeFunction> code; ///< the functions of which any instruction ran, whole, by address
  std::vector<Finding> findings;
  Counters counters;
  double seconds = 0;

  /// Counters and findings; docs/simulator.md describes the members. The same run gives the same bytes.
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
