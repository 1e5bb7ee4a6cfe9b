// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot loop of kernels written in assembly, every number of it counted by hand.

#include "lowp/Driver/LoopCounts.h"
#include "../Sim/TestKernel.h"

using namespace lowp;
using sim::InstructionKind;

static std::optional<sim::MachineFunction> functionOf(llvm::StringRef chip, llvm::StringRef body) {
  std::vector<char> code = sim::test::kernelText(chip, body);
  llvm::Expected<HsaCodeObject> object =
      HsaCodeObject::create({llvm::StringRef(code.data(), code.size()), "test"});
  if (!object) {
    ADD_FAILURE() << llvm::toString(object.takeError());
    return std::nullopt;
  }
  llvm::Expected<std::vector<sim::MachineFunction>> functions = sim::disassemble(*object);
  if (!functions) {
    ADD_FAILURE() << llvm::toString(functions.takeError());
    return std::nullopt;
  }
  EXPECT_EQ(functions->size(), 1u);
  return functions->front();
}

static std::optional<LoopCounts> hotLoop(llvm::StringRef chip, llvm::StringRef body) {
  std::optional<sim::MachineFunction> function = functionOf(chip, body);
  return function ? countHotLoop(*function, *Target::get(chip)) : std::nullopt;
}

static std::string loopOf(llvm::StringRef label, llvm::StringRef body) {
  return ("." + label + ":\n" + body + "s_add_u32 s5, s5, 1\ns_cmp_lt_u32 s5, 3\ns_cbranch_scc1 ." + label +
          "\n")
      .str();
}

static const char *const product = "v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]\n";

TEST(LoopCounts, EveryKindAndItsClocks) {
  std::optional<LoopCounts> loop = hotLoop("gfx950", loopOf("L", R"(
    ds_read_b128 v[8:11], v0
    ds_read2_b32 v[12:13], v0 offset1:1
    buffer_load_dword v0, s[8:11], 0 offen lds
    global_load_dword v20, v0, s[8:9]
    global_store_dword v0, v20, s[8:9]
    s_waitcnt vmcnt(3)
    s_waitcnt vmcnt(0) lgkmcnt(2)
    v_mfma_f32_32x32x64_f8f6f4 a[0:15], v[0:7], v[8:15], a[0:15]
    s_waitcnt vmcnt(3)
    v_mfma_f32_32x32x64_f8f6f4 a[0:15], v[0:3], v[8:11], a[0:15] cbsz:4 blgp:4
    v_add_f32 v1, v1, v2
    v_exp_f32 v1, v1
    v_accvgpr_read_b32 v3, a0
    s_nop 3
    ds_write_b64 v0, v[2:3]
    scratch_load_dword v4, off, off
    s_barrier
  )"));
  ASSERT_TRUE(loop);
  const std::pair<InstructionKind, unsigned> expected[] = {{InstructionKind::Matrix, 2},
                                                           {InstructionKind::Valu, 1},
                                                           {InstructionKind::Transcendental, 1},
                                                           {InstructionKind::AccumulatorCopy, 1},
                                                           {InstructionKind::Salu, 2},
                                                           {InstructionKind::Smem, 0},
                                                           {InstructionKind::LdsRead, 2},
                                                           {InstructionKind::LdsWrite, 1},
                                                           {InstructionKind::LdsDma, 1},
                                                           {InstructionKind::VmemLoad, 1},
                                                           {InstructionKind::VmemStore, 1},
                                                           {InstructionKind::Atomic, 0},
                                                           {InstructionKind::Scratch, 1},
                                                           {InstructionKind::Branch, 1},
                                                           {InstructionKind::Wait, 3},
                                                           {InstructionKind::Barrier, 1},
                                                           {InstructionKind::Nop, 1},
                                                           {InstructionKind::Other, 0}};
  static_assert(std::size(expected) == sim::numInstructionKinds);
  for (auto [kind, count] : expected)
    EXPECT_EQ(loop->of(kind), count) << unsigned(kind);
  EXPECT_EQ(loop->instructions, 20u);
  EXPECT_EQ(loop->waitStates, 4u);
  EXPECT_EQ(loop->vmcnt, (std::map<unsigned, unsigned>{{0, 1}, {3, 2}}));
  EXPECT_EQ(loop->lgkmcnt, (std::map<unsigned, unsigned>{{2, 1}}));
  EXPECT_EQ(loop->matrixClocks, 64u + 32u); // 8-bit operands take twice the clocks of 4-bit ones
  EXPECT_EQ(loop->valuClocks, 4u + 8u + 4u);
  EXPECT_EQ(loop->ldsClocks, 4u + 2 * 1u + 2u + 4u);
  EXPECT_EQ(loop->longestRun, 10u + 7u); // behind the last product, and on before the first
  EXPECT_EQ(loop->multiplyAdds, 2.0 * 32 * 32 * 64);
  EXPECT_EQ(loop->overhead(), 18 * 8.0);
}

TEST(LoopCounts, OtherChipsHaveOtherClocks) {
  std::optional<LoopCounts> loop = hotLoop(
      "gfx942", loopOf("L", "ds_read_b128 v[8:11], v0\nds_write_b128 v0, v[8:11]\nv_exp_f32 v1, v1\n" +
                                std::string(product)));
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->matrixClocks, 16u);
  EXPECT_EQ(loop->valuClocks, 16u);
  EXPECT_EQ(loop->ldsClocks, 8u + 8u);
}

