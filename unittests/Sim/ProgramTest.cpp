// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program control: branches on every condition, calls, the hardware registers, indexed registers, and the
// instructions that change nothing a kernel sees.

#include "AccessKernel.h"
#include "Inst.h"
#include "Reference/Covered.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;
using namespace lowp::sim::reference;

namespace {

using u32 = uint32_t;

class ProgramReference : public ::testing::TestWithParam<const char *> {};

void expectScalar(AccessKernel &kernel, const std::string &what, unsigned reg, u32 value) {
  kernel.line(formatv("v_mov_b32 v200, s{0}", reg));
  kernel.expectRegisters(what, 200, 1, [value](unsigned, u32 *want) { want[0] = value; });
}

TEST_P(ProgramReference, Branches) {
  AccessKernel kernel(GetParam());
  unsigned label = 0;
  struct Condition {
    const char *name, *whenTrue, *whenFalse;
  };
  const Condition conditions[] = {
      {"s_cbranch_scc1", "s_cmp_eq_u32 s40, s40", "s_cmp_lg_u32 s40, s40"},
      {"s_cbranch_scc0", "s_cmp_lg_u32 s40, s40", "s_cmp_eq_u32 s40, s40"},
      {"s_cbranch_vccz", "s_mov_b64 vcc, 0", "s_mov_b64 vcc, 4"},
      {"s_cbranch_vccnz", "s_mov_b32 vcc_lo, 0\ns_mov_b32 vcc_hi, 4", "s_mov_b64 vcc, 0"},
      {"s_cbranch_execz", "s_mov_b64 exec, 0", "s_mov_b64 exec, 2"},
      {"s_cbranch_execnz", "s_mov_b64 exec, 2", "s_mov_b64 exec, 0"},
      {"s_branch", "s_nop 0", nullptr},
  };
  kernel.line("s_mov_b32 s40, 5");
  for (const Condition &condition : conditions)
    for (bool taken : {true, false}) {
      const char *setup = taken ? condition.whenTrue : condition.whenFalse;
      if (!setup)
        continue;
      ++label;
      kernel.line(formatv(
          "{0}\ns_mov_b32 s41, 1\ns_nop 4\n{1} .Lto{2}\ns_mov_b32 s41, 2\n.Lto{2}:\ns_mov_b64 exec, -1",
          setup, condition.name, label));
      expectScalar(kernel, std::string(condition.name) + (taken ? " taken" : " not taken"), 41,
                   taken ? 1 : 2);
    }
  // Backwards: a loop of five.
  kernel.line("s_mov_b32 s41, 0\ns_mov_b32 s42, 0\n.Lloop:\ns_add_u32 s41, s41, s42\ns_addk_i32 s42, 1\n"
              "s_cmp_lt_u32 s42, 5\ns_cbranch_scc1 .Lloop");
  expectScalar(kernel, "loop", 41, 0 + 1 + 2 + 3 + 4);
  // Calls and jumps.
  kernel.line(
      "s_mov_b32 s41, 1\ns_branch .Lafter\n.Lsub:\ns_addk_i32 s41, 10\ns_setpc_b64 s[44:45]\n.Lafter:\n"
      "s_call_b64 s[44:45], .Lsub\ns_addk_i32 s41, 100");
  expectScalar(kernel, "s_call_b64, s_setpc_b64", 41, 111);
  kernel.line("s_mov_b32 s41, 1\ns_getpc_b64 s[46:47]\n.Lhere:\ns_add_u32 s46, s46, .Lsub2-.Lhere\n"
              "s_addc_u32 s47, s47, 0\ns_branch .Lafter2\n.Lsub2:\ns_addk_i32 s41, 20\ns_setpc_b64 s[44:45]\n"
              ".Lafter2:\ns_swappc_b64 s[44:45], s[46:47]\ns_addk_i32 s41, 200");
  expectScalar(kernel, "s_getpc_b64, s_swappc_b64", 41, 221);
  kernel.finish();
}

TEST_P(ProgramReference, NothingVisible) {
  AccessKernel kernel(GetParam());
  std::vector<std::string> list = knownMnemonics();
  std::set<std::string> known(list.begin(), list.end());
  kernel.line("s_mov_b64 s[24:25], s[8:9]\ns_movk_i32 s26, 0x100\ns_mov_b32 s27, 0x20000");
  kernel.line("s_mov_b32 s41, 7\ns_cmp_eq_u32 s41, 7");
  for (const char *text : {"s_nop 0",
                           "s_nop 15",
                           "s_waitcnt 0",
                           "s_sleep 1",
                           "s_setprio 3",
                           "s_sethalt 0",
                           "s_barrier",
                           "s_icache_inv",
                           "s_dcache_inv",
                           "s_dcache_wb",
                           "s_incperflevel 1",
                           "s_decperflevel 1",
                           "s_ttracedata",
                           "s_dcache_inv_vol",
                           "s_dcache_wb_vol",
                           "s_wakeup",
                           "v_clrexcp",
                           "s_dcache_discard s[8:9], 0x0",
                           "s_dcache_discard_x2 s[8:9], 0x0",
                           "s_atc_probe 1, s[8:9], 0x0",
                           "s_atc_probe_buffer 1, s[24:27], 0x0",
                           "buffer_inv sc1",
                           "buffer_wbl2 sc1",
                           "v_nop",
                           "s_sendmsg 0"})
    if (known.count(std::string(text).substr(0, std::string(text).find(' '))) && kernel.exists(text))
      kernel.run(text);
  kernel.line("s_cselect_b32 s42, 1, 0");
  expectScalar(kernel, "SCC", 42, 1);
  expectScalar(kernel, "a register", 41, 7);
  kernel.finish();
}

// No debugger: its conditions are false.
TEST_P(ProgramReference, DebuggerBranchesAreNotTaken) {
  AccessKernel kernel(GetParam());
  unsigned label = 0;
  for (std::string name : {"s_cbranch_cdbgsys", "s_cbranch_cdbguser", "s_cbranch_cdbgsys_or_user",
                           "s_cbranch_cdbgsys_and_user"}) {
    ++label;
    if (!kernel.exists(formatv("{0} .Lx\n.Lx:", name)))
      continue;
    kernel.line(formatv("s_mov_b32 s41, 1\n{0} .Lto{1}\ns_mov_b32 s41, 2\n.Lto{1}:", name, label));
    expectScalar(kernel, name, 41, 2);
  }
  kernel.finish();
}

// A bit of the first source turns vector and memory instructions off, not scalar ones.
TEST_P(ProgramReference, VskipSkipsVectorInstructions) {
  AccessKernel kernel(GetParam());
  unsigned slot = kernel.newSlot('r');
  kernel.line(
      "v_mov_b32 v201, v30\ns_mov_b32 s40, 0x20\ns_setvskip s40, 5\ns_nop 7\nv_mov_b32 v201, v31\n"
      "global_store_dword v10, v31, s[20:21]\nds_write_b32 v10, v31\ns_mov_b32 s41, 3\ns_setvskip s40, 4\n"
      "s_nop 7\nv_mov_b32 v202, v32");
  kernel.expectRegisters("s_setvskip", 201, 2, [&](unsigned lane, u32 *want) {
    want[0] = kernel.data[0][lane];
    want[1] = kernel.data[2][lane];
  });
  expectScalar(kernel, "a scalar instruction after s_setvskip", 41, 3);
  kernel.expectSlot("a store after s_setvskip", slot, [](uint8_t *) {});
  kernel.finish();
}

/// What a wave that stores 1, meets the instruction, and stores 2 leaves; and the findings.
std::pair<u32, Report> storeAround(const char *chip, const std::string &text) {
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(
      chip, "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_mov_b32 v1, 0\nv_mov_b32 v2, 1\nv_mov_b32 v3, 2\n"
            "s_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v2, s[4:5]\ns_waitcnt vmcnt(0)\n" +
                text + "\nglobal_store_dword v1, v3, s[4:5]"));
  u32 out = 0;
  std::vector<Buffer> buffers = {{"out", &out, 4, Buffer::Access::Write, false}};
  Report report;
  if (simulator) {
    Options options;
    options.instructionLimit = 1000;
    report = runKernel(*simulator, buffers, {}, options);
  }
  return {out, report};
}

