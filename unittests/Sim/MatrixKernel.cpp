// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixKernel.h"
#include <cmath>

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;
using namespace lowp::sim::test;

Operands::Operands(const MatrixForm &form)
    : form(form), codesA(form.blocks * form.m * form.storedK()), codesB(form.blocks * form.m * form.k),
      codesC(form.blocks * form.m * form.m) {
  for (auto &lanes : words)
    lanes.resize(64);
}

Rows Operands::registers() const {
  unsigned firstB = form.registersA(), firstC = firstB + form.registersB(), last = firstC + form.registersD();
  Rows rows(last, std::vector<uint32_t>(64));
  rows.push_back(words[0]);
  rows.push_back(words[1]);
  const uint32_t *a = codesA.data(), *b = codesB.data(), *c = codesC.data();
  for (unsigned block = 0; block < form.blocks; ++block) {
    for (unsigned i = 0; i < form.m; ++i)
      for (unsigned k = 0; k < form.storedK(); ++k)
        put(rows, 0, form.input(block, i, k, false), form.bitsA, *a++);
    for (unsigned k = 0; k < form.k; ++k)
      for (unsigned j = 0; j < form.m; ++j)
        put(rows, firstB, form.input(block, j, k, true), form.bitsB, *b++);
    for (unsigned i = 0; i < form.m; ++i)
      for (unsigned j = 0; j < form.m; ++j)
        put(rows, firstC, form.output(block, i, j), 32, *c++);
  }
  return rows;
}

std::vector<uint32_t> test::finiteCodes(Format format) {
  std::vector<uint32_t> codes;
  for (uint32_t code = 0; code >> bitWidth(format) == 0; ++code)
    if (std::isfinite(decode(format, code)))
      codes.push_back(code);
  return codes;
}

void test::fill(std::vector<uint32_t> &operand, std::vector<uint32_t> codes, std::mt19937 &random) {
  for (size_t i = 0; i < operand.size(); ++i) {
    size_t at = i % codes.size();
    std::swap(codes[at], codes[at + random() % (codes.size() - at)]);
    operand[i] = codes[at];
  }
}

static std::string span(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

MatrixKernel::MatrixKernel(StringRef chip, const MatrixForm &form, std::vector<std::string> modifiers)
    : form(form), instructions(modifiers.size()) {
  constexpr unsigned a = 16, b = 32, c = 48, words = 80, d = 100;
  unsigned results = form.registersD(), moved = 0;
  std::string text = "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 2, v0\nv_mov_b32 v2, v1\n"
                     "s_waitcnt lgkmcnt(0)\n";
  auto load = [&](unsigned first, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      text += "global_load_dword v" + std::to_string(first + i) + ", v1, s[4:5]\nv_add_u32 v1, 0x100, v1\n";
  };
  load(a, form.registersA());
  load(b, form.registersB());
  load(c, results);
  load(words, 2);
  text += "s_waitcnt vmcnt(0)\n";
  if (form.sparse) // their D is C
    for (unsigned i = 0; i < results * instructions; ++i)
      text += "v_mov_b32 v" + std::to_string(d + i) + ", v" + std::to_string(c + i % results) + "\n";
  text += "s_nop 4\n";
  for (const std::string &extra : modifiers) {
    text += form.name + " " + span(d + moved, results) + ", " + span(a, form.registersA()) + ", " +
            span(b, form.registersB()) + ", " + (form.sparse ? span(words, 1) : span(c, results)) +
            (form.scaled ? ", " + span(words, 1) + ", " + span(words + 1, 1) : "") + " " + extra + "\n";
    moved += results;
  }
  text += "s_nop 15\ns_nop 15\n";
  for (unsigned i = 0; i < moved; ++i)
    text += "global_store_dword v2, v" + std::to_string(d + i) + ", s[6:7]\nv_add_u32 v2, 0x100, v2\n";
  KernelShape shape;
  shape.vgprs = 256;
  simulator = makeSimulator(kernelText(chip, text, shape));
}

std::vector<std::vector<uint32_t>> MatrixKernel::run(const Operands &operands, MfmaMode mode) {
  unsigned results = form.registersD();
  std::vector<uint32_t> in, out(64 * results * instructions, 0xabababab);
  for (const auto &row : operands.registers())
    in.insert(in.end(), row.begin(), row.end());
  std::vector<Buffer> buffers = {{"in", in.data(), in.size() * 4, Buffer::Access::Read},
                                 {"out", out.data(), out.size() * 4, Buffer::Access::Write, false}};
  KernelShape shape;
  shape.vgprs = 256;
  Options options;
  options.mfma = mode;
  options.threads = 1;
  std::vector<std::vector<uint32_t>> all(instructions);
  if (!simulator)
    return all;
  Report report = runKernel(*simulator, buffers, shape, options);
  EXPECT_TRUE(report.completed && report.findings.empty()) << form.name << "\n" << allFindings(report);
  for (unsigned n = 0; n < instructions; ++n)
    for (unsigned block = 0; block < form.blocks; ++block)
      for (unsigned i = 0; i < form.m; ++i)
        for (unsigned j = 0; j < form.m; ++j) {
          Place place = form.output(block, i, j);
          all[n].push_back(out[64 * (n * results + place.element) + place.lane]);
        }
  return all;
}

float test::asFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

uint32_t test::bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return value != value ? 0x7fc00000 : bits;
}
