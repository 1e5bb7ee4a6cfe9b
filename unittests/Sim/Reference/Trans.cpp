// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transcendental operations, computed in f64 and rounded. AMD states one unit in the last place for the f32
// ones, which take and give 0 for denormals whatever the mode says (as LLVM's lowering of exp2, log2, sqrt
// and division assumes: it scales such operands); sine and cosine take turns within [-256, 256] and give 0
// and 1 beyond (manual, v_sin_f32 and v_cos_f32).

#include "FloatBits.h"

using namespace lowp::sim::reference;

namespace {

double h(Lane &l) { return halfToDouble(u16(l.s[0][0])); }
float flushed(double x) {
  float r = float(x);
  return std::fabs(r) < 0x1p-126f ? std::copysign(0.0f, r) : r;
}
double in(Lane &l) { return flushed(l.f(0)); }
/// Beyond the domain, and the sign of the sine of whole turns.
bool undocumented(double x) { return std::fabs(x) > 256 || (x < 0 && x == std::trunc(x)); }
double turns(double x, bool cosine) {
  if (!std::isfinite(x))
    return NAN;
  // Exact at multiples of a quarter.
  double part = std::fmod(x, 1.0), quarters = part * 4;
  if (quarters == std::trunc(quarters)) {
    int n = (int(quarters) % 4 + 4 + (cosine ? 1 : 0)) % 4;
    return n == 1 ? 1 : n == 3 ? -1 : cosine ? 0 : part == 0 ? x * 0 : 0;
  }
  double angle = part * 6.283185307179586476925;
  return cosine ? std::cos(angle) : std::sin(angle);
}

} // namespace

Rows lowp::sim::reference::transRows() {
  return {
      {"v_exp_f32", "f:f", [](Lane &l) { l.setF(flushed(std::exp2(in(l)))); }, 0, 1},
      {"v_exp_legacy_f32", "f:f", [](Lane &l) { l.setF(flushed(std::exp2(in(l)))); }, 0, 1},
      {"v_log_f32", "f:f", [](Lane &l) { l.setF(flushed(std::log2(in(l)))); }, 0, 1},
      {"v_log_legacy_f32", "f:f", [](Lane &l) { l.setF(flushed(std::log2(in(l)))); }, 0, 1},
      {"v_rcp_f32", "f:f", [](Lane &l) { l.setF(flushed(1 / in(l))); }, 0, 1},
      {"v_rcp_iflag_f32", "f:f", [](Lane &l) { l.setF(flushed(1 / in(l))); }, 0, 1},
      {"v_rsq_f32", "f:f", [](Lane &l) { l.setF(flushed(1 / std::sqrt(in(l)))); }, 0, 1},
      {"v_sqrt_f32", "f:f", [](Lane &l) { l.setF(flushed(std::sqrt(in(l)))); }, 0, 1},
      {"v_sin_f32", "f:f",
       [](Lane &l) {
         l.skip = undocumented(l.f(0));
         l.setF(flushed(turns(in(l), false)));
       },
       0, 2},
      {"v_cos_f32", "f:f",
       [](Lane &l) {
         l.skip = undocumented(l.f(0));
         l.setF(flushed(turns(in(l), true)));
       },
       0, 2},
      {"v_rcp_f64", "d:d", [](Lane &l) { l.setD(1 / l.lf(0)); }, 0, 1 << 29},
      {"v_rsq_f64", "d:d", [](Lane &l) { l.setD(1 / std::sqrt(l.lf(0))); }, 0, 1 << 29},
      {"v_sqrt_f64", "d:d", [](Lane &l) { l.setD(std::sqrt(l.lf(0))); }, 0, 1 << 29},
      {"v_rcp_f16", "h:h", [](Lane &l) { l.set(doubleToHalf(1 / h(l))); }, 0, 1},
      {"v_rsq_f16", "h:h", [](Lane &l) { l.set(doubleToHalf(1 / std::sqrt(h(l)))); }, 0, 1},
      {"v_sqrt_f16", "h:h", [](Lane &l) { l.set(doubleToHalf(std::sqrt(h(l)))); }, 0, 1},
      {"v_log_f16", "h:h", [](Lane &l) { l.set(doubleToHalf(std::log2(h(l)))); }, 0, 1},
      {"v_exp_f16", "h:h", [](Lane &l) { l.set(doubleToHalf(std::exp2(h(l)))); }, 0, 1},
      {"v_sin_f16", "h:h",
       [](Lane &l) {
         l.skip = undocumented(h(l));
         l.set(doubleToHalf(turns(h(l), false)));
       },
       0, 2},
      {"v_cos_f16", "h:h",
       [](Lane &l) {
         l.skip = undocumented(h(l));
         l.set(doubleToHalf(turns(h(l), true)));
       },
       0, 2},
  };
}
