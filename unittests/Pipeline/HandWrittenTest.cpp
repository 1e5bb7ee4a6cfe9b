// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that are no GEMM, written by hand in the tile dialect (test/Integration), compiled like any other
// and run on the simulator: attention with two products in a loop, and a router without a product. Compared
// with loops in double.

#include "lowp/Driver/Launcher.h"
#include "lowp/Numerics/Fill.h"
#include "lowp/Pipeline/Compile.h"
#include "lowp/Pipeline/Registration.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace lowp;

namespace {

/// Replaces the first `from` behind the first `after`.
void replaceFirst(std::string &text, StringRef from, StringRef to, StringRef after = "") {
  size_t start = after.empty() ? 0 : text.find(after);
  ASSERT_NE(start, std::string::npos) << after.str();
  size_t at = text.find(from, start);
  ASSERT_NE(at, std::string::npos) << from.str();
  text.replace(at, from.size(), to);
}

HostTensor makeTensor(StringRef name, Format format, ArrayRef<int64_t> shape) {
  HostTensor tensor;
  tensor.name = name.str();
  tensor.format = format;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.allocate();
  return tensor;
}

class HandWritten : public ::testing::Test {
protected:
  HandWritten() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  static std::string read(StringRef file) {
    auto buffer = llvm::MemoryBuffer::getFile(LOWP_SOURCE_DIR "/test/Integration/" + file);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  void compileText(StringRef text, StringRef chip) {
    ScopedDiagnosticHandler handler(&context,
                                    [&](Diagnostic &diagnostic) { ADD_FAILURE() << diagnostic.str(); });
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    CompileOptions options;
    options.target = chip.str();
    FailureOr<CompileResult> result = lowp::compile(*module, options);
    ASSERT_TRUE(succeeded(result));
    compiled = std::move(*result);
    auto made = Launcher::create(compiled.manifest, compiled.hsaco);
    ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
    launcher = std::move(*made);
  }

  /// Runs the only entry; what the simulator found is a failure of the test.
  sim::Counters run(const LaunchArguments &arguments, sim::WaveOrder order = sim::WaveOrder::Interleaved) {
    sim::Options options;
    options.waves = order;
    options.seed = 5;
    llvm::Expected<LaunchOutcome> outcome =
        launcher->run(compiled.manifest.entries.front().name, arguments, "", options);
    if (!outcome) {
      ADD_FAILURE() << llvm::toString(outcome.takeError());
      return {};
    }
    EXPECT_EQ(outcome->reports.size(), 1u);
    for (const sim::Report &report : outcome->reports) {
      EXPECT_TRUE(report.completed);
      for (const sim::Finding &finding : report.findings)
        ADD_FAILURE() << finding.text();
    }
    return outcome->reports.front().counters;
  }

  MLIRContext context;
  CompileResult compiled;
  std::unique_ptr<Launcher> launcher;
};

//===-- Attention
//----------------------------------------------------------------------------------------------------===//

constexpr int64_t headSize = 64, queryTile = 128, keyTile = 64;

/// What of the text depends on chip and format.
struct AttentionCase {
  const char *chip;
  Format format;         ///< of queries and keys
  const char *scores;    ///< instruction of the first product
  const char *values;    ///< and of the second, on bf16
  const char *waves;     ///< that share queries and keys
  const char *staging;   ///< of the keys
  uint64_t mfmasPerStep; ///< of a workgroup and a tile of keys
};

class Attention : public HandWritten {
protected:
  void compileCase(const AttentionCase &c) {
    std::string text = read("two-products.mlir");
    StringRef type = name(c.format);
    replaceFirst(text, "\n!qk = bf16\n", ("\n!qk = " + type + "\n").str());
    replaceFirst(text, "%ldqk = arith.constant 128",
                 ("%ldqk = arith.constant " + Twine(headSize * bitWidth(c.format) / 8)).str());
    replaceFirst(text, "staging(registers)", ("staging(" + StringRef(c.staging) + ")").str(),
                 "%tk = tile.load");
    replaceFirst(text, "instruction [32, 32, 8]", ("instruction " + StringRef(c.scores)).str(),
                 "%products = ");
    replaceFirst(text, "instruction [32, 32, 8]", ("instruction " + StringRef(c.values)).str(), "%newacc = ");
    for (StringRef product : {"%products = ", "%newacc = "})
      replaceFirst(text, "waves [4, 1, 1]", ("waves " + StringRef(c.waves)).str(), product);
    compileText(text, c.chip);
  }

