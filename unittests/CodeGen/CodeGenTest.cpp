// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR to code object: what has to be in the file, the same bytes every time and in every thread, and what each
// kind of bad input is answered with. The kernels are small; those that lowp's passes emit are tested where
// they are made.
#include "CodeGenTestSupport.h"
#include "lowp/CodeObject/ManifestSection.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include <thread>

using namespace llvm;
using namespace lowp;

namespace {

class CodeGenTest : public testing::TestWithParam<const char *> {
protected:
  CodeGenOptions options = optionsFor(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Chips, CodeGenTest, testing::Values("gfx942", "gfx950"));

const char store[] = R"ir(
source_filename = "some/path/input.mlir"
define amdgpu_kernel void @store(ptr addrspace(1) %p, i32 %x) #0 {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  store i32 %x, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
)ir";

TEST_P(CodeGenTest, Store) {
  options.keepAssembly = options.keepLLVMIR = true;
  Expected<CodeGenResult> result = compile(store, options);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_NE(result->llvmIR.find("define protected amdgpu_kernel void @store("), std::string::npos);
  EXPECT_NE(result->assembly.find("global_store_dword"), std::string::npos);
  EXPECT_NE(result->assembly.find(std::string(".amdgcn_target \"amdgcn-amd-amdhsa--") + GetParam() + "\""),
            std::string::npos);
  ASSERT_EQ(result->kernels.size(), 1u);
  const KernelInfo &kernel = result->kernels[0];
  EXPECT_EQ(kernel.name, "store");
  EXPECT_EQ(kernel.maxWorkgroup, 64u);
  EXPECT_EQ(kernel.waveSize, 64u);
  // AMDGPUAttributor has run: nothing hidden is passed, and of the user registers only the arguments' pointer
  // is set.
  EXPECT_EQ(kernel.kernargSize, 12u);
  EXPECT_EQ(kernel.arguments.size(), 2u);
  EXPECT_EQ(kernel.codeProperties, 1u << 3);
  EXPECT_TRUE(result->warnings.empty());
  EXPECT_EQ(StringRef(result->hsaco.data(), result->hsaco.size()).find("some/path"), StringRef::npos);
}

TEST_P(CodeGenTest, HeaderNamesChipAndFeatures) {
  CodeGenResult result = cantFail(compile(store, options));
  auto file = cantFail(object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(StringRef(result.hsaco.data(), result.hsaco.size()), "")));
  auto *elf = cast<object::ELF64LEObjectFile>(file.get());
  const auto &header = elf->getELFFile().getHeader();
  EXPECT_EQ(header.e_type, ELF::ET_DYN);
  EXPECT_EQ(header.e_ident[ELF::EI_ABIVERSION], ELF::ELFABIVERSION_AMDGPU_HSA_V5);
  EXPECT_EQ(elf->tryGetCPUName(), StringRef(GetParam()));
  EXPECT_EQ(header.e_flags & ELF::EF_AMDGPU_FEATURE_XNACK_V4, unsigned(ELF::EF_AMDGPU_FEATURE_XNACK_ANY_V4));
  EXPECT_EQ(header.e_flags & ELF::EF_AMDGPU_FEATURE_SRAMECC_V4,
            unsigned(ELF::EF_AMDGPU_FEATURE_SRAMECC_ANY_V4));
}

TEST_P(CodeGenTest, SameBytesAgainAndInThreads) {
  CodeGenResult first = cantFail(compile(store, options));
  std::vector<std::vector<char>> others(6);
  std::vector<std::thread> threads;
  for (std::vector<char> &other : others)
    threads.emplace_back([&] { other = cantFail(compile(store, options)).hsaco; });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::vector<char> &other : others)
    EXPECT_EQ(other, first.hsaco);
  options.keepAssembly = true; // asking for more changes nothing
  EXPECT_EQ(cantFail(compile(store, options)).hsaco, first.hsaco);
}

