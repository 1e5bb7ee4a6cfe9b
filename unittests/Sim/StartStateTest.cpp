// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel finds in its registers and in memory at its first instruction. Expected values are those of
// LLVM's "User Guide for AMDGPU Backend" ("Initial Kernel Execution State", "Kernel Descriptor", "Code Object
// Metadata") and of HSA's packet and queue, written down here once more.

#include "TestKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

struct StartShape {
  std::string directives; ///< beyond the kernel arguments' pointer
  std::string arguments;  ///< lines of the metadata's .args
  unsigned version = 5;   ///< of the code object
  unsigned lds = 0, scratch = 0;
  bool kernargPointer = true;
};

std::unique_ptr<Simulator> startKernel(StringRef chip, StringRef body, const StartShape &shape) {
  std::string text;
  raw_string_ostream out(text);
  out << ".amdgcn_target \"amdgcn-amd-amdhsa--" << chip << "\"\n.amdhsa_code_object_version " << shape.version
      << "\n.text\n.globl test\n.p2align 8\n.type test,@function\ntest:\n"
      << body << "\n  s_endpgm\n.Lend:\n.size test, .Lend-test\n"
      << ".section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel test\n"
      << "  .amdhsa_group_segment_fixed_size " << shape.lds << "\n  .amdhsa_private_segment_fixed_size "
      << shape.scratch << "\n  .amdhsa_kernarg_size 256\n"
      << (shape.kernargPointer ? "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n" : "") << shape.directives
      << "  .amdhsa_next_free_vgpr 64\n  .amdhsa_accum_offset 64\n  .amdhsa_next_free_sgpr 96\n"
      << ".end_amdhsa_kernel\n.amdgpu_metadata\n---\namdhsa.version: [1, " << (shape.version == 4 ? 1 : 2)
      << "]\namdhsa.target: amdgcn-amd-amdhsa--" << chip
      << "\namdhsa.kernels:\n  - .name: test\n    .symbol: test.kd\n    .kernarg_segment_size: 256\n"
      << "    .kernarg_segment_align: 8\n    .group_segment_fixed_size: " << shape.lds
      << "\n    .private_segment_fixed_size: " << shape.scratch
      << "\n    .max_flat_workgroup_size: 1024\n    .wavefront_size: 64\n    .sgpr_count: 102\n"
      << "    .vgpr_count: 64\n    .agpr_count: 0\n    .args:"
      << (shape.arguments.empty() ? std::string(" []\n") : "\n" + shape.arguments)
      << "...\n.end_amdgpu_metadata\n";
  return makeSimulator(assemble(chip, text));
}

/// Runs it with the address of `out` as the argument at offset 0.
Report runStart(Simulator &simulator, std::vector<uint32_t> &out, LaunchConfig launch,
                const Options &options = {}) {
  std::vector<Buffer> buffers = {{"out", out.data(), out.size() * 4, Buffer::Access::Write}};
  launch.kernel = "test";
  launch.kernarg.set(0, guestAddresses(buffers)[0]);
  Expected<Report> report = simulator.run(launch, buffers, options);
  if (!report) {
    ADD_FAILURE() << toString(report.takeError());
    return {};
  }
  EXPECT_TRUE(report->completed);
  EXPECT_TRUE(report->findings.empty()) << allFindings(*report);
  return std::move(*report);
}

/// One lane stores scalar registers, one after the other; s[pointer] is the arguments' address. The row of
/// `count` dwords is the one of this wave, its number in s50.
std::string storeScalars(unsigned pointer, ArrayRef<std::string> registers) {
  std::string text;
  raw_string_ostream out(text);
  out << "s_load_dwordx2 s[40:41], s[" << pointer << ":" << pointer + 1 << "], 0x0\n"
      << "s_mul_i32 s51, s50, " << 4 * registers.size() << "\nv_mov_b32 v1, s51\ns_waitcnt lgkmcnt(0)\n"
      << "s_mov_b64 exec, 1\n";
  for (unsigned i = 0; i < registers.size(); ++i)
    out << "v_mov_b32 v2, " << registers[i] << "\nglobal_store_dword v1, v2, s[40:41] offset:" << 4 * i
        << "\n";
  return text;
}