  void makeData(Format format, int64_t queries, int64_t keys) {
    q = makeTensor("q", format, {queries, headSize});
    k = makeTensor("k", format, {keys, headSize});
    v = makeTensor("v", Format::BF16, {keys, headSize});
    o = makeTensor("o", Format::F32, {queries, headSize});
  }

  sim::Counters runAttention(float scale, sim::WaveOrder order = sim::WaveOrder::Interleaved) {
    LaunchArguments arguments;
    arguments.inputs = {&q, &k, &v};
    arguments.results = {&o};
    arguments.scalars["scale"] = {scale, 0};
    return run(arguments, order);
  }

  /// Compares with the definition, in units of the sum of a query's weighted magnitudes. A weight is rounded
  /// to bf16, which has 8 bits: half a unit in the last place is up to 2^-8 of it. A score is a sum of
  /// headSize products in f32; an error of d in it or in the maximum is one of ln 2 * d in a weight, above or
  /// below the division. 2^-18 covers the roundings of the differences (of at most 64), exponentials,
  /// rescalings and sums. `exact`: scores and weights are such that they have no error.
  void compare(float scale, bool exact) {
    int64_t queries = o.shape[0], keys = k.shape[0], moved = 0;
    for (int64_t m = 0; m < queries; ++m) {
      std::vector<double> score(keys);
      double scoreError = 0, largest = -INFINITY, largestOfFirstTile = -INFINITY;
      for (int64_t n = 0; n < keys; ++n) {
        double sum = 0, magnitude = 0;
        for (int64_t d = 0; d < headSize; ++d) {
          double product = q.value({m, d}) * k.value({n, d});
          sum += product;
          magnitude += std::fabs(product);
        }
        score[n] = scale * sum;
        scoreError = std::max(scoreError, (headSize + 1) * 0x1p-24 * scale * magnitude);
        largest = std::max(largest, score[n]);
        if (n < keyTile)
          largestOfFirstTile = std::max(largestOfFirstTile, score[n]);
      }
      moved += largest > largestOfFirstTile;
      double sum = 0;
      for (double &s : score)
        sum += s = std::exp2(s - largest);
      double relative = 0x1p-18 + (exact ? 0 : 0x1p-8 + 4 * std::log(2.0) * scoreError);
      for (int64_t d = 0; d < headSize; ++d) {
        double expected = 0, magnitude = 0;
        for (int64_t n = 0; n < keys; ++n) {
          expected += score[n] * v.value({n, d}) / sum;
          magnitude += score[n] * std::fabs(v.value({n, d})) / sum;
        }
        ASSERT_LE(std::fabs(o.value({m, d}) - expected), relative * magnitude)
            << "query " << m << ", coordinate " << d << ": " << o.value({m, d}) << " instead of " << expected;
      }
    }
    // Otherwise nothing was rescaled, and the test would not see it.
    EXPECT_TRUE(keys <= 2 * keyTile || moved > queries / 4);
  }

