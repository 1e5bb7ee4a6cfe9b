// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled kernel that is right runs without any finding and gives the right product; with any one of its
// waits, barriers or wait states taken out, the checks say so.

#include "TestKernel.h"
#include "lowp/Numerics/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

constexpr int M = 64, N = 128, K = 192;

struct Outcome {
  Report report;
  unsigned wrong = 0;
};

class Mutation : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    auto buffer = MemoryBuffer::getFile(std::string(LOWP_TEST_DATA "/lds_gemm.") + GetParam() + ".s");
    ASSERT_TRUE(bool(buffer));
    SmallVector<StringRef, 0> parts;
    (*buffer)->getBuffer().split(parts, '\n');
    for (StringRef line : parts)
      lines.push_back(line.str());
    a.resize(M * K);
    b.resize(N * K);
    // Small integers, so that sums are exact in any order.
    Format format = StringRef(GetParam()) == "gfx942" ? Format::F8E4M3FNUZ : Format::F8E4M3FN;
    for (int i = 0; i < M; ++i)
      for (int k = 0; k < K; ++k)
        a[i * K + k] = encode(format, (i * 7 + k * 3) % 9 - 4, Overflow::Saturate);
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < K; ++k)
        b[j * K + k] = encode(format, (j * 5 + k * 11) % 7 - 3, Overflow::Saturate);
  }

  Outcome run(const std::vector<std::string> &text, const Options &options = {}) {
    Outcome result;
    std::unique_ptr<Simulator> simulator = makeSimulator(assemble(GetParam(), join(text, "\n")));
    if (!simulator)
      return result;
    std::vector<float> c(M * N, -1);
    std::vector<Buffer> buffers = {{"A", a.data(), a.size(), Buffer::Access::Read},
                                   {"B", b.data(), b.size(), Buffer::Access::Read},
                                   {"C", c.data(), c.size() * 4, Buffer::Access::Write, false}};
    LaunchConfig launch;
    launch.kernel = "gemm";
    launch.grid[0] = M / 64;
    launch.grid[1] = N / 64;
    launch.block[0] = 256;
    std::vector<uint64_t> addresses = guestAddresses(buffers);
    for (unsigned i = 0; i < 3; ++i)
      launch.kernarg.set(8 * i, addresses[i]);
    launch.kernarg.set(24, M);
    launch.kernarg.set(28, N);
    launch.kernarg.set(32, K);
    Expected<Report> report = simulator->run(launch, buffers, options);
    if (!report) {
      ADD_FAILURE() << toString(report.takeError());
      return result;
    }
    result.report = std::move(*report);
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j) {
        int want = 0;
        for (int k = 0; k < K; ++k)
          want += ((i * 7 + k * 3) % 9 - 4) * ((j * 5 + k * 11) % 7 - 3);
        result.wrong += c[i * N + j] != float(want);
      }
    return result;
  }

  std::vector<std::string> lines;
  std::vector<uint8_t> a, b;
};

TEST_P(Mutation, TheKernelItselfIsClean) {
  for (WaveOrder order : {WaveOrder::Interleaved, WaveOrder::Serial, WaveOrder::Shuffled})
    for (MfmaMode mode : {MfmaMode::Exact, MfmaMode::Fast}) {
      Options options;
      options.waves = order;
      options.seed = 17;
      options.mfma = mode;
      Outcome result = run(lines, options);
      EXPECT_TRUE(result.report.completed);
      EXPECT_EQ(result.wrong, 0u);
      EXPECT_TRUE(result.report.findings.empty()) << allFindings(result.report);
      // 4 x 2 x 3 pieces of 64 x 64 x 64, each 4 x 4 x 2 instructions over the workgroup.
      EXPECT_EQ(result.report.counters.mfma, unsigned(M / 16 * N / 16 * K / 32));
      EXPECT_EQ(result.report.counters.barriers, unsigned(M / 64 * N / 64 * K / 64 * 2 * 4));
    }
}

TEST_P(Mutation, EveryDroppedWaitIsFound) {
  unsigned dropped = 0;
  for (unsigned i = 0; i < lines.size(); ++i) {
    StringRef line = StringRef(lines[i]).trim();
    if (line.starts_with(".Lfunc_end0"))
      break;
    bool wait = line.starts_with("s_waitcnt"), barrier = line.starts_with("s_barrier"),
         nop = line.starts_with("s_nop");
    if (!wait && !barrier && !nop)
      continue;
    ++dropped;
    std::vector<std::string> mutated = lines;
    mutated[i] = nop ? "" : "s_nop 0";
    Outcome result = run(mutated);
    const char *kind = nop ? "wait-states" : barrier ? "lds-race" : "missing-wait";
    bool found =
        hasFinding(result.report, kind) || (wait && hasFinding(result.report, "barrier-without-wait"));
    EXPECT_TRUE(found) << "line " << i + 1 << " without '" << line.str() << "':\n"
                       << allFindings(result.report);
  }
  EXPECT_GE(dropped, 8u);
}

TEST_P(Mutation, ShrunkBuffersAreFound) {
  std::unique_ptr<Simulator> simulator = makeSimulator(assemble(GetParam(), join(lines, "\n")));
  ASSERT_TRUE(simulator);
  for (unsigned shrunk = 0; shrunk < 3; ++shrunk) {
    std::vector<float> c(M * N, -1);
    std::vector<Buffer> buffers = {{"A", a.data(), a.size(), Buffer::Access::Read},
                                   {"B", b.data(), b.size(), Buffer::Access::Read},
                                   {"C", c.data(), c.size() * 4, Buffer::Access::Write, false}};
    buffers[shrunk].bytes -= 1;
    LaunchConfig launch;
    launch.kernel = "gemm";
    launch.grid[0] = M / 64;
    launch.grid[1] = N / 64;
    launch.block[0] = 256;
    std::vector<uint64_t> addresses = guestAddresses(buffers);
    for (unsigned i = 0; i < 3; ++i)
      launch.kernarg.set(8 * i, addresses[i]);
    launch.kernarg.set(24, M);
    launch.kernarg.set(28, N);
    launch.kernarg.set(32, K);
    Expected<Report> report = simulator->run(launch, buffers, {});
    ASSERT_TRUE(bool(report));
    ASSERT_TRUE(hasFinding(*report, "out-of-bounds"));
    EXPECT_NE(report->findings[0].message.find("'" + buffers[shrunk].name + "'"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Mutation, testing::ValuesIn(bothChips));

} // namespace
