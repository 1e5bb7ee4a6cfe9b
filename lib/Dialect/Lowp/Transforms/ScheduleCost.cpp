// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The busiest compute unit works its workgroups off in rounds of as many as fit. A round is a prologue (the
// first tiles come), the steps of K, and an epilogue (the result goes). In a step each unit of the chip has
// its work; with enough waves and stages they overlap, and the slowest unit sets the pace. What cannot
// overlap within one workgroup is its chain: in the plain order reads of LDS, products and barriers follow
// each other, and only other workgroups fill the gaps. Memory behind the L2s is shared by the whole chip and
// set against all rounds together; so is power: a compute unit that waits lets the others run faster. Where
// workgroups split K, their sums go to memory and a second launch brings them back.

#include "lowp/Dialect/Lowp/Transforms/ScheduleCost.h"
#include "lowp/Dialect/Formats.h"
#include "lowp/Dialect/Lowp/Transforms/ScheduleLegality.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace lowp;

// Of an instruction that is not a matrix one: a SIMD gives a wave one turn in four clocks.
static constexpr double turn = 4;
// Instructions of a step that neither move data nor multiply: the loop, waits, scalar offsets (counted in the
// loops of the large variant, 10 to 15).
static constexpr double otherInstructions = 12;
// A barrier after its last arrival, 8 to 40 clocks (tensilelite's loop estimator takes 8).
static constexpr double barrier = 16;
// From a workgroup's place becoming free to the first load of the next: about 530 clocks measured in
// tingqli/pyhip's stall analysis.
static constexpr double workgroupStart = 500;
// Vector instructions that shift and merge one byte of a register which was loaded in pieces (counted in the
// loops of `any` and of transposed operands: about 2 for one byte, 1 for two).
static constexpr double packPerElement = 2;
// Vector instructions of the epilogue for one element: scale, round, address (counted, 3 to 5).
static constexpr double epiloguePerElement = 4;
// What moving data costs although something else takes longer: turns, queues, power. A guess, which lets the
// schedule that moves less win where several are bound by the same.
static constexpr double trafficShare = 0.1;
static constexpr double lanes = 64;
// Of a sum that waits in memory for those of other workgroups.
static constexpr double partialBytes = 4;

namespace {
class Model {
public:
  Model(MatmulOp op, ScheduleAttr schedule, const ProblemSize &size, const Target &target);
  ScheduleCost run();

private:
  double rowsOf(double tileRows) const { return std::min(size.rows, tileRows); }
  double columnsOf(double tileColumns) const { return std::min(size.columns, tileColumns); }
  double wavesOnSimd(double workgroups) const { return std::ceil(workgroups * waves / target.simdsPerCU()); }
  double resident() const;
  double stepsUnderWay() const;
  StepCost step(double workgroups) const;
  double epilogue(double workgroups) const;
  double round(double workgroups) const;
  double memory(double workgroups) const;
  double reduction() const;

  ScheduleAttr schedule;
  const ProblemSize &size;
  const Target &target;
  MemoryRates rates;
  ScheduleNeeds needs;
  double tileM, tileN, stepK, waves, splits;
  double aBytes, bBytes, resultBytes; ///< of an element
  bool aPieces, bPieces;              ///< whether the operand arrives in pieces of less than a register
  double steps, tilesM, tilesN, grid, busyUnits;
  const MfmaInstruction *mfma;
  double waveProducts; ///< matrix instructions of a wave in a step
};
} // namespace

static double bytesOf(RankedTensorType type) { return type.getElementTypeBitWidth() / 8.0; }

Model::Model(MatmulOp op, ScheduleAttr schedule, const ProblemSize &size, const Target &target)
    : schedule(schedule), size(size), target(target), rates(target.memoryRates()),
      needs(scheduleNeeds(op, schedule)), tileM(schedule.getTile()[0]), tileN(schedule.getTile()[1]),
      stepK(schedule.stepDepth()), waves(schedule.waveCount()), splits(schedule.getSplits()),
      aBytes(bytesOf(op.getAType())), bBytes(bytesOf(op.getBType())),
      resultBytes(splits > 1 ? partialBytes : bytesOf(op.getResultType())) {
  bool narrow = schedule.getAccess() < 4;
  aPieces = narrow || !op.isAContiguousInDepth();
  bPieces = narrow || !op.isBContiguousInDepth();
  steps = std::ceil(size.depth / stepK);
  if (splits > 1)
    steps = std::ceil(std::ceil(size.depth / schedule.tripDepth()) / splits) * schedule.getSteps();
  tilesM = std::ceil(size.rows / tileM);
  tilesN = std::ceil(size.columns / tileN);
  grid = tilesM * tilesN * size.batch * splits;
  busyUnits = std::min<double>(grid, target.computeUnits());
  ArrayRef<int64_t> shape = schedule.getInstruction();
  mfma = target.mfmaFor(*formatOf(op.getAType().getElementType()), *formatOf(op.getBType().getElementType()),
                        shape[0], shape[1], shape[2]);
  waveProducts = tileM / schedule.getWaves()[0] / shape[0] * (tileN / schedule.getWaves()[1] / shape[1]) *
                 schedule.getTile()[2] / shape[2];
}

