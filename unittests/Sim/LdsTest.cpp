// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LDS instructions against the references: widths, pairs, atomics, permutations, transposed reads, and copies
// from global memory to LDS.

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

std::string range(unsigned reg, unsigned count) {
  return count == 1 ? formatv("v{0}", reg).str() : formatv("v[{0}:{1}]", reg, reg + count - 1).str();
}

/// The first 1024 bytes of LDS hold v[32:35] of the lanes, 16 bytes each; v9 is 16 times the lane.
class LdsKernel : public AccessKernel {
public:
  explicit LdsKernel(const char *chip) : AccessKernel(chip) { line("v_lshlrev_b32 v9, 4, v0"); }
  void fill() { run("ds_write_b128 v9, v[32:35]"); }
  std::vector<u8> filled() const {
    std::vector<u8> bytes(1024);
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned i = 0; i < 4; ++i)
        std::memcpy(&bytes[16 * lane + 4 * i], &data[2 + i][lane], 4);
    return bytes;
  }
  /// All of it afterwards.
  void expectLds(const std::string &what, std::function<void(std::vector<u8> &)> apply, char type = 'i') {
    run("ds_read_b128 v[240:243], v9");
    expectRegisters(
        what, 240, 4,
        [this, apply](unsigned lane, u32 *want) {
          std::vector<u8> bytes = filled();
          apply(bytes);
          std::memcpy(want, &bytes[16 * lane], 16);
        },
        type);
  }
  void initialise(unsigned dwords) {
    for (unsigned i = 0; i < dwords; ++i)
      line(formatv("v_mov_b32 v{0}, v{1}", 200 + i, 36 + i));
  }
};

void testReadsAndWrites(const char *chip) {
  LdsKernel kernel(chip);
  kernel.fill();
  for (const Access &access : ldsReads())
    for (unsigned offset : {0u, 4u}) {
      if (access.bytes > 4 && offset)
        continue;
      unsigned at = access.bytes < 4 ? offset + (access.bytes == 1 ? 3 : 2) : offset, n = access.dwords();
      bool acc = offset == 4;
      u64 exec = kernel.someLanes();
      for (unsigned i = 0; i < n; ++i)
        kernel.line(acc ? formatv("v_accvgpr_write_b32 a{0}, v{1}", 8 + i, 36 + i)
                        : formatv("v_mov_b32 v{0}, v{1}", 200 + i, 36 + i));
      std::string text =
          formatv("ds_read_{0} {1}, v10 offset:{2}", access.name, acc ? "a8" : range(200, n), at).str();
      kernel.run(text, exec);
      if (acc)
        kernel.line("v_accvgpr_read_b32 v200, a8");
      kernel.expectRegisters(text, 200, n, [&kernel, access, exec, at](unsigned lane, u32 *want) {
        for (unsigned i = 0; i < access.dwords(); ++i)
          want[i] = kernel.data[6 + i][lane];
        if (exec >> lane & 1)
          load(access, &kernel.filled()[kernel.lane16[lane] + at], want);
      });
    }
  for (const Access &access : ldsWrites()) {
    unsigned at = access.bytes == 1 ? 5 : access.bytes == 2 ? 6 : 0;
    kernel.fill();
    u64 exec = kernel.someLanes();
    std::string text =
        formatv("ds_write_{0} v10, {1} offset:{2}", access.name, range(36, access.dwords()), at).str();
    kernel.run(text, exec);
    kernel.expectLds(text, [&kernel, access, exec, at](std::vector<u8> &bytes) {
      for (unsigned lane = 0; lane < 64; ++lane)
        if (exec >> lane & 1) {
          u32 values[4];
          for (unsigned i = 0; i < 4; ++i)
            values[i] = kernel.data[6 + i][lane];
          store(access, values, &bytes[kernel.lane16[lane] + at]);
        }
    });
  }
  // Pairs: offsets count elements, or 64 elements.
  kernel.line("v_lshlrev_b32 v16, 2, v11\nv_lshlrev_b32 v17, 3, v11");
  struct Pair {
    const char *name;
    const char *address;
    unsigned scale, bytes, unit, offset0, offset1;
  };
  const Pair pairs[] = {{"2_b32", "v10", 16, 4, 4, 1, 3},
                        {"2_b64", "v10", 16, 8, 8, 1, 0},
                        {"2st64_b32", "v16", 4, 4, 256, 3, 1},
                        {"2st64_b64", "v17", 8, 8, 512, 0, 1}};
  for (const Pair &pair : pairs) {
    const unsigned n = pair.bytes / 4;
    auto addresses = [&kernel, pair](unsigned lane, unsigned which) {
      return kernel.laneIndex[lane] * pair.scale + (which ? pair.offset1 : pair.offset0) * pair.unit;
    };
    const std::string offsets = formatv(" offset0:{0} offset1:{1}", pair.offset0, pair.offset1);
    u64 exec = kernel.someLanes();
    kernel.fill();
    kernel.initialise(2 * n);
    std::string text =
        formatv("ds_read{0} {1}, {2}", pair.name, range(200, 2 * n), pair.address).str() + offsets;
    kernel.run(text, exec);
    kernel.expectRegisters(text, 200, 2 * n, [&kernel, exec, addresses, n](unsigned lane, u32 *want) {
      for (unsigned i = 0; i < 2 * n; ++i)
        want[i] = kernel.data[6 + i][lane];
      for (unsigned which = 0; which < 2 && exec >> lane & 1; ++which)
        std::memcpy(want + n * which, &kernel.filled()[addresses(lane, which)], 4 * n);
    });
    auto overwrite = [&kernel, exec, addresses, n](std::vector<u8> &bytes) {
      for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned which = 0; which < 2 && exec >> lane & 1; ++which)
          for (unsigned i = 0; i < n; ++i)
            std::memcpy(&bytes[addresses(lane, which) + 4 * i], &kernel.data[6 + 2 * which + i][lane], 4);
    };
    text = formatv("ds_write{0} {1}, {2}, {3}", pair.name, pair.address, range(36, n), range(38, n)).str() +
           offsets;
    kernel.run(text, exec);
    kernel.expectLds(text, overwrite);
    std::string name = std::string("ds_wrxchg") + pair.name;
    name.insert(name.find("_b"), "_rtn");
    if (findOp(name)) {
      kernel.fill();
      kernel.initialise(2 * n);
      text =
          formatv("{0} {1}, {2}, {3}, {4}", name, range(200, 2 * n), pair.address, range(36, n), range(38, n))
              .str() +
          offsets;
      kernel.run(text, exec);
      kernel.expectRegisters(text, 200, 2 * n, [&kernel, exec, addresses, n](unsigned lane, u32 *want) {
        for (unsigned i = 0; i < 2 * n; ++i)
          want[i] = kernel.data[6 + i][lane];
        for (unsigned which = 0; which < 2 && exec >> lane & 1; ++which)
          std::memcpy(want + n * which, &kernel.filled()[addresses(lane, which)], 4 * n);
      });
      kernel.expectLds(text, overwrite);
    }
  }
  kernel.finish();
}

