// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The equations are those that AMD's matrix instruction calculator prints ("Matrix element to register
// mapping with no modifiers"), which MfmaLayoutTest compares with the calculator's own listings. Sparse forms
// of the later chip: AMD's fpsan, amdgcn_smfmac.hpp. The lists are what llvm-mc 22 disassembles for either
// chip. The f8f6f4 family: AMD's blog "Matrix Core Programming on CDNA3 and CDNA4" and CK's mx_mfma_op test
// (8-bit operands lie in two chunks of 16 k, the narrower ones 32 side by side; scales by blocks of 32 k);
// the CDNA4 ISA manual, section 7, for cbsz and blgp.

#include "MfmaReference.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim::test;

static constexpr const char *commonForms[] = {
    "v_mfma_f32_16x16x16_bf16",      "v_mfma_f32_16x16x16_f16",       "v_mfma_f32_16x16x1_4b_f32",
    "v_mfma_f32_16x16x32_bf8_bf8",   "v_mfma_f32_16x16x32_bf8_fp8",   "v_mfma_f32_16x16x32_fp8_bf8",
    "v_mfma_f32_16x16x32_fp8_fp8",   "v_mfma_f32_16x16x4_4b_bf16",    "v_mfma_f32_16x16x4_4b_f16",
    "v_mfma_f32_16x16x4_f32",        "v_mfma_f32_32x32x16_bf8_bf8",   "v_mfma_f32_32x32x16_bf8_fp8",
    "v_mfma_f32_32x32x16_fp8_bf8",   "v_mfma_f32_32x32x16_fp8_fp8",   "v_mfma_f32_32x32x1_2b_f32",
    "v_mfma_f32_32x32x2_f32",        "v_mfma_f32_32x32x4_2b_bf16",    "v_mfma_f32_32x32x4_2b_f16",
    "v_mfma_f32_32x32x8_bf16",       "v_mfma_f32_32x32x8_f16",        "v_mfma_f32_4x4x1_16b_f32",
    "v_mfma_f32_4x4x4_16b_bf16",     "v_mfma_f32_4x4x4_16b_f16",      "v_mfma_f64_16x16x4_f64",
    "v_mfma_f64_4x4x4_4b_f64",       "v_mfma_i32_16x16x32_i8",        "v_mfma_i32_16x16x4_4b_i8",
    "v_mfma_i32_32x32x16_i8",        "v_mfma_i32_32x32x4_2b_i8",      "v_mfma_i32_4x4x4_16b_i8",
    "v_smfmac_f32_16x16x32_bf16",    "v_smfmac_f32_16x16x32_f16",     "v_smfmac_f32_16x16x64_bf8_bf8",
    "v_smfmac_f32_16x16x64_bf8_fp8", "v_smfmac_f32_16x16x64_fp8_bf8", "v_smfmac_f32_16x16x64_fp8_fp8",
    "v_smfmac_f32_32x32x16_bf16",    "v_smfmac_f32_32x32x16_f16",     "v_smfmac_f32_32x32x32_bf8_bf8",
    "v_smfmac_f32_32x32x32_bf8_fp8", "v_smfmac_f32_32x32x32_fp8_bf8", "v_smfmac_f32_32x32x32_fp8_fp8",
    "v_smfmac_i32_16x16x64_i8",      "v_smfmac_i32_32x32x32_i8",
};

static constexpr const char *firstChipForms[] = {
    "v_mfma_f32_16x16x8_xf32",
    "v_mfma_f32_32x32x4_xf32",
};

static constexpr const char *secondChipForms[] = {
    "v_mfma_f32_16x16x32_bf16",       "v_mfma_f32_16x16x32_f16",        "v_mfma_f32_32x32x16_bf16",
    "v_mfma_f32_32x32x16_f16",        "v_mfma_i32_16x16x64_i8",         "v_mfma_i32_32x32x32_i8",
    "v_smfmac_f32_16x16x128_bf8_bf8", "v_smfmac_f32_16x16x128_bf8_fp8", "v_smfmac_f32_16x16x128_fp8_bf8",
    "v_smfmac_f32_16x16x128_fp8_fp8", "v_smfmac_f32_16x16x64_bf16",     "v_smfmac_f32_16x16x64_f16",
    "v_smfmac_f32_32x32x32_bf16",     "v_smfmac_f32_32x32x32_f16",      "v_smfmac_f32_32x32x64_bf8_bf8",
    "v_smfmac_f32_32x32x64_bf8_fp8",  "v_smfmac_f32_32x32x64_fp8_bf8",  "v_smfmac_f32_32x32x64_fp8_fp8",
    "v_smfmac_i32_16x16x128_i8",      "v_smfmac_i32_32x32x64_i8",
};

