// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes, blocks and cycles: AMD's matrix instruction calculator for CDNA3, LLVM's SISchedule.td and the wait
// states that LLVM 22 inserts for the instructions of the later chip.
//
// Lane l belongs to block l / size % blocks and to group g = l / (size blocks), and holds row m = l % size of
// A (column of B). Its element j, counted from the lowest bits, stands for k = (j / run) run G + g run + j %
// run with G groups. `run` is the number of k that lie side by side in a lane: all of its elements, but 16
// bytes for operands of eight registers (AMD's blog "Matrix Core Programming on CDNA3 and CDNA4" and CK's
// mx_mfma_op test for f8f6f4; AMD's fpsan, amdgcn_smfmac.hpp, for the sparse forms). fp6 and fp4 lie 32 side
// by side: shipped attention kernels with fp6 against fp8 are right only so.
//
// Modifiers (the calculator's README, "Modifying the Queried Matrix"): cbsz and abid broadcast blocks of A
// and are legal up to log2(blocks) and 2^cbsz - 1; blgp permutes the lanes of B, but negates the operands of
// f64. Forms with 8-bit or xf32 operands that came with CDNA3, and those of CDNA4, have no lane permutation.

#include "MfmaForms.h"
#include "Decoder.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace lowp;
using namespace lowp::sim;

