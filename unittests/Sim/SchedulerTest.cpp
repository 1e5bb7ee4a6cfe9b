// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workgroups and waves that wait for each other through memory; what ends a run that would not end by itself;
// results do not depend on the order in which waves run, unless a race is reported.

#include "TestKernel.h"
#include <chrono>
#include <thread>

using namespace lowp::sim;
using namespace lowp::sim::test;

namespace {

// s[4:5]: flags, s[6:7]: out; v1: 4 * lane
constexpr const char *prologue =
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_mov_b32 v10, 0\nv_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n";

// Each workgroup waits until the one after it has set its flag, then sets its own; the last one begins. Run
// one after another, the first would wait for ever.
std::string chainBackwards(unsigned workgroups, const char *pause) {
  return std::string(prologue) +
         "s_lshl_b32 s8, s2, 2\nv_mov_b32 v11, s8\nv_mov_b32 v12, 1\n"
         "s_cmp_eq_u32 s2, " +
         std::to_string(workgroups - 1) +
         "\ns_cbranch_scc1 .Lgo\n"
         ".Lwait:\n" +
         pause +
         "global_load_dword v13, v11, s[4:5] offset:4 sc0 sc1\ns_waitcnt vmcnt(0)\n"
         "v_readfirstlane_b32 s9, v13\ns_nop 1\ns_cmp_eq_u32 s9, 0\ns_cbranch_scc1 .Lwait\n"
         ".Lgo:\ns_mov_b64 exec, 1\nv_add_u32 v14, s2, v12\nglobal_store_dword v11, v14, s[6:7]\n"
         "s_waitcnt vmcnt(0)\nglobal_store_dword v11, v12, s[4:5] sc0 sc1\ns_waitcnt vmcnt(0)\n";
}

struct Memory {
  std::vector<uint32_t> flags, out;
  Memory(size_t size) : flags(size, 0), out(size, 0) {}
  std::vector<Buffer> buffers() {
    return {{"flags", flags.data(), flags.size() * 4, Buffer::Access::ReadWrite},
            {"out", out.data(), out.size() * 4, Buffer::Access::ReadWrite}};
  }
};

Report runText(const char *chip, const std::string &text, Memory &memory, const Options &options,
               unsigned workgroups, unsigned block = 64, unsigned lds = 0) {
  KernelShape shape;
  shape.block = block;
  shape.lds = lds;
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(chip, text, shape));
  return simulator ? runKernel(*simulator, memory.buffers(), shape, options, workgroups) : Report();
}

TEST(Scheduler, WorkgroupsMayWaitForLaterOnes) {
  constexpr unsigned workgroups = 40;
  for (const char *chip : bothChips)
    for (unsigned threads : {1u, 2u, 5u})
      for (const char *pause : {"", "s_sleep 2\n"}) {
        SCOPED_TRACE(std::string(chip) + " " + std::to_string(threads) + pause);
        Memory memory(workgroups + 1);
        Options options;
        options.threads = threads;
        Report report = runText(chip, chainBackwards(workgroups, pause), memory, options, workgroups);
        EXPECT_TRUE(report.completed) << report.reason;
        EXPECT_TRUE(report.findings.empty()) << allFindings(report);
        for (unsigned i = 0; i < workgroups; ++i)
          EXPECT_EQ(memory.out[i], i + 1);
      }
}

