// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who holds which element of a product's tiles. An operand is seen as (row, k): the rows are A's m or B's n,
// and both operands read alike. Lane bits below log2(rows of the instruction) are the row; the bits above,
// the lane group, select runs of k. Tables of the hardware: AMD matrix instruction calculator, "Matrix Core
// Programming on CDNA3 and CDNA4".
//
// The k permutation. Along k a tile takes several instructions. The instruction is the same sum whichever k
// of the tile its slots stand for, as long as A and B agree. So, when one instruction's run is shorter than a
// wide access, the bits that number the instructions move below the bits that number the lane groups: a lane
// then holds one long run, whose parts go to consecutive instructions.

#include "lowp/Layout/TileLayouts.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace lowp;
using llvm::Log2_32;

namespace {

constexpr unsigned laneBits = 6;

/// Collects basis vectors that are one coordinate bit, or none, each.
class Builder {
public:
  explicit Builder(std::vector<int32_t> outSizes) : sizes(std::move(outSizes)) {}
  void add(std::vector<std::vector<int32_t>> &input, unsigned dim, unsigned bit) const {
    input.emplace_back(sizes.size(), 0);
    input.back()[dim] = int32_t(1) << bit;
  }
  void addCopies(std::vector<std::vector<int32_t>> &input, unsigned bits) const {
    for (unsigned i = 0; i < bits; ++i)
      input.emplace_back(sizes.size(), 0);
  }
  LinearLayout take() {
    return LinearLayout({{"register", std::move(reg)}, {"lane", std::move(lane)}, {"wave", std::move(wave)}},
                        std::move(sizes));
  }
  std::vector<std::vector<int32_t>> reg, lane, wave;

private:
  std::vector<int32_t> sizes;
};

/// A tile's side that consists of instructions' sides, in turn of waves' blocks. All are logarithms.
struct Side {
  unsigned dim;         ///< of the tensor
  unsigned instruction; ///< what one instruction covers
  unsigned tile;
  unsigned waves;

  unsigned block() const { return tile - waves; }
};

/// Where the k of the instructions stand in the tile. All are logarithms; see the top of the file.
struct KOrder {
  unsigned dim;
  unsigned instruction, tile;
  unsigned at;    ///< the instruction's k bit before which instruction numbers are put
  unsigned moved; ///< how many of their bits

  unsigned instructionBit(unsigned i) const { return i < at ? i : i + moved; }
  unsigned numberBit(unsigned i) const { return i < moved ? at + i : instruction + i; }
};

/// Wave bits as the operand sees them: the n, m and k bits in turn.
struct Waves {
  unsigned n, m, k;
};

} // namespace

/// The registers that number the instructions along one side.
static void addBlocks(Builder &builder, const Side &side) {
  for (unsigned i = side.instruction; i < side.block(); ++i)
    builder.add(builder.reg, side.dim, i);
}

static void addOperand(Builder &builder, const Side &rows, const KOrder &k, unsigned runLength) {
  unsigned run = Log2_32(runLength), groups = laneBits - rows.instruction;
  unsigned elements = k.instruction - groups;
  for (unsigned i = 0; i < elements; ++i)
    builder.add(builder.reg, k.dim, k.instructionBit(i < run ? i : i + groups));
  for (unsigned i = 0; i < k.tile - k.instruction; ++i)
    builder.add(builder.reg, k.dim, k.numberBit(i));
  addBlocks(builder, rows);
  for (unsigned i = 0; i < rows.instruction; ++i)
    builder.add(builder.lane, rows.dim, i);
  for (unsigned i = 0; i < groups; ++i)
    builder.add(builder.lane, k.dim, k.instructionBit(run + i));
}

/// The result: `held` is the side of which a lane holds several, four at a time, `across` the side along the
/// lanes.
static void addResult(Builder &builder, const Side &held, const Side &across) {
  unsigned groups = laneBits - across.instruction;
  constexpr unsigned four = 2;
  for (unsigned i = 0; i < held.instruction - groups; ++i)
    builder.add(builder.reg, held.dim, i < four ? i : i + groups);
  for (unsigned i = 0; i < across.instruction; ++i)
    builder.add(builder.lane, across.dim, i);
  for (unsigned i = 0; i < groups; ++i)
    builder.add(builder.lane, held.dim, four + i);
}

/// The wave bits; a side that the tensor does not have is null.
static void addWaves(Builder &builder, Waves waves, const Side *n, const Side *m) {
  auto add = [&](unsigned bits, const Side *side) {
    for (unsigned i = 0; side && i < bits; ++i)
      builder.add(builder.wave, side->dim, side->block() + i);
    if (!side)
      builder.addCopies(builder.wave, bits);
  };
  add(waves.n, n);
  add(waves.m, m);
  for (unsigned i = 0; i < waves.k; ++i)
    builder.add(builder.wave, 0, i);
}

static LinearLayout bareOperand(unsigned rows, unsigned k, unsigned run, unsigned rowDim) {
  std::vector<int32_t> sizes(2);
  sizes[rowDim] = rows;
  sizes[1 - rowDim] = k;
  Builder builder(std::move(sizes));
  addOperand(builder, Side{rowDim, Log2_32(rows), Log2_32(rows), 0},
             KOrder{1 - rowDim, Log2_32(k), Log2_32(k), Log2_32(run), 0}, run);
  return builder.take().withoutInput("wave");
}

