// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory instructions: widths and forms, buffer range checks, LDS permutations and transposing reads, bank
// conflicts, atomics over several workgroups and threads.

#include "TestKernel.h"
#include <numeric>

using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

std::vector<uint32_t> counting(uint32_t first, uint32_t step) {
  std::vector<uint32_t> row(64);
  for (unsigned i = 0; i < 64; ++i)
    row[i] = first + i * step;
  return row;
}

Report runWith(const char *chip, const std::string &body, std::vector<uint32_t> &in,
               std::vector<uint32_t> &out, KernelShape shape = {}, unsigned workgroups = 1) {
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(
      chip, "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n" + body,
      shape));
  if (!simulator)
    return {};
  std::vector<Buffer> buffers = {{"in", in.data(), in.size() * 4, Buffer::Access::Read},
                                 {"out", out.data(), out.size() * 4, Buffer::Access::ReadWrite}};
  return runKernel(*simulator, buffers, shape, {}, workgroups);
}

TEST(Memory, NarrowLoadsExtendAndMerge) {
  std::vector<uint32_t> in(64), out(64 * 5);
  for (unsigned i = 0; i < 64; ++i)
    in[i] = 0x80f1c3a5u * (2 * i + 1);
  Report report =
      runWith("gfx950",
              "v_mov_b32 v6, 0x11112222\n"
              "global_load_ubyte v2, v1, s[4:5] offset:1\nglobal_load_sbyte v3, v1, s[4:5] offset:2\n"
              "global_load_sshort v4, v1, s[4:5] offset:2\nglobal_load_ushort v5, v1, s[4:5]\n"
              "global_load_short_d16_hi v6, v1, s[4:5]\ns_waitcnt vmcnt(0)\n"
              "global_store_dword v1, v2, s[6:7]\nglobal_store_dword v1, v3, s[6:7] offset:256\n"
              "global_store_dword v1, v4, s[6:7] offset:512\nglobal_store_dword v1, v5, s[6:7] offset:768\n"
              "global_store_dword v1, v6, s[6:7] offset:1024\n",
              in, out);
  EXPECT_TRUE(report.findings.empty()) << allFindings(report);
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(out[i], in[i] >> 8 & 0xff);
    EXPECT_EQ(out[64 + i], uint32_t(int32_t(int8_t(in[i] >> 16))));
    EXPECT_EQ(out[128 + i], uint32_t(int32_t(int16_t(in[i] >> 16))));
    EXPECT_EQ(out[192 + i], in[i] & 0xffff);
    EXPECT_EQ(out[256 + i], 0x2222u | in[i] << 16);
  }
}

// A descriptor of 100 bytes over a buffer of 256: dword by dword, with soffset in the sum.
TEST(Memory, BufferRangeCheckIsPerDword) {
  std::vector<uint32_t> in = counting(1000, 3), out(64 * 4, 7);
  Report report = runWith(
      "gfx942",
      "s_mov_b32 s8, s4\ns_mov_b32 s9, s5\ns_mov_b32 s10, 100\ns_mov_b32 s11, 0x27000\ns_mov_b32 s12, 8\n"
      "v_lshlrev_b32 v9, 4, v0\nbuffer_load_dwordx4 v[2:5], v9, s[8:11], s12 offen offset:4\n"
      "s_waitcnt vmcnt(0)\nglobal_store_dwordx4 v9, v[2:5], s[6:7]\n",
      in, out);
  EXPECT_TRUE(report.findings.empty()) << allFindings(report);
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      unsigned byte = 16 * lane + 12 + 4 * i;
      EXPECT_EQ(out[4 * lane + i], byte + 4 <= 100 ? 1000 + byte / 4 * 3 : 0) << lane << " " << i;
    }
  EXPECT_EQ(report.counters.maskedBufferLanes, 256u - 22u);
}

TEST(Memory, BpermuteReadsTheNamedLane) {
  std::vector<uint32_t> in = counting(5, 11), out(64);
  Report report = runWith("gfx942",
                          "global_load_dword v2, v1, s[4:5]\nv_sub_u32 v3, 63, v0\nv_lshlrev_b32 v3, 2, v3\n"
                          "s_waitcnt vmcnt(0)\nds_bpermute_b32 v4, v3, v2\ns_waitcnt lgkmcnt(0)\n"
                          "global_store_dword v1, v4, s[6:7]\n",
                          in, out);
  EXPECT_TRUE(report.findings.empty()) << allFindings(report);
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(out[lane], in[63 - lane]);
}

