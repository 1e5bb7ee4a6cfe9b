// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five families.
//
// large to lowest: parts of the tile are multiplied in turn (order `interleave`), two steps of k a trip; they
//   fill LDS, straight to which they go where the chip copies 16 bytes a lane that way. 256 x 256 by 8 waves
//   is the tile with which published kernels reach the matrix cores' rate: each byte from LDS feeds the most
//   products, and the sums fill half of the registers. By 4 waves (large4) less is read from LDS, but one
//   wave has a SIMD to itself. Smaller tiles fill the chip when the result is small; with four steps in LDS
//   they cover the latency that a short step does not. Both operands lie contiguously along K.
// plain_MxN: a step's accesses, then its products. Several workgroups share a compute unit; any operand.
// skinny_MxN: few rows; bound by reading B once: no LDS, waves that split K, several steps in flight in each,
//   as many as a trip has: its tiles take the registers that the trip before leaves.
// split_MxN: the same where the tiles are fewer than the compute units: workgroups split K as well.
// any: one element at a time, no preconditions.
//
// Grid order: the dies (XCDs) have an L2 each, so neighbouring tiles go to the same die; groups of 8 rows of
// tiles were the best published window.

#include "lowp/Dialect/Lowp/Transforms/ScheduleCandidates.h"
#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Lowp/IR/ScheduleRequirements.h"

#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace mlir;
using namespace lowp;

/// Bytes that a lane moves at once in all schedules but `any`.
static constexpr int64_t wideAccess = 16;

namespace {
/// A tile in parts multiplied in turn, whose steps are `depth` bytes long, or as long as LDS holds two of.
struct InterleavedTile {
  StringLiteral name;
  int64_t m, n, depth, stages;
  int64_t waves[2], parts[2];
  /// K is a multiple of a trip: where the sums fill half of the registers there is no room to mask a tail,
  /// nor are there scalar registers for the many copies of two waves.
  bool wholeK;
};
constexpr InterleavedTile interleaved[] = {
    {"large", 256, 256, 128, 2, {2, 4}, {2, 2}, true},
    {"large4", 256, 256, 128, 2, {2, 2}, {2, 2}, true},
    {"tall", 256, 128, 128, 2, {2, 2}, {2, 2}, false},
    {"tall_64", 256, 128, 64, 2, {2, 2}, {2, 2}, false},
    {"wide", 128, 256, 128, 2, {2, 2}, {2, 2}, false},
    {"wide_64", 128, 256, 64, 2, {2, 2}, {2, 2}, false},
    {"square", 128, 128, 128, 2, {2, 2}, {2, 2}, false},
    {"square_64", 128, 128, 64, 2, {2, 2}, {2, 2}, false},
    {"square_deep", 128, 128, 128, 4, {2, 2}, {2, 2}, false},
    {"small", 64, 128, 128, 4, {2, 2}, {2, 2}, false},
    {"tiny", 64, 64, 128, 4, {2, 2}, {2, 2}, false},
    {"low", 32, 128, 128, 4, {1, 4}, {1, 2}, false},
    {"lowest", 32, 64, 128, 4, {1, 2}, {2, 2}, true},
};

/// A tile whose step is loaded, then multiplied; `instruction` is the instruction's rows and columns.
struct PlainTile {
  StringLiteral name;
  int64_t m, n, depth;
  int64_t waves[2];
  unsigned instruction;
  bool wholeK;
};
constexpr PlainTile plain[] = {
    {"plain_256x256", 256, 256, 64, {2, 4}, 16, true},
    {"plain32_256x256", 256, 256, 64, {2, 4}, 32, true},
    {"plain_128x128", 128, 128, 64, {2, 2}, 16, false},
    {"plain_64x128", 64, 128, 64, {2, 2}, 16, false},
    {"plain_64x128_128", 64, 128, 128, {2, 2}, 16, false},
    {"plain_64x64", 64, 64, 64, {2, 2}, 16, false},
    {"plain_64x64_128", 64, 64, 128, {2, 2}, 16, false},
    {"plain_32x128", 32, 128, 128, {1, 4}, 16, false},
    {"plain_32x64", 32, 64, 128, {1, 4}, 16, false},
    {"plain_16x128", 16, 128, 128, {1, 4}, 16, false},
    {"plain_16x64", 16, 64, 128, {1, 4}, 16, false},
};

/// A tile whose operands go straight into registers: `waves` split K, each has `stages` steps of 64 bytes.
struct SkinnyTile {
  StringLiteral name;
  int64_t m, n, waves, stages;
  bool split = false; ///< over workgroups, too
};
constexpr SkinnyTile skinny[] = {
    {"skinny_16x32", 16, 32, 4, 4},      {"skinny_16x16", 16, 16, 4, 4},
    {"skinny_16x16_8", 16, 16, 8, 4},    {"skinny_16x64", 16, 64, 4, 4},
    {"skinny_32x32", 32, 32, 4, 4},      {"skinny_64x32", 64, 32, 4, 2},
    {"split_16x32", 16, 32, 4, 4, true}, {"split_16x64", 16, 64, 4, 4, true},
    {"split_32x32", 32, 32, 4, 4, true}, {"split_64x32", 64, 32, 4, 2, true},
};

class Maker {
public:
  Maker(MatmulOp op, const Target &target)
      : op(op), target(target), a(*formatOf(op.getAType().getElementType())),
        b(*formatOf(op.getBType().getElementType())) {
    depthContiguous = op.isAContiguousInDepth() && op.isBContiguousInDepth();
    direct = depthContiguous && (target.directToLdsBytes() & (1u << wideAccess));
    bits = std::max(op.getAType().getElementTypeBitWidth(), op.getBType().getElementTypeBitWidth());
  }

