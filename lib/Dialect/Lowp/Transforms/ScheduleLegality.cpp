// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Needs are counted from below: what a kernel of this schedule holds at the same time whatever the order of
// its instructions. The back end may need more, and then says so (spills are errors by default); a schedule
// refused here cannot work.
//
// Registers of a lane, 32 bits each: the sums of its wave's share of the tile; the operands of one step of K
// (of every stage without LDS; of one product and the next in an order other than `plain`); its share of one
// step's tiles on their way to LDS (of a whole trip's in an order other than `plain`: they are written when
// the next trip's are asked for); addresses, loop and epilogue; where K may end within a step, its bounds.
// What arrives from memory is not packed yet: a load of less than four bytes has a register of its own. Waves
// that share a SIMD share its registers. LDS: the ring of both operands' tiles; after the loop, with K split
// over waves, their sums.

#include "lowp/Dialect/Lowp/Transforms/ScheduleLegality.h"

#include "lowp/Dialect/Formats.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace lowp;

/// Addresses, loop counter and a row of the epilogue: what the leanest loops were seen to need.
static constexpr int64_t otherRegisters = 16, plainRegisters = 8;
/// Where the last step of K is not whole: its bounds, and the offsets that they select.
static constexpr int64_t tailRegisters = 4;
static constexpr int64_t registerBytes = 4;
/// Bytes a lane copies by one direct-to-LDS instruction of the widest kind.
static constexpr int64_t directBytes = 16;

static int64_t elementBits(RankedTensorType type) { return type.getElementTypeBitWidth(); }

namespace {
/// Bytes of one step's tiles of the whole workgroup.
struct TileBytes {
  int64_t a, b;
  TileBytes(MatmulOp op, ScheduleAttr schedule)
      : a(schedule.getTile()[0] * schedule.stepDepth() * elementBits(op.getAType()) / 8),
        b(schedule.getTile()[1] * schedule.stepDepth() * elementBits(op.getBType()) / 8) {}
};
} // namespace

/// Registers of a lane that hold `bytes` of an operand while they come from memory.
static int64_t registersInFlight(int64_t bytes, RankedTensorType type, int64_t access, bool contiguous) {
  // Straight into operand registers, neighbours along K share a load only if they are neighbours in memory.
  int64_t element = llvm::divideCeil(elementBits(type), 8);
  int64_t loaded = contiguous ? std::max(access, element) : element;
  return llvm::divideCeil(bytes, loaded) * llvm::divideCeil(loaded, registerBytes);
}

ScheduleNeeds lowp::scheduleNeeds(MatmulOp op, ScheduleAttr schedule) {
  ArrayRef<int64_t> tile = schedule.getTile(), waves = schedule.getWaves();
  constexpr int64_t lanes = 64;
  TileBytes bytes(op, schedule);
  bool inRegisters = schedule.getStaging() == Staging::None;

  ScheduleNeeds needs;
  needs.accumulators = llvm::divideCeil(tile[0] * tile[1], lanes * waves[0] * waves[1]);
  // Waves along N hold the same rows of A, waves along M the same columns of B.
  int64_t laneA = llvm::divideCeil(bytes.a, waves[0] * waves[2] * lanes);
  int64_t laneB = llvm::divideCeil(bytes.b, waves[1] * waves[2] * lanes);
  needs.operands = llvm::divideCeil(laneA + laneB, registerBytes);
  if (schedule.getOrder() != Order::Plain) {
    // A part of each operand, and what is read ahead.
    int64_t partA = laneA / schedule.getParts()[0], partB = laneB / schedule.getParts()[1];
    needs.operands = llvm::divideCeil(2 * (partA + partB), registerBytes);
  }
  if (inRegisters) // the newest stage is not packed yet
    needs.operands =
        (schedule.getStages() - 1) * needs.operands +
        registersInFlight(laneA, op.getAType(), schedule.getAccess(), op.isAContiguousInDepth()) +
        registersInFlight(laneB, op.getBType(), schedule.getAccess(), op.isBContiguousInDepth());
  if (schedule.getStaging() == Staging::Registers)
    for (auto [size, type] : {std::pair{bytes.a, op.getAType()}, {bytes.b, op.getBType()}})
      needs.staging += registersInFlight(llvm::divideCeil(size, lanes * schedule.waveCount()), type,
                                         schedule.getAccess(), /*contiguous=*/true);
  needs.addresses = otherRegisters;
  if (schedule.getOrder() == Order::Plain) {
    needs.addresses += plainRegisters;
  } else {
    needs.staging *= schedule.getSteps();
    // While one matrix instruction has its operands, those of another come from LDS.
    ArrayRef<int64_t> shape = schedule.getInstruction();
    int64_t operandBits =
        shape[2] * (shape[0] * elementBits(op.getAType()) + shape[1] * elementBits(op.getBType()));
    needs.addresses += operandBits / 8 / lanes / registerBytes;
  }
  int64_t depth = op.getDepth();
  if (!schedule.getWholeK() && (ShapedType::isDynamic(depth) || depth % schedule.tripDepth() != 0))
    needs.addresses += tailRegisters;

  // In order `plain` each step of a trip has a ring of its own.
  int64_t rings = schedule.getOrder() == Order::Plain ? schedule.getSteps() : 1;
  int64_t ring = inRegisters ? 0 : (bytes.a + bytes.b) * schedule.getStages() * rings;
  int64_t sums = waves[2] > 1 ? tile[0] * tile[1] * waves[2] * 4 : 0;
  needs.ldsBytes = std::max(ring, sums);
  return needs;
}