  HostTensor q, k, v, o;
};

const AttentionCase attentionCases[] = {
    {"gfx942", Format::BF16, "[32, 32, 8]", "[32, 32, 8]", "[4, 1, 1]", "registers", 128},
    {"gfx942", Format::F8E4M3FNUZ, "[32, 32, 16]", "[32, 32, 8]", "[4, 1, 1]", "registers", 96},
    {"gfx950", Format::BF16, "[32, 32, 16]", "[32, 32, 16]", "[4, 1, 1]", "direct", 64},
    {"gfx950", Format::F8E4M3FN, "[32, 32, 64]", "[32, 32, 16]", "[4, 1, 1]", "direct", 40},
    // The products' results in different layouts: the factors of the rescaling move between lanes.
    {"gfx950", Format::F8E5M2, "[16, 16, 32]", "[32, 32, 8]", "[4, 1, 1]", "registers", 128},
    // Two waves share a row, whose maximum and sum need scores of both.
    {"gfx950", Format::BF16, "[16, 16, 16]", "[16, 16, 16]", "[2, 2, 1]", "direct", 256},
};

TEST_F(Attention, RandomData) {
  for (const AttentionCase &c : attentionCases) {
    SCOPED_TRACE(std::string(c.chip) + " " + name(c.format).str() + " " + c.scores);
    ASSERT_NO_FATAL_FAILURE(compileCase(c));
    for (auto [queries, keys] :
         {std::pair(150, 209), std::pair(1, 1), std::pair(128, 64), std::pair(77, 129)}) {
      SCOPED_TRACE(std::to_string(queries) + " queries, " + std::to_string(keys) + " keys");
      makeData(c.format, queries, keys);
      fillRandom(q.layout(), q.data(), 1);
      fillRandom(k.layout(), k.data(), 2);
      fillRandom(v.layout(), v.data(), 3);
      sim::Counters counters = runAttention(0.07f);
      ASSERT_NO_FATAL_FAILURE(compare(0.07f, /*exact=*/false));
      uint64_t groups = (queries + queryTile - 1) / queryTile, steps = (keys + keyTile - 1) / keyTile;
      EXPECT_EQ(counters.mfma, groups * steps * c.mfmasPerStep);
      EXPECT_EQ(counters.ldsDma > 0, StringRef(c.staging) == "direct");
    }
  }
}

/// Scores are integers, so weights are powers of two, exact in bf16: a key lost, doubled or taken from the
/// wrong place shows however many there are.
TEST_F(Attention, IntegersAreExact) {
  for (const AttentionCase &c : attentionCases) {
    SCOPED_TRACE(std::string(c.chip) + " " + name(c.format).str() + " " + c.scores);
    ASSERT_NO_FATAL_FAILURE(compileCase(c));
    makeData(c.format, 131, 333);
    fillIntegers(q.layout(), q.data(), 4, 1);
    fillIntegers(k.layout(), k.data(), 5, 1, /*density=*/1.0 / 16);
    fillIntegers(v.layout(), v.data(), 6, 7);
    for (sim::WaveOrder order :
         {sim::WaveOrder::Interleaved, sim::WaveOrder::Serial, sim::WaveOrder::Shuffled}) {
      std::fill(o.bytes.begin(), o.bytes.end(), 0xff);
      runAttention(1, order);
      ASSERT_NO_FATAL_FAILURE(compare(1, /*exact=*/true));
    }
  }
}

TEST_F(Attention, LengthsThatDiffer) {
  ASSERT_NO_FATAL_FAILURE(compileCase(attentionCases[0]));
  makeData(Format::BF16, 3, 5);
  v = makeTensor("v", Format::BF16, {4, headSize});
  LaunchArguments arguments;
  arguments.inputs = {&q, &k, &v};
  arguments.results = {&o};
  arguments.scalars["scale"] = {1, 0};
  llvm::Expected<LaunchOutcome> outcome = launcher->run("attention", arguments);
  ASSERT_FALSE(bool(outcome));
  EXPECT_NE(llvm::toString(outcome.takeError()).find("dimension 0 of v must equal dimension 0 of k"),
            std::string::npos);
}

//===-- Router
//-------------------------------------------------------------------------------------------------------===//

class Router : public HandWritten {};

TEST_F(Router, ProbabilitiesAndLoads) {
  constexpr int64_t block = 32;
  for (const char *chip : {"gfx942", "gfx950"}) {
    ASSERT_NO_FATAL_FAILURE(compileText(read("router.mlir"), chip));
    for (auto [tokens, experts] :
         {std::pair(37, 301), std::pair(1, 1), std::pair(32, 128), std::pair(65, 127), std::pair(3, 513)}) {
      SCOPED_TRACE(std::string(chip) + ", " + std::to_string(tokens) + " tokens, " + std::to_string(experts) +
                   " experts");
      HostTensor x = makeTensor("x", Format::F16, {tokens, experts}),
                 y = makeTensor("y", Format::BF16, {experts, tokens});
      HostTensor load = makeTensor("load", Format::F32, {(tokens + block - 1) / block, experts});
      fillRandom(x.layout(), x.data(), 7);
      LaunchArguments arguments;
      arguments.inputs = {&x};
      arguments.results = {&y, &load};
      run(arguments, sim::WaveOrder::Shuffled);
      std::vector<double> loads(load.elements());
      // f32 all the way (f16 logits, differences of at most 8, are exact), then bf16: half a unit is 2^-8.
      constexpr double f32Error = 0x1p-20, bf16Error = 0x1p-8;
      for (int64_t m = 0; m < tokens; ++m) {
        double sum = 0;
        for (int64_t n = 0; n < experts; ++n)
          sum += std::exp2(x.value({m, n}));
        for (int64_t n = 0; n < experts; ++n) {
          double expected = std::exp2(x.value({m, n})) / sum;
          ASSERT_NEAR(y.value({n, m}), expected, (bf16Error + f32Error) * expected)
              << "token " << m << ", expert " << n;
          loads[m / block * experts + n] += expected;
        }
      }
      for (int64_t b = 0; b < load.shape[0]; ++b)
        for (int64_t n = 0; n < experts; ++n)
          ASSERT_NEAR(load.value({b, n}), loads[b * experts + n], f32Error * loads[b * experts + n])
              << "block " << b << ", expert " << n;
    }
  }
}

} // namespace
