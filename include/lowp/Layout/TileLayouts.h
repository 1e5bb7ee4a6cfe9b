// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of a tile that the passes choose from, built from parameters: matrix instruction operands and
// results, coalesced global access, and LDS with a derived swizzle; and what a memory access between two of
// them looks like. Layouts over registers have the inputs "register", "lane", "wave" in this order, each
// present even when it has size 1.
#ifndef LOWP_LAYOUT_TILELAYOUTS_H
#define LOWP_LAYOUT_TILELAYOUTS_H

#include "lowp/Layout/LinearLayout.h"
#include "lowp/Target/Target.h"
#include "llvm/Support/Error.h"

namespace lowp {

/// How the waves of a workgroup share a product: each wave owns one contiguous block of the result; `k` > 1
/// gives each wave group a slice of the leading (batch) dimension. Powers of two.
struct WaveGrid {
  unsigned m = 1, n = 1, k = 1;
  unsigned count() const { return m * n * k; }
};

/// Layouts of one product of tiles. Shapes: a (M, K), b (K, N), acc (M, N); with a leading dimension of size
/// grid.k when grid.k > 1 (each wave group owns one index of it, K is what one group multiplies).
struct MmaLayouts {
  LinearLayout a, b, acc;
  unsigned aFragment, bFragment,
      accFragment; ///< elements one instruction takes or gives, in consecutive registers
};

/// `transposed`: the instruction gets B as its first operand and A as its second, so that a lane holds
/// neighbours of a row of the result (n runs over consecutive registers); `mfma.a` is then the format of B.
/// `vectorBits`: the k of both operands are permuted alike so that a lane holds runs of at least so many bits
/// of consecutive k where the tile allows (legal without block scales, where every k is summed alike); 0
/// keeps the manual's order. Register bits: within one instruction's operand first, in the order the
/// instruction wants; then, of a and b, the instructions along k, then those along m (n); of acc, those along
/// n, then those along m. Wave bits: n lowest, then m, then k. An error when the tile is no multiple of what
/// the waves' instructions cover, or a size is no power of two.
llvm::Expected<MmaLayouts> mmaLayouts(const MfmaInstruction &mfma, unsigned m, unsigned n, unsigned k,
                                      WaveGrid grid, bool transposed, unsigned vectorBits);

/// The bare layouts of one instruction, as the manual gives them ("register" = element of the lane, "lane").
LinearLayout mfmaOperandA(const MfmaInstruction &mfma); ///< (m, k)
LinearLayout mfmaOperandB(const MfmaInstruction &mfma); ///< (k, n)
LinearLayout mfmaResult(const MfmaInstruction &mfma);   ///< (m, n)

/// Input "offset" to the tile's coordinates: dimension `contiguous` runs fastest, then the others from the
/// last to the first.
LinearLayout tileOrder(llvm::ArrayRef<int32_t> shape, unsigned contiguous);

/// Coalesced: a lane holds `vector` consecutive elements of dimension `contiguous` (fewer if the dimension is
/// shorter), lanes continue along it and then along the others in tileOrder, waves after that; what is left
/// goes to registers, and where the tile is smaller than the workgroup the left over lanes and waves hold
/// copies. `vector` and `waves` are powers of two.
LinearLayout blockedLayout(llvm::ArrayRef<int32_t> shape, unsigned contiguous, unsigned vector,
                           unsigned waves);

/// Where the elements of a tile stand in LDS: input "offset" (in elements of `elementBits`) to the tile's
/// coordinates.
struct LdsLayout {
  LinearLayout layout;
  unsigned readBits,
      writeBits;           ///< width of the reader's and writer's accesses; writeBits is 0 without a writer
  unsigned readConflicts;  ///< extra cycles per read instruction over the conflict-free ones; 0 = none
  unsigned writeConflicts; ///< the same for writes; 0 for writes in offset order (direct to LDS)
};

/// Derives the order in LDS: rows of dimension `contiguous` in tileOrder, units of at least `unitBits` (fewer
/// if the row is shorter; a power of two of elements) xor-swizzled inside the row by the row such that
/// `reader` meets no bank conflict under `target`'s phases, nor `writer` if there is one. A unit is never
/// narrower than the accesses, which are the widest of up to `widest` bits that the layouts allow. When no
/// swizzle is free of conflicts, the one found with the fewest, counting reads first.
LdsLayout ldsLayout(llvm::ArrayRef<int32_t> shape, unsigned contiguous, unsigned elementBits,
                    unsigned unitBits, const LinearLayout &reader, const LinearLayout *writer,
                    const Target &target, unsigned widest = 128);

/// Extra cycles that one instruction of kind `access` needs over a conflict-free one, when lane l touches the
/// byte addresses addresses[l] .. + access size; lanes of one phase that touch the same dword share it. One
/// address per lane of the wave.
unsigned bankConflicts(llvm::ArrayRef<uint32_t> addresses, LdsAccess access, const Target &target);

/// How the elements of a register layout are reached in memory (input "offset", a bijection of the same
/// tile): the offset of an element is the xor of its register, lane and wave bits' contributions, and one
/// access moves 2^vectorBits.size() elements at consecutive offsets.
struct AccessPlan {
  unsigned bits = 0;                      ///< of one access
  llvm::SmallVector<unsigned> vectorBits; ///< register bits that vary inside it, lowest offset bit first
  llvm::SmallVector<unsigned>
      iterationBits; ///< the other register bits, ascending: one instruction per combination
  /// Per bit of the input, what it contributes to the element offset. 0 = a copy.
  llvm::SmallVector<uint32_t> registerOffsets, laneOffsets, waveOffsets;

  /// Offset bits that depend on the lane or wave: a register's contribution that has none of them may be
  /// added instead of xored, as an immediate.
  uint32_t variableBits() const;
  uint32_t offset(uint32_t reg, uint32_t lane, uint32_t wave) const;
};

/// The widest access of at most `maxBits`: the offset's lowest bits have to be single register bits on which
/// no other bit of the input has a bearing. The width is a power of two of elements, but not always one the
/// hardware has (4 elements of 6 bits). A plan with `bits` 0 when the two layouts are not of one tile.
AccessPlan planAccess(const LinearLayout &registers, const LinearLayout &memory, unsigned elementBits,
                      unsigned maxBits);

/// The access alone, of the plan above.
struct VectorAccess {
  unsigned bits;
  llvm::SmallVector<unsigned> registerBits;
};
VectorAccess widestAccess(const LinearLayout &registers, const LinearLayout &memory, unsigned elementBits,
                          unsigned maxBits);

} // namespace lowp

#endif // LOWP_LAYOUT_TILELAYOUTS_H
