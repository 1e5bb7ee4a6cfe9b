// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads an HSACO from memory. LLVM's ELF reader checks its tables; what it leaves to the caller (segment
// contents, the descriptor's place, the kinds of metadata nodes) is checked here, because code objects of
// unknown origin are run.

#include "lowp/CodeObject/HsaCodeObject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include <cstring>

using namespace llvm;
using namespace lowp;
using ElfFile = object::ELFFile<object::ELF64LE>;

static Error broken(const Twine &what) {
  return createStringError(inconvertibleErrorCode(), "broken code object: " + what);
}

/// Memory that an image may take beyond the bytes of its file; more is a broken file, not a reason to
/// allocate.
static constexpr uint64_t maxBeyondFile = uint64_t(64) << 20;

Error HsaCodeObject::readSegments(MemoryBufferRef file) {
  Expected<ElfFile> elf = ElfFile::create(file.getBuffer());
  if (!elf)
    return elf.takeError();
  auto segments = elf->program_headers();
  if (!segments)
    return segments.takeError();
  uint64_t fileSize = file.getBufferSize(), notesFound = 0, maxImage = fileSize + maxBeyondFile;
  for (const auto &segment : *segments) {
    uint64_t offset = segment.p_offset, size = segment.p_filesz, address = segment.p_vaddr,
             memory = segment.p_memsz;
    if (offset > fileSize || size > fileSize - offset)
      return broken("a segment lies outside the file");
    if (segment.p_type == ELF::PT_LOAD) {
      if (size > memory || memory > maxImage || address > maxImage - memory)
        return broken("a segment has an impossible size");
      if (image.size() < address + memory)
        image.resize(address + memory);
      if (size)
        std::memcpy(image.data() + address, file.getBufferStart() + offset, size);
      bool executable = (segment.p_flags & ELF::PF_X) != 0;
      uint64_t used = executable ? size : memory; // code is what the file holds
      if (used)
        rangeList.push_back({address, used, executable});
    }
  }
  for (const auto &segment : *segments) {
    if (segment.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (auto note : elf->notes(segment, error)) {
      if (note.getName() != "AMDGPU" || note.getType() != ELF::NT_AMDGPU_METADATA)
        continue;
      ArrayRef<uint8_t> text = note.getDesc(4);
      ++notesFound;
      if (Error metadata =
              readMetadata(StringRef(reinterpret_cast<const char *>(text.data()), text.size()))) {
        consumeError(std::move(error));
        return metadata;
      }
    }
    if (error)
      return error;
  }
  if (!notesFound)
    return broken("it has no AMDGPU metadata note");
  return Error::success();
}

Error HsaCodeObject::readSymbols(MemoryBufferRef file) {
  Expected<ElfFile> elf = ElfFile::create(file.getBuffer());
  if (!elf)
    return elf.takeError();
  auto sections = elf->sections();
  if (!sections)
    return sections.takeError();
  bool full = llvm::any_of(*sections, [](const auto &s) { return s.sh_type == ELF::SHT_SYMTAB; });
  for (const auto &section : *sections) {
    if (section.sh_type == (full ? ELF::SHT_SYMTAB : ELF::SHT_DYNSYM)) {
      auto symbols = elf->symbols(&section);
      if (!symbols)
        return symbols.takeError();
      auto strings = elf->getStringTableForSymtab(section);
      if (!strings)
        return strings.takeError();
      for (const auto &symbol : *symbols) {
        if (symbol.st_shndx == ELF::SHN_UNDEF)
          continue;
        auto name = symbol.getName(*strings);
        if (!name)
          return name.takeError();
        CodeSymbol entry{name->str(), symbol.st_value, symbol.st_size};
        if (symbol.getType() == ELF::STT_FUNC) {
          if (entry.address > image.size() || entry.size > image.size() - entry.address)
            return broken("function '" + *name + "' lies outside the image");
          functionList.push_back(std::move(entry));
        } else if (symbol.getType() == ELF::STT_OBJECT || symbol.getType() == ELF::STT_AMDGPU_HSA_KERNEL) {
          objectList.push_back(std::move(entry));
        }
      }
    }
    if (section.sh_type == ELF::SHT_RELA && (section.sh_flags & ELF::SHF_ALLOC)) {
      auto entries = elf->relas(section);
      if (!entries)
        return entries.takeError();
      for (const auto &rela : *entries) {
        uint32_t type = rela.getType(false);
        if (type == ELF::R_AMDGPU_NONE)
          continue;
        uint64_t value = rela.r_addend;
        if (type == ELF::R_AMDGPU_ABS64) {
          auto symbolTable = elf->getSection(section.sh_link);
          if (!symbolTable)
            return symbolTable.takeError();
          auto symbol = elf->getRelocationSymbol(rela, *symbolTable);
          if (!symbol)
            return symbol.takeError();
          if (!*symbol || (*symbol)->st_shndx == ELF::SHN_UNDEF)
            return broken("it refers to a symbol that it does not define");
          value += (*symbol)->st_value;
        } else if (type != ELF::R_AMDGPU_RELATIVE64) {
          return broken("dynamic relocation of type " + Twine(type) + " is not supported");
        }
        if (rela.r_offset > image.size() || image.size() - rela.r_offset < 8)
          return broken("a relocation lies outside the image");
        relocations.push_back({rela.r_offset, value});
      }
    }
  }
  llvm::sort(functionList, [](const CodeSymbol &a, const CodeSymbol &b) {
    return std::tie(a.address, a.name) < std::tie(b.address, b.name);
  });
  return Error::success();
}

// -- metadata
// -----------------------------------------------------------------------------------------------------

static const msgpack::DocNode *field(msgpack::DocNode &map, StringRef key) {
  if (!map.isMap())
    return nullptr;
  auto &entries = map.getMap();
  auto it = entries.find(key);
  return it == entries.end() ? nullptr : &it->second;
}

static std::string text(msgpack::DocNode &map, StringRef key) {
  const msgpack::DocNode *node = field(map, key);
  return node && node->getKind() == msgpack::Type::String ? node->getString().str() : std::string();
}

static uint64_t number(msgpack::DocNode &map, StringRef key) {
  const msgpack::DocNode *node = field(map, key);
  if (!node)
    return 0;
  if (node->getKind() == msgpack::Type::UInt)
    return node->getUInt();
  if (node->getKind() == msgpack::Type::Int && node->getInt() > 0)
    return node->getInt();
  if (node->getKind() == msgpack::Type::Boolean)
    return node->getBool();
  return 0;
}

static msgpack::DocNode *list(msgpack::DocNode &map, StringRef key) {
  const msgpack::DocNode *node = field(map, key);
  return node && node->getKind() == msgpack::Type::Array ? const_cast<msgpack::DocNode *>(node) : nullptr;
}

/// Whether one value, with all it contains, is what metadata may hold: keys are strings that do not repeat,
/// containers are complete and not too deep. Document's reader takes that for granted.
static bool isWellFormed(msgpack::Reader &reader, unsigned depth) {
  if (depth > 16)
    return false;
  msgpack::Object object;
  Expected<bool> more = reader.read(object);
  if (!more) {
    consumeError(more.takeError());
    return false;
  }
  if (!*more)
    return false;
  switch (object.Kind) {
  case msgpack::Type::Array:
    for (size_t i = 0; i < object.Length; ++i)
      if (!isWellFormed(reader, depth + 1))
        return false;
    return true;
  case msgpack::Type::Map: {
    StringSet<> keys;
    for (size_t i = 0; i < object.Length; ++i) {
      msgpack::Object key;
      Expected<bool> hasKey = reader.read(key);
      if (!hasKey) {
        consumeError(hasKey.takeError());
        return false;
      }
      if (!*hasKey || key.Kind != msgpack::Type::String || !keys.insert(key.Raw).second ||
          !isWellFormed(reader, depth + 1))
        return false;
    }
    return true;
  }
  case msgpack::Type::Int:
  case msgpack::Type::UInt:
  case msgpack::Type::Nil:
  case msgpack::Type::Boolean:
  case msgpack::Type::Float:
  case msgpack::Type::String:
    return true;
  default:
    return false;
  }
}

Error HsaCodeObject::readMetadata(StringRef blob) {
  msgpack::Reader reader(blob);
  if (!isWellFormed(reader, 0))
    return broken("its metadata note is not well formed");
  msgpack::Document document;
  if (!document.readFromBlob(blob, /*Multi=*/false) || !document.getRoot().isMap())
    return broken("its metadata note is not MessagePack");
  msgpack::DocNode &root = document.getRoot();
  target = text(root, "amdhsa.target");
  msgpack::DocNode *kernels = list(root, "amdhsa.kernels");
  if (!kernels)
    return Error::success();
  for (msgpack::DocNode &node : kernels->getArray()) {
    KernelInfo kernel;
    kernel.name = text(node, ".name");
    kernel.symbol = text(node, ".symbol");
    if (kernel.name.empty() || kernel.symbol.empty())
      return broken("a kernel of the metadata has no name or symbol");
    kernel.kernargSize = number(node, ".kernarg_segment_size");
    kernel.kernargAlign = number(node, ".kernarg_segment_align");
    kernel.maxWorkgroup = number(node, ".max_flat_workgroup_size");
    kernel.waveSize = number(node, ".wavefront_size");
    kernel.sgprs = number(node, ".sgpr_count");
    kernel.vgprs = number(node, ".vgpr_count");
    kernel.agprs = number(node, ".agpr_count");
    kernel.sgprSpills = number(node, ".sgpr_spill_count");
    kernel.vgprSpills = number(node, ".vgpr_spill_count");
    kernel.dynamicStack = number(node, ".uses_dynamic_stack");
    if (msgpack::DocNode *size = list(node, ".reqd_workgroup_size"))
      for (unsigned i = 0; i < 3 && i < size->getArray().size(); ++i)
        if (size->getArray()[i].getKind() == msgpack::Type::UInt)
          kernel.requiredWorkgroup[i] = size->getArray()[i].getUInt();
    if (msgpack::DocNode *arguments = list(node, ".args"))
      for (msgpack::DocNode &argument : arguments->getArray())
        kernel.arguments.push_back({text(argument, ".name"), text(argument, ".value_kind"),
                                    uint32_t(number(argument, ".offset")),
                                    uint32_t(number(argument, ".size"))});
    kernelList.push_back(std::move(kernel));
  }
  return Error::success();
}

Error HsaCodeObject::readDescriptor(KernelInfo &kernel, uint64_t address) {
  amdhsa::kernel_descriptor_t descriptor;
  if (address > image.size() || image.size() - address < sizeof(descriptor))
    return broken("the descriptor of '" + kernel.name + "' lies outside the image");
  std::memcpy(&descriptor, image.data() + address, sizeof(descriptor));
  kernel.descriptorAddress = address;
  kernel.entry = address + descriptor.kernel_code_entry_byte_offset;
  if (kernel.entry >= image.size() || kernel.entry % 4)
    return broken("the entry of '" + kernel.name + "' lies outside the image");
  kernel.lds = descriptor.group_segment_fixed_size;
  kernel.scratch = descriptor.private_segment_fixed_size;
  if (descriptor.kernarg_size)
    kernel.kernargSize = descriptor.kernarg_size;
  kernel.rsrc1 = descriptor.compute_pgm_rsrc1;
  kernel.rsrc2 = descriptor.compute_pgm_rsrc2;
  kernel.rsrc3 = descriptor.compute_pgm_rsrc3;
  kernel.codeProperties = descriptor.kernel_code_properties;
  kernel.preloadDwords = descriptor.kernarg_preload & 0x7f;
  kernel.preloadOffset = descriptor.kernarg_preload >> 7;
  return Error::success();
}

/// Machine numbers in the header's flags of the two CDNA generations that are read.
static constexpr unsigned supportedMachines[] = {ELF::EF_AMDGPU_MACH_AMDGCN_GFX942,
                                                 ELF::EF_AMDGPU_MACH_AMDGCN_GFX950};

Expected<HsaCodeObject> HsaCodeObject::create(MemoryBufferRef file) {
  auto object = object::ObjectFile::createELFObjectFile(file);
  if (!object)
    return object.takeError();
  auto *elf = dyn_cast<object::ELF64LEObjectFile>(object->get());
  if (!elf || elf->getELFFile().getHeader().e_machine != ELF::EM_AMDGPU)
    return createStringError(inconvertibleErrorCode(), "not an AMDGPU code object");
  // LLVM's table of names has no answer for numbers that it does not know.
  unsigned machine = elf->getELFFile().getHeader().e_flags & ELF::EF_AMDGPU_MACH;
  if (!llvm::is_contained(supportedMachines, machine))
    return createStringError(inconvertibleErrorCode(),
                             "the code object is for a chip that is not supported (machine number " +
                                 Twine(machine) + ")");
  std::optional<StringRef> cpu = elf->tryGetCPUName();
  if (!cpu)
    return broken("its header names no known chip");
  if (elf->getELFFile().getHeader().e_type != ELF::ET_DYN)
    return createStringError(inconvertibleErrorCode(), "the code object is not linked (not a shared object)");

  HsaCodeObject result;
  result.chipName = cpu->str();
  result.abiVersion = 2 + elf->getELFFile().getHeader().e_ident[ELF::EI_ABIVERSION];
  if (Error error = result.readSegments(file))
    return std::move(error);
  if (Error error = result.readSymbols(file))
    return std::move(error);
  for (KernelInfo &kernel : result.kernelList) {
    auto isDescriptor = [&](const CodeSymbol &s) { return s.name == kernel.symbol; };
    auto symbol = llvm::find_if(result.objectList, isDescriptor);
    if (symbol == result.objectList.end())
      return broken("the descriptor symbol '" + kernel.symbol + "' is missing");
    if (Error error = result.readDescriptor(kernel, symbol->address))
      return std::move(error);
  }
  return std::move(result);
}

std::vector<uint8_t> HsaCodeObject::imageAt(uint64_t loadBase) const {
  std::vector<uint8_t> copy = image;
  for (const Relocation &relocation : relocations) {
    uint64_t value = loadBase + relocation.value;
    std::memcpy(copy.data() + relocation.offset, &value, sizeof(value));
  }
  return copy;
}

const KernelInfo *HsaCodeObject::find(StringRef name) const {
  for (const KernelInfo &kernel : kernelList)
    if (kernel.name == name || kernel.symbol == name)
      return &kernel;
  return nullptr;
}
