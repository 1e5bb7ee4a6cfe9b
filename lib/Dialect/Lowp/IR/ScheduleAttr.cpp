// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// #lowp.schedule: assembly (key = value, any order, defaults left out) and the rules that hold on every chip.
// What a chip can hold is checked by the passes (ScheduleLegality).

#include "lowp/Dialect/Lowp/IR/Lowp.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lowp;

namespace {
/// The fields with their defaults; three-element fields have none.
struct Fields {
  std::string name = "custom";
  SmallVector<int64_t> tile, waves, instruction, rows = {1, 0}, parts = {1, 1};
  int64_t steps = 1, stages = 1, access = 0, resultAccess = 0, xcds = 1, group = 1, splits = 1;
  Order order = Order::Plain;
  Staging staging = Staging::None;
  bool wholeK = false;
};
} // namespace

static ParseResult parseList(AsmParser &parser, SmallVectorImpl<int64_t> &list) {
  list.clear();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(list.emplace_back()); });
}

/// A keyword out of few; `expected` names them.
template <typename T>
static ParseResult parseChoice(AsmParser &parser, T &choice, std::optional<T> (*symbolize)(StringRef),
                               StringRef expected) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<T> value = symbolize(word);
  if (!value)
    return parser.emitError(loc) << "expected " << expected << ", but got '" << word << "'";
  choice = *value;
  return success();
}

static std::optional<bool> symbolizeFlag(StringRef word) {
  return llvm::StringSwitch<std::optional<bool>>(word).Case("true", true).Case("false", false).Default({});
}

static ParseResult parseField(AsmParser &parser, SMLoc loc, StringRef key, Fields &fields) {
  if (key == "name")
    return parser.parseString(&fields.name);
  if (key == "tile")
    return parseList(parser, fields.tile);
  if (key == "waves")
    return parseList(parser, fields.waves);
  if (key == "instruction")
    return parseList(parser, fields.instruction);
  if (key == "parts")
    return parseList(parser, fields.parts);
  if (key == "steps")
    return parser.parseInteger(fields.steps);
  if (key == "order")
    return parseChoice(parser, fields.order, symbolizeOrder, "order 'plain', 'interleave' or 'pingpong'");
  if (key == "stages")
    return parser.parseInteger(fields.stages);
  if (key == "staging")
    return parseChoice(parser, fields.staging, symbolizeStaging, "staging 'none', 'registers' or 'direct'");
  if (key == "access")
    return parser.parseInteger(fields.access);
  if (key == "result_access")
    return parser.parseInteger(fields.resultAccess);
  if (key == "whole_k")
    return parseChoice(parser, fields.wholeK, symbolizeFlag, "'true' or 'false'");
  if (key == "rows")
    return parseList(parser, fields.rows);
  if (key == "xcds")
    return parser.parseInteger(fields.xcds);
  if (key == "group")
    return parser.parseInteger(fields.group);
  if (key == "splits")
    return parser.parseInteger(fields.splits);
  return parser.emitError(loc) << "unknown schedule field '" << key
                               << "'; known are name, tile, waves, instruction, parts, steps, order, stages, "
                                  "staging, access, result_access, whole_k, rows, xcds, group, splits";
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  Fields fields;
  llvm::StringSet<> seen;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key))
      return failure();
    if (!seen.insert(key).second)
      return parser.emitError(loc) << "schedule field '" << key << "' is given twice";
    return failure(parser.parseEqual() || parseField(parser, loc, key, fields));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseOne))
    return {};
  for (StringRef required : {"tile", "waves", "instruction"})
    if (!seen.contains(required)) {
      parser.emitError(start) << "schedule has no field '" << required << "'";
      return {};
    }
  if (fields.rows.size() != 2) {
    parser.emitError(start) << "schedule field 'rows' must have 2 numbers, but got "
                            << int64_t(fields.rows.size());
    return {};
  }
  auto emitError = [&] { return parser.emitError(start); };
  return getChecked(emitError, parser.getContext(), StringRef(fields.name), ArrayRef(fields.tile),
                    ArrayRef(fields.waves), ArrayRef(fields.instruction), ArrayRef(fields.parts),
                    fields.steps, fields.order, fields.stages, fields.staging, fields.access,
                    fields.resultAccess, fields.wholeK, fields.rows[0], fields.rows[1], fields.xcds,
                    fields.group, fields.splits);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  const Fields defaults;
  llvm::raw_ostream &os = printer.getStream();
  auto list = [&](StringRef key, ArrayRef<int64_t> values) {
    os << ", " << key << " = [";
    llvm::interleaveComma(values, os);
    os << "]";
  };
  auto number = [&](StringRef key, int64_t value, int64_t byDefault) {
    if (value != byDefault)
      os << ", " << key << " = " << value;
  };
  os << "<name = ";
  printer.printString(getName());
  list("tile", getTile());
  list("waves", getWaves());
  list("instruction", getInstruction());
  if (getParts() != ArrayRef(defaults.parts))
    list("parts", getParts());
  number("steps", getSteps(), defaults.steps);
  if (getOrder() != defaults.order)
    os << ", order = " << stringifyOrder(getOrder());
  number("stages", getStages(), defaults.stages);
  if (getStaging() != defaults.staging)
    os << ", staging = " << stringifyStaging(getStaging());
  number("access", getAccess(), defaults.access);
  number("result_access", getResultAccess(), defaults.resultAccess);
  if (getWholeK())
    os << ", whole_k = true";
  if (getMinRows() != defaults.rows[0] || getMaxRows() != defaults.rows[1])
    list("rows", {getMinRows(), getMaxRows()});
  number("xcds", getXcds(), defaults.xcds);
  number("group", getGroup(), defaults.group);
  number("splits", getSplits(), defaults.splits);
  os << ">";
}

