// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races: between the waves of a workgroup in LDS and in global memory, and between workgroups. Each example
// has a twin that is right and must stay silent.

#include "TestKernel.h"

using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

struct Example {
  const char *name;
  const char *kind, *message; ///< null: nothing is reported
  const char *body;
};

// Two waves; s[4:5]: "in", s[6:7]: "out", both 4096 bytes; v1: 4 * work-item; s8: 0 in wave 0, 64 in wave 1.
// The whole of LDS (1024 bytes) is written at first, with a barrier behind.
constexpr const char *start =
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 2, v0\nv_mov_b32 v20, 0\nv_mov_b32 v21, 1\n"
    "v_lshlrev_b32 v2, 3, v0\nv_mov_b32 v3, v20\nv_mov_b32 v22, 0\nv_mov_b32 v23, 0\nds_write_b64 v2, "
    "v[22:23]\n"
    "v_readfirstlane_b32 s8, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\ns_cmp_eq_u32 s8, 0\n";
constexpr const char *finish = "s_waitcnt vmcnt(0) lgkmcnt(0)\n";

const Example examples[] = {
    // Bytes of one dword: wave 0 has the even ones, wave 1 the odd ones.
    {"BytesOfOneDword", nullptr, nullptr,
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 1, v4\nv_lshrrev_b32 v5, 6, v0\nv_add_u32 v4, v4, v5\n"
     "ds_write_b8 v4, v0\nds_read_u8 v6, v4\n"},
    {"SameByte", "lds-race", "writes LDS byte 0, which wave 0 wrote since the last barrier",
     "v_and_b32 v4, 63, v0\nds_write_b8 v4, v0\n"},
    {"WriteOverWhatAnotherWaveRead", "lds-race",
     "writes LDS byte 0, which another wave read since the last barrier",
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 2, v4\ns_cbranch_scc0 .Lone\nds_read_b32 v5, v4\ns_endpgm\n"
     ".Lone:\nds_write_b32 v4, v0\n"},
    {"WordOverByte", "lds-race", "writes LDS byte 0, which wave 0 wrote since the last barrier",
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 2, v4\ns_cbranch_scc0 .Lone\nds_write_b32 v4, v0\ns_endpgm\n"
     ".Lone:\nds_write_b8 v4, v0\n"},
    {"ByteReadWhileOtherByteWritten", nullptr, nullptr,
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 2, v4\ns_cbranch_scc0 .Lone\nds_write_b8 v4, v0 "
     "offset:1\ns_endpgm\n"
     ".Lone:\nds_read_u8 v5, v4\n"},

    // Accesses of whole waves to what holds data already, which cells learn of late.
    {"WriteThenReadByAnotherWave", "lds-race", "reads LDS byte 0, which wave 0 wrote since the last barrier",
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 2, v4\ns_cbranch_scc0 .Lone\nds_write_b32 v4, v0\ns_endpgm\n"
     ".Lone:\nds_read_b32 v5, v4\n"},
    {"WriteThenReadOfAByte", "lds-race", "reads LDS byte 0, which wave 0 wrote since the last barrier",
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 2, v4\ns_cbranch_scc0 .Lone\nds_write_b32 v4, v0\ns_endpgm\n"
     ".Lone:\nds_read_u8 v5, v4\n"},
    {"WriteOverWrite", "lds-race", "writes LDS byte 0, which wave 0 wrote since the last barrier",
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 2, v4\nds_write_b32 v4, v0\n"},
    {"WriteThenOwnRead", nullptr, nullptr, "ds_write_b32 v1, v0\nds_read_b32 v5, v1\nds_write_b32 v1, v0\n"},
    {"WritesOnBothSidesOfABarrier", nullptr, nullptr,
     "ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\nv_xor_b32 v4, 0x100, v1\nds_write_b32 v4, v0\n"},
    // Wave 0 has the even dwords, wave 1 the odd ones.
    {"EveryOtherDword", nullptr, nullptr,
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 3, v4\nv_lshrrev_b32 v5, 6, v0\nv_lshl_add_u32 v4, v5, 2, v4\n"
     "ds_write_b32 v4, v0\nds_read_b32 v6, v4\nds_write_b32 v4, v0\n"},
    {"ReadOfEveryOtherDword", "lds-race", "reads LDS byte 0, which wave 0 wrote since the last barrier",
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 3, v4\nv_lshrrev_b32 v5, 6, v0\nv_lshl_add_u32 v5, v5, 2, v4\n"
     "ds_write_b32 v5, v0\ns_cbranch_scc1 .Lout\nds_read_b32 v6, v4\n.Lout:\n"},
    {"UndefinedOverDefined", "uninitialised-register", "uses v5, which holds no defined value in these lanes",
     "ds_write_b32 v1, v0\nds_write_b32 v1, v30\nds_read_b32 v5, v1\ns_waitcnt lgkmcnt(0)\nv_add_f32 v6, v5, "
     "v5\n"},
    {"DefinedOverUndefined", nullptr, nullptr,
     "ds_write_b32 v1, v30\nds_write_b32 v1, v0\nds_read_b32 v5, v1\ns_waitcnt lgkmcnt(0)\nv_add_f32 v6, v5, "
     "v5\n"},
    // A dword of which one byte holds data, then all: each of them can be read.
    {"WholeOverByte", nullptr, nullptr,
     "ds_write_b32 v1, v30\nds_write_b8 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_write_b32 v1, v0\n"
     "ds_read_u8 v5, v1 offset:1\ns_waitcnt lgkmcnt(0)\nv_add_f32 v6, v5, v5\n"},

    // A barrier does not wait for the reads before it.
    {"ReadNotWaitedForAtTheBarrier", "lds-race",
     "writes LDS byte 0, which another wave read since the last barrier, or before it without s_waitcnt "
     "lgkmcnt "
     "for the read",
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 2, v4\ns_cbranch_scc0 .Lone\nds_read_b32 v5, v4\ns_barrier\n"
     "s_endpgm\n.Lone:\ns_barrier\nds_write_b32 v4, v0\n"},
    {"ReadWaitedForAtTheBarrier", nullptr, nullptr,
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 2, v4\ns_cbranch_scc0 .Lone\nds_read_b32 v5, v4\n"
     "s_waitcnt lgkmcnt(0)\ns_barrier\ns_endpgm\n.Lone:\ns_barrier\nds_write_b32 v4, v0\n"},
    // Of two reads the older one, of wave 1's dwords, is waited for.
    {"OlderReadWaitedForAtTheBarrier", nullptr, nullptr,
     "v_xor_b32 v4, 0x100, v1\ns_cbranch_scc0 .Lone\nds_read_b32 v5, v4\nds_read_b32 v6, v1\n"
     "s_waitcnt lgkmcnt(1)\ns_barrier\ns_endpgm\n.Lone:\ns_barrier\nds_write_b32 v1, v0\n"},
    {"YoungerReadNotWaitedForAtTheBarrier", "lds-race",
     "writes LDS byte 256, which another wave read since the last barrier, or before it without s_waitcnt "
     "lgkmcnt for the read",
     "v_xor_b32 v4, 0x100, v1\ns_cbranch_scc0 .Lone\nds_read_b32 v6, v1\nds_read_b32 v5, v4\n"
     "s_waitcnt lgkmcnt(1)\ns_barrier\ns_endpgm\n.Lone:\ns_barrier\nds_write_b32 v1, v0\n"},
    {"ReadNotWaitedForAtTwoBarriers", "lds-race",
     "writes LDS byte 256, which another wave read since the last barrier, or before it without s_waitcnt "
     "lgkmcnt for the read",
     "v_xor_b32 v4, 0x100, v1\ns_cbranch_scc0 .Lone\nds_read2_b32 v[6:7], v1 offset1:64\ns_barrier\n"
     "s_barrier\ns_endpgm\n.Lone:\ns_barrier\ns_barrier\nds_write_b32 v1, v0\n"},
    {"ReadOfAnotherByteNotWaitedForAtTheBarrier", nullptr, nullptr,
     "v_and_b32 v4, 63, v0\nv_lshlrev_b32 v4, 2, v4\ns_cbranch_scc0 .Lone\nds_read_u8 v5, v4\ns_barrier\n"
     "s_endpgm\n.Lone:\ns_barrier\nds_write_b8 v4, v0 offset:1\n"},

    {"AtomicsOfAll", nullptr, nullptr, "ds_add_u32 v20, v21\nds_add_rtn_u32 v5, v20, v21\n"},
    {"AtomicThenReadWithoutBarrier", "lds-race",
     "reads LDS byte 0, which wave 0 updates atomically since the last barrier",
     "ds_add_u32 v20, v21\ns_cbranch_scc1 .Lout\nds_read_b32 v5, v20\n.Lout:\n"},
    {"AtomicThenReadWithBarrier", nullptr, nullptr,
     "ds_add_u32 v20, v21\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v5, v20\n"},
    {"AtomicThenWrite", "lds-race",
     "writes LDS byte 0, which wave 0 updates atomically since the last barrier",
     "s_cbranch_scc0 .Lone\nds_add_u32 v20, v21\ns_endpgm\n.Lone:\nds_write_b32 v20, v21\n"},
    {"WriteThenAtomic", "lds-race", "updates LDS byte 0, which wave 0 wrote since the last barrier",
     "s_cbranch_scc0 .Lone\nds_write_b32 v20, v21\ns_endpgm\n.Lone:\nds_add_u32 v20, v21\n"},
    // What compilers make of an atomic operation that the hardware lacks: its first read is a plain one.
    {"CompareAndSwapLoop", nullptr, nullptr,
     "s_mov_b64 s[10:11], 0\nds_read_b32 v5, v20\n.Lloop:\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v7, v5\nv_add_u32 "
     "v6, 1, v7\n"
     "ds_cmpst_rtn_b32 v5, v20, v7, v6\ns_waitcnt lgkmcnt(0)\nv_cmp_eq_u32 vcc, v5, v7\n"
     "s_or_b64 s[10:11], vcc, s[10:11]\ns_andn2_b64 exec, exec, s[10:11]\ns_cbranch_execnz .Lloop\n"
     "s_mov_b64 exec, -1\n"},

    {"MisalignedAtomic", "misaligned", "LDS address 2 of a 4-byte access is not a multiple of 4",
     "v_mov_b32 v4, 2\nds_add_u32 v4, v21\n"},
    {"MisalignedPlainAccess", nullptr, nullptr,
     "v_lshlrev_b32 v4, 3, v0\nv_min_u32 v4, 1000, v4\ns_cbranch_scc0 .Lout\nds_read_b64 v[6:7], v4 "
     "offset:3\n.Lout:\n"},
    {"MisalignedGlobalAtomic", "misaligned",
     "updates 4 bytes atomically that are not aligned: address 0x11000000102, byte 2 of 'out' (4096 bytes)",
     "v_mov_b32 v4, 2\ns_mov_b64 exec, 1\nglobal_atomic_add v4, v21, s[6:7]\n"},
    {"MisalignedScalarLoad", "misaligned",
     "the address of a scalar load is not a multiple of 4; the hardware drops its low bits",
     "s_mov_b32 s20, 2\ns_load_dword s21, s[4:5], s20\n"},
    {"AlignedScalarLoad", nullptr, nullptr, "s_mov_b32 s20, 4\ns_load_dword s21, s[4:5], s20\n"},

    // Masks of lanes are merged bit by bit: a part of them may come from a register that nobody wrote.
    {"MaskOfMergedLanes", nullptr, nullptr,
     "s_andn2_b64 s[30:31], s[30:31], exec\ns_or_b64 exec, exec, s[30:31]\n"
     "s_and_saveexec_b64 s[28:29], s[30:31]\ns_mov_b64 exec, -1\n"},

    // Wave 1 loads what wave 0 stored.
    {"StoreNotWaitedFor", "missing-wait", "",
     "v_xor_b32 v4, 0x100, v1\nglobal_store_dword v1, v0, s[6:7]\ns_barrier\nglobal_load_dword v5, v4, "
     "s[6:7]\n"},
    {"StoreWaitedFor", nullptr, nullptr,
     "v_xor_b32 v4, 0x100, v1\nglobal_store_dword v1, v0, s[6:7]\ns_waitcnt vmcnt(0)\ns_barrier\n"
     "global_load_dword v5, v4, s[6:7]\n"},
    {"StoreElsewhere", nullptr, nullptr,
     "v_xor_b32 v4, 0x100, v1\nglobal_store_dword v1, v0, s[6:7]\ns_barrier\n"
     "global_load_dword v5, v4, s[6:7] offset:1024\n"},
    {"OwnStore", nullptr, nullptr, "global_store_dword v1, v0, s[6:7]\nglobal_load_dword v5, v1, s[6:7]\n"},
};

Report runBody(const char *chip, const std::string &body, const Options &options, unsigned workgroups,
               std::vector<uint32_t> &out) {
  KernelShape shape;
  shape.block = 128;
  shape.lds = 1024;
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(chip, start + body + finish, shape));
  if (!simulator)
    return {};
  std::vector<uint32_t> in(1024, 3);
  out.assign(1024, 0);
  std::vector<Buffer> buffers = {{"in", in.data(), 4096, Buffer::Access::Read},
                                 {"out", out.data(), 4096, Buffer::Access::ReadWrite}};
  return runKernel(*simulator, buffers, shape, options, workgroups);
}

