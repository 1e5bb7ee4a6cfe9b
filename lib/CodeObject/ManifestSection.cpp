// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The section is added after the link, for the manifest holds facts that only the linked code object has;
// LLVM's objcopy library leaves the segments where they are.
#include "lowp/CodeObject/ManifestSection.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lowp {

static constexpr StringLiteral sectionName = ".lowp.manifest";

static Expected<std::unique_ptr<object::ObjectFile>> openElf(ArrayRef<char> hsaco) {
  MemoryBufferRef buffer(StringRef(hsaco.data(), hsaco.size()), "code object");
  auto file = object::ObjectFile::createELFObjectFile(buffer);
  if (!file)
    return createStringError("the code object is no ELF file: " + toString(file.takeError()));
  return file;
}

Expected<std::vector<char>> addManifestSection(ArrayRef<char> hsaco, StringRef manifest) {
  auto file = openElf(hsaco);
  if (!file)
    return file.takeError();
  Expected<std::optional<std::string>> old = readManifestSection(hsaco);
  if (!old)
    return old.takeError();
  objcopy::ConfigManager config;
  std::unique_ptr<MemoryBuffer> data = MemoryBuffer::getMemBufferCopy(manifest);
  auto &sections = *old ? config.Common.UpdateSection : config.Common.AddSection;
  sections.emplace_back(sectionName, std::move(data));
  SmallString<0> bytes;
  raw_svector_ostream os(bytes);
  if (Error error = objcopy::executeObjcopyOnBinary(config, **file, os))
    return createStringError("the manifest cannot be added to the code object: " +
                             toString(std::move(error)));
  return std::vector<char>(bytes.begin(), bytes.end());
}

Expected<std::optional<std::string>> readManifestSection(ArrayRef<char> hsaco) {
  auto file = openElf(hsaco);
  if (!file)
    return file.takeError();
  for (const object::SectionRef &section : (*file)->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return createStringError("the code object's section names are broken: " + toString(name.takeError()));
    if (*name != sectionName)
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      return createStringError("the code object's manifest is broken: " + toString(contents.takeError()));
    return contents->str();
  }
  return std::nullopt;
}

} // namespace lowp