/// Workgroups that registers, LDS and places for waves leave room for.
double Model::resident() const {
  unsigned simdWaves = 8;
  while (simdWaves > 1 && needs.registers() > target.registersPerWave(simdWaves))
    --simdWaves;
  double byWaves = std::floor(simdWaves * target.simdsPerCU() / waves);
  double byLds = needs.ldsBytes ? std::floor(double(target.ldsBytes()) / needs.ldsBytes) : byWaves;
  return std::max(1.0, std::min(byWaves, byLds));
}

/// Steps of K whose tiles are on their way while one is multiplied.
double Model::stepsUnderWay() const {
  // Through registers one trip's tiles are: LDS takes them up when they have come.
  if (schedule.getStaging() == Staging::Registers)
    return schedule.getSteps();
  return schedule.getStages() - 1;
}

StepCost Model::step(double workgroups) const {
  ArrayRef<int64_t> split = schedule.getWaves();
  bool throughLds = schedule.getStaging() != Staging::None;
  double aTile = tileM * stepK * aBytes, bTile = tileN * stepK * bBytes;
  // Waves along N read the same rows of A, waves along M the same columns of B.
  double read = aTile * split[1] + bTile * split[0];
  double moved = throughLds ? aTile + bTile : read;
  // Rows and columns beyond the result are not fetched.
  double fetched = rowsOf(tileM) * stepK * aBytes + columnsOf(tileN) * stepK * bBytes;
  double perAccess = std::max<double>(schedule.getAccess(), std::min(aBytes, bBytes));

  StepCost cost;
  auto matrix = [&](double count) { return wavesOnSimd(count) * waveProducts * mfma->cycles; };
  double ldsRead = throughLds ? read / target.ldsBytesPerClock(LdsAccess::Read128) : 0;
  double ldsWrite = throughLds ? moved / target.ldsBytesPerClock(LdsAccess::Write128) : 0;
  cost.matrix = matrix(workgroups);
  cost.lds = workgroups * (ldsRead + ldsWrite);
  // 16 bytes a lane take 16 clocks; nothing takes less than 4.
  cost.l1 = workgroups * moved / std::min<double>(rates.l1Bytes, rates.l1Bytes / 4 * perAccess);
  cost.l2 = workgroups * fetched * std::ceil(busyUnits / target.xcds()) / rates.l2Bytes;
  double underWay = stepsUnderWay();
  if (underWay > 0)
    cost.flight = rates.latency * std::max(1 / underWay, workgroups * fetched / rates.bytesInFlight);

  double instructions = moved / waves / lanes / perAccess + otherInstructions;
  if (throughLds)
    instructions += (read + (schedule.getStaging() == Staging::Registers ? moved : 0)) / waves / lanes / 16;
  auto pack = [&](bool pieces, double tile, double element) {
    return pieces ? tile / element / waves / lanes * packPerElement / element : 0;
  };
  instructions += pack(aPieces, aTile, aBytes) + pack(bPieces, bTile, bBytes);
  cost.issue = wavesOnSimd(workgroups) * instructions * turn;

  if (schedule.getOrder() != Order::Plain)
    cost.chain = std::max(matrix(1), ldsRead + ldsWrite) + 2 * barrier;
  else if (throughLds)
    cost.chain = ldsRead + ldsWrite + rates.ldsLatency + matrix(1) + 2 * barrier;
  else
    cost.chain = matrix(1);
  if (underWay == 0)
    cost.chain += rates.latency;
  return cost;
}

