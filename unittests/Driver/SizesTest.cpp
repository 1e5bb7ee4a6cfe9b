// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DriverTestSupport.h"

using namespace lowp;

namespace {

using SizesTest = DriverTest;

constexpr llvm::StringLiteral residual = R"(
func.func @f(%a: tensor<?x?xbf16> {lowp.name = "a"}, %w: tensor<48x?xbf16> {lowp.name = "w"}, %bias: tensor<48xf32>,
             %res: tensor<?x48xf32> {lowp.name = "res"}) -> tensor<?x48xf32> {
  %d = lowp.matmul %a, %w transpose_b : tensor<?x?xbf16>, tensor<48x?xbf16> -> tensor<?x48xf32>
  %b = lowp.broadcast %bias, %d dims [1] : tensor<48xf32>, tensor<?x48xf32> -> tensor<?x48xf32>
  %0 = arith.addf %d, %b : tensor<?x48xf32>
  %1 = arith.addf %0, %res : tensor<?x48xf32>
  return %1 : tensor<?x48xf32>
})";

TEST_F(SizesTest, EqualDimensionsAreOneVariable) {
  mlir::func::FuncOp entry = parse(residual);
  mlir::FailureOr<EntrySizes> sizes = EntrySizes::create(entry);
  ASSERT_TRUE(mlir::succeeded(sizes)) << messages;
  ASSERT_EQ(sizes->variables(), 2u);
  EXPECT_EQ(sizes->name(0), "a.0");
  EXPECT_EQ(sizes->name(1), "a.1");

  llvm::Expected<SizeValues> values = sizes->bind({{"res", 0, 5}, {"w", 1, 77}});
  ASSERT_TRUE(bool(values)) << llvm::toString(values.takeError());
  EXPECT_EQ(*values, (SizeValues{5, 77}));
  EXPECT_EQ(sizes->text(*values), "a.0=5 a.1=77");
  EXPECT_EQ(sizes->shapeOf(entry.getArgument(0), *values), (llvm::SmallVector<int64_t, 3>{5, 77}));
  EXPECT_EQ(sizes->resultShape(0, *values), (llvm::SmallVector<int64_t, 3>{5, 48}));
}

TEST_F(SizesTest, BadBindingsSayWhy) {
  mlir::FailureOr<EntrySizes> sizes = EntrySizes::create(parse(residual));
  ASSERT_TRUE(mlir::succeeded(sizes));
  auto message = [&](std::vector<SizeBinding> bindings) {
    llvm::Expected<SizeValues> values = sizes->bind(bindings);
    return values ? std::string("accepted") : llvm::toString(values.takeError());
  };
  EXPECT_EQ(message({{"a", 0, 5}, {"res", 0, 6}}), "size res.0=6: must be 5, as another size says");
  EXPECT_EQ(message({{"w", 0, 6}}), "size w.0=6: must be 48, as the types say");
  EXPECT_EQ(message({{"w", 2, 6}}), "size w.2=6: 'w' has 2 dimensions");
  EXPECT_EQ(message({{"x", 0, 6}}),
            "size x.0=6: the entry 'f' has no tensor argument of that name; it has a, w, arg2, res");
}

TEST_F(SizesTest, BindingsAreParsed) {
  llvm::Expected<SizeBinding> binding = parseSizeBinding("a.b.1=33");
  ASSERT_TRUE(bool(binding));
  EXPECT_EQ(binding->argument, "a.b");
  EXPECT_EQ(binding->dim, 1u);
  EXPECT_EQ(binding->value, 33);
  for (const char *text : {"", "a=3", "a.0", "a.0=", ".0=3", "a.x=3", "a.0=3x"})
    EXPECT_EQ(llvm::toString(parseSizeBinding(text).takeError()),
              "expected a size ARG.DIM=VALUE such as a.0=33, but got '" + std::string(text) + "'");
  EXPECT_EQ(llvm::toString(parseSizeBinding("a.0=0").takeError()),
            "size 'a.0=0' must be at least 1 and below 2147483648");
}

TEST_F(SizesTest, PicksOneAndOddSizesAndKeepsBoundOnes) {
  mlir::FailureOr<EntrySizes> sizes = EntrySizes::create(parse(residual));
  ASSERT_TRUE(mlir::succeeded(sizes));
  std::vector<SizeValues> sets = sizes->pick({0, 64});
  EXPECT_EQ(sets.front(), (SizeValues{1, 64}));
  EXPECT_TRUE(llvm::any_of(sets, [](const SizeValues &set) { return set[0] > 1 && set[0] % 2 == 1; }));
  for (const SizeValues &set : sets)
    EXPECT_EQ(set[1], 64);
  EXPECT_EQ(sizes->pick({3, 64}), (std::vector<SizeValues>{{3, 64}}));
}

TEST_F(SizesTest, ContradictingSizesAreReported) {
  mlir::func::FuncOp entry = parse(R"(
func.func @f(%a: tensor<?xf32>, %b: tensor<3xf32>, %c: tensor<5xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %b : tensor<3xf32> to tensor<?xf32>
  %1 = tensor.cast %c : tensor<5xf32> to tensor<?xf32>
  %2 = arith.addf %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
})");
  EXPECT_TRUE(mlir::failed(EntrySizes::create(entry)));
  EXPECT_EQ(messages, "needs two dimensions of equal size, but one is '3' and the other is '5'");
}

} // namespace
