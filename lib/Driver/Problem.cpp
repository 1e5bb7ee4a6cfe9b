// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making problems. Integer data serve the exact run: besides staying below 2^24 (verification_v9) their sums
// should mostly be exact in the result's type too, or its rounding would hide a lost product again; sums of K
// products of integers up to L are about L^2 / 3 * sqrt(K). Scales and other single numbers are powers of two
// there, of either sign.
#include "lowp/Driver/Problem.h"

#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "lowp/Numerics/Fill.h"
#include "lowp/Numerics/Reference.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace lowp;

namespace {
struct DataWord {
  StringLiteral word;
  DataKind kind;
};
constexpr DataWord dataWords[] = {
    {"rand", DataKind::Random},      {"rand_int", DataKind::Integers},    {"zero", DataKind::Zero},
    {"norm_dist", DataKind::Normal}, {"uniform_01", DataKind::Uniform01}, {"hpl", DataKind::Hpl},
    {"special", DataKind::Special},
};
} // namespace

std::optional<DataKind> lowp::parseDataKind(StringRef word) {
  for (const DataWord &entry : dataWords)
    if (entry.word == word)
      return entry.kind;
  return std::nullopt;
}

std::string lowp::dataKindWords() {
  return llvm::join(llvm::map_range(dataWords, [](const DataWord &entry) { return entry.word.str(); }), ", ");
}

//===-- Memory
//--------------------------------------------------------------------------------------------===//

/// Bits of significand; what integers below 2^bits need.
static int64_t significandBits(Format format) {
  return format == Format::BF16 ? 8 : format == Format::F16 ? 11 : 24;
}

static LogicalResult place(func::FuncOp entry, HostTensor &tensor, RankedTensorType type,
                           const Placement &placement, int64_t &bytes) {
  size_t rank = tensor.shape.size();
  auto given = placement.strides.find(tensor.name);
  if (StorageAttr::isStrided(type)) {
    if (given != placement.strides.end()) {
      tensor.strides.assign(given->second.begin(), given->second.end());
    } else {
      int64_t stride = 1;
      for (size_t dim = rank; dim-- > 1;) {
        stride = stride * tensor.shape[dim] + placement.padding;
        tensor.strides.insert(tensor.strides.begin(), stride);
      }
    }
    if (tensor.strides.size() + 1 != std::max<size_t>(rank, 1))
      return entry.emitOpError() << "'" << tensor.name << "' needs " << std::max<size_t>(rank, 1) - 1
                                 << " strides, but got " << tensor.strides.size();
  } else if (given != placement.strides.end()) {
    return entry.emitOpError() << "'" << tensor.name << "' is packed and takes no strides";
  }
  int64_t size = tensor.layout().spanBytes();
  if (size < 0 || size > Problem::maxBytes - bytes)
    return entry.emitOpError() << "the tensors need more than " << Problem::maxBytes << " bytes";
  bytes += size;
  auto misalignment = placement.misalignment.find(tensor.name);
  tensor.allocate(misalignment == placement.misalignment.end() ? 0 : misalignment->second);
  return success();
}

FailureOr<Problem> Problem::create(func::FuncOp entry, const EntrySizes &sizes, const SizeValues &values,
                                   const Placement &placement) {
  Problem problem;
  int64_t bytes = 0;
  auto add = [&](std::vector<HostTensor> &list, const std::string &name, RankedTensorType type,
                 ArrayRef<int64_t> shape) -> LogicalResult {
    std::optional<Format> format = formatOf(type.getElementType());
    if (!format)
      return entry.emitOpError() << "'" << name << "' is a tensor of " << type.getElementType()
                                 << ", which has no format";
    double elements = 1;
    for (int64_t size : shape)
      elements *= double(size);
    if (elements * bitWidth(*format) / 8 > double(maxBytes))
      return entry.emitOpError() << "the tensors need more than " << maxBytes << " bytes";
    HostTensor tensor;
    tensor.name = name;
    tensor.format = *format;
    tensor.shape.assign(shape.begin(), shape.end());
    if (failed(place(entry, tensor, type, placement, bytes)))
      return failure();
    list.push_back(std::move(tensor));
    return success();
  };

  for (BlockArgument argument : entry.getArguments()) {
    std::string name = argumentName(entry, argument.getArgNumber());
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      if (failed(add(problem.inputs, name, type, sizes.shapeOf(argument, values))))
        return failure();
    problem.argumentNames.push_back(name);
    problem.argumentTypes.push_back(argument.getType());
  }
  for (auto [number, result] : llvm::enumerate(entry.getResultTypes())) {
    auto type = dyn_cast<RankedTensorType>(result);
    std::string name = resultName(entry, number);
    if (!type)
      return entry.emitOpError() << "result '" << name << "' must be a ranked tensor, but is " << result;
    if (failed(add(problem.results, name, type, sizes.resultShape(number, values))))
      return failure();
    problem.resultBits = std::min(problem.resultBits, significandBits(problem.results.back().format));
  }

  size_t next = 0;
  for (Type type : problem.argumentTypes) {
    ArgumentValue value;
    if (isa<RankedTensorType>(type))
      value.tensor = &problem.inputs[next++];
    problem.arguments.push_back(value);
  }

  problem.roles.resize(problem.arguments.size());
  entry.walk([&](MatmulOp op) {
    int64_t depth = sizes.shapeOf(op.getA(), values)[op.getADepthDim()];
    int64_t elements = 1;
    for (int64_t size : sizes.shapeOf(op.getResult(), values))
      elements *= size;
    problem.work += elements * depth;
    for (Value operand : {op.getA(), op.getB()})
      if (auto argument = dyn_cast<BlockArgument>(operand))
        problem.roles[argument.getArgNumber()].depth =
            std::max(problem.roles[argument.getArgNumber()].depth, depth);
  });
  return problem;
}

