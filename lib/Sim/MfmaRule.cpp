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

constexpr int productBits = 24, dotBits = 32, resultBits = 31; // fraction bits that are kept

int64_t shiftDown(int64_t x, int by) { return x >> std::min(by, 63); }

struct Sum {
  int64_t units = 0; ///< of 2^(exponent - 24)
  int exponent = RuleTile::zeroExponent;
};

/// Products of one row of A with 16 columns of B, summed.
struct RowSums {
  int32_t units[2][16]; ///< of all products; or of even and odd ones
  int32_t exponents[2][16];
  int32_t overflow[16]; ///< whether a product is 2^128 or more
};

// Plain loops over the columns, which compilers turn into vector code; shifts by lane want AVX2.
#if defined(__x86_64__) && defined(__GLIBC__)
__attribute__((target_clones("avx2", "default")))
#endif
void sumHalf(const int32_t *__restrict significandsA, const int32_t *__restrict exponentsA,
             const int32_t *__restrict significandsB, const int32_t *__restrict exponentsB, unsigned stride,
             unsigned count, int32_t fractionBits, int32_t *__restrict units, int32_t *__restrict largest,
             int32_t *__restrict overflow) {
  constexpr unsigned columns = 16;
  for (unsigned j = 0; j < columns; ++j) {
    units[j] = 0;
    largest[j] = RuleTile::zeroExponent;
  }
  for (unsigned n = 0; n < count; ++n) {
    int32_t a = significandsA[n * stride], exponent = exponentsA[n * stride];
    for (unsigned j = 0; j < columns; ++j) {
      int32_t product = a * significandsB[n * stride + j], e = exponent + exponentsB[n * stride + j];
      int32_t magnitude = product < 0 ? -product : product;
      int32_t carried = e + (magnitude >= 2 << fractionBits ? 1 : 0);
      overflow[j] |= carried >= 128 ? 1 : 0;
      largest[j] = e > largest[j] ? e : largest[j];
    }
  }
  for (unsigned n = 0; n < count; ++n) {
    int32_t a = significandsA[n * stride], exponent = exponentsA[n * stride];
    for (unsigned j = 0; j < columns; ++j) {
      int32_t product = a * significandsB[n * stride + j], e = exponent + exponentsB[n * stride + j];
      int32_t magnitude = (product < 0 ? -product : product) << (productBits - fractionBits);
      int32_t shift = largest[j] - e;
      magnitude >>= shift > 31 ? 31 : shift;
      units[j] += product < 0 ? -magnitude : magnitude;
    }
  }
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
  return float(double(total) * asDouble(uint64_t(at + 1023) << 52));
}

} // namespace

void RuleTile::set(unsigned index, float value, int minExponent) {
  uint32_t bits = asBits(value), magnitude = bits & 0x7fffffff;
  special[index] = magnitude > 0x7f800000 ? NaN : magnitude == 0x7f800000 ? Infinite : Finite;
  if (special[index] != Finite || !magnitude) {
    anySpecial |= special[index] != Finite;
    significand[index] = special[index] == Finite ? 0 : bits >> 31 ? -1 : 1;
    exponent[index] = zeroExponent;
    return;
  }
  int field = magnitude >> 23, e = std::max(field, 1) - 127;
  int32_t fraction = (magnitude & 0x7fffff) | (field ? 0x800000 : 0);
  exponent[index] = std::max(e, minExponent);
  fraction >>= 23 - int(fractionBits) + exponent[index] - e; // exact: the format has no more bits
  significand[index] = bits >> 31 ? -fraction : fraction;
}

/// What infinities and NaN make of a group; false when there are none.
static bool specialResult(const RuleTile &a, const RuleTile &b, unsigned ia, unsigned ib, unsigned size,
                          unsigned count, float c, float &result) {
  int fractionBits = int(a.fractionBits + b.fractionBits);
  bool nan = std::isnan(c), plus = c == INFINITY, minus = c == -INFINITY;
  for (unsigned n = 0; n < count; ++n) {
    unsigned x = ia + n * size, y = ib + n * size;
    int64_t product = int64_t(a.significand[x]) * b.significand[y];
    bool carries = std::abs(product) >= int64_t(2) << fractionBits;
    bool overflow = product && a.exponent[x] + b.exponent[y] + carries >= 128;
    if (!a.special[x] && !b.special[y] && !overflow)
      continue;
    if (a.special[x] == RuleTile::NaN || b.special[y] == RuleTile::NaN || product == 0)
      nan = true;
    else
      (product < 0 ? minus : plus) = true;
  }
  if (!nan && !plus && !minus)
    return false;
  result = nan || (plus && minus) ? asFloat(0x7fc00000) : plus ? INFINITY : -INFINITY;
  return true;
}

/// One group of products for one row and 16 columns (or the 4 of the smallest blocks) of the result.
static void addGroup(const RuleTile &a, const RuleTile &b, unsigned ia, unsigned ib, float *d, unsigned size,
                     unsigned columns, unsigned count, bool evenOdd) {
  RowSums sums = {};
  int32_t fractionBits = int32_t(a.fractionBits + b.fractionBits);
  unsigned halves = evenOdd ? 2 : 1;
  for (unsigned half = 0; half < halves; ++half)
    sumHalf(a.significand + ia + half * size, a.exponent + ia + half * size, b.significand + ib + half * size,
            b.exponent + ib + half * size, halves * size, count / halves, fractionBits, sums.units[half],
            sums.exponents[half], sums.overflow);
  for (unsigned j = 0; j < columns; ++j) {
    float &c = d[j];
    if ((a.anySpecial || b.anySpecial || sums.overflow[j] || !std::isfinite(c)) &&
        specialResult(a, b, ia, ib + j, size, count, c, c))
      continue;
    Sum even = {sums.units[0][j], sums.exponents[0][j]}, odd = {sums.units[1][j], sums.exponents[1][j]};
    if (!evenOdd) {
      c = withAccumulator(even, c, false);
      continue;
    }
    Sum both;
    both.exponent = std::max(even.exponent, odd.exponent);
    both.units = shiftDown(even.units, both.exponent - even.exponent) +
                 shiftDown(odd.units, both.exponent - odd.exponent);
    c = withAccumulator(both, c, true);
  }
}

void lowp::sim::ruleDot(const RuleTile &a, const RuleTile &b, unsigned firstA, unsigned firstB, float *d,
                        unsigned size, unsigned k, RuleOrder order) {
  for (unsigned i = 0; i < size; ++i)
    for (unsigned j = 0; j < size; j += 16)
      for (unsigned from = 0; from < k; from += order.groupSize) {
        unsigned count = std::min(order.groupSize, k - from);
        addGroup(a, b, firstA + from * size + i, firstB + from * size + j, d + i * size + j, size,
                 std::min(16u, size), count, order.evenOdd);
      }
}
