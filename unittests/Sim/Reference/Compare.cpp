// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons of every type: a bit of a mask in each lane; v_cmpx writes EXEC as well.

#include "FloatBits.h"

using namespace lowp::sim::reference;

namespace {

constexpr const char *floatNames[] = {"f", "lt",  "eq",  "le",  "gt",  "lg",  "ge",  "o",
                                      "u", "nge", "nlg", "ngt", "nle", "neq", "nlt", "tru"};
constexpr const char *integerNames[] = {"f", "lt", "eq", "le", "gt", "ne", "ge", "t"};

/// The predicate's low three bits are what it accepts: less, equal, greater; the high half negates.
bool accepts(unsigned which, bool less, bool equal, bool greater) {
  return (which & 1 && less) || (which & 2 && equal) || (which & 4 && greater);
}

template <unsigned width, unsigned predicate> void compareFloats(Lane &l) {
  constexpr FloatFormat b = width == 16 ? f16Bits : width == 32 ? f32Bits : f64Bits;
  u64 x = width == 64 ? l.q(0) : l.s[0][0], y = width == 64 ? l.q(1) : l.s[1][0];
  if (width == 16)
    x &= 0xffff, y &= 0xffff;
  bool unordered = b.nan(x) || b.nan(y);
  if (predicate == 7 || predicate == 8) {
    l.mask = unordered == (predicate == 8);
    return;
  }
  // From 9 on: the negation of 15 - predicate... in the order of the opcodes, of ge, lg, gt, le, eq, lt, f.
  unsigned positive = predicate < 8 ? predicate : 15 - predicate;
  bool holds = accepts(positive, b.less(x, y), b.equal(x, y), b.less(y, x));
  l.mask = predicate < 8 ? holds : !holds;
}

template <typename T, unsigned predicate> void compareIntegers(Lane &l) {
  T x = T(sizeof(T) == 8 ? l.q(0) : l.s[0][0]), y = T(sizeof(T) == 8 ? l.q(1) : l.s[1][0]);
  l.mask = accepts(predicate, x<y, x == y, x> y);
}

template <unsigned width> void classify(Lane &l) {
  constexpr FloatFormat b = width == 16 ? f16Bits : width == 32 ? f32Bits : f64Bits;
  u64 x = width == 64 ? l.q(0) : width == 16 ? l.s[0][0] & 0xffff : l.s[0][0];
  l.mask = l.s[1][0] >> b.classOf(x) & 1;
}

template <unsigned width, size_t... p>
void addFloats(Rows &rows, const std::string &prefix, const std::string &type, const char *signature,
               std::index_sequence<p...>) {
  (rows.push_back({prefix + floatNames[p] + type, signature, compareFloats<width, p>}), ...);
}
template <typename T, size_t... p>
void addIntegers(Rows &rows, const std::string &prefix, const std::string &type, const char *signature,
                 std::index_sequence<p...>) {
  (rows.push_back({prefix + integerNames[p] + type, signature, compareIntegers<T, p>}), ...);
}

} // namespace

Rows lowp::sim::reference::compareRows() {
  Rows rows;
  for (std::string prefix : {"v_cmp_", "v_cmpx_"}) {
    auto floats = std::make_index_sequence<16>();
    auto integers = std::make_index_sequence<8>();
    addFloats<16>(rows, prefix, "_f16", "m:hh", floats);
    addFloats<32>(rows, prefix, "_f32", "m:ff", floats);
    addFloats<64>(rows, prefix, "_f64", "m:dd", floats);
    addIntegers<i16>(rows, prefix, "_i16", "m:ss", integers);
    addIntegers<u16>(rows, prefix, "_u16", "m:ss", integers);
    addIntegers<i32>(rows, prefix, "_i32", "m:ii", integers);
    addIntegers<u32>(rows, prefix, "_u32", "m:ii", integers);
    addIntegers<i64>(rows, prefix, "_i64", "m:ll", integers);
    addIntegers<u64>(rows, prefix, "_u64", "m:ll", integers);
    rows.push_back({prefix + "class_f16", "m:hi", classify<16>});
    rows.push_back({prefix + "class_f32", "m:fi", classify<32>});
    rows.push_back({prefix + "class_f64", "m:di", classify<64>});
  }
  return rows;
}
