// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The back end and lld, in process. lld keeps one global context, so one link runs at a time, and reads and
// writes files: they are temporary ones that go away on every path, signals included.
#include "CodeGenImpl.h"
#include "lld/Common/Driver.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace lowp {

Error emit(Module &module, TargetMachine &machine, CodeGenFileType type, SmallVectorImpl<char> &bytes) {
  raw_svector_ostream os(bytes);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr, type))
    return createStringError("the back end has no writer for this kind of file");
  passes.run(module);
  return Error::success();
}

namespace {

class TemporaryFile {
public:
  explicit TemporaryFile(StringRef suffix) {
    int descriptor = -1;
    error = sys::fs::createTemporaryFile("lowp", suffix, descriptor, path);
    if (error)
      return;
    sys::RemoveFileOnSignal(path);
    raw_fd_ostream(descriptor, /*shouldClose=*/true);
  }
  ~TemporaryFile() {
    if (path.empty())
      return;
    sys::fs::remove(path);
    sys::DontRemoveFileOnSignal(path);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  Error write(ArrayRef<char> bytes) {
    if (!error) {
      raw_fd_ostream os(path, error);
      os.write(bytes.data(), bytes.size());
      os.close();
      if (os.has_error())
        error = os.error();
      os.clear_error();
    }
    return check();
  }
  Error check() {
    if (error)
      return createStringError(error, "a temporary file for the link cannot be written: " + error.message());
    return Error::success();
  }

  SmallString<128> path;

private:
  std::error_code error;
};

std::string trimmed(StringRef text) {
  std::string result;
  text = text.trim();
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    line.consume_front("ld.lld: ");
    line.consume_front("error: ");
    result += (result.empty() ? "" : "; ") + line.str();
    text = rest;
  }
  return result;
}

} // namespace

Expected<std::vector<char>> linkObject(ArrayRef<char> object) {
  static std::mutex mutex;
  static bool usable = true; // under the mutex: lld says when it must not be called again
  TemporaryFile input("o"), output("hsaco");
  if (Error error = input.write(object))
    return std::move(error);
  if (Error error = output.check())
    return std::move(error);

  std::string outText, errText;
  raw_string_ostream out(outText), err(errText);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!usable)
      return createStringError("link: lld has crashed before in this process");
    const char *arguments[] = {"ld.lld",           "-shared",
                               "--no-undefined",   "--threads=1",
                               "--build-id=none",  "--color-diagnostics=never",
                               input.path.c_str(), "-o",
                               output.path.c_str()};
    lld::Result result = lld::lldMain(arguments, out, err, {{lld::Gnu, &lld::elf::link}});
    usable = result.canRunAgain;
    if (result.retCode != 0) {
      std::string message = trimmed(errText);
      // The temporary name means nothing to anybody.
      for (size_t at; (at = message.find(input.path.c_str())) != std::string::npos;)
        message.replace(at, input.path.size(), "kernels");
      return createStringError("link: " + (message.empty() ? "lld failed" : message));
    }
  }
  auto buffer = MemoryBuffer::getFile(output.path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError("link: the output cannot be read: " + buffer.getError().message());
  StringRef bytes = (*buffer)->getBuffer();
  return std::vector<char>(bytes.begin(), bytes.end());
}

} // namespace lowp
