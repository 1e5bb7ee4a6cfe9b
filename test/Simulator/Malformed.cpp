// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code objects and launch files that are cut short or have changed bits: each ends in an error, a finding or
// a normal end, never in a crash, and within the limits. Every run is a process of its own, so that a crash
// is seen.

#include "SimTest.h"
#include "lowp/Sim/LaunchFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

enum Ending { Normal = 0, WithFinding = 1, WithError = 2 };
constexpr unsigned secondsOfProcessor = 20;

/// A copy with one of: its end missing, a few bits changed, a run of bytes overwritten.
std::string broken(StringRef whole, std::mt19937 &draw) {
  std::string bytes = whole.str();
  if (bytes.empty())
    return bytes;
  switch (draw() % 4) {
  case 0:
    bytes.resize(draw() % bytes.size());
    break;
  case 1: // where the headers are
    for (unsigned i = 0, n = 1 + draw() % 4; i < n; ++i)
      bytes[draw() % std::min<size_t>(bytes.size(), 512)] ^= 1 << draw() % 8;
    break;
  case 2:
    for (unsigned i = 0, n = 1 + draw() % 16; i < n; ++i)
      bytes[draw() % bytes.size()] ^= 1 << draw() % 8;
    break;
  default:
    for (size_t at = draw() % bytes.size(), end = std::min(bytes.size(), at + 1 + draw() % 32); at < end;
         ++at)
      bytes[at] = char(draw());
  }
  return bytes;
}

bool write(StringRef path, StringRef bytes) {
  std::error_code failed;
  raw_fd_ostream stream(path, failed);
  if (!failed)
    stream << bytes;
  return !failed;
}

/// In a child process: what the run came to, as exit code.
[[noreturn]] void runChild(StringRef path) {
  rlimit limit = {secondsOfProcessor, secondsOfProcessor};
  setrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = limit.rlim_max = 0;
  setrlimit(RLIMIT_CORE, &limit);
  Options options;
  options.threads = 1;
  options.instructionLimit = 200000;
  options.timeLimit = 5;
  Expected<Report> report = runLaunchFile(path, options);
  if (!report) {
    bool said = !toString(report.takeError()).empty();
    _exit(said ? WithError : 99); // an error has to say something
  }
  std::string text;
  raw_string_ostream(text) << report->toJSON();
  _exit(report->completed && report->findings.empty() ? Normal : WithFinding);
}

} // namespace

int lowp::sim::test::runMalformed(ArrayRef<StringRef> arguments) {
  unsigned count = 100, seed = 1;
  StringRef path;
  for (StringRef argument : arguments) {
    if (argument.consume_front("--count=")) {
      if (argument.getAsInteger(10, count))
        return usage("--count takes a number");
    } else if (argument.consume_front("--seed=")) {
      if (argument.getAsInteger(10, seed))
        return usage("--seed takes a number");
    } else {
      path = argument;
    }
  }
  if (path.empty())
    return usage("malformed needs a launch file");
  auto launchText = MemoryBuffer::getFile(path);
  Expected<std::unique_ptr<LaunchFile>> file = LaunchFile::read(path);
  if (!file)
    return usage(toString(file.takeError()));
  std::string codePath = (*file)->codeObject;
  auto code = MemoryBuffer::getFile(codePath, false, false);
  if (!code || !launchText)
    return usage("cannot read '" + codePath + "'");
  file->reset();

  // Paths in launch files are relative to them: the broken ones lie beside the right ones.
  SmallString<256> folder(sys::path::parent_path(path)), brokenLaunch(folder), brokenCode(folder);
  sys::path::append(brokenLaunch, "malformed.json");
  sys::path::append(brokenCode, "malformed.co");
  std::string toBroken = (*launchText)->getBuffer().str();
  std::string name = sys::path::filename(codePath).str();
  size_t at = toBroken.find("\"" + name + "\"");
  if (at == std::string::npos)
    return usage("the launch file must name its code object by '" + name + "'");
  toBroken.replace(at, name.size() + 2, "\"malformed.co\"");

  std::map<std::string, unsigned> endings;
  bool good = true;
  for (unsigned number = 0; number < count; ++number) {
    std::mt19937 draw(seed * 1000003u + number);
    bool breakCode = number % 3; // two of three
    std::string bytes = broken(breakCode ? (*code)->getBuffer() : (*launchText)->getBuffer(), draw);
    bool written =
        breakCode ? write(brokenCode, bytes) && write(brokenLaunch, toBroken) : write(brokenLaunch, bytes);
    if (!written)
      return usage("cannot write beside '" + path + "'");
    outs().flush();
    pid_t child = fork();
    if (child == 0)
      runChild(brokenLaunch);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
      return usage("cannot start a process");
    static const char *const names[] = {"normal", "finding", "error"};
    if (WIFEXITED(status) && WEXITSTATUS(status) <= WithError) {
      ++endings[names[WEXITSTATUS(status)]];
      continue;
    }
    good = false;
    std::string kept =
        (folder + "/crash-" + Twine(seed) + "-" + Twine(number) + (breakCode ? ".co" : ".json")).str();
    write(kept, bytes);
    outs() << "number " << number << " of seed " << seed << ": "
           << (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                   : "exit code " + std::to_string(WEXITSTATUS(status)))
           << "; kept as " << kept << "\n";
  }
  outs() << "seed " << seed << ", " << count << " malformed inputs:";
  for (const auto &[ending, n] : endings)
    outs() << " " << n << " " << ending;
  outs() << "\n";
  return good ? success : failure;
}
