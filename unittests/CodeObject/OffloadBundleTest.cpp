// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundles: written by us and read by LLVM's own reader and by clang-offload-bundler where that is installed;
// bundles of clang-offload-bundler read by us; broken ones refused.
#include "lowp/CodeObject/OffloadBundle.h"
#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace lowp;

namespace {

std::vector<BundledCodeObject> sample() {
  std::vector<char> a(5000, 'a'), b(17, 'b');
  a[4999] = 0;
  b[0] = '\xff';
  return {{"gfx942", a}, {"gfx950", b}};
}

StringRef text(const std::vector<char> &bytes) { return StringRef(bytes.data(), bytes.size()); }

TEST(OffloadBundle, RoundTrips) {
  std::vector<char> bundle = cantFail(writeOffloadBundle(sample()));
  EXPECT_TRUE(isOffloadBundle(bundle));
  EXPECT_FALSE(isOffloadBundle(ArrayRef<char>(bundle).drop_front()));
  std::vector<BundledCodeObject> back = cantFail(readOffloadBundle(bundle));
  ASSERT_EQ(back.size(), 2u);
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(back[i].chip, sample()[i].chip);
    EXPECT_EQ(back[i].hsaco, sample()[i].hsaco);
  }
}

TEST(OffloadBundle, LlvmReadsIt) {
  std::vector<char> bundle = cantFail(writeOffloadBundle(sample()));
  auto read = object::OffloadBundleFatBin::create(MemoryBufferRef(text(bundle), "bundle"), 0, "bundle");
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  auto entries = (*read)->getEntries();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].ID, "host-x86_64-unknown-linux-gnu--");
  EXPECT_EQ(entries[0].Size, 0u);
  EXPECT_EQ(entries[2].ID, "hipv4-amdgcn-amd-amdhsa--gfx950");
  EXPECT_EQ(entries[2].Offset % 4096, 0u);
  EXPECT_EQ(text(bundle).substr(entries[2].Offset, entries[2].Size), text(sample()[1].hsaco));
}

TEST(OffloadBundle, ClangOffloadBundler) {
  auto tool = sys::findProgramByName("clang-offload-bundler", {"/usr/lib/llvm-22/bin"});
  if (!tool)
    tool = sys::findProgramByName("clang-offload-bundler-22");
  if (!tool)
    GTEST_SKIP() << "clang-offload-bundler is not installed";
  SmallString<128> directory;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("lowp-bundle", directory));
  auto path = [&](StringRef name) { return (directory + "/" + name).str(); };
  auto write = [&](StringRef name, StringRef bytes) {
    std::error_code error;
    raw_fd_ostream(path(name), error) << bytes;
  };
  auto read = [&](StringRef name) {
    auto buffer = MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "<none>";
  };
  auto run = [&](std::vector<std::string> arguments) {
    std::vector<StringRef> all{*tool};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return sys::ExecuteAndWait(*tool, all);
  };
  write("bundle", text(cantFail(writeOffloadBundle(sample()))));
  EXPECT_EQ(
      run({"-type=o", "-unbundle", "-targets=hipv4-amdgcn-amd-amdhsa--gfx950,hipv4-amdgcn-amd-amdhsa--gfx942",
           "-input=" + path("bundle"), "-output=" + path("b"), "-output=" + path("a")}),
      0);
  EXPECT_EQ(read("a"), text(sample()[0].hsaco));
  EXPECT_EQ(read("b"), text(sample()[1].hsaco));
  // And the other way round.
  EXPECT_EQ(
      run({"-type=o",
           "-targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa-unknown-gfx942,hipv4-amdgcn-amd-"
           "amdhsa--gfx950",
           "-input=/dev/null", "-input=" + path("a"), "-input=" + path("b"), "-output=" + path("theirs")}),
      0);
  std::string theirs = read("theirs");
  Expected<std::vector<BundledCodeObject>> back =
      readOffloadBundle(ArrayRef<char>(theirs.data(), theirs.size()));
  ASSERT_TRUE(bool(back)) << toString(back.takeError());
  ASSERT_EQ(back->size(), 2u);
  EXPECT_EQ((*back)[1].chip, "gfx950");
  EXPECT_EQ((*back)[1].hsaco, sample()[1].hsaco);
  sys::fs::remove_directories(directory);
}

TEST(OffloadBundle, Refuses) {
  std::vector<BundledCodeObject> twice = sample();
  twice[1].chip = twice[0].chip;
  EXPECT_EQ(toString(writeOffloadBundle(twice).takeError()), "bundle: 'gfx942' occurs twice");
  std::vector<char> bundle = cantFail(writeOffloadBundle(sample()));
  auto refusal = [](std::vector<char> bytes) { return toString(readOffloadBundle(bytes).takeError()); };
  EXPECT_EQ(refusal({'x'}), "bundle: the file does not start with '__CLANG_OFFLOAD_BUNDLE__'");
  // Cut anywhere, it is an error, never a crash.
  for (size_t size = 24; size < bundle.size(); size += size < 300 ? 1 : 997)
    EXPECT_NE(refusal(std::vector<char>(bundle.begin(), bundle.begin() + size)), "") << size;
  // Every byte of the header at its largest.
  for (size_t i = 24; i < 250; ++i) {
    std::vector<char> changed = bundle;
    changed[i] = '\xff';
    Expected<std::vector<BundledCodeObject>> result = readOffloadBundle(changed);
    if (!result)
      consumeError(result.takeError());
  }
}

} // namespace