TEST_P(CodeGenTest, ModuleStaysAsItIs) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(store, diagnostic, context);
  ASSERT_TRUE(module);
  std::string before, after;
  raw_string_ostream(before) << *module;
  cantFail(generateCode(*module, options));
  raw_string_ostream(after) << *module;
  EXPECT_EQ(before, after);
}

Expected<HsaCodeObject> readCodeObject(const std::vector<char> &bytes) {
  return HsaCodeObject::create(MemoryBufferRef(StringRef(bytes.data(), bytes.size()), ""));
}

TEST_P(CodeGenTest, ManifestSection) {
  CodeGenResult result = cantFail(compile(store, options));
  EXPECT_EQ(cantFail(readManifestSection(result.hsaco)), std::nullopt);
  std::vector<char> one = cantFail(addManifestSection(result.hsaco, "{\"a\": 1}\n"));
  EXPECT_EQ(cantFail(readManifestSection(one)), "{\"a\": 1}\n");
  EXPECT_EQ(one, cantFail(addManifestSection(result.hsaco, "{\"a\": 1}\n")));
  std::vector<char> two = cantFail(addManifestSection(one, "a longer text than before"));
  EXPECT_EQ(cantFail(readManifestSection(two)), "a longer text than before");
  // The kernels are the ones from before, at the same places.
  Expected<HsaCodeObject> object = readCodeObject(two);
  ASSERT_TRUE(bool(object)) << toString(object.takeError());
  ASSERT_EQ(object->kernels().size(), 1u);
  EXPECT_EQ(object->kernels()[0].entry, result.kernels[0].entry);
  std::vector<uint8_t> before = cantFail(readCodeObject(result.hsaco)).imageAt(0), after = object->imageAt(0);
  constexpr size_t header = sizeof(ELF::Elf64_Ehdr); // says where the section table is
  EXPECT_EQ(ArrayRef<uint8_t>(after).drop_front(header), ArrayRef<uint8_t>(before).drop_front(header));
  std::vector<char> junk{'j', 'u', 'n', 'k'};
  EXPECT_EQ(StringRef(toString(addManifestSection(junk, "").takeError())).substr(0, 31),
            "the code object is no ELF file:");
}

// 120 values that are all alive at once do not fit the 64 registers of a wave if 8 waves share a SIMD.
std::string spillingKernel() {
  std::string text = "define amdgpu_kernel void @spiller(ptr addrspace(1) %p) #0 {\n"
                     "  %tid = call i32 @llvm.amdgcn.workitem.id.x()\n"
                     "  %q = getelementptr i32, ptr addrspace(1) %p, i32 %tid\n";
  for (unsigned i = 0; i < 120; ++i)
    text += "  %a" + std::to_string(i) + " = getelementptr i32, ptr addrspace(1) %q, i32 " +
            std::to_string(64 * i) + "\n  %x" + std::to_string(i) +
            " = load volatile i32, ptr addrspace(1) %a" + std::to_string(i) + "\n";
  for (unsigned i = 0; i < 120; ++i)
    text += "  store volatile i32 %x" + std::to_string(i) + ", ptr addrspace(1) %a" +
            std::to_string(119 - i) + "\n";
  return text +
         "  ret void\n}\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n"
         "attributes #0 = { \"amdgpu-flat-work-group-size\"=\"64,64\" \"amdgpu-waves-per-eu\"=\"8,8\" }\n";
}

TEST_P(CodeGenTest, SpillsAreErrors) {
  std::string text = failure(spillingKernel(), options);
  EXPECT_EQ(StringRef(text).substr(0, 24), "kernel 'spiller' spills ");
  EXPECT_NE(text.find("unless spills are allowed (--allow-spills)"), std::string::npos) << text;
  options.allowSpills = true;
  Expected<CodeGenResult> result = compile(spillingKernel(), options);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_GT(result->kernels[0].vgprSpills, 30u);
  EXPECT_GT(result->kernels[0].scratch, 0u);
}

