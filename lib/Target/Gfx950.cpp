// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gfx950: CDNA4, the MI350X and MI355X. 256 compute units on 8 dies (XCDs), each die with an L2 of its own. A
// compute unit has 160 KiB of LDS; reads see 64 banks of 4 bytes (256 bytes a clock), writes 32 (128 bytes a
// clock), and the 12-byte read goes by the 32-bank rule. Memory goes straight to LDS by up to 16 bytes a
// lane.
//
// The matrix cores take the 8-bit floats in their OCP reading (gfx942's same mnemonics mean FNUZ), and one
// new family, f8f6f4, takes any of fp8, bf8, fp6 (E2M3), bf6 (E3M2) and fp4 for A and for B apart, with an
// optional E8M0 scale for every 32 elements along K. Only this family runs fp8 at the chip's full rate; it is
// twice as fast again when neither operand is an 8-bit one. fp6 costs what fp4 costs.
//
// Lane layout: lane l holds row l % M of A (column l % N of B). Of an 8-bit f8f6f4 operand it holds two runs
// of 16 consecutive k, of a 6- or 4-bit one a single run of 32; a scale always belongs to 32 consecutive k.
// So a mixed instruction pairs two different layouts. The run of the 6-bit operands is the reading with which
// shipped attention kernels give right results (a comment in Triton says 16); of the i8 forms with 16
// elements a lane it is by analogy.
//
// Sources. Cycles: LLVM 22's SISchedule.td (SIDPGFX950FullSpeedModel, with its rule that any 8-bit operand
// makes an f8f6f4 instruction take 8 or 16 passes) and AMD's article "Matrix Core Programming on CDNA3 and
// CDNA4"; 4 clocks a pass. Layouts: the same article and composable_kernel's test/mx_mfma_op. ROCDL names:
// LLVM 22's ROCDLOps.td. Topology: AMD CDNA4 white paper. LDS granule: CDNA4 ISA manual section 3.6.5. LDS
// phases: HipKittens' measurements and AMD's "CDNA4 GEMM kernels" article. Sizes of direct-to-LDS loads: LLVM
// 22's assembler.

#include "Chips.h"

#include <array>
#include <utility>

using namespace lowp;

