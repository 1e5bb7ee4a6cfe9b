// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest: what a launcher has to know of a code object. An entry has arguments and an ordered list of
// variants, each with preconditions and launches. The simulator and Python choose a variant by the one
// chooser in this file; the C stub's chooser (LaunchStub.h) is generated from the same data and tested to be
// equal.
#ifndef LOWP_CODEOBJECT_MANIFEST_H
#define LOWP_CODEOBJECT_MANIFEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace lowp {

/// An integer expression over the entry's arguments (pointers count as addresses), constants and device facts
/// ("cus"). Division is of non-negative numbers by positive ones.
struct Expr {
  enum class Kind { Constant, Symbol, Add, Mul, FloorDiv, CeilDiv, Mod };
  Kind kind = Kind::Constant;
  int64_t constant = 0;
  std::string symbol;
  std::vector<Expr> operands; ///< two, for the operations

  using Values = llvm::StringMap<int64_t>;
  llvm::Expected<int64_t> evaluate(const Values &values) const;
  /// A C expression of type long long in terms of the helpers lowp_add, lowp_mul, lowp_floordiv, lowp_ceildiv
  /// and lowp_mod that the C stub defines; each takes the flag `bad` that is in scope and sets it where
  /// `evaluate` returns an error. Symbols are spelled by `cSymbol`.
  std::string toC() const;
  /// Every symbol in the expression, in order of appearance (with repetitions).
  void collectSymbols(llvm::SmallVectorImpl<llvm::StringRef> &symbols) const;
  /// A constant is an integer, a symbol a string, an operation an array: ["ceildiv", "a.0", 256].
  llvm::json::Value toJSON() const;
  static llvm::Expected<Expr> fromJSON(const llvm::json::Value &value);
};

/// How expressions are built: constants fold where they fit, identities (x + 0, x * 1) vanish.
Expr constantExpr(int64_t value);
Expr symbolExpr(llvm::StringRef name);
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr floorDiv(Expr a, Expr b);
Expr ceilDiv(Expr a, Expr b);
Expr mod(Expr a, Expr b);

/// The C identifier of a symbol: "v_" and the name, with '_' doubled, '.' as "_p" and anything else as "_x"
/// and two hex digits, so that different names stay different.
std::string cSymbol(llvm::StringRef symbol);

/// Holds when `expr` is 0 (equality) or at least 0.
struct Condition {
  Expr expr;
  bool equality = false;
  std::string text; ///< for messages: "K must be a multiple of 64"
};

struct Argument {
  enum class Kind { Input, Scalar, Result, Dimension, Stride, Workspace };
  Kind kind = Kind::Input;
  std::string name; ///< "a", "a.0" (dimension 0 of a), "a.stride.0", "workspace"
  std::string
      type; ///< element type of a tensor or type of a scalar, in MLIR's spelling; "i32", "i64" for sizes
  std::vector<int64_t> shape; ///< of a tensor: -1 where dynamic
  std::vector<Expr>
      sizes; ///< of a result with dynamic dimensions: every dimension, over the other arguments; else empty
  bool strided = false; ///< a tensor with stride arguments; packed row-major otherwise
  unsigned offset = 0;  ///< in the kernarg segment
  unsigned size = 0;
};

struct Launch {
  std::string kernel;
  Expr grid[3]; ///< workgroups
  unsigned block[3] = {1, 1, 1};
  unsigned dynamicLds = 0;
  // Facts of the built kernel, from the code object.
  unsigned vgprs = 0, agprs = 0, sgprs = 0, lds = 0, scratch = 0, vgprSpills = 0, sgprSpills = 0;
};

struct Variant {
  std::string name;     ///< "large", "skinny", "any"
  std::string schedule; ///< as the IR prints it
  std::vector<Condition> conditions;
  std::vector<Launch> launches;
  Expr workspaceBytes;
};

struct Entry {
  std::string name;
  std::vector<Argument> arguments;
  std::vector<Condition> conditions; ///< of the entry itself: what it refuses, whatever the variant
  std::vector<Variant> variants;
  std::string problem; ///< everything that selects a kernel, as one string
};

struct Manifest {
  static constexpr unsigned formatVersion = 1;
  std::string compiler;  ///< "lowp 0.1.0 (LLVM 22.1.8)"
  std::string target;    ///< chip
  std::string inputHash; ///< of the canonical IR without locations
  std::vector<Entry> entries;

  llvm::json::Value toJSON() const;
  /// The text of `NAME.json`: keys sorted, two spaces of indentation, a newline at the end.
  std::string toText() const;
  /// Strict: a missing, unknown or wrong field is an error that names its path.
  static llvm::Expected<Manifest> fromJSON(llvm::StringRef text);
  const Entry *find(llvm::StringRef entry) const;
};

/// Whether the condition holds; an error if its expression has no value.
llvm::Expected<bool> holds(const Condition &condition, const Expr::Values &values);

/// The first variant whose preconditions hold, or an error that names the entry's broken condition. The
/// values are those of the arguments by name, pointers as addresses.
llvm::Expected<const Variant *> chooseVariant(const Entry &entry, const Expr::Values &values);

} // namespace lowp

#endif // LOWP_CODEOBJECT_MANIFEST_H
