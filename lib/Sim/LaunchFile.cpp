// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading is strict: unknown keys, sizes that differ and buffers that do not exist are errors that name the
// place.

#include "lowp/Sim/LaunchFile.h"
#include "lowp/CodeObject/Json.h"
#include "lowp/CodeObject/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <type_traits>

using namespace llvm;
using namespace lowp::sim;

static Error bad(const Twine &message) { return createStringError(inconvertibleErrorCode(), message); }

/// What the file says there, for messages.
static std::string said(const json::Value *value) {
  return value ? formatv(", but is {0}", *value).str() : std::string(", but is missing");
}

namespace {

class Reader {
public:
  Reader(LaunchFile &file) : file(file) {}

  Error read(const json::Object &root) {
    if (Error error =
            known(root, "the launch file",
                  {"code_object", "kernel", "grid", "block", "dynamic_lds", "buffers", "kernarg", "outputs"}))
      return error;
    std::optional<StringRef> codeObject = root.getString("code_object"), kernel = root.getString("kernel");
    if (!codeObject || !kernel)
      return bad("'code_object' and 'kernel' must be strings");
    file.codeObject = resolve(*codeObject);
    file.launch.kernel = kernel->str();
    if (Error error = triple(root, "grid", file.launch.grid))
      return error;
    if (Error error = triple(root, "block", file.launch.block))
      return error;
    if (const json::Value *value = root.get("dynamic_lds")) {
      std::optional<int64_t> bytes = value->getAsInteger();
      if (!bytes || *bytes < 0 || *bytes > UINT32_MAX)
        return bad("'dynamic_lds' must be a number of bytes" + said(value));
      file.launch.dynamicLds = uint32_t(*bytes);
    }
    if (Error error = readBuffers(root))
      return error;
    if (Error error = readKernarg(root))
      return error;
    return readOutputs(root);
  }

private:
  static Error known(const json::Object &object, const Twine &where, ArrayRef<StringRef> keys) {
    for (const auto &entry : object)
      if (!is_contained(keys, StringRef(entry.first)))
        return bad(where + " has an unknown key '" + StringRef(entry.first) + "'");
    return Error::success();
  }

  std::string resolve(StringRef path) const {
    SmallString<256> full(sys::path::parent_path(file.path));
    if (sys::path::is_absolute(path))
      full.clear();
    sys::path::append(full, path);
    return full.str().str();
  }

  Error triple(const json::Object &root, StringRef key, uint32_t (&out)[3]) {
    const json::Array *array = root.getArray(key);
    if (!array || array->empty() || array->size() > 3)
      return bad("'" + key + "' must be an array of one to three numbers" + said(root.get(key)));
    for (unsigned i = 0; i < 3; ++i) {
      std::optional<int64_t> value = i < array->size() ? (*array)[i].getAsInteger() : 1;
      if (!value || *value < 1 || *value > UINT32_MAX)
        return bad("'" + key + "' must hold whole numbers from 1 to " + Twine(UINT32_MAX) +
                   said(root.get(key)));
      out[i] = uint32_t(*value);
    }
    return Error::success();
  }

  Expected<unsigned> bufferNamed(StringRef name, const Twine &where) const {
    for (unsigned i = 0; i < file.buffers.size(); ++i)
      if (file.buffers[i].name == name)
        return i;
    return bad(where + " names buffer '" + name + "', which is not among 'buffers'");
  }

