// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sixteen groups: four transposes times four kinds of operands; what else a group has (type of the result,
// scales, epilogue, batch) is drawn from the seed, so that another seed gives other combinations.
#include "lowp/Driver/RandomProblems.h"

#include "lowp/Numerics/Fill.h"
#include <algorithm>

using namespace lowp;

namespace {

class Draw {
public:
  explicit Draw(uint64_t seed) : seed(seed) {}
  uint64_t word() { return hashWord(seed, index++); }
  int64_t range(int64_t lo, int64_t hi) { return lo + int64_t(word() % uint64_t(hi - lo + 1)); }
  bool chance(unsigned percent) { return word() % 100 < percent; }
  template <typename T, size_t N> T pick(const T (&list)[N]) { return list[word() % N]; }

private:
  uint64_t seed, index = 0;
};

constexpr unsigned groups = 16, staticEvery = 25, largeEvery = 40;

HipblasltProblem operation(Draw draw, unsigned group, const Target &target) {
  HipblasltProblem p;
  p.transA = group & 1;
  p.transB = group & 2;
  bool ocp = target.hasMfmaOperand(Format::F8E4M3FN);
  Format e4m3 = ocp ? Format::F8E4M3FN : Format::F8E4M3FNUZ, e5m2 = ocp ? Format::F8E5M2 : Format::F8E5M2FNUZ;
  switch (group / 4) {
  case 0:
    p.a = p.b = draw.chance(75) ? e4m3 : e5m2;
    break;
  case 1:
    p.a = draw.chance(50) ? e4m3 : e5m2;
    p.b = p.a == e4m3 ? e5m2 : e4m3;
    break;
  case 2:
    p.a = p.b = Format::BF16;
    break;
  default:
    p.a = p.b = Format::F16;
  }
  static constexpr Format results[] = {Format::F32, Format::BF16, Format::F16};
  p.d = draw.pick(results);
  p.scaleA = draw.chance(30);
  p.scaleB = draw.chance(30);
  if (draw.chance(30))
    p.alpha = float(draw.range(-8, 8)) * 0.375f + 0.0625f;
  if (draw.chance(25))
    p.beta = draw.chance(50) ? 1.0f : -0.75f;
  if (draw.chance(30))
    p.bias = p.d;
  if (draw.chance(40))
    p.activation = draw.chance(70) ? Activation::Relu : Activation::Clamp;
  p.activationArg1 = -2;
  p.activationArg2 = 3;
  if (draw.chance(15))
    p.batch = 2;
  p.dynamic = true;
  return p;
}

int64_t drawSize(Draw &draw) {
  static constexpr int64_t steps[] = {16, 32, 64, 128};
  if (draw.chance(20))
    return draw.range(1, 16);
  if (draw.chance(30)) {
    int64_t step = draw.pick(steps);
    return step * draw.range(1, std::max<int64_t>(1, 256 / step));
  }
  return draw.range(1, 300);
}

/// Sizes and gaps for which kernels with wide accesses exist: hardly any of the others would take one.
void drawAligned(HipblasltProblem &p, Draw &draw, bool large) {
  static constexpr int64_t depths[] = {64, 128, 192, 256, 384, 512}, largeSizes[] = {512, 768, 1024};
  p.m = 16 * draw.range(1, 18);
  // B's rows are contiguous unless it is transposed, so n need not be aligned then.
  p.n = p.transB ? 16 * draw.range(1, 18) : draw.chance(40) ? draw.range(1, 16) : draw.range(17, 300);
  p.k = draw.chance(80) ? draw.pick(depths) : 16 * draw.range(1, 18);
  if (large) {
    p.m = draw.pick(largeSizes);
    p.n = draw.pick(largeSizes);
  }
  auto leading = [&](int64_t rows) { return (rows + 15) / 16 * 16 + (draw.chance(30) ? 16 : 0); };
  p.lda = leading(p.transA ? p.k : p.m);
  p.ldb = leading(p.transB ? p.n : p.k);
  p.ldc = leading(p.m);
  p.ldd = leading(p.m);
}

void drawSizes(HipblasltProblem &p, Draw &draw, bool large) {
  for (int64_t *size : {&p.m, &p.n, &p.k})
    *size = drawSize(draw);
  if (large) {
    static constexpr int64_t sizes[] = {513, 768, 1000, 1031};
    p.m = draw.pick(sizes);
    p.n = draw.pick(sizes);
    p.k = draw.chance(50) ? 512 : 515;
  }
}

/// Gaps between columns: none, a few elements, or to the next multiple of 16.
void drawGaps(HipblasltProblem &p, Draw &draw) {
  auto leading = [&](int64_t rows) {
    int64_t choice = draw.range(0, 9);
    return choice < 4   ? rows
           : choice < 7 ? rows + draw.range(1, 9)
                        : (rows + 15) / 16 * 16 + (choice == 9 ? 16 : 0);
  };
  p.lda = leading(p.transA ? p.k : p.m);
  p.ldb = leading(p.transB ? p.n : p.k);
  p.ldc = leading(p.m);
  p.ldd = leading(p.m);
  if (p.batch > 1 && draw.chance(50)) {
    p.strideA = p.lda * (p.transA ? p.m : p.k) + draw.range(0, 40);
    p.strideD = p.ldd * p.n + draw.range(0, 40);
  }
}

void drawMisalignment(HipblasltProblem &p, Draw &draw) {
  auto misalign = [&](const char *name, Format format) {
    if (!draw.chance(35))
      return;
    int64_t bytes = bitWidth(format) / 8;
    p.misalignment[name] = uint64_t(draw.range(1, 15) * bytes);
  };
  misalign("a", p.a);
  misalign("b", p.b);
  misalign("d", p.d);
  if (p.beta != 0)
    misalign("c", p.d);
}

} // namespace

std::vector<RandomProblem> lowp::randomProblems(uint64_t seed, unsigned count, const Target &target) {
  std::vector<RandomProblem> list;
  for (unsigned i = 0; i < count; ++i) {
    RandomProblem random;
    random.group = i % groups;
    random.problem = operation(Draw(hashWord(seed, random.group)), random.group, target);
    Draw draw(hashWord(~seed, i));
    HipblasltProblem &problem = random.problem;
    if (problem.batch > 1)
      problem.batch = draw.range(2, 4);
    bool large = i % largeEvery == largeEvery - 1;
    if (draw.chance(45)) {
      drawAligned(problem, draw, large);
    } else {
      drawSizes(problem, draw, large);
      drawGaps(problem, draw);
      drawMisalignment(problem, draw);
    }
    if (i % staticEvery == staticEvery - 1) {
      random.problem.dynamic = false;
      random.group = groups + i / staticEvery;
    }
    llvm::cantFail(random.problem.complete()); // drawn within the rules
    list.push_back(std::move(random));
  }
  return list;
}