void testAtomics(const char *chip) {
  LdsKernel kernel(chip);
  for (const Atomic &atomic : ldsAtomics()) {
    const std::string name = "ds_" + atomic.name;
    if (!findOp(name))
      continue;
    const unsigned n = atomic.bytes / 4;
    bool returns = name.find("_rtn") != std::string::npos;
    // Memory and data of the type: into v[32:35] and v[36:39] of this case.
    struct Values {
      u32 memory[4][64], data[4][64];
    };
    auto values = std::make_shared<Values>();
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned i = 0; i < 4; i += n)
        for (bool memory : {true, false}) {
          u64 x = kernel.value(atomic.type, atomic.bytes);
          u32 *rows[2] = {memory ? values->memory[i] : values->data[i],
                          n == 2 ? (memory ? values->memory[i + 1] : values->data[i + 1]) : nullptr};
          rows[0][lane] = u32(x);
          if (n == 2)
            rows[1][lane] = u32(x >> 32);
        }
    if (name.find("cmpst") != std::string::npos) // some comparands match
      for (unsigned lane = 0; lane < 64; lane += 2)
        for (unsigned i = 0; i < n; ++i)
          values->data[i][lane] = values->memory[i][kernel.laneIndex[lane]];
    // Through global memory into registers.
    const unsigned slot = kernel.newSlot('r'), second = kernel.newSlot('r');
    for (unsigned i = 0; i < 4; ++i) {
      std::memcpy(kernel.base(slot) + 256 * i, values->memory[i], 256);
      std::memcpy(kernel.base(second) + 256 * i, values->data[i], 256);
    }
    kernel.line("v_lshlrev_b32 v19, 2, v0");
    kernel.useSlot(slot);
    for (unsigned i = 0; i < 4; ++i)
      kernel.line(formatv("global_load_dword v{0}, v19, s[20:21] offset:{1}", 220 + i, 256 * i));
    kernel.line("s_waitcnt vmcnt(0)");
    kernel.useSlot(second);
    for (unsigned i = 0; i < 4; ++i)
      kernel.line(formatv("global_load_dword v{0}, v19, s[20:21] offset:{1}", 224 + i, 256 * i));
    kernel.run("s_waitcnt vmcnt(0)\nds_write_b128 v9, v[220:223]");
    kernel.initialise(n);
    std::string text = name + " " + (returns ? range(200, n) + ", " : "") + "v10, " + range(224, n);
    if (atomic.data == 2)
      text += ", " + range(224 + n, n);
    u64 exec = kernel.someLanes();
    kernel.run(text, exec);
    auto at = [values](unsigned index, unsigned i) { return values->memory[i][index]; };
    auto apply = [values, exec, atomic, n, &kernel, at](unsigned index, u32 *want) {
      for (unsigned i = 0; i < 4; ++i)
        want[i] = at(index, i);
      for (unsigned lane = 0; lane < 64; ++lane)
        if (kernel.laneIndex[lane] == index && exec >> lane & 1) {
          u64 old = 0, operands[2] = {};
          std::memcpy(&old, want, atomic.bytes);
          for (unsigned which = 0; which < 2; ++which)
            for (unsigned i = 0; i < n; ++i)
              operands[which] |= u64(values->data[which * n + i][lane]) << 32 * i;
          u64 result = atomic.result(old, operands);
          std::memcpy(want, &result, atomic.bytes);
        }
    };
    if (returns)
      kernel.expectRegisters(
          text, 200, n,
          [values, exec, n, &kernel, at](unsigned lane, u32 *want) {
            for (unsigned i = 0; i < n; ++i)
              want[i] = exec >> lane & 1 ? at(kernel.laneIndex[lane], i) : kernel.data[6 + i][lane];
          },
          atomic.type);
    kernel.run("ds_read_b128 v[240:243], v9");
    kernel.expectRegisters(text, 240, 4, apply, atomic.type);
  }
  kernel.finish();
}