static bool isAccess(int64_t bytes) { return bytes == 0 || (llvm::isPowerOf2_64(bytes) && bytes <= 16); }

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name,
                                   ArrayRef<int64_t> tile, ArrayRef<int64_t> waves,
                                   ArrayRef<int64_t> instruction, ArrayRef<int64_t> parts, int64_t steps,
                                   Order order, int64_t stages, Staging staging, int64_t access,
                                   int64_t resultAccess, bool, int64_t minRows, int64_t maxRows, int64_t xcds,
                                   int64_t group, int64_t splits) {
  // The name becomes part of a symbol.
  if (name.empty() || !llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; }))
    return emitError() << "schedule field 'name' must be letters, digits, '_' and '-', but got '" << name
                       << "'";
  // Bounds far beyond any chip, so that products of the fields cannot overflow.
  const int64_t limit = 1 << 16;
  auto powers = [&](StringRef key, ArrayRef<int64_t> values, int64_t count) -> LogicalResult {
    if (int64_t(values.size()) != count)
      return emitError() << "schedule field '" << key << "' must have " << count << " numbers, but got "
                         << int64_t(values.size());
    for (int64_t value : values)
      if (value < 1 || value > limit || !llvm::isPowerOf2_64(value))
        return emitError() << "schedule field '" << key << "' must have powers of two up to " << limit
                           << ", but got '" << value << "'";
    return success();
  };
  if (failed(powers("tile", tile, 3)) || failed(powers("waves", waves, 3)) ||
      failed(powers("instruction", instruction, 3)) || failed(powers("parts", parts, 2)))
    return failure();
  if (steps < 1 || steps > 16 || !llvm::isPowerOf2_64(steps))
    return emitError() << "schedule field 'steps' must be 1, 2, 4, 8 or 16, but got '" << steps << "'";
  if (parts[0] * parts[1] * steps > 64)
    return emitError() << "schedule fields 'parts' and 'steps' ask for '" << parts[0] * parts[1] * steps
                       << "' products in a trip of the loop; at most 64 are accepted";
  auto positive = [&](StringRef key, int64_t value) -> LogicalResult {
    if (value < 1 || value > limit)
      return emitError() << "schedule field '" << key << "' must be from 1 to " << limit << ", but got '"
                         << value << "'";
    return success();
  };
  if (failed(positive("stages", stages)) || failed(positive("xcds", xcds)) ||
      failed(positive("group", group)))
    return failure();
  // All partial sums of an element are in flight at once when they are added, and a wave counts to 63.
  if (splits < 1 || splits > 64)
    return emitError() << "schedule field 'splits' must be from 1 to 64, but got '" << splits << "'";
  if (order != Order::Plain && staging == Staging::None)
    return emitError() << "schedule field 'order' must be 'plain' with staging 'none', but got '"
                       << stringifyOrder(order) << "'";
  if (order != Order::Plain && stages % steps != 0)
    return emitError() << "schedule field 'stages' must be a multiple of 'steps' in order '"
                       << stringifyOrder(order) << "', but got '" << stages << "' and '" << steps << "'";
  if (staging == Staging::None && stages % steps != 0)
    return emitError()
           << "schedule field 'stages' must be a multiple of 'steps' with staging 'none', but got '" << stages
           << "' and '" << steps << "'";
  if (!isAccess(access))
    return emitError() << "schedule field 'access' must be 0, 1, 2, 4, 8 or 16, but got '" << access << "'";
  if (!isAccess(resultAccess))
    return emitError() << "schedule field 'result_access' must be 0, 1, 2, 4, 8 or 16, but got '"
                       << resultAccess << "'";
  if (minRows < 1 || maxRows < 0 || (maxRows != 0 && maxRows < minRows))
    return emitError() << "schedule field 'rows' must be [lo, hi] with 1 <= lo <= hi or hi = 0, but got '["
                       << minRows << ", " << maxRows << "]'";
  return success();
}
