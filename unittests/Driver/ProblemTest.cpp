// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DriverTestSupport.h"
#include <cmath>

using namespace lowp;

namespace {

constexpr llvm::StringLiteral product = R"(
func.func @f(%a: tensor<?x?xf8E4M3FN, #lowp.storage<strided>> {lowp.name = "a"}, %b: tensor<?x24xf8E4M3FN>, %s: tensor<f32>,
             %alpha: f32) -> (tensor<?x24xbf16, #lowp.storage<strided>> {lowp.name = "d"}) {
  %d = lowp.matmul %a, %b scale_a(%s : tensor<f32>)
      : tensor<?x?xf8E4M3FN, #lowp.storage<strided>>, tensor<?x24xf8E4M3FN> -> tensor<?x24xbf16, #lowp.storage<strided>>
  return %d : tensor<?x24xbf16, #lowp.storage<strided>>
})";

class ProblemTest : public DriverTest {
protected:
  Problem make(const Placement &placement) {
    mlir::func::FuncOp entry = parse(product);
    mlir::FailureOr<EntrySizes> sizes = EntrySizes::create(entry);
    mlir::FailureOr<Problem> problem = Problem::create(entry, *sizes, {5, 7}, placement);
    EXPECT_TRUE(mlir::succeeded(problem)) << messages;
    return std::move(*problem);
  }
};

TEST_F(ProblemTest, PlacesTensors) {
  Placement placement;
  placement.strides["d"] = {31};
  placement.padding = 3;
  placement.misalignment["a"] = 5;
  Problem problem = make(placement);
  ASSERT_EQ(problem.inputs.size(), 3u);
  const HostTensor &a = problem.inputs[0], &b = problem.inputs[1], &d = problem.results[0];
  EXPECT_EQ(a.strides, (llvm::SmallVector<int64_t, 2>{10}));
  EXPECT_EQ(a.offset, 5u);
  EXPECT_EQ(a.bytes.size(), 5u + 4 * 10 + 7); // no byte behind the last element
  EXPECT_TRUE(b.strides.empty());
  EXPECT_EQ(b.bytes.size(), 7u * 24);
  EXPECT_EQ(d.bytes.size(), (4u * 31 + 24) * 2);
  EXPECT_EQ(problem.work, 5 * 7 * 24);
}

TEST_F(ProblemTest, FillsElementsAndNothingElse) {
  Placement placement;
  placement.padding = 3;
  Problem problem = make(placement);
  for (DataKind kind : {DataKind::Random, DataKind::Integers, DataKind::Zero, DataKind::Normal,
                        DataKind::Uniform01, DataKind::Hpl, DataKind::Special}) {
    problem.fill(kind, 3);
    for (const HostTensor &tensor : problem.inputs)
      EXPECT_EQ(tensor.firstChangedPadding(), -1) << tensor.name;
    EXPECT_TRUE(llvm::all_of(problem.results[0].bytes, [](uint8_t byte) { return byte == 0xff; }));
  }
  problem.inputs[0].bytes[8] = 0;
  EXPECT_EQ(problem.inputs[0].firstChangedPadding(), 8);
}

TEST_F(ProblemTest, IntegersAreIntegersAndScalesPowersOfTwo) {
  Problem problem = make({});
  problem.fill(DataKind::Integers, 3, {{"arg3", 0.1}});
  std::vector<double> seen;
  for (int64_t row = 0; row < 5; ++row)
    for (int64_t column = 0; column < 7; ++column) {
      double value = problem.inputs[0].value({row, column});
      EXPECT_EQ(value, std::nearbyint(value));
      EXPECT_NE(value, 0);
      seen.push_back(value);
    }
  llvm::sort(seen);
  EXPECT_GT(std::unique(seen.begin(), seen.end()) - seen.begin(), 5);
  double scale = problem.inputs[2].value({});
  EXPECT_TRUE(std::fabs(scale) == 0.5 || std::fabs(scale) == 2) << scale;
  EXPECT_EQ(problem.arguments[3].number, double(0.1f));
}

TEST_F(ProblemTest, DataDependOnTheSeedAlone) {
  Problem one = make({}), two = make({});
  one.fill(DataKind::Random, 3);
  two.fill(DataKind::Random, 3);
  EXPECT_EQ(one.inputs[1].bytes, two.inputs[1].bytes);
  two.fill(DataKind::Random, 4);
  EXPECT_NE(one.inputs[1].bytes, two.inputs[1].bytes);
}

TEST_F(ProblemTest, RefusesWhatDoesNotFit) {
  mlir::func::FuncOp entry = parse(product);
  mlir::FailureOr<EntrySizes> sizes = EntrySizes::create(entry);
  EXPECT_TRUE(mlir::failed(Problem::create(entry, *sizes, {2000000000, 2000000000}, {})));
  EXPECT_EQ(messages, "'func.func' op the tensors need more than 17179869184 bytes");
}

} // namespace
