// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference interpreter against sums and epilogues written out here.

#include "DriverTestSupport.h"
#include <cmath>

using namespace lowp;

namespace {

class EvaluateTest : public DriverTest {
protected:
  /// Parses, makes a problem of these sizes with seeded data, and evaluates the whole of result 0.
  std::vector<Approx> run(llvm::StringRef text, SizeValues values, DataKind kind,
                          EvaluateOptions options = {}) {
    entry = parse(text);
    mlir::FailureOr<EntrySizes> sizes = EntrySizes::create(entry);
    if (mlir::failed(sizes)) {
      ADD_FAILURE() << messages;
      return {};
    }
    problem.emplace(*Problem::create(entry, *sizes, values, {}));
    problem->fill(kind, 11);
    return evaluateAll(entry, *problem, options);
  }
  double input(unsigned number, llvm::ArrayRef<int64_t> at) { return problem->inputs[number].value(at); }

  /// The message of an operation on f32 scalars inside an epilogue; `line` defines %y.
  std::string messageOf(const std::string &line) {
    messages.clear();
    entry = parse(R"(
func.func @f(%a: tensor<2x3xbf16>, %b: tensor<3x2xbf16>) -> tensor<2x2xf32> {
  %d = lowp.matmul %a, %b : tensor<2x3xbf16>, tensor<3x2xbf16> -> tensor<2x2xf32>
      epilogue(%acc: f32) {
    )" + line + R"(
    lowp.yield %y : f32
  }
  return %d : tensor<2x2xf32>
})");
    mlir::FailureOr<EntrySizes> sizes = EntrySizes::create(entry);
    problem.emplace(*Problem::create(entry, *sizes, {}, {}));
    problem->fill(DataKind::Random, 11);
    Selection all = {{0, 1}, {0, 1}};
    bool failed = mlir::failed(Evaluator(entry, problem->arguments).evaluate(0, all));
    return failed ? messages : "accepted";
  }

  mlir::func::FuncOp entry;
  std::optional<Problem> problem;
};

constexpr llvm::StringLiteral plain = R"(
func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E5M2>) -> tensor<?x?xf32> {
  %d = lowp.matmul %a, %b transpose_b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2> -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
})";

TEST_F(EvaluateTest, SumsAndTheirBound) {
  EvaluateOptions options;
  options.joins = 3;
  std::vector<Approx> got = run(plain, {9, 50, 14}, DataKind::Random, options);
  ASSERT_EQ(got.size(), 9u * 14);
  for (int64_t m = 0; m < 9; ++m)
    for (int64_t n = 0; n < 14; ++n) {
      double sum = 0, magnitude = 0;
      for (int64_t k = 0; k < 50; ++k) {
        sum += input(0, {m, k}) * input(1, {n, k});
        magnitude += std::fabs(input(0, {m, k}) * input(1, {n, k}));
      }
      const Approx &set = got[m * 14 + n];
      EXPECT_EQ(set.value, sum);
      double bound = accumulationBound(53, magnitude);
      EXPECT_NEAR(set.error(), bound, ulp(Format::F32, sum));
      EXPECT_GT(set.error(), 0);
    }
}

TEST_F(EvaluateTest, PartsOfTheResultAreThoseOfTheWhole) {
  std::vector<Approx> whole = run(plain, {9, 50, 14}, DataKind::Random);
  Selection part = {{8, 0, 3}, {13, 5}};
  mlir::FailureOr<std::vector<Approx>> got = Evaluator(entry, problem->arguments).evaluate(0, part);
  ASSERT_TRUE(mlir::succeeded(got));
  size_t index = 0;
  for (int64_t row : part[0])
    for (int64_t column : part[1]) {
      EXPECT_EQ((*got)[index].lo, whole[row * 14 + column].lo);
      EXPECT_EQ((*got)[index++].value, whole[row * 14 + column].value);
    }
}

TEST_F(EvaluateTest, IntegersAreExact) {
  EvaluateOptions options;
  options.exactSums = true;
  for (const Approx &set : run(plain, {5, 300, 6}, DataKind::Integers, options)) {
    EXPECT_EQ(set.lo, set.hi);
    EXPECT_EQ(set.lo, std::nearbyint(set.lo));
  }
}

TEST_F(EvaluateTest, SumsBeyondTheExactLimitAreUnknown) {
  entry = parse(plain);
  mlir::FailureOr<EntrySizes> sizes = EntrySizes::create(entry);
  problem.emplace(*Problem::create(entry, *sizes, {1, 2, 1}, {}));
  problem->inputs[0].bytes = {0x7e, 0x7e}; // 448
  problem->inputs[1].bytes = {0x7b, 0x3c}; // 57344, 1
  EvaluateOptions options;
  options.exactSums = true;
  Approx set = evaluateAll(entry, *problem, options)[0];
  EXPECT_TRUE(set.nan);
  EXPECT_EQ(set.value, 448.0 * 57344 + 448);
  EXPECT_TRUE(set.contains(0));
}

