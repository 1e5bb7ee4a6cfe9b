// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels for the simulator's tests, from assembly text: LLVM's assembler and lld, in process.
#ifndef LOWP_UNITTESTS_SIM_TESTKERNEL_H
#define LOWP_UNITTESTS_SIM_TESTKERNEL_H

#include "lowp/Sim/Simulator.h"
#include "gtest/gtest.h"
#include <set>
#include <string>
#include <vector>

namespace lowp::sim::test {

/// A linked code object of assembly text; a failed expectation and nothing when it does not assemble.
std::vector<char> assemble(llvm::StringRef chip, llvm::StringRef text);

/// The lines, counted from 1, that LLVM's assembler does not take for the chip.
std::set<unsigned> rejectedLines(llvm::StringRef chip, llvm::StringRef text);
/// The code of these lines, one instruction each. Those that do not assemble are moved from `lines` to
/// `failed`.
std::vector<uint8_t> assembleLines(llvm::StringRef chip, std::vector<std::string> &lines,
                                   std::vector<std::string> &failed);

struct KernelShape {
  unsigned vgprs = 128; ///< then the accumulation registers
  unsigned agprs = 128;
  unsigned lds = 0;
  unsigned block = 64;
  unsigned kernargBytes = 64;
  unsigned scratch = 0;
  bool fp16Overflow = false;
};
/// One kernel "test" around a body: s[0:1] points to the arguments, s2 is the workgroup, v0 the work-item.
std::vector<char> kernelText(llvm::StringRef chip, llvm::StringRef body, const KernelShape &shape = {});

std::unique_ptr<Simulator> makeSimulator(const std::vector<char> &code);

/// Runs "test" with pointers to the buffers as arguments, in their order.
Report runKernel(Simulator &simulator, llvm::ArrayRef<Buffer> buffers, const KernelShape &shape = {},
                 const Options &options = {}, unsigned workgroups = 1);

/// Runs one wave of `body`, which finds rows of 64 dwords of `in` in v10, v11, ... and leaves its results in
/// v40, ... A finding fails the test unless `expectClean` is false.
struct RowsResult {
  std::vector<std::vector<uint32_t>> rows;
  Report report;
};
RowsResult runRows(llvm::StringRef chip, llvm::StringRef body, const std::vector<std::vector<uint32_t>> &in,
                   unsigned outRows, bool expectClean = true, const KernelShape &shape = {},
                   const Options &options = {});

bool hasFinding(const Report &report, llvm::StringRef kind);
std::string allFindings(const Report &report);

constexpr const char *bothChips[] = {"gfx942", "gfx950"};

} // namespace lowp::sim::test

#endif // LOWP_UNITTESTS_SIM_TESTKERNEL_H
