// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of what can go wrong in a kernel the simulator notices: the kernel of a launch file runs many
// times, with one thing wrong each time, and must end in a finding, an error, or another result.
//
//   wait      an s_waitcnt becomes s_nop 0
//   vmcnt, lgkmcnt
//             that counter of an s_waitcnt may be one higher
//   barrier   an s_barrier becomes s_nop 0
//   nop       an s_nop becomes s_nop 0
//   buffer    a buffer ends four bytes earlier
//   register, constant, offset, modifier
//             one bit of an instruction changes, and with it one operand or modifier of its text and nothing
//             else
//
// Only instructions that the kernel executes are changed. The last four kinds are drawn at random from the
// seed.

#include "../../lib/Sim/Decoder.h"
#include "../../lib/Sim/InstText.h"
#include "SimTest.h"
#include "lowp/Sim/LaunchFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <random>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

using Bytes = std::vector<char>;

struct Mutant {
  std::string kind, what;
  uint64_t offset = 0; ///< in the file
  uint32_t from = 0, to = 0;
  unsigned buffer = ~0u;
};

struct Outcome {
  std::string error; ///< of reading or launching
  Report report;
  std::vector<std::vector<uint8_t>> results; ///< the buffers that the kernel may write
  bool noticed(const Outcome &right) const {
    return !error.empty() || !report.completed || !report.findings.empty() || results != right.results;
  }
};

class Mutations {
public:
  Error load(StringRef path, unsigned perKind, unsigned seed);
  /// Prints the table; gives whether every mutant of the required kinds was noticed.
  bool run(const StringSet<> &required, const StringMap<unsigned> &allowed, bool verbose);

private:
  Outcome launch(const Bytes &code, unsigned shrunk, uint64_t limit) const;
  void controlMutants(const Inst &inst, const PcCount &count, uint64_t offset);
  void drawBitMutants(ArrayRef<std::pair<uint32_t, uint64_t>> executed, unsigned perKind, unsigned seed);
  std::string classify(StringRef before, StringRef after) const;
  Expected<Program> decode(const Bytes &bytes) const;

  std::string path;
  Bytes code;
  Program program;
  Outcome right;
  std::vector<Mutant> mutants;
};

} // namespace

static MemoryBufferRef bufferOf(const Bytes &bytes) {
  return MemoryBufferRef(StringRef(bytes.data(), bytes.size()), "code object");
}

Expected<Program> Mutations::decode(const Bytes &bytes) const {
  Expected<HsaCodeObject> object = HsaCodeObject::create(bufferOf(bytes));
  if (!object)
    return object.takeError();
  return decodeProgram(*object);
}

Outcome Mutations::launch(const Bytes &bytes, unsigned shrunk, uint64_t limit) const {
  Outcome outcome;
  Expected<std::unique_ptr<LaunchFile>> file = LaunchFile::read(path);
  if (!file) {
    outcome.error = toString(file.takeError());
    return outcome;
  }
  std::vector<Buffer> &buffers = (*file)->buffers;
  std::vector<uint64_t> sizes;
  for (const Buffer &buffer : buffers)
    sizes.push_back(buffer.bytes);
  if (shrunk < buffers.size())
    buffers[shrunk].bytes -= std::min<uint64_t>(4, buffers[shrunk].bytes);
  Expected<std::unique_ptr<Simulator>> simulator = Simulator::create(bufferOf(bytes));
  if (!simulator) {
    outcome.error = toString(simulator.takeError());
    return outcome;
  }
  Options options;
  options.threads = 1;
  options.instructionLimit = limit;
  options.timeLimit = 20;
  Expected<Report> report = (*simulator)->run((*file)->launch, buffers, options);
  if (!report) {
    outcome.error = toString(report.takeError());
    return outcome;
  }
  outcome.report = std::move(*report);
  for (unsigned i = 0; i < buffers.size(); ++i)
    if (buffers[i].access != Buffer::Access::Read) {
      const uint8_t *data = static_cast<const uint8_t *>(buffers[i].data);
      outcome.results.emplace_back(data, data + sizes[i]);
    }
  return outcome;
}