  Error readBuffer(StringRef name, const json::Object &object) {
    if (Error error =
            known(object, "buffer '" + name + "'", {"bytes", "init", "access", "align", "pointers"}))
      return error;
    std::optional<int64_t> bytes = object.getInteger("bytes");
    if (!bytes || *bytes < 0)
      return bad("'bytes' of buffer '" + name + "' must be a number" + said(object.get("bytes")));
    if (*bytes > maxBytes - allBytes)
      return bad("buffer '" + name + "' of " + Twine(*bytes) + " bytes: the buffers need more than " +
                 Twine(maxBytes) + " bytes");
    allBytes += *bytes;
    Buffer buffer;
    buffer.name = name.str();
    buffer.bytes = uint64_t(*bytes);
    if (const json::Value *align = object.get("align")) {
      std::optional<int64_t> value = align->getAsInteger();
      if (!value || *value < 1 || *value > (int64_t(1) << 32) || (*value & (*value - 1)))
        return bad("'align' of buffer '" + name + "' must be a power of two, at most 2^32" + said(align));
      buffer.align = uint64_t(*value);
    }
    int access = 2;
    if (const json::Value *value = object.get("access"))
      access = StringSwitch<int>(value->getAsString().value_or(""))
                   .Case("read", 0)
                   .Case("write", 1)
                   .Case("readwrite", 2)
                   .Default(-1);
    if (access < 0)
      return bad("'access' of buffer '" + name + "' must be read, write or readwrite" +
                 said(object.get("access")));
    buffer.access = Buffer::Access(access);
    StringRef init = object.getString("init").value_or("");
    if (init.empty())
      return bad("'init' of buffer '" + name + "' must be a file, zeros or uninitialised" +
                 said(object.get("init")));
    buffer.initialised = init != "uninitialised";
    bool fresh = init == "zeros" || !buffer.initialised;
    Expected<HostMemory> data =
        fresh ? HostMemory::zeros(buffer.bytes) : HostMemory::mapFile(resolve(init), buffer.bytes);
    if (!data)
      return bad((fresh ? Twine("buffer '") + name + "'" : "'" + init + "' for buffer '" + name + "'") +
                 ": " + toString(data.takeError()));
    Expected<HostMemory> written = HostMemory::zeros(buffer.initialised ? 0 : buffer.bytes);
    if (!written)
      return bad("buffer '" + name + "': " + toString(written.takeError()));
    buffer.data = data->data();
    buffer.written = written->data();
    file.storage.push_back(std::move(*data));
    file.written.push_back(std::move(*written));
    file.buffers.push_back(std::move(buffer));
    return Error::success();
  }

  Error readBuffers(const json::Object &root) {
    const json::Object *buffers = root.getObject("buffers");
    if (!buffers)
      return root.get("buffers") ? bad("'buffers' must be an object") : Error::success();
    // In the order of the names: a JSON object has none of its own.
    std::vector<StringRef> names;
    for (const auto &entry : *buffers)
      names.push_back(entry.first);
    llvm::sort(names);
    for (StringRef name : names) {
      const json::Object *object = buffers->getObject(name);
      if (!object)
        return bad("buffer '" + name + "' must be an object");
      if (Error error = readBuffer(name, *object))
        return error;
    }
    addresses = guestAddresses(file.buffers);
    for (unsigned i = 0; i < names.size(); ++i)
      if (Error error = readPointers(i, *buffers->getObject(names[i])))
        return error;
    return Error::success();
  }

  Expected<uint64_t> addressIn(const json::Object &object, const Twine &where) const {
    std::optional<StringRef> name = object.getString("buffer");
    if (!name)
      return bad(where + " needs 'buffer', a name");
    Expected<unsigned> index = bufferNamed(*name, where);
    if (!index)
      return index.takeError();
    std::optional<int64_t> add = object.get("add") ? object.getInteger("add") : 0;
    if (!add)
      return bad(where + ": 'add' must be a number of bytes" + said(object.get("add")));
    return addresses[*index] + uint64_t(*add);
  }

  Error readPointers(unsigned buffer, const json::Object &object) {
    const json::Array *pointers = object.getArray("pointers");
    if (!pointers)
      return object.get("pointers") ? bad("'pointers' must be an array") : Error::success();
    for (const json::Value &value : *pointers) {
      std::string where = "a pointer of buffer '" + file.buffers[buffer].name + "'";
      const json::Object *pointer = value.getAsObject();
      if (!pointer)
        return bad(where + " must be an object");
      if (Error error = known(*pointer, where, {"at", "buffer", "add"}))
        return error;
      std::optional<int64_t> at = pointer->getInteger("at");
      const Buffer &within = file.buffers[buffer];
      if (!at)
        return bad(where + ": 'at' must be a number" + said(pointer->get("at")));
      if (*at < 0 || uint64_t(*at) > within.bytes || within.bytes - uint64_t(*at) < 8)
        return bad(where + " lies outside it: 'at' is " + Twine(*at) + ", but the buffer has " +
                   Twine(within.bytes) + " bytes");
      Expected<uint64_t> address = addressIn(*pointer, where);
      if (!address)
        return address.takeError();
      std::memcpy(static_cast<uint8_t *>(within.data) + *at, &*address, 8);
      if (within.written)
        std::memset(within.written + *at, 1, 8);
    }
    return Error::success();
  }

