// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number formats lowp speaks of, by MLIR's names, and the exact meaning of each code.
#ifndef LOWP_NUMERICS_FORMAT_H
#define LOWP_NUMERICS_FORMAT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace lowp {

enum class Format : uint8_t {
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
  F8E8M0FNU,
  BF16,
  F16,
  F32,
  I8,
  I32,
};

/// Size of one element in bits; sub-byte formats pack along the contiguous dimension.
unsigned bitWidth(Format format);

/// MLIR's spelling: "f8E4M3FN", "bf16", "i8", ...
llvm::StringRef name(Format format);
std::optional<Format> parseFormat(llvm::StringRef name);

/// The value of a code, exactly. NaN codes give a quiet NaN; I8 and I32 are two's complement.
double decode(Format format, uint32_t code);

enum class Overflow {
  Saturate, ///< too large (infinity included) becomes the largest finite value; NaN stays NaN where there is one
  Native,   ///< too large becomes infinity, NaN where the format has no infinity, the largest value where it has neither
};

/// The code nearest to `value`, ties to even; one rounding.
uint32_t encode(Format format, double value, Overflow overflow);

} // namespace lowp

#endif // LOWP_NUMERICS_FORMAT_H