TEST_P(ProgramReference, WaysToEnd) {
  auto end = storeAround(GetParam(), "s_endpgm");
  EXPECT_EQ(end.first, 1u);
  EXPECT_TRUE(end.second.completed && end.second.findings.empty());
  EXPECT_EQ(storeAround(GetParam(), "s_setkill 1").first, 1u);
  EXPECT_EQ(storeAround(GetParam(), "s_setkill 0").first, 2u);
  EXPECT_EQ(storeAround(GetParam(), "s_sendmsghalt 0").first, 1u);
  auto trap = storeAround(GetParam(), "s_trap 2");
  EXPECT_TRUE(hasFinding(trap.second, "trap")) << allFindings(trap.second);
  auto halt = storeAround(GetParam(), "s_sethalt 1");
  EXPECT_TRUE(hasFinding(halt.second, "trap")) << allFindings(halt.second);
}

TEST_P(ProgramReference, HardwareRegisters) {
  AccessKernel kernel(GetParam());
  // MODE: rounding 3:0, denormals 7:4. Fields are written and read alone.
  kernel.line("s_mov_b32 s40, 0x5\ns_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s40\ns_nop 1\ns_getreg_b32 s41, "
              "hwreg(HW_REG_MODE, 0, 4)\n"
              "s_nop 1\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\ns_nop 1\ns_getreg_b32 s42, "
              "hwreg(HW_REG_MODE, 0, 8)\n"
              "s_nop 1\ns_getreg_b32 s43, hwreg(HW_REG_MODE, 4, 4)");
  expectScalar(kernel, "s_setreg_b32", 41, 5);
  expectScalar(kernel, "s_setreg_imm32_b32", 42, 0xf0);
  expectScalar(kernel, "s_getreg_b32 of a field", 43, 0xf);
  kernel.finish();
}

