// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestKernel.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace lowp::sim;

/// Diagnostics go to standard error, or their lines into `faultyLines`.
static bool assembleObject(StringRef chip, StringRef text, SmallVectorImpl<char> &object,
                           std::set<unsigned> *faultyLines = nullptr) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text), SMLoc());
  if (faultyLines)
    sources.setDiagHandler(
        [](const SMDiagnostic &diagnostic, void *lines) {
          if (diagnostic.getKind() == SourceMgr::DK_Error)
            static_cast<std::set<unsigned> *>(lines)->insert(unsigned(diagnostic.getLineNo()));
        },
        faultyLines);
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers(target->createMCRegInfo(triple));
  std::unique_ptr<MCAsmInfo> asmInfo(target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, chip, ""));
  std::unique_ptr<MCInstrInfo> instructions(target->createMCInstrInfo());
  MCContext context(triple, asmInfo.get(), registers.get(), subtarget.get(), &sources, &options);
  std::unique_ptr<MCObjectFileInfo> objectInfo(target->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(objectInfo.get());
  raw_svector_ostream stream(object);
  std::unique_ptr<MCAsmBackend> backend(target->createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<MCObjectWriter> writer = backend->createObjectWriter(stream);
  std::unique_ptr<MCCodeEmitter> emitter(target->createMCCodeEmitter(*instructions, context));
  std::unique_ptr<MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  std::unique_ptr<MCAsmParser> parser(createMCAsmParser(sources, context, *streamer, *asmInfo));
  std::unique_ptr<MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  return !parser->Run(/*NoInitialTextSection=*/false);
}

std::set<unsigned> test::rejectedLines(StringRef chip, StringRef text) {
  SmallVector<char, 0> object;
  std::set<unsigned> lines;
  (void)assembleObject(chip, text, object, &lines);
  return lines;
}

std::vector<uint8_t> test::assembleLines(StringRef chip, std::vector<std::string> &lines,
                                         std::vector<std::string> &failed) {
  SmallVector<char, 0> object;
  std::set<unsigned> numbers; // from 1
  // With a fault in it no object is written: once more without those lines.
  if (!assembleObject(chip, join(lines, "\n") + "\n", object, &numbers)) {
    std::vector<std::string> good;
    for (unsigned i = 0; i < lines.size(); ++i)
      (numbers.count(i + 1) ? failed : good).push_back(lines[i]);
    lines = std::move(good);
    object.clear();
    if (!assembleObject(chip, join(lines, "\n") + "\n", object)) {
      ADD_FAILURE() << "does not assemble without the lines at fault either";
      return {};
    }
  }
  auto file =
      object::ObjectFile::createObjectFile(MemoryBufferRef(StringRef(object.data(), object.size()), "test"));
  if (!file) {
    ADD_FAILURE() << toString(file.takeError());
    return {};
  }
  for (const object::SectionRef &section : (*file)->sections())
    if (Expected<StringRef> contents = section.isText() ? section.getContents() : StringRef())
      if (!contents->empty())
        return std::vector<uint8_t>(contents->bytes_begin(), contents->bytes_end());
  return {};
}

std::vector<char> test::assemble(StringRef chip, StringRef text) {
  SmallVector<char, 0> object;
  if (!assembleObject(chip, text, object)) {
    ADD_FAILURE() << "does not assemble:\n" << text.str();
    return {};
  }
  SmallString<128> input, output;
  sys::fs::createTemporaryFile("simtest", "o", input);
  sys::fs::createTemporaryFile("simtest", "co", output);
  {
    std::error_code failure;
    raw_fd_ostream stream(input, failure);
    stream.write(object.data(), object.size());
  }
  std::string messages;
  raw_string_ostream messageStream(messages);
  const char *arguments[] = {"ld.lld", "-shared", "--threads=1", input.c_str(), "-o", output.c_str()};
  lld::Result result = lld::lldMain(arguments, messageStream, messageStream, {{lld::Gnu, &lld::elf::link}});
  EXPECT_EQ(result.retCode, 0) << messages;
  std::vector<char> code;
  if (auto buffer = MemoryBuffer::getFile(output, false, false))
    code.assign((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
  sys::fs::remove(input);
  sys::fs::remove(output);
  return code;
}

std::vector<char> test::kernelText(StringRef chip, StringRef body, const KernelShape &shape) {
  std::string text;
  raw_string_ostream out(text);
  out << ".amdgcn_target \"amdgcn-amd-amdhsa--" << chip << "\"\n.text\n.globl test\n.p2align 8\n"
      << ".type test,@function\ntest:\n"
      << body << "\n  s_endpgm\n.Lend:\n.size test, .Lend-test\n"
      << ".section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel test\n"
      << "  .amdhsa_group_segment_fixed_size " << shape.lds << "\n"
      << "  .amdhsa_private_segment_fixed_size " << shape.scratch << "\n"
      << "  .amdhsa_kernarg_size " << shape.kernargBytes << "\n"
      << "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  .amdhsa_system_sgpr_workgroup_id_x 1\n"
      << "  .amdhsa_float_denorm_mode_32 3\n"
      << "  .amdhsa_fp16_overflow " << shape.fp16Overflow << "\n"
      << "  .amdhsa_next_free_vgpr " << shape.vgprs + shape.agprs << "\n"
      << "  .amdhsa_accum_offset " << shape.vgprs << "\n  .amdhsa_next_free_sgpr 96\n.end_amdhsa_kernel\n"
      << ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--" << chip
      << "\namdhsa.kernels:\n  - .name: test\n    .symbol: test.kd\n    .kernarg_segment_size: "
      << shape.kernargBytes << "\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: " << shape.lds
      << "\n    .private_segment_fixed_size: " << shape.scratch
      << "\n    .max_flat_workgroup_size: " << shape.block
      << "\n    .wavefront_size: 64\n    .sgpr_count: 102\n    .vgpr_count: " << shape.vgprs + shape.agprs
      << "\n    .agpr_count: " << shape.agprs << "\n    .args: []\n...\n.end_amdgpu_metadata\n";
  return assemble(chip, text);
}

std::unique_ptr<Simulator> test::makeSimulator(const std::vector<char> &code) {
  auto simulator = Simulator::create(MemoryBufferRef(StringRef(code.data(), code.size()), "test"));
  if (!simulator) {
    ADD_FAILURE() << toString(simulator.takeError());
    return nullptr;
  }
  return std::move(*simulator);
}

Report test::runKernel(Simulator &simulator, ArrayRef<Buffer> buffers, const KernelShape &shape,
                       const Options &options, unsigned workgroups) {
  LaunchConfig launch;
  launch.kernel = "test";
  launch.grid[0] = workgroups;
  launch.block[0] = shape.block;
  std::vector<uint64_t> addresses = guestAddresses(buffers);
  for (unsigned i = 0; i < addresses.size(); ++i)
    launch.kernarg.set(8 * i, addresses[i]);
  Expected<Report> report = simulator.run(launch, buffers, options);
  if (!report) {
    ADD_FAILURE() << toString(report.takeError());
    return {};
  }
  return std::move(*report);
}

test::RowsResult test::runRows(StringRef chip, StringRef body, const std::vector<std::vector<uint32_t>> &in,
                               unsigned outRows, bool expectClean, const KernelShape &shape,
                               const Options &options) {
  std::string text;
  raw_string_ostream out(text);
  out << "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n";
  for (unsigned i = 0; i < in.size(); ++i) {
    if (i % 8 == 0 && i)
      out << "v_add_u32 v1, 0x800, v1\n";
    out << "global_load_dword v" << 10 + i << ", v1, s[4:5] offset:" << 256 * (i % 8) << "\n";
  }
  out << "s_waitcnt vmcnt(0)\nv_lshlrev_b32 v1, 2, v0\n" << body << "\ns_nop 15\ns_nop 15\n";
  for (unsigned i = 0; i < outRows; ++i) {
    if (i % 8 == 0 && i)
      out << "v_add_u32 v1, 0x800, v1\n";
    out << "global_store_dword v1, v" << 40 + i << ", s[6:7] offset:" << 256 * (i % 8) << "\n";
  }
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(chip, text, shape));
  RowsResult result;
  if (!simulator)
    return result;
  std::vector<uint32_t> source, sink(64 * outRows, 0xabababab);
  for (const auto &row : in)
    source.insert(source.end(), row.begin(), row.end());
  std::vector<Buffer> buffers = {{"in", source.data(), source.size() * 4, Buffer::Access::Read},
                                 {"out", sink.data(), sink.size() * 4, Buffer::Access::Write, false}};
  result.report = runKernel(*simulator, buffers, shape, options);
  EXPECT_TRUE(result.report.completed) << body.str();
  if (expectClean) {
    EXPECT_TRUE(result.report.findings.empty()) << body.str() << "\n" << allFindings(result.report);
  }
  for (unsigned i = 0; i < outRows; ++i)
    result.rows.emplace_back(sink.begin() + 64 * i, sink.begin() + 64 * (i + 1));
  return result;
}

bool test::hasFinding(const Report &report, StringRef kind) {
  for (const Finding &finding : report.findings)
    if (finding.kind == kind)
      return true;
  return false;
}

std::string test::allFindings(const Report &report) {
  std::string text;
  for (const Finding &finding : report.findings)
    text += finding.text() + "\n";
  return text;
}
