// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// v_trig_preop_f64: 53 bits of 2 / pi for the reduction of large arguments, as the CDNA manuals' pseudocode
// describes them: which ones by the second source and the first one's exponent.

#include "Row.h"
#include <cmath>
#include <iterator>

using namespace lowp::sim::reference;

namespace {

/// 2 / pi: 1201 bits after the point, the highest first (Machin's formula), then zeros.
constexpr u64 twoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000,
};

u64 bitAt(unsigned i) { return i / 64 < std::size(twoOverPi) ? twoOverPi[i / 64] >> (63 - i % 64) & 1 : 0; }

} // namespace

Rows lowp::sim::reference::trigRows() {
  return {{"v_trig_preop_f64", "d:dn",
           [](Lane &l) {
             int exponent = int(l.s[0][1] >> 20 & 2047), shift = int(l.s[1][0] % 32) * 53;
             if (exponent > 1077)
               shift += exponent - 1077;
             u64 bits = 0;
             for (unsigned i = 0; i < 53; ++i)
               bits = bits * 2 + bitAt(unsigned(shift) + i);
             l.setD(std::ldexp(double(bits), -53 - shift + (exponent >= 1968 ? 128 : 0)));
           },
           Vop3Only}};
}