TEST(Races, EachExampleGivesItsMessageAndNoOther) {
  for (const char *chip : bothChips)
    for (WaveOrder order : {WaveOrder::Serial, WaveOrder::Interleaved})
      for (const Example &one : examples) {
        SCOPED_TRACE(std::string(chip) + " " + one.name);
        Options options;
        options.waves = order;
        std::vector<uint32_t> out;
        Report report = runBody(chip, one.body, options, 1, out);
        EXPECT_TRUE(report.completed) << report.reason;
        EXPECT_EQ(report.findings.size(), one.kind ? 1u : 0u) << allFindings(report);
        if (!one.kind || report.findings.empty())
          continue;
        EXPECT_EQ(report.findings[0].kind, one.kind);
        if (*one.message) {
          EXPECT_EQ(report.findings[0].message, one.message);
        }
      }
}

TEST(Races, StoreNotWaitedForNamesBothEnds) {
  std::vector<uint32_t> out;
  Report report = runBody("gfx950", examples[std::size(examples) - 4].body, {}, 1, out);
  ASSERT_EQ(report.findings.size(), 1u);
  llvm::StringRef message = report.findings[0].message;
  EXPECT_TRUE(message.starts_with("loads what wave 1 stored at 0x")) << message.str();
  EXPECT_TRUE(
      message.ends_with(" without s_waitcnt vmcnt before the barrier: address 0x11000000200, byte 256 of "
                        "'out' (4096 bytes)"))
      << message.str();
  EXPECT_EQ(report.findings[0].disassembly, "global_load_dword v5, v4, s[6:7]");
}

