// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code objects that are damaged where LLVM's readers look: whatever the bytes are, they load or are refused
// by a message, and what loads runs to some end.

#include "TestKernel.h"
#include <random>

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

const char *body =
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n"
    "global_load_dword v2, v1, s[4:5]\ns_waitcnt vmcnt(0)\nglobal_store_dword v1, v2, s[6:7]\n";

/// False when it was refused.
bool loadAndRun(const std::vector<char> &code) {
  auto simulator = Simulator::create(MemoryBufferRef(StringRef(code.data(), code.size()), "test"));
  if (!simulator) {
    EXPECT_FALSE(toString(simulator.takeError()).empty());
    return false;
  }
  std::vector<float> data(64);
  std::vector<Buffer> buffers = {{"in", data.data(), 256, Buffer::Access::Read}, {"out", data.data(), 256}};
  LaunchConfig launch;
  launch.block[0] = 64;
  Options options;
  options.instructionLimit = 2000;
  for (const lowp::KernelInfo &kernel : (*simulator)->codeObject().kernels()) {
    launch.kernel = kernel.name;
    Expected<Report> report = (*simulator)->run(launch, buffers, options);
    if (!report) {
      EXPECT_FALSE(toString(report.takeError()).empty());
    }
  }
  return true;
}

size_t find(const std::vector<char> &code, StringRef bytes) {
  return StringRef(code.data(), code.size()).find(bytes);
}

TEST(BrokenCode, AnyInstructionBytes) {
  for (const char *chip : bothChips) {
    // Room for instructions at a place that the bytes of the padding mark.
    std::string room;
    for (unsigned i = 0; i < 64; ++i)
      room += ".long 0x5a5a5a5a\n";
    std::vector<char> code = kernelText(chip, std::string(body) + "s_branch .Lafter\n" + room + ".Lafter:\n");
    size_t at = find(code, std::string(256, '\x5a'));
    ASSERT_NE(at, StringRef::npos);
    std::mt19937 random(7);
    unsigned loaded = 0;
    for (unsigned round = 0; round < 120; ++round) {
      std::vector<char> broken = code;
      for (unsigned i = 0; i < 64; ++i) {
        // Words of every encoding: the upper bits choose it.
        uint32_t word = random();
        if (i % 2)
          word = (word & 0x03ffffff) | (random() % 2 ? 0xd0000000 : 0xd8000000) | (random() & 0x0f000000);
        std::memcpy(broken.data() + at + 4 * i, &word, 4);
      }
      loaded += loadAndRun(broken);
    }
    // A whole page of it is refused by name; a single word often is an instruction.
    for (unsigned round = 0; round < 120; ++round) {
      std::vector<char> broken = code;
      for (unsigned i = 0; i < 64; ++i) {
        uint32_t word = i == 1 ? uint32_t(random()) : 0xbf800000; // s_nop
        std::memcpy(broken.data() + at + 4 * i, &word, 4);
      }
      loaded += loadAndRun(broken);
    }
    EXPECT_GT(loaded, 0u) << "seed 7";
  }
}

TEST(BrokenCode, AnyHeaderAndMetadataBytes) {
  std::vector<char> code = kernelText("gfx950", body);
  size_t note = find(code, "amdhsa.kernels");
  ASSERT_NE(note, StringRef::npos);
  std::mt19937 random(11);
  for (unsigned round = 0; round < 600; ++round) {
    std::vector<char> broken = code;
    // The ELF header and the program headers, the metadata, the descriptor, or the tail with the sections.
    size_t begin, size;
    switch (round % 4) {
    case 0:
      begin = 0, size = 512;
      break;
    case 1:
      begin = note - 32, size = 512;
      break;
    case 2:
      begin = broken.size() - 1024, size = 1024;
      break;
    default:
      begin = 0, size = broken.size();
    }
    for (unsigned i = 0; i < 1 + round % 7; ++i)
      broken[begin + random() % size] = char(random());
    loadAndRun(broken);
  }
}

} // namespace