constexpr llvm::StringLiteral inRegion = R"(
func.func @f(%a: tensor<?x?xbf16>, %b: tensor<?x40xbf16>, %bias: tensor<40xbf16>, %res: tensor<?x40xf16>, %s: tensor<f32>,
             %alpha: f32) -> tensor<?x40xbf16> {
  %d = lowp.matmul %a, %b scale_b(%s : tensor<f32>) : tensor<?x?xbf16>, tensor<?x40xbf16> -> tensor<?x40xbf16>
      epilogue(%acc: f32, %x: bf16 = %bias[n] : tensor<40xbf16>, %r: f16 = %res[m, n] : tensor<?x40xf16>,
               %al: f32 = %alpha : f32) {
    %0 = arith.mulf %acc, %al : f32
    %1 = arith.extf %x : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.extf %r : f16 to f32
    %4 = arith.subf %2, %3 : f32
    %c = arith.constant 1.5 : f32
    %5 = arith.maximumf %4, %c : f32
    %6 = arith.truncf %5 : f32 to bf16
    lowp.yield %6 : bf16
  }
  return %d : tensor<?x40xbf16>
})";

constexpr llvm::StringLiteral onTensors = R"(
func.func @f(%a: tensor<?x?xbf16>, %b: tensor<?x40xbf16>, %bias: tensor<40xbf16>, %res: tensor<?x40xf16>, %s: tensor<f32>,
             %alpha: f32) -> tensor<?x40xbf16> {
  %d = lowp.matmul %a, %b scale_b(%s : tensor<f32>) : tensor<?x?xbf16>, tensor<?x40xbf16> -> tensor<?x40xf32>
  %al = lowp.broadcast %alpha, %d dims [] : f32, tensor<?x40xf32> -> tensor<?x40xf32>
  %0 = arith.mulf %d, %al : tensor<?x40xf32>
  %wide = arith.extf %bias : tensor<40xbf16> to tensor<40xf32>
  %1 = lowp.broadcast %wide, %d dims [1] : tensor<40xf32>, tensor<?x40xf32> -> tensor<?x40xf32>
  %2 = arith.addf %0, %1 : tensor<?x40xf32>
  %3 = arith.extf %res : tensor<?x40xf16> to tensor<?x40xf32>
  %4 = arith.subf %2, %3 : tensor<?x40xf32>
  %one = arith.constant dense<1.5> : tensor<40xf32>
  %c = lowp.broadcast %one, %d dims [1] : tensor<40xf32>, tensor<?x40xf32> -> tensor<?x40xf32>
  %5 = arith.maximumf %4, %c : tensor<?x40xf32>
  %6 = arith.truncf %5 : tensor<?x40xf32> to tensor<?x40xbf16>
  return %6 : tensor<?x40xbf16>
})";

TEST_F(EvaluateTest, EpilogueInARegionAndOnTensorsIsTheSame) {
  std::vector<Approx> region = run(inRegion, {11, 30}, DataKind::Random);
  std::vector<Approx> tensors = run(onTensors, {11, 30}, DataKind::Random);
  ASSERT_EQ(region.size(), 11u * 40);
  ASSERT_EQ(tensors.size(), region.size());
  unsigned clamped = 0;
  for (int64_t m = 0; m < 11; ++m)
    for (int64_t n = 0; n < 40; ++n) {
      const Approx &x = region[m * 40 + n], &y = tensors[m * 40 + n];
      EXPECT_EQ(x.lo, y.lo);
      EXPECT_EQ(x.hi, y.hi);
      double sum = 0;
      for (int64_t k = 0; k < 30; ++k)
        sum += input(0, {m, k}) * input(1, {k, n});
      double expected = std::fmax(
          sum * input(4, {}) * problem->arguments[5].number + input(2, {n}) - input(3, {m, n}), 1.5);
      EXPECT_NEAR(x.value, expected, 1e-9);
      EXPECT_TRUE(x.contains(roundTo(Format::BF16, expected, Overflow::Native)));
      EXPECT_LE(x.error(), 1.01 * ulp(Format::BF16, expected));
      clamped += expected == 1.5;
    }
  EXPECT_GT(clamped, 20u);
  EXPECT_LT(clamped, 400u);
}

