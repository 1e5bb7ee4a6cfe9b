// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-pipeline changes no result: random loop bodies (loads, three kinds of rings, carried values, stores,
// values used far from where they are made) run before and after it, for every trip count around the depth of
// the pipeline. What tile-synchronize then writes, tile-verify-synchronization has to prove; with any one
// barrier taken away, or any one count raised, it must not.

#include "TileInterpreter.h"
#include "lowp/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace lowp;
using namespace lowp::tile;

namespace {

constexpr int64_t kStep = 16;

/// The text of a kernel with one loop from %from to %to.
std::string randomKernel(std::mt19937 &random) {
  auto below = [&](unsigned n) { return unsigned(random() % n); };
  std::string body, rings;
  unsigned numCarried = 1 + below(3), names = 0, numRings = 0;
  std::vector<std::string> values;
  for (unsigned i = 0; i < numCarried; ++i)
    values.push_back("%carried" + std::to_string(i));
  auto line = [&](const std::string &text) { body += "    " + text + "\n"; };
  auto name = [&] { return "%v" + std::to_string(names++); };
  auto any = [&] { return values[below(values.size())]; };
  auto load = [&] {
    std::string offset = name(), tile = name();
    line(offset + " = arith.muli %i, %c" + (below(2) ? "2" : "3") + " : index");
    line(tile + " = tile.load " + (below(2) ? "%A" : "%B") + "[%c0, " + offset + "] : !view -> !tile");
    return tile;
  };
  auto ring = [&] {
    std::string ring = "%r" + std::to_string(numRings++);
    rings += "  " + ring + " = tile.alloc : !ring\n";
    return ring;
  };
  auto read = [&](const std::string &ring) {
    std::string tile = name();
    line(tile + " = tile.local_load " + ring + "[%c0] : !ring -> !tile");
    values.push_back(tile);
  };
  auto add = [&] {
    std::string sum = name();
    line(sum + " = arith.addf " + any() + ", " + any() + " : !tile");
    values.push_back(sum);
    return sum;
  };
  for (unsigned n = 3 + below(8); n-- > 0;) {
    switch (below(7)) {
    case 0:
      values.push_back(load());
      break;
    case 1: { // by copies, perhaps read twice
      std::string r = ring();
      line("tile.async_copy %A[%i, %c0], " + r + "[%c0] : !view, !ring");
      read(r);
      if (below(2))
        read(r);
      break;
    }
    case 2: { // by registers
      std::string r = ring();
      line("tile.local_store " + load() + ", " + r + "[%c0] : !tile, !ring");
      read(r);
      break;
    }
    case 3: { // by what the loop computes
      std::string r = ring();
      line("tile.local_store " + add() + ", " + r + "[%c0] : !tile, !ring");
      read(r);
      break;
    }
    case 4:
      line("tile.store " + any() + ", %D[%c0, %i] : !tile, !view");
      break;
    default:
      add();
    }
  }
  std::string arguments, types, yields, results;
  for (unsigned i = 0; i < numCarried; ++i) {
    std::string separator = i ? ", " : "";
    arguments += separator + "%carried" + std::to_string(i) + " = " + (i % 2 ? "%one" : "%zero");
    types += separator + "!tile";
    yields += separator + add();
    results += "  tile.store %result#" + std::to_string(i) + ", %D[%c0, %c" + std::to_string(i) +
               "] : !tile, !view\n";
  }
  std::string marks =
      "tile.stages = " + std::to_string(2 + below(3)) + " : i32" + (below(2) ? ", tile.read_ahead" : "");
  return R"(
#k = #tile.linear<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], shape = [16, 16]>
!ring = !tile.local<16x16xf32, stages = 1, #k>
!view = !tile.view<?x?xf32, vector = 4>
!tile = tensor<16x16xf32>
tile.kernel @random(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n0: i64, %n1: i64, %ld: i64) waves(4) {
  %from = arith.index_cast %n0 : i64 to index
  %to = arith.index_cast %n1 : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : !tile
  %one = arith.constant dense<1.0> : !tile
  %A = tile.view %a sizes(%to, %to) strides(%ld) : !view
  %B = tile.view %b sizes(%to, %to) strides(%ld) : !view
  %D = tile.view %d sizes(%to, %to) strides(%ld) : !view
)" + rings +
         "  %result:" + std::to_string(numCarried) + " = scf.for %i = %from to %to step %c16 iter_args(" +
         arguments + ") -> (" + types + ") {\n" + body + "    scf.yield " + yields + " : " + types +
         "\n  } {" + marks + "}\n" + results + "  tile.return\n}\n";
}

class PipelineTest : public ::testing::Test {
protected:
  PipelineTest() {
    context.loadDialect<TileDialect, arith::ArithDialect, scf::SCFDialect, LLVM::LLVMDialect>();
    context.disableMultithreading();
  }
  OwningOpRef<ModuleOp> parse(const std::string &text) { return parseSourceString<ModuleOp>(text, &context); }
  static KernelOp kernelOf(ModuleOp module) { return *module.getOps<KernelOp>().begin(); }
  LogicalResult run(ModuleOp module, std::initializer_list<std::unique_ptr<Pass> (*)()> passes) {
    PassManager manager(&context);
    for (auto create : passes)
      manager.addNestedPass<KernelOp>(create());
    return manager.run(module);
  }
  static std::unique_ptr<Pass> allocate() { return createTileAllocateLds({/*target=*/"gfx950"}); }

