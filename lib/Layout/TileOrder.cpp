// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plain order of a tile in memory, and the coalesced distribution that follows it: offsets are dealt out
// to a lane's vector, then the lanes, then the waves, then again from the first lane. So each instruction of
// the workgroup covers one piece of consecutive offsets.

#include "lowp/Layout/TileLayouts.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace lowp;

LinearLayout lowp::tileOrder(llvm::ArrayRef<int32_t> shape, unsigned contiguous) {
  assert(contiguous < shape.size());
  LinearLayout order = LinearLayout::identity("offset", shape[contiguous], contiguous, shape.size());
  for (unsigned dim = shape.size(); dim-- > 0;)
    if (dim != contiguous)
      order = order * LinearLayout::identity("offset", shape[dim], dim, shape.size());
  return order;
}

LinearLayout lowp::blockedLayout(llvm::ArrayRef<int32_t> shape, unsigned contiguous, unsigned vector,
                                 unsigned waves) {
  LinearLayout order = tileOrder(shape, contiguous);
  unsigned total = order.inputBits("offset"), next = 0;

  LinearLayout deal; // to offsets
  auto give = [&](llvm::StringRef input, unsigned bits) {
    unsigned real = std::min(bits, total - next);
    LinearLayout piece =
        LinearLayout::identity(input, 1 << real, 0, 1) * LinearLayout::zeros(input, 1 << (bits - real), 1);
    deal = next == 0 && deal.inputs().empty() ? piece : deal * piece;
    next += real;
  };
  give("register", llvm::Log2_32(std::min<unsigned>(vector, shape[contiguous])));
  give("lane", 6);
  give("wave", llvm::Log2_32(waves));
  give("register", total - next);
  return deal.compose(order);
}