/// The sums of waves that share K meet in LDS; then each element is finished and stored.
double Model::epilogue(double workgroups) const {
  double elements = workgroups * tileM * tileN, parts = schedule.getWaves()[2];
  double clocks = elements / (target.simdsPerCU() * lanes) * epiloguePerElement * turn;
  if (parts > 1)
    clocks += elements * 4 * parts *
              (1.0 / target.ldsBytesPerClock(LdsAccess::Write128) +
               1.0 / target.ldsBytesPerClock(LdsAccess::Read128));
  // A store takes 16 clocks whatever its width.
  double access = splits > 1 ? 16 : std::max<double>(schedule.getResultAccess(), resultBytes);
  clocks += workgroups * rowsOf(tileM) * columnsOf(tileN) * resultBytes / (rates.l1Bytes * access / 16);
  return clocks;
}

double Model::round(double workgroups) const {
  return workgroupStart + rates.latency + steps * step(workgroups).longest() + epilogue(workgroups);
}

/// What the dies' L2s fetch in all rounds. Each holds, of the workgroups that run at a time, a window of
/// `group` rows of tiles and as many columns as that makes; nothing is kept from one round to the next.
double Model::memory(double workgroups) const {
  double running = std::min(grid, target.computeUnits() * workgroups);
  double ofDie = std::ceil(running / splits / target.xcds());
  double windowM = std::min<double>(tilesM, schedule.getGroup());
  double windowN = std::min(tilesN, std::ceil(ofDie / windowM));
  double depth = size.depth;
  double ofRound =
      (std::min(size.rows, windowM * tileM) * aBytes + std::min(size.columns, windowN * tileN) * bBytes) *
      depth * std::min<double>(target.xcds(), running);
  double rounds = std::ceil(grid / (target.computeUnits() * workgroups));
  double once = (size.rows * aBytes + size.columns * bBytes) * depth * size.batch;
  double result = size.rows * size.columns * size.batch * resultBytes * splits;
  return (std::max(once, rounds * ofRound) + result) / rates.memoryBytes;
}

/// The second launch: each wave brings the sums of 256 neighbours of a row, all of them at once.
double Model::reduction() const {
  if (splits == 1)
    return 0;
  double waveTiles = size.rows * std::ceil(size.columns / 256) * size.batch;
  double bytes = size.rows * size.columns * size.batch * partialBytes * splits;
  double units = std::min<double>(waveTiles, target.computeUnits());
  return workgroupStart + rates.latency + bytes / (rates.l1Bytes * units);
}

ScheduleCost Model::run() {
  ScheduleCost cost;
  double perUnit = std::ceil(grid / target.computeUnits());
  double together = std::min(resident(), perUnit);
  cost.workgroups = grid;
  cost.resident = resident();
  cost.rounds = std::ceil(perUnit / together);
  cost.steps = steps;
  cost.step = step(together);
  cost.prologue = workgroupStart + rates.latency;
  cost.epilogue = epilogue(together);
  double full = std::floor(perUnit / together), rest = perUnit - full * together;
  cost.compute = full * round(together) + (rest > 0 ? round(rest) : 0);
  cost.compute += reduction();
  cost.memory = memory(together);
  cost.power = grid * steps * waves * waveProducts * mfma->cycles /
               (target.computeUnits() * target.simdsPerCU()) / (target.sustainedClock() / 100.0);
  StepCost alone = step(1);
  cost.traffic = perUnit * steps * (alone.lds + alone.l1 + alone.l2);
  cost.launch = splits > 1 ? 2 * rates.launch : rates.launch;
  return cost;
}

static std::array<std::pair<StringRef, double>, 7> termsOf(const StepCost &step) {
  return {{{"matrix", step.matrix},
           {"LDS", step.lds},
           {"L1", step.l1},
           {"L2", step.l2},
           {"latency", step.flight},
           {"issue", step.issue},
           {"chain", step.chain}}};
}

double StepCost::longest() const {
  double most = 0;
  for (const auto &[name, clocks] : termsOf(*this))
    most = std::max(most, clocks);
  return most;
}

StringRef StepCost::longestName() const {
  auto terms = termsOf(*this);
  return std::max_element(terms.begin(), terms.end(),
                          [](const auto &x, const auto &y) { return x.second < y.second; })
      ->first;
}

double ScheduleCost::clocks() const {
  return launch + std::max({compute, memory, power}) + trafficShare * traffic;
}

StringRef ScheduleCost::bound() const {
  double most = std::max({compute, memory, power});
  if (launch > most)
    return "launch";
  if (most == power)
    return "power";
  if (most == memory)
    return "memory";
  double loops = rounds * steps * step.longest(), ends = rounds * (prologue + epilogue);
  return ends > loops ? "ends" : step.longestName();
}

ScheduleCost lowp::scheduleCost(MatmulOp op, ScheduleAttr schedule, const ProblemSize &size,
                                const Target &target) {
  return Model(op, schedule, size, target).run();
}