TEST_F(EvaluateTest, CoordinatesComparisonsAndLibraryFunctions) {
  std::vector<Approx> got = run(R"(
func.func @f(%a: tensor<6x4xf16>, %b: tensor<4x5xf16>) -> tensor<6x5xf32> {
  %d = lowp.matmul %a, %b : tensor<6x4xf16>, tensor<4x5xf16> -> tensor<6x5xf32>
      epilogue(%acc: f32) {
    %m = lowp.index 0
    %n = lowp.index 1
    %le = arith.cmpi ule, %n, %m : index
    %mi = arith.index_cast %m : index to i32
    %mf = arith.sitofp %mi : i32 to f32
    %e = math.exp %mf : f32
    %zero = arith.constant 0.0 : f32
    %positive = arith.cmpf ugt, %acc, %zero : f32
    %both = arith.andi %le, %positive : i1
    %y = arith.select %both, %e, %zero : f32
    lowp.yield %y : f32
  }
  return %d : tensor<6x5xf32>
})",
                                {}, DataKind::Random);
  ASSERT_EQ(got.size(), 30u);
  unsigned kept = 0;
  for (int64_t m = 0; m < 6; ++m)
    for (int64_t n = 0; n < 5; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < 4; ++k)
        sum += input(0, {m, k}) * input(1, {k, n});
      double expected = n <= m && sum > 0 ? std::exp(double(m)) : 0;
      kept += expected != 0;
      const Approx &set = got[m * 5 + n];
      EXPECT_EQ(set.value, expected) << m << " " << n;
      EXPECT_NEAR(set.error(), expected == 0 ? 0 : 3 * ulp(Format::F32, expected),
                  1.001 * ulp(Format::F32, expected));
    }
  EXPECT_GT(kept, 3u);
}

TEST_F(EvaluateTest, ConditionsThatRoundingDecidesAllowBothValues) {
  std::vector<Approx> got = run(R"(
func.func @f(%a: tensor<1x3xf16>, %b: tensor<3x1xf16>) -> tensor<1x1xf32> {
  %d = lowp.matmul %a, %b : tensor<1x3xf16>, tensor<3x1xf16> -> tensor<1x1xf32>
      epilogue(%acc: f32) {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %less = arith.subf %acc, %acc : f32
    %c = arith.cmpf olt, %less, %zero : f32
    %y = arith.select %c, %one, %zero : f32
    lowp.yield %y : f32
  }
  return %d : tensor<1x1xf32>
})",
                                {}, DataKind::Random);
  EXPECT_TRUE(got[0].contains(0));
  EXPECT_TRUE(got[0].contains(1));
  EXPECT_FALSE(got[0].contains(2));
}

TEST_F(EvaluateTest, BatchesUseTheirOwnMatrices) {
  std::vector<Approx> got = run(R"(
func.func @f(%a: tensor<?x3x4xbf16>, %b: tensor<4x2xbf16>, %r: tensor<?xf32>) -> tensor<?x3x2xf32> {
  %d = lowp.matmul %a, %b : tensor<?x3x4xbf16>, tensor<4x2xbf16> -> tensor<?x3x2xf32>
      epilogue(%acc: f32, %x: f32 = %r[b] : tensor<?xf32>) {
    %y = arith.addf %acc, %x : f32
    lowp.yield %y : f32
  }
  return %d : tensor<?x3x2xf32>
})",
                                {3}, DataKind::Integers, [] {
                                  EvaluateOptions options;
                                  options.exactSums = true;
                                  return options;
                                }());
  ASSERT_EQ(got.size(), 18u);
  for (int64_t b = 0; b < 3; ++b)
    for (int64_t m = 0; m < 3; ++m)
      for (int64_t n = 0; n < 2; ++n) {
        double sum = input(2, {b});
        for (int64_t k = 0; k < 4; ++k)
          sum += input(0, {b, m, k}) * input(1, {k, n});
        EXPECT_EQ(got[(b * 3 + m) * 2 + n].lo, sum);
      }
}

TEST_F(EvaluateTest, UnknownOperationsAreNamed) {
  EXPECT_EQ(messageOf("%y = arith.negf %acc : f32"), "accepted");
  EXPECT_EQ(messageOf("%y = math.powf %acc, %acc : f32"),
            "the reference interpreter does not know 'math.powf'");
  EXPECT_EQ(messageOf("%y = arith.addf %acc, %acc fastmath<contract> : f32"),
            "the reference interpreter does not know 'arith.addf' with fastmath flags");
  EXPECT_EQ(messageOf("%i = arith.fptosi %acc : f32 to i32\n%y = arith.sitofp %i : i32 to f32"),
            "the reference interpreter does not know 'arith.fptosi'");
  EXPECT_EQ(
      messageOf(
          "%h = arith.truncf %acc : f32 to f16\n%e = math.exp %h : f16\n%y = arith.extf %e : f16 to f32"),
      "the reference interpreter does not know 'math.exp' on this float type, 'f16'");
}

} // namespace