TEST_P(ProgramReference, IndexedRegisters) {
  AccessKernel kernel(GetParam());
  // Bit 0 of the mode shifts source 0, bit 3 the destination.
  kernel.line("s_mov_b32 s40, 2\nv_mov_b32 v200, 0\nv_mov_b32 v203, 0\ns_set_gpr_idx_on s40, 0x1\nv_mov_b32 "
              "v200, v30\n"
              "s_set_gpr_idx_off");
  kernel.expectRegisters("s_set_gpr_idx_on, source", 200, 1,
                         [&](unsigned lane, u32 *want) { want[0] = kernel.data[2][lane]; });
  kernel.line("s_set_gpr_idx_on s40, 0x8\ns_mov_b32 s41, 3\ns_set_gpr_idx_idx s41\nv_mov_b32 v200, v31\n"
              "s_set_gpr_idx_off\nv_mov_b32 v201, v30");
  kernel.expectRegisters("s_set_gpr_idx_idx, destination", 203, 1,
                         [&](unsigned lane, u32 *want) { want[0] = kernel.data[1][lane]; });
  kernel.expectRegisters("s_set_gpr_idx_off", 201, 1,
                         [&](unsigned lane, u32 *want) { want[0] = kernel.data[0][lane]; });
  kernel.line("s_set_gpr_idx_on s40, 0x8\ns_set_gpr_idx_mode 0x1\nv_mov_b32 v200, v33\ns_set_gpr_idx_off");
  kernel.expectRegisters("s_set_gpr_idx_mode", 200, 1,
                         [&](unsigned lane, u32 *want) { want[0] = kernel.data[5][lane]; });
  std::vector<std::string> names = knownMnemonics();
  if (std::find(names.begin(), names.end(), "s_movrels_b32") != names.end()) {
    kernel.line(
        "s_mov_b32 m0, 2\ns_mov_b32 s40, 1\ns_mov_b32 s41, 2\ns_mov_b32 s42, 3\ns_mov_b32 s43, 4\ns_nop 1\n"
        "s_movrels_b32 s44, s40\ns_movrels_b64 s[46:47], s[40:41]\ns_movreld_b32 s48, s43\n"
        "s_movreld_b64 s[52:53], s[42:43]");
    expectScalar(kernel, "s_movrels_b32", 44, 3);
    expectScalar(kernel, "s_movrels_b64", 47, 4);
    expectScalar(kernel, "s_movreld_b32", 50, 4);
    expectScalar(kernel, "s_movreld_b64", 55, 4);
  }
  kernel.finish();
}

INSTANTIATE_TEST_SUITE_P(Chips, ProgramReference, ::testing::ValuesIn(bothChips),
                         [](const auto &info) { return std::string(info.param); });

const Covers covers({"s_branch",
                     "s_cbranch_scc0",
                     "s_cbranch_scc1",
                     "s_cbranch_vccz",
                     "s_cbranch_vccnz",
                     "s_cbranch_execz",
                     "s_cbranch_execnz",
                     "s_call_b64",
                     "s_setpc_b64",
                     "s_getpc_b64",
                     "s_swappc_b64",
                     "s_nop",
                     "s_waitcnt",
                     "s_sleep",
                     "s_setprio",
                     "s_sethalt",
                     "s_barrier",
                     "s_icache_inv",
                     "s_dcache_inv",
                     "s_dcache_wb",
                     "s_incperflevel",
                     "s_decperflevel",
                     "s_ttracedata",
                     "buffer_inv",
                     "buffer_wbl2",
                     "s_sendmsg",
                     "s_setreg_b32",
                     "s_setreg_imm32_b32",
                     "s_getreg_b32",
                     "s_set_gpr_idx_on",
                     "s_set_gpr_idx_off",
                     "s_set_gpr_idx_idx",
                     "s_set_gpr_idx_mode",
                     "s_movrels_b32",
                     "s_movrels_b64",
                     "s_movreld_b32",
                     "s_movreld_b64",
                     "s_endpgm",
                     "s_dcache_inv_vol",
                     "s_dcache_wb_vol",
                     "s_wakeup",
                     "v_clrexcp",
                     "s_dcache_discard",
                     "s_dcache_discard_x2",
                     "s_atc_probe",
                     "s_atc_probe_buffer",
                     "s_cbranch_cdbgsys",
                     "s_cbranch_cdbguser",
                     "s_cbranch_cdbgsys_or_user",
                     "s_cbranch_cdbgsys_and_user",
                     "s_setvskip",
                     "s_setkill",
                     "s_sendmsghalt",
                     "s_trap"});

} // namespace
