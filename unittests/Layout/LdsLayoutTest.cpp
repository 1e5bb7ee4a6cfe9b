#include "lowp/Layout/TileLayouts.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <gtest/gtest.h>
using namespace lowp;
static void one(const char *chip, Format f, unsigned mn, unsigned k, unsigned M, unsigned K, WaveGrid g,
                unsigned bits, bool wr) {
  const Target &t = *Target::get(chip);
  const MfmaInstruction *i = t.mfmaFor(f, f, mn, mn, k);
  ASSERT_TRUE(i);
  auto l = mmaLayouts(*i, M, M, K, g, true, 128);
  if (!l) {
    llvm::errs() << llvm::toString(l.takeError()) << "\n";
    return;
  }
  for (int s = 0; s < 2; ++s) {
    std::vector<int32_t> shape =
        s ? std::vector<int32_t>{(int)K, (int)M} : std::vector<int32_t>{(int)M, (int)K};
    unsigned c = 1 - s;
    if (g.k > 1) {
      shape.insert(shape.begin(), g.k);
      c++;
    }
    LinearLayout w = blockedLayout(shape, c, 128 / bits, g.count());
    auto t0 = std::chrono::steady_clock::now();
    auto r = ldsLayout(shape, c, bits, 128, s ? l->b : l->a, wr ? &w : nullptr, t);
    auto us =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - t0).count();
    llvm::outs() << chip << " " << i->name << " " << M << "x" << K << " " << (s ? "B" : "A") << " read "
                 << r.readBits << "/" << r.readConflicts << " write " << r.writeBits << "/"
                 << r.writeConflicts << " " << us << "us " << r.layout.isInjective()
                 << r.layout.isSurjective() << " " << r.layout.str() << "\n";
  }
}
TEST(X, Y) {
  for (bool wr : {false, true})
    for (WaveGrid g : {WaveGrid{2, 2, 1}, WaveGrid{1, 1, 2}})
      for (auto [m, k] : {std::pair{256, 64}, {256, 128}, {128, 128}, {64, 64}, {256, 256}}) {
        one("gfx950", Format::F8E4M3FN, 16, 0, m, k, g, 8, wr);
        one("gfx950", Format::F8E4M3FN, 32, 0, m, k, g, 8, wr);
        one("gfx950", Format::F8E4M3FN, 16, 32, m, k, g, 8, wr);
        one("gfx950", Format::F4E2M1FN, 16, 0, m, k, g, 4, wr);
        one("gfx950", Format::F6E2M3FN, 16, 0, m, k, g, 6, wr);
        one("gfx942", Format::F8E4M3FNUZ, 16, 0, m, k, g, 8, wr);
        one("gfx942", Format::F8E4M3FNUZ, 32, 0, m, k, g, 8, wr);
      }
  for (const char *c : {"gfx950", "gfx942"})
    for (auto [m, k] : {std::pair{256, 32}, {128, 64}, {64, 64}}) {
      one(c, Format::BF16, 16, 0, m, k, {2, 2}, 16, true);
      one(c, Format::BF16, 32, 0, m, k, {2, 2}, 16, true);
    }
}
