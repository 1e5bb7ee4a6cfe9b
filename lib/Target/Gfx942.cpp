// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gfx942: CDNA3, the MI300X and MI325X. 304 compute units on 8 dies (XCDs), each die with an L2 of its own. A
// compute unit has 64 KiB of LDS in 32 banks of 4 bytes, and a matrix core per SIMD that takes f16, bf16, i8
// and the two 8-bit floats in their FNUZ reading: the mnemonics say fp8 and bf8 as on gfx950, but the same
// bits mean half the value there, there is no infinity, no minus zero, and 0x80 is the only NaN. There are no
// block scales, no 6- and 4-bit operands. Memory goes straight to LDS only by 1, 2 or 4 bytes a lane.
//
// Lane layout of every instruction here: lane l holds row l % M of A (column l % N of B) and the k of its
// lane group l / M, `run` consecutive ones; of the result it holds column l % N, four consecutive rows at a
// time.
//
// Sources. Cycles, layouts: AMD matrix instruction calculator, CDNA3 (4 clocks a pass). ROCDL names: LLVM
// 22's ROCDLOps.td. Topology: AMD CDNA3 white paper. LDS phases: HipKittens' measurements and AMD's "CDNA4
// GEMM kernels" article. LDS granule: LLVM 22's AMDGPUUsage.

#include "Chips.h"

using namespace lowp;