// A barrier over the whole grid: everybody adds one and waits until the count is complete, twice.
TEST(Scheduler, BarrierOverTheGrid) {
  constexpr unsigned workgroups = 64, waves = 4;
  std::string round = "s_barrier\nv_cmp_eq_u32 vcc, 0, v0\ns_and_saveexec_b64 s[10:11], vcc\n"
                      "v_mov_b32 v12, 1\nglobal_atomic_add v10, v12, s[4:5] sc1\ns_waitcnt vmcnt(0)\n"
                      ".LwaitN:\nglobal_load_dword v13, v10, s[4:5] sc0 sc1\ns_waitcnt vmcnt(0)\n"
                      "v_cmp_gt_u32 vcc, LIMIT, v13\ns_cbranch_vccnz .LwaitN\ns_mov_b64 exec, s[10:11]\n"
                      "s_barrier\nbuffer_inv sc1\n";
  std::string text = std::string(prologue) + "s_lshl_b32 s8, s2, 2\nv_mov_b32 v11, s8\n";
  for (unsigned i = 1; i <= 2; ++i) {
    std::string one = round;
    for (size_t at; (at = one.find("LwaitN")) != std::string::npos;)
      one.replace(at, 6, "Lw" + std::to_string(i));
    one.replace(one.find("LIMIT"), 5, std::to_string(workgroups * i));
    if (i == 1)
      one += "v_mov_b32 v14, 5\nglobal_store_dword v11, v14, s[6:7]\ns_waitcnt vmcnt(0)\n";
    else // what the workgroup at the other end stored before the second barrier
      one += "s_sub_u32 s9, 63, s2\ns_lshl_b32 s9, s9, 2\nv_mov_b32 v15, s9\n"
             "global_load_dword v16, v15, s[6:7] sc0 sc1\ns_waitcnt vmcnt(0)\nv_add_u32 v16, 1, v16\n"
             "global_store_dword v11, v16, s[6:7] offset:256\n";
    text += one;
  }
  for (const char *chip : bothChips)
    for (unsigned threads : {1u, 2u}) {
      Memory memory(2 * workgroups);
      Options options;
      options.threads = threads;
      Report report = runText(chip, text, memory, options, workgroups, 64 * waves);
      EXPECT_TRUE(report.completed) << report.reason;
      EXPECT_EQ(memory.flags[0], 2 * workgroups);
      for (unsigned i = 0; i < workgroups; ++i)
        EXPECT_EQ(memory.out[workgroups + i], 6u) << i;
    }
}

TEST(Scheduler, DeadlockSaysWhoWaitsWhere) {
  // Wave 0 waits for a flag that nobody sets, wave 1 at the barrier.
  std::string text = std::string(prologue) +
                     "v_readfirstlane_b32 s8, v0\ns_nop 3\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc0 .Lbarrier\n"
                     ".Lwait:\nglobal_load_dword v13, v10, s[4:5] sc0 sc1\ns_waitcnt vmcnt(0)\n"
                     "v_cmp_eq_u32 vcc, 0, v13\ns_cbranch_vccnz .Lwait\n.Lbarrier:\ns_barrier\n";
  for (unsigned threads : {1u, 2u}) {
    Memory memory(4);
    Options options;
    options.threads = threads;
    options.instructionLimit = 100000000; // far beyond
    Report report = runText("gfx942", text, memory, options, 2, 128);
    EXPECT_FALSE(report.completed);
    ASSERT_EQ(report.findings.size(), 1u) << allFindings(report);
    EXPECT_EQ(report.findings[0].kind, "deadlock");
    EXPECT_EQ(report.findings[0].message, report.reason);
    EXPECT_TRUE(llvm::StringRef(report.reason)
                    .starts_with("no wave can go on: workgroup 0: wave 0 repeats itself around 0x"))
        << report.reason;
    EXPECT_NE(report.reason.find(" wave 1 waits at the barrier before 0x"), std::string::npos);
    EXPECT_NE(report.reason.find("; workgroup 1: wave 0 repeats itself around 0x"), std::string::npos);
  }
}

// The chain needs all workgroups at once.
TEST(Scheduler, MoreWorkgroupsWaitThanFit) {
  constexpr unsigned workgroups = 12;
  Memory memory(workgroups + 1);
  Options options;
  options.residentWorkgroups = 4;
  Report report = runText("gfx950", chainBackwards(workgroups, ""), memory, options, workgroups);
  EXPECT_FALSE(report.completed);
  EXPECT_TRUE(hasFinding(report, "deadlock"));
  EXPECT_TRUE(
      llvm::StringRef(report.reason)
          .ends_with("; 8 workgroups have not begun, because 4 in progress at a time are the limit of "
                     "this run"))
      << report.reason;
  options.residentWorkgroups = workgroups;
  memory = Memory(workgroups + 1);
  report = runText("gfx950", chainBackwards(workgroups, ""), memory, options, workgroups);
  EXPECT_TRUE(report.completed) << report.reason;
}