  /// Each byte of the arguments belongs to one entry.
  Error set(uint32_t offset, const void *data, size_t size, const Twine &where) {
    Kernarg &kernarg = file.launch.kernarg;
    for (size_t i = offset; i < offset + size && i < kernarg.covered.size(); ++i)
      if (kernarg.covered[i])
        return bad(where + " sets byte " + Twine(i) + ", which an entry before it sets, too");
    kernarg.set(offset, data, uint32_t(size));
    return Error::success();
  }

  template <class T>
  Error setInteger(uint32_t offset, StringRef type, const json::Value &value, const Twine &where) {
    std::optional<T> fitting;
    if (std::optional<int64_t> number = value.getAsInteger()) {
      if (int64_t(T(*number)) == *number && (*number >= 0 || std::is_signed_v<T>))
        fitting = T(*number);
    } else if (std::optional<uint64_t> large = value.getAsUINT64()) {
      if (std::is_same_v<T, uint64_t>)
        fitting = T(*large);
    }
    if (!fitting)
      return bad(where + ": 'value' must be one that the type " + type + " can hold" + said(&value));
    return set(offset, &*fitting, sizeof(T), where);
  }

  Error setValue(uint32_t offset, StringRef type, const json::Value &value, const Twine &where) {
    if (type == "u8")
      return setInteger<uint8_t>(offset, type, value, where);
    if (type == "u16")
      return setInteger<uint16_t>(offset, type, value, where);
    if (type == "u32")
      return setInteger<uint32_t>(offset, type, value, where);
    if (type == "u64")
      return setInteger<uint64_t>(offset, type, value, where);
    if (type == "i32")
      return setInteger<int32_t>(offset, type, value, where);
    if (type == "i64")
      return setInteger<int64_t>(offset, type, value, where);
    if (type != "f32" && type != "f64")
      return bad(where + " has the unknown type '" + type +
                 "'; accepted are u8, u16, u32, u64, i32, i64, f32 and f64");
    std::optional<double> number = value.getAsNumber();
    if (!number)
      return bad(where + ": 'value' of type " + type + " must be a number" + said(&value));
    if (type == "f64")
      return set(offset, &*number, sizeof(double), where);
    float single = float(*number);
    if (std::isinf(single))
      return bad(where + ": 'value' must be one that the type f32 can hold" + said(&value));
    return set(offset, &single, sizeof(float), where);
  }

  Error readKernarg(const json::Object &root) {
    const json::Array *entries = root.getArray("kernarg");
    if (!entries)
      return root.get("kernarg") ? bad("'kernarg' must be an array") : Error::success();
    for (unsigned i = 0; i < entries->size(); ++i) {
      std::string where = "entry " + std::to_string(i) + " of 'kernarg'";
      const json::Object *entry = (*entries)[i].getAsObject();
      if (!entry)
        return bad(where + " must be an object");
      if (Error error = known(*entry, where, {"offset", "buffer", "add", "type", "value", "bytes"}))
        return error;
      std::optional<int64_t> offset = entry->getInteger("offset");
      if (!offset || *offset < 0 || *offset > maxKernargOffset)
        return bad(where + ": 'offset' must be a number from 0 to " + Twine(maxKernargOffset) +
                   said(entry->get("offset")));
      unsigned kinds = !!entry->get("bytes") + !!entry->get("buffer") + !!entry->get("type");
      if (kinds != 1 || !entry->get("value") != !entry->get("type") ||
          (entry->get("add") && !entry->get("buffer")))
        return bad(where + " needs one of 'buffer' (and 'add'), 'bytes', or 'type' and 'value'");
      if (entry->get("buffer")) {
        Expected<uint64_t> address = addressIn(*entry, where);
        if (!address)
          return address.takeError();
        if (Error error = set(uint32_t(*offset), &*address, sizeof(*address), where))
          return error;
      } else if (entry->get("bytes")) {
        std::optional<StringRef> hex = entry->getString("bytes");
        std::string bytes;
        if (!hex || hex->size() % 2 != 0 || !tryGetFromHex(*hex, bytes))
          return bad(where + ": 'bytes' must be hexadecimal, two digits each" + said(entry->get("bytes")));
        if (Error error = set(uint32_t(*offset), bytes.data(), bytes.size(), where))
          return error;
      } else if (Error error = setValue(uint32_t(*offset), entry->getString("type").value_or(""),
                                        *entry->get("value"), where)) {
        return error;
      }
    }
    return Error::success();
  }