std::vector<std::string> lowp::sim::test::matrixForms(StringRef chip) {
  std::vector<std::string> names(std::begin(commonForms), std::end(commonForms));
  if (chip == "gfx942")
    names.insert(names.end(), std::begin(firstChipForms), std::end(firstChipForms));
  else
    names.insert(names.end(), std::begin(secondChipForms), std::end(secondChipForms));
  return names;
}

static Format formatOf(StringRef type, bool fnuz) {
  if (type == "fp8")
    return fnuz ? Format::F8E4M3FNUZ : Format::F8E4M3FN;
  if (type == "bf8")
    return fnuz ? Format::F8E5M2FNUZ : Format::F8E5M2;
  return type == "f16"    ? Format::F16
         : type == "bf16" ? Format::BF16
         : type == "i8"   ? Format::I8
                          : Format::F32;
}

void lowp::sim::test::put(Rows &rows, unsigned base, Place place, unsigned bits, uint64_t code) {
  for (unsigned i = 0; i < bits; ++i) { // bit by bit: those of six bits cross registers
    unsigned bit = place.element * bits + i;
    uint32_t &to = rows[base + bit / 32][place.lane], mask = 1u << bit % 32;
    to = code >> i & 1 ? to | mask : to & ~mask;
  }
}

MatrixForm::MatrixForm(StringRef name, StringRef chip, unsigned cbsz, unsigned blgp) : name(name.str()) {
  SmallVector<StringRef, 8> parts;
  name.split(parts, '_'); // v, mfma, [scale,] f32, 16x16x4, [4b,] a type, [b type]
  scaled = parts[2] == "scale";
  if (scaled)
    parts.erase(parts.begin() + 2);
  sparse = parts[1] == "smfmac";
  integer = parts[2] == "i32";
  f64 = parts[2] == "f64";
  SmallVector<StringRef, 3> sizes;
  parts[3].split(sizes, 'x');
  sizes[0].getAsInteger(10, m);
  sizes[2].getAsInteger(10, k);
  unsigned next = 4;
  if (parts[next].ends_with("b") && isDigit(parts[next][0]))
    parts[next++].drop_back().getAsInteger(10, blocks);
  xf32 = parts[next] == "xf32";
  a = formatOf(parts[next], chip == "gfx942");
  b = formatOf(parts.back(), chip == "gfx942");
  f8f6f4 = parts[next] == "f8f6f4";
  if (f8f6f4) {
    static constexpr Format formats[] = {Format::F8E4M3FN, Format::F8E5M2, Format::F6E2M3FN, Format::F6E3M2FN,
                                         Format::F4E2M1FN};
    a = formats[cbsz];
    b = formats[blgp];
  }
  bitsA = f64 ? 64 : bitWidth(a);
  bitsB = f64 ? 64 : bitWidth(b);
}

Place MatrixForm::input(unsigned block, unsigned row, unsigned kIndex, bool second) const {
  if (sparse && !second) { // kIndex counts stored elements
    unsigned perLane = k / 2 * m / 64;
    return {m * (kIndex / perLane) + row, kIndex % perLane};
  }
  unsigned perLane = k * m * blocks / 64, bits = second ? bitsB : bitsA;
  unsigned lane = m * block + row;
  if (perLane * bits == 256) { // two chunks of 16 bytes
    unsigned chunk = 128 / bits, half = k / 2;
    return {lane + m * (kIndex % half / chunk), kIndex / half * chunk + kIndex % chunk};
  }
  return {lane + m * blocks * (kIndex / perLane), kIndex % perLane};
}

Place MatrixForm::output(unsigned block, unsigned i, unsigned j) const {
  if (f64)
    return {16 * (i % 4) + (m == 4 ? 4 * block : 0) + j, m == 4 ? 0 : i / 4};
  if (m == 4)
    return {4 * block + j, i};
  if (m == 16)
    return {16 * (i / 4) + j, 4 * block + i % 4};
  return {32 * (i / 4) % 64 + j, 16 * block + 4 * (i / 8) + i % 4};
}