// A loop that counts is no deadlock, however long.
TEST(Scheduler, CountingIsProgress) {
  std::string text = std::string(prologue) +
                     "s_mov_b32 s8, 0x40000\n.Lloop:\n"
                     "global_load_dword v13, v10, s[4:5] sc0 sc1\ns_waitcnt vmcnt(0)\n"
                     "s_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Lloop\n";
  Memory memory(4);
  Report report = runText("gfx942", text, memory, {}, 1);
  EXPECT_TRUE(report.completed) << report.reason;
}

TEST(Scheduler, WavesOfOneWorkgroupMayWaitForEachOther) {
  // Wave 0 waits for wave 1 through LDS.
  std::string text = std::string(prologue) +
                     "v_readfirstlane_b32 s8, v0\nv_mov_b32 v12, 7\nv_mov_b32 v20, 0\ns_cmp_eq_u32 s8, 0\n"
                     "s_cbranch_scc0 .Lset\n.Lwait:\nds_read_b32 v13, v20\ns_waitcnt lgkmcnt(0)\n"
                     "v_cmp_ne_u32 vcc, 7, v13\ns_cbranch_vccnz .Lwait\n"
                     "global_store_dword v10, v13, s[6:7]\ns_endpgm\n"
                     ".Lset:\nds_write_b32 v20, v12\ns_waitcnt lgkmcnt(0)\n";
  for (WaveOrder order : {WaveOrder::Interleaved, WaveOrder::Serial, WaveOrder::Shuffled}) {
    Memory memory(4);
    Options options;
    options.waves = order;
    Report report = runText("gfx950", text, memory, options, 1, 128, 64);
    EXPECT_TRUE(report.completed) << report.reason;
    EXPECT_EQ(memory.out[0], 7u);
  }
}

TEST(Scheduler, TimeLimitAndCancellation) {
  std::string text =
      std::string(prologue) + "s_mov_b32 s8, 0\n.Lloop:\ns_add_u32 s8, s8, 1\ns_branch .Lloop\n";
  Memory memory(4);
  Options options;
  options.timeLimit = 0.05;
  Report report = runText("gfx942", text, memory, options, 3);
  EXPECT_FALSE(report.completed);
  EXPECT_EQ(report.reason, "the run took longer than 0.05 seconds");
  EXPECT_TRUE(hasFinding(report, "time-limit"));

  std::atomic<bool> cancel{false};
  options.timeLimit = 0;
  options.cancel = &cancel;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    cancel = true;
  });
  report = runText("gfx942", text, memory, options, 3);
  later.join();
  EXPECT_FALSE(report.completed);
  EXPECT_EQ(report.reason, "the run was cancelled");
  EXPECT_TRUE(report.findings.empty()) << allFindings(report);
}

// Without a barrier the result depends on the order, and the race is reported in every order; with it
// neither.
TEST(Scheduler, OrderMattersOnlyWithARace) {
  for (bool clean : {false, true}) {
    std::string text = std::string(prologue) +
                       "v_xor_b32 v3, 0x100, v1\nds_write_b32 v1, v10\ns_waitcnt lgkmcnt(0)\ns_barrier\n"
                       "ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\n" +
                       (clean ? "s_barrier\n" : "") +
                       "ds_read_b32 v4, v3\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v4, s[6:7]\n";
    std::vector<std::vector<uint32_t>> results;
    for (unsigned seed = 0; seed < 6; ++seed) {
      Memory memory(128);
      Options options;
      options.waves = seed == 0   ? WaveOrder::Interleaved
                      : seed == 1 ? WaveOrder::Serial
                                  : WaveOrder::Shuffled;
      options.seed = seed;
      Report report = runText("gfx942", text, memory, options, 1, 128, 512);
      EXPECT_EQ(hasFinding(report, "lds-race"), !clean) << seed << "\n" << allFindings(report);
      results.push_back(memory.out);
    }
    bool same = llvm::all_equal(results);
    EXPECT_EQ(same, clean);
  }
}

} // namespace
