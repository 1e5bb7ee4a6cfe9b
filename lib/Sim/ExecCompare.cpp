// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector comparisons (VOPC): a lane mask into VCC or an SGPR pair; v_cmpx into EXEC as well. The names are
// the product of condition and type. CDNA3 ISA manual section 16.9.

#include "Lanes.h"
#include "OpTable.h"

using namespace llvm;
using namespace lowp::sim;

namespace {

enum Condition {
  False,
  Lt,
  Eq,
  Le,
  Gt,
  Ne,
  Ge,
  True,
  Ordered,
  Unordered,
  NotGe,
  NotLg,
  NotGt,
  NotLe,
  NotLt,
  Lg
};

template <class T> struct Compared {
  using type = T;
  static T value(T x) { return x; }
};
template <> struct Compared<Half> {
  static float value(Half x) { return toFloat(x); }
};

template <class T, Condition C> bool compare(T left, T right) {
  auto a = Compared<T>::value(left), b = Compared<T>::value(right);
  switch (C) {
  case False:
    return false;
  case Lt:
    return a < b;
  case Eq:
    return a == b;
  case Le:
    return a <= b;
  case Gt:
    return a > b;
  case Ne: // true for NaN
    return !(a == b);
  case Ge:
    return a >= b;
  case True:
    return true;
  case Ordered:
    return a == a && b == b;
  case Unordered:
    return a != a || b != b;
  case NotGe:
    return !(a >= b);
  case NotLg:
    return !(a < b || a > b);
  case NotGt:
    return !(a > b);
  case NotLe:
    return !(a <= b);
  case NotLt:
    return !(a < b);
  case Lg:
    return a < b || a > b;
  }
  return false;
}

/// Bits of v_cmp_class: signalling NaN, quiet NaN, -inf, -normal, -denormal, -0, +0, +denormal, +normal,
/// +inf.
bool classify(uint64_t bits, unsigned exponentBits, unsigned fractionBits, uint32_t mask) {
  uint64_t fraction = bits & ((uint64_t(1) << fractionBits) - 1),
           exponent = bits >> fractionBits & ((uint64_t(1) << exponentBits) - 1);
  bool negative = bits >> (exponentBits + fractionBits) & 1;
  unsigned kind;
  if (exponent == (uint64_t(1) << exponentBits) - 1)
    kind = fraction ? (fraction >> (fractionBits - 1) & 1 ? 1 : 0) : negative ? 2 : 9;
  else if (exponent)
    kind = negative ? 3 : 8;
  else if (fraction)
    kind = negative ? 4 : 7;
  else
    kind = negative ? 5 : 6;
  return mask >> kind & 1;
}
bool classF32(RawFloat a, uint32_t mask) { return classify(a.bits, 8, 23, mask); }
bool classF16(RawHalf a, uint32_t mask) { return classify(a.bits, 5, 10, mask); }
bool classF64(RawDouble a, uint32_t mask) { return classify(a.bits, 11, 52, mask); }

struct TableMaker : OpTable {
  void addPair(const std::string &suffix, Handler plain, Handler withExec) {
    OpTable::add("v_cmp_" + suffix, {nullptr, plain, Unit::Valu, 1, Undefined::Report, AnyClamp});
    OpTable::add("v_cmpx_" + suffix,
                 {nullptr, withExec, Unit::Valu, 1, Undefined::Report, WritesExec | AnyClamp});
  }
  template <class T, Condition C> void add(const char *condition, const char *type) {
    addPair(std::string(condition) + "_" + type, lanes<compare<T, C>>, lanesToExec<compare<T, C>>);
  }
  template <class T> void addCommon(const char *type) {
    add<T, False>("f", type);
    add<T, Lt>("lt", type);
    add<T, Eq>("eq", type);
    add<T, Le>("le", type);
    add<T, Gt>("gt", type);
    add<T, Ge>("ge", type);
  }
  template <class T> void addInteger(const char *type) {
    addCommon<T>(type);
    add<T, Ne>("ne", type);
    add<T, True>("t", type);
  }
  template <class T> void addFloat(const char *type) {
    addCommon<T>(type);
    add<T, Lg>("lg", type);
    add<T, Ordered>("o", type);
    add<T, Unordered>("u", type);
    add<T, NotGe>("nge", type);
    add<T, NotLg>("nlg", type);
    add<T, NotGt>("ngt", type);
    add<T, NotLe>("nle", type);
    add<T, Ne>("neq", type);
    add<T, NotLt>("nlt", type);
    add<T, True>("tru", type);
  }
};

} // namespace

ArrayRef<OpEntry> lowp::sim::compareOps() {
  static const TableMaker table = [] {
    TableMaker maker;
    maker.addInteger<int16_t>("i16");
    maker.addInteger<uint16_t>("u16");
    maker.addInteger<int32_t>("i32");
    maker.addInteger<uint32_t>("u32");
    maker.addInteger<int64_t>("i64");
    maker.addInteger<uint64_t>("u64");
    maker.addFloat<Half>("f16");
    maker.addFloat<float>("f32");
    maker.addFloat<double>("f64");
    maker.addPair("class_f16", lanes<classF16>, lanesToExec<classF16>);
    maker.addPair("class_f32", lanes<classF32>, lanesToExec<classF32>);
    maker.addPair("class_f64", lanes<classF64>, lanesToExec<classF64>);
    return maker;
  }();
  return table.entries;
}