namespace {

constexpr Format fp8 = Format::F8E4M3FN, bf8 = Format::F8E5M2;
constexpr Format f16 = Format::F16, bf16 = Format::BF16, f32 = Format::F32, i8 = Format::I8,
                 i32 = Format::I32;

// The operand formats of f8f6f4 in the order of the instruction's format immediates (cbsz, blgp).
constexpr Format small[] = {fp8, bf8, Format::F6E2M3FN, Format::F6E3M2FN, Format::F4E2M1FN};
constexpr bool is8Bit(Format format) { return format == fp8 || format == bf8; }

// composable_kernel's mx_mfma_op: runs of 16 for fp8, 32 for fp4.
constexpr unsigned run8Bit = 16, run6Bit = 32, run4Bit = 32;
constexpr unsigned runOf(Format format) {
  return is8Bit(format) ? run8Bit : format == Format::F4E2M1FN ? run4Bit : run6Bit;
}

// 16x16x128: 8 passes with an 8-bit operand, else 4. 32x32x64: 16 or 8. (SISchedule.td.)
constexpr MfmaInstruction f8f6f4(unsigned m, Format a, Format b) {
  unsigned cycles = (m == 16 ? 16 : 32) * (is8Bit(a) || is8Bit(b) ? 2 : 1);
  if (m == 16)
    return {"v_mfma_f32_16x16x128_f8f6f4",
            "rocdl.mfma.scale.f32.16x16x128.f8f6f4",
            a,
            b,
            f32,
            16,
            16,
            128,
            runOf(a),
            runOf(b),
            cycles,
            true};
  return {"v_mfma_f32_32x32x64_f8f6f4",
          "rocdl.mfma.scale.f32.32x32x64.f8f6f4",
          a,
          b,
          f32,
          32,
          32,
          64,
          runOf(a),
          runOf(b),
          cycles,
          true};
}

constexpr MfmaInstruction others[] = {
    // K 64. LLVM: 4 passes; the lane's 16 consecutive k are by analogy with the 16-bit forms.
    {"v_mfma_i32_16x16x64_i8", "rocdl.mfma.i32.16x16x64.i8", i8, i8, i32, 16, 16, 64, 16, 16, 16, false},
    // K 32. AMD's CDNA4 article: 4 passes (8 for i8's 32x32 form); the 8-bit floats and the shorter i8 form
    // are CDNA3's.
    {"v_mfma_i32_32x32x32_i8", "rocdl.mfma.i32.32x32x32.i8", i8, i8, i32, 32, 32, 32, 16, 16, 32, false},
    {"v_mfma_f32_16x16x32_f16", "rocdl.mfma.f32.16x16x32.f16", f16, f16, f32, 16, 16, 32, 8, 8, 16, false},
    {"v_mfma_f32_16x16x32_bf16", "rocdl.mfma.f32.16x16x32.bf16", bf16, bf16, f32, 16, 16, 32, 8, 8, 16,
     false},
    {"v_mfma_f32_16x16x32_fp8_fp8", "rocdl.mfma.f32.16x16x32.fp8.fp8", fp8, fp8, f32, 16, 16, 32, 8, 8, 16,
     false},
    {"v_mfma_f32_16x16x32_fp8_bf8", "rocdl.mfma.f32.16x16x32.fp8.bf8", fp8, bf8, f32, 16, 16, 32, 8, 8, 16,
     false},
    {"v_mfma_f32_16x16x32_bf8_fp8", "rocdl.mfma.f32.16x16x32.bf8.fp8", bf8, fp8, f32, 16, 16, 32, 8, 8, 16,
     false},
    {"v_mfma_f32_16x16x32_bf8_bf8", "rocdl.mfma.f32.16x16x32.bf8.bf8", bf8, bf8, f32, 16, 16, 32, 8, 8, 16,
     false},
    {"v_mfma_i32_16x16x32_i8", "rocdl.mfma.i32.16x16x32.i8", i8, i8, i32, 16, 16, 32, 8, 8, 16, false},
    // K 16. AMD's CDNA4 article: 8 passes for f16 and bf16; the rest as on CDNA3, half this chip's rate.
    {"v_mfma_f32_32x32x16_f16", "rocdl.mfma.f32.32x32x16.f16", f16, f16, f32, 32, 32, 16, 8, 8, 32, false},
    {"v_mfma_f32_32x32x16_bf16", "rocdl.mfma.f32.32x32x16.bf16", bf16, bf16, f32, 32, 32, 16, 8, 8, 32,
     false},
    {"v_mfma_f32_32x32x16_fp8_fp8", "rocdl.mfma.f32.32x32x16.fp8.fp8", fp8, fp8, f32, 32, 32, 16, 8, 8, 32,
     false},
    {"v_mfma_f32_32x32x16_fp8_bf8", "rocdl.mfma.f32.32x32x16.fp8.bf8", fp8, bf8, f32, 32, 32, 16, 8, 8, 32,
     false},
    {"v_mfma_f32_32x32x16_bf8_fp8", "rocdl.mfma.f32.32x32x16.bf8.fp8", bf8, fp8, f32, 32, 32, 16, 8, 8, 32,
     false},
    {"v_mfma_f32_32x32x16_bf8_bf8", "rocdl.mfma.f32.32x32x16.bf8.bf8", bf8, bf8, f32, 32, 32, 16, 8, 8, 32,
     false},
    {"v_mfma_i32_32x32x16_i8", "rocdl.mfma.i32.32x32x16.i8", i8, i8, i32, 32, 32, 16, 8, 8, 32, false},
    {"v_mfma_f32_16x16x16_f16", "rocdl.mfma.f32.16x16x16f16", f16, f16, f32, 16, 16, 16, 4, 4, 16, false},
    {"v_mfma_f32_16x16x16_bf16", "rocdl.mfma.f32.16x16x16bf16.1k", bf16, bf16, f32, 16, 16, 16, 4, 4, 16,
     false},
    // K 8, as on CDNA3.
    {"v_mfma_f32_32x32x8_f16", "rocdl.mfma.f32.32x32x8f16", f16, f16, f32, 32, 32, 8, 4, 4, 32, false},
    {"v_mfma_f32_32x32x8_bf16", "rocdl.mfma.f32.32x32x8bf16.1k", bf16, bf16, f32, 32, 32, 8, 4, 4, 32, false},
};

constexpr unsigned mixes = std::size(small) * std::size(small);

// The mixes of 16x16x128, then those of 32x32x64, then the table above.
template <size_t... I, size_t... J>
constexpr std::array<MfmaInstruction, 2 * sizeof...(I) + sizeof...(J)> makeTable(std::index_sequence<I...>,
                                                                                 std::index_sequence<J...>) {
  return {f8f6f4(16, small[I / std::size(small)], small[I % std::size(small)])...,
          f8f6f4(32, small[I / std::size(small)], small[I % std::size(small)])..., others[J]...};
}
constexpr auto table =
    makeTable(std::make_index_sequence<mixes>(), std::make_index_sequence<std::size(others)>());

constexpr uint64_t whole[] = {0xffffffffffffffff};
constexpr uint64_t halves[] = {0x00000000ffffffff, 0xffffffff00000000};
constexpr uint64_t quarters[] = {0x000000000000ffff, 0x00000000ffff0000, 0x0000ffff00000000,
                                 0xffff000000000000};
constexpr uint64_t eighths[] = {0xffull,       0xffull << 8,  0xffull << 16, 0xffull << 24,
                                0xffull << 32, 0xffull << 40, 0xffull << 48, 0xffull << 56};
// {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27} and the same 32 lanes on.
constexpr uint64_t read96[] = {0x00f0000full,       0x000f00f0ull,       0xf0000f00ull,
                               0x0f00f000ull,       0x00f0000full << 32, 0x000f00f0ull << 32,
                               0xf0000f00ull << 32, 0x0f00f000ull << 32};
// {0-3,12-15,20-27} {4-11,16-19,28-31} and the same 32 lanes on.
constexpr uint64_t read128[] = {0x0ff0f00full, 0xf00f0ff0ull, 0x0ff0f00full << 32, 0xf00f0ff0ull << 32};

// L1: 64 bytes a clock and compute unit; L2: 16 channels of 128 bytes a clock (ROCm Compute Profiler's
// documentation, "Vector L1 cache" and "L2 cache"), of which three quarters are taken as reached, between
// what AMD's kernel selection reckons with (rocm-libraries, tensilelite's formocast: 0.9) and what mt4g
// measures (0.46). Memory: 8 TB/s at 2.4 GHz (data sheet), of which
// 0.8 is reached (published decode kernels: 6.1 to 6.8 TB/s).
// Latency in a loop that streams, and bytes in flight: AMD's gfx950-gluon-tutorials,
// docs/tcp_bound_tile_model.md (about 1000 clocks, 44 KiB). LDS latency: tingqli/pyhip,
// docs/mem_latency.md (50 to 64 clocks). Launch: formocast's 2.6 us.
constexpr MemoryRates rates = {64, 1536, 2667, 1000, 44 * 1024, 64, 6240};

class Gfx950 final : public Target {
public:
  llvm::StringRef chip() const override { return "gfx950"; }
  unsigned isaVersion() const override { return 9500; }
  unsigned computeUnits() const override { return 256; }
  unsigned xcds() const override { return 8; }
  unsigned ldsBytes() const override { return 160 * 1024; }
  unsigned ldsGranule() const override { return 1280; }
  llvm::ArrayRef<MfmaInstruction> mfmas() const override {
    return llvm::ArrayRef(table.data(), table.size());
  }
  unsigned mfmaResultDelay() const override { return 4; }
  bool convertsToBf16() const override { return true; }
  uint32_t directToLdsBytes() const override { return 1u << 1 | 1u << 2 | 1u << 4 | 1u << 12 | 1u << 16; }

  MemoryRates memoryRates() const override { return rates; }
  // 1.3 to 1.6 of 2.4 GHz, from published rates over what the loops reach by their counts: nobody measured
  // it.
  unsigned sustainedClock() const override { return 60; }

  LdsPhases ldsPhases(LdsAccess access) const override {
    switch (access) {
    case LdsAccess::Read32:
      return {whole, 64};
    case LdsAccess::Read64:
      return {halves, 64};
    case LdsAccess::Read96:
      return {read96, 32};
    case LdsAccess::Read128:
      return {read128, 64};
    case LdsAccess::Write32: // inferred: 128 bytes a clock
      return {halves, 32};
    case LdsAccess::Write64:
      return {quarters, 32};
    case LdsAccess::Write96: // not published: taken as the 16-byte write
    case LdsAccess::Write128:
      break;
    }
    return {eighths, 32};
  }
};

} // namespace

const Target &lowp::gfx950() {
  static const Gfx950 target;
  return target;
}
