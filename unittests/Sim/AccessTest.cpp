// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global, flat, buffer and scratch memory against the references: every width, every form of address, data in
// v and in a registers, partial EXEC.

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

std::string registers(char file, unsigned reg, unsigned count) {
  return count == 1 ? formatv("{0}{1}", file, reg).str()
                    : formatv("{0}[{1}:{2}]", file, reg, reg + count - 1).str();
}
/// One way of saying an address: %d stands for the data. All forms meet lane16 + where, relative to the base.
struct Form {
  std::string family, setup, operands;
  int where;
};

/// Needs s[20:21]: descriptors in s[24:27] (bytes) and s[28:31] (records of 16), v[12:13] addresses, v[14:15]
/// index and offset.
std::string addressSetup() {
  return "v_mov_b32 v13, s21\nv_add_co_u32 v12, vcc, s20, v10\ns_nop 4\nv_addc_co_u32 v13, vcc, 0, v13, vcc\n"
         "s_mov_b32 s24, s20\ns_and_b32 s25, s21, 0xffff\ns_movk_i32 s26, 0x500\ns_mov_b32 s27, 0x20000\n"
         "s_mov_b32 s28, s20\ns_or_b32 s29, s25, 0x100000\ns_movk_i32 s30, 0x50\ns_mov_b32 s31, 0x20000\n"
         "s_movk_i32 s60, 0x20\nv_mov_b32 v14, v11\nv_mov_b32 v15, 16\n";
}
/// `load`: the data come first; stores of global and flat say the address first.
std::vector<Form> forms(bool dataFirst, int at) {
  auto vector = [&](const std::string &family, const std::string &address, const std::string &rest) {
    return family + (dataFirst ? "%d, " + address : address + ", %d") + rest;
  };
  std::vector<Form> list;
  for (int more : {0, 64, -32}) {
    int offset = at + more;
    std::string text = offset ? formatv(" offset:{0}", offset).str() : "";
    list.push_back({"global_", "", vector("", "v10", ", s[20:21]" + text), offset});
    list.push_back({"global_", "", vector("", "v[12:13]", ", off" + text), offset});
    if (offset >= 0)
      list.push_back({"flat_", "", vector("", "v[12:13]", text), offset});
  }
  std::string text = at ? formatv(" offset:{0}", at).str() : "";
  list.push_back({"buffer_", "", "%d, v10, s[24:27], 0 offen" + text, at});
  list.push_back({"buffer_", "", "%d, v10, s[24:27], s60 offen" + text, at + 32});
  list.push_back({"buffer_", "", "%d, v11, s[28:31], 0 idxen" + text, at});
  list.push_back({"buffer_", "", "%d, v[14:15], s[28:31], s60 idxen offen" + text, at + 48});
  return list;
}
std::string withData(const std::string &operands, const std::string &data) {
  std::string text = operands;
  return text.replace(text.find("%d"), 2, data);
}

void testLoads(const char *chip) {
  AccessKernel kernel(chip);
  kernel.useSlot(0);
  kernel.line(addressSetup());
  for (const Access &access : vectorLoads())
    for (const Form &form : forms(true, access.bytes < 4 ? int(kernel.random() % (5 - access.bytes)) /
                                                               int(access.bytes) * int(access.bytes)
                                                         : 0)) {
      const std::string name = form.family + "load_" + access.name;
      const unsigned n = access.dwords();
      bool acc = kernel.random() % 3 == 0;
      u64 exec = kernel.someLanes();
      for (unsigned i = 0; i < n; ++i)
        kernel.line(acc ? formatv("v_accvgpr_write_b32 a{0}, v{1}", 8 + i, 30 + i)
                        : formatv("v_mov_b32 v{0}, v{1}", 200 + i, 30 + i));
      std::string text =
          name + " " + withData(form.operands, acc ? registers('a', 8, n) : registers('v', 200, n));
      kernel.run(text, exec);
      for (unsigned i = 0; i < n && acc; ++i)
        kernel.line(formatv("v_accvgpr_read_b32 v{0}, a{1}", 200 + i, 8 + i));
      kernel.expectRegisters(text, 200, n, [&kernel, access, form, exec](unsigned lane, u32 *want) {
        for (unsigned i = 0; i < access.dwords(); ++i)
          want[i] = kernel.data[i][lane];
        if (exec >> lane & 1)
          load(access, kernel.base(0) + kernel.lane16[lane] + form.where, want);
      });
    }
  kernel.finish();
}