  SmallVector<ScheduleAttr> all() {
    if (depthContiguous)
      for (const InterleavedTile &tile : interleaved)
        add(tile);
    for (const PlainTile &tile : plain)
      add(tile);
    if (depthContiguous)
      for (const SkinnyTile &tile : skinny)
        add(tile);
    return std::move(list);
  }

  ScheduleAttr any() {
    Fields fields{"any", {64, 64, inBytes(64)}, {2, 2, 1}, 16};
    fields.stages = 2;
    fields.staging = Staging::Registers;
    fields.access = fields.resultAccess = 0;
    fields.grouped = false;
    return make(fields);
  }

private:
  /// What differs between the families.
  struct Fields {
    StringRef name;
    int64_t tile[3], waves[3];
    unsigned instruction;
    int64_t parts[2] = {1, 1}, steps = 1, stages = 1, splits = 1;
    Order order = Order::Plain;
    Staging staging = Staging::None;
    int64_t access = wideAccess, resultAccess = 0;
    bool wholeK = false;
    bool grouped = true;
  };

  void add(const InterleavedTile &tile) {
    // What goes through registers is on its way there, and needs no more of LDS than two steps.
    int64_t stages = direct ? tile.stages : 2;
    int64_t held = target.ldsBytes() / (2 * (tile.m + tile.n));
    int64_t depth = inBytes(std::min(tile.depth, held));
    // Where the sums fill all of the registers' second half, the back end packs chains of two products at
    // most without copies: one instruction's K a step.
    if (tile.m * tile.n / (64 * tile.waves[0] * tile.waves[1]) >= 256) {
      const MfmaInstruction *mfma = target.mfmaFor(a, b, 16, 16);
      depth = mfma ? mfma->k : 1;
      if (depth < inBytes(64)) // rows so short meet bank conflicts
        return;
    }
    Fields fields{tile.name, {tile.m, tile.n, depth}, {tile.waves[0], tile.waves[1], 1}, 16};
    std::copy_n(tile.parts, 2, fields.parts);
    fields.steps = 2;
    fields.stages = stages;
    fields.order = Order::Interleave;
    addStaged(fields, tile.wholeK);
  }

  void add(const PlainTile &tile) {
    Fields fields{tile.name,
                  {tile.m, tile.n, inBytes(tile.depth)},
                  {tile.waves[0], tile.waves[1], 1},
                  tile.instruction};
    fields.stages = direct ? 3 : 2;
    addStaged(fields, tile.wholeK);
  }

  void addStaged(Fields fields, bool wholeK) {
    fields.staging = direct ? Staging::Direct : Staging::Registers;
    fields.wholeK = wholeK;
    add(fields);
  }