// The 16 lanes of a group hold a row-major matrix of 16 columns; lane l receives column l.
TEST(Memory, TransposingReads) {
  struct Case {
    const char *op;
    unsigned bits;
  };
  for (Case one :
       {Case{"ds_read_b64_tr_b16", 16}, Case{"ds_read_b64_tr_b8", 8}, Case{"ds_read_b64_tr_b4", 4}}) {
    std::vector<uint32_t> in(128), out(128);
    for (unsigned i = 0; i < 128; ++i)
      in[i] = 0x9e3779b9u * (i + 1);
    KernelShape shape;
    shape.lds = 512;
    Report report =
        runWith("gfx950",
                "v_lshlrev_b32 v1, 3, v0\nglobal_load_dwordx2 v[2:3], v1, s[4:5]\ns_waitcnt vmcnt(0)\n"
                "ds_write_b64 v1, v[2:3]\n" +
                    std::string(one.op) +
                    " v[4:5], v1\ns_waitcnt lgkmcnt(0)\nglobal_store_dwordx2 v1, v[4:5], s[6:7]\n",
                in, out, shape);
    EXPECT_TRUE(report.findings.empty()) << allFindings(report);
    auto bitsAt = [&](const std::vector<uint32_t> &from, unsigned bit) {
      return from[bit / 32] >> bit % 32 & ((1u << one.bits) - 1);
    };
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned row = 0; row < 64 / one.bits; ++row)
        EXPECT_EQ(bitsAt(out, lane * 64 + row * one.bits),
                  bitsAt(in, lane / 16 * 1024 + (row * 16 + lane % 16) * one.bits))
            << one.op << " " << lane << " " << row;
  }
}

// Reads of 16 bytes, 128 bytes apart: all lanes of a phase meet in the same banks; padded by 16 bytes, none
// do.
TEST(Memory, BankConflicts) {
  auto conflicts = [](const char *chip, const char *stride) {
    KernelShape shape;
    shape.lds = 16384;
    std::vector<uint32_t> in(64), out(64);
    Report report = runWith(chip,
                            std::string("v_mul_u32_u24 v2, ") + stride +
                                ", v0\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\n"
                                "ds_read_b128 v[8:11], v2\ns_waitcnt lgkmcnt(0)\n",
                            in, out, shape);
    return report.counters.ldsConflictCycles;
  };
  EXPECT_EQ(conflicts("gfx942", "0x80"), 8u * 7u);
  EXPECT_EQ(conflicts("gfx942", "16"), 0u);
  EXPECT_EQ(conflicts("gfx950", "16"), 0u);
  // 64 banks: the 16 lanes of a phase take every other 128 bytes alike.
  EXPECT_EQ(conflicts("gfx950", "0x80"), 4u * 7u);
}

TEST(Memory, AtomicsAddUpOverWorkgroups) {
  std::vector<uint32_t> in(64, 1), out(64);
  KernelShape shape;
  Report report =
      runWith("gfx950",
              "v_mov_b32 v2, 0\nv_add_u32 v3, s2, v0\nglobal_atomic_add v2, v3, s[6:7]\n"
              "v_mov_b32 v4, 1.0\nglobal_atomic_add_f32 v2, v4, s[6:7] offset:4\ns_waitcnt vmcnt(0)\n",
              in, out, shape, 40);
  EXPECT_TRUE(report.findings.empty()) << allFindings(report);
  EXPECT_EQ(out[0], 40u * (63 * 64 / 2) + 64u * (39 * 40 / 2));
  float sum;
  std::memcpy(&sum, &out[1], 4);
  EXPECT_EQ(sum, 40.0f * 64.0f);
}

TEST(Memory, DirectCopiesPlaceLanes) {
  for (bool wide : {false, true}) {
    std::vector<uint32_t> in(512), out(512);
    std::iota(in.begin(), in.end(), 100);
    KernelShape shape;
    shape.lds = 2048;
    unsigned bytes = wide ? 16 : 4;
    // Lanes fetch in reverse; LDS receives them in lane order from m0 + offset.
    std::string body =
        "v_sub_u32 v2, 63, v0\nv_lshlrev_b32 v2, " + std::string(wide ? "4" : "2") +
        ", v2\ns_movk_i32 m0, 0x40\ns_nop 0\n" +
        (wide ? "global_load_lds_dwordx4" : "global_load_lds_dword") +
        std::string(" v2, s[4:5] offset:16\ns_waitcnt vmcnt(0)\nv_lshlrev_b32 v3, ") + (wide ? "4" : "2") +
        ", v0\n" + (wide ? "ds_read_b128 v[4:7], v3" : "ds_read_b32 v4, v3") +
        " offset:80\ns_waitcnt lgkmcnt(0)\n" +
        (wide ? "global_store_dwordx4 v3, v[4:7], s[6:7]" : "global_store_dword v3, v4, s[6:7]") + "\n";
    Report report = runWith("gfx950", body, in, out, shape);
    EXPECT_TRUE(report.findings.empty()) << allFindings(report);
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(out[lane * bytes / 4], in[(63 - lane) * bytes / 4 + 4]) << lane;
    EXPECT_EQ(report.counters.ldsDma, 1u);
  }
}

} // namespace
