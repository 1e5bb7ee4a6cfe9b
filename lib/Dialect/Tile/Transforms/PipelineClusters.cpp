// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule by clusters: a modulo schedule whose unit of time is one product. A trip of C products has C
// clusters, each ended by a barrier. Times count clusters from the iteration's first product, so a negative
// time is in a trip before; stage and cluster of an operation are its time divided by C.
//
//   product p                             at p
//   other computation                     with the product before it, in program order
//   read of a rotating ring               one cluster before its first use, or two where that one has a read
//                                         already: of two reads that are needed together the smaller goes
//                                         first
//   refill of a ring slot                 three clusters after the slot's last read: the barrier between them
//                                         has a cluster of products or more to hide its wait for that read
//                                         even if every second barrier is dropped; two where a ring is read
//                                         again within fewer than eight clusters; later where another refill
//                                         is there already
//   load that a refill brings to LDS      one trip before it, into the registers that the refill frees
//   load used by computation              one trip before its use
//
// So a slot is refilled as soon as every wave has read it, and its data have nearly all the time until the
// next read to arrive.
//
// In order `pingpong` a cluster's accesses stand in front of its product, and a barrier in between: what a
// product reads is read in its own cluster, the smaller of two reads one cluster before, and a slot is
// refilled one cluster after its last read, two barriers behind it.
#include "PipelineScheduler.h"

using namespace mlir;

namespace lowp::tile {

SmallVector<Operation *> Scheduler::ringReads(AllocOp ring) const {
  SmallVector<Operation *> reads;
  for (Operation *op : nodes)
    if (auto read = dyn_cast<LocalLoadOp>(op); read && read.getBuffer() == ring.getResult())
      reads.push_back(op);
  return reads;
}

Operation *Scheduler::ringWriter(AllocOp ring) const {
  for (Operation *user : ring->getUsers())
    if (!isa<LocalLoadOp>(user))
      return user;
  return nullptr;
}

/// When `op` is first used by what has a time already; nothing when it is not.
static std::optional<int> firstUse(Operation *op, Block &body, const DenseMap<Operation *, int> &time) {
  std::optional<int> first;
  for (Operation *user : op->getUsers()) {
    auto known = time.find(body.findAncestorOpInBlock(*user));
    if (known != time.end())
      first = std::min(first.value_or(known->second), known->second);
  }
  return first;
}

void Scheduler::timeComputation() {
  int product = -1;
  for (Operation *op : nodes) {
    bool bringsToRing = isa<ConvertLayoutOp>(op) && feedsOnlyRings(op);
    if (isRotating(op) || isa<LoadOp>(op) || bringsToRing)
      continue;
    product += isa<MmaOp>(op);
    time[op] = std::max(product, 0);
  }
}

void Scheduler::timeReads() {
  struct Read {
    Operation *op;
    int need;
    int64_t bits;
  };
  SmallVector<Read> reads;
  for (Operation *op : nodes)
    if (isa<LocalLoadOp>(op) && isRotating(op)) {
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      reads.push_back(
          {op, firstUse(op, body, time).value_or(0), type.getNumElements() * type.getElementTypeBitWidth()});
    }
  llvm::stable_sort(reads, [](const Read &a, const Read &b) {
    return std::make_pair(a.need, a.bits) > std::make_pair(b.need, b.bits);
  });
  llvm::SmallDenseSet<unsigned> busy;
  for (const Read &read : reads) {
    int at = read.need - (request.order == Order::PingPong ? 0 : 1);
    if (busy.contains(clusterAt(at)) && !busy.contains(clusterAt(at - 1)))
      --at;
    busy.insert(clusterAt(at));
    time[read.op] = at;
  }
}

LogicalResult Scheduler::timeRefills() {
  struct Refill {
    Operation *writer;
    int earliest, latest;
  };
  SmallVector<Refill> refills;
  for (AllocOp ring : result.rotating) {
    Operation *writer = ringWriter(ring);
    int first = INT_MAX, last = INT_MIN;
    for (Operation *read : ringReads(ring)) {
      first = std::min(first, time.lookup(read));
      last = std::max(last, time.lookup(read));
    }
    if (first > last)
      return fail("nothing reads what it brings to LDS", writer);
    int again = request.slots * clusters; // clusters from one read of a slot to the next
    int distance = request.order == Order::PingPong ? 1 : again >= 8 ? 3 : 2;
    Refill refill{writer, last + distance - again, first - 1};
    if (refill.earliest > refill.latest)
      return fail("its products are too few for the slots of LDS: a slot would be read and refilled at once",
                  writer);
    refills.push_back(refill);
  }
  llvm::stable_sort(refills, [](const Refill &a, const Refill &b) { return a.earliest < b.earliest; });
  SmallVector<unsigned> load(clusters, 0);
  for (const Refill &refill : refills) {
    int at = refill.earliest;
    for (int other = at; other <= std::min(refill.latest, at + clusters / 2); ++other)
      if (load[clusterAt(other)] < load[clusterAt(at)])
        at = other;
    ++load[clusterAt(at)];
    time[refill.writer] = at;
    auto store = dyn_cast<LocalStoreOp>(refill.writer);
    for (Operation *def = store ? store.getValue().getDefiningOp() : nullptr; def && index.contains(def);) {
      time[def] = isa<LoadOp>(def) ? at - clusters : at;
      auto conversion = dyn_cast<ConvertLayoutOp>(def);
      def = conversion ? conversion.getSource().getDefiningOp() : nullptr;
    }
  }
  for (Operation *op : nodes)
    if (isa<LoadOp>(op) && !time.contains(op))
      time[op] = firstUse(op, body, time).value_or(0) - clusters;
  return success();
}

LogicalResult Scheduler::solveByClusters() {
  clusters = llvm::count_if(nodes, llvm::IsaPred<MmaOp>);
  if (clusters == 0)
    return fail("it has no product, and its order is by products", loop);
  timeComputation();
  timeReads();
  if (failed(timeRefills()))
    return failure();
  int first = 0;
  for (Operation *op : nodes)
    first = std::min(first, time.lookup(op));
  int trips = llvm::divideCeil(-first, clusters);
  stage.clear();
  for (Operation *op : nodes) {
    int s = (time.lookup(op) + trips * clusters) / clusters;
    stage.push_back(s);
    stageOf[op] = s;
  }
  result.lastStage = trips;
  for (const Edge &e : edges)
    if (stage[e.to] < stage[e.from] + e.distance)
      return fail("an operation would run before what it depends on", nodes[e.to]);
  return success();
}

} // namespace lowp::tile