void testPermutations(const char *chip) {
  LdsKernel kernel(chip);
  // v30 says which lane, in bytes, with noise in the bits that do not count.
  for (unsigned lane = 0; lane < 64; ++lane)
    kernel.data[0][lane] = u32(kernel.random());
  for (u64 exec : {~u64(0), kernel.random()})
    for (unsigned offset : {0u, 12u}) {
      auto other = [&kernel, offset](unsigned lane) { return (kernel.data[0][lane] + offset) / 4 % 64; };
      for (bool backward : {true, false}) {
        kernel.initialise(1);
        std::string text =
            formatv("ds_{0}permute_b32 v200, v30, v31{1}", backward ? "b" : "", offset ? " offset:12" : "");
        kernel.run(text, exec);
        kernel.expectRegisters(text, 200, 1, [&kernel, exec, other, backward](unsigned lane, u32 *want) {
          want[0] = kernel.data[6][lane];
          if (!(exec >> lane & 1))
            return;
          want[0] = 0;
          if (backward && exec >> other(lane) & 1)
            want[0] = kernel.data[1][other(lane)];
          for (unsigned from = 0; from < 64 && !backward; ++from) // the highest source wins
            if (exec >> from & 1 && other(from) == lane)
              want[0] = kernel.data[1][from];
        });
      }
    }
  std::vector<unsigned> patterns;
  for (unsigned i = 0; i < 24; ++i)
    patterns.push_back(unsigned(kernel.random() % 0x8000)); // and, or, xor masks
  for (unsigned i = 0; i < 8; ++i)
    patterns.push_back(0x8000 + unsigned(kernel.random() % 256)); // within four lanes
  for (unsigned i = 0; i < 8; ++i)
    patterns.push_back(0xc000 + unsigned(kernel.random() % 0x800)); // rotation
  for (unsigned pattern : patterns) {
    u64 exec = kernel.someLanes();
    kernel.initialise(1);
    std::string text = formatv("ds_swizzle_b32 v200, v31 offset:{0}", pattern);
    kernel.run(text, exec);
    kernel.expectRegisters(text, 200, 1, [&kernel, exec, pattern](unsigned lane, u32 *want) {
      unsigned from;
      if (pattern < 0x8000) {
        from = ((lane & pattern & 31) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
      } else if (pattern < 0xc000) {
        from = (lane & 28) + (pattern >> 2 * (lane % 4) & 3);
      } else {
        int by = int(pattern >> 5 & 31);
        by = pattern >> 10 & 1 ? -by : by;
        unsigned keep = pattern & 31;
        from = (lane & keep) | (unsigned(int(lane) + by) & ~keep & 31);
      }
      from = (from & 31) | (lane & 32);
      want[0] = !(exec >> lane & 1) ? kernel.data[6][lane] : exec >> from & 1 ? kernel.data[1][from] : 0;
    });
  }
  if (std::string(chip) == "gfx950") {
    kernel.fill();
    for (auto [name, bits, bytes] : {std::tuple("b64_tr_b4", 4u, 8u), std::tuple("b64_tr_b8", 8u, 8u),
                                     std::tuple("b64_tr_b16", 16u, 8u), std::tuple("b96_tr_b6", 6u, 12u)}) {
      std::string text = formatv("ds_read_{0} {1}, v10", name, range(200, bytes / 4));
      kernel.run(text);
      kernel.expectRegisters(text, 200, bytes / 4,
                             [&kernel, bits = bits, bytes = bytes](unsigned lane, u32 *want) {
                               std::vector<u8> lds = kernel.filled();
                               const u8 *from[16];
                               for (unsigned i = 0; i < 16; ++i)
                                 from[i] = &lds[kernel.lane16[lane / 16 * 16 + i]];
                               transposed(bits, bytes, from, lane, want);
                             });
    }
  }
  kernel.line("ds_nop");
  kernel.finish();
}

// Addresses by the lane's number, from M0 on; and an exchange of the dwords whose top bit is set in the data.
void testUnusualAccesses(const char *chip) {
  LdsKernel kernel(chip);
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned row : {6, 7})
      kernel.data[row][lane] ^= u32(kernel.random() & 1) << 31;
  kernel.line("s_movk_i32 s40, 0x40\ns_mov_b32 m0, s40");
  u64 exec = kernel.random();
  kernel.fill();
  kernel.run("ds_write_addtid_b32 v31 offset:16", exec);
  kernel.expectLds("ds_write_addtid_b32", [&kernel, exec](std::vector<u8> &bytes) {
    for (unsigned lane = 0; lane < 64; ++lane)
      if (exec >> lane & 1)
        std::memcpy(&bytes[0x40 + 16 + 4 * lane], &kernel.data[1][lane], 4);
  });
  kernel.fill();
  kernel.initialise(1);
  kernel.run("ds_read_addtid_b32 v200 offset:32", exec);
  kernel.expectRegisters("ds_read_addtid_b32", 200, 1, [&kernel, exec](unsigned lane, u32 *want) {
    want[0] = kernel.data[6][lane];
    if (exec >> lane & 1)
      std::memcpy(want, &kernel.filled()[0x40 + 32 + 4 * lane], 4);
  });
  kernel.initialise(2);
  kernel.run("ds_condxchg32_rtn_b64 v[200:201], v10, v[36:37] offset:8", exec);
  kernel.expectRegisters("ds_condxchg32_rtn_b64", 200, 2, [&kernel, exec](unsigned lane, u32 *want) {
    want[0] = kernel.data[6][lane];
    want[1] = kernel.data[7][lane];
    if (exec >> lane & 1)
      std::memcpy(want, &kernel.filled()[kernel.lane16[lane] + 8], 8);
  });
  kernel.expectLds("ds_condxchg32_rtn_b64", [&kernel, exec](std::vector<u8> &bytes) {
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned i = 0; i < 2 && exec >> lane & 1; ++i) {
        u32 data = kernel.data[6 + i][lane], low = data & 0x7fffffff;
        if (data >> 31)
          std::memcpy(&bytes[kernel.lane16[lane] + 8 + 4 * i], &low, 4);
      }
  });
  kernel.finish();
}

