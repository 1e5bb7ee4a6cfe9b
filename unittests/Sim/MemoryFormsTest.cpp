// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Less common ways to memory: scalar stores and atomics, flat atomics that mean LDS or private memory, LDS
// counters and exchanges, descriptors that swizzle or add the lane.

#include "TestKernel.h"

using namespace lowp::sim::test;

using u32 = uint32_t;

namespace {

std::vector<u32> row(u32 first, u32 step = 1) {
  std::vector<u32> values(64);
  for (unsigned lane = 0; lane < 64; ++lane)
    values[lane] = first + step * lane;
  return values;
}

/// Runs a body that finds the address of `data` in s[4:5].
lowp::sim::Report runOn(llvm::StringRef chip, std::vector<u32> &data, const std::string &body,
                        const KernelShape &shape = {}) {
  std::unique_ptr<lowp::sim::Simulator> simulator = makeSimulator(kernelText(
      chip, "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n" + body,
      shape));
  if (!simulator)
    return {};
  lowp::sim::Report report = runKernel(
      *simulator, {{"data", data.data(), data.size() * 4, lowp::sim::Buffer::Access::ReadWrite}}, shape);
  EXPECT_TRUE(report.completed);
  return report;
}

TEST(MemoryForms, ScalarStoresAndAtomics) {
  for (llvm::StringRef chip : bothChips) {
    std::vector<u32> data = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    lowp::sim::Report report =
        runOn(chip, data,
              "s_mov_b32 s10, 100\ns_mov_b32 s11, 101\ns_store_dwordx2 s[10:11], s[4:5], 0x8\n"
              "s_mov_b32 s12, 7\ns_atomic_dec s12, s[4:5], 0x0 glc\n"               // 0 becomes 7
              "s_mov_b32 s13, 5\ns_mov_b32 s14, 4\ns_atomic_add s13, s[4:5], s14\n" // without a result
              "s_mov_b64 s[16:17], 0x99\ns_mov_b32 s18, 8\ns_mov_b32 s19, 9\n"
              "s_atomic_cmpswap_x2 s[16:19], s[4:5], 0x20 glc\ns_waitcnt lgkmcnt(0)\n"
              "s_store_dword s12, s[4:5], 0x30\ns_store_dword s13, s[4:5], 0x34\n"
              "s_store_dwordx2 s[16:17], s[4:5], 0x38\ns_waitcnt lgkmcnt(0)\n");
    EXPECT_TRUE(report.findings.empty()) << allFindings(report);
    EXPECT_EQ(data, (std::vector<u32>{7, 6, 100, 101, 4, 5, 6, 7, 0x99, 0, 10, 11, 0, 5, 8, 9}))
        << chip.str();
  }
}

TEST(MemoryForms, ScalarBufferStoresStopAtTheRecords) {
  std::vector<u32> data(8, 1);
  lowp::sim::Report report = runOn("gfx942", data,
                                   "s_mov_b64 s[8:9], s[4:5]\ns_mov_b32 s10, 12\ns_mov_b32 s11, 0x27000\n"
                                   "s_mov_b64 s[12:13], 0x22\ns_mov_b64 s[14:15], 0x33\n"
                                   "s_buffer_store_dwordx4 s[12:15], s[8:11], 0x4\n"
                                   "s_mov_b32 s16, 3\ns_buffer_atomic_add s16, s[8:11], 0x10\n" // beyond
                                   "s_mov_b32 s17, 3\ns_buffer_atomic_umax s17, s[8:11], 0x0 glc\n"
                                   "s_waitcnt lgkmcnt(0)\ns_store_dword s17, s[4:5], 0x1c\n");
  EXPECT_EQ(data, (std::vector<u32>{3, 0x22, 0, 1, 1, 1, 1, 1}));
}

TEST(MemoryForms, ScalarStoresBeyondABufferAreFindings) {
  std::vector<u32> data(4, 1);
  lowp::sim::Report report = runOn("gfx950", data, "s_store_dword s0, s[4:5], 0x100\n");
  EXPECT_TRUE(hasFinding(report, "out-of-bounds"));
}

TEST(MemoryForms, FlatAtomicsGoByTheAperture) {
  for (llvm::StringRef chip : bothChips) {
    std::vector<u32> data(64 * 4, 1000);
    KernelShape shape;
    shape.lds = 256;
    shape.scratch = 16;
    lowp::sim::Report report = runOn(
        chip, data,
        "ds_write_b32 v1, v0\ns_mov_b64 s[20:21], src_shared_base\ns_mov_b64 s[22:23], src_private_base\n"
        "v_mov_b32 v2, 11\nscratch_store_dword off, v2, off offset:4\ns_waitcnt vmcnt(0) lgkmcnt(0)\n"
        "v_mov_b32 v4, v1\nv_mov_b32 v5, s21\nv_mov_b32 v10, 3\n"
        "flat_atomic_add v11, v[4:5], v10 sc0\n"                                     // LDS
        "v_mov_b32 v6, 4\nv_mov_b32 v7, s23\nflat_atomic_sub v12, v[6:7], v10 sc0\n" // private
        "v_mov_b32 v8, s4\nv_mov_b32 v9, s5\nv_add_u32 v8, v8, v1\n"
        "flat_atomic_umin v13, v[8:9], v0 sc0\ns_waitcnt vmcnt(0) lgkmcnt(0)\n" // memory
        "ds_read_b32 v14, v1\nscratch_load_dword v15, off, off offset:4\ns_waitcnt vmcnt(0) lgkmcnt(0)\n"
        "v_add_u32 v11, v11, v14\nv_lshl_add_u32 v12, v12, 8, v15\n"
        "global_store_dword v1, v11, s[4:5] offset:256\nglobal_store_dword v1, v12, s[4:5] offset:512\n"
        "global_store_dword v1, v13, s[4:5] offset:768\n",
        shape);
    EXPECT_TRUE(report.findings.empty()) << allFindings(report);
    for (unsigned lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(data[lane], lane);
      EXPECT_EQ(data[64 + lane], lane + lane + 3);
      EXPECT_EQ(data[128 + lane], 11u << 8 | 8);
      EXPECT_EQ(data[192 + lane], 1000u);
    }
  }
}

TEST(MemoryForms, LdsCountersAndAddressesByLane) {
  KernelShape shape;
  shape.lds = 1024;
  RowsResult result = runRows("gfx942",
                              "v_mov_b32 v2, 0\nv_mov_b32 v3, 100\nds_write_b32 v2, v3 offset:16\n"
                              "s_mov_b32 m0, 8\ns_waitcnt lgkmcnt(0)\ns_mov_b64 s[20:21], exec\n"
                              "s_mov_b64 exec, 0xff\nds_append v40 offset:8\ns_waitcnt lgkmcnt(0)\n"
                              "s_mov_b64 exec, 0xf\nds_consume v41 offset:8\ns_waitcnt lgkmcnt(0)\n"
                              "s_mov_b64 exec, s[20:21]\nds_read_b32 v42, v2 offset:16\n"
                              "s_mov_b32 m0, 0x100\ns_nop 1\nds_write_addtid_b32 v10 offset:16\n"
                              "s_waitcnt lgkmcnt(0)\nds_read_addtid_b32 v43 offset:20\n" // the next lane's
                              "s_waitcnt lgkmcnt(0)\n",
                              {row(7)}, 4, false, shape);
  EXPECT_EQ(result.rows[0][7], 100u);
  EXPECT_EQ(result.rows[1][3], 108u);
  EXPECT_EQ(result.rows[2][0], 104u);
  EXPECT_EQ(result.rows[3][5], 7u + 6);
}

TEST(MemoryForms, LdsExchanges) {
  KernelShape shape;
  shape.lds = 1024;
  RowsResult result = runRows("gfx950",
                              "v_lshlrev_b32 v2, 3, v0\nds_write_b64 v2, v[10:11]\ns_waitcnt lgkmcnt(0)\n"
                              "ds_wrxchg2_rtn_b32 v[40:41], v2, v12, v13 offset1:1\ns_waitcnt lgkmcnt(0)\n"
                              "ds_read_b64 v[42:43], v2\ns_waitcnt lgkmcnt(0)\n"
                              "v_mov_b32 v4, 0x80000005\nv_mov_b32 v5, 6\n"
                              "ds_condxchg32_rtn_b64 v[44:45], v2, v[4:5]\ns_waitcnt lgkmcnt(0)\n"
                              "ds_read_b64 v[46:47], v2\ns_waitcnt lgkmcnt(0)\n",
                              {row(1), row(1000), row(2000), row(3000)}, 8, true, shape);
  const u32 expected[8] = {1, 1000, 2000, 3000, 2000, 3000, 5, 3000};
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(result.rows[i][9], i == 6 ? 5 : expected[i] + 9) << i;
}

TEST(MemoryForms, LdsFloatMinimaAndMaxima) {
  // A number wins over a quiet NaN; a signalling one is the result, made quiet.
  KernelShape shape;
  shape.lds = 16;
  RowsResult result =
      runRows("gfx942",
              "s_mov_b64 exec, 1\nv_mov_b32 v2, 0\nv_mov_b32 v3, 0x7fc00000\nv_mov_b32 v4, 1.0\n"
              "ds_write_b32 v2, v3\ns_waitcnt lgkmcnt(0)\nds_min_f32 v2, v4\ns_waitcnt lgkmcnt(0)\n"
              "v_mov_b32 v5, 0x7f800001\nds_max_rtn_f32 v40, v2, v5\ns_waitcnt lgkmcnt(0)\n"
              "ds_read_b32 v41, v2\ns_waitcnt lgkmcnt(0)\ns_mov_b64 exec, -1\n",
              {row(0)}, 2, false, shape);
  EXPECT_EQ(result.rows[0][0], 0x3f800000u);
  EXPECT_EQ(result.rows[1][0], 0x7fc00001u);
}

TEST(MemoryForms, SwizzlesOfLanes) {
  RowsResult result = runRows("gfx942",
                              "ds_swizzle_b32 v40, v10 offset:0xc060\n" // rotate by 3
                              "ds_swizzle_b32 v41, v10 offset:0xe000\n" // reversed bits
                              "s_waitcnt lgkmcnt(0)\n",
                              {row(500)}, 2);
  auto reversed = [](unsigned x) {
    return (x & 1) << 4 | (x & 2) << 2 | (x & 4) | (x & 8) >> 2 | (x & 16) >> 4;
  };
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(result.rows[0][lane], 500 + (lane & 32) + (lane + 3) % 32) << lane;
    EXPECT_EQ(result.rows[1][lane], 500 + (lane & 32) + reversed(lane & 31)) << lane;
  }
}