// Workgroup w stores 128 dwords at dword 64 w: halves overlap with the next one's.
TEST(Races, WorkgroupsThatStoreDifferentValuesToOneByte) {
  std::string overlapping = "s_lshl_b32 s9, s2, 8\nv_add_u32 v4, s9, v1\n";
  struct Variant {
    const char *value;
    bool conflict;
  };
  for (const Variant &variant : {Variant{"v_mov_b32 v5, s2\n", true}, Variant{"v_mov_b32 v5, v4\n", false}}) {
    std::string first;
    for (unsigned threads : {1u, 2u, 3u}) {
      Options options;
      options.threads = threads;
      std::vector<uint32_t> out;
      Report report = runBody("gfx942", overlapping + variant.value + "global_store_dword v4, v5, s[6:7]\n",
                              options, 6, out);
      EXPECT_TRUE(report.completed);
      ASSERT_EQ(report.findings.size(), variant.conflict ? 1u : 0u) << allFindings(report);
      if (!variant.conflict)
        continue;
      const Finding &finding = report.findings[0];
      EXPECT_EQ(finding.kind, "workgroup-conflict");
      EXPECT_TRUE(
          llvm::StringRef(finding.message).starts_with("stores another value than workgroup 0,0,0 at 0x"));
      EXPECT_TRUE(llvm::StringRef(finding.message)
                      .ends_with(": address 0x11000000200, byte 256 of 'out' (4096 bytes)"))
          << finding.message;
      EXPECT_EQ(finding.workgroup[0], 1u);
      EXPECT_EQ(finding.wave, 0u);
      // The same whatever the number of threads.
      if (first.empty())
        first = finding.text();
      EXPECT_EQ(finding.text(), first);
      options.workgroupConflicts = false;
      report = runBody("gfx942", overlapping + variant.value + "global_store_dword v4, v5, s[6:7]\n", options,
                       6, out);
      EXPECT_TRUE(report.findings.empty());
    }
  }
}

// What counts is the code that the kernel can come to.
TEST(Races, AtomicsThatAreNeverReachedSynchroniseNothing) {
  std::vector<uint32_t> out;
  Report report = runBody("gfx942",
                          "v_mov_b32 v5, s2\nglobal_store_dword v1, v5, s[6:7]\ns_branch .Lout\n"
                          "global_atomic_add v20, v21, s[6:7] offset:2048\n.Lout:\n",
                          {}, 3, out);
  ASSERT_EQ(report.findings.size(), 1u) << allFindings(report);
  EXPECT_EQ(report.findings[0].kind, "workgroup-conflict");
}

// Kernels that can synchronise workgroups may store wherever they like.
TEST(Races, SynchronisedWorkgroupsAreNotAccused) {
  std::vector<uint32_t> out;
  Report report = runBody("gfx942",
                          "v_mov_b32 v5, s2\nglobal_store_dword v1, v5, s[6:7]\ns_waitcnt vmcnt(0)\n"
                          "global_atomic_add v20, v21, s[6:7] offset:2048\n",
                          {}, 3, out);
  EXPECT_TRUE(report.findings.empty()) << allFindings(report);
}

} // namespace