/// What one changed bit did to an instruction; empty when it is not one change of one thing.
std::string Mutations::classify(StringRef before, StringRef after) const {
  InstText a = splitInstText(before), b = splitInstText(after);
  if (a.mnemonic != b.mnemonic || a.encoding != b.encoding || a.operands.size() != b.operands.size())
    return "";
  std::string kind;
  for (unsigned i = 0; i < a.operands.size(); ++i) {
    if (a.operands[i] == b.operands[i])
      continue;
    Operand x, y;
    bool constantX = false, constantY = false;
    if (!kind.empty() || !parseOperand(a.operands[i], x, constantX) ||
        !parseOperand(b.operands[i], y, constantY))
      return "";
    kind = constantX && constantY ? "constant" : !constantX && !constantY ? "register" : "";
    if (kind.empty())
      return "";
  }
  // Modifiers that are zero are not printed.
  std::map<StringRef, StringRef> left, other;
  for (StringRef modifier : a.modifiers)
    left[modifier.split(':').first] = modifier;
  for (StringRef modifier : b.modifiers)
    other[modifier.split(':').first] = modifier;
  StringSet<> keys;
  for (const auto *side : {&left, &other})
    for (const auto &[key, modifier] : *side)
      if (left[key] != other[key])
        keys.insert(key);
  if (keys.empty())
    return kind;
  // Hints to the caches change nothing that a functional simulator could see.
  if (!kind.empty() || keys.size() > 1 || keys.contains("nt") || keys.contains("sc1") ||
      keys.contains("sc0") || keys.contains("glc"))
    return "";
  return keys.begin()->getKey().starts_with("offset") ? "offset" : "modifier";
}

void Mutations::controlMutants(const Inst &inst, const PcCount &count, uint64_t offset) {
  constexpr uint32_t nop = 0xbf800000;
  uint32_t word = support::endian::read32le(&code[offset]);
  auto add = [&](const char *kind, uint32_t to) {
    mutants.push_back({kind, count.disassembly, offset, word, to});
  };
  StringRef name = inst.op->name;
  if (name == "s_barrier")
    add("barrier", nop);
  if (name == "s_nop" && (word & 0xffff))
    add("nop", nop);
  if (name != "s_waitcnt" || !count.waited) // a wait for nothing is for nothing
    return;
  add("wait", nop);
  // Fields of the immediate: CDNA3 ISA manual, SOPP, S_WAITCNT.
  unsigned vm = (word & 15) | (word >> 14 & 3) << 4, lgkm = word >> 8 & 15;
  if (vm < 63)
    add("vmcnt", (word & ~0xc00fu) | ((vm + 1) & 15) | ((vm + 1) >> 4) << 14);
  if (lgkm < 15)
    add("lgkmcnt", word + 0x100);
}

void Mutations::drawBitMutants(ArrayRef<std::pair<uint32_t, uint64_t>> executed, unsigned perKind,
                               unsigned seed) {
  std::mt19937 draw(seed);
  std::map<std::string, unsigned> counts = {{"register", 0}, {"constant", 0}, {"offset", 0}, {"modifier", 0}};
  StringSet<> done;
  for (unsigned tries = 0; tries < 40 * perKind; ++tries) {
    auto [index, offset] = executed[draw() % executed.size()];
    const Inst &inst = program.insts[index];
    if (inst.op->unit == Unit::Wait || inst.op->unit == Unit::Barrier || StringRef(inst.op->name) == "s_nop")
      continue; // these have their own kinds
    unsigned bit = draw() % (8 * inst.size);
    if (!done.insert(std::to_string(offset) + ":" + std::to_string(bit)).second)
      continue;
    Bytes changed = code;
    uint64_t at = offset + bit / 32 * 4;
    uint32_t word = support::endian::read32le(&changed[at]), to = word ^ 1u << bit % 32;
    support::endian::write32le(&changed[at], to);
    // Only that instruction's text may differ.
    Expected<Program> other = decode(changed);
    if (!other) {
      consumeError(other.takeError());
      continue;
    }
    uint32_t there = other->indexOf(inst.pc);
    if (there == Program::nowhere || other->insts[there].size != inst.size)
      continue;
    std::string kind = classify(program.texts[index], other->texts[there]);
    auto count = counts.find(kind);
    if (count == counts.end() || count->second >= perKind)
      continue;
    ++count->second;
    mutants.push_back({kind, program.texts[index] + "  ->  " + other->texts[there], at, word, to});
  }
}

/// Offset in the file of an address of the image, 0 when it is not in the file.
static Expected<uint64_t> fileOffset(const Bytes &code, uint64_t address) {
  auto file = object::ELFFile<object::ELF64LE>::create(StringRef(code.data(), code.size()));
  if (!file)
    return file.takeError();
  auto headers = file->program_headers();
  if (!headers)
    return headers.takeError();
  for (const auto &header : *headers)
    if (header.p_type == ELF::PT_LOAD && address >= header.p_vaddr &&
        address < header.p_vaddr + header.p_filesz)
      return header.p_offset + (address - header.p_vaddr);
  return createStringError("an instruction is not in the file");
}