// Global memory to LDS: lane l's data go to M0 + offset + l times 4, or times 16 where they are wider.
void testCopiesToLds(const char *chip) {
  LdsKernel kernel(chip);
  kernel.useSlot(0);
  kernel.line(
      "s_mov_b32 s24, s20\ns_and_b32 s25, s21, 0xffff\ns_movk_i32 s26, 0x500\ns_mov_b32 s27, 0x20000\n"
      "s_mov_b32 m0, 0x40");
  struct Copy {
    const char *name;
    Access access;
  };
  const Copy copies[] = {{"ubyte", {"", 1}},        {"sbyte", {"", 1, true}}, {"ushort", {"", 2}},
                         {"sshort", {"", 2, true}}, {"dword", {"", 4}},       {"dwordx3", {"", 12}},
                         {"dwordx4", {"", 16}}};
  for (const Copy &copy : copies)
    for (bool buffer : {false, true}) {
      std::string text =
          buffer ? formatv("buffer_load_{0} v10, s[24:27], 0 offen offset:16 lds", copy.name).str()
                 : formatv("global_load_lds_{0} v10, s[20:21] offset:16", copy.name).str();
      bool wide = copy.access.bytes > 4;
      if (!kernel.exists(text))
        continue;
      u64 exec = wide ? 0xffffffffffff : kernel.someLanes(); // so that it fits
      kernel.fill();
      kernel.run(text, exec);
      kernel.expectLds(text, [&kernel, copy, exec, wide](std::vector<u8> &bytes) {
        for (unsigned lane = 0; lane < 64; ++lane)
          if (exec >> lane & 1) {
            u32 values[4] = {};
            load(copy.access, kernel.base(0) + kernel.lane16[lane] + 16, values);
            std::memcpy(&bytes[0x40 + 16 + lane * (wide ? 16 : 4)], values, std::max(4u, copy.access.bytes));
          }
      });
    }
  // The same from scratch memory: v30-v37 at byte 64 of each lane's.
  for (unsigned i = 0; i < 8; ++i)
    kernel.run(formatv("scratch_store_dword off, v{0}, off offset:{1}", 30 + i, 64 + 4 * i));
  kernel.line("s_movk_i32 s60, 0x40");
  for (const Copy &copy : copies) {
    std::string text = formatv("scratch_load_lds_{0} off, s60 offset:16", copy.name);
    if (!findOp("scratch_load_lds_" + std::string(copy.name)) || !kernel.exists(text))
      continue;
    bool wide = copy.access.bytes > 4;
    u64 exec = wide ? 0xffffffffffff : kernel.someLanes();
    kernel.fill();
    kernel.run(text, exec);
    kernel.expectLds(text, [&kernel, copy, exec, wide](std::vector<u8> &bytes) {
      for (unsigned lane = 0; lane < 64; ++lane)
        if (exec >> lane & 1) {
          u32 scratch[4], values[4] = {};
          for (unsigned i = 0; i < 4; ++i)
            scratch[i] = kernel.data[4 + i][lane];
          load(copy.access, reinterpret_cast<u8 *>(scratch), values);
          std::memcpy(&bytes[0x40 + 16 + lane * (wide ? 16 : 4)], values, std::max(4u, copy.access.bytes));
        }
    });
  }
  kernel.finish();
}