  Error readOutputs(const json::Object &root) {
    const json::Object *outputs = root.getObject("outputs");
    if (!outputs)
      return root.get("outputs") ? bad("'outputs' must be an object") : Error::success();
    for (const auto &entry : *outputs) {
      std::optional<StringRef> path = entry.second.getAsString();
      Expected<unsigned> index = bufferNamed(entry.first, "'outputs'");
      if (!index)
        return index.takeError();
      if (!path || path->empty())
        return bad("the output of buffer '" + StringRef(entry.first) + "' must be a file name" +
                   said(&entry.second));
      file.outputs.push_back({*index, resolve(*path)});
    }
    llvm::sort(file.outputs, [](const auto &a, const auto &b) { return a.buffer < b.buffer; });
    for (unsigned i = 0; i < file.outputs.size(); ++i)
      for (unsigned j = 0; j < i; ++j)
        if (file.outputs[i].path == file.outputs[j].path)
          return bad("the outputs of buffers '" + file.buffers[file.outputs[j].buffer].name + "' and '" +
                     file.buffers[file.outputs[i].buffer].name + "' are the same file, '" +
                     file.outputs[i].path + "'");
    return Error::success();
  }

  /// Of all buffers together. Most of it has to stay untouched on most machines.
  static constexpr int64_t maxBytes = int64_t(1) << 36;
  static constexpr int64_t maxKernargOffset = 65536;

  LaunchFile &file;
  std::vector<uint64_t> addresses;
  int64_t allBytes = 0;
};

} // namespace

Expected<std::unique_ptr<LaunchFile>> LaunchFile::read(StringRef path) {
  auto text = MemoryBuffer::getFile(path);
  if (!text)
    return bad("cannot read '" + path + "': " + text.getError().message());
  Expected<json::Value> value = lowp::parseJson((*text)->getBuffer());
  if (!value)
    return bad(path + ": " + toString(value.takeError()));
  const json::Object *root = value->getAsObject();
  if (!root)
    return bad(path + ": a launch file holds one object");
  auto file = std::make_unique<LaunchFile>();
  file->path = path.str();
  if (Error error = Reader(*file).read(*root))
    return bad(path + ": " + toString(std::move(error)));
  return std::move(file);
}

/// Piece by piece, for pages that nobody touched have to stay untouched.
static void writeBuffer(const Buffer &buffer, raw_ostream &os) {
  constexpr uint64_t pieceBytes = 1 << 20;
  const auto *data = static_cast<const uint8_t *>(buffer.data);
  std::vector<uint8_t> piece;
  for (uint64_t at = 0; at < buffer.bytes; at += pieceBytes) {
    uint64_t size = std::min(pieceBytes, buffer.bytes - at);
    piece.assign(data + at, data + at + size);
    if (!buffer.initialised)
      for (uint64_t i = 0; i < size; ++i)
        if (!buffer.written[at + i])
          piece[i] = poisonByte;
    os.write(reinterpret_cast<const char *>(piece.data()), size);
  }
}

Error LaunchFile::writeOutputs() const {
  std::vector<StreamedFile> files;
  for (const Output &output : outputs)
    files.push_back(
        {output.path, [&buffer = buffers[output.buffer]](raw_ostream &os) { writeBuffer(buffer, os); }});
  return writeFilesAtomically(files);
}

Expected<Report> lowp::sim::runLaunchFile(StringRef path, const Options &options) {
  Expected<std::unique_ptr<LaunchFile>> file = LaunchFile::read(path);
  if (!file)
    return file.takeError();
  auto code = MemoryBuffer::getFile((*file)->codeObject, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!code)
    return bad("cannot read '" + (*file)->codeObject + "': " + code.getError().message());
  Expected<std::unique_ptr<Simulator>> simulator = Simulator::create((*code)->getMemBufferRef());
  if (!simulator)
    return bad((*file)->codeObject + ": " + toString(simulator.takeError()));
  Expected<Report> report = (*simulator)->run((*file)->launch, (*file)->buffers, options);
  if (report && report->completed)
    if (Error error = (*file)->writeOutputs())
      return std::move(error);
  return report;
}