namespace {

constexpr MfmaType F16 = MfmaType::F16, BF16 = MfmaType::BF16, Fp8 = MfmaType::Fp8, Bf8 = MfmaType::Bf8,
                   F8f6f4 = MfmaType::F8f6f4, I8 = MfmaType::I8, F32 = MfmaType::F32, XF32 = MfmaType::XF32,
                   F64 = MfmaType::F64;

constexpr MfmaForm forms[] = {
    {"v_mfma_f32_16x16x16_f16", 16, 16, 1, F16, F16, 4},
    {"v_mfma_f32_16x16x16_bf16", 16, 16, 1, BF16, BF16, 4},
    {"v_mfma_f32_32x32x8_f16", 32, 8, 1, F16, F16, 8},
    {"v_mfma_f32_32x32x8_bf16", 32, 8, 1, BF16, BF16, 8},
    {"v_mfma_f32_32x32x4_2b_f16", 32, 4, 2, F16, F16, 16},
    {"v_mfma_f32_32x32x4_2b_bf16", 32, 4, 2, BF16, BF16, 16},
    {"v_mfma_f32_16x16x4_4b_f16", 16, 4, 4, F16, F16, 8},
    {"v_mfma_f32_16x16x4_4b_bf16", 16, 4, 4, BF16, BF16, 8},
    {"v_mfma_f32_4x4x4_16b_f16", 4, 4, 16, F16, F16, 2},
    {"v_mfma_f32_4x4x4_16b_bf16", 4, 4, 16, BF16, BF16, 2},
    {"v_mfma_f32_16x16x32_f16", 16, 32, 1, F16, F16, 4},
    {"v_mfma_f32_16x16x32_bf16", 16, 32, 1, BF16, BF16, 4},
    {"v_mfma_f32_32x32x16_f16", 32, 16, 1, F16, F16, 8},
    {"v_mfma_f32_32x32x16_bf16", 32, 16, 1, BF16, BF16, 8},
    {"v_mfma_f32_16x16x32_fp8_fp8", 16, 32, 1, Fp8, Fp8, 4},
    {"v_mfma_f32_16x16x32_fp8_bf8", 16, 32, 1, Fp8, Bf8, 4},
    {"v_mfma_f32_16x16x32_bf8_fp8", 16, 32, 1, Bf8, Fp8, 4},
    {"v_mfma_f32_16x16x32_bf8_bf8", 16, 32, 1, Bf8, Bf8, 4},
    {"v_mfma_f32_32x32x16_fp8_fp8", 32, 16, 1, Fp8, Fp8, 8},
    {"v_mfma_f32_32x32x16_fp8_bf8", 32, 16, 1, Fp8, Bf8, 8},
    {"v_mfma_f32_32x32x16_bf8_fp8", 32, 16, 1, Bf8, Fp8, 8},
    {"v_mfma_f32_32x32x16_bf8_bf8", 32, 16, 1, Bf8, Bf8, 8},
    {"v_mfma_f32_16x16x128_f8f6f4", 16, 128, 1, F8f6f4, F8f6f4, 8},
    {"v_mfma_f32_32x32x64_f8f6f4", 32, 64, 1, F8f6f4, F8f6f4, 16},
    {"v_mfma_scale_f32_16x16x128_f8f6f4", 16, 128, 1, F8f6f4, F8f6f4, 8, true},
    {"v_mfma_scale_f32_32x32x64_f8f6f4", 32, 64, 1, F8f6f4, F8f6f4, 16, true},
    {"v_mfma_i32_16x16x32_i8", 16, 32, 1, I8, I8, 4},
    {"v_mfma_i32_32x32x16_i8", 32, 16, 1, I8, I8, 8},
    {"v_mfma_i32_16x16x64_i8", 16, 64, 1, I8, I8, 4},
    {"v_mfma_i32_32x32x32_i8", 32, 32, 1, I8, I8, 8},
    {"v_mfma_i32_32x32x4_2b_i8", 32, 4, 2, I8, I8, 16},
    {"v_mfma_i32_16x16x4_4b_i8", 16, 4, 4, I8, I8, 8},
    {"v_mfma_i32_4x4x4_16b_i8", 4, 4, 16, I8, I8, 2},
    {"v_mfma_f32_16x16x4_f32", 16, 4, 1, F32, F32, 8},
    {"v_mfma_f32_32x32x2_f32", 32, 2, 1, F32, F32, 16},
    {"v_mfma_f32_32x32x1_2b_f32", 32, 1, 2, F32, F32, 16},
    {"v_mfma_f32_16x16x1_4b_f32", 16, 1, 4, F32, F32, 8},
    {"v_mfma_f32_4x4x1_16b_f32", 4, 1, 16, F32, F32, 2},
    {"v_mfma_f32_16x16x8_xf32", 16, 8, 1, XF32, XF32, 4},
    {"v_mfma_f32_32x32x4_xf32", 32, 4, 1, XF32, XF32, 8},
    {"v_mfma_f64_16x16x4_f64", 16, 4, 1, F64, F64, 8},
    {"v_mfma_f64_4x4x4_4b_f64", 4, 4, 4, F64, F64, 4},
    {"v_smfmac_f32_16x16x32_f16", 16, 32, 1, F16, F16, 4, false, true},
    {"v_smfmac_f32_16x16x32_bf16", 16, 32, 1, BF16, BF16, 4, false, true},
    {"v_smfmac_f32_32x32x16_f16", 32, 16, 1, F16, F16, 8, false, true},
    {"v_smfmac_f32_32x32x16_bf16", 32, 16, 1, BF16, BF16, 8, false, true},
    {"v_smfmac_f32_16x16x64_f16", 16, 64, 1, F16, F16, 4, false, true},
    {"v_smfmac_f32_16x16x64_bf16", 16, 64, 1, BF16, BF16, 4, false, true},
    {"v_smfmac_f32_32x32x32_f16", 32, 32, 1, F16, F16, 8, false, true},
    {"v_smfmac_f32_32x32x32_bf16", 32, 32, 1, BF16, BF16, 8, false, true},
    {"v_smfmac_i32_16x16x64_i8", 16, 64, 1, I8, I8, 4, false, true},
    {"v_smfmac_i32_32x32x32_i8", 32, 32, 1, I8, I8, 8, false, true},
    {"v_smfmac_i32_16x16x128_i8", 16, 128, 1, I8, I8, 4, false, true},
    {"v_smfmac_i32_32x32x64_i8", 32, 64, 1, I8, I8, 8, false, true},
    {"v_smfmac_f32_16x16x64_fp8_fp8", 16, 64, 1, Fp8, Fp8, 4, false, true},
    {"v_smfmac_f32_16x16x64_fp8_bf8", 16, 64, 1, Fp8, Bf8, 4, false, true},
    {"v_smfmac_f32_16x16x64_bf8_fp8", 16, 64, 1, Bf8, Fp8, 4, false, true},
    {"v_smfmac_f32_16x16x64_bf8_bf8", 16, 64, 1, Bf8, Bf8, 4, false, true},
    {"v_smfmac_f32_32x32x32_fp8_fp8", 32, 32, 1, Fp8, Fp8, 8, false, true},
    {"v_smfmac_f32_32x32x32_fp8_bf8", 32, 32, 1, Fp8, Bf8, 8, false, true},
    {"v_smfmac_f32_32x32x32_bf8_fp8", 32, 32, 1, Bf8, Fp8, 8, false, true},
    {"v_smfmac_f32_32x32x32_bf8_bf8", 32, 32, 1, Bf8, Bf8, 8, false, true},
    {"v_smfmac_f32_16x16x128_fp8_fp8", 16, 128, 1, Fp8, Fp8, 4, false, true},
    {"v_smfmac_f32_16x16x128_fp8_bf8", 16, 128, 1, Fp8, Bf8, 4, false, true},
    {"v_smfmac_f32_16x16x128_bf8_fp8", 16, 128, 1, Bf8, Fp8, 4, false, true},
    {"v_smfmac_f32_16x16x128_bf8_bf8", 16, 128, 1, Bf8, Bf8, 4, false, true},
    {"v_smfmac_f32_32x32x64_fp8_fp8", 32, 64, 1, Fp8, Fp8, 8, false, true},
    {"v_smfmac_f32_32x32x64_fp8_bf8", 32, 64, 1, Fp8, Bf8, 8, false, true},
    {"v_smfmac_f32_32x32x64_bf8_fp8", 32, 64, 1, Bf8, Fp8, 8, false, true},
    {"v_smfmac_f32_32x32x64_bf8_bf8", 32, 64, 1, Bf8, Bf8, 8, false, true},
};

} // namespace