  void add(const SkinnyTile &tile) {
    // Four groups of lanes along K, each with 16 bytes of a row.
    Fields fields{tile.name, {tile.m, tile.n, inBytes(4 * wideAccess)}, {1, 1, tile.waves}, 16};
    fields.stages = tile.stages;
    ScheduleAttr oneStep = make(fields);
    if (!oneStep)
      return;
    auto known = [](int64_t size) { return ShapedType::isDynamic(size) ? usualSize : size; };
    int64_t share = llvm::divideCeil(known(op.getDepth()), oneStep.stepDepth());
    if (tile.split) {
      // As many splits as give each compute unit a workgroup, of whole trips each where they are long.
      int64_t steps = share, tiles = llvm::divideCeil(known(op.getColumns()), tile.n);
      share = std::max<int64_t>(1, steps / std::max<int64_t>(1, target.computeUnits() / tiles));
      if (share > tile.stages)
        share -= share % tile.stages;
      fields.splits = std::min<int64_t>(llvm::divideCeil(steps, share), 64);
      if (fields.splits == 1)
        return;
    }
    // A trip of the steps under way, or of those that there are.
    bool few = !ShapedType::isDynamic(op.getDepth()) && share < tile.stages;
    fields.steps = few ? llvm::bit_floor(uint64_t(share)) : tile.stages;
    if (few && tile.split && share % fields.steps != 0)
      fields.steps = 1;
    add(fields);
  }

  /// Two tiles whose steps the instruction makes equally long are one schedule.
  void add(Fields fields) {
    fields.resultAccess = resultReach(fields);
    ScheduleAttr schedule = make(fields);
    // Sizes that are known may rule wide accesses out: narrower ones are still better than no such variant.
    int64_t element = op.getResultType().getElementTypeBitWidth() / 8;
    while (schedule && fields.resultAccess > element && canNeverHold(scheduleRequirements(op, schedule))) {
      fields.resultAccess /= 2;
      schedule = make(fields);
    }
    if (!schedule)
      return;
    Fields anonymous = fields;
    anonymous.name = "any";
    ScheduleAttr key = make(anonymous);
    if (llvm::is_contained(keys, key))
      return;
    keys.push_back(key);
    list.push_back(schedule);
  }

  /// Bytes of a row of the result that a lane can have at once. The sums give it four neighbours; through LDS
  /// it gets what is its share, where a part of the tile fits there, and into registers together with what an
  /// epilogue loads for it.
  int64_t resultReach(const Fields &f) {
    constexpr int64_t mostSums = 64;
    int64_t element = op.getResultType().getElementTypeBitWidth() / 8;
    int64_t part = f.tile[0] * f.tile[1] / (f.parts[0] * f.parts[1]);
    int64_t share = part / (f.waves[0] * f.waves[1] * f.waves[2] * target.waveSize());
    if (f.waves[2] == 1 && (part * element > target.ldsBytes() || share > mostSums))
      share = std::min<int64_t>(share, 4);
    return std::min(wideAccess, std::max<int64_t>(1, share) * element);
  }

  /// Elements of the wider operand in so many bytes.
  int64_t inBytes(int64_t bytes) { return llvm::bit_floor(uint64_t(bytes * 8 / bits)); }

  ScheduleAttr make(const Fields &f) {
    const MfmaInstruction *mfma = target.mfmaFor(a, b, f.instruction, f.instruction);
    if (!mfma)
      return {};
    int64_t tile[] = {f.tile[0], f.tile[1], std::max<int64_t>(f.tile[2], mfma->k)};
    return ScheduleAttr::get(op.getContext(), f.name, tile, f.waves, {mfma->m, mfma->n, mfma->k}, f.parts,
                             f.steps, f.order, f.stages, f.staging, f.access, f.resultAccess, f.wholeK,
                             /*minRows=*/1, /*maxRows=*/0, f.grouped ? target.xcds() : 1, f.grouped ? 8 : 1,
                             f.splits);
  }

  MatmulOp op;
  const Target &target;
  Format a, b;
  bool depthContiguous, direct;
  int64_t bits;
  SmallVector<ScheduleAttr> list, keys;
};
} // namespace

SmallVector<ScheduleAttr> lowp::scheduleCandidates(MatmulOp op, const Target &target) {
  return Maker(op, target).all();
}

ScheduleAttr lowp::scheduleForAnything(MatmulOp op, const Target &target) { return Maker(op, target).any(); }
