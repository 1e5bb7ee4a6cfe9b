// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The temporary file stands in the output's directory, for a rename is atomic within one file system only;
// LLVM's TempFile removes it when a signal ends the process.
#include "lowp/CodeObject/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;

namespace lowp {

static Error failed(StringRef path, const Twine &reason) {
  return createStringError(formatv("'{0}': cannot be written: {1}", path, reason.str()).str());
}

using Writer = std::function<void(raw_ostream &)>;

static Writer writerOf(ArrayRef<char> bytes) {
  return [bytes](raw_ostream &os) { os.write(bytes.data(), bytes.size()); };
}

/// Closes the stream and says whether everything arrived.
static std::error_code finish(raw_fd_ostream &os, const Writer &write) {
  write(os);
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

static Error writeInPlace(StringRef path, const Writer &write) {
  if (path == "-") {
    if (std::error_code error = finish(outs(), write))
      return failed("standard output", error.message());
    return Error::success();
  }
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (!error)
    error = finish(os, write);
  if (error)
    return failed(path, error.message());
  return Error::success();
}

namespace {

/// Bytes that lie in a temporary file, whose name they keep until commit; gone with the object otherwise.
class Pending {
public:
  Pending(StringRef path, Writer writer) : path(path), writer(std::move(writer)) {}
  Pending(Pending &&) = default;
  ~Pending() {
    if (temporary)
      consumeError(temporary->discard());
  }

  Error prepare();
  Error commit();

private:
  std::string path;
  Writer writer;
  SmallString<256> target;
  std::optional<sys::fs::TempFile> temporary; ///< none: written in place
};

Error Pending::prepare() {
  if (path.empty())
    return failed(path, "the name is empty");
  if (path == "-")
    return Error::success();
  sys::fs::file_status status;
  bool exists = !sys::fs::status(path, status) && sys::fs::exists(status);
  if (exists && sys::fs::is_directory(status))
    return failed(path, "it is a directory");
  if (exists && !sys::fs::is_regular_file(status))
    return Error::success();
  if (exists && sys::fs::access(path, sys::fs::AccessMode::Write))
    return failed(path, "permission denied");
  target = path;
  if (exists)
    if (std::error_code error = sys::fs::real_path(path, target))
      return failed(path, error.message());
  Expected<sys::fs::TempFile> file = sys::fs::TempFile::create(target + ".%%%%%%%%.tmp");
  if (!file)
    return failed(path, toString(file.takeError()));
  temporary.emplace(std::move(*file));
  raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  if (std::error_code error = finish(os, writer))
    return failed(path, error.message());
  return Error::success();
}

Error Pending::commit() {
  if (!temporary)
    return writeInPlace(path, writer);
  Error error = temporary->keep(target);
  temporary.reset();
  if (error)
    return failed(path, toString(std::move(error)));
  return Error::success();
}

} // namespace

static Error write(MutableArrayRef<Pending> files) {
  for (Pending &file : files)
    if (Error error = file.prepare())
      return error;
  for (Pending &file : files)
    if (Error error = file.commit())
      return error;
  return Error::success();
}

Error writeFilesAtomically(ArrayRef<OutputFile> files) {
  std::vector<Pending> pending;
  for (const OutputFile &file : files)
    pending.emplace_back(file.path, writerOf(file.bytes));
  return write(pending);
}

Error writeFilesAtomically(ArrayRef<StreamedFile> files) {
  std::vector<Pending> pending;
  for (const StreamedFile &file : files)
    pending.emplace_back(file.path, file.write);
  return write(pending);
}

Error writeFileAtomically(StringRef path, ArrayRef<char> bytes) {
  Pending file(path, writerOf(bytes));
  return write(file);
}

Error writeFileAtomically(StringRef path, StringRef text) {
  return writeFileAtomically(path, ArrayRef<char>(text.data(), text.size()));
}

} // namespace lowp
