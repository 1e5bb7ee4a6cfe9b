// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of a tile that the passes choose from, built from parameters: matrix instruction operands and results,
// coalesced global access, and LDS with a derived swizzle.
#ifndef LOWP_LAYOUT_TILELAYOUTS_H
#define LOWP_LAYOUT_TILELAYOUTS_H

#include "lowp/Layout/LinearLayout.h"
#include "lowp/Target/Target.h"

namespace lowp {

/// How the waves of a workgroup share a product: `k` > 1 gives each wave group a slice of the leading (batch) dimension.
struct WaveGrid {
  unsigned m = 1, n = 1, k = 1;
  unsigned count() const { return m * n * k; }
};

/// Layouts of one product of tiles, all with inputs "register", "lane", "wave". Shapes: a (M, K), b (K, N), acc (M, N); with a
/// leading dimension of size grid.k when grid.k > 1 (each wave group owns one index of it).
struct MmaLayouts {
  LinearLayout a, b, acc;
  unsigned aFragment, bFragment, accFragment; ///< elements one instruction takes or gives, in consecutive registers
};

/// `transposed`: the instruction gets B as its first operand and A as its second, so that a lane holds neighbours of a row
/// of the result (n runs over consecutive registers). `vectorBits`: the k of both operands are permuted alike so that a lane
/// holds runs of at least so many bits of consecutive k where the tile allows (legal without block scales, where every k
/// is summed alike). Register order: within one instruction's operand first, then k, then m (n); the register bits above one
/// fragment walk k first, then m or n. Waves: n fastest, then m, then k. Tile sizes are powers of two.
MmaLayouts mmaLayouts(const MfmaInstruction &mfma, unsigned m, unsigned n, unsigned k, WaveGrid grid, bool transposed, unsigned vectorBits);

/// The bare layouts of one instruction, as the manual gives them ("register" = element of the lane, "lane"); for tests.
LinearLayout mfmaOperandA(const MfmaInstruction &mfma); ///< (m, k)
LinearLayout mfmaOperandB(const MfmaInstruction &mfma); ///< (k, n)
LinearLayout mfmaResult(const MfmaInstruction &mfma);   ///< (m, n)

/// Coalesced: a lane holds `vector` consecutive elements of dimension `contiguous`, lanes continue along it and then along the
/// others, waves after that; what is left goes to registers, and where the tile is smaller than the workgroup the left over
/// lanes and waves hold copies.
LinearLayout blockedLayout(llvm::ArrayRef<int32_t> shape, unsigned contiguous, unsigned vector, unsigned waves);

/// Where the elements of a tile stand in LDS: input "offset" (in elements of `elementBits`) to the tile's coordinates.
struct LdsLayout {
  LinearLayout layout;
  unsigned readConflicts;  ///< extra cycles per read instruction over the conflict-free ones; 0 = none
  unsigned writeConflicts; ///< the same for writes; 0 for writes in offset order (direct to LDS)
};

/// Derives the order in LDS: rows of dimension `contiguous`, units of `unitBits` xor-swizzled by the row such that `reader`
/// (inputs register, lane, wave) meets no bank conflict under `target`'s phases, nor `writer` if there is one.
LdsLayout ldsLayout(llvm::ArrayRef<int32_t> shape, unsigned contiguous, unsigned elementBits, unsigned unitBits, const LinearLayout &reader,
                    const LinearLayout *writer, const Target &target);

/// Extra cycles that one instruction of kind `access` needs over a conflict-free one, when lane l touches the byte addresses
/// addresses[l] .. + access size; lanes of one phase that touch the same dword share it.
unsigned bankConflicts(llvm::ArrayRef<uint32_t> addresses, LdsAccess access, const Target &target);

/// The widest access (bits, at most `maxBits`) with which register-consecutive elements are consecutive in `memory`
/// (input "offset"), and which register bits vary inside it, lowest first.
struct VectorAccess {
  unsigned bits;
  llvm::SmallVector<unsigned> registerBits;
};
VectorAccess widestAccess(const LinearLayout &registers, const LinearLayout &memory, unsigned elementBits, unsigned maxBits);

} // namespace lowp

#endif // LOWP_LAYOUT_TILELAYOUTS_H