//===-- Data
//----------------------------------------------------------------------------------------------===//

/// A number in [0, 1).
static double unit(uint64_t word) { return double(word >> 11) * 0x1p-53; }

/// One element of the kinds that do not depend on coordinates.
static uint32_t drawCode(DataKind kind, Format format, uint64_t word) {
  auto number = [&](double value) { return encode(format, value, Overflow::Saturate); };
  switch (kind) {
  case DataKind::Zero:
    return number(0);
  case DataKind::Uniform01:
    return number(unit(word));
  case DataKind::Hpl:
    return number(unit(word) - 0.5);
  case DataKind::Normal: { // the sum of 12 uniform numbers: mean 6, variance 1
    double sum = -6;
    for (unsigned i = 0; i < 12; ++i)
      sum += unit(hashWord(word, i));
    return number(sum);
  }
  case DataKind::Special:
    // Rarely, so that not every sum is NaN.
    switch (word % 4096) {
    case 0:
      return number(std::nan(""));
    case 1:
      return encode(format, std::numeric_limits<double>::infinity(), Overflow::Native);
    case 2:
      return encode(format, -std::numeric_limits<double>::infinity(), Overflow::Native);
    default:
      switch (word % 7) {
      case 0:
        return number(-0.0);
      case 1:
        return number(decode(format, 1)); // the smallest number
      case 2:
        return number((word & 64) ? -largestFinite(format) : largestFinite(format));
      default:
        return number(2 * unit(hashWord(word, 1)) - 1);
      }
    }
  case DataKind::Random:
  case DataKind::Integers:
    break;
  }
  return 0;
}

static void fillDrawn(HostTensor &tensor, DataKind kind, uint64_t seed) {
  MatrixLayout layout = tensor.layout();
  uint64_t index = 0;
  for (int64_t batch = 0; batch < layout.batches; ++batch)
    for (int64_t row = 0; row < layout.rows; ++row)
      for (int64_t col = 0; col < layout.cols; ++col)
        storeCodeAtBit(layout.format, tensor.data(), layout.bitOffset(batch, row, col),
                       drawCode(kind, layout.format, hashWord(seed, index++)));
}

/// A scale, an alpha: neither 0 nor 1.
static double drawNumber(DataKind kind, uint64_t word) {
  double sign = (word & 1) ? -1 : 1;
  if (kind == DataKind::Integers)
    return sign * ((word & 2) ? 2.0 : 0.5);
  return sign * (0.5 + 1.5 * unit(word));
}

void Problem::fill(DataKind kind, uint64_t seed, const std::map<std::string, double> &numbers) {
  size_t next = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    uint64_t own = hashWord(seed, i);
    auto given = numbers.find(argumentNames[i]);
    if (!arguments[i].tensor) {
      double number = given != numbers.end() ? given->second : drawNumber(kind, own);
      std::optional<Format> format = formatOf(argumentTypes[i]);
      arguments[i].number = format ? lowp::roundTo(*format, number, Overflow::Native) : number;
      arguments[i].integer = given != numbers.end() ? int64_t(number) : 1 + int64_t(own % 7);
      continue;
    }
    HostTensor &tensor = inputs[next++];
    std::fill(tensor.bytes.begin(), tensor.bytes.end(), 0xff);
    if (tensor.shape.empty()) {
      double number = given != numbers.end() ? given->second : drawNumber(kind, own);
      storeCode(tensor.format, tensor.data(), 0, encode(tensor.format, number, Overflow::Saturate));
      continue;
    }
    if (kind == DataKind::Random) {
      fillRandom(tensor.layout(), tensor.data(), own);
    } else if (kind == DataKind::Integers) {
      int64_t depth = roles[i].depth;
      if (depth == 0) {
        fillIntegers(tensor.layout(), tensor.data(), own, 16);
        continue;
      }
      double exact = std::sqrt(3 * double(int64_t(1) << resultBits) / std::sqrt(double(depth)));
      int64_t limit = std::clamp<int64_t>(int64_t(exact), 2, std::max<int64_t>(integerLimit(depth), 2));
      limit = std::min(limit, integerLimit(depth));
      // verification_v10
      double density = depth > (int64_t(1) << 23) ? double(1 << 23) / double(depth) : 1.0;
      fillIntegers(tensor.layout(), tensor.data(), own, limit, density);
    } else {
      fillDrawn(tensor, kind, own);
    }
  }
  for (HostTensor &tensor : results)
    std::fill(tensor.bytes.begin(), tensor.bytes.end(), 0xff);
}
