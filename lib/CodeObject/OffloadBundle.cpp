// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bundle: the magic, the number of entries, per entry (offset, size, length of the id, id), then the code
// objects, each on a 4096-byte boundary as clang places them for HIP. All numbers are 64-bit little-endian.
#include "lowp/CodeObject/OffloadBundle.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/BinaryStreamReader.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lowp {

static constexpr StringLiteral magic = "__CLANG_OFFLOAD_BUNDLE__";
static constexpr StringLiteral hostId = "host-x86_64-unknown-linux-gnu--";
static constexpr StringLiteral deviceId = "hipv4-amdgcn-amd-amdhsa--"; // before the chip
static constexpr uint64_t alignment = 4096;

static void append(std::vector<char> &bytes, uint64_t number) {
  char buffer[8];
  support::endian::write64le(buffer, number);
  bytes.insert(bytes.end(), buffer, buffer + 8);
}

Expected<std::vector<char>> writeOffloadBundle(ArrayRef<BundledCodeObject> codeObjects) {
  StringSet<> chips;
  std::vector<std::string> ids = {hostId.str()};
  uint64_t headerSize = magic.size() + 8 + 24 + hostId.size();
  for (const BundledCodeObject &object : codeObjects) {
    if (!chips.insert(object.chip).second)
      return createStringError(formatv("bundle: '{0}' occurs twice", object.chip).str());
    ids.push_back(deviceId.str() + object.chip);
    headerSize += 24 + ids.back().size();
  }
  std::vector<char> bytes(magic.begin(), magic.end());
  append(bytes, ids.size());
  uint64_t offset = alignTo(headerSize, alignment);
  std::vector<uint64_t> offsets;
  for (size_t i = 0; i < ids.size(); ++i) {
    uint64_t size = i == 0 ? 0 : codeObjects[i - 1].hsaco.size();
    offsets.push_back(offset);
    append(bytes, offset);
    append(bytes, size);
    append(bytes, ids[i].size());
    bytes.insert(bytes.end(), ids[i].begin(), ids[i].end());
    offset = alignTo(offset + size, alignment);
  }
  for (size_t i = 0; i < codeObjects.size(); ++i) {
    bytes.resize(offsets[i + 1], 0);
    bytes.insert(bytes.end(), codeObjects[i].hsaco.begin(), codeObjects[i].hsaco.end());
  }
  return bytes;
}

bool isOffloadBundle(ArrayRef<char> file) { return StringRef(file.data(), file.size()).starts_with(magic); }

Expected<std::vector<BundledCodeObject>> readOffloadBundle(ArrayRef<char> file) {
  if (!isOffloadBundle(file))
    return createStringError("bundle: the file does not start with '" + magic + "'");
  BinaryStreamReader reader(StringRef(file.data(), file.size()), endianness::little);
  std::vector<BundledCodeObject> result;
  auto cut = [](Error error) {
    consumeError(std::move(error));
    return createStringError("bundle: the file ends within the list of entries");
  };
  uint64_t count = 0;
  if (Error error = reader.skip(magic.size()))
    return cut(std::move(error));
  if (Error error = reader.readInteger(count))
    return cut(std::move(error));
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t offset = 0, size = 0, idSize = 0;
    StringRef id;
    for (uint64_t *number : {&offset, &size, &idSize})
      if (Error error = reader.readInteger(*number))
        return cut(std::move(error));
    if (idSize > reader.bytesRemaining())
      return createStringError(formatv("bundle: entry {0} has a name of {1} bytes, but {2} are left", i,
                                       idSize, reader.bytesRemaining())
                                   .str());
    if (Error error = reader.readFixedString(id, idSize))
      return cut(std::move(error));
    if (offset > file.size() || size > file.size() - offset)
      return createStringError(formatv("bundle: entry '{0}' has {1} bytes at {2}, but the file has {3} bytes",
                                       id, size, offset, file.size())
                                   .str());
    // "hip" or "hipv4", then the triple, whose environment may be left out, then the chip and its features.
    auto [kind, rest] = id.split('-');
    if ((kind != "hip" && kind != "hipv4") || !rest.consume_front("amdgcn-amd-amdhsa-"))
      continue;
    ArrayRef<char> code = file.slice(offset, size);
    result.push_back({rest.ltrim('-').str(), std::vector<char>(code.begin(), code.end())});
  }
  return result;
}

} // namespace lowp