namespace {
/// The rule that a schedule breaks: what follows its name in a message. Empty while none is broken.
class Fault {
public:
  template <typename T> Fault &operator<<(const T &part) {
    llvm::raw_string_ostream(text) << part;
    return *this;
  }
  /// Ends a message.
  operator LogicalResult() const { return failure(); }

  std::string text;
};
} // namespace

static LogicalResult checkInstruction(MatmulOp op, ScheduleAttr schedule, const Target &target,
                                      Fault &fault) {
  std::optional<Format> a = formatOf(op.getAType().getElementType()),
                        b = formatOf(op.getBType().getElementType());
  ArrayRef<int64_t> shape = schedule.getInstruction();
  if (a && b && target.mfmaFor(*a, *b, shape[0], shape[1], shape[2]))
    return success();
  fault << "asks for an instruction of " << shape[0] << "x" << shape[1] << "x" << shape[2] << " on '"
        << op.getAType().getElementType() << "' and '" << op.getBType().getElementType() << "', which "
        << target.chip() << " has not; it has";
  SmallVector<std::string> shapes;
  for (const MfmaInstruction &mfma : target.mfmas())
    if (a == mfma.a && b == mfma.b) {
      std::string text =
          llvm::join_items("x", std::to_string(mfma.m), std::to_string(mfma.n), std::to_string(mfma.k));
      if (!llvm::is_contained(shapes, text))
        shapes.push_back(text);
    }
  if (shapes.empty())
    return fault << " none";
  return fault << " " << llvm::join(shapes, ", ");
}

static LogicalResult checkDivision(ScheduleAttr schedule, Fault &fault) {
  static constexpr StringLiteral names[] = {"m", "n", "k"};
  for (unsigned i = 0; i < 3; ++i) {
    // Each wave of a K split takes a whole tile of K.
    int64_t waves = i == 2 ? 1 : schedule.getWaves()[i], parts = i == 2 ? 1 : schedule.getParts()[i];
    int64_t least = waves * parts * schedule.getInstruction()[i], got = schedule.getTile()[i];
    if (got % least != 0)
      return fault << "has a tile of '" << got << "' along " << names[i] << ", which must be a multiple of '"
                   << least << "', the " << (parts > 1 ? "parts times the " : "")
                   << (i == 2 ? "" : "waves times the ") << "instruction's";
  }
  // The slots of LDS that a trip's products read, refill and wait for in turn.
  constexpr int64_t leastProducts = 4;
  int64_t products = schedule.getParts()[0] * schedule.getParts()[1] * schedule.getStages();
  if (schedule.getOrder() != Order::Plain && products < leastProducts)
    return fault << "asks for order '" << stringifyOrder(schedule.getOrder()) << "' of '" << products
                 << "' products (parts times stages), which must be at least '" << leastProducts << "'";
  return success();
}