class StartState : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Chips, StartState, testing::ValuesIn(bothChips),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(StartState, UserRegistersFollowTheDescriptor) {
  StartShape shape;
  shape.directives = "  .amdhsa_user_sgpr_dispatch_ptr 1\n  .amdhsa_user_sgpr_queue_ptr 1\n"
                     "  .amdhsa_user_sgpr_dispatch_id 1\n  .amdhsa_user_sgpr_private_segment_size 1\n"
                     "  .amdhsa_system_sgpr_workgroup_id_x 1\n  .amdhsa_system_sgpr_workgroup_id_y 1\n"
                     "  .amdhsa_system_sgpr_workgroup_id_z 1\n  .amdhsa_system_sgpr_workgroup_info 1\n";
  shape.lds = 1024;
  shape.scratch = 32;
  // Packet at s[0:1], queue at s[2:3], arguments at s[4:5], dispatch id, private size in s8, then x, y, z,
  // info.
  std::string body =
      "v_readfirstlane_b32 s50, v0\ns_lshr_b32 s50, s50, 6\n"
      "s_mul_i32 s52, s11, 2\ns_add_u32 s52, s52, s10\ns_mul_i32 s52, s52, 3\n"
      "s_add_u32 s52, s52, s9\ns_lshl_b32 s52, s52, 1\ns_add_u32 s50, s50, s52\n"
      "s_load_dwordx16 s[16:31], s[0:1], 0x0\ns_load_dwordx2 s[32:33], s[2:3], 0x40\n" +
      storeScalars(4, {"s9",  "s10", "s11", "s12", "s6",  "s7",  "s8", "s16", "s17", "s18", "s19",
                       "s20", "s21", "s22", "s23", "s26", "s27", "s4", "s5",  "s32", "s33"});
  std::unique_ptr<Simulator> simulator = startKernel(GetParam(), body, shape);
  ASSERT_TRUE(simulator);
  LaunchConfig launch;
  launch.grid[0] = 3;
  launch.grid[1] = launch.grid[2] = 2;
  launch.block[0] = 128;
  launch.dynamicLds = 512;
  constexpr unsigned row = 21;
  std::vector<uint32_t> out(24 * row, 0xffffffff);
  runStart(*simulator, out, launch);
  for (unsigned wave = 0; wave < 24; ++wave) {
    const uint32_t *got = out.data() + row * wave;
    unsigned group = wave / 2;
    EXPECT_EQ(got[0], group % 3) << wave;
    EXPECT_EQ(got[1], group / 3 % 2) << wave;
    EXPECT_EQ(got[2], group / 6) << wave;
    EXPECT_EQ(got[3], 2 | (wave % 2 == 0 ? 0x80000000u : 0)) << wave; // two waves; this is the first
    EXPECT_EQ(got[4] | got[5], 0u);
    EXPECT_EQ(got[6], 32u);
    EXPECT_EQ(got[7], 2u | 3u << 16);   // a kernel dispatch of three dimensions
    EXPECT_EQ(got[8], 128u | 1u << 16); // work-items of a workgroup
    EXPECT_EQ(got[9], 1u);              // along z, and reserved
    EXPECT_EQ(got[10], 384u);           // work-items of the grid
    EXPECT_EQ(got[11], 2u);
    EXPECT_EQ(got[12], 2u);
    EXPECT_EQ(got[13], 32u);     // private bytes
    EXPECT_EQ(got[14], 1536u);   // LDS bytes, the dynamic ones included
    EXPECT_EQ(got[15], got[17]); // the arguments' address, as in the registers
    EXPECT_EQ(got[16], got[18]);
    EXPECT_NE(got[19], got[20]); // the apertures' upper halves
    EXPECT_NE(got[19], 0u);
    EXPECT_NE(got[20], 0u);
  }
}

