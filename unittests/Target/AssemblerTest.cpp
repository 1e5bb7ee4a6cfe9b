// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every mnemonic of the tables, with the register counts that follow from shape and formats, through LLVM's
// assembler for that chip. A wrong name, shape, operand width or format number does not assemble.

#include "lowp/Target/Target.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"
#include <gtest/gtest.h>
#include <memory>

using namespace lowp;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
}

/// LLVM's complaints about `text`, empty if it assembles.
static std::string assemble(llvm::StringRef chip, const std::string &text) {
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return error;
  llvm::SourceMgr sources;
  std::string complaints;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *out) {
        *static_cast<std::string *>(out) += diagnostic.getMessage().str() + "\n";
      },
      &complaints);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text), llvm::SMLoc());
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> info(target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, chip, ""));
  llvm::MCContext context(triple, info.get(), registers.get(), subtarget.get(), &sources);
  std::unique_ptr<llvm::MCObjectFileInfo> objects(target->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(objects.get());
  std::unique_ptr<llvm::MCStreamer> streamer(target->createNullStreamer(context));
  std::unique_ptr<llvm::MCAsmParser> parser(createMCAsmParser(sources, context, *streamer, *info));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  bool failed = parser->Run(/*NoInitialTextSection=*/false);
  return failed && complaints.empty() ? "failed" : complaints;
}

static std::string assembly(const MfmaInstruction &mfma) {
  auto tuple = [](unsigned elements, Format format) {
    return "v[0:" + std::to_string(elements * bitWidth(format) / 64 / 32 - 1) + "]";
  };
  std::string acc = tuple(mfma.m * mfma.n, mfma.acc);
  std::string text = mfma.name.str() + " " + acc + ", " + tuple(mfma.m * mfma.k, mfma.a) + ", " +
                     tuple(mfma.n * mfma.k, mfma.b) + ", " + acc;
  if (!mfma.f8f6f4)
    return text + "\n";
  auto number = [](Format format) {
    switch (format) {
    case Format::F8E4M3FN:
      return "0";
    case Format::F8E5M2:
      return "1";
    case Format::F6E2M3FN:
      return "2";
    case Format::F6E3M2FN:
      return "3";
    default:
      return "4";
    }
  };
  return text + " cbsz:" + number(mfma.a) + " blgp:" + number(mfma.b) + "\n";
}

TEST(Assembler, TakesEveryMfma) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  for (llvm::StringRef chip : Target::chips()) {
    for (const MfmaInstruction &mfma : Target::get(chip)->mfmas()) {
      std::string text = assembly(mfma);
      EXPECT_EQ(assemble(chip, text), "") << chip.str() << ": " << text;
    }
  }
  // The check can fail: a shape of the other chip, and operands of the wrong width.
  EXPECT_NE(assemble("gfx942", "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[0:7], v[0:7], v[0:3]\n"), "");
  EXPECT_NE(assemble("gfx950", "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[0:7], v[0:7], v[0:3] blgp:4\n"), "");
}
