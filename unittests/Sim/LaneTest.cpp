// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that move values between lanes, or between the register files, and scalar memory.

#include "AccessKernel.h"
#include "Inst.h"
#include "Reference/Covered.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;
using namespace lowp::sim::reference;

namespace {

using u8 = uint8_t;
using u32 = uint32_t;
using u64 = uint64_t;

class LaneReference : public ::testing::TestWithParam<const char *> {};

TEST_P(LaneReference, BetweenLanes) {
  AccessKernel kernel(GetParam());
  for (u64 exec : {~u64(0), kernel.random() & ~u64(0xff), u64(0)}) {
    kernel.run("v_readfirstlane_b32 s40, v31", exec);
    kernel.line("v_mov_b32 v200, s40");
    kernel.expectRegisters("v_readfirstlane_b32", 200, 1, [&kernel, exec](unsigned, u32 *want) {
      unsigned first = 0;
      while (first < 63 && !(exec >> first & 1) && exec)
        ++first;
      want[0] = kernel.data[1][exec ? first : 0];
    });
  }
  for (unsigned i = 0; i < 12; ++i) {
    unsigned lane = unsigned(kernel.random() % 64), select = lane + (i % 3 == 1 ? 64 * 5 : 0);
    u64 exec = kernel.someLanes();
    std::string by = i % 3 == 0 ? std::to_string(lane) : i % 3 == 1 ? "s41" : "m0";
    kernel.line(formatv("s_movk_i32 s41, {0}\ns_mov_b32 m0, {0}", select));
    kernel.run("v_readlane_b32 s40, v31, " + by, exec);
    kernel.line("v_mov_b32 v200, s40");
    kernel.expectRegisters("v_readlane_b32 by " + by, 200, 1,
                           [&kernel, lane](unsigned, u32 *want) { want[0] = kernel.data[1][lane]; });
    kernel.line("v_mov_b32 v200, v32\ns_mov_b32 s42, 0x12345678");
    kernel.run(std::string("v_writelane_b32 v200, ") + (i % 2 ? "s42, " : "-7, ") +
                   (i % 3 == 1 ? (i % 2 ? "m0" : "s41") : by),
               exec);
    kernel.expectRegisters("v_writelane_b32 by " + by, 200, 1, [&kernel, lane, i](unsigned at, u32 *want) {
      want[0] = at == lane ? (i % 2 ? 0x12345678 : u32(-7)) : kernel.data[2][at];
    });
  }
  for (u64 exec : {~u64(0), kernel.random()}) {
    kernel.line("v_mov_b32 v200, v31\nv_mov_b32 v201, v32");
    kernel.run("v_swap_b32 v200, v201", exec);
    kernel.expectRegisters("v_swap_b32", 200, 2, [&kernel, exec](unsigned lane, u32 *want) {
      want[0] = kernel.data[exec >> lane & 1 ? 2 : 1][lane];
      want[1] = kernel.data[exec >> lane & 1 ? 1 : 2][lane];
    });
  }
  if (std::string(GetParam()) == "gfx950")
    for (unsigned half : {16u, 32u}) {
      kernel.line("v_mov_b32 v200, v31\nv_mov_b32 v201, v32");
      kernel.run(formatv("v_permlane{0}_swap_b32 v200, v201", half));
      // The first register's odd halves change places with the second's even ones.
      kernel.expectRegisters(formatv("v_permlane{0}_swap_b32", half), 200, 2,
                             [&kernel, half](unsigned lane, u32 *want) {
                               bool odd = lane / half % 2;
                               want[0] = odd ? kernel.data[2][lane - half] : kernel.data[1][lane];
                               want[1] = odd ? kernel.data[2][lane] : kernel.data[1][lane + half];
                             });
    }
  for (u64 exec : {~u64(0), kernel.random()}) {
    kernel.line("v_accvgpr_write_b32 a8, v31\nv_accvgpr_write_b32 a9, v32\nv_accvgpr_write_b32 a10, v33\n"
                "v_mov_b32 v200, v34");
    kernel.run("v_accvgpr_write_b32 a8, v35", exec);
    kernel.run("v_accvgpr_mov_b32 a9, a10", exec);
    kernel.run("v_accvgpr_read_b32 v200, a8", exec);
    kernel.line("s_nop 4\nv_accvgpr_read_b32 v201, a9\nv_accvgpr_write_b32 a10, -5\ns_nop "
                "4\nv_accvgpr_read_b32 v202, a10");
    kernel.expectRegisters("v_accvgpr_*", 200, 3, [&kernel, exec](unsigned lane, u32 *want) {
      bool active = exec >> lane & 1;
      want[0] = kernel.data[active ? 5 : 4][lane];
      want[1] = kernel.data[active ? 3 : 2][lane];
      want[2] = u32(-5);
    });
  }
  kernel.line("v_nop\ns_nop 3");
  kernel.finish();
}

/// The words of a slot at an offset from its base, copied to every lane.
TEST_P(LaneReference, ScalarMemory) {
  AccessKernel kernel(GetParam());
  kernel.useSlot(0);
  kernel.line(
      "s_mov_b32 s24, s20\ns_and_b32 s25, s21, 0xffff\ns_movk_i32 s26, 0x100\ns_mov_b32 s27, 0x20000\n"
      "s_movk_i32 s60, 0x44");
  auto expectWords = [&](const std::string &text, unsigned words, int at, int limit) {
    for (unsigned i = 0; i < words; i += 4) {
      unsigned n = std::min(4u, words - i);
      for (unsigned k = 0; k < n; ++k)
        kernel.line(formatv("v_mov_b32 v{0}, s{1}", 200 + k, 64 + i + k));
      kernel.expectRegisters(text, 200, n, [&kernel, at, i, n, limit](unsigned, u32 *want) {
        for (unsigned k = 0; k < n; ++k) {
          int byte = at + 4 * int(i + k);
          if (byte < limit)
            std::memcpy(want + k, kernel.base(0) + byte, 4);
          else
            want[k] = 0;
        }
      });
    }
  };
  for (unsigned words : {1u, 2u, 4u, 8u, 16u}) {
    std::string width = words == 1 ? "" : "x" + std::to_string(words);
    std::string to = words == 1 ? "s64" : formatv("s[64:{0}]", 63 + words).str();
    for (auto [address, at] : {std::pair("s[20:21], 0x0", 0), std::pair("s[20:21], 0x7c", 0x7c),
                               std::pair("s[20:21], -0x14", -0x14), std::pair("s[20:21], s60", 0x44),
                               std::pair("s[20:21], s60 offset:0x10", 0x54)}) {
      std::string text = "s_load_dword" + width + " " + to + ", " + address;
      kernel.run(text);
      expectWords(text, words, at, 10000);
    }
    for (auto [address, at] : {std::pair("s[24:27], 0x10", 0x10), std::pair("s[24:27], s60", 0x44),
                               std::pair("s[24:27], 0xf8", 0xf8)}) {
      std::string text = "s_buffer_load_dword" + width + " " + to + ", " + address;
      kernel.run(text);
      expectWords(text, words, at, 0x100);
    }
  }
  for (unsigned words : {1u, 2u, 4u}) {
    std::string width = words == 1 ? "" : "x" + std::to_string(words);
    std::string from = words == 1 ? "s40" : formatv("s[40:{0}]", 39 + words).str();
    for (std::string family : {"s_store_dword", "s_buffer_store_dword"}) {
      if (!findOp(family + width))
        continue;
      unsigned slot = kernel.newSlot('r');
      kernel.line("s_mov_b32 s24, s20\ns_and_b32 s25, s21, 0xffff\ns_mov_b32 s40, 0x11223344\ns_mov_b32 s41, "
                  "0x55667788\n"
                  "s_mov_b32 s42, 0x99aabbcc\ns_mov_b32 s43, 0xddeeff00");
      std::string text =
          family + width + " " + from + (family[2] == 'b' ? ", s[24:27], 0x20" : ", s[20:21], 0x20");
      kernel.run(text);
      kernel.expectSlot(text, slot, [words](u8 *base) {
        const u32 values[] = {0x11223344, 0x55667788, 0x99aabbcc, 0xddeeff00};
        std::memcpy(base + 0x20, values, 4 * words);
      });
    }
  }
  for (const Atomic &atomic : vectorAtomics())
    for (std::string family : {"s_atomic_", "s_buffer_atomic_"})
      for (bool returns : {false, true}) {
        if (atomic.type != 'i' || !findOp(family + atomic.name))
          continue;
        const unsigned n = atomic.bytes / 4, all = n * atomic.data;
        unsigned slot = kernel.newSlot(n == 2 ? 'I' : 'i');
        u64 operands[2] = {kernel.value('i', atomic.bytes), kernel.value('i', atomic.bytes)};
        if (n == 1)
          operands[0] &= 0xffffffff, operands[1] &= 0xffffffff;
        if (atomic.data == 2 && returns) {
          operands[1] = 0;
          std::memcpy(&operands[1], kernel.base(slot) + 0x20, atomic.bytes);
        }
        kernel.line("s_mov_b32 s24, s20\ns_and_b32 s25, s21, 0xffff");
        for (unsigned i = 0; i < all; ++i)
          kernel.line(formatv("s_mov_b32 s{0}, {1:x}", 64 + i, u32(operands[i / n] >> i % n * 32)));
        std::string data = all == 1 ? "s64" : formatv("s[64:{0}]", 63 + all).str();
        std::string text = family + atomic.name + " " + data +
                           (family[2] == 'b' ? ", s[24:27], 0x20" : ", s[20:21], 0x20") +
                           (returns ? " glc" : "");
        kernel.run(text);
        kernel.expectSlot(text, slot, [atomic, a = operands[0], b = operands[1]](u8 *base) {
          u64 old = 0, both[2] = {a, b};
          std::memcpy(&old, base + 0x20, atomic.bytes);
          u64 result = atomic.result(old, both);
          std::memcpy(base + 0x20, &result, atomic.bytes);
        });
        for (unsigned i = 0; i < n; ++i)
          kernel.line(formatv("v_mov_b32 v{0}, s{1}", 200 + i, 64 + i));
        kernel.expectRegisters(text, 200, n,
                               [&kernel, slot, n, returns, a = operands[0]](unsigned, u32 *want) {
                                 u64 value = a;
                                 if (returns)
                                   std::memcpy(&value, kernel.base(slot) + 0x20, 4 * n);
                                 std::memcpy(want, &value, 4 * n);
                               });
      }
  // Time does not run backwards.
  for (std::string clock : {"s_memtime", "s_memrealtime"}) {
    kernel.run(clock + " s[64:65]");
    kernel.run(clock + " s[66:67]");
    kernel.line("s_sub_u32 s66, s66, s64\ns_subb_u32 s67, s67, s65\nv_mov_b32 v200, s67");
    kernel.expectRegisters(clock, 200, 1, [](unsigned, u32 *want) { want[0] = 0; });
  }
  kernel.finish();
}

INSTANTIATE_TEST_SUITE_P(Chips, LaneReference, ::testing::ValuesIn(bothChips),
                         [](const auto &info) { return std::string(info.param); });

const Covers covers = [] {
  std::vector<std::string> names = {"v_readfirstlane_b32",
                                    "v_readlane_b32",
                                    "v_writelane_b32",
                                    "v_swap_b32",
                                    "v_permlane16_swap_b32",
                                    "v_permlane32_swap_b32",
                                    "v_accvgpr_read_b32",
                                    "v_accvgpr_write_b32",
                                    "v_accvgpr_mov_b32",
                                    "v_nop",
                                    "s_memtime",
                                    "s_memrealtime"};
  for (std::string width : {"", "x2", "x4", "x8", "x16"}) {
    names.push_back("s_load_dword" + width);
    names.push_back("s_buffer_load_dword" + width);
  }
  for (std::string width : {"", "x2", "x4"}) {
    names.push_back("s_store_dword" + width);
    names.push_back("s_buffer_store_dword" + width);
  }
  for (const Atomic &atomic : vectorAtomics())
    if (atomic.type == 'i') {
      names.push_back("s_atomic_" + atomic.name);
      names.push_back("s_buffer_atomic_" + atomic.name);
    }
  return Covers(names);
}();

} // namespace
