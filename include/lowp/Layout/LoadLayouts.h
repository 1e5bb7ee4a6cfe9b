// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who loads which element of a tile that goes from global memory through registers into LDS: layouts made for
// the two accesses, not for the computation.
#ifndef LOWP_LAYOUT_LOADLAYOUTS_H
#define LOWP_LAYOUT_LOADLAYOUTS_H

#include "lowp/Layout/LinearLayout.h"

namespace lowp {

/// Deals the offsets of `memory` (input "offset") out in turn: `vector` consecutive ones to a lane, then the
/// next lanes, the waves, and what is left to the registers again. A tile smaller than that leaves copies in
/// the upper lanes and waves. `vector` and `waves` are powers of two.
LinearLayout dealtLayout(const LinearLayout &memory, unsigned vector, unsigned waves);

/// For a tile whose rows in global memory run along dimension `from` and in LDS along dimension `to`. A lane
/// holds a block of `fromVector` by `toVector` elements, its lowest register bits along `from`, the next
/// along `to`, so that it loads vectors along the one and stores vectors along the other; both are cut where
/// the tile has fewer elements a lane (`toVector` first). Lanes continue along `from` up to `fromRun`
/// elements in all, then along `to`, then along what is left. All are powers of two.
LinearLayout transposedLoadLayout(llvm::ArrayRef<int32_t> shape, unsigned from, unsigned to,
                                  unsigned fromVector, unsigned toVector, unsigned fromRun, unsigned waves);

} // namespace lowp

#endif // LOWP_LAYOUT_LOADLAYOUTS_H