ArrayRef<MfmaForm> lowp::sim::mfmaForms() { return forms; }

const MfmaForm &lowp::sim::mfmaForm(const Inst &inst) { return forms[inst.op->param]; }

MfmaPacking lowp::sim::mfmaPacking(const MfmaForm &form, bool second, unsigned selector, bool fnuz) {
  MfmaPacking packing;
  packing.elements = form.k / (form.sparse && !second ? 2 : 1) / form.groups();
  packing.run = packing.elements;
  switch (second ? form.b : form.a) {
  case MfmaType::Fp8:
    packing.format = fnuz ? Format::F8E4M3FNUZ : Format::F8E4M3FN;
    break;
  case MfmaType::Bf8:
    packing.format = fnuz ? Format::F8E5M2FNUZ : Format::F8E5M2;
    break;
  case MfmaType::F8f6f4: {
    static constexpr Format formats[] = {Format::F8E4M3FN, Format::F8E5M2, Format::F6E2M3FN, Format::F6E3M2FN,
                                         Format::F4E2M1FN};
    packing.format = formats[selector < 5 ? selector : 0];
    break;
  }
  case MfmaType::I8:
    packing.format = Format::I8;
    break;
  case MfmaType::F16:
    packing.format = Format::F16;
    break;
  case MfmaType::BF16:
    packing.format = Format::BF16;
    break;
  case MfmaType::F32:
  case MfmaType::XF32:
    packing.format = Format::F32;
    break;
  case MfmaType::F64:
    packing.bits = 64;
    return packing;
  }
  packing.bits = bitWidth(packing.format);
  bool eightRegisters = packing.bits * packing.elements == 256 && (packing.bits == 8 || packing.bits == 16);
  if (eightRegisters)
    packing.run = 128 / packing.bits;
  return packing;
}

MfmaRow lowp::sim::mfmaResultRow(const MfmaForm &form, unsigned block, unsigned row) {
  unsigned size = form.size, height = form.a == F64 ? 1 : 4, stripes = 64 / size;
  unsigned sharing = std::max(1u, 64 / (size * size / height)); // blocks that share a register
  return {uint8_t(block * (size * size / 64) + row / (height * stripes) * height + row % height),
          uint8_t(block % sharing * size + row / height % stripes * sharing * size)};
}

unsigned lowp::sim::mfmaPasses(const Inst &inst, const ChipFacts &chip) {
  const MfmaForm &form = mfmaForm(inst);
  bool narrow = form.a == F8f6f4 && inst.cbsz() >= 2 && inst.blgp() >= 2;
  if (form.a == F64 && form.size == 16 && chip.halfRateF64)
    return 2 * form.passes;
  return narrow ? form.passes / 2 : form.passes;
}

bool lowp::sim::mfmaModifiersKnown(const Inst &inst) {
  const MfmaForm &form = mfmaForm(inst);
  unsigned cbsz = inst.cbsz(), abid = inst.abid(), blgp = inst.blgp();
  if (form.a == F8f6f4)
    return cbsz <= 4 && blgp <= 4 && abid == 0;
  if (form.sparse) // choose the set of indices
    return blgp == 0;
  if (cbsz > Log2_32(form.blocks) || abid >= 1u << cbsz)
    return false;
  bool lanePermutation = form.a == F32 || ((form.a == F16 || form.a == BF16) && form.k * form.size <= 256) ||
                         (form.a == I8 && form.blocks > 1);
  return blgp == 0 || lanePermutation;
}
