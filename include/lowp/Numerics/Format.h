// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number formats lowp speaks of, by MLIR's names, and the exact meaning of each code. The rules are
// written out in docs/spec/numerics.md (N1, N2, ...). Everything else that converts numbers (the simulator,
// the reference, the generated kernels) is checked against these two functions, which are written for
// reading.
#ifndef LOWP_NUMERICS_FORMAT_H
#define LOWP_NUMERICS_FORMAT_H

#include "llvm/ADT/ArrayRef.h"
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

/// Every format, in the order of the enumeration.
llvm::ArrayRef<Format> allFormats();

/// Size of one element in bits; sub-byte formats pack along the contiguous dimension.
unsigned bitWidth(Format format);

/// MLIR's spelling: "f8E4M3FN", "bf16", "i8", ...
llvm::StringRef name(Format format);
std::optional<Format> parseFormat(llvm::StringRef name);

/// I8 and I32.
bool isInteger(Format format);
bool hasNaN(Format format);
bool hasInfinity(Format format);
/// The largest finite value, exactly.
double largestFinite(Format format);

/// The value of a code, exactly; bits above the format's width are ignored. NaN codes give a quiet NaN; I8
/// and I32 are two's complement.
double decode(Format format, uint32_t code);

enum class Overflow {
  Saturate, ///< too large (infinity included) becomes the largest finite value; NaN stays NaN where there is
            ///< one
  Native,   ///< too large becomes infinity, NaN where the format has no infinity, the largest value where it
            ///< has neither
};

/// The code nearest to `value`, ties to even; one rounding. NaN becomes the largest value of its sign where
/// the format has no NaN, and 0 in integers; f8E8M0FNU has no sign and no zero: negative values become NaN,
/// zero becomes 2^-127.
uint32_t encode(Format format, double value, Overflow overflow);

/// decode(format, encode(format, value, overflow)).
double roundTo(Format format, double value, Overflow overflow);

/// The values of all codes of a format of at most 8 bits, as floats (all are exact); empty for the wider
/// formats.
llvm::ArrayRef<float> decodeTable(Format format);

} // namespace lowp

#endif // LOWP_NUMERICS_FORMAT_H