TEST_P(CodeGenTest, DroppableKernelsThatSpillAreReported) {
  std::string text = "define amdgpu_kernel void @lean(ptr addrspace(1) %p) {\n"
                     "  store i32 7, ptr addrspace(1) %p\n  ret void\n}\n" +
                     spillingKernel();
  options.droppable = {"spiller", "lean"};
  Expected<CodeGenResult> result = compile(text, options);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  ASSERT_EQ(result->spilling.size(), 1u);
  EXPECT_EQ(result->spilling[0].name, "spiller");
  EXPECT_EQ(StringRef(result->spilling[0].reason).substr(0, 7), "spills ");
  // Which kernels those are is the caller's choice; with --allow-spills nothing is wrong.
  options.droppable = {"lean"};
  EXPECT_EQ(StringRef(failure(text, options)).substr(0, 24), "kernel 'spiller' spills ");
  options.droppable = {"spiller"};
  options.allowSpills = true;
  result = compile(text, options);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_TRUE(result->spilling.empty());
}

TEST_P(CodeGenTest, PrivateArraysAreErrors) {
  // Too large for registers, indexed at run time; two of them, to see both kernels named.
  std::string body = "(ptr addrspace(1) %p, i32 %i, i32 %j) {\n"
                     "  %a = alloca [3000 x i32], addrspace(5)\n"
                     "  %b = getelementptr i32, ptr addrspace(5) %a, i32 %i\n"
                     "  store volatile i32 7, ptr addrspace(5) %b\n"
                     "  %c = getelementptr i32, ptr addrspace(5) %a, i32 %j\n"
                     "  %x = load i32, ptr addrspace(5) %c\n"
                     "  store i32 %x, ptr addrspace(1) %p\n"
                     "  ret void\n}\n";
  std::string text =
      failure("define amdgpu_kernel void @one" + body + "define amdgpu_kernel void @two" + body, options);
  for (const char *name : {"one", "two"})
    EXPECT_NE(text.find("kernel '" + std::string(name) + "' has private arrays: 12"), std::string::npos)
        << text;
}

TEST_P(CodeGenTest, RealCallsMayHaveFrames) {
  const char ir[] = R"ir(
define internal i32 @callee(i32 %i, i32 %j) noinline {
  %a = alloca [1000 x i32], addrspace(5)
  %b = getelementptr i32, ptr addrspace(5) %a, i32 %i
  store volatile i32 7, ptr addrspace(5) %b
  %c = getelementptr i32, ptr addrspace(5) %a, i32 %j
  %x = load i32, ptr addrspace(5) %c
  ret i32 %x
}
define amdgpu_kernel void @caller(ptr addrspace(1) %p, i32 %i, i32 %j) {
  %x = call i32 @callee(i32 %i, i32 %j)
  store i32 %x, ptr addrspace(1) %p
  ret void
}
)ir";
  Expected<CodeGenResult> result = compile(ir, options);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  ASSERT_EQ(result->warnings.size(), 1u);
  EXPECT_EQ(StringRef(result->warnings[0]).substr(0, 33), "kernel 'caller' makes real calls:");
}

TEST_P(CodeGenTest, UndefinedCallsAreErrors) {
  const char ir[] = R"ir(
declare i32 @elsewhere(i32)
declare i32 @unused(i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %i) {
  %x = call i32 @elsewhere(i32 %i)
  store i32 %x, ptr addrspace(1) %p
  ret void
}
)ir";
  EXPECT_EQ(failure(ir, options),
            "function 'elsewhere', used in 'k', has no body: every call must be resolved when code "
            "is generated");
  const char variable[] = R"ir(
@table = external addrspace(4) constant [4 x i32]
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %x = load i32, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @table, i64 4)
  store i32 %x, ptr addrspace(1) %p
  ret void
}
)ir";
  EXPECT_EQ(failure(variable, options),
            "variable 'table', used in 'k', has no value: it must be defined when code is generated");
}

