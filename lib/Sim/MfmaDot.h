// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of a matrix instruction on unpacked tiles.
#ifndef LOWP_LIB_SIM_MFMADOT_H
#define LOWP_LIB_SIM_MFMADOT_H

#include <cstdint>

namespace lowp::sim {

/// a[k][i], b[k][j] and d[i][j], all row-major with rows of `size` (16 or 32) elements, 64-byte aligned:
/// d[i][j] += sum over k of a[k][i] * b[k][j].
void matrixDot(const double *a, const double *b, double *d, unsigned size, unsigned k);
void matrixDot(const float *a, const float *b, float *d, unsigned size, unsigned k);
void matrixDot(const uint32_t *a, const uint32_t *b, uint32_t *d, unsigned size, unsigned k);

/// Unpacks 8-bit elements through a table of 256 values: `elements` per lane in the rows of `registers`, laid
/// out in groups of `size` lanes and runs of `run` k, into tile[k][row].
void unpackBytes(const uint32_t (*registers)[64], unsigned elements, unsigned size, unsigned run,
                 const double *table, double *tile);
void unpackBytes(const uint32_t (*registers)[64], unsigned elements, unsigned size, unsigned run,
                 const float *table, float *tile);

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_MFMADOT_H