void testStores(const char *chip) {
  AccessKernel kernel(chip);
  for (const Access &access : vectorStores())
    for (const Form &form : forms(false, access.bytes < 4 ? 2 : 0)) {
      const std::string name = form.family + "store_" + access.name;
      const unsigned n = access.dwords();
      const unsigned slot = kernel.newSlot('r');
      kernel.line(addressSetup());
      bool acc = kernel.random() % 3 == 0;
      u64 exec = kernel.someLanes();
      for (unsigned i = 0; i < n && acc; ++i)
        kernel.line(formatv("v_accvgpr_write_b32 a{0}, v{1}", 8 + i, 30 + i));
      std::string text =
          name + " " + withData(form.operands, acc ? registers('a', 8, n) : registers('v', 30, n));
      kernel.run(text, exec);
      kernel.expectSlot(text, slot, [&kernel, access, form, exec](u8 *base) {
        for (unsigned lane = 0; lane < 64; ++lane)
          if (exec >> lane & 1) {
            u32 values[4];
            for (unsigned i = 0; i < 4; ++i)
              values[i] = kernel.data[i][lane];
            store(access, values, base + kernel.lane16[lane] + form.where);
          }
      });
    }
  kernel.finish();
}

void testAtomics(const char *chip) {
  AccessKernel kernel(chip);
  // Data by type: v30,v31 integers; v32 f32; v[34:35] f64; v36, v37 pairs of halves; v[38:41] integers of 64
  // bits.
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned row : {0, 1})
      kernel.data[row][lane] = u32(kernel.value('i', 4));
    kernel.data[2][lane] = u32(kernel.value('f', 4));
    u64 wide = kernel.value('d', 8);
    kernel.data[4][lane] = u32(wide);
    kernel.data[5][lane] = u32(wide >> 32);
    kernel.data[6][lane] = u32(kernel.value('H', 4));
    kernel.data[7][lane] = u32(kernel.value('B', 4));
    for (unsigned row : {8, 10}) {
      wide = kernel.value('i', 8);
      kernel.data[row][lane] = u32(wide);
      kernel.data[row + 1][lane] = u32(wide >> 32);
    }
  }
  for (const Atomic &atomic : vectorAtomics())
    for (bool returns : {false, true})
      for (Form form : forms(false, 0)) {
        const std::string name = form.family + "atomic_" + atomic.name;
        if (!findOp(name))
          continue;
        const unsigned n = atomic.bytes / 4;
        const unsigned row = atomic.type == 'f'   ? 2
                             : atomic.type == 'd' ? 4
                             : atomic.type == 'H' ? 6
                             : atomic.type == 'B' ? 7
                             : n == 2             ? 8
                                                  : 0;
        std::string data = registers('v', 30 + row, n * atomic.data), text = name + " ";
        bool buffer = form.family == "buffer_";
        if (returns && buffer && atomic.data == 2) // the result comes over the data
          data = registers('v', 200, n * 2);
        else if (returns && buffer)
          data = registers('v', 200, n);
        if (returns && !buffer)
          text += registers('v', 200, n) + ", ";
        text += withData(form.operands, data) + (returns ? " sc0" : "");
        if (!kernel.exists(text))
          continue;
        const unsigned slot = kernel.newSlot(atomic.type == 'i' && n == 2 ? 'I' : atomic.type);
        kernel.line(addressSetup());
        for (unsigned i = 0; i < n * (buffer ? atomic.data : 1); ++i)
          kernel.line(formatv("v_mov_b32 v{0}, v{1}", 200 + i, 30 + row + i));
        if (atomic.data == 2) // some comparands match
          for (unsigned lane = 0; lane < 64; lane += 2) {
            u8 *at = kernel.base(slot) + kernel.lane16[lane] + form.where;
            for (unsigned i = 0; i < n; ++i)
              std::memcpy(at + 4 * i, &kernel.data[row + n + i][lane], 4);
          }
        u64 exec = kernel.someLanes();
        kernel.run(text, exec);
        auto word = [&kernel, row, n](unsigned lane, unsigned which) {
          u64 x = kernel.data[row + which * n][lane];
          return n == 2 ? x | u64(kernel.data[row + which * n + 1][lane]) << 32 : x;
        };
        const char type = atomic.type;
        kernel.expectSlot(
            text, slot,
            [&kernel, atomic, form, exec, word](u8 *base) {
              for (unsigned lane = 0; lane < 64; ++lane)
                if (exec >> lane & 1) {
                  u64 old = 0, operands[2] = {word(lane, 0), atomic.data == 2 ? word(lane, 1) : 0};
                  u8 *at = base + kernel.lane16[lane] + form.where;
                  std::memcpy(&old, at, atomic.bytes);
                  u64 result = atomic.result(old, operands);
                  std::memcpy(at, &result, atomic.bytes);
                }
            },
            type);
        if (returns)
          kernel.expectRegisters(text, 200, n, [&kernel, slot, form, exec, n, row](unsigned lane, u32 *want) {
            for (unsigned i = 0; i < n; ++i)
              want[i] = kernel.data[row + i][lane];
            if (exec >> lane & 1)
              std::memcpy(want, kernel.base(slot) + kernel.lane16[lane] + form.where, 4 * n);
          });
      }
  kernel.finish();
}