TEST_P(CodeGenTest, LdsOverTheLimit) {
  std::string size = std::to_string(options.target->ldsBytes() + 4);
  std::string ir = "@lds = internal addrspace(3) global [" + size + " x i8] poison\n" + R"ir(
define amdgpu_kernel void @big(ptr addrspace(1) %p, i32 %i) {
  %a = getelementptr i8, ptr addrspace(3) @lds, i32 %i
  store volatile i8 1, ptr addrspace(3) %a
  %x = load volatile i8, ptr addrspace(3) @lds
  store i8 %x, ptr addrspace(1) %p
  ret void
}
)ir";
  std::string text = failure(ir, options);
  EXPECT_NE(text.find("local memory (" + size + ") exceeds limit (" +
                      std::to_string(options.target->ldsBytes()) + ") in function 'big'"),
            std::string::npos)
      << text;
}

TEST_P(CodeGenTest, BackEndErrorsComeBack) {
  // An instruction that cannot be selected is a fatal error of LLVM; the process lives and compiles on.
  std::string fatal = failure("define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n"
                              "  %x = call i32 @llvm.amdgcn.global.load.tr.b64.i32(ptr addrspace(1) %p)\n"
                              "  store i32 %x, ptr addrspace(1) %p\n  ret void\n}\n"
                              "declare i32 @llvm.amdgcn.global.load.tr.b64.i32(ptr addrspace(1))\n",
                              options);
  EXPECT_NE(fatal, "");
  std::string cannotSelect = failure("define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n"
                                     "  call void @llvm.amdgcn.s.wait.loadcnt(i16 0)\n  ret void\n}\n"
                                     "declare void @llvm.amdgcn.s.wait.loadcnt(i16)\n",
                                     options);
  EXPECT_NE(cannotSelect.find("annot select"), std::string::npos) << cannotSelect;
  std::string assembly = failure("define amdgpu_kernel void @k() {\n  call void asm sideeffect \"v_nonsense "
                                 "v0\", \"\"()\n  ret void\n}\n",
                                 options);
  EXPECT_NE(assembly.find("invalid instruction"), std::string::npos) << assembly;
  EXPECT_EQ(failure(store, options), "");
}

TEST_P(CodeGenTest, BadModules) {
  EXPECT_EQ(failure("define void @f() {\n  ret void\n}\n", options), "the module has no kernel");
  EXPECT_EQ(failure("target triple = \"x86_64-unknown-linux-gnu\"\n" + std::string(store), options),
            "the module is for 'x86_64-unknown-linux-gnu', but expected 'amdgcn-amd-amdhsa'");
  EXPECT_EQ(failure(store, CodeGenOptions()), "no target is given");
  LLVMContext context;
  Module broken("broken", context);
  Function *function = Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                                        GlobalValue::ExternalLinkage, "k", broken);
  function->setCallingConv(CallingConv::AMDGPU_KERNEL);
  BasicBlock::Create(context, "", function); // no terminator
  std::string text = toString(generateCode(broken, options).takeError());
  EXPECT_EQ(StringRef(text).substr(0, 16), "broken LLVM IR: ") << text;
}

TEST_P(CodeGenTest, DebugInfoOnRequest) {
  std::string ir = std::string(store);
  ir.replace(ir.find("#0 {"), 4, "#0 !dbg !3 {");
  ir.replace(ir.find("ret void"), 8, "ret void, !dbg !5");
  ir += R"ir(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.mlir", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "store", file: !1, line: 3, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 7, scope: !3)
)ir";
  auto hasLines = [&] {
    CodeGenResult result = cantFail(compile(ir, options));
    return StringRef(result.hsaco.data(), result.hsaco.size()).contains(".debug_line");
  };
  std::vector<char> without = cantFail(compile(store, options)).hsaco;
  EXPECT_FALSE(hasLines());
  EXPECT_EQ(cantFail(compile(ir, options)).hsaco, without);
  options.debugInfo = true;
  EXPECT_TRUE(hasLines());
}

TEST_P(CodeGenTest, OptimizationLevels) {
  for (unsigned level : {0u, 1u, 2u}) {
    options.optLevel = level;
    EXPECT_EQ(failure(store, options), "") << level;
  }
}

} // namespace
