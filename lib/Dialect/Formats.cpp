// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between MLIR's element types and the formats of Numerics: the names agree, so one list serves both ways.

#include "lowp/Dialect/Formats.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

std::optional<lowp::Format> lowp::formatOf(Type type) {
  using Result = std::optional<Format>;
  return llvm::TypeSwitch<Type, Result>(type)
      .Case([](Float8E4M3FNType) { return Format::F8E4M3FN; })
      .Case([](Float8E5M2Type) { return Format::F8E5M2; })
      .Case([](Float8E4M3FNUZType) { return Format::F8E4M3FNUZ; })
      .Case([](Float8E5M2FNUZType) { return Format::F8E5M2FNUZ; })
      .Case([](Float6E2M3FNType) { return Format::F6E2M3FN; })
      .Case([](Float6E3M2FNType) { return Format::F6E3M2FN; })
      .Case([](Float4E2M1FNType) { return Format::F4E2M1FN; })
      .Case([](Float8E8M0FNUType) { return Format::F8E8M0FNU; })
      .Case([](BFloat16Type) { return Format::BF16; })
      .Case([](Float16Type) { return Format::F16; })
      .Case([](Float32Type) { return Format::F32; })
      .Case([](IntegerType integer) -> Result {
        if (integer.isInteger(8))
          return Format::I8;
        if (integer.isInteger(32))
          return Format::I32;
        return std::nullopt;
      })
      .Default([](Type) { return std::nullopt; });
}

Type lowp::typeOf(Format format, MLIRContext *context) {
  switch (format) {
  case Format::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case Format::F8E5M2:
    return Float8E5M2Type::get(context);
  case Format::F8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case Format::F8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case Format::F6E2M3FN:
    return Float6E2M3FNType::get(context);
  case Format::F6E3M2FN:
    return Float6E3M2FNType::get(context);
  case Format::F4E2M1FN:
    return Float4E2M1FNType::get(context);
  case Format::F8E8M0FNU:
    return Float8E8M0FNUType::get(context);
  case Format::BF16:
    return BFloat16Type::get(context);
  case Format::F16:
    return Float16Type::get(context);
  case Format::F32:
    return Float32Type::get(context);
  case Format::I8:
    return IntegerType::get(context, 8);
  case Format::I32:
    return IntegerType::get(context, 32);
  }
  return Type();
}
