// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ROCm's device libraries: what is called arrives and nothing of it stays a call. Where the libraries are not
// installed, the message that says so is tested instead.
#include "CodeGenTestSupport.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace lowp;

namespace {

class DeviceLibrariesTest : public testing::TestWithParam<const char *> {
protected:
  CodeGenOptions options = optionsFor(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Chips, DeviceLibrariesTest, testing::Values("gfx942", "gfx950"));

const char erf[] = R"ir(
declare float @__ocml_erf_f32(float)
define amdgpu_kernel void @gelu(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %y = call float @__ocml_erf_f32(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
}
)ir";

bool installed() {
  for (const std::string &place : deviceLibraryPlaces())
    if (sys::fs::exists(place + "/ocml.bc"))
      return true;
  return false;
}

TEST_P(DeviceLibrariesTest, ErfIsInlined) {
  if (!installed()) {
    EXPECT_NE(failure(erf, options).find("install the package rocm-device-libs"), std::string::npos);
    GTEST_SKIP() << "ROCm's device libraries are not installed";
  }
  options.keepLLVMIR = options.keepAssembly = true;
  Expected<CodeGenResult> result = compile(erf, options);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_EQ(result->llvmIR.find("@__ocml"), std::string::npos);
  EXPECT_EQ(result->llvmIR.find("@__oclc"), std::string::npos);
  EXPECT_EQ(result->assembly.find("s_swappc"), std::string::npos);
  EXPECT_NE(result->assembly.find("v_exp_f32"), std::string::npos);
  EXPECT_EQ(result->kernels[0].scratch, 0u);
  EXPECT_EQ(result->kernels[0].kernargSize, 8u);
  EXPECT_LT(result->hsaco.size(), 16384u); // what is not called is not there
}

TEST_P(DeviceLibrariesTest, ControlsAreSet) {
  if (!installed())
    GTEST_SKIP() << "ROCm's device libraries are not installed";
  // sqrt is rounded correctly: that takes more than v_sqrt_f32 alone.
  const char ir[] = R"ir(
declare float @__ocml_sqrt_f32(float)
declare double @__ocml_log_f64(double)
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %y = call float @__ocml_sqrt_f32(float %x)
  %z = fpext float %y to double
  %w = call double @__ocml_log_f64(double %z)
  store double %w, ptr addrspace(1) %p
  ret void
}
)ir";
  options.keepAssembly = true;
  Expected<CodeGenResult> result = compile(ir, options);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_NE(result->assembly.find("v_sqrt_f32"), std::string::npos);
  EXPECT_NE(result->assembly.find("v_fma_f32"), std::string::npos);
}

TEST_P(DeviceLibrariesTest, UnknownFunction) {
  if (!installed())
    GTEST_SKIP() << "ROCm's device libraries are not installed";
  const char ir[] = R"ir(
declare float @__ocml_nonsense_f32(float)
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %y = call float @__ocml_nonsense_f32(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
}
)ir";
  EXPECT_EQ(failure(ir, options),
            "function '__ocml_nonsense_f32', used in 'k', has no body: every call must be resolved "
            "when code is generated");
}

TEST_P(DeviceLibrariesTest, BrokenLibrary) {
  SmallString<128> directory;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("lowp-libs", directory));
  {
    std::error_code error;
    raw_fd_ostream os((directory + "/ocml.bc").str(), error);
    os << "this is no bitcode";
  }
  options.deviceLibraryPaths = {directory.str().str()};
  EXPECT_EQ(StringRef(failure(erf, options)).substr(0, directory.size() + 12),
            ("'" + directory + "/ocml.bc': ").str());
  sys::fs::remove_directories(directory);
}

} // namespace
