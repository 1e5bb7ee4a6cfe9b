// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inner loops of matrix instructions, once for any host and once per vector extension. All give the same
// bits: every product and sum rounds by itself, in order of k; a fused multiply-add is used only where the
// caller says that products are exact.
#ifndef LOWP_LIB_SIM_MFMAKERNELS_H
#define LOWP_LIB_SIM_MFMAKERNELS_H

#include <cstdint>

namespace lowp::sim {

/// How the registers of one operand become rows of `size` elements, tile[(block * k + kIndex) * size + row].
/// See MfmaForms.cpp.
struct TileShape {
  unsigned size, blocks, groups, elements, run;
  unsigned k() const { return elements * groups; }
  /// Row of the tile where a run begins: element `first` of the lanes of set `set`.
  unsigned row(unsigned set, unsigned first) const {
    return set % blocks * k() + first * groups + set / blocks * run;
  }
};

/// A float format of at most eight bits, ready for decoding by shifts: see decodeNarrow.
struct NarrowCodec {
  uint32_t bits, magnitudeMask;
  uint32_t mantissaShift, exponentAdd; ///< a normal value is (magnitude << shift) + add as an f32
  uint32_t signShift;
  uint32_t firstNormal;  ///< smaller magnitudes are looked up
  uint32_t firstSpecial; ///< this magnitude and larger ones are infinity and NaN
  uint32_t nanCode;      ///< a code that is NaN beside those
  float subnormals[8];
};

/// What matrix instructions give for any NaN.
constexpr uint32_t matrixNan = 0x7fc00000;

struct MatrixKernels {
  const char *name;
  /// d[i][j] = c[i][j] + a[k][i] * b[k][j], rows of `size` (4, 16 or 32) elements. C and D are bits of rows
  /// that may lie anywhere, NaN in D as matrixNan; row i of C is that of D, or overlaps no row of D.
  void (*dotFloat)(const float *a, const float *b, const uint32_t *const *c, uint32_t *const *d,
                   unsigned size, unsigned k, bool exactProducts);
  /// d[i][j] += a[k][i] * b[k][j], rows of `size` elements, all of one operand side by side.
  void (*dotDouble)(const double *a, const double *b, double *d, unsigned size, unsigned k);
  void (*dotInt)(const uint32_t *a, const uint32_t *b, uint32_t *d, unsigned size, unsigned k);
  void (*narrowToFloat)(const NarrowCodec &, const TileShape &, const uint32_t (*registers)[64], float *tile);
  void (*narrowToDouble)(const NarrowCodec &, const TileShape &, const uint32_t (*registers)[64],
                         double *tile);
  /// f16 or bf16.
  void (*halfToFloat)(bool bf16, const TileShape &, const uint32_t (*registers)[64], float *tile);
  void (*halfToDouble)(bool bf16, const TileShape &, const uint32_t (*registers)[64], double *tile);
};

const MatrixKernels &portableKernels();
/// Null where this host has no AVX2.
const MatrixKernels *avx2Kernels();
/// The fastest ones of this host.
const MatrixKernels &hostKernels();

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_MFMAKERNELS_H
