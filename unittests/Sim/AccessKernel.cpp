// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AccessKernel.h"
#include "Reference/FloatBits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstdlib>

using namespace llvm;
using namespace lowp::sim;
using namespace lowp::sim::test;
using namespace lowp::sim::reference;

AccessKernel::AccessKernel(StringRef chip) : chip(chip) {
  const char *text = std::getenv("LOWP_SEED");
  seed = text ? std::strtoull(text, nullptr, 0) : 20261130;
  random.seed(seed);
  for (unsigned i = 0; i < 64; ++i)
    laneIndex[i] = i;
  std::shuffle(laneIndex, laneIndex + 64, random);
  for (unsigned i = 0; i < 64; ++i)
    lane16[i] = 16 * laneIndex[i];
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned lane = 0; lane < 64; ++lane)
      data[row][lane] = u32(random());
  newSlot('r');
  body.clear();
}

uint64_t AccessKernel::value(char type, unsigned bytes) {
  auto near1 = [&] {
    return std::ldexp(1.0 + double(random() % 4096) / 4096, int(random() % 7) - 3) * (random() & 1 ? -1 : 1);
  };
  switch (type) {
  case 'f':
    return bitCast<u32>(float(near1()));
  case 'd':
    return bitCast<u64>(near1());
  case 'H':
    return doubleToHalf(near1()) | u32(doubleToHalf(near1())) << 16;
  case 'B':
    return doubleToBfloat(near1()) | u32(doubleToBfloat(near1())) << 16;
  case 'i': // near each other, so that comparisons and wraps happen
    if (random() % 2)
      return random() % 5 + (random() % 2 ? 0 : bytes == 8 ? ~u64(1) : 0xfffffffe);
    return random();
  default:
    return random();
  }
}

unsigned AccessKernel::newSlot(char type) {
  unsigned slot = unsigned(memory.size() / slotBytes), bytes = type == 'd' || type == 'I' ? 8 : 4;
  memory.resize(memory.size() + slotBytes);
  for (unsigned at = 0; at < slotBytes; at += bytes) {
    u64 x = value(type == 'I' ? 'i' : type, bytes);
    std::memcpy(&memory[size_t(slot) * slotBytes + at], &x, bytes);
  }
  useSlot(slot);
  return slot;
}

void AccessKernel::useSlot(unsigned slot) {
  line(formatv("s_add_u32 s20, s8, 0x{0}\ns_addc_u32 s21, s9, 0", utohexstr(slot * slotBytes + slotBase)));
}

void AccessKernel::run(const std::string &text, u64 exec) {
  if (exec != ~u64(0))
    line(formatv("s_mov_b32 exec_lo, 0x{0}\ns_mov_b32 exec_hi, 0x{1}", utohexstr(u32(exec)),
                 utohexstr(exec >> 32)));
  line("s_nop 4\n" + text + "\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_nop 4");
  if (exec != ~u64(0))
    line("s_mov_b64 exec, -1");
}

void AccessKernel::expectRegisters(const std::string &what, unsigned reg, unsigned dwords,
                                   std::function<void(unsigned, u32 *)> expected, char type) {
  registerChecks.push_back({what, rows, dwords, std::move(expected), type});
  line("s_nop 1");
  for (unsigned i = 0; i < dwords; ++i, ++rows) {
    if (rows % 16 == 0 && rows)
      line("v_add_u32 v1, 0x1000, v1");
    line(formatv("global_store_dword v1, v{0}, s[6:7] offset:{1}", reg + i, 256 * (rows % 16)));
  }
}

void AccessKernel::expectSlot(const std::string &what, unsigned slot, std::function<void(u8 *)> apply,
                              char type) {
  slotChecks.push_back({what, slot, std::move(apply), type});
}