TEST_P(StartState, WorkgroupIdsInEveryCombination) {
  for (unsigned mask = 0; mask < 16; ++mask) {
    StartShape shape;
    const char *names[] = {"id_x", "id_y", "id_z", "info"};
    std::vector<std::string> registers;
    std::vector<uint32_t> expected;
    const uint32_t values[] = {1, 2, 3, 0x80000001};
    unsigned next = 2;
    for (unsigned i = 0; i < 4; ++i) {
      shape.directives += std::string("  .amdhsa_system_sgpr_workgroup_") + names[i] + " " +
                          std::to_string(mask >> i & 1) + "\n";
      if (!(mask >> i & 1))
        continue;
      registers.push_back("s" + std::to_string(next++));
      expected.push_back(values[i]);
    }
    registers.push_back("0x1234");
    expected.push_back(0x1234);
    std::unique_ptr<Simulator> simulator =
        startKernel(GetParam(), "s_mov_b32 s50, 0\n" + storeScalars(0, registers), shape);
    ASSERT_TRUE(simulator);
    // The last workgroup stores last: one thread takes them in order.
    LaunchConfig launch;
    launch.grid[0] = 2;
    launch.grid[1] = 3;
    launch.grid[2] = 4;
    launch.block[0] = 64;
    Options options;
    options.threads = 1;
    std::vector<uint32_t> out(registers.size());
    std::vector<Buffer> buffers = {{"out", out.data(), out.size() * 4, Buffer::Access::Write}};
    launch.kernel = "test";
    launch.kernarg.set(0, guestAddresses(buffers)[0]);
    Expected<Report> report = simulator->run(launch, buffers, options);
    ASSERT_TRUE(bool(report)) << toString(report.takeError());
    EXPECT_EQ(out, expected) << "mask " << mask;
  }
}

