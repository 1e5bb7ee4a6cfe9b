// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of hipBLASLt's words: what the row-major operation computes is compared, element by element,
// with the column-major formula written out over the same bytes.
#include "lowp/Driver/Hipblaslt.h"
#include "DriverTestSupport.h"
#include <cmath>

using namespace lowp;

namespace {

/// D(i, j) by the definition, in double; the matrices are column-major with their leading dimensions.
class ColumnMajor {
public:
  ColumnMajor(const HipblasltProblem &p, const Problem &problem) : p(p) {
    for (const HostTensor &tensor : problem.inputs)
      tensors[tensor.name] = &tensor;
    for (size_t i = 0; i < problem.arguments.size(); ++i)
      if (!problem.arguments[i].tensor)
        numbers[problem.argumentNames[i]] = problem.arguments[i].number;
  }

  double element(int64_t batch, int64_t i, int64_t j) const {
    double sum = 0;
    for (int64_t l = 0; l < p.k; ++l) {
      int64_t aAt = p.transA ? l + i * p.lda : i + l * p.lda, bAt = p.transB ? j + l * p.ldb : l + j * p.ldb;
      sum += load("a", batch * p.strideA + aAt) * load("b", batch * p.strideB + bAt);
    }
    if (p.scaleA)
      sum *= load("scaleA", 0);
    if (p.scaleB)
      sum *= load("scaleB", 0);
    if (p.alpha != 1)
      sum *= numbers.at("alpha");
    if (p.beta != 0)
      sum += numbers.at("beta") * load("c", batch * p.strideC + i + j * p.ldc);
    if (p.bias)
      sum += load("bias", i);
    if (p.activation == Activation::Relu)
      sum = std::fmax(sum, 0);
    if (p.activation == Activation::Clamp)
      sum = std::fmin(std::fmax(sum, p.activationArg1), p.activationArg2);
    return sum;
  }

private:
  double load(const std::string &name, int64_t element) const {
    const HostTensor &tensor = *tensors.at(name);
    return decode(tensor.format, loadCode(tensor.format, tensor.data(), element));
  }

  const HipblasltProblem &p;
  std::map<std::string, const HostTensor *> tensors;
  std::map<std::string, double> numbers;
};

class HipblasltTest : public DriverTest {
protected:
  void check(HipblasltProblem p) {
    ASSERT_FALSE(bool(p.complete()));
    RowMajorProblem rowMajor = toRowMajor(p);
    SCOPED_TRACE(rowMajor.mlir);
    mlir::func::FuncOp entry = parse(rowMajor.mlir);
    ASSERT_TRUE(bool(entry));
    mlir::FailureOr<EntrySizes> sizes = EntrySizes::create(entry);
    ASSERT_TRUE(mlir::succeeded(sizes)) << messages;
    llvm::Expected<SizeValues> values = sizes->bind(rowMajor.sizes);
    ASSERT_TRUE(bool(values)) << llvm::toString(values.takeError());
    EXPECT_EQ(llvm::count(*values, 0), 0);
    mlir::FailureOr<Problem> problem = Problem::create(entry, *sizes, *values, rowMajor.placement);
    ASSERT_TRUE(mlir::succeeded(problem)) << messages;
    problem->fill(DataKind::Integers, 7, rowMajor.numbers);

    EvaluateOptions options;
    options.exactSums = true;
    std::vector<Approx> got = evaluateAll(entry, *problem, options);
    ASSERT_EQ(int64_t(got.size()), p.batch * p.m * p.n);
    ColumnMajor reference(p, *problem);
    const HostTensor &d = problem->results[0];
    // The row-major result is D, column after column.
    EXPECT_EQ(d.layout().rowBits, p.ldd * bitWidth(p.d));
    size_t index = 0;
    for (int64_t batch = 0; batch < p.batch; ++batch)
      for (int64_t j = 0; j < p.n; ++j)
        for (int64_t i = 0; i < p.m; ++i) {
          double expected = roundTo(p.d, reference.element(batch, i, j), Overflow::Native);
          ASSERT_EQ(got[index].lo, expected) << "batch " << batch << ", row " << i << ", column " << j;
          ASSERT_EQ(got[index].hi, expected);
          ++index;
        }
  }