TEST(MemoryForms, BufferDescriptorsThatSwizzleOrAddTheLane) {
  std::vector<u32> data(512, 0);
  lowp::sim::Report report =
      runOn("gfx950", data,
            // Stride 8, swizzled, 16 indices together (index stride code 1 in bits 22:21); records by index.
            "s_mov_b32 s8, s4\ns_or_b32 s9, s5, 0x80080000\ns_mov_b32 s10, 48\ns_mov_b32 s11, 0x227000\n"
            "v_add_u32 v2, 1000, v0\nbuffer_store_dwordx2 v[2:3], v0, s[8:11], 0 idxen\n"
            // Stride 16, the lane added to the index, no range check.
            "s_or_b32 s13, s5, 0x00100000\ns_mov_b32 s12, s4\ns_mov_b32 s14, 0\ns_mov_b32 s15, 0x800000\n"
            "buffer_store_dword v0, off, s[12:15], 0 offset:1028\n");
  for (unsigned lane = 0; lane < 48; ++lane)
    EXPECT_EQ(data[lane / 16 * 32 + lane % 16], 1000 + lane) << lane;
  for (unsigned lane = 48; lane < 64; ++lane)
    EXPECT_EQ(data[lane / 16 * 32 + lane % 16], 0u) << lane;
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(data[257 + 4 * lane], lane) << lane;
}

TEST(MemoryForms, PrivateMemoryGoesToLdsToo) {
  KernelShape shape;
  shape.lds = 512;
  shape.scratch = 16;
  RowsResult result =
      runRows("gfx942",
              "scratch_store_dword off, v10, off offset:8\ns_mov_b32 m0, 0x40\ns_waitcnt vmcnt(0)\n"
              "scratch_load_lds_dword off, off offset:8\ns_waitcnt vmcnt(0)\n"
              "ds_read_b32 v40, v1 offset:72\ns_waitcnt lgkmcnt(0)\n",
              {row(31)}, 1, true, shape);
  EXPECT_EQ(result.rows[0], row(31));
}

} // namespace
