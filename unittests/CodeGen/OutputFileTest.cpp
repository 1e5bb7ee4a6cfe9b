// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output files: whole, or an error and nothing left behind.
#include "lowp/CodeObject/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace lowp;

namespace {

class OutputFileTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(sys::fs::createUniqueDirectory("lowp-output", directory)); }
  void TearDown() override { sys::fs::remove_directories(directory); }
  std::string path(StringRef name) { return (directory + "/" + name).str(); }
  std::string read(StringRef name) {
    auto buffer = MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "<none>";
  }
  unsigned files() {
    unsigned count = 0;
    std::error_code error;
    for (sys::fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
      ++count;
    return count;
  }
  SmallString<128> directory;
};

TEST_F(OutputFileTest, WritesAndReplaces) {
  std::vector<char> bytes{'a', 0, '\n', 'b'};
  EXPECT_EQ(toString(writeFileAtomically(path("x"), bytes)), "");
  EXPECT_EQ(read("x"), std::string("a\0\nb", 4));
  EXPECT_EQ(toString(writeFileAtomically(path("x"), StringRef("new"))), "");
  EXPECT_EQ(read("x"), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, FollowsLinks) {
  EXPECT_EQ(toString(writeFileAtomically(path("x"), StringRef("old"))), "");
  ASSERT_FALSE(sys::fs::create_link(path("x"), path("link")));
  EXPECT_EQ(toString(writeFileAtomically(path("link"), StringRef("new"))), "");
  EXPECT_EQ(read("x"), "new");
  EXPECT_EQ(files(), 2u);
}

TEST_F(OutputFileTest, Refuses) {
  EXPECT_EQ(toString(writeFileAtomically(directory, StringRef("x"))),
            ("'" + directory + "': cannot be written: it is a directory").str());
  EXPECT_EQ(toString(writeFileAtomically(path("no/such/x"), StringRef("x"))),
            "'" + path("no/such/x") + "': cannot be written: No such file or directory");
  EXPECT_EQ(toString(writeFileAtomically("", StringRef("x"))), "'': cannot be written: the name is empty");
  EXPECT_EQ(toString(writeFileAtomically("/dev/full", StringRef("x"))),
            "'/dev/full': cannot be written: No space left on device");
  EXPECT_EQ(toString(writeFileAtomically("/dev/null", StringRef("x"))), "");
  EXPECT_EQ(files(), 0u);
}

TEST_F(OutputFileTest, SeveralAreAllThereOrNone) {
  std::vector<OutputFile> list = {{path("x"), {'x'}}, {path("no/such/y"), {'y'}}};
  EXPECT_EQ(toString(writeFilesAtomically(list)),
            "'" + path("no/such/y") + "': cannot be written: No such file or directory");
  EXPECT_EQ(files(), 0u);
  list[1].path = path("y");
  EXPECT_EQ(toString(writeFilesAtomically(list)), "");
  EXPECT_EQ(read("x"), "x");
  EXPECT_EQ(read("y"), "y");
  EXPECT_EQ(files(), 2u);
}

} // namespace