// Scratch memory is each lane's own: 256 bytes are filled by dwords, then read or partly overwritten.
void testScratch(const char *chip) {
  AccessKernel kernel(chip);
  kernel.line("s_movk_i32 s60, 0x40\nv_mov_b32 v16, 32");
  auto fill = [&] {
    for (unsigned i = 0; i < 16; ++i)
      kernel.run(formatv("scratch_store_dword off, v{0}, off offset:{1}", 30 + i, 64 + 4 * i));
  };
  auto bytesOf = [&kernel](unsigned lane) {
    std::vector<u8> bytes(64);
    for (unsigned i = 0; i < 16; ++i)
      std::memcpy(&bytes[4 * i], &kernel.data[i][lane], 4);
    return bytes;
  };
  fill();
  // Each at byte 32 of the filled part, plus `at`.
  auto addresses = [](int at) {
    return std::vector<std::string>{
        formatv("off, %d, off offset:{0}", 96 + at), formatv("v16, %d, off offset:{0}", 64 + at),
        formatv("off, %d, s60 offset:{0}", 32 + at), formatv("v16, %d, s60 offset:{0}", at)};
  };
  auto loadText = [](std::string text) { // loads say the data first
    size_t comma = text.find(", %d");
    return "%d, " + text.substr(0, comma) + text.substr(comma + 4);
  };
  for (const Access &access : vectorLoads())
    for (const std::string &address : addresses(access.bytes < 4 ? 2 : 0)) {
      const unsigned n = access.dwords();
      u64 exec = kernel.someLanes();
      for (unsigned i = 0; i < n; ++i)
        kernel.line(formatv("v_mov_b32 v{0}, v{1}", 200 + i, 40 + i));
      std::string text =
          "scratch_load_" + access.name + " " + withData(loadText(address), registers('v', 200, n));
      kernel.run(text, exec);
      kernel.expectRegisters(text, 200, n, [&kernel, access, exec, bytesOf](unsigned lane, u32 *want) {
        for (unsigned i = 0; i < access.dwords(); ++i)
          want[i] = kernel.data[10 + i][lane];
        if (exec >> lane & 1)
          load(access, bytesOf(lane).data() + 32 + (access.bytes < 4 ? 2 : 0), want);
      });
    }
  for (const Access &access : vectorStores())
    for (const std::string &address : addresses(access.bytes < 4 ? 2 : 0)) {
      fill();
      u64 exec = kernel.someLanes();
      std::string text =
          "scratch_store_" + access.name + " " + withData(address, registers('v', 32, access.dwords()));
      kernel.run(text, exec);
      kernel.run("scratch_load_dwordx4 v[200:203], off, off offset:96");
      kernel.expectRegisters(text, 200, 4, [&kernel, access, exec, bytesOf](unsigned lane, u32 *want) {
        std::vector<u8> bytes = bytesOf(lane);
        u32 values[4];
        for (unsigned i = 0; i < 4; ++i)
          values[i] = kernel.data[2 + i][lane];
        if (exec >> lane & 1)
          store(access, values, bytes.data() + 32 + (access.bytes < 4 ? 2 : 0));
        std::memcpy(want, bytes.data() + 32, 16);
      });
    }
  kernel.finish();
}

const Covers covers = [] {
  std::vector<std::string> names;
  for (std::string family : {"global_", "flat_", "buffer_", "scratch_"}) {
    for (const Access &access : vectorLoads())
      names.push_back(family + "load_" + access.name);
    for (const Access &access : vectorStores())
      names.push_back(family + "store_" + access.name);
    if (family != "scratch_")
      for (const Atomic &atomic : vectorAtomics())
        names.push_back(family + "atomic_" + atomic.name);
  }
  return Covers(names);
}();

class AccessReference : public ::testing::TestWithParam<const char *> {};
TEST_P(AccessReference, Loads) { testLoads(GetParam()); }
TEST_P(AccessReference, Stores) { testStores(GetParam()); }
TEST_P(AccessReference, Atomics) { testAtomics(GetParam()); }
TEST_P(AccessReference, Scratch) { testScratch(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Chips, AccessReference, ::testing::ValuesIn(bothChips),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