TEST(LoopCounts, TheInnermostLoopWithTheMostProducts) {
  std::string two = std::string(product) + product, inner = loopOf("Inner", two);
  std::optional<LoopCounts> loop = hotLoop(
      "gfx942", loopOf("First", product) + loopOf("Outer", product + inner + two) + loopOf("Last", product));
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->of(InstructionKind::Matrix), 2u);
  EXPECT_EQ(loop->depth, 2u);
  EXPECT_EQ(loop->instructions, 5u);
  EXPECT_EQ(loop->longestRun, 3u);
}

TEST(LoopCounts, ALoopWithoutProductsInsideIsPartOfTheTrip) {
  std::optional<LoopCounts> loop = hotLoop("gfx942", loopOf("Outer", product + loopOf("Inner", "s_nop 0\n")));
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->depth, 1u);
  EXPECT_EQ(loop->instructions, 8u);
  EXPECT_EQ(loop->waitStates, 1u);
}

TEST(LoopCounts, NoneWithoutProductsInALoop) {
  EXPECT_FALSE(hotLoop("gfx942", product + loopOf("L", "s_nop 0\n")));
  EXPECT_FALSE(hotLoop("gfx942", ""));
}

TEST(LoopCounts, BytesUnderWayAtTheWaitsOfALoop) {
  // Five accesses a trip, one of them a store. A wave comes to the first wait with eight outstanding, 34
  // bytes of a lane, to the second with six, 37 bytes.
  std::optional<LoopCounts> loop =
      hotLoop("gfx950", loopOf("L", "s_waitcnt vmcnt(4)\n" + std::string(product) + R"(
    global_load_dwordx4 v[20:23], v0, s[8:9]
    global_load_dwordx2 v[24:25], v0, s[8:9]
    s_waitcnt vmcnt(5)
    buffer_load_dword v0, s[8:11], 0 offen lds
    global_store_dword v0, v20, s[8:9]
    global_load_ubyte v26, v0, s[8:9]
  )"));
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->loads.bytes, 64u * (16 + 8 + 4 + 1));
  EXPECT_EQ(loop->loads.inFlight, 64u * (4 + 0 + 1 + 16 + 8 + 4 + 0 + 1));
  EXPECT_EQ(loop->loads.instructions, loop->instructions);
  EXPECT_DOUBLE_EQ(loop->loads.instructionsPerKiB(), loop->instructions / (29.0 / 16));
}

TEST(LoopCounts, LoadsOfCodeWithoutALoop) {
  std::optional<sim::MachineFunction> function = functionOf("gfx942", R"(
    global_load_dwordx4 v[20:23], v0, s[8:9]
    global_load_dwordx4 v[24:27], v0, s[8:9]
    s_waitcnt vmcnt(1)
    global_load_dword v28, v0, s[8:9]
    s_waitcnt vmcnt(0)
  )" + std::string(product) + "global_load_dwordx4 v[20:23], v0, s[8:9]\n");
  ASSERT_TRUE(function);
  std::optional<LoadCounts> loads = countStraightLoads(*function);
  ASSERT_TRUE(loads);
  EXPECT_EQ(loads->bytes, 64u * (16 + 16 + 4));
  EXPECT_EQ(loads->inFlight, 64u * (16 + 16));
  EXPECT_EQ(loads->instructions, 6u);
  function = functionOf("gfx942", "global_load_dwordx4 v[20:23], v0, s[8:9]\n");
  ASSERT_TRUE(function);
  EXPECT_FALSE(countStraightLoads(*function));
}
