// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a run's report: the launch with what limits its occupancy, the code that ran, matrix instructions
// by kind, traffic by buffer.
#ifndef LOWP_SIM_REPORTPARTS_H
#define LOWP_SIM_REPORTPARTS_H

#include <cstdint>
#include <string>
#include <vector>

namespace lowp::sim {

struct LaunchFacts {
  std::string kernel, chip;
  uint32_t grid[3] = {0, 0, 0}, block[3] = {0, 0, 0}; ///< workgroups; work-items of one
  unsigned vgprs = 0, agprs = 0, sgprs = 0;           ///< allocated for each lane; for each wave
  uint32_t lds = 0, scratch = 0;                      ///< bytes: of a workgroup; of a work-item
  unsigned wavesPerWorkgroup = 0;
  /// Waves that a SIMD can hold at once by each resource, and by all of them.
  static constexpr unsigned mostWaves = 8;
  unsigned wavesByRegisters = 0, wavesByLds = 0, wavesPerSimd = 0;

  /// The resource that sets wavesPerSimd: "registers", "LDS", or "the chip" where nothing else does.
  const char *limit() const;
};

struct CodeLine {
  static constexpr uint64_t noTarget = ~uint64_t(0);
  uint64_t pc = 0, target = noTarget; ///< target: of a direct branch or call
  std::string text;
};

struct CodeFunction {
  std::string name;
  uint64_t address = 0;
  std::vector<CodeLine> lines;
};

struct MatrixKind {
  std::string mnemonic;
  uint64_t executions = 0, passes = 0; ///< of four clocks, over all executions
  double flops = 0;                    ///< multiplications and additions
};

struct BufferTraffic {
  std::string name;
  uint64_t bytes = 0, read = 0, written = 0; ///< size; moved
};

/// The distinct cache lines of buffers that each die loads, by rounds of workgroups that are resident at one
/// time; empty where nobody asked.
struct L2Lines {
  unsigned resident = 0;                     ///< workgroups of a round
  std::vector<std::vector<uint64_t>> rounds; ///< by round and die
};

} // namespace lowp::sim

#endif // LOWP_SIM_REPORTPARTS_H
