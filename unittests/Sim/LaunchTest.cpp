// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: what kernels find in their registers, what the simulator refuses, launch files, and code objects
// that are broken on purpose.

#include "TestKernel.h"
#include "lowp/Sim/LaunchFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

const char *scaleBody =
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dword s8, s[0:1], 0x10\ns_lshl_b32 s9, s2, 6\n"
    "v_add_u32 v1, s9, v0\nv_lshlrev_b32 v1, 2, v1\ns_waitcnt lgkmcnt(0)\n"
    "global_load_dword v2, v1, s[4:5]\nv_mov_b32 v3, s8\ns_waitcnt vmcnt(0)\nv_mul_f32 v2, v2, v3\n"
    "global_store_dword v1, v2, s[6:7]\n";

class Directory {
public:
  Directory() { sys::fs::createUniqueDirectory("simlaunch", path); }
  ~Directory() { sys::fs::remove_directories(path); }
  std::string file(StringRef name) const {
    SmallString<128> full = path;
    sys::path::append(full, name);
    return full.str().str();
  }
  void write(StringRef name, StringRef content) const {
    std::error_code failure;
    raw_fd_ostream stream(file(name), failure);
    stream << content;
  }
  SmallString<128> path;
};

std::string launchText(const std::string &changes) {
  return R"({"code_object": "k.co", "kernel": "test.kd", "grid": [2], "block": [64],
    "buffers": {"in": {"bytes": 512, "init": "in.bin", "access": "read"},
                "out": {"bytes": 512, "init": "uninitialised", "access": "write", "align": 4}},
    "kernarg": [{"offset": 0, "buffer": "in"}, {"offset": 8, "buffer": "out"},
                {"offset": 16, "type": "f32", "value": 0.25}],
    "outputs": {"out": "out.bin"})" +
         changes + "}";
}

TEST(LaunchFile, RunsAndWritesOutputs) {
  Directory directory;
  std::vector<char> code = kernelText("gfx942", scaleBody);
  directory.write("k.co", StringRef(code.data(), code.size()));
  std::vector<float> in(128);
  for (unsigned i = 0; i < 128; ++i)
    in[i] = float(i) - 31.5f;
  directory.write("in.bin", StringRef(reinterpret_cast<char *>(in.data()), 512));
  directory.write("launch.json", launchText(""));
  Expected<Report> report = runLaunchFile(directory.file("launch.json"), {});
  ASSERT_TRUE(bool(report)) << toString(report.takeError());
  EXPECT_TRUE(report->completed);
  EXPECT_TRUE(report->findings.empty()) << allFindings(*report);
  auto out = MemoryBuffer::getFile(directory.file("out.bin"), false, false);
  ASSERT_TRUE(bool(out));
  ASSERT_EQ((*out)->getBufferSize(), 512u);
  for (unsigned i = 0; i < 128; ++i) {
    float value;
    std::memcpy(&value, (*out)->getBufferStart() + 4 * i, 4);
    EXPECT_EQ(value, in[i] * 0.25f);
  }
  EXPECT_NE(report->toJSON().getAsObject()->getObject("by_mnemonic")->get("v_mul_f32"), nullptr);
}

TEST(LaunchFile, SaysWhatIsWrong) {
  Directory directory;
  directory.write("in.bin", std::string(100, 'x'));
  directory.write("size.json", launchText(""));
  directory.write("key.json", launchText(R"(, "colour": 1)"));
  directory.write("broken.json", "{\"code_object\": ");
  auto message = [&](StringRef name) {
    Expected<Report> report = runLaunchFile(directory.file(name), {});
    return report ? std::string() : toString(report.takeError());
  };
  EXPECT_NE(message("size.json").find("'in.bin' for buffer 'in': it holds 100 bytes, not 512"),
            std::string::npos);
  EXPECT_NE(message("key.json").find("unknown key 'colour'"), std::string::npos);
  EXPECT_NE(message("broken.json"), "");
  EXPECT_NE(message("missing.json").find("cannot read"), std::string::npos);
}

TEST(Launch, ArgumentsNobodySetAreReportedWhenUsed) {
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText("gfx950", scaleBody));
  ASSERT_TRUE(simulator);
  std::vector<float> data(64, 1);
  std::vector<Buffer> buffers = {{"in", data.data(), 256, Buffer::Access::Read}, {"out", data.data(), 256}};
  Report report = runKernel(*simulator, buffers); // the factor at offset 16 is missing
  EXPECT_TRUE(hasFinding(report, "uninitialised-register")) << allFindings(report);
}

