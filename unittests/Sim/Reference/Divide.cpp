// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// v_div_scale: scales operands of a division so that neither the reciprocal nor the quotient leaves the
// normal range.

#include "FloatBits.h"

using namespace lowp::sim::reference;

namespace {

/// The manual's cases in order. The mask is that of the lane (the manual writes it for one lane). Quotients
/// are taken in a format with more exponent, in which the tests for denormals are exact.
void divScale(Lane &l, const FloatFormat &b, u64 s0, u64 s1, u64 s2, long double x0, long double x1,
              long double x2, int by, int limit, int tiny, u64 &out) {
  auto exponent = [&](u64 x) { return int(b.magnitude(x) >> b.mantissa); };
  const int bias = (1 << (b.width - 1 - b.mantissa - 1)) - 1;
  const long double smallestNormal = std::ldexp(1.0L, 1 - bias);
  auto denormal = [&](long double x) { return x != 0 && std::fabs(x) < smallestNormal; };
  auto scaled = [&](int n) {
    if (b.width == 32)
      return u64(bitCast<u32>(std::ldexp(float(x0), n)));
    return bitCast<u64>(std::ldexp(double(x0), n));
  };
  // What the manual's tests for denormals make of values that round to 0 is not said, nor in which format 1 /
  // S1 is.
  l.skip = std::isfinite(x1) && x1 != 0 &&
           (std::fabs(1.0L / x1) < smallestNormal || (x2 != 0 && std::fabs(x2 / x1) < smallestNormal));
  l.mask = false;
  out = s0;
  if (b.zero(s2) || b.zero(s1)) {
    out = b.quieted(b.infinity());
  } else if (exponent(s2) - exponent(s1) >= limit) {
    l.mask = true;
    if (b.equal(s0, s1))
      out = scaled(by);
  } else if (b.denormal(s1)) {
    out = scaled(by);
  } else if (denormal(1.0L / x1) && denormal(x2 / x1)) {
    l.mask = true;
    if (b.equal(s0, s1))
      out = scaled(by);
  } else if (denormal(1.0L / x1)) {
    out = scaled(-by);
  } else if (denormal(x2 / x1)) {
    l.mask = true;
    if (b.equal(s0, s2))
      out = scaled(by);
  } else if (exponent(s2) <= tiny) {
    out = scaled(by);
  }
}

} // namespace

Rows lowp::sim::reference::divideRows() {
  return {
      {"v_div_scale_f32", "f:fff",
       [](Lane &l) {
         u64 r;
         divScale(l, f32Bits, l.s[0][0], l.s[1][0], l.s[2][0], l.f(0), l.f(1), l.f(2), 64, 96, 23, r);
         l.set(u32(r));
       },
       Vop3Only | MaskOut | FirstIsAnother},
      {"v_div_scale_f64", "d:ddd",
       [](Lane &l) {
         u64 r;
         divScale(l, f64Bits, l.q(0), l.q(1), l.q(2), l.lf(0), l.lf(1), l.lf(2), 128, 768, 53, r);
         l.setQ(r);
       },
       Vop3Only | MaskOut | FirstIsAnother},
  };
}