namespace {

constexpr Format fp8 = Format::F8E4M3FNUZ, bf8 = Format::F8E5M2FNUZ;
constexpr Format f16 = Format::F16, bf16 = Format::BF16, f32 = Format::F32, i8 = Format::I8,
                 i32 = Format::I32;

// Every row: AMD matrix instruction calculator, architecture cdna3, --detail-instruction of the mnemonic.
constexpr MfmaInstruction table[] = {
    // 8-bit floats, 4 passes.
    {"v_mfma_f32_16x16x32_fp8_fp8", "rocdl.mfma.f32.16x16x32.fp8.fp8", fp8, fp8, f32, 16, 16, 32, 8, 8, 16,
     false},
    {"v_mfma_f32_16x16x32_fp8_bf8", "rocdl.mfma.f32.16x16x32.fp8.bf8", fp8, bf8, f32, 16, 16, 32, 8, 8, 16,
     false},
    {"v_mfma_f32_16x16x32_bf8_fp8", "rocdl.mfma.f32.16x16x32.bf8.fp8", bf8, fp8, f32, 16, 16, 32, 8, 8, 16,
     false},
    {"v_mfma_f32_16x16x32_bf8_bf8", "rocdl.mfma.f32.16x16x32.bf8.bf8", bf8, bf8, f32, 16, 16, 32, 8, 8, 16,
     false},
    // Integers, 4 passes.
    {"v_mfma_i32_16x16x32_i8", "rocdl.mfma.i32.16x16x32.i8", i8, i8, i32, 16, 16, 32, 8, 8, 16, false},
    // 16-bit floats, 4 passes. LLVM's ".1k" tells the bf16 form from the one of gfx908.
    {"v_mfma_f32_16x16x16_f16", "rocdl.mfma.f32.16x16x16f16", f16, f16, f32, 16, 16, 16, 4, 4, 16, false},
    {"v_mfma_f32_16x16x16_bf16", "rocdl.mfma.f32.16x16x16bf16.1k", bf16, bf16, f32, 16, 16, 16, 4, 4, 16,
     false},
    // 8-bit floats, 8 passes.
    {"v_mfma_f32_32x32x16_fp8_fp8", "rocdl.mfma.f32.32x32x16.fp8.fp8", fp8, fp8, f32, 32, 32, 16, 8, 8, 32,
     false},
    {"v_mfma_f32_32x32x16_fp8_bf8", "rocdl.mfma.f32.32x32x16.fp8.bf8", fp8, bf8, f32, 32, 32, 16, 8, 8, 32,
     false},
    {"v_mfma_f32_32x32x16_bf8_fp8", "rocdl.mfma.f32.32x32x16.bf8.fp8", bf8, fp8, f32, 32, 32, 16, 8, 8, 32,
     false},
    {"v_mfma_f32_32x32x16_bf8_bf8", "rocdl.mfma.f32.32x32x16.bf8.bf8", bf8, bf8, f32, 32, 32, 16, 8, 8, 32,
     false},
    // Integers, 8 passes.
    {"v_mfma_i32_32x32x16_i8", "rocdl.mfma.i32.32x32x16.i8", i8, i8, i32, 32, 32, 16, 8, 8, 32, false},
    // 16-bit floats, 8 passes.
    {"v_mfma_f32_32x32x8_f16", "rocdl.mfma.f32.32x32x8f16", f16, f16, f32, 32, 32, 8, 4, 4, 32, false},
    {"v_mfma_f32_32x32x8_bf16", "rocdl.mfma.f32.32x32x8bf16.1k", bf16, bf16, f32, 32, 32, 8, 4, 4, 32, false},
};

// Phases that cover 128 bytes each. The 16-byte reads pair four lanes of one half row with four of another.
constexpr uint64_t halves[] = {0x00000000ffffffff, 0xffffffff00000000};
constexpr uint64_t quarters[] = {0x000000000000ffff, 0x00000000ffff0000, 0x0000ffff00000000,
                                 0xffff000000000000};
constexpr uint64_t eighths[] = {0xffull,       0xffull << 8,  0xffull << 16, 0xffull << 24,
                                0xffull << 32, 0xffull << 40, 0xffull << 48, 0xffull << 56};
// {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27} and the same 32 lanes on.
constexpr uint64_t wideRead[] = {0x00f0000full,       0x000f00f0ull,       0xf0000f00ull,
                                 0x0f00f000ull,       0x00f0000full << 32, 0x000f00f0ull << 32,
                                 0xf0000f00ull << 32, 0x0f00f000ull << 32};

// L1: 64 bytes a clock and compute unit; L2: 16 channels of 128 bytes a clock (ROCm Compute Profiler's
// documentation, "Vector L1 cache" and "L2 cache"), of which three quarters are taken as reached, between
// what AMD's kernel selection reckons with (rocm-libraries, tensilelite's formocast: 0.9) and what mt4g
// measures (0.46). Memory: 5.3 TB/s at 2.1 GHz (data sheet), of which
// 0.8 is reached (AMD's MI300X measurements: 77 to 81 %).
// Latency in a loop that streams, and bytes in flight: AMD's gfx950-gluon-tutorials,
// docs/tcp_bound_tile_model.md (about 1000 clocks, 44 KiB), measured on the
// newer chip; mt4g's pointer chase has 876 without load here. LDS latency: tingqli/pyhip,
// docs/mem_latency.md (50 to 64 clocks). Launch: formocast's 2.6 us.
constexpr MemoryRates rates = {64, 1536, 2019, 1000, 44 * 1024, 64, 5460};

class Gfx942 final : public Target {
public:
  llvm::StringRef chip() const override { return "gfx942"; }
  unsigned isaVersion() const override { return 9402; }
  unsigned computeUnits() const override { return 304; }
  unsigned xcds() const override { return 8; }
  unsigned ldsBytes() const override { return 64 * 1024; }
  unsigned ldsGranule() const override { return 512; }
  llvm::ArrayRef<MfmaInstruction> mfmas() const override { return table; }
  unsigned mfmaResultDelay() const override { return 3; }
  bool convertsToBf16() const override { return false; }
  uint32_t directToLdsBytes() const override { return 1u << 1 | 1u << 2 | 1u << 4; }

  MemoryRates memoryRates() const override { return rates; }
  // AMD, "Measuring Max-Achievable FLOPs, Part 2": 1.21 to 1.23 of 2.1 GHz.
  unsigned sustainedClock() const override { return 58; }

  LdsPhases ldsPhases(LdsAccess access) const override {
    switch (access) {
    case LdsAccess::Read32:
    case LdsAccess::Write32: // inferred: 32 banks serve half a wave
      return {halves, 32};
    case LdsAccess::Read64:
    case LdsAccess::Write64:
      return {quarters, 32};
    case LdsAccess::Read96: // not published: taken as the 16-byte read
    case LdsAccess::Read128:
      return {wideRead, 32};
    case LdsAccess::Write96: // not published: taken as the 16-byte write
    case LdsAccess::Write128:
      break;
    }
    return {eighths, 32};
  }
};

} // namespace

const Target &lowp::gfx942() {
  static const Gfx942 target;
  return target;
}