const Covers covers = [] {
  std::vector<std::string> names = {
      "ds_bpermute_b32",   "ds_permute_b32",    "ds_swizzle_b32",     "ds_nop",
      "ds_read_b64_tr_b4", "ds_read_b64_tr_b8", "ds_read_b64_tr_b16", "ds_read_b96_tr_b6"};
  for (const Access &access : ldsReads())
    names.push_back("ds_read_" + access.name);
  for (const Access &access : ldsWrites())
    names.push_back("ds_write_" + access.name);
  for (std::string pair : {"2_b32", "2_b64", "2st64_b32", "2st64_b64"}) {
    names.push_back("ds_read" + pair);
    names.push_back("ds_write" + pair);
    names.push_back("ds_wrxchg" + pair.substr(0, pair.find('_')) + "_rtn" + pair.substr(pair.find('_')));
  }
  for (const Atomic &atomic : ldsAtomics())
    names.push_back("ds_" + atomic.name);
  for (std::string width : {"ubyte", "sbyte", "ushort", "sshort", "dword", "dwordx3", "dwordx4"})
    for (std::string family : {"global", "scratch"})
      names.push_back(family + "_load_lds_" + width);
  for (std::string name : {"ds_write_addtid_b32", "ds_read_addtid_b32", "ds_condxchg32_rtn_b64"})
    names.push_back(name);
  return Covers(names);
}();

class LdsReference : public ::testing::TestWithParam<const char *> {};
TEST_P(LdsReference, ReadsAndWrites) { testReadsAndWrites(GetParam()); }
TEST_P(LdsReference, Atomics) { testAtomics(GetParam()); }
TEST_P(LdsReference, Permutations) { testPermutations(GetParam()); }
TEST_P(LdsReference, UnusualAccesses) { testUnusualAccesses(GetParam()); }
TEST_P(LdsReference, CopiesToLds) { testCopiesToLds(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Chips, LdsReference, ::testing::ValuesIn(bothChips),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