// A workspace between two launches: what the first one wrote is there for the second, and only that.
TEST(Launch, WrittenBytesAreRememberedWhereTheCallerSaysSo) {
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText("gfx950", scaleBody));
  ASSERT_TRUE(simulator);
  std::vector<float> data(64, 1), space(64, 5), result(64);
  for (bool shared : {false, true}) {
    std::vector<uint8_t> written(256);
    Buffer workspace = {"workspace", space.data(), 256};
    workspace.initialised = false;
    workspace.written = shared ? written.data() : nullptr;
    LaunchConfig launch;
    launch.kernel = "test";
    launch.block[0] = 64;
    auto run = [&](Buffer from, Buffer to) {
      std::vector<Buffer> buffers = {from, to};
      std::vector<uint64_t> addresses = guestAddresses(buffers);
      launch.kernarg = {};
      launch.kernarg.set(0, addresses[0]);
      launch.kernarg.set(8, addresses[1]);
      launch.kernarg.set(16, 3.0f);
      Expected<Report> report = simulator->run(launch, buffers, {});
      EXPECT_TRUE(bool(report));
      return report ? *report : Report();
    };
    Report first = run({"in", data.data(), 256, Buffer::Access::Read}, workspace);
    EXPECT_TRUE(first.findings.empty()) << allFindings(first);
    Report second = run(workspace, {"out", result.data(), 256});
    EXPECT_EQ(second.findings.empty(), shared) << allFindings(second);
    float poison;
    std::memset(&poison, poisonByte, sizeof(poison));
    EXPECT_EQ(result[63], shared ? 9.0f : 3 * poison); // unwritten bytes are poison, whatever lies there
    EXPECT_EQ(written[255], shared);
  }
}

TEST(Launch, RefusesWhatMakesNoSense) {
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText("gfx950", "s_nop 0"));
  ASSERT_TRUE(simulator);
  auto message = [&](LaunchConfig launch) {
    Expected<Report> report = simulator->run(launch, {}, {});
    return report ? std::string() : toString(report.takeError());
  };
  LaunchConfig launch;
  launch.kernel = "other";
  EXPECT_NE(message(launch).find("has no kernel 'other'; it has 'test'"), std::string::npos);
  launch.kernel = "test";
  launch.block[0] = 128;
  EXPECT_NE(message(launch).find("larger than kernel 'test' allows (64)"), std::string::npos);
  launch.block[0] = 64;
  launch.dynamicLds = 163841;
  EXPECT_NE(message(launch).find("163841 bytes of LDS, but a workgroup has 163840"), std::string::npos);
  launch.dynamicLds = 0;
  launch.kernarg.set(60, uint64_t(1));
  EXPECT_NE(message(launch).find("68 bytes of arguments, but kernel 'test' takes 64"), std::string::npos);
}

TEST(Launch, GuestAddressesAreAlignedAsAskedAndNoMore) {
  char byte;
  std::vector<Buffer> buffers(3);
  for (unsigned i = 0; i < 3; ++i) {
    buffers[i].data = &byte;
    buffers[i].bytes = uint64_t(1) << (30 + 4 * i);
    buffers[i].align = uint64_t(1) << 4 * i;
  }
  std::vector<uint64_t> addresses = guestAddresses(buffers);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(addresses[i] % (2 * buffers[i].align), buffers[i].align);
    if (i) {
      EXPECT_GT(addresses[i], addresses[i - 1] + buffers[i - 1].bytes + (uint64_t(1) << 32));
    }
  }
}

TEST(CodeObject, ReadsTheDescriptor) {
  KernelShape shape;
  shape.lds = 4096;
  shape.vgprs = 24;
  shape.agprs = 16;
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText("gfx942", "s_nop 0", shape));
  ASSERT_TRUE(simulator);
  const lowp::KernelInfo *kernel = simulator->codeObject().find("test");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(simulator->codeObject().chip(), "gfx942");
  EXPECT_EQ(kernel->lds, 4096u);
  EXPECT_EQ(kernel->accumOffset(), 24u);
  EXPECT_EQ(kernel->allocatedRegisters(), 40u);
  EXPECT_EQ(kernel->agprs, 16u);
  EXPECT_EQ(simulator->codeObject().find("test.kd"), kernel);
}

TEST(CodeObject, UnknownInstructionsAreListedAtLoad) {
  std::vector<char> code =
      kernelText("gfx942", "v_mfma_f32_16x16x32_fp8_fp8 v[0:3], v[4:5], v[6:7], 0 blgp:1");
  auto simulator = Simulator::create(MemoryBufferRef(StringRef(code.data(), code.size()), "test"));
  ASSERT_FALSE(bool(simulator));
  std::string message = toString(simulator.takeError());
  EXPECT_NE(message.find("v_mfma_f32_16x16x32_fp8_fp8 v[0:3]"), std::string::npos) << message;
}

// Every file of any content is answered by an error or loaded; whatever loads can be run under a limit.
TEST(CodeObject, BrokenFilesAreErrors) {
  std::vector<char> code = kernelText("gfx950", scaleBody);
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    std::vector<char> broken = code;
    if (seed % 2)
      broken.resize(random() % broken.size());
    else
      for (unsigned i = 0; i < 1 + seed % 16; ++i)
        broken[random() % broken.size()] = char(random());
    auto simulator = Simulator::create(MemoryBufferRef(StringRef(broken.data(), broken.size()), "test"));
    if (!simulator) {
      EXPECT_FALSE(toString(simulator.takeError()).empty());
      continue;
    }
    std::vector<float> data(64);
    std::vector<Buffer> buffers = {{"in", data.data(), 256, Buffer::Access::Read}, {"out", data.data(), 256}};
    LaunchConfig launch;
    launch.kernel = "test";
    launch.block[0] = 64;
    Options options;
    options.instructionLimit = 5000;
    Expected<Report> report = (*simulator)->run(launch, buffers, options);
    if (!report)
      consumeError(report.takeError());
  }
}

} // namespace