  MLIRContext context;
};

TEST_F(PipelineTest, RandomLoopsKeepTheirResults) {
  std::mt19937 random(20260);
  unsigned pipelined = 0, superfluous = 0, changes = 0;
  ScopedDiagnosticHandler quiet(&context, [&](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
  });
  constexpr unsigned kernels = 200;
  for (unsigned seed = 0; seed < kernels; ++seed) {
    std::string text = randomKernel(random);
    SCOPED_TRACE(text);
    OwningOpRef<ModuleOp> source = parse(text);
    ASSERT_TRUE(source);
    OwningOpRef<ModuleOp> result = parse(text);
    ASSERT_TRUE(succeeded(run(*result, {createTilePipeline})));
    scf::ForOp sourceLoop = *kernelOf(*source).getBody().getOps<scf::ForOp>().begin();
    bool rotated = false;
    result->walk([&](scf::ForOp loop) { rotated |= loop.getNumResults() != sourceLoop.getNumResults(); });
    result->walk([&](AllocOp ring) { rotated |= cast<LocalType>(ring.getType()).getStages() > 1; });
    pipelined += rotated;
    for (int64_t from : {int64_t(0), int64_t(3)})
      for (int64_t trips = 1; trips <= 8; ++trips) {
        std::vector<std::string> before = storesOf(kernelOf(*source), {from, from + trips * kStep - 5});
        std::vector<std::string> after = storesOf(kernelOf(*result), {from, from + trips * kStep - 5});
        ASSERT_EQ(before, after) << trips << " trips";
        ASSERT_FALSE(before.empty());
        ASSERT_NE(before.front().substr(0, 6), "cannot");
      }
    ASSERT_TRUE(succeeded(run(*result, {allocate, createTileSynchronize, createTileVerifySynchronization})));
    // Nothing that was written can be left out, no count can be higher.
    unsigned written = 0;
    result->walk([&](Operation *op) { written += isa<WaitOp, BarrierOp>(op); });
    for (unsigned at = 0; at < written; ++at) {
      OwningOpRef<ModuleOp> broken = result->clone();
      SmallVector<Operation *> ops;
      broken->walk([&](Operation *op) {
        if (isa<WaitOp, BarrierOp>(op))
          ops.push_back(op);
      });
      if (auto wait = dyn_cast<WaitOp>(ops[at]))
        wait.setCopies(wait.getCopies() + 1);
      else
        ops[at]->erase();
      ScopedDiagnosticHandler silent(&context, [](Diagnostic &) { return success(); });
      bool noticed = failed(run(*broken, {createTileVerifySynchronization}));
      superfluous += !noticed;
      ++changes;
    }
  }
  EXPECT_GT(pipelined, kernels / 2);
  EXPECT_GT(changes, kernels);
  EXPECT_EQ(superfluous, 0u);
}

} // namespace
