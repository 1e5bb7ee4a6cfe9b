// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch stub, compiled by the system's C compiler and run against a stand-in for HIP that writes down
// what it is asked to launch. Over random arguments the C chooser, the workspace and the launches have to be
// those of the manifest.
#include "lowp/CodeObject/LaunchStub.h"
#include "ManifestSample.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace lowp;

namespace {

const char fakeHip[] = R"c(
#include <stdio.h>
#include <string.h>
static const char *names[8];
static int count;
int hipGetDevice(int *device) { *device = 3; return 0; }
int hipDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 63 && device == 3 ? 304 : -1;
  return 0;
}
int hipModuleLoadData(void **module, const void *image) {
  *module = (void *)names;
  return memcmp(image, "code\0\xff\x80", 7) ? 209 : 0;
}
int hipModuleUnload(void *module) { puts("unload"); return module != (void *)names; }
int hipModuleGetFunction(void **function, void *module, const char *name) {
  names[count] = name;
  *function = &names[count++];
  return module != (void *)names;
}
int hipModuleLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned lds, void *stream, void **params, void **extra) {
  size_t i, bytes = *(size_t *)extra[3];
  if (params || extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != (void *)3 || stream != (void *)77)
    return 1;
  printf("%s %u %u %u %u %u %u %u ", *(const char **)function, gx, gy, gz, bx, by, bz, lds);
  for (i = 0; i < bytes; ++i)
    printf("%02x", ((unsigned char *)extra[1])[i]);
  printf("\n");
  return 0;
}
const char *hipGetErrorString(int error) { return error == 209 ? "no binary" : "error"; }
)c";

const char program[] = R"c(
#include "stub.h"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  long long a, m, stride, n, workspace, bytes = 0;
  const char *message;
  stub_module *module = 0;
  int status = stub_load("/nowhere/libamdhip64.so", &module, &message);
  printf("%d %s\n", status, message);
  status = stub_load(argc > 1 ? argv[1] : 0, &module, &message);
  if (status)
    return printf("%d %s\n", status, message), 1;
  while (scanf("%lld %lld %lld %lld %lld", &a, &m, &stride, &n, &workspace) == 5) {
    stub_gemm_args args;
    memset(&args, 0, sizeof args);
    args.a = (const void *)a;
    args.alpha = 1.5f;
    args.default_ = 0x38;
    args.result = (void *)0x123456789abcdef0;
    args.a_0 = (int32_t)m;
    args.a_stride_0 = stride;
    args.n = (int16_t)n;
    args.workspace = (void *)workspace;
    status = stub_gemm_choose(&args, 304, &message);
    printf("%d %s\n", status, message);
    status = stub_gemm_workspace(module, &args, &bytes, 0);
    printf("%d %lld\n", status, status ? 0 : bytes);
    status = stub_gemm_launch(module, &args, (void *)77, &message);
    printf("%d %s\n", status, message);
  }
  stub_unload(module);
  return 0;
}
)c";

class LaunchStubTest : public testing::Test {
protected:
  void SetUp() override {
    compiler = sys::findProgramByName("cc").get();
    ASSERT_FALSE(sys::fs::createUniqueDirectory("lowp-stub", directory));
  }
  void TearDown() override { sys::fs::remove_directories(directory); }

