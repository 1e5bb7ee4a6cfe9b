// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From column-major to row-major: see the header. The MLIR is written as text: it is what --emit=mlir shows,
// and going through the parser makes the tool an ordinary user of the language.
#include "lowp/Driver/Hipblaslt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace lowp;
using llvm::formatv;
using llvm::StringRef;

//===-- Words
//---------------------------------------------------------------------------------------------===//

namespace {
struct TypeWord {
  llvm::StringLiteral word;
  Format format;
};
// hipBLASLt's documentation, "Supported data types": HIP_R_8F_E4M3 (f8_r), HIP_R_8F_E5M2 (bf8_r) and their
// _FNUZ twins.
constexpr TypeWord typeWords[] = {
    {"f8_r", Format::F8E4M3FN},
    {"bf8_r", Format::F8E5M2},
    {"f8_fnuz_r", Format::F8E4M3FNUZ},
    {"bf8_fnuz_r", Format::F8E5M2FNUZ},
    {"f16_r", Format::F16},
    {"bf16_r", Format::BF16},
    {"f32_r", Format::F32},
};
constexpr llvm::StringLiteral activationNames[] = {"none", "relu", "gelu", "swish", "clamp"};
} // namespace

// lowp_bench_b5
std::optional<Format> lowp::parseHipblasltType(StringRef word) {
  for (const TypeWord &entry : typeWords)
    if (entry.word == word)
      return entry.format;
  return std::nullopt;
}

StringRef lowp::hipblasltType(Format format) {
  for (const TypeWord &entry : typeWords)
    if (entry.format == format)
      return entry.word;
  return "?";
}

std::optional<Activation> lowp::parseActivation(StringRef word) {
  for (auto [number, known] : llvm::enumerate(activationNames))
    if (known == word)
      return Activation(number);
  return std::nullopt;
}

StringRef lowp::name(Activation activation) { return activationNames[size_t(activation)]; }

//===-- Defaults
//------------------------------------------------------------------------------------------===//

static llvm::Error refuse(const llvm::Twine &text) { return llvm::createStringError(text); }

// lowp_bench_b6
llvm::Error HipblasltProblem::complete() {
  for (auto [option, value] : {std::pair("-m", m), {"-n", n}, {"-k", k}, {"--batch_count", batch}})
    if (value < 1 || value > INT32_MAX)
      return refuse(formatv("{0} must be at least 1 and below 2147483648, but is {1}", option, value).str());
  struct Matrix {
    StringRef name;
    int64_t &ld, &stride;
    int64_t rows, columns;
    bool written;
  } matrices[] = {{"a", lda, strideA, transA ? k : m, transA ? m : k, false},
                  {"b", ldb, strideB, transB ? n : k, transB ? k : n, false},
                  {"c", ldc, strideC, m, n, false},
                  {"d", ldd, strideD, m, n, true}};
  for (Matrix &matrix : matrices) {
    if (matrix.ld == 0)
      matrix.ld = matrix.rows;
    if (matrix.ld < matrix.rows || matrix.ld > INT32_MAX)
      return refuse(
          formatv("--ld{0} must be at least {1}, the rows of {0} in memory, and below 2147483648, but is {2}",
                  matrix.name, matrix.rows, matrix.ld)
              .str());
    int64_t whole = matrix.ld * matrix.columns;
    if (matrix.stride == 0)
      matrix.stride = whole;
    if (matrix.stride < 0 || (batch > 1 && matrix.written && matrix.stride < whole))
      return refuse(formatv("--stride_{0} must be at least {1}, one whole matrix, but is {2}", matrix.name,
                            whole, matrix.stride)
                        .str());
  }
  if (!std::isfinite(alpha) || !std::isfinite(beta))
    return refuse("--alpha and --beta must be finite");
  if (activation == Activation::Clamp && !(activationArg1 <= activationArg2))
    return refuse("--activation_arg1 must be at most --activation_arg2");
  return llvm::Error::success();
}

/// The shortest decimal text that reads back as the same f32.
static std::string number(float value) {
  for (int digits = 1; digits < 9; ++digits) {
    std::string text = llvm::formatv("{0}", llvm::format("%.*g", digits, double(value))).str();
    if (std::strtof(text.c_str(), nullptr) == value)
      return text;
  }
  return llvm::formatv("{0}", llvm::format("%.9g", double(value))).str();
}

