// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule was found by Xie, Wang, Yang and Yang ("MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and
// Matrix Cores", arXiv 2511.10909; source github.com/microsoft/MMA-Sim, operations TR_FDPA and GTR_FDPA with
// F = 24, F2 = 31), who compared it with an MI300X bit for bit. A group of products (4 for xf32, 8 for f16
// and bf16, 16 for 8-bit floats) is summed at once:
//
//  - significands are multiplied exactly, exponents added; a product of 2^128 or more is infinite;
//  - products are aligned to the largest exponent, cut toward zero after 24 fraction bits, and summed. For
//    8-bit floats the even and the odd products are two such sums, which are cut downwards after 24 bits when
//    they meet;
//  - the sum, cut downwards after 32 bits, meets the accumulator, cut downwards after 24 bits, at the larger
//    of their exponents; for 8-bit floats an accumulator more than 25 bits below counts as zero;
//  - the result, normalised and cut downwards after 31 bits, is rounded to nearest even.
//
// Everything is done in integers. NaN payloads and the sign of a zero sum are not part of the rule: NaN is
// 0x7fc00000, zero is +0.

#include "MfmaRule.h"
#include "Half.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace lowp::sim;

namespace {

constexpr int productBits = 24, dotBits = 32, resultBits = 31;

int64_t shiftDown(int64_t x, int by) { return x >> std::min(by, 63); }

struct Sum {
  int64_t units = 0; ///< of 2^(exponent - 24)
  int exponent = RuleTile::zeroExponent;
};

struct Products {
  int64_t significand[16];
  int exponent[16];
};

/// Every `stride`-th product from `first` on.
Sum alignedSum(const Products &p, unsigned first, unsigned stride, unsigned count, int fractionBits) {
  Sum sum;
  for (unsigned n = first; n < count; n += stride)
    sum.exponent = std::max(sum.exponent, p.exponent[n]);
  for (unsigned n = first; n < count; n += stride) {
    if (!p.significand[n])
      continue;
    int shift = p.exponent[n] - sum.exponent + productBits - fractionBits;
    int64_t magnitude = std::abs(p.significand[n]);
    magnitude = shift >= 0 ? magnitude << shift : shiftDown(magnitude, -shift);
    sum.units += p.significand[n] < 0 ? -magnitude : magnitude;
  }
  return sum;
}

float withAccumulator(const Sum &dot, float c, bool dropsSmall) {
  uint32_t bits = asBits(c);
  int exponent = bits >> 23 & 255;
  int64_t significand = bits & 0x7fffff;
  if (exponent)
    significand |= 0x800000;
  exponent = exponent ? exponent - 127 : -126;
  if (bits >> 31)
    significand = -significand;
  int top = std::max(dot.exponent, exponent);
  int64_t left = shiftDown(dot.units * (1 << (dotBits - productBits)), top - dot.exponent);
  int64_t right = shiftDown(significand * 2, top - exponent);
  if (dropsSmall && exponent < top - productBits - 1)
    right = 0;
  int64_t total = left + right * (1 << (dotBits - productBits)); // units of 2^(top - 32)
  if (!total)
    return 0.0f;
  int leading = int(llvm::Log2_64(uint64_t(std::abs(total)))) + top - dotBits;
  int unit = std::max(leading, -126) - resultBits, at = top - dotBits;
  if (unit > at) {
    total = shiftDown(total, unit - at);
    at = unit;
  }
  return float(std::ldexp(double(total), at));
}

} // namespace

void RuleTile::set(unsigned index, float value, int minExponent) {
  special[index] = std::isnan(value) ? NaN : std::isinf(value) ? Infinite : Finite;
  if (special[index] != Finite || value == 0) {
    anySpecial |= special[index] != Finite;
    significand[index] = special[index] == Finite ? 0 : std::signbit(value) ? -1 : 1;
    exponent[index] = zeroExponent;
    return;
  }
  exponent[index] = std::max(std::ilogb(value), minExponent);
  significand[index] = int32_t(std::ldexp(double(value), int(fractionBits) - exponent[index]));
}

/// What infinities and NaN make of a group; false when there are none.
static bool specialResult(const RuleTile &a, const RuleTile &b, unsigned ia, unsigned ib, unsigned size,
                          unsigned count, const bool *overflow, const Products &products, float c,
                          float &result) {
  bool nan = std::isnan(c), plus = c == INFINITY, minus = c == -INFINITY;
  for (unsigned n = 0; n < count; ++n) {
    unsigned x = ia + n * size, y = ib + n * size;
    bool special = a.special[x] || b.special[y];
    if (!special && !overflow[n])
      continue;
    if (a.special[x] == RuleTile::NaN || b.special[y] == RuleTile::NaN || a.significand[x] == 0 ||
        b.significand[y] == 0)
      nan = true;
    else
      (products.significand[n] < 0 ? minus : plus) = true;
  }
  if (!nan && !plus && !minus)
    return false;
  result = nan || (plus && minus) ? asFloat(0x7fc00000) : plus ? INFINITY : -INFINITY;
  return true;
}

void lowp::sim::ruleDot(const RuleTile &a, const RuleTile &b, unsigned firstA, unsigned firstB, float *d,
                        unsigned size, unsigned k, RuleOrder order) {
  int fractionBits = int(a.fractionBits + b.fractionBits);
  bool anySpecial = a.anySpecial || b.anySpecial;
  for (unsigned i = 0; i < size; ++i)
    for (unsigned j = 0; j < size; ++j) {
      float c = d[i * size + j];
      for (unsigned from = 0; from < k; from += order.groupSize) {
        unsigned count = std::min(order.groupSize, k - from);
        unsigned ia = firstA + from * size + i, ib = firstB + from * size + j;
        Products products;
        bool overflow[16], anyOverflow = false;
        for (unsigned n = 0; n < count; ++n) {
          unsigned x = ia + n * size, y = ib + n * size;
          int64_t product = int64_t(a.significand[x]) * b.significand[y];
          products.significand[n] = product;
          products.exponent[n] = product ? a.exponent[x] + b.exponent[y] : RuleTile::zeroExponent;
          bool carries = std::abs(product) >= int64_t(2) << fractionBits;
          overflow[n] = product && products.exponent[n] + carries >= 128;
          anyOverflow |= overflow[n];
        }
        if ((anySpecial || anyOverflow || !std::isfinite(c)) &&
            specialResult(a, b, ia, ib, size, count, overflow, products, c, c))
          continue;
        if (!order.evenOdd) {
          c = withAccumulator(alignedSum(products, 0, 1, count, fractionBits), c, false);
          continue;
        }
        Sum even = alignedSum(products, 0, 2, count, fractionBits),
            odd = alignedSum(products, 1, 2, count, fractionBits), both;
        both.exponent = std::max(even.exponent, odd.exponent);
        both.units = shiftDown(even.units, both.exponent - even.exponent) +
                     shiftDown(odd.units, both.exponent - odd.exponent);
        c = withAccumulator(both, c, true);
      }
      d[i * size + j] = c;
    }
}