LinearLayout lowp::mfmaOperandA(const MfmaInstruction &mfma) {
  return bareOperand(mfma.m, mfma.k, mfma.aRun, 0);
}
LinearLayout lowp::mfmaOperandB(const MfmaInstruction &mfma) {
  return bareOperand(mfma.n, mfma.k, mfma.bRun, 1);
}

LinearLayout lowp::mfmaResult(const MfmaInstruction &mfma) {
  Builder builder({int32_t(mfma.m), int32_t(mfma.n)});
  addResult(builder, Side{0, Log2_32(mfma.m), Log2_32(mfma.m), 0},
            Side{1, Log2_32(mfma.n), Log2_32(mfma.n), 0});
  return builder.take().withoutInput("wave");
}

/// The logarithm of the number of consecutive k that make up `bits`.
static unsigned wantedRun(unsigned bits, Format format) {
  return bits == 0 ? 0 : llvm::Log2_32_Ceil(llvm::divideCeil(bits, bitWidth(format)));
}

static llvm::Error checkSide(llvm::StringRef name, unsigned tile, unsigned instruction, unsigned waves) {
  if (!llvm::isPowerOf2_32(tile))
    return llvm::createStringError("tile size " + name + " must be a power of two, but is " +
                                   llvm::Twine(tile));
  if (!llvm::isPowerOf2_32(waves))
    return llvm::createStringError("number of waves along " + name + " must be a power of two, but is " +
                                   llvm::Twine(waves));
  if (tile < instruction * waves)
    return llvm::createStringError("tile size " + name + " must be at least " +
                                   llvm::Twine(instruction * waves) + " (" + llvm::Twine(waves) +
                                   " waves of instructions of " + llvm::Twine(instruction) + "), but is " +
                                   llvm::Twine(tile));
  return llvm::Error::success();
}

llvm::Expected<MmaLayouts> lowp::mmaLayouts(const MfmaInstruction &mfma, unsigned m, unsigned n, unsigned k,
                                            WaveGrid grid, bool transposed, unsigned vectorBits) {
  unsigned mInstruction = transposed ? mfma.n : mfma.m, nInstruction = transposed ? mfma.m : mfma.n;
  if (llvm::Error error = checkSide("m", m, mInstruction, grid.m))
    return error;
  if (llvm::Error error = checkSide("n", n, nInstruction, grid.n))
    return error;
  if (llvm::Error error = checkSide("k", k, mfma.k, 1))
    return error;
  if (!llvm::isPowerOf2_32(grid.k))
    return llvm::createStringError("number of waves along k must be a power of two, but is " +
                                   llvm::Twine(grid.k));

  unsigned lead = grid.k > 1 ? 1 : 0;
  auto sizes = [&](unsigned rows, unsigned columns) {
    std::vector<int32_t> result{int32_t(rows), int32_t(columns)};
    if (lead)
      result.insert(result.begin(), grid.k);
    return result;
  };
  auto side = [&](unsigned dim, unsigned instruction, unsigned tile, unsigned waves) {
    return Side{lead + dim, Log2_32(instruction), Log2_32(tile), Log2_32(waves)};
  };
  Waves waves{Log2_32(grid.n), Log2_32(grid.m), Log2_32(grid.k)};

  unsigned aRun = Log2_32(mfma.aRun), bRun = Log2_32(mfma.bRun);
  auto missing = [&](unsigned run, Format format) {
    return std::max(run, wantedRun(vectorBits, format)) - run;
  };
  KOrder order{lead + 1, Log2_32(mfma.k), Log2_32(k), std::min(aRun, bRun), 0};
  order.moved =
      std::min(std::max(missing(aRun, mfma.a), missing(bRun, mfma.b)), order.tile - order.instruction);

  MmaLayouts layouts;
  {
    Side rows = side(0, mInstruction, m, grid.m);
    Builder builder(sizes(m, k));
    addOperand(builder, rows, order, transposed ? mfma.bRun : mfma.aRun);
    addWaves(builder, waves, nullptr, &rows);
    layouts.a = builder.take();
  }
  {
    Side rows = side(1, nInstruction, n, grid.n);
    order.dim = lead;
    Builder builder(sizes(k, n));
    addOperand(builder, rows, order, transposed ? mfma.aRun : mfma.bRun);
    addWaves(builder, waves, &rows, nullptr);
    layouts.b = builder.take();
  }
  {
    Side mSide = side(0, mInstruction, m, grid.m), nSide = side(1, nInstruction, n, grid.n);
    Builder builder(sizes(m, n));
    addResult(builder, transposed ? nSide : mSide, transposed ? mSide : nSide);
    addBlocks(builder, nSide);
    addBlocks(builder, mSide);
    addWaves(builder, waves, &nSide, &mSide);
    layouts.acc = builder.take();
  }
  layouts.aFragment = mInstruction * mfma.k >> laneBits;
  layouts.bFragment = nInstruction * mfma.k >> laneBits;
  layouts.accFragment = mfma.m * mfma.n >> laneBits;
  return layouts;
}