std::string HipblasltProblem::options() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << formatv("-m {0} -n {1} -k {2} --transA {3} --transB {4} --a_type {5} --b_type {6} --d_type {7}", m, n,
                k, transA ? 'T' : 'N', transB ? 'T' : 'N', hipblasltType(a), hipblasltType(b),
                hipblasltType(d));
  struct Matrix {
    StringRef name;
    int64_t ld, stride, rows, columns;
  };
  for (const Matrix &matrix : {Matrix{"a", lda, strideA, transA ? k : m, transA ? m : k},
                               {"b", ldb, strideB, transB ? n : k, transB ? k : n},
                               {"c", ldc, strideC, m, n},
                               {"d", ldd, strideD, m, n}}) {
    if (matrix.name == "c" && beta == 0)
      continue;
    if (matrix.ld != matrix.rows && matrix.ld != 0)
      os << " --ld" << matrix.name << ' ' << matrix.ld;
    if (batch > 1 && matrix.stride != matrix.ld * matrix.columns && matrix.stride != 0)
      os << " --stride_" << matrix.name << ' ' << matrix.stride;
  }
  if (batch != 1)
    os << " --batch_count " << batch;
  if (alpha != 1)
    os << " --alpha " << number(alpha);
  if (beta != 0)
    os << " --beta " << number(beta);
  if (scaleA)
    os << " --scaleA 1";
  if (scaleB)
    os << " --scaleB 1";
  if (bias)
    os << " --bias_vector --bias_type " << hipblasltType(*bias);
  if (activation != Activation::None)
    os << " --activation_type " << lowp::name(activation);
  if (activation == Activation::Clamp)
    os << " --activation_arg1 " << number(activationArg1) << " --activation_arg2 " << number(activationArg2);
  if (dynamic)
    os << " --dynamic";
  if (!schedule.empty())
    os << " --schedule-fields '" << schedule << "'";
  if (!misalignment.empty()) {
    os << " --misalign ";
    llvm::interleave(
        misalignment, os, [&](const auto &entry) { os << entry.first << '=' << entry.second; }, ",");
  }
  return text;
}

//===-- The operation
//-------------------------------------------------------------------------------------===//

namespace {

/// Collects the arguments of the function and of the epilogue, and the lines of the latter.
class Writer {
public:
  explicit Writer(const HipblasltProblem &problem) : problem(problem) {}
  RowMajorProblem write();

private:
  /// The type of a row-major matrix of hipBLASLt's `name`: its columns are our rows.
  std::string matrix(StringRef name, int64_t rows, int64_t columns, Format format, int64_t ld,
                     int64_t stride);
  void bindSize(StringRef name, unsigned dim, int64_t size) {
    result.sizes.push_back({name.str(), dim, size});
  }
  void argument(StringRef name, StringRef type) {
    arguments.push_back(formatv("%{0}: {1} {{lowp.name = \"{0}\"}", name, type).str());
  }
  void capture(StringRef element, StringRef value, StringRef coordinates, StringRef elementType,
               StringRef type) {
    captures += formatv(", %{0}: {1} = %{2}{3} : {4}", element, elementType, value, coordinates, type).str();
  }
  /// A new value of the epilogue.
  std::string line(const llvm::Twine &operation) {
    std::string value = "%" + std::to_string(lines++);
    body += ("    " + value + " = " + operation + "\n").str();
    return value;
  }
  std::string constant(float value) {
    uint32_t bits = llvm::bit_cast<uint32_t>(value);
    return line(formatv("arith.constant 0x{0:X-8} : f32", bits).str());
  }
  std::string binary(StringRef operation, const std::string &x, const std::string &y) {
    return line("arith." + operation + " " + x + ", " + y + " : f32");
  }
  std::string widened(const std::string &value, Format format) {
    return format == Format::F32 ? value
                                 : line("arith.extf " + value + " : " + lowp::name(format) + " to f32");
  }
  std::string activate(std::string x);

