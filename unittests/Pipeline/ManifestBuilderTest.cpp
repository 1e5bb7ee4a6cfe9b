// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.entry to the manifest: where kernel arguments lie, expressions, conditions, grids, and what is
// refused.

#include "lowp/Pipeline/ManifestBuilder.h"
#include "lowp/Dialect/Lowp/IR/Lowp.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace lowp;

namespace {

// Every kind of argument, each size of scalar once where it needs padding. (Sets stand apart as aliases:
// inside another attribute's angle brackets the parser takes the '>' of '>=' for the end.)
constexpr llvm::StringLiteral entryText = R"mlir(
#range = affine_set<()[a, b, c, d, e, f, g, h, m, l, w] : (m - 1 >= 0, 2147483647 - m >= 0)>
#half = affine_set<()[a, b, c, d, e, f, g, h, m, l, w] : (l floordiv 2 - 40 >= 0)>
tile.entry @f arguments [
    #tile.argument<input "a" : tensor<?x64xf8E4M3FN, #lowp.storage<strided>>>, #tile.argument<scalar "alpha" : f32>,
    #tile.argument<scalar "beta" : bf16>, #tile.argument<scalar "gamma" : f16>, #tile.argument<scalar "delta" : bf16>,
    #tile.argument<input "s" : tensor<f32>>, #tile.argument<scalar "seed" : i64>,
    #tile.argument<result "d" : tensor<?x8xf32> sizes affine_map<()[a, b, c, d, e, f, g, h, m, l, w] -> (m, 8)>>,
    #tile.argument<dimension "a.0" : i32>, #tile.argument<stride "a.stride.0" : i64>, #tile.argument<workspace "workspace" : i64>]
  conditions [
    #tile.condition<"a.0 must be in range", #range>]
  variants [
    #tile.variant<"large", schedule = #lowp.schedule<name = "large", tile = [64, 64, 32], waves = [2, 2, 1], instruction = [16, 16, 32]>,
      conditions = [<"a must be aligned to 16 bytes", affine_set<()[a, b, c, d, e, f, g, h, m, l, w] : (a mod 16 == 0)>>,
                    <"half a row", #half>],
      launches = [<@f.large, affine_map<()[a, b, c, d, e, f, g, h, m, l, w, cus] -> ((m ceildiv 64) * 3, cus * 2, 1)>>],
      workspace = affine_map<()[a, b, c, d, e, f, g, h, m, l, w, cus] -> ((m ceildiv 64) * cus * 4096)>>,
    #tile.variant<"any", schedule = "by hand", conditions = [],
      launches = [<@f.any, affine_map<()[a, b, c, d, e, f, g, h, m, l, w, cus] -> (m, 1, 1)>>]>]
  problem "f on rows"
tile.kernel @f.large(%a: !llvm.ptr<1>) waves(4) {
  tile.return
}
)mlir";

class ManifestBuilder : public ::testing::Test {
protected:
  ManifestBuilder() { context.loadDialect<LowpDialect, tile::TileDialect>(); }

  /// The entries of a module; nothing, and the diagnostics in `errors`, if they cannot be made.
  FailureOr<std::vector<Entry>> build(llvm::StringRef text) {
    ScopedDiagnosticHandler handler(&context,
                                    [&](Diagnostic &diagnostic) { errors += diagnostic.str() + "\n"; });
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return failure();
    return buildEntries(*module);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string errors;
};

TEST_F(ManifestBuilder, ArgumentsLieAtTheirNaturalAlignment) {
  auto entries = build(entryText);
  ASSERT_TRUE(succeeded(entries)) << errors;
  ASSERT_EQ(entries->size(), 1u);
  struct Expected {
    const char *name, *type;
    Argument::Kind kind;
    unsigned offset, size;
  };
  using Kind = Argument::Kind;
  const Expected expected[] = {
      {"a", "f8E4M3FN", Kind::Input, 0, 8},        {"alpha", "f32", Kind::Scalar, 8, 4},
      {"beta", "bf16", Kind::Scalar, 12, 2},       {"gamma", "f16", Kind::Scalar, 14, 2},
      {"delta", "bf16", Kind::Scalar, 16, 2},      {"s", "f32", Kind::Input, 24, 8},
      {"seed", "i64", Kind::Scalar, 32, 8},        {"d", "f32", Kind::Result, 40, 8},
      {"a.0", "i32", Kind::Dimension, 48, 4},      {"a.stride.0", "i64", Kind::Stride, 56, 8},
      {"workspace", "i64", Kind::Workspace, 64, 8}};
  const std::vector<Argument> &arguments = entries->front().arguments;
  ASSERT_EQ(arguments.size(), std::size(expected));
  for (auto [found, wanted] : llvm::zip(arguments, expected)) {
    EXPECT_EQ(found.name, wanted.name);
    EXPECT_EQ(found.type, wanted.type) << wanted.name;
    EXPECT_EQ(found.kind, wanted.kind) << wanted.name;
    EXPECT_EQ(found.offset, wanted.offset) << wanted.name;
    EXPECT_EQ(found.size, wanted.size) << wanted.name;
  }
  EXPECT_TRUE(arguments[0].strided);
  EXPECT_FALSE(arguments[7].strided);
  EXPECT_EQ(arguments[0].shape, (std::vector<int64_t>{-1, 64}));
  EXPECT_TRUE(arguments[5].shape.empty());
  EXPECT_TRUE(arguments[0].sizes.empty());
  Expr::Values values;
  values["a.0"] = 77;
  ASSERT_EQ(arguments[7].sizes.size(), 2u);
  EXPECT_EQ(cantFail(arguments[7].sizes[0].evaluate(values)), 77);
  EXPECT_EQ(cantFail(arguments[7].sizes[1].evaluate(values)), 8);
}

TEST_F(ManifestBuilder, VariantsConditionsAndGrids) {
  auto entries = build(entryText);
  ASSERT_TRUE(succeeded(entries)) << errors;
  const Entry &entry = entries->front();
  EXPECT_EQ(entry.name, "f");
  EXPECT_EQ(entry.problem, "f on rows");
  // A set of two constraints is two conditions with one text.
  ASSERT_EQ(entry.conditions.size(), 2u);
  EXPECT_EQ(entry.conditions[0].text, "a.0 must be in range");
  EXPECT_EQ(entry.conditions[1].text, "a.0 must be in range");
  ASSERT_EQ(entry.variants.size(), 2u);
  EXPECT_EQ(entry.variants[0].schedule,
            "#lowp.schedule<name = \"large\", tile = [64, 64, 32], waves = [2, 2, 1], "
            "instruction = [16, 16, 32]>");
  const Launch &launch = entry.variants[0].launches.at(0);
  EXPECT_EQ(launch.kernel, "f.large");
  EXPECT_EQ(launch.block[0], 256u);
  EXPECT_EQ(entry.variants[1].launches.at(0).block[0], 1u); // no tile.kernel in the module: unknown as yet

  Expr::Values values;
  for (const Argument &argument : entry.arguments)
    values[argument.name] = 0;
  values["a"] = 4096;
  values["a.0"] = 65;
  values["a.stride.0"] = 80;
  values["cus"] = 256;
  EXPECT_EQ(cantFail(chooseVariant(entry, values))->name, "large");
  EXPECT_EQ(cantFail(launch.grid[0].evaluate(values)), 6);
  EXPECT_EQ(cantFail(launch.grid[1].evaluate(values)), 512);
  EXPECT_EQ(cantFail(launch.grid[2].evaluate(values)), 1);
  EXPECT_EQ(cantFail(entry.variants[0].workspaceBytes.evaluate(values)), 2 * 256 * 4096);
  EXPECT_EQ(cantFail(entry.variants[1].workspaceBytes.evaluate(values)), 0);
  values["a.stride.0"] = 79;
  EXPECT_EQ(cantFail(chooseVariant(entry, values))->name, "any");
  values["a.stride.0"] = 80;
  values["a"] = 4104;
  EXPECT_EQ(cantFail(chooseVariant(entry, values))->name, "any");
  for (int64_t rows : {int64_t(0), int64_t(1) << 31}) {
    values["a.0"] = rows;
    EXPECT_EQ(llvm::toString(chooseVariant(entry, values).takeError()), "entry 'f': a.0 must be in range");
  }
}

TEST_F(ManifestBuilder, TheManifestRoundTrips) {
  auto entries = build(entryText);
  ASSERT_TRUE(succeeded(entries)) << errors;
  Manifest manifest{"lowp", "chip", "hash", *entries};
  llvm::Expected<Manifest> read = Manifest::fromJSON(manifest.toText());
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->toText(), manifest.toText());
}

TEST_F(ManifestBuilder, RefusesScalarsWithoutAPlace) {
  EXPECT_TRUE(failed(
      build("tile.entry @f arguments [#tile.argument<scalar \"n\" : index>] conditions [] variants []")));
  EXPECT_EQ(errors,
            "'tile.entry' op argument 'n' is of type 'index', which has no place among kernel arguments\n");
}

TEST_F(ManifestBuilder, KernelFactsNeedTheKernel) {
  auto entries = build(entryText);
  ASSERT_TRUE(succeeded(entries)) << errors;
  HsaCodeObject empty;
  EXPECT_EQ(llvm::toString(addKernelFacts(*entries, empty)), "the code object has no kernel 'f.large'");
}

} // namespace