TEST_P(StartState, SystemRegistersFollowTheCountOfUserRegisters) {
  StartShape shape;
  shape.directives = "  .amdhsa_user_sgpr_count 8\n  .amdhsa_system_sgpr_workgroup_id_x 1\n";
  std::unique_ptr<Simulator> simulator =
      startKernel(GetParam(), "s_mov_b32 s50, s8\n" + storeScalars(0, {"s8"}), shape);
  ASSERT_TRUE(simulator);
  LaunchConfig launch;
  launch.grid[0] = 5;
  launch.block[0] = 64;
  std::vector<uint32_t> out(5, 99);
  runStart(*simulator, out, launch);
  EXPECT_EQ(out, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

TEST_P(StartState, WorkItemIdsArePackedAsFarAsAskedFor) {
  for (unsigned dimensions = 0; dimensions < 3; ++dimensions) {
    StartShape shape;
    shape.directives = "  .amdhsa_system_vgpr_workitem_id " + std::to_string(dimensions) + "\n";
    // The two waves of 4 x 8 x 3 work-items find their places by lane: the second one has no x of 4 or more.
    std::string body = "s_load_dwordx2 s[40:41], s[0:1], 0x0\ns_mov_b64 s[42:43], exec\n"
                       "v_mbcnt_lo_u32_b32 v1, -1, 0\nv_mbcnt_hi_u32_b32 v1, -1, v1\n"
                       "s_bcnt1_i32_b64 s44, s[42:43]\ns_cmp_eq_u32 s44, 64\n"
                       "s_cselect_b32 s45, 0, 64\nv_add_u32 v1, s45, v1\nv_lshlrev_b32 v1, 2, v1\n"
                       "s_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v0, s[40:41]\n";
    std::unique_ptr<Simulator> simulator = startKernel(GetParam(), body, shape);
    ASSERT_TRUE(simulator);
    LaunchConfig launch;
    launch.block[0] = 4;
    launch.block[1] = 8;
    launch.block[2] = 3;
    std::vector<uint32_t> out(96, 0xffffffff);
    runStart(*simulator, out, launch);
    for (unsigned item = 0; item < 96; ++item)
      EXPECT_EQ(out[item],
                item % 4 | (dimensions > 0 ? item / 4 % 8 << 10 : 0) | (dimensions > 1 ? item / 32 << 20 : 0))
          << "item " << item << ", " << dimensions;
  }
}

TEST_P(StartState, PreloadedArgumentsAtBothEntries) {
  for (unsigned offset : {0u, 2u}) {
    StartShape shape;
    shape.directives = "  .amdhsa_user_sgpr_kernarg_preload_length 4\n"
                       "  .amdhsa_user_sgpr_kernarg_preload_offset " +
                       std::to_string(offset) + "\n  .amdhsa_system_sgpr_workgroup_id_x 1\n";
    std::string prologue = "s_load_dwordx4 s[4:7], s[0:1], " + std::to_string(4 * offset) +
                           "\ns_waitcnt lgkmcnt(0)\ns_mov_b64 s[2:3], s[4:5]\ns_mov_b64 s[4:5], s[6:7]\n"
                           // the workgroup id follows the registers that preloading takes, loaded or not
                           "s_branch .Lmain\n.p2align 8\n.Lmain:\n";
    std::unique_ptr<Simulator> simulator = startKernel(
        GetParam(), "s_nop 0\n" + prologue + "s_mov_b32 s50, 0\n" + storeScalars(0, {"s2", "s3", "s4", "s5"}),
        shape);
    ASSERT_TRUE(simulator);
    LaunchConfig launch;
    launch.block[0] = 64;
    for (unsigned i = 2; i < 8; ++i)
      launch.kernarg.set(4 * i, 0x1000 + i);
    std::vector<uint32_t> preloaded(4), loaded(4);
    Report fast = runStart(*simulator, preloaded, launch);
    Options options;
    options.preloadArguments = false;
    Report slow = runStart(*simulator, loaded, launch, options);
    EXPECT_EQ(preloaded, loaded);
    EXPECT_EQ(preloaded[2], offset ? 0x1004u : 0x1002u);
    EXPECT_EQ(fast.counters.instructions + 6, slow.counters.instructions); // the block before the entry ran
  }
}

TEST_P(StartState, HiddenArgumentsOfEveryVersion) {
  struct Hidden {
    const char *kind;
    unsigned size;
    uint64_t value;
  };
  // Version 4 knows the offsets and host services only; 5 and 6 describe the launch.
  const std::vector<Hidden> old = {{"hidden_global_offset_x", 8, 0},   {"hidden_global_offset_y", 8, 0},
                                   {"hidden_global_offset_z", 8, 0},   {"hidden_printf_buffer", 8, 0},
                                   {"hidden_default_queue", 8, 0},     {"hidden_completion_action", 8, 0},
                                   {"hidden_multigrid_sync_arg", 8, 0}};
  const std::vector<Hidden> current = {
      {"hidden_block_count_x", 4, 5},     {"hidden_block_count_y", 4, 1},
      {"hidden_block_count_z", 4, 2},     {"hidden_group_size_x", 2, 16},
      {"hidden_group_size_y", 2, 4},      {"hidden_group_size_z", 2, 1},
      {"hidden_remainder_x", 2, 0},       {"hidden_remainder_y", 2, 0},
      {"hidden_remainder_z", 2, 0},       {"hidden_global_offset_x", 8, 0},
      {"hidden_global_offset_y", 8, 0},   {"hidden_global_offset_z", 8, 0},
      {"hidden_grid_dims", 2, 3},         {"hidden_printf_buffer", 8, 0},
      {"hidden_hostcall_buffer", 8, 0},   {"hidden_multigrid_sync_arg", 8, 0},
      {"hidden_heap_v1", 8, 0},           {"hidden_default_queue", 8, 0},
      {"hidden_completion_action", 8, 0}, {"hidden_dynamic_lds_size", 4, 512}};
  for (unsigned version : {4u, 5u, 6u}) {
    const std::vector<Hidden> &all = version == 4 ? old : current;
    StartShape shape;
    shape.version = version;
    unsigned offset = 8;
    std::vector<unsigned> offsets;
    for (const Hidden &hidden : all) {
      offset = (offset + hidden.size - 1) / hidden.size * hidden.size;
      shape.arguments += "      - .offset: " + std::to_string(offset) +
                         "\n        .size: " + std::to_string(hidden.size) +
                         "\n        .value_kind: " + hidden.kind + "\n";
      offsets.push_back(offset);
      offset += hidden.size;
    }
    // Copies all arguments, as far as the metadata go, to the output.
    unsigned dwords = (offset + 3) / 4;
    std::string body = "s_load_dwordx2 s[40:41], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v1, 0\n"
                       "s_mov_b64 exec, 1\n";
    for (unsigned i = 2; i < dwords; ++i) // but the gap before arguments of eight bytes
      if (llvm::any_of(zip_equal(offsets, all), [&](const auto &pair) {
            auto &[at, hidden] = pair;
            return at < 4 * i + 4 && at + hidden.size > 4 * i;
          }))
        body += "s_load_dword s42, s[0:1], " + std::to_string(4 * i) +
                "\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v2, s42\nglobal_store_dword v1, v2, s[40:41] offset:" +
                std::to_string(4 * i) + "\n";
    std::unique_ptr<Simulator> simulator = startKernel(GetParam(), body, shape);
    ASSERT_TRUE(simulator);
    EXPECT_EQ(simulator->codeObject().codeObjectVersion(), version);
    LaunchConfig launch;
    launch.grid[0] = 5;
    launch.grid[2] = 2;
    launch.block[0] = 16;
    launch.block[1] = 4;
    launch.dynamicLds = 512;
    std::vector<uint32_t> out(64, 0xffffffff);
    runStart(*simulator, out, launch);
    for (unsigned i = 0; i < all.size(); ++i) {
      uint64_t value = 0;
      std::memcpy(&value, reinterpret_cast<const uint8_t *>(out.data()) + offsets[i], all[i].size);
      EXPECT_EQ(value, all[i].value) << all[i].kind << " of version " << version;
    }
  }
}

TEST_P(StartState, ApertureArgumentsAgreeWithTheRegisters) {
  StartShape shape;
  shape.arguments = "      - .offset: 8\n        .size: 4\n        .value_kind: hidden_private_base\n"
                    "      - .offset: 12\n        .size: 4\n        .value_kind: hidden_shared_base\n"
                    "      - .offset: 16\n        .size: 8\n        .value_kind: hidden_queue_ptr\n";
  std::string body =
      "s_mov_b32 s50, 0\ns_load_dwordx4 s[8:11], s[0:1], 0x8\ns_mov_b64 s[12:13], src_private_base\n"
      "s_mov_b64 s[14:15], src_shared_base\ns_waitcnt lgkmcnt(0)\n"
      "s_load_dwordx2 s[16:17], s[10:11], 0x40\n" +
      storeScalars(0, {"s8", "s13", "s9", "s15", "s16", "s17"});
  std::unique_ptr<Simulator> simulator = startKernel(GetParam(), body, shape);
  ASSERT_TRUE(simulator);
  LaunchConfig launch;
  launch.block[0] = 64;
  std::vector<uint32_t> out(6);
  runStart(*simulator, out, launch);
  EXPECT_EQ(out[0], out[1]);
  EXPECT_EQ(out[2], out[3]);
  EXPECT_EQ(out[4], out[2]); // the queue's group segment aperture
  EXPECT_EQ(out[5], out[0]);
  EXPECT_NE(out[0], out[2]);
}

TEST_P(StartState, ArgumentsOfTheLaunchReplaceHiddenOnes) {
  StartShape shape;
  shape.arguments = "      - .offset: 8\n        .size: 8\n        .value_kind: hidden_hostcall_buffer\n";
  std::unique_ptr<Simulator> simulator = startKernel(
      GetParam(), "s_mov_b32 s50, 0\ns_load_dword s8, s[0:1], 0x8\n" + storeScalars(0, {"s8"}), shape);
  ASSERT_TRUE(simulator);
  LaunchConfig launch;
  launch.block[0] = 64;
  launch.kernarg.set(8, uint64_t(0x77));
  std::vector<uint32_t> out(1);
  runStart(*simulator, out, launch);
  EXPECT_EQ(out[0], 0x77u);
}

TEST_P(StartState, ModeComesFromTheDescriptor) {
  StartShape shape;
  shape.directives = "  .amdhsa_float_round_mode_32 1\n  .amdhsa_float_round_mode_16_64 2\n"
                     "  .amdhsa_float_denorm_mode_32 1\n  .amdhsa_float_denorm_mode_16_64 3\n"
                     "  .amdhsa_dx10_clamp 1\n  .amdhsa_ieee_mode 0\n  .amdhsa_fp16_overflow 1\n";
  std::unique_ptr<Simulator> simulator = startKernel(
      GetParam(), "s_mov_b32 s50, 0\ns_getreg_b32 s8, hwreg(HW_REG_MODE)\n" + storeScalars(0, {"s8"}), shape);
  ASSERT_TRUE(simulator);
  LaunchConfig launch;
  launch.block[0] = 64;
  std::vector<uint32_t> out(1);
  runStart(*simulator, out, launch);
  EXPECT_EQ(out[0], 1u | 2u << 2 | 1u << 4 | 3u << 6 | 1u << 8 | 1u << 23);
}

TEST_P(StartState, WorkgroupsGoRoundTheXcds) {
  StartShape shape;
  shape.directives = "  .amdhsa_system_sgpr_workgroup_id_x 1\n";
  std::unique_ptr<Simulator> simulator = startKernel(
      GetParam(), "s_mov_b32 s50, s2\ns_getreg_b32 s8, hwreg(HW_REG_XCC_ID)\n" + storeScalars(0, {"s8"}),
      shape);
  ASSERT_TRUE(simulator);
  LaunchConfig launch;
  launch.grid[0] = 19;
  launch.block[0] = 64;
  std::vector<uint32_t> out(19, 99);
  runStart(*simulator, out, launch);
  for (unsigned i = 0; i < 19; ++i)
    EXPECT_EQ(out[i], i % 8);
}

TEST_P(StartState, DynamicLdsFollowsTheKernelsOwn) {
  StartShape shape;
  shape.lds = 256;
  std::string body = "s_mov_b32 s50, 0\nv_mov_b32 v3, 0x55\nv_mov_b32 v4, 0\nds_write_b32 v4, v3 offset:316\n"
                     "s_waitcnt lgkmcnt(0)\nds_read_b32 v5, v4 offset:316\ns_waitcnt lgkmcnt(0)\n"
                     "s_nop 0\nv_readfirstlane_b32 s8, v5\n" +
                     storeScalars(0, {"s8"});
  std::unique_ptr<Simulator> simulator = startKernel(GetParam(), body, shape);
  ASSERT_TRUE(simulator);
  LaunchConfig launch;
  launch.block[0] = 64;
  launch.dynamicLds = 64;
  std::vector<uint32_t> out(1);
  runStart(*simulator, out, launch);
  EXPECT_EQ(out[0], 0x55u);
  launch.dynamicLds = 60;
  launch.kernel = "test";
  std::vector<Buffer> buffers = {{"out", out.data(), 4, Buffer::Access::Write}};
  launch.kernarg.set(0, guestAddresses(buffers)[0]);
  Expected<Report> report = simulator->run(launch, buffers, {});
  ASSERT_TRUE(bool(report));
  EXPECT_TRUE(hasFinding(*report, "lds-out-of-bounds"));
}

TEST_P(StartState, GridsThatNoPacketHoldsAreRefused) {
  std::unique_ptr<Simulator> simulator = startKernel(GetParam(), "s_nop 0", {});
  ASSERT_TRUE(simulator);
  auto message = [&](uint32_t x, uint32_t y, uint32_t z) {
    LaunchConfig launch;
    launch.kernel = "test";
    launch.grid[0] = x;
    launch.grid[1] = y;
    launch.grid[2] = z;
    launch.block[0] = 64;
    Expected<Report> report = simulator->run(launch, {}, {});
    return report ? std::string() : toString(report.takeError());
  };
  EXPECT_EQ(message(65536, 65536, 65536),
            "the grid of 65536 x 65536 x 65536 workgroups is too large (below 2^32 in all)");
  EXPECT_EQ(message(1u << 26, 1, 1),
            "the grid has 4294967296 work-items along x, but a dispatch packet counts up to 2^32 - 1");
}

} // namespace
