// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FP_ROUND: 0 nearest even, 1 towards +infinity, 2 towards -infinity, 3 towards zero; bits 1:0 for f32, 3:2
// for f16 and f64, and for conversions that an f16 or an f64 takes part in (LLVM's SIModeRegister). CDNA3 ISA
// manual section 3.5.

#include "Rounding.h"
#include "Half.h"
#include "llvm/ADT/StringSwitch.h"
#include <cfenv>

using namespace llvm;
using namespace lowp::sim;

static thread_local bool halfSaturates = false;

uint16_t lowp::sim::halfOverflow(bool negative) {
  uint16_t sign = negative ? 0x8000 : 0;
  if (halfSaturates)
    return sign | 0x7bff;
  int mode = std::fegetround();
  bool toLargest =
      mode == FE_TOWARDZERO || (mode == FE_UPWARD && negative) || (mode == FE_DOWNWARD && !negative);
  return sign | (toLargest ? 0x7bff : 0x7c00);
}

RoundingClass lowp::sim::roundingClass(StringRef name) {
  if (!name.consume_front("v_"))
    return RoundingClass::None;
  // Whose rounding is part of the operation, or which do not round.
  for (StringRef part : {"rndne", "floor", "ceil",  "trunc",   "cvt_pk",  "cvt_sr", "scalef32",
                         "norm",  "dot",   "cmp",   "mfma",    "smfmac",  "min",    "max",
                         "med3",  "cvt_i", "cvt_u", "cvt_rpi", "cvt_flr", "frexp",  "class"})
    if (name.contains(part))
      return RoundingClass::None;
  if (name.contains("f16") || name.contains("f64"))
    return RoundingClass::HalfAndDouble;
  return name.contains("f32") ? RoundingClass::Single : RoundingClass::None;
}

RoundingScope::RoundingScope(const Wave &wave, const Inst &inst) {
  if (inst.rounding == RoundingClass::None)
    return;
  unsigned mode = inst.rounding == RoundingClass::Single ? wave.mode & 3 : wave.mode >> 2 & 3;
  bool saturate = inst.rounding == RoundingClass::HalfAndDouble && wave.fp16Overflow();
  // Transcendental functions are approximations of their own rounding.
  if (inst.op->unit == Unit::Trans)
    mode = 0;
  if (!mode && !saturate)
    return;
  static constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  changed = true;
  halfSaturates = saturate;
  std::fesetround(modes[mode]);
}

RoundingScope::~RoundingScope() {
  if (!changed)
    return;
  halfSaturates = false;
  std::fesetround(FE_TONEAREST);
}