  const HipblasltProblem &problem;
  RowMajorProblem result;
  std::vector<std::string> arguments;
  std::string captures, body;
  unsigned lines = 0;
};

std::string Writer::matrix(StringRef name, int64_t rows, int64_t columns, Format format, int64_t ld,
                           int64_t stride) {
  bool gap = ld != columns || (problem.batch > 1 && stride != ld * rows);
  bool strided = gap || problem.dynamic;
  std::string type = "tensor<";
  llvm::SmallVector<int64_t, 3> shape;
  if (problem.batch > 1)
    shape.push_back(problem.batch);
  shape.append({rows, columns});
  for (auto [dim, size] : llvm::enumerate(shape)) {
    type += (problem.dynamic ? std::string("?") : std::to_string(size)) + "x";
    if (problem.dynamic && name != "d")
      bindSize(name, dim, size);
  }
  if (strided) {
    llvm::SmallVector<int64_t, 2> &strides = result.placement.strides[name.str()];
    if (problem.batch > 1)
      strides.push_back(stride);
    strides.push_back(ld);
  }
  return type + lowp::name(format).str() + (strided ? ", #lowp.storage<strided>>" : ">");
}

/// lowp_bench_b4
/// The formulas of hipBLASLt: gelu is the one with tanh, swish is x * sigmoid(x).
std::string Writer::activate(std::string x) {
  switch (problem.activation) {
  case Activation::None:
    return x;
  case Activation::Relu:
    return binary("maximumf", x, constant(0));
  case Activation::Clamp:
    x = binary("maximumf", x, constant(problem.activationArg1));
    return binary("minimumf", x, constant(problem.activationArg2));
  case Activation::Gelu: {
    std::string square = binary("mulf", x, x);
    std::string scaled = binary("mulf", square, constant(0.044715f));
    std::string inner = binary("addf", scaled, constant(1));
    std::string argument = binary("mulf", binary("mulf", x, constant(0.7978845608028654f)), inner);
    std::string tanh = line("math.tanh " + argument + " : f32");
    std::string half = binary("mulf", x, constant(0.5f));
    return binary("mulf", half, binary("addf", tanh, constant(1)));
  }
  case Activation::Swish: {
    std::string exp = line("math.exp " + line("arith.negf " + x + " : f32") + " : f32");
    return binary("divf", x, binary("addf", exp, constant(1)));
  }
  }
  return x;
}

// lowp_bench_b1, lowp_bench_b2, lowp_bench_b3
RowMajorProblem Writer::write() {
  const HipblasltProblem &p = problem;
  // Sides swapped: our a is B, our b is A; so are the scales. Column-major without "T" is our untransposed
  // operand.
  std::string bType =
      p.transB ? matrix("b", p.k, p.n, p.b, p.ldb, p.strideB) : matrix("b", p.n, p.k, p.b, p.ldb, p.strideB);
  std::string aType =
      p.transA ? matrix("a", p.m, p.k, p.a, p.lda, p.strideA) : matrix("a", p.k, p.m, p.a, p.lda, p.strideA);
  std::string dType = matrix("d", p.n, p.m, p.d, p.ldd, p.strideD);
  StringRef dElement = lowp::name(p.d);
  argument("b", bType);
  argument("a", aType);
  std::string scales;
  if (p.scaleB) {
    argument("scaleB", "tensor<f32>");
    scales += " scale_a(%scaleB : tensor<f32>)";
  }
  if (p.scaleA) {
    argument("scaleA", "tensor<f32>");
    scales += " scale_b(%scaleA : tensor<f32>)";
  }

  std::string x = "%acc";
  if (p.alpha != 1) {
    argument("alpha", "f32");
    capture("alpha_", "alpha", "", "f32", "f32");
    result.numbers["alpha"] = p.alpha;
    x = binary("mulf", x, "%alpha_");
  }
  if (p.beta != 0) {
    std::string cType = matrix("c", p.n, p.m, p.d, p.ldc, p.strideC);
    argument("c", cType);
    argument("beta", "f32");
    capture("c_", "c", p.batch > 1 ? "[b, m, n]" : "[m, n]", dElement, cType);
    capture("beta_", "beta", "", "f32", "f32");
    result.numbers["beta"] = p.beta;
    x = binary("addf", x, binary("mulf", widened("%c_", p.d), "%beta_"));
  }
  if (p.bias) {
    std::string type =
        formatv("tensor<{0}x{1}>", p.dynamic ? std::string("?") : std::to_string(p.m), lowp::name(*p.bias))
            .str();
    if (p.dynamic)
      bindSize("bias", 0, p.m);
    argument("bias", type);
    capture("bias_", "bias", "[n]", lowp::name(*p.bias), type);
    x = binary("addf", x, widened("%bias_", *p.bias));
  }
  x = activate(x);
  if (p.d != Format::F32 && lines > 0)
    x = line("arith.truncf " + x + " : f32 to " + dElement);

  llvm::raw_string_ostream os(result.mlir);
  os << "// lowp-bench " << p.options()
     << "\n// D = op(A) op(B), column-major, is the row-major D^T = op(B)^T op(A)^T.\n";
  os << "func.func @gemm(";
  llvm::interleave(arguments, os, ",\n                ");
  os << ")\n    -> (" << dType << " {lowp.name = \"d\"}) {\n";
  os << "  %d = lowp.matmul %b, %a" << (p.transB ? " transpose_a" : "") << (p.transA ? " transpose_b" : "")
     << scales;
  if (!p.schedule.empty())
    os << " schedules = [#lowp.schedule<" << p.schedule << ">]";
  os << "\n      : " << bType << ", " << aType << " -> " << dType;
  if (lines > 0)
    os << "\n      epilogue(%acc: f32" << captures << ") {\n"
       << body << "    lowp.yield " << x << " : " << dElement << "\n  }";
  os << "\n  return %d : " << dType << "\n}\n";
  result.placement.misalignment = p.misalignment;
  return std::move(result);
}

} // namespace

RowMajorProblem lowp::toRowMajor(const HipblasltProblem &problem) { return Writer(problem).write(); }
