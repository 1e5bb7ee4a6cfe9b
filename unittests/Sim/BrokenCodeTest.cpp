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

/// Why the simulator refuses the code; nothing when it takes it.
std::string refusal(const std::vector<char> &code) {
  auto simulator = Simulator::create(MemoryBufferRef(StringRef(code.data(), code.size()), "test"));
  return simulator ? "" : toString(simulator.takeError());
}

TEST(BrokenCode, OperandsThatAnEncodingCannotHave) {
  const char *cases[] = {
      "0xd1030000, 0x000002ff",                        // v_sub_f16_e64 v0, literal, v1
      "0xd1030000, 0x0001ff00",                        // v_sub_f16_e64 v0, v0, literal
      "0xd1cb0000, 0x03fe0300",                        // v_fma_f32 v0, v0, v1, literal
      "0xd38e4000, 0x1bfe0300",                        // v_pk_fma_f16 v0, v0, v1, literal
      "0xd3c20000, 0x03fe0300",                        // v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, literal
      "0xd04100ff, 0x00020300",                        // v_cmp_lt_f32_e64 literal, v0, v1
      "0xd28900ff, 0x00010100",                        // v_readlane_b32 literal, v0, 0
      "0x7ffe0501",                                    // v_readfirstlane_b32 literal, v1
      "0x4a040300, 0x000000ff",                        // v_madak_f16 v2, v0, v1, 0xff: LLVM cannot read it
      "0xd3c20000, 0x04020280",                        // v_mfma_f32_4x4x1_16b_f32 a[0:3], 0, v1, a[0:3]
      "0xd3ac0000, 0x00020300, 0xd3ae0000, 0x040200c8" // v_mfma_scale_f32_32x32x64_f8f6f4 of a number
  };
  for (const char *chip : bothChips)
    for (StringRef words : cases) {
      std::string message = refusal(kernelText(chip, (".long " + words + ", 0x12345678\n").str()));
      EXPECT_NE(message.find("(not an instruction of this chip)"), std::string::npos)
          << chip << " " << words.str() << ": " << message;
    }
}

TEST(BrokenCode, LiteralBehindTheEnd) {
  for (const char *chip : bothChips) {
    std::vector<char> code = kernelText(chip, "s_nop 5");
    std::string end("\x05\x00\x80\xbf\x00\x00\x81\xbf", 8); // s_nop 5, s_endpgm
    size_t at = find(code, end);
    ASSERT_NE(at, StringRef::npos);
    const uint32_t broken = 0xbe8000ff; // s_mov_b32 s0, literal
    std::memcpy(code.data() + at + 4, &broken, 4);
    std::string message = refusal(code);
    EXPECT_NE(message.find("(not an instruction of this chip)"), std::string::npos)
        << chip << ": " << message;
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
