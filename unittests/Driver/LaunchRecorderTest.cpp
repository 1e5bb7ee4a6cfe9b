// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch files of a variant with two launches and a workspace between them: what they say, read back.

#include "lowp/Driver/LaunchRecorder.h"
#include "lowp/Sim/LaunchFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace lowp;

namespace {

class LaunchRecorderTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("recorder", directory)); }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }
  std::string file(llvm::StringRef name) { return (directory + "/split/" + name).str(); }
  std::string content(llvm::StringRef name) {
    auto buffer = llvm::MemoryBuffer::getFile(file(name), false, false);
    return buffer ? (*buffer)->getBuffer().str() : "(none)";
  }
  llvm::SmallString<128> directory;
};

TEST_F(LaunchRecorderTest, LaunchesHandTheirBuffersOn) {
  std::string a = "aaaaaaaaaaaaaaaa", d = "dddddddd", space(32, 'w');
  std::vector<sim::Buffer> buffers(3);
  buffers[0] = {"zz", a.data(), a.size(), sim::Buffer::Access::Read};
  buffers[1] = {"d", d.data(), d.size(), sim::Buffer::Access::Write};
  buffers[2] = {"workspace", space.data(), space.size(), sim::Buffer::Access::ReadWrite, false};
  std::vector<uint64_t> addresses = sim::guestAddresses(buffers);
  sim::LaunchConfig config;
  config.kernel = "first";
  config.grid[0] = 7;
  config.block[0] = 64;
  config.dynamicLds = 128;
  config.kernarg.set(0, addresses[0] + 3);
  config.kernarg.set(8, uint32_t(0x01020304));
  config.kernarg.set(16, addresses[2]);
  config.kernarg.set(24, addresses[1]);
  std::vector<PreparedLaunch::Pointer> pointers = {{0, 0, 3}, {16, 2, 0}, {24, 1, 0}};

  std::vector<char> code = {'E', 'L', 'F'};
  LaunchRecorder recorder(directory.str().str(), code);
  ASSERT_FALSE(bool(recorder.begin("split")));
  PreparedLaunch launch{&config, buffers, pointers, 0, 2};
  ASSERT_FALSE(bool(recorder.add(launch)));
  config.kernel = "second";
  launch.number = 1;
  ASSERT_FALSE(bool(recorder.add(launch)));
  d = "DDDDDDDD"; // as the kernels leave it
  ASSERT_FALSE(bool(recorder.finish()));

  EXPECT_EQ(content("kernel.co"), "ELF");
  EXPECT_EQ(content("zz.bin"), a);
  EXPECT_EQ(content("d.bin"), "dddddddd");
  EXPECT_EQ(content("d.expected.bin"), "DDDDDDDD");
  EXPECT_EQ(content("workspace.bin"), "(none)");

  auto first = sim::LaunchFile::read(file("launch-1.json"));
  ASSERT_TRUE(bool(first)) << llvm::toString(first.takeError());
  sim::LaunchFile &one = **first;
  EXPECT_EQ(one.launch.kernel, "first");
  EXPECT_EQ(one.launch.grid[0], 7u);
  EXPECT_EQ(one.launch.block[0], 64u);
  EXPECT_EQ(one.launch.dynamicLds, 128u);
  // Read back, buffers are in the order of their names; addresses follow them.
  ASSERT_EQ(one.buffers.size(), 3u);
  EXPECT_EQ(one.buffers[0].name, "d");
  EXPECT_FALSE(one.buffers[1].initialised);
  EXPECT_EQ(one.buffers[2].access, sim::Buffer::Access::Read);
  std::vector<uint64_t> read = sim::guestAddresses(one.buffers);
  sim::Kernarg expected;
  expected.set(0, read[2] + 3);
  expected.set(8, uint32_t(0x01020304));
  expected.set(16, read[1]);
  expected.set(24, read[0]);
  EXPECT_EQ(one.launch.kernarg.bytes, expected.bytes);
  EXPECT_EQ(one.launch.kernarg.covered, expected.covered);

  // The second one starts from what the first writes.
  ASSERT_EQ(one.outputs.size(), 2u);
  EXPECT_EQ(one.outputs[0].path, file("d.after-1.bin"));
  EXPECT_EQ(one.outputs[1].path, file("workspace.after-1.bin"));
  auto early = sim::LaunchFile::read(file("launch-2.json"));
  ASSERT_FALSE(bool(early));
  EXPECT_NE(llvm::toString(early.takeError()).find("'d.after-1.bin' for buffer 'd'"), std::string::npos);
  ASSERT_FALSE(bool(one.writeOutputs()));
  auto second = sim::LaunchFile::read(file("launch-2.json"));
  ASSERT_TRUE(bool(second)) << llvm::toString(second.takeError());
  sim::LaunchFile &two = **second;
  EXPECT_EQ(two.launch.kernel, "second");
  EXPECT_TRUE(two.buffers[1].initialised);
  EXPECT_EQ(static_cast<const uint8_t *>(two.buffers[1].data)[31], sim::poisonByte);
  ASSERT_EQ(two.outputs.size(), 1u);
  EXPECT_EQ(two.outputs[0].path, file("d.out.bin"));
}

} // namespace