/// Equal bits, or both NaN.
static bool sameBits(char type, const uint8_t *a, const uint8_t *b, unsigned bytes) {
  if (!std::memcmp(a, b, bytes))
    return true;
  if (type != 'f' || bytes % 4)
    return false;
  for (unsigned i = 0; i < bytes; i += 4) {
    float x, y;
    std::memcpy(&x, a + i, 4);
    std::memcpy(&y, b + i, 4);
    if (std::memcmp(a + i, b + i, 4) && !(std::isnan(x) && std::isnan(y)))
      return false;
  }
  return true;
}

void AccessKernel::finish() {
  std::string text = "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dwordx2 s[8:9], s[0:1], 0x10\n"
                     "v_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n";
  std::vector<u32> in;
  auto addRow = [&](unsigned reg, const u32 *values) {
    unsigned row = unsigned(in.size() / 64);
    in.insert(in.end(), values, values + 64);
    text +=
        formatv("v_add_u32 v2, 0x{0}, v1\nglobal_load_dword v{1}, v2, s[4:5]\n", utohexstr(256 * row), reg)
            .str();
  };
  u32 row[64];
  std::copy(lane16, lane16 + 64, row);
  addRow(10, row);
  std::copy(laneIndex, laneIndex + 64, row);
  addRow(11, row);
  for (unsigned i = 0; i < 16; ++i)
    addRow(30 + i, data[i]);
  text += "s_waitcnt vmcnt(0)\n" + body;
  KernelShape shape;
  shape.vgprs = 256;
  shape.agprs = 32;
  shape.lds = 8192;
  shape.scratch = 512;
  std::unique_ptr<Simulator> simulator = makeSimulator(kernelText(chip, text, shape));
  ASSERT_TRUE(simulator);
  std::vector<u32> out(size_t(64) * std::max(rows, 1u));
  std::vector<u8> after = memory;
  std::vector<Buffer> buffers = {{"in", in.data(), in.size() * 4, Buffer::Access::Read},
                                 {"out", out.data(), out.size() * 4, Buffer::Access::Write, false},
                                 {"memory", after.data(), after.size(), Buffer::Access::ReadWrite}};
  Report report = runKernel(*simulator, buffers, shape);
  EXPECT_TRUE(report.completed);
  EXPECT_TRUE(report.findings.empty()) << allFindings(report);
  for (const RegisterCheck &check : registerChecks)
    for (unsigned lane = 0; lane < 64; ++lane) {
      u32 want[32] = {}, got[32] = {};
      for (unsigned i = 0; i < check.dwords; ++i)
        got[i] = out[size_t(64) * (check.row + i) + lane];
      check.expected(lane, want);
      if (sameBits(check.type, reinterpret_cast<u8 *>(got), reinterpret_cast<u8 *>(want), 4 * check.dwords))
        continue;
      std::string message;
      for (unsigned i = 0; i < check.dwords; ++i)
        message += "\n  dword " + std::to_string(i) + " got " + utohexstr(got[i]) + " expected " +
                   utohexstr(want[i]);
      ADD_FAILURE() << chip << " " << check.what << " lane " << lane << message << "\n  seed " << seed;
      break;
    }
  std::map<unsigned, std::vector<u8>> slots;
  for (const SlotCheck &check : slotChecks) {
    auto begin = memory.begin() + size_t(check.slot) * slotBytes;
    std::vector<u8> want(begin, begin + slotBytes);
    check.apply(want.data() + slotBase);
    const u8 *got = after.data() + size_t(check.slot) * slotBytes;
    for (unsigned at = 0; at < slotBytes; at += 4)
      if (!sameBits(check.type, got + at, want.data() + at, 4)) {
        u32 x, y;
        std::memcpy(&x, got + at, 4);
        std::memcpy(&y, want.data() + at, 4);
        ADD_FAILURE() << chip << " " << check.what << " byte " << int(at) - int(slotBase)
                      << " of the slot: got " << utohexstr(x) << " expected " << utohexstr(y) << "\n  seed "
                      << seed;
        break;
      }
  }
}
