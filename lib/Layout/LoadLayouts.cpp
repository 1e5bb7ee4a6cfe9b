// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of the load in "global memory, registers, LDS". Where both memories run along one dimension, the
// lanes follow LDS: the writes are in order, and the loads as coalesced as the rows are long. Where they do
// not, every lane turns a small block by itself.

#include "lowp/Layout/LoadLayouts.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace lowp;
using llvm::Log2_32;

LinearLayout lowp::dealtLayout(const LinearLayout &memory, unsigned vector, unsigned waves) {
  unsigned total = memory.inputBits("offset"), next = 0;
  std::vector<LinearLayout::Input> inputs{{"register", {}}, {"lane", {}}, {"wave", {}}};
  auto give = [&](LinearLayout::Input &input, unsigned bits) {
    for (unsigned i = 0; i < bits; ++i, ++next)
      if (next < total)
        input.bases.push_back(memory.basis("offset", next));
      else
        input.bases.emplace_back(memory.rank(), 0);
  };
  give(inputs[0], std::min(Log2_32(vector), total));
  give(inputs[1], 6);
  give(inputs[2], Log2_32(waves));
  if (next < total)
    give(inputs[0], total - next);
  return LinearLayout(std::move(inputs), memory.outSizes().vec());
}

LinearLayout lowp::transposedLoadLayout(llvm::ArrayRef<int32_t> shape, unsigned from, unsigned to,
                                        unsigned fromVector, unsigned toVector, unsigned fromRun,
                                        unsigned waves) {
  assert(from != to && from < shape.size() && to < shape.size());
  unsigned rank = shape.size();
  uint64_t elements = 1;
  for (int32_t size : shape)
    elements *= size;
  unsigned held = std::max<uint64_t>(1, elements / (64 * waves));
  fromVector = std::min({fromVector, unsigned(shape[from]), held});
  toVector = std::min({toVector, unsigned(shape[to]), held / fromVector});
  fromRun = std::max(fromVector, std::min(fromRun, unsigned(shape[from])));

  // The order in which elements are dealt out.
  LinearLayout order = LinearLayout::identity("offset", fromVector, from, rank) *
                       LinearLayout::identity("offset", toVector, to, rank) *
                       LinearLayout::identity("offset", fromRun / fromVector, from, rank) *
                       LinearLayout::identity("offset", shape[to] / toVector, to, rank) *
                       LinearLayout::identity("offset", shape[from] / fromRun, from, rank);
  for (unsigned dim = rank; dim-- > 0;)
    if (dim != from && dim != to)
      order = order * LinearLayout::identity("offset", shape[dim], dim, rank);
  return dealtLayout(order, fromVector * toVector, waves);
}
