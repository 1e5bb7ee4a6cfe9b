// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of graphics: coordinates on the faces of a cube.

#include "Row.h"
#include <cmath>

using namespace lowp::sim::reference;

namespace {

/// The axis of the largest coordinate; later axes win ties. NaN compares as false.
unsigned axis(Lane &l) {
  float x = std::fabs(l.f(0)), y = std::fabs(l.f(1)), z = std::fabs(l.f(2));
  return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

} // namespace

Rows lowp::sim::reference::imageRows() {
  return {
      {"v_cubeid_f32", "f:fff", [](Lane &l) { l.setF(float(2 * axis(l) + (l.f(axis(l)) < 0))); }, Vop3Only},
      {"v_cubesc_f32", "f:fff",
       [](Lane &l) {
         float x = l.f(0), z = l.f(2);
         l.setF(axis(l) == 2 ? (z < 0 ? -x : x) : axis(l) == 1 ? x : (x < 0 ? z : -z));
       },
       Vop3Only},
      {"v_cubetc_f32", "f:fff",
       [](Lane &l) {
         float y = l.f(1), z = l.f(2);
         l.setF(axis(l) == 1 ? (y < 0 ? -z : z) : -y);
       },
       Vop3Only},
      {"v_cubema_f32", "f:fff", [](Lane &l) { l.setF(2 * l.f(axis(l))); }, Vop3Only},
  };
}