  std::string path(StringRef name) { return (directory + "/" + name).str(); }
  void write(StringRef name, StringRef text) {
    std::error_code error;
    raw_fd_ostream os(path(name), error);
    ASSERT_FALSE(error) << error.message();
    os << text;
  }
  std::string read(StringRef name) {
    auto buffer = MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  int run(StringRef executable, std::vector<std::string> arguments, StringRef input = "/dev/null") {
    std::vector<StringRef> all{executable};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::string out = path("out");
    return sys::ExecuteAndWait(executable, all, std::nullopt, {input, StringRef(out), StringRef(out)});
  }

  std::string compiler;
  SmallString<128> directory;
};

std::vector<char> code() { return {'c', 'o', 'd', 'e', 0, '\xff', '\x80', 1}; }

template <typename T> void put(std::string &kernarg, unsigned offset, T value) {
  memcpy(kernarg.data() + offset, &value, sizeof value);
}

/// What the stub has to print for one set of arguments.
std::string expected(const Entry &entry, int64_t a, int64_t m, int64_t stride, int64_t n, int64_t workspace) {
  Expr::Values values;
  values["a"] = a, values["a.0"] = m, values["a.stride.0"] = stride, values["n"] = n, values["cus"] = 304;
  Expected<const Variant *> variant = chooseVariant(entry, values);
  if (!variant) {
    std::string message = toString(variant.takeError());
    size_t arithmetic = message.find("', condition '");
    if (arithmetic == std::string::npos)
      return formatv("-1 {0}\n-1 0\n-1 {0}\n", message);
    return formatv("-2 {0}: no value in 64 bits\n-2 0\n-2 {0}: no value in 64 bits\n",
                   message.substr(0, message.find("': ") + 1));
  }
  std::string text = formatv("{0} \n", *variant - entry.variants.data());
  // The workspace and the launches fail only where no value exists: A is at most 2^40 elements, so they
  // exist.
  int64_t bytes = cantFail((*variant)->workspaceBytes.evaluate(values));
  text += formatv("0 {0}\n", bytes);
  if (bytes > 0 && (workspace == 0 || workspace % 16 != 0))
    return text + formatv("-1 entry 'gemm': variant '{0}' needs a workspace, aligned to 16 bytes\n",
                          (*variant)->name)
                      .str();
  std::string kernarg(56, 0);
  put(kernarg, 0, a), put(kernarg, 8, 1.5f), put(kernarg, 12, char(0x38)),
      put(kernarg, 16, 0x123456789abcdef0);
  put(kernarg, 24, int32_t(m)), put(kernarg, 32, stride), put(kernarg, 40, int16_t(n)),
      put(kernarg, 48, workspace);
  for (const Launch &launch : (*variant)->launches) {
    int64_t grid[3];
    for (unsigned d = 0; d < 3; ++d)
      grid[d] = cantFail(launch.grid[d].evaluate(values));
    if (grid[0] == 0)
      continue; // nothing to launch
    text += formatv("{0} {1} {2} {3} {4} {5} {6} {7} {8}\n", launch.kernel, grid[0], grid[1], grid[2],
                    launch.block[0], launch.block[1], launch.block[2], launch.dynamicLds,
                    toHex(kernarg, /*LowerCase=*/true));
  }
  return text + "0 \n";
}

TEST_F(LaunchStubTest, ChoosesAndLaunchesAsTheManifestSays) {
  Manifest manifest = sampleManifest();
  Expected<LaunchStub> stub = emitLaunchStub(manifest, code(), "stub");
  ASSERT_TRUE(bool(stub)) << toString(stub.takeError());
  write("stub.h", stub->header);
  write("stub.c", stub->source);
  write("hip.c", fakeHip);
  write("main.c", program);
  ASSERT_EQ(run(compiler, {"-shared", "-fPIC", path("hip.c"), "-o", path("libhip.so")}), 0) << read("out");
  ASSERT_EQ(run(compiler, {"-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-D_GNU_SOURCE",
                           path("stub.c"), path("main.c"), "-o", path("main"), "-ldl"}),
            0)
      << read("out");

  std::mt19937_64 random(20240607);
  const int64_t pointers[] = {4096, 4100, 4112, 4098, -16, int64_t(1) << 47};
  const int64_t strides[] = {64, 65, 80, std::numeric_limits<int64_t>::max(), int64_t(1) << 32, -64, 0};
  std::string input, output = "-4 the HIP runtime (libamdhip64.so) cannot be opened\n";
  std::map<std::string, unsigned> seen;
  for (unsigned i = 0; i < 3000; ++i) {
    int64_t a = pointers[random() % std::size(pointers)], stride = strides[random() % std::size(strides)];
    int64_t m = int64_t(random() % 40) * (random() % 2 ? 256 : 1) - random() % 2, n = random() % 5000;
    if (random() % 50 == 0)
      m = std::numeric_limits<int32_t>::max();
    int64_t workspace = random() % 4 != 0 ? 64 : random() % 2 ? 72 : 0;
    input += formatv("{0} {1} {2} {3} {4}\n", a, m, stride, n, workspace);
    std::string text = expected(*manifest.find("gemm"), a, m, stride, n, workspace);
    ++seen[text.substr(0, text.find(' '))];
    seen["workspace"] += StringRef(text).contains("needs a workspace");
    output += text;
  }
  for (const char *result : {"0", "1", "2", "-1", "-2", "workspace"})
    EXPECT_GT(seen[result], 50u) << result;
  write("in", input);
  ASSERT_EQ(run(path("main"), {path("libhip.so")}, path("in")), 0) << read("out").substr(0, 1000);
  EXPECT_EQ(read("out"), output + "unload\n");
}

TEST_F(LaunchStubTest, ReportsWhatHipSays) {
  std::vector<char> other{'n', 'o', 'n', 'e', 0, 0, 0, 0};
  LaunchStub stub = cantFail(emitLaunchStub(sampleManifest(), other, "stub"));
  write("stub.h", stub.header);
  write("stub.c", stub.source);
  write("hip.c", fakeHip);
  write("main.c", program);
  ASSERT_EQ(run(compiler, {"-shared", "-fPIC", path("hip.c"), "-o", path("libhip.so")}), 0) << read("out");
  ASSERT_EQ(run(compiler, {path("stub.c"), path("main.c"), "-o", path("main"), "-ldl"}), 0) << read("out");
  EXPECT_EQ(run(path("main"), {path("libhip.so")}), 1);
  EXPECT_EQ(read("out"), "-4 the HIP runtime (libamdhip64.so) cannot be opened\n209 no binary\n");
}

TEST_F(LaunchStubTest, Refuses) {
  auto refusal = [](const Manifest &manifest) {
    return toString(emitLaunchStub(manifest, code(), "stub").takeError());
  };
  Manifest manifest = sampleManifest();
  manifest.entries[0].variants[2].launches[0].grid[0] = symbolExpr("b.0");
  EXPECT_EQ(refusal(manifest), "entry 'gemm': 'b.0' in an expression is neither an argument nor 'cus'");
  manifest = sampleManifest();
  manifest.entries[0].conditions[0].expr = symbolExpr("alpha");
  EXPECT_EQ(refusal(manifest), "entry 'gemm': 'alpha' of type 'f32' in an expression is no integer");
  manifest = sampleManifest();
  manifest.entries[0].arguments[0].size = 4;
  EXPECT_EQ(refusal(manifest), "entry 'gemm', argument 'a' of type 'f8E4M3FN': 4 bytes, but expected 8");
  manifest = sampleManifest();
  manifest.entries[0].arguments[3].offset = 1000000;
  EXPECT_EQ(refusal(manifest),
            "entry 'gemm', argument 'result': offset 1000000 is beyond the 4096 bytes of arguments");
  EXPECT_EQ(refusal(Manifest()), "launch stub 'stub': the manifest has no kernel to launch");
  EXPECT_EQ(toString(emitLaunchStub(sampleManifest(), {}, "stub").takeError()),
            "launch stub 'stub': the code object is empty");
}

TEST_F(LaunchStubTest, NamesAreIdentifiers) {
  LaunchStub stub = cantFail(emitLaunchStub(sampleManifest(), code(), "my-kernels.v2"));
  EXPECT_NE(stub.source.find("#include \"my-kernels.v2.h\""), std::string::npos);
  write("my-kernels.v2.h", stub.header);
  write("stub.c", stub.source);
  EXPECT_EQ(run(compiler, {"-fsyntax-only", "-Wall", "-Wextra", "-Werror", path("stub.c")}), 0)
      << read("out");
  write("twice.cpp", "#include \"my-kernels.v2.h\"\n#include \"my-kernels.v2.h\"\nint main() { return "
                     "my_kernels_v2_OK; }\n");
  EXPECT_EQ(run(compiler, {"-fsyntax-only", "-Wall", "-Werror", path("twice.cpp")}), 0) << read("out");
}

} // namespace