static LogicalResult checkDirect(MatmulOp op, ScheduleAttr schedule, const Target &target, Fault &fault) {
  if (!(target.directToLdsBytes() & (1u << directBytes)))
    return fault << "asks for staging 'direct', but " << target.chip() << " cannot copy " << directBytes
                 << " bytes a lane straight to LDS; accepted are 'none' and 'registers'";
  if (schedule.getAccess() != directBytes)
    return fault << "asks for staging 'direct', which needs 'access = " << directBytes << "', but got '"
                 << schedule.getAccess() << "'";
  for (auto [name, contiguous] :
       {std::pair<StringRef, bool>{"a", op.isAContiguousInDepth()}, {"b", op.isBContiguousInDepth()}})
    if (!contiguous)
      return fault << "asks for staging 'direct', which cannot transpose, but operand '" << name
                   << "' is not contiguous along K; accepted are 'none' and 'registers'";
  return success();
}

static LogicalResult checkStaging(MatmulOp op, ScheduleAttr schedule, const Target &target, Fault &fault) {
  bool direct = schedule.getStaging() == Staging::Direct;
  if (direct && failed(checkDirect(op, schedule, target, fault)))
    return failure();
  if (!direct && schedule.getOrder() == Order::Plain)
    return success();
  // All lanes of all waves take part in each refill.
  TileBytes bytes(op, schedule);
  int64_t least = schedule.waveCount() * 64 * directBytes;
  for (auto [name, size] : {std::pair<StringRef, int64_t>{"a", bytes.a / schedule.getParts()[0]},
                            {"b", bytes.b / schedule.getParts()[1]}})
    if (size % least != 0)
      return fault << "asks for staging '" << stringifyStaging(schedule.getStaging()) << "' of parts of '"
                   << name << "' of '" << size << "' bytes, which must be a multiple of '" << least
                   << "', what " << schedule.waveCount() << " waves copy at once";
  return success();
}

/// Waves that take turns share a SIMD in pairs.
static LogicalResult checkTurns(ScheduleAttr schedule, const Target &target, Fault &fault) {
  int64_t waves = 2 * target.simdsPerCU();
  if (schedule.getOrder() == Order::PingPong && schedule.waveCount() != waves)
    return fault << "asks for order 'pingpong' with '" << schedule.waveCount() << "' waves, which must be '"
                 << waves << "', two on each SIMD of " << target.chip();
  return success();
}

static LogicalResult checkResources(MatmulOp op, ScheduleAttr schedule, const Target &target, Fault &fault) {
  if (schedule.waveCount() > target.maxWavesPerWorkgroup())
    return fault << "needs '" << schedule.waveCount() << "' waves in a workgroup, but " << target.chip()
                 << " has '" << target.maxWavesPerWorkgroup() << "'";
  ScheduleNeeds needs = scheduleNeeds(op, schedule);
  int64_t wavesPerSimd = llvm::divideCeil(schedule.waveCount(), target.simdsPerCU());
  int64_t registers = target.registersPerWave(wavesPerSimd);
  if (needs.registers() > registers)
    return fault << "needs '" << needs.registers() << "' registers a lane (" << needs.accumulators
                 << " for sums, " << needs.operands << " for operands, " << needs.staging << " for staging, "
                 << needs.addresses << " for the rest), but " << target.chip() << " has '" << registers
                 << "' with " << wavesPerSimd << " waves on a SIMD";
  if (needs.ldsBytes > target.ldsBytes())
    return fault << "needs '" << needs.ldsBytes << "' bytes of LDS, but " << target.chip() << " has '"
                 << target.ldsBytes() << "'";
  return success();
}

std::string lowp::scheduleFault(MatmulOp op, ScheduleAttr schedule, const Target &target) {
  Fault fault;
  // The first that fails has said why.
  (void)(succeeded(checkInstruction(op, schedule, target, fault)) &&
         succeeded(checkDivision(schedule, fault)) && succeeded(checkTurns(schedule, target, fault)) &&
         succeeded(checkStaging(op, schedule, target, fault)) &&
         succeeded(checkResources(op, schedule, target, fault)));
  return fault.text;
}

LogicalResult lowp::checkSchedule(MatmulOp op, ScheduleAttr schedule, const Target &target) {
  std::string fault = scheduleFault(op, schedule, target);
  if (fault.empty())
    return success();
  return op.emitOpError() << "schedule '" << schedule.getName() << "' " << fault;
}