  static HipblasltProblem base() {
    HipblasltProblem p;
    p.m = 13;
    p.n = 7;
    p.k = 21;
    p.a = Format::F8E4M3FN;
    p.b = Format::F8E5M2;
    p.d = Format::F32;
    return p;
  }
};

// lowp_bench_b1, lowp_bench_b2, lowp_bench_b3
TEST_F(HipblasltTest, FourTransposesPackedAndWithGaps) {
  for (unsigned transposes = 0; transposes < 4; ++transposes)
    for (bool dynamic : {false, true})
      for (int64_t gap : {0, 3}) {
        HipblasltProblem p = base();
        p.transA = transposes & 1;
        p.transB = transposes & 2;
        p.dynamic = dynamic;
        if (gap) {
          p.lda = (p.transA ? p.k : p.m) + gap;
          p.ldb = (p.transB ? p.n : p.k) + gap + 1;
          p.ldd = p.m + gap + 2;
        }
        check(p);
      }
}

TEST_F(HipblasltTest, ScalesBelongToTheirOwnSide) {
  for (unsigned which = 1; which < 4; ++which) {
    HipblasltProblem p = base();
    p.scaleA = which & 1;
    p.scaleB = which & 2;
    check(p);
    EXPECT_NE(toRowMajor(p).mlir.find(which & 1 ? "scale_b(%scaleA" : "scale_a(%scaleB"), std::string::npos);
  }
}

TEST_F(HipblasltTest, BiasRunsAlongRowsOfD) {
  HipblasltProblem p = base();
  p.bias = Format::BF16;
  p.transA = true;
  check(p);
  p.dynamic = true;
  check(p);
}

// lowp_bench_b4
TEST_F(HipblasltTest, EverythingAtOnceInABatch) {
  HipblasltProblem p = base();
  p.batch = 3;
  p.d = Format::BF16;
  p.alpha = 2;
  p.beta = -0.5;
  p.scaleA = p.scaleB = true;
  p.bias = Format::F16;
  p.lda = 40;
  p.strideA = 40 * 21 + 11;
  p.ldc = 17;
  p.ldd = 20;
  p.strideD = 20 * 7 + 5;
  p.activation = Activation::Relu;
  check(p);
  p.activation = Activation::Clamp;
  p.activationArg1 = -3;
  p.activationArg2 = 9.5;
  p.dynamic = true;
  check(p);
}

// lowp_bench_b6
TEST_F(HipblasltTest, WrongLeadingDimensionNamesTheOption) {
  HipblasltProblem p = base();
  p.lda = 12;
  EXPECT_EQ(llvm::toString(p.complete()),
            "--lda must be at least 13, the rows of a in memory, and below 2147483648, but is 12");
  p = base();
  p.transB = true;
  p.ldb = 6;
  EXPECT_EQ(llvm::toString(p.complete()),
            "--ldb must be at least 7, the rows of b in memory, and below 2147483648, but is 6");
  p = base();
  p.batch = 2;
  p.strideD = 13 * 7 - 1;
  EXPECT_EQ(llvm::toString(p.complete()), "--stride_d must be at least 91, one whole matrix, but is 90");
  p = base();
  p.k = 0;
  EXPECT_EQ(llvm::toString(p.complete()), "-k must be at least 1 and below 2147483648, but is 0");
}

TEST_F(HipblasltTest, OptionsNameWhatIsNotDefault) {
  HipblasltProblem p = base();
  p.transA = true;
  p.alpha = 0.1f;
  p.lda = 30;
  p.bias = Format::BF16;
  p.dynamic = true;
  p.misalignment = {{"a", 3}, {"d", 4}};
  ASSERT_FALSE(bool(p.complete()));
  EXPECT_EQ(p.options(),
            "-m 13 -n 7 -k 21 --transA T --transB N --a_type f8_r --b_type bf8_r --d_type f32_r --lda 30 "
            "--alpha 0.1 --bias_vector --bias_type bf16_r --dynamic --misalign a=3,d=4");
}

// lowp_bench_b5
TEST_F(HipblasltTest, TypesByTheirWords) {
  EXPECT_EQ(parseHipblasltType("f8_r"), Format::F8E4M3FN);
  EXPECT_EQ(parseHipblasltType("bf8_fnuz_r"), Format::F8E5M2FNUZ);
  EXPECT_EQ(parseHipblasltType("i8_r"), std::nullopt);
}

} // namespace
