// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM dies of in the middle of a compilation: a fatal error and a crash, also in several threads at
// once.
#include "../../lib/CodeGen/CodeGenImpl.h"
#include "CodeGenTestSupport.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <thread>

using namespace llvm;
using namespace lowp;

namespace {

std::string guarded(function_ref<Error()> body, bool expectCrash) {
  bool crashed = !expectCrash;
  Error error = runGuarded("here", crashed, body);
  EXPECT_EQ(crashed, expectCrash);
  return toString(std::move(error));
}

TEST(CrashGuard, PassesResults) {
  EXPECT_EQ(guarded([] { return Error::success(); }, false), "");
  EXPECT_EQ(guarded([]() -> Error { return createStringError("plain"); }, false), "plain");
}

TEST(CrashGuard, FatalError) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(guarded([]() -> Error { report_fatal_error("too much of it"); }, true), "here: too much of it");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(CrashGuard, Crash) {
  // Also after LLVM has put its own signal handlers in place for a temporary file.
  sys::RemoveFileOnSignal("/nowhere/x");
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE})
    EXPECT_EQ(guarded(
                  [&]() -> Error {
                    raise(signal);
                    return Error::success();
                  },
                  true),
              "here: LLVM crashed");
  sys::DontRemoveFileOnSignal("/nowhere/x");
}

TEST(CrashGuard, Threads) {
  std::vector<std::string> messages(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < messages.size(); ++i)
    threads.emplace_back([&messages, i] {
      bool crashed = false;
      for (unsigned round = 0; round < 50; ++round)
        messages[i] = toString(runGuarded("t", crashed, [&]() -> Error { report_fatal_error(Twine(i)); }));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i < messages.size(); ++i)
    EXPECT_EQ(messages[i], "t: " + std::to_string(i));
}

TEST(Link, ErrorsNameTheSymbol) {
  std::vector<char> junk(100, 'x');
  std::string text = toString(linkObject(junk).takeError());
  EXPECT_EQ(StringRef(text).substr(0, 14), "link: kernels:") << text;
}

} // namespace