Error Mutations::load(StringRef file, unsigned perKind, unsigned seed) {
  path = file.str();
  Expected<std::unique_ptr<LaunchFile>> launchFile = LaunchFile::read(path);
  if (!launchFile)
    return launchFile.takeError();
  auto bytes = MemoryBuffer::getFile((*launchFile)->codeObject, false, false);
  if (!bytes)
    return createStringError(bytes.getError(), "cannot read '" + (*launchFile)->codeObject + "'");
  code.assign((*bytes)->getBufferStart(), (*bytes)->getBufferEnd());
  Expected<Program> decoded = decode(code);
  if (!decoded)
    return decoded.takeError();
  program = std::move(*decoded);
  right = launch(code, ~0u, uint64_t(1) << 30);
  if (!right.error.empty())
    return createStringError(right.error);
  if (!right.report.completed || !right.report.findings.empty())
    return createStringError("the kernel itself is not clean" +
                             (right.report.findings.empty() ? "" : ": " + right.report.findings[0].text()));
  std::vector<std::pair<uint32_t, uint64_t>> executed;
  for (const PcCount &count : right.report.counters.byPc) {
    uint32_t index = program.indexOf(count.pc);
    if (index == Program::nowhere)
      continue;
    Expected<uint64_t> offset = fileOffset(code, count.pc);
    if (!offset)
      return offset.takeError();
    executed.push_back({index, *offset});
    controlMutants(program.insts[index], count, *offset);
  }
  for (unsigned i = 0; i < (*launchFile)->buffers.size(); ++i)
    mutants.push_back({"buffer", (*launchFile)->buffers[i].name, 0, 0, 0, i});
  if (perKind && !executed.empty())
    drawBitMutants(executed, perKind, seed);
  return Error::success();
}

bool Mutations::run(const StringSet<> &required, const StringMap<unsigned> &allowed, bool verbose) {
  struct Count {
    unsigned noticed = 0, all = 0;
  };
  std::map<std::string, Count> counts;
  std::vector<std::pair<const Mutant *, bool>> shown; // and whether it was noticed
  uint64_t limit = 4 * right.report.counters.instructions + 100000;
  for (const Mutant &mutant : mutants) {
    Bytes changed = code;
    if (mutant.buffer == ~0u)
      support::endian::write32le(&changed[mutant.offset], mutant.to);
    bool noticed = launch(changed, mutant.buffer, limit).noticed(right);
    Count &count = counts[mutant.kind];
    ++count.all;
    count.noticed += noticed;
    if (!noticed || verbose)
      shown.push_back({&mutant, noticed});
  }
  bool good = true;
  for (const auto &[kind, count] : counts)
    outs() << format("%-9s %4u of %4u noticed\n", kind.c_str(), count.noticed, count.all);
  for (auto [mutant, noticed] : shown) {
    std::string place = mutant->buffer == ~0u ? "file offset 0x" + utohexstr(mutant->offset, true) : "buffer";
    outs() << (noticed ? "noticed: " : "survived: ") << mutant->kind << " at " << place << ": "
           << mutant->what << "\n";
  }
  for (const auto &[kind, count] : counts)
    if (required.contains(kind) && count.all - count.noticed > allowed.lookup(kind)) {
      outs() << "of kind '" << kind << "' at most " << allowed.lookup(kind) << " may survive\n";
      good = false;
    }
  for (const auto &entry : required)
    if (!counts.count(entry.getKey().str())) {
      outs() << "there is no mutant of kind '" << entry.getKey() << "'\n";
      good = false;
    }
  return good;
}

int lowp::sim::test::runMutations(ArrayRef<StringRef> arguments) {
  unsigned perKind = 0, seed = 1;
  StringSet<> required;
  StringMap<unsigned> allowed;
  bool good = true, verbose = false;
  unsigned files = 0;
  for (StringRef argument : arguments) {
    if (argument.consume_front("--bits=")) {
      if (argument.getAsInteger(10, perKind))
        return usage("--bits takes a number of mutants of each kind");
    } else if (argument == "--verbose") {
      verbose = true;
    } else if (argument.consume_front("--seed=")) {
      if (argument.getAsInteger(10, seed))
        return usage("--seed takes a number");
    } else if (argument.consume_front("--require=")) {
      SmallVector<StringRef, 8> kinds;
      argument.split(kinds, ',', -1, false);
      for (StringRef kind : kinds)
        required.insert(kind);
    } else if (argument.consume_front("--allow=")) {
      auto [kind, number] = argument.split(':');
      if (number.getAsInteger(10, allowed[kind]))
        return usage("--allow takes KIND:NUMBER");
    } else {
      ++files;
      Mutations mutations;
      outs() << argument << ": seed " << seed << "\n";
      if (Error error = mutations.load(argument, perKind, seed)) {
        outs() << "error: " << toString(std::move(error)) << "\n";
        good = false;
        continue;
      }
      good &= mutations.run(required, allowed, verbose);
    }
  }
  if (!files)
    return usage("mutate needs a launch file");
  return good ? success : failure;
}
